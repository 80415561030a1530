#pragma once
/* cast_convex: rays, segments and lines against convex polyhedra, given by planes or by their hull (Ericson 5.3.8).
 *
 * Options and answers as in query/cast. The line is cut by one plane after another (Cyrus and Beck 1978): it is inside from the
 * last plane that it enters to the first that it leaves. The order of two crossings is told by a bound of their rounding
 * errors, and exactly where the bound cannot tell, so that edges and corners are neither missed nor invented. */

#include "hull/hull.h"
#include "query/cast.h"

/// Ray against the common points of the half-spaces n . x <= d, which need not be bounded.
///
/// `hit->feature` is the plane's number as a face; of planes met at the same place the first. Class: exact in whether the line
/// meets the polyhedron, and whether that ends behind the origin; t to 8 units of double of the terms of the planes met; the point
/// is put onto its plane. No planes, or one that is not valid: false. Planes may repeat and may be redundant. A ray that never
/// leaves is inside all the way; of a line, which begins nowhere, that is no hit. Cost: linear.
CD_API bool cd_cast_ray_planes(const cd_ray *r, cd_real t_max, const cd_plane *planes, size_t count,
                               const cd_cast_options *options, cd_hit *hit);

/// Segment against the common points of half-spaces. Class: exact for the segment's own two points.
CD_API bool cd_cast_segment_planes(const cd_segment *s, const cd_plane *planes, size_t count,
                                   const cd_cast_options *options, cd_hit *hit);

/// Line against the common points of half-spaces.
CD_API bool cd_cast_line_planes(const cd_line *l, const cd_plane *planes, size_t count,
                                const cd_cast_options *options, cd_hit *hit);

/// Ray against a hull, as a solid, by the exact test of query/cast_triangle for the triangles of its faces.
///
/// `hit->feature` is the number of a face; of faces met at the same place the first; normal and depth are those of its plane.
/// Class: exact in whether there is a hit; t as of triangles. A hull of dimension 2 is its polygon, met from both sides but not
/// along its plane; a point or segment is not met. Cost: linear.
CD_API bool cd_cast_ray_hull(const cd_ray *r, cd_real t_max, const cd_hull *hull,
                             const cd_cast_options *options, cd_hit *hit);

/// Segment against a hull, as a ray along the difference of its ends in double.
CD_API bool cd_cast_segment_hull(const cd_segment *s, const cd_hull *hull, const cd_cast_options *options,
                                 cd_hit *hit);

/// Line against a hull.
CD_API bool cd_cast_line_hull(const cd_line *l, const cd_hull *hull, const cd_cast_options *options,
                              cd_hit *hit);
