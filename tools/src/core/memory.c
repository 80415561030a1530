#include "core/memory.h"

#if defined(COLLIDE_MALLOC)
#define CDI_MALLOC(size) COLLIDE_MALLOC(size)
#define CDI_FREE(p)      COLLIDE_FREE(p)
#elif defined(COLLIDE_NO_STDLIB)
#define CDI_MALLOC(size) ((void)(size), (void *)0)
#define CDI_FREE(p)      ((void)(p))
#else
#include <stdlib.h>
#define CDI_MALLOC(size) malloc(size)
#define CDI_FREE(p)      free(p)
#endif

#define CDI_ALIGN 64u

/* malloc aligned: the distance to malloc's own pointer stands in the byte before the block. */
static void *cdi_aligned_malloc(size_t size) {
    unsigned char *raw;
    if (size > SIZE_MAX - CDI_ALIGN) return NULL;
    raw = (unsigned char *)CDI_MALLOC(size + CDI_ALIGN);
    if (!raw) return NULL;
    {
        size_t shift = CDI_ALIGN - ((uintptr_t)raw & (CDI_ALIGN - 1)); /* 1 to 64 */
        raw[shift - 1] = (unsigned char)shift;
        return raw + shift;
    }
}

static void cdi_aligned_free(void *p) {
    unsigned char *block = (unsigned char *)p;
    CDI_FREE(block - block[-1]);
}

CDI_FN void *cdi_alloc(const cd_allocator *allocator, size_t count, size_t size) {
    if (count == 0 || size == 0 || count > SIZE_MAX / size) return NULL;
    if (allocator && allocator->alloc) return allocator->alloc(allocator->user, count * size, CDI_ALIGN);
    return cdi_aligned_malloc(count * size);
}

CDI_FN void cdi_free(const cd_allocator *allocator, void *p, size_t count, size_t size) {
    if (!p) return;
    if (allocator && allocator->alloc) {
        if (allocator->free) allocator->free(allocator->user, p, count * size);
    } else {
        cdi_aligned_free(p);
    }
}

#undef CDI_ALIGN
#undef CDI_MALLOC
#undef CDI_FREE
