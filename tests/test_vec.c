/* Vectors and matrices against long double, and their edges. */
#include "gen.h"
#include "oracle.h"
#include <float.h>
#include <math.h>

#define EPS ((double)CD_REAL_EPSILON)

static void products(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 a = gen_point(&g), b = gen_point(&g), c = gen_point(&g),
                x = ASK("exact", cd_vec3_cross(a, b));
        long double ax = a.x, ay = a.y, az = a.z, bx = b.x, by = b.y, bz = b.z;
        double size = (double)(fabsl(ax * bx) + fabsl(ay * by) + fabsl(az * bz));
        double cross = (double)(fabsl(ay * bz) + fabsl(az * by));
        long double dot = ASK("exact", cd_vec3_dot(a, b));
        test_note("");
        test_note_reals("a", REALS(a), 3);
        test_note_reals("b", REALS(b), 3);
        CHECK_NEAR((double)(dot - (ax * bx + ay * by + az * bz)), 0, 1.5 * EPS * size);
        CHECK_NEAR((double)(x.x - (ay * bz - az * by)), 0, EPS * cross);
        CHECK_SAME(ASK("exact", cd_vec3_dot(a, b)), cd_vec3_dot(b, a));
        CHECK_NEAR(cd_triple(a, b, c), -(double)cd_triple(b, a, c), 0);
    }
}

static void lengths(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 a = gen_point(&g), n = cd_vec3_normalize(a);
        long double x = a.x, y = a.y, z = a.z;
        double length = (double)sqrtl(x * x + y * y + z * z);
        test_note("");
        test_note_reals("a", REALS(a), 3);
        CHECK_NEAR(ASK("exact", cd_vec3_length(a)), length, EPS * length);
        CHECK_NEAR(ASK("exact", cd_vec3_dist(a, cd_vec3_make(0, 0, 0))), length, EPS * length);
        if (length > 0) {
            CHECK_NEAR(ASK("exact", cd_vec3_length(n)), 1.0, 2 * EPS);
            CHECK_NEAR(n.x, (double)x / length, 2 * EPS);
        }
    }
}

static void lengths_at_the_ends_of_the_range(void) {
    cd_real big = CD_REAL_MAX / 2, tiny = CD_REAL_MAX, least;
    do { /* the least positive number */
        least = tiny;
        tiny /= 2;
    } while (tiny > 0);
    CHECK_NEAR(cd_vec3_length(cd_vec3_make(big, big, big)), (double)big * 1.7320508075688772,
               (double)big * EPS * 2);
    CHECK_NEAR(cd_vec3_length(cd_vec3_make(0, -big, 0)), (double)big, 0);
    CHECK_NEAR(cd_vec3_length(cd_vec3_make(least, 0, 0)), (double)least, 0);
    CHECK_VEC(cd_vec3_normalize(cd_vec3_make(least, 0, 0)), cd_vec3_make(1, 0, 0), 0);
    CHECK_VEC(cd_vec3_normalize(cd_vec3_make(0, 0, -CD_REAL_MAX)), cd_vec3_make(0, 0, -1), 0);
    CHECK_VEC(cd_vec3_normalize(cd_vec3_make(0, 0, 0)), cd_vec3_make(0, 0, 0), 0);
    CHECK_VEC(cd_vec3_normalize(cd_vec3_make((cd_real)INFINITY, 0, 0)), cd_vec3_make(0, 0, 0), 0);
    CHECK_VEC(cd_vec3_normalize(cd_vec3_make((cd_real)NAN, 1, 0)), cd_vec3_make(0, 0, 0), 0);
    CHECK(isnan((double)cd_vec3_length(cd_vec3_make((cd_real)NAN, 0, 0))));
    CHECK_SAME(cd_vec2_length(cd_vec2_make(3, 4)), 5);
    CHECK_SAME(cd_vec2_normalize(cd_vec2_make(0, -least)).y, -1);
}

/* The sum of the squares of n numbers. */
static exact squares(const cd_real *x, int n) {
    exact sum = exact_from(0);
    for (int i = 0; i < n; ++i)
        sum = exact_add(sum, exact_mul(exact_from((double)x[i]), exact_from((double)x[i])));
    return sum;
}

