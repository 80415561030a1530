/* Mistakes in the listings of Ericson's book and of the other sources, as far as what they are about is here: each
 * counterexample, and the right answer. The test's name begins with the section. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

static cd_real root_half(void) {
    return (cd_real)0.70710678118654752440;
}

/* ---- things in motion ---- */

/* Two discs that are never nearer than 4.47, and whose paths cross: that paths cross is necessary for contact, not enough. */
static void s2_4_3_crossing_paths_need_not_meet(void) {
    cd_sphere a = {{0, 0, 0}, 1}, b = {{5, -20, 0}, 1};
    cd_vec3 path_a = {10, 0, 0}, path_b = {0, 20, 0};
    cd_capsule swept_a = {{0, 0, 0}, {10, 0, 0}, 1}, swept_b = {{5, -20, 0}, {5, 0, 0}, 1};
    cd_vec3 path = cd_vec3_sub(path_a, path_b);
    cd_hit hit;
    CHECK(cd_test_capsule_capsule(&swept_a, &swept_b));
    CHECK(!cd_sweep_sphere_sphere(a, path, b, NULL, &hit));
    a.radius = (cd_real)(2 * 1.118); /* together 4.4720; the least distance is 4.47214 */
    b.radius = (cd_real)(2 * 1.118);
    CHECK(!cd_sweep_sphere_sphere(a, path, b, NULL, &hit));
    a.radius = (cd_real)2.2363;
    CHECK(cd_sweep_sphere_sphere(a, path, b, NULL, &hit));
    CHECK_NEAR(hit.t, 0.9, 2e-3);
}

/* ---- axis-aligned boxes ---- */

/* Whole numbers of 32 bits: the widths' sum and the distance of the centres go beyond the range. */
static void s4_2_1_whole_boxes_beyond_the_range(void) {
    cd_aabb_cr_int a = {{2000000000, 0, 0}, {500000000, 1, 1}}, b = {{-2000000000, 0, 0}, {1, 1, 1}};
    cd_aabb_mw_int c = {{INT32_MIN, 0, 0}, {0xFFFFFFFFu, 1, 1}}, d = {{1, 0, 0}, {0x7FFFFFFEu, 1, 1}},
                   e = {{INT32_MIN, 0, 0}, {1, 1, 1}};
    CHECK(!cd_test_aabb_aabb_cr_int(&a, &b) && !cd_test_aabb_aabb_cr_int(&b, &a));
    CHECK(cd_test_aabb_aabb_mw_int(&c, &d) && cd_test_aabb_aabb_mw_int(&d, &c));
    CHECK(!cd_test_aabb_aabb_mw_int(&d, &e) && !cd_test_aabb_aabb_mw_int(&e, &d));
    b.half[0] = 3500000000u;
    CHECK(cd_test_aabb_aabb_cr_int(&a, &b) && cd_test_aabb_aabb_cr_int(&b, &a));
    b.half[0] -= 1;
    CHECK(!cd_test_aabb_aabb_cr_int(&a, &b));
}

/* The outputs stay unset without points, and with NaN. */
static void s4_2_4_extreme_points_are_set(void) {
    cd_vec3 p[2] = {{(cd_real)NAN, 0, 0}, {3, 0, 0}};
    size_t least = 7, most = 8;
    CHECK(!ASK("bad", cd_extreme_points_along_direction(p, 0, cd_vec3_make(1, 0, 0), &least, &most)));
    CHECK(least == 7 && most == 8);
    CHECK(ASK("bad", cd_extreme_points_along_direction(p, 2, cd_vec3_make(1, 0, 0), &least, &most)));
    CHECK(least == 1 && most == 1);
}

/* A corner of the turned box is outside of the listing's in 98 cases of a hundred. */
static void s4_2_6_turned_boxes_hold_their_corners(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_aabb b = gen_aabb(&g), turned;
        cd_transform t = gen_pose(&rng, 3.0);
        turned = ASK("judge", cd_aabb_transform(b, &t));
        for (int k = 0; k < 8; ++k) {
            cd_vec3 corner =
                cd_vec3_make(REALS(b)[k & 1 ? 3 : 0], REALS(b)[k & 2 ? 4 : 1], REALS(b)[k & 4 ? 5 : 2]);
            CHECK(cd_test_point_aabb(cd_transform_point(&t, corner), turned));
        }
    }
}

