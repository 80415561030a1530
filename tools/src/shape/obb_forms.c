#include "shape/obb_forms.h"
#include "core/pose.h"
#include "shape/aabb.h"
#include "shape/obb_hold.h"

static bool cdi_is_box(const cdi_obb *b) {
    return cdi_obb_finite(b) && b->half[0] >= 0.0 && b->half[1] >= 0.0 && b->half[2] >= 0.0;
}

/* The box of the same size along the axes of the frame; empty for bad input. */
static cd_aabb cdi_unturned(const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    cd_aabb r = cd_aabb_empty();
    if (!cdi_is_box(&d)) return r;
    r.min = cd_vec3_neg(b->half);
    r.max = b->half;
    return r;
}

CD_API cd_real cd_obb_volume(const cd_obb *b) {
    return cd_aabb_volume(cdi_unturned(b));
}

CD_API cd_real cd_obb_surface_area(const cd_obb *b) {
    return cd_aabb_surface_area(cdi_unturned(b));
}

CD_API cd_vec3 cd_obb_support(const cd_obb *b, cd_vec3 dir) {
    cdi_obb d = cdi_obb_of(b);
    cdi_v3 u = cdi_v3_of(dir), along;
    if (cdi_v3_max_abs(u) < 1e-200) u = cdi_v3_scale2(u, 600); /* no product may vanish */
    along = cdi_m3_tmul_v3(&d.axes, u);
    return cdi_v3_round(cdi_obb_world(&d, cdi_v3_make(along.x < 0.0 ? -d.half[0] : d.half[0],
                                                      along.y < 0.0 ? -d.half[1] : d.half[1],
                                                      along.z < 0.0 ? -d.half[2] : d.half[2])));
}

/* ---- the frame of a new box ---- */

/* Orthonormal and right-handed, following the longest of three edges, then the next; axis i near edge i or its opposite. Whatever
 * is missing is chosen. */
static cdi_m3 cdi_frame_of_edges(const cdi_v3 edge[3]) {
    double length[3];
    int p = 0, q, r;
    cdi_v3 u, v;
    cdi_m3 m;
    for (int i = 0; i < 3; ++i) length[i] = cdi_v3_length(edge[i]);
    for (int i = 1; i < 3; ++i) p = length[i] > length[p] ? i : p;
    q = length[(p + 1) % 3] >= length[(p + 2) % 3] ? (p + 1) % 3 : (p + 2) % 3;
    r = 3 - p - q;
    u = cdi_v3_normalize(edge[p]);
    if (cdi_v3_is_zero(u)) u = cdi_v3_make(p == 0 ? 1.0 : 0.0, p == 1 ? 1.0 : 0.0, p == 2 ? 1.0 : 0.0);
    v = cdi_v3_normalize(edge[q]);
    v = cdi_v3_along(v, u, -cdi_v3_dot(u, v));
    v = cdi_v3_max_abs(v) > 0.01 ? cdi_v3_normalize(v) : cdi_across(u);
    v = cdi_v3_normalize(cdi_v3_along(v, u, -cdi_v3_dot(u, v)));
    m.c[p] = u;
    m.c[q] = v;
    m.c[r] = q == (p + 1) % 3 ? cdi_v3_cross(u, v) : cdi_v3_cross(v, u);
    return m;
}

/* Center and axes as they will be stored. */
static cdi_hold cdi_box_begin(cd_obb *out, cdi_v3 center, const cdi_m3 *axes) {
    cdi_m3 stored;
    out->center = cdi_v3_round(center);
    out->axes = cdi_m3_round(axes);
    stored = cdi_m3_of(&out->axes);
    return cdi_hold_begin(cdi_v3_of(out->center), &stored);
}

static bool cdi_box_end(cd_obb *out, const cdi_hold *h) {
    cdi_obb check;
    out->half = cdi_hold_half(h);
    check = cdi_obb_of(out);
    if (cdi_is_box(&check)) return true;
    cdi_clear(out, sizeof *out);
    return false;
}

