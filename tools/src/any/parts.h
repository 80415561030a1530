#pragma once
/* parts (internal): the convex parts of any shape, in its frame. */

#include "any/options.h"
#include "convex/body.h"

/* A convex part, or a half-space. `support` points into `store` or at what the shape points at, and is in a frame that stands at `pose` in
 * that of the whole shape. Valid during the visit only; what is copied otherwise than by cdi_parts_copy points at the original. */
typedef struct cdi_shape_part {
    cd_support support;
    cd_shape store;    /* the part as a shape, its scale made its own */
    cd_transform pose; /* identity where not posed */
    bool posed;
    bool halfspace; /* then store.u.halfspace, in the frame at `pose` */
    bool triangle;  /* of a surface: store.u.triangle, with two sides */
    bool mirrored;  /* ... by its scale: the front is where the corners turn clockwise */
    bool
        unsupported; /* nothing that can be asked: a scale that does not go with the type, or no part; `support` is nothing */
    uint32_t layers;
    uint32_t item; /* where it is, for cdi_parts_find: of a tree the number of the item, else the index */
    cd_part part;
} cdi_shape_part;

/* False ends the visit. */
typedef bool (*cdi_shape_part_fn)(void *user, const cdi_shape_part *part);

/* All parts whose boxes may meet `box` (a box in the shape's frame), none of whose layers is in `ignore`; always in the same order.
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
} cdi_parts_aim;

/* The same, the nearest first, roughly: parts whose boxes are no farther from `box`, and from the plane, than the limit. Boxes that meet are as
 * far as minus the least way that parts them along an axis, so that below 0 the limit leaves out what is not as deep. */
CDI_FN bool cdi_parts_near(const cd_shape *s, cd_aabb box, const cdi_parts_aim *aim, uint32_t ignore,
                           cdi_shape_part_fn visit, void *user);

/* Visits the part with those numbers again, whatever its layers, and answers whether there is one. Any numbers. Cost: constant, but for
 * classes, which are gone through. */
CDI_FN bool cdi_parts_find(const cd_shape *s, uint32_t child, uint32_t item, cdi_shape_part_fn visit,
                           void *user);

/* A copy that stands for itself; of a class's part it still points at what the class points at. */
CDI_FN void cdi_parts_copy(cdi_shape_part *to, const cdi_shape_part *from);

/* The box of a part in the whole shape's frame, rounded outward; up to CD_REAL_MAX of half-spaces, empty of what is not valid. The same in a
 * frame in which the whole shape stands at a pose. */
CDI_FN cd_aabb cdi_shape_part_bounds(const cdi_shape_part *part);
CDI_FN cd_aabb cdi_shape_part_bounds_at(const cdi_shape_part *part, const cdi_pose *outer);

/* A convex part as a body in the frame in which its shape stands at `outer` (NULL: in the shape's own); false where it is not valid. Poses are
 * multiplied in double. */
CDI_FN bool cdi_shape_part_open(const cdi_shape_part *part, const cdi_pose *outer, cdi_convex *out);

/* A half-space there, n.x <= d; false where it is not valid. */
CDI_FN bool cdi_shape_part_plane(const cdi_shape_part *part, const cdi_pose *outer, cdi_v3 *n, double *d);

/* A part's pose in another frame, in which its shape stands at `outer` (NULL: the same frame); NULL where it has none. */
CDI_FN const cd_transform *cdi_shape_part_pose(const cdi_shape_part *part, const cd_transform *outer,
                                               cd_transform *store);

/* How far two boxes are apart, or minus the least way that parts them along an axis. */
CDI_FN double cdi_boxes_apart(cd_aabb a, cd_aabb b);

/* Has the shape more than one part? */
CDI_INLINE bool cdi_shape_has_parts(const cd_shape *s) {
    return s->type >= CD_SHAPE_MESH && s->type < CD_SHAPE_TYPES;
}
