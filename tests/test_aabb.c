/* Axis-aligned boxes in all their forms, and of things that turn, against exact arithmetic. */
#include "gen.h"
#include "hulls.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define NEXT nextafter
#else
#define NEXT nextafterf
#endif

static gen any_gen(test_rng *rng) {
    return gen_begin(rng, (gen_kind)test_int(rng, 0, GEN_KINDS - 1));
}

static exact of(cd_real x) {
    return exact_from((double)x);
}

static bool at_most(exact a, exact b) {
    return exact_compare(a, b) <= 0;
}

/* Boxes of finite numbers of any size, small wholes and touching ones among them. */
static cd_aabb any_box(test_rng *rng) {
    gen g = any_gen(rng);
    cd_aabb b = gen_aabb(&g);
    if (test_int(rng, 0, 3)) return b;
    for (int k = 0; k < 3; ++k) {
        cd_real x = gen_any_real(rng), y = gen_any_real(rng);
        REALS(b)[k] = x < y ? x : y;
        REALS(b)[3 + k] = x < y ? y : x;
    }
    return b;
}

static void note_box(const char *name, cd_aabb b) {
    test_note_reals(name, REALS(b), 6);
}

/* ---- forms ---- */

static void conversions_hold_the_source(void) {
    test_rng rng = test_random();
    for (long i = test_times(40000); i > 0; --i) {
        cd_aabb b = any_box(&rng), back;
        cd_aabb_mw mw = ASK("exact", cd_aabb_mw_from_aabb(b)), mw2;
        cd_aabb_cr cr = ASK("exact", cd_aabb_cr_from_aabb(b));
        cd_sphere s = ASK("exact", cd_sphere_from_aabb_cr(&cr));
        test_note("");
        note_box("b", b);
        for (int k = 0; k < 3; ++k) {
            exact_pool pool = exact_begin();
            exact lo = of(REALS(b)[k]), hi = of(REALS(b)[3 + k]);
            cd_real w = REALS(mw)[3 + k], c = REALS(cr)[k], h = REALS(cr)[3 + k];
            CHECK(REALS(mw)[k] == REALS(b)[k]);
            if (isfinite((double)w)) {
                CHECK(at_most(hi, exact_add(lo, of(w))));
                if (w > 0) CHECK(!at_most(hi, exact_add(lo, of(NEXT(w, 0)))));
            } else {
                CHECK(!at_most(exact_sub(hi, lo), of(CD_REAL_MAX)));
            }
            CHECK(at_most(exact_sub(of(c), of(h)), lo) && at_most(hi, exact_add(of(c), of(h))));
            exact_end(pool);
        }
        back = ASK("exact", cd_aabb_from_mw(&mw));
        for (int k = 0; k < 3; ++k)
            CHECK(REALS(back)[k] == REALS(b)[k] && REALS(back)[3 + k] >= REALS(b)[3 + k]);
        back = ASK("exact", cd_aabb_from_cr(&cr));
        for (int k = 0; k < 3; ++k)
            CHECK(REALS(back)[k] <= REALS(b)[k] && REALS(back)[3 + k] >= REALS(b)[3 + k]);
        mw2 = ASK("exact", cd_aabb_mw_from_cr(&cr));
        CHECK(mw2.min.x <= b.min.x);
        cr = ASK("exact", cd_aabb_cr_from_mw(&mw2));
        CHECK(cd_test_point_aabb(b.max, cd_aabb_from_cr(&cr)));
        if (isfinite((double)s.radius)) {
            exact_pool pool = exact_begin();
            cd_aabb_cr first = cd_aabb_cr_from_aabb(b);
            exact sum = exact_from(0.0), r = of(s.radius), below;
            for (int k = 3; k < 6; ++k) {
                exact h = of(REALS(first)[k]);
                sum = exact_add(sum, exact_mul(h, h));
            }
            CHECK(at_most(sum, exact_mul(r, r)));
            below = of((cd_real)((double)s.radius * (1 - 4 * (double)CD_REAL_EPSILON - 4e-15)));
            if ((double)s.radius > 1e-30) CHECK(!at_most(sum, exact_mul(below, below)));
            exact_end(pool);
        }
    }
}

static void forms_meet_exactly(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(60000);
    for (long i = times; i > 0; --i) {
        gen g = any_gen(&rng);
        cd_aabb_mw a, b;
        cd_aabb_cr c, d;
        bool mw = true, cr = true;
        for (int k = 0; k < 6; ++k) {
            bool any = !test_int(&rng, 0, 7);
            cd_real x[4];
            for (int j = 0; j < 4; ++j) {
                x[j] = any ? gen_any_real(&rng) : k < 3 ? gen_coordinate(&g, k) : gen_length(&g);
                if (k >= 3 && x[j] < 0) x[j] = -x[j];
            }
            REALS(a)[k] = x[0];
            REALS(b)[k] = x[1];
            REALS(c)[k] = x[2];
            REALS(d)[k] = x[3];
        }
        if (test_int(&rng, 0, 1)) { /* touching, or nearly */
            int k = test_int(&rng, 0, 2);
            REALS(b)[k] = gen_near(&rng, REALS(a)[k] + REALS(a)[3 + k]);
            REALS(d)[k] = gen_near(&rng, REALS(c)[k] - REALS(c)[3 + k] - REALS(d)[3 + k]);
            if (!isfinite((double)REALS(b)[k])) REALS(b)[k] = CD_REAL_MAX;
            if (!isfinite((double)REALS(d)[k])) REALS(d)[k] = -CD_REAL_MAX;
        }
        test_note("");
        test_note_reals("a", REALS(a), 6);
        test_note_reals("b", REALS(b), 6);
        test_note_reals("c", REALS(c), 6);
        test_note_reals("d", REALS(d), 6);
        for (int k = 0; k < 3; ++k) {
            exact_pool pool = exact_begin();
            exact way = exact_sub(of(REALS(c)[k]), of(REALS(d)[k]));
            exact sum = exact_add(of(REALS(c)[3 + k]), of(REALS(d)[3 + k]));
            mw = mw && at_most(of(REALS(a)[k]), exact_add(of(REALS(b)[k]), of(REALS(b)[3 + k]))) &&
                 at_most(of(REALS(b)[k]), exact_add(of(REALS(a)[k]), of(REALS(a)[3 + k])));
            cr = cr && at_most(way, sum) && at_most(exact_negate(way), sum);
            exact_end(pool);
        }
        hits += mw;
        CHECK_INT(ASK("exact", cd_test_aabb_aabb_mw(&a, &b)), mw);
        CHECK_INT(ASK("exact", cd_test_aabb_aabb_mw(&b, &a)), mw);
        CHECK_INT(ASK("exact", cd_test_aabb_aabb_cr(&c, &d)), cr);
        CHECK_INT(ASK("exact", cd_test_aabb_aabb_cr(&d, &c)), cr);
    }
    CHECK_SEEN(hits > times / 50 && hits < times - times / 50);
}

