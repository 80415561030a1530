/* mesh_tool.c - looks at triangle meshes with collide.h: what is in a file, where two meshes meet, what they look like.
 *
 *     cc -O2 examples/mesh_tool.c -I. -lm -o mesh_tool
 *     ./mesh_tool bunny.obj                             facts about a mesh
 *     ./mesh_tool --picture bunny.png bunny.obj         ... and a picture of it
 *     ./mesh_tool --help
 *
 * One file to keep and to change, in C99 that is also C++11. Where to look for what:
 *
 *   reading            OBJ, STL and OFF into points and indices, with the line of what is wrong
 *   report             closed? manifold? oriented alike? how is the tree?      cd_bvh_build_mesh, cd_bvh_get_stats
 *   rays and picture   a camera of rays, shadows, a PNG                        cd_bvh_cast_ray, cd_bvh_test_ray
 *   pairs and polyline where two meshes meet                                   cd_bvh_traverse_pairs, cd_bvh_closest
 *   demo shape         a mesh to try all this on
 *   command line
 */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#define STDERR_IS_TERMINAL (isatty(2) != 0)
#else
#define STDERR_IS_TERMINAL false
#endif

#define PI            3.14159265358979323846
#define MAX_TRIANGLES (1u << 29) /* the library's own limit */
#define MAX_POINTS    0xFFFFFFF0u
#define MAX_PAIRS     50000000u /* there the search stops: meshes on top of each other have no end of pairs */
#define DIGITS        (sizeof(cd_real) == sizeof(float) ? 9 : 17) /* enough to read the same number again */

/* What the whole program wants to know: --quiet, --progress. */
static struct { bool quiet, progress; } show;

/* ---- memory, time, messages --------------------------------------------------------------------------------- */

/* A growing array of items of one type. */
typedef struct list {
    void *data;
    size_t count, capacity;
} list;

static void *allocate(size_t count, size_t size) {
    void *p = count < SIZE_MAX / size ? malloc(count * size + 1) : NULL;
    if (p) return p;
    fprintf(stderr, "mesh_tool: out of memory\n");
    exit(1);
}

static void *list_extend(list *l, size_t count, size_t size) {
    if (l->capacity - l->count < count) {
        size_t capacity = l->capacity * 2 > l->count + count ? l->capacity * 2 : l->count + count + 32;
        void *data = allocate(capacity, size);
        if (l->count) memcpy(data, l->data, l->count * size);
        free(l->data);
        l->data = data;
        l->capacity = capacity;
    }
    l->count += count;
    return (char *)l->data + (l->count - count) * size;
}

static void list_push(list *l, const void *item, size_t size) {
    memcpy(list_extend(l, 1, size), item, size);
}

static void list_push_index(list *l, uint32_t index) {
    list_push(l, &index, sizeof index);
}

static void list_push_point(list *l, cd_vec3 point) {
    list_push(l, &point, sizeof point);
}

static void list_free(list *l) {
    free(l->data);
    memset(l, 0, sizeof *l);
}

/* Processor time in seconds: the one clock of the C library that is fine enough. */
static double seconds(void) {
    return (double)clock() / CLOCKS_PER_SEC;
}

/* A piece of work that may take long. */
typedef struct job {
    const char *name;
    double begin;
    int percent; /* as shown, or -1 */
} job;

static job job_begin(const char *name) {
    job j;
    j.name = name;
    j.begin = seconds();
    j.percent = -1;
    return j;
}

/* Fits cd_executor.progress: true goes on. */
static bool job_progress(void *user, float done) {
    job *j = (job *)user;
    int percent = (int)(done * 100);
    if (!show.progress || percent == j->percent || seconds() - j->begin < 0.5) return true;
    fprintf(stderr, "\r%s %3d %%", j->name, percent);
    fflush(stderr);
    j->percent = percent;
    return true;
}

/* Wipes the line; returns the seconds it took. */
static double job_end(job *j) {
    if (j->percent >= 0) fprintf(stderr, "\r%*s\r", (int)strlen(j->name) + 6, "");
    return seconds() - j->begin;
}

/* A line of the report. */
static void row(const char *name, const char *format, ...) {
    va_list arguments;
    if (show.quiet) return;
    va_start(arguments, format);
    printf("  %-14s", name);
    vprintf(format, arguments);
    putchar('\n');
    va_end(arguments);
}

static void title(const char *text) {
    if (!show.quiet) printf("%s\n", text);
}

/* ---- reading ------------------------------------------------------------------------------------------------ */

typedef struct mesh {
    list points;  /* cd_vec3 */
    list indices; /* uint32_t, three a triangle */
} mesh;

static cd_vec3 *mesh_points(const mesh *m) {
    return (cd_vec3 *)m->points.data;
}

static uint32_t *mesh_indices(const mesh *m) {
    return (uint32_t *)m->indices.data;
}

static cd_mesh_view mesh_view(const mesh *m) {
    return cd_mesh_view_make(mesh_points(m), (uint32_t)m->points.count, mesh_indices(m),
                             (uint32_t)(m->indices.count / 3));
}

/* A file in memory, followed by a zero, and how far it has been read. */
typedef struct reader {
    const char *name, *p, *end;
    size_t line;   /* of p; 0 where lines mean nothing */
    char word[32]; /* for messages */
} reader;

/* Tells what is wrong, as file:line: message. Always false, so that readers can end with it. */
static bool fail(const reader *r, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fprintf(stderr, r->line ? "%s:%zu: " : "%s: ", r->name, r->line);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
    return false;
}

/* Does a word end before this character? At the end of the file too, where a zero stands. */
static bool is_break(char c) {
    return strchr(" \t\v\f\r\n#\\", c) != NULL;
}

static bool is_line_end(const reader *r) {
    return r->p == r->end || *r->p == '\n' || *r->p == '\r' || *r->p == '#';
}

/* To the first character of the next line, if there is one. */
static void next_line(reader *r) {
    while (r->p < r->end && *r->p != '\n' && *r->p != '\r') ++r->p;
    if (r->p == r->end) return;
    r->p += r->p[0] == '\r' && r->p[1] == '\n' ? 2 : 1;
    ++r->line;
}

/* Over blanks, and line ends after a backslash. */
static void skip_blanks(reader *r) {
    for (;;) {
        if (*r->p == '\\' && (r->p[1] == '\n' || r->p[1] == '\r'))
            next_line(r);
        else if (*r->p && strchr(" \t\v\f", *r->p))
            ++r->p;
        else
            return;
    }
}

/* To the next word, over empty lines and comments; false at the end of the file. */
static bool next_word(reader *r) {
    for (skip_blanks(r); is_line_end(r); skip_blanks(r)) {
        if (r->p == r->end) return false;
        next_line(r);
    }
    return true;
}

/* Reads a word if it is the next one; letter case does not matter. */
static bool take_word(reader *r, const char *word) {
    const char *p = r->p;
    for (; *word; ++word, ++p) {
        if (tolower((unsigned char)*p) != *word) return false;
    }
    if (is_break(*p)) r->p = p;
    return is_break(*p);
}

/* What comes next, for messages. */
static const char *found(reader *r) {
    size_t n = 0;
    if (r->p == r->end) return "the end of the file";
    if (is_line_end(r)) return "the end of the line";
    for (; n < sizeof r->word - 1 && !is_break(r->p[n]); ++n) {
        r->word[n] = r->p[n] > ' ' && r->p[n] <= '~' ? r->p[n] : '?';
    }
    r->word[n] = 0;
    return r->word;
}

static bool read_number(reader *r, cd_real *out) {
    char *after = NULL;
    double x;
    skip_blanks(r);
    x = is_break(*r->p) ? 0 : strtod(r->p, &after);
    if (!after || after == r->p || !is_break(*after)) return fail(r, "wanted a number, found %s", found(r));
    if (!(x >= -(double)CD_REAL_MAX && x <= (double)CD_REAL_MAX))
        return fail(r, "%s is not finite", found(r));
    r->p = after;
    *out = (cd_real)x;
    return true;
}

