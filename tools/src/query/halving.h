#pragma once
/* halving: the first contact of things that move in any way, given as a function of time (Ericson 5.5.1).
 *
 * Where nothing is known of a motion but how far apart the two are at a time, and a bound of how fast they can come nearer, they
 * cannot touch before the distance is used up: so time goes on by distance / speed, again and again. Where the speed is asked of
 * spans of time, as it may be lower in short ones, a span is halved until the bound clears it, or clears half of it and what is
 * left could not do better. That is the book's recursion turned to a loop which looks at no time twice, and goes farther in a step
 * than halving does (conservative advancement, Mirtich 1996). Where only spans of time can be judged, by boxes around all that
 * moves in them, spans are halved as in the book, without recursion.
 *
 * Class of all: conservative. Nothing touches before the `t` of the answer, as far as what is told by the callbacks holds, whatever
 * else happens; no contact is passed over. The excess: a hit is told where the distance was at most `tolerance`, or where it could be
 * used up within 2^-24 of the time (2^-53 in the double build), as t has no nearer neighbours from 1/2 on: so things that pass each
 * other nearer than 2^-24 of the speed may be told to touch. The number of calls is bounded, also for a tolerance of 0, with which
 * the book's routine does not end. */

#include "query/motion.h"

/// At most the distance between the two at time t; 0 or less where they touch. NaN: not known.
typedef cd_real (*cd_distance_fn)(void *user, cd_real t);

/// At least the speed at which any points of the two come nearer to each other at any time between t0 and t1, for a t in [0, 1].
typedef cd_real (*cd_speed_fn)(void *user, cd_real t0, cd_real t1);

/// False only when the two touch at no time from t0 to t1, both included. t0 may be t1.
typedef bool (*cd_may_touch_fn)(void *user, cd_real t0, cd_real t1);

/// At most the distance between two bodies in these poses; 0 or less where they touch.
typedef cd_real (*cd_pose_distance_fn)(void *user, const cd_transform *a, const cd_transform *b);

/// Options; the zero object is the default, and NULL stands for it.
typedef struct cd_halving_options {
    uint32_t max_iterations; ///< calls of the distance or test at most; 0: 1024
    cd_real tolerance;       ///< as near as this counts as touching; for spans: shorter ones are not halved
    cd_real t_min;           ///< begin here instead of at 0; below 0: at 0
} cd_halving_options;

/// The first contact.
///
/// CD_INVALID_ARGUMENT: a callback is missing or answered NaN (or a speed below 0), or the options or shapes make no sense.
/// CD_NOT_CONVERGED: the iterations are used up. Both with `hit`: what was found up to `t` holds, and nothing is known beyond it.
typedef struct cd_halving {
    cd_status status;
    bool hit;  ///< do they touch, or can it not be excluded?
    cd_real t; ///< they do not before this; 1 where there is no hit
    /// the distance told at t, at least 0, and 0 where iterations are used up; for spans: the contact, if any, is in [t, t + gap]
    cd_real gap;
    uint32_t iterations; ///< calls of the distance or test
} cd_halving;

/// The first contact from a distance and a speed.
///
/// `speed` may be NULL: then `most_speed` is the bound of it at all times, else it is not looked at. Cost: for two that come
/// straight at each other at the speed told a few calls; with a bound that is k times too high about 17 k (37 k in the double
/// build); most for those that graze each other.
CD_API cd_halving cd_sweep_interval_halving(cd_distance_fn distance, cd_speed_fn speed, cd_real most_speed,
                                            void *user, const cd_halving_options *options);

/// The first contact from a test of spans of time.
///
/// Spans from 1 on, halved where the test does not exclude contact, the earlier half first, until they are as short as
/// `tolerance`, or 2^-25 (2^-54).
CD_API cd_halving cd_sweep_interval_halving_spans(cd_may_touch_fn may_touch, void *user,
                                                  const cd_halving_options *options);

/// The first contact of any two bodies in motion, from the distance of their shapes in given poses.
///
/// `radius_a`, `radius_b`: no point of a body is farther from its origin. What rounding may do to the poses is taken off the
/// distance: 2 CD_REAL_EPSILON of the largest coordinates of both ends of both motions and the radii, all added.
CD_API cd_halving cd_sweep_motions(const cd_motion *a, cd_real radius_a, const cd_motion *b, cd_real radius_b,
                                   cd_pose_distance_fn distance, void *user,
                                   const cd_halving_options *options);

/// The first contact of two spheres, each given in its body's frame, which move with their bodies.
///
/// Distances are those of doubles, less 6e-14 of the coordinates of both ends of both motions and the spheres.
CD_API cd_halving cd_sweep_motions_sphere_sphere(const cd_motion *a, cd_sphere sphere_a, const cd_motion *b,
                                                 cd_sphere sphere_b, const cd_halving_options *options);

/// The same for two capsules, and so for segments and points.
CD_API cd_halving cd_sweep_motions_capsule_capsule(const cd_motion *a, const cd_capsule *capsule_a,
                                                   const cd_motion *b, const cd_capsule *capsule_b,
                                                   const cd_halving_options *options);
