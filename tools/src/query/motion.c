#include "query/motion.h"
#include "core/angle.h"
#include "query/motion3d.h"
#include "shape/swept3d.h"

/* Numbers up to here leave room for sums and for turns. */
static double cdi_motion_limit(void) {
    return (double)CD_REAL_MAX / 64.0;
}

CD_API cd_status cd_motion_make(cd_motion_kind kind, const cd_transform *from, const cd_transform *to,
                                cd_motion *out) {
    cdi_v3 p = cdi_v3_of(from->position), q = cdi_v3_of(to->position);
    cdi_rotation turn;
    cdi_clear(out, sizeof *out);
    if ((uint32_t)kind > (uint32_t)CD_MOTION_SCREW || !cd_transform_is_valid(from) ||
        !cd_transform_is_valid(to))
        return CD_INVALID_ARGUMENT;
    if (cdi_max(cdi_v3_max_abs(p), cdi_v3_max_abs(q)) > cdi_motion_limit()) return CD_TOO_LARGE;
    out->kind = (uint32_t)kind;
    out->from = *from;
    out->to = *to;
    if (kind == CD_MOTION_LINEAR) out->to.rotation = from->rotation;
    turn = cdi_quat_turn(out->from.rotation, out->to.rotation);
    cdi_v3_store(out->axis, turn.axis);
    out->angle = turn.angle;
    return CD_OK;
}

/* ---- poses ---- */

static cdi_v3 cdi_motion_axis(const cd_motion *m) {
    return cdi_v3_make(m->axis[0], m->axis[1], m->axis[2]);
}

static cdi_v3 cdi_motion_way(const cd_motion *m) {
    return cdi_v3_sub(cdi_v3_of(m->to.position), cdi_v3_of(m->from.position));
}

/* Which parts of the turn and of the way are done at time t. */
typedef struct cdi_parts {
    double turn, way;
} cdi_parts;

static cdi_parts cdi_motion_parts(const cd_motion *m, double t) {
    double first = cdi_min(2.0 * t, 1.0), last = cdi_max(2.0 * t - 1.0, 0.0);
    cdi_parts done;
    done.turn = m->kind == CD_MOTION_TURN_FIRST ? first : m->kind == CD_MOTION_TURN_LAST ? last : t;
    done.way = m->kind == CD_MOTION_TURN_FIRST ? last : m->kind == CD_MOTION_TURN_LAST ? first : t;
    return done;
}

/* What a screw's way is made of: along the axis, across it, and half the turn with its sine. */
typedef struct cdi_screw {
    cdi_v3 along, across;
    double half, sine, cosine;
} cdi_screw;

static cdi_screw cdi_screw_of(const cd_motion *m) {
    cdi_v3 u = cdi_motion_axis(m), d = cdi_motion_way(m);
    cdi_screw s;
    s.along = cdi_v3_scale(u, cdi_v3_dot(u, d));
    s.across = cdi_v3_sub(d, s.along);
    s.half = 0.5 * m->angle;
    cdi_sincos(s.half, &s.sine, &s.cosine);
    return s;
}

/* Where the origin has come to when the part t is done. On the circle about the axis, the chord to there is to the chord to the
 * end as the sines of half their angles, and turned from it by half of what is left: nothing in this is large where the turn is
 * small and the axis far off. */
static cdi_v3 cdi_screw_way(const cd_motion *m, double t) {
    cdi_screw s = cdi_screw_of(m);
    double sine, cosine, ratio = t;
    cdi_v3 side = cdi_v3_cross(cdi_motion_axis(m), s.across);
    cdi_sincos(s.half * t, &sine, &cosine);
    if (s.sine > 0.0) ratio = sine / s.sine;
    cdi_sincos(s.half * (t - 1.0), &sine, &cosine);
    return cdi_v3_along(cdi_v3_along(cdi_v3_scale(s.along, t), s.across, ratio * cosine), side, ratio * sine);
}

static cdi_v3 cdi_motion_position(const cd_motion *m, const cdi_parts *done) {
    cdi_v3 start = cdi_v3_of(m->from.position);
    if (m->kind == CD_MOTION_SCREW) return cdi_v3_add(start, cdi_screw_way(m, done->way));
    return cdi_v3_along(start, cdi_motion_way(m), done->way);
}

