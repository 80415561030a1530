#pragma once
/* obb: do oriented boxes meet each other, axis-aligned boxes, planes and segments (Ericson 4.4.1)?
 *
 * Boxes are taken literally, center + axes.col[i] * s_i with |s_i| <= half, so that axes that are not quite orthonormal mean
 * one body for all the tests, as far as each product of two of them is within 0.01 of 0 or 1. All sets are closed; NaN, infinity or a negative half extent in: false.
 *
 * Class of all: conservative. They are never false for things that meet. They are true for things apart only where the
 * gap is below 1e-14 of their size and distance (2e-14 for the relative forms, the coordinates in each frame included) or as the
 * routine says. Every axis is weighed by its own length, so that parallel edges, flat and needle-like boxes need no
 * tolerance of their own. The answer does not depend on the order of two boxes. */

#include "shape/linear.h"
#include "shape/volume.h"

/// Do two oriented boxes meet, by the fifteen separating axes?
///
/// In the order of the book's table 4.1: the faces of a, of b, then edges across edges. Source: Gottschalk et al. 1996.
CD_API bool cd_test_obb_obb(const cd_obb *a, const cd_obb *b);

/// The same by the six face axes alone: quicker, and may also be true for boxes that only two edges keep apart.
///
/// True wherever cd_test_obb_obb is. Of random boxes that are apart but whose spheres meet, 11 % are not told apart, of thin ones
/// 21 % (bench area obb).
CD_API bool cd_test_obb_obb_fast(const cd_obb *a, const cd_obb *b);

/// The same as the fast test for boxes given by their corners (see cd_obb_to_vertices): the corners of each against the faces
/// of the other.
///
/// Any parallelepipeds will do: the edges are v[1] - v[0], v[2] - v[0] and v[4] - v[0]. Like the test of the face axes, it may
/// be true for boxes that only two edges keep apart.
CD_API bool cd_test_obb_obb_vertices(const cd_vec3 a[8], const cd_vec3 b[8]);

/// The same for two boxes that are turned only about the frame's axis 0, 1 or 2 (buildings, vehicles, people): an interval
/// along it and two rectangles across it.
///
/// Where column `axis` of a box's axes is not along that axis, or another one is not across it, the answer is that of
/// cd_test_obb_obb.
CD_API bool cd_test_obb_obb_upright(const cd_obb *a, const cd_obb *b, int axis);

/// Do an oriented and an axis-aligned box meet? By the fifteen axes; false for an empty box.
CD_API bool cd_test_obb_aabb(const cd_obb *a, cd_aabb b);

/// Do two oriented boxes meet, b being given in a frame that lies at `b_in_a` in the frame of a?
///
/// Only the pair's relative pose is used, so that it is as precise far from the world's origin as near it: see cd_relative.
CD_API bool cd_test_obb_obb_relative(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a);

/// The same for boxes aligned with the axes of their own frames, such as the bounds of two bodies; false for an empty one.
CD_API bool cd_test_aabb_aabb_relative(cd_aabb a, cd_aabb b, const cd_transform *b_in_a);

/// The same for spheres.
CD_API bool cd_test_sphere_sphere_relative(cd_sphere a, cd_sphere b, const cd_transform *b_in_a);

/// Do box and plane meet (5.2.3)? The plane's normal may have any length but zero.
CD_API bool cd_test_obb_plane(const cd_obb *b, cd_plane plane);

/// Does some of the box lie on or behind the plane (n . x <= d)?
CD_API bool cd_test_obb_halfspace(const cd_obb *b, cd_plane plane);

/// Do segment and box meet? By the separating axes of the box's faces and of its edges across the segment (5.3.3).
CD_API bool cd_test_segment_obb(const cd_segment *s, const cd_obb *b);
