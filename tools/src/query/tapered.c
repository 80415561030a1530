#include "query/tapered.h"
#include "query/cast3d.h"
#include "query/closest3d.h"
#include "query/flat3d.h"
#include "shape/swept3d.h"

/* The ends, the axis, and the sine and cosine of the cone's half angle: radii are less by `sine` for each length along u. One ball where that
 * holds the other. */
typedef struct cdi_taper {
    cdi_v3 end[2], u;
    double r[2], length, sine, cosine;
    bool ball;
} cdi_taper;

static void cdi_taper_of(cdi_taper *f, const cd_tapered_capsule *c, int shift) {
    cdi_v3 d;
    f->end[0] = cdi_v3_scale2(cdi_v3_of(c->a), shift);
    f->end[1] = cdi_v3_scale2(cdi_v3_of(c->b), shift);
    f->r[0] = cdi_scale2((double)c->radius_a, shift);
    f->r[1] = cdi_scale2((double)c->radius_b, shift);
    d = cdi_v3_sub(f->end[1], f->end[0]);
    f->length = cdi_v3_norm(d);
    f->u = cdi_v3_unit(d);
    f->ball = cdi_abs(f->r[0] - f->r[1]) >= f->length;
    if (f->ball) { /* both are the larger one */
        int more = f->r[0] >= f->r[1] ? 0 : 1;
        f->end[1 - more] = f->end[more];
        f->r[1 - more] = f->r[more];
        f->length = f->sine = 0.0;
    } else {
        f->sine = (f->r[0] - f->r[1]) / f->length;
    }
    f->cosine = cdi_sqrt((1.0 - f->sine) * (1.0 + f->sine));
}

/* How far a point is outside, and the normal there: that of the ball it is deepest in, or least far out of. */
static double cdi_taper_distance(const cdi_taper *f, cdi_v3 p, cdi_v3 *normal) {
    cdi_v3 from = cdi_v3_sub(p, f->end[0]), across, way;
    double y = cdi_v3_dot(from, f->u), h, at;
    across = cdi_v3_along(from, f->u, 0.0 - y);
    h = cdi_v3_norm(across);
    at = f->ball ? 0.0 : cdi_clamp(y - f->sine * (h / f->cosine), 0.0, f->length);
    way = at >= f->length && !f->ball ? cdi_v3_sub(p, f->end[1]) : cdi_v3_along(from, f->u, 0.0 - at);
    *normal = cdi_v3_unit(way);
    if (cdi_v3_is_zero(*normal)) { /* on the axis: any way across the side */
        cdi_v3 side = f->ball || cdi_v3_is_zero(f->u) ? cdi_v3_make(1.0, 0.0, 0.0) : cdi_across(f->u);
        *normal = f->ball ? side : cdi_v3_along(cdi_v3_scale(side, f->cosine), f->u, f->sine);
    }
    return cdi_v3_norm(way) - (f->r[0] - f->sine * at);
}

static double cdi_tapered_most(const cd_tapered_capsule *c) {
    double ends = cdi_max(cdi_v3_max_abs(cdi_v3_of(c->a)), cdi_v3_max_abs(cdi_v3_of(c->b)));
    return cdi_max(ends, cdi_max((double)c->radius_a, (double)c->radius_b));
}

CD_API bool cd_test_point_tapered_capsule(cd_vec3 p, const cd_tapered_capsule *c) {
    int shift = cdi_tame_shift(cdi_max(cdi_tapered_most(c), cdi_v3_max_abs(cdi_v3_of(p))));
    cdi_taper f;
    cdi_v3 n;
    if (!cd_vec3_is_valid(p) || !cd_tapered_capsule_is_valid(c)) return false;
    cdi_taper_of(&f, c, shift);
    return cdi_taper_distance(&f, cdi_v3_scale2(cdi_v3_of(p), shift), &n) <= 0.0;
}

CD_API cd_vec3 cd_closest_pt_point_tapered_capsule(cd_vec3 p, const cd_tapered_capsule *c) {
    int shift = cdi_tame_shift(cdi_max(cdi_tapered_most(c), cdi_v3_max_abs(cdi_v3_of(p))));
    cdi_taper f;
    cdi_v3 n, q;
    double d;
    if (!cd_vec3_is_valid(p) || !cd_tapered_capsule_is_valid(c)) return cdi_no_point();
    cdi_taper_of(&f, c, shift);
    q = cdi_v3_scale2(cdi_v3_of(p), shift);
    d = cdi_taper_distance(&f, q, &n);
    return d > 0.0 ? cdi_v3_round(cdi_v3_scale2(cdi_v3_along(q, n, 0.0 - d), -shift)) : p;
}

