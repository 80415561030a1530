#include "core/exact.h"

/* Limbs of 0 at both ends are dropped; those above the number are given back. */
static cdi_exact cdi_exact_trim(cdi_arena *arena, uint32_t *limb, int n, int low, int sign) {
    cdi_exact r;
    int zeros = 0;
    while (n > 0 && limb[n - 1] == 0) --n;
    while (zeros < n && limb[zeros] == 0) ++zeros;
    arena->used = (int)(limb - arena->limb) + n;
    r.limb = limb + zeros;
    r.n = n - zeros;
    r.low = low + zeros;
    r.sign = n > 0 ? sign : 0;
    return r;
}

static uint32_t *cdi_exact_take(cdi_arena *arena, int n) {
    uint32_t *limb = arena->limb + arena->used;
    CDI_ASSERT(arena->used + n <= arena->room);
    arena->used += n;
    return limb;
}

CDI_FN cdi_exact cdi_exact_of(cdi_arena *arena, double x) {
    uint64_t bits = cdi_bits(x), mantissa = bits & 0xFFFFFFFFFFFFFu;
    int e = (int)(bits >> 52 & 0x7FFu), place, shift;
    uint32_t *limb = cdi_exact_take(arena, 3);
    CDI_ASSERT(e < 0x7FF);
    if (e > 0) mantissa |= (uint64_t)1 << 52;
    place = (e > 0 ? e - 1075 : -1074) + 34 * 32; /* of the lowest bit, counted from 2^-1088 */
    shift = place % 32;
    limb[0] = (uint32_t)(mantissa << shift);
    limb[1] = (uint32_t)(mantissa >> (32 - shift));
    limb[2] = (uint32_t)(mantissa >> 32 >> (32 - shift));
    return cdi_exact_trim(arena, limb, 3, place / 32 - 34, bits >> 63 ? -1 : 1);
}

/* Limb number i of the whole row of limbs that the number is cut from. */
CDI_INLINE uint32_t cdi_exact_limb(cdi_exact a, int i) {
    return i >= a.low && i < a.low + a.n ? a.limb[i - a.low] : 0u;
}

/* The sign of |a| - |b|. */
static int cdi_exact_compare_sizes(cdi_exact a, cdi_exact b) {
    int top_a = a.low + a.n, top_b = b.low + b.n, bottom = a.low < b.low ? a.low : b.low;
    if (top_a != top_b) return top_a > top_b ? 1 : -1;
    for (int i = top_a - 1; i >= bottom; --i) {
        uint32_t x = cdi_exact_limb(a, i), y = cdi_exact_limb(b, i);
        if (x != y) return x > y ? 1 : -1;
    }
    return 0;
}

CDI_FN cdi_exact cdi_exact_add(cdi_arena *arena, cdi_exact a, cdi_exact b) {
    int low, top, order = 1;
    uint64_t carry = 0;
    uint32_t *limb;
    if (b.sign == 0) return a;
    if (a.sign == 0) return b;
    if (a.sign != b.sign) order = cdi_exact_compare_sizes(a, b);
    if (order < 0) {
        cdi_exact larger = b;
        b = a;
        a = larger;
    }
    low = a.low < b.low ? a.low : b.low;
    top = a.low + a.n > b.low + b.n ? a.low + a.n : b.low + b.n;
    limb = cdi_exact_take(arena, top - low + 1);
    for (int i = low; i < top; ++i) {
        uint64_t x = cdi_exact_limb(a, i), y = cdi_exact_limb(b, i);
        carry = a.sign == b.sign ? x + y + carry : x - y - (carry >> 63);
        limb[i - low] = (uint32_t)carry;
        if (a.sign == b.sign) carry >>= 32;
    }
    limb[top - low] = a.sign == b.sign ? (uint32_t)carry : 0u;
    return cdi_exact_trim(arena, limb, top - low + 1, low, order == 0 ? 0 : a.sign);
}

