/* tritri: do two triangles meet? The time of a test, and how many answers are wrong, against exact rational arithmetic on the
 * same floats: pairs that meet and are said not to (missed), and pairs apart that are said to meet (false). */
#include "tritri.h"
#include "../tests/oracle.h"

enum { COUNT = 1 << 15, JUDGED = 1 << 13 };

static const bench_tritri *const tables[] = {bench_tritri_ours_o2,
#ifdef BENCH_NATIVE
                                             bench_tritri_ours_native,
                                             bench_tritri_ours_double,
#endif
                                             bench_tritri_plain,
#ifdef BENCH_CGAL
                                             bench_tritri_cgal,
#endif
#ifdef BENCH_FCL
                                             bench_tritri_fcl,
#endif
                                             NULL};

typedef struct task {
    const bench_tritri *test;
    void *prepared;
    int count;
} task;

/* Those that can do with groups of so many pairs of one triangle. */
static int tasks_for(int group, const bench_pair *pairs, int count, task out[BENCH_JOBS]) {
    int tasks = 0;
    for (const bench_tritri *const *table = tables; *table; ++table) {
        for (const bench_tritri *t = *table; t->name; ++t) {
            if (t->group > group || tasks == BENCH_JOBS) continue;
            out[tasks].test = t;
            out[tasks].count = count;
            out[tasks++].prepared = t->prepare(pairs, count);
        }
    }
    return tasks;
}

static void free_tasks(const task *tasks, int count) {
    for (int i = 0; i < count; ++i) tasks[i].test->free(tasks[i].prepared);
}

/* ---- inputs ---- */

/* A point of triangle t; with `edge`, of its first edge. */
static void point_on(pg_rng *r, const double *t, int edge, double out[3]) {
    double u = pg_unit(r), v = pg_unit(r);
    if (u + v > 1) {
        u = 1 - u;
        v = 1 - v;
    }
    if (edge) v = 0;
    for (int k = 0; k < 3; ++k) out[k] = t[k] + u * (t[3 + k] - t[k]) + v * (t[6 + k] - t[k]);
}

typedef enum kind { VERTEX, EDGE, ON_FACE, CROSSING, COPLANAR, NEEDLE } kind;

/* Two triangles with a shared corner or edge; a corner of one on the other, or an edge through an edge, up to rounding; in one
 * plane exactly; with two corners a ten-thousandth of the size apart, touching up to rounding. */
static void special_pair(kind what, pg_rng *r, float out[18]) {
    double t[18], p[3];
    for (int k = 0; k < 18; ++k) t[k] = pg_range(r, -1, 1);
    if (what == NEEDLE) {
        for (int k = 0; k < 3; ++k) {
            t[6 + k] = t[3 + k] + 1e-4 * t[6 + k];
            t[15 + k] = t[12 + k] + 1e-4 * t[15 + k];
        }
    }
    point_on(r, t, what == CROSSING, p);
    for (int k = 0; k < 3; ++k) {
        if (what == VERTEX || what == EDGE) t[9 + k] = t[k];
        if (what == EDGE) t[12 + k] = t[3 + k];
        if (what == ON_FACE) t[9 + k] = p[k];
        if (what == CROSSING) t[12 + k] = 2 * p[k] - t[9 + k];
        if (what == NEEDLE) t[9 + k] = 1.5 * p[k] - 0.5 * t[12 + k];
    }
    if (what == COPLANAR) {
        for (int i = 0; i < 6; ++i) {
            for (int k = 0; k < 2; ++k) t[3 * i + k] = floor(t[3 * i + k] * 1024) / 1024;
            t[3 * i + 2] = t[3 * i] + 2 * t[3 * i + 1];
        }
    }
    pg_round(t, 18, out);
}

static void special_pairs(kind what, uint64_t seed, bench_pair *out) {
    pg_rng r = {seed};
    for (int i = 0; i < COUNT; ++i) special_pair(what, &r, out[i]);
}

