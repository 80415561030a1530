/* Linear systems and inverses against exact rational Cramer, and what counts as singular. */
#include "gen.h"
#include "oracle.h"
#include <math.h>

#define EPS   ((double)CD_REAL_EPSILON)
#define UNIT  2.220446049250313e-16 /* of the doubles that both builds compute with */
#define LEAST (sizeof(cd_real) == 4 ? 1e-45 : 5e-324)

static void store(double out[3], cd_vec3 v) {
    out[0] = (double)v.x;
    out[1] = (double)v.y;
    out[2] = (double)v.z;
}

static exact exact_det(double m[3][3]) {
    return exact3_triple(exact3_from(m[0]), exact3_from(m[1]), exact3_from(m[2]));
}

/* The sum of the magnitudes of the terms of the determinant. */
static exact exact_permanent(double m[3][3]) {
    exact sum = exact_from(0.0);
    for (int i = 0; i < 3; ++i) {
        for (int turn = 1; turn <= 2; ++turn) {
            exact term = exact_mul(exact_from(fabs(m[0][i])), exact_from(fabs(m[1][(i + turn) % 3])));
            sum = exact_add(sum, exact_mul(term, exact_from(fabs(m[2][(i + 2 * turn) % 3]))));
        }
    }
    return sum;
}

/* The columns of the system and the right side, of numbers of doubles: M by columns. */
typedef struct system3 {
    double m[3][3], b[3];
} system3;

/* What the verdict must be: 1, 0, or -1 where the rounding of the determinant may decide. */
static int expected_verdict(system3 *s) {
    exact det = exact_det(s->m), per = exact_permanent(s->m);
    if (det.sign < 0) det = exact_negate(det);
    if (exact_compare(det, exact_mul(per, exact_from(16.0 * EPS + 3.0 * UNIT))) > 0) return 1;
    return exact_compare(det, exact_mul(per, exact_from(16.0 * EPS - 3.0 * UNIT))) >= 0 ? -1 : 0;
}

/* The solution within the stated bound of the exact one. */
static void check_solution(system3 *s, const double got[3], int unknowns) {
    exact det = exact_det(s->m), per = exact_permanent(s->m);
    double size = fabs(exact_to_double(det));
    for (int i = 0; i < unknowns; ++i) {
        system3 t = *s;
        double want, bound;
        for (int r = 0; r < 3; ++r) t.m[i][r] = s->b[r];
        want = ratio_to_double(ratio_make(exact_det(t.m), det));
        bound =
            8.0 * UNIT * (exact_to_double(exact_permanent(t.m)) + fabs(want) * exact_to_double(per)) / size;
        CHECK_NEAR(got[i], want, bound + 0.51 * EPS * fabs(want) + LEAST); /* x may be denormal */
    }
}

static cd_mat3 matrix_of(gen *g) {
    cd_mat3 m;
    for (int j = 0; j < 3; ++j) m.col[j] = gen_point(g);
    return m;
}

/* Now and then the third column is nearly a combination of the others. */
static cd_mat3 needle_matrix(gen *g) {
    cd_mat3 m = matrix_of(g);
    int kind = test_int(g->rng, 0, 3);
    cd_real tiny = (cd_real)ldexp(1.0, test_int(g->rng, -60, 0));
    if (kind == 0) return m;
    m.col[2] = cd_vec3_add(cd_vec3_scale(m.col[2], tiny), cd_vec3_add(m.col[0], m.col[1]));
    if (kind == 1) m = cd_mat3_transpose(&m);
    return m;
}

static void solutions_of_three(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        exact_pool pool = exact_begin();
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_mat3 m = needle_matrix(&g), inverse;
        cd_vec3 b = gen_point(&g), x = cd_vec3_make(7, 8, 9);
        system3 s;
        bool solved = ASK("exact", cd_solve3(&m, b, &x));
        double got[3];
        int want;
        for (int j = 0; j < 3; ++j) store(s.m[j], m.col[j]);
        store(s.b, b);
        store(got, x);
        test_note("");
        test_note_reals("m", REALS(m), 9);
        test_note_reals("b", REALS(b), 3);
        want = expected_verdict(&s);
        CHECK(want < 0 || solved == (want == 1));
        CHECK(ASK("exact", cd_mat3_inverse(&m, &inverse)) == solved); /* one rule for all */
        if (solved)
            check_solution(&s, got, 3);
        else
            CHECK_VEC(x, cd_vec3_make(7, 8, 9), 0);
        exact_end(pool);
    }
}

