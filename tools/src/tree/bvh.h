#pragma once
/* bvh: a bounding volume hierarchy over the triangles of a mesh (Ericson 6).
 *
 * A tree is one block of memory without pointers: it can be copied, written to a file and mapped back. It keeps its own
 * copy of the triangles, so that the mesh may go. Nodes have up to eight children; their boxes are floats in a frame
 * scaled to the tree, rounded outward, so that every query gives the answer of a loop over all triangles, ties
 * included: results name the triangle's index in the mesh, and of equal results the smallest index wins.
 *
 * Queries only read the tree, allocate nothing, use at most 16 KiB of stack and may run on many threads at once. They
 * never touch more than the tree's depth (at most 96) times 8 nodes at a time, whatever the mesh. A zeroed `cd_bvh` is an
 * empty tree. */

#include "core/allocator.h"
#include "core/status.h"
#include "query/hit.h"
#include "shape/volume.h"

/// A tree: one block of memory, and who owns it.
typedef struct cd_bvh {
    const void *block;
    size_t bytes;
    cd_allocator allocator; ///< what gave the block; of no meaning in a view
    uint32_t owned;         ///< 1 when cd_bvh_destroy gives the block back, 0 in a view
} cd_bvh;

/// Facts about a tree.
typedef struct cd_bvh_stats {
    uint32_t triangle_count; ///< in the tree
    uint32_t skipped_count;  ///< triangles of the mesh left out by CD_BVH_SKIP_INVALID
    uint32_t node_count, leaf_count;
    uint32_t depth; ///< nodes on the longest way from the root to a leaf
    size_t bytes;
    double cost; ///< expected node visits plus triangle tests of a random line through the root's box (6.1.2)
} cd_bvh_stats;

/// Gives the tree's memory back and leaves an empty tree; an empty tree or a view may be destroyed too.
CD_API void cd_bvh_destroy(cd_bvh *tree);

/// A tree in bytes that were a tree's block, without copying: `bytes` must be aligned to 64 and outlive the view.
///
/// Everything is checked, so that no query on the view reads outside of it: CD_CORRUPT for anything else than what a
/// build wrote, CD_UNSUPPORTED for a block of another version, byte order or number type, CD_INVALID_ARGUMENT for a
/// bad alignment. Cost: linear. `out` is an empty tree on failure.
CD_API cd_status cd_bvh_view(cd_bvh *out, const void *bytes, size_t size);

/// Checks the tree's own rules: counts and offsets, children after their parents, every triangle in exactly one leaf
/// and inside all boxes above it, depth at most 96. CD_OK or CD_CORRUPT. Cost: linear; allocates nothing.
CD_API cd_status cd_bvh_validate(const cd_bvh *tree);

/// Facts about a tree. Cost: linear in the nodes.
CD_API cd_bvh_stats cd_bvh_get_stats(const cd_bvh *tree);

/// The bounding box of the tree's triangles; empty for an empty tree.
CD_API cd_aabb cd_bvh_bounds(const cd_bvh *tree);