static bool within_ulps(cd_real got, double want, uint64_t in_float, uint64_t in_double) {
    return cd_nearly_equal_ulps(got, (cd_real)want, sizeof got == 4 ? in_float : in_double);
}

/* x / sqrt(square) */
static double part_of(cd_real x, exact square) {
    exact e = exact_from((double)x);
    double size = ratio_sqrt(ratio_make(exact_mul(e, e), square));
    return x < 0 ? -size : size;
}

/* Between the points of the first and the second half of 2 n numbers. */
static double distance_of(const cd_real *x, int n) {
    exact sum = exact_from(0);
    for (int i = 0; i < n; ++i) {
        exact d = exact_sub(exact_from((double)x[i]), exact_from((double)x[n + i]));
        sum = exact_add(sum, exact_mul(d, d));
    }
    return ratio_sqrt(ratio_make(sum, exact_power(0)));
}

/* All exponents, each number its own or all near one another, against exact arithmetic. */
static void lengths_over_the_whole_range(void) {
    test_rng rng = test_random();
    for (long i = test_times(30000); i > 0; --i) {
        exact_pool pool = exact_begin();
        cd_real x[6];
        double want[3];
        cd_vec2 n2;
        cd_vec3 n3;
        int alike = test_int(&rng, 0, 1), low = sizeof(cd_real) == 4 ? -149 : -1074;
        int power = test_int(&rng, low, sizeof(cd_real) == 4 ? 126 : 1022);
        for (int k = 0; k < 6; ++k) {
            x[k] = gen_any_real(&rng);
            if (alike) x[k] = (cd_real)ldexp(test_range(&rng, -2, 2), power);
        }
        test_note("");
        test_note_reals("x", x, 6);
        for (int k = 0; k < 3; ++k) want[k] = ratio_sqrt(ratio_make(squares(x, k + 2), exact_power(0)));
        CHECK(within_ulps(ASK("exact", cd_vec2_length(cd_vec2_make(x[0], x[1]))), want[0], 1, 2));
        CHECK(within_ulps(ASK("exact", cd_vec3_length(cd_vec3_make(x[0], x[1], x[2]))), want[1], 1, 2));
        CHECK(within_ulps(ASK("exact", cd_vec4_length(cd_vec4_make(x[0], x[1], x[2], x[3]))), want[2], 1, 3));
        CHECK(within_ulps(ASK("exact", cd_vec2_dist(cd_vec2_make(x[0], x[1]), cd_vec2_make(x[2], x[3]))),
                          distance_of(x, 2), 1, 3));
        CHECK(within_ulps(
            ASK("exact", cd_vec3_dist(cd_vec3_make(x[0], x[1], x[2]), cd_vec3_make(x[3], x[4], x[5]))),
            distance_of(x, 3), 1, 3));
        n2 = ASK("exact", cd_vec2_normalize(cd_vec2_make(x[0], x[1])));
        n3 = ASK("exact", cd_vec3_normalize(cd_vec3_make(x[0], x[1], x[2])));
        for (int k = 0; k < 2 && want[0] > 0; ++k)
            CHECK(within_ulps(REALS(n2)[k], part_of(x[k], squares(x, 2)), 1, 3));
        for (int k = 0; k < 3 && want[1] > 0; ++k)
            CHECK(within_ulps(REALS(n3)[k], part_of(x[k], squares(x, 3)), 1, 3));
        exact_end(pool);
    }
}

static void lengths_of_bad_numbers(void) {
    cd_real inf = (cd_real)INFINITY, nan = (cd_real)NAN, max = CD_REAL_MAX;
    CHECK_SAME(ASK("bad", cd_vec3_length(cd_vec3_make(max, max, max))), INFINITY);
    CHECK_SAME(ASK("bad", cd_vec3_length(cd_vec3_make(0, -inf, 1))), INFINITY);
    CHECK_SAME(ASK("bad", cd_vec3_length(cd_vec3_make(0, -inf, nan))), NAN);
    CHECK_SAME(ASK("bad", cd_vec2_length(cd_vec2_make(inf, inf))), INFINITY);
    CHECK_SAME(ASK("bad", cd_vec4_length(cd_vec4_make(0, 0, 0, -inf))), INFINITY);
    CHECK_SAME(ASK("bad", cd_vec4_length(cd_vec4_make(0, 0, nan, 1))), NAN);
    CHECK_SAME(ASK("bad", cd_vec4_length(cd_vec4_make(0, 0, 0, 0))), 0);
    CHECK_SAME(ASK("bad", cd_vec4_length(cd_vec4_make(1, -1, 1, -1))), 2);
    CHECK_SAME(ASK("bad", cd_vec2_dist(cd_vec2_make(inf, 0), cd_vec2_make(inf, 0))), NAN);
}

