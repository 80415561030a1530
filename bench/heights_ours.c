/* heights_ours: collide.h's height field, and its trees over the very mesh. */
#include "heights.h"
#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
#include <string.h>

static cd_height_view view_of(const bench_field *f) {
    cd_height_view v;
    memset(&v, 0, sizeof v);
    v.samples = f->samples;
    v.format = CD_HEIGHT_U16;
    v.columns = v.rows = (uint32_t)f->side;
    v.scale = (cd_real)f->scale;
    return v;
}

static cd_bvh *build_heights(const bench_field *f) {
    cd_bvh *tree = (cd_bvh *)malloc(sizeof *tree);
    cd_height_view v = view_of(f);
    if (!tree || cd_bvh_build_heights(tree, &v, NULL) != CD_OK) abort();
    return tree;
}

static void *prepare_heights(const bench_field *f) {
    return build_heights(f);
}

static void *prepare_mesh(const bench_field *f, uint32_t layout) {
    cd_bvh *field = build_heights(f), *tree = (cd_bvh *)malloc(sizeof *tree);
    cd_height_info info = cd_heights_get_info(field);
    cd_vec3 *places = (cd_vec3 *)malloc((size_t)info.columns * info.rows * sizeof *places);
    uint32_t *indices = (uint32_t *)malloc((size_t)info.triangles * 3 * sizeof *indices);
    cd_mesh_view m;
    cd_bvh_options o;
    memset(&o, 0, sizeof o);
    o.layout = layout;
    if (!tree || !places || !indices) abort();
    cd_heights_mesh(field, places, indices, NULL);
    m = cd_mesh_view_make(places, info.columns * info.rows, indices, info.triangles);
    if (cd_bvh_build_mesh(tree, &m, &o) != CD_OK) abort();
    free(places);
    free(indices);
    cd_bvh_destroy(field);
    free(field);
    return tree;
}

static void *prepare_wide(const bench_field *f) {
    return prepare_mesh(f, CD_BVH_WIDE);
}
static void *prepare_compact(const bench_field *f) {
    return prepare_mesh(f, CD_BVH_COMPACT);
}

static void release(void *prepared) {
    cd_bvh_destroy((cd_bvh *)prepared);
    free(prepared);
}

static bench_answer run(const void *prepared, const bench_field_ray *rays, int count) {
    const cd_bvh *tree = (const cd_bvh *)prepared;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_ray r;
        cd_hit hit;
        r.origin = cd_vec3_make((cd_real)rays[i].o[0], (cd_real)rays[i].o[1], (cd_real)rays[i].o[2]);
        r.dir = cd_vec3_make((cd_real)rays[i].d[0], (cd_real)rays[i].d[1], (cd_real)rays[i].d[2]);
        if (!cd_bvh_cast_ray(tree, &r, 1, NULL, &hit)) continue;
        ++a.count;
        a.distance_sum += (double)hit.t;
    }
    return a;
}

static double bytes_of(const void *prepared) {
    const cd_bvh *tree = (const cd_bvh *)prepared;
    return (double)tree->bytes / (double)cd_bvh_count(tree);
}

const bench_heights BENCH_HEIGHTS[] = {
    {BENCH_NAME, prepare_heights, release, run, bytes_of},
    {BENCH_NAME "-mesh", prepare_wide, release, run, bytes_of},
    {BENCH_NAME "-mesh-compact", prepare_compact, release, run, bytes_of},
    {NULL, NULL, NULL, NULL, NULL},
};
