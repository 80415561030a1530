#pragma once
/* vec3d (internal): vectors of three doubles, what routines compute with in both builds. */

#include "core/scalar.h"
#include "core/vec.h"

typedef struct cdi_v3 {
    double x, y, z;
} cdi_v3;

CDI_INLINE cdi_v3 cdi_v3_make(double x, double y, double z) {
    cdi_v3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}
CDI_INLINE cdi_v3 cdi_v3_of(cd_vec3 v) {
    return cdi_v3_make((double)v.x, (double)v.y, (double)v.z);
}
/* The top bit is set when a component is NaN or infinite: many vectors' may be told by one test of all together. */
CDI_INLINE cdi_real_bits cdi_excess_of(cd_real x) {
#ifdef COLLIDE_DOUBLE
    return (cdi_bits_of_real(x) & 0x7FF0000000000000u) + 0x0010000000000000u;
#else
    return (cdi_bits_of_real(x) & 0x7F800000u) + 0x00800000u;
#endif
}
CDI_INLINE cdi_real_bits cdi_excess(cd_vec3 v) {
    return cdi_excess_of(v.x) | cdi_excess_of(v.y) | cdi_excess_of(v.z);
}
CDI_INLINE bool cdi_no_excess(cdi_real_bits excess) {
    return excess >> (sizeof excess * 8 - 1) == 0;
}
/* Rounds once to the number type of the interface. */
CDI_INLINE cd_vec3 cdi_v3_round(cdi_v3 v) {
    return cd_vec3_make(cdi_nearest_real(v.x), cdi_nearest_real(v.y), cdi_nearest_real(v.z));
}
CDI_INLINE cdi_v3 cdi_v3_add(cdi_v3 a, cdi_v3 b) {
    return cdi_v3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}
CDI_INLINE cdi_v3 cdi_v3_sub(cdi_v3 a, cdi_v3 b) {
    return cdi_v3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}
CDI_INLINE cdi_v3 cdi_v3_neg(cdi_v3 a) {
    return cdi_v3_make(0.0 - a.x, 0.0 - a.y, 0.0 - a.z); /* no negative zeros */
}
CDI_INLINE cdi_v3 cdi_v3_scale(cdi_v3 a, double s) {
    return cdi_v3_make(a.x * s, a.y * s, a.z * s);
}
/* a + s b */
CDI_INLINE cdi_v3 cdi_v3_along(cdi_v3 a, cdi_v3 b, double s) {
    return cdi_v3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
CDI_INLINE double cdi_v3_dot(cdi_v3 a, cdi_v3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
CDI_INLINE cdi_v3 cdi_v3_cross(cdi_v3 a, cdi_v3 b) {
    return cdi_v3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
CDI_INLINE double cdi_v3_sqlength(cdi_v3 a) {
    return cdi_v3_dot(a, a);
}
CDI_INLINE double cdi_v3_max_abs(cdi_v3 a) {
    return cdi_max(cdi_max(cdi_abs(a.x), cdi_abs(a.y)), cdi_abs(a.z));
}
CDI_INLINE bool cdi_v3_is_zero(cdi_v3 a) {
    return a.x == 0.0 && a.y == 0.0 && a.z == 0.0;
}
CDI_INLINE bool cdi_v3_finite(cdi_v3 a) {
    return cdi_finite3(a.x, a.y, a.z);
}
/* Is it finite when rounded, too? */
CDI_INLINE bool cdi_v3_fits(cdi_v3 a) {
    double most = (double)CD_REAL_MAX;
    return cdi_abs(a.x) <= most && cdi_abs(a.y) <= most && cdi_abs(a.z) <= most;
}
CDI_INLINE double cdi_v3_get(cdi_v3 a, int axis) {
    return axis == 0 ? a.x : axis == 1 ? a.y : a.z;
}
CDI_INLINE void cdi_v3_store(double out[3], cdi_v3 a) {
    out[0] = a.x;
    out[1] = a.y;
    out[2] = a.z;
}

/* Length and unit vector for any finite input; zero has length 0 and no direction (zero). */
CDI_FN double cdi_v3_length(cdi_v3 a);
CDI_FN cdi_v3 cdi_v3_normalize(cdi_v3 a);

/* The same where they are asked often: no call for numbers whose squares need no scaling. */
CDI_HOT bool cdi_v3_squares(cdi_v3 a, double square) {
    return cdi_v3_max_abs(a) > 1e-140 && square < 1e300;
}
CDI_HOT double cdi_v3_norm(cdi_v3 a) {
    double square = cdi_v3_sqlength(a);
    return cdi_v3_squares(a, square) ? cdi_sqrt(square) : cdi_v3_length(a);
}
CDI_HOT cdi_v3 cdi_v3_unit(cdi_v3 a) {
    double square = cdi_v3_sqlength(a), length;
    if (!cdi_v3_squares(a, square)) return cdi_v3_normalize(a);
    length = cdi_sqrt(square);
    return cdi_v3_make(a.x / length, a.y / length, a.z / length);
}

/* v * 2^e. */
CDI_INLINE cdi_v3 cdi_v3_scale2(cdi_v3 v, int e) {
    return e == 0 ? v : cdi_v3_make(cdi_scale2(v.x, e), cdi_scale2(v.y, e), cdi_scale2(v.z, e));
}

/* No answer: all NaN. */
CDI_INLINE cd_vec3 cdi_no_point(void) {
    cd_real nan = (cd_real)cdi_nan();
    return cd_vec3_make(nan, nan, nan);
}

/* A unit vector across a unit vector. */
CDI_FN cdi_v3 cdi_across(cdi_v3 u);
