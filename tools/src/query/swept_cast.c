#include "query/swept_cast.h"
#include "query/cast3d.h"
#include "query/flat3d.h"

/* ---- where a line is inside ----
 * The solid is a union of balls, tubes and a box: where the line is inside of it, one stretch, reaches from the first point
 * inside of a part to the last one. */

static void cdi_span_join(cdi_span *all, const cdi_span *part) {
    all->in = cdi_min(part->in, all->in);
    all->out = cdi_max(part->out, all->out);
}

static void cdi_join_ball(const cdi_cast *c, cdi_v3 center, double radius, cdi_span *all) {
    cdi_span part;
    if (cdi_line_sphere(cdi_v3_sub(c->o, center), c->d, radius, &part)) cdi_span_join(all, &part);
}

/* The cylinder around a segment, between the planes through its ends. */
static void cdi_join_tube(const cdi_cast *c, cdi_v3 a, cdi_v3 b, double radius, cdi_span *all) {
    cdi_v3 u = cdi_v3_sub(b, a), o = cdi_v3_sub(c->o, a);
    double uu = cdi_v3_sqlength(u), from = cdi_v3_dot(o, u), speed = cdi_v3_dot(c->d, u), in, out;
    cdi_span part;
    if (!(uu > 0.0) || !cdi_line_sphere(cdi_v3_across(o, u, uu), cdi_v3_across(c->d, u, uu), radius, &part))
        return;
    if (speed == 0.0) {
        if (from >= 0.0 && from <= uu) cdi_span_join(all, &part);
        return;
    }
    in = (speed > 0.0 ? -from : uu - from) / speed;
    out = (speed > 0.0 ? uu - from : -from) / speed;
    part.in = cdi_max(in, part.in);
    part.out = cdi_min(out, part.out);
    if (part.in <= part.out) cdi_span_join(all, &part);
}

/* The rectangle moved both ways along its normal, in coordinates along its edges, in which it is the box from (0, 0, -radius)
 * to (1, 1, radius), even if they are not quite perpendicular. */
static void cdi_join_slab(const cdi_cast *c, const cdi_flat *f, cdi_v3 normal, double radius, cdi_span *all) {
    cdi_v3 e = cdi_v3_sub(f->v[1], f->v[0]), g = cdi_v3_sub(f->v[3], f->v[0]), o = cdi_v3_sub(c->o, f->v[0]);
    cdi_v3 x = cdi_v3_cross(g, normal), y = cdi_v3_cross(normal, e);
    cdi_m3 frame;
    cdi_span part;
    frame.c[0] = cdi_v3_scale(x, 1.0 / cdi_v3_dot(x, e));
    frame.c[1] = cdi_v3_scale(y, 1.0 / cdi_v3_dot(y, g));
    frame.c[2] = normal;
    if (!cdi_v3_finite(frame.c[0]) || !cdi_v3_finite(frame.c[1]))
        return; /* an edge so short that only the tubes matter */
    if (cdi_line_box(cdi_m3_tmul_v3(&frame, o), cdi_m3_tmul_v3(&frame, c->d), cdi_v3_make(0.0, 0.0, -radius),
                     cdi_v3_make(1.0, 1.0, radius), &part))
        cdi_span_join(all, &part);
}

/* The normal of a rectangle; of a segment or point any perpendicular one. */
static cdi_v3 cdi_core_normal(const cdi_flat *f) {
    cdi_tri t;
    cdi_v3 u = cdi_v3_unit(cdi_v3_sub(f->v[1], f->v[0])), axis;
    double least = cdi_min(cdi_min(cdi_abs(u.x), cdi_abs(u.y)), cdi_abs(u.z));
    t.v[0] = f->v[0];
    t.v[1] = f->v[1];
    t.v[2] = f->v[3];
    if (f->count == 4) return cdi_tri_normal(&t);
    axis = cdi_abs(u.y) == least   ? cdi_v3_make(0.0, 1.0, 0.0)
           : cdi_abs(u.z) == least ? cdi_v3_make(0.0, 0.0, 1.0)
                                   : cdi_v3_make(1.0, 0.0, 0.0);
    axis = cdi_v3_unit(cdi_v3_cross(u, axis));
    return cdi_v3_is_zero(axis) ? cdi_v3_make(1.0, 0.0, 0.0) : axis;
}

