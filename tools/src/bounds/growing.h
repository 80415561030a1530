#pragma once
/* growing (internal): balls that grow over points, in scaled coordinates (see sites); radii are rounded. */

#include "bounds/sites.h"

/* The ball on the farthest of the three pairs of points that are extreme along an axis; at least one site. */
CDI_FN cdi_ball cdi_most_separated(const cdi_sites *s);

/* The ball on the two points that are extreme along `axis`. */
CDI_FN cdi_ball cdi_separated_along(const cdi_sites *s, cdi_v3 axis);

/* Grows over one point after another: for each that is outside to the smallest ball that holds the old one and it. Round 0
 * takes them in their order, each other round in one of its own. */
CDI_FN void cdi_grow_over(const cdi_sites *s, uint32_t round, cdi_ball *b);
