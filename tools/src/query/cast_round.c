#include "query/cast_round.h"
#include "query/cast3d.h"
#include "shape/cylinder3d.h"

enum { CDI_ROUND_SIDE = 0, CDI_ROUND_FIRST = 1, CDI_ROUND_SECOND = 2 }; /* faces */

/* The line seen from the shape: its height is x + t dx, and off the axis it is at off + t doff. t counts from `shift`. */
typedef struct cdi_round_line {
    double x, dx, shift;
    cdi_v3 off, doff;
} cdi_round_line;

static cdi_v3 cdi_off_axis(const cdi_frustum *f, cdi_v3 v, double *along) {
    *along = cdi_v3_dot(v, f->u);
    return cdi_v3_along(v, f->u, -*along);
}

/* From the line's point nearest to the middle of the axis; of a cone, to the apex, where the roots of its quadratic meet. */
static cdi_round_line cdi_round_line_of(const cdi_frustum *f, const cdi_cast *c) {
    cdi_v3 o = cdi_v3_sub(c->o, f->end[0]),
           middle = cdi_v3_along(o, f->u, f->r[0] < f->r[1] ? 0.0 : -0.5 * f->h);
    double dd = cdi_v3_sqlength(c->d);
    cdi_round_line line;
    line.shift = dd > 0.0 ? -cdi_v3_dot(middle, c->d) / dd : 0.0;
    if (!cdi_finite(line.shift)) line.shift = 0.0;
    line.off = cdi_off_axis(f, cdi_v3_along(o, c->d, line.shift), &line.x);
    line.doff = cdi_off_axis(f, c->d, &line.dx);
    return line;
}

static void cdi_span_all(cdi_span *span, int face) {
    span->in = -CDI_HUGE;
    span->out = CDI_HUGE;
    span->face_in = span->face_out = face;
}

/* Between the planes of the ends. */
static bool cdi_span_caps(const cdi_frustum *f, const cdi_round_line *line, cdi_span *span) {
    bool up = line->dx > 0.0;
    double first, second;
    cdi_span_all(span, CDI_ROUND_SIDE);
    if (line->dx == 0.0) return line->x >= 0.0 && line->x <= f->h;
    first = (0.0 - line->x) / line->dx;
    second = (f->h - line->x) / line->dx;
    span->in = up ? first : second;
    span->out = up ? second : first;
    span->face_in = up ? CDI_ROUND_FIRST : CDI_ROUND_SECOND;
    span->face_out = up ? CDI_ROUND_SECOND : CDI_ROUND_FIRST;
    return true;
}

/* Within the endless cylinder: half a chord to each side of the point nearest to the axis. */
static bool cdi_span_tube(const cdi_frustum *f, const cdi_round_line *line, cdi_span *span) {
    double dd = cdi_v3_sqlength(line->doff), middle, half;
    cdi_span_all(span, CDI_ROUND_SIDE);
    if (dd == 0.0) return cdi_v3_norm(line->off) <= f->r[1];
    middle = -cdi_v3_dot(line->off, line->doff) / dd;
    half = cdi_v3_norm(cdi_v3_along(line->off, line->doff, middle));
    if (!(half <= f->r[1])) return false;
    half = cdi_sqrt((f->r[1] - half) * (f->r[1] + half)) / cdi_sqrt(dd);
    span->in = middle - half;
    span->out = middle + half;
    return true;
}

/* Within the endless cone, where a t^2 + 2 b t + c <= 0 and the height is not negative. A line steeper than the side (a < 0) is
 * inside beyond one root, the one on its way up. b^2 - a c is the square of r doff - dr off less that of off x doff, which is
 * good for needles and for flat cones too. */
static bool cdi_span_cone(const cdi_frustum *f, const cdi_round_line *line, cdi_span *span) {
    double slope = f->r[1] / f->h, r = slope * line->x, dr = slope * line->dx, reach, dreach, a, b, c, root,
           grown, apart, q, t0, t1;
    reach = cdi_v3_norm(line->off);
    dreach = cdi_v3_norm(line->doff);
    a = (dreach - dr) * (dreach + dr);
    b = cdi_v3_dot(line->off, line->doff) - r * dr;
    c = (reach - r) * (reach + r);
    grown = cdi_v3_norm(cdi_v3_along(cdi_v3_scale(line->doff, r), line->off, -dr));
    apart = cdi_v3_norm(cdi_v3_cross(line->off, line->doff));
    root = (grown - apart) * (grown + apart);
    cdi_span_all(span, CDI_ROUND_SIDE);
    if (!(root >= 0.0)) {
        if (a > 0.0) return false;
        root = 0.0; /* by rounding: through the apex */
    }
    q = b >= 0.0 ? -(b + cdi_sqrt(root)) : cdi_sqrt(root) - b;
    if (q == 0.0) { /* b = 0 and a c = 0 */
        if (a == 0.0) return c <= 0.0;
        t0 = t1 = 0.0;
    } else {
        t0 = cdi_clamp(q / a, -CDI_HUGE, CDI_HUGE);
        t1 = c / q;
        if (a == 0.0) t0 = b > 0.0 ? -CDI_HUGE : CDI_HUGE;
    }
    if (a >= 0.0) {
        span->in = cdi_min(t0, t1);
        span->out = cdi_max(t0, t1);
    } else if (line->dx > 0.0) {
        span->in = cdi_max(t0, t1);
    } else {
        span->out = cdi_min(t0, t1);
    }
    return true;
}

