#pragma once
/* obb_min: the oriented box of least volume around a convex hull (Ericson 4.4.3).
 *
 * O'Rourke (1985): such a box has two neighbouring faces that each hold an edge of the hull. So for each pair of edges there is a family of
 * boxes with one parameter, and of each family the least is looked for. */

#include "bounds/obb_fit.h"

/// The box of least volume around a hull.
///
/// For class, degenerate and bad input see obb_fit; a flat hull gets the rectangle of least area, the empty hull is
/// CD_INVALID_ARGUMENT. The volume is the least one within a share of 1e-7 (1e-9 in double), and the rounding of the axes. That
/// is how closely the search looks, not a proof: it goes by bounds that are good to rounding errors and for small turns. Of
/// bodies thinner than 1e-6 of their size (1e-10 in double) rounding hides which box is the least; each family is halved 500 times at
/// most then, and the best box found is given, which holds all points as ever.
///
/// Normals of planes that touch the hull along an edge make an arc on the sphere of directions; the pairs are those of arcs
/// that hold perpendicular directions. Each is bisected while the box could still be smaller than the best one known: the
/// corners that a box touches bound the volume of the boxes beside it from below, and between two of them the volume has no
/// minimum of its own that differs from its ends by more than the square of the angle.
///
/// Cost, for e edges: e^2 / 2 looks at four numbers, and one to a few boxes for each pair of arcs that holds perpendicular
/// directions, of which round hulls have about e^1.5: 7 ms for 100 vertices, a quarter of a second for 1000 on a sphere.
/// Memory: at most 700 bytes a vertex, taken from `allocator`, which may be NULL.
/// Source: O'Rourke 1985, "Finding minimal enclosing boxes"; the pairs of arcs as in Jylanki 2015, "An exact algorithm for
/// finding minimum oriented bounding boxes".
CD_API cd_status cd_obb_min_volume(const cd_hull *hull, const cd_allocator *allocator, cd_obb *out);
