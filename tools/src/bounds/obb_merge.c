#include "bounds/obb_merge.h"
#include "core/eigen.h"
#include "core/mat3d.h"
#include "shape/obb_hold.h"

/* What is smaller: the volume, then the surface, then the sum of the edges. */
static int cdi_compare_sizes(cdi_v3 p, cdi_v3 q) {
    double d = p.x * p.y * p.z - q.x * q.y * q.z;
    if (d == 0.0) d = (p.x * p.y + p.y * p.z + p.z * p.x) - (q.x * q.y + q.y * q.z + q.z * q.x);
    if (d == 0.0) d = (p.x + p.y + p.z) - (q.x + q.y + q.z);
    return cdi_sign(d);
}

/* The extent of a body along a direction. */
static void cdi_obb_shadow(const cdi_obb *b, cdi_v3 w, double *lo, double *hi) {
    double at = cdi_v3_dot(b->center, w), r = 0.0;
    for (int i = 0; i < 3; ++i) r += cdi_abs(cdi_v3_dot(b->axes.c[i], w)) * b->half[i];
    *lo = cdi_min(*lo, at - r);
    *hi = cdi_max(*hi, at + r);
}

/* Two boxes, seen from the middle of their centres, and the best box around them so far. */
typedef struct cdi_obb_union {
    cdi_v3 middle;
    cdi_obb a, b;
    cdi_hold best;
    bool any;
} cdi_obb_union;

/* A box with these axes, as they will be stored, its centre where it is best, and stored. */
static void cdi_try_axes(cdi_obb_union *u, const cdi_m3 *wanted) {
    cd_mat3 stored = cdi_m3_round(wanted);
    cdi_m3 axes = cdi_m3_of(&stored);
    cdi_v3 center = u->middle;
    cdi_hold h;
    for (int i = 0; i < 3; ++i) {
        double lo = CDI_HUGE, hi = -CDI_HUGE;
        cdi_obb_shadow(&u->a, axes.c[i], &lo, &hi);
        cdi_obb_shadow(&u->b, axes.c[i], &lo, &hi);
        center = cdi_v3_along(center, axes.c[i], 0.5 * lo + 0.5 * hi);
    }
    center = cdi_v3_of(cdi_v3_round(center));
    h = cdi_hold_begin(cdi_v3_sub(center, u->middle), &axes);
    cdi_hold_body(&h, &u->a, 0.0);
    cdi_hold_body(&h, &u->b, 0.0);
    h.center = center;
    if (h.loss > 1.0) return; /* no axes for a box */
    if (!u->any || cdi_compare_sizes(h.half, u->best.half) < 0) u->best = h;
    u->any = true;
}

/* Orthonormal axes: the first along u, the second near v. */
static cdi_m3 cdi_frame_along(cdi_v3 u, cdi_v3 v) {
    cdi_m3 m;
    m.c[0] = cdi_v3_normalize(u);
    m.c[1] = cdi_v3_normalize(cdi_v3_along(v, m.c[0], -cdi_v3_dot(v, m.c[0])));
    m.c[1] = cdi_v3_normalize(cdi_v3_along(m.c[1], m.c[0], -cdi_v3_dot(m.c[1], m.c[0])));
    m.c[2] = cdi_v3_cross(m.c[0], m.c[1]);
    return m;
}

/* Halfway between the two orientations: of b's axes, either way round, those that are nearest to the first two of a. */
static void cdi_try_average(cdi_obb_union *u) {
    cdi_v3 sum[2];
    int taken = -1;
    for (int i = 0; i < 2; ++i) {
        int best = -1;
        double cosine = -1.0;
        for (int j = 0; j < 3; ++j) {
            double c = cdi_v3_dot(u->a.axes.c[i], u->b.axes.c[j]);
            if (j == taken || !(cdi_abs(c) > cosine)) continue;
            best = j;
            cosine = cdi_abs(c);
        }
        if (best < 0) return;
        taken = best;
        sum[i] = cdi_v3_dot(u->a.axes.c[i], u->b.axes.c[best]) < 0.0
                     ? cdi_v3_sub(u->a.axes.c[i], u->b.axes.c[best])
                     : cdi_v3_add(u->a.axes.c[i], u->b.axes.c[best]);
    }
    {
        cdi_m3 m = cdi_frame_along(sum[0], sum[1]);
        if (!cdi_v3_is_zero(m.c[2])) cdi_try_axes(u, &m);
    }
}

/* Adds weight v v^T. */
static void cdi_add_outer(double m[3][3], cdi_v3 v) {
    double x[3];
    cdi_v3_store(x, v);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) m[i][j] += x[i] * x[j];
    }
}

/* The covariance of the sixteen corners is the sum of the squares of both boxes' half edges, and of half the distance; all brought
 * to about 1, which changes no axis. */
static void cdi_try_principal(cdi_obb_union *u, double size) {
    double m[3][3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}}, s = cdi_exp2i(-cdi_exponent(size));
    cd_mat3 c;
    cd_eigen e;
    cdi_m3 axes;
    for (int i = 0; i < 3; ++i) {
        cdi_add_outer(m, cdi_v3_scale(u->a.axes.c[i], 0.7 * s * u->a.half[i]));
        cdi_add_outer(m, cdi_v3_scale(u->b.axes.c[i], 0.7 * s * u->b.half[i]));
    }
    cdi_add_outer(m, cdi_v3_scale(cdi_v3_sub(u->b.center, u->a.center), 0.5 * s));
    for (int i = 0; i < 3; ++i) c.col[i] = cd_vec3_make((cd_real)m[i][0], (cd_real)m[i][1], (cd_real)m[i][2]);
    if (!cd_eigen_jacobi(&c, &e)) return;
    axes = cdi_m3_of(&e.vector);
    cdi_try_axes(u, &axes);
}

