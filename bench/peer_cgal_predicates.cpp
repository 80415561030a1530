/* peer_cgal_predicates: the predicates of CGAL's kernel with exact signs, which tries a static bound of the error, then
 * intervals, then exact arithmetic. */
#include "predicates.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>

#include <vector>

namespace {

typedef CGAL::Exact_predicates_inexact_constructions_kernel Kernel;
typedef Kernel::Point_2 Point2;
typedef Kernel::Point_3 Point3;

void *points2(const double (*from)[3], int count) {
    Point2 *p = new Point2[static_cast<size_t>(count)];
    for (int i = 0; i < count; ++i) p[i] = Point2(from[i][0], from[i][1]);
    return p;
}

void *points3(const double (*from)[3], int count) {
    Point3 *p = new Point3[static_cast<size_t>(count)];
    for (int i = 0; i < count; ++i) p[i] = Point3(from[i][0], from[i][1], from[i][2]);
    return p;
}

/* Points of the kernel hold their coordinates themselves: nothing is to be destroyed. */
void free_points(void *points) {
    ::operator delete[](points);
}

bench_answer orient2d(const void *points, int sets) {
    const Point2 *p = static_cast<const Point2 *>(points);
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < sets; ++i, p += 3) bench_sign(&a, i, CGAL::orientation(p[0], p[1], p[2]));
    return a;
}

/* CGAL turns the other way round in space. */
bench_answer orient3d(const void *points, int sets) {
    const Point3 *p = static_cast<const Point3 *>(points);
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < sets; ++i, p += 4) bench_sign(&a, i, -CGAL::orientation(p[0], p[1], p[2], p[3]));
    return a;
}

bench_answer incircle(const void *points, int sets) {
    const Point2 *p = static_cast<const Point2 *>(points);
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < sets; ++i, p += 4) {
        bench_sign(&a, i, CGAL::side_of_oriented_circle(p[0], p[1], p[2], p[3]));
    }
    return a;
}

bench_answer insphere(const void *points, int sets) {
    const Point3 *p = static_cast<const Point3 *>(points);
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < sets; ++i, p += 5) {
        bench_sign(&a, i, -CGAL::side_of_oriented_sphere(p[0], p[1], p[2], p[3], p[4]));
    }
    return a;
}

} // namespace

extern "C" const bench_predicates bench_predicates_cgal = {
    "cgal", 0, points2, points3, free_points, orient2d, orient3d, incircle, insphere,
};
