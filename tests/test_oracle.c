/* The references themselves: against known answers, against the processor's own rounding, and each of the harder ones
 * against a second exact method that shares no geometry with the first. */
#include "oracle.h"
#include "test.h"
#include <float.h>
#include <math.h>
#include <stdio.h>

/* ---- inputs ---- */

/* Small integers (touching, coplanar and degenerate all the time); floats of one size; small integers a few bits off;
 * floats and doubles of all sizes of their domains; every finite double. */
enum { GRID, FLOATS, NUDGED, FLOAT_DOMAIN, DOUBLE_DOMAIN, EVERYTHING, KINDS };

static double draw_one(test_rng *r, int kind) {
    double unit = test_range(r, -1, 1);
    if (kind == GRID) return test_int(r, -2, 2);
    if (kind == FLOATS) return (float)unit;
    if (kind == NUDGED) return test_int(r, -2, 2) + test_int(r, -2, 2) * ldexp(1, -51);
    if (kind == FLOAT_DOMAIN) return ldexp((float)unit, test_int(r, -56, 56));
    if (kind == DOUBLE_DOMAIN) return ldexp(unit, test_int(r, -200, 200));
    return ldexp(unit, test_int(r, -1080, 1024));
}

/* One number in five is one of those before, so that wide inputs touch and degenerate as well. */
static void draw(test_rng *r, int kind, double *values, int count) {
    for (int i = 0; i < count; ++i)
        values[i] = i && test_int(r, 0, 4) == 0 ? values[test_int(r, 0, i - 1)] : draw_one(r, kind);
}

/* The kinds in turn; the long numbers of the last ones take their time. */
static int kind_of(long i) {
    if (i % 40 == 39) return EVERYTHING;
    if (i % 10 == 9) return DOUBLE_DOMAIN;
    return (int)(i % 4); /* GRID ... FLOAT_DOMAIN */
}

static char note_text[1800];
static size_t note_used;

static void note_more(const char *name, const double *values, int count) {
    for (int i = -1; i <= count && note_used < sizeof note_text; ++i) {
        char *end = note_text + note_used;
        size_t room = sizeof note_text - note_used;
        if (i < 0) note_used += (size_t)snprintf(end, room, "%s%s = {", note_used ? ", " : "", name);
        if (i == count) note_used += (size_t)snprintf(end, room, "}");
        if (i >= 0 && i < count) note_used += (size_t)snprintf(end, room, "%s%a", i ? ", " : "", values[i]);
    }
    test_note("%s", note_text);
}

static void note(const char *name, const double *values, int count) {
    note_used = 0;
    note_more(name, values, count);
}

/* ---- exact numbers ---- */

#if FLT_EVAL_METHOD == 0
/* + - * / and sqrt of the processor round correctly, so must we. */
static void rounds_as_the_processor(void) {
    test_rng r = test_random();
    for (long n = test_times(100000); n > 0; --n) {
        exact_pool pool = exact_begin();
        int kind = test_int(&r, 0, KINDS - 1);
        double v[2] = {draw_one(&r, kind), draw_one(&r, kind)};
        exact a = exact_from(v[0]), b = exact_from(v[1]);
        note("v", v, 2);
        CHECK(exact_to_double(a) == v[0]);
        CHECK(exact_to_double(exact_add(a, b)) == v[0] + v[1]);
        CHECK(exact_to_double(exact_sub(a, b)) == v[0] - v[1]);
        CHECK(exact_to_double(exact_mul(a, b)) == v[0] * v[1]);
        if (v[1] != 0) CHECK(ratio_to_double(ratio_make(a, b)) == v[0] / v[1]);
        if (v[0] >= 0) CHECK(ratio_sqrt(ratio_make(a, exact_power(0))) == sqrt(v[0]));
        CHECK(exact_compare(a, b) == (v[0] > v[1]) - (v[0] < v[1]));
        exact_end(pool);
    }
}
#else
static void rounds_as_the_processor(void) {
    test_skip("the processor keeps excess digits");
}
#endif

static bool same(exact a, exact b) {
    return exact_compare(a, b) == 0 && exact_sub(a, b).sign == 0;
}

/* A polynomial of degree 4 with long gaps between its digits. */
static exact long_number(test_rng *r) {
    exact sum = exact_from(0);
    for (int i = test_int(r, 0, 4); i > 0; --i) {
        exact product = exact_power(0);
        for (int k = test_int(r, 1, 4); k > 0; --k) {
            double v = ldexp(test_range(r, -1, 1), test_int(r, -250, 250));
            product = exact_mul(product, exact_from(v));
        }
        sum = exact_add(sum, product);
    }
    return sum;
}

static void obeys_the_laws_of_numbers(void) {
    test_rng r = test_random();
    for (long n = test_times(10000); n > 0; --n) {
        exact_pool pool = exact_begin();
        exact a = long_number(&r), b = long_number(&r), c = long_number(&r);
        exact sum = exact_add(a, b), gap = exact_sub(a, b);
        CHECK(same(exact_mul(sum, gap), exact_sub(exact_mul(a, a), exact_mul(b, b))));
        CHECK(same(exact_sub(sum, b), a));
        CHECK(same(exact_add(a, exact_add(b, c)), exact_add(sum, c)));
        CHECK(same(exact_mul(a, exact_mul(b, c)), exact_mul(exact_mul(a, b), c)));
        CHECK(same(exact_mul(sum, c), exact_add(exact_mul(a, c), exact_mul(b, c))));
        CHECK_INT(exact_compare(a, b), gap.sign);
        CHECK_INT(exact_mul(a, b).sign, a.sign * b.sign);
        exact_end(pool);
    }
}

static exact two_powers(int p, int q) {
    return exact_add(exact_power(p), exact_power(q));
}

