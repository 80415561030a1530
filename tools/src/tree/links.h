#pragma once
/* links (internal): trees of linked nodes, as builders that join or insert make them, and how they become canonical.
 *
 * The leaves are the nodes 0 to count - 1, one for each item. What nodes are chosen by is the area of their box, plus so
 * little of the length of its sides that it only tells apart what has no area: points along an axis. */

#include "core/scalar.h"
#include "tree/binary.h"

/* `left`, `right` of an inner node; of a leaf, while the tree is written, its place and its index. */
typedef struct cdi_link {
    cdi_box box;
    uint32_t left, right, parent;
    uint32_t count;  /* items below; set by cdi_links_sum */
    double cost;     /* by the surface area heuristic; set by cdi_links_sum */
    uint32_t height; /* steps down to the lowest item */
    uint32_t whole;  /* 1: becomes one leaf, 2: is inside of one; set by cdi_links_sum and the optimiser */
} cdi_link;

typedef struct cdi_links {
    cdi_builder *b;
    cdi_link *link; /* 2 * count - 1 */
    uint32_t root, used;
    double tiny;
} cdi_links;

/* Finite and at least 0; never smaller for a larger box. */
CDI_INLINE double cdi_box_measure(const cdi_links *l, const cdi_box *b) {
    double x = -(double)b->v[4] - (double)b->v[0], y = -(double)b->v[5] - (double)b->v[1];
    double z = -(double)b->v[6] - (double)b->v[2];
    double m = (x * y + y * z + z * x) + (x + y + z) * l->tiny;
    return m <= CDI_HUGE ? m : CDI_HUGE;
}

/* Of the box around both. */
CDI_INLINE double cdi_joint_measure(const cdi_links *l, const cdi_box *a, const cdi_box *b) {
    cdi_box both = *a;
    cdi_box_grow(&both, b);
    CDI_COUNT(build);
    return cdi_box_measure(l, &both);
}

CDI_INLINE bool cdi_link_is_item(const cdi_links *l, uint32_t node) {
    return node < l->b->count;
}

/* Takes memory, and makes a leaf of each item; false when there is no memory. */
CDI_FN bool cdi_links_begin(cdi_links *l, cdi_builder *b);
CDI_FN void cdi_links_end(cdi_links *l);

/* Puts the items in the order of a Morton curve. CD_OK, CD_OUT_OF_MEMORY or CD_CANCELLED; progress goes to 0.1. */
CDI_FN cd_status cdi_links_sort(cdi_links *l);

/* Makes `node` the parent of two. */
CDI_FN void cdi_link_join(cdi_links *l, uint32_t node, uint32_t left, uint32_t right);

/* Boxes and heights from `node` up, as far as they change. */
CDI_FN void cdi_link_refit(cdi_links *l, uint32_t node);

/* Puts `with` in the place of `node` below its parent, or as the root. */
CDI_FN void cdi_link_replace(cdi_links *l, uint32_t node, uint32_t with);

/* Counts, heights, costs, and which nodes are better leaves; leaves are given their places from left to right. */
CDI_FN void cdi_links_sum(cdi_links *l);

/* Writes the canonical tree. Subtrees that go too deep are halved instead, leaves hold several items where that is
 * cheaper. */
CDI_FN void cdi_links_write(cdi_links *l);
