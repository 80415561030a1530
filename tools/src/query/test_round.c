#include "query/test_round.h"
#include "query/reach3d.h"
#include "query/swept.h"
#include "query/test.h"
#include "shape/side3d.h"

/* ---- lines and rays against balls ---- */

/* With L = d^2 m^2: the square of the cross product is off by at most 14 u L, and r^2 d^2 by 6 u of itself; what underflows by
 * less than CDI_REACH_LEAST. */
#define CDI_REACH_BOUND 3.552713678800501e-15
#define CDI_REACH_LEAST 1e-250

/* Is the line o + t d, d not zero, within r of c? */
static bool cdi_line_reaches_ball(cdi_v3 o, cdi_v3 d, cdi_v3 c, double r) {
    cdi_v3 m = cdi_v3_sub(c, o);
    double dd = cdi_v3_sqlength(d), across = cdi_v3_sqlength(cdi_v3_cross(d, m)), reach = r * r * dd;
    double error = CDI_REACH_BOUND * (dd * cdi_v3_sqlength(m) + reach) + CDI_REACH_LEAST;
    cdi_edge3d exact;
    if (across - reach > error) return false;
    if (reach - across > error) return true;
    exact.from = cdi_v3_make(0.0, 0.0, 0.0);
    exact.to = d;
    return cdi_point_reaches_line(c, o, &exact, cdi_diff_of(r, 0.0));
}

/* Rays: behind its origin the origin itself is nearest. */
static bool cdi_ray_reaches_ball(const cd_ray *ray, cd_sphere s) {
    cdi_v3 o = cdi_v3_of(ray->origin), d = cdi_v3_of(ray->dir), c = cdi_v3_of(s.center);
    if (cdi_height_sign(d, o, 0.0, c) <= 0) return cd_test_point_sphere(ray->origin, s);
    return cdi_line_reaches_ball(o, d, c, (double)s.radius);
}

CD_API bool cd_test_ray_sphere(const cd_ray *r, cd_sphere s) {
    return cd_ray_is_valid(r) && cd_sphere_is_valid(s) && cdi_ray_reaches_ball(r, s);
}

CD_API bool cd_test_line_sphere(const cd_line *l, cd_sphere s) {
    return cd_line_is_valid(l) && cd_sphere_is_valid(s) &&
           cdi_line_reaches_ball(cdi_v3_of(l->origin), cdi_v3_of(l->dir), cdi_v3_of(s.center),
                                 (double)s.radius);
}

/* ---- capsules ---- */

/* A segment is a capsule of radius 0. */
static cd_capsule cdi_thin_capsule(const cd_segment *s) {
    cd_capsule c;
    c.a = s->a;
    c.b = s->b;
    c.radius = 0;
    return c;
}

CD_API bool cd_test_segment_sphere(const cd_segment *s, cd_sphere ball) {
    cd_capsule c = cdi_thin_capsule(s);
    return cd_test_sphere_capsule(ball, &c);
}

CD_API bool cd_test_segment_capsule(const cd_segment *s, const cd_capsule *c) {
    cd_capsule t = cdi_thin_capsule(s);
    return cd_test_capsule_capsule(&t, c);
}

static cd_sphere cdi_ball_at(cd_vec3 center, cd_real radius) {
    cd_sphere s;
    s.center = center;
    s.radius = radius;
    return s;
}

/* The nearest points are at an end of the ray, at an end of the segment, or on a common perpendicular. */
static CDI_COLD bool cdi_ray_reaches_capsule(const cd_ray *r, const cd_capsule *c, const cdi_question *q) {
    cdi_edge3d d;
    d.from = cdi_v3_make(0.0, 0.0, 0.0);
    d.to = cdi_v3_of(r->dir);
    return cd_test_point_capsule(r->origin, c) || cdi_ray_reaches_ball(r, cdi_ball_at(c->a, c->radius)) ||
           cdi_ray_reaches_ball(r, cdi_ball_at(c->b, c->radius)) || cdi_insides_reach(q, &d);
}

/* What doubles can tell, by way of the segment that is left of the ray where it is too far away; all relative to its origin, so
 * that what is rounded is small. */
static int cdi_ray_reaches_surely(const cdi_question *q, cdi_v3 d) {
    cdi_question near_part;
    double size;
    near_part.a = cdi_v3_make(0.0, 0.0, 0.0);
    near_part.c = cdi_v3_sub(q->c, q->a);
    near_part.d = cdi_v3_sub(q->d, q->a);
    near_part.radius = q->radius;
    size = cdi_v3_max_abs(near_part.c) + cdi_v3_max_abs(near_part.d) + q->radius.a;
    near_part.b = cdi_v3_scale(d, 4.0 * size / cdi_v3_max_abs(d));
    return cdi_v3_finite(near_part.b) ? cdi_segments_reach_surely(&near_part, 4.0 * CDI_REACH_BOUND) : 0;
}

CD_API bool cd_test_ray_capsule(const cd_ray *r, const cd_capsule *c) {
    cdi_question q;
    int sure;
    if (!cd_ray_is_valid(r) || !cd_capsule_is_valid(c)) return false;
    q.a = q.b = cdi_v3_of(r->origin);
    q.c = cdi_v3_of(c->a);
    q.d = cdi_v3_of(c->b);
    q.radius = cdi_diff_of((double)c->radius, 0.0);
    sure = cdi_ray_reaches_surely(&q, cdi_v3_of(r->dir));
    return sure != 0 ? sure > 0 : cdi_ray_reaches_capsule(r, c, &q);
}

#undef CDI_REACH_BOUND
#undef CDI_REACH_LEAST
