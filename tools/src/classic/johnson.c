#include "classic/johnson.h"

#ifndef COLLIDE_NO_CLASSIC

#include "convex/gjk3d.h"

/* ---- Johnson's subalgorithm ---- */

/* The corners as seen from the point, their scalar products, and the determinants: det[X][j], the paper's Delta_j(X), for each subset X
 * of the corners, as bits, and each j of X. */
typedef struct cdi_johnson {
    cdi_v3 y[4];
    double dot[4][4], det[16][4];
    uint32_t count, kept;
    bool backup;
    double weight[4];
    cdi_v3 v;
} cdi_johnson;

static bool cdi_johnson_has(uint32_t subset, uint32_t i) {
    return (subset >> i & 1u) != 0;
}

/* Delta_j(X + j) = sum over i of X: Delta_i(X) (y_i . y_k - y_i . y_j), for any k of X. */
static double cdi_johnson_delta(const cdi_johnson *s, uint32_t x, uint32_t j) {
    uint32_t k = cdi_lowest_bit(x);
    double sum = 0.0;
    for (uint32_t i = 0; i < s->count; ++i)
        if (cdi_johnson_has(x, i)) sum += s->det[x][i] * (s->dot[i][k] - s->dot[i][j]);
    return sum;
}

static void cdi_johnson_determinants(cdi_johnson *s) {
    for (uint32_t i = 0; i < s->count; ++i)
        for (uint32_t j = 0; j < s->count; ++j) s->dot[i][j] = cdi_v3_dot(s->y[i], s->y[j]);
    for (uint32_t x = 1; x < 1u << s->count; ++x)
        for (uint32_t j = 0; j < s->count; ++j) {
            uint32_t rest = x & ~(1u << j);
            if (cdi_johnson_has(x, j)) s->det[x][j] = rest ? cdi_johnson_delta(s, rest, j) : 1.0;
        }
}

/* All weights of the subset are above 0. */
static bool cdi_johnson_is_proper(const cdi_johnson *s, uint32_t x) {
    for (uint32_t i = 0; i < s->count; ++i)
        if (cdi_johnson_has(x, i) && !(s->det[x][i] > 0.0)) return false;
    return true;
}

/* And any further corner would get one of 0 or less. */
static bool cdi_johnson_is_nearest(const cdi_johnson *s, uint32_t x) {
    for (uint32_t j = 0; j < s->count; ++j)
        if (!cdi_johnson_has(x, j) && !(s->det[x | 1u << j][j] <= 0.0)) return false;
    return cdi_johnson_is_proper(s, x);
}

static void cdi_johnson_keep(cdi_johnson *s, uint32_t x) {
    double sum = 0.0;
    s->kept = x;
    s->v = cdi_v3_make(0.0, 0.0, 0.0);
    for (uint32_t i = 0; i < s->count; ++i)
        if (cdi_johnson_has(x, i)) sum += s->det[x][i];
    for (uint32_t i = 0; i < s->count; ++i) {
        s->weight[i] = cdi_johnson_has(x, i) ? s->det[x][i] / sum : 0.0;
        if (cdi_johnson_has(x, i)) s->v = cdi_v3_along(s->v, s->y[i], s->weight[i]);
    }
}

/* The backup procedure: of all subsets whose weights are above 0, the one whose point is nearest. */
static void cdi_johnson_backup(cdi_johnson *s) {
    double least = CDI_HUGE;
    uint32_t best = 1;
    s->backup = true;
    for (uint32_t x = 1; x < 1u << s->count; ++x) {
        if (!cdi_johnson_is_proper(s, x)) continue;
        cdi_johnson_keep(s, x);
        if (!(cdi_v3_sqlength(s->v) < least)) continue;
        least = cdi_v3_sqlength(s->v);
        best = x;
    }
    cdi_johnson_keep(s, best);
}

static void cdi_johnson_solve(cdi_johnson *s) {
    s->backup = false;
    cdi_johnson_determinants(s);
    for (uint32_t x = 1; x < 1u << s->count; ++x) {
        if (!cdi_johnson_is_nearest(s, x)) continue;
        cdi_johnson_keep(s, x);
        return;
    }
    cdi_johnson_backup(s);
}

/* The power of two that makes the largest number about 1, so that no product leaves the range. */
static int cdi_johnson_scale(cdi_johnson *s) {
    double most = 0.0;
    int shift;
    for (uint32_t i = 0; i < s->count; ++i) most = cdi_max(most, cdi_v3_max_abs(s->y[i]));
    shift = most > 0.0 ? 0 - cdi_exponent(most) : 0;
    for (uint32_t i = 0; i < s->count; ++i) {
        cdi_v3 y = cdi_v3_scale2(s->y[i], shift);
        s->y[i] = y;
    }
    return shift;
}

CD_API cd_johnson_point cd_closest_pt_simplex_johnson(cd_vec3 p, const cd_vec3 *corners, size_t count) {
    cd_johnson_point out;
    cdi_johnson s;
    int shift;
    bool valid = cd_vec3_is_valid(p);
    cdi_clear(&out, sizeof out);
    out.status = CD_INVALID_ARGUMENT;
    out.point = cdi_no_point();
    if (count < 1 || count > 4) return out;
    s.count = (uint32_t)count;
    for (uint32_t i = 0; i < s.count; ++i) {
        cdi_v3 y = cdi_v3_sub(cdi_v3_of(corners[i]), cdi_v3_of(p));
        s.y[i] = y;
        valid = valid && cdi_v3_finite(y);
    }
    if (!valid) return out;
    shift = cdi_johnson_scale(&s);
    cdi_johnson_solve(&s);
    out.status = CD_OK;
    out.point = cdi_v3_round(cdi_v3_add(cdi_v3_of(p), cdi_v3_scale2(s.v, 0 - shift)));
    for (uint32_t i = 0; i < s.count; ++i) out.weights[i] = cdi_nearest_real(s.weight[i]);
    out.kept = s.kept;
    out.backup = s.backup;
    return out;
}

