#include "bounds/round_fit.h"
#include "bounds/min_ball.h"
#include "core/eigen.h"
#include "core/moments.h"
#include "shape/cylinder3d.h"
#include "shape/side3d.h"

/* ---- what is to be held ---- */

/* A flat disc across u; a point has r 0. */
typedef struct cdi_hoop {
    cdi_v3 c, u;
    double r;
} cdi_hoop;

/* Points, or, without them, up to four hoops. All is computed with coordinates times `scale`, a power of two. */
typedef struct cdi_held {
    const cd_vec3 *points;
    size_t count;
    cdi_hoop hoop[4];
    cdi_v3 middle;      /* scaled */
    double scale, size; /* size: the largest coordinate, scaled */
} cdi_held;

static cdi_hoop cdi_held_at(const cdi_held *s, size_t i) {
    cdi_hoop h = s->hoop[s->points ? 0 : i];
    if (!s->points) return h;
    h.c = cdi_v3_scale(cdi_v3_of(s->points[i]), s->scale);
    h.r = 0.0;
    return h;
}

/* The power of two that brings the largest number near 1 in a double build. */
static double cdi_held_scale(double size) {
#ifdef COLLIDE_DOUBLE
    int e = cdi_exponent(size);
    return size > 0.0 ? cdi_exp2i(e > 1000 ? -1000 : e < -1000 ? 1000 : -e) : 1.0;
#else
    (void)size;
    return 1.0;
#endif
}

/* How large the points are; -1 when one is not finite. */
static double cdi_points_size(const cd_vec3 *points, size_t count) {
    double size = 0.0;
    for (size_t i = 0; i < count; ++i) {
        cdi_v3 p = cdi_v3_of(points[i]);
        if (!cdi_v3_finite(p)) return -1.0;
        size = cdi_max(size, cdi_v3_max_abs(p));
    }
    return size;
}

/* False for no points, or not finite ones. Otherwise the principal axes of the points as well. */
static bool cdi_held_points(cdi_held *s, const cd_vec3 *points, size_t count, cdi_m3 *axes) {
    cdi_v3 mean = cdi_mean(points, count);
    cdi_m3 covariance;
    cd_mat3 rounded;
    cd_eigen eigen;
    double size = cdi_points_size(points, count);
    if (count == 0 || size < 0.0) return false;
    cdi_clear(s, sizeof *s);
    s->points = points;
    s->count = count;
    s->scale = cdi_held_scale(size);
    s->size = size * s->scale;
    s->middle = cdi_v3_scale(mean, s->scale);
    covariance = cdi_covariance(points, count, mean, cdi_spread_scale(points, count, mean));
    rounded = cdi_m3_round(&covariance);
    if (!cd_eigen_jacobi(&rounded, &eigen)) eigen.vector = cd_mat3_identity();
    *axes = cdi_m3_of(&eigen.vector);
    return true;
}

static bool cdi_points_equal(const cd_vec3 *points, size_t count) {
    for (size_t i = 1; i < count; ++i) {
        if (!cdi_v3_is_zero(cdi_v3_sub(cdi_v3_of(points[i]), cdi_v3_of(points[0])))) return false;
    }
    return true;
}

/* The ends of two shapes. */
static void cdi_held_ends(cdi_held *s, const cdi_frustum *f, const cdi_frustum *g) {
    double size = 0.0;
    cdi_clear(s, sizeof *s);
    s->count = 4;
    for (int i = 0; i < 4; ++i) {
        const cdi_frustum *from = i < 2 ? f : g;
        s->hoop[i].c = from->end[i & 1];
        s->hoop[i].u = from->u;
        s->hoop[i].r = from->r[i & 1];
        size = cdi_max(size, cdi_max(cdi_v3_max_abs(s->hoop[i].c), s->hoop[i].r));
    }
    s->scale = cdi_held_scale(size);
    s->size = size * s->scale;
    for (int i = 0; i < 4; ++i) {
        s->hoop[i].c = cdi_v3_scale(s->hoop[i].c, s->scale);
        s->hoop[i].r *= s->scale;
        s->middle = cdi_v3_along(s->middle, s->hoop[i].c, 0.25);
    }
}

