#pragma once
/* closest: closest points and distances between a point and one shape (Ericson 5.1).
 *
 * Class of all: tolerant; points within 4 units in the last place of the largest coordinate met, in the double build those of segments
 * and triangles within 8; distances within 4 of that coordinate's or their own. NaN or infinity in: NaN points and distances. A squared
 * distance is never negative. */

#include "query/hit.h"
#include "shape/linear.h"
#include "shape/volume.h"

/// Closest point of a plane, whose normal may have any length but zero (Ericson 5.1.1).
CD_API cd_vec3 cd_closest_pt_point_plane(cd_vec3 p, cd_plane plane);

/// Signed distance to a plane, positive on the normal's side; the normal may have any length but zero.
CD_API cd_real cd_dist_point_plane(cd_vec3 p, cd_plane plane);

/// Closest point of a segment, which may be a point (Ericson 5.1.2).
CD_API cd_vec3 cd_closest_pt_point_segment(cd_vec3 p, const cd_segment *s);

/// Squared distance to a segment.
CD_API cd_real cd_sqdist_point_segment(cd_vec3 p, const cd_segment *s);

/// Closest point of an axis-aligned box; p itself when inside. NaN for an empty box (Ericson 5.1.3).
CD_API cd_vec3 cd_closest_pt_point_aabb(cd_vec3 p, cd_aabb b);

/// Squared distance to an axis-aligned box; NaN for an empty box.
CD_API cd_real cd_sqdist_point_aabb(cd_vec3 p, cd_aabb b);

/// Closest point of an oriented box; p itself, up to rounding, when inside (Ericson 5.1.4).
CD_API cd_vec3 cd_closest_pt_point_obb(cd_vec3 p, const cd_obb *b);

/// Squared distance to an oriented box.
CD_API cd_real cd_sqdist_point_obb(cd_vec3 p, const cd_obb *b);

/// Closest point of a triangle, needles, segments and points included (Ericson 5.1.5).
CD_API cd_vec3 cd_closest_pt_point_triangle(cd_vec3 p, const cd_triangle *t);

/// Squared distance to a triangle; at least that to the triangle's bounding box.
CD_API cd_real cd_sqdist_point_triangle(cd_vec3 p, const cd_triangle *t);

/// The same with everything known: a = p, b the point of the triangle, s and t the weights of the corners b and c,
/// feature_b the feature the point lies on, the smallest for ties.
CD_API cd_closest cd_closest_pts_point_triangle(cd_vec3 p, const cd_triangle *t);
