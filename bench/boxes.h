/* boxes.h - what a contact of two oriented boxes offers to the bench. */
#ifndef BENCH_BOXES_H
#define BENCH_BOXES_H

#include "obb.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The normal leads from A to B, the depth is above 0 where they overlap. */
typedef struct bench_contact {
    double depth, normal[3];
    int points; /* 0: no contact */
} bench_contact;

/* The boxes are put into the implementation's own form beforehand. Where it remembers pairs, pair i is that of `i % pairs`. A run makes
 * all contacts, which come in `out` where that is given. */
typedef struct bench_boxes_table {
    const char *name;
    void *(*prepare)(const bench_boxes *pairs, int count, int tracked);
    void (*free)(void *prepared);
    bench_answer (*run)(void *prepared, int count, bench_contact *out);
} bench_boxes_table;

extern const bench_boxes_table bench_boxes_ours_o2, bench_boxes_ours_o2_cached, bench_boxes_ours_o2_batch,
    bench_boxes_ours_native, bench_boxes_ours_native_cached, bench_boxes_ours_native_batch,
    bench_boxes_ours_double, bench_boxes_ours_double_cached, bench_boxes_ours_double_batch,
    bench_boxes_ours_convex, bench_boxes_bullet, bench_boxes_ode;

#ifdef __cplusplus
}
#endif

#endif
