#include "any/known_distance.h"
#include "query/flat3d.h"

enum { CDI_CORE_POINT, CDI_CORE_SEGMENT, CDI_CORE_BOX };

/* What a radius is about: of a box the center and half extents along axes, which are perpendicular to the rounding of the interface. */
typedef struct cdi_known_core {
    int kind;
    cdi_v3 p, q; /* of a point twice */
    cdi_m3 axes;
    cdi_v3 half;
    double radius;
} cdi_known_core;

static void cdi_core_of_segment(cdi_known_core *c, cd_vec3 p, cd_vec3 q, cd_real radius) {
    c->p = cdi_v3_of(p);
    c->q = cdi_v3_of(q);
    c->radius = (double)radius;
}

static void cdi_core_of_aabb(cdi_known_core *c, cd_aabb b) {
    cdi_v3 lo = cdi_v3_scale(cdi_v3_of(b.min), 0.5), hi = cdi_v3_scale(cdi_v3_of(b.max), 0.5);
    c->p = cdi_v3_add(hi, lo);
    c->half = cdi_v3_sub(hi, lo);
    c->axes.c[0] = cdi_v3_make(1.0, 0.0, 0.0);
    c->axes.c[1] = cdi_v3_make(0.0, 1.0, 0.0);
    c->axes.c[2] = cdi_v3_make(0.0, 0.0, 1.0);
}

static void cdi_core_of_obb(cdi_known_core *c, const cd_obb *b) {
    c->p = cdi_v3_of(b->center);
    c->half = cdi_v3_of(b->half);
    c->axes.c[0] = cdi_v3_of(b->axes.col[0]);
    c->axes.c[1] = cdi_v3_of(b->axes.col[1]);
    c->axes.c[2] = cdi_v3_of(b->axes.col[2]);
}

static bool cdi_core_of(cdi_known_core *c, const cd_shape *s) {
    cd_sphere ball;
    cd_capsule rod;
    if (cdi_shape_as_ball(s, &ball)) {
        c->kind = CDI_CORE_POINT;
        cdi_core_of_segment(c, ball.center, ball.center, ball.radius);
        return true;
    }
    if (cdi_shape_as_rod(s, &rod)) {
        c->kind = CDI_CORE_SEGMENT;
        cdi_core_of_segment(c, rod.a, rod.b, rod.radius);
        return true;
    }
    if ((s->type != CD_SHAPE_AABB && s->type != CD_SHAPE_OBB) || cdi_shape_is_stretched(s)) return false;
    if (s->type == CD_SHAPE_AABB) {
        cdi_core_of_aabb(c, s->u.aabb);
    } else {
        cdi_core_of_obb(c, &s->u.obb);
    }
    c->kind = CDI_CORE_BOX;
    c->q = c->p;
    c->radius = (double)s->radius;
    return true;
}

static void cdi_core_place(cdi_known_core *c, const cdi_pose *at) {
    c->p = cdi_pose_point(at, c->p);
    c->q = cdi_pose_point(at, c->q);
    if (c->kind == CDI_CORE_BOX) c->axes = cdi_m3_mul(&at->rotation, &c->axes);
}

/* How far it reaches along a vector. */
static double cdi_core_reach(const cdi_known_core *c, cdi_v3 n) {
    double most = cdi_max(cdi_v3_dot(n, c->p), cdi_v3_dot(n, c->q));
    if (c->kind != CDI_CORE_BOX) return most;
    return most + c->half.x * cdi_abs(cdi_v3_dot(n, c->axes.c[0])) +
           c->half.y * cdi_abs(cdi_v3_dot(n, c->axes.c[1])) +
           c->half.z * cdi_abs(cdi_v3_dot(n, c->axes.c[2]));
}

static double cdi_core_most(const cdi_known_core *c) {
    double most = cdi_max(cdi_v3_max_abs(c->p), cdi_v3_max_abs(c->q));
    return cdi_max(c->kind == CDI_CORE_BOX ? most + cdi_v3_max_abs(c->half) : most, c->radius);
}

/* ---- features ---- */

static uint32_t cdi_core_feature(const cdi_known_core *c, double t) {
    if (c->kind == CDI_CORE_SEGMENT) return cdi_segment_feature(t);
    return c->radius > 0.0 ? CD_FEATURE(CD_FEATURE_FACE, 0u) : CD_FEATURE(CD_FEATURE_VERTEX, 0u);
}

