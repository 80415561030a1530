#pragma once
/* ellipsoid: points, rays, planes, boxes, triangles, polygons, spheres and ellipsoids against ellipsoids.
 *
 * Closed solids: touching counts. An invalid ellipsoid (cd_ellipsoid_is_valid), NaN or infinity: false, or NaN where a point
 * or distance is asked for. Scaling an ellipsoid to the unit ball (Ericson 4.7) turns every other question into one about
 * the distance of something from the origin. For that, half lengths below 2^-30 of the longest, or below 2^-46 of the
 * size and distance of what is tested, count as that. Bodies given by hulls or support functions meet ellipsoids by GJK. */

#include "query/cast.h"
#include "shape/ellipsoid.h"

/// Is the point in the ellipsoid? Class: exact, for the stored axes just as they are: is there an s with |s| <= 1 and
/// center + axes.col[i] * half_i * s_i = p? Flat ellipsoids, too.
CD_API bool cd_test_point_ellipsoid(cd_vec3 p, const cd_ellipsoid *e);

/// The closest point of the solid: p itself when inside.
///
/// Eberly's equation, solved by Newton's method on its concave form, which cannot leave its bracket; at most 64 steps, five
/// or so are usual. Class: tolerant, 1e-13 of the largest of the distance and the half lengths, and the rounding of the result.
CD_API cd_vec3 cd_closest_pt_point_ellipsoid(cd_vec3 p, const cd_ellipsoid *e);

/// The closest point of the surface, from outside or inside. Of several (on an axis, say) one on the positive side.
/// Class as above. A flat ellipsoid is all surface.
CD_API cd_vec3 cd_closest_pt_point_ellipsoid_surface(cd_vec3 p, const cd_ellipsoid *e);

/// Squared distance to the solid; 0 inside. The distance is good to 1e-13 of the largest of it and the half lengths.
CD_API cd_real cd_sqdist_point_ellipsoid(cd_vec3 p, const cd_ellipsoid *e);

/// Do sphere and ellipsoid meet? Class: tolerant, as cd_sqdist_point_ellipsoid.
CD_API bool cd_test_sphere_ellipsoid(cd_sphere s, const cd_ellipsoid *e);

/// Do ellipsoid and plane meet? Class: tolerant, 1e-15 of the largest coordinate and half length.
CD_API bool cd_test_ellipsoid_plane(const cd_ellipsoid *e, cd_plane plane);

/// Do the ellipsoid and the half-space n . x <= d meet? Class as cd_test_ellipsoid_plane.
CD_API bool cd_test_ellipsoid_halfspace(const cd_ellipsoid *e, cd_plane plane);

/// Do triangle and ellipsoid meet? By scaling to the unit ball. Class: tolerant, 1e-14 of size and distance over the shortest
/// half length, in units of the ellipsoid.
CD_API bool cd_test_triangle_ellipsoid(const cd_triangle *t, const cd_ellipsoid *e);

/// Do a flat convex polygon of `count` corners and the ellipsoid meet? Two corners are a segment, one a point; none: false.
/// Class as cd_test_triangle_ellipsoid. Cost: linear.
CD_API bool cd_test_polygon_ellipsoid(const cd_vec3 *corners, size_t count, const cd_ellipsoid *e);

/// Do ellipsoid and box meet? Class as cd_test_triangle_ellipsoid.
CD_API bool cd_test_ellipsoid_aabb(const cd_ellipsoid *e, cd_aabb b);

/// Do two ellipsoids meet?
///
/// The rounder one is scaled to the unit ball; is the other, an ellipsoid still, no farther than 1 from the origin? The
/// nearest point is found as in cd_closest_pt_point_ellipsoid, a root of the same concave function that the methods of Perram
/// and Wertheim (1985) and of Gilitschenko and Hanebeck (2012) maximise; at most 64 steps. Class: tolerant; when b is grown
/// about the centre of a until they touch, a factor within 1e-12 of 1, times the aspect ratio of the rounder one, may be
/// judged either way.
CD_API bool cd_test_ellipsoid_ellipsoid(const cd_ellipsoid *a, const cd_ellipsoid *b);

/// Ray against solid ellipsoid, in the space where it is the unit ball; flat ones, too.
///
/// Class: tolerant; the distance of the line to the centre is compared, which stays good far from it: a decision may be wrong
/// only within 16 units of double of the distance from the origin, over the shortest half length.
CD_API bool cd_cast_ray_ellipsoid(const cd_ray *r, cd_real t_max, const cd_ellipsoid *ellipsoid,
                                  const cd_cast_options *options, cd_hit *hit);

/// Segment against solid ellipsoid.
CD_API bool cd_cast_segment_ellipsoid(const cd_segment *s, const cd_ellipsoid *ellipsoid,
                                      const cd_cast_options *options, cd_hit *hit);

/// Line against solid ellipsoid.
CD_API bool cd_cast_line_ellipsoid(const cd_line *l, const cd_ellipsoid *ellipsoid,
                                   const cd_cast_options *options, cd_hit *hit);
