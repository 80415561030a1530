#pragma once
/* reinsertion (internal): a canonical tree made better by options->optimise passes of reinsertion. */

#include "tree/binary.h"

/* CD_OK, CD_OUT_OF_MEMORY or CD_CANCELLED. */
CDI_FN cd_status cdi_optimise(cdi_builder *b);
