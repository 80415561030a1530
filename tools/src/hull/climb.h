#pragma once
/* climb (internal): the vertex of a hull farthest along a direction, by walking uphill or by looking at all (Ericson 4.2.5,
 * 4.6.3).
 *
 * Of vertices that are exactly as far, the one with the largest x, then y, then z is the farthest, as if the direction were
 * turned a little that way. So there is one farthest vertex, every other one has a neighbour that is farther, and no plain is
 * a trap: both functions give the same vertex, wherever the walk begins. */

#include "core/vec3d.h"
#include "hull/hull.h"

/* May the hull be climbed? Not where faces were merged that are not quite flat, nor where there are no faces. */
CDI_FN bool cdi_hull_has_slopes(const cd_hull_parts *hull);

/* Walks from a vertex to a neighbour that is farther until there is none; at least one vertex. `steps` counts the vertices that
 * were come by. A hull without slopes is looked at in full; a `from` beyond the vertices is 0. */
CDI_FN uint32_t cdi_farthest_uphill(const cd_hull_parts *hull, cdi_v3 direction, uint32_t from,
                                    uint32_t *steps);

CDI_FN uint32_t cdi_farthest_of_all(const cd_hull_parts *hull, cdi_v3 direction);
