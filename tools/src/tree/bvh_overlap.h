#pragma once
/* bvh_overlap: which primitives of a tree meet a volume.
 *
 * The visitor is called once for every primitive that meets the volume, in the order of the leaves; it may stop the
 * query by answering false, and then the call answers false. Invalid volumes meet nothing. `filter` may be NULL. */

#include "tree/bvh_volume.h"

/// Visits the primitives that meet any volume; the calls below are this one. Class: that of cd_test_X_Y.
CD_API bool cd_bvh_overlap(const cd_bvh *tree, const cd_bvh_volume *volume, const cd_filter *filter,
                           cd_visit_fn visit, void *user);

/// Visits the primitives that meet a box. Class: exact, as cd_test_triangle_aabb.
CD_API bool cd_bvh_overlap_aabb(const cd_bvh *tree, cd_aabb box, const cd_filter *filter, cd_visit_fn visit,
                                void *user);

/// Visits the primitives that meet a sphere. Class: tolerant, as cd_test_sphere_triangle.
CD_API bool cd_bvh_overlap_sphere(const cd_bvh *tree, cd_sphere sphere, const cd_filter *filter,
                                  cd_visit_fn visit, void *user);
