#include "core/orient.h"

/* Bounds of the rounding error relative to the sum of the terms' magnitudes, as the determinants are written below
 * (Shewchuk 1997, table 1 and section 4: (3 + 16 u) u and so on, u = 2^-53), rounded up by a few u^2. A product that
 * underflows may be off by 1e-323 as well: CDI_LEAST stands for it in the last sum, CDI_MORE in those before. Products of
 * four floats cannot underflow. */
#define CDI_LEAST 1e-280
#ifdef COLLIDE_DOUBLE
#define CDI_MORE(x) ((x) + 1e-300)
#else
#define CDI_MORE(x) (x)
#endif
#define CDI_ORIENT2D_BOUND 3.330669073875474e-16
#define CDI_ORIENT3D_BOUND 7.771561172376115e-16
#define CDI_QUADRIC_BOUND  8.9e-16 /* (8 + 16 u) u: differences, squares, three sums */
#define CDI_INCIRCLE_BOUND 1.1102230246251610e-15
#define CDI_INSPHERE_BOUND 1.7763568394002560e-15

/* Are the differences multiples of one power of two, of at most `bits` bits, and exact? Then the determinant was evaluated
 * without rounding, as most are whose points have few digits: those of grids, and of much that people draw. */
static bool cdi_has_few_bits(const cdi_diff *d, int count, int bits) {
    double most = 0.0, unit;
    for (int i = 0; i < count; ++i) most = cdi_max(most, cdi_abs(d[i].a - d[i].b));
    if (!(most > 1e-60 && most < 1e60)) return false;
    unit = 1.5 * cdi_exp2i(cdi_exponent(most) + 53 - bits); /* a sum with it is rounded to the power of two */
    for (int i = 0; i < count; ++i) {
        double x = d[i].a - d[i].b, y = d[i].a - x;
        if (y != d[i].b || x + y != d[i].a || (x + unit) - unit != x) return false;
    }
    return true;
}

static CDI_COLD double cdi_orient_edges_exact(cdi_v2 a, cdi_v2 b, cdi_v2 p, cdi_v2 q) {
    cdi_diff m[2][2];
    m[0][0] = cdi_diff_of(b.x, a.x);
    m[0][1] = cdi_diff_of(b.y, a.y);
    m[1][0] = cdi_diff_of(q.x, p.x);
    m[1][1] = cdi_diff_of(q.y, p.y);
    return cdi_det2_exact(m);
}

CDI_INLINE double cdi_orient_edges_inline(cdi_v2 a, cdi_v2 b, cdi_v2 p, cdi_v2 q) {
    double left = (b.x - a.x) * (q.y - p.y), right = (b.y - a.y) * (q.x - p.x);
    double det = left - right, error = CDI_ORIENT2D_BOUND * (cdi_abs(left) + cdi_abs(right)) + CDI_LEAST;
    if (cdi_abs(det) > error) return det;
    return cdi_orient_edges_exact(a, b, p, q);
}

CDI_FN double cdi_orient_edges(cdi_v2 a, cdi_v2 b, cdi_v2 p, cdi_v2 q) {
    return cdi_orient_edges_inline(a, b, p, q);
}

CDI_FN double cdi_orient2d(cdi_v2 a, cdi_v2 b, cdi_v2 c) {
    return cdi_orient_edges_inline(c, a, c, b);
}

CDI_FN double cdi_orient2d_accurate(cdi_v2 a, cdi_v2 b, cdi_v2 c) {
    cdi_diff m[2][2];
    m[0][0] = cdi_diff_of(b.x, a.x);
    m[0][1] = cdi_diff_of(b.y, a.y);
    m[1][0] = cdi_diff_of(c.x, a.x);
    m[1][1] = cdi_diff_of(c.y, a.y);
    return cdi_det2_exact(m);
}

static void cdi_diff_row(cdi_diff row[3], cdi_v3 p, cdi_v3 o) {
    row[0] = cdi_diff_of(p.x, o.x);
    row[1] = cdi_diff_of(p.y, o.y);
    row[2] = cdi_diff_of(p.z, o.z);
}

