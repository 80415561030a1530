/* Two triangles: whether they meet is exact, in every case; where they meet is a point, a segment or a polygon.
 *
 *     cc examples/triangles.c -I. -o triangles && ./triangles */
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
#include <stdio.h>

static void show(const char *what, const cd_triangle *a, const cd_triangle *b) {
    cd_triangle_cut cut;
    printf("%s: ", what);
    if (!cd_intersect_triangle_triangle(a, b, &cut)) {
        printf("apart\n");
        return;
    }
    for (uint32_t i = 0; i < cut.count; ++i) {
        printf("(%g, %g, %g) ", (double)cut.points[i].x, (double)cut.points[i].y, (double)cut.points[i].z);
    }
    printf("%s\n", cut.coplanar ? "in one plane" : "");
}

int main(void) {
    cd_triangle floor = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}};
    cd_triangle wall = {{1, 1, -1}, {1, 1, 1}, {3, 1, 0}};
    cd_triangle corner = {{2, 2, 0}, {5, 5, 1}, {5, 5, 2}}; /* its corner is on the floor's longest edge */
    cd_triangle above = {{1, 1, 1e-30f}, {2, 1, 1}, {1, 2, 1}};
    cd_triangle flat = {{1, 1, 0}, {5, 1, 0}, {1, 5, 0}};
    cd_triangle segment = {{1, 1, 1}, {1, 1, -1}, {1, 1, 0}}; /* no area: it counts as the segment it is */

    show("through it", &floor, &wall);
    show("a corner on an edge", &floor, &corner);
    show("1e-30 above it", &floor, &above);
    show("in its plane", &floor, &flat);
    show("a segment", &floor, &segment);
    return 0;
}
