#pragma once
/* mat: 2x2 and 3x3 matrices, kept as columns (Ericson 3.1.1).
 *
 * Entries are computed in double and rounded once. Class of all: tolerant, two units in the last place of the sum of
 * the magnitudes of an entry's terms; add, sub, scale and outer round each entry correctly. */

#include "core/vec.h"

/// A 2x2 matrix by columns: M v = col[0] v.x + col[1] v.y.
typedef struct cd_mat2 {
    cd_vec2 col[2];
} cd_mat2;

/// A 3x3 matrix by columns: M v = col[0] v.x + col[1] v.y + col[2] v.z.
typedef struct cd_mat3 {
    cd_vec3 col[3];
} cd_mat3;

/// The identity.
CD_API cd_mat2 cd_mat2_identity(void);

/// The matrix with these columns.
CD_API cd_mat2 cd_mat2_from_columns(cd_vec2 x, cd_vec2 y);

/// M v.
CD_API cd_vec2 cd_mat2_mul_vec(const cd_mat2 *m, cd_vec2 v);

/// A B, which applies B first.
CD_API cd_mat2 cd_mat2_mul(const cd_mat2 *a, const cd_mat2 *b);

/// The transpose.
CD_API cd_mat2 cd_mat2_transpose(const cd_mat2 *m);

/// The determinant.
CD_API cd_real cd_mat2_determinant(const cd_mat2 *m);

/// The inverse by cofactors (Ericson 3.1.5); false, with `out` untouched, by the rule of `cd_mat3_inverse`.
CD_API bool cd_mat2_inverse(const cd_mat2 *m, cd_mat2 *out);

/// The identity.
CD_API cd_mat3 cd_mat3_identity(void);

/// The matrix with these columns.
CD_API cd_mat3 cd_mat3_from_columns(cd_vec3 x, cd_vec3 y, cd_vec3 z);

/// The matrix that scales by d.x, d.y, d.z along the axes.
CD_API cd_mat3 cd_mat3_diagonal(cd_vec3 d);

/// The outer product a b^T: maps v to a (b . v).
CD_API cd_mat3 cd_mat3_outer(cd_vec3 a, cd_vec3 b);

/// The matrix of the cross product: maps w to v x w.
CD_API cd_mat3 cd_mat3_skew(cd_vec3 v);

/// A + B.
CD_API cd_mat3 cd_mat3_add(const cd_mat3 *a, const cd_mat3 *b);

/// A - B.
CD_API cd_mat3 cd_mat3_sub(const cd_mat3 *a, const cd_mat3 *b);

/// M times s.
CD_API cd_mat3 cd_mat3_scale(const cd_mat3 *m, cd_real s);

/// M v.
CD_API cd_vec3 cd_mat3_mul_vec(const cd_mat3 *m, cd_vec3 v);

/// Transposed M times v: for a rotation, the inverse rotation.
CD_API cd_vec3 cd_mat3_mul_vec_transposed(const cd_mat3 *m, cd_vec3 v);

/// A B, which applies B first.
CD_API cd_mat3 cd_mat3_mul(const cd_mat3 *a, const cd_mat3 *b);

/// The transpose.
CD_API cd_mat3 cd_mat3_transpose(const cd_mat3 *m);

/// The sum of the diagonal.
CD_API cd_real cd_mat3_trace(const cd_mat3 *m);

/// The determinant.
CD_API cd_real cd_mat3_determinant(const cd_mat3 *m);

/// The inverse by cofactors (Ericson 3.1.5).
///
/// False, with `out` untouched, when the matrix is singular to working precision: when the determinant is not
/// larger than 16 units in the last place of the sum of its terms' magnitudes, or anything is NaN or infinite.
/// Scaling rows or columns by powers of two changes no verdict. Entries too large for cd_real are infinite.
CD_API bool cd_mat3_inverse(const cd_mat3 *m, cd_mat3 *out);

/// Neither NaN nor infinity in any entry.
CD_API bool cd_mat3_is_valid(const cd_mat3 *m);

/// True for an orthonormal, right-handed matrix: every product of two columns within `tolerance` of 0 or 1, the
/// determinant positive. A tolerance of 0 means 1e-3, as loose as data read from text files needs.
CD_API bool cd_mat3_is_rotation(const cd_mat3 *m, cd_real tolerance);
