#include "query/swept.h"
#include "query/flat3d.h"
#include "query/reach3d.h"
#include "shape/side3d.h"

/* ---- closest points ---- */

static double cdi_segment_most(const cd_segment *s) {
    return cdi_most_of_two(s->a, s->b);
}

static cdi_bridge cdi_near_segments_scaled(const cd_segment *s, const cd_segment *t, int shift) {
    return cdi_near_segments(cdi_v3_scale2(cdi_v3_of(s->a), shift), cdi_v3_scale2(cdi_v3_of(s->b), shift),
                             cdi_v3_scale2(cdi_v3_of(t->a), shift), cdi_v3_scale2(cdi_v3_of(t->b), shift));
}

CD_API cd_closest cd_closest_pts_segment_segment(const cd_segment *s, const cd_segment *t) {
    cd_closest r = cdi_closest_none();
    cdi_bridge gap;
    int shift;
    if (!cd_segment_is_valid(s) || !cd_segment_is_valid(t)) return r;
    shift = cdi_tame_shift(cdi_max(cdi_segment_most(s), cdi_segment_most(t)));
    gap = cdi_near_segments_scaled(s, t, shift);
    r = cdi_closest_of(&gap, shift);
    r.feature_a = cdi_segment_feature(gap.s);
    r.feature_b = cdi_segment_feature(gap.t);
    return r;
}

CD_API cd_real cd_sqdist_segment_segment(const cd_segment *s, const cd_segment *t) {
    cdi_bridge gap;
    int shift;
    if (!cd_segment_is_valid(s) || !cd_segment_is_valid(t)) return (cd_real)cdi_nan();
    shift = cdi_tame_shift(cdi_max(cdi_segment_most(s), cdi_segment_most(t)));
    gap = cdi_near_segments_scaled(s, t, shift);
    return (cd_real)cdi_scale2(gap.sqdist, -2 * shift);
}

/* From the closest points of two cores to those of the volumes around them. */
static void cdi_bridge_swell(cdi_bridge *gap, double a, double b) {
    double distance = cdi_v3_length(gap->between), left = distance - (a + b);
    cdi_v3 on = gap->a;
    if (left > 0.0) {
        gap->a = cdi_v3_along(on, gap->between, a / distance);
        gap->b = cdi_v3_along(gap->b, gap->between, -b / distance);
        gap->sqdist = left * left;
        return;
    }
    if (a + b > 0.0) on = cdi_v3_along(on, gap->between, a / (a + b));
    gap->a = gap->b = on;
    gap->sqdist = 0.0;
}

static cd_segment cdi_capsule_core(const cd_capsule *c) {
    cd_segment s;
    s.a = c->a;
    s.b = c->b;
    return s;
}

CD_API cd_closest cd_closest_pts_capsule_capsule(const cd_capsule *a, const cd_capsule *b) {
    cd_segment s = cdi_capsule_core(a), t = cdi_capsule_core(b);
    cdi_bridge gap;
    int shift;
    if (!cd_capsule_is_valid(a) || !cd_capsule_is_valid(b)) return cdi_closest_none();
    shift = cdi_tame_shift(cdi_max(cdi_capsule_most(a), cdi_capsule_most(b)));
    gap = cdi_near_segments_scaled(&s, &t, shift);
    cdi_bridge_swell(&gap, cdi_scale2((double)a->radius, shift), cdi_scale2((double)b->radius, shift));
    return cdi_closest_of(&gap, shift);
}

