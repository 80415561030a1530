#include "tree/bvh_build.h"
#include "tree/bvh_layout.h"
#include "tree/bvh_packing.h"

/* ---- from the binary tree to nodes of eight children ---- */

/* What a node is worth opening; a leaf is not. */
static double cdi_opening(const cdi_binary_node *n) {
    return n->count ? -1.0 : cdi_box_area(&n->box);
}

CDI_FN uint32_t cdi_gather_children(const cdi_builder *b, uint32_t slot, uint32_t *child, uint32_t most) {
    double area[CDI_DEGREE_MOST];
    uint32_t count = 1, widest = 0;
    child[0] = slot;
    area[0] = cdi_opening(&b->node[slot]);
    while (count < most && area[widest] >= 0.0) {
        for (uint32_t i = count; i > widest + 1; --i) {
            child[i] = child[i - 1];
            area[i] = area[i - 1];
        }
        child[widest + 1] = b->node[child[widest]].next;
        ++child[widest];
        area[widest] = cdi_opening(&b->node[child[widest]]);
        area[widest + 1] = cdi_opening(&b->node[child[widest + 1]]);
        ++count;
        widest = 0;
        for (uint32_t i = 1; i < count; ++i) widest = area[i] > area[widest] ? i : widest;
    }
    return count;
}

/* A block being written. */
typedef struct cdi_layout {
    const cdi_builder *b;
    cdi_bvh_header *header;
    unsigned char *nodes; /* NULL: only counted */
    void *items;
    cdi_packing *packing; /* of compact trees: what stands for the rest */
    uint32_t *place;      /* of quantised and compact trees: which item of the builder stands in each place */
    uint32_t *corner;     /* of indexed triangles: the number of each of the source's corners */
    uint32_t corner_room;
    uint32_t nodes_given, items_given;
    uint32_t *
        kept; /* the children of each node in slots of the binary tree, CD_NONE for none, from when they were counted */
    cdi_framing framing;
    uint32_t most, waiting; /* children a node; how many wait in a walk, see CDI_BVH_WAITING */
} cdi_layout;

/* What is still to be done while nodes of eight are made of a binary tree. */
#define CDI_LAYOUT_STACK (7u * CDI_BINARY_DEPTH + 8u)

/* A node is met. */
static void cdi_layout_meet(cdi_layout *l, uint32_t depth, uint32_t waiting) {
    if (l->header->depth < depth + 1) l->header->depth = depth + 1;
    if (l->waiting < waiting) l->waiting = waiting;
}

/* A binary subtree to become node `number`. */
typedef struct cdi_layout_step {
    uint32_t slot, number, depth, waiting;
} cdi_layout_step;

/* The children of node `number`: gathered when it is counted, and kept until it is written. */
static uint32_t cdi_kept_children(const cdi_layout *l, uint32_t number, uint32_t child[8]) {
    const uint32_t *kept = l->kept + 8 * (size_t)number;
    uint32_t width = 0;
    for (; width < 8 && kept[width] != CD_NONE; ++width) child[width] = kept[width];
    return width;
}

static uint32_t cdi_layout_children(const cdi_layout *l, uint32_t number, uint32_t slot, uint32_t child[8]) {
    uint32_t *kept = l->kept + 8 * (size_t)number, width;
    if (l->nodes) return cdi_kept_children(l, number, child);
    width = cdi_gather_children(l->b, slot, child, l->most);
    for (uint32_t i = 0; i < 8; ++i) kept[i] = i < width ? child[i] : CD_NONE;
    return width;
}

/* ---- wide ---- */

/* What stands in `next` of a binary node that became a node is its number by now. */
static void cdi_write_wide(const cdi_layout *l, uint32_t number) {
    cdi_bvh_node *node = (cdi_bvh_node *)(void *)l->nodes + number;
    uint32_t child[8], width = cdi_kept_children(l, number, child);
    cdi_clear(node, sizeof *node);
    node->lanes = (1u << width) - 1u;
    for (uint32_t i = 0; i < width; ++i) {
        const cdi_binary_node *n = &l->b->node[child[i]];
        float lo[3], hi[3];
        cdi_frame_box(&l->framing, &n->box, lo, hi);
        for (int k = 0; k < 3; ++k) {
            node->lo[k][i] = lo[k];
            node->hi[k][i] = hi[k];
        }
        node->count[i] = (uint8_t)n->count;
        node->child[i] = n->next;
    }
}

