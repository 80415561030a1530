/* Hulls in space, judged by exact predicates (hulls.h): of all kinds of points, in any order, with merged faces; then
 * what is asked of them, how they are stored, and what may go wrong. */
#include "hulls.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define REAL_EPSILON 2.220446049250313e-16
#define REAL_TINY    4.9406564584124654e-324
#define NEXT         nextafter
#else
#define REAL_EPSILON 1.1920928955078125e-07
#define REAL_TINY    1.4012984643248171e-45
#define NEXT         nextafterf
#endif

static const double some_work = 2e5;

static cd_hull build(const hulls_cloud *c) {
    cd_hull hull;
    memset(&hull, 0x77, sizeof hull);
    CHECK_INT(ASK("exact", cd_hull3_build(&hull, c->points, c->count, NULL)), CD_OK);
    return hull;
}

/* The options of a test: all zero. */
static cd_hull_options no_options(void) {
    cd_hull_options o;
    memset(&o, 0, sizeof o);
    return o;
}

static void judge_cloud(const hulls_cloud *c, const char *name) {
    cd_hull hull;
    hulls_cloud_note(c, name);
    hull = build(c);
    hulls_judge(&hull, c->points, c->count, some_work);
    ASK("exact", cd_hull_destroy(&hull));
    CHECK(hull.block == NULL && hull.bytes == 0);
}

/* Builds, judges, and checks the counts; < 0 are not checked. */
static void judge_counts(const hulls_cloud *c, const char *name, int dimension, int vertices, int faces) {
    cd_hull_parts h;
    cd_hull hull;
    hulls_cloud_note(c, name);
    hull = build(c);
    h = ASK("judge", cd_hull_get_parts(&hull));
    hulls_judge(&hull, c->points, c->count, some_work);
    CHECK_INT(h.dimension, dimension);
    if (vertices >= 0) CHECK_INT(h.vertex_count, vertices);
    if (faces >= 0) CHECK_INT(h.face_count, faces);
    cd_hull_destroy(&hull);
}

/* ---- what does not matter ---- */

static void order_does_not_matter(hulls_cloud *c, const cd_hull *hull) {
    uint32_t *number = (uint32_t *)malloc((c->count + 1) * sizeof *number);
    cd_hull other;
    hulls_cloud_shuffle(c, number);
    other = build(c);
    CHECK(hulls_same(hull, &other));
    cd_hull_destroy(&other);
    free(number);
}

/* Whole numbers of the domain and no denormals among them, so that nothing is rounded. */
static bool can_be_scaled(const hulls_cloud *c, double scale) {
    for (size_t i = 0; i < 3 * c->count; ++i) {
        double x = fabs((double)(&c->points[0].x)[i]);
        if (x != 0 && !(x > 1e-15 && x < 1e15 && x * scale > 1e-30 && x * scale < 1e30)) return false;
    }
    return true;
}

static void transform_points(const hulls_cloud *c, hulls_cloud *out, double x, double y, double z) {
    for (size_t i = 0; i < c->count; ++i)
        hulls_cloud_add(out, x * (double)c->points[i].x, y * (double)c->points[i].y,
                        z * (double)c->points[i].z);
}

static void scale_does_not_matter(const hulls_cloud *c, const cd_hull *hull) {
    double scale = ldexp(1, test_int(c->rng, -40, 40));
    hulls_cloud scaled = {NULL, 0, NULL};
    cd_hull other;
    if (!can_be_scaled(c, scale)) return;
    transform_points(c, &scaled, scale, scale, scale);
    other = build(&scaled);
    CHECK(hulls_same_topology(hull, &other));
    cd_hull_destroy(&other);
    hulls_cloud_free(&scaled);
}

static void mirrors_give_mirrored_hulls(const hulls_cloud *c, const cd_hull *hull) {
    int signs = test_int(c->rng, 1, 7);
    bool odd = signs == 1 || signs == 2 || signs == 4 || signs == 7;
    hulls_cloud mirrored = {NULL, 0, NULL};
    cd_hull other;
    if (cd_hull_get_parts(hull).dimension < 2) return;
    transform_points(c, &mirrored, signs & 1 ? -1 : 1, signs & 2 ? -1 : 1, signs & 4 ? -1 : 1);
    other = build(&mirrored);
    CHECK(hulls_same_faces(hull, &other, NULL, odd));
    cd_hull_destroy(&other);
    hulls_cloud_free(&mirrored);
}

static void turned_axes_give_turned_hulls(const hulls_cloud *c, const cd_hull *hull) {
    hulls_cloud turned = {NULL, 0, NULL};
    cd_hull other;
    if (cd_hull_get_parts(hull).dimension < 2) return;
    for (size_t i = 0; i < c->count; ++i)
        hulls_cloud_add(&turned, (double)c->points[i].y, (double)c->points[i].z, (double)c->points[i].x);
    other = build(&turned);
    CHECK(hulls_same_faces(hull, &other, NULL, false));
    cd_hull_destroy(&other);
    hulls_cloud_free(&turned);
}

static void judge_all(hulls_cloud *c, const char *name) {
    cd_hull hull;
    hulls_cloud_note(c, name);
    hull = build(c);
    hulls_judge(&hull, c->points, c->count, some_work);
    scale_does_not_matter(c, &hull);
    mirrors_give_mirrored_hulls(c, &hull);
    turned_axes_give_turned_hulls(c, &hull);
    if (strcmp(name, "zeros of both signs")) order_does_not_matter(c, &hull);
    cd_hull_destroy(&hull);
}

static void small_clouds_of_all_kinds(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(1700); i < times; ++i) {
        const char *name = hulls_kinds[i % hulls_kind_count].name;
        int size = test_int(&rng, 0, 9);
        hulls_cloud c = hulls_cloud_make(&rng, name, test_int(&rng, 0, size < 3 ? 8 : size < 8 ? 24 : 80));
        judge_all(&c, name);
        hulls_cloud_free(&c);
    }
}

static void larger_clouds_of_all_kinds(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(60); i < times; ++i) {
        const char *name = hulls_kinds[test_int(&rng, 0, hulls_kind_count - 1)].name;
        bool is_slow =
            !strcmp(name, "any numbers") || !strcmp(name, "of all exponents"); /* nothing but exact sums */
        hulls_cloud c = hulls_cloud_make(&rng, name, test_int(&rng, 100, is_slow ? 200 : 1500));
        judge_all(&c, name);
        hulls_cloud_free(&c);
    }
}

static void many_points(void) {
    static const char *const names[] = {
        "on a sphere", "in a cube", "in a ball", "on a box", "clusters", "far off", "exponential paraboloid",
        "helix"};
    test_rng rng = test_random();
    for (size_t i = 0; i < sizeof names / sizeof names[0]; ++i) {
        hulls_cloud c = hulls_cloud_make(&rng, names[i], (int)test_times(i ? 10000 : 40000));
        cd_hull hull = build(&c);
        hulls_cloud_note(&c, names[i]);
        hulls_judge(&hull, c.points, c.count, 2e6);
        order_does_not_matter(&c, &hull);
        cd_hull_destroy(&hull);
        hulls_cloud_free(&c);
    }
}

/* ---- by hand ---- */

static void add_all(hulls_cloud *c, const double (*p)[3], int n, const int *order) {
    c->count = 0;
    for (int i = 0; i < n; ++i) {
        const double *q = p[order ? order[i] : i];
        hulls_cloud_add(c, q[0], q[1], q[2]);
    }
}

