/* builders: what each way to build a tree takes and gives, on the meshes in the folder BENCH_MESHES (plain OFF), or on made ones.
 *
 * One table instead of one line a measurement: build time (the least of three), cost and overlap (see cd_bvh_stats), depth in
 * binary nodes, bytes a triangle in the three layouts, and random rays a second through the wide one. A build that takes more than
 * 20 seconds is cancelled. */
#include "bench.h"
#include "workloads.h"

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <string.h>

enum { RAYS = 100000 };

static const struct {
    const char *name;
    uint32_t method, optimise;
} builders[] = {{"sah binned", CD_BVH_SAH_BINNED, 0},
                {"sah binned, optimised", CD_BVH_SAH_BINNED, 2},
                {"sah swept", CD_BVH_SAH_SWEPT, 0},
                {"object median", CD_BVH_OBJECT_MEDIAN, 0},
                {"object mean", CD_BVH_OBJECT_MEAN, 0},
                {"spatial median", CD_BVH_SPATIAL_MEDIAN, 0},
                {"box middle", CD_BVH_BOX_MIDDLE, 0},
                {"candidates", CD_BVH_CANDIDATES, 0},
                {"linear", CD_BVH_LINEAR, 0},
                {"linear, optimised", CD_BVH_LINEAR, 2},
                {"bottom up", CD_BVH_BOTTOM_UP, 0},
                {"near linear", CD_BVH_NEAR_LINEAR, 0},
                {"clustered", CD_BVH_CLUSTERED, 0},
                {"inserted", CD_BVH_INSERTED, 0},
                {"inserted, optimised", CD_BVH_INSERTED, 2}};

static bool is_in_time(void *user, float done) {
    (void)done;
    return bench_now() - *(const double *)user < 20.0;
}

/* The time of one build; negative when there was none. */
static double build(cd_bvh *tree, const cd_mesh_view *view, int builder, uint32_t layout) {
    cd_bvh_options o;
    double start = bench_now();
    memset(&o, 0, sizeof o);
    o.method = builders[builder].method;
    o.optimise = builders[builder].optimise;
    o.layout = layout;
    o.executor.user = &start;
    o.executor.progress = is_in_time;
    return cd_bvh_build_mesh(tree, view, &o) == CD_OK ? bench_now() - start : -1.0;
}

/* From all around, toward the middle parts of the mesh. */
static void aim(const cd_bvh *tree, cd_ray *rays) {
    pg_ray *from = (pg_ray *)pg_alloc(RAYS * sizeof *from);
    cd_aabb b = cd_bvh_bounds(tree);
    cd_vec3 middle = cd_vec3_scale(cd_vec3_add(b.min, b.max), (cd_real)0.5);
    cd_real size = cd_vec3_dist(b.min, b.max) * (cd_real)0.5;
    pg_rays_random(RAYS, 11, from);
    for (int i = 0; i < RAYS; ++i) {
        cd_vec3 o = cd_vec3_make((cd_real)from[i].o[0], (cd_real)from[i].o[1], (cd_real)from[i].o[2]);
        rays[i].origin = cd_vec3_along(middle, o, size);
        rays[i].dir = cd_vec3_make((cd_real)from[i].d[0], (cd_real)from[i].d[1], (cd_real)from[i].d[2]);
    }
    free(from);
}

/* Millions a second. */
static double cast(const cd_bvh *tree, const cd_ray *rays, uint64_t *sum) {
    double start = bench_now();
    for (int i = 0; i < RAYS; ++i) {
        cd_hit hit;
        if (cd_bvh_cast_ray(tree, &rays[i], CD_REAL_MAX, NULL, &hit)) *sum += 1 + hit.index;
    }
    return RAYS * 1e-6 / (bench_now() - start);
}