/* A whole number, at a blank, a line end or a slash. */
static bool read_integer(reader *r, const char *what, long long low, long long high, long long *out) {
    char *after = NULL;
    skip_blanks(r);
    *out = is_break(*r->p) ? 0 : strtoll(r->p, &after, 10);
    if (!after || after == r->p || !(is_break(*after) || *after == '/') || *out < low || *out > high)
        return fail(r, "wanted %s from %lld to %lld, found %s", what, low, high, found(r));
    r->p = after;
    return true;
}

static bool read_point(reader *r, mesh *m) {
    cd_vec3 p = cd_vec3_make(0, 0, 0);
    if (!read_number(r, &p.x) || !read_number(r, &p.y) || !read_number(r, &p.z)) return false;
    if (m->points.count == MAX_POINTS) return fail(r, "more than %u vertices", MAX_POINTS);
    list_push_point(&m->points, p);
    return true;
}

/* A polygon on its way to be triangles: a fan about its first corner, which is right for convex ones. */
typedef struct fan {
    uint32_t first, last, count;
} fan;

static bool fan_add(fan *f, reader *r, mesh *m, uint32_t index) {
    if (f->count == 0) f->first = index;
    if (f->count >= 2) {
        if (m->indices.count == 3 * MAX_TRIANGLES) return fail(r, "more than %u triangles", MAX_TRIANGLES);
        list_push_index(&m->indices, f->first);
        list_push_index(&m->indices, f->last);
        list_push_index(&m->indices, index);
    }
    f->last = index;
    if (f->count < 3) ++f->count;
    return true;
}

/* OBJ. A corner is a, a/b, a//c or a/b/c, of which only a, the vertex, is used; negative ones count back from here. */
static bool read_obj_corner(reader *r, mesh *m, fan *f) {
    long long count = (long long)m->points.count, index, unused;
    if (!read_integer(r, "a vertex", -count, count, &index)) return false;
    if (index == 0) return fail(r, "vertex 0: they are counted from 1");
    for (int i = 0; i < 2 && *r->p == '/'; ++i) {
        ++r->p;
        if (*r->p == '/' || is_break(*r->p)) continue;
        if (!read_integer(r, "an index", -(long long)MAX_POINTS, MAX_POINTS, &unused)) return false;
    }
    if (!is_break(*r->p)) return fail(r, "wanted a corner like 1, 1/2, 1//3 or 1/2/3, found %s", found(r));
    return fan_add(f, r, m, (uint32_t)(index > 0 ? index - 1 : index + count));
}

static bool read_obj_face(reader *r, mesh *m) {
    fan f = {0, 0, 0};
    for (skip_blanks(r); !is_line_end(r); skip_blanks(r)) {
        if (!read_obj_corner(r, m, &f)) return false;
    }
    return f.count == 3 || fail(r, "a face with fewer than three corners");
}

static bool read_obj(reader *r, mesh *m) {
    for (; next_word(r); next_line(r)) {
        if (take_word(r, "v") && !read_point(r, m)) return false;
        if (take_word(r, "f") && !read_obj_face(r, m)) return false;
    } /* all else is about looks, curves and groups */
    return true;
}

/* OFF: [ST][C][N]OFF, counts of vertices, faces and (often) edges, then a vertex or face a line. What follows the
 * three coordinates or the corners on a line is normals and colours. */
static bool read_off_face(reader *r, mesh *m) {
    fan f = {0, 0, 0};
    long long corners, index, count = (long long)m->points.count;
    if (!read_integer(r, "a number of corners", 3, MAX_TRIANGLES, &corners)) return false;
    while (corners-- > 0) {
        if (!read_integer(r, "a vertex", 0, count - 1, &index)) return false;
        if (!fan_add(&f, r, m, (uint32_t)index)) return false;
    }
    return true;
}

static bool read_off(reader *r, mesh *m) {
    long long points, faces;
    next_word(r);
    while (*r->p && strchr("STCN", *r->p)) ++r->p;
    if (!take_word(r, "off")) return fail(r, "wanted OFF, perhaps after ST, C or N, found %s", found(r));
    next_word(r);
    if (!read_integer(r, "a number of vertices", 0, MAX_POINTS, &points)) return false;
    if (!read_integer(r, "a number of faces", 0, MAX_TRIANGLES, &faces)) return false;
    next_line(r);
    for (long long i = 0; i < points; ++i, next_line(r)) {
        if (!next_word(r)) return fail(r, "the file ends after %lld of %lld vertices", i, points);
        if (!read_point(r, m)) return false;
    }
    for (long long i = 0; i < faces; ++i, next_line(r)) {
        if (!next_word(r)) return fail(r, "the file ends after %lld of %lld faces", i, faces);
        if (!read_off_face(r, m)) return false;
    }
    return !next_word(r) || fail(r, "more than the %lld vertices and %lld faces promised", points, faces);
}

