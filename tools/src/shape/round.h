#pragma once
/* round: ellipsoids, spherical shells and zonotopes (Ericson 4.7). All are closed. */

#include "core/transform.h"

/// A solid ellipsoid: center + axes.col[i] * half_i * s_i with |s| <= 1. The axes are orthonormal and right-handed, the
/// half lengths at least 0.
typedef struct cd_ellipsoid {
    cd_vec3 center;
    cd_mat3 axes;
    cd_vec3 half;
} cd_ellipsoid;

/// A spherical shell: the points whose distance from `center` is between `inner` and `outer`, and whose direction from there
/// makes an angle with `axis` whose cosine is at least `cos_angle` (Krishnan and others 1998). A `cos_angle` of -1 is all
/// around. `axis` need not be unit and may not be zero. An `outer` below `inner` is nothing.
typedef struct cd_spherical_shell {
    cd_vec3 center, axis;
    cd_real inner, outer, cos_angle;
} cd_spherical_shell;

/// A zonotope: center + sum of generators[i] * s_i with |s_i| <= 1, the Minkowski sum of segments. Boxes, prisms over
/// polygons with parallel sides, and lozenges without their rounding are zonotopes.
typedef struct cd_zonotope {
    cd_vec3 center;
    const cd_vec3 *generators; ///< of the caller
    uint32_t count;
} cd_zonotope;