/* det of three rows in double, and the sum of the magnitudes of its terms. */
CDI_INLINE double cdi_det3(cdi_v3 a, cdi_v3 b, cdi_v3 c, double *permanent) {
    double bycz = b.y * c.z, bzcy = b.z * c.y, bzcx = b.z * c.x;
    double bxcz = b.x * c.z, bxcy = b.x * c.y, bycx = b.y * c.x;
    *permanent = CDI_MORE(cdi_abs(bycz) + cdi_abs(bzcy)) * cdi_abs(a.x) +
                 CDI_MORE(cdi_abs(bzcx) + cdi_abs(bxcz)) * cdi_abs(a.y) +
                 CDI_MORE(cdi_abs(bxcy) + cdi_abs(bycx)) * cdi_abs(a.z);
    return a.x * (bycz - bzcy) + a.y * (bzcx - bxcz) + a.z * (bxcy - bycx);
}

static CDI_COLD double cdi_orient3d_exact(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d, double det) {
    cdi_diff m[3][3];
    cdi_diff_row(m[0], a, d);
    cdi_diff_row(m[1], b, d);
    cdi_diff_row(m[2], c, d);
    if (cdi_has_few_bits(m[0], 9, 16)) return det;
    return cdi_det3_exact(m);
}

/* Inlined where it is called: to hand on structs of three doubles costs more than the determinant. */
CDI_INLINE double cdi_orient3d_inline(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d) {
    double permanent, det = cdi_det3(cdi_v3_sub(a, d), cdi_v3_sub(b, d), cdi_v3_sub(c, d), &permanent);
    if (cdi_abs(det) > CDI_ORIENT3D_BOUND * permanent + CDI_LEAST) return det;
    return cdi_orient3d_exact(a, b, c, d, det);
}

CDI_FN double cdi_orient3d(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d) {
    return cdi_orient3d_inline(a, b, c, d);
}

CDI_FN double cdi_orient3d_accurate(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d) {
    double permanent, det = cdi_det3(cdi_v3_sub(a, d), cdi_v3_sub(b, d), cdi_v3_sub(c, d), &permanent);
#ifndef COLLIDE_DOUBLE
    if (cdi_abs(det) > 1e-6 * permanent + CDI_LEAST) return det; /* nine digits are right */
#endif
    return cdi_orient3d_exact(a, b, c, d, det);
}

CDI_FN CDI_COLD double cdi_orient_line_exact(cdi_v3 o, cdi_v3 d, cdi_v3 p, cdi_v3 q) {
    cdi_diff m[3][3];
    cdi_diff_row(m[0], d, cdi_v3_make(0.0, 0.0, 0.0));
    cdi_diff_row(m[1], p, o);
    cdi_diff_row(m[2], q, o);
    return cdi_det3_exact(m);
}

CDI_FN double cdi_orient_line(cdi_v3 o, cdi_v3 d, cdi_v3 p, cdi_v3 q) {
    double permanent, error;
    double det = cdi_det3(d, cdi_v3_sub(p, o), cdi_v3_sub(q, o), &permanent);
    error =
        CDI_ORIENT3D_BOUND * permanent + CDI_LEAST; /* one difference less than orient3d: its bound holds */
    if (cdi_abs(det) > error) return det;
    return cdi_orient_line_exact(o, d, p, q);
}

static CDI_COLD double cdi_orient_edges3d_exact(const cdi_edge3d *a, const cdi_edge3d *b, const cdi_edge3d *c,
                                                double det) {
    cdi_diff m[3][3];
    cdi_diff_row(m[0], a->to, a->from);
    cdi_diff_row(m[1], b->to, b->from);
    cdi_diff_row(m[2], c->to, c->from);
    if (cdi_has_few_bits(m[0], 9, 16)) return det;
    return cdi_det3_exact(m);
}

CDI_FN double cdi_orient_edges3d(const cdi_edge3d *a, const cdi_edge3d *b, const cdi_edge3d *c) {
    double permanent, det = cdi_det3(cdi_v3_sub(a->to, a->from), cdi_v3_sub(b->to, b->from),
                                     cdi_v3_sub(c->to, c->from), &permanent);
    if (cdi_abs(det) > CDI_ORIENT3D_BOUND * permanent + CDI_LEAST) return det;
    return cdi_orient_edges3d_exact(a, b, c, det);
}

/* ---- incircle and insphere ---- */

