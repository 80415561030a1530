/* harness.c - of test.h, what the runner of the suites (main.c) and that of the fuzz targets (fuzz/fuzz.c) have in common. */
#define _POSIX_C_SOURCE 200112L
#include "test.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- notes ---- */

char test_noted[8000];

void test_note(const char *format, ...) {
    va_list args;
    va_start(args, format);
    vsnprintf(test_noted, sizeof test_noted, format, args);
    va_end(args);
}

void test_note_reals(const char *name, const cd_real *values, int count) {
    size_t used = strlen(test_noted);
    for (int i = -1; i <= count && used < sizeof test_noted; ++i) {
        char *end = test_noted + used;
        size_t room = sizeof test_noted - used;
        int wrote = i < 0        ? snprintf(end, room, "%s%s = (", used ? ", " : "", name)
                    : i == count ? snprintf(end, room, ")")
                                 : snprintf(end, room, "%s%a", i ? ", " : "", (double)values[i]);
        used += wrote > 0 ? (size_t)wrote : 0;
    }
}

/* ---- numbers ---- */

uint64_t test_hash(uint64_t hash, const void *bytes, size_t size) {
    const unsigned char *p = (const unsigned char *)bytes;
    for (size_t i = 0; i < size; ++i) hash = (hash ^ p[i]) * 1099511628211u;
    return hash;
}

/* ---- memory ---- */

/* No byte more than asked for, so that a sanitizer sees what is read beyond. */
static void *aligned_block(size_t size, size_t align) {
#if defined(_WIN32)
    return _aligned_malloc(size ? size : 1, align);
#else
    void *p = NULL;
    return posix_memalign(&p, align < sizeof p ? sizeof p : align, size ? size : 1) ? NULL : p;
#endif
}

void test_block_free(void *block) {
#if defined(_WIN32)
    _aligned_free(block);
#else
    free(block);
#endif
}

unsigned char *test_block(size_t size) {
    void *block = aligned_block(size, 64);
    if (!block) abort();
    return (unsigned char *)block;
}

/* Behind each block of an allocator lie some bytes that have to stay as they are. Not where the sanitizer, or valgrind, which preloads
 * itself, looks beyond the block's end, and sees more. */
enum { FENCE = 16, FENCE_BYTE = 0xA7 };

static size_t fence(void) {
#if defined(__SANITIZE_ADDRESS__)
    return 0;
#else
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(memory_sanitizer)
    return 0;
#endif
#endif
    static int known = -1;
    if (known < 0) {
        const char *preloaded = getenv("LD_PRELOAD");
        known = preloaded && strstr(preloaded, "vgpreload") ? 0 : FENCE;
    }
    return (size_t)known;
#endif
}

static void *memory_alloc(void *user, size_t size, size_t align) {
    test_memory *m = (test_memory *)user;
    size_t beyond = fence();
    void *p = m->allowed-- > 0 && size <= SIZE_MAX - beyond ? aligned_block(size + beyond, align) : NULL;
    if (!p) return NULL;
    memset((unsigned char *)p + size, FENCE_BYTE, beyond);
    ++m->live;
    m->bytes += size;
    return p;
}

static void memory_free(void *user, void *p, size_t size) {
    test_memory *m = (test_memory *)user;
    const unsigned char *end = (const unsigned char *)p + size;
    size_t i = 0, beyond = fence();
    while (i < beyond && end[i] == FENCE_BYTE) ++i;
    if (i < beyond) test_check(false, "nothing is written behind a block", __FILE__, __LINE__);
    --m->live;
    m->bytes -= size;
    test_block_free(p);
}

cd_allocator test_allocator(test_memory *memory) {
    cd_allocator a;
    a.user = memory;
    a.alloc = memory_alloc;
    a.free = memory_free;
    return a;
}