/* ---- casts ---- */

static void cdi_taper_join(cdi_span *all, double in, double out) {
    if (!(in <= out)) return;
    all->in = cdi_min(in, all->in);
    all->out = cdi_max(out, all->out);
}

static void cdi_taper_join_ball(const cdi_cast *c, cdi_v3 center, double radius, cdi_span *all) {
    cdi_span part;
    if (cdi_line_sphere(cdi_v3_sub(c->o, center), c->d, radius, &part))
        cdi_taper_join(all, part.in, part.out);
}

/* A line as the cone between the circles sees it: the part across the axis, the height, and the speeds of both. */
typedef struct cdi_taper_line {
    cdi_v3 across, way;
    double y, speed, low, high; /* between the circles from `low` to `high` */
} cdi_taper_line;

/* No farther from the axis than the larger circle, which also keeps out what rounding lets through where the cone is nearly flat. */
static bool cdi_taper_is_in_tube(const cdi_taper *f, const cdi_taper_line *l, double t) {
    double most = cdi_max(f->r[0], f->r[1]), room = 1e-12 * (f->length + most);
    return cdi_v3_norm(cdi_v3_along(l->across, l->way, t)) <= most * f->cosine + room;
}

static void cdi_taper_join_part(const cdi_taper *f, const cdi_taper_line *l, cdi_span *all, double in,
                                double out) {
    if (in <= out && cdi_taper_is_in_tube(f, l, in) && cdi_taper_is_in_tube(f, l, out))
        cdi_taper_join(all, in, out);
}

/* Less steep than the cone: a chord, seen from its middle, where no digits are lost. */
static void cdi_taper_join_chord(const cdi_taper *f, const cdi_taper_line *l, double a, double b,
                                 cdi_span *all) {
    double t = 0.0 - b / a, off = f->cosine * cdi_v3_norm(cdi_v3_along(l->across, l->way, t));
    double wide = f->r[0] - f->sine * (l->y + t * l->speed), rest = (wide - off) * (wide + off), half;
    if (!(rest >= 0.0)) return;
    half = cdi_sqrt(rest / a);
    cdi_taper_join_part(f, l, all, cdi_max(t - half, l->low), cdi_min(t + half, l->high));
}

/* Where a t^2 + 2 b t + c <= 0. Steeper than the cone that is all but a stretch: what is left on both sides of it is on both sides of the apex,
 * of which one alone is between the circles. */
static void cdi_taper_join_roots(const cdi_taper *f, const cdi_taper_line *l, double a, double b, double c,
                                 cdi_span *all) {
    double root = b * b - a * c, q, t[2];
    q = root > 0.0 ? 0.0 - (b + (b < 0.0 ? 0.0 - cdi_sqrt(root) : cdi_sqrt(root))) : 0.0;
    if (a == 0.0 && b != 0.0) { /* along a line of the cone */
        double end = 0.0 - 0.5 * c / b;
        cdi_taper_join_part(f, l, all, b > 0.0 ? l->low : cdi_max(end, l->low),
                            b > 0.0 ? cdi_min(end, l->high) : l->high);
    } else if (a == 0.0 || q == 0.0) {
        if (a < 0.0 || (a == 0.0 && c <= 0.0)) cdi_taper_join_part(f, l, all, l->low, l->high);
    } else {
        t[0] = cdi_min(q / a, c / q);
        t[1] = cdi_max(q / a, c / q);
        if (a > 0.0) {
            cdi_taper_join_part(f, l, all, cdi_max(t[0], l->low), cdi_min(t[1], l->high));
            return;
        }
        cdi_taper_join_part(f, l, all, l->low, cdi_min(t[0], l->high));
        cdi_taper_join_part(f, l, all, cdi_max(t[1], l->low), l->high);
    }
}

/* Is the middle of the chord far off, as of lines that are nearly along the cone's? */
static bool cdi_taper_is_slanted(const cdi_taper_line *l, double a, double b) {
    double t = 0.0 - b / a, reach = 4.0 * (0.5 * l->high - 0.5 * l->low);
    return !(a > 0.0) || !(cdi_abs(t - (0.5 * l->low + 0.5 * l->high)) <= reach);
}

static bool cdi_taper_line_of(cdi_taper_line *l, const cdi_taper *f, cdi_v3 o, cdi_v3 d) {
    double bottom = f->r[0] * f->sine, top = f->length + f->r[1] * f->sine, p, q;
    l->y = cdi_v3_dot(o, f->u);
    l->speed = cdi_v3_dot(d, f->u);
    l->across = cdi_v3_along(o, f->u, 0.0 - l->y);
    l->way = cdi_v3_along(d, f->u, 0.0 - l->speed);
    if (l->speed == 0.0) {
        l->low = -CDI_HUGE;
        l->high = CDI_HUGE;
        return l->y >= bottom && l->y <= top;
    }
    p = (bottom - l->y) / l->speed;
    q = (top - l->y) / l->speed;
    l->low = cdi_min(p, q);
    l->high = cdi_max(p, q);
    return true;
}

