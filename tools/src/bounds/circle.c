#include "bounds/circle.h"
#include "bounds/growing.h"
#include "bounds/min_ball.h"
#include "bounds/sphere_min.h"

static cd_status cdi_circle_fit(const cd_vec2 *points, size_t count, bool smallest, cd_circle *out) {
    cdi_sites s;
    cdi_ball b;
    cd_vec3 center = cd_vec3_make(0, 0, 0);
    cd_status status = CD_INVALID_ARGUMENT;
    cdi_clear(out, sizeof *out);
    if (!cdi_sites_make(&s, count ? &points->x : NULL, count, 2)) return CD_INVALID_ARGUMENT;
    if (smallest || count == 0) {
        status = cdi_min_ball(&s, &center, &out->radius);
    } else {
        b = cdi_most_separated(&s);
        cdi_grow_over(&s, 0, &b);
        status = cdi_sites_cover(&s, b.c, &center, &out->radius);
    }
    out->center = cd_vec2_make(center.x, center.y);
    if (status != CD_OK && status != CD_NOT_CONVERGED) cdi_clear(out, sizeof *out);
    return status;
}

CD_API cd_status cd_circle_welzl(const cd_vec2 *points, size_t count, cd_circle *out) {
    return cdi_circle_fit(points, count, true, out);
}

CD_API cd_status cd_circle_ritter(const cd_vec2 *points, size_t count, cd_circle *out) {
    return cdi_circle_fit(points, count, false, out);
}

static cd_sphere cdi_sphere_of_circle(cd_circle c) {
    cd_sphere s;
    s.center = cd_vec3_make(c.center.x, c.center.y, 0);
    s.radius = c.radius;
    return s;
}

CD_API cd_circle cd_merge_circle_circle(cd_circle a, cd_circle b) {
    cd_sphere s = cd_merge_sphere_sphere(cdi_sphere_of_circle(a), cdi_sphere_of_circle(b));
    cd_circle c;
    c.center = cd_vec2_make(s.center.x, s.center.y);
    c.radius = s.radius;
    return c;
}

CD_API cd_circle cd_circle_add_point(cd_circle c, cd_vec2 p) {
    cd_circle point;
    point.center = p;
    point.radius = 0;
    return cd_merge_circle_circle(c, point);
}
