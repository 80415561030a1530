#include "bounds/shell_fit.h"
#include "shape/shell3d.h"
#include "shape/volume3d.h"

/* The mean of the directions from the centre to the points, along z where there is none. */
static cdi_v3 cdi_mean_direction(const cd_vec3 *points, size_t count, cdi_v3 center) {
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    for (size_t i = 0; i < count; ++i)
        sum = cdi_v3_add(sum, cdi_v3_normalize(cdi_v3_sub(cdi_v3_of(points[i]), center)));
    if (cdi_v3_max_abs(sum) <= 1e-6 * cdi_number_of(count)) return cdi_v3_make(0.0, 0.0, 1.0);
    return cdi_v3_normalize(sum);
}

/* Radii and cosine of exact extents, with their margins, rounded outward; false beyond cd_real. */
static bool cdi_store_shell(cd_spherical_shell *s, double inner, double outer, double cosine, double margin) {
    outer += margin * outer + 1e-320;
    if (outer == 1e-320 || !(outer <= (double)CD_REAL_MAX)) {
        if (!(outer <= (double)CD_REAL_MAX)) return false;
        outer = 0.0;
    }
    s->outer = -cdi_round_down(-outer, 0.0);
    inner = inner - margin * inner - 1e-320;
    s->inner = inner > 0.0 ? cdi_round_down(inner, 0.0) : 0;
    s->cos_angle = cosine - 2.0 * margin > -1.0 ? cdi_round_down(cosine - 2.0 * margin, 0.0) : (cd_real)-1;
    return true;
}

static bool cdi_points_finite(const cd_vec3 *points, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (!cd_vec3_is_valid(points[i])) return false;
    }
    return count > 0;
}

CD_API cd_status cd_spherical_shell_about(const cd_vec3 *points, size_t count, cd_vec3 center,
                                          cd_spherical_shell *out) {
    cdi_v3 c = cdi_v3_of(center), axis;
    double inner = CDI_HUGE, outer = 0.0, cosine = 1.0;
    cdi_clear(out, sizeof *out);
    if (!points || !cdi_points_finite(points, count) || !cd_vec3_is_valid(center)) return CD_INVALID_ARGUMENT;
    out->center = center;
    out->axis = cdi_v3_round(cdi_mean_direction(points, count, c));
    axis = cdi_v3_normalize(cdi_v3_of(out->axis));
    for (size_t i = 0; i < count; ++i) {
        cdi_v3 d = cdi_v3_sub(cdi_v3_of(points[i]), c);
        double length = cdi_v3_length(d);
        outer = cdi_max(length, outer);
        inner = cdi_min(length, inner);
        if (length > 0.0) cosine = cdi_min(cosine, cdi_v3_dot(cdi_v3_normalize(d), axis));
    }
    if (cdi_store_shell(out, inner, outer, cosine, 4e-15)) return CD_OK;
    cdi_clear(out, sizeof *out);
    return CD_TOO_LARGE;
}

CD_API cd_status cd_spherical_shell_from_points(const cd_vec3 *points, size_t count,
                                                cd_spherical_shell *out) {
    cdi_v3 sum = cdi_v3_make(0.0, 0.0, 0.0);
    double share = count ? 1.0 / cdi_number_of(count) : 0.0;
    if (points) {
        for (size_t i = 0; i < count; ++i) sum = cdi_v3_along(sum, cdi_v3_of(points[i]), share);
    }
    return cd_spherical_shell_about(points, count, cdi_v3_round(sum), out);
}

/* ---- two shells ---- */

/* The direction half way between two on the side of `toward`, which is in one plane with them; across what leads from one to the other where
 * they are all but opposite, as rounding is all of their sum there. */
static cdi_v3 cdi_between_rims(cdi_v3 u, cdi_v3 v, cdi_v3 toward) {
    cdi_v3 sum = cdi_v3_add(u, v), w;
    if (cdi_v3_sqlength(sum) < 1.0) {
        w = cdi_v3_normalize(cdi_v3_sub(u, v));
        sum = cdi_v3_along(toward, w, 0.0 - cdi_v3_dot(toward, w));
    }
    sum = cdi_v3_normalize(sum);
    return cdi_v3_dot(sum, toward) < 0.0 ? cdi_v3_neg(sum) : sum;
}

