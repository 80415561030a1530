#pragma once
/* simd (internal): eight floats, or four or two doubles, at once, on every instruction set.
 *
 * Only operations that are exact or correctly rounded lane by lane, so that every form gives the same bits. Minimum
 * and maximum are comparisons: the second operand where either is NaN. */

#include "core/platform.h"

#if defined(CDI_AVX)

typedef __m256 cdi_f8;

CDI_INLINE cdi_f8 cdi_f8_load(const float *p) {
    return _mm256_loadu_ps(p);
}
/* Eight numbers of 16 bits. */
CDI_INLINE cdi_f8 cdi_f8_load_u16(const uint16_t *p) {
#if defined(CDI_AVX2)
    return _mm256_cvtepi32_ps(_mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)(const void *)p)));
#else
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p), zero = _mm_setzero_si128();
    __m256i wide = _mm256_castsi128_si256(_mm_unpacklo_epi16(v, zero));
    return _mm256_cvtepi32_ps(_mm256_insertf128_si256(wide, _mm_unpackhi_epi16(v, zero), 1));
#endif
}
/* Eight numbers of 8 bits. */
CDI_INLINE cdi_f8 cdi_f8_load_u8(const uint8_t *p) {
    __m128i v = _mm_loadl_epi64((const __m128i *)(const void *)p);
#ifdef CDI_AVX2
    return _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(v));
#else
    __m256i wide = _mm256_castsi128_si256(_mm_cvtepu8_epi32(v));
    return _mm256_cvtepi32_ps(_mm256_insertf128_si256(wide, _mm_cvtepu8_epi32(_mm_srli_si128(v, 4)), 1));
#endif
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
#if defined(CDI_AVX512)
    return _mm256_cmp_ps_mask(a, b, _CMP_LE_OQ);
#else
    return (uint32_t)_mm256_movemask_ps(_mm256_cmp_ps(a, b, _CMP_LE_OQ));
