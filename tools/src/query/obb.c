#include "query/obb.h"
#include "core/expansion.h"
#include "core/pose.h"
#include "query/closest3d.h"
#include "query/test.h"
#include "shape/volume3d.h"

/* What a gap has to be above, in units of size and distance: the rounding of the projections on one axis, with no entry of the
 * bodies' axes above 1. */
static const double cdi_sat_noise = 4e-15;

/* Two boxes about to be tested. */
typedef struct cdi_sat {
    const cdi_obb *a, *b;
    cdi_v3 d;      /* from the centre of a to that of b */
    cdi_v3 ha, hb; /* half extents */
    double noise;
    /* seen along the axes of a and b, as if these were orthonormal */
    cdi_v3 r[3]; /* a_i . b_0, a_i . b_1, a_i . b_2 */
    cdi_v3 ta, tb;
    cdi_v3 gap_a, gap_b; /* on the face axes */
} cdi_sat;

static cdi_v3 cdi_v3_abs(cdi_v3 v) {
    return cdi_v3_make(cdi_abs(v.x), cdi_abs(v.y), cdi_abs(v.z));
}
static cdi_v3 cdi_half_of(const cdi_obb *b) {
    return cdi_v3_make(b->half[0], b->half[1], b->half[2]);
}
/* The largest number; any where one is NaN. */
static double cdi_v3_top(cdi_v3 v) {
    return cdi_max(v.x, cdi_max(v.y, v.z));
}

/* `noise` times the size and distance of the two, with what `coordinates` adds. */
static void cdi_sat_begin(cdi_sat *s, const cdi_obb *a, const cdi_obb *b, cdi_v3 d, double coordinates) {
    s->a = a;
    s->b = b;
    s->d = d;
    s->ha = cdi_half_of(a);
    s->hb = cdi_half_of(b);
    s->noise = cdi_sat_noise * (((s->ha.x + s->ha.y) + (s->ha.z + s->hb.x)) + (s->hb.y + s->hb.z) +
                                (cdi_v3_max_abs(d) + coordinates));
}

static bool cdi_obb_sound(const cdi_obb *b) {
    return cdi_obb_finite(b) && b->half[0] >= 0.0 && b->half[1] >= 0.0 && b->half[2] >= 0.0;
}

/* ---- one axis, whatever the boxes' axes are ---- */

/* Half the box's extent along `axis`, in units of its length. */
static double cdi_obb_radius(const cdi_m3 *axes, cdi_v3 half, cdi_v3 axis) {
    return cdi_v3_dot(cdi_v3_abs(cdi_m3_tmul_v3(axes, axis)), half);
}

/* Does `axis`, of any length, separate the boxes, beyond the rounding of its own projections? Since the projections
 * are taken on the very axis that was computed, a badly conditioned axis can only fail to separate. */
static bool cdi_separates(const cdi_sat *s, cdi_v3 axis) {
    double gap =
        cdi_abs(cdi_v3_dot(s->d, axis)) -
        (cdi_obb_radius(&s->a->axes, s->ha, axis) + cdi_obb_radius(&s->b->axes, s->hb, axis));
    return gap > s->noise * cdi_v3_max_abs(axis);
}

/* a b - c d, without cancellation: to a unit in the last place of itself. */
static double cdi_sharp_difference(double a, double b, double c, double d) {
    double p, p_tail, q, q_tail, r, r_tail;
    cdi_two_product(a, b, &p, &p_tail);
    cdi_two_product(c, d, &q, &q_tail);
    cdi_two_diff(p, q, &r, &r_tail);
    return r + (r_tail + (p_tail - q_tail));
}

/* The cross product, whose direction is right for nearly parallel vectors, too. */
static cdi_v3 cdi_sharp_cross(cdi_v3 a, cdi_v3 b) {
    return cdi_v3_make(cdi_sharp_difference(a.y, b.z, a.z, b.y), cdi_sharp_difference(a.z, b.x, a.x, b.z),
                       cdi_sharp_difference(a.x, b.y, a.y, b.x));
}

