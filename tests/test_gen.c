/* The generators of points in special position do what they say, by the exact references. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define EXPONENTS 200
#else
#define EXPONENTS 56
#endif

/* What was seen of one generator. */
typedef struct tally {
    long draws, exact, zero_near, smallest, largest;
} tally;

static void tally_scale(tally *t, const double *v, int n) {
    for (int i = 0; i < n; ++i) {
        int e;
        if (v[i] == 0) continue;
        CHECK(fabs(v[i]) >= ldexp(1.0, -EXPONENTS) && fabs(v[i]) <= ldexp(1.0, EXPONENTS));
        frexp(v[i], &e);
        if (e < t->smallest) t->smallest = e;
        if (e > t->largest) t->largest = e;
    }
}

/* Exactly degenerate is what it says to be, and what it does not seldom is. */
static void tally_draw(tally *t, bool exact, bool zero, const double *v, int n) {
    ++t->draws;
    t->exact += exact;
    t->zero_near += zero && !exact;
    if (exact) CHECK(zero);
    tally_scale(t, v, n);
}

static void check_tally(const tally *t) {
    test_note("draws %ld, exact %ld, of the others zero %ld, 2^%ld ... 2^%ld", t->draws, t->exact,
              t->zero_near, t->smallest, t->largest);
    CHECK_SEEN(t->exact > t->draws * 45 / 100 && t->exact < t->draws * 60 / 100);
    CHECK_SEEN(t->zero_near < (t->draws - t->exact) / 4);
    CHECK_SEEN(t->smallest < -EXPONENTS / 2 && t->largest > EXPONENTS / 2);
}

static void collinear_points_are(void) {
    test_rng rng = test_random();
    tally t = {0, 0, 0, 0, 0};
    for (long i = test_times(10000); i > 0; --i) {
        static const double aside[2][3] = {{0.5, 0.25, 0.125}, {-3, 7, 1}};
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 p[3];
        double v[9], flat[6];
        bool exact = gen_collinear(&g, p), zero;
        to_doubles(REALS(p[0]), v, 9);
        for (int k = 0; k < 6; ++k) flat[k] = v[k / 2 * 3 + k % 2];
        test_note("");
        test_note_reals("p", REALS(p[0]), 9);
        zero = oracle_orient3d(v, v + 3, v + 6, aside[0]) == 0 &&
               oracle_orient3d(v, v + 3, v + 6, aside[1]) == 0;
        if (exact) CHECK_INT(oracle_orient2d(flat, flat + 2, flat + 4), 0);
        tally_draw(&t, exact, zero, v, 9);
    }
    check_tally(&t);
}

static void coplanar_points_are(void) {
    test_rng rng = test_random();
    tally t = {0, 0, 0, 0, 0};
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 p[4];
        double v[12];
        bool exact = gen_coplanar(&g, p);
        to_doubles(REALS(p[0]), v, 12);
        test_note("");
        test_note_reals("p", REALS(p[0]), 12);
        tally_draw(&t, exact, oracle_orient3d(v, v + 3, v + 6, v + 9) == 0, v, 12);
    }
    check_tally(&t);
}

static void cocircular_points_are(void) {
    test_rng rng = test_random();
    tally t = {0, 0, 0, 0, 0};
    long turns = 0;
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec2 p[4];
        double v[8];
        bool exact = gen_cocircular(&g, p);
        to_doubles(REALS(p[0]), v, 8);
        test_note("");
        test_note_reals("p", REALS(p[0]), 8);
        turns += oracle_orient2d(v, v + 2, v + 4) != 0;
        tally_draw(&t, exact, oracle_incircle(v, v + 2, v + 4, v + 6) == 0, v, 8);
    }
    check_tally(&t);
    CHECK(turns >= t.draws / 2); /* a circle, not three points that coincide */
}

static void cospherical_points_are(void) {
    test_rng rng = test_random();
    tally t = {0, 0, 0, 0, 0};
    long solids = 0;
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 p[5];
        double v[15];
        bool exact = gen_cospherical(&g, p);
        to_doubles(REALS(p[0]), v, 15);
        test_note("");
        test_note_reals("p", REALS(p[0]), 15);
        solids += oracle_orient3d(v, v + 3, v + 6, v + 9) != 0;
        tally_draw(&t, exact, oracle_insphere(v, v + 3, v + 6, v + 9, v + 12) == 0, v, 15);
    }
    check_tally(&t);
    CHECK(solids >= t.draws / 2);
}

/* All predicates are 0 now and then, and not always. */
static void ulp_grids_are_close(void) {
    test_rng rng = test_random();
    long zero[4] = {0, 0, 0, 0}, draws = test_times(5000);
    tally scales = {0, 0, 0, 0, 0};
    for (long i = draws; i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 p[5];
        double v[15], flat[8];
        gen_ulp_grid(&g, p, 5);
        to_doubles(REALS(p[0]), v, 15);
        for (int k = 0; k < 8; ++k) flat[k] = v[k / 2 * 3 + k % 2];
        for (int k = 3; k < 15; ++k)
            CHECK(fabs(v[k] - v[k % 3]) <= 14 * (double)CD_REAL_EPSILON * fabs(v[k]));
        zero[0] += oracle_orient2d(flat, flat + 2, flat + 4) == 0;
        zero[1] += oracle_orient3d(v, v + 3, v + 6, v + 9) == 0;
        zero[2] += oracle_incircle(flat, flat + 2, flat + 4, flat + 6) == 0;
        zero[3] += oracle_insphere(v, v + 3, v + 6, v + 9, v + 12) == 0;
        tally_scale(&scales, v, 15);
    }
    test_note("zeros %ld %ld %ld %ld of %ld", zero[0], zero[1], zero[2], zero[3], draws);
    for (int k = 0; k < 4; ++k) CHECK_SEEN(zero[k] > 0 && zero[k] < draws / 2);
    CHECK_SEEN(scales.smallest < -EXPONENTS / 2 && scales.largest > EXPONENTS / 2);
}

void suite_gen(void) {
    RUN(collinear_points_are);
    RUN(coplanar_points_are);
    RUN(cocircular_points_are);
    RUN(cospherical_points_are);
    RUN(ulp_grids_are_close);
}
