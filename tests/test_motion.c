/* Motions against their formulas in long double, their bounds against dense samples of them. */
#include "gen.h"
#include <math.h>
#include <string.h>

typedef struct lv {
    long double x, y, z;
} lv;

static lv lv_make(long double x, long double y, long double z) {
    lv v;
    v.x = x;
    v.y = y;
    v.z = z;
    return v;
}
static lv lv_of(cd_vec3 v) {
    return lv_make(v.x, v.y, v.z);
}
static lv lv_along(lv a, lv b, long double s) {
    return lv_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
static lv lv_sub(lv a, lv b) {
    return lv_along(a, b, -1);
}
static long double lv_dot(lv a, lv b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
static lv lv_cross(lv a, lv b) {
    return lv_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
static long double lv_length(lv a) {
    return sqrtl(lv_dot(a, a));
}
static long double lv_most(lv a) {
    return fmaxl(fabsl(a.x), fmaxl(fabsl(a.y), fabsl(a.z)));
}

/* v turned about the unit axis u. */
static lv lv_turn(lv v, lv u, long double angle) {
    lv across = lv_along(v, u, -lv_dot(u, v)), r = lv_make(0, 0, 0);
    r = lv_along(r, u, lv_dot(u, v));
    r = lv_along(r, across, cosl(angle));
    return lv_along(r, lv_cross(u, v), sinl(angle));
}

typedef struct lq {
    lv v;
    long double w;
} lq;

static lq lq_of(cd_quat q) {
    lq r;
    long double most = fmaxl(fmaxl(fabsl((long double)q.x), fabsl((long double)q.y)),
                             fmaxl(fabsl((long double)q.z), fabsl((long double)q.w))),
                n;
    r.v = lv_make(0, 0, 0);
    r.w = 1;
    if (most == 0) return r;
    r.v = lv_make(q.x / most, q.y / most, q.z / most);
    r.w = q.w / most;
    n = sqrtl(lv_dot(r.v, r.v) + r.w * r.w);
    r.v = lv_make(r.v.x / n, r.v.y / n, r.v.z / n);
    r.w /= n;
    return r;
}

static lv lq_rotate(lq q, lv v) {
    lv t = lv_cross(q.v, v), r;
    t = lv_make(2 * t.x, 2 * t.y, 2 * t.z);
    r = lv_along(v, t, q.w);
    return lv_along(r, lv_cross(q.v, t), 1);
}

/* The motion by its definition: the turn from the quaternions, a screw by its centre. */
typedef struct reference {
    lq start;
    lv from, way, axis, arm; /* arm: from a screw's axis to the body's origin */
    long double angle;
    uint32_t kind;
} reference;

static reference reference_of(cd_motion_kind kind, const cd_transform *from, const cd_transform *to,
                              const cd_motion *m) {
    reference r;
    lq p = lq_of(from->rotation), q = lq_of(kind == CD_MOTION_LINEAR ? from->rotation : to->rotation);
    lv v = lv_along(lv_along(lv_cross(p.v, q.v), q.v, p.w), p.v, -q.w); /* of q conj(p) */
    long double w = p.w * q.w + lv_dot(p.v, q.v), sine = lv_length(v);
    lv stored = lv_make(m->axis[0], m->axis[1], m->axis[2]), across;
    if (w < 0) {
        w = -w;
        v = lv_make(-v.x, -v.y, -v.z);
    }
    if (w < 1e-12L && lv_dot(v, stored) < 0) v = lv_make(-v.x, -v.y, -v.z); /* half a turn, either way */
    r.start = p;
    r.from = lv_of(from->position);
    r.way = lv_sub(lv_of(to->position), r.from);
    r.angle = 2 * atan2l(sine, w);
    r.axis = sine > 0 ? lv_make(v.x / sine, v.y / sine, v.z / sine) : lv_make(0, 0, 0);
    r.kind = (uint32_t)kind;
    r.arm = lv_make(0, 0, 0);
    if (kind == CD_MOTION_SCREW && r.angle > 0) {
        across = lv_along(r.way, r.axis, -lv_dot(r.way, r.axis));
        r.arm = lv_along(r.arm, across, -0.5L);
        r.arm = lv_along(r.arm, lv_cross(r.axis, across), -0.5L / tanl(r.angle / 2));
    }
    return r;
}

static lv reference_point(const reference *r, lv body, long double t) {
    long double first = fminl(2 * t, 1), last = fmaxl(2 * t - 1, 0), turn = t, way = t;
    lv p = lq_rotate(r->start, body), origin;
    if (r->kind == CD_MOTION_TURN_FIRST) turn = first, way = last;
    if (r->kind == CD_MOTION_TURN_LAST) turn = last, way = first;
    if (r->kind == CD_MOTION_LINEAR) turn = 0;
    if (r->angle > 0) p = lv_turn(p, r->axis, r->angle * turn);
    origin = lv_along(r->from, r->way, way);
    if (r->kind == CD_MOTION_SCREW && r->angle > 0) {
        origin = lv_along(r->from, r->axis, lv_dot(r->way, r->axis) * way);
        origin = lv_along(origin, lv_sub(lv_turn(r->arm, r->axis, r->angle * way), r->arm), 1);
    }
    return lv_along(origin, p, 1);
}

/* What the centre of a screw loses when it is far off. */
static long double reference_noise(const reference *r) {
    return 1e-18L * lv_length(r->arm) * 8;
}

/* Two poses: any, with close or equal turns, half a turn apart, of odd lengths and signs. */
static void draw_poses(test_rng *rng, cd_transform *from, cd_transform *to) {
    double size = ldexp(1.0, test_int(rng, -6, 6));
    cd_real scale = (cd_real)ldexp(1.0, test_int(rng, 0, 3) ? 0 : test_int(rng, -70, 70));
    int how = test_int(rng, 0, 7);
    cd_quat turn = gen_quat(rng);
    *from = gen_pose(rng, size);
    *to = gen_pose(rng, size);
    if (test_int(rng, 0, 7) == 0) to->position = from->position;
    if (how == 0) to->rotation = from->rotation;
    if (how == 1)
        to->rotation = cd_quat_nlerp(from->rotation, turn, (cd_real)ldexp(1, -test_int(rng, 1, 30)));
    if (how == 2) from->rotation = cd_quat_identity();
    if (how == 2 || how == 3) {
        turn.w = how == 2 ? 0 : turn.w;
        to->rotation = cd_quat_mul(turn, from->rotation);
    }
    if (how == 4) memset(&from->rotation, 0, sizeof from->rotation);
    if (test_int(rng, 0, 1)) scale = -scale;
    to->rotation.x *= scale;
    to->rotation.y *= scale;
    to->rotation.z *= scale;
    to->rotation.w *= scale;
    test_note("");
    test_note_reals("from", &from->rotation.x, 7);
    test_note_reals("to", &to->rotation.x, 7);
}

static cd_motion draw_motion(test_rng *rng, reference *r) {
    cd_transform from, to;
    cd_motion m;
    cd_motion_kind kind = (cd_motion_kind)test_int(rng, 0, 4);
    draw_poses(rng, &from, &to);
    CHECK_INT(ASK("judge", cd_motion_make(kind, &from, &to, &m)), CD_OK);
    if (r) *r = reference_of(kind, &from, &to, &m);
    return m;
}

static cd_vec3 draw_body_point(test_rng *rng) {
    double size = ldexp(1.0, test_int(rng, -6, 6));
    return cd_vec3_make((cd_real)test_range(rng, -size, size), (cd_real)test_range(rng, -size, size),
                        (cd_real)test_range(rng, -size, size));
}

static bool same_reals(const cd_real *a, const cd_real *b, int n) {
    for (int i = 0; i < n; ++i) {
        if (a[i] != b[i]) return false;
    }
    return true;
}

static void poses_are_as_defined(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        reference r;
        cd_motion m = draw_motion(&rng, &r);
        cd_vec3 p = draw_body_point(&rng);
        cd_real t = (cd_real)test_unit(&rng);
        cd_transform at = ASK("judge", cd_motion_pose(&m, t)), start = cd_motion_pose(&m, 0),
                     end = cd_motion_pose(&m, 1);
        lq rotation = lq_of(at.rotation);
        lv got = lv_along(lv_of(at.position), lq_rotate(rotation, lv_of(p)), 1);
        lv want = reference_point(&r, lv_of(p), (long double)t);
        long double most =
            fmaxl(lv_most(lv_of(at.position)), fmaxl(lv_most(r.from), lv_most(lv_of(m.to.position))));
        long double margin = (long double)CD_REAL_EPSILON * (most + 2 * lv_length(lv_of(p)));
        if (sizeof(cd_real) == 8) margin *= 8;
        CHECK(lv_most(lv_sub(got, want)) <= margin + reference_noise(&r));
        CHECK(same_reals(&start.rotation.x, &m.from.rotation.x, 7));
        CHECK(same_reals(&end.rotation.x, &m.to.rotation.x, 7));
    }
}

/* The lengths of the pieces of a way between samples. */
static void ways_are_bounded(void) {
    test_rng rng = test_random();
    long seen = 0;
    for (long i = test_times(2250); i > 0; --i) {
        enum { STEPS = 24 };
        reference r;
        cd_motion m = draw_motion(&rng, &r);
        cd_vec3 p = draw_body_point(&rng);
        long double a = test_unit(&rng), b = test_unit(&rng), way = 0, fastest = 0, noise, radius;
        cd_real t0 = (cd_real)a, t1 = (cd_real)b, reach, bound, speed;
        cd_aabb box;
        lv before = reference_point(&r, lv_of(p), (long double)t0);
        box.min = box.max = p;
        reach = ASK("judge", cd_motion_reach(&m, box));
        radius = lv_length(lv_cross(r.axis, lq_rotate(r.start, lv_of(p))));
        noise = 1e-14L * (lv_length(lv_of(p)) + lv_length(r.way)) + reference_noise(&r);
        if (r.angle > 0) noise += 1e-15L * lv_length(lv_of(p)) / r.angle; /* the axis of a small turn */
        CHECK((long double)reach >= radius - noise &&
              (long double)reach <= radius * (1 + 2 * (long double)CD_REAL_EPSILON) + noise);
        noise = 1e-14L * (lv_length(lv_of(p)) + lv_length(r.way)) + reference_noise(&r);
        for (int k = 1; k <= STEPS; ++k) {
            long double t = t0 + ((long double)t1 - t0) * k / STEPS;
            lv now = reference_point(&r, lv_of(p), t);
            long double chord = lv_length(lv_sub(now, before));
            way += chord;
            if (t0 != t1) fastest = fmaxl(fastest, (chord - noise) * STEPS / fabsl((long double)t1 - t0));
            before = now;
        }
        bound = ASK("samples", cd_motion_bound(&m, reach, t0, t1));
        speed = ASK("samples", cd_motion_speed(&m, reach, t1, t0));
        CHECK((long double)bound >= way - STEPS * noise);
        CHECK((long double)speed >= fastest);
        CHECK(ASK("samples", cd_motion_bound(&m, reach, t1, t0)) == bound);
        CHECK((long double)bound <= (long double)speed * fabsl((long double)t1 - t0) * (1 + 1e-6L) + noise);
        if (m.kind < (uint32_t)CD_MOTION_BOTH && noise < 1e-6L * way) {
            ++seen;
            /* the sample's piece in which the motion changes */
            long double kink =
                ASK("samples", cd_motion_speed(&m, reach, 0, 1)) * fabsl((long double)t1 - t0) / STEPS;
            CHECK((long double)bound <= way * 1.002L + kink + STEPS * noise);
        }
    }
    CHECK_SEEN(seen > 0);
}

/* How much nearer two points come to each other. */
static void nearing_is_bounded(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        reference r, s;
        cd_motion a = draw_motion(&rng, &r), b = draw_motion(&rng, &s);
        cd_vec3 p = draw_body_point(&rng), q = draw_body_point(&rng);
        cd_real rp = cd_vec3_length(p) * (1 + CD_REAL_EPSILON),
                rq = cd_vec3_length(q) * (1 + CD_REAL_EPSILON);
        cd_real speed = ASK("samples", cd_motion_relative_speed(&a, rp, &b, rq, 0, 1));
        long double noise = 1e-14L * (lv_length(r.way) + lv_length(s.way) + rp + rq + 1) +
                            reference_noise(&r) + reference_noise(&s);
        for (int k = 0; k < 12; ++k) {
            cd_real t0 = (cd_real)test_unit(&rng), t1 = (cd_real)test_unit(&rng);
            cd_real bound = ASK("samples", cd_motion_relative_bound(&a, rp, &b, rq, t0, t1));
            lv d0 = lv_sub(reference_point(&r, lv_of(p), t0), reference_point(&s, lv_of(q), t0));
            lv d1 = lv_sub(reference_point(&r, lv_of(p), t1), reference_point(&s, lv_of(q), t1));
            CHECK(fabsl(lv_length(d0) - lv_length(d1)) <= (long double)bound + noise);
            CHECK((long double)bound <=
                  (long double)speed * fabsl((long double)t0 - t1) * (1 + 1e-6L) + noise);
            CHECK(bound <= (cd_motion_bound(&a, rp, t0, t1) + cd_motion_bound(&b, rq, t0, t1)) *
                               (1 + 4 * CD_REAL_EPSILON));
        }
    }
}

/* Two that go the same way come no nearer but by their turns. */
static void common_motion_does_not_count(void) {
    cd_transform from = cd_transform_identity(), to = from;
    cd_motion a, b;
    to.position = cd_vec3_make(1000, 2, 3);
    CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &from, &to, &a), CD_OK);
    to.rotation = cd_quat_from_axis_angle(cd_vec3_make(0, 0, 1), (cd_real)0.5);
    CHECK_INT(cd_motion_make(CD_MOTION_BOTH, &from, &to, &b), CD_OK);
    CHECK_SAME(cd_motion_relative_speed(&a, 5, &a, 7, 0, 1), 0);
    CHECK_NEAR(cd_motion_relative_bound(&a, 5, &b, 2, 0, 1), 1.0, 1e-6);
}

