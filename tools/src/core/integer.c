#include "core/integer.h"
#include "core/scalar.h"

/* ---- two's complement by hand: arithmetic is on unsigned numbers, which wrap by the rules of C ---- */

static cd_int128 cdi_int128_make(uint64_t hi, uint64_t lo) {
    cd_int128 r;
    r.lo = lo;
    r.hi = hi <= (uint64_t)INT64_MAX ? (int64_t)hi : -(int64_t)(UINT64_MAX - hi) - 1;
    return r;
}

static uint64_t cdi_magnitude(int64_t x) {
    return x < 0 ? 0u - (uint64_t)x : (uint64_t)x;
}

static int cdi_sign_int(int64_t x) {
    return (x > 0) - (x < 0);
}

CD_API cd_int128 cd_int128_from_int64(int64_t x) {
    return cdi_int128_make(x < 0 ? UINT64_MAX : 0u, (uint64_t)x);
}

CD_API cd_int128 cd_int128_add(cd_int128 a, cd_int128 b) {
    uint64_t lo = a.lo + b.lo;
    return cdi_int128_make((uint64_t)a.hi + (uint64_t)b.hi + (lo < a.lo), lo);
}

CD_API cd_int128 cd_int128_sub(cd_int128 a, cd_int128 b) {
    return cdi_int128_make((uint64_t)a.hi - (uint64_t)b.hi - (a.lo < b.lo), a.lo - b.lo);
}

CD_API cd_int128 cd_int128_neg(cd_int128 a) {
    return cd_int128_sub(cd_int128_from_int64(0), a);
}

/* Magnitudes by halves of 32 bits; no sum below exceeds 2^64 - 1. */
CD_API cd_int128 cd_int128_mul_int64(int64_t x, int64_t y) {
    uint64_t a = cdi_magnitude(x), b = cdi_magnitude(y), half = 0xFFFFFFFFu;
    uint64_t low = (a & half) * (b & half), cross = (a >> 32) * (b & half) + (low >> 32);
    uint64_t other = (a & half) * (b >> 32) + (cross & half);
    cd_int128 r =
        cdi_int128_make((a >> 32) * (b >> 32) + (cross >> 32) + (other >> 32), (other << 32) | (low & half));
    return (x < 0) != (y < 0) ? cd_int128_neg(r) : r;
}

CD_API int cd_int128_compare(cd_int128 a, cd_int128 b) {
    if (a.hi != b.hi) return a.hi < b.hi ? -1 : 1;
    return (a.lo > b.lo) - (a.lo < b.lo);
}

CD_API int cd_int128_sign(cd_int128 a) {
    return a.hi != 0 ? cdi_sign_int(a.hi) : a.lo != 0;
}

/* The magnitude is moved up until its highest bit is that of hi; of this the leading 53 bits count, rounded by all below. */
CD_API double cd_int128_to_double(cd_int128 a) {
    cd_int128 size = a.hi < 0 ? cd_int128_neg(a) : a;
    uint64_t hi = (uint64_t)size.hi, lo = size.lo, mantissa, below;
    int exponent = 64 + 11;
    double r;
    if (hi == 0) {
        hi = lo;
        lo = 0;
        exponent -= 64;
    }
    if (hi == 0) return 0.0;
    while (hi >> 63 == 0) {
        hi = (hi << 1) | (lo >> 63);
        lo <<= 1;
        --exponent;
    }
    mantissa = hi >> 11;
    below = hi & 2047u;
    if (below > 1024u || (below == 1024u && (lo != 0 || (mantissa & 1u) != 0))) ++mantissa;
    r = (double)(int64_t)mantissa * cdi_exp2i(exponent); /* 2^53 at most: exact */
    return a.hi < 0 ? -r : r;
}

/* ---- fractions ---- */

/* The sign of an / ad - bn / bd, none of them 0. Each round is a step of Euclid's algorithm for both. */
static int cdi_compare_ratios(uint64_t an, uint64_t ad, uint64_t bn, uint64_t bd) {
    for (int sign = 1;; sign = -sign) {
        uint64_t p = an / ad, q = bn / bd, r = an % ad, s = bn % bd;
        if (p != q) return p < q ? -sign : sign;
        if (r == 0 || s == 0) return ((r != 0) - (s != 0)) * sign;
        an = ad; /* r / ad against s / bd: the other way round, ad / r against bd / s */
        ad = r;
        bn = bd;
        bd = s;
    }
}

/* 0 / 0 is 0, anything else over 0 infinite. */
static int cdi_sign_of_ratio(int64_t num, int64_t den) {
    return den < 0 ? -cdi_sign_int(num) : cdi_sign_int(num);
}

CD_API int cd_compare_fractions(int64_t a_num, int64_t a_den, int64_t b_num, int64_t b_den) {
    int a = cdi_sign_of_ratio(a_num, a_den), b = cdi_sign_of_ratio(b_num, b_den);
    if (a != b || a == 0) return (a > b) - (a < b);
    if (a_den == 0 || b_den == 0) return a * ((a_den == 0) - (b_den == 0));
    return a * cdi_compare_ratios(cdi_magnitude(a_num), cdi_magnitude(a_den), cdi_magnitude(b_num),
                                  cdi_magnitude(b_den));
}

