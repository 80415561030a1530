#pragma once
/* bvh_closest: what of a tree is nearest to a point (Ericson 5.1, 6.3).
 *
 * Each answer is that of a loop over all primitives with the call for one, bit for bit: cd_closest_pts_point_triangle,
 * cd_closest_pts_point_aabb (of the solid box: the point itself, with `sqdist` 0, inside), for a point of the tree that
 * point with feature_b its vertex, and for primitives of the caller's own their `closest`. index_b is the primitive's.
 * Nearer is what has the smaller squared distance, compared before it is rounded, then the smaller index. What is as far
 * away as `max_distance` is still found; it may be infinite. (It is taken as it is, and distances that are told are rounded to the
 * nearest: what was found is found again up to cd_next_up of its distance.) `filter` may be NULL. NaN or infinity in a point, NaN or a
 * negative number for a distance, an empty tree: nothing is found.
 *
 * A `closest` of the caller's own is asked with less and less for `max_distance`, and once more at the end: its
 * answer, when it has one, must not depend on it.
 *
 * Class of all: tolerant, as the call for one. Cost: about the logarithm of the count for points that are not about
 * equally far from much of the tree; no memory. */

#include "query/hit.h"
#include "tree/bvh.h"

/// The nearest primitive; false, with `out` untouched, when there is none.
CD_API bool cd_bvh_closest(const cd_bvh *tree, cd_vec3 p, cd_real max_distance, const cd_filter *filter,
                           cd_closest *out);

/// The `k` nearest primitives, the nearest first: returns how many are written, fewer than k where there are no more.
///
/// `out` has room for k and is used while they are looked for. Cost: for each that is met, log k more.
CD_API size_t cd_bvh_closest_k(const cd_bvh *tree, cd_vec3 p, size_t k, cd_real max_distance,
                               const cd_filter *filter, cd_closest *out);

/// cd_bvh_closest for `count` points, bit for bit. Returns for how many there is one; `out[i].index_b` is CD_NONE and the
/// rest zero where there is none for point i. `max_distance` has a number for each, and may be NULL for no limit.
CD_API size_t cd_bvh_closest_points(const cd_bvh *tree, const cd_vec3 *points, const cd_real *max_distance,
                                    size_t count, const cd_filter *filter, cd_closest *out);

/// Is any primitive within `distance` of the point? Faster than asking for the nearest: it ends at the first one.
CD_API bool cd_bvh_test_distance(const cd_bvh *tree, cd_vec3 p, cd_real distance, const cd_filter *filter);
