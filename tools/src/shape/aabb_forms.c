#include "shape/aabb_forms.h"
#include "core/expansion.h"
#include "shape/volume3d.h"

static bool cdi_none_negative(cd_vec3 v) {
    return v.x >= 0 && v.y >= 0 && v.z >= 0;
}

CD_API bool cd_aabb_mw_is_valid(const cd_aabb_mw *b) {
    return cd_vec3_is_valid(b->min) && cd_vec3_is_valid(b->width) && cdi_none_negative(b->width);
}

CD_API bool cd_aabb_cr_is_valid(const cd_aabb_cr *b) {
    return cd_vec3_is_valid(b->center) && cd_vec3_is_valid(b->half) && cdi_none_negative(b->half);
}

/* hi - lo rounded up, infinite where it is beyond the largest number. */
static cd_real cdi_width_up(cd_real lo, cd_real hi) {
    cd_real w = cdi_sum_up((double)hi, -(double)lo);
    double over[3];
    over[0] = (double)hi;
    over[1] = -(double)lo;
    over[2] = -(double)CD_REAL_MAX;
    return w == CD_REAL_MAX && cdi_sum_sign(over, 3) > 0 ? (cd_real)cdi_infinity() : w;
}

CD_API cd_aabb_mw cd_aabb_mw_from_aabb(cd_aabb b) {
    cd_aabb_mw r;
    r.min = cd_vec3_make(0, 0, 0);
    r.width = cd_vec3_make(-1, -1, -1);
    if (!cd_aabb_is_valid(b)) return r;
    r.min = b.min;
    r.width = cd_vec3_make(cdi_width_up(b.min.x, b.max.x), cdi_width_up(b.min.y, b.max.y),
                           cdi_width_up(b.min.z, b.max.z));
    return r;
}

CD_API cd_aabb_cr cd_aabb_cr_from_aabb(cd_aabb b) {
    cd_aabb_cr r;
    r.center = cd_vec3_make(0, 0, 0);
    r.half = cd_vec3_make(-1, -1, -1);
    if (cd_aabb_is_valid(b)) {
        cd_obb o = cd_obb_from_aabb(b);
        r.center = o.center;
        r.half = o.half;
    }
    return r;
}

CD_API cd_aabb cd_aabb_from_mw(const cd_aabb_mw *b) {
    cd_aabb r;
    if (!cd_vec3_is_valid(b->min) || !cdi_none_negative(b->width)) return cd_aabb_empty();
    r.min = b->min;
    r.max = cd_vec3_make(cdi_sum_up((double)b->min.x, (double)b->width.x),
                         cdi_sum_up((double)b->min.y, (double)b->width.y),
                         cdi_sum_up((double)b->min.z, (double)b->width.z));
    return r;
}

CD_API cd_aabb cd_aabb_from_cr(const cd_aabb_cr *b) {
    cdi_v3 c = cdi_v3_of(b->center), h = cdi_v3_of(b->half);
    cd_aabb r;
    if (!cdi_v3_finite(c) || !cdi_none_negative(b->half)) return cd_aabb_empty();
    r.min = cd_vec3_make(cdi_diff_down(c.x, h.x), cdi_diff_down(c.y, h.y), cdi_diff_down(c.z, h.z));
    r.max = cd_vec3_make(cdi_sum_up(c.x, h.x), cdi_sum_up(c.y, h.y), cdi_sum_up(c.z, h.z));
    return r;
}

CD_API cd_aabb_mw cd_aabb_mw_from_cr(const cd_aabb_cr *b) {
    return cd_aabb_mw_from_aabb(cd_aabb_from_cr(b));
}

CD_API cd_aabb_cr cd_aabb_cr_from_mw(const cd_aabb_mw *b) {
    return cd_aabb_cr_from_aabb(cd_aabb_from_mw(b));
}

