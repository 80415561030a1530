/* peer_embree_refit: Intel Embree 3, a dynamic scene whose one mesh is refitted, on one thread; rays one at a time. */
#include "refit.h"

#include <embree3/rtcore.h>

#include <limits>

namespace {

struct Tree {
    RTCDevice device;
    RTCScene scene;
    RTCGeometry geometry;
};

/* Vertices and indices stay where they are: their memory is the mesh's. */
void *make(const pg_mesh *m) {
    Tree *t = new Tree;
    t->device = rtcNewDevice("threads=1");
    t->scene = rtcNewScene(t->device);
    rtcSetSceneFlags(t->scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(
        t->scene, RTC_BUILD_QUALITY_LOW); /* only such scenes keep a tree for each mesh, to be refitted */
    t->geometry = rtcNewGeometry(t->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetGeometryBuildQuality(t->geometry, RTC_BUILD_QUALITY_REFIT);
    rtcSetSharedGeometryBuffer(t->geometry, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, m->vertices, 0, 12,
                               static_cast<size_t>(m->vertex_count));
    rtcSetSharedGeometryBuffer(t->geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, m->triangles, 0, 12,
                               static_cast<size_t>(m->triangle_count));
    rtcCommitGeometry(t->geometry);
    rtcAttachGeometry(t->scene, t->geometry);
    rtcCommitScene(t->scene);
    return t;
}

void update(void *p, const pg_mesh *) {
    Tree *t = static_cast<Tree *>(p);
    rtcUpdateGeometryBuffer(t->geometry, RTC_BUFFER_TYPE_VERTEX, 0);
    rtcCommitGeometry(t->geometry);
    rtcCommitScene(t->scene);
}

void destroy(void *p) {
    Tree *t = static_cast<Tree *>(p);
    rtcReleaseGeometry(t->geometry);
    rtcReleaseScene(t->scene);
    rtcReleaseDevice(t->device);
    delete t;
}

bench_answer closest_hit(const void *p, const pg_ray *rays, int count) {
    const Tree *t = static_cast<const Tree *>(p);
    bench_answer a = {0, 0, 0.0};
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (int i = 0; i < count; ++i) {
        RTCRayHit hit;
        hit.ray.org_x = rays[i].o[0];
        hit.ray.org_y = rays[i].o[1];
        hit.ray.org_z = rays[i].o[2];
        hit.ray.dir_x = rays[i].d[0];
        hit.ray.dir_y = rays[i].d[1];
        hit.ray.dir_z = rays[i].d[2];
        hit.ray.tnear = 0.0f;
        hit.ray.tfar = std::numeric_limits<float>::infinity();
        hit.ray.time = 0.0f;
        hit.ray.mask = 0xFFFFFFFFu;
        hit.ray.id = 0;
        hit.ray.flags = 0;
        hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(t->scene, &context, &hit);
        a.count += hit.hit.geomID != RTC_INVALID_GEOMETRY_ID;
    }
    return a;
}

} // namespace

extern "C" const bench_refit bench_refit_embree = {"embree-refit", make, update, destroy, closest_hit};
