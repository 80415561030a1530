#include "tree/building.h"
#include "tree/insertion.h"
#include "tree/joining.h"
#include "tree/linear.h"
#include "tree/reinsertion.h"
#include "tree/topdown.h"

/* ---- reading what is to be built from ---- */

typedef struct cdi_reading {
    cdi_builder *b;
    cdi_plain_mesh plain;
    bool is_plain, skip;
} cdi_reading;

static bool cdi_read_box(const cdi_reading *r, uint32_t i, cdi_box *out) {
    cd_aabb box;
    if (r->is_plain) return cdi_plain_box(&r->plain, i, out);
    if (!cdi_source_box(&r->b->source, i, &box)) return false;
    *out = cdi_box_of_aabb(box);
    return true;
}

/* An item that is not valid has no index; where none is to be left out, nor has the part's first one. */
static void cdi_read_part(void *ctx, uint32_t part) {
    const cdi_reading *r = (const cdi_reading *)ctx;
    uint32_t first = part * CDI_PART, end = cdi_part_end(part, r->b->source.count);
    for (uint32_t i = first; i < end; ++i) {
        r->b->order[i] = i;
        if (cdi_read_box(r, i, &r->b->box[i])) continue;
        r->b->order[r->skip ? i : first] = CD_NONE;
        if (!r->skip) return;
    }
}

/* Items that are left out make room; false when one is that must not. */
static bool cdi_keep_valid(cdi_builder *b, bool skip) {
    uint32_t count = b->source.count;
    if (!skip) {
        for (uint32_t i = 0; i < count; i = cdi_part_end(i / CDI_PART, count)) {
            if (b->order[i] == CD_NONE) return false;
        }
        b->count = count;
        return true;
    }
    for (uint32_t i = 0; i < count; ++i) {
        if (b->order[i] == CD_NONE) continue;
        b->box[b->count] = b->box[i];
        b->order[b->count++] = i;
    }
    return true;
}

static cd_status cdi_read_source(cdi_builder *b) {
    cdi_reading r;
    cdi_clear(&r, sizeof r);
    r.b = b;
    r.skip = (b->options->flags & CD_BVH_SKIP_INVALID) != 0;
    r.is_plain = cdi_is_plain_mesh(&b->source);
    if (r.is_plain) r.plain = cdi_plain_mesh_of(b->source.mesh);
    if (!cdi_run_tasks(b, cdi_part_count(b->source.count), cdi_read_part, &r, 0.0, 0.05)) return CD_CANCELLED;
    return cdi_keep_valid(b, r.skip) ? CD_OK : CD_INVALID_ARGUMENT;
}

/* ---- building ---- */

static cd_status cdi_build_binary(cdi_builder *b) {
    cd_status status;
    if (b->count == 0) return CD_OK;
    switch (b->options->method) {
    case CD_BVH_LINEAR: status = cdi_build_linear(b); break;
    case CD_BVH_BOTTOM_UP: status = cdi_build_bottom_up(b); break;
    case CD_BVH_NEAR_LINEAR: status = cdi_build_near_linear(b); break;
    case CD_BVH_CLUSTERED: status = cdi_build_clustered(b); break;
    case CD_BVH_INSERTED: status = cdi_build_inserted(b); break;
    default: status = cdi_build_topdown(b); break;
    }
    return status == CD_OK && b->options->optimise ? cdi_optimise(b) : status;
}

CDI_FN bool cdi_build_options_are_valid(const cd_bvh_options *o) {
    return o->flags <= 3 && o->leaf_size <= CDI_BVH_LEAF_MAX && o->method <= CD_BVH_INSERTED &&
           o->layout <= CD_BVH_COMPACT && o->axis <= CD_BVH_AXIS_FARTHEST && o->leaf_extent >= 0 &&
           o->leaf_extent <= CD_REAL_MAX;
}

static const cd_bvh_options cdi_default_options = {
    0, 0, 0, 0, 0, 0, 0, 0, NULL, {NULL, NULL, NULL}, {NULL, NULL, NULL}};

/* In the compact layout it is decided with the nodes which items come together in a leaf. */
static void cdi_builder_begin(cdi_builder *b, const cdi_source *source, const cd_bvh_options *options) {
    cdi_clear(b, sizeof *b);
    b->source = *source;
    b->options = options;
    b->allocator = options->allocator;
    b->executor = options->executor;
    b->leaf_size = options->layout == CD_BVH_COMPACT ? 1 : options->leaf_size ? options->leaf_size : 4;
}

CDI_FN cd_status cdi_build_canonical(cdi_builder *b, const cdi_source *source,
                                     const cd_bvh_options *options) {
    cd_status status;
    if (!options) options = &cdi_default_options;
    cdi_builder_begin(b, source, options);
    if (!cdi_build_options_are_valid(options)) return CD_INVALID_ARGUMENT;
    if (source->count > CDI_BVH_MOST) return CD_TOO_LARGE;
    if (!cdi_builder_take(b, source->count)) return CD_OUT_OF_MEMORY;
    status = cdi_read_source(b);
    if (status == CD_OK) status = cdi_build_binary(b);
    if (status != CD_OK) cdi_builder_give_back(b, source->count);
    return status;
}
