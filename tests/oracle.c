/* The references of the tests; see oracle.h. */
#include "oracle.h"
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *why) {
    fprintf(stderr, "oracle: %s\n", why);
    abort();
}

/* ---- the pool: blocks, each twice as large as the one before, that stay for good ---- */

enum { BLOCKS = 14, FIRST_BLOCK = 1 << 14 };

static struct {
    uint32_t *block[BLOCKS];
    exact_pool now;
} pool;

exact_pool exact_begin(void) {
    return pool.now;
}

void exact_end(exact_pool start) {
    pool.now = start;
}

static uint32_t *take(int count) {
    uint32_t *limbs;
    while (pool.now.used + (size_t)count > (size_t)FIRST_BLOCK << pool.now.block) {
        if (++pool.now.block == BLOCKS) stop("the numbers are too long");
        pool.now.used = 0;
    }
    if (!pool.block[pool.now.block])
        pool.block[pool.now.block] =
            (uint32_t *)malloc(sizeof(uint32_t) * ((size_t)FIRST_BLOCK << pool.now.block));
    if (!pool.block[pool.now.block]) stop("out of memory");
    limbs = pool.block[pool.now.block] + pool.now.used;
    pool.now.used += (size_t)count;
    return limbs;
}

/* ---- exact numbers ---- */

/* The number with these limbs, without the zeros at both ends. */
static exact trimmed(int sign, int low, int length, const uint32_t *limb) {
    exact a;
    while (length > 0 && limb[length - 1] == 0) --length;
    while (length > 0 && limb[0] == 0) ++limb, ++low, --length;
    a.sign = length ? sign : 0;
    a.low = length ? low : 0;
    a.length = length;
    a.limb = limb;
    return a;
}

/* mantissa * 2^exponent */
static exact shifted(int sign, uint64_t mantissa, int exponent) {
    int shift = ((exponent % 32) + 32) % 32;
    uint32_t *limb = take(3);
    limb[0] = (uint32_t)(mantissa << shift);
    limb[1] = (uint32_t)((mantissa << shift) >> 32);
    limb[2] = shift ? (uint32_t)(mantissa >> (64 - shift)) : 0;
    return trimmed(sign, (exponent - shift) / 32, 3, limb);
}

exact exact_from(double value) {
    int exponent;
    double fraction = frexp(fabs(value), &exponent);
    if (!(fabs(value) <= DBL_MAX)) stop("a number is not finite");
    return shifted(value < 0 ? -1 : 1, (uint64_t)ldexp(fraction, 53), exponent - 53);
}

exact exact_power(int exponent) {
    return shifted(1, 1, exponent);
}

exact exact_negate(exact a) {
    a.sign = -a.sign;
    return a;
}

static int top(exact a) {
    return a.low + a.length;
}

static uint32_t limb_at(exact a, int place) {
    return place >= a.low && place < top(a) ? a.limb[place - a.low] : 0;
}

static int smaller(int a, int b) {
    return a < b ? a : b;
}

static int larger(int a, int b) {
    return a > b ? a : b;
}

/* The sign of |a| - |b|; neither is 0. */
static int compare_sizes(exact a, exact b) {
    int place;
    if (top(a) != top(b)) return top(a) < top(b) ? -1 : 1;
    for (place = top(a) - 1; place >= smaller(a.low, b.low); --place) {
        uint32_t x = limb_at(a, place), y = limb_at(b, place);
        if (x != y) return x < y ? -1 : 1;
    }
    return 0;
}

