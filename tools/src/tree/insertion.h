#pragma once
/* insertion (internal): a builder that inserts one item after another (Ericson 6.2.3; Goldsmith and Salmon 1987). */

#include "tree/binary.h"

/* CD_OK, CD_OUT_OF_MEMORY or CD_CANCELLED. */
CDI_FN cd_status cdi_build_inserted(cdi_builder *b);
