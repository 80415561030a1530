#pragma once
/* kdop: k-DOPs of hulls and meshes, hulls that tumble, and the corners of a k-DOP by duality (Ericson 4.6.3, 4.6.4). */

#include "hull/hull.h"
#include "shape/kdop_body.h"
#include "shape/mesh_view.h"

/// The k-DOP of a hull's vertices: cd_kdop_from_points; that of the points that the hull is of, when nothing was merged.
CD_API cd_status cd_kdop_from_hull(const cd_hull *hull, const cd_kdop_set *set, cd_kdop *out);

/// The k-DOP of the positions of a mesh, the best possible; its triangles are not looked at.
///
/// CD_INVALID_ARGUMENT also for a view that cannot be read. Cost: slabs times positions, no memory.
CD_API cd_status cd_kdop_from_mesh(const cd_mesh_view *mesh, const cd_kdop_set *set, cd_kdop *out);

/// A hull that tumbles, and its k-DOP follows: where it was farthest out the last time. No memory of its own; the hull has
/// to outlive it. Give each thread its own.
typedef struct cd_kdop_climber {
    const cd_hull *hull;
    cd_kdop_set set;
    double reach;                  ///< no vertex has larger magnitudes of coordinates in sum
    uint32_t at[2 * CD_KDOP_AXES]; ///< vertices: the farthest out below and above, slab by slab
    uint32_t climbs; ///< 0: hill climbing would not be safe, as faces were merged: all vertices are looked at
    uint32_t steps;  ///< how many vertices the last call came by
} cd_kdop_climber;

/// Begins with the hull as it stands. CD_INVALID_ARGUMENT, with `out` zeroed: an empty hull, or a set that is not valid.
CD_API cd_status cd_kdop_climber_make(const cd_hull *hull, const cd_kdop_set *set, cd_kdop_climber *out);

/// The k-DOP of the hull moved by a pose, by hill climbing from the last call's vertices (4.6.3).
///
/// Each climb goes from vertex to neighbour while that is farther out, which is decided exactly: it ends at a farthest
/// vertex, flat places on the way notwithstanding, and always at the same of several, the one with the largest x, then y,
/// then z: the result does not hang on what came before, and is bit for bit that of looking at all vertices. It holds the
/// image of every vertex, exact or by cd_transform_point: wider than need be by 12 units in the last place of `cd_real` (200 in a
/// double build) of the largest coordinate, times the direction's length. Errors as cd_kdop_transform.
/// Cost: a few steps a direction between poses that are near each other, at most all vertices.
CD_API cd_status cd_kdop_climb(cd_kdop_climber *climber, const cd_transform *pose, cd_kdop *out);

/// The corners of a k-DOP by duality (4.6.4): planes become points, the faces of their hull the corners.
///
/// In `out`, at most CD_KDOP_VERTICES; returns through `count` how many. As cd_kdop_vertices, and faster for large k, but the
/// dual points are rounded to `cd_real`: corners are missing, or a little outside, by 64 units in the last place of the
/// largest coordinate times that over the margin of an inner point, where more than three planes nearly meet in one point. For
/// a k-DOP without interior, and where a corner would be outside by more, it is cd_kdop_vertices. CD_OUT_OF_MEMORY;
/// CD_INVALID_ARGUMENT: not a k-DOP of the set. None then.
CD_API cd_status cd_kdop_vertices_dual(const cd_kdop *dop, const cd_kdop_set *set,
                                       const cd_allocator *allocator, cd_vec3 out[CD_KDOP_VERTICES],
                                       uint32_t *count);
