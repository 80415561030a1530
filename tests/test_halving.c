/* Interval halving against closed forms and dense samples, with callbacks that answer anything. */
#include "gen.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double instant = 0.25 * (double)CD_REAL_EPSILON; /* 2^-25, 2^-54 */

/* ---- one number that falls: distance(t) = a + b t + c t^2, speed on a span by the derivative at its ends ---- */

typedef struct fall {
    double a, b, c;
    double slack; /* the speed told is so many times the real one */
    long calls;
    bool falls_only; /* for spans: told by both ends */
} fall;

static double fall_at(const fall *f, double t) {
    return f->a + f->b * t + f->c * t * t;
}

static cd_real down(double x) {
    cd_real r = (cd_real)x;
    return (double)r > x ? (cd_real)((double)r - fabs((double)r) * (double)CD_REAL_EPSILON) : r;
}

static cd_real fall_distance(void *user, cd_real t) {
    fall *f = (fall *)user;
    double d = fall_at(f, (double)t);
    ++f->calls;
    return down(d - 1e-15 * (fabs(f->a) + fabs(f->b) + fabs(f->c)));
}

static cd_real fall_speed(void *user, cd_real t0, cd_real t1) {
    const fall *f = (const fall *)user;
    double u = -(f->b + 2 * f->c * (double)t0), v = -(f->b + 2 * f->c * (double)t1);
    return (cd_real)(f->slack * (1 + 2 * (double)CD_REAL_EPSILON) * fmax(0, fmax(u, v)));
}

static bool fall_may_touch(void *user, cd_real t0, cd_real t1) {
    fall *f = (fall *)user;
    double least = fmin(fall_at(f, (double)t0), fall_at(f, (double)t1)),
           bottom = f->c > 0 ? -f->b / (2 * f->c) : -1;
    ++f->calls;
    if (bottom > (double)t0 && bottom < (double)t1) least = fmin(least, fall_at(f, bottom));
    return least <= 1e-15 * (fabs(f->a) + fabs(f->b) + fabs(f->c));
}

/* The first t in [0, 1] at which it is 0; 2 for none. */
static double fall_truth(const fall *f) {
    double b = 0.5 * f->b, s = b * b - f->a * f->c, root;
    if (f->a <= 0) return 0;
    if (f->c == 0) return f->b < 0 && -f->a / f->b <= 1 ? -f->a / f->b : 2;
    if (s < 0) return 2;
    if (b > 0)
        root = f->c > 0 ? 2 : (b + sqrt(s)) / -f->c; /* up first; down only where it bends down */
    else
        root = f->a / (-b + sqrt(s));
    return root >= 0 && root <= 1 ? root : 2;
}

static fall draw_fall(test_rng *rng) {
    fall f;
    memset(&f, 0, sizeof f);
    f.a = test_range(rng, -0.1, 2);
    f.b = test_range(rng, -5, 1);
    f.c = test_int(rng, 0, 3) ? test_range(rng, -3, 8) : 0;
    if (test_int(rng, 0, 3) == 0) f.a = ldexp(1, -test_int(rng, 0, 30));
    f.slack = 1 + (test_int(rng, 0, 1) ? test_range(rng, 0, 10) : 0);
    test_note("a %a b %a c %a slack %a", f.a, f.b, f.c, f.slack);
    return f;
}

