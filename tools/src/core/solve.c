#include "core/solve.h"
#include "core/cramer.h"

/* The exponent that brings the largest right side of the scaled equations near 1. */
static int cdi_right_side_shift(cdi_v3 b, const int row[3]) {
    int top = INT32_MIN;
    for (int i = 0; i < 3; ++i) {
        double v = cdi_v3_get(b, i);
        if (v != 0.0 && cdi_exponent(v) + row[i] > top) top = cdi_exponent(v) + row[i];
    }
    return top == INT32_MIN ? 0 : -top;
}

/* x_i = det(M with b for column i) / det = b . (row i of the adjugate) / det. */
static bool cdi_solve(const cdi_m3 *m, cdi_v3 b, cdi_v3 *x) {
    cdi_cramer a;
    int shift;
    if (!cdi_v3_finite(b) || !cdi_cramer_of(m, &a)) return false;
    shift = cdi_right_side_shift(b, a.row);
    b = cdi_v3_make(cdi_scale2(b.x, a.row[0] + shift), cdi_scale2(b.y, a.row[1] + shift),
                    cdi_scale2(b.z, a.row[2] + shift));
    x->x = cdi_scale2(cdi_v3_dot(b, a.adjugate_rows.c[0]) / a.det, a.col[0] - shift);
    x->y = cdi_scale2(cdi_v3_dot(b, a.adjugate_rows.c[1]) / a.det, a.col[1] - shift);
    x->z = cdi_scale2(cdi_v3_dot(b, a.adjugate_rows.c[2]) / a.det, a.col[2] - shift);
    return true;
}

CD_API bool cd_solve2(const cd_mat2 *m, cd_vec2 b, cd_vec2 *x) {
    cdi_m3 d = cdi_m3_of_mat2(m);
    cdi_v3 r;
    if (!cdi_solve(&d, cdi_v3_make((double)b.x, (double)b.y, 0.0), &r)) return false;
    if (x) *x = cd_vec2_make((cd_real)r.x, (cd_real)r.y);
    return true;
}

CD_API bool cd_solve3(const cd_mat3 *m, cd_vec3 b, cd_vec3 *x) {
    cdi_m3 d = cdi_m3_of(m);
    cdi_v3 r;
    if (!cdi_solve(&d, cdi_v3_of(b), &r)) return false;
    if (x) *x = cdi_v3_round(r);
    return true;
}