/* Halves go to the even side, and the smallest bit far away decides. */
static void rounds_to_the_nearest(void) {
    exact_pool pool = exact_begin();
    double tiny = ldexp(1, -1074);
    exact hair = exact_power(-5000);
    CHECK_SAME(exact_to_double(two_powers(0, -53)), 1);
    CHECK_SAME(exact_to_double(exact_add(two_powers(0, -53), hair)), 1 + DBL_EPSILON);
    CHECK_SAME(exact_to_double(exact_sub(exact_power(0), exact_power(-54))), 1);
    CHECK_SAME(exact_to_double(exact_sub(exact_sub(exact_power(0), exact_power(-54)), hair)),
               1 - DBL_EPSILON / 2);
    CHECK_SAME(exact_to_double(exact_power(-1075)), 0);
    CHECK_SAME(exact_to_double(exact_add(exact_power(-1075), hair)), tiny);
    CHECK_SAME(exact_to_double(exact_negate(two_powers(-1074, -1075))), -2 * tiny);
    CHECK_SAME(exact_to_double(exact_sub(two_powers(-1074, -1075), hair)), tiny);
    CHECK_SAME(exact_to_double(exact_sub(exact_power(1024), exact_power(970))), HUGE_VAL);
    CHECK_SAME(exact_to_double(exact_sub(exact_sub(exact_power(1024), exact_power(970)), hair)), DBL_MAX);
    CHECK_SAME(exact_to_double(exact_negate(exact_power(9000))), -HUGE_VAL);
    CHECK_SAME(exact_to_double(hair), 0);
    CHECK_SAME(ratio_sqrt(ratio_make(exact_power(-2148), exact_power(0))), tiny);
    CHECK_SAME(ratio_to_double(ratio_make(exact_power(0), exact_from(-3))), -1.0 / 3);
    exact_end(pool);
}

/* ---- predicates ---- */

/* The sum over all permutations, row by row; the matrix has rows of five. */
static exact determinant(const exact *row, int size, unsigned used) {
    exact sum = exact_from(0);
    int sign = 1;
    if (size == 0) return exact_power(0);
    for (int i = 0, left = 0; left < size; ++i) {
        exact term;
        if (used >> i & 1) continue;
        term = exact_mul(row[i], determinant(row + 5, size - 1, used | 1u << i));
        sum = sign > 0 ? exact_add(sum, term) : exact_sub(sum, term);
        sign = -sign;
        ++left;
    }
    return sum;
}

/* The sign of the determinant with the rows (p, |p|^2 if lifted, 1). */
static int sign_of_points(const double *p, int dimension, int lifted) {
    exact_pool pool = exact_begin();
    exact m[25], d;
    int size = dimension + lifted + 1;
    for (int i = 0; i < size; ++i) {
        exact *row = m + 5 * i, square = exact_from(0);
        for (int k = 0; k < dimension; ++k) {
            row[k] = exact_from(p[dimension * i + k]);
            square = exact_add(square, exact_mul(row[k], row[k]));
        }
        if (lifted) row[dimension] = square;
        row[size - 1] = exact_power(0);
    }
    d = determinant(m, size, 0);
    exact_end(pool);
    return d.sign;
}

static void predicates_are_determinants(void) {
    test_rng r = test_random();
    int zeros = 0;
    for (long n = test_times(20000); n > 0; --n) {
        double p[15];
        int turn;
        draw(&r, kind_of(n), p, 15);
        note("p", p, 15);
        turn = oracle_orient3d(p, p + 3, p + 6, p + 9);
        zeros += turn == 0;
        CHECK_INT(turn, sign_of_points(p, 3, 0));
        CHECK_INT(oracle_orient2d(p, p + 2, p + 4), sign_of_points(p, 2, 0));
        CHECK_INT(oracle_incircle(p, p + 2, p + 4, p + 6), sign_of_points(p, 2, 1));
        if (n % 4 == 0) CHECK_INT(oracle_insphere(p, p + 3, p + 6, p + 9, p + 12), sign_of_points(p, 3, 1));
    }
    CHECK_SEEN(zeros > 0);
}

/* In whole numbers, which the processor has of its own: nothing of exact_ in it. `BITS` of a coordinate, so that a
 * determinant of degree 4, and of degree 5, stays below the largest number. */
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 wide;
enum { CIRCLE_BITS = 28, SPHERE_BITS = 21 };
#else
typedef int64_t wide;
enum { CIRCLE_BITS = 13, SPHERE_BITS = 9 };
#endif

static int wide_sign(wide x) {
    return (x > 0) - (x < 0);
}

static wide wide_det3(const wide *a, const wide *b, const wide *c) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Rows p[i] - p[last], and their squared lengths behind them. */
static void wide_rows(const double *p, int points, int dimension, wide row[4][4]) {
    for (int i = 0; i + 1 < points; ++i) {
        row[i][dimension] = 0;
        for (int k = 0; k < dimension; ++k) {
            row[i][k] = (wide)p[dimension * i + k] - (wide)p[dimension * (points - 1) + k];
            row[i][dimension] += row[i][k] * row[i][k];
        }
    }
}

/* Along the last column: the squared lengths times the volumes of the other three. */
static int wide_insphere(const double p[15]) {
    wide row[4][4], sum = 0;
    wide_rows(p, 5, 3, row);
    sum -= row[0][3] * wide_det3(row[1], row[2], row[3]);
    sum += row[1][3] * wide_det3(row[0], row[2], row[3]);
    sum -= row[2][3] * wide_det3(row[0], row[1], row[3]);
    sum += row[3][3] * wide_det3(row[0], row[1], row[2]);
    return wide_sign(sum);
}

/* Integers of up to so many bits, now and then equal or few bits long; the last may be the first's mirror image in the
 * origin, so that lines, planes, circles and spheres through both are met. */
static void draw_integers(test_rng *r, int bits, int dimension, double *p, int points) {
    int short_bits = test_int(r, 0, 1) ? 1 : bits;
    double limit = ldexp(1, short_bits);
    for (int i = 0; i < points * dimension; ++i)
        p[i] = i && test_int(r, 0, 7) == 0 ? p[test_int(r, 0, i - 1)] : floor(test_range(r, -limit, limit));
    if (test_int(r, 0, 3)) return;
    for (int k = 0; k < dimension; ++k) p[dimension * (points - 1) + k] = -p[k];
}

