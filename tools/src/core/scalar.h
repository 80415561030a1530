#pragma once
/* scalar (internal): numbers. Routines compute in double in both builds and round once at the end.
 *
 * Minimum and maximum are comparisons, so that a NaN or a signed zero gives the same bits everywhere:
 * cdi_min(a, b) is b when either is NaN. */

#include "core/platform.h"

/* The largest double. */
#define CDI_HUGE 1.7976931348623157e308

CDI_INLINE uint64_t cdi_bits(double x) {
    uint64_t u;
    cdi_copy(&u, &x, sizeof u);
    return u;
}
CDI_INLINE double cdi_from_bits(uint64_t u) {
    double x;
    cdi_copy(&x, &u, sizeof x);
    return x;
}

CDI_INLINE double cdi_min(double a, double b) {
    return a < b ? a : b;
}
CDI_INLINE double cdi_max(double a, double b) {
    return a > b ? a : b;
}
CDI_INLINE double cdi_abs(double x) {
#if defined(__GNUC__)
    return __builtin_fabs(x);
#else
    return cdi_from_bits(cdi_bits(x) & 0x7FFFFFFFFFFFFFFFu);
#endif
}
CDI_INLINE int cdi_sign(double x) {
    return (x > 0.0) - (x < 0.0);
}
/* x in [lo, hi]; lo for NaN. */
CDI_INLINE double cdi_clamp(double x, double lo, double hi) {
    return x > lo ? (x < hi ? x : hi) : lo;
}

/* Rounded to a float, for good: where two doubles side by side become floats and doubles again, GCC 12 leaves the rounding out,
 * seen at -O2. */
CDI_INLINE float cdi_nearest_float(double x) {
    float r = (float)x;
#if defined(__GNUC__) && !defined(__clang__) && defined(__SSE2__)
    __asm__("" : "+x"(r));
#elif defined(__GNUC__) && !defined(__clang__) && defined(__aarch64__)
    __asm__("" : "+w"(r));
#endif
    return r;
}
CDI_INLINE cd_real cdi_nearest_real(double x) {
#ifdef COLLIDE_DOUBLE
    return x;
#else
    return cdi_nearest_float(x);
#endif
}

/* Rounded to the number type of the interface, and never infinite; the smallest number for NaN. */
CDI_INLINE cd_real cdi_real_of(double x) {
    return cdi_nearest_real(cdi_clamp(x, -(double)CD_REAL_MAX, (double)CD_REAL_MAX));
}

CDI_INLINE double cdi_nan(void) {
    return cdi_from_bits(0x7FF8000000000000u);
}
CDI_INLINE double cdi_infinity(void) {
    return cdi_from_bits(0x7FF0000000000000u);
}

/* Rounded to the number type of the interface; infinite beyond its range, NaN for NaN. */
CDI_INLINE cd_real cdi_real_or_infinity(double x) {
    if (x > (double)CD_REAL_MAX) return (cd_real)cdi_infinity();
    return x < -(double)CD_REAL_MAX ? (cd_real)-cdi_infinity() : cdi_nearest_real(x);
}

/* Neither NaN nor infinite; asks the bits, so that it raises nothing. */
CDI_INLINE bool cdi_finite(double x) {
    return (cdi_bits(x) & 0x7FF0000000000000u) != 0x7FF0000000000000u;
}
CDI_INLINE bool cdi_finite3(double x, double y, double z) {
    return cdi_finite(x) && cdi_finite(y) && cdi_finite(z);
}

/* 2^e, for e in -1022...1023; beyond it the nearest of these. */
CDI_INLINE double cdi_exp2i(int e) {
    e = e < -1022 ? -1022 : e > 1023 ? 1023 : e;
    return cdi_from_bits((uint64_t)(e + 1023) << 52);
}

/* floor(log2 |x|); below -1074 for 0, 1024 for NaN and infinity. */
CDI_INLINE int cdi_exponent(double x) {
    int e = (int)((cdi_bits(x) >> 52) & 0x7FFu);
    if (e == 0) e = (int)((cdi_bits(x * 18014398509481984.0) >> 52) & 0x7FFu) - 54; /* denormal: times 2^54 */
    return e - 1023;
}

/* x * 2^e in two steps, so that neither factor leaves the range. */
CDI_INLINE double cdi_scale2(double x, int e) {
    int half = e / 2;
    return x * cdi_exp2i(half) * cdi_exp2i(e - half);
}

/* The number next to `x` toward +infinity (up) or -infinity; finite x, and stays finite at the end of the range. */
CDI_INLINE float cdi_next_float(float x, bool up) {
    int32_t i;
    cdi_copy(&i, &x, sizeof i);
    i = i < 0 ? INT32_MIN - i : i; /* ordered like the numbers, -0 and +0 both 0 */
    if (up ? i < 0x7F7FFFFF : i > -0x7F7FFFFF) i += up ? 1 : -1;
    i = i < 0 ? INT32_MIN - i : i;
    cdi_copy(&x, &i, sizeof x);
    return x;
}
CDI_INLINE double cdi_next_double(double x, bool up) {
    int64_t i;
    cdi_copy(&i, &x, sizeof i);
    i = i < 0 ? INT64_MIN - i : i;
    if (up ? i < 0x7FEFFFFFFFFFFFFF : i > -0x7FEFFFFFFFFFFFFF) i += up ? 1 : -1;
    i = i < 0 ? INT64_MIN - i : i;
    cdi_copy(&x, &i, sizeof x);
    return x;
}
#ifdef COLLIDE_DOUBLE
CDI_INLINE double cdi_next_real(double x, bool up) {
    return cdi_next_double(x, up);
}
#else
CDI_INLINE float cdi_next_real(float x, bool up) {
    return cdi_next_float(x, up);
}
#endif

/* The bits of a number of the interface. */
#ifdef COLLIDE_DOUBLE
typedef uint64_t cdi_real_bits;
#else
typedef uint32_t cdi_real_bits;
#endif
CDI_INLINE cdi_real_bits cdi_bits_of_real(cd_real x) {
    cdi_real_bits u;
    cdi_copy(&u, &x, sizeof u);
    return u;
}
CDI_INLINE cd_real cdi_real_of_bits(cdi_real_bits u) {
    cd_real x;
    cdi_copy(&x, &u, sizeof x);
    return x;
}

/* A count as a number, by way of a signed one: not every compiler brings the conversion of unsigned ones in itself. */
CDI_INLINE double cdi_number_of(size_t count) {
    return (double)(int64_t)count;
}

/* The index of the lowest bit set; mask not 0. */
CDI_INLINE uint32_t cdi_lowest_bit(uint32_t mask) {
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctz(mask);
#else
    uint32_t i = 0;
    while (!(mask & 1u)) {
        mask >>= 1;
        ++i;
    }
    return i;
#endif
}

CDI_INLINE uint32_t cdi_lowest_bit64(uint64_t mask) {
    uint32_t low = (uint32_t)mask;
    return low ? cdi_lowest_bit(low) : 32u + cdi_lowest_bit((uint32_t)(mask >> 32));
}

/* 21 bits, with two zeros after each: of three such numbers a place on a Morton curve is made. */
CDI_INLINE uint64_t cdi_spread_bits(uint64_t v) {
    v = (v | v << 32) & 0x001F00000000FFFFu;
    v = (v | v << 16) & 0x001F0000FF0000FFu;
    v = (v | v << 8) & 0x100F00F00F00F00Fu;
    v = (v | v << 4) & 0x10C30C30C30C30C3u;
    return (v | v << 2) & 0x1249249249249249u;
}