static void odd_forms(void) {
    cd_real inf = (cd_real)INFINITY, nan = (cd_real)NAN;
    cd_aabb one = {{0, 0, 0}, {1, 1, 1}}, bad = one, wide = {{-CD_REAL_MAX, -1, -1}, {CD_REAL_MAX, 1, 1}};
    cd_aabb_mw a = cd_aabb_mw_from_aabb(one), b = cd_aabb_mw_from_aabb(cd_aabb_empty()),
               w = cd_aabb_mw_from_aabb(wide);
    cd_aabb_cr c = cd_aabb_cr_from_aabb(one), d = cd_aabb_cr_from_aabb(cd_aabb_empty());
    bad.max.y = nan;
    CHECK(ASK("bad", cd_aabb_mw_is_valid(&a)) && !ASK("bad", cd_aabb_mw_is_valid(&b)) &&
          ASK("bad", cd_aabb_cr_is_valid(&c)) && !ASK("bad", cd_aabb_cr_is_valid(&d)));
    CHECK(w.width.x == inf && !ASK("bad", cd_aabb_mw_is_valid(&w)) && cd_test_aabb_aabb_mw(&a, &w) &&
          cd_test_aabb_aabb_mw(&w, &a) && cd_test_aabb_aabb_mw(&w, &w));
    CHECK(!cd_test_aabb_aabb_mw(&a, &b) && !cd_test_aabb_aabb_mw(&b, &a) && !cd_test_aabb_aabb_cr(&c, &d) &&
          !cd_test_aabb_aabb_cr(&d, &c));
    CHECK(ASK("bad", cd_aabb_is_empty(cd_aabb_from_mw(&b))) &&
          ASK("bad", cd_aabb_is_empty(cd_aabb_from_cr(&d))));
    CHECK(ASK("bad", cd_sphere_from_aabb_cr(&d)).radius == -1);
    for (int i = 0; i < 3; ++i) CHECK(REALS(b.width)[i] == -1 && REALS(d.half)[i] == -1);
    b = ASK("bad", cd_aabb_mw_from_aabb(bad));
    d = ASK("bad", cd_aabb_cr_from_aabb(bad));
    for (int i = 0; i < 3; ++i) CHECK(REALS(b.width)[i] == -1 && REALS(d.half)[i] == -1);
    CHECK(!cd_test_aabb_aabb_mw(&a, &b) && !cd_test_aabb_aabb_cr(&c, &d));
    a.min.x = nan;
    c.half.z = nan;
    CHECK(!cd_test_aabb_aabb_mw(&a, &w) && !cd_test_aabb_aabb_cr(&c, &c));
    CHECK(ASK("bad", cd_aabb_is_empty(cd_aabb_from_mw(&a))) &&
          ASK("bad", cd_aabb_is_empty(cd_aabb_from_cr(&c))));
    CHECK(!cd_test_aabb_aabb_order(bad, one, CD_AXES_ZXY) && !cd_test_aabb_aabb_order(one, bad, 99));
}

static void orders_change_nothing(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_GRID : GEN_ULP);
        cd_aabb a = gen_aabb(&g), b = gen_aabb(&g);
        if (!test_int(&rng, 0, 9)) a.max.y = a.min.y - 1;
        for (uint32_t order = 0; order < 8; ++order)
            CHECK_INT(ASK("forms", cd_test_aabb_aabb_order(a, b, order)), cd_test_aabb_aabb(a, b));
    }
}

static int32_t any_int(test_rng *rng) {
    switch (test_int(rng, 0, 3)) {
    case 0: return test_int(rng, -3, 3);
    case 1: return test_int(rng, 0, 1) ? INT32_MAX - test_int(rng, 0, 2) : INT32_MIN + test_int(rng, 0, 2);
    default: return (int32_t)((int64_t)(test_next(rng) >> 32) + INT32_MIN);
    }
}

/* Numbers below 2^34 are exact in double. */
static void whole_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(60000); i > 0; --i) {
        cd_aabb_int n[2];
        cd_aabb_mw_int mw[2];
        cd_aabb_cr_int cr[2];
        bool all = true, wide = true, round = true;
        for (int j = 0; j < 2; ++j) {
            for (int k = 0; k < 3; ++k) {
                int32_t x = any_int(&rng), y = any_int(&rng);
                n[j].min[k] = x < y ? x : y;
                n[j].max[k] = x < y ? y : x;
            }
            CHECK(ASK("exact", cd_aabb_mw_int_from_int(&n[j], &mw[j])) &&
                  ASK("exact", cd_aabb_cr_int_from_int(&n[j], &cr[j])));
            for (int k = 0; k < 3; ++k) {
                double lo = n[j].min[k], hi = n[j].max[k];
                CHECK(mw[j].min[k] == n[j].min[k] && (double)mw[j].width[k] == hi - lo);
                CHECK((double)cr[j].center[k] + (double)cr[j].half[k] == hi);
                CHECK((double)cr[j].center[k] - (double)cr[j].half[k] >= lo - 1 &&
                      (double)cr[j].center[k] - (double)cr[j].half[k] <= lo);
                if (!test_int(&rng, 0, 2)) mw[j].width[k] = cr[j].half[k] = (uint32_t)test_next(&rng);
            }
        }
        for (int k = 0; k < 3; ++k) {
            all = all && n[0].min[k] <= n[1].max[k] && n[1].min[k] <= n[0].max[k];
            wide = wide && (double)mw[0].min[k] <= (double)mw[1].min[k] + (double)mw[1].width[k] &&
                   (double)mw[1].min[k] <= (double)mw[0].min[k] + (double)mw[0].width[k];
            round = round && fabs((double)cr[0].center[k] - (double)cr[1].center[k]) <=
                                 (double)cr[0].half[k] + (double)cr[1].half[k];
        }
        CHECK_INT(ASK("exact", cd_test_aabb_aabb_int(&n[0], &n[1])), all);
        CHECK_INT(ASK("exact", cd_test_aabb_aabb_mw_int(&mw[0], &mw[1])), wide);
        CHECK_INT(ASK("exact", cd_test_aabb_aabb_cr_int(&cr[0], &cr[1])), round);
        n[1].min[1] = 1;
        n[1].max[1] = 0;
        CHECK(!ASK("exact", cd_test_aabb_aabb_int(&n[0], &n[1])) &&
              !ASK("exact", cd_aabb_mw_int_from_int(&n[1], &mw[0])) &&
              !ASK("exact", cd_aabb_cr_int_from_int(&n[1], &cr[0])));
    }
}

static void whole_boxes_of_boxes(void) {
    test_rng rng = test_random();
    cd_aabb nothing = cd_aabb_empty(),
            huge = {{-CD_REAL_MAX, -1, (cd_real)1e30}, {CD_REAL_MAX, 1, CD_REAL_MAX}};
    cd_aabb_int n = cd_aabb_int_from_aabb(nothing);
    CHECK(n.min[0] > n.max[0] && cd_aabb_is_empty(cd_aabb_from_int(&n)));
    n = cd_aabb_int_from_aabb(huge);
    CHECK(n.min[0] == INT32_MIN && n.max[0] == INT32_MAX && n.min[2] == INT32_MAX && n.max[2] == INT32_MAX);
    huge.min.y = (cd_real)NAN;
    n = cd_aabb_int_from_aabb(huge);
    CHECK(n.min[0] > n.max[0]);
    for (long i = test_times(10000); i > 0; --i) {
        cd_aabb b, back;
        for (int k = 0; k < 3; ++k) {
            double x = (double)any_int(&rng) + (test_int(&rng, 0, 1) ? test_range(&rng, -2, 2) : 0.0);
            REALS(b)[k] = (cd_real)x;
            REALS(b)[3 + k] = (cd_real)(x + test_range(&rng, 0, 3));
        }
        n = ASK("exact", cd_aabb_int_from_aabb(b));
        back = ASK("exact", cd_aabb_from_int(&n));
        for (int k = 0; k < 3; ++k) {
            double lo = (double)REALS(b)[k], hi = (double)REALS(b)[3 + k];
            CHECK((double)n.min[k] == fmax(fmin(floor(lo), 2147483647.0), -2147483648.0));
            CHECK((double)n.max[k] == fmax(fmin(ceil(hi), 2147483647.0), -2147483648.0));
            CHECK((double)REALS(back)[k] <= (double)n.min[k] &&
                  (double)REALS(back)[3 + k] >= (double)n.max[k]);
        }
    }
}

