#include "tree/refit_grafts.h"

#include "tree/bvh_build.h"

#define CDI_GRAFT_LEAST 64u         /* items; a leaf has no more, so that a graft has a node */
#define CDI_NODE_GONE   0xFFFFFFFEu /* below a graft */
#define CDI_NODE_GOOD   0xFFFFFFFDu /* stays, with all below; CD_NONE: stays */

/* A subtree built anew: its items were `first` and those after it. */
typedef struct cdi_graft {
    uint32_t first, count;
    cd_bvh tree;
    cdi_bvh open;
} cdi_graft;

/* What is below a node: its items, and the surfaces of all lanes. */
typedef struct cdi_subtree {
    double cost;
    uint32_t items;
} cdi_subtree;

typedef struct cdi_grafting {
    const cdi_bvh *tree;
    const cdi_graft_options *options;
    uint32_t *mark;     /* of each node: the graft in its place, or one of the two above */
    cdi_subtree *below; /* of each node */
    cdi_graft *graft;
    uint32_t graft_count, items, gone;
    /* what is written */
    uint32_t *order; /* which old item stands in each place */
    uint32_t *corner;
    cdi_bvh to;
    cdi_bvh_header header;
    uint32_t nodes_given, items_given;
} cdi_grafting;

/* ---- choosing ---- */

static bool cdi_is_graft(uint32_t mark) {
    return mark < CDI_NODE_GOOD;
}

static void cdi_measure_subtrees(cdi_grafting *g) {
    for (uint32_t n = g->tree->header->node_count; n-- > 0;) {
        cdi_bvh_node scratch;
        const cdi_bvh_node *node = cdi_bvh_at(g->tree, n, &scratch);
        cdi_subtree all;
        all.cost = cdi_lanes_cost(node);
        all.items = 0;
        for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i) {
            all.items += node->count[i] ? node->count[i] : g->below[node->child[i]].items;
            if (!node->count[i]) all.cost += g->below[node->child[i]].cost;
        }
        g->below[n] = all;
    }
}

/* What becomes of a subtree whose parent stays: it is good as it is, or it is built anew, because its root would be bad even if its
 * children were not, or this is asked of its children. */
static uint32_t cdi_choose_mark(cdi_grafting *g, uint32_t n, const cdi_bvh_node *node) {
    double built = cdi_built_cost(g->tree, n), growth = g->options->growth;
    const cdi_subtree *all = &g->below[n];
    if (all->items <= CDI_GRAFT_LEAST || all->cost <= growth * built * cdi_node_area(node))
        return CDI_NODE_GOOD;
    if (cdi_own_cost(g->tree, n) <= (0.5 + 0.5 * growth) * built) return CD_NONE;
    g->items += all->items;
    return g->graft_count++;
}

static void cdi_choose_grafts(cdi_grafting *g) {
    uint32_t count = g->tree->header->node_count;
    for (uint32_t n = 0; n < count; ++n) g->mark[n] = CD_NONE;
    for (uint32_t n = 0; n < count; ++n) {
        cdi_bvh_node scratch;
        const cdi_bvh_node *node = cdi_bvh_at(g->tree, n, &scratch);
        uint32_t below;
        g->gone += g->mark[n] == CDI_NODE_GONE;
        if (g->mark[n] == CD_NONE) g->mark[n] = cdi_choose_mark(g, n, node);
        below = cdi_is_graft(g->mark[n]) ? CDI_NODE_GONE : g->mark[n];
        for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i) {
            if (!node->count[i]) g->mark[node->child[i]] = below;
        }
    }
}

/* ---- building ---- */

/* Items below a node follow each other; this is the first. */
static uint32_t cdi_first_below(const cdi_bvh *tree, uint32_t n) {
    cdi_bvh_node scratch;
    const cdi_bvh_node *node;
    if (tree->layout == CD_BVH_QUANTISED) return ((const cdi_bvh_quantised_node *)tree->nodes)[n].item;
    for (;;) {
        node = cdi_bvh_at(tree, n, &scratch);
        if (node->count[0]) return node->child[0];
        n = node->child[0];
    }
}

