#include "tree/bvh_pairs_kernel.h"
#include "core/lanes.h"
#include "tree/bvh_map.h"

/* A box against eight, along one axis: how far they are apart. */
CDI_INLINE cdi_lanes cdi_real_gap(const cd_real *lo, const cd_real *hi, cd_real own_lo, cd_real own_hi) {
    return cdi_lanes_max(cdi_lanes_sub(cdi_lanes_load(lo), cdi_lanes_all(own_hi)),
                         cdi_lanes_sub(cdi_lanes_all(own_lo), cdi_lanes_load(hi)));
}

/* The items of the block whose boxes meet a box. */
static uint32_t cdi_block_meets(const cdi_posed_block *b, cd_vec3 lo, cd_vec3 hi) {
    uint32_t met = 0;
    for (uint32_t i = 0; i < 8; i += CDI_LANES) {
        cdi_lanes x = cdi_real_gap(b->lo[0] + i, b->hi[0] + i, lo.x, hi.x);
        cdi_lanes y = cdi_real_gap(b->lo[1] + i, b->hi[1] + i, lo.y, hi.y);
        cdi_lanes z = cdi_real_gap(b->lo[2] + i, b->hi[2] + i, lo.z, hi.z);
        met |= cdi_lanes_le(cdi_lanes_max(cdi_lanes_max(x, y), z), cdi_lanes_all(0)) << i;
    }
    return met & 255u >> (8 - b->count);
}

/* One pair whose boxes meet. */
static bool cdi_pair_decide(const cdi_pair_walk *w, const cdi_posed *a, const cdi_posed *b) {
    cd_pair pair;
    CDI_COUNT(triangle);
    if (!w->meets(w, a, b)) return true;
    pair.a = cdi_bvh_index(&w->a, a->item);
    pair.b = cdi_bvh_index(&w->b, b->item);
    if (w->same && pair.a > pair.b) {
        uint32_t swap = pair.a;
        pair.a = pair.b;
        pair.b = swap;
    }
    return !cdi_pairs_sees(w, a->item, b->item, pair) || w->visit(w->user, pair);
}

static cd_real cdi_least_real(cd_real a, cd_real b, cd_real c) {
    cd_real r = a < b ? a : b;
    return r < c ? r : c;
}
static cd_real cdi_most_real(cd_real a, cd_real b, cd_real c) {
    cd_real r = a > b ? a : b;
    return r > c ? r : c;
}

/* The bounding box of an item of a. */
static cd_aabb cdi_item_bounds(const cdi_bvh *tree, uint32_t item) {
    cd_triangle t;
    cd_aabb b;
    if (tree->item == CD_BVH_BOXES) return cdi_bvh_box_of(tree, item);
    if (!cdi_bvh_is_triangles(tree)) {
        b.min = b.max = cdi_bvh_point_of(tree, item);
        return b;
    }
    t = cdi_bvh_triangle_of(tree, item);
    b.min = cd_vec3_make(cdi_least_real(t.a.x, t.b.x, t.c.x), cdi_least_real(t.a.y, t.b.y, t.c.y),
                         cdi_least_real(t.a.z, t.b.z, t.c.z));
    b.max = cd_vec3_make(cdi_most_real(t.a.x, t.b.x, t.c.x), cdi_most_real(t.a.y, t.b.y, t.c.y),
                         cdi_most_real(t.a.z, t.b.z, t.c.z));
    return b;
}

/* An item of a against those of the block of b that may meet it. */
static bool cdi_item_pairs(const cdi_pair_walk *w, uint32_t item, uint32_t may_meet) {
    cd_aabb box = cdi_item_bounds(&w->a, item);
    uint32_t met = cdi_block_meets(&w->held_b, box.min, box.max) & may_meet;
    cdi_posed own;
    if (!met) return true;
    cdi_posed_read(&own, &w->a, item, &w->place_a);
    for (; met; met &= met - 1) {
        if (!cdi_pair_decide(w, &own, &w->held_b.item[cdi_lowest_bit(met)])) return false;
    }
    return true;
}

