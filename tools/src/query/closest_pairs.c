#include "query/closest_pairs.h"
#include "query/cast_triangle.h"
#include "query/closest_linear.h"
#include "query/flat3d.h"
#include "query/test_linear.h"
#include "query/triangle_box.h"
#include "query/triangle_triangle.h"
#include "shape/voronoi.h"

/* The answer for two things that have the point in common. */
static cd_closest cdi_closest_common(cd_vec3 p) {
    cd_closest r;
    cdi_clear(&r, sizeof r);
    r.a = r.b = p;
    return r;
}

/* The answer for two things that are known not to meet: their distance is not 0, even when it is too small for its square. */
static cd_closest cdi_closest_apart(const cdi_bridge *gap, int shift) {
    cd_closest r = cdi_closest_of(gap, shift);
    if (!(r.sqdist > 0)) r.sqdist = cdi_next_real(0, true);
    r.feature_a = gap->feature_a;
    r.feature_b = gap->feature_b;
    return r;
}

static double cdi_triangle_size(const cd_triangle *t) {
    return cdi_max(cdi_most_of_two(t->a, t->b), cdi_v3_max_abs(cdi_v3_of(t->c)));
}

/* The parameter of a point of the segment. */
static cd_real cdi_parameter_of(cd_vec3 p, const cd_segment *s) {
    double t;
    cdi_near_segment(cdi_v3_of(p), cdi_v3_of(s->a), cdi_v3_of(s->b), &t);
    return (cd_real)t;
}

/* The parameter of the answer's first point, exactly 0 or 1 where that is an end. */
static cd_real cdi_parameter_at(const cd_closest *r, const cdi_bridge *gap, const cd_segment *s) {
    if (CD_FEATURE_KIND(r->feature_a) == CD_FEATURE_VERTEX) return (cd_real)CD_FEATURE_INDEX(r->feature_a);
    return gap->s > 0.0 ? (cd_real)gap->s : cdi_parameter_of(r->a, s);
}

/* ---- triangles ---- */

static bool cdi_vec3_before(cd_vec3 a, cd_vec3 b) {
    if (a.x != b.x) return a.x < b.x;
    return a.y != b.y ? a.y < b.y : a.z < b.z;
}

/* A point that both triangles have, if they meet. */
static bool cdi_triangles_common(const cd_triangle *a, const cd_triangle *b, cd_vec3 *out) {
    cd_triangle_cut cut;
    if (!cd_intersect_triangle_triangle(a, b, &cut)) return false;
    *out = cut.points[0];
    for (uint32_t i = 1; i < cut.count; ++i) {
        if (cdi_vec3_before(cut.points[i], *out)) *out = cut.points[i];
    }
    return true;
}

CD_API cd_closest cd_closest_pts_triangle_triangle(const cd_triangle *a, const cd_triangle *b) {
    cdi_flat f, g;
    cdi_bridge gap;
    cd_vec3 common;
    int shift;
    if (!cd_triangle_is_valid(a) || !cd_triangle_is_valid(b)) return cdi_closest_none();
    if (cdi_triangles_common(a, b, &common)) return cdi_closest_common(common);
    shift = cdi_tame_shift(cdi_max(cdi_triangle_size(a), cdi_triangle_size(b)));
    f = cdi_flat_of_triangle(a, shift);
    g = cdi_flat_of_triangle(b, shift);
    gap = cdi_near_flats_apart(&f, &g, CDI_HUGE);
    gap.s = gap.t = 0.0;
    return cdi_closest_apart(&gap, shift);
}

/* A point that segment and triangle have, if they meet. The signs of the ends' heights tell most of it, and a cast is exact
 * for lines through the plane. */
static bool cdi_segment_triangle_common(const cd_segment *s, const cd_triangle *t, cd_vec3 *out) {
    cdi_tri d = cdi_tri_of(t);
    int a = cdi_sign(cdi_orient3d(d.v[0], d.v[1], d.v[2], cdi_v3_of(s->a)));
    int b = a == 0 ? 0 : cdi_sign(cdi_orient3d(d.v[0], d.v[1], d.v[2], cdi_v3_of(s->b)));
    cd_triangle flat;
    if (a * b > 0 || (a * b < 0 && !cd_cast_segment_triangle(s, t, NULL, NULL))) return false;
    flat.a = s->a;
    flat.b = flat.c = s->b;
    return cdi_triangles_common(&flat, t, out);
}

CD_API cd_closest cd_closest_pts_segment_triangle(const cd_segment *s, const cd_triangle *t) {
    cdi_flat f, g;
    cdi_bridge gap;
    cd_closest r;
    int shift;
    if (!cd_segment_is_valid(s) || !cd_triangle_is_valid(t)) return cdi_closest_none();
    if (cdi_segment_triangle_common(s, t, &r.a)) {
        r = cdi_closest_common(r.a);
        r.s = cdi_parameter_of(r.a, s);
        return r;
    }
    shift = cdi_tame_shift(cdi_max(cdi_most_of_two(s->a, s->b), cdi_triangle_size(t)));
    f = cdi_flat_of_segment(s->a, s->b, shift);
    g = cdi_flat_of_triangle(t, shift);
    gap = cdi_near_flats_apart(&f, &g, CDI_HUGE);
    r = cdi_closest_apart(&gap, shift);
    r.s = cdi_parameter_at(&r, &gap, s);
    r.t = 0;
    return r;
}

