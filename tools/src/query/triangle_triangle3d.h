#pragma once
/* triangle_triangle3d (internal): the test on triangles of doubles. */

#include "query/triangle_triangle.h"
#include "shape/triangle3d.h"

CDI_FN bool cdi_test_tri_tri(const cdi_tri *a, const cdi_tri *b);
