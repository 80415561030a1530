#include "query/sweep_ellipsoid.h"
#include "query/flat3d.h"
#include "query/polygon.h"
#include "query/sweep3d.h"
#include "shape/ellipsoid3d.h"

/* What moves, all scaled by 2^shift. */
typedef struct cdi_egg {
    cdi_cast cast;
    cdi_m3 map;     /* the image of the unit ball is the ellipsoid about its centre */
    cdi_obb round;  /* its principal axes, the longest first */
    double ball[3]; /* the half lengths of what counts as the unit ball when planes are looked for */
    double slack;
    int shift;
    bool sharp; /* planes are sought in true space, too */
} cdi_egg;

/* What is at rest: the triangle, the sphere, or the box with half the edges `edge`. */
typedef enum cdi_rest_kind { CDI_REST_TRIANGLE, CDI_REST_SPHERE, CDI_REST_BOX } cdi_rest_kind;

typedef struct cdi_rest {
    cdi_rest_kind kind;
    cdi_tri tri;
    cdi_v3 center, edge[3], normal[3]; /* normals of the box's faces; normal[0] the triangle's */
    double radius;
} cdi_rest;

/* Unit normals of planes that may be between the two, towards the ellipsoid; and the point that is nearest. */
typedef struct cdi_wedges {
    cdi_v3 point;
    double u, v, sqdist;
    uint32_t feature;
    int count;
    cdi_v3 w[28]; /* at a box 8, and those of its 8 corners and 12 edges */
} cdi_wedges;

/* ---- the ellipsoid ---- */

/* False when the question makes no sense; `most` is the largest coordinate of what is at rest. */
static bool cdi_egg_begin(cdi_egg *e, const cd_ellipsoid *shape, cd_vec3 motion,
                          const cd_cast_options *options, double most) {
    double least;
    if (!cd_ellipsoid_is_valid(shape) || !cdi_finite(most)) return false;
    if (!cdi_sweep_begin(&e->cast, shape->center, motion, options)) return false;
    e->map = cdi_ellipsoid_map(shape);
    e->round = cdi_ellipsoid_of(shape);
    most = cdi_max(cdi_max(most, e->round.half[0]),
                   cdi_max(cdi_v3_max_abs(e->cast.o), cdi_v3_max_abs(e->cast.d)));
    e->shift = cdi_tame_shift(most);
    most = cdi_scale2(most, e->shift);
    e->slack = cdi_sweep_slack(most);
    e->cast.o = cdi_v3_scale2(e->cast.o, e->shift);
    e->cast.d = cdi_v3_scale2(e->cast.d, e->shift);
    for (int i = 0; i < 3; ++i) {
        e->map.c[i] = cdi_v3_scale2(e->map.c[i], e->shift);
        e->round.half[i] = cdi_scale2(e->round.half[i], e->shift);
    }
    least = cdi_max(e->round.half[0] * 5.9604644775390625e-8, most * 8.6736173798840355e-19);
    if (!(least > 0.0)) least = 1.0; /* all is one point */
    for (int i = 0; i < 3; ++i) e->ball[i] = cdi_max(e->round.half[i], least);
    e->sharp = e->round.half[2] * e->round.half[2] < 8.0 * e->slack * e->round.half[0];
    return true;
}

/* To the space where it is the unit ball; and a normal back from there. */
static cdi_v3 cdi_egg_ball(const cdi_egg *e, cdi_v3 way) {
    cdi_v3 y = cdi_m3_tmul_v3(&e->round.axes, way);
    return cdi_v3_make(y.x / e->ball[0], y.y / e->ball[1], y.z / e->ball[2]);
}
static cdi_v3 cdi_egg_normal(const cdi_egg *e, cdi_v3 g) {
    double longest = e->ball[0];
    g = cdi_v3_make(g.x, g.y * (longest / e->ball[1]), g.z * (longest / e->ball[2]));
    return cdi_m3_mul_v3(&e->round.axes, g);
}

