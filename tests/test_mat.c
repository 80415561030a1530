/* Matrices against their definitions, and the vector identities of Ericson 3.3. */
#include "gen.h"
#include "oracle.h"
#include <math.h>

#define EPS ((double)CD_REAL_EPSILON)

static cd_mat3 matrix_of(gen *g) {
    cd_mat3 m;
    for (int j = 0; j < 3; ++j) m.col[j] = gen_point(g);
    return m;
}

static cd_mat2 matrix2_of(gen *g) {
    cd_mat2 m;
    for (int k = 0; k < 4; ++k) REALS(m)[k] = gen_coordinate(g, k % 2);
    return m;
}

/* Entries: m[i][j] in row i, column j. */
static void entries(const cd_mat3 *m, double out[3][3]) {
    for (int j = 0; j < 3; ++j) {
        out[0][j] = (double)m->col[j].x;
        out[1][j] = (double)m->col[j].y;
        out[2][j] = (double)m->col[j].z;
    }
}

static gen begin(test_rng *rng) {
    return gen_begin(rng, (gen_kind)test_int(rng, 0, GEN_KINDS - 1));
}

/* ---- 2x2 ---- */

static void two_by_two(void) {
    test_rng rng = test_random();
    cd_mat2 one = cd_mat2_identity();
    CHECK(one.col[0].x == 1 && one.col[0].y == 0 && one.col[1].x == 0 && one.col[1].y == 1);
    for (long i = test_times(10000); i > 0; --i) {
        gen g = begin(&rng);
        cd_mat2 m = matrix2_of(&g), n = matrix2_of(&g), p = cd_mat2_mul(&m, &n), t = cd_mat2_transpose(&m),
                back;
        cd_mat2 same = cd_mat2_mul(&m, &one);
        long double a = m.col[0].x, b = m.col[1].x, c = m.col[0].y, d = m.col[1].y; /* [a b; c d] */
        long double e = n.col[0].x, f = n.col[0].y;
        cd_vec2 v = cd_mat2_mul_vec(&m, n.col[0]);
        test_note("");
        test_note_reals("m", REALS(m), 4);
        test_note_reals("n", REALS(n), 4);
        CHECK_NEAR(v.x, (double)(a * e + b * f), EPS * (double)(fabsl(a * e) + fabsl(b * f)));
        CHECK_NEAR(v.y, (double)(c * e + d * f), EPS * (double)(fabsl(c * e) + fabsl(d * f)));
        CHECK(p.col[0].x == v.x && p.col[0].y == v.y);
        CHECK(t.col[0].y == m.col[1].x && t.col[1].x == m.col[0].y && t.col[0].x == m.col[0].x);
        back = cd_mat2_transpose(&t);
        for (int k = 0; k < 4; ++k) CHECK(REALS(back)[k] == REALS(m)[k] && REALS(same)[k] == REALS(m)[k]);
        CHECK_NEAR(ASK("judge", cd_mat2_determinant(&m)), (double)(a * d - b * c),
                   EPS * (double)(fabsl(a * d) + fabsl(b * c)));
    }
}

/* ---- 3x3 ---- */

