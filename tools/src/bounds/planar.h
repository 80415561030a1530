#pragma once
/* planar: k-DOPs of the plane, and oriented rectangles around points (Ericson 4.4.3, 4.6.2).
 *
 * Fits hold every point, exactly; a k-DOP but for those beyond its bounds where these are the largest number. */

#include "core/status.h"
#include "shape/planar.h"

/* ---- k-DOPs ---- */

/// How many directions a k-DOP of the plane may have.
#define CD_KDOP2_DIRECTIONS 8

/// A k-DOP of the plane: the points p with min[i] <= direction[i] . p <= max[i] for each of `count` = k / 2 directions, which
/// all k-DOPs that are tested against each other share, and which are kept elsewhere.
typedef struct cd_kdop2 {
    uint32_t count;
    cd_real min[CD_KDOP2_DIRECTIONS], max[CD_KDOP2_DIRECTIONS];
} cd_kdop2;

/// The directions of the usual k-DOPs, in whole numbers: (1, 0), (0, 1), with k = 8 also (1, 1), (1, -1), with 16 also (2, 1),
/// (1, 2), (2, -1), (1, -2).
///
/// Returns how many there are, k / 2; 0, with `out` untouched, for k other than 4, 8 and 16.
CD_API uint32_t cd_kdop2_directions(uint32_t k, cd_vec2 out[CD_KDOP2_DIRECTIONS]);

/// The k-DOP of points along given directions of any length.
///
/// Class: exact where the dot products are whole numbers or short; rounded outward by 1e-15 of them elsewhere. Bounds stay
/// finite: the largest number where a dot product is beyond it. CD_INVALID_ARGUMENT, and `out` zeroed: no points, NaN or infinity among them or among the directions, no
/// directions or more than CD_KDOP2_DIRECTIONS. Cost: linear.
CD_API cd_status cd_kdop2_from_points(const cd_vec2 *points, size_t count, const cd_vec2 *directions,
                                      uint32_t direction_count, cd_kdop2 *out);

/// The smallest k-DOP that holds two of the same directions; all zero when they have not the same number of them.
CD_API cd_kdop2 cd_merge_kdop2_kdop2(const cd_kdop2 *a, const cd_kdop2 *b);

/// Do two k-DOPs of the same directions overlap along each of them? False for different numbers of directions, and NaN.
///
/// Class: conservative: true where they meet; also for some that are parted only by an edge of another direction.
CD_API bool cd_test_2d_kdop_kdop(const cd_kdop2 *a, const cd_kdop2 *b);

/// Is the point in the k-DOP? Class: exact.
CD_API bool cd_test_2d_point_kdop(cd_vec2 p, const cd_kdop2 *k, const cd_vec2 *directions);

/* ---- rectangles ---- */

/// The rectangle around points that has an axis along a given direction.
///
/// It holds them by both readings: as center + axis s + perpendicular t with |s| <= half.x, and |axis . (p - center)| <= half.x,
/// though the axis is unit only up to rounding. Class: 4 units in the last place too large. CD_INVALID_ARGUMENT: no
/// points, NaN or infinity, a zero axis; CD_TOO_LARGE: the rectangle is beyond the largest number. `out` is zeroed on failure.
/// Cost: linear.
CD_API cd_status cd_obb2_from_points_along(const cd_vec2 *points, size_t count, cd_vec2 axis, cd_obb2 *out);

/// A rectangle that holds both, along the axes of one of them, the one that makes it smaller. Not always the smallest.
///
/// CD_INVALID_ARGUMENT: one is not valid; CD_TOO_LARGE: beyond the largest number. `out` is zeroed on failure.
CD_API cd_status cd_merge_obb2_obb2(const cd_obb2 *a, const cd_obb2 *b, cd_obb2 *out);
