#include "core/memory.h"
#include "tree/bvh_volume.h"

CD_API cd_bvh_volume cd_bvh_volume_aabb(cd_aabb b) {
    cd_bvh_volume v;
    cdi_clear(&v, sizeof v);
    v.kind = CD_BVH_AABB;
    v.u.aabb = b;
    return v;
}

CD_API cd_bvh_volume cd_bvh_volume_sphere(cd_sphere s) {
    cd_bvh_volume v;
    cdi_clear(&v, sizeof v);
    v.kind = CD_BVH_SPHERE;
    v.u.sphere = s;
    return v;
}

CD_API cd_bvh_volume cd_bvh_volume_capsule(const cd_capsule *c) {
    cd_bvh_volume v;
    cdi_clear(&v, sizeof v);
    v.kind = CD_BVH_CAPSULE;
    v.u.capsule = *c;
    return v;
}

CD_API cd_bvh_volume cd_bvh_volume_obb(const cd_obb *b) {
    cd_bvh_volume v;
    cdi_clear(&v, sizeof v);
    v.kind = CD_BVH_OBB;
    v.u.obb = *b;
    return v;
}

CD_API cd_bvh_volume cd_bvh_volume_triangle(const cd_triangle *t) {
    cd_bvh_volume v;
    cdi_clear(&v, sizeof v);
    v.kind = CD_BVH_TRIANGLE;
    v.u.triangle = *t;
    return v;
}

CD_API cd_bvh_volume cd_bvh_volume_hull(const cd_hull *h) {
    cd_bvh_volume v;
    cdi_clear(&v, sizeof v);
    v.kind = CD_BVH_HULL;
    v.u.hull = h;
    return v;
}

CD_API cd_bvh_volume cd_bvh_volume_planes(const cd_plane *planes, uint32_t count) {
    cd_bvh_volume v;
    cdi_clear(&v, sizeof v);
    v.kind = CD_BVH_PLANES;
    v.plane_count = count;
    v.u.planes = planes;
    return v;
}
