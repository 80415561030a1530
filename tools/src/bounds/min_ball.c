/* The smallest ball of a set is that of some one to four of its members, its support, which it touches from inside, with its
 * centre in the hull of theirs; so it can be found like the optimum of a linear program: as long as a site reaches out of the
 * ball of the support, the support is exchanged for that of itself and the site, and the ball grows (Welzl 1991; for spheres
 * Fischer and Gaertner 2003). The site is the farthest one (Gaertner 1999), since that takes the fewest exchanges.
 *
 * An exchange tries the subsets, at most 15, with the site in them, and keeps the ball that is nearest to holding all five; so
 * supports without rank (flat, in line, equal) are not special: their subsets do as well. Whole passes are what costs: the
 * search starts on a sample, and each pass hands over the farthest site of each of a few dozen stretches of the list, which
 * the support is exchanged with before the next pass. Passes ask about the centre as it will be stored; the search ends when no
 * site reaches farther from there than the support's ball and the rounding of the centre explain. */
#include "bounds/min_ball.h"
#include "core/twofold.h"

/* When a site counts as inside of a ball, relative to the radius. */
#ifdef COLLIDE_DOUBLE
#define CDI_MIN_BALL_SLACK 4.440892098500626e-16
#else
#define CDI_MIN_BALL_SLACK 3.725290298461914e-9 /* 1/32 of a unit in the last place */
#define CDI_MIN_BALL_NOISE 4.76837158203125e-7
#endif

/* Bounds that only rounding could make an endless loop meet. */
enum { CDI_MIN_BALL_PASSES = 1000, CDI_MIN_BALL_STALLED = 8, CDI_MIN_BALL_REFINED = 32 };

typedef struct cdi_support {
    cdi_ball b[4];
    int n;
    cdi_v3 c, low; /* the centre, and its tail */
    double r;      /* no ball that holds these is smaller */
} cdi_support;

/* ---- the ball that touches all of a support ----
 *
 * From the first centre, with d_i the others and s_i how much larger their radii are, the centre is x with |x| = rho and
 * |x - d_i| = rho - s_i; the difference of squares, x . d_i = (|d_i|^2 - s_i^2) / 2 + rho s_i, is linear. With vectors g_i of the
 * space of the d_i that have g_i . d_j = 1 for i = j and 0 otherwise, x is the sum of the right sides times g_i, and x . g_i are
 * the weights of the centres.
 *
 * In a double build the d_i have tails, the g_i are right to the last place but for the cancellation of one determinant, and a
 * step of Newton's method with residuals of twice the digits takes out what is left; so supports that are almost flat by 1e-7 of
 * their size have weights, too. Flatter ones are not needed: as their centre is as near to the plane, the ball of a face differs
 * by the square of that. */

typedef struct cdi_frame3 {
    cdi_v3 d[3], g[3];
    double s[3];
    int k;
#ifdef COLLIDE_DOUBLE
    cdi_two exact[3][4]; /* d and s */
#endif
} cdi_frame3;

/* d_i x d_j */
static cdi_v3 cdi_frame3_cross(const cdi_frame3 *f, int i, int j) {
#ifdef COLLIDE_DOUBLE
    const cdi_two *a = f->exact[i], *b = f->exact[j];
    return cdi_v3_make(cdi_product_difference(a[1], b[2], a[2], b[1]),
                       cdi_product_difference(a[2], b[0], a[0], b[2]),
                       cdi_product_difference(a[0], b[1], a[1], b[0]));
#else
    return cdi_v3_cross(f->d[i], f->d[j]);
#endif
}

/* False without rank. */
static bool cdi_frame3_dual(cdi_frame3 *f) {
    cdi_v3 n;
    double size;
    if (f->k == 0) return true;
    if (f->k == 1) {
        size = cdi_v3_sqlength(f->d[0]);
        f->g[0] = cdi_v3_scale(f->d[0], 1.0 / size);
        return size > 0.0;
    }
    n = cdi_frame3_cross(f, 0, 1);
    if (f->k == 2) {
        size = cdi_v3_sqlength(n);
        f->g[0] = cdi_v3_scale(cdi_v3_cross(f->d[1], n), 1.0 / size);
        f->g[1] = cdi_v3_scale(cdi_v3_cross(n, f->d[0]), 1.0 / size);
        return size > 0.0;
    }
    size = cdi_v3_dot(n, f->d[2]);
    f->g[0] = cdi_v3_scale(cdi_frame3_cross(f, 1, 2), 1.0 / size);
    f->g[1] = cdi_v3_scale(cdi_frame3_cross(f, 2, 0), 1.0 / size);
    f->g[2] = cdi_v3_scale(n, 1.0 / size);
    return size != 0.0;
}

