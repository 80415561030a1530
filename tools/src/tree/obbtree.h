#pragma once
/* obbtree: a tree of oriented boxes over a mesh (Ericson 6.4.1; Gottschalk, Lin and Manocha 1996). */

#include "tree/bvh_build.h"
#include "tree/bvtree.h"

/// Builds a tree of oriented boxes; it keeps its own copy of the triangles.
///
/// The tree is that of `options->method`, as a cd_bvh has it; then each node gets an oriented box about its triangles:
/// about the principal axes of their surface or, where that is smaller, about the largest triangle or the axes of the frame. The
/// paper's own tree, split at the mean across the box's longest axis, is CD_BVH_OBJECT_MEAN with CD_BVH_AXIS_PRINCIPAL.
/// `layout` and CD_BVH_INDEXED are of no meaning; NULL stands for the defaults. Errors, progress and executor: as cd_bvh_build_mesh; the same bytes on every machine and for every executor.
/// Cost: count times depth.
CD_API cd_status cd_obbtree_build_mesh(cd_bvtree *out, const cd_mesh_view *mesh,
                                       const cd_bvh_options *options);
