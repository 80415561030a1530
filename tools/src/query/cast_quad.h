#pragma once
/* cast_quad: lines, rays and segments against quadrilaterals (Ericson 5.3.5).
 *
 * A quadrilateral is the two triangles a, b, c and a, c, d, also where it is not flat or not convex; the casts and their class
 * are those of query/cast_triangle: exact in whether there is a hit, on which half and on which feature. A line through the
 * diagonal, or any edge that two quadrilaterals share, does not slip through. Of two hits, on the halves of one that is not
 * flat, the nearer one is the answer; of equal ones, as on the diagonal, that on the half a, b, c.
 *
 * `hit->feature` is a vertex 0-3 (a to d), an edge 0-3 (a b, b c, c d, d a) when it is met exactly, otherwise face 0 for the
 * half a, b, c with the diagonal, face 1 for the half a, c, d. `hit->u` and `hit->v` go from (0, 0) at a to (1, 0) at b, (1, 1)
 * at c and (0, 1) at d, linear on each half: for a parallelogram they are its coordinates. With u >= v it is the half a, b, c,
 * and the weights of its corners are 1 - u, u - v, v; otherwise it is the half a, c, d, and they are 1 - v, u, v - u. */

#include "query/hit.h"
#include "shape/linear.h"

/// Ray against quadrilateral; `t_max` may be infinite. Front and back are those of each half. NaN or infinity in: false.
CD_API bool cd_cast_ray_quad(const cd_ray *r, cd_real t_max, const cd_quad *q, const cd_cast_options *options,
                             cd_hit *hit);

/// Line against quadrilateral: as a ray that has no beginning; t may be negative. `options->t_min` is not used.
CD_API bool cd_cast_line_quad(const cd_line *l, const cd_quad *q, const cd_cast_options *options,
                              cd_hit *hit);

/// Segment against quadrilateral; t from 0 at `a` to 1 at `b`. Exact for the segment's own two points.
CD_API bool cd_cast_segment_quad(const cd_segment *s, const cd_quad *q, const cd_cast_options *options,
                                 cd_hit *hit);
