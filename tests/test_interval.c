/* Intervals against exact rational numbers: what they must hold they hold, and their bounds are the tightest there are. */
#include "gen.h"
#include "oracle.h"
#include <math.h>

static exact real(cd_real x) {
    return exact_from((double)x);
}

static ratio whole(exact x) {
    return ratio_make(x, exact_power(0));
}

/* The sign of x - r for any bound x. */
static int against(cd_real x, ratio r) {
    if (!isfinite((double)x)) return x > 0 ? 1 : -1;
    return ratio_compare(whole(real(x)), r);
}

static bool holds(cd_interval a, ratio r) {
    return against(a.lo, r) <= 0 && against(a.hi, r) >= 0;
}

/* The bounds are those of the numbers lo ... hi, moved outward to the next numbers of the type. */
static bool is_tight(cd_interval a, ratio lo, ratio hi) {
    return against(a.lo, lo) <= 0 && against(cd_next_up(a.lo), lo) > 0 && against(a.hi, hi) >= 0 &&
           against(cd_next_down(a.hi), hi) < 0;
}

static bool same(cd_interval a, cd_interval b) {
    return a.lo == b.lo && a.hi == b.hi;
}

static cd_interval bounds(double lo, double hi) {
    cd_interval a;
    a.lo = (cd_real)lo;
    a.hi = (cd_real)hi;
    return a;
}

/* Finite bounds of any size: apart, close, or one number. */
static cd_interval draw_finite(test_rng *rng) {
    int how = test_int(rng, 0, 3);
    cd_real x = gen_any_real(rng), y = gen_any_real(rng);
    if (how == 0) y = x;
    if (how == 1) y = gen_near(rng, x);
    if (!isfinite((double)y)) y = x;
    return x < y ? bounds((double)x, (double)y) : bounds((double)y, (double)x);
}

/* An interval, now and then without a bound, and one of its numbers. */
static cd_interval draw_around(test_rng *rng, cd_real *x) {
    cd_interval a = draw_finite(rng);
    int open = test_int(rng, 0, 9);
    *x = test_int(rng, 0, 1) ? a.lo : a.hi;
    if (open == 0 || open == 2) a.lo = -(cd_real)INFINITY;
    if (open == 1 || open == 2) a.hi = (cd_real)INFINITY;
    if (test_int(rng, 0, 2) == 0) {
        cd_real y = gen_any_real(rng);
        if (y > a.lo && y < a.hi) *x = y;
    }
    return a;
}

static void note(cd_interval a, cd_interval b) {
    cd_real x[4];
    x[0] = a.lo;
    x[1] = a.hi;
    x[2] = b.lo;
    x[3] = b.hi;
    test_note("");
    test_note_reals("a, b", x, 4);
}

/* ---- one number of each ---- */

static void results_hold_all_results(void) {
    test_rng rng = test_random();
    for (long i = test_times(60000); i > 0; --i) {
        exact_pool pool = exact_begin();
        cd_real x, y;
        cd_interval a = draw_around(&rng, &x), b = draw_around(&rng, &y);
        exact p = real(x), q = real(y);
        note(a, b);
        CHECK(ASK("exact", cd_interval_contains(a, x)) && ASK("exact", cd_interval_contains(b, y)));
        CHECK(holds(ASK("exact", cd_interval_neg(a)), whole(exact_negate(p))));
        CHECK(holds(ASK("exact", cd_interval_add(a, b)), whole(exact_add(p, q))));
        CHECK(holds(ASK("exact", cd_interval_sub(a, b)), whole(exact_sub(p, q))));
        CHECK(holds(ASK("exact", cd_interval_mul(a, b)), whole(exact_mul(p, q))));
        if (q.sign) CHECK(holds(ASK("exact", cd_interval_div(a, b)), ratio_make(p, q)));
        CHECK(holds(ASK("exact", cd_interval_sqr(a)), whole(exact_mul(p, p))));
        CHECK(holds(ASK("exact", cd_interval_abs(a)), whole(p.sign < 0 ? exact_negate(p) : p)));
        CHECK(holds(ASK("exact", cd_interval_min(a, b)), whole(exact_compare(p, q) < 0 ? p : q)));
        CHECK(holds(ASK("exact", cd_interval_max(a, b)), whole(exact_compare(p, q) > 0 ? p : q)));
        CHECK(ASK("exact", cd_interval_contains(ASK("exact", cd_interval_hull(a, b)), x)) &&
              ASK("exact", cd_interval_contains(ASK("exact", cd_interval_hull(a, b)), y)));
        CHECK_INT(ASK("exact", cd_interval_contains(ASK("exact", cd_interval_intersect(a, b)), x)),
                  cd_interval_contains(b, x));
        CHECK(ASK("exact", cd_interval_contains(a, ASK("exact", cd_interval_middle(a)))) &&
              cd_is_finite(cd_interval_middle(a)));
        exact_end(pool);
    }
}

