#include "core/vec.h"
#include "core/vec3d.h"

/* ---- lengths that neither overflow nor underflow: scaled by a power of two where the squares would ---- */

/* The exponent to bring |m| near 1, or 0 where squares are safe anyway. */
static int cdi_length_shift(double m) {
    int e = cdi_exponent(m);
    return e > 500 || e < -480 ? -e : 0;
}

CDI_FN double cdi_v3_length(cdi_v3 a) {
    double m = cdi_v3_max_abs(a);
    int shift;
    if (cdi_v3_is_zero(a)) return 0.0;
    shift = cdi_length_shift(m);
    if (shift == 0) return cdi_sqrt(cdi_v3_sqlength(a));
    a = cdi_v3_make(cdi_scale2(a.x, shift), cdi_scale2(a.y, shift), cdi_scale2(a.z, shift));
    return cdi_scale2(cdi_sqrt(cdi_v3_sqlength(a)), -shift);
}

CDI_FN cdi_v3 cdi_v3_normalize(cdi_v3 a) {
    double m = cdi_v3_max_abs(a), length;
    int shift = cdi_length_shift(m);
    if (cdi_v3_is_zero(a) || !cdi_v3_finite(a)) return cdi_v3_make(0.0, 0.0, 0.0);
    if (shift) a = cdi_v3_make(cdi_scale2(a.x, shift), cdi_scale2(a.y, shift), cdi_scale2(a.z, shift));
    length = cdi_sqrt(cdi_v3_sqlength(a));
    return cdi_v3_make(a.x / length, a.y / length, a.z / length);
}

CDI_FN cdi_v3 cdi_across(cdi_v3 u) {
    double x = cdi_abs(u.x), y = cdi_abs(u.y), z = cdi_abs(u.z);
    if (x <= y && x <= z) return cdi_v3_normalize(cdi_v3_make(0.0, -u.z, u.y));
    if (y <= z) return cdi_v3_normalize(cdi_v3_make(u.z, 0.0, -u.x));
    return cdi_v3_normalize(cdi_v3_make(-u.y, u.x, 0.0));
}

/* ---- the public operations ---- */

CD_API cd_vec2 cd_vec2_neg(cd_vec2 v) {
    return cd_vec2_make(-v.x, -v.y);
}

CD_API cd_vec2 cd_vec2_perp(cd_vec2 v) {
    return cd_vec2_make(-v.y, v.x);
}

CD_API cd_vec2 cd_vec2_lerp(cd_vec2 a, cd_vec2 b, cd_real t) {
    double x = (double)a.x + (double)t * ((double)b.x - (double)a.x);
    double y = (double)a.y + (double)t * ((double)b.y - (double)a.y);
    if (t == 1) return b; /* a + (b - a) need not be b */
    return cd_vec2_make((cd_real)x, (cd_real)y);
}

CD_API cd_real cd_vec2_dot(cd_vec2 a, cd_vec2 b) {
    return (cd_real)((double)a.x * (double)b.x + (double)a.y * (double)b.y);
}

CD_API cd_real cd_vec2_cross(cd_vec2 a, cd_vec2 b) {
    return (cd_real)((double)a.x * (double)b.y - (double)a.y * (double)b.x);
}

CD_API cd_real cd_vec2_sqlength(cd_vec2 v) {
    return cd_vec2_dot(v, v);
}

CD_API cd_real cd_vec2_length(cd_vec2 v) {
    return (cd_real)cdi_v3_length(cdi_v3_make((double)v.x, (double)v.y, 0.0));
}

CD_API cd_real cd_vec2_dist(cd_vec2 a, cd_vec2 b) {
    return (cd_real)cdi_v3_length(cdi_v3_make((double)a.x - (double)b.x, (double)a.y - (double)b.y, 0.0));
}

CD_API cd_vec2 cd_vec2_normalize(cd_vec2 v) {
    cdi_v3 n = cdi_v3_normalize(cdi_v3_make((double)v.x, (double)v.y, 0.0));
    return cd_vec2_make((cd_real)n.x, (cd_real)n.y);
}

CD_API bool cd_vec2_is_valid(cd_vec2 v) {
    return cdi_finite((double)v.x) && cdi_finite((double)v.y);
}

