#pragma once
/* cramer (internal): determinant, adjugate and the one rule of singularity, for inverses and linear systems.
 *
 * A matrix counts as singular when its determinant is not larger than 16 units in the last place of its permanent,
 * the sum of the magnitudes of the determinant's six terms. The rounding error of the determinant is below 6 units
 * of a double, so a matrix that is exactly singular is always found. Both sides of the comparison are homogeneous in
 * every row and in every column: scaling one by a power of two changes no verdict and no digit.
 *
 * A 2x2 matrix is one of 3x3 with a 1 in the corner, which has the same determinant and permanent. */

#include "core/mat3d.h"

/* A regular matrix M made ready: adj / det is the inverse of the matrix with entries M[i][j] 2^(row[i] + col[j]). The
 * exponents are 0 for all entries in 2^-300...2^300, where no product of three leaves the range. */
typedef struct cdi_cramer {
    cdi_m3 adjugate_rows; /* c[i] is row i */
    double det;
    int row[3], col[3];
} cdi_cramer;

/* False, with `out` untouched, for a singular matrix, NaN or infinity. */
CDI_FN bool cdi_cramer_of(const cdi_m3 *m, cdi_cramer *out);

/* The inverse; entries outside the range become 0 or infinite. */
CDI_FN cdi_m3 cdi_cramer_inverse(const cdi_cramer *a);

CDI_INLINE cdi_m3 cdi_m3_of_mat2(const cd_mat2 *m) {
    cdi_m3 r;
    r.c[0] = cdi_v3_make((double)m->col[0].x, (double)m->col[0].y, 0.0);
    r.c[1] = cdi_v3_make((double)m->col[1].x, (double)m->col[1].y, 0.0);
    r.c[2] = cdi_v3_make(0.0, 0.0, 1.0);
    return r;
}
