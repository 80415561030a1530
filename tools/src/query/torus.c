#include "query/torus.h"
#include "core/expansion.h"
#include "query/cast3d.h"
#include "shape/side3d.h"
#include "shape/torus3d.h"

/* ---- points and spheres ----
 * With q = p - center, z its height and w its distance from the axis, the squared distance from the circle is A - 2 R w plus
 * r^2, where A = q^2 + R^2 - r^2. w^2 = |q x n|^2 / n^2 for an axis n of any length. */

enum { CDI_TORUS_ROOM = 48 * CDI_EXACT_LIMBS };

static cdi_exact cdi_exact_dot_kept(cdi_arena *arena, const cdi_exact *a, const cdi_exact *b) {
    int mark = arena->used;
    return cdi_exact_keep(arena, mark, cdi_exact_dot(arena, a, b));
}

static CDI_COLD int cdi_circle_side_exact(const cdi_torus *t, cdi_v3 p, cdi_diff radius) {
    uint32_t limbs[CDI_TORUS_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_TORUS_ROOM);
    cdi_exact q[3], n[3], qq, nn, qn, ww, rr, a;
    int mark;
    cdi_exact_vector(&arena, p, t->center, q);
    cdi_exact_vector(&arena, t->axis, cdi_v3_make(0.0, 0.0, 0.0), n);
    qq = cdi_exact_dot_kept(&arena, q, q);
    nn = cdi_exact_dot_kept(&arena, n, n);
    mark = arena.used;
    qn = cdi_exact_dot(&arena, q, n);
    ww = cdi_exact_mul(&arena, qq, nn);
    ww = cdi_exact_sub(&arena, ww, cdi_exact_square(&arena, qn));
    ww = cdi_exact_keep(&arena, mark, ww);
    rr = cdi_exact_square(&arena, cdi_exact_of(&arena, t->major));
    a = cdi_exact_square(&arena, cdi_exact_diff(&arena, radius.a, radius.b));
    a = cdi_exact_sub(&arena, cdi_exact_add(&arena, qq, rr), a);
    if (a.sign < 0) return -1;
    a = cdi_exact_mul(&arena, cdi_exact_square(&arena, a), nn);
    rr = cdi_exact_mul(&arena, rr, cdi_exact_of(&arena, 4.0));
    return cdi_exact_sub(&arena, a, cdi_exact_mul(&arena, rr, ww)).sign;
}

/* The sign of p's distance from the circle less the radius, a difference not below 0; exact, finite input. */
static int cdi_circle_side(const cdi_torus *t, cdi_v3 p, cdi_diff radius) {
    cdi_v3 q = cdi_v3_sub(p, t->center);
    cdi_about_circle at = cdi_torus_about(t->u, t->major, q);
    double r = radius.a - radius.b, gap = at.way - r;
    if (cdi_abs(gap) > 1e-14 * (cdi_v3_max_abs(q) + t->major + r) + 1e-290) return gap > 0.0 ? 1 : -1;
    return cdi_circle_side_exact(t, p, radius);
}

static bool cdi_in_torus(const cdi_torus *t, cdi_v3 p) {
    return cdi_circle_side(t, p, cdi_diff_of(t->minor, 0.0)) <= 0;
}

CD_API bool cd_test_point_torus(cd_vec3 p, const cd_torus *t) {
    cdi_torus d;
    return cdi_torus_of(&d, t) && cd_vec3_is_valid(p) && cdi_in_torus(&d, cdi_v3_of(p));
}

CD_API bool cd_test_sphere_torus(cd_sphere s, const cd_torus *t) {
    cdi_torus d;
    if (!cdi_torus_of(&d, t) || !cd_sphere_is_valid(s)) return false;
    return cdi_circle_side(&d, cdi_v3_of(s.center), cdi_diff_of(d.minor, -(double)s.radius)) <= 0;
}

