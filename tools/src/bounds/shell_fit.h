#pragma once
/* shell_fit: spherical shells around points, and around two shells.
 *
 * Every point is inside for the stored numbers, without any tolerance. No points, or NaN or infinity among them:
 * CD_INVALID_ARGUMENT; a radius beyond cd_real: CD_TOO_LARGE; `out` is all zero then. No memory is taken. */

#include "core/status.h"
#include "shape/shell.h"

/// The shell about a given centre: the least outer and the largest inner radius, and a cone about the mean of the directions
/// of the points, not always the narrowest. All around when they have no mean.
///
/// Class: the radii within 2 units in the last place, and 1e-14, of the best; the cone's cosine within 1e-14 of the least
/// of all points, rounded down.
CD_API cd_status cd_spherical_shell_about(const cd_vec3 *points, size_t count, cd_vec3 center,
                                          cd_spherical_shell *out);

/// The shell about the mean of the points, rounded.
CD_API cd_status cd_spherical_shell_from_points(const cd_vec3 *points, size_t count, cd_spherical_shell *out);

/// A shell that holds two: about the centre of one or the other, whichever has less volume. For a common centre it is the
/// least, but for rounding, of those with one cone.
///
/// Class: conservative, by 1e-13 of the radii and of the cosine. All zero when one is invalid or the result is beyond cd_real.
CD_API cd_spherical_shell cd_merge_spherical_shell_spherical_shell(const cd_spherical_shell *a,
                                                                   const cd_spherical_shell *b);
