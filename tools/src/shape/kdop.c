#include "core/expansion.h"
#include "core/mat3d.h"
#include "core/orient.h"
#include "core/pose.h"
#include "core/simd.h"
#include "shape/kdop3d.h"
#include "shape/slab3d.h"
#include "shape/volume3d.h"

/* ---- products rounded to a side ---- */

static CDI_COLD cd_real cdi_dot_down_exact(cdi_v3 n, cdi_v3 p, double s) {
    uint32_t limbs[24 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 24 * CDI_EXACT_LIMBS);
    cdi_exact sum = cdi_exact_of(&arena, s), term;
    double near_sum;
    int rest;
    for (int i = 0; i < 3; ++i) {
        term = cdi_exact_mul(&arena, cdi_exact_of(&arena, cdi_v3_get(n, i)),
                             cdi_exact_of(&arena, cdi_v3_get(p, i)));
        sum = cdi_exact_add(&arena, sum, term);
    }
    near_sum = cdi_exact_to_double(sum);
    rest = cdi_exact_sub(&arena, sum, cdi_exact_of(&arena, near_sum)).sign;
    if (near_sum < -(double)CD_REAL_MAX || (near_sum == -(double)CD_REAL_MAX && rest < 0))
        return -(cd_real)cdi_infinity();
    if (near_sum > (double)CD_REAL_MAX || (near_sum == CDI_HUGE && rest > 0)) return (cd_real)cdi_infinity();
    return cdi_round_down(near_sum, (double)rest);
}

/* Products of two numbers of the interface: those of floats need no second term. */
CDI_INLINE void cdi_real_product(double a, double b, double *x, double *y) {
#ifdef COLLIDE_DOUBLE
    cdi_two_product(a, b, x, y);
#else
    *x = a * b;
    *y = 0.0;
#endif
}

/* No digit of the product is lost below the range of doubles. */
CDI_INLINE bool cdi_product_is_safe(double a, double b) {
    return a == 0.0 || b == 0.0 || cdi_abs(a * b) > 1e-200;
}

/* The sum and what it lacks, by products and sums with their errors (Ogita, Rump and Oishi 2005); the errors are summed
 * with one of 8 u of their magnitudes at most. */
CDI_FN cd_real cdi_dot_down(cdi_v3 n, cdi_v3 p, double s) {
    double x, y, z, xe, ye, ze, e1, e2, e3, sum, lost, rest, error;
    double size = cdi_abs(n.x * p.x) + cdi_abs(n.y * p.y) + cdi_abs(n.z * p.z) + cdi_abs(s);
    double most = cdi_max(cdi_v3_max_abs(n), cdi_v3_max_abs(p));
    if (!(most < 1e150 && size < 0.5 * (double)CD_REAL_MAX) || !cdi_product_is_safe(n.x, p.x) ||
        !cdi_product_is_safe(n.y, p.y) || !cdi_product_is_safe(n.z, p.z)) {
        return cdi_dot_down_exact(n, p, s);
    }
    cdi_real_product(n.x, p.x, &x, &xe);
    cdi_real_product(n.y, p.y, &y, &ye);
    cdi_real_product(n.z, p.z, &z, &ze);
    cdi_two_sum(x, y, &sum, &e1);
    cdi_two_sum(sum, z, &sum, &e2);
    cdi_two_sum(sum, s, &sum, &e3);
    lost = ((xe + ye) + (ze + e1)) + (e2 + e3);
    error = cdi_abs(xe) + cdi_abs(ye) + cdi_abs(ze) + cdi_abs(e1) + cdi_abs(e2) + cdi_abs(e3);
    if (error == 0.0) return cdi_round_down(sum, 0.0);
    cdi_two_sum(sum, lost, &sum, &rest);
    if (cdi_abs(rest) > 8.881784197001252e-16 * error) return cdi_round_down(sum, rest); /* 8 u */
    return cdi_dot_down_exact(n, p, s);
}

