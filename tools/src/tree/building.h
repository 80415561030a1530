#pragma once
/* building (internal): from a source to the canonical binary tree, by any method. */

#include "tree/binary.h"

/* Are they all in range? */
CDI_FN bool cdi_build_options_are_valid(const cd_bvh_options *o);

/* Reads the source into a builder that has room for all of it, and builds the tree over the items that stay: `count` of them.
 * CD_OK, CD_INVALID_ARGUMENT, CD_CANCELLED or CD_OUT_OF_MEMORY. */
CDI_FN cd_status cdi_build_tree(cdi_builder *b);
