#pragma once
/* hull (query): do hulls meet what there is?
 *
 * The solid whose surface is the triangles that cd_hull_triangles gives: of a hull with `flatness` 0 the convex hull itself,
 * otherwise the surface and all that it goes around, which may be hollow by the flatness; at a rim between two faces that are
 * nearly opposite, as those of a thin plate, it may be hollow by more along these. Hulls of dimension 2, 1 and 0 are polygons,
 * segments and points; the empty hull meets nothing. It meets what one of the triangles meets, and what lies wholly inside.
 * Closed sets: touching counts. NaN or infinity in: false. Nothing is allocated.
 *
 * Class of all: exact, but where they say otherwise. Cost: linear in the size of the hull (a look at its bounds, then at those of
 * its triangles), but where they say otherwise. */

#include "hull/hull.h"
#include "shape/swept.h"

/// Is the point outside (-1), on a face (0) or inside (+1)? A flat hull is all surface. NaN or infinity in: -1.
CD_API int cd_locate_point_hull(cd_vec3 p, const cd_hull *hull);

/// Is the point in the hull?
CD_API bool cd_test_point_hull(cd_vec3 p, const cd_hull *hull);

/// Do ray and hull meet? A ray of direction zero is a point.
CD_API bool cd_test_ray_hull(const cd_ray *r, const cd_hull *hull);

/// Do segment and hull meet?
CD_API bool cd_test_segment_hull(const cd_segment *s, const cd_hull *hull);

/// Do triangle and hull meet?
CD_API bool cd_test_triangle_hull(const cd_triangle *t, const cd_hull *hull);

/// Do the polygon, as the fan that cd_polygon_triangle gives, and the hull meet? Cost: the product of their sizes.
CD_API bool cd_test_polygon_hull(const cd_vec3 *polygon, size_t count, const cd_hull *hull);

/// Do tetrahedron and hull meet?
CD_API bool cd_test_tetrahedron_hull(const cd_tetrahedron *t, const cd_hull *hull);

/// Do sphere and hull meet? Class: as cd_test_sphere_triangle.
CD_API bool cd_test_sphere_hull(cd_sphere s, const cd_hull *hull);

/// Do capsule and hull meet? Class: as cd_test_capsule_triangle.
CD_API bool cd_test_capsule_hull(const cd_capsule *c, const cd_hull *hull);

/// Do axis-aligned box and hull meet?
CD_API bool cd_test_aabb_hull(cd_aabb b, const cd_hull *hull);

/// Do oriented box and hull meet? Class: as cd_test_triangle_obb.
CD_API bool cd_test_obb_hull(const cd_obb *b, const cd_hull *hull);

/// Do two hulls meet?
///
/// Hulls that are apart are mostly told by a plane between them, found in a few walks uphill. Others by their triangles: cost
/// up to the product of the numbers of those that are in both bounding boxes.
CD_API bool cd_test_hull_hull(const cd_hull *a, const cd_hull *b);

/// Does the hull meet the plane, whose normal may have any length but zero?
///
/// By the farthest vertices to both sides. Cost: that of two walks uphill; linear with a `flatness` above 0 (see
/// cd_hull_support).
CD_API bool cd_test_hull_plane(const cd_hull *hull, cd_plane plane);

/// Does the hull meet the half-space behind the plane, n . x <= d? Cost: that of one walk.
CD_API bool cd_test_hull_halfspace(const cd_hull *hull, cd_plane plane);
