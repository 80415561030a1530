#include "core/cramer.h"

#define CDI_CRAMER_TAME 300 /* exponents: products of three stay in the range */

static bool cdi_m3_is_tame(const cdi_m3 *m) {
    const double huge = cdi_exp2i(CDI_CRAMER_TAME), tiny = cdi_exp2i(-CDI_CRAMER_TAME);
    for (int j = 0; j < 3; ++j) {
        double a[3];
        cdi_v3_store(a, m->c[j]);
        for (int i = 0; i < 3; ++i) {
            if (a[i] != 0.0 && !(cdi_abs(a[i]) >= tiny && cdi_abs(a[i]) <= huge)) return false;
        }
    }
    return true;
}

static int cdi_exponent3(double x, double y, double z) {
    return cdi_exponent(cdi_v3_max_abs(cdi_v3_make(x, y, z)));
}

/* Brings the largest entry of every row, then of every column, near 1. Such a matrix has a term of its determinant that
 * is at least as large as its smallest entry, or no term at all; so with entries below 2^-900 taken for 0, what is lost
 * to underflow in the other terms is nothing beside it. */
static void cdi_m3_equilibrate(cdi_m3 *m, int row[3], int col[3]) {
    double a[3][3];
    for (int j = 0; j < 3; ++j) cdi_v3_store(a[j], m->c[j]);
    for (int i = 0; i < 3; ++i) {
        row[i] = -cdi_exponent3(a[0][i], a[1][i], a[2][i]);
        for (int j = 0; j < 3; ++j) a[j][i] = cdi_scale2(a[j][i], row[i]);
    }
    for (int j = 0; j < 3; ++j) {
        col[j] = -cdi_exponent3(a[j][0], a[j][1], a[j][2]);
        for (int i = 0; i < 3; ++i) {
            a[j][i] = cdi_scale2(a[j][i], col[j]);
            if (cdi_abs(a[j][i]) < cdi_exp2i(-900)) a[j][i] = 0.0;
        }
        m->c[j] = cdi_v3_make(a[j][0], a[j][1], a[j][2]);
    }
}

static double cdi_m3_permanent(const cdi_m3 *m) {
    const cdi_v3 *a = &m->c[0], *b = &m->c[1], *c = &m->c[2];
    return cdi_abs(a->x) * (cdi_abs(b->y * c->z) + cdi_abs(b->z * c->y)) +
           cdi_abs(a->y) * (cdi_abs(b->z * c->x) + cdi_abs(b->x * c->z)) +
           cdi_abs(a->z) * (cdi_abs(b->x * c->y) + cdi_abs(b->y * c->x));
}

CDI_FN bool cdi_cramer_of(const cdi_m3 *m, cdi_cramer *out) {
    cdi_cramer r;
    cdi_m3 a = *m;
    for (int i = 0; i < 3; ++i) {
        if (!cdi_v3_finite(a.c[i])) return false;
        r.row[i] = r.col[i] = 0;
    }
    if (!cdi_m3_is_tame(&a)) cdi_m3_equilibrate(&a, r.row, r.col);
    r.adjugate_rows.c[0] = cdi_v3_cross(a.c[1], a.c[2]);
    r.adjugate_rows.c[1] = cdi_v3_cross(a.c[2], a.c[0]);
    r.adjugate_rows.c[2] = cdi_v3_cross(a.c[0], a.c[1]);
    r.det = cdi_v3_dot(a.c[0], r.adjugate_rows.c[0]);
    if (!(cdi_abs(r.det) > 16.0 * (double)CD_REAL_EPSILON * cdi_m3_permanent(&a))) return false;
    *out = r;
    return true;
}

/* The inverse of R M C is C^-1 M^-1 R^-1. */
CDI_FN cdi_m3 cdi_cramer_inverse(const cdi_cramer *a) {
    double reciprocal = 1.0 / a->det;
    cdi_m3 r;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 v = cdi_v3_scale(a->adjugate_rows.c[i], reciprocal);
        r.c[i] = cdi_v3_make(cdi_scale2(v.x, a->row[0] + a->col[i]), cdi_scale2(v.y, a->row[1] + a->col[i]),
                             cdi_scale2(v.z, a->row[2] + a->col[i]));
    }
    return cdi_m3_transpose(&r);
}

#undef CDI_CRAMER_TAME
