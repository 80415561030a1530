#pragma once
/* platform (internal): what the implementation takes from the compiler, the machine and the C library. */

#include "core/config.h"

/* Internal functions are static in the one header and external where the modules are compiled alone. */
#ifndef CDI_FN
#define CDI_FN extern
#endif

#if defined(__GNUC__)
#define CDI_INLINE static inline __attribute__((unused))
#else
#define CDI_INLINE static inline
#endif

/* Small, and called where it counts: structs that go through memory to a function take longer than it does. */
#if defined(__GNUC__)
#define CDI_HOT static inline __attribute__((unused, always_inline))
#else
#define CDI_HOT static inline
#endif

/* Rare paths, kept out of line so that the common one stays small; and what is kept out of line for its large frame only. */
#if defined(__GNUC__)
#define CDI_COLD    __attribute__((noinline, cold))
#define CDI_OUTLINE __attribute__((noinline))
#else
#define CDI_COLD
#define CDI_OUTLINE
#endif

#if defined(__GNUC__)
#define CDI_UNLIKELY(x) __builtin_expect(!!(x), 0)
#else
#define CDI_UNLIKELY(x) (x)
#endif

/* Memory that is about to be read. */
#if defined(__GNUC__)
#define CDI_PREFETCH(p) __builtin_prefetch(p)
#else
#define CDI_PREFETCH(p) ((void)(p))
#endif

/* The tests count work with this; it costs nothing otherwise. */
#ifndef CDI_COUNT
#define CDI_COUNT(what) ((void)0)
#endif

/* The instruction set: decides speed, never a result. */
#if !defined(COLLIDE_NO_SIMD) && defined(__AVX__)
#define CDI_AVX 1
#if defined(__AVX2__)
#define CDI_AVX2 1
#endif
#if defined(__AVX512VL__) && defined(__AVX512DQ__)
#define CDI_AVX512 1
#endif
#include <immintrin.h>
#elif !defined(COLLIDE_NO_SIMD) && (defined(__SSE2__) || defined(_M_X64))
#define CDI_SSE2 1
#include <emmintrin.h>
#elif !defined(COLLIDE_NO_SIMD) && defined(__ARM_NEON) && (defined(__aarch64__) || defined(_M_ARM64))
#define CDI_NEON 1
#include <arm_neon.h>
#elif !defined(COLLIDE_NO_SIMD) && defined(__wasm_simd128__)
#define CDI_WASM 1
#include <wasm_simd128.h>
#endif

/* Where the compiler can, hot kernels are there again for AVX2 and for AVX-512, and the entry of a query takes what the processor
 * has. A kernel is declared by CDI_KERNEL in its module's header and run by CDI_RUN; its module and the headers of inline functions
 * that it needs are marked `isa` in modules.txt. Where modules are compiled alone there is one of each; on Windows GCC does not keep
 * the stack aligned for the wide registers. */
#if defined(CDI_WITH_INSTANCES) && defined(CDI_SSE2) && defined(__x86_64__) && !defined(COLLIDE_NO_STDLIB)
#if defined(__clang__) ? !defined(_MSC_VER) : defined(__GNUC__) && __GNUC__ >= 6 && !defined(_WIN32)
#define CDI_INSTANCES 1
#endif
#endif
#ifdef CDI_INSTANCES
#include <immintrin.h>
/* None is inlined: the stack of one would be taken where another runs. */
#define CDI_KERNEL(type, name, arguments)                                                                    \
    CDI_FN type name arguments __attribute__((noinline));                                                    \
    CDI_FN type name##_avx2 arguments __attribute__((noinline));                                             \
    CDI_FN type name##_avx512 arguments __attribute__((noinline))
#ifndef CDI_LEVEL_CAP /* the tests lower it */
#define CDI_LEVEL_CAP 2
#endif
/* What the processor has: 0 no more than the baseline, 1 AVX2, 2 AVX-512 too. */
CDI_INLINE int cdi_isa_level(void) {
    if (CDI_LEVEL_CAP < 1 || !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("bmi")) return 0;
    return CDI_LEVEL_CAP > 1 && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq") ? 2
                                                                                                         : 1;
}
#define CDI_RUN(name, arguments)                                                                             \
    (cdi_isa_level() == 2   ? name##_avx512 arguments                                                        \
     : cdi_isa_level() == 1 ? name##_avx2 arguments                                                          \
                            : name arguments)
#else
#define CDI_KERNEL(type, name, arguments) CDI_FN type name arguments
#define CDI_RUN(name, arguments)          name arguments
#endif

#ifndef COLLIDE_NO_STDLIB
#include <math.h>
#include <string.h>
#endif

#if defined(COLLIDE_ASSERT)
#define CDI_ASSERT(condition) COLLIDE_ASSERT(condition)
#elif defined(COLLIDE_NO_STDLIB)
#define CDI_ASSERT(condition) ((void)0)
#else
#include <assert.h>
#define CDI_ASSERT(condition) assert(condition)
#endif

/* memcpy and memset, also where there is no C library. */
#ifdef COLLIDE_NO_STDLIB
CDI_INLINE void cdi_copy(void *to, const void *from, size_t size) {
    unsigned char *t = (unsigned char *)to;
    const unsigned char *f = (const unsigned char *)from;
    for (size_t i = 0; i < size; ++i) t[i] = f[i];
}
CDI_INLINE void cdi_clear(void *to, size_t size) {
    unsigned char *t = (unsigned char *)to;
    for (size_t i = 0; i < size; ++i) t[i] = 0;
}
#else
CDI_INLINE void cdi_copy(void *to, const void *from, size_t size) {
    memcpy(to, from, size);
}
CDI_INLINE void cdi_clear(void *to, size_t size) {
    memset(to, 0, size);
}
#endif

/* The correctly rounded square root: the one function that the machine has to give. */
#if defined(CDI_AVX) || defined(CDI_SSE2)
CDI_INLINE double cdi_sqrt(double x) {
    __m128d v = _mm_set_sd(x);
    return _mm_cvtsd_f64(_mm_sqrt_sd(v, v));
}
#elif defined(CDI_NEON)
CDI_INLINE double cdi_sqrt(double x) {
    return vget_lane_f64(vsqrt_f64(vdup_n_f64(x)), 0);
}
#elif defined(COLLIDE_NO_STDLIB) && defined(__GNUC__)
CDI_INLINE double cdi_sqrt(double x) {
    return __builtin_sqrt(x);
}
#else
CDI_INLINE double cdi_sqrt(double x) {
    return sqrt(x);
}
#endif
