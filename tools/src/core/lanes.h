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
typedef cdi_d4 cdi_quad;
#define CDI_LANES_AS(operation) cdi_d4_##operation
#define CDI_QUAD_AS(operation)  cdi_d4_##operation
#define CDI_LANE_U              1.1102230246251565e-16
#define CDI_LANE_TINY           1e-290
#define CDI_LANE_HUGE           1e280
#else
enum { CDI_LANES = 8 };
typedef cdi_f8 cdi_lanes;
typedef cdi_f4 cdi_quad;
#define CDI_LANES_AS(operation) cdi_f8_##operation
#define CDI_QUAD_AS(operation)  cdi_f4_##operation
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

CDI_INLINE cdi_quad cdi_quad_load(const cd_real *p) {
    return CDI_QUAD_AS(load)(p);
}
CDI_INLINE void cdi_quad_store(cd_real *p, cdi_quad a) {
    CDI_QUAD_AS(store)(p, a);
}
CDI_INLINE cdi_quad cdi_quad_all(cd_real x) {
    return CDI_QUAD_AS(all)(x);
}
CDI_INLINE cdi_quad cdi_quad_add(cdi_quad a, cdi_quad b) {
    return CDI_QUAD_AS(add)(a, b);
}
CDI_INLINE cdi_quad cdi_quad_sub(cdi_quad a, cdi_quad b) {
    return CDI_QUAD_AS(sub)(a, b);
}
CDI_INLINE cdi_quad cdi_quad_mul(cdi_quad a, cdi_quad b) {
    return CDI_QUAD_AS(mul)(a, b);
}
/* The second where either is NaN. */
CDI_INLINE cdi_quad cdi_quad_min(cdi_quad a, cdi_quad b) {
    return CDI_QUAD_AS(min)(a, b);
}
CDI_INLINE cdi_quad cdi_quad_max(cdi_quad a, cdi_quad b) {
    return CDI_QUAD_AS(max)(a, b);
}
/* Bit i set where a <= b in lane i, or a < b. */
CDI_INLINE uint32_t cdi_quad_le(cdi_quad a, cdi_quad b) {
    return CDI_QUAD_AS(le)(a, b);
}
CDI_INLINE uint32_t cdi_quad_less(cdi_quad a, cdi_quad b) {
    return CDI_QUAD_AS(less)(a, b);
}
/* a where s > 0, else b. */
CDI_INLINE cdi_quad cdi_quad_pick(cdi_quad s, cdi_quad a, cdi_quad b) {
    return CDI_QUAD_AS(pick)(s, a, b);
}
CDI_INLINE void cdi_quad_to_ints(int32_t *p, cdi_quad a) {
    CDI_QUAD_AS(to_ints)(p, a);
}
CDI_INLINE cdi_quad cdi_quad_from_ints(const int32_t *p) {
    return CDI_QUAD_AS(from_ints)(p);
}
/* Three numbers that lie anywhere, and 0. */
CDI_INLINE cdi_quad cdi_quad_point(const unsigned char *p) {
    return CDI_QUAD_AS(point)(p);
}
/* Rounded to the interface's numbers. */
CDI_INLINE cdi_quad cdi_quad_round(cdi_d4 a) {
    return CDI_QUAD_AS(round)(a);
}
/* Rows to columns; of four rows in memory, `stride` numbers apart. */
CDI_INLINE void cdi_quad_turn(cdi_quad v[4]) {
    CDI_QUAD_AS(turn)(v);
}
CDI_INLINE void cdi_quad_columns(const cd_real *p, size_t stride, cdi_quad out[4]) {
    for (size_t i = 0; i < 4; ++i) out[i] = cdi_quad_load(p + i * stride);
    cdi_quad_turn(out);
}

#undef CDI_QUAD_AS