/* Do the true normals of a box's faces separate? */
static bool cdi_normals_separate(const cdi_sat *s, const cdi_m3 *axes) {
    return cdi_separates(s, cdi_v3_cross(axes->c[1], axes->c[2])) ||
           cdi_separates(s, cdi_v3_cross(axes->c[2], axes->c[0])) ||
           cdi_separates(s, cdi_v3_cross(axes->c[0], axes->c[1]));
}

/* ---- all fifteen, with what orthonormal axes save ---- */

/* Is one of the three gaps above the limit, and does its axis separate, looked at with care? */
CDI_INLINE bool cdi_sat_confirm(const cdi_sat *s, const cdi_m3 *axes, cdi_v3 gap) {
    if (!(cdi_v3_top(gap) > 0.0)) return false;
    return (gap.x > 0.0 && cdi_separates(s, axes->c[0])) || (gap.y > 0.0 && cdi_separates(s, axes->c[1])) ||
           (gap.z > 0.0 && cdi_separates(s, axes->c[2]));
}

/* The six face axes, from r and ta. */
CDI_INLINE bool cdi_sat_faces_a(cdi_sat *s) {
    cdi_v3 reach = cdi_v3_make(cdi_v3_dot(cdi_v3_abs(s->r[0]), s->hb), cdi_v3_dot(cdi_v3_abs(s->r[1]), s->hb),
                               cdi_v3_dot(cdi_v3_abs(s->r[2]), s->hb));
    s->gap_a = cdi_v3_sub(cdi_v3_abs(s->ta), cdi_v3_add(s->ha, reach));
    return cdi_sat_confirm(s, &s->a->axes, s->gap_a);
}
CDI_INLINE bool cdi_sat_faces_b(cdi_sat *s) {
    cdi_v3 reach = cdi_v3_scale(cdi_v3_abs(s->r[0]), s->ha.x);
    reach = cdi_v3_along(cdi_v3_along(reach, cdi_v3_abs(s->r[1]), s->ha.y), cdi_v3_abs(s->r[2]), s->ha.z);
    s->gap_b = cdi_v3_sub(cdi_v3_abs(s->tb), cdi_v3_add(s->hb, reach));
    return cdi_sat_confirm(s, &s->b->axes, s->gap_b);
}

/* The gaps on a's edge across the three of b, where t and h are along the other two axes of a, p and q. */
CDI_INLINE cdi_v3 cdi_sat_edge_gaps(cdi_v3 hb, cdi_v3 edge, cdi_v3 p, cdi_v3 q, double tp, double tq, double hp,
                                    double hq) {
    cdi_v3 t = cdi_v3_abs(cdi_v3_along(cdi_v3_scale(p, tq), q, -tp)), e = cdi_v3_abs(edge);
    cdi_v3 ra = cdi_v3_along(cdi_v3_scale(cdi_v3_abs(q), hp), cdi_v3_abs(p), hq);
    cdi_v3 rb = cdi_v3_make(hb.y * e.z + hb.z * e.y, hb.z * e.x + hb.x * e.z, hb.x * e.y + hb.y * e.x);
    return cdi_v3_sub(t, cdi_v3_add(ra, rb));
}

/* a's edge across those of b whose gaps are not clearly negative. */
static bool cdi_edge_separates(const cdi_sat *s, cdi_v3 edge, cdi_v3 gap, double limit) {
    return (!(gap.x <= limit) && cdi_separates(s, cdi_sharp_cross(edge, s->b->axes.c[0]))) ||
           (!(gap.y <= limit) && cdi_separates(s, cdi_sharp_cross(edge, s->b->axes.c[1]))) ||
           (!(gap.z <= limit) && cdi_separates(s, cdi_sharp_cross(edge, s->b->axes.c[2])));
}

/* How far axes are from orthonormal: the sum of |A^T A - I|, each entry once; NaN when one of them is not finite. */
CDI_INLINE double cdi_skew(const cdi_m3 *m) {
    cdi_v3 x = m->c[0], y = m->c[1], z = m->c[2];
    cdi_v3 own = cdi_v3_make(cdi_v3_dot(x, x) - 1.0, cdi_v3_dot(y, y) - 1.0, cdi_v3_dot(z, z) - 1.0);
    cdi_v3 mixed = cdi_v3_make(cdi_v3_dot(x, y), cdi_v3_dot(y, z), cdi_v3_dot(z, x));
    own = cdi_v3_add(cdi_v3_abs(own), cdi_v3_abs(mixed));
    return own.x + own.y + own.z;
}

