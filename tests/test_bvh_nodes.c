/* Trees given by the caller: what they hold, how they are grouped, bad graphs. */
#include "gen.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1200 };

typedef struct graph {
    uint32_t parent[MOST], box_node[MOST];
    cd_aabb node_box[MOST], boxes[MOST];
    cd_bvh_graph view;
} graph;

static graph all;

static void graph_begin(uint32_t nodes, uint32_t boxes) {
    memset(&all.view, 0, sizeof all.view);
    all.view.parent = all.parent;
    all.view.node_box = all.node_box;
    all.view.boxes = all.boxes;
    all.view.box_node = all.box_node;
    all.view.node_count = nodes;
    all.view.box_count = boxes;
    for (uint32_t i = 0; i < MOST; ++i) {
        all.node_box[i] = cd_aabb_empty();
        all.box_node[i] = 0;
        all.parent[i] = CD_NONE;
    }
}

/* Any tree over nodes whose numbers are in no order: bushy, random or a chain. */
static void graph_random(test_rng *rng) {
    uint32_t name[MOST], n = (uint32_t)test_int(rng, 1, test_int(rng, 0, 3) ? 60 : MOST);
    uint32_t boxes = (uint32_t)test_int(rng, 0, test_int(rng, 0, 3) ? 40 : 500);
    int shape = test_int(rng, 0, 3);
    gen g = gen_begin(rng, test_int(rng, 0, 1) ? GEN_UNIT : GEN_GRID);
    graph_begin(n, boxes);
    for (uint32_t i = 0; i < n; ++i) {
        uint32_t j = (uint32_t)test_int(rng, 0, (int)i);
        name[i] = name[j];
        name[j] = i;
    }
    for (uint32_t i = 1; i < n; ++i) {
        int last = (int)i - 1;
        int up = shape == 0 ? 0 : shape == 1 ? last : test_int(rng, shape == 2 ? 0 : last - last / 9, last);
        all.parent[name[i]] = name[up];
    }
    for (uint32_t i = 0; i < n; ++i) {
        if (test_int(rng, 0, 1)) all.node_box[i] = gen_aabb(&g);
    }
    for (uint32_t i = 0; i < boxes; ++i) {
        all.boxes[i] = gen_aabb(&g);
        all.box_node[i] = (uint32_t)test_int(rng, 0, (int)n - 1);
    }
    all.view.wrap = (uint32_t)test_int(rng, 0, 1);
}

/* ---- what is in a tree: every box once, found by rays through it ---- */

static bool is_box(void *user, uint32_t index) {
    ++((unsigned char *)user)[index];
    return true;
}

static void holds_all(const cd_bvh *t) {
    unsigned char seen[MOST] = {0};
    cd_aabb bounds = cd_aabb_empty(), got = ASK("loop", cd_bvh_bounds(t));
    cd_cast_options o;
    memset(&o, 0, sizeof o);
    for (uint32_t i = 0; i < all.view.box_count; ++i) bounds = cd_merge_aabb_aabb(bounds, all.boxes[i]);
    CHECK_INT(ASK("loop", cd_bvh_count(t)), all.view.box_count);
    CHECK(!memcmp(&bounds, &got, sizeof bounds) || !all.view.box_count);
    if (cd_bvh_overlap_aabb(t, bounds, NULL, is_box, seen) && all.view.box_count && seen[0]) {
        for (uint32_t i = 0; i < all.view.box_count; ++i) CHECK_INT(seen[i], 1);
    }
}

static void any_graph_becomes_a_tree(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        cd_bvh t;
        cd_bvh_options o;
        graph_random(&rng);
        memset(&o, 0, sizeof o);
        o.layout = (uint32_t)test_int(&rng, 0, 2);
        o.leaf_size = (uint32_t)test_int(&rng, 0, 5);
        test_note("%u nodes, %u boxes, layout %u", all.view.node_count, all.view.box_count, o.layout);
        CHECK_INT(ASK("loop", cd_bvh_from_nodes(&t, &all.view, &o)), CD_OK);
        CHECK_INT(ASK("judge", cd_bvh_validate(&t)), CD_OK);
        CHECK_INT(ASK("exact", cd_bvh_get_layout(&t)), o.layout);
        CHECK_INT(ASK("exact", cd_bvh_get_kind(&t)), CD_BVH_BOXES);
        holds_all(&t);
        cd_bvh_destroy(&t);
    }
}

