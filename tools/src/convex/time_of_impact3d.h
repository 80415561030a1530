#pragma once
/* time_of_impact3d (internal): times of impact of bodies that are posed in what moves, of planes, and up to a time. */

#include "convex/body.h"
#include "convex/time_of_impact.h"

/* A body at a place in the frame that moves; NULL: as it is. */
typedef struct cdi_moving {
    const cd_support *support;
    const cdi_pose *place;
    const cd_motion *motion;
} cdi_moving;

/* Can these be asked about? */
CDI_FN bool cdi_impact_is_sound(const cd_motion *a, const cd_motion *b, const cd_impact_options *options);

/* b in the frame of a. */
CDI_FN cdi_pose cdi_pose_in(const cdi_pose *a, const cdi_pose *b);

/* cd_time_of_impact; what comes after t_max is left out. */
CDI_FN cd_impact cdi_impact_of(const cdi_moving *a, const cdi_moving *b, const cd_impact_options *options,
                               double t_max);

/* The same with what is on or below the plane n.x = d in the frame that motion_b moves; n is finite and not zero. */
CDI_FN cd_impact cdi_impact_with_plane(const cdi_moving *a, cdi_v3 n, double d, const cd_motion *motion_b,
                                       const cd_impact_options *options, double t_max);
