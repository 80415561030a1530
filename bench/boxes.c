/* boxes: the contacts of two oriented boxes that overlap. The time of one pair, and how many depths and normals are wrong: against the
 * fifteen axes in exact rational arithmetic on the same floats.
 *
 * Pairs overlap a little in any orientation, or are stacked; they rest, or shake: there every pair has two poses in turn, about a hundredth
 * of its size from each other. Peers make all points they can, up to eight. */
#include "boxes.h"
#include "../tests/oracle.h"
#include <math.h>

enum { COUNT = 4096, HALF = COUNT / 2 };

static const bench_boxes_table *const tables[] = {&bench_boxes_ours_o2,
                                                  &bench_boxes_ours_o2_cached,
                                                  &bench_boxes_ours_o2_batch,
#ifdef BENCH_NATIVE
                                                  &bench_boxes_ours_native,
                                                  &bench_boxes_ours_native_cached,
                                                  &bench_boxes_ours_native_batch,
#endif
                                                  &bench_boxes_ours_double,
                                                  &bench_boxes_ours_convex,
#ifdef BENCH_BULLET
                                                  &bench_boxes_bullet,
#endif
#ifdef BENCH_ODE
                                                  &bench_boxes_ode,
#endif
                                                  NULL};

enum { TABLES = (int)(sizeof tables / sizeof tables[0]) - 1 };

typedef struct task {
    const bench_boxes_table *table;
    void *prepared;
} task;

static bench_answer run_task(void *ctx) {
    const task *t = (const task *)ctx;
    return t->table->run(t->prepared, COUNT, NULL);
}

/* ---- inputs ---- */