static void sums_and_special_ones(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = begin(&rng);
        cd_mat3 a = matrix_of(&g), b = matrix_of(&g), sum = cd_mat3_add(&a, &b), less = cd_mat3_sub(&a, &b);
        cd_vec3 u = gen_point(&g), v = gen_point(&g), cross, skewed, d;
        cd_real s = gen_coordinate(&g, 0);
        cd_mat3 scaled = cd_mat3_scale(&a, s), outer = cd_mat3_outer(u, v), skew = cd_mat3_skew(u);
        cd_mat3 diagonal = cd_mat3_diagonal(u), flipped = cd_mat3_transpose(&skew);
        double m[3][3], x[3] = {(double)u.x, (double)u.y, (double)u.z},
                        y[3] = {(double)v.x, (double)v.y, (double)v.z};
        test_note("");
        test_note_reals("u", REALS(u), 3);
        test_note_reals("v", REALS(v), 3);
        for (int k = 0; k < 9; ++k) {
            CHECK_SAME(REALS(sum)[k], REALS(a)[k] + REALS(b)[k]);
            CHECK_SAME(REALS(less)[k], REALS(a)[k] - REALS(b)[k]);
            CHECK_SAME(REALS(scaled)[k], REALS(a)[k] * s);
            CHECK_SAME(REALS(flipped)[k], -REALS(skew)[k]);
        }
        entries(&outer, m);
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) CHECK_SAME(m[r][c], (cd_real)(x[r] * y[c]));
        cross = cd_vec3_cross(u, v);
        skewed = cd_mat3_mul_vec(&skew, v);
        d = cd_mat3_mul_vec(&diagonal, v);
        CHECK_VEC(skewed, cross, 0);
        CHECK_VEC(d, cd_vec3_make(u.x * v.x, u.y * v.y, u.z * v.z), 0);
        entries(&a, m);
        CHECK_NEAR(ASK("judge", cd_mat3_trace(&a)), m[0][0] + m[1][1] + m[2][2],
                   EPS * (fabs(m[0][0]) + fabs(m[1][1]) + fabs(m[2][2])));
        CHECK(ASK("bad", cd_mat3_is_valid(&a)));
        REALS(a)[test_int(&rng, 0, 8)] = (cd_real)(test_int(&rng, 0, 1) ? NAN : -INFINITY);
        CHECK(!ASK("bad", cd_mat3_is_valid(&a)));
    }
}

/* ---- each routine by its definition ---- */

#define ROWS(n, m, want)                                                                                     \
    for (int c = 0; c < (n); ++c)                                                                            \
        for (int r = 0; r < (n); ++r) CHECK_SAME(REALS((m).col[c])[r], (want))

/* The same entry of two matrices; the entry of a row and a column in wide numbers, and how large its terms are. */
#define AT(m, r, c) REALS((m).col[c])[r]
static long double entry(const cd_real *row, int step, const cd_real *column, int n, double *size) {
    long double sum = 0, all = 0;
    for (int k = 0; k < n; ++k) {
        sum += (long double)row[k * step] * column[k];
        all += fabsl((long double)row[k * step] * column[k]);
    }
    *size = (double)all;
    return sum;
}

static void matrices_of_two_by_definition(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = begin(&rng);
        cd_mat2 a = matrix2_of(&g), b = matrix2_of(&g), m;
        cd_vec2 v = b.col[0], w;
        double size;
        test_note("");
        test_note_reals("a", REALS(a), 4);
        test_note_reals("b", REALS(b), 4);
        m = ASK("exact", cd_mat2_from_columns(a.col[1], v));
        for (int r = 0; r < 2; ++r) CHECK(AT(m, r, 0) == AT(a, r, 1) && AT(m, r, 1) == AT(b, r, 0));
        m = ASK("exact", cd_mat2_identity());
        ROWS(2, m, r == c);
        m = ASK("exact", cd_mat2_transpose(&a));
        ROWS(2, m, AT(a, c, r));
        w = ASK("judge", cd_mat2_mul_vec(&a, v));
        for (int r = 0; r < 2; ++r) {
            double want = (double)entry(&AT(a, r, 0), 2, REALS(v), 2, &size);
            CHECK_NEAR(REALS(w)[r], want, 2 * EPS * size);
        }
        m = ASK("judge", cd_mat2_mul(&a, &b));
        for (int r = 0; r < 2; ++r)
            for (int c = 0; c < 2; ++c) {
                double want = (double)entry(&AT(a, r, 0), 2, REALS(b.col[c]), 2, &size);
                CHECK_NEAR(AT(m, r, c), want, 2 * EPS * size);
            }
    }
}

