/* Every pair of tools/overlap.txt that has a test of its own, against one reference for all: two convex sets meet when a linear
 * program has a solution, in exact numbers, and where spheres and capsules are concerned when their cores are near enough.
 * To add a pair, add its line to PAIRS. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

/* Both sides as they are passed. EXACT: as the reference says. LOOSE: as it says, but for a band. SURE: never false for things
 * that meet, true only within the band. */
#define PAIRS(P)                                                                                             \
    P(point, point, EXACT)                                                                                   \
    P(point, ray, EXACT)                                                                                     \
    P(point, segment, EXACT)                                                                                 \
    P(point, plane, EXACT)                                                                                   \
    P(point, halfspace, EXACT)                                                                               \
    P(point, triangle, EXACT)                                                                                \
    P(point, sphere, EXACT)                                                                                  \
    P(point, capsule, EXACT)                                                                                 \
    P(point, aabb, EXACT)                                                                                    \
    P(point, obb, LOOSE)                                                                                     \
    P(ray, ray, EXACT)                                                                                       \
    P(ray, segment, EXACT)                                                                                   \
    P(ray, plane, EXACT)                                                                                     \
    P(ray, halfspace, EXACT)                                                                                 \
    P(ray, triangle, EXACT)                                                                                  \
    P(ray, sphere, EXACT)                                                                                    \
    P(ray, capsule, EXACT)                                                                                   \
    P(ray, aabb, EXACT)                                                                                      \
    P(ray, obb, LOOSE)                                                                                       \
    P(segment, segment, EXACT)                                                                               \
    P(segment, plane, EXACT)                                                                                 \
    P(segment, halfspace, EXACT)                                                                             \
    P(segment, triangle, EXACT)                                                                              \
    P(segment, sphere, EXACT)                                                                                \
    P(segment, capsule, EXACT)                                                                               \
    P(segment, aabb, EXACT)                                                                                  \
    P(segment, obb, SURE)                                                                                    \
    P(plane, plane, EXACT)                                                                                   \
    P(plane, halfspace, EXACT)                                                                               \
    P(halfspace, halfspace, EXACT)                                                                           \
    P(triangle, plane, EXACT)                                                                                \
    P(triangle, halfspace, EXACT)                                                                            \
    P(triangle, triangle, EXACT)                                                                             \
    P(triangle, aabb, EXACT)                                                                                 \
    P(triangle, obb, LOOSE)                                                                                  \
    P(polygon, plane, EXACT)                                                                                 \
    P(polygon, halfspace, EXACT)                                                                             \
    P(polygon, triangle, EXACT)                                                                              \
    P(sphere, polygon, LOOSE)                                                                                \
    P(polygon, capsule, LOOSE)                                                                               \
    P(polygon, aabb, EXACT)                                                                                  \
    P(polygon, obb, LOOSE)                                                                                   \
    P(sphere, plane, EXACT)                                                                                  \
    P(sphere, halfspace, EXACT)                                                                              \
    P(sphere, triangle, LOOSE)                                                                               \
    P(sphere, sphere, EXACT)                                                                                 \
    P(sphere, capsule, EXACT)                                                                                \
    P(sphere, aabb, EXACT)                                                                                   \
    P(sphere, obb, LOOSE)                                                                                    \
    P(capsule, plane, LOOSE)                                                                                 \
    P(capsule, halfspace, LOOSE)                                                                             \
    P(capsule, triangle, LOOSE)                                                                              \
    P(capsule, capsule, EXACT)                                                                               \
    P(capsule, aabb, LOOSE)                                                                                  \
    P(capsule, obb, LOOSE)                                                                                   \
    P(aabb, plane, EXACT)                                                                                    \
    P(aabb, halfspace, EXACT)                                                                                \
    P(aabb, aabb, EXACT)                                                                                     \
    P(obb, plane, SURE)                                                                                      \
    P(obb, halfspace, SURE)                                                                                  \
    P(obb, aabb, SURE)                                                                                       \
    P(obb, obb, SURE)                                                                                        \
    P(hull, hull, EXACT)                                                                                     \
    P(point, polygon, EXACT)                                                                                 \
    P(point, tetrahedron, EXACT)                                                                             \
    P(point, hull, EXACT)                                                                                    \
    P(ray, polygon, EXACT)                                                                                   \
    P(ray, tetrahedron, EXACT)                                                                               \
    P(ray, hull, EXACT)                                                                                      \
    P(segment, polygon, EXACT)                                                                               \
    P(segment, tetrahedron, EXACT)                                                                           \
    P(segment, hull, EXACT)                                                                                  \
    P(tetrahedron, plane, EXACT)                                                                             \
    P(hull, plane, EXACT)                                                                                    \
    P(tetrahedron, halfspace, EXACT)                                                                         \
    P(hull, halfspace, EXACT)                                                                                \
    P(triangle, tetrahedron, EXACT)                                                                          \
    P(triangle, hull, EXACT)                                                                                 \
    P(polygon, polygon, EXACT)                                                                               \
    P(polygon, tetrahedron, EXACT)                                                                           \
    P(polygon, hull, EXACT)                                                                                  \
    P(tetrahedron, tetrahedron, EXACT)                                                                       \
    P(sphere, tetrahedron, LOOSE)                                                                            \
    P(capsule, tetrahedron, LOOSE)                                                                           \
    P(tetrahedron, aabb, EXACT)                                                                              \
    P(tetrahedron, obb, LOOSE)                                                                               \
    P(tetrahedron, hull, EXACT)                                                                              \
    P(sphere, hull, LOOSE)                                                                                   \
    P(capsule, hull, LOOSE)                                                                                  \
    P(aabb, hull, EXACT)                                                                                     \
    P(obb, hull, LOOSE)