/* All 24 orders of up to four points. */
static void judge_orders(const double (*p)[3], int n, const char *name, int dimension, int vertices,
                         int faces) {
    hulls_cloud c = {NULL, 0, NULL};
    int order[4];
    for (int code = 0; code < 256; ++code) {
        bool seen[4] = {false, false, false, false};
        int good = 0;
        for (int k = 0; k < 4; ++k) {
            order[k] = code >> 2 * k & 3;
            good += !seen[order[k]] && (order[k] < n) == (k < n);
            seen[order[k]] = true;
        }
        if (good < 4) continue;
        c.points = NULL;
        c.count = 0;
        add_all(&c, p, n, order);
        judge_counts(&c, name, dimension, vertices, faces);
        hulls_cloud_free(&c);
    }
}

static void up_to_four_points(void) {
    static const double tetrahedron[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const double square[4][3] = {{0, 0, 1}, {2, 0, 1}, {2, 2, 1}, {0, 2, 1}};
    static const double inner[4][3] = {{0, 0, 0}, {3, 0, 3}, {0, 3, 6}, {1, 1, 3}};
    static const double on_edge[4][3] = {{0, 0, 0}, {4, 0, 2}, {0, 4, 2}, {2, 2, 2}};
    static const double line[4][3] = {{0, 0, 0}, {1, 2, 3}, {2, 4, 6}, {-1, -2, -3}};
    static const double twice[4][3] = {{0, 0, 0}, {1, 2, 3}, {0, 0, 0}, {1, 2, 3}};
    static const double same[4][3] = {{5, 6, 7}, {5, 6, 7}, {5, 6, 7}, {5, 6, 7}};
    judge_orders(tetrahedron, 0, "no points", -1, 0, 0);
    judge_orders(tetrahedron, 1, "a point", 0, 1, 0);
    judge_orders(tetrahedron, 2, "two points", 1, 2, 0);
    judge_orders(tetrahedron, 3, "a triangle", 2, 3, 2);
    judge_orders(tetrahedron, 4, "a tetrahedron", 3, 4, 4);
    judge_orders(square, 4, "a square", 2, 4, 2);
    judge_orders(inner, 4, "a point in a triangle", 2, 3, 2);
    judge_orders(on_edge, 4, "a point on an edge", 2, 3, 2);
    judge_orders(line, 3, "three in a line", 1, 2, 0);
    judge_orders(line, 4, "four in a line", 1, 2, 0);
    judge_orders(twice, 4, "two points twice", 1, 2, 0);
    judge_orders(same, 4, "a point four times", 0, 1, 0);
}

static void lines_along_axes_and_diagonals(void) {
    for (int code = 0; code < 27; ++code) {
        int x = code % 3 - 1, y = code / 3 % 3 - 1, z = code / 9 - 1;
        for (int n = 1; n < 8; ++n) {
            hulls_cloud c = {NULL, 0, NULL};
            for (int i = 0; i < n; ++i) {
                int t = i * 5 % 7; /* in no order */
                hulls_cloud_add(&c, 1 + x * t, y * t - 1, z * t);
            }
            judge_counts(&c, "line", (x || y || z) && n > 1, (x || y || z) && n > 1 ? 2 : 1, 0);
            hulls_cloud_free(&c);
        }
    }
}

static void lattices_are_boxes(void) {
    for (int n = 2; n <= 10; ++n) {
        hulls_cloud c = {NULL, 0, NULL};
        cd_hull hull;
        cd_hull_parts h;
        for (int i = 0; i < n * n * n; ++i) hulls_cloud_add(&c, i % n, i / n % n, i / n / n);
        judge_counts(&c, "lattice", 3, 8, 6);
        hull = build(&c);
        h = cd_hull_get_parts(&hull);
        for (uint32_t f = 0; f < h.face_count; ++f) CHECK_INT(h.faces[f].count, 4);
        cd_hull_destroy(&hull);
        hulls_cloud_free(&c);
    }
}

static void bodies_with_known_counts(void) {
    test_rng rng = test_random();
    for (int n = 3; n <= 240; n = n < 12 ? n + 1 : n * 2) {
        hulls_cloud c = hulls_cloud_make(&rng, "prism", 2 * n);
        judge_counts(&c, "prism", 3, 2 * n, n + 2);
        hulls_cloud_free(&c);
        c = hulls_cloud_make(&rng, "cylinder", 5 * n);
        judge_counts(&c, "cylinder", 3, 2 * n, n + 2);
        hulls_cloud_free(&c);
        c = hulls_cloud_make(&rng, "cone", n + 1);
        judge_counts(&c, "cone", 3, n + 1, n + 1);
        hulls_cloud_free(&c);
        if (n == 4 || n > 192) continue; /* half of an octahedron may be flat, or not, by rounding */
        c = hulls_cloud_make(&rng, "bipyramid", n + 2);
        judge_counts(&c, "bipyramid", 3, n + 2, 2 * n);
        hulls_cloud_free(&c);
    }
    for (int n = 5; n <= 200; n += 39) {
        hulls_cloud c = hulls_cloud_make(&rng, "moment curve", n);
        judge_counts(&c, "moment curve", 3, n, 2 * n - 4);
        hulls_cloud_free(&c);
        c = hulls_cloud_make(&rng, "on a box", 20 * n);
        judge_counts(&c, "on a box", 3, 8, 6);
        hulls_cloud_free(&c);
    }
}

/* A cube with one coordinate of one corner, or of a point in the middle of a face, one step off. */
static void one_ulp_off_a_cube(void) {
    for (int i = 0; i < 48; ++i) {
        hulls_cloud c = {NULL, 0, NULL};
        int at = i % 8, axis = i / 8 % 3, up = i / 24;
        cd_real *x;
        for (int k = 0; k < 8; ++k) hulls_cloud_add(&c, 1 + (k & 1), 1 + (k >> 1 & 1), 1 + (k >> 2));
        x = &(&c.points[at].x)[axis];
        *x = NEXT(*x, up ? 9 : -9);
        judge_counts(&c, "bent cube", 3, 8, 7); /* one face is not flat any more */
        hulls_cloud_free(&c);
        for (int k = 0; k < 8; ++k) hulls_cloud_add(&c, 1 + (k & 1), 1 + (k >> 1 & 1), 1 + (k >> 2));
        hulls_cloud_add(&c, axis == 0 ? 1 + (at & 1) : 1.5, axis == 1 ? 1 + (at & 1) : 1.5,
                        axis == 2 ? 1 + (at & 1) : 1.5);
        x = &(&c.points[8].x)[axis];
        *x = NEXT(*x, up ? 9 : -9);
        judge_counts(&c, "cube with a pimple", 3, up == (at & 1) ? 9 : 8, up == (at & 1) ? 9 : 6);
        hulls_cloud_free(&c);
    }
}

/* ---- against brute force ---- */

/* Is p in a tetrahedron of four of the points? Those without volume are left to their triangles. */
static bool in_tetrahedron(const double *const t[4], const double *p) {
    int all = hulls_side(t[0], t[1], t[2], t[3]);
    if (!all) return false;
    for (int k = 0; k < 4; ++k) {
        const double *u[4];
        memcpy(u, t, sizeof u);
        u[k] = p;
        if (hulls_side(u[0], u[1], u[2], u[3]) * all < 0) return false;
    }
    return true;
}

static bool in_triangle(const double *const t[3], const double *p) {
    double corners[9];
    if (hulls_side(t[0], t[1], t[2], p)) return false;
    for (int k = 0; k < 9; ++k) corners[k] = t[k / 3][k % 3];
    return oracle_point_triangle(p, corners).squared == 0;
}

/* By Caratheodory's theorem: no tetrahedron or triangle of the others holds it. Equal points: the first counts. */
static bool is_extreme(const double (*p)[3], int n, int at) {
    const double *others[16], *t[4];
    int m = 0;
    for (int i = 0; i < n; ++i) {
        bool same = p[i][0] == p[at][0] && p[i][1] == p[at][1] && p[i][2] == p[at][2];
        if (same && i < at) return false;
        if (!same) others[m++] = p[i];
    }
    for (int code = 0; code < m * m * m * m; ++code) {
        int i = code % m, k = code / m % m, l = code / m / m % m, last = code / m / m / m;
        if (i > k || k > l || l > last) continue;
        t[0] = others[i], t[1] = others[k], t[2] = others[l], t[3] = others[last];
        if (last == l ? in_triangle(t, p[at]) : in_tetrahedron(t, p[at])) return false;
    }
    return true;
}

static void extreme_points_equal_brute_force(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(100); i < times; ++i) {
        static const char *const names[] = {
            "of a grid",         "of a grid, some ulps off", "in a cube",    "of a grid of ulps",
            "near a skew plane", "of a skew plane",          "of a lattice", "zeros of both signs"};
        const char *name = names[i % 8];
        hulls_cloud c = hulls_cloud_make(&rng, name, test_int(&rng, 1, 12));
        double p[32][3];
        cd_hull hull = build(&c);
        cd_hull_parts h = cd_hull_get_parts(&hull);
        uint32_t want = 0, got = 0;
        int n = c.count < 12 ? (int)c.count : 12;
        hulls_cloud_note(&c, name);
        if (c.count <= 12) {
            for (int k = 0; k < n; ++k) to_doubles(&c.points[k].x, p[k], 3);
            for (int k = 0; k < n; ++k) want |= (uint32_t)is_extreme(p, n, k) << k;
            for (uint32_t v = 0; v < h.vertex_count; ++v) got |= 1u << h.sources[v];
            CHECK_INT(got, want);
        }
        cd_hull_destroy(&hull);
        hulls_cloud_free(&c);
    }
}