CD_API cd_closest cd_closest_pts_lozenge_lozenge(const cd_lozenge *a, const cd_lozenge *b) {
    cdi_flat f, g;
    cdi_bridge gap;
    int shift;
    if (!cd_lozenge_is_valid(a) || !cd_lozenge_is_valid(b)) return cdi_closest_none();
    shift = cdi_tame_shift(cdi_max(cdi_lozenge_most(a), cdi_lozenge_most(b)));
    f = cdi_flat_of_lozenge(a, shift);
    g = cdi_flat_of_lozenge(b, shift);
    gap = cdi_near_flats(&f, &g, CDI_HUGE);
    gap.s = gap.t = 0.0;
    cdi_bridge_swell(&gap, cdi_scale2((double)a->radius, shift), cdi_scale2((double)b->radius, shift));
    return cdi_closest_of(&gap, shift);
}

/* ---- a core and a radius, in a range where squares are safe ---- */

typedef struct cdi_swept {
    cdi_flat core;
    double radius;
} cdi_swept;

static cdi_swept cdi_swept_capsule(const cd_capsule *c, int shift) {
    cdi_swept s;
    s.core = cdi_flat_of_segment(c->a, c->b, shift);
    s.radius = cdi_scale2((double)c->radius, shift);
    return s;
}

static cdi_swept cdi_swept_lozenge(const cd_lozenge *l, int shift) {
    cdi_swept s;
    s.core = cdi_flat_of_lozenge(l, shift);
    s.radius = cdi_scale2((double)l->radius, shift);
    return s;
}

static bool cdi_swept_meet(const cdi_swept *a, const cdi_flat *b, double b_radius) {
    double reach = a->radius + b_radius;
    return cdi_near_flats(&a->core, b, reach).sqdist <= reach * reach;
}

static cd_vec3 cdi_closest_pt_swept(cd_vec3 p, const cdi_swept *s, int shift) {
    cdi_flat point = cdi_flat_of_point(p, shift);
    cdi_bridge gap = cdi_near_flats(&s->core, &point, CDI_HUGE);
    cdi_bridge_swell(&gap, s->radius, 0.0);
    return gap.sqdist == 0.0 ? p : cdi_v3_round_back(gap.a, shift);
}

CD_API cd_vec3 cd_closest_pt_point_capsule(cd_vec3 p, const cd_capsule *c) {
    int shift = cdi_tame_shift(cdi_max(cdi_capsule_most(c), cdi_v3_max_abs(cdi_v3_of(p))));
    cdi_swept s = cdi_swept_capsule(c, shift);
    if (!cd_vec3_is_valid(p) || !cd_capsule_is_valid(c)) return cdi_no_point();
    return cdi_closest_pt_swept(p, &s, shift);
}

CD_API cd_vec3 cd_closest_pt_point_lozenge(cd_vec3 p, const cd_lozenge *l) {
    int shift = cdi_tame_shift(cdi_max(cdi_lozenge_most(l), cdi_v3_max_abs(cdi_v3_of(p))));
    cdi_swept s = cdi_swept_lozenge(l, shift);
    if (!cd_vec3_is_valid(p) || !cd_lozenge_is_valid(l)) return cdi_no_point();
    return cdi_closest_pt_swept(p, &s, shift);
}

/* ---- exact verdicts of capsules ---- */

enum { CDI_QUESTION_ROOM = 48 * CDI_EXACT_LIMBS };

static bool cdi_point_reaches_point(cdi_v3 p, cdi_v3 q, cdi_diff radius) {
    cdi_diff d[3];
    d[0] = cdi_diff_of(p.x, q.x);
    d[1] = cdi_diff_of(p.y, q.y);
    d[2] = cdi_diff_of(p.z, q.z);
    return cdi_compare_squares(d, radius) <= 0;
}

static void cdi_exact_cross(cdi_arena *arena, const cdi_exact *a, const cdi_exact *b, cdi_exact *out) {
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        out[i] = cdi_exact_det2(arena, a[j], a[k], b[j], b[k]);
    }
}

