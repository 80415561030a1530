#pragma once
/* locate: is a point outside (-1), on the surface (0) or inside (+1)? NaN or infinity in: -1. */

#include "shape/linear.h"
#include "shape/volume.h"

/// The point against the half-space behind a plane, n . x <= d: -1 in front of it, 0 on it, +1 behind. Class: exact.
///
/// `n` may have any length but zero.
CD_API int cd_locate_point_plane(cd_vec3 p, cd_plane plane);

/// The point against a ball. Class: exact. A ball of radius 0 has a surface only; -1 for a negative radius.
CD_API int cd_locate_point_sphere(cd_vec3 p, cd_sphere s);

/// The point against a box. Class: exact. -1 for an empty box.
CD_API int cd_locate_point_aabb(cd_vec3 p, cd_aabb b);

/// The point against an oriented box. Class: tolerant, 4 units of double of the largest coordinate.
///
/// Of axes that are not quite orthonormal the slabs count, |axes.col[i] . (p - center)| <= half's components. A flat box is all
/// surface. -1 for a half extent below 0, and for NaN or infinity.
CD_API int cd_locate_point_obb(cd_vec3 p, const cd_obb *b);