/* ---- numbers at the ends ---- */

static void extreme_numbers_do_no_harm(void) {
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        hulls_cloud c = {NULL, 0, NULL};
        for (int n = test_int(&rng, 1, 30); n > 0; --n) {
            double p[3];
            for (int k = 0; k < 3; ++k) {
                do p[k] = gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
                while (!isfinite((double)(cd_real)p[k]));
            }
            hulls_cloud_add(&c, p[0], p[1], p[2]);
        }
        judge_cloud(&c, "ends");
        hulls_cloud_free(&c);
    }
}

static void numbers_that_are_none(void) {
    test_rng rng = test_random();
    for (long i = test_times(400); i > 0; --i) {
        static const char *const names[] = {"in a ball", "of a skew plane", "of a line", "of a lattice",
                                            "repeated"};
        const char *name = names[test_int(&rng, 0, 4)];
        hulls_cloud c = hulls_cloud_make(&rng, name, test_int(&rng, 1, 40));
        cd_hull_options skip = no_options();
        cd_hull hull;
        int bad = test_int(&rng, 1, 1 + (int)c.count);
        for (; bad > 0; --bad) {
            cd_real *x = &(&c.points[test_int(&rng, 0, (int)c.count - 1)].x)[test_int(&rng, 0, 2)];
            *x = (cd_real)gen_bad_numbers[gen_bad_count - 1 - test_int(&rng, 0, 2)];
        }
        hulls_cloud_note(&c, name);
        memset(&hull, 0x77, sizeof hull);
        CHECK_INT(ASK("bad", cd_hull3_build(&hull, c.points, c.count, NULL)), CD_INVALID_ARGUMENT);
        CHECK(hull.block == NULL && hull.bytes == 0 && !hull.owned);
        skip.flags = CD_HULL_SKIP_INVALID;
        CHECK_INT(ASK("bad", cd_hull3_build(&hull, c.points, c.count, &skip)), CD_OK);
        hulls_judge(&hull, c.points, c.count, some_work);
        cd_hull_destroy(&hull);
        hulls_cloud_free(&c);
    }
}

static void bad_options_are_refused(void) {
    test_rng rng = test_random();
    hulls_cloud c = hulls_cloud_make(&rng, "in a ball", 20);
    cd_hull hull;
    for (int kind = 0; kind < 7; ++kind) {
        cd_hull_options o = no_options();
        size_t count = kind == 6 ? ((size_t)1 << 28) + 1 : c.count;
        if (kind == 0) o.merge_distance = (cd_real)-1e-3;
        if (kind == 1) o.merge_distance = (cd_real)NAN;
        if (kind == 2) o.merge_distance = (cd_real)INFINITY;
        if (kind == 3) o.merge_distance = -(cd_real)INFINITY;
        if (kind == 4) o.flags = 0x80000000u;
        memset(&hull, 0x77, sizeof hull);
        CHECK_INT(cd_hull3_build(&hull, kind == 5 ? NULL : c.points, count, &o),
                  kind == 6 ? CD_TOO_LARGE : CD_INVALID_ARGUMENT);
        CHECK(hull.block == NULL && hull.bytes == 0 && !hull.owned);
    }
    CHECK_INT(cd_hull3_build(&hull, NULL, 0, NULL), CD_OK);
    CHECK(hulls_judge(&hull, NULL, 0, some_work));
    cd_hull_destroy(&hull);
    hulls_cloud_free(&c);
}

/* ---- of meshes ---- */

static void meshes_give_the_hull_of_their_positions(void) {
    test_rng rng = test_random();
    for (int i = 0; i < 6; ++i) {
        gen_mesh m = gen_mesh_ball(4 + i, 0.2, &rng);
        cd_mesh_view view = gen_mesh_view(&m);
        double *wide = (double *)calloc(m.vertex_count, 5 * sizeof *wide);
        cd_hull a, b;
        test_note("mesh %d", i);
        CHECK_INT(cd_hull3_build(&a, m.vertices, m.vertex_count, NULL), CD_OK);
        if (i % 3 == 1) { /* other fields between the positions */
            for (uint32_t v = 0; v < m.vertex_count; ++v)
                to_doubles(&m.vertices[v].x, wide + 5 * (size_t)v, 3);
            view.positions = wide;
            view.stride = 5 * sizeof *wide;
            view.position_format = CD_POSITION_F64;
        }
        if (i % 3 == 2) { /* the triangles do not matter */
            view.indices = NULL;
            view.triangle_count = 0;
        }
        CHECK_INT(ASK("forms", cd_hull3_build_mesh(&b, &view, NULL)), CD_OK);
        hulls_judge(&b, m.vertices, m.vertex_count, some_work);
        CHECK(a.bytes == b.bytes && !memcmp(a.block, b.block, a.bytes));
        cd_hull_destroy(&b);
        view.positions = NULL;
        memset(&b, 0x77, sizeof b);
        CHECK_INT(ASK("bad", cd_hull3_build_mesh(&b, &view, NULL)), CD_INVALID_ARGUMENT);
        CHECK(b.block == NULL && b.bytes == 0);
        cd_hull_destroy(&a);
        gen_mesh_free(&m);
        free(wide);
    }
}

/* ---- merged faces ---- */

static cd_hull build_merged(const hulls_cloud *c, double tolerance) {
    cd_hull_options o = no_options();
    cd_hull hull;
    memset(&hull, 0x77, sizeof hull);
    o.merge_distance = (cd_real)tolerance;
    CHECK_INT(cd_hull3_build(&hull, c->points, c->count, &o), CD_OK);
    return hull;
}

