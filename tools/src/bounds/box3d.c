#include "bounds/box3d.h"
#include "core/eigen.h"
#include "hull/hull_block.h"

/* ---- points ---- */

CDI_FN cdi_v3 cdi_fit_point(const cdi_fit *f, size_t i) {
    uint32_t corner[3];
    if (f->points) return cdi_v3_of(f->points[i]);
    if (f->flat) return cdi_v3_make((double)f->flat[i].x, (double)f->flat[i].y, 0.0);
    cd_mesh_indices(f->mesh, (uint32_t)(i / 3), corner);
    return cdi_v3_of(cd_mesh_position(f->mesh, corner[i % 3]));
}

/* Bounds, middle and scale of points that are there. */
static cd_status cdi_fit_measure(cdi_fit *f) {
    cdi_v3 lo, hi;
    double most;
    f->bounds = cd_aabb_empty();
    for (size_t i = 0; i < f->count; ++i) {
        cdi_v3 p = cdi_fit_point(f, i);
        if (!cdi_v3_finite(p)) return CD_INVALID_ARGUMENT;
        f->bounds = cd_aabb_add_point(f->bounds, cdi_v3_round(p));
    }
    lo = cdi_v3_scale(cdi_v3_of(f->bounds.min), 0.5);
    hi = cdi_v3_scale(cdi_v3_of(f->bounds.max), 0.5);
    f->origin = cdi_v3_add(lo, hi);
    most = cdi_v3_max_abs(cdi_v3_sub(hi, lo));
    f->scale = most > 0.0 ? cdi_exp2i(-1 - cdi_exponent(most)) : 1.0;
    return CD_OK;
}

CDI_FN cd_status cdi_fit_points(cdi_fit *f, const cd_vec3 *points, size_t count) {
    cdi_clear(f, sizeof *f);
    f->points = points;
    f->count = count;
    return points && count > 0 ? cdi_fit_measure(f) : CD_INVALID_ARGUMENT;
}

CDI_FN cd_status cdi_fit_flat(cdi_fit *f, const cd_vec2 *points, size_t count) {
    cdi_clear(f, sizeof *f);
    f->flat = points;
    f->count = count;
    return points && count > 0 ? cdi_fit_measure(f) : CD_INVALID_ARGUMENT;
}

CDI_FN cd_status cdi_fit_mesh(cdi_fit *f, const cd_mesh_view *mesh) {
    cd_triangle t;
    cdi_clear(f, sizeof *f);
    if (!cd_mesh_view_is_valid(mesh) || mesh->triangle_count == 0) return CD_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        if (!cd_mesh_triangle(mesh, i, &t)) return CD_INVALID_ARGUMENT;
    }
    f->mesh = mesh;
    f->count = (size_t)3 * mesh->triangle_count; /* whose indices are in memory */
    return cdi_fit_measure(f);
}

/* ---- frames ---- */

CDI_FN cdi_m3 cdi_fit_identity(void) {
    cdi_m3 m;
    for (int i = 0; i < 3; ++i) m.c[i] = cdi_v3_make(i == 0, i == 1, i == 2);
    return m;
}

CDI_FN cdi_m3 cdi_fit_frame(cdi_v3 x, cdi_v3 y) {
    cdi_m3 m;
    m.c[0] = cdi_v3_normalize(x);
    if (cdi_v3_is_zero(m.c[0])) m.c[0] = cdi_v3_make(1.0, 0.0, 0.0);
    y = cdi_v3_normalize(y);
    y = cdi_v3_along(y, m.c[0], -cdi_v3_dot(m.c[0], y));
    y = cdi_v3_max_abs(y) > 1e-12 ? cdi_v3_normalize(y) : cdi_across(m.c[0]);
    y = cdi_v3_along(y, m.c[0], -cdi_v3_dot(m.c[0], y)); /* what cancelled before */
    m.c[1] = cdi_v3_normalize(y);
    m.c[2] = cdi_v3_cross(m.c[0], m.c[1]);
    return m;
}

/* Twice: the matrix is rounded for the eigenvectors, which costs the small values their digits; in the frame found first it
 * is nearly diagonal, and has all of them. */
