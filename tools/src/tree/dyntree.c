#include "tree/dyntree.h"
#include "tree/bvh_self.h"
#include "tree/dyn_build.h"
#include "tree/dyn_check.h"
#include "tree/dyn_move.h"
#include "tree/dyn_pairs.h"

/* ---- ids ---- */

/* Room for `count` ids. */
static cd_status cdi_dyn_reserve_ids(cd_dyntree *t, uint32_t count) {
    uint64_t room = (uint64_t)t->place_room + t->place_room / 2;
    uint32_t *place;
    if (count <= t->place_room) return CD_OK;
    if (count > CDI_BVH_MOST) return CD_TOO_LARGE;
    room = room < count ? count : room > CDI_BVH_MOST ? CDI_BVH_MOST : room;
    if (room > SIZE_MAX / sizeof *place) return CD_TOO_LARGE;
    place = (uint32_t *)cdi_alloc(&t->options.allocator, (size_t)room, sizeof *place);
    if (!place) return CD_OUT_OF_MEMORY;
    if (t->place) cdi_copy(place, t->place, t->place_count * sizeof *place);
    cdi_free(&t->options.allocator, t->place, t->place_room, sizeof *place);
    t->place = place;
    t->place_room = (uint32_t)room;
    return CD_OK;
}

/* There is room. */
static uint32_t cdi_dyn_take_id(cd_dyntree *t) {
    uint32_t id = t->free_id ? t->free_id - 1 : t->place_count++;
    if (t->free_id) t->free_id = t->place[id] & ~CDI_DYN_FREE;
    return id;
}

static void cdi_dyn_give_id(cd_dyntree *t, uint32_t id) {
    t->place[id] = CDI_DYN_FREE | t->free_id;
    t->free_id = id + 1;
}

/* ---- the tree as a whole ---- */

static bool cdi_dyn_options_are_valid(const cd_dyntree_options *o) {
    return o->flags == 0 && o->margin >= 0 && o->margin <= CD_REAL_MAX;
}

CD_API void cd_dyntree_destroy(cd_dyntree *tree) {
    const cd_allocator *a = &tree->options.allocator;
    uint64_t bytes = tree->block ? cdi_dyn_header(tree)->bytes : 0;
    cdi_free(a, tree->block, (size_t)bytes, 1);
    cdi_free(a, tree->place, tree->place_room, sizeof *tree->place);
    cdi_clear(tree, sizeof *tree);
}

/* An empty tree with room for so many objects, where nodes are two thirds full. */
static cd_status cdi_dyn_begin(cd_dyntree *out, const cd_dyntree_options *options, uint32_t count) {
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (options && !cdi_dyn_options_are_valid(options)) return CD_INVALID_ARGUMENT;
    if (options) out->options = *options;
    if (!count) return CD_OK;
    status = cdi_dyn_reserve_ids(out, count);
    if (status == CD_OK) status = cdi_dyn_reserve(out, count / 5 + 4);
    if (status != CD_OK) cd_dyntree_destroy(out);
    return status;
}

CD_API cd_status cd_dyntree_init(cd_dyntree *out, const cd_dyntree_options *options) {
    cd_status status = cdi_dyn_begin(out, options, options ? options->capacity : 0);
    if (status == CD_OK) cdi_dyn_publish(out);
    return status;
}

CD_API cd_status cd_dyntree_build(cd_dyntree *out, const cd_aabb *boxes, const uint32_t *masks,
                                  uint32_t count, const cd_dyntree_options *options) {
    uint32_t room = options && options->capacity > count ? options->capacity : count;
    cdi_dyn_source source;
    cd_status status = cdi_dyn_begin(out, options, room);
    if (status != CD_OK) return status;
    cdi_clear(&source, sizeof source);
    source.boxes = boxes;
    source.masks = masks;
    source.count = boxes ? count : 0;
    status = boxes || !count ? cdi_dyn_build(out, &source, NULL) : CD_INVALID_ARGUMENT;
    if (status != CD_OK) {
        cd_dyntree_destroy(out);
        return status;
    }
    out->place_count = count;
    cdi_dyn_publish(out);
    return CD_OK;
}

/* ---- one object ---- */

/* The first object makes the frame. */
static void cdi_dyn_start(cd_dyntree *t, cd_aabb box) {
    cdi_box b = cdi_box_of_aabb(box);
    cdi_frame frame = cdi_dyn_frame_of(t, &b);
    cdi_bvh_header *h = cdi_dyn_header(t);
    frame.exponent += 3;
    cdi_dyn_set_frame(t, &frame);
    (void)cdi_dyn_take(t, 0);
    for (int k = 0; k < 3; ++k) {
        h->lo[k] = cdi_v3_get(cdi_v3_of(box.min), k) + 0.0;
        h->hi[k] = cdi_v3_get(cdi_v3_of(box.max), k) + 0.0;
    }
}

