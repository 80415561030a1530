#pragma once
/* minkowski2: Minkowski sums and differences of convex polygons (Ericson 3.11).
 *
 * A polygon is given as the hulls of hull/hull2 are: its corners counter-clockwise, from any one on. Repeated corners and
 * corners in line are fine, and left out. Points that are all in line stand for the segment that they span, one point
 * for itself, none for the empty set.
 *
 * Class: exact for all finite numbers as to which corners the result has, since those are given by the two corners that
 * make them up; only `position` is rounded. NaN or infinity, or a polygon that is not convex or turns clockwise:
 * CD_INVALID_ARGUMENT; 2^32 - 1 corners or more: CD_TOO_LARGE; in both cases `*count` is 0. Cost: linear, no memory. */

#include "core/status.h"
#include "core/vec.h"

/// A corner of a Minkowski sum or difference.
typedef struct cd_minkowski_corner2 {
    cd_vec2 position; ///< each coordinate the nearest number, at most CD_REAL_MAX
    uint32_t a, b;    ///< the corners of the first and the second polygon whose sum or difference it is
} cd_minkowski_corner2;

/// The sum of two convex polygons: all points p + q with p in `a` and q in `b`.
///
/// Its edges are those of both, ordered by direction. `*count` tells how many corners it has, at most a_count + b_count; the
/// first `capacity` of them are written: the extreme points, counter-clockwise, starting at the leftmost (the lowest of these).
/// One corner: it is a point; two: a segment; none: `a` or `b` is empty. A corner given several times has its smallest index.
/// Source: de Berg et al., chapter 13; Ericson 3.11.
CD_API cd_status cd_minkowski_sum2(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count,
                                   cd_minkowski_corner2 *corners, size_t capacity, size_t *count);

/// The difference of two convex polygons as collision detection has it: all points p - q with p in `a` and q in `b`.
///
/// The polygons meet exactly when the origin is in it, which cd_minkowski_locate_origin2 tells. All else as in
/// cd_minkowski_sum2.
CD_API cd_status cd_minkowski_difference2(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count,
                                          cd_minkowski_corner2 *corners, size_t capacity, size_t *count);

/// Where is the origin: outside (-1), on the boundary of (0) or inside (1) the difference of two convex polygons?
///
/// That is: are they apart, do they meet so that some smallest motion takes them apart, or so that none does? The
/// difference itself is not rounded: exact. A difference that is a point or a segment is all boundary. What the others
/// refuse, and an empty polygon: -1. Cost: linear, less where they are apart.
CD_API int cd_minkowski_locate_origin2(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count);
