#include "convex/gjk_cast.h"
#include "convex/gjk_cast3d.h"
#include "convex/march.h"
#include "query/sweep3d.h"
#include "shape/swept3d.h"
#include "shape/volume3d.h"

/* A straight motion: its times are s = t 2^exponent, its way in a time of 1 has a largest coordinate in [1, 2). */
typedef struct cdi_straight {
    cdi_march march; /* first: what clear and place are handed */
    cdi_couple pair;
    cdi_v3 way, base; /* base: B's position at s = 0 */
    int exponent;
    double past; /* beyond this time to either side the two are behind each other */
} cdi_straight;

static double cdi_straight_clear(cdi_march *m, double gap) {
    const cdi_straight *c = (const cdi_straight *)(const void *)m;
    double speed = cdi_v3_dot(c->way, m->gjk.axis);
    return speed > 0.0 ? m->t + gap / speed : CDI_HUGE;
}

/* B moves the other way. */
static void cdi_straight_pose(cdi_straight *c, double s) {
    c->pair.b.pose.position = cdi_v3_along(c->base, c->way, 0.0 - s);
}

static void cdi_straight_place(cdi_march *m, double s) {
    cdi_straight *c = (cdi_straight *)(void *)m;
    double step = m->t - s;
    cdi_straight_pose(c, s);
    for (int i = 0; i < m->gjk.count; ++i) {
        cdi_tip *tip = &m->gjk.tip[i];
        tip->b = cdi_v3_along(tip->b, c->way, step);
        tip->w = cdi_v3_sub(tip->b, tip->a);
    }
}

static void cdi_straight_scale(cdi_straight *c, cdi_v3 d) {
    double most = cdi_v3_max_abs(d);
    c->exponent = most > 0.0 ? cdi_exponent(most) : 0;
    c->way = cdi_v3_scale2(d, -c->exponent);
    c->past = 2.5 * (2.0 * c->pair.scale + c->pair.rounded);
}

/* From time s0 on, no farther than s1. */
static void cdi_straight_begin(cdi_straight *c, double s0, double s1) {
    cdi_march *m = &c->march;
    double slack = cdi_couple_slack(&c->pair);
    cdi_clear(m, sizeof *m);
    m->pair = &c->pair;
    m->t = s0;
    m->t_end = s1;
    m->goal = c->pair.rounded + slack;
    m->done = m->goal + slack;
    m->clear = cdi_straight_clear;
    m->place = cdi_straight_place;
    m->gjk.axis = c->way;
    m->at_most = 2048;
    cdi_straight_pose(c, s0);
}

/* Of a pair that is open. */
static void cdi_straight_aim(cdi_straight *c, const cdi_cast *cast) {
    c->base = c->pair.b.pose.position;
    cdi_straight_scale(c, cast->d);
    cdi_straight_begin(c, cdi_scale2(cast->t_min, c->exponent),
                       cdi_min(cdi_scale2(cast->t_max, c->exponent), c->past));
}

static bool cdi_straight_open(cdi_straight *c, const cdi_cast *cast, const cd_support *a, const cd_support *b,
                              const cd_transform *b_in_a) {
    cd_transform same;
    cdi_clear(&same, sizeof same);
    if (!cdi_couple_open(&c->pair, a, b, b_in_a ? b_in_a : &same)) return false;
    cdi_straight_aim(c, cast);
    return true;
}

static double cdi_straight_time(const cdi_straight *c) {
    return cdi_scale2(c->march.t, -c->exponent);
}

/* The contact in the frame where B rests; deep in each other, the nearest way out. */
static void cdi_straight_impact(cdi_straight *c, bool deep, cdi_impact *met) {
    cdi_clearance meeting;
    cdi_march_meeting(&c->march, deep, &meeting);
    cdi_clear(met, sizeof *met);
    met->t = cdi_straight_time(c);
    met->point = cdi_v3_along(meeting.b, c->way, c->march.t);
    met->normal = cdi_v3_neg(meeting.normal);
    met->depth = cdi_max(0.0 - meeting.lower, 0.0);
    met->feature = meeting.feature_b;
}

/* Is the nearest way out asked for? Without motion it is the normal. */
static bool cdi_cast_wants_depth(const cdi_cast *c) {
    return (c->flags & (CD_CAST_START_DEPTH | CD_CAST_START_LEAVING)) != 0 || cdi_v3_is_zero(c->d);
}

static bool cdi_straight_sweep(cdi_straight *c, const cdi_cast *cast, cdi_v3 side, cd_hit *hit) {
    cdi_impact met;
    double start = c->march.t;
    bool at_start;
    if (cdi_march_run(&c->march) == CDI_MARCH_APART) return false;
    at_start = !(c->march.t > start);
    cdi_straight_impact(c, at_start && cdi_cast_wants_depth(cast), &met);
    met.t = cdi_min(met.t, cast->t_max);
    return cdi_sweep_answer(cast, at_start ? CDI_MEETS_AT_START : CDI_MEETS_LATER, &met, side, hit);
}