/* sign * (|a| + |b|) */
static exact add_sizes(int sign, exact a, exact b) {
    int low = smaller(a.low, b.low), length = larger(top(a), top(b)) - low + 1;
    uint32_t *limb = take(length);
    uint64_t carry = 0;
    for (int i = 0; i < length; ++i) {
        carry += (uint64_t)limb_at(a, low + i) + limb_at(b, low + i);
        limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    return trimmed(sign, low, length, limb);
}

/* sign * (|a| - |b|), where |a| > |b| */
static exact sub_sizes(int sign, exact a, exact b) {
    int low = smaller(a.low, b.low), length = top(a) - low;
    uint32_t *limb = take(length);
    uint32_t borrow = 0;
    for (int i = 0; i < length; ++i) {
        uint64_t less = (uint64_t)limb_at(b, low + i) + borrow;
        uint32_t from = limb_at(a, low + i);
        limb[i] = (uint32_t)(from - less);
        borrow = from < less;
    }
    return trimmed(sign, low, length, limb);
}

exact exact_add(exact a, exact b) {
    int order;
    if (a.sign == 0) return b;
    if (b.sign == 0) return a;
    if (a.sign == b.sign) return add_sizes(a.sign, a, b);
    order = compare_sizes(a, b);
    if (order == 0) return trimmed(0, 0, 0, NULL);
    return order > 0 ? sub_sizes(a.sign, a, b) : sub_sizes(b.sign, b, a);
}

exact exact_sub(exact a, exact b) {
    return exact_add(a, exact_negate(b));
}

/* sum[0 ... b.length] += factor * |b| */
static void add_row(uint32_t *sum, uint32_t factor, exact b) {
    uint64_t carry = 0;
    for (int i = 0; i < b.length; ++i) {
        carry += (uint64_t)factor * b.limb[i] + sum[i];
        sum[i] = (uint32_t)carry;
        carry >>= 32;
    }
    sum[b.length] = (uint32_t)carry;
}

exact exact_mul(exact a, exact b) {
    int length = a.length + b.length;
    uint32_t *limb;
    if (a.sign == 0 || b.sign == 0) return trimmed(0, 0, 0, NULL);
    limb = take(length);
    memset(limb, 0, sizeof(uint32_t) * (size_t)length);
    for (int i = 0; i < a.length; ++i) {
        if (a.limb[i]) add_row(limb + i, a.limb[i], b);
    }
    return trimmed(a.sign * b.sign, a.low + b.low, length, limb);
}

int exact_compare(exact a, exact b) {
    if (a.sign != b.sign) return a.sign < b.sign ? -1 : 1;
    return a.sign == 0 ? 0 : a.sign * compare_sizes(a, b);
}

/* ---- ratios, and rounding to the nearest double ---- */

ratio ratio_make(exact num, exact den) {
    ratio r;
    if (den.sign == 0) stop("division by 0");
    r.num = den.sign < 0 ? exact_negate(num) : num;
    r.den = den.sign < 0 ? exact_negate(den) : den;
    return r;
}

int ratio_compare(ratio a, ratio b) {
    return exact_compare(exact_mul(a.num, b.den), exact_mul(b.num, a.den));
}

/* |a| to about 50 bits, as a fraction in [0.5, 1) and a power of two. */
static double leading(exact a, int *exponent) {
    double sum = 0, fraction;
    for (int i = 1; i <= 3; ++i) sum = sum * 4294967296.0 + limb_at(a, top(a) - i);
    fraction = frexp(sum, exponent);
    *exponent += 32 * (top(a) - 3);
    return fraction;
}

/* |a|, or its square root where degree is 2, to within a few units in the last place. */
static double estimate(ratio a, int degree) {
    int num_exponent, den_exponent, exponent;
    double quotient = leading(a.num, &num_exponent) / leading(a.den, &den_exponent);
    volatile double result; /* no excess digits */
    exponent = num_exponent - den_exponent;
    if (degree == 2) {
        bool odd = exponent % 2 != 0;
        quotient = sqrt(odd ? 2 * quotient : quotient);
        exponent = (odd ? exponent - 1 : exponent) / 2;
    }
    result = ldexp(quotient, exponent);
    return result > DBL_MAX ? DBL_MAX : result;
}

/* The sign of |a| - m^degree, where m is midway between d and the next double. */
static int beyond_middle(ratio a, int degree, double d) {
    exact next = d < DBL_MAX ? exact_from(nextafter(d, HUGE_VAL)) : exact_power(DBL_MAX_EXP);
    exact m = exact_mul(exact_add(exact_from(d), next), exact_power(-1));
    if (degree == 2) m = exact_mul(m, m);
    a.num.sign = 1;
    return exact_compare(a.num, exact_mul(m, a.den));
}

static int is_odd(double d) {
    uint64_t bits;
    memcpy(&bits, &d, sizeof bits);
    return (int)(bits & 1);
}

/* Starts near by and walks until the exact value lies between the two middles round the double; a middle itself
 * belongs to its even side. */
static double nearest(ratio a, int degree) {
    exact_pool start = exact_begin();
    double d;
    if (a.num.sign == 0) return 0;
    d = estimate(a, degree);
    while (d > 0 && beyond_middle(a, degree, nextafter(d, 0)) < is_odd(d)) d = nextafter(d, 0);
    while (d <= DBL_MAX && beyond_middle(a, degree, d) > -is_odd(d)) d = nextafter(d, HUGE_VAL);
    exact_end(start);
    return a.num.sign < 0 ? -d : d;
}

double ratio_to_double(ratio a) {
    return nearest(a, 1);
}

double ratio_sqrt(ratio a) {
    if (a.num.sign < 0) stop("square root of a negative number");
    return nearest(a, 2);
}

double exact_to_double(exact a) {
    return ratio_to_double(ratio_make(a, exact_power(0)));
}

/* ---- vectors ---- */

exact3 exact3_from(const double v[3]) {
    exact3 r;
    for (int i = 0; i < 3; ++i) r.c[i] = exact_from(v[i]);
    return r;
}

exact3 exact3_add(exact3 a, exact3 b) {
    for (int i = 0; i < 3; ++i) a.c[i] = exact_add(a.c[i], b.c[i]);
    return a;
}

exact3 exact3_sub(exact3 a, exact3 b) {
    for (int i = 0; i < 3; ++i) a.c[i] = exact_sub(a.c[i], b.c[i]);
    return a;
}

exact3 exact3_scale(exact3 a, exact s) {
    for (int i = 0; i < 3; ++i) a.c[i] = exact_mul(a.c[i], s);
    return a;
}

exact exact3_dot(exact3 a, exact3 b) {
    exact sum = exact_mul(a.c[0], b.c[0]);
    for (int i = 1; i < 3; ++i) sum = exact_add(sum, exact_mul(a.c[i], b.c[i]));
    return sum;
}

static exact cross2(exact ax, exact ay, exact bx, exact by) {
    return exact_sub(exact_mul(ax, by), exact_mul(ay, bx));
}

exact3 exact3_cross(exact3 a, exact3 b) {
    exact3 r;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        r.c[i] = cross2(a.c[j], a.c[k], b.c[j], b.c[k]);
    }
    return r;
}

exact exact3_triple(exact3 a, exact3 b, exact3 c) {
    return exact3_dot(a, exact3_cross(b, c));
}

bool exact3_is_zero(exact3 a) {
    return a.c[0].sign == 0 && a.c[1].sign == 0 && a.c[2].sign == 0;
}

/* ---- predicates ---- */

static exact difference(double a, double b) {
    return exact_sub(exact_from(a), exact_from(b));
}

int oracle_orient2d(const double a[2], const double b[2], const double c[2]) {
    exact_pool start = exact_begin();
    exact area = cross2(difference(b[0], a[0]), difference(b[1], a[1]), difference(c[0], a[0]),
                        difference(c[1], a[1]));
    exact_end(start);
    return area.sign;
}

int oracle_orient3d(const double a[3], const double b[3], const double c[3], const double d[3]) {
    exact_pool start = exact_begin();
    exact3 at = exact3_from(d);
    exact volume = exact3_triple(exact3_sub(exact3_from(a), at), exact3_sub(exact3_from(b), at),
                                 exact3_sub(exact3_from(c), at));
    exact_end(start);
    return volume.sign;
}

/* a - d lifted to the paraboloid: (x, y, x^2 + y^2) */
static exact3 lifted(const double a[2], const double d[2]) {
    exact3 r;
    r.c[0] = difference(a[0], d[0]);
    r.c[1] = difference(a[1], d[1]);
    r.c[2] = exact_add(exact_mul(r.c[0], r.c[0]), exact_mul(r.c[1], r.c[1]));
    return r;
}

int oracle_incircle(const double a[2], const double b[2], const double c[2], const double d[2]) {
    exact_pool start = exact_begin();
    exact volume = exact3_triple(lifted(a, d), lifted(b, d), lifted(c, d));
    exact_end(start);
    return volume.sign;
}

/* The determinant with the rows (p[i], |p[i]|^2), expanded along its last column. */
static exact lifted_determinant(const exact3 p[4]) {
    exact sum = trimmed(0, 0, 0, NULL);
    for (int i = 0; i < 4; ++i) {
        exact minor = exact3_triple(p[i == 0], p[1 + (i <= 1)], p[2 + (i <= 2)]);
        exact term = exact_mul(exact3_dot(p[i], p[i]), minor);
        sum = i % 2 ? exact_add(sum, term) : exact_sub(sum, term);
    }
    return sum;
}

int oracle_insphere(const double a[3], const double b[3], const double c[3], const double d[3],
                    const double e[3]) {
    exact_pool start = exact_begin();
    exact3 p[4], at = exact3_from(e);
    exact volume;
    p[0] = exact3_sub(exact3_from(a), at);
    p[1] = exact3_sub(exact3_from(b), at);
    p[2] = exact3_sub(exact3_from(c), at);
    p[3] = exact3_sub(exact3_from(d), at);
    volume = lifted_determinant(p);
    exact_end(start);
    return volume.sign;
}

