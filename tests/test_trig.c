/* Sine and cosine against Taylor's series in exact arithmetic, and against the C library's. */
#include "gen.h"
#include "oracle.h"
#include <float.h>
#include <math.h>

#ifdef COLLIDE_DOUBLE
#define DIGITS 53
#define LIMIT  1.0 /* units in the last place, as promised */
#else
#define DIGITS 24
#define LIMIT  0.51
#endif

/* The unit in the last place of x, as a cd_real. */
static double ulp(double x) {
    int e;
    frexp(x, &e);
    return ldexp(1.0, e - DIGITS);
}

/* ---- the reference: numbers of 1600 bits and more ---- */

/* About the first 53 n bits. */
static exact cut(exact x, int n) {
    exact sum = exact_from(0.0);
    for (int i = 0; i < n; ++i) {
        double part = exact_to_double(exact_sub(x, sum));
        if (part == 0.0) break;
        sum = exact_add(sum, exact_from(part));
    }
    return sum;
}

/* x / n to about 53 `digits` bits, by long division. */
static exact divide(exact x, int n, int digits) {
    exact sum = exact_from(0.0), rest = x;
    for (int i = 0; i < digits; ++i) {
        double part = exact_to_double(rest) / n;
        sum = exact_add(sum, exact_from(part));
        rest = exact_sub(rest, exact_mul(exact_from(part), exact_from(n)));
    }
    return sum;
}

/* 2^600 atan(1 / n), good to 2^-980: so small that the factor keeps the parts in the range of doubles. */
static exact arc_tangent(int n) {
    exact power = divide(exact_power(600), n, 30), sum = power;
    for (int k = 1; fabs(exact_to_double(power)) > 1e-296; ++k) {
        power = divide(power, -n * n, 30);
        sum = exact_add(sum, divide(power, 2 * k + 1, 30));
    }
    return cut(sum, 30);
}

/* pi / 2 = 8 atan(1/5) - 2 atan(1/239) (Machin). */
static exact half_pi(void) {
    exact sum =
        exact_sub(exact_mul(exact_from(8.0), arc_tangent(5)), exact_mul(exact_from(2.0), arc_tangent(239)));
    return exact_mul(sum, exact_power(-600));
}

/* x less its nearest multiple of pi/2; which one, modulo 4. */
static exact reduce(double x, exact quarter, int *quadrant) {
    exact r = exact_from(x);
    *quadrant = 0;
    for (int i = 0; i < 40; ++i) {
        double n = rint(exact_to_double(r) / 1.5707963267948966);
        if (n == 0.0) break;
        r = exact_sub(r, exact_mul(quarter, exact_from(n)));
        *quadrant = (*quadrant + (int)fmod(n, 4.0) + 4) % 4;
    }
    return cut(r, 5);
}

/* x - x^3/3! + ... for first = 1, 1 - x^2/2! + ... for first = 0. */
static exact series(exact x, int first) {
    exact square = cut(exact_negate(exact_mul(x, x)), 5), term = first ? x : exact_from(1.0), sum = term;
    for (int k = first + 1; k < 60 && term.sign; k += 2) {
        term = divide(cut(exact_mul(term, square), 5), k * (k + 1), 5);
        sum = exact_add(sum, term);
        if (fabs(exact_to_double(term)) < 1e-60 * fabs(exact_to_double(sum))) break;
    }
    return cut(sum, 5);
}

/* How far `got` is from the sine (first = 1) or cosine of a reduced angle, in units in the last place. */
static double error_of(double got, exact reduced, int quadrant, int first) {
    bool other = quadrant % 2 == 1;
    exact value = series(reduced, other ? 1 - first : first);
    double want;
    if (first ? quadrant >= 2 : quadrant == 1 || quadrant == 2) value = exact_negate(value);
    want = exact_to_double(value);
    return fabs(exact_to_double(exact_sub(exact_from(got), value))) / ulp(want);
}

static void check_exactly(cd_real x, exact quarter) {
    exact_pool pool = exact_begin();
    int quadrant;
    exact r = reduce((double)x, quarter, &quadrant);
    test_note("");
    test_note_reals("x", &x, 1);
    if (x != 0) CHECK(error_of((double)ASK("exact", cd_sin(x)), r, quadrant, 1) <= LIMIT);
    CHECK(error_of((double)ASK("exact", cd_cos(x)), r, quadrant, 0) <= LIMIT);
    exact_end(pool);
}

/* The numbers nearest to multiples of pi/2: the hard ones. */
static cd_real near_a_zero(test_rng *rng, int reach) {
    double n = floor(ldexp(test_unit(rng), test_int(rng, 0, reach)));
    return (cd_real)((long double)n * 1.57079632679489661923132169163975144L);
}

static cd_real any_angle(test_rng *rng, int low, int high) {
    double x = test_range(rng, -1.0, 1.0);
    return (cd_real)ldexp(x, test_int(rng, low, high));
}