/* The sweep stops at an absolute 0.0001, and small data are not diagonalised. */
static void s4_3_3_small_covariances_have_axes(void) {
    cd_real scale = (cd_real)1e-4;
    for (int i = 0; i < 3; ++i, scale *= (cd_real)1e-4) {
        cd_vec3 d = cd_vec3_make(scale, scale, 0);
        cd_mat3 m = cd_mat3_outer(d, d);
        cd_eigen e;
        CHECK(cd_eigen_jacobi(&m, &e));
        CHECK_NEAR(fabs((double)e.vector.col[0].x), (double)root_half(), 4 * EPS);
        CHECK_NEAR((double)e.vector.col[0].x, (double)e.vector.col[0].y, 4 * EPS);
        CHECK(cd_eigen_cubic(&m, &e));
        CHECK_NEAR((double)e.vector.col[0].x, (double)e.vector.col[0].y, 4 * EPS);
    }
}

/* ---- spheres ---- */

/* Strict comparisons against both other axes: where two tie above the third, the shortest pair is taken, here of length 0. */
static void s4_3_2_tied_axes_give_the_longest_pair(void) {
    cd_vec3 p[4] = {{0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    cd_sphere s;
    CHECK_INT(ASK("exact", cd_sphere_ritter(p, 4, &s)), CD_OK);
    CHECK(s.radius == 1 && s.center.x == 0 && s.center.y == 0 && s.center.z == 0);
}

/* A point is outside in every second random set; squares leave the range at 1e25 and 1e-25; no points read points[0]. */
static void s4_3_spheres_hold_every_point_of_any_size(void) {
    test_rng rng = test_random();
    cd_sphere s;
    for (long i = test_times(3000); i > 0; --i) {
        static const double sizes[3] = {1, 1e25, 1e-25};
        double size = sizes[i % 3];
        cd_vec3 p[10];
        for (int k = 0; k < 30; ++k) REALS(p[k / 3])[k % 3] = (cd_real)(size * test_range(&rng, -1, 1));
        for (int method = 0; method < 5; ++method) {
            cd_status status = method == 0   ? ASK("exact", cd_sphere_ritter(p, 10, &s))
                               : method == 1 ? ASK("exact", cd_sphere_eigen(p, 10, &s))
                               : method == 2 ? ASK("exact", cd_sphere_ritter_eigen(p, 10, &s))
                               : method == 3 ? ASK("exact", cd_sphere_ritter_iterative(p, 10, NULL, &s))
                                             : cd_sphere_welzl(p, 10, &s);
            CHECK_INT(status, CD_OK);
            CHECK((double)s.radius < 3 * size);
            for (int k = 0; k < 10; ++k) CHECK(cd_test_point_sphere(p[k], s));
        }
    }
    CHECK(cd_sphere_ritter(NULL, 0, &s) == CD_OK && s.radius < 0);
    CHECK(cd_sphere_eigen(NULL, 0, &s) == CD_OK && s.radius < 0);
}

/* The threshold 0.0001 leaves the covariance of small data as it is: points along (1, 1, 0) get the axis (0, 1, 0). */
static void s4_3_3_small_points_get_their_axis(void) {
    cd_vec3 p[21];
    cd_sphere s;
    for (int i = 0; i < 21; ++i)
        p[i] = cd_vec3_make((cd_real)(1e-3 * (i - 10)), (cd_real)(1e-3 * (i - 10)), 0);
    p[20] = cd_vec3_make((cd_real)4e-3, (cd_real)-11e-3, 0); /* the lowest, so extreme along y */
    CHECK_INT(cd_sphere_eigen(p, 21, &s), CD_OK);
    CHECK_NEAR(s.center.x, -0.5e-3, 1e-3);
    CHECK_NEAR(s.center.y, -0.5e-3, 1e-3);
}

/* The points are swapped about as the spheres grow, and the last one's range is empty. */
static void s4_3_4_refinement_leaves_points_alone(void) {
    test_rng rng = test_random();
    cd_ritter_options o;
    memset(&o, 0, sizeof o);
    o.iterations = 20;
    for (int n = 1; n < 20; ++n) {
        cd_vec3 p[20], copy[20];
        cd_sphere first, refined;
        for (int k = 0; k < 3 * n; ++k) REALS(p[k / 3])[k % 3] = (cd_real)test_range(&rng, -1, 1);
        memcpy(copy, p, sizeof p[0] * (size_t)n);
        CHECK_INT(cd_sphere_ritter(p, (size_t)n, &first), CD_OK);
        CHECK_INT(ASK("order", cd_sphere_ritter_iterative(p, (size_t)n, &o, &refined)), CD_OK);
        CHECK(memcmp(p, copy, sizeof p[0] * (size_t)n) == 0);
        CHECK((double)refined.radius <= 1.02 * (double)first.radius);
    }
}

/* Supports of five are written, and those without rank divided by: 30 points on a sphere, a cube and four of its diagonals'
 * ends. */
static void s4_3_5_supports_have_four_points_at_most(void) {
    static const int on[3] = {1, 2, 2};
    cd_vec3 p[30];
    cd_sphere s;
    int n = 0;
    for (int place = 0; place < 3; ++place) {
        for (int sign = 0; sign < 8; ++sign, ++n) {
            for (int k = 0; k < 3; ++k)
                REALS(p[n])[k] = (cd_real)((sign >> k & 1 ? -1 : 1) * on[(k + place) % 3]);
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        p[n] = cd_vec3_make(0, 0, 0);
        REALS(p[n++])[axis] = 3;
        p[n] = cd_vec3_make(0, 0, 0);
        REALS(p[n++])[axis] = -3;
    }
    CHECK_INT(n, 30);
    CHECK_INT(cd_sphere_welzl(p, 30, &s), CD_OK);
    CHECK(s.radius == 3 && s.center.x == 0 && s.center.y == 0 && s.center.z == 0);
    for (n = 0; n < 12; ++n) {
        int sign = n < 8 ? n : n - 8;
        for (int k = 0; k < 3; ++k) REALS(p[n])[k] = (cd_real)(sign >> k & 1 ? 3 : -1);
    }
    CHECK_INT(cd_sphere_welzl(p, 12, &s), CD_OK);
    CHECK_NEAR(s.radius, 2 * sqrt(3.0), 4 * EPS);
    CHECK_VEC(s.center, cd_vec3_make(1, 1, 1), 2 * EPS);
}

/* `<` in one source and `<=` in the other, n . x + d = 0 in one and n . x = d in the other: touching counts, n . x = d. */
static void s4_3_1_touching_spheres_meet(void) {
    cd_sphere a = {{0, 0, 0}, 1}, b = {{3, 0, 0}, 2};
    cd_plane p = {{0, 2, 0}, 2};
    CHECK(cd_test_sphere_sphere(a, b));
    CHECK(cd_test_sphere_plane(a, p));
}

/* The second component of the distance is taken along the wrong axis: cubes far apart in y "overlap". */
static void s4_4_1_cubes_apart_on_each_axis(void) {
    cd_aabb unit = {{-1, -1, -1}, {1, 1, 1}};
    for (int k = 0; k < 3; ++k) {
        cd_obb a = cd_obb_from_aabb(unit), b = a;
        REALS(b.center)[k] = 10;
        CHECK(!cd_test_obb_obb(&a, &b) && !cd_test_obb_obb(&b, &a));
        REALS(b.center)[k] = 2;
        CHECK(cd_test_obb_obb(&a, &b));
    }
}

/* A margin against parallel edges that grows with the long side makes needles "touch" across a gap. */
static void s4_4_1_needles_across_a_gap(void) {
    cd_obb a, b;
    cd_aabb needle = {{-100, (cd_real)-1e-3, (cd_real)-1e-3}, {100, (cd_real)1e-3, (cd_real)1e-3}};
    a = b = cd_obb_from_aabb(needle);
    b.center.y = (cd_real)(2e-3 + 5e-5);
    CHECK(!cd_test_obb_obb(&a, &b));
    b.center.y = (cd_real)1.9e-3;
    CHECK(cd_test_obb_obb(&a, &b));
}

/* Without any margin one in five overlapping parallel boxes is missed. */
static void s4_4_1_parallel_boxes_are_not_missed(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb a = gen_obb(&g), b = gen_obb(&g);
        int k = test_int(&rng, 0, 2);
        double share = test_range(&rng, 0, 0.99);
        b.axes = a.axes;
        b.center =
            cd_vec3_along(a.center, a.axes.col[k], (cd_real)share * (REALS(a.half)[k] + REALS(b.half)[k]));
        test_note("");
        test_note_reals("a", REALS(a), 15);
        test_note_reals("b", REALS(b), 15);
        CHECK(cd_test_obb_obb(&a, &b) && cd_test_obb_obb(&b, &a));
    }
}

/* All six face axes overlap; only the cross product of two edges parts the boxes, by 0.1. */
static void s4_4_1_boxes_parted_by_edges(void) {
    cd_aabb unit = {{-1, -1, -1}, {1, 1, 1}};
    cd_obb a = cd_obb_from_aabb(unit), b = a;
    cd_real h = (cd_real)0.5, s = root_half(), at = (cd_real)((2 * sqrt(2.0) + 0.1) * 0.70710678118654752440);
    b.axes = cd_mat3_from_columns(cd_vec3_make(s, -s, 0), cd_vec3_make(h, h, s), cd_vec3_make(h, h, -s));
    b.center = cd_vec3_make(at, at, 0);
    CHECK(!cd_test_obb_obb(&a, &b) && !cd_test_obb_obb(&b, &a));
    at -= (cd_real)0.08;
    b.center = cd_vec3_make(at, at, 0);
    CHECK(cd_test_obb_obb(&a, &b) && cd_test_obb_obb(&b, &a));
}

/* The comments of the two listings say that the squared distance is compared with the sum of the radii. Here the sum is below
 * 1 and the squared distance below it, though the two are apart; and above 1 the other way round. */
static void s4_5_squares_are_compared_with_squares(void) {
    cd_capsule c = {{0, 0, 0}, {4, 0, 0}, (cd_real)0.25},
               d = {{2, (cd_real)0.625, -1}, {2, (cd_real)0.625, 1}, (cd_real)0.25};
    cd_sphere s = {{2, (cd_real)0.625, 0}, (cd_real)0.25};
    CHECK(!cd_test_sphere_capsule(s, &c) && !cd_test_capsule_capsule(&c, &d));
    s.center.y = d.a.y = d.b.y = (cd_real)0.5;
    CHECK(cd_test_sphere_capsule(s, &c) && cd_test_capsule_capsule(&c, &d));
    c.radius = d.radius = s.radius = 2;
    s.center.y = d.a.y = d.b.y = 4;
    CHECK(cd_test_sphere_capsule(s, &c) && cd_test_capsule_capsule(&c, &d));
}

/* The distance is divided by n . n instead of |n|. */
static void s5_1_1_plane_normals_of_any_length(void) {
    cd_plane p = {{0, 0, 2}, 0};
    CHECK_SAME(cd_dist_point_plane(cd_vec3_make(0, 0, 1), p), 1);
    CHECK_VEC(cd_closest_pt_point_plane(cd_vec3_make(3, 4, 1), p), cd_vec3_make(3, 4, 0), 0);
}

/* b^2 - c cancels far away, where a ray beside a small sphere "hits" it; and only unit directions work. */
static void s5_3_2_small_spheres_far_away(void) {
    cd_sphere s = {{0, 0, 0}, (cd_real)0.1};
    cd_ray r = {{(cd_real)0.2, 0, -10000}, {0, 0, 1}};
    cd_hit hit;
    CHECK(!cd_cast_ray_sphere(&r, CD_REAL_MAX, s, NULL, &hit));
    r.origin.x = 0;
    r.dir.z = 8;
    CHECK(cd_cast_ray_sphere(&r, CD_REAL_MAX, s, NULL, &hit));
    CHECK_ULPS((double)hit.t, (10000 - (double)s.radius) / 8, 2, 1250);
}

/* The exit of one slab is forgotten: (-5, 0, 0) + t (1, 1, 0) passes the box by. */
static void s5_3_3_slabs_are_all_kept(void) {
    cd_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    cd_ray r = {{-5, 0, 0}, {1, 1, 0}};
    cd_hit hit;
    CHECK(!cd_cast_ray_aabb(&r, CD_REAL_MAX, box, NULL, &hit));
    r.origin.y = -5;
    CHECK(cd_cast_ray_aabb(&r, CD_REAL_MAX, box, NULL, &hit) && hit.t == 4);
}

/* Segments that are an edge of the box, or inside it, are lost where its centre is rounded. */
static void s5_3_3_edges_of_the_box_meet_it(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb box = gen_aabb(&g);
        cd_ray r;
        cd_segment edge;
        cd_hit hit;
        int axis = test_int(&rng, 0, 2);
        r.origin = box.min;
        r.dir = cd_vec3_make(0, 0, 0);
        REALS(r.dir)[axis] = REALS(box.max)[axis] - REALS(box.min)[axis];
        if (cd_aabb_is_empty(box)) continue;
        test_note("");
        test_note_reals("box", REALS(box), 6);
        CHECK(cd_cast_ray_aabb(&r, 1, box, NULL, &hit));
        edge.a = edge.b = box.min;
        REALS(edge.b)[axis] = REALS(box.max)[axis];
        CHECK(cd_cast_segment_aabb(&edge, box, NULL, &hit));
        edge.b = box.max; /* a diagonal, inside */
        CHECK(cd_cast_segment_aabb(&edge, box, NULL, &hit));
    }
}

/* The segment test rounds the box's centre, too: it loses segments that are an edge of the box, lie in a face or inside. */
static void s5_3_3_segments_of_the_box_meet_it(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb box = gen_aabb(&g);
        cd_segment s;
        int axis = test_int(&rng, 0, 2);
        s.a = s.b = box.min;
        REALS(s.b)[axis] = REALS(box.max)[axis];
        if (test_int(&rng, 0, 1)) REALS(s.b)[(axis + 1) % 3] = REALS(box.max)[(axis + 1) % 3];
        if (cd_aabb_is_empty(box)) continue;
        test_note("");
        test_note_reals("box", REALS(box), 6);
        CHECK(cd_test_segment_aabb(&s, box));
        REALS(s.a)
        [axis] = REALS(box.max)[axis]; /* of an edge only its end is left, of a diagonal another edge */
        CHECK(cd_test_segment_aabb(&s, box));
    }
}

