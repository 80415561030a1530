#include "query/ccd.h"
#include "query/flat3d.h"

/* The points of one less the points of the other, at t, are
 *
 *     A - u E - v F,  u, v >= 0,  u + v <= 1 for a vertex and a face,  u, v <= 1 for two edges,
 *
 * where A, E and F move evenly. All bounds below are for the A, E, F that were computed: each component of them is within 2^-53 of
 * its own, so that the figure is nowhere farther than 2^-52 (|A| + |E| + |F|) from the true one, |.| the largest component; that is
 * added to what the two have to be apart. */

enum { CDI_CCD_STEPS = 256, CDI_CCD_CUTS = 24 };

typedef struct cdi_ccd {
    cdi_v3 a[2], e[2], f[2];             /* at t = 0 and 1 */
    bool square;                         /* two edges */
    double extent, size, e_size, f_size; /* the largest component of all, their sum, those of E and F */
    double t_min, t_max, separation, tolerance;
    int shift;                    /* all lengths are times 2^shift */
    double cubic[4], cubic_noise; /* Bernstein coefficients of A . (E x F); bound on its error */
    double turning;               /* bound on the derivative of E x F; only with a separation */
} cdi_ccd;

/* ---- the question ---- */

/* The box that `count` corners sweep. */
static void cdi_ccd_box(const cd_vec3 *start, const cd_vec3 *end, int count, cd_vec3 *lo, cd_vec3 *hi) {
    *lo = cd_vec3_min(start[0], end[0]);
    *hi = cd_vec3_max(start[0], end[0]);
    for (int i = 1; i < count; ++i) {
        *lo = cd_vec3_min(*lo, cd_vec3_min(start[i], end[i]));
        *hi = cd_vec3_max(*hi, cd_vec3_max(start[i], end[i]));
    }
}

static bool cdi_ccd_above_on_an_axis(cd_vec3 lo, cd_vec3 hi, double separation) {
    return (double)lo.x - (double)hi.x > separation || (double)lo.y - (double)hi.y > separation ||
           (double)lo.z - (double)hi.z > separation;
}

/* Are the boxes of the corners before `split` and of those from there on apart on an axis? */
static bool cdi_ccd_boxes_apart(const cd_vec3 *start, const cd_vec3 *end, int split, double separation) {
    cd_vec3 alo, ahi, blo, bhi;
    separation *= 1.0000000000000018; /* more than the rounding of a difference takes away */
    cdi_ccd_box(start, end, split, &alo, &ahi);
    cdi_ccd_box(start + split, end + split, 4 - split, &blo, &bhi);
    return cdi_ccd_above_on_an_axis(alo, bhi, separation) || cdi_ccd_above_on_an_axis(blo, ahi, separation);
}

static double cdi_ccd_largest(const cdi_v3 *pair) {
    return cdi_max(cdi_v3_max_abs(pair[0]), cdi_v3_max_abs(pair[1]));
}

static cdi_v3 cdi_ccd_less(cd_vec3 a, cd_vec3 b, int shift) {
    return cdi_v3_sub(cdi_v3_scale2(cdi_v3_of(a), shift), cdi_v3_scale2(cdi_v3_of(b), shift));
}

/* A, E and F from the corners at one time. */
static void cdi_ccd_part(const cdi_ccd *c, const cd_vec3 *p, int shift, cdi_v3 *a, cdi_v3 *e, cdi_v3 *f) {
    *a = cdi_ccd_less(p[0], p[c->square ? 2 : 1], shift);
    *e = c->square ? cdi_ccd_less(p[0], p[1], shift) : cdi_ccd_less(p[2], p[1], shift);
    *f = cdi_ccd_less(p[3], p[c->square ? 2 : 1], shift);
}

static void cdi_ccd_differences(cdi_ccd *c, const cd_vec3 *start, const cd_vec3 *end, int shift) {
    cdi_ccd_part(c, start, shift, &c->a[0], &c->e[0], &c->f[0]);
    cdi_ccd_part(c, end, shift, &c->a[1], &c->e[1], &c->f[1]);
}