static void matrices_of_three_by_definition(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = begin(&rng);
        cd_mat3 a = matrix_of(&g), b = matrix_of(&g), m;
        cd_vec3 u = gen_point(&g), v = gen_point(&g), w;
        cd_real s = gen_coordinate(&g, 0), x[3] = {u.x, u.y, u.z}, y[3] = {v.x, v.y, v.z};
        double size;
        test_note("");
        test_note_reals("a", REALS(a), 9);
        test_note_reals("b", REALS(b), 9);
        test_note_reals("u", x, 3);
        test_note_reals("v", y, 3);
        test_note_reals("s", &s, 1);
        m = ASK("exact", cd_mat3_identity());
        ROWS(3, m, r == c);
        m = ASK("exact", cd_mat3_from_columns(u, v, a.col[0]));
        ROWS(3, m, c == 0 ? x[r] : c == 1 ? y[r] : AT(a, r, 0));
        m = ASK("exact", cd_mat3_diagonal(u));
        ROWS(3, m, r == c ? x[r] : 0);
        m = ASK("exact", cd_mat3_outer(u, v));
        ROWS(3, m, (cd_real)(x[r] * y[c]));
        m = ASK("exact", cd_mat3_skew(u)); /* e_r . (u x e_c) */
        ROWS(3, m, r == c ? 0 : (r + 1) % 3 == c ? -x[3 - r - c] : x[3 - r - c]);
        m = ASK("exact", cd_mat3_add(&a, &b));
        ROWS(3, m, (cd_real)(AT(a, r, c) + AT(b, r, c)));
        m = ASK("exact", cd_mat3_sub(&a, &b));
        ROWS(3, m, (cd_real)(AT(a, r, c) - AT(b, r, c)));
        m = ASK("exact", cd_mat3_scale(&a, s));
        ROWS(3, m, (cd_real)(AT(a, r, c) * s));
        m = ASK("exact", cd_mat3_transpose(&a));
        ROWS(3, m, AT(a, c, r));
        w = ASK("judge", cd_mat3_mul_vec_transposed(&a, u));
        for (int c = 0; c < 3; ++c) {
            double want = (double)entry(REALS(a.col[c]), 1, x, 3, &size);
            CHECK_NEAR(REALS(w)[c], want, 2 * EPS * size);
        }
        m = ASK("judge", cd_mat3_mul(&a, &b));
        for (int r = 0; r < 3; ++r)
            for (int c = 0; c < 3; ++c) {
                double want = (double)entry(&AT(a, r, 0), 3, REALS(b.col[c]), 3, &size);
                CHECK_NEAR(AT(m, r, c), want, 2 * EPS * size);
            }
    }
}

/* The determinant against the exact one. */
static void determinants(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        exact_pool pool = exact_begin();
        gen g = begin(&rng);
        cd_mat3 a = matrix_of(&g), t = cd_mat3_transpose(&a);
        double m[3][3], per = 0.0, want;
        entries(&a, m);
        for (int k = 0; k < 3; ++k) {
            int j = (k + 1) % 3, l = (k + 2) % 3;
            per += fabs(m[0][k]) * (fabs(m[1][j] * m[2][l]) + fabs(m[1][l] * m[2][j]));
        }
        want = exact_to_double(exact3_triple(exact3_from(m[0]), exact3_from(m[1]), exact3_from(m[2])));
        test_note("");
        test_note_reals("m", REALS(a), 9);
        if (per < (double)CD_REAL_MAX && per > 1e-30) { /* in range for a float */
            CHECK_ULPS(ASK("exact", cd_mat3_determinant(&a)), want, 3, per);
            CHECK_ULPS(ASK("exact", cd_mat3_determinant(&t)), want, 3, per);
        }
        exact_end(pool);
    }
}

/* ---- the identities of Ericson 3.3 ----
 *
 * Each side is a sum of products of the vectors' lengths; the margins are units in the last place of that product. */

static void triple_products(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        cd_vec3 u = gen_point(&g), v = gen_point(&g), w = gen_point(&g);
        double uvw = (double)ASK("exact", cd_triple(u, v, w));
        double size = (double)cd_vec3_length(u) * (double)cd_vec3_length(v) * (double)cd_vec3_length(w);
        cd_mat3 m = cd_mat3_from_columns(u, v, w);
        test_note("");
        test_note_reals("u", REALS(u), 3);
        test_note_reals("v", REALS(v), 3);
        test_note_reals("w", REALS(w), 3);
        CHECK_ULPS(ASK("exact", cd_triple(v, w, u)), uvw, 4, size);
        CHECK_ULPS(ASK("exact", cd_triple(w, u, v)), uvw, 4, size);
        CHECK_ULPS(ASK("exact", cd_triple(v, u, w)), -uvw, 4, size);
        CHECK_ULPS(ASK("exact", cd_triple(u, w, v)), -uvw, 4, size);
        CHECK_ULPS(ASK("exact", cd_triple(w, v, u)), -uvw, 4, size);
        CHECK_ULPS(cd_vec3_dot(u, cd_vec3_cross(v, w)), uvw, 4, size);
        CHECK_SAME(ASK("forms", cd_mat3_determinant(&m)), uvw);
        CHECK_ULPS(ASK("exact", cd_triple(u, v, u)), 0, 4, (double)(cd_vec3_sqlength(u) * cd_vec3_length(v)));
    }
}

