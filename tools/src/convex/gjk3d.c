#include "convex/gjk3d.h"

/* ---- the way ---- */

/* Each round has a shorter v than all before, and each simplex is met but once, so there is an end. Bodies with corners take some
 * ten rounds, curved ones some fifty; the most seen in the tests is half of this. */
#define CDI_GJK_BOUND 200

#define CDI_GJK_CLOSE 64.0 /* times the rounding of doubles: a gap that is not worth more care */

typedef struct cdi_gjk_way {
    const cdi_couple *pair;
    cdi_gjk *s;
    cdi_v3 p[4], dir; /* the corners and the direction, in units of the scale */
    cdi_v3 way[2];    /* the direction that proved `lower`, and the last one, and their lengths; 0 for none */
    double length[2];
    int best;                         /* which it is */
    double unit, square, square_tail; /* the last two: |v|^2, or 0 where v was not found with care */
    double rounding, fine,
        close; /* of the tips, and of doubles, which is less where a caller's function is asked */
    bool careful;
} cdi_gjk_way;

static cdi_v3 cdi_gjk_guess(const cdi_couple *pair, cdi_v3 axis) {
    cdi_v3 d = cdi_convex_center(&pair->b), a = cdi_convex_center(&pair->a);
    if (!cdi_v3_is_zero(axis)) return axis;
    if (pair->b.posed) d = cdi_pose_point(&pair->b.pose, d);
    if (pair->a.posed) a = cdi_pose_point(&pair->a.pose, a);
    d = cdi_v3_sub(d, a);
    return cdi_v3_is_zero(d) ? cdi_v3_make(1.0, 0.0, 0.0) : d;
}

/* Where to begin: at the last tip; to climb, at the farthest of those there are. */
static void cdi_gjk_hint(const cdi_couple *pair, const cdi_gjk *s, cdi_v3 dir, cdi_tip *t) {
    double a = -CDI_HUGE, b = CDI_HUGE;
    t->vertex_a = s->count ? t[-1].vertex_a : CD_NONE;
    t->vertex_b = s->count ? t[-1].vertex_b : CD_NONE;
    if (!pair->a.slopes && !pair->b.slopes) return;
    for (int i = 0; i < s->count; ++i) {
        double x = cdi_v3_dot(dir, s->tip[i].a), y = cdi_v3_dot(dir, s->tip[i].b);
        t->vertex_a = x > a ? s->tip[i].vertex_a : t->vertex_a;
        t->vertex_b = y < b ? s->tip[i].vertex_b : t->vertex_b;
        a = x > a ? x : a;
        b = y < b ? y : b;
    }
}

/* The tip along `dir` into the next place, and what it proves. */
static void cdi_gjk_tip(cdi_gjk_way *g) {
    cdi_gjk *s = g->s;
    cdi_tip *t = &s->tip[s->count];
    double length = cdi_v3_norm(g->dir), least;
    int last = 1 - g->best;
    cdi_gjk_hint(g->pair, s, g->dir, t);
    cdi_couple_least_along(g->pair, &g->dir, t);
    g->p[s->count] = cdi_v3_scale(t->w, g->unit);
    least = cdi_v3_dot(g->dir, g->p[s->count]) / length;
    ++s->iterations;
    g->way[last] = g->dir; /* no branch: it would be guessed wrong half the time */
    g->length[last] = length;
    g->best = least > s->lower ? last : g->best;
    s->lower = least > s->lower ? least : s->lower;
}

/* Is the newest tip one of the others? */
CDI_HOT bool cdi_gjk_repeats(const cdi_gjk_way *g) {
    const cdi_v3 w = g->p[g->s->count];
    for (int i = 0; i < g->s->count; ++i)
        if (g->p[i].x == w.x && g->p[i].y == w.y && g->p[i].z == w.z) return true;
    return false;
}

