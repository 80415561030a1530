#pragma once
/* hull_around (internal): hulls around a hull, from few half-spaces that touch it. */

#include "core/platform.h"
#include "hull/hull.h"

/* A hull of dimension 3 around another one, within the budgets (at least 4 each). */
CDI_FN cd_status cdi_hull_around(cd_hull *out, const cd_hull *hull, uint32_t max_vertices, uint32_t max_faces,
                                 const cd_allocator *allocator);
