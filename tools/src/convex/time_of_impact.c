#include "convex/time_of_impact3d.h"
#include "convex/march.h"
#include "core/angle.h"
#include "query/motion3d.h"
#include "shape/volume3d.h"

/* ---- the bodies ---- */

/* One of the two: how it moves in the half of the time that t is in, and how far its core's points are from its origin and from the
 * axis of its turn. */
typedef struct cdi_toi_turning {
    const cd_motion *motion;
    const cdi_pose *place; /* of the support in the frame that moves, or NULL */
    cdi_pose pose;
    cdi_motion_rates rates;
    double from_origin, from_axis;
} cdi_toi_turning;

typedef struct cdi_toi {
    cdi_march march; /* first: what clear and place are handed */
    cdi_couple pair;
    cdi_toi_turning a, b;
    cdi_pose b_in_a;
    cdi_v3 swing; /* of CDI_TOI_OF_BOTH: how fast the direction turns, in the frame of A */
    bool halves;  /* does a motion change at half of the time? */
    int half;
} cdi_toi;

static void cdi_toi_turning_reaches(cdi_toi_turning *x, cdi_v3 axis, cdi_v3 p) {
    x->from_origin = cdi_max(x->from_origin, cdi_v3_sqlength(p));
    x->from_axis = cdi_max(x->from_axis, cdi_v3_sqlength(cdi_v3_cross(axis, p)));
}

/* A corner of the box around the core, which is asked in its own frame. */
static cdi_v3 cdi_toi_turning_corner(const cdi_convex *body, int corner) {
    double p[3];
    for (int k = 0; k < 3; ++k) {
        double side = corner >> k & 1 ? 1.0 : -1.0;
        uint32_t vertex = CD_NONE;
        cdi_v3 d = cdi_v3_make(k == 0 ? side : 0.0, k == 1 ? side : 0.0, k == 2 ? side : 0.0);
        p[k] = cdi_v3_get(cdi_convex_farthest(body, d, &vertex), k);
    }
    return cdi_v3_make(p[0], p[1], p[2]);
}

static void cdi_toi_turning_open(cdi_toi_turning *x, const cdi_moving *m, const cdi_convex *convex) {
    cdi_convex body = *convex;
    const cd_motion *motion = m->motion;
    cdi_m3 frame = cdi_m3_of_quat(motion->from.rotation);
    cdi_v3 axis = cdi_m3_tmul_v3(&frame, cdi_v3_make(motion->axis[0], motion->axis[1], motion->axis[2])), p;
    cdi_clear(x, sizeof *x);
    x->motion = motion;
    x->place = m->place;
    body.posed = m->place != NULL;
    if (body.support->kind == CD_SUPPORT_POINTS || body.support->kind == CD_SUPPORT_HULL) {
        for (uint32_t i = 0; cdi_convex_vertex(&body, i, &p); ++i) cdi_toi_turning_reaches(x, axis, p);
    } else {
        for (int i = 0; i < 8; ++i) cdi_toi_turning_reaches(x, axis, cdi_toi_turning_corner(&body, i));
    }
    x->from_origin = cdi_sqrt(x->from_origin) + 1e-14 * body.reach;
    x->from_axis = cdi_sqrt(x->from_axis) + 1e-14 * body.reach;
}

CDI_FN cdi_pose cdi_pose_in(const cdi_pose *a, const cdi_pose *b) {
    cdi_m3 t = cdi_m3_transpose(&a->rotation);
    cdi_pose p;
    p.rotation = cdi_m3_mul(&t, &b->rotation);
    p.position = cdi_m3_mul_v3(&t, cdi_v3_sub(b->position, a->position));
    return p;
}

/* Where the support of B is in the frame of A. */
static void cdi_toi_move(cdi_toi *s) {
    cdi_pose p;
    if (!s->b.place) {
        cdi_couple_move(&s->pair, &s->b_in_a);
        return;
    }
    p.rotation = cdi_m3_mul(&s->b_in_a.rotation, &s->b.place->rotation);
    p.position = cdi_pose_point(&s->b_in_a, s->b.place->position);
    cdi_couple_move(&s->pair, &p);
}

static void cdi_toi_pose(cdi_toi *s, double t) {
    s->a.pose = cdi_motion_at(s->a.motion, t);
    s->b.pose = cdi_motion_at(s->b.motion, t);
    s->b_in_a = cdi_pose_in(&s->a.pose, &s->b.pose);
    cdi_toi_move(s);
}

