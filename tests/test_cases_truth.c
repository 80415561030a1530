/* The stored answers of the real cases, found once more by the exact references of oracle.h: predicates, triangles,
 * segments, rays, boxes and moving primitives. (Convex bodies and clouds of points: test_cases_hulls.c.) */
#include "cases.h"
#include "gen.h"
#include "oracle.h"
#include <float.h>
#include <math.h>
#include <string.h>

static bool is_vertex_face(const json *one) {
    return json_is(one, "routine", "ccd_vertex_face");
}

/* ---- predicates ---- */

static void check_sign(const json *one, const json *expected) {
    double p[15];
    int sign = 2;
    cases_doubles(one, "points", p, 15);
    if (cases_is(one, "orient2d")) sign = oracle_orient2d(p, p + 2, p + 4);
    if (cases_is(one, "orient3d")) sign = oracle_orient3d(p, p + 3, p + 6, p + 9);
    if (cases_is(one, "incircle")) sign = oracle_incircle(p, p + 2, p + 4, p + 6);
    if (cases_is(one, "insphere")) sign = oracle_insphere(p, p + 3, p + 6, p + 9, p + 12);
    CHECK_INT(sign, (int)json_real(expected, "sign"));
    CHECK(json_real(expected, "value_approx") * sign >= 0);
}

static void predicates(void) {
    cases_each("predicates", check_sign);
}

/* ---- triangles ---- */

static bool has_no_area(const double t[9]) {
    exact_pool pool = exact_begin();
    exact3 a = exact3_from(t);
    bool flat =
        exact3_is_zero(exact3_cross(exact3_sub(exact3_from(t + 3), a), exact3_sub(exact3_from(t + 6), a)));
    exact_end(pool);
    return flat;
}

/* Of two triangles that do not meet: between two edges, or a corner and a face. */
static double distance_apart(const double t[9], const double u[9]) {
    double least = INFINITY;
    for (int i = 0; i < 3; ++i) {
        least = fmin(least, oracle_point_triangle(t + 3 * i, u).squared);
        least = fmin(least, oracle_point_triangle(u + 3 * i, t).squared);
        for (int k = 0; k < 3; ++k) {
            double s[6], r[6];
            memcpy(s, t + 3 * i, sizeof s / 2);
            memcpy(s + 3, t + (3 * i + 3) % 9, sizeof s / 2);
            memcpy(r, u + 3 * k, sizeof r / 2);
            memcpy(r + 3, u + (3 * k + 3) % 9, sizeof r / 2);
            least = fmin(least, oracle_segment_segment(s, r).squared);
        }
    }
    return least;
}

static int shared_corners(const double t[9], const double u[9]) {
    int count = 0;
    for (int i = 0; i < 9; ++i) count += memcmp(t + 3 * (i / 3), u + 3 * (i % 3), 3 * sizeof *t) == 0;
    return count;
}

static void check_sides(const double t[9], const double u[9], const json *list, bool *coplanar) {
    double sign[3];
    int turned = 0, straight = 0;
    CHECK_INT(json_reals(list, sign, 3), 3);
    for (int i = 0; i < 3; ++i) {
        int side = oracle_orient3d(t, t + 3, t + 6, u + 3 * i);
        straight += side == (int)sign[i];
        turned += side == -(int)sign[i];
        if (side) *coplanar = false;
    }
    CHECK(straight == 3 || turned == 3);
}

