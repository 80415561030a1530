#include "query/obb.h"
#include "core/orient.h"
#include "core/pose.h"
#include "query/closest3d.h"
#include "query/test.h"
#include "shape/volume3d.h"

/* What a gap has to be above, in units of size and distance: the rounding of the projections on one axis, with no entry of the
 * bodies' axes above 1. */
static const double cdi_sat_noise = 4e-15;

/* A box of doubles by name: no arrays, so that compilers keep it in registers. */
typedef struct cdi_body {
    cdi_v3 c, x, y, z, h; /* centre, axes, half extents */
} cdi_body;

CDI_INLINE cdi_body cdi_body_of(const cd_obb *b) {
    cdi_body r;
    r.c = cdi_v3_of(b->center);
    r.x = cdi_v3_of(b->axes.col[0]);
    r.y = cdi_v3_of(b->axes.col[1]);
    r.z = cdi_v3_of(b->axes.col[2]);
    r.h = cdi_v3_of(b->half);
    return r;
}

/* Finite, no half extent below 0. */
static bool cdi_body_is_sound(const cdi_body *b) {
    return cdi_v3_finite(b->c) && cdi_v3_finite(b->x) && cdi_v3_finite(b->y) && cdi_v3_finite(b->z) &&
           cdi_v3_finite(b->h) && b->h.x >= 0.0 && b->h.y >= 0.0 && b->h.z >= 0.0;
}

/* The size and distance of two boxes, and what else of coordinates may have been rounded; the same for the two swapped. */
static double cdi_sat_size(const cdi_body *a, const cdi_body *b, cdi_v3 d, double coordinates) {
    return ((a->h.x + a->h.y + a->h.z) + (b->h.x + b->h.y + b->h.z)) + (cdi_v3_max_abs(d) + coordinates);
}

/* ---- one axis, whatever the boxes' axes are ---- */

/* Half the box's extent along `axis`, in units of its length. */
static double cdi_body_radius(const cdi_body *b, cdi_v3 axis) {
    return cdi_abs(cdi_v3_dot(b->x, axis)) * b->h.x + cdi_abs(cdi_v3_dot(b->y, axis)) * b->h.y +
           cdi_abs(cdi_v3_dot(b->z, axis)) * b->h.z;
}

/* Does `axis`, of any length, separate boxes whose centres are `d` apart, beyond the rounding of its own projections? Since the
 * projections are taken on the very axis that was computed, a badly conditioned axis can only fail to separate. */
static bool cdi_separates(const cdi_body *a, const cdi_body *b, cdi_v3 d, cdi_v3 axis, double size) {
    double gap = cdi_abs(cdi_v3_dot(d, axis)) - (cdi_body_radius(a, axis) + cdi_body_radius(b, axis));
    return gap > cdi_sat_noise * size * cdi_v3_max_abs(axis);
}

/* ---- what can be told in cd_real, as if the axes were orthonormal ---- */

