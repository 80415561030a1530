#pragma once
/* obb_forms: oriented boxes, measured, and written down in the other ways of the book (Ericson 4.4).
 *
 * Numbers are computed in double and rounded once. A conversion gives a volume that holds all of what it is made from, where
 * both are taken literally and what does not fit the numbers of the new form is rounded outward: half extents may grow by a
 * few units in the last place of the coordinates, and for axes that are not quite orthonormal by their error. Bad input (NaN,
 * infinity, a negative half extent, axes without volume) gives zeros, and false where there is an answer. */

#include "shape/kdop.h"
#include "shape/linear.h"
#include "shape/volume.h"

/// The volume, with the axes taken as unit; infinite where no number is large enough.
CD_API cd_real cd_obb_volume(const cd_obb *b);

/// The area of the six faces, as the volume.
CD_API cd_real cd_obb_surface_area(const cd_obb *b);

/// A farthest point of the box along a direction of any length: a corner; the one on the positive side of an axis that is
/// across the direction or of one that gives NaN.
///
/// Class: tolerant, 2 units in the last place of the largest coordinate.
CD_API cd_vec3 cd_obb_support(const cd_obb *b, cd_vec3 dir);

/// The box around eight corners in the order of cd_obb_to_vertices.
///
/// Its axes follow the edges, the longest first, made perpendicular. Flat boxes and needles are fine: axes without an edge are
/// chosen. All corners are in the box, however far from a box they are.
CD_API bool cd_obb_from_vertices(const cd_vec3 v[8], cd_obb *out);

/// Six half-spaces whose common part holds the box: normals outward, 2 i on the positive side of axis i and 2 i + 1 on the
/// other.
CD_API void cd_obb_to_planes(const cd_obb *b, cd_plane out[6]);

/// A box that holds the common part of six such half-spaces. False where opposite normals do not point away from each other, where
/// three that should be perpendicular are more than 8 degrees from it, and for planes that cross (nothing is behind them all).
CD_API bool cd_obb_from_planes(const cd_plane planes[6], cd_obb *out);

/// A box that holds the common part of three slabs; false as for planes. The other way round is cd_slabs_from_obb.
CD_API bool cd_obb_from_slabs(const cd_slab slabs[3], cd_obb *out);

/// A box as one corner and the three edges that leave it: the points corner + sum of t_i edge[i] with t_i in [0, 1].
typedef struct cd_obb_corner {
    cd_vec3 corner, edge[3];
} cd_obb_corner;

/// The corner on the negative side of each axis, and the edges. Class: tolerant, not grown: half a unit in the last place of each
/// number.
CD_API void cd_obb_to_corner(const cd_obb *b, cd_obb_corner *out);

/// A box that holds the one of a corner and edges. Edges may be zero, or a little off perpendicular.
CD_API bool cd_obb_from_corner(const cd_obb_corner *c, cd_obb *out);

/// A box with a rotation, of any length, in place of its axes: ten numbers.
typedef struct cd_obb_quat {
    cd_vec3 center, half;
    cd_quat rotation;
} cd_obb_quat;

/// A turned box that holds the one with axes.
CD_API void cd_obb_to_quat(const cd_obb *b, cd_obb_quat *out);

/// A box with axes that holds the turned one.
CD_API bool cd_obb_from_quat(const cd_obb_quat *q, cd_obb *out);

/// A box in twelve numbers: the third axis is the cross product of the two.
typedef struct cd_obb12 {
    cd_vec3 center, half, axis[2];
} cd_obb12;

/// Twelve numbers that hold the box.
CD_API void cd_obb_to_obb12(const cd_obb *b, cd_obb12 *out);

/// A box that holds the one of twelve numbers.
CD_API bool cd_obb_from_obb12(const cd_obb12 *b, cd_obb *out);