static void check_triangles(const json *one, const json *expected) {
    const json *degenerate = json_get(expected, "degenerate");
    ratio distance2 = json_ratio(json_get(expected, "distance2"));
    double t[9], u[9], squared = ratio_to_double(distance2);
    bool meet, coplanar = true;
    cases_doubles(one, "t1", t, 9);
    cases_doubles(one, "t2", u, 9);
    meet = oracle_triangle_triangle(t, u);
    CHECK_INT(meet, json_true(expected, "intersect"));
    CHECK_SAME(meet ? 0 : distance_apart(t, u), squared);
    CHECK_SAME(ratio_sqrt(distance2), json_real(expected, "distance"));
    check_sides(t, u, json_get(expected, "signs_of_t2_about_plane1"), &coplanar);
    check_sides(u, t, json_get(expected, "signs_of_t1_about_plane2"), &coplanar);
    CHECK_INT(shared_corners(t, u) >= (int)json_real(expected, "shared_vertices"), 1);
    CHECK_INT(has_no_area(t), degenerate->child->type == JSON_TRUE);
    CHECK_INT(has_no_area(u), degenerate->child->next->type == JSON_TRUE);
    if (!has_no_area(t) && !has_no_area(u)) CHECK_INT(coplanar, json_true(expected, "coplanar"));
}

static void triangles(void) {
    cases_each("tri_tri", check_triangles);
}

static void check_nearest(const json *one, const json *expected) {
    static const char *const names[7] = {"A", "B", "C", "AB", "BC", "CA", "face"};
    double p[3], t[9], closest[3];
    oracle_nearest n;
    cases_doubles(one, "p", p, 3);
    cases_doubles(one, "tri", t, 9);
    n = oracle_point_triangle(p, t);
    json_reals(json_get(expected, "closest"), closest, 3);
    for (int k = 0; k < 3; ++k) CHECK_SAME(n.point[k], closest[k]);
    CHECK_SAME(n.squared, ratio_to_double(json_ratio(json_get(expected, "distance2"))));
    CHECK_SAME(n.distance, json_real(expected, "distance"));
    CHECK(json_is(expected, "feature", names[n.feature]));
    CHECK_INT(has_no_area(t), json_true(expected, "degenerate_triangle"));
}

static void points_and_triangles(void) {
    cases_each("point_triangle", check_nearest);
}

/* ---- segments ---- */

/* The stored pair is on the segments, as far apart as they are. */
static void check_pair(const double s[6], const double t[6], const json *expected, double distance) {
    double c[2][3], at[2] = {json_real(expected, "s"), json_real(expected, "t")}, apart[3];
    double size = fmax(largest(s, 6), largest(t, 6)), length;
    json_reals(json_get(expected, "c1"), c[0], 3);
    json_reals(json_get(expected, "c2"), c[1], 3);
    for (int i = 0; i < 2; ++i) {
        const double *from = i ? t : s;
        CHECK(at[i] >= 0 && at[i] <= 1);
        for (int k = 0; k < 3; ++k)
            CHECK_NEAR(from[k] + at[i] * (from[3 + k] - from[k]), c[i][k], 8 * DBL_EPSILON * size);
    }
    for (int k = 0; k < 3; ++k) apart[k] = c[0][k] - c[1][k];
    length = sqrt(apart[0] * apart[0] + apart[1] * apart[1] + apart[2] * apart[2]);
    CHECK_NEAR(length, distance, 8 * DBL_EPSILON * size);
}

/* The squared sine of the angle between them; NaN where one has no length. */
static void check_angle(const double s[6], const double t[6], double sine2) {
    exact3 a = exact3_sub(exact3_from(s + 3), exact3_from(s)),
           b = exact3_sub(exact3_from(t + 3), exact3_from(t));
    exact3 normal = exact3_cross(a, b);
    exact lengths = exact_mul(exact3_dot(a, a), exact3_dot(b, b));
    CHECK_INT(lengths.sign == 0, sine2 != sine2);
    if (lengths.sign) CHECK_SAME(ratio_to_double(ratio_make(exact3_dot(normal, normal), lengths)), sine2);
}

