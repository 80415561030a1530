#include "shape/swept.h"
#include "core/expansion.h"
#include "shape/swept3d.h"

#define CDI_PI 3.14159265358979323846

/* ---- cores ---- */

CDI_FN cdi_flat cdi_flat_of_point(cd_vec3 p, int shift) {
    cdi_flat f;
    for (int i = 0; i < 4; ++i) f.v[i] = cdi_v3_scale2(cdi_v3_of(p), shift);
    f.count = 1;
    return f;
}

CDI_FN cdi_flat cdi_flat_of_segment(cd_vec3 a, cd_vec3 b, int shift) {
    cdi_flat f = cdi_flat_of_point(a, shift);
    f.v[1] = cdi_v3_scale2(cdi_v3_of(b), shift);
    f.count = 2;
    return f;
}

CDI_FN cdi_flat cdi_flat_of_triangle(const cd_triangle *t, int shift) {
    cdi_flat f = cdi_flat_of_segment(t->a, t->b, shift);
    f.v[2] = cdi_v3_scale2(cdi_v3_of(t->c), shift);
    f.count = 3;
    return f;
}

CDI_FN cdi_flat cdi_flat_of_lozenge(const cd_lozenge *l, int shift) {
    cdi_flat f = cdi_flat_of_point(l->a, shift);
    cdi_v3 e = cdi_v3_scale2(cdi_v3_of(l->edge[0]), shift), g = cdi_v3_scale2(cdi_v3_of(l->edge[1]), shift);
    f.v[1] = cdi_v3_add(f.v[0], e);
    f.v[2] = cdi_v3_add(f.v[0], cdi_v3_add(e, g));
    f.v[3] = cdi_v3_add(f.v[0], g);
    f.count = cdi_v3_is_zero(e) || cdi_v3_is_zero(g) ? 2 : 4;
    if (cdi_v3_is_zero(e)) f.v[1] = f.v[3];
    return f;
}

/* ---- measures ---- */

static bool cdi_has_radius(cd_real radius) {
    return cdi_finite((double)radius) && radius >= 0;
}

CD_API bool cd_capsule_is_valid(const cd_capsule *c) {
    return cd_vec3_is_valid(c->a) && cd_vec3_is_valid(c->b) && cdi_has_radius(c->radius);
}

CD_API bool cd_lozenge_is_valid(const cd_lozenge *l) {
    cd_rect core;
    core.a = l->a;
    core.edge[0] = l->edge[0];
    core.edge[1] = l->edge[1];
    return cd_rect_is_valid(&core) && cdi_has_radius(l->radius);
}

static double cdi_capsule_length(const cd_capsule *c) {
    return 2.0 * cdi_v3_length(cdi_half_diff(cdi_v3_of(c->b), cdi_v3_of(c->a)));
}

/* The product of a length and a sum of lengths, where 0 times infinite is 0. */
static double cdi_times(double x, double y) {
    return x == 0.0 || y == 0.0 ? 0.0 : x * y;
}

CD_API cd_real cd_capsule_volume(const cd_capsule *c) {
    double r = (double)c->radius;
    if (!(r >= 0.0)) return 0;
    return (cd_real)cdi_times(cdi_times(cdi_capsule_length(c) + r * (4.0 / 3.0), r) * CDI_PI, r);
}

CD_API cd_real cd_capsule_surface_area(const cd_capsule *c) {
    double r = (double)c->radius;
    if (!(r >= 0.0)) return 0;
    return (cd_real)cdi_times((cdi_capsule_length(c) + 2.0 * r) * (2.0 * CDI_PI), r);
}

/* The rectangle's area, and the sum of its two edges' lengths. */
static double cdi_lozenge_area(const cd_lozenge *l, double *edges) {
    cdi_v3 e = cdi_v3_of(l->edge[0]), g = cdi_v3_of(l->edge[1]);
    double length = cdi_v3_length(e), width = cdi_v3_length(g);
    *edges = length + width;
    return cdi_times(cdi_times(length, cdi_v3_length(cdi_v3_cross(cdi_v3_normalize(e), cdi_v3_normalize(g)))),
                     width);
}

CD_API cd_real cd_lozenge_volume(const cd_lozenge *l) {
    double r = (double)l->radius, edges, area = cdi_lozenge_area(l, &edges);
    if (!(r >= 0.0)) return 0;
    return (cd_real)cdi_times(2.0 * area + cdi_times(r, edges + r * (4.0 / 3.0)) * CDI_PI, r);
}