CDI_FN cd_real cdi_dot_up(cdi_v3 n, cdi_v3 p, double s) {
    return (cd_real)0 - cdi_dot_down(cdi_v3_neg(n), p, 0.0 - s);
}

/* ---- sets ---- */

/* How far from perpendicular: the square of the cosine of two directions. */
static double cdi_axes_likeness(cd_vec3 a, cd_vec3 b) {
    double dot = cdi_v3_dot(cdi_v3_normalize(cdi_v3_of(a)), cdi_v3_normalize(cdi_v3_of(b)));
    return dot * dot;
}

CD_API void cd_kdop_set_order(cd_kdop_set *set) {
    double like[CD_KDOP_AXES];
    if (set->count > CD_KDOP_AXES) return;
    for (uint32_t i = 0; i < set->count; ++i) like[i] = 0.0;
    for (uint32_t i = 1; i < set->count; ++i) {
        uint32_t best = i;
        cd_vec3 axis;
        for (uint32_t j = i; j < set->count; ++j) {
            like[j] = cdi_max(like[j], cdi_axes_likeness(set->axis[j], set->axis[i - 1]));
            if (like[j] < like[best] - 1e-12) best = j;
        }
        axis = set->axis[best];
        for (uint32_t j = best; j > i; --j) { /* the rest stays in its order */
            set->axis[j] = set->axis[j - 1];
            like[j] = like[j - 1];
        }
        set->axis[i] = axis;
    }
}

static void cdi_set_add(cd_kdop_set *set, const signed char (*axes)[3], int count) {
    for (int i = 0; i < count; ++i)
        set->axis[set->count++] = cd_vec3_make((cd_real)axes[i][0], (cd_real)axes[i][1], (cd_real)axes[i][2]);
}

CD_API cd_kdop_set cd_kdop_set_standard(uint32_t k) {
    static const signed char axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    static const signed char corners[4][3] = {{1, 1, 1}, {1, 1, -1}, {1, -1, 1}, {1, -1, -1}};
    static const signed char edges[6][3] = {{1, 1, 0},  {1, -1, 0}, {1, 0, 1},
                                            {1, 0, -1}, {0, 1, 1},  {0, 1, -1}};
    cd_kdop_set set;
    cdi_clear(&set, sizeof set);
    if (k == 6 || k == 14 || k == 18 || k == 26) cdi_set_add(&set, axes, 3);
    if (k == 8 || k == 14 || k == 20 || k == 26) cdi_set_add(&set, corners, 4);
    if (k == 12 || k == 18 || k == 20 || k == 26) cdi_set_add(&set, edges, 6);
    cd_kdop_set_order(&set);
    return set;
}

/* The force of the line through b, both its ends, on the end a of another, at the distance squared. */
static cdi_v3 cdi_repulsion(cdi_v3 a, cdi_v3 b) {
    cdi_v3 away = cdi_v3_sub(a, b), other = cdi_v3_add(a, b);
    double d = cdi_v3_sqlength(away), e = cdi_v3_sqlength(other);
    return cdi_v3_along(cdi_v3_scale(away, 1.0 / (d * cdi_sqrt(d))), other, 1.0 / (e * cdi_sqrt(e)));
}

/* Half a sphere along a spiral, each point the golden angle from the one before. */
static void cdi_spread_begin(cdi_v3 *u, uint32_t count) {
    const double turn_x = -0.7373688780783197, turn_y = 0.6754902942615238;
    double x = 1.0, y = 0.0;
    for (uint32_t i = 0; i < count; ++i) {
        double z = ((double)i + 0.5) / (double)count, ring = cdi_sqrt(1.0 - z * z), t = x;
        u[i] = cdi_v3_make(ring * x, ring * y, z);
        x = x * turn_x - y * turn_y;
        y = t * turn_y + y * turn_x;
    }
}

