#include "query/hull.h"
#include "hull/climb.h"
#include "query/closest3d.h"
#include "query/locate.h"
#include "query/solid3d.h"
#include "query/test.h"
#include "shape/side3d.h"

static bool cdi_hull_meets(const cd_hull *hull, const cdi_target *x) {
    cdi_solid s = cdi_solid_of_hull(hull);
    return cdi_solid_meets(&s, x);
}

CD_API int cd_locate_point_hull(cd_vec3 p, const cd_hull *hull) {
    cdi_solid s = cdi_solid_of_hull(hull);
    return cdi_locate_in_solid(&s, p);
}

CD_API bool cd_test_point_hull(cd_vec3 p, const cd_hull *hull) {
    return cd_locate_point_hull(p, hull) >= 0;
}

CD_API bool cd_test_ray_hull(const cd_ray *r, const cd_hull *hull) {
    cdi_target x = cdi_target_ray(r);
    return cdi_hull_meets(hull, &x);
}

CD_API bool cd_test_segment_hull(const cd_segment *s, const cd_hull *hull) {
    cdi_target x = cdi_target_segment(s);
    return cdi_hull_meets(hull, &x);
}

CD_API bool cd_test_triangle_hull(const cd_triangle *t, const cd_hull *hull) {
    cdi_target x = cdi_target_triangle(t);
    return cdi_hull_meets(hull, &x);
}

CD_API bool cd_test_sphere_hull(cd_sphere s, const cd_hull *hull) {
    cdi_target x = cdi_target_sphere(&s);
    return cdi_hull_meets(hull, &x);
}

CD_API bool cd_test_capsule_hull(const cd_capsule *c, const cd_hull *hull) {
    cdi_target x = cdi_target_capsule(c);
    return cdi_hull_meets(hull, &x);
}

CD_API bool cd_test_aabb_hull(cd_aabb b, const cd_hull *hull) {
    cdi_target x = cdi_target_aabb(&b);
    return cdi_hull_meets(hull, &x);
}

CD_API bool cd_test_obb_hull(const cd_obb *b, const cd_hull *hull) {
    cdi_target x = cdi_target_obb(b);
    return cdi_hull_meets(hull, &x);
}

CD_API bool cd_test_polygon_hull(const cd_vec3 *polygon, size_t count, const cd_hull *hull) {
    cdi_solid p = cdi_solid_of_polygon(polygon, count), s = cdi_solid_of_hull(hull);
    return cdi_solids_meet(&p, &s);
}

CD_API bool cd_test_tetrahedron_hull(const cd_tetrahedron *t, const cd_hull *hull) {
    cd_vec3 corner[4];
    cdi_solid s = cdi_solid_of_tetrahedron(t, corner), h = cdi_solid_of_hull(hull);
    return cdi_solids_meet(&s, &h);
}

/* Looks for a plane between two hulls, which proves that they are apart: across the shortest way found so far, then across the
 * nearest point to the origin between it and the way of the farthest vertices (Gilbert 1966). A few steps, or never. */
static bool cdi_hulls_apart(const cd_hull_parts *a, const cd_hull_parts *b) {
    cdi_v3 way = cdi_v3_sub(cdi_v3_of(b->center), cdi_v3_of(a->center));
    uint32_t i = CD_NONE, j = CD_NONE, steps = 0;
    for (int k = 0; k < 8; ++k) {
        cdi_v3 n = cdi_v3_normalize(way), between, p, q;
        double t;
        i = cdi_farthest_from(a, n, i, &steps);
        j = cdi_farthest_from(b, cdi_v3_neg(n), j, &steps);
        p = cdi_v3_of(a->vertices[i]);
        q = cdi_v3_of(b->vertices[j]);
        if (cdi_height_sign(n, p, 0.0, q) > 0) return true;
        between = cdi_v3_sub(q, p);
        way = cdi_near_segment(cdi_v3_make(0.0, 0.0, 0.0), way, between, &t);
    }
    return false;
}

CD_API bool cd_test_hull_hull(const cd_hull *a, const cd_hull *b) {
    cd_hull_parts p = cd_hull_get_parts(a), q = cd_hull_get_parts(b);
    cdi_solid s, t;
    if (p.vertex_count == 0 || q.vertex_count == 0) return false;
    if (!cd_test_aabb_aabb(cd_hull_bounds(a), cd_hull_bounds(b)) || cdi_hulls_apart(&p, &q)) return false;
    s = cdi_solid_of_hull(a);
    t = cdi_solid_of_hull(b);
    return cdi_solids_meet(&s, &t);
}

/* Where against the plane is the vertex farthest to a side: behind (1), on it (0), in front (-1)? */
static int cdi_hull_extreme(const cd_hull_parts *p, cd_plane plane, cdi_v3 side) {
    uint32_t steps = 0, vertex = cdi_farthest_from(p, side, CD_NONE, &steps);
    return cd_locate_point_plane(p->vertices[vertex], plane);
}

CD_API bool cd_test_hull_halfspace(const cd_hull *hull, cd_plane plane) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    if (p.vertex_count == 0 || !cd_plane_is_valid(&plane)) return false;
    return cdi_hull_extreme(&p, plane, cdi_v3_neg(cdi_v3_of(plane.n))) >= 0;
}

CD_API bool cd_test_hull_plane(const cd_hull *hull, cd_plane plane) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    return cd_test_hull_halfspace(hull, plane) && cdi_hull_extreme(&p, plane, cdi_v3_of(plane.n)) <= 0;
}
