#include "query/uncertain.h"

CD_API cd_ternary cd_test_sphere_sphere_interval(const cd_interval3 *center_a, cd_interval radius_a,
                                                 const cd_interval3 *center_b, cd_interval radius_b) {
    cd_interval3 d = cd_interval3_sub(center_a, center_b);
    cd_interval zero = cd_interval_from_value(0), reach = cd_interval_add(radius_a, radius_b);
    cd_ternary meet =
        cd_interval_less_equal(cd_interval3_sqlength(&d), cd_interval_sqr(cd_interval_max(reach, zero)));
    cd_ternary a = cd_interval_less_equal(zero, radius_a), b = cd_interval_less_equal(zero, radius_b);
    if (cd_interval_is_empty(d.x) || cd_interval_is_empty(d.y) || cd_interval_is_empty(d.z)) return CD_MAYBE;
    if (a == CD_NO || b == CD_NO || meet == CD_NO) return CD_NO;
    return a == CD_YES && b == CD_YES ? meet : CD_MAYBE;
}
