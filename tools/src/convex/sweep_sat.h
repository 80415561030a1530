#pragma once
/* sweep_sat: moving convex polyhedra by separating axes (Ericson 5.5.2): the first contact of one with one at rest.
 *
 * While some axis parts the two, they cannot meet before the motion has closed the gap along it: so time goes on to when it has, and the
 * axis of the greatest separation is asked for again there, until none parts them: no axis comes twice, and few come at all. Where
 * the motion does not close the gap they never meet.
 *
 * Both may be whatever cd_sat_convex takes: hulls, boxes, rectangles, tetrahedra, triangles, segments, points. The moving one does not turn.
 * Hits, options, starts and bad input are those of query/sweep.h, the frame that of A at t = 0: `motion`, point and normal are in it, `b_in_a`
 * is the pose of B in it, NULL for the same frame. What is not supported meets nothing. A triangle at rest has two sides; all else are
 * solids. Features are those of the body at rest (of a hull's edge the smaller number of its two half-edges).
 *
 * Class: conservative: no contact is missed and no t is late. The excess is that of query/sweep.h, along each axis: where the two are
 * sharp, their tips may be farther from each other by as much as a tip grows when its faces move out by the excess. A hull with a `flatness`
 * above 0 is the convex hull of its vertices, met early by as much as its planes bound more. Cost: that of a few cd_sat_hull_hull. No memory
 * is taken. */

#include "convex/support.h"
#include "query/sweep.h"

/// The first contact of a moving polyhedron with one at rest.
CD_API bool cd_sweep_convex_convex_sat(const cd_support *a, cd_vec3 motion, const cd_support *b,
                                       const cd_transform *b_in_a, const cd_cast_options *options,
                                       cd_hit *hit);

/// The first contact of a moving hull with one at rest.
CD_API bool cd_sweep_hull_hull_sat(const cd_hull *a, cd_vec3 motion, const cd_hull *b,
                                   const cd_transform *b_in_a, const cd_cast_options *options, cd_hit *hit);
