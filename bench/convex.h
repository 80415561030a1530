/* convex: what an implementation offers to the bench of pairs of convex hulls. */
#ifndef BENCH_CONVEX_H
#define BENCH_CONVEX_H

#include "bench.h"
#include "workloads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The signed distance of a pair (minus the depth) and the normal from A to B, in the world. */
typedef struct bench_parted {
    double distance, normal[3];
} bench_parted;

/* Every query is asked of all pairs, one after another; what is found goes into `out`, where it is given. The sum of a run is that of the
 * distances, the count of `meet` that of the pairs that meet. A function that an implementation does not have is NULL. */
typedef struct bench_convex {
    const char *name;
    void *(*prepare)(const pg_hull *hulls,
                     int most); /* the hulls, made ready; `most` pairs are asked for at once */
    void (*release)(void *prepared);
    bench_answer (*distance)(void *prepared, const pg_pair *pairs, int count,
                             bench_parted *out); /* of those apart */
    bench_answer (*meet)(void *prepared, const pg_pair *pairs, int count);
    bench_answer (*depth)(void *prepared, const pg_pair *pairs, int count,
                          bench_parted *out); /* of those that meet */
    bench_answer (*coherent)(void *prepared, const pg_pair *pairs,
                             int count); /* with what is remembered of pair i */
} bench_convex;

extern const bench_convex bench_convex_ours_o2, bench_convex_ours_native, bench_convex_ours_double,
    bench_convex_bullet, bench_convex_ccd, bench_convex_ccd_mpr, bench_convex_fcl;

#ifdef __cplusplus
}
#endif

/* Adds one pair's answer. */
static inline void bench_part(bench_answer *a, bench_parted *out, int i, double distance, double x, double y,
                              double z) {
    ++a->count;
    a->distance_sum += distance;
    if (!out) return;
    out[i].distance = distance;
    out[i].normal[0] = x, out[i].normal[1] = y, out[i].normal[2] = z;
}

#endif