static void solutions_of_two(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        exact_pool pool = exact_begin();
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_mat3 n = needle_matrix(&g);
        cd_mat2 m =
            cd_mat2_from_columns(cd_vec2_make(n.col[0].x, n.col[0].y), cd_vec2_make(n.col[2].x, n.col[2].y));
        cd_mat2 inverse;
        cd_vec2 b = cd_vec2_make(n.col[1].z, n.col[2].z), x = cd_vec2_make(7, 8);
        system3 s = {{{(double)m.col[0].x, (double)m.col[0].y, 0},
                      {(double)m.col[1].x, (double)m.col[1].y, 0},
                      {0, 0, 1}},
                     {(double)b.x, (double)b.y, 0}};
        bool solved = ASK("exact", cd_solve2(&m, b, &x));
        double got[3] = {(double)x.x, (double)x.y, 0};
        int want = expected_verdict(&s);
        test_note("");
        test_note_reals("m", REALS(m), 4);
        test_note_reals("b", REALS(b), 2);
        CHECK(want < 0 || solved == (want == 1));
        CHECK(ASK("exact", cd_mat2_inverse(&m, &inverse)) == solved);
        if (solved)
            check_solution(&s, got, 2);
        else
            CHECK(x.x == 7 && x.y == 8);
        exact_end(pool);
    }
}

/* Entries of the inverse are solutions for the unit vectors. */
static void inverses_are_solutions(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        exact_pool pool = exact_begin();
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_mat3 m = needle_matrix(&g), inverse;
        cd_mat2 m2 = cd_mat2_from_columns(cd_vec2_make(m.col[0].x, m.col[0].y),
                                          cd_vec2_make(m.col[1].x, m.col[1].y)),
                inverse2;
        test_note("");
        test_note_reals("m", REALS(m), 9);
        if (cd_mat3_inverse(&m, &inverse)) {
            for (int c = 0; c < 3; ++c) {
                system3 s;
                double got[3];
                for (int j = 0; j < 3; ++j) {
                    store(s.m[j], m.col[j]);
                    s.b[j] = j == c;
                }
                store(got, inverse.col[c]);
                check_solution(&s, got, 3);
            }
        }
        if (cd_mat2_inverse(&m2, &inverse2)) {
            for (int c = 0; c < 2; ++c) {
                system3 s = {{{(double)m2.col[0].x, (double)m2.col[0].y, 0},
                              {(double)m2.col[1].x, (double)m2.col[1].y, 0},
                              {0, 0, 1}},
                             {c == 0, c == 1, 0}};
                double got[3] = {(double)inverse2.col[c].x, (double)inverse2.col[c].y, 0};
                check_solution(&s, got, 2);
            }
        }
        exact_end(pool);
    }
}

/* The exact combination of two columns of whole numbers, rows and columns scaled by powers of two. */
static void singular_ones_are_reported(void) {
    test_rng rng = test_random();
    int reach = sizeof(cd_real) == 4 ? 30 : 400;
    for (long i = test_times(20000); i > 0; --i) {
        cd_mat3 m;
        cd_vec3 x = cd_vec3_make(7, 8, 9), b = cd_vec3_make(1, 2, 3);
        cd_mat2 m2;
        cd_vec2 x2;
        cd_real *a = REALS(m);
        int p = test_int(&rng, -3, 3), q = test_int(&rng, -3, 3);
        for (int k = 0; k < 6; ++k) a[k] = (cd_real)test_int(&rng, -1000000, 1000000);
        for (int k = 0; k < 3; ++k) a[6 + k] = (cd_real)p * a[k] + (cd_real)q * a[3 + k];
        if (test_int(&rng, 0, 1)) m = cd_mat3_transpose(&m);
        m2 = cd_mat2_from_columns(cd_vec2_make(a[0], a[1]),
                                  cd_vec2_make(a[0] * (cd_real)p, a[1] * (cd_real)p));
        for (int r = 0; r < 6; ++r) {
            cd_real factor = (cd_real)ldexp(1.0, test_int(&rng, -reach, reach));
            for (int k = 0; k < 3; ++k) a[r < 3 ? r + 3 * k : 3 * (r - 3) + k] *= factor;
        }
        test_note("");
        test_note_reals("m", REALS(m), 9);
        CHECK(!ASK("exact", cd_solve3(&m, b, &x)) && x.x == 7);
        CHECK(!ASK("exact", cd_mat3_inverse(&m, NULL)));
        CHECK(!ASK("exact", cd_solve2(&m2, cd_vec2_make(1, 1), &x2)) &&
              !ASK("exact", cd_mat2_inverse(&m2, NULL)));
    }
}

