/* A suite that is wrong on purpose: harness.sh wants to see every failure of it, and each in full. */
#include "test.h"

int test_isa_level = 2; /* of the library, which is not there */

static void case_right(void) {
    CHECK(1 + 1 == 2);
    CHECK_INT(3, 3);
    CHECK_NEAR(1.0, 1.5, 0.5);
}

static void case_wrong(void) {
    cd_vec3 got = {1, 2, 3}, want = {1, 2, 4};
    cd_real noted[2] = {1, -0.5};
    test_note_reals("input", noted, 2);
    CHECK(1 + 1 == 3);
    CHECK_INT(2 + 2, 5);
    CHECK_NEAR(0.25, 0.75, 0.125);
    CHECK_SAME(1.0, 2.0);
    CHECK_VEC(got, want, 0.5);
}

static void case_goes_on(void) {
    for (int i = 0; i < 9; ++i) CHECK_INT(i, -1);
}

static void case_nan(void) {
    double zero = 0.0, nan = zero / zero;
    CHECK_SAME(nan, nan);
    CHECK_NEAR(nan, 0.0, 1.0);
}

static void case_left_out(void) {
    test_skip("for a reason");
}

static void case_times(void) {
    CHECK_INT(test_times(50), 5);
}

/* Wrong with the eighth seed. */
static void case_draws(void) {
    static int runs;
    test_rng rng = test_random();
    test_next(&rng);
    CHECK(++runs < 8);
}

static int twice(int a, int b) {
    return a == b ? 2 * a : 0;
}

static void case_table(void) {
    test_inputs_are(TEST_HARD);
    for (int i = 0; i < 4; ++i) {
        int got = ASK("exact", twice(i, 2));
        CHECK_INT(got, 2 * i);
        CHECK_NEAR(got, 2 * i, i == 1 ? 0.5 : 0.25);
    }
    CHECK_ULPS(1.0 + 3 * (double)CD_REAL_EPSILON, 1.0, 4, 1.0);
    CHECK_NEAR(ASK("loop", twice(7, 7)), 15, 4);
}

void suite_harness(void) {
    RUN(case_right);
    RUN(case_wrong);
    RUN(case_goes_on);
    RUN(case_nan);
    RUN(case_left_out);
    RUN(case_times);
    RUN(case_draws);
    RUN(case_table);
}
