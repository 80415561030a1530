#include "tree/bvh_build.h"
#include "tree/building.h"
#include "tree/bvh_layout.h"

static cd_status cdi_build_block(const cdi_builder *b, cd_bvh *out) {
    cd_status status = cdi_write_block(b, out);
    if (status == CD_OK && !cdi_tell_progress(b, 1.0)) {
        cd_bvh_destroy(out);
        status = CD_CANCELLED;
    }
    return status;
}

static cd_status cdi_build_source(cd_bvh *out, const cdi_source *source, const cd_bvh_options *options) {
    cd_bvh_options useful; /* those asked for, less what is of no use */
    cdi_builder b;
    cd_status status;
    cdi_clear(&useful, sizeof useful);
    if (options) useful = *options;
    if (!cdi_build_options_are_valid(&useful)) return CD_INVALID_ARGUMENT;
    if (useful.layout == CD_BVH_COMPACT) {
        if (source->kind != CD_BVH_TRIANGLES) return CD_INVALID_ARGUMENT;
        useful.leaf_extent = 0;
    }
    status = cdi_build_canonical(&b, source, &useful);
    if (status != CD_OK) return status;
    status = cdi_build_block(&b, out);
    cdi_builder_give_back(&b, source->count);
    return status;
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
