#include "tree/bvh_sweep_bvh.h"
#include "query/flat3d.h"
#include "tree/bvh_sweep_bvh_kernel.h"

/* ---- opening: the motion, and when the two trees' boxes meet ---- */

/* Times are told rounded down: one that is told as `last` may be later. */
static bool cdi_pair_sweep_cast(cdi_cast *c, cd_vec3 motion_a, cd_vec3 motion_b,
                                const cd_bvh_pair_sweep_options *options, double *last) {
    cd_cast_options o;
    double t_max = 1.0;
    cdi_clear(&o, sizeof o);
    if (options) {
        o.flags = options->flags;
        o.t_min = options->t_min;
        if (options->t_max != 0) t_max = (double)options->t_max;
    }
    if (!cd_vec3_is_valid(motion_b) || !cdi_sweep_begin(c, cd_vec3_make(0, 0, 0), motion_a, &o)) return false;
    c->d = cdi_v3_sub(c->d, cdi_v3_of(motion_b));
    *last = cdi_min(t_max, 1.0);
    c->t_max = 1.0;
    if (t_max < 1.0) c->t_max = (double)cdi_next_real((cd_real)t_max, true);
    return cdi_v3_finite(c->d) && c->t_min <= t_max;
}

/* B's bounds in A's frame, at the start. */
static void cdi_pair_sweep_posed(const cdi_pair_walk *w, double lo[3], double hi[3]) {
    const cdi_bvh_header *h = w->b.header;
    const cdi_pose *pose = &w->place_b.pose;
    cdi_v3 middle =
        cdi_pose_point(pose, cdi_v3_make(0.5 * h->lo[0] + 0.5 * h->hi[0], 0.5 * h->lo[1] + 0.5 * h->hi[1],
                                         0.5 * h->lo[2] + 0.5 * h->hi[2]));
    for (int k = 0; k < 3; ++k) {
        double half = w->place_b.moved ? w->error : 0.0;
        for (int i = 0; i < 3; ++i)
            half += cdi_abs(cdi_v3_get(pose->rotation.c[i], k)) * (0.5 * h->hi[i] - 0.5 * h->lo[i]);
        lo[k] = cdi_v3_get(middle, k) - half;
        hi[k] = cdi_v3_get(middle, k) + half;
    }
}

/* The span of time in which the boxes of the whole trees meet, each grown by the margin; false when there is none. */
static bool cdi_pair_sweep_span(const cdi_pair_sweep *s, double margin, double *from, double *to) {
    const cdi_bvh_header *a = s->w.a.header;
    double lo[3], hi[3];
    cdi_pair_sweep_posed(&s->w, lo, hi);
    for (int k = 0; k < 3; ++k) {
        double d = cdi_v3_get(s->c.d, k), under = lo[k] - a->hi[k] - margin, over = a->lo[k] - hi[k] - margin;
        if (cdi_abs(d) <= 1e-3 * margin) {
            if (under > 0.0 || over > 0.0) return false;
            continue;
        }
        *from = cdi_max(*from, (d > 0.0 ? under / d : over / -d) - 1e-15);
        *to = cdi_min(*to, (d > 0.0 ? over / -d : under / d) + 1e-15);
    }
    return *from <= *to;
}

static void cdi_pair_rate_of(cdi_pair_rate *r, cdi_v3 d, int exponent) {
    for (int k = 0; k < 3; ++k) {
        double speed = cdi_scale2(cdi_v3_get(d, k), -exponent);
        r->falls[k] = speed < 0.0;
        r->inverse[k] = (float)(1.0 / cdi_clamp(cdi_abs(speed), 1e-30, 1e30));
    }
}

/* The largest number of all. */
static double cdi_pair_sweep_most(const cdi_pair_sweep *s) {
    const cdi_bvh_header *a = s->w.a.header;
    double most = cdi_max(s->w.size, cdi_v3_max_abs(s->c.d));
    for (int k = 0; k < 3; ++k) most = cdi_max(most, cdi_max(cdi_abs(a->lo[k]), cdi_abs(a->hi[k])));
    return most;
}

CDI_FN bool cdi_pair_sweep_aim(cdi_pair_sweep *s) {
    int ea = s->w.a.header->frame.exponent, eb = s->w.b.header->frame.exponent;
    double most = cdi_pair_sweep_most(s), margin = 64.0 * cdi_sweep_slack(most) + 1e-290;
    double from = s->c.t_min, to = s->c.t_max, d = cdi_v3_max_abs(s->c.d);
    cdi_m3 back = cdi_m3_transpose(&s->w.place_b.pose.rotation);
    s->shift = (int)cdi_clamp((double)cdi_tame_shift(most), -900.0, 900.0);
    s->margin = cdi_scale2(margin, s->shift);
    s->way = cdi_v3_scale2(s->c.d, s->shift);
    s->blunt = !(most < 1e290);
    s->limit = 1.0f;
    if (s->blunt) return true;
    if (!cdi_pair_sweep_span(s, margin, &from, &to)) return false;
    s->start = from;
    s->c.t_max = to;
    /* time goes in sizes of A, or in 2^-60 of B's where that is more: numbers that floats hold */
    s->rate = d > 0.0
                  ? (int)cdi_clamp((double)(cdi_exponent(d) - (ea > eb - 60 ? ea : eb - 60)), -60.0, 2000.0)
                  : -60;
    cdi_pair_rate_of(&s->in_a, s->c.d, ea + s->rate);
    cdi_pair_rate_of(&s->in_b, cdi_m3_mul_v3(&back, s->c.d), eb + s->rate);
    cdi_pairs_shift(&s->w, cdi_v3_scale(s->c.d, -s->start), margin);
    s->limit = cdi_pair_sweep_limit(s, to);
    return true;
}

