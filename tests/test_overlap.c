/* The yes-or-no tests of spheres, boxes and triangles against exact arithmetic. */
#include "gen.h"
#include "oracle.h"
#include <math.h>

/* A triangle likely to touch the box: corners on its corners, edges and faces, or just beyond. */
static cd_triangle triangle_at_box(gen *g, cd_aabb b) {
    cd_triangle t = gen_triangle(g);
    cd_vec3 *p = &t.a;
    for (int i = test_int(g->rng, 0, 3); i > 0; --i) {
        cd_vec3 *q = &p[test_int(g->rng, 0, 2)];
        for (int k = 0; k < 3; ++k) {
            if (test_int(g->rng, 0, 1)) (&q->x)[k] = test_int(g->rng, 0, 1) ? REALS(b)[k] : REALS(b.max)[k];
        }
    }
    if (!test_int(g->rng, 0, 4)) t.c = cd_vec3_lerp(t.a, t.b, (cd_real)test_range(g->rng, -1, 2));
    if (!test_int(g->rng, 0, 9)) t.b = t.a;
    return t;
}

static void triangles_and_boxes_exactly(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(60000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb b = gen_aabb(&g);
        cd_triangle t = triangle_at_box(&g, b), r;
        double d[15];
        bool want;
        to_doubles(REALS(t), d, 9);
        to_doubles(REALS(b), d + 9, 6);
        test_note("");
        test_note_reals("t", REALS(t), 9);
        test_note_reals("box", REALS(b), 6);
        want = oracle_triangle_box(d, d + 9, d + 12);
        hits += want;
        CHECK_INT(ASK("exact", cd_test_triangle_aabb(&t, b)), want);
        r.a = t.b;
        r.b = t.a;
        r.c = t.c;
        CHECK_INT(ASK("order", cd_test_triangle_aabb(&r, b)), want);
        r.a = t.c;
        r.c = t.b;
        r.b = t.a;
        CHECK_INT(ASK("order", cd_test_triangle_aabb(&r, b)), want);
    }
    CHECK_SEEN(hits > times / 5 && hits < times - times / 10);
}

static void boxes_and_points_exactly(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_GRID : GEN_ULP);
        cd_aabb a = gen_aabb(&g), b = gen_aabb(&g), c = cd_aabb_intersect(a, b);
        cd_vec3 p = gen_point(&g);
        CHECK_INT(ASK("forms", cd_test_aabb_aabb(a, b)), !cd_aabb_is_empty(c));
        CHECK_INT(ASK("forms", cd_test_aabb_aabb(b, a)), !cd_aabb_is_empty(c));
        CHECK_INT(cd_test_point_aabb(p, a) && cd_test_point_aabb(p, b), cd_test_point_aabb(p, c));
    }
}

static void empty_and_infinite_boxes(void) {
    cd_real inf = (cd_real)INFINITY, nan = (cd_real)NAN;
    cd_aabb all = {{-inf, -inf, -inf}, {inf, inf, inf}}, one = {{0, 0, 0}, {1, 1, 1}}, bad = one,
            turned = one;
    bad.min.y = nan;
    turned.min.x = 3; /* 3 > 1: empty, though each side overlaps what holds both */
    CHECK(cd_test_aabb_aabb(all, one) && cd_test_aabb_aabb(one, all) && cd_test_aabb_aabb(all, all));
    CHECK(!cd_test_aabb_aabb(all, cd_aabb_empty()) && !cd_test_aabb_aabb(cd_aabb_empty(), cd_aabb_empty()));
    CHECK(!cd_test_aabb_aabb(bad, one) && !cd_test_aabb_aabb(one, bad) && !cd_test_aabb_aabb(turned, all));
    CHECK(cd_test_point_aabb(cd_vec3_make(1, 0, 1), one) &&
          !cd_test_point_aabb(cd_vec3_make(nan, 0, 0), all));
}

