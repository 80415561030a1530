#pragma once
/* hull_simplify: a hull with fewer vertices or faces, inside or around the one given (collision hulls of a game, bounds).
 *
 * Inside, vertices are chosen: farthest points first, half as many again as wanted; then those go that are missed least,
 * and the farthest one is exchanged for the one missed least while that helps; at last all move some way to where the hull
 * is missed most, and the better one of both results is taken. Around, the same is done in the
 * polar dual, where planes are points and distance is how far corners reach beyond a plane; faces of the hull and
 * planes that touch it along boxes' directions can be chosen, and for few faces boxes, prisms and tetrahedra are tried, too.
 * Of many vertices or faces only those go into the choice that are extreme in one of many directions, some for the body as
 * it is, some for it made round, so that the cost of the choice does not depend on their number. */

#include "hull/hull.h"

/// On which side of the hull the result lies.
typedef enum cd_hull_side {
    CD_HULL_INNER = 0, ///< inside: the hull of some of its vertices
    CD_HULL_OUTER = 1  ///< around it
} cd_hull_side;

/// Options of a simplification; the zero object limits nothing, and NULL stands for it.
typedef struct cd_hull_simplify_options {
    uint32_t flags;        ///< none are known: 0
    uint32_t side;         ///< of `cd_hull_side`
    uint32_t max_vertices; ///< 0: any number; otherwise at least 4, in dimension 2 at least 3
    uint32_t max_faces;    ///< 0: any number; otherwise at least 4; of no meaning in dimension 2
    cd_allocator allocator;
} cd_hull_simplify_options;

/// A hull within a budget of vertices and faces, near to the one given, and how near: see `deviation` of cd_hull_parts.
///
/// A hull within the budget is copied, as are those of dimension 0 and 1; the copy's deviation is 0. `hull` may be a view. One
/// with a `flatness` above 0 (merged faces, rounded vertices) stands for the exact hull of its vertices.
///
/// Inside: the result is the exact hull of a subset of the vertices, of the same dimension, and keeps their `sources`. It
/// has exactly `max_vertices` vertices where only that is limited; with `max_faces`, as many as fit: triangles alone allow
/// for half of it and two, and more are tried where faces are larger.
///
/// Around: the result contains the hull, by exact tests, and its vertices are new, with CD_NONE for a source. Its faces lie
/// on touching planes, pushed out by what rounding the vertices asks for. Where the exact hull of the rounded vertices
/// would have more faces than allowed for, each plane's face is one polygon, and the rounding is told as `flatness`; it is
/// the hull of the vertices that contains the hull then. With `max_vertices` as many planes are used as have no more
/// corners. Hulls too thin for doubles (their thickness below 1e-14 of their size), or so small
/// beside their coordinates that rounding spoils the vertices, get their bounding box, or a tetrahedron around it. CD_UNSUPPORTED: around a hull of dimension 2, whose plane could not be kept exactly.
///
/// Class: exact for inside-ness and topology, conservative for the deviation: support functions differ by no more in any
/// unit direction, at most by the rounding of CD_REAL_EPSILON and 1e-14 of the size too large. The choice itself is
/// greedy; around spheres the deviation is about 1.1 to 1.3 times the best one known.
///
/// CD_INVALID_ARGUMENT: an unknown flag or side, a budget below the least. CD_OUT_OF_MEMORY. CD_NOT_CONVERGED: no result, only
/// where coordinates come near the largest of their type. `out` is the empty hull on failure.
///
/// Cost: linear, and b log b for a budget of b, times a few for each try; a bisection of at most 8 tries where `max_faces`
/// limits the inside of a hull with larger faces.
/// Source: Gonzalez 1985 (farthest points); Barber, Dobkin and Huhdanpaa 1996; Gilbert, Johnson and Keerthi 1988.
CD_API cd_status cd_hull_simplify(cd_hull *out, const cd_hull *hull, const cd_hull_simplify_options *options);