/* How far what is at rest is behind the plane of normal w that touches the ellipsoid about `center`. */
static double cdi_egg_gap(const cdi_egg *e, const cdi_rest *r, cdi_v3 center, cdi_v3 w) {
    double reach = cdi_v3_norm(cdi_m3_tmul_v3(&e->map, w)), gap;
    if (r->kind == CDI_REST_TRIANGLE) {
        gap = cdi_v3_dot(w, cdi_v3_sub(center, r->tri.v[0]));
        gap = cdi_min(gap, cdi_v3_dot(w, cdi_v3_sub(center, r->tri.v[1])));
        return cdi_min(gap, cdi_v3_dot(w, cdi_v3_sub(center, r->tri.v[2]))) - reach;
    }
    gap = cdi_v3_dot(w, cdi_v3_sub(center, r->center)) - r->radius;
    for (int i = 0; i < 3; ++i) gap -= cdi_abs(cdi_v3_dot(w, r->edge[i]));
    return gap - reach;
}

/* ---- planes ---- */

static void cdi_wedges_add(cdi_wedges *ways, cdi_v3 w) {
    w = cdi_v3_unit(w);
    if (!cdi_v3_is_zero(w) && cdi_v3_finite(w)) ways->w[ways->count++] = w;
}

/* Of the two normals the one towards the ellipsoid, `way` from the plane; against the motion when that is no matter. */
static void cdi_wedges_add_face(cdi_wedges *ways, cdi_v3 normal, cdi_v3 way, cdi_v3 d) {
    double height = cdi_v3_dot(normal, way);
    if (height == 0.0) height = -cdi_v3_dot(normal, d);
    cdi_wedges_add(ways, height < 0.0 ? cdi_v3_neg(normal) : normal);
}

/* The plane where they are nearest, g its normal in the unit ball's space; at no distance one against the motion, or any. */
static void cdi_wedges_add_nearest(const cdi_egg *e, cdi_v3 g, cdi_wedges *ways) {
    cdi_v3 w = cdi_egg_normal(e, g);
    if (cdi_v3_is_zero(w)) w = cdi_v3_neg(e->cast.d);
    if (cdi_v3_is_zero(w)) w = e->round.axes.c[2];
    cdi_wedges_add(ways, w);
}

/* The plane along the edge, if that is where they are nearest: what g has along it there is rounding, of which nothing is to be
 * left in either space. The first plane stands in for a g that is 0. */
static void cdi_wedges_add_edge(const cdi_egg *e, cdi_v3 g, cdi_v3 edge, cdi_wedges *ways) {
    cdi_v3 in_ball = cdi_egg_ball(e, edge), w;
    double square = cdi_v3_sqlength(in_ball);
    if (!(square > 0.0)) return;
    edge = cdi_v3_unit(edge);
    g = cdi_v3_across(cdi_v3_across(g, in_ball, square), in_ball, square);
    w = cdi_v3_unit(cdi_egg_normal(e, g));
    if (cdi_v3_is_zero(w)) w = ways->w[0];
    cdi_wedges_add(ways, cdi_v3_across(w, edge, 1.0));
}

static void cdi_wedges_to_triangle(const cdi_egg *e, const cdi_rest *r, cdi_v3 center, cdi_wedges *ways) {
    const cdi_v3 *v = r->tri.v;
    cdi_v3 g;
    cdi_tri t;
    cdi_near q;
    for (int i = 0; i < 3; ++i) {
        g = cdi_egg_ball(e, cdi_v3_sub(v[i], center));
        t.v[i] = g;
    }
    q = cdi_near_triangle(cdi_v3_make(0.0, 0.0, 0.0), &t);
    g = cdi_v3_neg(q.point);
    cdi_wedges_add_nearest(e, g, ways);
    for (int i = 0; i < 3; ++i) cdi_wedges_add_edge(e, g, cdi_v3_sub(v[(i + 1) % 3], v[i]), ways);
    cdi_wedges_add_face(ways, r->normal[0], cdi_v3_sub(center, v[0]), e->cast.d);
    ways->u = q.u;
    ways->v = q.v;
    ways->point = cdi_v3_along(cdi_v3_along(v[0], cdi_v3_sub(v[1], v[0]), q.u), cdi_v3_sub(v[2], v[0]), q.v);
    ways->sqdist = q.sqdist;
    ways->feature = q.feature;
}