static void cdi_ccd_sizes(cdi_ccd *c) {
    double a = cdi_ccd_largest(c->a);
    c->e_size = cdi_ccd_largest(c->e);
    c->f_size = cdi_ccd_largest(c->f);
    c->extent = cdi_max(a, cdi_max(c->e_size, c->f_size));
    c->size = a + c->e_size + c->f_size;
}

static void cdi_ccd_scale(cdi_v3 *pair, int shift) {
    pair[0] = cdi_v3_scale2(pair[0], shift);
    pair[1] = cdi_v3_scale2(pair[1], shift);
}

/* Of lengths as small as the tolerance the products underflow sooner than elsewhere. */
static int cdi_ccd_shift(double extent) {
    int e = cdi_exponent(extent);
    return e < -100 ? -e : cdi_tame_shift(extent);
}

/* Far outside the domain, and at its lower end, all is scaled: the corners where differences overflow, else the differences. What is then
 * too little for the type is in cdi_ccd_noise. */
static void cdi_ccd_tame(cdi_ccd *c, const cd_vec3 *start, const cd_vec3 *end) {
    bool beyond = !(c->extent <= CDI_HUGE);
    c->shift = beyond ? -1030 : cdi_ccd_shift(c->extent);
    if (c->shift == 0 || c->extent == 0.0) {
        c->shift = 0;
        return;
    }
    if (beyond) cdi_ccd_differences(c, start, end, c->shift);
    if (!beyond) {
        cdi_ccd_scale(c->a, c->shift);
        cdi_ccd_scale(c->e, c->shift);
        cdi_ccd_scale(c->f, c->shift);
    }
    cdi_ccd_sizes(c);
}

/* False when it makes no sense. */
static bool cdi_ccd_options_read(cdi_ccd *c, const cd_ccd_options *options) {
    c->t_min = c->separation = c->tolerance = 0.0;
    c->t_max = 1.0;
    if (!options) return true;
    c->t_min = cdi_max((double)options->t_min, 0.0);
    c->separation = cdi_max((double)options->min_separation, 0.0);
    c->tolerance = cdi_max((double)options->tolerance, 0.0);
    if (options->t_max != 0) c->t_max = cdi_min((double)options->t_max, 1.0);
    return cdi_no_excess(cdi_excess_of(options->t_min) | cdi_excess_of(options->t_max) |
                         cdi_excess_of(options->min_separation) | cdi_excess_of(options->tolerance)) &&
           c->t_min <= c->t_max;
}

static void cdi_ccd_lengths(cdi_ccd *c) {
    double most = 16.0 * c->extent; /* nothing is farther apart */
    c->separation = cdi_min(cdi_scale2(c->separation, c->shift), most);
    c->tolerance = cdi_min(cdi_scale2(c->tolerance, c->shift), most);
    if (c->tolerance == 0.0) c->tolerance = c->extent * 2.3283064365386963e-10; /* 2^-32 */
    c->tolerance = cdi_max(c->tolerance, c->extent * 1.1368683772161603e-13);   /* 2^-43 */
}

/* A bound on the error of products of `most`, the underflow of which is no share of them: a component of 2^-1074 is wholly off. */
static double cdi_ccd_noise(const cdi_ccd *c, double most) {
    return (most + (1.0 + c->size) * 9.332636185032189e-302) * 2.8421709430404007e-14; /* 2^-1000, 2^-45 */
}

/* ---- polynomials ----
 * Cubics in Bernstein form on [0, 1]. A bound on the error of the coefficients is one on that of the values. */

/* Those of the same polynomial on [t, 1], or on [0, t] (de Casteljau). */
CDI_HOT void cdi_ccd_cut(double p[4], double t, bool after) {
    double s = 1.0 - t, a = s * p[0] + t * p[1], b = s * p[1] + t * p[2], c = s * p[2] + t * p[3];
    double d = s * a + t * b, e = s * b + t * c, f = s * d + t * e;
    p[after ? 0 : 3] = f;
    p[1] = after ? e : a;
    p[2] = after ? c : d;
}

/* Where the line from (i, a) to (j, -b) comes to zero, a > 0 and b >= 0; beyond 3 otherwise. */
CDI_HOT double cdi_ccd_zero(double i, double a, double j, double b) {
    return a > 0.0 && b >= 0.0 ? i + (j - i) * (a / (a + b)) : 6.0;
}

