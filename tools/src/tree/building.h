#pragma once
/* building (internal): from a source to the canonical binary tree, by any method. */

#include "tree/binary.h"

/* Are they all in range? */
CDI_FN bool cdi_build_options_are_valid(const cd_bvh_options *o);

/* The canonical tree over the items of a source that stay, `b->count` of them, by the method of the options, which have to outlive the
 * builder; NULL: the default ones. CD_OK, CD_INVALID_ARGUMENT, CD_TOO_LARGE, CD_CANCELLED or CD_OUT_OF_MEMORY; after CD_OK it is to be given back by
 * cdi_builder_give_back(b, source->count). */
CDI_FN cd_status cdi_build_canonical(cdi_builder *b, const cdi_source *source, const cd_bvh_options *options);
