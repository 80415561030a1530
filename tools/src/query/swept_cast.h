#pragma once
/* swept_cast: rays, segments and lines against capsules and lozenges; options, answers and bad input as in query/cast. */

#include "query/cast.h"
#include "shape/swept.h"

/// Ray against solid capsule.
///
/// Class: tolerant: whether it hits may be wrong only within 16 units of double of the distance from the origin to the
/// capsule and its length; t grows as uncertain as the ray grazes the surface. The feature is face 0. A radius of no more than
/// that rounding has no side: the normal is against the direction then, and a lozenge's is that of its rectangle.
CD_API bool cd_cast_ray_capsule(const cd_ray *r, cd_real t_max, const cd_capsule *capsule,
                                const cd_cast_options *options, cd_hit *hit);

/// Segment against solid capsule.
CD_API bool cd_cast_segment_capsule(const cd_segment *s, const cd_capsule *capsule,
                                    const cd_cast_options *options, cd_hit *hit);

/// Line against solid capsule.
CD_API bool cd_cast_line_capsule(const cd_line *l, const cd_capsule *capsule, const cd_cast_options *options,
                                 cd_hit *hit);

/// Ray against solid lozenge: four capsules around a box; class as for capsules. The feature is face 0.
CD_API bool cd_cast_ray_lozenge(const cd_ray *r, cd_real t_max, const cd_lozenge *lozenge,
                                const cd_cast_options *options, cd_hit *hit);

/// Segment against solid lozenge.
CD_API bool cd_cast_segment_lozenge(const cd_segment *s, const cd_lozenge *lozenge,
                                    const cd_cast_options *options, cd_hit *hit);

/// Line against solid lozenge.
CD_API bool cd_cast_line_lozenge(const cd_line *l, const cd_lozenge *lozenge, const cd_cast_options *options,
                                 cd_hit *hit);
