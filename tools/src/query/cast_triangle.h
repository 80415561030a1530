#pragma once
/* cast_triangle: lines, rays and segments against triangles (Ericson 5.3.4, 5.3.6).
 *
 * Class: exact in whether there is a hit, and on which feature: three signs of the line against the edges and one of
 * the origin against the plane, by the scalar triple products of the book in a form with an error bound, and exactly
 * where the bound cannot tell. So a closed mesh never lets a ray through between two triangles, and the answer
 * does not depend on the order of the corners. The sheared form of the products is that of Woop, Benthin and Wald
 * 2013. t lies within the triangle's bounding box and is good to a few units in the last place of the numbers met, but
 * loses digits as the ray comes to graze the plane; the weights u and v also as the triangle becomes thin.
 *
 * A line in the plane of the triangle does not hit it, nor does any line hit a triangle without area: the neighbours
 * in a closed mesh answer. (cd_test_segment_triangle counts such contacts.) */

#include "query/hit.h"
#include "shape/linear.h"

/// Ray against triangle; `t_max` may be infinite.
///
/// `hit->normal` is on the side the ray comes from; CD_HIT_BACK tells that this is not the front. `hit->u` and
/// `hit->v` are the weights of b and c; `hit->feature` is a vertex or edge only when the ray meets it exactly.
/// NaN or infinity in: false.
CD_API bool cd_cast_ray_triangle(const cd_ray *r, cd_real t_max, const cd_triangle *t,
                                 const cd_cast_options *options, cd_hit *hit);

/// Line against triangle: as a ray that has no beginning; t may be negative. `options->t_min` is not used.
CD_API bool cd_cast_line_triangle(const cd_line *l, const cd_triangle *t, const cd_cast_options *options,
                                  cd_hit *hit);

/// Segment against triangle; t from 0 at `a` to 1 at `b`. Exact for the segment's own two points, whose difference
/// no ray can hold.
CD_API bool cd_cast_segment_triangle(const cd_segment *s, const cd_triangle *t,
                                     const cd_cast_options *options, cd_hit *hit);