/* Points of a thin body, on a coarse lattice or not: the rims of plates, the ends of needles. */
static size_t thin_points(test_rng *rng, cd_vec3 *p) {
    size_t count = (size_t)test_int(rng, 5, 40);
    double thin[3];
    bool even = test_int(rng, 0, 1) == 1;
    for (int k = 0; k < 3; ++k) thin[k] = pow(2, test_int(rng, -6, 0));
    for (size_t i = 0; i < count; ++i) {
        double c[3];
        for (int k = 0; k < 3; ++k) {
            c[k] = test_range(rng, -1, 1) * thin[k];
            if (even) c[k] = floor(64 * c[k]) / 64;
        }
        p[i] = cd_vec3_make((cd_real)c[0], (cd_real)c[1], (cd_real)c[2]);
    }
    return count;
}

/* A thin body, as it is and with its faces merged. */
typedef struct thin_hulls {
    cd_vec3 p[40];
    int count;
    double distance; /* of merging */
    cd_hull exact, merged;
    cd_hull_parts parts; /* of the merged one */
    cd_support truth;    /* of the exact one */
} thin_hulls;

static void thin_open(test_rng *rng, thin_hulls *t) {
    cd_hull_options o = no_options();
    t->count = (int)thin_points(rng, t->p);
    t->distance = pow(2, test_range(rng, -12, -2));
    o.merge_distance = (cd_real)t->distance;
    CHECK_INT(cd_hull3_build(&t->exact, t->p, (size_t)t->count, NULL), CD_OK);
    CHECK_INT(cd_hull3_build(&t->merged, t->p, (size_t)t->count, &o), CD_OK);
    t->parts = cd_hull_get_parts(&t->merged);
    t->truth = cd_support_of_hull(&t->exact);
}

static void thin_close(thin_hulls *t) {
    cd_hull_destroy(&t->exact);
    cd_hull_destroy(&t->merged);
}

/* How far a point is from the points' hull. */
static double thin_off(const thin_hulls *t, cd_vec3 x) {
    cd_support point = cd_support_of_point(x);
    test_note("%d points, merge_distance %a", t->count, t->distance);
    test_note_reals("points", &t->p[0].x, 3 * t->count);
    test_note_reals("x", &x.x, 3);
    return (double)cd_convex_distance(&t->truth, &point, NULL, NULL, NULL).distance;
}

/* How far in front of the foremost plane. */
static double in_front_of_all(const cd_hull_parts *h, cd_vec3 x) {
    double most = -INFINITY;
    for (uint32_t f = 0; f < h->face_count; ++f)
        most = fmax(most, (double)cd_vec3_dot(h->faces[f].plane.n, x) - (double)h->faces[f].plane.d);
    return most;
}

/* What is farther from the points than twice the merge_distance is in front of a plane, and nothing calls it met. */
static void planes_bound_what_is_merged(void) {
    test_rng rng = test_random();
    long merged = 0, apart = 0;
    thin_hulls t;
    for (long left = test_times(1500); left > 0; --left) {
        cd_support body;
        thin_open(&rng, &t);
        body = cd_support_of_hull(&t.merged);
        merged += t.parts.flatness > 0;
        for (int i = 0; i < 40 && t.parts.dimension == 3; ++i) {
            cd_vec3 zero = cd_vec3_make(0, 0, 0),
                    x = cd_vec3_make((cd_real)test_range(&rng, -2, 2), (cd_real)test_range(&rng, -2, 2),
                                     (cd_real)test_range(&rng, -2, 2));
            cd_support point = cd_support_of_point(x);
            double off = thin_off(&t, x);
            cd_triangle spot = {x, x, x};
            cd_sphere ball = {x, (cd_real)(0.25 * off)};
            cd_hit hit;
            if (!(off > 2.001 * t.distance + 1e-5)) continue;
            ++apart;
            CHECK(in_front_of_all(&t.parts, x) > 0);
            CHECK((double)cd_dist_point_hull(x, &t.merged) > 0 && cd_sqdist_point_hull(x, &t.merged) > 0);
            CHECK(!cd_sat_test_convex(&body, &point, NULL, NULL));
            CHECK(!cd_sweep_hull_triangle(&t.merged, zero, &spot, NULL, &hit));
            CHECK(!cd_sweep_sphere_hull(ball, zero, &t.merged, NULL, &hit));
        }
        thin_close(&t);
    }
    CHECK(merged > 0 && apart > 0);
}

/* Where three planes meet; false where they do not, as far as can be told. */
static bool corner_of_planes(const cd_hull_parts *h, uint32_t i, uint32_t j, uint32_t k, long double *at) {
    const cd_plane *p[3];
    long double n[3][3], c[3][3], det = 0;
    p[0] = &h->faces[i].plane;
    p[1] = &h->faces[j].plane;
    p[2] = &h->faces[k].plane;
    for (int m = 0; m < 3; ++m)
        n[m][0] = (long double)p[m]->n.x, n[m][1] = (long double)p[m]->n.y, n[m][2] = (long double)p[m]->n.z;
    for (int m = 0; m < 3; ++m)
        for (int x = 0; x < 3; ++x) {
            const long double *a = n[(m + 1) % 3], *b = n[(m + 2) % 3];
            c[m][x] = a[(x + 1) % 3] * b[(x + 2) % 3] - a[(x + 2) % 3] * b[(x + 1) % 3];
        }
    for (int x = 0; x < 3; ++x) det += n[0][x] * c[0][x];
    if (!(fabsl(det) > 1e-9L)) return false;
    for (int x = 0; x < 3; ++x) {
        at[x] = 0;
        for (int m = 0; m < 3; ++m) at[x] += (long double)p[m]->d * c[m][x] / det;
    }
    return true;
}

static bool is_behind_all(const cd_hull_parts *h, const long double *at) {
    for (uint32_t f = 0; f < h->face_count; ++f) {
        const cd_plane *p = &h->faces[f].plane;
        long double x =
            (long double)p->n.x * at[0] + (long double)p->n.y * at[1] + (long double)p->n.z * at[2];
        if (x > (long double)p->d + 1e-9L) return false;
    }
    return true;
}

/* Do the planes leave a way to infinity, along two of them and away from the others? */
static bool is_open(const cd_hull_parts *h, uint32_t i, uint32_t j) {
    cd_vec3 way = cd_vec3_normalize(cd_vec3_cross(h->faces[i].plane.n, h->faces[j].plane.n));
    double low = -1, high = 1;
    for (uint32_t k = 0; k < h->face_count; ++k) {
        double along = (double)cd_vec3_dot(way, h->faces[k].plane.n);
        if (k == i || k == j) continue;
        low = fmax(low, along);
        high = fmin(high, along);
    }
    return cd_vec3_dot(way, way) > 0.5 && (low < -1e-5 || high > 1e-5);
}

/* All corners of what the planes of merged faces bound are as near to the points' hull as is said. */
static void planes_of_merged_faces_meet_nearby(void) {
    test_rng rng = test_random();
    long merged = 0, met = 0;
    thin_hulls t;
    for (long left = test_times(3000); left > 0; --left) {
        long double at[3];
        thin_open(&rng, &t);
        merged += t.parts.flatness > 0;
        for (uint32_t i = 0; i < t.parts.face_count && t.parts.flatness > 0; ++i)
            for (uint32_t j = 0; j < i; ++j) {
                CHECK(!is_open(&t.parts, i, j));
                for (uint32_t k = 0; k < j; ++k) {
                    if (!corner_of_planes(&t.parts, i, j, k, at) || !is_behind_all(&t.parts, at)) continue;
                    ++met;
                    CHECK(thin_off(&t, cd_vec3_make((cd_real)at[0], (cd_real)at[1], (cd_real)at[2])) <=
                          2.001 * t.distance + 1e-5);
                }
            }
        thin_close(&t);
    }
    CHECK(merged > 0 && met > 0);
}