/* The matrix of a turn (Rodrigues). */
static cdi_m3 cdi_m3_of_turn(cdi_v3 u, double angle) {
    double s, c, k, xy, yz, zx;
    cdi_m3 m;
    cdi_sincos(angle, &s, &c);
    k = 1.0 - c;
    xy = u.x * u.y * k;
    yz = u.y * u.z * k;
    zx = u.z * u.x * k;
    m.c[0] = cdi_v3_make(c + u.x * u.x * k, xy + u.z * s, zx - u.y * s);
    m.c[1] = cdi_v3_make(xy - u.z * s, c + u.y * u.y * k, yz + u.x * s);
    m.c[2] = cdi_v3_make(zx + u.y * s, yz - u.x * s, c + u.z * u.z * k);
    return m;
}

CDI_FN cdi_pose cdi_motion_at(const cd_motion *m, double t) {
    cdi_parts done = cdi_motion_parts(m, t);
    cdi_pose pose;
    pose.rotation = cdi_m3_of_quat(m->from.rotation);
    if (m->angle * done.turn > 0.0) {
        cdi_m3 turn = cdi_m3_of_turn(cdi_motion_axis(m), m->angle * done.turn);
        pose.rotation = cdi_m3_mul(&turn, &pose.rotation);
    }
    pose.position = cdi_motion_position(m, &done);
    return pose;
}

CD_API cd_transform cd_motion_pose(const cd_motion *m, cd_real t) {
    cd_transform pose = m->from;
    cdi_parts done;
    cdi_rotation turn;
    if (!(t > 0)) return m->from;
    if (t >= 1) return m->to;
    done = cdi_motion_parts(m, (double)t);
    turn.axis = cdi_motion_axis(m);
    turn.angle = m->angle * done.turn;
    pose.rotation = cdi_quat_turned(m->from.rotation, &turn);
    pose.position = cdi_v3_round(cdi_motion_position(m, &done));
    return pose;
}

CD_API cd_transform cd_motion_relative_pose(const cd_motion *a, const cd_motion *b, cd_real t) {
    cd_transform pose_a = cd_motion_pose(a, t), pose_b = cd_motion_pose(b, t);
    return cd_transform_relative(&pose_b, &pose_a);
}

static bool cdi_motion_turns_apart(const cd_motion *m) {
    return m->kind == CD_MOTION_TURN_FIRST || m->kind == CD_MOTION_TURN_LAST;
}

/* B at rest; or B without a turn and both origins in straight and even motion. */
static bool cdi_motion_has_relative(const cd_motion *a, const cd_motion *b) {
    if (b->angle > 0.0) return false;
    if (cdi_v3_is_zero(cdi_motion_way(b))) return true;
    return !cdi_motion_turns_apart(a) && !cdi_motion_turns_apart(b) &&
           (a->kind != CD_MOTION_SCREW || !(a->angle > 0.0));
}

CD_API cd_status cd_motion_relative(const cd_motion *a, const cd_motion *b, cd_motion *out) {
    cd_transform from = cd_motion_relative_pose(a, b, 0), to = cd_motion_relative_pose(a, b, 1);
    cd_motion_kind kind = (cd_motion_kind)a->kind;
    cdi_clear(out, sizeof *out);
    return cdi_motion_has_relative(a, b) ? cd_motion_make(kind, &from, &to, out) : CD_UNSUPPORTED;
}

/* ---- how far and how fast ---- */

/* 6e-14 of what is met; more than 200 roundings. */
CDI_FN double cdi_motion_noise(const cd_motion *m, double most) {
    double p = cdi_v3_max_abs(cdi_v3_of(m->from.position)), q = cdi_v3_max_abs(cdi_v3_of(m->to.position));
    return 5.6843418860808015e-14 * (p + q + most);
}

CDI_FN double cdi_motion_reach(const cd_motion *m, const cd_vec3 *points, size_t count) {
    cdi_m3 frame = cdi_m3_of_quat(m->from.rotation);
    cdi_v3 axis = cdi_m3_tmul_v3(&frame, cdi_motion_axis(m));
    double reach = 0.0, most = 0.0;
    if (!(m->angle > 0.0)) return 0.0;
    for (size_t i = 0; i < count; ++i) {
        cdi_v3 p = cdi_v3_of(points[i]);
        most = cdi_max(most, cdi_v3_max_abs(p));
        reach = cdi_max(reach, cdi_v3_norm(cdi_v3_cross(axis, p)));
    }
    return cdi_min(reach + 3.5527136788005009e-15 * most, CDI_HUGE);
}

