#pragma once
/* linear_cache: the data of a tree's leaves, put in a row and kept, as published, for comparison and teaching (Ericson 13.5).
 *
 * What a leaf names, triangles by index of vertices by index, lies scattered. Where the same leaves are asked for again and again,
 * they are copied once to where they lie in a row, in a cache of fixed size: cached linearisation (13.5.1). A leaf's number tells
 * the few slots it may be in; with one slot it is the book's direct mapping, with several the one used longest ago makes
 * room. So that not even the first visit waits, leaves near to where the next queries are thought to be are told before, and
 * fetched a few at a time: predictive, amortised linearisation (13.5.2).
 *
 * Class: classic. cd_bvh keeps its triangles in the order of the leaves from the beginning. Memory is the caller's; a cache is for one
 * thread at a time. COLLIDE_NO_CLASSIC leaves this part out. */

#ifndef COLLIDE_NO_CLASSIC

#include "core/status.h"

/// Copies a leaf's data to `to`, `capacity` bytes at most, aligned to 64, and returns how many it takes; where that is more, what it has
/// written is of no meaning. It must not use the cache.
typedef size_t (*cd_linear_fetch_fn)(void *user, uint32_t leaf, void *to, size_t capacity);

/// How a cache is made; the zero members stand for what is said of them.
typedef struct cd_linear_cache_options {
    uint32_t slots;      ///< leaves that it keeps, at most; rounded up to whole sets; 0: 127
    uint32_t ways;       ///< slots of a set, any of which a leaf may be in: 0 and 1: one, direct mapping
    uint32_t slot_bytes; ///< for a leaf's data, at most; 0: 1024
    cd_linear_fetch_fn fetch;
    void *user; ///< handed to `fetch`
} cd_linear_cache_options;

/// What a cache has done.
typedef struct cd_linear_cache_counts {
    uint64_t hits, misses;   ///< calls of cd_linear_cache_get that found the data there, and that fetched it
    uint64_t too_long;       ///< ... and that ended with NULL as the data is longer than a slot
    uint64_t evictions;      ///< leaves that made room for others
    uint64_t predicted;      ///< leaves fetched as they were predicted
    uint64_t predicted_well; ///< ... and then asked for
    uint64_t predicted_for_nothing; ///< ... or evicted or forgotten before
    uint64_t dropped;               ///< predictions that newer ones took the place of
} cd_linear_cache_counts;

/// A cache. Members are read-only.
typedef struct cd_linear_cache {
    void *slots;       ///< which leaves are where
    uint32_t *waiting; ///< predictions, a ring of as many as there are slots
    unsigned char *data;
    uint32_t sets, ways, first, waiting_count;
    size_t slot_bytes;
    uint64_t time;
    cd_linear_fetch_fn fetch;
    void *user;
    cd_linear_cache_counts counts;
} cd_linear_cache;

/// How many bytes of memory such a cache takes; 0 when there are no such numbers.
CD_API size_t cd_linear_cache_size(const cd_linear_cache_options *options);

/// Makes an empty cache in memory of the caller, of any alignment, which has to outlive it; nothing has to be given back.
///
/// CD_INVALID_ARGUMENT: no `fetch`, no memory, or less than cd_linear_cache_size; `cache` is zeroed then.
CD_API cd_status cd_linear_cache_init(cd_linear_cache *cache, void *memory, size_t size,
                                      const cd_linear_cache_options *options);

/// A leaf's data, in a row, aligned to 64, and in `*bytes` how much; fetched if it is not there. Good until the next call that may fetch.
///
/// NULL where it is longer than a slot, with its length in `*bytes`: then the caller has to do without; that it is too long is kept
/// in mind like data. NULL, and 0 bytes, from a zeroed cache.
CD_API const void *cd_linear_cache_get(cd_linear_cache *cache, uint32_t leaf, size_t *bytes);

/// Is a leaf's data there? Counts and changes nothing.
CD_API bool cd_linear_cache_holds(const cd_linear_cache *cache, uint32_t leaf);

/// Tells that a leaf will be asked for: it will be fetched by cd_linear_cache_step, or kept as if it had been asked for if it is
/// there. Where too many wait, the oldest prediction is dropped.
CD_API void cd_linear_cache_predict(cd_linear_cache *cache, uint32_t leaf);

/// Fetches predicted leaves, those told first, until `budget` bytes or more have been fetched; a leaf without data counts one. Returns how many wait.
CD_API uint32_t cd_linear_cache_step(cd_linear_cache *cache, size_t budget);

/// Forgets a leaf whose data has changed, its prediction, too.
CD_API void cd_linear_cache_forget(cd_linear_cache *cache, uint32_t leaf);

/// Forgets all leaves and predictions. The counts stay.
CD_API void cd_linear_cache_clear(cd_linear_cache *cache);

#endif
