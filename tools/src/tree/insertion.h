#pragma once
/* insertion (internal): a builder that inserts one item after another (Ericson 6.2.3; Goldsmith and Salmon 1987).
 *
 * Each goes where it makes the sum of all boxes' areas least larger: found by branch and bound over the whole tree, the
 * best hope first, instead of the paper's way down that never looks back. Only the best few hundred places are looked
 * at, so that no input makes this slow. The items come in rounds, each twice as long as the one before, in which they stand at random (but always the
 * same); within a round they follow a Morton curve. Sorted ones alone would make bad trees, and random ones alone take
 * long for lack of cache (Amenta, Choi and Rote 2003). */

#include "tree/links.h"

/* The best place for a box found so far: as a sibling of `node`; what that adds to the sum of areas. */
typedef struct cdi_nest {
    uint32_t node;
    double cost;
} cdi_nest;

/* Looks for a place better than `*best` for a tree of some height; never one that makes the tree deeper than it may be. */
CDI_FN void cdi_find_place(const cdi_links *l, const cdi_box *box, uint32_t height, cdi_nest *best);

/* Makes `parent` the parent of `place` and `node`, where `place` stood. */
CDI_FN void cdi_link_insert(cdi_links *l, uint32_t place, uint32_t node, uint32_t parent);

/* CD_OK, CD_OUT_OF_MEMORY or CD_CANCELLED. */
CDI_FN cd_status cdi_build_inserted(cdi_builder *b);
