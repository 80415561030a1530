#pragma once
/* bvh_overlap: which triangles of a tree meet a box or a sphere.
 *
 * The visitor is called once for every triangle that meets the volume, in the order of the leaves; it may stop the
 * query by answering false, and then the call answers false. Invalid volumes meet nothing. */

#include "query/test.h"
#include "query/hit.h"
#include "tree/bvh.h"

/// Visits the triangles that meet a box. Class: exact, as cd_test_triangle_aabb.
CD_API bool cd_bvh_overlap_aabb(const cd_bvh *tree, cd_aabb box, cd_visit_fn visit, void *user);

/// Visits the triangles that meet a sphere. Class: tolerant, as cd_test_sphere_triangle.
CD_API bool cd_bvh_overlap_sphere(const cd_bvh *tree, cd_sphere sphere, cd_visit_fn visit, void *user);