/* Along the line of the centres, then along the longest edge across it. */
static void cdi_try_line(cdi_obb_union *u) {
    cdi_v3 d = cdi_v3_normalize(cdi_v3_sub(u->b.center, u->a.center)), best = cdi_v3_make(0.0, 0.0, 0.0);
    double longest = -1.0;
    cdi_m3 m;
    for (int i = 0; i < 6; ++i) {
        const cdi_obb *b = i < 3 ? &u->a : &u->b;
        cdi_v3 axis = b->axes.c[i % 3], across = cdi_v3_cross(d, axis);
        double length = cdi_v3_length(across) * b->half[i % 3];
        if (!(length > longest) || !(cdi_v3_max_abs(across) > 0.01)) continue;
        longest = length;
        best = axis;
    }
    if (longest < 0.0) return;
    m = cdi_frame_along(d, best);
    cdi_try_axes(u, &m);
}

static bool cdi_obb_usable(const cdi_obb *b) {
    return cdi_obb_finite(b) && b->half[0] >= 0.0 && b->half[1] >= 0.0 && b->half[2] >= 0.0;
}

static bool cdi_same_box(const cdi_obb *a, const cdi_obb *b) {
    bool same = true;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 d = cdi_v3_sub(a->axes.c[i], b->axes.c[i]);
        same = same && cdi_v3_is_zero(d) && a->half[i] == b->half[i];
    }
    return same && cdi_v3_is_zero(cdi_v3_sub(a->center, b->center));
}

/* Does a hold b, with all that may be rounding? */
static bool cdi_box_holds_box(const cdi_obb *a, const cdi_obb *b) {
    cdi_hold h = cdi_hold_begin(a->center, &a->axes);
    cdi_hold_body(&h, b, 0.0);
    return h.loss == 1.0 && h.half.x <= a->half[0] && h.half.y <= a->half[1] && h.half.z <= a->half[2];
}

static void cdi_scale_box(cdi_obb *b, int shift) {
    b->center = cdi_v3_make(cdi_scale2(b->center.x, shift), cdi_scale2(b->center.y, shift),
                            cdi_scale2(b->center.z, shift));
    for (int i = 0; i < 3; ++i) b->half[i] = cdi_scale2(b->half[i], shift);
}

/* Where volumes would leave the range, both are brought near 1 by a power of two, -shift; 0 elsewhere. */
static int cdi_tame_boxes(cdi_obb *a, cdi_obb *b) {
    double m = cdi_v3_max_abs(cdi_v3_sub(b->center, a->center));
    int shift;
    for (int i = 0; i < 3; ++i) m = cdi_max(m, cdi_max(a->half[i], b->half[i]));
    shift = cdi_exponent(m);
    if (shift < 300) return 0;
    cdi_scale_box(a, -shift);
    cdi_scale_box(b, -shift);
    return shift;
}

static cd_obb cdi_union_round(const cdi_obb_union *u, int shift) {
    cdi_hold h = u->best;
    cd_obb r;
    if (shift) {
        h.center = cdi_v3_make(cdi_scale2(h.center.x, shift), cdi_scale2(h.center.y, shift),
                               cdi_scale2(h.center.z, shift));
        h.half = cdi_v3_make(cdi_scale2(h.half.x, shift), cdi_scale2(h.half.y, shift),
                             cdi_scale2(h.half.z, shift));
    }
    r.center = cdi_v3_round(h.center);
    r.axes = cdi_m3_round(&h.axes);
    r.half = cdi_hold_half(&h);
    return r;
}

CD_API cd_obb cd_merge_obb_obb(const cd_obb *a, const cd_obb *b) {
    cdi_obb_union u;
    double size;
    int shift;
    u.a = cdi_obb_of(a);
    u.b = cdi_obb_of(b);
    u.any = false;
    if (!cdi_obb_usable(&u.a) || !cdi_obb_usable(&u.b)) {
        cd_obb nothing;
        cdi_clear(&nothing, sizeof nothing);
        return nothing;
    }
    if (cdi_same_box(&u.a, &u.b) || cdi_box_holds_box(&u.a, &u.b)) return *a;
    if (cdi_box_holds_box(&u.b, &u.a)) return *b;
    shift = cdi_tame_boxes(&u.a, &u.b);
    u.middle = u.a.center;
    u.b.center = cdi_v3_sub(u.b.center, u.middle);
    u.a.center = cdi_v3_make(0.0, 0.0, 0.0);
    size = cdi_v3_max_abs(u.b.center);
    for (int i = 0; i < 3; ++i) size += u.a.half[i] + u.b.half[i];
    cdi_try_axes(&u, &u.a.axes);
    cdi_try_axes(&u, &u.b.axes);
    cdi_try_average(&u);
    cdi_try_principal(&u, size);
    cdi_try_line(&u);
    if (!u.any) { /* neither has axes, and they are in one place */
        cdi_m3 still = cdi_frame_along(cdi_v3_make(1.0, 0.0, 0.0), cdi_v3_make(0.0, 1.0, 0.0));
        cdi_try_axes(&u, &still);
    }
    return cdi_union_round(&u, shift);
}