/* STL: each triangle with its own three points. */
static uint32_t little_endian(const char *p) {
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool read_stl_binary(reader *r, mesh *m, uint32_t count) {
    r->line = 0;
    if (count > MAX_TRIANGLES) return fail(r, "more than %u triangles", MAX_TRIANGLES);
    for (uint32_t i = 0; i < 3 * count; ++i) {
        const char *p = r->p + 84 + 50 * (size_t)(i / 3) + 12 + 12 * (i % 3);
        float x[3];
        for (int k = 0; k < 3; ++k) {
            uint32_t bits = little_endian(p + 4 * k);
            memcpy(&x[k], &bits, 4);
            if ((bits & 0x7F800000u) == 0x7F800000u)
                return fail(r, "triangle %u: not a finite number", i / 3);
        }
        list_push_point(&m->points, cd_vec3_make((cd_real)x[0], (cd_real)x[1], (cd_real)x[2]));
        list_push_index(&m->indices, i);
    }
    return true;
}

static bool expect(reader *r, const char *word) {
    return (next_word(r) && take_word(r, word)) || fail(r, "wanted %s, found %s", word, found(r));
}

static bool read_stl_facet(reader *r, mesh *m) {
    fan f = {0, 0, 0};
    next_line(r); /* the normal: often wrong, and never needed */
    if (!expect(r, "outer") || !expect(r, "loop")) return false;
    for (int i = 0; i < 3; ++i) {
        if (!expect(r, "vertex") || !read_point(r, m)) return false;
        if (!fan_add(&f, r, m, (uint32_t)m->points.count - 1)) return false;
    }
    return expect(r, "endloop") && expect(r, "endfacet");
}

static bool read_stl_text(reader *r, mesh *m) {
    while (next_word(r)) {
        if (!expect(r, "solid")) return false;
        next_line(r);
        while (next_word(r) && take_word(r, "facet")) {
            if (!read_stl_facet(r, m)) return false;
        }
        if (!expect(r, "endsolid")) return false;
        next_line(r);
    }
    return true;
}

/* Some binary files begin with "solid" too, so that the size decides. */
static bool read_stl(reader *r, mesh *m) {
    size_t size = (size_t)(r->end - r->p);
    uint32_t count = size >= 84 ? little_endian(r->p + 80) : 0;
    reader ahead = *r;
    if (size >= 84 && (size - 84) % 50 == 0 && (size - 84) / 50 == count) return read_stl_binary(r, m, count);
    if (next_word(&ahead) && take_word(&ahead, "solid")) return read_stl_text(r, m);
    r->line = 0;
    if (size < 84) return fail(r, "neither begins with solid nor is long enough for a binary STL file");
    return fail(r, "%u triangles, as it says, need %.0f bytes, not %zu", count, 84 + 50.0 * count, size);
}

/* The whole of a file, and a zero. */
static bool read_file(reader *r, list *bytes) {
    FILE *file = fopen(r->name, "rb");
    size_t got;
    bool ok;
    if (!file) return fail(r, "%s", strerror(errno));
    do {
        got = fread(list_extend(bytes, 1 << 16, 1), 1, 1 << 16, file);
        bytes->count -= (1 << 16) - got;
    } while (got);
    ok = !ferror(file) || fail(r, "%s", strerror(errno));
    fclose(file);
    list_push(bytes, "", 1);
    r->p = (const char *)bytes->data;
    r->end = r->p + bytes->count - 1;
    return ok;
}

static bool ends_with(const char *name, const char *ending) {
    size_t n = strlen(name), k = strlen(ending);
    if (n < k) return false;
    for (name += n - k; *name && tolower((unsigned char)*name) == *ending; ++name) ++ending;
    return *name == 0;
}

static bool read_any(reader *r, mesh *m) {
    bool text = !ends_with(r->name, ".stl"), ok;
    if (r->p == r->end) return fail(r, "the file is empty");
    r->line = 1;
    if (text && !strncmp(r->p, "\xEF\xBB\xBF", 3)) r->p += 3; /* the mark of UTF-8 */
    if (ends_with(r->name, ".obj"))
        ok = read_obj(r, m);
    else
        ok = text ? read_off(r, m) : read_stl(r, m);
    r->line = 0;
    return ok && (m->indices.count > 0 || fail(r, "no triangles in it"));
}

static bool mesh_read(mesh *m, const char *name) {
    reader r;
    list bytes = {NULL, 0, 0};
    bool ok;
    memset(&r, 0, sizeof r);
    r.name = name;
    if (!ends_with(name, ".obj") && !ends_with(name, ".off") && !ends_with(name, ".stl"))
        return fail(&r, "not an .obj, .off or .stl file");
    ok = read_file(&r, &bytes) && read_any(&r, m);
    list_free(&bytes);
    return ok;
}

/* ---- report ------------------------------------------------------------------------------------------------- */

/* The bits of a point as one number, well stirred. */
static uint64_t hash_point(cd_vec3 p) {
    unsigned char bytes[sizeof p];
    uint64_t hash = 14695981039346656037u;
    memcpy(bytes, &p, sizeof p);
    for (size_t i = 0; i < sizeof bytes; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
    return hash ^ hash >> 32;
}

/* Makes equal points one: ids[i] is the new number of point i. */
static void weld_points(list *points, uint32_t *ids) {
    cd_vec3 *p = (cd_vec3 *)points->data;
    size_t size = 16, count = 0;
    uint32_t *table;
    while (size < points->count * 2) size *= 2;
    table = (uint32_t *)allocate(size, sizeof *table);
    memset(table, 0xFF, size * sizeof *table);
    for (size_t i = 0; i < points->count; ++i) {
        cd_vec3 q = cd_vec3_add(p[i], cd_vec3_make(0, 0, 0)); /* makes -0 a 0 */
        size_t slot = (size_t)hash_point(q) & (size - 1);
        while (table[slot] != CD_NONE && memcmp(&p[table[slot]], &q, sizeof q) != 0)
            slot = (slot + 1) & (size - 1);
        if (table[slot] == CD_NONE) {
            table[slot] = (uint32_t)count;
            p[count++] = q;
        }
        ids[i] = table[slot];
    }
    points->count = count;
    free(table);
}

static void mesh_weld(mesh *m) {
    uint32_t *ids = (uint32_t *)allocate(m->points.count, sizeof *ids);
    weld_points(&m->points, ids);
    for (size_t i = 0; i < m->indices.count; ++i) mesh_indices(m)[i] = ids[mesh_indices(m)[i]];
    free(ids);
}

/* An edge of a triangle, or a piece of a curve: two nodes in order, and where it comes from. */
typedef struct edge {
    uint32_t low, high, source;
} edge;

static edge edge_make(uint32_t a, uint32_t b, uint32_t source) {
    edge e;
    e.low = a < b ? a : b;
    e.high = a < b ? b : a;
    e.source = source;
    return e;
}

static int edge_order(const void *x, const void *y) {
    const edge *a = (const edge *)x, *b = (const edge *)y;
    if (a->low != b->low) return a->low < b->low ? -1 : 1;
    if (a->high != b->high) return a->high < b->high ? -1 : 1;
    return a->source < b->source ? -1 : a->source > b->source;
}

static bool edge_equal(const edge *a, const edge *b) {
    return a->low == b->low && a->high == b->high;
}

/* Disjoint sets: each points towards the one that stands for its set. */
static uint32_t find_root(uint32_t *parent, uint32_t i) {
    while (parent[i] != i) {
        parent[i] = parent[parent[i]];
        i = parent[i];
    }
    return i;
}

static void unite(uint32_t *parent, uint32_t a, uint32_t b) {
    a = find_root(parent, a);
    b = find_root(parent, b);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

typedef struct facts {
    uint32_t flat;  /* triangles without area */
    uint32_t faces; /* triangles with three different vertices: what the rest is about */
    uint32_t edges, used;
    uint32_t boundary; /* edges with one triangle */
    uint32_t crowded;  /* edges with more than two */
    uint32_t flipped;  /* edges whose two triangles disagree about the front */
    uint32_t pinched;  /* vertices where sheets touch that share no edge there */
} facts;

static uint32_t next_corner(uint32_t corner) {
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

static bool is_face(const uint32_t *corner) {
    return corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0];
}

/* All edges of all faces, those of one pair of vertices side by side. */
static list sorted_edges(const mesh *m, facts *f) {
    list edges = {NULL, 0, 0};
    const uint32_t *index = mesh_indices(m);
    for (uint32_t c = 0; c < m->indices.count; ++c) {
        edge e = edge_make(index[c], index[next_corner(c)], c);
        if (!is_face(index + c - c % 3)) continue;
        list_push(&edges, &e, sizeof e);
    }
    f->faces = (uint32_t)(edges.count / 3);
    if (edges.count) qsort(edges.data, edges.count, sizeof(edge), edge_order);
    return edges;
}

/* Joins the corners that two edges between the same vertices have there. */
static void join_corners(const uint32_t *index, uint32_t *parent, uint32_t a, uint32_t b) {
    bool along = index[a] == index[b];
    unite(parent, a, along ? b : next_corner(b));
    unite(parent, next_corner(a), along ? next_corner(b) : b);
}

/* Looks at each edge with its triangles. */
static void count_edges(const mesh *m, const list *edges, uint32_t *parent, facts *f) {
    const edge *e = (const edge *)edges->data;
    const uint32_t *index = mesh_indices(m);
    for (size_t i = 0, n; i < edges->count; i += n) {
        for (n = 1; i + n < edges->count && edge_equal(&e[i], &e[i + n]); ++n) {
            join_corners(index, parent, e[i].source, e[i + n].source);
        }
        ++f->edges;
        f->boundary += n == 1;
        f->crowded += n > 2;
        f->flipped += n == 2 && index[e[i].source] == index[e[i + 1].source];
    }
}

/* The corners of a vertex that edges have not joined are sheets that only touch. */
static void count_sheets(const mesh *m, uint32_t *parent, facts *f) {
    const uint32_t *index = mesh_indices(m);
    uint32_t *sheets = (uint32_t *)allocate(m->points.count, sizeof *sheets);
    memset(sheets, 0, m->points.count * sizeof *sheets);
    for (uint32_t c = 0; c < m->indices.count; ++c) {
        if (is_face(index + c - c % 3) && find_root(parent, c) == c) ++sheets[index[c]];
    }
    for (size_t i = 0; i < m->points.count; ++i) {
        f->used += sheets[i] > 0;
        f->pinched += sheets[i] > 1;
    }
    free(sheets);
}

static facts mesh_facts(const mesh *m) {
    facts f;
    list edges;
    cd_triangle t;
    cd_mesh_view view = mesh_view(m);
    uint32_t *parent = (uint32_t *)allocate(m->indices.count, sizeof *parent);
    memset(&f, 0, sizeof f);
    for (uint32_t i = 0; i < view.triangle_count; ++i) {
        f.flat += cd_mesh_triangle(&view, i, &t) && !cd_triangle_normal(&t, NULL);
    }
    for (uint32_t c = 0; c < m->indices.count; ++c) parent[c] = c;
    edges = sorted_edges(m, &f);
    count_edges(m, &edges, parent, &f);
    count_sheets(m, parent, &f);
    list_free(&edges);
    free(parent);
    return f;
}

/* A mesh with its tree, and where it stands. */
typedef struct model {
    const char *name;
    struct mesh mesh;
    cd_mesh_view view;
    cd_bvh tree;
    cd_transform pose;
    double read_time, build_time;
} model;

static void model_free(model *m) {
    cd_bvh_destroy(&m->tree);
    list_free(&m->mesh.points);
    list_free(&m->mesh.indices);
}

static bool model_build(model *m) {
    cd_bvh_options options;
    cd_status status;
    job j = job_begin("building");
    memset(&options, 0, sizeof options);
    options.executor.user = &j;
    options.executor.progress = job_progress;
    m->view = mesh_view(&m->mesh);
    status = cd_bvh_build_mesh(&m->tree, &m->view, &options);
    m->build_time = job_end(&j);
    if (status != CD_OK) fprintf(stderr, "%s: %s\n", m->name, cd_status_text(status));
    return status == CD_OK;
}

static const char *yes_or_no(bool yes) {
    return yes ? "yes" : "no";
}

static void report_topology(const facts *f) {
    bool closed = f->boundary == 0 && f->crowded == 0 && f->faces > 0;
    bool manifold = f->crowded == 0 && f->pinched == 0;
    long euler = (long)f->used - (long)f->edges + (long)f->faces;
    row("degenerate", "%u without area", f->flat);
    row("closed", "%s (edges with one triangle: %u)", yes_or_no(closed), f->boundary);
    row("manifold", "%s (edges with more than two: %u, pinched vertices: %u)", yes_or_no(manifold),
        f->crowded, f->pinched);
    row("oriented", "%s (edges whose triangles disagree: %u)", yes_or_no(f->flipped == 0), f->flipped);
    row("Euler", "%ld", euler);
}

static void report_model(const model *m) {
    cd_aabb b = cd_bvh_bounds(&m->tree);
    cd_bvh_stats s = cd_bvh_get_stats(&m->tree);
    facts f = mesh_facts(&m->mesh);
    title(m->name);
    row("triangles", "%u", m->view.triangle_count);
    row("vertices", "%u, used: %u", m->view.vertex_count, f.used);
    row("bounds", "%g %g %g to %g %g %g", (double)b.min.x, (double)b.min.y, (double)b.min.z, (double)b.max.x,
        (double)b.max.y, (double)b.max.z);
    report_topology(&f);
    row("tree", "%u nodes, %u leaves, depth %u, %zu bytes, cost %.1f", s.node_count, s.leaf_count, s.depth,
        s.bytes, s.cost);
    row("time", "read %.3f s, build %.3f s", m->read_time, m->build_time);
}

/* ---- rays and picture --------------------------------------------------------------------------------------- */

static cd_vec3 vector(double x, double y, double z) {
    return cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

static cd_vec3 times(cd_vec3 v, double s) {
    return cd_vec3_scale(v, (cd_real)s);
}

static double dot(cd_vec3 a, cd_vec3 b) {
    return (double)cd_vec3_dot(a, b);
}

/* All that is seen, and from where. */
typedef struct scene {
    const model *models;
    int count;
    const cd_bvh *curve; /* where two models meet; may be NULL */
    cd_aabb bounds;
    uint32_t width, height;
    cd_vec3 eye, right, up, front; /* front is towards the eye */
    cd_vec3 light[4];              /* directions to parts of the lamp, for soft shadows */
    double pixel;                  /* the width of a pixel at distance 1 */
    cd_real lift;                  /* how far from a surface its shadow rays begin */
    uint32_t rays, shadow_rays;
} scene;

static cd_aabb model_bounds(const model *m) {
    cd_obb box = cd_obb_from_aabb(cd_bvh_bounds(&m->tree));
    box = cd_obb_transform(&box, &m->pose);
    return cd_aabb_from_obb(&box);
}

static cd_ray local_ray(const model *m, const cd_ray *r) {
    cd_ray local;
    local.origin = cd_transform_inverse_point(&m->pose, r->origin);
    local.dir = cd_transform_inverse_vector(&m->pose, r->dir);
    return local;
}

/* The first model that a ray hits, or NULL; the hit stays in the model's frame. */
static const model *trace(const scene *s, const cd_ray *r, cd_hit *hit) {
    const model *found = NULL;
    hit->t = CD_REAL_MAX;
    for (int i = 0; i < s->count; ++i) {
        cd_ray local = local_ray(&s->models[i], r);
        if (cd_bvh_cast_ray(&s->models[i].tree, &local, hit->t, NULL, hit)) found = &s->models[i];
    }
    return found;
}

/* The light from a part of the lamp, 0 in shadow. The ray begins off the surface, so that it does not meet it again. */
static double lit(scene *s, cd_vec3 point, cd_vec3 normal, cd_vec3 light) {
    cd_ray r;
    if (dot(normal, light) <= 0) return 0;
    r.origin = cd_vec3_along(point, normal, s->lift);
    r.dir = light;
    for (int i = 0; i < s->count; ++i) {
        cd_ray local = local_ray(&s->models[i], &r);
        ++s->shadow_rays;
        if (cd_bvh_test_ray(&s->models[i].tree, &local, CD_REAL_MAX, NULL)) return 0;
    }
    return dot(normal, light);
}

static bool is_on_curve(const scene *s, cd_vec3 point, cd_real distance) {
    cd_real width = distance * (cd_real)(1.5 * s->pixel);
    return s->curve && cd_bvh_closest(s->curve, point, width, NULL, NULL);
}

/* What a ray sees. Light comes from a lamp, from the sky above, and a little from the eye. */
static cd_vec3 look(scene *s, const cd_ray *r, cd_vec3 background, int part) {
    cd_hit hit;
    const model *m = trace(s, r, &hit);
    cd_vec3 point, normal, color = m == s->models ? vector(0.74, 0.60, 0.44) : vector(0.24, 0.45, 0.72);
    double light;
    ++s->rays;
    if (!m) return background;
    point = cd_transform_point(&m->pose, hit.point);
    normal = cd_transform_vector(&m->pose, hit.normal);
    if (is_on_curve(s, point, hit.t)) return vector(0.9, 0.05, 0.02);
    if (hit.flags & CD_HIT_BACK) color = vector(0.45, 0.10, 0.32);
    light = 0.10 + 0.08 * dot(normal, s->up) + 0.18 * dot(normal, s->front);
    return times(color, light + 0.9 * lit(s, point, normal, s->light[part]));
}

static cd_ray camera_ray(const scene *s, double x, double y) {
    cd_ray r;
    r.origin = s->eye;
    r.dir = cd_vec3_neg(s->front);
    r.dir = cd_vec3_along(r.dir, s->right, (cd_real)((x - 0.5 * s->width) * s->pixel));
    r.dir = cd_vec3_along(r.dir, s->up, (cd_real)((0.5 * s->height - y) * s->pixel));
    return r;
}

/* The square root stands for the gamma of a screen. */
static unsigned char color_byte(cd_real value) {
    double x = value > 0 ? sqrt((double)value) * 255 + 0.5 : 0;
    return (unsigned char)(x < 255 ? x : 255);
}

/* A pixel from four rays. */
static void render_pixel(scene *s, uint32_t x, uint32_t y, unsigned char *rgb) {
    cd_vec3 sum = cd_vec3_make(0, 0, 0),
            background = times(vector(0.80, 0.82, 0.84), 1 - 0.45 * y / s->height);
    for (int i = 0; i < 4; ++i) {
        cd_ray r = camera_ray(s, x + 0.25 + 0.5 * (i % 2), y + 0.25 + 0.5 * (i / 2));
        sum = cd_vec3_add(sum, times(look(s, &r, background, i), 0.25));
    }
    rgb[0] = color_byte(sum.x);
    rgb[1] = color_byte(sum.y);
    rgb[2] = color_byte(sum.z);
}

/* The axes of the camera: `azimuth` turns it about the vertical, `elevation` lifts it, both in degrees. */
static void aim_camera(scene *s, double azimuth, double elevation, char vertical) {
    double a = azimuth * PI / 180, e = elevation * PI / 180;
    cd_vec3 x = vector(1, 0, 0), y = vector(0, 1, 0), z = vector(0, 0, 1), ahead;
    if (vertical == 'x') {
        x = vector(0, -1, 0);
        y = vector(1, 0, 0);
    } else if (vertical == 'z') {
        y = vector(0, 0, 1);
        z = vector(0, -1, 0);
    }
    s->right = cd_vec3_sub(times(x, cos(a)), times(z, sin(a)));
    ahead = cd_vec3_add(times(x, sin(a)), times(z, cos(a)));
    s->front = cd_vec3_add(times(ahead, cos(e)), times(y, sin(e)));
    s->up = cd_vec3_sub(times(y, cos(e)), times(ahead, sin(e)));
}

/* Corner `i` of the triangles of a model, from `origin` along the axes of the camera. */
static cd_vec3 seen_corner(const scene *s, const model *m, size_t i, cd_vec3 origin) {
    cd_vec3 p = cd_transform_point(&m->pose, mesh_points(&m->mesh)[mesh_indices(&m->mesh)[i]]);
    p = cd_vec3_sub(p, origin);
    return cd_vec3_make(cd_vec3_dot(p, s->right), cd_vec3_dot(p, s->up), cd_vec3_dot(p, s->front));
}

/* Puts the eye in front of the middle of what it sees, as far back as all of it needs. */
static void frame_models(scene *s) {
    cd_vec3 middle = cd_vec3_lerp(s->bounds.min, s->bounds.max, (cd_real)0.5);
    cd_aabb seen = cd_aabb_empty();
    double half_x = 0.46 * s->width * s->pixel, half_y = 0.46 * s->height * s->pixel, distance = 0;
    for (int k = 0; k < s->count; ++k) {
        for (size_t i = 0; i < s->models[k].mesh.indices.count; ++i)
            seen = cd_aabb_add_point(seen, seen_corner(s, &s->models[k], i, middle));
    }
    middle = cd_vec3_along(middle, s->right, (seen.min.x + seen.max.x) / 2);
    middle = cd_vec3_along(middle, s->up, (seen.min.y + seen.max.y) / 2);
    for (int k = 0; k < s->count; ++k) {
        for (size_t i = 0; i < s->models[k].mesh.indices.count; ++i) {
            cd_vec3 v = seen_corner(s, &s->models[k], i, middle);
            distance =
                fmax(distance, (double)v.z + fmax(fabs((double)v.x) / half_x, fabs((double)v.y) / half_y));
        }
    }
    s->eye = cd_vec3_along(middle, s->front, (cd_real)distance);
}

static void place_lights(scene *s) {
    cd_vec3 main = cd_vec3_add(times(s->front, 0.7), cd_vec3_sub(times(s->up, 0.8), times(s->right, 0.8)));
    double size = (double)cd_vec3_dist(s->bounds.min, s->bounds.max);
    double reach = fmax((double)cd_vec3_length(s->bounds.min), (double)cd_vec3_length(s->bounds.max));
    s->lift = (cd_real)(1e-4 * size + 4 * (double)CD_REAL_EPSILON * reach);
    for (int i = 0; i < 4; ++i) {
        cd_vec3 aside =
            cd_vec3_add(times(s->right, i % 2 ? 0.04 : -0.04), times(s->up, i / 2 ? 0.04 : -0.04));
        s->light[i] = cd_vec3_normalize(cd_vec3_add(main, aside));
    }
}

/* PNG, without compression. */
static void put(list *out, const void *data, size_t size) {
    memcpy(list_extend(out, size, 1), data, size);
}

static void put_big_endian(list *out, uint32_t value) {
    unsigned char bytes[4];
    for (int i = 0; i < 4; ++i) bytes[i] = (unsigned char)(value >> (24 - 8 * i) & 255);
    put(out, bytes, 4);
}

static uint32_t adler32(const unsigned char *data, size_t size) {
    uint32_t a = 1, b = 0;
    for (size_t i = 0; i < size; ++i) {
        a = (a + data[i]) % 65521;
        b = (b + a) % 65521;
    }
    return b << 16 | a;
}

static uint32_t crc32(const unsigned char *data, size_t size) {
    uint32_t crc = 0xFFFFFFFFu;
    for (size_t i = 0; i < size; ++i) {
        crc ^= data[i];
        for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
    }
    return ~crc;
}

/* A zlib stream of stored blocks. */
static void put_stored(list *out, const unsigned char *data, size_t size) {
    put(out, "\x78\x01", 2);
    for (size_t done = 0, n; done < size; done += n) {
        unsigned char head[5];
        n = size - done < 65535 ? size - done : 65535;
        head[0] = done + n == size;
        for (int i = 0; i < 2; ++i) {
            head[1 + i] = (unsigned char)(n >> 8 * i & 255);
            head[3 + i] = (unsigned char)(~n >> 8 * i & 255);
        }
        put(out, head, 5);
        put(out, data + done, n);
    }
    put_big_endian(out, adler32(data, size));
}

static void put_chunk(list *png, const char *name, const list *data) {
    size_t begin = png->count + 4;
    put_big_endian(png, (uint32_t)data->count);
    put(png, name, 4);
    put(png, data->data, data->count);
    put_big_endian(png, crc32((unsigned char *)png->data + begin, png->count - begin));
}

/* Rows of RGB, each after a byte that is 0. */
static void put_png(list *png, const unsigned char *rows, uint32_t width, uint32_t height) {
    list data = {NULL, 0, 0};
    put(png, "\x89PNG\r\n\x1A\n", 8);
    put_big_endian(&data, width);
    put_big_endian(&data, height);
    put(&data, "\x08\x02\0\0\0", 5); /* 8 bits, RGB */
    put_chunk(png, "IHDR", &data);
    data.count = 0;
    put_stored(&data, rows, height * (3 * (size_t)width + 1));
    put_chunk(png, "IDAT", &data);
    data.count = 0;
    put_chunk(png, "IEND", &data);
    list_free(&data);
}

static bool fail_file(const char *name) {
    fprintf(stderr, "%s: cannot be written: %s\n", name, strerror(errno));
    return false;
}

static bool close_file(FILE *file, const char *name) {
    bool ok = !ferror(file);
    return (fclose(file) == 0 && ok) || fail_file(name);
}

static bool write_png(const char *name, const unsigned char *rows, uint32_t width, uint32_t height) {
    list png = {NULL, 0, 0};
    FILE *file = fopen(name, "wb");
    if (!file) return fail_file(name);
    put_png(&png, rows, width, height);
    fwrite(png.data, 1, png.count, file);
    list_free(&png);
    return close_file(file, name);
}

/* What the command line asks for. */
typedef struct options {
    const char *files[2];
    int file_count;
    const char *picture, *pairs, *polyline, *demo, *up;
    double size[2], from[2], translate[3], rotate[3], scale;
    bool weld, help;
} options;

static scene scene_make(const model *models, int count, const cd_bvh *curve, const options *o) {
    scene s;
    memset(&s, 0, sizeof s);
    s.models = models;
    s.count = count;
    s.curve = curve;
    s.bounds = cd_aabb_empty();
    for (int i = 0; i < count; ++i) s.bounds = cd_merge_aabb_aabb(s.bounds, model_bounds(&models[i]));
    s.width = (uint32_t)o->size[0];
    s.height = (uint32_t)o->size[1];
    s.pixel = 0.8 / (s.width > s.height ? s.width : s.height); /* a view of about 44 degrees */
    aim_camera(&s, o->from[0], o->from[1], o->up[0]);
    frame_models(&s);
    place_lights(&s);
    return s;
}

static bool draw(const model *models, int count, const cd_bvh *curve, const options *o) {
    scene s = scene_make(models, count, curve, o);
    size_t stride = 3 * (size_t)s.width + 1;
    unsigned char *rows = (unsigned char *)allocate(s.height, stride);
    job j = job_begin("casting");
    double time;
    bool ok;
    for (uint32_t y = 0; y < s.height; ++y) {
        rows[y * stride] = 0;
        job_progress(&j, (float)y / (float)s.height);
        for (uint32_t x = 0; x < s.width; ++x) render_pixel(&s, x, y, rows + y * stride + 1 + 3 * x);
    }
    time = job_end(&j);
    ok = write_png(o->picture, rows, s.width, s.height);
    free(rows);
    if (!ok) return false;
    row("picture", "%s, %u x %u", o->picture, s.width, s.height);
    row("rays", "%u from the camera and %u to the lamp in %.3f s", s.rays, s.shadow_rays, time);
    return true;
}

/* ---- pairs and polyline ------------------------------------------------------------------------------------- */

/* What is gathered about the triangles of two models that meet. */
typedef struct meeting {
    const model *a, *b;
    list pairs;  /* cd_pair */
    list points; /* cd_vec3: the two ends of each segment; later each point once */
    list
        segments; /* edge, between points; its source is 1 where it lies along an edge of a triangle, else 0 */
    list path;    /* uint32_t: the points along each polyline, then CD_NONE */
    size_t coplanar, touching, polylines, closed;
    bool complete;
    double time;
} meeting;

static void meeting_free(meeting *m) {
    list_free(&m->pairs);
    list_free(&m->points);
    list_free(&m->segments);
    list_free(&m->path);
}

/* Does the segment that two triangles share lie along an edge of one? Then that edge's other triangle has it too. */
static bool is_along_edge(const cd_triangle *a, const cd_triangle *b) {
    int in_b = (cd_orient3d(b->a, b->b, b->c, a->a) == 0) + (cd_orient3d(b->a, b->b, b->c, a->b) == 0) +
               (cd_orient3d(b->a, b->b, b->c, a->c) == 0);
    int in_a = (cd_orient3d(a->a, a->b, a->c, b->a) == 0) + (cd_orient3d(a->a, a->b, a->c, b->b) == 0) +
               (cd_orient3d(a->a, a->b, a->c, b->c) == 0);
    return in_a >= 2 || in_b >= 2;
}

static void add_segment(meeting *m, cd_vec3 a, cd_vec3 b, bool along) {
    edge e = edge_make((uint32_t)m->points.count, (uint32_t)m->points.count + 1, along);
    list_push(&m->segments, &e, sizeof e);
    list_push_point(&m->points, a);
    list_push_point(&m->points, b);
}

/* Fits cd_bvh_traverse_pairs. Triangles in one plane share an area, which is no part of a curve. */
static bool meet(void *user, cd_pair pair) {
    meeting *m = (meeting *)user;
    cd_triangle a, b;
    cd_triangle_cut cut;
    list_push(&m->pairs, &pair, sizeof pair);
    if (!cd_mesh_triangle(&m->a->view, pair.a, &a) || !cd_mesh_triangle(&m->b->view, pair.b, &b))
        return false;
    b = cd_triangle_transform(&b, &m->b->pose);
    if (!cd_intersect_triangle_triangle(&a, &b, &cut)) return false; /* cannot be: they meet */
    if (cut.coplanar) {
        ++m->coplanar;
    } else if (cut.count == 2) {
        add_segment(m, cut.points[0], cut.points[1], is_along_edge(&a, &b));
    } else {
        ++m->touching;
    }
    return m->pairs.count < MAX_PAIRS;
}

/* Makes equal ends one point, and keeps once what lies along an edge. */
static void join_segments(meeting *m) {
    uint32_t *ids = (uint32_t *)allocate(m->points.count, sizeof *ids);
    edge *e = (edge *)m->segments.data;
    size_t kept = 0;
    weld_points(&m->points, ids);
    for (size_t i = 0; i < m->segments.count; ++i)
        e[i] = edge_make(ids[e[i].low], ids[e[i].high], e[i].source);
    if (e) qsort(e, m->segments.count, sizeof *e, edge_order);
    for (size_t i = 0; i < m->segments.count; ++i) {
        bool again = kept > 0 && edge_equal(&e[i], &e[kept - 1]) && e[i].source && e[kept - 1].source;
        if (!again) e[kept++] = e[i];
    }
    m->segments.count = kept;
    free(ids);
}

/* The segments as a graph: those at point i are links[begin[i]] and on; `left` of them are not yet walked. */
typedef struct graph {
    const edge *segments;
    uint32_t *begin, *links, *left;
    bool *walked;
} graph;

static graph graph_make(const meeting *m) {
    graph g;
    size_t points = m->points.count, segments = m->segments.count;
    g.segments = (const edge *)m->segments.data;
    g.begin = (uint32_t *)allocate(points + 2, sizeof *g.begin);
    g.links = (uint32_t *)allocate(2 * segments, sizeof *g.links);
    g.left = (uint32_t *)allocate(points, sizeof *g.left);
    g.walked = (bool *)allocate(segments, sizeof *g.walked);
    memset(g.left, 0, points * sizeof *g.left);
    memset(g.walked, 0, segments * sizeof *g.walked);
    for (size_t i = 0; i < segments; ++i) {
        ++g.left[g.segments[i].low];
        ++g.left[g.segments[i].high];
    }
    g.begin[0] = g.begin[1] = 0;
    for (size_t i = 0; i < points; ++i) g.begin[i + 2] = g.begin[i + 1] + g.left[i];
    for (uint32_t i = 0; i < segments; ++i) {
        g.links[g.begin[g.segments[i].low + 1]++] = i;
        g.links[g.begin[g.segments[i].high + 1]++] = i;
    }
    return g;
}

static void graph_free(graph *g) {
    free(g->begin);
    free(g->links);
    free(g->left);
    free(g->walked);
}

/* Walks on from a point until there is no way on, and notes the points passed. */
static void walk(graph *g, uint32_t at, list *path) {
    list_push_index(path, at);
    while (g->left[at] > 0) {
        uint32_t way = g->links[g->begin[at]++];
        if (g->walked[way]) continue;
        g->walked[way] = true;
        --g->left[at];
        at = g->segments[way].low == at ? g->segments[way].high : g->segments[way].low;
        --g->left[at];
        list_push_index(path, at);
    }
}

/* Joins the segments to polylines: first those that begin where an odd number of them meet, then closed ones. */
static void chain_segments(meeting *m) {
    graph g = graph_make(m);
    for (int odd = 1; odd >= 0; --odd) {
        for (uint32_t i = 0; i < m->points.count; ++i) {
            while (odd ? g.left[i] % 2 : g.left[i]) {
                size_t begin = m->path.count;
                const uint32_t *path;
                walk(&g, i, &m->path);
                path = (const uint32_t *)m->path.data;
                ++m->polylines;
                m->closed += path[begin] == path[m->path.count - 1];
                list_push_index(&m->path, CD_NONE);
            }
        }
    }
    graph_free(&g);
}

static meeting meeting_make(const model *a, const model *b) {
    meeting m;
    double begin = seconds();
    memset(&m, 0, sizeof m);
    m.a = a;
    m.b = b;
    m.complete = cd_bvh_traverse_pairs(&a->tree, &b->tree, &b->pose, NULL, meet, &m);
    join_segments(&m);
    chain_segments(&m);
    m.time = seconds() - begin;
    return m;
}

static void report_meeting(const meeting *m) {
    title("both");
    row("pairs", "%zu triangles meet%s", m->pairs.count, m->complete ? "" : ", and more: stopped here");
    row("in one plane", "%zu", m->coplanar);
    row("in one point", "%zu", m->touching);
    row("curve", "%zu segments in %zu polylines, closed: %zu", m->segments.count, m->polylines, m->closed);
    row("time", "%.3f s", m->time);
}

static bool write_pairs(const meeting *m, const char *name) {
    const cd_pair *pair = (const cd_pair *)m->pairs.data;
    FILE *file = fopen(name, "w");
    if (!file) return fail_file(name);
    for (size_t i = 0; i < m->pairs.count; ++i) fprintf(file, "%u %u\n", pair[i].a, pair[i].b);
    return close_file(file, name);
}

static bool write_polyline(const meeting *m, const char *name) {
    const cd_vec3 *p = (const cd_vec3 *)m->points.data;
    const uint32_t *path = (const uint32_t *)m->path.data;
    FILE *file = fopen(name, "w");
    if (!file) return fail_file(name);
    fprintf(file, "# where two meshes meet: %zu polylines, closed: %zu\n", m->polylines, m->closed);
    for (size_t i = 0; i < m->points.count; ++i) {
        fprintf(file, "v %.*g %.*g %.*g\n", DIGITS, (double)p[i].x, DIGITS, (double)p[i].y, DIGITS,
                (double)p[i].z);
    }
    for (size_t i = 0; i < m->path.count; ++i) {
        if (i == 0 || path[i - 1] == CD_NONE) fputc('l', file);
        if (path[i] == CD_NONE)
            fputc('\n', file);
        else
            fprintf(file, " %u", path[i] + 1);
    }
    return close_file(file, name);
}

/* A tree over the segments, as triangles without area: cd_bvh_closest finds what is near the curve. */
static bool curve_build(const meeting *m, cd_bvh *tree) {
    list indices = {NULL, 0, 0};
    const edge *e = (const edge *)m->segments.data;
    cd_mesh_view view;
    cd_status status;
    for (size_t i = 0; i < m->segments.count; ++i) {
        list_push_index(&indices, e[i].low);
        list_push_index(&indices, e[i].high);
        list_push_index(&indices, e[i].high);
    }
    view = cd_mesh_view_make((const cd_vec3 *)m->points.data, (uint32_t)m->points.count,
                             (const uint32_t *)indices.data, (uint32_t)m->segments.count);
    status = cd_bvh_build_mesh(tree, &view, NULL);
    list_free(&indices);
    if (status != CD_OK) fprintf(stderr, "mesh_tool: the curve: %s\n", cd_status_text(status));
    return status == CD_OK;
}

/* ---- demo shape --------------------------------------------------------------------------------------------- */

#define KNOT_LONG   540
#define KNOT_AROUND 60

/* A point of the curve that winds twice around a torus and three times through it. */
static cd_vec3 knot_curve(double t) {
    double reach = 1 + 0.42 * cos(3 * t);
    return vector(reach * cos(2 * t), reach * sin(2 * t), 0.55 * sin(3 * t));
}

/* Rounds to a grid, so that the last bits of sin and cos, which differ between machines, do not show. */
static cd_vec3 on_grid(cd_vec3 p) {
    double grid = 65536;
    return vector(floor((double)p.x * grid + 0.5) / grid, floor((double)p.y * grid + 0.5) / grid,
                  floor((double)p.z * grid + 0.5) / grid);
}

/* A point of the fluted tube around the curve. */
static cd_vec3 knot_point(int along, int around) {
    double t = 2 * PI * along / KNOT_LONG, angle = 2 * PI * around / KNOT_AROUND;
    double radius = 0.26 * (1 + 0.13 * cos(6 * angle + 16 * t));
    cd_vec3 center = knot_curve(t), ring = vector(cos(2 * t), sin(2 * t), 0), side, out;
    cd_vec3 tangent = cd_vec3_sub(knot_curve(t + 1e-2), knot_curve(t - 1e-2));
    side = cd_vec3_normalize(cd_vec3_cross(tangent, cd_vec3_sub(center, ring)));
    out = cd_vec3_normalize(cd_vec3_cross(side, tangent));
    out = cd_vec3_add(times(out, cos(angle)), times(side, sin(angle)));
    return on_grid(cd_vec3_along(center, out, (cd_real)radius));
}

static void mesh_knot(mesh *m) {
    for (int i = 0; i < KNOT_LONG; ++i) {
        for (int k = 0; k < KNOT_AROUND; ++k) {
            uint32_t a = (uint32_t)(i * KNOT_AROUND + k),
                     b = (uint32_t)(i * KNOT_AROUND + (k + 1) % KNOT_AROUND);
            uint32_t step = (uint32_t)((i + 1) % KNOT_LONG * KNOT_AROUND), c = step + b % KNOT_AROUND;
            uint32_t quad[6];
            quad[0] = quad[3] = a;
            quad[1] = b;
            quad[2] = quad[4] = c;
            quad[5] = step + a % KNOT_AROUND;
            memcpy(list_extend(&m->indices, 6, sizeof *quad), quad, sizeof quad);
            list_push_point(&m->points, knot_point(i, k));
        }
    }
}

/* ---- command line ------------------------------------------------------------------------------------------- */

static const char help_text[] =
    "mesh_tool [options] MESH [MESH2]         MESH is an .obj, .off or .stl file\n"
    "mesh_tool [options] --demo DIR [MESH]    shows all of it, on a shape of its own or on MESH, and writes "
    "into DIR\n"
    "\n"
    "Tells what is in a mesh. With two, where the triangles of one meet those of the other.\n"
    "\n"
    "  --picture FILE.png    draws what there is; purple faces are seen from behind\n"
    "  --size W H            pixels of the picture (800 600)\n"
    "  --from AZIMUTH ELEVATION\n"
    "                        where the camera looks from, in degrees (30 20)\n"
    "  --up x|y|z            the axis that points up in the picture (y)\n"
    "  --weld                makes vertices at the same place one, as is always done with STL\n"
    "\n"
    "  --scale S             the second mesh is scaled,\n"
    "  --rotate X Y Z        then turned by degrees about x, then y, then z,\n"
    "  --translate X Y Z     then moved\n"
    "  --pairs FILE          writes the pairs of triangles that meet, counted from 0\n"
    "  --polyline FILE.obj   writes the curve where the meshes meet\n"
    "\n"
    "  --quiet               prints nothing but errors\n"
    "  --progress            tells of long work even if stderr is not a terminal\n"
    "  --help                prints this\n"
    "\n"
    "Examples:\n"
    "  mesh_tool bunny.obj\n"
    "  mesh_tool --picture bunny.png --size 1600 1200 --from -40 10 bunny.obj\n"
    "  mesh_tool --translate 0.1 0 0 --polyline cut.obj --picture cut.png bunny.obj bunny.obj\n"
    "  mesh_tool --demo /tmp\n"
    "\n"
    "Ends with 0 when all went well, 1 when a file is bad, 2 when the command line is.\n";

/* One option: what follows it is a text, or some numbers; or it is just there. */
typedef struct option {
    const char *name;
    const char **text;
    double *numbers;
    int count;
    bool *flag;
} option;

static bool take_numbers(char **arguments, double *numbers, int count) {
    for (int i = 0; i < count; ++i) {
        char *after;
        if (!arguments[i]) return false;
        numbers[i] = strtod(arguments[i], &after);
        if (*after || after == arguments[i] || !(fabs(numbers[i]) <= 1e15)) return false;
    }
    return true;
}

/* Returns how many arguments the option takes, itself included, or 0 with a message. */
static int take_option(const option *table, char **arguments) {
    while (table->name && strcmp(table->name, arguments[0]) != 0) ++table;
    if (!table->name) {
        fprintf(stderr, "mesh_tool: unknown option %s (try --help)\n", arguments[0]);
        return 0;
    }
    if (table->flag)
        *table->flag = true;
    else if (table->text)
        *table->text = arguments[1];
    if (table->text && !arguments[1]) {
        fprintf(stderr, "mesh_tool: %s wants a name (try --help)\n", arguments[0]);
        return 0;
    }
    if (!take_numbers(arguments + 1, table->numbers, table->count)) {
        fprintf(stderr, "mesh_tool: %s wants %d numbers (try --help)\n", arguments[0], table->count);
        return 0;
    }
    return 1 + (table->text != NULL) + table->count;
}

static bool options_are_sane(const options *o) {
    const char *wrong = NULL;
    if (o->help) return true;
    if (o->file_count == 0 && !o->demo) wrong = "wants a mesh";
    if (o->file_count == 2 && o->demo) wrong = "--demo wants one mesh at most";
    if (!(o->size[0] >= 1 && o->size[0] <= 16384 && o->size[1] >= 1 && o->size[1] <= 16384))
        wrong = "--size wants 1 to 16384 pixels";
    if (strlen(o->up) != 1 || !strchr("xyz", o->up[0])) wrong = "--up wants x, y or z";
    if (!(o->scale > 0)) wrong = "--scale wants more than 0";
    if (wrong) fprintf(stderr, "mesh_tool: %s (try --help)\n", wrong);
    return !wrong;
}

static bool parse(options *o, char **arguments) {
    const option table[] = {
        {"--picture", &o->picture, NULL, 0, NULL},
        {"--pairs", &o->pairs, NULL, 0, NULL},
        {"--polyline", &o->polyline, NULL, 0, NULL},
        {"--demo", &o->demo, NULL, 0, NULL},
        {"--up", &o->up, NULL, 0, NULL},
        {"--size", NULL, o->size, 2, NULL},
        {"--from", NULL, o->from, 2, NULL},
        {"--translate", NULL, o->translate, 3, NULL},
        {"--rotate", NULL, o->rotate, 3, NULL},
        {"--scale", NULL, &o->scale, 1, NULL},
        {"--weld", NULL, NULL, 0, &o->weld},
        {"--quiet", NULL, NULL, 0, &show.quiet},
        {"--progress", NULL, NULL, 0, &show.progress},
        {"--help", NULL, NULL, 0, &o->help},
        {NULL, NULL, NULL, 0, NULL},
    };
    for (int taken; *arguments; arguments += taken) {
        taken = 1;
        if ((*arguments)[0] == '-') {
            taken = take_option(table, arguments);
            if (!taken) return false;
        } else if (o->file_count == 2) {
            fprintf(stderr, "mesh_tool: more than two meshes (try --help)\n");
            return false;
        } else {
            o->files[o->file_count++] = *arguments;
        }
    }
    return options_are_sane(o);
}

static cd_quat turn(cd_vec3 axis, double degrees) {
    double half = degrees * PI / 360;
    return cd_quat_from_axis(axis, (cd_real)sin(half), (cd_real)cos(half));
}

static cd_quat turns(const double *degrees) {
    cd_quat x = turn(vector(1, 0, 0), degrees[0]), y = turn(vector(0, 1, 0), degrees[1]);
    return cd_quat_mul(turn(vector(0, 0, 1), degrees[2]), cd_quat_mul(y, x));
}

/* Reads a mesh, or makes the demo shape when there is no name, builds its tree, and tells about both. */
static bool model_load(model *m, const char *name, const options *o, double scale) {
    double begin = seconds();
    cd_vec3 *points;
    m->name = name ? name : "a knot";
    if (!name)
        mesh_knot(&m->mesh);
    else if (!mesh_read(&m->mesh, name))
        return false;
    if (o->weld || ends_with(m->name, ".stl")) mesh_weld(&m->mesh);
    points = mesh_points(&m->mesh);
    for (size_t i = 0; scale != 1 && i < m->mesh.points.count; ++i) points[i] = times(points[i], scale);
    m->read_time = seconds() - begin;
    if (!model_build(m)) return false;
    report_model(m);
    return true;
}

/* Reads the second model, which has its pose, and does what there is to do with two. */
static bool run_two(model *models, const char *name, const options *o) {
    meeting m;
    cd_bvh curve;
    bool ok;
    if (!model_load(&models[1], name, o, o->scale)) return false;
    m = meeting_make(&models[0], &models[1]);
    report_meeting(&m);
    ok = curve_build(&m, &curve);
    if (ok && o->pairs) ok = write_pairs(&m, o->pairs);
    if (ok && o->polyline) ok = write_polyline(&m, o->polyline);
    if (ok && o->picture) ok = draw(models, 2, &curve, o);
    cd_bvh_destroy(&curve);
    meeting_free(&m);
    return ok;
}

static bool run(const options *o, model *models) {
    if (!model_load(&models[0], o->files[0], o, 1)) return false;
    if (o->file_count == 1) return !o->picture || draw(models, 1, NULL, o);
    models[1].pose.rotation = turns(o->rotate);
    models[1].pose.position = vector(o->translate[0], o->translate[1], o->translate[2]);
    return run_two(models, o->files[1], o);
}

/* The second copy of the demo is turned about the middle of the first, and moved by some of its size. */
static cd_transform demo_pose(const model *m) {
    static const double degrees[3] = {20, 70, 40};
    cd_aabb b = cd_bvh_bounds(&m->tree);
    cd_vec3 middle = cd_vec3_lerp(b.min, b.max, (cd_real)0.5), size = cd_vec3_sub(b.max, b.min);
    cd_transform pose = cd_transform_identity();
    pose.rotation = turns(degrees);
    pose.position = cd_vec3_sub(middle, cd_transform_point(&pose, middle));
    pose.position = cd_vec3_add(pose.position, vector(0.22 * (double)size.x, 0.12 * (double)size.y, 0));
    return pose;
}

static char *path_join(const char *folder, const char *name) {
    size_t size = strlen(folder) + strlen(name) + 2;
    char *path = (char *)allocate(size, 1);
    snprintf(path, size, "%s/%s", folder, name);
    return path;
}

static bool run_demo(const options *given, model *models) {
    options o = *given;
    char *mesh_png = path_join(o.demo, "mesh.png"), *pair_png = path_join(o.demo, "pair.png");
    char *curve = path_join(o.demo, "intersection.obj");
    bool ok;
    o.picture = mesh_png;
    ok = model_load(&models[0], o.files[0], &o, 1) && draw(models, 1, NULL, &o);
    o.picture = pair_png;
    o.polyline = curve;
    models[1].pose = demo_pose(&models[0]);
    ok = ok && run_two(models, o.files[0], &o);
    if (ok && !show.quiet) printf("written: %s %s %s\n", mesh_png, pair_png, curve);
    free(mesh_png);
    free(pair_png);
    free(curve);
    return ok;
}

int main(int argc, char **argv) {
    options o;
    model models[2];
    bool ok;
    memset(&o, 0, sizeof o);
    memset(models, 0, sizeof models);
    o.up = "y";
    o.scale = 1;
    o.size[0] = 800;
    o.size[1] = 600;
    o.from[0] = 30;
    o.from[1] = 20;
    show.progress = STDERR_IS_TERMINAL;
    if (argc < 1 || !parse(&o, argv + 1)) return 2;
    if (o.help) {
        fputs(help_text, stdout);
        return 0;
    }
    if (cd_selftest() != 0)
        fprintf(stderr, "mesh_tool: this program's arithmetic is not as collide.h needs it\n");
    ok = o.demo ? run_demo(&o, models) : run(&o, models);
    model_free(&models[0]);
    model_free(&models[1]);
    return ok ? 0 : 1;
}
