/* sweeps: what a sweep against triangles offers to the bench. */
#ifndef BENCH_SWEEPS_H
#define BENCH_SWEEPS_H

#include "bench.h"
#include "workloads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What moves: a ball; a capsule along its own z axis; a box, as it is, and turned; and a turned hull, that of some of the points
 * of pg_hulls, which is only cast through the tree. */
typedef enum bench_mover {
    BENCH_BALL,
    BENCH_CAPSULE,
    BENCH_AABB,
    BENCH_OBB,
    BENCH_HULL,
    BENCH_MOVERS
} bench_mover;

enum { BENCH_HULL_POINTS = 32 };

static const float bench_radius = 0.1f, bench_capsule_half = 0.15f, bench_box_half[3] = {0.2f, 0.1f, 0.15f};

/* A mover at its start, every number rounded before anyone sees it: the axes of a capsule or box, the ends of the capsule's
 * core, the corners of the box that is not turned, the points of the hull. */
typedef struct bench_start {
    float center[3], motion[3], axes[3][3], ends[2][3], low[3], high[3], points[BENCH_HULL_POINTS][3];
} bench_start;

/* Casts, each with the triangles that it has to look at: those of cast i are from first[i] up to first[i + 1], sorted by
 * `enter`, which is where the mover's bounding box comes to that of the triangle. */
typedef struct bench_course {
    bench_mover mover;
    int casts;
    const bench_start *start;
    const int *first;
    float (*triangle)[9];
    const float *enter;
    int faces; /* of the whole mesh, for those that look for themselves */
    const float (*face)[9];
} bench_course;

/* A way to sweep. `single`: every triangle by a call of its own, whatever was found before; a run tells t for each where `t` is
 * given, 2 for none. Else: cast after cast, the first hit is wanted, by any means. The sum is that of the first hits. */
typedef struct bench_sweep {
    const char *name;
    bench_mover mover;
    int single;
    void *(*prepare)(const bench_course *course);
    void (*free)(void *prepared);
    bench_answer (*run)(const void *prepared, double *t);
} bench_sweep;

/* Each ends with one that has no name. */
extern const bench_sweep bench_sweeps_ours_o2[], bench_sweeps_ours_native[], bench_sweeps_ours_double[],
    bench_sweeps_bullet[];

#ifdef __cplusplus
}
#endif

/* Adds what a cast found, 2 for nothing. */
static inline void bench_first(bench_answer *a, double t) {
    a->count += t <= 1;
    a->distance_sum += t <= 1 ? t : 0;
}

#endif
