#pragma once
/* compound: many shapes as one.
 *
 * A compound lists shapes, each set in the frame of the whole. It is the way to put a body together of pieces, and to have a level, or what lies
 * around a body, met in one call. The list may be the caller's, or copied together with a tree over the boxes of its children. */

#include "any/shape.h"

/// A shape set in a frame.
typedef struct cd_placed_shape {
    const cd_shape *shape;
    cd_transform pose;
} cd_placed_shape;

/// Many shapes in one: a body of several pieces, a level, or whatever lies around a body, as separate things to be met as one.
///
/// Children may be any shapes but compounds; to nest, list the inner one's children. Without a tree all are looked at one by one.
typedef struct cd_compound {
    const cd_placed_shape *children;
    uint32_t count;
    /// over their boxes, in their order; or empty. Half-spaces have no box: they are left out of it
    cd_bvh tree;
    cd_placed_shape *owned; ///< children, when cd_compound_build copied them
    cd_allocator allocator;
} cd_compound;

/// Shapes in the caller's memory as a compound, without a tree: for few.
CD_API cd_compound cd_compound_of(const cd_placed_shape *children, uint32_t count);

/// A compound with a tree over its children's boxes; it copies the list, not the shapes, which must not change then.
///
/// Half-spaces have no box: they are children like others, and looked at each time. CD_INVALID_ARGUMENT: a child that is not valid, or a compound.
/// CD_OUT_OF_MEMORY, CD_TOO_LARGE. `out` is zero on failure. Options may be NULL; masks are not asked.
CD_API cd_status cd_compound_build(cd_compound *out, const cd_placed_shape *children, uint32_t count,
                                   const cd_bvh_options *options);

/// Gives the memory back; an empty compound, or one of the caller's list, may be destroyed too.
CD_API void cd_compound_destroy(cd_compound *compound);
