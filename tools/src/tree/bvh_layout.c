#include "tree/bvh_build.h"
#include "tree/bvh_layout.h"

/* ---- from the binary tree to nodes of eight children ---- */

/* Opens the child with the largest box until there are eight or all are leaves; they stay in order. */
static uint32_t cdi_gather_children(const cdi_builder *b, uint32_t slot, uint32_t child[8]) {
    uint32_t count = 1;
    child[0] = slot;
    while (count < 8) {
        uint32_t widest = 8;
        double area = -1.0;
        for (uint32_t i = 0; i < count; ++i) {
            const cdi_binary_node *n = &b->node[child[i]];
            if (n->count == 0 && cdi_box_area(&n->box) > area) {
                area = cdi_box_area(&n->box);
                widest = i;
            }
        }
        if (widest == 8) break;
        for (uint32_t i = count; i > widest + 1; --i) child[i] = child[i - 1];
        child[widest + 1] = b->node[child[widest]].next;
        ++child[widest];
        ++count;
    }
    return count;
}

/* A block being written. */
typedef struct cdi_layout {
    const cdi_builder *b;
    cdi_bvh_header *header;
    unsigned char *nodes; /* NULL: only counted */
    uint32_t *place;      /* of quantised trees: which item of the builder stands in each place */
    uint32_t nodes_given, items_given;
} cdi_layout;

/* A binary subtree to become node `number`. */
typedef struct cdi_layout_step {
    uint32_t slot, number, depth;
} cdi_layout_step;

static void cdi_lane_bounds(const cdi_frame *f, const cdi_box *box, float lo[3], float hi[3]) {
    for (int k = 0; k < 3; ++k) {
        lo[k] = cdi_float_down(cdi_frame_in(f, k, (double)box->v[k]));
        hi[k] = cdi_float_up(cdi_frame_in(f, k, -(double)box->v[4 + k]));
    }
}

/* ---- wide ---- */

static void cdi_write_wide(const cdi_layout *l, uint32_t number, uint32_t parent, uint32_t parent_lane,
                           const uint32_t child[8], uint32_t width) {
    cdi_bvh_node *nodes = (cdi_bvh_node *)(void *)l->nodes, *node = nodes + number;
    cdi_clear(node, sizeof *node);
    node->lanes = (1u << width) - 1u;
    if (number) nodes[parent].child[parent_lane] = number;
    for (uint32_t i = 0; i < width; ++i) {
        const cdi_binary_node *n = &l->b->node[child[i]];
        float lo[3], hi[3];
        cdi_lane_bounds(&l->header->frame, &n->box, lo, hi);
        for (int k = 0; k < 3; ++k) {
            node->lo[k][i] = lo[k];
            node->hi[k][i] = hi[k];
        }
        node->count[i] = (uint8_t)n->count;
        if (n->count) node->child[i] = n->next;
    }
}

typedef struct cdi_wide_step {
    uint32_t slot, parent, lane, depth;
} cdi_wide_step;

/* Numbers the wide nodes depth first, and writes them unless they are only counted. */
static void cdi_layout_wide(cdi_layout *l) {
    cdi_wide_step todo[CDI_BVH_STACK];
    uint32_t todo_count = 1;
    cdi_clear(&todo[0], sizeof todo[0]);
    l->nodes_given = l->header->depth = 0;
    while (todo_count > 0) {
        cdi_wide_step at = todo[--todo_count];
        uint32_t child[8], number = l->nodes_given++, width = cdi_gather_children(l->b, at.slot, child);
        if (l->header->depth < at.depth + 1) l->header->depth = at.depth + 1;
        if (l->nodes) cdi_write_wide(l, number, at.parent, at.lane, child, width);
        for (uint32_t i = width; i-- > 0;) {
            cdi_wide_step *next = &todo[todo_count];
            if (l->b->node[child[i]].count) continue;
            next->slot = child[i];
            next->parent = number;
            next->lane = i;
            next->depth = at.depth + 1;
            ++todo_count;
        }
    }
}

/* ---- quantised ---- */

/* Down to and up to a multiple of 2^-15. One is added afterwards: beside it a small number would be lost. */
static uint16_t cdi_quantise_down(float x) {
    float y = x * 32768.0f;
    int32_t q = (int32_t)y;
    return (uint16_t)(32768 + q - ((float)q > y ? 1 : 0));
}
static uint16_t cdi_quantise_up(float x) {
    float y = x * 32768.0f;
    int32_t q = (int32_t)y;
    return (uint16_t)(32768 + q + ((float)q < y ? 1 : 0));
}

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
        cdi_lane_bounds(&l->header->frame, &n->box, lo, hi);
        for (int k = 0; k < 3; ++k) {
            node->lo[k][i] = cdi_quantise_down(lo[k]);
            node->hi[k][i] = cdi_quantise_up(hi[k]);
        }
        node->count[i] = (uint8_t)n->count;
    }
}