/* An absolute epsilon swells small boxes: a segment beside one "meets" it. */
static void s5_3_3_small_boxes_are_not_swollen(void) {
    cd_real e = (cd_real)0.0000001;
    cd_aabb box = {{0, 0, 0}, {e, e, e}};
    cd_segment beside = {{-e, 2 * e, 0}, {2 * e, -e / 2, 0}},
               far_side = {{0, (cd_real)2.5 * e, 0}, {(cd_real)2.5 * e, 0, 0}};
    CHECK(cd_test_segment_aabb(&beside, box) && !cd_test_segment_aabb(&far_side, box));
}

/* Table 5.1 divides by |d| instead of |d x axis|: of a segment along (3, 0, 4) whose middle is (0, 1, 0) it says that it is 0.8
 * from the x axis, and a box of half height 0.9 would meet it. */
static void s5_3_3_table_5_1(void) {
    cd_aabb low = {{-9, (cd_real)-0.9, -9}, {9, (cd_real)0.9, 9}}, high = {{-9, -1, -9}, {9, 1, 9}};
    cd_segment s = {{-3, 1, -4}, {3, 1, 4}};
    CHECK(!cd_test_segment_aabb(&s, low) && cd_test_segment_aabb(&s, high));
}

/* Table 5.1 divides by the length of d where it needs that of d x axis: the line is 1 from the centre, not 0.8. */
static void s5_3_3_axes_across_a_segment(void) {
    cd_segment s = {{-3, 1, -4}, {3, 1, 4}}, mirrored = {{-3, -1, -4}, {3, -1, 4}};
    cd_aabb box = {{-1, (cd_real)-0.9, -1}, {1, (cd_real)0.9, 1}};
    CHECK(!cd_cast_segment_aabb(&s, box, NULL, NULL) && !cd_cast_segment_aabb(&mirrored, box, NULL, NULL));
    box.min.y = -1;
    box.max.y = 1;
    CHECK(cd_cast_segment_aabb(&s, box, NULL, NULL) && cd_cast_segment_aabb(&mirrored, box, NULL, NULL));
}