/* ---- do they meet? ----
 *
 * Two convex bodies A and B are apart when some direction parts their shadows, which anyone can check. Where to
 * look: they are apart when 0 is outside of K, the set of all a - b. If K is solid, 0 is then beyond one of its
 * faces, and a face of K is spanned by edges of A and B: the cross products of all pairs of edges will do. If K is
 * flat, 0 is either off its plane, and these will still do, or beyond one of its edges in that plane. If K is a
 * segment, 0 is off its line or beyond an end; if K is a point, 0 is elsewhere. */

typedef struct body {
    exact3 corner[8], edge[3];
    int corners;
} body;

/* The shadow of a body on a line: from lo to hi. */
typedef struct shadow {
    exact lo, hi;
} shadow;

static shadow shadow_of(const body *a, exact3 direction) {
    shadow s;
    s.lo = s.hi = exact3_dot(direction, a->corner[0]);
    for (int i = 1; i < a->corners; ++i) {
        exact x = exact3_dot(direction, a->corner[i]);
        if (exact_compare(x, s.lo) < 0) s.lo = x;
        if (exact_compare(x, s.hi) > 0) s.hi = x;
    }
    return s;
}

/* How far the shadows are apart; below 0 when they overlap. */
static exact gap_along(const body *a, const body *b, exact3 direction) {
    shadow s = shadow_of(a, direction), t = shadow_of(b, direction);
    exact after = exact_sub(t.lo, s.hi), before = exact_sub(s.lo, t.hi);
    return exact_compare(after, before) > 0 ? after : before;
}

static bool parted(const body *a, const body *b, exact3 direction) {
    return gap_along(a, b, direction).sign > 0;
}

/* `normal` is the cross product of two edges of K: is there a third out of their plane? */
static bool is_solid(const exact3 edge[6], exact3 normal) {
    for (int i = 0; i < 6; ++i) {
        if (exact3_dot(edge[i], normal).sign) return true;
    }
    return false;
}

static bool parted_in_plane(const body *a, const body *b, const exact3 edge[6], exact3 normal) {
    for (int i = 0; i < 6; ++i) {
        if (parted(a, b, exact3_cross(normal, edge[i]))) return true;
    }
    return false;
}

/* All edges are parallel: K is a segment, or a point. */
static bool parted_on_line(const body *a, const body *b, const exact3 edge[6]) {
    exact3 k = exact3_sub(a->corner[0], b->corner[0]);
    for (int i = 0; i < 6; ++i) {
        if (exact3_is_zero(edge[i])) continue;
        return parted(a, b, edge[i]) || parted(a, b, exact3_cross(edge[i], exact3_cross(k, edge[i])));
    }
    return parted(a, b, k);
}

static bool are_apart(const body *a, const body *b) {
    exact3 edge[6], normal, other;
    for (int i = 0; i < 6; ++i) edge[i] = i < 3 ? a->edge[i] : b->edge[i - 3];
    normal = exact3_cross(edge[0], edge[0]);
    for (int i = 0; i < 6; ++i) {
        for (int j = i + 1; j < 6; ++j) {
            other = exact3_cross(edge[i], edge[j]);
            if (exact3_is_zero(other)) continue;
            normal = other;
            if (parted(a, b, normal)) return true;
        }
    }
    if (exact3_is_zero(normal)) return parted_on_line(a, b, edge);
    return !is_solid(edge, normal) && parted_in_plane(a, b, edge, normal);
}

static body triangle_body(const double t[9]) {
    body r;
    r.corners = 3;
    for (int i = 0; i < 3; ++i) r.corner[i] = exact3_from(t + 3 * i);
    for (int i = 0; i < 3; ++i) r.edge[i] = exact3_sub(r.corner[(i + 1) % 3], r.corner[i]);
    return r;
}

/* center + sum of -edge[i] or +edge[i] */
static body parallelepiped_body(exact3 center, const exact3 edge[3]) {
    body r;
    r.corners = 8;
    for (int i = 0; i < 8; ++i) {
        r.corner[i] = center;
        for (int k = 0; k < 3; ++k)
            r.corner[i] = i >> k & 1 ? exact3_add(r.corner[i], edge[k]) : exact3_sub(r.corner[i], edge[k]);
    }
    for (int k = 0; k < 3; ++k) r.edge[k] = edge[k];
    return r;
}

static body box_body(const double lo[3], const double hi[3]) {
    exact3 a = exact3_from(lo), b = exact3_from(hi), edge[3];
    exact half = exact_power(-1);
    for (int k = 0; k < 3; ++k) {
        edge[k] = exact3_sub(a, a);
        edge[k].c[k] = exact_mul(exact_sub(b.c[k], a.c[k]), half);
    }
    return parallelepiped_body(exact3_scale(exact3_add(a, b), half), edge);
}

bool oracle_triangle_triangle(const double t[9], const double u[9]) {
    exact_pool start = exact_begin();
    body a = triangle_body(t), b = triangle_body(u);
    bool meet = !are_apart(&a, &b);
    exact_end(start);
    return meet;
}

bool oracle_segment_triangle(const double s[6], const double t[9]) {
    double flat[9];
    for (int i = 0; i < 9; ++i) flat[i] = s[i < 6 ? i : i - 3];
    return oracle_triangle_triangle(flat, t);
}

bool oracle_triangle_box(const double t[9], const double lo[3], const double hi[3]) {
    exact_pool start = exact_begin();
    body a = triangle_body(t), b = box_body(lo, hi);
    bool empty = lo[0] > hi[0] || lo[1] > hi[1] || lo[2] > hi[2];
    bool meet = !empty && !are_apart(&a, &b);
    exact_end(start);
    return meet;
}

/* The axes of a box as they are, or times its half lengths. */
static void box_axes(const oracle_box *box, bool with_length, exact3 axis[3]) {
    for (int i = 0; i < 3; ++i) {
        axis[i] = exact3_from(box->axis[i]);
        if (with_length) axis[i] = exact3_scale(axis[i], exact_from(box->half[i]));
    }
}

static body oriented_body(const oracle_box *box) {
    exact3 edge[3];
    box_axes(box, true, edge);
    return parallelepiped_body(exact3_from(box->center), edge);
}

/* The axis of one bit of oracle_gap.axes. */
static exact3 separating_axis(const exact3 a[3], const exact3 b[3], int bit) {
    const exact3 *faces = bit < 3 ? a : b;
    if (bit < 6) return exact3_cross(faces[(bit + 1) % 3], faces[(bit + 2) % 3]);
    return exact3_cross(a[(bit - 6) / 3], b[(bit - 6) % 3]);
}

/* The square of the gap over the length of the axis, with the sign of the gap: what the largest is found by. */
static ratio signed_square(exact gap, exact3 axis) {
    exact square = exact_mul(gap, gap);
    return ratio_make(gap.sign < 0 ? exact_negate(square) : square, exact3_dot(axis, axis));
}

