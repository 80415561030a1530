#pragma once
/* bvh_compact: a tree of boxes in few bytes, as published, kept for comparison and teaching (Ericson 13.4.2).
 *
 * A box has six planes, and its two children have twelve; but six of the twelve are planes of the parent. Ten bytes stand for a
 * node of two children: six bits tell which child has the parent's plane, six bytes where the other child's plane
 * lies, in 256th of the parent's box and rounded outward, and 26 bits how many items the left child has. The book takes
 * eleven bytes. The left node follows its parent, and the place of the right one follows from that number, so that there
 * are no links. Beside the nodes each item takes four bytes for its index.
 *
 * Class: classic. Slower than cd_bvh, whose quantised layout takes 128 bytes for eight children. COLLIDE_NO_CLASSIC leaves
 * this part out. */

#ifndef COLLIDE_NO_CLASSIC

#include "query/hit.h"
#include "shape/linear.h"
#include "tree/bvh.h"

/// A compact tree; a zeroed one is empty. Members are read-only.
typedef struct cd_bvh_compact {
    cd_aabb box;               ///< around everything
    const uint32_t *index;     ///< of the items, in the order of the leaves
    const unsigned char *node; ///< ten bytes each, one less than items
    uint32_t count;            ///< of the items
    size_t bytes;              ///< 14 an item, less 10
    cd_allocator allocator;
} cd_bvh_compact;

/// Makes the compact form of a tree, over the boxes of whatever it holds (see cd_bvh_build_boxes for boxes), with one item a
/// leaf; `tree` has to be sound, and is not needed afterwards.
///
/// NULL stands for the default allocator. CD_TOO_LARGE: more than 2^26 items. CD_UNSUPPORTED: the tree of a cd_dyntree. CD_OUT_OF_MEMORY. `out` is empty on failure.
/// Cost: linear, with as much memory as a build.
CD_API cd_status cd_bvh_compact_build(cd_bvh_compact *out, const cd_bvh *tree, const cd_allocator *allocator);

/// Gives the memory back and leaves an empty tree.
CD_API void cd_bvh_compact_destroy(cd_bvh_compact *tree);

/// Visits what may meet a box, in the order of the leaves; false when the visitor stopped it.
///
/// Class: conservative, nothing that meets the box is left out; exact when `boxes` holds the items' own boxes by index.
CD_API bool cd_bvh_compact_overlap_aabb(const cd_bvh_compact *tree, cd_aabb box, const cd_aabb *boxes,
                                        cd_visit_fn visit, void *user);

/// Visits what a ray may meet at t in [0, t_max], in the order of the leaves; false when the visitor stopped it. NaN or
/// infinity in the ray, NaN in `t_max`: nothing.
///
/// Class: conservative; with the items' own boxes in `boxes` those that cd_cast_ray_aabb hits, without options.
CD_API bool cd_bvh_compact_overlap_ray(const cd_bvh_compact *tree, const cd_ray *r, cd_real t_max,
                                       const cd_aabb *boxes, cd_visit_fn visit, void *user);

#endif