static void the_plane_and_four_numbers(void) {
    test_rng rng = test_random();
    cd_vec4 u = cd_vec4_make(1, 2, 3, 4), v = cd_vec4_make(5, 6, 7, 9), w;
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p = gen_point(&g), q = gen_point(&g);
        cd_vec2 a = cd_vec2_make(p.x, p.y), b = cd_vec2_make(q.x, q.y), at;
        cd_real t = gen_coordinate(&g, 0);
        CHECK_SAME(cd_vec2_sqlength(a), cd_vec2_dot(a, a));
        CHECK_SAME(cd_vec2_dot(cd_vec2_perp(a), b), cd_vec2_cross(a, b));
        CHECK_SAME(cd_vec2_neg(a).x, -p.x);
        CHECK_SAME(cd_vec2_neg(a).y, -p.y);
        CHECK_SAME(cd_vec2_lerp(a, b, 0).y, a.y);
        CHECK_SAME(cd_vec2_lerp(a, b, 1).x, b.x);
        at = cd_vec2_lerp(a, b, t);
        CHECK_SAME(at.x, cd_vec3_lerp(p, q, t).x);
        CHECK_SAME(at.y, cd_vec3_lerp(p, q, t).y);
        CHECK_SAME(cd_vec2_dist(a, b), cd_vec2_dist(b, a));
    }
    w = cd_vec4_add(u, cd_vec4_scale(v, 2));
    CHECK(w.x == 11 && w.y == 14 && w.z == 17 && w.w == 22);
    w = cd_vec4_sub(u, v);
    CHECK(w.x == -4 && w.y == -4 && w.z == -4 && w.w == -5);
    CHECK_SAME(cd_vec4_dot(u, v), 5 + 12 + 21 + 36);
}

/* A NaN or infinity in any one place is told. */
static void validity(void) {
    cd_real bad[3] = {(cd_real)NAN, (cd_real)INFINITY, -(cd_real)INFINITY};
    cd_vec2 v2 = cd_vec2_make(1, CD_REAL_MAX);
    cd_vec4 v4 = cd_vec4_make(0, -1, CD_REAL_MAX, 2);
    cd_quat q = cd_quat_identity();
    cd_mat3 m = cd_mat3_identity();
    cd_world_pose p;
    p.rotation = q;
    p.position[0] = p.position[1] = p.position[2] = DBL_MAX;
    CHECK(cd_vec2_is_valid(v2) && cd_vec4_is_valid(v4) && cd_quat_is_valid(q) && cd_mat3_is_valid(&m));
    CHECK(ASK("bad", cd_world_pose_is_valid(&p)));
    for (int i = 0; i < 3 * 9; ++i) {
        int at = i / 3;
        cd_vec2 w2 = v2;
        cd_vec4 w4 = v4;
        cd_quat r = q;
        cd_mat3 n = m;
        cd_world_pose o = p;
        REALS(n)[at] = bad[i % 3];
        CHECK(!cd_mat3_is_valid(&n));
        if (at < 2) REALS(w2)[at] = bad[i % 3];
        CHECK_INT(cd_vec2_is_valid(w2), at >= 2);
        if (at < 4) REALS(w4)[at] = REALS(r)[at] = bad[i % 3];
        CHECK_INT(cd_vec4_is_valid(w4), at >= 4);
        CHECK_INT(cd_quat_is_valid(r), at >= 4);
        if (at < 3)
            o.position[at] = (double)bad[i % 3];
        else
            o.rotation = r;
        CHECK_INT(ASK("bad", cd_world_pose_is_valid(&o)), at >= 4);
    }
}