/* n x against (n - k) lo + k hi */
static int side_of_step(cd_real lo, cd_real hi, cd_real x, int k, int n) {
    exact_pool pool = exact_begin();
    exact at = exact_add(exact_mul(of(lo), exact_from(n - k)), exact_mul(of(hi), exact_from(k)));
    int side = exact_compare(exact_mul(of(x), exact_from(n)), at);
    exact_end(pool);
    return side;
}

static void check_codes(cd_aabb b, cd_aabb frame, cd_aabb back, const int *lo, const int *hi, int n) {
    for (int k = 0; k < 3; ++k) {
        cd_real fl = REALS(frame)[k], fh = REALS(frame)[3 + k], x = REALS(b)[k], y = REALS(b)[3 + k];
        CHECK(side_of_step(fl, fh, x, lo[k], n) >= 0 && side_of_step(fl, fh, y, hi[k], n) <= 0);
        if (fl < fh) {
            CHECK(lo[k] == n || side_of_step(fl, fh, x, lo[k] + 1, n) < 0);
            CHECK(hi[k] == 0 || side_of_step(fl, fh, y, hi[k] - 1, n) > 0);
        }
        CHECK(side_of_step(fl, fh, REALS(back)[k], lo[k], n) <= 0 &&
              side_of_step(fl, fh, REALS(back)[3 + k], hi[k], n) >= 0);
        CHECK(REALS(back)[k] >= fl && REALS(back)[3 + k] <= fh);
    }
}

static void quantised_boxes_hold_the_source(void) {
    test_rng rng = test_random();
    for (long i = test_times(11000); i > 0; --i) {
        cd_aabb frame = any_box(&rng), b = any_box(&rng), other = any_box(&rng);
        cd_aabb_q16 q, r;
        cd_aabb_q8 s, t;
        int lo[3], hi[3];
        for (int k = 0; k < 3; ++k) {
            double f = test_unit(&rng), g = test_unit(&rng), step = test_int(&rng, 0, 255) / 255.0,
                   l = (double)REALS(frame)[k], h = (double)REALS(frame)[3 + k];
            if (test_int(&rng, 0, 3)) REALS(b)[k] = (cd_real)(l * (1 - f) + h * f);
            if (test_int(&rng, 0, 3)) REALS(b)[3 + k] = (cd_real)(l * (1 - g) + h * g);
            if (!test_int(&rng, 0, 3)) REALS(b)[k] = REALS(b)[3 + k];
            if (test_int(&rng, 0, 1)) REALS(b)[k] = gen_near(&rng, (cd_real)(l * (1 - step) + h * step));
        }
        test_note("");
        note_box("b", b);
        note_box("frame", frame);
        q = ASK("exact", cd_aabb_q16_from_aabb(b, frame));
        s = ASK("exact", cd_aabb_q8_from_aabb(b, frame));
        b = cd_aabb_intersect(b, frame);
        if (!cd_aabb_is_valid(b)) {
            CHECK(q.min[0] > q.max[0] && s.min[0] > s.max[0]);
            CHECK(cd_aabb_is_empty(cd_aabb_from_q16(&q, frame)) &&
                  cd_aabb_is_empty(cd_aabb_from_q8(&s, frame)));
            continue;
        }
        for (int k = 0; k < 3; ++k) lo[k] = q.min[k], hi[k] = q.max[k];
        check_codes(b, frame, ASK("exact", cd_aabb_from_q16(&q, frame)), lo, hi, 65535);
        for (int k = 0; k < 3; ++k) lo[k] = s.min[k], hi[k] = s.max[k];
        check_codes(b, frame, ASK("exact", cd_aabb_from_q8(&s, frame)), lo, hi, 255);
        r = cd_aabb_q16_from_aabb(other, frame);
        t = cd_aabb_q8_from_aabb(other, frame);
        if (cd_test_aabb_aabb(b, other))
            CHECK(ASK("forms", cd_test_aabb_aabb_q16(&q, &r)) && cd_test_aabb_aabb_q8(&s, &t));
    }
}

static void quantised_half_widths(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = any_gen(&rng);
        cd_aabb_cr b = cd_aabb_cr_from_aabb(gen_aabb(&g)), back;
        cd_aabb_cr_q16 q;
        cd_real most = b.half.x > b.half.y ? b.half.x : b.half.y,
                step = gen_near(&rng, (cd_real)((double)most / test_int(&rng, 1, 65535)));
        test_note("");
        test_note_reals("b", REALS(b), 6);
        test_note_reals("step", &step, 1);
        if (!ASK("exact", cd_aabb_cr_q16_from_cr(&b, step, &q))) {
            exact_pool pool = exact_begin();
            exact reach = exact_mul(of(step > 0 ? step : 0), exact_from(65535));
            CHECK(!at_most(of(b.half.x), reach) || !at_most(of(b.half.y), reach) ||
                  !at_most(of(b.half.z), reach) || !(step > 0));
            exact_end(pool);
            continue;
        }
        back = ASK("exact", cd_aabb_cr_from_q16(&q, step));
        for (int k = 0; k < 3; ++k) {
            exact_pool pool = exact_begin();
            exact reach = exact_mul(of(step), exact_from(q.half[k]));
            CHECK(at_most(of(REALS(b)[3 + k]), reach) && at_most(reach, of(REALS(back)[3 + k])));
            if (q.half[k] > 0)
                CHECK(!at_most(of(REALS(b)[3 + k]), exact_mul(of(step), exact_from(q.half[k] - 1))));
            exact_end(pool);
        }
    }
}

/* ---- measures, points, planes ---- */

static void measures(void) {
    test_rng rng = test_random();
    cd_aabb unit = {{-1, 0, 2}, {1, 3, 6}}, huge = {{-CD_REAL_MAX, 0, 0}, {CD_REAL_MAX, 1, 1}}, bad = unit;
    CHECK_SAME(ASK("judge", cd_aabb_volume(unit)), 24);
    CHECK_SAME(ASK("judge", cd_aabb_surface_area(unit)), 52);
    CHECK_SAME(ASK("judge", cd_aabb_volume(cd_aabb_empty())), 0);
    CHECK_SAME(ASK("judge", cd_aabb_surface_area(cd_aabb_empty())), 0);
    CHECK_SAME(ASK("judge", cd_aabb_volume(huge)), INFINITY);
    CHECK_SAME(ASK("judge", cd_aabb_surface_area(huge)), INFINITY);
    huge.max.z = (cd_real)0.25;
    huge.max.y = (cd_real)0.25;
    CHECK_SAME(ASK("judge", cd_aabb_volume(huge)), (double)CD_REAL_MAX / 8);
    bad.min.x = (cd_real)NAN;
    CHECK_SAME(ASK("judge", cd_aabb_volume(bad)), NAN);
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_SCALE));
        cd_aabb b = gen_aabb(&g);
        double w[3], volume, area;
        exact_pool pool = exact_begin();
        for (int k = 0; k < 3; ++k) w[k] = exact_to_double(exact_sub(of(REALS(b)[3 + k]), of(REALS(b)[k])));
        exact_end(pool);
        volume = w[0] * w[1] * w[2];
        area = 2 * (w[0] * w[1] + w[1] * w[2] + w[2] * w[0]);
        test_note("");
        note_box("b", b);
        if (volume < (double)CD_REAL_MAX && (volume > 1e-35 || volume == 0))
            CHECK_NEAR((double)ASK("judge", cd_aabb_volume(b)), volume,
                       (double)CD_REAL_EPSILON * volume + 1e-15 * volume);
        if (area < (double)CD_REAL_MAX && (area > 1e-35 || area == 0))
            CHECK_NEAR((double)ASK("judge", cd_aabb_surface_area(b)), area,
                       (double)CD_REAL_EPSILON * area + 1e-15 * area);
    }
}

