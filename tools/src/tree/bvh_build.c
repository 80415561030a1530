#include "tree/bvh_build.h"
#include "tree/building.h"
#include "tree/bvh_layout.h"

static cd_status cdi_build(cdi_builder *b, cd_bvh *out) {
    cd_status status = cdi_build_tree(b);
    if (status == CD_OK) status = cdi_write_block(b, out);
    if (status == CD_OK && !cdi_tell_progress(b, 1.0)) {
        cd_bvh_destroy(out);
        status = CD_CANCELLED;
    }
    return status;
}

static cd_status cdi_build_source(cd_bvh *out, const cdi_source *source, const cd_bvh_options *options) {
    cd_bvh_options defaults; /* or those asked for, less what is of no use */
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
    if (!cdi_build_options_are_valid(b.options)) return CD_INVALID_ARGUMENT;
    if (b.options->layout == CD_BVH_COMPACT) {
        if (source->kind != CD_BVH_TRIANGLES) return CD_INVALID_ARGUMENT;
        b.leaf_size = 1; /* which items come together in a leaf is decided with the nodes */
        defaults = *b.options;
        defaults.leaf_extent = 0;
        b.options = &defaults;
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
