/* Boxes around two boxes: both held exactly, and no larger than the plain answers. Two-stage bounds against direct tests. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

static exact3 exact_vec(cd_vec3 v) {
    double d[3];
    to_doubles(REALS(v), d, 3);
    return exact3_from(d);
}

static int compare_abs(exact a, exact b) {
    return exact_compare(a.sign < 0 ? exact_negate(a) : a, b.sign < 0 ? exact_negate(b) : b);
}

/* By the slabs of the box and as center + axes s. */
static bool holds(const cd_obb *b, exact3 p) {
    exact3 d = exact3_sub(p, exact_vec(b->center)), axis[3];
    exact det;
    for (int k = 0; k < 3; ++k) axis[k] = exact_vec(b->axes.col[k]);
    det = exact3_triple(axis[0], axis[1], axis[2]);
    for (int k = 0; k < 3; ++k) {
        exact half = exact_from((double)REALS(b->half)[k]);
        if (compare_abs(exact3_dot(d, axis[k]), half) > 0) return false;
        if (compare_abs(exact3_dot(d, exact3_cross(axis[(k + 1) % 3], axis[(k + 2) % 3])),
                        exact_mul(half, det)) > 0)
            return false;
    }
    return true;
}

static bool holds_box(const cd_obb *outer, const cd_obb *b) {
    exact_pool pool = exact_begin();
    bool all = true;
    for (int c = 0; c < 8; ++c) {
        exact3 p = exact_vec(b->center);
        for (int k = 0; k < 3; ++k) {
            double h = (double)REALS(b->half)[k];
            p = exact3_add(p, exact3_scale(exact_vec(b->axes.col[k]), exact_from(c & (1 << k) ? h : -h)));
        }
        all = all && holds(outer, p);
    }
    exact_end(pool);
    return all;
}

/* The volume of the box with the axes of a around both, in plain numbers. */
static double plain_volume(const cd_obb *a, const cd_obb *b) {
    double volume = 8;
    for (int i = 0; i < 3; ++i) {
        double lo = 0, hi = 0;
        for (int k = 0; k < 2; ++k) {
            const cd_obb *c = k ? b : a;
            double at = 0, r = 0;
            for (int j = 0; j < 3; ++j) {
                double dot = 0;
                for (int x = 0; x < 3; ++x)
                    dot += (double)REALS(a->axes.col[i])[x] * (double)REALS(c->axes.col[j])[x];
                r += fabs(dot) * (double)REALS(c->half)[j];
                at += (double)REALS(a->axes.col[i])[j] *
                      ((double)REALS(c->center)[j] - (double)REALS(a->center)[j]);
            }
            lo = k ? fmin(lo, at - r) : at - r;
            hi = k ? fmax(hi, at + r) : at + r;
        }
        volume *= 0.5 * (hi - lo);
    }
    return volume;
}

static double volume(const cd_obb *b) {
    return 8 * (double)b->half.x * (double)b->half.y * (double)b->half.z;
}

/* The other is held; a box that is given back as it is holds itself by its own definition, not by its slabs. */
static bool holds_both(const cd_obb *m, const cd_obb *a, const cd_obb *b) {
    return (!memcmp(m, a, sizeof *a) || holds_box(m, a)) && (!memcmp(m, b, sizeof *b) || holds_box(m, b));
}

static void boxes_around_two(void) {
    test_rng rng = test_random();
    double better = 0, all = 0;
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_obb a = gen_obb(&g), b = gen_obb(&g), m, n;
        if (!test_int(&rng, 0, 3)) b.axes = a.axes;
        if (!test_int(&rng, 0, 3)) REALS(a.half)[test_int(&rng, 0, 2)] = 0;
        if (!test_int(&rng, 0, 7)) a.half = b.half = cd_vec3_make(0, 0, 0);
        m = ASK("judge", cd_merge_obb_obb(&a, &b));
        test_note("");
        test_note_reals("a", REALS(a), 15);
        test_note_reals("b", REALS(b), 15);
        CHECK(ASK("judge", cd_obb_is_valid(&m)) && holds_both(&m, &a, &b));
        n = cd_merge_obb_obb(&b, &a);
        CHECK(holds_both(&n, &a, &b));
        if (g.kind == GEN_UNIT) {
            double plain = fmin(plain_volume(&a, &b), plain_volume(&b, &a));
            CHECK(volume(&m) <= plain + 1e-5);
            better += volume(&m) < 0.99 * plain;
            all += 1;
            CHECK_NEAR(volume(&n), volume(&m), 1e-5 + 0.5 * volume(&m));
        }
    }
    CHECK_SEEN(better > 0.2 * all);
}

static void one_in_the_other(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb a = gen_obb(&g), b = gen_obb(&g), m = cd_merge_obb_obb(&a, &a);
        CHECK(memcmp(&m, &a, sizeof a) == 0);
        b.center = a.center;
        a.half = cd_vec3_make(5, 5, 5);
        m = cd_merge_obb_obb(&a, &b);
        CHECK(memcmp(&m, &a, sizeof a) == 0);
        m = cd_merge_obb_obb(&b, &a);
        CHECK(memcmp(&m, &a, sizeof a) == 0);
    }
}

