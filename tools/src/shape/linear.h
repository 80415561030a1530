#pragma once
/* linear: lines, rays, segments, planes and triangles (Ericson 3.3-3.5). */

#include "core/transform.h"

/// The points origin + t dir for all t. `dir` need not be unit, and may not be zero.
typedef struct cd_line {
    cd_vec3 origin, dir;
} cd_line;

/// The points origin + t dir for t >= 0. `dir` need not be unit: t counts in it. A zero `dir` is a point.
typedef struct cd_ray {
    cd_vec3 origin, dir;
} cd_ray;

/// The points between a and b; may be a point.
typedef struct cd_segment {
    cd_vec3 a, b;
} cd_segment;

/// The points x with n . x = d. `n` need not be unit unless a routine says so, and may not be zero.
///
/// As a half-space (Ericson 3.7) it is the side behind: the points with n . x <= d. A convex body given by half-spaces has
/// their normals outward.
typedef struct cd_plane {
    cd_vec3 n;
    cd_real d;
} cd_plane;

/// Three corners; the front is where they turn counter-clockwise. May be a segment or a point.
typedef struct cd_triangle {
    cd_vec3 a, b, c;
} cd_triangle;

/// Four corners of a convex quadrilateral, in order around it; the front is where they turn counter-clockwise (Ericson 5.3.5).
///
/// Where they do not lie in a plane, it is the two triangles a, b, c and a, c, d. May be a triangle, a segment or a point.
typedef struct cd_quad {
    cd_vec3 a, b, c, d;
} cd_quad;

/// A rectangle in space: the points a + s edge[0] + t edge[1] with s and t in [0, 1] (Ericson 5.1.4.2).
///
/// The edges are perpendicular; either or both may be zero. Routines take them as they are, so that rounding of the right
/// angle does no harm.
typedef struct cd_rect {
    cd_vec3 a;
    cd_vec3 edge[2];
} cd_rect;

/// Four corners in any order; may be flat, a triangle, a segment or a point.
typedef struct cd_tetrahedron {
    cd_vec3 a, b, c, d;
} cd_tetrahedron;

/// The ray from `from` through `to`: t = 1 is at `to`.
CD_API cd_ray cd_ray_through(cd_vec3 from, cd_vec3 to);

/// The line through two points: t = 0 is at `a`, t = 1 at `b`.
CD_API cd_line cd_line_through(cd_vec3 a, cd_vec3 b);

/// The plane through a point with a given normal of any length.
CD_API cd_plane cd_plane_from_point_normal(cd_vec3 point, cd_vec3 normal);

/// The plane of three points, with unit normal on the side where they turn counter-clockwise (Ericson 3.6).
///
/// False, with `out` untouched, when the points are exactly collinear or not finite.
CD_API bool cd_plane_from_points(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_plane *out);

/// The plane of a triangle, as cd_plane_from_points makes it.
CD_API bool cd_plane_from_triangle(const cd_triangle *t, cd_plane *out);

/// The same plane with a unit normal; all zero when the normal is zero or not finite.
///
/// Class: tolerant, 2 units in the last place of the normal's length and of d.
CD_API cd_plane cd_plane_normalize(cd_plane p);

/// The plane moved by a pose, its normal as long as before.
///
/// Class: tolerant, 4 units in the last place of the largest of d and |n| |position|.
CD_API cd_plane cd_plane_transform(cd_plane p, const cd_transform *pose);

/// The unit normal of a triangle, on the side where its corners turn counter-clockwise.
///
/// False, with `out` untouched, when the corners are exactly collinear or not finite. Class: tolerant, 4 units in
/// the last place, needles included.
CD_API bool cd_triangle_normal(const cd_triangle *t, cd_vec3 *out);

/// The area of a triangle; 0 when its corners are collinear.
CD_API cd_real cd_triangle_area(const cd_triangle *t);

/// The triangle with its corners moved by cd_transform_point.
CD_API cd_triangle cd_triangle_transform(const cd_triangle *t, const cd_transform *pose);

/// Finite, and with a direction other than zero.
CD_API bool cd_line_is_valid(const cd_line *l);

/// Finite.
CD_API bool cd_ray_is_valid(const cd_ray *r);

/// Finite.
CD_API bool cd_segment_is_valid(const cd_segment *s);

/// Finite, and with a normal other than zero.
CD_API bool cd_plane_is_valid(const cd_plane *p);

/// Finite.
CD_API bool cd_triangle_is_valid(const cd_triangle *t);

/// Finite. (cd_is_convex_quad tells whether it is convex.)
CD_API bool cd_quad_is_valid(const cd_quad *q);

/// Finite, edges perpendicular within 1e-3.
CD_API bool cd_rect_is_valid(const cd_rect *r);

/// Finite.
CD_API bool cd_tetrahedron_is_valid(const cd_tetrahedron *t);
