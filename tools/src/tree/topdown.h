#pragma once
/* topdown (internal): builders that cut a run of items in two over and over: options->method and axis tell how (Ericson
 * 6.2.1). The default tries up to 16 bins of the middles on each axis (Wald 2007). */

#include "tree/binary.h"

/* CD_OK, CD_OUT_OF_MEMORY or CD_CANCELLED. */
CDI_FN cd_status cdi_build_topdown(cdi_builder *b);
