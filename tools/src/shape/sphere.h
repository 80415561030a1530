#pragma once
/* sphere: what a sphere is like (Ericson 4.3). */

#include "shape/volume.h"

/// The volume, 4/3 pi r^3; 0 for a negative radius, infinite beyond the range. Class: tolerant, 4 units in the last place.
CD_API cd_real cd_sphere_volume(cd_sphere s);

/// The area of the surface, 4 pi r^2; the rest as in cd_sphere_volume.
CD_API cd_real cd_sphere_surface_area(cd_sphere s);

/// The sphere moved by a pose: its centre by cd_transform_point.
CD_API cd_sphere cd_sphere_transform(cd_sphere s, const cd_transform *pose);

/// The point of the sphere farthest along `dir`, of any length; along x when that is zero or not finite. The centre for a
/// negative radius. Class: tolerant, 2 units in the last place of the largest of centre and radius.
CD_API cd_vec3 cd_sphere_support(cd_sphere s, cd_vec3 dir);
