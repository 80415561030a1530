#pragma once
/* ellipsoid3d (internal): the level of a point in an ellipsoid, with its error; an ellipsoid where another is the unit ball. */

#include "query/ellipsoid.h"
#include "shape/ellipsoid3d.h"

/* A stored ellipsoid ready for many points: the rows of the inverse of its axes. Valid, and perhaps scaled. */
typedef struct cdi_level {
    cdi_v3 center, row[3];
    double half[3];
} cdi_level;

CDI_FN cdi_level cdi_level_of(const cd_ellipsoid *e, int shift); /* all lengths times 2^shift */

/* y with p = center + sum of y_i axis_i, by the stored axes, each within `error`. */
CDI_FN cdi_v3 cdi_level_local(const cdi_level *l, cdi_v3 p, double *error);

/* The sum of (y_i / half_i)^2, at most 1 inside, within `error` of the exact number; infinite or NaN, one or the other, where
 * doubles cannot tell. */
CDI_FN double cdi_level_at(const cdi_level *l, cdi_v3 p, double *error);

/* The ellipsoid in the space where `ball`, of half lengths above 0, is the unit ball. */
CDI_FN cdi_obb cdi_ellipsoid_in_ball(const cdi_obb *ball, const cd_ellipsoid *e);