static void cdi_spread_step(cdi_v3 *u, uint32_t count, double step) {
    cdi_v3 force[CD_KDOP_AXES];
    for (uint32_t i = 0; i < count; ++i) {
        force[i] = cdi_v3_make(0.0, 0.0, 0.0);
        for (uint32_t j = 0; j < count; ++j) {
            if (j != i) force[i] = cdi_v3_add(force[i], cdi_repulsion(u[i], u[j]));
        }
        force[i] = cdi_v3_along(force[i], u[i], -cdi_v3_dot(force[i], u[i]));
    }
    for (uint32_t i = 0; i < count; ++i) u[i] = cdi_v3_normalize(cdi_v3_along(u[i], force[i], step));
}

CD_API cd_kdop_set cd_kdop_set_spread(uint32_t count) {
    cd_kdop_set set;
    cdi_v3 u[CD_KDOP_AXES];
    cdi_clear(&set, sizeof set);
    if (count < 3 || count > CD_KDOP_AXES) return set;
    cdi_spread_begin(u, count);
    for (int i = 0; i < 300; ++i) cdi_spread_step(u, count, 0.3 / ((double)count * cdi_sqrt((double)count)));
    set.count = count;
    for (uint32_t i = 0; i < count; ++i) set.axis[i] = cdi_v3_round(u[i]);
    cd_kdop_set_order(&set);
    return set;
}

CD_API cd_kdop_set cd_kdop_set_rotate(const cd_kdop_set *set, cd_quat rotation) {
    cd_kdop_set r = *set;
    cdi_m3 m = cdi_m3_of_quat(rotation);
    for (uint32_t i = 0; i < r.count && i < CD_KDOP_AXES; ++i)
        r.axis[i] = cdi_v3_round(cdi_m3_mul_v3(&m, cdi_v3_of(set->axis[i])));
    return r;
}

static bool cdi_direction_is_valid(cd_vec3 n) {
    return cd_vec3_is_valid(n) && !cdi_v3_is_zero(cdi_v3_of(n));
}

static double cdi_v3_magnitudes(cdi_v3 a) {
    return cdi_abs(a.x) + cdi_abs(a.y) + cdi_abs(a.z);
}

/* For sure: a determinant far above its rounding. */
static bool cdi_axes_span_surely(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    double size = cdi_v3_magnitudes(a) * cdi_v3_magnitudes(b) * cdi_v3_magnitudes(c);
    return cdi_abs(cdi_v3_dot(a, cdi_v3_cross(b, c))) > 1e-14 * size + 1e-290;
}

/* Some three of them span space; a shortest proof is with two that are not parallel and any third. */
static bool cdi_axes_span(const cd_vec3 *axis, uint32_t count) {
    cdi_v3 zero = cdi_v3_make(0.0, 0.0, 0.0), a = cdi_v3_of(axis[0]);
    if (cdi_axes_span_surely(a, cdi_v3_of(axis[1]), cdi_v3_of(axis[2]))) return true; /* nearly always */
    for (uint32_t i = 1; i < count; ++i) {
        cdi_v3 b = cdi_v3_of(axis[i]);
        if (cdi_v3_is_zero(cdi_exact_normal(zero, a, b))) continue;
        for (uint32_t j = i + 1; j < count; ++j) {
            if (cdi_orient3d(a, b, cdi_v3_of(axis[j]), zero) != 0.0) return true;
        }
        return false;
    }
    return false;
}

CD_API bool cd_kdop_set_is_valid(const cd_kdop_set *set) {
    if (set->count < 3 || set->count > CD_KDOP_AXES) return false;
    for (uint32_t i = 0; i < set->count; ++i) {
        if (!cdi_direction_is_valid(set->axis[i])) return false;
    }
    return cdi_axes_span(set->axis, set->count);
}

static bool cdi_range_is_valid(cd_real lo, cd_real hi) {
    return cdi_finite((double)lo) && cdi_finite((double)hi) && lo <= hi;
}

CD_API bool cd_kdop_is_valid(const cd_kdop *dop, const cd_kdop_set *set) {
    if (!cd_kdop_set_is_valid(set) || dop->count != set->count) return false;
    for (uint32_t i = 0; i < dop->count; ++i) {
        if (!cdi_range_is_valid(dop->min[i], dop->max[i])) return false;
    }
    return true;
}

