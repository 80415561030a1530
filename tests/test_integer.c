/* 128-bit numbers, fractions and segments of the grid against exact arithmetic, and against the compiler's own 128 bits where
 * it has them. */
#include "gen.h"
#include "oracle.h"
#include <inttypes.h>
#include <math.h>

#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 native;
__extension__ typedef unsigned __int128 native_bits;

static native native_of(cd_int128 a) {
    return (native)(((native_bits)(uint64_t)a.hi << 64) | a.lo);
}
#endif

/* Of all sizes, with the ends of the range and small numbers among them. */
static int64_t draw_int64(test_rng *rng) {
    int how = test_int(rng, 0, 5), bits = test_int(rng, 1, 64);
    uint64_t x = test_next(rng) >> (64 - bits);
    if (how == 0) x = (uint64_t)INT64_MAX - x % 3;
    if (how == 1) x = (uint64_t)INT64_MIN + x % 3;
    if (how == 2) x = ((uint64_t)1 << (bits - 1)) + x % 3 - 1;
    if (how == 3) x = 0u - x;
    return (int64_t)x;
}

static int32_t draw_int32(test_rng *rng) {
    uint64_t bits = test_next(rng);
    int how = test_int(rng, 0, 3);
    if (how == 0) return (int32_t)(bits % 7) - 3;
    if (how == 1) return INT32_MAX - (int32_t)(bits % 3);
    if (how == 2) return INT32_MIN + (int32_t)(bits % 3);
    return (int32_t)((int64_t)(bits % ((uint64_t)1 << 32)) + INT32_MIN);
}

static exact exact_int(int64_t x) {
    uint64_t size = x < 0 ? 0u - (uint64_t)x : (uint64_t)x;
    exact r = exact_add(exact_mul(exact_from((double)(size >> 32)), exact_power(32)),
                        exact_from((double)(size & 0xFFFFFFFFu)));
    return x < 0 ? exact_negate(r) : r;
}

static exact exact_wide(cd_int128 a) {
    exact low = exact_add(exact_mul(exact_from((double)(a.lo >> 32)), exact_power(32)),
                          exact_from((double)(a.lo & 0xFFFFFFFFu)));
    return exact_add(exact_mul(exact_int(a.hi), exact_power(64)), low);
}

/* Equal, or equal after adding or taking 2^128. */
static bool is_wrapped(cd_int128 got, exact want) {
    exact miss = exact_sub(exact_wide(got), want);
    if (miss.sign < 0) miss = exact_negate(miss);
    if (miss.sign && exact_compare(miss, exact_power(128)) != 0) return false;
    return !miss.sign || exact_compare(want, exact_power(127)) >= 0 ||
           exact_compare(want, exact_negate(exact_power(127))) < 0;
}

static cd_int128 draw_int128(test_rng *rng) {
    cd_int128 r;
    r.hi = draw_int64(rng);
    r.lo = (uint64_t)draw_int64(rng);
    if (test_int(rng, 0, 3) == 0) r.hi = r.lo >> 63 ? -1 : 0;
    if (test_int(rng, 0, 5) == 0) r.lo = test_int(rng, 0, 1) ? UINT64_MAX : 0;
    return r;
}

static void sums_and_products(void) {
    test_rng rng = test_random();
    for (long i = test_times(100000); i > 0; --i) {
        exact_pool pool = exact_begin();
        int64_t x = draw_int64(&rng), y = draw_int64(&rng);
        cd_int128 a = draw_int128(&rng), b = test_int(&rng, 0, 9) ? draw_int128(&rng) : a;
        exact p = exact_wide(a), q = exact_wide(b);
        test_note("x %" PRId64 ", y %" PRId64 ", a %" PRId64 ":%" PRIu64 ", b %" PRId64 ":%" PRIu64, x, y,
                  a.hi, a.lo, b.hi, b.lo);
        CHECK(!exact_compare(exact_wide(ASK("exact", cd_int128_from_int64(x))), exact_int(x)));
        CHECK(!exact_compare(exact_wide(ASK("exact", cd_int128_mul_int64(x, y))),
                             exact_mul(exact_int(x), exact_int(y))));
        CHECK(is_wrapped(ASK("exact", cd_int128_add(a, b)), exact_add(p, q)));
        CHECK(is_wrapped(ASK("exact", cd_int128_sub(a, b)), exact_sub(p, q)));
        CHECK(is_wrapped(ASK("exact", cd_int128_neg(a)), exact_negate(p)));
        CHECK_INT(ASK("exact", cd_int128_compare(a, b)), exact_compare(p, q));
        CHECK_INT(ASK("exact", cd_int128_sign(a)), p.sign);
        CHECK_SAME(ASK("exact", cd_int128_to_double(a)), exact_to_double(p));
#ifdef __SIZEOF_INT128__
        CHECK(native_of(ASK("exact", cd_int128_mul_int64(x, y))) == (native)x * (native)y);
        CHECK(native_of(ASK("exact", cd_int128_add(a, b))) ==
              (native)((native_bits)native_of(a) + (native_bits)native_of(b)));
        CHECK(native_of(ASK("exact", cd_int128_sub(a, b))) ==
              (native)((native_bits)native_of(a) - (native_bits)native_of(b)));
        CHECK_SAME(ASK("exact", cd_int128_to_double(a)), (double)native_of(a));
#endif
        exact_end(pool);
    }
}

