#include "query/flat3d.h"
#include "core/twofold.h"
#include "query/triangle_box.h"

/* Of the longer edge's length: how far edges may lead out of the plane of the face by rounding. */
#define CDI_FLAT_NOISE 1.7763568394002505e-15 /* 2^-49 */

/* ---- answers ---- */

CDI_FN cd_closest cdi_closest_none(void) {
    cd_closest r;
    cdi_clear(&r, sizeof r);
    r.sqdist = (cd_real)cdi_nan();
    return r;
}

CDI_FN cd_vec3 cdi_v3_round_back(cdi_v3 v, int shift) {
    if (shift == 0) return cdi_v3_round(v);
    return cd_vec3_make(cdi_real_of(cdi_scale2(v.x, -shift)), cdi_real_of(cdi_scale2(v.y, -shift)),
                        cdi_real_of(cdi_scale2(v.z, -shift)));
}

CDI_FN uint32_t cdi_segment_feature(double t) {
    return t <= 0.0 ? CD_FEATURE(1u, 0u) : t >= 1.0 ? CD_FEATURE(1u, 1u) : CD_FEATURE(2u, 0u);
}

CDI_FN cd_closest cdi_closest_of(const cdi_bridge *gap, int shift) {
    cd_closest r;
    cdi_clear(&r, sizeof r);
    r.a = cdi_v3_round_back(gap->a, shift);
    r.b = cdi_v3_round_back(gap->b, shift);
    r.sqdist = (cd_real)cdi_scale2(gap->sqdist, -2 * shift);
    r.s = (cd_real)gap->s;
    r.t = (cd_real)gap->t;
    return r;
}

/* ---- segments, rays, lines ----
 * (Ericson 5.1.8, 5.1.9; Lumelsky 1985.) The parameter of the first line's point nearest to the second line is a quotient by
 * the squared sine of the angle between them. It is good for the distance as long as the common normal is good to its last
 * digits, which the plain cross product is not for nearly parallel lines. */

CDI_FN cdi_course cdi_course_of_segment(cdi_v3 a, cdi_v3 b) {
    cdi_course s;
    s.start = s.from = a;
    s.to = b;
    s.lo = 0.0;
    s.hi = 1.0;
    return s;
}

CDI_FN cdi_course cdi_course_of_ray(cdi_v3 origin, cdi_v3 dir, bool line) {
    double length = cdi_v3_max_abs(dir);
    cdi_course s;
    s.start = origin;
    s.from = cdi_v3_make(0.0, 0.0, 0.0);
    s.to = dir;
    s.hi = length > 0.0 ? cdi_min(3.273390607896142e150 / length, 1e300) : 0.0; /* 2^500 */
    s.lo = line ? -s.hi : 0.0;
    return s;
}

static cdi_v3 cdi_course_way(const cdi_course *s) {
    return cdi_v3_sub(s->to, s->from);
}

static bool cdi_course_is_over(const cdi_course *s, double t) {
    return t == 1.0 && s->hi == 1.0;
}

CDI_FN cdi_v3 cdi_course_point(const cdi_course *s, double t) {
    return cdi_course_is_over(s, t) ? s->to : cdi_v3_along(s->start, cdi_course_way(s), t);
}

static CDI_COLD cdi_v3 cdi_cross_courses_accurate(const cdi_course *s, const cdi_course *t) {
    cdi_two ex = cdi_two_of_diff(s->to.x, s->from.x), ey = cdi_two_of_diff(s->to.y, s->from.y),
            ez = cdi_two_of_diff(s->to.z, s->from.z);
    cdi_two fx = cdi_two_of_diff(t->to.x, t->from.x), fy = cdi_two_of_diff(t->to.y, t->from.y),
            fz = cdi_two_of_diff(t->to.z, t->from.z);
    return cdi_v3_make(cdi_product_difference(ey, fz, ez, fy), cdi_product_difference(ez, fx, ex, fz),
                       cdi_product_difference(ex, fy, ey, fx));
}

