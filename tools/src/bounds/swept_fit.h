#pragma once
/* swept_fit: capsules and lozenges around points, and around each other (Ericson 4.5; Eberly, 3D Game Engine Design).
 *
 * The direction comes from the covariance of the points, the radius from the points farthest from the axis or plane; then
 * the ends are drawn in until their round caps touch points; a lozenge's rectangle is turned in its plane where that saves a tenth. Last, the radius that the stored numbers need is taken over
 * all points and rounded up.
 *
 * Class: conservative: every point is in the result, exactly, as the result's numbers stand; the radius is larger than
 * these need by less than 64 units of double of the coordinates, and the rounding to cd_real. The volume is never larger
 * than that of the ball that the fit considers as well, which is within a tenth of the smallest one's radius. Points stay
 * as they are. Memory: none. Cost: about thirty passes over the points. */

#include "core/status.h"
#include "shape/swept.h"

/// Where the axis of a capsule, or the plane of a lozenge, lies: its direction is that of the principal axes.
typedef enum cd_swept_fit_method {
    CD_SWEPT_FIT_PCA = 0,       ///< where it makes the radius least
    CD_SWEPT_FIT_LEAST_SQUARES, ///< through the mean of the points, where the sum of squared distances is least
    CD_SWEPT_FIT_COUNT          ///< no method
} cd_swept_fit_method;

/// Options of the fits; the zero object is the default, and NULL stands for it.
typedef struct cd_swept_fit_options {
    uint32_t method; ///< of `cd_swept_fit_method`
} cd_swept_fit_options;

/// A capsule that holds all points.
///
/// One point gives a capsule without length and radius. CD_INVALID_ARGUMENT, with `out` all zero, for no points, NaN or
/// infinity among them, or an unknown method; CD_TOO_LARGE where the radius would not be finite.
CD_API cd_status cd_capsule_from_points(const cd_vec3 *points, size_t count,
                                        const cd_swept_fit_options *options, cd_capsule *out);

/// A lozenge that holds all points; a capsule or ball, if that has less volume. Otherwise as cd_capsule_from_points.
CD_API cd_status cd_lozenge_from_points(const cd_vec3 *points, size_t count,
                                        const cd_swept_fit_options *options, cd_lozenge *out);

/// A capsule that holds both, exactly, and is near the smallest one: one of them, if it holds the other.
///
/// A capsule that is nothing, with a negative radius, is left out. The radius is infinite where it leaves the range, NaN
/// with the rest zero where an input is not finite.
CD_API cd_capsule cd_merge_capsule_capsule(const cd_capsule *a, const cd_capsule *b);

/// A lozenge that holds both, exactly, and is near the smallest one; otherwise as for capsules.
CD_API cd_lozenge cd_merge_lozenge_lozenge(const cd_lozenge *a, const cd_lozenge *b);