/* The point nearest to p among the two halves of a parallelogram about `middle`, as parts of its half edges a and b. */
static cdi_near cdi_near_parallelogram(cdi_v3 p, cdi_v3 middle, cdi_v3 a, cdi_v3 b, double part[2]) {
    cdi_v3 sum = cdi_v3_add(a, b), diff = cdi_v3_sub(a, b);
    cdi_near q, other;
    cdi_tri t;
    t.v[0] = cdi_v3_sub(middle, sum);
    t.v[1] = cdi_v3_add(middle, diff);
    t.v[2] = cdi_v3_add(middle, sum);
    q = cdi_near_triangle(p, &t);
    t.v[1] = cdi_v3_sub(middle, diff);
    other = cdi_near_triangle(p, &t);
    part[0] = 2.0 * (q.u + q.v) - 1.0;
    part[1] = 2.0 * q.v - 1.0;
    if (q.sqdist <= other.sqdist) return q;
    part[0] = 2.0 * other.v - 1.0;
    part[1] = 2.0 * (other.u + other.v) - 1.0;
    return other;
}

/* Close enough to an end of [-1, 1] to be there, as parts are what is left of longer numbers: by 2^-41, so that a corner that is named
 * is within the excess of the point along three half edges. */
static int cdi_end_of(double part) {
    const double close = 4.5474735088646412e-13;
    return part > 1.0 - close ? 1 : part < close - 1.0 ? -1 : 0;
}

static uint32_t cdi_box_feature_at(const int end[3]) {
    int count = 0, axis = 0, first, second;
    for (int i = 0; i < 3; ++i) count += end[i] != 0;
    if (count == 0) return 0u;
    if (count == 3)
        return CD_FEATURE(1u, (end[0] > 0 ? 1u : 0u) + (end[1] > 0 ? 2u : 0u) + (end[2] > 0 ? 4u : 0u));
    while ((end[axis] != 0) != (count == 1)) ++axis;
    if (count == 1) return CD_FEATURE(3u, 2u * (uint32_t)axis + (end[axis] > 0 ? 1u : 0u));
    first = axis == 0 ? 1 : 0;
    second = axis == 2 ? 1 : 2;
    return CD_FEATURE(2u, 4u * (uint32_t)axis + (end[first] > 0 ? 1u : 0u) + (end[second] > 0 ? 2u : 0u));
}

/* The point of the box nearest to the centre of the ball is on a face that it is in front of. True when there is one. */
static bool cdi_near_box_faces(const cdi_egg *e, const cdi_rest *r, cdi_v3 way, double part[3],
                               cdi_near *best) {
    cdi_v3 y = cdi_egg_ball(e, way), edge[3], middle;
    bool found = false;
    double two[2];
    for (int k = 0; k < 3; ++k) {
        middle = cdi_egg_ball(e, r->edge[k]);
        edge[k] = middle;
    }
    for (int k = 0; k < 3; ++k) {
        double height = cdi_v3_dot(r->normal[k], way), side = height < 0.0 ? -1.0 : 1.0;
        int i = (k + 1) % 3, j = (k + 2) % 3;
        cdi_near q;
        if (cdi_abs(height) < cdi_v3_dot(r->normal[k], r->edge[k])) continue;
        middle = cdi_v3_sub(cdi_v3_scale(edge[k], side), y);
        q = cdi_near_parallelogram(cdi_v3_make(0.0, 0.0, 0.0), middle, edge[i], edge[j], two);
        if (found && q.sqdist >= best->sqdist) continue;
        found = true;
        *best = q;
        part[k] = side;
        part[i] = two[0];
        part[j] = two[1];
    }
    return found;
}

/* Inside of the box: the parts of its edges by heights over its middle planes. */
static void cdi_parts_inside(const cdi_rest *r, cdi_v3 way, double part[3]) {
    for (int k = 0; k < 3; ++k) {
        double reach = cdi_v3_dot(r->normal[k], r->edge[k]);
        part[k] = reach > 0.0 ? cdi_clamp(cdi_v3_dot(r->normal[k], way) / reach, -1.0, 1.0) : 0.0;
    }
}

