#pragma once
/* triangle_box (internal): the exact test of a triangle against a box. */

#include "shape/triangle3d.h"

CDI_FN bool cdi_test_tri_box(const cdi_tri *t, cdi_v3 lo, cdi_v3 hi);