CD_API cd_vec3 cd_closest_pt_point_torus(cd_vec3 p, const cd_torus *t) {
    cdi_torus d;
    cdi_v3 q, middle;
    if (!cdi_torus_of(&d, t) || !cd_vec3_is_valid(p)) return cdi_no_point();
    if (cdi_in_torus(&d, cdi_v3_of(p))) return p;
    q = cdi_v3_sub(cdi_v3_of(p), d.center);
    middle = cdi_v3_scale(cdi_torus_about(d.u, d.major, q).e, d.major);
    q = cdi_v3_along(middle, cdi_v3_normalize(cdi_v3_sub(q, middle)), d.minor);
    return cdi_v3_round(cdi_v3_add(d.center, q));
}

CD_API cd_real cd_sqdist_point_torus(cd_vec3 p, const cd_torus *t) {
    cdi_torus d;
    double gap;
    if (!cdi_torus_of(&d, t) || !cd_vec3_is_valid(p)) return (cd_real)cdi_nan();
    if (cdi_in_torus(&d, cdi_v3_of(p))) return 0;
    gap = cdi_torus_about(d.u, d.major, cdi_v3_sub(cdi_v3_of(p), d.center)).way - d.minor;
    gap = cdi_max(gap, 0.0);
    return cdi_real_or_infinity(gap * gap);
}

/* ---- a root between two points ---- */

/* The value of a function at s, and its slope. */
typedef double (*cdi_slope_fn)(const void *about, double s, double *slope);

/* Where the function crosses zero between a and b, upward or downward: Newton's steps, and halves of the bracket where these
 * leave it, or are not half as long as the last but one. */
CDI_HOT double cdi_root_between(cdi_slope_fn f, const void *about, double a, double b, bool rising) {
    double below = rising ? a : b, above = rising ? b : a, s = 0.5 * (a + b), step = b - a, before = step;
    for (int i = 0; i < 128; ++i) {
        double slope, value = f(about, s, &slope), move = -value / slope, next = s + move;
        if (value < 0.0) {
            below = s;
        } else {
            above = s;
        }
        if (value == 0.0 || cdi_abs(move) <= 1.1e-16) return s;
        if (!((next - below) * (next - above) < 0.0 && 2.0 * cdi_abs(move) <= before))
            next = 0.5 * (below + above);
        before = step;
        step = cdi_abs(next - s);
        s = next;
        if (step <= 1.1e-16) break;
    }
    return s;
}

/* ---- the line, scaled by a power of two so that the torus reaches 1 to 4 from its centre ---- */

typedef struct cdi_torus_line {
    cdi_v3 from, d;   /* the point nearest to the centre, and the unit direction */
    cdi_v3 off, doff; /* the parts of both across the axis */
    double z, dz;     /* ... and along it */
    double major, minor;
    double p, q;          /* the quartic's derivative is 4 (s^3 + p s + q) */
    double middle, speed; /* t = middle + s / speed */
    double scale;
    cdi_v3 u;
} cdi_torus_line;

static bool cdi_torus_line_of(const cdi_torus *t, const cdi_cast *c, cdi_torus_line *l) {
    int shift = -cdi_exponent(t->major + t->minor);
    cdi_v3 o, d;
    double dd, again;
    if (shift > 1022 || shift < -1000) return false; /* far outside the domain, or a point */
    l->scale = cdi_exp2i(shift);
    l->u = t->u;
    l->major = t->major * l->scale;
    l->minor = t->minor * l->scale;
    o = cdi_v3_scale(cdi_v3_sub(c->o, t->center), l->scale);
    d = cdi_v3_scale(c->d, l->scale);
    l->d = cdi_v3_unit(d);
    l->speed = cdi_v3_norm(d);
    dd = -cdi_v3_dot(o, l->d); /* to the nearest point, as a length */
    l->from = cdi_v3_along(o, l->d, dd);
    again = -cdi_v3_dot(l->from, l->d); /* a long way is rounded; the extremes need a right angle */
    l->from = cdi_v3_along(l->from, l->d, again);
    dd += again;
    l->middle = dd / l->speed;
    l->z = cdi_v3_dot(l->from, l->u);
    l->dz = cdi_v3_dot(l->d, l->u);
    l->off = cdi_v3_along(l->from, l->u, -l->z);
    l->doff = cdi_v3_along(l->d, l->u, -l->dz);
    return true;
}

