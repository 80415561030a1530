/* obb.h - what a test of two oriented boxes offers to the bench. */
#ifndef BENCH_OBB_H
#define BENCH_OBB_H

#include "bench.h"
#include "workloads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* axes[i] is a column of the box's rotation. All get the same floats. */
typedef struct bench_box {
    float center[3], axes[3][3], half[3];
} bench_box;

typedef struct bench_boxes {
    bench_box a, b;
} bench_boxes;

/* The boxes are put into the implementation's own form beforehand. A run tests every pair, and tells which meet where
 * `meets` is given. */
typedef struct bench_obb {
    const char *name;
    void *(*prepare)(const bench_boxes *pairs, int count);
    void (*free)(void *prepared);
    bench_answer (*run)(const void *prepared, int count, unsigned char *meets);
} bench_obb;

extern const bench_obb bench_obb_ours_o2, bench_obb_ours_fast_o2, bench_obb_ours_native,
    bench_obb_ours_fast_native, bench_obb_book, bench_obb_bullet, bench_obb_bullet_contacts,
    bench_obb_fcl_f32, bench_obb_fcl_f64, bench_obb_ode;

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
