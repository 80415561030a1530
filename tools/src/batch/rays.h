#pragma once
/* rays: one ray against many triangles or boxes, and many rays against one (Ericson 5.3.3, 5.3.6).
 *
 * What comes out is what the calls for one ray and one shape say, bit for bit. Eight at a time (four in a double build) are
 * looked at with a known rounding error; only where that leaves doubt, and for the hits that are to be told, the call
 * for one is made. Blocks are read fastest; of plain arrays eight are turned to a block first, which costs about as much
 * as the look. Cost: linear; no memory. Class: that of the calls for one. NULL is fine where a count is 0. */

#include "batch/blocks.h"
#include "query/cast.h"
#include "query/cast_triangle.h"

/// The nearest of the hits of a ray with triangles, as cd_cast_ray_triangle with `hit->index` the triangle's index; false,
/// with `hit` untouched, when there is none.
///
/// The nearest is the one with the smallest t, compared before it is rounded, then with the smallest index, as in a tree.
/// Indices above 2^32 - 1 cannot be told: counts beyond are cut there. The filter is asked about hits only.
CD_API bool cd_cast_ray_triangles(const cd_ray *r, cd_real t_max, const cd_triangle *many, size_t count,
                                  const cd_cast_options *options, cd_hit *hit);

/// The same for triangles in blocks; `count` counts triangles.
CD_API bool cd_cast_ray_triangle8s(const cd_ray *r, cd_real t_max, const cd_triangle8 *blocks, size_t count,
                                   const cd_cast_options *options, cd_hit *hit);

/// cd_cast_ray_triangle on `count` rays. Returns how many hit; `hits[i].index` is CD_NONE and the rest zero where ray i
/// does not. `t_max` may be NULL for rays without end, `hits` for the count alone.
CD_API size_t cd_cast_rays_triangle(const cd_ray *rays, const cd_real *t_max, size_t count,
                                    const cd_triangle *t, const cd_cast_options *options, cd_hit *hits);

/// Which boxes does the ray meet at t in [0, t_max]? Those that cd_cast_ray_aabb without options hits, in ascending order:
/// returns how many there are, and writes the first `capacity` of them. Counts above 2^32 - 1 are cut there.
CD_API size_t cd_test_ray_aabbs(const cd_ray *r, cd_real t_max, const cd_aabb *many, size_t count,
                                uint32_t *hits, size_t capacity);

/// The same for boxes in blocks; `count` counts boxes.
CD_API size_t cd_test_ray_aabb8s(const cd_ray *r, cd_real t_max, const cd_aabb8 *blocks, size_t count,
                                 uint32_t *hits, size_t capacity);

/// Which rays meet the box at t in [0, t_max]? As cd_test_ray_aabbs.
CD_API size_t cd_test_rays_aabb(const cd_ray *rays, size_t count, cd_real t_max, cd_aabb b, uint32_t *hits,
                                size_t capacity);
