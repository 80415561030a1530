#include "tree/bvh_refit.h"
#include "tree/refit_grafts.h"
#include "tree/topdown.h"

#define CDI_REFIT_TASKS 64u

/* A refit under way. */
typedef struct cdi_refit {
    cd_bvh *tree;
    cdi_bvh open;
    cdi_bvh_header *header;
    const cd_bvh_refit_options *options; /* never NULL */
    cdi_source source;
    cdi_plain_mesh plain;
    bool is_plain;
    cdi_box bounds[CDI_REFIT_TASKS];
    double surface[CDI_REFIT_TASKS];
    bool sound[CDI_REFIT_TASKS];
} cdi_refit;

static void cdi_refit_run(const cdi_refit *r, uint32_t count, void (*task)(void *ctx, uint32_t i),
                          void *ctx) {
    const cd_executor *e = &r->options->executor;
    if (e->run) e->run(e->user, count, task, ctx);
    for (uint32_t i = 0; i < count && !e->run; ++i) task(ctx, i);
}

/* ---- the new positions: are they valid, and their bounds ---- */

static bool cdi_new_box(const cdi_refit *r, uint32_t index, cdi_box *out) {
    cd_aabb box;
    if (r->is_plain) return cdi_plain_box(&r->plain, index, out);
    if (!cdi_source_box(&r->source, index, &box)) return false;
    *out = cdi_box_of_aabb(box);
    return true;
}

/* Items whose surfaces are summed: by their indices, so that they are always the same. */
static bool cdi_is_sampled(uint32_t index) {
    return index % 8u == 0;
}

/* Where none was left out, the caller's order is quicker to read than the tree's. */
static void cdi_bound_part(void *ctx, uint32_t part) {
    cdi_refit *r = (cdi_refit *)ctx;
    uint64_t count = r->header->item_count;
    uint32_t first = (uint32_t)(part * count / CDI_REFIT_TASKS),
             end = (uint32_t)((part + 1) * count / CDI_REFIT_TASKS);
    bool all = r->header->skipped_count == 0, sound = true;
    cdi_quad lo = cdi_quad_all(CD_REAL_MAX), hi = lo;
    double surface = 0.0;
    cdi_box box;
    for (uint32_t i = first; i < end; ++i) {
        uint32_t index = all ? i : cdi_bvh_index(&r->open, i);
        sound = cdi_new_box(r, index, &box);
        if (!sound) break;
        lo = cdi_quad_min(lo, cdi_quad_load(box.v));
        hi = cdi_quad_min(hi, cdi_quad_load(box.v + 4));
        if (cdi_is_sampled(index)) surface += cdi_box_area(&box);
    }
    cdi_quad_store(r->bounds[part].v, lo);
    cdi_quad_store(r->bounds[part].v + 4, hi);
    r->surface[part] = surface;
    r->sound[part] = sound;
}

static double cdi_surface_share(double part, double whole) {
    return whole > 0.0 ? part / whole : 0.0;
}

/* False when there is something that cannot be in a tree. */
static bool cdi_bound_source(cdi_refit *r, cdi_box *bounds, double *surface) {
    bool sound = true;
    double sum = 0.0;
    cdi_refit_run(r, CDI_REFIT_TASKS, cdi_bound_part, r);
    *bounds = cdi_box_empty();
    for (uint32_t i = 0; i < CDI_REFIT_TASKS; ++i) {
        sound = sound && r->sound[i];
        cdi_box_grow(bounds, &r->bounds[i]);
        sum += r->surface[i];
    }
    *surface = 8.0 * cdi_surface_share(sum, cdi_box_area(bounds));
    return sound;
}

/* ---- items ---- */

/* Asks for the corners of a triangle that is read some time later. */
static void cdi_fetch_corners(const cdi_refit *r, const cdi_bvh_triangle *t, uint32_t left) {
    const uint32_t soon = 12, later = 24;
    if (left <= later) return;
    CDI_PREFETCH(r->plain.indices + t[later].index * r->plain.index_stride);
    for (uint32_t k = 0; k < 3; ++k)
        CDI_PREFETCH(cdi_plain_corner(&r->plain, cdi_plain_index(&r->plain, t[soon].index, k)));
}

