#pragma once
/* closest3d (internal): closest points in double. */

#include "query/closest.h"
#include "shape/triangle3d.h"
#include "shape/volume3d.h"

/* A point of a triangle: where, how far, on what. */
typedef struct cdi_near {
    cdi_v3 point;
    double sqdist;
    double u, v;
    uint32_t feature;
} cdi_near;

/* n . p - d to the last place of the largest term, with the plane's equation scaled so that |n|, which is given back, is
 * near 1; divide by it for the distance. */
CDI_FN double cdi_plane_height(cd_plane plane, cdi_v3 p, cdi_v3 *normal);

/* The point of a segment nearest to p, and its parameter in [0, 1]. */
CDI_FN cdi_v3 cdi_near_segment(cdi_v3 p, cdi_v3 a, cdi_v3 b, double *t);

/* The point of a triangle nearest to p; finite input. The squared distance is at least that to the bounding box. */
CDI_FN cdi_near cdi_near_triangle(cdi_v3 p, const cdi_tri *t);

/* Squared distance to the box lo, hi; 0 inside. */
CDI_FN double cdi_sqdist_box(cdi_v3 p, cdi_v3 lo, cdi_v3 hi);