/* The root of x is above r. */
static bool root_above(cd_real x, cd_real r) {
    if (!isfinite((double)r)) return r < 0;
    return r < 0 || exact_compare(exact_mul(real(r), real(r)), real(x)) < 0;
}
static bool root_below(cd_real x, cd_real r) {
    if (!isfinite((double)r)) return r > 0;
    return r > 0 && exact_compare(exact_mul(real(r), real(r)), real(x)) > 0;
}

static void roots(void) {
    test_rng rng = test_random();
    for (long i = test_times(30000); i > 0; --i) {
        exact_pool pool = exact_begin();
        cd_interval a = draw_finite(&rng), r = ASK("exact", cd_interval_sqrt(a));
        note(a, r);
        if (a.hi < 0) {
            CHECK(cd_interval_is_empty(r));
        } else {
            cd_real low = a.lo > 0 ? a.lo : 0;
            CHECK(!root_below(low, r.lo) && !root_above(a.hi, r.hi));
            CHECK(root_below(low, cd_next_up(r.lo)) && root_above(a.hi, cd_next_down(r.hi)));
        }
        exact_end(pool);
    }
    CHECK(same(ASK("exact", cd_interval_sqrt(bounds(-4, 9))), bounds(0, 3)));
    CHECK(same(ASK("exact", cd_interval_sqrt(bounds(4, INFINITY))), bounds(2, INFINITY)));
}

/* ---- the tightest bounds ---- */

static ratio least(const ratio r[4]) {
    ratio m = r[0];
    for (int i = 1; i < 4; ++i) m = ratio_compare(r[i], m) < 0 ? r[i] : m;
    return m;
}

static ratio most(const ratio r[4]) {
    ratio m = r[0];
    for (int i = 1; i < 4; ++i) m = ratio_compare(r[i], m) > 0 ? r[i] : m;
    return m;
}

static void bounds_are_the_tightest(void) {
    test_rng rng = test_random();
    for (long i = test_times(30000); i > 0; --i) {
        exact_pool pool = exact_begin();
        cd_interval a = draw_finite(&rng), b = draw_finite(&rng);
        exact al = real(a.lo), ah = real(a.hi), bl = real(b.lo), bh = real(b.hi);
        ratio r[4];
        note(a, b);
        CHECK(is_tight(cd_interval_add(a, b), whole(exact_add(al, bl)), whole(exact_add(ah, bh))));
        CHECK(is_tight(cd_interval_sub(a, b), whole(exact_sub(al, bh)), whole(exact_sub(ah, bl))));
        for (int k = 0; k < 4; ++k) r[k] = whole(exact_mul(k & 1 ? al : ah, k & 2 ? bl : bh));
        CHECK(is_tight(cd_interval_mul(a, b), least(r), most(r)));
        CHECK(same(cd_interval_mul(a, b), cd_interval_mul(b, a)));
        if (b.lo > 0 || b.hi < 0) {
            for (int k = 0; k < 4; ++k) r[k] = ratio_make(k & 1 ? al : ah, k & 2 ? bl : bh);
            CHECK(is_tight(cd_interval_div(a, b), least(r), most(r)));
        } else {
            CHECK(same(cd_interval_div(a, b), cd_interval_whole()));
        }
        for (int k = 0; k < 4; ++k) r[k] = whole(exact_mul(k & 1 ? al : ah, k & 1 ? al : ah));
        if (al.sign * ah.sign <= 0) r[3] = whole(exact_from(0));
        if (al.sign * ah.sign <= 0 && exact_compare(r[0].num, r[1].num) < 0) r[0] = r[1];
        r[1] = al.sign * ah.sign <= 0 ? r[0] : r[1];
        CHECK(is_tight(cd_interval_sqr(a), least(r), most(r)));
        CHECK(against(ASK("exact", cd_interval_width(a)), whole(exact_sub(ah, al))) >= 0 &&
              against(cd_next_down(ASK("exact", cd_interval_width(a))), whole(exact_sub(ah, al))) < 0);
        exact_end(pool);
    }
}

