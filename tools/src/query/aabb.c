#include "query/aabb.h"
#include "core/orient.h"
#include "query/triangle_box.h"
#include "shape/volume3d.h"

static bool cdi_widths_meet(cd_real alo, cd_real ahi, cd_real blo, cd_real bhi) {
    return alo <= bhi && blo <= ahi && alo <= ahi && blo <= bhi;
}

CD_API bool cd_test_aabb_aabb_order(cd_aabb a, cd_aabb b, uint32_t order) {
    static const uint8_t axes[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    const uint8_t *axis = axes[order < 6 ? order : 0];
    for (int i = 0; i < 3; ++i) {
        bool meet = axis[i] == 0   ? cdi_widths_meet(a.min.x, a.max.x, b.min.x, b.max.x)
                    : axis[i] == 1 ? cdi_widths_meet(a.min.y, a.max.y, b.min.y, b.max.y)
                                   : cdi_widths_meet(a.min.z, a.max.z, b.min.z, b.max.z);
        if (!meet) return false;
    }
    return true;
}

/* a <= b + width, for finite a and b. */
static bool cdi_not_beyond(double a, double b, double width) {
    double x[3];
    if (!cdi_finite(width)) return true;
    x[0] = a;
    x[1] = -b;
    x[2] = -width;
    return cdi_sum_sign(x, 3) <= 0;
}

CD_API bool cd_test_aabb_aabb_mw(const cd_aabb_mw *a, const cd_aabb_mw *b) {
    cdi_v3 p = cdi_v3_of(a->min), q = cdi_v3_of(b->min), v = cdi_v3_of(a->width), w = cdi_v3_of(b->width);
    if (!cdi_v3_finite(p) || !cdi_v3_finite(q)) return false;
    for (int i = 0; i < 3; ++i) {
        double pi = cdi_v3_get(p, i), qi = cdi_v3_get(q, i), vi = cdi_v3_get(v, i), wi = cdi_v3_get(w, i);
        if (!(vi >= 0.0 && wi >= 0.0 && cdi_not_beyond(pi, qi, wi) && cdi_not_beyond(qi, pi, vi)))
            return false;
    }
    return true;
}

/* |a - b| <= r + s? */
static bool cdi_centers_near(double a, double b, double r, double s) {
    double x[4];
    x[0] = a < b ? b : a;
    x[1] = a < b ? -a : -b;
    x[2] = -r;
    x[3] = -s;
    return cdi_sum_sign(x, 4) <= 0;
}

CD_API bool cd_test_aabb_aabb_cr(const cd_aabb_cr *a, const cd_aabb_cr *b) {
    cdi_v3 p = cdi_v3_of(a->center), q = cdi_v3_of(b->center), r = cdi_v3_of(a->half), s = cdi_v3_of(b->half);
    if (!cd_aabb_cr_is_valid(a) || !cd_aabb_cr_is_valid(b)) return false;
    return cdi_centers_near(p.x, q.x, r.x, s.x) && cdi_centers_near(p.y, q.y, r.y, s.y) &&
           cdi_centers_near(p.z, q.z, r.z, s.z);
}

CD_API bool cd_test_aabb_aabb_int(const cd_aabb_int *a, const cd_aabb_int *b) {
    for (int i = 0; i < 3; ++i) {
        if (a->min[i] > b->max[i] || b->min[i] > a->max[i]) return false;
        if (a->min[i] > a->max[i] || b->min[i] > b->max[i]) return false;
    }
    return true;
}

/* -below <= d <= above, in one comparison: |d| < 2^33, the others below 2^34. */
static bool cdi_within_int(int64_t d, uint64_t below, uint64_t above) {
    return (uint64_t)d + below <= below + above;
}

CD_API bool cd_test_aabb_aabb_mw_int(const cd_aabb_mw_int *a, const cd_aabb_mw_int *b) {
    for (int i = 0; i < 3; ++i) {
        if (!cdi_within_int((int64_t)a->min[i] - b->min[i], a->width[i], b->width[i])) return false;
    }
    return true;
}

CD_API bool cd_test_aabb_aabb_cr_int(const cd_aabb_cr_int *a, const cd_aabb_cr_int *b) {
    for (int i = 0; i < 3; ++i) {
        uint64_t r = (uint64_t)a->half[i] + b->half[i];
        if (!cdi_within_int((int64_t)a->center[i] - b->center[i], r, r)) return false;
    }
    return true;
}

static bool cdi_codes_meet(int alo, int ahi, int blo, int bhi) {
    return alo <= bhi && blo <= ahi && alo <= ahi && blo <= bhi;
}

CD_API bool cd_test_aabb_aabb_q16(const cd_aabb_q16 *a, const cd_aabb_q16 *b) {
    for (int i = 0; i < 3; ++i) {
        if (!cdi_codes_meet(a->min[i], a->max[i], b->min[i], b->max[i])) return false;
    }
    return true;
}

CD_API bool cd_test_aabb_aabb_q8(const cd_aabb_q8 *a, const cd_aabb_q8 *b) {
    for (int i = 0; i < 3; ++i) {
        if (!cdi_codes_meet(a->min[i], a->max[i], b->min[i], b->max[i])) return false;
    }
    return true;
}

/* ---- planes: the corners farthest behind and in front decide ---- */

static int cdi_corner_side(cd_aabb b, cd_plane plane, cd_vec3 toward) {
    return cdi_plane_side(cdi_v3_of(plane.n), (double)plane.d,
                          cdi_v3_make((double)(toward.x > 0 ? b.max.x : b.min.x),
                                      (double)(toward.y > 0 ? b.max.y : b.min.y),
                                      (double)(toward.z > 0 ? b.max.z : b.min.z)));
}

CD_API bool cd_test_aabb_halfspace(cd_aabb b, cd_plane plane) {
    return cd_aabb_is_valid(b) && cd_plane_is_valid(&plane) &&
           cdi_corner_side(b, plane, cd_vec3_neg(plane.n)) <= 0;
}

CD_API bool cd_test_aabb_plane(cd_aabb b, cd_plane plane) {
    return cd_test_aabb_halfspace(b, plane) && cdi_corner_side(b, plane, plane.n) >= 0;
}

CD_API size_t cd_mesh_overlap_aabb(const cd_mesh_view *mesh, cd_aabb b, uint32_t *out, size_t capacity) {
    cdi_v3 lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max);
    size_t count = 0;
    if (!cd_mesh_view_is_valid(mesh) || !cd_aabb_is_valid(b)) return 0;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        cd_triangle t;
        cdi_tri d;
        if (!cd_mesh_triangle(mesh, i, &t)) continue;
        d = cdi_tri_of(&t);
        if (!cdi_tri_finite(&d) || !cdi_test_tri_box(&d, lo, hi)) continue;
        if (count < capacity) out[count] = i;
        ++count;
    }
    return count;
}
