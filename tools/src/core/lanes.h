#pragma once
/* lanes (internal): a register of the interface's numbers: eight floats, or four doubles in a double build; and things in
 * a row turned to such registers.
 *
 * For filters that say what is sure and leave the rest to the call for one: CDI_LANE_U is half a unit in the last place
 * of 1, CDI_LANE_TINY is above what underflow takes from any product of numbers of the domain, and below CDI_LANE_HUGE
 * nothing overflows. */

#include "core/simd.h"

#ifdef COLLIDE_DOUBLE
enum { CDI_LANES = 4 };
typedef cdi_d4 cdi_lanes;
#define CDI_LANES_AS(operation) cdi_d4_##operation
#define CDI_LANE_U              1.1102230246251565e-16
#define CDI_LANE_TINY           1e-290
#define CDI_LANE_HUGE           1e280
#else
enum { CDI_LANES = 8 };
typedef cdi_f8 cdi_lanes;
#define CDI_LANES_AS(operation) cdi_f8_##operation
#define CDI_LANE_U              5.9604644775390625e-8f
#define CDI_LANE_TINY           1e-37f
#define CDI_LANE_HUGE           1e30f
#endif

CDI_INLINE cdi_lanes cdi_lanes_load(const cd_real *p) {
    return CDI_LANES_AS(load)(p);
}
CDI_INLINE void cdi_lanes_store(cd_real *p, cdi_lanes a) {
    CDI_LANES_AS(store)(p, a);
}
CDI_INLINE cdi_lanes cdi_lanes_all(cd_real x) {
    return CDI_LANES_AS(all)(x);
}
CDI_INLINE cdi_lanes cdi_lanes_add(cdi_lanes a, cdi_lanes b) {
    return CDI_LANES_AS(add)(a, b);
}
CDI_INLINE cdi_lanes cdi_lanes_sub(cdi_lanes a, cdi_lanes b) {
    return CDI_LANES_AS(sub)(a, b);
}
CDI_INLINE cdi_lanes cdi_lanes_mul(cdi_lanes a, cdi_lanes b) {
    return CDI_LANES_AS(mul)(a, b);
}
CDI_INLINE cdi_lanes cdi_lanes_div(cdi_lanes a, cdi_lanes b) {
    return CDI_LANES_AS(div)(a, b);
}
CDI_INLINE cdi_lanes cdi_lanes_abs(cdi_lanes a) {
    return CDI_LANES_AS(abs)(a);
}
/* The second where either is NaN. */
CDI_INLINE cdi_lanes cdi_lanes_min(cdi_lanes a, cdi_lanes b) {
    return CDI_LANES_AS(min)(a, b);
}
CDI_INLINE cdi_lanes cdi_lanes_max(cdi_lanes a, cdi_lanes b) {
    return CDI_LANES_AS(max)(a, b);
}
/* Bit i set where a <= b in lane i. */
CDI_INLINE uint32_t cdi_lanes_le(cdi_lanes a, cdi_lanes b) {
    return CDI_LANES_AS(le)(a, b);
}

/* Four columns of as many rows as there are lanes, `stride` numbers apart. */
CDI_INLINE void cdi_lanes_columns(const cd_real *p, size_t stride, cdi_lanes out[4]) {
    CDI_LANES_AS(columns)(p, stride, out);
}

#undef CDI_LANES_AS

/* x y - z w, and the dot product of three. */
CDI_INLINE cdi_lanes cdi_lanes_cross(cdi_lanes x, cdi_lanes y, cdi_lanes z, cdi_lanes w) {
    return cdi_lanes_sub(cdi_lanes_mul(x, y), cdi_lanes_mul(z, w));
}
CDI_INLINE cdi_lanes cdi_lanes_dot(const cdi_lanes a[3], const cdi_lanes b[3]) {
    return cdi_lanes_add(cdi_lanes_add(cdi_lanes_mul(a[0], b[0]), cdi_lanes_mul(a[1], b[1])),
                         cdi_lanes_mul(a[2], b[2]));
}
/* The largest magnitude of three. */
CDI_INLINE cdi_lanes cdi_lanes_size(cdi_lanes x, cdi_lanes y, cdi_lanes z) {
    return cdi_lanes_max(cdi_lanes_max(cdi_lanes_abs(x), cdi_lanes_abs(y)), cdi_lanes_abs(z));
}

