#pragma once
/* qp: the distance of two polytopes by quadratic programming (Ericson 9.4.2).
 *
 * The bodies are given by half-spaces: the points x of A and y of B with |x - y| least are a quadratic program of six variables. Each
 * body's point nearest to a point of the other is found by the dual method of Goldfarb and Idnani, which begins outside and needs no first
 * point inside; a few such steps lead near the answer. From there active sets of at most three planes a body follow the distance down: to
 * where it is least on the planes' intersections, up to the next plane, and off a plane that only pulls. Nothing is shared with
 * the other distance routines, which makes it good to check them by; they are the faster ones. */

#include "convex/separation.h"
#include "hull/hull.h"
#include "shape/linear.h"

/// The distance of two intersections of half-spaces n . x <= d, normals of any length; B in its own frame, `b_in_a` its pose or NULL.
///
/// The distance is 0 where they meet, and the witness points are then a common point, the normal that of the plane nearest to it. They
/// may be unbounded; no planes are all of space. n = 0 holds everywhere when d >= 0, and nowhere when d < 0. `feature_a` is the face (the
/// plane's index) where the witness point lies on one alone, else CD_FEATURE_NONE.
/// CD_INVALID_ARGUMENT: NaN, infinity, a pose that is not valid, or a body without points, which is found out up to the rounding of
/// doubles: one that is flat is taken for such, not for empty. CD_TOO_LARGE: 2^32 - 1 planes or more. CD_NOT_CONVERGED: as many steps as allowed
/// were not enough, or the planes meet at such small angles that the gap is above 1e-6 of the coordinates; `gap` tells how far off the answer
/// may be.
/// `gap` is the difference of both sides of the program's duality, with what the planes' rounding leaves of its conditions
/// times how far the planes are from the origin. Of the options only `max_iterations` counts; NULL is the default.
/// Class: tolerant, 1e-13 of the largest of the points' coordinates besides the rounding of the number type, divided by the volume that
/// the unit normals of the planes that bear a point span: a corner of planes that meet at small angles, as those of a thin body, is only
/// known so well (1e-9 for a tetrahedron squashed to 1e-4 of its width), and `gap` tells. Cost: linear in the number of
/// planes, times 10 to 30 steps; nothing is allocated. Where many planes
/// meet in a point and steps make no way, both points are projected anew, so that steps cannot come back for ever.
/// Source: Goldfarb and Idnani 1983; Fletcher, Practical Methods of Optimization, 10.3; Ericson 9.4.2.
CD_API cd_separation cd_qp_distance(const cd_plane *a, size_t a_count, const cd_plane *b, size_t b_count,
                                    const cd_transform *b_in_a, const cd_separation_options *options);

/// The same for two hulls of any dimension, by the planes through their corners, which are not rounded as the hulls' own are; of hulls
/// with a flatness their own planes. The empty hull: CD_INVALID_ARGUMENT.
CD_API cd_separation cd_qp_distance_hulls(const cd_hull *a, const cd_hull *b, const cd_transform *b_in_a,
                                          const cd_separation_options *options);
