#pragma once
/* dk_distance: the distance of two hulls by their hierarchies (Ericson 9.3.1). */

#include "convex/gjk.h"

/// The distance of two hulls of which there are hierarchies, with the hulls' numbers of vertices: cd_gjk_distance of them, all
/// whose farthest points are found in logarithmic time, so that two hulls of 10^6 vertices cost little more than two of 100.
///
/// Dobkin and Kirkpatrick go from level to level and look for the nearest pair near that of the level before; a walk of GJK on the finest
/// level alone needs no more farthest points. Class, options, cache, b_in_a and errors: those of cd_gjk_distance; an empty hierarchy:
/// CD_INVALID_ARGUMENT. For other kinds of bodies, bodies of two kinds and signed distances: cd_support_of_dk_hierarchy.
/// Source: Dobkin and Kirkpatrick 1990; Gilbert, Johnson and Keerthi 1988.
CD_API cd_separation cd_dk_hierarchy_distance(const cd_dk_hierarchy *a, const cd_dk_hierarchy *b,
                                              const cd_transform *b_in_a,
                                              const cd_separation_options *options, cd_cache *cache);
