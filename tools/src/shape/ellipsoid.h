#pragma once
/* ellipsoid: solid ellipsoids (Ericson 4.7). They are closed.
 *
 * A half length of 0 makes one a flat ellipse, two of them a segment, three a point; all functions know these. Where the
 * axes are not quite orthonormal, it is the definition below that counts. */

#include "shape/volume.h"

/// A solid ellipsoid: center + axes.col[i] * half_i * s_i with |s| <= 1. The axes are orthonormal and right-handed, the
/// half lengths at least 0.
typedef struct cd_ellipsoid {
    cd_vec3 center;
    cd_mat3 axes;
    cd_vec3 half;
} cd_ellipsoid;

/// Finite, axes orthonormal within 1e-3, half lengths >= 0.
CD_API bool cd_ellipsoid_is_valid(const cd_ellipsoid *e);

/// The volume for axes that are orthonormal, 4/3 pi times the half lengths; 0 for an invalid one, infinite out of range.
///
/// Class: tolerant, 2 units in the last place.
CD_API cd_real cd_ellipsoid_volume(const cd_ellipsoid *e);

/// The area of the surface for axes that are orthonormal; both sides of a flat one; 0 for an invalid one, infinite out of
/// range.
///
/// Carlson's symmetric elliptic integral R_G, from R_F and R_D by duplication, in plain arithmetic; with its arguments
/// ordered so that no terms cancel (Carlson 1995, "Numerical computation of real or complex elliptic integrals"; DLMF
/// 19.33.1). Class: tolerant, 2 units in the last place of cd_real, and 1e-14.
CD_API cd_real cd_ellipsoid_surface_area(const cd_ellipsoid *e);

/// The ellipsoid moved by a pose. Its axes are rotated and rounded once.
CD_API cd_ellipsoid cd_ellipsoid_transform(const cd_ellipsoid *e, const cd_transform *pose);

/// A farthest point along `dir`, which may have any length; the centre when it is zero or not finite.
///
/// Class: tolerant, 4 units in the last place of the largest coordinate met.
CD_API cd_vec3 cd_ellipsoid_support(const cd_ellipsoid *e, cd_vec3 dir);

/// A box that holds the ellipsoid, rounded outward: the smallest but for 1e-15 of its size.
CD_API cd_aabb cd_aabb_from_ellipsoid(const cd_ellipsoid *e);
