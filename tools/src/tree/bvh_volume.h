#pragma once
/* bvh_volume: what trees are searched with: a box, sphere, capsule, oriented box, triangle, convex region or hull. */

#include "hull/hull.h"
#include "query/region.h"
#include "shape/linear.h"
#include "shape/swept.h"
#include "tree/bvh.h"

/// What a `cd_bvh_volume` is.
typedef enum cd_bvh_volume_kind {
    CD_BVH_AABB = 0,
    CD_BVH_SPHERE = 1,
    CD_BVH_CAPSULE = 2,
    CD_BVH_OBB = 3,
    CD_BVH_TRIANGLE = 4,
    CD_BVH_HULL = 5,
    CD_BVH_PLANES = 6 ///< the region n.x <= d of up to 32 planes, as a frustum; it may be unbounded
} cd_bvh_volume_kind;

/// A volume that trees are searched with, or that is cast through them.
typedef struct cd_bvh_volume {
    uint32_t kind;        ///< of `cd_bvh_volume_kind`
    uint32_t plane_count; ///< of CD_BVH_PLANES
    union {
        cd_aabb aabb;
        cd_sphere sphere;
        cd_capsule capsule;
        cd_obb obb;
        cd_triangle triangle;
        const cd_hull *hull;
        const cd_plane *planes;
    } u;
} cd_bvh_volume;

/// A box as a volume.
CD_API cd_bvh_volume cd_bvh_volume_aabb(cd_aabb b);
/// A sphere as a volume.
CD_API cd_bvh_volume cd_bvh_volume_sphere(cd_sphere s);
/// A capsule as a volume.
CD_API cd_bvh_volume cd_bvh_volume_capsule(const cd_capsule *c);
/// An oriented box as a volume.
CD_API cd_bvh_volume cd_bvh_volume_obb(const cd_obb *b);
/// A triangle as a volume.
CD_API cd_bvh_volume cd_bvh_volume_triangle(const cd_triangle *t);
/// A convex hull as a volume; it is not copied.
CD_API cd_bvh_volume cd_bvh_volume_hull(const cd_hull *h);
/// A convex region as a volume: where n.x <= d for all `count` planes, at most 32. They are not copied.
CD_API cd_bvh_volume cd_bvh_volume_planes(const cd_plane *planes, uint32_t count);

/// Can the volume meet anything? False for an unknown kind, numbers that make no such shape (as cd_X_is_valid says), a hull
/// that is NULL, and more than CD_REGION_PLANES planes. The empty hull is valid, and meets nothing.
CD_API bool cd_bvh_volume_is_valid(const cd_bvh_volume *volume);

/// A box that holds the volume, rounded outward; empty for an invalid volume, an empty hull or an empty region, and
/// CD_REAL_MAX where a region has no bound. Cost: constant, but for a region: see cd_aabb_from_region.
CD_API cd_aabb cd_bvh_volume_bounds(const cd_bvh_volume *volume);

/// Does the triangle meet the volume? As cd_test_X_triangle or cd_test_triangle_X; class and cost are those. False for an
/// invalid volume, and for NaN or infinity.
CD_API bool cd_bvh_volume_test_triangle(const cd_bvh_volume *volume, const cd_triangle *t);

/// Does the box meet the volume? As cd_test_X_aabb or cd_test_aabb_X; otherwise as for triangles.
CD_API bool cd_bvh_volume_test_aabb(const cd_bvh_volume *volume, cd_aabb b);

/// Is the point in the volume? As cd_test_point_X; otherwise as for triangles.
CD_API bool cd_bvh_volume_test_point(const cd_bvh_volume *volume, cd_vec3 p);

/// The volume scaled about the origin, then moved by a pose: to take it into the frame of a tree, say.
///
/// A box becomes an oriented one. The planes of a region are written to `planes`, with room for all, which must outlive
/// `out`. False, with `out` untouched, for hulls, which are not made anew, for an invalid volume or pose, a scale that is not
/// above 0, `planes` that are NULL for a region, and where the result would not be valid. `out` may be the volume itself,
/// and `planes` its own. Class: tolerant, 4 units in the last place of the largest coordinate.
CD_API bool cd_bvh_volume_transform(const cd_bvh_volume *volume, const cd_transform *pose, cd_real scale,
                                    cd_plane *planes, cd_bvh_volume *out);

/// Primitives of the caller's own, in a tree over their boxes. A call that is NULL takes the primitive for its box.
///
/// Indices are those of the boxes the tree was built over. The calls must answer like the library's own: the same for
/// the same arguments, and nothing outside of the primitive's box.
typedef struct cd_bvh_custom {
    void *user; ///< handed to all
    /// Does the primitive meet the volume?
    bool (*overlap)(void *user, uint32_t index, const cd_bvh_volume *volume);
    /// The first hit of a ray up to `t_max`, as cd_cast_ray_X answers; false, with `hit` untouched, when there is none.
    bool (*cast_ray)(void *user, uint32_t index, const cd_ray *r, cd_real t_max,
                     const cd_cast_options *options, cd_hit *hit);
    /// The point nearest to `p`, as `out->b` with `out->sqdist`; false when it is farther than `max_distance`.
    bool (*closest)(void *user, uint32_t index, cd_vec3 p, cd_real max_distance, cd_closest *out);
    /// The first contact of a moving volume, with t in [0, 1], as cd_sweep_X_Y answers.
    bool (*sweep)(void *user, uint32_t index, const cd_bvh_volume *volume, cd_vec3 motion,
                  const cd_cast_options *options, cd_hit *hit);
} cd_bvh_custom;
