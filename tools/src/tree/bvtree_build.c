#include "tree/bvtree_build.h"
#include "tree/building.h"
#include "tree/bvh_layout.h"

/* ---- a block ---- */

static void cdi_draft_header(const cdi_builder *b, uint32_t kind, uint32_t slabs, uint32_t nodes,
                             cdi_bvh_header *h) {
    cdi_header_begin(b, h);
    h->magic = CDI_BVTREE_MAGIC;
    h->version = CDI_BVTREE_VERSION;
    h->layout = CDI_LAYOUT_VOLUMES;
    h->item = CD_BVH_TRIANGLES;
    h->volume = kind;
    h->slab_count = slabs;
    h->node_count = nodes;
    h->bytes = sizeof *h + (uint64_t)nodes * cdi_volume_node_size(kind, slabs) +
               (uint64_t)h->item_count * sizeof(cdi_bvh_triangle) +
               (h->has_masks ? (uint64_t)h->item_count * sizeof(uint32_t) : 0);
}

CDI_FN void cdi_draft_drop(cdi_bvtree_draft *d) {
    cdi_free(&d->b->allocator, d->block, (size_t)d->header->bytes, 1);
}

CDI_FN cd_status cdi_bvtree_take(cdi_bvtree_draft *d, const cdi_builder *b, uint32_t kind, uint32_t slabs,
                                 uint32_t nodes) {
    size_t node_bytes = (size_t)nodes * cdi_volume_node_size(kind, slabs);
    cd_bvtree tree;
    cdi_bvh_header h;
    cdi_clear(d, sizeof *d);
    cdi_draft_header(b, kind, slabs, nodes, &h);
    if (h.bytes > SIZE_MAX) return CD_TOO_LARGE;
    d->b = b;
    d->block = (unsigned char *)cdi_alloc(&b->allocator, (size_t)h.bytes, 1);
    if (!d->block) return CD_OUT_OF_MEMORY;
    cdi_copy(d->block, &h, sizeof h);
    cdi_clear(d->block + sizeof h, node_bytes);
    d->header = (cdi_bvh_header *)(void *)d->block;
    if (b->count && !cdi_write_leaves(b, d->header, d->block + sizeof h + node_bytes, 0.8, 0.85)) {
        cdi_draft_drop(d);
        return CD_CANCELLED;
    }
    cdi_clear(&tree, sizeof tree);
    tree.block = d->block;
    (void)cdi_bvtree_open(&d->opened, &tree);
    return CD_OK;
}

CDI_FN void cdi_draft_link(const cdi_bvtree_draft *d, uint32_t number, uint32_t first, uint32_t count) {
    cdi_bvtree_links l;
    l.first = first;
    l.count = count;
    cdi_copy(cdi_draft_volume(d, number) + d->opened.floats, &l, sizeof l);
}

CDI_FN cdi_tri cdi_draft_tri(const cdi_bvtree *t, uint32_t i) {
    const cdi_frame *f = &t->items.header->frame;
    cdi_tri tri = cdi_bvh_tri(&t->items, i);
    for (int k = 0; k < 3; ++k)
        tri.v[k] = cdi_v3_make(cdi_frame_in(f, 0, tri.v[k].x), cdi_frame_in(f, 1, tri.v[k].y),
                               cdi_frame_in(f, 2, tri.v[k].z));
    return tri;
}

CDI_FN cd_status cdi_bvtree_finish(cdi_bvtree_draft *d, cd_bvtree *out) {
    if (!cdi_tell_progress(d->b, 1.0)) {
        cdi_draft_drop(d);
        return CD_CANCELLED;
    }
    out->block = d->block;
    out->bytes = (size_t)d->header->bytes;
    out->allocator = d->b->allocator;
    out->owned = 1;
    return CD_OK;
}

/* ---- from the binary tree ---- */

/* A subtree of the builder's to become node `number`: the items from `first` on to below `end`; `waiting` nodes are beside the way
 * to it. */
typedef struct cdi_volume_step {
    uint32_t slot, number, depth, waiting, first, end;
} cdi_volume_step;

typedef struct cdi_volume_run {
    uint32_t first, count;
} cdi_volume_run;

/* How many children a node has at most; and what comes of it. */
typedef struct cdi_volume_shape {
    uint32_t most, nodes, depth, waiting;
} cdi_volume_shape;

/* The children of a node, in the order in which they are to be taken from the stack. */
static void cdi_volume_open(const cdi_builder *b, const cdi_volume_step *at, uint32_t given,
                            const uint32_t *child, uint32_t width, cdi_volume_step *out) {
    uint32_t end = at->end;
    for (uint32_t i = width; i-- > 0; ++out) {
        out->slot = child[i];
        out->number = given + i;
        out->depth = at->depth + 1;
        out->waiting = at->waiting + width - 1;
        out->first = cdi_first_item(b, child[i]);
        out->end = end;
        end = out->first;
    }
}