/* Where on the first line the second one is nearest; 0 for parallel ones. */
static double cdi_line_parameter(const cdi_course *s, const cdi_course *t) {
    cdi_v3 along = cdi_course_way(s), other = cdi_course_way(t), n = cdi_v3_cross(along, other);
    double square = cdi_v3_sqlength(n);
    if (square <= 0.0625 * (cdi_v3_sqlength(along) * cdi_v3_sqlength(other))) {
        n = cdi_cross_courses_accurate(s, t);
        square = cdi_v3_sqlength(n);
    }
    if (!(square > 0.0)) return 0.0;
    return cdi_v3_dot(cdi_v3_cross(cdi_v3_sub(t->start, s->start), other), n) / square;
}

/* c - a + t (d - c) - s (b - a) */
static cdi_v3 cdi_between(cdi_v3 from, cdi_v3 along, cdi_v3 other, double s, double t) {
    return cdi_v3_along(cdi_v3_along(from, other, t), along, -s);
}

CDI_FN double cdi_foot(const cdi_course *on, double parameter, cdi_v3 between, cdi_v3 along) {
    double square = cdi_v3_sqlength(along);
    return square > 0.0 ? cdi_clamp(parameter + cdi_v3_dot(between, along) / square, on->lo, on->hi) : 0.0;
}

/* The same with the reciprocal of the square at hand; 0 without length. */
static double cdi_foot_by(const cdi_course *on, double parameter, cdi_v3 between, cdi_v3 along,
                          double inverse) {
    double x = parameter + cdi_v3_dot(between, along) * inverse;
    return inverse > 0.0 ? cdi_clamp(x, on->lo, on->hi) : 0.0;
}

static double cdi_inverse_square(cdi_v3 along) {
    double square = cdi_v3_sqlength(along);
    return square > 0.0 ? 1.0 / square : 0.0;
}

/* Where the lines are not nearly parallel, by the products of the two ways (Ericson 5.1.9): the digits lost to the angle are
 * more than doubles can do without, but not the interface's floats, nor, from a quarter for its sine on, the slack of sweeps. */
#ifdef COLLIDE_DOUBLE
static bool cdi_near_courses_plain(const cdi_course *s, const cdi_course *t, cdi_v3 along, cdi_v3 other,
                                   cdi_v3 from, cdi_bridge *r) {
    (void)s, (void)t, (void)along, (void)other, (void)from, (void)r;
    return false;
}
#else
static bool cdi_near_courses_plain(const cdi_course *s, const cdi_course *t, cdi_v3 along, cdi_v3 other,
                                   cdi_v3 from, cdi_bridge *r) {
    double a = cdi_v3_sqlength(along), e = cdi_v3_sqlength(other), b = cdi_v3_dot(along, other);
    double c = cdi_v3_dot(along, from), f = cdi_v3_dot(other, from), scale = a * e, sine = scale - b * b, at;
    if (!(sine > 0.0625 * scale)) return false;
    r->s = cdi_clamp((c * e - b * f) / sine, s->lo, s->hi);
    at = (b * r->s - f) / e;
    r->t = cdi_clamp(at, t->lo, t->hi);
    if (at != r->t) r->s = cdi_clamp((b * r->t + c) / a, s->lo, s->hi);
    return true;
}
#endif

/* From a good start, each on the foot of the other in turn: the second time for the last digits. The first foot on s is
 * reckoned from its start, for where t has come to its end, the parameter begun with may be a wild one. */
static void cdi_near_courses_careful(const cdi_course *s, const cdi_course *t, cdi_v3 along, cdi_v3 other,
                                     cdi_v3 from, cdi_bridge *r) {
    double along_inverse = cdi_inverse_square(along), other_inverse = cdi_inverse_square(other);
    r->s = cdi_clamp(cdi_line_parameter(s, t), s->lo, s->hi);
    r->t = 0.0;
    for (int i = 0; i < 2; ++i) {
        r->t = cdi_foot_by(t, r->t, cdi_v3_neg(cdi_between(from, along, other, r->s, r->t)), other,
                           other_inverse);
        if (i == 0) r->s = 0.0;
        r->s = cdi_foot_by(s, r->s, cdi_between(from, along, other, r->s, r->t), along, along_inverse);
    }
}

/* From the point of s to that of t: reckoned from the ends where they are there, so that all segments that end in one point are
 * equally far from what is nearest to it. */