/* ---- across an axis ---- */

/* An axis, and two across it. */
typedef struct cdi_spindle {
    cdi_v3 o, u, e, g;
} cdi_spindle;

static cdi_spindle cdi_spindle_of(cdi_v3 o, cdi_v3 u) {
    cdi_spindle s;
    s.o = o;
    s.u = u;
    s.e = cdi_across(u);
    s.g = cdi_v3_cross(u, s.e);
    return s;
}

/* A hoop seen along the axis: heights lo...hi, and inside the circle of r about (y, z). */
typedef struct cdi_drum {
    double lo, hi, y, z, r;
} cdi_drum;

static cdi_drum cdi_drum_of(const cdi_held *s, size_t i, const cdi_spindle *axis) {
    cdi_hoop h = cdi_held_at(s, i);
    cdi_v3 q = cdi_v3_sub(h.c, axis->o);
    double x = cdi_v3_dot(q, axis->u),
           tilt = h.r > 0.0 ? h.r * cdi_v3_length(cdi_v3_cross(h.u, axis->u)) : 0.0;
    cdi_drum d;
    d.lo = x - tilt;
    d.hi = x + tilt;
    d.y = cdi_v3_dot(q, axis->e);
    d.z = cdi_v3_dot(q, axis->g);
    d.r = h.r;
    return d;
}

static double cdi_drum_reach(const cdi_drum *d, double y, double z) {
    return cdi_v3_length(cdi_v3_make(d->y - y, d->z - z, 0.0)) + d->r;
}

/* A circle across the axis, and the heights. */
typedef struct cdi_girth {
    double y, z, r, lo, hi;
} cdi_girth;

/* The farthest from (y, z); the heights and the reach on the way. */
static size_t cdi_girth_scan(const cdi_held *s, const cdi_spindle *axis, cdi_girth *girth) {
    size_t farthest = 0;
    girth->r = -1.0;
    girth->lo = CDI_HUGE;
    girth->hi = -CDI_HUGE;
    for (size_t i = 0; i < s->count; ++i) {
        cdi_drum d = cdi_drum_of(s, i, axis);
        double reach = cdi_drum_reach(&d, girth->y, girth->z);
        girth->lo = cdi_min(girth->lo, d.lo);
        girth->hi = cdi_max(girth->hi, d.hi);
        if (reach > girth->r) {
            girth->r = reach;
            farthest = i;
        }
    }
    return farthest;
}

enum { CDI_GIRTH_MOST = 40 };

/* The smallest circle of a few, made to be that of all: the farthest one joins them until none is outside (Gartner 1999). */
static cdi_girth cdi_girth_of(const cdi_held *s, const cdi_spindle *axis) {
    cd_real few[4 * CDI_GIRTH_MOST];
    cdi_girth girth, best;
    size_t last = s->count;
    girth.y = girth.z = 0.0;
    best.r = CDI_HUGE;
    for (size_t n = 0; n < CDI_GIRTH_MOST; ++n) {
        size_t i = cdi_girth_scan(s, axis, &girth);
        cdi_drum d = cdi_drum_of(s, i, axis);
        cdi_sites sites;
        cd_vec3 center;
        cd_real radius;
        if (girth.r < best.r) best = girth;
        if (i == last) break;
        last = i;
        few[4 * n] = (cd_real)d.y;
        few[4 * n + 1] = (cd_real)d.z;
        few[4 * n + 2] = 0;
        few[4 * n + 3] = (cd_real)d.r;
        if (!cdi_sites_make(&sites, few, n + 1, 4)) break;
        if (cdi_min_ball(&sites, &center, &radius) == CD_TOO_LARGE) break;
        girth.y = (double)center.x;
        girth.z = (double)center.y;
    }
    return best;
}

/* ---- what holds it ---- */

/* Ends on the axis through `foot`, and the radius; the first end of a cone is its apex. `cost` is what is to be small. */
typedef struct cdi_holder {
    cdi_v3 foot, u;
    double lo, hi, r, cost;
    bool cone;
} cdi_holder;

