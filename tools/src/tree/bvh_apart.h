#pragma once
/* bvh_apart: how far two trees are apart (Ericson 6.3; Quinlan 1994). */

#include "tree/bvh_collide.h"

/// The two nearest primitives of two trees, no farther apart than `max_distance`; of equally near ones the smallest index of
/// A, then of B. Where the nearest points are corners of both, those that share them are equally near, to the last place.
///
/// `out` is the answer of cd_closest_pts_triangle_triangle for them, B's corners in A's frame, with the indices; false, and
/// `out` as it was, when there is none. The squared distances are compared as they are before they are rounded: 0 exactly for
/// those that meet. A point is taken for a triangle, a box for its six faces, unless it is met, where the points are those that
/// the faces have in common or, where one holds the other, the other's middle, and features are 0. Primitives of the caller's own
/// count as their boxes. The rule of `options` has no meaning: the nearest pair of boxes comes first. `out` may be NULL. A
/// `max_distance` that is negative or NaN has no answer, nor has a pose that is not finite.
/// Stack: 19 KiB in floats, 21 KiB in doubles.
/// Class: verdicts exact for triangles and points, distances tolerant, as cd_closest_pts_triangle_triangle.
/// Cost: all pairs are measured whose boxes are no farther apart than the answer, but for a millionth of it, and that are not
/// beyond it along the way between the best two. Of trees thousands of times their sizes apart that is in doubles, and serves
/// until 10^8 times; from there on what rounding leaves is ever more alike, and from 10^11 on it is every pair, as of many
/// copies of one triangle.
CD_API bool cd_bvh_closest_bvh(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                               cd_real max_distance, const cd_bvh_pair_options *options, cd_closest *out);

/// cd_bvh_closest_bvh with a memory: the pair that was nearest last is measured first, so that nothing farther than that is looked
/// into (6.7.1).
///
/// The answer is that of cd_bvh_closest_bvh, bit for bit, whatever `*last` holds: begin with CD_NONE in both members. The nearest
/// pair is noted in it by the trees' own numbers of the primitives; without an answer it is left alone. NULL for none.
CD_API bool cd_bvh_closest_bvh_again(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                     cd_real max_distance, const cd_bvh_pair_options *options, cd_pair *last,
                                     cd_closest *out);