static void cdi_toi_enter_half(cdi_toi *s, double t) {
    int half = t >= 0.5;
    if (half == s->half) return;
    s->half = half;
    s->a.rates = cdi_motion_rates_of(s->a.motion, half);
    s->b.rates = cdi_motion_rates_of(s->b.motion, half);
}

/* A corner of the simplex stays the same point of either body. */
static void cdi_toi_place(cdi_march *m, double t) {
    cdi_toi *s = (cdi_toi *)(void *)m;
    cdi_pose was = s->b_in_a;
    cdi_toi_pose(s, t);
    cdi_toi_enter_half(s, t);
    for (int i = 0; i < m->gjk.count; ++i) {
        cdi_tip *tip = &m->gjk.tip[i];
        if (!cdi_convex_vertex(&s->pair.b, tip->vertex_b, &tip->b)) {
            cdi_v3 own = cdi_m3_tmul_v3(&was.rotation, cdi_v3_sub(tip->b, was.position));
            tip->b = cdi_pose_point(&s->b_in_a, own);
        }
        tip->w = cdi_v3_sub(tip->b, tip->a);
    }
}

/* ---- what a gap is worth ---- */

/* What the direction is kept in. */
typedef enum cdi_toi_frame { CDI_TOI_SPACE, CDI_TOI_OF_A, CDI_TOI_OF_B, CDI_TOI_OF_BOTH } cdi_toi_frame;

/* How many different points of one body the simplex is made of: where it is a face or an edge, the direction turns with that; where it
 * is an edge of both, with both. */
static int cdi_toi_corners(const cdi_gjk *g, bool of_a) {
    int count = 0;
    for (int i = 0; i < g->count; ++i) {
        uint32_t v = of_a ? g->tip[i].vertex_a : g->tip[i].vertex_b;
        bool known = false;
        for (int j = 0; j < i; ++j) known = known || (of_a ? g->tip[j].vertex_a : g->tip[j].vertex_b) == v;
        count += !known;
    }
    return count;
}

/* How fast what leads from the simplex's first corner to another turns towards the direction. */
static double cdi_toi_tilt(const cdi_toi *s, int i) {
    const cdi_tip *tip = s->march.gjk.tip;
    const cdi_m3 *frame = &s->a.pose.rotation;
    cdi_v3 u = cdi_m3_tmul_v3(frame, cdi_v3_scale(s->a.rates.axis, s->a.rates.turn));
    cdi_v3 v = cdi_m3_tmul_v3(frame, cdi_v3_scale(s->b.rates.axis, s->b.rates.turn));
    cdi_v3 a = cdi_v3_cross(u, cdi_v3_sub(tip[i].a, tip[0].a));
    cdi_v3 b = cdi_v3_cross(v, cdi_v3_sub(tip[i].b, tip[0].b));
    return cdi_v3_dot(s->march.gjk.axis, cdi_v3_sub(b, a));
}

/* How the direction is to turn for it to stay across the simplex while the corners go with their bodies. */
static cdi_v3 cdi_toi_swing(const cdi_toi *s) {
    const cdi_gjk *g = &s->march.gjk;
    cdi_v3 e = cdi_v3_sub(g->tip[1].w, g->tip[0].w), f = cdi_v3_cross(g->axis, e);
    double tilt_e = cdi_toi_tilt(s, 1), tilt_f = 0.0, area;
    if (g->count > 2) {
        f = cdi_v3_sub(g->tip[2].w, g->tip[0].w);
        tilt_f = cdi_toi_tilt(s, 2);
    }
    area = cdi_v3_dot(g->axis, cdi_v3_cross(e, f));
    return cdi_v3_scale(cdi_v3_cross(g->axis, cdi_v3_sub(cdi_v3_scale(f, tilt_e), cdi_v3_scale(e, tilt_f))),
                        1.0 / area);
}

