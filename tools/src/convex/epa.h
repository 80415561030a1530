#pragma once
/* epa: how deep two convex bodies are in each other, by van den Bergen's expanding polytope (Ericson 9.5.3).
 *
 * The depth is the least way that parts the bodies: where the boundary of the difference B - A is nearest to the origin. A polytope of
 * points of B - A around the origin grows there: its nearest face gives a direction, and the farthest point along it is a new corner. The
 * nearest face's plane is a bound of the depth from below, the farthest point along any direction one from above, whatever rounding does to
 * the polytope; `gap` is what is between. Bodies without an inside, whose difference is flat, a line or a point, have the depth 0.
 *
 * The polytope has 54 corners, in 10 KiB of the stack; with all around it a query takes less than 16 KiB. Faces that cannot be the nearest any
 * more make room for others. Where that is not enough, since many ways out are alike (coaxial cylinders, balls one in the other), the sphere
 * of directions is searched for the best of them, cell by cell, with bounds that know the bodies' round parts. */

#include "convex/gjk.h"

/// The signed distance of two convex bodies, always by GJK and EPA; cd_convex_distance gives the same.
///
/// `b_in_a` NULL: both are in the same frame. `options` and `cache` may be NULL. Overlapping: `distance` is minus the depth, moving B by the depth
/// along `normal` parts the two. Of ways out that are as short, one is given, always the same for the same call. CD_NOT_CONVERGED: the
/// iterations asked for were used up, or the search was ended as it had no end in sight: rarely, where round bodies are nearly, but not quite,
/// coaxial or alike (then the gap is mostly below 2^-20 of the size; seldom, of stretched cones and cylinders about each other, below 2^-8),
/// polytopes with more than some fifty faces as near, or needles of doubles: `distance` still parts them and `gap` holds. A body that is not
/// valid: CD_INVALID_ARGUMENT.
/// Class: tolerant, within `gap`: for polytopes 2^-44 of the largest coordinate, and the rounding of the number type.
/// Cost: for polytopes some ten to forty times two farthest points, for curved bodies up to some hundred, with rings of ways out
/// alike some hundred to some six thousand, and, seldom, twice that, where the way that was found is that of a face all but a needle, and so
/// is none (never more than 15500); nothing is allocated.
/// Source: Ericson 9.5.3; van den Bergen 2001, "Proximity queries and penetration depth computation on 3D game objects".
CD_API cd_separation cd_epa(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                            const cd_separation_options *options, cd_cache *cache);