#endif
}
CDI_INLINE cdi_f8 cdi_f8_div(cdi_f8 a, cdi_f8 b) {
    return _mm256_div_ps(a, b);
}
CDI_INLINE cdi_f8 cdi_f8_abs(cdi_f8 a) {
    return _mm256_andnot_ps(_mm256_set1_ps(-0.0f), a);
}
CDI_INLINE cdi_f8 cdi_f8_sqrt(cdi_f8 a) {
    return _mm256_sqrt_ps(a);
}
/* Four columns of eight rows, `stride` numbers apart. */
CDI_INLINE __m256 cdi_f8_rows(const float *p, const float *q) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(p)), _mm_loadu_ps(q), 1);
}
CDI_INLINE void cdi_f8_columns(const float *p, size_t stride, cdi_f8 out[4]) {
    const float *q = p + 4 * stride;
    __m256 a = cdi_f8_rows(p, q), b = cdi_f8_rows(p + stride, q + stride);
    __m256 c = cdi_f8_rows(p + 2 * stride, q + 2 * stride), d = cdi_f8_rows(p + 3 * stride, q + 3 * stride);
    __m256 ab = _mm256_unpacklo_ps(a, b), cd = _mm256_unpacklo_ps(c, d);
    out[0] = _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(1, 0, 1, 0));
    out[1] = _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(3, 2, 3, 2));
    ab = _mm256_unpackhi_ps(a, b), cd = _mm256_unpackhi_ps(c, d);
    out[2] = _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(1, 0, 1, 0));
    out[3] = _mm256_shuffle_ps(ab, cd, _MM_SHUFFLE(3, 2, 3, 2));
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
CDI_INLINE cdi_f8 cdi_f8_load_u16(const uint16_t *p) {
    __m128i v = _mm_loadu_si128((const __m128i *)(const void *)p), zero = _mm_setzero_si128();
    return cdi_f8_of(_mm_cvtepi32_ps(_mm_unpacklo_epi16(v, zero)),
                     _mm_cvtepi32_ps(_mm_unpackhi_epi16(v, zero)));
}
CDI_INLINE cdi_f8 cdi_f8_load_u8(const uint8_t *p) {
    __m128i v = _mm_loadl_epi64((const __m128i *)(const void *)p), zero = _mm_setzero_si128();
    v = _mm_unpacklo_epi8(v, zero);
    return cdi_f8_of(_mm_cvtepi32_ps(_mm_unpacklo_epi16(v, zero)),
                     _mm_cvtepi32_ps(_mm_unpackhi_epi16(v, zero)));
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
CDI_INLINE cdi_f8 cdi_f8_div(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(_mm_div_ps(a.l, b.l), _mm_div_ps(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_abs(cdi_f8 a) {
    __m128 sign = _mm_set1_ps(-0.0f);
    return cdi_f8_of(_mm_andnot_ps(sign, a.l), _mm_andnot_ps(sign, a.h));
}
CDI_INLINE cdi_f8 cdi_f8_sqrt(cdi_f8 a) {
    return cdi_f8_of(_mm_sqrt_ps(a.l), _mm_sqrt_ps(a.h));
}
CDI_INLINE void cdi_f8_columns(const float *p, size_t stride, cdi_f8 out[4]) {
    const float *q = p + 4 * stride;
    __m128 a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + stride), c = _mm_loadu_ps(p + 2 * stride),
           d = _mm_loadu_ps(p + 3 * stride);
    __m128 e = _mm_loadu_ps(q), f = _mm_loadu_ps(q + stride), g = _mm_loadu_ps(q + 2 * stride),
           h = _mm_loadu_ps(q + 3 * stride);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _MM_TRANSPOSE4_PS(e, f, g, h);
    out[0] = cdi_f8_of(a, e);
    out[1] = cdi_f8_of(b, f);
    out[2] = cdi_f8_of(c, g);
    out[3] = cdi_f8_of(d, h);
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
CDI_INLINE cdi_f8 cdi_f8_load_u16(const uint16_t *p) {
    uint16x8_t v = vld1q_u16(p);
    return cdi_f8_of(vcvtq_f32_u32(vmovl_u16(vget_low_u16(v))), vcvtq_f32_u32(vmovl_u16(vget_high_u16(v))));
}
CDI_INLINE cdi_f8 cdi_f8_load_u8(const uint8_t *p) {
    uint16x8_t v = vmovl_u8(vld1_u8(p));
    return cdi_f8_of(vcvtq_f32_u32(vmovl_u16(vget_low_u16(v))), vcvtq_f32_u32(vmovl_u16(vget_high_u16(v))));
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
CDI_INLINE cdi_f8 cdi_f8_div(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(vdivq_f32(a.l, b.l), vdivq_f32(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_abs(cdi_f8 a) {
    return cdi_f8_of(vabsq_f32(a.l), vabsq_f32(a.h));
}
CDI_INLINE cdi_f8 cdi_f8_sqrt(cdi_f8 a) {
    return cdi_f8_of(vsqrtq_f32(a.l), vsqrtq_f32(a.h));
}
CDI_INLINE void cdi_f8_columns(const float *p, size_t stride, cdi_f8 out[4]) {
    for (int i = 0; i < 4; ++i) {
        float v[8];
        for (int k = 0; k < 8; ++k) v[k] = p[(size_t)k * stride + (size_t)i];
        out[i] = cdi_f8_load(v);
    }
}

#elif defined(CDI_WASM)

/* Clang 14 loads a number that fills a vector only where the vector is needed, behind stores and calls that change it: here it
 * is loaded before. */
CDI_INLINE float cdi_float_held(float x) {
    __asm__("" : "+r"(x));
    return x;
}
CDI_INLINE double cdi_double_held(double x) {
    __asm__("" : "+r"(x));
    return x;
}

/* (pmin and pmax give their first operand where either is NaN.) */
typedef struct cdi_f8 {
    v128_t l, h;
} cdi_f8;

CDI_INLINE cdi_f8 cdi_f8_of(v128_t l, v128_t h) {
    cdi_f8 r;
    r.l = l;
    r.h = h;
    return r;
}
CDI_INLINE cdi_f8 cdi_f8_load(const float *p) {
    return cdi_f8_of(wasm_v128_load(p), wasm_v128_load(p + 4));
}
CDI_INLINE cdi_f8 cdi_f8_load_u16(const uint16_t *p) {
    v128_t v = wasm_v128_load(p);
    return cdi_f8_of(wasm_f32x4_convert_u32x4(wasm_u32x4_extend_low_u16x8(v)),
                     wasm_f32x4_convert_u32x4(wasm_u32x4_extend_high_u16x8(v)));
}
CDI_INLINE cdi_f8 cdi_f8_load_u8(const uint8_t *p) {
    v128_t v = wasm_u16x8_load8x8(p);
    return cdi_f8_of(wasm_f32x4_convert_i32x4(wasm_u32x4_extend_low_u16x8(v)),
                     wasm_f32x4_convert_i32x4(wasm_u32x4_extend_high_u16x8(v)));
}
CDI_INLINE void cdi_f8_store(float *p, cdi_f8 a) {
    wasm_v128_store(p, a.l);
    wasm_v128_store(p + 4, a.h);
}
CDI_INLINE cdi_f8 cdi_f8_all(float x) {
    v128_t v = wasm_f32x4_splat(cdi_float_held(x));
    return cdi_f8_of(v, v);
}
CDI_INLINE cdi_f8 cdi_f8_add(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(wasm_f32x4_add(a.l, b.l), wasm_f32x4_add(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_sub(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(wasm_f32x4_sub(a.l, b.l), wasm_f32x4_sub(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_mul(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(wasm_f32x4_mul(a.l, b.l), wasm_f32x4_mul(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_min(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(wasm_f32x4_pmin(b.l, a.l), wasm_f32x4_pmin(b.h, a.h));
}
CDI_INLINE cdi_f8 cdi_f8_max(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(wasm_f32x4_pmax(b.l, a.l), wasm_f32x4_pmax(b.h, a.h));
}
CDI_INLINE uint32_t cdi_f8_le(cdi_f8 a, cdi_f8 b) {
    return (uint32_t)wasm_i32x4_bitmask(wasm_f32x4_le(a.l, b.l)) |
           (uint32_t)wasm_i32x4_bitmask(wasm_f32x4_le(a.h, b.h)) << 4;
}
CDI_INLINE cdi_f8 cdi_f8_div(cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(wasm_f32x4_div(a.l, b.l), wasm_f32x4_div(a.h, b.h));
}
CDI_INLINE cdi_f8 cdi_f8_abs(cdi_f8 a) {
    return cdi_f8_of(wasm_f32x4_abs(a.l), wasm_f32x4_abs(a.h));
}
CDI_INLINE cdi_f8 cdi_f8_sqrt(cdi_f8 a) {
    return cdi_f8_of(wasm_f32x4_sqrt(a.l), wasm_f32x4_sqrt(a.h));
}
CDI_INLINE void cdi_f8_columns(const float *p, size_t stride, cdi_f8 out[4]) {
    for (int i = 0; i < 4; ++i) {
        float v[8];
        for (int k = 0; k < 8; ++k) v[k] = p[(size_t)k * stride + (size_t)i];
        out[i] = cdi_f8_load(v);
    }
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
CDI_INLINE cdi_f8 cdi_f8_load_u16(const uint16_t *p) {
    cdi_f8 r;
    for (int i = 0; i < 8; ++i) r.v[i] = (float)p[i];
    return r;
}
CDI_INLINE cdi_f8 cdi_f8_load_u8(const uint8_t *p) {
    cdi_f8 r;
    for (int i = 0; i < 8; ++i) r.v[i] = (float)p[i];
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
CDI_INLINE cdi_f8 cdi_f8_div(cdi_f8 a, cdi_f8 b) {
    for (int i = 0; i < 8; ++i) a.v[i] /= b.v[i];
    return a;
}
CDI_INLINE cdi_f8 cdi_f8_abs(cdi_f8 a) {
    for (int i = 0; i < 8; ++i) a.v[i] = a.v[i] < 0.0f ? -a.v[i] : a.v[i];
    return a;
}
CDI_INLINE cdi_f8 cdi_f8_sqrt(cdi_f8 a) { /* twice as many digits: rounding twice does no harm */
    for (int i = 0; i < 8; ++i) a.v[i] = (float)cdi_sqrt((double)a.v[i]);
    return a;
}
CDI_INLINE void cdi_f8_columns(const float *p, size_t stride, cdi_f8 out[4]) {
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 8; ++k) out[i].v[k] = p[(size_t)k * stride + (size_t)i];
    }
}

#endif

/* ---- four doubles ---- */

#if defined(CDI_AVX)

typedef __m256d cdi_d4;

CDI_INLINE cdi_d4 cdi_d4_all(double x) {
    return _mm256_set1_pd(x);
}
CDI_INLINE cdi_d4 cdi_d4_add(cdi_d4 a, cdi_d4 b) {
    return _mm256_add_pd(a, b);
}
CDI_INLINE cdi_d4 cdi_d4_sub(cdi_d4 a, cdi_d4 b) {
    return _mm256_sub_pd(a, b);
}
CDI_INLINE cdi_d4 cdi_d4_mul(cdi_d4 a, cdi_d4 b) {
    return _mm256_mul_pd(a, b);
}
CDI_INLINE cdi_d4 cdi_d4_max(cdi_d4 a, cdi_d4 b) {
    return _mm256_max_pd(a, b);
}
CDI_INLINE cdi_d4 cdi_d4_min(cdi_d4 a, cdi_d4 b) {
    return _mm256_min_pd(a, b);
}
CDI_INLINE void cdi_d4_store(double *p, cdi_d4 a) {
    _mm256_storeu_pd(p, a);
}
CDI_INLINE cdi_d4 cdi_d4_load(const double *p) {
    return _mm256_loadu_pd(p);
}
CDI_INLINE cdi_d4 cdi_d4_div(cdi_d4 a, cdi_d4 b) {
    return _mm256_div_pd(a, b);
}
CDI_INLINE cdi_d4 cdi_d4_abs(cdi_d4 a) {
    return _mm256_andnot_pd(_mm256_set1_pd(-0.0), a);
}
CDI_INLINE uint32_t cdi_d4_le(cdi_d4 a, cdi_d4 b) {
#if defined(CDI_AVX512)
    return _mm256_cmp_pd_mask(a, b, _CMP_LE_OQ);
#else
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LE_OQ));
#endif
}
/* Four columns of four rows. */
CDI_INLINE void cdi_d4_columns(const double *p, size_t stride, cdi_d4 out[4]) {
    __m256d a = _mm256_loadu_pd(p), b = _mm256_loadu_pd(p + stride);
    __m256d c = _mm256_loadu_pd(p + 2 * stride), d = _mm256_loadu_pd(p + 3 * stride);
    __m256d ab = _mm256_unpacklo_pd(a, b), cd = _mm256_unpacklo_pd(c, d);
    out[0] = _mm256_permute2f128_pd(ab, cd, 0x20);
    out[2] = _mm256_permute2f128_pd(ab, cd, 0x31);
    ab = _mm256_unpackhi_pd(a, b), cd = _mm256_unpackhi_pd(c, d);
    out[1] = _mm256_permute2f128_pd(ab, cd, 0x20);
    out[3] = _mm256_permute2f128_pd(ab, cd, 0x31);
}

#elif defined(CDI_SSE2)

typedef struct cdi_d4 {
    __m128d l, h;
} cdi_d4;

CDI_INLINE cdi_d4 cdi_d4_of(__m128d l, __m128d h) {
    cdi_d4 r;
    r.l = l;
    r.h = h;
    return r;
}
CDI_INLINE cdi_d4 cdi_d4_all(double x) {
    return cdi_d4_of(_mm_set1_pd(x), _mm_set1_pd(x));
}
CDI_INLINE cdi_d4 cdi_d4_add(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(_mm_add_pd(a.l, b.l), _mm_add_pd(a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_sub(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(_mm_sub_pd(a.l, b.l), _mm_sub_pd(a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_mul(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(_mm_mul_pd(a.l, b.l), _mm_mul_pd(a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_max(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(_mm_max_pd(a.l, b.l), _mm_max_pd(a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_min(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(_mm_min_pd(a.l, b.l), _mm_min_pd(a.h, b.h));
}
CDI_INLINE void cdi_d4_store(double *p, cdi_d4 a) {
    _mm_storeu_pd(p, a.l);
    _mm_storeu_pd(p + 2, a.h);
}
CDI_INLINE cdi_d4 cdi_d4_load(const double *p) {
    return cdi_d4_of(_mm_loadu_pd(p), _mm_loadu_pd(p + 2));
}
CDI_INLINE cdi_d4 cdi_d4_div(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(_mm_div_pd(a.l, b.l), _mm_div_pd(a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_abs(cdi_d4 a) {
    __m128d sign = _mm_set1_pd(-0.0);
    return cdi_d4_of(_mm_andnot_pd(sign, a.l), _mm_andnot_pd(sign, a.h));
}
CDI_INLINE uint32_t cdi_d4_le(cdi_d4 a, cdi_d4 b) {
    int l = _mm_movemask_pd(_mm_cmple_pd(a.l, b.l)), h = _mm_movemask_pd(_mm_cmple_pd(a.h, b.h));
    return (uint32_t)(l | h << 2);
}

#elif defined(CDI_NEON)

typedef struct cdi_d4 {
    float64x2_t l, h;
} cdi_d4;

CDI_INLINE cdi_d4 cdi_d4_of(float64x2_t l, float64x2_t h) {
    cdi_d4 r;
    r.l = l;
    r.h = h;
    return r;
}
CDI_INLINE cdi_d4 cdi_d4_all(double x) {
    return cdi_d4_of(vdupq_n_f64(x), vdupq_n_f64(x));
}
CDI_INLINE cdi_d4 cdi_d4_add(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(vaddq_f64(a.l, b.l), vaddq_f64(a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_sub(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(vsubq_f64(a.l, b.l), vsubq_f64(a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_mul(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(vmulq_f64(a.l, b.l), vmulq_f64(a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_max(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(vbslq_f64(vcgtq_f64(a.l, b.l), a.l, b.l), vbslq_f64(vcgtq_f64(a.h, b.h), a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_min(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(vbslq_f64(vcltq_f64(a.l, b.l), a.l, b.l), vbslq_f64(vcltq_f64(a.h, b.h), a.h, b.h));
}
CDI_INLINE void cdi_d4_store(double *p, cdi_d4 a) {
    vst1q_f64(p, a.l);
    vst1q_f64(p + 2, a.h);
}
CDI_INLINE cdi_d4 cdi_d4_load(const double *p) {
    return cdi_d4_of(vld1q_f64(p), vld1q_f64(p + 2));
}
CDI_INLINE cdi_d4 cdi_d4_div(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(vdivq_f64(a.l, b.l), vdivq_f64(a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_abs(cdi_d4 a) {
    return cdi_d4_of(vabsq_f64(a.l), vabsq_f64(a.h));
}
CDI_INLINE uint32_t cdi_d4_le(cdi_d4 a, cdi_d4 b) {
    uint64x2_t l = vcleq_f64(a.l, b.l), h = vcleq_f64(a.h, b.h);
    return (uint32_t)((vgetq_lane_u64(l, 0) & 1u) | (vgetq_lane_u64(l, 1) & 2u) |
                      (vgetq_lane_u64(h, 0) & 4u) | (vgetq_lane_u64(h, 1) & 8u));
}

#elif defined(CDI_WASM)

typedef struct cdi_d4 {
    v128_t l, h;
} cdi_d4;

CDI_INLINE cdi_d4 cdi_d4_of(v128_t l, v128_t h) {
    cdi_d4 r;
    r.l = l;
    r.h = h;
    return r;
}
CDI_INLINE cdi_d4 cdi_d4_all(double x) {
    v128_t v = wasm_f64x2_splat(cdi_double_held(x));
    return cdi_d4_of(v, v);
}
CDI_INLINE cdi_d4 cdi_d4_add(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(wasm_f64x2_add(a.l, b.l), wasm_f64x2_add(a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_sub(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(wasm_f64x2_sub(a.l, b.l), wasm_f64x2_sub(a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_mul(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(wasm_f64x2_mul(a.l, b.l), wasm_f64x2_mul(a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_max(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(wasm_f64x2_pmax(b.l, a.l), wasm_f64x2_pmax(b.h, a.h));
}
CDI_INLINE cdi_d4 cdi_d4_min(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(wasm_f64x2_pmin(b.l, a.l), wasm_f64x2_pmin(b.h, a.h));
}
CDI_INLINE void cdi_d4_store(double *p, cdi_d4 a) {
    wasm_v128_store(p, a.l);
    wasm_v128_store(p + 2, a.h);
}
CDI_INLINE cdi_d4 cdi_d4_load(const double *p) {
    return cdi_d4_of(wasm_v128_load(p), wasm_v128_load(p + 2));
}
CDI_INLINE cdi_d4 cdi_d4_div(cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(wasm_f64x2_div(a.l, b.l), wasm_f64x2_div(a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_abs(cdi_d4 a) {
    return cdi_d4_of(wasm_f64x2_abs(a.l), wasm_f64x2_abs(a.h));
}
CDI_INLINE uint32_t cdi_d4_le(cdi_d4 a, cdi_d4 b) {
    return (uint32_t)wasm_i64x2_bitmask(wasm_f64x2_le(a.l, b.l)) |
           (uint32_t)wasm_i64x2_bitmask(wasm_f64x2_le(a.h, b.h)) << 2;
}

#else

typedef struct cdi_d4 {
    double v[4];
} cdi_d4;

CDI_INLINE cdi_d4 cdi_d4_all(double x) {
    cdi_d4 r;
    for (int i = 0; i < 4; ++i) r.v[i] = x;
    return r;
}
CDI_INLINE cdi_d4 cdi_d4_add(cdi_d4 a, cdi_d4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] += b.v[i];
    return a;
}
CDI_INLINE cdi_d4 cdi_d4_sub(cdi_d4 a, cdi_d4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] -= b.v[i];
    return a;
}
CDI_INLINE cdi_d4 cdi_d4_mul(cdi_d4 a, cdi_d4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] *= b.v[i];
    return a;
}
CDI_INLINE cdi_d4 cdi_d4_max(cdi_d4 a, cdi_d4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
    return a;
}
CDI_INLINE cdi_d4 cdi_d4_min(cdi_d4 a, cdi_d4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
    return a;
}
CDI_INLINE void cdi_d4_store(double *p, cdi_d4 a) {
    for (int i = 0; i < 4; ++i) p[i] = a.v[i];
}
CDI_INLINE cdi_d4 cdi_d4_load(const double *p) {
    cdi_d4 r;
    for (int i = 0; i < 4; ++i) r.v[i] = p[i];
    return r;
}
CDI_INLINE cdi_d4 cdi_d4_div(cdi_d4 a, cdi_d4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] /= b.v[i];
    return a;
}
CDI_INLINE cdi_d4 cdi_d4_abs(cdi_d4 a) {
    for (int i = 0; i < 4; ++i) a.v[i] = a.v[i] < 0.0 ? -a.v[i] : a.v[i];
    return a;
}
CDI_INLINE uint32_t cdi_d4_le(cdi_d4 a, cdi_d4 b) {
    uint32_t mask = 0;
    for (int i = 0; i < 4; ++i) mask |= (uint32_t)(a.v[i] <= b.v[i]) << i;
    return mask;
}

#endif

#if defined(CDI_SSE2)
CDI_INLINE void cdi_d4_columns(const double *p, size_t stride, cdi_d4 out[4]) {
    for (int i = 0; i < 4; i += 2, p += 2) {
        __m128d a = _mm_loadu_pd(p), b = _mm_loadu_pd(p + stride);
        __m128d c = _mm_loadu_pd(p + 2 * stride), d = _mm_loadu_pd(p + 3 * stride);
        out[i] = cdi_d4_of(_mm_unpacklo_pd(a, b), _mm_unpacklo_pd(c, d));
        out[i + 1] = cdi_d4_of(_mm_unpackhi_pd(a, b), _mm_unpackhi_pd(c, d));
    }
}
#elif !defined(CDI_AVX)
CDI_INLINE void cdi_d4_columns(const double *p, size_t stride, cdi_d4 out[4]) {
    for (int i = 0; i < 4; ++i, ++p) {
        double v[4];
        v[0] = p[0], v[1] = p[stride], v[2] = p[2 * stride], v[3] = p[3 * stride];
        out[i] = cdi_d4_load(v);
    }
}
#endif

/* ---- two doubles ---- */

#if defined(CDI_AVX) || defined(CDI_SSE2)

typedef __m128d cdi_d2;

CDI_INLINE cdi_d2 cdi_d2_of(double first, double second) {
    return _mm_set_pd(second, first);
}
CDI_INLINE cdi_d2 cdi_d2_add(cdi_d2 a, cdi_d2 b) {
    return _mm_add_pd(a, b);
}
CDI_INLINE cdi_d2 cdi_d2_sub(cdi_d2 a, cdi_d2 b) {
    return _mm_sub_pd(a, b);
}
CDI_INLINE cdi_d2 cdi_d2_mul(cdi_d2 a, cdi_d2 b) {
    return _mm_mul_pd(a, b);
}
CDI_INLINE cdi_d2 cdi_d2_max(cdi_d2 a, cdi_d2 b) {
    return _mm_max_pd(a, b);
}
CDI_INLINE cdi_d2 cdi_d2_abs(cdi_d2 a) {
    return _mm_andnot_pd(_mm_set1_pd(-0.0), a);
}
/* Bit i set where a < b in lane i. */
CDI_INLINE uint32_t cdi_d2_less(cdi_d2 a, cdi_d2 b) {
    return (uint32_t)_mm_movemask_pd(_mm_cmplt_pd(a, b));
}
CDI_INLINE void cdi_d2_store(double *p, cdi_d2 a) {
    _mm_storeu_pd(p, a);
}

#elif defined(CDI_NEON)

typedef float64x2_t cdi_d2;

CDI_INLINE cdi_d2 cdi_d2_of(double first, double second) {
    return vcombine_f64(vdup_n_f64(first), vdup_n_f64(second));
}
CDI_INLINE cdi_d2 cdi_d2_add(cdi_d2 a, cdi_d2 b) {
    return vaddq_f64(a, b);
}
CDI_INLINE cdi_d2 cdi_d2_sub(cdi_d2 a, cdi_d2 b) {
    return vsubq_f64(a, b);
}
CDI_INLINE cdi_d2 cdi_d2_mul(cdi_d2 a, cdi_d2 b) {
    return vmulq_f64(a, b);
}
CDI_INLINE cdi_d2 cdi_d2_max(cdi_d2 a, cdi_d2 b) {
    return vbslq_f64(vcgtq_f64(a, b), a, b);
}
CDI_INLINE cdi_d2 cdi_d2_abs(cdi_d2 a) {
    return vabsq_f64(a);
}
CDI_INLINE uint32_t cdi_d2_less(cdi_d2 a, cdi_d2 b) {
    uint64x2_t less = vcltq_f64(a, b);
    return (uint32_t)((vgetq_lane_u64(less, 0) & 1u) | (vgetq_lane_u64(less, 1) & 2u));
}
CDI_INLINE void cdi_d2_store(double *p, cdi_d2 a) {
    vst1q_f64(p, a);
}

#elif defined(CDI_WASM)

typedef v128_t cdi_d2;

CDI_INLINE cdi_d2 cdi_d2_of(double first, double second) {
    return wasm_f64x2_make(cdi_double_held(first), cdi_double_held(second));
}
CDI_INLINE cdi_d2 cdi_d2_add(cdi_d2 a, cdi_d2 b) {
    return wasm_f64x2_add(a, b);
}
CDI_INLINE cdi_d2 cdi_d2_sub(cdi_d2 a, cdi_d2 b) {
    return wasm_f64x2_sub(a, b);
}
CDI_INLINE cdi_d2 cdi_d2_mul(cdi_d2 a, cdi_d2 b) {
    return wasm_f64x2_mul(a, b);
}
CDI_INLINE cdi_d2 cdi_d2_max(cdi_d2 a, cdi_d2 b) {
    return wasm_f64x2_pmax(b, a);
}
CDI_INLINE cdi_d2 cdi_d2_abs(cdi_d2 a) {
    return wasm_f64x2_abs(a);
}
CDI_INLINE uint32_t cdi_d2_less(cdi_d2 a, cdi_d2 b) {
    return (uint32_t)wasm_i64x2_bitmask(wasm_f64x2_lt(a, b));
}
CDI_INLINE void cdi_d2_store(double *p, cdi_d2 a) {
    wasm_v128_store(p, a);
}

#else

typedef struct cdi_d2 {
    double v[2];
} cdi_d2;

CDI_INLINE cdi_d2 cdi_d2_of(double first, double second) {
    cdi_d2 r;
    r.v[0] = first;
    r.v[1] = second;
    return r;
}
CDI_INLINE cdi_d2 cdi_d2_add(cdi_d2 a, cdi_d2 b) {
    return cdi_d2_of(a.v[0] + b.v[0], a.v[1] + b.v[1]);
}
CDI_INLINE cdi_d2 cdi_d2_sub(cdi_d2 a, cdi_d2 b) {
    return cdi_d2_of(a.v[0] - b.v[0], a.v[1] - b.v[1]);
}
CDI_INLINE cdi_d2 cdi_d2_mul(cdi_d2 a, cdi_d2 b) {
    return cdi_d2_of(a.v[0] * b.v[0], a.v[1] * b.v[1]);
}
CDI_INLINE cdi_d2 cdi_d2_max(cdi_d2 a, cdi_d2 b) {
    return cdi_d2_of(a.v[0] > b.v[0] ? a.v[0] : b.v[0], a.v[1] > b.v[1] ? a.v[1] : b.v[1]);
}
CDI_INLINE cdi_d2 cdi_d2_abs(cdi_d2 a) {
    return cdi_d2_of(a.v[0] < 0.0 ? -a.v[0] : a.v[0], a.v[1] < 0.0 ? -a.v[1] : a.v[1]);
}
CDI_INLINE uint32_t cdi_d2_less(cdi_d2 a, cdi_d2 b) {
    return (uint32_t)(a.v[0] < b.v[0]) | (uint32_t)(a.v[1] < b.v[1]) << 1;
}
CDI_INLINE void cdi_d2_store(double *p, cdi_d2 a) {
    p[0] = a.v[0];
    p[1] = a.v[1];
}

#endif

/* The x, y and z of four points that lie one after another, twelve numbers. */
#if defined(CDI_AVX) && !defined(COLLIDE_DOUBLE)
CDI_INLINE void cdi_d4_points(const float *p, cdi_d4 out[3]) {
    __m128 a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + 4), c = _mm_loadu_ps(p + 8); /* xyzx yzxy zxyz */
    __m128 xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)),
           yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
    out[0] = _mm256_cvtps_pd(_mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0)));
    out[1] = _mm256_cvtps_pd(_mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)));
    out[2] = _mm256_cvtps_pd(_mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1)));
}
#elif defined(CDI_SSE2) && !defined(COLLIDE_DOUBLE)
CDI_INLINE cdi_d4 cdi_d4_from_floats(__m128 f) {
    return cdi_d4_of(_mm_cvtps_pd(f), _mm_cvtps_pd(_mm_movehl_ps(f, f)));
}
CDI_INLINE void cdi_d4_points(const float *p, cdi_d4 out[3]) {
    __m128 a = _mm_loadu_ps(p), b = _mm_loadu_ps(p + 4), c = _mm_loadu_ps(p + 8); /* xyzx yzxy zxyz */
    __m128 xy = _mm_shuffle_ps(b, c, _MM_SHUFFLE(2, 1, 3, 2)),
           yz = _mm_shuffle_ps(a, b, _MM_SHUFFLE(1, 0, 2, 1));
    out[0] = cdi_d4_from_floats(_mm_shuffle_ps(a, xy, _MM_SHUFFLE(2, 0, 3, 0)));
    out[1] = cdi_d4_from_floats(_mm_shuffle_ps(yz, xy, _MM_SHUFFLE(3, 1, 2, 0)));
    out[2] = cdi_d4_from_floats(_mm_shuffle_ps(yz, c, _MM_SHUFFLE(3, 0, 3, 1)));
}
#elif defined(CDI_AVX)
CDI_INLINE void cdi_d4_points(const double *p, cdi_d4 out[3]) {
    for (int i = 0; i < 3; ++i) out[i] = _mm256_set_pd(p[i + 9], p[i + 6], p[i + 3], p[i]);
}
#elif defined(CDI_SSE2)
CDI_INLINE void cdi_d4_points(const double *p, cdi_d4 out[3]) {
    for (int i = 0; i < 3; ++i)
        out[i] = cdi_d4_of(_mm_set_pd(p[i + 3], p[i]), _mm_set_pd(p[i + 9], p[i + 6]));
}
#elif defined(CDI_NEON) && !defined(COLLIDE_DOUBLE)
CDI_INLINE void cdi_d4_points(const float *p, cdi_d4 out[3]) {
    float32x4x3_t v = vld3q_f32(p);
    for (int i = 0; i < 3; ++i)
        out[i] = cdi_d4_of(vcvt_f64_f32(vget_low_f32(v.val[i])), vcvt_f64_f32(vget_high_f32(v.val[i])));
}
#elif defined(CDI_NEON)
CDI_INLINE void cdi_d4_points(const double *p, cdi_d4 out[3]) {
    float64x2x3_t l = vld3q_f64(p), h = vld3q_f64(p + 6);
    for (int i = 0; i < 3; ++i) out[i] = cdi_d4_of(l.val[i], h.val[i]);
}
#elif defined(CDI_WASM)
CDI_INLINE void cdi_d4_points(const cd_real *p, cdi_d4 out[3]) {
    for (int i = 0; i < 3; ++i)
        out[i] = cdi_d4_of(cdi_d2_of((double)p[i], (double)p[i + 3]),
                           cdi_d2_of((double)p[i + 6], (double)p[i + 9]));
}
#else
CDI_INLINE void cdi_d4_points(const cd_real *p, cdi_d4 out[3]) {
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 4; ++k) out[i].v[k] = (double)p[3 * k + i];
    }
}
#endif

/* Four columns of four rows of the interface's numbers, from number `at` of each row on, as doubles. */
#if (defined(CDI_AVX) || defined(CDI_SSE2)) && !defined(COLLIDE_DOUBLE)
CDI_INLINE void cdi_d4_from_rows(const float *const row[4], size_t at, cdi_d4 out[4]) {
    __m128 v[4];
    for (int i = 0; i < 4; ++i) v[i] = _mm_loadu_ps(row[i] + at);
    _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
#if defined(CDI_AVX)
    for (int i = 0; i < 4; ++i) out[i] = _mm256_cvtps_pd(v[i]);
#else
    for (int i = 0; i < 4; ++i) out[i] = cdi_d4_from_floats(v[i]);
#endif
}
#else
CDI_INLINE void cdi_d4_from_rows(const cd_real *const row[4], size_t at, cdi_d4 out[4]) {
    for (size_t i = 0; i < 4; ++i) {
        double v[4];
        for (size_t k = 0; k < 4; ++k) v[k] = (double)row[k][at + i];
        out[i] = cdi_d4_load(v);
    }
}
#endif

/* ---- a where s > 0, else b ---- */

#if defined(CDI_AVX)
CDI_INLINE cdi_f8 cdi_f8_pick(cdi_f8 s, cdi_f8 a, cdi_f8 b) {
#if defined(CDI_AVX512)
    return _mm256_mask_blend_ps(_mm256_cmp_ps_mask(s, _mm256_setzero_ps(), _CMP_GT_OQ), b, a);
#else
    return _mm256_blendv_ps(b, a, _mm256_cmp_ps(s, _mm256_setzero_ps(), _CMP_GT_OQ));
#endif
}
CDI_INLINE cdi_d4 cdi_d4_pick(cdi_d4 s, cdi_d4 a, cdi_d4 b) {
#if defined(CDI_AVX512)
    return _mm256_mask_blend_pd(_mm256_cmp_pd_mask(s, _mm256_setzero_pd(), _CMP_GT_OQ), b, a);
#else
    return _mm256_blendv_pd(b, a, _mm256_cmp_pd(s, _mm256_setzero_pd(), _CMP_GT_OQ));
#endif
}
#elif defined(CDI_SSE2)
CDI_INLINE __m128 cdi_f4_pick(__m128 s, __m128 a, __m128 b) {
    __m128 mask = _mm_cmpgt_ps(s, _mm_setzero_ps());
    return _mm_or_ps(_mm_and_ps(mask, a), _mm_andnot_ps(mask, b));
}
CDI_INLINE cdi_f8 cdi_f8_pick(cdi_f8 s, cdi_f8 a, cdi_f8 b) {
    return cdi_f8_of(cdi_f4_pick(s.l, a.l, b.l), cdi_f4_pick(s.h, a.h, b.h));
}
CDI_INLINE __m128d cdi_d2_pick(__m128d s, __m128d a, __m128d b) {
    __m128d mask = _mm_cmpgt_pd(s, _mm_setzero_pd());
    return _mm_or_pd(_mm_and_pd(mask, a), _mm_andnot_pd(mask, b));
}
CDI_INLINE cdi_d4 cdi_d4_pick(cdi_d4 s, cdi_d4 a, cdi_d4 b) {
    return cdi_d4_of(cdi_d2_pick(s.l, a.l, b.l), cdi_d2_pick(s.h, a.h, b.h));
}
#elif defined(CDI_NEON)
CDI_INLINE cdi_f8 cdi_f8_pick(cdi_f8 s, cdi_f8 a, cdi_f8 b) {
    float32x4_t zero = vdupq_n_f32(0.0f);
    return cdi_f8_of(vbslq_f32(vcgtq_f32(s.l, zero), a.l, b.l), vbslq_f32(vcgtq_f32(s.h, zero), a.h, b.h));
}
CDI_INLINE cdi_d4 cdi_d4_pick(cdi_d4 s, cdi_d4 a, cdi_d4 b) {
    float64x2_t zero = vdupq_n_f64(0.0);
    return cdi_d4_of(vbslq_f64(vcgtq_f64(s.l, zero), a.l, b.l), vbslq_f64(vcgtq_f64(s.h, zero), a.h, b.h));
}
#elif defined(CDI_WASM)
CDI_INLINE cdi_f8 cdi_f8_pick(cdi_f8 s, cdi_f8 a, cdi_f8 b) {
    v128_t zero = wasm_f32x4_splat(0.0f);
    return cdi_f8_of(wasm_v128_bitselect(a.l, b.l, wasm_f32x4_gt(s.l, zero)),
                     wasm_v128_bitselect(a.h, b.h, wasm_f32x4_gt(s.h, zero)));
}
CDI_INLINE cdi_d4 cdi_d4_pick(cdi_d4 s, cdi_d4 a, cdi_d4 b) {
    v128_t zero = wasm_f64x2_splat(0.0);
    return cdi_d4_of(wasm_v128_bitselect(a.l, b.l, wasm_f64x2_gt(s.l, zero)),
                     wasm_v128_bitselect(a.h, b.h, wasm_f64x2_gt(s.h, zero)));
}
#else
CDI_INLINE cdi_f8 cdi_f8_pick(cdi_f8 s, cdi_f8 a, cdi_f8 b) {
    for (int i = 0; i < 8; ++i) a.v[i] = s.v[i] > 0.0f ? a.v[i] : b.v[i];
    return a;
}
CDI_INLINE cdi_d4 cdi_d4_pick(cdi_d4 s, cdi_d4 a, cdi_d4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] = s.v[i] > 0.0 ? a.v[i] : b.v[i];
    return a;
}
#endif

/* ---- four floats ---- */

#if defined(CDI_AVX) || defined(CDI_SSE2)

typedef __m128 cdi_f4;

CDI_INLINE cdi_f4 cdi_f4_load(const float *p) {
    return _mm_loadu_ps(p);
}
CDI_INLINE void cdi_f4_store(float *p, cdi_f4 a) {
    _mm_storeu_ps(p, a);
}
CDI_INLINE cdi_f4 cdi_f4_all(float x) {
    return _mm_set1_ps(x);
}
CDI_INLINE cdi_f4 cdi_f4_add(cdi_f4 a, cdi_f4 b) {
    return _mm_add_ps(a, b);
}
CDI_INLINE cdi_f4 cdi_f4_sub(cdi_f4 a, cdi_f4 b) {
    return _mm_sub_ps(a, b);
}
CDI_INLINE cdi_f4 cdi_f4_mul(cdi_f4 a, cdi_f4 b) {
    return _mm_mul_ps(a, b);
}
CDI_INLINE cdi_f4 cdi_f4_min(cdi_f4 a, cdi_f4 b) {
    return _mm_min_ps(a, b);
}
CDI_INLINE cdi_f4 cdi_f4_max(cdi_f4 a, cdi_f4 b) {
    return _mm_max_ps(a, b);
}
/* Bit i set where a <= b in lane i, or a < b. */
CDI_INLINE uint32_t cdi_f4_le(cdi_f4 a, cdi_f4 b) {
    return (uint32_t)_mm_movemask_ps(_mm_cmple_ps(a, b));
}
CDI_INLINE uint32_t cdi_f4_less(cdi_f4 a, cdi_f4 b) {
    return (uint32_t)_mm_movemask_ps(_mm_cmplt_ps(a, b));
}
/* Rounded to floats. */
CDI_INLINE cdi_f4 cdi_f4_round(cdi_d4 a) {
#if defined(CDI_AVX)
    return _mm256_cvtpd_ps(a);
#else
    return _mm_movelh_ps(_mm_cvtpd_ps(a.l), _mm_cvtpd_ps(a.h));
#endif
}
/* Toward zero, from numbers of 32 bits and to them. */
CDI_INLINE void cdi_f4_to_ints(int32_t *p, cdi_f4 a) {
    _mm_storeu_si128((__m128i *)(void *)p, _mm_cvttps_epi32(a));
}
CDI_INLINE cdi_f4 cdi_f4_from_ints(const int32_t *p) {
    return _mm_cvtepi32_ps(_mm_loadu_si128((const __m128i *)(const void *)p));
}
/* Rows to columns. */
CDI_INLINE void cdi_f4_turn(cdi_f4 v[4]) {
    _MM_TRANSPOSE4_PS(v[0], v[1], v[2], v[3]);
}

#elif defined(CDI_NEON)

typedef float32x4_t cdi_f4;

CDI_INLINE cdi_f4 cdi_f4_load(const float *p) {
    return vld1q_f32(p);
}
CDI_INLINE void cdi_f4_store(float *p, cdi_f4 a) {
    vst1q_f32(p, a);
}
CDI_INLINE cdi_f4 cdi_f4_all(float x) {
    return vdupq_n_f32(x);
}
CDI_INLINE cdi_f4 cdi_f4_add(cdi_f4 a, cdi_f4 b) {
    return vaddq_f32(a, b);
}
CDI_INLINE cdi_f4 cdi_f4_sub(cdi_f4 a, cdi_f4 b) {
    return vsubq_f32(a, b);
}
CDI_INLINE cdi_f4 cdi_f4_mul(cdi_f4 a, cdi_f4 b) {
    return vmulq_f32(a, b);
}
CDI_INLINE cdi_f4 cdi_f4_min(cdi_f4 a, cdi_f4 b) {
    return vbslq_f32(vcltq_f32(a, b), a, b);
}
CDI_INLINE cdi_f4 cdi_f4_max(cdi_f4 a, cdi_f4 b) {
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}
CDI_INLINE uint32_t cdi_f4_le(cdi_f4 a, cdi_f4 b) {
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcleq_f32(a, b), vld1q_u32(bit)));
}
CDI_INLINE cdi_f4 cdi_f4_round(cdi_d4 a) {
    return vcombine_f32(vcvt_f32_f64(a.l), vcvt_f32_f64(a.h));
}
CDI_INLINE uint32_t cdi_f4_less(cdi_f4 a, cdi_f4 b) {
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcltq_f32(a, b), vld1q_u32(bit)));
}
CDI_INLINE void cdi_f4_to_ints(int32_t *p, cdi_f4 a) {
    vst1q_s32(p, vcvtq_s32_f32(a));
}
CDI_INLINE cdi_f4 cdi_f4_from_ints(const int32_t *p) {
    return vcvtq_f32_s32(vld1q_s32(p));
}
CDI_INLINE void cdi_f4_turn(cdi_f4 v[4]) {
    float32x4x2_t a = vtrnq_f32(v[0], v[1]), b = vtrnq_f32(v[2], v[3]);
    v[0] = vcombine_f32(vget_low_f32(a.val[0]), vget_low_f32(b.val[0]));
    v[1] = vcombine_f32(vget_low_f32(a.val[1]), vget_low_f32(b.val[1]));
    v[2] = vcombine_f32(vget_high_f32(a.val[0]), vget_high_f32(b.val[0]));
    v[3] = vcombine_f32(vget_high_f32(a.val[1]), vget_high_f32(b.val[1]));
}

#elif defined(CDI_WASM)

typedef v128_t cdi_f4;

CDI_INLINE cdi_f4 cdi_f4_load(const float *p) {
    return wasm_v128_load(p);
}
CDI_INLINE void cdi_f4_store(float *p, cdi_f4 a) {
    wasm_v128_store(p, a);
}
CDI_INLINE cdi_f4 cdi_f4_all(float x) {
    return wasm_f32x4_splat(cdi_float_held(x));
}
CDI_INLINE cdi_f4 cdi_f4_add(cdi_f4 a, cdi_f4 b) {
    return wasm_f32x4_add(a, b);
}
CDI_INLINE cdi_f4 cdi_f4_sub(cdi_f4 a, cdi_f4 b) {
    return wasm_f32x4_sub(a, b);
}
CDI_INLINE cdi_f4 cdi_f4_mul(cdi_f4 a, cdi_f4 b) {
    return wasm_f32x4_mul(a, b);
}
CDI_INLINE cdi_f4 cdi_f4_min(cdi_f4 a, cdi_f4 b) {
    return wasm_f32x4_pmin(b, a);
}
CDI_INLINE cdi_f4 cdi_f4_max(cdi_f4 a, cdi_f4 b) {
    return wasm_f32x4_pmax(b, a);
}
CDI_INLINE uint32_t cdi_f4_le(cdi_f4 a, cdi_f4 b) {
    return (uint32_t)wasm_i32x4_bitmask(wasm_f32x4_le(a, b));
}
CDI_INLINE uint32_t cdi_f4_less(cdi_f4 a, cdi_f4 b) {
    return (uint32_t)wasm_i32x4_bitmask(wasm_f32x4_lt(a, b));
}
CDI_INLINE cdi_f4 cdi_f4_round(cdi_d4 a) {
    v128_t l = wasm_f32x4_demote_f64x2_zero(a.l), h = wasm_f32x4_demote_f64x2_zero(a.h);
    return wasm_i64x2_shuffle(l, h, 0, 2);
}
CDI_INLINE void cdi_f4_to_ints(int32_t *p, cdi_f4 a) {
    wasm_v128_store(p, wasm_i32x4_trunc_sat_f32x4(a));
}
CDI_INLINE cdi_f4 cdi_f4_from_ints(const int32_t *p) {
    return wasm_f32x4_convert_i32x4(wasm_v128_load(p));
}
CDI_INLINE void cdi_f4_turn(cdi_f4 v[4]) {
    v128_t a = wasm_i32x4_shuffle(v[0], v[1], 0, 4, 1, 5), b = wasm_i32x4_shuffle(v[2], v[3], 0, 4, 1, 5);
    v128_t c = wasm_i32x4_shuffle(v[0], v[1], 2, 6, 3, 7), d = wasm_i32x4_shuffle(v[2], v[3], 2, 6, 3, 7);
    v[0] = wasm_i64x2_shuffle(a, b, 0, 2);
    v[1] = wasm_i64x2_shuffle(a, b, 1, 3);
    v[2] = wasm_i64x2_shuffle(c, d, 0, 2);
    v[3] = wasm_i64x2_shuffle(c, d, 1, 3);
}

#else

typedef struct cdi_f4 {
    float v[4];
} cdi_f4;

CDI_INLINE cdi_f4 cdi_f4_load(const float *p) {
    cdi_f4 r;
    for (int i = 0; i < 4; ++i) r.v[i] = p[i];
    return r;
}
CDI_INLINE void cdi_f4_store(float *p, cdi_f4 a) {
    for (int i = 0; i < 4; ++i) p[i] = a.v[i];
}
CDI_INLINE cdi_f4 cdi_f4_all(float x) {
    cdi_f4 r;
    for (int i = 0; i < 4; ++i) r.v[i] = x;
    return r;
}
CDI_INLINE cdi_f4 cdi_f4_add(cdi_f4 a, cdi_f4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] += b.v[i];
    return a;
}
CDI_INLINE cdi_f4 cdi_f4_sub(cdi_f4 a, cdi_f4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] -= b.v[i];
    return a;
}
CDI_INLINE cdi_f4 cdi_f4_mul(cdi_f4 a, cdi_f4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] *= b.v[i];
    return a;
}
CDI_INLINE cdi_f4 cdi_f4_min(cdi_f4 a, cdi_f4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
    return a;
}
CDI_INLINE cdi_f4 cdi_f4_max(cdi_f4 a, cdi_f4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
    return a;
}
CDI_INLINE uint32_t cdi_f4_le(cdi_f4 a, cdi_f4 b) {
    uint32_t mask = 0;
    for (int i = 0; i < 4; ++i) mask |= (uint32_t)(a.v[i] <= b.v[i]) << i;
    return mask;
}
CDI_INLINE cdi_f4 cdi_f4_round(cdi_d4 a) {
    cdi_f4 r;
    for (int i = 0; i < 4; ++i) r.v[i] = (float)a.v[i];
    return r;
}
CDI_INLINE uint32_t cdi_f4_less(cdi_f4 a, cdi_f4 b) {
    uint32_t mask = 0;
    for (int i = 0; i < 4; ++i) mask |= (uint32_t)(a.v[i] < b.v[i]) << i;
    return mask;
}
CDI_INLINE void cdi_f4_to_ints(int32_t *p, cdi_f4 a) {
    for (int i = 0; i < 4; ++i) p[i] = (int32_t)a.v[i];
}
CDI_INLINE cdi_f4 cdi_f4_from_ints(const int32_t *p) {
    cdi_f4 r;
    for (int i = 0; i < 4; ++i) r.v[i] = (float)p[i];
    return r;
}
CDI_INLINE void cdi_f4_turn(cdi_f4 v[4]) {
    cdi_f4 from[4];
    for (int i = 0; i < 4; ++i) from[i] = v[i];
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) v[i].v[k] = from[k].v[i];
    }
}

#endif

/* ... and what four doubles lack of these. */

CDI_INLINE uint32_t cdi_d4_less(cdi_d4 a, cdi_d4 b) {
#if defined(CDI_AVX)
    return (uint32_t)_mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ));
#elif defined(CDI_SSE2)
    return (uint32_t)(_mm_movemask_pd(_mm_cmplt_pd(a.l, b.l)) | _mm_movemask_pd(_mm_cmplt_pd(a.h, b.h)) << 2);
#else
    double p[4], q[4];
    uint32_t mask = 0;
    cdi_d4_store(p, a);
    cdi_d4_store(q, b);
    for (int i = 0; i < 4; ++i) mask |= (uint32_t)(p[i] < q[i]) << i;
    return mask;
#endif
}
CDI_INLINE void cdi_d4_to_ints(int32_t *p, cdi_d4 a) {
#if defined(CDI_AVX)
    _mm_storeu_si128((__m128i *)(void *)p, _mm256_cvttpd_epi32(a));
#else
    double v[4];
    cdi_d4_store(v, a);
    for (int i = 0; i < 4; ++i) p[i] = (int32_t)v[i];
#endif
}
CDI_INLINE cdi_d4 cdi_d4_from_ints(const int32_t *p) {
    double v[4];
    for (int i = 0; i < 4; ++i) v[i] = (double)p[i];
    return cdi_d4_load(v);
}
CDI_INLINE cdi_d4 cdi_d4_round(cdi_d4 a) {
    return a;
}
CDI_INLINE void cdi_d4_turn(cdi_d4 v[4]) {
    double row[16];
    for (int i = 0; i < 4; ++i) cdi_d4_store(row + 4 * i, v[i]);
    cdi_d4_columns(row, 4, v);
}

#if defined(CDI_AVX)
CDI_INLINE cdi_f4 cdi_f4_pick(cdi_f4 s, cdi_f4 a, cdi_f4 b) {
    return _mm_blendv_ps(b, a, _mm_cmpgt_ps(s, _mm_setzero_ps()));
}
#elif defined(CDI_NEON)
CDI_INLINE cdi_f4 cdi_f4_pick(cdi_f4 s, cdi_f4 a, cdi_f4 b) {
    return vbslq_f32(vcgtq_f32(s, vdupq_n_f32(0.0f)), a, b);
}
#elif defined(CDI_WASM)
CDI_INLINE cdi_f4 cdi_f4_pick(cdi_f4 s, cdi_f4 a, cdi_f4 b) {
    return wasm_v128_bitselect(a, b, wasm_f32x4_gt(s, wasm_f32x4_splat(0.0f)));
}
#elif !defined(CDI_SSE2)
CDI_INLINE cdi_f4 cdi_f4_pick(cdi_f4 s, cdi_f4 a, cdi_f4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] = s.v[i] > 0.0f ? a.v[i] : b.v[i];
    return a;
}
#endif

/* Three numbers that lie anywhere, and 0. */
#if defined(CDI_AVX) || defined(CDI_SSE2)
CDI_INLINE cdi_f4 cdi_f4_point(const unsigned char *p) {
    float z;
    cdi_copy(&z, p + 8, sizeof z);
    return _mm_movelh_ps(_mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)p)), _mm_set_ss(z));
}
#else
CDI_INLINE cdi_f4 cdi_f4_point(const unsigned char *p) {
    float v[4];
    cdi_copy(v, p, 3 * sizeof *v);
    v[3] = 0;
    return cdi_f4_load(v);
}
#endif
CDI_INLINE cdi_d4 cdi_d4_point(const unsigned char *p) {
    double v[4];
    cdi_copy(v, p, 3 * sizeof *v);
    v[3] = 0;
    return cdi_d4_load(v);
}

/* ---- three numbers as four lanes ---- */

#if defined(CDI_AVX)
CDI_INLINE cdi_d4 cdi_d4_make(double a, double b, double c, double d) {
    return _mm256_set_pd(d, c, b, a);
}
#elif defined(CDI_SSE2)
CDI_INLINE cdi_d4 cdi_d4_make(double a, double b, double c, double d) {
    return cdi_d4_of(_mm_set_pd(b, a), _mm_set_pd(d, c));
}
#else
CDI_INLINE cdi_d4 cdi_d4_make(double a, double b, double c, double d) {
    double v[4];
    v[0] = a, v[1] = b, v[2] = c, v[3] = d;
    return cdi_d4_load(v);
}
#endif

/* p[0], p[stride], p[2 stride] and `last`. */
#if defined(CDI_AVX) && !defined(COLLIDE_DOUBLE)
CDI_INLINE cdi_d4 cdi_d4_three(const float *p, size_t stride, float last) {
    return _mm256_cvtps_pd(_mm_set_ps(last, p[2 * stride], p[stride], p[0]));
}
#elif defined(CDI_AVX)
CDI_INLINE cdi_d4 cdi_d4_three(const double *p, size_t stride, double last) {
    return _mm256_set_pd(last, p[2 * stride], p[stride], p[0]);
}
#elif defined(CDI_SSE2)
CDI_INLINE cdi_d4 cdi_d4_three(const cd_real *p, size_t stride, cd_real last) {
    return cdi_d4_of(_mm_set_pd((double)p[stride], (double)p[0]),
                     _mm_set_pd((double)last, (double)p[2 * stride]));
}
#else
CDI_INLINE cdi_d4 cdi_d4_three(const cd_real *p, size_t stride, cd_real last) {
    return cdi_d4_make((double)p[0], (double)p[stride], (double)p[2 * stride], (double)last);
}
#endif

/* Lanes 1, 2, 0; the fourth is any. */
#if defined(CDI_AVX2)
CDI_INLINE cdi_d4 cdi_d4_turned(cdi_d4 a) {
    return _mm256_permute4x64_pd(a, _MM_SHUFFLE(3, 0, 2, 1));
}
#elif defined(CDI_AVX)
CDI_INLINE cdi_d4 cdi_d4_turned(cdi_d4 a) {
    __m256d swapped = _mm256_permute2f128_pd(a, a, 1);
    return _mm256_blend_pd(_mm256_shuffle_pd(a, swapped, 1), swapped, 12);
}
#elif defined(CDI_SSE2)
CDI_INLINE cdi_d4 cdi_d4_turned(cdi_d4 a) {
    return cdi_d4_of(_mm_shuffle_pd(a.l, a.h, 1), a.l);
}
#elif defined(CDI_NEON)
CDI_INLINE cdi_d4 cdi_d4_turned(cdi_d4 a) {
    return cdi_d4_of(vextq_f64(a.l, a.h, 1), a.l);
}
#elif defined(CDI_WASM)
CDI_INLINE cdi_d4 cdi_d4_turned(cdi_d4 a) {
    return cdi_d4_of(wasm_i64x2_shuffle(a.l, a.h, 1, 2), a.l);
}
#else
CDI_INLINE cdi_d4 cdi_d4_turned(cdi_d4 a) {
    cdi_d4 r = a;
    r.v[0] = a.v[1];
    r.v[1] = a.v[2];
    r.v[2] = a.v[0];
    return r;
}
#endif

/* Rounded to floats. */
#if defined(CDI_AVX)
CDI_INLINE void cdi_d4_store_floats(float p[4], cdi_d4 a) {
    _mm_storeu_ps(p, _mm256_cvtpd_ps(a));
}
#elif defined(CDI_SSE2)
CDI_INLINE void cdi_d4_store_floats(float p[4], cdi_d4 a) {
    _mm_storeu_ps(p, _mm_movelh_ps(_mm_cvtpd_ps(a.l), _mm_cvtpd_ps(a.h)));
}
#else
CDI_INLINE void cdi_d4_store_floats(float p[4], cdi_d4 a) {
    double v[4];
    cdi_d4_store(v, a);
    for (int i = 0; i < 4; ++i) p[i] = (float)v[i];
}
#endif

/* Three points, x y z x y z x y z; the fourth lanes are any of these numbers. */
#if defined(CDI_AVX) && !defined(COLLIDE_DOUBLE)
CDI_INLINE void cdi_d4_corners(const float *p, cdi_d4 out[3]) {
    __m128 last = _mm_loadu_ps(p + 5);
    out[0] = _mm256_cvtps_pd(_mm_loadu_ps(p));
    out[1] = _mm256_cvtps_pd(_mm_loadu_ps(p + 3));
    out[2] = _mm256_cvtps_pd(_mm_shuffle_ps(last, last, _MM_SHUFFLE(3, 3, 2, 1)));
}
#else
CDI_INLINE void cdi_d4_corners(const cd_real *p, cdi_d4 out[3]) {
    for (int i = 0; i < 3; ++i) out[i] = cdi_d4_three(p + 3 * i, 1, 0);
}
#endif

/* Lanes 0, 1 and 2 of a, and of b, made one: their sums, in this order, or their minima. */
#if defined(CDI_AVX)
CDI_INLINE void cdi_d4_sums(cdi_d4 a, cdi_d4 b, double out[2]) {
    __m256d even = _mm256_unpacklo_pd(a, b), odd = _mm256_unpackhi_pd(a, b);
    __m128d two = _mm_add_pd(_mm256_castpd256_pd128(even), _mm256_castpd256_pd128(odd));
    _mm_storeu_pd(out, _mm_add_pd(two, _mm256_extractf128_pd(even, 1)));
}
CDI_INLINE void cdi_d4_minima(cdi_d4 a, cdi_d4 b, double out[2]) {
    __m256d even = _mm256_unpacklo_pd(a, b), odd = _mm256_unpackhi_pd(a, b);
    __m128d two = _mm_min_pd(_mm256_castpd256_pd128(even), _mm256_castpd256_pd128(odd));
    _mm_storeu_pd(out, _mm_min_pd(two, _mm256_extractf128_pd(even, 1)));
}
#elif defined(CDI_SSE2)
CDI_INLINE void cdi_d4_sums(cdi_d4 a, cdi_d4 b, double out[2]) {
    __m128d two = _mm_add_pd(_mm_unpacklo_pd(a.l, b.l), _mm_unpackhi_pd(a.l, b.l));
    _mm_storeu_pd(out, _mm_add_pd(two, _mm_unpacklo_pd(a.h, b.h)));
}
CDI_INLINE void cdi_d4_minima(cdi_d4 a, cdi_d4 b, double out[2]) {
    __m128d two = _mm_min_pd(_mm_unpacklo_pd(a.l, b.l), _mm_unpackhi_pd(a.l, b.l));
    _mm_storeu_pd(out, _mm_min_pd(two, _mm_unpacklo_pd(a.h, b.h)));
}
#else
CDI_INLINE void cdi_d4_sums(cdi_d4 a, cdi_d4 b, double out[2]) {
    double v[4], w[4];
    cdi_d4_store(v, a);
    cdi_d4_store(w, b);
    out[0] = v[0] + v[1] + v[2];
    out[1] = w[0] + w[1] + w[2];
}
CDI_INLINE void cdi_d4_minima(cdi_d4 a, cdi_d4 b, double out[2]) {
    double v[4], w[4];
    cdi_d4_store(v, a);
    cdi_d4_store(w, b);
    for (int i = 1; i < 3; ++i) {
        if (v[i] < v[0]) v[0] = v[i];
        if (w[i] < w[0]) w[0] = w[i];
    }
    out[0] = v[0];
    out[1] = w[0];
}
#endif
