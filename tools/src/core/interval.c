#include "core/interval.h"
#include "core/expansion.h"

/* ---- upper bounds of single results ----
 *
 * Only upper bounds are computed: a lower bound is minus the upper bound of the negated result. No upper bound of a set
 * of numbers is -infinity, so where one comes out, a result below all doubles was rounded, and -CDI_HUGE is above it. */

/* An interval of doubles, as operations use it: no NaN, lo < infinity, hi > -infinity; or empty, lo > hi. */
typedef struct cdi_itv {
    double lo, hi;
} cdi_itv;

/* r, the double nearest to a result, or the next one, where the result is above r: where `error` is positive. */
static double cdi_bound_above(double r, int error) {
    if (r < -CDI_HUGE) return -CDI_HUGE;
    if (error <= 0 || r > CDI_HUGE) return r;
    return r == CDI_HUGE ? cdi_infinity() : cdi_next_double(r, true);
}

static bool cdi_is_middling(double x) {
    return cdi_abs(x) > 1e-120 && cdi_abs(x) < 1e120;
}

/* The sign of a b - c, for finite numbers, exactly. In the general case a and b are scaled into [1, 2), and c likewise,
 * where it does not differ from the product so much that its exponent tells. */
static int cdi_compare_product(double a, double b, double c) {
    double p, low;
    if (!cdi_is_middling(a) || !cdi_is_middling(b)) {
        int e = cdi_exponent(a), f = cdi_exponent(b), g = cdi_exponent(c);
        if (a == 0.0 || b == 0.0) return -cdi_sign(c);
        if (c == 0.0 || g < e + f - 4) return cdi_sign(a) * cdi_sign(b);
        if (g > e + f + 4) return -cdi_sign(c);
        a = cdi_scale2(a, -e);
        b = cdi_scale2(b, -f);
        c = cdi_scale2(c, -e - f);
    }
    cdi_two_product(a, b, &p, &low);
    return p > c ? 1 : p < c ? -1 : cdi_sign(low);
}

static double cdi_sum_above(double a, double b) {
    double sum = a + b, rest;
    bool first = cdi_abs(a) >= cdi_abs(b);
    if (!cdi_finite(sum)) return cdi_bound_above(sum, 0);
    cdi_fast_two_sum(first ? a : b, first ? b : a, &sum, &rest);
    return cdi_bound_above(sum, cdi_sign(rest));
}

static double cdi_product_above(double a, double b) {
    double p = a * b;
    if (a == 0.0 || b == 0.0) return 0.0; /* though the other may be infinite */
    return cdi_bound_above(p, cdi_finite(p) ? cdi_compare_product(a, b, p) : 0);
}

/* a / b for b not 0; 0 for an infinite b, which quotients only come near. */
static double cdi_quotient_above(double a, double b) {
    double q = a / b;
    if (a == 0.0 || !cdi_finite(b)) return 0.0;
    return cdi_bound_above(q, cdi_finite(q) ? -cdi_compare_product(q, b, a) * cdi_sign(b) : 0);
}

/* Roots of x >= 0. */
static double cdi_root_above(double x) {
    double r = cdi_sqrt(x);
    return cdi_bound_above(r, cdi_finite(x) ? -cdi_compare_product(r, r, x) : 0);
}
static double cdi_root_below(double x) {
    double r = cdi_sqrt(x);
    return cdi_finite(x) && cdi_compare_product(r, r, x) > 0 ? cdi_next_double(r, false) : r;
}

/* ---- intervals of doubles ---- */

static cdi_itv cdi_itv_make(double lo, double hi) {
    cdi_itv r;
    r.lo = lo;
    r.hi = hi;
    return r;
}

static cdi_itv cdi_itv_none(void) {
    return cdi_itv_make(cdi_infinity(), -cdi_infinity());
}

static cdi_itv cdi_itv_line(void) {
    return cdi_itv_make(-cdi_infinity(), cdi_infinity());
}

static bool cdi_itv_is_empty(cdi_itv a) {
    return a.lo > a.hi;
}

static bool cdi_itv_has_zero(cdi_itv a) {
    return a.lo <= 0.0 && a.hi >= 0.0;
}

static cdi_itv cdi_itv_neg(cdi_itv a) {
    return cdi_itv_make(0.0 - a.hi, 0.0 - a.lo);
}

