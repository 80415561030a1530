#pragma once
/* known_distance (internal): balls, rods and boxes against each other in closed form: all but two boxes, and but cores that meet, though a ball's
 * center may be in a box. */

#include "any/plain.h"
#include "convex/gjk3d.h"
#include "core/pose.h"

/* The signed distance of two valid shapes, B at a pose in A's frame (NULL: in the same), where there is such a form and it is good to some
 * units of double: the plane across the normal proves it. Radii are those of the supports. */
CDI_FN bool cdi_known_clearance(const cd_shape *a, const cd_shape *b, const cdi_pose *b_at,
                                cdi_clearance *out);