static void falls_are_followed(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0, slow = 0;
    for (long i = test_times(6000); i > 0; --i) {
        fall f = draw_fall(&rng);
        double truth = fall_truth(&f), fastest = f.slack * (fabs(f.b) + 2 * fabs(f.c));
        bool number = test_int(&rng, 0, 3) == 0;
        cd_real most = (cd_real)(fastest * (1 + 1e-6));
        cd_halving_options o;
        cd_halving r;
        memset(&o, 0, sizeof o);
        if (test_int(&rng, 0, 1)) o.tolerance = (cd_real)ldexp(1, -test_int(&rng, 5, 25));
        if (test_int(&rng, 0, 7) == 0) o.max_iterations = (uint32_t)test_int(&rng, 1, 20);
        r = ASK("judge", cd_sweep_interval_halving(fall_distance, number ? NULL : fall_speed, most, &f, &o));
        CHECK_INT(f.calls, r.iterations);
        CHECK(r.iterations <= (o.max_iterations ? o.max_iterations : 1024));
        CHECK(r.status == CD_OK || r.status == CD_NOT_CONVERGED);
        CHECK((double)r.t <= truth);
        if (r.hit && r.status == CD_OK) {
            double told = (double)fall_distance(&f, r.t), most_left;
            if (!number) most = fall_speed(&f, r.t, (cd_real)fmin(1, (double)r.t + 4 * instant));
            most_left = 2 * instant * (double)most * (1 + 4 * DBL_EPSILON);
            ++hits;
            CHECK(told <= fmax((double)o.tolerance, most_left)); /* both as they are told: rounded */
            CHECK_SAME(r.gap, fmax(told, 0));
        }
        if (!r.hit) {
            ++misses;
            CHECK(truth > 1 && r.t == 1 && r.status == CD_OK);
        }
        if (r.status == CD_NOT_CONVERGED) { /* the distance asked for last was that of a time before */
            ++slow;
            CHECK_SAME(r.gap, 0);
        }
    }
    CHECK_SEEN(hits > 0 && misses > 0 && slow > 0);
}

/* The one distance that was asked for is not that of the time come to. */
static void iterations_end_with_no_gap(void) {
    fall f;
    cd_halving_options o;
    cd_halving r;
    memset(&f, 0, sizeof f);
    memset(&o, 0, sizeof o);
    f.a = 1;
    f.b = -1;
    o.max_iterations = 1;
    r = cd_sweep_interval_halving(fall_distance, NULL, 2, &f, &o);
    CHECK(r.hit && r.status == CD_NOT_CONVERGED && r.iterations == 1);
    CHECK(r.t > (cd_real)0.49 && r.t <= (cd_real)0.5);
    CHECK((double)r.gap <= fall_at(&f, (double)r.t));
}

static void spans_are_halved(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0;
    for (long i = test_times(10000); i > 0; --i) {
        fall f = draw_fall(&rng);
        double truth, width;
        cd_halving_options o;
        cd_halving r;
        memset(&o, 0, sizeof o);
        if (test_int(&rng, 0, 1)) o.tolerance = (cd_real)ldexp(1, -test_int(&rng, 2, 20));
        truth = fall_truth(&f);
        r = ASK("judge", cd_sweep_interval_halving_spans(fall_may_touch, &f, &o));
        CHECK_INT(f.calls, r.iterations);
        CHECK(r.iterations <= 130);
        CHECK_INT(r.status, CD_OK);
        CHECK((double)r.t <= truth);
        if (r.hit) {
            width = fmax((double)o.tolerance, sizeof(cd_real) == 4 ? 6e-8 : 1.2e-16);
            ++hits;
            CHECK((double)r.gap <= width);
            CHECK(fall_may_touch(&f, r.t, r.t + r.gap));
        } else {
            ++misses;
            CHECK(truth > 1);
        }
    }
    CHECK_SEEN(hits > 0 && misses > 0);
}

/* Every span of the book's recursion in its order, but none twice; together they cover all of the time before the answer. */
typedef struct watch {
    double done, from, touch; /* all up to `done` is clear; touches at `touch` */
    bool broken;
    long calls;
} watch;

static bool watch_may_touch(void *user, cd_real t0, cd_real t1) {
    watch *w = (watch *)user;
    ++w->calls;
    if ((double)t0 != w->done || t1 < t0) w->broken = true;
    if ((double)t0 <= w->touch && w->touch <= (double)t1) return true;
    w->done = (double)t1;
    return false;
}

static void spans_leave_no_gap(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        watch w;
        cd_halving_options o;
        cd_halving r;
        memset(&w, 0, sizeof w);
        memset(&o, 0, sizeof o);
        w.from = test_int(&rng, 0, 1) ? 0 : (double)(cd_real)test_unit(&rng);
        w.done = w.from;
        w.touch = test_range(&rng, 0, 1.1);
        if (test_int(&rng, 0, 3) == 0) w.touch = (double)(cd_real)w.touch;
        o.t_min = (cd_real)w.from;
        if (test_int(&rng, 0, 3) == 0) o.max_iterations = (uint32_t)test_int(&rng, 1, 30);
        test_note("t_min %a touch %a", w.from, w.touch);
        r = cd_sweep_interval_halving_spans(watch_may_touch, &w, &o);
        CHECK(!w.broken);
        CHECK(r.hit ? (double)r.t == w.done : w.done == 1);
        if (r.status == CD_OK) CHECK(r.hit == (w.touch >= w.from && w.touch <= 1));
        CHECK((double)r.t <= w.touch || w.touch < w.from || !r.hit);
    }
}

