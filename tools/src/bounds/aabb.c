#include "bounds/aabb.h"
#include "core/expansion.h"
#include "core/memory.h"
#include "core/orient.h"
#include "core/pose.h"
#include "hull/climb.h"
#include "hull/hull_build.h"
#include "shape/side3d.h"
#include "shape/volume3d.h"

/* ---- sphere about a pivot ---- */

static bool cdi_is_out_of_ball(cd_vec3 p, cd_vec3 center, cd_real radius) {
    cdi_diff d[3];
    d[0] = cdi_diff_of((double)p.x, (double)center.x);
    d[1] = cdi_diff_of((double)p.y, (double)center.y);
    d[2] = cdi_diff_of((double)p.z, (double)center.z);
    return cdi_compare_squares(d, cdi_diff_of((double)radius, 0.0)) > 0;
}

/* The largest distance from the pivot; infinite beyond the range. */
static double cdi_farthest(const cd_vec3 *points, size_t count, cdi_v3 pivot) {
    double reach = 0.0, most = 0.0;
    int e;
    for (size_t i = 0; i < count; ++i)
        reach = cdi_max(cdi_v3_max_abs(cdi_v3_sub(cdi_v3_of(points[i]), pivot)), reach);
    if (reach == 0.0 || !cdi_finite(reach)) return reach;
    e = cdi_exponent(reach);
    for (size_t i = 0; i < count; ++i) {
        cdi_v3 d = cdi_v3_sub(cdi_v3_of(points[i]), pivot);
        d = cdi_v3_make(cdi_scale2(d.x, -e), cdi_scale2(d.y, -e), cdi_scale2(d.z, -e));
        most = cdi_max(cdi_v3_sqlength(d), most);
    }
    return cdi_scale2(cdi_sqrt(most), e);
}

/* Begins a little below the largest distance, and grows by single units until nothing is outside. */
CD_API cd_status cd_sphere_from_pivot(const cd_vec3 *points, size_t count, cd_vec3 pivot, cd_sphere *out) {
    cd_sphere s;
    double most;
    cdi_clear(out, sizeof *out);
    if (!cd_vec3_is_valid(pivot)) return CD_INVALID_ARGUMENT;
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(points[i])) return CD_INVALID_ARGUMENT;
    }
    most = cdi_farthest(points, count, cdi_v3_of(pivot));
    if (!(most - 1e-15 * most <= (double)CD_REAL_MAX)) return CD_TOO_LARGE;
    s.center = pivot;
    s.radius = count ? cdi_round_down(cdi_max(most - 1e-15 * most, 0.0), 0.0) : -1;
    for (size_t i = 0; i < count; ++i) {
        while (cdi_is_out_of_ball(points[i], pivot, s.radius)) {
            if (s.radius == CD_REAL_MAX) return CD_TOO_LARGE;
            s.radius = cdi_next_real(s.radius, true);
        }
    }
    *out = s;
    return CD_OK;
}

/* ---- extreme points ---- */

CD_API bool cd_extreme_points_along_direction(const cd_vec3 *points, size_t count, cd_vec3 direction,
                                              size_t *least, size_t *most) {
    cdi_v3 d = cdi_v3_of(direction);
    double lo = 0.0, hi = 0.0;
    bool found = false;
    for (size_t i = 0; i < count; ++i) {
        double along = cdi_v3_dot(d, cdi_v3_of(points[i]));
        if (along != along) continue;
        if (!found || along < lo) {
            lo = along;
            *least = i;
        }
        if (!found || along > hi) {
            hi = along;
            *most = i;
        }
        found = true;
    }
    return found;
}

/* Marked points go to the front, and keep their order. */
static void cdi_marked_first(cd_vec3 *points, uint32_t count, const uint8_t *marked, uint32_t *order) {
    uint32_t front = 0;
    for (uint32_t i = 0; order && i < count; ++i) order[i] = i;
    for (uint32_t i = 0; i < count; ++i) {
        cd_vec3 p = points[i];
        if (!marked[i]) continue;
        points[i] = points[front];
        points[front] = p;
        if (order) {
            order[i] = order[front];
            order[front] = i;
        }
        ++front;
    }
}