static void cdi_write_wide_part(void *ctx, uint32_t part) {
    const cdi_layout *l = (const cdi_layout *)ctx;
    uint32_t end = cdi_part_end(part, l->header->node_count);
    for (uint32_t i = part * CDI_PART; i < end; ++i) cdi_write_wide(l, i);
}

/* Numbers the nodes depth first, as they were counted. */
static void cdi_number_wide(const cdi_layout *l) {
    uint32_t todo[CDI_LAYOUT_STACK], todo_count = 1, number = 0;
    todo[0] = 0;
    while (todo_count > 0) {
        uint32_t child[8], slot = todo[--todo_count], width = cdi_kept_children(l, number, child);
        for (uint32_t i = width; i-- > 0;) {
            if (l->b->node[child[i]].count == 0) todo[todo_count++] = child[i];
        }
        if (l->b->node[slot].count == 0) l->b->node[slot].next = number;
        ++number;
    }
}

typedef struct cdi_wide_step {
    uint32_t slot, depth, waiting;
} cdi_wide_step;

/* Counts the wide nodes depth first. */
static void cdi_count_wide(cdi_layout *l) {
    cdi_wide_step todo[CDI_LAYOUT_STACK];
    uint32_t todo_count = 1;
    cdi_clear(&todo[0], sizeof todo[0]);
    l->nodes_given = l->header->depth = 0;
    while (todo_count > 0) {
        cdi_wide_step at = todo[--todo_count];
        uint32_t child[8], number = l->nodes_given++, width = cdi_layout_children(l, number, at.slot, child);
        cdi_layout_meet(l, at.depth, at.waiting);
        for (uint32_t i = width; i-- > 0;) {
            cdi_wide_step *next = &todo[todo_count];
            if (l->b->node[child[i]].count) continue;
            CDI_PREFETCH(&l->b->node[l->b->node[child[i]].next]);
            next->slot = child[i];
            next->depth = at.depth + 1;
            next->waiting = at.waiting + width - 1;
            ++todo_count;
        }
    }
}

static bool cdi_layout_wide(cdi_layout *l) {
    if (!l->nodes) {
        cdi_count_wide(l);
        return true;
    }
    cdi_number_wide(l);
    return cdi_run_tasks(l->b, cdi_part_count(l->header->node_count), cdi_write_wide_part, l, 0.85, 0.9);
}

/* ---- quantised ---- */

static void cdi_write_quantised(const cdi_layout *l, uint32_t number, const uint32_t child[8],
                                uint32_t width) {
    cdi_bvh_quantised_node *node = (cdi_bvh_quantised_node *)(void *)l->nodes + number;
    cdi_clear(node, sizeof *node);
    node->lanes = (1u << width) - 1u;
    node->child = l->nodes_given;
    node->item = l->items_given;
    for (uint32_t i = 0; i < width; ++i) {
        const cdi_binary_node *n = &l->b->node[child[i]];
        float lo[3], hi[3];
        cdi_frame_box(&l->framing, &n->box, lo, hi);
        for (int k = 0; k < 3; ++k) {
            node->lo[k][i] = cdi_quantise_down(lo[k]);
            node->hi[k][i] = cdi_quantise_up(hi[k]);
        }
        node->count[i] = (uint8_t)n->count;
    }
}

/* Children get their numbers when their parent is met: nodes and items of one parent follow each other. */
static void cdi_layout_quantised(cdi_layout *l) {
    cdi_layout_step todo[CDI_LAYOUT_STACK];
    uint32_t todo_count = 1;
    cdi_clear(&todo[0], sizeof todo[0]);
    l->nodes_given = 1;
    l->items_given = l->header->depth = 0;
    while (todo_count > 0) {
        cdi_layout_step at = todo[--todo_count];
        uint32_t child[8], width = cdi_layout_children(l, at.number, at.slot, child), nodes;
        cdi_layout_meet(l, at.depth, at.waiting);
        if (l->nodes) cdi_write_quantised(l, at.number, child, width);
        for (uint32_t i = 0; i < width; ++i) {
            const cdi_binary_node *n = &l->b->node[child[i]];
            if (!n->count) ++l->nodes_given;
            for (uint32_t k = 0; k < n->count && l->nodes; ++k) l->place[l->items_given + k] = n->next + k;
            l->items_given += n->count;
        }
        nodes = l->nodes_given;
        for (uint32_t i = width; i-- > 0;) {
            cdi_layout_step *next = &todo[todo_count];
            if (l->b->node[child[i]].count) continue;
            next->slot = child[i];
            next->number = --nodes;
            next->depth = at.depth + 1;
            next->waiting = at.waiting + width - 1;
            ++todo_count;
        }
    }
}

