#pragma once
/* torus3d (internal): a torus of doubles. */

#include "core/vec3d.h"
#include "shape/torus.h"

typedef struct cdi_torus {
    cdi_v3 center, axis, u; /* the axis as it is stored, and unit */
    double major, minor;
} cdi_torus;

/* False when the torus is not valid. */
CDI_FN bool cdi_torus_of(cdi_torus *d, const cd_torus *t);

/* A point relative to the centre, seen from the circle: its height, distance from the axis, distance from the circle, and the
 * unit vector off the axis, any one for a point on it. */
typedef struct cdi_about_circle {
    cdi_v3 e;
    double z, reach, way;
} cdi_about_circle;

CDI_FN cdi_about_circle cdi_torus_about(cdi_v3 u, double major, cdi_v3 q);
