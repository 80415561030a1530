#pragma once
/* joining (internal): builders that join, from the bottom up (Ericson 6.2.2).
 *
 * What is joined is what has the smallest box around both. Bottom-up: each cluster keeps the partner it is nearest to; a
 * queue gives the nearest pair of all. That is quadratic, so above 2048 clusters the Morton curve is cut in
 * pieces of 256, each of which is joined until an eighth is left, over and over until they are few enough (after Gu et al.
 * 2013). Near-linear: all pairs that are nearest to each other within a few steps along the curve are joined at once,
 * round by round (Meister and Bittner 2018). Clustered: those within a few steps along the curve
 * that need the smallest box around a given number of them become one, the smallest first, round by round. */

#include "tree/binary.h"

/* CD_OK, CD_OUT_OF_MEMORY or CD_CANCELLED. */
CDI_FN cd_status cdi_build_bottom_up(cdi_builder *b);
CDI_FN cd_status cdi_build_near_linear(cdi_builder *b);
CDI_FN cd_status cdi_build_clustered(cdi_builder *b);
