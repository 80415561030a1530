#pragma once
/* tetrahedron: do tetrahedra meet what there is (Ericson 5.1.6, 5.2)?
 *
 * The solid of the four corners, in any order; flat ones, triangles, segments and points are good. It meets what one of its
 * faces meets, and what lies wholly inside. Closed sets: touching counts. NaN or infinity in: false. Class of all: exact, but
 * where they say otherwise. */

#include "shape/linear.h"
#include "shape/swept.h"
#include "shape/volume.h"

/// Is the point outside (-1), on the surface (0) or inside (+1)? A flat one is all surface. NaN or infinity in: -1.
CD_API int cd_locate_point_tetrahedron(cd_vec3 p, const cd_tetrahedron *t);

/// Is the point in the tetrahedron?
CD_API bool cd_test_point_tetrahedron(cd_vec3 p, const cd_tetrahedron *t);

/// Do ray and tetrahedron meet? A ray of direction zero is a point.
CD_API bool cd_test_ray_tetrahedron(const cd_ray *r, const cd_tetrahedron *t);

/// Do segment and tetrahedron meet?
CD_API bool cd_test_segment_tetrahedron(const cd_segment *s, const cd_tetrahedron *t);

/// Do triangle and tetrahedron meet?
CD_API bool cd_test_triangle_tetrahedron(const cd_triangle *f, const cd_tetrahedron *t);

/// Do the polygon, as the fan that cd_polygon_triangle gives, and the tetrahedron meet? Cost: linear.
CD_API bool cd_test_polygon_tetrahedron(const cd_vec3 *polygon, size_t count, const cd_tetrahedron *t);

/// Do two tetrahedra meet?
CD_API bool cd_test_tetrahedron_tetrahedron(const cd_tetrahedron *a, const cd_tetrahedron *b);

/// Do sphere and tetrahedron meet? Class: as cd_test_sphere_triangle.
CD_API bool cd_test_sphere_tetrahedron(cd_sphere s, const cd_tetrahedron *t);

/// Do capsule and tetrahedron meet? Class: as cd_test_capsule_triangle.
CD_API bool cd_test_capsule_tetrahedron(const cd_capsule *c, const cd_tetrahedron *t);

/// Do tetrahedron and axis-aligned box meet?
CD_API bool cd_test_tetrahedron_aabb(const cd_tetrahedron *t, cd_aabb b);

/// Do tetrahedron and oriented box meet? Class: as cd_test_triangle_obb.
CD_API bool cd_test_tetrahedron_obb(const cd_tetrahedron *t, const cd_obb *b);

/// Does the tetrahedron meet the plane, whose normal may have any length but zero?
CD_API bool cd_test_tetrahedron_plane(const cd_tetrahedron *t, cd_plane plane);

/// Does the tetrahedron meet the half-space behind the plane, n . x <= d?
CD_API bool cd_test_tetrahedron_halfspace(const cd_tetrahedron *t, cd_plane plane);
