#pragma once
/* barycentric: a point as weights of a triangle's corners (Ericson 3.4).
 *
 * The weights x, y, z of the corners a, b, c add up to 1 and give the point x a + y b + z c; the point is in the triangle
 * when none is negative. They are quotients of areas, evaluated in double beside a bound of their errors, and where that
 * is too large, as it is for needles and for points far off the plane, without rounding.
 * Class: tolerant, for all finite numbers, needles included: each weight within 2 units (12 in a double build) in the
 * last place of the largest of the three; a weight beyond the range of numbers is the largest of them. */

#include "shape/linear.h"

/// The weights of the point of the triangle's plane that is nearest to p.
///
/// False, with `out` untouched, when the corners are exactly collinear or anything is not finite.
CD_API bool cd_barycentric(const cd_triangle *t, cd_vec3 p, cd_vec3 *out);

/// The weights of the point of the triangle's plane that is in line with p along an axis of the frame: the axis on which
/// the normal, as computed, is largest, the first of equals. The same as above for points of the plane, and cheaper.
///
/// False, with `out` untouched, when the corners are exactly collinear or anything is not finite.
CD_API bool cd_barycentric_projected(const cd_triangle *t, cd_vec3 p, cd_vec3 *out);

/// The weights of p in a triangle of the plane, which may turn either way.
///
/// False, with `out` untouched, when the corners are exactly collinear or anything is not finite.
CD_API bool cd_barycentric2d(cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 p, cd_vec3 *out);
