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
