#pragma once
/* heights_kernel (internal): rays among the triangles of a height field: the walk, and what is sure in a block, compiled
 * as one. */

#include "tree/packed_kernel.h"

/* As cdi_packed_cast, for a field of which is_plain holds. */
CDI_KERNEL(bool, cdi_heights_cast, (const cdi_bvh *tree, cdi_ray_query *q, cdi_ray_item_fn item));
