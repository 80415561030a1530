/* Eigenvalues and eigenvectors: residuals in exact arithmetic, for both methods. */
#include "gen.h"
#include "oracle.h"
#include <float.h>
#include <math.h>

#define EPS ((double)CD_REAL_EPSILON)

typedef bool eigen_method(const cd_mat3 *, cd_eigen *);
static eigen_method *const methods[2] = {cd_eigen_jacobi, cd_eigen_cubic};
static const char *const names[2] = {"jacobi", "cubic"};

static cd_mat3 symmetric(double xx, double yy, double zz, double xy, double yz, double zx) {
    cd_mat3 m;
    m.col[0] = cd_vec3_make((cd_real)xx, (cd_real)xy, (cd_real)zx);
    m.col[1] = cd_vec3_make((cd_real)xy, (cd_real)yy, (cd_real)yz);
    m.col[2] = cd_vec3_make((cd_real)zx, (cd_real)yz, (cd_real)zz);
    return m;
}

static void store(double out[3], cd_vec3 v) {
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static double exact_length(exact3 v) {
    return ratio_sqrt(ratio_make(exact3_dot(v, v), exact_from(1.0)));
}

/* |A v - value v|, in exact arithmetic. A is symmetric. */
static double residual(const cd_mat3 *m, double value, cd_vec3 vector) {
    exact_pool pool = exact_begin();
    exact3 v, sum;
    double a[3], length;
    store(a, vector);
    v = exact3_from(a);
    sum = exact3_scale(v, exact_from(-value));
    for (int j = 0; j < 3; ++j) {
        store(a, m->col[j]);
        sum = exact3_add(sum, exact3_scale(exact3_from(a), v.c[j]));
    }
    length = exact_length(sum);
    exact_end(pool);
    return length;
}

static double norm(const cd_eigen *e) {
    return fmax(fabs((double)e->value[0]), fabs((double)e->value[2]));
}

static void check_orthonormal(const cd_mat3 *m, double margin) {
    for (int i = 0; i < 3; ++i) {
        for (int j = i; j < 3; ++j) {
            double a[3], b[3];
            store(a, m->col[i]);
            store(b, m->col[j]);
            CHECK_NEAR(a[0] * b[0] + a[1] * b[1] + a[2] * b[2], i == j, margin);
        }
    }
    CHECK_NEAR(cd_mat3_determinant(m), 1.0, 2 * margin);
}

/* All that is promised. */
static void check_eigen(const cd_mat3 *m) {
    cd_eigen e[2];
    double size;
    for (int k = 0; k < 2; ++k) {
        test_note("%s", names[k]);
        test_note_reals("m", REALS(*m), 9);
        test_asked("judge", k ? "cd_eigen_cubic" : "cd_eigen_jacobi");
        if (!CHECK(methods[k](m, &e[k]))) return;
        test_note_reals("values", e[k].value, 3);
        size = norm(&e[k]);
        CHECK(e[k].value[0] >= e[k].value[1] && e[k].value[1] >= e[k].value[2]);
        check_orthonormal(&e[k].vector, 4 * EPS);
        for (int i = 0; i < 3; ++i)
            CHECK(residual(m, (double)e[k].value[i], e[k].vector.col[i]) <= 8 * EPS * size);
    }
    for (int i = 0; i < 3; ++i) CHECK_ULPS(e[0].value[i], e[1].value[i], 8, norm(&e[0]));
}

static void random_matrices(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 d = gen_point(&g), o = gen_point(&g);
        cd_mat3 m;
        if (!test_int(&rng, 0, 4)) o.x = 0;
        if (!test_int(&rng, 0, 4)) o.y = 0;
        m = symmetric((double)d.x, (double)d.y, (double)d.z, (double)o.x, (double)o.y, (double)o.z);
        check_eigen(&m);
    }
}

/* Q diag(value) Q^T, rounded. */
static cd_mat3 with_values(test_rng *rng, const double value[3]) {
    cd_mat3 q = cd_quat_to_mat3(gen_quat(rng));
    double sum[6] = {0};
    for (int k = 0; k < 3; ++k) {
        double v[3];
        store(v, q.col[k]);
        sum[0] += value[k] * v[0] * v[0];
        sum[1] += value[k] * v[1] * v[1];
        sum[2] += value[k] * v[2] * v[2];
        sum[3] += value[k] * v[0] * v[1];
        sum[4] += value[k] * v[1] * v[2];
        sum[5] += value[k] * v[2] * v[0];
    }
    return symmetric(sum[0], sum[1], sum[2], sum[3], sum[4], sum[5]);
}

