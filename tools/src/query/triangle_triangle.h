#pragma once
/* triangle_triangle: do two triangles meet, and where (Ericson 5.2.10).
 *
 * The method is that of Guigue and Devillers 2003: the planes of each against the corners of the other, then one
 * comparison at each end of the two intervals on the common line, every step the sign of an orient3d. With exact
 * signs, and with every case of a zero sign followed to its end, the answer is exact.
 *
 * Class: exact, for every finite input in the domain of cd_orient3d: coplanar, sharing corners or edges, needles,
 * segments and points included; the same for every order of the corners and of the triangles. Closed sets: touching
 * counts. NaN or infinity in: false. */

#include "shape/linear.h"

/// Do two triangles meet?
CD_API bool cd_test_triangle_triangle(const cd_triangle *a, const cd_triangle *b);

/// Do segment and triangle meet? Also in the triangle's plane, and where either has no extent.
CD_API bool cd_test_segment_triangle(const cd_segment *s, const cd_triangle *t);

/// The common points of two triangles: a point, a segment, or a convex polygon.
typedef struct cd_triangle_cut {
    uint32_t count;    ///< 1 for a point, 2 for a segment, 3 to 6 for a polygon
    uint32_t coplanar; ///< 1 when the triangles lie in one plane, else 0
    cd_vec3 points[6]; ///< a polygon counter-clockwise about the normal of the first triangle that has one
} cd_triangle_cut;

/// The common points of two triangles; false, with `out` untouched, when there are none.
///
/// Whether and which corners and edges meet is exact; the points where an edge crosses a plane or another edge are
/// rounded, to 2 units in the last place of the edge's size. Such a point depends on the edge and the triangle alone,
/// not on the order of their corners, so that the pieces of the intersection of two meshes join exactly,
/// unless a triangle without area takes part: its part is that of the segment between its ends.
CD_API bool cd_intersect_triangle_triangle(const cd_triangle *a, const cd_triangle *b, cd_triangle_cut *out);