static cdi_toi_frame cdi_toi_choose(cdi_toi *s) {
    int a = cdi_toi_corners(&s->march.gjk, true), b = cdi_toi_corners(&s->march.gjk, false);
    if (a > b && s->a.rates.turn > 0.0) return CDI_TOI_OF_A;
    if (b > a && s->b.rates.turn > 0.0) return CDI_TOI_OF_B;
    if (a != b || a < 2) return CDI_TOI_SPACE;
    s->swing = cdi_toi_swing(s); /* NaN or much too fast where the simplex is flat */
    return cdi_v3_norm(s->swing) < 2.0 * (s->a.rates.turn + s->b.rates.turn) ? CDI_TOI_OF_BOTH
                                                                             : CDI_TOI_SPACE;
}

/* A bound of the speed at which points of the two near each other. */
static double cdi_toi_speed(const cdi_toi *s) {
    const cdi_motion_rates *a = &s->a.rates, *b = &s->b.rates;
    double turns = a->turn * s->a.from_axis + b->turn * s->b.from_axis;
    return cdi_v3_norm(cdi_v3_sub(a->drift, b->drift)) + (a->beside + b->beside) + turns;
}

/* Of a body's points along a direction at rest. */
static double cdi_toi_turning_bend(const cdi_toi_turning *x, cdi_v3 n) {
    return x->rates.turn * x->rates.turn * x->from_axis * cdi_v3_norm(cdi_v3_cross(x->rates.axis, n)) +
           x->rates.bend;
}

/* Of the bodies' origins along a direction that turns at a rate. */
static double cdi_toi_bend_of_origins(const cdi_toi *s, double rate, double span) {
    const cdi_motion_rates *a = &s->a.rates, *b = &s->b.rates;
    double speed = cdi_v3_norm(cdi_v3_sub(a->drift, b->drift)) + a->beside + b->beside;
    double apart = cdi_v3_norm(s->b_in_a.position) + speed * span;
    return rate * (rate * apart + 2.0 * speed) + a->bend + b->bend;
}

/* Of a body's points about its origin: its own turn in the frame of the direction. */
static double cdi_toi_bend_about(const cdi_toi_turning *x, double rate) {
    rate += x->rates.turn;
    return rate * rate * x->from_origin;
}

/* A bound of the second derivative of what lies along the direction, for a time from t on. Where it turns with a body, that is at rest. */
static double cdi_toi_bend(const cdi_toi *s, cdi_toi_frame frame, cdi_v3 n, double span) {
    double a = s->a.rates.turn, b = s->b.rates.turn, both = cdi_v3_norm(s->swing);
    if (frame == CDI_TOI_OF_A) return cdi_toi_bend_about(&s->b, a) + cdi_toi_bend_of_origins(s, a, span);
    if (frame == CDI_TOI_OF_B) return cdi_toi_bend_about(&s->a, b) + cdi_toi_bend_of_origins(s, b, span);
    if (frame == CDI_TOI_OF_BOTH)
        return cdi_toi_bend_about(&s->a, both) + cdi_toi_bend_about(&s->b, both) +
               cdi_toi_bend_of_origins(s, both, span);
    n = cdi_m3_mul_v3(&s->a.pose.rotation, n);
    return cdi_toi_turning_bend(&s->a, n) + cdi_toi_turning_bend(&s->b, n);
}

/* The direction after a time at that rate, in the frame of A as it is now. */
static cdi_v3 cdi_toi_swung(const cdi_toi *s, cdi_v3 n, double time) {
    double rate = cdi_v3_norm(s->swing), sine, cosine;
    cdi_sincos(rate * time, &sine, &cosine);
    return rate > 0.0 ? cdi_v3_unit(cdi_v3_along(cdi_v3_scale(n, cosine), s->swing, sine / rate)) : n;
}

/* The gap along the direction at a later time. */
static double cdi_toi_gap(cdi_toi *s, cdi_toi_frame frame, cdi_v3 n, double t) {
    cdi_pose a = s->a.pose, b = s->b.pose;
    cdi_tip tip = s->march.gjk.tip[0];
    cdi_v3 in_space;
    if (frame == CDI_TOI_OF_BOTH) n = cdi_toi_swung(s, n, t - s->march.t);
    in_space = cdi_m3_mul_v3(&a.rotation, n);
    if (frame == CDI_TOI_OF_B) in_space = cdi_m3_tmul_v3(&b.rotation, in_space);
    cdi_toi_pose(s, t);
    if (frame == CDI_TOI_OF_B) in_space = cdi_m3_mul_v3(&s->b.pose.rotation, in_space);
    if (frame != CDI_TOI_OF_A) n = cdi_m3_tmul_v3(&s->a.pose.rotation, in_space);
    cdi_couple_least(&s->pair, n, &tip);
    return cdi_v3_dot(n, tip.w) - s->march.goal;
}

