/* Planes, triangles, spheres and boxes: construction, conversion, validity. */
#include "gen.h"
#include "oracle.h"
#include <math.h>

#define EPS ((double)CD_REAL_EPSILON)

/* The unit normal from exact arithmetic; false when there is none. */
static bool exact_normal(const double t[9], double n[3]) {
    exact_pool pool = exact_begin();
    exact3 a = exact3_from(t),
           x = exact3_cross(exact3_sub(exact3_from(t + 3), a), exact3_sub(exact3_from(t + 6), a));
    bool found = !exact3_is_zero(x);
    if (found) {
        double length = ratio_sqrt(ratio_make(exact3_dot(x, x), exact_from(1.0)));
        for (int k = 0; k < 3; ++k) n[k] = exact_to_double(x.c[k]) / length;
    }
    exact_end(pool);
    return found;
}

static void normals_are_exact_for_needles_too(void) {
    test_rng rng = test_random();
    for (long i = test_times(30000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_triangle t = gen_triangle(&g);
        double d[9], want[3];
        cd_vec3 n = cd_vec3_make(7, 7, 7);
        cd_plane plane;
        bool found;
        if (test_int(&rng, 0, 1)) t.c = cd_vec3_lerp(t.a, t.b, (cd_real)test_range(&rng, -1, 2));
        to_doubles(REALS(t), d, 9);
        test_note("");
        test_note_reals("t", REALS(t), 9);
        found = exact_normal(d, want);
        CHECK_INT(ASK("exact", cd_triangle_normal(&t, &n)), found);
        CHECK_INT(ASK("exact", cd_plane_from_points(t.a, t.b, t.c, &plane)), found);
        if (!found) {
            CHECK_SAME(n.x, 7);
            continue;
        }
        CHECK_VEC(n, cd_vec3_make((cd_real)want[0], (cd_real)want[1], (cd_real)want[2]), 4 * EPS);
        CHECK_VEC(plane.n, n, 0);
        CHECK_ULPS(plane.d, want[0] * d[0] + want[1] * d[1] + want[2] * d[2], 4,
                   fabs(d[0]) + fabs(d[1]) + fabs(d[2]));
    }
}

static void small_things(void) {
    cd_triangle t = {{0, 0, 0}, {2, 0, 0}, {0, 2, 0}}, moved;
    cd_transform shift = cd_transform_identity();
    cd_ray r = ASK("exact", cd_ray_through(cd_vec3_make(1, 2, 3), cd_vec3_make(2, 2, 2)));
    cd_plane p = ASK("exact", cd_plane_from_point_normal(cd_vec3_make(1, 2, 3), cd_vec3_make(0, 0, 2)));
    shift.position = cd_vec3_make(1, 2, 3);
    moved = ASK("exact", cd_triangle_transform(&t, &shift));
    CHECK_SAME(ASK("exact", cd_triangle_area(&t)), 2);
    CHECK_VEC(moved.b, cd_vec3_make(3, 2, 3), 0);
    CHECK_VEC(r.dir, cd_vec3_make(1, 0, -1), 0);
    CHECK_SAME(p.d, 6);
    CHECK_VEC(ASK("exact", cd_line_through(t.b, t.c)).dir, cd_vec3_make(-2, 2, 0), 0);
    CHECK_VEC(ASK("exact", cd_line_through(t.b, t.c)).origin, t.b, 0);
    CHECK(ASK("exact", cd_plane_from_triangle(&moved, &p)) && p.n.z == 1 && p.d == 3);
    p.n = cd_vec3_make(0, 0, 0);
    p = cd_plane_normalize(p);
    CHECK(p.n.x == 0 && p.n.y == 0 && p.n.z == 0 && p.d == 0);
    t.c = t.b;
    CHECK(!ASK("exact", cd_plane_from_triangle(&t, &p)) && p.n.z == 0);
    t.c = cd_vec3_make(0, 2, 0);
    CHECK_SAME(ASK("exact", cd_triangle_area(&t)), cd_triangle_area(&moved));
}

/* Against exact arithmetic, and by what a rigid motion keeps: the heights of points. */
static void planes_are_scaled_and_moved(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1)), unit = gen_begin(&rng, GEN_UNIT);
        cd_vec3 p = gen_point(&unit), on = gen_point(&unit);
        cd_plane plane = cd_plane_from_point_normal(on, gen_direction(&g)), moved;
        cd_transform pose = gen_pose(&rng, 2.0);
        double n[3], length, margin;
        exact_pool pool = exact_begin();
        to_doubles(REALS(plane.n), n, 3);
        length = ratio_sqrt(ratio_make(exact3_dot(exact3_from(n), exact3_from(n)), exact_from(1.0)));
        exact_end(pool);
        test_note("");
        test_note_reals("plane", REALS(plane), 4);
        test_note_reals("pose", REALS(pose), 7);
        moved = ASK("judge", cd_plane_transform(plane, &pose));
        CHECK_ULPS(cd_vec3_length(moved.n), length, 4, length);
        margin = 16 * EPS * (length * 8 + fabs((double)plane.d));
        CHECK_NEAR(cd_vec3_dot(moved.n, cd_transform_point(&pose, p)) - moved.d,
                   cd_vec3_dot(plane.n, p) - plane.d, margin);
        moved = ASK("judge", cd_plane_normalize(plane));
        CHECK_VEC(moved.n,
                  cd_vec3_make((cd_real)(n[0] / length), (cd_real)(n[1] / length), (cd_real)(n[2] / length)),
                  2 * EPS);
        CHECK_NEAR(moved.d, (double)plane.d / length, 2 * EPS * fabs((double)plane.d) / length);
    }
}