static bool cdi_line_swept(const cdi_cast *c, const cdi_flat *f, double radius, cdi_span *all) {
    int edges = f->count == 4 ? 4 : 1;
    cdi_v3 normal = cdi_core_normal(f);
    all->in = cdi_infinity();
    all->out = -cdi_infinity();
    all->face_in = all->face_out = 0;
    for (int i = 0; i < (edges == 1 ? 2 : 4); ++i) cdi_join_ball(c, f->v[i], radius, all);
    for (int i = 0; i < edges; ++i) cdi_join_tube(c, f->v[i], f->v[(i + 1) % 4], radius, all);
    if (edges == 4 && !cdi_v3_is_zero(normal)) cdi_join_slab(c, f, normal, radius, all);
    return all->in <= all->out;
}

/* ---- the cast ---- */

/* How far off the core rounding alone may put a point of the line, many times over: a way no longer than that has no direction. */
static double cdi_swept_noise(const cdi_cast *c, const cdi_flat *core, cdi_v3 at) {
    double most = cdi_max(cdi_v3_max_abs(c->o), cdi_v3_max_abs(at));
    for (int i = 0; i < core->count; ++i) most = cdi_max(most, cdi_v3_max_abs(core->v[i]));
    return most * 1.7763568394002505e-15; /* 2^-49: 16 units of double */
}

/* Outwards where the line meets what is as good as the core itself: a rectangle's own normal, else against the motion. */
static cdi_v3 cdi_swept_bare_normal(const cdi_cast *c, const cdi_flat *core, cdi_contact contact) {
    cdi_v3 n, against = cdi_v3_unit(cdi_v3_neg(c->d));
    double facing;
    if (contact == CDI_CONTACT_START) return cdi_core_normal(core);
    if (core->count == 4) {
        n = cdi_core_normal(core);
        facing = cdi_v3_dot(n, against);
        if (facing != 0.0) against = facing > 0.0 ? n : cdi_v3_neg(n);
    }
    return contact == CDI_CONTACT_OUT ? cdi_v3_neg(against) : against;
}

static bool cdi_cast_swept(const cdi_cast *c, const cdi_flat *core, double radius, cd_hit *hit) {
    cdi_span span;
    cdi_contact contact;
    cdi_flat at;
    cdi_bridge out;
    cdi_v3 normal;
    double t, off;
    if (!cdi_line_swept(c, core, radius, &span)) return false;
    contact = cdi_cast_solid(c, &span);
    if (contact == CDI_CONTACT_NONE) return false;
    t = contact == CDI_CONTACT_IN ? span.in : contact == CDI_CONTACT_OUT ? span.out : c->t_min;
    at.v[0] = cdi_v3_along(c->o, c->d, t);
    at.count = 1;
    out = cdi_near_flats(core, &at, CDI_HUGE);
    off = cdi_v3_norm(out.between);
    if (off > cdi_swept_noise(c, core, at.v[0])) {
        normal = cdi_v3_unit(out.between);
    } else {
        off = 0.0;
        normal = cdi_swept_bare_normal(c, core, contact);
    }
    if (contact == CDI_CONTACT_START) return cdi_hit_start(c, normal, radius - off, 0, hit);
    return cdi_hit_write(hit, t, cdi_v3_along(out.a, normal, radius),
                         contact == CDI_CONTACT_IN ? normal : cdi_v3_neg(normal), 0,
                         cdi_contact_flags(c, contact, t));
}

static bool cdi_cast_capsule(const cdi_cast *c, const cd_capsule *capsule, cd_hit *hit) {
    cdi_flat core = cdi_flat_of_segment(capsule->a, capsule->b, 0);
    return cd_capsule_is_valid(capsule) && cdi_cast_swept(c, &core, (double)capsule->radius, hit);
}

static bool cdi_cast_lozenge(const cdi_cast *c, const cd_lozenge *l, cd_hit *hit) {
    cdi_flat core = cdi_flat_of_lozenge(l, 0);
    return cd_lozenge_is_valid(l) && cdi_cast_swept(c, &core, (double)l->radius, hit);
}

CDI_CASTS(capsule, const cd_capsule *, capsule);
CDI_CASTS(lozenge, const cd_lozenge *, lozenge);