CD_API cd_sphere cd_sphere_from_aabb_cr(const cd_aabb_cr *b) {
    cd_sphere s;
    double r = cdi_v3_length(cdi_v3_of(b->half));
    s.center = b->center;
    s.radius = -1;
    if (!cd_vec3_is_valid(b->center) || !cdi_none_negative(b->half)) return s;
    r += 1e-15 * r;
    s.radius = r > (double)CD_REAL_MAX ? (cd_real)cdi_infinity()
                                       : -cdi_round_down(-r, r > 0.0 && r < 1e-290 ? -1.0 : 0.0);
    return s;
}

/* ---- whole numbers ---- */

/* The largest whole number not above x, within 32 bits. */
static int64_t cdi_floor32(double x) {
    int64_t i = (int64_t)cdi_clamp(x, -2147483648.0, 2147483647.0);
    return (double)i > x && i > INT32_MIN ? i - 1 : i;
}

static int64_t cdi_ceil32(double x) {
    int64_t i = (int64_t)cdi_clamp(x, -2147483648.0, 2147483647.0);
    return (double)i < x && i < INT32_MAX ? i + 1 : i;
}

/* Is there a point, which also none of NaN is? */
static bool cdi_aabb_holds_some(cd_aabb b) {
    return b.min.x <= b.max.x && b.min.y <= b.max.y && b.min.z <= b.max.z;
}

CD_API cd_aabb_int cd_aabb_int_from_aabb(cd_aabb b) {
    cd_aabb_int r;
    cdi_v3 lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max);
    bool some = cdi_aabb_holds_some(b);
    for (int i = 0; i < 3; ++i) {
        r.min[i] = some ? (int32_t)cdi_floor32(cdi_v3_get(lo, i)) : INT32_MAX;
        r.max[i] = some ? (int32_t)cdi_ceil32(cdi_v3_get(hi, i)) : INT32_MIN;
    }
    return r;
}

static bool cdi_aabb_int_is_empty(const cd_aabb_int *b) {
    return b->min[0] > b->max[0] || b->min[1] > b->max[1] || b->min[2] > b->max[2];
}

CD_API cd_aabb cd_aabb_from_int(const cd_aabb_int *b) {
    cd_aabb r;
    if (cdi_aabb_int_is_empty(b)) return cd_aabb_empty();
    r.min = cd_vec3_make(cdi_diff_down((double)b->min[0], 0.0), cdi_diff_down((double)b->min[1], 0.0),
                         cdi_diff_down((double)b->min[2], 0.0));
    r.max = cd_vec3_make(cdi_sum_up((double)b->max[0], 0.0), cdi_sum_up((double)b->max[1], 0.0),
                         cdi_sum_up((double)b->max[2], 0.0));
    return r;
}

CD_API bool cd_aabb_mw_int_from_int(const cd_aabb_int *b, cd_aabb_mw_int *out) {
    if (cdi_aabb_int_is_empty(b)) return false;
    for (int i = 0; i < 3; ++i) {
        out->min[i] = b->min[i];
        out->width[i] = (uint32_t)((int64_t)b->max[i] - b->min[i]);
    }
    return true;
}

CD_API bool cd_aabb_cr_int_from_int(const cd_aabb_int *b, cd_aabb_cr_int *out) {
    if (cdi_aabb_int_is_empty(b)) return false;
    for (int i = 0; i < 3; ++i) {
        int64_t sum = (int64_t)b->min[i] + b->max[i], c = (sum - (sum % 2 != 0 && sum < 0)) / 2;
        out->center[i] = (int32_t)c;
        out->half[i] = (uint32_t)(b->max[i] - c);
    }
    return true;
}

/* ---- quantised ---- */