/* Lines in the plane, without length, and triangles without area: 0 / 0 there. */
static void s5_3_4_nothing_is_divided_by_nothing(void) {
    cd_triangle t = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, line = {{0, 0, 0}, {1, 1, 1}, {2, 2, 2}};
    cd_ray in_plane = {{-1, 1, 0}, {1, 0, 0}}, still = {{1, 1, 0}, {0, 0, 0}},
           across = {{1, 1, 5}, {0, 0, -1}};
    cd_triangle turned = {{0, 0, 0}, {0, 4, 0}, {4, 0, 0}};
    cd_hit hit;
    hit.t = 77;
    if (cd_cast_ray_triangle(&in_plane, CD_REAL_MAX, &t, NULL, &hit)) CHECK(isfinite((double)hit.t));
    if (cd_cast_ray_triangle(&still, CD_REAL_MAX, &t, NULL, &hit)) CHECK(isfinite((double)hit.t));
    if (cd_cast_ray_triangle(&across, CD_REAL_MAX, &line, NULL, &hit)) CHECK(isfinite((double)hit.t));
    CHECK(cd_cast_ray_triangle(&across, CD_REAL_MAX, &t, NULL, &hit) && hit.t == 5);
    CHECK(cd_cast_ray_triangle(&across, CD_REAL_MAX, &turned, NULL, &hit) && hit.t == 5);
}

