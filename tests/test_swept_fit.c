/* Capsules and lozenges around points and around each other: what they hold is shown in exact numbers. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

enum { MOST = 60 };

/* ---- does it hold? ---- */

static bool lozenge_holds(const cd_lozenge *l, const double p[3], double radius) {
    double shape[9];
    to_doubles(REALS(*l), shape, 9);
    return oracle_parallelogram_against(p, shape, (double)l->radius, radius) <= 0;
}

static cd_lozenge lozenge_of(const cd_capsule *c) {
    cd_lozenge l;
    memset(&l, 0, sizeof l);
    l.a = c->a;
    l.radius = c->radius;
    return l;
}

/* With the end itself, since its difference from the other one may not be a number of the type. */
static bool capsule_holds(const cd_capsule *c, const double p[3], double radius) {
    double s[6], t[6];
    to_doubles(REALS(*c), s, 6);
    memcpy(t, p, 3 * sizeof *p);
    memcpy(t + 3, p, 3 * sizeof *p);
    if (memcmp(&c->a, &c->b, sizeof c->a) == 0) {
        cd_lozenge l = lozenge_of(c);
        return lozenge_holds(&l, p, radius);
    }
    return radius <= (double)c->radius && oracle_segments_against(s, t, (double)c->radius, -radius) <= 0;
}

static void check_capsule(const cd_capsule *c, const cd_vec3 *points, int count) {
    CHECK(ASK("judge", cd_capsule_is_valid(c)));
    for (int i = 0; i < count; ++i) {
        double p[3];
        to_doubles(REALS(points[i]), p, 3);
        if (!CHECK(capsule_holds(c, p, 0))) return;
        CHECK(cd_test_point_capsule(points[i], c));
    }
}

static void check_lozenge(const cd_lozenge *l, const cd_vec3 *points, int count) {
    CHECK(ASK("judge", cd_lozenge_is_valid(l)));
    for (int i = 0; i < count; ++i) {
        double p[3];
        to_doubles(REALS(points[i]), p, 3);
        if (!CHECK(lozenge_holds(l, p, 0))) return;
    }
}

/* ---- points ---- */

static int gen_cloud(gen *g, cd_vec3 *p) {
    int count = test_int(g->rng, 0, 2) ? test_int(g->rng, 1, MOST) : test_int(g->rng, 1, 4);
    cd_vec3 a = gen_point(g), d = gen_direction(g), e = gen_direction(g);
    int shape = test_int(g->rng, 0, 5);
    for (int i = 0; i < count; ++i) {
        p[i] = gen_point(g);
        if (shape == 0) p[i] = cd_vec3_along(a, d, (cd_real)test_range(g->rng, -3, 3));
        if (shape == 1) {
            p[i] = cd_vec3_along(a, d, (cd_real)test_range(g->rng, -3, 3));
            p[i] = cd_vec3_along(p[i], e, (cd_real)test_range(g->rng, -1, 1));
        }
        if (shape == 2 && i > 0) p[i] = p[test_int(g->rng, 0, i - 1)];
        if (shape == 3) p[i] = cd_vec3_along(p[i], d, (cd_real)test_range(g->rng, -9, 9));
    }
    return count;
}

/* The radius of a ball around the points, a little larger than the smallest. */
static double ball_radius(const cd_vec3 *p, int count) {
    double c[3] = {(double)p[0].x, (double)p[0].y, (double)p[0].z}, most = 0;
    for (int step = 1; step < 400; ++step) {
        int best = 0;
        most = -1;
        for (int i = 0; i < count; ++i) {
            double d = hypot(hypot((double)p[i].x - c[0], (double)p[i].y - c[1]), (double)p[i].z - c[2]);
            if (d > most) {
                most = d;
                best = i;
            }
        }
        for (int k = 0; k < 3; ++k) c[k] += ((double)REALS(p[best])[k] - c[k]) / (step + 1);
    }
    return most;
}

