/* obb_fit.h - what a peer of the fitted boxes offers to the bench. */
#ifndef BENCH_OBB_FIT_H
#define BENCH_OBB_FIT_H

#ifdef __cplusplus
extern "C" {
#endif

/* The volume of the box found around points, the vertices of their hull. */
double bench_obb_cgal(const double (*points)[3], int count);

#ifdef __cplusplus
}
#endif

#endif
