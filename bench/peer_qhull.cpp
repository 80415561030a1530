/* peer_qhull: Qhull, on doubles with merged facets; its reentrant library. */
#include "hull.h"

#include <libqhull_r/qhull_ra.h>

namespace {

void *points(const float (*from)[3], int count) {
    double *p = static_cast<double *>(pg_alloc(static_cast<size_t>(count) * 3 * sizeof(double)));
    for (int i = 0; i < 3 * count; ++i) p[i] = static_cast<double>(from[i / 3][i % 3]);
    return p;
}

void build(qhT *qh, const void *points, int count) {
    char command[] = "qhull";
    coordT *p = const_cast<coordT *>(static_cast<const coordT *>(points));
    qh_zero(qh, stderr);
    if (!qh_new_qhull(qh, 3, count, p, False, command, NULL, stderr)) return;
    fprintf(stderr, "bench: the build failed\n");
    exit(1);
}

void give_back(qhT *qh) {
    int blocks, bytes;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &blocks, &bytes);
}

void run(const void *points, int count) {
    qhT qh;
    build(&qh, points, count);
    give_back(&qh);
}

bench_answer measure(const void *points, int count) {
    qhT qh;
    bench_answer a = {0, 0, 0.0};
    build(&qh, points, count);
    qh_getarea(&qh, qh.facet_list);
    a.count = static_cast<uint64_t>(qh.num_vertices);
    a.distance_sum = qh.totvol;
    give_back(&qh);
    return a;
}

} // namespace

const bench_hull bench_hull_qhull = {"Qhull", points, free, run, measure};
