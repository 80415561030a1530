/* peer_embree_moving: Intel Embree 3 on one thread: a tree over the boxes built anew each frame along a Morton curve, which is
 * several times as fast as fitting one to where they are now, and rtcCollide of it with itself. It tells of boxes that share a leaf or whose leaves meet, both ways round. */
#include "moving.h"

#include <embree3/rtcore.h>

#include <vector>

namespace {

struct world {
    RTCDevice device;
    RTCScene scene;
    RTCGeometry geometry;
    std::vector<bench_box> boxes;
    bench_answer answer;
};

void bounds_of(const RTCBoundsFunctionArguments *args) {
    const bench_box &b = static_cast<const world *>(args->geometryUserPtr)->boxes[args->primID];
    RTCBounds *out = args->bounds_o;
    out->lower_x = b.lo[0];
    out->lower_y = b.lo[1];
    out->lower_z = b.lo[2];
    out->upper_x = b.hi[0];
    out->upper_y = b.hi[1];
    out->upper_z = b.hi[2];
}

void on_pairs(void *user, RTCCollision *found, unsigned int count) {
    world *w = static_cast<world *>(user);
    for (unsigned int i = 0; i < count; ++i) {
        unsigned int a = found[i].primID0, b = found[i].primID1;
        if (a < b && bench_boxes_meet(&w->boxes[a], &w->boxes[b]))
            bench_found(&w->answer, static_cast<uint64_t>(a) + b);
    }
}

void no_ray(const RTCIntersectFunctionNArguments *) {
}
void no_shadow(const RTCOccludedFunctionNArguments *) {
}

void *create(const bench_box *boxes, int count) {
    world *w = new world;
    w->boxes.assign(boxes, boxes + count);
    w->device = rtcNewDevice("threads=1");
    w->scene = rtcNewScene(w->device);
    rtcSetSceneFlags(w->scene, RTC_SCENE_FLAG_DYNAMIC);
    rtcSetSceneBuildQuality(w->scene, RTC_BUILD_QUALITY_LOW);
    w->geometry = rtcNewGeometry(w->device, RTC_GEOMETRY_TYPE_USER);
    rtcSetGeometryUserPrimitiveCount(w->geometry, static_cast<unsigned int>(count));
    rtcSetGeometryUserData(w->geometry, w);
    rtcSetGeometryBuildQuality(w->geometry, RTC_BUILD_QUALITY_LOW);
    rtcSetGeometryBoundsFunction(w->geometry, bounds_of, nullptr);
    rtcSetGeometryIntersectFunction(w->geometry, no_ray);
    rtcSetGeometryOccludedFunction(w->geometry, no_shadow);
    rtcCommitGeometry(w->geometry);
    rtcAttachGeometry(w->scene, w->geometry);
    rtcCommitScene(w->scene);
    return w;
}

void destroy(void *p) {
    world *w = static_cast<world *>(p);
    rtcReleaseGeometry(w->geometry);
    rtcReleaseScene(w->scene);
    rtcReleaseDevice(w->device);
    delete w;
}

bench_answer frame(void *p, const bench_frame *f) {
    world *w = static_cast<world *>(p);
    for (int i = 0; i < f->count; i += f->every) w->boxes[static_cast<size_t>(i)] = f->boxes[i];
    w->answer = {0, 0, 0.0};
    rtcCommitGeometry(w->geometry);
    rtcCommitScene(w->scene);
    rtcCollide(w->scene, w->scene, on_pairs, w);
    return w->answer;
}

enum { ANY = 1 << 30 };

} // namespace

extern const bench_moving bench_moving_embree[] = {
    {"embree-rebuilt", ANY, create, destroy, frame, nullptr, nullptr, nullptr},
    {nullptr, 0, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};