/* ---- the walk ---- */

#define CDI_JOHNSON_ENOUGH  1e-10 /* of the distance, and as squares of the simplex's size */
#define CDI_JOHNSON_NOTHING 1e-28

typedef struct cdi_johnson_walk {
    cdi_couple pair;
    cdi_tip tip[4];
    double weight[4], unit;
    int count;
    cdi_v3 v;
    double lower; /* of the distance, the paper's mu */
    uint32_t step;
} cdi_johnson_walk;

typedef enum cdi_johnson_end {
    CDI_JOHNSON_ON,
    CDI_JOHNSON_NEAR,
    CDI_JOHNSON_MEET,
    CDI_JOHNSON_STUCK
} cdi_johnson_end;

static bool cdi_johnson_has_tip(const cdi_johnson_walk *w, const cdi_tip *tip) {
    for (int i = 0; i < w->count; ++i) {
        cdi_v3 d = cdi_v3_sub(w->tip[i].w, tip->w);
        if (cdi_v3_is_zero(d)) return true;
    }
    return false;
}

/* The simplex with one corner more, and what is kept of it. */
static cdi_johnson_end cdi_johnson_take(cdi_johnson_walk *w, const cdi_tip *tip) {
    cdi_tip all[4];
    cdi_johnson s;
    double old = cdi_v3_sqlength(w->v), most = 0.0;
    cdi_v3 v;
    s.count = (uint32_t)w->count + 1;
    for (uint32_t i = 0; i < s.count; ++i) {
        all[i] = i + 1 < s.count ? w->tip[i] : *tip;
        s.y[i] = cdi_v3_scale(all[i].w, w->unit);
        most = cdi_max(most, cdi_v3_sqlength(s.y[i]));
    }
    cdi_johnson_solve(&s);
    v = s.kept == 15 ? cdi_v3_make(0.0, 0.0, 0.0) : s.v;
    if (w->count > 0 && !(cdi_v3_sqlength(v) < old)) return CDI_JOHNSON_STUCK;
    w->v = v;
    w->count = 0;
    for (uint32_t i = 0; i < s.count; ++i) {
        if (!cdi_johnson_has(s.kept, i)) continue;
        w->weight[w->count] = s.weight[i];
        w->tip[w->count++] = all[i];
    }
    return cdi_v3_sqlength(v) <= CDI_JOHNSON_NOTHING * most ? CDI_JOHNSON_MEET : CDI_JOHNSON_ON;
}

/* All in units of the couple's scale. */
static cdi_johnson_end cdi_johnson_step(cdi_johnson_walk *w) {
    cdi_tip tip;
    double length = cdi_v3_norm(w->v);
    tip.vertex_a = tip.vertex_b = CD_NONE;
    cdi_couple_least(&w->pair, w->v, &tip);
    w->lower = cdi_max(w->lower, cdi_v3_dot(w->v, tip.w) / length * w->unit);
    if (w->count > 0 && length - w->lower <= CDI_JOHNSON_ENOUGH * length) return CDI_JOHNSON_NEAR;
    if (cdi_johnson_has_tip(w, &tip)) return CDI_JOHNSON_STUCK;
    return cdi_johnson_take(w, &tip);
}

static cdi_johnson_end cdi_johnson_run(cdi_johnson_walk *w, uint32_t limit) {
    cdi_johnson_end end = CDI_JOHNSON_ON;
    w->unit = cdi_unit_of_scale(w->pair.scale);
    w->count = 0;
    w->lower = 0.0;
    w->v = cdi_v3_make(1.0, 0.0, 0.0); /* the first corner is any */
    for (w->step = 0; end == CDI_JOHNSON_ON && w->step < limit; ++w->step) end = cdi_johnson_step(w);
    return end;
}

CD_API cd_separation cd_gjk_johnson(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                                    uint32_t max_iterations) {
    cd_separation out;
    cdi_johnson_walk w;
    cdi_clearance c;
    cdi_johnson_end end;
    double length;
    cdi_v3 normal;
    if (!cdi_couple_open(&w.pair, a, b, b_in_a)) {
        cdi_separation_of_nothing(&out);
        return out;
    }
    end = cdi_johnson_run(&w, max_iterations > 0 ? max_iterations : 100);
    length = end == CDI_JOHNSON_MEET ? 0.0 : cdi_v3_norm(w.v) / w.unit;
    normal = length > 0.0 ? cdi_v3_unit(w.v) : cdi_v3_make(1.0, 0.0, 0.0);
    cdi_clearance_of_tips(&w.pair, w.tip, w.weight, w.count, normal, cdi_min(w.lower / w.unit, length),
                          length, &c);
    c.iterations = w.step;
    cdi_separation_of(&w.pair, &c, end == CDI_JOHNSON_NEAR || end == CDI_JOHNSON_MEET, &out);
    return out;
}

#undef CDI_JOHNSON_ENOUGH
#undef CDI_JOHNSON_NOTHING

#endif
