#pragma once
/* refit_grafts (internal): a tree whose worst subtrees are built anew and put in place of the old ones.
 *
 * A subtree is bad when it costs more (see refit_boxes) than when it was last built. From the root down, what is not bad is left alone;
 * where a node is bad because its children are, these are looked at; and where its children have come to lie on each other, its
 * subtree is built anew: as a tree of its own over the boxes of its items. One walk over old and new nodes together then writes the
 * block, numbers and all. What is not built anew keeps its nodes. */

#include "tree/refit_boxes.h"

typedef struct cdi_graft_options {
    double growth; /* from when on subtrees are bad */
    uint32_t leaf_size;
    cd_allocator allocator;
    cd_executor executor;
} cdi_graft_options;

/* Of a tree of nodes of eight in which all costs are kept. `items` are built anew; 0, and `out` empty, when none are to be or
 * more than half, or the tree would be too deep. The boxes of `out` are still to be made. CD_OK or CD_OUT_OF_MEMORY. */
CDI_FN cd_status cdi_graft_subtrees(const cdi_bvh *tree, const cdi_graft_options *o, cd_bvh *out,
                                    uint32_t *items);
