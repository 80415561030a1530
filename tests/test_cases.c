/* The real cases: hard inputs from other projects' tests and bug threads, with exact answers (see tests/cases/README.md).
 *
 * Exact routines have to agree in every class, tolerant ones wherever the answer is not on the boundary itself. */
#include "cases.h"
#include "gen.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

static void to_reals(const double *from, cd_real *to, int n) {
    for (int i = 0; i < n; ++i) to[i] = (cd_real)from[i];
}

static void check_predicate(const json *one, const json *expected) {
    cd_real p[16];
    double det;
    cases_reals(one, "points", p, 16);
    if (json_is(one, "routine", "orient2d")) {
        det = ASK(cases_family(),
                  cd_orient2d(cd_vec2_make(p[0], p[1]), cd_vec2_make(p[2], p[3]), cd_vec2_make(p[4], p[5])));
    } else if (json_is(one, "routine", "orient3d")) {
        det = ASK(cases_family(),
                  cd_orient3d(cd_vec3_make(p[0], p[1], p[2]), cd_vec3_make(p[3], p[4], p[5]),
                              cd_vec3_make(p[6], p[7], p[8]), cd_vec3_make(p[9], p[10], p[11])));
    } else if (json_is(one, "routine", "incircle")) {
        det = ASK(cases_family(), cd_incircle2d(cd_vec2_make(p[0], p[1]), cd_vec2_make(p[2], p[3]),
                                                cd_vec2_make(p[4], p[5]), cd_vec2_make(p[6], p[7])));
    } else {
        det =
            ASK(cases_family(), cd_insphere(cd_vec3_make(p[0], p[1], p[2]), cd_vec3_make(p[3], p[4], p[5]),
                                            cd_vec3_make(p[6], p[7], p[8]), cd_vec3_make(p[9], p[10], p[11]),
                                            cd_vec3_make(p[12], p[13], p[14])));
    }
    CHECK_INT((det > 0) - (det < 0), (int)json_real(expected, "sign"));
}

static void predicates(void) {
    cases_each("predicates", check_predicate);
}

static void check_tri_tri(const json *one, const json *expected) {
    cd_triangle a, b;
    cd_triangle_cut cut;
    bool want = json_true(expected, "intersect");
    cases_reals(one, "t1", REALS(a), 9);
    cases_reals(one, "t2", REALS(b), 9);
    CHECK_INT(ASK(cases_family(), cd_test_triangle_triangle(&a, &b)), want);
    CHECK_INT(ASK(cases_family(), cd_test_triangle_triangle(&b, &a)), want);
    CHECK_INT(ASK(cases_family(), cd_intersect_triangle_triangle(&a, &b, &cut)), want);
}

static void triangle_triangle(void) {
    cases_each("tri_tri", check_tri_tri);
}

static void check_ray_triangle(const json *one, const json *expected) {
    const json *hit = json_get(expected, "hit");
    double t_max = json_real(json_get(one, "input"), "t_max"), t = json_real(expected, "t");
    cd_ray r;
    cd_triangle tri;
    cd_hit h;
    bool got;
    cases_reals(one, "origin", REALS(r), 3);
    cases_reals(one, "dir", REALS(r.dir), 3);
    cases_reals(one, "tri", REALS(tri), 9);
    got = ASK(cases_family(),
              cd_cast_ray_triangle(&r, t_max == t_max ? (cd_real)t_max : CD_REAL_MAX, &tri, NULL, &h));
    if (!hit || hit->type == JSON_NULL) return; /* in the plane, or no area: no crash is asked */
    CHECK_INT(got, hit->type == JSON_TRUE);
    if (!got || t != t) return;
    CHECK_ULPS(h.t, t, 4, 1 + fabs(t));
    CHECK_NEAR(h.u, json_real(expected, "u"), 1e-5);
    CHECK_NEAR(h.v, json_real(expected, "v"), 1e-5);
    if (json_is(expected, "on", "interior")) CHECK_INT(CD_FEATURE_KIND(h.feature), CD_FEATURE_FACE);
    if (json_is(expected, "on", "edge")) CHECK_INT(CD_FEATURE_KIND(h.feature), CD_FEATURE_EDGE);
    if (json_is(expected, "on", "vertex")) CHECK_INT(CD_FEATURE_KIND(h.feature), CD_FEATURE_VERTEX);
}

static void ray_triangle(void) {
    cases_each("ray_triangle", check_ray_triangle);
}

