/* The runner of the suites; see test.h. */
#include "test.h"
#include <inttypes.h>
#include <math.h>
#ifndef __wasm__ /* has no signals */
#include <signal.h>
#endif
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SUITE(name) void suite_##name(void);
#include "suites.inc"
#undef SUITE

static struct {
    const char *suite, *name;
    char **filter;
    int filters;
    uint64_t seed; /* of the case's run in hand */
    double size;
    double each; /* seconds in which a case that draws runs again and again */
    bool drawn;  /* has the run in hand asked for random numbers? */
    uint64_t first_seed;
    long runs;     /* of all cases */
    int isa_level; /* that of all cases; -1: by their names */
    int passed, failed, skipped;
    int failures; /* of the case */
    bool left_out;
    bool timed, tabled;
    double begun;
    struct row *asked,
        *row; /* of the table: the question, and the same as long as nothing is wrong with the answer */
    test_inputs inputs;
} now;

enum { SHOWN = 5 }; /* failures printed of one case */

/* ---- the table ---- */

enum { ROWS = 4096 };

typedef struct row {
    const char *by, *routine;
    int length; /* of the routine's name */
    long tried[TEST_INPUTS], wrong;
    double ulps, share; /* the worst error: in units of the last place, as a share of what is allowed */
} row;

static struct {
    row rows[ROWS];
    int count, at[2 * ROWS]; /* by the hash of both names, 1 + the index */
} table;

static row *row_of(const char *by, const char *routine, int length) {
    uint64_t hash = test_hash(test_hash(TEST_HASH_START, by, strlen(by)), routine, (size_t)length);
    for (;; ++hash) {
        int *at = &table.at[hash % (2 * ROWS)];
        row *r;
        if (!*at && table.count == ROWS) return NULL;
        if (!*at) {
            *at = ++table.count;
            table.rows[*at - 1].by = by;
            table.rows[*at - 1].routine = routine;
            table.rows[*at - 1].length = length;
        }
        r = &table.rows[*at - 1];
        if (r->length == length && !memcmp(r->routine, routine, (size_t)length) && !strcmp(r->by, by))
            return r;
    }
}

void test_asked(const char *by, const char *call) {
    now.row = row_of(by, call, (int)strcspn(call, "("));
    now.asked = now.row;
    if (now.row) ++now.row->tried[now.inputs];
}

void test_inputs_are(test_inputs inputs) {
    now.inputs = inputs;
}

static void judged_wrong(void) {
    if (now.row) ++now.row->wrong;
    now.row = NULL;
}

static void judged_off(double off, double margin, double unit) {
    if (!now.asked || !(off > 0)) return;
    if (margin > 0) now.asked->share = fmax(now.asked->share, off / margin);
    if (unit > 0) now.asked->ulps = fmax(now.asked->ulps, off / unit);
}

/* One line a row, for tests/proof.sh: judged by, routine, tried of each kind of input, wrong, worst in ulps, worst as a share. */
static void print_table(void) {
    for (int i = 0; i < table.count; ++i) {
        const row *r = &table.rows[i];
        printf("row\t%s\t%.*s", r->by, r->length, r->routine);
        for (int k = 0; k < TEST_INPUTS; ++k) printf("\t%ld", r->tried[k]);
        printf("\t%ld\t%.3g\t%.3g\n", r->wrong, r->ulps, r->share);
    }
}

static double calls_judged(void) {
    double calls = 0;
    for (int i = 0; i < table.count; ++i)
        for (int k = 0; k < TEST_INPUTS; ++k) calls += (double)table.rows[i].tried[k];
    return calls;
}

/* ---- checks ---- */

static bool report(bool held, const char *what, const char *file, int line, const char *format, ...) {
    va_list args;
    if (held) return true;
    judged_wrong();
    if (now.failures++ >= SHOWN) return false;
    printf("%s:%d: %s/%s (seed %" PRIu64 ", level %d): %s", file, line, now.suite, now.name, now.seed,
           test_isa_level, what);
    va_start(args, format);
    vprintf(format, args);
    va_end(args);
    printf("\n");
    if (test_noted[0]) printf("    with %s\n", test_noted);
    return false;
}

