#pragma once
/* chung_wang: a vector that separates two convex bodies, found by reflection, as published, kept for comparison and teaching (Chung and Wang
 * 1996, "Quick collision detection of polytopes in virtual environments"; Ericson 9.6).
 *
 * The farthest point of A along a vector s and that of B against it tell whether s separates the two. If not, s is mirrored at the plane across the
 * way r between these points, which turns it away from what it failed on: s - 2 (r s) r. Of bodies that are apart it comes to separate
 * them. Of such as meet it never does: every r is a half-space that separating vectors would have to be in, and when no vector is in all of
 * them, there is none. No distance comes of it, and no nearest points; with the vector of the last query one step is mostly enough.
 *
 * Class: classic. A vector found is a proof, but for the rounding of doubles, and so is none, when no vector is left. Between bodies that nearly
 * touch, and needles, the steps go to and fro across a thin cone of vectors, and their bound ends them undecided; so does a vector along which the two
 * only just touch, as mirroring does not change it. COLLIDE_NO_CLASSIC leaves this part out. */

#ifndef COLLIDE_NO_CLASSIC

#include "convex/separation.h"
#include "convex/support.h"

/// How a search for a separating vector ended.
typedef enum cd_separating_verdict {
    CD_SEPARATING_UNDECIDED = 0, ///< the iterations were used up
    CD_SEPARATING_FOUND,         ///< the bodies are apart
    CD_SEPARATING_NONE           ///< there is none: they meet
} cd_separating_verdict;

/// What cd_chung_wang found.
typedef struct cd_separating_vector {
    cd_status status; ///< CD_OK; CD_NOT_CONVERGED: undecided; CD_INVALID_ARGUMENT: all else is NaN or zero
    cd_separating_verdict verdict;
    cd_vec3 vector; ///< unit, from A to B: the one found, or the last that failed
    /// of vector . (b - a) over both bodies; found: above 0, and they are at least so far apart
    cd_real least;
    uint32_t iterations; ///< vectors tried
} cd_separating_vector;

/// Does a vector separate two convex bodies?
///
/// `b_in_a` NULL: the same frame. `max_iterations` 0: 100. `vector` is handed in, of any length, and comes back as that of the answer, for the next query;
/// NULL, zero or not finite: the way from the one's center to the other's. Touching bodies are not separated. A body
/// that is not valid: CD_INVALID_ARGUMENT.
/// Class: classic. Cost: an iteration takes the farthest points of both bodies, and a cut of the vectors left.
/// Source: Chung and Wang 1996; Ericson 9.6. Not as there: the vectors left are polygons on the sphere, cut by each half-space.
CD_API cd_separating_vector cd_chung_wang(const cd_support *a, const cd_support *b,
                                          const cd_transform *b_in_a, uint32_t max_iterations,
                                          cd_vec3 *vector);

#endif