static cdi_itv cdi_itv_add(cdi_itv a, cdi_itv b) {
    if (cdi_itv_is_empty(a) || cdi_itv_is_empty(b)) return cdi_itv_none();
    return cdi_itv_make(0.0 - cdi_sum_above(-a.lo, -b.lo), cdi_sum_above(a.hi, b.hi));
}

static cdi_itv cdi_itv_sub(cdi_itv a, cdi_itv b) {
    return cdi_itv_add(a, cdi_itv_neg(b));
}

/* The largest product, or quotient, of bounds. */
static double cdi_corners_above(cdi_itv a, cdi_itv b, bool divide) {
    double most = -CDI_HUGE;
    for (int i = 0; i < 4; ++i) {
        double x = i & 1 ? a.hi : a.lo, y = i & 2 ? b.hi : b.lo;
        most = cdi_max(most, divide ? cdi_quotient_above(x, y) : cdi_product_above(x, y));
    }
    return most;
}

static cdi_itv cdi_itv_mul(cdi_itv a, cdi_itv b) {
    if (cdi_itv_is_empty(a) || cdi_itv_is_empty(b)) return cdi_itv_none();
    return cdi_itv_make(0.0 - cdi_corners_above(cdi_itv_neg(a), b, false), cdi_corners_above(a, b, false));
}

static cdi_itv cdi_itv_div(cdi_itv a, cdi_itv b) {
    if (cdi_itv_is_empty(a) || cdi_itv_is_empty(b)) return cdi_itv_none();
    if (cdi_itv_has_zero(b)) return cdi_itv_line();
    return cdi_itv_make(0.0 - cdi_corners_above(cdi_itv_neg(a), b, true), cdi_corners_above(a, b, true));
}

static cdi_itv cdi_itv_abs(cdi_itv a) {
    if (a.lo >= 0.0 || cdi_itv_is_empty(a)) return a;
    if (a.hi <= 0.0) return cdi_itv_neg(a);
    return cdi_itv_make(0.0, cdi_max(-a.lo, a.hi));
}

static cdi_itv cdi_itv_sqr(cdi_itv a) {
    a = cdi_itv_abs(a);
    if (cdi_itv_is_empty(a)) return a;
    return cdi_itv_make(0.0 - cdi_product_above(-a.lo, a.lo), cdi_product_above(a.hi, a.hi));
}

static cdi_itv cdi_itv_sqrt(cdi_itv a) {
    if (cdi_itv_is_empty(a) || a.hi < 0.0) return cdi_itv_none();
    return cdi_itv_make(a.lo > 0.0 ? cdi_root_below(a.lo) : 0.0, cdi_root_above(a.hi));
}

/* ---- in and out ---- */

static cdi_itv cdi_itv_of(cd_interval a) {
    if (a.lo != a.lo || a.hi != a.hi) return cdi_itv_line();
    if (a.lo > a.hi) return cdi_itv_none();
    return cdi_itv_make(cdi_min((double)a.lo, (double)CD_REAL_MAX),
                        cdi_max((double)a.hi, -(double)CD_REAL_MAX));
}

/* The least number of the interface's type that is not below x. */
static cd_real cdi_real_above(double x) {
    cd_real r;
    if (x > (double)CD_REAL_MAX) return (cd_real)cdi_infinity();
    if (x < -(double)CD_REAL_MAX) return -CD_REAL_MAX;
    r = (cd_real)x;
    return (double)r < x ? cdi_next_real(r, true) : r;
}

static cd_interval cdi_itv_out(cdi_itv a) {
    cd_interval r;
    bool empty = cdi_itv_is_empty(a);
    r.lo = empty ? (cd_real)cdi_infinity() : 0 - cdi_real_above(0.0 - a.lo);
    r.hi = empty ? (cd_real)-cdi_infinity() : cdi_real_above(a.hi);
    return r;
}

/* ---- the public operations ---- */

CD_API cd_interval cd_interval_make(cd_real lo, cd_real hi) {
    cd_interval r;
    r.lo = lo;
    r.hi = hi;
    return cdi_itv_out(cdi_itv_of(r));
}

CD_API cd_interval cd_interval_from_value(cd_real x) {
    return cd_interval_make(x, x);
}

CD_API cd_interval cd_interval_whole(void) {
    return cdi_itv_out(cdi_itv_line());
}

