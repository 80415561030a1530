#include "core/moments.h"

/* Shares are summed, which cannot leave the range. */
CDI_FN cdi_v3 cdi_mean(const cd_vec3 *points, size_t count) {
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    double share = count ? 1.0 / cdi_number_of(count) : 0.0;
    for (size_t i = 0; i < count; ++i) sum = cdi_v3_add(sum, cdi_v3_scale(cdi_v3_of(points[i]), share));
    return sum;
}

/* The mean of the differences, which is 0 but for rounding, takes out what the mean is off by. */
CDI_FN cdi_m3 cdi_covariance(const cd_vec3 *points, size_t count, cdi_v3 mean, double scale) {
    cdi_m3 m;
    double xx = 0.0, yy = 0.0, zz = 0.0, xy = 0.0, yz = 0.0, zx = 0.0,
           share = count ? 1.0 / cdi_number_of(count) : 0.0;
    cdi_v3 rest = cdi_v3_make(0.0, 0.0, 0.0);
    for (size_t i = 0; i < count; ++i) {
        cdi_v3 d = cdi_v3_scale(cdi_v3_sub(cdi_v3_of(points[i]), mean), scale);
        xx += d.x * d.x;
        yy += d.y * d.y;
        zz += d.z * d.z;
        xy += d.x * d.y;
        yz += d.y * d.z;
        zx += d.z * d.x;
        rest = cdi_v3_add(rest, d);
    }
    m.c[0] = cdi_v3_scale(cdi_v3_make(xx, xy, zx), share);
    m.c[1] = cdi_v3_scale(cdi_v3_make(xy, yy, yz), share);
    m.c[2] = cdi_v3_scale(cdi_v3_make(zx, yz, zz), share);
    rest = cdi_v3_scale(rest, share);
    if (!cdi_v3_finite(rest)) return m;
    for (int i = 0; i < 3; ++i) m.c[i] = cdi_v3_along(m.c[i], rest, -cdi_v3_get(rest, i));
    return m;
}

CDI_FN double cdi_spread_scale(const cd_vec3 *points, size_t count, cdi_v3 mean) {
    double largest = 0.0;
    for (size_t i = 0; i < count; ++i) {
        double d = cdi_v3_max_abs(cdi_v3_sub(cdi_v3_of(points[i]), mean));
        if (!(d <= largest)) largest = d;
    }
    return largest > 0.0 && cdi_finite(largest) ? cdi_scale2(1.0, -cdi_exponent(largest)) : 1.0;
}