/* The first zero of the hull of the points (i / 3, p[i] - margin), p[0] > margin; 2 when there is none. */
static double cdi_ccd_hull_zero(const double p[4], double margin) {
    double a = p[0] - margin, b = p[1] - margin, c = p[2] - margin, d = p[3] - margin, zero;
    if (b > 0.0 && c > 0.0 && d > 0.0) return 2.0;
    zero = cdi_min(cdi_ccd_zero(0.0, a, 1.0, -b),
                   cdi_min(cdi_ccd_zero(0.0, a, 2.0, -c), cdi_ccd_zero(0.0, a, 3.0, -d)));
    zero = cdi_min(zero, cdi_min(cdi_ccd_zero(1.0, b, 2.0, -c), cdi_ccd_zero(1.0, b, 3.0, -d)));
    return cdi_min(zero, cdi_ccd_zero(2.0, c, 3.0, -d)) / 3.0;
}

/* The polynomial's magnitude stays above the margin from t on up to the time that is given back: t for none, 2 for the end. Where
 * the hull is too wide to tell, as before a double root, that of a shorter piece is looked at. It may come back once the
 * magnitude is below `enough`. */
static double cdi_ccd_clear(const double from[4], double margin, double enough, double t) {
    double part = 1.0;
    for (int cuts = 0; cuts < CDI_CCD_CUTS; ++cuts) {
        double p[4], zero;
        for (int i = 0; i < 4; ++i) p[i] = from[i];
        if (t > 0.0) cdi_ccd_cut(p, t, true);
        if (part < 1.0) cdi_ccd_cut(p, part, false);
        if (p[0] < 0.0) {
            for (int i = 0; i < 4; ++i) p[i] = -p[i];
        }
        if (!(p[0] > margin)) return t;
        zero = cdi_ccd_hull_zero(p, margin);
        if (zero > 1.0 && part == 1.0) return 2.0;
        t +=
            (1.0 - t) * (part * (cdi_min(zero, 1.0) * 0.99999999999999645)); /* 1 - 2^-48, for the rounding */
        part = zero > 1.0 ? cdi_min(8.0 * part, 1.0) : zero < 0.25 ? 0.25 * part : part;
        if (p[0] < enough) return t;
    }
    return t;
}

/* ---- the plane ---- */

/* A . (E x F). Each coefficient is a mean of triple products, and within 2^-47 |A| |E| |F| of right; cutting, the rounding of t and
 * that of A, E, F stay below the rest of the 2^-45. */
static void cdi_ccd_cubic(cdi_ccd *c) {
    cdi_v3 first = cdi_v3_cross(c->e[0], c->f[0]), last = cdi_v3_cross(c->e[1], c->f[1]);
    cdi_v3 mixed = cdi_v3_add(cdi_v3_cross(c->e[0], c->f[1]), cdi_v3_cross(c->e[1], c->f[0]));
    c->cubic[0] = cdi_v3_dot(c->a[0], first);
    c->cubic[1] = (cdi_v3_dot(c->a[1], first) + cdi_v3_dot(c->a[0], mixed)) / 3.0;
    c->cubic[2] = (cdi_v3_dot(c->a[0], last) + cdi_v3_dot(c->a[1], mixed)) / 3.0;
    c->cubic[3] = cdi_v3_dot(c->a[1], last);
    c->cubic_noise = cdi_ccd_noise(c, c->size * c->e_size * c->f_size);
    if (c->separation == 0.0) return;
    c->cubic_noise *= 2.0;
    mixed = cdi_v3_scale(mixed, 0.5);
    c->turning = 2.0 * cdi_max(cdi_v3_norm(cdi_v3_sub(mixed, first)), cdi_v3_norm(cdi_v3_sub(last, mixed)));
}

static cdi_v3 cdi_ccd_at(const cdi_v3 *pair, double t) {
    double s = 1.0 - t;
    return cdi_v3_make(s * pair[0].x + t * pair[1].x, s * pair[0].y + t * pair[1].y,
                       s * pair[0].z + t * pair[1].z);
}

