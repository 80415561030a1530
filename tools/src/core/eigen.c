#include "core/eigen3d.h"
#include "core/eigen.h"

/* A symmetric matrix with its largest entry brought near 1 by 2^shift. */
typedef struct cdi_symmetric {
    double a[3][3];
    int shift;
} cdi_symmetric;

static void cdi_set_symmetric(double a[3][3], double xx, double yy, double zz, double xy, double yz,
                              double zx) {
    a[0][0] = xx;
    a[1][1] = yy;
    a[2][2] = zz;
    a[0][1] = a[1][0] = xy;
    a[1][2] = a[2][1] = yz;
    a[0][2] = a[2][0] = zx;
}

static double cdi_max_entry(double a[3][3]) {
    cdi_v3 diagonal = cdi_v3_make(a[0][0], a[1][1], a[2][2]), rest = cdi_v3_make(a[0][1], a[1][2], a[0][2]);
    return cdi_max(cdi_v3_max_abs(diagonal), cdi_v3_max_abs(rest));
}

static void cdi_scale_symmetric(double a[3][3], int e) {
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) a[i][j] = cdi_scale2(a[i][j], e);
    }
}

static bool cdi_symmetric_of(const cd_mat3 *m, cdi_symmetric *s) {
    cdi_m3 d = cdi_m3_of(m);
    double largest;
    if (!cdi_finite3(d.c[0].x, d.c[1].y, d.c[2].z) || !cdi_finite3(d.c[1].x, d.c[2].y, d.c[2].x))
        return false;
    cdi_set_symmetric(s->a, d.c[0].x, d.c[1].y, d.c[2].z, d.c[1].x, d.c[2].y, d.c[2].x);
    largest = cdi_max_entry(s->a);
    s->shift = largest > 0.0 ? -cdi_exponent(largest) : 0;
    cdi_scale_symmetric(s->a, s->shift);
    return true;
}

static void cdi_swap_pairs(double value[3], cdi_m3 *vector, int i, int j) {
    double t = value[i];
    cdi_v3 v = vector->c[i];
    value[i] = value[j];
    value[j] = t;
    vector->c[i] = vector->c[j];
    vector->c[j] = v;
}

/* One step to the nearest orthonormal matrix, V (3 - V^T V) / 2: takes out what rounding has gathered. */
static void cdi_orthonormalize(cdi_m3 *v) {
    cdi_m3 old = *v;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            double error = cdi_v3_dot(old.c[i], old.c[j]) - (i == j ? 1.0 : 0.0);
            v->c[i] = cdi_v3_along(v->c[i], old.c[j], -0.5 * error);
        }
    }
}

/* The largest first, the vectors a rotation. */
static void cdi_eigen_order(double value[3], cdi_m3 *vector) {
    cdi_orthonormalize(vector);
    if (value[0] < value[1]) cdi_swap_pairs(value, vector, 0, 1);
    if (value[1] < value[2]) cdi_swap_pairs(value, vector, 1, 2);
    if (value[0] < value[1]) cdi_swap_pairs(value, vector, 0, 1);
    if (cdi_v3_dot(cdi_v3_cross(vector->c[0], vector->c[1]), vector->c[2]) < 0.0)
        vector->c[2] = cdi_v3_neg(vector->c[2]);
}

/* Takes the scale back. */
static void cdi_eigen_store(const double value[3], const cdi_m3 *vector, int shift, cd_eigen *out) {
    if (!out) return;
    for (int i = 0; i < 3; ++i) out->value[i] = (cd_real)cdi_scale2(value[i], -shift);
    out->vector = cdi_m3_round(vector);
}

/* The tangent of the smaller angle whose rotation takes the entry `pq` of a symmetric 2x2 matrix to 0, and what that
 * rotation is: the matrix becomes diag(pp - t pq, qq + t pq). */
typedef struct cdi_turn {
    double t, c, s;
} cdi_turn;

static cdi_turn cdi_turn_of(double pp, double pq, double qq) {
    cdi_turn turn;
    double cot2 = (qq - pp) / (2.0 * pq); /* infinite for a tiny pq: no turn */
    turn.t = 1.0 / (cdi_abs(cot2) + cdi_sqrt(cot2 * cot2 + 1.0));
    if (cot2 < 0.0) turn.t = -turn.t;
    turn.c = 1.0 / cdi_sqrt(turn.t * turn.t + 1.0);
    turn.s = turn.t * turn.c;
    return turn;
}

