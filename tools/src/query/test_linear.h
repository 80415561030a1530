#pragma once
/* test_linear: do points, rays, segments, planes, half-spaces, triangles and boxes meet (Ericson 5.3)?
 *
 * Linear things meet or do not by the signs of a few determinants, which are found exactly; there is no tolerance anywhere.
 * Where things lie in one plane, they meet when their three shadows along the axes do: at least one of these is a true
 * picture of the plane. All sets are closed: touching counts. Segments may be points, triangles segments or points, a ray
 * with a zero direction is a point; normals and directions may have any length. A half-space is given by its plane: the
 * points with n . x <= d. NaN or infinity in, a plane whose normal is zero, a line whose direction is, or an empty box: false.
 *
 * Class of all but for oriented boxes: exact, for all finite numbers. Cost: constant.
 *
 * A ray test answers as the cast does with an infinite `t_max` and no options, but for what a cast does not count as a hit
 * (a ray in the triangle's plane, a triangle without area), hits farther than the largest number, and where only the test
 * is exact. */

#include "shape/linear.h"
#include "shape/volume.h"

/// Are two points the same?
CD_API bool cd_test_point_point(cd_vec3 a, cd_vec3 b);

/// Is the point on the ray?
CD_API bool cd_test_point_ray(cd_vec3 p, const cd_ray *r);

/// Is the point on the segment?
CD_API bool cd_test_point_segment(cd_vec3 p, const cd_segment *s);

/// Is the point on the plane?
CD_API bool cd_test_point_plane(cd_vec3 p, cd_plane plane);

/// Is the point in the half-space behind the plane, n . x <= d?
CD_API bool cd_test_point_halfspace(cd_vec3 p, cd_plane plane);

/// Is the point on the triangle?
CD_API bool cd_test_point_triangle(cd_vec3 p, const cd_triangle *t);

/// Do two rays meet?
CD_API bool cd_test_ray_ray(const cd_ray *a, const cd_ray *b);

/// Do ray and segment meet?
CD_API bool cd_test_ray_segment(const cd_ray *r, const cd_segment *s);

/// Do ray and plane meet?
CD_API bool cd_test_ray_plane(const cd_ray *r, cd_plane plane);

/// Does the ray meet the half-space behind the plane?
CD_API bool cd_test_ray_halfspace(const cd_ray *r, cd_plane plane);

/// Do ray and triangle meet, in the triangle's plane, too?
CD_API bool cd_test_ray_triangle(const cd_ray *r, const cd_triangle *t);

/// Do ray and box meet (5.3.3)? Quicker than the cast.
CD_API bool cd_test_ray_aabb(const cd_ray *r, cd_aabb b);

/// Do ray and oriented box meet (5.3.3)?
///
/// The ray is taken to the box's frame, with an error of 4 units of double of the largest coordinate; there the test is
/// exact. So does the cast.
CD_API bool cd_test_ray_obb(const cd_ray *r, const cd_obb *b);

/// Do line and triangle meet, in the triangle's plane, too?
CD_API bool cd_test_line_triangle(const cd_line *l, const cd_triangle *t);

/// Do line and box meet?
CD_API bool cd_test_line_aabb(const cd_line *l, cd_aabb b);

/// Do two segments in space meet?
CD_API bool cd_test_segment_segment(const cd_segment *s, const cd_segment *t);

/// Do segment and plane meet (5.3.1)?
CD_API bool cd_test_segment_plane(const cd_segment *s, cd_plane plane);

/// Does the segment meet the half-space behind the plane?
CD_API bool cd_test_segment_halfspace(const cd_segment *s, cd_plane plane);

/// Do segment and box meet (5.3.3)?
///
/// By the separating axes of the box's faces and of its edges across the segment, without centring, whose rounding would lose
/// segments that are edges of the box.
CD_API bool cd_test_segment_aabb(const cd_segment *s, cd_aabb b);

/// Do two planes meet? They do unless they are exactly parallel and not the same.
CD_API bool cd_test_plane_plane(cd_plane a, cd_plane b);

/// Does the first, a plane, meet the half-space behind the second?
CD_API bool cd_test_plane_halfspace(cd_plane a, cd_plane b);

/// Do two half-spaces meet?
CD_API bool cd_test_halfspace_halfspace(cd_plane a, cd_plane b);

/// Do triangle and plane meet (5.3.5)?
CD_API bool cd_test_triangle_plane(const cd_triangle *t, cd_plane plane);

/// Does the triangle meet the half-space behind the plane?
CD_API bool cd_test_triangle_halfspace(const cd_triangle *t, cd_plane plane);
