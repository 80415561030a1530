#pragma once
/* bvh_packing (internal): the nodes and clusters of the compact layout, from the canonical binary tree. */

#include "tree/binary.h"

/* What is packed, and the room it needs: two numbers an item, and the corners of a cluster. */
typedef struct cdi_packing {
    const cdi_builder *b;
    cdi_bvh_header *header;
    uint32_t *choice;            /* of each slot of the canonical tree: how it is parted */
    uint32_t *place;             /* which item of the builder stands in each place */
    struct cdi_packing_set *set; /* the corners of the cluster under way */
    cdi_bvh_packed_node *nodes;  /* these three NULL: only counted */
    cdi_bvh_cluster *clusters;
    unsigned char *bytes;
    uint32_t nodes_given, items_given;
    uint32_t most, waiting; /* children a node; how many wait in a walk, see CDI_BVH_WAITING */
} cdi_packing;

/* Plans the tree of `b`, which has items, and counts in the header what it takes; false when there is no memory. Leaves of
 * the canonical tree that are too long are halved in it. */
CDI_FN bool cdi_packing_begin(cdi_packing *p, const cdi_builder *b, cdi_bvh_header *header);

/* Writes nodes, clusters and their bytes; the length of the block is in the header. Leaves `place` in order. */
CDI_FN void cdi_packing_write(cdi_packing *p, unsigned char *at);

CDI_FN void cdi_packing_end(cdi_packing *p);
