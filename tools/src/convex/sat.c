#include "convex/sat.h"
#include "convex/sat3d.h"
#include "shape/volume3d.h"

/* What begins a cache of this module. */
static const uint32_t cdi_sat_mark = 0x53415400u;

/* ---- caches ---- */

static void cdi_sat_from_cache(cdi_sat3d_sat *axis, const cd_cache *cache) {
    cdi_clear(axis, sizeof *axis);
    if (!cache || (cache->words[0] & ~7u) != cdi_sat_mark) return;
    axis->kind = cache->words[0] & 7u;
    for (int i = 0; i < 2; ++i) {
        axis->part[i] = cache->words[1 + i];
        axis->top[i] = cache->words[3 + i];
        axis->beyond[i] = cache->words[5 + i];
    }
}

static void cdi_sat_to_cache(const cdi_sat3d_sat *axis, cd_cache *cache) {
    if (!cache) return;
    cdi_clear(cache, sizeof *cache);
    cache->words[0] = cdi_sat_mark | axis->kind;
    for (int i = 0; i < 2; ++i) {
        cache->words[1 + i] = axis->part[i];
        cache->words[3 + i] = axis->top[i];
        cache->words[5 + i] = axis->beyond[i];
    }
}

/* ---- answers ---- */

static cd_sat_axis cdi_sat_no_answer(cd_status status) {
    cd_sat_axis out;
    cd_vec3 nowhere;
    cdi_clear(&out, sizeof out);
    out.status = status;
    out.separation = (cd_real)cdi_nan();
    nowhere = cdi_no_point();
    out.normal = nowhere;
    out.a = nowhere;
    out.b = nowhere;
    return out;
}

static cd_vec3 cdi_sat_round(cdi_v3 v) {
    return cdi_v3_round(cdi_v3_neg(cdi_v3_neg(v))); /* without negative zeros */
}

static cd_sat_axis cdi_sat_answer(const cdi_polyhedra *p, const cdi_sat3d_sat *axis) {
    cd_sat_axis out;
    cdi_v3 a, b;
    cdi_clear(&out, sizeof out);
    out.status = CD_OK;
    out.kind = axis->kind;
    out.separation = cdi_real_of(0.0 + cdi_scale2(axis->separation, -p->shift));
    out.normal = cdi_sat_round(axis->normal);
    cdi_sat_points(p, axis, cdi_sat_slack(p), &a, &b);
    out.a = cdi_sat_round(a);
    out.b = cdi_sat_round(b);
    out.feature_a = cdi_sat_feature(p, axis, 0);
    out.feature_b = cdi_sat_feature(p, axis, 1);
    out.tried = axis->tried;
    return out;
}

/* ---- hulls and all ---- */

static cd_sat_axis cdi_sat_greatest(const cdi_polyhedra *p, cd_cache *cache) {
    cdi_sat3d_sat axis;
    cdi_sat_wish wish = cdi_sat_wish_of(p, CDI_HUGE);
    cdi_sat_from_cache(&axis, cache);
    cdi_sat_run(p, &wish, &axis);
    cdi_sat_to_cache(&axis, cache);
    return cdi_sat_answer(p, &axis);
}

static bool cdi_sat_meet(const cdi_polyhedra *p, cd_cache *cache) {
    cdi_sat3d_sat axis;
    cdi_sat_wish wish = cdi_sat_wish_of(p, cdi_sat_slack(p));
    cdi_sat_from_cache(&axis, cache);
    cdi_sat_run(p, &wish, &axis);
    cdi_sat_to_cache(&axis, cache);
    return axis.separation <= cdi_sat_slack(p);
}

static cd_status cdi_sat_open(cdi_polyhedra *p, const cd_support *a, const cd_support *b,
                              const cd_transform *b_in_a) {
    cd_status first = cdi_polyhedron_of_support(&p->body[0], a),
              second = cdi_polyhedron_of_support(&p->body[1], b);
    if (first == CD_INVALID_ARGUMENT || second == CD_INVALID_ARGUMENT) return CD_INVALID_ARGUMENT;
    if (first != CD_OK || second != CD_OK) return CD_UNSUPPORTED;
    return cdi_polyhedra_pose(p, b_in_a, 0.0) ? CD_OK : CD_INVALID_ARGUMENT;
}