/* Halfway between doubles, and next to it. */
static void doubles_are_the_nearest(void) {
    test_rng rng = test_random();
    for (long i = test_times(30000); i > 0; --i) {
        exact_pool pool = exact_begin();
        cd_int128 a =
            cd_int128_from_int64((int64_t)(test_next(&rng) >> 10) | ((int64_t)1 << 53)); /* 54 bits */
        int shift = test_int(&rng, 0, 73);
        for (int k = 0; k < shift; ++k) a = cd_int128_add(a, a);
        if (a.hi < 0) a = cd_int128_neg(a);
        a = cd_int128_add(a, cd_int128_from_int64(test_int(&rng, -1, 1)));
        if (test_int(&rng, 0, 1)) a = cd_int128_neg(a);
        test_note("a %" PRId64 ":%" PRIu64, a.hi, a.lo);
        CHECK_SAME(cd_int128_to_double(a), exact_to_double(exact_wide(a)));
        exact_end(pool);
    }
    CHECK_SAME(cd_int128_to_double(cd_int128_from_int64(0)), 0);
    CHECK_SAME(cd_int128_to_double(cd_int128_from_int64(INT64_MIN)), -9223372036854775808.0);
}

/* ---- fractions ---- */

/* Infinity for n / 0, 0 for 0 / 0: as a sign of infinity and a finite part. */
static int compare_by_products(const int64_t f[4]) {
    int infinite[2];
    for (int k = 0; k < 2; ++k) infinite[k] = f[2 * k + 1] ? 0 : (f[2 * k] > 0) - (f[2 * k] < 0);
    if (infinite[0] || infinite[1]) return (infinite[0] > infinite[1]) - (infinite[0] < infinite[1]);
    return ratio_compare(ratio_make(exact_int(f[0]), exact_int(f[1] ? f[1] : 1)),
                         ratio_make(exact_int(f[2]), exact_int(f[3] ? f[3] : 1)));
}

static void fractions(void) {
    test_rng rng = test_random();
    for (long i = test_times(100000); i > 0; --i) {
        exact_pool pool = exact_begin();
        int64_t f[4];
        int how = test_int(&rng, 0, 3);
        for (int k = 0; k < 4; ++k) f[k] = test_int(&rng, 0, 9) ? draw_int64(&rng) : 0;
        if (how == 0) { /* equal, by another factor */
            int64_t n = test_int(&rng, -1000000, 1000000), d = test_int(&rng, -1000000, 1000000);
            int64_t s = test_int(&rng, -1000000, 1000000), t = test_int(&rng, 1, 1000000);
            f[0] = n * s;
            f[1] = d * s;
            f[2] = n * t;
            f[3] = d * t;
        }
        if (how == 1) { /* differing by one in the last place of each */
            f[2] = f[0];
            f[3] = f[1];
            if (f[3] < INT64_MAX && test_int(&rng, 0, 1)) ++f[3];
            if (f[2] > INT64_MIN && test_int(&rng, 0, 1)) --f[2];
        }
        test_note("%" PRId64 "/%" PRId64 ", %" PRId64 "/%" PRId64, f[0], f[1], f[2], f[3]);
        CHECK_INT(ASK("exact", cd_compare_fractions(f[0], f[1], f[2], f[3])), compare_by_products(f));
        CHECK_INT(ASK("exact", cd_compare_fractions(f[2], f[3], f[0], f[1])), -compare_by_products(f));
        exact_end(pool);
    }
}