/* ---- callbacks that answer anything ---- */

typedef struct liar {
    cd_real distance, speed;
    long calls;
} liar;

static cd_real liar_distance(void *user, cd_real t) {
    liar *s = (liar *)user;
    ++s->calls;
    CHECK(t >= 0 && t <= 1);
    return s->distance;
}

static cd_real liar_speed(void *user, cd_real t0, cd_real t1) {
    liar *s = (liar *)user;
    CHECK(t0 >= 0 && t0 < t1 && t1 <= 1);
    ++s->calls;
    return s->speed;
}

static bool always(void *user, cd_real t0, cd_real t1) {
    CHECK(t0 <= t1);
    return *(bool *)user;
}

static void callbacks_may_answer_anything(void) {
    cd_real inf = (cd_real)INFINITY, nan = (cd_real)NAN,
            tiny = sizeof(cd_real) == 8 ? (cd_real)5e-324 : (cd_real)1e-45;
    cd_real numbers[12];
    int count = 0;
    numbers[count++] = 0;
    numbers[count++] = -1;
    numbers[count++] = nan;
    numbers[count++] = inf;
    numbers[count++] = -inf;
    numbers[count++] = 1;
    numbers[count++] = tiny;
    numbers[count++] = CD_REAL_MAX;
    numbers[count++] = (cd_real)1e-3;
    numbers[count++] = (cd_real)1e30;
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < 2 * count; ++j) {
            liar s;
            cd_halving r;
            double d, v;
            s.distance = numbers[i];
            s.speed = numbers[j % count];
            s.calls = 0;
            d = (double)s.distance;
            v = (double)s.speed;
            test_note("distance %a speed %a", d, v);
            r = cd_sweep_interval_halving(liar_distance, j < count ? liar_speed : NULL, s.speed, &s, NULL);
            CHECK(s.calls < 70000);
            CHECK(r.t >= 0 && r.t <= 1 && r.gap >= 0);
            if (isnan(d)) {
                CHECK(r.hit && r.status == CD_INVALID_ARGUMENT && r.t == 0 && r.gap == 0);
            } else if (d <= 0) {
                CHECK(r.hit && r.status == CD_OK && r.t == 0 && r.gap == 0);
            } else if (!(v >= 0)) {
                CHECK(r.hit && r.status == CD_INVALID_ARGUMENT && r.t == 0);
            } else if (v <= d * 0.99 && isfinite(v)) {
                CHECK(!r.hit && r.status == CD_OK && r.t == 1);
            } else if (v > d * 1e9) {
                CHECK(r.hit && r.status == CD_OK);
            }
        }
    }
}

/* Errata: the book's recursion does not end for an epsilon of 0; it also tells a hit where spans cannot be told apart. */
static void a_tolerance_of_zero_ends(void) {
    bool yes = true, no = false;
    cd_halving_options o;
    cd_halving r;
    memset(&o, 0, sizeof o);
    r = cd_sweep_interval_halving_spans(always, &yes, &o);
    CHECK(r.hit && r.status == CD_OK && r.t == 0 && r.iterations < 60);
    r = cd_sweep_interval_halving_spans(always, &no, NULL);
    CHECK(!r.hit && r.t == 1 && r.iterations == 1);
    o.max_iterations = 3;
    r = cd_sweep_interval_halving_spans(always, &yes, &o);
    CHECK(r.hit && r.status == CD_NOT_CONVERGED && r.t == 0 && r.iterations == 3);
    o.t_min = 1;
    o.max_iterations = 0;
    r = cd_sweep_interval_halving_spans(always, &yes, &o);
    CHECK(r.hit && r.t == 1 && r.gap == 0);
    o.t_min = 2;
    r = cd_sweep_interval_halving_spans(always, &no, &o);
    CHECK(r.hit && r.status == CD_INVALID_ARGUMENT && r.t == 0);
    o.t_min = 0;
    o.tolerance = -1;
    CHECK_INT(cd_sweep_interval_halving_spans(always, &no, &o).status, CD_INVALID_ARGUMENT);
    o.tolerance = (cd_real)NAN;
    CHECK_INT(cd_sweep_interval_halving_spans(always, &no, &o).status, CD_INVALID_ARGUMENT);
    CHECK_INT(cd_sweep_interval_halving_spans(NULL, &no, NULL).status, CD_INVALID_ARGUMENT);
    CHECK_INT(cd_sweep_interval_halving(NULL, NULL, 1, &no, NULL).status, CD_INVALID_ARGUMENT);
}

