#pragma once
/* dk3d (internal): the farthest vertex of a hierarchy for directions in double. */

#include "convex/dk_hierarchy.h"
#include "core/vec3d.h"

/* The hierarchy's own number of it; at least one vertex, a finite direction. `steps` counts the vertices that were looked at. */
CDI_FN uint32_t cdi_dk_farthest(const cd_dk_parts *parts, cdi_v3 direction, uint32_t *steps);