/* ---- points and segments ---- */

static int64_t cdi_difference(int32_t a, int32_t b) {
    return (int64_t)a - (int64_t)b;
}

/* The sign of p q - r s, for differences of coordinates: their products have at most 64 bits and a sign. */
static int cdi_compare_products(int64_t p, int64_t q, int64_t r, int64_t s) {
    uint64_t pq = cdi_magnitude(p) * cdi_magnitude(q), rs = cdi_magnitude(r) * cdi_magnitude(s);
    int left = cdi_sign_int(p) * cdi_sign_int(q), right = cdi_sign_int(r) * cdi_sign_int(s);
    if (left != right) return left > right ? 1 : -1;
    return left * ((pq > rs) - (pq < rs));
}

CD_API int cd_orient2d_int(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c) {
    return cdi_compare_products(cdi_difference(b.x, a.x), cdi_difference(c.y, a.y), cdi_difference(b.y, a.y),
                                cdi_difference(c.x, a.x));
}

/* Do the spans a b and c d of one coordinate meet? */
static bool cdi_spans_meet(int32_t a, int32_t b, int32_t c, int32_t d) {
    bool before = a < c && a < d && b < c && b<d, after = a> c && a > d && b > c && b > d;
    return !before && !after;
}

/* Neither segment lies on one side of the other's line, and their boxes meet: this last matters only where they are on one
 * line or are points, and there it is all that matters. */
CD_API bool cd_test_2d_segment_segment_exact(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c, cd_ivec2 d) {
    if (!cdi_spans_meet(a.x, b.x, c.x, d.x) || !cdi_spans_meet(a.y, b.y, c.y, d.y)) return false;
    if (cd_orient2d_int(a, b, c) * cd_orient2d_int(a, b, d) > 0) return false;
    return cd_orient2d_int(c, d, a) * cd_orient2d_int(c, d, b) <= 0;
}

/* (q - p) x (s - r): 65 bits and a sign. */
static cd_int128 cdi_cross_int(cd_ivec2 p, cd_ivec2 q, cd_ivec2 r, cd_ivec2 s) {
    cd_int128 left = cd_int128_mul_int64(cdi_difference(q.x, p.x), cdi_difference(s.y, r.y));
    cd_int128 right = cd_int128_mul_int64(cdi_difference(q.y, p.y), cdi_difference(s.x, r.x));
    return cd_int128_sub(left, right);
}

/* How far p is from a toward b along the axis in which these differ more; 32 bits and a sign. */
static int64_t cdi_along_axis(cd_ivec2 a, cd_ivec2 b, cd_ivec2 p) {
    int64_t x = cdi_difference(b.x, a.x), y = cdi_difference(b.y, a.y);
    bool by_x = cdi_magnitude(x) >= cdi_magnitude(y);
    int64_t along = by_x ? cdi_difference(p.x, a.x) : cdi_difference(p.y, a.y);
    return (by_x ? x : y) < 0 ? -along : along;
}

/* The part of a b that c d covers, all on one line, a and b apart. */
static void cdi_overlap_on_line(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c, cd_ivec2 d, cd_segment_cut2 *out) {
    int64_t length = cdi_along_axis(a, b, b), first = cdi_along_axis(a, b, c), last = cdi_along_axis(a, b, d);
    if (first > last) {
        int64_t swap = first;
        cd_ivec2 point = c;
        first = last;
        last = swap;
        c = d;
        d = point;
    }
    out->ends[0] = first > 0 ? c : a;
    out->ends[1] = last < length ? d : b;
    out->num[0] = cd_int128_from_int64(first > 0 ? first : 0);
    out->num[1] = cd_int128_from_int64(last < length ? last : length);
    out->den = cd_int128_from_int64(length);
}

CD_API bool cd_intersect_2d_segment_segment_exact(cd_ivec2 a, cd_ivec2 b, cd_ivec2 c, cd_ivec2 d,
                                                  cd_segment_cut2 *out) {
    cd_segment_cut2 cut;
    cd_ivec2 zero = {0, 0};
    cd_int128 det = cdi_cross_int(a, b, c, d);
    if (!cd_test_2d_segment_segment_exact(a, b, c, d)) return false;
    if (cd_int128_sign(det) != 0) { /* a + t (b - a) is on the line c d for t = (c - a) x (d - c) / det */
        cut.num[0] = cdi_cross_int(a, c, c, d);
        if (cd_int128_sign(det) < 0) cut.num[0] = cd_int128_neg(cut.num[0]);
        cut.num[1] = cut.num[0];
        cut.den = cd_int128_sign(det) < 0 ? cd_int128_neg(det) : det;
    } else if (a.x == b.x && a.y == b.y) {
        cut.num[0] = cut.num[1] = cd_int128_from_int64(0);
        cut.den = cd_int128_from_int64(1);
    } else {
        cdi_overlap_on_line(a, b, c, d, &cut);
    }
    cut.kind = (uint32_t)CD_SEGMENT_CUT_OVERLAP;
    if (cd_int128_compare(cut.num[0], cut.num[1]) == 0) {
        cut.kind = (uint32_t)CD_SEGMENT_CUT_POINT;
        cut.ends[0] = cut.ends[1] = zero;
    }
    if (out) *out = cut;
    return true;
}