/* The box with these axes around points that are right to `slack`. */
static bool cdi_box_of_points(cd_obb *out, const cdi_m3 *axes, const cdi_v3 *p, int count, double slack) {
    cdi_v3 lo, hi, middle;
    cdi_hold h;
    lo = hi = cdi_m3_tmul_v3(axes, p[0]);
    for (int i = 1; i < count; ++i) {
        cdi_v3 q = cdi_m3_tmul_v3(axes, p[i]);
        lo = cdi_v3_make(cdi_min(lo.x, q.x), cdi_min(lo.y, q.y), cdi_min(lo.z, q.z));
        hi = cdi_v3_make(cdi_max(hi.x, q.x), cdi_max(hi.y, q.y), cdi_max(hi.z, q.z));
    }
    middle = cdi_v3_along(cdi_v3_scale(lo, 0.5), hi, 0.5);
    h = cdi_box_begin(out, cdi_m3_mul_v3(axes, middle), axes);
    for (int i = 0; i < count; ++i) cdi_hold_point(&h, p[i], slack);
    return cdi_box_end(out, &h);
}

/* The box with these axes around a body. */
static bool cdi_box_of_body(cd_obb *out, const cdi_m3 *axes, const cdi_obb *body) {
    cdi_hold h;
    if (!cdi_is_box(body)) {
        cdi_clear(out, sizeof *out);
        return false;
    }
    h = cdi_box_begin(out, body->center, axes);
    cdi_hold_body(&h, body, 0.0);
    return cdi_box_end(out, &h);
}

/* ---- corners and edges ---- */

CD_API bool cd_obb_from_vertices(const cd_vec3 v[8], cd_obb *out) {
    cdi_v3 p[8], edge[3];
    cdi_m3 axes;
    for (int i = 0; i < 8; ++i) {
        if (!cd_vec3_is_valid(v[i])) {
            cdi_clear(out, sizeof *out);
            return false;
        }
        p[i] = cdi_v3_of(v[i]);
    }
    for (int k = 0; k < 3; ++k) {
        edge[k] = cdi_v3_make(0.0, 0.0, 0.0);
        for (int i = 0; i < 8; ++i) {
            if (i & (1 << k)) edge[k] = cdi_v3_along(edge[k], cdi_v3_sub(p[i], p[i ^ (1 << k)]), 0.25);
        }
    }
    axes = cdi_frame_of_edges(edge);
    return cdi_box_of_points(out, &axes, p, 8, 0.0);
}

CD_API void cd_obb_to_corner(const cd_obb *b, cd_obb_corner *out) {
    cdi_obb d = cdi_obb_of(b);
    cdi_clear(out, sizeof *out);
    if (!cdi_is_box(&d)) return;
    out->corner = cdi_v3_round(cdi_obb_world(&d, cdi_v3_make(-d.half[0], -d.half[1], -d.half[2])));
    for (int i = 0; i < 3; ++i) out->edge[i] = cdi_v3_round(cdi_v3_scale(d.axes.c[i], 2.0 * d.half[i]));
}

CD_API bool cd_obb_from_corner(const cd_obb_corner *c, cd_obb *out) {
    cdi_v3 p[8], edge[3];
    double slack = cdi_v3_max_abs(cdi_v3_of(c->corner));
    cdi_m3 axes;
    for (int i = 0; i < 3; ++i) {
        edge[i] = cdi_v3_of(c->edge[i]);
        slack += cdi_v3_max_abs(edge[i]);
    }
    for (int i = 0; i < 8; ++i) {
        p[i] = cdi_v3_of(c->corner);
        for (int k = 0; k < 3; ++k) p[i] = (i & (1 << k)) ? cdi_v3_add(p[i], edge[k]) : p[i];
        if (!cdi_v3_finite(p[i])) {
            cdi_clear(out, sizeof *out);
            return false;
        }
    }
    axes = cdi_frame_of_edges(edge);
    return cdi_box_of_points(out, &axes, p, 8, 6e-16 * slack);
}

