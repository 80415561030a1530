#include "query/sweep_sphere.h"
#include "query/polygon.h"
#include "query/sweep_box3d.h"
#include "query/sweep_flat.h"
#include "query/sweep_many3d.h"

/* ---- rejection ----
 * The box around the whole motion against the thing's box: apart by more than anything counts as met within, so that what starts
 * as good as touching is not lost along an axis. */

CDI_HOT cdi_ball_way cdi_ball_way_of(const cd_sphere *s, const cd_vec3 *motion) {
    cdi_v3 o = cdi_v3_of(s->center), d = cdi_v3_of(*motion);
    cdi_ball_way w;
    w.lo = cdi_v3_make(o.x + cdi_min(d.x, 0.0), o.y + cdi_min(d.y, 0.0), o.z + cdi_min(d.z, 0.0));
    w.hi = cdi_v3_make(o.x + cdi_max(d.x, 0.0), o.y + cdi_max(d.y, 0.0), o.z + cdi_max(d.z, 0.0));
    w.radius = (double)s->radius;
    w.most = cdi_max(cdi_max(cdi_v3_max_abs(o), cdi_v3_max_abs(d)), w.radius);
    return w;
}

CDI_HOT double cdi_most_of_three(double x, double y, double z) {
    return cdi_max(cdi_max(x, y), z);
}

CDI_HOT bool cdi_ball_way_passes_box(const cdi_ball_way *w, cd_vec3 least, cd_vec3 greatest) {
    cdi_v3 lo = cdi_v3_of(least), hi = cdi_v3_of(greatest);
    double before = cdi_most_of_three(lo.x - w->hi.x, lo.y - w->hi.y, lo.z - w->hi.z);
    double behind = cdi_most_of_three(w->lo.x - hi.x, w->lo.y - hi.y, w->lo.z - hi.z);
    double most = cdi_max(cdi_most_of_three(hi.x, hi.y, hi.z), cdi_most_of_three(-lo.x, -lo.y, -lo.z));
    return cdi_max(before, behind) > w->radius + 2.0 * cdi_sweep_slack(cdi_max(most, w->most));
}

static bool cdi_sweep_sphere_begin(cdi_cast *c, cd_sphere s, cd_vec3 motion, const cd_cast_options *options) {
    return cd_sphere_is_valid(s) && cdi_sweep_begin(c, s.center, motion, options);
}

/* ---- round things: a figure with a radius of its own ---- */

/* Where the ball about the figure's point is met: from outside of it towards the centre, also where that is too near to give the normal. */
static cdi_v3 cdi_sweep_round_point(const cdi_cast *c, cdi_meets meets, const cdi_impact *met,
                                    double radius) {
    cdi_v3 way = cdi_v3_sub(cdi_v3_along(c->o, c->d, met->t), met->point);
    double length = cdi_v3_norm(way);
    if (meets == CDI_MEETS_AT_START || !met->thin) return cdi_v3_along(met->point, met->normal, radius);
    return cdi_v3_along(met->point, way, length > radius ? radius / length : 1.0);
}

