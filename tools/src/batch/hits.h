#pragma once
/* hits (internal): lists of those that hit. */

#include "core/scalar.h"

/* Indices are of 32 bits: what is beyond cannot be told. */
CDI_INLINE size_t cdi_countable(size_t count) {
    return count > 0xffffffffu ? 0xffffffffu : count;
}

/* Appends first + i for each bit i; returns how many there are now, of which the first `capacity` are written. */
CDI_INLINE size_t cdi_append_hits(uint64_t met, size_t first, uint32_t *hits, size_t capacity, size_t found) {
    for (; met; met &= met - 1u, ++found) {
        if (found < capacity) hits[found] = (uint32_t)(first + cdi_lowest_bit64(met));
    }
    return found;
}
