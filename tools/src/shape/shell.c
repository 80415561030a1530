#include "shape/shell.h"
#include "shape/shell3d.h"
#include "shape/volume3d.h"

CD_API bool cd_spherical_shell_is_valid(const cd_spherical_shell *s) {
    return cd_vec3_is_valid(s->center) && cd_vec3_is_valid(s->axis) && cdi_finite((double)s->outer) &&
           !cdi_v3_is_zero(cdi_v3_of(s->axis)) && s->inner >= 0 && s->inner <= s->outer &&
           s->cos_angle >= -1 && s->cos_angle <= 1;
}

CD_API cd_real cd_spherical_shell_volume(const cd_spherical_shell *s) {
    double r = (double)s->inner, o = (double)s->outer, thick;
    if (!cd_spherical_shell_is_valid(s) || o == 0.0) return 0;
    thick = (o - r) / o; /* not 1 - r / o, of which little is left when thin */
    r /= o;              /* the product that leaves the range last */
    return (cd_real)(2.0943951023931954923 * (1.0 - (double)s->cos_angle) * thick * (1.0 + r + r * r) * o *
                     o * o);
}

CD_API cd_real cd_spherical_shell_surface_area(const cd_spherical_shell *s) {
    double r = (double)s->inner, o = (double)s->outer, c = (double)s->cos_angle, caps, cone, thick;
    if (!cd_spherical_shell_is_valid(s) || o == 0.0) return 0;
    thick = (o - r) / o;
    r /= o;
    caps = 2.0 * (1.0 - c) * (1.0 + r * r);
    cone = thick * (1.0 + r) * cdi_sqrt((1.0 - c) * (1.0 + c));
    return (cd_real)(3.1415926535897932385 * (caps + cone) * o * o);
}

CD_API cd_spherical_shell cd_spherical_shell_transform(const cd_spherical_shell *s,
                                                       const cd_transform *pose) {
    cd_spherical_shell r = *s;
    r.center = cd_transform_point(pose, s->center);
    r.axis = cd_transform_vector(pose, s->axis);
    return r;
}

CDI_FN cdi_shell cdi_shell_of(const cd_spherical_shell *s) {
    cdi_shell r;
    r.center = cdi_v3_of(s->center);
    r.axis = cdi_v3_normalize(cdi_v3_of(s->axis));
    r.inner = (double)s->inner;
    r.outer = (double)s->outer;
    r.cosine = (double)s->cos_angle;
    r.sine = cdi_sqrt((1.0 - r.cosine) * (1.0 + r.cosine));
    return r;
}

/* Twice, so that what is left of a direction nearly along the axis is perpendicular to it. */
CDI_FN cdi_v3 cdi_shell_side(const cdi_shell *s, cdi_v3 d) {
    cdi_v3 u = cdi_v3_normalize(d), side = cdi_v3_along(u, s->axis, -cdi_v3_dot(u, s->axis));
    if (cdi_v3_max_abs(side) < 1e-14) return cdi_across(s->axis);
    side = cdi_v3_normalize(side);
    return cdi_v3_normalize(cdi_v3_along(side, s->axis, -cdi_v3_dot(side, s->axis)));
}

CDI_FN cdi_v3 cdi_shell_rim(const cdi_shell *s, cdi_v3 d) {
    return cdi_v3_along(cdi_v3_scale(s->axis, s->cosine), cdi_shell_side(s, d), s->sine);
}

CDI_FN bool cdi_shell_sees(const cdi_shell *s, cdi_v3 d) {
    return s->cosine <= -1.0 || cdi_v3_dot(cdi_v3_normalize(d), s->axis) >= s->cosine;
}

CDI_FN cdi_v3 cdi_shell_support(const cdi_shell *s, cdi_v3 d) {
    cdi_v3 rim;
    if (cdi_shell_sees(s, d)) return cdi_v3_scale(cdi_v3_normalize(d), s->outer);
    rim = cdi_shell_rim(s, d);
    return cdi_v3_scale(rim, cdi_v3_dot(rim, d) > 0.0 ? s->outer : s->inner);
}

CD_API cd_vec3 cd_spherical_shell_support(const cd_spherical_shell *s, cd_vec3 dir) {
    cdi_shell d = cdi_shell_of(s);
    cdi_v3 v = cdi_v3_of(dir);
    if (!cd_vec3_is_valid(dir) || cdi_v3_is_zero(v)) return s->center;
    return cdi_v3_round(cdi_v3_add(d.center, cdi_shell_support(&d, v)));
}

/* The box may not be even about the centre: it is put around its own middle, with the rounding of all that. */
CD_API cd_aabb cd_aabb_from_spherical_shell(const cd_spherical_shell *s) {
    cdi_shell d = cdi_shell_of(s);
    double lo[3], hi[3], slack = 7.105427357601002e-15 * d.outer; /* 64 u */
    cd_aabb below, above;
    for (int i = 0; i < 3; ++i) {
        cdi_v3 a = cdi_v3_make(i == 0, i == 1, i == 2);
        hi[i] = cdi_min(cdi_v3_get(cdi_shell_support(&d, a), i) + slack, d.outer);
        lo[i] = cdi_max(cdi_v3_get(cdi_shell_support(&d, cdi_v3_neg(a)), i) - slack, -d.outer);
    }
    above = cdi_aabb_around(d.center, cdi_v3_make(hi[0], hi[1], hi[2]));
    below = cdi_aabb_around(d.center, cdi_v3_make(-lo[0], -lo[1], -lo[2]));
    above.min = below.min;
    return above;
}
