/* What is wrong in a tree that changes, or in one of heights, is found: each number of a node is changed in turn. */
#include "parts.h"

#include "gen.h"
#include <string.h>

enum { MANY = 150 };

static void make(cd_dyntree *t, test_rng *rng) {
    CHECK_INT(cd_dyntree_init(t, NULL), CD_OK);
    for (int i = 0; i < MANY; ++i) {
        cd_aabb b;
        uint32_t id;
        for (int k = 0; k < 3; ++k) {
            REALS(b.min)[k] = (cd_real)test_range(rng, -10, 10);
            REALS(b.max)[k] = (cd_real)((double)REALS(b.min)[k] + test_range(rng, 0, 1));
        }
        CHECK_INT(cd_dyntree_insert(t, b, 1, &id), CD_OK);
        if (i % 7 == 0) CHECK_INT(cd_dyntree_remove(t, id), CD_OK);
    }
    CHECK_INT(cd_dyntree_validate(t), CD_OK);
}

static void wrong(const cd_dyntree *t, cdi_bvh_node *n, const cdi_bvh_node *good, const char *what) {
    test_note("%s of a node of height %u ", what, good->height);
    CHECK(cd_dyntree_validate(t) != CD_OK);
    *n = *good;
}

static void spoil(const cd_dyntree *t, cdi_bvh_node *n) {
    cdi_bvh_node good = *n;
    uint32_t width = 0;
    while (good.lanes >> width & 1u) ++width;
    n->parent ^= 1u, wrong(t, n, &good, "parent");
    n->height += 1, wrong(t, n, &good, "height");
    n->lanes = 0, wrong(t, n, &good, "lanes");
    n->lanes |= 256u, wrong(t, n, &good, "lanes above");
    n->lanes &= ~1u, wrong(t, n, &good, "the first lane");
    if (width < 8) n->moved |= 1u << width, wrong(t, n, &good, "marks of no lane");
    if (good.height) n->moved ^= 1u, wrong(t, n, &good, "marks");
    for (uint32_t i = 0; i < 8; ++i) {
        n->child[i] ^= 0x40000000u, wrong(t, n, &good, "child");
        n->count[i] ^= 3u, wrong(t, n, &good, "count");
        for (int k = 0; k < 3; ++k) {
            n->lo[k][i] = 3.0f, wrong(t, n, &good, "low side");
            n->hi[k][i] = -1.5f, wrong(t, n, &good, "high side");
        }
    }
    for (uint32_t i = 0; good.height && i < width; ++i)
        n->child[i] = good.child[(i + 1) % width], wrong(t, n, &good, "another child");
    CHECK_INT(cd_dyntree_validate(t), CD_OK);
}

static void nodes_are_checked(void) {
    test_rng rng = test_random();
    cd_dyntree t;
    long seen = 0;
    make(&t, &rng);
    for (uint32_t i = 0; i < t.node_count; ++i) {
        cdi_bvh_node *n = cdi_dyn_node(&t, i);
        if (!n->lanes) continue; /* a free one */
        if (i == 0 || n->height == 0 || seen < 8) spoil(&t, n);
        if (++seen > (test_is_tiny() ? 2 : 12)) break;
    }
    CHECK(seen > 2);
    cd_dyntree_destroy(&t);
}

/* A node with children that are too few. */
static void nodes_are_wide_enough(void) {
    test_rng rng = test_random();
    cd_dyntree t;
    make(&t, &rng);
    for (uint32_t i = 1; i < t.node_count; ++i) {
        cdi_bvh_node *n = cdi_dyn_node(&t, i), good = *n;
        uint32_t width = 0;
        while (good.lanes >> width & 1u) ++width;
        if (width < 2) continue;
        for (uint32_t k = 1; k < 8; ++k) { /* as if it had one */
            n->child[k] = 0, n->count[k] = 0;
            for (int a = 0; a < 3; ++a) n->lo[a][k] = 2.0f, n->hi[a][k] = -2.0f;
        }
        n->lanes = 1, n->moved &= 1u;
        wrong(&t, n, &good, "width");
    }
    CHECK_INT(cd_dyntree_validate(&t), CD_OK);
    cd_dyntree_destroy(&t);
}

