#pragma once
/* passage_kernel (internal): the pairs of triangles that matter to a passage, out of all of two trees. */

#include "any/passage.h"

/* One walk through both trees in the mode that it is aimed for. In that of the chain one walk need not be enough: it is when it does
 * not move `at` on any more. */
CDI_KERNEL(void, cdi_passage_run, (cdi_passage * p));
