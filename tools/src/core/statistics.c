#include "core/statistics.h"
#include "core/moments.h"
#include "core/scalar.h"

static double cdi_mean_of_numbers(const cd_real *x, size_t count) {
    double sum = 0.0, share = count ? 1.0 / cdi_number_of(count) : 0.0;
    for (size_t i = 0; i < count; ++i) sum += (double)x[i] * share;
    return sum;
}

/* The second sum, which is 0 but for rounding, takes out what the mean is off by. */
static double cdi_variance(const cd_real *x, size_t count) {
    double mean = cdi_mean_of_numbers(x, count), sum = 0.0, rest = 0.0,
           share = count ? 1.0 / cdi_number_of(count) : 0.0;
    for (size_t i = 0; i < count; ++i) {
        double d = (double)x[i] - mean;
        sum += d * d;
        rest += d;
    }
    sum *= share;
    rest *= share;
    if (!cdi_finite(sum)) return sum;
    return cdi_max(0.0, sum - rest * rest);
}

CD_API cd_real cd_variance(const cd_real *x, size_t count) {
    return cdi_real_or_infinity(cdi_variance(x, count));
}

CD_API cd_real cd_variance_one_pass(const cd_real *x, size_t count) {
    double sum = 0.0, squares = 0.0, mean;
    bool good = true;
    if (count == 0) return 0;
    for (size_t i = 0; i < count; ++i) {
        good = good && cdi_finite((double)x[i]);
        sum += (double)x[i];
        squares += (double)x[i] * (double)x[i];
    }
    mean = sum / cdi_number_of(count);
    squares /= cdi_number_of(count);
    if (!cdi_finite(squares)) return cdi_real_or_infinity(good ? squares : cdi_nan());
    return cdi_real_or_infinity(cdi_max(0.0, squares - mean * mean));
}

CD_API cd_real cd_deviation(const cd_real *x, size_t count) {
    return cdi_real_or_infinity(cdi_sqrt(cdi_variance(x, count)));
}

static cd_vec3 cdi_v3_or_infinity(cdi_v3 v) {
    return cd_vec3_make(cdi_real_or_infinity(v.x), cdi_real_or_infinity(v.y), cdi_real_or_infinity(v.z));
}

CD_API cd_mat3 cd_covariance(const cd_vec3 *points, size_t count, cd_vec3 *mean) {
    cdi_v3 middle = cdi_mean(points, count);
    cdi_m3 m = cdi_covariance(points, count, middle, 1.0);
    cd_mat3 r;
    if (mean) *mean = cdi_v3_or_infinity(middle);
    for (int i = 0; i < 3; ++i) r.col[i] = cdi_v3_or_infinity(m.c[i]);
    return r;
}
