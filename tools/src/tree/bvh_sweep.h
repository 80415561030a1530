#pragma once
/* bvh_sweep: moving volumes against a tree (Ericson 5.5, 6.4).
 *
 * A volume moves by `motion` from where it is, t from 0 to 1; the answer is its first contact with a primitive. What a contact
 * is, its class (conservative: never late, none missed), starts, sides and features are those of query/sweep: the tree says
 * what the single sweep says of the primitive, bit for bit. A triangle is met as by cd_sweep_X_triangle, a box as by
 * cd_sweep_X_aabb, a point as a sphere of radius 0 by cd_sweep_X_sphere, and a primitive of the caller's own as its `sweep`
 * says, or else as its box. Of several hits the one with the smallest `t` counts, and of these the one with the smallest
 * index, which is `hit->index`.
 *
 * Options may be NULL. Starts and culling are of each primitive: with CD_CAST_START_IGNORE the volume passes through what it
 * starts in contact with, and meets the rest. The filter is asked only about primitives that are hit, and no later than the
 * best before. NaN or infinity in, invalid volumes, a hull that is NULL or empty, and the kinds CD_BVH_TRIANGLE and
 * CD_BVH_PLANES, which cannot move: no hit. Cost: that of a walk along the way of the moving volume. A hull that
 * moves needs up to 24 KiB of stack, every other volume at most 16. */

#include "query/sweep.h"
#include "tree/bvh_volume.h"

/// The first contact of a moving volume; false, with `hit` untouched, when there is none. `hit` may be NULL.
///
/// Class: conservative, as the single sweeps, of which it answers the first. Source: Ericson 6.4.2.
CD_API bool cd_bvh_sweep(const cd_bvh *tree, const cd_bvh_volume *volume, cd_vec3 motion,
                         const cd_cast_options *options, cd_hit *hit);

/// Does the moving volume meet anything? Faster than asking for the first contact. Class: conservative.
CD_API bool cd_bvh_test_sweep(const cd_bvh *tree, const cd_bvh_volume *volume, cd_vec3 motion,
                              const cd_cast_options *options);

/// cd_bvh_sweep on `count` volumes, bit for bit. Returns how many hit; `hits[i].index` is CD_NONE and the rest zero where
/// volume i does not. `hits` may be NULL, and all where the count is 0.
CD_API size_t cd_bvh_sweeps(const cd_bvh *tree, const cd_bvh_volume *volumes, const cd_vec3 *motions,
                            size_t count, const cd_cast_options *options, cd_hit *hits);

/// The first contact of a moving sphere, as cd_bvh_sweep.
CD_API bool cd_bvh_sweep_sphere(const cd_bvh *tree, cd_sphere s, cd_vec3 motion,
                                const cd_cast_options *options, cd_hit *hit);

/// ... of a moving capsule.
CD_API bool cd_bvh_sweep_capsule(const cd_bvh *tree, const cd_capsule *c, cd_vec3 motion,
                                 const cd_cast_options *options, cd_hit *hit);

/// ... of a moving box.
CD_API bool cd_bvh_sweep_aabb(const cd_bvh *tree, cd_aabb b, cd_vec3 motion, const cd_cast_options *options,
                              cd_hit *hit);

/// ... of a moving oriented box.
CD_API bool cd_bvh_sweep_obb(const cd_bvh *tree, const cd_obb *b, cd_vec3 motion,
                             const cd_cast_options *options, cd_hit *hit);

/// ... of a moving hull.
CD_API bool cd_bvh_sweep_hull(const cd_bvh *tree, const cd_hull *h, cd_vec3 motion,
                              const cd_cast_options *options, cd_hit *hit);