static void box_of(const float half[3], const float q[4], const float p[3], bench_box *out) {
    double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    double n = x * x + y * y + z * z + w * w;
    double m[3][3] = {{n - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                      {2 * (x * y - w * z), n - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                      {2 * (x * z + w * y), 2 * (y * z - w * x), n - 2 * (x * x + y * y)}};
    for (int k = 0; k < 3; ++k) {
        out->center[k] = p[k];
        out->half[k] = half[k];
        for (int i = 0; i < 3; ++i) m[k][i] /= n;
        pg_round(m[k], 3, out->axes[k]);
    }
}

static void pairs_of(pg_boxpair_kind kind, bench_boxes *out) {
    pg_boxpair *pairs = (pg_boxpair *)pg_alloc(COUNT * sizeof *pairs);
    pg_boxpairs(kind, COUNT, 300 + (uint64_t)kind, pairs);
    for (int i = 0; i < COUNT; ++i) {
        box_of(pairs[i].ha, pairs[i].qa, pairs[i].pa, &out[i].a);
        box_of(pairs[i].hb, pairs[i].qb, pairs[i].pb, &out[i].b);
    }
    free(pairs);
}

/* The second half are the pairs of the first, moved a little. */
static void shake(pg_boxpair_kind kind, bench_boxes *out) {
    pg_boxpair *pairs = (pg_boxpair *)pg_alloc(COUNT * sizeof *pairs);
    pg_rng r = {400 + (uint64_t)kind};
    pg_boxpairs(kind, COUNT, 300 + (uint64_t)kind, pairs);
    for (int i = 0; i < COUNT; ++i) {
        pg_boxpair *p = &pairs[i % HALF];
        if (i >= HALF) {
            for (int k = 0; k < 3; ++k) p->pb[k] += (float)pg_range(&r, -0.005, 0.005);
            for (int k = 0; k < 4; ++k) p->qb[k] += (float)pg_range(&r, -0.002, 0.002);
        }
        box_of(p->ha, p->qa, p->pa, &out[i].a);
        box_of(p->hb, p->qb, p->pb, &out[i].b);
    }
    free(pairs);
}

/* ---- answers ---- */

static oracle_box exact_box(const bench_box *b) {
    oracle_box r;
    for (int k = 0; k < 3; ++k) {
        r.center[k] = (double)b->center[k];
        r.half[k] = (double)b->half[k];
        for (int j = 0; j < 3; ++j) r.axis[k][j] = (double)b->axes[k][j];
    }
    return r;
}

static double reach(const bench_box *b, const double n[3]) {
    double sum = 0.0;
    for (int k = 0; k < 3; ++k) {
        double along = 0.0;
        for (int j = 0; j < 3; ++j) along += n[j] * (double)b->axes[k][j];
        sum += fabs(along) * (double)b->half[k];
    }
    return sum;
}

/* How deep they are along a normal. */
static double depth_along(const bench_boxes *p, const double n[3]) {
    double way = 0.0;
    for (int k = 0; k < 3; ++k) way += n[k] * ((double)p->b.center[k] - (double)p->a.center[k]);
    return reach(&p->a, n) + reach(&p->b, n) - way;
}

static void line(const char *name, const char *what, const bench_boxes_table *table, double value,
                 const char *unit) {
    char label[96];
    snprintf(label, sizeof label, "%s/%s", name, what);
    bench_line("boxes", label, table->name, value, unit, "-");
}

static void count_wrong(const char *name, const task *t, const bench_boxes *pairs, const double *depth) {
    static bench_contact found[COUNT];
    double worst = 0.0, points = 0.0;
    int off = 0, far_off = 0, wrong = 0, meeting = 0;
    t->table->run(t->prepared, COUNT, found);
    for (int i = 0; i < COUNT; ++i) {
        double error = fabs((found[i].points ? found[i].depth : 0.0) - fmax(depth[i], 0.0));
        worst = fmax(worst, error);
        off += error > 1e-6;
        far_off += error > 5e-3;
        meeting += found[i].points > 0;
        points += found[i].points;
        wrong += found[i].points > 0 && fabs(depth_along(&pairs[i], found[i].normal) - depth[i]) > 1e-3;
    }
    line(name, "depth-off-by-1e-6", t->table, off * 100.0 / COUNT, "%");
    line(name, "depth-off-by-5e-3", t->table, far_off * 100.0 / COUNT, "%");
    line(name, "worst-depth", t->table, worst, "length");
    line(name, "wrong-normals", t->table, wrong * 100.0 / COUNT, "%");
    line(name, "points", t->table, points / (meeting ? meeting : 1), "each");
}

static void measure(const char *name, const bench_boxes *pairs, int tracked) {
    static double depth[COUNT];
    task tasks[TABLES];
    bench_job jobs[TABLES];
    for (int i = 0; i < COUNT; ++i) {
        oracle_box a = exact_box(&pairs[i].a), b = exact_box(&pairs[i].b);
        depth[i] = -oracle_box_box(&a, &b).separation;
    }
    for (int i = 0; i < TABLES; ++i) {
        tasks[i].table = tables[i];
        tasks[i].prepared = tables[i]->prepare(pairs, COUNT, tracked);
        jobs[i].implementation = tables[i]->name;
        jobs[i].run = run_task;
        jobs[i].after = NULL;
        jobs[i].ctx = &tasks[i];
    }
    bench_measure("boxes", name, bench_ns, COUNT, jobs, TABLES);
    for (int i = 0; i < TABLES; ++i) {
        count_wrong(name, &tasks[i], pairs, depth);
        tables[i]->free(tasks[i].prepared);
    }
}

int main(void) {
    bench_boxes *pairs = (bench_boxes *)pg_alloc(COUNT * sizeof *pairs);
    pairs_of(PG_RANDOM_BOXES, pairs);
    measure("random", pairs, COUNT);
    pairs_of(PG_STACKED_BOXES, pairs);
    measure("stacked", pairs, COUNT);
    shake(PG_RANDOM_BOXES, pairs);
    measure("random-shaken", pairs, HALF);
    shake(PG_STACKED_BOXES, pairs);
    measure("stacked-shaken", pairs, HALF);
    free(pairs);
    return 0;
}
