#include "tree/bvh_volume.h"
#include "core/memory.h"
#include "core/pose.h"
#include "query/hull.h"
#include "query/obb.h"
#include "query/point_solid.h"
#include "query/swept.h"
#include "query/test.h"
#include "query/test_linear.h"
#include "query/triangle_triangle.h"

/* ---- making them ---- */

static cd_bvh_volume cdi_bvh_volume_of(uint32_t kind) {
    cd_bvh_volume v;
    cdi_clear(&v, sizeof v);
    v.kind = kind;
    return v;
}

CD_API cd_bvh_volume cd_bvh_volume_aabb(cd_aabb b) {
    cd_bvh_volume v = cdi_bvh_volume_of(CD_BVH_AABB);
    v.u.aabb = b;
    return v;
}

CD_API cd_bvh_volume cd_bvh_volume_sphere(cd_sphere s) {
    cd_bvh_volume v = cdi_bvh_volume_of(CD_BVH_SPHERE);
    v.u.sphere = s;
    return v;
}

CD_API cd_bvh_volume cd_bvh_volume_capsule(const cd_capsule *c) {
    cd_bvh_volume v = cdi_bvh_volume_of(CD_BVH_CAPSULE);
    v.u.capsule = *c;
    return v;
}

CD_API cd_bvh_volume cd_bvh_volume_obb(const cd_obb *b) {
    cd_bvh_volume v = cdi_bvh_volume_of(CD_BVH_OBB);
    v.u.obb = *b;
    return v;
}

CD_API cd_bvh_volume cd_bvh_volume_triangle(const cd_triangle *t) {
    cd_bvh_volume v = cdi_bvh_volume_of(CD_BVH_TRIANGLE);
    v.u.triangle = *t;
    return v;
}

CD_API cd_bvh_volume cd_bvh_volume_hull(const cd_hull *h) {
    cd_bvh_volume v = cdi_bvh_volume_of(CD_BVH_HULL);
    v.u.hull = h;
    return v;
}

CD_API cd_bvh_volume cd_bvh_volume_planes(const cd_plane *planes, uint32_t count) {
    cd_bvh_volume v = cdi_bvh_volume_of(CD_BVH_PLANES);
    v.plane_count = count;
    v.u.planes = planes;
    return v;
}

CD_API bool cd_bvh_volume_is_valid(const cd_bvh_volume *volume) {
    switch (volume->kind) {
    case CD_BVH_AABB: return cd_aabb_is_valid(volume->u.aabb);
    case CD_BVH_SPHERE: return cd_sphere_is_valid(volume->u.sphere);
    case CD_BVH_CAPSULE: return cd_capsule_is_valid(&volume->u.capsule);
    case CD_BVH_OBB: return cd_obb_is_valid(&volume->u.obb);
    case CD_BVH_TRIANGLE: return cd_triangle_is_valid(&volume->u.triangle);
    case CD_BVH_HULL: return volume->u.hull != NULL;
    case CD_BVH_PLANES: return cd_region_is_valid(volume->u.planes, volume->plane_count);
    default: return false;
    }
}

CD_API cd_aabb cd_bvh_volume_bounds(const cd_bvh_volume *volume) {
    if (!cd_bvh_volume_is_valid(volume)) return cd_aabb_empty();
    switch (volume->kind) {
    case CD_BVH_AABB: return volume->u.aabb;
    case CD_BVH_SPHERE: return cd_aabb_from_sphere(volume->u.sphere);
    case CD_BVH_CAPSULE: return cd_aabb_from_capsule(&volume->u.capsule);
    case CD_BVH_OBB: return cd_aabb_from_obb(&volume->u.obb);
    case CD_BVH_TRIANGLE: return cd_aabb_from_points(&volume->u.triangle.a, 3);
    case CD_BVH_HULL: return cd_hull_bounds(volume->u.hull);
    default: return cd_aabb_from_region(volume->u.planes, volume->plane_count);
    }
}

/* ---- against one thing: all of these tests but a few know bad volumes themselves ---- */

CD_API bool cd_bvh_volume_test_triangle(const cd_bvh_volume *volume, const cd_triangle *t) {
    switch (volume->kind) {
    case CD_BVH_AABB: return cd_test_triangle_aabb(t, volume->u.aabb);
    case CD_BVH_SPHERE: return cd_test_sphere_triangle(volume->u.sphere, t);
    case CD_BVH_CAPSULE: return cd_test_capsule_triangle(&volume->u.capsule, t);
    case CD_BVH_OBB: return cd_obb_is_valid(&volume->u.obb) && cd_test_triangle_obb(t, &volume->u.obb);
    case CD_BVH_TRIANGLE: return cd_test_triangle_triangle(&volume->u.triangle, t);
    case CD_BVH_HULL: return volume->u.hull && cd_test_triangle_hull(t, volume->u.hull);
    case CD_BVH_PLANES: return cd_test_triangle_region(t, volume->u.planes, volume->plane_count);
    default: return false;
    }
}

CD_API bool cd_bvh_volume_test_aabb(const cd_bvh_volume *volume, cd_aabb b) {
    switch (volume->kind) {
    case CD_BVH_AABB:
        return cd_aabb_is_valid(volume->u.aabb) && cd_aabb_is_valid(b) &&
               cd_test_aabb_aabb(volume->u.aabb, b);
    case CD_BVH_SPHERE: return cd_test_sphere_aabb(volume->u.sphere, b);
    case CD_BVH_CAPSULE: return cd_test_capsule_aabb(&volume->u.capsule, b);
    case CD_BVH_OBB: return cd_obb_is_valid(&volume->u.obb) && cd_test_obb_aabb(&volume->u.obb, b);
    case CD_BVH_TRIANGLE: return cd_test_triangle_aabb(&volume->u.triangle, b);
    case CD_BVH_HULL: return volume->u.hull && cd_test_aabb_hull(b, volume->u.hull);
    case CD_BVH_PLANES: return cd_test_aabb_region(b, volume->u.planes, volume->plane_count);
    default: return false;
    }
}