/* By the sides that a point is on: below 0, above, or 0 for none. */
static uint32_t cdi_box_side_feature(const int side[3]) {
    uint32_t at[3], on = 0, last = 0, off = 0;
    for (uint32_t k = 0; k < 3; ++k) {
        at[k] = side[k] > 0 ? 1u : 0u;
        if (side[k] != 0) ++on, last = k;
        if (side[k] == 0) off = k;
    }
    if (on == 3) return CD_FEATURE(CD_FEATURE_VERTEX, at[0] + 2 * at[1] + 4 * at[2]);
    if (on == 2)
        return CD_FEATURE(CD_FEATURE_EDGE, 4 * off + at[off == 0 ? 1 : 0] + 2 * at[off == 2 ? 1 : 2]);
    return on == 1 ? CD_FEATURE(CD_FEATURE_FACE, 2 * last + at[last]) : (uint32_t)CD_FEATURE_NONE;
}

/* ---- the nearest points of two cores ---- */

/* `a` is of the first, which is no box; `depth`: how deep a point is in a box, along `normal`, else 0. */
typedef struct cdi_core_gap {
    cdi_v3 a, b, normal;
    double depth;
    uint32_t feature_a, feature_b;
} cdi_core_gap;

static void cdi_gap_of_segments(const cdi_known_core *a, const cdi_known_core *b, cdi_core_gap *out) {
    double s = 0.0, t = 0.0;
    out->a = a->p;
    out->b = b->p;
    if (a->kind == CDI_CORE_SEGMENT && b->kind == CDI_CORE_SEGMENT) {
        cdi_bridge gap = cdi_near_segments(a->p, a->q, b->p, b->q);
        out->a = gap.a;
        out->b = gap.b;
        s = gap.s;
        t = gap.t;
    } else if (a->kind == CDI_CORE_SEGMENT) {
        out->a = cdi_near_segment(b->p, a->p, a->q, &s);
    } else if (b->kind == CDI_CORE_SEGMENT) {
        out->b = cdi_near_segment(a->p, b->p, b->q, &t);
    }
    out->feature_a = cdi_core_feature(a, s);
    out->feature_b = cdi_core_feature(b, t);
}

/* A point in the box: out by the nearest face. */
static void cdi_gap_in_box(const cdi_known_core *box, cdi_v3 from, cdi_core_gap *out) {
    int side[3] = {0, 0, 0}, best = 0;
    out->depth = CDI_HUGE;
    for (int k = 0; k < 3; ++k) {
        cdi_v3 n = cdi_v3_unit(cdi_v3_cross(box->axes.c[(k + 1) % 3], box->axes.c[(k + 2) % 3]));
        double up = cdi_v3_dot(n, from), half = cdi_v3_get(box->half, k), way;
        way = half * cdi_abs(cdi_v3_dot(n, box->axes.c[k])) - cdi_abs(up);
        if (!(way < out->depth)) continue;
        out->depth = way;
        out->normal = up < 0.0 ? n : cdi_v3_neg(n); /* against the way out */
        best = up < 0.0 ? -1 - k : 1 + k;
    }
    side[best < 0 ? -1 - best : best - 1] = best;
    out->b = cdi_v3_along(out->a, out->normal, 0.0 - out->depth);
    out->feature_b = cdi_box_side_feature(side);
}

/* A point and a box: the parts of its way along the axes, clamped; what the axes are off from perpendicular is made good in two more rounds. */
static void cdi_gap_of_box(const cdi_known_core *box, cdi_core_gap *out) {
    cdi_v3 from = cdi_v3_sub(out->a, box->p), rest = from, at = cdi_v3_make(0.0, 0.0, 0.0), h = box->half;
    int side[3];
    for (int i = 0; i < 3; ++i) {
        at = cdi_v3_add(at, cdi_m3_tmul_v3(&box->axes, rest));
        at = cdi_v3_make(cdi_clamp(at.x, 0.0 - h.x, h.x), cdi_clamp(at.y, 0.0 - h.y, h.y),
                         cdi_clamp(at.z, 0.0 - h.z, h.z));
        rest = cdi_v3_sub(from, cdi_m3_mul_v3(&box->axes, at));
    }
    for (int k = 0; k < 3; ++k) {
        double x = cdi_v3_get(at, k), most = cdi_v3_get(h, k);
        side[k] = x >= most ? 1 : x <= 0.0 - most ? -1 : 0;
    }
    out->b = cdi_v3_add(box->p, cdi_m3_mul_v3(&box->axes, at));
    out->feature_b = cdi_box_side_feature(side);
    if (out->feature_b == CD_FEATURE_NONE) cdi_gap_in_box(box, from, out);
}

