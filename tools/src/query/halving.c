#include "query/halving.h"
#include "query/flat3d.h"
#include "query/motion3d.h"
#include "query/safe.h"

/* The shortest span of time that counts. */
static double cdi_halving_instant(void) {
    return 0.25 * (double)CD_REAL_EPSILON;
}

/* The default where there are none; false where they make no sense. */
static bool cdi_halving_begin(cd_halving_options *o, const cd_halving_options *options, cd_halving *r) {
    cdi_clear(o, sizeof *o);
    if (options) *o = *options;
    if (o->max_iterations == 0) o->max_iterations = 1024;
    if (o->t_min < 0) o->t_min = 0;
    cdi_clear(r, sizeof *r);
    r->hit = true;
    r->status = CD_INVALID_ARGUMENT;
    if (!(o->tolerance >= 0) || !(o->t_min <= 1)) return false;
    r->t = o->t_min;
    r->status = CD_OK;
    return true;
}

static cd_halving cdi_halving_missed(cd_halving r) {
    r.hit = false;
    r.t = 1;
    return r;
}

/* ---- from distances ---- */

/* What is known of two things that move. */
typedef struct cdi_approach {
    cd_distance_fn distance;
    cd_speed_fn speed;
    cd_real most_speed;
    void *user;
    cd_real span; /* how far ahead the speed was last asked for */
} cdi_approach;

static cd_real cdi_approach_end(cd_real t, cd_real span) {
    cd_real end = span < 1 - t ? t + span : 1;
    return end > t ? end : cdi_next_real(t, true);
}

/* The time up to which a distance at r->t lasts. At half the span that was asked for or more, it is at least half of what the
 * best span would give; the next one is asked for twice as much as was cleared. */
static cd_real cdi_approach_clear(cdi_approach *s, cd_halving *r, cd_real distance) {
    for (;;) {
        cd_real end = cdi_approach_end(r->t, s->span), until;
        cd_real speed = s->speed ? s->speed(s->user, r->t, end) : s->most_speed;
        if (!(speed >= 0)) {
            r->status = CD_INVALID_ARGUMENT;
            return r->t;
        }
        until = cd_safe_until(r->t, distance, speed);
        if (until > end) until = end;
        if (!s->speed || (double)until - (double)r->t >= 0.5 * ((double)end - (double)r->t) ||
            (double)s->span <= cdi_halving_instant()) {
            if (until == end) s->span = s->span < (cd_real)0.5 ? 2 * s->span : 1;
            return until;
        }
        s->span *= (cd_real)0.5;
    }
}

CD_API cd_halving cd_sweep_interval_halving(cd_distance_fn distance, cd_speed_fn speed, cd_real most_speed,
                                            void *user, const cd_halving_options *options) {
    cd_halving_options o;
    cd_halving r;
    cdi_approach s;
    bool valid = cdi_halving_begin(&o, options, &r);
    if (!distance) r.status = CD_INVALID_ARGUMENT;
    if (!valid || !distance) return r;
    s.distance = distance;
    s.speed = speed;
    s.most_speed = most_speed;
    s.user = user;
    s.span = 1;
    while (r.iterations < o.max_iterations) {
        cd_real apart = distance(user, r.t), until;
        ++r.iterations;
        r.gap = apart > 0 ? apart : 0;
        if (!(apart == apart)) r.status = CD_INVALID_ARGUMENT;
        if (!(apart > o.tolerance)) return r;
        if (r.t >= 1) return cdi_halving_missed(r);
        until = cdi_approach_clear(&s, &r, apart);
        if (until < 1 && (double)until - (double)r.t < cdi_halving_instant()) return r;
        r.t = until;
    }
    r.status = CD_NOT_CONVERGED;
    r.gap = 0; /* which was that of the time before */
    return r;
}

/* ---- from spans ---- */

/* The span from `index` to `index` + 1, counted in 2^-level of the time from t_min to 1. */
typedef struct cdi_time_span {
    uint64_t index;
    int level;
} cdi_time_span;

/* Rounding keeps the order, and neighbours share an end. */
static cd_real cdi_span_time(const cdi_time_span *s, uint64_t index, cd_real t_min) {
    double part = (double)(int64_t)index * cdi_exp2i(-s->level);
    if (part >= 1.0) return 1;
    return (cd_real)((double)t_min + (1.0 - (double)t_min) * part);
}

/* The next span after one that is clear, the largest that was not asked for. */
static void cdi_span_next(cdi_time_span *s) {
    for (++s->index; s->level > 0 && (s->index & 1u) == 0; --s->level) s->index >>= 1;
}

CD_API cd_halving cd_sweep_interval_halving_spans(cd_may_touch_fn may_touch, void *user,
                                                  const cd_halving_options *options) {
    cd_halving_options o;
    cd_halving r;
    cdi_time_span s;
    bool valid = cdi_halving_begin(&o, options, &r);
    double shortest = cdi_max((double)o.tolerance, cdi_halving_instant());
    if (!may_touch) r.status = CD_INVALID_ARGUMENT;
    if (!valid || !may_touch) return r;
    s.index = 0;
    s.level = 0;
    while (r.iterations < o.max_iterations) {
        cd_real end = cdi_span_time(&s, s.index + 1, o.t_min);
        r.t = cdi_span_time(&s, s.index, o.t_min);
        r.gap = end - r.t;
        ++r.iterations;
        if (may_touch(user, r.t, end)) {
            if (cdi_exp2i(-s.level) <= shortest || end == r.t) return r;
            s.index *= 2;
            ++s.level;
        } else {
            if (end >= 1) return cdi_halving_missed(r);
            cdi_span_next(&s);
        }
    }
    r.t = cdi_span_time(&s, s.index, o.t_min);
    r.gap = 1 - r.t;
    r.status = CD_NOT_CONVERGED;
    return r;
}

