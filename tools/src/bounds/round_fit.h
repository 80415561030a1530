#pragma once
/* round_fit: cylinders, cones and discs around points, and around two of a kind (Ericson 4.7).
 *
 * The axis is one of the three principal axes of the points, whichever gives the smallest volume; it goes through the middle of
 * the smallest circle across it. So the fits are good, not the smallest there are. What is stored holds every point exactly: the
 * ends are rounded first and moved out until no point is beyond them, then the radius is found for the ends as they are. In
 * all fits the points stay untouched, and no memory is taken.
 *
 * No points, NaN or infinity among them: CD_INVALID_ARGUMENT; where no numbers are large enough: CD_TOO_LARGE; `out` is zeroed
 * then. Equal points give that point with radius 0. Cost: some ten passes over the points an axis. */

#include "core/status.h"
#include "shape/cylinder.h"

/// A cylinder around points. Points in a plane give a flat one, about as high as the root of the rounding error; points on a
/// line one of about no radius.
CD_API cd_status cd_cylinder_from_points(const cd_vec3 *points, size_t count, cd_cylinder *out);

/// A cone around points, of the least volume for an axis and for a base at the last of the points, in both directions of the
/// three axes. It is never flatter than 1 to 256 (2^20 in a double build), up to rounding.
CD_API cd_status cd_cone_from_points(const cd_vec3 *points, size_t count, cd_cone *out);

/// A disc around points, in the plane across their shortest principal axis: the foot of every point on the disc's plane is on
/// the disc, exactly, and no point is farther from the plane than `thickness`, which may be NULL. A thickness of 0 says that
/// all points are on the disc; the others are rounded up by 16 units of double of the largest coordinate at most. Equal points
/// give the normal (0, 0, 1).
CD_API cd_status cd_disc_from_points(const cd_vec3 *points, size_t count, cd_disc *out, cd_real *thickness);

/// A cylinder that holds both, rounding included: along the axis of either or between their centres, whichever gives the
/// smallest volume.
///
/// One that holds the other is given back as it is, and so is one where the other is not valid. Two that are not valid, or that
/// no numbers hold: radius -1 about the origin. Not always the smallest there is: an end that is tilted against the axis counts
/// as the drum that its rim turns in.
CD_API cd_cylinder cd_merge_cylinder_cylinder(const cd_cylinder *a, const cd_cylinder *b);

/// A cone that holds both. The rest as in cd_merge_cylinder_cylinder.
CD_API cd_cone cd_merge_cone_cone(const cd_cone *a, const cd_cone *b);
