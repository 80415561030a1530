/* tritri.h - what a test of two triangles offers to the bench. */
#ifndef BENCH_TRITRI_H
#define BENCH_TRITRI_H

#include "bench.h"
#include "workloads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All get the same floats: nine of the first triangle, nine of the second. */
typedef float bench_pair[18];

/* The triangles are put into the implementation's own form beforehand. A run tests every pair, and tells which meet where
 * `meets` is given. `group`: for so many pairs in a row the first triangle is the same, else 1. */
typedef struct bench_tritri {
    const char *name;
    int group;
    void *(*prepare)(const bench_pair *pairs, int count);
    void (*free)(void *prepared);
    bench_answer (*run)(const void *prepared, int count, unsigned char *meets);
} bench_tritri;

/* Each ends with one that has no name. */
extern const bench_tritri bench_tritri_ours_o2[], bench_tritri_ours_native[], bench_tritri_ours_double[],
    bench_tritri_plain[], bench_tritri_cgal[], bench_tritri_fcl[];

#ifdef __cplusplus
}
#endif

/* Adds the answer for pair i. */
static inline void bench_meets(bench_answer *a, unsigned char *meets, int i, int found) {
    if (meets) meets[i] = (unsigned char)(found != 0);
    a->count += found != 0;
    a->index_sum += found ? (uint64_t)i : 0;
}

#endif
