#include "convex/convex_distance.h"
#include "convex/apart3d.h"

static void cdi_convex_answer(const cd_convex_pair *p, const cd_separation_options *options, cd_cache *cache,
                              cd_separation *out) {
    cdi_couple pair;
    if (cdi_couple_open(&pair, p->a, p->b, p->b_in_a)) {
        cdi_convex_query(&pair, options, true, cache, out);
    } else {
        cdi_separation_of_nothing(out);
    }
}

CD_API cd_separation cd_convex_distance(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                                        const cd_separation_options *options, cd_cache *cache) {
    cd_separation out;
    cd_convex_pair pair;
    pair.a = a;
    pair.b = b;
    pair.b_in_a = b_in_a;
    cdi_convex_answer(&pair, options, cache, &out);
    return out;
}

CD_API void cd_convex_distances(const cd_convex_pair *pairs, size_t count,
                                const cd_separation_options *options, cd_cache *caches, cd_separation *out) {
    for (size_t i = 0; i < count; ++i)
        cdi_convex_answer(&pairs[i], options, caches ? caches + i : NULL, &out[i]);
}
