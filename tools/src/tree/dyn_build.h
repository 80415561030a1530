#pragma once
/* dyn_build (internal): a tree that changes, of many objects at once.
 *
 * Any builder's binary tree says what lies together. Its subtrees of up to eight objects become nodes, and going up, two of one
 * height are put together in one node while there is room, else below a new one; what is of less height, or too poor to be a
 * node, goes into the other by insertion. */

#include "tree/building.h"
#include "tree/dyn_insert.h"

/* What a tree is built of: boxes, object i with the id i; or, where `from` is not NULL, the objects at these places of another tree. */
typedef struct cdi_dyn_source {
    const cd_aabb *boxes;
    const uint32_t *masks; /* may be NULL */
    const cd_dyntree *from;
    const uint32_t *places;
    uint32_t count;
} cdi_dyn_source;

/* Puts them into a tree that has no objects, but room for the ids. `options` may be NULL. CD_OK, or the tree is left without
 * objects. */
CDI_FN cd_status cdi_dyn_build(cd_dyntree *t, const cdi_dyn_source *source, const cd_bvh_options *options);
