#pragma once
/* directions (internal): directions all around a hull. */

#include "core/vec3d.h"
#include "hull/hull.h"

/* A power of two that brings the hull's size near 1; dimension 1 to 3. */
CDI_FN double cdi_unit_scale(const cd_hull *hull);

/* An affine map under which a body is about as long as wide as high: L L^T is the covariance of its vertices, times the scale
 * above (Cholesky's method). */
typedef struct cdi_round_frame {
    double l[6]; /* xx, yx, yy, zx, zy, zz of L */
} cdi_round_frame;
CDI_FN cdi_round_frame cdi_round_frame_of(const cd_hull *hull);

/* L^-T u, made unit: what the direction u in the round body is for the hull itself. */
CDI_FN cdi_v3 cdi_round_direction(const cdi_round_frame *f, cdi_v3 u);

/* Direction number i of the 6 n n through the middles of the squares of a cube's sides, each near the one before. */
CDI_FN cdi_v3 cdi_cube_direction(uint32_t i, uint32_t n);
