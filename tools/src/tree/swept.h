#pragma once
/* swept (internal): a builder that cuts where the surface area heuristic is least, tried at every item on each axis.
 *
 * The items are sorted once along each axis, and the three orders are parted at each cut without disturbing them: n log n
 * in all. */

#include "tree/binary.h"

/* CD_OK, CD_OUT_OF_MEMORY or CD_CANCELLED. */
CDI_FN cd_status cdi_build_swept(cdi_builder *b);
