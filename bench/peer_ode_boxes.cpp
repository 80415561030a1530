/* peer_ode_boxes: ODE's contacts of two boxes, up to eight points. */
#include "boxes.h"

#include <ode/ode.h>
#include <vector>

namespace {

struct side {
    dVector3 center, size;
    dMatrix3 axes;
};

struct pair {
    side a, b;
};

side side_of(const bench_box &b) {
    side s;
    for (int i = 0; i < 3; ++i) {
        s.center[i] = static_cast<dReal>(b.center[i]);
        s.size[i] = 2 * static_cast<dReal>(b.half[i]);
        for (int k = 0; k < 3; ++k) s.axes[4 * k + i] = static_cast<dReal>(b.axes[i][k]);
        s.axes[4 * i + 3] = 0;
    }
    s.center[3] = s.size[3] = 0;
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
    delete static_cast<std::vector<pair> *>(prepared);
}

bench_answer run(void *prepared, int count, bench_contact *out) {
    const std::vector<pair> &p = *static_cast<const std::vector<pair> *>(prepared);
    bench_answer sum = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        const pair &one = p[static_cast<size_t>(i)];
        dContactGeom contacts[8];
        dVector3 normal;
        dReal depth = 0;
        int code = 0, points = dBoxBox(one.a.center, one.a.axes, one.a.size, one.b.center, one.b.axes,
                                       one.b.size, normal, &depth, &code, 8, contacts, sizeof contacts[0]);
        sum.count += points > 0;
        sum.distance_sum += points > 0 ? depth : 0;
        if (!out) continue;
        out[i].points = points;
        out[i].depth = depth;
        for (int k = 0; k < 3; ++k) out[i].normal[k] = normal[k];
    }
    return sum;
}

} // namespace

extern const bench_boxes_table bench_boxes_ode = {"ode", prepare, release, run};