#define KINDS(K)                                                                                             \
    K(point)                                                                                                 \
    K(ray)                                                                                                   \
    K(segment)                                                                                               \
    K(plane) K(halfspace) K(triangle) K(polygon) K(tetrahedron) K(sphere) K(capsule) K(aabb) K(obb) K(hull)

typedef enum kind {
#define K(name) KIND_##name,
    KINDS(K)
#undef K
        KIND_COUNT
} kind;

static const char *const kind_names[] = {
#define K(name) #name,
    KINDS(K)
#undef K
};

enum { CORNERS = 8 };

/* A thing of one kind, by its numbers. */
typedef struct thing {
    kind kind;
    union {
        cd_vec3 corner[CORNERS];
        cd_ray ray;
        cd_segment segment;
        cd_plane plane;
        cd_triangle triangle;
        cd_tetrahedron tetrahedron;
        cd_sphere sphere;
        cd_capsule capsule;
        cd_aabb aabb;
        cd_obb obb;
    } as;
    int count; /* corners of a polygon or of what a hull is around */
    cd_hull hull;
} thing;

#define AS_point(t)       t->as.corner[0]
#define AS_ray(t)         &t->as.ray
#define AS_segment(t)     &t->as.segment
#define AS_plane(t)       t->as.plane
#define AS_halfspace(t)   t->as.plane
#define AS_triangle(t)    &t->as.triangle
#define AS_polygon(t)     t->as.corner, (size_t)t->count
#define AS_tetrahedron(t) &t->as.tetrahedron
#define AS_sphere(t)      t->as.sphere
#define AS_capsule(t)     &t->as.capsule
#define AS_aabb(t)        t->as.aabb
#define AS_obb(t)         &t->as.obb
#define AS_hull(t)        &t->hull

static const char *judged_by;

#define P(a, b, class)                                                                                       \
    static bool meet_##a##_##b(const thing *s, const thing *t) {                                             \
        return ASK(judged_by, cd_test_##a##_##b(AS_##a(s), AS_##b(t)));                                      \
    }
PAIRS(P)
#undef P

typedef enum exactness { EXACT, LOOSE, SURE } exactness;

typedef struct pair {
    kind a, b;
    exactness how;
    bool (*meet)(const thing *, const thing *);
} pair;

static const pair pairs[] = {
#define P(a, b, class) {KIND_##a, KIND_##b, class, meet_##a##_##b},
    PAIRS(P)
#undef P
};
enum { PAIR_COUNT = sizeof pairs / sizeof pairs[0] };

/* ---- things ---- */

/* How many numbers it has. */
static int numbers_of(const thing *t) {
    static const int count[KIND_COUNT] = {3, 6, 6, 4, 4, 9, 0, 12, 4, 7, 6, 15, 0};
    return t->kind == KIND_polygon || t->kind == KIND_hull ? 3 * t->count : count[t->kind];
}

/* How many points it is made of, which stand first. */
static int points_of(const thing *t) {
    static const int count[KIND_COUNT] = {1, 1, 2, 0, 0, 3, 0, 4, 1, 2, 2, 1, 0};
    return t->kind == KIND_polygon || t->kind == KIND_hull ? t->count : count[t->kind];
}

