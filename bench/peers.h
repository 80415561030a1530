/* peers: what an implementation offers to the benches, ours and others' alike.
 *
 * A peer that is not installed is left out by run.sh; a function an implementation does not have is NULL. */
#ifndef BENCH_PEERS_H
#define BENCH_PEERS_H

#include "bench.h"
#include "workloads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A mesh posed against another: vertices of b moved by the pose and rounded once are `b_posed`, so that all decide
 * on the same numbers. */
typedef struct bench_posed {
    const pg_mesh *a, *b, *b_posed;
    float q[4], p[3];
} bench_posed;

/* Trees over triangles. Every query is asked of all inputs, one after another, on one thread. */
typedef struct bench_tree {
    const char *name;
    int slowness; /* 0: takes part in everything; 1: not in the rays of heavy meshes; 2: small meshes only */
    void *(*build)(const pg_mesh *mesh);
    void (*destroy)(void *tree);
    double (*bytes)(const void *tree); /* besides the mesh itself */
    bench_answer (*closest_hit)(const void *tree, const pg_ray *rays, int count); /* nearest along each ray */
    bench_answer (*any_hit)(const void *tree, const pg_ray *rays, int count);
    bench_answer (*closest_point)(const void *tree, const float (*points)[3], int count);
    bench_answer (*pairs)(const void *a, const void *b, const bench_posed *meshes); /* all that meet */
    bench_answer (*first_pair)(const void *a, const void *b, const bench_posed *meshes);
    bench_answer (*closest_pair)(const void *a, const void *b, const bench_posed *meshes); /* its distance */
    void (*counters)(uint64_t *nodes, uint64_t *triangles); /* work since the last call; no timing then */
} bench_tree;

/* Single calls: on pairs of triangles (18 numbers); on the first of each pair and a ray; on a box (min, max) and a
 * ray. */
typedef struct bench_kernels {
    const char *name;
    bench_answer (*triangle_triangle)(const float (*pairs)[18], int count);
    bench_answer (*ray_triangle)(const float (*pairs)[18], const pg_ray *rays, int count);
    bench_answer (*ray_box)(const float (*boxes)[6], const pg_ray *rays, int count);
} bench_kernels;

extern const bench_tree bench_tree_ours_o2, bench_tree_ours_sse2, bench_tree_ours_avx2,
    bench_tree_ours_native, bench_tree_ours_binary, bench_tree_ours_quantised, bench_tree_ours_compact,
    bench_tree_ours_counted, bench_tree_naive, bench_tree_embree, bench_tree_embree_robust, bench_tree_cgal,
    bench_tree_fcl;
extern const bench_kernels bench_kernels_ours_o2, bench_kernels_ours_native, bench_kernels_naive,
    bench_kernels_cgal;

#ifdef __cplusplus
}
#endif

/* Adds what was found for one input. */
static inline void bench_count(bench_answer *a, uint64_t index) {
    ++a->count;
    a->index_sum += index;
}

#endif
