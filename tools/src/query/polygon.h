#pragma once
/* polygon: does a convex polygon in space meet something (Ericson 4.1)?
 *
 * Its corners lie in a plane and go around it either way; one corner is a point, two are a segment. The polygon is taken as
 * the fan of triangles from its first corner, which is all of it however its corners are rounded: it meets what one of the
 * triangles meets, so that every volume with a test for triangles has one for polygons. Closed sets: touching counts. NaN or
 * infinity in, and no corners: false. Cost: linear. */

#include "shape/linear.h"
#include "shape/swept.h"
#include "shape/volume.h"

/// The fan's triangle between the corners 0, i + 1 and i + 2, for i from 0 to cd_polygon_triangle_count - 1.
CD_API cd_triangle cd_polygon_triangle(const cd_vec3 *polygon, size_t count, size_t i);

/// How many triangles the fan has: count - 2, but 1 for a point or segment, and 0 for no corners.
CD_API size_t cd_polygon_triangle_count(size_t count);

/// A test of a triangle against some volume.
typedef bool (*cd_test_triangle_fn)(const void *volume, const cd_triangle *t);

/// Does the polygon meet a volume of any kind, by the caller's test for triangles? Class: that of the test.
CD_API bool cd_test_polygon_volume(const cd_vec3 *polygon, size_t count, cd_test_triangle_fn test,
                                   const void *volume);

/// Does the point lie in the polygon? Class: exact, for the fan.
///
/// Rounded corners are hardly ever in one plane with a point: this is for numbers that are exact.
CD_API bool cd_test_point_polygon(cd_vec3 p, const cd_vec3 *polygon, size_t count);

/// Do ray and polygon meet? Also in the polygon's plane; a ray of direction zero is a point. Class: exact, for the fan.
CD_API bool cd_test_ray_polygon(const cd_ray *r, const cd_vec3 *polygon, size_t count);

/// Do segment and polygon meet? Class: exact, for the fan.
CD_API bool cd_test_segment_polygon(const cd_segment *s, const cd_vec3 *polygon, size_t count);

/// Do polygon and axis-aligned box meet? Class: exact, for the fan.
CD_API bool cd_test_polygon_aabb(const cd_vec3 *polygon, size_t count, cd_aabb b);

/// Do polygon and oriented box meet? Class: as cd_test_triangle_obb.
CD_API bool cd_test_polygon_obb(const cd_vec3 *polygon, size_t count, const cd_obb *b);

/// Do sphere and polygon meet (Ericson 5.2.8)? Class: as cd_test_sphere_triangle.
CD_API bool cd_test_sphere_polygon(cd_sphere s, const cd_vec3 *polygon, size_t count);

/// Do polygon and capsule meet? Class: as cd_test_capsule_triangle.
CD_API bool cd_test_polygon_capsule(const cd_vec3 *polygon, size_t count, const cd_capsule *c);

/// Do polygon and lozenge meet? Class: as cd_test_lozenge_triangle.
CD_API bool cd_test_polygon_lozenge(const cd_vec3 *polygon, size_t count, const cd_lozenge *l);

/// Do polygon and triangle meet? Class: exact, for the fan.
CD_API bool cd_test_polygon_triangle(const cd_vec3 *polygon, size_t count, const cd_triangle *t);

/// Do two polygons meet? Class: exact, for the fans. Cost: the product of the numbers of corners.
CD_API bool cd_test_polygon_polygon(const cd_vec3 *a, size_t a_count, const cd_vec3 *b, size_t b_count);

/// Does the polygon meet the plane? Class: exact.
CD_API bool cd_test_polygon_plane(const cd_vec3 *polygon, size_t count, cd_plane plane);

/// Does the polygon meet the half-space behind the plane, n . x <= d? Class: exact.
CD_API bool cd_test_polygon_halfspace(const cd_vec3 *polygon, size_t count, cd_plane plane);