static void points_are_held(void) {
    test_rng rng = test_random();
    for (long i = test_times(600); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p[MOST], copy[MOST];
        cd_swept_fit_options o;
        cd_capsule c;
        cd_lozenge l;
        int count = gen_cloud(&g, p);
        memcpy(copy, p, sizeof p);
        o.method = (uint32_t)test_int(&rng, 0, 1);
        test_note("%d points of kind %d by method %d, state %llu", count, (int)g.kind, (int)o.method,
                  (unsigned long long)rng.state);
        CHECK_INT(cd_capsule_from_points(p, (size_t)count, &o, &c), CD_OK);
        CHECK_INT(cd_lozenge_from_points(p, (size_t)count, &o, &l), CD_OK);
        check_capsule(&c, p, count);
        check_lozenge(&l, p, count);
        CHECK(memcmp(copy, p, (size_t)count * sizeof *p) == 0);
        if (g.kind == GEN_UNIT || g.kind == GEN_GRID) {
            double r = ball_radius(p, count) * 1.04 + 1e-6, ball = 4.18879020478639 * r * r * r;
            CHECK((double)cd_capsule_volume(&c) <= ball);
            CHECK((double)cd_lozenge_volume(&l) <= ball);
            CHECK((double)c.radius <= r || o.method == CD_SWEPT_FIT_LEAST_SQUARES);
        }
    }
}

static void few_points(void) {
    cd_vec3 p[4] = {{1, 2, 3}, {4, 6, 3}, {(cd_real)2.5, 4, 3}, {0, 0, 0}};
    cd_capsule c;
    cd_lozenge l;
    CHECK_INT(cd_capsule_from_points(p, 1, NULL, &c), CD_OK);
    CHECK(c.radius == 0 && cd_vec3_dist(c.a, p[0]) == 0 && cd_vec3_dist(c.b, p[0]) == 0);
    CHECK_INT(cd_lozenge_from_points(p, 1, NULL, &l), CD_OK);
    CHECK(l.radius == 0 && cd_vec3_dist(l.a, p[0]) == 0 && cd_vec3_length(l.edge[0]) == 0);
    CHECK_INT(cd_capsule_from_points(p, 2, NULL, &c), CD_OK);
    CHECK(c.radius == 0 && cd_vec3_dist(c.a, c.b) == 5);
    CHECK_INT(cd_capsule_from_points(p, 3, NULL, &c), CD_OK);
    CHECK((double)c.radius <= 1e-13 && fabs((double)cd_vec3_dist(c.a, c.b) - 5) <= 1e-13);
    CHECK_INT(cd_lozenge_from_points(p, 3, NULL, &l), CD_OK);
    CHECK((double)l.radius <= 128 * EPS);
    CHECK_INT(cd_lozenge_from_points(p, 4, NULL, &l), CD_OK);
    CHECK((double)l.radius <= 128 * EPS);
    check_lozenge(&l, p, 4);
}

static void bad_points(void) {
    cd_vec3 p[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    cd_swept_fit_options o;
    cd_capsule c, zero;
    cd_lozenge l, none;
    memset(&zero, 0, sizeof zero);
    memset(&none, 0, sizeof none);
    o.method = CD_SWEPT_FIT_COUNT;
    for (int i = 0; i < 4; ++i) {
        memset(&c, 77, sizeof c);
        memset(&l, 77, sizeof l);
        if (i == 2) p[1].y = (cd_real)NAN;
        if (i == 3) p[1].y = (cd_real)INFINITY;
        CHECK_INT(cd_capsule_from_points(i ? p : NULL, i ? 3 : 0, i == 1 ? &o : NULL, &c),
                  CD_INVALID_ARGUMENT);
        CHECK_INT(cd_lozenge_from_points(i ? p : NULL, i ? 3 : 0, i == 1 ? &o : NULL, &l),
                  CD_INVALID_ARGUMENT);
        CHECK(memcmp(&c, &zero, sizeof c) == 0 && memcmp(&l, &none, sizeof l) == 0);
    }
}

/* The ends of the range: held, or too large. */
static void large_and_small_points(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        cd_vec3 p[6];
        cd_capsule c;
        cd_lozenge l;
        cd_status s;
        int count = test_int(&rng, 1, 6);
        for (int k = 0; k < count; ++k) {
            p[k].x = gen_any_real(&rng);
            p[k].y = gen_any_real(&rng);
            p[k].z = gen_any_real(&rng);
            if (!test_int(&rng, 0, 4)) p[k].x = CD_REAL_MAX;
            if (!test_int(&rng, 0, 4)) p[k].x = -CD_REAL_MAX;
        }
        test_note("");
        test_note_reals("p", REALS(p), 3 * count);
        s = ASK("judge", cd_capsule_from_points(p, (size_t)count, NULL, &c));
        CHECK(s == CD_OK || s == CD_TOO_LARGE);
        if (s == CD_OK) check_capsule(&c, p, count);
        s = ASK("judge", cd_lozenge_from_points(p, (size_t)count, NULL, &l));
        CHECK(s == CD_OK || s == CD_TOO_LARGE);
        if (s == CD_OK) check_lozenge(&l, p, count);
    }
}