CD_API bool cd_slabs_is_valid(const cd_slab *slabs, size_t count) {
    if (count > 0 && !slabs) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!cdi_direction_is_valid(slabs[i].n) || !cdi_range_is_valid(slabs[i].min, slabs[i].max))
            return false;
    }
    return true;
}

/* ---- fits ---- */

/* Of some points, axis by axis: the largest magnitude, and the smallest other than 0. */
typedef struct cdi_magnitudes {
    double most[3], least[3];
} cdi_magnitudes;

/* The same as bits without the sign, which are ordered as the numbers are, the smallest less 1: so that 0 is the largest,
 * and NaN and infinity are above all numbers. */
typedef struct cdi_magnitude_bits {
    cdi_real_bits most, least;
} cdi_magnitude_bits;

CDI_INLINE void cdi_note_magnitude(cdi_magnitude_bits *m, cd_real x) {
    cdi_real_bits b = cdi_bits_of_real(x) << 1 >> 1;
    m->most = b > m->most ? b : m->most;
    m->least = b - 1 < m->least ? b - 1 : m->least;
}

/* False when one is not finite. */
static bool cdi_magnitudes_of(const cd_vec3 *points, size_t count, cdi_magnitudes *m) {
    const cdi_real_bits none = (cdi_real_bits)0 - 1, end = cdi_bits_of_real(CD_REAL_MAX);
    cdi_magnitude_bits x = {0, none}, y = {0, none}, z = {0, none};
    if (count > 0 && !points) return false;
    for (size_t i = 0; i < count; ++i) {
        cdi_note_magnitude(&x, points[i].x);
        cdi_note_magnitude(&y, points[i].y);
        cdi_note_magnitude(&z, points[i].z);
    }
    if (x.most > end || y.most > end || z.most > end) return false;
    cdi_v3_store(m->most, cdi_v3_make((double)cdi_real_of_bits(x.most), (double)cdi_real_of_bits(y.most),
                                      (double)cdi_real_of_bits(z.most)));
    m->least[0] = x.least == none ? CDI_HUGE : (double)cdi_real_of_bits(x.least + 1);
    m->least[1] = y.least == none ? CDI_HUGE : (double)cdi_real_of_bits(y.least + 1);
    m->least[2] = z.least == none ? CDI_HUGE : (double)cdi_real_of_bits(z.least + 1);
    return true;
}

/* How wrong a product with n may be in double: 8 u of the terms, and what an underflow loses. Nothing when all factors
 * are 0 or 1, and a double holds all digits between the largest sum and the smallest number's last place. */
static double cdi_product_error(cdi_v3 n, const cdi_magnitudes *m) {
    double sum = 0.0, unit = CDI_HUGE;
    bool whole = true;
    int terms = 0;
    for (int k = 0; k < 3; ++k) {
        double a = cdi_abs(cdi_v3_get(n, k));
        if (a == 0.0) continue;
        sum += a * m->most[k];
        unit = cdi_min(unit, m->least[k]);
        whole = whole && a == 1.0;
        ++terms;
    }
    if (whole && (terms == 1 || sum <= 4503599627370496.0 * ((double)CD_REAL_EPSILON * 0.5 * unit)))
        return 0.0;
    return sum < 1e300 ? 8.881784197001252e-16 * sum + 1e-300 : cdi_infinity();
}

/* What the products with some points come to, in double, and by how much they may be wrong. */
typedef struct cdi_products {
    double least, most, error;
} cdi_products;

/* x - error and x + error are rounded down to one number: so is all between. */
static bool cdi_round_down_surely(double x, double error, cd_real *out) {
    if (!(cdi_abs(x) + error <= (double)CD_REAL_MAX)) return false;
    *out = cdi_round_down(x - error, 0.0);
    return *out == cdi_round_down(x + error, 0.0);
}

/* The slab of some points, at least one: where the products in double do not settle it, they say which points may be the
 * outermost, and the products of these are rounded without error. */
