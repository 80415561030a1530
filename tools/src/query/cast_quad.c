#include "query/cast_quad.h"
#include "query/cast_triangle.h"

static cd_triangle cdi_quad_half(const cd_quad *q, int half) {
    cd_triangle t;
    t.a = q->a;
    t.b = half ? q->c : q->b;
    t.c = half ? q->d : q->c;
    return t;
}

/* A feature of the half's triangle as one of the quadrilateral; the diagonal is inside. */
static uint32_t cdi_quad_feature(uint32_t feature, uint32_t half) {
    uint32_t kind = CD_FEATURE_KIND(feature), i = CD_FEATURE_INDEX(feature);
    if (kind == 1u) return CD_FEATURE(1u, half && i > 0u ? i + 1u : i);
    if (kind == 2u && i != (half ? 0u : 2u)) return CD_FEATURE(2u, i + half);
    return CD_FEATURE(3u, half);
}

/* Keeps the nearer hit, its numbers made those of the quadrilateral; false when `found` stays what it was. */
static bool cdi_quad_take(cd_hit *best, bool found, const cd_hit *next, uint32_t half) {
    if (found && !(next->t < best->t)) return false;
    *best = *next;
    best->feature = cdi_quad_feature(next->feature, half);
    best->u = half ? next->u : (cd_real)((double)next->u + (double)next->v);
    best->v = half ? (cd_real)((double)next->u + (double)next->v) : next->v;
    return true;
}

/* The half's cast: one of the three below. */
typedef bool (*cdi_half_cast)(const void *line, cd_real t_max, const cd_triangle *t,
                              const cd_cast_options *options, cd_hit *hit);

static bool cdi_cast_halves(cdi_half_cast cast, const void *line, cd_real t_max, const cd_quad *q,
                            const cd_cast_options *options, cd_hit *hit) {
    cd_hit best, next;
    bool found = false;
    if (!cd_quad_is_valid(q)) return false;
    for (int half = 0; half < 2; ++half) {
        cd_triangle t = cdi_quad_half(q, half);
        if (cast(line, t_max, &t, options, &next))
            found = cdi_quad_take(&best, found, &next, (uint32_t)half) || found;
    }
    if (found && hit) *hit = best;
    return found;
}

static bool cdi_ray_half(const void *line, cd_real t_max, const cd_triangle *t,
                         const cd_cast_options *options, cd_hit *hit) {
    return cd_cast_ray_triangle((const cd_ray *)line, t_max, t, options, hit);
}

static bool cdi_line_half(const void *line, cd_real t_max, const cd_triangle *t,
                          const cd_cast_options *options, cd_hit *hit) {
    (void)t_max;
    return cd_cast_line_triangle((const cd_line *)line, t, options, hit);
}

static bool cdi_segment_half(const void *line, cd_real t_max, const cd_triangle *t,
                             const cd_cast_options *options, cd_hit *hit) {
    (void)t_max;
    return cd_cast_segment_triangle((const cd_segment *)line, t, options, hit);
}

CD_API bool cd_cast_ray_quad(const cd_ray *r, cd_real t_max, const cd_quad *q, const cd_cast_options *options,
                             cd_hit *hit) {
    return cdi_cast_halves(cdi_ray_half, r, t_max, q, options, hit);
}

CD_API bool cd_cast_line_quad(const cd_line *l, const cd_quad *q, const cd_cast_options *options,
                              cd_hit *hit) {
    return cdi_cast_halves(cdi_line_half, l, CD_REAL_MAX, q, options, hit);
}

CD_API bool cd_cast_segment_quad(const cd_segment *s, const cd_quad *q, const cd_cast_options *options,
                                 cd_hit *hit) {
    return cdi_cast_halves(cdi_segment_half, s, 1, q, options, hit);
}
