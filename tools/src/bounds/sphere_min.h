#pragma once
/* sphere_min: the smallest sphere around points or spheres (Ericson 4.3.5).
 *
 * Welzl's observation, that a point outside the smallest sphere of some is on the surface of the smallest sphere of all,
 * without his recursion: a support of at most four points is exchanged for a better one as long as a point is outside, the
 * farthest point first (Gaertner 1999), at most 15 small systems each. The number of passes over the points is a handful,
 * whatever their number; they are not reordered or copied, and no memory is taken.
 *
 * The centre is rounded once; the radius is then the least number with which the sphere holds every point, exactly. */

#include "core/status.h"
#include "shape/volume.h"

/// The smallest sphere that holds `count` points.
///
/// Any points: equal, in line, in a plane, on one sphere. No points give radius -1, which is nothing. Class: every point is in
/// the sphere exactly (cd_test_point_sphere); the radius is within 4 units in the last place of the largest coordinate of the
/// optimum: the result is held against a lower bound, in a double build one of twice the digits. CD_INVALID_ARGUMENT for NaN and
/// infinity, CD_TOO_LARGE where no radius is large enough, with `out` zero. CD_NOT_CONVERGED where the bound does not show that (in a
/// double build 0 of 4 million hostile sets tried): the sphere holds all, and may be larger than need be.
/// Cost: linear; ten thousand points take some 50 us. Source: Welzl 1991, "Smallest enclosing disks (balls and ellipsoids)";
/// Gaertner 1999, "Fast and robust smallest enclosing balls".
CD_API cd_status cd_sphere_welzl(const cd_vec3 *points, size_t count, cd_sphere *out);

/// The smallest sphere that holds `count` spheres; those with a negative radius are nothing.
///
/// Radius -1 when all are nothing. Class: every sphere is inside exactly; the radius is within 8 units in the last place of the
/// largest number in the input. The rest as in cd_sphere_welzl, but that in a double build sets whose centres are almost in a
/// plane or in line (within 1e-3 of their size, and not in it) often give CD_NOT_CONVERGED: one in ten of those tried. Source:
/// Fischer and Gaertner 2003, "The smallest enclosing ball of balls".
CD_API cd_status cd_sphere_of_spheres(const cd_sphere *spheres, size_t count, cd_sphere *out);

/// The smallest sphere that holds both; one of them when it holds the other. Nothing when both are (a negative radius).
///
/// Class: both are inside exactly; the radius as in cd_sphere_of_spheres. A sphere that is not finite, or a radius beyond the
/// range, gives an infinite one about the origin.
CD_API cd_sphere cd_merge_sphere_sphere(cd_sphere a, cd_sphere b);

/// The smallest sphere that holds a sphere and a point: the sphere itself when the point is in it (Ericson 4.3.2).
CD_API cd_sphere cd_sphere_add_point(cd_sphere s, cd_vec3 p);