static void cdi_aabb_corners(cd_aabb b, cd_vec3 out[8]) {
    for (int i = 0; i < 8; ++i) {
        cd_vec3 p =
            cd_vec3_make(i & 1 ? b.max.x : b.min.x, i & 2 ? b.max.y : b.min.y, i & 4 ? b.max.z : b.min.z);
        out[i] = p;
    }
}

CD_API cd_real cd_motion_reach(const cd_motion *m, cd_aabb box) {
    cd_vec3 corners[8];
    if (!cdi_aabb_finite(box)) return (cd_real)cdi_infinity();
    if (cd_aabb_is_empty(box)) return 0;
    cdi_aabb_corners(box, corners);
    return cdi_round_up(cdi_motion_reach(m, corners, 8));
}

/* The velocities in one half of the time: of the origin on the whole, how much more it may be at a time; of the turn. */
typedef struct cdi_pace {
    cdi_v3 drift;
    double most_across, bend, turn;
} cdi_pace;

/* On a screw's circle the arc is longer than the chord by the half angle over its sine; its direction turns by as much as the
 * half angle to either side. */
static void cdi_pace_bend(cdi_pace *p, const cd_motion *m) {
    cdi_screw s = cdi_screw_of(m);
    double across = cdi_v3_norm(s.across), stretch = s.sine > 0.0 ? s.half / s.sine : 1.0;
    if (!(s.half > 0.0)) return;
    p->most_across = across * stretch;
    p->bend = across * cdi_v3_norm(cdi_v3_make(stretch - s.cosine, s.sine, 0.0));
}

static cdi_pace cdi_pace_of(const cd_motion *m, int half) {
    cdi_v3 u = cdi_motion_axis(m);
    bool turns_first = m->kind == CD_MOTION_TURN_FIRST, apart = cdi_motion_turns_apart(m);
    double way = apart ? (turns_first == (half == 1) ? 2.0 : 0.0) : 1.0;
    cdi_pace p;
    p.drift = cdi_v3_scale(cdi_motion_way(m), way);
    p.turn = m->angle * (apart ? 2.0 - way : 1.0);
    p.most_across = cdi_v3_norm(cdi_v3_along(p.drift, u, -cdi_v3_dot(p.drift, u)));
    p.bend = 0.0;
    if (m->kind == CD_MOTION_SCREW) cdi_pace_bend(&p, m);
    return p;
}

CDI_FN cdi_motion_rates cdi_motion_rates_of(const cd_motion *m, int half) {
    cdi_pace pace = cdi_pace_of(m, half);
    cdi_motion_rates r;
    r.axis = cdi_motion_axis(m);
    r.turn = pace.turn;
    r.drift = pace.drift;
    r.beside = pace.bend;
    r.bend = pace.bend > 0.0 ? pace.turn * pace.most_across : 0.0;
    return r;
}

/* Of cdi_screw_way, by time. */
static cdi_v3 cdi_screw_velocity(const cd_motion *m, double t) {
    cdi_screw s = cdi_screw_of(m);
    double sine, cosine, ratio, rate;
    cdi_v3 side = cdi_v3_cross(cdi_motion_axis(m), s.across);
    cdi_sincos(s.half * t, &sine, &cosine);
    ratio = sine / s.sine * s.half;
    rate = cosine / s.sine * s.half;
    cdi_sincos(s.half * (t - 1.0), &sine, &cosine);
    return cdi_v3_along(cdi_v3_along(s.along, s.across, rate * cosine - ratio * sine), side,
                        rate * sine + ratio * cosine);
}

CDI_FN cdi_v3 cdi_motion_velocity(const cd_motion *m, double t) {
    cdi_pace pace = cdi_pace_of(m, t >= 0.5);
    return pace.bend > 0.0 ? cdi_screw_velocity(m, t) : pace.drift;
}

/* A point's velocity of turning is across the axis, along which nothing but the drift goes. */
static double cdi_pace_speed(const cdi_pace *p, cdi_v3 axis, double radius) {
    double along = cdi_v3_dot(p->drift, axis);
    return cdi_v3_norm(cdi_v3_make(along, p->most_across + p->turn * radius, 0.0));
}

/* Of two things, or of one where b is NULL. */
typedef struct cdi_movers {
    const cd_motion *a, *b;
    double radius_a, radius_b;
} cdi_movers;

