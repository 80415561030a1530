/* volumes_ours: this library's trees of boxes and of other volumes. BENCH_VOLUMES names the table; with BENCH_COUNTED work is counted
 * instead of being timed. */
#include "volumes.h"

#ifdef BENCH_COUNTED
static uint64_t counted_node, counted_triangle, counted_sweep;
static uint64_t counted_build, counted_halfspace, counted_hull, counted_ball, counted_rect, counted_obb_tried,
    counted_obb_measured, counted_corner;
#define CDI_COUNT(what) ((void)++counted_##what)
#endif

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <math.h>
#include <string.h>

static cd_mesh_view view_of(const pg_mesh *mesh) {
    cd_mesh_view view = cd_mesh_view_make(NULL, (uint32_t)mesh->vertex_count, NULL, 0);
    view.positions = mesh->vertices;
    view.position_format = CD_POSITION_F32;
    view.stride = 0;
    view.indices = mesh->triangles;
    view.triangle_count = (uint32_t)mesh->triangle_count;
    return view;
}

static void *built(void *tree, cd_status status) {
    if (status == CD_OK) return tree;
    fprintf(stderr, "bench: the build failed\n");
    exit(1);
}

static cd_transform pose_of(const bench_posed *meshes) {
    cd_transform t;
    const float *q = meshes->q, *p = meshes->p;
    t.rotation.x = (cd_real)q[0];
    t.rotation.y = (cd_real)q[1];
    t.rotation.z = (cd_real)q[2];
    t.rotation.w = (cd_real)q[3];
    t.position = cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
    return t;
}

static bool add_pair(void *user, cd_pair pair) {
    bench_count((bench_answer *)user, (uint64_t)pair.a + pair.b);
    return true;
}

static bench_answer answer_of(bool found, const cd_closest *c) {
    bench_answer a = {0, 0, 0.0};
    a.count = found;
    a.distance_sum = found ? sqrt((double)c->sqdist) : 0.0;
    return a;
}

#ifdef BENCH_COUNTED
static void counters(uint64_t *nodes, uint64_t *triangles) {
    *nodes = counted_node;
    *triangles = counted_triangle;
    counted_node = counted_triangle = counted_build = counted_halfspace = counted_hull = counted_ball =
        counted_rect = 0;
    counted_obb_tried = counted_obb_measured = counted_sweep = 0;
}
#else
#define counters NULL
#endif

/* ---- boxes ---- */

static void *build_boxes(const pg_mesh *mesh, uint32_t layout) {
    cd_bvh *tree = (cd_bvh *)pg_alloc(sizeof *tree);
    cd_mesh_view view = view_of(mesh);
    cd_bvh_options options;
    memset(&options, 0, sizeof options);
    options.layout = layout;
    return built(tree, cd_bvh_build_mesh(tree, &view, &options));
}
static void *build_wide(const pg_mesh *mesh) {
    return build_boxes(mesh, CD_BVH_WIDE);
}
static void *build_binary(const pg_mesh *mesh) {
    return build_boxes(mesh, CD_BVH_BINARY);
}

static void boxes_destroy(void *tree) {
    cd_bvh_destroy((cd_bvh *)tree);
    free(tree);
}
static double boxes_bytes(const void *tree) {
    return (double)((const cd_bvh *)tree)->bytes;
}
static bench_answer boxes_pairs(const void *a, const void *b, const bench_posed *meshes) {
    bench_answer answer = {0, 0, 0.0};
    cd_transform pose = pose_of(meshes);
    cd_bvh_traverse_pairs((const cd_bvh *)a, (const cd_bvh *)b, &pose, NULL, add_pair, &answer);
    return answer;
}
static bench_answer boxes_first(const void *a, const void *b, const bench_posed *meshes) {
    bench_answer answer = {0, 0, 0.0};
    cd_transform pose = pose_of(meshes);
    answer.count = cd_bvh_test_bvh((const cd_bvh *)a, (const cd_bvh *)b, &pose, NULL, NULL);
    return answer;
}
static bench_answer boxes_closest(const void *a, const void *b, const bench_posed *meshes) {
    cd_transform pose = pose_of(meshes);
    cd_closest c;
    bool found = cd_bvh_closest_bvh((const cd_bvh *)a, (const cd_bvh *)b, &pose, CD_REAL_MAX, NULL, &c);
    return answer_of(found, &c);
}

/* ---- other volumes ---- */