static void measure_builder(const char *mesh, const cd_mesh_view *view, int builder, const cd_ray *rays) {
    cd_bvh tree[3];
    cd_bvh_stats binary;
    double time = build(&tree[0], view, builder, CD_BVH_WIDE), bytes[3];
    uint64_t sum = 0;
    if (time < 0.0) {
        printf("builders\t%s\t%s\ttoo slow\n", mesh, builders[builder].name);
        return;
    }
    for (uint32_t layout = 1; layout < 3; ++layout) {
        double t = build(&tree[layout], view, builder, layout);
        if (t < 0.0) exit(1);
        time = t < time ? t : time;
    }
    for (int layout = 0; layout < 3; ++layout)
        bytes[layout] = (double)tree[layout].bytes / view->triangle_count;
    binary = cd_bvh_get_stats(&tree[CD_BVH_BINARY]);
    printf("builders\t%s\t%s\t%.4g ms\t%.4g\t%.4g\t%u\t%.1f\t%.1f\t%.1f B\t", mesh, builders[builder].name,
           time * 1e3, cd_bvh_get_stats(&tree[0]).cost, cd_bvh_get_stats(&tree[0]).overlap,
           (unsigned)binary.depth, bytes[0], bytes[1], bytes[2]);
    printf("%.3g Mrays/s\t", cast(&tree[0], rays, &sum));
    printf("%llu\n", (unsigned long long)sum);
    fflush(stdout);
    for (int layout = 0; layout < 3; ++layout) cd_bvh_destroy(&tree[layout]);
}

static void measure(const char *mesh, const cd_mesh_view *view) {
    static cd_ray rays[RAYS];
    cd_bvh tree;
    if (build(&tree, view, 0, CD_BVH_WIDE) < 0.0) exit(1);
    aim(&tree, rays);
    cd_bvh_destroy(&tree);
    printf("# %s: %u triangles; build, cost, overlap, depth, bytes a triangle wide, binary, quantised, rays, "
           "checksum\n",
           mesh, (unsigned)view->triangle_count);
    for (int i = 0; i < (int)(sizeof builders / sizeof builders[0]); ++i)
        measure_builder(mesh, view, i, rays);
}

static void measure_made(const char *name, pg_mesh mesh) {
    cd_mesh_view view = cd_mesh_view_make(NULL, (uint32_t)mesh.vertex_count, NULL, 0);
    view.positions = mesh.vertices;
    view.position_format = CD_POSITION_F32;
    view.stride = 0; /* tightly packed, in a double build too */
    view.indices = mesh.triangles;
    view.triangle_count = (uint32_t)mesh.triangle_count;
    measure(name, &view);
    pg_mesh_free(&mesh);
}

/* ---- meshes: plain OFF files of triangles without comments among the numbers ---- */

static bool read_mesh(FILE *f, pg_mesh *m) {
    int corners;
    for (int i = 0; i < m->vertex_count; ++i) {
        if (fscanf(f, "%f %f %f", &m->vertices[i][0], &m->vertices[i][1], &m->vertices[i][2]) != 3)
            return false;
    }
    for (int i = 0; i < m->triangle_count; ++i) {
        int32_t *t = m->triangles[i];
        if (fscanf(f, "%d %d %d %d", &corners, &t[0], &t[1], &t[2]) != 4 || corners != 3) return false;
    }
    return true;
}

static bool measure_file(const char *folder, const char *name) {
    char path[512], word[8] = "";
    int vertices = 0, faces = 0, edges;
    pg_mesh m;
    bool done = false;
    FILE *f;
    snprintf(path, sizeof path, "%s/%s.off", folder, name);
    f = fopen(path, "r");
    if (f && fscanf(f, "%7s %d %d %d", word, &vertices, &faces, &edges) == 4 && !strcmp(word, "OFF")) {
        m = pg_mesh_alloc(vertices, faces);
        done = read_mesh(f, &m);
        if (done) {
            measure_made(name, m);
        } else {
            pg_mesh_free(&m);
        }
    }
    if (f) fclose(f);
    if (!done) printf("# no mesh %s\n", path);
    return done;
}

int main(void) {
    static const char *const meshes[] = {"bunny00",  "armadillo",   "lion-head", "ChineseDragon-10kv",
                                         "elephant", "couplingdown"};
    const char *folder = getenv("BENCH_MESHES"), *quick = getenv("BENCH_QUICK");
    int found = 0;
    for (size_t i = 0; folder && *folder && i < sizeof meshes / sizeof meshes[0]; ++i)
        found += measure_file(folder, meshes[i]);
    if (found == 0) {
        printf("# no real meshes (MESHES=DIR names their folder): made ones instead\n");
        measure_made("blob-17k", pg_blob(38));
        measure_made("soup-17k", pg_soup(17328, 0.05, 5));
        if (!quick || !*quick) measure_made("blob-69k", pg_blob(76));
    }
    return 0;
}