static void predicates_agree_with_integers(void) {
    test_rng r = test_random();
    long zeros[4] = {0, 0, 0, 0}, tries = test_times(20000);
    for (long n = tries; n > 0; --n) {
        double p[15];
        wide row[4][4];
        int got[4];
        draw_integers(&r, CIRCLE_BITS, 2, p, 4);
        note("p", p, 8);
        got[0] = oracle_orient2d(p, p + 2, p + 4);
        wide_rows(p, 3, 2, row);
        CHECK_INT(got[0], wide_sign(row[0][0] * row[1][1] - row[0][1] * row[1][0]));
        got[1] = oracle_incircle(p, p + 2, p + 4, p + 6);
        wide_rows(p, 4, 2, row);
        CHECK_INT(got[1], wide_sign(wide_det3(row[0], row[1], row[2])));
        draw_integers(&r, SPHERE_BITS, 3, p, 5);
        note("p", p, 15);
        got[2] = oracle_orient3d(p, p + 3, p + 6, p + 9);
        wide_rows(p, 4, 3, row);
        CHECK_INT(got[2], wide_sign(wide_det3(row[0], row[1], row[2])));
        got[3] = oracle_insphere(p, p + 3, p + 6, p + 9, p + 12);
        CHECK_INT(got[3], wide_insphere(p));
        for (int k = 0; k < 4; ++k) zeros[k] += got[k] == 0;
    }
    for (int k = 0; k < 4 && tries > 100; ++k) CHECK(zeros[k] > 0 && zeros[k] < tries);
}

static void predicates_have_their_signs(void) {
    static const double o[3] = {0, 0, 0}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1};
    double in[3] = {0.25, 0.25, 0.25}, on[3] = {1, 1, 1}, out[3] = {1, 1, 1 + DBL_EPSILON};
    CHECK_INT(oracle_orient2d(o, x, y), 1);
    CHECK_INT(oracle_orient2d(x, o, y), -1);
    CHECK_INT(oracle_orient3d(x, y, z, o), 1);
    CHECK_INT(oracle_orient3d(y, x, z, o), -1);
    CHECK_INT(oracle_incircle(o, x, y, in), 1);
    CHECK_INT(oracle_incircle(o, x, y, on), 0);
    CHECK_INT(oracle_insphere(x, y, z, o, in), 1);
    CHECK_INT(oracle_insphere(x, y, z, o, on), 0);
    CHECK_INT(oracle_insphere(x, y, z, o, out), -1);
    CHECK_INT(oracle_insphere(y, x, z, o, in), -1);
}

/* ---- triangles against triangles ----
 *
 * The first method shows that two hulls are apart; this one shows that they meet. They do when a point has weights in
 * both, and then it has some where the corners that count are as few as can be, so that the weights are the only
 * solution for these corners. So: for all choices of corners, solve, and look at the signs. */

/* r = sum of x[i] / den * e[i] with den > 0; false unless there is just one solution. */
static bool combination(exact3 r, const exact3 *e, int count, exact x[3], exact *den) {
    *den = exact_power(0);
    if (count == 0) return exact3_is_zero(r);
    if (count == 1) {
        *den = exact3_dot(e[0], e[0]);
        x[0] = exact3_dot(r, e[0]);
        return den->sign && exact3_is_zero(exact3_cross(r, e[0]));
    }
    if (count == 2) {
        exact3 normal = exact3_cross(e[0], e[1]);
        *den = exact3_dot(normal, normal);
        x[0] = exact3_triple(r, e[1], normal);
        x[1] = exact3_triple(e[0], r, normal);
        return den->sign && exact3_dot(r, normal).sign == 0;
    }
    *den = exact3_triple(e[0], e[1], e[2]);
    x[0] = exact3_triple(r, e[1], e[2]);
    x[1] = exact3_triple(e[0], r, e[2]);
    x[2] = exact3_triple(e[0], e[1], r);
    for (int i = 0; i < 3 && den->sign < 0; ++i) x[i] = exact_negate(x[i]);
    if (den->sign < 0) *den = exact_negate(*den);
    return den->sign != 0;
}

/* None is below 0, nor what is left for the first corner. */
static bool are_weights(const exact *x, int count, exact den) {
    for (int i = 0; i < count; ++i) {
        if (x[i].sign < 0) return false;
        den = exact_sub(den, x[i]);
    }
    return den.sign >= 0;
}

/* The directions from the first of the chosen corners to the others. */
static int directions(const exact3 corner[3], int chosen, exact3 *first, exact3 *e) {
    int count = -1;
    for (int i = 0; i < 3; ++i) {
        if (!(chosen >> i & 1)) continue;
        if (count < 0) *first = corner[i];
        if (count >= 0) e[count] = exact3_sub(corner[i], *first);
        ++count;
    }
    return count;
}

static bool meet_with(const exact3 a[3], int chosen_a, const exact3 b[3], int chosen_b) {
    exact3 first_a, first_b, e[4];
    exact x[3], den;
    int count_a = directions(a, chosen_a, &first_a, e);
    int count_b = directions(b, chosen_b, &first_b, e + count_a);
    if (count_a + count_b > 3) return false; /* not independent */
    for (int i = count_a; i < count_a + count_b; ++i) e[i] = exact3_scale(e[i], exact_from(-1));
    return combination(exact3_sub(first_b, first_a), e, count_a + count_b, x, &den) &&
           are_weights(x, count_a, den) && are_weights(x + count_a, count_b, den);
}

static bool meet_by_weights(const double t[9], const double u[9]) {
    exact_pool pool = exact_begin();
    exact3 a[3], b[3];
    bool meet = false;
    for (int i = 0; i < 3; ++i) {
        a[i] = exact3_from(t + 3 * i);
        b[i] = exact3_from(u + 3 * i);
    }
    for (int i = 1; i < 8 && !meet; ++i) {
        for (int k = 1; k < 8 && !meet; ++k) meet = meet_with(a, i, b, k);
    }
    exact_end(pool);
    return meet;
}

