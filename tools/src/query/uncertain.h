#pragma once
/* uncertain: tests of things whose numbers are known only within bounds, by interval arithmetic (Ericson 11.4).
 *
 * Measured poses, whole spans of time, results of rounded arithmetic: the answer is yes or no only where it holds for all
 * numbers within the bounds. */

#include "core/interval.h"

/// Do two spheres meet, whose centres and radii are known within bounds?
///
/// CD_YES: whichever numbers they are, the spheres meet. CD_NO: in no case. CD_MAYBE: both may be, or the bounds are too
/// wide, or touch, to tell. Class: conservative. A radius below 0 is no sphere, as in cd_test_sphere_sphere. An empty
/// interval, which holds no number, gives CD_MAYBE; so does NaN, which stands for any. Cost: constant.
CD_API cd_ternary cd_test_sphere_sphere_interval(const cd_interval3 *center_a, cd_interval radius_a,
                                                 const cd_interval3 *center_b, cd_interval radius_b);
