#include "shape/torus.h"
#include "core/angle.h"
#include "core/expansion.h"
#include "shape/cylinder3d.h"
#include "shape/torus3d.h"
#include "shape/volume3d.h"

#define CDI_PI 3.141592653589793

CDI_FN bool cdi_torus_of(cdi_torus *d, const cd_torus *t) {
    d->center = cdi_v3_of(t->center);
    d->axis = cdi_v3_of(t->axis);
    d->u = cdi_v3_unit(d->axis); /* zero when it is not finite */
    d->major = (double)t->major;
    d->minor = (double)t->minor;
    return cdi_v3_finite(d->center) && !cdi_v3_is_zero(d->u) && cdi_finite(d->major) &&
           cdi_finite(d->minor) && d->major >= 0.0 && d->minor >= 0.0;
}

CDI_FN cdi_about_circle cdi_torus_about(cdi_v3 u, double major, cdi_v3 q) {
    cdi_about_circle r;
    cdi_v3 off;
    r.z = cdi_v3_dot(q, u);
    off = cdi_v3_along(q, u, -r.z);
    r.reach = cdi_v3_norm(off);
    r.way = cdi_v3_norm(cdi_v3_make(r.reach - major, r.z, 0.0));
    r.e = cdi_v3_unit(off);
    r.e = cdi_v3_unit(cdi_v3_along(r.e, u, -cdi_v3_dot(r.e, u)));
    if (r.reach <= 4e-15 * cdi_abs(r.z)) r.e = cdi_across(u); /* nothing but rounding, or nothing */
    return r;
}

CD_API bool cd_torus_is_valid(const cd_torus *t) {
    cdi_torus d;
    return cdi_torus_of(&d, t);
}

/* ---- measures ---- */

/* The part of the minor circle beyond the axis is that between angles -a and a from outward, cos a = -major / minor: a, its
 * sine, and major / minor. All of the circle belongs to a ring. */
static double cdi_torus_angle(const cdi_torus *t, double *sine, double *ratio) {
    double x = t->minor > t->major ? t->major / t->minor : 1.0, s = cdi_sqrt((1.0 - x) * (1.0 + x));
    *ratio = x;
    *sine = s;
    return x < s ? 0.5 * CDI_PI + cdi_angle_of(x, s) : CDI_PI - cdi_angle_of(s, x);
}

CD_API cd_real cd_torus_volume(const cd_torus *t) {
    cdi_torus d;
    double r, s, x, angle;
    if (!cdi_torus_of(&d, t)) return 0;
    r = d.minor;
    if (r <= d.major) return cdi_real_or_infinity(2.0 * CDI_PI * CDI_PI * (d.major * r * r));
    angle = cdi_torus_angle(&d, &s, &x);
    x = 0.5 * x * (angle + x * s) + s * s * s / 3.0;
    return cdi_real_or_infinity(4.0 * CDI_PI * x * (r * r * r));
}

CD_API cd_real cd_torus_surface_area(const cd_torus *t) {
    cdi_torus d;
    double s, x, angle;
    if (!cdi_torus_of(&d, t)) return 0;
    if (d.minor <= d.major) return cdi_real_or_infinity(4.0 * CDI_PI * CDI_PI * (d.major * d.minor));
    angle = cdi_torus_angle(&d, &s, &x);
    return cdi_real_or_infinity(4.0 * CDI_PI * (x * angle + s) * (d.minor * d.minor));
}

/* ---- motion and extents ---- */

CD_API cd_torus cd_torus_transform(const cd_torus *t, const cd_transform *pose) {
    cd_torus r = *t;
    r.center = cd_transform_point(pose, t->center);
    r.axis = cd_transform_vector(pose, t->axis);
    return r;
}

CD_API cd_vec3 cd_torus_support(const cd_torus *t, cd_vec3 dir) {
    cdi_torus d;
    cdi_v3 v = cdi_v3_normalize(cdi_v3_of(dir)), across;
    if (!cdi_torus_of(&d, t) || !cd_vec3_is_valid(dir)) return cdi_no_point();
    across = cdi_v3_normalize(cdi_v3_cross(cdi_v3_cross(d.u, v), d.u));
    if (cdi_v3_is_zero(across)) across = cdi_across(d.u);
    return cdi_v3_round(cdi_v3_along(cdi_v3_along(d.center, across, d.major), v, d.minor));
}

/* The circle's extent and the minor radius, rounded up. */
static double cdi_torus_extent(const cdi_torus *t, int axis) {
    double extent, tail;
    cdi_two_sum(t->major * cdi_rim_reach(t->u, axis), t->minor, &extent, &tail);
    return tail > 0.0 ? cdi_next_double(extent, true) : extent;
}

CD_API cd_aabb cd_aabb_from_torus(const cd_torus *t) {
    cdi_torus d;
    if (!cdi_torus_of(&d, t)) return cd_aabb_empty();
    return cdi_aabb_around(
        d.center, cdi_v3_make(cdi_torus_extent(&d, 0), cdi_torus_extent(&d, 1), cdi_torus_extent(&d, 2)));
}

#undef CDI_PI
