#pragma once
/* dyn_pairs (internal): which objects meet that have moved, or another that has.
 *
 * A descent through the tree against itself, two nodes of one height at a time, that goes only where something has moved
 * in one of the two. */

#include "tree/bvh_pairs.h"
#include "tree/dyn_nodes.h"

CDI_FN bool cdi_dyn_visit_moved(const cd_dyntree *t, const cd_bvh_pair_options *options,
                                cd_visit_pair_fn visit, void *user);
/* Has every object moved? */
CDI_FN bool cdi_dyn_all_moved(const cd_dyntree *t);
CDI_FN void cdi_dyn_forget_moves(cd_dyntree *t);