static void exact_results_stay_exact(void) {
    cd_interval two = cd_interval_from_value(2), three = cd_interval_from_value(3),
                zero = cd_interval_from_value(0);
    CHECK(same(cd_interval_add(two, three), bounds(5, 5)) &&
          same(cd_interval_sub(two, three), bounds(-1, -1)));
    CHECK(same(cd_interval_mul(two, three), bounds(6, 6)) &&
          same(cd_interval_div(three, two), bounds(1.5, 1.5)));
    CHECK(same(cd_interval_sqr(bounds(-3, 2)), bounds(0, 9)) &&
          same(cd_interval_abs(bounds(-3, 2)), bounds(0, 3)));
    CHECK(same(cd_interval_div(zero, three), zero) && same(cd_interval_mul(bounds(-3, 2), zero), zero));
    CHECK(same(cd_interval_min(bounds(1, 4), bounds(2, 3)), bounds(1, 3)));
    CHECK(same(cd_interval_max(bounds(1, 4), bounds(2, 3)), bounds(2, 4)));
    CHECK_SAME(ASK("exact", cd_interval_width(bounds(-3, 2))), 5);
    CHECK_SAME(cd_interval_middle(bounds(-3, 2)), -0.5);
    CHECK_SAME(cd_interval_middle(bounds((double)CD_REAL_MAX, (double)CD_REAL_MAX)), CD_REAL_MAX);
}

/* ---- no bound, no number, no meaning ---- */

static void infinite_bounds(void) {
    double inf = INFINITY, max = (double)CD_REAL_MAX;
    cd_interval line = cd_interval_whole(), up = bounds(1, inf), down = bounds(-inf, -1), zero = bounds(0, 0);
    CHECK(same(cd_interval_mul(zero, line), zero) && same(cd_interval_mul(line, zero), zero));
    CHECK(same(cd_interval_mul(bounds(0, 2), up), bounds(0, inf)) && same(cd_interval_mul(up, up), up));
    CHECK(same(cd_interval_mul(up, down), down) && same(cd_interval_mul(down, down), up));
    CHECK(same(cd_interval_mul(bounds(-1, 2), up), line) &&
          same(cd_interval_mul(bounds(-2, 0), up), bounds(-inf, 0)));
    CHECK(same(cd_interval_add(up, down), line) && same(cd_interval_sub(up, up), line));
    CHECK(same(cd_interval_add(up, up), bounds(2, inf)) && same(cd_interval_sub(up, down), bounds(2, inf)));
    CHECK(same(cd_interval_div(up, up), bounds(0, inf)) && same(cd_interval_div(down, up), bounds(-inf, 0)));
    CHECK(same(cd_interval_div(bounds(1, 2), up), bounds(0, 2)) && same(cd_interval_div(zero, up), zero));
    CHECK(same(cd_interval_div(line, bounds(2, 3)), line) && same(cd_interval_div(up, zero), line));
    CHECK(same(cd_interval_div(zero, zero), line) && same(cd_interval_div(up, bounds(-1, 0)), line));
    CHECK(same(cd_interval_sqr(down), up) && same(cd_interval_sqr(line), bounds(0, inf)));
    CHECK(same(cd_interval_abs(line), bounds(0, inf)) && same(cd_interval_neg(up), down));
    CHECK(same(ASK("bad", cd_interval_from_value((cd_real)inf)), bounds(max, inf)));
    CHECK(same(ASK("bad", cd_interval_from_value(-(cd_real)inf)), bounds(-inf, -max)));
    CHECK(same(cd_interval_add(bounds(max, max), bounds(max, max)), bounds(max, inf)));
    CHECK(same(cd_interval_sqr(bounds(-max, -max)), bounds(max, inf)));
    CHECK(same(ASK("bad", cd_interval_make((cd_real)inf, 1)), cd_interval_empty()));
    CHECK(same(cd_interval_add(bounds(inf, inf), bounds(-max, -max)), bounds(0, inf)));
    CHECK(ASK("bad", cd_interval_contains(up, (cd_real)inf)) &&
          !ASK("bad", cd_interval_contains(up, -(cd_real)inf)) &&
          !ASK("bad", cd_interval_contains(bounds(-max, max), (cd_real)inf)) &&
          ASK("bad", cd_interval_contains(line, -(cd_real)inf)));
    CHECK_SAME(ASK("bad", cd_interval_width(up)), inf);
    CHECK_SAME(cd_interval_middle(line), 0);
    CHECK_SAME(cd_interval_middle(up), max);
    CHECK_SAME(cd_interval_middle(down), -max);
}

