/* refit: trees over a mesh that deforms, frame after frame, ours and others'. */
#ifndef BENCH_REFIT_H
#define BENCH_REFIT_H

#include "bench.h"
#include "workloads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The mesh keeps its triangles and has new positions when `update` is called. `closest_hit` may be NULL. */
typedef struct bench_refit {
    const char *name;
    void *(*make)(const pg_mesh *mesh);
    void (*update)(void *tree, const pg_mesh *mesh);
    void (*destroy)(void *tree);
    bench_answer (*closest_hit)(const void *tree, const pg_ray *rays, int count);
} bench_refit;

enum { BENCH_REFIT_OURS = 4 }; /* with rebuilds, in place, built anew, built anew along a curve */

extern const bench_refit bench_refit_ours_o2[BENCH_REFIT_OURS], bench_refit_ours_native[BENCH_REFIT_OURS],
    bench_refit_embree, bench_refit_fcl;

#ifdef __cplusplus
}
#endif

#endif
