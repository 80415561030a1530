#pragma once
/* refit_boxes (internal): the boxes of a tree made anew from its items, from the leaves up, and what the tree costs.
 *
 * A node has a smaller number than its children: one pass from the last node to the first does it. A box is made from rounded
 * ones as it would be from the items: rounding keeps the order of numbers.
 *
 * The term of a node is what it adds to the cost (see cd_bvh_stats): the surfaces of its lanes, each times the items or the one
 * node that it stands for, over its own surface. It grows as the boxes of children come to lie on each other, and says nothing of
 * what is below them (Lauterbach et al. 2006). Nodes of two, which have no room for it, do without. */

#include "core/executor.h"
#include "tree/bvh_layout.h"

/* Makes all boxes of a tree that is not of the compact layout and may be written, in the frame of its header. Returns what it costs
 * then. */
CDI_FN double cdi_refit_boxes(const cdi_bvh *tree, const cd_executor *executor);

/* The cost as in cd_bvh_stats. */
CDI_FN double cdi_tree_cost(const cdi_bvh *tree);

/* The term of a node of eight, and where the one of its last build is kept. */
CDI_FN double cdi_node_term(const cdi_bvh *tree, uint32_t number);
CDI_FN float *cdi_built_term(const cdi_bvh *tree, uint32_t number);

/* Keeps the terms of all nodes that have none. */
CDI_FN void cdi_keep_terms(const cdi_bvh *tree);
