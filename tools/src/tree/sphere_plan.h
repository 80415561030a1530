#pragma once
/* sphere_plan (internal): which triangles come together in a sphere tree: what its three builders decide, and all they share.
 *
 * A plan has the triangles in the order of the leaves, and nodes that stand for runs of them, numbered as the blocks of
 * bvtree_node are. A builder only cuts a run into 2 to 8: it may do so by any rule, and may give up, since what it leaves whole,
 * or what lies deep already, is cut into equal parts. So no input makes a tree deeper than queries can bear, and a triangle
 * takes part in 80 cuts at most. */

#include "core/vec3d.h"
#include "tree/binary.h"

#define CDI_PLAN_CHILDREN 8u

/* A triangle, in a frame in which all lie between -1 and 1: what builders go by, not what spheres are fitted to. */
typedef struct cdi_plan_item {
    float middle[3], radius; /* a ball that holds it, but for rounding */
    float normal[3];         /* unit, or zero */
    float weight;            /* the area of its surface, or what a builder puts here */
    uint32_t index;          /* in the source */
} cdi_plan_item;

/* From the caller's frame to the plan's. */
typedef struct cdi_plan_frame {
    cdi_v3 center;
    double scale; /* 0 where all is one point */
} cdi_plan_frame;

/* `child_count` 0: a leaf. */
typedef struct cdi_plan_node {
    uint32_t first, count, child, child_count;
} cdi_plan_node;

typedef struct cdi_plan {
    cdi_builder *b;
    cdi_plan_frame frame;
    cdi_plan_item *item; /* b->count */
    cdi_plan_node *node; /* room for 2 * b->count */
    uint32_t node_count, depth;
} cdi_plan;

/* Cuts `count` >= 2 items: puts them in another order, writes where each part ends, and returns how many parts there are, none
 * of them empty; 0 or 1 where it knows no way. */
typedef uint32_t (*cdi_plan_cut_fn)(void *ctx, cdi_plan_item *item, uint32_t count,
                                    uint32_t end[CDI_PLAN_CHILDREN]);

/* Takes memory, and reads the builder's triangles (`b->order`; at least one). CD_OK or CD_OUT_OF_MEMORY: nothing is taken then. */
CDI_FN cd_status cdi_plan_begin(cdi_plan *p, cdi_builder *b);
CDI_FN void cdi_plan_end(cdi_plan *p);

/* Puts the items along a Morton curve whose cubes halve the frame; `code` takes their places, 63 bits. CD_OK, CD_OUT_OF_MEMORY or
 * CD_CANCELLED. */
CDI_FN cd_status cdi_plan_sort(cdi_plan *p, uint64_t *code);

/* Halves a run at the mean of its middles, by their weights, across the longest side of the box around them; false where they are one. */
CDI_FN bool cdi_plan_halve(cdi_plan_item *item, uint32_t count, uint32_t end[2]);

/* Makes the nodes, and the builder's order. CD_OK or CD_CANCELLED. */
CDI_FN cd_status cdi_plan_cut(cdi_plan *p, cdi_plan_cut_fn cut, void *ctx);

CDI_INLINE cdi_v3 cdi_plan_point(const cdi_plan_frame *f, cd_vec3 p) {
    return cdi_v3_scale(cdi_v3_sub(cdi_v3_of(p), f->center), f->scale);
}
CDI_INLINE cdi_v3 cdi_plan_middle(const cdi_plan_item *i) {
    return cdi_v3_make((double)i->middle[0], (double)i->middle[1], (double)i->middle[2]);
}
CDI_INLINE cdi_v3 cdi_plan_normal(const cdi_plan_item *i) {
    return cdi_v3_make((double)i->normal[0], (double)i->normal[1], (double)i->normal[2]);
}
