#include "tree/bvh_collide.h"
#include "tree/bvh_pairs_kernel.h"

static bool cdi_pairs_visit(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, double distance,
                            const cd_bvh_pair_options *options, cd_visit_pair_fn visit, void *user) {
    cdi_pair_walk w;
    if (!cdi_pairs_open(&w, a, b, b_in_a, distance, options)) return true;
    w.visit = visit;
    w.user = user;
    return CDI_RUN(cdi_pairs_run, (&w));
}

CD_API bool cd_bvh_traverse_pairs(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                  const cd_bvh_pair_options *options, cd_visit_pair_fn visit, void *user) {
    return cdi_pairs_visit(a, b, b_in_a, 0.0, options, visit, user);
}

CD_API size_t cd_bvh_collide(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                             const cd_bvh_pair_options *options, cd_pair *pairs, size_t capacity) {
    cdi_pair_list list = cdi_pair_list_of(pairs, capacity);
    cdi_pairs_visit(a, b, b_in_a, 0.0, options, cdi_pair_append, &list);
    return list.count;
}

/* Does any pair meet, or come within the distance? The last one is tried first. */
static bool cdi_pairs_test(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, double distance,
                           const cd_bvh_pair_options *options, cd_pair *last, cd_pair *pair) {
    cdi_pair_walk w;
    cdi_posed of_a, of_b;
    if (!cdi_pairs_open(&w, a, b, b_in_a, distance, options)) return false;
    w.first = true;
    w.visit = cdi_pair_first;
    w.user = pair;
    w.last = last;
    if (cdi_pairs_recall(&w, last, &of_a, &of_b) && w.meets(&w, &of_a, &of_b) &&
        !cdi_pair_found(&w, of_a.item, of_b.item))
        return true;
    return !CDI_RUN(cdi_pairs_run, (&w));
}

CD_API bool cd_bvh_test_bvh(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                            const cd_bvh_pair_options *options, cd_pair *pair) {
    return cdi_pairs_test(a, b, b_in_a, 0.0, options, NULL, pair);
}

CD_API bool cd_bvh_test_bvh_again(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                  const cd_bvh_pair_options *options, cd_pair *last, cd_pair *pair) {
    return cdi_pairs_test(a, b, b_in_a, 0.0, options, last, pair);
}

CD_API bool cd_bvh_traverse_within(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                   cd_real distance, const cd_bvh_pair_options *options,
                                   cd_visit_pair_fn visit, void *user) {
    return cdi_pairs_visit(a, b, b_in_a, (double)distance, options, visit, user);
}

CD_API size_t cd_bvh_within(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, cd_real distance,
                            const cd_bvh_pair_options *options, cd_pair *pairs, size_t capacity) {
    cdi_pair_list list = cdi_pair_list_of(pairs, capacity);
    cdi_pairs_visit(a, b, b_in_a, (double)distance, options, cdi_pair_append, &list);
    return list.count;
}

CD_API bool cd_bvh_test_within(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a, cd_real distance,
                               const cd_bvh_pair_options *options, cd_pair *pair) {
    return cdi_pairs_test(a, b, b_in_a, (double)distance, options, NULL, pair);
}

CD_API bool cd_bvh_test_within_again(const cd_bvh *a, const cd_bvh *b, const cd_transform *b_in_a,
                                     cd_real distance, const cd_bvh_pair_options *options, cd_pair *last,
                                     cd_pair *pair) {
    return cdi_pairs_test(a, b, b_in_a, (double)distance, options, last, pair);
}
