#pragma once
/* zonotope: Minkowski sums of segments (Ericson 4.7). They are closed. */

#include "shape/volume.h"

/// A zonotope: center + sum of generators[i] * s_i with |s_i| <= 1, the Minkowski sum of segments. Boxes, prisms over
/// polygons with parallel sides, and lozenges without their rounding are zonotopes. No generators: the centre.
typedef struct cd_zonotope {
    cd_vec3 center;
    const cd_vec3 *generators; ///< of the caller
    uint32_t count;
} cd_zonotope;

/// Finite; generators may be NULL only when there are none.
CD_API bool cd_zonotope_is_valid(const cd_zonotope *z);

/// The volume, 8 times the sum of |det| of all triples of generators; 0 for an invalid one, infinite out of range.
///
/// Class: tolerant, 8 units in the last place of double a term, and the rounding of the result. Cost: cubic.
CD_API cd_real cd_zonotope_volume(const cd_zonotope *z);

/// The area of the surface, 8 times the sum of |cross| of all pairs of generators; both sides of a flat one. Class as
/// cd_zonotope_volume. Cost: quadratic.
CD_API cd_real cd_zonotope_surface_area(const cd_zonotope *z);

/// The zonotope moved by a pose: its generators, rotated and rounded, go to `generators`, which has room for all and may be
/// those of `z`; the result refers to them.
CD_API cd_zonotope cd_zonotope_transform(const cd_zonotope *z, const cd_transform *pose, cd_vec3 *generators);

/// A farthest point along `dir`, a vertex; the centre when it is zero or not finite.
///
/// Class: tolerant, a unit of double of the sum of the coordinates' magnitudes for each generator, and the rounding of the
/// result.
CD_API cd_vec3 cd_zonotope_support(const cd_zonotope *z, cd_vec3 dir);

/// A box that holds the zonotope, rounded outward: the smallest but for 1e-15 of its size for each generator.
CD_API cd_aabb cd_aabb_from_zonotope(const cd_zonotope *z);