/* A root with two objects, a child with one and a child with two of its own: as it stands, in layout and cost. */
static void the_grouping_is_kept(void) {
    static const uint32_t parent[4] = {2, 2, CD_NONE, 1}, box_node[5] = {2, 0, 3, 2, 3};
    cd_bvh t;
    cd_bvh_options o;
    cd_bvh_stats s;
    graph_begin(4, 5);
    memcpy(all.parent, parent, sizeof parent);
    memcpy(all.box_node, box_node, sizeof box_node);
    for (int i = 0; i < 5; ++i) {
        all.boxes[i].min = cd_vec3_make((cd_real)i, 0, 0);
        all.boxes[i].max = cd_vec3_make((cd_real)i + 1, 1, 1);
    }
    memset(&o, 0, sizeof o);
    o.layout = CD_BVH_BINARY;
    o.leaf_size = 2;
    CHECK_INT(cd_bvh_from_nodes(&t, &all.view, &o), CD_OK);
    s = ASK("exact", cd_bvh_get_stats(&t));
    /* leaf (0, 3) | node 0: leaf (1) | node 1 = node 3: leaf (2, 4): halved to (0, 3) and a node of the other two */
    CHECK_INT(s.leaf_count, 3);
    CHECK_INT(s.node_count, 5);
    CHECK_INT(s.depth, 3);
    /* surfaces, halved: root 11; leaf 0...4 is 9, twice; the others 1...5: 9; leaf 1: 3; leaf 2...5: 7, twice */
    CHECK_NEAR(s.cost, 1 + (9 * 2 + 9 + 3 + 7 * 2) / 11.0, 1e-5);
    cd_bvh_destroy(&t);
    all.view.wrap = CD_BVH_LAYERED; /* the empty boxes of nodes add nothing */
    CHECK_INT(cd_bvh_from_nodes(&t, &all.view, &o), CD_OK);
    CHECK_NEAR(ASK("exact", cd_bvh_get_stats(&t)).cost, s.cost, 0);
    cd_bvh_destroy(&t);
    all.node_box[0] = all.boxes[4]; /* node 0 holds object 1 and reaches over 4: 1...5 is 9 */
    CHECK_INT(cd_bvh_from_nodes(&t, &all.view, &o), CD_OK);
    CHECK_NEAR(ASK("exact", cd_bvh_get_stats(&t)).cost, 1 + (9 * 2 + 9 + 9 + 7 * 2) / 11.0, 1e-5);
    CHECK_INT(cd_bvh_validate(&t), CD_OK);
    cd_bvh_destroy(&t);
}

static void deep_chains_are_halved(void) {
    for (uint32_t step = 1; step <= 16; step *= 4) {
        cd_bvh t;
        graph_begin(MOST, MOST);
        for (uint32_t i = 1; i < MOST; ++i) all.parent[i] = i - 1;
        for (uint32_t i = 0; i < MOST; ++i) {
            all.boxes[i].min = all.boxes[i].max = cd_vec3_make((cd_real)i, 0, 0);
            all.box_node[i] = i / step * step;
        }
        CHECK_INT(cd_bvh_from_nodes(&t, &all.view, NULL), CD_OK);
        CHECK_INT(cd_bvh_validate(&t), CD_OK);
        CHECK(cd_bvh_get_stats(&t).depth <= 80);
        cd_bvh_destroy(&t);
    }
}

static void bad_graphs_are_refused(void) {
    static const uint32_t parent[5] = {CD_NONE, 0, 0, 1, 1};
    for (int kind = 0; kind < 14; ++kind) {
        cd_status want = CD_INVALID_ARGUMENT;
        cd_bvh_options o;
        cd_bvh t;
        memset(&o, 0, sizeof o);
        memset(&t, 0x77, sizeof t);
        graph_begin(5, 2);
        memcpy(all.parent, parent, sizeof parent);
        all.boxes[0] = all.boxes[1] = cd_aabb_add_point(cd_aabb_empty(), cd_vec3_make(1, 2, 3));
        if (kind == 0) all.parent[0] = 4;       /* no root */
        if (kind == 1) all.parent[2] = CD_NONE; /* two */
        if (kind == 2) all.parent[1] = 3;       /* a cycle beside the root */
        if (kind == 3) all.parent[2] = 2;       /* ... of one */
        if (kind == 4) all.parent[2] = 5;
        if (kind == 5) all.box_node[1] = 5;
        if (kind == 6) all.boxes[1] = cd_aabb_empty();
        if (kind == 7) all.view.wrap = 2;
        if (kind == 8) all.view.parent = NULL;
        if (kind == 9) all.view.boxes = NULL;
        if (kind == 10) all.view.node_count = 0;
        if (kind == 11) o.leaf_size = 65;
        if (kind == 12) o.layout = 3;
        if (kind == 13) all.view.box_count = 0x20000001u, want = CD_TOO_LARGE;
        test_note("kind %d", kind);
        CHECK_INT(ASK("bad", cd_bvh_from_nodes(&t, &all.view, &o)), want);
        CHECK(t.block == NULL && t.bytes == 0);
    }
}

static void graphs_without_objects_are_empty(void) {
    for (uint32_t nodes = 0; nodes < 3; ++nodes) {
        cd_bvh t;
        graph_begin(nodes, 0);
        all.parent[1] = 0;
        CHECK_INT(ASK("bad", cd_bvh_from_nodes(&t, &all.view, NULL)), CD_OK);
        CHECK_INT(ASK("bad", cd_bvh_count(&t)), 0);
        CHECK_INT(cd_bvh_validate(&t), CD_OK);
        cd_bvh_destroy(&t);
    }
}

static void graphs_survive_a_lack_of_memory(void) {
    test_rng rng = test_random();
    cd_status status = CD_OUT_OF_MEMORY;
    graph_random(&rng);
    all.view.wrap = CD_BVH_LAYERED;
    for (long n = 0; n < 12 && status == CD_OUT_OF_MEMORY; ++n) {
        test_memory f = {n, 0, 0};
        cd_bvh_options o;
        cd_bvh t;
        memset(&o, 0, sizeof o);
        o.allocator = test_allocator(&f);
        status = ASK("bad", cd_bvh_from_nodes(&t, &all.view, &o));
        CHECK(status == CD_OK || (status == CD_OUT_OF_MEMORY && !t.block && f.live == 0));
        ASK("bad", cd_bvh_destroy(&t));
        CHECK_INT(f.live, 0);
    }
    CHECK_INT(status, CD_OK);
}

void suite_bvh_nodes(void) {
    RUN(any_graph_becomes_a_tree);
    RUN(the_grouping_is_kept);
    RUN(deep_chains_are_halved);
    RUN(bad_graphs_are_refused);
    RUN(graphs_without_objects_are_empty);
    RUN(graphs_survive_a_lack_of_memory);
}
