#pragma once
/* bvh_sweep_bvh_kernel (internal): the pairs of two trees that may meet first while one moves. */

#include "tree/bvh_pair_sweep.h"

/* Hands pairs of items to `meet`, all that may meet by c.t_max, about the first ones first. */
CDI_KERNEL(void, cdi_pair_sweep_run, (cdi_pair_sweep * s));