CDI_FN bool cdi_gjk_sweep_posed(const cdi_cast *cast, const cd_support *a, const cdi_pose *a_pose,
                                const cd_support *b, const cdi_pose *b_pose, cdi_v3 side, cd_hit *hit) {
    cdi_straight c;
    if (!cdi_couple_open_posed(&c.pair, a, a_pose, b, b_pose)) return false;
    cdi_straight_aim(&c, cast);
    return cdi_straight_sweep(&c, cast, side, hit);
}

CD_API bool cd_gjk_sweep(const cd_support *a, cd_vec3 motion, const cd_support *b, const cd_transform *b_in_a,
                         const cd_cast_options *options, cd_hit *hit) {
    cdi_cast cast;
    cdi_straight c;
    if (!cdi_sweep_begin(&cast, a->center, motion, options) || !cdi_straight_open(&c, &cast, a, b, b_in_a))
        return false;
    return cdi_straight_sweep(&c, &cast, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

/* ---- rays ---- */

/* Where the ray leaves, found by one that comes back from behind the body. */
static bool cdi_raycast_leaving(cdi_straight *c, const cdi_cast *cast, cd_hit *hit) {
    cdi_span span;
    cdi_impact met;
    double start = c->march.t;
    if (cdi_v3_is_zero(cast->d)) return false;
    c->base = cdi_v3_along(c->base, c->way, 0.0 - c->past);
    c->way = cdi_v3_neg(c->way);
    cdi_straight_begin(c, 0.0, c->past - start);
    if (cdi_march_run(&c->march) == CDI_MARCH_APART) return false;
    cdi_straight_impact(c, false, &met);
    met.point = cdi_v3_along(met.point, c->way, 0.0 - c->past);
    span.in = -CDI_HUGE;
    span.out = cdi_max(cdi_scale2(c->past - c->march.t, -c->exponent), cast->t_min);
    if (cdi_cast_solid(cast, &span) != CDI_CONTACT_OUT) return false;
    if (!cdi_hit_write(hit, span.out, met.point, cdi_v3_neg(met.normal), 0,
                       cdi_contact_flags(cast, CDI_CONTACT_OUT, span.out)))
        return false;
    if (hit) hit->t = cdi_round_up(span.out); /* t_max, which is not before it, is a cd_real */
    if (hit) hit->feature = met.feature;
    return true;
}

/* On the surface and on the way in, it is met as any other; else inside. */
static bool cdi_raycast_start(const cdi_straight *c, const cdi_cast *cast, const cdi_impact *met,
                              cd_hit *hit) {
    bool inside = met->depth > cdi_couple_slack(&c->pair) || !(cdi_v3_dot(met->normal, cast->d) < 0.0), got;
    if (cast->flags & CD_CAST_START_IGNORE) return false;
    got = inside ? cdi_hit_start(cast, met->normal, met->depth, 0, hit)
                 : cdi_hit_write(hit, cast->t_min, met->point, met->normal, 0, (uint32_t)CD_HIT_START);
    if (got && hit && hit->feature != CD_FEATURE_NONE) hit->feature = met->feature;
    return got;
}

/* t towards the start, which it does not leave. */
static cd_real cdi_raycast_time(double t, double start) {
    cd_real rounded = cdi_round_down(t, 0.0);
    return (double)rounded > start ? rounded : (cd_real)start;
}

static bool cdi_raycast_hit(cdi_straight *c, const cdi_cast *cast, double start, cd_hit *hit) {
    cdi_impact met;
    bool at_start = !(c->march.t > start), got;
    cdi_straight_impact(c, at_start, &met);
    met.t = cdi_min(met.t, cast->t_max);
    if (at_start) return cdi_raycast_start(c, cast, &met, hit);
    got = cdi_hit_write(hit, met.t, met.point, met.normal, 0, 0);
    if (got && hit) hit->t = cdi_raycast_time(met.t, cast->t_min);
    if (got && hit) hit->feature = met.feature;
    return got;
}

CD_API bool cd_gjk_raycast(const cd_ray *r, cd_real t_max, const cd_support *s,
                           const cd_cast_options *options, cd_hit *hit) {
    cd_support origin = cd_support_of_point(r->origin);
    cdi_cast cast;
    cdi_straight c;
    double start;
    if (!cdi_cast_begin(&cast, r, t_max, options) || !cdi_straight_open(&c, &cast, &origin, s, NULL))
        return false;
    if (cast.flags & CD_CAST_CULL_FRONT) return cdi_raycast_leaving(&c, &cast, hit);
    start = c.march.t;
    if (cdi_march_run(&c.march) == CDI_MARCH_APART) return false;
    return cdi_raycast_hit(&c, &cast, start, hit);
}
