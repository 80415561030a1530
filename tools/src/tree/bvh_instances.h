#pragma once
/* bvh_instances: a tree of trees, each turned, moved and scaled: a scene of many copies of few meshes.
 *
 * A query is taken into the frame of each instance whose box it reaches, once, rounded to the number type of the interface; what
 * is found there is taken back. So every call gives what a loop over all instances would: of those whose box the query
 * meets, the call on the instance's own tree, and of equal results the smallest instance. The box is that of
 * cd_bvh_instance_bounds. Scaling is uniform.
 *
 * The instances' trees are not copied and have to stay where they are. Filters and masks here are of the instances; a
 * tree's own masks are not asked. Queries allocate nothing and use at most 16 KiB of stack, but sweeps and
 * overlaps 24 KiB: two queries are under way, and the exact tests of a primitive. */

#include "core/transform.h"
#include "tree/bvh_build.h"
#include "tree/bvh_volume.h"

/// A tree set in the world: x in the tree is at pose(scale * x).
typedef struct cd_bvh_instance {
    const cd_bvh *tree;
    cd_transform pose;
    cd_real scale; ///< > 0; 0 stands for 1
    uint32_t mask; ///< for queries' `ignore_mask`
} cd_bvh_instance;

/// A tree over instances; the zero object is an empty one.
typedef struct cd_bvh_instances {
    cd_bvh top;                ///< over the boxes of the instances, in the order in which they were given
    cd_bvh_instance *instance; ///< a copy of what was given
    uint32_t count;
    cd_allocator allocator;
} cd_bvh_instances;

/// The box of an instance in the world, rounded outward; empty when its tree is.
CD_API cd_aabb cd_bvh_instance_bounds(const cd_bvh_instance *instance);

/// Builds the tree over `count` instances.
///
/// Instances of empty trees are met by nothing. Of `options`, masks are taken from the instances. CD_INVALID_ARGUMENT
/// for a scale that is negative or not finite, a pose that is not finite, or a box beyond all numbers; CD_OUT_OF_MEMORY, CD_CANCELLED; `out` is empty on
/// failure. For instances that move: build again.
CD_API cd_status cd_bvh_instances_build(cd_bvh_instances *out, const cd_bvh_instance *instances,
                                        uint32_t count, const cd_bvh_options *options);

/// Gives the memory back; an empty object may be destroyed too.
CD_API void cd_bvh_instances_destroy(cd_bvh_instances *instances);

/// The nearest hit, as cd_bvh_cast_ray: `hit->index` is the primitive, `*instance` (which may be NULL) whose it is.
CD_API bool cd_bvh_instances_cast_ray(const cd_bvh_instances *in, const cd_ray *r, cd_real t_max,
                                      const cd_cast_options *options, cd_hit *hit, uint32_t *instance);

/// Is there any hit with t up to `t_max`?
CD_API bool cd_bvh_instances_test_ray(const cd_bvh_instances *in, const cd_ray *r, cd_real t_max,
                                      const cd_cast_options *options);

/// cd_bvh_instances_cast_ray on `count` rays; as cd_bvh_cast_rays. `instances` may be NULL.
CD_API size_t cd_bvh_instances_cast_rays(const cd_bvh_instances *in, const cd_ray *rays, const cd_real *t_max,
                                         size_t count, const cd_cast_options *options, cd_hit *hits,
                                         uint32_t *instances);

/// Visits what meets the volume: `pair.a` is the instance, `pair.b` the primitive. False when the visitor stopped it.
///
/// An AABB is an OBB in the instance's frame. A hull stays in the world: there it is asked about the primitives, taken there
/// by scale and pose; of boxes, whatever they stand for, as oriented boxes.
CD_API bool cd_bvh_instances_overlap(const cd_bvh_instances *in, const cd_bvh_volume *volume,
                                     const cd_filter *filter, cd_visit_pair_fn visit, void *user);

/// The nearest point, as cd_bvh_closest: `out->index_b` is the primitive, `*instance` (which may be NULL) whose it is.
CD_API bool cd_bvh_instances_closest(const cd_bvh_instances *in, cd_vec3 p, cd_real max_distance,
                                     const cd_filter *filter, cd_closest *out, uint32_t *instance);

/// The first contact of a moving volume, as cd_bvh_sweep; an AABB is an OBB in the instance's frame. Hulls are
/// not cast here: false.
CD_API bool cd_bvh_instances_sweep(const cd_bvh_instances *in, const cd_bvh_volume *volume, cd_vec3 motion,
                                   const cd_cast_options *options, cd_hit *hit, uint32_t *instance);
