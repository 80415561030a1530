#pragma once
/* facets (internal): from the triangles of Quickhull to a hull of polygons in its final order. */

#include "hull/hull_block.h"
#include "hull/groups.h"

/* Coplanar triangles become one face; with a distance, in a body, nearly coplanar ones too. CD_OUT_OF_MEMORY, with `out`
 * zeroed. */
CDI_FN cd_status cdi_facets_write(cd_hull *out, cdi_qh *q, double merge_distance);
