#pragma once
/* eigen: eigenvalues and eigenvectors of symmetric 3x3 matrices, such as covariances and inertia tensors.
 *
 * Two methods with one promise. Jacobi's turns away the largest entry off the diagonal until none is left; it is
 * the more accurate one, keeps the digits of the small values of a definite matrix, and is the default choice. The cubic
 * finds the root of the characteristic polynomial that stands alone, takes it out, and solves the 2x2 rest; it takes the
 * same few steps for every matrix.
 *
 * Both read the diagonal and the entries above it (col[1].x, col[2].x, col[2].y). Class: tolerant: |A v - value v| is
 * below 8 CD_REAL_EPSILON |A| for each pair, |A| being the largest magnitude of a value, and the vectors are orthonormal
 * to 4 CD_REAL_EPSILON, for every magnitude of A; only values too small or too large for cd_real are rounded to
 * denormals or infinite. The matrix is brought near 1 by a power of two first, so scaling by one changes no digit. */

#include "core/mat.h"

/// Eigenvalues, from largest to smallest, and the unit eigenvectors that belong to them, as the columns of a
/// right-handed rotation. Signs of vectors, and directions within the space of equal values, are arbitrary but
/// always the same for the same matrix.
typedef struct cd_eigen {
    cd_real value[3];
    cd_mat3 vector;
} cd_eigen;

/// By Jacobi's method with the largest entry first (Ericson 4.3.3; Golub and Van Loan, Matrix Computations, 8.5).
///
/// False, with `out` untouched, when an entry that is read is NaN or infinite. A diagonal matrix is exact. Cost: nine
/// turns are usual, 48 the bound.
CD_API bool cd_eigen_jacobi(const cd_mat3 *m, cd_eigen *out);

/// By the characteristic cubic (Ericson 4.3.3), without trigonometric functions; the rest as in cd_eigen_jacobi.
CD_API bool cd_eigen_cubic(const cd_mat3 *m, cd_eigen *out);
