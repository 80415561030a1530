#include "tree/dyn_build.h"
#include "tree/building.h"
#include "tree/bvh_layout.h"

/* A build under way: nodes without parents wait on a stack. */
typedef struct cdi_dyn_growing {
    cd_dyntree *t;
    const cdi_builder *b;
    const cdi_dyn_source *source;
    uint32_t waiting[CDI_BINARY_DEPTH + 1], count;
} cdi_dyn_growing;

static cdi_dyn_entry cdi_dyn_object(const cdi_dyn_growing *g, uint32_t i) {
    const cdi_dyn_source *s = g->source;
    cdi_dyn_entry e;
    cdi_dyn_box own;
    if (s->from) {
        e = cdi_dyn_get(s->from, s->places[i] >> 3, s->places[i] & 7u);
    } else {
        cdi_clear(&e, sizeof e);
        e.item.box = s->boxes[i];
        e.item.index = i;
        e.mask = s->masks ? s->masks[i] : 0;
        e.moved = 1;
    }
    (void)cdi_dyn_encode(g->t, s->boxes[i], cd_vec3_make(0, 0, 0), &own, &e.box);
    return e;
}

/* A node of the objects of a leaf. */
static void cdi_dyn_grow_leaf(cdi_dyn_growing *g, const cdi_binary_node *leaf) {
    uint32_t number = cdi_dyn_take(g->t, 0);
    for (uint32_t i = 0; i < leaf->count; ++i) {
        cdi_dyn_entry e = cdi_dyn_object(g, g->b->order[leaf->next + i]);
        cdi_dyn_append(g->t, number, &e);
    }
    g->waiting[g->count++] = number;
}

/* ---- putting together ---- */

static uint32_t cdi_dyn_wide(const cd_dyntree *t, uint32_t number) {
    return cdi_dyn_width(cdi_dyn_node(t, number));
}

/* All that is in node `from` goes into the tree below `into`. */
static void cdi_dyn_scatter(cd_dyntree *t, uint32_t from, uint32_t into) {
    while (cdi_dyn_node(t, from)->lanes) {
        uint32_t last = cdi_dyn_wide(t, from) - 1;
        cdi_dyn_entry e = cdi_dyn_get(t, from, last);
        cdi_dyn_drop(t, from, last);
        cdi_dyn_insert(t, into, cdi_dyn_node(t, from)->height, &e);
    }
    cdi_dyn_give_back(t, from);
}

/* Two nodes of one height that are too many for one; both are rich enough afterwards. */
static uint32_t cdi_dyn_pair(cd_dyntree *t, uint32_t a, uint32_t b) {
    uint32_t root = cdi_dyn_take(t, cdi_dyn_node(t, a)->height + 1), count = 0;
    cdi_dyn_entry e[10];
    if (cdi_dyn_wide(t, a) < CDI_DYN_LEAST || cdi_dyn_wide(t, b) < CDI_DYN_LEAST) {
        for (uint32_t of = a;; of = b) {
            for (; cdi_dyn_node(t, of)->lanes; cdi_dyn_drop(t, of, cdi_dyn_wide(t, of) - 1))
                e[count++] = cdi_dyn_get(t, of, cdi_dyn_wide(t, of) - 1);
            if (of == b) break;
        }
        cdi_dyn_share(t, e, count, a, b);
    }
    e[0] = cdi_dyn_entry_of(t, a);
    e[1] = cdi_dyn_entry_of(t, b);
    cdi_dyn_append(t, root, &e[0]);
    cdi_dyn_append(t, root, &e[1]);
    return root;
}

/* One tree of two; `a` is not higher. */
static uint32_t cdi_dyn_join(cd_dyntree *t, uint32_t a, uint32_t b) {
    cdi_dyn_entry e;
    uint32_t height = cdi_dyn_node(t, a)->height;
    if (height == cdi_dyn_node(t, b)->height) {
        if (cdi_dyn_wide(t, a) + cdi_dyn_wide(t, b) > 8) return cdi_dyn_pair(t, a, b);
        cdi_dyn_scatter(t, a, b);
    } else if (cdi_dyn_wide(t, a) < CDI_DYN_LEAST) {
        cdi_dyn_scatter(t, a, b);
    } else {
        e = cdi_dyn_entry_of(t, a);
        cdi_dyn_insert(t, b, height + 1, &e);
    }
    return b;
}