static void check_ray_aabb(const json *one, const json *expected) {
    double t_max = json_real(json_get(one, "input"), "t_max"), t = json_real(expected, "tmin");
    cd_ray r;
    cd_aabb b;
    cd_hit h;
    bool got;
    cases_reals(one, "origin", REALS(r), 3);
    cases_reals(one, "dir", REALS(r.dir), 3);
    cases_reals(one, "min", REALS(b), 3);
    cases_reals(one, "max", REALS(b.max), 3);
    if (!cd_ray_is_valid(&r) || !cd_aabb_is_valid(b)) return; /* infinite boxes are no solids */
    got =
        ASK(cases_family(), cd_cast_ray_aabb(&r, t_max == t_max ? (cd_real)t_max : CD_REAL_MAX, b, NULL, &h));
    CHECK_INT(got, json_true(expected, "hit"));
    if (got) CHECK_ULPS(h.t, t, 4, fabs(t));
    if (got) CHECK_INT((h.flags & 2u) != 0 || h.t == 0, json_true(expected, "origin_inside") || t == 0);
}

static void ray_aabb(void) {
    cases_each("ray_aabb", check_ray_aabb);
}

static void check_point_triangle(const json *one, const json *expected) {
    static const char *const names[7] = {"A", "B", "C", "AB", "BC", "CA", "face"};
    static const uint32_t features[7] = {CD_FEATURE(1u, 0), CD_FEATURE(1u, 1), CD_FEATURE(1u, 2),
                                         CD_FEATURE(2u, 0), CD_FEATURE(2u, 1), CD_FEATURE(2u, 2),
                                         CD_FEATURE(3u, 0)};
    cd_vec3 p, want;
    cd_triangle t;
    cd_closest c;
    double size = 0.0, at[3];
    cases_reals(one, "p", REALS(p), 3);
    cases_reals(one, "tri", REALS(t), 9);
    json_reals(json_get(expected, "closest"), at, 3);
    to_reals(at, REALS(want), 3);
    for (int k = 0; k < 9; ++k) size = fmax(size, fabs((double)REALS(t)[k]));
    for (int k = 0; k < 3; ++k) size = fmax(size, fabs((double)REALS(p)[k]));
    c = ASK(cases_family(), cd_closest_pts_point_triangle(p, &t));
    CHECK_VEC(c.b, want, 4 * EPS * size);
    CHECK_ULPS(sqrt((double)c.sqdist), json_real(expected, "distance"), 4, size);
    for (int k = 0; k < 7; ++k) {
        if (cases_is(one, "clear") && json_is(expected, "feature", names[k]))
            CHECK_INT(c.feature_b, features[k]);
    }
}

static void point_triangle(void) {
    cases_each("point_triangle", check_point_triangle);
}

/* The hit of a case's ray, where it is no start. */
static void check_round_hit(const json *expected, const cd_ray *r, const cd_hit *h, double size) {
    double numbers[3], t = json_real(expected, "t");
    if (t != t) return;
    json_reals(json_get(expected, "point"), numbers, 3);
    CHECK_NEAR(h->t, t, 4 * EPS * size / (double)cd_vec3_length(r->dir));
    for (int k = 0; k < 3; ++k) CHECK_ULPS(REALS(h->point)[k], numbers[k], 4, size);
    CHECK_INT((h->flags & CD_HIT_START) != 0 || h->t == 0, json_true(expected, "origin_inside") || t == 0);
}

/* Where the line grazes the sphere, either answer will do. */
static void check_ray_sphere(const json *one, const json *expected) {
    const json *shape = json_get(json_get(one, "input"), "shape");
    double t_max = json_real(json_get(one, "input"), "t_max"), numbers[3];
    cd_ray r;
    cd_sphere s;
    cd_hit h;
    bool got;
    if (!cases_is(one, "ray_sphere")) return;
    cases_reals(one, "origin", REALS(r), 3);
    cases_reals(one, "dir", REALS(r.dir), 3);
    json_reals(json_get(shape, "center"), numbers, 3);
    to_reals(numbers, REALS(s.center), 3);
    s.radius = (cd_real)json_real(shape, "radius");
    if (!cd_ray_is_valid(&r)) return;
    got = ASK(cases_family(),
              cd_cast_ray_sphere(&r, t_max == t_max ? (cd_real)t_max : CD_REAL_MAX, s, NULL, &h));
    if (cases_is(one, "clear")) CHECK_INT(got, json_true(expected, "hit"));
    if (!got) return;
    check_round_hit(expected, &r, &h, (double)cd_vec3_dist(r.origin, s.center) + (double)s.radius);
}