CDI_FN CDI_COLD bool cdi_point_reaches_line(cdi_v3 p, cdi_v3 o, const cdi_edge3d *d, cdi_diff radius) {
    uint32_t limbs[CDI_QUESTION_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_QUESTION_ROOM);
    cdi_exact u[3], op[3], n[3], r = cdi_exact_diff(&arena, radius.a, radius.b), square;
    cdi_exact_vector(&arena, d->to, d->from, u);
    cdi_exact_vector(&arena, p, o, op);
    cdi_exact_cross(&arena, u, op, n);
    square = cdi_exact_dot(&arena, n, n);
    r = cdi_exact_mul(&arena, r, r);
    r = cdi_exact_mul(&arena, r, cdi_exact_dot(&arena, u, u));
    return cdi_exact_sub(&arena, square, r).sign <= 0;
}

static bool cdi_point_reaches_segment(cdi_v3 p, cdi_v3 a, cdi_v3 b, cdi_diff radius) {
    cdi_edge3d ab;
    if (cdi_along_sign(a, b, p) <= 0) return cdi_point_reaches_point(p, a, radius);
    if (cdi_along_sign(b, a, p) <= 0) return cdi_point_reaches_point(p, b, radius);
    ab.from = a;
    ab.to = b;
    return cdi_point_reaches_line(p, a, &ab, radius);
}

/* With the directions u and v, from = c - a and n = u x v: the parameters are (from x v) . n / n^2 and (from x u) . n / n^2,
 * the length from . n / |n|. */
CDI_FN CDI_COLD bool cdi_insides_reach(const cdi_question *q, const cdi_edge3d *endless) {
    uint32_t limbs[CDI_QUESTION_ROOM];
    cdi_arena arena = cdi_arena_on(limbs, CDI_QUESTION_ROOM);
    cdi_exact u[3], v[3], from[3], n[3], square, r = cdi_exact_diff(&arena, q->radius.a, q->radius.b), h;
    int mark;
    cdi_exact_vector(&arena, endless ? endless->to : q->b, endless ? endless->from : q->a, u);
    cdi_exact_vector(&arena, q->d, q->c, v);
    cdi_exact_vector(&arena, q->c, q->a, from);
    cdi_exact_cross(&arena, u, v, n);
    square = cdi_exact_dot(&arena, n, n);
    if (square.sign == 0) return false;
    mark = arena.used;
    for (int i = 0; i < 2; ++i) {
        cdi_exact x[3], parameter;
        cdi_exact_cross(&arena, from, i ? u : v, x);
        parameter = cdi_exact_keep(&arena, mark, cdi_exact_dot(&arena, x, n));
        if (parameter.sign < 0) return false;
        if ((i || !endless) && cdi_exact_sub(&arena, parameter, square).sign > 0) return false;
        arena.used = mark;
    }
    h = cdi_exact_dot(&arena, from, n);
    h = cdi_exact_keep(&arena, mark, cdi_exact_mul(&arena, h, h));
    r = cdi_exact_mul(&arena, cdi_exact_mul(&arena, r, r), square);
    return cdi_exact_sub(&arena, h, r).sign <= 0;
}

static CDI_COLD bool cdi_segments_reach_exact(const cdi_question *q) {
    return cdi_point_reaches_segment(q->a, q->c, q->d, q->radius) ||
           cdi_point_reaches_segment(q->b, q->c, q->d, q->radius) ||
           cdi_point_reaches_segment(q->c, q->a, q->b, q->radius) ||
           cdi_point_reaches_segment(q->d, q->a, q->b, q->radius) || cdi_insides_reach(q, NULL);
}

/* Are the shadows of the two on an axis farther apart than the distance? */
static bool cdi_shadows_part(double a, double b, double c, double d, double reach) {
    double gap = cdi_max(cdi_min(c, d) - cdi_max(a, b), cdi_min(a, b) - cdi_max(c, d));
    return gap > reach * 1.000000000000001; /* two roundings */
}

/* The two points found are no farther apart than the distance: yes. The ends of the two lie on both sides of a slab across
 * the way between these points that is wider: no. Each beyond rounding, which is at most 32 u of the size. */
