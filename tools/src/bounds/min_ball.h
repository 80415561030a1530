#pragma once
/* min_ball (internal): the smallest ball around points or spheres. */

#include "bounds/sites.h"

/* CD_TOO_LARGE; CD_NOT_CONVERGED when the ball, which holds all, may not be the smallest; radius -1 about the origin when there
 * is nothing. */
CDI_FN cd_status cdi_min_ball(const cdi_sites *s, cd_vec3 *center, cd_real *radius);