static void largest_gap(const body *a, const body *b, const exact3 axes_a[3], const exact3 axes_b[3],
                        oracle_gap *out) {
    ratio best = ratio_make(exact_power(0), exact_power(0));
    out->axes = 0;
    for (int bit = 0; bit < 15; ++bit) {
        exact3 axis = separating_axis(axes_a, axes_b, bit);
        ratio gap;
        int order;
        if (exact3_is_zero(axis)) continue;
        gap = signed_square(gap_along(a, b, axis), axis);
        order = out->axes ? ratio_compare(gap, best) : 1;
        if (order > 0) out->axes = 0;
        if (order > 0) best = gap;
        if (order >= 0) out->axes |= 1 << bit;
    }
    out->separation = -HUGE_VAL;
    if (out->axes) {
        bool overlap = best.num.sign < 0;
        best.num = overlap ? exact_negate(best.num) : best.num;
        out->separation = overlap ? -ratio_sqrt(best) : ratio_sqrt(best);
    }
}

oracle_gap oracle_box_box(const oracle_box *a, const oracle_box *b) {
    exact_pool start = exact_begin();
    body body_a = oriented_body(a), body_b = oriented_body(b);
    exact3 axes_a[3], axes_b[3];
    oracle_gap gap;
    box_axes(a, false, axes_a);
    box_axes(b, false, axes_b);
    gap.overlap = !are_apart(&body_a, &body_b);
    largest_gap(&body_a, &body_b, axes_a, axes_b, &gap);
    exact_end(start);
    return gap;
}

/* ---- rays and lines ---- */

/* o + t d = a + u (b - a) + v (c - a), by Cramer's rule: x[0..2] / den are the weights of a, b, c, and x[3] / den
 * is t. False when the line is parallel to the plane. */
static bool cross_plane(exact3 o, exact3 d, const exact3 corner[3], exact x[4], exact *den) {
    exact3 ab = exact3_sub(corner[1], corner[0]), ac = exact3_sub(corner[2], corner[0]);
    exact3 back = exact3_sub(exact3_sub(o, o), d), to = exact3_sub(o, corner[0]);
    *den = exact3_triple(ab, ac, back);
    x[1] = exact3_triple(to, ac, back);
    x[2] = exact3_triple(ab, to, back);
    x[3] = exact3_triple(ab, ac, to);
    x[0] = exact_sub(exact_sub(*den, x[1]), x[2]);
    return den->sign != 0;
}

static oracle_crossing crossing_at(exact3 o, exact3 d, const exact x[4], exact den, bool whole_line) {
    exact3 point = exact3_add(exact3_scale(o, den), exact3_scale(d, x[3]));
    oracle_crossing r;
    r.parallel_or_degenerate = false;
    r.hit = whole_line || x[3].sign * den.sign >= 0;
    r.zero_weights = 0;
    for (int i = 0; i < 3; ++i) {
        if (x[i].sign * den.sign < 0) r.hit = false;
        if (x[i].sign == 0) r.zero_weights |= 1 << i;
        r.point[i] = ratio_to_double(ratio_make(point.c[i], den));
    }
    r.w = ratio_to_double(ratio_make(x[0], den));
    r.u = ratio_to_double(ratio_make(x[1], den));
    r.v = ratio_to_double(ratio_make(x[2], den));
    r.t = ratio_to_double(ratio_make(x[3], den));
    return r;
}

oracle_crossing oracle_ray_triangle(const double o[3], const double d[3], const double t[9],
                                    bool whole_line) {
    exact_pool start = exact_begin();
    exact3 from = exact3_from(o), along = exact3_from(d), corner[3];
    exact x[4], den;
    oracle_crossing r;
    memset(&r, 0, sizeof r);
    r.parallel_or_degenerate = true;
    for (int i = 0; i < 3; ++i) corner[i] = exact3_from(t + 3 * i);
    if (cross_plane(from, along, corner, x, &den)) r = crossing_at(from, along, x, den, whole_line);
    exact_end(start);
    return r;
}

/* The t at which o + t d is in all slabs; `bounded` once any d is not 0. */
typedef struct interval {
    ratio in, out;
    bool empty, bounded;
} interval;

static void cut_by_slab(interval *all, double o, double d, double lo, double hi) {
    ratio in, out;
    if (d == 0) {
        if (o < lo || o > hi) all->empty = true;
        return;
    }
    in = ratio_make(difference(d > 0 ? lo : hi, o), exact_from(d));
    out = ratio_make(difference(d > 0 ? hi : lo, o), exact_from(d));
    if (!all->bounded || ratio_compare(in, all->in) > 0) all->in = in;
    if (!all->bounded || ratio_compare(out, all->out) < 0) all->out = out;
    all->bounded = true;
    if (ratio_compare(all->in, all->out) > 0) all->empty = true;
}

oracle_span oracle_ray_box(const double o[3], const double d[3], const double lo[3], const double hi[3]) {
    exact_pool start = exact_begin();
    interval all;
    oracle_span r;
    all.empty = all.bounded = false;
    for (int i = 0; i < 3 && !all.empty; ++i) cut_by_slab(&all, o[i], d[i], lo[i], hi[i]);
    r.hit_line = !all.empty;
    r.hit_ray = !all.empty && (!all.bounded || all.out.num.sign >= 0);
    r.t_in = all.empty ? 0 : all.bounded ? ratio_to_double(all.in) : -HUGE_VAL;
    r.t_out = all.empty ? 0 : all.bounded ? ratio_to_double(all.out) : HUGE_VAL;
    exact_end(start);
    return r;
}

/* ---- closest points ----
 *
 * The closest point of a triangle is inside of its face, or inside of an edge, or a corner; and inside of a face or
 * an edge it is the foot of the perpendicular on the whole plane or line. So: all such points that are in the
 * triangle, and the closest of these. All is seen from p, which is the origin. */

typedef struct candidate {
    exact weight[3], den; /* sum of weight[i] / den * corner[i] */
    ratio squared;
    int feature; /* -1: none yet */
} candidate;

static exact3 weighted(const exact3 corner[3], const exact weight[3]) {
    exact3 sum = exact3_scale(corner[0], weight[0]);
    for (int i = 1; i < 3; ++i) sum = exact3_add(sum, exact3_scale(corner[i], weight[i]));
    return sum;
}

/* Keeps the candidate if it is in the triangle and closer than the best. */
static void consider(candidate *best, const exact3 corner[3], candidate *c, int feature) {
    exact3 point = weighted(corner, c->weight);
    if (c->den.sign <= 0 || c->weight[0].sign < 0 || c->weight[1].sign < 0 || c->weight[2].sign < 0) return;
    c->feature = feature;
    c->squared = ratio_make(exact3_dot(point, point), exact_mul(c->den, c->den));
    if (best->feature < 0 || ratio_compare(c->squared, best->squared) < 0) *best = *c;
}

static void consider_corner(candidate *best, const exact3 corner[3], int i) {
    candidate c;
    c.den = exact_power(0);
    for (int k = 0; k < 3; ++k) c.weight[k] = k == i ? c.den : exact_sub(c.den, c.den);
    consider(best, corner, &c, i);
}

