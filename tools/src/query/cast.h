#pragma once
/* cast: the first contact of a ray, segment or line with one plane, sphere or box (Ericson 5.3.1-5.3.3).
 *
 * A cast answers true and fills `hit`, or answers false and leaves it alone. Options and hit may be NULL. NaN or infinity
 * in the rest: false. A contact at a point beyond the range of the numbers is none.
 *
 * - Rays: `t_max` may be infinite; it and `options->t_min` count in the ray's direction, which may have any length; a zero
 *   direction asks about the origin alone. Limits are taken as they are, and t is rounded to the nearest number: what was hit at t may be
 *   just beyond a `t_max` of t, and is found again up to cd_next_up(t).
 * - Segments: t from 0 at `a` to 1 at `b`, the way between them taken in double; `options->t_min` may leave out a
 *   beginning, and one below 0 is 0. Where both ends are one point, that alone is asked about.
 * - Lines: have no beginning, so they begin in nothing: t may be negative, what it says of starts and `options->t_min`
 *   is not used, and what the line never enters or crosses is not hit. A zero direction: false.
 *
 * Segments and lines are of the same class as rays, unless they say otherwise, here and with all other shapes. */

#include "query/hit.h"
#include "shape/linear.h"
#include "shape/volume.h"

/// Ray against plane, whose normal may have any length. A ray that begins on the plane hits it there.
///
/// Class: tolerant, 4 units of double of the largest term.
CD_API bool cd_cast_ray_plane(const cd_ray *r, cd_real t_max, cd_plane plane, const cd_cast_options *options,
                              cd_hit *hit);

/// Segment against plane; t from 0 at `a` to 1 at `b` (5.3.1).
CD_API bool cd_cast_segment_plane(const cd_segment *s, cd_plane plane, const cd_cast_options *options,
                                  cd_hit *hit);

/// Line against plane; none in it. t may be negative.
CD_API bool cd_cast_line_plane(const cd_line *l, cd_plane plane, const cd_cast_options *options, cd_hit *hit);

/// Ray against solid sphere (5.3.2).
///
/// Class: tolerant; the distance of the line to the centre is compared, which stays good far from the sphere: a
/// decision may be wrong only within 8 units of double of the distance from the origin to the sphere.
CD_API bool cd_cast_ray_sphere(const cd_ray *r, cd_real t_max, cd_sphere sphere,
                               const cd_cast_options *options, cd_hit *hit);

/// Segment against solid sphere.
CD_API bool cd_cast_segment_sphere(const cd_segment *s, cd_sphere sphere, const cd_cast_options *options,
                                   cd_hit *hit);

/// Line against solid sphere.
CD_API bool cd_cast_line_sphere(const cd_line *l, cd_sphere sphere, const cd_cast_options *options,
                                cd_hit *hit);

/// Ray against solid axis-aligned box, by slabs (5.3.3).
///
/// Class: exact in whether the line meets the box, edges and corners included; t to 2 units in the last place.
CD_API bool cd_cast_ray_aabb(const cd_ray *r, cd_real t_max, cd_aabb box, const cd_cast_options *options,
                             cd_hit *hit);

/// Segment against solid box. Class: exact for the segment's own two points, whose difference no ray can hold.
CD_API bool cd_cast_segment_aabb(const cd_segment *s, cd_aabb box, const cd_cast_options *options,
                                 cd_hit *hit);

/// Line against solid box.
CD_API bool cd_cast_line_aabb(const cd_line *l, cd_aabb box, const cd_cast_options *options, cd_hit *hit);

/// Ray against solid oriented box (5.3.3).
///
/// The ray is taken to the box's frame, with an error of 4 units of double of the largest coordinate; there the
/// test is exact. Of axes that are not quite orthonormal the slabs count, |axes.col[i] . (p - center)| <= half's components.
CD_API bool cd_cast_ray_obb(const cd_ray *r, cd_real t_max, const cd_obb *box, const cd_cast_options *options,
                            cd_hit *hit);

/// Segment against solid oriented box.
CD_API bool cd_cast_segment_obb(const cd_segment *s, const cd_obb *box, const cd_cast_options *options,
                                cd_hit *hit);

/// Line against solid oriented box.
CD_API bool cd_cast_line_obb(const cd_line *l, const cd_obb *box, const cd_cast_options *options,
                             cd_hit *hit);