static void relative_motions_are_right(void) {
    test_rng rng = test_random();
    long seen = 0;
    for (long i = test_times(6000); i > 0; --i) {
        reference r;
        cd_motion a = draw_motion(&rng, &r), b = draw_motion(&rng, NULL), c;
        cd_real t = (cd_real)test_unit(&rng);
        cd_transform want, got;
        cd_status status;
        if (test_int(&rng, 0, 1)) b.kind = CD_MOTION_LINEAR;
        if (test_int(&rng, 0, 3) == 0) b.to.position = b.from.position;
        if (b.kind == CD_MOTION_LINEAR)
            CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &b.from, &b.to, &b), CD_OK);
        status = ASK("judge", cd_motion_relative(&a, &b, &c));
        CHECK(status == CD_OK || status == CD_UNSUPPORTED);
        if (b.kind == CD_MOTION_LINEAR && (a.kind == CD_MOTION_LINEAR || a.kind == CD_MOTION_BOTH))
            CHECK_INT(status, CD_OK);
        if (status != CD_OK) {
            CHECK(c.kind == 0 && c.angle == 0 && c.to.position.x == 0);
            continue;
        }
        want = ASK("forms", cd_motion_relative_pose(&a, &b, t));
        got = cd_motion_pose(&c, t);
        {
            cd_vec3 p = draw_body_point(&rng);
            lv x = lv_along(lv_of(want.position), lq_rotate(lq_of(want.rotation), lv_of(p)), 1);
            lv y = lv_along(lv_of(got.position), lq_rotate(lq_of(got.rotation), lv_of(p)), 1);
            long double size = lv_length(r.from) + lv_length(r.way) + lv_length(lv_of(b.from.position)) +
                               lv_length(lv_of(b.to.position)) + lv_length(lv_of(p)) + lv_most(x);
            ++seen;
            /* half a turn, seen with rounding, may go the other way */
            if (a.angle < 3.1415) CHECK(lv_most(lv_sub(x, y)) <= 64 * (long double)CD_REAL_EPSILON * size);
        }
    }
    CHECK_SEEN(seen > 0);
}

