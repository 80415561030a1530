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
#define CDI_MIN_BALL_SLACK 0.0 /* rounding decides; the best centre is kept */
#else
#define CDI_MIN_BALL_SLACK 3.725290298461914e-9 /* 1/32 of a unit in the last place */
#endif

/* Bounds that only rounding could make an endless loop meet. */
enum { CDI_MIN_BALL_PASSES = 1000, CDI_MIN_BALL_STALLED = 8 };

typedef struct cdi_support {
    cdi_ball b[4];
    int n;
    cdi_v3 c;
    double r;
} cdi_support;

/* ---- the ball that touches all of a support ----
 *
 * From the first centre, with d_i the others and s_i how much larger their radii are, the centre is x with |x| = rho and
 * |x - d_i| = rho - s_i; the difference of squares, x . d_i = (|d_i|^2 - s_i^2) / 2 + rho s_i, is linear. With vectors g_i of the
 * space of the d_i that have g_i . d_j = 1 for i = j and 0 otherwise, x is the sum of the right sides times g_i, and x . g_i are
 * the weights of the centres. */

typedef struct cdi_frame3 {
    cdi_v3 d[3], g[3];
    double s[3];
    int k;
} cdi_frame3;

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
    n = cdi_v3_cross(f->d[0], f->d[1]);
    if (f->k == 2) {
        size = cdi_v3_sqlength(n);
        f->g[0] = cdi_v3_scale(cdi_v3_cross(f->d[1], n), 1.0 / size);
        f->g[1] = cdi_v3_scale(cdi_v3_cross(n, f->d[0]), 1.0 / size);
        return size > 0.0;
    }
    size = cdi_v3_dot(n, f->d[2]);
    f->g[0] = cdi_v3_scale(cdi_v3_cross(f->d[1], f->d[2]), 1.0 / size);
    f->g[1] = cdi_v3_scale(cdi_v3_cross(f->d[2], f->d[0]), 1.0 / size);
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