static void check_segments(const json *one, const json *expected) {
    const json *degenerate = json_get(expected, "degenerate");
    double s[6], t[6], squared = ratio_to_double(json_ratio(json_get(expected, "distance2")));
    oracle_distance d;
    cases_doubles(one, "p1", s, 3);
    cases_doubles(one, "q1", s + 3, 3);
    cases_doubles(one, "p2", t, 3);
    cases_doubles(one, "q2", t + 3, 3);
    d = oracle_segment_segment(s, t);
    CHECK_SAME(d.squared, squared);
    CHECK_SAME(d.distance, json_real(expected, "distance"));
    CHECK_INT(d.parallel, json_true(expected, "exactly_parallel"));
    CHECK_INT(memcmp(s, s + 3, 3 * sizeof *s) == 0, degenerate->child->type == JSON_TRUE);
    CHECK_INT(memcmp(t, t + 3, 3 * sizeof *t) == 0, degenerate->child->next->type == JSON_TRUE);
    check_pair(s, t, expected, d.distance);
    check_angle(s, t, json_real(expected, "sin2_angle"));
}

static void segments(void) {
    cases_each("segment_segment", check_segments);
}

/* ---- rays ---- */

static double t_max_of(const json *one) {
    double t_max = json_real(json_get(one, "input"), "t_max");
    return t_max == t_max ? t_max : INFINITY;
}

static void check_ray_triangle(const json *one, const json *expected) {
    const json *hit = json_get(expected, "hit");
    double o[3], d[3], tri[9];
    oracle_crossing c;
    cases_doubles(one, "origin", o, 3);
    cases_doubles(one, "dir", d, 3);
    cases_doubles(one, "tri", tri, 9);
    c = oracle_ray_triangle(o, d, tri, false);
    CHECK_INT(c.parallel_or_degenerate, hit->type == JSON_NULL);
    if (c.parallel_or_degenerate) return;
    CHECK_INT(c.hit && c.t <= t_max_of(one), hit->type == JSON_TRUE);
    CHECK_SAME(c.t + 0.0, json_real(expected, "t"));
    CHECK_SAME(c.t + 0.0, ratio_to_double(json_ratio(json_get(expected, "t_exact"))));
    CHECK_SAME(c.u + 0.0, json_real(expected, "u"));
    CHECK_SAME(c.v + 0.0, json_real(expected, "v"));
    CHECK_SAME(c.w + 0.0, json_real(expected, "w"));
    if (!c.hit) return;
    CHECK_INT(c.zero_weights == 0, json_is(expected, "on", "interior"));
    CHECK_INT(c.zero_weights == 1 || c.zero_weights == 2 || c.zero_weights == 4,
              json_is(expected, "on", "edge"));
}

static void rays_and_triangles(void) {
    cases_each("ray_triangle", check_ray_triangle);
}

static void check_ray_box(const json *one, const json *expected) {
    double o[3], d[3], lo[3], hi[3], t_out = json_real(expected, "tmax");
    oracle_span span;
    cases_doubles(one, "origin", o, 3);
    cases_doubles(one, "dir", d, 3);
    cases_doubles(one, "min", lo, 3);
    cases_doubles(one, "max", hi, 3);
    if (!(fmax(largest(lo, 3), largest(hi, 3)) <= DBL_MAX)) return;
    span = oracle_ray_box(o, d, lo, hi);
    CHECK_INT(span.hit_ray && span.t_in <= t_max_of(one), json_true(expected, "hit"));
    if (!json_true(expected, "hit")) return;
    CHECK_SAME(fmax(span.t_in, 0), json_real(expected, "tmin"));
    CHECK_SAME(ratio_to_double(json_ratio(json_get(expected, "tmin_exact"))), json_real(expected, "tmin"));
    if (json_true(expected, "single_point")) CHECK_SAME(t_out, json_real(expected, "tmin"));
    if (t_out == t_out) CHECK_SAME(fmin(span.t_out, t_max_of(one)), t_out);
}

static void rays_and_boxes(void) {
    cases_each("ray_aabb", check_ray_box);
}

/* q(t) = |o + t d - c|^2 - r^2 = a t^2 + 2 b t + c, exactly. */
typedef struct quadratic {
    exact a, b, c;
} quadratic;

