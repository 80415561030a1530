#pragma once
/* keys (internal): items sorted by numbers of up to 64 bits. */

#include "tree/binary.h"

typedef struct cdi_item_key {
    uint64_t code;
    uint32_t item, unused;
} cdi_item_key;

/* One after another on the number line: -0 and 0 are the same. */
CDI_INLINE uint64_t cdi_code_of_real(cd_real x) {
    const int top = (int)sizeof x * 8 - 1;
    cdi_real_bits u = cdi_bits_of_real(x + 0);
    return (u >> top) ? (cdi_real_bits)~u : u | (cdi_real_bits)1 << top;
}

/* Sorts keys by the lower `bits` bits of their codes; of equal ones the first stays first. There is room for twice as many:
 * the answer is the first half or the second, or NULL: CD_OUT_OF_MEMORY or CD_CANCELLED is in `status`. Progress goes from `from` to `to`. */
CDI_FN cdi_item_key *cdi_sort_items(const cdi_builder *b, cdi_item_key *keys, uint32_t count, int bits,
                                    double from, double to, cd_status *status);

/* The same for numbers, by their bits from low_bit to below `bits`. */
CDI_FN uint64_t *cdi_sort_codes(const cdi_builder *b, uint64_t *keys, uint32_t count, int low_bit, int bits,
                                double from, double to, cd_status *status);