static double cdi_movers_speed(const cdi_movers *s, int half) {
    cdi_pace a = cdi_pace_of(s->a, half), b;
    double speed = cdi_pace_speed(&a, cdi_motion_axis(s->a), s->radius_a), differ;
    if (s->b) {
        b = cdi_pace_of(s->b, half);
        speed += cdi_pace_speed(&b, cdi_motion_axis(s->b), s->radius_b);
        differ = (a.bend + a.turn * s->radius_a) + (b.bend + b.turn * s->radius_b);
        speed = cdi_min(speed, cdi_v3_norm(cdi_v3_sub(a.drift, b.drift)) + differ);
    }
    return speed;
}

/* A span of time in [0, 1]. */
typedef struct cdi_motion_span {
    double from, to;
} cdi_motion_span;

static cdi_motion_span cdi_span_of(cd_real t0, cd_real t1) {
    double a = cdi_clamp((double)t0, 0.0, 1.0), b = cdi_clamp((double)t1, 0.0, 1.0);
    bool known = t0 == t0 && t1 == t1;
    cdi_motion_span s;
    s.from = known ? cdi_min(a, b) : 0.0;
    s.to = known ? cdi_max(a, b) : 1.0;
    return s;
}

/* What of a span is in a half; a single time is in one of them. */
static bool cdi_span_in_half(const cdi_motion_span *s, int half, cdi_motion_span *part) {
    part->from = cdi_max(s->from, half ? 0.5 : 0.0);
    part->to = cdi_min(s->to, half ? 1.0 : 0.5);
    return part->from < part->to || (s->from == s->to && half == (s->from >= 0.5));
}

static bool cdi_movers_valid(const cdi_movers *s) {
    double most = cdi_motion_limit();
    return s->radius_a >= 0.0 && s->radius_a <= most && s->radius_b >= 0.0 && s->radius_b <= most;
}

/* The way between two times, or where it is the speed that is asked for, that. */
static cd_real cdi_movers_bound(const cdi_movers *s, cd_real t0, cd_real t1, bool of_speed) {
    cdi_motion_span span = cdi_span_of(t0, t1), part;
    double most = 0.0;
    if (!cdi_movers_valid(s)) return (cd_real)cdi_infinity();
    for (int half = 0; half < 2; ++half) {
        double speed;
        if (!cdi_span_in_half(&span, half, &part)) continue;
        speed = cdi_movers_speed(s, half);
        most = of_speed ? cdi_max(most, speed) : most + speed * (part.to - part.from);
    }
    return cdi_round_up(most * (1.0 + 5.6843418860808015e-14));
}

static cdi_movers cdi_movers_of(const cd_motion *a, cd_real radius_a, const cd_motion *b, cd_real radius_b) {
    cdi_movers s;
    s.a = a;
    s.b = b;
    s.radius_a = (double)radius_a;
    s.radius_b = (double)radius_b;
    return s;
}

CD_API cd_real cd_motion_bound(const cd_motion *m, cd_real radius, cd_real t0, cd_real t1) {
    cdi_movers s = cdi_movers_of(m, radius, NULL, 0);
    return cdi_movers_bound(&s, t0, t1, false);
}

CD_API cd_real cd_motion_speed(const cd_motion *m, cd_real radius, cd_real t0, cd_real t1) {
    cdi_movers s = cdi_movers_of(m, radius, NULL, 0);
    return cdi_movers_bound(&s, t0, t1, true);
}

CD_API cd_real cd_motion_relative_bound(const cd_motion *a, cd_real radius_a, const cd_motion *b,
                                        cd_real radius_b, cd_real t0, cd_real t1) {
    cdi_movers s = cdi_movers_of(a, radius_a, b, radius_b);
    return cdi_movers_bound(&s, t0, t1, false);
}

CD_API cd_real cd_motion_relative_speed(const cd_motion *a, cd_real radius_a, const cd_motion *b,
                                        cd_real radius_b, cd_real t0, cd_real t1) {
    cdi_movers s = cdi_movers_of(a, radius_a, b, radius_b);
    return cdi_movers_bound(&s, t0, t1, true);
}

/* ---- boxes along a straight way ---- */

