#pragma once
/* dyntree: a tree of boxes that come, go and move (Ericson 6.2.3; the objects of a world, its broad phase).
 *
 * Its leaves are the boxes of the caller's objects, known by an id that the tree gives out. Each is kept as it is and, in the
 * tree, grown by a margin and stretched along a foreseen motion: as long as an object stays inside that fat box, moving it costs
 * no more than writing the box down. Answers are always those of the boxes themselves, never of the fat ones, and never
 * depend on the tree's history: as for any tree, those of a loop over all boxes, ties included.
 *
 * Every query on trees takes it: hand `&tree.bvh` to cd_bvh_cast_ray, cd_bvh_overlap, cd_bvh_closest, cd_bvh_sweep,
 * cd_bvh_self_pairs, cd_bvh_collide and so on; indices there are ids, masks those given here, and `tree.bvh.custom` makes the
 * boxes stand for objects of the caller's own. The view holds until the next change of the tree. It cannot be stored or made
 * another layout: cd_bvh_view and cd_bvh_validate call it corrupt, cd_bvh_convert and cd_bvh_collapse unsupported.
 *
 * The tree is one of nodes of eight with all leaves at one level (Guttman's R-tree, 1984), kept in a block of the wide layout: an
 * object takes about 110 bytes, in doubles 160, and there is up to half as much room to grow. None has more than 20 levels. */

#include "tree/bvh_build.h"
#include "tree/bvh_collide.h"

/// Options; the zero object is the default, and NULL stands for it.
typedef struct cd_dyntree_options {
    uint32_t flags;    ///< none yet
    uint32_t capacity; ///< objects to make room for at once; it grows when there are more
    cd_real margin;    ///< how much fat boxes reach beyond the boxes on every side; 0: not at all
    cd_allocator allocator;
} cd_dyntree_options;

/// A tree; the zero object is an empty one with default options, ready for use. Only the members named here are for callers.
typedef struct cd_dyntree {
    cd_bvh bvh; ///< the tree as queries take it; never destroy it
    cd_dyntree_options options;
    void *block; ///< all from here on is the implementation's: the block of the view, empty or not
    uint32_t *place;
    uint32_t place_room, place_count, free_id, count;
    uint32_t node_room, node_count, free_node, free_nodes, next_node;
    double scale[2], cost, excess;
} cd_dyntree;

/// An empty tree with room for `options->capacity` objects. CD_INVALID_ARGUMENT: a margin that is negative or not finite;
/// CD_OUT_OF_MEMORY, CD_TOO_LARGE. `out` is an empty tree on failure.
CD_API cd_status cd_dyntree_init(cd_dyntree *out, const cd_dyntree_options *options);

/// A tree over `count` boxes at once, as good as cd_bvh_build_boxes makes it: box i has the id i and counts as inserted. `masks` may be NULL. A box that
/// is not valid (cd_aabb_is_valid) is CD_INVALID_ARGUMENT.
CD_API cd_status cd_dyntree_build(cd_dyntree *out, const cd_aabb *boxes, const uint32_t *masks,
                                  uint32_t count, const cd_dyntree_options *options);

/// Gives the memory back and leaves an empty tree.
CD_API void cd_dyntree_destroy(cd_dyntree *tree);

/// Adds an object. `*id` takes its number, which is free again after cd_dyntree_remove: the one given back last is given out
/// first; without any of these, one more than ever. CD_INVALID_ARGUMENT for an invalid box, CD_OUT_OF_MEMORY, CD_TOO_LARGE: the tree
/// is then as it was. Cost: a node or two of each level, whatever the order of insertion; n objects have at most 2 + log3 n levels.
CD_API cd_status cd_dyntree_insert(cd_dyntree *tree, cd_aabb box, uint32_t mask, uint32_t *id);

/// Takes an object away; CD_INVALID_ARGUMENT where there is none of that id.
CD_API cd_status cd_dyntree_remove(cd_dyntree *tree, uint32_t id);