static void cdi_wedges_to_box(const cdi_egg *e, const cdi_rest *r, cdi_v3 center, cdi_wedges *ways) {
    cdi_v3 way = cdi_v3_sub(center, r->center), g = cdi_v3_make(0.0, 0.0, 0.0);
    double part[3] = {0.0, 0.0, 0.0};
    int end[3] = {0, 0, 0};
    bool outside;
    cdi_near q;
    outside = cdi_near_box_faces(e, r, way, part, &q);
    if (outside)
        g = cdi_v3_neg(q.point);
    else
        cdi_parts_inside(r, way, part);
    cdi_wedges_add_nearest(e, g, ways);
    ways->point = r->center;
    for (int k = 0; k < 3; ++k) {
        cdi_wedges_add_edge(e, g, r->edge[k], ways);
        cdi_wedges_add_face(ways, r->normal[k], way, e->cast.d);
        ways->point = cdi_v3_along(ways->point, r->edge[k], part[k]);
        if (outside) end[k] = cdi_end_of(part[k]);
        if (end[k] == 0 && cdi_v3_is_zero(r->edge[k])) end[k] = 1;
    }
    ways->feature = cdi_box_feature_at(end);
}

/* ---- planes in true space ----
 * The plane of the ball's space is near enough to that of the nearest points only where the ellipsoid's least radius of curvature,
 * that of its tips, is above what rounding and the slack are: seen from a sharper tip it is steep, or even all rounding, as for what
 * is smaller than the slack, and falls on the thing long before the tip does. Those have the planes of the nearest points to each
 * corner, and to each edge as seen along it: where the two are apart, the widest gap is at one of these or at a face. */

/* x - y for the point x of the ellipsoid nearest to y, in its frame. It is along -x_i / e_i^2, e the half lengths: so are found the
 * parts in which x and y cancel, or those along a needle would be rounding that tilts the plane into it. */
static cdi_v3 cdi_way_along_normal(const cdi_obb *round, cdi_v3 y, cdi_v3 x) {
    double w[3], best = 0.0, part = 0.0, half = 0.0;
    for (int i = 0; i < 3; ++i) {
        double at = cdi_v3_get(x, i);
        w[i] = at - cdi_v3_get(y, i);
        if (at == 0.0 || !(cdi_abs(w[i]) > best)) continue;
        best = cdi_abs(w[i]);
        part = cdi_min(w[i] / at, 0.0);
        half = round->half[i];
    }
    for (int i = 0; i < 3; ++i) {
        double at = cdi_v3_get(x, i), ratio;
        if (!(cdi_abs(at) > 0.5 * cdi_abs(cdi_v3_get(y, i)))) continue;
        ratio = half / round->half[i];
        w[i] = part * ratio * ratio * at;
    }
    return cdi_v3_make(w[0], w[1], w[2]);
}

/* From p, relative to the centre, to the nearest point x of the ellipsoid; out of it where p is inside. */
static cdi_v3 cdi_way_to_ellipsoid(const cdi_obb *round, cdi_v3 p, cdi_v3 *x) {
    cdi_v3 y = cdi_m3_tmul_v3(&round->axes, p), w;
    *x = cdi_near_ellipsoid(round, y, true);
    w = cdi_way_along_normal(round, y, *x);
    if (cdi_v3_is_zero(w)) {
        *x = cdi_near_ellipsoid(round, y, false);
        w = cdi_v3_sub(y, *x);
    }
    return cdi_m3_mul_v3(&round->axes, w);
}

static void cdi_wedges_add_corner(const cdi_egg *e, cdi_v3 way, cdi_wedges *ways) {
    cdi_v3 x;
    cdi_wedges_add(ways, cdi_way_to_ellipsoid(&e->round, way, &x));
}

/* The ellipsoid as seen along the unit direction u. */
static cdi_obb cdi_egg_along(const cdi_egg *e, cdi_v3 u) {
    cdi_m3 map;
    cdi_obb seen;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 c = cdi_v3_across(e->map.c[i], u, 1.0);
        map.c[i] = c;
    }
    seen.center = cdi_v3_make(0.0, 0.0, 0.0);
    cdi_map_axes(&map, &seen.axes, seen.half);
    return seen;
}

