/* Two boxes: axis-aligned ones, and one that turns until it touches.
 *
 *     cc examples/boxes.c -I. -o boxes && ./boxes */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
#include <stdio.h>

int main(void) {
    cd_aabb a = {{-1, -1, -1}, {1, 1, 1}}, b = {{1, 0, 0}, {3, 2, 2}}, common = cd_aabb_intersect(a, b);
    cd_obb still = cd_obb_from_aabb(a), turning = still;
    cd_quat turn = cd_quat_identity();
    /* ten degrees about z: the sine and cosine of five, from a table, so that the output is the same everywhere */
    cd_quat step = cd_quat_from_axis(cd_vec3_make(0, 0, 1), 0.08715574f, 0.99619470f);

    printf("axis-aligned boxes %s", cd_test_aabb_aabb(a, b) ? "meet" : "are apart");
    printf("; their common part is %g wide: touching counts\n", (double)(common.max.x - common.min.x));
    b.min.x = 1.001f;
    printf("a little to the right they %s\n", cd_test_aabb_aabb(a, b) ? "meet" : "are apart");

    for (int degrees = 0; degrees <= 40; degrees += 10) {
        turning.center = cd_vec3_make(2.3f, 0, 0);
        turning.axes = cd_quat_to_mat3(turn);
        printf("turned by %2d degrees they %s\n", degrees,
               cd_test_obb_obb(&still, &turning) ? "meet" : "are apart");
        turn = cd_quat_mul(turn, step);
    }
    return 0;
}
