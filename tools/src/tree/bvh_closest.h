#pragma once
/* bvh_closest: the point of a mesh nearest to a point. */

#include "query/hit.h"
#include "tree/bvh.h"

/// The point of the tree's triangles nearest to `p`, if it is no farther than `max_distance` (which may be infinite).
///
/// `out->a` is p, `out->b` the point found, `out->index_b` its triangle, `out->s` and `out->t` the weights of the corners b
/// and c, `out->feature_b` what it lies on. The nearest is the one with the smallest squared distance, compared
/// before it is rounded, then with the smallest index. False, with `out` untouched, when there is none, or for NaN
/// or infinity in `p`. `filter` may be NULL. Class: tolerant, as cd_closest_pts_point_triangle.
CD_API bool cd_bvh_closest(const cd_bvh *tree, cd_vec3 p, cd_real max_distance, const cd_filter *filter,
                           cd_closest *out);