static void triangles_have_a_common_point_or_a_gap(void) {
    test_rng r = test_random();
    int met[KINDS] = {0}, tried[KINDS] = {0};
    for (long n = test_times(20000); n > 0; --n) {
        double v[18];
        int kind = kind_of(n);
        bool meet;
        draw(&r, kind, v, 18);
        note("v", v, 18);
        meet = oracle_triangle_triangle(v, v + 9);
        CHECK_INT(meet, meet_by_weights(v, v + 9));
        ++tried[kind];
        met[kind] += meet;
    }
    for (int kind = 0; kind <= FLOAT_DOMAIN; ++kind)
        CHECK(tried[kind] < 100 || (met[kind] > 0 && met[kind] < tried[kind]));
}

static double lerp(double a, double b, int eighths) {
    return a + (b - a) * eighths / 8;
}

/* Corners of one in the plane, on the edges or at the corners of the other, up to a rounding error or two. */
static void touching_triangles_are_decided(void) {
    test_rng r = test_random();
    int met = 0, apart = 0;
    for (long n = test_times(10000); n > 0; --n) {
        double v[18];
        bool meet;
        draw(&r, FLOATS, v, 18);
        for (int i = 9; i < 18; i += 3) {
            int u = test_int(&r, 0, 8), w = test_int(&r, 0, 10);
            if (w > 8 || n % 8 == 0) continue; /* this corner stays free */
            for (int k = 0; k < 3; ++k) v[i + k] = lerp(lerp(v[k], v[3 + k], u), v[6 + k], w);
        }
        note("v", v, 18);
        meet = oracle_triangle_triangle(v, v + 9);
        CHECK_INT(meet, meet_by_weights(v, v + 9));
        met += meet;
        apart += !meet;
    }
    CHECK(met > 0 && apart > 0);
}

/* Triangles that are segments of two parallel lines, or points. */
static void thin_triangles_are_decided(void) {
    test_rng r = test_random();
    int met = 0, apart = 0;
    for (long n = test_times(5000); n > 0; --n) {
        double v[18], along[3], base[2][3];
        bool meet;
        for (int k = 0; k < 3; ++k) {
            along[k] = n % 4 ? test_int(&r, -1, 1) : 0;
            base[0][k] = test_int(&r, -1, 1);
            base[1][k] = test_int(&r, 0, 1) ? base[0][k] : test_int(&r, -1, 1);
        }
        for (int i = 0; i < 6; ++i) {
            int at = test_int(&r, -2, 2);
            for (int k = 0; k < 3; ++k) v[3 * i + k] = base[i / 3][k] + at * along[k];
        }
        note("v", v, 18);
        meet = oracle_triangle_triangle(v, v + 9);
        CHECK_INT(meet, meet_by_weights(v, v + 9));
        met += meet;
        apart += !meet;
    }
    CHECK(met > 0 && apart > 0);
}