/* Columns p and q of the vectors turn with the matrix. */
static void cdi_turn_vectors(cdi_v3 *p, cdi_v3 *q, cdi_turn turn) {
    cdi_v3 old = *p;
    *p = cdi_v3_along(cdi_v3_scale(old, turn.c), *q, -turn.s);
    *q = cdi_v3_along(cdi_v3_scale(*q, turn.c), old, turn.s);
}

/* ---- Jacobi ---- */

static void cdi_jacobi_turn(double a[3][3], cdi_m3 *vector, int p, int q) {
    int r = 3 - p - q;
    double pq = a[p][q], rp = a[r][p], rq = a[r][q];
    cdi_turn turn = cdi_turn_of(a[p][p], pq, a[q][q]);
    a[p][p] -= turn.t * pq;
    a[q][q] += turn.t * pq;
    a[p][q] = a[q][p] = 0.0;
    a[r][p] = a[p][r] = turn.c * rp - turn.s * rq;
    a[r][q] = a[q][r] = turn.s * rp + turn.c * rq;
    cdi_turn_vectors(&vector->c[p], &vector->c[q], turn);
}

/* The largest entry off the diagonal that is not negligible beside its two diagonal entries; that threshold is what
 * keeps small values of a definite matrix (Demmel and Veselic 1992). False when there is none. */
static bool cdi_jacobi_pivot(double a[3][3], int *p, int *q) {
    const double least = cdi_exp2i(-108);
    double largest = 0.0;
    for (int i = 0; i < 2; ++i) {
        for (int j = i + 1; j < 3; ++j) {
            double size = cdi_abs(a[i][j]);
            if (size > largest && size * size > least * cdi_abs(a[i][i] * a[j][j])) {
                largest = size;
                *p = i;
                *q = j;
            }
        }
    }
    return largest > 0.0;
}

CDI_FN void cdi_eigen_jacobi(double a[3][3], double value[3], cdi_m3 *vector) {
    int p = 0, q = 1;
    for (int i = 0; i < 3; ++i) vector->c[i] = cdi_v3_make(i == 0, i == 1, i == 2);
    for (int turns = 0; turns < 48 && cdi_jacobi_pivot(a, &p, &q); ++turns) cdi_jacobi_turn(a, vector, p, q);
    for (int i = 0; i < 3; ++i) value[i] = a[i][i];
    cdi_eigen_order(value, vector);
}

CD_API bool cd_eigen_jacobi(const cd_mat3 *m, cd_eigen *out) {
    cdi_symmetric s;
    cdi_m3 vector;
    double value[3];
    if (!cdi_symmetric_of(m, &s)) return false;
    cdi_eigen_jacobi(s.a, value, &vector);
    cdi_eigen_store(value, &vector, s.shift, out);
    return true;
}

/* ---- the cubic ---- */

static cdi_v3 cdi_mul_symmetric(double a[3][3], cdi_v3 v) {
    return cdi_v3_make(a[0][0] * v.x + a[0][1] * v.y + a[0][2] * v.z,
                       a[1][0] * v.x + a[1][1] * v.y + a[1][2] * v.z,
                       a[2][0] * v.x + a[2][1] * v.y + a[2][2] * v.z);
}

/* The largest root of x^3 - 3 x - 2 r for r in [0, 1]: between sqrt(3) and 2, where the slope is at least 6. Newton's
 * steps from 2 go down until rounding stops them. */
static double cdi_lone_root(double r) {
    double x = 2.0;
    for (int i = 0; i < 8; ++i) {
        double next = x - (x * (x * x - 3.0) - 2.0 * r) / (3.0 * (x * x - 1.0));
        if (!(next < x)) break;
        x = next;
    }
    return x;
}

/* The eigenvalue farthest from the other two of a matrix without trace: with 6 p^2 the sum of the squares of its
 * entries, p x solves the characteristic cubic when x^3 - 3 x = det / p^3. */
