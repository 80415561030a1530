#pragma once
/* bvh: a bounding volume hierarchy over triangles, boxes, points or anything that has a box (Ericson 6).
 *
 * A tree is one block of memory without pointers: it can be copied, written to a file and mapped back. It keeps its own
 * copy of the primitives, so that the caller's may go. Its boxes lie in a frame scaled to the tree and are rounded
 * outward, so that every query gives the answer of a loop over all primitives, ties included, whatever the builder and
 * the layout: results name the primitive's index in the caller's array, and of equal results the smallest index wins.
 *
 * Queries only read the tree, allocate nothing, use at most 16 KiB of stack (18 in doubles) where nothing else is said, and may run on many threads at once. Of nodes
 * they keep at most 160 in mind, whatever the input. A zeroed `cd_bvh` is an
 * empty tree.
 *
 * A tree over boxes serves for primitives of the caller's own: build it over their boxes, and put a `cd_bvh_custom` in
 * `custom`. Queries then ask it about each primitive whose box they reach. */

#include "core/allocator.h"
#include "core/status.h"
#include "query/hit.h"
#include "shape/volume.h"

/// How nodes are stored. Answers are the same in all; the order in which visitors are called is fixed for each.
///
/// Bytes a triangle of a closed mesh (half as many vertices), nodes and triangles together, with four triangles a leaf
/// at most, of 40000 triangles (others: up to a sixth off, by how full their leaves come out); in brackets with CD_BVH_INDEXED:
///
///     in floats:  wide 67 (49), binary 61 (43), quantised 54 (36)      in doubles: 107 (55), 101 (49), 94 (42)
///                 compact 16                                                       24
///
/// The compact layout is for triangles only (others are CD_INVALID_ARGUMENT), at most 2^28, and keeps them exactly: corners that
/// triangles near each other share are kept once, found by their coordinates, so that CD_BVH_INDEXED makes no difference, and
/// in whole steps from the least one on each axis where that is shorter. Triangles without any corner in common take about 42
/// bytes (in doubles 80, by reckoning). It decides itself which triangles come together in a leaf, so as to be cheap in time and room: up
/// to eight, or leaf_size; leaf_extent has no say. Building it takes half as long again as the wide one; rays take
/// about 1.4 to 2 times as long as in it.
typedef enum cd_bvh_layout {
    CD_BVH_WIDE = 0,      ///< eight children a node, boxes in floats: 256 bytes; the fastest
    CD_BVH_BINARY = 1,    ///< two children, in preorder with the offset to the right one: 32 bytes
    CD_BVH_QUANTISED = 2, ///< eight children, boxes in 16 bits a coordinate of the root's frame: 128 bytes
    CD_BVH_COMPACT =
        3, ///< triangles only: eight children, boxes in 8 bits a coordinate of the node's: 72 bytes; the smallest
    CD_BVH_HEIGHTS = 4 ///< a height field, whose triangles are not stored: made by cd_bvh_build_heights alone
} cd_bvh_layout;

/// What a tree is over.
typedef enum cd_bvh_kind { CD_BVH_TRIANGLES = 0, CD_BVH_BOXES = 1, CD_BVH_POINTS = 2 } cd_bvh_kind;

struct cd_bvh_custom;

/// A tree: one block of memory, and who owns it.
typedef struct cd_bvh {
    const void *block;
    size_t bytes;
    cd_allocator allocator;             ///< what gave the block; of no meaning in a view
    const struct cd_bvh_custom *custom; ///< of a tree over boxes: what its primitives really are; NULL: boxes
    uint32_t owned;                     ///< 1 when cd_bvh_destroy gives the block back, 0 in a view
} cd_bvh;

/// Gives the tree's memory back and leaves an empty tree; an empty tree or a view may be destroyed too.
CD_API void cd_bvh_destroy(cd_bvh *tree);

/// A tree in bytes that were a tree's block, without copying: `bytes` must be aligned to 64 and outlive the view.
///
/// Everything is checked, so that no query on the view reads outside of it: CD_CORRUPT for anything else than what a
/// build wrote, CD_UNSUPPORTED for a block of another version, byte order or number type, CD_INVALID_ARGUMENT for a
/// bad alignment. Cost: linear. `out` is an empty tree on failure.
CD_API cd_status cd_bvh_view(cd_bvh *out, const void *bytes, size_t size);

/// Checks the tree's own rules: counts and offsets, children after their parents, every primitive in exactly one leaf
/// and inside all boxes above it, depth at most 80, at most 152 nodes and leaves beside any path. CD_OK or CD_CORRUPT; the view of a cd_dyntree,
/// which keeps other rules, is CD_CORRUPT here (cd_dyntree_validate). Cost: linear; allocates nothing.
CD_API cd_status cd_bvh_validate(const cd_bvh *tree);

/// The bounding box of the tree's primitives; empty for an empty tree.
CD_API cd_aabb cd_bvh_bounds(const cd_bvh *tree);

/// How many primitives are in the tree.
CD_API uint32_t cd_bvh_count(const cd_bvh *tree);

/// What the tree is over, of `cd_bvh_kind`.
CD_API uint32_t cd_bvh_get_kind(const cd_bvh *tree);

/// How its nodes are stored, of `cd_bvh_layout`.
CD_API uint32_t cd_bvh_get_layout(const cd_bvh *tree);
