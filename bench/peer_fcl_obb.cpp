/* peer_fcl_obb: FCL's oriented boxes, in float and double. */
#include "obb.h"

#include <fcl/math/bv/OBB.h>
#include <vector>

namespace {

template <typename S> struct pair { fcl::OBB<S> a, b; };
template <typename S> using pairs_of = std::vector<pair<S>, Eigen::aligned_allocator<pair<S>>>;

template <typename S> fcl::OBB<S> box_of(const bench_box &b) {
    fcl::OBB<S> r;
    for (int i = 0; i < 3; ++i) {
        r.To[i] = static_cast<S>(b.center[i]);
        r.extent[i] = static_cast<S>(b.half[i]);
        for (int k = 0; k < 3; ++k) r.axis(k, i) = static_cast<S>(b.axes[i][k]);
    }
    return r;
}

template <typename S> void *prepare(const bench_boxes *pairs, int count) {
    pairs_of<S> *p = new pairs_of<S>(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) {
        (*p)[static_cast<size_t>(i)].a = box_of<S>(pairs[i].a);
        (*p)[static_cast<size_t>(i)].b = box_of<S>(pairs[i].b);
    }
    return p;
}

template <typename S> void release(void *prepared) {
    delete static_cast<pairs_of<S> *>(prepared);
}

template <typename S> bench_answer run(const void *prepared, int count, unsigned char *meets) {
    const pairs_of<S> &p = *static_cast<const pairs_of<S> *>(prepared);
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        const pair<S> &one = p[static_cast<size_t>(i)];
        bench_meets(&answer, meets, i, one.a.overlap(one.b));
    }
    return answer;
}

} // namespace

extern const bench_obb bench_obb_fcl_f32 = {"fcl-f32", prepare<float>, release<float>, run<float>};
extern const bench_obb bench_obb_fcl_f64 = {"fcl-f64", prepare<double>, release<double>, run<double>};