static cd_status cdi_dyn_join_waiting(cdi_dyn_growing *g) {
    uint32_t b = g->waiting[--g->count], a = g->waiting[--g->count];
    uint32_t height_a = cdi_dyn_node(g->t, a)->height, height_b = cdi_dyn_node(g->t, b)->height;
    cd_status status = cdi_dyn_reserve(g->t, 2 * (height_a + height_b) + 4);
    if (status != CD_OK) return status;
    g->waiting[g->count++] = height_a > height_b ? cdi_dyn_join(g->t, b, a) : cdi_dyn_join(g->t, a, b);
    return CD_OK;
}

/* ---- the way through the binary tree ---- */

/* A subtree: how many of its children were met. */
typedef struct cdi_dyn_step {
    uint32_t slot, met;
} cdi_dyn_step;

static cd_status cdi_dyn_grow_tree(cdi_dyn_growing *g) {
    cdi_dyn_step path[CDI_BINARY_DEPTH + 1], *at;
    uint32_t length = 1;
    cd_status status = CD_OK;
    path[0].slot = path[0].met = 0;
    while (length > 0 && status == CD_OK) {
        const cdi_binary_node *n;
        at = &path[length - 1];
        n = &g->b->node[at->slot];
        if (n->count) {
            status = cdi_dyn_reserve(g->t, 1);
            if (status == CD_OK) cdi_dyn_grow_leaf(g, n);
            --length;
        } else if (at->met == 2) {
            status = cdi_dyn_join_waiting(g);
            --length;
        } else {
            path[length].slot = at->met++ ? n->next : at->slot + 1;
            path[length++].met = 0;
        }
    }
    return status;
}

/* The root has to be node 0, which was kept for it. */
static void cdi_dyn_plant(cd_dyntree *t, uint32_t number) {
    uint32_t width = cdi_dyn_wide(t, number);
    cdi_dyn_node(t, 0)->height = cdi_dyn_node(t, number)->height;
    for (uint32_t i = 0; i < width; ++i) {
        cdi_dyn_entry e = cdi_dyn_get(t, number, i);
        cdi_dyn_append(t, 0, &e);
    }
    cdi_dyn_give_back(t, number);
}

static void cdi_dyn_forget_nodes(cd_dyntree *t) {
    t->node_count = t->free_node = t->free_nodes = t->count = 0;
}

static cd_status cdi_dyn_of_binary(cd_dyntree *t, const cdi_builder *b, const cdi_dyn_source *source) {
    cdi_dyn_growing g;
    cdi_frame frame = cdi_dyn_frame_of(t, &b->node[0].box);
    cd_status status = cdi_dyn_reserve(t, b->count / 5 + 4);
    if (status != CD_OK) return status;
    cdi_dyn_set_frame(t, &frame);
    for (int k = 0; k < 3; ++k) {
        cdi_dyn_header(t)->lo[k] = (double)b->node[0].box.v[k] + 0.0; /* -0 is 0, as everywhere */
        cdi_dyn_header(t)->hi[k] = -(double)b->node[0].box.v[4 + k] + 0.0;
    }
    g.t = t;
    g.b = b;
    g.source = source;
    g.count = 0;
    (void)cdi_dyn_take(t, 0);
    status = cdi_dyn_grow_tree(&g);
    if (status == CD_OK) cdi_dyn_plant(t, g.waiting[0]);
    return status;
}

CDI_FN cd_status cdi_dyn_build(cd_dyntree *t, const cdi_dyn_source *source, const cd_bvh_options *options) {
    cdi_source boxes = cdi_source_of(CD_BVH_BOXES, source->count);
    cd_bvh_options own;
    cdi_builder b;
    cd_status status;
    cdi_clear(&own, sizeof own);
    if (options) own = *options;
    if (!cdi_build_options_are_valid(&own)) return CD_INVALID_ARGUMENT;
    own.flags = own.layout = 0;
    own.leaf_size = 8;
    own.leaf_extent = 0;
    own.allocator = t->options.allocator;
    boxes.boxes = source->boxes;
    status = cdi_build_canonical(&b, &boxes, &own);
    if (status == CD_OK) {
        if (source->count) status = cdi_dyn_of_binary(t, &b, source);
        cdi_builder_give_back(&b, source->count);
    }
    if (status != CD_OK) cdi_dyn_forget_nodes(t);
    if (status == CD_OK) t->count = source->count;
    return status;
}
