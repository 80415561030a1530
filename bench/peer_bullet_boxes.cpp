/* peer_bullet_boxes: Bullet's detector of contacts of two boxes. */
#include "boxes.h"

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <vector>

namespace {

struct side {
    btTransform pose;
    btBoxShape *box;
};

struct pair {
    side a, b;
};

side side_of(const bench_box &b) {
    side s;
    s.box = new btBoxShape(btVector3(b.half[0], b.half[1], b.half[2]));
    s.pose.setOrigin(btVector3(b.center[0], b.center[1], b.center[2]));
    s.pose.setBasis(btMatrix3x3(b.axes[0][0], b.axes[1][0], b.axes[2][0], b.axes[0][1], b.axes[1][1],
                                b.axes[2][1], b.axes[0][2], b.axes[1][2], b.axes[2][2]));
    return s;
}

void *prepare(const bench_boxes *pairs, int count, int) {
    std::vector<pair> *p = new std::vector<pair>(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) {
        (*p)[static_cast<size_t>(i)].a = side_of(pairs[i].a);
        (*p)[static_cast<size_t>(i)].b = side_of(pairs[i].b);
    }
    return p;
}

void release(void *prepared) {
    std::vector<pair> *p = static_cast<std::vector<pair> *>(prepared);
    for (const pair &one : *p) {
        delete one.a.box;
        delete one.b.box;
    }
    delete p;
}

/* Its normal leads from B to A. */
struct contacts : btDiscreteCollisionDetectorInterface::Result {
    int points;
    double depth;
    btVector3 normal;
    contacts() : points(0), depth(0), normal(0, 0, 0) {
    }
    void setShapeIdentifiersA(int, int) override {
    }
    void setShapeIdentifiersB(int, int) override {
    }
    void addContactPoint(const btVector3 &n, const btVector3 &, btScalar distance) override {
        ++points;
        if (-static_cast<double>(distance) > depth) depth = -static_cast<double>(distance);
        normal = n;
    }
};

bench_answer run(void *prepared, int count, bench_contact *out) {
    const std::vector<pair> &p = *static_cast<const std::vector<pair> *>(prepared);
    bench_answer sum = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        const pair &one = p[static_cast<size_t>(i)];
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        btBoxBoxDetector detector(one.a.box, one.b.box);
        contacts found;
        input.m_transformA = one.a.pose;
        input.m_transformB = one.b.pose;
        detector.getClosestPoints(input, found, nullptr);
        sum.count += found.points > 0;
        sum.distance_sum += found.depth;
        if (!out) continue;
        out[i].points = found.points;
        out[i].depth = found.depth;
        for (int k = 0; k < 3; ++k) out[i].normal[k] = -static_cast<double>(found.normal[k]);
    }
    return sum;
}

} // namespace

extern const bench_boxes_table bench_boxes_bullet = {"bullet", prepare, release, run};
