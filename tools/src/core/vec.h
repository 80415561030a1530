#pragma once
/* vec: vectors of two, three and four numbers.
 *
 * Sums, products and dot products are evaluated in double and rounded once; in a float build the products are
 * exact there, so that a compiler that fuses them in your code changes nothing. Class of all: tolerant, in a float
 * build one unit in the last place of the largest term, in a double build 5 * 2^-53 of the sum of the terms' magnitudes.
 *
 * Lengths, distances and unit vectors are as good for every finite input, from the least denormal number to the largest:
 * in a float build within one unit in the last place of the true result, in a double build lengths within 2,
 * distances, lengths of four numbers and components of unit vectors within 3. A length beyond the largest number is
 * infinite, and so is one with an infinite component; with NaN it is NaN. */

#include "core/config.h"

/// A point or vector of the plane.
typedef struct cd_vec2 {
    cd_real x, y;
} cd_vec2;

/// A point or vector of space. In C++, COLLIDE_VEC3_EXTRA may add members such as conversions.
typedef struct cd_vec3 {
    cd_real x, y, z;
#if defined(__cplusplus) && defined(COLLIDE_VEC3_EXTRA)
    COLLIDE_VEC3_EXTRA
#endif
} cd_vec3;

/// Four numbers: homogeneous coordinates, or a plane in one vector.
typedef struct cd_vec4 {
    cd_real x, y, z, w;
} cd_vec4;

/// The vector (x, y).
CD_INLINE cd_vec2 cd_vec2_make(cd_real x, cd_real y) {
    cd_vec2 v;
    v.x = x;
    v.y = y;
    return v;
}

/// a + b.
CD_INLINE cd_vec2 cd_vec2_add(cd_vec2 a, cd_vec2 b) {
    return cd_vec2_make(a.x + b.x, a.y + b.y);
}

/// a - b.
CD_INLINE cd_vec2 cd_vec2_sub(cd_vec2 a, cd_vec2 b) {
    return cd_vec2_make(a.x - b.x, a.y - b.y);
}

/// v times s.
CD_INLINE cd_vec2 cd_vec2_scale(cd_vec2 v, cd_real s) {
    return cd_vec2_make(v.x * s, v.y * s);
}

/// -v.
CD_API cd_vec2 cd_vec2_neg(cd_vec2 v);

/// v turned counter-clockwise by a quarter: (-y, x).
CD_API cd_vec2 cd_vec2_perp(cd_vec2 v);

/// a + t (b - a): a for t = 0, b for t = 1.
CD_API cd_vec2 cd_vec2_lerp(cd_vec2 a, cd_vec2 b, cd_real t);

/// Dot product.
CD_API cd_real cd_vec2_dot(cd_vec2 a, cd_vec2 b);

/// The z component of the cross product (Ericson 3.3.5, "perp dot"): positive when b is to the left of a.
CD_API cd_real cd_vec2_cross(cd_vec2 a, cd_vec2 b);

/// Squared length.
CD_API cd_real cd_vec2_sqlength(cd_vec2 v);

/// Length, without overflow or underflow on the way.
CD_API cd_real cd_vec2_length(cd_vec2 v);

/// Distance of two points, without overflow or underflow on the way.
CD_API cd_real cd_vec2_dist(cd_vec2 a, cd_vec2 b);

/// Unit vector along v; zero for a zero vector, NaN or infinity.
CD_API cd_vec2 cd_vec2_normalize(cd_vec2 v);

/// Neither NaN nor infinity in any component.
CD_API bool cd_vec2_is_valid(cd_vec2 v);

/// The vector (x, y, z).
CD_INLINE cd_vec3 cd_vec3_make(cd_real x, cd_real y, cd_real z) {
    cd_vec3 v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}

/// a + b.
CD_INLINE cd_vec3 cd_vec3_add(cd_vec3 a, cd_vec3 b) {
    return cd_vec3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}

/// a - b.
CD_INLINE cd_vec3 cd_vec3_sub(cd_vec3 a, cd_vec3 b) {
    return cd_vec3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}

/// -v.
CD_INLINE cd_vec3 cd_vec3_neg(cd_vec3 v) {
    return cd_vec3_make(-v.x, -v.y, -v.z);
}

/// v times s.
CD_INLINE cd_vec3 cd_vec3_scale(cd_vec3 v, cd_real s) {
    return cd_vec3_make(v.x * s, v.y * s, v.z * s);
}

/// The smaller of each component; that of b where either is NaN.
CD_INLINE cd_vec3 cd_vec3_min(cd_vec3 a, cd_vec3 b) {
    return cd_vec3_make(a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y, a.z < b.z ? a.z : b.z);
}

/// The larger of each component; that of b where either is NaN.
CD_INLINE cd_vec3 cd_vec3_max(cd_vec3 a, cd_vec3 b) {
    return cd_vec3_make(a.x > b.x ? a.x : b.x, a.y > b.y ? a.y : b.y, a.z > b.z ? a.z : b.z);
}

/// Dot product.
CD_API cd_real cd_vec3_dot(cd_vec3 a, cd_vec3 b);

/// Cross product, right-handed.
CD_API cd_vec3 cd_vec3_cross(cd_vec3 a, cd_vec3 b);

/// Scalar triple product (a x b) . c, the signed volume of the parallelepiped (Ericson 3.3.6).
CD_API cd_real cd_triple(cd_vec3 a, cd_vec3 b, cd_vec3 c);

/// a + t (b - a): a for t = 0, b for t = 1.
CD_API cd_vec3 cd_vec3_lerp(cd_vec3 a, cd_vec3 b, cd_real t);

/// a + t d: the point of a line at parameter t.
CD_API cd_vec3 cd_vec3_along(cd_vec3 a, cd_vec3 d, cd_real t);

/// Squared length.
CD_API cd_real cd_vec3_sqlength(cd_vec3 v);

/// Length, without overflow or underflow on the way.
CD_API cd_real cd_vec3_length(cd_vec3 v);

/// Distance of two points, without overflow or underflow on the way.
CD_API cd_real cd_vec3_dist(cd_vec3 a, cd_vec3 b);

/// Unit vector along v; zero for a zero vector, NaN or infinity.
CD_API cd_vec3 cd_vec3_normalize(cd_vec3 v);

/// Neither NaN nor infinity in any component.
CD_API bool cd_vec3_is_valid(cd_vec3 v);

/// The vector (x, y, z, w).
CD_API cd_vec4 cd_vec4_make(cd_real x, cd_real y, cd_real z, cd_real w);

/// a + b.
CD_API cd_vec4 cd_vec4_add(cd_vec4 a, cd_vec4 b);

/// a - b.
CD_API cd_vec4 cd_vec4_sub(cd_vec4 a, cd_vec4 b);

/// v times s.
CD_API cd_vec4 cd_vec4_scale(cd_vec4 v, cd_real s);

/// Dot product of four numbers; with w = 1 in one, a plane against a point.
CD_API cd_real cd_vec4_dot(cd_vec4 a, cd_vec4 b);

/// Length, without overflow or underflow on the way.
CD_API cd_real cd_vec4_length(cd_vec4 v);

/// Neither NaN nor infinity in any component.
CD_API bool cd_vec4_is_valid(cd_vec4 v);