/* A rod that merge_distance would leave without its ends: it is merged less, and not left as it is. */
static void merged_less_where_it_has_to_be(void) {
    static const int at[7][3] = {{0, -55, -1}, {0, -66, 0},  {1, -24, 0}, {-1, 17, -1},
                                 {0, 75, 0},   {-1, 25, -1}, {1, -55, 0}};
    cd_hull_options o = no_options();
    cd_hull exact, hull;
    cd_vec3 p[7];
    for (int i = 0; i < 7; ++i)
        p[i] =
            cd_vec3_make((cd_real)(at[i][0] / 64.0), (cd_real)(at[i][1] / 64.0), (cd_real)(at[i][2] / 64.0));
    o.merge_distance = (cd_real)0.03125;
    CHECK_INT(cd_hull3_build(&exact, p, 7, NULL), CD_OK);
    CHECK_INT(cd_hull3_build(&hull, p, 7, &o), CD_OK);
    CHECK(cd_hull_get_parts(&hull).flatness > 0);
    CHECK((double)cd_hull_get_parts(&hull).flatness <= 0.03125 / 4);
    CHECK(cd_hull_get_parts(&hull).face_count < cd_hull_get_parts(&exact).face_count);
    cd_hull_destroy(&exact);
    cd_hull_destroy(&hull);
}

static void merged_faces_are_nearly_flat(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(500); i < times; ++i) {
        const char *name = hulls_kinds[i % hulls_kind_count].name;
        hulls_cloud c = hulls_cloud_make(&rng, name, test_int(&rng, 0, 120));
        double size = 0, tolerance;
        cd_hull hull, again;
        for (size_t k = 0; k < 3 * c.count; ++k) size = fmax(size, fabs((double)(&c.points[0].x)[k]));
        tolerance = (double)(cd_real)(0.5 * size * pow(10, test_range(&rng, -8, 0)));
        hulls_cloud_note(&c, name);
        hull = build_merged(&c, tolerance);
        hulls_judge_merged(&hull, c.points, c.count, tolerance);
        if (strcmp(name, "zeros of both signs")) {
            hulls_cloud_shuffle(&c, NULL);
            again = build_merged(&c, tolerance);
            CHECK(hulls_same(&hull, &again));
            cd_hull_destroy(&again);
        }
        cd_hull_destroy(&hull);
        hulls_cloud_free(&c);
    }
}

/* The surface of a cube, uneven by less than the tolerance: few faces are left, six as a rule. */
static void uneven_cubes_have_six_faces(void) {
    test_rng rng = test_random();
    long times = test_times(60), six = 0;
    for (long i = 0; i < times; ++i) {
        hulls_cloud c = hulls_cloud_make(&rng, "on a box", 200);
        cd_hull hull;
        cd_hull_parts h;
        for (size_t k = 0; k < 3 * c.count; ++k)
            (&c.points[0].x)[k] = (cd_real)((double)(&c.points[0].x)[k] + test_range(&rng, -1e-4, 1e-4));
        hull = build_merged(&c, 1e-3);
        h = cd_hull_get_parts(&hull);
        test_note("%u vertices, %u faces", h.vertex_count, h.face_count);
        hulls_judge_merged(&hull, c.points, c.count, 1e-3);
        CHECK(h.face_count >= 6 && h.face_count <= 18);
        six += h.face_count == 6;
        cd_hull_destroy(&hull);
        hulls_cloud_free(&c);
    }
    test_note("%ld of %ld have six", six, times);
    CHECK(2 * six >= times);
}

static void fine_spheres_become_coarse(void) {
    test_rng rng = test_random();
    uint32_t last = 0xFFFFFFFFu;
    hulls_cloud c = hulls_cloud_make(&rng, "on a sphere", 400);
    for (double tolerance = test_is_tiny() ? 1e-5 : 1e-6; tolerance < 0.2;
         tolerance *= test_is_tiny() ? 100 : 10) {
        cd_hull hull = build_merged(&c, tolerance);
        cd_hull_parts h = cd_hull_get_parts(&hull);
        test_note("tolerance %g: %u vertices, %u faces", tolerance, h.vertex_count, h.face_count);
        hulls_judge_merged(&hull, c.points, c.count, tolerance);
        CHECK(h.face_count <= last);
        last = h.face_count;
        cd_hull_destroy(&hull);
    }
    CHECK(last < 100);
    hulls_cloud_free(&c);
}

/* Without a tolerance nothing but coplanar faces is merged, and a tolerance of 0 is none. */
static void no_tolerance_merges_nothing(void) {
    test_rng rng = test_random();
    hulls_cloud c = hulls_cloud_make(&rng, "near a sphere of whole numbers", 300);
    cd_hull a = build(&c), b = build_merged(&c, 0);
    CHECK(a.bytes == b.bytes && !memcmp(a.block, b.block, a.bytes));
    cd_hull_destroy(&a);
    cd_hull_destroy(&b);
    hulls_cloud_free(&c);
}

/* ---- questions ---- */

static double dot_of(cd_vec3 p, cd_vec3 d, double *size) {
    double sum = 0;
    *size = 0;
    for (int k = 0; k < 3; ++k) {
        double term = (double)REALS(p)[k] * (double)REALS(d)[k];
        sum += term;
        *size += fabs(term);
    }
    return sum;
}

/* By a power of two that keeps the products of denormals from being rounded like these. */
static cd_vec3 raised(cd_vec3 p, bool denormal) {
    int by = !denormal ? 0 : sizeof(cd_real) == 4 ? 100 : 1000;
    for (int k = 0; k < 3; ++k) REALS(p)[k] = (cd_real)ldexp((double)REALS(p)[k], by);
    return p;
}

static void check_support(const cd_hull *hull, const hulls_cloud *c, cd_vec3 d, bool denormal) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    uint32_t v = ASK("loop", cd_hull_support(hull, d));
    double size, most = 0, got;
    if (!CHECK(v < h.vertex_count)) return;
    got = dot_of(raised(h.vertices[v], denormal), d, &size);
    for (size_t i = 0; i < c->count; ++i) {
        double x = dot_of(raised(c->points[i], denormal), d, &most);
        if (!(x <= got + 1e-15 * (size + most))) {
            test_note_reals("direction", REALS(d), 3);
            CHECK(x <= got + 1e-15 * (size + most));
            return;
        }
    }
}

static void support_equals_a_loop(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(600); i < times; ++i) {
        const char *name = hulls_kinds[i % hulls_kind_count].name;
        hulls_cloud c = hulls_cloud_make(&rng, name, test_int(&rng, 1, 200));
        cd_hull hull = build(&c);
        bool is_tame = strcmp(name, "any numbers") && strcmp(name, "huge numbers");
        hulls_cloud_note(&c, name);
        for (int k = 0; k < 10 && c.count && is_tame; ++k) {
            gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
            check_support(&hull, &c, gen_direction(&g), !strcmp(name, "denormals"));
        }
        cd_hull_destroy(&hull);
        hulls_cloud_free(&c);
    }
}

static bool comes_after(cd_vec3 a, cd_vec3 b) {
    return a.x != b.x ? a.x > b.x : a.y != b.y ? a.y > b.y : a.z > b.z;
}

