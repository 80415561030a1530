/* Comparisons with a tolerance against exact arithmetic, with tolerances at the very border; steps between numbers. */
#include "gen.h"
#include "oracle.h"
#include <float.h>
#include <math.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define NEXT nextafter
#else
#define NEXT nextafterf
#endif

static exact real(cd_real x) {
    return exact_from((double)x);
}

static exact size_of(cd_real x) {
    return real(x < 0 ? -x : x);
}

static exact larger(exact a, exact b) {
    return exact_compare(a, b) > 0 ? a : b;
}

/* |a - b| <= max(abs, rel * max(|a|, |b|)) for finite numbers and tolerances; a negative tolerance is 0. */
static bool nearly(cd_real a, cd_real b, cd_real abs, cd_real rel) {
    exact_pool pool = exact_begin();
    exact gap = exact_sub(real(a), real(b)),
          limit = exact_mul(real(rel > 0 ? rel : 0), larger(size_of(a), size_of(b)));
    bool r;
    if (gap.sign < 0) gap = exact_negate(gap);
    r = exact_compare(gap, larger(limit, real(abs > 0 ? abs : 0))) <= 0;
    exact_end(pool);
    return r;
}

/* Two numbers: of any size, near one another, or opposite. */
static void draw_pair(test_rng *rng, cd_real *a, cd_real *b) {
    int how = test_int(rng, 0, 4);
    *a = gen_any_real(rng);
    *b = gen_any_real(rng);
    if (how == 0) *b = gen_near(rng, *a);
    if (how == 1) *b = -*a;
    if (how == 2) {
        double part = test_range(rng, -1, 1);
        *b = (cd_real)((double)*a * (1.0 + ldexp(part, test_int(rng, -60, 2))));
    }
    if (!isfinite((double)*b)) *b = -*a;
}

/* A tolerance: at the border, or any. */
static cd_real draw_tolerance(test_rng *rng, double border) {
    cd_real t = test_int(rng, 0, 2) ? gen_near(rng, (cd_real)border) : gen_any_real(rng);
    return isfinite((double)t) ? t : 1;
}

static void numbers_within_a_tolerance(void) {
    test_rng rng = test_random();
    for (long i = test_times(100000); i > 0; --i) {
        cd_real x[4];
        double gap, size;
        draw_pair(&rng, &x[0], &x[1]);
        gap = fabs((double)x[0] - (double)x[1]);
        size = fmax(fabs((double)x[0]), fabs((double)x[1]));
        x[2] = draw_tolerance(&rng, gap);
        x[3] = draw_tolerance(&rng,
                              isfinite(gap) ? gap / size : fabs((double)x[0] / size - (double)x[1] / size));
        test_note("");
        test_note_reals("a, b, abs, rel", x, 4);
        CHECK_INT(ASK("exact", cd_nearly_equal_abs(x[0], x[1], x[2])), nearly(x[0], x[1], x[2], 0));
        CHECK_INT(ASK("exact", cd_nearly_equal_rel(x[0], x[1], x[3])), nearly(x[0], x[1], 0, x[3]));
        CHECK_INT(ASK("exact", cd_nearly_equal(x[0], x[1], x[2], x[3])), nearly(x[0], x[1], x[2], x[3]));
        CHECK_INT(ASK("exact", cd_nearly_equal(x[1], x[0], x[2], x[3])), nearly(x[0], x[1], x[2], x[3]));
    }
}

