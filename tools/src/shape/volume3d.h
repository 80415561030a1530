#pragma once
/* volume3d (internal): an oriented box of doubles; rounding toward a side. */

#include "core/mat3d.h"
#include "shape/volume.h"

typedef struct cdi_obb {
    cdi_v3 center;
    cdi_m3 axes;
    double half[3];
} cdi_obb;

CDI_INLINE cdi_obb cdi_obb_of(const cd_obb *b) {
    cdi_obb r;
    r.center = cdi_v3_of(b->center);
    r.axes = cdi_m3_of(&b->axes);
    r.half[0] = (double)b->half.x;
    r.half[1] = (double)b->half.y;
    r.half[2] = (double)b->half.z;
    return r;
}

CDI_INLINE bool cdi_obb_finite(const cdi_obb *b) {
    return cdi_v3_finite(b->center) && cdi_v3_finite(b->axes.c[0]) && cdi_v3_finite(b->axes.c[1]) &&
           cdi_v3_finite(b->axes.c[2]) && cdi_finite3(b->half[0], b->half[1], b->half[2]);
}

/* A point in the box's frame, and back. */
CDI_INLINE cdi_v3 cdi_obb_local(const cdi_obb *b, cdi_v3 p) {
    return cdi_m3_tmul_v3(&b->axes, cdi_v3_sub(p, b->center));
}
CDI_INLINE cdi_v3 cdi_obb_world(const cdi_obb *b, cdi_v3 p) {
    return cdi_v3_add(cdi_m3_mul_v3(&b->axes, p), b->center);
}

CDI_INLINE bool cdi_aabb_finite(cd_aabb b) {
    return cdi_v3_finite(cdi_v3_of(b.min)) && cdi_v3_finite(cdi_v3_of(b.max));
}

/* x + tail rounded down to the number type of the interface, exactly, where x + tail is the sum of two numbers and its
 * rounding error. Stays finite. */
CDI_FN cd_real cdi_round_down(double x, double tail);

/* a - b rounded down, a + b rounded up: exactly, and finite. */
CDI_FN cd_real cdi_diff_down(double a, double b);
CDI_FN cd_real cdi_sum_up(double a, double b);

/* The box center +- extent, rounded outward. */
CDI_FN cd_aabb cdi_aabb_around(cdi_v3 c, cdi_v3 e);
