#pragma once
/* volume: spheres, axis-aligned and oriented boxes (Ericson 4.2-4.4). */

#include "core/transform.h"

/// A ball: the points no farther than `radius` from `center`. A radius of 0 is a point, a negative one nothing.
typedef struct cd_sphere {
    cd_vec3 center;
    cd_real radius;
} cd_sphere;

/// An axis-aligned box, closed; empty when min > max on any axis.
typedef struct cd_aabb {
    cd_vec3 min, max;
} cd_aabb;

/// An oriented box, closed: center + axes.col[i] * s_i with |s_i| <= half's components.
///
/// The axes are orthonormal and right-handed, the half extents at least 0.
typedef struct cd_obb {
    cd_vec3 center;
    cd_mat3 axes;
    cd_vec3 half;
} cd_obb;

/// The empty box, min = +CD_REAL_MAX and max = -CD_REAL_MAX: what a growing box starts from.
CD_API cd_aabb cd_aabb_empty(void);

/// The smallest box that holds both.
CD_INLINE cd_aabb cd_merge_aabb_aabb(cd_aabb a, cd_aabb b) {
    a.min = cd_vec3_min(a.min, b.min);
    a.max = cd_vec3_max(a.max, b.max);
    return a;
}

/// The smallest box that holds the box and the point.
CD_INLINE cd_aabb cd_aabb_add_point(cd_aabb b, cd_vec3 p) {
    b.min = cd_vec3_min(b.min, p);
    b.max = cd_vec3_max(b.max, p);
    return b;
}

/// The common part of two boxes; empty when they do not meet.
CD_INLINE cd_aabb cd_aabb_intersect(cd_aabb a, cd_aabb b) {
    a.min = cd_vec3_max(a.min, b.min);
    a.max = cd_vec3_min(a.max, b.max);
    return a;
}

/// min > max on some axis.
CD_INLINE bool cd_aabb_is_empty(cd_aabb b) {
    return b.min.x > b.max.x || b.min.y > b.max.y || b.min.z > b.max.z;
}

/// The smallest box that holds `count` points; empty for none. A NaN component is passed over. Class: exact; zeros are
/// positive. Cost: linear, eight points at a time in a float build (4.2.4).
CD_API cd_aabb cd_aabb_from_points(const cd_vec3 *points, size_t count);

/// A box that holds the sphere, rounded outward; empty for a negative radius.
CD_API cd_aabb cd_aabb_from_sphere(cd_sphere s);

/// A box that holds the oriented box, rounded outward.
CD_API cd_aabb cd_aabb_from_obb(const cd_obb *b);

/// The oriented box with the axes of the frame, holding all of the box; all zero for an empty one.
CD_API cd_obb cd_obb_from_aabb(cd_aabb b);

/// The oriented box moved by a pose.
CD_API cd_obb cd_obb_transform(const cd_obb *b, const cd_transform *pose);

/// The eight corners: bit k of the index chooses the positive side on axis k.
CD_API void cd_obb_to_vertices(const cd_obb *b, cd_vec3 out[8]);

/// Finite, radius >= 0.
CD_API bool cd_sphere_is_valid(cd_sphere s);

/// Finite and not empty.
CD_API bool cd_aabb_is_valid(cd_aabb b);

/// Finite, axes orthonormal within 1e-3, half extents >= 0.
CD_API bool cd_obb_is_valid(const cd_obb *b);
