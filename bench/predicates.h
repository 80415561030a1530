/* predicates.h - what an implementation of the predicates offers to the bench, and how their signs are summed up. */
#ifndef BENCH_PREDICATES_H
#define BENCH_PREDICATES_H

#include "bench.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The points are put into the implementation's own form beforehand; a run calls the predicate for all sets of three, four
 * or five points, one after another. NULL: there is no such predicate. */
typedef bench_answer bench_predicate(const void *points, int sets);

typedef struct bench_predicates {
    const char *name;
    int takes_floats; /* its numbers are floats: not asked about doubles */
    void *(*points2)(const double (*from)[3], int count); /* z is left out */
    void *(*points3)(const double (*from)[3], int count);
    void (*free)(void *points);
    bench_predicate *orient2d, *orient3d, *incircle, *insphere;
} bench_predicates;

extern const bench_predicates bench_predicates_ours_f32, bench_predicates_ours_f64,
    bench_predicates_plain_f32, bench_predicates_plain_f64, bench_predicates_cgal;

#ifdef __cplusplus
}
#endif

/* How many are positive, and which are zero. */
static inline void bench_sign(bench_answer *a, int index, double value) {
    a->count += value > 0.0;
    a->index_sum += value == 0.0 ? (uint64_t)index : 0u;
}

#endif