/* The article on polygon models: its pair routine leaves out the box test, and two separated spheres cost six million
 * triangle tests. */
static void m_separated_trees_cost_nothing(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(18, 0.0, &rng);
    cd_mesh_view view = gen_mesh_view(&m);
    cd_transform apart = cd_transform_identity();
    cd_bvh tree;
    apart.position.x = 3;
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    memset(&test_counted, 0, sizeof test_counted);
    CHECK_INT(cd_bvh_collide(&tree, &tree, &apart, NULL, NULL, 0), 0);
    CHECK_INT(test_counted.triangle, 0);
    CHECK(test_counted.node <= 2);
    cd_bvh_destroy(&tree);
    gen_mesh_free(&m);
}

/* The epsilon that is added to each axis' cosine grows with the long side, so that plates far longer than thick "touch", too: the
 * gap is a thousandth of the thickness, and below a millionth of the length. */
static void s4_4_1_plates_across_a_gap(void) {
    cd_real thin = (cd_real)ldexp(1.0, -10);
    cd_aabb plate = {{-1, -1, -1}, {1, 1, 1}};
    cd_obb a = cd_obb_from_aabb(plate), b;
    a.half.z = thin;
    b = a;
    b.center.z = 2 * thin + (cd_real)ldexp(1.0, -20);
    CHECK(!cd_test_obb_obb(&a, &b) && !cd_test_obb_obb_fast(&a, &b) && !cd_test_obb_obb_upright(&a, &b, 2));
    b.center.z = 2 * thin;
    CHECK(cd_test_obb_obb(&a, &b) && cd_test_obb_obb_fast(&a, &b) && cd_test_obb_obb_upright(&a, &b, 2));
}

