#pragma once
/* johnson: the point of a simplex nearest to a point by Johnson's determinants, and the walk of Gilbert, Johnson and Keerthi with it, as
 * published, kept for comparison and teaching (Gilbert, Johnson and Keerthi 1988, "A fast procedure for computing the distance between complex
 * objects in three-dimensional space"; van den Bergen 1999; Ericson 9.5.2).
 *
 * The nearest point is the only combination of some of the corners with weights above 0 for which every further corner would get a weight of 0
 * or less. Of each of the 15 subsets of four corners the weights are quotients of determinants, made of those of smaller subsets by
 * Johnson's recurrence out of the corners' scalar products. Where rounding leaves no subset that fits, the backup procedure compares
 * the points of all subsets whose own weights are above 0.
 *
 * Class: classic. The determinants grow with the sixth power of the corners' distance and shrink with the square of the simplex's volume: near
 * its boundary and for thin simplexes the wrong subset is kept, and the weights lose their digits; the walk may say of bodies that are apart
 * that they meet: of needles, and seldom of others that are nearer than a hundredth of their size, where four corners lie in one plane,
 * as those of a face, of parallel faces and of two edges that cross do. cd_gjk_distance, which solves simplexes by signs of
 * differences, does not. COLLIDE_NO_CLASSIC leaves this part out. */

#ifndef COLLIDE_NO_CLASSIC

#include "convex/separation.h"
#include "convex/support.h"

/// What cd_closest_pt_simplex_johnson found.
typedef struct cd_johnson_point {
    cd_status status; ///< CD_OK, or CD_INVALID_ARGUMENT: all else is NaN or zero
    cd_vec3 point;
    /// of the corners; above 0 for those that are kept, 0 for others; their sum is 1 but for rounding
    cd_real weights[4];
    uint32_t kept;   ///< the corners that bear the point, bit i for corner i
    uint32_t backup; ///< 1 when it was left to the backup procedure
} cd_johnson_point;

/// The point of a simplex of one to four corners that is nearest to p.
///
/// Corners may coincide or be in line. Another count, NaN or infinity: CD_INVALID_ARGUMENT.
/// Class: classic, in doubles. Cost: constant, all subsets are made. Source: Gilbert, Johnson and Keerthi 1988; van den Bergen 1999; Ericson 9.5.2.
CD_API cd_johnson_point cd_closest_pt_simplex_johnson(cd_vec3 p, const cd_vec3 *corners, size_t count);

/// The distance of two convex bodies as cd_gjk_distance gives it, by the walk as it was published.
///
/// `max_iterations` 0: 100. It ends when the lower bound of the distance is within 1e-10 of it, when the origin is in the simplex, and,
/// CD_NOT_CONVERGED, when a corner comes again or the point comes no nearer. `gap` is the difference of the bounds as far as rounding lets
/// them be known. Bodies whose cores meet: distance 0 less the radii, and witness points that mean nothing but where the cores meet.
/// A body that is not valid: CD_INVALID_ARGUMENT.
/// Class: classic. Source: Gilbert, Johnson and Keerthi 1988; van den Bergen 1999; Ericson 9.5.
CD_API cd_separation cd_gjk_johnson(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                                    uint32_t max_iterations);

#endif