/// Gives an object another box; `motion` is how far it is expected to go until it is moved again or a few times so (zero for
/// not known). CD_INVALID_ARGUMENT, with the tree unchanged, for no such id, an invalid box, a motion that is not finite.
/// Cost: constant while the box stays in its fat one, else about that of an insertion.
CD_API cd_status cd_dyntree_move(cd_dyntree *tree, uint32_t id, cd_aabb box, cd_vec3 motion);

/// Moves many at once: object ids[i] to boxes[i]; ids NULL for 0, 1, ... count - 1; motions may be NULL. Much faster than one by
/// one where a large part of all moves: the tree is gone through once, and built anew (by CD_BVH_LINEAR) when what
/// queries have lost since it was new adds up to about one query over all of it. What it leaves may differ in shape from single
/// moves, its answers do not. Where one of the arguments is bad, CD_INVALID_ARGUMENT and nothing is moved. An id given twice
/// has the last box. It takes memory for a while, and does without where there is none.
CD_API cd_status cd_dyntree_move_many(cd_dyntree *tree, const uint32_t *ids, const cd_aabb *boxes,
                                      const cd_vec3 *motions, uint32_t count);

/// Gives an object another mask; CD_INVALID_ARGUMENT where there is none of that id.
CD_API cd_status cd_dyntree_set_mask(cd_dyntree *tree, uint32_t id, uint32_t mask);

/// Is there an object of that id?
CD_API bool cd_dyntree_contains(const cd_dyntree *tree, uint32_t id);
/// The object's box; empty where there is none. The fat one holds it.
CD_API cd_aabb cd_dyntree_get_box(const cd_dyntree *tree, uint32_t id);
/// The box that the tree keeps for the object; empty where there is none.
CD_API cd_aabb cd_dyntree_get_fat_box(const cd_dyntree *tree, uint32_t id);
/// The object's mask; 0 where there is none.
CD_API uint32_t cd_dyntree_get_mask(const cd_dyntree *tree, uint32_t id);
/// How many objects there are.
CD_API uint32_t cd_dyntree_count(const cd_dyntree *tree);

/// Visits every pair of objects that meet and of which at least one was inserted or moved since cd_dyntree_forget_moves; as
/// cd_bvh_traverse_self otherwise, each pair once, smaller id first.
CD_API bool cd_dyntree_traverse_moved(const cd_dyntree *tree, const cd_bvh_pair_options *options,
                                      cd_visit_pair_fn visit, void *user);
/// ... in an array: returns how many, and writes the first `capacity`.
CD_API size_t cd_dyntree_moved_pairs(const cd_dyntree *tree, const cd_bvh_pair_options *options,
                                     cd_pair *pairs, size_t capacity);
/// From now on nothing has moved.
CD_API void cd_dyntree_forget_moves(cd_dyntree *tree);

/// Makes the tree better, in `effort` steps: each looks at the next eight nodes and takes out and puts back the object or subtree that
/// makes its node larger than any other does; a few every frame keep a tree good. Answers do not change. CD_OUT_OF_MEMORY: the
/// tree is sound, and some of it may be done. Cost of a step: about that of a move out of a fat box.
CD_API cd_status cd_dyntree_optimise(cd_dyntree *tree, uint32_t effort);

/// Builds the tree anew, with the same ids. NULL for the default method. CD_OUT_OF_MEMORY, CD_CANCELLED: the tree is as it was.
CD_API cd_status cd_dyntree_rebuild(cd_dyntree *tree, const cd_bvh_options *options);

/// An equal tree, which from then on answers and changes in the very same way (for rolling back). `out` is empty on failure.
CD_API cd_status cd_dyntree_copy(cd_dyntree *out, const cd_dyntree *tree, const cd_allocator *allocator);

/// Checks all the tree's rules: every object in exactly one leaf, its box in its fat box and that in all above, links, free
/// lists, counts, depth. CD_OK or CD_CORRUPT. Cost: linear.
CD_API cd_status cd_dyntree_validate(const cd_dyntree *tree);
