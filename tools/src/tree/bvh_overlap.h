#pragma once
/* bvh_overlap: which primitives of a tree meet a volume.
 *
 * A primitive meets a volume when cd_bvh_volume_test_triangle, _aabb or _point says so of it, or `custom->overlap` where
 * the tree has one; the tree leaves out only what cannot meet, and what lies wholly inside of a box, sphere or region is
 * told from the nodes above it, where the test would say yes.
 *
 * The visitor is called once for every primitive that meets the volume, in an order of the tree's own, that of its leaves,
 * which is the same for the same tree and volume on every machine; it may stop the query by answering false, and then the call answers false.
 * Invalid volumes (see cd_bvh_volume_is_valid) meet nothing. `filter` may be NULL; it is asked about what meets the volume
 * only. Nothing is allocated. Stack: a
 * capsule takes 18 KiB where its test has to be exact. */

#include "tree/bvh_volume.h"

/// Visits the primitives that meet any volume; the calls below are this one. Class: that of cd_test_X_Y.
CD_API bool cd_bvh_overlap(const cd_bvh *tree, const cd_bvh_volume *volume, const cd_filter *filter,
                           cd_visit_fn visit, void *user);

/// Visits the primitives that meet a box. Class: exact, as cd_test_triangle_aabb.
CD_API bool cd_bvh_overlap_aabb(const cd_bvh *tree, cd_aabb box, const cd_filter *filter, cd_visit_fn visit,
                                void *user);

/// Visits the primitives that meet a sphere. Class: tolerant for triangles, as cd_test_sphere_triangle; else exact.
CD_API bool cd_bvh_overlap_sphere(const cd_bvh *tree, cd_sphere sphere, const cd_filter *filter,
                                  cd_visit_fn visit, void *user);

/// Visits the primitives that meet a capsule. Class: tolerant, as cd_test_capsule_triangle.
CD_API bool cd_bvh_overlap_capsule(const cd_bvh *tree, const cd_capsule *capsule, const cd_filter *filter,
                                   cd_visit_fn visit, void *user);

/// Visits the primitives that meet an oriented box. Class: tolerant, as cd_test_triangle_obb.
CD_API bool cd_bvh_overlap_obb(const cd_bvh *tree, const cd_obb *box, const cd_filter *filter,
                               cd_visit_fn visit, void *user);

/// Visits the primitives that meet a triangle. Class: exact, as cd_test_triangle_triangle.
CD_API bool cd_bvh_overlap_triangle(const cd_bvh *tree, const cd_triangle *triangle, const cd_filter *filter,
                                    cd_visit_fn visit, void *user);

/// Visits the primitives that meet a convex hull. Class: exact, as cd_test_triangle_hull.
CD_API bool cd_bvh_overlap_hull(const cd_bvh *tree, const cd_hull *hull, const cd_filter *filter,
                                cd_visit_fn visit, void *user);

/// Visits the primitives that meet the region n.x <= d of `count` planes, as a frustum from cd_region_from_frustum.
/// Class: as cd_test_triangle_region; exact for boxes and points.
CD_API bool cd_bvh_overlap_planes(const cd_bvh *tree, const cd_plane *planes, uint32_t count,
                                  const cd_filter *filter, cd_visit_fn visit, void *user);

/// Does any primitive meet the volume?
CD_API bool cd_bvh_test_overlap(const cd_bvh *tree, const cd_bvh_volume *volume, const cd_filter *filter);

/// Lists the primitives that meet the volume, in the order of visits: how many there are; at most `capacity` indices
/// are written to `out`, which may be NULL with 0.
CD_API size_t cd_bvh_overlap_list(const cd_bvh *tree, const cd_bvh_volume *volume, const cd_filter *filter,
                                  uint32_t *out, size_t capacity);

/// Visits all pairs of one of many volumes (`pair.a`) and a primitive that meets it (`pair.b`): volume by volume, each as
/// cd_bvh_overlap. False when the visitor stopped all.
CD_API bool cd_bvh_overlaps(const cd_bvh *tree, const cd_bvh_volume *volumes, uint32_t count,
                            const cd_filter *filter, cd_visit_pair_fn visit, void *user);