static cdi_v3 cdi_between_points(const cdi_course *s, const cdi_course *t, cdi_v3 along, cdi_v3 other,
                                 cdi_v3 from, const cdi_bridge *r) {
    bool s_over = cdi_course_is_over(s, r->s), t_over = cdi_course_is_over(t, r->t);
    if (!s_over && !t_over) return cdi_between(from, along, other, r->s, r->t);
    from = cdi_v3_sub(t_over ? t->to : t->start, s_over ? s->to : s->start);
    return cdi_between(from, along, other, s_over ? 0.0 : r->s, t_over ? 0.0 : r->t);
}

CDI_FN cdi_bridge cdi_near_courses(const cdi_course *s, const cdi_course *t) {
    cdi_v3 along = cdi_course_way(s), other = cdi_course_way(t), from = cdi_v3_sub(t->start, s->start);
    cdi_bridge r;
    if (!cdi_near_courses_plain(s, t, along, other, from, &r))
        cdi_near_courses_careful(s, t, along, other, from, &r);
    r.between = cdi_between_points(s, t, along, other, from, &r);
    r.sqdist = cdi_v3_sqlength(r.between);
    r.a = cdi_course_point(s, r.s);
    r.b = cdi_course_point(t, r.t);
    r.feature_a = r.feature_b = CD_FEATURE_NONE;
    return r;
}

CDI_FN cdi_bridge cdi_near_segments(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d) {
    cdi_course s = cdi_course_of_segment(a, b), t = cdi_course_of_segment(c, d);
    return cdi_near_courses(&s, &t);
}

/* ---- a face, and where the other figure is seen from it ---- */

typedef struct cdi_face {
    const cdi_flat *own, *other;
    cdi_v3 normal;                      /* unit; zero when there is no area */
    double height[4], side[4][4], size; /* of corner j above the plane, and outside of edge i */
} cdi_face;

static int cdi_flat_edges(const cdi_flat *f) {
    return f->count < 3 ? 1 : f->count;
}
static int cdi_flat_after(const cdi_flat *f, int i) {
    return i + 1 < f->count ? i + 1 : 0;
}
static cdi_v3 cdi_flat_next(const cdi_flat *f, int i) {
    return f->v[cdi_flat_after(f, i)];
}

/* Out of the face beside edge i. */
static cdi_v3 cdi_face_out(const cdi_face *f, int i) {
    cdi_v3 along = cdi_v3_sub(cdi_flat_next(f->own, i), f->own->v[i]), out = cdi_v3_cross(along, f->normal);
    double length = cdi_sqrt(cdi_v3_sqlength(along));
    return length > 0.0 ? cdi_v3_scale(out, 1.0 / length) : out;
}

static void cdi_face_side(cdi_face *f, int i) {
    cdi_v3 a = f->own->v[i], out = cdi_face_out(f, i);
    for (int j = 0; j < f->other->count; ++j) {
        cdi_v3 p = cdi_v3_sub(f->other->v[j], a);
        f->side[i][j] = cdi_v3_dot(p, out);
        f->size = cdi_max(f->size, cdi_v3_max_abs(p));
    }
}

CDI_FN cdi_v3 cdi_flat_normal(const cdi_flat *f, cdi_v3 n, double room) {
    cdi_v3 a = f->v[0], b = f->v[1], c = f->v[f->count - 1];
    if (!cdi_v3_is_zero(n) && cdi_abs(cdi_v3_dot(n, cdi_v3_sub(b, a))) <= room &&
        cdi_abs(cdi_v3_dot(n, cdi_v3_sub(c, a))) <= room)
        return n;
    return cdi_v3_unit(cdi_accurate_normal(a, b, c));
}

static cdi_face cdi_face_of(const cdi_flat *own, const cdi_flat *other) {
    cdi_face f;
    cdi_tri t;
    double length;
    f.own = own;
    f.other = other;
    f.size = 0.0;
    f.normal = cdi_v3_make(0.0, 0.0, 0.0);
    if (own->count < 3) return f;
    t.v[0] = own->v[0];
    t.v[1] = own->v[1];
    t.v[2] = own->v[own->count - 1];
    length = cdi_max(cdi_v3_max_abs(cdi_v3_sub(t.v[1], t.v[0])), cdi_v3_max_abs(cdi_v3_sub(t.v[2], t.v[0])));
    f.normal = cdi_flat_normal(own, cdi_tri_normal(&t), CDI_FLAT_NOISE * length);
    for (int j = 0; j < other->count; ++j)
        f.height[j] = cdi_v3_dot(f.normal, cdi_v3_sub(other->v[j], own->v[0]));
    for (int i = 0; i < own->count; ++i) cdi_face_side(&f, i);
    return f;
}

