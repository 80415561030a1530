#pragma once
/* sphere_octree (internal): sphere trees along an octree (Ericson 6.4.3; Palmer and Grimsdale 1995; Hubbard 1996).
 *
 * The cube around all is halved across each axis, over and over; octants without surface are pruned, and a cube of which only one
 * octant has any is left out: its octant takes its place. A triangle goes with its middle. The items stand along a Morton
 * curve, so that a cube's are one run, and its octants begin where a bit of their places changes. */

#include "tree/sphere_plan.h"

CDI_FN cd_status cdi_plan_octree(cdi_plan *p);