/* The foot on the line of corners i and j. */
static void consider_edge(candidate *best, const exact3 corner[3], int i, int j) {
    candidate c;
    exact3 along = exact3_sub(corner[j], corner[i]);
    c.den = exact3_dot(along, along);
    c.weight[3 - i - j] = exact_sub(c.den, c.den);
    c.weight[j] = exact_negate(exact3_dot(corner[i], along));
    c.weight[i] = exact_sub(c.den, c.weight[j]);
    consider(best, corner, &c, 3 + i);
}

/* The foot on the plane; its weight of a corner is as the volume that the other two corners and the normal span. */
static void consider_face(candidate *best, const exact3 corner[3]) {
    candidate c;
    exact3 normal = exact3_cross(exact3_sub(corner[1], corner[0]), exact3_sub(corner[2], corner[0]));
    c.den = exact3_dot(normal, normal);
    for (int i = 0; i < 3; ++i) c.weight[i] = exact3_triple(normal, corner[(i + 1) % 3], corner[(i + 2) % 3]);
    consider(best, corner, &c, 6);
}

/* Of the triangle, or of the segment of its first two corners. */
static candidate closest_of(exact3 p, const exact3 corner[3], int corners) {
    exact3 seen[3];
    candidate best;
    best.feature = -1;
    for (int i = 0; i < 3; ++i) seen[i] = exact3_sub(corner[i], p);
    for (int i = 0; i < corners; ++i) consider_corner(&best, seen, i);
    consider_edge(&best, seen, 0, 1);
    if (corners == 3) {
        consider_edge(&best, seen, 1, 2);
        consider_edge(&best, seen, 2, 0);
        consider_face(&best, seen);
    }
    return best;
}

static oracle_nearest closest_to(const double p[3], const double *corners, int count) {
    exact_pool start = exact_begin();
    exact3 corner[3], point;
    candidate best;
    oracle_nearest r;
    for (int i = 0; i < 3; ++i) corner[i] = exact3_from(corners + (i < count ? 3 * i : 0));
    best = closest_of(exact3_from(p), corner, count);
    point = weighted(corner, best.weight);
    for (int i = 0; i < 3; ++i) {
        r.point[i] = ratio_to_double(ratio_make(point.c[i], best.den));
        r.weight[i] = ratio_to_double(ratio_make(best.weight[i], best.den));
    }
    r.squared = ratio_to_double(best.squared);
    r.distance = ratio_sqrt(best.squared);
    r.feature = best.feature;
    exact_end(start);
    return r;
}

oracle_nearest oracle_point_triangle(const double p[3], const double t[9]) {
    return closest_to(p, t, 3);
}

oracle_nearest oracle_point_segment(const double p[3], const double s[6]) {
    return closest_to(p, s, 2);
}

/* If the common perpendicular of the two lines meets both segments, its squared length becomes the best: solves
 * between = x along0 - y along1 + z normal by Cramer's rule. */
static void consider_perpendicular(ratio *best, exact3 between, exact3 along0, exact3 along1, exact3 normal) {
    exact den = exact3_dot(normal, normal), height = exact3_dot(between, normal);
    exact x = exact3_triple(between, along1, normal), y = exact3_triple(between, along0, normal);
    if (den.sign == 0 || x.sign < 0 || y.sign < 0) return;
    if (exact_compare(x, den) > 0 || exact_compare(y, den) > 0) return;
    *best = ratio_make(exact_mul(height, height), den);
}

/* The squared distance of two segments. */
static ratio between_segments(const double s[6], const double t[6], bool *parallel) {
    exact3 end[2][3], along[2], normal;
    ratio best;
    for (int i = 0; i < 3; ++i) {
        end[0][i] = exact3_from(s + (i == 1 ? 3 : 0));
        end[1][i] = exact3_from(t + (i == 1 ? 3 : 0));
    }
    best = closest_of(end[0][0], end[1], 2).squared;
    for (int i = 1; i < 4; ++i) {
        ratio other = closest_of(end[i / 2][i % 2], end[1 - i / 2], 2).squared;
        if (ratio_compare(other, best) < 0) best = other;
    }
    for (int i = 0; i < 2; ++i) along[i] = exact3_sub(end[i][1], end[i][0]);
    normal = exact3_cross(along[0], along[1]);
    consider_perpendicular(&best, exact3_sub(end[1][0], end[0][0]), along[0], along[1], normal);
    *parallel = exact3_is_zero(normal);
    return best;
}

oracle_distance oracle_segment_segment(const double s[6], const double t[6]) {
    exact_pool start = exact_begin();
    oracle_distance r;
    ratio best = between_segments(s, t, &r.parallel);
    r.squared = ratio_to_double(best);
    r.distance = ratio_sqrt(best);
    exact_end(start);
    return r;
}

int oracle_segments_against(const double s[6], const double t[6], double radius, double other) {
    exact_pool start = exact_begin();
    bool parallel;
    ratio best = between_segments(s, t, &parallel);
    exact sum = exact_add(exact_from(radius), exact_from(other));
    int order = ratio_compare(best, ratio_make(exact_mul(sum, sum), exact_power(0)));
    exact_end(start);
    return order;
}

/* Two triangles with exact corners. */
int oracle_parallelogram_against(const double p[3], const double shape[9], double radius, double less) {
    exact_pool start = exact_begin();
    exact3 a = exact3_from(shape), e = exact3_from(shape + 3), g = exact3_from(shape + 6), corner[3];
    exact left = exact_sub(exact_from(radius), exact_from(less));
    ratio best, other;
    int order;
    corner[0] = a;
    corner[1] = exact3_add(a, e);
    corner[2] = exact3_add(a, g);
    best = closest_of(exact3_from(p), corner, 3).squared;
    corner[0] = exact3_add(corner[1], g);
    other = closest_of(exact3_from(p), corner, 3).squared;
    if (ratio_compare(other, best) < 0) best = other;
    order = left.sign < 0 ? 1 : ratio_compare(best, ratio_make(exact_mul(left, left), exact_power(0)));
    exact_end(start);
    return order;
}

/* Triangle i of the fan of a polygon. */
static void fan(const double *v, int i, double t[9]) {
    for (int k = 0; k < 3; ++k) {
        t[k] = v[k];
        t[3 + k] = v[3 * (i + 1) + k];
        t[6 + k] = v[3 * (i + 2) + k];
    }
}

/* Of all corners of the first to the inside of the second. */
static double corners_to_insides(const double *a, int m, const double *b, int n) {
    double best = INFINITY, t[9];
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j + 2 < n; ++j) {
            fan(b, j, t);
            best = fmin(best, oracle_point_triangle(a + 3 * i, t).distance);
        }
    }
    return best;
}

