#pragma once
/* closest_pairs: closest points of segments and triangles with each other and with rectangles and boxes (Ericson 5.1.10,
 * 5.1.11).
 *
 * Two things that do not meet are nearest at two edges, or at a corner of one and the face of the other; all pairs are looked
 * at that can be nearest, so that needles, segments and points are fine. Where the verdict says exact below, the exact test
 * speaks first: `sqdist` is 0 exactly when the two meet, and then a and b are one common point. `s` is the parameter of a
 * line, ray or segment, `t` is 0, and both are 0 for two triangles. The features are those that the two points lie on,
 * CD_FEATURE_NONE where the two meet.
 *
 * Class of the points and distances: tolerant, as for two segments: 4 units in the last place of the largest coordinate. NaN
 * or infinity in, a line without direction or an empty box: `sqdist` is NaN, the rest zero. Cost: constant. */

#include "query/hit.h"
#include "shape/linear.h"
#include "shape/volume.h"

/// Closest points of segment and triangle (5.1.10). Verdict: exact, that of cd_test_segment_triangle.
CD_API cd_closest cd_closest_pts_segment_triangle(const cd_segment *s, const cd_triangle *t);

/// Squared distance of segment and triangle.
CD_API cd_real cd_sqdist_segment_triangle(const cd_segment *s, const cd_triangle *t);

/// Closest points of two triangles (5.1.11). Verdict: exact, that of cd_test_triangle_triangle.
///
/// Of the common points it is the first, in the order of x, then y, then z, of the corners of the intersection: the same,
/// but for rounding, for every order of the triangles and of their corners. Rounding may also decide between two corners
/// whose x are all but equal.
CD_API cd_closest cd_closest_pts_triangle_triangle(const cd_triangle *a, const cd_triangle *b);

/// Squared distance of two triangles.
CD_API cd_real cd_sqdist_triangle_triangle(const cd_triangle *a, const cd_triangle *b);

/// Closest points of ray and triangle. Verdict: exact, that of cd_test_ray_triangle.
CD_API cd_closest cd_closest_pts_ray_triangle(const cd_ray *r, const cd_triangle *t);

/// Squared distance of ray and triangle.
CD_API cd_real cd_sqdist_ray_triangle(const cd_ray *r, const cd_triangle *t);

/// Closest points of line and triangle. Verdict: exact, that of cd_test_line_triangle.
CD_API cd_closest cd_closest_pts_line_triangle(const cd_line *l, const cd_triangle *t);

/// Squared distance of line and triangle.
CD_API cd_real cd_sqdist_line_triangle(const cd_line *l, const cd_triangle *t);

/// Closest points of segment and rectangle. Verdict: within the class.
///
/// Features of the rectangle: vertices 0-3 at a, a + edge[0], a + edge[0] + edge[1], a + edge[1], edge i from vertex i to
/// the next, face 0. It may be a segment or a point.
CD_API cd_closest cd_closest_pts_segment_rect(const cd_segment *s, const cd_rect *r);

/// Squared distance of segment and rectangle.
CD_API cd_real cd_sqdist_segment_rect(const cd_segment *s, const cd_rect *r);

/// Closest points of segment and axis-aligned box. Verdict: exact. Inside the box the common point may be any.
CD_API cd_closest cd_closest_pts_segment_aabb(const cd_segment *s, cd_aabb b);

/// Squared distance of segment and axis-aligned box.
CD_API cd_real cd_sqdist_segment_aabb(const cd_segment *s, cd_aabb b);

/// Closest points of segment and oriented box. Verdict: within the class; the segment is taken to the box's frame.
CD_API cd_closest cd_closest_pts_segment_obb(const cd_segment *s, const cd_obb *b);

/// Squared distance of segment and oriented box.
CD_API cd_real cd_sqdist_segment_obb(const cd_segment *s, const cd_obb *b);
