#pragma once
/* bvh_spheres: a tree of spheres that come, go and move, for what may touch what (Ericson 6.2.3; Millington, Game Physics
 * Engine Development, the coarse phase of collision detection).
 *
 * A new sphere goes down from the root; the leaf that it comes to becomes the parent of what it was and of the new one. When a sphere
 * goes, its sibling takes the parent's place. Every sphere above holds the two below it, exactly, as they are stored; where
 * one of these holds the other, it is the larger one of them.
 *
 * The way down leads to the child whose centre is nearer. On the way back up a grandchild changes places with its uncle where
 * that makes a smaller sphere or keeps the tree in balance: of two subtrees beside each other none is higher than the other by
 * more than one, whatever is done in whatever order, so that no change takes more than about 1.44 log2 n steps.
 * CD_BVH_SPHERES_PLAIN is the tree of the book instead: down to the child whose surface grows less, and nothing is put in
 * balance. A large sphere grows least, so that it gets larger and larger: among 5000 spheres at random, finding all pairs looks at 20
 * times as many nodes; and spheres that come in order may make that tree as deep as there are spheres.
 *
 * Queries use no memory and no stack to speak of, however deep the tree is, and may run on many threads at once as long as none
 * changes it. Their answers are those of a loop over all spheres. A visitor may not change the tree. */

#include "core/allocator.h"
#include "core/status.h"
#include "query/cast.h"
#include "shape/volume.h"
#include "tree/bvh_collide.h"

/// Bits of `cd_bvh_spheres_options.flags`.
typedef enum cd_bvh_spheres_flag {
    CD_BVH_SPHERES_PLAIN = 1 ///< the book's: led by growth, and nothing is put in balance
} cd_bvh_spheres_flag;

/// Options; the zero object is the default, and NULL stands for it.
typedef struct cd_bvh_spheres_options {
    uint32_t flags;    ///< of `cd_bvh_spheres_flag`
    uint32_t capacity; ///< spheres to make room for at once; it grows when there are more
    cd_allocator allocator;
} cd_bvh_spheres_options;

/// A tree; the zero object is an empty one with default options, ready for use. Its members are the implementation's.
typedef struct cd_bvh_spheres {
    cd_bvh_spheres_options options;
    void *nodes;       ///< two a sphere: its leaf, and room for one above
    uint32_t capacity; ///< spheres there is room for
    uint32_t used;     ///< ids ever given out
    uint32_t count;    ///< spheres there are
    uint32_t unused;   ///< one more than the id given back last; 0: none
    uint32_t root;     ///< where there is a sphere
} cd_bvh_spheres;

/// An empty tree with room for `options->capacity` spheres. CD_INVALID_ARGUMENT: an unknown flag; CD_OUT_OF_MEMORY, CD_TOO_LARGE: more
/// than 2^31 - 1 spheres. `out` is an empty tree with default options on failure.
CD_API cd_status cd_bvh_spheres_init(cd_bvh_spheres *out, const cd_bvh_spheres_options *options);

/// Gives the memory back and leaves an empty tree of the same options.
CD_API void cd_bvh_spheres_destroy(cd_bvh_spheres *tree);

/// Adds a sphere. `*id` (`id` may be NULL) takes its number, which is free again after cd_bvh_remove_sphere: the one given back last is given out
/// first; without any of these, one more than ever.
///
/// `mask` is for queries' `ignore_mask`. CD_INVALID_ARGUMENT for a sphere that is not valid (see cd_sphere_is_valid; radius 0 is), CD_OUT_OF_MEMORY,
/// CD_TOO_LARGE: the tree and `*id` are then as they were. Cost: about log n; memory doubles when there is no room: 64 bytes a sphere, in
/// doubles 96.
CD_API cd_status cd_bvh_insert_sphere(cd_bvh_spheres *tree, cd_sphere sphere, uint32_t mask, uint32_t *id);

/// Takes a sphere away; CD_INVALID_ARGUMENT where there is none of that id. Cost: about log n.
CD_API cd_status cd_bvh_remove_sphere(cd_bvh_spheres *tree, uint32_t id);

/// Gives an object another sphere; CD_INVALID_ARGUMENT, with the tree unchanged, for no such id or an invalid sphere.
///
/// A sphere that stays inside of the one above is only written down; another is taken out and put back in, under the same id.
CD_API cd_status cd_bvh_move_sphere(cd_bvh_spheres *tree, uint32_t id, cd_sphere sphere);

