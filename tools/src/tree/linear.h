#pragma once
/* linear (internal): a builder along a Morton curve (Lauterbach et al. 2009; Karras 2012).
 *
 * The longest side of the box around the items' middles has 2^21 steps, the others as many as fit: 63 bits for the place
 * of an item on the curve. The builder makes do with 2^11, and gives a run whose items are all in one place a curve of its
 * own. Runs are cut where the highest bit changes; what still cannot be told apart is halved. */

#include "tree/binary.h"
#include "tree/keys.h"

enum { CDI_CODE_BITS = 63, CDI_CODE_STEPS = 1 << 21 };

/* The items' places on the curve, as keys of CDI_CODE_BITS. */
CDI_FN void cdi_fill_codes(const cdi_builder *b, cdi_item_key *keys);

/* Leaves the boxes where they were unless options->optimise asks for more. CD_OK, CD_OUT_OF_MEMORY or CD_CANCELLED. */
CDI_FN cd_status cdi_build_linear(cdi_builder *b);
