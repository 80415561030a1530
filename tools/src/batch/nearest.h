#pragma once
/* nearest: the nearest of many triangles to a point, and of many points to a triangle (Ericson 5.1.5).
 *
 * The answer is that of the call for two on the pair with the smallest squared distance, compared before it is rounded, then
 * with the smallest index; bit for bit. Lower bounds, from the triangles' bounding boxes, pass over eight at a time; the
 * call for two is made for those that may be nearer than all before. Things with NaN or infinity in them are passed over.
 * Cost: linear, and of those calls about as many as the logarithm of the count in no special order; no memory. */

#include "batch/blocks.h"
#include "query/closest.h"

/// The nearest of `count` triangles to a point, as cd_closest_pts_point_triangle with `out->index_b` the triangle's index;
/// false, with `out` untouched, when there is none.
CD_API bool cd_closest_pts_point_triangles(cd_vec3 p, const cd_triangle *many, size_t count, cd_closest *out);

/// The same for triangles in blocks; `count` counts triangles.
CD_API bool cd_closest_pts_point_triangle8s(cd_vec3 p, const cd_triangle8 *blocks, size_t count,
                                            cd_closest *out);

/// The nearest of `count` points to a triangle, as cd_closest_pts_point_triangle with `out->index_a` the point's index;
/// false, with `out` untouched, when there is none.
CD_API bool cd_closest_pts_points_triangle(const cd_vec3 *many, size_t count, const cd_triangle *t,
                                           cd_closest *out);
