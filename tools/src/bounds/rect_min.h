#pragma once
/* rect_min: the rectangle of least area around points in the plane (Ericson 4.4.4).
 *
 * One of its sides holds an edge of the convex hull (Freeman and Shapira 1975), so that only these need be tried. Both
 * functions build the hull first, and take any points in any order: duplicates and points in line cost nothing but time.
 *
 * Class of both: conservative: every point is in the stored rectangle exactly, as cd_obb2 defines it and as seen along its
 * axes, rounding included. Tolerant: the area is the least one within 64 CD_REAL_EPSILON of the area, and of the product of
 * the diameter and the distance of the points from the origin. Points in line have a rectangle of no height but
 * for rounding; of no points, NaN, infinity: CD_INVALID_ARGUMENT; 2^32 - 1 points or more: CD_TOO_LARGE; CD_OUT_OF_MEMORY.
 * `out` is zero then. Memory: 4 bytes a point from `allocator`, which may be NULL. */

#include "core/allocator.h"
#include "core/status.h"
#include "shape/planar.h"

/// The rectangle of least area, by looking at all h corners of the hull for each of its edges.
///
/// Cost: the hull, count log count, and h^2. Kept as the plain form; the other function gives the same.
CD_API cd_status cd_min_area_rect(const cd_vec2 *points, size_t count, const cd_allocator *allocator,
                                  cd_obb2 *out);

/// The rectangle of least area by rotating calipers: from edge to edge the three opposite corners only move on.
///
/// Cost: the hull, and at most 5 h steps, on exact predicates. Source: Toussaint 1983, "Solving geometric problems with
/// the rotating calipers".
CD_API cd_status cd_min_area_rect_calipers(const cd_vec2 *points, size_t count, const cd_allocator *allocator,
                                           cd_obb2 *out);