/* ---- binary ---- */

/* The canonical tree without its unused slots. A node's own number is known when it is met: preorder. */
static void cdi_layout_binary(cdi_layout *l) {
    struct {
        uint32_t slot, parent, depth;
    } todo[CDI_BINARY_DEPTH + 1];
    cdi_bvh_binary_node *nodes = (cdi_bvh_binary_node *)(void *)l->nodes;
    uint32_t todo_count = 1;
    cdi_clear(&todo[0], sizeof todo[0]);
    todo[0].parent = CD_NONE;
    l->nodes_given = l->header->depth = 0;
    while (todo_count > 0) {
        uint32_t slot = todo[--todo_count].slot, parent = todo[todo_count].parent,
                 depth = todo[todo_count].depth;
        for (;;) {
            const cdi_binary_node *n = &l->b->node[slot];
            uint32_t number = l->nodes_given++;
            if (l->header->depth < depth + 1) l->header->depth = depth + 1;
            if (nodes) {
                cdi_frame_box(&l->framing, &n->box, nodes[number].lo, nodes[number].hi);
                nodes[number].count = n->count;
                nodes[number].next = n->next; /* of an inner node: until the right child is met */
                if (parent != CD_NONE) nodes[parent].next = number;
            }
            if (n->count) break;
            ++depth;
            todo[todo_count].slot = n->next;
            todo[todo_count].parent = number;
            todo[todo_count++].depth = depth;
            parent = CD_NONE;
            ++slot;
        }
    }
}

/* ---- the frame ---- */

CDI_FN cdi_frame cdi_frame_of(const cdi_box *bounds) {
    double half = 0.0;
    cdi_frame f;
    cdi_clear(&f, sizeof f);
    for (int k = 0; k < 3; ++k) {
        double lo = (double)bounds->v[k], hi = -(double)bounds->v[4 + k];
        f.origin[k] = 0.5 * lo + 0.5 * hi;
        half = cdi_max(half, cdi_max(hi - f.origin[k], f.origin[k] - lo));
    }
    f.exponent = half > 0.0 ? cdi_exponent(half) + 1 : 0;
    if (cdi_scale2(half, -f.exponent) > 0.999) ++f.exponent;
    return f;
}

CDI_FN void cdi_set_bounds(cdi_bvh_header *h, const cdi_box *bounds) {
    h->frame = cdi_frame_of(bounds);
    for (int k = 0; k < 3; ++k) {
        h->lo[k] = (double)bounds->v[k] + 0.0; /* -0 is 0, whatever the order of the items */
        h->hi[k] = -(double)bounds->v[4 + k] + 0.0;
    }
}

/* ---- the items ---- */

/* Which item of the source stands in place i, and the index by which the caller knows it. */
static uint32_t cdi_item_at(const cdi_layout *l, uint32_t i) {
    return l->b->order[l->place ? l->place[i] : i];
}
static uint32_t cdi_index_of_item(const cdi_layout *l, uint32_t item) {
    return cdi_source_index(&l->b->source, item);
}

/* ---- corners that triangles share ---- */

#define CDI_CORNER_SEEN 0xFFFFFFFEu /* in use, and without a number yet; CD_NONE: not in use */

/* The three corners of an item, by the source's numbers. */
static void cdi_source_corners(const cdi_source *s, uint32_t item, uint32_t corner[3]) {
    if (s->tree) {
        cdi_copy(corner, ((const cdi_bvh_indexed *)s->tree->items)[item].corner, 3 * sizeof *corner);
    } else {
        cd_mesh_indices(s->mesh, item, corner);
    }
}

