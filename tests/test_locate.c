/* Points, segments and spheres against planes, spheres and boxes: exact signs against exact arithmetic. */
#include "gen.h"
#include "oracle.h"
#include <float.h>
#include <math.h>

static exact number(cd_real x) {
    return exact_from((double)x);
}

static int clamp_sign(int s) {
    return (s > 0) - (s < 0);
}

/* A point of the plane, as near as the number type has one. */
static cd_vec3 near_plane(gen *g, cd_plane h) {
    cd_vec3 p = gen_point(g);
    int k = test_int(g->rng, 0, 2), i = (k + 1) % 3, j = (k + 2) % 3;
    double n = (double)REALS(h.n)[k], rest = (double)h.d - (double)REALS(h.n)[i] * (double)REALS(p)[i] -
                                             (double)REALS(h.n)[j] * (double)REALS(p)[j];
    if (n != 0.0 && fabs(rest / n) < 1e30) REALS(p)[k] = (cd_real)(rest / n);
    return p;
}

static int plane_side(cd_plane h, cd_vec3 p) {
    exact_pool pool = exact_begin();
    exact sum = exact_negate(number(h.d));
    for (int i = 0; i < 3; ++i) sum = exact_add(sum, exact_mul(number(REALS(h.n)[i]), number(REALS(p)[i])));
    exact_end(pool);
    return sum.sign;
}

static void planes(void) {
    test_rng rng = test_random();
    int on = 0;
    for (long i = test_times(40000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_plane h;
        cd_segment s;
        int a, b;
        h.n = gen_direction(&g);
        h.d = gen_point(&g).x;
        s.a = near_plane(&g, h);
        s.b = near_plane(&g, h);
        if (!cd_plane_is_valid(&h)) continue;
        a = plane_side(h, s.a);
        b = plane_side(h, s.b);
        on += a == 0;
        test_note("");
        test_note_reals("n d", REALS(h), 4);
        test_note_reals("s", REALS(s), 6);
        CHECK_INT(ASK("exact", cd_locate_point_plane(s.a, h)), -a);
        CHECK_INT(ASK("exact", cd_test_segment_plane(&s, h)), a * b <= 0);
    }
    CHECK_SEEN(on > 0);
}

/* The sign of |p - q|^2 - (r + s)^2. */
static int compare_distance(const double p[3], const double q[3], double r, double s) {
    exact_pool pool = exact_begin();
    exact3 d = exact3_sub(exact3_from(p), exact3_from(q));
    exact sum = exact_add(exact_from(r), exact_from(s));
    int sign = exact_compare(exact3_dot(d, d), exact_mul(sum, sum));
    exact_end(pool);
    return clamp_sign(sign);
}

/* Spheres made to touch, as near as the number type allows; on the grid many do exactly. */
static void spheres(void) {
    test_rng rng = test_random();
    int touching = 0;
    for (long i = test_times(40000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_sphere s = gen_sphere(&g), r = gen_sphere(&g);
        cd_aabb b = gen_aabb(&g);
        cd_vec3 p = gen_point(&g);
        double c[3], d[3], near[3];
        int sign;
        if (test_int(&rng, 0, 1)) s.radius = cd_vec3_dist(s.center, p);
        if (test_int(&rng, 0, 1)) r.radius = cd_vec3_dist(s.center, r.center) - s.radius;
        to_doubles(REALS(s), c, 3);
        to_doubles(REALS(p), d, 3);
        test_note("");
        test_note_reals("s", REALS(s), 4);
        test_note_reals("r", REALS(r), 4);
        test_note_reals("p", REALS(p), 3);
        test_note_reals("b", REALS(b), 6);
        sign = compare_distance(c, d, (double)s.radius, 0.0);
        touching += sign == 0;
        CHECK_INT(ASK("exact", cd_locate_point_sphere(p, s)), -sign);
        CHECK_INT(ASK("exact", cd_test_point_sphere(p, s)), sign <= 0);
        to_doubles(REALS(r), d, 3);
        sign = compare_distance(c, d, (double)s.radius, (double)r.radius);
        CHECK_INT(ASK("exact", cd_test_sphere_sphere(s, r)), r.radius >= 0 && sign <= 0);
        CHECK_INT(ASK("exact", cd_test_sphere_sphere(r, s)), r.radius >= 0 && sign <= 0);
        if (test_int(&rng, 0, 1))
            s.radius = cd_vec3_dist(s.center, cd_vec3_max(b.min, cd_vec3_min(b.max, s.center)));
        for (int k = 0; k < 3; ++k) near[k] = fmax((double)REALS(b)[k], fmin((double)REALS(b.max)[k], c[k]));
        sign = compare_distance(c, near, (double)s.radius, 0.0);
        CHECK_INT(ASK("exact", cd_test_sphere_aabb(s, b)), !cd_aabb_is_empty(b) && sign <= 0);
    }
    CHECK_SEEN(touching > 0);
}

static void boxes(void) {
    cd_aabb b = {{0, 0, 0}, {1, 2, 3}};
    CHECK_INT(ASK("exact", cd_locate_point_aabb(cd_vec3_make(1, 1, 1), b)), 0);
    CHECK_INT(ASK("exact", cd_locate_point_aabb(cd_vec3_make((cd_real)0.5, 1, 1), b)), 1);
    CHECK_INT(ASK("exact", cd_locate_point_aabb(cd_vec3_make((cd_real)0.5, 1, 4), b)), -1);
    CHECK_INT(ASK("exact", cd_locate_point_aabb(cd_vec3_make(0, 0, 0), cd_aabb_empty())), -1);
    b.max = b.min;
    CHECK_INT(ASK("exact", cd_locate_point_aabb(b.min, b)), 0);
}

/* With axes along the frame's, turned by quarters: as an axis-aligned one, exactly on small numbers. */
static void oriented_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_GRID);
        cd_aabb b = gen_aabb(&g);
        cd_vec3 p = gen_point(&g), x, half;
        cd_obb o;
        if (cd_aabb_is_empty(b)) continue;
        o = cd_obb_from_aabb(b);
        x = o.axes.col[0];
        half = o.half;
        o.axes.col[0] = o.axes.col[1];
        o.axes.col[1] = cd_vec3_neg(x);
        o.half.x = half.y;
        o.half.y = half.x;
        test_note("");
        test_note_reals("p", REALS(p), 3);
        test_note_reals("b", REALS(b), 6);
        CHECK_INT(ASK("judge", cd_locate_point_obb(p, &o)), cd_locate_point_aabb(p, b));
        CHECK_INT(ASK("judge", cd_test_point_obb(p, &o)), cd_locate_point_aabb(p, b) >= 0);
        o.half.z = -1;
        CHECK_INT(ASK("judge", cd_locate_point_obb(o.center, &o)), -1);
        o.half.z = (cd_real)INFINITY;
        CHECK_INT(ASK("judge", cd_locate_point_obb(o.center, &o)), -1);
        o.half.z = 1;
        p.y = (cd_real)NAN;
        CHECK_INT(ASK("judge", cd_locate_point_obb(p, &o)), -1);
    }
}