/* The corners that bear the point move up. */
CDI_HOT void cdi_gjk_keep(cdi_gjk_way *g, const cdi_nearest *f) {
    int count = 0;
    for (uint32_t i = 0, keep = f->keep; keep != 0; ++i, keep >>= 1) { /* without branches to be guessed */
        g->s->tip[count] = g->s->tip[i];
        g->p[count] = g->p[i];
        g->s->weight[count] = f->weight[i];
        count += (int)(keep & 1u);
    }
    g->s->count = count;
    g->s->v = f->v;
    g->dir = f->dir;
    g->square = f->square;
    g->square_tail = f->square_tail;
    g->s->upper = cdi_v3_norm(f->v);
}

/* No way on: the verdict is what is proved, or what rounding cannot tell from touching. */
static bool cdi_gjk_stuck(cdi_gjk_way *g) {
    cdi_gjk *s = g->s;
    bool close = s->upper - cdi_max(s->lower, 0.0) <= g->close;
    s->end = s->lower > 0.0 ? CDI_GJK_APART : close ? CDI_GJK_INSIDE : CDI_GJK_STOPPED;
    return false;
}

/* False when that is the end. */
CDI_HOT bool cdi_gjk_take(cdi_gjk_way *g, const cdi_nearest *f) {
    if (f->keep == 15) {
        g->s->count = 4;
        g->s->v = cdi_v3_make(0.0, 0.0, 0.0);
        g->s->upper = 0.0;
    } else {
        cdi_gjk_keep(g, f);
    }
    g->s->end = CDI_GJK_INSIDE;
    return g->s->upper > g->rounding;
}

/* The first time, the simplex of `count` corners is solved once more, with care; false where that had been so. */
static CDI_COLD bool cdi_gjk_retry(cdi_gjk_way *g, int count) {
    cdi_nearest f;
    if (g->careful || g->s->upper - g->s->lower <= g->close) return cdi_gjk_stuck(g);
    g->careful = true;
    cdi_simplex_carefully(g->p, count, &f);
    return f.keep == 0 ? cdi_gjk_stuck(g) : cdi_gjk_take(g, &f);
}

/* Is it nearer than the last? Where v's length does not tell, its direction may still have turned: then the squares' tails do. */
CDI_HOT bool cdi_gjk_falls(const cdi_gjk_way *g, const cdi_nearest *f) {
    if (f->keep == 0) return false;
    if (f->keep == 15) return true;
    return g->square > 0.0 ? cdi_two_less(f->square, f->square_tail, g->square, g->square_tail)
                           : cdi_v3_norm(f->v) < g->s->upper;
}

/* The volumes across from four corners as weights; do they give the origin? Not where the simplex is too thin. */
static bool cdi_gjk_volumes(const cdi_v3 p[4], double weight[4]) {
    cdi_v3 v = cdi_v3_make(0.0, 0.0, 0.0);
    double sum = 0.0;
    for (int i = 0; i < 4; ++i) {
        weight[i] = cdi_abs(cdi_v3_dot(p[(i + 1) & 3], cdi_v3_cross(p[(i + 2) & 3], p[(i + 3) & 3])));
        sum += weight[i];
    }
    for (int i = 0; i < 4; ++i) {
        weight[i] = sum > 0.0 ? weight[i] / sum : 0.25;
        v = cdi_v3_along(v, p[i], weight[i]);
    }
    return cdi_v3_max_abs(v) <= CDI_GJK_ROUNDING;
}

/* Four corners that seem to go around the origin: if they do not surely, with care. */
static CDI_COLD void cdi_gjk_look_inside(cdi_gjk_way *g, cdi_nearest *f) {
    double weight[4];
    if (cdi_gjk_volumes(g->p, weight)) return;
    g->careful = true;
    cdi_simplex_carefully(g->p, 4, f);
}