static cd_aabb cdi_speed_box(cd_aabb b, cd_vec3 motion) {
    cd_aabb end;
    if (!cd_aabb_is_valid(b) || !cd_vec3_is_valid(motion)) return cd_aabb_empty();
    end.min = cd_vec3_make(cdi_diff_down((double)b.min.x, -(double)motion.x),
                           cdi_diff_down((double)b.min.y, -(double)motion.y),
                           cdi_diff_down((double)b.min.z, -(double)motion.z));
    end.max = cd_vec3_make(cdi_sum_up((double)b.max.x, (double)motion.x),
                           cdi_sum_up((double)b.max.y, (double)motion.y),
                           cdi_sum_up((double)b.max.z, (double)motion.z));
    return cd_merge_aabb_aabb(b, end);
}

static bool cdi_motion_points_finite(const cd_vec3 *points, size_t count) {
    cdi_real_bits excess = 0;
    for (size_t i = 0; i < count; ++i) excess |= cdi_excess(points[i]);
    return cdi_no_excess(excess);
}

CD_API cd_aabb cd_sweep_bounds_sphere(cd_sphere s, cd_vec3 motion) {
    return cd_sphere_is_valid(s) ? cdi_speed_box(cd_aabb_from_sphere(s), motion) : cd_aabb_empty();
}

CD_API cd_aabb cd_sweep_bounds_capsule(const cd_capsule *c, cd_vec3 motion) {
    return cd_capsule_is_valid(c) ? cdi_speed_box(cd_aabb_from_capsule(c), motion) : cd_aabb_empty();
}

CD_API cd_aabb cd_sweep_bounds_aabb(cd_aabb b, cd_vec3 motion) {
    return cdi_speed_box(b, motion);
}

CD_API cd_aabb cd_sweep_bounds_obb(const cd_obb *b, cd_vec3 motion) {
    return cd_obb_is_valid(b) ? cdi_speed_box(cd_aabb_from_obb(b), motion) : cd_aabb_empty();
}

CD_API cd_aabb cd_sweep_bounds_triangle(const cd_triangle *t, cd_vec3 motion) {
    cd_vec3 corners[3];
    corners[0] = t->a;
    corners[1] = t->b;
    corners[2] = t->c;
    return cd_sweep_bounds_points(corners, 3, motion);
}

CD_API cd_aabb cd_sweep_bounds_points(const cd_vec3 *points, size_t count, cd_vec3 motion) {
    if (!cdi_motion_points_finite(points, count)) return cd_aabb_empty();
    return cdi_speed_box(cd_aabb_from_points(points, count), motion);
}

/* ---- boxes along any motion ---- */

static cd_aabb cdi_everywhere(void) {
    cd_aabb b = cd_aabb_empty(), all;
    all.min = b.max;
    all.max = b.min;
    return all;
}

/* Points that move, and the box of where they have been. */
typedef struct cdi_trail {
    const cd_motion *m;
    const cd_vec3 *points;
    size_t count;
    double radius, noise; /* what the points are grown by */
    double reach;         /* the distance of the farthest point from the axis */
    cdi_v3 lo, hi;
} cdi_trail;

static double cdi_points_most(const cd_vec3 *points, size_t count) {
    double most = 0.0;
    for (size_t i = 0; i < count; ++i) most = cdi_max(most, cdi_v3_max_abs(cdi_v3_of(points[i])));
    return most;
}

/* The points at time t, grown by e. */
static void cdi_trail_add(cdi_trail *s, double t, cdi_v3 e) {
    cdi_pose pose = cdi_motion_at(s->m, t);
    for (size_t i = 0; i < s->count; ++i) {
        cdi_v3 p = cdi_pose_point(&pose, cdi_v3_of(s->points[i]));
        s->lo = cdi_v3_make(cdi_min(s->lo.x, p.x - e.x), cdi_min(s->lo.y, p.y - e.y),
                            cdi_min(s->lo.z, p.z - e.z));
        s->hi = cdi_v3_make(cdi_max(s->hi.x, p.x + e.x), cdi_max(s->hi.y, p.y + e.y),
                            cdi_max(s->hi.z, p.z + e.z));
    }
}

/* How far a way is from its chord after a time: an eighth of the greatest acceleration times its square. Accelerations are
 * towards the axis: rate^2 times the distance from the body's own axis, and rate times the speed about the screw's. */
static cdi_v3 cdi_trail_bend(const cdi_trail *s, int half, double time) {
    cdi_pace pace = cdi_pace_of(s->m, half);
    cdi_v3 u = cdi_motion_axis(s->m);
    double speed = pace.turn * s->reach + (pace.bend > 0.0 ? pace.most_across : 0.0);
    double bend = 0.125 * time * time * pace.turn * speed;
    return cdi_v3_make(bend * cdi_v3_norm(cdi_v3_make(0.0, u.y, u.z)),
                       bend * cdi_v3_norm(cdi_v3_make(u.x, 0.0, u.z)),
                       bend * cdi_v3_norm(cdi_v3_make(u.x, u.y, 0.0)));
}