static bool box_holds(cd_aabb b, lv p, long double radius, long double noise) {
    return p.x - radius >= b.min.x - noise && p.x + radius <= b.max.x + noise &&
           p.y - radius >= b.min.y - noise && p.y + radius <= b.max.y + noise &&
           p.z - radius >= b.min.z - noise && p.z + radius <= b.max.z + noise;
}

static void boxes_hold_all_the_way(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        enum { STEPS = 24 };
        reference r;
        cd_motion m = draw_motion(&rng, &r);
        cd_vec3 p[3];
        cd_triangle triangle;
        cd_sphere ball;
        cd_aabb box, around, held, ball_box, spread;
        cd_real t0 = (cd_real)test_unit(&rng), t1 = (cd_real)test_unit(&rng);
        long double noise, reach = 0, share;
        lv lo = lv_make(1e30L, 1e30L, 1e30L), hi = lv_make(-1e30L, -1e30L, -1e30L);
        for (int k = 0; k < 3; ++k) p[k] = draw_body_point(&rng);
        triangle.a = p[0];
        triangle.b = p[1];
        triangle.c = p[2];
        ball.center = p[0];
        ball.radius = (cd_real)test_unit(&rng);
        around = cd_aabb_from_points(p, 3);
        box = ASK("samples", cd_motion_bounds_triangle(&triangle, &m, t0, t1));
        held = ASK("samples", cd_motion_bounds_aabb(around, &m, t0, t1));
        ball_box = ASK("samples", cd_motion_bounds_sphere(ball, &m, t1, t0));
        noise = 1e-17L * (lv_length(r.from) + lv_length(r.way)) + reference_noise(&r);
        for (int k = 0; k <= STEPS; ++k) {
            long double t = t0 + ((long double)t1 - t0) * k / STEPS;
            for (int j = 0; j < 3; ++j) {
                lv x = reference_point(&r, lv_of(p[j]), t);
                CHECK(box_holds(box, x, 0, noise));
                CHECK(box_holds(held, x, 0, noise));
                if (j == 0) CHECK(box_holds(ball_box, x, (long double)ball.radius, noise));
                lo = lv_make(fminl(lo.x, x.x), fminl(lo.y, x.y), fminl(lo.z, x.z));
                hi = lv_make(fmaxl(hi.x, x.x), fmaxl(hi.y, x.y), fmaxl(hi.z, x.z));
                reach = fmaxl(reach, lv_length(lv_cross(r.axis, lq_rotate(r.start, lv_of(p[j])))));
            }
        }
        reach += lv_length(lv_cross(r.axis, r.arm));
        share = m.kind == CD_MOTION_BOTH || m.kind == CD_MOTION_SCREW ? 0.02L : 0.08L;
        share = m.angle > 0 ? share * reach + 0.01L * reach : 0; /* and what the samples miss */
        if (m.kind < (uint32_t)CD_MOTION_BOTH)
            share += 2 * lv_length(r.way) / STEPS; /* a corner between samples */
        share += 2e-13L * (lv_length(r.from) + lv_length(r.way) + 128) +
                 4 * CD_REAL_EPSILON * (lv_most(lo) + lv_most(hi));
        spread = box;
        CHECK(spread.min.x >= lo.x - share && spread.min.y >= lo.y - share && spread.min.z >= lo.z - share);
        CHECK(spread.max.x <= hi.x + share && spread.max.y <= hi.y + share && spread.max.z <= hi.z + share);
    }
}