/* The x with x . d_i = h_i; a second step takes out what the first one's rounding left. */
static cdi_v3 cdi_frame3_solve(const cdi_frame3 *f, const double h[3]) {
    cdi_v3 x = cdi_v3_make(0.0, 0.0, 0.0), step = x;
    for (int i = 0; i < f->k; ++i) x = cdi_v3_along(x, f->g[i], h[i]);
    for (int i = 0; i < f->k; ++i) step = cdi_v3_along(step, f->g[i], h[i] - cdi_v3_dot(x, f->d[i]));
    return cdi_v3_add(x, step);
}

/* A ball that touches all, from the first centre. */
typedef struct cdi_touch {
    cdi_v3 x, low; /* the centre: their sum */
    double rho, weight[4];
} cdi_touch;

/* The weights of the centres, when none is negative. */
static bool cdi_frame3_has_inside(const cdi_frame3 *f, cdi_touch *t) {
    t->weight[0] = 1.0;
    for (int i = 0; i < f->k; ++i) {
        double weight = cdi_v3_dot(f->g[i], t->x);
        if (!(weight >= 0.0)) return false;
        t->weight[i + 1] = weight;
        t->weight[0] -= weight;
    }
    return t->weight[0] >= 0.0;
}

/* The rho that solve |e + rho f| = rho, the smaller first; returns how many. */
static int cdi_touching_radii(cdi_v3 e, cdi_v3 f, double rho[2]) {
    double a = cdi_v3_sqlength(f) - 1.0, b = cdi_v3_dot(e, f), c = cdi_v3_sqlength(e), square = b * b - a * c,
           q;
    if (!(square >= 0.0)) return 0;
    q = b < 0.0 ? cdi_sqrt(square) - b : -(b + cdi_sqrt(square));
    if (a == 0.0 && b == 0.0) return 0;
    rho[0] = q != 0.0 ? c / q : 0.0;
    rho[1] = a != 0.0 ? q / a : rho[0];
    if (rho[1] < rho[0]) {
        double t = rho[0];
        rho[0] = rho[1];
        rho[1] = t;
    }
    return 2;
}

#ifdef COLLIDE_DOUBLE
/* |d_i|^2 / 2 - s_i^2 / 2 + rho s_i - x . d_i to twice the digits. */
static double cdi_frame3_residual(const cdi_frame3 *f, int i, const cdi_touch *t) {
    cdi_two sum = cdi_two_of(0.0), at;
    for (int axis = 0; axis < 3; ++axis) {
        cdi_two d = f->exact[i][axis];
        cdi_two_sum(cdi_v3_get(t->x, axis), cdi_v3_get(t->low, axis), &at.hi, &at.lo);
        sum = cdi_two_add(sum, cdi_two_mul(d, cdi_two_sub(d, cdi_two_scale2(at, 1))));
    }
    at = cdi_two_sub(cdi_two_of(2.0 * t->rho), f->exact[i][3]);
    return 0.5 * cdi_two_add(sum, cdi_two_mul(f->exact[i][3], at)).hi;
}

/* (rho^2 - |x|^2) / 2 */
static double cdi_touch_residual(const cdi_touch *t) {
    cdi_two sum = cdi_two_mul(cdi_two_of(t->rho), cdi_two_of(t->rho)), at;
    for (int axis = 0; axis < 3; ++axis) {
        cdi_two_sum(cdi_v3_get(t->x, axis), cdi_v3_get(t->low, axis), &at.hi, &at.lo);
        sum = cdi_two_sub(sum, cdi_two_mul(at, at));
    }
    return 0.5 * sum.hi;
}