static bool cdi_sweep_sphere_round(const cdi_cast *c, cd_sphere s, const cdi_flat *f, cd_real radius,
                                   cd_hit *hit) {
    cdi_impact met;
    cdi_meets meets = cdi_sweep_rounded(c, f, (double)s.radius + (double)radius, CDI_HUGE, &met);
    if (meets != CDI_MEETS_NEVER) met.point = cdi_sweep_round_point(c, meets, &met, (double)radius);
    met.feature = CD_FEATURE(3u, 0u);
    return cdi_sweep_answer(c, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

CD_API bool cd_sweep_sphere_sphere(cd_sphere s, cd_vec3 motion, cd_sphere other,
                                   const cd_cast_options *options, cd_hit *hit) {
    cdi_flat f = cdi_flat_of_point(other.center, 0);
    cdi_cast c;
    if (!cd_sphere_is_valid(other) || !cdi_sweep_sphere_begin(&c, s, motion, options)) return false;
    return cdi_sweep_sphere_round(&c, s, &f, other.radius, hit);
}

CD_API bool cd_sweep_sphere_capsule(cd_sphere s, cd_vec3 motion, const cd_capsule *other,
                                    const cd_cast_options *options, cd_hit *hit) {
    cdi_flat f = cdi_flat_of_segment(other->a, other->b, 0);
    cdi_cast c;
    if (!cd_capsule_is_valid(other) || !cdi_sweep_sphere_begin(&c, s, motion, options)) return false;
    return cdi_sweep_sphere_round(&c, s, &f, other->radius, hit);
}

/* ---- triangles ---- */

CDI_HOT bool cdi_ball_way_passes(const cdi_ball_way *w, const cd_triangle *t) {
    return cdi_ball_way_passes_box(w, cd_vec3_min(cd_vec3_min(t->a, t->b), t->c),
                                   cd_vec3_max(cd_vec3_max(t->a, t->b), t->c));
}

static cdi_meets cdi_sweep_at_triangle(const cdi_cast *c, const cd_triangle *t, double radius, double until,
                                       cdi_impact *met) {
    cdi_flat f;
    if (!cdi_no_excess(cdi_excess(t->a) | cdi_excess(t->b) | cdi_excess(t->c))) return CDI_MEETS_NEVER;
    f.v[0] = cdi_v3_of(t->a);
    f.v[1] = cdi_v3_of(t->b);
    f.v[2] = cdi_v3_of(t->c);
    f.count = 3;
    return cdi_sweep_rounded(c, &f, radius, until, met);
}

CD_API bool cd_sweep_sphere_triangle(cd_sphere s, cd_vec3 motion, const cd_triangle *t,
                                     const cd_cast_options *options, cd_hit *hit) {
    cdi_ball_way way = cdi_ball_way_of(&s, &motion);
    cdi_cast c;
    cdi_impact met;
    cdi_meets meets;
    if (cdi_ball_way_passes(&way, t) || !cdi_sweep_sphere_begin(&c, s, motion, options)) return false;
    meets = cdi_sweep_at_triangle(&c, t, (double)s.radius, CDI_HUGE, &met);
    return meets != CDI_MEETS_NEVER && cdi_sweep_answer(&c, meets, &met, cdi_triangle_front(t), hit);
}

CDI_FN bool cdi_ball_course_begin(cdi_ball_course *m, cd_sphere s, cd_vec3 motion,
                                  const cd_cast_options *options) {
    m->way = cdi_ball_way_of(&s, &motion);
    m->until = CDI_HUGE;
    return cdi_sweep_sphere_begin(&m->whole, s, motion, options);
}

CDI_FN void cdi_ball_course_until(cdi_ball_course *m, double t) {
    m->until = t + 9.3132257461547852e-10; /* 2^-30: beside t, more than rounding does to times */
}

static cdi_meets cdi_ball_course_meet(const cdi_ball_course *m, const cd_triangle *t, cdi_impact *met) {
    if (cdi_ball_way_passes(&m->way, t)) return CDI_MEETS_NEVER;
    return cdi_sweep_at_triangle(&m->whole, t, m->way.radius, m->until, met);
}

CDI_FN bool cdi_ball_course_triangle(const cdi_ball_course *m, const cd_triangle *t, cd_hit *hit) {
    cdi_impact met;
    cdi_meets meets = cdi_ball_course_meet(m, t, &met);
    return meets != CDI_MEETS_NEVER && cdi_sweep_answer(&m->whole, meets, &met, cdi_triangle_front(t), hit);
}

CD_API bool cd_sweep_sphere_triangles(cd_sphere s, cd_vec3 motion, const cd_triangle *t, size_t count,
                                      const cd_cast_options *options, cd_hit *hit) {
    cdi_ball_course many;
    double first = 0.0;
    size_t best = CD_NONE;
    if (!cdi_ball_course_begin(&many, s, motion, options)) return false;
    for (size_t i = 0; i < count && i < CD_NONE; ++i) {
        cdi_impact met;
        cdi_meets meets = cdi_ball_course_meet(&many, &t[i], &met);
        if (meets == CDI_MEETS_NEVER || (best != CD_NONE && met.t >= first)) continue;
        if (!cdi_sweep_answer(&many.whole, meets, &met, cdi_triangle_front(&t[i]), NULL)) continue;
        if (options && options->filter && !options->filter(options->user, (uint32_t)i)) continue;
        best = i;
        first = met.t;
        cdi_ball_course_until(&many, first);
    }
    if (best == CD_NONE || !cd_sweep_sphere_triangle(s, motion, &t[best], options, hit)) return false;
    if (hit) hit->index = (uint32_t)best;
    return true;
}

/* ---- polygons ---- */

CDI_FN cdi_meets cdi_sweep_first(cdi_meets a, cdi_impact *first, cdi_meets b, const cdi_impact *other) {
    if (b == CDI_MEETS_NEVER || (a == CDI_MEETS_AT_START && b == CDI_MEETS_LATER)) return a;
    if (a != b || (b == CDI_MEETS_AT_START ? other->depth > first->depth : other->t < first->t))
        *first = *other;
    return b;
}

/* The outward normal of edge i in the plane, or `best` if the motion is more against that. */
static cdi_v3 cdi_sweep_border(const cdi_cast *c, const cd_vec3 *polygon, size_t count, size_t i,
                               cdi_v3 front, cdi_v3 best) {
    cdi_v3 e = cdi_v3_sub(cdi_v3_of(polygon[i + 1 < count ? i + 1 : 0]), cdi_v3_of(polygon[i]));
    cdi_v3 out = cdi_v3_unit(cdi_v3_cross(e, front));
    return cdi_v3_dot(out, c->d) < cdi_v3_dot(best, c->d) ? out : best;
}

/* The normal of a centre on the polygon: not that of a border of one triangle, which may go across the polygon. Of those of the face and
 * of the borders that are met, that most against the motion. */
static void cdi_sweep_fan_normal(const cdi_cast *c, const cd_vec3 *polygon, size_t count, cdi_v3 front,
                                 cdi_impact *met) {
    uint32_t kind = CD_FEATURE_KIND(met->feature);
    size_t i = CD_FEATURE_INDEX(met->feature);
    cdi_v3 n = cdi_v3_unit(front), best;
    if (!met->thin || cdi_v3_is_zero(n)) return;
    best = cdi_v3_dot(n, c->d) > 0.0 ? cdi_v3_neg(n) : n;
    if (kind != 3u) best = cdi_sweep_border(c, polygon, count, i, n, best);
    if (kind == 1u) best = cdi_sweep_border(c, polygon, count, i > 0 ? i - 1 : count - 1, n, best);
    met->normal = best;
}

static bool cdi_sweep_polygon_sound(const cd_vec3 *polygon, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(polygon[i])) return false;
    }
    return count > 0 && count <= 0x3FFFFFFFu;
}

