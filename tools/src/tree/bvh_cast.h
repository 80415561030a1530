#pragma once
/* bvh_cast: rays and segments against a tree (Ericson 6.4.2, 5.3.6).
 *
 * What comes out is what a loop over all primitives with the call for one says, bit for bit: cd_cast_ray_triangle,
 * cd_cast_ray_aabb for boxes, `cast_ray` for primitives of the caller's own; a ray does not hit points. Class: theirs; so
 * nothing slips between neighbouring triangles. Options count for every primitive alike; the filter is asked about hits
 * only.
 *
 * The nearest hit is the one with the smallest t, then with the smallest index. The t of rays against triangles are
 * compared before they are rounded; all others as they are in the hit.
 *
 * `t_max` may be infinite; options and outputs may be NULL; NaN or infinity in: no hit. Cost: about the primitives and boxes
 * that the ray passes through up to the hit; no memory. */

#include "query/cast_triangle.h"
#include "tree/bvh.h"

/// The nearest hit; false, with `hit` untouched, when there is none.
CD_API bool cd_bvh_cast_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options, cd_hit *hit);

/// Is there any hit with t up to `t_max`? Faster than asking for the nearest: for shadows and lines of sight.
CD_API bool cd_bvh_test_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options);

/// cd_bvh_cast_ray with a memory: what was hit last is tried first, which pays where one ray is much like the one before
/// (13.2).
///
/// The answer is that of cd_bvh_cast_ray, bit for bit, whatever `*last` holds: begin with CD_NONE. A hit is noted in it as
/// the tree's own number of the primitive; a ray without a hit leaves it alone. NULL for none.
CD_API bool cd_bvh_cast_ray_again(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                                  const cd_cast_options *options, uint32_t *last, cd_hit *hit);

/// cd_bvh_test_ray with a memory, as cd_bvh_cast_ray_again: neighbouring points are often in the shadow of one primitive.
CD_API bool cd_bvh_test_ray_again(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                                  const cd_cast_options *options, uint32_t *last);

/// All hits: returns how many there are, and writes the first `capacity` of them, nearest first.
///
/// With more hits than room, those written are the nearest. Cost: every primitive along the ray; n log capacity.
CD_API size_t cd_bvh_cast_ray_all(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                                  const cd_cast_options *options, cd_hit *hits, size_t capacity);

/// cd_bvh_cast_ray on `count` rays, bit for bit. Returns how many hit; `hits[i].index` is CD_NONE and the rest zero where
/// ray i does not. `t_max` may be NULL for rays without end.
CD_API size_t cd_bvh_cast_rays(const cd_bvh *tree, const cd_ray *rays, const cd_real *t_max, size_t count,
                               const cd_cast_options *options, cd_hit *hits);

/// cd_bvh_test_ray on `count` rays. Returns how many hit; `hits[i]` tells whether ray i does. `t_max` may be NULL for rays
/// without end, `hits` for the count alone.
CD_API size_t cd_bvh_test_rays(const cd_bvh *tree, const cd_ray *rays, const cd_real *t_max, size_t count,
                               const cd_cast_options *options, bool *hits);

/// The nearest hit of a segment, as cd_cast_segment_triangle and cd_cast_segment_aabb; false, with `hit` untouched, when
/// there is none. Primitives of the caller's own are asked with a ray from `a` along b - a, up to t = 1.
CD_API bool cd_bvh_cast_segment(const cd_bvh *tree, const cd_segment *s, const cd_cast_options *options,
                                cd_hit *hit);

/// Does the segment hit anything?
CD_API bool cd_bvh_test_segment(const cd_bvh *tree, const cd_segment *s, const cd_cast_options *options);
