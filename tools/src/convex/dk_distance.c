#include "convex/dk_distance.h"

CD_API cd_separation cd_dk_hierarchy_distance(const cd_dk_hierarchy *a, const cd_dk_hierarchy *b,
                                              const cd_transform *b_in_a,
                                              const cd_separation_options *options, cd_cache *cache) {
    cd_support body = cd_support_of_dk_hierarchy(a), other = cd_support_of_dk_hierarchy(b);
    return cd_gjk_distance(&body, &other, b_in_a, options, cache);
}
