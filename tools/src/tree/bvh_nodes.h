#pragma once
/* bvh_nodes: a tree given by the caller, as a scene graph is: nodes of any degree, objects in any of them, inner ones
 * too (Ericson 6, 6.1.3). */

#include "tree/bvh_build.h"

/// What the box of a node holds.
typedef enum cd_bvh_wrap {
    CD_BVH_WRAPPED = 0, ///< the objects below it, as tightly as possible
    CD_BVH_LAYERED = 1  ///< the boxes of its children, its own box and its objects
} cd_bvh_wrap;

/// A graph of nodes with a box for each object; nothing is copied.
typedef struct cd_bvh_graph {
    /// of each node: another node, in any order; CD_NONE for the root, of which there is one
    const uint32_t *parent;
    /// of each node, for CD_BVH_LAYERED; empty boxes add nothing; NULL: none have one
    const cd_aabb *node_box;
    uint32_t node_count;
    uint32_t wrap;            ///< of `cd_bvh_wrap`
    const cd_aabb *boxes;     ///< of the objects
    const uint32_t *box_node; ///< in which node each object is
    uint32_t box_count;
} cd_bvh_graph;

/// Makes a tree over the graph's boxes that is grouped as the graph is; queries answer with indices into `boxes`.
///
/// The objects of a node, in leaves of `leaf_size`, stand before its children, all in the order of their indices. Where
/// that makes more than two they are halved, in that order, until each stands alone. Nodes with nothing below them are left
/// out, and a node with one child and no object is one with its child. No graph is too deep: where the tree would get deeper
/// than 80, what is below is halved without regard to the graph. Of the options `leaf_size`, `layout`, `masks` (of the boxes) and `allocator` are read; NULL stands for the
/// default.
///
/// CD_INVALID_ARGUMENT: no root, two roots, a cycle, a number of a node out of range, a box that is not valid (a node's:
/// neither valid nor empty), an option out of range. CD_TOO_LARGE: more than 2^29 boxes or nodes. CD_OUT_OF_MEMORY. `out` is an
/// empty tree on failure, and when there are no boxes. Cost: linear, and the boxes times their depth in the graph's halvings.
CD_API cd_status cd_bvh_from_nodes(cd_bvh *out, const cd_bvh_graph *graph, const cd_bvh_options *options);
