#pragma once
/* parts (internal): the convex parts of any shape, in its frame. */

#include "any/options.h"
#include "core/platform.h"

/* A convex part, or a half-space. `support` points into `store` or at what the shape points at, and is in a frame that stands at `pose` in
 * that of the whole shape. Valid during the visit only. */
typedef struct cdi_shape_part {
    cd_support support;
    cd_shape store;    /* the part as a shape, its scale made its own */
    cd_transform pose; /* identity where not posed */
    bool posed;
    bool halfspace; /* then store.u.halfspace, in the frame at `pose` */
    bool triangle;  /* of a surface: store.u.triangle, with two sides */
    uint32_t layers;
    cd_part part;
} cdi_shape_part;

/* False ends the visit. */
typedef bool (*cdi_shape_part_fn)(void *user, const cdi_shape_part *part);

/* All parts whose boxes may meet `box` (a box in the shape's frame), none of whose layers is in `ignore`; always in the same order.
 * Half-spaces always come. False when the visitor ended it. */
CDI_FN bool cdi_parts_in(const cd_shape *s, cd_aabb box, uint32_t ignore, cdi_shape_part_fn visit, void *user);

/* The same, the nearest first, roughly: parts whose boxes are no farther from `box` than *limit, which the visitor may lower. */
CDI_FN bool cdi_parts_near(const cd_shape *s, cd_aabb box, const double *limit, uint32_t ignore,
                           cdi_shape_part_fn visit, void *user);

/* A part found again by its numbers. False where there is none. */
CDI_FN bool cdi_parts_find(const cd_shape *s, uint32_t child, uint32_t index, cdi_shape_part *out);

/* The box of a part in the whole shape's frame, rounded outward. */
CDI_FN cd_aabb cdi_shape_part_bounds(const cdi_shape_part *part);
