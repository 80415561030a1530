#pragma once
/* kdoptree: a tree of k-DOPs over a mesh (Ericson 6.4.6; Klosowski et al. 1998). */

#include "tree/bvh_build.h"
#include "tree/bvtree.h"

/// Builds a tree of k-DOPs, k 6, 14, 18 or 26, along the directions of cd_kdop_set_standard(k), each as tight as can be.
///
/// The tree is that of `options->method`; the paper's is CD_BVH_OBJECT_MEAN with CD_BVH_AXIS_VARIANCE or CD_BVH_AXIS_LONGEST.
/// Another k: CD_INVALID_ARGUMENT; all else as cd_obbtree_build_mesh. Where two trees are turned against each other, the
/// k-DOP of one is fitted anew along the directions of the other, each by the three planes whose corner is next to it.
/// Cost: linear beside that of the tree.
CD_API cd_status cd_kdoptree_build_mesh(cd_bvtree *out, const cd_mesh_view *mesh, uint32_t k,
                                        const cd_bvh_options *options);
