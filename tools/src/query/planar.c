#include "query/planar.h"
#include "core/orient.h"

/* ---- circles ---- */

/* Is (x, y), of exact differences, no longer than r? */
static bool cdi_within_circle(cdi_diff x, cdi_diff y, cdi_diff r) {
    cdi_diff d[3];
    d[0] = x;
    d[1] = y;
    d[2] = cdi_diff_of(0.0, 0.0);
    return cdi_compare_squares(d, r) <= 0;
}

/* Is a point of the rectangle no farther than r from p? */
static bool cdi_rect_near(cdi_v2 p, cdi_v2 lo, cdi_v2 hi, cdi_diff r) {
    return cdi_within_circle(cdi_diff_of(p.x, cdi_clamp(p.x, lo.x, hi.x)),
                             cdi_diff_of(p.y, cdi_clamp(p.y, lo.y, hi.y)), r);
}

CD_API bool cd_test_2d_point_circle(cd_vec2 p, cd_circle c) {
    cdi_v2 q = cdi_v2_of(p);
    return cd_vec2_is_valid(p) && cd_circle_is_valid(c) &&
           cdi_rect_near(cdi_v2_of(c.center), q, q, cdi_diff_of((double)c.radius, 0.0));
}

CD_API bool cd_test_2d_circle_circle(cd_circle a, cd_circle b) {
    cdi_v2 q = cdi_v2_of(b.center);
    return cd_circle_is_valid(a) && cd_circle_is_valid(b) &&
           cdi_rect_near(cdi_v2_of(a.center), q, q, cdi_diff_of((double)a.radius, -(double)b.radius));
}

CD_API bool cd_test_2d_circle_aabb(cd_circle c, cd_aabb2 b) {
    return cd_circle_is_valid(c) && cd_aabb2_is_valid(b) &&
           cdi_rect_near(cdi_v2_of(c.center), cdi_v2_of(b.min), cdi_v2_of(b.max),
                         cdi_diff_of((double)c.radius, 0.0));
}

/* ---- rectangles ---- */

CD_API bool cd_test_2d_point_aabb(cd_vec2 p, cd_aabb2 b) {
    return b.min.x <= p.x && p.x <= b.max.x && b.min.y <= p.y && p.y <= b.max.y;
}

CD_API bool cd_test_2d_aabb_aabb(cd_aabb2 a, cd_aabb2 b) {
    return a.min.x <= b.max.x && b.min.x <= a.max.x && a.min.y <= b.max.y && b.min.y <= a.max.y &&
           !cd_aabb2_is_empty(a) && !cd_aabb2_is_empty(b);
}

/* An oriented rectangle of doubles, with both its axes. */
typedef struct cdi_rect {
    cdi_v2 center, axis[2];
    double half[2];
} cdi_rect;

/* False for a bad one. Without an axis it is its centre. */
static bool cdi_rect_of(const cd_obb2 *b, cdi_rect *r) {
    r->center = cdi_v2_of(b->center);
    r->axis[0] = cdi_v2_of(b->axis);
    r->axis[1].x = -r->axis[0].y;
    r->axis[1].y = r->axis[0].x;
    r->half[0] = (double)b->half.x;
    r->half[1] = (double)b->half.y;
    if (b->axis.x == 0 && b->axis.y == 0) {
        r->axis[0].x = r->axis[1].y = 1.0;
        r->half[0] = r->half[1] = 0.0;
    }
    return cd_vec2_is_valid(b->center) && cd_vec2_is_valid(b->axis) && cd_vec2_is_valid(b->half) &&
           b->half.x >= 0 && b->half.y >= 0;
}

CD_API bool cd_test_2d_circle_obb(cd_circle c, const cd_obb2 *b) {
    cdi_rect r;
    cdi_v2 p, lo, hi;
    cdi_v3 u;
    double x = 0.125 * (double)c.center.x - 0.125 * (double)b->center.x,
           y = 0.125 * (double)c.center.y - 0.125 * (double)b->center.y, length;
    if (!cdi_rect_of(b, &r) || !cd_circle_is_valid(c)) return false;
    u = cdi_v3_make(r.axis[0].x, r.axis[0].y, 0.0);
    length = 0.125 * cdi_v3_length(u);
    u = cdi_v3_normalize(u);
    p.x = u.x * x + u.y * y;
    p.y = u.x * y - u.y * x;
    hi.x = cdi_min(length * r.half[0], CDI_HUGE);
    hi.y = cdi_min(length * r.half[1], CDI_HUGE);
    lo.x = -hi.x;
    lo.y = -hi.y;
    return cdi_rect_near(p, lo, hi, cdi_diff_of(0.125 * (double)c.radius, 0.0));
}