static bool cdi_face_is_none(const cdi_face *f) {
    return cdi_v3_is_zero(f->normal);
}

static double cdi_least_of(const double *x, int count) {
    double least = x[0];
    for (int i = 1; i < count; ++i) least = cdi_min(least, x[i]);
    return least;
}
static double cdi_most_of(const double *x, int count) {
    double most = x[0];
    for (int i = 1; i < count; ++i) most = cdi_max(most, x[i]);
    return most;
}

/* Is what is at `least` along n, from corner a on, beyond the face itself by more than `reach`? That is at 0, but a needle's normal may
 * be off by more than the reach. */
static bool cdi_face_parts_along(const cdi_face *f, cdi_v3 n, cdi_v3 a, double least, double reach) {
    double own = 0.0;
    if (!(least > reach)) return false;
    for (int i = 0; i < f->own->count; ++i) own = cdi_max(own, cdi_v3_dot(n, cdi_v3_sub(f->own->v[i], a)));
    return least - own > reach;
}

/* Is the other figure farther than `reach` above, below or beside it? */
static bool cdi_flat_face_parts(const cdi_face *f, double reach) {
    int count = f->other->count;
    const cdi_v3 *v = f->own->v;
    if (cdi_face_is_none(f)) return false;
    if (cdi_face_parts_along(f, f->normal, v[0], cdi_least_of(f->height, count), reach) ||
        cdi_face_parts_along(f, cdi_v3_neg(f->normal), v[0], -cdi_most_of(f->height, count), reach))
        return true;
    for (int i = 0; i < f->own->count; ++i) {
        double least = cdi_least_of(f->side[i], count);
        if (least > reach && cdi_face_parts_along(f, cdi_face_out(f, i), v[i], least, reach)) return true;
    }
    return false;
}

/* May edge i be nearest? Not when the other figure is wholly inside of it, beyond rounding. */
static bool cdi_face_edge_counts(const cdi_face *f, int i) {
    return cdi_face_is_none(f) || cdi_most_of(f->side[i], f->other->count) >= -1e-13 * f->size;
}

/* Is the point at the fraction t from corner j to corner k of the other figure inside all edges? */
static bool cdi_face_covers(const cdi_face *f, int j, int k, double t) {
    for (int i = 0; i < f->own->count; ++i) {
        const double *side = f->side[i];
        if (side[j] + t * (side[k] - side[j]) > 0.0) return false;
    }
    return true;
}

/* Beyond the tip of a needle a point may seem to be inside, but it is outside the bounding box. */
static bool cdi_face_is_near(const cdi_face *f, cdi_v3 p) {
    cdi_flat own = *f->own;
    for (int i = 0; i < 3; ++i) {
        double x = cdi_v3_get(p, i), lo = CDI_HUGE, hi = -CDI_HUGE;
        for (int k = 0; k < own.count; ++k) {
            lo = cdi_min(lo, cdi_v3_get(own.v[k], i));
            hi = cdi_max(hi, cdi_v3_get(own.v[k], i));
        }
        if (x < lo - 1e-15 * f->size || x > hi + 1e-15 * f->size) return false;
    }
    return true;
}

/* Keeps the pair of a point of the face and one of the other figure's feature if it is closer; `first` tells whether the
 * face is of the first figure. */
static void cdi_bridge_keep(cdi_bridge *best, cdi_v3 own, cdi_v3 other, uint32_t feature, cdi_v3 between,
                            bool first) {
    double sqdist = cdi_v3_sqlength(between);
    if (!(sqdist < best->sqdist)) return;
    best->a = first ? own : other;
    best->b = first ? other : own;
    best->feature_a = first ? CD_FEATURE(3u, 0u) : feature;
    best->feature_b = first ? feature : CD_FEATURE(3u, 0u);
    best->between = first ? between : cdi_v3_neg(between);
    best->sqdist = sqdist;
}

/* Is corner j nearest to the plane, with all of the other figure on its side? */
static bool cdi_face_is_nearest_at(const cdi_face *f, int j) {
    for (int k = 0; k < f->other->count; ++k) {
        if (f->height[j] > 0.0 ? f->height[k] < f->height[j] : f->height[k] > f->height[j]) return false;
    }
    return f->height[j] != 0.0;
}

