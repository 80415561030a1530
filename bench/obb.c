/* obb: do two oriented boxes meet? The time of a test, and how many answers are wrong, against exact rational arithmetic on
 * the same floats: pairs that meet and are said not to (missed), and pairs apart that are said to meet (false). */
#include "obb.h"
#include "../tests/oracle.h"
#include <math.h>

enum { COUNT = 2048 };

static const bench_obb *const tests[] = {&bench_obb_ours_o2,
                                         &bench_obb_ours_fast_o2,
#ifdef BENCH_NATIVE
                                         &bench_obb_ours_native,
                                         &bench_obb_ours_fast_native,
#endif
                                         &bench_obb_book,
#ifdef BENCH_BULLET
                                         &bench_obb_bullet,
                                         &bench_obb_bullet_contacts,
#endif
#ifdef BENCH_FCL
                                         &bench_obb_fcl_f32,
                                         &bench_obb_fcl_f64,
#endif
#ifdef BENCH_ODE
                                         &bench_obb_ode,
#endif
                                         NULL};

enum { TESTS = (int)(sizeof tests / sizeof tests[0]) - 1 };

typedef struct task {
    const bench_obb *test;
    void *prepared;
} task;

static bench_answer run_task(void *ctx) {
    const task *t = (const task *)ctx;
    return t->test->run(t->prepared, COUNT, NULL);
}

/* ---- inputs ---- */

static void box_of(const float half[3], const float q[4], const float p[3], bench_box *out) {
    double x = (double)q[0], y = (double)q[1], z = (double)q[2], w = (double)q[3];
    double m[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
                      {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
                      {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
    for (int k = 0; k < 3; ++k) {
        out->center[k] = p[k];
        out->half[k] = half[k];
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

static double radius(const bench_box *b) {
    return sqrt((double)b->half[0] * (double)b->half[0] + (double)b->half[1] * (double)b->half[1] +
                (double)b->half[2] * (double)b->half[2]);
}

/* Centres apart by a share lo...hi of the sum of the radii, in random directions. */
static void spread(bench_boxes *pairs, double lo, double hi, uint64_t seed) {
    pg_rng r = {seed};
    for (int i = 0; i < COUNT; ++i) {
        double d[3], way = pg_range(&r, lo, hi) * (radius(&pairs[i].a) + radius(&pairs[i].b));
        pg_dir(&r, d);
        for (int k = 0; k < 3; ++k) pairs[i].b.center[k] = (float)((double)pairs[i].a.center[k] + way * d[k]);
    }
}

/* Needles and plates: one or two edges a thousandth as long. */
static void flatten(bench_boxes *pairs) {
    for (int i = 0; i < COUNT; ++i) {
        for (int k = 0; k < 2; ++k) {
            pairs[i].a.half[(i + k) % 3] *= k || i & 1 ? 1e-3f : 1.0f;
            pairs[i].b.half[(i + k) % 3] *= k || i & 1 ? 1e-3f : 1.0f;
        }
    }
}

/* Side by side with the axes of the first, up to a share of the thickness deep or apart. */
static void line_up(bench_boxes *pairs, double share, uint64_t seed) {
    pg_rng r = {seed};
    for (int i = 0; i < COUNT; ++i) {
        bench_box *a = &pairs[i].a, *b = &pairs[i].b;
        double along[3];
        for (int j = 0; j < 3; ++j) along[j] = pg_range(&r, -0.5, 0.5) * (double)(a->half[j] + b->half[j]);
        along[i % 3] = (double)(a->half[i % 3] + b->half[i % 3]) * (1 + pg_range(&r, -share, share));
        for (int k = 0; k < 3; ++k) {
            double x = (double)a->center[k];
            for (int j = 0; j < 3; ++j) {
                b->axes[j][k] = a->axes[j][k];
                x += (double)a->axes[j][k] * along[j];
            }
            b->center[k] = (float)x;
        }
    }
}

static void move_far(bench_boxes *pairs) {
    for (int i = 0; i < COUNT; ++i) {
        for (int k = 0; k < 3; ++k) {
            pairs[i].a.center[k] += 10000.0f;
            pairs[i].b.center[k] += 10000.0f;
        }
    }
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

static void count_wrong(const char *name, const task *t, const unsigned char *right) {
    static unsigned char meets[COUNT];
    char label[96];
    int missed = 0, wrong = 0;
    t->test->run(t->prepared, COUNT, meets);
    for (int i = 0; i < COUNT; ++i) {
        missed += right[i] && !meets[i];
        wrong += !right[i] && meets[i];
    }
    snprintf(label, sizeof label, "%s/missed", name);
    bench_line("obb", label, t->test->name, missed, "pairs", "-");
    snprintf(label, sizeof label, "%s/false", name);
    bench_line("obb", label, t->test->name, wrong, "pairs", "-");
}

static void measure(const char *name, const bench_boxes *pairs) {
    static unsigned char right[COUNT];
    char label[96];
    int meeting = 0;
    task tasks[TESTS];
    bench_job jobs[TESTS];
    for (int i = 0; i < COUNT; ++i) {
        oracle_box a = exact_box(&pairs[i].a), b = exact_box(&pairs[i].b);
        right[i] = oracle_box_box(&a, &b).overlap;
        meeting += right[i];
    }
    for (int i = 0; i < TESTS; ++i) {
        tasks[i].test = tests[i];
        tasks[i].prepared = tests[i]->prepare(pairs, COUNT);
        jobs[i].implementation = tests[i]->name;
        jobs[i].run = run_task;
        jobs[i].after = NULL;
        jobs[i].ctx = &tasks[i];
    }
    bench_measure("obb", name, bench_ns, COUNT, jobs, TESTS);
    snprintf(label, sizeof label, "%s/meeting", name);
    bench_line("obb", label, "exact", meeting, "pairs", "-");
    for (int i = 0; i < TESTS; ++i) {
        count_wrong(name, &tasks[i], right);
        tests[i]->free(tasks[i].prepared);
    }
}

int main(void) {
    bench_boxes *pairs = (bench_boxes *)pg_alloc(COUNT * sizeof *pairs);
    pairs_of(PG_RANDOM_BOXES, pairs);
    measure("random", pairs);
    spread(pairs, 0.4, 0.9, 310);
    measure("mixed", pairs);
    spread(pairs, 0.5, 0.65, 311);
    measure("close", pairs);
    move_far(pairs);
    measure("close-far-from-origin", pairs);
    spread(pairs, 1.0, 2.0, 312);
    measure("apart", pairs);
    pairs_of(PG_STACKED_BOXES, pairs);
    measure("stacked", pairs);
    line_up(pairs, 0.01, 313);
    measure("parallel", pairs);
    line_up(pairs, 1e-5, 314);
    measure("parallel-touching", pairs);
    flatten(pairs);
    line_up(pairs, 0.01, 315);
    measure("parallel-thin", pairs);
    pairs_of(PG_RANDOM_BOXES, pairs);
    flatten(pairs);
    spread(pairs, 0.1, 0.6, 316);
    measure("thin", pairs);
    free(pairs);
    return 0;
}