/* Spheres against exact squared distances: right beyond the stated error, symmetric, and touching counts. */
static void spheres(void) {
    test_rng rng = test_random();
    for (long i = test_times(30000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_sphere s = gen_sphere(&g), r = gen_sphere(&g);
        cd_triangle t = gen_triangle(&g);
        cd_aabb b = gen_aabb(&g);
        cd_obb o = cd_obb_from_aabb(b);
        double d[12], error, radius = (double)s.radius, gap, to_box = 0.0;
        oracle_nearest n;
        if (!test_int(&rng, 0, 3)) s.radius = cd_vec3_dist(s.center, t.a);
        if (!test_int(&rng, 0, 3))
            r.radius = (cd_real)fabs((double)cd_vec3_dist(s.center, r.center) - (double)s.radius);
        radius = (double)s.radius;
        to_doubles(REALS(t), d, 9);
        to_doubles(REALS(s), d + 9, 3);
        error = 8 * 2.3e-16 * (largest(d, 12) + radius);
        test_note("");
        test_note_reals("s", REALS(s), 4);
        test_note_reals("t", REALS(t), 9);
        n = oracle_point_triangle(d + 9, d);
        gap = n.distance - radius;
        if (fabs(gap) > error) CHECK_INT(ASK("judge", cd_test_sphere_triangle(s, &t)), gap < 0);
        gap = hypot(hypot((double)s.center.x - r.center.x, (double)s.center.y - r.center.y),
                    (double)s.center.z - r.center.z) -
              radius - (double)r.radius;
        error += 4e-15 * ((double)r.radius + (double)cd_vec3_length(r.center));
        if (fabs(gap) > error) CHECK_INT(ASK("judge", cd_test_sphere_sphere(s, r)), gap < 0);
        CHECK_INT(ASK("swap", cd_test_sphere_sphere(s, r)), ASK("judge", cd_test_sphere_sphere(r, s)));
        for (int k = 0; k < 3; ++k) {
            double x = fmax(fmax((double)REALS(b)[k] - d[9 + k], d[9 + k] - (double)REALS(b.max)[k]), 0.0);
            to_box += x * x;
        }
        to_doubles(REALS(b), d, 6);
        error = 16 * 2.3e-16 * (largest(d, 12) + radius);
        gap = sqrt(to_box) - radius;
        if (fabs(gap) > error) CHECK_INT(ASK("judge", cd_test_sphere_aabb(s, b)), gap < 0);
        if (fabs(gap) > error * (sizeof(cd_real) == 4 ? 1e9 : 4))
            CHECK_INT(ASK("judge", cd_test_sphere_obb(s, &o)), gap < 0);
        r.radius = 0;
        if (cd_test_point_sphere(r.center, s)) CHECK(ASK("judge", cd_test_sphere_sphere(s, r)));
    }
}

static void touching_and_odd_spheres(void) {
    cd_sphere a = {{0, 0, 0}, 1}, b = {{3, 0, 0}, 2}, point = {{1, 0, 0}, 0}, bad = {{0, 0, 0}, -1};
    cd_aabb box = {{1, -1, -1}, {2, 1, 1}};
    cd_triangle t = {{1, 5, 0}, {1, -5, 5}, {1, -5, -5}};
    CHECK(cd_test_sphere_sphere(a, b) && cd_test_sphere_sphere(a, point) && cd_test_sphere_aabb(a, box));
    CHECK(cd_test_sphere_triangle(a, &t) && cd_test_point_sphere(point.center, a));
    a.radius = (cd_real)0.999;
    CHECK(!cd_test_sphere_sphere(a, b) && !cd_test_sphere_aabb(a, box) && !cd_test_sphere_triangle(a, &t));
    CHECK(!cd_test_sphere_sphere(bad, a) && !cd_test_sphere_sphere(a, bad) &&
          !cd_test_point_sphere(bad.center, bad));
    bad.radius = (cd_real)NAN;
    CHECK(!cd_test_sphere_aabb(bad, box) && !cd_test_sphere_triangle(bad, &t) &&
          !cd_test_sphere_sphere(bad, a));
}

static oracle_box exact_box(const cd_obb *b) {
    oracle_box r;
    to_doubles(REALS(*b), r.center, 3);
    to_doubles(REALS(b->half), r.half, 3);
    for (int k = 0; k < 3; ++k) to_doubles(REALS(b->axes.col[k]), r.axis[k], 3);
    return r;
}

static double reach(const cd_obb *a, const cd_obb *b) {
    double sum = (double)cd_vec3_dist(a->center, b->center);
    for (int k = 0; k < 3; ++k) sum += (double)REALS(a->half)[k] + (double)REALS(b->half)[k];
    return sum;
}

/* A box that shares a direction, a face plane or a place with another. */
static cd_obb box_near(gen *g, const cd_obb *a) {
    cd_obb b = gen_obb(g);
    if (test_int(g->rng, 0, 1)) b.axes = a->axes;
    if (!test_int(g->rng, 0, 2)) b.center = cd_vec3_along(a->center, a->axes.col[0], a->half.x + b.half.x);
    if (!test_int(g->rng, 0, 3)) REALS(b.half)[test_int(g->rng, 0, 2)] = 0;
    if (!test_int(g->rng, 0, 3)) REALS(b.half)[test_int(g->rng, 0, 2)] *= 1000;
    return b;
}

/* Boxes that meet are never called apart; boxes apart by more than the stated error are never said to meet. In a float
 * build the axes are orthonormal to 1e-7 only, and the true face normals as far from the axes. */
static void oriented_boxes(void) {
    test_rng rng = test_random();
    double slant = sizeof(cd_real) == 4 ? 1e-6 : 1e-14;
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_obb a = gen_obb(&g), b = box_near(&g, &a);
        oracle_box p = exact_box(&a), q = exact_box(&b);
        oracle_gap gap = oracle_box_box(&p, &q);
        bool got = ASK("exact", cd_test_obb_obb(&a, &b));
        test_note("");
        test_note_reals("a", REALS(a), 15);
        test_note_reals("b", REALS(b), 15);
        CHECK_INT(ASK("swap", cd_test_obb_obb(&b, &a)), got);
        CHECK(got || !gap.overlap);
        if (gap.separation > slant * reach(&a, &b)) CHECK(!got);
    }
}