/* Fibonacci numbers: quotients that agree to the last round. */
static void fractions_that_are_hard_to_tell_apart(void) {
    int64_t a = 1, b = 1;
    for (int i = 0; i < 88; ++i) {
        int64_t c = a + b;
        CHECK_INT(cd_compare_fractions(b, a, c, b), i % 2 ? 1 : -1);
        CHECK_INT(cd_compare_fractions(-b, a, c, -b), i % 2 ? -1 : 1);
        CHECK_INT(cd_compare_fractions(c, b, c, b), 0);
        a = b;
        b = c;
    }
    CHECK_INT(cd_compare_fractions(1, 0, INT64_MAX, 1), 1);
    CHECK_INT(cd_compare_fractions(-1, 0, INT64_MIN, 1), -1);
    CHECK_INT(cd_compare_fractions(1, 0, 5, 0), 0);
    CHECK_INT(cd_compare_fractions(0, 0, 0, 7), 0);
    CHECK_INT(cd_compare_fractions(INT64_MIN, INT64_MIN, 1, 1), 0);
    CHECK_INT(cd_compare_fractions(INT64_MIN, -1, INT64_MAX, 1), 1);
}

/* ---- points and segments ---- */

static cd_ivec2 draw_point(test_rng *rng, int size) {
    cd_ivec2 p;
    p.x = size ? test_int(rng, -size, size) : draw_int32(rng);
    p.y = size ? test_int(rng, -size, size) : draw_int32(rng);
    return p;
}

/* p moved by k times the step from q to r, as far as it stays in the range. */
static cd_ivec2 moved(cd_ivec2 p, cd_ivec2 q, cd_ivec2 r, int k) {
    int64_t x = p.x + k * ((int64_t)r.x - q.x), y = p.y + k * ((int64_t)r.y - q.y);
    cd_ivec2 m = p;
    if (x >= INT32_MIN && x <= INT32_MAX && y >= INT32_MIN && y <= INT32_MAX) {
        m.x = (int32_t)x;
        m.y = (int32_t)y;
    }
    return m;
}

/* Four points, often in trouble: few places, collinear, parallel, coincident. */
static void draw_points(test_rng *rng, cd_ivec2 p[4]) {
    int size = test_int(rng, 0, 1) ? 0 : test_int(rng, 1, 5), how = test_int(rng, 0, 5);
    for (int k = 0; k < 4; ++k) p[k] = draw_point(rng, size);
    if (how == 0) p[3] = moved(p[2], p[0], p[1], test_int(rng, -2, 2));
    if (how == 1) {
        p[2] = moved(p[0], p[0], p[1], test_int(rng, -2, 2));
        p[3] = moved(p[0], p[0], p[1], test_int(rng, -2, 2));
    }
    if (how == 2) p[test_int(rng, 1, 3)] = p[0];
    if (how == 3) p[3] = moved(p[2], p[2], p[0], 2);
    test_note("a (%d, %d), b (%d, %d), c (%d, %d), d (%d, %d)", (int)p[0].x, (int)p[0].y, (int)p[1].x,
              (int)p[1].y, (int)p[2].x, (int)p[2].y, (int)p[3].x, (int)p[3].y);
}

static void doubles_of(cd_ivec2 a, cd_ivec2 b, double s[6]) {
    s[0] = a.x;
    s[1] = a.y;
    s[3] = b.x;
    s[4] = b.y;
    s[2] = s[5] = 0;
}

static void orientations(void) {
    test_rng rng = test_random();
    for (long i = test_times(100000); i > 0; --i) {
        cd_ivec2 p[4];
        double d[3][2];
        int want;
        draw_points(&rng, p);
        for (int k = 0; k < 3; ++k) {
            d[k][0] = p[k].x;
            d[k][1] = p[k].y;
        }
        want = oracle_orient2d(d[0], d[1], d[2]);
        CHECK_INT(ASK("exact", cd_orient2d_int(p[0], p[1], p[2])), want);
        CHECK_INT(ASK("exact", cd_orient2d_int(p[1], p[2], p[0])), want);
        CHECK_INT(ASK("exact", cd_orient2d_int(p[1], p[0], p[2])), -want);
#ifdef __SIZEOF_INT128__
        {
            native det = (native)((int64_t)p[1].x - p[0].x) * ((int64_t)p[2].y - p[0].y) -
                         (native)((int64_t)p[1].y - p[0].y) * ((int64_t)p[2].x - p[0].x);
            CHECK_INT(want, (det > 0) - (det < 0));
        }
#endif
    }
}

