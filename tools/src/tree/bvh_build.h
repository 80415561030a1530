#pragma once
/* bvh_build: building a tree over a mesh, top-down by the surface area heuristic with bins (Ericson 6.2.1; Wald 2007).
 *
 * Cost: n log n; at most 64 levels are split by cost, what is deeper or cannot be told apart is halved, so that no input
 * makes it quadratic. Peak memory besides the tree: 100 bytes a triangle in a float build, 170 in a double build. */

#include "core/executor.h"
#include "shape/mesh_view.h"
#include "tree/bvh.h"

/// Bits of `cd_bvh_options.flags`.
typedef enum cd_bvh_flag {
    CD_BVH_SKIP_INVALID = 1 ///< leave out triangles with an index out of range or a corner that is not finite
} cd_bvh_flag;

/// Options of a build; the zero object is the default, and NULL stands for it.
typedef struct cd_bvh_options {
    uint32_t flags;     ///< of `cd_bvh_flag`
    uint32_t leaf_size; ///< the most triangles in a leaf, 1 to 64; 0 stands for 4
    cd_allocator allocator;
    cd_executor executor;
} cd_bvh_options;

/// Builds a tree over a mesh; it keeps its own copy of the triangles.
///
/// CD_INVALID_ARGUMENT: the view cannot be read (see cd_mesh_view_is_valid), an option is out of range, or, without
/// CD_BVH_SKIP_INVALID, some triangle has an index out of range or a corner that is not finite. CD_TOO_LARGE: more
/// than 2^29 triangles, or than fit the address space. CD_OUT_OF_MEMORY, CD_CANCELLED. `out` is an empty tree on
/// failure. A mesh without triangles gives an empty tree and CD_OK. Triangles without area are kept: rays do not hit
/// them, all other queries see them as the segments or points they are. The same mesh and options give the same bytes on every
/// machine and for every executor.
CD_API cd_status cd_bvh_build_mesh(cd_bvh *out, const cd_mesh_view *mesh, const cd_bvh_options *options);
