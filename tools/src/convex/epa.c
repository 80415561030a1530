#include "convex/epa.h"
#include "convex/apart3d.h"

CD_API cd_separation cd_epa(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                            const cd_separation_options *options, cd_cache *cache) {
    cd_convex_pair pair;
    cd_separation out;
    pair.a = a;
    pair.b = b;
    pair.b_in_a = b_in_a;
    cdi_convex_query(&pair, options, cache, &out);
    return out;
}
