#include "query/region.h"
#include "core/orient.h"
#include "query/sphere.h"
#include "shape/seidel.h"
#include "shape/triangle3d.h"
#include "shape/volume3d.h"

CD_API bool cd_region_is_valid(const cd_plane *planes, size_t count) {
    if (count > CD_REGION_PLANES || (!planes && count > 0)) return false;
    for (size_t i = 0; i < count; ++i) {
        if (!cd_plane_is_valid(&planes[i])) return false;
    }
    return true;
}

/* ---- boxes ---- */

/* The corner least along n. */
static cdi_v3 cdi_least_corner(const cd_aabb *b, cdi_v3 n) {
    return cdi_v3_make((double)(n.x > 0.0 ? b->min.x : b->max.x), (double)(n.y > 0.0 ? b->min.y : b->max.y),
                       (double)(n.z > 0.0 ? b->min.z : b->max.z));
}

static int cdi_region_side(const cd_plane *plane, cdi_v3 p) {
    return cdi_plane_side(cdi_v3_of(plane->n), (double)plane->d, p);
}

/* Which planes cut the box, and how many; -1 when it is outside of one. */
static int cdi_cutting_planes(const cd_aabb *b, const cd_plane *planes, size_t count,
                              uint8_t cut[CD_REGION_PLANES]) {
    int n = 0;
    for (size_t i = 0; i < count; ++i) {
        cdi_v3 normal = cdi_v3_of(planes[i].n);
        if (cdi_region_side(&planes[i], cdi_least_corner(b, normal)) > 0) return -1;
        if (cdi_region_side(&planes[i], cdi_least_corner(b, cdi_v3_neg(normal))) > 0) cut[n++] = (uint8_t)i;
    }
    return n;
}

static void cdi_region_row(cdi_lp *lp, double a, double b, double c, double d) {
    double row[4];
    row[0] = a;
    row[1] = b;
    row[2] = c;
    row[3] = d;
    cdi_lp_add(lp, row, 0);
}

/* Have the box and the planes that cut it a point in common? */
static bool cdi_box_meets_planes(const cd_aabb *b, const cd_plane *planes, const uint8_t *cut, int count) {
    static const double goal[3] = {1.0, 0.0, 0.0};
    cdi_lp lp;
    cdi_lp_vertex v;
    if (!cdi_lp_begin(&lp, 3, goal, (size_t)count + 6, NULL)) return true;
    cdi_region_row(&lp, 1.0, 0.0, 0.0, (double)b->max.x);
    cdi_region_row(&lp, -1.0, 0.0, 0.0, -(double)b->min.x);
    cdi_region_row(&lp, 0.0, 1.0, 0.0, (double)b->max.y);
    cdi_region_row(&lp, 0.0, -1.0, 0.0, -(double)b->min.y);
    cdi_region_row(&lp, 0.0, 0.0, 1.0, (double)b->max.z);
    cdi_region_row(&lp, 0.0, 0.0, -1.0, -(double)b->min.z);
    for (int i = 0; i < count; ++i) {
        const cd_plane *p = &planes[cut[i]];
        cdi_region_row(&lp, (double)p->n.x, (double)p->n.y, (double)p->n.z, (double)p->d);
    }
    return cdi_lp_best(&lp, &v);
}

CD_API bool cd_test_aabb_region(cd_aabb b, const cd_plane *planes, size_t count) {
    uint8_t cut[CD_REGION_PLANES];
    int n, inside = 0;
    cdi_v3 middle;
    if (!cd_aabb_is_valid(b) || !cd_region_is_valid(planes, count)) return false;
    n = cdi_cutting_planes(&b, planes, count, cut);
    if (n < 2) return n >= 0;
    middle = cdi_v3_scale(cdi_v3_of(b.min), 0.5);
    middle = cdi_v3_add(middle, cdi_v3_scale(cdi_v3_of(b.max), 0.5));
    while (inside < n && cdi_region_side(&planes[cut[inside]], middle) <= 0) ++inside;
    return inside == n || cdi_box_meets_planes(&b, planes, cut, n);
}

CD_API int cd_cull_aabb_region(cd_aabb b, const cd_plane *planes, size_t count) {
    uint8_t cut[CD_REGION_PLANES];
    int n;
    if (!cd_aabb_is_valid(b) || !cd_region_is_valid(planes, count)) return -1;
    n = cdi_cutting_planes(&b, planes, count, cut);
    return n < 0 ? -1 : n == 0;
}

/* ---- spheres ---- */

CD_API int cd_cull_sphere_region(cd_sphere s, const cd_plane *planes, size_t count) {
    cdi_v3 c = cdi_v3_of(s.center);
    int verdict = 1;
    if (!cd_sphere_is_valid(s) || !cd_region_is_valid(planes, count)) return -1;
    for (size_t i = 0; i < count; ++i) {
        cdi_v3 n = cdi_v3_of(planes[i].n);
        double length = cdi_v3_length(n), reach = (double)s.radius * length, d = (double)planes[i].d;
        double error = 1e-13 * (reach + length * cdi_v3_max_abs(c) + cdi_abs(d)) + 1e-300;
        double height = cdi_v3_dot(n, c) - d;
        if (height - reach > error) return -1; /* never with an infinity or NaN: the error is one */
        if (!(height + reach < -error)) verdict = 0;
    }
    return verdict;
}