static void corners_and_moves(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = any_gen(&rng);
        cd_aabb b = gen_aabb(&g), moved;
        cd_vec3 p = gen_point(&g), d = gen_direction(&g), s = ASK("exact", cd_aabb_support(b, d)),
                v = ASK("exact", cd_aabb_closest_vertex(b, p)), by = gen_point(&g);
        test_note("");
        note_box("b", b);
        test_note_reals("p", REALS(p), 3);
        moved = ASK("exact", cd_aabb_translate(b, by));
        for (int k = 0; k < 3; ++k) {
            exact_pool pool = exact_begin();
            cd_real lo = REALS(b)[k], hi = REALS(b)[3 + k], x = REALS(v)[k], q = REALS(p)[k];
            exact a = exact_sub(of(q), of(lo)), c = exact_sub(of(hi), of(q));
            exact l = exact_add(of(lo), of(REALS(by)[k])), h = exact_add(of(hi), of(REALS(by)[k]));
            CHECK(x == (exact_compare(a, c) > 0 ? hi : lo));
            CHECK(REALS(s)[k] == (REALS(d)[k] > 0 ? hi : lo));
            CHECK(at_most(of(REALS(moved)[k]), l) && at_most(h, of(REALS(moved)[3 + k])));
            CHECK(!at_most(of(NEXT(REALS(moved)[k], CD_REAL_MAX)), l) &&
                  !at_most(h, of(NEXT(REALS(moved)[3 + k], -CD_REAL_MAX))));
            exact_end(pool);
        }
    }
    CHECK(ASK("bad", cd_aabb_is_empty(cd_aabb_translate(cd_aabb_empty(), cd_vec3_make(1, 2, 3)))));
}

static int side_of_corner(cd_plane plane, cd_aabb b, int corner) {
    exact_pool pool = exact_begin();
    exact sum = exact_negate(of(plane.d));
    int side;
    for (int k = 0; k < 3; ++k)
        sum = exact_add(sum, exact_mul(of(REALS(plane)[k]), of(REALS(b)[corner >> k & 1 ? 3 + k : k])));
    side = exact_compare(sum, exact_from(0.0));
    exact_end(pool);
    return side;
}

static void boxes_and_planes(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(20000);
    cd_aabb unit = {{0, 0, 0}, {1, 1, 1}};
    cd_plane bad = {{0, 0, 0}, 0};
    for (long i = times; i > 0; --i) {
        gen g = any_gen(&rng);
        cd_aabb b = gen_aabb(&g);
        cd_plane plane;
        bool behind = false, front = false;
        plane.n = gen_direction(&g);
        plane.d = cd_vec3_dot(plane.n,
                              test_int(&rng, 0, 2) ? cd_aabb_support(b, gen_direction(&g)) : gen_point(&g));
        test_note("");
        note_box("b", b);
        test_note_reals("plane", REALS(plane), 4);
        for (int c = 0; c < 8; ++c) {
            int side = side_of_corner(plane, b, c);
            behind = behind || side <= 0;
            front = front || side >= 0;
        }
        hits += behind && front;
        CHECK_INT(ASK("exact", cd_test_aabb_plane(b, plane)), behind && front);
        CHECK_INT(ASK("exact", cd_test_aabb_halfspace(b, plane)), behind);
    }
    CHECK_SEEN(hits > times / 10 && hits < times - times / 20);
    CHECK(!ASK("exact", cd_test_aabb_plane(unit, bad)) && !cd_test_aabb_halfspace(unit, bad));
    bad.n.x = 1;
    CHECK(ASK("exact", cd_test_aabb_plane(unit, bad)) && !cd_test_aabb_plane(cd_aabb_empty(), bad));
    bad.d = (cd_real)NAN;
    CHECK(!ASK("exact", cd_test_aabb_plane(unit, bad)) && !cd_test_aabb_halfspace(unit, bad));
}

static void triangles_in_the_common_box(void) {
    test_rng rng = test_random();
    gen_mesh m = gen_mesh_ball(5, 0.2, &rng);
    cd_mesh_view view = gen_mesh_view(&m);
    uint32_t out[300];
    CHECK(m.triangle_count <= 300);
    for (long i = test_times(200); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_aabb b = cd_aabb_intersect(gen_aabb(&g), gen_aabb(&g));
        size_t room = (size_t)test_int(&rng, 0, 300), count, found = 0;
        memset(out, 0xAB, sizeof out);
        count = ASK("loop", cd_mesh_overlap_aabb(&view, b, room ? out : NULL, room));
        for (uint32_t k = 0; k < m.triangle_count; ++k) {
            cd_triangle t = gen_mesh_triangle(&m, k);
            if (!cd_test_triangle_aabb(&t, b)) continue;
            if (found < room) CHECK_INT(out[found], k);
            ++found;
        }
        CHECK_INT(count, found);
        if (found < 300 && room <= found) CHECK(out[room < 300 ? room : 299] == 0xABABABABu || room == 300);
    }
    CHECK_INT(ASK("bad", cd_mesh_overlap_aabb(&view, cd_aabb_empty(), NULL, 0)), 0);
    view.stride = 1;
    CHECK_INT(
        ASK("bad", cd_mesh_overlap_aabb(&view, cd_aabb_from_points(m.vertices, m.vertex_count), NULL, 0)), 0);
    gen_mesh_free(&m);
}

/* ---- polygons ---- */

enum { CORNERS = 8 };

/* A convex polygon of whole numbers in the plane of two whole vectors, exactly flat: an octagon cut down to `count`. */
static size_t flat_polygon(test_rng *rng, cd_vec3 out[CORNERS], size_t count) {
    static const int x[CORNERS] = {3, 2, 0, -2, -3, -2, 0, 2}, y[CORNERS] = {0, 2, 3, 2, 0, -2, -3, -2};
    int u[3], v[3], o[3];
    for (int k = 0; k < 3; ++k) {
        u[k] = test_int(rng, -1, 1);
        v[k] = test_int(rng, -1, 1);
        o[k] = test_int(rng, -3, 3);
    }
    for (size_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) REALS(out[i])[k] = (cd_real)(o[k] + x[i] * u[k] + y[i] * v[k]);
    }
    return count;
}

