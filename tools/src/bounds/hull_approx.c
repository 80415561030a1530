#include "bounds/hull_approx.h"
#include "core/memory.h"
#include "shape/kdop3d.h"

/* ---- making ---- */

static uint32_t cdi_approx_random(uint64_t *state, uint32_t count) {
    uint64_t z = *state += 0x9E3779B97F4A7C15u; /* splitmix64 */
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (uint32_t)((z ^ (z >> 31)) % count);
}

static void cdi_swap_planes(cd_plane *a, cd_plane *b) {
    cd_plane t = *a;
    *a = *b;
    *b = t;
}

/* Each of the first 32 as perpendicular as possible to those before it, the rest at random. */
static void cdi_order_planes(cd_plane *p, double *like, uint32_t count) {
    uint64_t random = 4;
    for (uint32_t i = count; i > 1; --i) cdi_swap_planes(&p[i - 1], &p[cdi_approx_random(&random, i)]);
    for (uint32_t i = 0; i < count; ++i) like[i] = 0.0;
    for (uint32_t i = 1; i < count && i < 32; ++i) {
        uint32_t best = i;
        double t;
        for (uint32_t j = i; j < count; ++j) {
            like[j] = cdi_max(like[j], cdi_abs(cdi_v3_dot(cdi_v3_of(p[j].n), cdi_v3_of(p[i - 1].n))));
            if (like[j] < like[best]) best = j;
        }
        cdi_swap_planes(&p[i], &p[best]);
        t = like[i];
        like[i] = like[best];
        like[best] = t;
    }
}

static void cdi_shuffle_spheres(cd_sphere *s, uint32_t count) {
    uint64_t random = 5;
    for (uint32_t i = count; i > 1; --i) {
        uint32_t j = cdi_approx_random(&random, i);
        cd_sphere t = s[i - 1];
        s[i - 1] = s[j];
        s[j] = t;
    }
}

static bool cdi_spheres_are_valid(const cd_sphere *s, size_t count) {
    for (size_t i = 0; i < count; ++i) {
        if (!cd_sphere_is_valid(s[i])) return false;
    }
    return true;
}

/* The sphere about the mean of the vertices, and how far the centres are out. */
static bool cdi_bound_spheres(cd_hull_approx *out, cd_vec3 center) {
    double radius = 0.0;
    for (uint32_t i = 0; i < out->sphere_count; ++i) {
        cdi_v3 c = cdi_v3_of(out->spheres[i].center);
        double reach = cdi_v3_length(cdi_v3_sub(c, cdi_v3_of(center))) + (double)out->spheres[i].radius;
        radius = cdi_max(radius, reach);
        out->reach = cdi_max(out->reach, cdi_abs(c.x) + cdi_abs(c.y) + cdi_abs(c.z));
    }
    out->bound.center = center;
    radius += 4.0 * (double)CD_REAL_EPSILON * radius;
    out->bound.radius = cdi_real_of(radius);
    return radius < 0.5 * (double)CD_REAL_MAX && out->reach < 0.25 * (double)CD_REAL_MAX;
}

/* The planes are moved out by more than the rounding of their numbers. */
static void cdi_approx_fill(cd_hull_approx *out, const cd_hull_parts *parts, const cd_sphere *spheres) {
    for (uint32_t i = 0; i < out->sphere_count; ++i) {
        if (spheres) {
            out->spheres[i] = spheres[i];
        } else {
            out->spheres[i].center = parts->vertices[i];
            out->spheres[i].radius = 0;
        }
    }
    cdi_shuffle_spheres(out->spheres, out->sphere_count);
}

static void cdi_approx_fill_planes(cd_hull_approx *out, const cd_hull_parts *parts, double *like) {
    double size = 0.0;
    for (uint32_t i = 0; i < parts->vertex_count; ++i) {
        cdi_v3 v = cdi_v3_of(parts->vertices[i]);
        size = cdi_max(size, cdi_abs(v.x) + cdi_abs(v.y) + cdi_abs(v.z));
    }
    for (uint32_t i = 0; i < out->plane_count; ++i) {
        out->planes[i] = parts->faces[i].plane;
        out->planes[i].d = cdi_real_of((double)out->planes[i].d + 8.0 * (double)CD_REAL_EPSILON * size);
    }
    cdi_order_planes(out->planes, like, out->plane_count);
}

static cd_status cdi_approx_fail(cd_hull_approx *out, cd_status status) {
    cd_hull_approx_destroy(out);
    return status;
}

