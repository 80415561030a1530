#include "convex/sweep_sat.h"
#include "convex/sat3d.h"
#include "query/sweep3d.h"
#include "query/sweep_box3d.h"

/* No axis comes twice, so that this is never met. */
enum { CDI_SWEEP_AXES = 1000 };

typedef struct cdi_sat_sweep {
    cdi_polyhedra p;
    cdi_v3 way, motion; /* from the middle of A to that of B at t = 0, and how A moves: scaled */
    double slack, end;
    double time;        /* since the start */
    cdi_sat3d_sat axis; /* the last one that parted them; at the start, if none does, that of the depth */
} cdi_sat_sweep;

static double cdi_sat_sweep_most(const cdi_sat_sweep *s, const cdi_cast *c) {
    double most = cdi_max(cdi_v3_max_abs(s->p.body[0].center), cdi_v3_max_abs(s->p.body[1].center));
    return cdi_max(cdi_max(most, cdi_v3_max_abs(c->d)), cdi_scale2(s->p.size, -s->p.shift));
}

/* Both bodies are in. */
static bool cdi_sat_sweep_begin(cdi_sat_sweep *s, const cdi_cast *c, const cd_transform *b_in_a) {
    if (!cdi_polyhedra_pose(&s->p, b_in_a, cdi_v3_max_abs(c->d))) return false;
    s->motion = cdi_v3_scale2(c->d, s->p.shift);
    s->way = cdi_v3_along(s->p.way, s->motion, -c->t_min);
    s->slack = cdi_sweep_slack(cdi_scale2(cdi_sat_sweep_most(s, c), s->p.shift));
    s->end = c->t_max - c->t_min;
    s->time = 0.0;
    cdi_clear(&s->axis, sizeof s->axis);
    return true;
}

/* The axis of the greatest separation at a time. */
static cdi_sat3d_sat cdi_sat_sweep_at(cdi_sat_sweep *s) {
    cdi_sat_wish wish = cdi_sat_wish_of(&s->p, CDI_HUGE);
    cdi_sat3d_sat axis = s->axis;
    wish.margin = 0.25 * s->slack;
    if (!(s->time > 0.0)) wish.motion = s->motion;
    s->p.way = cdi_v3_along(s->way, s->motion, -s->time);
    cdi_sat_run(&s->p, &wish, &axis);
    return axis;
}

/* Along every axis that parts the two, as long as there is one. */
static cdi_meets cdi_sat_sweep_run(cdi_sat_sweep *s) {
    for (int i = 0; i < CDI_SWEEP_AXES; ++i) {
        cdi_sat3d_sat axis = cdi_sat_sweep_at(s);
        double gap = axis.separation - s->slack, speed = cdi_v3_dot(s->motion, axis.normal), next;
        if (!(gap > 0.0)) {
            if (i == 0) s->axis = axis;
            return i == 0 ? CDI_MEETS_AT_START : CDI_MEETS_LATER;
        }
        if (!(speed > 0.0)) return CDI_MEETS_NEVER;
        next = s->time + gap / speed;
        if (!(next <= s->end)) return CDI_MEETS_NEVER;
        s->axis = axis;
        if (!(next > s->time)) return CDI_MEETS_LATER;
        s->time = next;
    }
    return CDI_MEETS_LATER;
}

/* The contact, in A's frame at t = 0. */
static void cdi_sat_sweep_met(const cdi_sat_sweep *s, const cdi_cast *c, cdi_meets meets, cdi_impact *met) {
    cdi_sat3d_sat axis = s->axis;
    cdi_v3 a;
    cdi_impact_begin(met);
    if (meets == CDI_MEETS_LATER) axis.separation = s->slack;
    cdi_sat_points(&s->p, &axis, 1.1 * s->slack, &a, &met->point);
    met->t = cdi_min(c->t_min + s->time, c->t_max);
    met->point = cdi_v3_along(met->point, c->d, met->t); /* those are seen from A */
    met->normal = cdi_v3_neg(axis.normal);
    met->feature = cdi_sat_feature(&s->p, &axis, 1);
    met->depth =
        meets == CDI_MEETS_AT_START ? cdi_max(0.0, cdi_scale2(s->slack - axis.separation, -s->p.shift)) : 0.0;
}

static bool cdi_sat_sweep_whole(cdi_sat_sweep *s, cd_vec3 center, cd_vec3 motion, const cd_transform *b_in_a,
                                const cdi_tri *t, const cd_cast_options *options, cd_hit *hit) {
    cdi_cast c;
    cdi_impact met;
    cdi_meets meets;
    cdi_v3 side = cdi_v3_make(0.0, 0.0, 0.0);
    if (!cdi_sweep_begin(&c, center, motion, options) || !cdi_sat_sweep_begin(s, &c, b_in_a)) return false;
    meets = cdi_sat_sweep_run(s);
    if (meets == CDI_MEETS_NEVER) return false;
    cdi_sat_sweep_met(s, &c, meets, &met);
    if (t) {
        cdi_tri d = *t;
        if (b_in_a) {
            cdi_pose pose = cdi_pose_of(b_in_a);
            for (int i = 0; i < 3; ++i) {
                cdi_v3 v = cdi_pose_point(&pose, d.v[i]);
                d.v[i] = v;
            }
        }
        cdi_impact_weights(&d, &met);
        side = cdi_tri_cross(&d);
    }
    return cdi_sweep_answer(&c, meets, &met, side, hit);
}

/* As it is stretched. */
static cdi_tri cdi_sat_triangle(const cd_support *s) {
    cdi_tri t = cdi_tri_of((const cd_triangle *)s->shape);
    cdi_v3 by;
    bool valid;
    if (!cdi_stretch_of(s, &by, &valid)) return t;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 v = cdi_stretched(t.v[i], by);
        t.v[i] = v;
    }
    return t;
}

CD_API bool cd_sweep_convex_convex_sat(const cd_support *a, cd_vec3 motion, const cd_support *b,
                                       const cd_transform *b_in_a, const cd_cast_options *options,
                                       cd_hit *hit) {
    cdi_sat_sweep s;
    cdi_tri t;
    bool triangle = b->kind == CD_SUPPORT_POINTS && b->count == 3;
    if (cdi_polyhedron_of_support(&s.p.body[0], a) != CD_OK ||
        cdi_polyhedron_of_support(&s.p.body[1], b) != CD_OK)
        return false;
    if (triangle) t = cdi_sat_triangle(b);
    return cdi_sat_sweep_whole(&s, a->center, motion, b_in_a, triangle ? &t : NULL, options, hit);
}

CD_API bool cd_sweep_hull_hull_sat(const cd_hull *a, cd_vec3 motion, const cd_hull *b,
                                   const cd_transform *b_in_a, const cd_cast_options *options, cd_hit *hit) {
    cdi_sat_sweep s;
    if (!cdi_polyhedron_of_hull(&s.p.body[0], a) || !cdi_polyhedron_of_hull(&s.p.body[1], b)) return false;
    return cdi_sat_sweep_whole(&s, cdi_v3_round(s.p.body[0].center), motion, b_in_a, NULL, options, hit);
}