/* All forms of a box, of the corners and of the capsule's ends. */
static void forms_of_boxes_agree(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_vec3 motion = gen_direction(&g), corners[8];
        cd_sphere s = gen_sphere(&g);
        cd_obb o = gen_obb(&g);
        cd_capsule c;
        cd_triangle t = gen_triangle(&g);
        cd_motion m = draw_motion(&rng, NULL);
        cd_aabb a, b;
        c.a = s.center;
        c.b = gen_point(&g);
        c.radius = s.radius;
        a = cd_sweep_bounds_capsule(&c, motion);
        b = ASK("judge", cd_sweep_bounds_sphere(s, motion));
        test_asked("forms", "cd_sweep_bounds_capsule");
        CHECK(a.min.x <= b.min.x && a.min.y <= b.min.y && a.max.z >= b.max.z);
        CHECK((double)b.max.x >= (double)s.center.x + (double)s.radius);
        CHECK((double)b.max.x >= (double)s.center.x + (double)s.radius + (double)motion.x);
        a = ASK("forms", cd_sweep_bounds_triangle(&t, motion));
        b = ASK("forms", cd_sweep_bounds_points(&t.a, 1, motion));
        CHECK(a.min.x <= b.min.x && a.max.y >= b.max.y);
        a = ASK("forms", cd_sweep_bounds_aabb(cd_aabb_from_obb(&o), motion));
        b = ASK("forms", cd_sweep_bounds_obb(&o, motion));
        CHECK(same_reals(&a.min.x, &b.min.x, 6) || !cd_obb_is_valid(&o));
        a = ASK("forms", cd_motion_bounds_obb(&o, &m, 0, 1));
        cd_obb_to_vertices(&o, corners);
        b = ASK("forms", cd_motion_bounds_points(corners, 8, 0, &m, 0, 1));
        CHECK(!cd_obb_is_valid(&o) || (a.min.x <= b.min.x && a.max.y >= b.max.y));
        a = ASK("forms", cd_motion_bounds_capsule(&c, &m, 0, (cd_real)0.25));
        b = cd_motion_bounds_sphere(s, &m, 0, (cd_real)0.25);
        CHECK(a.min.z <= b.min.z && a.max.x >= b.max.x);
    }
}