/* The squared distance from the circle less that of the surface. */
static double cdi_torus_level(const void *about, double s, double *slope) {
    const cdi_torus_line *l = (const cdi_torus_line *)about;
    cdi_v3 off = cdi_v3_along(l->off, l->doff, s);
    double z = l->z + s * l->dz, reach = cdi_sqrt(cdi_v3_sqlength(off)), x = reach - l->major;
    double growth = reach > 0.0 ? cdi_v3_dot(off, l->doff) / reach : 0.0;
    *slope = 2.0 * (x * growth + z * l->dz);
    return x * x + z * z - l->minor * l->minor;
}

static double cdi_torus_cubic(const void *about, double s, double *slope) {
    const cdi_torus_line *l = (const cdi_torus_line *)about;
    *slope = 3.0 * s * s + l->p;
    return s * (s * s + l->p) + l->q;
}

/* Adds the cubic's root between a and b, where it does not turn. */
static int cdi_cubic_root(const cdi_torus_line *l, double a, double b, double *out, int n) {
    double slope, at_a, at_b;
    if (!(a < b)) return n;
    at_a = cdi_torus_cubic(l, a, &slope);
    at_b = cdi_torus_cubic(l, b, &slope);
    if (!((at_a < 0.0) != (at_b < 0.0))) return n;
    out[n] = cdi_root_between(cdi_torus_cubic, l, a, b, at_a < 0.0);
    return n + 1;
}

/* Where the line is in the slab and the ball around the torus, a little larger than they are; false when nowhere. */
static bool cdi_torus_range(const cdi_torus_line *l, double *lo, double *hi) {
    double most = l->major + l->minor, room = most * most - cdi_v3_sqlength(l->from);
    double up = l->minor * (1.0 + 1e-9) + 1e-14, a, b;
    if (!(room > -1e-13)) return false;
    *hi = cdi_sqrt(cdi_max(room, 0.0)) + 1e-6;
    *lo = -*hi;
    if (cdi_abs(l->z) - cdi_abs(l->dz) * *hi > up) return false;
    if (cdi_abs(l->dz) > 1e-3) { /* else it is no gain */
        a = (-up - l->z) / l->dz;
        b = (up - l->z) / l->dz;
        *lo = cdi_max(*lo, cdi_min(a, b));
        *hi = cdi_min(*hi, cdi_max(a, b));
    }
    return *lo < *hi;
}

/* The extremes of the quartic between lo and hi. */
static int cdi_torus_extremes(cdi_torus_line *l, double lo, double hi, double *out) {
    double rr = l->major * l->major, turn;
    int n = 0;
    l->p = cdi_v3_sqlength(l->from) - l->minor * l->minor - rr + 2.0 * rr * l->dz * l->dz;
    l->q = 2.0 * rr * l->z * l->dz;
    if (!(l->p < 0.0)) return cdi_cubic_root(l, lo, hi, out, 0);
    turn = cdi_sqrt(l->p / -3.0);
    n = cdi_cubic_root(l, lo, cdi_min(-turn, hi), out, n);
    n = cdi_cubic_root(l, cdi_max(-turn, lo), cdi_min(turn, hi), out, n);
    return cdi_cubic_root(l, cdi_max(turn, lo), hi, out, n);
}

/* The pieces of the line that are inside, in units of the line; at most two. */
static int cdi_torus_pieces(cdi_torus_line *l, cdi_span out[2]) {
    double s[5], slope;
    bool inside[5];
    int last, n = 0;
    if (!cdi_torus_range(l, &s[0], &s[1])) return 0;
    s[4] = s[1];
    last = 1 + cdi_torus_extremes(l, s[0], s[4], s + 1);
    s[last] = s[4];
    inside[0] = inside[last] = false;
    for (int i = 1; i < last; ++i) inside[i] = cdi_torus_level(l, s[i], &slope) <= 0.0;
    for (int i = 0; i < last; ++i) {
        if (inside[i] == inside[i + 1]) continue;
        slope = cdi_root_between(cdi_torus_level, l, s[i], s[i + 1], inside[i]);
        if (inside[i]) {
            out[n++].out = slope;
        } else {
            out[n].in = slope;
        }
    }
    return n;
}

/* ---- what is hit ---- */

