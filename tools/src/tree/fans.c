#include "tree/bvh_build.h"
#include "tree/fans.h"

/* How often `count` things have to be halved until single ones are left. */
static uint32_t cdi_halvings(uint32_t count) {
    uint32_t levels = 0;
    for (uint32_t room = 1; room < count; room *= 2) ++levels;
    return levels;
}

/* The levels of the canonical subtree of some children of one node. */
static uint32_t cdi_fan_levels(const cdi_fans *f, uint32_t first, uint32_t count) {
    uint32_t most = 1;
    for (uint32_t i = first; i < first + count; ++i) {
        const cdi_fan_child *c = &f->child[i];
        if (c->node != CD_NONE && f->levels[c->node] > most) most = f->levels[c->node];
    }
    return most + cdi_halvings(count);
}

/* From the last node to the first: the levels of each, and how many items it has below. */
static void cdi_measure_fans(cdi_fans *f, uint32_t *below) {
    for (uint32_t n = f->node_count; n-- > 0;) {
        uint32_t first = f->start[n], end = f->start[n + 1];
        below[n] = 0;
        for (uint32_t i = first; i < end; ++i) {
            cdi_fan_child *c = &f->child[i];
            if (c->node != CD_NONE) c->count = below[c->node];
            below[n] += c->count;
        }
        f->levels[n] = cdi_fan_levels(f, first, end - first);
    }
}

/* From the first node to the last: the items in the order of the leaves, which is that of children depth first. */
static void cdi_order_fans(cdi_builder *b, cdi_fans *f, uint32_t *place) {
    place[0] = 0;
    for (uint32_t n = 0; n < f->node_count; ++n) {
        uint32_t at = place[n];
        for (uint32_t i = f->start[n]; i < f->start[n + 1]; ++i) {
            cdi_fan_child *c = &f->child[i];
            c->first = at;
            if (c->node != CD_NONE) place[c->node] = at;
            for (uint32_t k = 0; k < c->count && c->node == CD_NONE; ++k)
                b->order[at + k] = f->list ? f->list[c->item + k] : c->item + k;
            at += c->count;
        }
    }
    for (uint32_t i = 0; i < b->count; ++i) {
        cd_aabb box = cd_aabb_empty();
        cdi_box read;
        (void)cdi_source_box(&b->source, b->order[i], &box);
        read = cdi_box_of_aabb(box);
        b->box[i] = read;
    }
}

/* Some children of one node, to become a subtree. */
typedef struct cdi_fan_step {
    uint32_t first, count, slot, depth;
} cdi_fan_step;

static cdi_range cdi_fan_items(const cdi_fans *f, const cdi_fan_step *s) {
    const cdi_fan_child *last = &f->child[s->first + s->count - 1];
    cdi_range r;
    cdi_clear(&r, sizeof r);
    r.first = f->child[s->first].first;
    r.count = last->first + last->count - r.first;
    r.slot = s->slot;
    r.depth = s->depth;
    return r;
}

/* Goes down through nodes with one child. */
static void cdi_fan_enter(const cdi_fans *f, cdi_fan_step *s) {
    while (s->count == 1 && f->child[s->first].node != CD_NONE) {
        uint32_t node = f->child[s->first].node;
        f->slot[node] = s->slot;
        s->first = f->start[node];
        s->count = f->start[node + 1] - s->first;
    }
}

/* Halves the children of `s`, which becomes the left half. */
static void cdi_halve_fan(cdi_builder *b, const cdi_fans *f, cdi_fan_step *s, cdi_fan_step *right) {
    uint32_t left_items;
    *right = *s;
    ++s->depth;
    ++right->depth;
    s->count /= 2;
    right->first += s->count;
    right->count -= s->count;
    left_items = f->child[right->first].first - f->child[s->first].first;
    right->slot += 2 * left_items;
    b->node[s->slot].next = right->slot;
    ++s->slot;
}

static void cdi_split_fans(cdi_builder *b, const cdi_fans *f) {
    cdi_fan_step todo[CDI_BINARY_DEPTH + 1], at;
    uint32_t count = 0;
    at.first = at.slot = at.depth = 0;
    at.count = f->start[1];
    f->slot[0] = 0;
    for (;;) {
        bool deep;
        cdi_fan_enter(f, &at);
        deep =
            at.depth >= CDI_COST_DEPTH && at.depth + cdi_fan_levels(f, at.first, at.count) > CDI_BINARY_DEPTH;
        if (at.count > 1 && !deep) {
            cdi_halve_fan(b, f, &at, &todo[count++]);
            continue;
        } else {
            cdi_range r = cdi_fan_items(f, &at);
            if (deep) {
                cdi_build_halved(b, &r);
            } else {
                cdi_write_leaf(b, &r);
            }
        }
        if (count == 0) return;
        at = todo[--count];
    }
}