static bool holds(cd_aabb b, double x, double y, double z) {
    return (double)b.min.x <= x && x <= (double)b.max.x && (double)b.min.y <= y && y <= (double)b.max.y &&
           (double)b.min.z <= z && z <= (double)b.max.z;
}

/* The box of a sphere holds it exactly, and no smaller box of the number type does. */
static void boxes_of_spheres_are_tight(void) {
    test_rng rng = test_random();
    for (long i = test_times(30000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_sphere s = gen_sphere(&g);
        cd_aabb b = ASK("exact", cd_aabb_from_sphere(s));
        const cd_real *c = REALS(s), *lo = REALS(b), *hi = REALS(b.max);
        test_note("");
        test_note_reals("s", c, 4);
        for (int k = 0; k < 3; ++k) {
            exact_pool pool = exact_begin();
            exact low = exact_sub(exact_from((double)c[k]), exact_from((double)s.radius));
            exact high = exact_add(exact_from((double)c[k]), exact_from((double)s.radius));
            cd_real above = (cd_real)nextafter((double)lo[k], 1e308),
                    below = (cd_real)nextafter((double)hi[k], -1e308);
#ifndef COLLIDE_DOUBLE
            above = nextafterf(lo[k], 1e38f);
            below = nextafterf(hi[k], -1e38f);
#endif
            CHECK(exact_compare(exact_from((double)lo[k]), low) <= 0 &&
                  exact_compare(exact_from((double)hi[k]), high) >= 0);
            CHECK(exact_compare(exact_from((double)above), low) > 0 &&
                  exact_compare(exact_from((double)below), high) < 0);
            exact_end(pool);
        }
    }
}

/* Every corner of an oriented box, by exact arithmetic on its numbers, is inside its bounds. */
static void boxes_of_oriented_boxes_hold_them(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_obb b = gen_obb(&g);
        cd_aabb bounds = ASK("judge", cd_aabb_from_obb(&b));
        double size =
            (double)b.half.x + (double)b.half.y + (double)b.half.z + (double)cd_vec3_length(b.center);
        const cd_real *half = REALS(b.half);
        cd_vec3 corner[8];
        cd_obb_to_vertices(&b, corner);
        for (int v = 0; v < 8; ++v) {
            exact_pool pool = exact_begin();
            double c[3], rounded[3];
            exact3 p;
            to_doubles(REALS(b), c, 3);
            p = exact3_from(c);
            for (int k = 0; k < 3; ++k) {
                double axis[3];
                to_doubles(REALS(b.axes.col[k]), axis, 3);
                p = exact3_add(p, exact3_scale(exact3_from(axis),
                                               exact_from(v >> k & 1 ? (double)half[k] : -(double)half[k])));
            }
            test_asked("judge", "cd_obb_to_vertices");
            for (int k = 0; k < 3; ++k) {
                CHECK(exact_compare(exact_from((double)REALS(bounds)[k]), p.c[k]) <= 0);
                CHECK(exact_compare(exact_from((double)REALS(bounds.max)[k]), p.c[k]) >= 0);
                rounded[k] = exact_to_double(p.c[k]);
            }
            CHECK_VEC(corner[v], cd_vec3_make((cd_real)rounded[0], (cd_real)rounded[1], (cd_real)rounded[2]),
                      2 * EPS * size);
            exact_end(pool);
        }
        CHECK((double)bounds.max.x - (double)bounds.min.x <= 2.0 * size * 1.8 + 1e-30);
    }
}

static void oriented_boxes_of_boxes_hold_them(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb b = gen_aabb(&g);
        cd_obb o = ASK("exact", cd_obb_from_aabb(b));
        for (int k = 0; k < 3; ++k) {
            exact_pool pool = exact_begin();
            exact c = exact_from((double)REALS(o)[k]), h = exact_from((double)REALS(o.half)[k]);
            CHECK(exact_compare(exact_sub(c, h), exact_from((double)REALS(b)[k])) <= 0);
            CHECK(exact_compare(exact_add(c, h), exact_from((double)REALS(b.max)[k])) >= 0);
            exact_end(pool);
        }
    }
    CHECK_SAME(cd_obb_from_aabb(cd_aabb_empty()).half.x, 0);
}