static void ends_of_a_lerp(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 a = gen_point(&g), b = gen_point(&g);
        CHECK_VEC(cd_vec3_lerp(a, b, 0), a, 0);
        CHECK_VEC(cd_vec3_lerp(a, b, 1), b, 0);
    }
}

static void smaller_and_larger(void) {
    cd_real nan = (cd_real)NAN;
    CHECK_VEC(cd_vec3_min(cd_vec3_make(1, 5, 0), cd_vec3_make(2, 3, 0)), cd_vec3_make(1, 3, 0), 0);
    CHECK_VEC(cd_vec3_max(cd_vec3_make(1, 5, 0), cd_vec3_make(2, 3, 0)), cd_vec3_make(2, 5, 0), 0);
    CHECK_SAME(cd_vec3_min(cd_vec3_make(nan, 0, 0), cd_vec3_make(7, 0, 0)).x, 7);
    CHECK_SAME(cd_vec3_min(cd_vec3_make(7, 0, 0), cd_vec3_make(nan, 0, 0)).x, NAN);
    CHECK(!cd_vec3_is_valid(cd_vec3_make(0, nan, 0)) && cd_vec3_is_valid(cd_vec3_make(0, 1, 2)));
    CHECK_SAME(cd_vec2_cross(cd_vec2_make(1, 0), cd_vec2_make(0, 1)), 1);
    CHECK_SAME(cd_vec2_dot(cd_vec2_make(1, 2), cd_vec2_make(3, 4)), 11);
}

/* ---- each routine by its definition ---- */

#define SAME(n, got, want)                                                                                   \
    for (int k = 0; k < (n); ++k) CHECK_SAME(REALS(got)[k], (want))
/* Within two units in the last place of `size`, the sum of what is added up. */
#define WITHIN(n, got, want, size)                                                                           \
    for (int k = 0; k < (n); ++k) CHECK_NEAR(REALS(got)[k], (double)(want), 2 * EPS * (double)(size))

static void vectors_of_three_by_definition(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_real x[3], y[3], t = gen_coordinate(&g, 0);
        long double p[3], q[3], s = t, square = 0;
        cd_vec3 a, b, r;
        bool bad = test_int(&rng, 0, 9) == 0;
        for (int k = 0; k < 3; ++k) {
            p[k] = x[k] = gen_coordinate(&g, k);
            q[k] = y[k] = gen_coordinate(&g, k);
            square += p[k] * p[k];
        }
        test_note("");
        test_note_reals("a", x, 3);
        test_note_reals("b", y, 3);
        test_note_reals("t", &t, 1);
        a = ASK("exact", cd_vec3_make(x[0], x[1], x[2]));
        SAME(3, a, x[k]);
        b = cd_vec3_make(y[0], y[1], y[2]);
        r = ASK("exact", cd_vec3_add(a, b));
        SAME(3, r, (cd_real)(x[k] + y[k]));
        r = ASK("exact", cd_vec3_sub(a, b));
        SAME(3, r, (cd_real)(x[k] - y[k]));
        r = ASK("exact", cd_vec3_neg(a));
        SAME(3, r, -x[k]);
        r = ASK("exact", cd_vec3_scale(a, t));
        SAME(3, r, (cd_real)(x[k] * t));
        r = ASK("exact", cd_vec3_min(a, b));
        SAME(3, r, x[k] < y[k] ? x[k] : y[k]);
        r = ASK("exact", cd_vec3_max(a, b));
        SAME(3, r, x[k] > y[k] ? x[k] : y[k]);
        r = ASK("judge", cd_vec3_lerp(a, b, t));
        WITHIN(3, r, p[k] + s * (q[k] - p[k]), fabsl(p[k]) + fabsl(s) * (fabsl(p[k]) + fabsl(q[k])));
        r = ASK("judge", cd_vec3_along(a, b, t));
        WITHIN(3, r, p[k] + s * q[k], fabsl(p[k]) + fabsl(s * q[k]));
        CHECK_NEAR(ASK("judge", cd_vec3_sqlength(a)), (double)square, 2 * EPS * (double)square);
        r = ASK("judge", cd_vec3_normalize(a));
        WITHIN(3, r, square > 0 ? p[k] / sqrtl(square) : 0, 1);
        if (bad) REALS(a)[test_int(&rng, 0, 2)] = (cd_real)(test_int(&rng, 0, 1) ? NAN : INFINITY);
        CHECK_INT(ASK(bad ? "bad" : "exact", cd_vec3_is_valid(a)), !bad);
    }
}

