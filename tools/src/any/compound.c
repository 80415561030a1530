#include "any/shape_bounds.h"
#include "core/memory.h"

CD_API cd_compound cd_compound_of(const cd_placed_shape *children, uint32_t count) {
    cd_compound c;
    cdi_clear(&c, sizeof c);
    c.children = children;
    c.count = count;
    return c;
}

static cd_status cdi_compound_grow_tree(cd_compound *c, cd_aabb *boxes, const cd_bvh_options *options) {
    cd_bvh_options o;
    cdi_clear(&o, sizeof o);
    if (options) o = *options;
    o.masks = NULL;
    o.flags |= (uint32_t)CD_BVH_SKIP_INVALID;
    for (uint32_t i = 0; i < c->count; ++i) {
        const cd_placed_shape *child = &c->owned[i];
        bool boundless = child->shape->type == CD_SHAPE_HALFSPACE;
        cd_aabb box = boundless ? cd_aabb_empty() : cd_shape_aabb(child->shape, &child->pose);
        boxes[i] = box;
    }
    return cd_bvh_build_boxes(&c->tree, boxes, c->count, &o);
}

static cd_status cdi_compound_copy(cd_compound *c, const cd_placed_shape *children,
                                   const cd_bvh_options *options) {
    cd_status status = CD_OUT_OF_MEMORY;
    cd_aabb *boxes = (cd_aabb *)cdi_alloc(&c->allocator, c->count, sizeof *boxes);
    c->owned = (cd_placed_shape *)cdi_alloc(&c->allocator, c->count, sizeof *c->owned);
    c->children = c->owned;
    if (boxes && c->owned) {
        for (uint32_t i = 0; i < c->count; ++i) c->owned[i] = children[i];
        status = cdi_compound_grow_tree(c, boxes, options);
    }
    cdi_free(&c->allocator, boxes, c->count, sizeof *boxes);
    return status;
}

CD_API cd_status cd_compound_build(cd_compound *out, const cd_placed_shape *children, uint32_t count,
                                   const cd_bvh_options *options) {
    cd_compound list = cd_compound_of(children, count);
    cd_shape whole = cd_shape_of_compound(&list);
    cd_status status;
    cdi_clear(out, sizeof *out);
    if (!cd_shape_is_valid(&whole)) return CD_INVALID_ARGUMENT;
    if (options) out->allocator = options->allocator;
    if (count == 0) return CD_OK;
    out->count = count;
    status = cdi_compound_copy(out, children, options);
    if (status != CD_OK) cd_compound_destroy(out);
    return status;
}

CD_API void cd_compound_destroy(cd_compound *compound) {
    cd_bvh_destroy(&compound->tree);
    cdi_free(&compound->allocator, compound->owned, compound->count, sizeof *compound->owned);
    cdi_clear(compound, sizeof *compound);
}
