/* What trees are said to cost: cases with a known answer, bounds, and the formulas for degrees. */
#include "gen.h"

#include <math.h>
#include <string.h>

static cd_aabb box_at(double x, double y, double z, double size) {
    cd_aabb b;
    b.min = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
    b.max = cd_vec3_make((cd_real)(x + size), (cd_real)(y + size), (cd_real)(z + size));
    return b;
}

static cd_bvh tree_of(const cd_aabb *boxes, uint32_t count, uint32_t layout, uint32_t leaf_size) {
    cd_bvh t;
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.layout = layout;
    o.leaf_size = leaf_size;
    CHECK_INT(cd_bvh_build_boxes(&t, boxes, count, &o), CD_OK);
    return t;
}

/* Two boxes of side 2, shifted by 1 along x: 3 x 2 x 2 around both, 1 x 2 x 2 in common. */
static void two_boxes_have_known_costs(void) {
    cd_aabb boxes[2];
    boxes[0] = box_at(0, 0, 0, 2);
    boxes[1] = box_at(1, 0, 0, 2);
    for (uint32_t layout = 0; layout < 3; ++layout) {
        cd_bvh t = tree_of(boxes, 2, layout, 1);
        cd_bvh_stats s = ASK("exact", cd_bvh_get_stats(&t));
        double margin = layout == CD_BVH_QUANTISED ? 2e-3 : 1e-5;
        test_note("layout %u", layout);
        CHECK_INT(s.node_count, layout == CD_BVH_BINARY ? 3 : 1);
        CHECK_INT(s.leaf_count, 2);
        CHECK_INT(s.leaf_most, 1);
        CHECK_SAME(s.leaf_depth, layout == CD_BVH_BINARY ? 2 : 1);
        CHECK_INT(s.depth, s.leaf_depth);
        CHECK_NEAR(s.cost, 1.0 + 24.0 / 16.0, margin);
        CHECK_SAME(s.cost_nodes, 1.0);
        CHECK_NEAR(s.cost_point, 1.0 + 16.0 / 12.0, margin);
        CHECK_SAME(ASK("exact", cd_bvh_get_worst(&t, 0)).bound, 3.0);
        CHECK_NEAR(s.overlap, 8.0 / 16.0, margin);
        cd_bvh_destroy(&t);
    }
}

/* All on one point: that point costs everything. Apart: it costs one way down at most. */
static void the_worst_is_met_at_both_ends(void) {
    enum { N = 300 };
    static cd_aabb same[N], apart[N];
    for (int i = 0; i < N; ++i) {
        same[i] = box_at(1, 2, 3, 1);
        apart[i] = box_at(3 * i, 0, 0, 1);
    }
    for (uint32_t layout = 0; layout < 3; ++layout) {
        cd_bvh t = tree_of(same, N, layout, 3), u = tree_of(apart, N, layout, 3);
        cd_bvh_stats s = cd_bvh_get_stats(&t), q = cd_bvh_get_stats(&u);
        cd_bvh_worst w = ASK("judge", cd_bvh_get_worst(&t, 0)), v = ASK("judge", cd_bvh_get_worst(&u, 0));
        uint32_t visited = layout == CD_BVH_BINARY ? s.node_count - s.leaf_count : s.node_count;
        CHECK_SAME(w.worst, visited + (double)N);
        CHECK_SAME(w.mean, w.worst);
        CHECK_SAME(w.bound, w.worst);
        CHECK_NEAR(s.cost, w.worst, 1e-3 * w.worst);
        CHECK_INT(w.tried, s.leaf_count);
        CHECK(v.worst <= q.depth + q.leaf_most && v.mean <= v.worst && v.index < N);
        CHECK(q.leaf_depth <= q.depth && q.overlap >= 0 && (layout == CD_BVH_QUANTISED || q.overlap == 0));
        CHECK_INT(ASK("judge", cd_bvh_get_worst(&u, 10)).tried,
                  (q.leaf_count + q.leaf_count / 10 - 1) / (q.leaf_count / 10));
        cd_bvh_destroy(&t);
        cd_bvh_destroy(&u);
    }
}

/* The most boxes that any point lies in: some point with the least coordinates of three of them has it. */
static int deepest_point(const cd_aabb *b, int n) {
    int most = 0;
    for (int i = 0; i < n * n * n; ++i) {
        cd_vec3 p = cd_vec3_make(b[i % n].min.x, b[i / n % n].min.y, b[i / n / n].min.z);
        int in = 0;
        for (int k = 0; k < n; ++k) in += cd_test_point_aabb(p, b[k]);
        if (in > most) most = in;
    }
    return most;
}

static void no_point_costs_more_than_the_bound(void) {
    test_rng rng = test_random();
    for (long i = test_times(60); i > 0; --i) {
        gen g = gen_begin(&rng, i % 2 ? GEN_UNIT : GEN_GRID);
        cd_aabb boxes[16];
        cd_bvh t;
        cd_bvh_stats s;
        cd_bvh_worst w;
        int n = test_int(&rng, 1, 16);
        for (int k = 0; k < n; ++k) boxes[k] = gen_aabb(&g);
        t = tree_of(boxes, (uint32_t)n, (uint32_t)(i % 3), (uint32_t)test_int(&rng, 1, 3));
        s = ASK("loop", cd_bvh_get_stats(&t));
        w = ASK("loop", cd_bvh_get_worst(&t, 0));
        CHECK(w.bound >= 1 + deepest_point(boxes, n) && w.bound >= w.worst && w.worst >= w.mean);
        CHECK(s.cost >= s.cost_nodes && s.cost_nodes >= 1);
        cd_bvh_destroy(&t);
    }
}

