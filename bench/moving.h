/* moving: what a structure for boxes that move offers to the bench. */
#ifndef BENCH_MOVING_H
#define BENCH_MOVING_H

#include "bench.h"
#include "workloads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rounded before anyone sees it. */
typedef struct bench_box {
    float lo[3], hi[3];
} bench_box;

/* One frame: where all boxes are. Those whose number is divisible by `every` have moved, each by its `motion`, and will go on so. */
typedef struct bench_frame {
    const bench_box *boxes;
    const float (*motion)[3];
    int count, every;
} bench_frame;

/* Every answer is a number of things found and the sum of their numbers; of a pair those of both. What is not there is NULL. */
typedef struct bench_moving {
    const char *name;
    int most; /* boxes that it can bear */
    void *(*create)(const bench_box *boxes, int count);
    void (*destroy)(void *world);
    bench_answer (*frame)(void *world,
                          const bench_frame *frame); /* what moved is told, all pairs are found */
    bench_answer (*churn)(const bench_box *boxes, const int *order,
                          int count); /* all inserted one by one, and removed in that order */
    bench_answer (*rays)(void *world, const pg_ray *rays,
                         int count); /* all boxes on the way from o to o + d */
    bench_answer (*boxes)(void *world, const bench_box *boxes, int count); /* all boxes that meet each */
} bench_moving;

/* Each ends with one that has no name. */
extern const bench_moving bench_moving_ours_o2[], bench_moving_ours_native[], bench_moving_bullet[],
    bench_moving_fcl[], bench_moving_embree[], bench_moving_cgal[];

#ifdef __cplusplus
}
#endif

/* Adds what was found. */
static inline void bench_found(bench_answer *a, uint64_t index) {
    ++a->count;
    a->index_sum += index;
}

/* Do they meet? Touching counts. */
static inline int bench_boxes_meet(const bench_box *a, const bench_box *b) {
    for (int k = 0; k < 3; ++k) {
        if (a->lo[k] > b->hi[k] || b->lo[k] > a->hi[k]) return 0;
    }
    return 1;
}

#endif