CD_API cd_status cd_hull_approx_make(cd_hull_approx *out, const cd_hull *hull, const cd_sphere *spheres,
                                     size_t count, const cd_allocator *allocator) {
    cd_hull_parts parts = cd_hull_get_parts(hull);
    double *like;
    cdi_clear(out, sizeof *out);
    if (parts.vertex_count == 0 || (spheres && (count == 0 || !cdi_spheres_are_valid(spheres, count))))
        return CD_INVALID_ARGUMENT;
    if (spheres && count >= CD_NONE) return CD_TOO_LARGE;
    if (allocator) out->allocator = *allocator;
    out->plane_count = parts.face_count;
    out->sphere_count = spheres ? (uint32_t)count : parts.vertex_count;
    out->planes = (cd_plane *)cdi_alloc(allocator, out->plane_count, sizeof *out->planes);
    out->spheres = (cd_sphere *)cdi_alloc(allocator, out->sphere_count, sizeof *out->spheres);
    like = (double *)cdi_alloc(allocator, out->plane_count, sizeof *like);
    if (!out->spheres || (out->plane_count > 0 && (!out->planes || !like))) {
        cdi_free(allocator, like, out->plane_count, sizeof *like);
        return cdi_approx_fail(out, CD_OUT_OF_MEMORY);
    }
    cdi_approx_fill(out, &parts, spheres);
    cdi_approx_fill_planes(out, &parts, like);
    cdi_free(allocator, like, out->plane_count, sizeof *like);
    return cdi_bound_spheres(out, parts.center) ? CD_OK : cdi_approx_fail(out, CD_TOO_LARGE);
}

CD_API void cd_hull_approx_destroy(cd_hull_approx *a) {
    cdi_free(&a->allocator, a->planes, a->plane_count, sizeof *a->planes);
    cdi_free(&a->allocator, a->spheres, a->sphere_count, sizeof *a->spheres);
    cdi_clear(a, sizeof *a);
}

/* ---- testing ---- */

/* A plane in the frame of the spheres: m . x = e, and by how much more they have to be in front. */
typedef struct cdi_approx_plane {
    cdi_v3 m;
    double e, margin;
} cdi_approx_plane;

/* The plane's body or the spheres' body is at the pose. */
static cdi_approx_plane cdi_approx_plane_of(cd_plane plane, const cdi_pose *pose, bool plane_moves,
                                            double reach) {
    cdi_approx_plane r;
    cdi_v3 n = cdi_v3_of(plane.n);
    if (plane_moves) {
        r.m = cdi_m3_mul_v3(&pose->rotation, n);
        r.e = (double)plane.d + cdi_v3_dot(r.m, pose->position);
    } else {
        r.m = cdi_m3_tmul_v3(&pose->rotation, n);
        r.e = (double)plane.d - cdi_v3_dot(n, pose->position);
    }
    r.margin = cdi_kdop_margin(r.m, reach, pose);
    return r;
}

static bool cdi_all_in_front(const cdi_approx_plane *p, const cd_hull_approx *b) {
    double height = cdi_v3_dot(p->m, cdi_v3_of(b->bound.center)) - p->e, radius = (double)b->bound.radius;
    if (height - radius > p->margin) return true;
    if (height + radius < 0.0) return false;
    for (uint32_t i = 0; i < b->sphere_count; ++i) {
        height = cdi_v3_dot(p->m, cdi_v3_of(b->spheres[i].center)) - p->e;
        if (!(height - (double)b->spheres[i].radius > p->margin)) return false;
    }
    return true;
}

static bool cdi_face_parts(const cd_hull_approx *a, const cd_hull_approx *b, const cdi_pose *pose,
                           bool a_moves) {
    for (uint32_t i = 0; i < a->plane_count; ++i) {
        cdi_approx_plane p = cdi_approx_plane_of(a->planes[i], pose, a_moves, a->reach + b->reach);
        if (cdi_all_in_front(&p, b)) return true;
    }
    return false;
}

static bool cdi_bounds_apart(const cd_hull_approx *a, const cd_hull_approx *b, const cdi_pose *pose) {
    cdi_v3 between = cdi_v3_sub(cdi_pose_point(pose, cdi_v3_of(b->bound.center)), cdi_v3_of(a->bound.center));
    double margin = cdi_kdop_margin(cdi_v3_make(1.0, 1.0, 1.0), a->reach + b->reach, pose);
    return cdi_v3_length(between) > (double)a->bound.radius + (double)b->bound.radius + margin;
}

CD_API bool cd_test_hull_hull_approx(const cd_hull_approx *a, const cd_hull_approx *b,
                                     const cd_transform *pose) {
    cd_transform none = cd_transform_identity();
    cdi_pose motion;
    if (a->sphere_count == 0 || b->sphere_count == 0) return false;
    if (!pose) pose = &none;
    if (!cdi_pose_is_finite(pose)) return true;
    motion = cdi_pose_of(pose);
    return !cdi_bounds_apart(a, b, &motion) && !cdi_face_parts(a, b, &motion, false) &&
           !cdi_face_parts(b, a, &motion, true);
}
