/* peer_fcl_volumes: FCL's bounding volume hierarchies, of each of its volumes, tree against tree.
 *
 * FCL works in double and decides with tolerances of its own, so that its pairs may differ from the exact ones by a few. */
#include "volumes.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <limits>
#include <vector>

namespace {

template <typename Volume> void *build(const pg_mesh *mesh) {
    fcl::BVHModel<Volume> *model = new fcl::BVHModel<Volume>;
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (int i = 0; i < mesh->vertex_count; ++i) {
        const float *v = mesh->vertices[i];
        vertices.emplace_back(v[0], v[1], v[2]);
    }
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *t = mesh->triangles[i];
        triangles.emplace_back(static_cast<size_t>(t[0]), static_cast<size_t>(t[1]),
                               static_cast<size_t>(t[2]));
    }
    model->beginModel(mesh->triangle_count, mesh->vertex_count);
    model->addSubModel(vertices, triangles);
    model->endModel();
    return model;
}

template <typename Volume> void destroy(void *p) {
    delete static_cast<fcl::BVHModel<Volume> *>(p);
}

template <typename Volume> double bytes(const void *p) {
    const fcl::BVHModel<Volume> *m = static_cast<const fcl::BVHModel<Volume> *>(p);
    return static_cast<double>(m->getNumBVs()) * sizeof(fcl::BVNode<Volume>) +
           static_cast<double>(m->num_tris) * sizeof(unsigned);
}

fcl::Transform3d pose_of(const bench_posed *meshes) {
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    const float *q = meshes->q, *p = meshes->p;
    pose.linear() = fcl::Quaterniond(q[3], q[0], q[1], q[2]).normalized().toRotationMatrix();
    pose.translation() = fcl::Vector3d(p[0], p[1], p[2]);
    return pose;
}

template <typename Volume>
bench_answer collide(const void *a, const void *b, const bench_posed *meshes, size_t most) {
    fcl::CollisionRequestd request(most, false);
    fcl::CollisionResultd result;
    bench_answer answer = {0, 0, 0.0};
    fcl::collide(static_cast<const fcl::BVHModel<Volume> *>(a), fcl::Transform3d::Identity(),
                 static_cast<const fcl::BVHModel<Volume> *>(b), pose_of(meshes), request, result);
    answer.count = result.numContacts();
    for (size_t i = 0; i < result.numContacts() && most > 1; ++i)
        answer.index_sum +=
            static_cast<uint64_t>(result.getContact(i).b1) + static_cast<uint64_t>(result.getContact(i).b2);
    return answer;
}

template <typename Volume> bench_answer pairs(const void *a, const void *b, const bench_posed *meshes) {
    return collide<Volume>(a, b, meshes, std::numeric_limits<int>::max());
}

template <typename Volume> bench_answer first_pair(const void *a, const void *b, const bench_posed *meshes) {
    return collide<Volume>(a, b, meshes, 1);
}

template <typename Volume>
bench_answer closest_pair(const void *a, const void *b, const bench_posed *meshes) {
    fcl::DistanceRequestd request(false);
    fcl::DistanceResultd result;
    bench_answer answer = {1, 0, 0.0};
    fcl::distance(static_cast<const fcl::BVHModel<Volume> *>(a), fcl::Transform3d::Identity(),
                  static_cast<const fcl::BVHModel<Volume> *>(b), pose_of(meshes), request, result);
    answer.distance_sum = result.min_distance;
    return answer;
}

template <typename Volume> bench_tree tree_of(const char *name, bool distances) {
    bench_tree t = {name,
                    0,
                    build<Volume>,
                    destroy<Volume>,
                    bytes<Volume>,
                    nullptr,
                    nullptr,
                    nullptr,
                    pairs<Volume>,
                    first_pair<Volume>,
                    distances ? closest_pair<Volume> : nullptr,
                    nullptr};
    return t;
}

} // namespace

extern "C" const bench_tree bench_volumes_fcl[] = {
    tree_of<fcl::AABB<double>>("fcl-aabb", false),
    tree_of<fcl::OBB<double>>("fcl-obb", false),
    tree_of<fcl::KDOP<double, 18>>("fcl-18-dop", false),
    tree_of<fcl::kIOS<double>>("fcl-kios", true),
    tree_of<fcl::OBBRSS<double>>("fcl-obbrss", true),
    {nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