/* The edge along u through a point `way` from the centre. */
static void cdi_wedges_add_line(const cdi_obb *seen, cdi_v3 way, cdi_v3 u, cdi_wedges *ways) {
    cdi_v3 x, w = cdi_v3_unit(cdi_way_to_ellipsoid(seen, cdi_v3_across(way, u, 1.0), &x));
    cdi_wedges_add(ways, cdi_v3_across(w, u, 1.0));
}

static void cdi_wedges_about_triangle(const cdi_egg *e, const cdi_rest *r, cdi_v3 center, cdi_wedges *ways) {
    for (int i = 0; i < 3; ++i) {
        cdi_v3 way = cdi_v3_sub(r->tri.v[i], center);
        cdi_v3 u = cdi_v3_unit(cdi_v3_sub(r->tri.v[(i + 1) % 3], r->tri.v[i]));
        cdi_obb seen;
        cdi_wedges_add_corner(e, way, ways);
        if (cdi_v3_is_zero(u)) continue;
        seen = cdi_egg_along(e, u);
        cdi_wedges_add_line(&seen, way, u, ways);
    }
}

static void cdi_wedges_about_box(const cdi_egg *e, const cdi_rest *r, cdi_v3 center, cdi_wedges *ways) {
    cdi_v3 corner[8], u;
    for (int i = 0; i < 8; ++i) {
        cdi_v3 way = cdi_v3_sub(r->center, center);
        for (int k = 0; k < 3; ++k) way = cdi_v3_along(way, r->edge[k], i >> k & 1 ? 1.0 : -1.0);
        corner[i] = way;
        cdi_wedges_add_corner(e, way, ways);
    }
    for (int k = 0; k < 3; ++k) {
        cdi_obb seen;
        u = cdi_v3_unit(r->edge[k]);
        if (cdi_v3_is_zero(u)) continue;
        seen = cdi_egg_along(e, u);
        for (int i = 0; i < 8; ++i)
            if (!(i >> k & 1)) cdi_wedges_add_line(&seen, corner[i], u, ways);
    }
}

/* Along the normal at the nearest point, too; and across a flat one. */
static void cdi_wedges_to_sphere(const cdi_egg *e, const cdi_rest *r, cdi_v3 center, cdi_wedges *ways) {
    cdi_v3 x, g;
    cdi_wedges_add(ways, cdi_way_to_ellipsoid(&e->round, cdi_v3_sub(r->center, center), &x));
    g = cdi_v3_make(x.x / e->ball[0], x.y / e->ball[1], x.z / e->ball[2]);
    cdi_wedges_add_nearest(e, cdi_v3_neg(g), ways);
    cdi_wedges_add_face(ways, e->round.axes.c[2], cdi_v3_sub(center, r->center), e->cast.d);
    ways->feature = CD_FEATURE(3u, 0u);
}

static void cdi_wedges_find(const cdi_egg *e, const cdi_rest *r, cdi_v3 center, cdi_wedges *ways) {
    ways->point = ways->w[0] = cdi_v3_make(0.0, 0.0, 0.0); /* the rest of w is not cleared: that is felt */
    ways->u = ways->v = ways->sqdist = 0.0;
    ways->feature = 0u;
    ways->count = 0;
    if (r->kind == CDI_REST_TRIANGLE) cdi_wedges_to_triangle(e, r, center, ways);
    if (r->kind == CDI_REST_SPHERE) cdi_wedges_to_sphere(e, r, center, ways);
    if (r->kind == CDI_REST_BOX) cdi_wedges_to_box(e, r, center, ways);
    if (!e->sharp) return;
    if (r->kind == CDI_REST_TRIANGLE) cdi_wedges_about_triangle(e, r, center, ways);
    if (r->kind == CDI_REST_BOX) cdi_wedges_about_box(e, r, center, ways);
}

/* ---- Newton's method ---- */