/* Around all that is within `half` of some points, at both ends. */
static cd_aabb around_both_ends(const cd_vec3 *p, int count, cd_vec3 half, cd_vec3 motion) {
    cd_aabb b = cd_aabb_empty();
    for (int i = 0; i < 2 * count; ++i) {
        cd_vec3 q = i < count ? p[i] : cd_vec3_add(p[i - count], motion);
        cd_vec3 lo = cd_vec3_sub(q, half), hi = cd_vec3_add(q, half);
        for (int k = 0; k < 3; ++k) {
            (&b.min.x)[k] = (cd_real)fmin((double)(&b.min.x)[k], (double)(&lo.x)[k]);
            (&b.max.x)[k] = (cd_real)fmax((double)(&b.max.x)[k], (double)(&hi.x)[k]);
        }
    }
    return b;
}

/* Of small whole numbers, where nothing is rounded. */
static void speed_boxes_are_the_smallest(void) {
    test_rng rng = test_random();
    for (long i = test_times(500); i > 0; --i) {
        cd_vec3 p[6], motion, point = cd_vec3_make(0, 0, 0), round = cd_vec3_make(2, 2, 2);
        cd_triangle t;
        cd_capsule c;
        cd_sphere s;
        cd_obb o;
        cd_aabb got, want;
        for (int k = 0; k < 6; ++k)
            p[k] = cd_vec3_make((cd_real)test_int(&rng, -9, 9), (cd_real)test_int(&rng, -9, 9),
                                (cd_real)test_int(&rng, -9, 9));
        motion = p[5];
        t.a = s.center = c.a = o.center = p[0];
        t.b = c.b = p[1];
        t.c = p[2];
        s.radius = c.radius = 2;
        o.axes = cd_mat3_identity();
        o.half = cd_vec3_make(1, 2, 3);
        got = ASK("judge", cd_sweep_bounds_triangle(&t, motion));
        want = around_both_ends(p, 3, point, motion);
        CHECK(same_reals(&got.min.x, &want.min.x, 6));
        got = ASK("judge", cd_sweep_bounds_points(p, 5, motion));
        want = around_both_ends(p, 5, point, motion);
        CHECK(same_reals(&got.min.x, &want.min.x, 6));
        got = ASK("judge", cd_sweep_bounds_aabb(cd_aabb_from_points(p, 2), motion));
        want = around_both_ends(p, 2, point, motion);
        CHECK(same_reals(&got.min.x, &want.min.x, 6));
        got = ASK("judge", cd_sweep_bounds_capsule(&c, motion));
        want = around_both_ends(p, 2, round, motion);
        CHECK(same_reals(&got.min.x, &want.min.x, 6));
        got = ASK("judge", cd_sweep_bounds_sphere(s, motion));
        want = around_both_ends(p, 1, round, motion);
        CHECK(same_reals(&got.min.x, &want.min.x, 6));
        got = ASK("judge", cd_sweep_bounds_obb(&o, motion));
        want = around_both_ends(p, 1, o.half, motion);
        for (int k = 0; k < 3; ++k)
            CHECK((&got.min.x)[k] <= (&want.min.x)[k] && (&got.max.x)[k] >= (&want.max.x)[k]);
        CHECK_VEC(got.min, want.min, 16 * CD_REAL_EPSILON); /* a zero is rounded, too */
        CHECK_VEC(got.max, want.max, 16 * CD_REAL_EPSILON);
    }
}

