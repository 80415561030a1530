/* convex: pairs of convex hulls: the distance of those apart, yes or no, the depth of those that meet, and pairs in coherent
 * motion with what is remembered of them.
 *
 * Beside the times stands how right the answers are: the largest error of the distance, relative to the larger of the hulls' extent (2) and
 * the distance, and the share of the pairs for which the normal is wrong: moved along it by the distance, B does not just
 * touch A, within a thousandth. The truth is what is measured along the normal of this library in doubles, by looking at every point. */
#include "convex.h"

#include <math.h>

enum { PAIRS = 2048, TRACKED = 256, FRAMES = 64, EXTENT = 2 };

static const bench_convex *const tables[] = {
    &bench_convex_ours_o2,
#ifdef BENCH_NATIVE
    &bench_convex_ours_native,
#endif
    &bench_convex_ours_double,
#ifdef BENCH_BULLET
    &bench_convex_bullet,
#endif
#ifdef BENCH_CCD
    &bench_convex_ccd,         &bench_convex_ccd_mpr,
#endif
#ifdef BENCH_FCL
    &bench_convex_fcl,
#endif
};
enum { TABLES = sizeof tables / sizeof *tables };

typedef struct scene {
    pg_hull hulls[PG_HULLS];
    pg_pair pairs[PAIRS];
    pg_pair *frames; /* FRAMES times TRACKED */
    void *prepared[TABLES];
} scene;

typedef struct task {
    const bench_convex *with;
    void *prepared;
    const scene *of;
} task;

static bench_answer run_distance(void *ctx) {
    const task *t = (const task *)ctx;
    return t->with->distance(t->prepared, t->of->pairs, PAIRS, NULL);
}

static bench_answer run_meet(void *ctx) {
    const task *t = (const task *)ctx;
    return t->with->meet(t->prepared, t->of->pairs, PAIRS);
}

static bench_answer run_depth(void *ctx) {
    const task *t = (const task *)ctx;
    return t->with->depth(t->prepared, t->of->pairs, PAIRS, NULL);
}

static bench_answer run_coherent(void *ctx) {
    const task *t = (const task *)ctx;
    bench_answer sum = {0, 0, 0.0};
    for (int i = 0; i < FRAMES; ++i) {
        bench_answer a = t->with->coherent(t->prepared, t->of->frames + i * TRACKED, TRACKED);
        sum.count += a.count;
        sum.distance_sum += a.distance_sum;
    }
    return sum;
}

/* The same motion for those that remember nothing. */
static bench_answer run_coherent_cold(void *ctx) {
    const task *t = (const task *)ctx;
    bench_answer sum = {0, 0, 0.0};
    for (int i = 0; i < FRAMES; ++i) {
        bench_answer a = t->with->distance(t->prepared, t->of->frames + i * TRACKED, TRACKED, NULL);
        sum.count += a.count;
        sum.distance_sum += a.distance_sum;
    }
    return sum;
}

/* ---- how right are they? ---- */

static void unit_quat(const float q[4], double out[4]) {
    double square = 0.0;
    for (int k = 0; k < 4; ++k) square += (double)q[k] * (double)q[k];
    for (int k = 0; k < 4; ++k) out[k] = (double)q[k] / sqrt(square);
}

/* How far the two are apart along n: the signed distance of the planes across it that support them. */
static double apart_along(const scene *s, const pg_pair *p, const double n[3]) {
    double back[3] = {-n[0], -n[1], -n[2]}, along = 0.0, qa[4], qb[4];
    int corner;
    unit_quat(p->qa, qa);
    unit_quat(p->qb, qb);
    for (int k = 0; k < 3; ++k) along += n[k] * ((double)p->pb[k] - (double)p->pa[k]);
    return along - pg_support(&s->hulls[p->a], qa, n, &corner) -
           pg_support(&s->hulls[p->b], qb, back, &corner);
}

/* The error of the distance, and is the normal wrong? The truth: no direction parts them farther than that of `truth`. */
static double judge(const scene *s, int i, const bench_parted *found, const bench_parted *truth, int *wrong) {
    double right = apart_along(s, &s->pairs[i], truth[i].normal), length = 0.0, n[3], error, size;
    for (int k = 0; k < 3; ++k) length += found[i].normal[k] * found[i].normal[k];
    for (int k = 0; k < 3; ++k) n[k] = found[i].normal[k] / (length > 0.0 ? sqrt(length) : 1.0);
    error = fabs(found[i].distance - right);
    size = right > EXTENT ? right : EXTENT;
    *wrong += !(length > 0.5 && apart_along(s, &s->pairs[i], n) >= right - 1e-3 * size);
    return error == error ? error / size : 1e9;
}