/* Now and then, when there are twice as many objects or half: is the frame much too large? */
static void cdi_dyn_watch_frame(cd_dyntree *t) {
    if ((t->count & (t->count - 1)) == 0) cdi_dyn_fit_frame(t);
}

CD_API cd_status cd_dyntree_insert(cd_dyntree *tree, cd_aabb box, uint32_t mask, uint32_t *id) {
    cdi_dyn_entry e;
    cdi_dyn_box own;
    cd_status status;
    if (!cd_aabb_is_valid(box)) return CD_INVALID_ARGUMENT;
    status = tree->free_id ? CD_OK : cdi_dyn_reserve_ids(tree, tree->place_count + 1);
    if (status == CD_OK) status = cdi_dyn_reserve(tree, tree->count ? cdi_dyn_node(tree, 0)->height + 2 : 1);
    if (status != CD_OK) return status;
    if (!tree->count) cdi_dyn_start(tree, box);
    cdi_dyn_bounds_grow(tree, box);
    cdi_clear(&e, sizeof e);
    if (!cdi_dyn_encode(tree, box, cd_vec3_make(0, 0, 0), &own, &e.box)) {
        cdi_dyn_widen(tree, box, cd_vec3_make(0, 0, 0));
        (void)cdi_dyn_encode(tree, box, cd_vec3_make(0, 0, 0), &own, &e.box);
    }
    e.item.box = box;
    e.item.index = cdi_dyn_take_id(tree);
    if (id) *id = e.item.index;
    e.mask = mask;
    e.moved = 1;
    cdi_dyn_insert(tree, 0, 0, &e);
    ++tree->count;
    cdi_dyn_watch_frame(tree);
    cdi_dyn_publish(tree);
    return CD_OK;
}

CD_API cd_status cd_dyntree_remove(cd_dyntree *tree, uint32_t id) {
    cd_aabb box;
    if (!cdi_dyn_has(tree, id)) return CD_INVALID_ARGUMENT;
    box = cdi_dyn_item(tree, tree->place[id])->box;
    cdi_dyn_remove(tree, tree->place[id]);
    cdi_dyn_give_id(tree, id);
    if (--tree->count) {
        cdi_dyn_bounds_shrink(tree, box);
        cdi_dyn_watch_frame(tree);
    } else {
        tree->node_count = tree->free_node = tree->free_nodes = 0;
    }
    cdi_dyn_publish(tree);
    return CD_OK;
}

/* ---- facts ---- */

CD_API bool cd_dyntree_contains(const cd_dyntree *tree, uint32_t id) {
    return cdi_dyn_has(tree, id);
}

CD_API cd_aabb cd_dyntree_get_box(const cd_dyntree *tree, uint32_t id) {
    return cdi_dyn_has(tree, id) ? cdi_dyn_item(tree, tree->place[id])->box : cd_aabb_empty();
}

/* A side of a lane in the caller's numbers, to the nearest. */
static cd_real cdi_dyn_out(const cd_dyntree *t, int axis, float x) {
    const cdi_frame *f = &cdi_dyn_header(t)->frame;
    double y = f->origin[axis] + cdi_scale2((double)x, f->exponent);
    return cdi_real_of(y);
}

CD_API cd_aabb cd_dyntree_get_fat_box(const cd_dyntree *tree, uint32_t id) {
    cd_aabb own, fat;
    cdi_dyn_box lane;
    if (!cdi_dyn_has(tree, id)) return cd_aabb_empty();
    own = cdi_dyn_item(tree, tree->place[id])->box;
    lane = cdi_dyn_lane(cdi_dyn_node(tree, tree->place[id] >> 3), tree->place[id] & 7u);
    fat.min = cd_vec3_make(cdi_dyn_out(tree, 0, lane.lo[0]), cdi_dyn_out(tree, 1, lane.lo[1]),
                           cdi_dyn_out(tree, 2, lane.lo[2]));
    fat.max = cd_vec3_make(cdi_dyn_out(tree, 0, lane.hi[0]), cdi_dyn_out(tree, 1, lane.hi[1]),
                           cdi_dyn_out(tree, 2, lane.hi[2]));
    fat.min = cd_vec3_min(fat.min, own.min);
    fat.max = cd_vec3_max(fat.max, own.max);
    return fat;
}