/* 2.4.3: a wheel of radius 1 that turns by 2 rad and rolls along is 3 wide all the way but for what it rolls. */
static void known_motions(void) {
    cd_transform from = cd_transform_identity(), to = from, at;
    cd_motion m;
    cd_aabb box;
    to.position = cd_vec3_make(2, 0, 0);
    to.rotation = cd_quat_from_axis_angle(cd_vec3_make(0, 0, 1), (cd_real)3.14159265358979);
    CHECK_INT(ASK("exact", cd_motion_make(CD_MOTION_SCREW, &from, &to, &m)), CD_OK);
    at = cd_motion_pose(&m, (cd_real)0.5); /* half a circle about (1, 0, 0) */
    CHECK_NEAR(at.position.x, 1, 1e-6);
    CHECK_NEAR(fabs((double)at.position.y), 1, 1e-6);
    CHECK_NEAR(cd_motion_bound(&m, 0, 0, 1), 3.14159265, 1e-6);
    box = ASK("exact", cd_motion_bounds_points(&from.position, 1, 0, &m, 0, 1));
    CHECK((double)box.max.y - (double)box.min.y >= 1 && (double)box.max.y - (double)box.min.y < 1.05);
    CHECK_INT(ASK("exact", cd_motion_make(CD_MOTION_TURN_FIRST, &from, &to, &m)), CD_OK);
    at = cd_motion_pose(&m, (cd_real)0.5);
    CHECK_SAME(at.position.x, 0);
    CHECK_NEAR(cd_motion_bound(&m, 1, 0, 1), 3.14159265 + 2, 1e-6);
    CHECK_NEAR(cd_motion_speed(&m, 1, 0, (cd_real)0.5), 2 * 3.14159265, 1e-6);
    CHECK_NEAR(cd_motion_speed(&m, 1, (cd_real)0.5, 1), 4, 1e-6);
    CHECK_INT(ASK("exact", cd_motion_make(CD_MOTION_TURN_LAST, &from, &to, &m)), CD_OK);
    at = cd_motion_pose(&m, (cd_real)0.5);
    CHECK_SAME(at.position.x, 2);
    CHECK_INT(ASK("exact", cd_motion_make(CD_MOTION_LINEAR, &from, &to, &m)), CD_OK);
    CHECK_SAME(m.to.rotation.w, 1);
    CHECK_NEAR(cd_motion_bound(&m, 9, 0, 1), 2, 3e-7);
}