/* The corners of a cube in whole numbers: where dot products are equal, the vertex with the largest x, y, z is given. */
static void support_gives_the_largest_of_equals(void) {
    hulls_cloud c = {NULL, 0, NULL};
    cd_hull hull, none;
    cd_hull_parts h;
    cd_vec3 bad = {0, 0, 0};
    for (int i = 0; i < 125; ++i) hulls_cloud_add(&c, i % 5 - 2, i / 5 % 5 - 2, i / 25 - 2);
    hull = build(&c);
    h = cd_hull_get_parts(&hull);
    memset(&none, 0, sizeof none);
    for (int code = 0; code < 125; ++code) {
        cd_vec3 d = {(cd_real)(code % 5 - 2), (cd_real)(code / 5 % 5 - 2), (cd_real)(code / 25 - 2)};
        double size;
        uint32_t want = 0;
        for (uint32_t v = 1; v < h.vertex_count; ++v) {
            double more = dot_of(h.vertices[v], d, &size) - dot_of(h.vertices[want], d, &size);
            if (more > 0 || (more == 0 && comes_after(h.vertices[v], h.vertices[want]))) want = v;
        }
        test_note("");
        test_note_reals("direction", REALS(d), 3);
        CHECK_INT(cd_hull_support(&hull, d), want);
        CHECK_INT(cd_hull_support(&none, d), CD_NONE);
    }
    for (int i = 0; i < gen_bad_count; ++i) {
        bad.y = (cd_real)gen_bad_numbers[i];
        test_note("");
        test_note_reals("direction", REALS(bad), 3);
        CHECK(cd_hull_support(&hull, bad) < h.vertex_count);
        if (!isfinite((double)bad.y)) CHECK_INT(cd_hull_support(&hull, bad), 0);
    }
    cd_hull_destroy(&hull);
    hulls_cloud_free(&c);
}

static void the_empty_hull_answers(void) {
    cd_hull zero;
    cd_hull_parts h;
    memset(&zero, 0, sizeof zero);
    h = ASK("bad", cd_hull_get_parts(&zero));
    CHECK_INT(h.dimension, -1);
    CHECK(!h.vertex_count && !h.half_edge_count && !h.face_count);
    CHECK_INT(ASK("bad", cd_hull_triangles(&zero, NULL, 0)), 0);
    CHECK(cd_aabb_is_empty(ASK("bad", cd_hull_bounds(&zero))));
    CHECK_INT(ASK("bad", cd_hull_validate(&zero)), CD_OK);
    cd_hull_destroy(&zero);
    cd_hull_destroy(&zero);
}

/* ---- stored hulls ---- */

/* Asks everything of a hull; only the memory it touches matters. */
static void ask_everything(const cd_hull *hull) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    uint32_t triangles[300], sum = 0;
    cd_vec3 d = {(cd_real)0.5, -1, 2};
    cd_hull_triangles(hull, triangles, 100);
    sum += cd_hull_support(hull, d);
    cd_hull_bounds(hull);
    for (uint32_t e = 0; e < h.half_edge_count; ++e)
        sum += cd_hull_next(&h, e) + cd_hull_previous(&h, e) + h.half_edges[h.half_edges[e].twin].origin;
    for (uint32_t v = 0; v < h.vertex_count; ++v) sum += h.outgoing[v] + h.sources[v];
    for (uint32_t f = 0; f < h.face_count; ++f)
        sum += h.half_edges[h.faces[f].first + h.faces[f].count - 1].origin;
    test_note("sum %u", sum); /* so that the reads are not left out */
}

static unsigned char *copy_of(const cd_hull *hull) {
    unsigned char *copy = test_block(hull->bytes + 64);
    if (!copy) abort();
    if (hull->bytes) memcpy(copy, hull->block, hull->bytes);
    return copy;
}

/* The copy ends where the block does, so that the sanitizers see every byte read behind it. */
static void check_cut(const cd_hull *hull, size_t size) {
    unsigned char *copy = test_block(size);
    cd_hull view;
    if (!copy) return;
    memcpy(copy, hull->block, size);
    memset(&view, 0x77, sizeof view);
    CHECK_INT(ASK("bad", cd_hull_view(&view, copy, size)), CD_CORRUPT);
    CHECK(view.block == NULL && view.bytes == 0);
    test_block_free(copy);
}

static void copies_can_be_viewed(void) {
    test_rng rng = test_random();
    for (int i = 0; i < hulls_kind_count; ++i) {
        hulls_cloud c = hulls_cloud_make(&rng, hulls_kinds[i].name, 30);
        cd_hull hull = build_merged(&c, 0), view;
        unsigned char *copy = copy_of(&hull);
        hulls_cloud_note(&c, hulls_kinds[i].name);
        CHECK(((uintptr_t)hull.block & 63) == 0);
        CHECK_INT(ASK("forms", cd_hull_view(&view, copy, hull.bytes)), CD_OK);
        hulls_judge(&view, c.points, c.count, some_work);
        CHECK(hulls_same(&hull, &view) && !view.owned);
        for (size_t n = 64; n < hull.bytes; n += 64) check_cut(&hull, n);
        CHECK_INT(ASK("bad", cd_hull_view(&view, copy, hull.bytes - 1)), CD_CORRUPT);
        CHECK_INT(ASK("bad", cd_hull_view(&view, copy, 10)), CD_CORRUPT);
        CHECK_INT(ASK("bad", cd_hull_view(&view, copy + 4, hull.bytes - 4)), CD_INVALID_ARGUMENT);
        CHECK_INT(ASK("bad", cd_hull_view(&view, NULL, 0)), CD_INVALID_ARGUMENT);
        cd_hull_destroy(&view); /* a view gives nothing back */
        test_block_free(copy);
        cd_hull_destroy(&hull);
        hulls_cloud_free(&c);
    }
}

/* Every byte of small blocks changed in turn: refused, or harmless (the sanitizer lanes watch). */
static void changed_bytes_are_refused_or_harmless(void) {
    test_rng rng = test_random();
    long refused = 0, times = 0;
    for (long left = test_times(15); left > 0; --left) {
        int i = test_int(&rng, 0, hulls_kind_count - 1);
        hulls_cloud c = hulls_cloud_make(&rng, hulls_kinds[i].name, left % 4 ? 6 : 20);
        cd_hull hull = i % 2 ? build(&c) : build_merged(&c, 0.1), view;
        unsigned char *copy = copy_of(&hull);
        for (size_t n = 0; n < hull.bytes; ++n) {
            unsigned char keep = copy[n];
            copy[n] = (unsigned char)(n % 2 ? test_next(&rng) : keep ^ 1u << test_int(&rng, 0, 7));
            ++times;
            if (ASK("bad", cd_hull_view(&view, copy, hull.bytes)) == CD_OK) {
                ask_everything(&view);
                CHECK_INT(ASK("bad", cd_hull_validate(&view)), CD_OK);
            } else {
                CHECK(view.block == NULL);
                ++refused;
            }
            copy[n] = keep;
        }
        test_block_free(copy);
        cd_hull_destroy(&hull);
        hulls_cloud_free(&c);
    }
    test_note("%ld of %ld refused", refused, times);
    CHECK_SEEN(refused > times / 4);
}

/* The rows of a block whose vertices were changed by hand. */
static void renew_rows(const cd_hull *copy) {
    cd_hull_parts h = cd_hull_get_parts(copy);
    cd_real *rows = (cd_real *)(uintptr_t)h.rows;
    for (uint32_t k = 0; k < 8 * h.row_count; ++k) {
        uint32_t v = k % 8 * h.row_count + k / 8;
        cd_vec3 p = h.vertices[v < h.vertex_count ? v : h.vertex_count - 1];
        cd_real *row = rows + (size_t)24 * (k / 8) + k % 8;
        row[0] = p.x;
        row[8] = p.y;
        row[16] = p.z;
    }
}