static cdi_v3 cdi_ccd_normal(const cdi_ccd *c, double t) {
    return cdi_v3_cross(cdi_ccd_at(c->e, t), cdi_ccd_at(c->f, t));
}

/* With a separation the cubic has to be as large as that times the figure's area, which is bounded on a stretch: the longest
 * stretch of a few that is worth while. */
static double cdi_ccd_plane_apart(const cdi_ccd *c, double t) {
    double area = cdi_v3_norm(cdi_ccd_normal(c, t)), stretch = 1.0 - t, until = t;
    for (int i = 0; i < 12 && until - t <= 0.125 * stretch; ++i) {
        double margin = c->cubic_noise + c->separation * (area + c->turning * stretch);
        until = cdi_max(
            until, cdi_min(cdi_ccd_clear(c->cubic, margin, 1.0625 * margin, t), i == 0 ? 2.0 : t + stretch));
        stretch *= 0.125;
    }
    return until;
}

/* Off the plane until? Once that is near enough to be touched, it is for the nearest point to tell. */
static double cdi_ccd_plane(const cdi_ccd *c, double t) {
    double enough = 0.25 * c->tolerance * cdi_v3_max_abs(cdi_ccd_normal(c, t));
    if (c->separation > 0.0) return cdi_ccd_plane_apart(c, t);
    return cdi_ccd_clear(c->cubic, c->cubic_noise, cdi_max(enough, 2.0 * c->cubic_noise), t);
}

/* ---- the nearest point ---- */

typedef struct cdi_ccd_near {
    cdi_v3 point; /* of the figure, nearest to the origin */
    double distance, u, v;
} cdi_ccd_near;

static cdi_ccd_near cdi_ccd_nearest(const cdi_ccd *c, double t) {
    cdi_v3 a = cdi_ccd_at(c->a, t), e = cdi_ccd_at(c->e, t), f = cdi_ccd_at(c->f, t);
    cdi_v3 origin = cdi_v3_make(0.0, 0.0, 0.0);
    cdi_ccd_near r;
    if (c->square) {
        cdi_bridge gap = cdi_near_segments(a, cdi_v3_sub(a, e), origin, f);
        r.point = cdi_v3_neg(gap.between);
        r.u = gap.s;
        r.v = gap.t;
    } else {
        cdi_tri face;
        cdi_near nearest;
        face.v[0] = a;
        face.v[1] = cdi_v3_sub(a, e);
        face.v[2] = cdi_v3_sub(a, f);
        nearest = cdi_near_triangle(origin, &face);
        r.point = nearest.point;
        r.u = nearest.u;
        r.v = nearest.v;
    }
    r.distance = cdi_v3_norm(r.point);
    return r;
}

static bool cdi_ccd_is_inside(const cdi_ccd *c, const cdi_ccd_near *at) {
    return at->u > 0.0 && at->v > 0.0 && (c->square ? at->u < 1.0 && at->v < 1.0 : at->u + at->v < 1.0);
}

static bool cdi_ccd_is_contact(const cdi_ccd *c, const cdi_ccd_near *at) {
    return at->distance <= c->separation + c->tolerance;
}

/* ---- seen in a plane ---- */

/* A, E and F along two perpendicular directions, at t = 0 and 1. */
typedef struct cdi_ccd_view {
    double ax[2], ay[2], ex[2], ey[2], fx[2], fy[2];
} cdi_ccd_view;

/* The edge that matters next: of those that the nearest point is on, the one that is most across the way to it; inside, the longest. */
static int cdi_ccd_edge(const cdi_ccd *c, const cdi_ccd_near *at, const cdi_v3 edges[3], cdi_v3 way) {
    bool on[3];
    int best = 0;
    double least = CDI_HUGE;
    on[0] = at->v <= 0.0 || (c->square && at->v >= 1.0);
    on[1] = at->u <= 0.0 || (c->square && at->u >= 1.0);
    on[2] = !c->square && at->u + at->v >= 0.9999999999999998;
    for (int i = 0; i < 3 - c->square; ++i) {
        double square = cdi_v3_sqlength(edges[i]), along = cdi_v3_dot(way, edges[i]);
        double cost = on[i] ? along * along / square - 1.0 : 1.0 / square;
        if (!(square > 0.0) || !(cost < least)) continue;
        least = cost;
        best = i;
    }
    return best;
}