/* Corners against faces, which is enough in the plane, is not in space: edges may keep boxes apart. */
static void s4_4_corners_against_faces_miss_edges(void) {
    cd_aabb unit = {{-1, -1, -1}, {1, 1, 1}};
    cd_obb a = cd_obb_from_aabb(unit), b = a;
    cd_vec3 v[8], w[8];
    cd_real h = (cd_real)0.5, s = root_half(), at = (cd_real)((2 * sqrt(2.0) + 0.1) * 0.70710678118654752440);
    b.axes = cd_mat3_from_columns(cd_vec3_make(s, -s, 0), cd_vec3_make(h, h, s), cd_vec3_make(h, h, -s));
    b.center = cd_vec3_make(at, at, 0);
    cd_obb_to_vertices(&a, v);
    cd_obb_to_vertices(&b, w);
    CHECK(cd_test_obb_obb_vertices(v, w) && cd_test_obb_obb_fast(&a, &b) && !cd_test_obb_obb(&a, &b));
}

/* A duplicate neighbour gives an edge without length: its NaN wins, with area 0. And any points are promised a rectangle, but
 * only a convex polygon gets one. */
static void s4_4_4_rectangles_of_any_points(void) {
    static const cd_vec2 doubled[5] = {{0, 0}, {2, 0}, {2, 1}, {2, 1}, {0, 1}};
    static const cd_vec2 hollow[6] = {{0, 0}, {4, 0}, {1, 1}, {4, 3}, {0, 3}, {1, 1}};
    cd_obb2 r;
    for (int calipers = 0; calipers < 2; ++calipers) {
        cd_status (*rect)(const cd_vec2 *, size_t, const cd_allocator *, cd_obb2 *) =
            calipers ? cd_min_area_rect_calipers : cd_min_area_rect;
        CHECK_INT(rect(doubled, 5, NULL, &r), CD_OK);
        CHECK_NEAR(4 * r.half.x * r.half.y, 2, 16 * EPS);
        CHECK_INT(rect(hollow, 6, NULL, &r), CD_OK);
        CHECK_NEAR(4 * r.half.x * r.half.y, 12, 64 * EPS);
        for (size_t n = 1; n < 3; ++n) {
            CHECK_INT(rect(doubled, n, NULL, &r), CD_OK);
            CHECK_NEAR(r.half.x, (double)n - 1, 4 * EPS);
            CHECK_NEAR(r.half.y, 0, 0);
        }
    }
}

