/* peer_bullet_obb: Bullet's test of two boxes of its GImpact part, which is OPCODE's, and its detector of contacts. */
#include "obb.h"

#include <BulletCollision/CollisionDispatch/btBoxBoxDetector.h>
#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/Gimpact/btBoxCollision.h>
#include <vector>

namespace {

struct side {
    btTransform pose;
    btAABB box;
    btVector3 half;
};

struct pair {
    side a, b;
};

side side_of(const bench_box &b) {
    side s;
    s.half = btVector3(b.half[0], b.half[1], b.half[2]);
    s.box.m_min = -s.half;
    s.box.m_max = s.half;
    s.pose.setOrigin(btVector3(b.center[0], b.center[1], b.center[2]));
    s.pose.setBasis(btMatrix3x3(b.axes[0][0], b.axes[1][0], b.axes[2][0], b.axes[0][1], b.axes[1][1],
                                b.axes[2][1], b.axes[0][2], b.axes[1][2], b.axes[2][2]));
    return s;
}

void *prepare(const bench_boxes *pairs, int count) {
    std::vector<pair> *p = new std::vector<pair>(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) {
        (*p)[static_cast<size_t>(i)].a = side_of(pairs[i].a);
        (*p)[static_cast<size_t>(i)].b = side_of(pairs[i].b);
    }
    return p;
}

void release(void *prepared) {
    delete static_cast<std::vector<pair> *>(prepared);
}

bench_answer run(const void *prepared, int count, unsigned char *meets) {
    const std::vector<pair> &p = *static_cast<const std::vector<pair> *>(prepared);
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        const pair &one = p[static_cast<size_t>(i)];
        BT_BOX_BOX_TRANSFORM_CACHE cache;
        cache.calc_from_homogenic(one.a.pose, one.b.pose);
        bench_meets(&answer, meets, i, one.a.box.overlapping_trans_cache(one.b.box, cache, true));
    }
    return answer;
}

struct any : btDiscreteCollisionDetectorInterface::Result {
    bool found;
    any() : found(false) {
    }
    void setShapeIdentifiersA(int, int) override {
    }
    void setShapeIdentifiersB(int, int) override {
    }
    void addContactPoint(const btVector3 &, const btVector3 &, btScalar) override {
        found = true;
    }
};

struct shapes {
    std::vector<pair> *pairs;
    std::vector<btBoxShape *> boxes;
};

void *prepare_contacts(const bench_boxes *pairs, int count) {
    shapes *s = new shapes;
    s->pairs = static_cast<std::vector<pair> *>(prepare(pairs, count));
    for (const pair &one : *s->pairs) {
        s->boxes.push_back(new btBoxShape(one.a.half));
        s->boxes.push_back(new btBoxShape(one.b.half));
    }
    return s;
}

void release_contacts(void *prepared) {
    shapes *s = static_cast<shapes *>(prepared);
    for (btBoxShape *box : s->boxes) delete box;
    release(s->pairs);
    delete s;
}

bench_answer run_contacts(const void *prepared, int count, unsigned char *meets) {
    const shapes *s = static_cast<const shapes *>(prepared);
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        const pair &one = (*s->pairs)[static_cast<size_t>(i)];
        btDiscreteCollisionDetectorInterface::ClosestPointInput input;
        btBoxBoxDetector detector(s->boxes[static_cast<size_t>(2 * i)],
                                  s->boxes[static_cast<size_t>(2 * i + 1)]);
        any result;
        input.m_transformA = one.a.pose;
        input.m_transformB = one.b.pose;
        detector.getClosestPoints(input, result, nullptr);
        bench_meets(&answer, meets, i, result.found);
    }
    return answer;
}

} // namespace

extern const bench_obb bench_obb_bullet = {"bullet", prepare, release, run};
extern const bench_obb bench_obb_bullet_contacts = {"bullet-contacts", prepare_contacts, release_contacts,
                                                    run_contacts};
