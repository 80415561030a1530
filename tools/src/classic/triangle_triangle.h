#pragma once
/* triangle_triangle: published tests of two triangles, kept for comparison and teaching (Ericson 5.2.10).
 *
 * Class: classic. They are as their papers have them, in doubles: touching and nearly coplanar triangles are often judged
 * wrongly, and the order of corners and triangles matters then; cd_test_triangle_triangle is right, and faster. NaN or infinity
 * in: false. What lies in one plane all three judge by the part of Moller's program for that: edges against edges, parallel
 * ones not at all, then a corner strictly inside. COLLIDE_NO_CLASSIC leaves this part out. */

#ifndef COLLIDE_NO_CLASSIC

#include "shape/linear.h"

/// Do two triangles meet? By their intervals on the common line of the planes, compared without division (Moller 1997,
/// "A fast triangle-triangle intersection test", and his later variant without division).
///
/// Corners whose value in the other's plane equation, which grows with the triangle's area, is below 1e-6 count as on that
/// plane, as in his program: the answer depends on the scale. His program works in floats.
CD_API bool cd_test_triangle_triangle_moller(const cd_triangle *a, const cd_triangle *b);

/// Do two triangles meet? By the segment in which one meets the other's plane, against the other in that plane (Held 1997,
/// "ERIT: a collection of efficient and reliable intersection tests").
///
/// Not as there: no thresholds, no planes made beforehand, and only one of the planes is looked at.
CD_API bool cd_test_triangle_triangle_held(const cd_triangle *a, const cd_triangle *b);

/// Do two triangles meet? By the parameters at which the edges of one cross the other's plane, from determinants that are
/// shared between them (Tropp, Tal and Shimshoni 2006, "A fast triangle to triangle intersection test for collision
/// detection").
///
/// Not as there: the parameters of the first half are theirs, but the segment they end is then judged in the plane's shadow,
/// as Held's, where the paper goes on with the minors it has; and there are no thresholds.
CD_API bool cd_test_triangle_triangle_tropp(const cd_triangle *a, const cd_triangle *b);

#endif
