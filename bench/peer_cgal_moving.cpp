/* peer_cgal_moving: CGAL's intersection of sequences of boxes, by streamed segment trees: nothing is kept from frame to frame but
 * the order of the boxes. */
#include "moving.h"

#include <CGAL/Box_intersection_d/Box_with_info_d.h>
#include <CGAL/box_intersection_d.h>

#include <vector>

namespace {

using Box =
    CGAL::Box_intersection_d::Box_with_info_d<float, 3, int, CGAL::Box_intersection_d::ID_FROM_BOX_ADDRESS>;

struct world {
    std::vector<Box> boxes;
    std::vector<const Box *> order;
};

Box box_of(const bench_box &b, int number) {
    bench_box copy = b; /* it takes what may be changed */
    return Box(copy.lo, copy.hi, number);
}

void *create(const bench_box *boxes, int count) {
    world *w = new world;
    for (int i = 0; i < count; ++i) w->boxes.push_back(box_of(boxes[i], i));
    for (const Box &b : w->boxes) w->order.push_back(&b);
    return w;
}

void destroy(void *p) {
    delete static_cast<world *>(p);
}

bench_answer frame(void *p, const bench_frame *f) {
    world *w = static_cast<world *>(p);
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < f->count; i += f->every) w->boxes[static_cast<size_t>(i)] = box_of(f->boxes[i], i);
    CGAL::box_self_intersection_d(w->order.begin(), w->order.end(), [&a](const Box *x, const Box *y) {
        bench_found(&a, static_cast<uint64_t>(x->info() + y->info()));
    });
    return a;
}

enum { ANY = 1 << 30 };

} // namespace

extern const bench_moving bench_moving_cgal[] = {
    {"cgal", ANY, create, destroy, frame, nullptr, nullptr, nullptr},
    {nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
