/* peer_cgal_tritri: CGAL's do_intersect of two triangles on the kernel with exact predicates. Triangles without area are no
 * valid input for it: they count as meeting nothing. */
#include "tritri.h"

#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Intersections_3/Triangle_3_Triangle_3.h>

#include <utility>
#include <vector>

namespace {

typedef CGAL::Exact_predicates_inexact_constructions_kernel Kernel;
typedef Kernel::Point_3 Point;
typedef Kernel::Triangle_3 Triangle;
typedef std::vector<std::pair<Triangle, Triangle>> Pairs;

Triangle triangle_of(const float *v) {
    return Triangle(Point(v[0], v[1], v[2]), Point(v[3], v[4], v[5]), Point(v[6], v[7], v[8]));
}

void *prepare(const bench_pair *pairs, int count) {
    Pairs *p = new Pairs;
    for (int i = 0; i < count; ++i) p->emplace_back(triangle_of(pairs[i]), triangle_of(pairs[i] + 9));
    return p;
}

void release(void *prepared) {
    delete static_cast<Pairs *>(prepared);
}

bool meet(const std::pair<Triangle, Triangle> &p) {
    if (p.first.is_degenerate() || p.second.is_degenerate()) return false;
    return CGAL::do_intersect(p.first, p.second);
}

bench_answer run(const void *prepared, int count, unsigned char *meets) {
    const Pairs &p = *static_cast<const Pairs *>(prepared);
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) bench_meets(&answer, meets, i, meet(p[static_cast<size_t>(i)]));
    return answer;
}

} // namespace

extern const bench_tritri bench_tritri_cgal[] = {{"cgal", 1, prepare, release, run},
                                                 {NULL, 0, NULL, NULL, NULL}};
