#include "query/segments2d.h"
#include "core/orient.h"

/* A segment from left to right. */
typedef struct cdi_seg2 {
    cdi_v2 a, b;
} cdi_seg2;

static cdi_seg2 cdi_seg2_of(cd_vec2 a, cd_vec2 b) {
    cdi_seg2 s;
    s.a = cdi_v2_of(a);
    s.b = cdi_v2_of(b);
    if (cdi_goes_up(s.b, s.a)) {
        cdi_v2 swap = s.a;
        s.a = s.b;
        s.b = swap;
    }
    return s;
}

static bool cdi_seg2_finite(const cdi_seg2 *s) {
    return cdi_finite3(s->a.x, s->a.y, s->b.x) && cdi_finite(s->b.y);
}

static bool cdi_shadows_overlap(double a, double b, double c, double d) {
    return cdi_min(a, b) <= cdi_max(c, d) && cdi_min(c, d) <= cdi_max(a, b);
}

/* On which sides of each are the ends of the other; false where these and the bounding boxes tell that they do not meet. */
static bool cdi_seg2_sides(const cdi_seg2 *s, const cdi_seg2 *t, int side[4]) {
    if (!cdi_seg2_finite(s) || !cdi_seg2_finite(t)) return false;
    if (!cdi_shadows_overlap(s->a.x, s->b.x, t->a.x, t->b.x) ||
        !cdi_shadows_overlap(s->a.y, s->b.y, t->a.y, t->b.y))
        return false;
    side[0] = cdi_sign(cdi_orient2d(t->a, t->b, s->a));
    side[1] = cdi_sign(cdi_orient2d(t->a, t->b, s->b));
    if (side[0] * side[1] > 0) return false;
    side[2] = cdi_sign(cdi_orient2d(s->a, s->b, t->a));
    side[3] = cdi_sign(cdi_orient2d(s->a, s->b, t->b));
    return side[2] * side[3] <= 0;
}

CD_API bool cd_test_2d_segment_segment(cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 d) {
    cdi_seg2 s = cdi_seg2_of(a, b), t = cdi_seg2_of(c, d);
    int side[4];
    return cdi_seg2_sides(&s, &t, side);
}

/* ---- where ---- */

static cd_vec2 cdi_v2_round(cdi_v2 p) {
    return cd_vec2_make((cd_real)p.x, (cd_real)p.y);
}

/* The coordinate at the fraction t of the way from a to b, which half a way at a time cannot overflow. */
static double cdi_part_way(double a, double b, double t) {
    return a + 2.0 * t * (0.5 * b - 0.5 * a);
}

/* The point where they cross, on the first, from its nearer end on. */
static cdi_v2 cdi_seg2_crossing(const cdi_seg2 *s, const cdi_seg2 *t) {
    double from = cdi_orient2d_accurate(t->a, t->b, s->a), to = cdi_orient2d_accurate(t->a, t->b, s->b), part;
    cdi_v2 p = s->a, q = s->b, r;
    if (cdi_abs(from) > cdi_abs(to)) {
        p = s->b;
        q = s->a;
        part = to / (to - from);
    } else {
        part = from / (from - to);
    }
    r.x = cdi_clamp(cdi_part_way(p.x, q.x, part), cdi_max(s->a.x, t->a.x), cdi_min(s->b.x, t->b.x));
    r.y = cdi_clamp(cdi_part_way(p.y, q.y, part), cdi_max(cdi_min(s->a.y, s->b.y), cdi_min(t->a.y, t->b.y)),
                    cdi_min(cdi_max(s->a.y, s->b.y), cdi_max(t->a.y, t->b.y)));
    return r;
}

static double cdi_seg2_extent(const cdi_seg2 *s) {
    return cdi_max(0.5 * s->b.x - 0.5 * s->a.x, cdi_abs(0.5 * s->b.y - 0.5 * s->a.y));
}

/* An order of any two segments: the smaller first, which is to carry the crossing. */
static bool cdi_seg2_carries(const cdi_seg2 *s, const cdi_seg2 *t) {
    double own = cdi_seg2_extent(s), other = cdi_seg2_extent(t);
    if (own != other) return own < other;
    if (!cdi_v2_same(s->a, t->a)) return cdi_goes_up(s->a, t->a);
    return cdi_goes_up(s->b, t->b);
}

/* On one line: from the later start to the earlier end. */
static void cdi_seg2_overlap(const cdi_seg2 *s, const cdi_seg2 *t, cd_segment_cut *cut) {
    cdi_v2 start = cdi_goes_up(s->a, t->a) ? t->a : s->a, end = cdi_goes_up(s->b, t->b) ? s->b : t->b;
    cut->points[0] = cdi_v2_round(start);
    cut->points[1] = cdi_v2_round(end);
    cut->count = cdi_v2_same(start, end) ? 1u : 2u;
    if (cut->count == 1) cut->points[1] = cut->points[0];
}

/* An end of one that is on the other, or the crossing. */
static cdi_v2 cdi_seg2_point(const cdi_seg2 *s, const cdi_seg2 *t, const int side[4]) {
    if (side[0] == 0) return s->a;
    if (side[1] == 0) return s->b;
    if (side[2] == 0) return t->a;
    if (side[3] == 0) return t->b;
    return cdi_seg2_carries(s, t) ? cdi_seg2_crossing(s, t) : cdi_seg2_crossing(t, s);
}

CD_API bool cd_intersect_2d_segment_segment(cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 d, cd_segment_cut *out) {
    cdi_seg2 s = cdi_seg2_of(a, b), t = cdi_seg2_of(c, d);
    cd_segment_cut cut;
    int side[4];
    if (!cdi_seg2_sides(&s, &t, side)) return false;
    if (!side[0] && !side[1] && !side[2] && !side[3]) {
        cdi_seg2_overlap(&s, &t, &cut);
    } else {
        cut.count = 1;
        cut.points[0] = cdi_v2_round(cdi_seg2_point(&s, &t, side));
        cut.points[1] = cut.points[0];
    }
    if (out) *out = cut;
    return true;
}
