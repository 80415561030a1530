/* refit_ours: this library, with one set of flags: BENCH_NAME is what the lines call it, BENCH_REFIT names the table. */
#include "refit.h"

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <string.h>

static cd_mesh_view view_of(const pg_mesh *mesh) {
    cd_mesh_view view = cd_mesh_view_make(NULL, (uint32_t)mesh->vertex_count, NULL, 0);
    view.positions = mesh->vertices;
    view.position_format = CD_POSITION_F32;
    view.stride = 0; /* tightly packed, in a double build too */
    view.indices = mesh->triangles;
    view.triangle_count = (uint32_t)mesh->triangle_count;
    return view;
}

static void must(cd_status status) {
    if (status == CD_OK) return;
    fprintf(stderr, "bench: a build or refit failed\n");
    exit(1);
}

static void build(cd_bvh *tree, const pg_mesh *mesh, uint32_t method) {
    cd_mesh_view view = view_of(mesh);
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.method = method;
    must(cd_bvh_build_mesh(tree, &view, &o));
}

static void *make(const pg_mesh *mesh) {
    cd_bvh *tree = (cd_bvh *)pg_alloc(sizeof *tree);
    build(tree, mesh, CD_BVH_SAH_BINNED);
    return tree;
}

static void destroy(void *tree) {
    cd_bvh_destroy((cd_bvh *)tree);
    free(tree);
}

static void refit(void *tree, const pg_mesh *mesh) {
    cd_mesh_view view = view_of(mesh);
    must(cd_bvh_refit_mesh((cd_bvh *)tree, &view, NULL, NULL));
}

static void refit_in_place(void *tree, const pg_mesh *mesh) {
    cd_mesh_view view = view_of(mesh);
    cd_bvh_refit_options o;
    memset(&o, 0, sizeof o);
    o.flags = CD_BVH_REFIT_IN_PLACE;
    must(cd_bvh_refit_mesh((cd_bvh *)tree, &view, &o, NULL));
}

static void build_anew(void *tree, const pg_mesh *mesh) {
    cd_bvh_destroy((cd_bvh *)tree);
    build((cd_bvh *)tree, mesh, CD_BVH_SAH_BINNED);
}

static void build_linear(void *tree, const pg_mesh *mesh) {
    cd_bvh_destroy((cd_bvh *)tree);
    build((cd_bvh *)tree, mesh, CD_BVH_LINEAR);
}

static bench_answer closest_hit(const void *tree, const pg_ray *rays, int count) {
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_ray ray;
        cd_hit hit;
        ray.origin = cd_vec3_make((cd_real)rays[i].o[0], (cd_real)rays[i].o[1], (cd_real)rays[i].o[2]);
        ray.dir = cd_vec3_make((cd_real)rays[i].d[0], (cd_real)rays[i].d[1], (cd_real)rays[i].d[2]);
        a.count += cd_bvh_cast_ray((const cd_bvh *)tree, &ray, CD_REAL_MAX, NULL, &hit);
    }
    return a;
}

const bench_refit BENCH_REFIT[BENCH_REFIT_OURS] = {
    {BENCH_NAME "-refit", make, refit, destroy, closest_hit},
    {BENCH_NAME "-in-place", make, refit_in_place, destroy, closest_hit},
    {BENCH_NAME "-built-anew", make, build_anew, destroy, closest_hit},
    {BENCH_NAME "-linear-anew", make, build_linear, destroy, closest_hit},
};
