#pragma once
/* aabb_forms: axis-aligned boxes by corner and widths, by centre and half widths, on whole numbers, and quantised (Ericson
 * 4.2, 4.2.1).
 *
 * Conversions round outward: the result holds every point of the source, exactly, so that a test of boxes converted can only
 * say too much. A conversion there and back may grow the box by a unit in the last place. */

#include "shape/volume.h"

/// An axis-aligned box by its smallest corner and its widths: from min to min + width, exactly. Empty with a negative width.
///
/// Moved by changing three numbers instead of six.
typedef struct cd_aabb_mw {
    cd_vec3 min, width;
} cd_aabb_mw;

/// An axis-aligned box by its centre and half widths: from center - half to center + half, exactly. Empty with a negative half
/// width.
///
/// Half the box fits in few bits (`cd_aabb_cr_q16`), and it is a sphere as well (`cd_sphere_from_aabb_cr`).
typedef struct cd_aabb_cr {
    cd_vec3 center, half;
} cd_aabb_cr;

/// Finite and not empty.
CD_API bool cd_aabb_mw_is_valid(const cd_aabb_mw *b);

/// Finite and not empty.
CD_API bool cd_aabb_cr_is_valid(const cd_aabb_cr *b);

/// By corner and widths; a width beyond the largest number is infinite. An empty box has widths -1, NaN too.
CD_API cd_aabb_mw cd_aabb_mw_from_aabb(cd_aabb b);

/// By centre and half widths. An empty box has half widths -1, and so has one with NaN or infinity.
CD_API cd_aabb_cr cd_aabb_cr_from_aabb(cd_aabb b);

/// By both corners; bounds beyond the largest number become that number, beyond which no point lies. NaN gives an empty box.
CD_API cd_aabb cd_aabb_from_mw(const cd_aabb_mw *b);

/// By both corners; bounds beyond the largest number become that number, beyond which no point lies. NaN gives an empty box.
CD_API cd_aabb cd_aabb_from_cr(const cd_aabb_cr *b);

/// From one to the other, by way of both corners.
CD_API cd_aabb_mw cd_aabb_mw_from_cr(const cd_aabb_cr *b);

/// From one to the other, by way of both corners.
CD_API cd_aabb_cr cd_aabb_cr_from_mw(const cd_aabb_mw *b);

/// The smallest sphere that holds the box: the same centre, the length of the half widths, rounded up; infinite where that
/// is beyond the largest number, -1 for an empty box or NaN. Class: at most 2e-15 of the radius too large before rounding.
CD_API cd_sphere cd_sphere_from_aabb_cr(const cd_aabb_cr *b);

/* ---- whole numbers ---- */

/// A box of the integer grid by both corners; empty when min > max on any axis. All 32-bit numbers are fine.
typedef struct cd_aabb_int {
    int32_t min[3], max[3];
} cd_aabb_int;

/// A box of the integer grid by corner and widths; never empty. All 32-bit numbers are fine, also those whose sum is beyond
/// 32 bits.
typedef struct cd_aabb_mw_int {
    int32_t min[3];
    uint32_t width[3];
} cd_aabb_mw_int;

/// A box of the integer grid by centre and half widths; never empty. All 32-bit numbers are fine, also those whose sum is
/// beyond 32 bits.
typedef struct cd_aabb_cr_int {
    int32_t center[3];
    uint32_t half[3];
} cd_aabb_cr_int;

/// The box with its bounds rounded outward to whole numbers; an empty box and NaN give an empty one.
///
/// Bounds beyond 32 bits are set to the nearest end of the range, so that boxes that meet still do.
CD_API cd_aabb_int cd_aabb_int_from_aabb(cd_aabb b);

/// The box in numbers of the interface, rounded outward.
CD_API cd_aabb cd_aabb_from_int(const cd_aabb_int *b);

/// By corner and widths, exactly; false, with `out` untouched, for an empty box.
CD_API bool cd_aabb_mw_int_from_int(const cd_aabb_int *b, cd_aabb_mw_int *out);

/// By centre and half widths, larger by half a step where a width is odd; false, with `out` untouched, for an empty box.
CD_API bool cd_aabb_cr_int_from_int(const cd_aabb_int *b, cd_aabb_cr_int *out);

/* ---- quantised ----
 *
 * A frame, the box of all there is, is cut into 2^bits - 1 equal steps on each axis; bounds are numbers of steps. A box in 12
 * or 6 bytes; two boxes of one frame are tested as they are. */

/// A box in a frame, 16 bits a bound: bound k is at frame.min + k / 65535 (frame.max - frame.min). Empty when min > max.
typedef struct cd_aabb_q16 {
    uint16_t min[3], max[3];
} cd_aabb_q16;

/// A box in a frame, 8 bits a bound: bound k is at frame.min + k / 255 (frame.max - frame.min). Empty when min > max.
typedef struct cd_aabb_q8 {
    uint8_t min[3], max[3];
} cd_aabb_q8;

/// The smallest quantised box that holds the part of the box in the frame; empty when there is none, or the frame is not
/// valid. Class: exact.
CD_API cd_aabb_q16 cd_aabb_q16_from_aabb(cd_aabb b, cd_aabb frame);

/// The same in 8 bits.
CD_API cd_aabb_q8 cd_aabb_q8_from_aabb(cd_aabb b, cd_aabb frame);

/// A box that holds the quantised one, rounded outward, and within the frame; empty for an empty one, or a frame that is not
/// valid. Class: conservative, by 2e-15 of the frame's largest coordinate before rounding.
CD_API cd_aabb cd_aabb_from_q16(const cd_aabb_q16 *b, cd_aabb frame);

/// The same from 8 bits.
CD_API cd_aabb cd_aabb_from_q8(const cd_aabb_q8 *b, cd_aabb frame);

/// A box by its centre and half widths counted in steps.
typedef struct cd_aabb_cr_q16 {
    cd_vec3 center;
    uint16_t half[3];
} cd_aabb_cr_q16;

/// The same centre, the half widths rounded up to whole steps. False, with `out` untouched, when a half width is more than
/// 65535 steps, the box is not valid, or `step` is not a positive number. Class: exact.
CD_API bool cd_aabb_cr_q16_from_cr(const cd_aabb_cr *b, cd_real step, cd_aabb_cr_q16 *out);

/// The box of half widths in steps, rounded up. Class: exact, the smallest such box; half widths stay finite.
CD_API cd_aabb_cr cd_aabb_cr_from_q16(const cd_aabb_cr_q16 *b, cd_real step);
