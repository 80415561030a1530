#pragma once
/* selftest: asks the running program whether its arithmetic is what the results rely on. */

#include "core/config.h"

/// What `cd_selftest` found wrong; bits that may come together.
typedef enum cd_selftest_flag {
    CD_SELFTEST_CONTRACTION = 1,   ///< a * b + c is fused: a compiler flag overrode the header
    CD_SELFTEST_FLUSH_TO_ZERO = 2, ///< denormal numbers are flushed to zero, in or out
    CD_SELFTEST_ROUNDING = 4,      ///< the rounding mode is not round-to-nearest
    CD_SELFTEST_PRECISION = 8,     ///< intermediate results are kept wider than their type
    CD_SELFTEST_FAST_MATH = 16     ///< NaN, infinity or signed zero do not behave
} cd_selftest_flag;

/// Checks the floating-point environment of the calling thread: 0 when results are bit-exact as documented,
/// else a set of `cd_selftest_flag`. It divides by zero and underflows on purpose, so do not call it with
/// floating-point traps enabled.
CD_API uint32_t cd_selftest(void);
