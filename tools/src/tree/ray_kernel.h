#pragma once
/* ray_kernel (internal): rays among plain triangles in wide nodes: the walk, and the test of a leaf, compiled as one.
 *
 * What is sure about a triangle is decided here; what is not is left to the call for one. */

#include "tree/ray_query.h"

typedef enum cdi_plain { CDI_PLAIN_MISS, CDI_PLAIN_HIT, CDI_PLAIN_NOT_READY } cdi_plain;

/* The nearest hit, left in q->best; one that is there already counts, too. Where the query is not ready yet, only `given`,
 * `given_max` and `options` are set in it, and it is made ready here, unless it is one of a kind that is rare. */
CDI_FN cdi_plain cdi_plain_nearest(const cdi_bvh *tree, cdi_ray_query *q, bool ready);

/* Is there any hit? Its item is left in q->best. */
CDI_FN cdi_plain cdi_plain_any(const cdi_bvh *tree, cdi_ray_query *q, bool ready);