/* ---- exact signs of rectangles ----
 * All of it comes down to one number: d . u - (h u . u + h0 |v . u| + h1 |v' . u|), how far a rectangle with axes v and v',
 * d from another, is beyond the side of that one with axis u, in units of u's length. */

typedef struct cdi_beyond {
    cdi_diff d[2];   /* the way between the centres */
    cdi_v2 u;        /* the axis */
    double h;        /* the half extent along it, in lengths of u */
    cdi_v2 v;        /* the axis of the other */
    double other[2]; /* and its half extents; 0 for a point */
} cdi_beyond;

static cdi_exact cdi_exact_dot2(cdi_arena *arena, cdi_exact a, cdi_exact b, cdi_exact c, cdi_exact d) {
    return cdi_exact_add(arena, cdi_exact_mul(arena, a, b), cdi_exact_mul(arena, c, d));
}

/* h |x| */
static cdi_exact cdi_exact_extent(cdi_arena *arena, double h, cdi_exact x) {
    x.sign = x.sign < 0 ? 1 : x.sign;
    return cdi_exact_mul(arena, cdi_exact_of(arena, h), x);
}

static CDI_COLD int cdi_beyond_exact(const cdi_beyond *b) {
    uint32_t limbs[44 * CDI_EXACT_LIMBS];
    cdi_arena arena = cdi_arena_on(limbs, 44 * CDI_EXACT_LIMBS);
    cdi_exact ux = cdi_exact_of(&arena, b->u.x), uy = cdi_exact_of(&arena, b->u.y);
    cdi_exact vx = cdi_exact_of(&arena, b->v.x), vy = cdi_exact_of(&arena, b->v.y);
    cdi_exact dx = cdi_exact_diff(&arena, b->d[0].a, b->d[0].b);
    cdi_exact dy = cdi_exact_diff(&arena, b->d[1].a, b->d[1].b);
    cdi_exact sum = cdi_exact_dot2(&arena, dx, ux, dy, uy), x;
    x = cdi_exact_extent(&arena, b->h, cdi_exact_dot2(&arena, ux, ux, uy, uy));
    sum = cdi_exact_sub(&arena, sum, x);
    x = cdi_exact_extent(&arena, b->other[0], cdi_exact_dot2(&arena, vx, ux, vy, uy));
    sum = cdi_exact_sub(&arena, sum, x);
    x = cdi_exact_extent(&arena, b->other[1], cdi_exact_dot2(&arena, vx, uy, cdi_exact_neg(vy), ux));
    return cdi_exact_sub(&arena, sum, x).sign;
}

/* Is the other strictly beyond? The bound is that of at most ten roundings. */
static bool cdi_is_beyond(const cdi_beyond *b) {
    double x = (b->d[0].a - b->d[0].b) * b->u.x, y = (b->d[1].a - b->d[1].b) * b->u.y;
    double own = b->h * (b->u.x * b->u.x + b->u.y * b->u.y);
    double p = b->v.x * b->u.x, q = b->v.y * b->u.y, r = b->v.x * b->u.y, s = b->v.y * b->u.x;
    double gap = x + y - own - b->other[0] * cdi_abs(p + q) - b->other[1] * cdi_abs(r - s);
    double size = cdi_abs(x) + cdi_abs(y) + own + b->other[0] * (cdi_abs(p) + cdi_abs(q)) +
                  b->other[1] * (cdi_abs(r) + cdi_abs(s));
    if (cdi_abs(gap) > 2e-15 * size + 1e-280 * (1.0 + b->h + b->other[0] + b->other[1])) return gap > 0.0;
    return cdi_beyond_exact(b) > 0;
}

/* Is `other`, at a place given by two numbers each way, beyond a side of r with axis i? */
static bool cdi_side_parts(const cdi_rect *r, int i, cdi_v2 at, cdi_v2 v, double h0, double h1) {
    cdi_beyond b;
    b.d[0] = cdi_diff_of(at.x, r->center.x);
    b.d[1] = cdi_diff_of(at.y, r->center.y);
    b.u = r->axis[i];
    b.h = r->half[i];
    b.v = v;
    b.other[0] = h0;
    b.other[1] = h1;
    if (cdi_is_beyond(&b)) return true;
    b.d[0] = cdi_diff_of(r->center.x, at.x);
    b.d[1] = cdi_diff_of(r->center.y, at.y);
    return cdi_is_beyond(&b);
}