static bool box_is_empty(cd_aabb b) {
    return cd_aabb_is_empty(b);
}

static void bad_motions(void) {
    cd_transform from = cd_transform_identity(), to = from;
    cd_real nan = (cd_real)NAN, inf = (cd_real)INFINITY;
    cd_vec3 p = cd_vec3_make(1, 2, 3), bad[2] = {{1, 2, 3}, {1, 2, 3}};
    cd_motion m;
    cd_aabb all;
    to.position.x = nan;
    CHECK_INT(ASK("bad", cd_motion_make(CD_MOTION_BOTH, &from, &to, &m)), CD_INVALID_ARGUMENT);
    CHECK(m.angle == 0 && m.to.position.x == 0);
    to.position.x = CD_REAL_MAX / 2;
    CHECK_INT(ASK("bad", cd_motion_make(CD_MOTION_BOTH, &from, &to, &m)), CD_TOO_LARGE);
    to.position.x = 1;
    CHECK_INT(ASK("bad", cd_motion_make((cd_motion_kind)5, &from, &to, &m)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_motion_make(CD_MOTION_BOTH, &from, &to, &m)), CD_OK);
    CHECK_SAME(cd_motion_pose(&m, nan).position.x, 0);
    CHECK_SAME(cd_motion_pose(&m, inf).position.x, 1);
    CHECK_NEAR(cd_motion_bound(&m, 1, nan, 0), 1, 2e-7);
    CHECK_NEAR(cd_motion_bound(&m, 1, -inf, inf), 1, 2e-7);
    CHECK_SAME(cd_motion_bound(&m, nan, 0, 1), INFINITY);
    CHECK_SAME(cd_motion_bound(&m, -1, 0, 1), INFINITY);
    CHECK_SAME(cd_motion_relative_speed(&m, 1, &m, inf, 0, 1), INFINITY);
    CHECK(box_is_empty(ASK("bad", cd_motion_bounds_points(&p, 0, 0, &m, 0, 1))));
    CHECK(box_is_empty(ASK("bad", cd_motion_bounds_points(&p, 1, nan, &m, 0, 1))));
    CHECK(box_is_empty(ASK("bad", cd_motion_bounds_points(&p, 1, -1, &m, 0, 1))));
    CHECK(box_is_empty(ASK("bad", cd_sweep_bounds_points(NULL, 0, p))));
    bad[1].z = nan;
    CHECK(box_is_empty(ASK("bad", cd_sweep_bounds_points(bad, 2, p))));
    CHECK(box_is_empty(ASK("bad", cd_sweep_bounds_points(&bad[1], 1, p))));
    CHECK(box_is_empty(cd_motion_bounds_aabb(cd_aabb_empty(), &m, 0, 1)));
    CHECK_SAME(ASK("bad", cd_motion_reach(&m, cd_aabb_empty())), 0);
    p.y = inf;
    CHECK(box_is_empty(ASK("bad", cd_sweep_bounds_aabb(cd_aabb_from_points(&from.position, 1), p))));
    CHECK(box_is_empty(ASK("bad", cd_motion_bounds_points(&p, 1, 1, &m, 0, 1))));
    p.y = CD_REAL_MAX;
    all = cd_motion_bounds_points(&p, 1, 1, &m, 0, 1);
    CHECK(all.min.x == -CD_REAL_MAX && all.max.z == CD_REAL_MAX);
    memset(&m, 0, sizeof m);
    CHECK_SAME(cd_motion_pose(&m, (cd_real)0.3).rotation.w, 1);
    CHECK_SAME(cd_motion_bound(&m, 3, 0, 1), 0);
}

void suite_motion(void) {
    RUN(poses_are_as_defined);
    RUN(ways_are_bounded);
    RUN(nearing_is_bounded);
    RUN(common_motion_does_not_count);
    RUN(relative_motions_are_right);
    RUN(boxes_hold_all_the_way);
    RUN(forms_of_boxes_agree);
    RUN(speed_boxes_are_the_smallest);
    RUN(known_motions);
    RUN(bad_motions);
}