CD_API cd_real cd_sqdist_triangle_triangle(const cd_triangle *a, const cd_triangle *b) {
    return cd_closest_pts_triangle_triangle(a, b).sqdist;
}
CD_API cd_real cd_sqdist_segment_triangle(const cd_segment *s, const cd_triangle *t) {
    return cd_closest_pts_segment_triangle(s, t).sqdist;
}

/* ---- rays and lines against triangles: the edges, and where a ray starts, the face ---- */

static cd_segment cdi_triangle_edge(const cd_triangle *t, uint32_t i) {
    cd_segment s;
    s.a = i == 0 ? t->a : i == 1 ? t->b : t->c;
    s.b = i == 0 ? t->b : i == 1 ? t->c : t->a;
    return s;
}

/* The feature of the triangle for that of its edge i. */
static uint32_t cdi_triangle_feature_of(uint32_t i, uint32_t of_edge) {
    if (CD_FEATURE_KIND(of_edge) == CD_FEATURE_EDGE) return CD_FEATURE(2u, i);
    return CD_FEATURE(1u, (i + CD_FEATURE_INDEX(of_edge)) % 3);
}

static void cdi_closest_keep(cd_closest *best, const cd_closest *r, uint32_t feature) {
    if (best->sqdist <= r->sqdist) return;
    *best = *r;
    best->t = 0;
    best->feature_b = feature;
}

/* The exact test has the word, as for a line in the triangle's plane: it knows what rounding hides. */
static void cdi_closest_judge(cd_closest *best, bool meet) {
    if (meet) {
        best->a = best->b;
        best->feature_a = best->feature_b = CD_FEATURE_NONE;
        best->sqdist = 0;
    } else if (!(best->sqdist > 0)) {
        best->sqdist = cdi_next_real(0, true);
    }
}

CD_API cd_closest cd_closest_pts_line_triangle(const cd_line *l, const cd_triangle *t) {
    cd_closest best = cdi_closest_none();
    cd_hit hit;
    if (!cd_line_is_valid(l) || !cd_triangle_is_valid(t)) return best;
    if (cd_cast_line_triangle(l, t, NULL, &hit)) {
        best = cdi_closest_common(hit.point);
        best.s = hit.t;
        return best;
    }
    for (uint32_t i = 0; i < 3; ++i) {
        cd_segment edge = cdi_triangle_edge(t, i);
        cd_closest r = cd_closest_pts_line_segment(l, &edge);
        cdi_closest_keep(&best, &r, cdi_triangle_feature_of(i, r.feature_b));
    }
    cdi_closest_judge(&best, cd_test_line_triangle(l, t));
    return best;
}

CD_API cd_closest cd_closest_pts_ray_triangle(const cd_ray *r, const cd_triangle *t) {
    cd_closest best = cdi_closest_none(), start;
    cd_hit hit;
    if (!cd_ray_is_valid(r) || !cd_triangle_is_valid(t)) return best;
    if (cd_cast_ray_triangle(r, (cd_real)cdi_infinity(), t, NULL, &hit)) {
        best = cdi_closest_common(hit.point);
        best.s = hit.t;
        return best;
    }
    start = cd_closest_pts_point_triangle(r->origin, t);
    start.s = 0;
    start.feature_a = CD_FEATURE(1u, 0u);
    cdi_closest_keep(&best, &start, start.feature_b);
    for (uint32_t i = 0; i < 3; ++i) {
        cd_segment edge = cdi_triangle_edge(t, i);
        cd_closest near_edge = cd_closest_pts_ray_segment(r, &edge);
        cdi_closest_keep(&best, &near_edge, cdi_triangle_feature_of(i, near_edge.feature_b));
    }
    cdi_closest_judge(&best, cd_test_ray_triangle(r, t));
    return best;
}

CD_API cd_real cd_sqdist_line_triangle(const cd_line *l, const cd_triangle *t) {
    return cd_closest_pts_line_triangle(l, t).sqdist;
}
CD_API cd_real cd_sqdist_ray_triangle(const cd_ray *r, const cd_triangle *t) {
    return cd_closest_pts_ray_triangle(r, t).sqdist;
}

/* ---- rectangles ---- */

static double cdi_rect_most(const cd_rect *r) {
    return cdi_max(cdi_v3_max_abs(cdi_v3_of(r->a)), cdi_most_of_two(r->edge[0], r->edge[1]));
}

