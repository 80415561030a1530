#pragma once
/* test: do two things meet? Closed sets: touching counts (Ericson 5.2). NaN in, or an infinite number but where a
 * routine allows it: false. */

#include "shape/linear.h"
#include "shape/volume.h"

/// Is the point in the box? Class: exact. Infinite boxes are fine.
CD_INLINE bool cd_test_point_aabb(cd_vec3 p, cd_aabb b) {
    return b.min.x <= p.x && p.x <= b.max.x && b.min.y <= p.y && p.y <= b.max.y && b.min.z <= p.z &&
           p.z <= b.max.z;
}

/// Do two axis-aligned boxes meet? Class: exact; false when either is empty. Infinite boxes are fine (4.2.1).
CD_INLINE bool cd_test_aabb_aabb(cd_aabb a, cd_aabb b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
           a.min.z <= b.max.z && b.min.z <= a.max.z && !cd_aabb_is_empty(a) && !cd_aabb_is_empty(b);
}

/// Is the point in the sphere? Class: exact.
CD_API bool cd_test_point_sphere(cd_vec3 p, cd_sphere s);

/// Is the point in the oriented box? Class: tolerant, 4 units of double of the largest coordinate. Its slabs count, as for
/// cd_cast_ray_obb.
CD_API bool cd_test_point_obb(cd_vec3 p, const cd_obb *b);

/// Do two spheres meet? Class: exact (4.3.1).
CD_API bool cd_test_sphere_sphere(cd_sphere a, cd_sphere b);

/// Do sphere and box meet? Class: exact (5.2.5).
CD_API bool cd_test_sphere_aabb(cd_sphere s, cd_aabb b);

/// Do sphere and oriented box meet? Class: tolerant, 8 units of double of the largest coordinate (5.2.6).
CD_API bool cd_test_sphere_obb(cd_sphere s, const cd_obb *b);

/// Do sphere and triangle meet? Class: tolerant, 8 units of double of the largest coordinate (5.2.7).
CD_API bool cd_test_sphere_triangle(cd_sphere s, const cd_triangle *t);

/// Do triangle and box meet? Class: exact, for every triangle, needles, segments and points included (5.2.9).
CD_API bool cd_test_triangle_aabb(const cd_triangle *t, cd_aabb b);

/// Do triangle and oriented box meet? The triangle is taken to the box's frame, with an error of 4 units of double
/// of the largest coordinate; there the test is exact. The box's slabs count, as for cd_cast_ray_obb.
CD_API bool cd_test_triangle_obb(const cd_triangle *t, const cd_obb *b);
