#pragma once
/* sweep_sphere: a moving sphere (Ericson 5.5.3-5.5.7).
 *
 * Its centre is cast against the other thing grown by its radius: a sphere, a capsule, or flat pieces with rounded borders, of which
 * a box shows the centre three at most. What is met is in sweep; no routine takes memory, and false is the answer to what
 * is not valid (spheres of negative radius, empty boxes). */

#include "query/sweep.h"
#include "shape/linear.h"
#include "shape/swept.h"
#include "shape/volume.h"

/// First contact of a moving sphere with a sphere at rest; where that moves, too, by the difference of their motions.
///
/// Class: conservative, see sweep. Source: Ericson 5.5.5 (IntersectMovingSphereSphere).
CD_API bool cd_sweep_sphere_sphere(cd_sphere s, cd_vec3 motion, cd_sphere other,
                                   const cd_cast_options *options, cd_hit *hit);

/// ... with a capsule. The feature is face 0. Class: conservative. Cost: about that of a cast at a capsule.
CD_API bool cd_sweep_sphere_capsule(cd_sphere s, cd_vec3 motion, const cd_capsule *other,
                                    const cd_cast_options *options, cd_hit *hit);

/// ... with a triangle, of two sides; one without an area is a segment or a point.
///
/// Class: conservative. Edges as corners are met as sharply as the face. Source: Ericson 5.5.6 (IntersectMovingSphereTriangle).
CD_API bool cd_sweep_sphere_triangle(cd_sphere s, cd_vec3 motion, const cd_triangle *t,
                                     const cd_cast_options *options, cd_hit *hit);

/// ... with the nearest of many triangles, `hit->index` the triangle's: that of the smallest t, compared before it is rounded,
/// then that of the smallest index. False, with `hit` untouched, when none is hit.
///
/// What cd_sweep_sphere_triangle says of the triangle, bit for bit. The filter is asked about hits only, and of these only
/// about such as are nearer than all before. Indices above 2^32 - 1 cannot be told: counts beyond are cut there. NULL is fine
/// where the count is 0. Class: conservative. Cost: linear.
CD_API bool cd_sweep_sphere_triangles(cd_sphere s, cd_vec3 motion, const cd_triangle *t, size_t count,
                                      const cd_cast_options *options, cd_hit *hit);

/// ... with a convex polygon, its corners in order in a plane. One of two corners is a segment, one of one a point, of none
/// nothing. `hit->feature` counts corners and edges as cd_closest_pts_point_polygon.
///
/// Class: conservative, for the triangles about the first corner. Cost: linear in count. Source: Ericson 5.5.6.
CD_API bool cd_sweep_sphere_polygon(cd_sphere s, cd_vec3 motion, const cd_vec3 *polygon, size_t count,
                                    const cd_cast_options *options, cd_hit *hit);

/// ... with a box; one that is flat in an axis or more is met as what is left.
///
/// Class: conservative. Source: Ericson 5.5.7 (IntersectMovingSphereAABB), where corners and edges are told apart by the point
/// of the sphere's centre, not of its entry into the widened box.
CD_API bool cd_sweep_sphere_aabb(cd_sphere s, cd_vec3 motion, cd_aabb b, const cd_cast_options *options,
                                 cd_hit *hit);

/// ... with an oriented box: the parallelepiped that its axes span, if they are not quite perpendicular.
CD_API bool cd_sweep_sphere_obb(cd_sphere s, cd_vec3 motion, const cd_obb *b, const cd_cast_options *options,
                                cd_hit *hit);