static bool cdi_fit_slab(cdi_v3 n, const cd_vec3 *points, size_t count, cdi_products d, cd_real *lo,
                         cd_real *hi) {
    bool low, high;
    *lo = *hi = 0;
    low = cdi_round_down_surely(d.least, d.error, lo);
    high = cdi_round_down_surely(-d.most, d.error, hi);
    *hi = -*hi;
    if (low && high) return true;
    if (!low) *lo = (cd_real)cdi_infinity();
    if (!high) *hi = -(cd_real)cdi_infinity();
    for (size_t i = 0; i < count; ++i) {
        cdi_v3 p = cdi_v3_of(points[i]);
        double x = cdi_v3_dot(n, p);
        if (!low && !(x > d.least + d.error)) { /* may be NaN */
            cd_real y = cdi_dot_down(n, p, 0.0);
            if (y < *lo) *lo = y;
        }
        if (!high && !(x < d.most - d.error)) {
            cd_real y = cdi_dot_up(n, p, 0.0);
            if (y > *hi) *hi = y;
        }
    }
    return cdi_finite((double)*lo) && cdi_finite((double)*hi);
}

/* The same as cdi_round_down_surely, where it can be seen from the nearest number. Without a branch where it goes either way:
 * the next number below is one less in the bits, one more behind a sign; what is above x and 0 has one. */
CDI_INLINE bool cdi_round_down_quickly(double x, double error, cd_real *out) {
    cd_real near_x = cdi_nearest_real(x);
    cdi_real_bits bits = cdi_bits_of_real(near_x);
    double rest = x - (double)near_x;
    if (!(cdi_abs(x) + error <= (double)CD_REAL_MAX)) return false;
    bits += (cdi_real_bits)(cdi_bits(rest) >> 63) * ((bits >> (8 * sizeof bits - 1) << 1) - 1);
    *out = cdi_real_of_bits(bits);
    return error == 0.0 || cdi_abs(rest) > error;
}

/* The products of four directions with some points, the smallest and the largest of each. Each end is looked for by itself:
 * ComputeDOP8 in 4.6.4 has an `else` between them. */
static void cdi_multiply_four(const cdi_d4 n[3], const cd_vec3 *points, size_t count, double least[4],
                              double most[4]) {
    cdi_d4 x = n[0], y = n[1], z = n[2], lo = cdi_d4_all(CDI_HUGE), hi = cdi_d4_all(-CDI_HUGE);
    for (size_t i = 0; i < count; ++i) {
        cdi_v3 p = cdi_v3_of(points[i]);
        cdi_d4 d = cdi_d4_mul(x, cdi_d4_all(p.x));
        d = cdi_d4_add(d, cdi_d4_mul(y, cdi_d4_all(p.y)));
        d = cdi_d4_add(d, cdi_d4_mul(z, cdi_d4_all(p.z)));
        lo = cdi_d4_min(d, lo);
        hi = cdi_d4_max(d, hi);
    }
    cdi_d4_store(least, lo);
    cdi_d4_store(most, hi);
}

/* cdi_product_error of four directions, or more, where it matters little: nothing when it is seen at once that they are
 * whole, a * a = a, and that all sums are exact. */
static void cdi_error_of_four(const cdi_d4 n[3], const cdi_magnitudes *m, double error[4]) {
    double whole[4];
    double most = (double)CD_REAL_EPSILON * 2251799813685248.0 *
                  cdi_min(m->least[0], cdi_min(m->least[1], m->least[2]));
    cdi_d4 sum = cdi_d4_all(0.0), off = sum;
    for (int k = 0; k < 3; ++k) {
        cdi_d4 a = cdi_d4_max(n[k], cdi_d4_sub(cdi_d4_all(0.0), n[k]));
        cdi_d4 b = cdi_d4_sub(cdi_d4_mul(a, a), a);
        sum = cdi_d4_add(sum, cdi_d4_mul(a, cdi_d4_all(m->most[k])));
        off = cdi_d4_add(off, cdi_d4_max(b, cdi_d4_sub(cdi_d4_all(0.0), b)));
    }
    cdi_d4_store(error, sum);
    cdi_d4_store(whole, off);
    for (int i = 0; i < 4; ++i)
        error[i] = whole[i] == 0.0 && error[i] <= most ? 0.0 : error[i] * 8.881784197001252e-16 + 1e-300;
}

