#pragma once
/* tolerance: are two numbers nearly the same? (Ericson 11.2 to 11.3.1)
 *
 * An absolute tolerance suits numbers of known size, a relative one numbers of any size but 0, units in the last place the
 * results of a few roundings; the combined form takes the more generous of the first two. Every verdict is that of
 * exact arithmetic: nothing is rounded, overflows or underflows on the way.
 *
 * Of all forms: equal numbers are nearly equal, +0 and -0 among them, whatever the tolerance; NaN equals nothing; an
 * infinity equals itself only, except in units in the last place, where it is the number after the largest. A
 * tolerance that is negative or NaN counts as 0, and an infinite one lets any two finite numbers pass. */

#include "core/vec.h"

/// |a - b| <= tolerance. Class: exact.
CD_API bool cd_nearly_equal_abs(cd_real a, cd_real b, cd_real tolerance);

/// |a - b| <= tolerance * max(|a|, |b|). Class: exact. Any two finite numbers pass from 2 on.
CD_API bool cd_nearly_equal_rel(cd_real a, cd_real b, cd_real tolerance);

/// |a - b| <= max(abs_tolerance, rel_tolerance * max(|a|, |b|)). Class: exact. Source: Ericson 11.3.1.
CD_API bool cd_nearly_equal(cd_real a, cd_real b, cd_real abs_tolerance, cd_real rel_tolerance);

/// At most `ulps` steps from a to b, each to the next number of the type. Class: exact. NaN in: false.
CD_API bool cd_nearly_equal_ulps(cd_real a, cd_real b, uint64_t ulps);

/// How many numbers of the type it is from a to b: 0 for equal ones, 1 for neighbours.
///
/// Both zeros are one number, and an infinity is the one after the largest. NaN in: UINT64_MAX. Class: exact.
CD_API uint64_t cd_ulps_between(cd_real a, cd_real b);

/// The least number above x: infinity after the largest; infinity and NaN stay. Class: exact.
CD_API cd_real cd_next_up(cd_real x);

/// The largest number below x: -infinity after the least; -infinity and NaN stay. Class: exact.
CD_API cd_real cd_next_down(cd_real x);

/// Neither NaN nor infinite.
CD_API bool cd_is_finite(cd_real x);

/// Is the distance of a and b at most max(abs_tolerance, rel_tolerance * max(|a|, |b|)), by Euclid's lengths?
///
/// Class: exact. An infinite or NaN component is nearly equal to nothing but vectors of the same
/// components, NaN not even to itself.
CD_API bool cd_vec3_nearly_equal(cd_vec3 a, cd_vec3 b, cd_real abs_tolerance, cd_real rel_tolerance);