/* The height of corner j once more: what is left of the way from the plane, as the normal is not quite of length 1. */
static double cdi_face_height(const cdi_face *f, int j) {
    double height = f->height[j];
    cdi_v3 way = cdi_v3_sub(f->other->v[j], f->own->v[0]);
    double rest = cdi_v3_dot(f->normal, cdi_v3_along(way, f->normal, -height));
    return cdi_abs(rest) < cdi_abs(height) ? height + rest : height;
}

/* A corner's foot on the plane: a second step from where the first one ended, as what is rounded there is a height. */
static cdi_v3 cdi_face_foot(const cdi_face *f, cdi_v3 p, double height) {
    cdi_v3 foot = cdi_v3_along(p, f->normal, -height);
    double rest = cdi_v3_dot(f->normal, cdi_v3_sub(foot, f->own->v[0]));
    return cdi_abs(rest) < cdi_abs(height) ? cdi_v3_along(foot, f->normal, -rest) : foot;
}

/* The corners of the other figure above or below the face. True when one of them is known to be nearest. */
static bool cdi_face_corners(const cdi_face *f, bool first, cdi_bridge *best) {
    for (int j = 0; j < f->other->count; ++j) {
        cdi_v3 p = f->other->v[j], foot;
        double height;
        if (!cdi_face_covers(f, j, j, 0.0)) continue;
        height = cdi_face_height(f, j);
        foot = cdi_face_foot(f, p, height);
        if (!cdi_face_is_near(f, foot)) continue;
        cdi_bridge_keep(best, foot, p, CD_FEATURE(1u, (uint32_t)j), cdi_v3_scale(f->normal, height), first);
        if (cdi_face_is_nearest_at(f, j)) return true;
    }
    return false;
}

/* Its edges through the face. */
static void cdi_face_crossings(const cdi_face *f, bool first, cdi_bridge *best) {
    int edges = f->other->count < 2 ? 0 : cdi_flat_edges(f->other);
    for (int j = 0; j < edges; ++j) {
        int k = cdi_flat_after(f->other, j);
        double from = f->height[j], to = f->height[k], t;
        cdi_v3 p = f->other->v[j];
        if (from == to || (from > 0.0) == (to > 0.0)) continue;
        t = from / (from - to);
        p = cdi_v3_along(p, cdi_v3_sub(f->other->v[k], p), t);
        if (cdi_face_covers(f, j, k, t) && cdi_face_is_near(f, p))
            cdi_bridge_keep(best, p, p, CD_FEATURE(2u, (uint32_t)j), cdi_v3_make(0.0, 0.0, 0.0), first);
    }
}

/* True when nothing can be nearer. */
static bool cdi_near_faces(const cdi_face *f, bool first, bool apart, cdi_bridge *best) {
    if (cdi_face_is_none(f)) return false;
    if (!apart) cdi_face_crossings(f, first, best);
    return !(best->sqdist > 0.0) || cdi_face_corners(f, first, best);
}

/* The feature at the parameter t of edge i. */
static uint32_t cdi_flat_edge_feature(const cdi_flat *f, int i, double t) {
    if (t <= 0.0 || f->count == 1) return CD_FEATURE(1u, (uint32_t)i);
    return t >= 1.0 ? CD_FEATURE(1u, (uint32_t)cdi_flat_after(f, i)) : CD_FEATURE(2u, (uint32_t)i);
}

/* Are the corners of the figure that are not on edge i behind the plane through p across `way`, beyond `noise`? */
static bool cdi_flat_is_behind(const cdi_flat *f, int i, cdi_v3 p, cdi_v3 way, double noise) {
    int next = cdi_flat_after(f, i);
    for (int k = 0; k < f->count; ++k) {
        if (k != i && k != next && !(cdi_v3_dot(cdi_v3_sub(f->v[k], p), way) < -noise)) return false;
    }
    return true;
}

/* Two edges whose nearest points have all other corners beyond them are nearest of all: the planes across the way between
 * these points part the figures. */
static bool cdi_bridge_is_nearest(const cdi_face *f, const cdi_face *g, int i, int j, const cdi_bridge *gap) {
    double size = cdi_max(f->size, g->size), noise = 4e-15 * size * size;
    return cdi_flat_is_behind(f->own, i, gap->a, gap->between, noise) &&
           cdi_flat_is_behind(g->own, j, gap->b, cdi_v3_neg(gap->between), noise);
}