/* The simplex with `count` corners; false when that is the end. */
CDI_HOT bool cdi_gjk_solve(cdi_gjk_way *g, int count) {
    cdi_nearest f;
    if (count > g->s->count && cdi_gjk_repeats(g)) return cdi_gjk_retry(g, g->s->count);
    if (g->careful) {
        cdi_simplex_carefully(g->p, count, &f);
    } else {
        f.square = f.square_tail = 0.0;
        cdi_simplex_solve_here(g->p, count, &f);
        if (f.keep == 15) cdi_gjk_look_inside(g, &f);
    }
    return cdi_gjk_falls(g, &f) ? cdi_gjk_take(g, &f) : cdi_gjk_retry(g, count);
}

CDI_HOT bool cdi_gjk_goes_on(cdi_gjk_way *g, const cdi_gjk_limits *limits) {
    cdi_gjk *s = g->s;
    bool close = s->upper - s->lower <= cdi_max(g->fine, limits->tolerance * g->unit);
    bool told = s->lower > limits->enough * g->unit || s->upper <= limits->touch * g->unit ||
                s->iterations >= (limits->iterations ? limits->iterations : CDI_GJK_BOUND);
    s->end = close && s->lower > 0.0 ? CDI_GJK_APART : CDI_GJK_STOPPED;
    return !close && !told;
}

/* The last tip, too, where that makes a nearer simplex. */
static void cdi_gjk_take_last(cdi_gjk_way *g) {
    cdi_nearest f;
    f.square = f.square_tail = 0.0;
    cdi_simplex_solve(g->p, g->s->count + 1, &f);
    if (f.keep != 0 && f.keep != 15 && cdi_v3_norm(f.v) < g->s->upper) cdi_gjk_keep(g, &f);
}

static void cdi_gjk_open(cdi_gjk_way *g, const cdi_couple *pair, cdi_gjk *s) {
    g->pair = pair;
    g->s = s;
    g->unit = cdi_unit_of_scale(pair->scale);
    g->rounding = cdi_couple_rounding(pair) * g->unit;
    g->fine = CDI_GJK_ROUNDING * pair->scale * g->unit;
    g->close = cdi_max(g->rounding, CDI_GJK_CLOSE * g->fine);
    g->careful = false;
    g->length[0] = g->length[1] = 0.0;
    g->square = g->square_tail = 0.0;
    g->best = 0;
    s->lower = -CDI_HUGE;
    s->upper = CDI_HUGE;
    s->iterations = 0;
}

static void cdi_gjk_close(cdi_gjk_way *g) {
    cdi_gjk *s = g->s;
    if (g->length[g->best] > 1e-300)
        s->axis = cdi_v3_scale(g->way[g->best], 1.0 / g->length[g->best]);
    else if (g->length[g->best] > 0.0)
        s->axis = cdi_v3_unit(g->way[g->best]);
    s->lower /= g->unit;
    s->upper /= g->unit;
    s->v = cdi_v3_scale(s->v, 1.0 / g->unit);
}

#define CDI_GJK_MOST 1e300 /* no scale is larger: differences would not be finite */

/* Numbers that cannot be reckoned with: a tip, and no bounds. */
static void cdi_gjk_give_up(const cdi_couple *pair, cdi_gjk *s) {
    s->axis = cdi_v3_make(1.0, 0.0, 0.0);
    s->v = cdi_v3_make(0.0, 0.0, 0.0);
    s->tip[0].vertex_a = s->tip[0].vertex_b = CD_NONE;
    cdi_couple_least(pair, s->axis, &s->tip[0]);
    s->weight[0] = 1.0;
    s->count = 1;
    s->end = CDI_GJK_STOPPED;
    s->lower = -CDI_HUGE;
    s->upper = CDI_HUGE;
    s->iterations = 1;
}

