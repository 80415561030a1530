#pragma once
/* merge (internal): faces of a body merged as far as what is left of them still bounds it.
 *
 * A face that is narrow where others meet at a sharp edge may be all that ends the body there: the rim of a plate, the end of a needle.
 * Without it the planes of the others reach far beyond. So what the planes of the merged faces bound is looked at, corner by corner, and
 * less is merged where it reaches out too far. */

#include "hull/facets.h"

/* The hull of Quickhull's triangles, its faces merged within `distance`, or within less: so that what their planes bound is no farther than
 * twice the distance from the exact hull. cdi_facets_write where there is nothing to merge. */
CDI_FN cd_status cdi_hull_merged(cd_hull *out, cdi_qh *q, double distance);