static CDI_COLD int cdi_grid_side_exact(double lo, double hi, double x, int k, int n) {
    uint32_t limbs[12 * (CDI_EXACT_LIMBS + 2)];
    cdi_arena arena = cdi_arena_on(limbs, 12 * (CDI_EXACT_LIMBS + 2));
    cdi_exact a = cdi_exact_mul(&arena, cdi_exact_of(&arena, lo), cdi_exact_of(&arena, (double)(n - k)));
    cdi_exact b = cdi_exact_mul(&arena, cdi_exact_of(&arena, hi), cdi_exact_of(&arena, (double)k));
    cdi_exact c = cdi_exact_mul(&arena, cdi_exact_of(&arena, x), cdi_exact_of(&arena, (double)n));
    return cdi_exact_sub(&arena, c, cdi_exact_add(&arena, a, b)).sign;
}

/* Is x before, on or beyond step k of n from lo to hi: the sign of n x - (n-k) lo - k hi. */
static int cdi_grid_side(double lo, double hi, double x, int k, int n) {
    double a = lo * (double)(n - k), b = hi * (double)k, c = x * (double)n, side = c - (a + b);
    if (cdi_abs(side) > 1e-15 * (cdi_abs(a) + cdi_abs(b) + cdi_abs(c))) return cdi_sign(side);
    return cdi_grid_side_exact(lo, hi, x, k, n);
}

/* The last step not beyond x, which lies between lo and hi. */
static int cdi_grid_below(double lo, double hi, double x, int n) {
    double share = (0.5 * x - 0.5 * lo) / (0.5 * hi - 0.5 * lo);
    int k = (int)cdi_clamp(share * (double)n, 0.0, (double)n);
    if (!(lo < hi)) return 0;
    while (k > 0 && cdi_grid_side(lo, hi, x, k, n) < 0) --k;
    while (k < n && cdi_grid_side(lo, hi, x, k + 1, n) >= 0) ++k;
    return k;
}

/* Where step k is, rounded down, or up: that of the mirrored grid. */
static cd_real cdi_grid_down(double lo, double hi, int k, int n) {
    double a = lo * ((double)(n - k) / (double)n), b = hi * ((double)k / (double)n);
    if (k == 0 || k == n) return (cd_real)(k ? hi : lo);
    return cdi_round_down(cdi_max(a + b - 1e-15 * (cdi_abs(a) + cdi_abs(b)), lo), -1.0);
}

typedef struct cdi_codes {
    int lo[3], hi[3];
} cdi_codes;

static cdi_codes cdi_aabb_encode(cd_aabb b, cd_aabb frame, int n) {
    cdi_codes r;
    cdi_v3 lo = cdi_v3_of(frame.min), hi = cdi_v3_of(frame.max);
    bool some = cd_aabb_is_valid(frame) && cdi_aabb_holds_some(b);
    b = cd_aabb_intersect(b, frame);
    some = some && cdi_aabb_holds_some(b);
    for (int i = 0; i < 3; ++i) {
        double l = cdi_v3_get(lo, i), h = cdi_v3_get(hi, i);
        r.lo[i] = some ? cdi_grid_below(l, h, cdi_v3_get(cdi_v3_of(b.min), i), n) : n;
        r.hi[i] = some ? n - cdi_grid_below(-h, -l, -cdi_v3_get(cdi_v3_of(b.max), i), n) : 0;
        if (some && !(l < h)) r.hi[i] = 0;
    }
    return r;
}

static cd_aabb cdi_aabb_decode(const cdi_codes *c, cd_aabb frame, int n) {
    cdi_v3 lo = cdi_v3_of(frame.min), hi = cdi_v3_of(frame.max);
    cd_real least[3], most[3];
    cd_aabb r;
    if (!cd_aabb_is_valid(frame)) return cd_aabb_empty();
    for (int i = 0; i < 3; ++i) {
        double l = cdi_v3_get(lo, i), h = cdi_v3_get(hi, i);
        if (c->lo[i] > c->hi[i]) return cd_aabb_empty();
        least[i] = cdi_grid_down(l, h, c->lo[i], n);
        most[i] = -cdi_grid_down(-h, -l, n - c->hi[i], n);
    }
    r.min = cd_vec3_make(least[0], least[1], least[2]);
    r.max = cd_vec3_make(most[0], most[1], most[2]);
    return cd_aabb_intersect(r, frame);
}