/* From t to where the first plane would be passed, and beyond all that are; t itself when none is between the two, infinite
 * when one is never passed. `met` has the plane that this is by, which is the widest there when the next step finds no wider. */
static double cdi_egg_step(const cdi_egg *e, const cdi_rest *r, double t, cdi_wedges *ways, cdi_impact *met) {
    cdi_v3 center = cdi_v3_along(e->cast.o, e->cast.d, t), passed = met->normal;
    double next = t, widest = -CDI_HUGE;
    cdi_wedges_find(e, r, center, ways);
    if (!cdi_v3_is_zero(passed)) widest = cdi_egg_gap(e, r, center, passed);
    for (int i = 0; i < ways->count; ++i) {
        double gap = cdi_egg_gap(e, r, center, ways->w[i]), speed = -cdi_v3_dot(ways->w[i], e->cast.d), to;
        if (gap > widest) {
            widest = gap;
            if (!(next > t)) met->normal = ways->w[i];
        }
        if (!(gap > 1.5 * e->slack)) continue;
        if (!(speed > 0.0)) return cdi_infinity();
        to = t + (gap - 0.75 * e->slack) / speed;
        if (!(to > next)) continue;
        next = to;
        met->normal = ways->w[i];
    }
    met->depth = -widest;
    return next;
}

static cdi_meets cdi_sweep_egg(const cdi_egg *e, const cdi_rest *r, cdi_wedges *ways, cdi_impact *met) {
    double t = e->cast.t_min, next = t;
    bool later = false;
    cdi_clear(met, sizeof *met);
    for (int i = 0; i < 128; ++i) {
        t = next;
        next = cdi_egg_step(e, r, t, ways, met);
        if (!(next <= e->cast.t_max)) return CDI_MEETS_NEVER;
        if (!(next > t)) break;
        later = true;
    }
    met->t = t;
    met->point = r->kind == CDI_REST_SPHERE ? cdi_v3_along(r->center, met->normal, r->radius) : ways->point;
    met->u = ways->u;
    met->v = ways->v;
    met->feature = ways->feature;
    return later ? CDI_MEETS_LATER : CDI_MEETS_AT_START;
}

/* Scaled back, and answered. */
static bool cdi_egg_answer(const cdi_egg *e, cdi_meets meets, cdi_impact *met, cdi_v3 side, cd_hit *hit) {
    met->point = cdi_v3_scale2(met->point, -e->shift);
    met->depth = cdi_scale2(met->depth, -e->shift);
    return cdi_sweep_answer(&e->cast, meets, met, side, hit);
}

/* ---- solids ---- */

static bool cdi_egg_against(const cdi_egg *e, const cdi_rest *r, cd_hit *hit) {
    cdi_impact met;
    cdi_wedges ways;
    cdi_meets meets = cdi_sweep_egg(e, r, &ways, &met);
    return cdi_egg_answer(e, meets, &met, cdi_v3_make(0.0, 0.0, 0.0), hit);
}

CD_API bool cd_sweep_ellipsoid_sphere(const cd_ellipsoid *e, cd_vec3 motion, cd_sphere s,
                                      const cd_cast_options *options, cd_hit *hit) {
    cdi_rest r;
    cdi_egg egg;
    cdi_clear(&r, sizeof r);
    if (!cd_sphere_is_valid(s)) return false;
    r.kind = CDI_REST_SPHERE;
    if (!cdi_egg_begin(&egg, e, motion, options,
                       cdi_max(cdi_v3_max_abs(cdi_v3_of(s.center)), (double)s.radius)))
        return false;
    r.center = cdi_v3_scale2(cdi_v3_of(s.center), egg.shift);
    r.radius = cdi_scale2((double)s.radius, egg.shift);
    return cdi_egg_against(&egg, &r, hit);
}

