#pragma once
/* sphere (query): spheres against planes and half-spaces (Ericson 5.2.2), and tests that give the closest point, too (5.2.5 to
 * 5.2.8). False when anything is not valid. A plane's normal may have any length. */

#include "shape/linear.h"
#include "shape/volume.h"

/// Do sphere and plane meet? Touching counts. Class: exact.
CD_API bool cd_test_sphere_plane(cd_sphere s, cd_plane plane);

/// Does the sphere meet the half-space behind the plane, n . x <= d? Touching counts. Class: exact.
CD_API bool cd_test_sphere_halfspace(cd_sphere s, cd_plane plane);

/// Is the sphere wholly outside of the half-space behind the plane (-1), does it meet the plane (0), or is it inside of the
/// half-space without touching the plane (+1; the book's InsideSpherePlane)? Anything not valid: -1. Class: exact.
CD_API int cd_locate_sphere_halfspace(cd_sphere s, cd_plane plane);

/// Do sphere and axis-aligned box meet, and if so, which point of the box is nearest to the sphere's centre?
///
/// The verdict is that of cd_test_sphere_aabb, the point that of cd_closest_pt_point_aabb. `closest` may be NULL.
CD_API bool cd_test_sphere_aabb_closest(cd_sphere s, cd_aabb b, cd_vec3 *closest);

/// The same for an oriented box.
CD_API bool cd_test_sphere_obb_closest(cd_sphere s, const cd_obb *b, cd_vec3 *closest);

/// The same for a triangle.
CD_API bool cd_test_sphere_triangle_closest(cd_sphere s, const cd_triangle *t, cd_vec3 *closest);

/// The same for a convex polygon.
CD_API bool cd_test_sphere_polygon_closest(cd_sphere s, const cd_vec3 *polygon, size_t count,
                                           cd_vec3 *closest);
