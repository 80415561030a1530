#pragma once
/* fans (internal): trees with any number of children a node, put in canonical form.
 *
 * The children of a node are halved, in their order, until single ones are left: a node of eight becomes three levels. A
 * node with one child takes no level. What would come to lie deeper than the canonical tree may be is halved item by item
 * from the depth on at which that is still possible. */

#include "tree/binary.h"

/* A child of a node: a node, or a leaf of 1 to 64 items. */
typedef struct cdi_fan_child {
    uint32_t node;  /* CD_NONE: a leaf */
    uint32_t item;  /* of a leaf: the first of its items in the list */
    uint32_t count; /* items below; of a node found by cdi_build_fans, as is `first`: */
    uint32_t first; /* where its items stand in the order of the leaves */
} cdi_fan_child;

/* Node 0 is the root; nodes have smaller numbers than their children, and every one has an item below it. */
typedef struct cdi_fans {
    uint32_t node_count;
    const uint32_t *start; /* node n has the children start[n] to start[n + 1] - 1 */
    cdi_fan_child *child;  /* one or more of each node; every node but the root once */
    const uint32_t *list;  /* of the items that leaves mean, or NULL: these are the source's own numbers */
    uint32_t *slot;   /* room for a number a node; filled with its slot in the canonical tree, or CD_NONE */
    uint32_t *levels; /* room for a number a node */
    const cd_aabb *own_box; /* what the box of a node has to hold beside its items, or NULL */
} cdi_fans;

/* Fills `b->box`, `b->order` and `b->node`; `b->count` is the number of items. */
CDI_FN void cdi_build_fans(cdi_builder *b, cdi_fans *f);

/* A builder whose source is a tree, sound and open, and whose allocator is that of the options. */
CDI_FN void cdi_begin_follow(cdi_builder *b, const cdi_bvh *tree, const struct cd_bvh_options *options);

/* Leaves the canonical form of that tree in the builder: CD_OK or CD_OUT_OF_MEMORY. */
CDI_FN cd_status cdi_follow_tree(cdi_builder *b);