/* The box with these half edges. */
static bool cdi_egg_against_box(const cd_ellipsoid *e, cd_vec3 motion, cdi_v3 center, const cdi_m3 *edges,
                                const cd_cast_options *options, cd_hit *hit) {
    double most = cdi_v3_max_abs(center);
    cdi_rest r;
    cdi_egg egg;
    cdi_clear(&r, sizeof r);
    for (int i = 0; i < 3; ++i) most = cdi_max(most, cdi_v3_max_abs(edges->c[i]));
    if (!cdi_egg_begin(&egg, e, motion, options, most)) return false;
    r.kind = CDI_REST_BOX;
    r.center = cdi_v3_scale2(center, egg.shift);
    for (int i = 0; i < 3; ++i) {
        cdi_v3 a = cdi_v3_unit(edges->c[(i + 1) % 3]), b = cdi_v3_unit(edges->c[(i + 2) % 3]);
        r.normal[i] = cdi_v3_unit(cdi_v3_cross(a, b));
        r.edge[i] = cdi_v3_scale2(edges->c[i], egg.shift);
    }
    return cdi_egg_against(&egg, &r, hit);
}

CD_API bool cd_sweep_ellipsoid_aabb(const cd_ellipsoid *e, cd_vec3 motion, cd_aabb b,
                                    const cd_cast_options *options, cd_hit *hit) {
    cdi_v3 lo = cdi_v3_of(b.min), hi = cdi_v3_of(b.max), half = cdi_half_diff(hi, lo);
    cdi_m3 edges;
    if (!cd_aabb_is_valid(b)) return false;
    edges.c[0] = cdi_v3_make(half.x, 0.0, 0.0);
    edges.c[1] = cdi_v3_make(0.0, half.y, 0.0);
    edges.c[2] = cdi_v3_make(0.0, 0.0, half.z);
    return cdi_egg_against_box(e, motion, cdi_v3_along(cdi_v3_scale(lo, 0.5), hi, 0.5), &edges, options, hit);
}

CD_API bool cd_sweep_ellipsoid_obb(const cd_ellipsoid *e, cd_vec3 motion, const cd_obb *b,
                                   const cd_cast_options *options, cd_hit *hit) {
    cdi_obb box = cdi_obb_of(b);
    if (!cd_obb_is_valid(b)) return false;
    for (int i = 0; i < 3; ++i) box.axes.c[i] = cdi_v3_scale(box.axes.c[i], box.half[i]);
    return cdi_egg_against_box(e, motion, box.center, &box.axes, options, hit);
}

/* ---- flat things ---- */

static cdi_rest cdi_rest_of_triangle(const cd_triangle *t, int shift) {
    cdi_rest r;
    cdi_clear(&r, sizeof r);
    r.kind = CDI_REST_TRIANGLE;
    r.tri = cdi_tri_of(t);
    for (int i = 0; i < 3; ++i) {
        cdi_v3 v = cdi_v3_scale2(r.tri.v[i], shift);
        r.tri.v[i] = v;
    }
    r.normal[0] = cdi_tri_normal(&r.tri);
    return r;
}

/* How far the whole polygon is behind the plane of normal w that touches the ellipsoid at t; something below `least` where that is. */
static double cdi_egg_polygon_gap(const cdi_egg *e, const cd_vec3 *polygon, size_t count, double t, cdi_v3 w,
                                  double least) {
    cdi_v3 center = cdi_v3_along(e->cast.o, e->cast.d, t);
    double gap = CDI_HUGE, reach = cdi_v3_norm(cdi_m3_tmul_v3(&e->map, w));
    for (size_t i = 0; i < count && gap - reach >= least; ++i) {
        cdi_v3 way = cdi_v3_sub(center, cdi_v3_scale2(cdi_v3_of(polygon[i]), e->shift));
        gap = cdi_min(gap, cdi_v3_dot(w, way));
    }
    return gap - reach;
}

/* Of the planes at one of its triangles, the one that the whole polygon is best behind. */
static void cdi_egg_behind(const cdi_egg *e, const cd_vec3 *polygon, size_t count, const cdi_wedges *ways,
                           cdi_impact *met) {
    for (int k = 0; k < ways->count; ++k) {
        double depth = -cdi_egg_polygon_gap(e, polygon, count, met->t, ways->w[k], -met->depth);
        if (!(depth < met->depth)) continue;
        met->depth = depth;
        met->normal = ways->w[k];
    }
}

/* The same at the one that is met; and where that is a corner that others share, so that it leads into these by more than `limit`, at any
 * of them. */