CD_API cd_interval cd_interval_empty(void) {
    return cdi_itv_out(cdi_itv_none());
}

CD_API bool cd_interval_is_valid(cd_interval a) {
    return a.lo <= a.hi;
}

CD_API bool cd_interval_is_empty(cd_interval a) {
    return a.lo > a.hi;
}

CD_API bool cd_interval_contains(cd_interval a, cd_real x) {
    cdi_itv d = cdi_itv_of(a);
    return d.lo <= (double)x && (double)x <= d.hi;
}

CD_API cd_interval cd_interval_hull(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    return cdi_itv_out(cdi_itv_make(cdi_min(p.lo, q.lo), cdi_max(p.hi, q.hi)));
}

CD_API cd_interval cd_interval_intersect(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    return cdi_itv_out(cdi_itv_make(cdi_max(p.lo, q.lo), cdi_min(p.hi, q.hi)));
}

CD_API cd_real cd_interval_width(cd_interval a) {
    cdi_itv d = cdi_itv_of(a);
    return cdi_itv_is_empty(d) ? 0 : cdi_real_above(cdi_sum_above(d.hi, -d.lo));
}

CD_API cd_real cd_interval_middle(cd_interval a) {
    cdi_itv d = cdi_itv_of(a);
    double sum = d.lo + d.hi;
    if (cdi_itv_is_empty(d) || sum != sum) return 0; /* infinity - infinity: no bound at all */
    if (d.hi > CDI_HUGE) return CD_REAL_MAX;
    if (d.lo < -CDI_HUGE) return -CD_REAL_MAX;
    return (cd_real)(cdi_finite(sum) ? 0.5 * sum : 0.5 * d.lo + 0.5 * d.hi);
}

CD_API cd_interval cd_interval_neg(cd_interval a) {
    return cdi_itv_out(cdi_itv_neg(cdi_itv_of(a)));
}

CD_API cd_interval cd_interval_add(cd_interval a, cd_interval b) {
    return cdi_itv_out(cdi_itv_add(cdi_itv_of(a), cdi_itv_of(b)));
}

CD_API cd_interval cd_interval_sub(cd_interval a, cd_interval b) {
    return cdi_itv_out(cdi_itv_sub(cdi_itv_of(a), cdi_itv_of(b)));
}

CD_API cd_interval cd_interval_mul(cd_interval a, cd_interval b) {
    return cdi_itv_out(cdi_itv_mul(cdi_itv_of(a), cdi_itv_of(b)));
}

CD_API cd_interval cd_interval_div(cd_interval a, cd_interval b) {
    return cdi_itv_out(cdi_itv_div(cdi_itv_of(a), cdi_itv_of(b)));
}

CD_API cd_interval cd_interval_sqr(cd_interval a) {
    return cdi_itv_out(cdi_itv_sqr(cdi_itv_of(a)));
}

CD_API cd_interval cd_interval_sqrt(cd_interval a) {
    return cdi_itv_out(cdi_itv_sqrt(cdi_itv_of(a)));
}

CD_API cd_interval cd_interval_abs(cd_interval a) {
    return cdi_itv_out(cdi_itv_abs(cdi_itv_of(a)));
}

CD_API cd_interval cd_interval_min(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    if (cdi_itv_is_empty(p) || cdi_itv_is_empty(q)) return cd_interval_empty();
    return cdi_itv_out(cdi_itv_make(cdi_min(p.lo, q.lo), cdi_min(p.hi, q.hi)));
}

CD_API cd_interval cd_interval_max(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    if (cdi_itv_is_empty(p) || cdi_itv_is_empty(q)) return cd_interval_empty();
    return cdi_itv_out(cdi_itv_make(cdi_max(p.lo, q.lo), cdi_max(p.hi, q.hi)));
}

/* ---- comparisons: yes and no from bounds, else maybe; an empty interval tells nothing ---- */

static cd_ternary cdi_ternary(cdi_itv a, cdi_itv b, bool yes, bool no) {
    if (cdi_itv_is_empty(a) || cdi_itv_is_empty(b)) return CD_MAYBE;
    return yes ? CD_YES : no ? CD_NO : CD_MAYBE;
}

CD_API cd_ternary cd_interval_less(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    return cdi_ternary(p, q, p.hi < q.lo, p.lo >= q.hi);
}

