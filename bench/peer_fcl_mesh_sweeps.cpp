/* peer_fcl_mesh_sweeps: FCL's continuous collision of two meshes by conservative advancement, of swept spheres (RSS): it ends
 * where a step in t is below toc_err. */
#include "mesh_sweeps.h"

#include <fcl/geometry/bvh/BVH_model.h>
#include <fcl/narrowphase/continuous_collision.h>

#include <vector>

namespace {

using Model = fcl::BVHModel<fcl::OBBRSS<double>>;

void *build(const pg_mesh *mesh) {
    Model *model = new Model;
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

void destroy(void *p) {
    delete static_cast<Model *>(p);
}

fcl::Transform3d pose_of(const float *q, const float *p) {
    fcl::Transform3d pose = fcl::Transform3d::Identity();
    if (q) pose.linear() = fcl::Quaterniond(q[3], q[0], q[1], q[2]).normalized().toRotationMatrix();
    pose.translation() = fcl::Vector3d(p[0], p[1], p[2]);
    return pose;
}

bench_answer fly(const void *a, const void *b, const bench_flight *flights, int count, double *t,
                 fcl::CCDMotionType motion) {
    bench_answer answer = {0, 0, 0.0};
    fcl::ContinuousCollisionRequestd request(100, 1e-4, motion, fcl::GST_LIBCCD,
                                             fcl::CCDC_CONSERVATIVE_ADVANCEMENT);
    for (int i = 0; i < count; ++i) {
        const bench_flight &f = flights[i];
        fcl::ContinuousCollisionResultd result;
        fcl::Transform3d rest = pose_of(f.q, f.p);
        fcl::continuousCollide(static_cast<const Model *>(a), fcl::Transform3d::Identity(),
                               pose_of(motion == fcl::CCDM_TRANS ? nullptr : f.turn, f.to),
                               static_cast<const Model *>(b), rest, rest, request, result);
        bench_flown(&answer, result.is_collide, result.time_of_contact, t, i);
    }
    return answer;
}

bench_answer straight(const void *a, const void *b, const bench_flight *flights, int count, double *t) {
    return fly(a, b, flights, count, t, fcl::CCDM_TRANS);
}

bench_answer turning(const void *a, const void *b, const bench_flight *flights, int count, double *t) {
    return fly(a, b, flights, count, t, fcl::CCDM_LINEAR);
}

} // namespace

extern "C" const bench_mesh_sweep bench_mesh_sweep_fcl = {"fcl", build, destroy, straight, turning};