static void equal_whatever_the_tolerance(void) {
    cd_real inf = (cd_real)INFINITY, nan = (cd_real)NAN, max = CD_REAL_MAX;
    cd_real tolerance[8] = {0, 1, -1, max, -max, inf, -inf, nan};
    for (int i = 0; i < 8; ++i) {
        for (int j = 0; j < 8; ++j) {
            cd_real t = tolerance[i], u = tolerance[j];
            CHECK(ASK("exact", cd_nearly_equal(inf, inf, t, u)) &&
                  ASK("exact", cd_nearly_equal(-inf, -inf, t, u)));
            CHECK(!ASK("exact", cd_nearly_equal(inf, -inf, t, u)) &&
                  !ASK("exact", cd_nearly_equal(inf, max, t, u)));
            CHECK(!ASK("exact", cd_nearly_equal(nan, nan, t, u)) &&
                  !ASK("exact", cd_nearly_equal(nan, 1, t, u)) &&
                  !ASK("exact", cd_nearly_equal(inf, nan, t, u)));
            CHECK(ASK("exact", cd_nearly_equal(0, -(cd_real)0, t, u)) &&
                  ASK("exact", cd_nearly_equal(7, 7, t, u)));
            CHECK_INT(ASK("exact", cd_nearly_equal(7, 8, t, u)), t > 0 || u > 0);
        }
    }
    CHECK(ASK("exact", cd_nearly_equal_abs(max, -max, inf)) &&
          !ASK("exact", cd_nearly_equal_abs(max, -max, max)));
    CHECK(ASK("exact", cd_nearly_equal_rel(max, -max, 2)) &&
          !ASK("exact", cd_nearly_equal_rel(max, -max, NEXT(2, 0))));
    CHECK(ASK("exact", cd_nearly_equal_rel(max, 0, 1)) &&
          !ASK("exact", cd_nearly_equal_rel(max, -NEXT((cd_real)0, 1), 1)));
    CHECK(ASK("exact", cd_nearly_equal_rel(max, NEXT((cd_real)0, 1), 1)));
}

static void steps_to_the_next_number(void) {
    test_rng rng = test_random();
    cd_real inf = (cd_real)INFINITY;
    for (long i = test_times(50000); i > 0; --i) {
        cd_real x = gen_any_real(&rng);
        test_note("");
        test_note_reals("x", &x, 1);
        CHECK_SAME(ASK("exact", cd_next_up(x)), NEXT(x, inf));
        CHECK_SAME(ASK("exact", cd_next_down(x)), NEXT(x, -inf));
    }
    CHECK_SAME(ASK("exact", cd_next_up(inf)), INFINITY);
    CHECK_SAME(ASK("exact", cd_next_up(-inf)), -(double)CD_REAL_MAX);
    CHECK_SAME(ASK("exact", cd_next_down(inf)), (double)CD_REAL_MAX);
    CHECK_SAME(ASK("exact", cd_next_up((cd_real)NAN)), NAN);
    CHECK_SAME(ASK("exact", cd_next_down((cd_real)NAN)), NAN);
    CHECK(ASK("exact", cd_is_finite(0)) && ASK("exact", cd_is_finite(-CD_REAL_MAX)) &&
          !ASK("exact", cd_is_finite(-inf)) && !ASK("exact", cd_is_finite((cd_real)NAN)));
}

static void units_in_the_last_place(void) {
    test_rng rng = test_random();
    cd_real inf = (cd_real)INFINITY, max = CD_REAL_MAX;
    uint64_t all = 2 * cd_ulps_between(0, inf);
    for (long i = test_times(20000); i > 0; --i) {
        cd_real x = gen_any_real(&rng), y = x, z = gen_any_real(&rng);
        int steps = test_int(&rng, 0, 40);
        uint64_t far;
        for (int k = 0; k < steps; ++k) y = NEXT(y, inf);
        test_note("");
        test_note_reals("x", &x, 1);
        if (isfinite((double)y)) CHECK_INT(ASK("exact", cd_ulps_between(x, y)), steps);
        CHECK(!isfinite((double)y) ||
              (ASK("exact", cd_nearly_equal_ulps(y, x, (uint64_t)steps)) &&
               (steps == 0 || !ASK("exact", cd_nearly_equal_ulps(y, x, (uint64_t)steps - 1)))));
        far = cd_ulps_between(x, z); /* by way of zero, or of the one nearer to it */
        CHECK(far == ASK("exact", cd_ulps_between(z, x)) && far <= all);
        if ((x < 0) != (z < 0))
            CHECK(far == ASK("exact", cd_ulps_between(x, 0)) + ASK("exact", cd_ulps_between(0, z)));
        if (x > 0 && z > 0)
            CHECK(far == (x > z ? ASK("exact", cd_ulps_between(x, 0)) - ASK("exact", cd_ulps_between(z, 0))
                                : ASK("exact", cd_ulps_between(z, 0)) - ASK("exact", cd_ulps_between(x, 0))));
    }
    CHECK_INT(ASK("exact", cd_ulps_between(0, -(cd_real)0)), 0);
    CHECK_INT(ASK("exact", cd_ulps_between(max, inf)), 1);
    CHECK_INT(ASK("exact", cd_ulps_between(1, 1 + CD_REAL_EPSILON)), 1);
    CHECK(ASK("exact", cd_ulps_between(0, inf)) ==
          (sizeof(cd_real) == 4 ? 0x7F800000u : 0x7FF0000000000000u));
    CHECK(ASK("exact", cd_ulps_between((cd_real)NAN, 0)) == UINT64_MAX &&
          !ASK("exact", cd_nearly_equal_ulps(1, (cd_real)NAN, UINT64_MAX)));
    CHECK(ASK("exact", cd_nearly_equal_ulps(-inf, inf, all)) &&
          !ASK("exact", cd_nearly_equal_ulps(-inf, inf, all - 1)));
}