static void sort_box(cd_aabb *b) {
    cd_aabb s = *b;
    b->min = cd_vec3_min(s.min, s.max);
    b->max = cd_vec3_max(s.min, s.max);
}

/* A plane across a direction, through a point as well as its number allows. */
static cd_plane plane_through(gen *g, cd_vec3 p) {
    cd_plane plane;
    plane.n = gen_direction(g);
    plane.d = cd_vec3_dot(plane.n, p);
    return plane;
}

static void draw_thing(gen *g, thing *t, kind k) {
    memset(t, 0, sizeof *t);
    t->kind = k;
    t->count = k == KIND_hull ? test_int(g->rng, 1, CORNERS) : test_int(g->rng, 1, 4);
    for (int i = 0; i < CORNERS; ++i) t->as.corner[i] = gen_point(g);
    if (k == KIND_ray) t->as.ray.dir = test_int(g->rng, 0, 9) ? gen_direction(g) : cd_vec3_make(0, 0, 0);
    if (k == KIND_plane || k == KIND_halfspace) t->as.plane = plane_through(g, gen_point(g));
    if (k == KIND_triangle) t->as.triangle = gen_triangle(g);
    if (k == KIND_sphere) t->as.sphere = gen_sphere(g);
    if (k == KIND_capsule) t->as.capsule.radius = gen_length(g);
    if (k == KIND_aabb) sort_box(&t->as.aabb);
    if (k == KIND_obb) t->as.obb = gen_obb(g);
    if (k == KIND_polygon && t->count == 4)
        t->as.corner[2] = cd_vec3_add(t->as.corner[1], cd_vec3_sub(t->as.corner[3], t->as.corner[0]));
}

/* Often one shares a point with the other, or two of its own are the same. */
static void bring_together(gen *g, thing *t, const thing *u) {
    int m = points_of(t), n = points_of(u), i = m ? test_int(g->rng, 0, m - 1) : 0;
    if (m && n && !test_int(g->rng, 0, 2)) t->as.corner[i] = u->as.corner[test_int(g->rng, 0, n - 1)];
    if (m > 1 && !test_int(g->rng, 0, 5)) t->as.corner[i] = t->as.corner[(i + 1) % m];
    if (!m && n && !test_int(g->rng, 0, 1))
        t->as.plane = plane_through(g, u->as.corner[test_int(g->rng, 0, n - 1)]);
    if (!m && !n && !test_int(g->rng, 0, 1)) {
        cd_real s = (cd_real)test_int(g->rng, -2, 2);
        t->as.plane.n = cd_vec3_scale(u->as.plane.n, s != 0 ? s : 1);
        if (test_int(g->rng, 0, 1)) t->as.plane.d = u->as.plane.d * (s != 0 ? s : 1);
    }
    if (t->kind == KIND_aabb) sort_box(&t->as.aabb);
}

static void finish(thing *t) {
    if (t->kind == KIND_hull)
        CHECK_INT(cd_hull3_build(&t->hull, t->as.corner, (size_t)t->count, NULL), CD_OK);
}

/* The same set, its corners in another order. */
static void turn_over(test_rng *rng, thing *t) {
    int n = points_of(t), i = n > 1 ? test_int(rng, 0, n - 1) : 0, k = n > 1 ? test_int(rng, 0, n - 1) : 0;
    cd_vec3 swap = t->as.corner[i];
    if (t->kind == KIND_aabb || t->kind == KIND_hull || t->kind == KIND_polygon) return;
    t->as.corner[i] = t->as.corner[k];
    t->as.corner[k] = swap;
}

/* ---- what they are, exactly ---- */

typedef struct cone {
    oracle_generator of[16];
    int count;
} cone;

static void add_generator(cone *c, exact3 x, exact w) {
    c->of[c->count].x = x;
    c->of[c->count++].w = w;
}

static exact3 exact_of(cd_vec3 v) {
    double d[3];
    to_doubles(&v.x, d, 3);
    return exact3_from(d);
}

static void add_point(cone *c, cd_vec3 p) {
    add_generator(c, exact_of(p), exact_power(0));
}