static bool segments_meet(const cd_ivec2 p[4]) {
    double s[6], t[6];
    doubles_of(p[0], p[1], s);
    doubles_of(p[2], p[3], t);
    return oracle_segment_segment(s, t).squared == 0.0;
}

/* (x, y) / den is on the segment from c to d: collinear with it, and between its ends. */
static bool is_on(exact x, exact y, exact den, cd_ivec2 c, cd_ivec2 d) {
    exact ex = exact_int((int64_t)d.x - c.x), ey = exact_int((int64_t)d.y - c.y), along;
    x = exact_sub(x, exact_mul(den, exact_int(c.x)));
    y = exact_sub(y, exact_mul(den, exact_int(c.y)));
    if (exact_compare(exact_mul(x, ey), exact_mul(y, ex)) != 0) return false;
    if (!ex.sign && !ey.sign) return !x.sign && !y.sign;
    along = exact_add(exact_mul(x, ex), exact_mul(y, ey));
    return along.sign >= 0 &&
           exact_compare(along, exact_mul(den, exact_add(exact_mul(ex, ex), exact_mul(ey, ey)))) <= 0;
}

/* The point at num / den of the segment a b, times den, is on c d. */
static bool meets_there(cd_int128 num, cd_int128 den, const cd_ivec2 p[4]) {
    exact n = exact_wide(num), d = exact_wide(den);
    exact x = exact_add(exact_mul(d, exact_int(p[0].x)), exact_mul(n, exact_int((int64_t)p[1].x - p[0].x)));
    exact y = exact_add(exact_mul(d, exact_int(p[0].y)), exact_mul(n, exact_int((int64_t)p[1].y - p[0].y)));
    return n.sign >= 0 && exact_compare(n, d) <= 0 && is_on(x, y, d, p[2], p[3]);
}

static bool point_is(cd_int128 num, cd_int128 den, const cd_ivec2 p[4], cd_ivec2 q) {
    exact n = exact_wide(num), d = exact_wide(den);
    return !exact_compare(exact_mul(d, exact_int((int64_t)q.x - p[0].x)),
                          exact_mul(n, exact_int((int64_t)p[1].x - p[0].x))) &&
           !exact_compare(exact_mul(d, exact_int((int64_t)q.y - p[0].y)),
                          exact_mul(n, exact_int((int64_t)p[1].y - p[0].y)));
}

static bool point_on(cd_ivec2 q, cd_ivec2 c, cd_ivec2 d) {
    return is_on(exact_int(q.x), exact_int(q.y), exact_int(1), c, d);
}

static bool same_point(cd_ivec2 a, cd_ivec2 b) {
    return a.x == b.x && a.y == b.y;
}

/* All ends that are on the other segment are in the overlap: nothing is missing. */
static bool overlap_is_whole(const cd_segment_cut2 *cut, const cd_ivec2 p[4]) {
    for (int k = 0; k < 4; ++k) {
        const cd_ivec2 *other = k < 2 ? p + 2 : p;
        if (point_on(p[k], other[0], other[1]) && !point_on(p[k], cut->ends[0], cut->ends[1])) return false;
    }
    return true;
}

static void check_cut(const cd_segment_cut2 *cut, const cd_ivec2 p[4]) {
    CHECK(cd_int128_sign(cut->den) > 0 && meets_there(cut->num[0], cut->den, p) &&
          meets_there(cut->num[1], cut->den, p));
    if (cut->kind == CD_SEGMENT_CUT_OVERLAP) {
        CHECK(cd_int128_compare(cut->num[0], cut->num[1]) < 0 && overlap_is_whole(cut, p));
        for (int k = 0; k < 2; ++k) {
            bool end = false;
            for (int j = 0; j < 4; ++j) end = end || same_point(cut->ends[k], p[j]);
            CHECK(end && point_is(cut->num[k], cut->den, p, cut->ends[k]));
        }
    } else {
        int ends = 0; /* two different ends on the other segment would be an overlap */
        for (int k = 0; k < 4; ++k) {
            bool on = point_on(p[k], p[k < 2 ? 2 : 0], p[k < 2 ? 3 : 1]);
            CHECK(!on || point_is(cut->num[0], cut->den, p, p[k]));
            ends += on;
        }
        CHECK_INT(cut->kind, CD_SEGMENT_CUT_POINT);
        CHECK(cd_int128_compare(cut->num[0], cut->num[1]) == 0);
        CHECK(ends > 0 || (cd_int128_sign(cut->num[0]) > 0 && cd_int128_compare(cut->num[0], cut->den) < 0));
        CHECK(!cut->ends[0].x && !cut->ends[1].y);
    }
}