/* A step of Newton's method. */
static void cdi_touch_polish(const cdi_frame3 *f, bool equal, cdi_touch *t) {
    cdi_v3 step = cdi_v3_make(0.0, 0.0, 0.0), grow = step;
    double slope, change;
    for (int i = 0; i < f->k; ++i) {
        step = cdi_v3_along(step, f->g[i], cdi_frame3_residual(f, i, t));
        grow = cdi_v3_along(grow, f->g[i], f->s[i]);
    }
    slope = cdi_v3_dot(t->x, grow) - t->rho;
    if (!equal && slope != 0.0) {
        change = (cdi_touch_residual(t) - cdi_v3_dot(t->x, step)) / slope;
        step = cdi_v3_along(step, grow, change);
        t->rho += change;
    }
    step = cdi_v3_add(t->low, step);
    t->low = step;
    step = cdi_v3_add(t->x, step);
    t->low = cdi_v3_sub(t->low, cdi_v3_sub(step, t->x));
    t->x = step;
}
#else
static void cdi_touch_polish(const cdi_frame3 *f, bool equal, cdi_touch *t) {
    (void)f;
    (void)equal;
    (void)t;
}
#endif

/* The centre where the radii differ. */
static bool cdi_frame3_touch_spheres(const cdi_frame3 *f, cdi_touch *t) {
    cdi_v3 e = t->x, grow = cdi_frame3_solve(f, f->s);
    double rho[2], least = 0.0;
    int n = cdi_touching_radii(e, grow, rho);
    for (int i = 0; i < f->k; ++i) least = cdi_max(least, f->s[i]);
    for (int i = 0; i < n; ++i) {
        t->x = cdi_v3_along(e, grow, rho[i]);
        t->low = cdi_v3_make(0.0, 0.0, 0.0);
        t->rho = rho[i];
        cdi_touch_polish(f, false, t);
        if (t->rho >= least && cdi_frame3_has_inside(f, t)) return true;
    }
    return false;
}

static cdi_frame3 cdi_frame3_of(const cdi_ball *t, int n, double scale) {
    cdi_frame3 f;
    f.k = n - 1;
    for (int i = 0; i < f.k; ++i) {
        f.d[i] = cdi_v3_scale(cdi_v3_sub(t[i + 1].c, t[0].c), scale);
        f.s[i] = (t[i + 1].r - t[0].r) * scale;
#ifdef COLLIDE_DOUBLE
        for (int axis = 0; axis < 3; ++axis)
            f.exact[i][axis] =
                cdi_two_of_diff(cdi_v3_get(t[i + 1].c, axis) * scale, cdi_v3_get(t[0].c, axis) * scale);
        f.exact[i][3] = cdi_two_of_diff(t[i + 1].r * scale, t[0].r * scale);
#endif
    }
    return f;
}

static double cdi_spread_of_few(const cdi_ball *t, int n) {
    double most = 0.0;
    for (int i = 1; i < n; ++i) most = cdi_max(most, cdi_v3_max_abs(cdi_v3_sub(t[i].c, t[0].c)));
    return most > 0.0 ? cdi_scale2(1.0, -cdi_exponent(most)) : 1.0;
}

/* No ball that holds these is smaller, whatever the weights (not negative, their sum 1) are: with c the weighted mean of the
 * centres, l_i its distances and u_i the unit vectors from centre i to c, the sum of w_i l_i u_i is 0, and any ball about any x
 * has R >= r_i + u_i . (x - c_i); so R sum w_i l_i >= sum w_i l_i (r_i + l_i). At the smallest ball it is an equation, and
 * elsewhere off by the square of how far c is off: so one that is found with bad weights is smaller than it could be, not wrong. */
#ifdef COLLIDE_DOUBLE
static cdi_two cdi_two_sqrt(cdi_two a) {
    double root = cdi_sqrt(a.hi);
    cdi_two r = cdi_two_of(root);
    if (!(a.hi > 0.0)) return cdi_two_of(0.0);
    cdi_fast_two_sum(root, cdi_two_sub(a, cdi_two_mul(r, r)).hi / (2.0 * root), &r.hi, &r.lo);
    return r;
}

static cdi_two cdi_two_length(const cdi_two v[3]) {
    cdi_two sum = cdi_two_mul(v[0], v[0]);
    for (int axis = 1; axis < 3; ++axis) sum = cdi_two_add(sum, cdi_two_mul(v[axis], v[axis]));
    return cdi_two_sqrt(sum);
}

