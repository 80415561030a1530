#pragma once
/* planes: what two and three planes have in common (Ericson 5.4.4, 5.4.5).
 *
 * Whether planes are parallel, and what they then have in common, is decided exactly for the numbers as they stand; how near
 * they are to it is told by a number without a unit, for the caller to compare with what counts as parallel to them. However near that
 * is, points and directions are good to the last places: the determinants they are made of are evaluated without rounding
 * where that is needed. */

#include "shape/linear.h"

/// What planes have in common; of `cd_planes_common.kind`.
typedef enum cd_planes_kind {
    CD_PLANES_NOTHING = 0, ///< no point
    CD_PLANES_POINT,       ///< a point: `line.origin`; `line.dir` is zero
    CD_PLANES_LINE, ///< `line`: its origin the point of it nearest to the frame's origin, its direction unit
    CD_PLANES_PLANE ///< they are one plane: `line` is perpendicular to it, from its point nearest to the frame's origin
} cd_planes_kind;

/// The common set of two or three planes.
typedef struct cd_planes_common {
    uint32_t kind; ///< of `cd_planes_kind`
    cd_line line;  ///< as `kind` says; zero for CD_PLANES_NOTHING

    /// How far from parallel, 0...1. Of two planes the sine of their angle; of three the determinant of their unit
    /// normals without its sign, which is 0 where all are parallel to a line. More than 0 where it is not exactly 0, unless it
    /// is too small for the number type. NaN for bad planes.
    cd_real sine;
} cd_planes_common;

/// The points of two planes.
///
/// Normals of any length. `line.dir` is along the cross product of the normals, a's first; for a CD_PLANES_PLANE along
/// a's normal. NaN, infinity or a zero normal: CD_PLANES_NOTHING with `sine` NaN. Class: `kind` exact; tolerant, each of
/// origin and direction within 8 units in the last place of its length, beyond the range of numbers infinite; `sine` 8 units
/// of itself. Source: Ericson 5.4.4, with determinants in place of dot products.
CD_API cd_planes_common cd_intersect_plane_plane(const cd_plane *a, const cd_plane *b);

/// The points of three planes, as for two.
///
/// Where all three are parallel to a line (`sine` is 0) this tells apart: they have a line in common, which is that of the two
/// of them that are farthest from parallel; they are one plane; or there is no point on all, as in a prism. Class: as for
/// two; each coordinate of a point within 4 units in the last place.
/// Source: Ericson 5.4.5 (Cramer's rule).
CD_API cd_planes_common cd_intersect_planes3(const cd_plane *a, const cd_plane *b, const cd_plane *c);