static cd_status cdi_build_over(const cdi_grafting *g, cd_aabb *box, cdi_graft *graft) {
    cd_bvh_options o;
    cdi_source s;
    cdi_clear(&o, sizeof o);
    cdi_clear(&s, sizeof s);
    o.layout = g->tree->layout;
    o.leaf_size = g->options->leaf_size;
    o.allocator = g->options->allocator;
    o.executor = g->options->executor;
    s.kind = g->tree->item;
    s.tree = g->tree;
    for (uint32_t i = 0; i < graft->count; ++i) (void)cdi_source_box(&s, graft->first + i, &box[i]);
    return cd_bvh_build_boxes(&graft->tree, box, graft->count, &o);
}

static cd_status cdi_build_graft(const cdi_grafting *g, uint32_t n) {
    cdi_graft *graft = &g->graft[g->mark[n]];
    cd_status status = CD_OUT_OF_MEMORY;
    cd_aabb *box;
    graft->first = cdi_first_below(g->tree, n);
    graft->count = g->below[n].items;
    box = (cd_aabb *)cdi_alloc(&g->options->allocator, graft->count, sizeof *box);
    if (box) status = cdi_build_over(g, box, graft);
    cdi_free(&g->options->allocator, box, graft->count, sizeof *box);
    if (status == CD_OK) (void)cdi_bvh_open(&graft->open, &graft->tree);
    return status;
}

static cd_status cdi_build_grafts(const cdi_grafting *g) {
    cd_status status = CD_OK;
    for (uint32_t n = 0; n < g->tree->header->node_count && status == CD_OK; ++n) {
        if (cdi_is_graft(g->mark[n])) status = cdi_build_graft(g, n);
    }
    return status;
}

/* ---- the walk over old and new nodes ---- */

/* A node on the way: in which tree, its number there and the new one, the next lane. */
typedef struct cdi_graft_step {
    const cdi_graft *in; /* NULL: the old tree */
    uint32_t from, to, lane, waiting;
} cdi_graft_step;

static cdi_graft_step cdi_step_to(const cdi_grafting *g, const cdi_graft *in, uint32_t from, uint32_t to) {
    cdi_graft_step s;
    cdi_clear(&s, sizeof s);
    s.in = in;
    s.from = from;
    s.to = to;
    if (!in && cdi_is_graft(g->mark[from])) {
        s.in = &g->graft[g->mark[from]];
        s.from = 0;
    }
    return s;
}

static const cdi_bvh_node *cdi_step_node(const cdi_grafting *g, const cdi_graft_step *s,
                                         cdi_bvh_node *scratch) {
    return cdi_bvh_at(s->in ? &s->in->open : g->tree, s->from, scratch);
}

/* Items of a leaf get the next numbers. */
static void cdi_take_items(cdi_grafting *g, const cdi_graft *in, uint32_t first, uint32_t count) {
    for (uint32_t i = first; i < first + count; ++i)
        g->order[g->items_given++] = in ? in->first + cdi_bvh_index(&in->open, i) : i;
}

/* Copies a node that is met; its boxes are made later. A quantised one gives its children and items their numbers now. */
static void cdi_meet_node(cdi_grafting *g, const cdi_graft_step *s) {
    size_t size = cdi_bvh_node_size(g->tree->layout);
    const unsigned char *nodes = (const unsigned char *)(s->in ? s->in->open.nodes : g->tree->nodes);
    unsigned char *to = (unsigned char *)g->to.nodes + s->to * size;
    cdi_copy(to, nodes + s->from * size, size);
    if (g->tree->layout == CD_BVH_QUANTISED) {
        cdi_bvh_quantised_node *node = (cdi_bvh_quantised_node *)(void *)to;
        uint32_t item = node->item;
        node->child = g->nodes_given;
        node->item = g->items_given;
        for (uint32_t i = 0; i < 8 && (node->lanes >> i & 1u); ++i) {
            cdi_take_items(g, s->in, item, node->count[i]);
            item += node->count[i];
            g->nodes_given += node->count[i] == 0;
        }
    }
}