CD_API cd_ternary cd_interval_less_equal(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    return cdi_ternary(p, q, p.hi <= q.lo, p.lo > q.hi);
}

CD_API cd_ternary cd_interval_equal(cd_interval a, cd_interval b) {
    cdi_itv p = cdi_itv_of(a), q = cdi_itv_of(b);
    return cdi_ternary(p, q, p.lo == q.hi && p.hi == q.lo, p.hi < q.lo || p.lo > q.hi);
}

CD_API cd_ternary cd_interval_sign(cd_interval a) {
    cdi_itv p = cdi_itv_of(a);
    return cdi_ternary(p, p, p.lo > 0.0, p.hi < 0.0);
}

/* ---- vectors ---- */

typedef struct cdi_itv3 {
    cdi_itv x, y, z;
} cdi_itv3;

static cdi_itv3 cdi_itv3_of(const cd_interval3 *a) {
    cdi_itv3 r;
    r.x = cdi_itv_of(a->x);
    r.y = cdi_itv_of(a->y);
    r.z = cdi_itv_of(a->z);
    return r;
}

static cd_interval3 cdi_itv3_out(cdi_itv x, cdi_itv y, cdi_itv z) {
    cd_interval3 r;
    r.x = cdi_itv_out(x);
    r.y = cdi_itv_out(y);
    r.z = cdi_itv_out(z);
    return r;
}

CD_API cd_interval3 cd_interval3_from_vec3(cd_vec3 v) {
    cd_interval3 r;
    r.x = cd_interval_from_value(v.x);
    r.y = cd_interval_from_value(v.y);
    r.z = cd_interval_from_value(v.z);
    return r;
}

CD_API cd_interval3 cd_interval3_add(const cd_interval3 *a, const cd_interval3 *b) {
    cdi_itv3 p = cdi_itv3_of(a), q = cdi_itv3_of(b);
    return cdi_itv3_out(cdi_itv_add(p.x, q.x), cdi_itv_add(p.y, q.y), cdi_itv_add(p.z, q.z));
}

CD_API cd_interval3 cd_interval3_sub(const cd_interval3 *a, const cd_interval3 *b) {
    cdi_itv3 p = cdi_itv3_of(a), q = cdi_itv3_of(b);
    return cdi_itv3_out(cdi_itv_sub(p.x, q.x), cdi_itv_sub(p.y, q.y), cdi_itv_sub(p.z, q.z));
}

CD_API cd_interval3 cd_interval3_scale(const cd_interval3 *a, cd_interval s) {
    cdi_itv3 p = cdi_itv3_of(a);
    cdi_itv q = cdi_itv_of(s);
    return cdi_itv3_out(cdi_itv_mul(p.x, q), cdi_itv_mul(p.y, q), cdi_itv_mul(p.z, q));
}

CD_API cd_interval cd_interval3_dot(const cd_interval3 *a, const cd_interval3 *b) {
    cdi_itv3 p = cdi_itv3_of(a), q = cdi_itv3_of(b);
    return cdi_itv_out(
        cdi_itv_add(cdi_itv_add(cdi_itv_mul(p.x, q.x), cdi_itv_mul(p.y, q.y)), cdi_itv_mul(p.z, q.z)));
}

static cdi_itv cdi_itv_minor(cdi_itv a, cdi_itv b, cdi_itv c, cdi_itv d) {
    return cdi_itv_sub(cdi_itv_mul(a, d), cdi_itv_mul(b, c));
}

CD_API cd_interval3 cd_interval3_cross(const cd_interval3 *a, const cd_interval3 *b) {
    cdi_itv3 p = cdi_itv3_of(a), q = cdi_itv3_of(b);
    return cdi_itv3_out(cdi_itv_minor(p.y, p.z, q.y, q.z), cdi_itv_minor(p.z, p.x, q.z, q.x),
                        cdi_itv_minor(p.x, p.y, q.x, q.y));
}

CD_API cd_interval cd_interval3_sqlength(const cd_interval3 *a) {
    cdi_itv3 p = cdi_itv3_of(a);
    return cdi_itv_out(cdi_itv_add(cdi_itv_add(cdi_itv_sqr(p.x), cdi_itv_sqr(p.y)), cdi_itv_sqr(p.z)));
}