CD_API bool cd_bvh_volume_test_point(const cd_bvh_volume *volume, cd_vec3 p) {
    switch (volume->kind) {
    case CD_BVH_AABB:
        return cd_vec3_is_valid(p) && cd_aabb_is_valid(volume->u.aabb) &&
               cd_test_point_aabb(p, volume->u.aabb);
    case CD_BVH_SPHERE: return cd_test_point_sphere(p, volume->u.sphere);
    case CD_BVH_CAPSULE: return cd_test_point_capsule(p, &volume->u.capsule);
    case CD_BVH_OBB: return cd_obb_is_valid(&volume->u.obb) && cd_test_point_obb(p, &volume->u.obb);
    case CD_BVH_TRIANGLE: return cd_test_point_triangle(p, &volume->u.triangle);
    case CD_BVH_HULL: return volume->u.hull && cd_test_point_hull(p, volume->u.hull);
    case CD_BVH_PLANES:
        return cd_region_is_valid(volume->u.planes, volume->plane_count) &&
               cd_test_point_halfspaces(p, volume->u.planes, volume->plane_count);
    default: return false;
    }
}

/* ---- moved ---- */

typedef struct cdi_similarity {
    cdi_pose pose;
    double scale;
} cdi_similarity;

static cd_vec3 cdi_similar_point(const cdi_similarity *s, cd_vec3 p) {
    return cdi_v3_round(cdi_pose_point(&s->pose, cdi_v3_scale(cdi_v3_of(p), s->scale)));
}

static cd_real cdi_similar_length(const cdi_similarity *s, cd_real x) {
    return (cd_real)((double)x * s->scale);
}

static cd_obb cdi_similar_obb(const cdi_similarity *s, const cd_obb *b) {
    cdi_m3 axes = cdi_m3_of(&b->axes);
    cd_obb r;
    r.center = cdi_similar_point(s, b->center);
    r.half = cd_vec3_make(cdi_similar_length(s, b->half.x), cdi_similar_length(s, b->half.y),
                          cdi_similar_length(s, b->half.z));
    for (int k = 0; k < 3; ++k) r.axes.col[k] = cdi_v3_round(cdi_m3_mul_v3(&s->pose.rotation, axes.c[k]));
    return r;
}

/* n . x <= d of x = s R y + p. */
static cd_plane cdi_similar_plane(const cdi_similarity *s, const cd_plane *p) {
    cdi_v3 n = cdi_m3_mul_v3(&s->pose.rotation, cdi_v3_of(p->n));
    cd_plane r;
    r.n = cdi_v3_round(n);
    r.d = (cd_real)((double)p->d * s->scale + cdi_v3_dot(n, s->pose.position));
    return r;
}

/* False for a hull, and planes without room. */
static bool cdi_bvh_volume_move(const cdi_similarity *s, cd_plane *planes, cd_bvh_volume *v) {
    cd_obb box;
    switch (v->kind) {
    case CD_BVH_SPHERE:
        v->u.sphere.center = cdi_similar_point(s, v->u.sphere.center);
        v->u.sphere.radius = cdi_similar_length(s, v->u.sphere.radius);
        return true;
    case CD_BVH_CAPSULE:
        v->u.capsule.a = cdi_similar_point(s, v->u.capsule.a);
        v->u.capsule.b = cdi_similar_point(s, v->u.capsule.b);
        v->u.capsule.radius = cdi_similar_length(s, v->u.capsule.radius);
        return true;
    case CD_BVH_AABB:
    case CD_BVH_OBB:
        box = v->kind == CD_BVH_OBB ? v->u.obb : cd_obb_from_aabb(v->u.aabb);
        v->kind = CD_BVH_OBB;
        v->u.obb = cdi_similar_obb(s, &box);
        return true;
    case CD_BVH_TRIANGLE:
        v->u.triangle.a = cdi_similar_point(s, v->u.triangle.a);
        v->u.triangle.b = cdi_similar_point(s, v->u.triangle.b);
        v->u.triangle.c = cdi_similar_point(s, v->u.triangle.c);
        return true;
    case CD_BVH_PLANES:
        if (!planes && v->plane_count > 0) return false;
        for (uint32_t i = 0; i < v->plane_count; ++i) {
            cd_plane p = cdi_similar_plane(s, &v->u.planes[i]);
            planes[i] = p;
        }
        v->u.planes = planes;
        return true;
    default: return false;
    }
}

CD_API bool cd_bvh_volume_transform(const cd_bvh_volume *volume, const cd_transform *pose, cd_real scale,
                                    cd_plane *planes, cd_bvh_volume *out) {
    cd_bvh_volume v = *volume;
    cdi_similarity s;
    if (!cd_bvh_volume_is_valid(volume) || !cd_transform_is_valid(pose) ||
        !(scale > 0 && scale <= CD_REAL_MAX))
        return false;
    s.pose = cdi_pose_of(pose);
    s.scale = (double)scale;
    if (!cdi_bvh_volume_move(&s, planes, &v) || !cd_bvh_volume_is_valid(&v)) return false;
    *out = v;
    return true;
}