/* How far a point that comes at the unit speed is from one 0.5 ahead. */
static cd_real half_ahead(void *user, cd_real t) {
    (void)user;
    return (cd_real)0.5 - t;
}

/* Time begins at 0 at the earliest. */
static void a_beginning_before_the_beginning(void) {
    bool yes = true;
    cd_halving_options o;
    cd_halving want[2];
    memset(&o, 0, sizeof o);
    for (int k = 0; k < 4; ++k) {
        const cd_real begin[4] = {0, (cd_real)-0.25, -1, -CD_REAL_MAX};
        cd_halving r[2];
        o.t_min = begin[k];
        test_note("begin %d", k);
        r[0] = cd_sweep_interval_halving(half_ahead, NULL, 1, NULL, &o);
        r[1] = cd_sweep_interval_halving_spans(always, &yes, &o);
        CHECK(r[0].hit && r[0].status == CD_OK);
        CHECK_NEAR(r[0].t, 0.5, 1e-6);
        CHECK(r[1].hit && r[1].status == CD_OK && r[1].t == 0);
        for (int i = 0; i < 2; ++i) {
            if (k == 0) want[i] = r[i];
            CHECK_SAME(r[i].t, want[i].t);
            CHECK_SAME(r[i].gap, want[i].gap);
            CHECK_INT(r[i].iterations, want[i].iterations);
        }
    }
}

/* ---- bodies in motion ---- */

static cd_motion moving(cd_motion_kind kind, const cd_transform *from, const cd_transform *to) {
    cd_motion m;
    CHECK_INT(cd_motion_make(kind, from, to, &m), CD_OK);
    return m;
}

/* Two spheres on straight ways: the quadratic of 5.5.5. */
static void spheres_on_straight_ways(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0;
    for (long i = test_times(3000); i > 0; --i) {
        cd_transform from[2], to[2];
        cd_motion m[2];
        cd_sphere s[2];
        cd_halving r;
        long double d[3], v[3], dd = 0, dv = 0, vv = 0, sum, disc, truth = 2, size = 0;
        double scale = test_int(&rng, 0, 3) ? 1 : ldexp(1, test_int(&rng, -50, 50));
        for (int k = 0; k < 2; ++k) {
            from[k] = gen_pose(&rng, 3 * scale);
            to[k] = gen_pose(&rng, 3 * scale);
            m[k] = moving(CD_MOTION_LINEAR, &from[k], &to[k]);
            s[k].center = cd_vec3_make(0, 0, 0);
            s[k].radius = (cd_real)(scale * test_range(&rng, 0, 1));
        }
        test_note_reals("from", &from[0].rotation.x, 14);
        test_note_reals("to", &to[0].rotation.x, 14);
        sum = (long double)s[0].radius + s[1].radius;
        for (int k = 0; k < 3; ++k) {
            long double a = REALS(from[0].position)[k], b = REALS(from[1].position)[k];
            d[k] = a - b;
            v[k] = ((long double)REALS(to[0].position)[k] - a) - ((long double)REALS(to[1].position)[k] - b);
            dd += d[k] * d[k];
            dv += d[k] * v[k];
            vv += v[k] * v[k];
            size += fabsl(a) + fabsl(b) + fabsl(v[k]);
        }
        disc = dv * dv - vv * (dd - sum * sum);
        if (dd <= sum * sum)
            truth = 0;
        else if (disc >= 0 && dv < 0)
            truth = (dd - sum * sum) / (-dv + sqrtl(disc));
        r = ASK("judge", cd_sweep_motions_sphere_sphere(&m[0], s[0], &m[1], s[1], NULL));
        CHECK((long double)r.t <= truth);
        CHECK(r.status == CD_OK || r.status == CD_NOT_CONVERGED);
        if (r.hit && r.status == CD_OK) {
            long double t = r.t, gap = sqrtl(fmaxl(0, dd + 2 * t * dv + t * t * vv)) - sum;
            ++hits;
            CHECK(gap <= 2e-12L * (size + sum) + 2 * instant * sqrtl(vv));
        } else if (!r.hit) {
            ++misses;
            CHECK(truth > 1);
        }
    }
    CHECK_SEEN(hits > 0 && misses > 0);
}

