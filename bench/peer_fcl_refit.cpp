/* peer_fcl_refit: FCL's hierarchy of axis-aligned boxes, refitted from the leaves up. It casts no rays. */
#include "refit.h"

#include <fcl/math/bv/utility.h> /* its models use it without asking for it */

#include <fcl/geometry/bvh/BVH_model.h>

#include <vector>

namespace {

struct Tree {
    fcl::BVHModel<fcl::AABB<double>> model;
    std::vector<fcl::Vector3d> vertices;
};

void read_vertices(Tree *t, const pg_mesh *mesh) {
    t->vertices.clear();
    for (int i = 0; i < mesh->vertex_count; ++i) {
        const float *v = mesh->vertices[i];
        t->vertices.emplace_back(v[0], v[1], v[2]);
    }
}

void *make(const pg_mesh *mesh) {
    Tree *t = new Tree;
    std::vector<fcl::Triangle> triangles;
    read_vertices(t, mesh);
    for (int i = 0; i < mesh->triangle_count; ++i) {
        const int32_t *c = mesh->triangles[i];
        triangles.emplace_back(static_cast<size_t>(c[0]), static_cast<size_t>(c[1]),
                               static_cast<size_t>(c[2]));
    }
    t->model.beginModel(mesh->triangle_count, mesh->vertex_count);
    t->model.addSubModel(t->vertices, triangles);
    t->model.endModel();
    return t;
}

void update(void *p, const pg_mesh *mesh) {
    Tree *t = static_cast<Tree *>(p);
    read_vertices(t, mesh);
    t->model.beginUpdateModel();
    t->model.updateSubModel(t->vertices);
    t->model.endUpdateModel(true, true);
}

void destroy(void *p) {
    delete static_cast<Tree *>(p);
}

} // namespace

extern "C" const bench_refit bench_refit_fcl = {"fcl-refit", make, update, destroy, nullptr};