static void cdi_egg_behind_all(const cdi_egg *e, const cd_vec3 *polygon, size_t count, const cdi_wedges *ways,
                               double limit, cdi_impact *met) {
    met->depth = -cdi_egg_polygon_gap(e, polygon, count, met->t, met->normal, -CDI_HUGE);
    cdi_egg_behind(e, polygon, count, ways, met);
    for (size_t i = 0; met->depth > limit && i < cd_polygon_triangle_count(count); ++i) {
        cd_triangle t = cd_polygon_triangle(polygon, count, i);
        cdi_rest r = cdi_rest_of_triangle(&t, e->shift);
        cdi_wedges other;
        cdi_wedges_find(e, &r, cdi_v3_along(e->cast.o, e->cast.d, met->t), &other);
        cdi_egg_behind(e, polygon, count, &other, met);
    }
}

/* The first of the fan's triangles; where it starts in contact with some, the nearest of these. `bent`: what rounding may take the corners
 * out of their plane by. */
static cdi_meets cdi_sweep_egg_fan(cdi_egg *e, const cd_vec3 *polygon, size_t count, double bent,
                                   cdi_impact *met) {
    size_t triangles = cd_polygon_triangle_count(count);
    cdi_meets best = CDI_MEETS_NEVER;
    cdi_wedges ways, nearest;
    cdi_clear(&nearest, sizeof nearest);
    cdi_clear(met, sizeof *met);
    for (size_t i = 0; i < triangles; ++i) {
        cd_triangle t = cd_polygon_triangle(polygon, count, i);
        cdi_rest r = cdi_rest_of_triangle(&t, e->shift);
        cdi_impact next;
        cdi_meets meets = cdi_sweep_egg(e, &r, &ways, &next);
        if (meets == CDI_MEETS_NEVER) continue;
        if (meets == CDI_MEETS_LATER && best == CDI_MEETS_AT_START) continue;
        if (meets == best && (best == CDI_MEETS_LATER ? next.t >= met->t : ways.sqdist >= nearest.sqdist))
            continue;
        best = meets;
        nearest = ways;
        *met = next;
        met->feature = cdi_fan_feature(next.feature, i, count);
        e->cast.t_max = next.t;
    }
    if (best != CDI_MEETS_NEVER && count > 3)
        cdi_egg_behind_all(e, polygon, count, &nearest, best == CDI_MEETS_LATER ? bent : CDI_HUGE, met);
    return best;
}

static bool cdi_egg_against_polygon(const cd_ellipsoid *e, cd_vec3 motion, const cd_vec3 *polygon,
                                    size_t count, bool weights, const cd_cast_options *options, cd_hit *hit) {
    double most = 0.0;
    cdi_meets meets;
    cdi_impact met;
    cdi_egg egg;
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(polygon[i])) return false;
        most = cdi_max(most, cdi_v3_max_abs(cdi_v3_of(polygon[i])));
    }
    if (count == 0 || !cdi_egg_begin(&egg, e, motion, options, most)) return false;
    meets = cdi_sweep_egg_fan(&egg, polygon, count,
                              2.0 * (double)CD_REAL_EPSILON * cdi_scale2(most, egg.shift), &met);
    if (!weights) met.u = met.v = 0.0;
    return cdi_egg_answer(&egg, meets, &met, cdi_polygon_front(polygon, count), hit);
}

CD_API bool cd_sweep_ellipsoid_triangle(const cd_ellipsoid *e, cd_vec3 motion, const cd_triangle *t,
                                        const cd_cast_options *options, cd_hit *hit) {
    cd_vec3 v[3];
    v[0] = t->a;
    v[1] = t->b;
    v[2] = t->c;
    return cdi_egg_against_polygon(e, motion, v, 3, true, options, hit);
}

CD_API bool cd_sweep_ellipsoid_polygon(const cd_ellipsoid *e, cd_vec3 motion, const cd_vec3 *polygon,
                                       size_t count, const cd_cast_options *options, cd_hit *hit) {
    return cdi_egg_against_polygon(e, motion, polygon, count, false, options, hit);
}
