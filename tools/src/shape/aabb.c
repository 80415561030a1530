#include "shape/aabb.h"
#include "core/expansion.h"
#include "shape/volume3d.h"

/* A width as m 2^e with m in [1, 2), or 0, so that products of widths cannot leave the range before their end. By
 * halves where a width is beyond the largest double. */
typedef struct cdi_width {
    double m;
    int e;
} cdi_width;

static void cdi_aabb_widths(cd_aabb b, cdi_width w[3]) {
    cdi_v3 whole = cdi_v3_sub(cdi_v3_of(b.max), cdi_v3_of(b.min));
    cdi_v3 half = cdi_v3_sub(cdi_v3_scale(cdi_v3_of(b.max), 0.5), cdi_v3_scale(cdi_v3_of(b.min), 0.5));
    for (int i = 0; i < 3; ++i) {
        bool large = !cdi_finite(cdi_v3_get(whole, i));
        w[i].m = cdi_v3_get(large ? half : whole, i);
        w[i].e = cdi_exponent(w[i].m);
        w[i].m = cdi_scale2(w[i].m, -w[i].e);
        w[i].e += large;
    }
}

static bool cdi_aabb_has_nan(cd_aabb b) {
    return b.min.x != b.min.x || b.min.y != b.min.y || b.min.z != b.min.z || b.max.x != b.max.x ||
           b.max.y != b.max.y || b.max.z != b.max.z;
}

/* 0 for an empty box, infinity or NaN where a bound is infinite or NaN; false where there is something to compute. */
static bool cdi_aabb_measure_is_odd(cd_aabb b, cd_real *out) {
    *out = 0;
    if (cdi_aabb_has_nan(b)) {
        *out = (cd_real)cdi_nan();
    } else if (cd_aabb_is_empty(b)) {
        return true;
    } else if (!cdi_aabb_finite(b)) {
        *out = (cd_real)cdi_infinity();
    } else {
        return false;
    }
    return true;
}

static cd_real cdi_measure(double x, int e) {
    x = cdi_scale2(x, e);
    return x > (double)CD_REAL_MAX ? (cd_real)cdi_infinity() : (cd_real)x;
}

CD_API cd_real cd_aabb_volume(cd_aabb b) {
    cd_real odd;
    cdi_width w[3];
    if (cdi_aabb_measure_is_odd(b, &odd)) return odd;
    cdi_aabb_widths(b, w);
    return cdi_measure(w[0].m * w[1].m * w[2].m, w[0].e + w[1].e + w[2].e);
}

CD_API cd_real cd_aabb_surface_area(cd_aabb b) {
    cd_real odd;
    cdi_width w[3], side[3];
    double sum = 0.0;
    int e = -10000;
    if (cdi_aabb_measure_is_odd(b, &odd)) return odd;
    cdi_aabb_widths(b, w);
    for (int i = 0; i < 3; ++i) {
        side[i].m = w[i].m * w[(i + 1) % 3].m;
        side[i].e = w[i].e + w[(i + 1) % 3].e;
        if (side[i].m > 0.0 && side[i].e > e) e = side[i].e;
    }
    for (int i = 0; i < 3; ++i) sum += cdi_scale2(side[i].m, side[i].e - e);
    return cdi_measure(sum, e + 1);
}

CD_API cd_vec3 cd_aabb_support(cd_aabb b, cd_vec3 direction) {
    return cd_vec3_make(direction.x > 0 ? b.max.x : b.min.x, direction.y > 0 ? b.max.y : b.min.y,
                        direction.z > 0 ? b.max.z : b.min.z);
}

/* max - p < p - min? */
static cd_real cdi_nearer_end(cd_real lo, cd_real hi, cd_real p) {
    double x[4];
    x[0] = (double)p;
    x[1] = -(double)lo;
    x[2] = (double)p;
    x[3] = -(double)hi;
    return cdi_sum_sign(x, 4) > 0 ? hi : lo;
}

CD_API cd_vec3 cd_aabb_closest_vertex(cd_aabb b, cd_vec3 p) {
    return cd_vec3_make(cdi_nearer_end(b.min.x, b.max.x, p.x), cdi_nearer_end(b.min.y, b.max.y, p.y),
                        cdi_nearer_end(b.min.z, b.max.z, p.z));
}

CD_API cd_aabb cd_aabb_translate(cd_aabb b, cd_vec3 by) {
    cdi_v3 lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max), d = cdi_v3_of(by);
    if (cd_aabb_is_empty(b)) return b;
    b.min = cd_vec3_make(cdi_diff_down(lo.x, -d.x), cdi_diff_down(lo.y, -d.y), cdi_diff_down(lo.z, -d.z));
    b.max = cd_vec3_make(cdi_sum_up(hi.x, d.x), cdi_sum_up(hi.y, d.y), cdi_sum_up(hi.z, d.z));
    return b;
}