CD_API cd_real cd_lozenge_surface_area(const cd_lozenge *l) {
    double r = (double)l->radius, edges, area = cdi_lozenge_area(l, &edges);
    if (!(r >= 0.0)) return 0;
    return (cd_real)(2.0 * area + cdi_times(r, edges + 2.0 * r) * (2.0 * CDI_PI));
}

/* ---- tapered ---- */

CD_API bool cd_tapered_capsule_is_valid(const cd_tapered_capsule *c) {
    return cd_vec3_is_valid(c->a) && cd_vec3_is_valid(c->b) && cdi_has_radius(c->radius_a) &&
           cdi_has_radius(c->radius_b);
}

/* A cone's frustum touches both balls along circles; beyond these there is a cap of each. Lengths are near 1; s is the sine of the cone's
 * half angle. */
static double cdi_tapered_volume(double length, double more, double less) {
    double s, c, frustum, caps;
    if (length <= more - less) return more * more * more * (4.0 * CDI_PI / 3.0);
    s = (more - less) / length;
    c = (1.0 - s) * (1.0 + s);
    frustum = length * c * c * (more * more + more * less + less * less);
    caps = more * more * more * (2.0 + s * (3.0 - s * s)) +
           less * less * less * (1.0 - s) * (1.0 - s) * (2.0 + s);
    return (frustum + caps) * (CDI_PI / 3.0);
}

CD_API cd_real cd_tapered_capsule_volume(const cd_tapered_capsule *c) {
    double length = cdi_v3_length(cdi_half_diff(cdi_v3_of(c->b), cdi_v3_of(c->a)));
    double more = cdi_max((double)c->radius_a, (double)c->radius_b);
    double less = cdi_min((double)c->radius_a, (double)c->radius_b), volume;
    int shift = cdi_exponent(cdi_max(length, more));
    if (!cd_tapered_capsule_is_valid(c)) return 0;
    volume = cdi_tapered_volume(2.0 * cdi_scale2(length, -shift), cdi_scale2(more, -shift),
                                cdi_scale2(less, -shift));
    for (int k = 0; k < 3; ++k) volume = cdi_scale2(volume, shift);
    return (cd_real)volume;
}

#undef CDI_PI

/* ---- moved, and seen from afar ---- */

CD_API cd_capsule cd_capsule_transform(const cd_capsule *c, const cd_transform *pose) {
    cd_capsule r;
    r.a = cd_transform_point(pose, c->a);
    r.b = cd_transform_point(pose, c->b);
    r.radius = c->radius;
    return r;
}

CD_API cd_lozenge cd_lozenge_transform(const cd_lozenge *l, const cd_transform *pose) {
    cd_lozenge r;
    r.a = cd_transform_point(pose, l->a);
    r.edge[0] = cd_transform_vector(pose, l->edge[0]);
    r.edge[1] = cd_transform_vector(pose, l->edge[1]);
    r.radius = l->radius;
    return r;
}

CD_API cd_vec3 cd_capsule_support(const cd_capsule *c, cd_vec3 dir) {
    cdi_v3 d = cdi_v3_normalize(cdi_v3_of(dir)), a = cdi_v3_of(c->a), b = cdi_v3_of(c->b);
    bool farther = cdi_v3_dot(d, cdi_half_diff(b, a)) > 0.0;
    return cdi_v3_round(cdi_v3_along(farther ? b : a, d, (double)c->radius));
}

CD_API cd_vec3 cd_lozenge_support(const cd_lozenge *l, cd_vec3 dir) {
    cdi_v3 d = cdi_v3_normalize(cdi_v3_of(dir)), p = cdi_v3_scale(d, (double)l->radius);
    for (int i = 0; i < 2; ++i) {
        cdi_v3 e = cdi_v3_of(l->edge[i]);
        if (cdi_v3_dot(d, cdi_v3_scale(e, 0.5)) > 0.0) p = cdi_v3_add(p, e);
    }
    return cdi_v3_round(cdi_v3_add(p, cdi_v3_of(l->a)));
}

CD_API cd_tapered_capsule cd_tapered_capsule_transform(const cd_tapered_capsule *c,
                                                       const cd_transform *pose) {
    cd_tapered_capsule r = *c;
    r.a = cd_transform_point(pose, c->a);
    r.b = cd_transform_point(pose, c->b);
    return r;
}