/* The first triangle of every eight for all of them; the second ones follow it. */
static void group_pairs(bench_pair *pairs) {
    for (int i = 0; i < COUNT; ++i) {
        const float *first = pairs[i & ~7];
        for (int k = 0; k < 9; ++k) {
            double shift = (double)first[k % 3] - (double)pairs[i][k % 3];
            if (i & 7) pairs[i][9 + k] = (float)((double)pairs[i][9 + k] + shift);
        }
        if (i & 7) memcpy(pairs[i], first, 9 * sizeof(float));
    }
}

/* ---- answers ---- */

static void count_wrong(const char *name, const task *t, const unsigned char *right) {
    static unsigned char meets[JUDGED];
    char label[96];
    int missed = 0, wrong = 0;
    t->test->run(t->prepared, JUDGED, meets);
    for (int i = 0; i < JUDGED; ++i) {
        missed += right[i] && !meets[i];
        wrong += !right[i] && meets[i];
    }
    snprintf(label, sizeof label, "%s/missed", name);
    bench_line("tritri", label, t->test->name, missed, "wrong", "-");
    snprintf(label, sizeof label, "%s/false", name);
    bench_line("tritri", label, t->test->name, wrong, "wrong", "-");
}

static void judge(const char *name, int group, const bench_pair *pairs) {
    static unsigned char right[JUDGED];
    char label[96];
    task tasks[BENCH_JOBS];
    int meeting = 0, count = tasks_for(group, pairs, JUDGED, tasks);
    for (int i = 0; i < JUDGED; ++i) {
        double t[18];
        for (int k = 0; k < 18; ++k) t[k] = (double)pairs[i][k];
        right[i] = oracle_triangle_triangle(t, t + 9);
        meeting += right[i];
    }
    snprintf(label, sizeof label, "%s/meeting of %d", name, JUDGED);
    bench_line("tritri", label, "exact", meeting, "pairs", "-");
    for (int i = 0; i < count; ++i) count_wrong(name, &tasks[i], right);
    free_tasks(tasks, count);
}

/* ---- times ---- */

static bench_answer run_task(void *ctx) {
    const task *t = (const task *)ctx;
    return t->test->run(t->prepared, t->count, NULL);
}

static void measure(const char *name, int group, const bench_pair *pairs) {
    task tasks[BENCH_JOBS];
    bench_job jobs[BENCH_JOBS];
    int count = tasks_for(group, pairs, COUNT, tasks);
    for (int i = 0; i < count; ++i) {
        jobs[i].implementation = tasks[i].test->name;
        jobs[i].run = run_task;
        jobs[i].after = NULL;
        jobs[i].ctx = &tasks[i];
    }
    bench_measure("tritri", name, bench_ns, COUNT, jobs, count);
    free_tasks(tasks, count);
}

int main(void) {
    bench_pair *pairs = (bench_pair *)pg_alloc(COUNT * sizeof *pairs);
    int judging = !getenv("BENCH_QUICK") || !*getenv("BENCH_QUICK");
    static const char *const names[] = {"shared-corner",     "shared-edge", "corner-on-face",
                                        "edge-through-edge", "coplanar",    "needles"};
    for (int i = 0; i < 4; ++i) {
        static const char *const timed[] = {"general", "touching", "general-one-of-8", "touching-one-of-8"};
        pg_tripairs(i & 1 ? PG_INTEGER_PAIRS : PG_GENERAL_PAIRS, COUNT, 800 + (uint64_t)(i & 1), pairs);
        if (i >= 2) group_pairs(pairs);
        measure(timed[i], i >= 2 ? 8 : 1, pairs);
        if (judging) judge(timed[i], i >= 2 ? 8 : 1, pairs);
    }
    for (int i = 0; i < 6; ++i) {
        special_pairs((kind)i, 810 + (uint64_t)i, pairs);
        measure(names[i], 1, pairs);
        if (judging) judge(names[i], 1, pairs);
    }
    free(pairs);
    return 0;
}
