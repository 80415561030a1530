#include "core/statistics.h"
#include "core/moments.h"
#include "core/scalar.h"

static double cdi_mean_of_numbers(const cd_real *x, size_t count) {
    double sum = 0.0, share = count ? 1.0 / (double)count : 0.0;
    for (size_t i = 0; i < count; ++i) sum += (double)x[i] * share;
    return sum;
}

static double cdi_variance(const cd_real *x, size_t count) {
    double mean = cdi_mean_of_numbers(x, count), sum = 0.0;
    for (size_t i = 0; i < count; ++i) {
        double d = (double)x[i] - mean;
        sum += d * d;
    }
    return count ? sum / (double)count : 0.0;
}

cd_real cd_variance(const cd_real *x, size_t count) {
    return cdi_real_of(cdi_variance(x, count));
}

cd_real cd_variance_one_pass(const cd_real *x, size_t count) {
    double sum = 0.0, squares = 0.0, mean;
    if (count == 0) return 0;
    for (size_t i = 0; i < count; ++i) {
        sum += (double)x[i];
        squares += (double)x[i] * (double)x[i];
    }
    mean = sum / (double)count;
    return cdi_real_of(cdi_max(0.0, squares / (double)count - mean * mean));
}

cd_real cd_deviation(const cd_real *x, size_t count) {
    return cdi_real_of(cdi_sqrt(cdi_variance(x, count)));
}

cd_mat3 cd_covariance(const cd_vec3 *points, size_t count, cd_vec3 *mean) {
    cdi_v3 middle = cdi_mean(points, count);
    cdi_m3 m = cdi_covariance(points, count, middle, 1.0);
    if (mean) *mean = cdi_v3_round(middle);
    return cdi_m3_round(&m);
}