static void cdi_move_plain_triangles(const cdi_refit *r, uint32_t i, uint32_t end) {
    cdi_bvh_triangle *t = (cdi_bvh_triangle *)r->open.items + i;
    for (; i < end; ++i, ++t) {
        cdi_fetch_corners(r, t, end - i);
        for (uint32_t k = 0; k < 3; ++k) {
            const unsigned char *corner =
                cdi_plain_corner(&r->plain, cdi_plain_index(&r->plain, t->index, k));
            cdi_copy(t->v + 3 * k, corner, 3 * sizeof(cd_real));
        }
    }
}

static void cdi_move_triangles(const cdi_refit *r, uint32_t i, uint32_t end) {
    cdi_bvh_triangle *t = (cdi_bvh_triangle *)r->open.items;
    for (; i < end; ++i) {
        cd_triangle moved = cdi_source_triangle(&r->source, t[i].index);
        cdi_copy(t[i].v, &moved.a, 3 * sizeof(cd_real));
        cdi_copy(t[i].v + 3, &moved.b, 3 * sizeof(cd_real));
        cdi_copy(t[i].v + 6, &moved.c, 3 * sizeof(cd_real));
    }
}

static void cdi_move_part(void *ctx, uint32_t part) {
    const cdi_refit *r = (const cdi_refit *)ctx;
    uint32_t first = part * CDI_PART, end = cdi_part_end(part, r->header->item_count);
    cdi_bvh_box *box = (cdi_bvh_box *)r->open.items;
    cdi_bvh_point *point = (cdi_bvh_point *)r->open.items;
    switch (r->open.item) {
    case CD_BVH_TRIANGLES:
        if (r->is_plain) {
            cdi_move_plain_triangles(r, first, end);
        } else {
            cdi_move_triangles(r, first, end);
        }
        break;
    case CD_BVH_BOXES:
        for (uint32_t i = first; i < end; ++i) box[i].box = r->source.boxes[box[i].index];
        break;
    default:
        for (uint32_t i = first; i < end; ++i) point[i].p = r->source.points[point[i].index];
        break;
    }
}

/* Corners have their numbers in the order in which they come up first. */
static void cdi_move_corners(const cdi_refit *r) {
    const cdi_bvh_indexed *item = (const cdi_bvh_indexed *)r->open.items;
    cd_vec3 *corners = (cd_vec3 *)r->open.corners;
    uint32_t next = 0, index[3];
    for (uint32_t i = 0; i < r->header->item_count; ++i) {
        if (item[i].corner[0] != next && item[i].corner[1] != next && item[i].corner[2] != next) continue;
        cd_mesh_indices(r->source.mesh, item[i].index, index);
        for (int k = 0; k < 3; ++k) {
            if (item[i].corner[k] == next) corners[next++] = cd_mesh_position(r->source.mesh, index[k]);
        }
    }
}

static void cdi_move_items(cdi_refit *r) {
    if (r->open.item == CDI_ITEM_INDEXED) {
        cdi_move_corners(r);
    } else {
        cdi_refit_run(r, cdi_part_count(r->header->item_count), cdi_move_part, r);
    }
}

/* ---- building anew ---- */

/* As `cdi_bound_source` finds it, of the items as they stand. */
static double cdi_items_surface(const cdi_bvh *tree) {
    cdi_box bounds = cdi_box_empty();
    cdi_source s = cdi_source_of(CD_BVH_TRIANGLES, 0);
    double sum = 0.0;
    s.kind = tree->item;
    s.tree = tree;
    for (uint32_t i = 0; i < tree->header->item_count; ++i) {
        cd_aabb read = cd_aabb_empty();
        cdi_box box;
        (void)cdi_source_box(&s, i, &read);
        box = cdi_box_of_aabb(read);
        cdi_box_grow(&bounds, &box);
        if (cdi_is_sampled(cdi_bvh_index(tree, i))) sum += cdi_box_area(&box);
    }
    return 8.0 * cdi_surface_share(sum, cdi_box_area(&bounds));
}

