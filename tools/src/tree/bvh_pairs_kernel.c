#include "tree/bvh_pairs_kernel.h"
#include "tree/bvh_leaves.h"
#include "tree/bvh_map.h"

/* ---- nodes ---- */

/* A pair of nodes (or of single lanes of nodes: leaves, and what waits), and which pairs of their lanes are still to be done:
 * bit 8 * (lane of b) + (lane of a). */
typedef struct cdi_pair_step {
    uint64_t todo;
    uint32_t a, b;
} cdi_pair_step;

typedef struct cdi_lanes_of {
    const cdi_bvh_node *node;
    uint32_t number, lanes;
} cdi_lanes_of;

CDI_INLINE cdi_f8 cdi_row_gap(const float *lo, const float *hi, float other_lo, float other_hi) {
    return cdi_f8_max(cdi_f8_sub(cdi_f8_load(lo), cdi_f8_all(other_hi)),
                      cdi_f8_sub(cdi_f8_all(other_lo), cdi_f8_load(hi)));
}

/* Along one axis: how deep eight boxes and one lie in each other. */
CDI_INLINE cdi_f8 cdi_row_depth(const float *lo, const float *hi, float other_lo, float other_hi) {
    return cdi_f8_min(cdi_f8_sub(cdi_f8_all(other_hi), cdi_f8_load(lo)),
                      cdi_f8_sub(cdi_f8_load(hi), cdi_f8_all(other_lo)));
}

/* Which of eight boxes meet one of other eight? */
CDI_INLINE uint32_t cdi_rows_meet(const float (*lo)[8], const float (*hi)[8], const float (*other_lo)[8],
                                  const float (*other_hi)[8], uint32_t lane) {
    cdi_f8 x = cdi_row_gap(lo[0], hi[0], other_lo[0][lane], other_hi[0][lane]);
    cdi_f8 y = cdi_row_gap(lo[1], hi[1], other_lo[1][lane], other_hi[1][lane]);
    cdi_f8 z = cdi_row_gap(lo[2], hi[2], other_lo[2][lane], other_hi[2][lane]);
    return cdi_f8_le(cdi_f8_max(cdi_f8_max(x, y), z), cdi_f8_all(0.0f));
}

/* The pairs of lanes of a and of b: a bit of b's becomes a byte. */
CDI_INLINE uint64_t cdi_all_lanes(uint32_t lanes_a, uint32_t lanes_b) {
    uint64_t apart = lanes_b * (uint64_t)0x0101010101010101u & 0x8040201008040201u;
    return ((apart + 0x7F7F7F7F7F7F7F7Fu) >> 7 & 0x0101010101010101u) * lanes_a;
}

/* The same in one frame, for lanes of b and a. Of whole nodes even those not in use are
 * compared. */
CDI_INLINE uint64_t cdi_rows_pairs(const float (*a_lo)[8], const float (*a_hi)[8], uint32_t lanes_a,
                                   const float (*b_lo)[8], const float (*b_hi)[8], uint32_t lanes_b) {
    uint64_t meet = 0;
    uint32_t rows = lanes_b < 4    ? 2
                    : lanes_b < 16 ? 4
                                   : 8; /* one of few numbers: the processor foresees it */
    if ((lanes_a & (lanes_a - 1)) == 0) {
        uint32_t lane = cdi_lowest_bit(lanes_a);
        lanes_b &= cdi_rows_meet(b_lo, b_hi, a_lo, a_hi, lane);
        return cdi_all_lanes(lanes_a, lanes_b);
    }
    if ((lanes_b & (lanes_b - 1)) == 0) {
        uint32_t lane = cdi_lowest_bit(lanes_b);
        return (uint64_t)(cdi_rows_meet(a_lo, a_hi, b_lo, b_hi, lane) & lanes_a) << (8 * lane);
    }
    for (uint32_t lane = 0; lane < rows; ++lane)
        meet |= (uint64_t)cdi_rows_meet(a_lo, a_hi, b_lo, b_hi, lane) << (8 * lane);
    return meet & cdi_all_lanes(lanes_a, lanes_b);
}