static void cdi_near_edges(const cdi_face *f, const cdi_face *g, cdi_bridge *best) {
    const cdi_flat *a = f->own, *b = g->own;
    for (int i = 0; i < cdi_flat_edges(a); ++i) {
        if (!cdi_face_edge_counts(f, i)) continue;
        for (int j = 0; j < cdi_flat_edges(b) && best->sqdist > 0.0; ++j) {
            cdi_bridge gap;
            if (!cdi_face_edge_counts(g, j)) continue;
            gap = cdi_near_segments(a->v[i], cdi_flat_next(a, i), b->v[j], cdi_flat_next(b, j));
            if (!(gap.sqdist < best->sqdist)) continue;
            gap.feature_a = cdi_flat_edge_feature(a, i, gap.s);
            gap.feature_b = cdi_flat_edge_feature(b, j, gap.t);
            *best = gap;
            if (cdi_bridge_is_nearest(f, g, i, j, &gap)) return;
        }
    }
}

static cdi_bridge cdi_near_flats_of(const cdi_flat *a, const cdi_flat *b, double reach, bool apart) {
    cdi_face f = cdi_face_of(a, b), g = cdi_face_of(b, a);
    cdi_bridge best;
    cdi_clear(&best, sizeof best);
    best.sqdist = CDI_HUGE;
    if (cdi_flat_face_parts(&f, reach) || cdi_flat_face_parts(&g, reach)) return best;
    if (!cdi_near_faces(&f, true, apart, &best) && !cdi_near_faces(&g, false, apart, &best))
        cdi_near_edges(&f, &g, &best);
    return best;
}

CDI_FN cdi_flat cdi_flat_of_rect(const cd_rect *r, int shift) {
    cdi_v3 e = cdi_v3_scale2(cdi_v3_of(r->edge[0]), shift), g = cdi_v3_scale2(cdi_v3_of(r->edge[1]), shift);
    cdi_flat f = cdi_flat_of_point(r->a, shift);
    f.v[1] = cdi_v3_add(f.v[0], e);
    f.v[2] = cdi_v3_add(f.v[0], cdi_v3_add(e, g));
    f.v[3] = cdi_v3_add(f.v[0], g);
    f.count = 4;
    return f;
}

CDI_FN cdi_bridge cdi_near_flats(const cdi_flat *a, const cdi_flat *b, double reach) {
    return cdi_near_flats_of(a, b, reach, false);
}

CDI_FN cdi_bridge cdi_near_flats_apart(const cdi_flat *a, const cdi_flat *b, double reach) {
    return cdi_near_flats_of(a, b, reach, true);
}

/* ---- boxes ---- */

/* How far x is outside of [lo, hi], with a sign; rounding at an end is no distance. */
static double cdi_slab_excess(double x, double lo, double hi, double noise) {
    double out = x - cdi_clamp(x, lo, hi);
    return cdi_abs(out) <= noise ? 0.0 : out;
}

/* Half the derivative of the squared distance to the box along the line p + t d: it never falls. A point that is on one of
 * the box's planes but for rounding counts as on it: along a nearly parallel side that rounding would outweigh the rest. */
static double cdi_box_slope(cdi_v3 p, cdi_v3 d, cdi_v3 lo, cdi_v3 hi, double t) {
    double slope = 0.0;
    for (int i = 0; i < 3; ++i) {
        double from = cdi_v3_get(p, i), way = cdi_v3_get(d, i);
        double noise = 4.4408920985006262e-16 * cdi_max(cdi_abs(from), cdi_abs(from + way)); /* 2^-51 */
        slope += way * cdi_slab_excess(from + t * way, cdi_v3_get(lo, i), cdi_v3_get(hi, i), noise);
    }
    return slope;
}

/* The squared distance at p + t d. */
static double cdi_sqdist_along(cdi_v3 p, cdi_v3 d, cdi_v3 lo, cdi_v3 hi, double t) {
    return cdi_sqdist_box(cdi_v3_along(p, d, t), lo, hi);
}

/* The squared distance is a convex function of the parameter, quadratic between the planes of the box: the stretch with
 * the least is found among the crossings, then the least in it. */