static bool cdi_sat_open_hulls(cdi_polyhedra *p, const cd_hull *a, const cd_hull *b,
                               const cd_transform *b_in_a) {
    return cdi_polyhedron_of_hull(&p->body[0], a) && cdi_polyhedron_of_hull(&p->body[1], b) &&
           cdi_polyhedra_pose(p, b_in_a, 0.0);
}

CD_API cd_sat_axis cd_sat_hull_hull(const cd_hull *a, const cd_hull *b, const cd_transform *b_in_a,
                                    cd_cache *cache) {
    cdi_polyhedra p;
    if (!cdi_sat_open_hulls(&p, a, b, b_in_a)) return cdi_sat_no_answer(CD_INVALID_ARGUMENT);
    return cdi_sat_greatest(&p, cache);
}

CD_API bool cd_sat_test_hull_hull(const cd_hull *a, const cd_hull *b, const cd_transform *b_in_a,
                                  cd_cache *cache) {
    cdi_polyhedra p;
    return cdi_sat_open_hulls(&p, a, b, b_in_a) && cdi_sat_meet(&p, cache);
}

CD_API cd_sat_axis cd_sat_convex(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                                 cd_cache *cache) {
    cdi_polyhedra p;
    cd_status status = cdi_sat_open(&p, a, b, b_in_a);
    return status == CD_OK ? cdi_sat_greatest(&p, cache) : cdi_sat_no_answer(status);
}

CD_API bool cd_sat_test_convex(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                               cd_cache *cache) {
    cdi_polyhedra p;
    return cdi_sat_open(&p, a, b, b_in_a) == CD_OK && cdi_sat_meet(&p, cache);
}

/* ---- two boxes ---- */

/* Their axes and normals in one frame, and how the axes of one stand to the normals of the other. */
typedef struct cdi_sat_boxes {
    cdi_v3 axis[2][3], normal[2][3], way;
    double half[2][3], volume[2];
    double on[2][3][3]; /* |normal k of this . axis m of the other| */
    double size, slack, margin;
} cdi_sat_boxes;

/* The best of their axes: 0-2 normals of A, 3-5 of B, then 6 + 3 i + k across axis i of A and k of B. */
typedef struct cdi_sat_box_axis {
    double separation;
    cdi_v3 n;
    int number; /* -1: none yet */
    uint32_t tried;
} cdi_sat_box_axis;

static void cdi_sat_box_of(cdi_sat_boxes *s, int side, const cdi_obb *o, int shift) {
    for (int k = 0; k < 3; ++k) {
        s->axis[side][k] = o->axes.c[k];
        s->half[side][k] = cdi_scale2(o->half[k], shift);
    }
    for (int k = 0; k < 3; ++k) {
        cdi_v3 n = cdi_v3_cross(s->axis[side][(k + 1) % 3], s->axis[side][(k + 2) % 3]);
        s->normal[side][k] = n;
    }
    s->volume[side] = cdi_abs(cdi_v3_dot(s->normal[side][0], s->axis[side][0]));
}

static bool cdi_sat_boxes_open(cdi_sat_boxes *s, const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a,
                               int *shift) {
    cdi_obb p = cdi_obb_of(a), q = cdi_obb_of(b);
    if (!cd_obb_is_valid(a) || !cd_obb_is_valid(b) || (b_in_a && !cd_transform_is_valid(b_in_a)))
        return false;
    if (b_in_a) {
        cdi_pose pose = cdi_pose_of(b_in_a);
        q.center = cdi_pose_point(&pose, q.center);
        q.axes = cdi_m3_mul(&pose.rotation, &q.axes);
    }
    s->way = cdi_v3_sub(q.center, p.center);
    s->size = cdi_v3_max_abs(s->way);
    for (int k = 0; k < 3; ++k) s->size = cdi_max(s->size, cdi_max(p.half[k], q.half[k]));
    if (!cdi_finite(s->size)) return false;
    *shift = cdi_polyhedra_shift(s->size);
    s->size = cdi_scale2(s->size, *shift);
    s->slack = s->size * 5.6843418860808015e-14;
    s->margin = cdi_sat_margin(s->size);
    s->way = cdi_v3_scale2(s->way, *shift);
    cdi_sat_box_of(s, 0, &p, *shift);
    cdi_sat_box_of(s, 1, &q, *shift);
    for (int k = 0; k < 3; ++k) {
        for (int m = 0; m < 3; ++m) {
            s->on[0][k][m] = cdi_abs(cdi_v3_dot(s->normal[0][k], s->axis[1][m]));
            s->on[1][k][m] = cdi_abs(cdi_v3_dot(s->normal[1][k], s->axis[0][m]));
        }
    }
    return true;
}

