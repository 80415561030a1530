/* tree_ours: this library. Compiled once for each set of compiler flags that is measured, each with a copy of the library
 * of its own: BENCH_NAME is what the lines call it, BENCH_TREE and BENCH_KERNELS name the tables. With BENCH_COUNTED
 * it counts its work instead of being timed; BENCH_LAYOUT is the layout of the trees, wide where it is not given. */
#include "peers.h"

#ifdef BENCH_COUNTED
static uint64_t counted_node, counted_triangle, counted_sweep; /* of the tree */
static uint64_t counted_build, counted_halfspace, counted_hull, counted_ball, counted_rect, counted_obb_tried,
    counted_obb_measured, counted_corner;
#define CDI_COUNT(what) ((void)++counted_##what)
#endif

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <math.h>
#include <string.h>

#ifndef BENCH_LAYOUT
#define BENCH_LAYOUT CD_BVH_WIDE
#endif

static cd_vec3 ours_vec(const float *p) {
    return cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
}

static cd_ray ours_ray(const pg_ray *r) {
    cd_ray ray;
    ray.origin = ours_vec(r->o);
    ray.dir = ours_vec(r->d);
    return ray;
}

/* ---- trees ---- */

static void *ours_build(const pg_mesh *mesh) {
    cd_bvh *tree = (cd_bvh *)pg_alloc(sizeof *tree);
    cd_mesh_view view = cd_mesh_view_make(NULL, (uint32_t)mesh->vertex_count, NULL, 0);
    cd_bvh_options options;
    view.positions = mesh->vertices;
    view.position_format = CD_POSITION_F32;
    view.stride = 0; /* tightly packed, in a double build too */
    view.indices = mesh->triangles;
    view.triangle_count = (uint32_t)mesh->triangle_count;
    memset(&options, 0, sizeof options);
    options.layout = BENCH_LAYOUT;
    if (cd_bvh_build_mesh(tree, &view, &options) != CD_OK) {
        fprintf(stderr, "bench: the build failed\n");
        exit(1);
    }
    return tree;
}

static void ours_destroy(void *tree) {
    cd_bvh_destroy((cd_bvh *)tree);
    free(tree);
}

static double ours_bytes(const void *tree) {
    return (double)((const cd_bvh *)tree)->bytes;
}

static bench_answer ours_closest_hit(const void *tree, const pg_ray *rays, int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_ray ray = ours_ray(&rays[i]);
        cd_hit hit;
        if (cd_bvh_cast_ray((const cd_bvh *)tree, &ray, CD_REAL_MAX, NULL, &hit)) bench_count(&a, hit.index);
    }
    return a;
}

static bench_answer ours_any_hit(const void *tree, const pg_ray *rays, int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_ray ray = ours_ray(&rays[i]);
        a.count += cd_bvh_test_ray((const cd_bvh *)tree, &ray, CD_REAL_MAX, NULL);
    }
    return a;
}

static bench_answer ours_closest_point(const void *tree, const float (*points)[3], int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_closest closest;
        if (!cd_bvh_closest((const cd_bvh *)tree, ours_vec(points[i]), CD_REAL_MAX, NULL, &closest)) continue;
        ++a.count;
        a.distance_sum += sqrt((double)closest.sqdist);
    }
    return a;
}

/* ---- tree against tree ---- */

static cd_transform ours_pose(const bench_posed *meshes) {
    cd_transform t;
    t.rotation.x = (cd_real)meshes->q[0];
    t.rotation.y = (cd_real)meshes->q[1];
    t.rotation.z = (cd_real)meshes->q[2];
    t.rotation.w = (cd_real)meshes->q[3];
    t.position = ours_vec(meshes->p);
    return t;
}

static bool ours_add_pair(void *user, cd_pair pair) {
    bench_count((bench_answer *)user, (uint64_t)pair.a + (uint64_t)pair.b);
    return true;
}

static bench_answer ours_pairs(const void *tree_a, const void *tree_b, const bench_posed *meshes) {
    bench_answer a = {0, 0, 0.0};
    cd_transform pose = ours_pose(meshes);
    cd_bvh_traverse_pairs((const cd_bvh *)tree_a, (const cd_bvh *)tree_b, &pose, NULL, ours_add_pair, &a);
    return a;
}

static bench_answer ours_first_pair(const void *tree_a, const void *tree_b, const bench_posed *meshes) {
    bench_answer a = {0, 0, 0.0};
    cd_transform pose = ours_pose(meshes);
    a.count = cd_bvh_test_bvh((const cd_bvh *)tree_a, (const cd_bvh *)tree_b, &pose, NULL, NULL);
    return a;
}

static bench_answer ours_closest_pair(const void *tree_a, const void *tree_b, const bench_posed *meshes) {
    bench_answer a = {0, 0, 0.0};
    cd_transform pose = ours_pose(meshes);
    cd_closest closest;
    a.count = cd_bvh_closest_bvh((const cd_bvh *)tree_a, (const cd_bvh *)tree_b, &pose, CD_REAL_MAX, NULL,
                                 &closest);
    a.distance_sum = sqrt((double)closest.sqdist);
    return a;
}

#ifdef BENCH_COUNTED
static void ours_counters(uint64_t *nodes, uint64_t *triangles) {
    *nodes = counted_node;
    *triangles = counted_triangle;
    counted_node = counted_triangle = counted_build = counted_halfspace = counted_hull = counted_ball =
        counted_rect = 0;
    counted_obb_tried = counted_obb_measured = 0;
}
#else
#define ours_counters NULL
#endif

const bench_tree BENCH_TREE = {
    BENCH_NAME,        0,
    ours_build,        ours_destroy,
    ours_bytes,        ours_closest_hit,
    ours_any_hit,      ours_closest_point,
    ours_pairs,        ours_first_pair,
    ours_closest_pair, ours_counters,
};

/* ---- kernels ---- */

#ifdef BENCH_KERNELS

static cd_triangle ours_triangle(const float *t) {
    cd_triangle tri;
    tri.a = ours_vec(t);
    tri.b = ours_vec(t + 3);
    tri.c = ours_vec(t + 6);
    return tri;
}

static bench_answer ours_triangle_triangle(const float (*pairs)[18], int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_triangle p = ours_triangle(pairs[i]), q = ours_triangle(pairs[i] + 9);
        if (cd_test_triangle_triangle(&p, &q)) bench_count(&a, (uint64_t)i);
    }
    return a;
}

static bench_answer ours_ray_triangle(const float (*pairs)[18], const pg_ray *rays, int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_triangle t = ours_triangle(pairs[i]);
        cd_ray ray = ours_ray(&rays[i]);
        cd_hit hit;
        if (cd_cast_ray_triangle(&ray, CD_REAL_MAX, &t, NULL, &hit)) bench_count(&a, (uint64_t)i);
    }
    return a;
}

static bench_answer ours_ray_box(const float (*boxes)[6], const pg_ray *rays, int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_ray ray = ours_ray(&rays[i]);
        cd_aabb box;
        cd_hit hit;
        box.min = ours_vec(boxes[i]);
        box.max = ours_vec(boxes[i] + 3);
        if (cd_cast_ray_aabb(&ray, CD_REAL_MAX, box, NULL, &hit)) bench_count(&a, (uint64_t)i);
    }
    return a;
}

const bench_kernels BENCH_KERNELS = {BENCH_NAME, ours_triangle_triangle, ours_ray_triangle, ours_ray_box};

#endif
