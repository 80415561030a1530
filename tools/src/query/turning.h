#pragma once
/* turning (internal): sums of solid angles.
 *
 * Half a solid angle is the angle of a vector (x, y) of the plane. Angles are added by turning one vector by all of them,
 * one after another, and counting how often it comes around: one arc tangent for the whole mesh. */

#include "shape/triangle3d.h"

/* The angle of (x, y), from above -pi to pi, and 2 pi times `around`. */
typedef struct cdi_turning {
    double x, y;
    int64_t around;
} cdi_turning;

CDI_INLINE cdi_turning cdi_turning_begin(void) {
    cdi_turning s;
    s.x = 1.0;
    s.y = 0.0;
    s.around = 0;
    return s;
}

/* Adds half the solid angle of a triangle as seen from p, positive from behind its front. */
CDI_FN void cdi_turning_triangle(cdi_turning *s, cdi_v3 p, const cdi_tri *triangle);

/* All of them over 4 pi. */
CDI_FN double cdi_turning_number(const cdi_turning *s);