static const double spectra[][3] = {{1, 1, 1},         {2, 1, 1},        {2, 2, 1},     {1, 0, 0},
                                    {1, 1, 0},         {1, -1, 0},       {-1, -1, 2},   {1, -2, 1},
                                    {1, 1e-12, 1e-12}, {1, 1e-6, 1e-12}, {1, 1, 1e-12}, {1, -1, 1e-12},
                                    {-3, -2, -1},      {1e-12, -1, -1},  {1, 0.5, 0}};
enum { SPECTRA = sizeof spectra / sizeof spectra[0] };

static void prescribed_values(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        const double *s = spectra[test_int(&rng, 0, SPECTRA - 1)];
        double value[3], scale = test_int(&rng, 0, 2) ? 1.0 : ldexp(1.0, test_int(&rng, -90, 90));
        cd_mat3 m;
        cd_eigen e;
        for (int k = 0; k < 3; ++k) { /* repeated ones split by a little, now and then */
            double split = test_int(&rng, 0, 2) ? 0.0 : ldexp(1.0, -test_int(&rng, 1, 56));
            value[k] = s[k] * (1.0 + split) * scale;
        }
        m = with_values(&rng, value);
        check_eigen(&m);
        if (cd_eigen_jacobi(&m, &e))
            CHECK_ULPS(e.value[0], fmax(value[0], fmax(value[1], value[2])), 16, scale * 4);
    }
}

static void diagonal_ones_are_exact(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 d = gen_point(&g);
        cd_mat3 m = cd_mat3_diagonal(d);
        double v[3], low, high;
        store(v, d);
        low = fmin(v[0], fmin(v[1], v[2]));
        high = fmax(v[0], fmax(v[1], v[2]));
        check_eigen(&m);
        for (int k = 0; k < 2; ++k) {
            cd_eigen e;
            if (!CHECK(methods[k](&m, &e))) continue;
            if (k == 1 && g.kind == GEN_WIDE)
                continue; /* the cubic takes what is tiny beside the mean for equal */
            CHECK_SAME(e.value[0], high);
            CHECK_SAME(e.value[2], low);
        }
    }
}

static void named_matrices(void) {
    for (int k = 0; k < 2; ++k) {
        cd_mat3 zero = cd_mat3_diagonal(cd_vec3_make(0, 0, 0)), one = cd_mat3_identity();
        cd_mat3 ones = symmetric(1, 1, 1, 1, 1, 1);
        cd_eigen e;
        test_note("%s", names[k]);
        CHECK(methods[k](&zero, &e) && e.value[0] == 0 && e.value[2] == 0);
        for (int c = 0; c < 3; ++c) CHECK_VEC(e.vector.col[c], one.col[c], 0);
        CHECK(methods[k](&one, &e) && e.value[0] == 1 && e.value[2] == 1);
        for (int c = 0; c < 3; ++c) CHECK_VEC(e.vector.col[c], one.col[c], 0);
        CHECK(methods[k](&ones, &e) && methods[k](&ones, NULL));
        CHECK_NEAR(e.value[0], 3.0, 4 * EPS);
        CHECK_NEAR(fabs((double)e.vector.col[0].x), 0.5773502691896258, 2 * EPS);
        CHECK_NEAR(e.value[1], 0.0, 4 * EPS);
    }
}

/* Ericson's SymSchur2 compares with 0.0001 and leaves this one as it is: points along (1, 1, 0), a hundredth apart. */
static void covariance_of_small_things(void) {
    for (int k = 0; k < 2; ++k) {
        double size = 1.0;
        for (int e = 0; e < 30; ++e, size /= 10.0) {
            double c = size * size;
            cd_mat3 m = symmetric(c, c, 0, c, 0, 0);
            cd_eigen eigen;
            if ((double)(cd_real)c < 1e-37) break;
            test_note("%s at %g", names[k], size);
            if (!CHECK(methods[k](&m, &eigen))) continue;
            CHECK_NEAR(fabs((double)eigen.vector.col[0].x), 0.7071067811865476, 2 * EPS);
            CHECK_NEAR((double)eigen.vector.col[0].y, (double)eigen.vector.col[0].x, 2 * EPS);
            CHECK_ULPS(eigen.value[0], 2.0 * c, 4, c);
        }
    }
}

