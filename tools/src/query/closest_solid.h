#pragma once
/* closest_solid: the point of a flat figure or a solid nearest to a point (Ericson 5.1.3, 5.1.4, 5.1.6, 5.1.7), with the
 * feature that it lies on, and signed distances.
 *
 * In the answers a is the point asked for, b that of the figure, feature_b what it lies on: CD_FEATURE_NONE inside a
 * solid, where b is the point itself and `sqdist` 0. s and t are 0 but where it says otherwise.
 *
 * Class of all: tolerant; points within 4 units in the last place of the largest coordinate met, distances likewise. A
 * squared distance is never negative. NaN or infinity in, an empty box or hull, no corners: NaN, and the rest of a
 * cd_closest zero. */

#include "hull/hull.h"
#include "query/closest.h"

/// Closest point of a plane, with feature_b its face; cd_closest_pt_point_plane.
CD_API cd_closest cd_closest_pts_point_plane(cd_vec3 p, cd_plane plane);

/// Closest point of an axis-aligned box with its feature, which is exact.
CD_API cd_closest cd_closest_pts_point_aabb(cd_vec3 p, cd_aabb b);

/// Closest point of an oriented box with its feature.
CD_API cd_closest cd_closest_pts_point_obb(cd_vec3 p, const cd_obb *b);

/// Closest point of a rectangle in space, which may be a segment or a point (5.1.4.2).
CD_API cd_vec3 cd_closest_pt_point_rect(cd_vec3 p, const cd_rect *r);

/// Squared distance to a rectangle.
CD_API cd_real cd_sqdist_point_rect(cd_vec3 p, const cd_rect *r);

/// The same with everything known: s and t tell where along edge[0] and edge[1], in [0, 1].
///
/// The features are those of cd_closest_pts_segment_rect.
CD_API cd_closest cd_closest_pts_point_rect(cd_vec3 p, const cd_rect *r);

/// Closest point of a quadrilateral: of its two triangles.
CD_API cd_vec3 cd_closest_pt_point_quad(cd_vec3 p, const cd_quad *q);

/// Squared distance to a quadrilateral.
CD_API cd_real cd_sqdist_point_quad(cd_vec3 p, const cd_quad *q);

/// The same with the feature: vertices 0-3, edge i from vertex i to the next, face 0.
CD_API cd_closest cd_closest_pts_point_quad(cd_vec3 p, const cd_quad *q);

/// Closest point of a convex polygon in space, whose corners go around it either way; one corner is a point, two are a
/// segment.
///
/// The polygon is the fan of triangles from its first corner, see query/polygon. Cost: linear.
CD_API cd_vec3 cd_closest_pt_point_polygon(cd_vec3 p, const cd_vec3 *polygon, size_t count);

/// Squared distance to a convex polygon in space.
CD_API cd_real cd_sqdist_point_polygon(cd_vec3 p, const cd_vec3 *polygon, size_t count);

/// The same with the feature: the corners, edge i from corner i to the next, face 0.
CD_API cd_closest cd_closest_pts_point_polygon(cd_vec3 p, const cd_vec3 *polygon, size_t count);

/// Closest point of a tetrahedron with its corners in any order; p itself when inside (5.1.6).
CD_API cd_vec3 cd_closest_pt_point_tetrahedron(cd_vec3 p, const cd_tetrahedron *t);

/// Squared distance to a tetrahedron; 0 exactly inside and on it, unless it is flat.
CD_API cd_real cd_sqdist_point_tetrahedron(cd_vec3 p, const cd_tetrahedron *t);

/// The same with the feature; of a point on the boundary that of the boundary.
///
/// Whether p is inside is exact. Flat ones, segments and points are fine: they have no inside.
CD_API cd_closest cd_closest_pts_point_tetrahedron(cd_vec3 p, const cd_tetrahedron *t);

/// Signed distance to the surface of a tetrahedron: negative inside.
CD_API cd_real cd_dist_point_tetrahedron(cd_vec3 p, const cd_tetrahedron *t);

/// Closest point of a hull, a convex polyhedron; p itself when inside (5.1.7).
///
/// The body is that of cd_hull_triangles: where the hull's flatness is not 0, that is within this of its planes. Cost: linear
/// in the faces, of which only those are looked at closely whose plane is nearer than the best point so far.
CD_API cd_vec3 cd_closest_pt_point_hull(cd_vec3 p, const cd_hull *hull);

/// Squared distance to a hull; 0 exactly inside and on it when it is a body.
CD_API cd_real cd_sqdist_point_hull(cd_vec3 p, const cd_hull *hull);

/// The same with the feature: the hull's vertices and faces, and the smaller number of an edge's two half-edges.
///
/// Whether p is inside is exact, for the triangles of the faces.
CD_API cd_closest cd_closest_pts_point_hull(cd_vec3 p, const cd_hull *hull);

/// Signed distance to the surface of a hull: negative inside, where it is that to the nearest face's plane.
CD_API cd_real cd_dist_point_hull(cd_vec3 p, const cd_hull *hull);

/// Signed distance to the surface of a sphere: negative inside. NaN for a negative radius.
CD_API cd_real cd_dist_point_sphere(cd_vec3 p, cd_sphere s);

/// Signed distance to the surface of a box: negative inside.
CD_API cd_real cd_dist_point_aabb(cd_vec3 p, cd_aabb b);

/// Signed distance to the surface of an oriented box: negative inside.
CD_API cd_real cd_dist_point_obb(cd_vec3 p, const cd_obb *b);
