#pragma once
/* bvtree_pairs: two trees of any volumes against each other (Ericson 6.3, 6.4.1; Gottschalk et al. 1996).
 *
 * All as in bvh_collide and bvh_apart: B lies in A's frame at `b_in_a`, NULL is the identity, and the answers are those of a
 * cd_bvh over the same triangles, bit for bit; only the order in which pairs are visited is the trees' own. Two trees of
 * different volumes are compared by spheres around these. Of two nodes one gives way to its children at a time: by
 * default the larger one; CD_BVH_BOTH stands for that, too. Stack, measured (gcc -O2): 17 KiB, in doubles 18. */

#include "tree/bvh_collide.h"
#include "tree/bvtree.h"

/// Visits all pairs of triangles that meet; false when the visitor stopped it.
CD_API bool cd_bvtree_traverse_pairs(const cd_bvtree *a, const cd_bvtree *b, const cd_transform *b_in_a,
                                     const cd_bvh_pair_options *options, cd_visit_pair_fn visit, void *user);

/// Returns how many pairs meet, and writes the first `capacity` of them.
CD_API size_t cd_bvtree_collide(const cd_bvtree *a, const cd_bvtree *b, const cd_transform *b_in_a,
                                const cd_bvh_pair_options *options, cd_pair *pairs, size_t capacity);

/// Does any pair meet? `pair`, which may be NULL, takes the first one found.
CD_API bool cd_bvtree_test_bvtree(const cd_bvtree *a, const cd_bvtree *b, const cd_transform *b_in_a,
                                  const cd_bvh_pair_options *options, cd_pair *pair);

/// Visits all pairs no farther apart than `distance`, as cd_bvh_traverse_within; false when the visitor stopped it.
CD_API bool cd_bvtree_traverse_within(const cd_bvtree *a, const cd_bvtree *b, const cd_transform *b_in_a,
                                      cd_real distance, const cd_bvh_pair_options *options,
                                      cd_visit_pair_fn visit, void *user);

/// The two nearest triangles, no farther apart than `max_distance`, as cd_bvh_closest_bvh; false, with `out` as it was, when
/// there is none. Of equally near ones the smallest index of A, then of B.
CD_API bool cd_bvtree_closest_bvtree(const cd_bvtree *a, const cd_bvtree *b, const cd_transform *b_in_a,
                                     cd_real max_distance, const cd_bvh_pair_options *options,
                                     cd_closest *out);
