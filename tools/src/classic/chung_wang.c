#include "classic/chung_wang.h"

#ifndef COLLIDE_NO_CLASSIC

#include "convex/body.h"

/* ---- the vectors left ----
 *
 * Every way w between farthest points is one from A to B: a vector s that separates them has w . s > 0. */

#define CDI_CHUNG_RAYS 48 /* a cone of more is not cut any more: it only holds more than it should */

/* A pointed cone by the rays around it; with none it is empty. */
typedef struct cdi_chung_cone {
    cdi_v3 ray[CDI_CHUNG_RAYS];
    int count;
} cdi_chung_cone;

/* The half-space of a vector w, as four quarters: one cone cannot hold it by the rays around it. */
static void cdi_chung_cones_begin(cdi_chung_cone c[4], cdi_v3 w) {
    cdi_v3 x = cdi_across(w), y = cdi_v3_cross(w, x), across[5];
    across[0] = x;
    across[4] = x;
    across[1] = y;
    x = cdi_v3_neg(x);
    y = cdi_v3_neg(y);
    across[2] = x;
    across[3] = y;
    for (int i = 0; i < 4; ++i) {
        c[i].count = 3;
        c[i].ray[0] = w;
        c[i].ray[1] = across[i];
        c[i].ray[2] = across[i + 1];
    }
}

/* What of it has w . s >= 0; nothing when it has no s with w . s > 0. Rays of a thin cone may be in no order but for rounding, so that
 * they change sides at each: there is room for that. */
static void cdi_chung_cone_cut(cdi_chung_cone *c, cdi_v3 w) {
    cdi_v3 cut[2 * CDI_CHUNG_RAYS];
    int out = 0;
    double most = 0.0;
    for (int i = 0; i < c->count; ++i) most = cdi_max(most, cdi_v3_dot(w, c->ray[i]));
    for (int i = 0; i < c->count && most > 0.0; ++i) {
        cdi_v3 p = c->ray[i], q = c->ray[i + 1 < c->count ? i + 1 : 0];
        double d = cdi_v3_dot(w, p), e = cdi_v3_dot(w, q);
        if (d >= 0.0) cut[out++] = p;
        if ((d > 0.0 && e < 0.0) || (d < 0.0 && e > 0.0)) {
            cdi_v3 r = cdi_v3_unit(cdi_v3_along(cdi_v3_scale(p, cdi_abs(e)), q, cdi_abs(d)));
            cut[out++] = r;
        }
    }
    if (out > CDI_CHUNG_RAYS) return;
    for (int i = 0; i < out; ++i) c->ray[i] = cut[i];
    c->count = out;
}

/* False when no vector is left. */
static bool cdi_chung_cones_cut(cdi_chung_cone c[4], cdi_v3 w) {
    bool left = false;
    for (int i = 0; i < 4; ++i) {
        cdi_chung_cone_cut(&c[i], w);
        left = left || c[i].count > 0;
    }
    return left;
}

/* ---- the steps ---- */

typedef struct cdi_chung {
    cdi_couple pair;
    cdi_chung_cone left[4]; /* all vectors that no half-space rules out */
    cdi_tip tip;            /* hints, and the farthest points */
    cdi_v3 s, w;            /* the vector, and the way between the farthest points along it */
    double least;           /* s . w */
    uint32_t step;          /* how many were tried */
} cdi_chung;

/* From the one's center to the other's. */
static cdi_v3 cdi_chung_first(const cdi_couple *pair) {
    cdi_v3 a = cdi_convex_center(&pair->a), b = cdi_convex_center(&pair->b), way;
    if (pair->b.posed) b = cdi_pose_point(&pair->b.pose, b);
    way = cdi_v3_sub(b, a);
    return cdi_v3_is_zero(way) ? cdi_v3_make(1.0, 0.0, 0.0) : cdi_v3_unit(way);
}

/* The farthest points of both rounded bodies. */
static void cdi_chung_extreme(cdi_chung *c) {
    cdi_couple_least(&c->pair, c->s, &c->tip);
    c->w = cdi_v3_along(c->tip.w, c->s, 0.0 - c->pair.rounded);
    c->least = cdi_v3_dot(c->s, c->w);
}

/* Mirrors s at the plane across r; its length would stay 1 but for rounding. */
static void cdi_chung_reflect(cdi_chung *c) {
    cdi_v3 r = cdi_v3_unit(c->w);
    c->s = cdi_v3_unit(cdi_v3_along(c->s, r, -2.0 * cdi_v3_dot(r, c->s)));
}

static cd_separating_verdict cdi_chung_run(cdi_chung *c, uint32_t limit) {
    for (c->step = 1;; ++c->step) {
        cdi_chung_extreme(c);
        if (c->least > 0.0) return CD_SEPARATING_FOUND;
        if (cdi_v3_is_zero(c->w)) return CD_SEPARATING_NONE; /* a point of both */
        if (c->step == 1) cdi_chung_cones_begin(c->left, cdi_v3_unit(c->w));
        if (c->step > 1 && !cdi_chung_cones_cut(c->left, cdi_v3_unit(c->w))) return CD_SEPARATING_NONE;
        if (c->step >= limit) return CD_SEPARATING_UNDECIDED;
        cdi_chung_reflect(c);
    }
}

CD_API cd_separating_vector cd_chung_wang(const cd_support *a, const cd_support *b,
                                          const cd_transform *b_in_a, uint32_t max_iterations,
                                          cd_vec3 *vector) {
    cd_separating_vector out;
    cdi_chung c;
    cdi_clear(&out, sizeof out);
    out.status = CD_INVALID_ARGUMENT;
    out.vector = cdi_no_point();
    out.least = (cd_real)cdi_nan();
    if (!cdi_couple_open(&c.pair, a, b, b_in_a)) return out;
    c.tip.vertex_a = c.tip.vertex_b = CD_NONE;
    c.s = vector && cd_vec3_is_valid(*vector) ? cdi_v3_unit(cdi_v3_of(*vector)) : cdi_v3_make(0.0, 0.0, 0.0);
    if (cdi_v3_is_zero(c.s)) c.s = cdi_chung_first(&c.pair);
    out.verdict = cdi_chung_run(&c, max_iterations > 0 ? max_iterations : 100);
    out.status = out.verdict == CD_SEPARATING_UNDECIDED ? CD_NOT_CONVERGED : CD_OK;
    out.vector = cdi_v3_round(c.s);
    out.least = cdi_real_of(c.least);
    out.iterations = c.step;
    if (vector) *vector = out.vector;
    return out;
}

#undef CDI_CHUNG_RAYS

#endif