static bool fan_meets(const cd_vec3 *p, size_t count, size_t from, cd_aabb b) {
    bool any = false;
    for (size_t i = 0; i + (count > 2 ? 2 : 0) < count; ++i) {
        double d[15];
        to_doubles(REALS(p[from]), d, 3);
        to_doubles(REALS(p[(from + i + (count > 1)) % count]), d + 3, 3);
        to_doubles(REALS(p[(from + i + (count > 1) + (count > 2)) % count]), d + 6, 3);
        to_doubles(REALS(b), d + 9, 6);
        any = any || oracle_triangle_box(d, d + 9, d + 12);
    }
    return any;
}

static void polygons_and_boxes(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(10000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, GEN_GRID);
        cd_vec3 p[CORNERS];
        size_t count = flat_polygon(&rng, p, (size_t)test_int(&rng, 1, CORNERS));
        cd_aabb b = gen_aabb(&g);
        cd_obb o;
        cd_sphere s = gen_sphere(&g);
        cd_triangle t = gen_triangle(&g);
        bool want, sphere = false, triangle = false;
        b.max.x += (cd_real)test_unit(&rng);
        want = fan_meets(p, count, (size_t)test_int(&rng, 0, (int)count - 1), b);
        hits += want;
        test_note("");
        test_note_reals("p", REALS(p), (int)(3 * count));
        note_box("b", b);
        CHECK_INT(ASK("exact", cd_test_polygon_aabb(p, count, b)), want);
        o = cd_obb_from_aabb(b);
        for (int k = 0; k < 3; ++k) REALS(o.half)[k] += (cd_real)1e-6;
        if (want) CHECK(ASK("exact", cd_test_polygon_obb(p, count, &o)));
        for (size_t k = 0; k < ASK("exact", cd_polygon_triangle_count(count)); ++k) {
            cd_triangle f = ASK("exact", cd_polygon_triangle(p, count, k));
            sphere = sphere ||
                     (ASK("exact", cd_test_sphere_triangle(s, &f)) &&
                      ASK("exact", cd_test_aabb_aabb(cd_aabb_from_points(&f.a, 3), cd_aabb_from_sphere(s))));
            triangle = triangle || ASK("exact", cd_test_triangle_triangle(&f, &t));
        }
        CHECK_INT(ASK("exact", cd_test_sphere_polygon(s, p, count)), sphere);
        CHECK_INT(ASK("exact", cd_test_polygon_triangle(p, count, &t)), triangle);
    }
    CHECK_SEEN(hits > times / 10 && hits < times - times / 10);
}

static void polygons_and_planes(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        cd_vec3 p[CORNERS];
        size_t count = flat_polygon(&rng, p, (size_t)test_int(&rng, 1, CORNERS));
        cd_plane plane;
        bool behind = false, front = false;
        plane.n = cd_vec3_make((cd_real)test_int(&rng, -2, 2), (cd_real)test_int(&rng, -2, 2), 1);
        plane.d = (cd_real)test_int(&rng, -20, 20);
        for (size_t k = 0; k < count; ++k) {
            cd_real h = cd_vec3_dot(plane.n, p[k]) - plane.d;
            behind = behind || h <= 0;
            front = front || h >= 0;
        }
        CHECK_INT(ASK("exact", cd_test_polygon_plane(p, count, plane)), behind && front);
        CHECK_INT(ASK("exact", cd_test_polygon_halfspace(p, count, plane)), behind);
        p[test_int(&rng, 0, (int)count - 1)].y = (cd_real)NAN;
        CHECK(!ASK("exact", cd_test_polygon_plane(p, count, plane)) &&
              !cd_test_polygon_halfspace(p, count, plane));
    }
}

static void odd_polygons(void) {
    cd_vec3 p[3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, (cd_real)NAN}};
    cd_aabb b = {{-1, -1, -1}, {1, 1, 1}};
    cd_obb o = cd_obb_from_aabb(b);
    cd_sphere s = {{0, 0, 0}, 1};
    cd_plane plane = {{0, 0, 1}, 0};
    CHECK(!cd_test_polygon_aabb(NULL, 0, b) && !cd_test_polygon_obb(NULL, 0, &o) &&
          !cd_test_sphere_polygon(s, NULL, 0) && !cd_test_polygon_plane(NULL, 0, plane));
    CHECK(!cd_test_polygon_aabb(p, 3, b) && !cd_test_polygon_obb(p, 3, &o) &&
          !cd_test_sphere_polygon(s, p, 3));
    CHECK(cd_test_polygon_aabb(p, 2, b) && cd_test_polygon_aabb(p, 1, b) && cd_test_sphere_polygon(s, p, 1) &&
          cd_test_polygon_obb(p, 1, &o) && cd_test_polygon_plane(p, 2, plane));
    CHECK(!cd_test_polygon_aabb(p, 2, cd_aabb_empty()));
}

/* ---- points ---- */

static bool same_bits(const void *a, const void *b, size_t size) {
    return memcmp(a, b, size) == 0;
}

/* One point after another; zeros come out positive. */
static cd_aabb plain_bounds(const cd_vec3 *p, size_t count) {
    cd_aabb b = cd_aabb_empty();
    for (size_t i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            if (REALS(p[i])[k] < REALS(b)[k]) REALS(b)[k] = REALS(p[i])[k];
            if (REALS(p[i])[k] > REALS(b)[3 + k]) REALS(b)[3 + k] = REALS(p[i])[k];
        }
    }
    for (int k = 0; k < 6; ++k) REALS(b)[k] += 0;
    return b;
}

static void boxes_of_many_points(void) {
    test_rng rng = test_random();
    enum { MOST = 100 };
    cd_vec3 p[MOST];
    for (long i = test_times(4000); i > 0; --i) {
        gen g = any_gen(&rng);
        size_t count = (size_t)test_int(&rng, 0, MOST);
        cd_aabb want, got;
        bool bad = !test_int(&rng, 0, 2);
        for (size_t k = 0; k < count; ++k) {
            p[k] = gen_point(&g);
            if (bad && !test_int(&rng, 0, 3)) REALS(p[k])
            [test_int(&rng, 0, 2)] = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
        }
        want = plain_bounds(p, count);
        got = ASK("loop", cd_aabb_from_points(p, count));
        CHECK(same_bits(&want, &got, sizeof got));
    }
}

