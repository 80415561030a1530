#include "query/point_solid.h"
#include "query/crossing3d.h"
#include "query/locate.h"
#include "query/turning.h"

/* ---- triangles ---- */

CD_API int cd_locate_point_triangle(cd_vec3 p, const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    cdi_v3 at = cdi_v3_of(p);
    if (!cdi_v3_finite(at) || !cdi_tri_finite(&d)) return -1;
    return cdi_tri_holds(&d, at) ? 0 : -1;
}

/* ---- half-spaces ---- */

CD_API int cd_locate_point_halfspaces(cd_vec3 p, const cd_plane *planes, size_t count) {
    int least = cd_vec3_is_valid(p) ? 1 : -1;
    for (size_t i = 0; i < count && least >= 0; ++i) {
        int side = cd_locate_point_plane(p, planes[i]);
        if (side < least) least = side;
    }
    return least;
}

CD_API bool cd_test_point_halfspaces(cd_vec3 p, const cd_plane *planes, size_t count) {
    return cd_locate_point_halfspaces(p, planes, count) >= 0;
}

/* ---- closed meshes ---- */

/* Triangle i in doubles; false when an index is out of range or a corner is not finite. */
static bool cdi_mesh_tri(const cd_mesh_view *mesh, uint32_t i, cdi_tri *out) {
    cd_triangle t;
    if (!cd_mesh_triangle(mesh, i, &t)) return false;
    *out = cdi_tri_of(&t);
    return cdi_tri_finite(out);
}

/* All triangles against the points; false for a bad mesh. */
static bool cdi_probe_mesh(cdi_probe *q, size_t count, const cd_mesh_view *mesh) {
    if (!cd_mesh_view_is_valid(mesh)) return false;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        cdi_tri t;
        cdi_v3 lo, hi;
        if (!cdi_mesh_tri(mesh, i, &t)) return false;
        cdi_tri_bounds(&t, &lo, &hi);
        for (size_t k = 0; k < count; ++k) cdi_probe_triangle(&q[k], &t, &lo, &hi);
    }
    return true;
}

static int cdi_probe_verdict(const cdi_probe *q, cd_fill_rule fill) {
    return cdi_v3_finite(q->p) ? cdi_rounds_verdict(&q->around, fill) : -1;
}

CD_API int cd_locate_point_mesh(cd_vec3 p, const cd_mesh_view *mesh, cd_fill_rule fill) {
    cdi_probe q = cdi_probe_of(p);
    return cdi_probe_mesh(&q, 1, mesh) ? cdi_probe_verdict(&q, fill) : -1;
}

CD_API bool cd_test_point_mesh(cd_vec3 p, const cd_mesh_view *mesh, cd_fill_rule fill) {
    return cd_locate_point_mesh(p, mesh, fill) >= 0;
}

CD_API bool cd_winding_point_mesh(cd_vec3 p, const cd_mesh_view *mesh, int *out) {
    cdi_probe q = cdi_probe_of(p);
    if (!cdi_v3_finite(q.p) || !cdi_probe_mesh(&q, 1, mesh) || q.around.on) return false;
    if (out) *out = cdi_rounds_number(&q.around);
    return true;
}

#define CDI_PROBES 64

CD_API void cd_locate_points_mesh(const cd_vec3 *points, size_t count, const cd_mesh_view *mesh,
                                  cd_fill_rule fill, int8_t *out) {
    cdi_probe q[CDI_PROBES];
    for (size_t begin = 0, n; begin < count; begin += n) {
        bool good;
        n = count - begin < CDI_PROBES ? count - begin : CDI_PROBES;
        for (size_t k = 0; k < n; ++k) q[k] = cdi_probe_of(points[begin + k]);
        good = cdi_probe_mesh(q, n, mesh);
        for (size_t k = 0; k < n; ++k) out[begin + k] = (int8_t)(good ? cdi_probe_verdict(&q[k], fill) : -1);
    }
}

#undef CDI_PROBES

/* ---- the generalised winding number ---- */

CD_API cd_real cd_winding_number_mesh(cd_vec3 p, const cd_mesh_view *mesh) {
    cdi_v3 at = cdi_v3_of(p);
    cdi_turning s = cdi_turning_begin();
    if (!cdi_v3_finite(at) || !cd_mesh_view_is_valid(mesh)) return (cd_real)cdi_nan();
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        cdi_tri t;
        if (!cdi_mesh_tri(mesh, i, &t)) return (cd_real)cdi_nan();
        cdi_turning_triangle(&s, at, &t);
    }
    return (cd_real)cdi_turning_number(&s);
}

CD_API bool cd_test_point_mesh_winding(cd_vec3 p, const cd_mesh_view *mesh, cd_real threshold) {
    return cd_winding_number_mesh(p, mesh) >= threshold;
}
