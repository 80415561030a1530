/* mesh_sweeps: what the first contact of two moving meshes offers to the bench. */
#ifndef BENCH_MESH_SWEEPS_H
#define BENCH_MESH_SWEEPS_H

#include "bench.h"
#include "workloads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A mesh moves from the identity to `to`, turned there by `turn` where it turns; the other one is at rest, turned by q, at p. */
typedef struct bench_flight {
    float q[4], p[3], to[3], turn[4];
} bench_flight;

/* The sum of a run is that of the times, 1 for those that miss; each in `t`, where it is given. */
typedef struct bench_mesh_sweep {
    const char *name;
    void *(*build)(const pg_mesh *mesh);
    void (*destroy)(void *tree);
    bench_answer (*straight)(const void *a, const void *b, const bench_flight *flights, int count, double *t);
    bench_answer (*turning)(const void *a, const void *b, const bench_flight *flights, int count, double *t);
} bench_mesh_sweep;

extern const bench_mesh_sweep bench_mesh_sweep_fcl;

#ifdef __cplusplus
}
#endif

/* Adds what a flight found. */
static inline void bench_flown(bench_answer *a, int hit, double when, double *t, int i) {
    a->count += hit != 0;
    a->distance_sum += hit ? when : 1.0;
    if (t) t[i] = hit ? when : 1.0;
}

#endif
