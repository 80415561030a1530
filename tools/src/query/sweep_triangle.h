#pragma once
/* sweep_triangle: a moving triangle against triangles and boxes (Ericson 5.5): the primitives of two meshes that move.
 *
 * The triangle is a flat hull, and moves as one: by the separating axes in motion of query/sweep_hull, the normals of both
 * planes, across every pair of edges, and, in one plane, across the edges. It may be a needle, a segment or a point, and so may
 * the one it meets. Normals, points, features, options, class, starts and bad input are those of query/sweep. */

#include "query/sweep.h"
#include "shape/linear.h"
#include "shape/volume.h"

/// A moving triangle against another one, of two sides; `u` and `v` are the weights of the point in the one that is met.
///
/// Class: conservative. Cost: constant.
CD_API bool cd_sweep_triangle_triangle(const cd_triangle *a, cd_vec3 motion, const cd_triangle *b,
                                       const cd_cast_options *options, cd_hit *hit);

/// A moving triangle against a box.
CD_API bool cd_sweep_triangle_aabb(const cd_triangle *a, cd_vec3 motion, cd_aabb b,
                                   const cd_cast_options *options, cd_hit *hit);

/// A moving triangle against an oriented box, taken literally, where cd_test_triangle_obb takes its slabs.
CD_API bool cd_sweep_triangle_obb(const cd_triangle *a, cd_vec3 motion, const cd_obb *b,
                                  const cd_cast_options *options, cd_hit *hit);