static void empty_intervals(void) {
    cd_interval none = cd_interval_empty(), some = bounds(1, 2), less = bounds(2, 1);
    CHECK(ASK("bad", cd_interval_is_empty(none)) && ASK("bad", cd_interval_is_empty(less)) &&
          !ASK("bad", cd_interval_is_empty(some)));
    CHECK(!ASK("bad", cd_interval_is_valid(none)) && ASK("bad", cd_interval_is_valid(some)) &&
          ASK("bad", cd_interval_is_valid(cd_interval_whole())));
    CHECK(same(cd_interval_add(less, some), none) && same(cd_interval_sub(some, less), none));
    CHECK(same(cd_interval_mul(less, bounds(0, 0)), none) && same(cd_interval_div(some, less), none));
    CHECK(same(cd_interval_div(less, bounds(0, 0)), none) && same(cd_interval_neg(less), none));
    CHECK(same(cd_interval_sqr(less), none) && same(cd_interval_sqrt(less), none) &&
          same(cd_interval_abs(less), none));
    CHECK(same(cd_interval_min(less, some), none) && same(cd_interval_max(some, less), none));
    CHECK(same(cd_interval_hull(less, some), some) && same(cd_interval_hull(none, less), none));
    CHECK(same(cd_interval_intersect(less, some), none) &&
          same(cd_interval_intersect(some, bounds(3, 4)), none));
    CHECK(same(ASK("bad", cd_interval_make(2, 1)), none) && same(cd_interval_sqrt(bounds(-2, -1)), none));
    CHECK(!ASK("bad", cd_interval_contains(less, (cd_real)1.5)));
    CHECK_SAME(ASK("bad", cd_interval_width(less)), 0);
    CHECK_SAME(cd_interval_middle(less), 0);
    CHECK_INT(cd_interval_less(less, some), CD_MAYBE);
    CHECK_INT(cd_interval_less_equal(some, less), CD_MAYBE);
    CHECK_INT(cd_interval_equal(less, less), CD_MAYBE);
    CHECK_INT(ASK("bad", cd_interval_sign(less)), CD_MAYBE);
}

static void nan_bounds_are_the_whole_line(void) {
    cd_interval line = cd_interval_whole(), odd[3] = {{0, 0}, {0, 0}, {0, 0}}, some = bounds(1, 2);
    odd[0].lo = odd[1].hi = odd[2].lo = odd[2].hi = (cd_real)NAN;
    for (int i = 0; i < 3; ++i) {
        cd_interval a = odd[i];
        CHECK(!ASK("bad", cd_interval_is_valid(a)) && !ASK("bad", cd_interval_is_empty(a)));
        CHECK(same(ASK("bad", cd_interval_make(a.lo, a.hi)), line) && same(cd_interval_neg(a), line));
        CHECK(same(cd_interval_add(a, some), line) && same(cd_interval_sub(some, a), line));
        CHECK(same(cd_interval_mul(a, some), line) && same(cd_interval_div(a, some), line));
        CHECK(same(cd_interval_div(some, a), line) && same(cd_interval_mul(a, bounds(0, 0)), bounds(0, 0)));
        CHECK(same(cd_interval_sqr(a), bounds(0, INFINITY)) &&
              same(cd_interval_sqrt(a), bounds(0, INFINITY)));
        CHECK(same(cd_interval_hull(a, some), line) && same(cd_interval_intersect(a, some), some));
        CHECK(same(cd_interval_min(a, some), bounds(-INFINITY, 2)) &&
              same(cd_interval_max(a, some), bounds(1, INFINITY)));
        CHECK(ASK("bad", cd_interval_contains(a, 7)) && !ASK("bad", cd_interval_contains(a, (cd_real)NAN)));
        CHECK_INT(cd_interval_less(a, some), CD_MAYBE);
        CHECK_INT(cd_interval_equal(a, a), CD_MAYBE);
        CHECK_INT(ASK("bad", cd_interval_sign(a)), CD_MAYBE);
        CHECK_SAME(ASK("bad", cd_interval_width(a)), INFINITY);
        CHECK_SAME(cd_interval_middle(a), 0);
    }
    CHECK(same(ASK("bad", cd_interval_from_value((cd_real)NAN)), line));
    CHECK(same(cd_interval_add(odd[0], cd_interval_empty()), cd_interval_empty()));
}