/* The slabs of the first `used` of four directions. False when a number would not be finite. */
static bool cdi_fit_four(const cd_vec3 axis[4], uint32_t used, const cd_vec3 *points, size_t count,
                         const cdi_magnitudes *m, cd_real *lo, cd_real *hi) {
    double least[4], most[4], error[4];
    cdi_d4 n[3];
    bool good = true;
    cdi_d4_points(&axis->x, n);
    cdi_multiply_four(n, points, count, least, most);
    cdi_error_of_four(n, m, error);
    for (uint32_t i = 0; i < used; ++i) {
        cdi_products d;
        if (cdi_round_down_quickly(least[i], error[i], &lo[i]) &&
            cdi_round_down_quickly(-most[i], error[i], &hi[i])) {
            hi[i] = -hi[i];
            continue;
        }
        d.least = least[i];
        d.most = most[i];
        d.error = cdi_product_error(cdi_v3_of(axis[i]), m);
        good = cdi_fit_slab(cdi_v3_of(axis[i]), points, count, d, &lo[i], &hi[i]) && good;
    }
    return good;
}

static cd_status cdi_slabs_fail(cd_slab *slabs, size_t count, cd_status status) {
    for (size_t i = 0; slabs && i < count; ++i) slabs[i].min = slabs[i].max = 0;
    return status;
}

CD_API cd_status cd_slabs_from_points(const cd_vec3 *points, size_t count, cd_slab *slabs,
                                      size_t slab_count) {
    cdi_magnitudes m;
    if (count == 0 || (slab_count > 0 && !slabs) || !cdi_magnitudes_of(points, count, &m))
        return cdi_slabs_fail(slabs, slab_count, CD_INVALID_ARGUMENT);
    for (size_t i = 0; i < slab_count; ++i) {
        if (!cdi_direction_is_valid(slabs[i].n))
            return cdi_slabs_fail(slabs, slab_count, CD_INVALID_ARGUMENT);
    }
    for (size_t i = 0; i < slab_count; i += 4) {
        cd_vec3 axis[4];
        cd_real lo[4], hi[4];
        uint32_t used = slab_count - i < 4 ? (uint32_t)(slab_count - i) : 4u;
        for (uint32_t k = 0; k < 4; ++k) axis[k] = slabs[i + (k < used ? k : 0)].n;
        if (!cdi_fit_four(axis, used, points, count, &m, lo, hi))
            return cdi_slabs_fail(slabs, slab_count, CD_TOO_LARGE);
        for (uint32_t k = 0; k < used; ++k) {
            slabs[i + k].min = lo[k];
            slabs[i + k].max = hi[k];
        }
    }
    return CD_OK;
}

CD_API cd_kdop cd_kdop_empty(const cd_kdop_set *set) {
    cd_kdop dop;
    cdi_clear(&dop, sizeof dop);
    dop.count = set->count < CD_KDOP_AXES ? set->count : (uint32_t)CD_KDOP_AXES;
    for (uint32_t i = 0; i < dop.count; ++i) {
        dop.min[i] = CD_REAL_MAX;
        dop.max[i] = -CD_REAL_MAX;
    }
    return dop;
}

CDI_FN cd_status cdi_kdop_fail(cd_kdop *out, cd_status status) {
    cdi_clear(out, sizeof *out);
    return status;
}

CDI_FN cd_status cdi_kdop_check(cd_kdop *out) {
    for (uint32_t i = 0; i < out->count; ++i) {
        if (!cdi_finite((double)out->min[i]) || !cdi_finite((double)out->max[i]))
            return cdi_kdop_fail(out, CD_TOO_LARGE);
    }
    return CD_OK;
}

