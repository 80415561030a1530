#include "tree/bvh_build.h"
#include "tree/bvh_layout.h"
#include "tree/insertion.h"
#include "tree/joining.h"
#include "tree/linear.h"
#include "tree/reinsertion.h"
#include "tree/topdown.h"

/* ---- reading what is to be built from ---- */

static cd_status cdi_read_source(cdi_builder *b) {
    bool skip = (b->options->flags & CD_BVH_SKIP_INVALID) != 0;
    for (uint32_t i = 0; i < b->source.count; ++i) {
        cd_aabb box;
        if (cdi_source_box(&b->source, i, &box)) {
            cdi_box read = cdi_box_of_aabb(box);
            b->box[b->count] = read;
            b->order[b->count++] = i;
        } else if (!skip) {
            return CD_INVALID_ARGUMENT;
        }
        if ((i & 0xFFFFFu) == 0xFFFFFu && !cdi_tell_progress(b, 0.0)) return CD_CANCELLED;
    }
    return cdi_tell_progress(b, 0.05) ? CD_OK : CD_CANCELLED;
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

static cd_status cdi_build_source(cd_bvh *out, const cdi_source *source, const cd_bvh_options *options) {
    cd_bvh_options defaults;
    cdi_builder b;
    uint32_t n = source->count;
    cd_status status;
    cdi_clear(&defaults, sizeof defaults);
    cdi_clear(&b, sizeof b);
    b.source = *source;
    b.options = options ? options : &defaults;
    b.allocator = b.options->allocator;
    b.executor = b.options->executor;
    b.leaf_size = b.options->leaf_size ? b.options->leaf_size : 4;
    if (!cdi_options_are_valid(b.options)) return CD_INVALID_ARGUMENT;
    if (b.options->layout == CD_BVH_COMPACT) {
        if (source->kind != CD_BVH_TRIANGLES) return CD_INVALID_ARGUMENT;
        b.leaf_size = 1; /* which items come together in a leaf is decided with the nodes */
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