/* ---- vectors ---- */

static exact square_of(cd_vec3 v) {
    double d[3] = {(double)v.x, (double)v.y, (double)v.z};
    exact3 e = exact3_from(d);
    return exact3_dot(e, e);
}

/* The same for distances, with tolerances times `slack`. */
static bool vectors_nearly(cd_vec3 a, cd_vec3 b, cd_real abs, cd_real rel, double slack) {
    exact_pool pool = exact_begin();
    double p[3] = {(double)a.x, (double)a.y, (double)a.z}, q[3] = {(double)b.x, (double)b.y, (double)b.z};
    exact3 d = exact3_sub(exact3_from(p), exact3_from(q));
    exact t = exact_mul(exact_from(slack), real(abs > 0 ? abs : 0));
    exact r = exact_mul(exact_from(slack), real(rel > 0 ? rel : 0));
    exact limit = exact_mul(exact_mul(r, r), larger(square_of(a), square_of(b)));
    bool held = exact_compare(exact3_dot(d, d), larger(exact_mul(t, t), limit)) <= 0;
    exact_end(pool);
    return held;
}

/* Coordinates of a vector; all exponents alike in a float build, a span of 2^400 somewhere in the range in a double one. */
static cd_real draw_coordinate(test_rng *rng, int low) {
    int size = sizeof(cd_real) == 4 ? test_int(rng, -149, 127) : test_int(rng, low, low + 399);
    double m = test_int(rng, 0, 1) ? test_range(rng, 1, 2) : test_int(rng, 0, 1);
    cd_real x = (cd_real)ldexp(test_int(rng, 0, 1) ? m : -m, size);
    return isfinite((double)x) ? x : CD_REAL_MAX;
}

static cd_vec3 draw_vector(test_rng *rng, int low) {
    cd_vec3 v;
    v.x = draw_coordinate(rng, low);
    v.y = draw_coordinate(rng, low);
    v.z = draw_coordinate(rng, low);
    return v;
}

static void vectors_within_a_tolerance(void) {
    test_rng rng = test_random();
    for (long i = test_times(50000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        int low = test_int(&rng, -1074, 623), how = test_int(&rng, 0, 3);
        cd_vec3 v[2];
        cd_real t[2];
        double gap, size;
        v[0] = how ? gen_point(&g) : draw_vector(&rng, low);
        v[1] = how ? gen_point(&g) : draw_vector(&rng, low);
        for (int k = 0; k < 3 && how == 1; ++k)
            if (REALS(v[0])[k] != 0) REALS(v[1])[k] = gen_near(&rng, REALS(v[0])[k]);
        gap = ldexp(
            (double)cd_vec3_dist(cd_vec3_scale(v[0], (cd_real)0.25), cd_vec3_scale(v[1], (cd_real)0.25)), 2);
        size = fmax((double)cd_vec3_length(v[0]), (double)cd_vec3_length(v[1]));
        t[0] = draw_tolerance(&rng, gap);
        t[1] = draw_tolerance(&rng, isfinite(size) && size > 0 && isfinite(gap) ? gap / size : 1);
        test_note("");
        test_note_reals("a, b", REALS(v[0]), 6);
        test_note_reals("abs, rel", t, 2);
        CHECK_INT(ASK("exact", cd_vec3_nearly_equal(v[0], v[1], t[0], 0)),
                  vectors_nearly(v[0], v[1], t[0], 0, 1));
        CHECK_INT(ASK("exact", cd_vec3_nearly_equal(v[0], v[1], 0, t[1])),
                  vectors_nearly(v[0], v[1], 0, t[1], 1));
        CHECK_INT(ASK("exact", cd_vec3_nearly_equal(v[1], v[0], t[0], t[1])),
                  vectors_nearly(v[0], v[1], t[0], t[1], 1));
    }
}

/* Distances that are whole numbers: from a to a + k (2, 3, 6) it is 7 k. */
static void vectors_at_the_border(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        int whole = test_int(&rng, 1, 9), power = test_int(&rng, -100, 100);
        cd_real k = (cd_real)ldexp(whole, power), t = 7 * k;
        cd_vec3 a = cd_vec3_make(5 * k, -k, 0), b = cd_vec3_make(a.x + 2 * k, a.y - 3 * k, a.z + 6 * k);
        cd_vec3 c = cd_vec3_make(2 * k, 3 * k, 6 * k), zero = cd_vec3_make(0, 0, 0);
        CHECK(ASK("exact", cd_vec3_nearly_equal(a, b, t, 0)) &&
              !ASK("exact", cd_vec3_nearly_equal(a, b, ASK("exact", cd_next_down(t)), 0)));
        CHECK(ASK("exact", cd_vec3_nearly_equal(c, zero, 0, 1)) &&
              !ASK("exact", cd_vec3_nearly_equal(c, zero, 0, ASK("exact", cd_next_down(1)))));
        CHECK(ASK("exact", cd_vec3_nearly_equal(c, cd_vec3_neg(c), 0, 2)) &&
              !ASK("exact", cd_vec3_nearly_equal(c, cd_vec3_neg(c), -1, ASK("exact", cd_next_down(2)))));
    }
}

