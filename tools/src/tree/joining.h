#pragma once
/* joining (internal): builders that join, from the bottom up (Ericson 6.2.2): nearest pairs from a queue, neighbours along a curve, clusters. */

#include "tree/binary.h"

/* CD_OK, CD_OUT_OF_MEMORY or CD_CANCELLED. */
CDI_FN cd_status cdi_build_bottom_up(cdi_builder *b);
CDI_FN cd_status cdi_build_near_linear(cdi_builder *b);
CDI_FN cd_status cdi_build_clustered(cdi_builder *b);
