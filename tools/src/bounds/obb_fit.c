#include "bounds/obb_fit.h"
#include "bounds/obb_axes.h"
#include "bounds/rect2d.h"
#include "core/moments.h"
#include "hull/mass3d.h"

/* ---- covariance ---- */

CDI_FN cdi_m3 cdi_fit_pca(const cdi_fit *f) {
    cdi_v3 mean = cdi_mean(f->points, f->count);
    cdi_m3 m = cdi_covariance(f->points, f->count, mean, f->scale);
    return cdi_principal_frame(&m);
}

/* The moments of inertia are sums of two of the second moments each. False without mass. */
static bool cdi_mass_frame(const cd_mass *mass, cdi_m3 *axes) {
    double m[3][3], largest = 0.0, half_trace;
    for (int i = 0; i < 3; ++i) largest = cdi_max(largest, cdi_abs(mass->inertia[i][i]));
    if (mass->mass == 0.0 || !(largest > 0.0)) return false;
    for (int i = 0; i < 9; ++i)
        m[i / 3][i % 3] = cdi_scale2(mass->inertia[i / 3][i % 3], -cdi_exponent(largest));
    half_trace = 0.5 * (m[0][0] + m[1][1] + m[2][2]);
    for (int j = 0; j < 3; ++j) {
        double c[3];
        for (int i = 0; i < 3; ++i) c[i] = (i == j ? half_trace : 0.0) - m[i][j];
        axes->c[j] = cdi_v3_make(c[0], c[1], c[2]);
    }
    *axes = cdi_principal_frame(axes);
    return true;
}

CD_API cd_status cd_obb_from_points(const cd_vec3 *points, size_t count, cd_obb *out) {
    return cd_obb_pca(points, count, CD_PCA_ALL, NULL, out);
}

/* ---- surfaces and solids ---- */

CDI_FN bool cdi_hull_frame(const cd_hull *hull, cdi_m3 *axes) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cd_mass m;
    return p.face_count > 0 && cdi_hull_moments(&p, cd_hull_bounds(hull), true, &m) &&
           cdi_mass_frame(&m, axes);
}

CD_API cd_status cd_obb_from_hull(const cd_hull *hull, cd_obb *out) {
    cd_hull_parts p = cd_hull_get_parts(hull);
    cdi_m3 axes;
    cdi_fit f;
    cd_status status = cdi_fit_points(&f, p.vertices, p.vertex_count);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    if (!cdi_hull_frame(hull, &axes)) axes = cdi_fit_by_pairs(&f);
    cdi_fit_finish(&f, &axes, out);
    return CD_OK;
}

/* The solid in the place of its surface, unless it is thinner than 1e-11 of its size: then its moments are rounding errors. */
static void cdi_prefer_solid(const cdi_fit *f, cd_mass *surface) {
    cd_mass solid;
    cd_mass_properties(f->mesh, &solid);
    if (surface->mass > 0.0 && cdi_abs(solid.mass) / surface->mass * f->scale > 1e-11) *surface = solid;
}

static cd_status cdi_obb_of_mesh(const cd_mesh_view *mesh, bool solid, cd_obb *out) {
    cd_mass mass;
    cdi_m3 axes;
    cdi_fit f;
    cd_status status = cdi_fit_mesh(&f, mesh);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    cd_mass_properties_shell(mesh, &mass);
    if (solid) cdi_prefer_solid(&f, &mass);
    if (!cdi_mass_frame(&mass, &axes)) axes = cdi_fit_by_pairs(&f);
    cdi_fit_finish(&f, &axes, out);
    return CD_OK;
}

CD_API cd_status cd_obb_from_mesh(const cd_mesh_view *mesh, cd_obb *out) {
    return cdi_obb_of_mesh(mesh, false, out);
}

CD_API cd_status cd_obb_from_inertia(const cd_mesh_view *mesh, cd_obb *out) {
    return cdi_obb_of_mesh(mesh, true, out);
}

/* ---- extreme pairs ---- */

/* v less its part along the unit vector. */
static cdi_v3 cdi_v3_rejected(cdi_v3 v, cdi_v3 unit) {
    return cdi_v3_along(v, unit, -cdi_v3_dot(unit, v));
}

/* The point farthest from `from` as seen along `axis` (zero: in space). */
static cdi_v3 cdi_fit_farthest(const cdi_fit *f, cdi_v3 from, cdi_v3 axis) {
    double most = -1.0;
    cdi_v3 best = from;
    for (size_t i = 0; i < f->count; ++i) {
        cdi_v3 p = cdi_fit_local(f, i);
        double far_off = cdi_v3_sqlength(cdi_v3_rejected(cdi_v3_sub(p, from), axis));
        if (far_off > most) {
            most = far_off;
            best = p;
        }
    }
    return best;
}

