#pragma once
/* bvh_pairs_kernel (internal): the pairs of two trees that meet. */

#include "tree/bvh_pairs.h"

/* Hands all pairs that meet to the visitor; false when it stopped. */
CDI_KERNEL(bool, cdi_pairs_run, (cdi_pair_walk * w));
