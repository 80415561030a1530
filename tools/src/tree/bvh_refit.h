#pragma once
/* bvh_refit: trees over things that move or deform: new positions, the same tree (Ericson 6.4.2, 6.6).
 *
 * The tree takes the new positions into its items, and makes its boxes anew from the leaves up; then it answers every query as a
 * tree built for these positions would, but, as its boxes come to lie on each other, more slowly. So what it costs (see
 * cd_bvh_stats) is compared with what it cost when it was last built, and where that has grown beyond a threshold the subtrees
 * that are to blame are built anew (Lauterbach et al. 2006), or the whole tree where they hold most of it.
 *
 * Primitives keep their indices, masks stay, and primitives that the build has left out stay out, whatever becomes of them. */

#include "tree/bvh_build.h"

/// Bits of `cd_bvh_refit_options.flags`.
typedef enum cd_bvh_refit_flag {
    CD_BVH_REFIT_IN_PLACE = 1, ///< never build anything anew: allocates nothing
    CD_BVH_REFIT_REBUILD = 2   ///< build the whole tree anew, whatever it costs
} cd_bvh_refit_flag;

/// Options of a refit; the zero object is the default, and NULL stands for it.
typedef struct cd_bvh_refit_options {
    uint32_t flags;     ///< of `cd_bvh_refit_flag`, one of them at most
    uint32_t leaf_size; ///< of what is built anew, as in cd_bvh_options
    /// how many times what it cost when it was last built the tree may cost, 1 at least; 0 stands for 1.3
    cd_real threshold;
    cd_executor executor; ///< `run` shares the work out, with the same bytes as without; there is no progress
} cd_bvh_refit_options;

/// What a refit has done; costs are those of cd_bvh_stats, up to rounding (but 1 where all lie in one
/// place). All zero for an empty tree.
typedef struct cd_bvh_refit_result {
    /// when it was last built as a whole; less where its primitives are smaller beside the whole now, by reckoning
    double cost_built;
    double cost_refitted; ///< with the new positions, before anything was built anew
    double cost;          ///< now
    uint32_t rebuilt;     ///< primitives in subtrees that were built anew; all of them: the whole tree
} cd_bvh_refit_result;

/// Gives a tree over a mesh the mesh's new positions; `result` may be NULL.
///
/// The mesh has as many triangles as the one that the tree was built from, with the same indices; its positions may lie elsewhere
/// and in another format. How the positions moved does not matter: together or apart, to other sizes, to one point. Answers are
/// exactly those of a tree built from this mesh. The tree keeps its place in memory where nothing is built anew, else it gets a
/// new block from its own allocator. What it was
/// like when it was built is found in it at the first refit, and kept in it from then on; cd_bvh_convert makes trees that do not know. Partial rebuilds are for nodes of
/// eight, trees of the binary layout are built anew as a whole. Those of the compact layout, where positions are
/// packed, always are: CD_UNSUPPORTED with CD_BVH_REFIT_IN_PLACE.
///
/// CD_INVALID_ARGUMENT: a view that cannot be read, a tree of another kind, another number of triangles, a triangle of the tree that
/// is not valid any more (a corner not finite, an index out of range), an option out of range. CD_UNSUPPORTED: a view (see cd_bvh_view), whose bytes are not the library's to
/// write: cd_bvh_convert makes a tree of it; a height field, which has cd_heights_update. CD_OUT_OF_MEMORY: in the compact layout alone; in others a tree that cannot be built anew for want of memory is refitted, with CD_OK and
/// `rebuilt` 0. On failure the tree is as it was. Class: as the tree, exact. Cost: linear, about a tenth
/// of a build; with a rebuild, as that.
CD_API cd_status cd_bvh_refit_mesh(cd_bvh *tree, const cd_mesh_view *mesh,
                                   const cd_bvh_refit_options *options, cd_bvh_refit_result *result);

/// Gives a tree over boxes new boxes, valid ones, as cd_bvh_refit_mesh; `custom` stays.
CD_API cd_status cd_bvh_refit_boxes(cd_bvh *tree, const cd_aabb *boxes, uint32_t count,
                                    const cd_bvh_refit_options *options, cd_bvh_refit_result *result);

/// Gives a tree over points new points, as cd_bvh_refit_mesh.
CD_API cd_status cd_bvh_refit_points(cd_bvh *tree, const cd_vec3 *points, uint32_t count,
                                     const cd_bvh_refit_options *options, cd_bvh_refit_result *result);
