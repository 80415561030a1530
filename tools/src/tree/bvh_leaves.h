#pragma once
/* bvh_leaves (internal): the leaves of two trees against each other.
 *
 * Leaves of triangles are left to bvh_tri_leaves. Boxes in one frame are compared as they are: single ones one by one, several
 * of a leaf in rows of four. All others become shapes of bvh_posed, eight at a time, and those whose boxes meet are decided one
 * by one. */

#include "tree/bvh_tri_leaves.h"

/* Up to four boxes, in rows. */
typedef struct cdi_box_block {
    cd_real lo[3][4], hi[3][4];
    uint32_t first, count;
} cdi_box_block;

typedef enum cdi_leaf_kind {
    CDI_LEAVES_POSED = 0,
    CDI_LEAVES_TRIANGLES = 1,
    CDI_LEAVES_BOXES = 2
} cdi_leaf_kind;

/* What was read of them last. */
typedef struct cdi_leaves {
    cdi_pair_walk *w;
    uint32_t kind; /* of `cdi_leaf_kind` */
    union {
        cdi_tri_leaves triangles;
        cdi_box_block boxes[8]; /* of b, by lanes */
        cdi_posed_block posed;  /* of b */
    } u;
} cdi_leaves;

/* Ready for the trees of a walk. */
CDI_FN void cdi_leaves_open(cdi_leaves *s, cdi_pair_walk *w);

/* The lanes of a node that are leaves. */
CDI_INLINE uint32_t cdi_node_leaves(const cdi_bvh_node *node) {
    return cdi_f8_le(cdi_f8_all(1.0f), cdi_f8_load_u8(node->count)) & node->lanes;
}

/* Pairs of leaves in two nodes, bit 8 * (lane of b) + (lane of a); false when the visitor stopped. */
CDI_FN bool cdi_leaves_pairs(cdi_leaves *s, const cdi_bvh_node *a, const cdi_bvh_node *b, uint64_t pairs);

/* What still waits; false when the visitor stopped. */
CDI_FN bool cdi_leaves_close(cdi_leaves *s);
