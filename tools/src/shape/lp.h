#pragma once
/* lp: linear programs of two and three variables over half-planes and half-spaces n . x <= d.
 *
 * Seidel's algorithm (Seidel 1991; de Berg et al., chapter 4; Ericson 9.4.1): the constraints come in random order, and
 * only one that cuts off the best point so far costs a program of one dimension less on its boundary, which happens
 * seldom enough for an expected time linear in their number. Against Fourier-Motzkin elimination, whose constraints
 * may square in number with each variable and which suits a handful of them, it is the one to use; against a simplex
 * method it cannot cycle and needs no pivot rule.
 *
 * Class of all verdicts and bases: exact, for all finite numbers. Every decision is the sign of a determinant of the
 * constraints' own numbers, in double beside a bound of its rounding error, and in whole numbers of any length where
 * that cannot tell. Unbounded programs are solved inside a box whose half side is a symbol larger than any number, ties
 * by an objective tilted by symbols smaller than any. Only the points given are rounded, each coordinate to 2 units in
 * its last place, and to CD_REAL_MAX where it is beyond. The order is random but always the same: same input, same bits;
 * it assumes that nobody chose the constraints against it, otherwise the time may be their number to the power of the
 * dimension. Magnitudes (other than 0) outside 2^-200...2^200 (2^-160...2^160 for interior points) are as exact but slow.
 *
 * Memory: a copy of the constraints, 6 doubles each at most; none is taken for up to 32 of them. */

#include "core/allocator.h"
#include "core/status.h"
#include "shape/linear.h"

/// The points x of the plane with n . x <= d.
///
/// n = 0 holds everywhere when d >= 0, and nowhere when d < 0.
typedef struct cd_halfspace2 {
    cd_vec2 n;
    cd_real d;
} cd_halfspace2;

/// What a linear program came to.
typedef enum cd_lp_verdict {
    CD_LP_OPTIMAL = 0, ///< there is a best point
    CD_LP_UNBOUNDED,   ///< there are points as good as you like
    CD_LP_INFEASIBLE   ///< no point satisfies all constraints
} cd_lp_verdict;

/// The answer of cd_lp_seidel2.
typedef struct cd_lp2 {
    cd_lp_verdict verdict;
    cd_vec2 point; ///< the best point; unbounded: a feasible one; zero when infeasible
    cd_vec2 ray; ///< unbounded: all point + t ray, t >= 0, are feasible and ever better; largest component 1
    /// Indices of constraints that prove the verdict. Optimal: the point lies on their boundaries, and the direction is a
    /// sum of their normals with factors >= 0. Infeasible: no point satisfies just these. Unbounded: the ray runs along
    /// their boundaries.
    uint32_t basis[3];
    uint32_t basis_count; ///< at most 2, 3 when infeasible; independent of each other when optimal
} cd_lp2;

/// The answer of cd_lp_seidel3, as that of cd_lp_seidel2.
typedef struct cd_lp3 {
    cd_lp_verdict verdict;
    cd_vec3 point, ray;
    uint32_t basis[4];
    uint32_t basis_count; ///< at most 3, 4 when infeasible
} cd_lp3;

/// The point of `count` half-planes that is farthest along `direction`.
///
/// Of several: the one with the smallest x, then the smallest y; where there is no smallest, some point on the boundary
/// of what is feasible, or on a line through the origin. A zero direction asks only whether there are points. `out` is
/// zeroed unless CD_OK is returned; NaN or infinity: CD_INVALID_ARGUMENT; 2^32 - 1 constraints or more: CD_TOO_LARGE.
/// Class: exact verdict and basis; the point within 2 units in the last place of each coordinate. Cost: expected linear.
/// Source: Seidel 1991; Ericson 9.4.1.
CD_API cd_status cd_lp_seidel2(const cd_halfspace2 *halfspaces, size_t count, cd_vec2 direction,
                               const cd_allocator *allocator, cd_lp2 *out);

/// The point of `count` half-spaces that is farthest along `direction`.
///
/// Each plane stands for n . x <= d, n of any length; n = 0 holds everywhere when d >= 0, and nowhere when d < 0. Of several
/// points: the one with the smallest x, then y, then z. All else as in cd_lp_seidel2.
CD_API cd_status cd_lp_seidel3(const cd_plane *halfspaces, size_t count, cd_vec3 direction,
                               const cd_allocator *allocator, cd_lp3 *out);

/// What the interior of an intersection of half-spaces came to.
typedef enum cd_interior {
    CD_INTERIOR_FOUND = 0, ///< the point given is strictly inside all of them
    CD_INTERIOR_THIN,      ///< there are such points, but the one given, as rounded, is not
    CD_INTERIOR_FLAT, ///< their intersection is part of a plane (2D: a line); the point is on it up to rounding
    CD_INTERIOR_EMPTY ///< they have no point in common; the point is zero
} cd_interior;

/// The answer of cd_halfplanes_interior_point.
typedef struct cd_interior2 {
    cd_interior verdict;
    cd_vec2 point;
    /// Its distance from the nearest boundary; 0 when flat; when empty, below 0: by how much all must yield.
    cd_real margin;
} cd_interior2;

/// The answer of cd_halfspaces_interior_point.
typedef struct cd_interior3 {
    cd_interior verdict;
    cd_vec3 point;
    cd_real margin; ///< as in cd_interior2
} cd_interior3;

/// A point strictly inside all half-planes, as far from their boundaries as can be: the centre of a largest circle.
///
/// Where circles of any size fit, the margin is the largest distance of a boundary from the origin, or 1. Empty because of
/// a half-plane with n = 0 and d < 0: the margin is -CD_REAL_MAX. Class: exact verdict; the margin within a relative 1e-15
/// of the best before rounding. Errors, memory and cost as cd_lp_seidel3; a program of three variables.
CD_API cd_status cd_halfplanes_interior_point(const cd_halfspace2 *halfspaces, size_t count,
                                              const cd_allocator *allocator, cd_interior2 *out);

/// A point strictly inside all half-spaces, as far from their boundaries as can be: the centre of a largest ball.
///
/// As cd_halfplanes_interior_point, by a program of four variables (Ericson 9.4.1).
CD_API cd_status cd_halfspaces_interior_point(const cd_plane *halfspaces, size_t count,
                                              const cd_allocator *allocator, cd_interior3 *out);
