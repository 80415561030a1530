#pragma once
/* swept: sphere-swept volumes, the points within a radius of a segment or of a rectangle (Ericson 4.5).
 *
 * What they are made of, a segment or a rectangle, is called their core. */

#include "core/transform.h"
#include "shape/volume.h"

/// A capsule: the points no farther than `radius` from the segment between a and b, which may be a point.
///
/// A negative radius is nothing.
typedef struct cd_capsule {
    cd_vec3 a, b;
    cd_real radius;
} cd_capsule;

/// A lozenge, also called a rectangle-swept sphere: the points no farther than `radius` from the rectangle a + s edge[0] +
/// t edge[1] with s and t in [0, 1].
///
/// The edges are perpendicular; either or both may be zero, which makes it a capsule or a sphere. A negative radius is
/// nothing. Routines take the edges as they are, so that rounding of the right angle does no harm.
typedef struct cd_lozenge {
    cd_vec3 a;
    cd_vec3 edge[2];
    cd_real radius;
} cd_lozenge;

/// A tapered capsule: the convex hull of a ball of radius_a about a and one of radius_b about b. One may hold the other.
///
/// A negative radius is nothing.
typedef struct cd_tapered_capsule {
    cd_vec3 a, b;
    cd_real radius_a, radius_b;
} cd_tapered_capsule;

/// Finite, radii >= 0.
CD_API bool cd_tapered_capsule_is_valid(const cd_tapered_capsule *c);

/// The volume; 0 where it is not valid. Class: tolerant, 8 ulp.
CD_API cd_real cd_tapered_capsule_volume(const cd_tapered_capsule *c);

/// The smallest box that holds it, rounded outward; empty where it is not valid.
CD_API cd_aabb cd_aabb_from_tapered_capsule(const cd_tapered_capsule *c);

/// Its farthest point along a direction of any length but 0; the center of the larger ball for 0.
CD_API cd_vec3 cd_tapered_capsule_support(const cd_tapered_capsule *c, cd_vec3 dir);

/// Turned and moved.
CD_API cd_tapered_capsule cd_tapered_capsule_transform(const cd_tapered_capsule *c, const cd_transform *pose);

/// Finite, radius >= 0.
CD_API bool cd_capsule_is_valid(const cd_capsule *c);

/// Finite, radius >= 0, edges perpendicular within 1e-3.
CD_API bool cd_lozenge_is_valid(const cd_lozenge *l);

/// The volume; 0 for a negative radius, infinite beyond the range.Class: tolerant, 4 units in the last place.
CD_API cd_real cd_capsule_volume(const cd_capsule *c);

/// The area of the surface; otherwise as the volume.
CD_API cd_real cd_capsule_surface_area(const cd_capsule *c);

/// The volume; 0 for a negative radius, infinite beyond the range.Class: tolerant, 4 units in the last place.
CD_API cd_real cd_lozenge_volume(const cd_lozenge *l);

/// The area of the surface, of both sides where the radius is 0; otherwise as the volume.
CD_API cd_real cd_lozenge_surface_area(const cd_lozenge *l);

/// The capsule moved by a pose: its ends by cd_transform_point.
CD_API cd_capsule cd_capsule_transform(const cd_capsule *c, const cd_transform *pose);

/// The lozenge moved by a pose: the corner by cd_transform_point, the edges by cd_transform_vector.
CD_API cd_lozenge cd_lozenge_transform(const cd_lozenge *l, const cd_transform *pose);

/// A point of the capsule farthest along `dir`, of any length; a point of the core when it is zero or not finite.
///
/// Class: tolerant, 2 units in the last place of the largest coordinate. The end a where both are as far.
CD_API cd_vec3 cd_capsule_support(const cd_capsule *c, cd_vec3 dir);

/// A point of the lozenge farthest along `dir`; otherwise as for the capsule, and the corner nearest to a.
CD_API cd_vec3 cd_lozenge_support(const cd_lozenge *l, cd_vec3 dir);

/// A box that holds the capsule, rounded outward; empty for a negative radius.
CD_API cd_aabb cd_aabb_from_capsule(const cd_capsule *c);

/// A box that holds the lozenge, rounded outward; empty for a negative radius.
CD_API cd_aabb cd_aabb_from_lozenge(const cd_lozenge *l);

/// The lozenge that is the capsule; its radius is larger by what rounding took from the edge b - a, so that it holds it,
/// and infinite where the edge leaves the range.
CD_API cd_lozenge cd_lozenge_from_capsule(const cd_capsule *c);
