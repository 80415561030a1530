#pragma once
/* triangle_triangle: published tests of two triangles, kept for comparison and teaching (Ericson 5.2.10).
 *
 * Class: classic. They are as their papers have them, in doubles: touching, nearly coplanar and needle-like triangles are often
 * judged wrongly, and the order of corners and triangles matters then; cd_test_triangle_triangle is right, and faster. NaN or
 * infinity in: false. What lies in one plane all three judge by the part of Moller's program for that: edges against edges,
 * parallel ones not at all, then a corner strictly inside. COLLIDE_NO_CLASSIC leaves this part out.
 *
 * Each counts its arithmetic where the caller wants it, step by step: Tropp and others compared the methods that way, and give
 * 95 to 97 operations for theirs and 126 to 148 for Moller's where all of the test is gone through. */

#ifndef COLLIDE_NO_CLASSIC

#include "shape/linear.h"

/// What a test did: operations on numbers, without what reads the corners in. Subtractions are additions; a sign changed and a
/// magnitude taken cost nothing. A step counts as a whole, also where a comparison in it ends it early.
typedef struct cd_operations {
    uint64_t adds, muls, divs, comparisons;
} cd_operations;

/// Do two triangles meet? By their intervals on the common line of the planes, compared without division (Moller 1997,
/// "A fast triangle-triangle intersection test", and his later variant without division). What it did is added to
/// `*operations`; NULL: not counted.
///
/// Corners whose value in the other's plane equation, which grows with the triangle's area, is below 1e-6 count as on that
/// plane, as in his program: the answer depends on the scale. His program works in floats.
/// In general position it does 153 operations, planes among them; 45 where the first plane parts the two.
CD_API bool cd_test_triangle_triangle_moller(const cd_triangle *a, const cd_triangle *b,
                                             cd_operations *operations);

/// Do two triangles meet? By the segment in which one meets the other's plane, against the other in that plane (Held 1997,
/// "ERIT: a collection of efficient and reliable intersection tests"). `operations` as above.
///
/// Not as there: no thresholds, no planes made beforehand, and only one of the planes is looked at. In general position it does 99 to
/// 174 operations where the triangles meet.
CD_API bool cd_test_triangle_triangle_held(const cd_triangle *a, const cd_triangle *b,
                                           cd_operations *operations);

/// Do two triangles meet? By the parameters at which the edges of one cross the other's plane, from determinants that are
/// shared between them; then where the segment between crosses the other's edges, by the same, with the minors that are there
/// (Tropp, Tal and Shimshoni 2006, "A fast triangle to triangle intersection test for collision detection"). No divisions.
/// `operations` as above.
///
/// Not as there: where the first corner is on the plane, the edge across is asked too, and there are no thresholds. A segment
/// of no length meets nothing. In general position it does
/// 114 to 118 operations where the triangles meet. Products of fourteen lengths are compared: outside of about 2^-70...2^70
/// they leave the range of doubles.
CD_API bool cd_test_triangle_triangle_tropp(const cd_triangle *a, const cd_triangle *b,
                                            cd_operations *operations);

#endif