/* Eight things of `width` >= 4 numbers each to rows of eight: row k holds number k of each. */
CDI_INLINE void cdi_turn8(const cd_real *p, size_t width, cd_real *rows) {
    for (size_t lane = 0; lane < 8; lane += CDI_LANES, p += CDI_LANES * width) {
        for (size_t k = 0;; k = k + 8 <= width ? k + 4 : width - 4) {
            cdi_lanes column[4];
            cd_real *row = rows + 8 * k + lane;
            cdi_lanes_columns(p + k, width, column);
            cdi_lanes_store(row, column[0]);
            cdi_lanes_store(row + 8, column[1]);
            cdi_lanes_store(row + 16, column[2]);
            cdi_lanes_store(row + 24, column[3]);
            if (k + 4 == width) break;
        }
    }
}

/* The same for up to eight, of any width; `filler` where there are fewer. */
CDI_INLINE void cdi_to_rows(const cd_real *p, size_t width, size_t count, cd_real filler, cd_real *rows) {
    if (count == 8 && width >= 4) {
        cdi_turn8(p, width, rows);
        return;
    }
    for (size_t i = 0; i < 8; ++i) {
        for (size_t k = 0; k < width; ++k) rows[8 * k + i] = i < count ? p[width * i + k] : filler;
    }
}

/* ---- four of the interface's numbers ---- */

#if defined(COLLIDE_DOUBLE)

typedef cdi_d4 cdi_r4;

CDI_INLINE cdi_r4 cdi_r4_load(const double *p) {
    return cdi_d4_load(p);
}
/* Three numbers, and a 0. */
CDI_INLINE cdi_r4 cdi_r4_load3(const double *p) {
#if defined(CDI_AVX)
    return _mm256_set_pd(0.0, p[2], p[1], p[0]);
#elif defined(CDI_SSE2)
    return cdi_d4_of(_mm_loadu_pd(p), _mm_load_sd(p + 2));
#else
    double v[4];
    v[0] = p[0], v[1] = p[1], v[2] = p[2], v[3] = 0.0;
    return cdi_d4_load(v);
#endif
}
CDI_INLINE void cdi_r4_store(double *p, cdi_r4 a) {
    cdi_d4_store(p, a);
}
/* Four columns of four rows. */
CDI_INLINE void cdi_r4_columns(const double *p, size_t stride, cdi_r4 out[4]) {
    cdi_d4_columns(p, stride, out);
}
CDI_INLINE cdi_r4 cdi_r4_all(double x) {
    return cdi_d4_all(x);
}
CDI_INLINE cdi_r4 cdi_r4_sub(cdi_r4 a, cdi_r4 b) {
    return cdi_d4_sub(a, b);
}
CDI_INLINE cdi_r4 cdi_r4_min(cdi_r4 a, cdi_r4 b) {
    return cdi_d4_min(a, b);
}
CDI_INLINE cdi_r4 cdi_r4_max(cdi_r4 a, cdi_r4 b) {
    return cdi_d4_max(a, b);
}
CDI_INLINE uint32_t cdi_r4_le(cdi_r4 a, cdi_r4 b) {
    return cdi_d4_le(a, b);
}
/* Rounded to the interface's numbers. */
CDI_INLINE cdi_r4 cdi_r4_round(cdi_d4 a) {
    return a;
}

#elif defined(CDI_AVX) || defined(CDI_SSE2)

typedef __m128 cdi_r4;

CDI_INLINE cdi_r4 cdi_r4_load(const float *p) {
    return _mm_loadu_ps(p);
}
CDI_INLINE cdi_r4 cdi_r4_load3(const float *p) {
    __m128 xy = _mm_loadl_pi(_mm_setzero_ps(), (const __m64 *)(const void *)p);
    return _mm_movelh_ps(xy, _mm_load_ss(p + 2));
}
CDI_INLINE void cdi_r4_store(float *p, cdi_r4 a) {
    _mm_storeu_ps(p, a);
}
CDI_INLINE void cdi_r4_columns(const float *p, size_t stride, cdi_r4 out[4]) {
    for (size_t i = 0; i < 4; ++i) out[i] = _mm_loadu_ps(p + i * stride);
    _MM_TRANSPOSE4_PS(out[0], out[1], out[2], out[3]);
}
CDI_INLINE cdi_r4 cdi_r4_all(float x) {
    return _mm_set1_ps(x);
}
CDI_INLINE cdi_r4 cdi_r4_sub(cdi_r4 a, cdi_r4 b) {
    return _mm_sub_ps(a, b);
}
CDI_INLINE cdi_r4 cdi_r4_min(cdi_r4 a, cdi_r4 b) {
    return _mm_min_ps(a, b);
}
CDI_INLINE cdi_r4 cdi_r4_max(cdi_r4 a, cdi_r4 b) {
    return _mm_max_ps(a, b);
}
CDI_INLINE uint32_t cdi_r4_le(cdi_r4 a, cdi_r4 b) {
    return (uint32_t)_mm_movemask_ps(_mm_cmple_ps(a, b));
}
CDI_INLINE cdi_r4 cdi_r4_round(cdi_d4 a) {
#if defined(CDI_AVX)
    return _mm256_cvtpd_ps(a);
#else
    return _mm_movelh_ps(_mm_cvtpd_ps(a.l), _mm_cvtpd_ps(a.h));
#endif
}

