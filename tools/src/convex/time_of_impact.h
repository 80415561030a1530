#pragma once
/* time_of_impact: when do two convex bodies that move and turn first touch? (Mirtich 1996; Ericson 9.5.7 for the straight case)
 *
 * Conservative advancement: GJK finds a direction that parts the two at a time, and time goes on by what that is worth. It is worth more
 * than its gap divided by a bound of the speed: along one direction, kept in space or turned with one of the bodies or with both, each
 * point's way is known at two times, and between them it is off the straight by no more than its acceleration allows. So a step reads the
 * gap at its end, too, and is cleared up to where the straight line between the two, less that little, comes down to touching. Near the
 * contact the acceleration no longer matters, and the steps become those of Newton's method: few are needed also for bodies that spin fast.
 *
 * Bodies are given in their own frames, cd_motion leads them from pose to pose: by a turn of half a circle at most, so that more than
 * that is to be cut into parts. Straight motion alone: cd_gjk_sweep. */

#include "convex/separation.h"
#include "convex/support.h"
#include "query/motion.h"

/// Options of cd_time_of_impact; the zero object is the default, and NULL stands for it.
typedef struct cd_impact_options {
    /// farthest points that GJK asks for at most; 0: 2048, most pairs take 10 to 100
    uint32_t max_iterations;
    cd_real distance; ///< bodies as near as this count as touching
    /// and are told as touching when they are no farther than this from it; 0: as sharp as can be
    cd_real tolerance;
    cd_real t_min; ///< begin here instead of at 0; below 0 is 0
} cd_impact_options;

/// The first contact of two bodies that move.
typedef struct cd_impact {
    /// CD_OK; CD_NOT_CONVERGED: apart up to `t`, and nothing is known beyond it; CD_INVALID_ARGUMENT: all else is zero
    cd_status status;
    bool hit;  ///< do they touch, or can it not be excluded?
    cd_real t; ///< they do not before this; 1 where there is no hit
    /// how far they are apart at t; 0 or less, minus the depth, where they begin in contact
    cd_real distance;
    /// unit, from A to B; it and what follows is as at time t, in the frame of the poses, and zero without a hit
    cd_vec3 normal;
    cd_vec3 a, b; ///< the nearest points
    uint32_t feature_a,
        feature_b; ///< what they lie on, see CD_FEATURE; CD_FEATURE_NONE on what is curved or the caller's
    uint32_t iterations; ///< farthest points that GJK asked for
} cd_impact;

/// The first contact of two convex bodies in motion, for t in [0, 1].
///
/// Class: conservative: `t` is never later than the first contact, and none is passed over, however fast and thin the bodies are. At a
/// hit the distance is at most that of the options and their tolerance, and besides 2^-41 (in the double build 2^-38) of the largest
/// coordinates: of the bodies in their frames, and of both ends of both motions; where a body is the caller's own, 2^4 CD_REAL_EPSILON of
/// these. Bodies in contact at t_min: a hit there. A negative distance or tolerance, NaN, t_min above 1, bodies that are not valid:
/// CD_INVALID_ARGUMENT. Cost: that of three to ten distances by GJK, and a look at all vertices; more where curved bodies graze, or bodies
/// turn together side by side. No allocation.
CD_API cd_impact cd_time_of_impact(const cd_support *a, const cd_motion *motion_a, const cd_support *b,
                                   const cd_motion *motion_b, const cd_impact_options *options);
