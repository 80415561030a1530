#pragma once
/* box_manifold: the contact of two boxes, the commonest of all pairs, by separating axes (Ericson 4.4.1, 5.2.1). */

#include "convex/manifold.h"

/// The contact of two oriented boxes, as cd_collide_convex of the two, and faster.
///
/// The axis is that of the least depth of all 15; of axes that are as good faces before edges, and with a cache the one of the call before.
/// Half extents may be 0; axes are taken to be perpendicular and unit (as cd_obb_is_valid has it). Boxes apart within the margin: the normal is
/// that of their nearest points. Class: as cd_collide_convex.
CD_API bool cd_collide_obb_obb(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a,
                               const cd_collide_options *options, cd_cache *cache, cd_manifold *out);

/// cd_collide_obb_obb of many pairs, to the bit; `b_in_a` and `caches` are NULL or as many; out[i].count is 0 where there is no contact. Returns how many there are.
CD_API size_t cd_collide_obbs(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a, size_t count,
                              const cd_collide_options *options, cd_cache *caches, cd_manifold *out);