/* Bad numbers as bounds: a result is empty just when an operand is, and never has NaN. */
static void bad_bounds(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        cd_interval a, b, r[7];
        bool none;
        a.lo = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
        a.hi = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
        b.lo = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
        b.hi = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
        none = cd_interval_is_empty(a) || cd_interval_is_empty(b);
        note(a, b);
        r[0] = cd_interval_add(a, b);
        r[1] = cd_interval_sub(a, b);
        r[2] = cd_interval_mul(a, b);
        r[3] = cd_interval_div(a, b);
        r[4] = cd_interval_min(a, b);
        r[5] = cd_interval_max(a, b);
        r[6] = cd_interval_sqr(none ? cd_interval_empty() : a);
        for (int k = 0; k < 7; ++k) {
            CHECK_INT(ASK("bad", cd_interval_is_empty(r[k])), none);
            CHECK_INT(ASK("bad", cd_interval_is_valid(r[k])), !none);
            CHECK(none || (r[k].lo <= CD_REAL_MAX && r[k].hi >= -CD_REAL_MAX));
        }
        CHECK(ASK("bad", cd_interval_width(a)) >= 0 && ASK("bad", cd_is_finite(cd_interval_middle(a))));
    }
}

/* ---- comparisons ---- */

static cd_ternary told(bool always, bool never) {
    return always ? CD_YES : never ? CD_NO : CD_MAYBE;
}

/* Of intervals of a few numbers, by trying all pairs of ends and middles. */
static void comparisons_of_all_pairs(void) {
    for (int code = 0; code < 6 * 6 * 6 * 6; ++code) {
        int al = code % 6, ah = code / 6 % 6, bl = code / 36 % 6, bh = code / 216;
        bool less[2] = {true, true}, less_equal[2] = {true, true}, equal[2] = {true, true};
        cd_interval a = bounds(al - 3, ah - 3), b = bounds(bl - 3, bh - 3);
        if (al > ah || bl > bh) continue;
        for (int x = 2 * al; x <= 2 * ah; ++x) {
            for (int y = 2 * bl; y <= 2 * bh; ++y) {
                less[x < y ? 1 : 0] = false;
                less_equal[x <= y ? 1 : 0] = false;
                equal[x == y ? 1 : 0] = false;
            }
        }
        note(a, b);
        CHECK_INT(cd_interval_less(a, b), told(less[0], less[1]));
        CHECK_INT(cd_interval_less_equal(a, b), told(less_equal[0], less_equal[1]));
        CHECK_INT(cd_interval_equal(a, b), told(equal[0], equal[1]));
        CHECK_INT(ASK("loop", cd_interval_sign(a)), told(al > 3, ah < 3));
    }
}

static void comparisons_hold(void) {
    test_rng rng = test_random();
    for (long i = test_times(50000); i > 0; --i) {
        cd_real x, y;
        cd_interval a = draw_around(&rng, &x), b = draw_around(&rng, &y);
        cd_ternary less = ASK("exact", cd_interval_less(a, b)), less_equal = cd_interval_less_equal(a, b);
        cd_ternary equal = ASK("exact", cd_interval_equal(a, b)), sign = cd_interval_sign(a);
        note(a, b);
        CHECK(less == CD_MAYBE || (less == CD_YES) == (x < y));
        CHECK(less_equal == CD_MAYBE || (less_equal == CD_YES) == (x <= y));
        CHECK(equal == CD_MAYBE || (equal == CD_YES) == (x == y));
        CHECK(sign == CD_MAYBE || (sign == CD_YES ? x > 0 : x < 0));
        CHECK_INT(less, -(int)ASK("exact", cd_interval_less_equal(b, a)));
    }
}

/* ---- vectors ---- */

static cd_interval3 draw_box(test_rng *rng, double p[3]) {
    cd_interval3 box;
    cd_real x, y, z;
    box.x = draw_around(rng, &x);
    box.y = draw_around(rng, &y);
    box.z = draw_around(rng, &z);
    p[0] = (double)x;
    p[1] = (double)y;
    p[2] = (double)z;
    return box;
}

static bool box_holds(const cd_interval3 *box, exact3 v) {
    return holds(box->x, whole(v.c[0])) && holds(box->y, whole(v.c[1])) && holds(box->z, whole(v.c[2]));
}

