#include "bounds/growing.h"
#include "bounds/sphere_fit.h"
#include "core/eigen.h"
#include "core/moments.h"

typedef enum cdi_fit_method {
    CDI_FIT_AABB,
    CDI_FIT_RITTER,
    CDI_FIT_EIGEN,
    CDI_FIT_RITTER_EIGEN
} cdi_fit_method;

static cdi_v3 cdi_middle_of_box(const cdi_sites *s) {
    cdi_v3 lo = cdi_site(s, 0).c, hi = lo;
    for (size_t i = 1; i < s->count; ++i) {
        cdi_v3 p = cdi_site(s, i).c;
        lo = cdi_v3_make(cdi_min(p.x, lo.x), cdi_min(p.y, lo.y), cdi_min(p.z, lo.z));
        hi = cdi_v3_make(cdi_max(p.x, hi.x), cdi_max(p.y, hi.y), cdi_max(p.z, hi.z));
    }
    return cdi_v3_scale(cdi_v3_add(lo, hi), 0.5);
}

/* Where spreads leave the range of numbers, the coordinate axes have to do. */
static cdi_ball cdi_eigen_ball(const cdi_sites *s, const cd_vec3 *points) {
    cdi_v3 mean = cdi_mean(points, s->count);
    cdi_m3 m = cdi_covariance(points, s->count, mean, cdi_spread_scale(points, s->count, mean));
    cd_mat3 spread = cdi_m3_round(&m);
    cd_eigen e;
    if (!cd_eigen_jacobi(&spread, &e)) return cdi_most_separated(s);
    return cdi_separated_along(s, cdi_v3_of(e.vector.col[0]));
}

static cdi_ball cdi_fitted_ball(const cdi_sites *s, const cd_vec3 *points, cdi_fit_method method) {
    cdi_ball b;
    if (method == CDI_FIT_AABB) {
        b.c = cdi_middle_of_box(s);
        b.r = 0.0;
        return b;
    }
    b = method == CDI_FIT_RITTER ? cdi_most_separated(s) : cdi_eigen_ball(s, points);
    if (method != CDI_FIT_EIGEN) cdi_grow_over(s, 0, &b);
    return b;
}

/* Further rounds, and the best ball. */
static void cdi_refine_ball(const cdi_sites *s, uint32_t rounds, double shrink, cdi_ball *best) {
    cdi_ball b = *best;
    for (uint32_t i = 1; i <= rounds; ++i) {
        b.r *= shrink;
        cdi_grow_over(s, i, &b);
        if (b.r < best->r) *best = b;
    }
}

static cd_status cdi_sphere_fit(const cd_vec3 *points, size_t count, cdi_fit_method method, uint32_t rounds,
                                double shrink, cd_sphere *out) {
    cdi_sites s;
    cdi_ball b;
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (!cdi_sites_make(&s, count ? &points->x : NULL, count, 3)) return CD_INVALID_ARGUMENT;
    if (count == 0) {
        out->radius = -1;
        return CD_OK;
    }
    b = cdi_fitted_ball(&s, points, method);
    cdi_refine_ball(&s, rounds, shrink, &b);
    status = cdi_sites_cover(&s, b.c, &out->center, &out->radius);
    if (status != CD_OK) cdi_clear(out, sizeof *out);
    return status;
}

CD_API cd_status cd_sphere_aabb(const cd_vec3 *points, size_t count, cd_sphere *out) {
    return cdi_sphere_fit(points, count, CDI_FIT_AABB, 0, 1.0, out);
}

CD_API cd_status cd_sphere_ritter(const cd_vec3 *points, size_t count, cd_sphere *out) {
    return cdi_sphere_fit(points, count, CDI_FIT_RITTER, 0, 1.0, out);
}

CD_API cd_status cd_sphere_eigen(const cd_vec3 *points, size_t count, cd_sphere *out) {
    return cdi_sphere_fit(points, count, CDI_FIT_EIGEN, 0, 1.0, out);
}

CD_API cd_status cd_sphere_ritter_eigen(const cd_vec3 *points, size_t count, cd_sphere *out) {
    return cdi_sphere_fit(points, count, CDI_FIT_RITTER_EIGEN, 0, 1.0, out);
}

CD_API cd_status cd_sphere_ritter_iterative(const cd_vec3 *points, size_t count,
                                            const cd_ritter_options *options, cd_sphere *out) {
    cd_ritter_options o;
    double shrink;
    cdi_clear(&o, sizeof o);
    if (options) o = *options;
    shrink = o.shrink == 0 ? 0.95 : (double)o.shrink;
    if (o.start > CD_RITTER_START_EIGEN || !(shrink > 0.0 && shrink < 1.0)) {
        cdi_clear(out, sizeof *out);
        return CD_INVALID_ARGUMENT;
    }
    return cdi_sphere_fit(points, count,
                          o.start == CD_RITTER_START_PAIR ? CDI_FIT_RITTER : CDI_FIT_RITTER_EIGEN,
                          o.iterations ? o.iterations : 8, shrink, out);
}

CD_API cd_sphere cd_sphere_from_aabb(cd_aabb b) {
    cd_vec3 corner[8];
    cd_sphere s;
    cd_status status;
    for (int i = 0; i < 8; ++i)
        corner[i] =
            cd_vec3_make(i & 1 ? b.max.x : b.min.x, i & 2 ? b.max.y : b.min.y, i & 4 ? b.max.z : b.min.z);
    status = cd_sphere_aabb(corner, cd_aabb_is_empty(b) ? 0 : 8, &s);
    if (status != CD_OK) s.radius = (cd_real)cdi_infinity();
    return s;
}
