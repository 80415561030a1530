/* peer_bullet_heights: Bullet's height field with its accelerator, which hands triangles to a callback along the ray. Its field has its middle at
 * the origin. Other fields than of floats have a coarser height. */
#include "heights.h"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <BulletCollision/NarrowPhaseCollision/btRaycastCallback.h>
#include <vector>

namespace {

struct field {
    std::vector<float> heights;
    btHeightfieldTerrainShape *shape;
    btVector3 middle;
};

void *prepare(const bench_field *from) {
    field *f = new field;
    size_t count = static_cast<size_t>(from->side) * static_cast<size_t>(from->side);
    for (size_t i = 0; i < count; ++i)
        f->heights.push_back(static_cast<float>(from->samples[i]) * from->scale);
    f->shape = new btHeightfieldTerrainShape(from->side, from->side, f->heights.data(), 1.0f, 0.0f,
                                             from->highest, 2, PHY_FLOAT, true);
    f->shape->buildAccelerator(16);
    float half = 0.5f * static_cast<float>(from->side - 1);
    f->middle = btVector3(half, half, 0.5f * from->highest);
    return f;
}

void release(void *prepared) {
    field *f = static_cast<field *>(prepared);
    delete f->shape;
    delete f;
}

class nearest : public btTriangleRaycastCallback {
  public:
    nearest(const btVector3 &from, const btVector3 &to) : btTriangleRaycastCallback(from, to) {
    }
    btScalar reportHit(const btVector3 &, btScalar t, int, int) override {
        return t;
    }
};

bench_answer run(const void *prepared, const bench_field_ray *rays, int count) {
    const field *f = static_cast<const field *>(prepared);
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        const bench_field_ray &r = rays[i];
        btVector3 from = btVector3(r.o[0], r.o[1], r.o[2]) - f->middle;
        btVector3 to = from + btVector3(r.d[0], r.d[1], r.d[2]);
        nearest callback(from, to);
        f->shape->performRaycast(&callback, from, to);
        if (callback.m_hitFraction >= 1) continue;
        ++a.count;
        a.distance_sum += static_cast<double>(callback.m_hitFraction);
    }
    return a;
}

} // namespace

extern "C" const bench_heights bench_heights_bullet[] = {
    {"bullet-float", prepare, release, run, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};
