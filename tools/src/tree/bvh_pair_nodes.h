#pragma once
/* bvh_pair_nodes (internal): pairs of nodes of two trees, and what was read of them last. */

#include "tree/bvh_map.h"

/* A pair of nodes (or of single lanes of nodes: leaves, and what waits), and which pairs of their lanes are still to be done:
 * bit 8 * (lane of b) + (lane of a). */
typedef struct cdi_pair_step {
    uint64_t todo;
    uint32_t a, b;
} cdi_pair_step;

/* Lanes of a node. */
typedef struct cdi_lanes_of {
    const cdi_bvh_node *node;
    uint32_t number, lanes;
} cdi_lanes_of;

CDI_INLINE cdi_f8 cdi_row_gap(const float *lo, const float *hi, float other_lo, float other_hi) {
    return cdi_f8_max(cdi_f8_sub(cdi_f8_load(lo), cdi_f8_all(other_hi)),
                      cdi_f8_sub(cdi_f8_all(other_lo), cdi_f8_load(hi)));
}

/* The pairs of lanes of a and of b: a bit of b's becomes a byte. */
CDI_INLINE uint64_t cdi_all_lanes(uint32_t lanes_a, uint32_t lanes_b) {
    uint64_t apart = lanes_b * (uint64_t)0x0101010101010101u & 0x8040201008040201u;
    return ((apart + 0x7F7F7F7F7F7F7F7Fu) >> 7 & 0x0101010101010101u) * lanes_a;
}

/* The pairs of lanes of a node with itself, each once. */
#define CDI_PAIRS_ONCE 0xFF7F3F1F0F070301u

/* ---- what is read ---- */

/* A node of b that was moved into a's frame last. */
typedef struct cdi_moved_node {
    cdi_box_rows rows;
    uint32_t number;
} cdi_moved_node;

CDI_INLINE const cdi_box_rows *cdi_hold_moved(cdi_moved_node *h, const cdi_frame_map *to_a, cdi_lanes_of b) {
    if (h->number != b.number) cdi_map_rows(to_a, b.node->lo, b.node->hi, &h->rows);
    h->number = b.number;
    return &h->rows;
}

/* A node that is read, and its number. */
typedef struct cdi_held_node {
    cdi_bvh_node scratch;
    const cdi_bvh_node *node;
    uint32_t number;
} cdi_held_node;

CDI_HOT const cdi_bvh_node *cdi_hold_node(cdi_held_node *h, const cdi_bvh *tree, uint32_t number) {
    if (tree->layout == CD_BVH_WIDE) return (const cdi_bvh_node *)tree->nodes + number;
    if (h->number == number) return h->node;
    h->number = number;
    h->node = cdi_bvh_at(tree, number, &h->scratch);
    return h->node;
}

typedef struct cdi_held_pair {
    cdi_held_node a, b;
    cdi_moved_node moved;
} cdi_held_pair;

/* Both roots. */
CDI_INLINE void cdi_held_roots(cdi_held_pair *h, const cdi_pair_walk *w, cdi_lanes_of *a, cdi_lanes_of *b) {
    h->a.number = h->b.number = h->moved.number = CD_NONE;
    a->number = b->number = 0;
    a->node = cdi_hold_node(&h->a, &w->a, 0);
    b->node = cdi_hold_node(&h->b, &w->b, 0);
    a->lanes = a->node->lanes;
    b->lanes = b->node->lanes;
}

/* ---- the next pair ---- */

CDI_INLINE float cdi_lane_longest(const cdi_bvh_node *n, uint32_t lane) {
    float most = 0.0f;
    for (int k = 0; k < 3; ++k) {
        float side = n->hi[k][lane] - n->lo[k][lane];
        most = side > most ? side : most;
    }
    return most;
}

/* Of two inner nodes: is a's descended into, is b's? */
CDI_INLINE void cdi_descend(const cdi_pair_walk *w, uint32_t length, const cdi_bvh_node *a, uint32_t i,
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

/* Below lanes i and j of two nodes, not both of them leaves. What is not descended into stays behind as one lane of its node;
 * `length` is that of the path. */
CDI_INLINE void cdi_held_deeper(cdi_held_pair *h, const cdi_pair_walk *w, uint32_t length,
                                const cdi_lanes_of *m, uint32_t i, const cdi_lanes_of *n, uint32_t j,
                                cdi_lanes_of *a, cdi_lanes_of *b) {
    bool down_a = m->node->count[i] == 0, down_b = n->node->count[j] == 0;
    if (down_a && down_b) cdi_descend(w, length, m->node, i, n->node, j, &down_a, &down_b);
    a->number = down_a ? m->node->child[i] : m->number;
    b->number = down_b ? n->node->child[j] : n->number;
    a->node = cdi_hold_node(&h->a, &w->a, a->number);
    b->node = cdi_hold_node(&h->b, &w->b, b->number);
    a->lanes = down_a ? a->node->lanes : 1u << i;
    b->lanes = down_b ? b->node->lanes : 1u << j;
}