CD_API bool cd_sweep_sphere_polygon(cd_sphere s, cd_vec3 motion, const cd_vec3 *polygon, size_t count,
                                    const cd_cast_options *options, cd_hit *hit) {
    cdi_ball_way way = cdi_ball_way_of(&s, &motion);
    cdi_cast c;
    cdi_impact met;
    cdi_meets meets = CDI_MEETS_NEVER;
    cdi_v3 front;
    cdi_clear(&met, sizeof met);
    if (!cdi_sweep_sphere_begin(&c, s, motion, options) || !cdi_sweep_polygon_sound(polygon, count))
        return false;
    for (size_t i = 0; i < cd_polygon_triangle_count(count); ++i) {
        cd_triangle t = cd_polygon_triangle(polygon, count, i);
        cdi_impact here;
        cdi_meets meets_here;
        if (cdi_ball_way_passes(&way, &t)) continue;
        meets_here = cdi_sweep_at_triangle(&c, &t, (double)s.radius, CDI_HUGE, &here);
        if (meets_here == CDI_MEETS_NEVER) continue;
        here.feature = cdi_fan_feature(here.feature, i, count);
        here.u = here.v = 0.0;
        meets = cdi_sweep_first(meets, &met, meets_here, &here);
    }
    if (meets == CDI_MEETS_NEVER) return false;
    front = cdi_polygon_front(polygon, count);
    if (count > 3) cdi_sweep_fan_normal(&c, polygon, count, front, &met);
    return cdi_sweep_answer(&c, meets, &met, front, hit);
}

/* ---- boxes ----
 * The centre begins inside, or sees three faces at most: those it is above, which are all that it can meet first. */

/* The face across an axis, and the centre above it. */
typedef struct cdi_cuboid_side {
    cdi_v3 out;
    double height, speed;
    bool up;
} cdi_cuboid_side;

