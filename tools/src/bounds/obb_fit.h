#pragma once
/* obb_fit: oriented boxes around points, hulls and meshes by statistics and by extreme points (Ericson 4.4.3, 4.4.4).
 *
 * What the fits of this module, obb_search and obb_min have in common:
 * Class: conservative: every point is in the stored box exactly, by the definition of cd_obb and as seen along its axes,
 * rounding included; beyond that the box is as tight as its axes allow within 64 units of the number type of the distance
 * to the farthest point. Its volume is never above that of the box along the axes of the world, which is what
 * is given where it is smaller; of boxes without volume the one with the smaller surface, then the shorter one.
 * Points in a plane, in line, or all equal: extents of 0 but for that rounding, exactly 0 where the plane or line is
 * across axes of the world. Deterministic. No point, NaN or infinity: CD_INVALID_ARGUMENT, and `out` is zero; so it is with
 * CD_OUT_OF_MEMORY. Points far apart relative to CD_REAL_MAX may get the box along the axes of the world.
 *
 * Which one? For a tight box of a hull: cd_obb_min_volume, or cd_obb_pca (of the box smallest across) and cd_obb_refine. For points by the
 * hundred thousand: cd_obb_from_points, or better cd_obb_from_hull, which does not see how densely points lie. */

#include "bounds/rect_min.h"
#include "hull/mass.h"

/// From the covariance of the points: the axes are its eigenvectors.
///
/// Points inside count as much as those outside, so a cluster may turn the box away from the best one. Cost: linear, no memory.
/// Source: Gottschalk, Lin and Manocha 1996, "OBBTree".
CD_API cd_status cd_obb_from_points(const cd_vec3 *points, size_t count, cd_obb *out);

/// From the covariance of the surface of a hull, as if it were densely covered with points (the continuous form): neither
/// interior points nor their density matter.
///
/// A hull without area is fitted by its extreme points; the empty hull is CD_INVALID_ARGUMENT. Cost: linear in the
/// hull, no memory. Source: Gottschalk 2000, "Collision queries using oriented bounding boxes".
CD_API cd_status cd_obb_from_hull(const cd_hull *hull, cd_obb *out);

/// The same for the surface of a mesh as it stands, which may be open. Vertices that no triangle uses do not matter.
///
/// CD_INVALID_ARGUMENT too where the view cannot be read, or an index is out of range. Cost: linear, no memory.
CD_API cd_status cd_obb_from_mesh(const cd_mesh_view *mesh, cd_obb *out);

/// From the principal axes of inertia of the solid that a closed mesh bounds; its surface's where it has no volume.
///
/// Bad input, cost: as cd_obb_from_mesh.
CD_API cd_status cd_obb_from_inertia(const cd_mesh_view *mesh, cd_obb *out);

/// By two extreme pairs: the first axis joins two points far apart, the second one joins two that are so seen along the first.
///
/// The pairs are those found by going to the farthest point twice, from an end of the longest side of the bounds. Where the
/// volume of the hull is not 0, the box has at most a constant times the volume of the smallest one. Cost: linear, eight passes; no memory.
/// Source: Barequet and Har-Peled 2001, "Efficiently approximating the minimum-volume bounding box of a point set in
/// three dimensions".
CD_API cd_status cd_obb_barequet(const cd_vec3 *points, size_t count, cd_obb *out);

/// Which axes of the covariance a box takes.
typedef enum cd_pca_axes {
    CD_PCA_ALL = 0, ///< all three: cd_obb_from_points
    CD_PCA_MAX,     ///< that of the largest value; across it, the rectangle of least area
    CD_PCA_MIN      ///< that of the smallest value; across it, the rectangle of least area
} cd_pca_axes;

/// The box of the principal components, all of them or one, and the best rectangle across it.
///
/// Cost: count log count; 12 bytes a point (20 in double) from `allocator`, which may be NULL. More than 2^32 - 2
/// points: CD_TOO_LARGE. Source: Barequet et al. 1996, "BOXTREE: a hierarchical representation for surfaces in 3D".
CD_API cd_status cd_obb_pca(const cd_vec3 *points, size_t count, cd_pca_axes axes,
                            const cd_allocator *allocator, cd_obb *out);
