/* What fuzzing found: each input as it was, made small, and what has to hold of it. */
#include "test.h"
#include <math.h>
#include <string.h>

/* One corner is NaN in one coordinate: there is neither a normal nor a plane, though one component of the cross product is a number. */
static void plane_of_a_corner_that_is_none(void) {
    cd_triangle t = {{1, -1, 0}, {0, 1, 0}, {1, 1, 0}};
    for (int k = 0; k < 9; ++k) {
        cd_triangle bad = t;
        cd_vec3 n = {5, 6, 7};
        cd_plane p = {{5, 6, 7}, 8};
        REALS(bad)[k] = (cd_real)(k % 2 ? NAN : INFINITY);
        CHECK(!cd_triangle_normal(&bad, &n) && n.x == 5 && n.z == 7);
        CHECK(!cd_plane_from_triangle(&bad, &p) && p.n.x == 5 && p.d == 8);
        CHECK(!cd_plane_from_points(bad.a, bad.b, bad.c, &p) && p.n.x == 5 && p.d == 8);
    }
    CHECK(cd_triangle_normal(&t, NULL) && cd_plane_from_triangle(&t, NULL));
}

void suite_fuzz_finds(void) {
    RUN(plane_of_a_corner_that_is_none);
}
