#pragma once
/* bvh_collide: which primitives of one tree meet which of another, or come near them (Ericson 6.3; the article on AABB trees).
 *
 * B lies in A's frame at `b_in_a`; NULL is the identity, in which nothing is rounded, and a pose that is not finite meets
 * nothing. Corners and points of B are taken once into A's frame by cd_transform_point, a box of B, where there is a pose,
 * becomes cd_obb_transform(cd_obb_from_aabb(box)). What is decided then is the answer of the library's call for two:
 * cd_test_triangle_triangle, cd_test_triangle_aabb, cd_test_triangle_obb, cd_test_aabb_aabb, cd_test_obb_aabb,
 * cd_test_point_triangle, cd_test_point_aabb, cd_test_point_obb; two points meet when they are the same. So every tree over
 * the same primitives, in every layout, finds the same pairs, all of them. Primitives of the caller's own count as their
 * boxes: the pairs are those worth asking about.
 *
 * A visitor is called once for every pair, in an order that is fixed for the two trees and the rule; the pair holds the
 * primitives' indices in the caller's arrays. False from the visitor ends the query. */

#include "core/transform.h"
#include "query/hit.h"
#include "query/triangle_triangle.h"
#include "tree/bvh.h"

/// Which of two inner nodes is descended into (6.3.2). The pairs are the same for all, the order in which they come is not.
typedef enum cd_bvh_rule {
    CD_BVH_BOTH = 0,         ///< both at once: the fastest
    CD_BVH_A_FIRST = 1,      ///< A down to its leaves, then B: for a small B
    CD_BVH_B_FIRST = 2,      ///< B down to its leaves, then A
    CD_BVH_LARGER_FIRST = 3, ///< the one whose box has the longer side; of equal ones A's
    CD_BVH_ALTERNATING = 4   ///< A and B in turn
} cd_bvh_rule;

/// What cd_bvh_self_pairs leaves out; bits of `cd_bvh_pair_options.flags`.
typedef enum cd_bvh_pair_flag {
    CD_BVH_SKIP_NEIGHBOURS = 1, ///< triangles that have a corner in common
    CD_BVH_SKIP_TOUCHING = 2    ///< ... when they have nothing else in common than corners or one edge
} cd_bvh_pair_flag;

/// False to have a pair passed over.
typedef bool (*cd_filter_pair_fn)(void *user, cd_pair pair);

/// Options of all queries of two trees; the zero object is the default, and NULL stands for it.
typedef struct cd_bvh_pair_options {
    uint32_t flags;    ///< of `cd_bvh_pair_flag`
    uint32_t rule;     ///< of `cd_bvh_rule`; others stand for CD_BVH_BOTH
    uint32_t ignore_a; ///< what shares a bit with it in A, if A has masks, is passed over
    uint32_t ignore_b; ///< the same for B
    /// false for pairs to be passed over; asked only about those that else count; may be NULL
    cd_filter_pair_fn filter;
    void *user; ///< handed to `filter`
} cd_bvh_pair_options;

/// Visits all pairs that meet; false when the visitor stopped it.
CD_API bool cd_bvh_traverse_pairs(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                  const cd_bvh_pair_options *options, cd_visit_pair_fn visit, void *user);

/// Returns how many pairs meet, and writes the first `capacity` of them.
CD_API size_t cd_bvh_collide(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                             const cd_bvh_pair_options *options, cd_pair *pairs, size_t capacity);

/// Does any pair meet? `pair`, which may be NULL, takes the first one found: boxes that lie deepest in each other are looked
/// into first, so that it need not be the first that a visitor is called with.
CD_API bool cd_bvh_test_bvh(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                            const cd_bvh_pair_options *options, cd_pair *pair);

/// cd_bvh_test_bvh with a memory: the pair that was found last is tried first, which pays where one question is much like the
/// one before (6.7.1).
///
/// The verdict is that of cd_bvh_test_bvh, whatever `*last` holds: begin with CD_NONE in both members. A pair that meets is noted
/// in it by the trees' own numbers of the primitives; where none does it is left alone. The pair found may be another one. NULL
/// for none.
CD_API bool cd_bvh_test_bvh_again(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                  const cd_bvh_pair_options *options, cd_pair *last, cd_pair *pair);

/// Visits all pairs that are no farther apart than `distance`, as cd_bvh_closest_bvh measures it; false when the visitor
/// stopped it. A distance of 0 leaves those that meet; one that is negative or NaN nothing.
CD_API bool cd_bvh_traverse_within(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                   cd_real distance, const cd_bvh_pair_options *options,
                                   cd_visit_pair_fn visit, void *user);

/// Returns how many pairs are no farther apart than `distance`, and writes the first `capacity` of them.
CD_API size_t cd_bvh_within(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, cd_real distance,
                            const cd_bvh_pair_options *options, cd_pair *pairs, size_t capacity);

/// Is any pair no farther apart than `distance`? `pair`, which may be NULL, takes the first one found, as in cd_bvh_test_bvh:
/// any of them, neither the nearest nor the first that a visitor is called with.
CD_API bool cd_bvh_test_within(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, cd_real distance,
                               const cd_bvh_pair_options *options, cd_pair *pair);

/// cd_bvh_test_within with a memory, as cd_bvh_test_bvh_again.
CD_API bool cd_bvh_test_within_again(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                     cd_real distance, const cd_bvh_pair_options *options, cd_pair *last,
                                     cd_pair *pair);