static bool cdi_frame3_has_inside(const cdi_frame3 *f, cdi_v3 x) {
    double rest = 1.0;
    for (int i = 0; i < f->k; ++i) {
        double weight = cdi_v3_dot(f->g[i], x);
        if (!(weight >= 0.0)) return false;
        rest -= weight;
    }
    return rest >= 0.0;
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

/* The centre where the radii differ. */
static bool cdi_frame3_touch_spheres(const cdi_frame3 *f, cdi_v3 e, cdi_v3 *x, double *radius) {
    cdi_v3 grow = cdi_frame3_solve(f, f->s);
    double rho[2], least = 0.0;
    int n = cdi_touching_radii(e, grow, rho);
    for (int i = 0; i < f->k; ++i) least = cdi_max(least, f->s[i]);
    for (int i = 0; i < n; ++i) {
        *x = cdi_v3_along(e, grow, rho[i]);
        *radius = rho[i];
        if (rho[i] >= least && cdi_frame3_has_inside(f, *x)) return true;
    }
    return false;
}

static cdi_frame3 cdi_frame3_of(const cdi_ball *t, int n, double scale) {
    cdi_frame3 f;
    f.k = n - 1;
    for (int i = 0; i < f.k; ++i) {
        f.d[i] = cdi_v3_scale(cdi_v3_sub(t[i + 1].c, t[0].c), scale);
        f.s[i] = (t[i + 1].r - t[0].r) * scale;
    }
    return f;
}

static double cdi_spread_of_few(const cdi_ball *t, int n) {
    double most = 0.0;
    for (int i = 1; i < n; ++i) most = cdi_max(most, cdi_v3_max_abs(cdi_v3_sub(t[i].c, t[0].c)));
    return most > 0.0 ? cdi_scale2(1.0, -cdi_exponent(most)) : 1.0;
}

/* The ball that touches all, when there is one, with its centre in their hull. */
static bool cdi_touching_ball(const cdi_ball *t, int n, cdi_v3 *c, double *r) {
    double scale = cdi_spread_of_few(t, n), h[3], rho;
    cdi_frame3 f = cdi_frame3_of(t, n, scale);
    bool equal = true;
    cdi_v3 x;
    if (!cdi_frame3_dual(&f)) return false;
    for (int i = 0; i < f.k; ++i) {
        equal = equal && f.s[i] == 0.0;
        h[i] = 0.5 * (cdi_v3_sqlength(f.d[i]) - f.s[i] * f.s[i]);
    }
    x = cdi_frame3_solve(&f, h);
    if (equal) {
        rho = cdi_sqrt(cdi_v3_sqlength(x));
        if (!cdi_frame3_has_inside(&f, x)) return false;
    } else if (!cdi_frame3_touch_spheres(&f, x, &x, &rho)) {
        return false;
    }
    *c = cdi_v3_along(t[0].c, x, 1.0 / scale);
    *r = rho / scale + t[0].r;
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
static int cdi_subset_of_few(const cdi_ball *b, int mask, cdi_ball out[5]) {
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

/* The support of up to five: the ball that comes nearest to holding all. First the subsets with the first of them, whose number
 * comes first in them: a site outside of the ball of the others is in the support. A subset whose own ball is found makes the
 * smaller ones in it pointless, whose balls are smaller. Where rank is so low that balls miss what they are to touch, neither
 * has to be true, and all subsets are tried. */
static void cdi_support_of_few(const cdi_ball *b, int count, cdi_support *out) {
    static const int order[30] = {15, 23, 27, 29, 7,  11, 19, 13, 21, 25, 3,  5, 9, 17, 1,
                                  30, 14, 22, 26, 28, 6,  10, 18, 12, 20, 24, 2, 4, 8,  16};
    int done[30], found = 0, unused;
    double best = cdi_infinity(), reach;
    for (int k = 0; k < 30; ++k) {
        cdi_ball few[5];
        cdi_support t;
        if (order[k] >> count || cdi_is_part_of_one(order[k], done, found)) continue;
        t.n = cdi_subset_of_few(b, order[k], few);
        if (!cdi_touching_ball(few, t.n, &t.c, &t.r)) continue;
        if (cdi_reach_of_few(few, t.n, t.c, &unused) <= t.r * (1.0 + CDI_MIN_BALL_SLACK))
            done[found++] = order[k];
        reach = cdi_reach_of_few(b, count, t.c, &unused);
        if (reach < best) {
            best = reach;
            cdi_copy(t.b, few, (size_t)t.n * sizeof few[0]);
            *out = t;
        }
        if (reach <= t.r * (1.0 + CDI_MIN_BALL_SLACK)) return;
    }
}

static void cdi_support_exchange(cdi_support *s, const cdi_ball *with) {
    cdi_ball few[5];
    few[0] = *with;
    for (int i = 0; i < s->n; ++i) few[i + 1] = s->b[i];
    cdi_support_of_few(few, s->n + 1, s);
}

/* The support of its sites and the candidates. */
static void cdi_support_improve(cdi_support *s, const cdi_ball *b, int count) {
    for (int i = 0; i < 4 * CDI_SITES_SPREAD; ++i) {
        int farthest = 0;
        double reach = cdi_reach_of_few(b, count, s->c, &farthest);
        if (reach <= s->r * (1.0 + CDI_MIN_BALL_SLACK)) return;
        cdi_support_exchange(s, &b[farthest]);
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
    s->r = s->b[0].r;
    for (; i < sites->count && n < CDI_SITES_SPREAD; i += step) sample[n++] = cdi_site(sites, i);
    cdi_support_improve(s, sample, n);
    return true;
}

#ifdef COLLIDE_DOUBLE
/* |d_i|^2 / 2 - x . d_i to twice the digits, for points. */
static double cdi_support_residual(const cdi_support *s, int i, cdi_v3 x) {
    cdi_two sum = cdi_two_of(0.0);
    for (int axis = 0; axis < 3; ++axis) {
        cdi_two d = cdi_two_of_diff(cdi_v3_get(s->b[i].c, axis), cdi_v3_get(s->b[0].c, axis));
        cdi_two twice = cdi_two_of(2.0 * cdi_v3_get(x, axis));
        sum = cdi_two_add(sum, cdi_two_mul(d, cdi_two_sub(d, twice)));
    }
    return 0.5 * sum.hi;
}
#endif

/* The centre to the last place, where that matters: in the double build, for points. */
static cdi_v3 cdi_support_center(const cdi_support *s, bool points) {
#ifdef COLLIDE_DOUBLE
    cdi_frame3 f = cdi_frame3_of(s->b, s->n, 1.0);
    cdi_v3 x = cdi_v3_sub(s->c, s->b[0].c), step = cdi_v3_make(0.0, 0.0, 0.0);
    if (!points || s->n < 2 || s->r < 1e-70 || !cdi_frame3_dual(&f)) return s->c;
    for (int i = 0; i < f.k; ++i) step = cdi_v3_along(step, f.g[i], cdi_support_residual(s, i + 1, x));
    step = cdi_v3_add(step, cdi_v3_make(0.0, 0.0, 0.0));
    return cdi_v3_add(s->b[0].c, cdi_v3_add(x, step));
#else
    (void)points;
    return s->c;
#endif
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

/* Passes until the support's ball holds all; how much farther they may reach than it, relative. */
static double cdi_support_search(cdi_support *support, const cdi_sites *s, cdi_ball_record *best) {
    double radius = 0.0;
    best->reach = cdi_infinity();
    best->age = 0;
    for (int pass = 0; pass < CDI_MIN_BALL_PASSES && best->age < CDI_MIN_BALL_STALLED; ++pass) {
        cdi_ball found[CDI_SITES_SPREAD];
        cdi_scan scan;
        cdi_v3 c = cdi_support_center(support, s->stride < 4);
        cdi_stored at = cdi_sites_store(s, c);
        radius = support->r + cdi_sqrt(cdi_v3_sqlength(cdi_v3_sub(at.c, c)));
        cdi_sites_scan(s, at.c, support->r, &scan);
        cdi_record(best, &at, scan.reach);
        if (scan.reach <= radius * (1.0 + CDI_MIN_BALL_SLACK)) break;
        for (int i = 0; i < scan.count; ++i) found[i] = cdi_site(s, scan.found[i]);
        cdi_support_improve(support, found, scan.count);
    }
    return best->reach - radius;
}

cd_status cdi_min_ball(const cdi_sites *s, cd_vec3 *center, cd_real *radius) {
    cdi_support support;
    cdi_ball_record best;
    cd_status status;
    double gap, noise;
    *center = cd_vec3_make(0, 0, 0);
    *radius = -1;
    if (!cdi_support_start(&support, s)) return CD_OK;
    gap = cdi_support_search(&support, s, &best);
    *center = best.at.center;
    status = cdi_sites_radius(s, &best.at, best.reach, radius);
    noise = 1e-8 * best.reach + 8.881784197001252e-16 * cdi_v3_max_abs(best.at.c);
    return status == CD_OK && gap > noise ? CD_NOT_CONVERGED : status;
}

#undef CDI_MIN_BALL_SLACK