/* Where on [0, 1] a function is surely still positive that is g0 and g1 at the ends, with a second derivative of at most 2 c. */
static double cdi_toi_clear_part(double g0, double g1, double c) {
    double b = g0 + c - g1, root = b * b - 4.0 * c * g0, part;
    if (g1 > 0.0 && (b <= 0.0 || root < 0.0)) return 1.0;
    part = 2.0 * g0 / (b + cdi_sqrt(cdi_max(root, 0.0))) * (1.0 - 1e-14);
    return part < 1.0 || g1 > 0.0 ? cdi_min(part, 1.0) : 1.0 - 1e-14;
}

static double cdi_toi_end(const cdi_toi *s) {
    return s->halves && s->march.t < 0.5 ? 0.5 : 1.0;
}

/* Up to when a gap along a direction is not used up, kept in that frame; nothing comes nearer along it than at that speed. */
static double cdi_toi_clear_along(cdi_toi *s, cdi_toi_frame frame, double gap, double speed) {
    cdi_march *m = &s->march;
    double end = cdi_toi_end(s), rest = end - m->t, bend, part;
    double least = speed * rest < gap ? rest : gap / speed, span = rest;
    cdi_pose a = s->a.pose, b = s->b.pose, b_in_a = s->b_in_a;
    if (least >= rest) return end < 1.0 ? end : CDI_HUGE;
    bend = cdi_toi_bend(s, frame, m->gjk.axis, rest);
    if (bend * rest * rest > 6.5 * gap) span = cdi_sqrt(6.5 * gap / bend);
    if (span <= least) return m->t + least;
    part = cdi_toi_clear_part(gap, cdi_toi_gap(s, frame, m->gjk.axis, span < rest ? m->t + span : end),
                              0.5 * bend * span * span);
    s->a.pose = a;
    s->b.pose = b;
    s->b_in_a = b_in_a;
    cdi_toi_move(s);
    if (part >= 1.0 && span >= rest) return end < 1.0 ? end : CDI_HUGE;
    return m->t + cdi_max(least, part * span);
}

static double cdi_toi_clear(cdi_march *m, double gap) {
    cdi_toi *s = (cdi_toi *)(void *)m;
    return cdi_toi_clear_along(s, cdi_toi_choose(s), gap, cdi_toi_speed(s));
}

/* ---- the question ---- */

static bool cdi_toi_options(cd_impact_options *o, const cd_impact_options *options) {
    cdi_clear(o, sizeof *o);
    if (options) *o = *options;
    if (o->max_iterations == 0) o->max_iterations = 2048;
    if (o->t_min < 0) o->t_min = 0;
    return o->distance >= 0 && o->distance <= CD_REAL_MAX && o->tolerance >= 0 && o->t_min <= 1;
}

static bool cdi_toi_motion_valid(const cd_motion *m) {
    return cd_transform_is_valid(&m->from) && cd_transform_is_valid(&m->to) &&
           m->kind <= (uint32_t)CD_MOTION_SCREW && m->angle >= 0.0 && m->angle < 4.0 &&
           cdi_finite3(m->axis[0], m->axis[1], m->axis[2]);
}

CDI_FN bool cdi_impact_is_sound(const cd_motion *a, const cd_motion *b, const cd_impact_options *options) {
    cd_impact_options o;
    return cdi_toi_options(&o, options) && cdi_toi_motion_valid(a) && cdi_toi_motion_valid(b);
}

static bool cdi_toi_open(cdi_toi *s, const cdi_moving *a, const cdi_moving *b) {
    const cd_motion *ma = a->motion, *mb = b->motion;
    cdi_clear(s, sizeof *s);
    if (!cdi_toi_motion_valid(ma) || !cdi_toi_motion_valid(mb)) return false;
    if (!cdi_couple_open_posed(&s->pair, a->support, a->place, b->support, b->place)) return false;
    cdi_toi_turning_open(&s->a, a, &s->pair.a);
    cdi_toi_turning_open(&s->b, b, &s->pair.b);
    s->halves = ma->kind == CD_MOTION_TURN_FIRST || ma->kind == CD_MOTION_TURN_LAST ||
                mb->kind == CD_MOTION_TURN_FIRST || mb->kind == CD_MOTION_TURN_LAST;
    s->half = -1;
    return true;
}