static void cdi_trail_add_span(cdi_trail *s, const cdi_motion_span *span, int half) {
    double step = 0.25 * (span->to - span->from), grown = s->radius + s->noise;
    cdi_v3 e = cdi_trail_bend(s, half, step);
    int by = cdi_v3_is_zero(e) ? 4 : 1;
    e = cdi_v3_add(e, cdi_v3_make(grown, grown, grown));
    for (int i = 0; i <= 4; i += by) cdi_trail_add(s, span->from + (double)i * step, e);
}

CD_API cd_aabb cd_motion_bounds_points(const cd_vec3 *points, size_t count, cd_real radius,
                                       const cd_motion *m, cd_real t0, cd_real t1) {
    cdi_motion_span span = cdi_span_of(t0, t1), part;
    double most;
    cdi_trail s;
    cd_aabb b;
    if (count == 0 || !cdi_motion_points_finite(points, count) || !cdi_finite((double)radius) ||
        !(radius >= 0))
        return cd_aabb_empty();
    most = cdi_max(cdi_points_most(points, count), (double)radius);
    if (most > cdi_motion_limit()) return cdi_everywhere();
    s.m = m;
    s.points = points;
    s.count = count;
    s.radius = (double)radius;
    s.noise = cdi_motion_noise(m, most);
    s.reach = cdi_motion_reach(m, points, count);
    s.lo = cdi_v3_make(CDI_HUGE, CDI_HUGE, CDI_HUGE);
    s.hi = cdi_v3_neg(s.lo);
    for (int half = 0; half < 2; ++half) {
        if (cdi_span_in_half(&span, half, &part)) cdi_trail_add_span(&s, &part, half);
    }
    b.min =
        cd_vec3_make(cdi_round_down(s.lo.x, 0.0), cdi_round_down(s.lo.y, 0.0), cdi_round_down(s.lo.z, 0.0));
    b.max = cd_vec3_make(-cdi_round_down(-s.hi.x, 0.0), -cdi_round_down(-s.hi.y, 0.0),
                         -cdi_round_down(-s.hi.z, 0.0));
    return b;
}

CD_API cd_aabb cd_motion_bounds_sphere(cd_sphere s, const cd_motion *m, cd_real t0, cd_real t1) {
    return cd_motion_bounds_points(&s.center, 1, s.radius, m, t0, t1);
}

CD_API cd_aabb cd_motion_bounds_capsule(const cd_capsule *c, const cd_motion *m, cd_real t0, cd_real t1) {
    cd_vec3 ends[2];
    ends[0] = c->a;
    ends[1] = c->b;
    return cd_motion_bounds_points(ends, 2, c->radius, m, t0, t1);
}

CD_API cd_aabb cd_motion_bounds_aabb(cd_aabb b, const cd_motion *m, cd_real t0, cd_real t1) {
    cd_vec3 corners[8];
    if (!cd_aabb_is_valid(b)) return cd_aabb_empty();
    cdi_aabb_corners(b, corners);
    return cd_motion_bounds_points(corners, 8, 0, m, t0, t1);
}

/* The corners are rounded by less than the radius. */
CD_API cd_aabb cd_motion_bounds_obb(const cd_obb *b, const cd_motion *m, cd_real t0, cd_real t1) {
    cd_vec3 corners[8];
    double most;
    if (!cd_obb_is_valid(b)) return cd_aabb_empty();
    cd_obb_to_vertices(b, corners);
    if (!cdi_motion_points_finite(corners, 8)) return cdi_everywhere();
    most = 0.5 * cdi_points_most(corners, 8) + 0.5 * cdi_points_most(&b->center, 1);
    return cd_motion_bounds_points(corners, 8, cdi_round_up(2.0 * (double)CD_REAL_EPSILON * most), m, t0, t1);
}

CD_API cd_aabb cd_motion_bounds_triangle(const cd_triangle *t, const cd_motion *m, cd_real t0, cd_real t1) {
    cd_vec3 corners[3];
    corners[0] = t->a;
    corners[1] = t->b;
    corners[2] = t->c;
    return cd_motion_bounds_points(corners, 3, 0, m, t0, t1);
}
