#include "query/tetrahedron.h"
#include "query/solid3d.h"

static bool cdi_tetrahedron_meets(const cd_tetrahedron *t, const cdi_target *x) {
    cd_vec3 corner[4];
    cdi_solid s = cdi_solid_of_tetrahedron(t, corner);
    return cdi_solid_meets(&s, x);
}

CD_API int cd_locate_point_tetrahedron(cd_vec3 p, const cd_tetrahedron *t) {
    cd_vec3 corner[4];
    cdi_solid s = cdi_solid_of_tetrahedron(t, corner);
    return cdi_locate_in_solid(&s, p);
}

CD_API bool cd_test_point_tetrahedron(cd_vec3 p, const cd_tetrahedron *t) {
    return cd_locate_point_tetrahedron(p, t) >= 0;
}

CD_API bool cd_test_ray_tetrahedron(const cd_ray *r, const cd_tetrahedron *t) {
    cdi_target x = cdi_target_ray(r);
    return cdi_tetrahedron_meets(t, &x);
}

CD_API bool cd_test_segment_tetrahedron(const cd_segment *s, const cd_tetrahedron *t) {
    cdi_target x = cdi_target_segment(s);
    return cdi_tetrahedron_meets(t, &x);
}

CD_API bool cd_test_triangle_tetrahedron(const cd_triangle *f, const cd_tetrahedron *t) {
    cdi_target x = cdi_target_triangle(f);
    return cdi_tetrahedron_meets(t, &x);
}

CD_API bool cd_test_sphere_tetrahedron(cd_sphere s, const cd_tetrahedron *t) {
    cdi_target x = cdi_target_sphere(&s);
    return cdi_tetrahedron_meets(t, &x);
}

CD_API bool cd_test_capsule_tetrahedron(const cd_capsule *c, const cd_tetrahedron *t) {
    cdi_target x = cdi_target_capsule(c);
    return cdi_tetrahedron_meets(t, &x);
}

CD_API bool cd_test_tetrahedron_aabb(const cd_tetrahedron *t, cd_aabb b) {
    cdi_target x = cdi_target_aabb(&b);
    return cdi_tetrahedron_meets(t, &x);
}

CD_API bool cd_test_tetrahedron_obb(const cd_tetrahedron *t, const cd_obb *b) {
    cdi_target x = cdi_target_obb(b);
    return cdi_tetrahedron_meets(t, &x);
}

CD_API bool cd_test_polygon_tetrahedron(const cd_vec3 *polygon, size_t count, const cd_tetrahedron *t) {
    cd_vec3 corner[4];
    cdi_solid p = cdi_solid_of_polygon(polygon, count), s = cdi_solid_of_tetrahedron(t, corner);
    return cdi_solids_meet(&p, &s);
}

CD_API bool cd_test_tetrahedron_tetrahedron(const cd_tetrahedron *a, const cd_tetrahedron *b) {
    cd_vec3 corner[2][4];
    cdi_solid s = cdi_solid_of_tetrahedron(a, corner[0]), t = cdi_solid_of_tetrahedron(b, corner[1]);
    return cdi_solids_meet(&s, &t);
}

CD_API bool cd_test_tetrahedron_plane(const cd_tetrahedron *t, cd_plane plane) {
    cd_vec3 corner[4];
    cdi_solid s = cdi_solid_of_tetrahedron(t, corner);
    return cd_test_polygon_plane(s.vertices, s.vertex_count, plane);
}

CD_API bool cd_test_tetrahedron_halfspace(const cd_tetrahedron *t, cd_plane plane) {
    cd_vec3 corner[4];
    cdi_solid s = cdi_solid_of_tetrahedron(t, corner);
    return cd_test_polygon_halfspace(s.vertices, s.vertex_count, plane);
}