/* What the tree costs as it stands is what later costs are compared with. */
static void cdi_keep_cost(const cd_bvh *tree) {
    cdi_bvh_header *h = (cdi_bvh_header *)tree->block;
    cdi_bvh t;
    if (!cdi_bvh_open(&t, tree)) return;
    h->built_cost = cdi_tree_cost(&t);
    h->built_surface = cdi_items_surface(&t);
    if (t.layout != CD_BVH_BINARY) cdi_keep_costs(&t);
}

/* What a tree built now might cost at most: less than at the last build where the items have become smaller beside the whole. A tree of items
 * without extent costs about as much as it has levels. */
static double cdi_expected_cost(const cdi_bvh_header *h, double surface) {
    double levels = (double)cdi_exponent((double)h->item_count) + 1.0;
    return h->built_cost * cdi_min(1.0, (surface + levels) / (h->built_surface + levels));
}

/* Puts another block in the place of the tree's. */
static void cdi_replace_tree(cd_bvh *tree, const cd_bvh *by) {
    const struct cd_bvh_custom *custom = tree->custom;
    cd_bvh_destroy(tree);
    *tree = *by;
    tree->custom = custom;
}

/* From the tree's own items, or, of the compact layout, from the source. */
static void cdi_read_again(void *ctx, uint32_t part) {
    cdi_builder *b = (cdi_builder *)ctx;
    uint32_t end = cdi_part_end(part, b->count);
    for (uint32_t i = part * CDI_PART; i < end; ++i) {
        cd_aabb box = cd_aabb_empty();
        cdi_box read;
        if (!cdi_source_box(&b->source, b->order[i], &box)) b->order[i] = CD_NONE;
        read = cdi_box_of_aabb(box);
        b->box[i] = read;
    }
}

/* Puts the tree's items in the builder; false when one is not valid any more. */
static bool cdi_read_all_again(const cdi_refit *r, cdi_builder *b) {
    for (uint32_t i = 0, k = 0; k < b->count; ++k, i = cdi_bvh_next_item(&r->open, i))
        b->order[k] = b->source.tree ? i : cdi_bvh_index(&r->open, i);
    cdi_refit_run(r, cdi_part_count(b->count), cdi_read_again, b);
    for (uint32_t k = 0; k < b->count; ++k) {
        if (b->order[k] == CD_NONE) return false;
    }
    return true;
}

static cd_status cdi_build_again(const cdi_refit *r, const cdi_source *source, const uint32_t *masks,
                                 cd_bvh *out) {
    cd_bvh_options o;
    cdi_builder b;
    cd_status status = CD_INVALID_ARGUMENT;
    cdi_clear(&o, sizeof o);
    cdi_clear(&b, sizeof b);
    o.layout = r->header->layout;
    o.masks = masks;
    b.options = &o;
    b.allocator = r->tree->allocator;
    b.executor.user = r->options->executor.user;
    b.executor.run = r->options->executor.run;
    b.source = *source;
    b.count = r->header->item_count;
    b.leaf_size = r->options->leaf_size ? r->options->leaf_size : 4;
    if (o.layout == CD_BVH_COMPACT) b.leaf_size = 1;
    if (!cdi_builder_take(&b, b.count)) return CD_OUT_OF_MEMORY;
    if (cdi_read_all_again(r, &b)) status = cdi_build_topdown(&b);
    if (status == CD_OK) status = cdi_write_block(&b, out);
    cdi_builder_give_back(&b, b.count);
    return status;
}

static cd_status cdi_rebuild_whole(cdi_refit *r) {
    cdi_source own;
    cd_bvh built;
    cd_status status;
    cdi_clear(&own, sizeof own);
    cdi_clear(&built, sizeof built);
    own.kind = r->header->item;
    own.count = r->header->source_count;
    own.tree = &r->open;
    status = cdi_build_again(r, &own, NULL, &built);
    if (status != CD_OK) return status;
    cdi_replace_tree(r->tree, &built);
    cdi_keep_cost(r->tree);
    return CD_OK;
}