/* What validate is for: each rule broken by hand. */
static void broken_rules_are_noticed(void) {
    test_rng rng = test_random();
    hulls_cloud c = hulls_cloud_make(&rng, "on a sphere", 40);
    cd_hull hull = build(&c), broken;
    for (int kind = 0; kind < 14; ++kind) {
        unsigned char *copy = copy_of(&hull);
        cd_hull_parts h = cd_hull_get_parts(&hull);
        ptrdiff_t offset = copy - (const unsigned char *)hull.block;
        cd_half_edge *e = (cd_half_edge *)(void *)((unsigned char *)(uintptr_t)h.half_edges + offset);
        cd_hull_face *f = (cd_hull_face *)(void *)((unsigned char *)(uintptr_t)h.faces + offset);
        cd_vec3 *v = (cd_vec3 *)(void *)((unsigned char *)(uintptr_t)h.vertices + offset);
        uint32_t *out = (uint32_t *)(void *)((unsigned char *)(uintptr_t)h.outgoing + offset);
        broken = hull;
        broken.block = copy;
        if (kind == 0) e[3].origin = h.vertex_count;
        if (kind == 1) e[3].origin = e[4].origin;
        if (kind == 2) e[3].twin = 3;
        if (kind == 3) e[3].twin = h.half_edge_count;
        if (kind == 4) e[3].face = h.face_count;
        if (kind == 5) f[2].count = 2;
        if (kind == 6) f[2].first = h.half_edge_count;
        if (kind == 7) f[2].count = 0xFFFFFFFFu;
        if (kind == 8) out[1] = h.half_edge_count;
        if (kind == 9) out[1] = out[2];
        if (kind == 10) v[5].x = (cd_real)NAN;
        if (kind == 11) v[5] = cd_vec3_scale(v[5], (cd_real)0.25); /* dented */
        if (kind == 12) f[1].plane.n = cd_vec3_scale(f[1].plane.n, 7);
        if (kind == 13) f[1].plane.d = (cd_real)NAN;
        if (kind == 10 || kind == 11) renew_rows(&broken);
        test_note("kind %d", kind);
        CHECK_INT(ASK("bad", cd_hull_validate(&broken)), CD_CORRUPT);
        test_block_free(copy);
    }
    cd_hull_destroy(&hull);
    hulls_cloud_free(&c);
}

static cd_vec3 *vertices_of(cd_hull *copy) {
    return (cd_vec3 *)(uintptr_t)cd_hull_get_parts(copy).vertices;
}

/* A point's axes cycled and mirrored, in one of 24 ways. */
static cd_vec3 turned(cd_vec3 p, int way) {
    const cd_real c[3] = {way & 1 ? -p.x : p.x, way & 2 ? -p.y : p.y, way & 4 ? -p.z : p.z};
    return cd_vec3_make(c[way / 8], c[(way / 8 + 1) % 3], c[(way / 8 + 2) % 3]);
}

/* A pyramid over a base that goes around twice: bent the right way at each corner and edge. Whether the base is the first
 * face depends on how it lies. */
static void a_face_goes_around_once(void) {
    static const cd_vec3 base[6] = {{0, 0, 0}, {2, 0, 0}, {3, 1, 0}, {2, 2, 0}, {0, 2, 0}, {-1, 1, 0}};
    static const cd_vec3 twice[3] = {{0, 0, 0}, {3, 0, 0}, {0, 3, 0}}, apex = {(cd_real)0.5, (cd_real)0.5, 1};
    int first = 0;
    for (int way = 0; way < 24; ++way) {
        cd_vec3 points[7];
        cd_hull hull, copy;
        cd_hull_parts h;
        bool mirrored = (((way & 1) + (way >> 1 & 1) + (way >> 2 & 1)) & 1) != 0;
        for (int i = 0; i < 7; ++i) points[i] = turned(i < 6 ? base[i] : apex, way);
        CHECK_INT(cd_hull3_build(&hull, points, 7, NULL), CD_OK);
        copy = hull;
        copy.block = copy_of(&hull);
        h = cd_hull_get_parts(&copy);
        first += h.faces[0].count == 6;
        for (uint32_t f = 0; f < h.face_count; ++f) {
            for (uint32_t i = 0; i < 6 && h.faces[f].count == 6; ++i) {
                const cd_half_edge *e =
                    &h.half_edges[h.faces[f].first + i]; /* seen from below, unless mirrored */
                vertices_of(&copy)[e->origin] = turned(twice[mirrored ? i % 3 : 2 - i % 3], way);
            }
        }
        renew_rows(&copy);
        test_note("way %d", way);
        CHECK_INT(ASK("bad", cd_hull_validate(&copy)), CD_CORRUPT);
        test_block_free((void *)(uintptr_t)copy.block);
        cd_hull_destroy(&hull);
    }
    CHECK(first > 0 && first < 24);
}

/* A flat hull whose front leaves a vertex out, which only the back has: 0 1 2, and 0 3 0 2 1. */
static void both_sides_of_a_flat_hull_are_the_same(void) {
    static const cd_vec3 square[4] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    static const uint32_t origin[8] = {0, 1, 2, 0, 3, 0, 2, 1}, twin[8] = {7, 6, 5, 4, 3, 2, 1, 0};
    for (int flat = 0; flat < 2; ++flat) {
        cd_hull hull, copy;
        cd_hull_parts h;
        cd_half_edge *e;
        cd_hull_face *f;
        CHECK_INT(cd_hull3_build(&hull, square, 4, NULL), CD_OK);
        copy = hull;
        copy.block = copy_of(&hull);
        h = cd_hull_get_parts(&copy);
        e = (cd_half_edge *)(uintptr_t)h.half_edges;
        f = (cd_hull_face *)(uintptr_t)h.faces;
        f[0].count = f[1].first = 3;
        f[1].count = 5;
        for (uint32_t i = 0; i < 8; ++i) {
            e[i].origin = origin[i];
            e[i].twin = twin[i];
            e[i].face = i >= 3;
            ((uint32_t *)(uintptr_t)h.outgoing)[origin[i]] = i;
        }
        if (flat) ((double *)(uintptr_t)copy.block)[5] = 1.0; /* the header's flatness */
        CHECK_INT(ASK("bad", cd_hull_validate(&copy)), CD_CORRUPT);
        test_block_free((void *)(uintptr_t)copy.block);
        cd_hull_destroy(&hull);
    }
}

/* The mean of numbers near the largest is one of their size. */
/* As large as can be: sums of its coordinates are beyond the range. */
static void the_largest_cube(void) {
    cd_vec3 p[9];
    cd_hull hull;
    for (int i = 0; i < 8; ++i)
        p[i] = cd_vec3_make(i & 1 ? CD_REAL_MAX : -CD_REAL_MAX, i & 2 ? CD_REAL_MAX : -CD_REAL_MAX,
                            i & 4 ? CD_REAL_MAX : -CD_REAL_MAX);
    p[8] = cd_vec3_make(0, 0, 0);
    CHECK_INT(ASK("bad", cd_hull3_build(&hull, p, 9, NULL)), CD_OK);
    CHECK_INT(ASK("exact", cd_hull_get_parts(&hull)).vertex_count, 8);
    CHECK_INT(ASK("exact", cd_hull_get_parts(&hull)).face_count, 6);
    cd_hull_destroy(&hull);
}