/* A point of the plane and the directions along it; those behind it too. */
static void add_plane(cone *c, cd_plane p, bool solid) {
    exact3 n = exact_of(p.n), x[3], behind;
    exact zero = exact_from(0.0), one = exact_power(0), minus = exact_negate(one);
    add_generator(c, exact3_scale(n, exact_from((double)p.d)), exact3_dot(n, n));
    for (int i = 0; i < 3; ++i) {
        double unit[3] = {0, 0, 0};
        unit[i] = 1;
        x[i] = exact3_cross(n, exact3_from(unit));
        add_generator(c, x[i], zero);
        add_generator(c, exact3_scale(x[i], minus), zero);
    }
    behind = exact3_scale(n, minus);
    if (solid) add_generator(c, behind, zero);
}

static void add_aabb(cone *c, cd_aabb b) {
    for (int i = 0; i < 8; ++i)
        add_point(
            c, cd_vec3_make(i & 1 ? b.max.x : b.min.x, i & 2 ? b.max.y : b.min.y, i & 4 ? b.max.z : b.min.z));
}

/* The box as it stands, its half extents longer by `more`; nothing where they are below 0. */
static void add_obb(cone *c, const cd_obb *b, double more) {
    double half[3];
    to_doubles(&b->half.x, half, 3);
    for (int k = 0; k < 3; ++k) half[k] += more;
    if (half[0] < 0 || half[1] < 0 || half[2] < 0) return;
    for (int i = 0; i < 8; ++i) {
        exact3 p = exact_of(b->center);
        for (int k = 0; k < 3; ++k)
            p = exact3_add(
                p, exact3_scale(exact_of(b->axes.col[k]), exact_from(i >> k & 1 ? half[k] : -half[k])));
        add_generator(c, p, exact_power(0));
    }
}

static int part_count(const thing *t) {
    return t->kind == KIND_polygon ? (int)cd_polygon_triangle_count((size_t)t->count) : 1;
}

/* A part, or the core of a sphere or capsule. */
static cone cone_of(const thing *t, int part, double more) {
    cone c;
    c.count = 0;
    if (t->kind == KIND_plane || t->kind == KIND_halfspace) {
        add_plane(&c, t->as.plane, t->kind == KIND_halfspace);
    } else if (t->kind == KIND_polygon) {
        cd_triangle f = cd_polygon_triangle(t->as.corner, (size_t)t->count, (size_t)part);
        add_point(&c, f.a);
        add_point(&c, f.b);
        add_point(&c, f.c);
    } else if (t->kind == KIND_aabb) {
        add_aabb(&c, t->as.aabb);
    } else if (t->kind == KIND_obb) {
        add_obb(&c, &t->as.obb, more);
    } else {
        for (int i = 0; i < points_of(t); ++i) add_point(&c, t->as.corner[i]);
        if (t->kind == KIND_ray) add_generator(&c, exact_of(t->as.ray.dir), exact_from(0.0));
    }
    return c;
}

/* Do they meet, oriented boxes grown by `more`? Of spheres and capsules only the cores. */
static bool cores_meet(const thing *a, const thing *b, double more) {
    bool meet = false;
    for (int i = 0; i < part_count(a) && !meet; ++i) {
        for (int k = 0; k < part_count(b) && !meet; ++k) {
            exact_pool pool = exact_begin();
            cone x = cone_of(a, i, more), y = cone_of(b, k, more);
            meet = x.count > 0 && y.count > 0 && oracle_sets_meet(x.of, x.count, y.of, y.count);
            exact_end(pool);
        }
    }
    return meet;
}

/* ---- how far they are apart, in double ---- */

typedef struct v3 {
    double c[3];
} v3;

static v3 v3_of(const exact3 *x, double w) {
    v3 v;
    for (int k = 0; k < 3; ++k) v.c[k] = exact_to_double(x->c[k]) / w;
    return v;
}
static v3 along(v3 a, v3 b, double s) {
    for (int k = 0; k < 3; ++k) a.c[k] += s * b.c[k];
    return a;
}
static double dot(v3 a, v3 b) {
    return a.c[0] * b.c[0] + a.c[1] * b.c[1] + a.c[2] * b.c[2];
}

static double clamp(double x, double lo, double hi) {
    return x > lo ? x < hi ? x : hi : lo;
}

/* The distance of p + [0, most] u from 0. */
static double from_edge(v3 p, v3 u, double most) {
    double uu = dot(u, u);
    p = along(p, u, uu > 0 ? clamp(-dot(p, u) / uu, 0, most) : 0);
    return sqrt(dot(p, p));
}