/* ---- planes and slabs ---- */

/* The greatest n . x over the box, rounded up. */
static cd_real cdi_top_along(const cdi_obb *d, cdi_v3 n) {
    double at = cdi_v3_dot(n, d->center), reach = 0.0, size = 0.0, tiny = 0.0;
    for (int i = 0; i < 3; ++i) {
        reach += cdi_abs(cdi_v3_dot(n, d->axes.c[i])) * d->half[i];
        size += cdi_abs(cdi_v3_get(n, i) * cdi_v3_get(d->center, i)) + 2.0 * d->half[i];
        if (d->half[i] > 0.0 || (cdi_v3_get(n, i) != 0.0 && cdi_v3_get(d->center, i) != 0.0)) tiny = 5e-323;
    }
    return cdi_real_up(at + reach + (1.2e-15 * size + tiny));
}

CD_API void cd_obb_to_planes(const cd_obb *b, cd_plane out[6]) {
    cdi_obb d = cdi_obb_of(b);
    cdi_clear(out, 6 * sizeof *out);
    if (!cdi_is_box(&d)) return;
    for (int i = 0; i < 6; ++i) {
        out[i].n = i & 1 ? cdi_v3_round(cdi_v3_neg(d.axes.c[i / 2])) : b->axes.col[i / 2];
        out[i].d = cdi_top_along(&d, cdi_v3_of(out[i].n));
    }
}

/* A plane with its normal made about unit, in double. */
typedef struct cdi_halfspace {
    cdi_v3 n;
    double d;
} cdi_halfspace;

static cdi_halfspace cdi_halfspace_of(cd_plane p) {
    cdi_halfspace h;
    double length = cdi_v3_length(cdi_v3_of(p.n));
    h.n = cdi_v3_of(p.n);
    h.n = cdi_v3_make(h.n.x / length, h.n.y / length, h.n.z / length);
    h.d = (double)p.d / length;
    return h;
}

/* The common point of three planes; the determinant is above a half. Two lines of rounding: below 30 units of the sum of the |d|. */
static cdi_v3 cdi_common_point(const cdi_halfspace *a, const cdi_halfspace *b, const cdi_halfspace *c) {
    cdi_v3 bc = cdi_v3_cross(b->n, c->n), ca = cdi_v3_cross(c->n, a->n), ab = cdi_v3_cross(a->n, b->n);
    double det = cdi_v3_dot(a->n, bc);
    cdi_v3 p = cdi_v3_along(cdi_v3_along(cdi_v3_scale(bc, a->d), ca, b->d), ab, c->d);
    return cdi_v3_make(p.x / det, p.y / det, p.z / det);
}

/* Do the six look like a box? */
static bool cdi_planes_make_box(const cdi_halfspace h[6]) {
    for (int i = 0; i < 3; ++i) {
        const cdi_halfspace *p = &h[2 * i], *q = &h[2 * ((i + 1) % 3)];
        if (!(cdi_v3_dot(p->n, p[1].n) < -0.99) || !(cdi_abs(cdi_v3_dot(p->n, q->n)) < 0.14)) return false;
        if (!cdi_finite(p->d) || !cdi_finite(p[1].d)) return false;
    }
    return true;
}

/* Where opposite normals are opposite exactly, planes that cross are seen before anything is rounded. */
static bool cdi_planes_cross(const cd_plane planes[6]) {
    for (int i = 0; i < 6; i += 2) {
        cd_vec3 n = planes[i].n, m = planes[i + 1].n;
        if (n.x == -m.x && n.y == -m.y && n.z == -m.z && planes[i].d < -planes[i + 1].d) return true;
    }
    return false;
}

