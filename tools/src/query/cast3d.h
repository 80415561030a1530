#pragma once
/* cast3d (internal): what all casts share: the ray, segment or line in double, its range, and what counts as a hit of a solid. */

#include "core/vec3d.h"
#include "query/cast.h"

typedef struct cdi_cast {
    cdi_v3 o, d;
    double t_min, t_max;
    uint32_t flags;
    bool is_line, is_segment;
    double base; /* where to count from: t_min, or 0 of a line, whose t_min is far out */
    cdi_v3 to;   /* a segment's other end as it was given, where d is rounded */
} cdi_cast;

/* False when the question makes no sense: not finite, NaN range, empty range, a line without direction. */
CDI_FN bool cdi_cast_begin(cdi_cast *c, const cd_ray *r, cd_real t_max, const cd_cast_options *options);
CDI_FN bool cdi_cast_begin_segment(cdi_cast *c, const cd_segment *s, const cd_cast_options *options);
CDI_FN bool cdi_cast_begin_line(cdi_cast *c, const cd_line *l, const cd_cast_options *options);

/* The three public casts of a shape, `thing` of type `type`, from its core cdi_cast_<shape>. */
#define CDI_CASTS(shape, type, thing)                                                                        \
    CD_API bool cd_cast_ray_##shape(const cd_ray *r, cd_real t_max, type thing,                              \
                                    const cd_cast_options *options, cd_hit *hit) {                           \
        cdi_cast cast;                                                                                       \
        return cdi_cast_begin(&cast, r, t_max, options) && cdi_cast_##shape(&cast, thing, hit);              \
    }                                                                                                        \
    CD_API bool cd_cast_segment_##shape(const cd_segment *s, type thing, const cd_cast_options *options,     \
                                        cd_hit *hit) {                                                       \
        cdi_cast cast;                                                                                       \
        return cdi_cast_begin_segment(&cast, s, options) && cdi_cast_##shape(&cast, thing, hit);             \
    }                                                                                                        \
    CD_API bool cd_cast_line_##shape(const cd_line *l, type thing, const cd_cast_options *options,           \
                                     cd_hit *hit) {                                                          \
        cdi_cast cast;                                                                                       \
        return cdi_cast_begin_line(&cast, l, options) && cdi_cast_##shape(&cast, thing, hit);                \
    }                                                                                                        \
    struct cdi_cast /* takes the semicolon */

/* Where a line is inside a solid, and a number the shape gives to the surfaces there. */
typedef struct cdi_span {
    double in, out;
    int face_in, face_out;
} cdi_span;

/* The line o + t d inside the box lo, hi; false when it misses. Exact in that decision. */
CDI_FN bool cdi_line_box(cdi_v3 o, cdi_v3 d, cdi_v3 lo, cdi_v3 hi, cdi_span *span);

/* Which contact of the span counts, by the options. */
typedef enum cdi_contact { CDI_CONTACT_NONE, CDI_CONTACT_IN, CDI_CONTACT_OUT, CDI_CONTACT_START } cdi_contact;

CDI_FN cdi_contact cdi_cast_solid(const cdi_cast *c, const cdi_span *span);

/* The flags of a hit where it comes in or goes out, at t. */
CDI_FN uint32_t cdi_contact_flags(const cdi_cast *c, cdi_contact contact, double t);

/* The line inside a sphere about the origin: half a chord to each side of the point nearest to the centre. */
CDI_HOT bool cdi_line_sphere(cdi_v3 o, cdi_v3 d, double radius, cdi_span *span) {
    double dd = cdi_v3_sqlength(d), middle, half;
    cdi_v3 nearest;
    span->face_in = span->face_out = 0;
    if (dd == 0.0) {
        span->in = -CDI_HUGE;
        span->out = CDI_HUGE;
        return cdi_v3_sqlength(o) <= radius * radius;
    }
    middle = -cdi_v3_dot(o, d) / dd;
    nearest = cdi_v3_along(o, d, middle);
    half = radius * radius - cdi_v3_sqlength(nearest);
    if (!(half >= 0.0)) return false;
    half = cdi_sqrt(half / dd);
    span->in = middle - half;
    span->out = middle + half;
    return true;
}

/* The contact, rounded once. False where the numbers left the range, far outside the domain: no hit then. */
CDI_HOT bool cdi_hit_write(cd_hit *hit, double t, cdi_v3 point, cdi_v3 normal, uint32_t face,
                           uint32_t flags) {
    if (!cdi_finite(t) || !cdi_v3_fits(point) || !cdi_v3_finite(normal) || cdi_v3_is_zero(normal))
        return false;
    if (!hit) return true;
    cdi_clear(hit, sizeof *hit);
    hit->t = (cd_real)t;
    hit->point = cdi_v3_round(point);
    hit->normal = cdi_v3_round(normal);
    hit->feature = CD_FEATURE(3u, face);
    hit->flags = flags;
    return true;
}

/* A hit on what is posed, in the frame that it is posed in; false where its point has no finite numbers there. */
CDI_INLINE bool cdi_hit_posed(cd_hit *hit, const cd_transform *pose) {
    hit->point = cd_transform_point(pose, hit->point);
    hit->normal = cd_transform_vector(pose, hit->normal);
    return cd_vec3_is_valid(hit->point);
}

/* A start inside: `out` is the unit normal of the nearest surface and `depth` the way to it. */
CDI_FN bool cdi_hit_start(const cdi_cast *c, cdi_v3 out, double depth, uint32_t face, cd_hit *hit);

/* The cast at a solid axis-aligned box. */
CDI_FN bool cdi_cast_aabb(const cdi_cast *c, cd_aabb b, cd_hit *hit);
