#pragma once
/* statistics: variance of numbers and covariance of points (Ericson 4.3.3). */

#include "core/mat.h"

/// The variance of `count` numbers about their mean, by the formula in two passes, sum (x - mean)^2 / count; 0 for none.
///
/// Never negative. Class: tolerant, (count + 8) units of double of the largest square of a difference, hence exact to rounding for
/// any usual count. NaN or infinity in: NaN. Squares beyond the range are infinite.
CD_API cd_real cd_variance(const cd_real *x, size_t count);

/// The same by the formula in one pass, mean of squares less square of mean: it needs no mean beforehand, and loses the
/// digits that mean and numbers share. Never negative. Class: tolerant, 4 (count + 8) units of double of the largest square.
CD_API cd_real cd_variance_one_pass(const cd_real *x, size_t count);

/// The standard deviation: the root of the variance.
CD_API cd_real cd_deviation(const cd_real *x, size_t count);

/// The covariance matrix of points about their mean, which is stored too; both zero for no points.
///
/// Its entries are sums of products of differences from the mean over `count`. Class, bad input: as cd_variance.
CD_API cd_mat3 cd_covariance(const cd_vec3 *points, size_t count, cd_vec3 *mean);
