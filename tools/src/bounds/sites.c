#include "bounds/sites.h"
#include "core/orient.h"
#include "core/simd.h"

/* A reach is rounded by two units of the squared distance for each difference and its square, two for the sums, half of all
 * that by the root, one for the root and one for the radius: below 6 u, u = 2^-53. */
#define CDI_REACH_ERROR 6.661338147750939e-16
/* Below it squares lose digits. */
#define CDI_REACH_LEAST 1e-140

enum { CDI_SITES_BLOCK = 16 };

static bool cdi_reals_finite(const cd_real *x, size_t count, double *largest) {
    double most = 0.0;
    bool good = true;
    for (size_t i = 0; i < count; ++i) {
        double a = cdi_abs((double)x[i]);
        if (!(a <= (double)CD_REAL_MAX)) good = false;
        most = cdi_max(most, a);
    }
    *largest = most;
    return good;
}

/* What is not finite is not 0 less itself, and stays in the sum. */
#ifndef COLLIDE_DOUBLE
static bool cdi_floats_finite(const float *x, size_t count) {
    size_t i = 0;
    cdi_f8 sum = cdi_f8_all(0.0f);
    double unused;
    for (; i + 8 <= count; i += 8) {
        cdi_f8 v = cdi_f8_load(x + i);
        sum = cdi_f8_add(sum, cdi_f8_sub(v, v));
    }
    return cdi_f8_le(sum, sum) == 255u && cdi_reals_finite(x + i, count - i, &unused);
}
#endif

CDI_FN bool cdi_sites_make(cdi_sites *s, const cd_real *at, size_t count, int stride) {
    size_t numbers = count * (size_t)stride;
    s->at = at;
    s->count = count;
    s->stride = stride;
    s->scale = 1.0;
    s->unit = 0.0;
    if (count == 0) return true; /* `at` may be NULL, to which nothing may be added */
    if (count > SIZE_MAX / (4 * sizeof(cd_real))) return false;
#ifdef COLLIDE_DOUBLE
    {
        double largest;
        if (!cdi_reals_finite(at, numbers, &largest)) return false;
        if (largest > 0.0) s->scale = cdi_exp2i(-cdi_exponent(largest));
        s->unit = cdi_max(cdi_exp2i(cdi_exponent(largest * s->scale) - 52), cdi_from_bits(1) * s->scale);
    }
    return true;
#else
    return cdi_floats_finite(at, numbers);
#endif
}

CDI_FN cdi_stored cdi_sites_store(const cdi_sites *s, cdi_v3 c) {
    cdi_stored r;
    double back = 1.0 / s->scale;
    r.center = cd_vec3_make(cdi_real_of(c.x * back), cdi_real_of(c.y * back), cdi_real_of(c.z * back));
    r.c = cdi_v3_scale(cdi_v3_of(r.center), s->scale);
    return r;
}

/* ---- how far they reach ---- */

/* Points are measured by squared distances, spheres by their reach. */
static double cdi_site_measure(const cdi_sites *s, size_t i, cdi_v3 c) {
    cdi_ball b = cdi_site(s, i);
    return s->stride > 3 ? cdi_ball_reach(&b, c) : cdi_v3_sqlength(cdi_v3_sub(b.c, c));
}

static double cdi_measure_some(const cdi_sites *s, size_t from, size_t to, cdi_v3 c) {
    double most = -1.0;
    for (size_t i = from; i < to; ++i) most = cdi_max(most, cdi_site_measure(s, i, c));
    return most;
}

/* A block of points of space. The products are added in the order of cdi_v3_dot, so that the bits are the same. */
static double cdi_measure_block(const cd_real *p, double scale, cdi_v3 c) {
    cdi_d4 x = cdi_d4_all(c.x), y = cdi_d4_all(c.y), z = cdi_d4_all(c.z), most = cdi_d4_all(-1.0);
    double lane[4];
    for (int i = 0; i < CDI_SITES_BLOCK; i += 4) {
        cdi_d4 d[3];
        cdi_d4_points(p + 3 * i, d);
#ifdef COLLIDE_DOUBLE
        for (int k = 0; k < 3; ++k) d[k] = cdi_d4_mul(d[k], cdi_d4_all(scale));
#endif
        d[0] = cdi_d4_sub(d[0], x);
        d[1] = cdi_d4_sub(d[1], y);
        d[2] = cdi_d4_sub(d[2], z);
        d[0] = cdi_d4_add(cdi_d4_mul(d[0], d[0]), cdi_d4_mul(d[1], d[1]));
        most = cdi_d4_max(most, cdi_d4_add(d[0], cdi_d4_mul(d[2], d[2])));
    }
    (void)scale;
    cdi_d4_store(lane, most);
    return cdi_max(cdi_max(lane[0], lane[1]), cdi_max(lane[2], lane[3]));
}