/* Iterated projection ends where a local minimum "has not been found": it has been. Nothing is gained from there, unless the 512
 * projections were used up, of which each asks for nine edges at least. */
static void s4_4_4_projection_ends_in_a_minimum(void) {
    test_rng rng = test_random();
    gen g = gen_begin(&rng, GEN_UNIT);
    for (long n = test_times(20); n > 0; --n) {
        cd_vec3 p[20];
        cd_obb a, b;
        bool ended;
        for (int i = 0; i < 20; ++i) p[i] = gen_point(&g);
        test_note("");
        test_note_reals("points", REALS(p), 60);
        CHECK_INT(cd_obb_from_points(p, 20, &a), CD_OK);
        test_counted.rect = 0;
        CHECK_INT(cd_obb_refine(p, 20, NULL, &a), CD_OK);
        ended = test_counted.rect < 512 * 9;
        b = a;
        CHECK_INT(cd_obb_refine(p, 20, NULL, &b), CD_OK);
        if (ended)
            CHECK_NEAR(b.half.x * b.half.y * b.half.z, a.half.x * a.half.y * a.half.z, 64 * EPS);
        else
            CHECK(b.half.x * b.half.y * b.half.z <= a.half.x * a.half.y * a.half.z * (cd_real)(1 + 64 * EPS));
    }
}

/* ---- k-DOPs ---- */

/* An `else` between smallest and largest: points that only get smaller leave the largest unset. */
static void s4_6_4_both_ends_of_a_slab(void) {
    cd_vec3 p[4] = {{4, 4, 4}, {3, 3, 3}, {2, 2, 2}, {1, 1, 1}};
    cd_kdop_set set = cd_kdop_set_standard(8);
    cd_kdop dop;
    CHECK_INT(cd_kdop_from_points(p, 4, &set, &dop), CD_OK);
    CHECK(set.axis[0].x == 1 && set.axis[0].y == 1 && set.axis[0].z == 1);
    CHECK(dop.min[0] == 3 && dop.max[0] == 12);
    for (int i = 1; i < 4; ++i) {
        double sign = (double)(set.axis[i].x + set.axis[i].y + set.axis[i].z);
        CHECK((double)dop.min[i] == (sign > 0 ? 1 : -4) && (double)dop.max[i] == (sign > 0 ? 4 : -1));
    }
}

