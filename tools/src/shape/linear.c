#include "shape/linear.h"
#include "core/twofold.h"
#include "shape/triangle3d.h"

CD_API cd_ray cd_ray_through(cd_vec3 from, cd_vec3 to) {
    cd_ray r;
    r.origin = from;
    r.dir = cd_vec3_sub(to, from);
    return r;
}

CD_API cd_line cd_line_through(cd_vec3 a, cd_vec3 b) {
    cd_line l;
    l.origin = a;
    l.dir = cd_vec3_sub(b, a);
    return l;
}

CD_API cd_plane cd_plane_from_point_normal(cd_vec3 point, cd_vec3 normal) {
    cd_plane p;
    p.n = normal;
    p.d = cd_vec3_dot(point, normal);
    return p;
}

#ifdef COLLIDE_DOUBLE

static cdi_v3 cdi_compensated_cross(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    cdi_two ex = cdi_two_of_diff(b.x, a.x), ey = cdi_two_of_diff(b.y, a.y), ez = cdi_two_of_diff(b.z, a.z);
    cdi_two fx = cdi_two_of_diff(c.x, a.x), fy = cdi_two_of_diff(c.y, a.y), fz = cdi_two_of_diff(c.z, a.z);
    return cdi_v3_make(cdi_product_difference(ey, fz, ez, fy), cdi_product_difference(ez, fx, ex, fz),
                       cdi_product_difference(ex, fy, ey, fx));
}

#endif

/* In a float build the plain product has digits to spare. */
#ifdef COLLIDE_DOUBLE
CDI_FN cdi_v3 cdi_cross_at(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    return cdi_compensated_cross(a, b, c);
}
#else
CDI_FN cdi_v3 cdi_cross_at(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    return cdi_v3_cross(cdi_v3_sub(b, a), cdi_v3_sub(c, a));
}
#endif

CDI_FN cdi_v3 cdi_tri_cross(const cdi_tri *t) {
    const cdi_v3 *v = t->v;
    cdi_v3 n = cdi_cross_at(v[0], v[1], v[2]);
    double size = cdi_v3_max_abs(cdi_v3_sub(v[1], v[0])) * cdi_v3_max_abs(cdi_v3_sub(v[2], v[0]));
    return cdi_v3_max_abs(n) > CDI_CROSS_LEFT * size ? n : cdi_accurate_normal(v[0], v[1], v[2]);
}

CDI_FN cdi_v3 cdi_tri_normal(const cdi_tri *t) {
    return cdi_v3_normalize(cdi_tri_cross(t));
}

CD_API bool cd_triangle_normal(const cd_triangle *t, cd_vec3 *out) {
    cdi_tri d = cdi_tri_of(t);
    cdi_v3 n = cdi_tri_normal(&d);
    if (!cd_triangle_is_valid(t) || cdi_v3_is_zero(n)) return false;
    if (out) *out = cdi_v3_round(n);
    return true;
}

CD_API bool cd_plane_from_points(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_plane *out) {
    cdi_tri t;
    cdi_v3 n;
    if (!cd_vec3_is_valid(a) || !cd_vec3_is_valid(b) || !cd_vec3_is_valid(c)) return false;
    t.v[0] = cdi_v3_of(a);
    t.v[1] = cdi_v3_of(b);
    t.v[2] = cdi_v3_of(c);
    n = cdi_tri_normal(&t);
    if (cdi_v3_is_zero(n)) return false;
    if (out) {
        out->n = cdi_v3_round(n);
        out->d = (cd_real)cdi_v3_dot(n, t.v[0]);
    }
    return true;
}

CD_API bool cd_plane_from_triangle(const cd_triangle *t, cd_plane *out) {
    return cd_plane_from_points(t->a, t->b, t->c, out);
}

CD_API cd_plane cd_plane_normalize(cd_plane p) {
    cdi_v3 n = cdi_v3_of(p.n), unit = cdi_v3_normalize(n);
    p.n = cdi_v3_round(unit);
    p.d = cdi_v3_is_zero(unit) ? 0 : (cd_real)((double)p.d / cdi_v3_length(n));
    return p;
}

CD_API cd_plane cd_plane_transform(cd_plane p, const cd_transform *pose) {
    cdi_pose q = cdi_pose_of(pose);
    cdi_v3 n = cdi_m3_mul_v3(&q.rotation, cdi_v3_of(p.n));
    p.n = cdi_v3_round(n);
    p.d = (cd_real)((double)p.d + cdi_v3_dot(n, q.position));
    return p;
}

CD_API cd_real cd_triangle_area(const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    double area = 0.5 * cdi_v3_length(cdi_tri_cross(&d));
    if (area != area && cdi_tri_finite(&d)) return CD_REAL_MAX; /* far outside the domain */
    return (cd_real)area;
}

CD_API cd_triangle cd_triangle_transform(const cd_triangle *t, const cd_transform *pose) {
    cdi_pose p = cdi_pose_of(pose);
    cd_triangle r;
    r.a = cdi_pose_point_round(&p, t->a);
    r.b = cdi_pose_point_round(&p, t->b);
    r.c = cdi_pose_point_round(&p, t->c);
    return r;
}

CD_API bool cd_line_is_valid(const cd_line *l) {
    return cd_vec3_is_valid(l->origin) && cd_vec3_is_valid(l->dir) && !cdi_v3_is_zero(cdi_v3_of(l->dir));
}

CD_API bool cd_ray_is_valid(const cd_ray *r) {
    return cd_vec3_is_valid(r->origin) && cd_vec3_is_valid(r->dir);
}

CD_API bool cd_segment_is_valid(const cd_segment *s) {
    return cdi_no_excess(cdi_excess(s->a) | cdi_excess(s->b));
}

CD_API bool cd_plane_is_valid(const cd_plane *p) {
    return cd_vec3_is_valid(p->n) && !cdi_v3_is_zero(cdi_v3_of(p->n)) && cdi_finite((double)p->d);
}

CD_API bool cd_triangle_is_valid(const cd_triangle *t) {
    return cdi_no_excess(cdi_excess(t->a) | cdi_excess(t->b) | cdi_excess(t->c));
}

CD_API bool cd_quad_is_valid(const cd_quad *q) {
    return cd_vec3_is_valid(q->a) && cd_vec3_is_valid(q->b) && cd_vec3_is_valid(q->c) &&
           cd_vec3_is_valid(q->d);
}

CD_API bool cd_rect_is_valid(const cd_rect *r) {
    cdi_v3 e = cdi_v3_normalize(cdi_v3_of(r->edge[0])), g = cdi_v3_normalize(cdi_v3_of(r->edge[1]));
    return cd_vec3_is_valid(r->a) && cd_vec3_is_valid(r->edge[0]) && cd_vec3_is_valid(r->edge[1]) &&
           cdi_abs(cdi_v3_dot(e, g)) <= 1e-3;
}

CD_API bool cd_tetrahedron_is_valid(const cd_tetrahedron *t) {
    return cd_vec3_is_valid(t->a) && cd_vec3_is_valid(t->b) && cd_vec3_is_valid(t->c) &&
           cd_vec3_is_valid(t->d);
}
