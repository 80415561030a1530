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

/* A list written in pieces: eight candidates at a time without a branch for each, and nothing behind the last one. */
typedef struct cdi_hit_list {
    uint32_t *hits;
    size_t capacity, found;
    uint32_t pending[64 + 8], count;
} cdi_hit_list;

CDI_INLINE void cdi_list_begin(cdi_hit_list *l, uint32_t *hits, size_t capacity) {
    l->hits = hits;
    l->capacity = capacity;
    l->found = 0;
    l->count = 0;
}

/* Hands the first `count` of those pending on. */
CDI_INLINE void cdi_list_flush(cdi_hit_list *l, uint32_t count) {
    size_t room = l->found < l->capacity ? l->capacity - l->found : 0, some = count < room ? count : room;
    if (some) cdi_copy(l->hits + l->found, l->pending, some * sizeof l->pending[0]);
    l->found += count;
    for (uint32_t i = count; i < l->count; ++i) l->pending[i - count] = l->pending[i];
    l->count -= count;
}

/* Adds first + i for each of the eight lowest bits i. */
CDI_INLINE void cdi_list_add8(cdi_hit_list *l, uint32_t met, size_t first) {
    uint32_t at = l->count, index = (uint32_t)first;
    if (!met) return;
    for (uint32_t i = 0; i < 8; ++i) {
        l->pending[at] = index + i;
        at += met >> i & 1u;
    }
    l->count = at;
    if (at >= 64) cdi_list_flush(l, 64);
}

CDI_INLINE size_t cdi_list_end(cdi_hit_list *l) {
    cdi_list_flush(l, l->count);
    return l->found;
}

/* Indices as visitors tell them: all are counted, the first `capacity` written. */
typedef struct cdi_index_list {
    uint32_t *out;
    size_t capacity, count;
} cdi_index_list;

CDI_INLINE cdi_index_list cdi_index_list_of(uint32_t *out, size_t capacity) {
    cdi_index_list list;
    list.out = out;
    list.capacity = capacity;
    list.count = 0;
    return list;
}

/* A cd_visit_fn. */
CDI_INLINE bool cdi_index_append(void *user, uint32_t index) {
    cdi_index_list *list = (cdi_index_list *)user;
    if (list->count < list->capacity) list->out[list->count] = index;
    ++list->count;
    return true;
}