/* No axis is trusted: for axes that are not orthonormal at all. */
static bool cdi_sat_slowly(const cdi_sat *s) {
    cdi_v3 all = cdi_v3_make(1.0, 1.0, 1.0);
    if (cdi_normals_separate(s, &s->a->axes) || cdi_normals_separate(s, &s->b->axes)) return true;
    for (int i = 0; i < 3; ++i) {
        if (cdi_edge_separates(s, s->a->axes.c[i], all, 0.0)) return true;
    }
    return false;
}

/* What the face axes left open. With A = Q (1 + E) for a rotation Q, a normal a_1 x a_2 is within 5 |E| of a_0, and |E| within
 * 0.73 of the skew: every gap of orthonormal axes is within 7 skews of size and distance of the true one. So an axis whose gap is
 * below -16 of them does not separate, and the others, which are rare but for parallel edges, are looked at with care. */
static bool cdi_sat_edges(const cdi_sat *s, double skew) {
    double limit = -(s->noise + (8.0 / cdi_sat_noise) * skew * s->noise) * 2.0;
    cdi_v3 g0, g1, g2;
    if (!(skew <= 0.01)) return cdi_sat_slowly(s);
    g0 = cdi_sat_edge_gaps(s->hb, s->r[0], s->r[1], s->r[2], s->ta.y, s->ta.z, s->ha.y, s->ha.z);
    g1 = cdi_sat_edge_gaps(s->hb, s->r[1], s->r[2], s->r[0], s->ta.z, s->ta.x, s->ha.z, s->ha.x);
    g2 = cdi_sat_edge_gaps(s->hb, s->r[2], s->r[0], s->r[1], s->ta.x, s->ta.y, s->ha.x, s->ha.y);
    if (cdi_max(cdi_v3_top(s->gap_a), cdi_v3_top(s->gap_b)) > limit &&
        (cdi_normals_separate(s, &s->a->axes) || cdi_normals_separate(s, &s->b->axes))) {
        return true;
    }
    if (cdi_v3_top(g0) <= limit && cdi_v3_top(g1) <= limit && cdi_v3_top(g2) <= limit) return false;
    return cdi_edge_separates(s, s->a->axes.c[0], g0, limit) ||
           cdi_edge_separates(s, s->a->axes.c[1], g1, limit) ||
           cdi_edge_separates(s, s->a->axes.c[2], g2, limit);
}

/* ---- two oriented boxes ---- */

/* The faces of both; false when one separates. */
CDI_INLINE bool cdi_sat_faces(cdi_sat *s) {
    const cdi_obb *a = s->a, *b = s->b;
    for (int i = 0; i < 3; ++i) s->r[i] = cdi_m3_tmul_v3(&b->axes, a->axes.c[i]);
    s->ta = cdi_m3_tmul_v3(&a->axes, s->d);
    if (cdi_sat_faces_a(s)) return false;
    s->tb = cdi_m3_tmul_v3(&b->axes, s->d);
    return !cdi_sat_faces_b(s);
}

CD_API bool cd_test_obb_obb(const cd_obb *a, const cd_obb *b) {
    cdi_obb p = cdi_obb_of(a), q = cdi_obb_of(b);
    cdi_sat s;
    cdi_sat_begin(&s, &p, &q, cdi_v3_sub(q.center, p.center), 0.0);
    return cdi_sat_faces(&s) && !cdi_sat_edges(&s, cdi_skew(&p.axes) + cdi_skew(&q.axes)) && cdi_obb_sound(&p) &&
           cdi_obb_sound(&q);
}

CD_API bool cd_test_obb_obb_fast(const cd_obb *a, const cd_obb *b) {
    cdi_obb p = cdi_obb_of(a), q = cdi_obb_of(b);
    cdi_sat s;
    cdi_sat_begin(&s, &p, &q, cdi_v3_sub(q.center, p.center), 0.0);
    return cdi_sat_faces(&s) && cdi_obb_sound(&p) && cdi_obb_sound(&q);
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
    return !cdi_corner_faces_part(p, q, size) && !cdi_corner_faces_part(q, p, size);
}

