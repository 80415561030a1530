#pragma once
/* bvtree: trees of other bounding volumes over a mesh: oriented boxes, k-DOPs, spheres (Ericson 6.4).
 *
 * A `cd_bvh` bounds by boxes along the axes, which is the best choice for most that trees are asked. Other volumes fit
 * closer, at a higher price for each. What is built is one type for all volumes: see obbtree and kdoptree.
 *
 * Which one? For nearly everything a cd_bvh in wide nodes, which has eight boxes against eight in one step. The bench area `volumes` has two
 * meshes of 43000 to 69000 triangles against each other, on a machine with AVX-512; times in units of that cd_bvh's (the binary layout's in
 * brackets):
 *
 *     all pairs that meet                     oriented boxes  14-DOPs  26-DOPs
 *     a bumpy ball deep in itself (1.7)           1.9           1.3      1.2
 *     crossing, just touching (2.1)             1.6-2.0       1.3-1.6  1.1-1.3
 *     a shell just inside another (1.8)         1.6-1.8       1.1-1.2  0.9-1.1
 *     two springs wound together (2.7)            2.6           1.6      1.7
 *     the nearest pair, close, far (2.8, 2.0)   1.7, 1.3      1.0, 3.4  0.5, 1.0
 *
 * So k-DOPs of 26 serve for the nearest pair of bodies close to each other, and for surfaces that lie along each other; oriented boxes look at a quarter
 * to all of the triangles that others look at, which pays where each of them is dear. First pairs come fastest from a cd_bvh.
 *
 * Like cd_bvh, a tree is one block of memory without pointers, which can be copied, written to a file and mapped back; it
 * keeps its own copy of the triangles. The nodes' numbers are floats, rounded outward; every query gives the
 * answer of the same query of a cd_bvh over the same triangles, bit for bit, whatever the volumes. Queries only read the tree,
 * allocate nothing, and may run on many threads at once. A zeroed `cd_bvtree` is an empty tree. */

#include "tree/bvh_cast.h"
#include "tree/bvh_volume.h"

/// Which volumes a tree has.
typedef enum cd_bvtree_kind {
    CD_BVTREE_SPHERES = 0, ///< 24 bytes a node
    CD_BVTREE_OBBS = 1,    ///< 64 bytes a node
    CD_BVTREE_KDOPS = 2    ///< 4 k + 8 bytes a node
} cd_bvtree_kind;

/// A tree: one block of memory, and who owns it.
typedef struct cd_bvtree {
    const void *block;
    size_t bytes;
    cd_allocator allocator; ///< what gave the block; of no meaning in a view
    uint32_t owned;         ///< 1 when cd_bvtree_destroy gives the block back, 0 in a view
} cd_bvtree;

/// Gives the tree's memory back and leaves an empty tree; an empty tree or a view may be destroyed too.
CD_API void cd_bvtree_destroy(cd_bvtree *tree);

/// A tree in bytes that were a tree's block, without copying: `bytes` must be aligned to 64 and outlive the view.
///
/// Everything is checked, so that no query on the view reads outside of it or leaves anything out: CD_CORRUPT for anything
/// else than what a build may write, CD_UNSUPPORTED for a block of another version, byte order or number type, CD_INVALID_ARGUMENT
/// for a bad alignment. Cost: triangles times depth. `out` is an empty tree on failure.
CD_API cd_status cd_bvtree_view(cd_bvtree *out, const void *bytes, size_t size);

/// Checks the tree's own rules: counts and places, children after their parents and next to each other, every triangle in
/// exactly one leaf and inside all volumes above it, depth at most 80, at most 152 nodes beside any path. CD_OK or CD_CORRUPT. Allocates nothing.
CD_API cd_status cd_bvtree_validate(const cd_bvtree *tree);

/// The bounding box of the tree's triangles; empty for an empty tree.
CD_API cd_aabb cd_bvtree_bounds(const cd_bvtree *tree);

/// How many triangles are in the tree.
CD_API uint32_t cd_bvtree_count(const cd_bvtree *tree);

/// How many nodes the tree has, leaves included.
CD_API uint32_t cd_bvtree_node_count(const cd_bvtree *tree);

/// Which volumes the tree has, of `cd_bvtree_kind`.
CD_API uint32_t cd_bvtree_get_kind(const cd_bvtree *tree);

/// The k of a tree of k-DOPs, 0 of others.
CD_API uint32_t cd_bvtree_get_k(const cd_bvtree *tree);

/// Visits the triangles that meet a volume, as cd_bvh_overlap, in the order of the tree's leaves. Class: that of cd_test_X_triangle.
CD_API bool cd_bvtree_overlap(const cd_bvtree *tree, const cd_bvh_volume *volume, const cd_filter *filter,
                              cd_visit_fn visit, void *user);

/// Does any triangle meet the volume?
CD_API bool cd_bvtree_test_overlap(const cd_bvtree *tree, const cd_bvh_volume *volume,
                                   const cd_filter *filter);

/// The nearest hit of a ray, as cd_bvh_cast_ray; false, with `hit` untouched, when there is none.
CD_API bool cd_bvtree_cast_ray(const cd_bvtree *tree, const cd_ray *r, cd_real t_max,
                               const cd_cast_options *options, cd_hit *hit);

/// Is there any hit with t up to `t_max`? As cd_bvh_test_ray.
CD_API bool cd_bvtree_test_ray(const cd_bvtree *tree, const cd_ray *r, cd_real t_max,
                               const cd_cast_options *options);

/// The triangle nearest to a point, as cd_bvh_closest; false, with `out` untouched, when there is none.
CD_API bool cd_bvtree_closest(const cd_bvtree *tree, cd_vec3 p, cd_real max_distance, const cd_filter *filter,
                              cd_closest *out);
