/* tree: bounding volume hierarchies over meshes, and the kernels they are made of.
 *
 * Every mesh is searched by all implementations in turn. BENCH_QUICK leaves the meshes of a million triangles out. */
#include "peers.h"

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h" /* for the pose of a mesh only; what is measured is in the other files */

static const char *const area = "tree";

static const bench_tree *const trees[] = {
    &bench_tree_ours_o2,
#ifdef BENCH_NATIVE
    &bench_tree_ours_native, &bench_tree_ours_binary,   &bench_tree_ours_quantised, &bench_tree_ours_compact,
#endif
#ifdef BENCH_EMBREE
    &bench_tree_embree,      &bench_tree_embree_robust,
#endif
#ifdef BENCH_CGAL
    &bench_tree_cgal,
#endif
#ifdef BENCH_FCL
    &bench_tree_fcl,
#endif
    &bench_tree_naive,       &bench_tree_ours_counted};
static const bench_kernels *const kernels[] = {&bench_kernels_ours_o2,
#ifdef BENCH_NATIVE
                                               &bench_kernels_ours_native,
#endif
#ifdef BENCH_CGAL
                                               &bench_kernels_cgal,
#endif
                                               &bench_kernels_naive};

#define TREES   ((int)(sizeof trees / sizeof trees[0]))
#define KERNELS ((int)(sizeof kernels / sizeof kernels[0]))

/* A mesh, what it is called, how much is asked of it, and how much work that is (see slowness). */
typedef struct mesh_case {
    const char *name;
    pg_mesh mesh;
    int camera_side, random_rays, points;
    int weight; /* 0 small, 1 middling, 2 heavy */
} mesh_case;

/* One query of one implementation: what bench_measure runs. */
typedef struct tree_task {
    const bench_tree *tree;
    const mesh_case *mesh;
    void *built, *built_b;
    const pg_ray *rays;
    const float (*points)[3];
    const bench_posed *posed;
    int count;
} tree_task;

/* ---- what is timed ---- */

static bench_answer run_build(void *ctx) {
    tree_task *t = (tree_task *)ctx;
    bench_answer a = {0, 0, 0.0};
    t->built = t->tree->build(&t->mesh->mesh);
    a.count = (uint64_t)t->mesh->mesh.triangle_count;
    return a;
}

static void after_build(void *ctx) {
    tree_task *t = (tree_task *)ctx;
    t->tree->destroy(t->built);
    t->built = NULL;
}

static bench_answer run_closest_hit(void *ctx) {
    const tree_task *t = (const tree_task *)ctx;
    return t->tree->closest_hit(t->built, t->rays, t->count);
}

static bench_answer run_any_hit(void *ctx) {
    const tree_task *t = (const tree_task *)ctx;
    return t->tree->any_hit(t->built, t->rays, t->count);
}

static bench_answer run_closest_point(void *ctx) {
    const tree_task *t = (const tree_task *)ctx;
    return t->tree->closest_point(t->built, t->points, t->count);
}

static bench_answer run_pairs(void *ctx) {
    const tree_task *t = (const tree_task *)ctx;
    return t->tree->pairs(t->built, t->built_b, t->posed);
}

static bench_answer run_first_pair(void *ctx) {
    const tree_task *t = (const tree_task *)ctx;
    return t->tree->first_pair(t->built, t->built_b, t->posed);
}

static bench_answer run_closest_pair(void *ctx) {
    const tree_task *t = (const tree_task *)ctx;
    return t->tree->closest_pair(t->built, t->built_b, t->posed);
}

/* ---- one case for all implementations ---- */

typedef struct tree_case {
    const char *name;
    bench_unit unit;
    bench_answer (*run)(void *ctx);
    void (*after)(void *ctx);
} tree_case;

static int is_quick_enough(const tree_case *c, const tree_task *t) {
    int is_rays = c->run == run_closest_hit || c->run == run_any_hit;
    if (t->tree->slowness == 2) return t->mesh->weight == 0 && c->run != run_build;
    return !(t->tree->slowness == 1 && t->mesh->weight == 2 && is_rays);
}

/* Is there such a query in the implementation, and is it up to the size? */
static int can_run(const tree_case *c, const tree_task *t) {
    if (!is_quick_enough(c, t)) return 0;
    if (c->run == run_closest_hit) return t->tree->closest_hit != NULL;
    if (c->run == run_any_hit) return t->tree->any_hit != NULL;
    if (c->run == run_closest_point) return t->tree->closest_point != NULL;
    if (c->run == run_pairs) return t->tree->pairs != NULL;
    if (c->run == run_first_pair) return t->tree->first_pair != NULL;
    if (c->run == run_closest_pair) return t->tree->closest_pair != NULL;
    return 1;
}

