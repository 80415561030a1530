/* sphere_ours: this library. Compiled once for each set of compiler flags that is measured, each with a copy of the library of
 * its own: BENCH_NAME is what the lines call it, BENCH_SPHERE names the table. */
#include "sphere.h"

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

static void *ours_points(const float (*from)[3], int count) {
    cd_vec3 *p = (cd_vec3 *)pg_alloc((size_t)count * sizeof *p);
    for (int i = 0; i < count; ++i)
        p[i] = cd_vec3_make((cd_real)from[i][0], (cd_real)from[i][1], (cd_real)from[i][2]);
    return p;
}

static double radius_of(cd_status status, cd_sphere s) {
    return status == CD_OK ? (double)s.radius : -1.0;
}

#define FIT(name, call)                                                                                      \
    static double name(const void *points, int count) {                                                      \
        cd_sphere s;                                                                                         \
        const cd_vec3 *p = (const cd_vec3 *)points;                                                          \
        cd_status status = call;                                                                             \
        return radius_of(status, s);                                                                         \
    }

FIT(run_welzl, cd_sphere_welzl(p, (size_t)count, &s))
FIT(run_aabb, cd_sphere_aabb(p, (size_t)count, &s))
FIT(run_ritter, cd_sphere_ritter(p, (size_t)count, &s))
FIT(run_eigen, cd_sphere_eigen(p, (size_t)count, &s))
FIT(run_ritter_eigen, cd_sphere_ritter_eigen(p, (size_t)count, &s))
FIT(run_ritter_iterative, cd_sphere_ritter_iterative(p, (size_t)count, NULL, &s))

const bench_sphere BENCH_SPHERE[BENCH_FITS] = {
    {BENCH_NAME "-welzl", ours_points, free, run_welzl},
    {BENCH_NAME "-aabb", ours_points, free, run_aabb},
    {BENCH_NAME "-ritter", ours_points, free, run_ritter},
    {BENCH_NAME "-eigen", ours_points, free, run_eigen},
    {BENCH_NAME "-ritter-eigen", ours_points, free, run_ritter_eigen},
    {BENCH_NAME "-ritter-iterative", ours_points, free, run_ritter_iterative}};
