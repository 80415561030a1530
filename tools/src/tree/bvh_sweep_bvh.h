#pragma once
/* bvh_sweep_bvh: two trees that move: when do they first touch, and which of their primitives (Ericson 5.5, 6.3; the article
 * on AABB trees).
 *
 * Both move evenly and straight, without turning, t from 0 to 1, by `motion_a` and `motion_b`. B lies in A's frame at `b_in_a`
 * at t = 0, NULL for the identity, and is posed as in tree/bvh_collide; both motions are in A's frame. So it is A that moves by
 * their difference, which is not rounded, as seen from B: the answer is that of query/sweep for the primitives, bit for bit:
 * cd_sweep_triangle_triangle, cd_sweep_triangle_aabb, cd_sweep_triangle_obb, cd_sweep_aabb_triangle, cd_sweep_aabb_aabb,
 * cd_sweep_obb_obb. A point is a triangle with three corners in one place, primitives of the caller's own count as their boxes.
 * Posed boxes are taken as they are written, where in tree/bvh_collide points and triangles meet their slabs: the two may differ by
 * some units in the last place of the half widths.
 * Of several contacts the one with the smallest `t` counts, then the one with the smallest index in A, then in B.
 *
 * The hit is one of B, as query/sweep says: the normal is out of B, faces and features are B's, `index` too. Its point is where
 * it is at that time, in A's frame at t = 0. Starts and culling are of each pair: with CD_CAST_START_IGNORE two triangles
 * that start in contact pass through each other, and all others meet.
 *
 * Class: conservative, as query/sweep: t is never later than the truth for the primitives as they are posed. The trees are
 * descended side by side, the boxes that come together first before all others. */

#include "query/sweep_triangle.h"
#include "tree/bvh_collide.h"

/// Options; the zero object is the default, and NULL stands for it.
typedef struct cd_bvh_pair_sweep_options {
    uint32_t flags; ///< of `cd_cast_flag`
    cd_real t_min;  ///< the motion is looked at from here on; below 0 counts as 0
    cd_real t_max;  ///< up to here, as times are told: rounded down; 0 for 1, which is also the most
    /// masks, and a filter, which is asked about pairs that else would be the answer
    cd_bvh_pair_options pairs;
} cd_bvh_pair_sweep_options;

/// The first contact of two trees in straight motion; false, with `hit` and `pair`, which may be NULL, untouched, when there is
/// none.
///
/// NaN or infinity in a motion, a pose that is not valid, t_min > t_max, an empty tree: false. Cost: that of the pairs of boxes
/// and triangles which come together before the first contact. Source: Ericson 6.3.
CD_API bool cd_bvh_sweep_bvh(const cd_bvh *a, cd_vec3 motion_a, const cd_bvh *b, const cd_transform *b_in_a,
                             cd_vec3 motion_b, const cd_bvh_pair_sweep_options *options, cd_hit *hit,
                             cd_pair *pair);

/// Do they touch at any time? Faster than asking for the first contact; `pair`, which may be NULL, takes any that do.
CD_API bool cd_bvh_test_sweep_bvh(const cd_bvh *a, cd_vec3 motion_a, const cd_bvh *b,
                                  const cd_transform *b_in_a, cd_vec3 motion_b,
                                  const cd_bvh_pair_sweep_options *options, cd_pair *pair);