static bool cdi_pair_sweep_open(cdi_pair_sweep *s, const cd_bvh *a, cd_vec3 motion_a, const cd_bvh *b,
                                const cd_transform *b_in_a, cd_vec3 motion_b,
                                const cd_bvh_pair_sweep_options *options) {
    if (!cdi_pairs_open(&s->w, a, b, b_in_a, 0.0, options ? &options->pairs : NULL) ||
        !cdi_pair_sweep_cast(&s->c, motion_a, motion_b, options, &s->last))
        return false;
    s->flat = s->w.a.item != CD_BVH_BOXES && s->w.b.item != CD_BVH_BOXES;
    s->found = s->any = false;
    s->start = 0.0;
    s->rate = 0;
    return cdi_pair_sweep_aim(s);
}

/* ---- pairs ---- */

static bool cdi_pair_is_before(cd_pair a, cd_pair b) {
    return a.a < b.a || (a.a == b.a && a.b < b.b);
}

/* Hits are compared as they are told: t is rounded down, so that one as early may be a step later before. */
static bool cdi_pair_sweep_meet(cdi_pair_sweep *s, uint32_t item_a, uint32_t item_b, double from) {
    cdi_posed a, b;
    cd_hit hit;
    cd_pair pair;
    bool first;
    pair.a = cdi_bvh_index(&s->w.a, item_a);
    pair.b = cdi_bvh_index(&s->w.b, item_b);
    first = !s->found || cdi_pair_is_before(pair, s->pair);
    if (!first && !((double)s->best.t > from)) return true;
    CDI_COUNT(sweep);
    cdi_posed_read(&a, &s->w.a, item_a, &s->w.place_a);
    cdi_posed_read(&b, &s->w.b, item_b, &s->w.place_b);
    if (!cdi_posed_sweep(&s->c, &a, &b, &hit) || !((double)hit.t <= s->last)) return true;
    if (s->found && !(hit.t < s->best.t || (hit.t == s->best.t && first))) return true;
    if (!cdi_pairs_sees(&s->w, item_a, item_b, pair)) return true;
    s->found = true;
    s->best = hit;
    s->best.index = pair.b;
    s->pair = pair;
    s->c.t_max = cdi_min(s->c.t_max, (double)cdi_next_real(hit.t, true));
    return !s->any;
}

/* ---- queries ---- */

static bool cdi_pair_sweep_ask(cdi_pair_sweep *s, const cd_bvh *a, cd_vec3 motion_a, const cd_bvh *b,
                               const cd_transform *b_in_a, cd_vec3 motion_b,
                               const cd_bvh_pair_sweep_options *options, bool any) {
    if (!cdi_pair_sweep_open(s, a, motion_a, b, b_in_a, motion_b, options)) return false;
    s->any = any;
    s->meet = cdi_pair_sweep_meet;
    CDI_RUN(cdi_pair_sweep_run, (s));
    return s->found;
}

CD_API bool cd_bvh_sweep_bvh(const cd_bvh *a, cd_vec3 motion_a, const cd_bvh *b, const cd_transform *b_in_a,
                             cd_vec3 motion_b, const cd_bvh_pair_sweep_options *options, cd_hit *hit,
                             cd_pair *pair) {
    cdi_pair_sweep s;
    cdi_v3 point;
    if (!cdi_pair_sweep_ask(&s, a, motion_a, b, b_in_a, motion_b, options, false)) return false;
    point = cdi_v3_along(cdi_v3_of(s.best.point), cdi_v3_of(motion_b), (double)s.best.t);
    s.best.point = cdi_v3_round(point);
    if (hit) *hit = s.best;
    if (pair) *pair = s.pair;
    return true;
}

CD_API bool cd_bvh_test_sweep_bvh(const cd_bvh *a, cd_vec3 motion_a, const cd_bvh *b,
                                  const cd_transform *b_in_a, cd_vec3 motion_b,
                                  const cd_bvh_pair_sweep_options *options, cd_pair *pair) {
    cdi_pair_sweep s;
    if (!cdi_pair_sweep_ask(&s, a, motion_a, b, b_in_a, motion_b, options, true)) return false;
    if (pair) *pair = s.pair;
    return true;
}
