#include "convex/body.h"
#include "core/expansion.h"
#include "shape/kdop3d.h"
#include "shape/volume3d.h"

static cd_support cdi_support_make(cd_support_kind kind, const void *shape, cd_vec3 center, cd_real radius) {
    cd_support s;
    cdi_clear(&s, sizeof s);
    s.kind = (uint32_t)kind;
    s.shape = shape;
    s.center = center;
    s.radius = radius;
    return s;
}

/* A point between two. */
static cd_vec3 cdi_point_between(cd_vec3 a, cd_vec3 b) {
    return cdi_v3_round(cdi_v3_add(cdi_v3_scale(cdi_v3_of(a), 0.5), cdi_v3_scale(cdi_v3_of(b), 0.5)));
}

CD_API cd_support cd_support_of_function(cd_support_fn fn, const void *user, cd_vec3 center, cd_real radius) {
    cd_support s = cdi_support_make(CD_SUPPORT_USER, user, center, radius);
    s.fn = fn;
    return s;
}

CD_API cd_support cd_support_of_point(cd_vec3 p) {
    return cdi_support_make(CD_SUPPORT_POINT, NULL, p, 0);
}

CD_API cd_support cd_support_of_sphere(cd_sphere s) {
    return cdi_support_make(CD_SUPPORT_POINT, NULL, s.center, s.radius);
}

CD_API cd_support cd_support_of_points(const cd_vec3 *points, size_t count) {
    cd_support s = cdi_support_make(CD_SUPPORT_POINTS, points, cd_vec3_make(0, 0, 0), 0);
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    if (count == 0 || count >= CD_NONE) return cdi_support_make(CD_SUPPORT_NOTHING, NULL, s.center, 0);
    for (size_t i = 0; i < count; ++i)
        sum = cdi_v3_along(sum, cdi_v3_of(points[i]), 1.0 / cdi_number_of(count));
    s.count = (uint32_t)count;
    s.center = cdi_v3_fits(sum) ? cdi_v3_round(sum) : points[0];
    return s;
}

CD_API cd_support cd_support_of_segment(const cd_segment *s) {
    return cd_support_of_points((const cd_vec3 *)(const void *)s, 2);
}

CD_API cd_support cd_support_of_triangle(const cd_triangle *t) {
    return cd_support_of_points((const cd_vec3 *)(const void *)t, 3);
}

CD_API cd_support cd_support_of_tetrahedron(const cd_tetrahedron *t) {
    return cd_support_of_points((const cd_vec3 *)(const void *)t, 4);
}

CD_API cd_support cd_support_of_capsule(const cd_capsule *c) {
    cd_support s = cd_support_of_points((const cd_vec3 *)(const void *)c, 2);
    s.radius = c->radius;
    return s;
}

/* The center of the larger ball. */
CD_API cd_support cd_support_of_tapered_capsule(const cd_tapered_capsule *c) {
    bool a_more = c->radius_a >= c->radius_b;
    return cdi_support_make(CD_SUPPORT_TAPERED, c, a_more ? c->a : c->b, a_more ? c->radius_b : c->radius_a);
}

/* The middle between the farthest points along its first axis. */
CD_API cd_support cd_support_of_kdop(const cd_kdop_body *k) {
    cdi_kdop_program p;
    cdi_lp_answer low, high;
    cd_support s = cdi_support_make(CD_SUPPORT_NOTHING, k, cd_vec3_make(0, 0, 0), 0);
    if (!cdi_kdop_begin(&p, k->dop, k->set) || !cdi_kdop_solve(&p, p.side[0].n, &low) ||
        !cdi_kdop_solve(&p, p.side[1].n, &high))
        return s;
    s.kind = CD_SUPPORT_KDOP;
    s.center = cdi_v3_round(cdi_v3_make(0.5 * low.point[0] + 0.5 * high.point[0],
                                        0.5 * low.point[1] + 0.5 * high.point[1],
                                        0.5 * low.point[2] + 0.5 * high.point[2]));
    return s;
}

CD_API cd_support cd_support_of_aabb(const cd_aabb *b) {
    return cdi_support_make(CD_SUPPORT_AABB, b, cdi_point_between(b->min, b->max), 0);
}