/* The unit way to the nearest point has no more digits than the point, too few for far corners when that is near. But an edge that
 * it is across but for rounding it is across. */
static cdi_v3 cdi_ccd_squared(cdi_v3 way, cdi_v3 edge, double noise) {
    double along = cdi_v3_dot(way, edge), square = cdi_v3_sqlength(edge);
    if (!(square > 0.0) || along * along > noise * noise * square) return way;
    return cdi_v3_unit(cdi_v3_along(way, edge, -along / square));
}

static cdi_v3 cdi_ccd_across(cdi_v3 edge, cdi_v3 way) {
    cdi_v3 across = cdi_v3_unit(cdi_v3_along(edge, way, -cdi_v3_dot(edge, way)));
    return cdi_v3_is_zero(across) ? cdi_across(way) : across;
}

static void cdi_ccd_seen(const cdi_v3 *pair, cdi_v3 axis, double *out) {
    out[0] = cdi_v3_dot(pair[0], axis);
    out[1] = cdi_v3_dot(pair[1], axis);
}

/* Until when a height that moves evenly is above the margin. */
static double cdi_ccd_above(double from, double to, double margin, double t) {
    double now = (1.0 - t) * from + t * to, until;
    if (!(now > margin)) return t;
    if (to >= from || to > margin) return 2.0;
    until = t + (now - margin) / (from - to) * 0.99999999999999645;
    return cdi_max(until, t);
}

/* All corners on the far side of the way's plane until? */
static double cdi_ccd_parted(const cdi_ccd *c, const double *a, const double *e, const double *f, double t) {
    double margin = c->separation + c->size * 7.1054273576010019e-15; /* 2^-47 */
    double until = cdi_ccd_above(a[0], a[1], margin, t);
    until = cdi_min(until, cdi_ccd_above(a[0] - e[0], a[1] - e[1], margin, t));
    until = cdi_min(until, cdi_ccd_above(a[0] - f[0], a[1] - f[1], margin, t));
    if (c->square) until = cdi_min(until, cdi_ccd_above(a[0] - e[0] - f[0], a[1] - e[1] - f[1], margin, t));
    return until;
}

/* How long an edge is as seen; on a stretch of time it is never longer than at one of its ends. */
static double cdi_ccd_seen_length(const double *dx, const double *dy, double t) {
    return cdi_v3_norm(cdi_v3_make((1.0 - t) * dx[0] + t * dx[1], (1.0 - t) * dy[0] + t * dy[1], 0.0));
}

/* The area beside an edge stays above the margin until? With a separation it has to be as large as that times the edge's length, too: of
 * an edge that grows the length at the end would be too much to come near, so shorter stretches are tried while they are worth it. */
static double cdi_ccd_side_clear(const cdi_ccd *c, const double area[4], const double *dx, const double *dy,
                                 double noise, double t) {
    double stretch = 1.0 - t, until = t, length;
    if (c->separation == 0.0) return cdi_ccd_clear(area, noise, 2.0 * noise, t);
    length = cdi_ccd_seen_length(dx, dy, t);
    for (int i = 0; i < 8 && until - t <= 0.125 * stretch; ++i) {
        double end = i == 0 ? 1.0 : t + stretch;
        double margin = noise + c->separation * cdi_max(length, cdi_ccd_seen_length(dx, dy, end));
        until = cdi_max(until, cdi_min(cdi_ccd_clear(area, margin, 1.0625 * margin, t), i == 0 ? 2.0 : end));
        stretch *= 0.125;
    }
    return until;
}

/* An edge of the figure as seen, from (x, y) on: on which side it has the origin, and until when beyond doubt. Twice the area that
 * the two make is within 2^-46 of the figure's size times the edge's. */
