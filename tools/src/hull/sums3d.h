#pragma once
/* sums3d (internal): orientation of points whose coordinates are sums of two doubles, high + low. Exact for all finite ones. */

#include "core/orient.h"

/* The signs of cdi_orient3d, and of a component of the normal of a, b, c: cdi_orient2d of their shadows along the axis. */
CDI_FN double cdi_orient3d_sums(const cdi_v3 high[4], const cdi_v3 low[4]);
CDI_FN double cdi_orient2d_sums(const cdi_v3 high[3], const cdi_v3 low[3], int axis);

/* The normal of a, b, c times a power of two that brings it into the range of doubles; each component to its last place. */
CDI_FN cdi_v3 cdi_normal_sums(const cdi_v3 high[3], const cdi_v3 low[3]);