static void vectors_of_two_by_definition(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_real x[2], y[2], t = gen_coordinate(&g, 0);
        long double p[2], q[2], s = t, length;
        cd_vec2 a, b, r;
        bool bad = test_int(&rng, 0, 9) == 0;
        for (int k = 0; k < 2; ++k) {
            p[k] = x[k] = gen_coordinate(&g, k);
            q[k] = y[k] = gen_coordinate(&g, k);
        }
        length = sqrtl(p[0] * p[0] + p[1] * p[1]);
        test_note("");
        test_note_reals("a", x, 2);
        test_note_reals("b", y, 2);
        test_note_reals("t", &t, 1);
        a = ASK("exact", cd_vec2_make(x[0], x[1]));
        SAME(2, a, x[k]);
        b = cd_vec2_make(y[0], y[1]);
        r = ASK("exact", cd_vec2_add(a, b));
        SAME(2, r, (cd_real)(x[k] + y[k]));
        r = ASK("exact", cd_vec2_sub(a, b));
        SAME(2, r, (cd_real)(x[k] - y[k]));
        r = ASK("exact", cd_vec2_neg(a));
        SAME(2, r, -x[k]);
        r = ASK("exact", cd_vec2_scale(a, t));
        SAME(2, r, (cd_real)(x[k] * t));
        r = ASK("exact", cd_vec2_perp(a));
        SAME(2, r, k ? x[0] : -x[1]);
        r = ASK("judge", cd_vec2_lerp(a, b, t));
        WITHIN(2, r, p[k] + s * (q[k] - p[k]), fabsl(p[k]) + fabsl(s) * (fabsl(p[k]) + fabsl(q[k])));
        CHECK_NEAR(ASK("judge", cd_vec2_dot(a, b)), (double)(p[0] * q[0] + p[1] * q[1]),
                   2 * EPS * (double)(fabsl(p[0] * q[0]) + fabsl(p[1] * q[1])));
        CHECK_NEAR(ASK("judge", cd_vec2_cross(a, b)), (double)(p[0] * q[1] - p[1] * q[0]),
                   2 * EPS * (double)(fabsl(p[0] * q[1]) + fabsl(p[1] * q[0])));
        CHECK_NEAR(ASK("judge", cd_vec2_sqlength(a)), (double)(length * length),
                   2 * EPS * (double)(length * length));
        CHECK_NEAR(ASK("judge", cd_vec2_length(a)), (double)length, 2 * EPS * (double)length);
        r = ASK("judge", cd_vec2_normalize(a));
        WITHIN(2, r, length > 0 ? p[k] / length : 0, 1);
        if (bad) REALS(a)[test_int(&rng, 0, 1)] = (cd_real)(test_int(&rng, 0, 1) ? NAN : INFINITY);
        CHECK_INT(ASK(bad ? "bad" : "exact", cd_vec2_is_valid(a)), !bad);
    }
}

static void vectors_of_four_by_definition(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_real x[4], y[4], t = gen_coordinate(&g, 0);
        long double dot = 0, size = 0, square = 0;
        cd_vec4 a, b, r;
        bool bad = test_int(&rng, 0, 9) == 0;
        for (int k = 0; k < 4; ++k) {
            x[k] = gen_coordinate(&g, k % 3);
            y[k] = gen_coordinate(&g, k % 3);
            dot += (long double)x[k] * y[k];
            size += fabsl((long double)x[k] * y[k]);
            square += (long double)x[k] * x[k];
        }
        test_note("");
        test_note_reals("a", x, 4);
        test_note_reals("b", y, 4);
        test_note_reals("t", &t, 1);
        a = ASK("exact", cd_vec4_make(x[0], x[1], x[2], x[3]));
        SAME(4, a, x[k]);
        b = cd_vec4_make(y[0], y[1], y[2], y[3]);
        r = ASK("exact", cd_vec4_add(a, b));
        SAME(4, r, (cd_real)(x[k] + y[k]));
        r = ASK("exact", cd_vec4_sub(a, b));
        SAME(4, r, (cd_real)(x[k] - y[k]));
        r = ASK("exact", cd_vec4_scale(a, t));
        SAME(4, r, (cd_real)(x[k] * t));
        CHECK_NEAR(ASK("judge", cd_vec4_dot(a, b)), (double)dot, 3 * EPS * (double)size);
        CHECK_NEAR(ASK("judge", cd_vec4_length(a)), (double)sqrtl(square), 2 * EPS * (double)sqrtl(square));
        if (bad) REALS(a)[test_int(&rng, 0, 3)] = (cd_real)(test_int(&rng, 0, 1) ? NAN : INFINITY);
        CHECK_INT(ASK(bad ? "bad" : "exact", cd_vec4_is_valid(a)), !bad);
    }
}

