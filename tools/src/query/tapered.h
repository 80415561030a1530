#pragma once
/* tapered: points, rays, segments and lines against tapered capsules.
 *
 * A tapered capsule is all the balls whose centers go from one end to the other, and whose radii change evenly on the way: the depth of a point
 * is that in the ball it is deepest in. For casts it is two balls, and between the circles where both touch it a cone. */

#include "query/cast.h"
#include "shape/swept.h"

/// Is the point in the tapered capsule?
///
/// Class: tolerant: within 8 units of double of the largest number. False for NaN and infinity.
CD_API bool cd_test_point_tapered_capsule(cd_vec3 p, const cd_tapered_capsule *c);

/// The closest point of a tapered capsule; p itself when inside. Class: tolerant, 4 units in the last place of the largest number. NaN for what is
/// not valid.
CD_API cd_vec3 cd_closest_pt_point_tapered_capsule(cd_vec3 p, const cd_tapered_capsule *c);

/// Ray against solid tapered capsule; options, answers and bad input as in query/cast.
///
/// Class: tolerant: whether it hits may be wrong only within 32 units of double of the distance from the origin to the
/// capsule and its size; t grows as uncertain as the ray grazes the surface, or runs along a line of the cone. The feature is face 0.
CD_API bool cd_cast_ray_tapered_capsule(const cd_ray *r, cd_real t_max, const cd_tapered_capsule *capsule,
                                        const cd_cast_options *options, cd_hit *hit);

/// Segment against solid tapered capsule.
CD_API bool cd_cast_segment_tapered_capsule(const cd_segment *s, const cd_tapered_capsule *capsule,
                                            const cd_cast_options *options, cd_hit *hit);

/// Line against solid tapered capsule.
CD_API bool cd_cast_line_tapered_capsule(const cd_line *l, const cd_tapered_capsule *capsule,
                                         const cd_cast_options *options, cd_hit *hit);