static double cdi_bound_of_few(const cdi_frame3 *f, const cdi_touch *t) {
    cdi_two weight[4], c[3], sum = cdi_two_of(0.0), above = sum;
    weight[0] = cdi_two_of(1.0);
    for (int axis = 0; axis < 3; ++axis) c[axis] = sum;
    for (int i = 0; i < f->k; ++i) {
        weight[i + 1] = cdi_two_of(t->weight[i + 1]);
        weight[0] = cdi_two_sub(weight[0], weight[i + 1]);
        for (int axis = 0; axis < 3; ++axis)
            c[axis] = cdi_two_add(c[axis], cdi_two_mul(weight[i + 1], f->exact[i][axis]));
    }
    for (int i = 0; i <= f->k; ++i) {
        cdi_two d[3], l;
        for (int axis = 0; axis < 3; ++axis)
            d[axis] = i > 0 ? cdi_two_sub(c[axis], f->exact[i - 1][axis]) : c[axis];
        l = cdi_two_length(d);
        weight[i] = cdi_two_mul(weight[i], l);
        sum = cdi_two_add(sum, weight[i]);
        if (i > 0) l = cdi_two_add(l, f->exact[i - 1][3]);
        above = cdi_two_add(above, cdi_two_mul(weight[i], l));
    }
    return sum.hi > 0.0 ? cdi_two_div(above, sum).hi : 0.0;
}
#else
static double cdi_bound_of_few(const cdi_frame3 *f, const cdi_touch *t) {
    cdi_v3 c = cdi_v3_make(0.0, 0.0, 0.0);
    double sum = 0.0, above = 0.0;
    for (int i = 0; i < f->k; ++i) c = cdi_v3_along(c, f->d[i], t->weight[i + 1]);
    for (int i = 0; i <= f->k; ++i) {
        double l = cdi_sqrt(cdi_v3_sqlength(i > 0 ? cdi_v3_sub(c, f->d[i - 1]) : c));
        sum += t->weight[i] * l;
        above += t->weight[i] * l * (i > 0 ? l + f->s[i - 1] : l);
    }
    return sum > 0.0 ? above / sum : 0.0;
}
#endif

/* p + x + low, rounded once, and the rest in `low`. */
static double cdi_sum_with_tail(double p, double x, double *low) {
    double sum, tail, c;
    cdi_two_sum(p, x, &sum, &tail);
    tail += *low;
    cdi_fast_two_sum(sum, tail, &c, low);
    return c;
}

/* The ball that touches all, when there is one, with its centre in their hull. */
static bool cdi_touching_ball(cdi_support *s) {
    double scale = cdi_spread_of_few(s->b, s->n), h[3];
    cdi_frame3 f = cdi_frame3_of(s->b, s->n, scale);
    bool equal = true;
    cdi_touch t;
    if (!cdi_frame3_dual(&f)) return false;
    for (int i = 0; i < f.k; ++i) {
        equal = equal && f.s[i] == 0.0;
        h[i] = 0.5 * (cdi_v3_sqlength(f.d[i]) - f.s[i] * f.s[i]);
    }
    t.x = cdi_frame3_solve(&f, h);
    t.low = cdi_v3_make(0.0, 0.0, 0.0);
    t.rho = 0.0;
    if (equal) {
        cdi_touch_polish(&f, true, &t);
        if (!cdi_frame3_has_inside(&f, &t)) return false;
    } else if (!cdi_frame3_touch_spheres(&f, &t)) {
        return false;
    }
    t.x = cdi_v3_scale(t.x, 1.0 / scale);
    s->low = cdi_v3_scale(t.low, 1.0 / scale);
    s->c.x = cdi_sum_with_tail(s->b[0].c.x, t.x.x, &s->low.x);
    s->c.y = cdi_sum_with_tail(s->b[0].c.y, t.x.y, &s->low.y);
    s->c.z = cdi_sum_with_tail(s->b[0].c.z, t.x.z, &s->low.z);
    s->r = cdi_bound_of_few(&f, &t) / scale + s->b[0].r;
    return true;
}

/* ---- the exchange ---- */

/* How far any of them reaches from c. */
static double cdi_reach_of_few(const cdi_ball *b, int count, cdi_v3 c, int *farthest) {
    double most = -1.0;
    for (int i = 0; i < count; ++i) {
        double reach = cdi_ball_reach(&b[i], c);
        if (reach > most) {
            most = reach;
            *farthest = i;
        }
    }
    return most;
}

/* Those that `mask` names. */
static int cdi_subset_of_few(const cdi_ball *b, int mask, cdi_ball out[4]) {
    int n = 0;
    for (int i = 0; i < 5; ++i) {
        if (mask >> i & 1) out[n++] = b[i];
    }
    return n;
}

