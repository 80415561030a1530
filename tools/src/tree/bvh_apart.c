#include "tree/bvh_apart.h"
#include "tree/bvh_apart_kernel.h"

CD_API bool cd_bvh_closest_bvh(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                               cd_real max_distance, const cd_bvh_pair_options *options, cd_closest *out) {
    cdi_pair_walk w;
    cdi_pair_nearest best;
    double most = (double)max_distance;
    if (!(most >= 0.0) || !cdi_pairs_open(&w, a, b, b_in_a, 0.0, options)) return false;
    cdi_clear(&best, sizeof best);
    best.sqdist = cdi_min(most * most, CDI_HUGE);
    best.pair.a = best.pair.b = CD_NONE;
    CDI_RUN(cdi_apart_run, (&w, &best));
    if (best.pair.a == CD_NONE) return false;
    if (out) cdi_pairs_closest(&w, &best, out);
    return true;
}
