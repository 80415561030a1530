#pragma once
/* linear (internal): a builder along a Morton curve. */

#include "tree/binary.h"

/* CD_OK, CD_OUT_OF_MEMORY or CD_CANCELLED. */
CDI_FN cd_status cdi_build_linear(cdi_builder *b);