/* Between two points far apart, from the one with the least coordinate on the longest side of the bounds. */
static cdi_v3 cdi_fit_long_pair(const cdi_fit *f, cdi_v3 axis) {
    cdi_extents e;
    cdi_m3 frame = axis.x == 0.0 && axis.y == 0.0 && axis.z == 0.0 ? cdi_fit_identity()
                                                                   : cdi_fit_frame(axis, cdi_across(axis));
    cdi_v3 p;
    int k = cdi_v3_is_zero(axis) ? 0 : 1;
    e = cdi_fit_extents(f, &frame);
    for (int i = k + 1; i < 3; ++i) {
        if (e.hi[i] - e.lo[i] > e.hi[k] - e.lo[k]) k = i;
    }
    p = cdi_v3_scale(frame.c[k], e.lo[k]);
    p = cdi_fit_farthest(f, p, axis);
    return cdi_v3_rejected(cdi_v3_sub(cdi_fit_farthest(f, p, axis), p), axis);
}

CDI_FN cdi_m3 cdi_fit_by_pairs(const cdi_fit *f) {
    cdi_v3 first = cdi_v3_normalize(cdi_fit_long_pair(f, cdi_v3_make(0.0, 0.0, 0.0)));
    return cdi_fit_frame(first, cdi_v3_is_zero(first) ? first : cdi_fit_long_pair(f, first));
}

CD_API cd_status cd_obb_barequet(const cd_vec3 *points, size_t count, cd_obb *out) {
    cdi_m3 axes;
    cdi_fit f;
    cd_status status = cdi_fit_points(&f, points, count);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    axes = cdi_fit_by_pairs(&f);
    cdi_fit_finish(&f, &axes, out);
    return CD_OK;
}

/* ---- rectangles across an axis ---- */

CDI_FN cd_status cdi_fit_shadow_take(cdi_fit_shadow *s, size_t count, const cd_allocator *allocator) {
    s->count = count;
    s->corner = NULL;
    s->points = NULL;
    if (count >= CD_NONE) return CD_TOO_LARGE;
    s->points = (cd_vec2 *)cdi_alloc(allocator, count, sizeof *s->points);
    s->corner = s->points ? (uint32_t *)cdi_alloc(allocator, count, sizeof *s->corner) : NULL;
    if (s->corner) return CD_OK;
    cdi_fit_shadow_free(s, allocator);
    return CD_OUT_OF_MEMORY;
}

CDI_FN void cdi_fit_shadow_free(cdi_fit_shadow *s, const cd_allocator *allocator) {
    cdi_free(allocator, s->corner, s->count, sizeof *s->corner);
    cdi_free(allocator, s->points, s->count, sizeof *s->points);
}

CDI_FN cdi_m3 cdi_fit_across(const cdi_fit *f, cdi_fit_shadow *s, cdi_v3 axis) {
    cdi_m3 frame = cdi_fit_frame(axis, cdi_across(axis));
    cdi_ring2 ring;
    cdi_v3 along;
    for (size_t i = 0; i < f->count; ++i) {
        cdi_v3 p = cdi_fit_local(f, i);
        s->points[i] = cd_vec2_make((cd_real)cdi_v3_dot(frame.c[1], p), (cd_real)cdi_v3_dot(frame.c[2], p));
    }
    cd_hull2_andrew(s->points, f->count, s->corner, &ring.count);
    ring.points = s->points;
    ring.corner = s->corner;
    along = cdi_ring2_by_calipers(&ring);
    return cdi_fit_frame(frame.c[0], cdi_v3_along(cdi_v3_scale(frame.c[1], along.x), frame.c[2], along.y));
}

CD_API cd_status cd_obb_pca(const cd_vec3 *points, size_t count, cd_pca_axes axes,
                            const cd_allocator *allocator, cd_obb *out) {
    cdi_fit_shadow shadow;
    cdi_m3 frame;
    cdi_fit f;
    cd_status status = cdi_fit_points(&f, points, count);
    cdi_clear(out, sizeof *out);
    if (status != CD_OK) return status;
    frame = cdi_fit_pca(&f);
    if (axes == CD_PCA_MAX || axes == CD_PCA_MIN) {
        status = cdi_fit_shadow_take(&shadow, count, allocator);
        if (status != CD_OK) return status;
        frame = cdi_fit_across(&f, &shadow, frame.c[axes == CD_PCA_MAX ? 0 : 2]);
        cdi_fit_shadow_free(&shadow, allocator);
    }
    cdi_fit_finish(&f, &frame, out);
    return CD_OK;
}