static void within_a_unit_of_the_exact_value(void) {
    test_rng rng = test_random();
    exact_pool pool = exact_begin();
    exact quarter = half_pi();
    int high = sizeof(cd_real) == 4 ? 127 : 1023;
    for (long i = test_times(600); i > 0; --i) {
        check_exactly(any_angle(&rng, -30, 20), quarter);
        check_exactly(any_angle(&rng, 20, high), quarter);
        check_exactly(near_a_zero(&rng, 20), quarter);
        check_exactly(near_a_zero(&rng, sizeof(cd_real) == 4 ? 40 : 53), quarter);
    }
    check_exactly((cd_real)1048576, quarter);
    check_exactly((cd_real)1048577, quarter);
    check_exactly((cd_real)0.7853981633974483, quarter);
    check_exactly((cd_real)ldexp(16367173.0, 72), quarter); /* of floats, nearest to a multiple of pi/2 */
    exact_end(pool);
}

/* Any machine's long double is good for two units, glibc's for far less. */
static void as_the_c_library_has_it(void) {
    test_rng rng = test_random();
    double limit = LDBL_MANT_DIG > DBL_MANT_DIG || sizeof(cd_real) == 4 ? LIMIT : 3.0;
#if defined(_WIN32)
    test_skip("the sine of Windows' C library is that of the x87, which knows 66 bits of pi");
    return;
#endif
    for (long i = test_times(10000); i > 0; --i) {
        cd_real x = i % 4 == 0   ? near_a_zero(&rng, 20)
                    : i % 4 == 1 ? any_angle(&rng, -60, sizeof(cd_real) == 4 ? 127 : 1023)
                                 : (cd_real)test_range(&rng, -10.0, 10.0);
        long double s = sinl((long double)x), c = cosl((long double)x);
        double sine = (double)cd_sin(x), cosine = (double)cd_cos(x), square = sine * sine + cosine * cosine;
        test_note("");
        test_note_reals("x", &x, 1);
        CHECK((double)fabsl((long double)sine - s) <= limit * ulp((double)s));
        CHECK((double)fabsl((long double)cosine - c) <= limit * ulp((double)c));
        CHECK_NEAR(square, 1.0, 2.0 * (double)CD_REAL_EPSILON);
    }
}

static void symmetry_and_bounds(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        cd_real x = any_angle(&rng, sizeof(cd_real) == 4 ? -148 : -1074, sizeof(cd_real) == 4 ? 128 : 1024),
                s, c, minus;
        test_note("");
        test_note_reals("x", &x, 1);
        if (!isfinite((double)x)) continue;
        ASK("forms", cd_sincos(x, &s, &c));
        minus = cd_sin(-x);
        CHECK(s == cd_sin(x) && c == cd_cos(x) && minus == -s &&
              !signbit((double)minus) != !signbit((double)s));
        CHECK(cd_cos(-x) == c);
        CHECK(fabs((double)s) <= 1.0 && fabs((double)c) <= 1.0);
        CHECK_NEAR((double)s * (double)s + (double)c * (double)c, 1.0, 2.0 * (double)CD_REAL_EPSILON);
        if (fabs((double)x) < 1e-9) CHECK(s == x && c == 1);
    }
}

static void special_angles(void) {
    cd_real least = (cd_real)(sizeof(cd_real) == 4 ? 1e-45 : 5e-324), c;
    CHECK(cd_sin(0) == 0 && !signbit((double)cd_sin(0)) && signbit((double)cd_sin((cd_real)-0.0)));
    CHECK_SAME(cd_cos(0), 1);
    CHECK_SAME(cd_sin(least), least);
    CHECK_SAME(cd_cos(least), 1);
    CHECK_SAME(cd_sin((cd_real)INFINITY), NAN);
    CHECK_SAME(cd_cos((cd_real)-INFINITY), NAN);
    CHECK_SAME(cd_sin((cd_real)NAN), NAN);
    CHECK(fabs((double)cd_sin(CD_REAL_MAX)) <= 1.0);
    cd_sincos(1, NULL, &c);
    CHECK_SAME(c, cd_cos(1));
    cd_sincos(1, &c, NULL);
    CHECK_SAME(c, cd_sin(1));
#ifdef COLLIDE_DOUBLE /* of all doubles, nearest to a multiple of pi/2: 2^-60.9 (known from Kahan's search) */
    CHECK_NEAR(cd_cos(ldexp(6381956970095103.0, 797)), -4.6871659242546277e-19, 0);
    CHECK_SAME(cd_sin(ldexp(6381956970095103.0, 797)), 1.0);
#endif
}

void suite_trig(void) {
    RUN(within_a_unit_of_the_exact_value);
    RUN(as_the_c_library_has_it);
    RUN(symmetry_and_bounds);
    RUN(special_angles);
}