/* Nodes and triangles looked at, for one of the case's items. */
static void count_work(const tree_case *c, const char *label, tree_task *t, double items) {
    uint64_t nodes, triangles;
    char name[96], checksum[64];
    bench_answer a;
    t->tree->counters(&nodes, &triangles);
    a = c->run(t);
    t->tree->counters(&nodes, &triangles);
    bench_checksum(&a, checksum, sizeof checksum);
    snprintf(name, sizeof name, "%s/nodes", label);
    bench_line(area, name, "ours", (double)nodes / items, "per item", checksum);
    snprintf(name, sizeof name, "%s/triangles", label);
    bench_line(area, name, "ours", (double)triangles / items, "per item", checksum);
}

static void run_case(const tree_case *c, tree_task *tasks, double items) {
    bench_job jobs[TREES];
    tree_task *counted = NULL;
    char label[80];
    int count = 0;
    snprintf(label, sizeof label, "%s/%s", tasks[0].mesh->name, c->name);
    for (int i = 0; i < TREES; ++i) {
        if (!can_run(c, &tasks[i])) continue;
        if (tasks[i].tree->counters) {
            counted = &tasks[i];
            continue;
        }
        jobs[count].implementation = tasks[i].tree->name;
        jobs[count].run = c->run;
        jobs[count].after = c->after;
        jobs[count++].ctx = &tasks[i];
    }
    bench_measure(area, label, c->unit, items, jobs, count);
    if (counted && c->run != run_build) count_work(c, label, counted, items);
}

/* ---- one mesh ---- */

static void tasks_begin(tree_task *tasks, const mesh_case *mesh) {
    memset(tasks, 0, TREES * sizeof *tasks);
    for (int i = 0; i < TREES; ++i) {
        tasks[i].tree = trees[i];
        tasks[i].mesh = mesh;
    }
}

static void bench_builds(tree_task *tasks) {
    tree_case build = {"build", bench_ms, run_build, after_build};
    run_case(&build, tasks, 1.0);
    for (int i = 0; i < TREES; ++i) {
        char label[80], checksum[32];
        const pg_mesh *m = &tasks[i].mesh->mesh;
        tasks[i].built = tasks[i].tree->build(m);
        if (tasks[i].tree->slowness == 2 || tasks[i].tree->counters) continue;
        snprintf(label, sizeof label, "%s/memory", tasks[i].mesh->name);
        snprintf(checksum, sizeof checksum, "%d:0", m->triangle_count);
        bench_line(area, label, tasks[i].tree->name, tasks[i].tree->bytes(tasks[i].built) / m->triangle_count,
                   "B/triangle", checksum);
    }
}

static void bench_rays(tree_task *tasks, const pg_ray *rays, int count, const tree_case *c) {
    for (int i = 0; i < TREES; ++i) {
        tasks[i].rays = rays;
        tasks[i].count = count;
    }
    run_case(c, tasks, (double)count);
}

static void bench_all_rays(tree_task *tasks) {
    tree_case camera = {"closest-camera", bench_mrays, run_closest_hit, NULL};
    tree_case random_rays = {"closest-random", bench_mrays, run_closest_hit, NULL};
    tree_case any = {"any-camera", bench_mrays, run_any_hit, NULL};
    const mesh_case *m = tasks[0].mesh;
    int count = m->camera_side * m->camera_side;
    pg_ray *rays = (pg_ray *)pg_alloc((size_t)count * sizeof *rays);
    pg_ray *random = (pg_ray *)pg_alloc((size_t)m->random_rays * sizeof *random);
    pg_rays_camera(m->camera_side, m->camera_side, rays);
    pg_rays_random(m->random_rays, 11, random);
    bench_rays(tasks, rays, count, &camera);
    bench_rays(tasks, random, m->random_rays, &random_rays);
    bench_rays(tasks, rays, count, &any);
    free(rays);
    free(random);
}

static void bench_points(tree_task *tasks) {
    tree_case c = {"closest-point", bench_us, run_closest_point, NULL};
    int count = tasks[0].mesh->points;
    float(*points)[3] = (float(*)[3])pg_alloc((size_t)count * sizeof *points);
    pg_points(PG_IN_CUBE, count, 12, points);
    for (int i = 0; i < TREES; ++i) {
        tasks[i].points = (const float(*)[3])points;
        tasks[i].count = count;
    }
    run_case(&c, tasks, (double)count);
    free(points);
}

