#pragma once
/* shape_distance: how far any two shapes are apart, or how deep in each other; their closest points; do they meet at all?
 *
 * Two convex shapes are one pair. Of shapes made of parts those pairs are looked at that may be the answer, by branch and bound: the parts
 * of one, the nearest first, and with each those of the other that are no farther from its box than the best so far, nor than its own best normal
 * says; two surfaces that are neither scaled nor rounded by both their trees. Answers do not depend on the trees' layout, nor on caches (but two convex
 * shapes: see cd_gjk_distance). Parts that a scale cannot be given to (rounded ones, hulls, polygons, k-DOPs and the caller's own supports that are turned in a
 * compound that is stretched unevenly, see cd_shape_scaled) make the answer CD_UNSUPPORTED when they are met.
 *
 * Nothing is allocated. Stack, measured (gcc -O2, floats; doubles take a tenth more): distances 18 KiB for two of one part each, 23 where one is of
 * many, 25 where both are, 28 for compounds of such; tests 9, 13, 18 and 20. Ten of those of distances are for cores that meet. */

#include "any/options.h"

/// The calls for shapes, of cd_shape_can.
typedef enum cd_shape_call {
    CD_CALL_DISTANCE = 0,
    CD_CALL_CLOSEST,
    CD_CALL_TEST,
    CD_CALL_COLLIDE,
    CD_CALL_SWEEP, ///< A moving, B at rest
    CD_CALL_TIME_OF_IMPACT,
    CD_CALL_CAST_RAY, ///< of one shape: type_b does not matter here and below
    CD_CALL_MASS,
    CD_CALL_AABB,
    CD_CALL_SUPPORT,
    CD_SHAPE_CALLS ///< how many there are
} cd_shape_call;

/// Can two types be asked that? CD_OK, CD_UNSUPPORTED, or CD_INVALID_ARGUMENT for no such call or type.
///
/// Compounds and classes are as good as their parts: CD_OK here, and the answer is CD_UNSUPPORTED where a part of theirs is such. Two half-spaces are
/// CD_UNSUPPORTED here, though there is a distance where they face each other.
CD_API cd_status cd_shape_can(uint32_t call, uint32_t type_a, uint32_t type_b);

/// The signed distance of two shapes: the least of those of their parts.
///
/// Below 0 it is minus the depth of the deepest pair of parts: what parts that pair, not always the whole. `parts`, which may be NULL, takes the
/// pair, of equally near ones that of the smallest child and index of A, then of B (of two surfaces that are apart as cd_bvh_closest_bvh, which compares before it
/// rounds); features are those of the parts. Two half-spaces: their planes' distance where they face each other (within 1e-6, in doubles 1e-12), else they meet without end:
/// CD_UNSUPPORTED. Nothing within options->max_distance, or nothing at all: CD_OK, a distance of that (CD_REAL_MAX), a zero normal, parts with a child and index of
/// CD_NONE. With `cache` the pair that was best is looked at first. The status is that of the pair. Read of the options: max_iterations, max_distance, tolerance, masks, filter.
/// Class: as cd_convex_distance for each pair, whose poses are multiplied in double; of two shapes that are balls, rods or one of these and a box the
/// closed form, where its gap is as small (the cache is left alone then). Cost: for a mesh the logarithm of its size and what is about
/// as near; deep in a mesh all pairs that meet are looked at, of two surfaces
/// (that are neither scaled nor rounded) by a closed form, tens of nanoseconds each.
CD_API cd_separation cd_shape_distance(const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                                       const cd_shape_options *options, cd_cache *cache, cd_part_pair *parts);

/// The closest points of two shapes: where they overlap, a point of both, and `sqdist` is 0. False, with `out` untouched, where nothing is
/// within options->max_distance, and where cd_shape_distance has another status than CD_OK or CD_NOT_CONVERGED.
CD_API bool cd_shape_closest(const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                             const cd_shape_options *options, cd_closest *out, cd_part_pair *parts);

/// Do two shapes meet? Touching counts, and what is no farther apart than options->distance; false where that is below 0. Ends at the first
/// pair of parts that do, whichever that is; `parts` is untouched when none does. With `cache` the last one is tried first.
///
/// Read of the options: distance, masks, filter. Class: as cd_gjk_test for each pair; of triangles with triangles (without a scale) exact, as cd_bvh_test_bvh.
CD_API bool cd_shape_test(const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                          const cd_shape_options *options, cd_cache *cache, cd_part_pair *parts);

/// Two shapes of a batch.
typedef struct cd_shape_pair {
    const cd_shape *a, *b;
    const cd_transform *b_in_a; ///< or NULL
} cd_shape_pair;

/// cd_shape_distance of many pairs, to the bit; `caches` and `parts` are NULL or as many.
CD_API void cd_shape_distances(const cd_shape_pair *pairs, size_t count, const cd_shape_options *options,
                               cd_cache *caches, cd_separation *out, cd_part_pair *parts);

/// cd_shape_test of many pairs; returns how many meet. `out` (one a pair) and `caches` may be NULL.
CD_API size_t cd_shape_tests(const cd_shape_pair *pairs, size_t count, const cd_shape_options *options,
                             cd_cache *caches, bool *out);