static void boxes_of_points(void) {
    cd_vec3 p[3] = {{1, 5, -2}, {-1, 7, 0}, {0, 6, 9}}, bad = {(cd_real)NAN, 1, 1};
    cd_aabb b = ASK("exact", cd_aabb_from_points(p, 3));
    CHECK_VEC(b.min, cd_vec3_make(-1, 5, -2), 0);
    CHECK_VEC(b.max, cd_vec3_make(1, 7, 9), 0);
    CHECK(ASK("exact", cd_aabb_is_empty(cd_aabb_from_points(p, 0))) &&
          ASK("exact", cd_aabb_is_empty(cd_aabb_empty())));
    b = cd_aabb_from_points(&bad, 1);
    CHECK(b.min.x > b.max.x && b.min.y == 1);
    b = ASK("exact", cd_aabb_add_point(ASK("exact", cd_aabb_add_point(cd_aabb_empty(), p[0])), p[1]));
    CHECK(holds(b, 0, 6, -1) && !holds(b, 0, 8, -1));
    b = ASK("exact", cd_merge_aabb_aabb(b, cd_aabb_from_points(p + 2, 1)));
    CHECK(holds(b, 0, 6, 9));
    CHECK(cd_aabb_is_empty(
        ASK("exact", cd_aabb_intersect(cd_aabb_from_points(p, 1), cd_aabb_from_points(p + 1, 1)))));
    CHECK_VEC(ASK("exact", cd_aabb_intersect(b, cd_aabb_from_points(p, 1))).min, p[0], 0);
}

static void validity(void) {
    cd_real nan = (cd_real)NAN, inf = (cd_real)INFINITY;
    cd_sphere s = {{0, 0, 0}, 1};
    cd_plane p = {{0, 0, 1}, 0};
    cd_line l = {{0, 0, 0}, {0, 0, 0}};
    cd_ray r = {{0, 0, 0}, {0, 0, 0}};
    cd_segment g = {{0, 0, 0}, {0, inf, 0}};
    cd_triangle t = {{0, 0, 0}, {0, 0, 0}, {0, 0, nan}};
    cd_aabb b = {{0, 0, 0}, {1, 1, 1}};
    cd_obb o = cd_obb_from_aabb(b);
    CHECK(ASK("bad", cd_sphere_is_valid(s)) && ASK("bad", cd_plane_is_valid(&p)) &&
          ASK("bad", cd_ray_is_valid(&r)) && ASK("bad", cd_aabb_is_valid(b)) &&
          ASK("bad", cd_obb_is_valid(&o)));
    CHECK(!ASK("bad", cd_line_is_valid(&l)) && !ASK("bad", cd_segment_is_valid(&g)) &&
          !ASK("bad", cd_triangle_is_valid(&t)));
    s.radius = -1;
    p.n.z = 0;
    l.dir.x = 1;
    b.min.x = 2;
    o.half.y = -1;
    CHECK(!ASK("bad", cd_sphere_is_valid(s)) && !ASK("bad", cd_plane_is_valid(&p)) &&
          ASK("bad", cd_line_is_valid(&l)) && !ASK("bad", cd_aabb_is_valid(b)) &&
          !ASK("bad", cd_obb_is_valid(&o)));
    CHECK(cd_aabb_is_empty(cd_aabb_from_sphere(s)));
    s.radius = nan;
    CHECK(!ASK("bad", cd_sphere_is_valid(s)) && cd_aabb_is_empty(cd_aabb_from_sphere(s)));
}

static void moved_boxes_keep_their_corners(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb b = gen_obb(&g), moved;
        cd_transform t = gen_pose(&rng, 3.0);
        cd_vec3 p[8], q[8];
        moved = ASK("judge", cd_obb_transform(&b, &t));
        cd_obb_to_vertices(&b, p);
        cd_obb_to_vertices(&moved, q);
        for (int k = 0; k < 8; ++k) CHECK_VEC(q[k], cd_transform_point(&t, p[k]), 32 * EPS);
    }
}

void suite_shape(void) {
    RUN(normals_are_exact_for_needles_too);
    RUN(small_things);
    RUN(planes_are_scaled_and_moved);
    RUN(boxes_of_spheres_are_tight);
    RUN(boxes_of_oriented_boxes_hold_them);
    RUN(oriented_boxes_of_boxes_hold_them);
    RUN(boxes_of_points);
    RUN(validity);
    RUN(moved_boxes_keep_their_corners);
}
