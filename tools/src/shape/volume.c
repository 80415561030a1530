#include "core/expansion.h"
#include "core/simd.h"
#include "shape/volume.h"
#include "shape/volume3d.h"

CDI_FN cd_real cdi_round_down(double x, double tail) {
    cd_real r = (cd_real)cdi_clamp(x, -(double)CD_REAL_MAX, (double)CD_REAL_MAX);
    if ((double)r > x || ((double)r == x && tail < 0.0)) r = cdi_next_real(r, false);
    return r;
}

CD_API cd_aabb cd_aabb_empty(void) {
    cd_aabb b;
    b.min = cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX);
    b.max = cd_vec3_neg(b.min);
    return b;
}

static void cdi_aabb_grow(cd_aabb *b, const cd_vec3 *points, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        b->min = cd_vec3_min(points[i], b->min); /* the second is kept where the first is NaN */
        b->max = cd_vec3_max(points[i], b->max);
    }
}

#ifndef COLLIDE_DOUBLE
/* Eight points at a time, as 24 numbers: number i belongs to axis i % 3. Returns how many were taken. */
static size_t cdi_aabb_grow_eights(cd_aabb *b, const cd_vec3 *points, size_t count) {
    const float *p = (const float *)(const void *)points;
    float lo[24], hi[24];
    size_t taken = count - count % 8;
    cdi_f8 least[3], most[3];
    if (sizeof(cd_vec3) != 3 * sizeof(float) || taken < 16) return 0; /* C++ users may have added members */
    for (int k = 0; k < 3; ++k) {
        least[k] = cdi_f8_all(CD_REAL_MAX);
        most[k] = cdi_f8_all(-CD_REAL_MAX);
    }
    for (size_t i = 0; i < 3 * taken; i += 24) {
        for (size_t k = 0; k < 3; ++k) {
            cdi_f8 x = cdi_f8_load(p + i + 8 * k);
            least[k] = cdi_f8_min(x, least[k]);
            most[k] = cdi_f8_max(x, most[k]);
        }
    }
    for (int k = 0; k < 3; ++k) {
        cdi_f8_store(lo + 8 * k, least[k]);
        cdi_f8_store(hi + 8 * k, most[k]);
    }
    for (int i = 0; i < 24; i += 3) {
        b->min = cd_vec3_min(cd_vec3_make(lo[i], lo[i + 1], lo[i + 2]), b->min);
        b->max = cd_vec3_max(cd_vec3_make(hi[i], hi[i + 1], hi[i + 2]), b->max);
    }
    return taken;
}
#endif

/* Zeros come out positive, so that nothing depends on the order in which they are met. */
CD_API cd_aabb cd_aabb_from_points(const cd_vec3 *points, size_t count) {
    cd_vec3 zero = cd_vec3_make(0, 0, 0);
    cd_aabb b = cd_aabb_empty();
    size_t taken = 0;
#ifndef COLLIDE_DOUBLE
    taken = cdi_aabb_grow_eights(&b, points, count);
#endif
    if (taken < count) cdi_aabb_grow(&b, points + taken, count - taken);
    b.min = cd_vec3_add(b.min, zero);
    b.max = cd_vec3_add(b.max, zero);
    return b;
}

/* a - b and a + b, rounded outward. */
CDI_FN cd_real cdi_diff_down(double a, double b) {
    cdi_two d = cdi_two_of_diff(a, b);
    return cdi_round_down(d.hi, d.lo);
}
CDI_FN cd_real cdi_sum_up(double a, double b) {
    return -cdi_diff_down(-a, b);
}

/* The box center +- extent, rounded outward. */
CDI_FN cd_aabb cdi_aabb_around(cdi_v3 c, cdi_v3 e) {
    cd_aabb b;
    b.min = cd_vec3_make(cdi_diff_down(c.x, e.x), cdi_diff_down(c.y, e.y), cdi_diff_down(c.z, e.z));
    b.max = cd_vec3_make(cdi_sum_up(c.x, e.x), cdi_sum_up(c.y, e.y), cdi_sum_up(c.z, e.z));
    return b;
}