/* Children get their numbers when their parent is met: nodes and items of one parent follow each other. */
static void cdi_layout_quantised(cdi_layout *l) {
    cdi_layout_step todo[CDI_BVH_STACK];
    uint32_t todo_count = 1;
    cdi_clear(&todo[0], sizeof todo[0]);
    l->nodes_given = 1;
    l->items_given = l->header->depth = 0;
    while (todo_count > 0) {
        cdi_layout_step at = todo[--todo_count];
        uint32_t child[8], width = cdi_gather_children(l->b, at.slot, child), nodes;
        if (l->header->depth < at.depth + 1) l->header->depth = at.depth + 1;
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
                cdi_lane_bounds(&l->header->frame, &n->box, nodes[number].lo, nodes[number].hi);
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

/* ---- the items ---- */

static cdi_frame cdi_frame_of(const cdi_box *bounds) {
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

/* Which item of the builder stands in place i. */
static uint32_t cdi_item_at(const cdi_layout *l, uint32_t i) {
    return l->place ? l->place[i] : i;
}

static void cdi_write_triangles(const cdi_layout *l, cdi_bvh_triangle *out) {
    for (uint32_t i = 0; i < l->b->count; ++i) {
        uint32_t index = l->b->order[cdi_item_at(l, i)];
        cd_triangle t;
        cdi_clear(&out[i], sizeof out[i]);
        if (!cd_mesh_triangle(l->b->source.mesh, index, &t)) continue; /* cannot be: it was read before */
        cdi_copy(out[i].v, &t.a, 3 * sizeof(cd_real));
        cdi_copy(out[i].v + 3, &t.b, 3 * sizeof(cd_real));
        cdi_copy(out[i].v + 6, &t.c, 3 * sizeof(cd_real));
        out[i].index = index;
    }
}

static void cdi_write_boxes(const cdi_layout *l, cdi_bvh_box *out) {
    for (uint32_t i = 0; i < l->b->count; ++i) {
        cdi_clear(&out[i], sizeof out[i]);
        out[i].index = l->b->order[cdi_item_at(l, i)];
        out[i].box = l->b->source.boxes[out[i].index];
    }
}

static void cdi_write_points(const cdi_layout *l, cdi_bvh_point *out) {
    for (uint32_t i = 0; i < l->b->count; ++i) {
        cdi_clear(&out[i], sizeof out[i]);
        out[i].index = l->b->order[cdi_item_at(l, i)];
        out[i].p = l->b->source.points[out[i].index];
    }
}

static void cdi_write_items(const cdi_layout *l, void *out) {
    switch (l->header->item) {
    case CD_BVH_TRIANGLES: cdi_write_triangles(l, (cdi_bvh_triangle *)out); break;
    case CD_BVH_BOXES: cdi_write_boxes(l, (cdi_bvh_box *)out); break;
    default: cdi_write_points(l, (cdi_bvh_point *)out); break;
    }
}

/* ---- the block ---- */

static void cdi_layout_nodes(cdi_layout *l) {
    switch (l->header->layout) {
    case CD_BVH_WIDE: cdi_layout_wide(l); break;
    case CD_BVH_BINARY: cdi_layout_binary(l); break;
    default: cdi_layout_quantised(l); break;
    }
    l->header->node_count = l->nodes_given;
}

static void cdi_header_begin(const cdi_builder *b, cdi_bvh_header *h) {
    cdi_clear(h, sizeof *h);
    h->magic = CDI_BVH_MAGIC;
    h->version = CDI_BVH_VERSION;
    h->real_size = (uint32_t)sizeof(cd_real);
    h->source_count = b->source.count;
    h->item_count = b->count;
    h->skipped_count = h->source_count - h->item_count;
    h->layout = b->options->layout;
    h->item = b->source.kind;
    h->has_masks = b->options->masks && b->count ? 1 : 0;
    if (b->count) {
        const cdi_box *bounds = &b->node[0].box;
        h->frame = cdi_frame_of(bounds);
        for (int k = 0; k < 3; ++k) {
            h->lo[k] = (double)bounds->v[k];
            h->hi[k] = -(double)bounds->v[4 + k];
        }
    }
}

static void cdi_write_masks(const cdi_layout *l, uint32_t *out) {
    for (uint32_t i = 0; i < l->b->count; ++i) out[i] = l->b->options->masks[l->b->order[cdi_item_at(l, i)]];
}

static void cdi_fill_block(cdi_layout *l, unsigned char *block) {
    unsigned char *at = block + sizeof *l->header;
    l->nodes = at;
    cdi_layout_nodes(l);
    at += l->header->node_count * cdi_bvh_node_size(l->header->layout);
    cdi_write_items(l, at);
    at += l->header->item_count * cdi_bvh_item_size(l->header->item) +
          l->header->corner_count * sizeof(cd_vec3);
    if (l->header->has_masks) cdi_write_masks(l, (uint32_t *)(void *)at);
    cdi_copy(block, l->header, sizeof *l->header);
}

CDI_FN cd_status cdi_write_block(const cdi_builder *b, cd_bvh *out) {
    cdi_bvh_header h;
    cdi_layout l;
    unsigned char *block = NULL;
    bool places = b->count && b->options->layout == CD_BVH_QUANTISED;
    cdi_header_begin(b, &h);
    cdi_clear(&l, sizeof l);
    l.b = b;
    l.header = &h;
    if (b->count) cdi_layout_nodes(&l);
    h.bytes = cdi_bvh_bytes(&h);
    if (h.bytes > SIZE_MAX) return CD_TOO_LARGE;
    if (places) l.place = (uint32_t *)cdi_alloc(&b->allocator, b->count, sizeof *l.place);
    if (!places || l.place) block = (unsigned char *)cdi_alloc(&b->allocator, (size_t)h.bytes, 1);
    if (block && b->count) cdi_fill_block(&l, block);
    if (block && !b->count) cdi_copy(block, &h, sizeof h);
    cdi_free(&b->allocator, l.place, b->count, sizeof *l.place);
    if (!block) return CD_OUT_OF_MEMORY;
    out->block = block;
    out->bytes = (size_t)h.bytes;
    out->allocator = b->allocator;
    out->owned = 1;
    return CD_OK;
}