static void cdi_span_cut(cdi_span *a, const cdi_span *b) {
    if (b->in > a->in) {
        a->in = b->in;
        a->face_in = b->face_in;
    }
    if (b->out < a->out) {
        a->out = b->out;
        a->face_out = b->face_out;
    }
}

static bool cdi_line_round(const cdi_frustum *f, const cdi_round_line *line, cdi_span *span) {
    cdi_span side;
    bool tube = f->r[0] == f->r[1] || !(f->h > 0.0);
    if (!cdi_span_caps(f, line, span)) return false;
    if (!(tube ? cdi_span_tube(f, line, &side) : cdi_span_cone(f, line, &side))) return false;
    cdi_span_cut(span, &side);
    if (!(span->in <= span->out)) return false;
    span->in += line->shift;
    span->out += line->shift;
    return true;
}

/* ---- what is hit ---- */

/* Unit and across the axis; zero where v is not clearly off it. */
static cdi_v3 cdi_unit_off(const cdi_frustum *f, cdi_v3 v, double noise) {
    double along;
    if (!(cdi_v3_norm(v) > noise)) return cdi_v3_make(0.0, 0.0, 0.0);
    return cdi_v3_unit(cdi_off_axis(f, cdi_v3_unit(v), &along));
}

/* The unit direction off the axis; where there is none, that the line goes or comes from, or any. */
static cdi_v3 cdi_outward(const cdi_frustum *f, cdi_v3 off, double noise, cdi_v3 motion) {
    double along;
    cdi_v3 e = cdi_unit_off(f, off, noise);
    if (cdi_v3_is_zero(e)) e = cdi_unit_off(f, cdi_off_axis(f, cdi_v3_unit(motion), &along), 4e-15);
    return cdi_v3_is_zero(e) ? cdi_across(f->u) : e;
}

/* The outward normal of a face, `e` being the direction off the axis there. */
static cdi_v3 cdi_round_normal(const cdi_frustum *f, int face, cdi_v3 e) {
    if (face == CDI_ROUND_FIRST) return cdi_v3_neg(f->u);
    if (face == CDI_ROUND_SECOND) return f->u;
    return cdi_v3_unit(cdi_v3_along(cdi_v3_scale(e, f->h), f->u, f->r[0] - f->r[1]));
}

/* The apex has many normals: the one along the axis, where that is on the side of `way`; else that of the side farthest along it. */
static cdi_v3 cdi_apex_normal(const cdi_frustum *f, cdi_v3 way) {
    cdi_v3 e;
    if (cdi_v3_dot(f->u, way) <= 0.0) return cdi_v3_neg(f->u);
    e = cdi_outward(f, cdi_v3_make(0.0, 0.0, 0.0), 0.0, way);
    return cdi_round_normal(f, CDI_ROUND_SIDE, e);
}

/* A point of the face: that of the line, put onto it. */
static cdi_v3 cdi_on_round(const cdi_frustum *f, int face, double x, double reach, cdi_v3 e) {
    double share;
    x = face == CDI_ROUND_FIRST ? 0.0 : face == CDI_ROUND_SECOND ? f->h : cdi_clamp(x, 0.0, f->h);
    share = f->h > 0.0 ? x / f->h : 0.0;
    if (face == CDI_ROUND_SIDE || reach > f->r[0] + share * (f->r[1] - f->r[0]))
        reach = f->r[0] + share * (f->r[1] - f->r[0]);
    return cdi_v3_along(cdi_v3_along(f->end[x > 0.0 && x == f->h], f->u, x == f->h ? 0.0 : x), e, reach);
}

