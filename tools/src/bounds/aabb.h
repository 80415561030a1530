#pragma once
/* aabb: axis-aligned boxes of things that turn, and extreme points (Ericson 4.2.3-4.2.6).
 *
 * A box of something moved by a pose holds it, exactly: the points q v q^-1 / |q|^2 + position with every digit, and what
 * cd_transform_point makes of them. Always start from the box or hull in the object's own frame: boxes of boxes of boxes grow
 * with every step, by up to a factor of 1.73 (at 45 degrees by 1.41). Bounds are rounded outward by 5e-15 of the size;
 * turns that take axes to axes (the quaternions with equal components, up to signs and zeros) are exact. NaN or infinity in:
 * the empty box. Bounds stay finite. */

#include "core/status.h"
#include "hull/hull.h"
#include "shape/aabb_forms.h"

/// The smallest sphere about `pivot` that holds the points: however an object turns about its pivot, it stays in there.
///
/// Its box, cd_aabb_from_sphere, moved by cd_aabb_translate, holds the object in any orientation. Class: exact, the smallest
/// radius of the number type. No points: radius -1. NaN or infinity in: CD_INVALID_ARGUMENT; a radius beyond the largest number:
/// CD_TOO_LARGE; `out` is zeroed on failure. Cost: linear. Source: Ericson 4.2.3.
CD_API cd_status cd_sphere_from_pivot(const cd_vec3 *points, size_t count, cd_vec3 pivot, cd_sphere *out);

/// The points least and farthest along a direction of any length, of equal ones the first.
///
/// Dot products are those of doubles; a point whose dot product is NaN is passed over. False, with `least` and `most` untouched,
/// when no point is left. Cost: linear. Source: Ericson 4.2.4.
CD_API bool cd_extreme_points_along_direction(const cd_vec3 *points, size_t count, cd_vec3 direction,
                                              size_t *least, size_t *most);

/// Moves the corners of the points' convex hull to the front, so that only the first `*hull_count` of them need be looked at
/// for boxes, extreme points and other fits, for as long as the object keeps its shape.
///
/// Which point stands at place i now is told by order[i], its old place (`order` may be NULL). The corners keep their order. Of
/// equal points the first counts. Memory: that of the hull, and a byte a point. CD_INVALID_ARGUMENT: NaN or infinity;
/// CD_TOO_LARGE: more than 2^28 points; CD_OUT_OF_MEMORY. On failure the points stay where they are, and `*hull_count` is 0.
/// Source: Ericson 4.2.4.
CD_API cd_status cd_points_hull_first(cd_vec3 *points, size_t count, const cd_allocator *allocator,
                                      uint32_t *order, size_t *hull_count);

/// The box of a hull moved by a pose (NULL: not moved), from all its vertices.
///
/// Cost: linear. The empty hull has the empty box.
CD_API cd_aabb cd_aabb_from_hull(const cd_hull *hull, const cd_transform *pose);

/// Where the last search of cd_aabb_climb ended: the extreme vertices along -x, x, -y, y, -z, z. Zero is a fine start, any
/// content is.
typedef struct cd_aabb_climb_cache {
    uint32_t vertex[6];
} cd_aabb_climb_cache;

/// cd_aabb_from_hull, bit for bit, by walking uphill from the extreme vertices of the last call (4.2.5).
///
/// Of a vertex only the coordinate in question is computed. Neighbours are compared with exact signs, so that no rounding
/// makes a false summit, and plains are no trap: vertices are corners of the hull, each with a neighbour that is really higher
/// unless none is. Hulls that are not quite convex (of positive `flatness`) are scanned. `cache` may be NULL. Cost: six
/// walks, a few steps each where the hull turns little between calls.
CD_API cd_aabb cd_aabb_climb(const cd_hull *hull, const cd_transform *pose, cd_aabb_climb_cache *cache);

/// The box of a box moved by a pose (4.2.6). An empty box stays empty.
CD_API cd_aabb cd_aabb_transform(cd_aabb b, const cd_transform *pose);

/// The same by centre and half widths: the centre is moved, the half widths are turned by the matrix of magnitudes. An empty
/// box, and bad input, give half widths of -1. Half widths beyond the largest number are infinite.
CD_API cd_aabb_cr cd_aabb_cr_transform(const cd_aabb_cr *b, const cd_transform *pose);