CDI_FN double cdi_near_segment_box(cdi_v3 p, cdi_v3 q, cdi_v3 lo, cdi_v3 hi) {
    cdi_v3 d = cdi_v3_sub(q, p);
    double from = 0.0, to = 1.0, first = cdi_box_slope(p, d, lo, hi, 0.0), last, best;
    if (first >= 0.0) return 0.0;
    last = cdi_box_slope(p, d, lo, hi, 1.0);
    if (last <= 0.0) return 1.0;
    for (int i = 0; i < 6; ++i) {
        double plane = cdi_v3_get(i & 1 ? hi : lo, i / 2), slope;
        double t = (plane - cdi_v3_get(p, i / 2)) / cdi_v3_get(d, i / 2);
        if (!(t > from && t < to)) continue;
        slope = cdi_box_slope(p, d, lo, hi, t);
        if (slope < 0.0) {
            from = t;
            first = slope;
        } else {
            to = t;
            last = slope;
        }
    }
    best = from + (to - from) * (first / (first - last));
    if (cdi_sqdist_along(p, d, lo, hi, from) < cdi_sqdist_along(p, d, lo, hi, best)) best = from;
    return cdi_sqdist_along(p, d, lo, hi, to) < cdi_sqdist_along(p, d, lo, hi, best) ? to : best;
}

static double cdi_sqdist_segment_box(cdi_v3 p, cdi_v3 q, cdi_v3 lo, cdi_v3 hi) {
    double t = cdi_near_segment_box(p, q, lo, hi);
    return t == 1.0 ? cdi_sqdist_box(q, lo, hi) : cdi_sqdist_along(p, cdi_v3_sub(q, p), lo, hi, t);
}

/* The four corners of the box on one side of z. */
static cdi_flat cdi_flat_of_box_side(cdi_v3 lo, cdi_v3 hi, double z) {
    cdi_flat f;
    f.v[0] = cdi_v3_make(lo.x, lo.y, z);
    f.v[1] = cdi_v3_make(hi.x, lo.y, z);
    f.v[2] = cdi_v3_make(hi.x, hi.y, z);
    f.v[3] = cdi_v3_make(lo.x, hi.y, z);
    f.count = 4;
    return f;
}

/* Does the inside of the figure, apart from its edges, come near a corner of the box, or meet the box? */
static bool cdi_inside_reaches_box(const cdi_flat *f, cdi_v3 lo, cdi_v3 hi, double reach) {
    cdi_bridge best;
    for (int i = 1; i + 1 < f->count; ++i) {
        cdi_tri t;
        t.v[0] = f->v[0];
        t.v[1] = f->v[i];
        t.v[2] = f->v[i + 1];
        if (cdi_test_tri_box(&t, lo, hi)) return true;
    }
    best.sqdist = CDI_HUGE;
    for (int i = 0; i < 2; ++i) {
        cdi_flat side = cdi_flat_of_box_side(lo, hi, i ? hi.z : lo.z);
        cdi_face face = cdi_face_of(f, &side);
        if (!cdi_face_is_none(&face)) cdi_face_corners(&face, true, &best);
    }
    return best.sqdist <= reach * reach;
}

/* An edge that goes through the box is a rounding away from it: there the exact test has the word. */
static bool cdi_edge_reaches_box(cdi_v3 a, cdi_v3 b, cdi_v3 lo, cdi_v3 hi, double reach) {
    double square = cdi_sqdist_segment_box(a, b, lo, hi);
    double little = 9.0949470177292824e-13 * cdi_max(cdi_v3_max_abs(a), cdi_v3_max_abs(b)); /* 2^-40 */
    cdi_tri t;
    if (square <= reach * reach) return true;
    if (square > little * little) return false;
    t.v[0] = a;
    t.v[1] = b;
    t.v[2] = b;
    return cdi_test_tri_box(&t, lo, hi);
}

CDI_FN bool cdi_flat_reaches_box(const cdi_flat *f, cdi_v3 lo, cdi_v3 hi, double reach) {
    for (int i = 0; i < cdi_flat_edges(f); ++i) {
        if (cdi_edge_reaches_box(f->v[i], cdi_flat_next(f, i), lo, hi, reach)) return true;
    }
    return f->count > 2 && cdi_inside_reaches_box(f, lo, hi, reach);
}

#undef CDI_FLAT_NOISE