CD_API cd_vec3 cd_tapered_capsule_support(const cd_tapered_capsule *c, cd_vec3 dir) {
    cdi_v3 d = cdi_v3_normalize(cdi_v3_of(dir)), a = cdi_v3_of(c->a), b = cdi_v3_of(c->b);
    double more = 0.5 * (double)c->radius_b - 0.5 * (double)c->radius_a;
    bool at_b = more > 0.0;
    if (cdi_v3_is_zero(d) || !cdi_v3_finite(d)) return at_b ? c->b : c->a;
    at_b = cdi_v3_dot(d, cdi_half_diff(b, a)) + more > 0.0;
    return cdi_v3_round(cdi_v3_along(at_b ? b : a, d, (double)(at_b ? c->radius_b : c->radius_a)));
}

/* ---- boxes ---- */

CD_API cd_aabb cd_aabb_from_tapered_capsule(const cd_tapered_capsule *c) {
    cd_sphere a, b;
    if (!cd_tapered_capsule_is_valid(c)) return cd_aabb_empty();
    a.center = c->a;
    a.radius = c->radius_a;
    b.center = c->b;
    b.radius = c->radius_b;
    return cd_merge_aabb_aabb(cd_aabb_from_sphere(a), cd_aabb_from_sphere(b));
}

CD_API cd_aabb cd_aabb_from_capsule(const cd_capsule *c) {
    cd_sphere a, b;
    a.center = c->a;
    b.center = c->b;
    a.radius = b.radius = c->radius;
    return cd_merge_aabb_aabb(cd_aabb_from_sphere(a), cd_aabb_from_sphere(b));
}

/* a plus what of e and g is negative, less r: rounded down. The last sum of tails is the only one that rounds. */
static cd_real cdi_lozenge_least(double a, double e, double g, double r) {
    double x[3], sum = a, tail = 0.0, size = 0.0, rest;
    x[0] = cdi_min(e, 0.0);
    x[1] = cdi_min(g, 0.0);
    x[2] = -r;
    for (int i = 0; i < 3; ++i) {
        cdi_two_sum(sum, x[i], &sum, &rest);
        tail += rest;
        size += cdi_abs(rest);
    }
    cdi_two_sum(sum, tail - size * 4.440892098500626e-16, &sum, &rest);
    return cdi_round_down(sum, rest);
}

CD_API cd_aabb cd_aabb_from_lozenge(const cd_lozenge *l) {
    double a[3], e[3], g[3], r = (double)l->radius;
    cd_real lo[3], hi[3];
    cd_aabb b;
    if (!(r >= 0.0)) return cd_aabb_empty();
    cdi_v3_store(a, cdi_v3_of(l->a));
    cdi_v3_store(e, cdi_v3_of(l->edge[0]));
    cdi_v3_store(g, cdi_v3_of(l->edge[1]));
    for (int i = 0; i < 3; ++i) {
        lo[i] = cdi_lozenge_least(a[i], e[i], g[i], r);
        hi[i] = -cdi_lozenge_least(-a[i], -e[i], -g[i], r);
    }
    b.min = cd_vec3_make(lo[0], lo[1], lo[2]);
    b.max = cd_vec3_make(hi[0], hi[1], hi[2]);
    return b;
}

/* ---- from one to the other ---- */

CDI_FN cd_real cdi_round_up(double x) {
    cd_real r = (cd_real)x;
    if ((double)r < x) r = cdi_next_real(r, true);
    return (double)r < x ? (cd_real)cdi_infinity() : r;
}

/* What is left of b - a. */
static double cdi_edge_rest(double b, double a, cd_real edge) {
    cdi_two d = cdi_two_of_diff(b, a);
    return (d.hi - (double)edge) + d.lo;
}

CD_API cd_lozenge cd_lozenge_from_capsule(const cd_capsule *c) {
    cd_lozenge l;
    cdi_v3 a = cdi_v3_of(c->a), b = cdi_v3_of(c->b), off;
    double lost;
    l.a = c->a;
    l.edge[0] = cdi_v3_round(cdi_v3_sub(b, a));
    l.edge[1] = cd_vec3_make(0, 0, 0);
    off = cdi_v3_make(cdi_edge_rest(b.x, a.x, l.edge[0].x), cdi_edge_rest(b.y, a.y, l.edge[0].y),
                      cdi_edge_rest(b.z, a.z, l.edge[0].z));
    lost = cdi_v3_length(off);
    if (lost != lost) lost = cdi_infinity(); /* the edge has left the range */
    l.radius = c->radius;
    if (lost != 0.0 && l.radius >= 0) l.radius = cdi_round_up(((double)c->radius + lost) * 1.000000000000001);
    return l;
}
