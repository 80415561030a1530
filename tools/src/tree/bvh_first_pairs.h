#pragma once
/* bvh_first_pairs (internal): the way through two trees by lower bounds, of distances or times: the least first.
 *
 * One tree is descended at a time: at each step the larger of two boxes gives way to its children, and these wait, sorted by
 * their bounds against the other box. Where all arguments are known when the walk is compiled, it is as fast as one written by
 * hand. */

#include "tree/bvh_pairs.h"

/* The children of a node of one tree, and a box of the other: lane `lane` of its node `other`, or its root. */
typedef struct cdi_first_step {
    uint32_t node, other, order; /* order: three bits for each child that waits, the nearest last */
    uint16_t bound[8];           /* of lanes: the upper half of a float that is not above it */
    uint8_t lane, of_b, left, unused;
} cdi_first_step;

#define CDI_LANE_ROOT 8u

/* A box of either tree: lane `lane` of node `number`, or the root. */
typedef struct cdi_lane_box {
    cdi_box_rows box; /* eight times */
    uint32_t number, lane, child, count;
    float side;
} cdi_lane_box;

/* Lower bounds for a node's boxes, of tree b if `of_b`, and a box of the other tree. */
typedef cdi_f8 (*cdi_first_bounds_fn)(const void *query, const cdi_bvh_node *node, bool of_b,
                                      const cdi_lane_box *other);

/* The items of two leaves: may lower the limit; false ends the walk. */
typedef bool (*cdi_first_leaves_fn)(void *query, const cdi_lane_box *a, const cdi_lane_box *b);

CDI_INLINE void cdi_lane_box_of(const cdi_bvh_node *node, uint32_t number, uint32_t lane, cdi_lane_box *out) {
    out->number = number;
    out->lane = lane;
    out->side = 0.0f;
    if (lane == CDI_LANE_ROOT) {
        for (int k = 0; k < 3; ++k) {
            cdi_f8_store(out->box.lo[k], cdi_f8_all(-1.0f));
            cdi_f8_store(out->box.hi[k], cdi_f8_all(1.0f));
        }
        out->child = out->count = 0;
        out->side = 2.0f;
        return;
    }
    out->child = node->child[lane];
    out->count = node->count[lane];
    for (int k = 0; k < 3; ++k) {
        float side = node->hi[k][lane] - node->lo[k][lane];
        out->side = side > out->side ? side : out->side;
        cdi_f8_store(out->box.lo[k], cdi_f8_all(node->lo[k][lane]));
        cdi_f8_store(out->box.hi[k], cdi_f8_all(node->hi[k][lane]));
    }
}

CDI_INLINE uint16_t cdi_half_float(float x) {
    uint32_t u;
    cdi_copy(&u, &x, sizeof u);
    return (uint16_t)(u >> 16);
}
CDI_INLINE float cdi_from_half_float(uint16_t h) {
    uint32_t u = (uint32_t)h << 16;
    float x;
    cdi_copy(&x, &u, sizeof x);
    return x;
}

/* The children of node `number` whose bounds are not above the limit, sorted. */
CDI_INLINE void cdi_first_expand(cdi_f8 bounds, float limit, const cdi_bvh_node *node, uint32_t number,
                                 bool of_b, const cdi_lane_box *other, cdi_first_step *out) {
    uint32_t mask = cdi_f8_le(bounds, cdi_f8_all(limit)) & node->lanes, lane[8], left = 0;
    float bound[8];
    CDI_COUNT(node);
    cdi_f8_store(bound, bounds);
    for (; mask; mask &= mask - 1) {
        uint32_t l = cdi_lowest_bit(mask), at = left++;
        for (; at > 0 && bound[lane[at - 1]] <= bound[l]; --at) lane[at] = lane[at - 1];
        lane[at] = l;
    }
    out->node = number;
    out->other = other->number;
    out->lane = (uint8_t)other->lane;
    out->of_b = of_b;
    out->left = (uint8_t)left;
    out->order = 0;
    for (uint32_t i = 0; i < left; ++i) {
        out->order |= lane[i] << (3 * i);
        out->bound[lane[i]] = cdi_half_float(bound[lane[i]]);
    }
}

/* The nearest child that waits; false when none is near enough any more. */
CDI_INLINE bool cdi_first_next(cdi_first_step *at, float limit, uint32_t *lane) {
    if (at->left == 0) return false;
    *lane = at->order >> (3 * --at->left) & 7u;
    if (cdi_from_half_float(at->bound[*lane]) <= limit) return true;
    at->left = 0;
    return false;
}

/* Is a's box to give way to its children? One of the two is no leaf. */
CDI_INLINE bool cdi_first_gives_way(const cdi_lane_box *a, const cdi_lane_box *b, float b_size) {
    if (a->count || b->count) return b->count != 0;
    return b_size < 1e30f && a->side >= b->side * b_size;
}

/* `b_size`: the unit of b's boxes in that of a's, or 1e30 to descend into b as long as it goes. `limit`: what is above it
 * does not matter. */
CDI_INLINE void cdi_walk_first_pairs(const cdi_pair_walk *w, void *query, const float *limit, float b_size,
                                     cdi_first_bounds_fn bounds, cdi_first_leaves_fn leaves) {
    cdi_first_step path[2 * CDI_BVH_DEPTH + 2];
    const cdi_bvh *trees[2];
    const cdi_bvh_node *node;
    cdi_bvh_node scratch;
    cdi_lane_box box[2];
    uint32_t length = 1, lane;
    trees[0] = &w->a;
    trees[1] = &w->b;
    cdi_lane_box_of(NULL, 0, CDI_LANE_ROOT, &box[0]);
    node = cdi_bvh_at(trees[1], 0, &scratch);
    cdi_first_expand(bounds(query, node, true, &box[0]), *limit, node, 0, true, &box[0], &path[0]);
    while (length > 0) {
        cdi_first_step *at = &path[length - 1];
        uint32_t of_b = at->of_b, down;
        if (!cdi_first_next(at, *limit, &lane)) {
            --length;
            continue;
        }
        node = cdi_bvh_at(trees[of_b], at->node, &scratch);
        cdi_lane_box_of(node, at->node, lane, &box[of_b]);
        node = at->lane == CDI_LANE_ROOT ? NULL : cdi_bvh_at(trees[1 - of_b], at->other, &scratch);
        cdi_lane_box_of(node, at->other, at->lane, &box[1 - of_b]);
        if (box[0].count && box[1].count) {
            if (!leaves(query, &box[0], &box[1])) return;
            continue;
        }
        down = cdi_first_gives_way(&box[0], &box[1], b_size) ? 0 : 1;
        node = cdi_bvh_at(trees[down], box[down].child, &scratch);
        cdi_first_expand(bounds(query, node, down == 1, &box[1 - down]), *limit, node, box[down].child,
                         down == 1, &box[1 - down], &path[length++]);
    }
}

#undef CDI_LANE_ROOT
