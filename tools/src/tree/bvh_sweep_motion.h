#pragma once
/* bvh_sweep_motion: trees and volumes that turn while they move: when do they first touch (Ericson 5.5.1)?
 *
 * Motions are those of query/motion, of any kind. Conservative advancement (Mirtich 1996): the two cannot touch before the
 * distance of the nearest pair of primitives is used up at the speed that no point of either exceeds; so time goes on until that
 * distance is as good as none. The nearest pair of one time bounds the distance at the next from the start on, so that the search
 * for a nearer one is short (Tang, Kim and Manocha 2009). Where the two go along each other, so that their
 * distance lasts long, what counts after 512 such steps, after 32 where nothing turns, is how long planes part each pair, as those
 * turn with faces and edges.
 *
 * The answer is that of query/halving: nothing touches before `t`, whatever the status; `gap` is at most the distance at t, and a
 * hit is told where it is at most options->tolerance, or would be used up within 2^-24 of the time (2^-53 in the double build).
 * What rounding may do to poses and corners is taken off every distance: 16 CD_REAL_EPSILON and 1e-10 of the largest
 * coordinates of poses and bodies, added up. Evaluations of the distance are bounded by options->max_iterations: CD_NOT_CONVERGED
 * where they are used up. An empty tree touches nothing. Boxes in trees are solid, triangles and points are what they are,
 * primitives of the caller's own count as their boxes.
 *
 * Class: conservative. Cost: some ten to forty times that of cd_bvh_closest_bvh. Stack: 21 KiB in floats, 24 KiB in doubles. */

#include "query/halving.h"
#include "tree/bvh_apart.h"
#include "tree/bvh_volume.h"

/// The first contact of two trees that move with their bodies, whose frames are those of the trees.
///
/// `nearest`, which may be NULL: of a hit the two nearest points at t, in the frame that the motions are given in, the primitives,
/// and the squared distance, from which nothing is taken off; else indices of CD_NONE. Options may be NULL; of `pairs` the masks
/// and the filter count.
CD_API cd_halving cd_bvh_sweep_bvh_motions(const cd_bvh *a, const cd_motion *motion_a, const cd_bvh *b,
                                           const cd_motion *motion_b, const cd_halving_options *options,
                                           const cd_bvh_pair_options *pairs, cd_closest *nearest);

/// The first contact of a tree at rest with a volume that moves with its body, in whose frame it is given.
///
/// Spheres, capsules, triangles and boxes, which are solid; of others CD_UNSUPPORTED with a hit at the start, as nothing is known:
/// a hull or a mesh is moved as a tree over its triangles. CD_INVALID_ARGUMENT, too, for a volume that is not valid. `nearest`: the
/// point of the tree is `a`, that of the volume `b`; as above. Of a primitive that is inside of a box when it starts, both are the box's middle.
CD_API cd_halving cd_bvh_sweep_motion(const cd_bvh *tree, const cd_bvh_volume *volume,
                                      const cd_motion *motion, const cd_halving_options *options,
                                      const cd_filter *filter, cd_closest *nearest);
