#pragma once
/* bins (internal): runs cut where the surface area heuristic over bins of the items' middles is least (Wald 2007).
 *
 * The three axes are binned and swept side by side, one in each lane of a register: costs are numbers of the interface's
 * kind, of sides scaled by the longest one, so that nothing overflows. */

#include "tree/cutting.h"

/* CD_BVH_SAH_BINNED; `ctx` is the builder. Runs come with their box; middles are measured here, where they are needed. */
CDI_FN bool cdi_cut_by_bins(void *ctx, const cdi_range *r, cdi_range *left, cdi_range *right);