/* All pairs of two leaves; false when the visitor stopped. In one leaf, each once. */
static bool cdi_leaf_pairs(cdi_pair_walk *w, uint32_t first_a, uint32_t count_a, uint32_t first_b,
                           uint32_t count_b) {
    for (uint32_t j = first_b; j < first_b + count_b; j += 8) {
        cdi_posed_hold(w, &w->held_b, true, j, first_b + count_b - j);
        for (uint32_t i = first_a; i < first_a + count_a; ++i) {
            uint32_t may_meet = 255u;
            if (w->same && first_a == first_b) {
                if (i >= j + 7) break;
                if (i >= j) may_meet = 254u << (i - j);
            }
            if (!cdi_item_pairs(w, i, may_meet)) return false;
        }
    }
    return true;
}

/* ---- nodes ---- */

/* A pair of nodes (or of single lanes of nodes: leaves, and what waits), and which pairs of their lanes are still to be done:
 * bit 8 * (lane of b) + (lane of a). */
typedef struct cdi_pair_step {
    uint64_t todo;
    uint32_t a, b;
} cdi_pair_step;

typedef struct cdi_lanes_of {
    const cdi_bvh_node *node;
    uint32_t lanes;
} cdi_lanes_of;

CDI_INLINE cdi_f8 cdi_row_gap(const float *lo, const float *hi, float other_lo, float other_hi) {
    return cdi_f8_max(cdi_f8_sub(cdi_f8_load(lo), cdi_f8_all(other_hi)),
                      cdi_f8_sub(cdi_f8_all(other_lo), cdi_f8_load(hi)));
}

/* Which of eight boxes meet one of other eight? */
CDI_INLINE uint32_t cdi_rows_meet(const float (*lo)[8], const float (*hi)[8], const float (*other_lo)[8],
                                  const float (*other_hi)[8], uint32_t lane) {
    cdi_f8 x = cdi_row_gap(lo[0], hi[0], other_lo[0][lane], other_hi[0][lane]);
    cdi_f8 y = cdi_row_gap(lo[1], hi[1], other_lo[1][lane], other_hi[1][lane]);
    cdi_f8 z = cdi_row_gap(lo[2], hi[2], other_lo[2][lane], other_hi[2][lane]);
    return cdi_f8_le(cdi_f8_max(cdi_f8_max(x, y), z), cdi_f8_all(0.0f));
}

/* The same in one frame, for lanes of b and a. */
static uint64_t cdi_rows_pairs(const float (*a_lo)[8], const float (*a_hi)[8], uint32_t lanes_a,
                               const float (*b_lo)[8], const float (*b_hi)[8], uint32_t lanes_b) {
    uint64_t meet = 0;
    for (; lanes_b; lanes_b &= lanes_b - 1) {
        uint32_t lane = cdi_lowest_bit(lanes_b);
        uint64_t met = cdi_rows_meet(a_lo, a_hi, b_lo, b_hi, lane) & lanes_a;
        meet |= met << (8 * lane);
    }
    return meet;
}

static uint64_t cdi_all_lanes(uint32_t lanes_a, uint32_t lanes_b) {
    uint64_t all = 0;
    for (; lanes_b; lanes_b &= lanes_b - 1) all |= (uint64_t)lanes_a << (8 * cdi_lowest_bit(lanes_b));
    return all;
}

/* The pairs of lanes whose boxes meet along the axes of both frames. */
static uint64_t cdi_lanes_meet(const cdi_pair_walk *w, cdi_lanes_of a, cdi_lanes_of b) {
    const cdi_bvh_node *m = a.node, *n = b.node;
    uint64_t meet = ~(uint64_t)0;
    cdi_box_rows rows;
    const cdi_box_rows *moved = &rows;
    CDI_COUNT(node);
    if (w->same) return cdi_rows_pairs(m->lo, m->hi, a.lanes, n->lo, n->hi, b.lanes);
    if (w->to_a.useful) {
        cdi_map_rows(&w->to_a, n->lo, n->hi, &rows);
        meet = cdi_rows_pairs(m->lo, m->hi, a.lanes, moved->lo, moved->hi, b.lanes);
        if (!meet || !w->place_b.moved) return meet;
    }
    if (!w->to_b.useful) return meet & cdi_all_lanes(a.lanes, b.lanes);
    cdi_map_rows(&w->to_b, m->lo, m->hi, &rows);
    return meet & cdi_rows_pairs(moved->lo, moved->hi, a.lanes, n->lo, n->hi, b.lanes);
}

