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
    CHECK_NEAR((double)hit.t, (10000 - (double)s.radius) / 8, 2 * EPS * 1250);
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
        cd_hit hit;
        int axis = test_int(&rng, 0, 2);
        r.origin = box.min;
        r.dir = cd_vec3_make(0, 0, 0);
        REALS(r.dir)[axis] = REALS(box.max)[axis] - REALS(box.min)[axis];
        if (cd_aabb_is_empty(box)) continue;
        test_note("");
        test_note_reals("box", REALS(box), 6);
        CHECK(cd_cast_ray_aabb(&r, 1, box, NULL, &hit));
    }
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
    CHECK_INT(cd_bvh_collide(&tree, &tree, &apart, NULL, 0), 0);
    CHECK_INT(test_counted.triangle, 0);
    CHECK(test_counted.node <= 2);
    cd_bvh_destroy(&tree);
    gen_mesh_free(&m);
}

void suite_errata(void) {
    RUN(s4_3_3_small_covariances_have_axes);
    RUN(s4_4_1_cubes_apart_on_each_axis);
    RUN(s4_4_1_needles_across_a_gap);
    RUN(s4_4_1_parallel_boxes_are_not_missed);
    RUN(s4_4_1_boxes_parted_by_edges);
    RUN(s4_5_squares_are_compared_with_squares);
    RUN(s5_1_1_plane_normals_of_any_length);
    RUN(s5_3_2_small_spheres_far_away);
    RUN(s5_3_3_slabs_are_all_kept);
    RUN(s5_3_3_edges_of_the_box_meet_it);
    RUN(s5_3_4_nothing_is_divided_by_nothing);
    RUN(m_separated_trees_cost_nothing);
}
