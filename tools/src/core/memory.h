#pragma once
/* memory (internal): allocation through the user's allocator, with sizes that cannot overflow. */

#include "core/allocator.h"
#include "core/platform.h"

/* `count` objects of `size` bytes, aligned to 64, not cleared; NULL when there is no memory, when the size
 * overflows, or when the count is 0. */
CDI_FN void *cdi_alloc(const cd_allocator *allocator, size_t count, size_t size);

/* Gives back what cdi_alloc gave; NULL is fine. */
CDI_FN void cdi_free(const cd_allocator *allocator, void *p, size_t count, size_t size);
