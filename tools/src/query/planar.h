#pragma once
/* planar: do circles, rectangles and convex polygons in the plane meet; rays against rectangles (Ericson 4.2-4.4, 5.3.3)?
 *
 * Closed sets: touching counts. Oriented rectangles are taken with their axes as they are stored, of whatever length: that
 * is a rectangle (a point where the axis is zero), so that decisions are exact. NaN or infinity in, negative radii or half extents, empty rectangles and no
 * corners: false. */

#include "query/cast.h"
#include "shape/planar.h"

/// Is the point in the circle? Class: exact.
CD_API bool cd_test_2d_point_circle(cd_vec2 p, cd_circle c);

/// Is the point in the rectangle? Class: exact. Infinite rectangles are fine.
CD_API bool cd_test_2d_point_aabb(cd_vec2 p, cd_aabb2 b);

/// Is the point in the oriented rectangle? Class: exact.
CD_API bool cd_test_2d_point_obb(cd_vec2 p, const cd_obb2 *b);

/// Do two circles meet? Class: exact.
CD_API bool cd_test_2d_circle_circle(cd_circle a, cd_circle b);

/// Do circle and rectangle meet? Class: exact.
CD_API bool cd_test_2d_circle_aabb(cd_circle c, cd_aabb2 b);

/// Do circle and oriented rectangle meet? Class: tolerant, 8 units of double of the largest coordinate.
CD_API bool cd_test_2d_circle_obb(cd_circle c, const cd_obb2 *b);

/// Do two rectangles meet? Class: exact. Infinite rectangles are fine.
CD_API bool cd_test_2d_aabb_aabb(cd_aabb2 a, cd_aabb2 b);

/// Do rectangle and oriented rectangle meet? Class: exact.
CD_API bool cd_test_2d_aabb_obb(cd_aabb2 a, const cd_obb2 *b);

/// Do two oriented rectangles meet? Class: exact: in the plane, vertices against edges are all there is (4.4.2).
CD_API bool cd_test_2d_obb_obb(const cd_obb2 *a, const cd_obb2 *b);

/// Do two convex polygons meet, by separating edges?
///
/// They may turn either way, repeat corners, and have corners in line; polygons without area, segments and points are fine.
/// Of one that is not convex the answer is of no use. Class: exact. Cost: linear in both together: while the edges
/// of one go around, so does the corner of the other that lies farthest out (Shamos 1978; Toussaint 1983).
CD_API bool cd_test_2d_polygon_polygon(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count);

/// Ray in the plane against solid rectangle, by slabs (5.3.3); as cd_cast_ray_aabb, with z = 0 in the hit.
///
/// `dir` need not be unit: t counts in it. Faces of the feature: 0 and 1 at min.x and max.x, 2 and 3 at min.y and max.y.
/// Class: exact in whether the line meets the rectangle, corners included; t to 2 units in the last place.
CD_API bool cd_cast_ray_rect(cd_vec2 origin, cd_vec2 dir, cd_real t_max, cd_aabb2 rect,
                             const cd_cast_options *options, cd_hit *hit);
