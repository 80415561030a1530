#pragma once
/* topdown (internal): builders that split: options->method and axis tell how (Ericson 6.2.1). */

#include "tree/binary.h"

/* CD_OK, CD_OUT_OF_MEMORY or CD_CANCELLED. */
CDI_FN cd_status cdi_build_topdown(cdi_builder *b);
