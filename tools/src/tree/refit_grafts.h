#pragma once
/* refit_grafts (internal): a tree whose worst subtrees are built anew and put in place of the old ones.
 *
 * A subtree is built anew where the term of its root (see refit_boxes) has grown, the topmost such nodes count. Each is built as a
 * tree of its own over the boxes of its items; one walk over old and new nodes together then writes the block, numbers and all.
 * What is not built anew keeps its nodes. */

#include "tree/refit_boxes.h"

typedef struct cdi_graft_options {
    double growth; /* subtrees whose term has grown more are built anew */
    uint32_t leaf_size;
    cd_allocator allocator;
    cd_executor executor;
} cdi_graft_options;

/* Of a tree of nodes of eight in which all terms are kept. `items` are built anew; 0, and `out` empty, when none are to be or
 * more than half, or the tree would be too deep. The boxes of `out` are still to be made. CD_OK or CD_OUT_OF_MEMORY. */
CDI_FN cd_status cdi_graft_subtrees(const cdi_bvh *tree, const cdi_graft_options *o, cd_bvh *out,
                                    uint32_t *items);
