#pragma once
/* cylinder queries: points, planes, spheres and boxes against cylinders, cones and discs (Ericson 4.7, 5.1; Pope).
 *
 * All are closed solids; a disc is flat. Invalid shapes, NaN and infinity in: false, and NaN for points and distances. */

#include "query/hit.h"
#include "shape/cylinder.h"
#include "shape/linear.h"

/// Is the point in the cylinder? Class: exact, as for the two below: signs of polynomials, with an exact fall-back.
CD_API bool cd_test_point_cylinder(cd_vec3 p, const cd_cylinder *c);

/// Is the point in the cone? Class: exact.
CD_API bool cd_test_point_cone(cd_vec3 p, const cd_cone *c);

/// Is the point on the disc? Class: exact, hence true only for points exactly in its plane.
CD_API bool cd_test_point_disc(cd_vec3 p, const cd_disc *d);

/// Does the cylinder meet the plane? Class: exact, as for the five below; a plane's normal may have any length.
CD_API bool cd_test_cylinder_plane(const cd_cylinder *c, cd_plane plane);

/// Does the cylinder meet the half-space behind the plane? Class: exact.
CD_API bool cd_test_cylinder_halfspace(const cd_cylinder *c, cd_plane plane);

/// Does the cone meet the plane? Class: exact.
CD_API bool cd_test_cone_plane(const cd_cone *c, cd_plane plane);

/// Does the cone meet the half-space behind the plane? Class: exact.
CD_API bool cd_test_cone_halfspace(const cd_cone *c, cd_plane plane);

/// Does the disc meet the plane? Class: exact.
CD_API bool cd_test_disc_plane(const cd_disc *d, cd_plane plane);

/// Does the disc meet the half-space behind the plane? Class: exact.
CD_API bool cd_test_disc_halfspace(const cd_disc *d, cd_plane plane);

/// The point of the solid cylinder nearest to p; p itself when inside, up to rounding next to the surface. For a point on
/// the axis's line beyond an end it is the middle of that cap.
///
/// Class of the three: tolerant, 4 units in the last place of the largest coordinate or radius.
CD_API cd_vec3 cd_closest_pt_point_cylinder(cd_vec3 p, const cd_cylinder *c);

/// The point of the solid cone nearest to p; p itself when inside, as above.
CD_API cd_vec3 cd_closest_pt_point_cone(cd_vec3 p, const cd_cone *c);

/// The point of the disc nearest to p.
CD_API cd_vec3 cd_closest_pt_point_disc(cd_vec3 p, const cd_disc *d);

/// Squared distance to the solid cylinder; 0 inside, up to rounding. Its root is as good as the closest points, as for the two below.
CD_API cd_real cd_sqdist_point_cylinder(cd_vec3 p, const cd_cylinder *c);

/// Squared distance to the solid cone; 0 inside.
CD_API cd_real cd_sqdist_point_cone(cd_vec3 p, const cd_cone *c);

/// Squared distance to the disc.
CD_API cd_real cd_sqdist_point_disc(cd_vec3 p, const cd_disc *d);

/// Do sphere and cylinder meet? Class of the three: tolerant, 16 units of double of the largest coordinate or radius.
CD_API bool cd_test_sphere_cylinder(cd_sphere s, const cd_cylinder *c);

/// Do sphere and cone meet?
CD_API bool cd_test_sphere_cone(cd_sphere s, const cd_cone *c);

/// Do sphere and disc meet?
CD_API bool cd_test_sphere_disc(cd_sphere s, const cd_disc *d);

/// Do cylinder and box meet?
///
/// The part of the box between the planes of the caps is as near to the axis as the nearest segment between two of its corners,
/// unless the axis meets the box. Class of the three: conservative: never false for shapes that meet; true for shapes apart
/// only when the gap is below 1e-14 of the largest coordinate or radius. Cost: at most a few hundred segments.
CD_API bool cd_test_cylinder_aabb(const cd_cylinder *c, cd_aabb b);

/// Do cone and box meet?
CD_API bool cd_test_cone_aabb(const cd_cone *c, cd_aabb b);

/// Do disc and box meet?
CD_API bool cd_test_disc_aabb(const cd_disc *d, cd_aabb b);

/// Do two discs meet, by the spans in which they cut the line common to both planes?
///
/// Class: conservative: never false for discs that meet; true for discs apart only when the gap is below 1e-14 of the largest
/// coordinate or radius over the sine of the angle between the planes. Of planes with an angle below 1e-12, discs no farther
/// apart than the difference of their planes and that error meet.
CD_API bool cd_test_disc_disc(const cd_disc *a, const cd_disc *b);
