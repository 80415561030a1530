#pragma once
/* bvh_front_kernel (internal): the way through two trees along a front. */

#include "tree/front_list.h"

/* Hands all pairs that meet to the visitor, in the order of cdi_pairs_run, and writes the new front; false when the visitor
 * stopped. */
CDI_KERNEL(bool, cdi_front_run, (cdi_front_walk * f));