static double cdi_lone_value(double b[3][3]) {
    double diagonal = b[0][0] * b[0][0] + b[1][1] * b[1][1] + b[2][2] * b[2][2];
    double rest = b[0][1] * b[0][1] + b[1][2] * b[1][2] + b[0][2] * b[0][2];
    double p = cdi_sqrt((diagonal + 2.0 * rest) / 6.0);
    double det = b[0][0] * (b[1][1] * b[2][2] - b[1][2] * b[1][2]) -
                 b[0][1] * (b[0][1] * b[2][2] - b[1][2] * b[0][2]) +
                 b[0][2] * (b[0][1] * b[1][2] - b[1][1] * b[0][2]);
    double r = det / (2.0 * p * p * p);
    return r < 0.0 ? -p * cdi_lone_root(cdi_min(-r, 1.0)) : p * cdi_lone_root(cdi_min(r, 1.0));
}

/* The kernel of b - value, a matrix of rank 2: the cross product of two rows; the longest of the three. */
static cdi_v3 cdi_kernel(double b[3][3], double value) {
    cdi_v3 row[3], best;
    row[0] = cdi_v3_make(b[0][0] - value, b[0][1], b[0][2]);
    row[1] = cdi_v3_make(b[1][0], b[1][1] - value, b[1][2]);
    row[2] = cdi_v3_make(b[2][0], b[2][1], b[2][2] - value);
    best = cdi_v3_cross(row[0], row[1]);
    for (int i = 1; i < 3; ++i) {
        cdi_v3 other = cdi_v3_cross(row[i], row[(i + 1) % 3]);
        if (cdi_v3_sqlength(other) > cdi_v3_sqlength(best)) best = other;
    }
    return cdi_v3_normalize(best);
}

/* The vectors of b, which has no trace and a largest entry near 1. The lone value is at least sqrt(3) p away from the
 * others, so its vector is well determined; the other two values may be as near as they like: they are taken from the
 * 2x2 matrix that b is on the plane across, not from the cubic, where a double root would cost half the digits. */
static cdi_m3 cdi_cubic_vectors(double b[3][3]) {
    cdi_m3 vector;
    cdi_v3 bu, bw;
    double uw;
    vector.c[0] = cdi_kernel(b, cdi_lone_value(b));
    vector.c[1] = cdi_across(vector.c[0]);
    vector.c[2] = cdi_v3_cross(vector.c[0], vector.c[1]);
    bu = cdi_mul_symmetric(b, vector.c[1]);
    bw = cdi_mul_symmetric(b, vector.c[2]);
    uw = cdi_v3_dot(vector.c[1], bw);
    if (uw != 0.0) {
        cdi_turn turn = cdi_turn_of(cdi_v3_dot(vector.c[1], bu), uw, cdi_v3_dot(vector.c[2], bw));
        cdi_turn_vectors(&vector.c[1], &vector.c[2], turn);
    }
    return vector;
}

/* Takes the trace out of `b` and brings it near 1; again, because the first time leaves a trace of rounding errors that
 * may be all there is to a multiple of the identity. False when nothing is left. */
static bool cdi_take_trace(double b[3][3]) {
    for (int round = 0; round < 3; ++round) {
        double mean = (b[0][0] + b[1][1] + b[2][2]) / 3.0, largest;
        for (int i = 0; i < 3; ++i) b[i][i] -= mean;
        largest = cdi_max_entry(b);
        if (largest == 0.0) return false;
        cdi_scale_symmetric(b, -cdi_exponent(largest));
    }
    return true;
}

/* The values are those of the vectors in the matrix itself (Rayleigh's quotients): exact for a diagonal one. */
CD_API bool cd_eigen_cubic(const cd_mat3 *m, cd_eigen *out) {
    cdi_symmetric s;
    cdi_m3 vector;
    double b[3][3], value[3];
    if (!cdi_symmetric_of(m, &s)) return false;
    for (int i = 0; i < 3; ++i) vector.c[i] = cdi_v3_make(i == 0, i == 1, i == 2);
    cdi_copy(b, s.a, sizeof b);
    if (cdi_take_trace(b)) vector = cdi_cubic_vectors(b);
    for (int i = 0; i < 3; ++i) value[i] = cdi_v3_dot(vector.c[i], cdi_mul_symmetric(s.a, vector.c[i]));
    cdi_eigen_order(value, &vector);
    cdi_eigen_store(value, &vector, s.shift, out);
    return true;
}
