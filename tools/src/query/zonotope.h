#pragma once
/* zonotope: points, rays, planes, boxes, spheres, triangles, polygons and zonotopes against zonotopes.
 *
 * Closed solids: touching counts. An invalid zonotope (cd_zonotope_is_valid), NaN or infinity: false, or NaN where a point is
 * asked for. The faces are spanned by pairs of generators, so that everything here goes over pairs, and over all generators
 * for each: cubic in their number, which should be small. Flat zonotopes, segments and points are good. Ellipsoids, cylinders
 * and the like meet zonotopes by GJK, through cd_zonotope_support. */

#include "query/cast.h"
#include "shape/zonotope.h"

/// Is the point in the zonotope? Class: exact: on the plane of each pair of generators, determinants are compared.
CD_API bool cd_test_point_zonotope(cd_vec3 p, const cd_zonotope *z);

/// Do two zonotopes meet? Is the way between the centres in the zonotope of all generators? Class: exact. Cost: cubic in the
/// number of both together.
CD_API bool cd_test_zonotope_zonotope(const cd_zonotope *a, const cd_zonotope *b);

/// Do zonotope and box meet? The box is taken as a zonotope, rounded outward as cd_obb_from_aabb does; then exact.
CD_API bool cd_test_zonotope_aabb(const cd_zonotope *z, cd_aabb b);

/// Do zonotope and oriented box meet? The edges of the box are rounded to cd_real; then exact.
CD_API bool cd_test_zonotope_obb(const cd_zonotope *z, const cd_obb *b);

/// The closest point of the solid; p itself when inside. By the nearest point of each face.
///
/// Class: tolerant, 4 units of double of the largest coordinate met for each generator, and the rounding of the result.
CD_API cd_vec3 cd_closest_pt_point_zonotope(cd_vec3 p, const cd_zonotope *z);

/// Do sphere and zonotope meet? Class: tolerant, as the closest point.
CD_API bool cd_test_sphere_zonotope(cd_sphere s, const cd_zonotope *z);

/// Do zonotope and plane meet? Class: tolerant, a unit of double of the largest coordinate for each generator.
CD_API bool cd_test_zonotope_plane(const cd_zonotope *z, cd_plane plane);

/// Do the zonotope and the half-space n . x <= d meet? Class as cd_test_zonotope_plane.
CD_API bool cd_test_zonotope_halfspace(const cd_zonotope *z, cd_plane plane);

/// Do a flat convex polygon of `count` corners and the zonotope meet? By separating axes: the normals of all faces, the cross
/// products of edges, and the edges' normals in the polygon's plane. Two corners are a segment, one a point; none: false.
///
/// Class: conservative: never false for those that meet; true for those apart only when the gap is below 1e-14 of their size
/// and distance. Cost: cubic, and corners times generators squared.
CD_API bool cd_test_polygon_zonotope(const cd_vec3 *corners, size_t count, const cd_zonotope *z);

/// Do triangle and zonotope meet? As cd_test_polygon_zonotope.
CD_API bool cd_test_triangle_zonotope(const cd_triangle *t, const cd_zonotope *z);

/// Ray against solid zonotope, by the slabs of all pairs of generators. Feature: twice the number of the pair, in the order
/// (0, 1), (0, 2), (1, 2), (0, 3)..., and 1 for the side of the pair's cross product.
///
/// Class: tolerant; the slabs are widened by 1e-15 of the size of the zonotope, and the ray is rounded by 2 units of double of
/// its distance from the centre. Cost: cubic.
CD_API bool cd_cast_ray_zonotope(const cd_ray *r, cd_real t_max, const cd_zonotope *zonotope,
                                 const cd_cast_options *options, cd_hit *hit);

/// Segment against zonotope.
CD_API bool cd_cast_segment_zonotope(const cd_segment *s, const cd_zonotope *zonotope,
                                     const cd_cast_options *options, cd_hit *hit);

/// Line against zonotope.
CD_API bool cd_cast_line_zonotope(const cd_line *l, const cd_zonotope *zonotope,
                                  const cd_cast_options *options, cd_hit *hit);