/* ---- bodies in motion ---- */

/* Two bodies, and what to take off their distance. */
typedef struct cdi_travellers {
    const cd_motion *a, *b;
    cd_real radius_a, radius_b;
    double noise;
    cd_pose_distance_fn distance;
    void *user;
    const cd_capsule *capsule_a, *capsule_b;
    int shift;
} cdi_travellers;

static cd_real cdi_travellers_speed(void *user, cd_real t0, cd_real t1) {
    const cdi_travellers *s = (const cdi_travellers *)user;
    return cd_motion_relative_speed(s->a, s->radius_a, s->b, s->radius_b, t0, t1);
}

static cd_real cdi_travellers_distance(void *user, cd_real t) {
    const cdi_travellers *s = (const cdi_travellers *)user;
    cd_transform pose_a = cd_motion_pose(s->a, t), pose_b = cd_motion_pose(s->b, t);
    double apart = (double)s->distance(s->user, &pose_a, &pose_b);
    return cdi_finite(apart) ? cdi_round_down(apart - s->noise, 0.0) : (cd_real)apart;
}

static double cdi_poses_most(const cd_motion *m) {
    return cdi_v3_max_abs(cdi_v3_of(m->from.position)) + cdi_v3_max_abs(cdi_v3_of(m->to.position));
}

CD_API cd_halving cd_sweep_motions(const cd_motion *a, cd_real radius_a, const cd_motion *b, cd_real radius_b,
                                   cd_pose_distance_fn distance, void *user,
                                   const cd_halving_options *options) {
    cdi_travellers s;
    double most = cdi_poses_most(a) + cdi_poses_most(b) + ((double)radius_a + (double)radius_b);
    cdi_clear(&s, sizeof s);
    s.a = a;
    s.b = b;
    s.radius_a = radius_a;
    s.radius_b = radius_b;
    s.noise = 2.0 * (double)CD_REAL_EPSILON * most + cdi_motion_noise(a, 0.0) + cdi_motion_noise(b, most);
    s.distance = distance;
    s.user = user;
    return cd_sweep_interval_halving(distance ? cdi_travellers_distance : NULL, cdi_travellers_speed, 0, &s,
                                     options);
}

/* The nearest points of the two cores, less the radii. */
static cd_real cdi_capsules_apart(void *user, cd_real t) {
    const cdi_travellers *s = (const cdi_travellers *)user;
    cdi_pose a = cdi_motion_at(s->a, (double)t), b = cdi_motion_at(s->b, (double)t);
    cdi_v3 p = cdi_pose_point(&a, cdi_v3_of(s->capsule_a->a));
    cdi_v3 q = cdi_pose_point(&a, cdi_v3_of(s->capsule_a->b));
    cdi_v3 v = cdi_pose_point(&b, cdi_v3_of(s->capsule_b->a));
    cdi_v3 w = cdi_pose_point(&b, cdi_v3_of(s->capsule_b->b));
    cdi_bridge gap = cdi_near_segments(cdi_v3_scale2(p, s->shift), cdi_v3_scale2(q, s->shift),
                                       cdi_v3_scale2(v, s->shift), cdi_v3_scale2(w, s->shift));
    double apart = cdi_scale2(cdi_v3_norm(gap.between), -s->shift) - s->noise;
    apart -= (double)s->capsule_a->radius + (double)s->capsule_b->radius;
    return apart == apart ? cdi_round_down(apart, 0.0) : 0;
}

/* Only the cores count: a ball stays the same ball however it turns. */
static cd_real cdi_capsule_reach(const cd_motion *m, const cd_capsule *c) {
    cd_vec3 ends[2];
    ends[0] = c->a;
    ends[1] = c->b;
    return cdi_round_up(cdi_motion_reach(m, ends, 2));
}

CD_API cd_halving cd_sweep_motions_capsule_capsule(const cd_motion *a, const cd_capsule *capsule_a,
                                                   const cd_motion *b, const cd_capsule *capsule_b,
                                                   const cd_halving_options *options) {
    bool valid = cd_capsule_is_valid(capsule_a) && cd_capsule_is_valid(capsule_b);
    double most_a = cdi_capsule_most(capsule_a), most_b = cdi_capsule_most(capsule_b);
    cdi_travellers s;
    cdi_clear(&s, sizeof s);
    s.a = a;
    s.b = b;
    s.capsule_a = capsule_a;
    s.capsule_b = capsule_b;
    s.noise = cdi_motion_noise(a, most_a) + cdi_motion_noise(b, most_b);
    s.shift = cdi_tame_shift(cdi_poses_most(a) + cdi_poses_most(b) + (most_a + most_b));
    s.radius_a = valid ? cdi_capsule_reach(a, capsule_a) : 0;
    s.radius_b = valid ? cdi_capsule_reach(b, capsule_b) : 0;
    return cd_sweep_interval_halving(valid ? cdi_capsules_apart : NULL, cdi_travellers_speed, 0, &s, options);
}

CD_API cd_halving cd_sweep_motions_sphere_sphere(const cd_motion *a, cd_sphere sphere_a, const cd_motion *b,
                                                 cd_sphere sphere_b, const cd_halving_options *options) {
    cd_capsule core_a, core_b;
    core_a.a = core_a.b = sphere_a.center;
    core_a.radius = sphere_a.radius;
    core_b.a = core_b.b = sphere_b.center;
    core_b.radius = sphere_b.radius;
    return cd_sweep_motions_capsule_capsule(a, &core_a, b, &core_b, options);
}
