#pragma once
/* reinsertion (internal): a canonical tree made better by options->optimise passes of reinsertion.
 *
 * A subtree is taken out and put where it makes the sum of all boxes' areas least larger (Bittner, Hapala and Havran
 * 2013); those with the largest boxes come first. Leaves are first split or made anew where that is cheaper, then moved
 * as they are, so that the cost by the surface area heuristic never grows. */

#include "tree/binary.h"

/* CD_OK, CD_OUT_OF_MEMORY or CD_CANCELLED. */
CDI_FN cd_status cdi_optimise(cdi_builder *b);
