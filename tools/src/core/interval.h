#pragma once
/* interval: arithmetic with bounds that are never wrong (Ericson 11.4; Moore 1966).
 *
 * An interval holds all real numbers from lo to hi, and the result of an operation holds every result for numbers of its
 * operands. Instead of switching the rounding mode of the machine, each bound is computed with the sign of its rounding
 * error, and moved to the next number outward only where that error would leave something out. So the bounds of all
 * operations on single intervals are the tightest there are: class exact. Bounds of operations on vectors are computed
 * in doubles and rounded outward once more at the end: class conservative, never too narrow.
 *
 * An infinite bound means no bound: the interval has no number infinity, and 0 times it is 0. As a bound on the wrong
 * side, or as a value, an infinity stands for what lies beyond the largest number. An interval with lo > hi is empty,
 * and makes every result empty (bounds infinity, -infinity). A bound that is NaN says nothing: the interval is taken as
 * the whole line, so that nothing is excluded by mistake. */

#include "core/vec.h"

/// The real numbers from lo to hi; empty when lo > hi, everything when either is NaN.
typedef struct cd_interval {
    cd_real lo, hi;
} cd_interval;

/// Three intervals: a box that holds a point or vector.
typedef struct cd_interval3 {
    cd_interval x, y, z;
} cd_interval3;

/// What is known of a statement about numbers that are known by their intervals.
typedef enum cd_ternary {
    CD_NO = -1,   ///< false for all numbers of the intervals
    CD_MAYBE = 0, ///< true for some and false for others, or an interval is empty
    CD_YES = 1    ///< true for all
} cd_ternary;

/// The interval with these bounds.
CD_API cd_interval cd_interval_make(cd_real lo, cd_real hi);

/// The interval of one number; of infinity, all from the largest number on; of NaN, the whole line.
CD_API cd_interval cd_interval_from_value(cd_real x);

/// All real numbers.
CD_API cd_interval cd_interval_whole(void);

/// No number.
CD_API cd_interval cd_interval_empty(void);

/// Neither bound NaN, and not empty.
CD_API bool cd_interval_is_valid(cd_interval a);

/// lo > hi.
CD_API bool cd_interval_is_empty(cd_interval a);

/// Does the interval hold x? An infinity where there is no bound on its side; never NaN.
CD_API bool cd_interval_contains(cd_interval a, cd_real x);

/// The least interval that holds both.
CD_API cd_interval cd_interval_hull(cd_interval a, cd_interval b);

/// What both hold.
CD_API cd_interval cd_interval_intersect(cd_interval a, cd_interval b);

/// hi - lo, rounded up; 0 for an empty interval.
CD_API cd_real cd_interval_width(cd_interval a);

/// A number of the interval, finite, to a rounding in the middle of it.
///
/// 0 for the whole line and the empty interval, and the largest number on the open side where one bound is infinite.
CD_API cd_real cd_interval_middle(cd_interval a);

/// -a.
CD_API cd_interval cd_interval_neg(cd_interval a);

/// a + b.
CD_API cd_interval cd_interval_add(cd_interval a, cd_interval b);

/// a - b.
CD_API cd_interval cd_interval_sub(cd_interval a, cd_interval b);

/// a times b.
CD_API cd_interval cd_interval_mul(cd_interval a, cd_interval b);

/// a / b; the whole line where b holds 0, inside or as a bound.
CD_API cd_interval cd_interval_div(cd_interval a, cd_interval b);

/// The squares: never below 0, as a product of a with itself may be.
CD_API cd_interval cd_interval_sqr(cd_interval a);

/// The square roots of the numbers that are not negative; empty where all are.
CD_API cd_interval cd_interval_sqrt(cd_interval a);

/// The magnitudes.
CD_API cd_interval cd_interval_abs(cd_interval a);

/// The smaller of a number of each.
CD_API cd_interval cd_interval_min(cd_interval a, cd_interval b);

/// The larger of a number of each.
CD_API cd_interval cd_interval_max(cd_interval a, cd_interval b);

/// x < y, for x of a and y of b?
CD_API cd_ternary cd_interval_less(cd_interval a, cd_interval b);

/// x <= y, for x of a and y of b?
CD_API cd_ternary cd_interval_less_equal(cd_interval a, cd_interval b);

/// x = y, for x of a and y of b?
CD_API cd_ternary cd_interval_equal(cd_interval a, cd_interval b);

/// The sign: CD_YES where all numbers are positive, CD_NO where all are negative.
CD_API cd_ternary cd_interval_sign(cd_interval a);

/// The three intervals of one number each.
CD_API cd_interval3 cd_interval3_from_vec3(cd_vec3 v);

/// a + b.
CD_API cd_interval3 cd_interval3_add(const cd_interval3 *a, const cd_interval3 *b);

/// a - b.
CD_API cd_interval3 cd_interval3_sub(const cd_interval3 *a, const cd_interval3 *b);

/// a times s.
CD_API cd_interval3 cd_interval3_scale(const cd_interval3 *a, cd_interval s);

/// Dot product.
CD_API cd_interval cd_interval3_dot(const cd_interval3 *a, const cd_interval3 *b);

/// Cross product, right-handed.
CD_API cd_interval3 cd_interval3_cross(const cd_interval3 *a, const cd_interval3 *b);

/// Squared length: the dot product of each vector with itself, never below 0.
CD_API cd_interval cd_interval3_sqlength(const cd_interval3 *a);
