#pragma once
/* bvh_volume: what trees are searched with: a box, sphere, capsule, oriented box, triangle, convex region or hull. */

#include "hull/hull.h"
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
