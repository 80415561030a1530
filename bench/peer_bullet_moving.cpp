/* peer_bullet_moving: Bullet's dynamic tree (btDbvt), its broad phase of two such trees with a cache of pairs, and its
 * sweep and prune.
 *
 * The tree is used as the broad phase uses it, with boxes stretched along the motion of a few frames, but without a cache: it descends
 * against itself. Pairs of fat or rounded boxes are asked about themselves. */
#include "moving.h"

#include <BulletCollision/BroadphaseCollision/btAxisSweep3.h>
#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>

#include <memory>
#include <vector>

namespace {

const btScalar margin = 0, foresight = 4;

btVector3 vector_of(const float *v) {
    return btVector3(v[0], v[1], v[2]);
}

btDbvtVolume volume_of(const bench_box &b) {
    return btDbvtVolume::FromMM(vector_of(b.lo), vector_of(b.hi));
}

int number_of(const btDbvtNode *leaf) {
    return leaf->dataAsInt;
}

/* ---- the tree ---- */

struct world {
    btDbvt tree;
    std::vector<btDbvtNode *> leaves;
    const bench_box *boxes;
    std::vector<bench_box> kept;
};

btDbvtNode *add_leaf(btDbvt &tree, const bench_box &box, int number) {
    btDbvtNode *leaf = tree.insert(volume_of(box), nullptr);
    leaf->data = nullptr;
    leaf->dataAsInt = number;
    return leaf;
}

void *create(const bench_box *boxes, int count) {
    world *w = new world;
    for (int i = 0; i < count; ++i) w->leaves.push_back(add_leaf(w->tree, boxes[i], i));
    w->tree.optimizeTopDown();
    w->kept.assign(boxes, boxes + count);
    return w;
}

void destroy(void *p) {
    delete static_cast<world *>(p);
}

struct pairs : btDbvt::ICollide {
    const bench_box *boxes;
    bench_answer answer;
    void Process(const btDbvtNode *a, const btDbvtNode *b) {
        int i = number_of(a), j = number_of(b);
        if (bench_boxes_meet(&boxes[i], &boxes[j])) bench_found(&answer, static_cast<uint64_t>(i + j));
    }
};

bench_answer frame(void *p, const bench_frame *f) {
    world *w = static_cast<world *>(p);
    pairs found;
    for (int i = 0; i < f->count; i += f->every) {
        btDbvtVolume v = volume_of(f->boxes[i]);
        w->tree.update(w->leaves[static_cast<size_t>(i)], v, foresight * vector_of(f->motion[i]), margin);
        w->kept[static_cast<size_t>(i)] = f->boxes[i];
    }
    w->tree.optimizeIncremental(1 + w->tree.m_leaves / 100); /* as the broad phase does */
    found.boxes = f->boxes;
    found.answer = {0, 0, 0.0};
    w->tree.collideTTpersistentStack(w->tree.m_root, w->tree.m_root, found);
    return found.answer;
}

bench_answer churn(const bench_box *boxes, const int *order, int count) {
    bench_answer a = {0, 0, 0.0};
    btDbvt tree;
    std::vector<btDbvtNode *> leaves;
    for (int i = 0; i < count; ++i) {
        leaves.push_back(add_leaf(tree, boxes[i], i));
        bench_found(&a, static_cast<uint64_t>(i));
    }
    for (int i = 0; i < count; ++i) tree.remove(leaves[static_cast<size_t>(order[i])]);
    return a;
}

struct ray_hits : btDbvt::ICollide {
    const std::vector<bench_box> *kept;
    btVector3 from, inverse;
    unsigned int signs[3];
    bench_answer answer;
    void Process(const btDbvtNode *leaf) {
        const bench_box &b = (*kept)[static_cast<size_t>(number_of(leaf))];
        btVector3 bounds[2] = {vector_of(b.lo), vector_of(b.hi)};
        btScalar t = 1;
        answer.count += btRayAabb2(from, inverse, signs, bounds, t, 0, 1);
    }
};

bench_answer rays(void *p, const pg_ray *from, int count) {
    world *w = static_cast<world *>(p);
    btAlignedObjectArray<const btDbvtNode *> stack;
    const btVector3 none(0, 0, 0);
    ray_hits hits;
    hits.kept = &w->kept;
    hits.answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        btVector3 d = vector_of(from[i].d);
        hits.from = vector_of(from[i].o);
        for (int k = 0; k < 3; ++k) {
            hits.inverse[k] = d[k] == 0 ? BT_LARGE_FLOAT : 1 / d[k];
            hits.signs[k] = hits.inverse[k] < 0;
        }
        w->tree.rayTestInternal(w->tree.m_root, hits.from, hits.from + d, hits.inverse, hits.signs, 1, none,
                                none, stack, hits);
    }
    return hits.answer;
}