/* x^2 + y^2 (+ z^2) without rounding. */
static cdi_exact cdi_exact_lift(cdi_arena *arena, const cdi_exact *p, int dimension) {
    int mark = arena->used;
    cdi_exact sum = cdi_exact_mul(arena, p[0], p[0]);
    for (int i = 1; i < dimension; ++i) {
        sum = cdi_exact_keep(arena, mark, cdi_exact_add(arena, sum, cdi_exact_mul(arena, p[i], p[i])));
    }
    return sum;
}

static CDI_COLD double cdi_incircle2d_exact(const cdi_v2 p[3], cdi_v2 o, double det) {
    uint32_t limbs[28 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 28 * CDI_EXACT_LIMBS);
    cdi_diff d[3][2];
    cdi_exact m[3][3];
    for (int i = 0; i < 3; ++i) {
        if (!cdi_finite(p[i].x) || !cdi_finite3(p[i].y, o.x, o.y)) return 0.0;
        d[i][0] = cdi_diff_of(p[i].x, o.x);
        d[i][1] = cdi_diff_of(p[i].y, o.y);
    }
    if (cdi_has_few_bits(d[0], 6, 12)) return det;
    for (int i = 0; i < 3; ++i) {
        m[i][1] = cdi_exact_diff(&arena, p[i].x, o.x);
        m[i][2] = cdi_exact_diff(&arena, p[i].y, o.y);
        m[i][0] = cdi_exact_lift(&arena, &m[i][1], 2);
    }
    return cdi_exact_to_double(cdi_exact_det3(&arena, m));
}

static cdi_v2 cdi_v2_sub(cdi_v2 a, cdi_v2 b) {
    a.x -= b.x;
    a.y -= b.y;
    return a;
}

/* The largest magnitude. */
CDI_INLINE double cdi_max_size(double a, double b, double c) {
    return cdi_max(cdi_max(cdi_abs(a), cdi_abs(b)), cdi_abs(c));
}

/* det [p p^2], each p taken from o. The sum of the terms' magnitudes is bounded by the largest of each column, times the
 * number of terms: multiplied by the bound last, so that it is not lost where a column is tiny, and is infinite when one of
 * the terms is. */
CDI_INLINE double cdi_incircle2d(const cdi_v2 p[3], cdi_v2 o) {
    cdi_v2 a = cdi_v2_sub(p[0], o), b = cdi_v2_sub(p[1], o), c = cdi_v2_sub(p[2], o);
    double aa = a.x * a.x + a.y * a.y, bb = b.x * b.x + b.y * b.y, cc = c.x * c.x + c.y * c.y;
    double bc = b.x * c.y - c.x * b.y, ca = c.x * a.y - a.x * c.y, ab = a.x * b.y - b.x * a.y;
    double det = aa * bc + bb * ca + cc * ab;
    double size = 6.0 * (cdi_max_size(a.x, b.x, c.x) * cdi_max_size(a.y, b.y, c.y));
    double error = CDI_INCIRCLE_BOUND * (CDI_MORE(size) * cdi_max_size(aa, bb, cc)) + CDI_LEAST;
    return cdi_abs(det) > error ? det : cdi_incircle2d_exact(p, o, det);
}

/* Expanded by the column of the squares. */
static CDI_COLD double cdi_insphere_exact(const cdi_v3 p[4], cdi_v3 o, double det) {
    uint32_t limbs[36 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 36 * CDI_EXACT_LIMBS);
    cdi_diff row[4][3];
    cdi_exact d[4][3], sum = cdi_exact_of(&arena, 0.0);
    int mark;
    for (int i = 0; i < 4; ++i) {
        if (!cdi_v3_finite(p[i]) || !cdi_v3_finite(o)) return 0.0;
        cdi_diff_row(row[i], p[i], o);
    }
    if (cdi_has_few_bits(row[0], 12, 9)) return det;
    for (int i = 0; i < 12; ++i)
        d[i / 3][i % 3] = cdi_exact_diff(&arena, row[i / 3][i % 3].a, row[i / 3][i % 3].b);
    mark = arena.used;
    for (int i = 0; i < 4; ++i) {
        cdi_exact m[3][3], minor, lift;
        for (int k = 0; k < 9; ++k) m[k / 3][k % 3] = d[k / 3 + (k / 3 >= i)][k % 3];
        minor = cdi_exact_det3(&arena, m);
        lift = cdi_exact_lift(&arena, d[i], 3);
        minor = cdi_exact_mul(&arena, i % 2 ? lift : cdi_exact_neg(lift), minor);
        sum = cdi_exact_keep(&arena, mark, cdi_exact_add(&arena, sum, minor));
    }
    return cdi_exact_to_double(sum);
}

