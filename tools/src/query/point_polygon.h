#pragma once
/* point_polygon: points of the plane against polygons and triangles (Ericson 5.4.1, 5.4.2).
 *
 * Edges are counted that cross a ray to the right of the point, with the exact orient2d for those near it, so that corners
 * at its height, spikes, repeated corners and edges along the ray are no special cases. A polygon may turn either way,
 * cross itself, and have any number of corners: one is a point, two are a segment, none is empty.
 *
 * `locate` is -1 outside, 0 on an edge (any edge, inner ones of a polygon that crosses itself, too), 1 inside; `test` takes
 * edges to belong to the polygon. Class of all: exact, for all finite numbers. NaN or infinity in the point or a corner:
 * -1, false. Cost, where no other is named: linear. */

#include "core/vec.h"

/// What is inside of lines that cross each other or run around several times.
typedef enum cd_fill_rule {
    CD_FILL_EVEN_ODD = 0, ///< what a ray to infinity leaves with an odd number of crossings
    CD_FILL_NON_ZERO =
        1 ///< what the lines go around, counter-clockwise more often than clockwise, or less often
} cd_fill_rule;

/// The point against a polygon, inside by CD_FILL_EVEN_ODD (cd_locate_point_rings2 has the other rule, and holes).
///
/// Source: Ericson 5.4.1; Hormann and Agathos 2001, "The point in polygon problem for arbitrary polygons".
CD_API int cd_locate_point_polygon2(cd_vec2 p, const cd_vec2 *poly, size_t count);

/// Is the point in the polygon or on an edge of it?
CD_API bool cd_test_point_polygon2(cd_vec2 p, const cd_vec2 *poly, size_t count);

/// Is the point in the polygon, where each edge belongs to one side of it only?
///
/// Polygons that tile the plane, with edges exactly on each other though perhaps cut elsewhere, hold each point of it, the
/// corners and edges included, exactly once, whichever way they turn. The rule: the point counts as moved to the right by next to
/// nothing, and up by next to nothing of that. So left edges belong to a polygon, right ones do not, and of level ones the
/// lower.
CD_API bool cd_test_point_polygon2_half_open(cd_vec2 p, const cd_vec2 *poly, size_t count);

/// How often the polygon goes around the point, counter-clockwise.
///
/// False, with `out` untouched, for a point on an edge, and for NaN or infinity.
CD_API bool cd_winding_point_polygon2(cd_vec2 p, const cd_vec2 *poly, size_t count, int *out);

/// Many points against one polygon: out[i] is what cd_locate_point_polygon2 says of points[i].
///
/// Faster than calls one by one: the corners are checked once, and points outside their box pass by.
CD_API void cd_locate_points_polygon2(const cd_vec2 *points, size_t count, const cd_vec2 *poly,
                                      size_t corners, int8_t *out);

/// The point against several closed lines, such as an outline with holes.
///
/// Ring i has the corners `points`[ends[i-1]] ... points[ends[i] - 1], the first begins at 0; one whose end is not larger than the
/// one before is empty, and the next begins at that end. By CD_FILL_EVEN_ODD holes may turn either way, by
/// CD_FILL_NON_ZERO they turn the other way than what they are in.
CD_API int cd_locate_point_rings2(cd_vec2 p, const cd_vec2 *points, const size_t *ends, size_t rings,
                                  cd_fill_rule fill);

/// The same as cd_test_point_polygon2_half_open, for several rings.
CD_API bool cd_test_point_rings2_half_open(cd_vec2 p, const cd_vec2 *points, const size_t *ends, size_t rings,
                                           cd_fill_rule fill);

/// The point against a convex polygon whose corners are in counter-clockwise order.
///
/// Corners may repeat, and runs of them may be in line. Only the corners are looked at that the search comes by: NaN or
/// infinity in one, a polygon that is not convex or turns clockwise: any of the three answers. Cost: logarithmic, and a
/// step more for each corner that repeats the first; linear without area. Source: Ericson 5.4.1 (PointInConvexPolygon),
/// with the cases that it leaves open.
CD_API int cd_locate_point_convex2(cd_vec2 p, const cd_vec2 *poly, size_t count);

/// Is the point in the convex polygon or on an edge of it? As cd_locate_point_convex2.
CD_API bool cd_test_point_convex2(cd_vec2 p, const cd_vec2 *poly, size_t count);

/// The point against a triangle that may turn either way, or be a segment or a point.
CD_API int cd_locate_point_triangle2(cd_vec2 p, cd_vec2 a, cd_vec2 b, cd_vec2 c);

/// The point against the quadrilateral with these corners in order, as cd_locate_point_polygon2.
CD_API int cd_locate_point_quad2(cd_vec2 p, cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 d);

/// Is the point in the triangle or on an edge of it?
CD_API bool cd_test_point_triangle2(cd_vec2 p, cd_vec2 a, cd_vec2 b, cd_vec2 c);
