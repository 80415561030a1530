#pragma once
/* cutting (internal): trees made by cutting runs of items in two over and over, parts of the tree side by side. */

#include "tree/binary.h"

/* Cuts `r` by a method whose own `ctx` is: false when it became a leaf, with its box written. The sides start as copies
 * of `r`, and get their first, their count, and what else the method wants to find there. */
typedef bool (*cdi_cut_fn)(void *ctx, const cdi_range *r, cdi_range *left, cdi_range *right);

/* The tree of all items, which the run `all` describes as the method wants it; progress goes on from `from` to 0.8. False when
 * cancelled. What is cut does not depend on the executor. */
CDI_FN bool cdi_build_by_cuts(cdi_builder *b, cdi_range *all, cdi_cut_fn cut, void *ctx, double from);

CDI_FN void cdi_exchange_items(cdi_builder *b, uint32_t i, uint32_t j);