/* Numbers the nodes as the walk meets them; writes their links and runs where there is a block. */
static void cdi_volume_nodes(const cdi_builder *b, cdi_volume_shape *shape, const cdi_bvtree_draft *d,
                             cdi_volume_run *run) {
    cdi_volume_step todo[7u * CDI_BINARY_DEPTH + 8u];
    uint32_t todo_count = 1;
    cdi_clear(&todo[0], sizeof todo[0]);
    todo[0].end = b->count;
    shape->nodes = 1;
    shape->depth = shape->waiting = 0;
    while (todo_count > 0) {
        cdi_volume_step at = todo[--todo_count];
        uint32_t child[CDI_BVTREE_CHILDREN], width = 0, count = at.end - at.first;
        bool leaf = b->node[at.slot].count != 0;
        if (!leaf) width = cdi_gather_children(b, at.slot, child, shape->most);
        if (shape->depth < at.depth + 1) shape->depth = at.depth + 1;
        if (shape->waiting < at.waiting) shape->waiting = at.waiting;
        if (d) {
            cdi_draft_link(d, at.number, leaf ? at.first : shape->nodes,
                           leaf ? CDI_BVTREE_LEAF | count : width);
            run[at.number].first = at.first;
            run[at.number].count = count;
        }
        if (leaf) continue;
        cdi_volume_open(b, &at, shape->nodes, child, width, todo + todo_count);
        shape->nodes += width;
        todo_count += width;
    }
}

/* As many children as no walk has too many waiting of. */
static cdi_volume_shape cdi_volume_shape_of(const cdi_builder *b) {
    cdi_volume_shape shape;
    cdi_clear(&shape, sizeof shape);
    shape.most = CDI_BVTREE_CHILDREN + 1;
    do {
        --shape.most;
        if (b->count) cdi_volume_nodes(b, &shape, NULL, NULL);
    } while (shape.waiting > CDI_BVH_WAITING);
    return shape;
}

/* ---- the volumes ---- */

typedef struct cdi_volume_fits {
    const cdi_bvtree_draft *d;
    const cdi_volume_run *run;
    cdi_fit_fn fit;
} cdi_volume_fits;

static void cdi_fit_volume_part(void *ctx, uint32_t part) {
    const cdi_volume_fits *f = (const cdi_volume_fits *)ctx;
    uint32_t end = cdi_part_end(part, f->d->header->node_count);
    for (uint32_t i = part * CDI_PART; i < end; ++i)
        f->fit(&f->d->opened, f->run[i].first, f->run[i].count, cdi_draft_volume(f->d, i));
}

/* Children come after their parents: the last first. */
static void cdi_merge_volumes(const cdi_volume_fits *f, cdi_merge_fn merge) {
    for (uint32_t i = f->d->header->node_count; i-- > 0;) {
        cdi_bvtree_links l = cdi_bvtree_links_of(&f->d->opened, i);
        float *v = cdi_draft_volume(f->d, i);
        if (cdi_links_is_leaf(l)) {
            f->fit(&f->d->opened, l.first, cdi_links_count(l), v);
            continue;
        }
        cdi_copy(v, cdi_draft_volume(f->d, l.first), 4 * f->d->opened.floats);
        for (uint32_t k = 1; k < l.count; ++k) merge(&f->d->opened, v, cdi_draft_volume(f->d, l.first + k));
    }
}

/* The nodes of a block: false when cancelled. */
static bool cdi_draft_fill(const cdi_bvtree_draft *d, cdi_volume_shape *shape, cdi_volume_run *run,
                           cdi_fit_fn fit, cdi_merge_fn merge) {
    cdi_volume_fits f;
    f.d = d;
    f.run = run;
    f.fit = fit;
    cdi_volume_nodes(d->b, shape, d, run);
    d->header->depth = shape->depth;
    if (merge) {
        cdi_merge_volumes(&f, merge);
        return true;
    }
    return cdi_run_tasks(d->b, cdi_part_count(d->header->node_count), cdi_fit_volume_part, &f, 0.85, 1.0);
}

static cd_status cdi_bvtree_write(const cdi_builder *b, uint32_t kind, uint32_t slabs, cdi_fit_fn fit,
                                  cdi_merge_fn merge, cd_bvtree *out) {
    cdi_volume_shape shape = cdi_volume_shape_of(b);
    uint32_t nodes = shape.nodes;
    cdi_volume_run *run = (cdi_volume_run *)cdi_alloc(&b->allocator, nodes, sizeof *run);
    cdi_bvtree_draft d;
    cd_status status = nodes && !run ? CD_OUT_OF_MEMORY : cdi_bvtree_take(&d, b, kind, slabs, nodes);
    if (status == CD_OK) {
        if (!nodes || cdi_draft_fill(&d, &shape, run, fit, merge)) {
            status = cdi_bvtree_finish(&d, out);
        } else {
            cdi_draft_drop(&d);
            status = CD_CANCELLED;
        }
    }
    cdi_free(&b->allocator, run, nodes, sizeof *run);
    return status;
}

CDI_FN cd_status cdi_bvtree_build(cd_bvtree *out, const cd_mesh_view *mesh, const cd_bvh_options *options,
                                  uint32_t kind, uint32_t slabs, cdi_fit_fn fit, cdi_merge_fn merge) {
    cd_bvh_options own; /* the layout is of no meaning */
    cdi_source source;
    cdi_builder b;
    cd_status status;
    cdi_clear(out, sizeof *out);
    cdi_clear(&source, sizeof source);
    if (!cd_mesh_view_is_valid(mesh)) return CD_INVALID_ARGUMENT;
    source.kind = CD_BVH_TRIANGLES;
    source.count = mesh->triangle_count;
    source.mesh = mesh;
    if (options) {
        own = *options;
        own.layout = CD_BVH_WIDE;
        options = &own;
    }
    status = cdi_build_canonical(&b, &source, options);
    if (status != CD_OK) return status;
    status = cdi_bvtree_write(&b, kind, slabs, fit, merge, out);
    cdi_builder_give_back(&b, source.count);
    return status;
}