/* ERRATA 4.4.1 and the vectors of its test: boxes apart along y, edge against edge, needles a small gap apart. */
static void oriented_boxes_of_the_errata(void) {
    cd_aabb unit = {{-1, -1, -1}, {1, 1, 1}};
    cd_obb a = cd_obb_from_aabb(unit), b = a;
    double s = sqrt(0.5);
    b.center.y = 10;
    CHECK(!cd_test_obb_obb(&a, &b));
    b.axes = cd_mat3_from_columns(cd_vec3_make((cd_real)s, (cd_real)-s, 0),
                                  cd_vec3_make((cd_real)0.5, (cd_real)0.5, (cd_real)s),
                                  cd_vec3_make((cd_real)0.5, (cd_real)0.5, (cd_real)-s));
    b.center = cd_vec3_scale(cd_vec3_make((cd_real)s, (cd_real)s, 0), (cd_real)(2 * sqrt(2.0) + 0.1));
    CHECK(!cd_test_obb_obb(&a, &b));
    b.center = cd_vec3_scale(cd_vec3_make((cd_real)s, (cd_real)s, 0), (cd_real)(2 * sqrt(2.0) - 0.1));
    CHECK(cd_test_obb_obb(&a, &b));
    a.half = cd_vec3_make(100, (cd_real)1e-3, (cd_real)1e-3);
    b = a;
    b.center = cd_vec3_make(0, (cd_real)2.1e-3, 0); /* a gap of 1e-4 beside a length of 200 */
    CHECK(!cd_test_obb_obb(&a, &b));
    b.half.y = (cd_real)-1;
    CHECK(!cd_test_obb_obb(&a, &b));
    b.half.y = (cd_real)NAN;
    CHECK(!cd_test_obb_obb(&a, &b) && !cd_test_obb_obb(&b, &a));
}

static void triangles_and_oriented_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_SCALE);
        cd_aabb b = gen_aabb(&g);
        cd_triangle t = triangle_at_box(&g, b);
        cd_obb o = cd_obb_from_aabb(b), large = o, small = o, turned;
        cd_transform pose = gen_pose(&rng, g.scale);
        double margin = 1e-5 * g.scale;
        bool in_small, in_large;
        large.half = cd_vec3_add(o.half, cd_vec3_make((cd_real)margin, (cd_real)margin, (cd_real)margin));
        small.half =
            cd_vec3_max(cd_vec3_make(0, 0, 0),
                        cd_vec3_sub(o.half, cd_vec3_make((cd_real)margin, (cd_real)margin, (cd_real)margin)));
        in_small = ASK("motion", cd_test_triangle_obb(&t, &small));
        in_large = ASK("motion", cd_test_triangle_obb(&t, &large));
        if (cd_test_triangle_aabb(&t, b)) CHECK(in_large);
        if (in_small)
            CHECK(cd_test_triangle_aabb(&t, b) || (cd_real)margin > o.half.x || (cd_real)margin > o.half.y ||
                  (cd_real)margin > o.half.z);
        t = cd_triangle_transform(&t, &pose);
        turned = cd_obb_transform(&o, &pose);
        if (in_small == in_large) CHECK_INT(ASK("motion", cd_test_triangle_obb(&t, &turned)), in_small);
    }
}

static void points_and_oriented_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb b = gen_obb(&g);
        double scale = test_range(&rng, 0, 2);
        cd_vec3 p = b.center;
        for (int k = 0; k < 3; ++k)
            p = cd_vec3_along(p, b.axes.col[k],
                              (cd_real)((test_int(&rng, 0, 1) ? scale : -scale) * (double)REALS(b.half)[k]));
        if (scale < 1 - 1e-3 && b.half.x > (cd_real)1e-3 && b.half.y > (cd_real)1e-3 &&
            b.half.z > (cd_real)1e-3)
            CHECK(ASK("judge", cd_test_point_obb(p, &b)));
        if (scale > 1 + 1e-3 &&
            (b.half.x > (cd_real)1e-3 || b.half.y > (cd_real)1e-3 || b.half.z > (cd_real)1e-3))
            CHECK(!ASK("judge", cd_test_point_obb(p, &b)));
    }
}

void suite_overlap(void) {
    RUN(triangles_and_boxes_exactly);
    RUN(boxes_and_points_exactly);
    RUN(empty_and_infinite_boxes);
    RUN(spheres);
    RUN(touching_and_odd_spheres);
    RUN(oriented_boxes);
    RUN(oriented_boxes_of_the_errata);
    RUN(triangles_and_oriented_boxes);
    RUN(points_and_oriented_boxes);
}
