#pragma once
/* motion: how a rigid body comes from one pose to another, how far its points come, what box holds it (Ericson 2.4.3).
 *
 * A body is known at two times, and all that lies between is a choice. A `cd_motion` is such a choice, for t from 0 to 1: a
 * pose for every t, and bounds for everything in between, which is what a sweep of a turning body needs. The turn is the
 * shorter one (of two half turns, one); q and -q are the same rotation. Where bodies are only sampled, cd_safe_motion is enough.
 *
 * The bounds are of the motion itself. cd_motion_pose rounds, and is off by at most CD_REAL_EPSILON times the largest
 * coordinate of the position and the two ends, and for points of the body by twice that of their distance from its origin. */

#include "core/status.h"
#include "shape/linear.h"
#include "shape/swept.h"

/// How a body moves; of `cd_motion.kind`.
typedef enum cd_motion_kind {
    CD_MOTION_LINEAR =
        0, ///< straight, as it is turned at the start (the rotation of the end is not looked at): also for a body that
    ///< is turned all at once before the step, or after it
    CD_MOTION_TURN_FIRST, ///< turns about its origin until t = 1/2, then moves straight
    CD_MOTION_TURN_LAST,  ///< moves straight until t = 1/2, then turns about its origin
    CD_MOTION_BOTH,       ///< turns about its origin at a constant rate, and that moves straight
    CD_MOTION_SCREW       ///< turns about and moves along one axis in space, both at a constant rate
} cd_motion_kind;

/// A motion from one pose to another; made by cd_motion_make. All zero, it stays at the identity.
typedef struct cd_motion {
    cd_transform from, to;
    double axis[3]; ///< of the turn, unit, in the frame the poses are given in; zero for none
    double angle;   ///< of the turn, in 0...pi
    uint32_t kind;  ///< of `cd_motion_kind`
} cd_motion;

/// A motion between two poses, which may be the same.
///
/// CD_INVALID_ARGUMENT: NaN, infinity, or no such kind; CD_TOO_LARGE: a coordinate beyond CD_REAL_MAX / 64. `out` is zeroed then.
/// Cost: constant, a few sines.
CD_API cd_status cd_motion_make(cd_motion_kind kind, const cd_transform *from, const cd_transform *to,
                                cd_motion *out);

/// The pose at time t: exactly `from` for t <= 0 or NaN, exactly `to` for t >= 1; else with a unit quaternion. Class: tolerant,
/// see above.
CD_API cd_transform cd_motion_pose(const cd_motion *m, cd_real t);

/// The pose of A in the frame of B at time t.
CD_API cd_transform cd_motion_relative_pose(const cd_motion *a, const cd_motion *b, cd_real t);

/// The motion of A as seen from B, where it is one of the kinds: when B does not turn and A's origin moves straight all the time
/// (then so it does as seen from B), or when B is at rest.
///
/// CD_UNSUPPORTED, and `out` zeroed, where it is none: its poses are those of cd_motion_relative_pose, its first contact is found by
/// cd_sweep_motions. CD_TOO_LARGE: as cd_motion_make. Class: tolerant, as cd_transform_relative.
CD_API cd_status cd_motion_relative(const cd_motion *a, const cd_motion *b, cd_motion *out);

/// An upper bound of how far any point of a box in the body's frame is from the axis of the turn through the body's origin.
///
/// The best `radius` for the bounds below: 0 where nothing turns, and never more than by rounding beyond the distance of the farthest
/// corner from the origin. Infinite for NaN or infinity in; 0 for an empty box.
CD_API cd_real cd_motion_reach(const cd_motion *m, cd_aabb box);

/// An upper bound of the length of the way that a point of the body comes between two times.
///
/// `radius`: no point of the body is farther from its origin, or from the axis of the turn through it (cd_motion_reach). Times are
/// taken into [0, 1], in either order; NaN is all of it. Infinite for a radius that is NaN, negative or above
/// CD_REAL_MAX / 64. Class: conservative;
/// exact up to 1e-13 and its own rounding for a point at that radius, but for BOTH and, where the point is not the farthest from the
/// screw's axis, SCREW.
CD_API cd_real cd_motion_bound(const cd_motion *m, cd_real radius, cd_real t0, cd_real t1);