static cdi_cuboid_side cdi_cuboid_side_of(const cdi_obb *b, cdi_v3 p, cdi_v3 d, int k) {
    const cdi_v3 *axis = b->axes.c;
    cdi_v3 n = cdi_v3_unit(cdi_v3_cross(axis[(k + 1) % 3], axis[(k + 2) % 3]));
    double along = cdi_v3_dot(n, axis[k]), at = cdi_v3_dot(n, cdi_v3_sub(p, b->center)),
           speed = cdi_v3_dot(n, d);
    bool turned = at < 0.0 || (at == 0.0 && speed > 0.0);
    cdi_cuboid_side s;
    s.out = turned ? cdi_v3_neg(n) : n;
    s.up = turned != (along >= 0.0);
    s.height = cdi_abs(at) - b->half[k] * cdi_abs(along);
    s.speed = turned ? 0.0 - speed : speed;
    return s;
}

static cdi_v3 cdi_cuboid_corner(const cdi_obb *b, uint32_t which) {
    cdi_v3 p = cdi_v3_make(0.0, 0.0, 0.0);
    for (int k = 0; k < 3; ++k) p = cdi_v3_along(p, b->axes.c[k], which >> k & 1u ? b->half[k] : -b->half[k]);
    return cdi_v3_add(b->center, p);
}

/* The corner q of the face: around it. */
static uint32_t cdi_cuboid_face_corner(int k, bool up, uint32_t q) {
    uint32_t i = k == 0, j = k == 2 ? 1u : 2u;
    return ((q == 1u || q == 2u ? 1u : 0u) << i) | ((q > 1u ? 1u : 0u) << j) | ((up ? 1u : 0u) << k);
}

static cdi_flat cdi_cuboid_face(const cdi_obb *b, int k, bool up) {
    cdi_flat f;
    f.count = 4;
    for (uint32_t q = 0; q < 4; ++q) {
        cdi_v3 corner = cdi_cuboid_corner(b, cdi_cuboid_face_corner(k, up, q));
        f.v[q] = corner;
    }
    return f;
}

/* An edge by its corners: it runs along the axis in which they differ. */
static uint32_t cdi_cuboid_feature(int k, bool up, uint32_t feature) {
    uint32_t q = CD_FEATURE_INDEX(feature), kind = CD_FEATURE_KIND(feature);
    uint32_t a = cdi_cuboid_face_corner(k, up, q), along = a ^ cdi_cuboid_face_corner(k, up, (q + 1u) % 4u);
    if (kind == 3u) return CD_FEATURE(3u, 2u * (uint32_t)k + (up ? 1u : 0u));
    if (kind != 2u) return CD_FEATURE(kind, kind == 1u ? a : 0u);
    if (along == 1u) return CD_FEATURE(2u, a >> 1);
    return along == 2u ? CD_FEATURE(2u, 4u + (a & 1u) + (a >> 2 << 1)) : CD_FEATURE(2u, 8u + (a & 3u));
}

static cdi_meets cdi_cuboid_inside(const cdi_cast *c, cdi_v3 p, const cdi_cuboid_side side[3], double radius,
                                   cdi_impact *met) {
    int k = side[1].height > side[0].height ? 1 : 0;
    if (side[2].height > side[k].height) k = 2;
    met->t = c->t_min;
    met->normal = side[k].out;
    met->point = cdi_v3_along(p, side[k].out, -side[k].height);
    met->depth = radius - side[k].height;
    met->feature = cdi_cuboid_feature(k, side[k].up, CD_FEATURE(3u, 0u));
    return CDI_MEETS_AT_START;
}

/* The axis along which a box has no width but an area: the face across it is all of the box. Else -1. */
static int cdi_cuboid_flat(const cdi_obb *b) {
    int flat = -1;
    for (int k = 0; k < 3; ++k) {
        if (b->half[k] != 0.0) continue;
        if (flat >= 0) return -1;
        flat = k;
    }
    return flat;
}

