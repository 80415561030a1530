#pragma once
/* ray_kernel (internal): rays among plain triangles in wide nodes: the walk, and the test of a leaf, compiled as one.
 *
 * What is sure about a triangle is decided here; what is not is left to the call for one. */

#include "tree/ray_query.h"

/* The nearest hit with t up to q->t_max, left in q->best; one that is there already counts, too. */
CDI_FN void cdi_plain_nearest(const cdi_bvh *tree, cdi_ray_query *q);

/* Is there any hit with t up to q->t_max? Its item is left in q->best. */
CDI_FN bool cdi_plain_any(const cdi_bvh *tree, cdi_ray_query *q);
