#pragma once
/* triangle_triangle3d (internal): the test on triangles of doubles. */

#include "query/triangle_triangle.h"
#include "shape/triangle3d.h"

CDI_FN bool cdi_test_tri_tri(const cdi_tri *a, const cdi_tri *b);

/* The least way that parts two triangles that meet, along the normal of one or across an edge of each; 0 or so where both are in one plane. Some
 * way shorter than `enough` will do. Exact but for rounding: the differences of their points have no other faces. */
CDI_FN double cdi_tri_depth(const cdi_tri *a, const cdi_tri *b, double enough);
