#pragma once
/* shell: points, rays, planes, boxes and spheres against spherical shells.
 *
 * Closed sets: touching counts. An invalid shell (cd_spherical_shell_is_valid), NaN or infinity: false, or NaN where a point
 * is asked for. A shell is not convex: by GJK its hull can be tested, not itself. Polygons meet it by casts along their edges
 * and the closest points of their faces only where it is all around, so they have no form here. */

#include "query/cast.h"
#include "shape/shell.h"

/// Is the point in the shell? Class: exact.
CD_API bool cd_test_point_spherical_shell(cd_vec3 p, const cd_spherical_shell *s);

/// The closest point; p itself when inside. From the centre or the far side of the axis, one of many.
///
/// Class: tolerant, 8 units of double of the largest of the distance and the radii, and the rounding of the result.
CD_API cd_vec3 cd_closest_pt_point_spherical_shell(cd_vec3 p, const cd_spherical_shell *s);

/// Do sphere and shell meet? Class: tolerant, as the closest point.
CD_API bool cd_test_sphere_spherical_shell(cd_sphere b, const cd_spherical_shell *s);

/// Do shell and plane meet? Class: tolerant, 16 units of double of the largest coordinate and the outer radius.
CD_API bool cd_test_spherical_shell_plane(const cd_spherical_shell *s, cd_plane plane);

/// Do the shell and the half-space n . x <= d meet? Class as cd_test_spherical_shell_plane.
CD_API bool cd_test_spherical_shell_halfspace(const cd_spherical_shell *s, cd_plane plane);

/// Do shell and box meet?
///
/// Class: exact up to 8 units of double for shells all around (cos_angle = -1), by the nearest and the farthest point of the
/// box. Others are conservative: never false for those that meet; true for some that do not, near the cone.
CD_API bool cd_test_spherical_shell_aabb(const cd_spherical_shell *s, cd_aabb b);

/// Do two shells meet?
///
/// Class: exact when both are all around. With equal centres: tolerant, 16 units of double of the angles. Otherwise
/// conservative: never false for those that meet.
CD_API bool cd_test_spherical_shell_spherical_shell(const cd_spherical_shell *a, const cd_spherical_shell *b);

/// Ray against shell: the outer sphere, the inner one and the cone.
///
/// The line is inside in at most four pieces; the first one counts that does not end before the ray begins. With
/// CD_CAST_START_IGNORE a piece that the ray begins in is passed over, not those after it. Features: face 0 the outer sphere,
/// 1 the inner, 2 the cone. Class: tolerant, 16 units of double of the distance from the origin to the shell.
CD_API bool cd_cast_ray_spherical_shell(const cd_ray *r, cd_real t_max, const cd_spherical_shell *shell,
                                        const cd_cast_options *options, cd_hit *hit);

/// Segment against spherical shell.
CD_API bool cd_cast_segment_spherical_shell(const cd_segment *s, const cd_spherical_shell *shell,
                                            const cd_cast_options *options, cd_hit *hit);

/// Line against spherical shell.
CD_API bool cd_cast_line_spherical_shell(const cd_line *l, const cd_spherical_shell *shell,
                                         const cd_cast_options *options, cd_hit *hit);