CDI_FN int cdi_segments_reach_surely(const cdi_question *q, double noise) {
    double reach = q->radius.a - q->radius.b, distance, gain, size, slack;
    cdi_v3 u = cdi_v3_sub(q->b, q->a), v = cdi_v3_sub(q->d, q->c), from = cdi_v3_sub(q->c, q->a), w;
    cdi_bridge gap = cdi_near_segments(q->a, q->b, q->c, q->d);
    w = gap.between;
    distance = cdi_v3_length(w);
    size = cdi_v3_max_abs(u) + cdi_v3_max_abs(v) + cdi_v3_max_abs(from) + reach;
    slack = noise * size + 1e-150;
    if (distance + slack <= reach) return 1;
    gain = cdi_v3_dot(w, from) + cdi_min(cdi_v3_dot(w, v), 0.0) - cdi_max(cdi_v3_dot(w, u), 0.0);
    return gain <= CDI_HUGE && gain / distance - slack > reach ? -1 : 0;
}

static bool cdi_segments_reach(const cdi_question *q) {
    double reach = q->radius.a - q->radius.b;
    int sure;
    if (cdi_shadows_part(q->a.x, q->b.x, q->c.x, q->d.x, reach) ||
        cdi_shadows_part(q->a.y, q->b.y, q->c.y, q->d.y, reach) ||
        cdi_shadows_part(q->a.z, q->b.z, q->c.z, q->d.z, reach))
        return false;
    sure = cdi_segments_reach_surely(q, 3.552713678800501e-15);
    return sure != 0 ? sure > 0 : cdi_segments_reach_exact(q);
}

static bool cdi_center_reaches(cd_vec3 center, const cd_capsule *c, cdi_diff radius) {
    cdi_question q;
    q.a = cdi_v3_of(c->a);
    q.b = cdi_v3_of(c->b);
    q.c = q.d = cdi_v3_of(center);
    q.radius = radius;
    return cdi_segments_reach(&q);
}

static bool cdi_sphere_reaches_capsule(cd_vec3 center, cd_real radius, const cd_capsule *c) {
    return cdi_center_reaches(center, c, cdi_diff_of((double)c->radius, -(double)radius));
}

CDI_FN bool cdi_capsule_holds_ball(const cd_capsule *c, cd_vec3 center, cd_real radius) {
    return radius <= c->radius &&
           cdi_center_reaches(center, c, cdi_diff_of((double)c->radius, (double)radius));
}

CD_API bool cd_test_point_capsule(cd_vec3 p, const cd_capsule *c) {
    return cd_vec3_is_valid(p) && cd_capsule_is_valid(c) && cdi_sphere_reaches_capsule(p, 0, c);
}

CD_API bool cd_test_sphere_capsule(cd_sphere s, const cd_capsule *c) {
    return cd_sphere_is_valid(s) && cd_capsule_is_valid(c) &&
           cdi_sphere_reaches_capsule(s.center, s.radius, c);
}

CD_API bool cd_test_capsule_capsule(const cd_capsule *a, const cd_capsule *b) {
    cdi_question q;
    if (!cd_capsule_is_valid(a) || !cd_capsule_is_valid(b)) return false;
    q.a = cdi_v3_of(a->a);
    q.b = cdi_v3_of(a->b);
    q.c = cdi_v3_of(b->a);
    q.d = cdi_v3_of(b->b);
    q.radius = cdi_diff_of((double)a->radius, -(double)b->radius);
    return cdi_segments_reach(&q);
}

/* ---- lozenges ---- */

/* A sphere, a capsule without length, with the lozenge: as it is in both builds. */
CD_API bool cd_test_sphere_lozenge(cd_sphere s, const cd_lozenge *l) {
    cd_capsule c;
    c.a = c.b = s.center;
    c.radius = s.radius;
    return cd_test_capsule_lozenge(&c, l);
}

