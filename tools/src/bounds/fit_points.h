#pragma once
/* fit_points (internal): points to be fitted, scaled to at most 1 by a power of two, so that squares stay in range. */

#include "core/vec3d.h"

typedef struct cdi_tame_points {
    const cd_vec3 *points;
    size_t count;
    int shift;
} cdi_tame_points;

/* False for none, NaN or infinity. */
CDI_FN bool cdi_tame_begin(cdi_tame_points *f, const cd_vec3 *points, size_t count);

CDI_FN cdi_v3 cdi_tame_point(const cdi_tame_points *f, size_t i);
