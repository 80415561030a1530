#include "any/shape_collide.h"
#include "any/parts.h"
#include "core/platform.h"

size_t cd_shape_collide(const cd_shape *a, const cd_shape *b, const cd_transform *b_in_a,
                        const cd_shape_options *options, cd_cache *cache, cd_manifold *out, size_t capacity) { /* stub */
    cd_support sa = cd_shape_as_support(a), sb = cd_shape_as_support(b);
    cd_collide_options o;
    cd_manifold m;
    memset(&o, 0, sizeof o);
    if (options) o.margin = options->margin;
    if (!cd_collide_convex(&sa, &sb, b_in_a, &o, cache, &m)) return 0;
    if (capacity) out[0] = m;
    return 1;
}
