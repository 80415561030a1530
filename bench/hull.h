/* hull.h - what a builder of convex hulls offers to the bench. */
#ifndef BENCH_HULL_H
#define BENCH_HULL_H

#include "bench.h"
#include "workloads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The points are put into the builder's own form beforehand. A run builds the hull and gives it back, which is all that is
 * timed; `measure` tells how many vertices it has, and its volume. */
typedef struct bench_hull {
    const char *name;
    void *(*points)(const float (*from)[3], int count);
    void (*free)(void *points);
    void (*run)(const void *points, int count);
    bench_answer (*measure)(const void *points, int count);
} bench_hull;

extern const bench_hull bench_hull_ours_o2, bench_hull_ours_native, bench_hull_qhull, bench_hull_cgal,
    bench_hull_bullet;

#ifdef __cplusplus
}
#endif

/* The volume between the origin and a triangle, below 0 when it is seen from behind. */
static inline double bench_wedge(const double a[3], const double b[3], const double c[3]) {
    double x = b[1] * c[2] - b[2] * c[1], y = b[2] * c[0] - b[0] * c[2], z = b[0] * c[1] - b[1] * c[0];
    return (a[0] * x + a[1] * y + a[2] * z) / 6.0;
}

#endif