CD_API cd_aabb cd_aabb_from_sphere(cd_sphere s) {
    double r = (double)s.radius;
    if (!(r >= 0.0)) return cd_aabb_empty();
    return cdi_aabb_around(cdi_v3_of(s.center), cdi_v3_make(r, r, r));
}

/* |a| h and, where that may be rounded below the normal numbers, one of the smallest. */
static double cdi_extent_term(double a, double h) {
    double x = cdi_abs(a) * h;
    return cdi_abs(x) < 1e-290 && a != 0.0 && h > 0.0 ? x + 4.94065645841246544e-324 : x;
}

/* Half the extent along a world axis is the sum of |axis component| * half (Ericson 4.2.6), grown by its rounding. */
CD_API cd_aabb cd_aabb_from_obb(const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    double e[3];
    for (int i = 0; i < 3; ++i) {
        e[i] = 0.0;
        for (int j = 0; j < 3; ++j) e[i] += cdi_extent_term(cdi_v3_get(d.axes.c[j], i), d.half[j]);
        e[i] += e[i] * 8.881784197001252e-16;
    }
    return cdi_aabb_around(d.center, cdi_v3_make(e[0], e[1], e[2]));
}

/* The least half extent around a rounded centre that still reaches both ends. */
static cd_real cdi_half_around(cd_real center, cd_real lo, cd_real hi) {
    cd_real below = cdi_sum_up((double)center, -(double)lo), above = cdi_sum_up((double)hi, -(double)center);
    return below > above ? below : above;
}

CD_API cd_obb cd_obb_from_aabb(cd_aabb b) {
    cd_obb r;
    if (cd_aabb_is_empty(b)) b.min = b.max = cd_vec3_make(0, 0, 0);
    r.center = cdi_v3_round(cdi_v3_along(cdi_v3_scale(cdi_v3_of(b.min), 0.5), cdi_v3_of(b.max), 0.5));
    r.axes = cd_mat3_identity();
    r.half = cd_vec3_make(cdi_half_around(r.center.x, b.min.x, b.max.x),
                          cdi_half_around(r.center.y, b.min.y, b.max.y),
                          cdi_half_around(r.center.z, b.min.z, b.max.z));
    return r;
}

CD_API cd_obb cd_obb_transform(const cd_obb *b, const cd_transform *pose) {
    cd_obb r;
    r.center = cd_transform_point(pose, b->center);
    r.half = b->half;
    for (int i = 0; i < 3; ++i) r.axes.col[i] = cd_transform_vector(pose, b->axes.col[i]);
    return r;
}

CD_API void cd_obb_to_vertices(const cd_obb *b, cd_vec3 out[8]) {
    cdi_obb d = cdi_obb_of(b);
    for (int i = 0; i < 8; ++i) {
        cdi_v3 p = cdi_v3_make(i & 1 ? d.half[0] : -d.half[0], i & 2 ? d.half[1] : -d.half[1],
                               i & 4 ? d.half[2] : -d.half[2]);
        out[i] = cdi_v3_round(cdi_obb_world(&d, p));
    }
}

CD_API bool cd_sphere_is_valid(cd_sphere s) {
    return cd_vec3_is_valid(s.center) && cdi_finite((double)s.radius) && s.radius >= 0;
}

CD_API bool cd_aabb_is_valid(cd_aabb b) {
    return cdi_aabb_finite(b) && !cd_aabb_is_empty(b);
}

CD_API bool cd_obb_is_valid(const cd_obb *b) {
    return cd_vec3_is_valid(b->center) && cd_vec3_is_valid(b->half) && b->half.x >= 0 && b->half.y >= 0 &&
           b->half.z >= 0 && cd_mat3_is_rotation(&b->axes, 0);
}
