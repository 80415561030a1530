#pragma once
/* bvh_convert: a tree in another layout. */

#include "tree/bvh.h"

/// Makes a tree of the same primitives in another layout, of `cd_bvh_layout`; `tree` stays as it is.
///
/// Every query answers as before. Triangles that share corners go on sharing them (but from the compact
/// layout they come out each with its own), masks and `custom` come along. A node of
/// two becomes the same node; a node of eight becomes up to three levels of two, its children halved in their order,
/// and nodes of eight are then gathered as a build does. Depth stays below 80: what would lie deeper is halved. The
/// tree has to be sound (see cd_bvh_validate), and `out` another object. NULL stands for the default allocator.
/// CD_INVALID_ARGUMENT: an unknown layout, that of height fields, or the compact one for a tree over boxes or points. CD_UNSUPPORTED: the tree of a
/// cd_dyntree. CD_OUT_OF_MEMORY, CD_TOO_LARGE. `out` is an empty tree on failure. Cost: linear,
/// with as much memory as a build.
CD_API cd_status cd_bvh_convert(cd_bvh *out, const cd_bvh *tree, uint32_t layout,
                                const cd_allocator *allocator);
