/* predicates: the signs of determinants, one call for each set of points.
 *
 * `random` points are decided by the first look; of those of a small `grid` of whole numbers many are exactly degenerate;
 * `near` ones lie on a line, plane, circle or sphere but for the rounding to float, and `near-f64` to double. The plain
 * determinants' checksums tell in which cases they are wrong. */
#include "predicates.h"

static const char *const area = "predicates";

static const bench_predicates *const all[] = {&bench_predicates_ours_f32, &bench_predicates_ours_f64,
#ifdef BENCH_CGAL
                                              &bench_predicates_cgal,
#endif
                                              &bench_predicates_plain_f32, &bench_predicates_plain_f64};
#define COUNT ((int)(sizeof all / sizeof all[0]))

enum { SETS = 1 << 14 };

typedef enum predicate { ORIENT2D, ORIENT3D, INCIRCLE, INSPHERE, PREDICATES } predicate;

static const char *const predicate_names[PREDICATES] = {"orient2d", "orient3d", "incircle", "insphere"};
static const int points_of[PREDICATES] = {3, 4, 4, 5};

/* ---- inputs ---- */

static uint64_t state;

static double random_unit(void) { /* splitmix64 */
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

static void random_point(double p[3]) {
    for (int k = 0; k < 3; ++k) p[k] = 2.0 * random_unit() - 1.0;
}

/* On the unit circle, or the unit sphere, by its rational parameters. */
static void round_point(double p[3], int in_space) {
    double u = 4.0 * random_unit() - 2.0, v = in_space ? 4.0 * random_unit() - 2.0 : 0.0,
           sum = 1.0 + u * u + v * v;
    p[0] = 2.0 * u / sum;
    p[1] = in_space ? 2.0 * v / sum : (1.0 - u * u) / sum;
    p[2] = (1.0 - u * u - v * v) / sum;
}

/* The last point becomes a sum of the others, whose weights sum to 1. */
static void make_flat(double (*p)[3], int count) {
    double weight[3], rest = 1.0;
    for (int i = 1; i + 1 < count; ++i) rest -= weight[i] = 2.0 * random_unit() - 1.0;
    for (int k = 0; k < 3; ++k) {
        double sum = rest * p[0][k];
        for (int i = 1; i + 1 < count; ++i) sum += weight[i] * p[i][k];
        p[count - 1][k] = sum;
    }
}

static void near_set(double (*p)[3], predicate which) {
    int n = points_of[which];
    for (int i = 0; i < n; ++i) {
        if (which == INCIRCLE || which == INSPHERE) round_point(p[i], which == INSPHERE);
        if (which == ORIENT2D || which == ORIENT3D) random_point(p[i]);
    }
    if (which == ORIENT2D || which == ORIENT3D) make_flat(p, n);
}

typedef enum input { RANDOM, GRID, NEAR, NEAR_F64, INPUTS } input;

static const char *const input_names[INPUTS] = {"random", "grid", "near", "near-f64"};

static void make_points(double (*p)[3], predicate which, input kind) {
    int n = points_of[which];
    state = (uint64_t)which * INPUTS + (uint64_t)kind;
    for (int i = 0; i < SETS; ++i, p += n) {
        if (kind >= NEAR) near_set(p, which);
        for (int k = 0; k < 3 * n; ++k) {
            double *x = &p[k / 3][k % 3];
            if (kind == GRID) *x = (double)(int)(8.0 * random_unit());
            if (kind == RANDOM) *x = 2.0 * random_unit() - 1.0;
            if (kind != NEAR_F64) *x = (double)(float)*x;
        }
    }
}

/* ---- one case for all ---- */

typedef struct task {
    bench_predicate *run;
    void *points;
} task;

static bench_answer run_task(void *ctx) {
    const task *t = (const task *)ctx;
    return t->run(t->points, SETS);
}

static bench_predicate *predicate_of(const bench_predicates *p, predicate which) {
    switch (which) {
    case ORIENT2D: return p->orient2d;
    case ORIENT3D: return p->orient3d;
    case INCIRCLE: return p->incircle;
    default: return p->insphere;
    }
}

static void measure(predicate which, input kind, const double (*points)[3]) {
    task tasks[COUNT];
    bench_job jobs[COUNT];
    void (*release[COUNT])(void *points);
    int count = 0, flat = which == ORIENT2D || which == INCIRCLE, total = SETS * points_of[which];
    char name[64];
    for (int i = 0; i < COUNT; ++i) {
        tasks[count].run = predicate_of(all[i], which);
        if (!tasks[count].run || (kind == NEAR_F64 && all[i]->takes_floats)) continue;
        tasks[count].points = flat ? all[i]->points2(points, total) : all[i]->points3(points, total);
        release[count] = all[i]->free;
        jobs[count].implementation = all[i]->name;
        jobs[count].run = run_task;
        jobs[count].after = NULL;
        jobs[count].ctx = &tasks[count];
        ++count;
    }
    snprintf(name, sizeof name, "%s/%s", predicate_names[which], input_names[kind]);
    bench_measure(area, name, bench_ns, (double)SETS, jobs, count);
    for (int i = 0; i < count; ++i) release[i](tasks[i].points);
}

int main(void) {
    double(*points)[3] = (double(*)[3])malloc(SETS * 5 * sizeof *points);
    if (!points) return 1;
    for (int which = 0; which < PREDICATES; ++which) {
#ifdef BENCH_NO_INCIRCLE
        if (which >= INCIRCLE) break;
#endif
        for (int kind = 0; kind < INPUTS; ++kind) {
            make_points(points, (predicate)which, (input)kind);
            measure((predicate)which, (input)kind, (const double(*)[3])points);
        }
    }
    free(points);
    return 0;
}
