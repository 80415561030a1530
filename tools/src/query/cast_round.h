#pragma once
/* cast_round: rays, segments and lines against cylinders, cones and discs (Ericson 5.3.7; Pope).
 *
 * Arguments, options and answers as in query/cast. The line is brought to the part of it nearest to the shape before anything is
 * squared, so that decisions stay good far away. Class: tolerant: a decision may be wrong only within 16 units of double of the
 * distance from the origin to the shape, t where the line grazes a round side only to the root of that. */

#include "query/hit.h"
#include "shape/cylinder.h"
#include "shape/linear.h"

/// Ray against solid cylinder. Faces: 0 the side, 1 the cap at a, 2 that at b.
CD_API bool cd_cast_ray_cylinder(const cd_ray *r, cd_real t_max, const cd_cylinder *cylinder,
                                 const cd_cast_options *options, cd_hit *hit);

/// Segment against solid cylinder.
CD_API bool cd_cast_segment_cylinder(const cd_segment *s, const cd_cylinder *cylinder,
                                     const cd_cast_options *options, cd_hit *hit);

/// Line against solid cylinder.
CD_API bool cd_cast_line_cylinder(const cd_line *l, const cd_cylinder *cylinder,
                                  const cd_cast_options *options, cd_hit *hit);

/// Ray against solid cone. Faces: 0 the side, 2 the base. At the very apex the normal is along the axis; where that is not on the
/// side that the ray comes from, it is that of the side which is.
CD_API bool cd_cast_ray_cone(const cd_ray *r, cd_real t_max, const cd_cone *cone,
                             const cd_cast_options *options, cd_hit *hit);

/// Segment against solid cone.
CD_API bool cd_cast_segment_cone(const cd_segment *s, const cd_cone *cone, const cd_cast_options *options,
                                 cd_hit *hit);

/// Line against solid cone.
CD_API bool cd_cast_line_cone(const cd_line *l, const cd_cone *cone, const cd_cast_options *options,
                              cd_hit *hit);

/// Ray against disc, whose front is the side of its normal. Face: 0.
///
/// A ray in the disc's plane passes it by. One that begins on the disc hits it there, unless CD_CAST_START_IGNORE or
/// CD_CAST_START_LEAVING is set.
CD_API bool cd_cast_ray_disc(const cd_ray *r, cd_real t_max, const cd_disc *disc,
                             const cd_cast_options *options, cd_hit *hit);

/// Segment against disc.
CD_API bool cd_cast_segment_disc(const cd_segment *s, const cd_disc *disc, const cd_cast_options *options,
                                 cd_hit *hit);

/// Line against disc.
CD_API bool cd_cast_line_disc(const cd_line *l, const cd_disc *disc, const cd_cast_options *options,
                              cd_hit *hit);
