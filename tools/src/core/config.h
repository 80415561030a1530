#pragma once
/* config: what every other module needs first: the number type, the linkage of functions, the version.
 *
 * Everything here must be seen alike by all files of a program that share objects of this library; the
 * link names of a double build carry a suffix, so that two files that disagree do not link by accident. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Version of this header as a number: major * 10000 + minor * 100 + patch.
#define CD_VERSION        100u
#define CD_VERSION_STRING "0.1.0"

/// The number type of the interface: float, or double with COLLIDE_DOUBLE.
#ifdef COLLIDE_DOUBLE
typedef double cd_real;
#define CD_REAL_MAX     1.7976931348623157e308
#define CD_REAL_EPSILON 2.220446049250313e-16
#else
typedef float cd_real;
#define CD_REAL_MAX     3.402823466e38f
#define CD_REAL_EPSILON 1.1920928955078125e-7f
#endif

/// No index: what a call answers that found none.
#define CD_NONE 0xFFFFFFFFu

/* Linkage of the functions. COLLIDE_STATIC keeps the whole library inside one file; COLLIDE_API may hold
 * an export or visibility attribute. */
#if defined(COLLIDE_STATIC) && defined(__GNUC__)
#define CD_API static __attribute__((unused))
#elif defined(COLLIDE_STATIC)
#define CD_API static
#elif defined(COLLIDE_API)
#define CD_API COLLIDE_API
#else
#define CD_API extern
#endif

/* The few functions that are inlined into the caller. */
#if defined(__GNUC__)
#define CD_INLINE static inline __attribute__((always_inline, unused))
#elif defined(_MSC_VER)
#define CD_INLINE static __forceinline
#else
#define CD_INLINE static inline
#endif

/// Version of the compiled implementation; equal to CD_VERSION when header and object agree.
CD_API uint32_t cd_version(void);
