#pragma once
/* convex_distance: the signed distance of two convex bodies in one call, apart, touching and deep (Ericson 9.5).
 *
 * GJK tells how far the cores are apart; where they meet, EPA tells how deep. Both prove what they say: `gap`. The distance is continuous
 * through touching. */

#include "convex/epa.h"

/// The signed distance of two convex bodies: above 0 apart, below 0 minus the depth, the least way that parts them.
///
/// `b_in_a` NULL: both are in the same frame. The normal is unit and leads from A to B, also where they touch or are deep; the witness
/// points are on the bodies' surfaces, b - a = distance * normal. `options` and `cache` may be NULL. A `max_distance` and a `tolerance` end
/// the query sooner, with the `gap` that is then left. With a cache the next query of the same pair begins where this one ended, whether they
/// are apart or deep; where it ends on the same features, the answer has the same bits but for `iterations`. CD_NOT_CONVERGED: see cd_epa;
/// `gap` still holds. A body that is not valid: CD_INVALID_ARGUMENT, and NaN.
/// Class: tolerant, within `gap`: for polytopes 2^-44 of the largest coordinate, and the rounding of the number type.
/// Cost: that of cd_gjk_distance where the cores are apart, else also that of cd_epa; nothing is allocated.
CD_API cd_separation cd_convex_distance(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                                        const cd_separation_options *options, cd_cache *cache);

/// cd_convex_distance of many pairs, to the bit: `out[i]` is the answer of pairs[i]; `caches` is NULL or as many.
CD_API void cd_convex_distances(const cd_convex_pair *pairs, size_t count,
                                const cd_separation_options *options, cd_cache *caches, cd_separation *out);
