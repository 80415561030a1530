#pragma once
/* box_kernel (internal): the contact of two boxes by separating axes, in doubles, four at a time.
 *
 * All happens in the frame of A's center and axes. The fifteen axes are compared without roots and nearly without branches; of the faces that
 * are foremost along the best one, seen along it, A's is a rectangle and B's a parallelogram, and the patch is what they share. Each of
 * the eight sides is cut by the other figure: what is left of it begins at a corner of the patch, and sides around a convex figure come
 * in the order of their directions, so that nothing has to be clipped one after another.
 *
 * Axes are made orthonormal first: those of an edge across an edge that is all but parallel would tell nothing else. What is out of the
 * ordinary goes the way of any two bodies: axes that are off by more than 2^-20, sizes out of range, anything invalid, boxes apart whose
 * nearest points are not over the axis found, and faces without width that cross. */

#include "convex/manifold.h"
#include "core/platform.h"

/* Pairs of boxes; all but `a`, `b` and `count` may be NULL. */
typedef struct cdi_boxes_pairs {
    const cd_obb *a, *b;
    const cd_transform *b_in_a;
    size_t count;
    const cd_collide_options *options;
    cd_cache *caches;
    cd_manifold *out;
} cdi_boxes_pairs;

/* How many have a contact; the count of the others' manifolds is 0, but that of a single one is left alone. */
CDI_KERNEL(size_t, cdi_boxes_pairs_collide, (const cdi_boxes_pairs *p));