static void spheres_about_a_pivot(void) {
    test_rng rng = test_random();
    enum { MOST = 12 };
    cd_vec3 p[MOST];
    for (long i = test_times(6000); i > 0; --i) {
        gen g = any_gen(&rng);
        int count = test_int(&rng, 0, MOST);
        cd_vec3 pivot = gen_point(&g);
        cd_sphere s;
        bool tight = false, any = !test_int(&rng, 0, 7);
        for (int k = 0; k < count; ++k) {
            p[k] = gen_point(&g);
            if (any) REALS(p[k])[test_int(&rng, 0, 2)] = gen_any_real(&rng);
        }
        test_note("");
        test_note_reals("p", REALS(p), 3 * count);
        test_note_reals("pivot", REALS(pivot), 3);
        if (ASK("exact", cd_sphere_from_pivot(p, (size_t)count, pivot, &s)) == CD_TOO_LARGE) {
            CHECK(any && s.radius == 0 && s.center.x == 0);
            continue;
        }
        if (count == 0) CHECK(s.radius == -1);
        for (int k = 0; k < count; ++k) {
            exact_pool pool = exact_begin();
            exact sum = exact_from(0.0), r = of(s.radius), below = of(NEXT(s.radius, 0));
            for (int j = 0; j < 3; ++j) {
                exact d = exact_sub(of(REALS(p[k])[j]), of(REALS(pivot)[j]));
                sum = exact_add(sum, exact_mul(d, d));
            }
            CHECK(at_most(sum, exact_mul(r, r)));
            tight = tight || s.radius == 0 || !at_most(sum, exact_mul(below, below));
            exact_end(pool);
        }
        CHECK(tight || count == 0);
    }
    p[0] = cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, 0);
    {
        cd_sphere s;
        CHECK_INT(ASK("bad", cd_sphere_from_pivot(p, 1, cd_vec3_make(0, 0, 0), &s)), CD_TOO_LARGE);
        p[0].x = (cd_real)NAN;
        CHECK_INT(ASK("bad", cd_sphere_from_pivot(p, 1, cd_vec3_make(0, 0, 0), &s)), CD_INVALID_ARGUMENT);
        CHECK_INT(ASK("bad", cd_sphere_from_pivot(p, 0, p[0], &s)), CD_INVALID_ARGUMENT);
        CHECK(s.radius == 0);
        CHECK_INT(ASK("bad", cd_sphere_from_pivot(NULL, 0, cd_vec3_make(1, 2, 3), &s)), CD_OK);
        CHECK(s.radius == -1 && s.center.z == 3);
    }
}

static void extreme_points(void) {
    cd_vec3 p[4] = {{(cd_real)NAN, 0, 0}, {1, 0, 0}, {-2, 0, 0}, {1, 5, 0}};
    size_t least = 77, most = 88;
    CHECK(!ASK("bad", cd_extreme_points_along_direction(p, 0, cd_vec3_make(1, 0, 0), &least, &most)));
    CHECK(!ASK("bad", cd_extreme_points_along_direction(p, 1, cd_vec3_make(1, 0, 0), &least, &most)));
    CHECK(!ASK("bad",
               cd_extreme_points_along_direction(p, 4, cd_vec3_make((cd_real)NAN, 0, 0), &least, &most)));
    CHECK(least == 77 && most == 88);
    CHECK(ASK("bad", cd_extreme_points_along_direction(p, 4, cd_vec3_make(1, 0, 0), &least, &most)) &&
          least == 2 && most == 1);
    CHECK(ASK("bad", cd_extreme_points_along_direction(p, 4, cd_vec3_make(-1, 0, 0), &least, &most)) &&
          least == 1 && most == 2);
    CHECK(ASK("bad", cd_extreme_points_along_direction(p, 4, cd_vec3_make(0, 0, 0), &least, &most)) &&
          least == 1 && most == 1);
}

static void hull_corners_first(void) {
    test_rng rng = test_random();
    enum { MOST = 60 };
    cd_vec3 p[MOST], q[MOST];
    uint32_t order[MOST];
    for (long i = test_times(2400); i > 0; --i) {
        gen g = any_gen(&rng);
        size_t count = (size_t)test_int(&rng, 0, MOST), first = 99;
        cd_aabb all, front;
        bool seen[MOST] = {false};
        for (size_t k = 0; k < count; ++k) p[k] = gen_point(&g);
        memcpy(q, p, sizeof p);
        CHECK_INT(ASK("loop", cd_points_hull_first(p, count, NULL, order, &first)), CD_OK);
        CHECK(first <= count && (count == 0 || first > 0));
        for (size_t k = 0; k < count; ++k) {
            CHECK(order[k] < count && !seen[order[k]]);
            seen[order[k]] = true;
            CHECK(same_bits(&p[k], &q[order[k]], sizeof p[k]));
            if (k > 0 && k < first) CHECK(order[k] > order[k - 1]);
        }
        all = cd_aabb_from_points(p, count);
        front = cd_aabb_from_points(p, first);
        CHECK(same_bits(&all, &front, sizeof all));
        for (int d = 0; d < 4 && count > 0; ++d) {
            cd_vec3 dir = gen_direction(&g);
            size_t a, b, c, e;
            CHECK(cd_extreme_points_along_direction(p, count, dir, &a, &b) &&
                  cd_extreme_points_along_direction(p, first, dir, &c, &e));
            if (g.kind == GEN_GRID) CHECK(cd_vec3_dot(dir, p[b]) == cd_vec3_dot(dir, p[e]));
        }
    }
    p[0].x = (cd_real)NAN;
    {
        size_t first = 99;
        CHECK_INT(ASK("loop", cd_points_hull_first(p, 5, NULL, NULL, &first)), CD_INVALID_ARGUMENT);
        CHECK_INT(first, 0);
    }
}

/* ---- things that turn ---- */

/* Rows of the rotation, times n = |q|^2, and n. */
static exact exact_rotation(cd_quat q, exact3 row[3]) {
    exact x = of(q.x), y = of(q.y), z = of(q.z), w = of(q.w), two = exact_from(2.0);
    exact xx = exact_mul(x, x), yy = exact_mul(y, y), zz = exact_mul(z, z), ww = exact_mul(w, w);
    exact xy = exact_mul(x, y), yz = exact_mul(y, z), zx = exact_mul(z, x);
    exact wx = exact_mul(w, x), wy = exact_mul(w, y), wz = exact_mul(w, z);
    exact n = exact_add(exact_add(xx, yy), exact_add(zz, ww));
    row[0].c[0] = exact_sub(exact_add(ww, xx), exact_add(yy, zz));
    row[0].c[1] = exact_mul(two, exact_sub(xy, wz));
    row[0].c[2] = exact_mul(two, exact_add(zx, wy));
    row[1].c[0] = exact_mul(two, exact_add(xy, wz));
    row[1].c[1] = exact_sub(exact_add(ww, yy), exact_add(xx, zz));
    row[1].c[2] = exact_mul(two, exact_sub(yz, wx));
    row[2].c[0] = exact_mul(two, exact_sub(zx, wy));
    row[2].c[1] = exact_mul(two, exact_add(yz, wx));
    row[2].c[2] = exact_sub(exact_add(ww, zz), exact_add(xx, yy));
    return n;
}

/* Does lo - pos <= (row . v) / n <= hi - pos hold, all exactly? Grown boxes fail `tight`: the point is within 1e-14 of a
 * bound (or a unit in the last place). */
static bool moved_is_between(exact lo, exact hi, exact3 row, exact n, cd_real pos, exact3 v) {
    exact at = exact3_dot(row, v);
    return at_most(exact_mul(exact_sub(lo, of(pos)), n), at) &&
           at_most(at, exact_mul(exact_sub(hi, of(pos)), n));
}

/* A rotation: any, of any length, or one that takes axes to axes. */
static cd_quat some_rotation(test_rng *rng) {
    cd_quat q = gen_quat(rng);
    cd_real scale = (cd_real)ldexp(1.0, test_int(rng, -20, 20));
    if (!test_int(rng, 0, 3)) {
        for (int k = 0; k < 4; ++k) REALS(q)[k] = (cd_real)test_int(rng, -1, 1);
        if (q.x == 0 && q.y == 0 && q.z == 0 && q.w == 0) q.w = 1;
    }
    if (!test_int(rng, 0, 3)) {
        for (int k = 0; k < 4; ++k) REALS(q)[k] *= scale;
    }
    if (!test_int(rng, 0, 7)) REALS(q)[test_int(rng, 0, 3)] *= (cd_real)1e-9;
    return q;
}

