#pragma once
/* bvh_self: which primitives of one tree meet each other.
 *
 * One descent through the tree against itself, that comes to no pair twice. What is decided is as in bvh_collide; of each
 * pair the smaller index is `a`. In options, both masks hide primitives wherever they stand, and the rule has no meaning.
 *
 * The triangles of a mesh always meet their neighbours. CD_BVH_SKIP_NEIGHBOURS leaves out every pair of triangles that
 * have a corner in common: the same coordinates, exactly, whether they come from one vertex of the mesh or from several.
 * CD_BVH_SKIP_TOUCHING leaves out fewer: of these pairs it tells those that have more in common than one corner, or one
 * edge between two; that is exact. So it tells of two triangles at a corner when one runs through the other, of two at an
 * edge when they lie on each other, and of two with the same three corners. A triangle
 * without area that shares a corner may always be told of there. Boxes and points have no neighbours. */

#include "tree/bvh_collide.h"

/// Visits all pairs of the tree's primitives that meet; false when the visitor stopped it.
CD_API bool cd_bvh_traverse_self(const cd_bvh *tree, const cd_bvh_pair_options *options,
                                 cd_visit_pair_fn visit, void *user);

/// Returns how many pairs of the tree's primitives meet, and writes the first `capacity` of them.
CD_API size_t cd_bvh_self_pairs(const cd_bvh *tree, const cd_bvh_pair_options *options, cd_pair *pairs,
                                size_t capacity);

/// Do any two of the tree's primitives meet? `pair`, which may be NULL, takes the first pair found, as in cd_bvh_test_bvh: any
/// of them, not always the first that a visitor is called with.
CD_API bool cd_bvh_test_self(const cd_bvh *tree, const cd_bvh_pair_options *options, cd_pair *pair);