/* Each number beside the nodes, and each of those of ids. */
static void ids_are_checked(void) {
    test_rng rng = test_random();
    cd_dyntree t, good;
    uint32_t used = CD_NONE, free_one = CD_NONE;
    make(&t, &rng);
    for (uint32_t i = 3; i < 40; i += 9) CHECK_INT(cd_dyntree_remove(&t, i), CD_OK);
    good = t;
    for (uint32_t i = 0; i < t.place_count; ++i) {
        if (cd_dyntree_contains(&t, i)) used = i;
        if (!cd_dyntree_contains(&t, i)) free_one = i;
    }
    CHECK(used != CD_NONE && free_one != CD_NONE && t.free_id != 0);
#define WRONG(name, value)                                                                                   \
    do {                                                                                                     \
        t.name = (value);                                                                                    \
        test_note(#name);                                                                                    \
        CHECK_INT(cd_dyntree_validate(&t), CD_CORRUPT);                                                      \
        t = good;                                                                                            \
    } while (0)
    WRONG(place_room, t.place_count - 1);
    WRONG(free_id, t.place_count + 1);
    WRONG(free_id, used + 1);
    WRONG(free_id, 0);
    WRONG(count, t.count + 1);
    WRONG(count, t.count - 1);
    WRONG(node_count, t.node_count + 1);
    WRONG(node_count, t.node_room + 1);
    WRONG(node_room, t.node_room + 1);
    WRONG(free_nodes, t.free_nodes + 1);
    WRONG(free_node, t.node_count + 1);
    WRONG(free_node, 1);
    WRONG(bvh.owned, 1);
    WRONG(bvh.block, NULL);
#undef WRONG
    for (uint32_t i = 0; i < t.place_count; ++i) {
        uint32_t place = t.place[i];
        test_note("id %u ", (unsigned)i);
        t.place[i] = place ^ 1u;
        CHECK_INT(cd_dyntree_validate(&t), CD_CORRUPT);
        t.place[i] = place & CDI_DYN_FREE ? CDI_DYN_FREE | (t.place_count + 1) : t.node_count << 3;
        CHECK_INT(cd_dyntree_validate(&t), CD_CORRUPT);
        t.place[i] = place;
    }
    t.place[free_one] = CDI_DYN_FREE | (free_one + 1); /* for ever in a circle */
    CHECK_INT(cd_dyntree_validate(&t), CD_CORRUPT);
    t.place[free_one] = CDI_DYN_FREE | (used + 1);
    CHECK_INT(cd_dyntree_validate(&t), CD_CORRUPT);
    cd_dyntree_destroy(&good);
}

/* The bounds of each lane of each node of a height field, and which lanes there are. */
static void nodes_of_heights_are_checked(void) {
    static uint8_t samples[40 * 30];
    test_rng rng = test_random();
    cd_height_view v;
    cd_bvh t, again;
    cdi_bvh open;
    memset(&v, 0, sizeof v);
    memset(&open, 0, sizeof open);
    for (size_t i = 0; i < sizeof samples; ++i) samples[i] = (uint8_t)test_int(&rng, 20, 90);
    v.samples = samples;
    v.format = CD_HEIGHT_U8;
    v.columns = 40;
    v.rows = 30;
    CHECK_INT(cd_bvh_build_heights(&t, &v, NULL), CD_OK);
    if (CHECK(cdi_bvh_open(&open, &t))) {
        const cdi_height_field *g = cdi_bvh_field(&open);
        for (uint32_t i = 0; i < 18 * g->node_count; ++i) {
            bool bound = i < 16 * g->node_count;
            const unsigned char *at = cdi_heights_at_byte(g, bound ? g->bounds : g->lanes);
            unsigned char *byte = (unsigned char *)(uintptr_t)at + (bound ? i : i - 16 * g->node_count);
            test_note("number %u ", (unsigned)i);
            *byte ^= 1;
            CHECK_INT(cd_bvh_view(&again, t.block, t.bytes), CD_CORRUPT);
            *byte ^= 1;
        }
    }
    CHECK_INT(cd_bvh_view(&again, t.block, t.bytes), CD_OK);
    cd_bvh_destroy(&t);
}

void suite_dyn_damage(void) {
    RUN(nodes_are_checked);
    RUN(nodes_are_wide_enough);
    RUN(ids_are_checked);
    RUN(nodes_of_heights_are_checked);
}