CD_API uint32_t cd_dyntree_get_mask(const cd_dyntree *tree, uint32_t id) {
    return cdi_dyn_has(tree, id) ? *cdi_dyn_mask(tree, tree->place[id]) : 0;
}

CD_API uint32_t cd_dyntree_count(const cd_dyntree *tree) {
    return tree->count;
}

CD_API cd_status cd_dyntree_set_mask(cd_dyntree *tree, uint32_t id, uint32_t mask) {
    if (!cdi_dyn_has(tree, id)) return CD_INVALID_ARGUMENT;
    *cdi_dyn_mask(tree, tree->place[id]) = mask;
    return CD_OK;
}

CD_API cd_status cd_dyntree_validate(const cd_dyntree *tree) {
    return cdi_dyn_is_sound(tree) ? CD_OK : CD_CORRUPT;
}

/* ---- moving ---- */

static bool cdi_dyn_move_is_valid(const cd_dyntree *t, uint32_t id, cd_aabb box, cd_vec3 motion) {
    return cdi_dyn_has(t, id) && cd_aabb_is_valid(box) && cdi_v3_finite(cdi_v3_of(motion));
}

CD_API cd_status cd_dyntree_move(cd_dyntree *tree, uint32_t id, cd_aabb box, cd_vec3 motion) {
    if (!cdi_dyn_move_is_valid(tree, id, box, motion)) return CD_INVALID_ARGUMENT;
    cdi_dyn_move(tree, id, box, motion);
    cdi_dyn_publish(tree);
    return CD_OK;
}

/* ---- the tree made better ---- */

CD_API cd_status cd_dyntree_optimise(cd_dyntree *tree, uint32_t effort) {
    cd_status status = CD_OK;
    if (effort > 2 * tree->count) effort = 2 * tree->count;
    for (uint32_t i = 0; i < effort && status == CD_OK; ++i) status = cdi_dyn_improve(tree);
    cdi_dyn_publish(tree);
    return status;
}

/* Where all objects are, and their boxes, in the order in which they lie there: neighbours come together. */
static void cdi_dyn_list(const cd_dyntree *t, cd_aabb *boxes, uint32_t *places) {
    uint32_t count = 0;
    for (uint32_t number = 0; number < t->node_count; ++number) {
        const cdi_bvh_node *n = cdi_dyn_node(t, number);
        uint32_t width = n->height ? 0 : cdi_dyn_width(n);
        for (uint32_t i = 0; i < width; ++i) {
            boxes[count] = cdi_dyn_item(t, 8 * number + i)->box;
            places[count++] = 8 * number + i;
        }
    }
}

/* The same objects in a tree of their own. */
static cd_status cdi_dyn_rebuilt(cd_dyntree *out, const cd_dyntree *t, const cd_bvh_options *options) {
    const cd_allocator *a = &t->options.allocator;
    cd_aabb *boxes = (cd_aabb *)cdi_alloc(a, t->count, sizeof *boxes);
    uint32_t *places = (uint32_t *)cdi_alloc(a, t->count, sizeof *places);
    cdi_dyn_source source;
    cd_status status = CD_OUT_OF_MEMORY;
    cdi_clear(out, sizeof *out);
    out->options = t->options;
    if (boxes && places) {
        cdi_dyn_list(t, boxes, places);
        cdi_clear(&source, sizeof source);
        source.boxes = boxes;
        source.from = t;
        source.places = places;
        source.count = t->count;
        status = cdi_dyn_reserve_ids(out, t->place_room);
        if (status == CD_OK) status = cdi_dyn_build(out, &source, options);
    }
    cdi_free(a, places, t->count, sizeof *places);
    cdi_free(a, boxes, t->count, sizeof *boxes);
    return status;
}

CD_API cd_status cd_dyntree_rebuild(cd_dyntree *tree, const cd_bvh_options *options) {
    cd_dyntree fresh;
    cd_status status;
    if (!tree->count) return CD_OK;
    status = cdi_dyn_rebuilt(&fresh, tree, options);
    if (status != CD_OK) {
        cd_dyntree_destroy(&fresh);
        return status;
    }
    for (uint32_t i = 0; i < tree->place_count; ++i) {
        if (tree->place[i] & CDI_DYN_FREE) fresh.place[i] = tree->place[i];
    }
    fresh.place_count = tree->place_count;
    fresh.free_id = tree->free_id;
    fresh.bvh = tree->bvh;
    cd_dyntree_destroy(tree);
    *tree = fresh;
    cdi_dyn_publish(tree);
    return CD_OK;
}

/* From that part of all objects on, moving them at once is faster than one by one; from that on, the tree is watched. */
#define CDI_DYN_MANY 4u
#define CDI_DYN_SOME 32u
/* What queries may lose by the tree's growing worse before it is built anew, in units of one over all of the tree: about what
 * building takes. */