/* One more than the largest number of a corner in use: the view's count may be far more than is there to be read. */
static uint32_t cdi_corner_room(const cdi_builder *b) {
    uint32_t room = 0, corner[3];
    for (uint32_t i = 0; i < b->count; ++i) {
        cdi_source_corners(&b->source, b->order[i], corner);
        for (int k = 0; k < 3; ++k) room = corner[k] < room ? room : corner[k] + 1;
    }
    return room;
}

/* Marks the corners in use, and counts them. */
static void cdi_mark_corners(cdi_layout *l) {
    uint32_t corner[3];
    for (uint32_t i = 0; i < l->corner_room; ++i) l->corner[i] = CD_NONE;
    for (uint32_t i = 0; i < l->b->count; ++i) {
        cdi_source_corners(&l->b->source, l->b->order[i], corner);
        for (int k = 0; k < 3; ++k) {
            if (l->corner[corner[k]] == CD_NONE) ++l->header->corner_count;
            l->corner[corner[k]] = CDI_CORNER_SEEN;
        }
    }
}

/* Corners get their numbers when a leaf first uses them: what is used together lies together. */
static void cdi_write_indexed(const cdi_layout *l, cdi_bvh_indexed *out) {
    const cdi_source *s = &l->b->source;
    cd_vec3 *corners = (cd_vec3 *)(void *)(out + l->b->count);
    uint32_t given = 0, corner[3];
    for (uint32_t i = 0; i < l->b->count; ++i) {
        uint32_t item = cdi_item_at(l, i);
        cdi_source_corners(s, item, corner);
        out[i].index = cdi_index_of_item(l, item);
        for (int k = 0; k < 3; ++k) {
            uint32_t *number = &l->corner[corner[k]];
            if (*number == CDI_CORNER_SEEN) {
                corners[given] = s->tree ? s->tree->corners[corner[k]] : cd_mesh_position(s->mesh, corner[k]);
                *number = given++;
            }
            out[i].corner[k] = *number;
        }
    }
}

/* ---- items that stand alone ---- */

/* Asks for the indices of the item that is written some time later, and for the corners of one that comes before it. */
static void cdi_fetch_triangles(const cdi_layout *l, const cdi_plain_mesh *m, uint32_t i) {
    const uint32_t soon = 12, later = 24;
    if (i + later >= l->b->count) return;
    CDI_PREFETCH(m->indices + cdi_item_at(l, i + later) * m->index_stride);
    for (uint32_t k = 0; k < 3; ++k)
        CDI_PREFETCH(cdi_plain_corner(m, cdi_plain_index(m, cdi_item_at(l, i + soon), k)));
}

static void cdi_write_plain_triangles(const cdi_layout *l, uint32_t i, uint32_t end) {
    const cdi_plain_mesh m = cdi_plain_mesh_of(l->b->source.mesh);
    for (; i < end; ++i) {
        cdi_bvh_triangle *out = (cdi_bvh_triangle *)l->items + i;
        uint32_t item = cdi_item_at(l, i);
        cdi_fetch_triangles(l, &m, i);
        for (uint32_t k = 0; k < 3; ++k) {
            const unsigned char *corner = cdi_plain_corner(&m, cdi_plain_index(&m, item, k));
            cdi_copy(out->v + 3 * k, corner, 3 * sizeof(cd_real));
        }
        out->index = item;
#ifdef COLLIDE_DOUBLE
        out->unused = 0;
#endif
    }
}

static void cdi_write_triangles(const cdi_layout *l, uint32_t i, uint32_t end) {
    const cdi_source *s = &l->b->source;
    if (cdi_is_plain_mesh(s)) {
        cdi_write_plain_triangles(l, i, end);
        return;
    }
    for (; i < end; ++i) {
        cdi_bvh_triangle *out = (cdi_bvh_triangle *)l->items + i;
        uint32_t item = cdi_item_at(l, i);
        cd_triangle t = cdi_source_triangle(s, item);
        cdi_clear(out, sizeof *out);
        cdi_copy(out->v, &t.a, 3 * sizeof(cd_real));
        cdi_copy(out->v + 3, &t.b, 3 * sizeof(cd_real));
        cdi_copy(out->v + 6, &t.c, 3 * sizeof(cd_real));
        out->index = cdi_index_of_item(l, item);
    }
}