/* The volume; for flat and thin ones, that have about none, the area decides. */
static void cdi_holder_weigh(cdi_holder *h, double size) {
    double height = h->hi - h->lo;
    h->cost = h->r * h->r * height * (h->cone ? 1.0 / 3.0 : 1.0) + 1e-6 * size * h->r * (height + h->r);
}

static cdi_holder cdi_cylinder_along(const cdi_held *s, cdi_v3 u) {
    cdi_spindle axis = cdi_spindle_of(s->middle, u);
    cdi_girth girth = cdi_girth_of(s, &axis);
    cdi_holder h;
    h.foot = cdi_v3_along(cdi_v3_along(axis.o, axis.e, girth.y), axis.g, girth.z);
    h.u = u;
    h.lo = girth.lo;
    h.hi = girth.hi;
    h.r = girth.r;
    h.cone = false;
    cdi_holder_weigh(&h, s->size);
    return h;
}

/* A cone whose height is s times its radius holds what is `back` behind its base and `out` from its axis when the height is at
 * least back + out s. */
typedef struct cdi_profile {
    double back[32], out[32];
    int count;
} cdi_profile;

#ifdef COLLIDE_DOUBLE
#define CDI_CONE_LEAST 9.5367431640625e-07
#else
#define CDI_CONE_LEAST 0.00390625
#endif

static double cdi_profile_height(const cdi_profile *p, double s) {
    double height = 0.0;
    for (int i = 0; i < p->count; ++i) height = cdi_max(height, p->back[i] + p->out[i] * s);
    return height;
}

static void cdi_profile_try(const cdi_profile *p, double s, double *best, double *volume) {
    double height, v;
    if (!(s > CDI_CONE_LEAST) || !cdi_finite(s)) s = CDI_CONE_LEAST;
    height = cdi_profile_height(p, s);
    v = height * (height / s) * (height / s);
    if (!(v < *volume)) return;
    *volume = v;
    *best = s;
}

/* The s of the least volume, height^3 / s^2: where one bound alone has its least, or where two bounds are equal. */
static double cdi_profile_best(const cdi_profile *p) {
    double best = CDI_CONE_LEAST, volume = CDI_HUGE;
    for (int i = 0; i < p->count; ++i) {
        if (p->out[i] > 0.0) cdi_profile_try(p, 2.0 * p->back[i] / p->out[i], &best, &volume);
        for (int k = 0; k < i; ++k)
            cdi_profile_try(p, (p->back[k] - p->back[i]) / (p->out[i] - p->out[k]), &best, &volume);
    }
    cdi_profile_try(p, CDI_CONE_LEAST, &best, &volume);
    return best;
}

/* Cones along u, the base at girth->hi, grown like the circle. */
static cdi_holder cdi_cone_along(const cdi_held *s, const cdi_spindle *axis, const cdi_girth *girth) {
    cdi_profile few;
    cdi_holder h;
    size_t last = s->count;
    double slope = 1.0;
    few.count = 0;
    for (;;) {
        double height = -1.0;
        size_t farthest = 0;
        for (size_t i = 0; i < s->count; ++i) {
            cdi_drum d = cdi_drum_of(s, i, axis);
            double need = girth->hi - d.lo + cdi_drum_reach(&d, girth->y, girth->z) * slope;
            if (need > height) {
                height = need;
                farthest = i;
            }
        }
        h.lo = girth->hi - height;
        h.r = height / slope;
        if (farthest == last || few.count == 32) break;
        last = farthest;
        {
            cdi_drum d = cdi_drum_of(s, farthest, axis);
            few.back[few.count] = girth->hi - d.lo;
            few.out[few.count++] = cdi_drum_reach(&d, girth->y, girth->z);
        }
        slope = cdi_profile_best(&few);
    }
    h.foot = cdi_v3_along(cdi_v3_along(axis->o, axis->e, girth->y), axis->g, girth->z);
    h.u = axis->u;
    h.hi = girth->hi;
    h.cone = true;
    cdi_holder_weigh(&h, s->size);
    return h;
}