/* Lane `i` of a node on the way: its number; items of a wide node get theirs now. */
static uint32_t cdi_number_lane(cdi_grafting *g, const cdi_graft_step *s, const cdi_bvh_node *node,
                                uint32_t i) {
    uint32_t number;
    if (g->tree->layout == CD_BVH_QUANTISED) {
        number = ((const cdi_bvh_quantised_node *)g->to.nodes)[s->to].child;
        for (uint32_t k = 0; k < i; ++k) number += node->count[k] == 0;
        return number;
    }
    number = node->count[i] ? g->items_given : g->nodes_given++;
    ((cdi_bvh_node *)g->to.nodes)[s->to].child[i] = number;
    cdi_take_items(g, s->in, node->child[i], node->count[i]);
    return number;
}

/* False when it comes too deep, or too many nodes would wait in a walk. */
static bool cdi_write_nodes(cdi_grafting *g) {
    cdi_graft_step path[CDI_BVH_DEPTH];
    uint32_t length = 1;
    g->nodes_given = 1;
    path[0] = cdi_step_to(g, NULL, 0, 0);
    while (length > 0) {
        cdi_graft_step *at = &path[length - 1];
        cdi_bvh_node scratch;
        const cdi_bvh_node *node = cdi_step_node(g, at, &scratch);
        uint32_t lane = at->lane++, number;
        if (lane == 0) cdi_meet_node(g, at);
        if (lane == 8 || !(node->lanes >> lane & 1u)) {
            --length;
            continue;
        }
        number = cdi_number_lane(g, at, node, lane);
        if (node->count[lane]) continue;
        if (length == CDI_BVH_DEPTH) return false;
        path[length] = cdi_step_to(g, at->in, node->child[lane], number);
        path[length].waiting = at->waiting + cdi_lowest_bit(node->lanes + 1u) - 1u;
        if (path[length].waiting > CDI_BVH_WAITING) return false;
        ++length;
        if (length > g->header.depth) g->header.depth = length;
    }
    return true;
}

/* ---- the block ---- */

static void cdi_write_graft_corners(const cdi_grafting *g) {
    cdi_bvh_indexed *item = (cdi_bvh_indexed *)g->to.items;
    cd_vec3 *corners = (cd_vec3 *)g->to.corners;
    uint32_t given = 0;
    for (uint32_t i = 0; i < g->header.corner_count; ++i) g->corner[i] = CD_NONE;
    for (uint32_t i = 0; i < g->header.item_count; ++i) {
        for (int k = 0; k < 3; ++k) {
            uint32_t *number = &g->corner[item[i].corner[k]];
            if (*number == CD_NONE) {
                corners[given] = g->tree->corners[item[i].corner[k]];
                *number = given++;
            }
            item[i].corner[k] = *number;
        }
    }
}

static void cdi_write_graft_items(const cdi_grafting *g) {
    size_t size = cdi_bvh_item_size(g->tree->item);
    for (uint32_t i = 0; i < g->header.item_count; ++i) {
        cdi_copy((unsigned char *)g->to.items + i * size,
                 (const unsigned char *)g->tree->items + g->order[i] * size, size);
        if (g->tree->masks) ((uint32_t *)g->to.masks)[i] = g->tree->masks[g->order[i]];
    }
    if (g->corner) cdi_write_graft_corners(g);
}

/* Nodes that stay, and those of the grafts in place of their roots. */
static void cdi_graft_header(cdi_grafting *g) {
    g->header = *g->tree->header;
    g->header.depth = 1;
    g->header.node_count -= g->gone + g->graft_count;
    for (uint32_t i = 0; i < g->graft_count; ++i) g->header.node_count += g->graft[i].open.header->node_count;
    g->header.bytes = cdi_bvh_bytes(&g->header);
}