/* Axes that are askew, and points that are on the box's skin if that is as written: what counts are the slabs. */
static void slabs_of_oriented_boxes(void) {
    test_rng rng = test_random();
    long held = 0, all = test_times(2000);
    for (long i = all; i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb b = gen_obb(&g);
        cd_vec3 p = b.center;
        long double over = -HUGE_VALL, most = 0;
        for (int k = 0; k < 9; ++k) REALS(b.axes)[k] += (cd_real)test_range(&rng, -0.01, 0.01);
        for (int k = 0; k < 3; ++k)
            p = cd_vec3_along(p, b.axes.col[k],
                              REALS(b.half)[k] * (cd_real)(k == i % 3 ? 1 : test_range(&rng, -1, 1)));
        for (int k = 0; k < 3; ++k) {
            const cd_real *axis = REALS(b.axes.col[k]), *c = REALS(b.center), *x = REALS(p);
            long double at = 0, half = REALS(b.half)[k];
            for (int j = 0; j < 3; ++j) at += (long double)axis[j] * ((long double)x[j] - c[j]);
            over = fmaxl(over, fabsl(at) - half);
            most = fmaxl(fmaxl(most, half), fmaxl(fabsl((long double)x[k]), fabsl((long double)c[k])));
        }
        test_note("");
        test_note_reals("p", REALS(p), 3);
        test_note_reals("b", REALS(b), 15);
        if (fabsl(over) <= 4 * DBL_EPSILON * most) continue;
        CHECK_INT(ASK("judge", cd_locate_point_obb(p, &b)), over < 0 ? 1 : -1);
        CHECK_INT(ASK("judge", cd_test_point_obb(p, &b)), over < 0);
        held += over < 0;
    }
    CHECK_SEEN(held > 0 && held < all);
}

/* All finite numbers, also where squares leave the range. */
static void all_sizes(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        cd_sphere s, r;
        cd_plane h;
        double c[3], d[3];
        cd_real x[8];
        for (int k = 0; k < 8; ++k) x[k] = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
        s.center = cd_vec3_make(x[0], x[1], x[2]);
        r.center = cd_vec3_make(x[3], x[4], x[5]);
        s.radius = (cd_real)fabs((double)x[6]);
        r.radius = (cd_real)fabs((double)x[7]);
        h.n = r.center;
        h.d = r.radius;
        to_doubles(REALS(s), c, 3);
        to_doubles(REALS(r), d, 3);
        test_note("");
        test_note_reals("s", REALS(s), 4);
        test_note_reals("r", REALS(r), 4);
        if (cd_sphere_is_valid(s) && cd_sphere_is_valid(r)) {
            CHECK_INT(ASK("exact", cd_test_sphere_sphere(s, r)),
                      compare_distance(c, d, (double)s.radius, (double)r.radius) <= 0);
            if (cd_plane_is_valid(&h))
                CHECK_INT(ASK("exact", cd_locate_point_plane(s.center, h)), -plane_side(h, s.center));
        } else {
            CHECK(!ASK("exact", cd_test_sphere_sphere(s, r)));
            CHECK(cd_sphere_is_valid(s) || ASK("exact", cd_locate_point_sphere(r.center, s)) == -1);
            CHECK(cd_vec3_is_valid(s.center) || ASK("exact", cd_locate_point_plane(s.center, h)) == -1);
        }
    }
}

void suite_locate(void) {
    RUN(planes);
    RUN(spheres);
    RUN(boxes);
    RUN(oriented_boxes);
    RUN(slabs_of_oriented_boxes);
    RUN(all_sizes);
}