/* ---- triangles ----
 *
 * A point of the triangle is v0 + s (v1 - v0) + t (v2 - v0), and its height over a plane is linear in s and t. Corners and
 * normals are scaled by powers of two to magnitudes about 1. */

/* The heights of the corners over a plane, and how far off they, their differences, and sums of these may be. */
typedef struct cdi_heights {
    double h[3], error;
} cdi_heights;

/* `v` is scaled by 2^-exponent. */
static cdi_heights cdi_heights_over(const cd_plane *plane, const cdi_tri *t, int exponent) {
    cdi_v3 n = cdi_v3_of(plane->n);
    int e = cdi_exponent(cdi_v3_max_abs(n));
    double d = cdi_scale2((double)plane->d, -e - exponent);
    cdi_heights r;
    d = cdi_clamp(d, -1e6, 1e6); /* as good as anything beyond 12 */
    n = cdi_v3_scale2(n, -e);
    for (int i = 0; i < 3; ++i) r.h[i] = cdi_v3_dot(n, t->v[i]) - d;
    r.error = 1.7763568394002505e-15 * (12.0 + cdi_abs(d)); /* 2^-49 */
    return r;
}

/* The triangle's own rows: weights that are not below 0, and no more than 1 together. */
static void cdi_triangle_rows(cdi_lp *lp) {
    cdi_region_row(lp, -1.0, 0.0, 0.0, 0.0);
    cdi_region_row(lp, 0.0, -1.0, 0.0, 0.0);
    cdi_region_row(lp, 1.0, 1.0, 1.0, 0.0);
}

CD_API bool cd_test_triangle_region(const cd_triangle *t, const cd_plane *planes, size_t count) {
    static const double goal[2] = {1.0, 0.0};
    cdi_tri v = cdi_tri_of(t);
    cdi_lp lp;
    cdi_lp_vertex best;
    int exponent, cut = 0;
    unsigned inside = 7; /* the corners inside of all planes so far */
    if (!cd_triangle_is_valid(t) || !cd_region_is_valid(planes, count)) return false;
    if (!cdi_lp_begin(&lp, 2, goal, count + 3, NULL)) return true;
    exponent = cdi_exponent(
        cdi_max(cdi_max(cdi_v3_max_abs(v.v[0]), cdi_v3_max_abs(v.v[1])), cdi_v3_max_abs(v.v[2])));
    for (int i = 0; i < 3; ++i) v.v[i] = cdi_v3_scale2(v.v[i], -exponent);
    for (size_t i = 0; i < count; ++i) {
        cdi_heights over = cdi_heights_over(&planes[i], &v, exponent);
        const double *h = over.h;
        unsigned behind = 0;
        for (int k = 0; k < 3; ++k) behind |= h[k] <= over.error ? 1u << k : 0u;
        if (!behind) return false;
        inside &= behind;
        if (behind == 7) continue;
        cdi_region_row(&lp, h[1] - h[0], h[2] - h[0], over.error - h[0], 0.0);
        ++cut;
    }
    if (inside != 0 || cut < 2) return true;
    cdi_triangle_rows(&lp);
    return cdi_lp_best(&lp, &best);
}

/* ---- bounds ---- */

/* A bound of the region along an axis; infinite without one, NaN for an empty region. */
static double cdi_region_bound(const cd_plane *planes, size_t count, int axis, double sign) {
    double goal[3] = {0.0, 0.0, 0.0};
    cdi_lp lp;
    cdi_lp_answer a;
    goal[axis] = sign;
    if (!cdi_lp_begin(&lp, 3, goal, count, NULL)) return sign * cdi_infinity();
    for (size_t i = 0; i < count; ++i) {
        const cd_plane *p = &planes[i];
        cdi_region_row(&lp, (double)p->n.x, (double)p->n.y, (double)p->n.z, (double)p->d);
    }
    cdi_lp_solve(&lp, &a);
    if (a.verdict == CD_LP_INFEASIBLE) return cdi_nan();
    if (a.verdict == CD_LP_UNBOUNDED) return sign * cdi_infinity();
    return a.point[axis];
}

/* Rounded to a side, with room for two units in the last place of a double, and never infinite. */
static cd_real cdi_region_round(double x, bool up) {
    double room = 4.0 * 2.220446049250313e-16 * cdi_abs(x) + 1e-300;
    if (cdi_abs(x) >= (double)CD_REAL_MAX) return x > 0.0 ? CD_REAL_MAX : -CD_REAL_MAX;
    return up ? cdi_sum_up(x, room) : cdi_diff_down(x, room);
}