/* ---- degrees ---- */

static void degree_formulas_are_those_of_complete_trees(void) {
    for (int d = 2; d <= 16; ++d) {
        double leaves = 1, inner = 0;
        for (int height = 0; height <= 8; ++height, inner += leaves, leaves *= d) {
            cd_bvh_degree c = ASK("exact", cd_bvh_degree_cost(d, leaves));
            CHECK_SAME(c.inner_nodes, inner);
            CHECK_NEAR(c.height, height, 1e-14 * height);
            CHECK_NEAR(c.one, d * height, 1e-14 * d * height);
            CHECK_NEAR(c.pair, d * d * height, 1e-14 * d * d * height);
        }
    }
    for (double x = 1.0001; x < 1e300; x *= 7.3)
        CHECK_NEAR(ASK("judge", cd_bvh_degree_cost(10, x)).height, log10(x), 1e-14 * log10(x) + 1e-16);
}

/* The printed text gives the real optimum of one and the whole one of the other. */
static void the_best_degrees_are_e_and_its_root(void) {
    const double e = exp(1.0), root = exp(0.5);
    for (double n = 10; n < 1e9; n *= 10) {
        for (double d = 1.05; d < 16; d += 0.05) {
            CHECK(cd_bvh_degree_cost(d, n).one >= cd_bvh_degree_cost(e, n).one * (1 - 1e-14));
            CHECK(cd_bvh_degree_cost(d, n).pair >= cd_bvh_degree_cost(root, n).pair * (1 - 1e-14));
        }
        for (int d = 2; d <= 16; ++d) {
            CHECK(d == 3 || cd_bvh_degree_cost(d, n).one > cd_bvh_degree_cost(3, n).one);
            CHECK(d == 2 || cd_bvh_degree_cost(d, n).pair > cd_bvh_degree_cost(2, n).pair);
        }
    }
}

static void bad_degrees_are_zero(void) {
    const double bad[5] = {1, 0, -3, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 5; ++i) {
        CHECK_SAME(ASK("bad", cd_bvh_degree_cost(bad[i], 8)).one, 0);
        if (i) CHECK_SAME(ASK("bad", cd_bvh_degree_cost(8, bad[i])).inner_nodes, 0);
    }
}

/* ---- a tree with another degree ---- */

static void trees_collapse_to_any_degree(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(test_is_small() ? 6 : 20, 0.1, &rng);
    cd_mesh_view v = gen_mesh_view(&m);
    cd_bvh_options o;
    cd_bvh binary, wide;
    cd_bvh_stats two, eight;
    cd_bvh_collapsed c, binary_c;
    memset(&o, 0, sizeof o);
    memset(&binary_c, 0, sizeof binary_c);
    CHECK_INT(cd_bvh_build_mesh(&wide, &v, &o), CD_OK);
    o.layout = CD_BVH_BINARY;
    CHECK_INT(cd_bvh_build_mesh(&binary, &v, &o), CD_OK);
    two = cd_bvh_get_stats(&binary);
    eight = cd_bvh_get_stats(&wide);
    for (uint32_t d = 2; d <= 16; ++d) {
        test_note("degree %u", d);
        CHECK_INT(ASK("forms", cd_bvh_collapse(&binary, d, NULL, &c)), CD_OK);
        CHECK_INT(c.leaf_count, two.leaf_count);
        CHECK(c.node_count >= (c.leaf_count - 1 + d - 2) / (d - 1) && c.tests >= 1);
        if (d == 2) binary_c = c;
        if (d == 2) CHECK(c.node_count == two.leaf_count - 1 && c.depth + 1 == two.depth);
        if (d == 2) CHECK_NEAR(c.cost, two.cost, 1e-5 * two.cost);
        if (d == 8) CHECK(c.node_count == eight.node_count && c.depth == eight.depth);
        if (d == 8) CHECK_NEAR(c.cost, eight.cost, 1e-5 * eight.cost);
        if (d > 2)
            CHECK(c.node_count < binary_c.node_count && c.depth <= binary_c.depth && c.cost < binary_c.cost);
        CHECK_INT(ASK("forms", cd_bvh_collapse(&wide, d, NULL, &c)), CD_OK);
        CHECK_INT(c.leaf_count, two.leaf_count);
        CHECK_INT(cd_bvh_collapse(&binary, d, NULL, &c), CD_OK);
    }
    CHECK_INT(ASK("bad", cd_bvh_collapse(&wide, 1, NULL, &c)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_bvh_collapse(&wide, 17, NULL, &c)), CD_INVALID_ARGUMENT);
    CHECK_INT(c.node_count, 0);
    for (long n = 0; n < 6; ++n) {
        test_memory f = {n, 0, 0};
        cd_allocator a = test_allocator(&f);
        CHECK_INT(ASK("bad", cd_bvh_collapse(&wide, 4, &a, &c)), n < 5 ? CD_OUT_OF_MEMORY : CD_OK);
        CHECK_INT(f.live, 0);
    }
    cd_bvh_destroy(&binary);
    cd_bvh_destroy(&wide);
    CHECK_INT(ASK("bad", cd_bvh_collapse(&wide, 4, NULL, &c)), CD_OK);
    CHECK_INT(c.node_count, 0);
    gen_mesh_free(&m);
}

void suite_bvh_stats(void) {
    RUN(two_boxes_have_known_costs);
    RUN(the_worst_is_met_at_both_ends);
    RUN(no_point_costs_more_than_the_bound);
    RUN(degree_formulas_are_those_of_complete_trees);
    RUN(the_best_degrees_are_e_and_its_root);
    RUN(bad_degrees_are_zero);
    RUN(trees_collapse_to_any_degree);
}