/* How far off the faces of the last distance may be: those of needles are found by digits that cancel. */
static double doubt;

/* That of p + s u + t v with s, t >= 0 and, if `bounded`, s + t <= 1 (else t may be anything above 0), where it is inside. */
static double from_face(v3 p, v3 u, v3 v, bool bounded) {
    double uu = dot(u, u), vv = dot(v, v), uv = dot(u, v), det = uu * vv - uv * uv, s, t;
    if (!(uu > 0 && vv > 0)) return HUGE_VAL;
    doubt = fmax(doubt, (sqrt(uu) + sqrt(vv)) * fmin(1e-15 * (uu * vv / fmax(det, 1e-30 * uu * vv)), 1e-6));
    if (!(det > 1e-12 * uu * vv)) return HUGE_VAL;
    s = (uv * dot(p, v) - vv * dot(p, u)) / det;
    t = (uv * dot(p, u) - uu * dot(p, v)) / det;
    if (s < 0 || t < 0 || (bounded ? s + t > 1 : s > 1)) return HUGE_VAL;
    p = along(along(p, u, s), v, t);
    return sqrt(dot(p, p));
}

/* The distance from 0 of the set of these points and at most one direction: that of its nearest vertex, edge or face. */
static double from_origin(const v3 *p, int n, const v3 *direction) {
    double best = HUGE_VAL;
    for (int i = 0; i < n; ++i) {
        best = fmin(best, from_edge(p[i], direction ? *direction : p[i], direction ? HUGE_VAL : 0));
        for (int j = 0; j < i; ++j) {
            v3 u = along(p[j], p[i], -1);
            best = fmin(best, from_edge(p[i], u, 1));
            if (direction) best = fmin(best, from_face(p[i], u, *direction, false));
            for (int k = 0; k < j; ++k) best = fmin(best, from_face(p[i], u, along(p[k], p[i], -1), true));
        }
    }
    return best;
}

static double part_distance(const cone *a, const cone *b) {
    v3 p[256], direction;
    int n = 0;
    bool endless = false;
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            const oracle_generator *x = &a->of[i], *y = &b->of[k];
            if (x->w.sign && y->w.sign) {
                exact3 d = exact3_sub(exact3_scale(y->x, x->w), exact3_scale(x->x, y->w));
                p[n++] = v3_of(&d, exact_to_double(exact_mul(x->w, y->w)));
            }
        }
    }
    for (int i = 0; i < a->count + b->count; ++i) {
        const oracle_generator *x = i < a->count ? &a->of[i] : &b->of[i - a->count];
        if (x->w.sign) continue;
        endless = true;
        direction = v3_of(&x->x, i < a->count ? -1.0 : 1.0);
    }
    return from_origin(p, n, endless ? &direction : NULL);
}

/* From the core of a sphere or capsule to a plane. */
static double plane_distance(const thing *round, const thing *flat) {
    double most = -HUGE_VAL, least = HUGE_VAL, n[3], d = (double)flat->as.plane.d, length;
    to_doubles(&flat->as.plane.n.x, n, 3);
    length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int i = 0; i < points_of(round); ++i) {
        double p[3], height;
        to_doubles(&round->as.corner[i].x, p, 3);
        height = (n[0] * p[0] + n[1] * p[1] + n[2] * p[2] - d) / length;
        most = fmax(most, height);
        least = fmin(least, height);
    }
    return fmax(least, flat->kind == KIND_plane ? fmax(-most, 0) : 0);
}

static double core_distance(const thing *a, const thing *b) {
    double best = HUGE_VAL;
    doubt = 0;
    if (b->kind == KIND_plane || b->kind == KIND_halfspace) return plane_distance(a, b);
    if (cores_meet(a, b, 0)) return 0;
    for (int i = 0; i < part_count(a); ++i) {
        for (int k = 0; k < part_count(b); ++k) {
            exact_pool pool = exact_begin();
            cone x = cone_of(a, i, 0), y = cone_of(b, k, 0);
            best = fmin(best, part_distance(&x, &y));
            exact_end(pool);
        }
    }
    return best;
}

/* ---- the comparison ---- */

static bool is_round(const thing *t) {
    return t->kind == KIND_sphere || t->kind == KIND_capsule;
}
static double radius_of(const thing *t) {
    return t->kind == KIND_sphere    ? (double)t->as.sphere.radius
           : t->kind == KIND_capsule ? (double)t->as.capsule.radius
                                     : 0;
}

