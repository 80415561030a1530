#pragma once
/* planes (internal): runs cut by a plane across one axis: median, mean, spatial median, box middle, candidates; and the axis
 * itself (Ericson 6.2.1.2, 6.2.1.3). */

#include "tree/cutting.h"

/* CD_BVH_OBJECT_MEDIAN to CD_BVH_CANDIDATES; `ctx` is the builder, and runs are measured. */
CDI_FN bool cdi_cut_by_plane(void *ctx, const cdi_range *r, cdi_range *left, cdi_range *right);

/* Half of the items on each side of the longest axis of the middles: what is left when no cost tells where to cut. */
CDI_FN void cdi_cut_at_median(cdi_builder *b, const cdi_range *r, cdi_range *left, cdi_range *right);
