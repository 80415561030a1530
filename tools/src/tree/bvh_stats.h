#pragma once
/* bvh_stats: what a tree costs (Ericson 6.1.2). */

#include "tree/bvh.h"

/// Facts about a tree.
typedef struct cd_bvh_stats {
    uint32_t primitive_count; ///< in the tree
    uint32_t skipped_count;   ///< left out by CD_BVH_SKIP_INVALID
    uint32_t node_count, leaf_count;
    uint32_t depth; ///< nodes on the longest way from the root to a leaf
    size_t bytes;
    double
        cost; ///< expected node visits plus primitive tests of a random line through the root's box (6.1.2)
    double
        overlap; ///< surface of the boxes that children of a node have in common, summed over nodes, over the root's surface
} cd_bvh_stats;

/// Facts about a tree. Cost: linear in the nodes.
CD_API cd_bvh_stats cd_bvh_get_stats(const cd_bvh *tree);
