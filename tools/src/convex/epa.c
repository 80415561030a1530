#include "convex/epa.h"
#include "convex/apart3d.h"

CD_API cd_separation cd_epa(const cd_support *a, const cd_support *b, const cd_transform *b_in_a,
                            const cd_separation_options *options, cd_cache *cache) {
    cdi_couple pair;
    cd_separation out;
    if (cdi_couple_open(&pair, a, b, b_in_a)) {
        cdi_convex_query(&pair, options, false, cache, &out);
    } else {
        cdi_separation_of_nothing(&out);
    }
    return out;
}
