/* heights: what a height field offers to the bench. */
#ifndef BENCH_HEIGHTS_H
#define BENCH_HEIGHTS_H

#include "bench.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A square of samples, 1 apart, z up; heights are scale times these. */
typedef struct bench_field {
    int side;
    const uint16_t *samples;
    float scale, highest;
} bench_field;

typedef struct bench_field_ray {
    float o[3], d[3]; /* from o to o + d */
} bench_field_ray;

/* A way to cast rays at a field: nearest hits. */
typedef struct bench_heights {
    const char *name;
    void *(*prepare)(const bench_field *field);
    void (*free)(void *prepared);
    bench_answer (*run)(const void *prepared, const bench_field_ray *rays, int count);
    double (*bytes)(const void *prepared); /* a triangle; NULL: not known */
} bench_heights;

/* Each ends with one that has no name. */
extern const bench_heights bench_heights_ours_o2[], bench_heights_ours_native[], bench_heights_bullet[];

#ifdef __cplusplus
}
#endif
#endif
