#pragma once
/* obb_axes (internal): how fits find a frame. */

#include "bounds/box3d.h"
#include "core/memory.h"
#include "hull/hull.h"

/* The principal frame of the points. */
CDI_FN cdi_m3 cdi_fit_pca(const cdi_fit *f);

/* The frame of two extreme pairs: never without a direction that the points have. */
CDI_FN cdi_m3 cdi_fit_by_pairs(const cdi_fit *f);

/* Memory to project the points of a fit along an axis, of which there are at least one. */
typedef struct cdi_fit_shadow {
    cd_vec2 *points;
    uint32_t *corner;
    size_t count;
} cdi_fit_shadow;
CDI_FN cd_status cdi_fit_shadow_take(cdi_fit_shadow *s, size_t count, const cd_allocator *allocator);
CDI_FN void cdi_fit_shadow_free(cdi_fit_shadow *s, const cd_allocator *allocator);

/* The frame with this axis first, across which the rectangle around the points has the least area. */
CDI_FN cdi_m3 cdi_fit_across(const cdi_fit *f, cdi_fit_shadow *s, cdi_v3 axis);

/* The surface of a hull, its principal frame in `axes`; false when it has no area. */
CDI_FN bool cdi_hull_frame(const cd_hull *hull, cdi_m3 *axes);

/* Projects along one axis after the other while the box gets smaller by more than rounding errors. */
CDI_FN void cdi_fit_refine(const cdi_fit *f, cdi_fit_shadow *s, cdi_m3 *axes);