static cd_transform some_pose(test_rng *rng, gen *g) {
    cd_transform t;
    t.rotation = some_rotation(rng);
    t.position = test_int(rng, 0, 2) ? gen_point(g) : cd_vec3_make(0, 0, 0);
    return t;
}

static double size_of(cd_aabb b, const cd_transform *t) {
    double d[9];
    to_doubles(REALS(b), d, 6);
    to_doubles(REALS(t->position), d + 6, 3);
    return largest(d, 9);
}

static void turned_boxes_hold_their_corners(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = any_gen(&rng);
        cd_aabb b = gen_aabb(&g), moved;
        cd_aabb_cr cr = cd_aabb_cr_from_aabb(b), turned;
        cd_transform t = some_pose(&rng, &g);
        exact_pool pool;
        exact3 row[3];
        exact n;
        double reach[6] = {HUGE_VAL, HUGE_VAL, HUGE_VAL, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
        test_note("");
        note_box("b", b);
        test_note_reals("q", REALS(t.rotation), 4);
        test_note_reals("at", REALS(t.position), 3);
        moved = ASK("exact", cd_aabb_transform(b, &t));
        turned = ASK("exact", cd_aabb_cr_transform(&cr, &t));
        pool = exact_begin();
        n = exact_rotation(t.rotation, row);
        for (int c = 0; c < 8; ++c) {
            exact3 v, w;
            cd_vec3 corner, p;
            for (int k = 0; k < 3; ++k) {
                REALS(corner)[k] = REALS(b)[c >> k & 1 ? 3 + k : k];
                v.c[k] = of(REALS(corner)[k]);
                w.c[k] = c >> k & 1 ? exact_add(of(REALS(cr)[k]), of(REALS(cr)[3 + k]))
                                    : exact_sub(of(REALS(cr)[k]), of(REALS(cr)[3 + k]));
            }
            p = cd_transform_point(&t, corner);
            CHECK(cd_test_point_aabb(p, moved));
            for (int k = 0; k < 3; ++k) {
                exact lo = of(REALS(moved)[k]), hi = of(REALS(moved)[3 + k]);
                exact center = of(REALS(turned)[k]), half = of(REALS(turned)[3 + k]);
                CHECK(moved_is_between(lo, hi, row[k], n, REALS(t.position)[k], v));
                CHECK(moved_is_between(exact_sub(center, half), exact_add(center, half), row[k], n,
                                       REALS(t.position)[k], w));
                reach[k] = fmin(reach[k], (double)REALS(p)[k]);
                reach[3 + k] = fmax(reach[3 + k], (double)REALS(p)[k]);
            }
        }
        exact_end(pool);
        for (int k = 0; k < 3; ++k) {
            double slack = (4 * (double)CD_REAL_EPSILON + 4e-14) * size_of(b, &t) + 1e-40;
            CHECK_NEAR((double)REALS(moved)[k], reach[k], slack);
            CHECK_NEAR((double)REALS(moved)[3 + k], reach[3 + k], slack);
            CHECK_NEAR((double)REALS(turned)[k] + (double)REALS(turned)[3 + k], reach[3 + k], 2 * slack);
        }
    }
}

static void sorted_widths(cd_aabb b, double width[3]) {
    cd_vec3 w = cd_vec3_sub(b.max, b.min);
    to_doubles(&w.x, width, 3);
    for (int i = 0; i < 3; ++i) {
        double least = fmin(width[i % 2], width[i % 2 + 1]), most = fmax(width[i % 2], width[i % 2 + 1]);
        width[i % 2] = least;
        width[i % 2 + 1] = most;
    }
}

static void quarter_turns_are_exact(void) {
    double want[3], got[3];
    test_rng rng = test_random();
    cd_aabb b = {{-1, 2, (cd_real)0.3}, {4, 5, (cd_real)0.7}}, moved;
    cd_aabb_cr cr = {{1, 2, 3}, {4, 5, 6}}, turned;
    cd_transform t = cd_transform_identity();
    moved = cd_aabb_transform(b, &t);
    CHECK(same_bits(&moved, &b, sizeof b));
    turned = cd_aabb_cr_transform(&cr, &t);
    CHECK(same_bits(&turned, &cr, sizeof cr));
    t.rotation.x = t.rotation.y = t.rotation.z = t.rotation.w = (cd_real)0.3; /* x to y to z to x */
    moved = cd_aabb_transform(b, &t);
    CHECK_VEC(moved.min, cd_vec3_make(b.min.z, b.min.x, b.min.y), 0);
    CHECK_VEC(moved.max, cd_vec3_make(b.max.z, b.max.x, b.max.y), 0);
    turned = cd_aabb_cr_transform(&cr, &t);
    CHECK_VEC(turned.half, cd_vec3_make(6, 4, 5), 0);
    for (int i = 0; i < 100; ++i) { /* around and around, nothing grows */
        t.rotation = cd_quat_identity();
        REALS(t.rotation)[test_int(&rng, 0, 2)] = 1;
        moved = cd_aabb_transform(moved, &t);
    }
    sorted_widths(b, want);
    sorted_widths(moved, got);
    for (int i = 0; i < 3; ++i) CHECK_NEAR(got[i], want[i], 0);
}

/* A box of a box at 45 degrees is larger by the root of 2, of that one again: always start from the first. */
static void boxes_of_boxes_grow(void) {
    cd_aabb b = {{-1, -1, -1}, {1, 1, 1}}, again = b, first;
    cd_transform t = cd_transform_identity();
    t.rotation = cd_quat_from_axis_angle(cd_vec3_make(0, 0, 1), (cd_real)0.78539816339744830962);
    first = cd_aabb_transform(b, &t);
    for (int i = 0; i < 4; ++i) again = cd_aabb_transform(again, &t);
    CHECK_NEAR((double)first.max.x, sqrt(2.0), 1e-6);
    CHECK_NEAR((double)again.max.x, 4.0, 1e-5);
}

static void odd_moves(void) {
    cd_aabb b = {{-1, -1, -1}, {1, 1, 1}}, huge = {{-CD_REAL_MAX, 0, 0}, {CD_REAL_MAX, 1, CD_REAL_MAX}};
    cd_transform t = cd_transform_identity();
    cd_aabb_cr cr = cd_aabb_cr_from_aabb(huge);
    CHECK(ASK("bad", cd_aabb_is_empty(cd_aabb_transform(cd_aabb_empty(), &t))));
    t.rotation = cd_quat_from_axis_angle(cd_vec3_make(1, 2, 3), 1);
    huge = cd_aabb_transform(huge, &t);
    CHECK(ASK("bad", cd_aabb_is_valid(huge)) && huge.max.x == CD_REAL_MAX);
    cr = cd_aabb_cr_transform(&cr, &t);
    CHECK(cr.half.x > 0);
    t.position.x = (cd_real)NAN;
    CHECK(ASK("bad", cd_aabb_is_empty(cd_aabb_transform(b, &t))));
    cr = cd_aabb_cr_from_aabb(b);
    cr = cd_aabb_cr_transform(&cr, &t);
    CHECK(cr.half.x == -1);
}

/* ---- climbing ---- */

static void check_climb(const cd_hull *hull, const cd_transform *t, cd_aabb_climb_cache *cache) {
    cd_aabb all = cd_aabb_from_hull(hull, t), climbed = ASK("loop", cd_aabb_climb(hull, t, cache)),
            cold = ASK("loop", cd_aabb_climb(hull, t, NULL));
    CHECK(same_bits(&all, &climbed, sizeof all));
    CHECK(same_bits(&all, &cold, sizeof all));
}