static void scaling_changes_no_digit(void) {
    test_rng rng = test_random();
    int reach = sizeof(cd_real) == 4 ? 95 : 900;
    for (long i = test_times(3000); i > 0; --i) {
        double value[3];
        int e = test_int(&rng, -reach, reach);
        cd_mat3 m, n;
        for (int k = 0; k < 3; ++k) value[k] = test_range(&rng, -1.0, 1.0);
        m = n = with_values(&rng, value);
        for (int k = 0; k < 9; ++k) {
            if (fabs((double)REALS(m)[k]) < 1e-3) REALS(m)[k] = 0;
            REALS(n)[k] = (cd_real)ldexp((double)REALS(m)[k], e);
        }
        test_note("2^%d", e);
        test_note_reals("m", REALS(m), 9);
        for (int k = 0; k < 2; ++k) {
            cd_eigen a, b;
            if (!CHECK(methods[k](&m, &a) && methods[k](&n, &b))) continue;
            for (int c = 0; c < 3; ++c) {
                CHECK_SAME((cd_real)ldexp((double)a.value[c], e), b.value[c]);
                CHECK_VEC(a.vector.col[c], b.vector.col[c], 0);
            }
        }
    }
}

static void every_magnitude(void) {
    static const double sizes[] = {1e-30, 1e30, 1e-20, 1e36, 1e-300, 1e300, 1.0};
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        double value[3], size = sizes[test_int(&rng, 0, 6)];
        cd_mat3 m;
        if (sizeof(cd_real) == 4 && (size > 1e37 || size < 1e-37)) size = 1.0;
        for (int k = 0; k < 3; ++k) value[k] = size * test_range(&rng, -1.0, 1.0);
        m = with_values(&rng, value);
        check_eigen(&m);
    }
}

/* A positive definite matrix scaled from both sides: Jacobi's small values are right in all their digits, as their
 * product, the determinant, tells. */
static void small_values_of_definite_matrices(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        exact_pool pool = exact_begin();
        double s[3], a[3][3], o[3], det, product = 1.0;
        cd_mat3 m;
        cd_eigen e;
        for (int k = 0; k < 3; ++k) s[k] = ldexp(1.0, test_int(&rng, -20, 0));
        for (int k = 0; k < 3; ++k) o[k] = test_range(&rng, -0.3, 0.3);
        m = symmetric(s[0] * s[0], s[1] * s[1], s[2] * s[2], o[0] * s[0] * s[1], o[1] * s[1] * s[2],
                      o[2] * s[2] * s[0]);
        test_note("");
        test_note_reals("m", REALS(m), 9);
        for (int c = 0; c < 3; ++c) store(a[c], m.col[c]);
        det = exact_to_double(exact3_triple(exact3_from(a[0]), exact3_from(a[1]), exact3_from(a[2])));
        if (CHECK(cd_eigen_jacobi(&m, &e))) {
            for (int k = 0; k < 3; ++k) product *= (double)e.value[k];
            CHECK_ULPS(product, det, 16, det);
        }
        exact_end(pool);
    }
}

static void only_one_triangle_is_read(void) {
    cd_mat3 m = symmetric(3, 2, 1, 0.5, 0.25, 0.125), n = m;
    cd_eigen a, b;
    n.col[0].y = (cd_real)NAN;
    n.col[0].z = 99;
    n.col[1].z = (cd_real)INFINITY;
    for (int k = 0; k < 2; ++k) {
        CHECK(methods[k](&m, &a) && methods[k](&n, &b));
        for (int c = 0; c < 3; ++c) CHECK_VEC(a.vector.col[c], b.vector.col[c], 0);
    }
}

static void bad_numbers(void) {
    static const int read[6] = {0, 3, 4, 6, 7, 8};
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        cd_mat3 m = cd_mat3_identity();
        bool finite = true;
        for (int k = 0; k < 6; ++k) {
            cd_real x = test_int(&rng, 0, 1) ? (cd_real)test_range(&rng, -2, 2)
                                             : (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
            REALS(m)[read[k]] = x;
            finite = finite && isfinite((double)x);
        }
        test_note("");
        test_note_reals("m", REALS(m), 9);
        for (int k = 0; k < 2; ++k) {
            cd_eigen e;
            e.value[0] = 77;
            if (!CHECK(methods[k](&m, &e) == finite)) continue;
            if (!finite) CHECK_SAME(e.value[0], 77); /* untouched */
            if (!finite) continue;
            CHECK(e.value[0] >= e.value[1] && e.value[1] >= e.value[2]);
            check_orthonormal(&e.vector, 4 * EPS);
        }
    }
}

void suite_eigen(void) {
    RUN(random_matrices);
    RUN(prescribed_values);
    RUN(diagonal_ones_are_exact);
    RUN(named_matrices);
    RUN(covariance_of_small_things);
    RUN(scaling_changes_no_digit);
    RUN(every_magnitude);
    RUN(small_values_of_definite_matrices);
    RUN(only_one_triangle_is_read);
    RUN(bad_numbers);
}