static void cdi_write_boxes(const cdi_layout *l, uint32_t i, uint32_t end) {
    const cdi_source *s = &l->b->source;
    for (; i < end; ++i) {
        cdi_bvh_box *out = (cdi_bvh_box *)l->items + i;
        uint32_t item = cdi_item_at(l, i);
        cdi_clear(out, sizeof *out);
        out->index = cdi_index_of_item(l, item);
        out->box = s->tree ? cdi_bvh_box_of(s->tree, item) : s->boxes[item];
    }
}

static void cdi_write_points(const cdi_layout *l, uint32_t i, uint32_t end) {
    const cdi_source *s = &l->b->source;
    for (; i < end; ++i) {
        cdi_bvh_point *out = (cdi_bvh_point *)l->items + i;
        uint32_t item = cdi_item_at(l, i);
        cdi_clear(out, sizeof *out);
        out->index = cdi_index_of_item(l, item);
        out->p = s->tree ? cdi_bvh_point_of(s->tree, item) : s->points[item];
    }
}

static void cdi_write_item_part(void *ctx, uint32_t part) {
    const cdi_layout *l = (const cdi_layout *)ctx;
    uint32_t first = part * CDI_PART, end = cdi_part_end(part, l->b->count);
    switch (l->header->item) {
    case CD_BVH_TRIANGLES: cdi_write_triangles(l, first, end); break;
    case CD_BVH_BOXES: cdi_write_boxes(l, first, end); break;
    default: cdi_write_points(l, first, end); break;
    }
}

/* False when cancelled. */
static bool cdi_write_items(cdi_layout *l, void *out, double from, double to) {
    l->items = out;
    if (l->header->item == CDI_ITEM_INDEXED) {
        cdi_write_indexed(l, (cdi_bvh_indexed *)out);
        return true;
    }
    return cdi_run_tasks(l->b, cdi_part_count(l->b->count), cdi_write_item_part, l, from, to);
}

/* ---- the block ---- */

/* False when cancelled. */
static bool cdi_layout_nodes(cdi_layout *l) {
    bool done = true;
    switch (l->header->layout) {
    case CD_BVH_WIDE: done = cdi_layout_wide(l); break;
    case CD_BVH_BINARY: cdi_layout_binary(l); break;
    default: cdi_layout_quantised(l); break;
    }
    l->header->node_count = l->nodes_given;
    return done;
}

CDI_FN void cdi_header_begin(const cdi_builder *b, cdi_bvh_header *h) {
    cdi_clear(h, sizeof *h);
    h->magic = CDI_BVH_MAGIC;
    h->version = CDI_BVH_VERSION;
    h->real_size = (uint32_t)sizeof(cd_real);
    h->source_count = b->source.count;
    h->item_count = b->count;
    h->skipped_count = h->source_count - h->item_count;
    h->layout = b->options->layout;
    h->item = b->source.kind;
    if (h->item > CDI_ITEM_INDEXED) h->item = CD_BVH_TRIANGLES;
    if (h->item == CD_BVH_TRIANGLES && (b->options->flags & CD_BVH_INDEXED)) h->item = CDI_ITEM_INDEXED;
    if (h->layout == CD_BVH_COMPACT) h->item = CDI_ITEM_PACKED;
    h->has_masks = (b->source.tree ? b->source.tree->masks : b->options->masks) && b->count ? 1 : 0;
    if (b->count) cdi_set_bounds(h, &b->node[0].box);
}

static void cdi_write_masks(const cdi_layout *l, uint32_t *out) {
    const uint32_t *masks = l->b->source.tree ? l->b->source.tree->masks : l->b->options->masks;
    const cdi_bvh *tree = l->b->source.tree;
    for (uint32_t i = 0; i < l->b->count; ++i) {
        uint32_t item = cdi_item_at(l, i);
        out[i] = tree ? cdi_bvh_mask(tree, item) : masks[item];
    }
}

CDI_FN bool cdi_write_leaves(const cdi_builder *b, cdi_bvh_header *h, unsigned char *out, double from,
                             double to) {
    cdi_layout l;
    cdi_clear(&l, sizeof l);
    l.b = b;
    l.header = h;
    if (!cdi_write_items(&l, out, from, to)) return false;
    if (h->has_masks)
        cdi_write_masks(&l, (uint32_t *)(void *)(out + h->item_count * cdi_bvh_item_size(h->item)));
    return true;
}

