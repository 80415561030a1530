#pragma once
/* refit_boxes (internal): the boxes of a tree made anew from its items, from the leaves up, and what the tree costs.
 *
 * A node has a smaller number than its children: one pass from the last node to the first does it. A box is made from rounded
 * ones as it would be from the items: rounding keeps the order of numbers.
 *
 * The cost of a node of eight is that of its subtree (see cd_bvh_stats) for a line through its box: the surfaces of all lanes
 * in it, each times the items or the one node that it stands for, over the surface of its box. What it was when the subtree was last built is
 * kept in the node (Lauterbach et al. 2006). Nodes of two have no room for that, and do without. */

#include "core/executor.h"
#include "tree/bvh_layout.h"

/* Makes all boxes of a tree that is not of the compact layout and may be written, in the frame of its header. Returns what it costs
 * then. */
CDI_FN double cdi_refit_boxes(const cdi_bvh *tree, const cd_executor *executor);

/* The cost as in cd_bvh_stats. */
CDI_FN double cdi_tree_cost(const cdi_bvh *tree);

/* The surfaces of the lanes of a node, each times its weight, and the surface around all. */
CDI_FN double cdi_lanes_cost(const cdi_bvh_node *node);
CDI_FN double cdi_node_area(const cdi_bvh_node *node);

/* The cost of a node of eight when it was last built; what it would cost now were all its children as good as then; keeps that
 * where nothing is kept. */
CDI_FN double cdi_built_cost(const cdi_bvh *tree, uint32_t number);
CDI_FN double cdi_own_cost(const cdi_bvh *tree, uint32_t number);
CDI_FN void cdi_keep_costs(const cdi_bvh *tree);