CDI_FN cdi_m3 cdi_principal_frame(const cdi_m3 *covariance) {
    cdi_m3 frame = cdi_fit_identity();
    for (int i = 0; i < 2; ++i) {
        cdi_m3 turned = cdi_m3_mul(covariance, &frame), back = cdi_m3_transpose(&frame);
        cd_mat3 m;
        cd_eigen e;
        turned = cdi_m3_mul(&back, &turned);
        m = cdi_m3_round(&turned);
        if (!cd_eigen_jacobi(&m, &e)) break;
        turned = cdi_m3_of(&e.vector);
        frame = cdi_m3_mul(&frame, &turned);
        frame = cdi_fit_frame(frame.c[0], frame.c[1]);
    }
    return frame;
}

/* ---- extents ---- */

CDI_FN cdi_extents cdi_extents_none(void) {
    cdi_extents e;
    for (int k = 0; k < 3; ++k) {
        e.lo[k] = cdi_infinity();
        e.hi[k] = -cdi_infinity();
    }
    return e;
}

CDI_FN cdi_extents cdi_fit_extents(const cdi_fit *f, const cdi_m3 *axes) {
    cdi_extents e = cdi_extents_none();
    for (size_t i = 0; i < f->count; ++i) cdi_extents_add(&e, axes, cdi_fit_local(f, i));
    return e;
}

CDI_FN bool cdi_is_smaller(const double a[3], const double b[3]) {
    cdi_v3 p = cdi_v3_make(a[0], a[1], a[2]), q = cdi_v3_make(b[0], b[1], b[2]);
    double most = cdi_max(cdi_v3_max_abs(p), cdi_v3_max_abs(q)), x, y;
    if (!(most > 0.0)) return false;
    p = cdi_v3_make(p.x / most, p.y / most, p.z / most);
    q = cdi_v3_make(q.x / most, q.y / most, q.z / most);
    x = p.x * p.y * p.z;
    y = q.x * q.y * q.z;
    if (x == y) {
        x = p.x * p.y + p.y * p.z + p.z * p.x;
        y = q.x * q.y + q.y * q.z + q.z * q.x;
    }
    return x != y ? x < y : p.x + p.y + p.z < q.x + q.y + q.z;
}

/* ---- the box ----
 * A point p is in the box when the solution s of center + sum of axis[i] s[i] = p is within the half extents, and also when
 * the products of p - center with the axes are: that differs by how far the rounded axes are from orthonormal. Both are
 * measured, with these bounds of their rounding errors, u = 2^-53: a component of p - center is off by u of it. With the
 * magnitudes P of the two products of a component of the cross product of two axes, that component is off by 2 u P, the
 * determinant by 6 u of it, so the solution by less than 14 u times the sum of P times the components; the products with an
 * axis by 4 u times the sum of the magnitudes. 16 u takes the last roundings in. A difference that may have lost digits to
 * underflow counts as 2^-800 of the size of all; zeros are exact, so that flat boxes are flat. */

#define CDI_BOX_ERROR 1.7763568394002505e-15 /* 16 u */
#define CDI_BOX_LEAST 1.499696813895631e-241 /* 2^-800 */
#define CDI_BOX_SNAP  8.881784197001252e-16  /* 2^-50 */

/* The two forms of a box's axes, and the error bounds of the components of both. */
typedef struct cdi_box_axes {
    cdi_m3 axis, inverse, error;
} cdi_box_axes;

/* The magnitudes of the two products in each component of a x b, or that of c where it is larger, times 16 u. */
static cdi_v3 cdi_box_error(cdi_v3 a, cdi_v3 b, cdi_v3 c) {
    double p = cdi_max(cdi_abs(a.y * b.z) + cdi_abs(a.z * b.y), cdi_abs(c.x));
    double q = cdi_max(cdi_abs(a.z * b.x) + cdi_abs(a.x * b.z), cdi_abs(c.y));
    double r = cdi_max(cdi_abs(a.x * b.y) + cdi_abs(a.y * b.x), cdi_abs(c.z));
    return cdi_v3_scale(cdi_v3_make(p, q, r), CDI_BOX_ERROR);
}

static cdi_box_axes cdi_box_axes_of(const cd_mat3 *stored) {
    cdi_box_axes b;
    b.axis = cdi_m3_of(stored);
    for (int i = 0; i < 3; ++i) {
        cdi_v3 p = b.axis.c[(i + 1) % 3], q = b.axis.c[(i + 2) % 3], n = cdi_v3_cross(p, q);
        double det = cdi_v3_dot(b.axis.c[i], n);
        b.inverse.c[i] = cdi_v3_make(n.x / det, n.y / det, n.z / det);
        b.error.c[i] = cdi_box_error(p, q, b.axis.c[i]);
    }
    return b;
}