static bool cdi_is_part_of_one(int mask, const int *masks, int count) {
    for (int i = 0; i < count; ++i) {
        if ((mask & masks[i]) == mask) return true;
    }
    return false;
}

/* The support of up to five: that with the largest bound, which is the one whose ball holds all. First the subsets with the first
 * of them, whose number comes first in them: a site outside of the ball of the others is in the support. A subset whose own ball
 * is found makes the smaller ones in it pointless, whose balls are smaller. Where rank is so low that balls miss what they are to
 * touch, neither has to be true, and all subsets are tried; so they are, in general, without slack. */
static void cdi_support_of_few(const cdi_ball *b, int count, double slack, cdi_support *out) {
    static const int order[30] = {15, 23, 27, 29, 7,  11, 19, 13, 21, 25, 3,  5, 9, 17, 1,
                                  30, 14, 22, 26, 28, 6,  10, 18, 12, 20, 24, 2, 4, 8,  16};
    int done[30], found = 0, unused;
    double best = -1.0;
    for (int k = 0; k < 30; ++k) {
        cdi_support t;
        double enough;
        if (order[k] >> count || cdi_is_part_of_one(order[k], done, found)) continue;
        t.n = cdi_subset_of_few(b, order[k], t.b);
        if (!cdi_touching_ball(&t)) continue;
        enough = t.r * (1.0 + slack);
        if (cdi_reach_of_few(t.b, t.n, t.c, &unused) <= enough) done[found++] = order[k];
        if (t.r > best) {
            best = t.r;
            *out = t;
        }
        if (cdi_reach_of_few(b, count, t.c, &unused) <= enough) {
            *out = t;
            return;
        }
    }
}

static void cdi_support_exchange(cdi_support *s, const cdi_ball *with, double slack) {
    cdi_ball few[5];
    few[0] = *with;
    for (int i = 0; i < s->n; ++i) few[i + 1] = s->b[i];
    cdi_support_of_few(few, s->n + 1, slack, s);
}

/* The support of its sites and the candidates. */
static void cdi_support_improve(cdi_support *s, const cdi_ball *b, int count) {
    for (int i = 0; i < 4 * CDI_SITES_SPREAD; ++i) {
        int farthest = 0;
        double reach = cdi_reach_of_few(b, count, s->c, &farthest);
        if (reach <= s->r * (1.0 + CDI_MIN_BALL_SLACK)) return;
        cdi_support_exchange(s, &b[farthest], CDI_MIN_BALL_SLACK);
    }
}

/* ---- all sites ---- */

/* A sample; false when nothing is there. */
static bool cdi_support_start(cdi_support *s, const cdi_sites *sites) {
    cdi_ball sample[CDI_SITES_SPREAD];
    size_t step = sites->count / CDI_SITES_SPREAD + 1, i = 0;
    int n = 0;
    s->n = 1;
    do {
        if (i == sites->count) return false;
        s->b[0] = cdi_site(sites, i++);
    } while (s->b[0].r < 0.0);
    s->c = s->b[0].c;
    s->low = cdi_v3_make(0.0, 0.0, 0.0);
    s->r = s->b[0].r;
    for (; i < sites->count && n < CDI_SITES_SPREAD; i += step) sample[n++] = cdi_site(sites, i);
    cdi_support_improve(s, sample, n);
    return true;
}

/* The best centre so far, and how far the sites reach from it. */
typedef struct cdi_ball_record {
    cdi_stored at;
    double reach;
    int age;
} cdi_ball_record;

static void cdi_record(cdi_ball_record *best, const cdi_stored *at, double reach) {
    ++best->age;
    if (reach >= best->reach) return;
    best->at = *at;
    best->reach = reach;
    best->age = 0;
}

/* Passes until the support's ball holds all. */
static void cdi_support_search(cdi_support *support, const cdi_sites *s, cdi_ball_record *best) {
    best->reach = cdi_infinity();
    best->age = 0;
    for (int pass = 0; pass < CDI_MIN_BALL_PASSES && best->age < CDI_MIN_BALL_STALLED; ++pass) {
        cdi_ball found[CDI_SITES_SPREAD];
        cdi_scan scan;
        cdi_stored at = cdi_sites_store(s, support->c);
        double radius = support->r + cdi_sqrt(cdi_v3_sqlength(cdi_v3_sub(at.c, support->c)));
        CDI_COUNT(ball);
        cdi_sites_scan(s, at.c, support->r, &scan);
        cdi_record(best, &at, scan.reach);
        if (scan.reach <= radius * (1.0 + CDI_MIN_BALL_SLACK)) break;
        for (int i = 0; i < scan.count; ++i) found[i] = cdi_site(s, scan.found[i]);
        cdi_support_improve(support, found, scan.count);
    }
}

