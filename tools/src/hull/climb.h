#pragma once
/* climb (internal): the vertex of a hull farthest along a direction, by walking uphill or by looking at all (Ericson 4.2.5,
 * 4.6.3, 9.5.4).
 *
 * Of vertices that are exactly as far, the one with the largest x, then y, then z is the farthest, as if the direction were
 * turned a little that way. So there is one farthest vertex, every other one has a neighbour that is farther, and no plain is
 * a trap: all functions give the same vertex, wherever the walk begins, and no artificial neighbours are needed.
 *
 * Lanes of the interface's numbers only say which vertices cannot be the farthest; what they leave is compared in double, and
 * exactly where doubles cannot tell. */

#include "core/vec3d.h"
#include "hull/hull.h"

/* May the hull be climbed? Not where faces were merged that are not quite flat, nor where there are no faces. */
CDI_FN bool cdi_hull_has_slopes(const cd_hull_parts *hull);

/* By the faster way; at least one vertex. `hint` is any number: one that was farthest along a similar direction is of use in large
 * hulls. `steps` counts the vertices that a walk came by, or the rows of eight that were looked at. */
CDI_FN uint32_t cdi_farthest_from(const cd_hull_parts *hull, cdi_v3 direction, uint32_t hint,
                                  uint32_t *steps);

/* By looking at all. */
CDI_FN uint32_t cdi_farthest_of_all(const cd_hull_parts *hull, cdi_v3 direction);
