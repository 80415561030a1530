#pragma once
/* cast3d (internal): what all casts share: the ray in double, its range, and what counts as a hit of a solid. */

#include "core/vec3d.h"
#include "query/cast.h"

typedef struct cdi_cast {
    cdi_v3 o, d;
    double t_min, t_max;
    uint32_t flags;
} cdi_cast;

/* False when the question makes no sense: not finite, NaN range, empty range. */
CDI_FN bool cdi_cast_begin(cdi_cast *c, const cd_ray *r, cd_real t_max, const cd_cast_options *options);

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

/* The line inside a sphere about the origin: half a chord to each side of the point nearest to the centre. */
CDI_FN bool cdi_line_sphere(cdi_v3 o, cdi_v3 d, double radius, cdi_span *span);

/* The contact, rounded once. False where the numbers left the range, far outside the domain: no hit then. */
CDI_FN bool cdi_hit_write(cd_hit *hit, double t, cdi_v3 point, cdi_v3 normal, uint32_t face, uint32_t flags);

/* A start inside: `out` is the unit normal of the nearest surface and `depth` the way to it. */
CDI_FN bool cdi_hit_start(const cdi_cast *c, cdi_v3 out, double depth, uint32_t face, cd_hit *hit);