static void triangles_of_known_answer(void) {
    static const double t[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
    double corner[9] = {4, 0, 0, 5, 0, 1, 5, 0, -1}, edge[9] = {2, 2, 0, 3, 3, 1, 3, 3, -1};
    double inside[9] = {1, 1, 0, 2, 1, 0, 1, 2, 0}, beside[9] = {3, 3, 0, 4, 3, 0, 3, 4, 0};
    double above[9] = {1, 1, 0, 1, 1, 0, 1, 1, 0}, spike[9] = {1, 1, -1, 1, 1, 1, 1, 1, 1};
    CHECK(oracle_triangle_triangle(t, corner));
    CHECK(oracle_triangle_triangle(t, edge));
    edge[0] += 4 * DBL_EPSILON;
    CHECK(!oracle_triangle_triangle(t, edge));
    CHECK(oracle_triangle_triangle(t, inside));
    CHECK(!oracle_triangle_triangle(t, beside));
    CHECK(oracle_triangle_triangle(t, above));
    above[2] = above[5] = above[8] = ldexp(1, -1074);
    CHECK(!oracle_triangle_triangle(t, above));
    CHECK(oracle_triangle_triangle(t, spike));
    CHECK(oracle_segment_triangle(spike, t));
    CHECK(oracle_triangle_triangle(above, above));
}

/* ---- triangles against boxes ----
 *
 * a + u (b - a) + v (c - a) is in the triangle and in the box where nine half-planes of u and v meet: these are
 * h . (u, v, 1) >= 0. They do when they do at a crossing of two of their borders, as the triangle has corners. */

static bool hold_at(const exact3 *h, int count, exact3 point) {
    for (int i = 0; i < count; ++i) {
        if (exact3_dot(h[i], point).sign * point.c[2].sign < 0) return false;
    }
    return point.c[2].sign != 0;
}

static bool half_planes_meet(const exact3 *h, int count) {
    for (int i = 0; i < count; ++i) {
        for (int k = i + 1; k < count; ++k) {
            if (hold_at(h, count, exact3_cross(h[i], h[k]))) return true;
        }
    }
    return false;
}

static bool meets_box_by_half_planes(const double t[9], const double lo[3], const double hi[3]) {
    static const double triangle[3][3] = {{1, 0, 0}, {0, 1, 0}, {-1, -1, 1}};
    exact_pool pool = exact_begin();
    exact3 h[9];
    bool meet;
    for (int k = 0; k < 3; ++k) {
        exact a = exact_from(t[k]);
        h[k] = exact3_from(triangle[k]);
        h[3 + k].c[0] = exact_sub(exact_from(t[3 + k]), a);
        h[3 + k].c[1] = exact_sub(exact_from(t[6 + k]), a);
        h[3 + k].c[2] = exact_sub(a, exact_from(lo[k]));
        h[6 + k] = exact3_scale(h[3 + k], exact_from(-1));
        h[6 + k].c[2] = exact_sub(exact_from(hi[k]), a);
    }
    meet = half_planes_meet(h, 9);
    exact_end(pool);
    return meet;
}

static void sort2(double *lo, double *hi) {
    double a = *lo, b = *hi;
    *lo = a < b ? a : b;
    *hi = a < b ? b : a;
}

static void triangles_and_boxes_agree_with_half_planes(void) {
    test_rng r = test_random();
    int met = 0, apart = 0;
    for (long n = test_times(10000); n > 0; --n) {
        double v[15], *lo = v + 9, *hi = v + 12;
        bool meet;
        draw(&r, kind_of(n), v, 15);
        for (int k = 0; k < 3 && n % 16; ++k) sort2(lo + k, hi + k);
        note("v", v, 15);
        meet = oracle_triangle_box(v, lo, hi);
        CHECK_INT(meet, meets_box_by_half_planes(v, lo, hi));
        met += meet;
        apart += !meet;
    }
    CHECK(met > 0 && apart > 0);
}

/* ---- oriented boxes ----
 *
 * Two solid boxes meet when an edge of one meets the other: a corner of their common part is never inside two faces.
 * What is left of an edge p + s (q - p) in a box are the s where x s + y >= 0 for all its half-spaces, and 0 <= s <= 1;
 * they do meet when they do at a border of one of them. */

typedef struct half_line {
    exact x, y;
} half_line;

static bool half_lines_meet(const half_line *h, int count) {
    for (int i = 0; i < count; ++i) {
        ratio s;
        bool all = h[i].x.sign != 0;
        if (!all) continue;
        s = ratio_make(exact_negate(h[i].y), h[i].x);
        for (int k = 0; k < count && all; ++k)
            all = exact_add(exact_mul(h[k].x, s.num), exact_mul(h[k].y, s.den)).sign >= 0;
        if (all) return true;
    }
    return false;
}

/* limit + direction . (p + s (q - p)) >= 0 */
static half_line half_space(exact limit, exact3 direction, exact3 p, exact3 q) {
    half_line h;
    h.x = exact3_dot(direction, exact3_sub(q, p));
    h.y = exact_add(limit, exact3_dot(direction, p));
    return h;
}

/* Seen from the center, the box is where |n . x| <= half |n . axis| for its three normals n. */
static bool edge_meets_box(exact3 p, exact3 q, const exact3 axis[3], const double half[3]) {
    half_line h[8];
    for (int i = 0; i < 3; ++i) {
        exact3 normal = exact3_cross(axis[(i + 1) % 3], axis[(i + 2) % 3]);
        exact limit = exact_mul(exact_from(half[i]), exact3_dot(normal, axis[i]));
        if (limit.sign < 0) limit = exact_negate(limit);
        h[2 * i] = half_space(limit, normal, p, q);
        h[2 * i + 1] = half_space(limit, exact3_scale(normal, exact_from(-1)), p, q);
    }
    h[6].x = exact_power(0);
    h[6].y = exact_from(0);
    h[7].x = exact_from(-1);
    h[7].y = exact_power(0);
    return half_lines_meet(h, 8);
}

static void box_corners(const oracle_box *box, exact3 corner[8], exact3 axis[3]) {
    for (int k = 0; k < 3; ++k) axis[k] = exact3_from(box->axis[k]);
    for (int i = 0; i < 8; ++i) {
        corner[i] = exact3_from(box->center);
        for (int k = 0; k < 3; ++k)
            corner[i] = exact3_add(
                corner[i], exact3_scale(axis[k], exact_from(i >> k & 1 ? box->half[k] : -box->half[k])));
    }
}

/* Has a an edge that meets b? */
static bool any_edge_meets_box(const oracle_box *a, const oracle_box *b) {
    exact3 corner[8], axis_a[3], unused[8], axis_b[3], center = exact3_from(b->center);
    box_corners(a, corner, axis_a);
    box_corners(b, unused, axis_b);
    for (int i = 0; i < 8; ++i) {
        for (int bit = 1; bit < 8; bit *= 2) {
            exact3 p = exact3_sub(corner[i], center), q = exact3_sub(corner[i | bit], center);
            if (!(i & bit) && edge_meets_box(p, q, axis_b, b->half)) return true;
        }
    }
    return false;
}

static bool is_solid_box(const oracle_box *b) {
    static const double o[3] = {0, 0, 0};
    return oracle_orient3d(b->axis[0], b->axis[1], b->axis[2], o) && b->half[0] > 0 && b->half[1] > 0 &&
           b->half[2] > 0;
}

static oracle_box draw_box(test_rng *r, int kind) {
    oracle_box b;
    double v[15];
    draw(r, kind, v, 15);
    for (int i = 0; i < 3; ++i) {
        b.center[i] = v[i] * (kind == GRID ? 2 : 1);
        b.half[i] = fabs(v[3 + i]);
        for (int k = 0; k < 3; ++k) b.axis[i][k] = v[6 + 3 * i + k];
    }
    return b;
}

static void note_boxes(const oracle_box *a, const oracle_box *b) {
    note("a", a->center, 3);
    note_more("axes", a->axis[0], 9);
    note_more("half", a->half, 3);
    note_more("b", b->center, 3);
    note_more("axes", b->axis[0], 9);
    note_more("half", b->half, 3);
}

/* The separation is in line with the verdict, too; swapped boxes have the same, on swapped axes. */
static void boxes_agree_with_their_edges(void) {
    test_rng r = test_random();
    int met = 0, apart = 0;
    for (long n = test_times(3000); n > 0; --n) {
        exact_pool pool = exact_begin();
        int kind = (int)(n % (DOUBLE_DOMAIN + 1));
        oracle_box a = draw_box(&r, kind), b = draw_box(&r, kind);
        oracle_gap gap = oracle_box_box(&a, &b), back = oracle_box_box(&b, &a);
        note_boxes(&a, &b);
        CHECK_INT(gap.overlap, back.overlap);
        CHECK_SAME(gap.separation, back.separation);
        CHECK_INT(gap.axes & 7, back.axes >> 3 & 7);
        if (is_solid_box(&a) && is_solid_box(&b)) {
            CHECK_INT(gap.overlap, any_edge_meets_box(&a, &b) || any_edge_meets_box(&b, &a));
            CHECK_INT(gap.overlap, gap.separation <= 0);
            met += gap.overlap;
            apart += !gap.overlap;
        }
        exact_end(pool);
    }
    CHECK(met > 0 && apart > 0);
}

/* A box as flat as a triangle's parallelogram is two triangles. */
static void flat_boxes_are_two_triangles(void) {
    test_rng r = test_random();
    for (long n = test_times(3000); n > 0; --n) {
        double v[9], lo[3] = {-1, -1, -1}, hi[3] = {1, 1, 1}, far[9];
        oracle_box flat = {{0, 0, 0}, {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, {0.5, 0.5, 0}};
        oracle_box cube = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, 1, 1}};
        draw(&r, GRID, v, 9);
        for (int k = 0; k < 3; ++k) {
            flat.axis[0][k] = v[3 + k] - v[k];
            flat.axis[1][k] = v[6 + k] - v[k];
            flat.axis[2][k] = test_int(&r, -1, 1);
            flat.center[k] = (v[3 + k] + v[6 + k]) / 2;
            far[k] = v[3 + k] + v[6 + k] - v[k];
            far[3 + k] = v[3 + k];
            far[6 + k] = v[6 + k];
        }
        note("v", v, 9);
        CHECK_INT(oracle_box_box(&flat, &cube).overlap,
                  oracle_triangle_box(v, lo, hi) || oracle_triangle_box(far, lo, hi));
    }
}

