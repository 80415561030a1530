#pragma once
/* links (internal): trees of linked nodes, as builders that join or insert make them, put in canonical form. */

#include "tree/binary.h"

/* A node of a linked tree: leaves are the nodes 0 to count - 1, node i being item i; `left` and `right` of an inner node. */
typedef struct cdi_link {
    cdi_box box;
    uint32_t left, right, parent;
    uint32_t count; /* items below */
} cdi_link;