/* Points of the surface of a capsule give nearly that capsule; of a lozenge nearly that. */
static void fits_are_tight(void) {
    test_rng rng = test_random();
    for (long i = test_times(40); i > 0; --i) {
        cd_vec3 p[400];
        cd_transform pose = gen_pose(&rng, 3.0);
        double length = test_range(&rng, 2, 6), width = test_range(&rng, 2, 4) / 2, want;
        cd_capsule c, fit;
        cd_lozenge l, around;
        c.a = cd_transform_point(&pose, cd_vec3_make(0, 0, 0));
        c.b = cd_transform_point(&pose, cd_vec3_make((cd_real)length, 0, 0));
        c.radius = 1;
        for (int k = 0; k < 400; ++k) {
            gen g = gen_begin(&rng, GEN_UNIT);
            p[k] = cd_capsule_support(&c, gen_direction(&g));
            if (k % 2)
                p[k] = cd_vec3_add(cd_vec3_lerp(c.a, c.b, (cd_real)test_unit(&rng)),
                                   cd_vec3_normalize(gen_direction(&g)));
        }
        test_note("");
        test_note_reals("capsule", REALS(c), 7);
        CHECK_INT(cd_capsule_from_points(p, 400, NULL, &fit), CD_OK);
        CHECK((double)cd_capsule_volume(&fit) <= 1.4 * (double)cd_capsule_volume(&c));
        l.a = c.a;
        l.edge[0] = cd_vec3_sub(c.b, c.a);
        l.edge[1] = cd_transform_vector(&pose, cd_vec3_make(0, (cd_real)width, 0));
        l.radius = (cd_real)0.25;
        for (int k = 0; k < 400; ++k) {
            gen g = gen_begin(&rng, GEN_UNIT);
            p[k] = cd_lozenge_support(&l, gen_direction(&g));
        }
        want = (double)cd_lozenge_volume(&l);
        test_note_reals("lozenge", REALS(l), 10);
        CHECK_INT(cd_lozenge_from_points(p, 400, NULL, &around), CD_OK);
        CHECK((double)cd_lozenge_volume(&around) <= 1.8 * want);
    }
}

/* Points of a square, the corners of which are denser along one diagonal: that is the principal axis, and the square around that is
 * twice as large. */
static void squares_are_not_held_by_their_diagonals(void) {
    for (int turn = 0; turn < 8; ++turn) {
        cd_vec3 p[6];
        cd_lozenge l;
        double s = sin(0.3 * turn), c = cos(0.3 * turn);
        for (int i = 0; i < 6; ++i) {
            int k = i < 4 ? i : i == 4 ? 0 : 3;
            double x = k & 1 ? 1 : -1, y = k & 2 ? 1 : -1;
            p[i] = cd_vec3_make((cd_real)(c * x - s * y), (cd_real)(s * x + c * y),
                                (cd_real)(i < 4 ? 0.01 : -0.01));
        }
        CHECK_INT(cd_lozenge_from_points(p, 6, NULL, &l), CD_OK);
        check_lozenge(&l, p, 6);
        CHECK(cd_vec3_length(l.edge[0]) < (cd_real)2.5 && cd_vec3_length(l.edge[1]) < (cd_real)2.5);
    }
}

static void many_points(void) {
    test_rng rng = test_random();
    int count = (int)test_times(30000);
    cd_vec3 *p = (cd_vec3 *)malloc((size_t)count * sizeof *p);
    gen g = gen_begin(&rng, GEN_FAR);
    cd_capsule c;
    cd_lozenge l;
    bool inside = true;
    if (!CHECK(p != NULL)) return;
    for (int i = 0; i < count; ++i) p[i] = gen_point(&g);
    CHECK_INT(cd_capsule_from_points(p, (size_t)count, NULL, &c), CD_OK);
    CHECK_INT(cd_lozenge_from_points(p, (size_t)count, NULL, &l), CD_OK);
    for (int i = 0; i < count; ++i) inside = inside && cd_test_point_capsule(p[i], &c);
    CHECK(inside);
    check_lozenge(&l, p, count < 2000 ? count : 2000);
    free(p);
}