static bool insides_meet(const double *a, int m, const double *b, int n) {
    double s[9], t[9];
    for (int i = 0; i + 2 < m; ++i) {
        for (int j = 0; j + 2 < n; ++j) {
            fan(a, i, s);
            fan(b, j, t);
            if (oracle_triangle_triangle(s, t)) return true;
        }
    }
    return false;
}

/* Edge i; a point is one edge, a segment one. */
static void edge_of(const double *v, int count, int i, double e[6]) {
    int next = (i + 1) % count;
    for (int k = 0; k < 3; ++k) {
        e[k] = v[3 * i + k];
        e[3 + k] = v[3 * next + k];
    }
}

static bool edge_meets_inside(const double *a, int m, const double *b, int n) {
    double e[6], t[9];
    for (int i = 0; i < m; ++i) {
        edge_of(a, m, i, e);
        for (int j = 0; j + 2 < n; ++j) {
            fan(b, j, t);
            if (oracle_segment_triangle(e, t)) return true;
        }
    }
    return false;
}

double oracle_polygon_polygon(const double *a, int m, const double *b, int n) {
    double best, e[6], f[6];
    if (insides_meet(a, m, b, n) || edge_meets_inside(a, m, b, n) || edge_meets_inside(b, n, a, m))
        return 0.0;
    best = fmin(corners_to_insides(a, m, b, n), corners_to_insides(b, n, a, m));
    for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
            edge_of(a, m, i, e);
            edge_of(b, n, j, f);
            best = fmin(best, oracle_segment_segment(e, f).distance);
        }
    }
    return best;
}

/* ---- corners that move ---- */

/* A polynomial in t, the coefficient of t^i at i; the degree of 0 is -1. */
enum { POLY_ROOM = 8 };
typedef struct poly {
    int degree;
    exact c[POLY_ROOM];
} poly;

static poly poly_zero(void) {
    poly p;
    p.degree = -1;
    for (int i = 0; i < POLY_ROOM; ++i) p.c[i] = trimmed(0, 0, 0, NULL);
    return p;
}

static poly poly_trimmed(poly p) {
    p.degree = POLY_ROOM - 1;
    while (p.degree >= 0 && p.c[p.degree].sign == 0) --p.degree;
    return p;
}

static poly poly_add(poly a, poly b) {
    for (int i = 0; i < POLY_ROOM; ++i) a.c[i] = exact_add(a.c[i], b.c[i]);
    return poly_trimmed(a);
}

static poly poly_negate(poly a) {
    for (int i = 0; i < POLY_ROOM; ++i) a.c[i] = exact_negate(a.c[i]);
    return a;
}

static poly poly_sub(poly a, poly b) {
    return poly_add(a, poly_negate(b));
}

static poly poly_mul(poly a, poly b) {
    poly p = poly_zero();
    if (a.degree + b.degree >= POLY_ROOM) stop("a polynomial's degree is too high");
    for (int i = 0; i <= a.degree; ++i)
        for (int j = 0; j <= b.degree; ++j) p.c[i + j] = exact_add(p.c[i + j], exact_mul(a.c[i], b.c[j]));
    return poly_trimmed(p);
}

/* factor * t^power */
static poly poly_term(exact factor, int power) {
    poly p = poly_zero();
    p.c[power] = factor;
    return poly_trimmed(p);
}

static poly poly_derivative(poly a) {
    poly p = poly_zero();
    for (int i = 1; i <= a.degree; ++i) p.c[i - 1] = exact_mul(a.c[i], exact_from(i));
    return poly_trimmed(p);
}

static exact poly_at(const poly *p, exact t) {
    exact sum = trimmed(0, 0, 0, NULL);
    for (int i = p->degree; i >= 0; --i) sum = exact_add(exact_mul(sum, t), p->c[i]);
    return sum;
}

/* A positive multiple of a is quotient * b + rest. */
static poly poly_divide(poly a, poly b, poly *quotient) {
    exact lead = b.c[b.degree], size = lead;
    size.sign = 1;
    *quotient = poly_zero();
    while (a.degree >= b.degree) {
        exact by = a.c[a.degree];
        poly term;
        by.sign *= lead.sign;
        term = poly_term(by, a.degree - b.degree);
        a = poly_sub(poly_mul(a, poly_term(size, 0)), poly_mul(term, b));
        *quotient = poly_add(poly_mul(*quotient, poly_term(size, 0)), term);
    }
    return a;
}

static poly poly_gcd(poly a, poly b) {
    while (b.degree >= 0) {
        poly quotient, rest = poly_divide(a, b, &quotient);
        a = b;
        b = rest;
    }
    return a;
}

/* The same roots, each once; not of 0. */
static poly poly_simple(poly p) {
    poly common = poly_gcd(p, poly_derivative(p)), quotient;
    if (common.degree <= 0) return p;
    poly_divide(p, common, &quotient);
    return quotient;
}

/* Sturm's chain: of a polynomial with simple roots, which of them are in (lo, hi]? */
typedef struct sturm {
    int length;
    poly p[POLY_ROOM + 1];
} sturm;

static void sturm_make(sturm *s, poly p) {
    poly quotient;
    s->length = 0;
    s->p[s->length++] = p;
    for (p = poly_derivative(p); p.degree >= 0; ++s->length) {
        s->p[s->length] = p;
        p = poly_negate(poly_divide(s->p[s->length - 1], p, &quotient));
    }
}

static int sturm_changes(const sturm *s, exact t) {
    int changes = 0, last = 0;
    for (int i = 0; i < s->length; ++i) {
        int sign = poly_at(&s->p[i], t).sign;
        changes += sign != 0 && last != 0 && sign != last;
        last = sign ? sign : last;
    }
    return changes;
}

static int sturm_count(const sturm *s, exact lo, exact hi) {
    return sturm_changes(s, lo) - sturm_changes(s, hi);
}

/* The only root of p in (lo, hi]; it is hi itself when known. */
typedef struct root {
    poly p;
    exact lo, hi;
    bool known;
} root;

static exact halfway(exact a, exact b) {
    return exact_mul(exact_add(a, b), exact_power(-1));
}

static void root_check(root *r) {
    if (poly_at(&r->p, r->hi).sign == 0) r->known = true;
}

static void root_refine(root *r) {
    exact middle = halfway(r->lo, r->hi);
    int sign = poly_at(&r->p, middle).sign, last = poly_at(&r->p, r->hi).sign;
    if (sign == 0 || sign == last)
        r->hi = middle;
    else
        r->lo = middle;
    r->known = sign == 0;
}

/* The roots in (lo, hi], in order. */
static int roots_between(const sturm *s, exact lo, exact hi, root *out) {
    int count = sturm_count(s, lo, hi), below;
    exact middle;
    if (count == 1) {
        out->p = s->p[0];
        out->lo = lo;
        out->hi = hi;
        out->known = false;
        root_check(out);
    }
    if (count <= 1) return count;
    middle = halfway(lo, hi);
    below = roots_between(s, lo, middle, out);
    return below + roots_between(s, middle, hi, out + below);
}

