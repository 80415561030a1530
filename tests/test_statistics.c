/* Variance and covariance, against exact sums. */
#include "gen.h"
#include "oracle.h"
#include <float.h>
#include <math.h>

enum { MOST = 40 };

/* (n sum x y - sum x sum y) / n^2 */
static double exact_moment(const double *x, const double *y, int n) {
    exact_pool pool = exact_begin();
    exact sx = exact_from(0), sy = sx, sxy = sx, count = exact_from(n);
    double result;
    for (int i = 0; i < n; ++i) {
        sx = exact_add(sx, exact_from(x[i]));
        sy = exact_add(sy, exact_from(y[i]));
        sxy = exact_add(sxy, exact_mul(exact_from(x[i]), exact_from(y[i])));
    }
    result = ratio_to_double(
        ratio_make(exact_sub(exact_mul(count, sxy), exact_mul(sx, sy)), exact_mul(count, count)));
    exact_end(pool);
    return result;
}

static double widest(const double *x, int n) {
    double lo = x[0], hi = x[0];
    for (int i = 1; i < n; ++i) {
        lo = fmin(lo, x[i]);
        hi = fmax(hi, x[i]);
    }
    return hi - lo;
}

static double margin(double want, double square, int n) {
    return fabs(want) * (double)CD_REAL_EPSILON + (n + 8) * DBL_EPSILON / 2 * square +
           (sizeof(cd_real) == 4 ? FLT_MIN : DBL_MIN);
}

/* In the range of the float build's squares. */
static bool representable(const double *x, int n) {
    return largest(x, n) < (sizeof(cd_real) == 4 ? 1e18 : 1e150);
}

static void numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_real x[MOST];
        double d[MOST], want, wide, most;
        int n = test_int(&rng, 1, MOST);
        for (int k = 0; k < n; ++k) x[k] = gen_coordinate(&g, 0);
        to_doubles(x, d, n);
        if (!representable(d, n)) continue;
        test_note("");
        test_note_reals("x", x, n);
        want = exact_moment(d, d, n);
        wide = widest(d, n);
        most = largest(d, n);
        CHECK_NEAR(ASK("judge", cd_variance(x, (size_t)n)), want, margin(want, wide * wide, n));
        CHECK(ASK("judge", cd_variance(x, (size_t)n)) >= 0 && cd_variance_one_pass(x, (size_t)n) >= 0);
        CHECK_NEAR(ASK("judge", cd_variance_one_pass(x, (size_t)n)), want, margin(want, 4 * most * most, n));
        CHECK_NEAR((double)ASK("judge", cd_deviation(x, (size_t)n)) * (double)cd_deviation(x, (size_t)n),
                   want, 2 * margin(want, wide * wide, n) + 4 * want * (double)CD_REAL_EPSILON);
    }
}

/* The mean of equal numbers is rounded; what it is off by is no variance. */
static void equal_numbers(void) {
    test_rng rng = test_random();
    for (int n = 1; n <= MOST; ++n) {
        cd_real x[MOST];
        cd_vec3 p[MOST], mean;
        cd_mat3 m;
        x[0] = (cd_real)test_range(&rng, 1, 2);
        p[0] = cd_vec3_make(x[0], (cd_real)test_range(&rng, 1, 2), (cd_real)test_range(&rng, 1, 2));
        for (int k = 1; k < n; ++k) {
            x[k] = x[0];
            p[k] = p[0];
        }
        test_note("%d ", n);
        test_note_reals("p", REALS(p[0]), 3);
        CHECK_NEAR(ASK("exact", cd_variance(x, (size_t)n)), 0, 1e-42);
        m = ASK("exact", cd_covariance(p, (size_t)n, &mean));
        for (int k = 0; k < 9; ++k) CHECK_NEAR(REALS(m)[k], 0, 1e-42);
        CHECK_VEC(mean, p[0], (n + 8) * (double)CD_REAL_EPSILON);
    }
}

static void points(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p[MOST], mean;
        cd_mat3 m;
        double d[3][MOST], wide = 0;
        int n = test_int(&rng, 1, MOST);
        for (int k = 0; k < n; ++k) {
            p[k] = gen_point(&g);
            for (int axis = 0; axis < 3; ++axis) d[axis][k] = (double)REALS(p[k])[axis];
        }
        if (!representable(d[0], n) || !representable(d[1], n) || !representable(d[2], n)) continue;
        test_note("");
        test_note_reals("p", &p->x, 3 * n);
        m = cd_covariance(p, (size_t)n, &mean);
        for (int k = 0; k < 3; ++k) wide = fmax(wide, widest(d[k], n));
        for (int k = 0; k < 9; ++k) {
            double want = exact_moment(d[k / 3], d[k % 3], n);
            CHECK_NEAR(REALS(m)[k], want, margin(want, wide * wide, n));
            CHECK_SAME(REALS(m)[k], REALS(m)[k % 3 * 3 + k / 3]);
        }
        for (int axis = 0; axis < 3; ++axis) {
            double sum = 0, most = largest(d[axis], n);
            for (int k = 0; k < n; ++k) sum += d[axis][k] / n;
            CHECK_NEAR(REALS(mean)[axis], sum, most * ((double)CD_REAL_EPSILON + 2 * n * DBL_EPSILON));
        }
    }
}

/* The book's: the formula in one pass loses what mean and numbers share. */
static void known_ones(void) {
    cd_real x[4] = {2, 4, 4, 6}, bad[2] = {1, (cd_real)INFINITY}, huge[2] = {CD_REAL_MAX, -CD_REAL_MAX};
    cd_vec3 p[2] = {{1, 0, 0}, {-1, 0, 2}}, mean;
    cd_mat3 m = cd_covariance(p, 2, &mean);
    CHECK(cd_variance(x, 4) == 2 && cd_variance_one_pass(x, 4) == 2 && cd_variance(x, 1) == 0);
    CHECK(cd_variance(NULL, 0) == 0 && cd_variance_one_pass(NULL, 0) == 0 && cd_deviation(NULL, 0) == 0);
    CHECK(isnan((double)cd_variance(bad, 2)) && isnan((double)cd_deviation(bad, 2)));
    CHECK(isnan((double)cd_variance_one_pass(bad, 2)));
    CHECK(isinf((double)cd_variance(huge, 2)) && isinf((double)cd_variance_one_pass(huge, 2)));
    CHECK(m.col[0].x == 1 && m.col[0].z == -1 && m.col[2].z == 1 && m.col[1].y == 0 && mean.z == 1);
    m = cd_covariance(NULL, 0, &mean);
    CHECK(m.col[0].x == 0 && mean.x == 0);
    p[0].x = (cd_real)NAN;
    m = cd_covariance(p, 2, NULL);
    CHECK(isnan((double)m.col[0].x));
}

void suite_statistics(void) {
    RUN(numbers);
    RUN(equal_numbers);
    RUN(points);
    RUN(known_ones);
}