/// Gives a sphere another mask; CD_INVALID_ARGUMENT where there is none of that id.
CD_API cd_status cd_bvh_spheres_set_mask(cd_bvh_spheres *tree, uint32_t id, uint32_t mask);

/// Is there a sphere of that id?
CD_API bool cd_bvh_spheres_contains(const cd_bvh_spheres *tree, uint32_t id);
/// The sphere of that id; radius -1, which is nothing, where there is none.
CD_API cd_sphere cd_bvh_spheres_get(const cd_bvh_spheres *tree, uint32_t id);
/// Its mask; 0 where there is none.
CD_API uint32_t cd_bvh_spheres_get_mask(const cd_bvh_spheres *tree, uint32_t id);
/// How many spheres there are.
CD_API uint32_t cd_bvh_spheres_count(const cd_bvh_spheres *tree);
/// A sphere that holds all; radius -1 for an empty tree, infinite about the origin where no number is large enough.
CD_API cd_sphere cd_bvh_spheres_bounds(const cd_bvh_spheres *tree);
/// Steps down from the root to the lowest leaf; 0 for up to one sphere.
CD_API uint32_t cd_bvh_spheres_height(const cd_bvh_spheres *tree);

/// Visits every pair of spheres that meet (touching counts: cd_test_sphere_sphere), each once, smaller id first; false when the visitor stopped
/// it. Class: exact.
///
/// Of the options the masks and the filter count; both masks hide spheres wherever they stand. One descent through the tree against itself; the order of the pairs is fixed by the
/// tree's history.
CD_API bool cd_bvh_spheres_traverse_self(const cd_bvh_spheres *tree, const cd_bvh_pair_options *options,
                                         cd_visit_pair_fn visit, void *user);
/// ... in an array: returns how many, and writes the first `capacity`. A limit on the pairs looked for is a visitor's business.
CD_API size_t cd_bvh_spheres_self_pairs(const cd_bvh_spheres *tree, const cd_bvh_pair_options *options,
                                        cd_pair *pairs, size_t capacity);

/// Visits every pair of a sphere of A and one of B that meet, both in one frame; the rest as in cd_bvh_spheres_traverse_self.
CD_API bool cd_bvh_spheres_traverse_pairs(const cd_bvh_spheres *a, const cd_bvh_spheres *b,
                                          const cd_bvh_pair_options *options, cd_visit_pair_fn visit,
                                          void *user);
/// ... in an array: returns how many, and writes the first `capacity`.
CD_API size_t cd_bvh_spheres_collide(const cd_bvh_spheres *a, const cd_bvh_spheres *b,
                                     const cd_bvh_pair_options *options, cd_pair *pairs, size_t capacity);

/// Visits the spheres that meet a sphere (touching counts); false when the visitor stopped it. An invalid one meets nothing.
/// `filter` may be NULL. Class: exact.
CD_API bool cd_bvh_spheres_overlap(const cd_bvh_spheres *tree, cd_sphere sphere, const cd_filter *filter,
                                   cd_visit_fn visit, void *user);
/// ... in an array: returns how many, and writes the first `capacity`.
CD_API size_t cd_bvh_spheres_overlap_list(const cd_bvh_spheres *tree, cd_sphere sphere,
                                          const cd_filter *filter, uint32_t *out, size_t capacity);

/// The nearest hit of a ray: what a loop with cd_cast_ray_sphere says, bit for bit, with the least t and then the smallest id; false, with
/// `hit` untouched, when there is none. Options and `hit` may be NULL.
CD_API bool cd_bvh_spheres_cast_ray(const cd_bvh_spheres *tree, const cd_ray *r, cd_real t_max,
                                    const cd_cast_options *options, cd_hit *hit);
/// Is there any hit with t up to `t_max`?
CD_API bool cd_bvh_spheres_test_ray(const cd_bvh_spheres *tree, const cd_ray *r, cd_real t_max,
                                    const cd_cast_options *options);

/// An equal tree, which from then on answers and changes in the very same way. `allocator` NULL: the standard one. CD_OUT_OF_MEMORY: `out` is
/// an empty tree.
CD_API cd_status cd_bvh_spheres_copy(cd_bvh_spheres *out, const cd_bvh_spheres *tree,
                                     const cd_allocator *allocator);

/// Checks all the tree's rules: every id in one leaf or free, links both ways, each sphere inside the one above, heights, balance.
/// CD_OK or CD_CORRUPT. Cost: linear; allocates nothing.
CD_API cd_status cd_bvh_spheres_validate(const cd_bvh_spheres *tree);