struct box_hits : btDbvt::ICollide {
    const std::vector<bench_box> *kept;
    const bench_box *box;
    bench_answer answer;
    void Process(const btDbvtNode *leaf) {
        int i = number_of(leaf);
        if (bench_boxes_meet(&(*kept)[static_cast<size_t>(i)], box))
            bench_found(&answer, static_cast<uint64_t>(i));
    }
};

bench_answer boxes_in(void *p, const bench_box *boxes, int count) {
    world *w = static_cast<world *>(p);
    btNodeStack stack;
    box_hits hits;
    hits.kept = &w->kept;
    hits.answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        hits.box = &boxes[i];
        w->tree.collideTVNoStackAlloc(w->tree.m_root, volume_of(boxes[i]), stack, hits);
    }
    return hits.answer;
}

/* ---- broad phases, which keep their pairs ---- */

struct cached_world {
    std::unique_ptr<btBroadphaseInterface> phase;
    std::vector<btBroadphaseProxy *> proxies;
    ~cached_world() {
        for (btBroadphaseProxy *proxy : proxies) phase->destroyProxy(proxy, nullptr);
    }
};

void *fill(cached_world *w, const bench_box *boxes, int count) {
    for (int i = 0; i < count; ++i) {
        btBroadphaseProxy *proxy =
            w->phase->createProxy(vector_of(boxes[i].lo), vector_of(boxes[i].hi), 0, nullptr,
                                  btBroadphaseProxy::DefaultFilter, btBroadphaseProxy::AllFilter, nullptr);
        proxy->m_clientObject = reinterpret_cast<void *>(static_cast<intptr_t>(i));
        w->proxies.push_back(proxy);
    }
    return w;
}

void *create_broadphase(const bench_box *boxes, int count) {
    cached_world *w = new cached_world;
    btDbvtBroadphase *phase = new btDbvtBroadphase;
    phase->m_deferedcollide = true; /* all pairs in one descent: that pays where all move */
    w->phase.reset(phase);
    return fill(w, boxes, count);
}

void *create_sweep(const bench_box *boxes, int count) {
    cached_world *w = new cached_world;
    const btScalar side = static_cast<btScalar>(pg_world(count)) + 1;
    w->phase.reset(new bt32BitAxisSweep3(btVector3(-1, -1, -1), btVector3(side, side, side),
                                         static_cast<unsigned int>(count) + 1, nullptr, true));
    return fill(w, boxes, count);
}

void destroy_cached(void *p) {
    delete static_cast<cached_world *>(p);
}

int number_of(const btBroadphaseProxy *proxy) {
    return static_cast<int>(reinterpret_cast<intptr_t>(proxy->m_clientObject));
}

bench_answer cached_frame(void *p, const bench_frame *f) {
    cached_world *w = static_cast<cached_world *>(p);
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < f->count; i += f->every) {
        w->phase->setAabb(w->proxies[static_cast<size_t>(i)], vector_of(f->boxes[i].lo),
                          vector_of(f->boxes[i].hi), nullptr);
    }
    w->phase->calculateOverlappingPairs(nullptr);
    const btBroadphasePairArray &cached = w->phase->getOverlappingPairCache()->getOverlappingPairArray();
    for (int i = 0; i < cached.size(); ++i) {
        int m = number_of(cached[i].m_pProxy0), n = number_of(cached[i].m_pProxy1);
        if (bench_boxes_meet(&f->boxes[m], &f->boxes[n])) bench_found(&a, static_cast<uint64_t>(m + n));
    }
    return a;
}

enum { ANY = 1 << 30, FEW = 20000 };

} // namespace

extern const bench_moving bench_moving_bullet[] = {
    {"bullet-dbvt", ANY, create, destroy, frame, churn, rays, boxes_in},
    {"bullet-broadphase", ANY, create_broadphase, destroy_cached, cached_frame, nullptr, nullptr, nullptr},
    {"bullet-sweep", FEW, create_sweep, destroy_cached, cached_frame, nullptr, nullptr, nullptr},
    {nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