static void vectors_hold_all_results(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        exact_pool pool = exact_begin();
        double p[3], q[3];
        cd_real s;
        cd_interval3 a = draw_box(&rng, p), b = draw_box(&rng, q), r;
        cd_interval scale = draw_around(&rng, &s);
        exact3 u = exact3_from(p), v = exact3_from(q);
        test_note("");
        test_note_reals("a", REALS(a), 6);
        test_note_reals("b", REALS(b), 6);
        r = ASK("exact", cd_interval3_add(&a, &b));
        CHECK(box_holds(&r, exact3_add(u, v)));
        r = ASK("exact", cd_interval3_sub(&a, &b));
        CHECK(box_holds(&r, exact3_sub(u, v)));
        r = ASK("exact", cd_interval3_scale(&a, scale));
        CHECK(box_holds(&r, exact3_scale(u, real(s))));
        r = ASK("exact", cd_interval3_cross(&a, &b));
        CHECK(box_holds(&r, exact3_cross(u, v)));
        CHECK(holds(ASK("exact", cd_interval3_dot(&a, &b)), whole(exact3_dot(u, v))));
        CHECK(holds(ASK("exact", cd_interval3_sqlength(&a)), whole(exact3_dot(u, u))));
        CHECK(ASK("exact", cd_interval3_sqlength(&a)).lo >= 0);
        exact_end(pool);
    }
}

/* What is made of two numbers, and told of it: any numbers, in either order. */
static void what_is_made_of_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        cd_real x = gen_any_real(&rng), y = test_int(&rng, 0, 3) ? gen_any_real(&rng) : gen_near(&rng, x);
        cd_real z = test_int(&rng, 0, 1) ? gen_near(&rng, x) : gen_any_real(&rng);
        cd_vec3 v = cd_vec3_make(x, isfinite((double)y) ? y : 0, -x);
        cd_interval a = ASK("exact", cd_interval_make(x, y)), b, raw;
        cd_interval3 box;
        note(a, a);
        if (x <= y)
            CHECK(a.lo == x && a.hi == y);
        else
            CHECK(a.lo > a.hi);
        raw.lo = x;
        raw.hi = y;
        CHECK_INT(ASK("exact", cd_interval_is_empty(raw)), x > y);
        CHECK_INT(ASK("exact", cd_interval_is_valid(raw)), x <= y);
        CHECK_INT(ASK("exact", cd_interval_contains(raw, z)), x <= z && z <= y);
        CHECK_INT(ASK("exact", cd_interval_sign(raw)), x > y   ? CD_MAYBE
                                                       : x > 0 ? CD_YES
                                                       : y < 0 ? CD_NO
                                                               : CD_MAYBE);
        b = ASK("exact", cd_interval_from_value(x));
        CHECK(b.lo == x && b.hi == x);
        box = ASK("exact", cd_interval3_from_vec3(v));
        for (int k = 0; k < 3; ++k)
            CHECK(REALS(box)[2 * k] == REALS(v)[k] && REALS(box)[2 * k + 1] == REALS(v)[k]);
        b = ASK("exact", cd_interval_whole());
        CHECK(b.lo == -(cd_real)INFINITY && b.hi == (cd_real)INFINITY);
        b = ASK("exact", cd_interval_empty());
        CHECK(b.lo > b.hi);
    }
}

/* Of points, results are no wider than a few roundings; in a float build, of two floats at most unless terms cancel. */
static void vectors_of_points_are_thin(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 p = gen_point(&g), q = gen_point(&g);
        cd_interval3 a = cd_interval3_from_vec3(p), b = cd_interval3_from_vec3(q),
                     c = cd_interval3_cross(&a, &b);
        cd_interval l = cd_interval3_sqlength(&a), d = cd_interval3_dot(&a, &b);
        CHECK(cd_interval_contains(a.x, p.x) && a.x.lo == a.x.hi && a.z.lo == p.z);
        CHECK(cd_ulps_between(l.lo, l.hi) <= (sizeof(cd_real) == 4 ? 1u : 8u));
        CHECK(cd_interval_width(d) <= 8 * CD_REAL_EPSILON && cd_interval_width(c.z) <= 8 * CD_REAL_EPSILON);
    }
}

void suite_interval(void) {
    RUN(results_hold_all_results);
    RUN(roots);
    RUN(bounds_are_the_tightest);
    RUN(exact_results_stay_exact);
    RUN(infinite_bounds);
    RUN(empty_intervals);
    RUN(nan_bounds_are_the_whole_line);
    RUN(bad_bounds);
    RUN(comparisons_of_all_pairs);
    RUN(comparisons_hold);
    RUN(vectors_hold_all_results);
    RUN(what_is_made_of_numbers);
    RUN(vectors_of_points_are_thin);
}
