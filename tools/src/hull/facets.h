#pragma once
/* facets (internal): from the triangles of Quickhull to a hull of polygons in its final order. */

#include "hull/hull_block.h"
#include "hull/quickhull.h"

/* Coplanar triangles become one face; with a distance, nearly coplanar ones too. Corners left with two edges are dropped where
 * these are in line, or nearly. CD_OUT_OF_MEMORY, with `out` zeroed. */
CDI_FN cd_status cdi_facets_write(cd_hull *out, cdi_qh *q);
