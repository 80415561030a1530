#pragma once
/* kdop: slabs, and k-DOPs, which are bounded by slabs of directions that all share (Ericson 4.6).
 *
 * A slab is what lies between two parallel planes. Slab volumes (Kay and Kajiya 1986) are intersections of any slabs; the
 * boxes are of this kind. A k-DOP (Klosowski et al. 1998) has k / 2 slabs, whose directions are named once by a set, so
 * that two of one set are compared number by number. There is one mechanism for all sets: those of the axes, corners and
 * edges of a cube (k = 6, 8, 12, 14, 18, 20, 26), directions spread over the sphere, any of them turned, or the caller's.
 *
 * Directions need not be unit: (1, 1, 1) is kept so, and what is measured along it is longer by its length. A point p is in
 * a slab when min <= n . p <= max, as exact numbers: all fits here contain what they are made from in this sense, and
 * each number of cd_kdop_from_points is the best there is in `cd_real`, whatever the direction. */

#include "core/status.h"
#include "shape/linear.h"
#include "shape/volume.h"

/// The most slabs a k-DOP has, and the most corners that so many slabs can make.
enum { CD_KDOP_AXES = 16, CD_KDOP_VERTICES = 4 * CD_KDOP_AXES - 4 };

/// The points p with min <= n . p <= max; `n` of any length but 0. Nothing when min > max.
typedef struct cd_slab {
    cd_vec3 n;
    cd_real min, max;
} cd_slab;

/// The directions of k-DOPs, k / 2 of them, in the order in which they are compared.
typedef struct cd_kdop_set {
    uint32_t count;
    cd_vec3 axis[CD_KDOP_AXES];
} cd_kdop_set;

/// The points p with min[i] <= axis[i] . p <= max[i] for the first `count` axes of a set; empty when a min > max.
///
/// There may be no point in it although each min <= max; cd_kdop_tighten tells.
typedef struct cd_kdop {
    uint32_t count; ///< that of the set
    cd_real min[CD_KDOP_AXES], max[CD_KDOP_AXES];
} cd_kdop;

/// A k-DOP with its directions: a body. Neither is copied.
typedef struct cd_kdop_body {
    const cd_kdop *dop;
    const cd_kdop_set *set;
} cd_kdop_body;

/// The set of a cube's axes (k = 6), corners (8), edges (12), or of several of these: 14, 18, 20, 26.
///
/// Whole numbers, ordered as cd_kdop_set_order does. Any other k: the zero object.
CD_API cd_kdop_set cd_kdop_set_standard(uint32_t k);

/// A set of 3 to CD_KDOP_AXES directions spread over the sphere: lines through the centre that repel each other.
///
/// Always the same for the same count. Unit up to rounding, ordered. Other counts: the zero object. Cost: 300 count^2 steps.
CD_API cd_kdop_set cd_kdop_set_spread(uint32_t count);

/// The directions turned by a quaternion of any length, for k-DOPs in a frame of their own; rounded once.
CD_API cd_kdop_set cd_kdop_set_rotate(const cd_kdop_set *set, cd_quat rotation);

/// Puts the directions of a set in the order that parts volumes soonest (4.6.3): the first stays, each next one is as
/// perpendicular as possible to all before it, of equal ones the first. Do so before the first k-DOP is made.
CD_API void cd_kdop_set_order(cd_kdop_set *set);

/// 3 to CD_KDOP_AXES finite directions, none of them zero, not all in one plane.
CD_API bool cd_kdop_set_is_valid(const cd_kdop_set *set);

/// Finite, of this set (which is valid), and no min > max.
CD_API bool cd_kdop_is_valid(const cd_kdop *dop, const cd_kdop_set *set);

/// Finite, no direction zero, and no min > max.
CD_API bool cd_slabs_is_valid(const cd_slab *slabs, size_t count);

/// Sets min and max of slabs whose directions are given so that they hold the points; all numbers are the best possible.
///
/// CD_INVALID_ARGUMENT: a direction is zero, a number not finite, or there is no point; CD_TOO_LARGE: a number would not be
/// finite. The slabs are zeroed then, but for their directions. Cost: slabs times points. Source: Kay and Kajiya 1986.
CD_API cd_status cd_slabs_from_points(const cd_vec3 *points, size_t count, cd_slab *slabs, size_t slab_count);

/// A box as three slabs. False, with `out` zeroed, when it is empty or not finite.
CD_API bool cd_slabs_from_aabb(cd_aabb b, cd_slab out[3]);

/// An oriented box as three slabs, which hold it however its axes are rounded.
///
/// False, with `out` zeroed, when a number is not finite or would not be, or a half extent is below 0.
CD_API bool cd_slabs_from_obb(const cd_obb *b, cd_slab out[3]);

/// A k-DOP as `count` slabs. Returns the count; 0 when it is not of this set.
CD_API uint32_t cd_slabs_from_kdop(const cd_kdop *dop, const cd_kdop_set *set, cd_slab out[CD_KDOP_AXES]);

/// The empty k-DOP of a set: min = CD_REAL_MAX, max = -CD_REAL_MAX. What a growing one starts from.
CD_API cd_kdop cd_kdop_empty(const cd_kdop_set *set);

/// The k-DOP of points: each slab the smallest that holds them all, exactly, in the numbers of `cd_real`.
///
/// For directions and points of whole numbers that is without any rounding. Empty for no points. CD_INVALID_ARGUMENT: the
/// set is not valid, or a number is not finite; CD_TOO_LARGE: a number would not be finite. `out` is zeroed then.
/// Cost: slabs times points, no memory. Source: Ericson 4.6.2.
CD_API cd_status cd_kdop_from_points(const cd_vec3 *points, size_t count, const cd_kdop_set *set,
                                     cd_kdop *out);

/// The k-DOP of a box, the best possible; empty for an empty box. Errors as cd_kdop_from_points.
CD_API cd_status cd_kdop_from_aabb(cd_aabb b, const cd_kdop_set *set, cd_kdop *out);

/// A k-DOP around a sphere, wider by at most 8 units of double of the largest term and one rounding; empty for a negative
/// radius. Errors as cd_kdop_from_points.
CD_API cd_status cd_kdop_from_sphere(cd_sphere s, const cd_kdop_set *set, cd_kdop *out);

/// A k-DOP around an oriented box, as wide as that of its corners but for 16 units of double of the largest term and one
/// rounding. Errors as cd_kdop_from_points; a half extent below 0 is CD_INVALID_ARGUMENT.
CD_API cd_status cd_kdop_from_obb(const cd_obb *b, const cd_kdop_set *set, cd_kdop *out);

/// The smallest k-DOP that holds two of the same set (6.5); the zero object when their counts differ.
///
/// Tight when both are: each slab is touched by the one that it comes from.
CD_API cd_kdop cd_merge_kdop_kdop(const cd_kdop *a, const cd_kdop *b);
