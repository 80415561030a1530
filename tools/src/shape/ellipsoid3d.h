#pragma once
/* ellipsoid3d (internal): an ellipsoid of doubles with its principal axes, and its points nearest to a point. */

#include "shape/ellipsoid.h"
#include "shape/volume3d.h"

/* The image of the unit ball under a matrix: orthonormal axes, right-handed, and half lengths, the longest first.
 * By Jacobi's method on the columns (Hestenes 1958; Demmel and Veselic 1992), which keeps the digits of short ones. */
CDI_FN void cdi_map_axes(const cdi_m3 *map, cdi_m3 *axes, double half[3]);

/* As the image of the unit ball, which is what the definition says for any stored axes. */
CDI_FN cdi_m3 cdi_ellipsoid_map(const cd_ellipsoid *e);
CDI_FN cdi_obb cdi_ellipsoid_of(const cd_ellipsoid *e);

/* The point of the ellipsoid, or only of its surface, nearest to p, in the frame of `b`, whose half lengths are sorted. */
CDI_FN cdi_v3 cdi_near_ellipsoid(const cdi_obb *b, cdi_v3 p, bool solid);

/* The largest of |x| over the points x of the ellipsoid. */
CDI_FN cdi_v3 cdi_farthest_of_ellipsoid(const cdi_obb *b);
