#include "query/sweep_plane.h"
#include "query/closest3d.h"
#include "query/sweep3d.h"
#include "shape/ellipsoid3d.h"
#include "shape/swept3d.h"

/* Every moving thing is alike on both sides of its centre: a ball of that radius around the box that has the edges for half
 * its own, or where it is `round` around the ellipsoid with these semi-axes. */
typedef struct cdi_mover {
    cdi_v3 center, edge[3];
    double radius;
    bool round, sound;
} cdi_mover;

static cdi_mover cdi_mover_at(cdi_v3 center, double radius, bool sound) {
    cdi_mover m;
    cdi_clear(&m, sizeof m);
    m.center = center;
    m.radius = radius;
    m.sound = sound;
    return m;
}

static cdi_mover cdi_mover_of_sphere(cd_sphere s) {
    return cdi_mover_at(cdi_v3_of(s.center), (double)s.radius, cd_sphere_is_valid(s));
}

/* The middle between two points. */
static cdi_v3 cdi_middle_of(cd_vec3 a, cd_vec3 b) {
    return cdi_v3_along(cdi_v3_scale(cdi_v3_of(a), 0.5), cdi_v3_of(b), 0.5);
}

static cdi_mover cdi_mover_of_capsule(const cd_capsule *c) {
    cdi_mover m = cdi_mover_at(cdi_middle_of(c->a, c->b), (double)c->radius, cd_capsule_is_valid(c));
    m.edge[0] = cdi_half_diff(cdi_v3_of(c->b), cdi_v3_of(c->a));
    return m;
}

static cdi_mover cdi_mover_of_aabb(cd_aabb b) {
    cdi_mover m = cdi_mover_at(cdi_middle_of(b.min, b.max), 0.0, cd_aabb_is_valid(b));
    cdi_v3 half = cdi_half_diff(cdi_v3_of(b.max), cdi_v3_of(b.min));
    m.edge[0].x = half.x;
    m.edge[1].y = half.y;
    m.edge[2].z = half.z;
    return m;
}

static cdi_mover cdi_mover_of_obb(const cd_obb *b) {
    cdi_obb box = cdi_obb_of(b);
    cdi_mover m = cdi_mover_at(box.center, 0.0, cd_obb_is_valid(b));
    for (int i = 0; i < 3; ++i) m.edge[i] = cdi_v3_scale(box.axes.c[i], box.half[i]);
    return m;
}

static cdi_mover cdi_mover_of_ellipsoid(const cd_ellipsoid *e) {
    cdi_m3 map = cdi_ellipsoid_map(e);
    cdi_mover m = cdi_mover_at(cdi_v3_of(e->center), 0.0, cd_ellipsoid_is_valid(e));
    for (int i = 0; i < 3; ++i) m.edge[i] = map.c[i];
    m.round = true;
    return m;
}

/* The largest number that takes part. */
static double cdi_mover_most(const cdi_mover *m, cdi_v3 motion) {
    double most = cdi_max(cdi_max(cdi_v3_max_abs(m->center), m->radius), cdi_v3_max_abs(motion));
    for (int i = 0; i < 3; ++i) most = cdi_max(most, cdi_v3_max_abs(m->edge[i]));
    return most;
}

/* How far it reaches from its centre along n, which is unit, and the way from the centre to the farthest point; an edge that
 * rises by no more than `level` counts as level, and has its middle there. */
static double cdi_mover_reach(const cdi_mover *m, cdi_v3 n, double level, cdi_v3 *way) {
    double along[3], reach = 0.0;
    *way = cdi_v3_scale(n, m->radius);
    for (int i = 0; i < 3; ++i) {
        along[i] = cdi_v3_dot(m->edge[i], n);
        reach += cdi_abs(along[i]);
    }
    if (m->round) reach = cdi_v3_length(cdi_v3_make(along[0], along[1], along[2]));
    for (int i = 0; i < 3; ++i) {
        double part;
        if (m->round)
            part = reach > level ? along[i] / reach : 0.0;
        else
            part = cdi_abs(along[i]) > level ? (double)cdi_sign(along[i]) : 0.0;
        *way = cdi_v3_along(*way, m->edge[i], part);
    }
    return reach + m->radius;
}