/* The farthest of a stretch: its measure, and the block that it is in. */
static double cdi_measure_stretch(const cdi_sites *s, size_t from, size_t to, cdi_v3 c, size_t *block) {
    double most = -1.0;
    for (size_t i = from; i < to; i += CDI_SITES_BLOCK) {
        size_t end = to - i < CDI_SITES_BLOCK ? to : i + CDI_SITES_BLOCK;
        double m = s->stride == 3 && end - i == CDI_SITES_BLOCK
                       ? cdi_measure_block(s->at + 3 * i, s->scale, c)
                       : cdi_measure_some(s, i, end, c);
        if (m > most) {
            most = m;
            *block = i;
        }
    }
    return most;
}

CDI_FN void cdi_sites_scan(const cdi_sites *s, cdi_v3 c, double limit, cdi_scan *out) {
    size_t stretch = (s->count / CDI_SITES_SPREAD / CDI_SITES_BLOCK + 1) * CDI_SITES_BLOCK;
    double most = -1.0, least = s->stride > 3 ? limit : limit * limit;
    out->count = 0;
    for (size_t i = 0; i < s->count; i += stretch) {
        size_t block = 0, to = s->count - i < stretch ? s->count : i + stretch;
        double m = cdi_measure_stretch(s, i, to, c, &block);
        most = cdi_max(most, m);
        if (m <= least) continue;
        while (block + 1 < to && cdi_site_measure(s, block, c) != m) ++block;
        out->found[out->count++] = block;
    }
    out->reach = s->stride > 3 || most < 0.0 ? most : cdi_sqrt(most);
}

/* ---- the radius ---- */

CDI_FN bool cdi_ball_holds(cdi_v3 a, double R, cdi_v3 b, double r) {
    cdi_diff d[3];
    d[0] = cdi_diff_of(b.x, a.x);
    d[1] = cdi_diff_of(b.y, a.y);
    d[2] = cdi_diff_of(b.z, a.z);
    return R >= r && cdi_compare_squares(d, cdi_diff_of(R, r)) <= 0;
}

/* Does the ball about the centre hold site i? */
static bool cdi_site_inside(const cdi_sites *s, size_t i, cd_vec3 center, cd_real radius) {
    cdi_sites plain = *s;
    cdi_ball b;
    plain.scale = 1.0;
    b = cdi_site(&plain, i);
    return b.r < 0.0 || cdi_ball_holds(cdi_v3_of(center), (double)radius, b.c, b.r);
}

/* A larger radius, not beyond what the site needs: by one number, or by all that is missing where squares have vanished. */
static cd_real cdi_radius_step(const cdi_sites *s, size_t i, cd_vec3 center, cd_real radius) {
    cdi_sites plain = *s;
    cdi_ball b;
    double need;
    cd_real next = cdi_next_real(radius, true);
    plain.scale = 1.0;
    b = cdi_site(&plain, i);
    need = (cdi_v3_length(cdi_v3_sub(b.c, cdi_v3_of(center))) + b.r) * (1.0 - CDI_REACH_ERROR);
    return need < (double)CD_REAL_MAX && (cd_real)need > next ? (cd_real)need : next;
}

CDI_FN cd_status cdi_sites_radius(const cdi_sites *s, const cdi_stored *at, double reach, cd_real *radius) {
    double back = 1.0 / s->scale, least = reach * (1.0 - CDI_REACH_ERROR) * back, limit;
    cd_real r;
    if (!(least <= (double)CD_REAL_MAX)) return CD_TOO_LARGE;
    r = (cd_real)cdi_max(least, 0.0);
    if ((double)r < least) r = cdi_next_real(r, true);
    *radius = r;
    if (reach > CDI_REACH_LEAST && (double)r > reach * (1.0 + CDI_REACH_ERROR) * back) return CD_OK;
    limit = reach > CDI_REACH_LEAST ? reach * (1.0 - 4.0 * CDI_REACH_ERROR) : 0.0;
    for (size_t i = 0; i < s->count; ++i) {
        cdi_ball b = cdi_site(s, i);
        if (cdi_ball_reach(&b, at->c) < limit) continue;
        while (!cdi_site_inside(s, i, at->center, r)) {
            if (!(r < CD_REAL_MAX)) return CD_TOO_LARGE;
            r = cdi_radius_step(s, i, at->center, r);
        }
    }
    *radius = r;
    return CD_OK;
}

CDI_FN cd_status cdi_sites_cover(const cdi_sites *s, cdi_v3 c, cd_vec3 *center, cd_real *radius) {
    cdi_stored at = cdi_sites_store(s, c);
    cdi_scan scan;
    cdi_sites_scan(s, at.c, CDI_HUGE, &scan);
    *center = at.center;
    return cdi_sites_radius(s, &at, scan.reach, radius);
}

#undef CDI_REACH_ERROR
#undef CDI_REACH_LEAST
