#pragma once
/* zonotope_fit: zonotopes around points, and around two zonotopes.
 *
 * What is held is inside for the stored numbers, without any tolerance. No memory is taken. */

#include "core/status.h"
#include "shape/zonotope.h"

/// How many generators a fit without directions of its own has, and how many one can have at most.
#define CD_ZONOTOPE_DIRECTIONS     7
#define CD_ZONOTOPE_MAX_DIRECTIONS 16

/// A zonotope around points with generators along given directions of any length, such as the axes of a box or the normals
/// of a hull's faces. NULL and 0: the axes and the four space diagonals.
///
/// The centre is that of the bounding box. The zonotope holds a point when for each pair of directions the generators reach as
/// far along their common normal, which is linear in the lengths. All start equal, or the first three that span space alone,
/// as short as that allows; then each, from the last to the first, is made as short as the others let it be; the one with
/// less volume is taken. So it is never larger than the box of the first three, and no generator can be made shorter
/// alone. Some may come out 0. `generators` has room for one a direction; `out` refers to it. Points are only read.
/// No points, directions that do not span space, a zero one, NaN or infinity: CD_INVALID_ARGUMENT; more than
/// CD_ZONOTOPE_MAX_DIRECTIONS, or a result beyond cd_real: CD_TOO_LARGE; directions too nearly in a plane: CD_NOT_CONVERGED.
/// `out` is all zero then. Class: every point is inside, exactly; the lengths within 32 CD_REAL_EPSILON of the method's for
/// directions well apart. Cost: two passes or three, pairs of directions each.
CD_API cd_status cd_zonotope_from_points(const cd_vec3 *points, size_t count, const cd_vec3 *directions,
                                         uint32_t direction_count, cd_vec3 *generators, cd_zonotope *out);

/// A zonotope that holds two: between their centres, with the half sums and half differences of their generators in order
/// (the signs of b's such that the differences are short), those that one has more, half the way between the centres, and
/// three along the axes for what rounding took. Little more than their hull where they are alike (Girard 2005).
///
/// `generators` has room for a->count + b->count + 4 and may not be those of a or b; the result refers to it. All zero when
/// one is invalid, or the result is beyond cd_real. Class: both are inside, exactly.
CD_API cd_zonotope cd_merge_zonotope_zonotope(const cd_zonotope *a, const cd_zonotope *b,
                                              cd_vec3 *generators);
