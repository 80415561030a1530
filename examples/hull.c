/* The convex hull of points: reads the vertices of an OBJ file, or lines of three numbers; writes the hull as an OBJ file of
 * polygons, and a line about it to the standard error.
 *
 *     cc -O2 examples/hull.c -I. -lm -o hull
 *     ./hull bunny.obj >hull.obj
 *     ./hull bunny.obj 0.01 >hull.obj      ... with faces merged that are flat within 0.01
 *     ./hull                               the points of a 3 x 3 x 3 grid, and a tip */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS (sizeof(cd_real) == sizeof(float) ? 9 : 17) /* enough to read the same number again */

typedef struct cloud {
    cd_vec3 *points;
    size_t count, room;
} cloud;

static bool add_point(cloud *c, const double p[3]) {
    if (c->count == c->room) {
        size_t room = c->room ? 2 * c->room : 64;
        cd_vec3 *points = (cd_vec3 *)realloc(c->points, room * sizeof *points);
        if (!points) return false;
        c->points = points;
        c->room = room;
    }
    c->points[c->count++] = cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
    return true;
}

/* ---- reading ---- */

/* The next line without its end, cut off where `size` ends; false at the end of the file. */
static bool read_line(FILE *file, char *line, size_t size) {
    size_t n = 0;
    int c = getc(file);
    if (c == EOF) return false;
    for (; c != EOF && c != '\n'; c = getc(file)) {
        if (n + 1 < size) line[n++] = (char)c;
    }
    line[n] = 0;
    return true;
}

/* Three numbers that fit into a cd_real; what is wrong with them, or NULL. */
static const char *read_numbers(const char *text, double p[3]) {
    for (int i = 0; i < 3; ++i) {
        char *after;
        p[i] = strtod(text, &after);
        if (after == text) return "wanted three numbers";
        if (!(p[i] >= -(double)CD_REAL_MAX && p[i] <= (double)CD_REAL_MAX)) return "a number is not finite";
        text = after;
    }
    return NULL;
}

/* Is there a point in this line: `v x y z`, or just numbers? Anything else is about faces, looks and groups. */
static const char *find_point(const char *line) {
    char *after;
    line += strspn(line, " \t");
    if (line[0] == 'v' && (line[1] == ' ' || line[1] == '\t')) return line + 1;
    strtod(line, &after);
    return after != line ? line : NULL;
}

static bool read_points(FILE *file, const char *name, cloud *c) {
    char line[400];
    bool continues = false; /* does this line go on with the one before it, which was no point? */
    for (unsigned long number = 1; read_line(file, line, sizeof line); ++number) {
        const char *text = find_point(line), *wrong;
        double p[3];
        size_t length = strlen(line);
        bool skip = continues || !text;
        continues = skip && length > 0 && line[length - 1] == '\\';
        if (skip) continue;
        wrong = read_numbers(text, p);
        if (!wrong && !add_point(c, p)) wrong = "out of memory";
        if (!wrong) continue;
        fprintf(stderr, "%s:%lu: %s\n", name, number, wrong);
        return false;
    }
    if (!ferror(file)) return true;
    fprintf(stderr, "%s: %s\n", name, strerror(errno));
    return false;
}

static bool read_file(const char *name, cloud *c) {
    FILE *file = fopen(name, "rb");
    bool good;
    if (!file) {
        fprintf(stderr, "%s: %s\n", name, strerror(errno));
        return false;
    }
    good = read_points(file, name, c);
    fclose(file);
    return good;
}

static bool make_points(cloud *c) {
    double tip[3] = {1, 1, 3};
    for (int i = 0; i < 27; ++i) {
        double p[3];
        p[0] = i % 3, p[1] = i / 3 % 3, p[2] = i / 9;
        if (!add_point(c, p)) return false;
    }
    return add_point(c, tip);
}

/* ---- writing ---- */

/* Vertices count from 1 in an OBJ file. A hull without faces is a segment or a point. */
static void write_hull(const cd_hull_parts *h) {
    for (uint32_t v = 0; v < h->vertex_count; ++v) {
        printf("v %.*g %.*g %.*g\n", (int)DIGITS, (double)h->vertices[v].x, (int)DIGITS,
               (double)h->vertices[v].y, (int)DIGITS, (double)h->vertices[v].z);
    }
    for (uint32_t f = 0; f < h->face_count; ++f) {
        printf("f");
        for (uint32_t i = 0; i < h->faces[f].count; ++i)
            printf(" %u", (unsigned)h->half_edges[h->faces[f].first + i].origin + 1);
        printf("\n");
    }
    if (h->dimension == 1) printf("l 1 2\n");
    if (h->dimension == 0) printf("p 1\n");
}

static bool build_and_write(const cloud *c, double merge_distance) {
    cd_hull_options options;
    cd_hull_parts h;
    cd_hull hull;
    cd_status status;
    memset(&options, 0, sizeof options);
    options.merge_distance = (cd_real)merge_distance;
    status = cd_hull3_build(&hull, c->points, c->count, &options);
    if (status != CD_OK) {
        fprintf(stderr, "hull: %s\n", cd_status_text(status));
        return false;
    }
    h = cd_hull_get_parts(&hull);
    write_hull(&h);
    fprintf(stderr, "# dimension %d: %u vertices, %u edges, %u faces, of %lu points\n", (int)h.dimension,
            (unsigned)h.vertex_count, (unsigned)h.half_edge_count / 2, (unsigned)h.face_count,
            (unsigned long)c->count);
    cd_hull_destroy(&hull);
    return true;
}

int main(int argc, char **argv) {
    cloud c = {NULL, 0, 0};
    char *after = NULL;
    double merge_distance = argc > 2 ? strtod(argv[2], &after) : 0;
    bool good;
    if (argc > 3 || (after && (*after || !(merge_distance >= 0 && merge_distance <= (double)CD_REAL_MAX)))) {
        fprintf(stderr, "usage: hull [FILE [MERGE_DISTANCE]]\n");
        return 2;
    }
    good = argc > 1 ? read_file(argv[1], &c) : make_points(&c);
    good = good && build_and_write(&c, merge_distance) && fflush(stdout) == 0 && !ferror(stdout);
    free(c.points);
    return good ? 0 : 1;
}