static double most_of(const thing *t) {
    double x[3 * CORNERS];
    int n = numbers_of(t);
    to_doubles(&t->as.corner[0].x, x, n);
    return largest(x, n);
}

/* Is the answer one that the reference allows? */
static bool is_right(const pair *p, const thing *a, const thing *b, bool meet) {
    double size = most_of(a) + most_of(b), band = fmax(64 * (double)CD_REAL_EPSILON, 1e-12) * size;
    if (is_round(a) || is_round(b)) {
        double gap = core_distance(a, b) - radius_of(a) - radius_of(b);
        return fabs(gap) <= fmax(band, fmax(1e-9 * size, doubt)) || meet == (gap < 0);
    }
    if (p->how == EXACT) return meet == cores_meet(a, b, 0);
    return meet ? cores_meet(a, b, band) : !cores_meet(a, b, p->how == SURE ? 0 : -band);
}

static void note(const thing *a, const thing *b) {
    test_note("%s %s", kind_names[a->kind], kind_names[b->kind]);
    test_note_reals("a", &a->as.corner[0].x, numbers_of(a));
    test_note_reals("b", &b->as.corner[0].x, numbers_of(b));
}

/* One number is not one: they do not meet. (Infinite boxes are welcome.) */
static void check_bad_numbers(test_rng *rng, const pair *p, thing a, thing b) {
    thing *t = test_int(rng, 0, 1) ? &a : &b;
    cd_real bad = (cd_real)(t->kind == KIND_aabb || test_int(rng, 0, 1) ? NAN
                            : test_int(rng, 0, 1)                       ? INFINITY
                                                                        : -INFINITY);
    if (t->kind == KIND_hull) return;
    REALS(t->as)[test_int(rng, 0, numbers_of(t) - 1)] = bad;
    note(&a, &b);
    CHECK(!p->meet(&a, &b));
}

static bool check_pair(gen *g, const pair *p) {
    thing a, b;
    bool meet;
    draw_thing(g, &a, p->a);
    draw_thing(g, &b, p->b);
    bring_together(g, &b, &a);
    bring_together(g, &a, &b);
    if (p->b == KIND_plane || p->b == KIND_halfspace) bring_together(g, &b, &a);
    finish(&a);
    finish(&b);
    note(&a, &b);
    judged_by = is_round(&a) || is_round(&b) ? "judge" : "exact";
    meet = p->meet(&a, &b);
    CHECK(is_right(p, &a, &b, meet));
    judged_by = "swap";
    if (p->a == p->b) CHECK_INT(p->meet(&b, &a), meet);
    judged_by = "bad";
    check_bad_numbers(g->rng, p, a, b);
    judged_by = "order";
    turn_over(g->rng, &a);
    turn_over(g->rng, &b);
    note(&a, &b);
    if (p->how != LOOSE || is_right(p, &a, &b, !meet)) CHECK(p->how == LOOSE || p->meet(&a, &b) == meet);
    cd_hull_destroy(&a.hull);
    cd_hull_destroy(&b.hull);
    return meet;
}

static void every_pair(void) {
    test_rng rng = test_random();
    long met[PAIR_COUNT] = {0}, times = test_times(400);
    for (int i = 0; i < PAIR_COUNT; ++i) {
        for (long k = 0; k < times; ++k) {
            gen g = gen_begin(&rng, (gen_kind)(k % 5 ? test_int(&rng, 0, GEN_KINDS - 1) : GEN_GRID));
            met[i] += check_pair(&g, &pairs[i]);
        }
        test_note("%s %s met %ld times of %ld", kind_names[pairs[i].a], kind_names[pairs[i].b], met[i],
                  times);
        CHECK(times < 400 || (met[i] > 0 && met[i] < times)); /* half-spaces meet most things */
    }
}

/* Both references are right, or both wrong in the same way. */
static void references_agree(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        thing a, b;
        double x[9], y[9];
        draw_thing(&g, &a, KIND_triangle);
        draw_thing(&g, &b, KIND_triangle);
        b.as.triangle = gen_triangle_near(&g, &a.as.triangle);
        note(&a, &b);
        to_doubles(&a.as.corner[0].x, x, 9);
        to_doubles(&b.as.corner[0].x, y, 9);
        CHECK_INT(cores_meet(&a, &b, 0), oracle_triangle_triangle(x, y));
    }
}

void suite_overlap_table(void) {
    RUN(every_pair);
    RUN(references_agree);
}
