#pragma once
/* trig: sine and cosine, the same bits on every machine; libm's differ between systems.
 *
 * The angle is reduced to an eighth of a turn either side of a multiple of a quarter, in twice the working precision, so
 * that nothing is lost near the zeros; then come polynomials. Class of all: tolerant, for every finite angle: in
 * a float build within 0.51 units in the last place, in a double build within 1. Never above 1 in magnitude.
 * cd_sin(-x) is -cd_sin(x) and cd_cos(-x) is cd_cos(x) to the bit. NaN for NaN and infinity. Angles above 2^20 take
 * about three times as long. */

#include "core/config.h"

/// The sine of an angle in radians.
CD_API cd_real cd_sin(cd_real radians);

/// The cosine of an angle in radians.
CD_API cd_real cd_cos(cd_real radians);

/// Both at once, the same bits as one by one; either pointer may be NULL.
CD_API void cd_sincos(cd_real radians, cd_real *sine, cd_real *cosine);
