#include "convex/convex_distance.h"
#include "convex/apart3d.h"

CD_API cd_separation cd_convex_distance(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                                        const cd_separation_options *options, cd_cache *cache) {
    cd_separation out;
    cd_convex_pair pair;
    pair.a = a;
    pair.b = b;
    pair.b_in_a = b_in_a;
    cdi_convex_query(&pair, options, cache, &out);
    return out;
}

CD_API void cd_convex_distances(const cd_convex_pair *pairs, size_t count,
                                const cd_separation_options *options, cd_cache *caches, cd_separation *out) {
    for (size_t i = 0; i < count; ++i)
        cdi_convex_query(&pairs[i], options, caches ? caches + i : NULL, &out[i]);
}
