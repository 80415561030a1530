/* peer_fcl_convex: FCL's own GJK ("indep") on its convex polyhedra. */
#include "convex.h"

#include <fcl/geometry/shape/convex.h>
#include <fcl/narrowphase/detail/gjk_solver_indep.h>

#include <vector>

namespace {

using Convex = fcl::Convexd;
using Solver = fcl::detail::GJKSolver_indepd;

struct Hulls {
    std::vector<Convex> hull;
    Solver solver;
};

/* Only the vertices are looked at: a fan of triangles stands for the faces. */
Convex convex_of(const pg_hull &h) {
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (int k = 0; k < h.count; ++k) vertices->emplace_back(h.points[k][0], h.points[k][1], h.points[k][2]);
    for (int k = 2; k < h.count; ++k) faces->insert(faces->end(), {3, 0, k - 1, k});
    return Convex(vertices, h.count - 2, faces);
}

void *prepare(const pg_hull *hulls, int) {
    Hulls *h = new Hulls;
    for (int i = 0; i < PG_HULLS; ++i) h->hull.push_back(convex_of(hulls[i]));
    return h;
}

void release(void *prepared) {
    delete static_cast<Hulls *>(prepared);
}

fcl::Transform3d pose_of(const float *q, const float *p) {
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    pose.linear() = fcl::Quaterniond(q[3], q[0], q[1], q[2]).toRotationMatrix();
    pose.translation() = fcl::Vector3d(p[0], p[1], p[2]);
    return pose;
}

bench_answer distance(void *prepared, const pg_pair *pairs, int count, bench_parted *out) {
    const Hulls &h = *static_cast<const Hulls *>(prepared);
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        double d = 0;
        fcl::Vector3d a = fcl::Vector3d::Zero(), b = a, n;
        h.solver.shapeDistance(h.hull[static_cast<size_t>(pairs[i].a)], pose_of(pairs[i].qa, pairs[i].pa),
                               h.hull[static_cast<size_t>(pairs[i].b)], pose_of(pairs[i].qb, pairs[i].pb), &d,
                               &a, &b);
        n = (b - a).normalized();
        bench_part(&answer, out, i, d, n[0], n[1], n[2]);
    }
    return answer;
}

bench_answer meet(void *prepared, const pg_pair *pairs, int count) {
    const Hulls &h = *static_cast<const Hulls *>(prepared);
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i)
        answer.count += h.solver.shapeIntersect(
            h.hull[static_cast<size_t>(pairs[i].a)], pose_of(pairs[i].qa, pairs[i].pa),
            h.hull[static_cast<size_t>(pairs[i].b)], pose_of(pairs[i].qb, pairs[i].pb),
            static_cast<std::vector<fcl::ContactPointd> *>(nullptr));
    return answer;
}

} // namespace

extern const bench_convex bench_convex_fcl;
const bench_convex bench_convex_fcl = {"fcl", prepare, release, distance, meet, nullptr, nullptr};
