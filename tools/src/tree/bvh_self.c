#include "tree/bvh_self.h"
#include "tree/bvh_neighbours.h"
#include "tree/bvh_pairs_kernel.h"

CD_API bool cd_bvh_traverse_self(const cd_bvh *tree, const cd_bvh_pair_options *options,
                                 cd_visit_pair_fn visit, void *user) {
    cd_bvh_pair_options own;
    cdi_pair_walk w;
    if (!cdi_self_open(&w, &own, tree, options)) return true;
    w.first = visit == cdi_pair_first;
    w.visit = visit;
    w.user = user;
    return CDI_RUN(cdi_pairs_run, (&w));
}

CD_API size_t cd_bvh_self_pairs(const cd_bvh *tree, const cd_bvh_pair_options *options, cd_pair *pairs,
                                size_t capacity) {
    cdi_pair_list list = cdi_pair_list_of(pairs, capacity);
    cd_bvh_traverse_self(tree, options, cdi_pair_append, &list);
    return list.count;
}

CD_API bool cd_bvh_test_self(const cd_bvh *tree, const cd_bvh_pair_options *options, cd_pair *pair) {
    return !cd_bvh_traverse_self(tree, options, cdi_pair_first, pair);
}
