#include "tree/bvh_build.h"
#include "tree/bvh_layout.h"
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

/* ---- the whole ---- */

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

static cd_status cdi_build(cdi_builder *b, cd_bvh *out) {
    cd_status status = cdi_read_source(b);
    if (status == CD_OK) status = cdi_build_binary(b);
    if (status == CD_OK) status = cdi_write_block(b, out);
    if (status == CD_OK && !cdi_tell_progress(b, 1.0)) {
        cd_bvh_destroy(out);
        status = CD_CANCELLED;
    }
    return status;
}

static bool cdi_options_are_valid(const cd_bvh_options *o) {
    return o->flags <= 3 && o->leaf_size <= CDI_BVH_LEAF_MAX && o->method <= CD_BVH_INSERTED &&
           o->layout <= CD_BVH_COMPACT && o->axis <= CD_BVH_AXIS_FARTHEST && o->leaf_extent >= 0 &&
           o->leaf_extent <= CD_REAL_MAX;
}

static const cd_bvh_options cdi_default_options = {
    0, 0, 0, 0, 0, 0, 0, 0, NULL, {NULL, NULL, NULL}, {NULL, NULL, NULL}};

static void cdi_builder_begin(cdi_builder *b, const cdi_source *source, const cd_bvh_options *options) {
    cdi_clear(b, sizeof *b);
    b->source = *source;
    b->options = options ? options : &cdi_default_options;
    b->allocator = b->options->allocator;
    b->executor = b->options->executor;
    b->leaf_size = b->options->leaf_size ? b->options->leaf_size : 4;
}

CDI_FN cd_status cdi_build_canonical(cdi_builder *b, const cdi_source *source,
                                     const cd_bvh_options *options) {
    cd_status status;
    cdi_builder_begin(b, source, options);
    if (!cdi_options_are_valid(b->options)) return CD_INVALID_ARGUMENT;
    if (source->count > CDI_BVH_MOST) return CD_TOO_LARGE;
    if (!cdi_builder_take(b, source->count)) return CD_OUT_OF_MEMORY;
    status = cdi_read_source(b);
    if (status == CD_OK) status = cdi_build_binary(b);
    if (status != CD_OK) cdi_builder_give_back(b, source->count);
    return status;
}

static cd_status cdi_build_source(cd_bvh *out, const cdi_source *source, const cd_bvh_options *options) {
    cd_bvh_options useful; /* those asked for, less what is of no use */
    cdi_builder b;
    uint32_t n = source->count;
    cd_status status;
    cdi_builder_begin(&b, source, options);
    if (!cdi_options_are_valid(b.options)) return CD_INVALID_ARGUMENT;
    if (b.options->layout == CD_BVH_COMPACT) {
        if (source->kind != CD_BVH_TRIANGLES) return CD_INVALID_ARGUMENT;
        b.leaf_size = 1; /* which items come together in a leaf is decided with the nodes */
        useful = *b.options;
        useful.leaf_extent = 0;
        b.options = &useful;
    }
    if (n > CDI_BVH_MOST) return CD_TOO_LARGE;
    if (!cdi_builder_take(&b, n)) return CD_OUT_OF_MEMORY;
    status = cdi_build(&b, out);
    cdi_builder_give_back(&b, n);
    return status;
}

static cdi_source cdi_source_of(cd_bvh_kind kind, uint32_t count) {
    cdi_source s;
    cdi_clear(&s, sizeof s);
    s.kind = (uint32_t)kind;
    s.count = count;
    return s;
}

CD_API cd_status cd_bvh_build_mesh(cd_bvh *out, const cd_mesh_view *mesh, const cd_bvh_options *options) {
    cdi_source s = cdi_source_of(CD_BVH_TRIANGLES, mesh->triangle_count);
    cdi_clear(out, sizeof *out);
    s.mesh = mesh;
    return cd_mesh_view_is_valid(mesh) ? cdi_build_source(out, &s, options) : CD_INVALID_ARGUMENT;
}

CD_API cd_status cd_bvh_build_boxes(cd_bvh *out, const cd_aabb *boxes, uint32_t count,
                                    const cd_bvh_options *options) {
    cdi_source s = cdi_source_of(CD_BVH_BOXES, count);
    cdi_clear(out, sizeof *out);
    s.boxes = boxes;
    return boxes || count == 0 ? cdi_build_source(out, &s, options) : CD_INVALID_ARGUMENT;
}

CD_API cd_status cd_bvh_build_points(cd_bvh *out, const cd_vec3 *points, uint32_t count,
                                     const cd_bvh_options *options) {
    cdi_source s = cdi_source_of(CD_BVH_POINTS, count);
    cdi_clear(out, sizeof *out);
    s.points = points;
    return points || count == 0 ? cdi_build_source(out, &s, options) : CD_INVALID_ARGUMENT;
}