/* The same line seen from its other end. */
static void cdi_spindle_turn(cdi_spindle *axis, cdi_girth *girth) {
    double lo = girth->lo;
    axis->u = cdi_v3_neg(axis->u);
    girth->lo = 0.0 - girth->hi;
    girth->hi = 0.0 - lo;
}

static cdi_holder cdi_holder_along(const cdi_held *s, cdi_v3 u, bool cone) {
    cdi_spindle axis = cdi_spindle_of(s->middle, u);
    cdi_girth girth;
    cdi_holder h, k;
    if (!cone) return cdi_cylinder_along(s, u);
    girth = cdi_girth_of(s, &axis);
    h = cdi_cone_along(s, &axis, &girth);
    cdi_spindle_turn(&axis, &girth);
    k = cdi_cone_along(s, &axis, &girth);
    return k.cost < h.cost ? k : h;
}

static cdi_holder cdi_holder_best(const cdi_held *s, const cdi_v3 *axes, int count, bool cone) {
    cdi_holder best, h;
    best.cost = CDI_HUGE;
    for (int i = 0; i < count; ++i) {
        h = cdi_holder_along(s, axes[i], cone);
        if (i == 0 || h.cost < best.cost) best = h;
    }
    return best;
}

/* ---- stored ---- */

/* What is stored, in the interface's numbers, and scaled. */
typedef struct cdi_kept_holder {
    cd_vec3 end[2];
    cd_real r;
    cdi_v3 from, to, d, u;
    double h, radius;
    bool cone;
} cdi_kept_holder;

static bool cdi_holder_ends(const cdi_held *s, const cdi_holder *h, double before, double after,
                            cdi_kept_holder *out) {
    cdi_v3 end[2];
    end[0] = cdi_v3_scale(cdi_v3_along(h->foot, h->u, h->lo - before), 1.0 / s->scale);
    end[1] = cdi_v3_scale(cdi_v3_along(h->foot, h->u, h->hi + after), 1.0 / s->scale);
    out->cone = h->cone;
    for (int i = 0; i < 2; ++i) {
        cd_vec3 rounded = cdi_v3_round(end[i]); /* straight into the array tcc gets wrong */
        if (!(cdi_v3_max_abs(end[i]) <= (double)CD_REAL_MAX)) return false;
        out->end[i] = rounded;
    }
    out->from = cdi_v3_scale(cdi_v3_of(out->end[0]), s->scale);
    out->to = cdi_v3_scale(cdi_v3_of(out->end[1]), s->scale);
    out->d = cdi_v3_sub(out->to, out->from);
    out->u = cdi_v3_normalize(out->d);
    out->h = cdi_v3_length(out->d);
    return true;
}

/* The radius that the stored ends need, to rounding; infinite when something is behind the apex. */
static double cdi_holder_need(const cdi_held *s, const cdi_kept_holder *c) {
    double need = 0.0;
    if (!(c->h > 0.0)) return cdi_infinity();
    for (size_t i = 0; i < s->count; ++i) {
        cdi_hoop h = cdi_held_at(s, i);
        cdi_v3 q = cdi_v3_sub(h.c, c->from);
        double out = cdi_v3_length(cdi_v3_cross(q, c->d)) / c->h + h.r, x = c->h;
        if (c->cone && out > 0.0) {
            x = cdi_v3_dot(q, c->u);
            if (h.r > 0.0) x -= h.r * cdi_v3_length(cdi_v3_cross(h.u, c->u));
            if (!(x > 0.0)) return cdi_infinity();
        }
        need = cdi_max(need, out * (c->h / x));
    }
    return need;
}

/* Does the vector go along a world axis? */
static bool cdi_along_the_world(cdi_v3 d) {
    return (d.x != 0.0) + (d.y != 0.0) + (d.z != 0.0) == 1;
}

