#include "tree/bvh_apart.h"
#include "tree/bvh_apart_kernel.h"

/* The best so far is the pair that was nearest last, unless that does not count. */
static void cdi_apart_begin(const cdi_pair_walk *w, const cd_pair *last, cdi_pair_nearest *best) {
    cdi_posed a, b;
    cd_pair pair;
    double sqdist;
    if (!cdi_pairs_recall(w, last, &a, &b)) return;
    pair.a = cdi_bvh_index(&w->a, a.item);
    pair.b = cdi_bvh_index(&w->b, b.item);
    sqdist = cdi_posed_sqdist(&a, &b, best->sqdist);
    if (!(sqdist <= best->sqdist) || !cdi_pairs_sees(w, a.item, b.item, pair)) return;
    best->sqdist = sqdist;
    best->pair = pair;
    best->item_a = a.item;
    best->item_b = b.item;
}

CD_API bool cd_bvh_closest_bvh_again(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                     cd_real max_distance, const cd_bvh_pair_options *options, cd_pair *last,
                                     cd_closest *out) {
    cdi_pair_walk w;
    cdi_pair_nearest best;
    double most = (double)max_distance;
    if (!(most >= 0.0) || !cdi_pairs_open(&w, a, b, b_in_a, 0.0, options)) return false;
    cdi_clear(&best, sizeof best);
    best.sqdist = cdi_min(most * most, CDI_HUGE);
    best.pair.a = best.pair.b = CD_NONE;
    cdi_apart_begin(&w, last, &best);
    CDI_RUN(cdi_apart_run, (&w, &best));
    if (best.pair.a == CD_NONE) return false;
    if (last) {
        last->a = best.item_a;
        last->b = best.item_b;
    }
    if (out) cdi_pairs_closest(&w, &best, out);
    return true;
}

CD_API bool cd_bvh_closest_bvh(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                               cd_real max_distance, const cd_bvh_pair_options *options, cd_closest *out) {
    return cd_bvh_closest_bvh_again(a, b, b_in_a, max_distance, options, NULL, out);
}
