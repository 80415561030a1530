/* peer_bullet_hull: Bullet's btConvexHullComputer, which puts the points on a grid of integers: exact there, but not for
 * the points as they were. */
#include "hull.h"

#include <LinearMath/btConvexHullComputer.h>

namespace {

void *points(const float (*from)[3], int count) {
    size_t size = static_cast<size_t>(count) * sizeof *from;
    return memcpy(pg_alloc(size), from, size);
}

void build(const void *points, int count, btConvexHullComputer &hull) {
    hull.compute(static_cast<const float *>(points), 3 * sizeof(float), count, 0, 0);
}

void run(const void *points, int count) {
    btConvexHullComputer hull;
    build(points, count, hull);
}

void corner(const btConvexHullComputer &hull, int vertex, double out[3]) {
    for (int k = 0; k < 3; ++k) out[k] = static_cast<double>(hull.vertices[vertex][k]);
}

/* The fan of a face; its corners turn clockwise as seen from outside. */
double wedge_of(const btConvexHullComputer &hull, const btConvexHullComputer::Edge *first) {
    double a[3], b[3], c[3], sum = 0;
    corner(hull, first->getSourceVertex(), a);
    for (const btConvexHullComputer::Edge *e = first->getNextEdgeOfFace();
         e->getTargetVertex() != first->getSourceVertex(); e = e->getNextEdgeOfFace()) {
        corner(hull, e->getSourceVertex(), b);
        corner(hull, e->getTargetVertex(), c);
        sum += bench_wedge(a, b, c);
    }
    return sum;
}

bench_answer measure(const void *points, int count) {
    btConvexHullComputer hull;
    bench_answer a = {0, 0, 0.0};
    build(points, count, hull);
    a.count = static_cast<uint64_t>(hull.vertices.size());
    for (int i = 0; i < hull.faces.size(); ++i) a.distance_sum += wedge_of(hull, &hull.edges[hull.faces[i]]);
    a.distance_sum = a.distance_sum < 0 ? -a.distance_sum : a.distance_sum;
    return a;
}

} // namespace

const bench_hull bench_hull_bullet = {"Bullet", points, free, run, measure};