/* Is the hoop inside? By numbers that are clear of rounding, unless it is across the axis and about it. */
static bool cdi_holder_holds_hoop(const cdi_held *s, const cdi_kept_holder *c, size_t i) {
    cdi_hoop h = cdi_held_at(s, i);
    cdi_v3 q = cdi_v3_sub(h.c, c->from), off = cdi_v3_cross(q, c->d), across = cdi_v3_cross(h.u, c->d);
    double tilt = h.r * cdi_v3_length(across) / c->h, x = cdi_v3_dot(q, c->u),
           slack = 1e-14 * cdi_max(s->size, c->radius);
    double out = cdi_v3_length(off) / c->h + h.r, lowest = x - tilt;
    if (h.r == 0.0 && c->cone) return cdi_in_cone(h.c, c->from, c->to, c->radius);
    if (h.r == 0.0) return cdi_in_cylinder(h.c, c->from, c->to, c->radius);
    if (!cdi_along_the_world(c->d)) tilt = cdi_max(tilt, slack);
    if (tilt > 0.0 && !(x - tilt >= slack && x + tilt <= c->h - slack)) return false;
    if (!(tilt > 0.0) && (cdi_along_sign(c->from, c->to, h.c) < 0 || cdi_along_sign(c->to, c->from, h.c) < 0))
        return false;
    if (!(tilt > 0.0) && cdi_v3_is_zero(off) && (!c->cone || cdi_v3_is_zero(cdi_v3_sub(h.c, c->to))))
        return h.r <= c->radius;
    if (!c->cone) return out + slack <= c->radius;
    return (out + slack) * c->h <= c->radius * (lowest - slack);
}

static bool cdi_holder_holds_point(const cdi_kept_holder *c, cdi_v3 p) {
    cdi_v3 a = cdi_v3_of(c->end[0]), b = cdi_v3_of(c->end[1]);
    return c->cone ? cdi_in_cone(p, a, b, (double)c->r) : cdi_in_cylinder(p, a, b, (double)c->r);
}

static bool cdi_holder_holds(const cdi_held *s, const cdi_kept_holder *c) {
    for (size_t i = 0; i < s->count; ++i) {
        if (s->points ? !cdi_holder_holds_point(c, cdi_v3_of(s->points[i])) : !cdi_holder_holds_hoop(s, c, i))
            return false;
    }
    return true;
}

/* x rounded up; false beyond the range. */
static bool cdi_holder_radius(const cdi_held *s, double x, cdi_kept_holder *c) {
    x /= s->scale;
    if (!(x <= (double)CD_REAL_MAX)) return false;
    c->r = (cd_real)x;
    if ((double)c->r < x) c->r = cdi_next_real(c->r, true);
    c->radius = (double)c->r * s->scale;
    return true;
}

/* Rounds, and moves the ends and the side out by twice as much each time, from nothing, until all is held. A thin cone whose
 * apex was rounded to one side may need a wide base: then the apex goes back first. */
static cd_status cdi_holder_store(const cdi_held *s, const cdi_holder *h, cdi_kept_holder *out) {
    double step = 0.0, most = 1e-6, need, height = h->hi - h->lo;
    double lean = !h->cone ? 0.0 : h->r * 1e6 > height ? height / h->r : 1e6;
    for (int i = 0; i < 200; ++i) {
        if (!cdi_holder_ends(s, h, step * (1.0 + lean), step, out)) return CD_TOO_LARGE;
        need = cdi_holder_need(s, out);
        if (!h->cone || need <= h->r * (1.0 + most) + 4.0 * step) {
            if (cdi_holder_radius(s, need + step, out) && cdi_holder_holds(s, out)) return CD_OK;
        }
        step = step > 0.0 ? 2.0 * step : (double)CD_REAL_EPSILON * s->size;
        most *= 2.0;
    }
    return CD_TOO_LARGE;
}

/* ---- around points ---- */

static cd_status cdi_round_around(const cd_vec3 *points, size_t count, bool cone, cdi_kept_holder *c) {
    cdi_held s;
    cdi_m3 axes;
    cdi_holder h;
    cdi_clear(c, sizeof *c);
    if (!cdi_held_points(&s, points, count, &axes)) return CD_INVALID_ARGUMENT;
    c->end[0] = c->end[1] = points[0];
    if (cdi_points_equal(points, count)) return CD_OK;
    h = cdi_holder_best(&s, axes.c, 3, cone);
    return cdi_holder_store(&s, &h, c);
}

