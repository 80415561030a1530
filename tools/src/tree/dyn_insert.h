#pragma once
/* dyn_insert (internal): what goes into a tree that changes, and out of it.
 *
 * An entry goes down to where the boxes grow least (Guttman 1984), and a node that is full is cut where the sum of surfaces times
 * numbers is least, along any axis. A node that has become too poor gives its entries to the neighbour that grows least, or
 * shares with it: nothing of this needs memory. */

#include "tree/dyn_nodes.h"

/* Puts an entry into a node of that height below `root`, which has no parent. There is room for a node of each height up to the
 * root's, and one more. */
CDI_FN void cdi_dyn_insert(cd_dyntree *t, uint32_t root, uint32_t height, const cdi_dyn_entry *e);

/* Takes out what is in a place: an object, or a node with all below it, which is not given back. */
CDI_FN void cdi_dyn_remove(cd_dyntree *t, uint32_t place);

/* Makes of `count` entries two nodes, which are there and empty: `count` is six to ten. */
CDI_FN void cdi_dyn_share(cd_dyntree *t, const cdi_dyn_entry *e, uint32_t count, uint32_t a, uint32_t b);
