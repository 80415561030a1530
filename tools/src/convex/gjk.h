#pragma once
/* gjk: the distance of two convex bodies, by the algorithm of Gilbert, Johnson and Keerthi (Ericson 9.5).
 *
 * The difference B - A of two convex bodies is convex, and its point nearest to the origin is the way from A to B. A simplex of its points
 * walks there: its own point nearest to the origin gives a direction, the farthest point that way a new corner, and corners that do not bear
 * the nearest point are dropped. Each direction proves a lower bound of the distance, each simplex an upper one; `gap` is what is
 * between. The walk ends when they meet, or when rounding lets them come no closer; it cannot cycle, as each simplex is nearer than all
 * before. Simplexes too thin for double precision are solved in numbers of two doubles.
 *
 * The distance is that of the cores less the rounding radii, so that spheres, capsules and all rounded bodies are as exact as their
 * cores. Where the cores themselves meet, only that is said: cd_convex_distance finds the depth.
 *
 * A cd_cache makes the next query of the same pair begin where the last one ended: with bodies that move little, one or two steps are
 * enough. Where a query ends on the same corners of both, or on an edge of each, the answer has the same bits with any cache and
 * without; but `iterations`. (Of a face with four corners or more, three bear the answer, and which ones may depend on the way.) */

#include "convex/separation.h"
#include "convex/support.h"

/// The distance of two convex bodies, the normal from A to B, and witness points, which are on the bodies' surfaces.
///
/// `b_in_a` NULL: both are in the same frame. `options` and `cache` may be NULL. Where the cores are apart, the distance is signed: below
/// zero where the roundings overlap, which is the exact depth. Where the cores meet, the distance is 0 less the radii, the two
/// witness points are those of a common point of the cores, and the normal is the best direction that the way there came by, or the touching
/// features' own; the true depth of the cores is not looked for, and `gap` is that of a distance that is never below 0. A swap of A and B in
/// the same frame gives the same bits, mirrored, where the cores are apart. CD_NOT_CONVERGED, and `gap` still holds: the iterations asked for
/// were used up; or, seldom, rounding ended the way to curved bodies that are 2^26 times as long as they are wide or more. A body that is not
/// valid: CD_INVALID_ARGUMENT.
/// Class: tolerant, within `gap`, which without limits is at most 2^-40 of the largest coordinate, and the rounding of the number type.
/// Cost: some five to ten times two farthest points for polytopes, up to sixty for curved bodies, never more than 200, or twice that
/// where a cache led nowhere; nothing is allocated.
/// Source: Ericson 9.5; Gilbert, Johnson and Keerthi 1988; van den Bergen 1999.
CD_API cd_separation cd_gjk_distance(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                                     const cd_separation_options *options, cd_cache *cache);

/// Do two convex bodies meet? Touching counts. Ends at the first direction that parts them, or with a point of both.
///
/// `b_in_a` and `cache` may be NULL. Not valid: false. Class: tolerant: bodies that are no farther apart than 2^-43 of the largest
/// coordinate may count as touching; such as meet always do. Cost: less than cd_gjk_distance.
CD_API bool cd_gjk_test(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                        cd_cache *cache);

/// Two bodies of a batch.
typedef struct cd_convex_pair {
    const cd_support *a, *b;
    const cd_transform *b_in_a; ///< or NULL
} cd_convex_pair;

/// cd_gjk_distance of many pairs, to the bit: `out[i]` is the answer of pairs[i]; `caches` is NULL or as many.
CD_API void cd_gjk_distances(const cd_convex_pair *pairs, size_t count, const cd_separation_options *options,
                             cd_cache *caches, cd_separation *out);

/// cd_gjk_test of many pairs; returns how many meet. `out` (one a pair) and `caches` may be NULL.
CD_API size_t cd_gjk_tests(const cd_convex_pair *pairs, size_t count, cd_cache *caches, bool *out);