/* Vectors of cd_real, for this kernel only: no rounding to double and back. */
CD_INLINE cd_real cdi_r_abs(cd_real x) {
#if defined(__GNUC__) && !defined(COLLIDE_DOUBLE)
    return __builtin_fabsf(x);
#else
    return (cd_real)cdi_abs((double)x);
#endif
}
CD_INLINE cd_vec3 cdi_r3_abs(cd_vec3 v) {
    return cd_vec3_make(cdi_r_abs(v.x), cdi_r_abs(v.y), cdi_r_abs(v.z));
}
CD_INLINE cd_real cdi_r3_dot(cd_vec3 a, cd_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
/* p s + q t */
CD_INLINE cd_vec3 cdi_r3_mix(cd_vec3 p, cd_real s, cd_vec3 q, cd_real t) {
    return cd_vec3_make(p.x * s + q.x * t, p.y * s + q.y * t, p.z * s + q.z * t);
}
/* The largest number; any where one is NaN. */
CD_INLINE cd_real cdi_r_max(cd_real a, cd_real b) {
    return a > b ? a : b;
}
CD_INLINE cd_real cdi_r3_top(cd_vec3 v) {
    return cdi_r_max(v.x, cdi_r_max(v.y, v.z));
}
/* v along the axes. */
CD_INLINE cd_vec3 cdi_r3_along(const cd_mat3 *axes, cd_vec3 v) {
    return cd_vec3_make(cdi_r3_dot(axes->col[0], v), cdi_r3_dot(axes->col[1], v),
                        cdi_r3_dot(axes->col[2], v));
}

/* The gaps on the face axes of a and of b, and on a's edges across the three of b. Below -limit an axis does not separate. */
typedef struct cdi_gaps {
    cd_vec3 a, b, x, y, z;
    cd_real limit;
} cdi_gaps;

typedef enum cdi_verdict { CDI_SAT_APART, CDI_SAT_MEETING, CDI_SAT_UNSURE } cdi_verdict;

/* The gaps on a's edge across the three of b, where t and h are along the other two axes of a, p and q. */
CD_INLINE cd_vec3 cdi_edge_gaps(cd_vec3 hb, cd_vec3 edge, cd_vec3 p, cd_vec3 q, cd_vec3 ap, cd_vec3 aq,
                                cd_real tp, cd_real tq, cd_real hp, cd_real hq) {
    cd_vec3 t = cdi_r3_abs(cdi_r3_mix(p, tq, q, -tp)), ra = cdi_r3_mix(aq, hp, ap, hq);
    cd_vec3 rb = cd_vec3_make(hb.y * edge.z + hb.z * edge.y, hb.z * edge.x + hb.x * edge.z,
                              hb.x * edge.y + hb.y * edge.x);
    return cd_vec3_sub(t, cd_vec3_add(ra, rb));
}

/* How far axes are from orthonormal: the sum of |A^T A - I|, each entry once; NaN when one of them is not finite. */
CD_INLINE cd_real cdi_skew(const cd_mat3 *m) {
    cd_vec3 x = m->col[0], y = m->col[1], z = m->col[2];
    return cdi_r_abs(cdi_r3_dot(x, x) - 1) + cdi_r_abs(cdi_r3_dot(y, y) - 1) +
           cdi_r_abs(cdi_r3_dot(z, z) - 1) +
           (cdi_r_abs(cdi_r3_dot(x, y)) + cdi_r_abs(cdi_r3_dot(y, z)) + cdi_r_abs(cdi_r3_dot(z, x)));
}

/* Is every number finite, and no half extent below 0, where axes and size are known to be finite? */
CD_INLINE bool cdi_halves_sound(cd_vec3 a, cd_vec3 b) {
    return a.x >= 0 && a.y >= 0 && a.z >= 0 && b.x >= 0 && b.y >= 0 && b.z >= 0;
}

/* The verdict for boxes whose centres are d apart (their own are not read). `edges`: all fifteen axes, not the six of the faces
 * alone.
 *
 * With A = Q (1 + E) for a rotation Q, a normal a_1 x a_2 is within 5 |E| of a_0, and |E| within 0.73 of the skew: every gap of
 * orthonormal axes is within 7 skews, in units of size and distance, of the true one; rounding adds less than 20 units in the last
 * place, and 24 to the skew. Three groups of axes make few branches. */
CD_INLINE cdi_verdict cdi_sat(const cd_obb *a, const cd_obb *b, cd_vec3 d, cd_real coordinates, bool edges,
                              cdi_gaps *g) {
    cd_vec3 ha = a->half, hb = b->half, ad = cdi_r3_abs(d);
    cd_real size = ((ha.x + ha.y) + (ha.z + hb.x)) + (hb.y + hb.z) + (cdi_r3_top(ad) + coordinates), skew,
            top;
    cd_vec3 x = cdi_r3_along(&b->axes, a->axes.col[0]), y = cdi_r3_along(&b->axes, a->axes.col[1]);
    cd_vec3 z = cdi_r3_along(&b->axes, a->axes.col[2]), ta = cdi_r3_along(&a->axes, d), tb;
    cd_vec3 ax = cdi_r3_abs(x), ay = cdi_r3_abs(y), az = cdi_r3_abs(z);
    cd_vec3 reach = cd_vec3_make(cdi_r3_dot(ax, hb), cdi_r3_dot(ay, hb), cdi_r3_dot(az, hb));
    bool in_range =
        size < CD_REAL_MAX * CD_REAL_EPSILON && size > 1 / (CD_REAL_MAX * CD_REAL_EPSILON * CD_REAL_EPSILON);
    g->a = cd_vec3_sub(cdi_r3_abs(ta), cd_vec3_add(ha, reach));
    if (in_range && cdi_r3_top(g->a) > size * (cd_real)0.125)
        return CDI_SAT_APART; /* as far as axes may be wrong */
    tb = cdi_r3_along(&b->axes, d);
    reach = cd_vec3_add(cdi_r3_mix(ax, ha.x, ay, ha.y), cd_vec3_scale(az, ha.z));
    g->b = cd_vec3_sub(cdi_r3_abs(tb), cd_vec3_add(hb, reach));
    if (in_range && cdi_r3_top(g->b) > size * (cd_real)0.125) return CDI_SAT_APART;
    skew = cdi_skew(&a->axes) + cdi_skew(&b->axes);
    g->limit = (16 * skew + 256 * CD_REAL_EPSILON) * size;
    g->x = g->y = g->z = g->a;
    if (!in_range || !(skew <= (cd_real)0.01)) {
        g->limit = (cd_real)cdi_infinity(); /* all is open: gaps of -infinity, too */
        return CDI_SAT_UNSURE;
    }
    top = cdi_r_max(cdi_r3_top(g->a), cdi_r3_top(g->b));
    if (top > g->limit) return CDI_SAT_APART;
    if (edges) {
        g->x = cdi_edge_gaps(hb, ax, y, z, ay, az, ta.y, ta.z, ha.y, ha.z);
        g->y = cdi_edge_gaps(hb, ay, z, x, az, ax, ta.z, ta.x, ha.z, ha.x);
        g->z = cdi_edge_gaps(hb, az, x, y, ax, ay, ta.x, ta.y, ha.x, ha.y);
        top = cdi_r_max(top, cdi_r_max(cdi_r3_top(g->x), cdi_r_max(cdi_r3_top(g->y), cdi_r3_top(g->z))));
        if (top > g->limit) return CDI_SAT_APART;
    }
    return top < -g->limit && cdi_halves_sound(ha, hb) ? CDI_SAT_MEETING : CDI_SAT_UNSURE;
}

/* ---- what that leaves open, with care: boxes that nearly touch, parallel edges, bad input ---- */

/* Two boxes whose centres are d apart. */
typedef struct cdi_bodies {
    cdi_body a, b;
    cdi_v3 d;
    double size;
} cdi_bodies;

/* Does an axis separate that is open by its gap? One without length does not. */
static bool cdi_open_axis_separates(const cdi_bodies *s, cdi_v3 axis) {
    return !cdi_v3_is_zero(axis) && cdi_separates(&s->a, &s->b, s->d, axis, s->size);
}
static bool cdi_open_edges_separate(const cdi_bodies *s, cdi_v3 e, cdi_v3 f) {
    return !cdi_v3_is_zero(cdi_v3_cross(e, f)) && cdi_open_axis_separates(s, cdi_sharp_cross(e, f));
}
static bool cdi_edge_separates(const cdi_bodies *s, cdi_v3 edge, cd_vec3 gap, cd_real limit) {
    return (!(gap.x < -limit) && cdi_open_edges_separate(s, edge, s->b.x)) ||
           (!(gap.y < -limit) && cdi_open_edges_separate(s, edge, s->b.y)) ||
           (!(gap.z < -limit) && cdi_open_edges_separate(s, edge, s->b.z));
}

/* The true normals of a box's faces. */
static bool cdi_normal_separates(const cdi_bodies *s, const cdi_body *of, cd_vec3 gap, cd_real limit) {
    return (!(gap.x < -limit) && cdi_open_axis_separates(s, cdi_v3_cross(of->y, of->z))) ||
           (!(gap.y < -limit) && cdi_open_axis_separates(s, cdi_v3_cross(of->z, of->x))) ||
           (!(gap.z < -limit) && cdi_open_axis_separates(s, cdi_v3_cross(of->x, of->y)));
}

/* Lengths times a power of two; of the centres nothing is left but the way between them. */
static void cdi_bodies_scale(cdi_bodies *s, int e) {
    s->a.h = cdi_v3_scale2(s->a.h, e);
    s->b.h = cdi_v3_scale2(s->b.h, e);
    s->d = cdi_v3_sub(cdi_v3_scale2(s->b.c, e), cdi_v3_scale2(s->a.c, e));
    s->size = cdi_scale2(s->size, e);
}

/* Where a product could vanish, or leave the range, lengths are brought near 1. */
static cdi_bodies cdi_bodies_tame(const cdi_bodies *s) {
    cdi_bodies t = *s;
    if (s->size < 1e-200) cdi_bodies_scale(&t, 600);
    if (s->size > 1e200) {
        cdi_bodies_scale(&t, -600);
        if (!cdi_finite(s->size)) t.size = cdi_sat_size(&t.a, &t.b, t.d, 0.0);
    }
    return t;
}

static bool cdi_sat_with_care(const cdi_bodies *bodies, bool edges, const cdi_gaps *g) {
    cdi_bodies tame = cdi_bodies_tame(bodies), *s = &tame;
    if (!cdi_body_is_sound(&bodies->a) || !cdi_body_is_sound(&bodies->b)) return false;
    if (cdi_normal_separates(s, &s->a, g->a, g->limit) || cdi_normal_separates(s, &s->b, g->b, g->limit))
        return false;
    return !edges ||
           !(cdi_edge_separates(s, s->a.x, g->x, g->limit) || cdi_edge_separates(s, s->a.y, g->y, g->limit) ||
             cdi_edge_separates(s, s->a.z, g->z, g->limit));
}

/* ---- two oriented boxes ---- */

static bool cdi_obbs_with_care(const cd_obb *a, const cd_obb *b, bool edges, cdi_gaps g) {
    cdi_bodies s;
    s.a = cdi_body_of(a);
    s.b = cdi_body_of(b);
    s.d = cdi_v3_sub(s.b.c, s.a.c);
    s.size = cdi_sat_size(&s.a, &s.b, s.d, 0.0);
    return cdi_sat_with_care(&s, edges, &g);
}

CD_INLINE bool cdi_obbs_meet(const cd_obb *a, const cd_obb *b, bool edges) {
    cdi_gaps g;
    cdi_verdict v = cdi_sat(a, b, cd_vec3_sub(b->center, a->center), 0, edges, &g);
    return v == CDI_SAT_UNSURE ? cdi_obbs_with_care(a, b, edges, g) : v == CDI_SAT_MEETING;
}

CD_API bool cd_test_obb_obb(const cd_obb *a, const cd_obb *b) {
    return cdi_obbs_meet(a, b, true);
}

CD_API bool cd_test_obb_obb_fast(const cd_obb *a, const cd_obb *b) {
    return cdi_obbs_meet(a, b, false);
}

/* ---- boxes by their corners ---- */

/* Does the face's normal n part the points of p from those of q? Both are relative to one place. */
static bool cdi_corners_parted(const cdi_v3 p[8], const cdi_v3 q[8], cdi_v3 n, double size) {
    double p_lo = CDI_HUGE, p_hi = -CDI_HUGE, q_lo = CDI_HUGE, q_hi = -CDI_HUGE;
    for (int i = 0; i < 8; ++i) {
        double x = cdi_v3_dot(p[i], n), y = cdi_v3_dot(q[i], n);
        p_lo = cdi_min(p_lo, x);
        p_hi = cdi_max(p_hi, x);
        q_lo = cdi_min(q_lo, y);
        q_hi = cdi_max(q_hi, y);
    }
    return cdi_max(q_lo - p_hi, p_lo - q_hi) > cdi_sat_noise * size * cdi_v3_max_abs(n);
}

static bool cdi_corner_faces_part(const cdi_v3 p[8], const cdi_v3 q[8], double size) {
    cdi_v3 e[3];
    for (int i = 0; i < 3; ++i) e[i] = cdi_v3_sub(p[1 << i], p[0]);
    return cdi_corners_parted(p, q, cdi_v3_cross(e[0], e[1]), size) ||
           cdi_corners_parted(p, q, cdi_v3_cross(e[1], e[2]), size) ||
           cdi_corners_parted(p, q, cdi_v3_cross(e[2], e[0]), size);
}

CD_API bool cd_test_obb_obb_vertices(const cd_vec3 a[8], const cd_vec3 b[8]) {
    cdi_v3 p[8], q[8], at = cdi_v3_of(a[0]);
    double size = 0.0;
    for (int i = 0; i < 8; ++i) {
        if (!cd_vec3_is_valid(a[i]) || !cd_vec3_is_valid(b[i])) return false;
        p[i] = cdi_v3_sub(cdi_v3_of(a[i]), at);
        q[i] = cdi_v3_sub(cdi_v3_of(b[i]), at);
        size = cdi_max(size, cdi_max(cdi_v3_max_abs(p[i]), cdi_v3_max_abs(q[i])));
    }
    if (size < 1e-60 || size > 1e60) { /* no triple product may vanish, or leave the range */
        int e = -cdi_exponent(size);
        for (int i = 0; i < 8; ++i) {
            p[i] = cdi_v3_scale2(p[i], e);
            q[i] = cdi_v3_scale2(q[i], e);
        }
        size = cdi_scale2(size, e);
    }
    return !cdi_corner_faces_part(p, q, size) && !cdi_corner_faces_part(q, p, size);
}

/* ---- boxes that stand upright ---- */

static bool cdi_obb_sound(const cdi_obb *b) {
    return cdi_obb_finite(b) && b->half[0] >= 0.0 && b->half[1] >= 0.0 && b->half[2] >= 0.0;
}

/* Is that column along that axis, and are the others across it? */
static bool cdi_stands(const cdi_obb *b, int axis) {
    cdi_v2 rest = cdi_v3_drop(b->axes.c[axis], axis);
    return rest.x == 0.0 && rest.y == 0.0 && cdi_v3_get(b->axes.c[(axis + 1) % 3], axis) == 0.0 &&
           cdi_v3_get(b->axes.c[(axis + 2) % 3], axis) == 0.0;
}

static double cdi_cross2(cdi_v2 a, cdi_v2 b) {
    return a.x * b.y - a.y * b.x;
}

/* Two boxes seen along the axis: do the sides of the first separate? A side's normal across e is measured by cross products
 * with e. */
static bool cdi_sides_separate(cdi_v2 d, const cdi_v2 e[2], const double h[2], const cdi_v2 f[2],
                               const double g[2], double noise) {
    double across = cdi_abs(cdi_cross2(e[0], e[1]));
    for (int i = 0; i < 2; ++i) {
        double reach = across * h[1 - i] + cdi_abs(cdi_cross2(e[i], f[0])) * g[0] +
                       cdi_abs(cdi_cross2(e[i], f[1])) * g[1];
        if (cdi_abs(cdi_cross2(e[i], d)) - reach > noise * cdi_max(cdi_abs(e[i].x), cdi_abs(e[i].y)))
            return true;
    }
    return false;
}

static bool cdi_upright_apart(const cdi_obb *a, const cdi_obb *b, int axis) {
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    cdi_v3 way = cdi_v3_sub(b->center, a->center);
    double along_a = cdi_abs(cdi_v3_get(a->axes.c[axis], axis)) * a->half[axis];
    double along_b = cdi_abs(cdi_v3_get(b->axes.c[axis], axis)) * b->half[axis];
    double ha[2], hb[2], noise = cdi_v3_max_abs(way);
    cdi_v2 d = cdi_v3_drop(way, axis), ea[2], eb[2];
    for (int k = 0; k < 3; ++k) noise += a->half[k] + b->half[k];
    noise *= cdi_sat_noise;
    if (cdi_abs(cdi_v3_get(way, axis)) - (along_a + along_b) > noise) return true;
    for (int k = 0; k < 2; ++k) {
        ea[k] = cdi_v3_drop(a->axes.c[k ? j : i], axis);
        eb[k] = cdi_v3_drop(b->axes.c[k ? j : i], axis);
        ha[k] = a->half[k ? j : i];
        hb[k] = b->half[k ? j : i];
    }
    return cdi_sides_separate(d, ea, ha, eb, hb, noise) || cdi_sides_separate(d, eb, hb, ea, ha, noise);
}

/* May lengths of this size be multiplied by each other's directions? */
static bool cdi_is_plain_size(double size) {
    return size > 1e-200 && size < 1e200;
}

CD_API bool cd_test_obb_obb_upright(const cd_obb *a, const cd_obb *b, int axis) {
    cdi_obb p = cdi_obb_of(a), q = cdi_obb_of(b);
    double size = cdi_v3_max_abs(cdi_v3_sub(q.center, p.center));
    for (int i = 0; i < 3; ++i) size += p.half[i] + q.half[i];
    if (axis < 0 || axis > 2 || !cdi_stands(&p, axis) || !cdi_stands(&q, axis) || !cdi_is_plain_size(size))
        return cd_test_obb_obb(a, b);
    return !cdi_upright_apart(&p, &q, axis) && cdi_obb_sound(&p) && cdi_obb_sound(&q);
}

/* ---- one aligned with the frame; relative poses ---- */

/* The box between lo and hi. */
static cdi_body cdi_body_between(cdi_v3 lo, cdi_v3 hi) {
    cdi_body r;
    r.c = cdi_v3_along(cdi_v3_scale(lo, 0.5), hi, 0.5);
    r.x = cdi_v3_make(1.0, 0.0, 0.0);
    r.y = cdi_v3_make(0.0, 1.0, 0.0);
    r.z = cdi_v3_make(0.0, 0.0, 1.0);
    r.h = cdi_v3_along(cdi_v3_scale(hi, 0.5), lo, -0.5);
    return r;
}

/* The power of two that tiny lengths are multiplied by before halves or products are taken of them. */
static int cdi_scale_up_of(cdi_v3 h, cdi_v3 lo, cdi_v3 hi) {
    double most = cdi_max(cdi_v3_max_abs(h), cdi_max(cdi_v3_max_abs(lo), cdi_v3_max_abs(hi)));
    return most < 1e-200 ? 600 : 0;
}

/* A box in the other's frame, and what of its coordinates has been rounded on the way. */
static cdi_body cdi_body_posed(const cdi_body *b, const cd_transform *pose, double *coordinates) {
    cdi_pose m = cdi_pose_of(pose);
    cdi_body r;
    r.c = cdi_pose_point(&m, b->c);
    r.x = cdi_m3_mul_v3(&m.rotation, b->x);
    r.y = cdi_m3_mul_v3(&m.rotation, b->y);
    r.z = cdi_m3_mul_v3(&m.rotation, b->z);
    r.h = b->h;
    *coordinates += 2.0 * (cdi_v3_max_abs(b->c) + cdi_v3_max_abs(m.position)) + (b->h.x + b->h.y + b->h.z);
    return r;
}

/* The boxes as they are closest to the numbers of the interface, for what can be told quickly. */
static cd_obb cdi_body_round(const cdi_body *b) {
    cd_obb r;
    r.center = cd_vec3_make(0, 0, 0);
    r.axes = cd_mat3_from_columns(cdi_v3_round(b->x), cdi_v3_round(b->y), cdi_v3_round(b->z));
    r.half = cdi_v3_round(b->h);
    return r;
}

static bool cdi_bodies_meet(cdi_body a, cdi_body b, double coordinates) {
    cd_obb p = cdi_body_round(&a), q = cdi_body_round(&b);
    cdi_bodies s;
    cdi_gaps g;
    cdi_verdict v;
    s.a = a;
    s.b = b;
    s.d = cdi_v3_sub(b.c, a.c);
    s.size = cdi_sat_size(&a, &b, s.d, coordinates);
    v = cdi_sat(&p, &q, cdi_v3_round(s.d), (cd_real)coordinates, true, &g);
    return v == CDI_SAT_UNSURE ? cdi_sat_with_care(&s, true, &g) : v == CDI_SAT_MEETING;
}

/* The box's corners are taken relative to the other's centre, so that nothing is rounded in units of the distance to the
 * origin. */
CD_API bool cd_test_obb_aabb(const cd_obb *a, cd_aabb b) {
    cdi_body p = cdi_body_of(a), q;
    cdi_v3 lo = cdi_v3_sub(cdi_v3_of(b.min), p.c), hi = cdi_v3_sub(cdi_v3_of(b.max), p.c);
    int e = cdi_scale_up_of(p.h, lo, hi);
    if (!cd_aabb_is_valid(b) || !cdi_v3_finite(p.c)) return false;
    q = cdi_body_between(cdi_v3_scale2(lo, e), cdi_v3_scale2(hi, e));
    p.h = cdi_v3_scale2(p.h, e);
    p.c = cdi_v3_make(0.0, 0.0, 0.0);
    return cdi_bodies_meet(q, p, 0.0);
}

CD_API bool cd_test_obb_obb_relative(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a) {
    cdi_body p = cdi_body_of(a), q = cdi_body_of(b);
    double coordinates = 0.0;
    if (!cd_transform_is_valid(b_in_a) || !cdi_body_is_sound(&q)) return false;
    q = cdi_body_posed(&q, b_in_a, &coordinates);
    return cdi_bodies_meet(p, q, coordinates);
}

CD_API bool cd_test_aabb_aabb_relative(cd_aabb a, cd_aabb b, const cd_transform *b_in_a) {
    cdi_body p, q;
    double coordinates;
    if (!cd_aabb_is_valid(a) || !cd_aabb_is_valid(b) || !cd_transform_is_valid(b_in_a)) return false;
    p = cdi_body_between(cdi_v3_of(a.min), cdi_v3_of(a.max));
    q = cdi_body_between(cdi_v3_of(b.min), cdi_v3_of(b.max));
    coordinates = cdi_v3_max_abs(p.c);
    q = cdi_body_posed(&q, b_in_a, &coordinates);
    return cdi_bodies_meet(p, q, coordinates);
}

CD_API bool cd_test_sphere_sphere_relative(cd_sphere a, cd_sphere b, const cd_transform *b_in_a) {
    cdi_pose m = cdi_pose_of(b_in_a);
    cdi_v3 c = cdi_v3_of(b.center), d = cdi_v3_sub(cdi_pose_point(&m, c), cdi_v3_of(a.center));
    double reach = (double)a.radius + (double)b.radius, noise;
    if (!cd_sphere_is_valid(a) || !cd_sphere_is_valid(b) || !cd_transform_is_valid(b_in_a)) return false;
    noise = cdi_v3_max_abs(m.position) + cdi_v3_max_abs(c) + cdi_v3_max_abs(cdi_v3_of(a.center)) + reach;
    return cdi_v3_length(d) <= reach + cdi_sat_noise * noise;
}

/* ---- planes, segments, polygons ---- */

/* The height of the centre over the plane, and half the box's extent across it, grown by what may be rounding; false for bad
 * input. */
static bool cdi_obb_heights(const cd_obb *b, cd_plane plane, double *height, double *reach) {
    cdi_body d = cdi_body_of(b);
    cdi_v3 n;
    *height = cdi_plane_height(plane, d.c, &n);
    *reach = cdi_body_radius(&d, n);
    *reach += cdi_sat_noise * (d.h.x + d.h.y + d.h.z) * cdi_v3_max_abs(n) +
              2.0 * cdi_sat_noise * (cdi_abs(*height)) +
              2.0 * cdi_sat_noise * cdi_v3_max_abs(d.c) * cdi_v3_max_abs(n) + 5e-323;
    if (!(cdi_abs(*height) < CDI_HUGE)) *reach = cdi_infinity(); /* the plane is beyond the range */
    return cd_plane_is_valid(&plane) && cdi_body_is_sound(&d);
}

CD_API bool cd_test_obb_plane(const cd_obb *b, cd_plane plane) {
    double height, reach;
    return cdi_obb_heights(b, plane, &height, &reach) && cdi_abs(height) <= reach;
}

CD_API bool cd_test_obb_halfspace(const cd_obb *b, cd_plane plane) {
    double height, reach;
    return cdi_obb_heights(b, plane, &height, &reach) && height <= reach;
}

/* The segment is a box of which two half extents are 0: of its axes only its own direction counts. */
CD_API bool cd_test_segment_obb(const cd_segment *s, const cd_obb *b) {
    cdi_v3 e, from, to;
    cdi_bodies p;
    double length;
    int up;
    p.a = cdi_body_of(b);
    if (!cd_segment_is_valid(s) || !cdi_body_is_sound(&p.a)) return false;
    from = cdi_v3_sub(cdi_v3_of(s->a), p.a.c);
    to = cdi_v3_sub(cdi_v3_of(s->b), p.a.c);
    up = cdi_scale_up_of(p.a.h, from, to);
    p.b = cdi_body_between(cdi_v3_scale2(from, up), cdi_v3_scale2(to, up));
    p.a.h = cdi_v3_scale2(p.a.h, up);
    e = p.b.h;
    length = cdi_v3_max_abs(e);
    p.b.x = length > 0.0 ? cdi_v3_make(e.x / length, e.y / length, e.z / length) : e;
    p.b.h = cdi_v3_make(length, 0.0, 0.0);
    p.d = p.b.c;
    p.size = cdi_sat_size(&p.a, &p.b, p.d, 0.0);
    return !cdi_normal_separates(&p, &p.a, cd_vec3_make(0, 0, 0), 0) &&
           !cdi_open_edges_separate(&p, p.a.x, p.b.x) && !cdi_open_edges_separate(&p, p.a.y, p.b.x) &&
           !cdi_open_edges_separate(&p, p.a.z, p.b.x);
}