static void report_errors(const scene *s, const char *name, int deep) {
    static bench_parted truth[PAIRS], found[PAIRS];
    for (int j = TABLES; j-- > 0;)
        if (tables[j] == &bench_convex_ours_double)
            (deep ? tables[j]->depth : tables[j]->distance)(s->prepared[j], s->pairs, PAIRS, truth);
    for (int j = 0; j < TABLES; ++j) {
        bench_answer (*query)(void *, const pg_pair *, int, bench_parted *) =
            deep ? tables[j]->depth : tables[j]->distance;
        double worst = 0.0;
        char label[96];
        int wrong = 0;
        if (!query) continue;
        query(s->prepared[j], s->pairs, PAIRS, found);
        for (int i = 0; i < PAIRS; ++i) {
            double error = judge(s, i, found, truth, &wrong);
            worst = error > worst ? error : worst;
        }
        snprintf(label, sizeof label, "%s/error", name);
        bench_line("convex", label, tables[j]->name, worst, "relative", "");
        snprintf(label, sizeof label, "%s/wrong-normals", name);
        bench_line("convex", label, tables[j]->name, (double)wrong * 100.0 / PAIRS, "%", "");
    }
}

/* ---- the cases ---- */

typedef bench_answer runner(void *ctx);

/* Those that have the query; those without one run `instead`, which may be NULL. */
static void measure(const scene *s, const char *name, double items, runner *run, size_t member,
                    runner *instead) {
    static task tasks[TABLES];
    bench_job jobs[TABLES];
    int count = 0;
    for (int j = 0; j < TABLES; ++j) {
        const bench_convex *t = tables[j];
        int has = member == 0   ? t->distance != NULL
                  : member == 1 ? t->meet != NULL
                  : member == 2 ? t->depth != NULL
                                : t->coherent != NULL;
        if (!has && !(instead && t->distance)) continue;
        tasks[count].with = t;
        tasks[count].prepared = s->prepared[j];
        tasks[count].of = s;
        jobs[count].implementation = t->name;
        jobs[count].run = has ? run : instead;
        jobs[count].after = NULL;
        jobs[count].ctx = &tasks[count];
        ++count;
    }
    bench_measure("convex", name, bench_ns, items, jobs, count);
}

static void scene_make(scene *s, int points) {
    pg_hulls(points, 100u + (uint64_t)points, s->hulls);
    s->frames = (pg_pair *)pg_alloc((size_t)FRAMES * TRACKED * sizeof *s->frames);
    for (int j = 0; j < TABLES; ++j) s->prepared[j] = tables[j]->prepare(s->hulls, TRACKED);
}

static void scene_free(scene *s) {
    for (int j = 0; j < TABLES; ++j) tables[j]->release(s->prepared[j]);
    pg_hulls_free(s->hulls);
    free(s->frames);
}

static void frames_make(scene *s, uint64_t seed) {
    pg_rng r = {seed};
    for (int i = 0; i < TRACKED; ++i) s->frames[i] = s->pairs[i];
    for (int f = 1; f < FRAMES; ++f) {
        for (int i = 0; i < TRACKED; ++i) s->frames[f * TRACKED + i] = s->frames[(f - 1) * TRACKED + i];
        pg_step(s->frames + f * TRACKED, TRACKED, &r);
    }
}

/* Boxes are 0 points. */
static void hulls_of(int points) {
    static scene s;
    char name[64], size[16];
    uint64_t n = (uint64_t)points;
    scene_make(&s, points);
    if (points) {
        snprintf(size, sizeof size, "%d", points);
    } else {
        snprintf(size, sizeof size, "box");
    }
    pg_pairs(s.hulls, PG_SEPARATED, PAIRS, 200 + n, s.pairs);
    snprintf(name, sizeof name, "distance-%s", size);
    measure(&s, name, PAIRS, run_distance, 0, NULL);
    report_errors(&s, name, 0);
    snprintf(name, sizeof name, "test-apart-%s", size);
    measure(&s, name, PAIRS, run_meet, 1, NULL);
    frames_make(&s, 300 + n);
    snprintf(name, sizeof name, "coherent-%s", size);
    measure(&s, name, (double)FRAMES * TRACKED, run_coherent, 3, run_coherent_cold);
    pg_pairs(s.hulls, PG_OVERLAPPING, PAIRS, 1200 + n, s.pairs);
    snprintf(name, sizeof name, "depth-%s", size);
    measure(&s, name, PAIRS, run_depth, 2, NULL);
    report_errors(&s, name, 1);
    snprintf(name, sizeof name, "test-meeting-%s", size);
    measure(&s, name, PAIRS, run_meet, 1, NULL);
    scene_free(&s);
}

int main(void) {
    const char *quick = getenv("BENCH_QUICK");
    hulls_of(0);
    hulls_of(8);
    hulls_of(32);
    if (quick && *quick) return 0;
    hulls_of(128);
    hulls_of(512);
    return 0;
}
