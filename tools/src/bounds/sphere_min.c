#include "bounds/min_ball.h"
#include "bounds/sphere_min.h"

static cd_status cdi_sphere_min(const cd_real *at, size_t count, int stride, cd_sphere *out) {
    cdi_sites s;
    cd_status status = CD_INVALID_ARGUMENT;
    if (cdi_sites_make(&s, at, count, stride)) status = cdi_min_ball(&s, &out->center, &out->radius);
    if (status != CD_OK && status != CD_NOT_CONVERGED) cdi_clear(out, sizeof *out);
    return status;
}

CD_API cd_status cd_sphere_welzl(const cd_vec3 *points, size_t count, cd_sphere *out) {
    return cdi_sphere_min(count ? &points->x : NULL, count, 3, out);
}

CD_API cd_status cd_sphere_of_spheres(const cd_sphere *spheres, size_t count, cd_sphere *out) {
    return cdi_sphere_min(count ? &spheres->center.x : NULL, count, 4, out);
}

CD_API cd_sphere cd_merge_sphere_sphere(cd_sphere a, cd_sphere b) {
    cdi_v3 p = cdi_v3_of(a.center), q = cdi_v3_of(b.center);
    cd_sphere both[2], r;
    cd_status status;
    if (!(b.radius >= 0) && b.radius == b.radius) return a;
    if (!(a.radius >= 0) && a.radius == a.radius) return b;
    if (cd_sphere_is_valid(a) && cd_sphere_is_valid(b)) {
        if (cdi_ball_holds(p, (double)a.radius, q, (double)b.radius)) return a;
        if (cdi_ball_holds(q, (double)b.radius, p, (double)a.radius)) return b;
    }
    both[0] = a;
    both[1] = b;
    status = cd_sphere_of_spheres(both, 2, &r);
    if (status == CD_OK || status == CD_NOT_CONVERGED) return r;
    cdi_clear(&r, sizeof r);
    r.radius = (cd_real)cdi_infinity();
    return r;
}

CD_API cd_sphere cd_sphere_add_point(cd_sphere s, cd_vec3 p) {
    cd_sphere point;
    point.center = p;
    point.radius = 0;
    return cd_merge_sphere_sphere(s, point);
}