static void cdi_sat_box_take(cdi_sat_box_axis *best, int number, cdi_v3 n, double along, double separation) {
    best->separation = separation;
    best->number = number;
    best->n = along < 0.0 ? cdi_v3_neg(n) : n;
}

static void cdi_sat_box_face(const cdi_sat_boxes *s, int side, int k, cdi_sat_box_axis *best) {
    cdi_v3 n = s->normal[side][k];
    double square = cdi_v3_sqlength(n), along = cdi_v3_dot(n, s->way), x, inverse;
    const double *on = s->on[side][k], *half = s->half[1 - side];
    x = cdi_abs(along) - s->half[side][k] * s->volume[side] -
        (half[0] * on[0] + half[1] * on[1] + half[2] * on[2]);
    if (best->number >= 0 && cdi_sat_is_below(x, square, best->separation)) return;
    inverse = 1.0 / cdi_sqrt(square);
    ++best->tried;
    cdi_sat_box_take(best, 3 * side + k, cdi_v3_scale(n, inverse), along, x * inverse);
}

/* What any unit axis says, measured on the boxes. */
static double cdi_sat_box_measure(const cdi_sat_boxes *s, cdi_v3 n) {
    double reach = 0.0;
    for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 3; ++k) reach += s->half[side][k] * cdi_abs(cdi_v3_dot(n, s->axis[side][k]));
    return cdi_abs(cdi_v3_dot(n, s->way)) - reach;
}

/* What is projected on the cross product of two axes are products of normals and axes, known already; what may be best is measured,
 * since between nearly parallel axes these are mostly rounding. */
static void cdi_sat_box_edge(const cdi_sat_boxes *s, int i, int m, cdi_sat_box_axis *best) {
    int j = (i + 1) % 3, k = (i + 2) % 3, l = (m + 1) % 3, o = (m + 2) % 3;
    cdi_v3 n = cdi_v3_cross(s->axis[0][i], s->axis[1][m]);
    double square = cdi_v3_sqlength(n), along = cdi_v3_dot(n, s->way), x;
    if (square <= 1e-26) return;
    x = cdi_abs(along) - (s->half[0][j] * s->on[0][k][m] + s->half[0][k] * s->on[0][j][m]) -
        (s->half[1][l] * s->on[1][o][i] + s->half[1][o] * s->on[1][l][i]);
    x += 1e-15 * s->size;
    if (best->number >= 0 && cdi_sat_is_below(x, square, best->separation + s->margin)) return;
    n = cdi_v3_scale(n, 1.0 / cdi_sqrt(square));
    x = cdi_sat_box_measure(s, n);
    ++best->tried;
    if (best->number < 0 || x > best->separation + s->margin)
        cdi_sat_box_take(best, 6 + 3 * i + m, n, along, x);
}

static void cdi_sat_box_one(const cdi_sat_boxes *s, int number, cdi_sat_box_axis *best) {
    if (number < 6) {
        cdi_sat_box_face(s, number / 3, number % 3, best);
    } else {
        cdi_sat_box_edge(s, (number - 6) / 3, (number - 6) % 3, best);
    }
}

/* The greatest, or the first above `enough`; the one of the cache is the first. */
static void cdi_sat_box_run(const cdi_sat_boxes *s, double enough, const cd_cache *cache,
                            cdi_sat_box_axis *best) {
    best->number = -1;
    best->tried = 0;
    best->separation = -CDI_HUGE;
    if (cache && (cache->words[0] & ~15u) == (cdi_sat_mark | 128u) && (cache->words[0] & 15u) < 15u)
        cdi_sat_box_one(s, (int)(cache->words[0] & 15u), best);
    for (int i = 0; i < 15 && !(best->separation > enough); ++i) cdi_sat_box_one(s, i, best);
}