/* Two halves of a turned box make it again, and so do two quarter squares. */
static void halves_make_a_whole(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb whole = gen_obb(&g), a = whole, b = whole, m;
        a.center = cd_vec3_along(whole.center, whole.axes.col[1], whole.half.y / 2);
        b.center = cd_vec3_along(whole.center, whole.axes.col[1], -whole.half.y / 2);
        a.half.y = b.half.y = whole.half.y / 2;
        m = cd_merge_obb_obb(&a, &b);
        CHECK_NEAR(volume(&m), volume(&whole), 1e-5);
    }
}

static void bad_boxes(void) {
    test_rng rng = test_random();
    gen g = gen_begin(&rng, GEN_UNIT);
    cd_obb a = gen_obb(&g), m, zero;
    memset(&zero, 0, sizeof zero);
    for (int i = 0; i < 15; ++i) {
        cd_obb b = a;
        REALS(b)[i] = test_int(&rng, 0, 1) ? (cd_real)NAN : (cd_real)INFINITY;
        m = cd_merge_obb_obb(&a, &b);
        CHECK(memcmp(&m, &zero, sizeof m) == 0);
    }
}

/* ---- two stages ---- */

static void two_stages_tell_what_one_does(void) {
    test_rng rng = test_random();
    long times = test_times(20000), met = 0, spared = 0;
    uint32_t stamp = 0;
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        cd_obb a = gen_obb(&g), b = gen_obb(&g), wa, wb;
        cd_bound2 p = ASK("judge", cd_bound2_make(&a)), q = ASK("judge", cd_bound2_make(&b));
        cd_transform s = gen_pose(&rng, 2), t = gen_pose(&rng, 2);
        if (!test_int(&rng, 0, 3)) {
            s.position.x += (cd_real)1e6;
            t.position.x += (cd_real)1e6;
        }
        for (int step = 0; step < 3; ++step) { /* the second time nothing has to be done */
            bool got, want;
            if (step != 1) ++stamp;
            if (step == 2) t.position.y += (cd_real)0.5;
            wa = cd_obb_transform(&a, &s);
            wb = cd_obb_transform(&b, &t);
            want = cd_test_obb_obb(&wa, &wb);
            got = ASK("forms", cd_test_bound2_bound2(&p, &s, &q, &t, stamp));
            CHECK_INT(got, want);
            CHECK_INT(ASK("forms", cd_test_bound2_bound2(&q, &t, &p, &s, 0)), want);
            CHECK(p.sphere_stamp == stamp && q.sphere_stamp == stamp);
            if (p.box_stamp != stamp) ++spared;
            CHECK((p.box_stamp == stamp) == (q.box_stamp == stamp));
            met += got;
        }
        {
            cd_sphere ball, round;
            cd_obb kept, other = ASK("forms", cd_bound2_box(&p, &s, ++stamp));
            double reach, allowed;
            cd_vec3 corner[8];
            CHECK(p.box_stamp == stamp && !memcmp(&other, &wa, sizeof wa));
            kept = ASK("forms", cd_bound2_box(&p, &t, stamp)); /* of that step: it stays */
            CHECK(!memcmp(&kept, &wa, sizeof wa));
            ball = ASK("judge", cd_bound2_sphere(&p, &s, stamp));
            round = cd_sphere_transform(p.sphere, &s);
            reach = (double)cd_vec3_length(s.position) + 4 * (double)cd_vec3_length(p.sphere.center) +
                    (double)ball.radius;
            allowed = 64 * (double)CD_REAL_EPSILON * reach;
            CHECK(p.sphere_stamp == stamp && ball.radius >= round.radius);
            CHECK((double)ball.radius <= (double)round.radius + allowed);
            CHECK_VEC(ball.center, round.center, allowed);
            cd_obb_to_vertices(&wa, corner);
            for (int k = 0; k < 8; ++k)
                CHECK((double)cd_vec3_dist(corner[k], ball.center) <= (double)ball.radius + allowed);
            ball = ASK("judge", cd_bound2_sphere(&p, &t, 0)); /* nothing is kept */
            round = cd_sphere_transform(p.sphere, &t);
            CHECK_VEC(ball.center, round.center,
                      64 * (double)CD_REAL_EPSILON * ((double)cd_vec3_length(round.center) + 1));
        }
        ASK("forms", cd_bound2_update(&p, &s, ++stamp));
        CHECK(p.box_stamp == stamp && p.sphere_stamp == stamp);
        CHECK(memcmp(&p.world_box, &wa, sizeof wa) == 0);
        {
            cd_transform rel = cd_transform_relative(&s, &t);
            CHECK_INT(ASK("forms", cd_test_bound2_bound2_relative(&p, &q, &rel)),
                      cd_test_obb_obb_relative(&a, &b, &rel));
        }
    }
    CHECK_SEEN(met > times / 10 && met < 3 * times && spared > times / 20);
}