static quadratic along_sphere(const double o[3], const double d[3], const double center[3], double radius) {
    exact3 from = exact3_sub(exact3_from(o), exact3_from(center)), along = exact3_from(d);
    exact r = exact_from(radius);
    quadratic q;
    q.a = exact3_dot(along, along);
    q.b = exact3_dot(from, along);
    q.c = exact_sub(exact3_dot(from, from), exact_mul(r, r));
    return q;
}

static int discriminant_sign(const quadratic *q) {
    return exact_sub(exact_mul(q->b, q->b), exact_mul(q->a, q->c)).sign;
}

static int sign_at(const quadratic *q, double t) {
    exact x = exact_from(t), twice_b = exact_add(q->b, q->b);
    return exact_add(exact_mul(exact_add(exact_mul(q->a, x), twice_b), x), q->c).sign;
}

/* The start is inside; or the line meets the sphere ahead, and by t_max it is inside or beyond the middle. */
static bool meets_sphere(const quadratic *q, double t_max) {
    exact middle;
    if (q->c.sign <= 0) return true;
    if (q->b.sign >= 0 || discriminant_sign(q) < 0) return false;
    if (!(t_max <= DBL_MAX)) return true;
    middle = exact_add(exact_mul(q->a, exact_from(t_max)), q->b);
    return middle.sign >= 0 || sign_at(q, t_max) <= 0;
}

static void check_sphere(const json *one, const json *expected, const double o[3], const double d[3]) {
    const json *shape = json_get(json_get(one, "input"), "shape");
    double center[3], sign = json_real(expected, "discriminant_sign"), t = json_real(expected, "t");
    double t_exit = json_real(expected, "t_exit");
    quadratic q;
    json_reals(json_get(shape, "center"), center, 3);
    q = along_sphere(o, d, center, json_real(shape, "radius"));
    CHECK_INT(meets_sphere(&q, t_max_of(one)), json_true(expected, "hit"));
    if (sign == sign) CHECK_INT(discriminant_sign(&q), (int)sign);
    if (!json_true(expected, "hit")) return;
    CHECK_INT(q.c.sign <= 0, json_true(expected, "origin_inside") || t == 0);
    if (t_exit == t_exit && discriminant_sign(&q) > 0)
        CHECK(sign_at(&q, t_exit * (1 - 4 * DBL_EPSILON)) <= 0 &&
              sign_at(&q, t_exit * (1 + 4 * DBL_EPSILON)) > 0);
    if (t == 0) return;
    CHECK(sign_at(&q, t * (1 - 4 * DBL_EPSILON)) > 0); /* t is the nearest double */
    CHECK(discriminant_sign(&q) == 0 || sign_at(&q, t * (1 + 4 * DBL_EPSILON)) <= 0);
}

/* A ray misses a capsule when its segment up to t_max stays farther from the axis than the radius. */
static void check_capsule(const json *one, const json *expected, const double o[3], const double d[3]) {
    const json *shape = json_get(json_get(one, "input"), "shape");
    double axis[6], s[6], radius = json_real(shape, "radius"), t_max = fmin(t_max_of(one), 1024), distance;
    json_reals(json_get(shape, "p"), axis, 3);
    json_reals(json_get(shape, "q"), axis + 3, 3);
    for (int k = 0; k < 3; ++k) {
        s[k] = o[k];
        s[3 + k] = o[k] + t_max * d[k];
    }
    distance = oracle_segment_segment(s, axis).distance;
    CHECK_INT(distance <= radius, json_true(expected, "hit"));
    if (!json_true(expected, "hit")) return;
    CHECK_INT(oracle_point_segment(o, axis).distance <= radius, json_true(expected, "origin_inside"));
    json_reals(json_get(expected, "point"), s, 3);
    distance = oracle_point_segment(s, axis).distance;
    if (!json_true(expected, "origin_inside")) CHECK_NEAR(distance, radius, 8 * DBL_EPSILON * radius);
}