static void check_holds_hull(const cd_hull *hull, const cd_transform *t, cd_aabb box) {
    cd_hull_parts h = cd_hull_get_parts(hull);
    exact_pool pool = exact_begin();
    exact3 row[3];
    exact n = exact_rotation(t->rotation, row);
    for (uint32_t i = 0; i < h.vertex_count; ++i) {
        exact3 v;
        CHECK(cd_test_point_aabb(cd_transform_point(t, h.vertices[i]), box));
        for (int k = 0; k < 3; ++k) v.c[k] = of(REALS(h.vertices[i])[k]);
        for (int k = 0; k < 3; ++k)
            CHECK(moved_is_between(of(REALS(box)[k]), of(REALS(box)[3 + k]), row[k], n, REALS(t->position)[k],
                                   v));
    }
    exact_end(pool);
}

/* Any hull, flat and thin ones too, under jumps and small turns. */
static void climbing_is_the_full_pass(void) {
    test_rng rng = test_random();
    enum { MOST = 60 };
    cd_vec3 p[MOST];
    for (long i = test_times(400); i > 0; --i) {
        gen g = any_gen(&rng);
        size_t count = (size_t)test_int(&rng, 0, MOST);
        cd_aabb_climb_cache cache = {{0, 5, 0xFFFFFFFFu, 3, 77, 1}};
        cd_transform t = some_pose(&rng, &g);
        cd_hull_options options;
        cd_hull hull;
        memset(&options, 0, sizeof options);
        if (!test_int(&rng, 0, 5)) options.merge_distance = (cd_real)0.05;
        for (size_t k = 0; k < count; ++k) p[k] = gen_point(&g);
        CHECK_INT(cd_hull3_build(&hull, p, count, &options), CD_OK);
        test_note("");
        test_note_reals("p", REALS(p), (int)(3 * count));
        for (int k = 0; k < 8; ++k) {
            if (k % 3 == 2) t = some_pose(&rng, &g);
            REALS(t.rotation)[k % 4] += (cd_real)0.01;
            check_climb(&hull, &t, &cache);
            if (count > 0 && k == 2) check_holds_hull(&hull, &t, ASK("exact", cd_aabb_from_hull(&hull, &t)));
        }
        if (count == 0) CHECK(cd_aabb_is_empty(cd_aabb_from_hull(&hull, NULL)));
        cd_hull_destroy(&hull);
    }
}

/* The trap of Ericson 4.2.5: a box, a prism and a ball turned by half a turn, so that the old extremes lie on plains at the
 * other end; and quarter turns, where whole faces are level. */
static void plains_are_no_trap(void) {
    test_rng rng = test_random();
    cd_vec3 p[80];
    for (int kind = 0; kind < 3; ++kind) {
        int count = 0;
        cd_hull hull;
        cd_aabb_climb_cache cache = {{0, 0, 0, 0, 0, 0}};
        for (int x = -2; x <= 2; ++x) {
            for (int y = -2; y <= 2; ++y) {
                for (int z = -1; z <= 1; ++z) {
                    int r = x * x + y * y + (kind == 2 ? 3 * z * z : 0);
                    if (kind == 0 || r <= 5) p[count++] = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
                }
            }
        }
        CHECK_INT(cd_hull3_build(&hull, p, (size_t)count, NULL), CD_OK);
        for (long i = test_times(3000); i > 0; --i) {
            cd_transform t = cd_transform_identity();
            for (int k = 0; k < 4; ++k) REALS(t.rotation)[k] = (cd_real)test_int(&rng, -1, 1);
            if (!test_int(&rng, 0, 3)) REALS(t.rotation)[test_int(&rng, 0, 3)] += (cd_real)1e-7;
            check_climb(&hull, &t, &cache);
        }
        cd_hull_destroy(&hull);
    }
}

/* A ball of many vertices, turned a little, a lot, and by half. */
static void many_rotations(void) {
    test_rng rng = test_random();
    gen_mesh ball = gen_mesh_ball(8, 0.0, &rng);
    cd_aabb_climb_cache cache = {{0, 0, 0, 0, 0, 0}};
    cd_transform t = cd_transform_identity();
    cd_hull hull;
    cd_quat step = cd_quat_from_axis_angle(cd_vec3_make(1, 2, 3), (cd_real)0.03);
    CHECK_INT(cd_hull3_build(&hull, ball.vertices, ball.vertex_count, NULL), CD_OK);
    for (long i = test_times(10000); i > 0; --i) {
        cd_aabb all, climbed;
        t.rotation = cd_quat_normalize(cd_quat_mul(step, t.rotation));
        if (i % 50 == 0) t.rotation = cd_quat_mul(cd_quat_from_axis(cd_vec3_make(0, 1, 0), 1, 0), t.rotation);
        if (i % 333 == 0) t.rotation = gen_quat(&rng);
        climbed = ASK("loop", cd_aabb_climb(&hull, &t, &cache));
        if (i % 8 != 0 && !test_is_small()) continue;
        all = ASK("forms", cd_aabb_from_hull(&hull, &t));
        CHECK(same_bits(&all, &climbed, sizeof all));
    }
    cd_hull_destroy(&hull);
    gen_mesh_free(&ball);
}

static void climbing_odd_things(void) {
    cd_hull none;
    cd_transform t = cd_transform_identity();
    cd_vec3 p[2] = {{1, 2, 3}, {-1, 5, 3}};
    cd_aabb b;
    memset(&none, 0, sizeof none);
    CHECK(cd_aabb_is_empty(cd_aabb_climb(&none, &t, NULL)));
    CHECK_INT(cd_hull3_build(&none, p, 2, NULL), CD_OK);
    b = cd_aabb_climb(&none, NULL, NULL);
    CHECK_VEC(b.min, cd_vec3_make(-1, 2, 3), 0);
    CHECK_VEC(b.max, cd_vec3_make(1, 5, 3), 0);
    t.rotation.w = (cd_real)NAN;
    CHECK(cd_aabb_is_empty(cd_aabb_climb(&none, &t, NULL)) && cd_aabb_is_empty(cd_aabb_from_hull(&none, &t)));
    cd_hull_destroy(&none);
}

void suite_aabb(void) {
    RUN(conversions_hold_the_source);
    RUN(forms_meet_exactly);
    RUN(odd_forms);
    RUN(orders_change_nothing);
    RUN(whole_boxes);
    RUN(whole_boxes_of_boxes);
    RUN(quantised_boxes_hold_the_source);
    RUN(quantised_half_widths);
    RUN(measures);
    RUN(corners_and_moves);
    RUN(boxes_and_planes);
    RUN(triangles_in_the_common_box);
    RUN(polygons_and_boxes);
    RUN(polygons_and_planes);
    RUN(odd_polygons);
    RUN(boxes_of_many_points);
    RUN(spheres_about_a_pivot);
    RUN(extreme_points);
    RUN(hull_corners_first);
    RUN(turned_boxes_hold_their_corners);
    RUN(quarter_turns_are_exact);
    RUN(boxes_of_boxes_grow);
    RUN(odd_moves);
    RUN(climbing_is_the_full_pass);
    RUN(plains_are_no_trap);
    RUN(many_rotations);
    RUN(climbing_odd_things);
}