/* The narrowest cone around two of one tip: from the rim of one to that of the other, through both axes. */
static void cdi_merge_cones(const cdi_shell *a, const cdi_shell *b, cdi_v3 *axis, double *cosine) {
    cdi_v3 u, v;
    double between = cdi_v3_dot(a->axis, b->axis);
    double wide = cdi_min(a->cosine, b->cosine), a_in_b, b_in_a,
           sine = cdi_v3_length(cdi_v3_cross(a->axis, b->axis));
    /* a is in b when the angle between and that of a are together no more than that of b */
    a_in_b = between * a->cosine - sine * a->sine;
    b_in_a = between * b->cosine - sine * b->sine;
    *axis = a->cosine == wide ? a->axis : b->axis;
    *cosine = wide;
    if (a->cosine == wide ? between >= -b->cosine && b_in_a >= wide - 2e-14
                          : between >= -a->cosine && a_in_b >= wide - 2e-14)
        return;
    u = cdi_shell_rim(a, cdi_v3_neg(b->axis));
    v = cdi_shell_rim(b, cdi_v3_neg(a->axis));
    *cosine = -1.0;
    if (a->cosine + b->cosine <= 0.0 || between <= -0.999999) return; /* more than half a turn, or about */
    u = cdi_between_rims(u, v, cdi_v3_add(a->axis, b->axis));
    if (cdi_v3_is_zero(u)) return;
    *axis = u;
    *cosine = cdi_min(cdi_v3_dot(u, a->axis) * a->cosine - cdi_v3_length(cdi_v3_cross(u, a->axis)) * a->sine,
                      cdi_v3_dot(u, b->axis) * b->cosine - cdi_v3_length(cdi_v3_cross(u, b->axis)) * b->sine);
    if (cdi_v3_dot(u, a->axis) <= -a->cosine || cdi_v3_dot(u, b->axis) <= -b->cosine) *cosine = -1.0;
}

/* A shell about the centre of a that holds b: all of the ball around b, by its distances and the cone around it. */
static cdi_shell cdi_shell_seen(const cdi_shell *a, const cdi_shell *b) {
    cdi_shell r = *b;
    cdi_v3 d = cdi_v3_sub(b->center, a->center);
    double way = cdi_v3_length(d), sine;
    r.center = a->center;
    if (way == 0.0) return r;
    r.outer = way + b->outer;
    r.inner = cdi_max(cdi_max(way - b->outer, b->inner - way), 0.0);
    r.axis = cdi_v3_normalize(d);
    r.cosine = -1.0;
    r.sine = 0.0;
    if (way > b->outer) {
        sine = b->outer / way;
        r.cosine = cdi_sqrt((1.0 - sine) * (1.0 + sine));
        r.sine = sine;
    }
    return r;
}

/* About the centre of a. */
static bool cdi_merge_shells_about(const cd_spherical_shell *a, const cd_spherical_shell *b,
                                   cd_spherical_shell *out) {
    cdi_shell p = cdi_shell_of(a), q = cdi_shell_of(b), s = cdi_shell_seen(&p, &q);
    cdi_v3 axis, stored;
    double cosine, turn;
    cdi_merge_cones(&p, &s, &axis, &cosine);
    out->center = a->center;
    out->axis = cdi_v3_round(axis);
    stored = cdi_v3_normalize(cdi_v3_of(out->axis)); /* the cosine falls by at most the sine of the turn */
    turn = cdi_v3_length(cdi_v3_cross(stored, axis));
    if (cosine > -1.0) cosine -= turn;
    return cdi_store_shell(out, cdi_min(p.inner, s.inner), cdi_max(p.outer, s.outer), cosine, 5e-14);
}

CD_API cd_spherical_shell cd_merge_spherical_shell_spherical_shell(const cd_spherical_shell *a,
                                                                   const cd_spherical_shell *b) {
    cd_spherical_shell p, q;
    bool good[2];
    cdi_clear(&p, sizeof p);
    if (!cd_spherical_shell_is_valid(a) || !cd_spherical_shell_is_valid(b)) return p;
    q = p;
    good[0] = cdi_merge_shells_about(a, b, &p);
    good[1] = cdi_merge_shells_about(b, a, &q);
    if (good[1] && (!good[0] || cd_spherical_shell_volume(&q) < cd_spherical_shell_volume(&p))) return q;
    if (!good[0]) cdi_clear(&p, sizeof p);
    return p;
}
