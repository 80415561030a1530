/* kdop.h - what an implementation of k-DOPs offers to the bench. */
#ifndef BENCH_KDOP_H
#define BENCH_KDOP_H

#include "bench.h"
#include "workloads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `make` puts the points into the implementation's own form, for k-DOPs of this k, or gives NULL when it has none. `build`
 * makes one of every `each` points in a row and keeps them; `overlap` compares all pairs of the first thousand kept. */
typedef struct bench_kdop {
    const char *name;
    void *(*make)(const float (*points)[3], int count, int k);
    void (*free)(void *dops);
    bench_answer (*build)(void *dops, int each);
    bench_answer (*overlap)(void *dops);
} bench_kdop;

extern const bench_kdop bench_kdop_ours_o2, bench_kdop_ours_native, bench_kdop_fcl;

/* One body that tumbles, its k-DOP found anew at each of a hundred poses, each a little further; and the corners of its
 * k-DOP. Only ours has this. */
typedef struct bench_tumble {
    void *(*make)(const float (*points)[3], int count, int k);
    void (*free)(void *body);
    double (*tightness)(void *body);    /* the k-DOP's volume over the hull's */
    bench_answer (*way[6])(void *body); /* climbing, all vertices, stored corners, programs; corners twice */
} bench_tumble;

extern const bench_tumble bench_tumble_ours_o2;

/* Pairs of hulls: how many may meet by their faces alone. */
typedef struct bench_rough {
    void *(*make)(const pg_hull *hulls);
    void (*free)(void *hulls);
    bench_answer (*test)(const void *hulls, const pg_pair *pairs, int count);
} bench_rough;

extern const bench_rough bench_rough_ours_o2;

#ifdef __cplusplus
}
#endif

#endif