static void cdi_fill_packed(cdi_layout *l, unsigned char *block) {
    cdi_packing_write(l->packing, block + sizeof *l->header);
    l->place = l->packing->place;
    if (l->header->has_masks)
        cdi_write_masks(l, (uint32_t *)(void *)(block + l->header->bytes) - l->b->count);
    l->place = NULL;
}

static bool cdi_fill_block(cdi_layout *l, unsigned char *block) {
    unsigned char *at = block + sizeof *l->header;
    l->nodes = at;
    if (!cdi_layout_nodes(l)) return false;
    at += l->header->node_count * cdi_bvh_node_size(l->header->layout);
    if (!cdi_write_items(l, at, 0.9, 1.0)) return false;
    at += l->header->item_count * cdi_bvh_item_size(l->header->item) +
          l->header->corner_count * sizeof(cd_vec3);
    if (l->header->has_masks) cdi_write_masks(l, (uint32_t *)(void *)at);
    return true;
}

/* What the layout and the items need beside the block; false when there is no memory. */
static bool cdi_layout_begin(cdi_layout *l) {
    const cdi_builder *b = l->b;
    if (l->header->layout == CD_BVH_QUANTISED) {
        l->place = (uint32_t *)cdi_alloc(&b->allocator, b->count, sizeof *l->place);
        if (!l->place) return false;
    }
    if (l->header->item == CDI_ITEM_INDEXED) {
        l->corner_room = cdi_corner_room(b);
        l->corner = (uint32_t *)cdi_alloc(&b->allocator, l->corner_room, sizeof *l->corner);
        if (!l->corner) return false;
        cdi_mark_corners(l);
    }
    return true;
}

static void cdi_layout_end(cdi_layout *l) {
    cdi_free(&l->b->allocator, l->corner, l->corner_room, sizeof *l->corner);
    cdi_free(&l->b->allocator, l->place, l->b->count, sizeof *l->place);
}

static cd_status cdi_take_block(cdi_layout *l, cd_bvh *out) {
    unsigned char *block;
    l->header->bytes = cdi_bvh_bytes(l->header);
    if (l->header->bytes > SIZE_MAX) return CD_TOO_LARGE;
    block = (unsigned char *)cdi_alloc(&l->b->allocator, (size_t)l->header->bytes, 1);
    if (!block) return CD_OUT_OF_MEMORY;
    if (l->packing) {
        cdi_fill_packed(l, block);
    } else if (l->b->count && !cdi_fill_block(l, block)) {
        cdi_free(&l->b->allocator, block, (size_t)l->header->bytes, 1);
        return CD_CANCELLED;
    }
    cdi_copy(block, l->header, sizeof *l->header);
    out->block = block;
    out->bytes = (size_t)l->header->bytes;
    out->allocator = l->b->allocator;
    out->owned = 1;
    return CD_OK;
}

static cd_status cdi_write_packed_block(cdi_layout *l, cd_bvh *out) {
    cd_status status = CD_OUT_OF_MEMORY;
    cdi_packing p;
    if (l->b->count > CDI_PACKED_MOST) return CD_TOO_LARGE;
    if (cdi_packing_begin(&p, l->b, l->header)) {
        l->packing = &p;
        status = cdi_take_block(l, out);
    }
    cdi_packing_end(&p);
    return status;
}

CDI_FN cd_status cdi_write_block(const cdi_builder *b, cd_bvh *out) {
    cdi_bvh_header h;
    cdi_layout l;
    cd_status status = CD_OUT_OF_MEMORY;
    cdi_header_begin(b, &h);
    cdi_clear(&l, sizeof l);
    l.b = b;
    l.header = &h;
    if (h.layout == CD_BVH_COMPACT && b->count) return cdi_write_packed_block(&l, out);
    l.kept = (uint32_t *)(void *)b->box; /* boxes are not needed any more */
    l.framing = cdi_framing_of(&h.frame);
    l.most = 9;
    do {
        --l.most;
        l.waiting = 0;
        if (b->count) (void)cdi_layout_nodes(&l);
    } while (l.waiting > CDI_BVH_WAITING);
    if (!b->count || cdi_layout_begin(&l)) status = cdi_take_block(&l, out);
    cdi_layout_end(&l);
    return status;
}

#undef CDI_LAYOUT_STACK
#undef CDI_CORNER_SEEN
