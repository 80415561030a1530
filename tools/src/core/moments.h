#pragma once
/* moments (internal): mean and covariance of points in double. */

#include "core/mat3d.h"

CDI_FN cdi_v3 cdi_mean(const cd_vec3 *points, size_t count);

/* Sum of (p - mean)(p - mean)^T over count, where each difference is multiplied by `scale` first: a power of two that keeps
 * squares in range (see cdi_spread_scale), or 1. */
CDI_FN cdi_m3 cdi_covariance(const cd_vec3 *points, size_t count, cdi_v3 mean, double scale);

/* A power of two that brings the largest coordinate of a difference from `mean` near 1; 1 when all are zero or one is not
 * finite. */
CDI_FN double cdi_spread_scale(const cd_vec3 *points, size_t count, cdi_v3 mean);
