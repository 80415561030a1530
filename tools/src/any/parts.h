#pragma once
/* parts (internal): the convex parts of any shape, in its frame. */

#include "any/part.h"

/* False ends the visit. */
typedef bool (*cdi_shape_part_fn)(void *user, const cdi_shape_part *part);

/* All parts whose boxes may meet `box` (a box in the shape's frame), none of whose layers is in `ignore`; always in the same order.
 * (Of a compound's trees: whose boxes, in the child's frame, may meet the box around `box` there.)
 * Half-spaces always come. Of shapes that are no more than one part that part comes, wherever it is. Nothing meets an empty box. False
 * when the visitor ended it. */
CDI_FN bool cdi_parts_in(const cd_shape *s, cd_aabb box, uint32_t ignore, cdi_shape_part_fn visit,
                         void *user);

/* The same of one child of a compound; CD_NONE: of the shape as it is. */
CDI_FN bool cdi_parts_of_child(const cd_shape *s, uint32_t child, cd_aabb box, uint32_t ignore,
                               cdi_shape_part_fn visit, void *user);

/* How near parts have to be, which the visitor may change: the limit may fall, and the plane be another. */
typedef struct cdi_parts_aim {
    double limit; /* what is farther is left out */
    cdi_v3
        n; /* zero; or unit: what is asked about lies behind the plane n.x <= d of the shape's frame, so that */
    double d;      /* ... parts are no nearer than they are over the plane */
    uint32_t turn; /* counts how often the plane was changed */
    bool
        listed; /* all, in the order in which cdi_parts_in has them; then the limit is 0 or more, and nothing changes */
} cdi_parts_aim;

/* The same, the nearest first, roughly: parts whose boxes are no farther from `box`, and from the plane, than the limit. Boxes that meet are as
 * far as minus the least way that parts them along an axis, so that below 0 the limit leaves out what is not as deep. No aim: cdi_parts_in. */
CDI_FN bool cdi_parts_aimed(const cd_shape *s, cd_aabb box, const cdi_parts_aim *aim, uint32_t ignore,
                            cdi_shape_part_fn visit, void *user);

/* Visits the part with those numbers again, whatever its layers, and answers whether there is one. Any numbers. Cost: constant, but for
 * classes, which are gone through. */
CDI_FN bool cdi_parts_find(const cd_shape *s, uint32_t child, uint32_t item, cdi_shape_part_fn visit,
                           void *user);

/* Has the shape more than one part? */
CDI_INLINE bool cdi_shape_has_parts(const cd_shape *s) {
    return s->type >= CD_SHAPE_MESH && s->type < CD_SHAPE_TYPES;
}
