#include "query/polygon.h"
#include "query/locate.h"
#include "query/solid3d.h"
#include "query/swept.h"

CD_API size_t cd_polygon_triangle_count(size_t count) {
    return count > 2 ? count - 2 : count > 0 ? 1 : 0;
}

CD_API cd_triangle cd_polygon_triangle(const cd_vec3 *polygon, size_t count, size_t i) {
    cd_triangle t;
    t.a = polygon[0];
    t.b = polygon[i + 1 < count ? i + 1 : count - 1];
    t.c = polygon[i + 2 < count ? i + 2 : count - 1];
    return t;
}

static bool cdi_polygon_finite(const cd_vec3 *polygon, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(polygon[i])) return false;
    }
    return true;
}

CD_API bool cd_test_polygon_volume(const cd_vec3 *polygon, size_t count, cd_test_triangle_fn test,
                                   const void *volume) {
    size_t triangles = cd_polygon_triangle_count(count);
    if (!cdi_polygon_finite(polygon, count)) return false;
    for (size_t i = 0; i < triangles; ++i) {
        cd_triangle t = cd_polygon_triangle(polygon, count, i);
        if (test(volume, &t)) return true;
    }
    return false;
}

static bool cdi_polygon_meets(const cd_vec3 *polygon, size_t count, const cdi_target *x) {
    cdi_solid s = cdi_solid_of_polygon(polygon, count);
    return cdi_solid_meets(&s, x);
}

CD_API bool cd_test_point_polygon(cd_vec3 p, const cd_vec3 *polygon, size_t count) {
    cdi_solid s = cdi_solid_of_polygon(polygon, count);
    return cdi_locate_in_solid(&s, p) >= 0;
}

CD_API bool cd_test_ray_polygon(const cd_ray *r, const cd_vec3 *polygon, size_t count) {
    cdi_target x = cdi_target_ray(r);
    return cdi_polygon_meets(polygon, count, &x);
}

CD_API bool cd_test_segment_polygon(const cd_segment *s, const cd_vec3 *polygon, size_t count) {
    cdi_target x = cdi_target_segment(s);
    return cdi_polygon_meets(polygon, count, &x);
}

CD_API bool cd_test_polygon_aabb(const cd_vec3 *polygon, size_t count, cd_aabb b) {
    cdi_target x = cdi_target_aabb(&b);
    return cdi_polygon_meets(polygon, count, &x);
}

CD_API bool cd_test_polygon_obb(const cd_vec3 *polygon, size_t count, const cd_obb *b) {
    cdi_target x = cdi_target_obb(b);
    return cdi_polygon_meets(polygon, count, &x);
}

CD_API bool cd_test_sphere_polygon(cd_sphere s, const cd_vec3 *polygon, size_t count) {
    cdi_target x = cdi_target_sphere(&s);
    return cdi_polygon_meets(polygon, count, &x);
}

CD_API bool cd_test_polygon_capsule(const cd_vec3 *polygon, size_t count, const cd_capsule *c) {
    cdi_target x = cdi_target_capsule(c);
    return cdi_polygon_meets(polygon, count, &x);
}

static bool cdi_fan_lozenge(const void *volume, const cd_triangle *t) {
    return cd_test_lozenge_triangle((const cd_lozenge *)volume, t);
}

CD_API bool cd_test_polygon_lozenge(const cd_vec3 *polygon, size_t count, const cd_lozenge *l) {
    return cd_test_polygon_volume(polygon, count, cdi_fan_lozenge, l);
}

CD_API bool cd_test_polygon_triangle(const cd_vec3 *polygon, size_t count, const cd_triangle *t) {
    cdi_target x = cdi_target_triangle(t);
    return cdi_polygon_meets(polygon, count, &x);
}

CD_API bool cd_test_polygon_polygon(const cd_vec3 *a, size_t a_count, const cd_vec3 *b, size_t b_count) {
    cdi_solid s = cdi_solid_of_polygon(a, a_count), t = cdi_solid_of_polygon(b, b_count);
    return cdi_solids_meet(&s, &t);
}

/* The sides of all corners: 1 for some behind, 2 for some on the plane, 4 for some in front; 0 for bad input. */
static int cdi_polygon_sides(const cd_vec3 *polygon, size_t count, cd_plane plane) {
    int sides = 0;
    if (!cdi_polygon_finite(polygon, count) || !cd_plane_is_valid(&plane)) return 0;
    for (size_t i = 0; i < count; ++i) {
        int side = cd_locate_point_plane(polygon[i], plane);
        sides |= side > 0 ? 1 : side == 0 ? 2 : 4;
    }
    return sides;
}

CD_API bool cd_test_polygon_plane(const cd_vec3 *polygon, size_t count, cd_plane plane) {
    int sides = cdi_polygon_sides(polygon, count, plane);
    return (sides & 2) != 0 || sides == 5;
}

CD_API bool cd_test_polygon_halfspace(const cd_vec3 *polygon, size_t count, cd_plane plane) {
    return (cdi_polygon_sides(polygon, count, plane) & 3) != 0;
}
