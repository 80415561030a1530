#pragma once
/* allocator: where builders take memory from. Queries never allocate. */

#include "core/config.h"

/// A source of memory; the zero object stands for COLLIDE_MALLOC and COLLIDE_FREE.
///
/// `alloc` gives `size` bytes (> 0) aligned to `align` (a power of two, at most 64), or NULL; `free` takes them
/// back with the same size, and may be NULL where memory is given back as a whole. Both are called only from the thread that called the builder.
typedef struct cd_allocator {
    void *user;
    void *(*alloc)(void *user, size_t size, size_t align);
    void (*free)(void *user, void *p, size_t size);
} cd_allocator;
