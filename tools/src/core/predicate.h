#pragma once
/* predicate: on which side a point lies, with the exact sign.
 *
 * The determinant is evaluated in double beside a bound of its rounding error; only when the bound cannot tell the
 * sign is it evaluated exactly (Ericson 3.1.6; Shewchuk 1997), by expansions where nothing can leave their range and
 * by whole numbers of any length elsewhere. Class: exact, for all finite numbers. The result is a double in both builds,
 * so that a tiny determinant does not vanish: its sign is exact, its value within 1e-14 of the sum of its terms'
 * magnitudes; beyond the range of doubles it is the largest or smallest of them. NaN or infinity in: 0. */

#include "core/vec.h"

/// Twice the signed area of the triangle a, b, c: positive when they turn counter-clockwise, 0 when collinear.
CD_API double cd_orient2d(cd_vec2 a, cd_vec2 b, cd_vec2 c);

/// Six times the signed volume of the tetrahedron a, b, c, d: det [a-d; b-d; c-d].
///
/// Positive when d lies on the side of the plane from which a, b, c look clockwise (below a counter-clockwise
/// face), 0 when the four are coplanar.
CD_API double cd_orient3d(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d);

/// Is d inside the circle through a, b, c? Positive when it is, 0 when the four lie on one circle or line.
///
/// For a, b, c that turn counter-clockwise; the other way round the sign is the opposite.
CD_API double cd_incircle2d(cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 d);

/// Is e inside the sphere through a, b, c, d? Positive when it is, 0 when the five lie on one sphere or plane.
///
/// For cd_orient3d(a, b, c, d) > 0; otherwise the sign is the opposite.
CD_API double cd_insphere(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d, cd_vec3 e);
