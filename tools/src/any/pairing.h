#pragma once
/* pairing (internal): the pairs of parts of two shapes that may come together, by boxes on their ways. */

#include "any/along.h"

typedef struct cdi_pairing cdi_pairing;

/* The first member of what is asked; `child` and `outer` are for the walk. */
struct cdi_pairing {
    const cd_shape *a, *b;
    uint32_t ignore_a, ignore_b;
    /* The way of a box of A's frame as seen in that of B, and the other way around; false for an empty one. */
    bool (*to_b)(const cdi_pairing *p, cd_aabb box, cdi_box_way *out);
    bool (*to_a)(const cdi_pairing *p, cd_aabb box, cdi_box_way *out);
    bool (*pair)(cdi_pairing *p); /* two children, which may be asked as a whole: true where that was done */
    void (*parts)(cdi_pairing *p, const cdi_shape_part *a, const cdi_shape_part *b);
    uint32_t child_a, child_b; /* those at hand; CD_NONE where the shape is no compound */
    const cdi_shape_part *outer;
};

/* All pairs of children that may come together, or of the shapes themselves; of each their parts. */
CDI_FN void cdi_pairing_run(cdi_pairing *p);

/* The child, or the shape itself. */
CDI_INLINE const cd_shape *cdi_shape_child(const cd_shape *s, uint32_t child) {
    return child == CD_NONE ? s : s->u.compound->children[child].shape;
}

/* Its pose; NULL where there is none. */
CDI_FN const cd_transform *cdi_child_pose(const cd_shape *s, uint32_t child);

/* Is it all that its tree says? And what is told of a triangle of it. */
CDI_FN bool cdi_child_is_tree(const cd_shape *s, uint32_t child);
CDI_FN void cdi_part_of_tree(cd_part *part, const cd_shape *s, uint32_t child, uint32_t index);

/* Where a part stands in the frame in which its shape stands at `outer` (NULL: the same); NULL: as it is. */
CDI_FN const cdi_pose *cdi_part_pose_of(const cdi_shape_part *p, const cdi_pose *outer, cdi_pose *store);

/* The order of child and index: -1, 0 or 1. */
CDI_FN int cdi_parts_order(const cd_part *a, const cd_part *b);
