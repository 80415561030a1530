/* peer_bullet_convex: Bullet's GJK with its pair detector, and its EPA; hulls as their points, without a margin. */
#include "convex.h"

#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpa2.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

namespace {

struct Hulls {
    btConvexHullShape *shape[PG_HULLS];
};

void *prepare(const pg_hull *hulls, int) {
    Hulls *h = new Hulls;
    for (int i = 0; i < PG_HULLS; ++i) {
        h->shape[i] = new btConvexHullShape;
        for (int k = 0; k < hulls[i].count; ++k) {
            const float *p = hulls[i].points[k];
            h->shape[i]->addPoint(btVector3(p[0], p[1], p[2]), false);
        }
        h->shape[i]->setMargin(0);
        h->shape[i]->recalcLocalAabb();
    }
    return h;
}

void release(void *prepared) {
    Hulls *h = static_cast<Hulls *>(prepared);
    for (btConvexHullShape *shape : h->shape) delete shape;
    delete h;
}

btTransform pose_of(const float *q, const float *p) {
    return btTransform(btQuaternion(q[0], q[1], q[2], q[3]), btVector3(p[0], p[1], p[2]));
}

bench_answer distance(void *prepared, const pg_pair *pairs, int count, bench_parted *out) {
    const Hulls &h = *static_cast<const Hulls *>(prepared);
    bench_answer answer = {0, 0, 0.0};
    btVoronoiSimplexSolver simplex;
    for (int i = 0; i < count; ++i) {
        btGjkPairDetector detector(h.shape[pairs[i].a], h.shape[pairs[i].b], &simplex, nullptr);
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        btPointCollector found;
        input.m_transformA = pose_of(pairs[i].qa, pairs[i].pa);
        input.m_transformB = pose_of(pairs[i].qb, pairs[i].pb);
        detector.getClosestPoints(input, found, nullptr);
        const btVector3 &n = found.m_normalOnBInWorld;
        bench_part(&answer, out, i, found.m_hasResult ? static_cast<double>(found.m_distance) : 0.0,
                   static_cast<double>(-n.x()), static_cast<double>(-n.y()), static_cast<double>(-n.z()));
    }
    return answer;
}

bench_answer meet(void *prepared, const pg_pair *pairs, int count) {
    const Hulls &h = *static_cast<const Hulls *>(prepared);
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        btGjkEpaSolver2::sResults found;
        answer.count += !btGjkEpaSolver2::Distance(h.shape[pairs[i].a], pose_of(pairs[i].qa, pairs[i].pa),
                                                   h.shape[pairs[i].b], pose_of(pairs[i].qb, pairs[i].pb),
                                                   btVector3(1, 0, 0), found);
    }
    return answer;
}

bench_answer depth(void *prepared, const pg_pair *pairs, int count, bench_parted *out) {
    const Hulls &h = *static_cast<const Hulls *>(prepared);
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        btGjkEpaSolver2::sResults found;
        btTransform a = pose_of(pairs[i].qa, pairs[i].pa), b = pose_of(pairs[i].qb, pairs[i].pb);
        bool met = btGjkEpaSolver2::Penetration(h.shape[pairs[i].a], a, h.shape[pairs[i].b], b,
                                                b.getOrigin() - a.getOrigin(), found, false);
        const btVector3 n = a.getBasis() * -found.normal; /* that of B, in the frame of A */
        bench_part(&answer, out, i, met ? static_cast<double>(found.distance) : 0.0,
                   static_cast<double>(n.x()), static_cast<double>(n.y()), static_cast<double>(n.z()));
    }
    return answer;
}

} // namespace

extern const bench_convex bench_convex_bullet;
const bench_convex bench_convex_bullet = {"bullet", prepare, release, distance, meet, depth, nullptr};
