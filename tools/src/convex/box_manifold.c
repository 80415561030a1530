#include "convex/box_manifold.h"
#include "convex/box_kernel.h"

CD_API bool cd_collide_obb_obb(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a,
                               const cd_collide_options *options, cd_cache *cache, cd_manifold *out) {
    cdi_boxes_pairs p;
    p.a = a;
    p.b = b;
    p.b_in_a = b_in_a;
    p.count = 1;
    p.options = options;
    p.caches = cache;
    p.out = out;
    return CDI_RUN(cdi_boxes_pairs_collide, (&p)) == 1;
}

CD_API size_t cd_collide_obbs(const cd_obb *a, const cd_obb *b, const cd_transform *b_in_a, size_t count,
                              const cd_collide_options *options, cd_cache *caches, cd_manifold *out) {
    cdi_boxes_pairs p;
    p.a = a;
    p.b = b;
    p.b_in_a = b_in_a;
    p.count = count;
    p.options = options;
    p.caches = caches;
    p.out = out;
    if (count == 1 && out) out->count = 0;
    return CDI_RUN(cdi_boxes_pairs_collide, (&p));
}