/* A rod from the origin along x that turns by a quarter about z, against a ball of radius r at (3/5, 4/5, 0) l: the line of
 * the rod comes within r of the centre when sin(angle from the rod to it) = r / l. */
static void turning_rod_and_ball(void) {
    test_rng rng = test_random();
    for (long i = test_times(660); i > 0; --i) {
        double l = test_range(&rng, 0.5, 4), radius = l * test_range(&rng, 0.001, 0.5), margin;
        double angle = atan2(4, 3) - asin(radius / l), truth = angle / (2 * atan2(1, 1));
        cd_transform from = cd_transform_identity(), to = from;
        cd_motion turn, still = moving(CD_MOTION_LINEAR, &from, &from);
        cd_capsule rod;
        cd_capsule ball;
        cd_halving r;
        to.rotation = cd_quat_from_axis(cd_vec3_make(0, 0, 1), 1, 1);
        turn = moving((cd_motion_kind)test_int(&rng, 3, 4), &from, &to);
        rod.a = cd_vec3_make(0, 0, 0);
        rod.b = cd_vec3_make(5, 0, 0);
        rod.radius = 0;
        ball.a = ball.b = cd_vec3_make((cd_real)(0.6 * l), (cd_real)(0.8 * l), 0);
        ball.radius = (cd_real)radius;
        test_note("l %a radius %a", l, radius);
        margin = 4 * (double)CD_REAL_EPSILON + 1e-12 + 2 * instant * 5 / l * 2;
        r = ASK("judge", cd_sweep_motions_capsule_capsule(&turn, &rod, &still, &ball, NULL));
        CHECK(r.hit && r.status == CD_OK);
        CHECK_NEAR(r.t, truth, margin * 8);
        r = ASK("judge", cd_sweep_motions_capsule_capsule(&still, &ball, &turn, &rod, NULL));
        CHECK_NEAR(r.t, truth, margin * 8);
        CHECK(r.iterations < 400);
    }
}

static cd_real capsule_distance(void *user, const cd_transform *a, const cd_transform *b) {
    const cd_capsule *c = (const cd_capsule *)user;
    cd_capsule p = cd_capsule_transform(&c[0], a), q = cd_capsule_transform(&c[1], b);
    cd_segment s, t;
    double d, most = fmax(fmax(fabs((double)p.a.x), fabs((double)q.b.y)), 100);
    s.a = p.a;
    s.b = p.b;
    t.a = q.a;
    t.b = q.b;
    d = sqrt((double)cd_sqdist_segment_segment(&s, &t)) * (1 - 2 * (double)CD_REAL_EPSILON);
    return down(d - (double)p.radius - (double)q.radius - 8 * (double)CD_REAL_EPSILON * most);
}

/* Capsules in all motions: at no sample before the answer do they meet, at it they nearly do; the other form of the question
 * answers the same, a little earlier. */
