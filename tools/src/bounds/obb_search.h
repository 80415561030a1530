#pragma once
/* obb_search: oriented boxes made smaller by looking for better axes (Ericson 4.4.4, 4.4.5).
 *
 * For the class, degenerate and bad input see obb_fit. All look at every point again and again: give them the vertices of the
 * hull (cd_hull_get_parts), which are few, rather than all points. */

#include "bounds/obb_fit.h"

/// Makes a box smaller by iterated projection: the points are seen along each of its axes in turn, and the box takes the
/// rectangle of least area across that axis, until none of them gains more than rounding errors, or 512 were tried: two axes that take
/// turns may gain ever less for so long (of 20 random points in 1 of 3000 cases in the double build), and the third is not come to.
///
/// `box` gives the axes to start with, which may be anything: what is not a rotation is made one. The result holds all points, and
/// is not larger than the box of the points along the axes at the start, but for rounding. Ends in a local minimum in nearly all cases
/// (the book says "not", which is a misprint): each axis is best for the other two, but turning all at once may still gain.
/// Cost: count log count for each projection, usually less than twenty, at most 512, and as many again where the box along the
/// axes of the world is smaller. Memory, CD_TOO_LARGE: as cd_obb_pca; `box` is zero then.
CD_API cd_status cd_obb_refine(const cd_vec3 *points, size_t count, const cd_allocator *allocator,
                               cd_obb *box);

/// How hard to search; the zero object is the default, and NULL stands for it.
typedef struct cd_obb_search_options {
    /// brute force: orientations along each of three directions, 2...256; 0: 8. Optimiser: tries in all from each start; 0: 200
    uint32_t steps;
    uint32_t rounds; ///< brute force: how often the interval shrinks, 1...64; 0: 8. Not of the optimiser
    uint32_t starts; ///< optimiser: how many starts, 1...4096; 0: 8. Not of brute force
    uint32_t seed;   ///< optimiser: of its random numbers
} cd_obb_search_options;

/// The best box of a grid of orientations around that of the principal components, which is then made finer around the best.
///
/// The first grid covers all orientations: boxes look alike after quarter turns, so turns by vectors tan(angle / 2) * axis within
/// a cube of half width sqrt(2) - 1 are enough. Each round has a cube of 2.5 steps of the one before. Of each orientation
/// the six points extreme along the axes of the best box are tried first: about a half to two thirds need no more, down to a
/// third around spheres and up to nearly all around few corners.
/// Options out of range: CD_INVALID_ARGUMENT. Cost: at most steps^3 * rounds times the count, no memory.
CD_API cd_status cd_obb_brute_force(const cd_vec3 *points, size_t count, const cd_obb_search_options *options,
                                    cd_obb *out);

/// The best box that random turns lead to: one turn is tried at a time, and kept if the box got smaller; else the next ones
/// are smaller.
///
/// Starts at the principal components, the axes of the world, and random orientations. The same for the same seed everywhere.
/// Options out of range: CD_INVALID_ARGUMENT. Cost: at most steps * starts times the count, no memory.
CD_API cd_status cd_obb_optimize(const cd_vec3 *points, size_t count, const cd_obb_search_options *options,
                                 cd_obb *out);
