/* peer_fcl_moving: FCL's dynamic tree of boxes. Where all move its boxes are fitted anew from below, and every fifth frame it is
 * built anew, which is faster than either alone; else those that moved are put back one by one. */
#include "moving.h"

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/geometry/shape/box.h>

#include <memory>
#include <vector>

namespace {

using Object = fcl::CollisionObject<double>;

/* With a box that it is told, bit for bit. */
struct thing : Object {
    using Object::Object;
    void put(const bench_box &b) {
        aabb.min_ = fcl::Vector3d(b.lo[0], b.lo[1], b.lo[2]);
        aabb.max_ = fcl::Vector3d(b.hi[0], b.hi[1], b.hi[2]);
    }
};

struct world {
    std::vector<std::unique_ptr<thing>> things;
    std::vector<Object *> all;
    fcl::DynamicAABBTreeCollisionManager<double> manager;
    int frames = 0;
};

std::shared_ptr<fcl::CollisionGeometryd> any_shape() {
    return std::make_shared<fcl::Boxd>(1, 1, 1);
}

void make_things(world *w, const bench_box *boxes, int count) {
    auto shape = any_shape();
    for (int i = 0; i < count; ++i) {
        w->things.emplace_back(new thing(shape));
        w->things.back()->put(boxes[i]);
        w->things.back()->setUserData(reinterpret_cast<void *>(static_cast<intptr_t>(i)));
        w->all.push_back(w->things.back().get());
    }
}

void register_all(world *w) {
    w->manager.registerObjects(w->all);
    w->manager.setup();
}

void *create(const bench_box *boxes, int count) {
    world *w = new world;
    make_things(w, boxes, count);
    register_all(w);
    return w;
}

void destroy(void *p) {
    delete static_cast<world *>(p);
}

uint64_t number_of(const Object *o) {
    return static_cast<uint64_t>(reinterpret_cast<intptr_t>(o->getUserData()));
}

bool on_pair(Object *a, Object *b, void *user) {
    bench_found(static_cast<bench_answer *>(user), number_of(a) + number_of(b));
    return false;
}

bench_answer frame(void *p, const bench_frame *f) {
    world *w = static_cast<world *>(p);
    bench_answer a = {0, 0, 0.0};
    std::vector<Object *> moved;
    for (int i = 0; i < f->count; i += f->every) {
        w->things[static_cast<size_t>(i)]->put(f->boxes[i]);
        if (f->every > 1) moved.push_back(w->all[static_cast<size_t>(i)]);
    }
    if (f->every > 1) {
        w->manager.update(moved);
    } else if (++w->frames % 5) {
        w->manager.update();
    } else {
        w->manager.clear();
        register_all(w);
    }
    w->manager.collide(&a, on_pair);
    return a;
}

bench_answer churn(const bench_box *boxes, const int *order, int count) {
    bench_answer a = {0, 0, 0.0};
    world w;
    make_things(&w, boxes, count);
    for (Object *one : w.all) {
        w.manager.registerObject(one);
        bench_found(&a, number_of(one));
    }
    for (int i = 0; i < count; ++i) w.manager.unregisterObject(w.all[static_cast<size_t>(order[i])]);
    return a;
}

struct query {
    const Object *box;
    bench_answer answer;
};

bool on_object(Object *a, Object *b, void *user) {
    query *q = static_cast<query *>(user);
    bench_found(&q->answer, number_of(a == q->box ? b : a));
    return false;
}

bench_answer boxes_in(void *p, const bench_box *boxes, int count) {
    world *w = static_cast<world *>(p);
    thing box(any_shape());
    query q = {&box, {0, 0, 0.0}};
    for (int i = 0; i < count; ++i) {
        box.put(boxes[i]);
        w->manager.collide(&box, &q, on_object);
    }
    return q.answer;
}

enum { ANY = 1 << 30 };

} // namespace

extern const bench_moving bench_moving_fcl[] = {
    {"fcl", ANY, create, destroy, frame, churn, nullptr, boxes_in},
    {nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
