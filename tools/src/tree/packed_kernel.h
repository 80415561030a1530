#pragma once
/* packed_kernel (internal): rays among the triangles of the compact layout: the walk, and what is sure in a leaf, compiled
 * as one. */

#include "tree/ray_query.h"

/* What is done with an item that may be hit; false ends the walk. */
typedef bool (*cdi_ray_item_fn)(cdi_ray_query *q, const cdi_bvh *tree, uint32_t i, const cdi_ray_look *look,
                                float *limit);

/* All triangles that the ray may hit with t up to q->t_max, roughly the nearest first. Answers false when one ended the
 * walk. */
CDI_KERNEL(bool, cdi_packed_cast, (const cdi_bvh *tree, cdi_ray_query *q, cdi_ray_item_fn item));
