#pragma once
/* thick: planes with a thickness, and cutting at them without cracks (Ericson 11.3.2 to 11.3.4, 8.3).
 *
 * Thick planes. Points computed to be on a plane are hardly ever on it: rounded, most corners of a polygon are off its own plane. So what
 * is no farther from a plane than a `thickness` counts as on it; how much that has to be is up to the caller, who knows how
 * points came about (a few units in the last place of the largest coordinate for points rounded once).
 *
 * Sharing of calculations. What two neighbours have in common has to be computed once, or in the same way each time. Here a point's side
 * depends on nothing but the point, the plane and the thickness, so all that share a corner agree on it; and where an edge is cut depends
 * on nothing but its two ends and the plane: the same bits for either direction of the edge and of the normal. So pieces on
 * the two sides of a plane, and those of neighbours along an edge, fit to the last bit.
 *
 * Fat objects. Queries that may not miss what is as good as touched are asked with things that have a radius: cd_support_rounded makes
 * any convex body fat; spheres, capsules and lozenges are points, segments and rectangles with a radius for tests (cd_test_capsule_triangle
 * asks whether a segment comes near a triangle) and for sweeps (cd_sweep_sphere_X in place of cd_cast_ray_X, cd_sweep_capsule_X in place of
 * moving segments); a thick plane is a fat plane. Two fat things meet where they are no farther apart than both radii.
 *
 * Planes may have normals of any length but zero; thickness is a distance, 0 or more. The back of a plane is n . x < d. */

#include "shape/linear.h"

/// On which sides of a plane something is: bits.
typedef enum cd_side {
    CD_SIDE_ON = 0,    ///< nothing of it is farther from the plane than the thickness
    CD_SIDE_FRONT = 1, ///< something is in front, beyond the thickness
    CD_SIDE_BACK = 2,  ///< something is behind
    CD_SIDE_BOTH = 3   ///< it straddles
} cd_side;

/// The point against a plane with a thickness: -1 in front of it, 0 on it, +1 behind, as cd_locate_point_plane has it.
///
/// NaN or infinity in, a bad plane or thickness: -1. Class: tolerant, the distance to 4 units of double of the largest term; so it is the
/// same whenever it is asked.
CD_API int cd_locate_point_thick_plane(cd_vec3 p, cd_plane plane, cd_real thickness);

/// On which sides of the plane are the points of a segment, triangle or polygon? A value of `cd_side`, by the corners.
///
/// NaN or infinity in, a bad plane or thickness, and no corners: CD_SIDE_ON. Cost: linear.
CD_API uint32_t cd_classify_segment_plane(const cd_segment *s, cd_plane plane, cd_real thickness);
/// A triangle, as a segment.
CD_API uint32_t cd_classify_triangle_plane(const cd_triangle *t, cd_plane plane, cd_real thickness);
/// A polygon, as a segment.
CD_API uint32_t cd_classify_polygon_plane(const cd_vec3 *polygon, size_t count, cd_plane plane,
                                          cd_real thickness);

/// Where the edge from a to b crosses a plane: the same bits for b to a, and for the plane turned around.
///
/// Where both ends are on one side, the end nearer to the plane. Class: tolerant, each coordinate within 2 units in the last place of the
/// largest of the edge and the plane, and within the edge's bounds. NaN or infinity in, a bad plane: NaN.
CD_API cd_vec3 cd_intersect_edge_plane(cd_vec3 a, cd_vec3 b, cd_plane plane);

/// Cuts a segment at a plane.
///
/// Returns where it is. Of CD_SIDE_BOTH `front` and `back` are the two parts, with one point in common; else the one that it is on is
/// all of it, and the other is left alone. Both may be NULL.
CD_API uint32_t cd_split_segment(const cd_segment *s, cd_plane plane, cd_real thickness, cd_segment *front,
                                 cd_segment *back);

/// The two sides of a polygon that was cut: room for `capacity` corners each, and how many there are.
typedef struct cd_split {
    cd_vec3 *front, *back;
    size_t front_count, back_count, capacity;
} cd_split;

/// Cuts a convex polygon at a plane.
///
/// Returns where it is, a value of `cd_side`, and sets the counts. What is on one side only is that side, as it came; what is on the plane
/// (CD_SIDE_ON) is neither. Of CD_SIDE_BOTH each side has its corners, the points where edges with ends on both
/// sides are cut, and those corners on the plane that are next to its own. Neither needs more than one corner more than the polygon
/// has; counts are set and nothing is written beyond the capacity where there is no room. The polygon must not be
/// where the sides are. A polygon that is not convex may fall into parts that hang together along lines in the plane. Cost: linear.
/// Source: Ericson 8.3.4, with corners on the plane by their neighbours.
CD_API uint32_t cd_split_polygon(const cd_vec3 *polygon, size_t count, cd_plane plane, cd_real thickness,
                                 cd_split *out);

/// A triangle that was cut: up to two triangles on each side.
typedef struct cd_split_triangles {
    cd_triangle front[2], back[2];
    uint32_t front_count, back_count;
} cd_split_triangles;

/// Cuts a triangle at a plane, as a polygon; its sides turn as it does.
CD_API uint32_t cd_split_triangle(const cd_triangle *t, cd_plane plane, cd_real thickness,
                                  cd_split_triangles *out);