static void capsules_in_motion(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0;
    for (long i = test_times(1500); i > 0; --i) {
        enum { STEPS = 16 };
        cd_transform from[2], to[2];
        cd_motion m[2];
        cd_capsule c[2];
        cd_real radius[2];
        cd_halving r, s;
        cd_halving_options o;
        memset(&o, 0, sizeof o);
        o.tolerance = (cd_real)1e-3;
        for (int k = 0; k < 2; ++k) {
            from[k] = gen_pose(&rng, 4);
            to[k] = gen_pose(&rng, 4);
            m[k] = moving((cd_motion_kind)test_int(&rng, 0, 4), &from[k], &to[k]);
            for (int j = 0; j < 3; ++j) REALS(c[k].a)[j] = (cd_real)test_range(&rng, -1, 1);
            for (int j = 0; j < 3; ++j) REALS(c[k].b)[j] = (cd_real)test_range(&rng, -1, 1);
            c[k].radius = (cd_real)test_range(&rng, 0, 0.5);
            radius[k] = 3;
        }
        test_note("");
        test_note_reals("from", &from[0].rotation.x, 14);
        test_note_reals("to", &to[0].rotation.x, 14);
        r = ASK("samples", cd_sweep_motions_capsule_capsule(&m[0], &c[0], &m[1], &c[1], &o));
        s = ASK("forms", cd_sweep_motions(&m[0], radius[0], &m[1], radius[1], capsule_distance, c, &o));
        CHECK(r.status == CD_OK && s.status == CD_OK);
        for (int k = 0; k < STEPS && r.t > 0; ++k) {
            cd_real t = r.t * (cd_real)k / STEPS;
            cd_transform a = cd_motion_pose(&m[0], t), b = cd_motion_pose(&m[1], t);
            CHECK((double)capsule_distance(c, &a, &b) > -3e-4);
            CHECK(k < 2 || (double)t >= (double)s.t || (double)capsule_distance(c, &a, &b) > 0);
        }
        if (r.hit) {
            cd_transform a = cd_motion_pose(&m[0], r.t), b = cd_motion_pose(&m[1], r.t);
            ++hits;
            CHECK((double)capsule_distance(c, &a, &b) <= 1.01e-3);
            CHECK(s.hit && (double)s.t <= (double)r.t + 1e-2);
        } else {
            ++misses;
        }
    }
    CHECK_SEEN(hits > 0 && misses > 0);
}

/* Speeds that no step of time resolves, and bodies that start in touch. */
static void extremes(void) {
    cd_transform from = cd_transform_identity(), to = from, still = from;
    cd_motion m, n;
    cd_sphere s, b;
    cd_halving r;
    cd_capsule bad;
    to.position.x = (cd_real)(sizeof(cd_real) == 4 ? 1e30 : 1e300);
    still.position.x = to.position.x / 2;
    m = moving(CD_MOTION_LINEAR, &from, &to);
    n = moving(CD_MOTION_LINEAR, &still, &still);
    s.center = cd_vec3_make(0, 0, 0);
    s.radius = 1;
    b = s;
    r = cd_sweep_motions_sphere_sphere(&m, s, &n, b, NULL);
    CHECK(r.hit && r.status == CD_OK);
    CHECK_NEAR(r.t, 0.5, 1e-6);
    still.position.y = to.position.x;
    n = moving(CD_MOTION_LINEAR, &still, &still);
    CHECK(!cd_sweep_motions_sphere_sphere(&m, s, &n, b, NULL).hit);
    r = cd_sweep_motions_sphere_sphere(&m, s, &m, b, NULL);
    CHECK(r.hit && r.t == 0 && r.gap == 0);
    b.radius = -1;
    r = cd_sweep_motions_sphere_sphere(&m, s, &m, b, NULL);
    CHECK(r.hit && r.status == CD_INVALID_ARGUMENT);
    b.radius = (cd_real)NAN;
    CHECK_INT(cd_sweep_motions_sphere_sphere(&m, b, &m, s, NULL).status, CD_INVALID_ARGUMENT);
    bad.a = bad.b = cd_vec3_make(CD_REAL_MAX, -CD_REAL_MAX, CD_REAL_MAX);
    bad.radius = CD_REAL_MAX;
    to.rotation = cd_quat_from_axis_angle(cd_vec3_make(1, 2, 3), 2);
    m = moving(CD_MOTION_SCREW, &from, &to);
    r = cd_sweep_motions_capsule_capsule(&m, &bad, &n, &bad, NULL);
    CHECK(r.t >= 0 && r.t <= 1 && r.gap >= 0);
    CHECK_INT(ASK("bad", cd_sweep_motions(&m, 1, &n, 1, NULL, NULL, NULL)).status, CD_INVALID_ARGUMENT);
}

void suite_halving(void) {
    RUN(falls_are_followed);
    RUN(iterations_end_with_no_gap);
    RUN(spans_are_halved);
    RUN(spans_leave_no_gap);
    RUN(callbacks_may_answer_anything);
    RUN(a_tolerance_of_zero_ends);
    RUN(a_beginning_before_the_beginning);
    RUN(spheres_on_straight_ways);
    RUN(turning_rod_and_ball);
    RUN(capsules_in_motion);
    RUN(extremes);
}
