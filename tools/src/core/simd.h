#pragma once
/* simd (internal): eight floats at once, on every instruction set.
 *
 * Only operations that are exact or correctly rounded lane by lane, so that every form gives the same bits. Minimum
 * and maximum are comparisons: the second operand where either is NaN. */

#include "core/platform.h"

#if defined(CDI_AVX)

typedef __m256 cdi_f8;

CDI_INLINE cdi_f8 cdi_f8_load(const float *p) {
    return _mm256_loadu_ps(p);
}
CDI_INLINE void cdi_f8_store(float *p, cdi_f8 a) {
    _mm256_storeu_ps(p, a);
}
CDI_INLINE cdi_f8 cdi_f8_all(float x) {
    return _mm256_set1_ps(x);
}
CDI_INLINE cdi_f8 cdi_f8_add(cdi_f8 a, cdi_f8 b) {
    return _mm256_add_ps(a, b);
}
CDI_INLINE cdi_f8 cdi_f8_sub(cdi_f8 a, cdi_f8 b) {
    return _mm256_sub_ps(a, b);
}
CDI_INLINE cdi_f8 cdi_f8_mul(cdi_f8 a, cdi_f8 b) {
    return _mm256_mul_ps(a, b);
}
CDI_INLINE cdi_f8 cdi_f8_min(cdi_f8 a, cdi_f8 b) {
    return _mm256_min_ps(a, b);
}
CDI_INLINE cdi_f8 cdi_f8_max(cdi_f8 a, cdi_f8 b) {
    return _mm256_max_ps(a, b);
}
/* Bit i set where a <= b in lane i. */
CDI_INLINE uint32_t cdi_f8_le(cdi_f8 a, cdi_f8 b) {
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
}

#elif defined(CDI_SSE2)

typedef struct cdi_f8 {
    __m128 l, h;
} cdi_f8;

CDI_INLINE cdi_f8 cdi_f8_of(__m128 l, __m128 h) {
    cdi_f8 r;
    r.l = l;
    r.h = h;
    return r;
}
CDI_INLINE cdi_f8 cdi_f8_load(const float *p) {
    return cdi_f8_of(_mm_loadu_ps(p), _mm_loadu_ps(p + 4));
}
CDI_INLINE void cdi_f8_store(float *p, cdi_f8 a) {
    _mm_storeu_ps(p, a.l);
    _mm_storeu_ps(p + 4, a.h);
}
CDI_INLINE cdi_f8 cdi_f8_all(float x) {
    return cdi_f8_of(_mm_set1_ps(x), _mm_set1_ps(x));
}
CDI_INLINE cdi_f8 cdi_f8_add(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(_mm_add_ps(a.l, b.l), _mm_add_ps(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_sub(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(_mm_sub_ps(a.l, b.l), _mm_sub_ps(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_mul(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(_mm_mul_ps(a.l, b.l), _mm_mul_ps(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_min(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(_mm_min_ps(a.l, b.l), _mm_min_ps(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_max(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(_mm_max_ps(a.l, b.l), _mm_max_ps(a.h, b.h));
}
CDI_INLINE uint32_t cdi_f8_le(cdi_f8 a, cdi_f8 b) {
    int l = _mm_movemask_ps(_mm_cmple_ps(a.l, b.l)), h = _mm_movemask_ps(_mm_cmple_ps(a.h, b.h));
    return (uint32_t)(l | h << 4);
}

#elif defined(CDI_NEON)

typedef struct cdi_f8 {
    float32x4_t l, h;
} cdi_f8;

CDI_INLINE cdi_f8 cdi_f8_of(float32x4_t l, float32x4_t h) {
    cdi_f8 r;
    r.l = l;
    r.h = h;
    return r;
}
CDI_INLINE cdi_f8 cdi_f8_load(const float *p) {
    return cdi_f8_of(vld1q_f32(p), vld1q_f32(p + 4));
}
CDI_INLINE void cdi_f8_store(float *p, cdi_f8 a) {
    vst1q_f32(p, a.l);
    vst1q_f32(p + 4, a.h);
}
CDI_INLINE cdi_f8 cdi_f8_all(float x) {
    return cdi_f8_of(vdupq_n_f32(x), vdupq_n_f32(x));
}
CDI_INLINE cdi_f8 cdi_f8_add(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(vaddq_f32(a.l, b.l), vaddq_f32(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_sub(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(vsubq_f32(a.l, b.l), vsubq_f32(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_mul(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(vmulq_f32(a.l, b.l), vmulq_f32(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_min(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(vbslq_f32(vcltq_f32(a.l, b.l), a.l, b.l), vbslq_f32(vcltq_f32(a.h, b.h), a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_max(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(vbslq_f32(vcgtq_f32(a.l, b.l), a.l, b.l), vbslq_f32(vcgtq_f32(a.h, b.h), a.h, b.h));
}
CDI_INLINE uint32_t cdi_f8_le(cdi_f8 a, cdi_f8 b) {
    static const uint32_t bit[8] = {1, 2, 4, 8, 16, 32, 64, 128};
    uint32x4_t l = vandq_u32(vcleq_f32(a.l, b.l), vld1q_u32(bit));
    uint32x4_t h = vandq_u32(vcleq_f32(a.h, b.h), vld1q_u32(bit + 4));
    return vaddvq_u32(vorrq_u32(l, h));
}

#else

typedef struct cdi_f8 {
    float v[8];
} cdi_f8;

CDI_INLINE cdi_f8 cdi_f8_load(const float *p) {
    cdi_f8 r;
    for (int i = 0; i < 8; ++i) r.v[i] = p[i];
    return r;
}
CDI_INLINE void cdi_f8_store(float *p, cdi_f8 a) {
    for (int i = 0; i < 8; ++i) p[i] = a.v[i];
}
CDI_INLINE cdi_f8 cdi_f8_all(float x) {
    cdi_f8 r;
    for (int i = 0; i < 8; ++i) r.v[i] = x;
    return r;
}
CDI_INLINE cdi_f8 cdi_f8_add(cdi_f8 a, cdi_f8 b) {
    for (int i = 0; i < 8; ++i) a.v[i] += b.v[i];
    return a;
}
CDI_INLINE cdi_f8 cdi_f8_sub(cdi_f8 a, cdi_f8 b) {
    for (int i = 0; i < 8; ++i) a.v[i] -= b.v[i];
    return a;
}
CDI_INLINE cdi_f8 cdi_f8_mul(cdi_f8 a, cdi_f8 b) {
    for (int i = 0; i < 8; ++i) a.v[i] *= b.v[i];
    return a;
}
CDI_INLINE cdi_f8 cdi_f8_min(cdi_f8 a, cdi_f8 b) {
    for (int i = 0; i < 8; ++i) a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
    return a;
}
CDI_INLINE cdi_f8 cdi_f8_max(cdi_f8 a, cdi_f8 b) {
    for (int i = 0; i < 8; ++i) a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
    return a;
}
CDI_INLINE uint32_t cdi_f8_le(cdi_f8 a, cdi_f8 b) {
    uint32_t mask = 0;
    for (int i = 0; i < 8; ++i) mask |= (uint32_t)(a.v[i] <= b.v[i]) << i;
    return mask;
}

#endif