CD_API cd_status cd_kdop_from_points(const cd_vec3 *points, size_t count, const cd_kdop_set *set,
                                     cd_kdop *out) {
    cdi_magnitudes m;
    if (!cd_kdop_set_is_valid(set) || !cdi_magnitudes_of(points, count, &m))
        return cdi_kdop_fail(out, CD_INVALID_ARGUMENT);
    if (count == 0) {
        *out = cd_kdop_empty(set);
        return CD_OK;
    }
    cdi_clear(out, sizeof *out); /* all of it: some compare the bytes */
    out->count = set->count;
    for (uint32_t i = 0; i < set->count; i += 4) {
        uint32_t used = set->count - i < 4 ? set->count - i : 4u;
        cd_vec3 last[4];
        for (uint32_t k = 0; used < 4 && k < 4; ++k) last[k] = set->axis[i + (k < used ? k : 0)];
        if (!cdi_fit_four(used < 4 ? last : set->axis + i, used, points, count, &m, out->min + i,
                          out->max + i))
            return cdi_kdop_fail(out, CD_TOO_LARGE);
    }
    return CD_OK;
}

CD_API cd_status cd_kdop_from_aabb(cd_aabb b, const cd_kdop_set *set, cd_kdop *out) {
    cdi_v3 lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max);
    if (!cd_kdop_set_is_valid(set) || !cdi_aabb_finite(b)) return cdi_kdop_fail(out, CD_INVALID_ARGUMENT);
    *out = cd_kdop_empty(set);
    if (cd_aabb_is_empty(b)) return CD_OK;
    for (uint32_t i = 0; i < set->count; ++i) {
        cdi_v3 n = cdi_v3_of(set->axis[i]);
        cdi_v3 low = cdi_v3_make(n.x < 0.0 ? hi.x : lo.x, n.y < 0.0 ? hi.y : lo.y, n.z < 0.0 ? hi.z : lo.z);
        cdi_v3 high = cdi_v3_make(n.x < 0.0 ? lo.x : hi.x, n.y < 0.0 ? lo.y : hi.y, n.z < 0.0 ? lo.z : hi.z);
        out->min[i] = cdi_dot_down(n, low, 0.0);
        out->max[i] = cdi_dot_up(n, high, 0.0);
    }
    return cdi_kdop_check(out);
}

/* The slab around center with half width `extent`. */
static void cdi_slab_around(cdi_v3 n, cdi_v3 center, double extent, cd_real *lo, cd_real *hi) {
    *lo = *hi = (cd_real)cdi_infinity();
    if (!cdi_finite(extent)) return;
    *lo = cdi_dot_down(n, center, 0.0 - extent);
    *hi = cdi_dot_up(n, center, extent);
}

/* At least x, when that was computed with an error of up to 8 u of it. */
static double cdi_grown(double x) {
    return x + x * 1.7763568394002505e-15 + (x > 0.0 ? 4.9406564584124654e-324 : 0.0);
}

CD_API cd_status cd_kdop_from_sphere(cd_sphere s, const cd_kdop_set *set, cd_kdop *out) {
    if (!cd_kdop_set_is_valid(set) || !cd_vec3_is_valid(s.center) || !cdi_finite((double)s.radius))
        return cdi_kdop_fail(out, CD_INVALID_ARGUMENT);
    *out = cd_kdop_empty(set);
    if (s.radius < 0) return CD_OK;
    for (uint32_t i = 0; i < set->count; ++i) {
        cdi_v3 n = cdi_v3_of(set->axis[i]);
        double extent = cdi_grown(cdi_v3_length(n) * (double)s.radius);
        cdi_slab_around(n, cdi_v3_of(s.center), extent, &out->min[i], &out->max[i]);
    }
    return cdi_kdop_check(out);
}