static void check_segments(const cd_ivec2 p[4]) {
    exact_pool pool = exact_begin();
    bool want = segments_meet(p);
    cd_segment_cut2 cut, swapped, kept;
    cut.kind = swapped.kind = kept.kind = 77;
    CHECK_INT(ASK("exact", cd_test_2d_segment_segment_exact(p[0], p[1], p[2], p[3])), want);
    CHECK_INT(ASK("exact", cd_test_2d_segment_segment_exact(p[1], p[0], p[2], p[3])), want);
    CHECK_INT(ASK("exact", cd_test_2d_segment_segment_exact(p[3], p[2], p[1], p[0])), want);
    CHECK_INT(ASK("exact", cd_intersect_2d_segment_segment_exact(p[0], p[1], p[2], p[3], &cut)), want);
    CHECK_INT(ASK("exact", cd_intersect_2d_segment_segment_exact(p[2], p[3], p[1], p[0], &swapped)), want);
    CHECK_INT(ASK("exact", cd_intersect_2d_segment_segment_exact(p[0], p[1], p[2], p[3], NULL)), want);
    CHECK_INT(cut.kind, swapped.kind);
    if (want)
        check_cut(&cut, p);
    else
        CHECK_INT(cut.kind, 77); /* untouched */
    exact_end(pool);
}

static void segments(void) {
    test_rng rng = test_random();
    for (long i = test_times(40000); i > 0; --i) {
        cd_ivec2 p[4];
        draw_points(&rng, p);
        check_segments(p);
    }
}

/* All pairs of segments among nine points. */
static void segments_of_a_small_grid(void) {
    for (int code = 0; code < 9 * 9 * 9 * 9; ++code) {
        cd_ivec2 p[4];
        int rest = code;
        for (int k = 0; k < 4; ++k, rest /= 9) {
            p[k].x = rest % 3;
            p[k].y = rest % 9 / 3;
        }
        test_note("a %d, b %d, c %d, d %d", code % 9, code / 9 % 9, code / 81 % 9, code / 729);
        check_segments(p);
    }
}

/* Diagonals of the whole range that pass the centre at half a unit. */
static void segments_at_the_ends_of_the_range(void) {
    cd_ivec2 low = {INT32_MIN, INT32_MIN}, high = {INT32_MAX, INT32_MAX}, left = {INT32_MIN, INT32_MAX};
    cd_ivec2 right = {INT32_MAX, INT32_MIN}, origin = {0, 0}, beside = {0, -1};
    cd_segment_cut2 cut;
    CHECK(cd_intersect_2d_segment_segment_exact(low, high, left, right, &cut));
    CHECK(!cd_int128_compare(cd_int128_add(cut.num[0], cut.num[0]), cut.den)); /* half-way */
    CHECK_INT(cut.den.hi, 1);                                                  /* 2 (2^32 - 1)^2 */
    CHECK(cut.den.lo == 0u - ((uint64_t)1 << 34) + 2);
    CHECK(cd_test_2d_segment_segment_exact(low, high, origin, origin));
    CHECK(!cd_test_2d_segment_segment_exact(low, high, beside, beside));
    CHECK_INT(cd_orient2d_int(low, high, beside), -1);
    CHECK_INT(cd_orient2d_int(right, high, left), 1);
}

void suite_integer(void) {
    RUN(sums_and_products);
    RUN(doubles_are_the_nearest);
    RUN(fractions);
    RUN(fractions_that_are_hard_to_tell_apart);
    RUN(orientations);
    RUN(segments);
    RUN(segments_of_a_small_grid);
    RUN(segments_at_the_ends_of_the_range);
}
