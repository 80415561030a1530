/* peer_fcl_kdop: FCL's KDOP, of floats, for the three k it has. */
#include "kdop.h"

#include <fcl/math/bv/kDOP-inl.h>
#include <vector>

namespace {

/* What the table is called with, whatever k is. */
struct Dops {
    virtual ~Dops() {
    }
    virtual bench_answer build(int each) = 0;
    virtual bench_answer overlap() = 0;
};

template <std::size_t K> struct DopsOf : Dops {
    std::vector<fcl::Vector3<float>> points;
    std::vector<fcl::KDOP<float, K>> dops;

    DopsOf(const float (*from)[3], int count) {
        for (int i = 0; i < count; ++i) points.emplace_back(from[i][0], from[i][1], from[i][2]);
        dops.reserve(points.size());
    }

    bench_answer build(int each) override {
        bench_answer a = {0, 0, 0.0};
        std::size_t step = static_cast<std::size_t>(each);
        dops.clear();
        for (std::size_t i = 0; i + step <= points.size(); i += step) {
            fcl::KDOP<float, K> dop;
            for (std::size_t j = 0; j < step; ++j) dop += points[i + j];
            dops.push_back(dop);
            ++a.count;
        }
        return a;
    }

    bench_answer overlap() override {
        bench_answer a = {0, 0, 0.0};
        std::size_t n = dops.size() < 1000 ? dops.size() : 1000;
        for (std::size_t i = 0; i < n; ++i) {
            for (std::size_t j = 0; j < i; ++j) a.count += dops[i].overlap(dops[j]);
        }
        return a;
    }
};

void *make(const float (*points)[3], int count, int k) {
    Dops *d = nullptr;
    if (k == 16) d = new DopsOf<16>(points, count);
    if (k == 18) d = new DopsOf<18>(points, count);
    if (k == 24) d = new DopsOf<24>(points, count);
    return d;
}

void give_back(void *dops) {
    delete static_cast<Dops *>(dops);
}

bench_answer build(void *dops, int each) {
    return static_cast<Dops *>(dops)->build(each);
}

bench_answer overlap(void *dops) {
    return static_cast<Dops *>(dops)->overlap();
}

} // namespace

const bench_kdop bench_kdop_fcl = {"fcl", make, give_back, build, overlap};
