#pragma once
/* bvh_collide: which triangles of one mesh meet which of another (Ericson 6.3; the article on AABB trees).
 *
 * The corners of B are taken once into A's frame by cd_transform_point; what is decided then is exact, as
 * cd_test_triangle_triangle: every tree over the same meshes finds the same pairs, all of them. Both trees are
 * descended at once; two boxes are compared along the axes of both frames. A pair visitor is called once for every
 * pair, in an order that is fixed for the two trees; the pair holds the triangles' indices in their meshes. A pose of
 * NULL is the identity, in which nothing is rounded; one that is not finite meets nothing. */

#include "core/transform.h"
#include "query/hit.h"
#include "query/triangle_triangle.h"
#include "tree/bvh.h"

/// Visits all pairs that meet; false when the visitor stopped it.
CD_API bool cd_bvh_traverse_pairs(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                  cd_visit_pair_fn visit, void *user);

/// Returns how many pairs meet, and writes the first `capacity` of them.
CD_API size_t cd_bvh_collide(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, cd_pair *pairs,
                             size_t capacity);

/// Do the meshes' surfaces meet at all? `pair`, which may be NULL, takes the first pair found.
CD_API bool cd_bvh_test_bvh(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, cd_pair *pair);
