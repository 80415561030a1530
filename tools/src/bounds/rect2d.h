#pragma once
/* rect2d (internal): the direction of the rectangle of least area around a convex polygon. */

#include "core/orient.h"
#include "hull/hull2.h"

/* Some points in counter-clockwise order, strictly convex; any number from 1. */
typedef struct cdi_ring2 {
    const cd_vec2 *points;
    const uint32_t *corner;
    size_t count;
} cdi_ring2;

/* A unit vector along a side; (1, 0) for a single point. */
CDI_FN cdi_v3 cdi_ring2_by_calipers(const cdi_ring2 *r);
