#pragma once
/* box_manifold: the contact of two boxes, the commonest of all pairs, by separating axes (Ericson 4.4.1, 5.2.1). */

#include "convex/manifold.h"

/// The contact of two oriented boxes, as cd_collide_convex of the two, and many times faster.
///
/// The normal is the axis of the least depth of all fifteen, and of axes that are level (by the rounding of the number type, relative to the smaller box)
/// the one of the call before, as the cache has it, then faces before edges, A's before B's: edges that are all but parallel never win
/// by rounding. The points are the corners that both foremost faces have in common as seen along the normal, also where that is across two
/// edges, with those left out that are farther apart than the margin: four or fewer, in order around the normal from the one with the smallest
/// name. With a cache those kept before stay as long as the deepest is among them and they span at least half of the patch.
/// Half extents may be 0. Boxes apart within the margin: the normal is that of their nearest points, which where those are not over the
/// best axis is found by cd_collide_convex. Axes are taken to be perpendicular and unit, where no number of them is off by more than 2^-20; else
/// all is left to cd_collide_convex, which takes boxes as they are. Class: as cd_collide_convex. Cost: constant, about as much as a hundred multiplications of vectors.
/// Stack: 3 KiB; where it is left to cd_collide_convex, below 16 KiB.
/// Source: Ericson 4.4.1; Gottschalk et al. 1996; Gregorius 2013.
CD_API bool cd_collide_obb_obb(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a,
                               const cd_collide_options *options, cd_cache *cache, cd_manifold *out);

/// cd_collide_obb_obb of many pairs, to the bit: how many have a contact.
///
/// `b_in_a` and `caches` are NULL or as many; `out` as many, or NULL: the count of a manifold is 0 where there is no contact.
CD_API size_t cd_collide_obbs(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a, size_t count,
                              const cd_collide_options *options, cd_cache *caches, cd_manifold *out);