bool test_check(bool held, const char *what, const char *file, int line) {
    return report(held, what, file, line, ": got false, wanted true");
}

bool test_check_int(long long got, long long want, const char *what, const char *file, int line) {
    return report(got == want, what, file, line, ": got %lld, wanted %lld", got, want);
}

bool test_check_near(double got, double want, double margin, const char *what, const char *file, int line) {
    bool held = got == want || fabs(got - want) <= margin;
    judged_off(fabs(got - want), margin, 0);
    return report(held, what, file, line, ": got %.17g (%a), wanted %.17g (%a) within %g", got, got, want,
                  want, margin);
}

bool test_check_ulps(double got, double want, double units, double size, const char *what, const char *file,
                     int line) {
    judged_off(fabs(got - want), 0, (double)CD_REAL_EPSILON * size);
    return test_check_near(got, want, units * (double)CD_REAL_EPSILON * size, what, file, line);
}

bool test_check_same(double got, double want, const char *what, const char *file, int line) {
    bool held = got == want || (got != got && want != want);
    return report(held, what, file, line, ": got %.17g (%a), wanted %.17g (%a)", got, got, want, want);
}

bool test_check_vec(cd_vec3 got, cd_vec3 want, double margin, const char *what, const char *file, int line) {
    double g[3] = {(double)got.x, (double)got.y, (double)got.z},
           w[3] = {(double)want.x, (double)want.y, (double)want.z};
    bool held = true;
    for (int i = 0; i < 3; ++i) {
        held = held && (g[i] == w[i] || fabs(g[i] - w[i]) <= margin);
        judged_off(fabs(g[i] - w[i]), margin, 0);
    }
    return report(held, what, file, line,
                  ": got (%.17g, %.17g, %.17g), wanted (%.17g, %.17g, %.17g) within %g", g[0], g[1], g[2],
                  w[0], w[1], w[2], margin);
}

/* ---- random numbers ---- */

test_rng test_random(void) {
    test_rng r;
    now.drawn = true;
    r.state = now.seed ^ test_hash(TEST_HASH_START, now.name, strlen(now.name));
    return r;
}

/* When the processor time of `ulimit -S -t` is used up the next draw ends the run: a sanitizer tells at exit what it has seen
 * (tests/numerical.py). */
#ifdef SIGXCPU
static volatile sig_atomic_t time_is_up;

static void use_up_time(int signal) {
    (void)signal;
    time_is_up = 1;
}
#else
enum { time_is_up = 0 };
#endif