static cdi_meets cdi_sweep_box_sides(const cdi_cast *c, const cdi_obb *b, double radius, double slack,
                                     cdi_impact *met) {
    cdi_v3 p = cdi_v3_along(c->o, c->d, c->t_min);
    double reach = radius + slack, last = c->t_max - c->t_min;
    cdi_meets meets = CDI_MEETS_NEVER;
    cdi_cuboid_side side[3];
    bool inside = true;
    int flat = cdi_cuboid_flat(b);
    for (int k = 0; k < 3; ++k) {
        cdi_cuboid_side s = cdi_cuboid_side_of(b, p, c->d, k);
        side[k] = s;
        if (s.height > reach && s.height + s.speed * last > reach) return CDI_MEETS_NEVER;
        if (s.height > 0.0) inside = false;
    }
    if (inside) return cdi_cuboid_inside(c, p, side, radius, met);
    for (int k = 0; k < 3; ++k) {
        cdi_impact here;
        cdi_meets meets_here;
        cdi_flat f;
        if (!(side[k].height > 0.0) || (flat >= 0 && flat != k && side[flat].height > 0.0)) continue;
        f = cdi_cuboid_face(b, k, side[k].up);
        meets_here = cdi_sweep_flat(c, &f, radius, slack, &here);
        if (meets_here == CDI_MEETS_NEVER) continue;
        here.feature = cdi_cuboid_feature(k, side[k].up, here.feature);
        meets = cdi_sweep_first(meets, met, meets_here, &here);
    }
    return meets;
}

static double cdi_cuboid_most(const cdi_obb *b) {
    double half = cdi_max(cdi_max(b->half[0], b->half[1]), b->half[2]);
    return cdi_max(cdi_v3_max_abs(b->center), half);
}

CDI_FN cdi_meets cdi_sweep_ball_box(const cdi_cast *c, double radius, const cdi_obb *b, cdi_impact *met) {
    cdi_obb box = *b;
    cdi_cast scaled = *c;
    cdi_meets meets;
    double most =
        cdi_max(cdi_max(cdi_v3_max_abs(c->o), cdi_v3_max_abs(c->d)), cdi_max(cdi_cuboid_most(b), radius));
    int shift = cdi_tame_shift(most);
    cdi_clear(met, sizeof *met);
    scaled.o = cdi_v3_scale2(c->o, shift);
    scaled.d = cdi_v3_scale2(c->d, shift);
    box.center = cdi_v3_scale2(b->center, shift);
    for (int k = 0; k < 3; ++k) box.half[k] = cdi_scale2(b->half[k], shift);
    meets = cdi_sweep_box_sides(&scaled, &box, cdi_scale2(radius, shift),
                                cdi_sweep_slack(cdi_scale2(most, shift)), met);
    met->point = cdi_v3_scale2(met->point, -shift);
    met->depth = cdi_scale2(met->depth, -shift);
    return meets;
}

static bool cdi_sweep_sphere_box(cd_sphere s, cd_vec3 motion, const cdi_obb *b,
                                 const cd_cast_options *options, cd_hit *hit) {
    cdi_cast c;
    cdi_impact met;
    cdi_meets meets;
    if (!cdi_sweep_sphere_begin(&c, s, motion, options)) return false;
    meets = cdi_sweep_ball_box(&c, (double)s.radius, b, &met);
    return cdi_sweep_answer(&c, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

CD_API bool cd_sweep_sphere_aabb(cd_sphere s, cd_vec3 motion, cd_aabb b, const cd_cast_options *options,
                                 cd_hit *hit) {
    cdi_v3 lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max), half = cdi_half_diff(hi, lo);
    cdi_ball_way way = cdi_ball_way_of(&s, &motion);
    cdi_obb d;
    if (cdi_ball_way_passes_box(&way, b.min, b.max) || !cd_aabb_is_valid(b)) return false;
    d.center = cdi_v3_add(cdi_v3_scale(lo, 0.5), cdi_v3_scale(hi, 0.5));
    d.axes.c[0] = cdi_v3_make(1.0, 0.0, 0.0);
    d.axes.c[1] = cdi_v3_make(0.0, 1.0, 0.0);
    d.axes.c[2] = cdi_v3_make(0.0, 0.0, 1.0);
    cdi_v3_store(d.half, half);
    return cdi_sweep_sphere_box(s, motion, &d, options, hit);
}

CD_API bool cd_sweep_sphere_obb(cd_sphere s, cd_vec3 motion, const cd_obb *b, const cd_cast_options *options,
                                cd_hit *hit) {
    cdi_obb d = cdi_obb_of(b);
    if (!cd_obb_is_valid(b)) return false;
    return cdi_sweep_sphere_box(s, motion, &d, options, hit);
}
