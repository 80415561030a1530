#include "core/tolerance.h"
#include "core/expansion.h"
#include "core/vec3d.h"

/* ---- numbers ---- */

/* |a - b| as large - little, where large >= |little|. */
typedef struct cdi_gap {
    double large, little;
} cdi_gap;

static cdi_gap cdi_gap_of(double a, double b) {
    bool first = cdi_abs(a) >= cdi_abs(b);
    cdi_gap g;
    g.large = first ? a : b;
    g.little = first ? b : a;
    if (g.large < 0.0) {
        g.large = -g.large;
        g.little = -g.little;
    }
    return g;
}

/* The difference is d + rest, and d its nearest double: where d is not the tolerance, d tells. */
static bool cdi_within_abs(cdi_gap g, double tolerance) {
    double d, rest;
    cdi_fast_two_sum(g.large, -g.little, &d, &rest);
    return d < tolerance || (d == tolerance && !(rest > 0.0));
}

/* The larger is brought into [1, 2), so that the difference is 2^-53 at least, and its product with any tolerance that comes near
 * to it is exact as p + low. Of a very little other one only the sign can matter, so it need not be scaled exactly. */
static bool cdi_within_rel(cdi_gap g, double tolerance) {
    const double least = 6.223015277861142e-61; /* 2^-200 */
    int e = cdi_exponent(g.large);
    double large = cdi_scale2(g.large, -e), little = cdi_scale2(g.little, -e), d, rest, p, low;
    if (g.little != 0.0 && cdi_abs(little) < least) little = g.little < 0.0 ? -least : least;
    cdi_fast_two_sum(large, -little, &d, &rest);
    cdi_two_product(tolerance, large, &p, &low);
    return d < p || (d == p && rest <= low);
}

CD_API bool cd_is_finite(cd_real x) {
    return cdi_finite((double)x);
}

CD_API bool cd_nearly_equal_abs(cd_real a, cd_real b, cd_real tolerance) {
    if (a == b) return true;
    if (!cd_is_finite(a) || !cd_is_finite(b)) return false;
    return cdi_within_abs(cdi_gap_of((double)a, (double)b), (double)tolerance);
}

CD_API bool cd_nearly_equal_rel(cd_real a, cd_real b, cd_real tolerance) {
    if (a == b) return true;
    if (!cd_is_finite(a) || !cd_is_finite(b)) return false;
    return cdi_within_rel(cdi_gap_of((double)a, (double)b), (double)tolerance);
}

CD_API bool cd_nearly_equal(cd_real a, cd_real b, cd_real abs_tolerance, cd_real rel_tolerance) {
    return cd_nearly_equal_abs(a, b, abs_tolerance) || cd_nearly_equal_rel(a, b, rel_tolerance);
}

/* ---- the order of the numbers of the type ---- */

/* A whole number ordered like x: 2^31 or 2^63 for both zeros, one more for each next number; x is no NaN. */
static uint64_t cdi_place(cd_real x) {
#ifdef COLLIDE_DOUBLE
    uint64_t bits = cdi_bits(x), zero = (uint64_t)1 << 63;
#else
    uint32_t bits, zero = (uint32_t)1 << 31;
    cdi_copy(&bits, &x, sizeof bits);
#endif
    return bits >= zero ? zero - (bits - zero) : zero + bits;
}

CD_API uint64_t cd_ulps_between(cd_real a, cd_real b) {
    uint64_t p, q;
    if (a != a || b != b) return UINT64_MAX;
    p = cdi_place(a);
    q = cdi_place(b);
    return p > q ? p - q : q - p;
}

CD_API bool cd_nearly_equal_ulps(cd_real a, cd_real b, uint64_t ulps) {
    return a == a && b == b && cd_ulps_between(a, b) <= ulps;
}

CD_API cd_real cd_next_up(cd_real x) {
    if (x != x) return x;
    if (x >= CD_REAL_MAX) return (cd_real)cdi_infinity();
    return cdi_next_real(x, true);
}

CD_API cd_real cd_next_down(cd_real x) {
    return -cd_next_up(-x);
}

/* ---- vectors ---- */

/* Whole numbers: |a - b|^2 <= t^2 |c|^2. */
static CDI_COLD bool cdi_is_near_exact(const double a[3], const double b[3], double t, const double c[3]) {
    uint32_t limbs[44 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 44 * CDI_EXACT_LIMBS);
    cdi_exact gap = cdi_exact_of(&arena, 0.0), limit = gap, tolerance = cdi_exact_of(&arena, t);
    for (int i = 0; i < 3; ++i) {
        cdi_exact d = cdi_exact_diff(&arena, a[i], b[i]);
        cdi_exact l = cdi_exact_mul(&arena, tolerance, cdi_exact_of(&arena, c[i]));
        gap = cdi_exact_add(&arena, gap, cdi_exact_mul(&arena, d, d));
        limit = cdi_exact_add(&arena, limit, cdi_exact_mul(&arena, l, l));
    }
    return cdi_exact_sub(&arena, gap, limit).sign <= 0;
}

/* |a - b| <= t |c| */
static bool cdi_is_near(cdi_v3 a, cdi_v3 b, double t, cdi_v3 c) {
    double gap = cdi_v3_sqlength(cdi_v3_sub(a, b)), limit = cdi_v3_sqlength(cdi_v3_scale(c, t));
    double from[3], to[3], size[3];
    if (!(t > 0.0)) return false;
    if (cdi_abs(gap - limit) > 1e-14 * (gap + limit) + 1e-280) return gap < limit;
    cdi_v3_store(from, a);
    cdi_v3_store(to, b);
    cdi_v3_store(size, c);
    return cdi_is_near_exact(from, to, t, size);
}

CD_API bool cd_vec3_nearly_equal(cd_vec3 a, cd_vec3 b, cd_real abs_tolerance, cd_real rel_tolerance) {
    cdi_v3 p = cdi_v3_of(a), q = cdi_v3_of(b);
    double rel = (double)rel_tolerance;
    if (a.x == b.x && a.y == b.y && a.z == b.z) return true;
    if (!cdi_v3_finite(p) || !cdi_v3_finite(q)) return false;
    if ((double)abs_tolerance > CDI_HUGE || rel >= 2.0) return true;
    return cdi_is_near(p, q, (double)abs_tolerance, cdi_v3_make(1.0, 0.0, 0.0)) ||
           cdi_is_near(p, q, rel, p) || cdi_is_near(p, q, rel, q);
}
