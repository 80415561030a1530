/* peer_embree: Intel Embree 3, one ray at a time on one thread, with and without its robust flag.
 *
 * Its arithmetic is float: a few rays pass through, or hit a neighbour of, the triangle they meet. */
#include "peers.h"
#include "naive.h"

#include <embree3/rtcore.h>

#include <limits>

namespace {

struct Tree {
    RTCDevice device;
    RTCScene scene;
    const pg_mesh *mesh;
    ssize_t bytes;
};

bool on_memory(void *user, ssize_t bytes, bool) {
    static_cast<Tree *>(user)->bytes += bytes;
    return true;
}

/* Vertices and indices stay where they are: their memory is the mesh's. */
void attach(Tree *tree) {
    const pg_mesh *m = tree->mesh;
    RTCGeometry g = rtcNewGeometry(tree->device, RTC_GEOMETRY_TYPE_TRIANGLE);
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_VERTEX, 0, RTC_FORMAT_FLOAT3, m->vertices, 0, 12,
                               (size_t)m->vertex_count);
    rtcSetSharedGeometryBuffer(g, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, m->triangles, 0, 12,
                               (size_t)m->triangle_count);
    rtcCommitGeometry(g);
    rtcAttachGeometry(tree->scene, g);
    rtcReleaseGeometry(g);
}

void *build(const pg_mesh *mesh, RTCSceneFlags flags) {
    Tree *tree = new Tree;
    tree->mesh = mesh;
    tree->bytes = 0;
    tree->device = rtcNewDevice("threads=1");
    rtcSetDeviceMemoryMonitorFunction(tree->device, on_memory, tree);
    tree->scene = rtcNewScene(tree->device);
    rtcSetSceneFlags(tree->scene, flags);
    attach(tree);
    rtcCommitScene(tree->scene);
    return tree;
}

void *build_fast(const pg_mesh *mesh) {
    return build(mesh, RTC_SCENE_FLAG_NONE);
}

void *build_robust(const pg_mesh *mesh) {
    return build(mesh, RTC_SCENE_FLAG_ROBUST);
}

void destroy(void *p) {
    Tree *tree = static_cast<Tree *>(p);
    rtcReleaseScene(tree->scene);
    rtcReleaseDevice(tree->device);
    delete tree;
}

double bytes(const void *tree) {
    return static_cast<double>(static_cast<const Tree *>(tree)->bytes);
}

/* ---- rays ---- */

void set_ray(RTCRay &out, const pg_ray &r) {
    out.org_x = r.o[0];
    out.org_y = r.o[1];
    out.org_z = r.o[2];
    out.dir_x = r.d[0];
    out.dir_y = r.d[1];
    out.dir_z = r.d[2];
    out.tnear = 0.0f;
    out.tfar = std::numeric_limits<float>::infinity();
    out.time = 0.0f;
    out.mask = 0xFFFFFFFFu;
    out.id = 0;
    out.flags = 0;
}

bench_answer closest_hit(const void *p, const pg_ray *rays, int count) {
    const Tree *tree = static_cast<const Tree *>(p);
    bench_answer a = {0, 0, 0.0};
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (int i = 0; i < count; ++i) {
        RTCRayHit hit;
        set_ray(hit.ray, rays[i]);
        hit.hit.geomID = RTC_INVALID_GEOMETRY_ID;
        hit.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
        rtcIntersect1(tree->scene, &context, &hit);
        if (hit.hit.geomID != RTC_INVALID_GEOMETRY_ID) bench_count(&a, hit.hit.primID);
    }
    return a;
}

bench_answer any_hit(const void *p, const pg_ray *rays, int count) {
    const Tree *tree = static_cast<const Tree *>(p);
    bench_answer a = {0, 0, 0.0};
    RTCIntersectContext context;
    rtcInitIntersectContext(&context);
    for (int i = 0; i < count; ++i) {
        RTCRay ray;
        set_ray(ray, rays[i]);
        rtcOccluded1(tree->scene, &context, &ray);
        a.count += ray.tfar < 0.0f;
    }
    return a;
}

/* ---- closest points: the triangles are left to the caller ---- */

struct Nearest {
    const pg_mesh *mesh;
    double sqdist;
};

bool on_triangle(RTCPointQueryFunctionArguments *args) {
    Nearest *n = static_cast<Nearest *>(args->userPtr);
    const int32_t *t = n->mesh->triangles[args->primID];
    naive_v3 p = naive_make(args->query->x, args->query->y, args->query->z), tri[3];
    for (int k = 0; k < 3; ++k) tri[k] = naive_of(n->mesh->vertices[t[k]]);
    double sqdist = naive_sqdist(p, naive_closest_point(p, tri));
    if (sqdist >= n->sqdist) return false;
    n->sqdist = sqdist;
    args->query->radius = static_cast<float>(std::sqrt(sqdist));
    return true;
}

bench_answer closest_point(const void *p, const float (*points)[3], int count) {
    const Tree *tree = static_cast<const Tree *>(p);
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        RTCPointQueryContext context;
        rtcInitPointQueryContext(&context);
        RTCPointQuery query = {points[i][0], points[i][1], points[i][2], 0.0f,
                               std::numeric_limits<float>::infinity()};
        Nearest nearest = {tree->mesh, 1e300};
        rtcPointQuery(tree->scene, &query, &context, on_triangle, &nearest);
        if (nearest.sqdist == 1e300) continue;
        ++a.count;
        a.distance_sum += std::sqrt(nearest.sqdist);
    }
    return a;
}

} // namespace

extern "C" const bench_tree bench_tree_embree = {
    "embree",      0,       build_fast, destroy, bytes,   closest_hit, any_hit,
    closest_point, nullptr, nullptr,    nullptr, nullptr,
};
extern "C" const bench_tree bench_tree_embree_robust = {
    "embree-robust", 0,       build_robust, destroy, bytes,   closest_hit, any_hit,
    closest_point,   nullptr, nullptr,      nullptr, nullptr,
};