/* ---- merged ---- */

static cd_capsule gen_capsule(gen *g) {
    cd_capsule c;
    c.a = gen_point(g);
    c.b = test_int(g->rng, 0, 4) ? gen_point(g) : c.a;
    c.radius = test_int(g->rng, 0, 4) ? gen_length(g) : 0;
    return c;
}

static void check_holds_capsule(const cd_capsule *m, const cd_capsule *c) {
    double end[6];
    to_doubles(REALS(*c), end, 6);
    CHECK(capsule_holds(m, end, (double)c->radius) && capsule_holds(m, end + 3, (double)c->radius));
}

static void merged_capsules(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_capsule a = gen_capsule(&g), b = gen_capsule(&g), m;
        double r[2], d;
        if (!test_int(&rng, 0, 5)) {
            b.a = cd_vec3_lerp(a.a, a.b, (cd_real)test_unit(&rng));
            b.b = cd_vec3_lerp(a.a, a.b, (cd_real)test_unit(&rng));
        }
        m = ASK("judge", cd_merge_capsule_capsule(&a, &b));
        test_note("");
        test_note_reals("a", REALS(a), 7);
        test_note_reals("b", REALS(b), 7);
        CHECK(ASK("judge", cd_capsule_is_valid(&m)));
        check_holds_capsule(&m, &a);
        check_holds_capsule(&m, &b);
        if (g.kind != GEN_UNIT && g.kind != GEN_GRID) continue;
        /* no fatter than the ball around the balls around both, but for what is not quite the smallest */
        r[0] = (double)cd_vec3_dist(a.a, a.b) / 2 + (double)a.radius;
        r[1] = (double)cd_vec3_dist(b.a, b.b) / 2 + (double)b.radius;
        d = (double)cd_vec3_dist(cd_vec3_lerp(a.a, a.b, (cd_real)0.5), cd_vec3_lerp(b.a, b.b, (cd_real)0.5));
        d = fmax(fmax(r[0], r[1]), (r[0] + r[1] + d) / 2) * 1.04 + 1e-6;
        CHECK((double)cd_capsule_volume(&m) <= 4.18879020478639 * d * d * d);
    }
}

static void capsules_in_line_make_one(void) {
    cd_capsule a = {{0, 0, 0}, {1, 1, 0}, 2}, b = {{3, 3, 0}, {7, 7, 0}, 2}, nothing = a, m, inner = a,
               bad = a;
    m = cd_merge_capsule_capsule(&a, &b);
    CHECK_NEAR(m.radius, 2, 512 * EPS);
    CHECK_NEAR(cd_vec3_dist(m.a, m.b), 7 * sqrt(2.0), 512 * EPS);
    inner.radius = 1;
    m = cd_merge_capsule_capsule(&inner, &a);
    CHECK(memcmp(&m, &a, sizeof m) == 0);
    m = cd_merge_capsule_capsule(&a, &a);
    CHECK(memcmp(&m, &a, sizeof m) == 0);
    nothing.radius = -1;
    m = cd_merge_capsule_capsule(&nothing, &b);
    CHECK(memcmp(&m, &b, sizeof m) == 0);
    m = cd_merge_capsule_capsule(&b, &nothing);
    CHECK(memcmp(&m, &b, sizeof m) == 0);
    bad.a.x = (cd_real)NAN;
    m = cd_merge_capsule_capsule(&bad, &b);
    CHECK(isnan((double)m.radius) && m.a.x == 0);
}

static cd_lozenge gen_lozenge(gen *g) {
    cd_obb b = gen_obb(g);
    cd_lozenge l;
    l.a = b.center;
    l.edge[0] = cd_vec3_scale(b.axes.col[0], 2 * b.half.x);
    l.edge[1] = cd_vec3_scale(b.axes.col[1], 2 * b.half.y);
    l.radius = gen_length(g) / 2;
    if (!test_int(g->rng, 0, 6)) l.edge[0] = cd_vec3_make(0, 0, 0);
    if (!test_int(g->rng, 0, 6) || !cd_lozenge_is_valid(&l)) l.edge[1] = cd_vec3_make(0, 0, 0);
    return l;
}

