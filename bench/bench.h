/* bench: timing, and one line a measurement.
 *
 *     area  case  implementation  value  unit  checksum         separated by tabs
 *
 * CPU time of the process is measured, of at least nine runs. The implementations take turns, so that a noisy moment of
 * the machine hits all alike; even so, only ratios within one case mean something. Every case gives two lines: /min (of
 * the time: for a rate, the best) and /median. The checksum tells whether all computed the same thing. */
#ifndef BENCH_H
#define BENCH_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 199309L /* clock_gettime; include this file first */
#endif

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BENCH_RUNS       9
#define BENCH_JOBS       16
#define BENCH_LEAST_TIME 0.004 /* seconds; quicker runs are repeated within one sample */

/* What a run found: how many, and either the sum of the indices found or of the distances. */
typedef struct bench_answer {
    uint64_t count, index_sum;
    double distance_sum;
} bench_answer;

/* One implementation of a case. `after`, which may be NULL, puts things back between runs, and is not timed. */
typedef struct bench_job {
    const char *implementation;
    bench_answer (*run)(void *ctx);
    void (*after)(void *ctx);
    void *ctx;
} bench_job;

/* How a time is shown: in multiples of a second for one of the case's items, or as items a second. */
typedef struct bench_unit {
    const char *name;
    double factor;
    int is_rate;
} bench_unit;

static const bench_unit bench_ms = {"ms", 1e3, 0}, bench_us = {"us", 1e6, 0}, bench_ns = {"ns", 1e9, 0},
                        bench_mrays = {"Mrays/s", 1e-6, 1};

static inline double bench_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- lines ---- */

static inline void bench_line(const char *area, const char *name, const char *implementation, double value,
                              const char *unit, const char *checksum) {
    printf("%s\t%s\t%s\t%.4g\t%s\t%s\n", area, name, implementation, value, unit, checksum);
}

/* Distances are shown to seven digits: they are rounded differently by everyone. */
static inline void bench_checksum(const bench_answer *a, char *out, size_t size) {
    if (a->distance_sum != 0.0) {
        snprintf(out, size, "%llu:%.7g", (unsigned long long)a->count, a->distance_sum);
    } else {
        snprintf(out, size, "%llu:%llu", (unsigned long long)a->count, (unsigned long long)a->index_sum);
    }
}

static inline double bench_value(const bench_unit *unit, double items, double seconds) {
    return unit->is_rate ? items / seconds * unit->factor : seconds / items * unit->factor;
}

/* ---- measuring ---- */

/* The time of one run, averaged over `repeats`. */
static inline double bench_sample(const bench_job *job, int repeats, bench_answer *answer) {
    double start = bench_now(), time;
    for (int i = 0; i < repeats; ++i) *answer = job->run(job->ctx);
    time = (bench_now() - start) / repeats;
    if (job->after) job->after(job->ctx);
    return time > 1e-9 ? time : 1e-9;
}

/* A run that has to be put back after each time cannot be repeated within a sample. */
static inline int bench_repeats(const bench_job *job, double time) {
    double repeats = BENCH_LEAST_TIME / time;
    return job->after || repeats < 2.0 ? 1 : (int)repeats;
}

static inline int bench_compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline void bench_report(const char *area, const char *name, const bench_job *job,
                                const bench_unit *unit, double items, double *times, int runs,
                                const bench_answer *answer) {
    char label[96], checksum[64];
    bench_checksum(answer, checksum, sizeof checksum);
    qsort(times, (size_t)runs, sizeof times[0], bench_compare);
    snprintf(label, sizeof label, "%s/min", name);
    bench_line(area, label, job->implementation, bench_value(unit, items, times[0]), unit->name, checksum);
    snprintf(label, sizeof label, "%s/median", name);
    bench_line(area, label, job->implementation, bench_value(unit, items, times[runs / 2]), unit->name,
               checksum);
}

/* Measures one case, of `items` equal pieces of work, for all its implementations (at most BENCH_JOBS). */
static inline void bench_measure(const char *area, const char *name, bench_unit unit, double items,
                                 const bench_job *jobs, int count) {
    static double times[BENCH_JOBS][BENCH_RUNS];
    bench_answer answers[BENCH_JOBS];
    int repeats[BENCH_JOBS];
    for (int j = 0; j < count; ++j)
        repeats[j] = bench_repeats(&jobs[j], bench_sample(&jobs[j], 1, &answers[j]));
    for (int i = 0; i < BENCH_RUNS; ++i) {
        for (int j = 0; j < count; ++j) times[j][i] = bench_sample(&jobs[j], repeats[j], &answers[j]);
    }
    for (int j = 0; j < count; ++j)
        bench_report(area, name, &jobs[j], &unit, items, times[j], BENCH_RUNS, &answers[j]);
    fflush(stdout);
}

#endif
