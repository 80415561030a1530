#pragma once
/* integer: geometry on whole numbers, where nothing is ever rounded (Ericson 11.5).
 *
 * Coordinates are 32-bit; each step of a routine has a budget of bits, stated here, and takes a type that is wide enough, so
 * that every answer is exact for all inputs, the ends of the range included. With w = 2^32 - 1, the largest difference
 * of two coordinates:
 *
 *   a difference of coordinates                       |d| <= w           32 bits and a sign: int64_t
 *   a product of two differences                      |p| <= w^2         64 bits and a sign
 *   orientation (b-a) x (c-a), twice a triangle       |o| <= w^2         64 bits and a sign; its sign alone needs no
 *                                                                        more than comparing two products
 *   cross product of two unrelated differences        |x| <= 2 w^2       65 bits and a sign: cd_int128
 *
 * 128-bit numbers are made of two 64-bit ones, without extensions of the compiler. Class of all: exact. */

#include "core/config.h"

/* ---- 128-bit numbers ---- */

/// A whole number from -2^127 to 2^127 - 1: hi 2^64 + lo. The zero object is 0.
typedef struct cd_int128 {
    uint64_t lo;
    int64_t hi;
} cd_int128;

/// x as a 128-bit number.
CD_API cd_int128 cd_int128_from_int64(int64_t x);

/// x y, which always fits.
CD_API cd_int128 cd_int128_mul_int64(int64_t x, int64_t y);

/// a + b, modulo 2^128 where it does not fit.
CD_API cd_int128 cd_int128_add(cd_int128 a, cd_int128 b);

/// a - b, modulo 2^128 where it does not fit.
CD_API cd_int128 cd_int128_sub(cd_int128 a, cd_int128 b);

/// -a; -2^127 stays what it is.
CD_API cd_int128 cd_int128_neg(cd_int128 a);

/// -1, 0 or 1: the sign of a - b, which may itself not fit.
CD_API int cd_int128_compare(cd_int128 a, cd_int128 b);

/// -1, 0 or 1.
CD_API int cd_int128_sign(cd_int128 a);

/// The double nearest to a, the even one of two.
CD_API double cd_int128_to_double(cd_int128 a);

/* ---- fractions ---- */

/// The sign of a_num / a_den - b_num / b_den: -1, 0 or 1.
///
/// Exact for all numbers of any sign, by Euclid's division: whole parts are compared, then the reciprocals of what is
/// left. With denominator 0 a fraction is infinite, with the sign of its numerator, and equal to the infinity of that
/// sign; 0 / 0 counts as 0. Cost: at most 92 rounds of two divisions, two or three as a rule. Source: Ericson 11.5.2.
CD_API int cd_compare_fractions(int64_t a_num, int64_t a_den, int64_t b_num, int64_t b_den);

/* ---- points and segments of the plane ---- */

/// A point of the integer grid.
typedef struct cd_ivec2 {
    int32_t x, y;
} cd_ivec2;

/// Where c lies as seen along a to b: 1 to the left (a, b, c turn counter-clockwise), -1 to the right, 0 on the line.
CD_API int cd_orient2d_int(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c);

/// Do the segments a b and c d meet? Closed: touching counts, so does overlapping; either may be a point.
///
/// Needs four signs of 64-bit comparisons and comparisons of coordinates. Source: Ericson 5.1.9.1, 11.5.3.
CD_API bool cd_test_2d_segment_segment_exact(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c, cd_ivec2 d);

/// How two segments meet.
typedef enum cd_segment_cut_kind {
    CD_SEGMENT_CUT_POINT = 1,  ///< in one point
    CD_SEGMENT_CUT_OVERLAP = 2 ///< in a segment: they lie on one line
} cd_segment_cut_kind;

/// The common points of two segments of the grid, as parameters on the first.
///
/// From a + num[0] / den (b - a) to a + num[1] / den (b - a), with 0 <= num[0] <= num[1] <= den and den > 0: the same
/// for a point. The fraction is not reduced; den has at most 65 bits.
typedef struct cd_segment_cut2 {
    uint32_t kind; ///< cd_segment_cut_kind
    cd_int128 num[2], den;
    cd_ivec2 ends[2]; ///< of an overlap, its ends, the one nearer to a first; 0 for a point
} cd_segment_cut2;

/// The common points of the segments a b and c d; false, with `out` untouched, when there are none.
///
/// True just when cd_test_2d_segment_segment_exact is. Where a and b are one point its parameter is 0 / 1.
CD_API bool cd_intersect_2d_segment_segment_exact(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c, cd_ivec2 d,
                                                  cd_segment_cut2 *out);