static void boxes_of_known_gap(void) {
    oracle_box a = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {1, 2, 3}};
    oracle_box b = {{5, 0, 0}, {{1, 1, 0}, {-1, 1, 0}, {0, 0, 1}}, {1, 1, 1}};
    oracle_gap gap = oracle_box_box(&a, &b);
    CHECK(!gap.overlap);
    CHECK_SAME(gap.separation, 2);
    CHECK_INT(gap.axes, 1 << 0 | 1 << (6 + 3 * 1 + 2)); /* x, and y x z */
    b.center[0] = 3;
    gap = oracle_box_box(&a, &b);
    CHECK(gap.overlap);
    CHECK_SAME(gap.separation, 0);
    b.center[0] = 2.5;
    CHECK_SAME(oracle_box_box(&a, &b).separation, -0.5);
}

/* ---- rays ---- */

static double sum_if_exact(double a, double b, bool *is_exact) {
    exact_pool pool = exact_begin();
    exact sum = exact_add(exact_from(a), exact_from(b));
    double d = exact_to_double(sum);
    if (!(fabs(d) <= DBL_MAX) || exact_compare(exact_from(d), sum) != 0) *is_exact = false;
    exact_end(pool);
    return d;
}

/* Whether the ray as far as t = 1 meets the triangle is what the segment o, o + d knows as well, where o + d is a
 * double, unless t was rounded to 1; and the weights are 0 as the volumes round the line are. */
static void check_ray_against_segment(const double o[3], const double d[3], const double t[9],
                                      const oracle_crossing *c, bool exact_t) {
    bool is_exact = true;
    double s[6];
    for (int k = 0; k < 3; ++k) {
        s[k] = o[k];
        s[3 + k] = sum_if_exact(o[k], d[k], &is_exact);
    }
    if (!is_exact) return;
    if (exact_t || c->t != 1) CHECK_INT(c->hit && c->t <= 1, oracle_segment_triangle(s, t));
    CHECK_INT(c->zero_weights & 1, oracle_orient3d(s, s + 3, t + 3, t + 6) == 0);
    CHECK_INT(c->zero_weights >> 1 & 1, oracle_orient3d(s, s + 3, t + 6, t) == 0);
    CHECK_INT(c->zero_weights >> 2 & 1, oracle_orient3d(s, s + 3, t, t + 3) == 0);
}

/* The point is where both the ray and the weights say. */
static void check_point(const double o[3], const double d[3], const double t[9], const oracle_crossing *c) {
    for (int k = 0; k < 3; ++k) {
        double along = c->t * d[k], sum = c->w * t[k] + c->u * t[3 + k] + c->v * t[6 + k];
        double size = fabs(c->w * t[k]) + fabs(c->u * t[3 + k]) + fabs(c->v * t[6 + k]);
        CHECK_NEAR(o[k] + along, c->point[k], 4 * DBL_EPSILON * (fabs(o[k]) + fabs(along)));
        CHECK_NEAR(sum, c->point[k], 4 * DBL_EPSILON * size);
    }
}

static void rays_agree_with_segments(void) {
    test_rng r = test_random();
    int hits = 0, missed = 0, parallel = 0;
    for (long n = test_times(10000); n > 0; --n) {
        double v[15], *o = v + 9, *d = v + 12;
        int kind = kind_of(n);
        oracle_crossing c, line;
        draw(&r, kind, v, 15);
        note("v", v, 15);
        c = oracle_ray_triangle(o, d, v, false);
        line = oracle_ray_triangle(o, d, v, true);
        CHECK_INT(c.parallel_or_degenerate, line.parallel_or_degenerate);
        CHECK_INT(c.hit, line.hit && copysign(1, line.t) > 0); /* -0 is one that was too small */
        parallel += c.parallel_or_degenerate;
        if (c.parallel_or_degenerate) continue;
        check_ray_against_segment(o, d, v, &c, kind == GRID);
        if (kind <= FLOAT_DOMAIN) check_point(o, d, v, &c);
        hits += c.hit;
        missed += !c.hit;
    }
    CHECK_SEEN(hits > 0 && missed > 0 && parallel > 0);
}

static void rays_of_known_answer(void) {
    static const double t[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0};
    double o[3] = {1, 2, 5}, d[3] = {0, 0, -2}, flat[3] = {1, 0, 0};
    oracle_crossing c = oracle_ray_triangle(o, d, t, false);
    CHECK(c.hit && c.t == 2.5 && c.u == 0.25 && c.v == 0.5 && c.w == 0.25 && c.zero_weights == 0);
    CHECK(c.point[0] == 1 && c.point[1] == 2 && c.point[2] == 0);
    o[0] = 0;
    c = oracle_ray_triangle(o, d, t, false);
    CHECK(c.hit && c.zero_weights == 2);
    d[2] = 1;
    c = oracle_ray_triangle(o, d, t, false);
    CHECK(!c.hit && c.t == -5);
    CHECK(oracle_ray_triangle(o, d, t, true).hit);
    o[0] = -ldexp(1, -1074);
    CHECK(!oracle_ray_triangle(o, d, t, true).hit);
    c = oracle_ray_triangle(o, flat, t, true);
    CHECK(c.parallel_or_degenerate && !c.hit);
}