/* Projections end on the boundary, if at all, and never where there is nothing. */
static void s4_6_4_projections_come_to_an_end(void) {
    cd_aabb unit = {{0, 0, 0}, {1, 1, 1}};
    cd_kdop_set set = cd_kdop_set_standard(14);
    cd_kdop dop;
    cd_interior3 inner;
    CHECK_INT(cd_kdop_from_aabb(unit, &set, &dop), CD_OK);
    inner = cd_kdop_project(&dop, &set, cd_vec3_make((cd_real)0.5, 1, (cd_real)0.5), 100);
    CHECK(inner.verdict == CD_INTERIOR_FOUND && inner.margin > 0 && inner.point.y < 1);
    inner = cd_kdop_project(&dop, &set, cd_vec3_make(-1, 2, 2), 100);
    CHECK(inner.verdict == CD_INTERIOR_FOUND && inner.point.x > 0 && inner.point.y < 1 && inner.point.z < 1);
    dop.min[3] = 4; /* x + y + z is at most 3 in the box */
    dop.max[3] = 5;
    inner = cd_kdop_project(&dop, &set, cd_vec3_make(1, 1, 1), 0xFFFFu);
    CHECK_INT(inner.verdict, CD_INTERIOR_EMPTY);
}

/* The k-DOP of the figure: 8 planes in the plane, here with a slab of no width across. */
static void s4_6_2_the_dop_of_a_triangle(void) {
    cd_vec3 p[3] = {{3, 1, 0}, {5, 4, 0}, {1, 5, 0}};
    static const double lo[5] = {1, 1, 4, -4, 0}, hi[5] = {5, 5, 9, 2, 0};
    cd_kdop_set set;
    cd_kdop dop;
    memset(&set, 0, sizeof set);
    set.count = 5;
    set.axis[0].x = set.axis[1].y = set.axis[4].z = 1;
    set.axis[2] = cd_vec3_make(1, 1, 0);
    set.axis[3] = cd_vec3_make(1, -1, 0);
    CHECK_INT(cd_kdop_from_points(p, 3, &set, &dop), CD_OK);
    for (int i = 0; i < 5; ++i) CHECK((double)dop.min[i] == lo[i] && (double)dop.max[i] == hi[i]);
}

void suite_errata(void) {
    RUN(s2_4_3_crossing_paths_need_not_meet);
    RUN(s4_2_1_whole_boxes_beyond_the_range);
    RUN(s4_2_4_extreme_points_are_set);
    RUN(s4_2_6_turned_boxes_hold_their_corners);
    RUN(s4_3_3_small_covariances_have_axes);
    RUN(s4_3_1_touching_spheres_meet);
    RUN(s4_3_2_tied_axes_give_the_longest_pair);
    RUN(s4_3_spheres_hold_every_point_of_any_size);
    RUN(s4_3_3_small_points_get_their_axis);
    RUN(s4_3_4_refinement_leaves_points_alone);
    RUN(s4_3_5_supports_have_four_points_at_most);
    RUN(s4_4_1_cubes_apart_on_each_axis);
    RUN(s4_4_1_needles_across_a_gap);
    RUN(s4_4_1_parallel_boxes_are_not_missed);
    RUN(s4_4_1_boxes_parted_by_edges);
    RUN(s4_4_1_plates_across_a_gap);
    RUN(s4_4_corners_against_faces_miss_edges);
    RUN(s4_4_4_rectangles_of_any_points);
    RUN(s4_4_4_projection_ends_in_a_minimum);
    RUN(s4_5_squares_are_compared_with_squares);
    RUN(s5_1_1_plane_normals_of_any_length);
    RUN(s5_3_2_small_spheres_far_away);
    RUN(s5_3_3_slabs_are_all_kept);
    RUN(s5_3_3_edges_of_the_box_meet_it);
    RUN(s5_3_3_segments_of_the_box_meet_it);
    RUN(s5_3_3_small_boxes_are_not_swollen);
    RUN(s5_3_3_table_5_1);
    RUN(s5_3_3_axes_across_a_segment);
    RUN(s5_3_4_nothing_is_divided_by_nothing);
    RUN(m_separated_trees_cost_nothing);
    RUN(s4_6_4_both_ends_of_a_slab);
    RUN(s4_6_4_projections_come_to_an_end);
    RUN(s4_6_2_the_dop_of_a_triangle);
}
