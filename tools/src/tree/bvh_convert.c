#include "tree/bvh_build.h"
#include "tree/bvh_convert.h"
#include "tree/bvh_layout.h"
#include "tree/fans.h"

CD_API cd_status cd_bvh_convert(cd_bvh *out, const cd_bvh *tree, uint32_t layout,
                                const cd_allocator *allocator) {
    cd_bvh_options options;
    cdi_builder b;
    cdi_bvh t;
    cd_status status = CD_OK;
    cdi_clear(out, sizeof *out);
    cdi_clear(&options, sizeof options);
    cdi_clear(&t, sizeof t);
    if (layout > CD_BVH_COMPACT) return CD_INVALID_ARGUMENT;
    if (!tree->block) return CD_OK;
    if (layout == CD_BVH_COMPACT && cd_bvh_get_kind(tree) != CD_BVH_TRIANGLES) return CD_INVALID_ARGUMENT;
    options.layout = layout;
    if (allocator) options.allocator = *allocator;
    if (((const cdi_bvh_header *)tree->block)->dynamic) return CD_UNSUPPORTED;
    (void)cdi_bvh_open(&t, tree);
    t.header = (const cdi_bvh_header *)tree->block; /* of an empty tree, too */
    cdi_begin_follow(&b, &t, &options);
    if (!cdi_builder_take(&b, b.count)) return CD_OUT_OF_MEMORY;
    if (b.count) status = cdi_follow_tree(&b);
    if (status == CD_OK) status = cdi_write_block(&b, out);
    if (status == CD_OK) out->custom = tree->custom;
    cdi_builder_give_back(&b, b.count);
    return status;
}