/* The segment o, o + d meets the box when the line does at a t in [0, 1]. */
static void rays_and_boxes_agree_with_segments(void) {
    test_rng r = test_random();
    int hits = 0;
    for (long n = test_times(10000); n > 0; --n) {
        double v[12], *o = v, *d = v + 3, *lo = v + 6, *hi = v + 9, s[9];
        bool is_exact = true;
        int kind = kind_of(n);
        oracle_span span;
        draw(&r, kind, v, 12);
        for (int k = 0; k < 3 && n % 16; ++k) sort2(lo + k, hi + k);
        note("v", v, 12);
        span = oracle_ray_box(o, d, lo, hi);
        for (int k = 0; k < 3; ++k) {
            s[k] = o[k];
            s[3 + k] = s[6 + k] = sum_if_exact(o[k], d[k], &is_exact);
        }
        CHECK_INT(span.hit_ray, span.hit_line && copysign(1, span.t_out) > 0);
        if (!is_exact || (kind != GRID && span.t_in == 1)) continue; /* t may be rounded to 1 */
        CHECK_INT(span.hit_ray && span.t_in <= 1, meets_box_by_half_planes(s, lo, hi));
        hits += span.hit_ray;
    }
    CHECK_SEEN(hits > 0);
}

static void spans_of_known_answer(void) {
    static const double lo[3] = {0, 0, 0}, hi[3] = {1, 2, 3}, o[3] = {-1, 1, 3}, d[3] = {2, 0, 0};
    static const double zero[3] = {0, 0, 0}, off[3] = {0, 0, 4}, down[3] = {0, 0, 3};
    oracle_span s = oracle_ray_box(o, d, lo, hi);
    CHECK(s.hit_line && s.hit_ray && s.t_in == 0.5 && s.t_out == 1);
    CHECK(!oracle_ray_box(o, zero, lo, hi).hit_line);
    s = oracle_ray_box(hi, zero, lo, hi);
    CHECK(s.hit_ray && s.t_in == -HUGE_VAL && s.t_out == HUGE_VAL);
    s = oracle_ray_box(off, down, lo, hi);
    CHECK(s.hit_line && !s.hit_ray);
    CHECK_SAME(s.t_in, -4.0 / 3);
    CHECK_SAME(s.t_out, -1.0 / 3);
    CHECK(!oracle_ray_box(o, d, hi, lo).hit_line);
}

/* ---- closest points ----
 *
 * x is the closest point to p when no corner c is on the side of p: (p - x) . (c - x) <= 0. That is the proof,
 * wherever x comes from: here from the normal equations of all choices of corners. */

/* The foot of 0 on the plane, line or point of the chosen corners: point / den. False when there is no one such. */
static bool foot_on(const exact3 corner[3], int chosen, exact3 *point, exact *den, exact x[2]) {
    exact3 first, e[2];
    int count = directions(corner, chosen, &first, e);
    exact ee, ef, ff, re, rf;
    *den = exact_power(0);
    *point = first;
    if (count == 0) return true;
    ee = exact3_dot(e[0], e[0]);
    re = exact_negate(exact3_dot(first, e[0]));
    *den = ee;
    x[0] = re;
    if (count == 2) {
        ef = exact3_dot(e[0], e[1]);
        ff = exact3_dot(e[1], e[1]);
        rf = exact_negate(exact3_dot(first, e[1]));
        *den = exact_sub(exact_mul(ee, ff), exact_mul(ef, ef));
        x[0] = exact_sub(exact_mul(re, ff), exact_mul(rf, ef));
        x[1] = exact_sub(exact_mul(ee, rf), exact_mul(ef, re));
    }
    *point = exact3_scale(first, *den);
    for (int i = 0; i < count; ++i) *point = exact3_add(*point, exact3_scale(e[i], x[i]));
    return den->sign != 0 && are_weights(x, count, *den);
}

/* Is point / den closest to 0? */
static bool is_closest(const exact3 corner[3], exact3 point, exact den) {
    for (int i = 0; i < 3; ++i) {
        exact3 to = exact3_sub(exact3_scale(corner[i], den), point);
        if (exact3_dot(point, to).sign < 0) return false;
    }
    return true;
}

static int corners_of_feature(int feature) {
    static const int corners[7] = {1, 2, 4, 3, 6, 5, 7};
    return corners[feature];
}

/* The first feature with a foot that is closest. */
static void check_closest(const double p[3], const double t[9], const oracle_nearest *got) {
    exact_pool pool = exact_begin();
    exact3 corner[3], point, from = exact3_from(p);
    exact den, x[2];
    bool found = false;
    for (int i = 0; i < 3; ++i) corner[i] = exact3_sub(exact3_from(t + 3 * i), from);
    for (int feature = 0; feature < 7 && !found; ++feature) {
        found =
            foot_on(corner, corners_of_feature(feature), &point, &den, x) && is_closest(corner, point, den);
        if (found) CHECK_INT(got->feature, feature);
    }
    if (CHECK(found)) {
        ratio squared = ratio_make(exact3_dot(point, point), exact_mul(den, den));
        CHECK_SAME(got->squared, ratio_to_double(squared));
        CHECK_SAME(got->distance, ratio_sqrt(squared));
        point = exact3_add(point, exact3_scale(from, den));
        for (int k = 0; k < 3; ++k) CHECK_SAME(got->point[k], ratio_to_double(ratio_make(point.c[k], den)));
    }
    exact_end(pool);
}

static void closest_points_have_a_proof(void) {
    test_rng r = test_random();
    int of[7] = {0};
    for (long n = test_times(8000); n > 0; --n) {
        double v[12];
        oracle_nearest got;
        draw(&r, kind_of(n), v, 12);
        note("v", v, 12);
        got = oracle_point_triangle(v + 9, v);
        check_closest(v + 9, v, &got);
        ++of[got.feature];
    }
    for (int i = 0; i < 7; ++i) CHECK(of[i] > 0);
}