CD_API bool cd_test_point_lozenge(cd_vec3 p, const cd_lozenge *l) {
    cd_sphere s;
    s.center = p;
    s.radius = 0;
    return cd_test_sphere_lozenge(s, l);
}

CD_API bool cd_test_capsule_lozenge(const cd_capsule *c, const cd_lozenge *l) {
    int shift = cdi_tame_shift(cdi_max(cdi_capsule_most(c), cdi_lozenge_most(l)));
    cdi_swept a = cdi_swept_capsule(c, shift), b = cdi_swept_lozenge(l, shift);
    if (cdi_v3_is_zero(cdi_v3_sub(a.core.v[1], a.core.v[0]))) a.core.count = 1;
    return cd_capsule_is_valid(c) && cd_lozenge_is_valid(l) && cdi_swept_meet(&a, &b.core, b.radius);
}

CD_API bool cd_test_lozenge_lozenge(const cd_lozenge *a, const cd_lozenge *b) {
    int shift = cdi_tame_shift(cdi_max(cdi_lozenge_most(a), cdi_lozenge_most(b)));
    cdi_swept s = cdi_swept_lozenge(a, shift), t = cdi_swept_lozenge(b, shift);
    return cd_lozenge_is_valid(a) && cd_lozenge_is_valid(b) && cdi_swept_meet(&s, &t.core, t.radius);
}

/* ---- planes ---- */

/* The least and the largest height of the core's corners, less and plus the radius, meet what is asked for? */
static bool cdi_swept_plane(const cdi_flat *core, double radius, cd_plane plane, bool solid) {
    double least = cdi_infinity(), most = -cdi_infinity(), reach = 0.0;
    for (int i = 0; i < core->count; ++i) {
        cdi_v3 n;
        double height = cdi_plane_height(plane, core->v[i], &n);
        reach = radius * cdi_v3_length(n);
        least = cdi_min(least, height);
        most = cdi_max(most, height);
    }
    return least <= reach && (solid || most >= -reach);
}

static bool cdi_capsule_plane(const cd_capsule *c, cd_plane plane, bool solid) {
    cdi_flat core = cdi_flat_of_segment(c->a, c->b, 0);
    return cd_capsule_is_valid(c) && cd_plane_is_valid(&plane) &&
           cdi_swept_plane(&core, (double)c->radius, plane, solid);
}

static bool cdi_lozenge_plane(const cd_lozenge *l, cd_plane plane, bool solid) {
    cdi_flat core = cdi_flat_of_lozenge(l, 0);
    return cd_lozenge_is_valid(l) && cd_plane_is_valid(&plane) &&
           cdi_swept_plane(&core, (double)l->radius, plane, solid);
}

CD_API bool cd_test_capsule_plane(const cd_capsule *c, cd_plane plane) {
    return cdi_capsule_plane(c, plane, false);
}
CD_API bool cd_test_capsule_halfspace(const cd_capsule *c, cd_plane plane) {
    return cdi_capsule_plane(c, plane, true);
}
CD_API bool cd_test_lozenge_plane(const cd_lozenge *l, cd_plane plane) {
    return cdi_lozenge_plane(l, plane, false);
}
CD_API bool cd_test_lozenge_halfspace(const cd_lozenge *l, cd_plane plane) {
    return cdi_lozenge_plane(l, plane, true);
}

/* ---- triangles and polygons ---- */

static double cdi_triangle_most(const cd_triangle *t) {
    return cdi_max(cdi_max(cdi_v3_max_abs(cdi_v3_of(t->a)), cdi_v3_max_abs(cdi_v3_of(t->b))),
                   cdi_v3_max_abs(cdi_v3_of(t->c)));
}