/* The roots in [0, 1], in order; none of 0. */
static int roots_of(poly p, root out[POLY_ROOM]) {
    sturm s;
    int count = 0;
    exact one = exact_power(0);
    if (p.degree <= 0) return 0;
    p = poly_simple(p);
    if (p.c[0].sign == 0) {
        out[0].p = p;
        out[0].lo = out[0].hi = p.c[0];
        out[0].known = true;
        count = 1;
    }
    sturm_make(&s, p);
    return count + roots_between(&s, trimmed(0, 0, 0, NULL), one, out + count);
}

/* Does q, which divides p, have this root of p? */
static bool shares_root(poly q, const root *r) {
    sturm s;
    if (q.degree <= 0) return false;
    sturm_make(&s, q);
    return sturm_count(&s, r->lo, r->hi) > 0;
}

/* At least |q(x) - q(y)| / |x - y| for x and y of [0, 1], by the mean value theorem. */
static exact steepest(const poly *q) {
    exact sum = trimmed(0, 0, 0, NULL);
    for (int i = 1; i <= q->degree; ++i) {
        exact size = q->c[i];
        size.sign = size.sign != 0;
        sum = exact_add(sum, exact_mul(size, exact_from(i)));
    }
    return sum;
}

static int root_sign(const poly *q, root *r) {
    exact steep;
    if (q->degree < 0) return 0;
    if (!r->known && shares_root(poly_gcd(r->p, *q), r)) return 0;
    steep = steepest(q);
    for (;;) {
        exact value = poly_at(q, r->hi), reach = exact_mul(steep, exact_sub(r->hi, r->lo)), size = value;
        if (r->known) return value.sign;
        size.sign = size.sign != 0;
        if (exact_compare(size, reach) > 0) return value.sign;
        root_refine(r);
    }
}

static bool root_is(const root *r, exact t) {
    if (r->known) return exact_compare(t, r->hi) == 0;
    return exact_compare(t, r->lo) > 0 && exact_compare(t, r->hi) <= 0 && poly_at(&r->p, t).sign == 0;
}

static double root_value(root *r) {
    while (!r->known && exact_to_double(r->lo) != exact_to_double(r->hi)) root_refine(r);
    return exact_to_double(r->hi);
}

/* ---- a triangle with moving corners, and the origin ---- */

typedef struct poly3 {
    poly c[3];
} poly3;

static poly3 poly3_cross(const poly3 *a, const poly3 *b) {
    poly3 r;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        r.c[i] = poly_sub(poly_mul(a->c[j], b->c[k]), poly_mul(a->c[k], b->c[j]));
    }
    return r;
}

static poly poly3_dot(const poly3 *a, const poly3 *b) {
    poly sum = poly_mul(a->c[0], b->c[0]);
    for (int i = 1; i < 3; ++i) sum = poly_add(sum, poly_mul(a->c[i], b->c[i]));
    return sum;
}

/* Of the corners p: the origin is on an edge where cross is zero and dot not positive; where `normal` is not zero and the
 * origin in the plane, weight tells its sides. */
typedef struct moving {
    poly3 cross[3], normal;
    poly dot[3], weight[3], volume, area;
} moving;

static void moving_make(moving *m, const poly3 p[3]) {
    for (int i = 0; i < 3; ++i) {
        m->cross[i] = poly3_cross(&p[(i + 1) % 3], &p[(i + 2) % 3]);
        m->dot[i] = poly3_dot(&p[(i + 1) % 3], &p[(i + 2) % 3]);
    }
    for (int k = 0; k < 3; ++k)
        m->normal.c[k] = poly_add(m->cross[0].c[k], poly_add(m->cross[1].c[k], m->cross[2].c[k]));
    for (int i = 0; i < 3; ++i) m->weight[i] = poly3_dot(&m->cross[i], &m->normal);
    m->volume = poly3_dot(&p[0], &m->cross[0]);
    m->area = poly3_dot(&m->normal, &m->normal);
}

static bool on_edge(const moving *m, int i, root *r) {
    for (int k = 0; k < 3; ++k)
        if (root_sign(&m->cross[i].c[k], r)) return false;
    return root_sign(&m->dot[i], r) <= 0;
}

/* Holds the triangle the origin, at a root of what makes it coplanar or of anything where that is always so? */
static bool holds_origin(const moving *m, root *r) {
    bool inside = true;
    for (int i = 0; i < 3 && inside; ++i) inside = root_sign(&m->weight[i], r) >= 0;
    if (inside && root_sign(&m->area, r) > 0) return true;
    for (int i = 0; i < 3; ++i)
        if (on_edge(m, i, r)) return true;
    return false;
}

static void contact_take(oracle_contact *first, const moving *m, poly p) {
    root r[POLY_ROOM];
    int count = roots_of(p, r);
    for (int i = 0; i < count; ++i) {
        double t;
        if (!holds_origin(m, &r[i])) continue;
        t = root_value(&r[i]);
        if (first->hit && first->t <= t) return;
        first->hit = true;
        first->t = t;
        first->exact = root_is(&r[i], exact_from(t));
        return;
    }
}

/* Where the four are coplanar all the time, contact begins at the start or where one of its conditions changes. */
static void contact_in_plane(oracle_contact *first, const moving *m) {
    contact_take(first, m, poly_term(exact_power(0), 1)); /* t = 0 */
    for (int i = 0; i < 3 && !(first->hit && first->t <= 0); ++i) {
        int k = 0;
        contact_take(first, m, m->weight[i]);
        while (k < 3 && m->cross[i].c[k].degree < 0) ++k;
        contact_take(first, m, k < 3 ? m->cross[i].c[k] : m->dot[i]);
    }
}

static void contact_of_corners(oracle_contact *first, const poly3 p[3]) {
    moving m;
    moving_make(&m, p);
    if (m.volume.degree >= 0)
        contact_take(first, &m, m.volume);
    else
        contact_in_plane(first, &m);
}

/* Corner j less corner i. */
static poly3 moving_corner(const double start[12], const double end[12], int j, int i) {
    poly3 p;
    for (int k = 0; k < 3; ++k) {
        exact from = difference(start[3 * j + k], start[3 * i + k]);
        exact to = difference(end[3 * j + k], end[3 * i + k]);
        p.c[k] = poly_add(poly_term(from, 0), poly_term(exact_sub(to, from), 1));
    }
    return p;
}

/* On one axis and one side of 0 at the start, and at the end, are they so all the time. */
static bool aside_all_the_time(const poly3 *p, int count) {
    for (int k = 0; k < 3; ++k) {
        int above = 0, below = 0;
        for (int i = 0; i < count; ++i) {
            int from = p[i].c[k].c[0].sign, to = exact_add(p[i].c[k].c[0], p[i].c[k].c[1]).sign;
            above += from > 0 && to > 0;
            below += from < 0 && to < 0;
        }
        if (above == count || below == count) return true;
    }
    return false;
}