static cd_status cdi_write_grafted(cdi_grafting *g, cd_bvh *out) {
    const cd_allocator *allocator = &g->options->allocator;
    void *block;
    cdi_graft_header(g);
    if (g->header.bytes > SIZE_MAX) return CD_TOO_LARGE;
    block = cdi_alloc(allocator, (size_t)g->header.bytes, 1);
    if (!block) return CD_OUT_OF_MEMORY;
    out->block = block;
    out->bytes = (size_t)g->header.bytes;
    out->allocator = *allocator;
    out->owned = 1;
    cdi_copy(block, &g->header, sizeof g->header);
    (void)cdi_bvh_open(&g->to, out);
    if (!cdi_write_nodes(g)) {
        cd_bvh_destroy(out);
        g->items = 0;
        return CD_OK;
    }
    ((cdi_bvh_header *)block)->depth = g->header.depth;
    cdi_write_graft_items(g);
    return CD_OK;
}

/* ---- the whole ---- */

static bool cdi_grafting_begin(cdi_grafting *g) {
    const cdi_bvh_header *h = g->tree->header;
    const cd_allocator *allocator = &g->options->allocator;
    g->mark = (uint32_t *)cdi_alloc(allocator, h->node_count, sizeof *g->mark);
    g->below = (cdi_subtree *)cdi_alloc(allocator, h->node_count, sizeof *g->below);
    return g->mark && g->below;
}

static bool cdi_grafting_more(cdi_grafting *g) {
    const cdi_bvh_header *h = g->tree->header;
    const cd_allocator *allocator = &g->options->allocator;
    g->graft = (cdi_graft *)cdi_alloc(allocator, g->graft_count, sizeof *g->graft);
    g->order = (uint32_t *)cdi_alloc(allocator, h->item_count, sizeof *g->order);
    if (g->tree->item == CDI_ITEM_INDEXED)
        g->corner = (uint32_t *)cdi_alloc(allocator, h->corner_count, sizeof *g->corner);
    if (g->graft) cdi_clear(g->graft, g->graft_count * sizeof *g->graft);
    return g->graft && g->order && (g->corner || g->tree->item != CDI_ITEM_INDEXED);
}

static void cdi_grafting_end(cdi_grafting *g) {
    const cdi_bvh_header *h = g->tree->header;
    const cd_allocator *allocator = &g->options->allocator;
    for (uint32_t i = 0; g->graft && i < g->graft_count; ++i) cd_bvh_destroy(&g->graft[i].tree);
    cdi_free(allocator, g->corner, h->corner_count, sizeof *g->corner);
    cdi_free(allocator, g->order, h->item_count, sizeof *g->order);
    cdi_free(allocator, g->graft, g->graft_count, sizeof *g->graft);
    cdi_free(allocator, g->below, h->node_count, sizeof *g->below);
    cdi_free(allocator, g->mark, h->node_count, sizeof *g->mark);
}

CDI_FN cd_status cdi_graft_subtrees(const cdi_bvh *tree, const cdi_graft_options *o, cd_bvh *out,
                                    uint32_t *items) {
    cd_status status = CD_OUT_OF_MEMORY;
    cdi_grafting g;
    cdi_clear(&g, sizeof g);
    cdi_clear(out, sizeof *out);
    g.tree = tree;
    g.options = o;
    if (cdi_grafting_begin(&g)) {
        status = CD_OK;
        cdi_measure_subtrees(&g);
        cdi_choose_grafts(&g);
        if (g.items > tree->header->item_count / 2) g.items = 0;
        if (g.items && !cdi_grafting_more(&g)) status = CD_OUT_OF_MEMORY;
        if (g.items && status == CD_OK) status = cdi_build_grafts(&g);
        if (g.items && status == CD_OK) status = cdi_write_grafted(&g, out);
    }
    cdi_grafting_end(&g);
    *items = status == CD_OK ? g.items : 0;
    return status;
}

#undef CDI_GRAFT_LEAST
#undef CDI_NODE_GONE
#undef CDI_NODE_GOOD
