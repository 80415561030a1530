#pragma once
/* bvtree_build (internal): the block of a tree of other volumes. */

#include "tree/binary.h"
#include "tree/bvtree_node.h"

/* A block being written. First cdi_bvtree_take; then the nodes are filled by the caller (`opened` reads them by then), and the
 * block handed out. */
typedef struct cdi_bvtree_draft {
    const cdi_builder *b;
    cdi_bvh_header *header; /* in the block */
    unsigned char *block;
    cdi_bvtree opened;
} cdi_bvtree_draft;

/* A block with `nodes` nodes of a kind for the builder's items, with its header and the items in the builder's order; depth is 0 yet. The
 * builder has the box of all items in node[0].box. CD_OK, CD_OUT_OF_MEMORY, CD_TOO_LARGE, CD_CANCELLED: nothing is taken then. With
 * no items there are no nodes. */
CDI_FN cd_status cdi_bvtree_take(cdi_bvtree_draft *d, const cdi_builder *b, uint32_t kind, uint32_t slabs,
                                 uint32_t nodes);

CDI_INLINE float *cdi_draft_volume(const cdi_bvtree_draft *d, uint32_t number) {
    return (float *)(void *)(d->block + sizeof(cdi_bvh_header) + (size_t)number * d->opened.node_size);
}
CDI_FN void cdi_draft_link(const cdi_bvtree_draft *d, uint32_t number, uint32_t first, uint32_t count);

/* Triangle i of the items, in the tree's frame. */
CDI_FN cdi_tri cdi_draft_tri(const cdi_bvtree *t, uint32_t i);

/* Fits a volume to `count` triangles from `first` on. */
typedef void (*cdi_fit_fn)(const cdi_bvtree *t, uint32_t first, uint32_t count, float *volume);

/* Makes a volume hold another. */
typedef void (*cdi_merge_fn)(const cdi_bvtree *t, float *volume, const float *other);

/* A build by the methods of cd_bvh, `fit` for each node; or, where there is a `merge`, for leaves, and from there up. */
CDI_FN cd_status cdi_bvtree_build(cd_bvtree *out, const cd_mesh_view *mesh, const cd_bvh_options *options,
                                  uint32_t kind, uint32_t slabs, cdi_fit_fn fit, cdi_merge_fn merge);

CDI_FN void cdi_draft_drop(cdi_bvtree_draft *d);

/* Hands the block out; or, where the build is cancelled, gives it back. */
CDI_FN cd_status cdi_bvtree_finish(cdi_bvtree_draft *d, cd_bvtree *out);
