#pragma once
/* angle (internal): sine, cosine and angles on doubles. */

#include "core/scalar.h"

/* Both within a unit in the last place, for every finite x; NaN for NaN and infinity. */
CDI_FN void cdi_sincos(double x, double *sine, double *cosine);

/* The angle in 0...pi/4 with this sine and cosine, within a few units in the last place. */
CDI_FN double cdi_angle_of(double sine, double cosine);
