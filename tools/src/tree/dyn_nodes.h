#pragma once
/* dyn_nodes (internal): the nodes of a tree that changes.
 *
 * Its block is one of the wide layout, with room to grow: header | nodes | items | masks. All leaves are at one level (as in a
 * B-tree; Guttman 1984), every node but the root has CDI_DYN_LEAST to eight children, so that no tree is deep, and the root is
 * node 0. The lanes of the lowest nodes, those of height 0, hold one object each; what is in lane i of node n has the number 8 n + i,
 * its place, also among items and masks. A lane's box is what the object's fat box is in the frame, rounded outward; above it is
 * exactly around the boxes of the child. Lanes that are not in use have a box that is inside out.
 *
 * Node.parent is the place of the node in its parent, of the root CD_NONE; of a node that is free, the next free one and one more.
 * Node.moved has a bit for every lane in which, or below which, something has moved. header.dynamic is how many nodes were
 * ever in use: they come first. */

#include "tree/binary.h"
#include "tree/dyntree.h"

#define CDI_DYN_LEAST 3u
#define CDI_DYN_NODES 0x04000000u /* the most nodes */
#define CDI_DYN_FREE  0x80000000u /* in `place`: no object; with the next id that is free, and one more */
#define CDI_DYN_EDGE  0.999       /* objects are within it in the frame */

/* A lane's box. */
typedef struct cdi_dyn_box {
    float lo[3], hi[3];
} cdi_dyn_box;

/* What stands in a lane: in one of height 0 an object, else a node. */
typedef struct cdi_dyn_entry {
    cdi_dyn_box box;
    uint32_t child, moved, mask;
    cdi_bvh_box item;
} cdi_dyn_entry;

CDI_INLINE cdi_bvh_header *cdi_dyn_header(const cd_dyntree *t) {
    return (cdi_bvh_header *)t->block;
}
CDI_INLINE cdi_bvh_node *cdi_dyn_node(const cd_dyntree *t, uint32_t number) {
    return (cdi_bvh_node *)(void *)((unsigned char *)t->block + sizeof(cdi_bvh_header)) + number;
}
CDI_INLINE cdi_bvh_box *cdi_dyn_item(const cd_dyntree *t, uint32_t place) {
    return (cdi_bvh_box *)(void *)cdi_dyn_node(t, t->node_room) + place;
}
CDI_INLINE uint32_t *cdi_dyn_mask(const cd_dyntree *t, uint32_t place) {
    return (uint32_t *)(void *)cdi_dyn_item(t, 8 * t->node_room) + place;
}
/* How many lanes are in use. */
CDI_INLINE uint32_t cdi_dyn_width(const cdi_bvh_node *n) {
    return cdi_lowest_bit(n->lanes + 1u);
}
CDI_INLINE bool cdi_dyn_has(const cd_dyntree *t, uint32_t id) {
    return id < t->place_count && !(t->place[id] & CDI_DYN_FREE);
}

/* ---- room ---- */

/* Makes room for `more` nodes. CD_OUT_OF_MEMORY and CD_TOO_LARGE leave all as it was. */
CDI_FN cd_status cdi_dyn_reserve(cd_dyntree *t, uint32_t more);

/* A node of that height without lanes or a parent; there is room for it. */
CDI_FN uint32_t cdi_dyn_take(cd_dyntree *t, uint32_t height);
CDI_FN void cdi_dyn_give_back(cd_dyntree *t, uint32_t number);

/* What is in use of a block, in another that has room for it. */
CDI_FN void cdi_dyn_copy_nodes(cd_dyntree *to, const cd_dyntree *from);

/* Makes the view agree with what has changed. */
CDI_FN void cdi_dyn_publish(cd_dyntree *t);

/* ---- lanes ---- */

CDI_FN cdi_dyn_box cdi_dyn_lane(const cdi_bvh_node *n, uint32_t lane);
CDI_FN void cdi_dyn_set_lane(cdi_bvh_node *n, uint32_t lane, const cdi_dyn_box *box);
/* Around all lanes. */
CDI_FN cdi_dyn_box cdi_dyn_bounds(const cdi_bvh_node *n);
CDI_FN double cdi_dyn_area(const cdi_dyn_box *b);
CDI_FN void cdi_dyn_grow(cdi_dyn_box *b, const cdi_dyn_box *other);
CDI_FN bool cdi_dyn_equal(const cdi_dyn_box *a, const cdi_dyn_box *b);

CDI_FN cdi_dyn_entry cdi_dyn_get(const cd_dyntree *t, uint32_t number, uint32_t lane);
CDI_FN void cdi_dyn_put(cd_dyntree *t, uint32_t number, uint32_t lane, const cdi_dyn_entry *e);
/* ... in the next lane; the node is not full. */
CDI_FN void cdi_dyn_append(cd_dyntree *t, uint32_t number, const cdi_dyn_entry *e);
/* Empties a lane; the last one takes its place. */
CDI_FN void cdi_dyn_drop(cd_dyntree *t, uint32_t number, uint32_t lane);
/* What a node is in its parent. */
CDI_FN cdi_dyn_entry cdi_dyn_entry_of(const cd_dyntree *t, uint32_t number);

/* Tells a node's parent how it is now; false when nothing is new there, or when there is none. */
CDI_FN bool cdi_dyn_tell(cd_dyntree *t, uint32_t number);
/* ... and all above. */
CDI_FN void cdi_dyn_tell_all(cd_dyntree *t, uint32_t number);

/* ---- the frame ---- */

CDI_FN void cdi_dyn_set_frame(cd_dyntree *t, const cdi_frame *frame);

/* The frame of a tree with these bounds. */
CDI_FN cdi_frame cdi_dyn_frame_of(const cd_dyntree *t, const cdi_box *bounds);

/* A box, and the fat box around it, in the frame; false where that is beyond its edge. The header's bounds are around the box. */
CDI_FN bool cdi_dyn_encode(const cd_dyntree *t, cd_aabb box, cd_vec3 motion, cdi_dyn_box *own,
                           cdi_dyn_box *fat);
/* A larger frame that the fat box is in. */
CDI_FN void cdi_dyn_widen(cd_dyntree *t, cd_aabb box, cd_vec3 motion);
/* The frame of the bounds, where the one there is is much larger. */
CDI_FN void cdi_dyn_fit_frame(cd_dyntree *t);
