#pragma once
/* flat3d (internal): the closest points of points, segments, triangles and rectangles.
 *
 * Two convex flat figures that do not meet are nearest at two edges, or at a corner of one and the inside of the other: all
 * of these pairs are looked at but for edges that the other figure is wholly inside of, which cannot be nearest. So every
 * answer is a pair of points of the figures, whatever is degenerate. */

#include "query/closest3d.h"
#include "shape/swept3d.h"

/* A point of each, and `between`, b less a, which has more digits than the two points. */
typedef struct cdi_bridge {
    cdi_v3 a, b, between;
    double s, t, sqdist; /* the parameters on two segments */
} cdi_bridge;

/* Finite input, which cdi_tame has seen. */
CDI_FN cdi_bridge cdi_near_segments(cdi_v3 a, cdi_v3 b, cdi_v3 c, cdi_v3 d);

/* A pair that is farther apart than `reach` may be given as CDI_HUGE apart. */
CDI_FN cdi_bridge cdi_near_flats(const cdi_flat *a, const cdi_flat *b, double reach);

/* Does the figure come as near as `reach` to the box? */
CDI_FN bool cdi_flat_reaches_box(const cdi_flat *f, cdi_v3 lo, cdi_v3 hi, double reach);

/* The power of two to multiply by for squares and products of four to stay in range, where the largest of all numbers is
 * `most`; 0 in the domain. */
CDI_FN int cdi_tame_shift(double most);

/* Is the ball in the capsule? Exact. */
CDI_FN bool cdi_capsule_holds_ball(const cd_capsule *c, cd_vec3 center, cd_real radius);