#elif defined(CDI_NEON)

typedef float32x4_t cdi_r4;

CDI_INLINE cdi_r4 cdi_r4_load(const float *p) {
    return vld1q_f32(p);
}
CDI_INLINE cdi_r4 cdi_r4_load3(const float *p) {
    return vcombine_f32(vld1_f32(p), vset_lane_f32(p[2], vdup_n_f32(0.0f), 0));
}
CDI_INLINE void cdi_r4_store(float *p, cdi_r4 a) {
    vst1q_f32(p, a);
}
CDI_INLINE void cdi_r4_columns(const float *p, size_t stride, cdi_r4 out[4]) {
    for (size_t i = 0; i < 4; ++i) {
        float v[4];
        for (size_t k = 0; k < 4; ++k) v[k] = p[k * stride + i];
        out[i] = vld1q_f32(v);
    }
}
CDI_INLINE cdi_r4 cdi_r4_all(float x) {
    return vdupq_n_f32(x);
}
CDI_INLINE cdi_r4 cdi_r4_sub(cdi_r4 a, cdi_r4 b) {
    return vsubq_f32(a, b);
}
CDI_INLINE cdi_r4 cdi_r4_min(cdi_r4 a, cdi_r4 b) {
    return vbslq_f32(vcltq_f32(a, b), a, b);
}
CDI_INLINE cdi_r4 cdi_r4_max(cdi_r4 a, cdi_r4 b) {
    return vbslq_f32(vcgtq_f32(a, b), a, b);
}
CDI_INLINE uint32_t cdi_r4_le(cdi_r4 a, cdi_r4 b) {
    static const uint32_t bit[4] = {1, 2, 4, 8};
    return vaddvq_u32(vandq_u32(vcleq_f32(a, b), vld1q_u32(bit)));
}
CDI_INLINE cdi_r4 cdi_r4_round(cdi_d4 a) {
    return vcombine_f32(vcvt_f32_f64(a.l), vcvt_f32_f64(a.h));
}

#else

typedef struct cdi_r4 {
    float v[4];
} cdi_r4;

CDI_INLINE cdi_r4 cdi_r4_load(const float *p) {
    cdi_r4 r;
    for (int i = 0; i < 4; ++i) r.v[i] = p[i];
    return r;
}
CDI_INLINE cdi_r4 cdi_r4_load3(const float *p) {
    cdi_r4 r;
    for (int i = 0; i < 4; ++i) r.v[i] = i < 3 ? p[i] : 0.0f;
    return r;
}
CDI_INLINE void cdi_r4_store(float *p, cdi_r4 a) {
    for (int i = 0; i < 4; ++i) p[i] = a.v[i];
}
CDI_INLINE void cdi_r4_columns(const float *p, size_t stride, cdi_r4 out[4]) {
    for (size_t i = 0; i < 4; ++i) {
        for (size_t k = 0; k < 4; ++k) out[i].v[k] = p[k * stride + i];
    }
}
CDI_INLINE cdi_r4 cdi_r4_all(float x) {
    cdi_r4 r;
    for (int i = 0; i < 4; ++i) r.v[i] = x;
    return r;
}
CDI_INLINE cdi_r4 cdi_r4_sub(cdi_r4 a, cdi_r4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] -= b.v[i];
    return a;
}
CDI_INLINE cdi_r4 cdi_r4_min(cdi_r4 a, cdi_r4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] = a.v[i] < b.v[i] ? a.v[i] : b.v[i];
    return a;
}
CDI_INLINE cdi_r4 cdi_r4_max(cdi_r4 a, cdi_r4 b) {
    for (int i = 0; i < 4; ++i) a.v[i] = a.v[i] > b.v[i] ? a.v[i] : b.v[i];
    return a;
}
CDI_INLINE uint32_t cdi_r4_le(cdi_r4 a, cdi_r4 b) {
    uint32_t mask = 0;
    for (int i = 0; i < 4; ++i) mask |= (uint32_t)(a.v[i] <= b.v[i]) << i;
    return mask;
}
CDI_INLINE cdi_r4 cdi_r4_round(cdi_d4 a) {
    cdi_r4 r;
    for (int i = 0; i < 4; ++i) r.v[i] = (float)a.v[i];
    return r;
}

#endif
