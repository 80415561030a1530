#include "tree/bvh_layout.h"
#include "tree/bvh_nodes.h"
#include "tree/fans.h"

/* A graph under way; all arrays have a number for each node, or one more, or one for each box. */
typedef struct cdi_graph {
    const cd_bvh_graph *g;
    uint32_t nodes, boxes, leaf_size;
    uint32_t *kid_start, *kid;   /* children by parent, in their order; the root comes last in `kid` */
    uint32_t *item_start, *item; /* boxes by node, in their order */
    uint32_t *queue;             /* nodes, parents first */
    uint32_t *below;             /* boxes below each node */
    uint32_t *fan;               /* the number that a node has as a fan */
    uint32_t *start, *slot, *levels;
    cdi_fan_child *child;
    cd_aabb *own_box;
} cdi_graph;

/* ---- checking ---- */

static bool cdi_own_box_is_valid(cd_aabb b) {
    return cd_aabb_is_valid(b) || cd_aabb_is_empty(b);
}

static bool cdi_graph_is_valid(const cd_bvh_graph *g) {
    uint32_t roots = 0;
    if ((g->node_count && !g->parent) || (g->box_count && (!g->boxes || !g->box_node))) return false;
    if (g->wrap > CD_BVH_LAYERED) return false;
    for (uint32_t n = 0; n < g->node_count; ++n) {
        roots += g->parent[n] == CD_NONE;
        if (g->parent[n] != CD_NONE && g->parent[n] >= g->node_count) return false;
        if (g->node_box && g->wrap == CD_BVH_LAYERED && !cdi_own_box_is_valid(g->node_box[n])) return false;
    }
    for (uint32_t i = 0; i < g->box_count; ++i) {
        if (g->box_node[i] >= g->node_count || !cd_aabb_is_valid(g->boxes[i])) return false;
    }
    return roots == (g->node_count ? 1u : 0u);
}

/* ---- who is whose ---- */

/* Sorts the numbers below `count` by their group: those of group i are sorted[start[i]] to sorted[start[i + 1] - 1]. What is
 * in no group comes last. */
static void cdi_group(const uint32_t *group, uint32_t count, uint32_t groups, uint32_t *start,
                      uint32_t *sorted) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i <= groups; ++i) start[i] = 0;
    for (uint32_t i = 0; i < count; ++i) ++start[group[i] < groups ? group[i] : groups];
    for (uint32_t i = 0; i <= groups; ++i) start[i] = sum += start[i];
    for (uint32_t i = count; i-- > 0;) sorted[--start[group[i] < groups ? group[i] : groups]] = i;
}

/* Parents before their children; false when some node is not below the root: then it is in a cycle. */
static bool cdi_queue_nodes(cdi_graph *w) {
    uint32_t end = 1;
    w->queue[0] = w->kid[w->nodes - 1];
    for (uint32_t i = 0; i < end; ++i) {
        uint32_t n = w->queue[i];
        for (uint32_t k = w->kid_start[n]; k < w->kid_start[n + 1]; ++k) w->queue[end++] = w->kid[k];
    }
    return end == w->nodes;
}

/* How many boxes are below each node; those that have some get the numbers of fans. Returns how many these are. */
static uint32_t cdi_number_nodes(cdi_graph *w) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < w->nodes; ++n) w->below[n] = w->item_start[n + 1] - w->item_start[n];
    for (uint32_t i = w->nodes; i-- > 1;) w->below[w->g->parent[w->queue[i]]] += w->below[w->queue[i]];
    for (uint32_t i = 0; i < w->nodes; ++i) {
        if (w->below[w->queue[i]]) w->fan[w->queue[i]] = count++;
    }
    return count;
}

/* ---- nodes become fans ---- */

static cdi_fan_child cdi_fan_child_make(uint32_t node, uint32_t item, uint32_t count) {
    cdi_fan_child c;
    c.node = node;
    c.item = item;
    c.count = count;
    c.first = 0;
    return c;
}

/* The objects of node n in leaves, then its children; returns how many children are written in all. */
static uint32_t cdi_write_fan(cdi_graph *w, uint32_t n, uint32_t at) {
    uint32_t end = w->item_start[n + 1];
    for (uint32_t i = w->item_start[n]; i < end; i += w->leaf_size) {
        cdi_fan_child leaf = cdi_fan_child_make(CD_NONE, i, end - i < w->leaf_size ? end - i : w->leaf_size);
        w->child[at++] = leaf;
    }
    for (uint32_t k = w->kid_start[n]; k < w->kid_start[n + 1]; ++k) {
        cdi_fan_child node;
        if (!w->below[w->kid[k]]) continue;
        node = cdi_fan_child_make(w->fan[w->kid[k]], 0, 0);
        w->child[at++] = node;
    }
    return at;
}