static double cdi_box_term(double p, double center, double scale) {
    return p == center ? 0.0 : cdi_max(cdi_abs(p - center) * scale, CDI_BOX_LEAST);
}

/* Makes room for a point, exactly. */
static void cdi_box_add(const cdi_box_axes *b, const cdi_fit *f, cdi_v3 center, cdi_v3 p, double half[3]) {
    cdi_v3 d = cdi_v3_scale(cdi_v3_sub(p, center), f->scale);
    cdi_v3 size = cdi_v3_make(cdi_box_term(p.x, center.x, f->scale), cdi_box_term(p.y, center.y, f->scale),
                              cdi_box_term(p.z, center.z, f->scale));
    for (int i = 0; i < 3; ++i) {
        double along = cdi_max(cdi_abs(cdi_v3_dot(b->axis.c[i], d)), cdi_abs(cdi_v3_dot(b->inverse.c[i], d)));
        along += cdi_v3_dot(b->error.c[i], size);
        if (along > half[i] || along != along) half[i] = along; /* NaN, beyond the range, stays */
    }
}

/* Components next to 0 are 0: the box of points in a plane across an axis of the world is flat. */
static double cdi_box_snap(double x) {
    return cdi_abs(x) < CDI_BOX_SNAP ? 0.0 : x;
}

static cd_mat3 cdi_box_round_axes(const cdi_m3 *axes) {
    cdi_m3 m;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 a = axes->c[i];
        m.c[i] = cdi_v3_make(cdi_box_snap(a.x), cdi_box_snap(a.y), cdi_box_snap(a.z));
    }
    return cdi_m3_round(&m);
}

/* The middle of the extents along the axes, as it will be stored. */
static cd_vec3 cdi_box_center(const cdi_fit *f, const cdi_m3 *axes) {
    cdi_extents e = cdi_fit_extents(f, axes);
    cdi_v3 c = cdi_v3_make(0.5 * (e.lo[0] + e.hi[0]), 0.5 * (e.lo[1] + e.hi[1]), 0.5 * (e.lo[2] + e.hi[2]));
    double back = 1.0 / f->scale;
    c = cdi_m3_mul_v3(axes, c);
    return cd_vec3_make(cdi_real_of(f->origin.x + c.x * back), cdi_real_of(f->origin.y + c.y * back),
                        cdi_real_of(f->origin.z + c.z * back));
}

/* local / scale, rounded up; false when that is beyond the range. */
static bool cdi_box_round_up(double local, double scale, cd_real *out) {
    double x = local / scale;
    if (x * scale < local) x = cdi_next_double(x, true);
    if (!(x <= (double)CD_REAL_MAX)) return false;
    *out = cdi_hull_round_up(x);
    return true;
}

static bool cdi_box_around(const cdi_fit *f, const cdi_m3 *axes, cd_obb *out) {
    cdi_box_axes b;
    cdi_v3 center;
    double half[3] = {0.0, 0.0, 0.0};
    out->axes = cdi_box_round_axes(axes);
    b = cdi_box_axes_of(&out->axes);
    out->center = cdi_box_center(f, &b.axis);
    center = cdi_v3_of(out->center);
    for (size_t i = 0; i < f->count; ++i) cdi_box_add(&b, f, center, cdi_fit_point(f, i), half);
    return cdi_box_round_up(half[0], f->scale, &out->half.x) &&
           cdi_box_round_up(half[1], f->scale, &out->half.y) &&
           cdi_box_round_up(half[2], f->scale, &out->half.z);
}

CDI_FN void cdi_fit_finish(const cdi_fit *f, const cdi_m3 *axes, cd_obb *out) {
    cd_obb other = cd_obb_from_aabb(f->bounds);
    double a[3], b[3];
    bool good = cdi_box_around(f, axes, out);
    cdi_v3_store(a, cdi_v3_of(other.half));
    cdi_v3_store(b, cdi_v3_of(out->half));
    if (!good || cdi_is_smaller(a, b)) *out = other;
}

#undef CDI_BOX_ERROR
#undef CDI_BOX_LEAST
#undef CDI_BOX_SNAP