/* The face nearest to a point inside, and the way to it. */
static int cdi_nearest_round(const cdi_frustum *f, double x, double reach, double *depth) {
    double dr = f->r[1] - f->r[0], slant = cdi_v3_norm(cdi_v3_make(f->h, dr, 0.0));
    double side = slant > 0.0 ? ((f->r[0] - reach) * f->h + dr * x) / slant : 0.0;
    bool apex = f->r[0] == 0.0 && f->r[1] > 0.0;
    int face = CDI_ROUND_SIDE;
    *depth = side;
    if (f->h - x < *depth) {
        *depth = f->h - x;
        face = CDI_ROUND_SECOND;
    }
    if (!apex && x < *depth) {
        *depth = x;
        face = CDI_ROUND_FIRST;
    }
    return face;
}

static bool cdi_cast_round(const cdi_cast *c, const cdi_frustum *f, cd_hit *hit) {
    cdi_round_line line = cdi_round_line_of(f, c);
    cdi_span span;
    cdi_contact contact;
    cdi_v3 off, e, n, from;
    double at, t, x, reach, depth = 0.0, noise = 4e-15 * (cdi_abs(line.shift) * cdi_v3_norm(c->d) + f->h);
    int face;
    bool start;
    if (!cdi_line_round(f, &line, &span)) return false;
    contact = cdi_cast_solid(c, &span);
    if (contact == CDI_CONTACT_NONE) return false;
    start = contact == CDI_CONTACT_START;
    at = start ? c->t_min : contact == CDI_CONTACT_IN ? span.in : span.out;
    t = at - line.shift;
    x = line.x + t * line.dx;
    off = cdi_v3_along(line.off, line.doff, t);
    reach = cdi_v3_norm(off);
    from = contact == CDI_CONTACT_OUT ? c->d : cdi_v3_neg(c->d);
    e = cdi_outward(f, off, noise, from);
    face = start                       ? cdi_nearest_round(f, x, reach, &depth)
           : contact == CDI_CONTACT_IN ? span.face_in
                                       : span.face_out;
    if (f->r[0] < f->r[1] &&
        (face == CDI_ROUND_FIRST || x <= noise)) { /* the apex, or too near it for a side */
        n = cdi_apex_normal(f, start ? c->d : from);
        face = CDI_ROUND_SIDE;
        x = 0.0;
    } else {
        n = cdi_round_normal(f, face, e);
    }
    if (start) return cdi_hit_start(c, n, depth, (uint32_t)face, hit);
    return cdi_hit_write(hit, at, cdi_on_round(f, face, x, reach, e),
                         contact == CDI_CONTACT_IN ? n : cdi_v3_neg(n), (uint32_t)face,
                         cdi_contact_flags(c, contact, at));
}

static bool cdi_cast_cylinder(const cdi_cast *c, const cd_cylinder *cylinder, cd_hit *hit) {
    cdi_frustum f;
    return cdi_frustum_of_cylinder(&f, cylinder) && cdi_cast_round(c, &f, hit);
}

static bool cdi_cast_cone(const cdi_cast *c, const cd_cone *cone, cd_hit *hit) {
    cdi_frustum f;
    return cdi_frustum_of_cone(&f, cone) && cdi_cast_round(c, &f, hit);
}

CDI_CASTS(cylinder, const cd_cylinder *, cylinder);
CDI_CASTS(cone, const cd_cone *, cone);

/* ---- disc ---- */

static bool cdi_cast_disc(const cdi_cast *c, const cd_disc *disc, cd_hit *hit) {
    cdi_frustum f;
    cdi_v3 o, off;
    double height, speed, t, along;
    uint32_t flags;
    bool start;
    if (!cdi_frustum_of_disc(&f, disc)) return false;
    o = cdi_v3_along(cdi_v3_sub(c->o, f.end[0]), c->d, c->base);
    /* along the normal as it is given: the unit one is rounded, and what is met exactly at t_max would be passed */
    height = cdi_v3_dot(o, f.d);
    speed = cdi_v3_dot(c->d, f.d);
    if (speed == 0.0 || (c->flags & (speed > 0.0 ? CD_CAST_CULL_BACK : CD_CAST_CULL_FRONT))) return false;
    t = -height / speed;
    start = t == 0.0 && !c->is_line;
    if (!((t >= 0.0 || c->is_line) && c->base + t <= c->t_max)) return false;
    if (start && (c->flags & (CD_CAST_START_IGNORE | CD_CAST_START_LEAVING))) return false;
    off = cdi_off_axis(&f, cdi_v3_along(o, c->d, t), &along);
    if (!(cdi_v3_norm(off) <= f.r[0])) return false;
    flags = (speed > 0.0 ? (uint32_t)CD_HIT_BACK : 0u) | (start ? (uint32_t)CD_HIT_START : 0u);
    return cdi_hit_write(hit, c->base + t, cdi_v3_add(f.end[0], off), speed > 0.0 ? cdi_v3_neg(f.u) : f.u, 0,
                         flags);
}

CDI_CASTS(disc, const cd_disc *, disc);
