#pragma once
/* gjk_cast: rays and moving convex bodies against convex bodies, given by their farthest points (Ericson 9.5.7).
 *
 * A moves in a straight line, B rests: a ray from the origin against Minkowski's difference of the two, in van den Bergen's form (Ray
 * casting against general convex objects, 2004): GJK looks for a direction that parts them, each that it finds moves the ray on to where
 * the plane across it is met, and GJK goes on from there with the corners it has. The radii of rounded bodies are a distance to stop at
 * and not part of the bodies, so that spheres, capsules and lozenges are as sharp as polytopes. This is conservative advancement with
 * the speed along the direction in place of a bound, and the other form of it is not offered: it takes more steps and tells no more. For
 * bodies that turn: convex/time_of_impact.
 *
 * Only where two kinds have no sweep or cast of their own these are to be preferred: cd_sweep_A_B and cd_cast_ray_A are faster, and
 * those of rays are exact. */

#include "convex/separation.h"
#include "convex/support.h"
#include "query/hit.h"

/// The first contact of A, moving by `motion`, with B at rest.
///
/// All as query/sweep has it for solids, with A and `motion` in A's frame and B posed in it by `b_in_a` (NULL: the same frame); the hit
/// is in that frame, its feature one of B, CD_FEATURE_NONE on what is curved or the caller's. Flat bodies have no back. Class:
/// conservative: t is never late and no contact is missed; what is left of the way at t is at most 2^-44 (in the double build 2^-40) of
/// the largest coordinate of the two bodies, as they are given and in A's frame, and their radii, whatever the length of the motion.
/// Where a body is the caller's own: 2^3 CD_REAL_EPSILON of it, if that is more, as it is asked in cd_real. Not valid, NaN or infinity in:
/// false. Cost: some 5 to 20 times that of a farthest point of both; more for curved ones and for those that graze each other. No allocation.
CD_API bool cd_gjk_sweep(const cd_support *a, cd_vec3 motion, const cd_support *b, const cd_transform *b_in_a,
                         const cd_cast_options *options, cd_hit *hit);

/// The first contact of a ray with a solid body.
///
/// Options, starts and the hit as query/cast has them, `t_max` may be infinite; the point is on the surface. Class: conservative, as
/// cd_gjk_sweep, the ray's origin being the body A; where the ray leaves (CD_CAST_CULL_FRONT) t is never early, and late by no more. Stack,
/// measured: 18 KiB.
CD_API bool cd_gjk_raycast(const cd_ray *r, cd_real t_max, const cd_support *s,
                           const cd_cast_options *options, cd_hit *hit);