CDI_FN void cdi_gjk_run(const cdi_couple *pair, const cdi_gjk_limits *limits, cdi_gjk *s) {
    cdi_gjk_way g;
    int count = s->count;
    if (!(pair->scale < CDI_GJK_MOST && pair->rounded < CDI_GJK_MOST)) {
        cdi_gjk_give_up(pair, s);
        return;
    }
    cdi_gjk_open(&g, pair, s);
    for (int i = 0; i < count; ++i) g.p[i] = cdi_v3_scale(s->tip[i].w, g.unit);
    if (count == 0) {
        g.dir = cdi_gjk_guess(pair, s->axis);
        cdi_gjk_tip(&g);
        count = 1;
    }
    for (; cdi_gjk_solve(&g, count) && cdi_gjk_goes_on(&g, limits); count = s->count + 1) {
        cdi_gjk_tip(&g);
        if (cdi_gjk_goes_on(&g, limits)) continue;
        if (limits->whole) cdi_gjk_take_last(&g);
        break;
    }
    if (s->count > 0) {
        cdi_gjk_close(&g);
    } else {
        cdi_gjk_give_up(pair, s); /* a tip that is not finite */
    }
}

/* ---- answers ---- */

CDI_HOT void cdi_clearance_make(const cdi_couple *pair, const cdi_tip *tip, const double *weight, int count,
                                cdi_v3 normal, double lower, double distance, cdi_clearance *out) {
    uint32_t a[4], b[4];
    cdi_v3 on_a = cdi_v3_make(0.0, 0.0, 0.0), on_b = on_a;
    int used = 0;
    for (int i = 0; i < count; ++i) {
        if (weight[i] == 0.0) continue;
        on_a = cdi_v3_along(on_a, tip[i].a, weight[i]);
        on_b = cdi_v3_along(on_b, tip[i].b, weight[i]);
        a[used] = tip[i].vertex_a;
        b[used++] = tip[i].vertex_b;
    }
    out->a = cdi_v3_along(on_a, normal, pair->a.radius);
    out->b = cdi_v3_along(on_b, normal, 0.0 - pair->b.radius);
    out->normal = normal;
    out->lower = lower - pair->rounded;
    out->upper = distance - pair->rounded;
    out->feature_a = cdi_convex_feature_at(&pair->a, a, used, on_a);
    out->feature_b = cdi_convex_feature_at(&pair->b, b, used, on_b);
}

CDI_FN void cdi_clearance_of_tips(const cdi_couple *pair, const cdi_tip *tip, const double *weight, int count,
                                  cdi_v3 normal, double lower, double distance, cdi_clearance *out) {
    cdi_clearance_make(pair, tip, weight, count, normal, lower, distance, out);
}

/* The weights with which four corners around the origin give it: as volumes, but for a thin simplex with care. */
static void cdi_gjk_weigh_inside(const cdi_couple *pair, cdi_gjk *s) {
    double unit = cdi_unit_of_scale(pair->scale);
    cdi_v3 p[4];
    cdi_nearest f;
    for (int i = 0; i < 4; ++i) p[i] = cdi_v3_scale(s->tip[i].w, unit);
    if (cdi_gjk_volumes(p, s->weight)) return;
    cdi_simplex_carefully(p, 4, &f);
    for (int i = 0; i < 4; ++i) s->weight[i] = f.keep >> i & 1u ? f.weight[i] : 0.0;
}

#define CDI_GJK_SAME 7.1e-15 /* 2^-47: directions no farther apart prove the same, but for rounding */

/* As near as that the axis's proof is the normal's, too? */
static bool cdi_gjk_is_axis(const cdi_gjk *s, cdi_v3 n) {
    return cdi_v3_max_abs(cdi_v3_sub(n, s->axis)) <= CDI_GJK_SAME;
}

/* The new tip behind the others becomes one of those that bear the point; false where it does not come nearer. */
static CDI_COLD bool cdi_gjk_widen(double unit, cdi_gjk *s) {
    cdi_v3 p[4];
    cdi_nearest f;
    int count = 0;
    for (int i = 0; i < 4; ++i) p[i] = cdi_v3_scale(s->tip[i <= s->count ? i : 0].w, unit);
    cdi_simplex_carefully(p, s->count + 1, &f);
    if (f.keep == 15 || !(f.keep >> s->count & 1u)) return false;
    for (int i = 0; i <= s->count; ++i)
        if (f.keep >> i & 1u) s->tip[count++] = s->tip[i];
    s->count = count;
    return true;
}

