#pragma once
/* solid_depth: how far has a body to go along a direction to be free of another?
 *
 * Two triangles that pass each other in a straight line meet during one span of the way, which is known in closed form. The way
 * on which the surfaces of two bodies meet is the union of the spans of all pairs of their triangles; in its gaps nothing changes, and
 * a point of each piece tells whether something of one body is inside the other there. So the first free place is found by going from
 * the end of one span to that of another that begins before it, until there is none, and through the gaps where a body is inside: each
 * step is one walk through both trees, and no list of pairs is ever made. It is right for bodies of any form: the first
 * free place may be in the middle, as in the hole of a ring; where the two part for good is told, too.
 *
 * The answer is tried before it is given: B is set there, with its position rounded, and tested against A; until it is
 * free in fact, it is moved on, by units in the last place at first. Gaps so narrow that no such position is free are no free places. */

#include "any/solid.h"

/// The answer of cd_solid_depth.
typedef struct cd_solid_way {
    cd_status status;    ///< CD_NOT_CONVERGED: free, but nearer places may be, too
    uint32_t iterations; ///< walks through the trees
    cd_real t; ///< how far B has to go, >= 0; infinite where it never gets free; 0 where they do not overlap
    cd_real beyond;    ///< from here on they never overlap again, >= t; infinite as t is
    cd_vec3 direction; ///< the way, unit
    cd_vec3 point;     ///< where they touch last before they are free, in A's frame
    cd_vec3 normal;    ///< unit, from A to B: across what parts them there; zero where t is 0
    /// the triangles that part there; CD_NONE where t is 0, or where B left a place in which surfaces do not meet
    cd_pair pair;
    cd_transform b_in_a; ///< B's pose where it is free
} cd_solid_way;

/// How far B has to go along a direction (not zero, of any length) until it is free of A: it is the first place on the way where
/// cd_solid_test is false, but for its rounding; the depth of the two in each other along that direction.
///
/// Bodies that only touch are not free of each other, so that those that slide along each other have a long way to go; with a tolerance above 0 the
/// way ends as soon as no point of either surface is deeper than that in the other: then bodies that touch have no way to go at
/// all. `t` is then free of depth, not of contact, and found by steps no longer than what is too deep.
///
/// Below a height field only surfaces are met: what is below it stays there until it meets the surface, or until B's box has left that of
/// the field sideways; t is infinite where it never does, as downward. What comes in below its edge later is not seen. The same goes for open meshes, whose holes
/// are no surface. CD_INVALID_ARGUMENT, and t NaN: not valid, NaN or infinity, no direction.
/// Read of the options: pairs, tolerance, max_iterations (walks, or measurements of depth; 0 for 4096; at the end `t` is `beyond`).
/// Class: conservative: free at b_in_a as cd_solid_test has it; t is too long by the rounding of positions and 1e-15 of the coordinates, over the
/// sine of the angle at which the surfaces part. Cost: one walk for every few triangles that lie on the way one behind the other.
CD_API cd_solid_way cd_solid_depth(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                                   cd_vec3 direction, const cd_solid_options *options);

/// The shortest of the ways along `count` directions; of equal ones the first. Those that are zero or not finite are passed over.
///
/// With a count of 0 the library chooses: 26 directions all around, then 28 more about the best of them, nearer and nearer, and along the normals across
/// what parted the two last. That is no proof that no other is shorter: the way told is never too short, and mostly the shortest; of wedges with
/// sharp edges, whose shortest way is known, it was up to 8 % longer in one of twenty. What is longer than the best so far is not followed to its end, but with a tolerance. Zero, with the
/// first direction, where they do not overlap. `beyond` is infinite or `t`, and of no meaning. CD_INVALID_ARGUMENT as for one; no direction at all is that, too.
CD_API cd_solid_way cd_solid_depth_least(const cd_solid *a, const cd_solid *b, const cd_transform *b_in_a,
                                         const cd_vec3 *directions, size_t count,
                                         const cd_solid_options *options);
