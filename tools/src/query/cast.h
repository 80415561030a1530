#pragma once
/* cast: the first contact of a ray or segment with one plane, sphere or box (Ericson 5.3.1-5.3.3).
 *
 * A cast answers true and fills `hit`, or answers false and leaves it alone. `t_max` may be infinite; it and
 * `options->t_min` count in the ray's direction, which may have any length; a zero direction asks about the origin
 * alone. Options and hit may be NULL. NaN or infinity in the rest: false. */

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

/// Ray against solid sphere (5.3.2).
///
/// Class: tolerant; the distance of the line to the centre is compared, which stays good far from the sphere: a
/// decision may be wrong only within 8 units of double of the distance from the origin to the sphere.
CD_API bool cd_cast_ray_sphere(const cd_ray *r, cd_real t_max, cd_sphere s, const cd_cast_options *options,
                               cd_hit *hit);

/// Ray against solid axis-aligned box, by slabs (5.3.3).
///
/// Class: exact in whether the line meets the box, edges and corners included; t to 2 units in the last place.
CD_API bool cd_cast_ray_aabb(const cd_ray *r, cd_real t_max, cd_aabb b, const cd_cast_options *options,
                             cd_hit *hit);

/// Ray against solid oriented box (5.3.3).
///
/// The ray is taken to the box's frame, with an error of 4 units of double of the largest coordinate; there the
/// test is exact.
CD_API bool cd_cast_ray_obb(const cd_ray *r, cd_real t_max, const cd_obb *b, const cd_cast_options *options,
                            cd_hit *hit);