/* The lanes of b in any pair. */
static uint32_t cdi_lanes_of_b(uint64_t pairs) {
    uint32_t lanes = 0;
    for (uint32_t lane = 0; lane < 8; ++lane) lanes |= (uint32_t)((pairs >> 8 * lane & 255u) != 0) << lane;
    return lanes;
}

/* Of pairs of boxes in one frame the one that lies deepest in each other. */
static uint8_t cdi_deepest_pair(const float (*a_lo)[8], const float (*a_hi)[8], const float (*b_lo)[8],
                                const float (*b_hi)[8], uint64_t pairs) {
    uint8_t best = 0;
    float most = -1e30f;
    while (pairs) {
        uint32_t j = cdi_lowest_bit64(pairs) >> 3, lanes = (uint32_t)(pairs >> 8 * j) & 255u;
        cdi_f8 x = cdi_row_depth(a_lo[0], a_hi[0], b_lo[0][j], b_hi[0][j]);
        cdi_f8 y = cdi_row_depth(a_lo[1], a_hi[1], b_lo[1][j], b_hi[1][j]);
        cdi_f8 z = cdi_row_depth(a_lo[2], a_hi[2], b_lo[2][j], b_hi[2][j]);
        float depth[8];
        cdi_f8_store(depth, cdi_f8_min(cdi_f8_min(x, y), z));
        for (; lanes; lanes &= lanes - 1) {
            uint32_t i = cdi_lowest_bit(lanes);
            if (depth[i] > most) {
                most = depth[i];
                best = (uint8_t)(8 * j + i);
            }
        }
        pairs &= ~((uint64_t)255 << 8 * j);
    }
    return best;
}

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