/* The boxes, from the last slot to the first; slots without children and items are not in use. */
static void cdi_fit_fans(cdi_builder *b, const cdi_fans *f) {
    for (uint32_t s = 0; s < 2 * b->count; ++s) b->node[s].box = cdi_box_empty();
    for (uint32_t n = 0; n < f->node_count && f->own_box; ++n) {
        cdi_box own = cdi_box_of_aabb(f->own_box[n]);
        if (f->slot[n] != CD_NONE) cdi_box_grow(&b->node[f->slot[n]].box, &own);
    }
    for (uint32_t s = 2 * b->count; s-- > 0;) {
        cdi_binary_node *node = &b->node[s];
        for (uint32_t i = 0; i < node->count; ++i) cdi_box_grow(&node->box, &b->box[node->next + i]);
        if (node->count || !node->next) continue;
        cdi_box_grow(&node->box, &b->node[s + 1].box);
        cdi_box_grow(&node->box, &b->node[node->next].box);
    }
}

CDI_FN void cdi_build_fans(cdi_builder *b, cdi_fans *f) {
    cdi_measure_fans(f, f->slot);
    cdi_order_fans(b, f, f->slot);
    for (uint32_t n = 0; n < f->node_count; ++n) f->slot[n] = CD_NONE;
    cdi_clear(b->node, 2 * (size_t)b->count * sizeof *b->node);
    cdi_split_fans(b, f);
    cdi_fit_fans(b, f);
}

/* ---- a tree of any layout ---- */

/* The nodes of a tree as fans: counts children while there is no room for them. */
static uint32_t cdi_fans_of_tree(const cdi_bvh *tree, uint32_t *start, cdi_fan_child *child) {
    uint32_t count = 0;
    for (uint32_t n = 0; n < tree->header->node_count; ++n) {
        cdi_bvh_node scratch;
        const cdi_bvh_node *node = cdi_bvh_at(tree, cdi_node_has_lanes(tree, n) ? n : 0, &scratch);
        uint32_t lanes = cdi_node_has_lanes(tree, n) ? node->lanes : 0;
        if (start) start[n] = count;
        for (uint32_t i = 0; i < 8 && (lanes >> i & 1u); ++i, ++count) {
            if (!child) continue;
            child[count].node = node->count[i] ? CD_NONE : node->child[i];
            child[count].item = node->child[i];
            child[count].count = node->count[i];
        }
    }
    if (start) start[tree->header->node_count] = count;
    return count;
}

CDI_FN void cdi_begin_follow(cdi_builder *b, const cdi_bvh *tree, const cd_bvh_options *options) {
    cdi_clear(b, sizeof *b);
    b->allocator = options->allocator;
    b->options = options;
    b->leaf_size = 4;
    b->count = tree->header->item_count;
    b->source.kind = tree->header->item;
    b->source.count = tree->header->source_count;
    b->source.tree = tree;
}

CDI_FN cd_status cdi_follow_tree(cdi_builder *b) {
    const cdi_bvh *tree = b->source.tree;
    uint32_t nodes = tree->header->node_count, children = cdi_fans_of_tree(tree, NULL, NULL);
    uint32_t *numbers = (uint32_t *)cdi_alloc(&b->allocator, 3 * (size_t)nodes + 1, sizeof *numbers);
    cdi_fan_child *child = (cdi_fan_child *)cdi_alloc(&b->allocator, children, sizeof *child);
    cdi_fans f;
    cdi_clear(&f, sizeof f);
    if (numbers && child) {
        f.node_count = nodes;
        f.start = numbers;
        f.slot = numbers + nodes + 1;
        f.levels = f.slot + nodes;
        f.child = child;
        cdi_fans_of_tree(tree, numbers, child);
        cdi_build_fans(b, &f);
    }
    cdi_free(&b->allocator, child, children, sizeof *child);
    cdi_free(&b->allocator, numbers, 3 * (size_t)nodes + 1, sizeof *numbers);
    return f.node_count ? CD_OK : CD_OUT_OF_MEMORY;
}
