#pragma once
/* obb_hold (internal): the half extents that a box needs to hold others.
 *
 * A box with axes A that are not quite orthonormal can be read in two ways, as center + A s and by its slabs |a_i . (p - c)|.
 * What is held is held in both: it is measured along the axes and along the rows of A's inverse. */

#include "shape/volume3d.h"

typedef struct cdi_hold {
    cdi_v3 center;
    cdi_m3 axes;
    cdi_m3 dual; /* rows of the inverse, as columns */
    double loss; /* 1 for axes about orthonormal, more where their inverse is less precise */
    cdi_v3 half; /* so far; an upper bound, rounding included */
} cdi_hold;

/* A box without extent. */
CDI_FN cdi_hold cdi_hold_begin(cdi_v3 center, const cdi_m3 *axes);

/* Grows to hold the body, and what is within `slack` of it. */
CDI_FN void cdi_hold_body(cdi_hold *h, const cdi_obb *body, double slack);

/* Grows to hold the point, and what is within `slack` of it. */
CDI_FN void cdi_hold_point(cdi_hold *h, cdi_v3 p, double slack);

/* The half extents rounded up; infinite beyond the range. */
CDI_FN cd_vec3 cdi_hold_half(const cdi_hold *h);

/* Rounded up to the number type of the interface; infinite beyond its range. */
CDI_FN cd_real cdi_real_up(double x);