/* The pairs of lanes whose boxes meet along the axes of both frames. */
static uint64_t cdi_lanes_meet(const cdi_pair_walk *w, cdi_moved_node *held, cdi_lanes_of a, cdi_lanes_of b,
                               uint8_t *deepest) {
    const cdi_bvh_node *m = a.node, *n = b.node;
    uint64_t meet = ~(uint64_t)0;
    cdi_box_rows rows;
    const cdi_box_rows *moved;
    CDI_COUNT(node);
    *deepest = 0;
    if (w->same) {
        meet = cdi_rows_pairs(m->lo, m->hi, a.lanes, n->lo, n->hi, b.lanes);
        return a.number == b.number ? meet & 0xFF7F3F1F0F070301u : meet; /* each once */
    }
    if (w->to_a.useful) {
        moved = cdi_hold_moved(held, &w->to_a, b);
        meet = cdi_rows_pairs(m->lo, m->hi, a.lanes, moved->lo, moved->hi, b.lanes);
        if (w->first && meet && !w->place_b.moved)
            *deepest = cdi_deepest_pair(m->lo, m->hi, moved->lo, moved->hi, meet);
        if (!meet || !w->place_b.moved) return meet;
        b.lanes = cdi_lanes_of_b(meet);
    }
    if (!w->to_b.useful) return meet & cdi_all_lanes(a.lanes, b.lanes);
    cdi_map_rows(&w->to_b, m->lo, m->hi, &rows);
    moved = &rows;
    meet &= cdi_rows_pairs(moved->lo, moved->hi, a.lanes, n->lo, n->hi, b.lanes);
    if (w->first && meet) *deepest = cdi_deepest_pair(moved->lo, moved->hi, n->lo, n->hi, meet);
    return meet;
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

CDI_HOT const cdi_bvh_node *cdi_hold_node(cdi_held_node *h, const cdi_bvh *tree, uint32_t number) {
    if (tree->layout == CD_BVH_WIDE) return (const cdi_bvh_node *)tree->nodes + number;
    if (h->node && h->number == number) return h->node;
    h->number = number;
    h->node = cdi_bvh_at(tree, number, &h->scratch);
    return h->node;
}

/* The way through both trees, and what is read. */
typedef struct cdi_pair_path {
    cdi_pair_walk *w;
    cdi_leaves *leaves;
    cdi_held_node a, b;
    cdi_moved_node moved;
    uint32_t length;
    cdi_pair_step step[2 * CDI_BVH_DEPTH];
    uint8_t deepest[2 * CDI_BVH_DEPTH]; /* of each step the pair that comes first, where one is enough */
} cdi_pair_path;

/* One step on. Leaves of two nodes that meet are compared at once, before the nodes below; where one pair is enough, nothing comes
 * before the deepest. */
static bool cdi_pairs_enter(cdi_pair_path *p, cdi_lanes_of a, cdi_lanes_of b) {
    uint64_t todo = cdi_lanes_meet(p->w, &p->moved, a, b, &p->deepest[p->length]), pairs = 0;
    p->step[p->length].a = a.number;
    p->step[p->length].b = b.number;
    if (!p->w->first) pairs = todo & cdi_all_lanes(cdi_node_leaves(a.node), cdi_node_leaves(b.node));
    p->step[p->length].todo = todo ^ pairs;
    p->length += todo != pairs;
    return pairs == 0 || cdi_leaves_pairs(p->leaves, a.node, b.node, pairs);
}

/* The next pair of lanes of the last step. */
static uint32_t cdi_pairs_pop(cdi_pair_path *p) {
    uint64_t todo = p->step[p->length - 1].todo;
    uint32_t bit = p->deepest[p->length - 1];
    if (!p->w->first || !(todo >> bit & 1u)) bit = cdi_lowest_bit64(todo);
    p->step[p->length - 1].todo = todo & ~((uint64_t)1 << bit);
    return bit;
}

/* A pair of lanes, not both of them leaves. What is not descended into stays behind as one lane of its node. */
static bool cdi_pairs_deeper(cdi_pair_path *p, const cdi_pair_step *at, const cdi_bvh_node *m, uint32_t i,
                             const cdi_bvh_node *n, uint32_t j) {
    bool down_a = m->count[i] == 0, down_b = n->count[j] == 0;
    cdi_lanes_of a, b;
    if (down_a && down_b) cdi_descend(p->w, p->length, m, i, n, j, &down_a, &down_b);
    a.number = down_a ? m->child[i] : at->a;
    b.number = down_b ? n->child[j] : at->b;
    a.node = cdi_hold_node(&p->a, &p->w->a, a.number);
    b.node = cdi_hold_node(&p->b, &p->w->b, b.number);
    a.lanes = down_a ? a.node->lanes : 1u << i;
    b.lanes = down_b ? b.node->lanes : 1u << j;
    return cdi_pairs_enter(p, a, b);
}

static bool cdi_pairs_descend(cdi_pair_path *p) {
    while (p->length > 0) {
        const cdi_pair_step *at = &p->step[p->length - 1];
        const cdi_bvh_node *a, *b;
        uint32_t bit, i, j;
        if (at->todo == 0) {
            --p->length;
            continue;
        }
        bit = cdi_pairs_pop(p);
        i = bit & 7u;
        j = bit >> 3;
        a = cdi_hold_node(&p->a, &p->w->a, at->a);
        b = cdi_hold_node(&p->b, &p->w->b, at->b);
        if (!(a->count[i] && b->count[j] ? cdi_leaves_pairs(p->leaves, a, b, (uint64_t)1 << bit)
                                         : cdi_pairs_deeper(p, at, a, i, b, j)))
            return false;
    }
    return true;
}

CDI_FN bool cdi_pairs_run(cdi_pair_walk *w) {
    cdi_leaves leaves;
    cdi_pair_path p;
    cdi_lanes_of a, b;
    cdi_leaves_open(&leaves, w);
    p.w = w;
    p.leaves = &leaves;
    p.length = 0;
    p.a.node = p.b.node = NULL;
    p.moved.number = CD_NONE;
    a.number = b.number = 0;
    a.node = cdi_hold_node(&p.a, &w->a, 0);
    b.node = cdi_hold_node(&p.b, &w->b, 0);
    a.lanes = a.node->lanes;
    b.lanes = b.node->lanes;
    return cdi_pairs_enter(&p, a, b) && cdi_pairs_descend(&p) && cdi_leaves_close(&leaves);
}