static void cdi_ccd_side(const cdi_ccd *c, const double *x, const double *y, const double *dx,
                         const double *dy, double most, bool turned, double t, double until[2]) {
    double area[4], margin = cdi_ccd_noise(c, c->size * most);
    double mixed = (x[0] * dy[1] - y[0] * dx[1]) + (x[1] * dy[0] - y[1] * dx[0]), now;
    int side;
    area[0] = x[0] * dy[0] - y[0] * dx[0];
    area[3] = x[1] * dy[1] - y[1] * dx[1];
    area[1] = (area[0] + mixed) / 3.0; /* as a cubic */
    area[2] = (area[3] + mixed) / 3.0;
    now = (1.0 - t) * ((1.0 - t) * area[0] + t * mixed) + t * (t * area[3]);
    side = (now > 0.0) != turned;
    until[side] = cdi_max(until[side], cdi_ccd_side_clear(c, area, dx, dy, margin, t));
}

static void cdi_ccd_minus(const double a[2], const double b[2], double out[2]) {
    out[0] = a[0] - b[0];
    out[1] = a[1] - b[1];
}

/* A convex figure that holds the origin has it on one side of all its edges, whichever way it turns: so it is outside as long as
 * two edges have it on different sides. Corners A, A - E, perhaps A - E - F, A - F. */
static double cdi_ccd_outside(const cdi_ccd *c, const cdi_ccd_view *p, double t) {
    double until[2], ex[2], ey[2], fx[2], fy[2], x[2], y[2];
    until[0] = until[1] = t;
    cdi_ccd_minus(p->ax, p->ex, ex);
    cdi_ccd_minus(p->ay, p->ey, ey);
    cdi_ccd_minus(p->ax, p->fx, fx);
    cdi_ccd_minus(p->ay, p->fy, fy);
    cdi_ccd_side(c, p->ax, p->ay, p->ex, p->ey, c->e_size, true, t, until);
    cdi_ccd_side(c, p->ax, p->ay, p->fx, p->fy, c->f_size, false, t, until);
    if (c->square) {
        cdi_ccd_side(c, ex, ey, p->fx, p->fy, c->f_size, true, t, until);
        cdi_ccd_side(c, fx, fy, p->ex, p->ey, c->e_size, false, t, until);
    } else {
        cdi_ccd_minus(p->ex, p->fx, x);
        cdi_ccd_minus(p->ey, p->fy, y);
        cdi_ccd_side(c, ex, ey, x, y, c->e_size + c->f_size, false, t, until);
    }
    return cdi_min(until[0], until[1]);
}

/* Apart until, as the way to the nearest point and the edge there tell? */
static double cdi_ccd_aside(const cdi_ccd *c, const cdi_ccd_near *at, double t) {
    cdi_v3 way = cdi_v3_unit(at->point), edges[3], other, across;
    double noise = c->size * 7.1054273576010019e-15 / at->distance, until; /* 2^-47 */
    cdi_ccd_view p;
    int edge;
    edges[0] = cdi_ccd_at(c->e, t);
    edges[1] = cdi_ccd_at(c->f, t);
    edges[2] = cdi_v3_sub(edges[0], edges[1]);
    edge = cdi_ccd_edge(c, at, edges, way);
    way = cdi_ccd_squared(way, edges[edge], noise);
    across = cdi_ccd_across(edges[edge], way);
    other = edges[edge == 0];
    way = cdi_ccd_squared(way, cdi_v3_along(other, across, -cdi_v3_dot(other, across)), noise);
    cdi_ccd_seen(c->a, way, p.ax);
    cdi_ccd_seen(c->e, way, p.ex);
    cdi_ccd_seen(c->f, way, p.fx);
    until = cdi_ccd_parted(c, p.ax, p.ex, p.fx, t);
    if (until - t >= 0.25 * (c->t_max - t)) return until;
    cdi_ccd_seen(c->a, across, p.ay);
    cdi_ccd_seen(c->e, across, p.ey);
    cdi_ccd_seen(c->f, across, p.fy);
    return cdi_max(until, cdi_ccd_outside(c, &p, t));
}

/* ---- the answer ---- */

/* Rounded towards the start. */
static cd_real cdi_ccd_time(double t) {
    cd_real rounded = (cd_real)t;
    return (double)rounded > t ? cdi_next_real(rounded, false) : rounded;
}

/* The point at t of a corner's way. */
static cdi_v3 cdi_ccd_corner(const cd_vec3 *start, const cd_vec3 *end, int i, double t) {
    cdi_v3 way[2];
    way[0] = cdi_v3_of(start[i]);
    way[1] = cdi_v3_of(end[i]);
    return cdi_ccd_at(way, t);
}

