#pragma once
/* aabb: measures and points of axis-aligned boxes (Ericson 4.2). */

#include "shape/volume.h"

/// The volume of a box, infinite where no number is large enough; 0 for an empty box, NaN with NaN.
///
/// Class: tolerant, rounded once in a float build, 4 units in the last place in a double build.
CD_API cd_real cd_aabb_volume(cd_aabb b);

/// The area of a box's six sides, as cd_aabb_volume.
CD_API cd_real cd_aabb_surface_area(cd_aabb b);

/// A point of the box farthest along a direction: the corner with the larger coordinate where the direction's is positive, with
/// the smaller one elsewhere, 0 and NaN included. Class: exact. An empty box has none: what is given then is no point of it.
CD_API cd_vec3 cd_aabb_support(cd_aabb b, cd_vec3 direction);

/// The corner of the box nearest to p; of equally near ones the one with the smaller coordinate. Class: exact.
///
/// NaN or infinity in, or an empty box: some corner.
CD_API cd_vec3 cd_aabb_closest_vertex(cd_aabb b, cd_vec3 p);

/// The box moved without turning, rounded outward: it holds every point of `b` plus `by` (4.2.3).
///
/// For boxes that stay valid however the object turns, as cd_aabb_from_sphere of cd_sphere_from_pivot. Move the box of the
/// object's own frame to where the object is, always anew: steps add up, and so does their rounding. An empty box stays
/// empty. Class: exact, the smallest such box; bounds stay finite.
CD_API cd_aabb cd_aabb_translate(cd_aabb b, cd_vec3 by);
