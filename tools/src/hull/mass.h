#pragma once
/* mass: mass, centre and inertia of solids and surfaces (Ericson 4.4.3), and how those of several bodies combine.
 *
 * All numbers are doubles in both builds: the inertia grows with the fifth power of the size, and would leave the range of
 * floats long before a body leaves the library's domain. Densities are 1: multiply with cd_mass_scale.
 *
 * A body ready for dynamics, of 80 units of mass:
 *
 *     cd_mass m;
 *     if (cd_mass_properties(&mesh, &m) == CD_OK && m.mass > 0) m = cd_mass_scale(&m, 80 / m.mass);
 */

#include "core/eigen.h"
#include "core/status.h"
#include "hull/hull.h"
#include "shape/mesh_view.h"

/// How a body resists being pushed and turned.
///
/// `inertia` is the inertia tensor about `center`, along the axes of the frame: the diagonal holds the moments of inertia,
/// the integral of y^2 + z^2 first, the rest the products with their minus sign, minus the integral of x y first. It is
/// symmetric. The zero object is a body without mass.
typedef struct cd_mass {
    double mass;
    double center[3];
    double inertia[3][3];
} cd_mass;

/// Mass properties of the solid that the mesh bounds, at density 1: `mass` is the volume.
///
/// The mesh should be closed, its fronts outside. Nothing checks that (cd_mesh_euler does): where it is inside out the
/// volume and the inertia are negative and the centre is right; parts that overlap count twice; an open mesh is closed
/// by triangles between its boundary and the middle of its bounds. Vertices that no triangle uses do not matter.
/// Without volume (flat, empty) mass and inertia are 0, and the centre is that of the surface; without area, the
/// middle of the bounds; without triangles, 0.
/// Class: tolerant: every number within one unit in its last place and, for n triangles, n (n + 8) 2^-98 of what it would
/// be for the box of the bounds, corner to corner: volume v; for the entry i, j of the inertia, v times the largest product
/// of two extents that goes into it; for the centre, the extent times v over the body's volume. That addition is far below
/// the unit for all but bodies that are next to nothing in their bounds.
/// (Where parts turned inside out put the centre outside of the bounds, only the volume and the centre are so good.)
/// CD_INVALID_ARGUMENT: the view cannot be read, an index is out of range, or a number is not finite; CD_TOO_LARGE: a
/// result is beyond the range of doubles. `out` is zero then.
/// Cost: linear, half a microsecond a triangle; no memory. Source: Eberly, "Polyhedral mass properties (revisited)".
CD_API cd_status cd_mass_properties(const cd_mesh_view *mesh, cd_mass *out);

/// The same for the surface alone, a hollow body with a thin wall: `mass` is the area. The mesh may be open, and turned
/// either way.
///
/// Class: tolerant: 4 units in the last place of the area, of the largest extent (and one of the centre's own), and of the
/// area times the square of the extent.
CD_API cd_status cd_mass_properties_shell(const cd_mesh_view *mesh, cd_mass *out);

/// A hull as a solid; one without volume has no mass, and its centre is that of its surface, of its ends, or itself.
///
/// Class: as cd_mass_properties for the triangles of cd_hull_triangles. The zero object for the empty hull and where a result
/// is beyond the range. Cost: linear; no memory.
CD_API cd_mass cd_mass_from_hull(const cd_hull *hull);

/// A tetrahedron, its corners in any order; zero mass when flat. Class and centre as for meshes; zero where a number is not
/// finite or a result is beyond the range.
CD_API cd_mass cd_mass_from_tetrahedron(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d);

/// A ball; zero for a radius below 0, and where a number is not finite. Class: tolerant, 5 units in the last place.
CD_API cd_mass cd_mass_from_sphere(cd_sphere s);

/// A box; zero for an empty one, and where a number is not finite. Class: tolerant, 5 units in the last place.
CD_API cd_mass cd_mass_from_aabb(cd_aabb b);

/// An oriented box; zero where a half extent is below 0, or a number is not finite. Class: tolerant, 8 units in the last
/// place of the largest entry, when the axes are orthonormal to that.
CD_API cd_mass cd_mass_from_obb(const cd_obb *b);

/// The same body with another density: mass and inertia times `factor`.
CD_API cd_mass cd_mass_scale(const cd_mass *m, double factor);

/// Two bodies as one. What is scaled by -1 is taken away.
///
/// Where the masses cancel there is no centre: that of `a` is given, and the inertia is about it.
/// Class: tolerant, 2^-46 of the largest term. Source: the parallel axis theorem (Steiner).
CD_API cd_mass cd_mass_add(const cd_mass *a, const cd_mass *b);

/// The body moved by a pose.
CD_API cd_mass cd_mass_transform(const cd_mass *m, const cd_transform *pose);

/// The inertia tensor about another point, rounded to cd_real; entries beyond its range are infinite.
CD_API cd_mat3 cd_mass_inertia_at(const cd_mass *m, cd_vec3 point);

/// The principal moments of inertia about the centre, largest first, and their axes: the unit columns of a right-handed
/// rotation, in which the inertia is diagonal.
///
/// False, with the outputs untouched, when an entry is not finite. Either output may be NULL. Class: tolerant: the axes
/// as in cd_eigen_jacobi; each moment within 2^-42 of the largest.
CD_API bool cd_mass_principal(const cd_mass *m, double moments[3], cd_mat3 *axes);

/// Could a body be so: finite, its mass above 0, its inertia symmetric, no moment below 0, or above the sum of the others by
/// more than 2^-40 of it? Asked of the given axes.
CD_API bool cd_mass_is_valid(const cd_mass *m);
