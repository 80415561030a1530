#pragma once
/* point_solid: points against triangles, half-spaces and meshes in space (Ericson 5.4.2, 5.4.3).
 *
 * A closed mesh, convex or not, is asked by a ray straight up (along z). It cannot go wrong at an edge: the point counts as
 * moved along x by next to nothing and along y by next to nothing of that, so that the ray passes all edges by, and
 * each decision is an exact predicate. A mesh with holes has no inside; the generalised winding number tells how much of
 * one. NaN or infinity in: -1, false, NaN. */

#include "query/point_polygon.h"
#include "shape/mesh_view.h"

/// Is the point on the triangle (0) or not (-1)? Class: exact. The triangle may be a segment or a point.
CD_API int cd_locate_point_triangle(cd_vec3 p, const cd_triangle *t);

/// The point against the body that the half-spaces behind all planes have in common: -1 outside, 0 on a plane, 1 inside.
///
/// Normals of any length but zero, which like NaN gives -1. No planes: 1. Class: exact. Source: Ericson 5.4.3.
CD_API int cd_locate_point_halfspaces(cd_vec3 p, const cd_plane *planes, size_t count);

/// Is the point in that body or on a plane of it?
CD_API bool cd_test_point_halfspaces(cd_vec3 p, const cd_plane *planes, size_t count);

/// The point against a closed mesh: -1 outside, 0 on a triangle, 1 inside.
///
/// Closed: each edge has an even number of triangles; for CD_FILL_NON_ZERO those must come in pairs of opposite directions.
/// CD_FILL_EVEN_ODD asks nothing of the triangles' fronts. The surface may cross itself; triangles that are segments or
/// points are fine, and so are corners at one place with different indices. For a mesh that is not closed the answer is
/// that of one ray; see cd_winding_number_mesh. An index out of range, a corner of a triangle that is not finite,
/// or a view that is not valid: -1. Class: exact. Cost: linear; trees are faster for many points.
CD_API int cd_locate_point_mesh(cd_vec3 p, const cd_mesh_view *mesh, cd_fill_rule fill);

/// Is the point in the closed mesh, or on a triangle of it? As cd_locate_point_mesh.
CD_API bool cd_test_point_mesh(cd_vec3 p, const cd_mesh_view *mesh, cd_fill_rule fill);

/// How often a closed mesh surrounds the point: 1 inside of fronts that look outward, -1 inside of those that look inward.
///
/// False, with `out` untouched, on a triangle and where cd_locate_point_mesh says -1 for bad input. Class: exact.
CD_API bool cd_winding_point_mesh(cd_vec3 p, const cd_mesh_view *mesh, int *out);

/// Many points against one closed mesh: out[i] is what cd_locate_point_mesh says of points[i].
///
/// Faster than calls one by one: each triangle is read once for 64 points.
CD_API void cd_locate_points_mesh(const cd_vec3 *points, size_t count, const cd_mesh_view *mesh,
                                  cd_fill_rule fill, int8_t *out);

/// The generalised winding number of any triangles: the sum of their solid angles as seen from the point, over 4 pi.
///
/// For a closed mesh it is the whole number of cd_winding_point_mesh, but for rounding; where the mesh has holes, it is a
/// smooth function that is 1 deep inside, 0 far away and about a half in the middle of a hole. Triangles that the point lies in the
/// plane of count as nothing, so that on a face it has the middle of the values on either side. NaN for what is bad input of
/// cd_locate_point_mesh.
/// Class: tolerant. With h the distance to the nearest edge as a part of the largest distance to an end of it, and n
/// triangles: 1e-15 n / h and a unit in the last place. On which side of a triangle the point lies is decided exactly, so that
/// nothing is lost close to the inside of one. Cost: linear.
/// Source: Jacobson, Kavan and Sorkine-Hornung 2013, "Robust inside-outside segmentation using generalized winding
/// numbers"; van Oosterom and Strackee 1983, "The solid angle of a plane triangle".
CD_API cd_real cd_winding_number_mesh(cd_vec3 p, const cd_mesh_view *mesh);

/// Is the winding number at least `threshold`? 0.5 is the middle between outside and inside; false for NaN.
CD_API bool cd_test_point_mesh_winding(cd_vec3 p, const cd_mesh_view *mesh, cd_real threshold);