static void large_flat_hulls_have_a_center(void) {
    cd_vec3 points[11];
    cd_hull hull;
    for (int i = 0; i < 11; ++i) points[i] = cd_vec3_make(CD_REAL_MAX, (cd_real)i, (cd_real)(i * i));
    CHECK_INT(cd_hull3_build(&hull, points, 11, NULL), CD_OK);
    CHECK_INT(ASK("exact", cd_hull_get_parts(&hull)).vertex_count, 11);
    CHECK(cd_vec3_is_valid(ASK("exact", cd_hull_get_parts(&hull)).center));
    CHECK_INT(ASK("judge", cd_hull_validate(&hull)), CD_OK);
    cd_hull_destroy(&hull);
}

/* Sums of coordinates leave the range, and the first point is none. */
static void a_bad_point_before_large_ones(void) {
    double lo = -0.44 * (double)CD_REAL_MAX, hi = -0.34 * (double)CD_REAL_MAX;
    cd_vec3 points[9];
    cd_hull_options o = no_options();
    cd_hull hull;
    for (int i = 0; i < 8; ++i)
        points[i] =
            cd_vec3_make((cd_real)(i & 1 ? hi : lo), (cd_real)(i & 2 ? hi : lo), (cd_real)(i & 4 ? hi : lo));
    points[7] = cd_vec3_make((cd_real)(-0.36 * (double)CD_REAL_MAX), (cd_real)(-0.36 * (double)CD_REAL_MAX),
                             (cd_real)(-0.36 * (double)CD_REAL_MAX));
    points[8] = points[0];
    points[0] = cd_vec3_make((cd_real)NAN, 0, 0);
    o.flags = CD_HULL_SKIP_INVALID;
    CHECK_INT(cd_hull3_build(&hull, points, 9, &o), CD_OK);
    CHECK_INT(cd_hull_get_parts(&hull).vertex_count, 8);
    cd_hull_destroy(&hull);
}

/* ---- memory, threads, progress ---- */

static cd_hull_options counted_options(test_memory *f) {
    cd_hull_options o = no_options();
    o.allocator = test_allocator(f);
    return o;
}

static void fail_every_allocation(const hulls_cloud *c, double tolerance) {
    cd_status status = CD_OUT_OF_MEMORY;
    for (long n = 0; n < 300 && status == CD_OUT_OF_MEMORY; ++n) {
        test_memory f = {n, 0, 0};
        cd_hull_options o = counted_options(&f);
        cd_hull hull;
        o.merge_distance = (cd_real)tolerance;
        memset(&hull, 0x77, sizeof hull);
        status = cd_hull3_build(&hull, c->points, c->count, &o);
        CHECK(status == CD_OK || (status == CD_OUT_OF_MEMORY && hull.block == NULL && f.live == 0));
        if (status == CD_OK) CHECK_INT(f.bytes, hull.bytes);
        if (status == CD_OK && tolerance == 0) hulls_judge(&hull, c->points, c->count, some_work);
        ASK("bad", cd_hull_destroy(&hull));
        CHECK_INT(f.live, 0);
        CHECK_INT(f.bytes, 0);
    }
    CHECK_INT(status, CD_OK);
}

static void every_allocation_may_fail(void) {
    test_rng rng = test_random();
    for (long left = test_times(60); left > 0; --left) {
        int i = test_int(&rng, 0, hulls_kind_count - 1);
        hulls_cloud c = hulls_cloud_make(&rng, hulls_kinds[i].name, left % 3 ? 60 : 600);
        hulls_cloud_note(&c, hulls_kinds[i].name);
        fail_every_allocation(&c, 0);
        if (left % 4 == 0) fail_every_allocation(&c, 0.01);
        hulls_cloud_free(&c);
    }
}

static void run_backwards(void *user, uint32_t count, void (*task)(void *ctx, uint32_t i), void *ctx) {
    ++*(int *)user;
    while (count-- > 0) task(ctx, count);
}

static void any_executor_gives_the_same_bytes(void) {
    static const char *const names[] = {"on a sphere", "in a cube", "of a lattice"};
    test_rng rng = test_random();
    for (int i = 0; i < 3; ++i) {
        hulls_cloud c = hulls_cloud_make(&rng, names[i], 20000);
        cd_hull_options o = no_options();
        cd_hull a = build(&c), b;
        int runs = 0;
        o.executor.user = &runs;
        o.executor.run = run_backwards;
        CHECK_INT(cd_hull3_build(&b, c.points, c.count, &o), CD_OK);
        CHECK(a.bytes == b.bytes && !memcmp(a.block, b.block, a.bytes));
        cd_hull_destroy(&a);
        cd_hull_destroy(&b);
        hulls_cloud_free(&c);
    }
}

typedef struct watcher {
    int calls, stop_at;
    float last;
    bool rising;
} watcher;

static bool watch(void *user, float done) {
    watcher *w = (watcher *)user;
    w->rising = w->rising && done >= w->last && done <= 1.0f;
    w->last = done;
    return ++w->calls != w->stop_at;
}

static void progress_rises_and_cancels(void) {
    test_rng rng = test_random();
    hulls_cloud c = hulls_cloud_make(&rng, "on a sphere", 6000);
    int calls = 1;
    for (int stop = 0; stop <= calls; stop += stop < 20 ? 1 : 1 + calls / 20) {
        test_memory f = {1000000, 0, 0};
        watcher w = {0, stop, 0.0f, true};
        cd_hull_options o = counted_options(&f);
        cd_hull hull;
        o.executor.user = &w;
        o.executor.progress = watch;
        memset(&hull, 0x77, sizeof hull);
        test_note("stopped at call %d of %d", stop, calls);
        CHECK_INT(cd_hull3_build(&hull, c.points, c.count, &o), stop ? CD_CANCELLED : CD_OK);
        CHECK(w.rising && (stop || w.last == 1.0f));
        CHECK(stop == 0 || (hull.block == NULL && hull.bytes == 0));
        if (!stop) calls = w.calls;
        ASK("bad", cd_hull_destroy(&hull));
        CHECK_INT(f.live, 0);
    }
    CHECK(calls > 2);
    hulls_cloud_free(&c);
}

void suite_hull(void) {
    RUN(small_clouds_of_all_kinds);
    RUN(larger_clouds_of_all_kinds);
    RUN(many_points);
    RUN(up_to_four_points);
    RUN(lines_along_axes_and_diagonals);
    RUN(lattices_are_boxes);
    RUN(bodies_with_known_counts);
    RUN(one_ulp_off_a_cube);
    RUN(extreme_points_equal_brute_force);
    RUN(extreme_numbers_do_no_harm);
    RUN(numbers_that_are_none);
    RUN(bad_options_are_refused);
    RUN(meshes_give_the_hull_of_their_positions);
    RUN(merged_faces_are_nearly_flat);
    RUN(planes_bound_what_is_merged);
    RUN(planes_of_merged_faces_meet_nearby);
    RUN(merged_less_where_it_has_to_be);
    RUN(uneven_cubes_have_six_faces);
    RUN(fine_spheres_become_coarse);
    RUN(no_tolerance_merges_nothing);
    RUN(support_equals_a_loop);
    RUN(support_gives_the_largest_of_equals);
    RUN(the_empty_hull_answers);
    RUN(copies_can_be_viewed);
    RUN(changed_bytes_are_refused_or_harmless);
    RUN(broken_rules_are_noticed);
    RUN(a_face_goes_around_once);
    RUN(both_sides_of_a_flat_hull_are_the_same);
    RUN(large_flat_hulls_have_a_center);
    RUN(the_largest_cube);
    RUN(a_bad_point_before_large_ones);
    RUN(every_allocation_may_fail);
    RUN(any_executor_gives_the_same_bytes);
    RUN(progress_rises_and_cancels);
}
