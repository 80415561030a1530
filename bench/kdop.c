/* kdop: k-DOPs of triangles and of clouds, pairs of them, bodies that tumble; how tight the sets are; hulls by faces. */
#include "kdop.h"

static const bench_kdop *const kinds[] = {&bench_kdop_ours_o2,
#ifdef BENCH_NATIVE
                                          &bench_kdop_ours_native,
#endif
#ifdef BENCH_FCL
                                          &bench_kdop_fcl,
#endif
                                          NULL};

enum { KINDS = (int)(sizeof kinds / sizeof kinds[0]) - 1 };

typedef struct task {
    const bench_kdop *kind;
    void *dops;
    int each;
} task;

static bench_answer run_build(void *ctx) {
    const task *t = (const task *)ctx;
    return t->kind->build(t->dops, t->each);
}

static bench_answer run_overlap(void *ctx) {
    const task *t = (const task *)ctx;
    return t->kind->overlap(t->dops);
}

static void measure(const char *what, int k, const pg_mesh *m, int each, bench_answer (*run)(void *ctx),
                    double items) {
    task tasks[KINDS];
    bench_job jobs[KINDS];
    char name[40];
    int n = 0;
    memset(jobs, 0, sizeof jobs);
    snprintf(name, sizeof name, "%s-%d", what, k);
    for (int i = 0; i < KINDS; ++i) {
        tasks[n].kind = kinds[i];
        tasks[n].dops = kinds[i]->make((const float(*)[3])m->vertices, m->vertex_count, k);
        tasks[n].each = each;
        if (!tasks[n].dops) continue;
        kinds[i]->build(tasks[n].dops, each);
        jobs[n].implementation = kinds[i]->name;
        jobs[n].run = run;
        jobs[n].after = NULL;
        jobs[n].ctx = &tasks[n];
        ++n;
    }
    bench_measure("kdop", name, bench_ns, items, jobs, n);
    for (int i = 0; i < n; ++i) tasks[i].kind->free(tasks[i].dops);
}

static void measure_tumbling(const char *mesh, int k, const float (*points)[3], int count) {
    static const char *const ways[6] = {"climb",    "all-vertices",    "stored-corners",
                                        "programs", "corners-triples", "corners-dual"};
    const bench_tumble *t = &bench_tumble_ours_o2;
    void *body = t->make(points, count, k);
    char name[60];
    snprintf(name, sizeof name, "%s-%d", mesh, k);
    bench_line("kdop", name, "tightness", t->tightness(body), "hulls", "");
    for (int i = 0; i < 6; ++i) {
        bench_job job;
        snprintf(name, sizeof name, "%s-%d/%s", mesh, k, ways[i]);
        job.implementation = bench_kdop_ours_o2.name;
        job.run = t->way[i];
        job.after = NULL;
        job.ctx = body;
        bench_measure("kdop", name, bench_us, i < 4 ? 100.0 : 10.0, &job, 1);
    }
    t->free(body);
}

typedef struct rough_task {
    void *hulls;
    pg_pair *pairs;
    int count;
} rough_task;

static bench_answer run_rough(void *ctx) {
    const rough_task *t = (const rough_task *)ctx;
    return bench_rough_ours_o2.test(t->hulls, t->pairs, t->count);
}

/* Of pairs that are apart by a little, the share that faces do not tell. */
static void measure_rough(const char *name, int points, pg_pair_kind kind) {
    pg_hull hulls[PG_HULLS];
    rough_task t;
    bench_job job;
    t.count = 4000;
    t.pairs = (pg_pair *)pg_alloc((size_t)t.count * sizeof *t.pairs);
    pg_hulls(points, 46, hulls);
    pg_pairs(hulls, kind, t.count, 47, t.pairs);
    t.hulls = bench_rough_ours_o2.make(hulls);
    bench_line("kdop", name, "may-meet", (double)run_rough(&t).count / t.count, "share", "");
    job.implementation = bench_kdop_ours_o2.name;
    job.run = run_rough;
    job.after = NULL;
    job.ctx = &t;
    bench_measure("kdop", name, bench_ns, t.count, &job, 1);
    bench_rough_ours_o2.free(t.hulls);
    free(t.pairs);
    pg_hulls_free(hulls);
}

int main(void) {
    static const int ks[] = {6, 8, 12, 14, 16, 18, 20, 24, 26};
    pg_mesh soup = pg_soup(3000, 0.1, 3), cloud = pg_blob(40), box = pg_soup(1000, 0.3, 8);
    for (size_t i = 0; i < sizeof ks / sizeof ks[0]; ++i) {
        measure("triangle", ks[i], &soup, 3, run_build, soup.triangle_count);
        measure("cloud-point", ks[i], &cloud, cloud.vertex_count, run_build, cloud.vertex_count);
        measure("overlap", ks[i], &soup, 3, run_overlap, 1000.0 * 999.0 / 2.0);
    }
    for (size_t i = 0; i < sizeof ks / sizeof ks[0]; ++i) {
        float sphere[1000][3];
        pg_points(PG_ON_SPHERE, 1000, 4, sphere);
        measure_tumbling("blob", ks[i], (const float(*)[3])cloud.vertices, cloud.vertex_count);
        measure_tumbling("sphere", ks[i], (const float(*)[3])sphere, 1000);
        measure_tumbling("cube", ks[i], (const float(*)[3])box.vertices, box.vertex_count);
    }
    measure_rough("faces-box-apart", 0, PG_SEPARATED);
    measure_rough("faces-32-apart", 32, PG_SEPARATED);
    measure_rough("faces-200-apart", 200, PG_SEPARATED);
    measure_rough("faces-32-meet", 32, PG_OVERLAPPING);
    pg_mesh_free(&soup);
    pg_mesh_free(&cloud);
    pg_mesh_free(&box);
    return 0;
}
