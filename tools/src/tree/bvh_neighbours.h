#pragma once
/* bvh_neighbours (internal): a tree against itself, with a word about triangles that share corners. */

#include "tree/bvh_pairs.h"

/* Ready for the pairs of one tree, with options of its own; false when there are none. */
CDI_FN bool cdi_self_open(cdi_pair_walk *w, cd_bvh_pair_options *own, const cd_bvh *tree,
                          const cd_bvh_pair_options *options);
