/* sphere: the smallest sphere around points on a sphere, in a cube and in a ball; and the quick fits: their time, and how much
 * larger their radius is than the smallest.
 *
 * BENCH_QUICK leaves the million points out. */
#include "sphere.h"

static const bench_sphere *smallest[] = {&bench_sphere_ours_o2[0],
#ifdef BENCH_NATIVE
                                         &bench_sphere_ours_native[0],
#endif
#ifdef BENCH_CGAL
                                         &bench_sphere_cgal, &bench_sphere_cgal_welzl,
#endif
                                         NULL};

typedef struct task {
    const bench_sphere *fit;
    void *points;
    int count;
} task;

static bench_answer run_task(void *ctx) {
    const task *t = (const task *)ctx;
    bench_answer a = {1, 0, 0.0};
    a.distance_sum = t->fit->run(t->points, t->count);
    return a;
}

static void time_fits(const char *name, const bench_sphere *const *fits, int count, const float (*points)[3],
                      int n) {
    task tasks[BENCH_JOBS];
    bench_job jobs[BENCH_JOBS];
    for (int i = 0; i < count; ++i) {
        tasks[i].fit = fits[i];
        tasks[i].points = fits[i]->points(points, n);
        tasks[i].count = n;
        jobs[i].implementation = fits[i]->name;
        jobs[i].run = run_task;
        jobs[i].after = NULL;
        jobs[i].ctx = &tasks[i];
    }
    bench_measure("sphere", name, bench_us, 1.0, jobs, count);
    for (int i = 0; i < count; ++i) fits[i]->free(tasks[i].points);
}

/* How many per mille the radius is above the smallest. */
static void compare_radii(const char *name, const bench_sphere *const *fits, int count,
                          const float (*points)[3], int n) {
    double least = 0;
    char label[128];
    snprintf(label, sizeof label, "%s/above-smallest", name);
    for (int i = 0; i < count; ++i) {
        void *p = fits[i]->points(points, n);
        double radius = fits[i]->run(p, n);
        fits[i]->free(p);
        if (i == 0) least = radius;
        bench_line("sphere", label, fits[i]->name, 1000 * (radius / least - 1), "permille", "-");
    }
}

static void measure(const char *name, pg_point_kind kind, int count) {
    float(*points)[3] = (float(*)[3])pg_alloc((size_t)count * sizeof *points);
    const bench_sphere *fits[BENCH_FITS];
    char label[96];
    int n = 0;
    pg_points(kind, count, 600, points);
    while (smallest[n]) ++n;
    time_fits(name, smallest, n, (const float(*)[3])points, count);
    for (int i = 0; i < BENCH_FITS; ++i) fits[i] = &bench_sphere_ours_o2[i];
    snprintf(label, sizeof label, "fits-%s", name);
    time_fits(label, fits, BENCH_FITS, (const float(*)[3])points, count);
    compare_radii(label, fits, BENCH_FITS, (const float(*)[3])points, count);
    free(points);
}

int main(void) {
    const char *quick = getenv("BENCH_QUICK");
    measure("sphere-1k", PG_ON_SPHERE, 1000);
    measure("sphere-100k", PG_ON_SPHERE, 100000);
    measure("cube-100k", PG_IN_CUBE, 100000);
    measure("ball-100k", PG_IN_BALL, 100000);
    if (!quick || !*quick) measure("ball-1m", PG_IN_BALL, 1000000);
    return 0;
}