CD_API cd_aabb_q16 cd_aabb_q16_from_aabb(cd_aabb b, cd_aabb frame) {
    cdi_codes c = cdi_aabb_encode(b, frame, 65535);
    cd_aabb_q16 r;
    for (int i = 0; i < 3; ++i) {
        r.min[i] = (uint16_t)c.lo[i];
        r.max[i] = (uint16_t)c.hi[i];
    }
    return r;
}

CD_API cd_aabb_q8 cd_aabb_q8_from_aabb(cd_aabb b, cd_aabb frame) {
    cdi_codes c = cdi_aabb_encode(b, frame, 255);
    cd_aabb_q8 r;
    for (int i = 0; i < 3; ++i) {
        r.min[i] = (uint8_t)c.lo[i];
        r.max[i] = (uint8_t)c.hi[i];
    }
    return r;
}

CD_API cd_aabb cd_aabb_from_q16(const cd_aabb_q16 *b, cd_aabb frame) {
    cdi_codes c;
    for (int i = 0; i < 3; ++i) {
        c.lo[i] = b->min[i];
        c.hi[i] = b->max[i];
    }
    return cdi_aabb_decode(&c, frame, 65535);
}

CD_API cd_aabb cd_aabb_from_q8(const cd_aabb_q8 *b, cd_aabb frame) {
    cdi_codes c;
    for (int i = 0; i < 3; ++i) {
        c.lo[i] = b->min[i];
        c.hi[i] = b->max[i];
    }
    return cdi_aabb_decode(&c, frame, 255);
}

/* k steps, as two terms without rounding; infinite or NaN beyond the range. The split of a product needs room above. */
static void cdi_steps(double k, double step, double *hi, double *lo) {
    double unit = step > 1e290 ? 7.888609052210118e-31 : 1.0; /* 2^-100 */
    cdi_two_product(k, step * unit, hi, lo);
    *hi /= unit;
    *lo /= unit;
}

/* The least k with k steps not below h; 65536 when there is none. */
static int cdi_steps_up(double h, double step) {
    int k = (int)cdi_clamp(h / step - 1.0, 0.0, 65535.0);
    for (; k < 65536; ++k) {
        double x[3];
        cdi_steps((double)k, step, &x[0], &x[1]);
        x[2] = -h;
        if (!cdi_finite(x[0]) || !cdi_finite(x[1]) || cdi_sum_sign(x, 3) >= 0) break;
    }
    return k;
}

CD_API bool cd_aabb_cr_q16_from_cr(const cd_aabb_cr *b, cd_real step, cd_aabb_cr_q16 *out) {
    cd_aabb_cr_q16 r;
    if (!cd_aabb_cr_is_valid(b) || !(step > 0) || !cdi_finite((double)step)) return false;
    r.center = b->center;
    for (int i = 0; i < 3; ++i) {
        int k = cdi_steps_up(cdi_v3_get(cdi_v3_of(b->half), i), (double)step);
        if (k > 65535) return false;
        r.half[i] = (uint16_t)k;
    }
    *out = r;
    return true;
}

static cd_real cdi_steps_length(uint16_t k, cd_real step) {
    double x, tail;
    cdi_steps((double)k, (double)step, &x, &tail);
    return -cdi_round_down(-x, -tail);
}

CD_API cd_aabb_cr cd_aabb_cr_from_q16(const cd_aabb_cr_q16 *b, cd_real step) {
    cd_aabb_cr r;
    r.center = b->center;
    r.half = cd_vec3_make(cdi_steps_length(b->half[0], step), cdi_steps_length(b->half[1], step),
                          cdi_steps_length(b->half[2], step));
    return r;
}