/* Onto the plane. */
static cdi_v3 cdi_plane_foot(cd_plane plane, cdi_v3 p) {
    cdi_v3 n;
    double height = cdi_plane_height(plane, p, &n), square = cdi_v3_sqlength(n);
    return cdi_v3_along(p, n, -cdi_clamp(height, -CDI_HUGE, CDI_HUGE) / square);
}

/* The height of the centre over the plane, seen from the side where it is, falls at an even speed. */
static cdi_meets cdi_sweep_mover(const cdi_cast *c, const cdi_mover *m, cd_plane plane, bool solid,
                                 cdi_impact *met) {
    /* with some of the least numbers: tests at rest take as many for what underflows */
    double slack = 1.5 * cdi_sweep_slack(cdi_mover_most(m, c->d)) + 1e-322, height, length, speed, reach;
    cdi_v3 n, way;
    height = cdi_plane_height(plane, cdi_v3_along(m->center, c->d, c->t_min), &n);
    length = cdi_v3_length(n);
    n = cdi_v3_unit(n);
    height /= length;
    speed = cdi_v3_dot(n, c->d);
    if (!solid && (height < 0.0 || (height == 0.0 && speed > 0.0))) {
        n = cdi_v3_neg(n);
        height = -height;
        speed = -speed;
    }
    /* the slack and three edges that count as level are below the excess */
    reach = cdi_mover_reach(m, n, slack / 16.0, &way);
    cdi_clear(met, sizeof *met);
    met->t = c->t_min;
    met->normal = n;
    met->feature = CD_FEATURE(3u, 0u);
    met->depth = reach - height;
    if (height - reach > slack) {
        if (!(speed < 0.0)) return CDI_MEETS_NEVER;
        met->t += (height - reach - slack) / -speed;
    }
    met->point = cdi_plane_foot(plane, cdi_v3_sub(cdi_v3_along(m->center, c->d, met->t), way));
    return height - reach > slack ? CDI_MEETS_LATER : CDI_MEETS_AT_START;
}

static bool cdi_sweep_over_plane(cdi_mover m, cd_vec3 motion, cd_plane plane, bool solid,
                                 const cd_cast_options *options, cd_hit *hit) {
    cdi_v3 side = cdi_v3_make(0.0, 0.0, 0.0);
    cdi_impact met;
    cdi_meets meets;
    cdi_cast c;
    if (!m.sound || !cd_plane_is_valid(&plane)) return false;
    if (!cdi_sweep_begin(&c, plane.n, motion, options)) return false;
    c.o = m.center;
    meets = cdi_sweep_mover(&c, &m, plane, solid, &met);
    if (!solid) side = cdi_v3_of(plane.n);
    return cdi_sweep_answer(&c, meets, &met, side, hit);
}

#define CDI_SWEEPS_OVER_PLANE(shape, type, thing)                                                            \
    CD_API bool cd_sweep_##shape##_plane(type thing, cd_vec3 motion, cd_plane plane,                         \
                                         const cd_cast_options *options, cd_hit *hit) {                      \
        return cdi_sweep_over_plane(cdi_mover_of_##shape(thing), motion, plane, false, options, hit);        \
    }                                                                                                        \
    CD_API bool cd_sweep_##shape##_halfspace(type thing, cd_vec3 motion, cd_plane plane,                     \
                                             const cd_cast_options *options, cd_hit *hit) {                  \
        return cdi_sweep_over_plane(cdi_mover_of_##shape(thing), motion, plane, true, options, hit);         \
    }                                                                                                        \
    struct cdi_mover /* takes the semicolon */

CDI_SWEEPS_OVER_PLANE(sphere, cd_sphere, s);
CDI_SWEEPS_OVER_PLANE(capsule, const cd_capsule *, c);
CDI_SWEEPS_OVER_PLANE(aabb, cd_aabb, b);
CDI_SWEEPS_OVER_PLANE(obb, const cd_obb *, b);
CDI_SWEEPS_OVER_PLANE(ellipsoid, const cd_ellipsoid *, e);

#undef CDI_SWEEPS_OVER_PLANE
