#pragma once
/* hull_approx: could two hulls meet? The planes of their faces alone are tried as separating ones (Ericson 4.6.5).
 *
 * Two hulls are apart for sure when one has a face with all of the other in front of it. The converse does not hold: hulls
 * that only a plane along two of their edges parts are said to meet. That is the price of a test without a search, which
 * ends at once for most pairs, and it never errs the other way. A hull is made ready once: its planes ordered so that each
 * of the first is as perpendicular as possible to those before, its vertices in random order, so that one behind the plane
 * is found soon. Instead of vertices, a few spheres that cover the hull can be tried. */

#include "hull/hull.h"

/// A hull made ready; the arrays are its own. The zero object is nothing, and meets nothing.
typedef struct cd_hull_approx {
    cd_sphere bound;    ///< holds the hull and its spheres
    cd_plane *planes;   ///< of the faces, outward, moved out by their rounding
    cd_sphere *spheres; ///< whose union holds the hull, or its vertices with radius 0
    uint32_t plane_count, sphere_count;
    double reach;           ///< no sphere's centre has larger magnitudes of coordinates in sum
    cd_allocator allocator; ///< what gave the memory
} cd_hull_approx;

/// Makes a hull ready. `spheres` may be NULL; otherwise they have to cover the hull, which nothing checks.
///
/// A hull without faces (a point, a segment) has its bounding sphere only against the other's planes. The order is random, but
/// always the same. CD_INVALID_ARGUMENT: an empty hull, a sphere not finite or with a radius below 0; CD_TOO_LARGE: it
/// reaches beyond half the range; CD_OUT_OF_MEMORY. `out` is zeroed then. Memory: 4 numbers a face and a vertex or sphere.
/// Cost: 32 steps a face.
CD_API cd_status cd_hull_approx_make(cd_hull_approx *out, const cd_hull *hull, const cd_sphere *spheres,
                                     size_t count, const cd_allocator *allocator);

/// Gives the memory back; the zero object may be destroyed too.
CD_API void cd_hull_approx_destroy(cd_hull_approx *a);

/// Could two hulls meet? `pose` is that of b in the frame of a; NULL for the same frame.
///
/// Class: conservative: false only when they are apart, b at the exact pose or its vertices at those of cd_transform_point.
/// True also for hulls nearer than 40 units in the last place of `cd_real` (400 in a double build) of
/// the largest coordinate. A pose that is not
/// finite: true. Cost: a plane or two for most pairs apart; a few vertices a face for those that meet.
CD_API bool cd_test_hull_hull_approx(const cd_hull_approx *a, const cd_hull_approx *b,
                                     const cd_transform *pose);
