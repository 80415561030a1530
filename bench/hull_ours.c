/* hull_ours: this library. Compiled once for each set of compiler flags that is measured, each with a copy of the library of
 * its own: BENCH_NAME is what the lines call it, BENCH_HULL names the table. */
#include "hull.h"

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

static void *ours_points(const float (*from)[3], int count) {
    cd_vec3 *p = (cd_vec3 *)pg_alloc((size_t)count * sizeof *p);
    for (int i = 0; i < count; ++i)
        p[i] = cd_vec3_make((cd_real)from[i][0], (cd_real)from[i][1], (cd_real)from[i][2]);
    return p;
}

static cd_hull ours_build(const void *points, int count) {
    cd_hull hull;
    if (cd_hull3_build(&hull, (const cd_vec3 *)points, (size_t)count, NULL) != CD_OK) {
        fprintf(stderr, "bench: the build failed\n");
        exit(1);
    }
    return hull;
}

static void ours_run(const void *points, int count) {
    cd_hull hull = ours_build(points, count);
    cd_hull_destroy(&hull);
}

static bench_answer ours_measure(const void *points, int count) {
    cd_hull hull = ours_build(points, count);
    cd_hull_parts h = cd_hull_get_parts(&hull);
    size_t triangles = cd_hull_triangles(&hull, NULL, 0);
    uint32_t *t = (uint32_t *)pg_alloc(triangles * 3 * sizeof *t);
    bench_answer a = {0, 0, 0.0};
    a.count = h.vertex_count;
    cd_hull_triangles(&hull, t, triangles);
    for (size_t i = 0; i < triangles; ++i) {
        double corner[3][3];
        for (int k = 0; k < 3; ++k) {
            cd_vec3 v = h.vertices[t[3 * i + (size_t)k]];
            corner[k][0] = (double)v.x, corner[k][1] = (double)v.y, corner[k][2] = (double)v.z;
        }
        a.distance_sum += bench_wedge(corner[0], corner[1], corner[2]);
    }
    free(t);
    cd_hull_destroy(&hull);
    return a;
}

const bench_hull BENCH_HULL = {BENCH_NAME, ours_points, free, ours_run, ours_measure};