/* `cost` is that of the tree with what was built anew, and `items` is 0 where nothing was. */
static void cdi_rebuild_worst(cdi_refit *r, double growth, double *cost, uint32_t *items) {
    cdi_graft_options o;
    cd_bvh built;
    cdi_bvh t;
    cdi_clear(&o, sizeof o);
    o.growth = growth;
    o.leaf_size = r->options->leaf_size;
    o.allocator = r->tree->allocator;
    o.executor.user = r->options->executor.user;
    o.executor.run = r->options->executor.run;
    if (cdi_graft_subtrees(&r->open, &o, &built, items) != CD_OK || !cdi_bvh_open(&t, &built)) return;
    *cost = cdi_refit_boxes(&t, &o.executor);
    cdi_keep_costs(&t);
    cdi_replace_tree(r->tree, &built);
    (void)cdi_bvh_open(&r->open, r->tree);
    r->header = (cdi_bvh_header *)r->tree->block;
}

static void cdi_rebuild_all(cdi_refit *r, cd_bvh_refit_result *result) {
    uint32_t count = r->header->item_count;
    if (cdi_rebuild_whole(r) != CD_OK) return;
    result->rebuilt = count;
    result->cost = ((const cdi_bvh_header *)r->tree->block)->built_cost;
}

/* The worst subtrees first, and where that does not help enough, all. */
static void cdi_rebuild_grown(cdi_refit *r, double threshold, double expected, cd_bvh_refit_result *result) {
    double enough = 0.5 * threshold + 0.5;
    if (r->open.layout != CD_BVH_BINARY) cdi_rebuild_worst(r, enough, &result->cost, &result->rebuilt);
    if (result->rebuilt == 0 || result->cost > enough * expected) cdi_rebuild_all(r, result);
}

/* ---- the compact layout ---- */

static cd_status cdi_rebuild_with_masks(cdi_refit *r, const uint32_t *masks, cd_bvh_refit_result *result) {
    cd_bvh built;
    cd_status status;
    cdi_clear(&built, sizeof built);
    status = cdi_build_again(r, &r->source, masks, &built);
    if (status != CD_OK) return status;
    result->cost_built = cdi_tree_cost(&r->open);
    result->rebuilt = r->header->item_count;
    cdi_replace_tree(r->tree, &built);
    (void)cdi_bvh_open(&r->open, r->tree);
    result->cost = result->cost_refitted = cdi_tree_cost(&r->open);
    return CD_OK;
}

/* Masks by the caller's indices, which a builder reads. */
static cd_status cdi_rebuild_packed(cdi_refit *r, cd_bvh_refit_result *result) {
    const cd_allocator *allocator = &r->tree->allocator;
    uint32_t count = r->header->source_count, *masks;
    cd_status status;
    if (r->options->flags & CD_BVH_REFIT_IN_PLACE) return CD_UNSUPPORTED;
    if (!r->open.masks) return cdi_rebuild_with_masks(r, NULL, result);
    masks = (uint32_t *)cdi_alloc(allocator, count, sizeof *masks);
    if (!masks) return CD_OUT_OF_MEMORY;
    for (uint32_t i = 0, k = 0; k < r->header->item_count; ++k, i = cdi_bvh_next_item(&r->open, i))
        masks[cdi_bvh_index(&r->open, i)] = r->open.masks[k];
    status = cdi_rebuild_with_masks(r, masks, result);
    cdi_free(allocator, masks, count, sizeof *masks);
    return status;
}

/* ---- the whole ---- */

static void cdi_refit_in_place(cdi_refit *r, const cdi_box *bounds, double surface,
                               cd_bvh_refit_result *result) {
    double threshold = r->options->threshold > 0 ? (double)r->options->threshold : 1.3, expected;
    if (!(r->header->built_cost > 0.0)) cdi_keep_cost(r->tree);
    result->cost_built = expected = cdi_expected_cost(r->header, surface);
    cdi_set_bounds(r->header, bounds);
    cdi_move_items(r);
    result->cost = result->cost_refitted = cdi_refit_boxes(&r->open, &r->options->executor);
    if (r->options->flags & CD_BVH_REFIT_REBUILD) {
        cdi_rebuild_all(r, result);
    } else if (!(r->options->flags & CD_BVH_REFIT_IN_PLACE) && result->cost > threshold * expected) {
        cdi_rebuild_grown(r, threshold, expected, result);
    }
}