static float cdi_lane_longest(const cdi_bvh_node *n, uint32_t lane) {
    float most = 0.0f;
    for (int k = 0; k < 3; ++k) {
        float side = n->hi[k][lane] - n->lo[k][lane];
        most = side > most ? side : most;
    }
    return most;
}

/* Of two inner nodes: is a's descended into, is b's? */
static void cdi_descend(const cdi_pair_walk *w, uint32_t length, const cdi_bvh_node *a, uint32_t i,
                        const cdi_bvh_node *b, uint32_t j, bool *down_a, bool *down_b) {
    bool larger;
    switch (w->same ? 0u : w->rule) {
    case CD_BVH_A_FIRST: *down_b = false; break;
    case CD_BVH_B_FIRST: *down_a = false; break;
    case CD_BVH_LARGER_FIRST:
        larger = cdi_lane_longest(a, i) >= cdi_lane_longest(b, j) * w->b_size;
        *down_a = larger;
        *down_b = !larger;
        break;
    case CD_BVH_ALTERNATING:
        *down_a = (length & 1u) != 0;
        *down_b = !*down_a;
        break;
    default: break;
    }
}

/* A node that is read, and its number. */
typedef struct cdi_held_node {
    cdi_bvh_node scratch;
    const cdi_bvh_node *node;
    uint32_t number;
} cdi_held_node;

static const cdi_bvh_node *cdi_hold_node(cdi_held_node *h, const cdi_bvh *tree, uint32_t number) {
    if (h->node && h->number == number) return h->node;
    h->number = number;
    h->node = cdi_bvh_at(tree, number, &h->scratch);
    return h->node;
}

/* The pairs of lanes to look at in two nodes; of one node with itself each once. */
static uint64_t cdi_pairs_todo(const cdi_pair_walk *w, const cdi_pair_step *at, cdi_lanes_of a,
                               cdi_lanes_of b) {
    uint64_t todo = cdi_lanes_meet(w, a, b);
    return w->same && at->a == at->b ? todo & 0xFF7F3F1F0F070301u : todo;
}

CDI_FN bool cdi_pairs_run(cdi_pair_walk *w) {
    cdi_pair_step path[2 * CDI_BVH_DEPTH];
    cdi_held_node held_a, held_b;
    cdi_lanes_of a, b;
    uint32_t length = 1;
    held_a.node = held_b.node = NULL;
    path[0].a = path[0].b = 0;
    a.node = cdi_hold_node(&held_a, &w->a, 0);
    b.node = cdi_hold_node(&held_b, &w->b, 0);
    a.lanes = a.node->lanes;
    b.lanes = b.node->lanes;
    path[0].todo = cdi_pairs_todo(w, &path[0], a, b);
    while (length > 0) {
        cdi_pair_step *at = &path[length - 1], *next = &path[length];
        uint32_t bit, i, j;
        bool down_a, down_b;
        if (at->todo == 0) {
            --length;
            continue;
        }
        bit = cdi_lowest_bit64(at->todo);
        at->todo &= at->todo - 1;
        i = bit & 7u;
        j = bit >> 3;
        a.node = cdi_hold_node(&held_a, &w->a, at->a);
        b.node = cdi_hold_node(&held_b, &w->b, at->b);
        down_a = a.node->count[i] == 0;
        down_b = b.node->count[j] == 0;
        if (!down_a && !down_b) {
            if (!cdi_leaf_pairs(w, a.node->child[i], a.node->count[i], b.node->child[j], b.node->count[j]))
                return false;
            continue;
        }
        if (down_a && down_b) cdi_descend(w, length, a.node, i, b.node, j, &down_a, &down_b);
        /* what is not descended into stays behind as one lane of its node */
        next->a = down_a ? a.node->child[i] : at->a;
        next->b = down_b ? b.node->child[j] : at->b;
        a.node = cdi_hold_node(&held_a, &w->a, next->a);
        b.node = cdi_hold_node(&held_b, &w->b, next->b);
        a.lanes = down_a ? a.node->lanes : 1u << i;
        b.lanes = down_b ? b.node->lanes : 1u << j;
        next->todo = cdi_pairs_todo(w, next, a, b);
        ++length;
    }
    return true;
}
