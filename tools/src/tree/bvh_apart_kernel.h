#pragma once
/* bvh_apart_kernel (internal): the nearest pair of two trees. */

#include "tree/bvh_pairs.h"

/* `best` comes with the distance that counts, and no pair; it leaves with the nearest, if there is one. */
CDI_KERNEL(void, cdi_apart_run, (cdi_pair_walk * w, cdi_pair_nearest *best));
