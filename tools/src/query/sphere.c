#include "core/exact.h"
#include "core/vec3d.h"
#include "query/sphere.h"
#include "query/closest_solid.h"
#include "query/polygon.h"
#include "query/test.h"

/* The height over the plane, times |n|, is off by four units for each product; r |n| by four. */
#define CDI_SPHERE_PLANE_BOUND 1.7763568394002505e-15 /* 16 u */
#define CDI_SPHERE_PLANE_LEAST 1e-280

/* n . c - d without rounding. */
static cdi_exact cdi_exact_height(cdi_arena *arena, cdi_v3 n, double d, cdi_v3 c) {
    int mark = arena->used;
    cdi_exact sum = cdi_exact_of(arena, -d);
    for (int i = 0; i < 3; ++i) {
        cdi_exact x = cdi_exact_of(arena, cdi_v3_get(n, i)), y = cdi_exact_of(arena, cdi_v3_get(c, i));
        sum = cdi_exact_keep(arena, mark, cdi_exact_add(arena, sum, cdi_exact_mul(arena, x, y)));
    }
    return sum;
}

/* (r |n|)^2 */
static cdi_exact cdi_exact_depth_squared(cdi_arena *arena, cdi_v3 n, double r) {
    int mark = arena->used;
    cdi_exact sum = cdi_exact_of(arena, 0.0), x;
    for (int i = 0; i < 3; ++i) {
        cdi_exact y = cdi_exact_of(arena, cdi_v3_get(n, i));
        sum = cdi_exact_keep(arena, mark, cdi_exact_add(arena, sum, cdi_exact_mul(arena, y, y)));
    }
    x = cdi_exact_of(arena, r);
    return cdi_exact_keep(arena, mark, cdi_exact_mul(arena, sum, cdi_exact_mul(arena, x, x)));
}

/* Is the height at most r |n|, and if `both`, at least -r |n|? */
static CDI_COLD bool cdi_sphere_reaches_exact(cdi_v3 n, double d, cdi_v3 c, double r, bool both) {
    uint32_t limbs[48 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 48 * CDI_EXACT_LIMBS);
    cdi_exact height = cdi_exact_height(&arena, n, d, c), square;
    if (height.sign <= 0 && !both) return true;
    square = cdi_exact_depth_squared(&arena, n, r);
    return cdi_exact_sub(&arena, cdi_exact_mul(&arena, height, height), square).sign <= 0;
}

static bool cdi_sphere_reaches(cd_sphere s, cd_plane plane, bool both) {
    cdi_v3 n = cdi_v3_of(plane.n), c = cdi_v3_of(s.center);
    double d = (double)plane.d, r = (double)s.radius, depth, error, height;
    if (!cd_sphere_is_valid(s) || !cd_plane_is_valid(&plane)) return false;
    depth = r * cdi_v3_length(n);
    height = n.x * c.x + n.y * c.y + n.z * c.z - d;
    error = cdi_abs(n.x * c.x) + cdi_abs(n.y * c.y) + cdi_abs(n.z * c.z) + cdi_abs(d) + depth;
    error = CDI_SPHERE_PLANE_BOUND * error + CDI_SPHERE_PLANE_LEAST;
    if (both) height = cdi_abs(height);
    if (height - depth > error) return false;
    if (depth - height > error) return true;
    return cdi_sphere_reaches_exact(n, d, c, r, both);
}

CD_API bool cd_test_sphere_plane(cd_sphere s, cd_plane plane) {
    return cdi_sphere_reaches(s, plane, true);
}

CD_API bool cd_test_sphere_halfspace(cd_sphere s, cd_plane plane) {
    return cdi_sphere_reaches(s, plane, false);
}

CD_API int cd_locate_sphere_halfspace(cd_sphere s, cd_plane plane) {
    if (!cdi_sphere_reaches(s, plane, false)) return -1;
    return cdi_sphere_reaches(s, plane, true) ? 0 : 1;
}

/* ---- with the closest point ---- */

CD_API bool cd_test_sphere_aabb_closest(cd_sphere s, cd_aabb b, cd_vec3 *closest) {
    if (!cd_test_sphere_aabb(s, b)) return false;
    if (closest) *closest = cd_closest_pt_point_aabb(s.center, b);
    return true;
}

CD_API bool cd_test_sphere_obb_closest(cd_sphere s, const cd_obb *b, cd_vec3 *closest) {
    if (!cd_test_sphere_obb(s, b)) return false;
    if (closest) *closest = cd_closest_pt_point_obb(s.center, b);
    return true;
}

CD_API bool cd_test_sphere_triangle_closest(cd_sphere s, const cd_triangle *t, cd_vec3 *closest) {
    if (!cd_test_sphere_triangle(s, t)) return false;
    if (closest) *closest = cd_closest_pt_point_triangle(s.center, t);
    return true;
}

CD_API bool cd_test_sphere_polygon_closest(cd_sphere s, const cd_vec3 *polygon, size_t count,
                                           cd_vec3 *closest) {
    if (!cd_test_sphere_polygon(s, polygon, count)) return false;
    if (closest) *closest = cd_closest_pt_point_polygon(s.center, polygon, count);
    return true;
}

#undef CDI_SPHERE_PLANE_BOUND
#undef CDI_SPHERE_PLANE_LEAST