/* How far out p is: of the radius, and of the caps. */
static void check_cylinder(const json *one, const json *expected, const double o[3], const double d[3]) {
    const json *shape = json_get(json_get(one, "input"), "shape");
    double axis[6], p[3], v[3], radius = json_real(shape, "radius"), length2 = 0, along = 0, across = 0;
    (void)o;
    (void)d;
    if (!json_true(expected, "hit") || json_true(expected, "origin_inside")) return;
    json_reals(json_get(shape, "p"), axis, 3);
    json_reals(json_get(shape, "q"), axis + 3, 3);
    json_reals(json_get(expected, "point"), p, 3);
    for (int k = 0; k < 3; ++k) {
        v[k] = axis[3 + k] - axis[k];
        length2 += v[k] * v[k];
        along += v[k] * (p[k] - axis[k]);
    }
    along /= length2;
    for (int k = 0; k < 3; ++k) across += pow(p[k] - axis[k] - along * v[k], 2);
    across = sqrt(across) / radius;
    CHECK(along >= -4 * DBL_EPSILON && along <= 1 + 4 * DBL_EPSILON && across <= 1 + 4 * DBL_EPSILON);
    CHECK(fabs(along) <= 4 * DBL_EPSILON || fabs(along - 1) <= 4 * DBL_EPSILON ||
          fabs(across - 1) <= 4 * DBL_EPSILON);
}

static void check_ray_solid(const json *one, const json *expected) {
    double o[3], d[3], point[3], t = json_real(expected, "t");
    cases_doubles(one, "origin", o, 3);
    cases_doubles(one, "dir", d, 3);
    if (cases_is(one, "ray_sphere")) check_sphere(one, expected, o, d);
    if (cases_is(one, "ray_capsule")) check_capsule(one, expected, o, d);
    if (cases_is(one, "ray_cylinder")) check_cylinder(one, expected, o, d);
    CHECK_INT(json_true(expected, "hit"), t >= 0);
    if (!json_true(expected, "hit")) return;
    json_reals(json_get(expected, "point"), point, 3);
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(o[k] + t * d[k], point[k], 4 * DBL_EPSILON * (fabs(o[k]) + fabs(t * d[k])));
}

static void rays_and_solids(void) {
    cases_each("ray_capsule_cylinder", check_ray_solid);
}

/* ---- oriented boxes ---- */

static oracle_box read_box(const json *one, const char *name) {
    const json *v = json_get(json_get(one, "input"), name);
    oracle_box b;
    json_reals(json_get(v, "center"), b.center, 3);
    json_reals(json_get(v, "half"), b.half, 3);
    json_reals(json_get(v, "axes"), b.axis[0], 9);
    return b;
}

static bool lists(const json *words, const char *word) {
    for (const json *v = words ? words->child : NULL; v; v = v->next) {
        if (v->text && strcmp(v->text, word) == 0) return true;
    }
    return false;
}

static void check_axes(int axes, const json *list) {
    for (int bit = 0; bit < 15; ++bit) {
        char name[8];
        memcpy(name, bit < 3 ? "faceA0" : bit < 6 ? "faceB0" : "edge00", 7);
        name[5] = (char)('0' + bit % 3);
        if (bit >= 6) name[4] = (char)('0' + (bit - 6) / 3);
        CHECK_INT(axes >> bit & 1, lists(list, name));
    }
}

static int parallel_edges(const oracle_box *a, const oracle_box *b) {
    int count = 0;
    for (int i = 0; i < 9; ++i)
        count += exact3_is_zero(exact3_cross(exact3_from(a->axis[i / 3]), exact3_from(b->axis[i % 3])));
    return count;
}

