#pragma once
/* morton (internal): numbers along a Morton curve, and sorting by such numbers. */

#include "tree/binary.h"

/* Something to be sorted. */
typedef struct cdi_code {
    uint64_t code;
    uint32_t item;
} cdi_code;

/* Fills out[i] for item i of the builder: 21 bits an axis of the item's middle, in a cube around all middles. */
CDI_FN void cdi_morton_codes(const cdi_builder *b, cdi_code *out);

/* Sorts by code; equal ones stay in order. The answer is in `codes`; `other` is as long. */
CDI_FN void cdi_sort_codes(cdi_code *codes, cdi_code *other, uint32_t count);