CD_API cd_status cd_cylinder_from_points(const cd_vec3 *points, size_t count, cd_cylinder *out) {
    cdi_kept_holder c;
    cd_status status = cdi_round_around(points, count, false, &c);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    out->a = c.end[0];
    out->b = c.end[1];
    out->radius = c.r;
    return CD_OK;
}

CD_API cd_status cd_cone_from_points(const cd_vec3 *points, size_t count, cd_cone *out) {
    cdi_kept_holder c;
    cd_status status = cdi_round_around(points, count, true, &c);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    out->apex = c.end[0];
    out->base = c.end[1];
    out->radius = c.r;
    return CD_OK;
}

/* How far the points are from the disc's plane, rounded up; 0 where they are on it, exactly. */
static double cdi_disc_thickness(const cdi_held *s, const cd_disc *d) {
    cdi_v3 c = cdi_v3_scale(cdi_v3_of(d->center), s->scale), n = cdi_v3_of(d->normal),
           u = cdi_v3_normalize(n);
    double thickness = 0.0;
    bool flat = true;
    for (size_t i = 0; i < s->count; ++i) {
        cdi_v3 p = cdi_v3_of(s->points[i]);
        flat = flat && cdi_height_sign(n, cdi_v3_of(d->center), 0.0, p) == 0;
        thickness = cdi_max(thickness, cdi_abs(cdi_v3_dot(cdi_v3_sub(cdi_v3_scale(p, s->scale), c), u)));
    }
    return flat ? 0.0 : thickness + 3e-15 * s->size;
}

static bool cdi_disc_holds(const cdi_held *s, const cd_disc *d) {
    cdi_axis3d axis = cdi_axis_of(cdi_v3_make(0.0, 0.0, 0.0), cdi_v3_of(d->normal));
    for (size_t i = 0; i < s->count; ++i) {
        if (cdi_beside_axis(cdi_v3_of(d->center), axis, (double)d->radius, cdi_v3_of(s->points[i])) > 0)
            return false;
    }
    return true;
}

static cd_status cdi_disc_around(const cdi_held *s, cdi_v3 normal, cd_disc *d, cd_real *thickness) {
    cdi_holder h = cdi_cylinder_along(s, normal);
    cdi_v3 center = cdi_v3_along(h.foot, h.u, 0.5 * h.lo + 0.5 * h.hi);
    cdi_kept_holder c;
    double step = 0.0;
    if (!cdi_holder_ends(s, &h, 0.0, 0.0, &c)) return CD_TOO_LARGE;
    d->center = cdi_v3_round(cdi_v3_scale(center, 1.0 / s->scale));
    d->normal = cdi_v3_round(normal);
    c.from = cdi_v3_scale(cdi_v3_of(d->center), s->scale);
    c.d = cdi_v3_of(d->normal);
    c.h = cdi_v3_length(c.d);
    for (int i = 0; i < 60; ++i) {
        if (!cdi_holder_radius(s, cdi_holder_need(s, &c) + step, &c)) return CD_TOO_LARGE;
        d->radius = c.r;
        if (cdi_disc_holds(s, d)) break;
        step = step > 0.0 ? 2.0 * step : 1e-16 * s->size;
    }
    if (!cdi_holder_radius(s, cdi_disc_thickness(s, d), &c)) return CD_TOO_LARGE;
    if (thickness) *thickness = c.r;
    return CD_OK;
}

CD_API cd_status cd_disc_from_points(const cd_vec3 *points, size_t count, cd_disc *out, cd_real *thickness) {
    cdi_held s;
    cdi_m3 axes;
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (thickness) *thickness = 0;
    if (!cdi_held_points(&s, points, count, &axes)) return CD_INVALID_ARGUMENT;
    out->center = points[0];
    out->normal = cd_vec3_make(0, 0, 1);
    if (cdi_points_equal(points, count)) return CD_OK;
    status = cdi_disc_around(&s, axes.c[2], out, thickness);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}

