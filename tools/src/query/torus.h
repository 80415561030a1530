#pragma once
/* torus: points, spheres, rays, segments and lines against solid tori.
 *
 * Closed solids: touching counts. An invalid torus (cd_torus_is_valid), NaN or infinity: false, or NaN where a point or distance
 * is asked for. All questions are about the distance from the torus's circle, so thin tori are as good as thick ones. */

#include "query/cast.h"
#include "shape/torus.h"

/// Is the point in the torus? Class: exact.
CD_API bool cd_test_point_torus(cd_vec3 p, const cd_torus *t);

/// The point of the solid nearest to p; p itself when inside. For points on the axis one of many.
///
/// Class: tolerant, 16 units of double of the largest of the distance and the radii, and the rounding of the result.
CD_API cd_vec3 cd_closest_pt_point_torus(cd_vec3 p, const cd_torus *t);

/// Squared distance to the solid; 0 inside. Its root is as good as the closest point.
CD_API cd_real cd_sqdist_point_torus(cd_vec3 p, const cd_torus *t);

/// Do sphere and torus meet? Class: exact.
CD_API bool cd_test_sphere_torus(cd_sphere s, const cd_torus *t);

/// Ray against solid torus. Options and answers as in query/cast.
///
/// The line is inside in at most two pieces; the first one counts that does not end before the ray begins. With
/// CD_CAST_START_IGNORE a piece that the ray begins in is passed over, not the one after it. Face: 0.
///
/// The quartic is looked at from the line's point nearest to the centre. Between its extremes, which are the roots of a cubic
/// without a square term, it crosses zero at most once; whether it does is told by the distance from the circle, which loses
/// no digits as the quartic does. Each crossing is closed in by Newton's method, with halving where that leaves the bracket,
/// in at most 128 steps, six or so as a rule. Class: tolerant: a hit may be missed or invented only within 32 units of double
/// of the distance from the origin to the far side of the torus, its point is on the surface as exactly; t is as good, but where
/// the line grazes the surface only to the root of that.
CD_API bool cd_cast_ray_torus(const cd_ray *r, cd_real t_max, const cd_torus *torus,
                              const cd_cast_options *options, cd_hit *hit);

/// Segment against solid torus.
CD_API bool cd_cast_segment_torus(const cd_segment *s, const cd_torus *torus, const cd_cast_options *options,
                                  cd_hit *hit);

/// Line against solid torus.
CD_API bool cd_cast_line_torus(const cd_line *l, const cd_torus *torus, const cd_cast_options *options,
                               cd_hit *hit);