/* A segment and a box that do not meet: the point of the segment first. */
static void cdi_gap_to_box(const cdi_known_core *a, const cdi_known_core *box, cdi_core_gap *out) {
    double t = 0.0;
    out->a = a->p;
    if (a->kind == CDI_CORE_SEGMENT) {
        cdi_v3 p = cdi_m3_tmul_v3(&box->axes, cdi_v3_sub(a->p, box->p));
        cdi_v3 q = cdi_m3_tmul_v3(&box->axes, cdi_v3_sub(a->q, box->p));
        t = cdi_near_segment_box(p, q, cdi_v3_neg(box->half), box->half);
        out->a = cdi_v3_along(cdi_v3_scale(a->p, 1.0 - t), a->q, t);
    }
    out->feature_a = cdi_core_feature(a, t);
    cdi_gap_of_box(box, out);
}

/* ---- the answer ---- */

#define CDI_KNOWN_NEAR                                                                                       \
    9.5e-7 /* 2^-20 of the largest coordinate: cores nearer than that are not parted in closed form */

/* The distance of the cores along the normal: false where the plane across it does not prove it. */
static bool cdi_gap_measure(const cdi_known_core *a, const cdi_known_core *b, double most, cdi_core_gap *gap,
                            double *distance, double *lower) {
    cdi_v3 way = cdi_v3_sub(gap->b, gap->a);
    *distance = cdi_v3_norm(way);
    if (gap->depth > 0.0) {
        if (a->kind != CDI_CORE_POINT) return false;
        *distance = 0.0 - gap->depth;
    } else if (*distance > CDI_KNOWN_NEAR * most) {
        gap->normal = cdi_v3_unit(way);
    } else {
        return false;
    }
    *lower = 0.0 - cdi_core_reach(a, gap->normal) - cdi_core_reach(b, cdi_v3_neg(gap->normal));
    *lower = cdi_min(*lower, *distance) - 8.0 * CDI_GJK_ROUNDING * most;
    return *distance - *lower <= 64.0 * CDI_GJK_ROUNDING * most;
}

CDI_FN bool cdi_known_clearance(const cd_shape *a, const cd_shape *b, const cdi_pose *b_at,
                                cdi_clearance *out) {
    cdi_known_core c[2];
    cdi_core_gap gap;
    double most, distance, lower, radii;
    int first;
    if (!cdi_core_of(&c[0], a) || !cdi_core_of(&c[1], b)) return false;
    first = c[0].kind == CDI_CORE_BOX ? 1 : 0;
    if (c[first].kind == CDI_CORE_BOX) return false;
    if (b_at) cdi_core_place(&c[1], b_at);
    most = cdi_max(cdi_core_most(&c[0]), cdi_core_most(&c[1]));
    if (cdi_tame_shift(most) != 0) return false;
    gap.depth = 0.0;
    if (c[1 - first].kind == CDI_CORE_BOX) {
        cdi_gap_to_box(&c[first], &c[1 - first], &gap);
    } else {
        cdi_gap_of_segments(&c[0], &c[1], &gap);
    }
    if (!cdi_gap_measure(&c[first], &c[1 - first], most, &gap, &distance, &lower)) return false;
    radii = c[0].radius + c[1].radius;
    gap.a = cdi_v3_along(gap.a, gap.normal, c[first].radius);
    gap.b = cdi_v3_along(gap.b, gap.normal, 0.0 - c[1 - first].radius);
    out->upper = distance - radii;
    out->lower = lower - radii;
    out->normal = first ? cdi_v3_neg(gap.normal) : gap.normal;
    out->a = first ? gap.b : gap.a;
    out->b = first ? gap.a : gap.b;
    out->feature_a = first ? gap.feature_b : gap.feature_a;
    out->feature_b = first ? gap.feature_a : gap.feature_b;
    out->iterations = 0;
    return true;
}

#undef CDI_KNOWN_NEAR
