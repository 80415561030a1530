#pragma once
/* overlap: one volume against many of a kind (Ericson 4.2-4.5).
 *
 * Each call gives the indices of those that meet `a`, in ascending order: exactly those for which the call for two says
 * so. It returns how many there are, and writes the first `capacity` of them; `hits` may be NULL when that is 0. Indices
 * above 2^32 - 1 cannot be told: counts beyond are cut there. Cost: linear; no memory. */

#include "query/obb.h"
#include "query/swept.h"
#include "query/test.h"

/// Which boxes meet the box? As cd_test_aabb_aabb.
CD_API size_t cd_test_aabb_aabbs(cd_aabb a, const cd_aabb *many, size_t count, uint32_t *hits,
                                 size_t capacity);

/// Which spheres meet the box? As cd_test_sphere_aabb.
CD_API size_t cd_test_aabb_spheres(cd_aabb a, const cd_sphere *many, size_t count, uint32_t *hits,
                                   size_t capacity);

/// Which boxes meet the sphere? As cd_test_sphere_aabb.
CD_API size_t cd_test_sphere_aabbs(cd_sphere a, const cd_aabb *many, size_t count, uint32_t *hits,
                                   size_t capacity);

/// Which spheres meet the sphere? As cd_test_sphere_sphere.
CD_API size_t cd_test_sphere_spheres(cd_sphere a, const cd_sphere *many, size_t count, uint32_t *hits,
                                     size_t capacity);

/// Which triangles meet the sphere? As cd_test_sphere_triangle.
CD_API size_t cd_test_sphere_triangles(cd_sphere a, const cd_triangle *many, size_t count, uint32_t *hits,
                                       size_t capacity);

/// Which capsules meet the sphere? As cd_test_sphere_capsule.
CD_API size_t cd_test_sphere_capsules(cd_sphere a, const cd_capsule *many, size_t count, uint32_t *hits,
                                      size_t capacity);

/// Which oriented boxes meet the sphere? As cd_test_sphere_obb.
CD_API size_t cd_test_sphere_obbs(cd_sphere a, const cd_obb *many, size_t count, uint32_t *hits,
                                  size_t capacity);

/// Which oriented boxes meet the box? As cd_test_obb_obb.
CD_API size_t cd_test_obb_obbs(const cd_obb *a, const cd_obb *many, size_t count, uint32_t *hits,
                               size_t capacity);

/// Which capsules meet the capsule? As cd_test_capsule_capsule.
CD_API size_t cd_test_capsule_capsules(const cd_capsule *a, const cd_capsule *many, size_t count,
                                       uint32_t *hits, size_t capacity);
