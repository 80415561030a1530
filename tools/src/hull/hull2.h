#pragma once
/* hull2: convex hulls of points in the plane (Ericson 3.9.1, 3.9.2).
 *
 * Both functions give the same for all finite input. In `hull`, which the caller provides with room for `count` indices
 * and which is all the memory they use, they leave the indices of the extreme points, the corners at which the hull
 * really turns: counter-clockwise, starting at the leftmost point (the lowest of these), a point given several times
 * under its smallest index. `*hull_count` tells what the hull is:
 *
 *     0  nothing, there are no points          2  a segment: all points are in line, these are the ends
 *     1  a point: all are equal                3 and more  a convex polygon, as cd_is_convex_polygon has it
 *
 * Neither the order of the points nor how often each is given changes the corners. Points strictly inside eight outer ones
 * are set aside first, so that of points spread evenly over an area most cost two looks.
 *
 * Class: exact, for all finite numbers (core/predicate). NaN or infinity in: CD_INVALID_ARGUMENT; 2^32 - 1 points or more:
 * CD_TOO_LARGE; in both cases `*hull_count` is 0 and `hull` undefined. */

#include "core/status.h"
#include "core/vec.h"

/// The convex hull by Andrew's algorithm: sorted from left to right, the points are walked along below and back above.
///
/// The best where most points are corners, or none are known. Cost: count log count, at most
/// 8 count (log2 count + 2) comparisons and side tests. Source: Andrew 1979; Ericson 3.9.1.
CD_API cd_status cd_hull2_andrew(const cd_vec2 *points, size_t count, uint32_t *hull, size_t *hull_count);

/// The convex hull by Quickhull: the point farthest outside an edge is a corner, and splits the points outside in two.
///
/// The best where few points are corners: its cost is count times the logarithm of the number of corners for evenly spread
/// points. Inputs made against it are noticed, and their rest sorted as in Andrew's algorithm, so that it never costs more
/// than 16 count (log2 count + 2) comparisons and side tests. Source: Eddy 1977; Ericson 3.9.2.
CD_API cd_status cd_hull2_quickhull(const cd_vec2 *points, size_t count, uint32_t *hull, size_t *hull_count);