static void check_boxes(const json *one, const json *expected) {
    oracle_box a = read_box(one, "a"), b = read_box(one, "b");
    oracle_gap gap = oracle_box_box(&a, &b);
    CHECK_INT(gap.overlap, json_true(expected, "overlap"));
    CHECK_SAME(gap.separation, json_real(expected, "sat_max_separation"));
    check_axes(gap.axes, json_get(expected, "sat_axes_at_max"));
    CHECK_INT(parallel_edges(&a, &b), (int)json_real(expected, "exactly_parallel_edge_pairs"));
    if (gap.overlap) CHECK_SAME(gap.separation, json_real(expected, "signed_distance"));
}

static void oriented_boxes(void) {
    cases_each("obb_obb", check_boxes);
    cases_each("box_box_manifold", check_boxes);
}

/* ---- boxes of trees ---- */

static bool ray_meets(const json *query, const json *box) {
    double o[3], d[3], lo[3], hi[3];
    oracle_span span;
    json_reals(json_get(query, "origin"), o, 3);
    json_reals(json_get(query, "dir"), d, 3);
    json_reals(json_get(box, "min"), lo, 3);
    json_reals(json_get(box, "max"), hi, 3);
    span = oracle_ray_box(o, d, lo, hi);
    return span.hit_ray && span.t_in <= json_real(query, "t_max");
}

static void check_tree(const json *one, const json *expected) {
    const json *query = json_get(json_get(one, "input"), "queries"), *want = json_get(expected, "results");
    if (!want || cases_is(one, "aabb_tree_build")) return;
    for (query = query->child, want = want->child; query; query = query->next, want = want->next) {
        double hits[32];
        int count = json_reals(json_get(want, "hits"), hits, 32), at = 0, index = 0;
        if (!json_is(query, "type", "ray")) continue;
        for (const json *b = json_get(json_get(one, "input"), "boxes")->child; b; b = b->next, ++index) {
            bool listed = at < count && hits[at] == index;
            CHECK_INT(ray_meets(query, b), listed);
            at += listed;
        }
    }
}

static void rays_through_trees(void) {
    cases_each("aabb_tree", check_tree);
}

/* ---- moving primitives: four points, coplanar where a cubic in t is 0 ---- */

typedef struct motion {
    exact3 start[4], end[4];
} motion;

static motion read_motion(const json *one) {
    static const char *const names[2][4] = {{"ea0", "ea1", "eb0", "eb1"}, {"v", "f0", "f1", "f2"}};
    motion m;
    for (int i = 0; i < 4; ++i) {
        char name[8];
        double p[3];
        size_t length = strlen(names[is_vertex_face(one)][i]);
        memcpy(name, names[is_vertex_face(one)][i], length);
        memcpy(name + length, "_t0", 4);
        cases_doubles(one, name, p, 3);
        m.start[i] = exact3_from(p);
        name[length + 2] = '1';
        cases_doubles(one, name, p, 3);
        m.end[i] = exact3_from(p);
    }
    return m;
}

/* The four points at t, times its denominator. */
static void points_at(const motion *m, ratio t, exact3 p[4]) {
    exact rest = exact_sub(t.den, t.num);
    for (int i = 0; i < 4; ++i)
        p[i] = exact3_add(exact3_scale(m->start[i], rest), exact3_scale(m->end[i], t.num));
}

/* The sign of the volume that p[0], p[1], p[2], p[3] span. */
static int volume_sign(const motion *m, double t) {
    exact3 p[4];
    points_at(m, ratio_make(exact_from(t), exact_power(0)), p);
    return exact3_triple(exact3_sub(p[1], p[0]), exact3_sub(p[2], p[0]), exact3_sub(p[3], p[0])).sign;
}

