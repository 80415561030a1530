#pragma once
/* shell: spherical shells (Ericson 4.7). They are closed, and in general not convex. */

#include "shape/volume.h"

/// A spherical shell: the points whose distance from `center` is between `inner` and `outer`, and whose direction from there
/// makes an angle with `axis` whose cosine is at least `cos_angle` (Krishnan and others 1998). A `cos_angle` of -1 is all
/// around. `axis` need not be unit and may not be zero. An `outer` below `inner` is nothing. The centre itself belongs to
/// the shell when `inner` is 0.
typedef struct cd_spherical_shell {
    cd_vec3 center, axis;
    cd_real inner, outer, cos_angle;
} cd_spherical_shell;

/// Finite, 0 <= inner <= outer, cos_angle in -1...1, axis not zero.
CD_API bool cd_spherical_shell_is_valid(const cd_spherical_shell *s);

/// The volume, 2/3 pi (1 - cos_angle) (outer^3 - inner^3); 0 for an invalid one. Class: tolerant, 4 units in the last place.
CD_API cd_real cd_spherical_shell_volume(const cd_spherical_shell *s);

/// The area of all of the surface: both caps, and the cone between them; 0 for an invalid one. Class: tolerant, 4 units in
/// the last place.
CD_API cd_real cd_spherical_shell_surface_area(const cd_spherical_shell *s);

/// The shell moved by a pose.
CD_API cd_spherical_shell cd_spherical_shell_transform(const cd_spherical_shell *s, const cd_transform *pose);

/// A farthest point along `dir`, of any length; the centre, which need not be in the shell, when it is zero or not finite.
///
/// Class: tolerant, 4 units in the last place of the largest coordinate met.
CD_API cd_vec3 cd_spherical_shell_support(const cd_spherical_shell *s, cd_vec3 dir);

/// A box that holds the shell, rounded outward: the smallest but for 1e-14 of its size.
CD_API cd_aabb cd_aabb_from_spherical_shell(const cd_spherical_shell *s);