static void products_of_products(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        cd_vec3 u = gen_point(&g), v = gen_point(&g), w = gen_point(&g), z = gen_point(&g), sum, left;
        cd_vec3 uv = cd_vec3_cross(u, v), vw = cd_vec3_cross(v, w), wu = cd_vec3_cross(w, u),
                wz = cd_vec3_cross(w, z);
        double uvw = (double)(cd_vec3_length(u) * cd_vec3_length(v) * cd_vec3_length(w));
        double size = uvw * (double)cd_vec3_length(z), dot = (double)cd_vec3_dot(u, v);
        double uu = (double)cd_vec3_sqlength(u), vv = (double)cd_vec3_sqlength(v);
        test_note("");
        test_note_reals("u", REALS(u), 3);
        test_note_reals("v", REALS(v), 3);
        test_note_reals("w", REALS(w), 3);
        test_note_reals("z", REALS(z), 3);
        CHECK_VEC(uv, cd_vec3_neg(cd_vec3_cross(v, u)), 0);
        /* Lagrange: (u x v) . (w x z) = (u . w)(v . z) - (v . w)(u . z), and with w = u, z = v */
        CHECK_ULPS(cd_vec3_dot(uv, wz),
                   (double)cd_vec3_dot(u, w) * (double)cd_vec3_dot(v, z) -
                       (double)cd_vec3_dot(v, w) * (double)cd_vec3_dot(u, z),
                   8, size);
        CHECK_ULPS(cd_vec3_sqlength(uv), uu * vv - dot * dot, 8, uu * vv);
        /* u x (v x w) = (u . w) v - (u . v) w */
        left = cd_vec3_cross(u, vw);
        sum = cd_vec3_sub(cd_vec3_scale(v, cd_vec3_dot(u, w)), cd_vec3_scale(w, cd_vec3_dot(u, v)));
        CHECK_VEC(left, sum, 8 * EPS * uvw);
        /* Jacobi: u x (v x w) + v x (w x u) + w x (u x v) = 0 */
        sum = cd_vec3_add(cd_vec3_add(left, cd_vec3_cross(v, wu)), cd_vec3_cross(w, uv));
        CHECK_VEC(sum, cd_vec3_make(0, 0, 0), 12 * EPS * uvw);
        /* (u x v) x (w x z) = [u v z] w - [u v w] z */
        left = cd_vec3_cross(uv, wz);
        sum = cd_vec3_sub(cd_vec3_scale(w, cd_triple(u, v, z)), cd_vec3_scale(z, cd_triple(u, v, w)));
        CHECK_VEC(left, sum, 16 * EPS * size);
    }
}

/* [u v w]^2 is the determinant of the dot products of the three (Gram). */
static void squared_triple_product(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_mat3 m = matrix_of(&g), t = cd_mat3_transpose(&m), gram = cd_mat3_mul(&t, &m);
        double det = (double)cd_mat3_determinant(&m), size = 1.0;
        for (int c = 0; c < 3; ++c) size *= (double)cd_vec3_sqlength(m.col[c]);
        CHECK_ULPS(ASK("forms", cd_mat3_determinant(&gram)), det * det, 24, size);
    }
}

void suite_mat(void) {
    RUN(two_by_two);
    RUN(sums_and_special_ones);
    RUN(matrices_of_two_by_definition);
    RUN(matrices_of_three_by_definition);
    RUN(determinants);
    RUN(triple_products);
    RUN(products_of_products);
    RUN(squared_triple_product);
}