/* A sphere of one's own may cut off what the box has too much. */
static void own_spheres(void) {
    cd_aabb unit = {{-1, -1, -1}, {1, 1, 1}};
    cd_obb box = cd_obb_from_aabb(unit);
    cd_sphere ball = {{0, 0, 0}, 1};
    cd_bound2 a = ASK("exact", cd_bound2_make_with_sphere(ball, &box)), b = a, none;
    cd_transform s = cd_transform_identity(), t = s;
    t.position = cd_vec3_make((cd_real)1.9, (cd_real)1.9, 0);
    CHECK(!cd_test_bound2_bound2(&a, &s, &b, &t, 1) && !cd_test_bound2_bound2_relative(&a, &b, &t));
    a = b = cd_bound2_make(&box);
    CHECK(cd_test_bound2_bound2(&a, &s, &b, &t, 1) && cd_test_bound2_bound2_relative(&a, &b, &t));
    CHECK(cd_test_bound2_bound2(&a, &s, &a, &s, 2));
    box.half.x = (cd_real)NAN;
    none = cd_bound2_make(&box);
    t.position.x = 9;
    CHECK(!cd_test_bound2_bound2(&none, &t, &b, &s, 3));
    t.position.x = (cd_real)NAN;
    CHECK(!cd_test_bound2_bound2(&a, &t, &b, &s, 4) && !cd_test_bound2_bound2_relative(&a, &b, &t));
}

static bool is_all_zero(const cd_bound2 *b) {
    cd_bound2 zero;
    memset(&zero, 0, sizeof zero);
    return memcmp(b, &zero, sizeof zero) == 0;
}

/* Boxes that are none; a point; and the smallest ones. */
static void bounds_of_odd_boxes(void) {
    const cd_real least = cd_next_up(0);
    cd_aabb unit = {{-1, -1, -1}, {1, 1, 1}};
    const cd_obb good = cd_obb_from_aabb(unit);
    for (int i = 0; i < (int)(sizeof good / sizeof(cd_real)); ++i) {
        cd_obb bad = good;
        cd_bound2 b;
        test_note("number %d", i);
        REALS(bad)[i] = (cd_real)(i % 2 ? NAN : INFINITY);
        b = ASK("bad", cd_bound2_make(&bad));
        CHECK(is_all_zero(&b));
    }
    for (int mask = 0; mask < 8; ++mask) {
        cd_obb box = good;
        cd_bound2 b;
        test_note("mask %d", mask);
        for (int k = 0; k < 3; ++k)
            if (mask >> k & 1) (&box.half.x)[k] = -1;
        b = ASK("bad", cd_bound2_make(&box));
        CHECK_INT(is_all_zero(&b), mask != 0);
        for (int k = 0; k < 3; ++k) (&box.half.x)[k] = mask >> k & 1 ? least : 0;
        b = ASK("judge", cd_bound2_make(&box));
        for (int k = 0; k < 8; ++k) {
            cd_vec3 corner = box.half;
            for (int j = 0; j < 3; ++j)
                if (k >> j & 1) (&corner.x)[j] = -(&corner.x)[j];
            CHECK(cd_test_point_sphere(corner, b.sphere));
        }
        if (mask == 0) CHECK_SAME(b.sphere.radius, 0);
    }
}

static void found_by_review(void) {
    cd_obb a, b, m;
    /* a box without axes is its centre, and no frame for the other */
    cd_real *zero = REALS(a);
    for (size_t i = 0; i < sizeof a / sizeof(cd_real); ++i) zero[i] = 0;
    b = a;
    b.axes = cd_mat3_identity();
    b.half = cd_vec3_make(1, 2, 3);
    b.center.x = 5;
    m = cd_merge_obb_obb(&a, &b);
    CHECK(ASK("judge", cd_obb_is_valid(&m)));
    CHECK(cd_obb_volume(&m) >= 4 * 6 * 6);
    m = cd_merge_obb_obb(&b, &a);
    CHECK(ASK("judge", cd_obb_is_valid(&m)));
    CHECK(cd_obb_volume(&m) >= 4 * 6 * 6);
    b = a;
    b.center.x = 1;
    m = cd_merge_obb_obb(&a, &b);
    CHECK(ASK("judge", cd_obb_is_valid(&m)));
    CHECK(cd_obb_volume(&m) < 1);
    b.center.x = 0;
    b.half.x = 1;
    m = cd_merge_obb_obb(&a, &b);
    CHECK(ASK("judge", cd_obb_is_valid(&m)));
}

void suite_obb_merge(void) {
    RUN(found_by_review);
    RUN(boxes_around_two);
    RUN(one_in_the_other);
    RUN(halves_make_a_whole);
    RUN(bad_boxes);
    RUN(two_stages_tell_what_one_does);
    RUN(own_spheres);
    RUN(bounds_of_odd_boxes);
}
