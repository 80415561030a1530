#pragma once
/* sweep_ellipsoid: a moving ellipsoid against spheres, triangles, polygons and boxes.
 *
 * The distance of two convex things in straight motion is a convex function of time, so Newton's method from the left never
 * oversteps the first contact: a plane between the two, here where they are nearest, falls on the moving thing no later than
 * that. The planes are found in the space where the ellipsoid is the unit ball (Ericson 4.7), and those along the face and the
 * edges nearby beside them; but how far they are from each thing is measured in true space, by how far the things reach along
 * their normals. So whatever rounding does to a plane, no contact is late or missed. A handful of steps is usual; the bound is
 * 128, after which what has been reached counts as contact.
 *
 * Ellipsoids may be flat, discs, needles and points, and smaller than the excess. Class: that of query/sweep. Where the least radius
 * of curvature, the square of the least half length over the longest, is below four times the excess, planes are found in true
 * space, too, for every corner and edge: a step costs several times as much. Half lengths below 2^-24 of the longest count as that
 * when the nearest point is looked for, so the point told may be 2^-22 of the longest half length off the ellipsoid. The distances
 * and sizes of the things met do not change the excess but through the largest coordinate.
 *
 * A start in contact has the depth along the reported normal, which is that of the plane passed least among those that the
 * nearest points, faces and edges give; moving by it ends the overlap. */

#include "query/sweep.h"
#include "shape/ellipsoid.h"
#include "shape/linear.h"

/// A moving ellipsoid against a sphere. The feature is face 0. See query/sweep.
CD_API bool cd_sweep_ellipsoid_sphere(const cd_ellipsoid *e, cd_vec3 motion, cd_sphere s,
                                      const cd_cast_options *options, cd_hit *hit);

/// A moving ellipsoid against a triangle, which may be a segment or a point.
CD_API bool cd_sweep_ellipsoid_triangle(const cd_ellipsoid *e, cd_vec3 motion, const cd_triangle *t,
                                        const cd_cast_options *options, cd_hit *hit);

/// A moving ellipsoid against a flat convex polygon of `count` corners; two corners are a segment, one a point; none: false.
///
/// It is the fan of triangles from its first corner. Features: corner i; edge i from there to the next; face 0. `u` and `v`
/// are 0. Cost: linear; quadratic at worst, where a corner is met in which several triangles of the fan meet.
CD_API bool cd_sweep_ellipsoid_polygon(const cd_ellipsoid *e, cd_vec3 motion, const cd_vec3 *polygon,
                                       size_t count, const cd_cast_options *options, cd_hit *hit);

/// A moving ellipsoid against a box, which may be flat. The feature is that of the box.
CD_API bool cd_sweep_ellipsoid_aabb(const cd_ellipsoid *e, cd_vec3 motion, cd_aabb b,
                                    const cd_cast_options *options, cd_hit *hit);

/// A moving ellipsoid against an oriented box.
CD_API bool cd_sweep_ellipsoid_obb(const cd_ellipsoid *e, cd_vec3 motion, const cd_obb *b,
                                   const cd_cast_options *options, cd_hit *hit);