CD_API cd_support cd_support_of_obb(const cd_obb *b) {
    return cdi_support_make(CD_SUPPORT_OBB, b, b->center, 0);
}

CD_API cd_support cd_support_of_rect(const cd_rect *r) {
    cd_vec3 corner[2];
    corner[0] = r->a;
    corner[1] =
        cdi_v3_round(cdi_v3_add(cdi_v3_of(r->a), cdi_v3_add(cdi_v3_of(r->edge[0]), cdi_v3_of(r->edge[1]))));
    return cdi_support_make(CD_SUPPORT_RECT, r, cdi_point_between(corner[0], corner[1]), 0);
}

CD_API cd_support cd_support_of_lozenge(const cd_lozenge *l) {
    cd_support s = cd_support_of_rect((const cd_rect *)(const void *)l); /* how it begins */
    s.radius = l->radius;
    return s;
}

CD_API cd_support cd_support_of_disc(const cd_disc *d) {
    return cdi_support_make(CD_SUPPORT_DISC, d, d->center, 0);
}

CD_API cd_support cd_support_of_cylinder(const cd_cylinder *c) {
    return cdi_support_make(CD_SUPPORT_CYLINDER, c, cdi_point_between(c->a, c->b), 0);
}

CD_API cd_support cd_support_of_cone(const cd_cone *c) {
    return cdi_support_make(CD_SUPPORT_CONE, c, cdi_point_between(c->apex, c->base), 0);
}

CD_API cd_support cd_support_of_ellipsoid(const cd_ellipsoid *e) {
    return cdi_support_make(CD_SUPPORT_ELLIPSOID, e, e->center, 0);
}

CD_API cd_support cd_support_of_hull(const cd_hull *hull) {
    cd_hull_parts parts = cd_hull_get_parts(hull);
    return cdi_support_make(parts.vertex_count ? CD_SUPPORT_HULL : CD_SUPPORT_NOTHING, hull, parts.center, 0);
}

CD_API cd_support cd_support_of_dk_hierarchy(const cd_dk_hierarchy *hierarchy) {
    cd_dk_parts parts = cd_dk_hierarchy_get_parts(hierarchy);
    return cdi_support_make(parts.vertex_count ? CD_SUPPORT_DK : CD_SUPPORT_NOTHING, hierarchy, parts.center,
                            0);
}

CD_API cd_support cd_support_rounded(const cd_support *s, cd_real radius) {
    cd_support r = *s;
    r.radius = cdi_lengths_sum(s->radius, radius);
    if (!(radius >= 0)) r.kind = CD_SUPPORT_NOTHING;
    return r;
}

CD_API cd_support cd_support_scaled(const cd_support *s, cd_vec3 scale) {
    cd_support r = *s;
    cdi_v3 by = cdi_v3_of(scale);
    if (!(s->scale.x == 0 && s->scale.y == 0 && s->scale.z == 0)) {
        cdi_v3 was = cdi_v3_of(s->scale);
        by = cdi_v3_make(by.x * was.x, by.y * was.y, by.z * was.z);
    }
    r.scale = cdi_v3_fits(by) ? cdi_v3_round(by) : cdi_no_point();
    if (r.scale.x == 0 || r.scale.y == 0 || r.scale.z == 0 || !cd_vec3_is_valid(r.scale))
        r.kind = CD_SUPPORT_NOTHING;
    return r;
}

CD_API bool cd_support_is_valid(const cd_support *s) {
    cdi_convex body;
    return cdi_convex_open(&body, s, NULL);
}

CD_API cd_vec3 cd_support_farthest(const cd_support *s, cd_vec3 dir) {
    cdi_convex body;
    cdi_v3 d = cdi_v3_of(dir), p;
    uint32_t vertex = CD_NONE;
    if (!cdi_convex_open(&body, s, NULL) || !cdi_v3_finite(d)) return cdi_no_point();
    if (cdi_v3_is_zero(d)) return cdi_v3_round(cdi_convex_center(&body));
    p = cdi_convex_farthest(&body, d, &vertex);
    p = cdi_v3_along(p, cdi_v3_unit(d), body.radius);
    return cdi_v3_fits(p) ? cdi_v3_round(p) : cdi_no_point();
}