/* ---- boxes that stand upright ---- */

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
static bool cdi_sides_separate(cdi_v2 d, const cdi_v2 e[2], const double h[2], const cdi_v2 f[2], const double g[2],
                               double noise) {
    double across = cdi_abs(cdi_cross2(e[0], e[1]));
    for (int i = 0; i < 2; ++i) {
        double reach = across * h[1 - i] + cdi_abs(cdi_cross2(e[i], f[0])) * g[0] +
                       cdi_abs(cdi_cross2(e[i], f[1])) * g[1];
        if (cdi_abs(cdi_cross2(e[i], d)) - reach > noise * cdi_max(cdi_abs(e[i].x), cdi_abs(e[i].y))) return true;
    }
    return false;
}

static bool cdi_upright_apart(const cdi_sat *s, int axis) {
    int i = (axis + 1) % 3, j = (axis + 2) % 3;
    const cdi_obb *a = s->a, *b = s->b;
    double along_a = cdi_abs(cdi_v3_get(a->axes.c[axis], axis)), along_b = cdi_abs(cdi_v3_get(b->axes.c[axis], axis));
    double ha[2], hb[2];
    cdi_v2 d = cdi_v3_drop(s->d, axis), ea[2], eb[2];
    if (cdi_abs(cdi_v3_get(s->d, axis)) - (along_a * a->half[axis] + along_b * b->half[axis]) > s->noise) return true;
    ea[0] = cdi_v3_drop(a->axes.c[i], axis);
    ea[1] = cdi_v3_drop(a->axes.c[j], axis);
    eb[0] = cdi_v3_drop(b->axes.c[i], axis);
    eb[1] = cdi_v3_drop(b->axes.c[j], axis);
    ha[0] = a->half[i];
    ha[1] = a->half[j];
    hb[0] = b->half[i];
    hb[1] = b->half[j];
    return cdi_sides_separate(d, ea, ha, eb, hb, s->noise) || cdi_sides_separate(d, eb, hb, ea, ha, s->noise);
}

CD_API bool cd_test_obb_obb_upright(const cd_obb *a, const cd_obb *b, int axis) {
    cdi_obb p = cdi_obb_of(a), q = cdi_obb_of(b);
    cdi_sat s;
    if (axis < 0 || axis > 2 || !cdi_stands(&p, axis) || !cdi_stands(&q, axis)) return cd_test_obb_obb(a, b);
    cdi_sat_begin(&s, &p, &q, cdi_v3_sub(q.center, p.center), 0.0);
    return !cdi_upright_apart(&s, axis) && cdi_obb_sound(&p) && cdi_obb_sound(&q);
}

/* ---- one aligned with the frame; relative poses ---- */

/* The box between lo and hi. */
static cdi_obb cdi_obb_between(cdi_v3 lo, cdi_v3 hi) {
    cdi_obb r;
    r.center = cdi_v3_along(cdi_v3_scale(lo, 0.5), hi, 0.5);
    r.axes.c[0] = cdi_v3_make(1.0, 0.0, 0.0);
    r.axes.c[1] = cdi_v3_make(0.0, 1.0, 0.0);
    r.axes.c[2] = cdi_v3_make(0.0, 0.0, 1.0);
    cdi_v3_store(r.half, cdi_v3_along(cdi_v3_scale(hi, 0.5), lo, -0.5));
    return r;
}

/* The test for a box a aligned with the frame: its axes need no products. */
static bool cdi_aligned_meets(const cdi_obb *a, const cdi_obb *b, double coordinates) {
    cdi_m3 r = cdi_m3_transpose(&b->axes);
    cdi_sat s;
    cdi_sat_begin(&s, a, b, cdi_v3_sub(b->center, a->center), coordinates);
    for (int i = 0; i < 3; ++i) s.r[i] = r.c[i];
    s.ta = s.d;
    if (cdi_sat_faces_a(&s)) return false;
    s.tb = cdi_m3_tmul_v3(&b->axes, s.d);
    return !cdi_sat_faces_b(&s) && !cdi_sat_edges(&s, cdi_skew(&b->axes)) && cdi_obb_sound(a) && cdi_obb_sound(b);
}

/* The box's corners are taken relative to the other's centre, so that nothing is rounded in units of the distance to the
 * origin. */
