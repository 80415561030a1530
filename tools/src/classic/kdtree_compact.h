#pragma once
/* kdtree_compact: a static k-d tree in four bytes a node, as published, kept for comparison and teaching (Ericson 13.4.1).
 *
 * A node is one word: the plane's place as a float without its two lowest bits, where the axis stands, or the place of a leaf's list
 * with both of them set. There are no links from node to node: a complete subtree of four levels, fifteen nodes breadth first, fills
 * a cache line of 64 bytes but for one word, which tells where the subtrees below it begin; they lie side by side, and
 * which of them is meant is counted off the bottom row. So a path reads a line for four of its nodes.
 *
 * Not as there: subtrees that lie side by side may be of two or three levels instead, or single leaves, and share lines then, where
 * fewer words stay unused so. Trees over random triangles take about six bytes a node in all.
 *
 * The tree parts space, not the items: an item is in the list of each leaf that its box reaches. Left of a plane is what is below it.
 *
 * Class: classic. It is slower than cd_bvh in all but finding the leaf at a point, yet answers as a loop over all boxes does.
 * A zeroed tree is empty. COLLIDE_NO_CLASSIC leaves this part out. */

#ifndef COLLIDE_NO_CLASSIC

#include "core/allocator.h"
#include "core/status.h"
#include "query/hit.h"
#include "shape/linear.h"
#include "shape/volume.h"

/// A compact k-d tree: one block of memory without pointers, and who owns it.
typedef struct cd_kdtree_compact {
    const void *block;
    size_t bytes;
    cd_allocator allocator; ///< what gave the block; of no meaning in a view
    uint32_t owned;         ///< 1 when cd_kdtree_compact_destroy gives the block back, 0 in a view
} cd_kdtree_compact;

/// What a tree is like.
typedef struct cd_kdtree_compact_facts {
    uint32_t items;     ///< that it was built over
    uint32_t nodes;     ///< leaves among them
    uint32_t leaves;    ///< half the nodes, rounded up
    uint32_t entries;   ///< in the leaves' lists together; four times as many as items at most
    uint32_t depth;     ///< nodes on the longest path; 64 at most
    size_t node_bytes;  ///< that nodes take: four each, and what lines leave over
    size_t total_bytes; ///< with header and lists
} cd_kdtree_compact_facts;

/// Builds a tree over boxes; points and triangles are told by theirs.
///
/// Nodes of more than `leaf_size` items (0: four) are cut at the median of the boxes' middles along the axis where these reach
/// farthest, else along another; what cannot be cut without putting too many items on both sides stays one leaf. Leaves of closed
/// meshes have about ten to twenty triangles, each of which is in three or four. The boxes are not kept: queries are told them
/// again where they need them.
///
/// `allocator` NULL stands for the default one. CD_INVALID_ARGUMENT: a box that is empty or not finite. CD_TOO_LARGE: more than 2^26.
/// CD_OUT_OF_MEMORY. `out` is empty on failure, and where count is 0.
/// Memory: 136 bytes an item while it builds. Cost: n log n.
CD_API cd_status cd_kdtree_compact_build(cd_kdtree_compact *out, const cd_aabb *boxes, uint32_t count,
                                         uint32_t leaf_size, const cd_allocator *allocator);

/// Gives the memory back and leaves an empty tree; views and empty trees may be destroyed, too.
CD_API void cd_kdtree_compact_destroy(cd_kdtree_compact *tree);

/// A tree in bytes that were a tree's block, without copying: `bytes` must be aligned to 64 and outlive the view.
///
/// Everything is checked, so that no query reads outside of it: CD_CORRUPT for anything else than what a build may write,
/// CD_UNSUPPORTED for a block of another version or byte order, CD_INVALID_ARGUMENT for a bad alignment. Cost: linear.
CD_API cd_status cd_kdtree_compact_view(cd_kdtree_compact *out, const void *bytes, size_t size);

/// What a tree is like; all 0 for an empty one.
CD_API cd_kdtree_compact_facts cd_kdtree_compact_get_facts(const cd_kdtree_compact *tree);

/// The leaf that a point is in, which tells all items that may hold it; leaf 0 is the one without items, and that of NaN.
CD_API uint32_t cd_kdtree_compact_leaf_at(const cd_kdtree_compact *tree, cd_vec3 p);

/// The items of a leaf, by rising index, and in `*count` how many; NULL and 0 for what is no leaf.
CD_API const uint32_t *cd_kdtree_compact_items(const cd_kdtree_compact *tree, uint32_t leaf, uint32_t *count);

/// Visits all leaves with items that a box reaches, from left to right; false when the visitor stopped it. An empty box or NaN: none.
CD_API bool cd_kdtree_compact_visit_leaves(const cd_kdtree_compact *tree, cd_aabb box, cd_visit_fn visit,
                                           void *user);

/// Visits each item whose box meets `box` once; false when the visitor stopped it. `boxes` are those it was built over.
///
/// The answer is exact. An item is told in the leaf that has the least corner of what it and the box have in common.
CD_API bool cd_kdtree_compact_overlap_aabb(const cd_kdtree_compact *tree, cd_aabb box, const cd_aabb *boxes,
                                           cd_visit_fn visit, void *user);

/// The item whose box is nearest to a point, of several the one with the smallest index; its squared distance in doubles goes to
/// `*sqdist`, which may be NULL. CD_NONE, with `*sqdist` untouched, where there is none or the point is not finite.
CD_API uint32_t cd_kdtree_compact_nearest(const cd_kdtree_compact *tree, cd_vec3 p, const cd_aabb *boxes,
                                          double *sqdist);

/// Casts a ray at one item: true, with `hit` filled in, when it hits at t in [0, t_max].
typedef bool (*cd_kdtree_cast_fn)(void *user, uint32_t item, const cd_ray *r, cd_real t_max, cd_hit *hit);

/// The first hit of a ray, by leaves from front to back; of equal ones that of the smallest index, which goes to `hit->index`.
/// False, with `hit` untouched, for none, for NaN or infinity in the ray, and NaN in `t_max`.
///
/// An item may be asked for more than once, by each leaf it is in. Its hits have to be in its box; t may be off by eight units in
/// the last place.
CD_API bool cd_kdtree_compact_cast_ray(const cd_kdtree_compact *tree, const cd_ray *r, cd_real t_max,
                                       cd_kdtree_cast_fn cast, void *user, cd_hit *hit);

#endif