static void cdi_build_graph(cdi_graph *w, cdi_builder *b) {
    uint32_t at = 0;
    cdi_fans f;
    cdi_clear(&f, sizeof f);
    f.node_count = cdi_number_nodes(w);
    f.start = w->start;
    f.child = w->child;
    f.list = w->item;
    f.slot = w->slot;
    f.levels = w->levels;
    f.own_box = w->own_box;
    for (uint32_t i = 0; i < w->nodes; ++i) {
        uint32_t n = w->queue[i];
        if (!w->below[n]) continue;
        w->start[w->fan[n]] = at;
        at = cdi_write_fan(w, n, at);
        if (w->own_box)
            w->own_box[w->fan[n]] = cd_aabb_is_empty(w->g->node_box[n]) ? cd_aabb_empty() : w->g->node_box[n];
    }
    w->start[f.node_count] = at;
    cdi_build_fans(b, &f);
}

/* ---- the whole ---- */

/* The header tells the bounds of the objects; the root's box may be larger. */
static void cdi_write_bounds(const cd_bvh_graph *g, cdi_bvh_header *h) {
    cd_aabb all = cd_aabb_empty();
    cdi_v3 lo, hi;
    for (uint32_t i = 0; i < g->box_count; ++i) all = cd_merge_aabb_aabb(all, g->boxes[i]);
    lo = cdi_v3_of(all.min);
    hi = cdi_v3_of(all.max);
    for (int k = 0; k < 3; ++k) {
        h->lo[k] = cdi_v3_get(lo, k);
        h->hi[k] = cdi_v3_get(hi, k);
    }
}

static cd_status cdi_write_graph(cdi_graph *w, cdi_builder *b, cd_bvh *out) {
    cd_status status = CD_OUT_OF_MEMORY;
    if (w->nodes) {
        cdi_group(w->g->parent, w->nodes, w->nodes, w->kid_start, w->kid);
        if (!cdi_queue_nodes(w)) return CD_INVALID_ARGUMENT;
        cdi_group(w->g->box_node, w->boxes, w->nodes, w->item_start, w->item);
    }
    if (!cdi_builder_take(b, w->boxes)) return status;
    if (w->boxes) cdi_build_graph(w, b);
    status = cdi_write_block(b, out);
    if (status == CD_OK && w->boxes) cdi_write_bounds(w->g, (cdi_bvh_header *)out->block);
    cdi_builder_give_back(b, w->boxes);
    return status;
}

/* Parts the numbers among the arrays. */
static void cdi_share_numbers(cdi_graph *w, uint32_t *numbers) {
    uint32_t n = w->nodes;
    w->kid_start = numbers;
    w->item_start = w->kid_start + n + 1;
    w->start = w->item_start + n + 1;
    w->kid = w->start + n + 1;
    w->queue = w->kid + n;
    w->below = w->queue + n;
    w->fan = w->below + n;
    w->slot = w->fan + n;
    w->levels = w->slot + n;
    w->item = w->levels + n;
}

static cd_status cdi_take_graph(cdi_graph *w, cdi_builder *b, cd_bvh *out) {
    uint64_t all = 9 * (uint64_t)w->nodes + w->boxes + 3;
    size_t numbers = (size_t)all, children = (size_t)w->nodes + w->boxes;
    bool own = w->g->wrap == CD_BVH_LAYERED && w->g->node_box && w->nodes;
    uint32_t *number;
    cd_status status = CD_OUT_OF_MEMORY;
    if (all > SIZE_MAX) return CD_TOO_LARGE;
    number = (uint32_t *)cdi_alloc(&b->allocator, numbers, sizeof *number);
    w->child = (cdi_fan_child *)cdi_alloc(&b->allocator, children, sizeof *w->child);
    if (own) w->own_box = (cd_aabb *)cdi_alloc(&b->allocator, w->nodes, sizeof *w->own_box);
    if (number && (w->child || !children) && (w->own_box || !own)) {
        cdi_share_numbers(w, number);
        status = cdi_write_graph(w, b, out);
    }
    cdi_free(&b->allocator, w->own_box, w->nodes, sizeof *w->own_box);
    cdi_free(&b->allocator, w->child, children, sizeof *w->child);
    cdi_free(&b->allocator, number, numbers, sizeof *number);
    return status;
}

CD_API cd_status cd_bvh_from_nodes(cd_bvh *out, const cd_bvh_graph *graph, const cd_bvh_options *options) {
    cd_bvh_options defaults;
    cdi_builder b;
    cdi_graph w;
    cdi_clear(out, sizeof *out);
    cdi_clear(&defaults, sizeof defaults);
    cdi_clear(&b, sizeof b);
    cdi_clear(&w, sizeof w);
    b.options = options ? options : &defaults;
    if (b.options->leaf_size > CDI_BVH_LEAF_MAX || b.options->layout > CD_BVH_QUANTISED)
        return CD_INVALID_ARGUMENT;
    if (graph->box_count > CDI_BVH_MOST || graph->node_count > CDI_BVH_MOST) return CD_TOO_LARGE;
    if (!cdi_graph_is_valid(graph)) return CD_INVALID_ARGUMENT;
    b.allocator = b.options->allocator;
    b.leaf_size = b.options->leaf_size ? b.options->leaf_size : 4;
    b.source.kind = CD_BVH_BOXES;
    b.source.boxes = graph->boxes;
    b.source.count = b.count = graph->box_count;
    w.g = graph;
    w.nodes = graph->node_count;
    w.boxes = graph->box_count;
    w.leaf_size = b.leaf_size;
    return cdi_take_graph(&w, &b, out);
}