/* How much larger the radius may be than the bound. Of the numbers' largest unit in the last place the rounding of the centre
 * takes 0.9, and that of the radius, which is at most 1.74 times the largest number, or 2.74 with radii of its own, 2 or 4. */
static double cdi_min_ball_tolerance(const cdi_sites *s, const cdi_ball_record *best) {
#ifdef COLLIDE_DOUBLE
    (void)best;
    return s->unit * (s->stride > 3 ? 8.0 : 4.0);
#else
    double least = 5.605193857299268e-45 * s->scale; /* 2^-147: four units of what has no smaller ones */
    return CDI_MIN_BALL_NOISE * (best->reach + cdi_v3_max_abs(best->at.c)) + least;
#endif
}

#ifdef COLLIDE_DOUBLE
/* How much farther than the support's radius a ball reaches from its centre, to twice the digits. */
static double cdi_ball_excess(const cdi_ball *b, const cdi_support *s) {
    cdi_two d[3], reach;
    for (int axis = 0; axis < 3; ++axis)
        d[axis] = cdi_two_sub(cdi_two_of_diff(cdi_v3_get(b->c, axis), cdi_v3_get(s->c, axis)),
                              cdi_two_of(cdi_v3_get(s->low, axis)));
    reach = cdi_two_add(cdi_two_length(d), cdi_two_of(b->r));
    return cdi_two_sub(reach, cdi_two_of(s->r)).hi;
}

/* The site that reaches farthest out of the support's ball; false when none does by more than the radius is rounded. */
static bool cdi_support_farthest(const cdi_support *support, const cdi_sites *s, cdi_ball *farthest) {
    double rounded = 1.1102230246251565e-16 * support->r, most = rounded;
    double limit = support->r * (1.0 - CDI_MIN_BALL_SLACK * 4.0);
    for (size_t i = 0; i < s->count; ++i) {
        cdi_ball b = cdi_site(s, i);
        double excess;
        if (cdi_ball_reach(&b, support->c) < limit) continue;
        excess = cdi_ball_excess(&b, support);
        if (excess <= most) continue;
        most = excess;
        *farthest = b;
    }
    return most > rounded;
}

/* For the few cases where rounding misled the search by more than is promised: all over with twice the digits. */
static void cdi_support_refine(cdi_support *support, const cdi_sites *s, cdi_ball_record *best) {
    cdi_ball farthest;
    cdi_scan scan;
    for (int i = 0; i < CDI_MIN_BALL_REFINED && cdi_support_farthest(support, s, &farthest); ++i)
        cdi_support_exchange(support, &farthest, 0.0);
    best->at = cdi_sites_store(s, support->c);
    cdi_sites_scan(s, best->at.c, support->r, &scan);
    best->reach = scan.reach;
}
#endif

CDI_FN cd_status cdi_min_ball(const cdi_sites *s, cd_vec3 *center, cd_real *radius) {
    cdi_support support;
    cdi_ball_record best;
    cd_status status;
    *center = cd_vec3_make(0, 0, 0);
    *radius = -1;
    if (!cdi_support_start(&support, s)) return CD_OK;
    cdi_support_search(&support, s, &best);
    status = cdi_sites_radius(s, &best.at, best.reach, radius);
#ifdef COLLIDE_DOUBLE
    if (status == CD_OK && *radius * s->scale > support.r + cdi_min_ball_tolerance(s, &best)) {
        cdi_support_refine(&support, s, &best);
        status = cdi_sites_radius(s, &best.at, best.reach, radius);
    }
#endif
    *center = best.at.center;
    if (status != CD_OK) return status;
    return (double)*radius * s->scale > support.r + cdi_min_ball_tolerance(s, &best) ? CD_NOT_CONVERGED
                                                                                     : CD_OK;
}

#undef CDI_MIN_BALL_SLACK
#ifndef COLLIDE_DOUBLE
#undef CDI_MIN_BALL_NOISE
#endif
