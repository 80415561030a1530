#pragma once
/* sweep_hull: a moving convex hull against triangles, boxes and spheres, and a moving sphere against a hull (Ericson 5.5, 5.2.1).
 *
 * Separating axes in motion, as of query/sweep_box: the normals of the faces of both and, where an edge of the one and an edge
 * of the other can be the nearest, the axis across both. That they can is asked of the faces beside the hull's edge. What an axis
 * says is measured on all of the hull, by climbing it, so that no rounding makes a contact late: but only where it
 * would matter.
 *
 * The hull may have any dimension from 0 to 3: a point, a segment, a polygon or a body. Where its faces were merged, it is the
 * convex hull of its vertices that moves, and may be met early by as much as its planes bound more than that. Normals, points, features,
 * options, class, starts and bad input are those of query/sweep and query/sweep_box; the empty hull and NULL meet nothing. No
 * routine takes memory. Cost: linear in the hull's edges where they come near each other. */

#include "hull/hull.h"
#include "query/sweep.h"

/// A moving hull against a triangle of two sides, which may be a needle, a segment or a point.
CD_API bool cd_sweep_hull_triangle(const cd_hull *hull, cd_vec3 motion, const cd_triangle *t,
                                   const cd_cast_options *options, cd_hit *hit);

/// A moving hull against a box.
CD_API bool cd_sweep_hull_aabb(const cd_hull *hull, cd_vec3 motion, cd_aabb b, const cd_cast_options *options,
                               cd_hit *hit);

/// A moving hull against an oriented box, taken literally.
CD_API bool cd_sweep_hull_obb(const cd_hull *hull, cd_vec3 motion, const cd_obb *b,
                              const cd_cast_options *options, cd_hit *hit);

/// A moving hull against a sphere: as the sphere would meet it; the point is on the sphere, feature face 0.
CD_API bool cd_sweep_hull_sphere(const cd_hull *hull, cd_vec3 motion, cd_sphere s,
                                 const cd_cast_options *options, cd_hit *hit);

/// A moving sphere against a hull, a solid. Features: the hull's vertices and faces, and the smaller number of an edge's two
/// half-edges.
///
/// The body is that of cd_hull_triangles. Class: conservative. Cost: linear in the hull's faces.
CD_API bool cd_sweep_sphere_hull(cd_sphere s, cd_vec3 motion, const cd_hull *hull,
                                 const cd_cast_options *options, cd_hit *hit);