CD_API bool cd_test_obb_aabb(const cd_obb *a, cd_aabb b) {
    cdi_obb p = cdi_obb_of(a), q;
    if (!cd_aabb_is_valid(b) || !cdi_v3_finite(p.center)) return false;
    q = cdi_obb_between(cdi_v3_sub(cdi_v3_of(b.min), p.center), cdi_v3_sub(cdi_v3_of(b.max), p.center));
    p.center = cdi_v3_make(0.0, 0.0, 0.0);
    return cdi_aligned_meets(&q, &p, 0.0);
}

/* A box in the other's frame, and what of its coordinates has been rounded on the way. */
static cdi_obb cdi_obb_posed(const cdi_obb *b, const cd_transform *pose, double *coordinates) {
    cdi_pose m = cdi_pose_of(pose);
    cdi_obb r = *b;
    r.center = cdi_pose_point(&m, b->center);
    r.axes = cdi_m3_mul(&m.rotation, &b->axes);
    *coordinates = 2.0 * (cdi_v3_max_abs(b->center) + cdi_v3_max_abs(m.position));
    for (int i = 0; i < 3; ++i) *coordinates += b->half[i];
    return r;
}

CD_API bool cd_test_obb_obb_relative(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a) {
    cdi_obb p = cdi_obb_of(a), q = cdi_obb_of(b);
    double coordinates;
    cdi_sat s;
    if (!cd_transform_is_valid(b_in_a) || !cdi_obb_sound(&q)) return false;
    q = cdi_obb_posed(&q, b_in_a, &coordinates);
    cdi_sat_begin(&s, &p, &q, cdi_v3_sub(q.center, p.center), coordinates);
    return cdi_sat_faces(&s) && !cdi_sat_edges(&s, cdi_skew(&p.axes) + cdi_skew(&q.axes)) && cdi_obb_sound(&p) &&
           cdi_obb_sound(&q);
}

CD_API bool cd_test_aabb_aabb_relative(cd_aabb a, cd_aabb b, const cd_transform *b_in_a) {
    cdi_obb p, q;
    double coordinates;
    if (!cd_aabb_is_valid(a) || !cd_aabb_is_valid(b) || !cd_transform_is_valid(b_in_a)) return false;
    p = cdi_obb_between(cdi_v3_of(a.min), cdi_v3_of(a.max));
    q = cdi_obb_between(cdi_v3_of(b.min), cdi_v3_of(b.max));
    q = cdi_obb_posed(&q, b_in_a, &coordinates);
    return cdi_aligned_meets(&p, &q, coordinates + cdi_v3_max_abs(p.center));
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
    cdi_obb d = cdi_obb_of(b);
    cdi_v3 n;
    *height = cdi_plane_height(plane, d.center, &n);
    *reach = cdi_obb_radius(&d.axes, cdi_half_of(&d), n);
    *reach += cdi_sat_noise * (*reach + 2.0 * cdi_abs(*height) + 2.0 * cdi_v3_max_abs(d.center) * cdi_v3_max_abs(n));
    return cd_plane_is_valid(&plane) && cdi_obb_sound(&d);
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
    cdi_obb box = cdi_obb_of(b), line;
    cdi_v3 from = cdi_v3_sub(cdi_v3_of(s->a), box.center), to = cdi_v3_sub(cdi_v3_of(s->b), box.center), e;
    double length;
    cdi_sat t;
    if (!cd_segment_is_valid(s) || !cdi_obb_sound(&box)) return false;
    line = cdi_obb_between(from, to);
    e = cdi_half_of(&line);
    length = cdi_v3_max_abs(e);
    line.axes.c[0] = length > 0.0 ? cdi_v3_make(e.x / length, e.y / length, e.z / length) : e;
    line.axes.c[1] = line.axes.c[2] = cdi_v3_make(0.0, 0.0, 0.0);
    line.half[0] = length;
    line.half[1] = line.half[2] = 0.0;
    cdi_sat_begin(&t, &box, &line, line.center, 0.0);
    if (cdi_normals_separate(&t, &box.axes)) return false;
    for (int i = 0; i < 3; ++i) {
        if (cdi_separates(&t, cdi_sharp_cross(box.axes.c[i], line.axes.c[0]))) return false;
    }
    return true;
}