CD_API bool cd_test_capsule_triangle(const cd_capsule *c, const cd_triangle *t) {
    int shift = cdi_tame_shift(cdi_max(cdi_capsule_most(c), cdi_triangle_most(t)));
    cdi_swept s = cdi_swept_capsule(c, shift);
    cdi_flat f = cdi_flat_of_triangle(t, shift);
    return cd_capsule_is_valid(c) && cd_triangle_is_valid(t) && cdi_swept_meet(&s, &f, 0.0);
}

CD_API bool cd_test_lozenge_triangle(const cd_lozenge *l, const cd_triangle *t) {
    int shift = cdi_tame_shift(cdi_max(cdi_lozenge_most(l), cdi_triangle_most(t)));
    cdi_swept s = cdi_swept_lozenge(l, shift);
    cdi_flat f = cdi_flat_of_triangle(t, shift);
    return cd_lozenge_is_valid(l) && cd_triangle_is_valid(t) && cdi_swept_meet(&s, &f, 0.0);
}

/* ---- boxes ---- */

static double cdi_aabb_most(cd_aabb b) {
    return cdi_max(cdi_v3_max_abs(cdi_v3_of(b.min)), cdi_v3_max_abs(cdi_v3_of(b.max)));
}

static bool cdi_swept_box(const cdi_swept *s, cd_aabb b, int shift) {
    return cd_aabb_is_valid(b) && cdi_flat_reaches_box(&s->core, cdi_v3_scale2(cdi_v3_of(b.min), shift),
                                                       cdi_v3_scale2(cdi_v3_of(b.max), shift), s->radius);
}

/* In the box's frame. */
static bool cdi_swept_obb(cdi_swept *s, const cd_obb *b, int shift) {
    cdi_obb d = cdi_obb_of(b);
    cdi_v3 half = cdi_v3_scale2(cdi_v3_of(b->half), shift);
    d.center = cdi_v3_scale2(cdi_v3_of(b->center), shift);
    if (!cdi_obb_finite(&d) || !(half.x >= 0.0 && half.y >= 0.0 && half.z >= 0.0)) return false;
    for (int i = 0; i < 4; ++i) s->core.v[i] = cdi_obb_local(&d, s->core.v[i]);
    return cdi_flat_reaches_box(&s->core, cdi_v3_neg(half), half, s->radius);
}

static double cdi_obb_most(const cd_obb *b) {
    return cdi_max(cdi_v3_max_abs(cdi_v3_of(b->center)), cdi_v3_max_abs(cdi_v3_of(b->half)));
}

CD_API bool cd_test_capsule_aabb(const cd_capsule *c, cd_aabb b) {
    int shift = cdi_tame_shift(cdi_max(cdi_capsule_most(c), cdi_aabb_most(b)));
    cdi_swept s = cdi_swept_capsule(c, shift);
    return cd_capsule_is_valid(c) && cdi_swept_box(&s, b, shift);
}

CD_API bool cd_test_capsule_obb(const cd_capsule *c, const cd_obb *b) {
    int shift = cdi_tame_shift(cdi_max(cdi_capsule_most(c), cdi_obb_most(b)));
    cdi_swept s = cdi_swept_capsule(c, shift);
    return cd_capsule_is_valid(c) && cdi_swept_obb(&s, b, shift);
}

CD_API bool cd_test_lozenge_aabb(const cd_lozenge *l, cd_aabb b) {
    int shift = cdi_tame_shift(cdi_max(cdi_lozenge_most(l), cdi_aabb_most(b)));
    cdi_swept s = cdi_swept_lozenge(l, shift);
    return cd_lozenge_is_valid(l) && cdi_swept_box(&s, b, shift);
}

CD_API bool cd_test_lozenge_obb(const cd_lozenge *l, const cd_obb *b) {
    int shift = cdi_tame_shift(cdi_max(cdi_lozenge_most(l), cdi_obb_most(b)));
    cdi_swept s = cdi_swept_lozenge(l, shift);
    return cd_lozenge_is_valid(l) && cdi_swept_obb(&s, b, shift);
}
