#pragma once
/* bvh_layout (internal): the block of a built tree, in any layout. */

#include "tree/binary.h"

/* `b->node` is not used when there are no items. CD_OK, CD_OUT_OF_MEMORY or CD_TOO_LARGE. */
CDI_FN cd_status cdi_write_block(const cdi_builder *b, cd_bvh *out);
