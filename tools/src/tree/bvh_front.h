#pragma once
/* bvh_front: pairs of two trees again and again, as they move a little at a time: a front that is followed, and pairs that are
 * kept in mind (Ericson 6.7; Klosowski et al. 1998; Ehmann and Lin 2001).
 *
 * Where one query is like the one before, most of what it finds out is known. A front (6.7.2) is the tree of all pairs of nodes
 * that the last query has looked into, down to those where it ended, each with how far apart the children were that did not meet.
 * The next query goes along it: a pair of nodes is tested again only when things have moved so far since that the answer
 * may be another one, or as the deepest children that met lay in each other. Where nodes have come to meet the front goes down, and up where
 * a pair of nodes has come apart with all below it. Pairs come out as from the query without it, in the same order, whatever the front has seen.
 *
 * What it saves are tests of nodes, not those of primitives: up to all of them, but no more than a fifth of the time. It pays where
 * trees move by less than the gaps between their nodes, as things at rest or turning slowly do; where they move farther it costs
 * about a tenth more than the query without it, and with trees far apart more than their one test.
 *
 * For the questions whether two trees meet, and how near they are, the pair found last is the best guess (6.7.1): the calls with
 * `again` try it first.
 *
 * A front belongs to two trees, in this order, or to one against itself, and to one thread at a time. It begins anew by itself
 * where a tree is another: in another place, of another size, with other bounds, and where a cd_dyntree has changed; and after a
 * query that is none: of an empty tree, with a pose that is not finite, or a distance that is negative or NaN. What it cannot see
 * is that the contents of a tree's block have changed by a refit or by hand, which cd_bvh_front_moved tells it, or that another
 * tree of the same size and bounds, or of any bounds once cd_bvh_front_moved was called, was built in the same memory:
 * cd_bvh_front_reset is for that. */

#include "tree/bvh_collide.h"

/// A front: the zero object is an empty one, ready for use. Callers may set `allocator` before its first query, and read `status`,
/// `count` and `tested`.
typedef struct cd_bvh_front {
    cd_allocator allocator; ///< what its memory comes from
    /// how the last query ended, of `cd_status`: CD_OUT_OF_MEMORY when it could not be noted; its answers
    uint32_t status;
    ///< were right, and the front is as it was before
    uint32_t count;  ///< pairs of nodes that it keeps, 32 bytes each, and as many again for the next query
    uint64_t tested; ///< pairs of nodes that the last query has tested
    void *entries[2];
    uint32_t capacity[2];
    const void *block[2];
    uint64_t header[2], shape[2];
    cd_transform pose;
    double distance, moved, told;
    uint32_t rule, self;
} cd_bvh_front;

/// Gives the front's memory back and leaves an empty front with the same allocator.
CD_API void cd_bvh_front_destroy(cd_bvh_front *front);

/// Forgets everything: the next query begins at the roots. To be called when a tree's nodes are other ones in the same place, as
/// after a refit that has built some anew.
CD_API void cd_bvh_front_reset(cd_bvh_front *front);

/// Tells the front that primitives in either tree have moved, by up to `distance` each in the tree's own frame, and the trees were
/// refitted, with all nodes in their places: cd_bvh_refit_mesh with CD_BVH_REFIT_IN_PLACE, or with `rebuilt` 0.
///
/// The distances of several calls add up. One that is infinite, NaN or negative resets the front.
CD_API void cd_bvh_front_moved(cd_bvh_front *front, cd_real distance);

/// Visits all pairs that are no farther apart than `distance`, 0 for those that meet: what cd_bvh_traverse_within visits, in the same
/// order; false when the visitor stopped it, which leaves the front where it was.
///
/// Pose, distance and options may be others in each call; another `rule` begins anew.
/// Cost: that of cd_bvh_traverse_within, but for tests of nodes that it saves; memory for the front grows, once for ever larger ones.
CD_API bool cd_bvh_front_traverse(cd_bvh_front *front, const cd_bvh *a, const cd_bvh *b,
                                  const cd_transform *b_in_a, cd_real distance,
                                  const cd_bvh_pair_options *options, cd_visit_pair_fn visit, void *user);

/// Returns how many pairs are no farther apart than `distance`, and writes the first `capacity` of them: cd_bvh_within, or with a
/// distance of 0 cd_bvh_collide.
CD_API size_t cd_bvh_front_pairs(cd_bvh_front *front, const cd_bvh *a, const cd_bvh *b,
                                 const cd_transform *b_in_a, cd_real distance,
                                 const cd_bvh_pair_options *options, cd_pair *pairs, size_t capacity);

/// Visits all pairs of one tree's primitives that meet, as cd_bvh_traverse_self.
CD_API bool cd_bvh_front_traverse_self(cd_bvh_front *front, const cd_bvh *tree,
                                       const cd_bvh_pair_options *options, cd_visit_pair_fn visit,
                                       void *user);

/// Returns how many pairs of one tree's primitives meet, and writes the first `capacity` of them: cd_bvh_self_pairs.
CD_API size_t cd_bvh_front_self_pairs(cd_bvh_front *front, const cd_bvh *tree,
                                      const cd_bvh_pair_options *options, cd_pair *pairs, size_t capacity);