/* The unit normal at a point of the surface, and the point put onto it. */
static cdi_v3 cdi_torus_surface(const cdi_torus_line *l, cdi_v3 *x) {
    cdi_v3 middle = cdi_v3_scale(cdi_torus_about(l->u, l->major, *x).e, l->major);
    cdi_v3 n = cdi_v3_unit(cdi_v3_sub(*x, middle));
    *x = cdi_v3_along(middle, n, l->minor);
    return n;
}

/* The way from a point inside to the nearest point of the surface, and the unit vector there. That point is straight away from
 * the circle, or, of an apple, where this is beyond the axis, the bottom of the dent. */
static double cdi_torus_depth(const cdi_torus_line *l, cdi_v3 x, cdi_v3 *out) {
    cdi_about_circle at = cdi_torus_about(l->u, l->major, x);
    cdi_v3 dent;
    *out = cdi_v3_unit(cdi_v3_along(x, at.e, -l->major));
    if (cdi_v3_is_zero(*out)) *out = l->u;
    if (l->major + l->minor * cdi_v3_dot(*out, at.e) >= 0.0) return l->minor - at.way;
    dent = cdi_v3_scale(l->u, cdi_sqrt((l->minor - l->major) * (l->minor + l->major)));
    dent = cdi_v3_sub(at.z < 0.0 ? cdi_v3_neg(dent) : dent, x);
    if (!cdi_v3_is_zero(dent)) *out = cdi_v3_unit(dent);
    return cdi_v3_norm(dent);
}

static bool cdi_torus_start(const cdi_cast *c, const cdi_torus *t, const cdi_torus_line *l, cd_hit *hit) {
    cdi_v3 out, x = cdi_v3_sub(cdi_v3_along(c->o, c->d, c->t_min), t->center);
    double depth = cdi_torus_depth(l, cdi_v3_scale(x, l->scale), &out);
    return cdi_hit_start(c, out, depth / l->scale, 0, hit);
}

static bool cdi_torus_hit(const cdi_cast *c, cdi_v3 center, const cdi_torus_line *l, const cdi_span *piece,
                          cdi_contact contact, cd_hit *hit) {
    bool leaves = contact == CDI_CONTACT_OUT;
    double s = leaves ? piece->out : piece->in, t = l->middle + s / l->speed, along;
    cdi_v3 x = cdi_v3_along(l->from, l->d, s), n = cdi_torus_surface(l, &x);
    if (leaves) n = cdi_v3_neg(n);
    for (int i = 0; i < 2; ++i) { /* grazing; of a circle's normal little may be left, so once more */
        along = cdi_v3_dot(n, l->d);
        if (along > 0.0) n = cdi_v3_unit(cdi_v3_along(n, l->d, -along));
    }
    if (cdi_v3_is_zero(n)) n = cdi_v3_neg(l->d);
    x = cdi_v3_add(center, cdi_v3_scale(x, 1.0 / l->scale));
    return cdi_hit_write(hit, t, x, n, 0, cdi_contact_flags(c, contact, t));
}

static bool cdi_cast_torus(const cdi_cast *c, const cd_torus *torus, cd_hit *hit) {
    cdi_torus t;
    cdi_torus_line l;
    cdi_span piece[2];
    int n;
    if (!cdi_torus_of(&t, torus) || !cdi_torus_line_of(&t, c, &l)) return false;
    if (cdi_v3_is_zero(c->d))
        return !(c->flags & (CD_CAST_CULL_FRONT | CD_CAST_START_IGNORE)) && cdi_in_torus(&t, c->o) &&
               cdi_torus_start(c, &t, &l, hit);
    n = cdi_torus_pieces(&l, piece);
    for (int i = 0; i < n; ++i) {
        cdi_span span;
        cdi_contact contact;
        span.in = l.middle + piece[i].in / l.speed;
        span.out = l.middle + piece[i].out / l.speed;
        contact = cdi_cast_solid(c, &span);
        if (contact == CDI_CONTACT_NONE) continue;
        if (contact != CDI_CONTACT_START) return cdi_torus_hit(c, t.center, &l, &piece[i], contact, hit);
        if (cdi_torus_start(c, &t, &l, hit)) return true;
    }
    return false;
}

CDI_CASTS(torus, const cd_torus *, torus);