/* p.x q.y - q.x p.y */
CDI_INLINE double cdi_minor_xy(cdi_v3 p, cdi_v3 q) {
    return p.x * q.y - q.x * p.y;
}

/* det [p p^2], each p taken from o, with a bound like that of cdi_incircle2d. */
CDI_INLINE double cdi_insphere(const cdi_v3 p[4], cdi_v3 o) {
    cdi_v3 a = cdi_v3_sub(p[0], o), b = cdi_v3_sub(p[1], o), c = cdi_v3_sub(p[2], o), d = cdi_v3_sub(p[3], o);
    double ab = cdi_minor_xy(a, b), ac = cdi_minor_xy(a, c), ad = cdi_minor_xy(a, d);
    double bc = cdi_minor_xy(b, c), bd = cdi_minor_xy(b, d), cd = cdi_minor_xy(c, d);
    double abc = a.z * bc - b.z * ac + c.z * ab, abd = a.z * bd - b.z * ad + d.z * ab;
    double acd = a.z * cd - c.z * ad + d.z * ac, bcd = b.z * cd - c.z * bd + d.z * bc;
    double aa = cdi_v3_sqlength(a), bb = cdi_v3_sqlength(b), cc = cdi_v3_sqlength(c), dd = cdi_v3_sqlength(d);
    double det = (dd * abc - cc * abd) + (bb * acd - aa * bcd);
    double x = cdi_max(cdi_max_size(a.x, b.x, c.x), cdi_abs(d.x)),
           y = cdi_max(cdi_max_size(a.y, b.y, c.y), cdi_abs(d.y));
    double z = cdi_max(cdi_max_size(a.z, b.z, c.z), cdi_abs(d.z)),
           lift = cdi_max(cdi_max_size(aa, bb, cc), dd);
    double size = CDI_MORE(CDI_MORE(24.0 * (x * y)) * z);
    return cdi_abs(det) > CDI_INSPHERE_BOUND * (size * lift) + CDI_LEAST ? det
                                                                         : cdi_insphere_exact(p, o, det);
}

/* ---- planes and spheres ---- */

static CDI_COLD int cdi_plane_side_exact(const double n[3], double d, const double p[3]) {
    uint32_t limbs[16 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 16 * CDI_EXACT_LIMBS);
    cdi_exact sum = cdi_exact_of(&arena, -d);
    for (int i = 0; i < 3; ++i) {
        cdi_exact term = cdi_exact_mul(&arena, cdi_exact_of(&arena, n[i]), cdi_exact_of(&arena, p[i]));
        sum = cdi_exact_add(&arena, sum, term);
    }
    return sum.sign;
}

CDI_FN int cdi_plane_side(cdi_v3 n, double d, cdi_v3 p) {
    double x = n.x * p.x, y = n.y * p.y, z = n.z * p.z, height = x + y + z - d;
    double error = CDI_QUADRIC_BOUND * (cdi_abs(x) + cdi_abs(y) + cdi_abs(z) + cdi_abs(d)) + CDI_LEAST;
    double at[3], normal[3];
    if (cdi_abs(height) > error) return height > 0.0 ? 1 : -1;
    if (!cdi_v3_finite(n) || !cdi_v3_finite(p) || !cdi_finite(d)) return 0;
    cdi_v3_store(normal, n);
    cdi_v3_store(at, p);
    return cdi_plane_side_exact(normal, d, at);
}

static CDI_COLD int cdi_compare_squares_exact(const cdi_diff x[3], cdi_diff r) {
    uint32_t limbs[24 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 24 * CDI_EXACT_LIMBS);
    cdi_exact e[3], radius = cdi_exact_diff(&arena, r.a, r.b);
    for (int i = 0; i < 3; ++i) e[i] = cdi_exact_diff(&arena, x[i].a, x[i].b);
    return cdi_exact_sub(&arena, cdi_exact_lift(&arena, e, 3), cdi_exact_mul(&arena, radius, radius)).sign;
}