static bool cdi_refit_options_are_valid(const cd_bvh_refit_options *o) {
    return o->flags <= CD_BVH_REFIT_REBUILD && o->leaf_size <= CDI_BVH_LEAF_MAX &&
           (o->threshold == 0 || (o->threshold >= 1 && o->threshold <= CD_REAL_MAX));
}

static cd_status cdi_refit_from(cdi_refit *r, cd_bvh_refit_result *result) {
    cdi_box bounds;
    double surface;
    r->header = (cdi_bvh_header *)r->tree->block;
    if (!cdi_refit_options_are_valid(r->options)) return CD_INVALID_ARGUMENT;
    if ((r->header ? r->header->source_count : 0) != r->source.count) return CD_INVALID_ARGUMENT;
    if (r->header && cd_bvh_get_kind(r->tree) != r->source.kind) return CD_INVALID_ARGUMENT;
    if (r->header && (!r->tree->owned || r->header->layout == CD_BVH_HEIGHTS)) return CD_UNSUPPORTED;
    if (!cdi_bvh_open(&r->open, r->tree)) return CD_OK;
    if (r->open.layout == CD_BVH_COMPACT) return cdi_rebuild_packed(r, result);
    if (!cdi_bound_source(r, &bounds, &surface)) return CD_INVALID_ARGUMENT;
    cdi_refit_in_place(r, &bounds, surface, result);
    return CD_OK;
}

static cd_status cdi_refit_source(cd_bvh *tree, const cdi_source *source, const cd_bvh_refit_options *options,
                                  cd_bvh_refit_result *result) {
    cd_bvh_refit_options defaults;
    cd_bvh_refit_result unseen;
    cdi_refit r;
    cdi_clear(&defaults, sizeof defaults);
    cdi_clear(&r, sizeof r);
    r.tree = tree;
    r.options = options ? options : &defaults;
    r.source = *source;
    r.is_plain = cdi_is_plain_mesh(source);
    if (r.is_plain) r.plain = cdi_plain_mesh_of(source->mesh);
    if (!result) result = &unseen;
    cdi_clear(result, sizeof *result);
    return cdi_refit_from(&r, result);
}

CD_API cd_status cd_bvh_refit_mesh(cd_bvh *tree, const cd_mesh_view *mesh,
                                   const cd_bvh_refit_options *options, cd_bvh_refit_result *result) {
    cdi_source s = cdi_source_of(CD_BVH_TRIANGLES, mesh->triangle_count);
    if (result) cdi_clear(result, sizeof *result);
    s.mesh = mesh;
    return cd_mesh_view_is_valid(mesh) ? cdi_refit_source(tree, &s, options, result) : CD_INVALID_ARGUMENT;
}

CD_API cd_status cd_bvh_refit_boxes(cd_bvh *tree, const cd_aabb *boxes, uint32_t count,
                                    const cd_bvh_refit_options *options, cd_bvh_refit_result *result) {
    cdi_source s = cdi_source_of(CD_BVH_BOXES, count);
    if (result) cdi_clear(result, sizeof *result);
    s.boxes = boxes;
    return boxes || count == 0 ? cdi_refit_source(tree, &s, options, result) : CD_INVALID_ARGUMENT;
}

CD_API cd_status cd_bvh_refit_points(cd_bvh *tree, const cd_vec3 *points, uint32_t count,
                                     const cd_bvh_refit_options *options, cd_bvh_refit_result *result) {
    cdi_source s = cdi_source_of(CD_BVH_POINTS, count);
    if (result) cdi_clear(result, sizeof *result);
    s.points = points;
    return points || count == 0 ? cdi_refit_source(tree, &s, options, result) : CD_INVALID_ARGUMENT;
}

#undef CDI_REFIT_TASKS