/* ---- a mesh against itself, displaced ---- */

static cd_transform pose_of(const bench_posed *posed) {
    cd_transform t;
    t.rotation.x = (cd_real)posed->q[0];
    t.rotation.y = (cd_real)posed->q[1];
    t.rotation.z = (cd_real)posed->q[2];
    t.rotation.w = (cd_real)posed->q[3];
    t.position = cd_vec3_make((cd_real)posed->p[0], (cd_real)posed->p[1], (cd_real)posed->p[2]);
    return t;
}

static void pose_vertices(const bench_posed *posed, const pg_mesh *from, pg_mesh *to) {
    cd_transform t = pose_of(posed);
    for (int i = 0; i < from->vertex_count; ++i) {
        const float *v = from->vertices[i];
        cd_vec3 p = cd_transform_point(&t, cd_vec3_make((cd_real)v[0], (cd_real)v[1], (cd_real)v[2]));
        to->vertices[i][0] = (float)p.x;
        to->vertices[i][1] = (float)p.y;
        to->vertices[i][2] = (float)p.z;
    }
}

static void bench_pose(tree_task *tasks, int pose, pg_mesh *scratch) {
    bench_posed posed;
    char all_name[32], first_name[32];
    tree_case all = {all_name, bench_ms, run_pairs, NULL},
              first = {first_name, bench_us, run_first_pair, NULL};
    posed.a = posed.b = &tasks[0].mesh->mesh;
    posed.b_posed = scratch;
    pg_meshpose(pose, posed.q, posed.p);
    pose_vertices(&posed, posed.b, scratch);
    for (int i = 0; i < TREES; ++i) {
        tasks[i].posed = &posed;
        tasks[i].built_b = tasks[i].built;
    }
    snprintf(all_name, sizeof all_name, "pairs-%g", pg_mesh_offset[pose]);
    snprintf(first_name, sizeof first_name, "first-pair-%g", pg_mesh_offset[pose]);
    run_case(&all, tasks, 1.0);
    run_case(&first, tasks, 1.0);
}

/* The distance to itself, as far again as pg_meshpose puts it. */
static void bench_apart(tree_task *tasks, int pose) {
    bench_posed posed;
    char name[32];
    tree_case c = {name, bench_us, run_closest_pair, NULL};
    posed.a = posed.b = posed.b_posed = &tasks[0].mesh->mesh;
    pg_meshpose(pose, posed.q, posed.p);
    for (int k = 0; k < 3; ++k) posed.p[k] *= 2.0f;
    for (int i = 0; i < TREES; ++i) {
        tasks[i].posed = &posed;
        tasks[i].built_b = tasks[i].built;
    }
    snprintf(name, sizeof name, "closest-pair-%g", 2.0 * pg_mesh_offset[pose]);
    run_case(&c, tasks, 1.0);
}

static void bench_poses(tree_task *tasks) {
    static const int poses[] = {0, 1, 2, 4};
    const pg_mesh *m = &tasks[0].mesh->mesh;
    pg_mesh scratch = pg_mesh_alloc(m->vertex_count, m->triangle_count);
    memcpy(scratch.triangles, m->triangles, (size_t)m->triangle_count * sizeof *m->triangles);
    for (size_t i = 0; i < sizeof poses / sizeof poses[0]; ++i) bench_pose(tasks, poses[i], &scratch);
    pg_mesh_free(&scratch);
    bench_apart(tasks, 4);
    bench_apart(tasks, 7);
}

static void bench_mesh(mesh_case *m, int with_poses) {
    tree_task tasks[TREES];
    tasks_begin(tasks, m);
    bench_builds(tasks);
    bench_all_rays(tasks);
    bench_points(tasks);
    if (with_poses) bench_poses(tasks);
    for (int i = 0; i < TREES; ++i) tasks[i].tree->destroy(tasks[i].built);
    pg_mesh_free(&m->mesh);
}

/* ---- kernels ---- */

typedef struct kernel_task {
    const bench_kernels *kernels;
    const float (*pairs)[18];
    const float (*boxes)[6];
    const pg_ray *rays;
    int count;
} kernel_task;