static void cdi_toi_begin(cdi_toi *s, const cd_impact_options *o, double t_max) {
    cdi_march *m = &s->march;
    double noise = cdi_couple_slack(&s->pair) + cdi_motion_noise(s->a.motion, s->pair.a.reach) +
                   cdi_motion_noise(s->b.motion, s->pair.b.reach);
    m->pair = &s->pair;
    m->t = (double)o->t_min;
    m->t_end = t_max;
    m->goal = s->pair.rounded + (double)o->distance + noise;
    m->done = m->goal + cdi_max(noise, (double)o->tolerance);
    m->clear = cdi_toi_clear;
    m->place = cdi_toi_place;
    m->at_most = o->max_iterations;
    cdi_toi_pose(s, m->t);
    cdi_toi_enter_half(s, m->t);
}

static cd_vec3 cdi_toi_point(const cdi_toi *s, cdi_v3 p) {
    return cdi_v3_round(cdi_pose_point(&s->a.pose, p));
}

/* Do they begin in what is the contact? */
static bool cdi_toi_starts(const cdi_toi *s, const cd_impact_options *o) {
    return !(s->march.t > (double)o->t_min);
}

static void cdi_toi_answer(const cdi_toi *s, const cdi_clearance *meeting, const cd_impact_options *o,
                           cd_impact *r) {
    bool starts = cdi_toi_starts(s, o);
    r->hit = true;
    r->t = starts ? o->t_min : cdi_round_down(s->march.t, 0.0);
    r->distance = cdi_real_of(starts ? meeting->lower : meeting->upper);
    r->normal = cdi_v3_round(cdi_m3_mul_v3(&s->a.pose.rotation, meeting->normal));
    r->a = cdi_toi_point(s, meeting->a);
    r->b = cdi_toi_point(s, meeting->b);
    r->feature_a = meeting->feature_a;
    r->feature_b = meeting->feature_b;
}

static void cdi_toi_end_with(const cdi_toi *s, cdi_march_end end, cd_impact *r) {
    r->status = end == CDI_MARCH_STOPPED ? CD_NOT_CONVERGED : CD_OK;
    r->t = 1;
    r->iterations = s->march.iterations;
}

CDI_FN cd_impact cdi_impact_of(const cdi_moving *a, const cdi_moving *b, const cd_impact_options *options,
                               double t_max) {
    cd_impact_options o;
    cd_impact r;
    cdi_toi s;
    cdi_clearance meeting;
    cdi_march_end end;
    cdi_clear(&r, sizeof r);
    r.status = CD_INVALID_ARGUMENT;
    if (!cdi_toi_options(&o, options) || !cdi_toi_open(&s, a, b)) return r;
    cdi_toi_begin(&s, &o, t_max);
    end = cdi_march_run(&s.march);
    if (end != CDI_MARCH_APART) cdi_march_meeting(&s.march, cdi_toi_starts(&s, &o), &meeting);
    cdi_toi_end_with(&s, end, &r);
    if (end != CDI_MARCH_APART) cdi_toi_answer(&s, &meeting, &o, &r);
    return r;
}

CD_API cd_impact cd_time_of_impact(const cd_support *a, const cd_motion *motion_a, const cd_support *b,
                                   const cd_motion *motion_b, const cd_impact_options *options) {
    cdi_moving first, second;
    first.support = a;
    second.support = b;
    first.motion = motion_a;
    second.motion = motion_b;
    first.place = second.place = NULL;
    return cdi_impact_of(&first, &second, options, 1.0);
}

/* ---- against a plane ----
 * Its foot stands for B: along the normal, which turns with B, all that is on the plane is as near. */

static void cdi_toi_set_foot(cdi_toi *s, cdi_v3 foot) {
    const cd_motion *a = s->a.motion, *b = s->b.motion;
    double most = cdi_max(cdi_v3_max_abs(foot), s->pair.a.reach);
    most = cdi_max(most, cdi_v3_max_abs(cdi_v3_of(a->from.position)));
    most = cdi_max(most, cdi_v3_max_abs(cdi_v3_of(a->to.position)));
    most = cdi_max(most, cdi_v3_max_abs(cdi_v3_of(b->from.position)));
    most = cdi_max(most, cdi_v3_max_abs(cdi_v3_of(b->to.position)));
    s->pair.b.center = foot;
    s->pair.b.own = most; /* as what A meets may be that far from the foot */
    cdi_couple_move(&s->pair, &s->pair.b.pose);
}

