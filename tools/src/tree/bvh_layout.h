#pragma once
/* bvh_layout (internal): the block of a built tree, in any layout. */

#include "tree/binary.h"

/* `b->node` is not used when there are no items; `b->box` and `b->node` are written over. Progress goes from 0.8 on. CD_OK, CD_CANCELLED, CD_OUT_OF_MEMORY or CD_TOO_LARGE. */
CDI_FN cd_status cdi_write_block(const cdi_builder *b, cd_bvh *out);

/* Puts the bounds of a tree that has items into its header, and the frame that goes with them. */
CDI_FN void cdi_set_bounds(cdi_bvh_header *h, const cdi_box *bounds);

/* A frame made ready for many boxes: x -> (x - origin) scale[0] scale[1]. */
typedef struct cdi_framing {
    double origin[3], scale[2];
} cdi_framing;

CDI_INLINE cdi_framing cdi_framing_of(const cdi_frame *frame) {
    cdi_framing f;
    for (int k = 0; k < 3; ++k) f.origin[k] = frame->origin[k];
    f.scale[0] = cdi_exp2i(-(frame->exponent / 2));
    f.scale[1] = cdi_exp2i(frame->exponent / 2 - frame->exponent);
    return f;
}

/* A box in the frame, rounded outward. */
CDI_INLINE void cdi_frame_box(const cdi_framing *f, const cdi_box *box, float lo[3], float hi[3]) {
    for (int k = 0; k < 3; ++k) {
        lo[k] = cdi_float_down(((double)box->v[k] - f->origin[k]) * f->scale[0] * f->scale[1]);
        hi[k] = cdi_float_up((-(double)box->v[4 + k] - f->origin[k]) * f->scale[0] * f->scale[1]);
    }
}

/* Down to and up to a multiple of 2^-15. One is added afterwards: beside it a small number would be lost. */
CDI_INLINE uint16_t cdi_quantise_down(float x) {
    float y = x * 32768.0f;
    int32_t q = (int32_t)y;
    return (uint16_t)(32768 + q - ((float)q > y ? 1 : 0));
}
CDI_INLINE uint16_t cdi_quantise_up(float x) {
    float y = x * 32768.0f;
    int32_t q = (int32_t)y;
    return (uint16_t)(32768 + q + ((float)q < y ? 1 : 0));
}

/* The frame of a tree with these bounds. */
CDI_FN cdi_frame cdi_frame_of(const cdi_box *bounds);

/* The header of a block but for what hangs on its nodes; and the items in the order of the builder, with their masks behind
 * them if there are any, with progress from `from` to `to`: false when cancelled. */
CDI_FN void cdi_header_begin(const cdi_builder *b, cdi_bvh_header *h);
CDI_FN bool cdi_write_leaves(const cdi_builder *b, cdi_bvh_header *h, unsigned char *out, double from,
                             double to);

#define CDI_DEGREE_MOST 16u

/* The children of a node of up to `most` (CDI_DEGREE_MOST at most): the one with the largest box is opened until there are so many or all are
 * leaves; they stay in order. Returns how many there are, at least 1. */
CDI_FN uint32_t cdi_gather_children(const cdi_builder *b, uint32_t slot, uint32_t *child, uint32_t most);