/* Cylinders and capsules are written alike. Where the line grazes the side or a rim, either answer will do. */
static void check_ray_tube(const json *one, const json *expected) {
    const json *shape = json_get(json_get(one, "input"), "shape");
    double t_max = json_real(json_get(one, "input"), "t_max"), numbers[6];
    bool is_capsule = cases_is(one, "ray_capsule"), got;
    cd_real end = t_max == t_max ? (cd_real)t_max : CD_REAL_MAX;
    cd_ray r;
    cd_cylinder c;
    cd_capsule k;
    cd_hit h;
    if (!is_capsule && !cases_is(one, "ray_cylinder")) return;
    cases_reals(one, "origin", REALS(r), 3);
    cases_reals(one, "dir", REALS(r.dir), 3);
    json_reals(json_get(shape, "p"), numbers, 3);
    json_reals(json_get(shape, "q"), numbers + 3, 3);
    to_reals(numbers, REALS(c), 6);
    c.radius = (cd_real)json_real(shape, "radius");
    k.a = c.a;
    k.b = c.b;
    k.radius = c.radius;
    if (!cd_ray_is_valid(&r)) return;
    got = is_capsule ? ASK(cases_family(), cd_cast_ray_capsule(&r, end, &k, NULL, &h))
                     : cd_cast_ray_cylinder(&r, end, &c, NULL, &h);
    if (cases_is(one, "clear")) CHECK_INT(got, json_true(expected, "hit"));
    if (!got) return;
    check_round_hit(expected, &r, &h,
                    (double)cd_vec3_dist(r.origin, c.a) + (double)cd_vec3_dist(c.a, c.b) + (double)c.radius);
}

static void ray_capsule_cylinder(void) {
    cases_each("ray_capsule_cylinder", check_ray_tube);
}

static void ray_sphere(void) {
    cases_each("ray_capsule_cylinder", check_ray_sphere);
}

/* ---- boxes, one by one: what every tree has to find ---- */

enum { MOST_BOXES = 32 };

typedef struct box_list {
    cd_aabb box[MOST_BOXES];
    int count;
} box_list;

static cd_aabb read_aabb(const json *v) {
    double numbers[6];
    cd_aabb b;
    CHECK_INT(json_reals(json_get(v, "min"), numbers, 3), 3);
    CHECK_INT(json_reals(json_get(v, "max"), numbers + 3, 3), 3);
    to_reals(numbers, REALS(b), 6);
    return b;
}

/* Is the list of numbers [lo, ...] what was found? */
static void check_found(const json *list, const bool *found, int count) {
    double want[MOST_BOXES];
    int wanted = json_reals(list, want, MOST_BOXES), at = 0;
    for (int i = 0; i < count; ++i) {
        bool listed = at < wanted && want[at] == (double)i;
        CHECK_INT(found[i], listed);
        at += listed;
    }
    CHECK_INT(at, wanted);
}

static void check_overlaps(const json *query, const json *hits, const box_list *boxes) {
    cd_aabb q = read_aabb(query);
    bool found[MOST_BOXES];
    for (int i = 0; i < boxes->count; ++i)
        found[i] = ASK(cases_family(), cd_test_aabb_aabb(q, boxes->box[i]));
    check_found(hits, found, boxes->count);
}

static void check_ray_hits(const json *query, const json *want, const box_list *boxes) {
    bool found[MOST_BOXES];
    double numbers[6], t_max = json_real(query, "t_max");
    cd_hit h, best;
    cd_ray r;
    json_reals(json_get(query, "origin"), numbers, 3);
    json_reals(json_get(query, "dir"), numbers + 3, 3);
    to_reals(numbers, REALS(r), 6);
    if (!cd_ray_is_valid(&r)) return; /* a ray without direction */
    best.t = CD_REAL_MAX;
    best.index = CD_NONE;
    for (int i = 0; i < boxes->count; ++i) {
        found[i] = ASK(cases_family(), cd_cast_ray_aabb(&r, (cd_real)t_max, boxes->box[i], NULL, &h));
        if (!found[i] || h.t >= best.t) continue;
        best.t = h.t;
        best.index = (uint32_t)i;
    }
    check_found(json_get(want, "hits"), found, boxes->count);
    if (best.index == CD_NONE) return;
    CHECK_INT(best.index, (int)json_real(want, "nearest"));
    CHECK_ULPS(best.t, json_real(want, "nearest_t"), 4, (double)best.t);
}

static void check_self_pairs(const json *pairs, const box_list *boxes) {
    const json *pair = pairs->child;
    for (int i = 0; i < boxes->count; ++i) {
        for (int k = i + 1; k < boxes->count; ++k) {
            double want[2] = {-1, -1};
            bool listed = pair && json_reals(pair, want, 2) == 2 && want[0] == i && want[1] == k;
            CHECK_INT(ASK(cases_family(), cd_test_aabb_aabb(boxes->box[i], boxes->box[k])), listed);
            if (listed) pair = pair->next;
        }
    }
    CHECK(!pair);
}