oracle_contact oracle_ccd_vertex_face(const double start[12], const double end[12]) {
    exact_pool begin = exact_begin();
    oracle_contact first = {false, false, 0.0};
    poly3 p[3];
    for (int i = 0; i < 3; ++i) p[i] = moving_corner(start, end, i + 1, 0);
    if (!aside_all_the_time(p, 3)) contact_of_corners(&first, p);
    exact_end(begin);
    return first;
}

/* All differences of the points of the edges are a parallelogram, which is two triangles, as flat as it may be. */
oracle_contact oracle_ccd_edge_edge(const double start[12], const double end[12]) {
    exact_pool begin = exact_begin();
    oracle_contact first = {false, false, 0.0};
    poly3 p[4];
    p[0] = moving_corner(start, end, 0, 2);
    p[1] = moving_corner(start, end, 0, 3);
    p[2] = moving_corner(start, end, 1, 3);
    p[3] = moving_corner(start, end, 1, 2);
    if (!aside_all_the_time(p, 4)) {
        contact_of_corners(&first, p);
        p[1] = p[3];
        contact_of_corners(&first, p);
    }
    exact_end(begin);
    return first;
}

/* ---- in or out ---- */

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static double triple(const double a[3], const double b[3], const double c[3]) {
    return a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
           a[2] * (b[0] * c[1] - b[1] * c[0]);
}

/* Van Oosterom and Strackee, "The solid angle of a plane triangle" (1983): the tangent of half of it. */
static double solid_angle(const double p[3], const double tri[9]) {
    double v[3][3], length[3], volume, rest;
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) v[i][k] = tri[3 * i + k] - p[k];
        length[i] = sqrt(dot(v[i], v[i]));
    }
    volume = triple(v[0], v[1], v[2]);
    rest = length[0] * length[1] * length[2] + dot(v[0], v[1]) * length[2] + dot(v[1], v[2]) * length[0] +
           dot(v[2], v[0]) * length[1];
    return 2 * atan2(volume, rest);
}

double oracle_winding_number(const double p[3], const double (*tri)[9], size_t count) {
    double sum = 0;
    for (size_t i = 0; i < count; ++i) sum += solid_angle(p, tri[i]);
    return sum / (16 * atan(1.0));
}

/* ---- convex sets ---- */

/* a / b, which is known to be a number of finitely many binary digits: from the lowest limb up (Jebelean 1993). */
static exact quotient(exact a, exact b) {
    uint32_t inverse = 1, *rest, *q;
    int twos = 0, length;
    exact shift;
    if (a.sign == 0) return a;
    while (!(b.limb[0] >> twos & 1)) ++twos;
    shift = exact_power(-twos);
    a = exact_mul(a, shift);
    b = exact_mul(b, shift);
    for (int i = 0; i < 5; ++i) inverse *= 2 - b.limb[0] * inverse;
    length = larger(a.length - b.length + 1, 1);
    rest = take(a.length);
    q = take(length);
    memcpy(rest, a.limb, sizeof *rest * (size_t)a.length);
    for (int i = 0; i < length; ++i) {
        uint64_t carry = 0;
        q[i] = rest[i] * inverse;
        for (int k = 0; i + k < a.length; ++k) {
            uint64_t less = (k < b.length ? (uint64_t)q[i] * b.limb[k] : 0) + carry;
            carry = (less >> 32) + (rest[i + k] < (uint32_t)less);
            rest[i + k] -= (uint32_t)less;
        }
    }
    return trimmed(a.sign * b.sign, a.low - b.low, length, q);
}

/* Five equations and the sum of what is missing of each, in the columns of the generators and, last, the right side; all over
 * one denominator above 0. `basic` tells which column each equation is solved for: at first none, by a number beyond all. */
typedef struct tableau {
    exact at[6][ORACLE_GENERATORS + 1], denominator;
    int basic[5], columns;
} tableau;

static void tableau_fill(tableau *t, const oracle_generator *a, int m, const oracle_generator *b, int n) {
    t->columns = m + n;
    t->denominator = exact_from(1.0);
    for (int j = 0; j <= m + n; ++j) {
        const oracle_generator *g = j < m ? &a[j] : &b[j - m];
        for (int i = 0; i < 5; ++i) {
            exact x = exact_from(j == m + n && i == 4 ? 1.0 : 0.0);
            if (j < m + n) x = i < 3 ? g->x.c[i] : g->w;
            if (j < m + n && j >= m) x = i < 4 ? exact_negate(x) : exact_from(0.0);
            t->at[i][j] = x;
        }
        t->at[5][j] = exact_from(0.0);
        for (int i = 0; i < 5; ++i) t->at[5][j] = exact_sub(t->at[5][j], t->at[i][j]);
    }
    for (int i = 0; i < 5; ++i) t->basic[i] = m + n + i;
}

/* Which equation limits the growth of a column (Bland's rule for ties); -1 for none. */
static int tableau_row(const tableau *t, int column) {
    int best = -1;
    for (int i = 0; i < 5; ++i) {
        int order;
        if (t->at[i][column].sign <= 0) continue;
        if (best < 0) {
            best = i;
            continue;
        }
        order = exact_compare(exact_mul(t->at[i][t->columns], t->at[best][column]),
                              exact_mul(t->at[best][t->columns], t->at[i][column]));
        if (order < 0 || (order == 0 && t->basic[i] < t->basic[best])) best = i;
    }
    return best;
}

/* Solves an equation for a column, without fractions (Bareiss 1968). */
static void tableau_pivot(tableau *t, int row, int column) {
    exact pivot = t->at[row][column];
    for (int i = 0; i < 6; ++i) {
        exact factor = t->at[i][column];
        if (i == row) continue;
        for (int j = 0; j <= t->columns; ++j)
            t->at[i][j] = quotient(exact_sub(exact_mul(t->at[i][j], pivot), exact_mul(factor, t->at[row][j])),
                                   t->denominator);
    }
    t->denominator = pivot;
    t->basic[row] = column;
}

/* Weights of the generators, none below 0, with which the two give the same point, the weights of the first's points summing
 * up to 1: is there such a choice? The first phase of the simplex method by Bland's rule, which never goes in circles. */
bool oracle_sets_meet(const oracle_generator *a, int m, const oracle_generator *b, int n) {
    exact_pool pool_start = exact_begin();
    tableau t;
    int column, row;
    bool meet;
    if (m + n > ORACLE_GENERATORS) stop("too many generators");
    tableau_fill(&t, a, m, b, n);
    for (;;) {
        for (column = 0; column < m + n && t.at[5][column].sign >= 0; ++column) {}
        if (column == m + n) break;
        row = tableau_row(&t, column);
        if (row < 0) stop("a linear program without bound");
        tableau_pivot(&t, row, column);
    }
    meet = t.at[5][m + n].sign == 0;
    exact_end(pool_start);
    return meet;
}