CD_API cd_status cd_points_hull_first(cd_vec3 *points, size_t count, const cd_allocator *allocator,
                                      uint32_t *order, size_t *hull_count) {
    cd_hull_options options;
    cd_hull hull;
    cd_hull_parts parts;
    cd_status status;
    uint8_t *marked;
    cdi_clear(&options, sizeof options);
    if (allocator) options.allocator = *allocator;
    *hull_count = 0;
    status = cd_hull3_build(&hull, points, count, &options);
    if (status != CD_OK || count == 0) return status;
    parts = cd_hull_get_parts(&hull);
    marked = (uint8_t *)cdi_alloc(allocator, count, 1);
    if (marked) {
        cdi_clear(marked, count);
        for (uint32_t i = 0; i < parts.vertex_count; ++i) marked[parts.sources[i]] = 1;
        cdi_marked_first(points, (uint32_t)count, marked, order);
        *hull_count = parts.vertex_count;
    }
    cdi_free(allocator, marked, count, 1);
    cd_hull_destroy(&hull);
    return marked ? CD_OK : CD_OUT_OF_MEMORY;
}

/* ---- things that turn ---- */

/* Does the rotation take axes to axes? Then its matrix is exact: one component is not 0, or two or all four of one size. */
static bool cdi_quat_is_cubic(cd_quat q) {
    double x[4], most = 0.0;
    int count = 0;
    x[0] = (double)q.x;
    x[1] = (double)q.y;
    x[2] = (double)q.z;
    x[3] = (double)q.w;
    for (int i = 0; i < 4; ++i) most = cdi_max(cdi_abs(x[i]), most);
    for (int i = 0; i < 4; ++i) {
        if (x[i] == 0.0) continue;
        if (cdi_abs(x[i]) != most) return false;
        ++count;
    }
    return count != 3;
}

/* A pose as three functions of a point, its coordinates: rows of the matrix. */
typedef struct cdi_rows {
    cdi_v3 row[3];
    double at[3];
    bool cubic;
} cdi_rows;

static cdi_rows cdi_rows_of(const cd_transform *pose) {
    cdi_pose p = cdi_pose_of(pose);
    cdi_m3 turned = cdi_m3_transpose(&p.rotation);
    cdi_rows r;
    for (int k = 0; k < 3; ++k) r.row[k] = turned.c[k];
    cdi_v3_store(r.at, p.position);
    r.cubic = cdi_quat_is_cubic(pose->rotation);
    return r;
}

/* x + at rounded down by all that may be wrong: entries of the matrix are off by 8 units of 2^-53, a sum of three products by
 * three of its terms' magnitudes and three of the smallest numbers. No point's coordinates sum up to more than `size`. */
static cd_real cdi_bound_down(double x, double at, double size, bool cubic) {
    if (!cubic) return cdi_round_down((x + at) - (1.8e-15 * size + 4.5e-16 * cdi_abs(at) + 2e-323), -1.0);
    return cdi_diff_down(x, -at);
}

static void cdi_bound(const cdi_rows *r, int k, double lo, double hi, double size, cd_aabb *b) {
    cd_real least = cdi_bound_down(lo, r->at[k], size, r->cubic);
    cd_real most = -cdi_bound_down(-hi, -r->at[k], size, r->cubic);
    if (k == 0) b->min.x = least, b->max.x = most;
    if (k == 1) b->min.y = least, b->max.y = most;
    if (k == 2) b->min.z = least, b->max.z = most;
}

static double cdi_sum_abs(cdi_v3 v) {
    return cdi_abs(v.x) + cdi_abs(v.y) + cdi_abs(v.z);
}

/* ---- boxes ---- */

/* Each term takes its smaller and its larger value from one bound or the other (Arvo 1990). */
CD_API cd_aabb cd_aabb_transform(cd_aabb b, const cd_transform *pose) {
    cdi_rows r = cdi_rows_of(pose);
    cdi_v3 p = cdi_v3_of(b.min), q = cdi_v3_of(b.max);
    double size = cdi_sum_abs(p) + cdi_sum_abs(q);
    cd_aabb out = cd_aabb_empty();
    if (!cd_aabb_is_valid(b) || !cd_transform_is_valid(pose)) return out;
    for (int k = 0; k < 3; ++k) {
        double lo = 0.0, hi = 0.0;
        for (int i = 0; i < 3; ++i) {
            double m = cdi_v3_get(r.row[k], i), e = m * cdi_v3_get(p, i), f = m * cdi_v3_get(q, i);
            lo += cdi_min(e, f);
            hi += cdi_max(e, f);
        }
        cdi_bound(&r, k, lo, hi, size, &out);
    }
    return out;
}