/* A difference that doubles hold exactly, as most do, needs no limbs to be taken from each other. */
CDI_FN cdi_exact cdi_exact_diff(cdi_arena *arena, double a, double b) {
    double d = a - b, t = a - d; /* what was taken from a, when d is exact */
    if (t == b && cdi_finite(d) && d + b == a) return cdi_exact_of(arena, d);
    return cdi_exact_sub(arena, cdi_exact_of(arena, a), cdi_exact_of(arena, b));
}

CDI_FN cdi_exact cdi_exact_mul(cdi_arena *arena, cdi_exact a, cdi_exact b) {
    uint32_t *limb = cdi_exact_take(arena, a.n + b.n);
    for (int i = 0; i < a.n + b.n; ++i) limb[i] = 0;
    for (int i = 0; i < a.n; ++i) {
        uint64_t carry = 0, x = a.limb[i];
        for (int j = 0; j < b.n; ++j) {
            carry += x * b.limb[j] + limb[i + j];
            limb[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        limb[i + b.n] = (uint32_t)carry;
    }
    return cdi_exact_trim(arena, limb, a.n + b.n, a.low + b.low, a.sign * b.sign);
}

CDI_FN cdi_exact cdi_exact_keep(cdi_arena *arena, int mark, cdi_exact x) {
    uint32_t *limb = arena->limb + mark;
    arena->used = mark;
    if (x.n == 0 || x.limb < limb) return x; /* it lies below */
    for (int i = 0; i < x.n; ++i) limb[i] = x.limb[i];
    x.limb = limb;
    arena->used += x.n;
    return x;
}

/* The highest 64 bits, what is below them marked in the last one, and their place. */
static uint64_t cdi_exact_leading(cdi_exact x, int *place) {
    int top = x.low + x.n - 1, zeros = 0;
    uint64_t high = (uint64_t)cdi_exact_limb(x, top) << 32 | cdi_exact_limb(x, top - 1);
    uint32_t next = cdi_exact_limb(x, top - 2);
    bool rest = x.n > 3;
    while (!(high >> 63)) {
        high = high << 1 | next >> 31;
        next <<= 1;
        ++zeros;
    }
    *place = 32 * (top - 1) - zeros;
    return rest || next ? high | 1u : high;
}

/* To 53 bits, ties to even. */
static double cdi_round_leading(uint64_t x) {
    uint64_t kept = x >> 11, dropped = x & 0x7FFu;
    if (dropped > 0x400u || (dropped == 0x400u && (kept & 1u))) ++kept;
    return (double)(int64_t)kept;
}

CDI_FN double cdi_exact_to_double(cdi_exact x) {
    int place;
    double r;
    if (x.sign == 0) return 0.0;
    r = cdi_round_leading(cdi_exact_leading(x, &place)); /* the number is r 2^(place + 11) */
    if (place > 960) return x.sign * CDI_HUGE;
    if (place < -1137) return x.sign * 4.9406564584124654e-324;
    return x.sign * cdi_min(cdi_scale2(r, place + 11), CDI_HUGE);
}

CDI_FN cdi_exact cdi_exact_det2(cdi_arena *arena, cdi_exact a, cdi_exact b, cdi_exact c, cdi_exact d) {
    int mark = arena->used;
    cdi_exact ad = cdi_exact_mul(arena, a, d), bc = cdi_exact_mul(arena, b, c);
    return cdi_exact_keep(arena, mark, cdi_exact_sub(arena, ad, bc));
}

/* Expanded by the first row. */
CDI_FN cdi_exact cdi_exact_det3(cdi_arena *arena, cdi_exact (*m)[3]) {
    int mark = arena->used;
    cdi_exact sum = {NULL, 0, 0, 0};
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        cdi_exact minor = cdi_exact_det2(arena, m[1][j], m[1][k], m[2][j], m[2][k]);
        sum = cdi_exact_add(arena, sum, cdi_exact_mul(arena, m[0][i], minor));
        sum = cdi_exact_keep(arena, mark, sum);
    }
    return sum;
}
