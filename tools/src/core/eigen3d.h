#pragma once
/* eigen3d (internal): eigenvalues of symmetric 3x3 matrices in doubles. */

#include "core/mat3d.h"

/* Jacobi's method as cd_eigen_jacobi has it, of a matrix whose largest entry is near 1; it is used up. */
CDI_FN void cdi_eigen_jacobi(double a[3][3], double value[3], cdi_m3 *vector);