#define CDI_GJK_ROUNDS 30

/* Settles the tips. Where the axis proves more than the normal across them, since curved or long bodies let the point slide though the
 * distance is known, a few more tips are taken in; where that does not help, the axis is the normal. What is proved is not lost. */
static void cdi_gjk_settle(const cdi_couple *pair, cdi_gjk *s, cdi_v3 *normal) {
    double slack = 16.0 * cdi_couple_rounding(pair);
    for (int round = 1;; ++round) {
        cdi_tip *tip;
        double least;
        *normal = s->axis;
        s->count = cdi_tips_of_edges(pair->scale, s->tip, s->count);
        cdi_tips_settle(pair->scale, s->tip, s->weight, s->count, &s->v, normal);
        if (cdi_gjk_is_axis(s, *normal)) return;
        tip = &s->tip[s->count];
        *tip = s->tip[0];
        cdi_couple_least(pair, *normal, tip);
        least = cdi_v3_dot(*normal, tip->w);
        if (least >= s->lower - slack) {
            s->lower = cdi_max(s->lower, least);
            return;
        }
        if (s->end != CDI_GJK_APART || round == CDI_GJK_ROUNDS) break;
        if (!cdi_gjk_widen(cdi_unit_of_scale(pair->scale), s)) break;
    }
    *normal = s->axis;
}

CDI_FN void cdi_clearance_of_gjk(const cdi_couple *pair, cdi_gjk *s, cdi_clearance *out) {
    cdi_v3 normal = s->axis;
    double length;
    if (s->count == 4) {
        cdi_gjk_weigh_inside(pair, s);
    } else if (s->upper < CDI_HUGE) {
        cdi_gjk_settle(pair, s, &normal);
    }
    length = cdi_v3_norm(s->v);
    if (s->end == CDI_GJK_INSIDE && length <= cdi_couple_rounding(pair)) length = 0.0;
    cdi_clearance_make(pair, s->tip, s->weight, s->count, normal, s->lower, length, out);
    out->iterations = s->iterations;
}

CDI_FN void cdi_separation_of_nothing(cd_separation *out) {
    cd_vec3 nowhere = cdi_no_point();
    cdi_clear(out, sizeof *out);
    out->status = CD_INVALID_ARGUMENT;
    out->distance = out->gap = (cd_real)cdi_nan();
    out->normal = nowhere;
    out->a = nowhere;
    out->b = nowhere;
}

static cd_vec3 cdi_round_in_range(cdi_v3 p) {
    return cd_vec3_make(cdi_real_of(p.x), cdi_real_of(p.y), cdi_real_of(p.z));
}

CDI_FN void cdi_separation_of(const cdi_couple *pair, const cdi_clearance *c, bool converged,
                              cd_separation *out) {
    double rounding =
        cdi_max(4.0 * CDI_GJK_ROUNDING * (pair->scale + pair->rounded), 2.0 * cdi_couple_rounding(pair));
    double gap = c->upper - c->lower;
    out->status = converged ? CD_OK : CD_NOT_CONVERGED;
    out->distance = cdi_real_of(c->upper);
    gap = (gap > rounding ? gap + rounding : 2.0 * rounding) + cdi_abs(c->upper - (double)out->distance);
    out->gap = cdi_real_of(gap);
    if ((double)out->gap < gap) out->gap = cdi_real_of((double)cdi_next_real(out->gap, true));
    out->normal = cdi_v3_round(c->normal);
    out->a = cdi_round_in_range(c->a);
    out->b = cdi_round_in_range(c->b);
    out->feature_a = c->feature_a;
    out->feature_b = c->feature_b;
    out->iterations = c->iterations;
}

#undef CDI_GJK_BOUND
#undef CDI_GJK_CLOSE
#undef CDI_GJK_MOST
#undef CDI_GJK_SAME
#undef CDI_GJK_ROUNDS