/* Between the circles; seen from the line's point nearest to the middle. */
static void cdi_taper_join_side(const cdi_cast *c, const cdi_taper *f, cdi_span *all) {
    cdi_v3 middle = cdi_v3_along(f->end[0], f->u, 0.5 * f->length), o = cdi_v3_sub(c->o, middle);
    double dd = cdi_v3_sqlength(c->d), start = dd > 0.0 ? 0.0 - cdi_v3_dot(o, c->d) / dd : 0.0;
    double cc = f->cosine * f->cosine, wide, x, y, z;
    cdi_taper_line l;
    cdi_span part;
    if (!cdi_taper_line_of(&l, f, cdi_v3_along(cdi_v3_along(o, c->d, start), f->u, 0.5 * f->length), c->d))
        return;
    wide = f->r[0] - f->sine * l.y;
    x = cc * cdi_v3_sqlength(l.way) - f->sine * f->sine * l.speed * l.speed;
    y = cc * cdi_v3_dot(l.across, l.way) + f->sine * l.speed * wide;
    z = cc * cdi_v3_sqlength(l.across) - wide * wide;
    part.in = cdi_infinity();
    part.out = -cdi_infinity();
    if (cdi_taper_is_slanted(&l, x, y)) {
        cdi_taper_join_roots(f, &l, x, y, z, &part);
    } else {
        cdi_taper_join_chord(f, &l, x, y, &part);
    }
    if (part.in <= part.out) cdi_taper_join(all, part.in + start, part.out + start);
}

/* Where the ball is next to nothing, as at a sharp end, the normal is that of the ray's point a little outside. */
static cdi_v3 cdi_taper_normal(const cdi_taper *f, const cdi_cast *c, cdi_v3 p, bool leaving, cdi_v3 normal) {
    double size = f->length + f->r[0] + f->r[1], step = 1e-6 * size, y;
    cdi_v3 way = cdi_v3_unit(c->d), from = cdi_v3_sub(p, f->end[0]), across;
    y = cdi_v3_dot(from, f->u);
    across = cdi_v3_along(from, f->u, 0.0 - y);
    if (f->r[0] - f->sine * cdi_clamp(y, 0.0, f->length) > 1e-9 * size || cdi_v3_norm(across) > 1e-9 * size)
        return normal;
    if (!(size > 0.0)) return leaving ? way : cdi_v3_neg(way);
    (void)cdi_taper_distance(f, cdi_v3_along(p, way, leaving ? step : 0.0 - step), &normal);
    return normal;
}

static bool cdi_cast_tapered_capsule(const cdi_cast *c, const cd_tapered_capsule *capsule, cd_hit *hit) {
    cdi_taper f;
    cdi_span span;
    cdi_contact contact;
    cdi_v3 normal, p;
    double t, off;
    if (!cd_tapered_capsule_is_valid(capsule)) return false;
    cdi_taper_of(&f, capsule, 0);
    span.in = cdi_infinity();
    span.out = -cdi_infinity();
    span.face_in = span.face_out = 0;
    for (int i = 0; i < 2; ++i) cdi_taper_join_ball(c, f.end[i], f.r[i], &span);
    if (!f.ball) cdi_taper_join_side(c, &f, &span);
    if (!(span.in <= span.out)) return false;
    contact = cdi_cast_solid(c, &span);
    if (contact == CDI_CONTACT_NONE) return false;
    t = contact == CDI_CONTACT_IN ? span.in : contact == CDI_CONTACT_OUT ? span.out : c->t_min;
    p = cdi_v3_along(c->o, c->d, t);
    off = cdi_taper_distance(&f, p, &normal);
    if (contact == CDI_CONTACT_START) return cdi_hit_start(c, normal, cdi_max(0.0 - off, 0.0), 0, hit);
    p = cdi_v3_along(p, normal, 0.0 - off);
    normal = cdi_taper_normal(&f, c, p, contact == CDI_CONTACT_OUT, normal);
    return cdi_hit_write(hit, t, p, contact == CDI_CONTACT_IN ? normal : cdi_v3_neg(normal), 0,
                         cdi_contact_flags(c, contact, t));
}

CDI_CASTS(tapered_capsule, const cd_tapered_capsule *, capsule);
