#include "tree/bvh_build.h"
#include "tree/bvh_convert.h"
#include "tree/bvh_layout.h"
#include "tree/fans.h"

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

/* Leaves the canonical tree of `tree` in `b`. */
static cd_status cdi_follow_tree(cdi_builder *b, const cdi_bvh *tree) {
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

/* A builder whose source is a tree; `tree` is cleared where there are no items. */
static void cdi_begin_convert(cdi_builder *b, const cdi_bvh_header *h, const cdi_bvh *tree,
                              const cd_bvh_options *options) {
    cdi_clear(b, sizeof *b);
    b->allocator = options->allocator;
    b->options = options;
    b->leaf_size = 4;
    b->count = h->item_count;
    b->source.kind = h->item;
    b->source.count = h->source_count;
    b->source.tree = tree;
}

CD_API cd_status cd_bvh_convert(cd_bvh *out, const cd_bvh *tree, uint32_t layout,
                                const cd_allocator *allocator) {
    cd_bvh_options options;
    cdi_builder b;
    cdi_bvh t;
    cd_status status = CD_OK;
    cdi_clear(out, sizeof *out);
    cdi_clear(&options, sizeof options);
    cdi_clear(&t, sizeof t);
    if (layout > CD_BVH_QUANTISED) return CD_INVALID_ARGUMENT;
    if (!tree->block) return CD_OK;
    options.layout = layout;
    if (allocator) options.allocator = *allocator;
    (void)cdi_bvh_open(&t, tree);
    cdi_begin_convert(&b, (const cdi_bvh_header *)tree->block, &t, &options);
    if (!cdi_builder_take(&b, b.count)) return CD_OUT_OF_MEMORY;
    if (b.count) status = cdi_follow_tree(&b, &t);
    if (status == CD_OK) status = cdi_write_block(&b, out);
    if (status == CD_OK) out->custom = tree->custom;
    cdi_builder_give_back(&b, b.count);
    return status;
}