static void cdi_sat_box_keep(const cdi_sat_box_axis *best, cd_cache *cache) {
    if (!cache) return;
    cdi_clear(cache, sizeof *cache);
    cache->words[0] = cdi_sat_mark | 128u | (uint32_t)best->number;
}

/* The corner of a box that is the farthest along n. */
static uint32_t cdi_sat_box_top(const cdi_sat_boxes *s, int side, cdi_v3 n) {
    uint32_t corner = 0;
    for (int k = 0; k < 3; ++k)
        if (cdi_v3_dot(n, s->axis[side][k]) > 0.0) corner |= 1u << k;
    return corner;
}

/* The half-edge between two corners. */
static uint32_t cdi_sat_box_half(const cdi_polyhedron *b, uint32_t from, uint32_t to) {
    uint32_t i = 0;
    while (i + 1 < b->parts.half_edge_count &&
           (b->parts.half_edges[i].origin != from || cdi_polyhedron_end(b, i) != to))
        ++i;
    return i;
}

/* The axis as one of two polyhedra. */
static void cdi_sat_box_name(const cdi_sat_boxes *s, const cdi_polyhedra *p, const cdi_sat_box_axis *best,
                             cdi_sat3d_sat *axis) {
    uint32_t k = (uint32_t)best->number % 3, run[2];
    axis->separation = best->separation;
    axis->normal = best->n;
    axis->tried = best->tried;
    axis->beyond[0] = axis->beyond[1] = 0;
    axis->part[0] = axis->top[0] = cdi_sat_box_top(s, 0, best->n);
    axis->part[1] = axis->top[1] = cdi_sat_box_top(s, 1, cdi_v3_neg(best->n));
    if (best->number < 6) {
        int side = best->number / 3;
        axis->kind = side ? (uint32_t)CD_SAT_FACE_B : (uint32_t)CD_SAT_FACE_A;
        axis->part[side] = 2 * k + (axis->top[side] >> k & 1u);
        return;
    }
    run[0] = 1u << (best->number - 6) / 3;
    run[1] = 1u << k;
    axis->kind = CD_SAT_EDGES;
    for (int i = 0; i < 2; ++i)
        axis->part[i] = cdi_sat_box_half(&p->body[i], axis->top[i] & ~run[i], axis->top[i] | run[i]);
}

static bool cdi_sat_box_is_full(const cd_obb *b) {
    return b->half.x > 0 && b->half.y > 0 && b->half.z > 0;
}

static cd_sat_axis cdi_sat_flat_boxes(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a,
                                      cd_cache *cache) {
    cd_support p = cd_support_of_obb(a), q = cd_support_of_obb(b);
    return cd_sat_convex(&p, &q, b_in_a, cache);
}

CD_API cd_sat_axis cd_sat_obb_obb(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a,
                                  cd_cache *cache) {
    cdi_sat_boxes s;
    cdi_sat_box_axis best;
    cdi_polyhedra p;
    cdi_sat3d_sat axis;
    int shift;
    if (!cdi_sat_boxes_open(&s, a, b, b_in_a, &shift)) return cdi_sat_no_answer(CD_INVALID_ARGUMENT);
    if (!cdi_sat_box_is_full(a) || !cdi_sat_box_is_full(b)) return cdi_sat_flat_boxes(a, b, b_in_a, cache);
    if (!cdi_polyhedron_of_obb(&p.body[0], a) || !cdi_polyhedron_of_obb(&p.body[1], b) ||
        !cdi_polyhedra_pose(&p, b_in_a, 0.0))
        return cdi_sat_no_answer(CD_INVALID_ARGUMENT);
    cdi_sat_box_run(&s, CDI_HUGE, cache, &best);
    cdi_sat_box_keep(&best, cache);
    cdi_sat_box_name(&s, &p, &best, &axis);
    axis.separation = cdi_scale2(axis.separation, p.shift - shift);
    return cdi_sat_answer(&p, &axis);
}

CD_API bool cd_sat_test_obb_obb(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a,
                                cd_cache *cache) {
    cdi_sat_boxes s;
    cdi_sat_box_axis best;
    int shift;
    if (!cdi_sat_boxes_open(&s, a, b, b_in_a, &shift)) return false;
    cdi_sat_box_run(&s, s.slack, cache, &best);
    cdi_sat_box_keep(&best, cache);
    return best.separation <= s.slack;
}