CD_API cd_closest cd_closest_pts_segment_rect(const cd_segment *s, const cd_rect *r) {
    cdi_flat f, g;
    cdi_bridge gap;
    cd_closest out;
    int shift;
    if (!cd_segment_is_valid(s) || !cd_rect_is_valid(r)) return cdi_closest_none();
    shift = cdi_tame_shift(cdi_max(cdi_most_of_two(s->a, s->b), cdi_rect_most(r)));
    f = cdi_flat_of_segment(s->a, s->b, shift);
    g = cdi_flat_of_rect(r, shift);
    gap = cdi_near_flats(&f, &g, CDI_HUGE);
    out = cdi_closest_of(&gap, shift);
    out.feature_a = gap.sqdist > 0.0 ? gap.feature_a : 0u;
    out.feature_b = gap.sqdist > 0.0 ? gap.feature_b : 0u;
    out.s = cdi_parameter_at(&out, &gap, s);
    out.t = 0;
    return out;
}

CD_API cd_real cd_sqdist_segment_rect(const cd_segment *s, const cd_rect *r) {
    return cd_closest_pts_segment_rect(s, r).sqdist;
}

/* ---- boxes ---- */

static cdi_v3 cdi_clamp_to_box(cdi_v3 p, cdi_v3 lo, cdi_v3 hi) {
    return cdi_v3_make(cdi_clamp(p.x, lo.x, hi.x), cdi_clamp(p.y, lo.y, hi.y), cdi_clamp(p.z, lo.z, hi.z));
}

static bool cdi_test_segment_box(cdi_v3 p, cdi_v3 q, cdi_v3 lo, cdi_v3 hi) {
    cdi_tri t;
    t.v[0] = p;
    t.v[1] = t.v[2] = q;
    return cdi_test_tri_box(&t, lo, hi);
}

/* `meet`: one common point, which is one of the box. */
static cdi_bridge cdi_bridge_segment_box(cdi_v3 p, cdi_v3 q, cdi_v3 lo, cdi_v3 hi, bool meet) {
    cdi_course c = cdi_course_of_segment(p, q);
    cdi_bridge r;
    cdi_clear(&r, sizeof r);
    r.s = cdi_near_segment_box(p, q, lo, hi);
    r.a = cdi_course_point(&c, r.s);
    r.b = cdi_clamp_to_box(r.a, lo, hi);
    if (meet) r.a = r.b;
    r.between = cdi_v3_sub(r.b, r.a);
    r.sqdist = cdi_v3_sqlength(r.between);
    r.feature_a = meet ? 0u : cdi_segment_feature(r.s);
    return r;
}

CD_API cd_closest cd_closest_pts_segment_aabb(const cd_segment *s, cd_aabb b) {
    cdi_v3 p = cdi_v3_of(s->a), q = cdi_v3_of(s->b), lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max);
    cdi_bridge gap;
    cd_closest r;
    bool meet;
    int shift;
    if (!cd_segment_is_valid(s) || !cd_aabb_is_valid(b)) return cdi_closest_none();
    meet = cdi_test_segment_box(p, q, lo, hi);
    shift = cdi_tame_shift(cdi_max(cdi_most_of_two(s->a, s->b), cdi_most_of_two(b.min, b.max)));
    gap = cdi_bridge_segment_box(cdi_v3_scale2(p, shift), cdi_v3_scale2(q, shift), cdi_v3_scale2(lo, shift),
                                 cdi_v3_scale2(hi, shift), meet);
    r = meet ? cdi_closest_of(&gap, shift) : cdi_closest_apart(&gap, shift);
    if (!meet) r.feature_b = cd_voronoi_region_aabb(r.a, b);
    return r;
}

CD_API cd_closest cd_closest_pts_segment_obb(const cd_segment *s, const cd_obb *b) {
    cdi_obb d = cdi_obb_of(b);
    cdi_v3 half = cdi_v3_of(b->half), p, q;
    cdi_bridge gap;
    cdi_course c;
    cd_closest r;
    int shift;
    if (!cd_segment_is_valid(s) || !cd_obb_is_valid(b)) return cdi_closest_none();
    shift = cdi_tame_shift(cdi_max(cdi_most_of_two(s->a, s->b), cdi_most_of_two(b->center, b->half)));
    d.center = cdi_v3_scale2(d.center, shift);
    half = cdi_v3_scale2(half, shift);
    c = cdi_course_of_segment(cdi_v3_scale2(cdi_v3_of(s->a), shift), cdi_v3_scale2(cdi_v3_of(s->b), shift));
    p = cdi_obb_local(&d, c.start);
    q = cdi_obb_local(&d, c.to);
    gap = cdi_bridge_segment_box(p, q, cdi_v3_neg(half), half,
                                 cdi_test_segment_box(p, q, cdi_v3_neg(half), half));
    gap.b = cdi_obb_world(&d, gap.b);
    gap.a = gap.sqdist > 0.0 ? cdi_course_point(&c, gap.s) : gap.b;
    r = cdi_closest_of(&gap, shift);
    if (!(gap.sqdist > 0.0)) return r;
    r.feature_a = gap.feature_a;
    r.feature_b = cd_voronoi_region_obb(r.a, b);
    return r;
}

CD_API cd_real cd_sqdist_segment_aabb(const cd_segment *s, cd_aabb b) {
    return cd_closest_pts_segment_aabb(s, b).sqdist;
}
CD_API cd_real cd_sqdist_segment_obb(const cd_segment *s, const cd_obb *b) {
    return cd_closest_pts_segment_obb(s, b).sqdist;
}