/* The sign from twice the digits, where they decide. The tails are at most 6 u of the squares, and are summed with at most 8
 * roundings; with what is left out that is below 64 u^2 of the sum of all squares, which are twice that of the radius. NaN, from
 * what has left the range, decides nothing. */
static int cdi_compare_squares_twofold(const cdi_diff x[3], cdi_diff r) {
    double sum = 0.0, rest = 0.0, square = 0.0, tail, lost, error;
    for (int i = 0; i < 4; ++i) {
        cdi_two d = i < 3 ? cdi_two_of_diff(x[i].a, x[i].b) : cdi_two_of_diff(r.a, r.b);
        cdi_two_product(d.hi, d.hi, &square, &tail);
        tail += 2.0 * d.hi * d.lo;
        cdi_two_sum(sum, i < 3 ? square : -square, &sum, &lost);
        rest += i < 3 ? lost + tail : lost - tail;
    }
    sum += rest;
    error = 1.6e-30 * square; /* 130 u^2 */
    if (!(square > 1e-200 && cdi_abs(sum) > error)) return 0;
    return sum > 0.0 ? 1 : -1;
}

CDI_FN int cdi_compare_squares(const cdi_diff x[3], cdi_diff r) {
    double sum = 0.0, radius = r.a - r.b, square = radius * radius, error;
    int sign;
    for (int i = 0; i < 3; ++i) sum += (x[i].a - x[i].b) * (x[i].a - x[i].b);
    error = CDI_QUADRIC_BOUND * (sum + square) + CDI_LEAST;
    if (cdi_abs(sum - square) > error) return sum > square ? 1 : -1;
    for (int i = 0; i < 3; ++i) {
        if (!cdi_finite3(x[i].a, x[i].b, r.a) || !cdi_finite(r.b)) return 0;
    }
    sign = cdi_compare_squares_twofold(x, r);
    return sign != 0 ? sign : cdi_compare_squares_exact(x, r);
}

/* ---- normals ---- */

CDI_FN cdi_v3 cdi_exact_normal(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    double n[3];
    for (int i = 0; i < 3; ++i) {
        n[i] = cdi_orient2d(cdi_v3_drop(a, i), cdi_v3_drop(b, i), cdi_v3_drop(c, i));
    }
    return cdi_v3_make(n[0], n[1], n[2]);
}

CDI_FN CDI_COLD cdi_v3 cdi_accurate_cross(cdi_v3 a, cdi_v3 b, cdi_v3 p, cdi_v3 q) {
    double n[3];
    for (int i = 0; i < 3; ++i) {
        n[i] = cdi_orient_edges_exact(cdi_v3_drop(a, i), cdi_v3_drop(b, i), cdi_v3_drop(p, i),
                                      cdi_v3_drop(q, i));
    }
    return cdi_v3_make(n[0], n[1], n[2]);
}

CDI_FN CDI_COLD cdi_v3 cdi_accurate_normal(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    return cdi_accurate_cross(a, b, a, c);
}

/* ---- the interface ---- */

CD_API double cd_orient2d(cd_vec2 a, cd_vec2 b, cd_vec2 c) {
    return cdi_orient2d(cdi_v2_of(a), cdi_v2_of(b), cdi_v2_of(c));
}

CD_API double cd_orient3d(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d) {
    return cdi_orient3d_inline(cdi_v3_of(a), cdi_v3_of(b), cdi_v3_of(c), cdi_v3_of(d));
}

CD_API double cd_incircle2d(cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 d) {
    cdi_v2 p[3];
    p[0] = cdi_v2_of(a);
    p[1] = cdi_v2_of(b);
    p[2] = cdi_v2_of(c);
    return cdi_incircle2d(p, cdi_v2_of(d));
}

CD_API double cd_insphere(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d, cd_vec3 e) {
    cdi_v3 p[4];
    p[0] = cdi_v3_of(a);
    p[1] = cdi_v3_of(b);
    p[2] = cdi_v3_of(c);
    p[3] = cdi_v3_of(d);
    return cdi_insphere(p, cdi_v3_of(e));
}

#undef CDI_LEAST
#undef CDI_MORE
#undef CDI_ORIENT2D_BOUND
#undef CDI_ORIENT3D_BOUND
#undef CDI_QUADRIC_BOUND
#undef CDI_INCIRCLE_BOUND
#undef CDI_INSPHERE_BOUND
