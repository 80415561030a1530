#pragma once
/* bvh_layout (internal): the block of a built tree, in any layout. */

#include "tree/binary.h"

/* `b->node` is not used when there are no items; `b->box` and `b->node` are written over. Progress goes from 0.8 on. CD_OK, CD_CANCELLED, CD_OUT_OF_MEMORY or CD_TOO_LARGE. */
CDI_FN cd_status cdi_write_block(const cdi_builder *b, cd_bvh *out);

/* The frame of a tree with these bounds. */
CDI_FN cdi_frame cdi_frame_of(const cdi_box *bounds);

#define CDI_DEGREE_MOST 16u

/* The children of a node of up to `most` (CDI_DEGREE_MOST at most): the one with the largest box is opened until there are so many or all are
 * leaves; they stay in order. Returns how many there are, at least 1. */
CDI_FN uint32_t cdi_gather_children(const cdi_builder *b, uint32_t slot, uint32_t *child, uint32_t most);
