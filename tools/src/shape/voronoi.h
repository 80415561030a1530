#pragma once
/* voronoi: which feature of a body owns a point: the corner, edge or face that the point of the body nearest to it lies
 * on (Ericson 3.10, 5.1.5).
 *
 * The answer is a feature number, see CD_FEATURE; CD_FEATURE_NONE inside the body, and for NaN or infinity anywhere. On the
 * boundary between regions it is the smallest feature: a corner before an edge before a face, then the smaller index.
 * Bodies may be flat, thin or a point. Class of all: exact, for all finite numbers. */

#include "shape/feature.h"
#include "shape/linear.h"
#include "shape/volume.h"

/// The feature of a segment that owns p.
CD_API uint32_t cd_voronoi_region_segment(cd_vec3 p, const cd_segment *s);

/// The feature of a triangle that owns p; the face for both sides.
CD_API uint32_t cd_voronoi_region_triangle(cd_vec3 p, const cd_triangle *t);

/// The feature of a tetrahedron that owns p; CD_FEATURE_NONE strictly inside. The corners may be in any order.
CD_API uint32_t cd_voronoi_region_tetrahedron(cd_vec3 p, cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d);

/// The feature of a box that owns p; CD_FEATURE_NONE strictly inside, and for an empty box.
CD_API uint32_t cd_voronoi_region_aabb(cd_vec3 p, cd_aabb b);

/// The feature of an oriented box that owns p; CD_FEATURE_NONE strictly inside, and for a negative half extent.
///
/// The axes are taken as they stand: on each, (p - center) . axis is compared with the half extent, without rounding.
CD_API uint32_t cd_voronoi_region_obb(cd_vec3 p, const cd_obb *b);

/// The feature of a convex body that owns p; CD_FEATURE_NONE strictly inside.
///
/// The body is given by triangles of three indices, counter-clockwise from outside, as cd_is_convex_polyhedron asks for. Where it
/// is not convex the answer means nothing; CD_FEATURE_NONE for an index out of range. An edge has the smaller of its two
/// numbers. Edges between triangles of one plane count as edges. Cost: linear in the triangles; more when many edges are
/// about as near to p as the nearest.
CD_API uint32_t cd_voronoi_region_polyhedron(cd_vec3 p, const cd_vec3 *vertices, size_t vertex_count,
                                             const uint32_t *triangles, size_t triangle_count);