/* How fast A's points go as seen from B. */
static double cdi_toi_speed_from_b(const cdi_toi *s) {
    const cdi_motion_rates *a = &s->a.rates, *b = &s->b.rates;
    double straight = cdi_v3_norm(cdi_v3_sub(a->drift, b->drift)) + (a->beside + b->beside);
    double far_off =
        cdi_v3_norm(s->b_in_a.position) + straight * (cdi_toi_end(s) - s->march.t) + s->a.from_origin;
    return straight + a->turn * s->a.from_axis + b->turn * far_off;
}

/* The gap between A's core and the plane, of which the normal, in B's frame, is n; the direction is then gjk.axis. */
static double cdi_toi_gap_to_plane(cdi_toi *s, cdi_v3 n) {
    cdi_gjk *g = &s->march.gjk;
    g->axis = cdi_v3_unit(cdi_v3_neg(cdi_m3_mul_v3(&s->b_in_a.rotation, n)));
    cdi_couple_least(&s->pair, g->axis, &g->tip[0]);
    return cdi_v3_dot(g->axis, g->tip[0].w);
}

static cdi_march_end cdi_toi_march_to_plane(cdi_toi *s, cdi_v3 n, double *gap) {
    cdi_march *m = &s->march;
    m->gjk.tip[0].vertex_a = m->gjk.tip[0].vertex_b = CD_NONE;
    for (;;) {
        double until;
        *gap = cdi_toi_gap_to_plane(s, n);
        if (*gap <= m->done) return CDI_MARCH_CONTACT;
        if (m->iterations++ >= m->at_most) return CDI_MARCH_STOPPED;
        until = cdi_toi_clear_along(s, CDI_TOI_OF_B, *gap - m->goal, cdi_toi_speed_from_b(s));
        if (until >= m->t_end) return CDI_MARCH_APART;
        if (!(until > m->t)) return CDI_MARCH_CONTACT;
        cdi_toi_place(m, until);
        m->t = until;
    }
}

static void cdi_toi_meet_plane(const cdi_toi *s, double gap, cdi_clearance *out) {
    const cdi_tip *tip = &s->march.gjk.tip[0];
    out->lower = out->upper = gap - s->pair.rounded;
    out->normal = s->march.gjk.axis;
    out->a = cdi_v3_along(tip->a, out->normal, s->pair.a.radius);
    out->b = cdi_v3_along(out->a, out->normal, out->lower);
    out->feature_a = cdi_convex_feature(&s->pair.a, &tip->vertex_a, 1);
    out->feature_b = CD_FEATURE(CD_FEATURE_FACE, 0u);
}

CDI_FN cd_impact cdi_impact_with_plane(const cdi_moving *a, cdi_v3 n, double d, const cd_motion *motion_b,
                                       const cd_impact_options *options, double t_max) {
    cd_support point = cd_support_of_point(cd_vec3_make(0, 0, 0));
    cd_impact_options o;
    cd_impact r;
    cdi_toi s;
    cdi_moving b;
    cdi_clearance meeting;
    cdi_march_end end;
    double gap, length = cdi_v3_length(n);
    cdi_clear(&r, sizeof r);
    r.status = CD_INVALID_ARGUMENT;
    b.support = &point;
    b.place = NULL;
    b.motion = motion_b;
    n = cdi_v3_normalize(n);
    if (!cdi_toi_options(&o, options) || !cdi_toi_open(&s, a, &b) || !cdi_finite(d / length)) return r;
    cdi_toi_set_foot(&s, cdi_v3_scale(n, d / length));
    cdi_toi_begin(&s, &o, t_max);
    end = cdi_toi_march_to_plane(&s, n, &gap);
    cdi_toi_end_with(&s, end, &r);
    cdi_toi_meet_plane(&s, gap, &meeting);
    if (end != CDI_MARCH_APART) cdi_toi_answer(&s, &meeting, &o, &r);
    return r;
}
