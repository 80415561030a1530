#include "query/sweep3d.h"
#include "query/polygon.h"
#include "shape/triangle3d.h"

CDI_FN bool cdi_sweep_begin(cdi_cast *c, cd_vec3 center, cd_vec3 motion, const cd_cast_options *options) {
    cd_ray r;
    r.origin = center;
    r.dir = motion;
    if (!cdi_cast_begin(c, &r, 1, options)) return false;
    c->t_min = c->base = cdi_max(c->t_min, 0.0);
    return true;
}

CDI_FN void cdi_sweep_other(cdi_cast *c, cd_vec3 center) {
    c->o = cdi_v3_of(center);
    c->d = cdi_v3_neg(c->d);
}

CDI_FN void cdi_impact_other(const cdi_cast *c, cdi_impact *met) {
    met->point = cdi_v3_along(met->point, c->d, -met->t);
    met->normal = cdi_v3_neg(met->normal);
}

/* From behind: along the front's normal; a motion within the plane comes from the side where the normal of the contact is. */
static bool cdi_sweep_is_back(const cdi_cast *c, const cdi_impact *met, cdi_v3 side) {
    double along = cdi_v3_dot(c->d, side);
    return along > 0.0 || (along == 0.0 && cdi_v3_dot(met->normal, side) < 0.0);
}

static bool cdi_sweep_passes(const cdi_cast *c, const cdi_impact *met, cdi_v3 side) {
    return (c->flags & (cdi_sweep_is_back(c, met, side) ? CD_CAST_CULL_BACK : CD_CAST_CULL_FRONT)) != 0;
}

static uint32_t cdi_sweep_flags(const cdi_cast *c, const cdi_impact *met, cdi_v3 side) {
    return cdi_sweep_is_back(c, met, side) ? (uint32_t)CD_HIT_BACK : 0u;
}

/* t rounded towards the start, which it does not leave. */
static cd_real cdi_sweep_time(double t) {
    cd_real rounded = (cd_real)t;
    return (double)rounded > t && rounded > 0 ? cdi_next_real(rounded, false) : rounded;
}

static void cdi_sweep_details(const cdi_impact *met, cd_hit *hit) {
    if (!hit) return;
    hit->u = (cd_real)met->u;
    hit->v = (cd_real)met->v;
    hit->feature = met->feature;
}

static bool cdi_sweep_start(const cdi_cast *c, const cdi_impact *met, cdi_v3 side, cd_hit *hit) {
    cdi_v3 normal = cdi_v3_unit(cdi_v3_neg(c->d));
    bool wants_depth = (c->flags & CD_CAST_START_DEPTH) != 0;
    if ((c->flags & CD_CAST_START_IGNORE) || cdi_sweep_passes(c, met, side)) return false;
    if ((c->flags & CD_CAST_START_LEAVING) && cdi_v3_dot(met->normal, c->d) >= 0.0) return false;
    if (wants_depth || cdi_v3_is_zero(normal)) normal = met->normal;
    if (!cdi_hit_write(hit, c->t_min, met->point, normal, 0,
                       cdi_sweep_flags(c, met, side) | (uint32_t)CD_HIT_START))
        return false;
    cdi_sweep_details(met, hit);
    if (hit && wants_depth) hit->depth = cdi_real_of(cdi_max(met->depth, 0.0));
    return true;
}

static bool cdi_sweep_hit(const cdi_cast *c, const cdi_impact *met, cdi_v3 side, cd_hit *hit) {
    if (!(met->t <= c->t_max) || cdi_sweep_passes(c, met, side)) return false;
    if (!cdi_hit_write(hit, met->t, met->point, met->normal, 0, cdi_sweep_flags(c, met, side))) return false;
    if (hit) hit->t = cdi_sweep_time(met->t);
    cdi_sweep_details(met, hit);
    return true;
}

CDI_FN bool cdi_sweep_answer(const cdi_cast *c, cdi_meets meets, const cdi_impact *met, cdi_v3 side,
                             cd_hit *hit) {
    if (meets == CDI_MEETS_NEVER) return false;
    return meets == CDI_MEETS_AT_START ? cdi_sweep_start(c, met, side, hit)
                                       : cdi_sweep_hit(c, met, side, hit);
}

CDI_FN cdi_v3 cdi_triangle_front(const cd_triangle *t) {
    cdi_tri d = cdi_tri_of(t);
    return cdi_tri_cross(&d);
}

CDI_FN cdi_v3 cdi_polygon_front(const cd_vec3 *polygon, size_t count) {
    cdi_v3 n = cdi_v3_make(0.0, 0.0, 0.0);
    for (size_t i = 0; i < cd_polygon_triangle_count(count); ++i) {
        cd_triangle t = cd_polygon_triangle(polygon, count, i);
        n = cdi_v3_add(n, cdi_triangle_front(&t));
    }
    return n;
}

CDI_FN uint32_t cdi_fan_feature(uint32_t feature, size_t i, size_t count) {
    uint32_t k = CD_FEATURE_INDEX(feature), last = (uint32_t)count - 1u, at = (uint32_t)i + k;
    if (CD_FEATURE_KIND(feature) == CD_FEATURE_VERTEX)
        return CD_FEATURE(1u, k == 0 ? 0 : at < last ? at : last);
    if (CD_FEATURE_KIND(feature) != CD_FEATURE_EDGE) return feature;
    if (count < 3) return CD_FEATURE(2u, 0u);
    if (k == 1u) return CD_FEATURE(2u, at);
    if (k == 0 && i == 0) return CD_FEATURE(2u, 0u);
    return k == 2u && at >= last ? CD_FEATURE(2u, last) : CD_FEATURE(3u, 0u);
}
