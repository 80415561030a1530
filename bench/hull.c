/* hull: convex hulls of points on a sphere, all of which are corners, and in a cube, of which few are.
 *
 * BENCH_QUICK leaves the 100000 points on a sphere out. */
#include "hull.h"

static const bench_hull *const builders[] = {&bench_hull_ours_o2,
#ifdef BENCH_NATIVE
                                             &bench_hull_ours_native,
#endif
#ifdef BENCH_QHULL
                                             &bench_hull_qhull,
#endif
#ifdef BENCH_CGAL
                                             &bench_hull_cgal,
#endif
#ifdef BENCH_BULLET
                                             &bench_hull_bullet,
#endif
                                             NULL};

enum { BUILDERS = (int)(sizeof builders / sizeof builders[0]) - 1 };

typedef struct task {
    const bench_hull *builder;
    void *points;
    int count;
    bench_answer answer;
} task;

static bench_answer run_task(void *ctx) {
    const task *t = (const task *)ctx;
    t->builder->run(t->points, t->count);
    return t->answer;
}

static void measure(const char *name, pg_point_kind kind, int count) {
    float(*points)[3] = (float(*)[3])pg_alloc((size_t)count * sizeof *points);
    task tasks[BUILDERS];
    bench_job jobs[BUILDERS];
    pg_points(kind, count, 600, points);
    for (int i = 0; i < BUILDERS; ++i) {
        tasks[i].builder = builders[i];
        tasks[i].points = builders[i]->points((const float(*)[3])points, count);
        tasks[i].count = count;
        tasks[i].answer = builders[i]->measure(tasks[i].points, count);
        jobs[i].implementation = builders[i]->name;
        jobs[i].run = run_task;
        jobs[i].after = NULL;
        jobs[i].ctx = &tasks[i];
    }
    bench_measure("hull", name, bench_ms, 1.0, jobs, BUILDERS);
    for (int i = 0; i < BUILDERS; ++i) builders[i]->free(tasks[i].points);
    free(points);
}

int main(void) {
    const char *quick = getenv("BENCH_QUICK");
    measure("sphere-1k", PG_ON_SPHERE, 1000);
    measure("sphere-10k", PG_ON_SPHERE, 10000);
    if (!quick || !*quick) measure("sphere-100k", PG_ON_SPHERE, 100000);
    measure("cube-100k", PG_IN_CUBE, 100000);
    return 0;
}
