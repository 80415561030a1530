#pragma once
/* hull_build: the convex hull of points in space (Ericson 3.9.2). */

#include "core/executor.h"
#include "hull/hull.h"
#include "shape/mesh_view.h"

/// Switches of a build.
typedef enum cd_hull_flag {
    CD_HULL_SKIP_INVALID = 1 ///< points that are not finite are left out instead of refused
} cd_hull_flag;

/// Options of a build; the zero object is the default, and NULL stands for it.
typedef struct cd_hull_options {
    uint32_t flags; ///< of `cd_hull_flag`
    /// neighbouring faces are merged while they stay this near to a plane; 0: only coplanar ones
    cd_real merge_distance;
    cd_allocator allocator;
    cd_executor executor;
} cd_hull_options;

/// The convex hull of any points, by Quickhull on exact predicates.
///
/// Class: exact. The vertices are exactly the extreme points, the faces exactly the maximal polygons on the boundary: no
/// point is in front of any face, no vertex lies inside a face or an edge, V - E + F = 2. The order of the points changes
/// nothing but `sources`. Points that are all equal, collinear or coplanar have a hull of dimension 0, 1 or 2; no points
/// have the empty hull and CD_OK.
///
/// With a `merge_distance` faces of a body become one polygon where they lie within that distance under the plane of a large
/// one of them, and turn from it by less than 60 degrees; the polygon is then not quite flat. Points inside such a face or
/// near the line of an edge are no vertices any more: they are outside of the hull by `flatness` at most, and behind all
/// planes but for rounding. A vertex may be left with two edges, and V - E + F = 2 holds. Where faces meet at sharp edges, less is
/// merged, or nothing: so that what the planes bound is nowhere farther from the hull than twice the distance (rims of plates and ends of
/// needles stay).
///
/// CD_INVALID_ARGUMENT: an option is out of range, or, without CD_HULL_SKIP_INVALID, some number is not finite.
/// CD_TOO_LARGE: more than 2^28 points. CD_OUT_OF_MEMORY, CD_CANCELLED. `out` is the empty hull on failure.
///
/// Cost: expected n log n; with a `merge_distance` the planes' own hull is built as well, a few times where less is
/// merged. Where the farthest points split badly, points are taken at random after 64 n log2 n tests.
/// Source: Barber, Dobkin and Huhdanpaa 1996, "The Quickhull algorithm for convex hulls"; Clarkson and Shor 1989.
CD_API cd_status cd_hull3_build(cd_hull *out, const cd_vec3 *points, size_t count,
                                const cd_hull_options *options);

/// The convex hull of the positions of a mesh; its triangles are not looked at.
CD_API cd_status cd_hull3_build_mesh(cd_hull *out, const cd_mesh_view *mesh, const cd_hull_options *options);