static cd_vec3 cdi_ccd_round(cdi_v3 v) {
    return cd_vec3_make(cdi_real_of(v.x), cdi_real_of(v.y), cdi_real_of(v.z));
}

static cd_vec3 cdi_ccd_on_edge(const cd_vec3 *start, const cd_vec3 *end, int i, double s, double t) {
    cdi_v3 edge[2];
    edge[0] = cdi_ccd_corner(start, end, i, t);
    edge[1] = cdi_ccd_corner(start, end, i + 1, t);
    return cdi_ccd_round(cdi_ccd_at(edge, s));
}

/* The vertex less the way to it, for the weights in a face that is nearly a line have few digits. In the larger scale of the two, where
 * no way is too long. */
static cd_vec3 cdi_ccd_on_face(const cdi_ccd *c, const cd_vec3 *start, const cd_vec3 *end,
                               const cdi_ccd_near *at, double t) {
    int shift = c->shift < 0 ? c->shift : 0;
    cdi_v3 vertex = cdi_v3_scale2(cdi_ccd_corner(start, end, 0, t), shift);
    cdi_v3 p = cdi_v3_sub(vertex, cdi_v3_scale2(at->point, shift - c->shift));
    return cdi_ccd_round(cdi_v3_scale2(p, -shift));
}

/* Across the figure where the nearest point is inside of it, which is right to the last digits also when touching, on the side of
 * that point or, touching, where the two come from; else along the way between the two, or against their motion. */
static cdi_v3 cdi_ccd_hit_normal(const cdi_ccd *c, const cdi_ccd_near *at, double t) {
    cdi_v3 plane = cdi_ccd_normal(c, t), speed, n;
    bool apart = at->distance > c->size * 1.4210854715202004e-14;                         /* 2^-46 */
    bool flat = cdi_v3_max_abs(plane) <= 3.637978807091713e-12 * (c->e_size * c->f_size); /* 2^-38 */
    double side;
    if (apart && (flat || !cdi_ccd_is_inside(c, at))) return cdi_v3_unit(at->point);
    speed = cdi_v3_along(cdi_v3_sub(c->a[1], c->a[0]), cdi_v3_sub(c->e[1], c->e[0]), -at->u);
    speed = cdi_v3_along(speed, cdi_v3_sub(c->f[1], c->f[0]), -at->v);
    side = apart ? cdi_v3_dot(at->point, plane) : -cdi_v3_dot(speed, plane);
    n = cdi_v3_unit(flat ? cdi_v3_neg(speed) : side < 0.0 ? cdi_v3_neg(plane) : plane);
    return cdi_v3_is_zero(n) ? cdi_v3_make(1.0, 0.0, 0.0) : n;
}

static void cdi_ccd_write(const cdi_ccd *c, const cd_vec3 *start, const cd_vec3 *end, double t,
                          uint32_t status, uint32_t steps, cd_ccd_hit *hit) {
    cdi_ccd_near at;
    if (!hit) return;
    hit->t = cdi_ccd_time(t);
    t = (double)hit->t;
    at = cdi_ccd_nearest(c, t);
    hit->distance = cdi_real_of(cdi_scale2(at.distance, -c->shift));
    hit->normal = cdi_v3_round(cdi_ccd_hit_normal(c, &at, t));
    hit->a =
        c->square ? cdi_ccd_on_edge(start, end, 0, at.u, t) : cdi_ccd_round(cdi_ccd_corner(start, end, 0, t));
    hit->b = c->square ? cdi_ccd_on_edge(start, end, 2, at.v, t) : cdi_ccd_on_face(c, start, end, &at, t);
    hit->u = (cd_real)at.u;
    hit->v = (cd_real)at.v;
    hit->status = status;
    hit->steps = steps;
}

