#pragma once
/* motion3d (internal): a motion's poses in double. */

#include "core/pose.h"
#include "query/motion.h"

/* The pose at time t in [0, 1], off by at most cdi_motion_noise. */
CDI_FN cdi_pose cdi_motion_at(const cd_motion *m, double t);

/* The velocity of the body's origin at time t in (0, 1), in the half of the time that goes on from there. */
CDI_FN cdi_v3 cdi_motion_velocity(const cd_motion *m, double t);

/* The distance of the farthest of the points from the axis of the turn through the body's origin; finite points. */
CDI_FN double cdi_motion_reach(const cd_motion *m, const cd_vec3 *points, size_t count);

/* How far a point of the body, of coordinates up to `most`, may be from where it is computed. */
CDI_FN double cdi_motion_noise(const cd_motion *m, double most);

/* How a body moves in one half of the time, in which nothing of this changes. */
typedef struct cdi_motion_rates {
    cdi_v3 axis;   /* of the turn, unit, or zero */
    double turn;   /* its rate */
    cdi_v3 drift;  /* the velocity of the body's origin, of a screw on the whole ... */
    double beside; /* ... and how far the velocity may be from that at a time */
    double bend;   /* a bound of the origin's acceleration */
} cdi_motion_rates;

CDI_FN cdi_motion_rates cdi_motion_rates_of(const cd_motion *m, int half);