CD_API cd_real cd_vec3_dot(cd_vec3 a, cd_vec3 b) {
    return (cd_real)cdi_v3_dot(cdi_v3_of(a), cdi_v3_of(b));
}

CD_API cd_vec3 cd_vec3_cross(cd_vec3 a, cd_vec3 b) {
    return cdi_v3_round(cdi_v3_cross(cdi_v3_of(a), cdi_v3_of(b)));
}

CD_API cd_real cd_triple(cd_vec3 a, cd_vec3 b, cd_vec3 c) {
    return (cd_real)cdi_v3_dot(cdi_v3_cross(cdi_v3_of(a), cdi_v3_of(b)), cdi_v3_of(c));
}

CD_API cd_vec3 cd_vec3_lerp(cd_vec3 a, cd_vec3 b, cd_real t) {
    cdi_v3 p = cdi_v3_of(a), q = cdi_v3_of(b);
    if (t == 1) return b; /* a + (b - a) need not be b */
    return cdi_v3_round(cdi_v3_along(p, cdi_v3_sub(q, p), (double)t));
}

CD_API cd_vec3 cd_vec3_along(cd_vec3 a, cd_vec3 d, cd_real t) {
    return cdi_v3_round(cdi_v3_along(cdi_v3_of(a), cdi_v3_of(d), (double)t));
}

CD_API cd_real cd_vec3_sqlength(cd_vec3 v) {
    return (cd_real)cdi_v3_sqlength(cdi_v3_of(v));
}

CD_API cd_real cd_vec3_length(cd_vec3 v) {
    return (cd_real)cdi_v3_length(cdi_v3_of(v));
}

CD_API cd_real cd_vec3_dist(cd_vec3 a, cd_vec3 b) {
    return (cd_real)cdi_v3_length(cdi_v3_sub(cdi_v3_of(a), cdi_v3_of(b)));
}

CD_API cd_vec3 cd_vec3_normalize(cd_vec3 v) {
    return cdi_v3_round(cdi_v3_normalize(cdi_v3_of(v)));
}

CD_API bool cd_vec3_is_valid(cd_vec3 v) {
    return cdi_no_excess(cdi_excess(v));
}

CD_API cd_vec4 cd_vec4_make(cd_real x, cd_real y, cd_real z, cd_real w) {
    cd_vec4 v;
    v.x = x;
    v.y = y;
    v.z = z;
    v.w = w;
    return v;
}

CD_API cd_vec4 cd_vec4_add(cd_vec4 a, cd_vec4 b) {
    return cd_vec4_make(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

CD_API cd_vec4 cd_vec4_sub(cd_vec4 a, cd_vec4 b) {
    return cd_vec4_make(a.x - b.x, a.y - b.y, a.z - b.z, a.w - b.w);
}

CD_API cd_vec4 cd_vec4_scale(cd_vec4 v, cd_real s) {
    return cd_vec4_make(v.x * s, v.y * s, v.z * s, v.w * s);
}

CD_API cd_real cd_vec4_dot(cd_vec4 a, cd_vec4 b) {
    return (cd_real)((double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z +
                     (double)a.w * (double)b.w);
}

CD_API cd_real cd_vec4_length(cd_vec4 v) {
    cdi_v3 xyz = cdi_v3_make((double)v.x, (double)v.y, (double)v.z);
    double w = (double)v.w;
    int shift = cdi_length_shift(cdi_max(cdi_v3_max_abs(xyz), cdi_abs(w)));
    if (w == 0.0) return (cd_real)cdi_v3_length(xyz);
    xyz = cdi_v3_make(cdi_scale2(xyz.x, shift), cdi_scale2(xyz.y, shift), cdi_scale2(xyz.z, shift));
    w = cdi_scale2(w, shift);
    return (cd_real)cdi_scale2(cdi_sqrt(cdi_v3_sqlength(xyz) + w * w), -shift);
}

CD_API bool cd_vec4_is_valid(cd_vec4 v) {
    return cdi_finite3((double)v.x, (double)v.y, (double)v.z) && cdi_finite((double)v.w);
}
