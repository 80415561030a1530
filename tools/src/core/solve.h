#pragma once
/* solve: linear systems of two and three unknowns by Cramer's rule (Ericson 3.1.4).
 *
 * A system counts as singular by the rule of cd_mat3_inverse: the determinant is not larger than 16 units in the last
 * place of the sum of its terms' magnitudes, the permanent. Scaling an equation, an unknown or the right side by
 * a power of two changes no verdict and no digit. Exactly singular systems are always reported.
 *
 * Class: tolerant. With per the permanent and per_i that of the matrix whose column i is b, the error of x_i is below
 * 8 units of 2^-52 of (per_i + |x_i| per) / |det|, and half a unit in the last place of x_i. */

#include "core/mat.h"

/// Solves M x = b for two unknowns.
///
/// False, with `x` untouched, for a singular matrix, NaN or infinity. An unknown too large for cd_real is infinite.
CD_API bool cd_solve2(const cd_mat2 *m, cd_vec2 b, cd_vec2 *x);

/// Solves M x = b for three unknowns; the rest as in cd_solve2.
CD_API bool cd_solve3(const cd_mat3 *m, cd_vec3 b, cd_vec3 *x);