CD_API bool cd_test_2d_point_obb(cd_vec2 p, const cd_obb2 *b) {
    cdi_rect r;
    cdi_v2 at = cdi_v2_of(p);
    if (!cd_vec2_is_valid(p) || !cdi_rect_of(b, &r)) return false;
    return !cdi_side_parts(&r, 0, at, r.axis[0], 0.0, 0.0) && !cdi_side_parts(&r, 1, at, r.axis[0], 0.0, 0.0);
}

static bool cdi_rect_parts(const cdi_rect *r, const cdi_rect *s) {
    for (int i = 0; i < 2; ++i) {
        if (cdi_side_parts(r, i, s->center, s->axis[0], s->half[0], s->half[1])) return true;
    }
    return false;
}

CD_API bool cd_test_2d_obb_obb(const cd_obb2 *a, const cd_obb2 *b) {
    cdi_rect r, s;
    if (!cdi_rect_of(a, &r) || !cdi_rect_of(b, &s)) return false;
    return !cdi_rect_parts(&r, &s) && !cdi_rect_parts(&s, &r);
}

/* Is the rectangle lo, hi beyond the side of r with axis u? Its corner nearest to that side decides. */
static bool cdi_corner_beyond(const cdi_rect *r, int i, bool back, cdi_v2 lo, cdi_v2 hi) {
    cdi_beyond b;
    b.u = r->axis[i];
    if (back) b.u.x = -b.u.x, b.u.y = -b.u.y;
    b.d[0] = cdi_diff_of(b.u.x > 0.0 ? lo.x : hi.x, r->center.x);
    b.d[1] = cdi_diff_of(b.u.y > 0.0 ? lo.y : hi.y, r->center.y);
    b.h = r->half[i];
    b.v = b.u;
    b.other[0] = b.other[1] = 0.0;
    return cdi_is_beyond(&b);
}

/* Is r beyond the bound at `x` of the other's axis i, on its upper or lower side? */
static bool cdi_bound_beyond(const cdi_rect *r, int i, double x, bool upper) {
    double c = i ? r->center.y : r->center.x;
    cdi_beyond b;
    b.u.x = i ? 0.0 : 1.0;
    b.u.y = i ? 1.0 : 0.0;
    b.d[i] = upper ? cdi_diff_of(c, x) : cdi_diff_of(x, c);
    b.d[1 - i] = cdi_diff_of(0.0, 0.0);
    b.h = 0.0;
    b.v = r->axis[0];
    b.other[0] = r->half[0];
    b.other[1] = r->half[1];
    return cdi_is_beyond(&b);
}

CD_API bool cd_test_2d_aabb_obb(cd_aabb2 a, const cd_obb2 *b) {
    cdi_v2 lo = cdi_v2_of(a.min), hi = cdi_v2_of(a.max);
    cdi_rect r;
    if (!cd_aabb2_is_valid(a) || !cdi_rect_of(b, &r)) return false;
    if (cdi_bound_beyond(&r, 0, hi.x, true) || cdi_bound_beyond(&r, 0, lo.x, false)) return false;
    if (cdi_bound_beyond(&r, 1, hi.y, true) || cdi_bound_beyond(&r, 1, lo.y, false)) return false;
    for (int i = 0; i < 2; ++i) {
        if (cdi_corner_beyond(&r, i, false, lo, hi) || cdi_corner_beyond(&r, i, true, lo, hi)) return false;
    }
    return true;
}

/* ---- convex polygons ---- */

/* A convex polygon read counter-clockwise; one without area as the two ends of its segment, or one point. */
typedef struct cdi_round2 {
    const cd_vec2 *corner;
    size_t count;
    bool clockwise;
    cd_vec2 end[2];
} cdi_round2;

static cdi_v2 cdi_round2_at(const cdi_round2 *r, size_t i) {
    return cdi_v2_of(r->corner[r->clockwise ? r->count - 1 - i : i]);
}

static size_t cdi_round2_next(const cdi_round2 *r, size_t i) {
    return i + 1 < r->count ? i + 1 : 0;
}

/* From the leftmost corner on, a counter-clockwise polygon has all that is not in line with the ends to the right before the
 * rightmost corner, and to the left after it: the first corner that is not in line tells. 0 when all are. */
