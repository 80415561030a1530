#pragma once
/* bvh_cast: rays against a tree (Ericson 6.4.2, 5.3.6).
 *
 * Class: exact in what is hit, as cd_cast_ray_triangle on every triangle: nothing slips between neighbours. The nearest
 * hit is the one with the smallest t, compared before it is rounded, then with the smallest index. `t_max` may be
 * infinite; options and outputs may be NULL; NaN or infinity in the ray: no hit. */

#include "query/cast_triangle.h"
#include "tree/bvh.h"

/// The nearest hit; false, with `hit` untouched, when there is none.
CD_API bool cd_bvh_cast_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options, cd_hit *hit);

/// Is there any hit with t up to `t_max`? Faster than asking for the nearest: for shadows and lines of sight.
CD_API bool cd_bvh_test_ray(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                            const cd_cast_options *options);

/// All hits: returns how many there are, and writes the first `capacity` of them, nearest first.
///
/// With more hits than room, those written are the nearest. Cost: every triangle along the ray; n log capacity.
CD_API size_t cd_bvh_cast_ray_all(const cd_bvh *tree, const cd_ray *r, cd_real t_max,
                                  const cd_cast_options *options, cd_hit *hits, size_t capacity);

/// cd_bvh_cast_ray on `count` rays, bit for bit. Returns how many hit; `hits[i].index` is CD_NONE and the rest zero where
/// ray i does not. `t_max` may be NULL for rays without end.
CD_API size_t cd_bvh_cast_rays(const cd_bvh *tree, const cd_ray *rays, const cd_real *t_max, size_t count,
                               const cd_cast_options *options, cd_hit *hits);
