#pragma once
/* sweep_capsule: a moving capsule.
 *
 * What all sweeps have in common, the class, the excess, starts, faces and bad input, is in query/sweep. The core of a capsule
 * is a segment: it meets something when one of its ends meets the sum of that and the turned segment (Ericson 5.5, 3.11), so
 * that all of these are a point moving against the faces of that sum, grown by the radii. A capsule whose ends coincide is a
 * sphere. Where the capsule lies along an edge or a face, the contact point is the middle of what they share. */

#include "query/sweep.h"
#include "shape/linear.h"
#include "shape/swept.h"
#include "shape/volume.h"

/// A moving capsule against a sphere: the motion turned around is that of a point against a capsule. Cost: constant.
CD_API bool cd_sweep_capsule_sphere(const cd_capsule *c, cd_vec3 motion, cd_sphere s,
                                    const cd_cast_options *options, cd_hit *hit);

/// A moving capsule against a capsule, whose core has the features of a segment. Cost: constant.
CD_API bool cd_sweep_capsule_capsule(const cd_capsule *c, cd_vec3 motion, const cd_capsule *target,
                                     const cd_cast_options *options, cd_hit *hit);

/// A moving capsule against a triangle, which may be a needle, a segment or a point. Cost: constant; made for meshes, where
/// most triangles are passed over by their bounds or their plane.
CD_API bool cd_sweep_capsule_triangle(const cd_capsule *c, cd_vec3 motion, const cd_triangle *t,
                                      const cd_cast_options *options, cd_hit *hit);

/// A moving capsule against `count` triangles: the hit of the least t, and of the smallest index, which is `hit->index`, where
/// several are as soon. The filter passes over triangles. The same bits as the single calls. Cost: linear.
CD_API bool cd_sweep_capsule_triangles(const cd_capsule *c, cd_vec3 motion, const cd_triangle *t,
                                       size_t count, const cd_cast_options *options, cd_hit *hit);

/// A moving capsule against a convex polygon, the fan of triangles from its first corner. Features: vertices, edge i from
/// vertex i to the next, face 0. Cost: linear.
CD_API bool cd_sweep_capsule_polygon(const cd_capsule *c, cd_vec3 motion, const cd_vec3 *polygon,
                                     size_t count, const cd_cast_options *options, cd_hit *hit);

/// A moving capsule against a box. Cost: constant.
CD_API bool cd_sweep_capsule_aabb(const cd_capsule *c, cd_vec3 motion, cd_aabb b,
                                  const cd_cast_options *options, cd_hit *hit);

/// A moving capsule against an oriented box: the one that its axes span as they are, which need not be quite unit and
/// perpendicular. Cost: constant.
CD_API bool cd_sweep_capsule_obb(const cd_capsule *c, cd_vec3 motion, const cd_obb *b,
                                 const cd_cast_options *options, cd_hit *hit);
