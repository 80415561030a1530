#pragma once
/* motion3d (internal): a motion's poses in double. */

#include "core/pose.h"
#include "query/motion.h"

/* The pose at time t in [0, 1], off by at most cdi_motion_noise. */
CDI_FN cdi_pose cdi_motion_at(const cd_motion *m, double t);

/* The distance of the farthest of the points from the axis of the turn through the body's origin; finite points. */
CDI_FN double cdi_motion_reach(const cd_motion *m, const cd_vec3 *points, size_t count);

/* How far a point of the body, of coordinates up to `most`, may be from where it is computed. */
CDI_FN double cdi_motion_noise(const cd_motion *m, double most);
