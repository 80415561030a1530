#pragma once
/* bvh_stats: what a tree costs (Ericson 6.1.2), how deep and how tidy it is, and what another degree would cost (6.1.3).
 *
 * The cost of a query is T = N_V C_V + N_P C_P + N_U C_U + C_O: volumes tested, primitives tested, nodes updated, and what
 * is done once. Here a visit of a node, which tests all of its children, is the unit, C_V; a test of a primitive counts as
 * much, C_P = 1; trees are not updated, and what is done once is left out. */

#include "tree/bvh.h"

/// Facts about a tree; all zero for an empty one.
typedef struct cd_bvh_stats {
    uint32_t primitive_count; ///< in the tree
    uint32_t skipped_count;   ///< left out by CD_BVH_SKIP_INVALID
    uint32_t node_count, leaf_count;
    uint32_t depth;     ///< nodes on the longest way from the root to a leaf
    uint32_t leaf_most; ///< the most primitives in a leaf
    double leaf_depth;  ///< nodes on the way from the root to a leaf, the mean of all leaves
    size_t bytes;
    /// expected visits plus primitive tests of a random line through the root's box (6.1.2): by surfaces
    double cost;
    double cost_nodes; ///< ... the visits of nodes among them; the rest are primitives
    double cost_point; ///< ... of a random point of the root's box: by volumes; 1 where the box has none
    /// surface of what each two children of a node have in common, summed over nodes, over the root's surface
    double overlap;
} cd_bvh_stats;

/// Facts about a tree. Cost: linear in the nodes; allocates nothing.
CD_API cd_bvh_stats cd_bvh_get_stats(const cd_bvh *tree);

/// The costliest of many queries, beside their mean; visits of nodes plus tests of primitives, as in cd_bvh_stats.
typedef struct cd_bvh_worst {
    uint32_t tried; ///< queries; one for each leaf that was looked at
    uint32_t index; ///< a primitive of the leaf whose query is the costliest; CD_NONE for an empty tree
    double mean;    ///< cost of the point in the middle of a leaf's box, the mean of all leaves tried
    double worst;   ///< ... the most
    double bound;   ///< cost of a leaf's whole box, the most: no point of any leaf tried costs more
} cd_bvh_worst;

/// Asks the tree about the middle of its leaves, of about `most` evenly spaced ones, or of all of them (0).
///
/// Where many boxes lie on each other the worst is far above the mean; at a point that is in no leaf no primitive is
/// tested. Cost: twice that of the queries; allocates nothing.
CD_API cd_bvh_worst cd_bvh_get_worst(const cd_bvh *tree, uint32_t most);

/// What a complete tree of a degree costs (6.1.3).
typedef struct cd_bvh_degree {
    double inner_nodes; ///< (n - 1) / (d - 1)
    double height;      ///< log_d n
    double one;         ///< d log_d n: boxes tested along one way from the root to a leaf
    double pair;        ///< d^2 log_d n: pairs of boxes, when two such trees are descended at once
} cd_bvh_degree;

/// The formulas of 6.1.3 for a tree of `leaves` leaves, all equally deep, in which every node has `degree` children.
///
/// As numbers, `one` is least for the degree e and `pair` for its square root; of whole degrees 3 and 2 are the best
/// (the book mixes them up). All zero unless degree > 1 and leaves >= 1 are finite. Class: tolerant, within a few
/// units in the last place of a double.
CD_API cd_bvh_degree cd_bvh_degree_cost(double degree, double leaves);

/// What a tree would be like with another degree.
typedef struct cd_bvh_collapsed {
    uint32_t node_count, leaf_count, depth;
    double cost;  ///< as in cd_bvh_stats
    double tests; ///< expected tests of boxes of the same line: every visit tests all children
} cd_bvh_collapsed;

/// What the tree would be with up to `degree` children a node, 2 to 16: of every node the child with the largest surface
/// is replaced by its own two children as long as there is room.
///
/// A tree with eight children a node is first taken apart as by cd_bvh_convert. NULL stands for the default allocator.
/// CD_INVALID_ARGUMENT: another degree. CD_UNSUPPORTED: the tree of a cd_dyntree. CD_OUT_OF_MEMORY. `out` is zero on failure and for an empty tree. Cost: linear.
CD_API cd_status cd_bvh_collapse(const cd_bvh *tree, uint32_t degree, const cd_allocator *allocator,
                                 cd_bvh_collapsed *out);
