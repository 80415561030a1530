/* peer_bullet_sweeps: Bullet's two casts of convex shapes, one triangle after another. Its boxes are rounded by a margin, and its
 * answer is a time and a normal. */
#include "sweeps.h"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/CollisionShapes/btTriangleShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btSubSimplexConvexCast.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>
#include <vector>

namespace {

struct course {
    const bench_course *from;
    btConvexShape *mover;
    std::vector<btTransform> begin, end;
};

btConvexShape *shape_of(bench_mover mover) {
    if (mover == BENCH_BALL) return new btSphereShape(bench_radius);
    if (mover == BENCH_CAPSULE) return new btCapsuleShapeZ(bench_radius, 2 * bench_capsule_half);
    return new btBoxShape(btVector3(bench_box_half[0], bench_box_half[1], bench_box_half[2]));
}

btVector3 corner(const float *v) {
    return btVector3(v[0], v[1], v[2]);
}

void *prepare(const bench_course *from) {
    course *c = new course;
    c->from = from;
    c->mover = shape_of(from->mover);
    for (int i = 0; i < from->casts; ++i) {
        const bench_start &one = from->start[i];
        btTransform pose;
        pose.setIdentity();
        if (from->mover != BENCH_AABB) {
            pose.setBasis(btMatrix3x3(one.axes[0][0], one.axes[1][0], one.axes[2][0], one.axes[0][1],
                                      one.axes[1][1], one.axes[2][1], one.axes[0][2], one.axes[1][2],
                                      one.axes[2][2]));
        }
        pose.setOrigin(corner(one.center));
        c->begin.push_back(pose);
        pose.setOrigin(pose.getOrigin() + corner(one.motion));
        c->end.push_back(pose);
    }
    return c;
}

void release(void *prepared) {
    course *c = static_cast<course *>(prepared);
    delete c->mover;
    delete c;
}

template <class Cast> double cast_one(const course &c, int i, const float *v) {
    btTriangleShape triangle(corner(v), corner(v + 3), corner(v + 6));
    btVoronoiSimplexSolver simplex;
    btConvexCast::CastResult result;
    triangle.setMargin(0);
    Cast cast(c.mover, &triangle, &simplex);
    const size_t k = static_cast<size_t>(i);
    bool met = cast.calcTimeOfImpact(c.begin[k], c.end[k], btTransform::getIdentity(),
                                     btTransform::getIdentity(), result);
    return met ? static_cast<double>(result.m_fraction) : 2.0;
}

/* With `single` every triangle, else from front to back. */
template <class Cast, bool single> bench_answer run(const void *prepared, double *t) {
    const course &c = *static_cast<const course *>(prepared);
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < c.from->casts; ++i) {
        double least = 2;
        for (int j = c.from->first[i]; j < c.from->first[i + 1]; ++j) {
            if (!single && static_cast<double>(c.from->enter[j]) > least) break;
            double found = cast_one<Cast>(c, i, c.from->triangle[j]);
            if (t) t[j] = found;
            if (found < least) least = found;
        }
        bench_first(&answer, least);
    }
    return answer;
}

} // namespace

#define ROWS(mover)                                                                                          \
    {"bullet-subsimplex", mover, 1, prepare, release, run<btSubsimplexConvexCast, true>},                    \
        {"bullet-gjk", mover, 1, prepare, release, run<btGjkConvexCast, true>},                              \
        {"bullet-subsimplex-front", mover, 0, prepare, release, run<btSubsimplexConvexCast, false>}, {       \
        "bullet-gjk-front", mover, 0, prepare, release, run<btGjkConvexCast, false>                          \
    }

extern const bench_sweep bench_sweeps_bullet[] = {ROWS(BENCH_BALL),
                                                  ROWS(BENCH_CAPSULE),
                                                  ROWS(BENCH_AABB),
                                                  ROWS(BENCH_OBB),
                                                  {nullptr, BENCH_BALL, 0, nullptr, nullptr, nullptr}};