/* Half the width of a box along n, or more. */
static double cdi_obb_extent(const cdi_obb *b, cdi_v3 n) {
    double extent = 0.0, size = 0.0;
    for (int j = 0; j < 3; ++j) {
        cdi_v3 a = b->axes.c[j];
        extent += cdi_abs(cdi_v3_dot(n, a)) * b->half[j];
        size += (cdi_abs(n.x * a.x) + cdi_abs(n.y * a.y) + cdi_abs(n.z * a.z)) * b->half[j];
    }
    return cdi_grown(extent + size * 4.440892098500626e-16);
}

static bool cdi_obb_is_bounded(const cdi_obb *b) {
    return cdi_obb_finite(b) && b->half[0] >= 0.0 && b->half[1] >= 0.0 && b->half[2] >= 0.0;
}

CD_API cd_status cd_kdop_from_obb(const cd_obb *b, const cd_kdop_set *set, cd_kdop *out) {
    cdi_obb d = cdi_obb_of(b);
    if (!cd_kdop_set_is_valid(set) || !cdi_obb_is_bounded(&d)) return cdi_kdop_fail(out, CD_INVALID_ARGUMENT);
    *out = cd_kdop_empty(set);
    for (uint32_t i = 0; i < set->count; ++i) {
        cdi_v3 n = cdi_v3_of(set->axis[i]);
        cdi_slab_around(n, d.center, cdi_obb_extent(&d, n), &out->min[i], &out->max[i]);
    }
    return cdi_kdop_check(out);
}

CD_API bool cd_slabs_from_aabb(cd_aabb b, cd_slab out[3]) {
    cdi_clear(out, 3 * sizeof *out);
    if (!cd_aabb_is_valid(b)) return false;
    out[0].n.x = out[1].n.y = out[2].n.z = 1;
    out[0].min = b.min.x;
    out[1].min = b.min.y;
    out[2].min = b.min.z;
    out[0].max = b.max.x;
    out[1].max = b.max.y;
    out[2].max = b.max.z;
    return true;
}

CD_API bool cd_slabs_from_obb(const cd_obb *b, cd_slab out[3]) {
    cdi_obb d = cdi_obb_of(b);
    cdi_clear(out, 3 * sizeof *out);
    if (!cdi_obb_is_bounded(&d)) return false;
    for (int i = 0; i < 3; ++i) {
        double extent = cdi_max(cdi_obb_extent(&d, d.axes.c[i]), d.half[i]);
        out[i].n = b->axes.col[i];
        cdi_slab_around(d.axes.c[i], d.center, extent, &out[i].min, &out[i].max);
    }
    if (cd_slabs_is_valid(out, 3)) return true;
    cdi_clear(out, 3 * sizeof *out);
    return false;
}

CD_API uint32_t cd_slabs_from_kdop(const cd_kdop *dop, const cd_kdop_set *set, cd_slab out[CD_KDOP_AXES]) {
    if (dop->count != set->count || dop->count > CD_KDOP_AXES) return 0;
    for (uint32_t i = 0; i < dop->count; ++i) {
        out[i].n = set->axis[i];
        out[i].min = dop->min[i];
        out[i].max = dop->max[i];
    }
    return dop->count;
}

CDI_FN int cdi_kdop_sides(const cd_kdop *dop, const cd_kdop_set *set, cdi_side out[2 * CD_KDOP_AXES]) {
    for (uint32_t i = 0; i < 2 * dop->count; ++i)
        out[i] = cdi_slab_side(set->axis[i / 2], dop->min[i / 2], dop->max[i / 2], i % 2 != 0);
    return (int)(2 * dop->count);
}

CD_API cd_kdop cd_merge_kdop_kdop(const cd_kdop *a, const cd_kdop *b) {
    cd_kdop r = *a;
    if (a->count != b->count || a->count > CD_KDOP_AXES) {
        cdi_clear(&r, sizeof r);
        return r;
    }
    for (uint32_t i = 0; i < r.count; ++i) {
        if (b->min[i] < r.min[i]) r.min[i] = b->min[i];
        if (b->max[i] > r.max[i]) r.max[i] = b->max[i];
    }
    return r;
}
