#pragma once
/* part (internal): one convex part of a shape, or a half-space; boxes of doubles. */

#include "any/options.h"
#include "convex/body.h"
#include "tree/bvh_node.h"

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

/* The normal of the front of a flat part, rounded or not, of any length, in its own frame; zero for what is not flat, and without area. */
CDI_FN cdi_v3 cdi_shape_part_front(const cdi_shape_part *part);

/* ---- boxes ---- */

/* In doubles; any numbers, where bounds are not below each other it is empty. */
typedef struct cdi_wide_box {
    cdi_v3 lo, hi;
} cdi_wide_box;

CDI_INLINE cdi_wide_box cdi_wide_box_of(cd_aabb b) {
    cdi_wide_box r;
    r.lo = cdi_v3_of(b.min);
    r.hi = cdi_v3_of(b.max);
    return r;
}

CDI_INLINE cdi_wide_box cdi_wide_box_all(void) {
    cdi_wide_box r;
    double most = (double)CD_REAL_MAX;
    r.lo = cdi_v3_make(-most, -most, -most);
    r.hi = cdi_v3_make(most, most, most);
    return r;
}

/* Not so large that what is done next overflows; as wide as can be for NaN. */
#define CDI_BOX_WIDE 1e300
CDI_FN void cdi_wide_box_tame(cdi_wide_box *b);

CDI_FN cd_aabb cdi_wide_box_round(const cdi_wide_box *b);

/* A box grown by a length, 0 where below that, and by what rounding does to its numbers; an empty one stays so. */
CDI_FN cd_aabb cdi_aabb_grown(cd_aabb b, double by);
CDI_FN double cdi_wide_boxes_apart(const cdi_wide_box *a, const cdi_wide_box *b);
CDI_FN void cdi_wide_box_grow(cdi_wide_box *b, double by);

/* The box in the frame before things were stretched, and in one that stands at a pose: what holds it there. */
CDI_FN void cdi_wide_box_unscale(cdi_wide_box *b, cdi_v3 by);
CDI_FN void cdi_wide_box_unpose(cdi_wide_box *b, const cdi_pose *pose);

/* A part's; false where it is not valid. */
CDI_FN bool cdi_part_box(const cdi_shape_part *p, const cdi_pose *outer, cdi_wide_box *out);

/* ---- making ---- */

CDI_INLINE bool cdi_scale_is_none(cd_vec3 s) {
    bool zero = s.x == 0 && s.y == 0 && s.z == 0, one = s.x == 1 && s.y == 1 && s.z == 1;
    return zero || one;
}

/* Of a shape of one piece; triangle i of a mesh or a field. The support is left to the last. */
CDI_FN void cdi_part_of_shape(cdi_shape_part *p, const cd_shape *s);
CDI_FN void cdi_part_of_item(cdi_shape_part *p, const cd_shape *s, const cdi_bvh *tree, uint32_t i);

/* The same part where what it belongs to stands at a pose; */
CDI_FN void cdi_part_place(cdi_shape_part *p, const cd_transform *pose);

/* ... as one of a class or a compound: its scale, radius, layers and offset are added. */
CDI_FN void cdi_part_join(cdi_shape_part *p, const cd_shape *whole);

/* The support of a part that is as it is to be. */
CDI_FN void cdi_part_finish(cdi_shape_part *p);