CD_API cd_aabb cd_aabb_from_region(const cd_plane *planes, size_t count) {
    cd_real lo[3], hi[3];
    cd_aabb b;
    if (!cd_region_is_valid(planes, count)) return cd_aabb_empty();
    for (int k = 0; k < 3; ++k) {
        double least = cdi_region_bound(planes, count, k, -1.0);
        double most = cdi_region_bound(planes, count, k, 1.0);
        if (least != least || most != most) return cd_aabb_empty();
        lo[k] = cdi_region_round(least, false);
        hi[k] = cdi_region_round(most, true);
    }
    b.min = cd_vec3_make(lo[0], lo[1], lo[2]);
    b.max = cd_vec3_make(hi[0], hi[1], hi[2]);
    return b;
}

/* ---- frustums ---- */

/* Puts the plane n . x <= d down with a unit normal, unless it cuts nothing off; false when it leaves nothing, or d has no
 * finite value. */
static bool cdi_region_add(cdi_v3 n, double d, cd_plane *out, uint32_t *count) {
    double length = cdi_v3_length(n), at = d / length;
    if (length == 0.0 || !(cdi_abs(at) <= (double)CD_REAL_MAX)) return d >= 0.0;
    out[*count].n = cdi_v3_round(cdi_v3_normalize(n));
    out[(*count)++].d = (cd_real)at;
    return true;
}

/* The same for a plane of the eye's frame. */
static bool cdi_eye_plane(const cdi_pose *pose, cdi_v3 n, double d, cd_plane *out, uint32_t *count) {
    cdi_v3 unit = cdi_m3_mul_v3(&pose->rotation, cdi_v3_normalize(n));
    return cdi_region_add(unit, d + cdi_v3_dot(unit, pose->position), out, count);
}

static bool cdi_frustum_is_valid(const cd_frustum *f) {
    return cd_transform_is_valid(&f->pose) &&
           cdi_finite3((double)f->left, (double)f->right, (double)f->first) &&
           cdi_finite3((double)f->bottom, (double)f->top, 0.0) && f->left < f->right && f->bottom < f->top &&
           f->first >= 0 && f->first < f->last;
}

CD_API bool cd_region_from_frustum(const cd_frustum *f, cd_plane out[6], uint32_t *count) {
    cd_plane p[6];
    uint32_t n = 0;
    cdi_pose pose;
    bool all;
    if (!cdi_frustum_is_valid(f)) return false;
    pose = cdi_pose_of(&f->pose);
    all = cdi_eye_plane(&pose, cdi_v3_make(-1.0, 0.0, -(double)f->left), 0.0, p, &n) &&
          cdi_eye_plane(&pose, cdi_v3_make(1.0, 0.0, (double)f->right), 0.0, p, &n) &&
          cdi_eye_plane(&pose, cdi_v3_make(0.0, -1.0, -(double)f->bottom), 0.0, p, &n) &&
          cdi_eye_plane(&pose, cdi_v3_make(0.0, 1.0, (double)f->top), 0.0, p, &n) &&
          cdi_eye_plane(&pose, cdi_v3_make(0.0, 0.0, 1.0), -(double)f->first, p, &n) &&
          (!cdi_finite((double)f->last) ||
           cdi_eye_plane(&pose, cdi_v3_make(0.0, 0.0, -1.0), (double)f->last, p, &n));
    if (!all) return false;
    for (uint32_t i = 0; i < n; ++i) out[i] = p[i];
    *count = n;
    return true;
}

/* What is kept where row a + s row b >= 0. Rows are scaled to magnitudes about 1, so that sums stay finite. */
static bool cdi_rows_plane(const cd_vec4 *a, double s, const cd_vec4 *b, cd_plane *out, uint32_t *count) {
    cdi_v3 u = cdi_v3_make((double)a->x, (double)a->y, (double)a->z),
           v = cdi_v3_make((double)b->x, (double)b->y, (double)b->z);
    double c = (double)a->w, d = (double)b->w;
    int e = -cdi_exponent(
        cdi_max(cdi_max(cdi_v3_max_abs(u), cdi_v3_max_abs(v)), cdi_max(cdi_abs(c), cdi_abs(d))));
    cdi_v3 n = cdi_v3_along(cdi_v3_scale2(u, e), cdi_v3_scale2(v, e), s);
    return cdi_region_add(cdi_v3_neg(n), cdi_scale2(c, e) + s * cdi_scale2(d, e), out, count);
}

CD_API bool cd_region_from_rows(const cd_vec4 row[4], uint32_t depth, cd_plane out[6], uint32_t *count) {
    cd_plane p[6];
    uint32_t n = 0;
    if (depth > CD_CLIP_UNSIGNED) return false;
    for (int i = 0; i < 4; ++i) {
        if (!cd_vec4_is_valid(row[i])) return false;
    }
    for (int i = 0; i < 3; ++i) {
        bool whole = i < 2 || depth == CD_CLIP_SIGNED;
        const cd_vec4 *lower = whole ? &row[3] : &row[2];
        if (!cdi_rows_plane(lower, whole ? 1.0 : 0.0, &row[i], p, &n) ||
            !cdi_rows_plane(&row[3], -1.0, &row[i], p, &n))
            return false;
    }
    for (uint32_t i = 0; i < n; ++i) out[i] = p[i];
    *count = n;
    return true;
}