static int cdi_round2_turn(const cdi_round2 *r, size_t first, cdi_v2 right) {
    cdi_v2 left = cdi_round2_at(r, first);
    bool passed = false;
    for (size_t k = 0, i = first; k < r->count; ++k, i = cdi_round2_next(r, i)) {
        cdi_v2 p = cdi_round2_at(r, i);
        double side = cdi_orient2d(left, right, p);
        passed = passed || cdi_v2_same(p, right);
        if (side != 0.0) return (side > 0.0) == passed ? 1 : -1;
    }
    return 0;
}

static bool cdi_round2_of(cdi_round2 *r, const cd_vec2 *v, size_t count) {
    size_t first = 0, last = 0;
    int turn;
    r->corner = v;
    r->count = count;
    r->clockwise = false;
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec2_is_valid(v[i])) return false;
        if (cdi_goes_up(cdi_v2_of(v[i]), cdi_v2_of(v[first]))) first = i;
        if (cdi_goes_up(cdi_v2_of(v[last]), cdi_v2_of(v[i]))) last = i;
    }
    if (count == 0) return false;
    turn = cdi_round2_turn(r, first, cdi_v2_of(v[last]));
    r->clockwise = turn < 0;
    if (turn == 0) {
        r->end[0] = v[first];
        r->end[1] = v[last];
        r->corner = r->end;
        r->count = cdi_v2_same(cdi_v2_of(v[first]), cdi_v2_of(v[last])) ? 1 : 2;
    }
    return true;
}

/* The corner of b farthest to the left of the edge p q, by looking at all. */
static size_t cdi_leftmost(const cdi_round2 *b, cdi_v2 p, cdi_v2 q) {
    size_t best = 0;
    for (size_t i = 1; i < b->count; ++i) {
        if (cdi_orient_edges(p, q, cdi_round2_at(b, best), cdi_round2_at(b, i)) > 0.0) best = i;
    }
    return best;
}

/* The same by going around from the leftmost of the edge before; `steps` counts down over all edges. */
static size_t cdi_go_left(const cdi_round2 *b, size_t at, cdi_v2 p, cdi_v2 q, size_t *steps) {
    for (size_t k = 0; k<b->count && * steps> 0; ++k, --*steps) {
        size_t next = cdi_round2_next(b, at);
        if (!(cdi_orient_edges(p, q, cdi_round2_at(b, at), cdi_round2_at(b, next)) >= 0.0)) break;
        at = next;
    }
    return at;
}

/* Is all of b to the right of an edge of a? */
static bool cdi_edges_part(const cdi_round2 *a, const cdi_round2 *b) {
    size_t steps = 4 * (a->count + b->count), far_left = 0;
    bool found = false;
    for (size_t i = 0; i < a->count; ++i) {
        cdi_v2 p = cdi_round2_at(a, i), q = cdi_round2_at(a, cdi_round2_next(a, i));
        if (cdi_v2_same(p, q)) continue;
        far_left = found ? cdi_go_left(b, far_left, p, q, &steps) : cdi_leftmost(b, p, q);
        found = true;
        if (cdi_orient2d(p, q, cdi_round2_at(b, far_left)) < 0.0) return true;
    }
    return false;
}

/* The bounds part what is on one line, where no edge does. */
CD_API bool cd_test_2d_polygon_polygon(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count) {
    cdi_round2 r, s;
    if (!cd_test_2d_aabb_aabb(cd_aabb2_from_points(a, a_count), cd_aabb2_from_points(b, b_count)))
        return false;
    if (!cdi_round2_of(&r, a, a_count) || !cdi_round2_of(&s, b, b_count)) return false;
    return !cdi_edges_part(&r, &s) && !cdi_edges_part(&s, &r);
}

/* ---- rays ---- */

/* The rectangle as the middle of a column that has no ends within reach. */
CD_API bool cd_cast_ray_rect(cd_vec2 origin, cd_vec2 dir, cd_real t_max, cd_aabb2 rect,
                             const cd_cast_options *options, cd_hit *hit) {
    cd_ray r;
    cd_aabb column;
    r.origin = cd_vec3_make(origin.x, origin.y, 0);
    r.dir = cd_vec3_make(dir.x, dir.y, 0);
    column.min = cd_vec3_make(rect.min.x, rect.min.y, -CD_REAL_MAX);
    column.max = cd_vec3_make(rect.max.x, rect.max.y, CD_REAL_MAX);
    return cd_cast_ray_aabb(&r, t_max, column, options, hit);
}
