#pragma once
/* cylinder: cylinders, cones and discs (Ericson 4.7). All are closed and solid.
 *
 * The three are one family, the discs of growing or steady radius along an axis, and share their routines. Ends that are equal
 * leave no axis: such a cylinder or cone is valid only with radius 0, as a point. */

#include "core/transform.h"
#include "shape/volume.h"

/// A solid cylinder with flat caps around a and b, perpendicular to the segment between them. A negative radius is nothing.
typedef struct cd_cylinder {
    cd_vec3 a, b;
    cd_real radius;
} cd_cylinder;

/// A solid cone from `apex` to the disc of `radius` around `base`, perpendicular to the axis between them. A negative
/// radius is nothing.
typedef struct cd_cone {
    cd_vec3 apex, base;
    cd_real radius;
} cd_cone;

/// A flat disc: the points no farther than `radius` from `center` in the plane through it that is perpendicular to `normal`,
/// which need not be unit and may not be zero. A negative radius is nothing.
typedef struct cd_disc {
    cd_vec3 center, normal;
    cd_real radius;
} cd_disc;

/// Finite, radius >= 0, and ends that differ, or radius 0.
CD_API bool cd_cylinder_is_valid(const cd_cylinder *c);

/// Finite, radius >= 0, and ends that differ, or radius 0.
CD_API bool cd_cone_is_valid(const cd_cone *c);

/// Finite, radius >= 0, and a normal other than zero.
CD_API bool cd_disc_is_valid(const cd_disc *d);

/// pi r^2 h. Class of this and the other measures: tolerant, 8 units of double, then rounded; infinite where out of range;
/// 0 for nothing, NaN for what is not finite.
CD_API cd_real cd_cylinder_volume(const cd_cylinder *c);

/// pi r^2 h / 3.
CD_API cd_real cd_cone_volume(const cd_cone *c);

/// Side and both caps, 2 pi r (h + r).
CD_API cd_real cd_cylinder_surface_area(const cd_cylinder *c);

/// Side and base, pi r (r + sqrt(h^2 + r^2)).
CD_API cd_real cd_cone_surface_area(const cd_cone *c);

/// One side of the disc, pi r^2; its volume is 0.
CD_API cd_real cd_disc_area(const cd_disc *d);

/// The cylinder moved by a pose: its ends by cd_transform_point, as large as before.
CD_API cd_cylinder cd_cylinder_transform(const cd_cylinder *c, const cd_transform *pose);

/// The cone moved by a pose: its ends by cd_transform_point, as large as before.
CD_API cd_cone cd_cone_transform(const cd_cone *c, const cd_transform *pose);

/// The disc moved by a pose, its normal as long as before up to rounding.
CD_API cd_disc cd_disc_transform(const cd_disc *d, const cd_transform *pose);

/// A farthest point of the cylinder along `dir`, which may have any length: on a rim, or on the side or a cap for ties.
///
/// Class of the three: tolerant, no point is farther by more than 4 units in the last place of the largest coordinate or radius.
/// A zero direction gives the middle of an end; NaN or infinity in direction or shape, or an invalid shape: NaN.
CD_API cd_vec3 cd_cylinder_support(const cd_cylinder *c, cd_vec3 dir);

/// A farthest point of the cone along `dir`: the apex or a point of the rim.
CD_API cd_vec3 cd_cone_support(const cd_cone *c, cd_vec3 dir);

/// A farthest point of the disc along `dir`: a point of the rim, the centre when `dir` is along the normal.
CD_API cd_vec3 cd_disc_support(const cd_disc *d, cd_vec3 dir);

/// A box that holds the cylinder, rounded outward; empty for an invalid one.
///
/// Along each world axis a rim reaches r sqrt(1 - u_i^2) to either side of its centre, u being the unit axis. Class of the
/// three: conservative, at most one unit in the last place of a float too wide, or 8 of a double; for shapes along the world's
/// axes the narrowest there is.
CD_API cd_aabb cd_aabb_from_cylinder(const cd_cylinder *c);

/// A box that holds the cone, rounded outward; empty for an invalid one.
CD_API cd_aabb cd_aabb_from_cone(const cd_cone *c);

/// A box that holds the disc, rounded outward; empty for an invalid one.
CD_API cd_aabb cd_aabb_from_disc(const cd_disc *d);
