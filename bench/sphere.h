/* sphere.h - what a fit of spheres around points offers to the bench. */
#ifndef BENCH_SPHERE_H
#define BENCH_SPHERE_H

#include "bench.h"
#include "workloads.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The points are put into the fit's own form beforehand. A run answers with the radius; nothing else is timed. */
typedef struct bench_sphere {
    const char *name;
    void *(*points)(const float (*from)[3], int count);
    void (*free)(void *points);
    double (*run)(const void *points, int count);
} bench_sphere;

enum { BENCH_FITS = 6 };

/* Ours: the smallest sphere first. */
extern const bench_sphere bench_sphere_ours_o2[BENCH_FITS], bench_sphere_ours_native[BENCH_FITS];
extern const bench_sphere bench_sphere_cgal, bench_sphere_cgal_welzl;

#ifdef __cplusplus
}
#endif

#endif