/// An upper bound of the speed of a point of the body between two times, in lengths for a t of 1; otherwise as cd_motion_bound.
CD_API cd_real cd_motion_speed(const cd_motion *m, cd_real radius, cd_real t0, cd_real t1);

/// An upper bound of how much nearer a point of A and a point of B come to each other between two times.
///
/// At most the two ways together; where the two go the same way, only what differs counts. Otherwise as cd_motion_bound.
CD_API cd_real cd_motion_relative_bound(const cd_motion *a, cd_real radius_a, const cd_motion *b,
                                        cd_real radius_b, cd_real t0, cd_real t1);

/// An upper bound of the speed at which they come nearer: what cd_sweep_interval_halving asks for.
CD_API cd_real cd_motion_relative_speed(const cd_motion *a, cd_real radius_a, const cd_motion *b,
                                        cd_real radius_b, cd_real t0, cd_real t1);

/* ---- boxes that hold a moving thing all the way ----
 *
 * Class of all: conservative. Empty for NaN or infinity in and for things that are empty or not valid; everywhere for a body with a
 * number beyond CD_REAL_MAX / 64 in any but straight motion. */

/// The box that holds a sphere all along a straight motion, the "speed box": the smallest around its boxes at both ends.
CD_API cd_aabb cd_sweep_bounds_sphere(cd_sphere s, cd_vec3 motion);

/// The same for a capsule.
CD_API cd_aabb cd_sweep_bounds_capsule(const cd_capsule *c, cd_vec3 motion);

/// The same for an axis-aligned box.
CD_API cd_aabb cd_sweep_bounds_aabb(cd_aabb b, cd_vec3 motion);

/// The same for an oriented box.
CD_API cd_aabb cd_sweep_bounds_obb(const cd_obb *b, cd_vec3 motion);

/// The same for a triangle.
CD_API cd_aabb cd_sweep_bounds_triangle(const cd_triangle *t, cd_vec3 motion);

/// The same for points, and so for their convex hull.
CD_API cd_aabb cd_sweep_bounds_points(const cd_vec3 *points, size_t count, cd_vec3 motion);

/// A box that holds a sphere of the body's frame at all times between t0 and t1, taken as in cd_motion_bound.
///
/// The ways of the points are followed in up to eight pieces, and each is held by the box of its ends, grown by how far it can bend
/// between them: at most by 0.02 of the distance from the axis (0.08 where the turn takes half of the time), less with the square of
/// the turn. For straight motion the box is the smallest but for rounding, 6e-14 of the largest number.
CD_API cd_aabb cd_motion_bounds_sphere(cd_sphere s, const cd_motion *m, cd_real t0, cd_real t1);

/// The same for a capsule.
CD_API cd_aabb cd_motion_bounds_capsule(const cd_capsule *c, const cd_motion *m, cd_real t0, cd_real t1);

/// The same for an axis-aligned box.
CD_API cd_aabb cd_motion_bounds_aabb(cd_aabb b, const cd_motion *m, cd_real t0, cd_real t1);

/// The same for an oriented box.
CD_API cd_aabb cd_motion_bounds_obb(const cd_obb *b, const cd_motion *m, cd_real t0, cd_real t1);

/// The same for a triangle.
CD_API cd_aabb cd_motion_bounds_triangle(const cd_triangle *t, const cd_motion *m, cd_real t0, cd_real t1);

/// The same for points, and so for their convex hull, grown by a radius. Cost: linear, ten poses each at most.
CD_API cd_aabb cd_motion_bounds_points(const cd_vec3 *points, size_t count, cd_real radius,
                                       const cd_motion *m, cd_real t0, cd_real t1);
