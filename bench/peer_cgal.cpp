/* peer_cgal: the Computational Geometry Algorithms Library 5.
 *
 * Trees, rays and closest points with plain double arithmetic (Simple_cartesian), its fastest; single tests and pairs
 * of meshes with exact predicates (EPICK). */
#include "peers.h"

#include <CGAL/AABB_traits.h>
#include <CGAL/AABB_tree.h>
#include <CGAL/AABB_triangle_primitive.h>
#include <CGAL/Exact_predicates_inexact_constructions_kernel.h>
#include <CGAL/Simple_cartesian.h>
#include <CGAL/box_intersection_d.h>
#include <CGAL/intersections.h>

#include <memory>
#include <vector>

#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
#include <malloc.h>
#endif

namespace {

using Kernel = CGAL::Simple_cartesian<double>;
using Exact = CGAL::Exact_predicates_inexact_constructions_kernel;
using Triangles = std::vector<Kernel::Triangle_3>;
using Primitive = CGAL::AABB_triangle_primitive<Kernel, Triangles::const_iterator>;
using AabbTree = CGAL::AABB_tree<CGAL::AABB_traits<Kernel, Primitive>>;

template <class K> typename K::Point_3 point(const float *p) {
    return typename K::Point_3(p[0], p[1], p[2]);
}

template <class K> typename K::Triangle_3 triangle(const pg_mesh &m, int i) {
    const int32_t *t = m.triangles[i];
    return typename K::Triangle_3(point<K>(m.vertices[t[0]]), point<K>(m.vertices[t[1]]),
                                  point<K>(m.vertices[t[2]]));
}

/* ---- trees ---- */

struct Tree {
    Triangles triangles;
    AabbTree tree;
    double bytes;
    bool has_distances;
};

/* What the program has from the C library now; 0 where that cannot be asked. */
double heap_bytes() {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 33)
    struct mallinfo2 info = mallinfo2();
    return static_cast<double>(info.uordblks + info.hblkhd);
#else
    return 0.0;
#endif
}

void *build(const pg_mesh *mesh) {
    double before = heap_bytes();
    std::unique_ptr<Tree> t(new Tree);
    t->triangles.reserve(static_cast<size_t>(mesh->triangle_count));
    for (int i = 0; i < mesh->triangle_count; ++i) t->triangles.push_back(triangle<Kernel>(*mesh, i));
    t->tree.insert(t->triangles.cbegin(), t->triangles.cend());
    t->tree.build();
    t->bytes = heap_bytes() - before;
    t->has_distances = false;
    return t.release();
}

void destroy(void *tree) {
    delete static_cast<Tree *>(tree);
}

double bytes(const void *tree) {
    return static_cast<const Tree *>(tree)->bytes;
}

Kernel::Ray_3 ray_of(const pg_ray &r) {
    return Kernel::Ray_3(point<Kernel>(r.o), Kernel::Vector_3(r.d[0], r.d[1], r.d[2]));
}

bench_answer closest_hit(const void *p, const pg_ray *rays, int count) {
    const Tree *t = static_cast<const Tree *>(p);
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        auto hit = t->tree.first_intersected_primitive(ray_of(rays[i]));
        if (hit) bench_count(&a, static_cast<uint64_t>(*hit - t->triangles.cbegin()));
    }
    return a;
}

bench_answer any_hit(const void *p, const pg_ray *rays, int count) {
    const Tree *t = static_cast<const Tree *>(p);
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) a.count += t->tree.do_intersect(ray_of(rays[i]));
    return a;
}

/* The tree of hints it needs is made by the first run, which is not timed. */
bench_answer closest_point(const void *p, const float (*points)[3], int count) {
    Tree *t = static_cast<Tree *>(const_cast<void *>(p));
    bench_answer a = {0, 0, 0.0};
    if (!t->has_distances) t->tree.accelerate_distance_queries();
    t->has_distances = true;
    for (int i = 0; i < count; ++i) {
        ++a.count;
        a.distance_sum += std::sqrt(t->tree.squared_distance(point<Kernel>(points[i])));
    }
    return a;
}

/* ---- pairs: the boxes of both meshes by its box_intersection_d, from scratch each time ---- */

using ExactTriangles = std::vector<Exact::Triangle_3>;
using Box = CGAL::Box_intersection_d::Box_with_handle_d<double, 3, ExactTriangles::const_iterator>;

ExactTriangles exact_triangles(const pg_mesh &m) {
    ExactTriangles out;
    out.reserve(static_cast<size_t>(m.triangle_count));
    for (int i = 0; i < m.triangle_count; ++i) out.push_back(triangle<Exact>(m, i));
    return out;
}

std::vector<Box> boxes_of(const ExactTriangles &triangles) {
    std::vector<Box> out;
    out.reserve(triangles.size());
    for (auto t = triangles.begin(); t != triangles.end(); ++t) out.push_back(Box(t->bbox(), t));
    return out;
}

bench_answer pairs(const void *, const void *, const bench_posed *meshes) {
    bench_answer a = {0, 0, 0.0};
    ExactTriangles ta = exact_triangles(*meshes->a), tb = exact_triangles(*meshes->b_posed);
    std::vector<Box> ba = boxes_of(ta), bb = boxes_of(tb);
    auto visit = [&](const Box &x, const Box &y) {
        if (!CGAL::do_intersect(*x.handle(), *y.handle())) return;
        bench_count(&a, static_cast<uint64_t>(x.handle() - ta.cbegin() + (y.handle() - tb.cbegin())));
    };
    CGAL::box_intersection_d(ba.begin(), ba.end(), bb.begin(), bb.end(), visit);
    return a;
}

/* ---- kernels ---- */

Exact::Triangle_3 exact_triangle(const float *t) {
    return Exact::Triangle_3(point<Exact>(t), point<Exact>(t + 3), point<Exact>(t + 6));
}

Exact::Ray_3 exact_ray(const pg_ray &r) {
    return Exact::Ray_3(point<Exact>(r.o), Exact::Vector_3(r.d[0], r.d[1], r.d[2]));
}

bench_answer triangle_triangle(const float (*pairs)[18], int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        if (CGAL::do_intersect(exact_triangle(pairs[i]), exact_triangle(pairs[i] + 9))) {
            bench_count(&a, static_cast<uint64_t>(i));
        }
    }
    return a;
}

bench_answer ray_triangle(const float (*pairs)[18], const pg_ray *rays, int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        if (CGAL::do_intersect(exact_ray(rays[i]), exact_triangle(pairs[i]))) {
            bench_count(&a, static_cast<uint64_t>(i));
        }
    }
    return a;
}

bench_answer ray_box(const float (*boxes)[6], const pg_ray *rays, int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        const float *b = boxes[i];
        if (CGAL::do_intersect(exact_ray(rays[i]), CGAL::Bbox_3(b[0], b[1], b[2], b[3], b[4], b[5]))) {
            bench_count(&a, static_cast<uint64_t>(i));
        }
    }
    return a;
}

} // namespace

extern "C" const bench_tree bench_tree_cgal = {
    "cgal", 1, build, destroy, bytes, closest_hit, any_hit, closest_point, pairs, nullptr, nullptr, nullptr,
};
extern "C" const bench_kernels bench_kernels_cgal = {"cgal", triangle_triangle, ray_triangle, ray_box};