static void check_closest_box(const json *query, const json *want, const box_list *boxes) {
    double at[3], nearest[MOST_BOXES], least = INFINITY, distance = json_real(want, "distance");
    int listed = json_reals(json_get(want, "nearest"), nearest, MOST_BOXES);
    cd_vec3 p;
    CHECK_INT(json_reals(json_get(query, "point"), at, 3), 3);
    to_reals(at, REALS(p), 3);
    for (int i = 0; i < boxes->count; ++i) {
        double d = (double)cd_vec3_dist(p, ASK(cases_family(), cd_closest_pt_point_aabb(p, boxes->box[i])));
        least = fmin(least, d);
        for (int k = 0; k < listed; ++k) {
            if (nearest[k] == i) CHECK_ULPS(d, distance, 4, distance);
        }
    }
    CHECK_ULPS(least, distance, 4, distance);
}

static void check_query(const json *query, const json *want, const box_list *boxes) {
    if (json_is(query, "type", "overlap")) check_overlaps(query, json_get(want, "hits"), boxes);
    if (json_is(query, "type", "ray")) check_ray_hits(query, want, boxes);
    if (json_is(query, "type", "self_pairs")) check_self_pairs(json_get(want, "pairs"), boxes);
    if (json_is(query, "type", "closest_box")) check_closest_box(query, want, boxes);
}

static void check_boxes(const json *one, const json *expected) {
    const json *input = json_get(one, "input"), *query = json_get(input, "queries"),
               *want = json_get(expected, "results"), *must_find = json_get(expected, "must_find");
    box_list boxes;
    boxes.count = 0;
    for (const json *b = json_get(input, "boxes")->child; b; b = b->next) {
        if (CHECK(boxes.count < MOST_BOXES)) boxes.box[boxes.count++] = read_aabb(b);
    }
    CHECK_INT(json_length(query), want ? json_length(want) : 1);
    if (must_find) check_overlaps(query->child, must_find, &boxes); /* infinite boxes, too */
    if (!want) return;
    for (query = query->child, want = want->child; query && want; query = query->next, want = want->next)
        check_query(query, want, &boxes);
}

static void aabb_tree(void) {
    cases_each("aabb_tree", check_boxes);
}

static bool read_box(const json *one, const char *name, cd_obb *b) {
    const json *box = json_get(json_get(one, "input"), name);
    double center[3], half[3], axes[9];
    if (json_reals(json_get(box, "center"), center, 3) != 3 ||
        json_reals(json_get(box, "half"), half, 3) != 3 || json_reals(json_get(box, "axes"), axes, 9) != 9) {
        return false;
    }
    to_reals(center, REALS(*b), 3);
    to_reals(half, REALS(b->half), 3);
    to_reals(axes, REALS(b->axes.col[0]), 9); /* the rows are the axes */
    return true;
}

/* Conservative: a meeting is never missed; a gap is seen when it is more than the error of the axes. */
static void check_obb_obb(const json *one, const json *expected) {
    cd_obb a, b;
    double gap = json_real(expected, "signed_distance"), sat = json_real(expected, "sat_max_separation"),
           size;
    if (!read_box(one, "a", &a) || !read_box(one, "b", &b)) return;
    if (!cd_mat3_is_rotation(&a.axes, (cd_real)1e-5) || !cd_mat3_is_rotation(&b.axes, (cd_real)1e-5)) return;
    size = (double)cd_vec3_length(a.half) + (double)cd_vec3_length(b.half) +
           (double)cd_vec3_dist(a.center, b.center);
    if (gap <= 0) CHECK(ASK(cases_family(), cd_test_obb_obb(&a, &b)));
    if (sat > 1e-5 * size) CHECK(!ASK(cases_family(), cd_test_obb_obb(&a, &b)));
    CHECK_INT(ASK(cases_family(), cd_test_obb_obb(&a, &b)), cd_test_obb_obb(&b, &a));
}

static void obb_obb(void) {
    cases_each("obb_obb", check_obb_obb);
}

void suite_cases(void) {
    RUN(predicates);
    RUN(triangle_triangle);
    RUN(ray_triangle);
    RUN(ray_aabb);
    RUN(ray_sphere);
    RUN(ray_capsule_cylinder);
    RUN(point_triangle);
    RUN(aabb_tree);
    RUN(obb_obb);
}