uint64_t test_next(test_rng *r) {
    uint64_t z = r->state += 0x9E3779B97F4A7C15u;
    if (time_is_up) exit(3);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double test_unit(test_rng *r) {
    return (double)(test_next(r) >> 11) * (1.0 / 9007199254740992.0);
}

double test_range(test_rng *r, double lo, double hi) {
    return lo + (hi - lo) * test_unit(r);
}

int test_int(test_rng *r, int lo, int hi) {
    return lo + (int)(test_next(r) % (uint64_t)(hi - lo + 1));
}

/* ---- cases ---- */

long test_times(long n) {
    long times = (long)((double)n * now.size);
    return times > 0 ? times : 1;
}

bool test_is_small(void) {
    return now.size < 0.1;
}

bool test_draws_enough(void) {
    return now.size >= 1 || (!test_is_small() && now.seed <= 2);
}

bool test_is_tiny(void) {
    return now.size < 0.02;
}

void test_skip(const char *why) {
    printf("skipped %s/%s: %s\n", now.suite, now.name, why);
    now.left_out = true;
}

static bool chosen(const char *name) {
    char full[200];
    snprintf(full, sizeof full, "%s/%s", now.suite, name);
    for (int i = 0; i < now.filters; ++i) {
        if (strstr(full, now.filter[i])) return true;
    }
    return now.filters == 0;
}

/* Of the processor; WASI has no clock of that kind. */
static double seconds_used(void) {
#ifdef __wasi__
    return 0;
#else
    return (double)clock() / CLOCKS_PER_SEC;
#endif
}

/* Before each run of the case in hand. Instances of the kernels take turns from run to run, too. */
static void begin_run(void) {
    uint64_t turn = test_hash(TEST_HASH_START, now.name, strlen(now.name)) + now.seed - now.first_seed;
    ++now.runs;
    now.drawn = false;
    test_noted[0] = 0;
    now.asked = now.row = NULL;
    now.inputs = TEST_OTHER;
    test_isa_level = now.isa_level >= 0 ? now.isa_level : (int)(turn % 3);
}

bool test_begin(const char *name) {
    if (!chosen(name)) return false;
    now.name = name;
    now.failures = 0;
    now.left_out = false;
    now.begun = seconds_used();
    begin_run();
    return true;
}

bool test_end(void) {
    double took = seconds_used() - now.begun;
    if (now.drawn && !now.failures && !now.left_out && took < now.each) {
        ++now.seed;
        begin_run();
        return true;
    }
    now.seed = now.first_seed;
    if (now.failures > SHOWN)
        printf("    ... and %d more in %s/%s\n", now.failures - SHOWN, now.suite, now.name);
    if (now.failures) {
        ++now.failed;
    } else if (now.left_out) {
        ++now.skipped;
    } else {
        ++now.passed;
    }
    if (now.timed) printf("took %.3f %s/%s\n", took, now.suite, now.name);
    fflush(stdout);
    return false;
}

/* May a filter name a case of the suite? Of those that hold a slash, what is before it ends the suite's name: what the suite makes
 * ready for its cases takes time, too. */
static bool suite_is_chosen(const char *suite) {
    for (int i = 0; i < now.filters; ++i) {
        size_t part = strcspn(now.filter[i], "/"), length = strlen(suite);
        if (!now.filter[i][part]) return true;
        if (part <= length && !strncmp(suite + length - part, now.filter[i], part)) return true;
    }
    return now.filters == 0;
}

static void run_suites(void) {
#define SUITE(name)                                                                                          \
    now.suite = #name;                                                                                       \
    if (suite_is_chosen(#name)) suite_##name();
#include "suites.inc"
#undef SUITE
}

int main(int argc, char **argv) {
#ifdef SIGXCPU
    signal(SIGXCPU, use_up_time);
#endif
    now.first_seed = 1;
    now.size = 0.1;
    now.isa_level = -1;
    for (int i = 1; i < argc; ++i) {
        if (!strcmp(argv[i], "-s") && i + 1 < argc) {
            now.first_seed = strtoull(argv[++i], NULL, 10);
        } else if (!strcmp(argv[i], "-x") && i + 1 < argc) {
            now.size = atof(argv[++i]);
        } else if (!strcmp(argv[i], "-e") && i + 1 < argc) {
            now.each = atof(argv[++i]);
        } else if (!strcmp(argv[i], "-i") && i + 1 < argc) {
            now.isa_level = atoi(argv[++i]);
        } else if (!strcmp(argv[i], "-t")) {
            now.timed = true;
        } else if (!strcmp(argv[i], "-p")) {
            now.tabled = true;
        } else if (argv[i][0] == '-') {
            fprintf(stderr,
                    "usage: %s [-s seed] [-x size: 0.1 test, 1 in full] [-e seconds: each case again with "
                    "the next seeds, so long] [-i instances: 0, 1, 2] [-t: print seconds] "
                    "[-p: print the rows of make proof] [part of suite/case ...]\n",
                    argv[0]);
            return 2;
        } else {
            now.filter = argv + i;
            now.filters = argc - i;
            break;
        }
    }
    now.seed = now.first_seed;
    run_suites();
    if (now.tabled) print_table();
    if (now.each > 0)
        printf("%ld runs of cases, %.0f calls of %d kinds judged\n", now.runs, calls_judged(), table.count);
    if (now.skipped) printf("%d skipped\n", now.skipped);
    if (now.passed + now.failed == 0) {
        printf("no case has such a name\n");
        now.failed = 1;
    }
    printf("%d passed, %d failed\n", now.passed, now.failed);
    return now.failed ? 1 : 0;
}
