#pragma once
/* bvh_walk (internal): the two ways to go through a tree: everything that may meet, or the nearest first.
 *
 * Both read nodes through cdi_bvh_at, so that they serve every layout; where all arguments are known when the walk is
 * compiled, it is as fast as one written by hand. */

#include "tree/bvh_node.h"

/* ---- everything that may meet, in the order of the leaves ---- */

/* Which of a node's lanes may be met; unused lanes may be among them. */
typedef uint32_t (*cdi_lanes_fn)(const void *q, const cdi_bvh_node *node);

/* What is done with the `count` items from `first` on; false ends the walk. */
typedef bool (*cdi_items_fn)(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count);

/* Answers false when a leaf ended the walk. */
CDI_INLINE bool cdi_walk_meeting(const cdi_bvh *tree, void *q, cdi_lanes_fn lanes, cdi_items_fn items) {
    struct {
        uint32_t node, mask;
    } path[CDI_BVH_DEPTH];
    cdi_bvh_node scratch;
    const cdi_bvh_node *node = cdi_bvh_at(tree, 0, &scratch);
    uint32_t length = 1, held = 0; /* the node that is read */
    path[0].node = 0;
    path[0].mask = lanes(q, node) & node->lanes;
    CDI_COUNT(node);
    while (length > 0) {
        uint32_t mask = path[length - 1].mask, lane, child;
        if (!mask) {
            --length;
            continue;
        }
        if (held != path[length - 1].node) {
            held = path[length - 1].node;
            node = cdi_bvh_at(tree, held, &scratch);
        }
        lane = cdi_lowest_bit(mask);
        path[length - 1].mask = mask & (mask - 1);
        child = node->child[lane];
        if (node->count[lane]) {
            if (!items(q, tree, child, node->count[lane])) return false;
            continue;
        }
        held = child;
        node = cdi_bvh_at(tree, child, &scratch);
        path[length].node = child;
        path[length++].mask = lanes(q, node) & node->lanes;
        CDI_COUNT(node);
    }
    return true;
}

/* ---- the nearest first ---- */

/* A lower bound for each lane, in units of the walk's own, and a bit for each that is not above `limit`; unused lanes may
 * be among them. */
typedef uint32_t (*cdi_bounds_fn)(const void *q, const cdi_bvh_node *node, float limit, float bound[8]);

/* What is done with the `count` items from `first` on: lowers `*limit` when nothing farther matters; false ends the
 * walk. */
typedef bool (*cdi_nearest_fn)(void *q, const cdi_bvh *tree, uint32_t first, uint32_t count, float *limit);

/* A walk of another kind: all leaves that a query may care for, roughly the nearest first; `limit` is in units of its own. */
typedef bool (*cdi_walk_fn)(const void *with, const cdi_bvh *tree, void *q, float limit,
                            cdi_nearest_fn items);

/* A child to be looked at. */
typedef struct cdi_walk_step {
    float bound;
    uint32_t child, count;
} cdi_walk_step;

/* Pushes the children that were met but the nearest, so that the nearer come off first, and answers with that one; of
 * equal ones the lower lane comes first. At least one was met. */
CDI_INLINE cdi_walk_step cdi_push_sorted(cdi_walk_step *stack, uint32_t *top, const cdi_bvh_node *node,
                                         uint32_t mask, const float bound[8]) {
    uint32_t bottom = *top, end = bottom;
    cdi_walk_step nearest;
    for (;;) {
        uint32_t lane = cdi_lowest_bit(mask), at = end;
        nearest.bound = bound[lane];
        nearest.child = node->child[lane];
        nearest.count = node->count[lane];
        mask &= mask - 1;
        if (at == bottom && !mask) break;
        for (; at > bottom && stack[at - 1].bound <= nearest.bound; --at) stack[at] = stack[at - 1];
        stack[at] = nearest;
        ++end;
        if (!mask) {
            nearest = stack[--end];
            break;
        }
    }
    *top = end;
    return nearest;
}

/* Children that wait are fetched meanwhile: a node, or the first of the items. */
CDI_INLINE void cdi_fetch_steps(const cdi_bvh *tree, uint32_t layout, size_t item_size,
                                const cdi_walk_step *step, uint32_t count) {
    size_t node_size = cdi_bvh_node_size(layout);
    for (uint32_t i = 0; i < count && layout != CD_BVH_HEIGHTS; ++i) {
        if (layout == CD_BVH_COMPACT && step[i].count) continue; /* it is not known yet where they are */
        const char *at = step[i].count ? (const char *)tree->items + step[i].child * item_size
                                       : (const char *)tree->nodes + step[i].child * node_size;
        CDI_PREFETCH(at);
        CDI_PREFETCH(at + 64);
        if (step[i].count || layout != CD_BVH_WIDE) continue;
        CDI_PREFETCH(at + 128);
        CDI_PREFETCH(at + 192);
    }
}

/* cdi_walk_nearest for a tree of a layout that is known when it is compiled. */
CDI_HOT bool cdi_walk_nearest_in(const cdi_bvh *tree, uint32_t layout, void *q, float limit,
                                 cdi_bounds_fn bounds, cdi_nearest_fn items) {
    cdi_walk_step stack[CDI_BVH_STACK], at;
    cdi_bvh_node scratch;
    float bound[8];
    size_t item_size = cdi_bvh_item_size(tree->item);
    uint32_t top = 0;
    at.bound = limit; /* the root is looked at */
    at.child = at.count = 0;
    for (;;) {
        if (!(at.bound > limit)) {
            if (at.count == 0) {
                const cdi_bvh_node *node = cdi_bvh_at_in(tree, layout, at.child, &scratch);
                uint32_t mask = bounds(q, node, limit, bound) & node->lanes;
                CDI_COUNT(node);
                if (mask) {
                    uint32_t bottom = top;
                    at = cdi_push_sorted(stack, &top, node, mask, bound);
                    cdi_fetch_steps(tree, layout, item_size, stack + bottom, top - bottom);
                    continue;
                }
            } else if (!items(q, tree, at.child, at.count, &limit)) {
                return false;
            }
        }
        if (top == 0) return true;
        at = stack[--top];
    }
}

/* All leaves whose bound is not above the limit, roughly the nearest first. Answers false when a leaf ended the walk. */
CDI_INLINE bool cdi_walk_nearest(const cdi_bvh *tree, void *q, float limit, cdi_bounds_fn bounds,
                                 cdi_nearest_fn items) {
    return cdi_walk_nearest_in(tree, tree->layout, q, limit, bounds, items);
}