static void *build_obbs(const pg_mesh *mesh) {
    cd_bvtree *tree = (cd_bvtree *)pg_alloc(sizeof *tree);
    cd_mesh_view view = view_of(mesh);
    return built(tree, cd_obbtree_build_mesh(tree, &view, NULL));
}
static void *build_obbs_paper(const pg_mesh *mesh) {
    cd_bvtree *tree = (cd_bvtree *)pg_alloc(sizeof *tree);
    cd_mesh_view view = view_of(mesh);
    cd_bvh_options options;
    memset(&options, 0, sizeof options);
    options.method = CD_BVH_OBJECT_MEAN;
    options.axis = CD_BVH_AXIS_PRINCIPAL;
    return built(tree, cd_obbtree_build_mesh(tree, &view, &options));
}
static void *build_kdops(const pg_mesh *mesh, uint32_t k) {
    cd_bvtree *tree = (cd_bvtree *)pg_alloc(sizeof *tree);
    cd_mesh_view view = view_of(mesh);
    return built(tree, cd_kdoptree_build_mesh(tree, &view, k, NULL));
}
static void *build_kdops_6(const pg_mesh *mesh) {
    return build_kdops(mesh, 6);
}
static void *build_kdops_14(const pg_mesh *mesh) {
    return build_kdops(mesh, 14);
}
static void *build_kdops_18(const pg_mesh *mesh) {
    return build_kdops(mesh, 18);
}
static void *build_kdops_26(const pg_mesh *mesh) {
    return build_kdops(mesh, 26);
}

static void *build_spheres(const pg_mesh *mesh, uint32_t method) {
    cd_bvtree *tree = (cd_bvtree *)pg_alloc(sizeof *tree);
    cd_mesh_view view = view_of(mesh);
    cd_spheretree_options options;
    memset(&options, 0, sizeof options);
    options.method = method;
    return built(tree, cd_spheretree_build_mesh(tree, &view, &options));
}
static void *build_spheres_pruned(const pg_mesh *mesh) {
    return build_spheres(mesh, CD_SPHERETREE_PRUNED);
}
static void *build_spheres_octree(const pg_mesh *mesh) {
    return build_spheres(mesh, CD_SPHERETREE_OCTREE);
}
static void *build_spheres_cover(const pg_mesh *mesh) {
    return build_spheres(mesh, CD_SPHERETREE_COVER);
}

static void volumes_destroy(void *tree) {
    cd_bvtree_destroy((cd_bvtree *)tree);
    free(tree);
}
static double volumes_bytes(const void *tree) {
    return (double)((const cd_bvtree *)tree)->bytes;
}
static bench_answer volumes_pairs(const void *a, const void *b, const bench_posed *meshes) {
    bench_answer answer = {0, 0, 0.0};
    cd_transform pose = pose_of(meshes);
    cd_bvtree_traverse_pairs((const cd_bvtree *)a, (const cd_bvtree *)b, &pose, NULL, add_pair, &answer);
    return answer;
}
static bench_answer volumes_first(const void *a, const void *b, const bench_posed *meshes) {
    bench_answer answer = {0, 0, 0.0};
    cd_transform pose = pose_of(meshes);
    answer.count = cd_bvtree_test_bvtree((const cd_bvtree *)a, (const cd_bvtree *)b, &pose, NULL, NULL);
    return answer;
}
static bench_answer volumes_closest(const void *a, const void *b, const bench_posed *meshes) {
    cd_transform pose = pose_of(meshes);
    cd_closest c;
    bool found =
        cd_bvtree_closest_bvtree((const cd_bvtree *)a, (const cd_bvtree *)b, &pose, CD_REAL_MAX, NULL, &c);
    return answer_of(found, &c);
}

#define BOXES(name, build)                                                                                   \
    {                                                                                                        \
        name, 0, build, boxes_destroy, boxes_bytes, NULL, NULL, NULL, boxes_pairs, boxes_first,              \
            boxes_closest, counters                                                                          \
    }
#define VOLUMES(name, build)                                                                                 \
    {                                                                                                        \
        name, 0, build, volumes_destroy, volumes_bytes, NULL, NULL, NULL, volumes_pairs, volumes_first,      \
            volumes_closest, counters                                                                        \
    }

const bench_tree BENCH_VOLUMES[] = {
    BOXES("boxes-wide", build_wide),
    BOXES("boxes-binary", build_binary),
    VOLUMES("obb", build_obbs),
    VOLUMES("obb-paper", build_obbs_paper),
    VOLUMES("6-dop", build_kdops_6),
    VOLUMES("14-dop", build_kdops_14),
    VOLUMES("18-dop", build_kdops_18),
    VOLUMES("26-dop", build_kdops_26),
    VOLUMES("spheres-pruned", build_spheres_pruned),
    VOLUMES("spheres-octree", build_spheres_octree),
    VOLUMES("spheres-cover", build_spheres_cover),
    {NULL, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
