#pragma once
/* fourier_motzkin: do half-spaces have a point in common? By eliminating one variable after the other, as published, kept for comparison and
 * teaching (Fourier 1827; Motzkin 1936; Ericson 9.4.1; Kohler 1967 for the redundant rows).
 *
 * A row with a factor above 0 of a variable bounds it from above, one with a factor below 0 from below. The variable can be chosen when
 * every lower bound is no more than every upper one: a row for each such pair, in the other variables alone. After the last variable only
 * numbers are compared. Back from there, each variable is chosen between its bounds.
 *
 * m rows may become m^2/4 with each variable: for two variables that is bearable, of three it suits a dozen rows. cd_lp_seidel2 and cd_lp_seidel3 take
 * time linear in m, and are exact. Here rows are doubles: where bounds meet in a point, or all but do, the verdict is that of rounding.
 * COLLIDE_NO_CLASSIC leaves this part out. */

#ifndef COLLIDE_NO_CLASSIC

#include "shape/lp.h"

/// Switches of the elimination.
typedef enum cd_fourier_motzkin_flag {
    CD_FOURIER_MOTZKIN_PRUNE =
        1 ///< leaves out rows that follow from others: those made of more than k + 1 given ones for k variables
} cd_fourier_motzkin_flag;

/// What it came to.
typedef struct cd_fourier_motzkin {
    /// CD_OK; CD_TOO_LARGE: the rows did not fit; CD_INVALID_ARGUMENT: NaN, infinity, or memory that is not aligned to doubles
    cd_status status;
    uint32_t feasible; ///< 1 when there is such a point
    /// then, in the middle of its bounds variable by variable, from x; z is 0 of half-planes; else zero
    cd_vec3 point;
    size_t rows; ///< made in all, the given ones among them; also when they did not fit
} cd_fourier_motzkin;

/// The bytes that always suffice for `count` rows in `dimension` variables, 2 or 3; SIZE_MAX where no number can tell.
///
/// In two variables 48 bytes for each of m + m^2/4 rows, in three m^4/64 more: 14 KiB for 32 half-planes, 0.8 MiB for 32 half-spaces. Less memory may do.
CD_API size_t cd_lp_fourier_motzkin_size(int dimension, size_t count);

/// Do half-planes n . x <= d have a point in common? n of any length; n = 0 holds everywhere when d >= 0.
///
/// `flags` of cd_fourier_motzkin_flag; `memory` of `bytes` is the caller's, aligned to doubles, and may be less than
/// cd_lp_fourier_motzkin_size says: CD_TOO_LARGE when it was not enough. Class: classic, in doubles.
/// Cost: that of the rows made; with the flag, that of all pairs of them. Source: Ericson 9.4.1; Kohler 1967.
CD_API cd_fourier_motzkin cd_lp_fourier_motzkin2(const cd_halfspace2 *halfspaces, size_t count,
                                                 uint32_t flags, void *memory, size_t bytes);

/// The same of half-spaces; each plane stands for n . x <= d, n of any length.
CD_API cd_fourier_motzkin cd_lp_fourier_motzkin3(const cd_plane *halfspaces, size_t count, uint32_t flags,
                                                 void *memory, size_t bytes);

#endif
