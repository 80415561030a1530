/* A slice through the signed distance field of a mesh: how deep inside, how far outside, as numbers and as a picture.
 *
 *     cc -O2 examples/distance_slice.c -I. -lm -o distance_slice
 *     ./distance_slice                               a knot, and in its middle a bowl without a lid
 *     ./distance_slice bunny.obj                     the vertices and faces of an OBJ or OFF file
 *     ./distance_slice bunny.obj picture.ppm         ... and the picture; - for the name takes the knot
 *     ./distance_slice bunny.obj picture.ppm 0.3     ... through 0.3 of the height instead of the middle
 *
 * The mesh need not be closed: what is inside is decided by the generalised winding number. */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- a mesh ---- */

typedef struct mesh {
    cd_vec3 *points;
    uint32_t *corners;
    uint32_t point_count, point_room, corner_count, corner_room;
} mesh;

static void *more(void *list, uint32_t count, uint32_t *room, size_t size) {
    if (count < *room) return list;
    *room = *room ? 2 * *room : 256;
    list = realloc(list, *room * size);
    if (!list) {
        fprintf(stderr, "out of memory\n");
        exit(1);
    }
    return list;
}

static void add_point(mesh *m, double x, double y, double z) {
    m->points = (cd_vec3 *)more(m->points, m->point_count, &m->point_room, sizeof *m->points);
    m->points[m->point_count++] = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

static void add_corner(mesh *m, uint32_t point) {
    m->corners = (uint32_t *)more(m->corners, m->corner_count, &m->corner_room, sizeof *m->corners);
    m->corners[m->corner_count++] = point;
}

/* The quadrilaterals between rings of points, with fronts outward for rings that go around counter-clockwise as seen from
 * ahead. */
static void join_rings(mesh *m, uint32_t first, uint32_t rings, uint32_t sides, bool closed) {
    for (uint32_t i = 0; i + (closed ? 0 : 1) < rings; ++i) {
        for (uint32_t j = 0; j < sides; ++j) {
            uint32_t here = first + i * sides, ahead = first + (i + 1) % rings * sides, k = (j + 1) % sides;
            uint32_t quad[6];
            quad[0] = quad[3] = here + j;
            quad[1] = here + k;
            quad[2] = quad[4] = ahead + k;
            quad[5] = ahead + j;
            for (int n = 0; n < 6; ++n) add_corner(m, quad[n]);
        }
    }
}

/* Where the knot is after a part s of its way: three times around the axis, twice up and down. */
static cd_vec3 on_knot(double s) {
    cd_real turn = (cd_real)(6.283185307179586 * s), radius = 2 + cd_cos(3 * turn) * (cd_real)0.9;
    return cd_vec3_make(radius * cd_cos(2 * turn), radius * cd_sin(2 * turn), cd_sin(3 * turn));
}

static void make_knot(mesh *m) {
    enum { RINGS = 192, SIDES = 20 };
    const cd_real thick = (cd_real)0.42;
    uint32_t first = m->point_count;
    for (int i = 0; i < RINGS; ++i) {
        cd_vec3 at = on_knot((double)i / RINGS), ahead = on_knot((i + 0.5) / RINGS);
        cd_vec3 way = cd_vec3_normalize(cd_vec3_sub(ahead, at));
        cd_vec3 out = cd_vec3_normalize(cd_vec3_cross(way, cd_vec3_make(0, 0, 1)));
        cd_vec3 up = cd_vec3_cross(out, way);
        for (int j = 0; j < SIDES; ++j) {
            cd_real angle = (cd_real)(-6.283185307179586 * j / SIDES);
            cd_vec3 p = cd_vec3_along(at, out, thick * cd_cos(angle));
            p = cd_vec3_along(p, up, thick * cd_sin(angle));
            add_point(m, (double)p.x, (double)p.y, (double)p.z);
        }
    }
    join_rings(m, first, RINGS, SIDES, true);
}

/* A ball that lacks its side toward x. */
static void make_bowl(mesh *m) {
    enum { RINGS = 14, SIDES = 24 };
    uint32_t first = m->point_count;
    for (int i = 0; i < RINGS; ++i) {
        cd_real down = (cd_real)(3.1415 - 2.3 * i / (RINGS - 1));
        for (int j = 0; j < SIDES; ++j) {
            cd_real angle = (cd_real)(6.283185307179586 * j / SIDES), r = (cd_real)0.52;
            add_point(m, (double)(r * cd_cos(down)), (double)(r * cd_sin(down) * cd_cos(angle)),
                      (double)(r * cd_sin(down) * cd_sin(angle)));
        }
    }
    join_rings(m, first, RINGS, SIDES, false);
}

/* ---- files ---- */

/* A face of these corners, counted from 0, as a fan of triangles; false when one is no vertex. */
static bool add_face(mesh *m, const long *corner, int count) {
    for (int i = 0; i < count; ++i) {
        if (corner[i] < 0 || corner[i] >= (long)m->point_count) return false;
        if (i < 2) continue;
        add_corner(m, (uint32_t)corner[0]);
        add_corner(m, (uint32_t)corner[i - 1]);
        add_corner(m, (uint32_t)corner[i]);
    }
    return true;
}

enum { CORNERS = 64 };

/* A line `f 1/2/3 4 -1 ...` of an OBJ file, or `3 0 1 2` of an OFF file. */
static bool read_face(mesh *m, char *text, bool off) {
    long corner[CORNERS];
    int count = 0;
    char *word = strtok(text, " \t\r\n");
    if (off && word) word = strtok(NULL, " \t\r\n");
    for (; word && count < CORNERS; word = strtok(NULL, " \t\r\n")) {
        long index = strtol(word, NULL, 10);
        corner[count++] = off ? index : index < 0 ? index + (long)m->point_count : index - 1;
    }
    return add_face(m, corner, count);
}

static bool read_point(mesh *m, const char *text) {
    double x, y, z;
    if (sscanf(text, "%lf %lf %lf", &x, &y, &z) != 3) return false;
    add_point(m, x, y, z);
    return true;
}

static bool read_obj(mesh *m, FILE *file) {
    char line[4096];
    bool good = true;
    while (good && fgets(line, sizeof line, file)) {
        if (line[0] == 'v' && line[1] == ' ') good = read_point(m, line + 2);
        if (line[0] == 'f' && line[1] == ' ') good = read_face(m, line + 2, false);
    }
    return good;
}

/* After the line `OFF`: how many there are, points, faces. */
static bool read_off(mesh *m, FILE *file) {
    char line[4096];
    unsigned long points, faces;
    bool good = fgets(line, sizeof line, file) && sscanf(line, "%lu %lu", &points, &faces) == 2;
    for (unsigned long i = 0; good && i < points; ++i)
        good = fgets(line, sizeof line, file) && read_point(m, line);
    for (unsigned long i = 0; good && i < faces; ++i)
        good = fgets(line, sizeof line, file) && read_face(m, line, true);
    return good;
}

static bool read_mesh(mesh *m, const char *name) {
    char head[4] = "";
    FILE *file = fopen(name, "r");
    bool good = file != NULL;
    if (good && fgets(head, sizeof head, file) && !strcmp(head, "OFF")) {
        good = fgets(head, sizeof head, file) && read_off(m, file);
    } else if (good) {
        rewind(file);
        good = read_obj(m, file);
    }
    if (file) fclose(file);
    return good && m->corner_count > 0;
}

/* ---- the slice: a square of points around the mesh, row after row from the top ---- */

typedef struct slice {
    int size;
    cd_real step;
    cd_vec3 *points;
    cd_real *distances;
} slice;

static bool slice_begin(slice *s, int size, cd_aabb box, cd_real part) {
    cd_vec3 extent = cd_vec3_sub(box.max, box.min), middle = cd_vec3_lerp(box.min, box.max, (cd_real)0.5);
    cd_real side = (extent.x > extent.y ? extent.x : extent.y) * (cd_real)1.3;
    size_t count = (size_t)size * (size_t)size;
    s->size = size;
    s->step = side / (cd_real)size;
    s->points = (cd_vec3 *)malloc(count * sizeof *s->points);
    s->distances = (cd_real *)malloc(count * sizeof *s->distances);
    if (!s->points || !s->distances) return false;
    for (int y = 0; y < size; ++y) {
        for (int x = 0; x < size; ++x) {
            cd_vec3 *p = &s->points[y * size + x];
            p->x = middle.x + s->step * (cd_real)(x - 0.5 * (size - 1));
            p->y = middle.y - s->step * (cd_real)(y - 0.5 * (size - 1));
            p->z = box.min.z + part * extent.z;
        }
    }
    return true;
}

static void slice_end(slice *s) {
    free(s->points);
    free(s->distances);
}

/* One call for the whole grid. */
static void measure(slice *s, const cd_bvh *tree, const cd_bvh_winding *winding) {
    cd_bvh_signed_distances(winding, tree, s->points, (size_t)s->size * (size_t)s->size, CD_REAL_MAX, NULL,
                            s->distances);
}

/* ---- the picture ---- */

static double at(const slice *s, int x, int y) {
    int last = s->size - 1;
    x = x < 0 ? 0 : x > last ? last : x;
    y = y < 0 ? 0 : y > last ? last : y;
    return (double)s->distances[y * s->size + x];
}

/* How fast the distance changes from one point to the next; 1 where the nearest triangle is in the slice. */
static double slope(const slice *s, int x, int y) {
    double dx = 0.5 * (at(s, x + 1, y) - at(s, x - 1, y)), dy = 0.5 * (at(s, x, y + 1) - at(s, x, y - 1));
    double all = sqrt(dx * dx + dy * dy) / (double)s->step;
    return all < 0.15 ? 0.15 : all > 1 ? 1 : all;
}

/* How much of a point a line covers: `away` from its middle and `wide`, in points. */
static double cover(double away, double wide) {
    double left = 0.5 * wide + 0.5 - fabs(away);
    return left < 0 ? 0 : left > 1 ? 1 : left;
}

static void mix(double pixel[3], const double color[3], double share) {
    for (int k = 0; k < 3; ++k) pixel[k] += share * (color[k] - pixel[k]);
}

/* Cream to rust outside, pale to dark blue inside; a thin line for each contour, a clearer one for each fifth, and the
 * surface in ink. */
static void paint(const slice *s, int x, int y, double contour, double pixel[3]) {
    static const double close_by[3] = {255, 246, 224}, away[3] = {190, 96, 44}, shallow[3] = {198, 226, 246},
                        deep[3] = {18, 52, 120}, ink[3] = {20, 22, 34}, shade[3] = {70, 40, 40};
    double d = at(s, x, y), points = slope(s, x, y) * (double)s->step;
    double depth = 1 - exp(-fabs(d) / (contour * (d < 0 ? 4 : 12)));
    double line = floor(d / contour + 0.5);
    for (int k = 0; k < 3; ++k) pixel[k] = d < 0 ? shallow[k] : close_by[k];
    mix(pixel, d < 0 ? deep : away, depth);
    if (line != 0)
        mix(pixel, shade, cover((d - line * contour) / points, 1) * (fmod(line, 5) == 0 ? 0.55 : 0.2));
    mix(pixel, ink, cover(d / points, 2.5));
}

static bool draw(const slice *s, double contour, const char *name) {
    FILE *file = fopen(name, "wb");
    if (!file) return false;
    fprintf(file, "P6\n%d %d\n255\n", s->size, s->size);
    for (int y = 0; y < s->size; ++y) {
        for (int x = 0; x < s->size; ++x) {
            double pixel[3];
            paint(s, x, y, contour, pixel);
            for (int k = 0; k < 3; ++k) putc((int)(pixel[k] + 0.5), file);
        }
    }
    return fclose(file) == 0;
}

/* ---- the numbers ---- */

static void print_numbers(const slice *s, const cd_bvh *tree, const cd_bvh_winding *winding) {
    int count = s->size * s->size, inside = 0;
    cd_vec3 middle = s->points[s->size / 2 * s->size + s->size / 2];
    double least = (double)s->distances[0], most = least;
    cd_closest nearest[3];
    size_t found = cd_bvh_closest_k(tree, middle, 3, CD_REAL_MAX, NULL, nearest);
    for (int i = 0; i < count; ++i) {
        double d = (double)s->distances[i];
        inside += d < 0;
        if (d < least) least = d;
        if (d > most) most = d;
    }
    printf("%u triangles, %d points, %.1f %% of them inside\n", cd_bvh_count(tree), count,
           100.0 * inside / count);
    printf("distances from %.4f to %.4f\n", least, most);
    printf("in the middle: winding number %.3f, nearest triangles at",
           (double)cd_bvh_winding_number(winding, tree, middle, (cd_real)1e-4));
    for (size_t i = 0; i < found; ++i) printf(" %.4f", sqrt((double)nearest[i].sqdist));
    printf("\n");
}

static int fail(const char *what) {
    fprintf(stderr, "%s\n", what);
    return 1;
}

/* The numbers of a coarse grid, and the picture of a fine one. */
static int show(const cd_bvh *tree, const cd_bvh_winding *winding, const char *picture, cd_real part) {
    slice s;
    bool good = slice_begin(&s, 97, cd_bvh_bounds(tree), part);
    if (good) {
        measure(&s, tree, winding);
        print_numbers(&s, tree, winding);
    }
    slice_end(&s);
    if (!good || !picture) return good ? 0 : fail("out of memory");
    good = slice_begin(&s, 600, cd_bvh_bounds(tree), part);
    if (good) {
        measure(&s, tree, winding);
        good = draw(&s, 10 * (double)s.step, picture);
    }
    slice_end(&s);
    return good ? 0 : fail("cannot write the picture");
}

int main(int argc, char **argv) {
    mesh m;
    cd_bvh tree;
    cd_bvh_winding winding;
    cd_mesh_view view;
    int result;
    memset(&m, 0, sizeof m);
    if (argc < 2 || !strcmp(argv[1], "-")) {
        make_knot(&m);
        make_bowl(&m);
    } else if (!read_mesh(&m, argv[1])) {
        return fail("cannot read the mesh");
    }
    view = cd_mesh_view_make(m.points, m.point_count, m.corners, m.corner_count / 3);
    if (cd_bvh_build_mesh(&tree, &view, NULL) != CD_OK) return fail("cannot build a tree over the mesh");
    if (cd_bvh_winding_build(&winding, &tree, NULL) != CD_OK) return fail("out of memory");
    result = show(&tree, &winding, argc > 2 ? argv[2] : NULL, (cd_real)(argc > 3 ? atof(argv[3]) : 0.5));
    cd_bvh_winding_destroy(&winding);
    cd_bvh_destroy(&tree);
    free(m.points);
    free(m.corners);
    return result;
}