/* det of the edges, each taken at the start or the end: the coefficients of the cubic in Bernstein form, up to binomials. */
static bool never_coplanar(const motion *m) {
    exact3 edge[2][3];
    exact sum[4];
    for (int k = 0; k < 3; ++k) {
        edge[0][k] = exact3_sub(m->start[k + 1], m->start[0]);
        edge[1][k] = exact3_sub(m->end[k + 1], m->end[0]);
    }
    for (int k = 0; k < 4; ++k) sum[k] = exact_from(0);
    for (int bits = 0; bits < 8; ++bits) {
        int k = (bits & 1) + (bits >> 1 & 1) + (bits >> 2);
        sum[k] =
            exact_add(sum[k], exact3_triple(edge[bits & 1][0], edge[bits >> 1 & 1][1], edge[bits >> 2][2]));
    }
    return sum[0].sign != 0 && sum[1].sign * sum[0].sign >= 0 && sum[2].sign * sum[0].sign >= 0 &&
           sum[3].sign == sum[0].sign;
}

/* Do the points touch just then? They do when the distance of the rounded ones is next to nothing, and at an exact time
 * it is decided. */
static void corners_to_doubles(const exact3 p[4], exact den, double out[12]) {
    for (int i = 0; i < 12; ++i) out[i] = ratio_to_double(ratio_make(p[i / 3].c[i % 3], den));
}

static double distance_at(const json *one, const motion *m, ratio t) {
    exact3 p[4];
    double v[12];
    points_at(m, t, p);
    corners_to_doubles(p, t.den, v);
    return is_vertex_face(one) ? oracle_point_triangle(v, v + 3).distance
                               : oracle_segment_segment(v, v + 6).distance;
}

static void check_contact(const json *one, const json *expected, const motion *m, double size) {
    const json *text = json_get(expected, "toi_exact_if_rational");
    double toi = json_real(expected, "toi"), before = nextafter(toi, -1), after = nextafter(toi, 2);
    bool is_rational = text && text->type == JSON_STRING;
    ratio t = is_rational ? json_ratio(text) : ratio_make(exact_from(toi), exact_power(0));
    CHECK_NEAR(distance_at(one, m, t), 0, 16 * DBL_EPSILON * size);
    if (is_rational) CHECK_SAME(ratio_to_double(t), toi);
    if (is_rational) CHECK(distance_at(one, m, t) <= 4 * DBL_EPSILON * size);
    CHECK(volume_sign(m, before) * volume_sign(m, after) <= 0 || volume_sign(m, toi) == 0);
}

static void check_motion(const json *one, const json *expected) {
    motion m = read_motion(one);
    const json *within = json_get(expected, "collision_within_t_max");
    double size = 0, least = json_real(expected, "min_separation");
    for (int i = 0; i < 12; ++i) {
        size = fmax(size, fabs(exact_to_double(m.start[i / 3].c[i % 3])));
        size = fmax(size, fabs(exact_to_double(m.end[i / 3].c[i % 3])));
    }
    CHECK_INT(json_true(expected, "collision"), json_real(expected, "toi") >= 0);
    CHECK_INT(json_true(expected, "collision"), !(least > 0));
    if (json_true(expected, "collision")) {
        CHECK(!never_coplanar(&m));
        check_contact(one, expected, &m, size);
        if (within && within->type != JSON_NULL)
            CHECK_INT(within->type == JSON_TRUE, json_real(expected, "toi") <= t_max_of(one));
        return;
    }
    for (int i = 0; i <= 8; ++i) {
        ratio t = ratio_make(exact_from(i), exact_from(8));
        CHECK(distance_at(one, &m, t) >= least - 1e-6 * size - 1e-6 * least);
    }
}

static void moving_primitives(void) {
    cases_each("ccd_vf_ee", check_motion);
}

void suite_cases_truth(void) {
    RUN(predicates);
    RUN(triangles);
    RUN(points_and_triangles);
    RUN(segments);
    RUN(rays_and_triangles);
    RUN(rays_and_boxes);
    RUN(rays_and_solids);
    RUN(oriented_boxes);
    RUN(rays_through_trees);
    RUN(moving_primitives);
}