#define CDI_DYN_EXCESS 1.0

/* Adds up what the tree costs more than when it was new; the tree is as good without memory to build it anew. */
static void cdi_dyn_keep_good(cd_dyntree *t) {
    double cost = cdi_dyn_cost(t);
    cd_bvh_options options;
    if (t->cost > 0.0) {
        t->excess += cdi_max(cost / t->cost - 1.0, 0.0);
    } else {
        t->cost = cost;
    }
    if (t->excess <= CDI_DYN_EXCESS) return;
    t->excess = 0.0;
    cdi_clear(&options, sizeof options);
    options.method = CD_BVH_LINEAR;
    (void)cd_dyntree_rebuild(t, &options);
    t->cost = cdi_dyn_cost(t);
}

CD_API cd_status cd_dyntree_move_many(cd_dyntree *tree, const uint32_t *ids, const cd_aabb *boxes,
                                      const cd_vec3 *motions, uint32_t count) {
    cd_vec3 none = cd_vec3_make(0, 0, 0);
    cd_aabb all = cd_aabb_empty();
    bool watched;
    if (count && !boxes) return CD_INVALID_ARGUMENT;
    for (uint32_t i = 0; i < count; ++i) {
        if (!cdi_dyn_move_is_valid(tree, ids ? ids[i] : i, boxes[i], motions ? motions[i] : none))
            return CD_INVALID_ARGUMENT;
        all.min = cd_vec3_min(all.min, boxes[i].min);
        all.max = cd_vec3_max(all.max, boxes[i].max);
    }
    if (!count) return CD_OK;
    watched = count >= tree->count / CDI_DYN_SOME;
    if (watched && !(tree->cost > 0.0)) tree->cost = cdi_dyn_cost(tree); /* that of a new one */
    if (count < tree->count / CDI_DYN_MANY || !cdi_dyn_move_many(tree, ids, boxes, motions, count, all)) {
        for (uint32_t i = 0; i < count; ++i)
            cdi_dyn_move(tree, ids ? ids[i] : i, boxes[i], motions ? motions[i] : none);
    }
    if (watched) cdi_dyn_keep_good(tree);
    cdi_dyn_publish(tree);
    return CD_OK;
}

/* ---- copying ---- */

/* All but what owns it, where there is room. */
static void cdi_dyn_copy_all(cd_dyntree *out, const cd_dyntree *t) {
    cd_dyntree_options options = out->options;
    void *block = out->block;
    uint32_t *place = out->place;
    cdi_dyn_copy_nodes(out, t);
    if (t->place_count) cdi_copy(place, t->place, t->place_count * sizeof *place);
    *out = *t;
    out->options = options;
    out->block = block;
    out->place = place;
    cdi_dyn_publish(out);
}

CD_API cd_status cd_dyntree_copy(cd_dyntree *out, const cd_dyntree *tree, const cd_allocator *allocator) {
    cd_status status;
    cdi_clear(out, sizeof *out);
    out->options = tree->options;
    cdi_clear(&out->options.allocator, sizeof out->options.allocator);
    if (allocator) out->options.allocator = *allocator;
    status = cdi_dyn_reserve_ids(out, tree->place_room);
    if (status == CD_OK) status = cdi_dyn_reserve(out, tree->node_room);
    if (status != CD_OK) {
        cd_dyntree_destroy(out);
        return status;
    }
    cdi_dyn_copy_all(out, tree);
    return CD_OK;
}

/* ---- what has moved ---- */

CD_API bool cd_dyntree_traverse_moved(const cd_dyntree *tree, const cd_bvh_pair_options *options,
                                      cd_visit_pair_fn visit, void *user) {
    if (tree->count && cdi_dyn_all_moved(tree)) return cd_bvh_traverse_self(&tree->bvh, options, visit, user);
    return cdi_dyn_visit_moved(tree, options, visit, user);
}

CD_API size_t cd_dyntree_moved_pairs(const cd_dyntree *tree, const cd_bvh_pair_options *options,
                                     cd_pair *pairs, size_t capacity) {
    cdi_pair_list list = cdi_pair_list_of(pairs, capacity);
    (void)cd_dyntree_traverse_moved(tree, options, cdi_pair_append, &list);
    return list.count;
}

CD_API void cd_dyntree_forget_moves(cd_dyntree *tree) {
    if (tree->count) cdi_dyn_forget_moves(tree);
}

#undef CDI_DYN_MANY
#undef CDI_DYN_SOME
#undef CDI_DYN_EXCESS