static bench_answer run_triangle_triangle(void *ctx) {
    const kernel_task *t = (const kernel_task *)ctx;
    return t->kernels->triangle_triangle(t->pairs, t->count);
}

static bench_answer run_ray_triangle(void *ctx) {
    const kernel_task *t = (const kernel_task *)ctx;
    return t->kernels->ray_triangle(t->pairs, t->rays, t->count);
}

static bench_answer run_ray_box(void *ctx) {
    const kernel_task *t = (const kernel_task *)ctx;
    return t->kernels->ray_box(t->boxes, t->rays, t->count);
}

static void run_kernel(const char *name, bench_answer (*run)(void *ctx), const kernel_task *inputs) {
    kernel_task tasks[KERNELS];
    bench_job jobs[KERNELS];
    for (int i = 0; i < KERNELS; ++i) {
        tasks[i] = *inputs;
        tasks[i].kernels = kernels[i];
        jobs[i].implementation = kernels[i]->name;
        jobs[i].run = run;
        jobs[i].after = NULL;
        jobs[i].ctx = &tasks[i];
    }
    bench_measure(area, name, bench_ns, (double)inputs->count, jobs, KERNELS);
}

/* The ray from corner 0 of the second triangle through its corner 1, and the box of the first triangle. */
static void ray_and_box(const float pair[18], pg_ray *ray, float box[6]) {
    for (int k = 0; k < 3; ++k) {
        ray->o[k] = pair[9 + k];
        ray->d[k] = pair[12 + k] - pair[9 + k];
        box[k] = box[3 + k] = pair[k];
        for (int corner = 1; corner < 3; ++corner) {
            float x = pair[3 * corner + k];
            box[k] = x < box[k] ? x : box[k];
            box[3 + k] = x > box[3 + k] ? x : box[3 + k];
        }
    }
}

static void bench_all_kernels(void) {
    int count = 1 << 17;
    float(*pairs)[18] = (float(*)[18])pg_alloc((size_t)count * sizeof *pairs);
    float(*boxes)[6] = (float(*)[6])pg_alloc((size_t)count * sizeof *boxes);
    pg_ray *rays = (pg_ray *)pg_alloc((size_t)count * sizeof *rays);
    kernel_task inputs = {NULL, (const float(*)[18])pairs, (const float(*)[6])boxes, rays, count};
    pg_tripairs(PG_GENERAL_PAIRS, count, 800, pairs);
    for (int i = 0; i < count; ++i) ray_and_box(pairs[i], &rays[i], boxes[i]);
    run_kernel("triangle-triangle-general", run_triangle_triangle, &inputs);
    run_kernel("ray-triangle", run_ray_triangle, &inputs);
    run_kernel("ray-box", run_ray_box, &inputs);
    pg_tripairs(PG_INTEGER_PAIRS, count, 801, pairs);
    run_kernel("triangle-triangle-touching", run_triangle_triangle, &inputs);
    free(rays);
    free(boxes);
    free(pairs);
}

/* ---- all of it ---- */

/* Inputs that are not those of everyone else's tables make numbers that cannot be compared. */
static void check_input(const mesh_case *m, uint64_t expected) {
    uint64_t sum = pg_fnv(m->mesh.vertices, (size_t)m->mesh.vertex_count * sizeof *m->mesh.vertices);
    if (sum != expected) {
        printf("# %s: not the usual input; compile with -ffp-contract=off\n", m->name);
    }
}

static void bench_small(void) {
    mesh_case m = {"blob3k", pg_blob(16), 48, 2048, 1024, 0};
    bench_mesh(&m, 1);
}

static void bench_large(const char *name, pg_mesh mesh, uint64_t checksum, int weight) {
    mesh_case m = {name, mesh, 512, 262144, 16384, weight};
    check_input(&m, checksum);
    bench_mesh(&m, weight < 2);
}

static int is_quick(void) {
    const char *quick = getenv("BENCH_QUICK");
    return quick && *quick;
}

int main(void) {
    bench_all_kernels();
    bench_small();
    bench_large("blob69k", pg_blob(76), 0x0B3A8375F15EF175u, 1);
    bench_large("soup69k", pg_soup(69312, 0.03, 7), 0x72833F426A01563Fu, 2);
    if (is_quick()) return 0;
    bench_large("blob1M", pg_blob(289), 0xE5FEE38FC2DABA87u, 2);
    bench_large("soup1M", pg_soup(1002252, 0.0125, 8), 0x4CDF26A3A4A0D4CEu, 2);
    return 0;
}
