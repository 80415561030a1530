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
    if (!out) return true;
    cdi_posed_hold(&w, &w.held_a, false, best.item_a, 1);
    cdi_posed_hold(&w, &w.held_b, true, best.item_b, 1);
    cdi_posed_closest(&w.held_a.item[0], &w.held_b.item[0], best.sqdist, out);
    out->index_a = best.pair.a;
    out->index_b = best.pair.b;
    return true;
}