/* The ball at corner i, whose centre is a sum of three numbers on each axis: it is moved to the origin with the whole. */
static void check_holds_lozenge(const cd_lozenge *m, const cd_lozenge *l) {
    double shape[9], a[9], corner[3];
    to_doubles(REALS(*m), shape, 9);
    to_doubles(REALS(*l), a, 9);
    for (int i = 0; i < 4; ++i) {
        bool exact_sum = true;
        for (int k = 0; k < 3; ++k) {
            long double sum = (long double)a[k] + (i & 1 ? a[3 + k] : 0) + (i & 2 ? a[6 + k] : 0);
            corner[k] = (double)sum;
            exact_sum = exact_sum && (long double)corner[k] == sum;
        }
        if (exact_sum)
            CHECK(oracle_parallelogram_against(corner, shape, (double)m->radius, (double)l->radius) <= 0);
    }
}

static void merged_lozenges(void) {
    test_rng rng = test_random();
    for (long i = test_times(600); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_lozenge a = gen_lozenge(&g), b = gen_lozenge(&g), m;
        if (!test_int(&rng, 0, 5)) {
            b = a;
            b.radius /= 2;
        }
        m = ASK("judge", cd_merge_lozenge_lozenge(&a, &b));
        test_note("");
        test_note_reals("a", REALS(a), 10);
        test_note_reals("b", REALS(b), 10);
        CHECK(ASK("judge", cd_lozenge_is_valid(&m)));
        check_holds_lozenge(&m, &a);
        check_holds_lozenge(&m, &b);
        CHECK(cd_lozenge_volume(&m) >= cd_lozenge_volume(&a) * (1 - 64 * CD_REAL_EPSILON));
    }
}

static void lozenges_side_by_side_make_one(void) {
    cd_lozenge a = {{0, 0, 0}, {{4, 0, 0}, {0, 2, 0}}, 1}, b = {{0, 3, 0}, {{4, 0, 0}, {0, 3, 0}}, 1}, m;
    m = cd_merge_lozenge_lozenge(&a, &b);
    CHECK_NEAR(m.radius, 1, 512 * EPS);
    CHECK_NEAR(cd_vec3_length(m.edge[0]) * cd_vec3_length(m.edge[1]), 24, 2048 * EPS);
    m = cd_merge_lozenge_lozenge(&a, &a);
    CHECK_NEAR(cd_lozenge_volume(&m), cd_lozenge_volume(&a), 8192 * EPS);
    a.radius = -1;
    m = cd_merge_lozenge_lozenge(&a, &b);
    CHECK(memcmp(&m, &b, sizeof m) == 0);
    b.edge[0].x = (cd_real)INFINITY;
    a.radius = 1;
    m = cd_merge_lozenge_lozenge(&a, &b);
    CHECK(isnan((double)m.radius));
}

/* Edges of a few of the least numbers there are, rounded, are far from perpendicular: a capsule is left. */
static void tiny_sets_have_lozenges(void) {
    cd_real u = (cd_real)ldexp(1, sizeof u == 4 ? -149 : -1074);
    cd_vec3 p[5];
    cd_lozenge l;
    memset(p, 0, sizeof p);
    p[0].z = -u;
    p[1].y = 3 * u;
    p[2] = cd_vec3_make(0, u, 6 * u);
    p[3] = cd_vec3_make(0, -u, -u);
    p[4] = cd_vec3_make(-3 * u, -17 * u, 9 * u);
    CHECK(cd_lozenge_from_points(p, 5, NULL, &l) == CD_OK);
    check_lozenge(&l, p, 5);
}

void suite_swept_fit(void) {
    RUN(points_are_held);
    RUN(few_points);
    RUN(bad_points);
    RUN(large_and_small_points);
    RUN(tiny_sets_have_lozenges);
    RUN(fits_are_tight);
    RUN(squares_are_not_held_by_their_diagonals);
    RUN(many_points);
    RUN(merged_capsules);
    RUN(capsules_in_line_make_one);
    RUN(merged_lozenges);
    RUN(lozenges_side_by_side_make_one);
}
