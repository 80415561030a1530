/* growth: what time and memory become as meshes grow, from a thousand to ten million triangles.
 *
 * One mesh at a time: a closed bumpy one (blob) and separate triangles (soup), as peers.h's trees are asked everywhere. Large
 * builds are timed fewer times than others, ten million once. What two threads take is the time of a clock on the wall, of
 * one build by the calling thread and a helper; everything else is CPU time. Two tables at the end say it again, a size a row.
 *
 * Arguments are the names of the meshes wanted, as blob1e5; all where there are none. BENCH_QUICK stops at 10^5. */
#include "peers.h"

#include <pthread.h>

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

static const char *const area = "growth";

enum { RAYS_SIDE = 256, RAYS = RAYS_SIDE * RAYS_SIDE, POINTS = 8192, CASTS = 256, CHECKED = 1000, POSE = 1 };

/* A blob of that size, or a soup of that many triangles whose size keeps as many of them meeting. */
typedef struct growth_mesh {
    const char *name;
    int blob, soup, is_large;
    double soup_size;
} growth_mesh;

static const growth_mesh meshes[] = {{"blob1e3", 9, 0, 0, 0.0},          {"blob1e4", 29, 0, 0, 0.0},
                                     {"blob1e5", 91, 0, 0, 0.0},         {"blob1e6", 289, 0, 1, 0.0},
                                     {"blob1e7", 913, 0, 1, 0.0},        {"soup1e3", 0, 1000, 0, 0.12323},
                                     {"soup1e4", 0, 10000, 0, 0.05720},  {"soup1e5", 0, 100000, 0, 0.02655},
                                     {"soup1e6", 0, 1000000, 1, 0.0125}, {"soup1e7", 0, 10000000, 1, 0.0058}};

enum { MESHES = sizeof meshes / sizeof meshes[0] };

/* What the tables at the end show; those of the peer follow in the same order from PEER on. */
typedef enum growth_column {
    BUILD,
    CAMERA,
    RANDOM,
    ANY,
    CLOSEST,
    PEER,
    BUILD_TWO = PEER + PEER,
    LINEAR,
    LINEAR_TWO,
    CHECK,
    PEAK,
    WIDE,
    QUANTISED,
    INDEXED,
    NODES,
    TRIANGLES,
    PAIRS,
    FIRST,
    BALL,
    CAPSULE,
    BOX,
    COLUMNS
} growth_column;

typedef struct growth_row {
    const growth_mesh *mesh;
    int triangles;
    double value[COLUMNS]; /* 0: not measured */
} growth_row;

/* ---- two threads: the caller and a helper take tasks in turn ---- */

typedef struct pool {
    pthread_t helper;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    void (*task)(void *ctx, uint32_t i);
    void *ctx;
    uint32_t next, count, done;
    bool ends;
} pool;

/* Takes tasks until there are none; the lock is held before and after. */
static void pool_work(pool *p) {
    while (p->next < p->count) {
        uint32_t i = p->next++;
        pthread_mutex_unlock(&p->lock);
        p->task(p->ctx, i);
        pthread_mutex_lock(&p->lock);
        ++p->done;
    }
    pthread_cond_broadcast(&p->changed);
}