static void vectors_with_bad_numbers(void) {
    test_rng rng = test_random();
    cd_real inf = (cd_real)INFINITY, nan = (cd_real)NAN, max = CD_REAL_MAX;
    cd_vec3 far = cd_vec3_make(max, max, max);
    CHECK(ASK("exact", cd_vec3_nearly_equal(far, cd_vec3_neg(far), inf, 0)) &&
          ASK("exact", cd_vec3_nearly_equal(far, cd_vec3_neg(far), 0, inf)));
    CHECK(!ASK("exact", cd_vec3_nearly_equal(far, cd_vec3_neg(far), max, ASK("exact", cd_next_down(2)))));
    far = cd_vec3_make(0, max, 0); /* their distance, 1.5 max, is no number */
    CHECK(ASK("exact", cd_vec3_nearly_equal(far, cd_vec3_make(0, -max / 2, 0), 0, (cd_real)1.5)));
    CHECK(!ASK("exact", cd_vec3_nearly_equal(far, cd_vec3_make(0, -max / 2, 0), max,
                                             ASK("exact", cd_next_down((cd_real)1.5)))));
    CHECK(ASK("exact", cd_vec3_nearly_equal(cd_vec3_make(inf, 1, 0), cd_vec3_make(inf, 1, 0), 0, 0)));
    CHECK(!ASK("exact", cd_vec3_nearly_equal(cd_vec3_make(inf, 1, 0), cd_vec3_make(inf, 0, 0), inf, inf)));
    CHECK(!ASK("exact", cd_vec3_nearly_equal(cd_vec3_make(nan, 1, 0), cd_vec3_make(nan, 1, 0), inf, inf)));
    CHECK(!ASK("exact", cd_vec3_nearly_equal(cd_vec3_make(0, 1, 0), cd_vec3_make(0, 2, 0), nan, nan)));
    for (long i = test_times(20000); i > 0; --i) { /* any span and tolerance */
        cd_vec3 v[2];
        cd_real t[2];
        bool yes;
        for (int k = 0; k < 6; ++k) REALS(v[k / 3])[k % 3] = gen_any_real(&rng);
        for (int k = 0; k < 2; ++k) t[k] = gen_any_real(&rng);
        test_note("");
        test_note_reals("a, b", REALS(v[0]), 6);
        test_note_reals("abs, rel", t, 2);
        yes = cd_vec3_nearly_equal(v[0], v[1], t[0], t[1]);
        CHECK(yes == vectors_nearly(v[0], v[1], t[0], t[1], 1) ||
              yes == vectors_nearly(v[0], v[1], t[0], t[1], 1 - 1e-14) ||
              yes == vectors_nearly(v[0], v[1], t[0], t[1], 1 + 1e-14));
    }
}

void suite_tolerance(void) {
    RUN(numbers_within_a_tolerance);
    RUN(equal_whatever_the_tolerance);
    RUN(steps_to_the_next_number);
    RUN(units_in_the_last_place);
    RUN(vectors_within_a_tolerance);
    RUN(vectors_at_the_border);
    RUN(vectors_with_bad_numbers);
}