/* ---- around two ---- */

/* Does the stored shape hold the ends of the other? */
static bool cdi_frustum_holds(const cdi_held *s, const cdi_frustum *f, bool cone, int first) {
    cdi_kept_holder c;
    cdi_v3 p = s->hoop[first].c, q = s->hoop[first + 1].c;
    if (!(f->h > 0.0)) { /* a point holds the same point */
        cdi_v3 own = cdi_v3_scale(f->end[0], s->scale);
        return cdi_v3_is_zero(cdi_v3_sub(p, own)) && cdi_v3_is_zero(cdi_v3_sub(q, own)) &&
               s->hoop[first + 1].r == 0.0;
    }
    cdi_clear(&c, sizeof c);
    c.cone = cone;
    c.from = cdi_v3_scale(f->end[0], s->scale);
    c.to = cdi_v3_scale(f->end[1], s->scale);
    c.d = cdi_v3_sub(c.to, c.from);
    c.u = f->u;
    c.h = cdi_v3_length(c.d);
    c.radius = f->r[1] * s->scale;
    return c.h > 0.0 && cdi_holder_holds_hoop(s, &c, (size_t)first) &&
           cdi_holder_holds_hoop(s, &c, (size_t)first + 1);
}

/* CD_OK: see out; otherwise *which is the one that will do, or none (-1). */
static bool cdi_round_merge(const cdi_frustum f[2], const bool valid[2], bool cone, cdi_kept_holder *out,
                            int *which) {
    cdi_held s;
    cdi_holder h;
    cdi_v3 axes[3];
    *which = valid[0] ? 0 : valid[1] ? 1 : -1;
    if (!valid[0] || !valid[1]) return false;
    cdi_held_ends(&s, &f[0], &f[1]);
    if (cdi_frustum_holds(&s, &f[0], cone, 2)) return false;
    *which = 1;
    if (cdi_frustum_holds(&s, &f[1], cone, 0)) return false;
    *which = -1;
    axes[0] = f[0].u;
    axes[1] = f[1].u;
    axes[2] = cdi_v3_sub(cdi_v3_add(s.hoop[2].c, s.hoop[3].c), cdi_v3_add(s.hoop[0].c, s.hoop[1].c));
    axes[2] = cdi_v3_normalize(axes[2]);
    h = cdi_holder_best(&s, axes, cdi_v3_is_zero(axes[2]) ? 2 : 3, cone);
    return cdi_holder_store(&s, &h, out) == CD_OK;
}

CD_API cd_cylinder cd_merge_cylinder_cylinder(const cd_cylinder *a, const cd_cylinder *b) {
    cdi_frustum f[2];
    bool valid[2];
    cdi_kept_holder c;
    cd_cylinder r;
    int which;
    valid[0] = cdi_frustum_of_cylinder(&f[0], a);
    valid[1] = cdi_frustum_of_cylinder(&f[1], b);
    cdi_clear(&r, sizeof r);
    r.radius = -1;
    if (!cdi_round_merge(f, valid, false, &c, &which)) return which == 0 ? *a : which == 1 ? *b : r;
    r.a = c.end[0];
    r.b = c.end[1];
    r.radius = c.r;
    return r;
}

CD_API cd_cone cd_merge_cone_cone(const cd_cone *a, const cd_cone *b) {
    cdi_frustum f[2];
    bool valid[2];
    cdi_kept_holder c;
    cd_cone r;
    int which;
    valid[0] = cdi_frustum_of_cone(&f[0], a);
    valid[1] = cdi_frustum_of_cone(&f[1], b);
    cdi_clear(&r, sizeof r);
    r.radius = -1;
    if (!cdi_round_merge(f, valid, true, &c, &which)) return which == 0 ? *a : which == 1 ? *b : r;
    r.apex = c.end[0];
    r.base = c.end[1];
    r.radius = c.r;
    return r;
}

#undef CDI_CONE_LEAST
