#pragma once
/* torus: solid tori. They are closed.
 *
 * With minor < major a torus is a ring around a hole. With minor = major the hole is a point, with minor > major it is closed:
 * the solid then is an apple with a dent at each end of its axis, and has nothing hollow. With major = 0 it is a ball, with
 * minor = 0 a circle. All functions know these. */

#include "core/transform.h"
#include "shape/volume.h"

/// The points no farther than `minor` from the circle of radius `major` about `center`, which is in the plane perpendicular to
/// `axis`. The axis need not be unit and may not be zero; neither radius may be negative.
typedef struct cd_torus {
    cd_vec3 center, axis;
    cd_real major, minor;
} cd_torus;

/// Finite, radii >= 0, and an axis other than zero.
CD_API bool cd_torus_is_valid(const cd_torus *t);

/// The volume, 2 pi^2 major minor^2 for a ring; 0 for an invalid one, infinite out of range.
///
/// By Pappus: of an apple, by the part of the minor circle on its side of the axis. Class: tolerant, 16 units of double, then
/// rounded.
CD_API cd_real cd_torus_volume(const cd_torus *t);

/// The area of the surface, 4 pi^2 major minor for a ring, without what is inside an apple. Class as cd_torus_volume.
CD_API cd_real cd_torus_surface_area(const cd_torus *t);

/// The torus moved by a pose, its axis as long as before up to rounding.
CD_API cd_torus cd_torus_transform(const cd_torus *t, const cd_transform *pose);

/// A farthest point along `dir`, which may have any length; along the axis, one of many.
///
/// Class: tolerant, 4 units in the last place of the largest coordinate or radius. A zero direction gives a point of the
/// circle; NaN or infinity, or an invalid torus: NaN.
CD_API cd_vec3 cd_torus_support(const cd_torus *t, cd_vec3 dir);

/// A box that holds the torus, rounded outward; empty for an invalid one.
///
/// Class: conservative, at most one unit in the last place of a float too wide, or 8 of a double; for an axis along one of the
/// world's the narrowest there is.
CD_API cd_aabb cd_aabb_from_torus(const cd_torus *t);