/* A segment is a triangle whose last two corners are one. */
static void segments_are_thin_triangles(void) {
    test_rng r = test_random();
    for (long n = test_times(4000); n > 0; --n) {
        double v[12];
        oracle_nearest got, want;
        draw(&r, kind_of(n), v, 12);
        for (int k = 0; k < 3; ++k) v[6 + k] = v[3 + k];
        note("v", v, 12);
        got = oracle_point_segment(v + 9, v);
        want = oracle_point_triangle(v + 9, v);
        CHECK_SAME(got.squared, want.squared);
        CHECK_INT(got.feature, want.feature);
        for (int k = 0; k < 3; ++k) CHECK_SAME(got.point[k], want.point[k]);
        CHECK(got.weight[0] >= 0 && got.weight[1] >= 0 && got.weight[1] <= 1 && got.weight[2] == 0);
    }
}

/* The points of s less those of t fill a parallelogram, which is two triangles; where its corners are doubles, its
 * distance from 0 is the distance of the segments. */
static bool difference_body(const double s[6], const double t[6], double half[2][9]) {
    bool is_exact = true;
    for (int k = 0; k < 3; ++k) {
        double aa = sum_if_exact(s[k], -t[k], &is_exact), ab = sum_if_exact(s[k], -t[3 + k], &is_exact);
        double ba = sum_if_exact(s[3 + k], -t[k], &is_exact),
               bb = sum_if_exact(s[3 + k], -t[3 + k], &is_exact);
        half[0][k] = half[1][k] = aa;
        half[0][3 + k] = ab;
        half[1][3 + k] = ba;
        half[0][6 + k] = half[1][6 + k] = bb;
    }
    return is_exact;
}

static void segments_agree_with_parallelograms(void) {
    static const double zero[3] = {0, 0, 0};
    test_rng r = test_random();
    int compared = 0, parallel = 0;
    for (long n = test_times(8000); n > 0; --n) {
        double v[12], half[2][9], want;
        oracle_distance got;
        draw(&r, n % 8 ? kind_of(n) : GRID, v, 12);
        for (int k = 0; k < 3 && n % 8 == 0; ++k) v[9 + k] = v[6 + k] + (v[3 + k] - v[k]);
        note("v", v, 12);
        got = oracle_segment_segment(v, v + 6);
        CHECK_SAME(got.squared, oracle_segment_segment(v + 6, v).squared);
        parallel += got.parallel;
        if (!difference_body(v, v + 6, half)) continue;
        want = oracle_point_triangle(zero, half[0]).squared;
        want = fmin(want, oracle_point_triangle(zero, half[1]).squared);
        CHECK_SAME(got.squared, want);
        ++compared;
    }
    CHECK(compared > 0 && parallel > 0);
}

static void distances_of_known_answer(void) {
    static const double t[9] = {0, 0, 0, 4, 0, 0, 0, 4, 0}, s[6] = {0, 0, 0, 3, 0, 0};
    double above[3] = {1, 1, -2}, beside[3] = {3, 3, 1}, cross[6] = {1, 2, 5, 1, -7, 5};
    double along[6] = {4, 1, 0, 9, 1, 0}, beyond[3] = {5, -2, 0};
    oracle_nearest n = oracle_point_triangle(above, t);
    oracle_distance d = oracle_segment_segment(s, cross);
    CHECK(n.feature == 6 && n.squared == 4 && n.distance == 2 && n.weight[0] == 0.5 && n.point[2] == 0);
    n = oracle_point_triangle(beside, t);
    CHECK(n.feature == 4 && n.squared == 3 && n.distance == sqrt(3.0) && n.point[0] == 2 && n.point[1] == 2);
    n = oracle_point_segment(above, s);
    CHECK(n.feature == 3 && n.squared == 5);
    CHECK_SAME(n.weight[1], 1.0 / 3);
    n = oracle_point_segment(beyond, s);
    CHECK(n.feature == 1 && n.squared == 8 && n.weight[1] == 1 && n.point[0] == 3);
    CHECK(d.squared == 25 && d.distance == 5 && !d.parallel);
    d = oracle_segment_segment(s, along);
    CHECK(d.squared == 2 && d.parallel);
}

/* ---- in or out ---- */

static void winding_numbers_count(void) {
    static const double c[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const int face[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    double tri[4][9], in[3] = {0.2, 0.2, 0.2}, out[3] = {1, 1, 1};
    for (int i = 0; i < 12; ++i) {
        for (int k = 0; k < 3; ++k) tri[i / 3][3 * (i % 3) + k] = c[face[i / 3][i % 3]][k];
    }
    CHECK_NEAR(oracle_winding_number(in, (const double(*)[9])tri, 4), 1, 1e-14);
    CHECK_NEAR(oracle_winding_number(out, (const double(*)[9])tri, 4), 0, 1e-14);
    CHECK_NEAR(oracle_winding_number(in, (const double(*)[9])tri, 0), 0, 0);
}

void suite_oracle(void);
void suite_oracle(void) {
    RUN(rounds_as_the_processor);
    RUN(obeys_the_laws_of_numbers);
    RUN(rounds_to_the_nearest);
    RUN(predicates_are_determinants);
    RUN(predicates_agree_with_integers);
    RUN(predicates_have_their_signs);
    RUN(triangles_have_a_common_point_or_a_gap);
    RUN(touching_triangles_are_decided);
    RUN(thin_triangles_are_decided);
    RUN(triangles_of_known_answer);
    RUN(triangles_and_boxes_agree_with_half_planes);
    RUN(boxes_agree_with_their_edges);
    RUN(flat_boxes_are_two_triangles);
    RUN(boxes_of_known_gap);
    RUN(rays_agree_with_segments);
    RUN(rays_of_known_answer);
    RUN(rays_and_boxes_agree_with_segments);
    RUN(spans_of_known_answer);
    RUN(closest_points_have_a_proof);
    RUN(segments_are_thin_triangles);
    RUN(segments_agree_with_parallelograms);
    RUN(distances_of_known_answer);
    RUN(winding_numbers_count);
}
