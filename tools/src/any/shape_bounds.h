#pragma once
/* shape_bounds: the box around any shape, and its farthest point along a direction. */

#include "any/compound.h"

/// A box that holds the shape at a pose (NULL: in its own frame), rounded outward; empty for what is not valid or has no parts, up to
/// CD_REAL_MAX for half-spaces.
///
/// Of convex shapes the smallest one, but for one rounding; of those that are not points, axis-aligned boxes or hulls in their own frame, and at
/// a pose, for 2^-46 of the largest coordinate besides; and where `radius` is added to one of the type's own, for a unit of that sum.
/// Of meshes, height fields and classes that around their own box; of a compound that around its children, or, where it is stretched,
/// around their boxes. Contact offsets do not count. Cost: constant; for points and compounds linear.
CD_API cd_aabb cd_shape_aabb(const cd_shape *s, const cd_transform *pose);

/// The farthest point along a direction, of all parts; false, with `out` untouched, for half-spaces, zero and what is not valid or has no parts.
///
/// Of points that are as far, any, but always the same. Class: tolerant, as cd_support_farthest. Cost: that, for each part that may be
/// the one.
CD_API bool cd_shape_support(const cd_shape *s, cd_vec3 dir, cd_vec3 *out);