static void *pool_helper(void *user) {
    pool *p = (pool *)user;
    pthread_mutex_lock(&p->lock);
    while (!p->ends) {
        pool_work(p);
        if (!p->ends) pthread_cond_wait(&p->changed, &p->lock);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

static void pool_run(void *user, uint32_t count, void (*task)(void *ctx, uint32_t i), void *ctx) {
    pool *p = (pool *)user;
    pthread_mutex_lock(&p->lock);
    p->task = task;
    p->ctx = ctx;
    p->next = p->done = 0;
    p->count = count;
    pthread_cond_broadcast(&p->changed);
    pool_work(p);
    while (p->done < p->count) pthread_cond_wait(&p->changed, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static void pool_begin(pool *p) {
    memset(p, 0, sizeof *p);
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->changed, NULL);
    if (pthread_create(&p->helper, NULL, pool_helper, p)) exit(1);
}

static void pool_end(pool *p) {
    pthread_mutex_lock(&p->lock);
    p->ends = true;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->helper, NULL);
    pthread_cond_destroy(&p->changed);
    pthread_mutex_destroy(&p->lock);
}

/* ---- memory that is counted ---- */

/* Beyond what was taken before. */
typedef struct count_memory {
    size_t now, before, peak;
} count_memory;

static void *counted_alloc(void *user, size_t size, size_t align) {
    count_memory *m = (count_memory *)user;
    unsigned char *raw = (unsigned char *)malloc(size + align), *given;
    if (!raw) return NULL;
    given = raw + align - (uintptr_t)raw % align;
    given[-1] = (unsigned char)(given - raw);
    m->now += size;
    if (m->peak < m->now - m->before) m->peak = m->now - m->before;
    return given;
}

static void counted_free(void *user, void *p, size_t size) {
    unsigned char *given = (unsigned char *)p;
    ((count_memory *)user)->now -= size;
    free(given - given[-1]);
}

/* ---- building ---- */

static cd_mesh_view view_of(const pg_mesh *mesh) {
    cd_mesh_view view = cd_mesh_view_make(NULL, (uint32_t)mesh->vertex_count, NULL, 0);
    view.positions = mesh->vertices;
    view.position_format = CD_POSITION_F32;
    view.stride = 0; /* tightly packed, in a double build too */
    view.indices = mesh->triangles;
    view.triangle_count = (uint32_t)mesh->triangle_count;
    return view;
}

/* One way to build: by options, or by a tree of peers.h's. The last that was built is kept. */
typedef struct builder {
    const pg_mesh *mesh;
    const bench_tree *peer;
    cd_bvh_options options;
    count_memory memory;
    void *built, *kept;
} builder;

static bench_answer run_build(void *ctx) {
    builder *b = (builder *)ctx;
    bench_answer a = {0, 0, 0.0};
    if (b->peer) {
        b->built = b->peer->build(b->mesh);
    } else {
        cd_mesh_view view = view_of(b->mesh);
        b->built = pg_alloc(sizeof(cd_bvh));
        b->memory.before = b->memory.now;
        b->memory.peak = 0;
        if (cd_bvh_build_mesh((cd_bvh *)b->built, &view, &b->options) != CD_OK) {
            fprintf(stderr, "bench: the build failed\n");
            exit(1);
        }
    }
    a.count = (uint64_t)b->mesh->triangle_count;
    return a;
}

static void drop_kept(builder *b) {
    if (b->kept && b->peer) b->peer->destroy(b->kept);
    if (b->kept && !b->peer) {
        cd_bvh_destroy((cd_bvh *)b->kept);
        free(b->kept);
    }
    b->kept = NULL;
}

static void after_build(void *ctx) {
    builder *b = (builder *)ctx;
    drop_kept(b);
    b->kept = b->built;
}

static builder builder_of(const pg_mesh *mesh, uint32_t method) {
    builder b;
    memset(&b, 0, sizeof b);
    b.mesh = mesh;
    b.options.method = method;
    return b;
}

/* ---- measuring: as bench_measure, for about so many seconds ---- */

static int runs_within(double seconds, double once) {
    double runs = seconds / once;
    return runs > BENCH_RUNS ? BENCH_RUNS : runs < 1.0 ? 1 : (int)runs;
}

static double best_of(const double *times, int runs) {
    double best = times[0];
    for (int i = 1; i < runs; ++i) best = times[i] < best ? times[i] : best;
    return best;
}

/* Where a case is too slow for more than one run, its first run, which is otherwise not counted, is all. `best` takes a value
 * for each job. */
static void measure(const growth_row *row, const char *what, bench_unit unit, double items,
                    const bench_job *jobs, int count, double *best) {
    static double times[BENCH_JOBS][BENCH_RUNS];
    bench_answer answers[BENCH_JOBS];
    int repeats[BENCH_JOBS], runs;
    double sum = 0.0;
    char label[80];
    for (int j = 0; j < count; ++j) {
        times[j][0] = bench_sample(&jobs[j], 1, &answers[j]);
        repeats[j] = bench_repeats(&jobs[j], times[j][0]);
        sum += times[j][0] * repeats[j];
    }
    runs = runs_within(1.5, sum);
    for (int i = 0; i < runs && runs > 1; ++i) {
        for (int j = 0; j < count; ++j) times[j][i] = bench_sample(&jobs[j], repeats[j], &answers[j]);
    }
    snprintf(label, sizeof label, "%s/%s", row->mesh->name, what);
    for (int j = 0; j < count; ++j) {
        best[j] = bench_value(&unit, items, best_of(times[j], runs));
        bench_report(area, label, &jobs[j], &unit, items, times[j], runs, &answers[j]);
    }
    fflush(stdout);
}

static void tell(const growth_row *row, const char *what, const char *who, double value, const char *unit) {
    char label[80], checksum[32];
    snprintf(label, sizeof label, "%s/%s", row->mesh->name, what);
    snprintf(checksum, sizeof checksum, "%d:0", row->triangles);
    bench_line(area, label, who, value, unit, checksum);
    fflush(stdout);
}

static double wall_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Nanoseconds a triangle by the clock on the wall, of two threads. */
static double build_by_two(const growth_row *row, const pg_mesh *mesh, uint32_t method, const char *what) {
    builder b = builder_of(mesh, method);
    double times[BENCH_RUNS], ns = 1e9 / mesh->triangle_count, start;
    int runs = 1;
    pool two;
    pool_begin(&two);
    b.options.executor.user = &two;
    b.options.executor.run = pool_run;
    for (int i = 0; i < runs; ++i) {
        start = wall_now();
        run_build(&b);
        times[i] = wall_now() - start;
        after_build(&b);
        if (i == 0) runs = runs_within(1.0, times[0]);
    }
    drop_kept(&b);
    pool_end(&two);
    tell(row, what, "ours-O2", best_of(times, runs) * ns, "ns/triangle");
    return best_of(times, runs) * ns;
}

/* ---- builds ---- */

static bench_job job_of(const char *name, builder *b) {
    bench_job job;
    job.implementation = name;
    job.run = run_build;
    job.after = after_build;
    job.ctx = b;
    return job;
}

static const bench_unit ns_each = {"ns/triangle", 1e9, 0};

/* Leaves our tree and the peer's; the memory of ours is counted. */
static void bench_builds(growth_row *row, const pg_mesh *mesh, builder *ours, builder *embree) {
    builder linear = builder_of(mesh, CD_BVH_LINEAR), native = builder_of(mesh, 0);
    bench_job jobs[3];
    double best[3];
    int count = 0;
    jobs[count++] = job_of("ours-O2", ours);
#ifdef BENCH_EMBREE
    embree->peer = &bench_tree_embree;
    jobs[count++] = job_of("embree", embree);
#else
    (void)embree;
#endif
#ifdef BENCH_NATIVE
    native.peer = &bench_tree_ours_native;
    jobs[count] = job_of("ours-native", &native);
    count += mesh->triangle_count <= 1100000;
#endif
    measure(row, "build", ns_each, mesh->triangle_count, jobs, count, best);
    drop_kept(&native);
    row->value[BUILD] = best[0];
#ifdef BENCH_EMBREE
    row->value[PEER + BUILD] = best[1];
#endif
    jobs[0] = job_of("ours-O2", &linear);
    measure(row, "build-linear", ns_each, mesh->triangle_count, jobs, 1, &row->value[LINEAR]);
    drop_kept(&linear);
    row->value[BUILD_TWO] = build_by_two(row, mesh, CD_BVH_SAH_BINNED, "build-two-threads");
    row->value[LINEAR_TWO] = build_by_two(row, mesh, CD_BVH_LINEAR, "build-linear-two-threads");
}

/* ---- the tree's size, and whether other trees give the same answers ---- */

static uint64_t answers_of(const cd_bvh *tree, const pg_ray *rays) {
    return bench_tree_ours_o2.closest_hit(tree, rays, CHECKED).index_sum;
}

/* Another tree over the same mesh: bytes a triangle; the first rays find the same. */
static double bytes_of(const growth_row *row, const char *what, cd_bvh *other, const cd_bvh *wide,
                       const pg_ray *rays) {
    double bytes = (double)other->bytes / row->triangles;
    if (answers_of(other, rays) != answers_of(wide, rays)) printf("# %s: other answers\n", what);
    cd_bvh_destroy(other);
    tell(row, what, "ours", bytes, "B/triangle");
    return bytes;
}

static void bench_bytes(growth_row *row, const pg_mesh *mesh, const cd_bvh *wide, size_t peak,
                        const pg_ray *rays) {
    builder indexed = builder_of(mesh, CD_BVH_SAH_BINNED);
    cd_bvh other;
    row->value[PEAK] = (double)peak / mesh->triangle_count;
    row->value[WIDE] = (double)wide->bytes / mesh->triangle_count;
    tell(row, "peak of the build", "ours", row->value[PEAK], "B/triangle");
    tell(row, "wide", "ours", row->value[WIDE], "B/triangle");
    if (cd_bvh_convert(&other, wide, CD_BVH_QUANTISED, NULL) != CD_OK) exit(1);
    row->value[QUANTISED] = bytes_of(row, "quantised", &other, wide, rays);
    indexed.options.flags = CD_BVH_INDEXED;
    run_build(&indexed);
    other = *(cd_bvh *)indexed.built;
    free(indexed.built);
    row->value[INDEXED] = bytes_of(row, "indexed", &other, wide, rays);
}

/* ---- queries ---- */

/* What is asked, and whom: each of peers.h's, with its tree. */
typedef struct asker {
    const bench_tree *of;
    const void *built;
    const struct question *question;
} asker;

typedef struct question {
    const char *name;
    growth_column column;
    bench_unit unit;
    int items;
    bench_answer (*ask)(const asker *a);
    const pg_ray *rays;
    const float (*points)[3];
    const bench_posed *posed;
    const pg_cast *casts;
} question;

static bench_answer ask_closest_hit(const asker *a) {
    return a->of->closest_hit(a->built, a->question->rays, a->question->items);
}

static bench_answer ask_any_hit(const asker *a) {
    return a->of->any_hit(a->built, a->question->rays, a->question->items);
}

static bench_answer ask_closest_point(const asker *a) {
    return a->of->closest_point(a->built, a->question->points, a->question->items);
}

static bench_answer ask_pairs(const asker *a) {
    return a->of->pairs(a->built, a->built, a->question->posed);
}

static bench_answer ask_first_pair(const asker *a) {
    return a->of->first_pair(a->built, a->built, a->question->posed);
}

static bench_answer run_question(void *ctx) {
    const asker *a = (const asker *)ctx;
    return a->question->ask(a);
}

/* Nodes and triangles looked at. */
static void count_work(growth_row *row, const question *q, const cd_bvh *tree) {
    uint64_t nodes, triangles;
    char name[64];
    asker a;
    a.of = &bench_tree_ours_counted;
    a.built = tree;
    a.question = q;
    a.of->counters(&nodes, &triangles);
    q->ask(&a);
    a.of->counters(&nodes, &triangles);
    snprintf(name, sizeof name, "%s/nodes", q->name);
    tell(row, name, "ours", (double)nodes / q->items, "per item");
    snprintf(name, sizeof name, "%s/triangles", q->name);
    tell(row, name, "ours", (double)triangles / q->items, "per item");
    if (q->column != RANDOM) return;
    row->value[NODES] = (double)nodes / q->items;
    row->value[TRIANGLES] = (double)triangles / q->items;
}

/* Ours are asked about one tree, with whatever flags they were compiled. */
static void ask_all(growth_row *row, const question *q, const cd_bvh *tree, const void *embree) {
    asker askers[3];
    bench_job jobs[3];
    double best[3];
    int count = 0, peer = 0;
    askers[count].of = &bench_tree_ours_o2;
    askers[count++].built = tree;
    if (embree && q->column < PEER) {
        peer = count;
#ifdef BENCH_EMBREE
        askers[count].of = &bench_tree_embree;
        askers[count++].built = embree;
#endif
    }
#ifdef BENCH_NATIVE
    askers[count].of = &bench_tree_ours_native;
    askers[count++].built = tree;
#endif
    for (int j = 0; j < count; ++j) {
        askers[j].question = q;
        jobs[j].implementation = askers[j].of->name;
        jobs[j].run = run_question;
        jobs[j].after = NULL;
        jobs[j].ctx = &askers[j];
    }
    measure(row, q->name, q->unit, q->items, jobs, count, best);
    row->value[q->column] = best[0];
    if (peer) row->value[PEER + q->column] = best[peer];
    count_work(row, q, tree);
}

static question question_of(const char *name, growth_column column, bench_unit unit, int items,
                            bench_answer (*ask)(const asker *a)) {
    question q;
    memset(&q, 0, sizeof q);
    q.name = name;
    q.column = column;
    q.unit = unit;
    q.items = items;
    q.ask = ask;
    return q;
}

static void bench_rays(growth_row *row, const cd_bvh *tree, const void *embree, const pg_ray *camera,
                       const pg_ray *random) {
    question q = question_of("closest-camera", CAMERA, bench_mrays, RAYS, ask_closest_hit);
    q.rays = camera;
    ask_all(row, &q, tree, embree);
    q = question_of("closest-random", RANDOM, bench_mrays, RAYS, ask_closest_hit);
    q.rays = random;
    ask_all(row, &q, tree, embree);
    q = question_of("any-camera", ANY, bench_mrays, RAYS, ask_any_hit);
    q.rays = camera;
    ask_all(row, &q, tree, embree);
}

static void bench_points(growth_row *row, const cd_bvh *tree, const void *embree) {
    static float points[POINTS][3];
    question q = question_of("closest-point", CLOSEST, bench_us, POINTS, ask_closest_point);
    pg_points(PG_IN_CUBE, POINTS, 12, points);
    q.points = (const float(*)[3])points;
    ask_all(row, &q, tree, embree);
}

/* Against itself displaced. Of a soup that is a constant part of all triangles: only the first is asked for. */
static void bench_pairs(growth_row *row, const cd_bvh *tree) {
    question q = question_of("pairs-0.3", PAIRS, bench_ms, 1, ask_pairs);
    bench_posed posed;
    memset(&posed, 0, sizeof posed);
    pg_meshpose(POSE, posed.q, posed.p);
    q.posed = &posed;
    if (row->mesh->blob) ask_all(row, &q, tree, NULL);
    q = question_of("first-pair-0.3", FIRST, bench_us, 1, ask_first_pair);
    q.posed = &posed;
    ask_all(row, &q, tree, NULL);
}

/* ---- casts, of the sizes of the area sweeps ---- */

static cd_vec3 vec_of(const float *v) {
    return cd_vec3_make((cd_real)v[0], (cd_real)v[1], (cd_real)v[2]);
}

static cd_transform pose_of(const pg_cast *c) {
    cd_transform t;
    t.rotation.x = (cd_real)c->q[0];
    t.rotation.y = (cd_real)c->q[1];
    t.rotation.z = (cd_real)c->q[2];
    t.rotation.w = (cd_real)c->q[3];
    t.position = vec_of(c->o);
    return t;
}

/* The three, lying at the origin. */
static const cd_sphere ball = {{0, 0, 0}, (cd_real)0.1};
static const cd_capsule capsule = {{0, 0, (cd_real)-0.15}, {0, 0, (cd_real)0.15}, (cd_real)0.1};
static const cd_aabb box = {{(cd_real)-0.2, (cd_real)-0.1, (cd_real)-0.15},
                            {(cd_real)0.2, (cd_real)0.1, (cd_real)0.15}};

static bool cast_one(const asker *a, const pg_cast *c, cd_hit *hit) {
    const cd_bvh *tree = (const cd_bvh *)a->built;
    cd_transform pose = pose_of(c);
    cd_vec3 motion = vec_of(c->d);
    if (a->question->column == BALL) {
        cd_sphere s = ball;
        s.center = pose.position;
        return cd_bvh_sweep_sphere(tree, s, motion, NULL, hit);
    }
    if (a->question->column == CAPSULE) {
        cd_capsule moved = cd_capsule_transform(&capsule, &pose);
        return cd_bvh_sweep_capsule(tree, &moved, motion, NULL, hit);
    }
    {
        cd_obb whole = cd_obb_from_aabb(box), moved = cd_obb_transform(&whole, &pose);
        return cd_bvh_sweep_obb(tree, &moved, motion, NULL, hit);
    }
}

static bench_answer ask_casts(const asker *a) {
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < a->question->items; ++i) {
        cd_hit hit;
        if (!cast_one(a, &a->question->casts[i], &hit)) continue;
        ++answer.count;
        answer.distance_sum += (double)hit.t;
    }
    return answer;
}

static void bench_casts(growth_row *row, const cd_bvh *tree) {
    static const char *const names[] = {"cast-ball", "cast-capsule", "cast-box"};
    static pg_cast casts[CASTS];
    pg_casts(CASTS, 600, casts);
    for (int i = 0; i < 3; ++i) {
        question q = question_of(names[i], (growth_column)(BALL + i), bench_us, CASTS, ask_casts);
        bench_job job;
        asker a;
        q.casts = casts;
        a.of = NULL;
        a.built = tree;
        a.question = &q;
        job.implementation = "ours-O2";
        job.run = run_question;
        job.after = NULL;
        job.ctx = &a;
        measure(row, q.name, q.unit, q.items, &job, 1, &row->value[q.column]);
    }
}

/* ---- one mesh ---- */

static bench_answer run_check(void *ctx) {
    bench_answer a = {0, 0, 0.0};
    a.count = cd_bvh_validate((const cd_bvh *)ctx) == CD_OK;
    return a;
}

static void bench_check(growth_row *row, cd_bvh *tree) {
    bench_job job = {"ours-O2", run_check, NULL, NULL};
    job.ctx = tree;
    measure(row, "validate", ns_each, row->triangles, &job, 1, &row->value[CHECK]);
}

static void bench_tree_of(growth_row *row, const pg_mesh *mesh, const pg_ray *camera, const pg_ray *random) {
    builder ours = builder_of(mesh, CD_BVH_SAH_BINNED), embree = builder_of(mesh, 0);
    const cd_bvh *tree;
    ours.options.allocator.user = &ours.memory;
    ours.options.allocator.alloc = counted_alloc;
    ours.options.allocator.free = counted_free;
    bench_builds(row, mesh, &ours, &embree);
    tree = (const cd_bvh *)ours.kept;
    bench_bytes(row, mesh, tree, ours.memory.peak, random);
    bench_rays(row, tree, embree.kept, camera, random);
    bench_points(row, tree, embree.kept);
    if (embree.kept)
        tell(row, "memory", "embree", embree.peer->bytes(embree.kept) / mesh->triangle_count, "B/triangle");
    drop_kept(&embree);
    bench_pairs(row, tree);
    bench_casts(row, tree);
    bench_check(row, (cd_bvh *)ours.kept);
    drop_kept(&ours);
}

static void bench_mesh(growth_row *row, const growth_mesh *which) {
    pg_mesh mesh = which->blob ? pg_blob(which->blob) : pg_soup(which->soup, which->soup_size, 8);
    pg_ray *camera = (pg_ray *)pg_alloc(RAYS * sizeof *camera);
    pg_ray *random = (pg_ray *)pg_alloc(RAYS * sizeof *random);
    pg_rays_camera(RAYS_SIDE, RAYS_SIDE, camera);
    pg_rays_random(RAYS, 11, random);
    memset(row, 0, sizeof *row);
    row->mesh = which;
    row->triangles = mesh.triangle_count;
    bench_tree_of(row, &mesh, camera, random);
    free(random);
    free(camera);
    pg_mesh_free(&mesh);
}

/* ---- the tables at the end ---- */

static void put(double value, int width) {
    if (value > 0.0) {
        printf(" %*.3g", width, value);
    } else {
        printf(" %*s", width, "-");
    }
}

static void put_ratio(double value, double of) {
    put(of > 0.0 ? value / of : 0.0, 7);
}

static void builds_table(const growth_row *rows, int count) {
    printf("# ns a triangle: built (by two threads), along a curve (by two threads), checked; bytes a "
           "triangle: at the peak "
           "of a build, wide, quantised, indexed\n"
           "# %-8s %7s %7s %7s %7s %7s %7s %7s %7s %7s\n",
           "", "build", "two", "linear", "two", "check", "peak", "wide", "quant", "indexed");
    for (int i = 0; i < count; ++i) {
        static const growth_column columns[] = {BUILD, BUILD_TWO, LINEAR,    LINEAR_TWO, CHECK,
                                                PEAK,  WIDE,      QUANTISED, INDEXED};
        printf("# %-8s", rows[i].mesh->name);
        for (size_t k = 0; k < sizeof columns / sizeof columns[0]; ++k) put(rows[i].value[columns[k]], 7);
        printf("\n");
    }
}

static void queries_table(const growth_row *rows, int count) {
    printf("# us: a ray of the camera, at random (its nodes, triangles), any hit, closest point, first pair, "
           "cast of a ball, "
           "capsule, box; ms: all pairs\n"
           "# %-8s %7s %7s %7s %7s %7s %7s %7s %7s %7s %7s %7s\n",
           "", "camera", "random", "nodes", "tris", "any", "closest", "first", "ball", "capsule", "box",
           "pairs");
    for (int i = 0; i < count; ++i) {
        const double *v = rows[i].value;
        printf("# %-8s", rows[i].mesh->name);
        put_ratio(1.0, v[CAMERA]);
        put_ratio(1.0, v[RANDOM]);
        put(v[NODES], 7);
        put(v[TRIANGLES], 7);
        put_ratio(1.0, v[ANY]);
        for (int k = 0; k < 6; ++k) {
            static const growth_column columns[] = {CLOSEST, FIRST, BALL, CAPSULE, BOX, PAIRS};
            put(v[columns[k]], 7);
        }
        printf("\n");
    }
}

#ifdef BENCH_EMBREE
static void peer_table(const growth_row *rows, int count) {
    printf("# our time over Embree's\n# %-8s %7s %7s %7s %7s %7s\n", "", "build", "camera", "random", "any",
           "closest");
    for (int i = 0; i < count; ++i) {
        const double *ours = rows[i].value, *theirs = ours + PEER;
        printf("# %-8s", rows[i].mesh->name);
        put_ratio(ours[BUILD], theirs[BUILD]);
        put_ratio(theirs[CAMERA], ours[CAMERA]);
        put_ratio(theirs[RANDOM], ours[RANDOM]);
        put_ratio(theirs[ANY], ours[ANY]);
        put_ratio(ours[CLOSEST], theirs[CLOSEST]);
        printf("\n");
    }
}
#endif

static bool is_wanted(const growth_mesh *m, int argc, char **argv) {
    const char *quick = getenv("BENCH_QUICK");
    if (argc < 2) return !(quick && *quick && m->is_large);
    for (int i = 1; i < argc; ++i) {
        if (!strcmp(argv[i], m->name)) return true;
    }
    return false;
}

int main(int argc, char **argv) {
    static growth_row rows[MESHES];
    int count = 0;
    for (int i = 0; i < MESHES; ++i) {
        if (is_wanted(&meshes[i], argc, argv)) bench_mesh(&rows[count++], &meshes[i]);
    }
    builds_table(rows, count);
    queries_table(rows, count);
#ifdef BENCH_EMBREE
    peer_table(rows, count);
#endif
    return 0;
}