/* Equations and unknowns scaled by powers of two, in a double build far outside the domain: the same digits. */
static void scaling_changes_no_digit(void) {
    test_rng rng = test_random();
    int reach = sizeof(cd_real) == 4 ? 27 : 300;
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_mat3 m = needle_matrix(&g), n = m;
        cd_vec3 b = gen_point(&g), c = b, x, y;
        cd_real *a = REALS(n), *right = REALS(c), *solution = REALS(y);
        int column[3];
        bool solved;
        for (int k = 0; k < 9; ++k) { /* nothing so small that it would become denormal */
            if (fabs((double)a[k]) < 1e-9) REALS(m)[k] = a[k] = 0;
        }
        for (int r = 0; r < 3; ++r) {
            int row = test_int(&rng, -reach, reach);
            column[r] = test_int(&rng, -reach, reach);
            right[r] = (cd_real)ldexp((double)right[r], row);
            for (int k = 0; k < 3; ++k) a[3 * k + r] = (cd_real)ldexp((double)a[3 * k + r], row);
        }
        for (int k = 0; k < 9; ++k) a[k] = (cd_real)ldexp((double)a[k], column[k / 3]);
        test_note("");
        test_note_reals("m", REALS(m), 9);
        test_note_reals("n", REALS(n), 9);
        test_note_reals("b", REALS(b), 3);
        solved = cd_solve3(&m, b, &x);
        if (!CHECK(ASK("scale", cd_solve3(&n, c, &y)) == solved) || !solved) continue;
        for (int k = 0; k < 3; ++k) CHECK_SAME(ldexp((double)solution[k], column[k]), REALS(x)[k]);
    }
}

/* Rows of different sizes, and right sides far larger or smaller than the matrix: the same digits. */
static void sizes_of_rows_and_right_sides(void) {
    test_rng rng = test_random();
    int rows = sizeof(cd_real) == 4 ? 30 : 450, sides = sizeof(cd_real) == 4 ? 60 : 500;
    for (long i = test_times(2000); i > 0; --i) {
        cd_mat3 m, n;
        cd_vec3 b, c, x, y;
        int side = test_int(&rng, -sides, sides);
        bool solved;
        for (int k = 0; k < 9; ++k) REALS(m)[k] = (cd_real)test_range(&rng, -1, 1);
        for (int k = 0; k < 3; ++k) REALS(b)[k] = (cd_real)test_range(&rng, -1, 1);
        for (int k = 0; k < 3; ++k) {
            int row = i % 4 ? test_int(&rng, -rows, rows) : i % 8 ? 2 * rows / 3 : -2 * rows / 3;
            for (int j = 0; j < 3; ++j)
                REALS(n)[3 * j + k] = (cd_real)ldexp((double)REALS(m)[3 * j + k], row);
            REALS(c)[k] = (cd_real)ldexp((double)REALS(b)[k], row + side);
        }
        test_note("side %d ", side);
        test_note_reals("n", REALS(n), 9);
        test_note_reals("c", REALS(c), 3);
        solved = cd_solve3(&m, b, &x);
        CHECK_INT(cd_solve3(&n, c, &y), solved);
        if (!solved) continue;
        for (int k = 0; k < 3; ++k) CHECK_SAME(REALS(y)[k], (cd_real)ldexp((double)REALS(x)[k], side));
    }
}

/* The same of two equations: whatever stands for the third may not set the scale. */
static void sizes_of_two_equations(void) {
    test_rng rng = test_random();
    int sizes = sizeof(cd_real) == 4 ? 40 : 250, sides = sizeof(cd_real) == 4 ? 60 : 620;
    for (long i = test_times(2000); i > 0; --i) {
        cd_mat2 m, n;
        cd_vec2 b, c, x, y;
        int size = i % 3 ? test_int(&rng, -sizes, sizes) : -sizes,
            side = i % 3 ? test_int(&rng, -sides, sides) : -sides;
        bool solved;
        for (int k = 0; k < 4; ++k) {
            REALS(m)[k] = (cd_real)test_range(&rng, -1, 1);
            REALS(n)[k] = (cd_real)ldexp((double)REALS(m)[k], size);
        }
        for (int k = 0; k < 2; ++k) {
            REALS(b)[k] = (cd_real)test_range(&rng, -1, 1);
            REALS(c)[k] = (cd_real)ldexp((double)REALS(b)[k], size + side);
        }
        test_note("size %d, side %d ", size, side);
        test_note_reals("m", REALS(m), 4);
        test_note_reals("b", REALS(b), 2);
        solved = cd_solve2(&m, b, &x);
        CHECK_INT(ASK("scale", cd_solve2(&n, c, &y)), solved);
        if (!solved) continue;
        for (int k = 0; k < 2; ++k) CHECK_SAME(REALS(y)[k], (cd_real)ldexp((double)REALS(x)[k], side));
    }
}