/* From time to time: apart on the plane, near enough, apart aside. */
static bool cdi_ccd_run(const cdi_ccd *c, uint32_t most_steps, double *t, uint32_t *status, uint32_t *steps) {
    cdi_ccd_near at;
    for (*steps = 1, *t = c->t_min;; ++*steps) {
        *t = cdi_ccd_plane(c, *t);
        if (*t > c->t_max) return false;
        at = cdi_ccd_nearest(c, *t);
        if (cdi_ccd_is_contact(c, &at)) break;
        if (*steps == most_steps) {
            *status = CD_CCD_UNDECIDED;
            return true;
        }
        *t = cdi_ccd_aside(c, &at, *t);
        if (*t > c->t_max) return false;
    }
    *status = *t == c->t_min ? CD_CCD_START : CD_CCD_CONTACT;
    return true;
}

static bool cdi_ccd_finite(const cd_vec3 *start, const cd_vec3 *end) {
    cdi_real_bits excess = 0;
    for (int i = 0; i < 4; ++i) excess |= cdi_excess(start[i]) | cdi_excess(end[i]);
    return cdi_no_excess(excess);
}

static bool cdi_ccd_ask(bool square, const cd_vec3 *start, const cd_vec3 *end, const cd_ccd_options *options,
                        cd_ccd_hit *hit) {
    uint32_t most_steps = options && options->most_steps ? options->most_steps : (uint32_t)CDI_CCD_STEPS;
    uint32_t status, steps;
    double t;
    cdi_ccd c;
    c.square = square;
    if (!cdi_ccd_finite(start, end) || !cdi_ccd_options_read(&c, options)) return false;
    if (cdi_ccd_boxes_apart(start, end, square ? 2 : 1, c.separation)) return false;
    cdi_ccd_differences(&c, start, end, 0);
    cdi_ccd_sizes(&c);
    cdi_ccd_tame(&c, start, end);
    cdi_ccd_lengths(&c);
    cdi_ccd_cubic(&c);
    if (!cdi_ccd_run(&c, most_steps, &t, &status, &steps)) return false;
    cdi_ccd_write(&c, start, end, t, status, steps, hit);
    return true;
}

CD_API bool cd_ccd_vertex_face(const cd_vec3 start[4], const cd_vec3 end[4], const cd_ccd_options *options,
                               cd_ccd_hit *hit) {
    return cdi_ccd_ask(false, start, end, options, hit);
}

CD_API bool cd_ccd_edge_edge(const cd_vec3 start[4], const cd_vec3 end[4], const cd_ccd_options *options,
                             cd_ccd_hit *hit) {
    return cdi_ccd_ask(true, start, end, options, hit);
}

/* ---- many ---- */

static bool cdi_ccd_gather(const cd_vec3 *from, size_t vertex_count, const uint32_t *corners, cd_vec3 *out) {
    for (int i = 0; i < 4; ++i) {
        if (corners[i] >= vertex_count) return false;
        out[i] = from[corners[i]];
    }
    return true;
}

static size_t cdi_ccd_many(bool square, const cd_vec3 *start, const cd_vec3 *end, size_t vertex_count,
                           const uint32_t *corners, size_t count, const cd_ccd_options *options,
                           cd_ccd_hit *hits) {
    size_t found = 0;
    for (size_t i = 0; i < count; ++i) {
        cd_vec3 from[4], to[4];
        cd_ccd_hit *hit = hits ? hits + i : NULL;
        if (cdi_ccd_gather(start, vertex_count, corners + 4 * i, from) &&
            cdi_ccd_gather(end, vertex_count, corners + 4 * i, to) &&
            cdi_ccd_ask(square, from, to, options, hit)) {
            ++found;
        } else if (hit) {
            cdi_clear(hit, sizeof *hit);
            hit->status = CD_NONE;
        }
    }
    return found;
}

CD_API size_t cd_ccd_vertex_faces(const cd_vec3 *start, const cd_vec3 *end, size_t vertex_count,
                                  const uint32_t *corners, size_t count, const cd_ccd_options *options,
                                  cd_ccd_hit *hits) {
    return cdi_ccd_many(false, start, end, vertex_count, corners, count, options, hits);
}

CD_API size_t cd_ccd_edge_edges(const cd_vec3 *start, const cd_vec3 *end, size_t vertex_count,
                                const uint32_t *corners, size_t count, const cd_ccd_options *options,
                                cd_ccd_hit *hits) {
    return cdi_ccd_many(true, start, end, vertex_count, corners, count, options, hits);
}
