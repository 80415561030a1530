#pragma once
/* minkowski3: the sum and the difference of two hulls in space (Ericson 3.11).
 *
 * A + B is the set of all a + b, A - B that of all a - b. Both are convex; their vertices are sums (differences) of vertices. The
 * bodies A and B overlap exactly when the origin is in A - B. */

#include "hull/hull_build.h"

/// Where a vertex of a sum or difference comes from: a vertex of each operand.
typedef struct cd_minkowski_pair {
    uint32_t a, b;
} cd_minkowski_pair;

/// The sum of two hulls, { a + b }, of any dimensions.
///
/// Class: exact. The vertices, edges and faces are those of the sum without rounding, only then are the vertices rounded to
/// cd_real, each coordinate to the nearest number. Which vertices of `a` and `b` make a vertex of the sum tells
/// cd_minkowski_pair_of from its number in `sources`. Where no vertex had to be rounded the result is as good as
/// one of cd_hull3_build, with `flatness` 0. Else `deviation` is a bound of the distance by which vertices were moved and
/// `flatness` twice that: faces may be out of flat and edges hollow by it, vertices may even coincide, and cd_hull_validate
/// does not ask for exact convexity; `dimension` is that of the exact sum. The normals of faces are the exact ones,
/// rounded.
///
/// An operand with a `flatness` above 0 (merged faces, rounded vertices) stands for the exact hull of its vertices. The
/// sum with the empty hull is empty. Of the options the allocator and the executor are used.
///
/// CD_TOO_LARGE: a coordinate is beyond half of CD_REAL_MAX; the product of the operands' numbers of vertices is not below
/// 2^32 - 1; the result has more than 2^28 vertices. CD_OUT_OF_MEMORY, CD_CANCELLED. `out` is the empty hull on failure.
///
/// Cost: for each vertex of the sum the product of the numbers of edges at its two vertices, then that of a hull of the
/// sum's vertices. Source: Fukuda 2004, "From the zonotope construction to the Minkowski addition of convex
/// polytopes", for the walk along the edges of the sum.
CD_API cd_status cd_minkowski_sum3(cd_hull *out, const cd_hull *a, const cd_hull *b,
                                   const cd_hull_options *options);

/// The difference of two hulls, { a - b }: all as in cd_minkowski_sum3.
CD_API cd_status cd_minkowski_difference3(cd_hull *out, const cd_hull *a, const cd_hull *b,
                                          const cd_hull_options *options);

/// The two vertices that make a vertex of a sum or difference: `source` is its entry in `sources`, `b` the second
/// operand. The entry itself is the first one's vertex times the number of vertices of `b`, plus the second one's vertex. CD_NONE
/// twice for CD_NONE or an empty `b`.
CD_API cd_minkowski_pair cd_minkowski_pair_of(uint32_t source, const cd_hull *b);

/// Where is the origin in the difference of two hulls, or: do they overlap?
///
/// Class: exact, no rounding of the difference comes in. `where` is -1 when the hulls have no common point; 0 when the
/// origin is on the boundary of the difference: they touch, and can be parted by an arbitrarily small motion; 1 when it is
/// strictly inside. A difference of dimension 2 or less, as of two polygons in parallel planes, is all boundary. A hull with
/// a `flatness` above 0 stands for the exact hull of its vertices; the empty hull overlaps nothing.
///
/// CD_TOO_LARGE, CD_OUT_OF_MEMORY, CD_CANCELLED as in cd_minkowski_difference3 (in the float build no difference is too
/// large); `where` is -1 then. Cost: as there, but constant memory and linear time when the bounding boxes are
/// apart. A reference rather than a fast test.
CD_API cd_status cd_minkowski_locate_origin3(int *where, const cd_hull *a, const cd_hull *b,
                                             const cd_hull_options *options);
