#include "core/expansion.h"

/* Merges by magnitude, then sums upward; zeros are left out (FAST-EXPANSION-SUM). */
CDI_FN int cdi_expansion_sum(const double *e, int m, const double *f, int n, double *h) {
    int i = 0, j = 0, length = 0;
    double q = 0.0;
    while (i < m || j < n) {
        bool from_e = j >= n || (i < m && cdi_abs(e[i]) < cdi_abs(f[j]));
        double next = from_e ? e[i++] : f[j++], rest;
        cdi_two_sum(q, next, &q, &rest);
        if (rest != 0.0) h[length++] = rest;
    }
    if (q != 0.0) h[length++] = q;
    return length;
}

CDI_FN int cdi_expansion_scale(const double *e, int m, double b, double *h) {
    int length = 0;
    double q = 0.0, rest;
    for (int i = 0; i < m; ++i) {
        double high, low;
        cdi_two_product(e[i], b, &high, &low);
        cdi_two_sum(q, low, &q, &rest);
        if (rest != 0.0) h[length++] = rest;
        cdi_fast_two_sum(high, q, &q, &rest);
        if (rest != 0.0) h[length++] = rest;
    }
    if (q != 0.0) h[length++] = q;
    return length;
}

CDI_FN int cdi_expansion_product(const double *e, int m, const double *f, int n, double *h) {
    double low[32], high[32];
    int l, k;
    CDI_ASSERT(m <= 16 && n <= 2);
    if (m == 0 || n == 0) return 0;
    if (n == 1) return cdi_expansion_scale(e, m, f[0], h);
    l = cdi_expansion_scale(e, m, f[0], low);
    k = cdi_expansion_scale(e, m, f[1], high);
    return cdi_expansion_sum(low, l, high, k, h);
}

CDI_FN double cdi_expansion_estimate(const double *e, int m) {
    double sum = 0.0;
    for (int i = 0; i < m; ++i) sum += e[i];
    return sum;
}

/* As an expansion: smallest first, zeros left out. */
static int cdi_two_terms(cdi_two t, double out[2]) {
    int n = 0;
    if (t.lo != 0.0) out[n++] = t.lo;
    if (t.hi != 0.0) out[n++] = t.hi;
    return n;
}

/* h = a d - b c, at most 16 terms. */
static int cdi_minor(cdi_two a, cdi_two b, cdi_two c, cdi_two d, double h[16]) {
    double p[2], q[2], ad[8], bc[8];
    int n = cdi_two_terms(a, p), m = cdi_two_terms(d, q), l, k;
    l = cdi_expansion_product(p, n, q, m, ad);
    n = cdi_two_terms(b, p);
    m = cdi_two_terms(c, q);
    k = cdi_expansion_product(p, n, q, m, bc);
    for (int i = 0; i < k; ++i) bc[i] = -bc[i];
    return cdi_expansion_sum(ad, l, bc, k, h);
}

/* The entries as hi + lo; false when products of three of them might leave the range, or one is not finite. */
static bool cdi_mid_range(const cdi_diff *m, int count, cdi_two *out) {
    const double most = 2.037035976334486e90, least = 4.909093465297727e-91; /* 2^300, 2^-300 */
    for (int i = 0; i < count; ++i) {
        double hi, lo;
        out[i] = cdi_two_of_diff(m[i].a, m[i].b);
        hi = cdi_abs(out[i].hi);
        lo = cdi_abs(out[i].lo);
        if (!(hi < most && (hi > least || hi == 0.0) && (lo > least || lo == 0.0))) return false;
    }
    return true;
}

static bool cdi_all_finite(const cdi_diff *m, int count) {
    for (int i = 0; i < count; ++i) {
        if (!cdi_finite(m[i].a) || !cdi_finite(m[i].b)) return false;
    }
    return true;
}

static CDI_COLD double cdi_det2_wide(cdi_diff m[2][2]) {
    uint32_t limbs[4 * CDI_EXACT_LIMBS + 7 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 11 * CDI_EXACT_LIMBS);
    cdi_exact e[4];
    if (!cdi_all_finite(m[0], 4)) return 0.0;
    for (int i = 0; i < 4; ++i) e[i] = cdi_exact_diff(&arena, m[i / 2][i % 2].a, m[i / 2][i % 2].b);
    return cdi_exact_to_double(cdi_exact_det2(&arena, e[0], e[1], e[2], e[3]));
}

static CDI_COLD double cdi_det3_wide(cdi_diff m[3][3]) {
    uint32_t limbs[24 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 24 * CDI_EXACT_LIMBS);
    cdi_exact e[3][3];
    if (!cdi_all_finite(m[0], 9)) return 0.0;
    for (int i = 0; i < 9; ++i)
        e[i / 3][i % 3] = cdi_exact_diff(&arena, m[i / 3][i % 3].a, m[i / 3][i % 3].b);
    return cdi_exact_to_double(cdi_exact_det3(&arena, e));
}

CDI_FN CDI_COLD double cdi_det2_exact(cdi_diff m[2][2]) {
    cdi_two e[2][2];
    double h[16];
    if (!cdi_mid_range(m[0], 4, e[0])) return cdi_det2_wide(m);
    return cdi_expansion_estimate(h, cdi_minor(e[0][0], e[0][1], e[1][0], e[1][1], h));
}

/* Expanded by the first row. */
CDI_FN CDI_COLD double cdi_det3_exact(cdi_diff m[3][3]) {
    cdi_two e[3][3];
    double minor[16], factor[2], term[3][64], sum[128], det[192];
    int length[3], n;
    if (!cdi_mid_range(m[0], 9, e[0])) return cdi_det3_wide(m);
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        int l = cdi_minor(e[1][j], e[1][k], e[2][j], e[2][k], minor);
        int f = cdi_two_terms(e[0][i], factor);
        length[i] = cdi_expansion_product(minor, l, factor, f, term[i]);
    }
    n = cdi_expansion_sum(term[0], length[0], term[1], length[1], sum);
    n = cdi_expansion_sum(sum, n, term[2], length[2], det);
    return cdi_expansion_estimate(det, n);
}

static CDI_COLD int cdi_sum_sign_exact(const double *x, int n) {
    uint32_t limbs[16 * (CDI_EXACT_LIMBS + 2)];
    cdi_arena arena = cdi_arena_on(limbs, 16 * (CDI_EXACT_LIMBS + 2));
    cdi_exact sum = cdi_exact_of(&arena, 0.0);
    for (int i = 0; i < n; ++i) {
        if (!cdi_finite(x[i])) return 0;
        sum = cdi_exact_add(&arena, sum, cdi_exact_of(&arena, x[i]));
    }
    return sum.sign;
}

/* Most sums of coordinates are exact in double; the bound is that of seven roundings. */
CDI_FN int cdi_sum_sign(const double *x, int n) {
    double sum = x[0], size = cdi_abs(x[0]), tail;
    bool exact = true;
    for (int i = 1; i < n; ++i) {
        cdi_two_sum(sum, x[i], &sum, &tail);
        exact = exact && tail == 0.0;
        size += cdi_abs(x[i]);
    }
    if (exact || cdi_abs(sum) > 1e-15 * size) return cdi_sign(sum);
    return cdi_sum_sign_exact(x, n);
}