/* ---- matrices ---- */

static cd_mat3 random_matrix(gen *g) {
    return cd_mat3_from_columns(gen_point(g), gen_point(g), gen_point(g));
}

static void inverses(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_SCALE);
        cd_mat3 m = random_matrix(&g), inverse, product;
        double worst = 0.0, size = 0.0;
        if (!cd_mat3_inverse(&m, &inverse)) continue;
        product = cd_mat3_mul(&m, &inverse);
        for (int r = 0; r < 3; ++r)
            size = fmax(size, (double)cd_vec3_length(m.col[r]) * (double)cd_vec3_length(inverse.col[r]));
        worst = fmax(fabs((double)product.col[0].x - 1.0),
                     fmax(fabs((double)product.col[1].y - 1.0), fabs((double)product.col[2].x)));
        CHECK(worst <= 64 * EPS * (1.0 + size * size));
    }
}

static void singular_matrices(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_SCALE);
        cd_mat3 m = random_matrix(&g), kept = cd_mat3_identity();
        m.col[2] = cd_vec3_scale(m.col[test_int(&rng, 0, 1)], 2);
        CHECK(!ASK("judge", cd_mat3_inverse(&m, &kept)));
        CHECK_SAME(kept.col[2].z, 1); /* untouched */
    }
}

static void matrix_products(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_mat3 a = random_matrix(&g), b = random_matrix(&g), ab = cd_mat3_mul(&a, &b),
                at = cd_mat3_transpose(&a);
        cd_vec3 v = gen_point(&g);
        CHECK_VEC(cd_mat3_mul_vec(&ab, v), cd_mat3_mul_vec(&a, cd_mat3_mul_vec(&b, v)), 16 * EPS);
        CHECK_VEC(cd_mat3_mul_vec(&at, v), cd_mat3_mul_vec_transposed(&a, v), 0);
        CHECK_NEAR(cd_mat3_determinant(&ab),
                   (double)cd_mat3_determinant(&a) * (double)cd_mat3_determinant(&b), 64 * EPS);
    }
}

static void rotations_are_told(void) {
    cd_mat3 m = cd_mat3_identity();
    CHECK(ASK("judge", cd_mat3_is_rotation(&m, 0)));
    m.col[0].x = -1; /* a mirror */
    CHECK(!ASK("judge", cd_mat3_is_rotation(&m, 0)));
    m.col[0].x = (cd_real)1.01;
    CHECK(!ASK("judge", cd_mat3_is_rotation(&m, 0)) && ASK("judge", cd_mat3_is_rotation(&m, (cd_real)0.1)));
    m.col[0].x = (cd_real)NAN;
    CHECK(!ASK("judge", cd_mat3_is_rotation(&m, 1)));
}

void suite_vec(void) {
    RUN(products);
    RUN(lengths);
    RUN(lengths_at_the_ends_of_the_range);
    RUN(lengths_over_the_whole_range);
    RUN(lengths_of_bad_numbers);
    RUN(the_plane_and_four_numbers);
    RUN(validity);
    RUN(ends_of_a_lerp);
    RUN(smaller_and_larger);
    RUN(vectors_of_three_by_definition);
    RUN(vectors_of_two_by_definition);
    RUN(vectors_of_four_by_definition);
    RUN(inverses);
    RUN(singular_matrices);
    RUN(matrix_products);
    RUN(rotations_are_told);
}