/* At the ends of the range, where determinants would leave it. */
static void ends_of_the_range(void) {
    test_rng rng = test_random();
    cd_real least = CD_REAL_MAX, next = CD_REAL_MAX;
    cd_mat3 m, inverse;
    cd_vec3 x;
    for (; next > 0; next /= 2) least = next;
    m = cd_mat3_diagonal(cd_vec3_make(CD_REAL_MAX, least, 1));
    CHECK(cd_solve3(&m, cd_vec3_make(CD_REAL_MAX, least, 3), &x));
    CHECK_VEC(x, cd_vec3_make(1, 1, 3), 0);
    m = cd_mat3_diagonal(cd_vec3_make(least, least, least));
    CHECK(cd_solve3(&m, cd_vec3_make(least, 0, -3 * least), &x));
    CHECK_VEC(x, cd_vec3_make(1, 0, -3), 0);
    m = cd_mat3_diagonal(cd_vec3_make(CD_REAL_MAX, -CD_REAL_MAX, CD_REAL_MAX));
    CHECK(ASK("exact", cd_mat3_inverse(&m, &inverse)));
    CHECK_NEAR((double)inverse.col[1].y * (double)CD_REAL_MAX, -1.0, 1e-6);
    CHECK(cd_solve3(&m, cd_vec3_make(0, 0, 0), &x));
    CHECK_VEC(x, cd_vec3_make(0, 0, 0), 0);
    for (long i = test_times(20000); i > 0; --i) { /* no NaN out of finite numbers of any magnitude */
        cd_real *a = REALS(m);
        cd_vec3 b;
        for (int k = 0; k < 9; ++k)
            a[k] = (cd_real)ldexp(test_range(&rng, -1.0, 1.0),
                                  test_int(&rng, -1073, 1023) / (sizeof(cd_real) == 4 ? 8 : 1));
        b = cd_vec3_make(a[0], a[4], a[5]);
        test_note("");
        test_note_reals("m", REALS(m), 9);
        if (cd_solve3(&m, b, &x)) CHECK(x.x == x.x && x.y == x.y && x.z == x.z);
        if (!cd_mat3_inverse(&m, &inverse)) continue;
        for (int k = 0; k < 9; ++k) CHECK(REALS(inverse)[k] == REALS(inverse)[k]);
    }
}

static void bad_numbers_are_refused(void) {
    for (int bad = 0; bad < gen_bad_count; ++bad) {
        cd_real number = (cd_real)gen_bad_numbers[bad];
        if (isfinite((double)number)) continue;
        for (int k = 0; k < 12; ++k) {
            cd_mat3 m = cd_mat3_identity();
            cd_mat2 m2 = cd_mat2_identity();
            cd_vec3 b = cd_vec3_make(1, 1, 1), x = b;
            cd_vec2 b2 = cd_vec2_make(1, 1), x2 = b2;
            if (k < 9)
                REALS(m)[k] = number;
            else
                REALS(b)[k - 9] = number;
            CHECK(!cd_solve3(&m, b, &x) && x.x == 1);
            CHECK(k >= 9 || !ASK("exact", cd_mat3_inverse(&m, NULL)));
            if (k < 4)
                REALS(m2)[k] = number;
            else
                REALS(b2)[k % 2] = number;
            CHECK(!cd_solve2(&m2, b2, &x2) && x2.x == 1);
            CHECK(k >= 4 || !ASK("exact", cd_mat2_inverse(&m2, NULL)));
        }
    }
    CHECK(cd_solve2(&(cd_mat2){{{2, 0}, {0, 4}}}, cd_vec2_make(2, 4), NULL));
}

void suite_solve(void) {
    RUN(solutions_of_three);
    RUN(solutions_of_two);
    RUN(inverses_are_solutions);
    RUN(singular_ones_are_reported);
    RUN(scaling_changes_no_digit);
    RUN(sizes_of_rows_and_right_sides);
    RUN(sizes_of_two_equations);
    RUN(ends_of_the_range);
    RUN(bad_numbers_are_refused);
}
