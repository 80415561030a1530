#pragma once
/* closest_linear: closest points and distances of lines, rays and segments, with points and with each other (Ericson 5.1.2,
 * 5.1.8, 5.1.9). cd_closest_pts_segment_segment is in query/swept.
 *
 * Class of all: tolerant. The points are on the two things, and as far apart as those nearest to each other, each within 4
 * units in the last place of the largest coordinate, of input or answer: of two lines that are all but parallel the nearest
 * points may be far away. A squared distance is never negative.
 *
 * `s` and `t` of the answers are the parameters of the first and of the second, in units of the directions, in [0, 1] for
 * segments; of a point it is 0. The features are a segment's ends 0 and 1 or its inside (edge 0), a ray's origin (vertex 0)
 * or its rest (edge 0), a line's edge 0; a point has none. Of parallel things, and where one is a point, the pair is that
 * nearest to where the first starts. Directions may have any length; a ray or segment without length is a point. NaN or
 * infinity in, and a line with the direction zero: NaN, and the rest of a cd_closest zero. Cost: constant. */

#include "query/hit.h"
#include "shape/linear.h"

/// Closest point of a line (Ericson 5.1.2).
CD_API cd_vec3 cd_closest_pt_point_line(cd_vec3 p, const cd_line *l);

/// Squared distance to a line.
CD_API cd_real cd_sqdist_point_line(cd_vec3 p, const cd_line *l);

/// Point and line with everything known.
CD_API cd_closest cd_closest_pts_point_line(cd_vec3 p, const cd_line *l);

/// Closest point of a ray (Ericson 5.1.2).
CD_API cd_vec3 cd_closest_pt_point_ray(cd_vec3 p, const cd_ray *r);

/// Squared distance to a ray.
CD_API cd_real cd_sqdist_point_ray(cd_vec3 p, const cd_ray *r);

/// Point and ray with everything known.
CD_API cd_closest cd_closest_pts_point_ray(cd_vec3 p, const cd_ray *r);

/// Point and segment with everything known.
CD_API cd_closest cd_closest_pts_point_segment(cd_vec3 p, const cd_segment *s);

/// Closest points of two lines (Ericson 5.1.8).
CD_API cd_closest cd_closest_pts_line_line(const cd_line *a, const cd_line *b);

/// Squared distance of two lines.
CD_API cd_real cd_sqdist_line_line(const cd_line *a, const cd_line *b);

/// Closest points of line and ray.
CD_API cd_closest cd_closest_pts_line_ray(const cd_line *l, const cd_ray *r);

/// Squared distance of line and ray.
CD_API cd_real cd_sqdist_line_ray(const cd_line *l, const cd_ray *r);

/// Closest points of line and segment.
CD_API cd_closest cd_closest_pts_line_segment(const cd_line *l, const cd_segment *s);

/// Squared distance of line and segment.
CD_API cd_real cd_sqdist_line_segment(const cd_line *l, const cd_segment *s);

/// Closest points of two rays.
CD_API cd_closest cd_closest_pts_ray_ray(const cd_ray *a, const cd_ray *b);

/// Squared distance of two rays.
CD_API cd_real cd_sqdist_ray_ray(const cd_ray *a, const cd_ray *b);

/// Closest points of ray and segment.
CD_API cd_closest cd_closest_pts_ray_segment(const cd_ray *r, const cd_segment *s);

/// Squared distance of ray and segment.
CD_API cd_real cd_sqdist_ray_segment(const cd_ray *r, const cd_segment *s);
