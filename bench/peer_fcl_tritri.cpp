/* peer_fcl_tritri: FCL's test of two triangles, as its meshes use it, in float and double. */
#include "tritri.h"

#include <fcl/narrowphase/detail/traversal/collision/intersect.h>
#include <vector>

namespace {

template <typename S> struct pair { fcl::Vector3<S> v[6]; };
template <typename S> using pairs_of = std::vector<pair<S>, Eigen::aligned_allocator<pair<S>>>;

template <typename S> void *prepare(const bench_pair *pairs, int count) {
    pairs_of<S> *p = new pairs_of<S>(static_cast<size_t>(count));
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 18; ++k)
            (*p)[static_cast<size_t>(i)].v[k / 3][k % 3] = static_cast<S>(pairs[i][k]);
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
        const fcl::Vector3<S> *v = p[static_cast<size_t>(i)].v;
        bench_meets(&answer, meets, i,
                    fcl::detail::Intersect<S>::intersect_Triangle(v[0], v[1], v[2], v[3], v[4], v[5]));
    }
    return answer;
}

} // namespace

extern const bench_tritri bench_tritri_fcl[] = {{"fcl-f32", 1, prepare<float>, release<float>, run<float>},
                                                {"fcl-f64", 1, prepare<double>, release<double>, run<double>},
                                                {NULL, 0, NULL, NULL, NULL}};