CD_API bool cd_obb_from_planes(const cd_plane planes[6], cd_obb *out) {
    cdi_halfspace h[6];
    cdi_v3 p[8], edge[3];
    double slack = 0.0;
    cdi_m3 axes;
    cdi_clear(out, sizeof *out);
    for (int i = 0; i < 6; ++i) {
        if (!cd_plane_is_valid(&planes[i])) return false;
        h[i] = cdi_halfspace_of(planes[i]);
        slack += 8e-15 * cdi_abs(h[i].d) + (planes[i].d != 0 ? 2e-323 : 0.0);
    }
    if (!cdi_planes_make_box(h) || cdi_planes_cross(planes)) return false;
    for (int i = 0; i < 8; ++i)
        p[i] = cdi_common_point(&h[i & 1 ? 0 : 1], &h[i & 2 ? 2 : 3], &h[i & 4 ? 4 : 5]);
    for (int i = 0; i < 3; ++i) {
        edge[i] = cdi_v3_sub(h[2 * i].n, h[2 * i + 1].n);
        for (int k = 0; k < 8; ++k) {
            if (!(cdi_v3_dot(cdi_v3_sub(p[k | (1 << i)], p[k & ~(1 << i)]), edge[i]) >= -8.0 * slack))
                return false;
        }
    }
    axes = cdi_frame_of_edges(edge);
    return cdi_box_of_points(out, &axes, p, 8, slack);
}

CD_API bool cd_obb_from_slabs(const cd_slab slabs[3], cd_obb *out) {
    cd_plane p[6];
    for (int i = 0; i < 3; ++i) {
        p[2 * i].n = slabs[i].n;
        p[2 * i].d = slabs[i].max;
        p[2 * i + 1].n = cd_vec3_neg(slabs[i].n);
        p[2 * i + 1].d = -slabs[i].min;
    }
    return cd_obb_from_planes(p, out);
}

/* ---- fewer numbers for the axes ---- */

CD_API void cd_obb_to_quat(const cd_obb *b, cd_obb_quat *out) {
    cdi_obb d = cdi_obb_of(b);
    cdi_hold h;
    cdi_m3 axes;
    cdi_clear(out, sizeof *out);
    if (!cdi_is_box(&d)) return;
    out->center = b->center;
    out->rotation = cd_quat_from_mat3(&b->axes);
    axes = cdi_m3_of_quat(out->rotation);
    h = cdi_hold_begin(d.center, &axes);
    cdi_hold_body(&h, &d, 0.0);
    out->half = cdi_hold_half(&h);
}

CD_API bool cd_obb_from_quat(const cd_obb_quat *q, cd_obb *out) {
    cdi_obb d;
    d.center = cdi_v3_of(q->center);
    d.axes = cdi_m3_of_quat(q->rotation);
    cdi_v3_store(d.half, cdi_v3_of(q->half));
    if (!cd_quat_is_valid(q->rotation)) d.half[0] = -1.0;
    return cdi_box_of_body(out, &d.axes, &d);
}

/* The body that twelve numbers stand for. */
static cdi_obb cdi_obb_of12(const cd_obb12 *b) {
    cdi_obb d;
    d.center = cdi_v3_of(b->center);
    d.axes.c[0] = cdi_v3_of(b->axis[0]);
    d.axes.c[1] = cdi_v3_of(b->axis[1]);
    d.axes.c[2] = cdi_v3_cross(d.axes.c[0], d.axes.c[1]);
    cdi_v3_store(d.half, cdi_v3_of(b->half));
    return d;
}

CD_API void cd_obb_to_obb12(const cd_obb *b, cd_obb12 *out) {
    cdi_obb d = cdi_obb_of(b), kept;
    cdi_hold h;
    cdi_clear(out, sizeof *out);
    if (!cdi_is_box(&d)) return;
    out->center = b->center;
    out->axis[0] = b->axes.col[0];
    out->axis[1] = b->axes.col[1];
    kept = cdi_obb_of12(out);
    h = cdi_hold_begin(d.center, &kept.axes);
    cdi_hold_body(&h, &d, 0.0);
    out->half = cdi_hold_half(&h);
}

CD_API bool cd_obb_from_obb12(const cd_obb12 *b, cd_obb *out) {
    cdi_obb d = cdi_obb_of12(b);
    return cdi_box_of_body(out, &d.axes, &d);
}