/* The half width turned, and what the centre is off where it is stored, rounded up. */
static cd_real cdi_half_turned(const cdi_rows *r, int k, cdi_v3 c, cdi_v3 h, cd_real *stored) {
    cdi_v3 m = r->row[k];
    double half = cdi_abs(m.x) * h.x + cdi_abs(m.y) * h.y + cdi_abs(m.z) * h.z, at, tail, off, rest;
    cdi_two_sum(cdi_v3_dot(m, c), r->at[k], &at, &tail);
    *stored = cdi_real_of(at);
    cdi_two_diff(at, (double)*stored, &off, &rest);
    off = cdi_abs(off) + cdi_abs(rest) + cdi_abs(tail);
    if (r->cubic && off == 0.0) return (cd_real)half;
    half += off + 1.8e-15 * (cdi_sum_abs(c) + cdi_sum_abs(h)) + 4.5e-16 * (cdi_abs(r->at[k]) + off) + 5e-323;
    return half <= (double)CD_REAL_MAX ? -cdi_round_down(-half, -1.0) : (cd_real)cdi_infinity();
}

CD_API cd_aabb_cr cd_aabb_cr_transform(const cd_aabb_cr *b, const cd_transform *pose) {
    cd_aabb_cr out = cd_aabb_cr_from_aabb(cd_aabb_empty());
    cdi_v3 c = cdi_v3_of(b->center), h = cdi_v3_of(b->half);
    cdi_rows r = cdi_rows_of(pose);
    if (!cd_aabb_cr_is_valid(b) || !cd_transform_is_valid(pose)) return out;
    out.half.x = cdi_half_turned(&r, 0, c, h, &out.center.x);
    out.half.y = cdi_half_turned(&r, 1, c, h, &out.center.y);
    out.half.z = cdi_half_turned(&r, 2, c, h, &out.center.z);
    return out;
}

/* ---- hulls ---- */

/* The directions -x, x, -y, y, -z, z of the moved hull, in its own frame. */
static cdi_v3 cdi_row_side(const cdi_rows *r, int side) {
    return side % 2 ? r->row[side / 2] : cdi_v3_neg(r->row[side / 2]);
}

/* The box from the extreme vertices along the rows. All vertices are in the box of these, turned back: the sum of their
 * coordinates is at most three times the largest of its bounds. */
static cd_aabb cdi_hull_box(const cd_hull_parts *h, const cdi_rows *r, const uint32_t vertex[6]) {
    double x[6], most = 0.0;
    cd_aabb box = cd_aabb_empty();
    for (int i = 0; i < 6; ++i) {
        x[i] = cdi_v3_dot(r->row[i / 2], cdi_v3_of(h->vertices[vertex[i]]));
        most = cdi_max(cdi_abs(x[i]), most);
    }
    for (int k = 0; k < 3; ++k) cdi_bound(r, k, x[2 * k], x[2 * k + 1], 3.1 * most, &box);
    return box;
}

CD_API cd_aabb cd_aabb_from_hull(const cd_hull *hull, const cd_transform *pose) {
    cd_transform still = cd_transform_identity();
    cd_hull_parts h = cd_hull_get_parts(hull);
    uint32_t vertex[6];
    cdi_rows r;
    if (!pose) pose = &still;
    if (h.vertex_count == 0 || !cd_transform_is_valid(pose)) return cd_aabb_empty();
    r = cdi_rows_of(pose);
    for (int k = 0; k < 6; ++k) vertex[k] = cdi_farthest_of_all(&h, cdi_row_side(&r, k));
    return cdi_hull_box(&h, &r, vertex);
}

CD_API cd_aabb cd_aabb_climb(const cd_hull *hull, const cd_transform *pose, cd_aabb_climb_cache *cache) {
    cd_transform still = cd_transform_identity();
    cd_hull_parts h = cd_hull_get_parts(hull);
    uint32_t vertex[6], steps = 0;
    cdi_rows r;
    if (!pose) pose = &still;
    if (h.vertex_count == 0 || !cd_transform_is_valid(pose)) return cd_aabb_empty();
    r = cdi_rows_of(pose);
    for (int k = 0; k < 6; ++k) {
        vertex[k] = cdi_farthest_from(&h, cdi_row_side(&r, k), cache ? cache->vertex[k] : CD_NONE, &steps);
        if (cache) cache->vertex[k] = vertex[k];
    }
    return cdi_hull_box(&h, &r, vertex);
}
