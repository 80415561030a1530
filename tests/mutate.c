/* mutate.c - what tests/mutate.py links to the tests: it runs the cases named on the standard input, ends at the first failed check,
 * bounds memory and time, and tells what code a case runs through.
 *
 * The harness's functions are wrapped by the linker (--wrap), so that nothing in it need know of this. */
#define _GNU_SOURCE
#include "test.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

test_counts test_counted;
int test_isa_level = 2;
const bool test_library_is_measured = false; /* its stack */

enum { FAILED = 3, NAMES = 20000 };

static struct {
    const char *suite;
    char *names[NAMES]; /* suite/case, sorted; none: all */
    int count;
    FILE *cover;
    bool go_on; /* after a failure */
} state;

bool mutate_suite(const char *name);
bool __real_test_begin(const char *name);
bool __wrap_test_begin(const char *name);
bool __real_test_end(void);
bool __wrap_test_end(void);
bool __real_test_check(bool held, const char *what, const char *file, int line);
bool __wrap_test_check(bool held, const char *what, const char *file, int line);
bool __real_test_check_int(long long got, long long want, const char *what, const char *file, int line);
bool __wrap_test_check_int(long long got, long long want, const char *what, const char *file, int line);
bool __real_test_check_near(double got, double want, double margin, const char *what, const char *file,
                            int line);
bool __wrap_test_check_near(double got, double want, double margin, const char *what, const char *file,
                            int line);
bool __real_test_check_ulps(double got, double want, double units, double size, const char *what,
                            const char *file, int line);
bool __wrap_test_check_ulps(double got, double want, double units, double size, const char *what,
                            const char *file, int line);
bool __real_test_check_same(double got, double want, const char *what, const char *file, int line);
bool __wrap_test_check_same(double got, double want, const char *what, const char *file, int line);
bool __real_test_check_vec(cd_vec3 got, cd_vec3 want, double margin, const char *what, const char *file,
                           int line);
bool __wrap_test_check_vec(cd_vec3 got, cd_vec3 want, double margin, const char *what, const char *file,
                           int line);

/* ---- what code is run ---- */

/* Compiled with -fsanitize-coverage=trace-pc, the library calls this wherever a basic block begins. */
enum { SEEN = 1 << 26, MET = 1 << 20 };
extern char __executable_start[];
void __sanitizer_cov_trace_pc(void);
static unsigned char seen[SEEN];
static uint32_t met[MET];
static uint32_t met_count;

void __sanitizer_cov_trace_pc(void) {
    uintptr_t at = (uintptr_t)__builtin_return_address(0), place = at - (uintptr_t)__executable_start;
    if (place >= SEEN || seen[place] || met_count == MET) return;
    seen[place] = 1;
    met[met_count++] = (uint32_t)at;
}

static void cover_begin(void) {
    for (uint32_t i = 0; i < met_count; ++i) seen[met[i] - (uintptr_t)__executable_start] = 0;
    met_count = 0;
}

/* A line with the case and a number, and then as many addresses of four bytes. */
static void cover_end(const char *name) {
    fprintf(state.cover, "%s/%s %" PRIu32 "\n", state.suite, name, met_count);
    fwrite(met, sizeof *met, met_count, state.cover);
    fflush(state.cover);
}

/* ---- which cases ---- */

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void limit(int resource, const char *variable) {
    const char *value = getenv(variable);
    struct rlimit at;
    if (!value) return;
    at.rlim_cur = at.rlim_max = (rlim_t)atof(value);
    setrlimit(resource, &at);
}

static void __attribute__((constructor)) begin(void) {
    static char line[300];
    const char *cover = getenv("MUTATE_COVER");
    limit(RLIMIT_AS, "MUTATE_BYTES");
    limit(RLIMIT_CPU, "MUTATE_SECONDS");
    limit(RLIMIT_CORE, "MUTATE_CORE");
    if (getenv("MUTATE_WALL")) alarm((unsigned)atoi(getenv("MUTATE_WALL")));
    state.go_on = getenv("MUTATE_GO_ON") != NULL;
    if (cover) state.cover = fopen(cover, "wb");
    while (state.count < NAMES && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        state.names[state.count++] = strdup(line);
    }
    qsort(state.names, (size_t)state.count, sizeof *state.names, compare_names);
}

/* Called before each suite. */
bool mutate_suite(const char *name) {
    size_t n = strlen(name);
    state.suite = name;
    if (!state.count) return true;
    for (int i = 0; i < state.count; ++i)
        if (!strncmp(state.names[i], name, n) && state.names[i][n] == '/') return true;
    return false;
}

static const char *running;

bool __wrap_test_begin(const char *name) {
    char full[300], *key = full;
    snprintf(full, sizeof full, "%s/%s", state.suite, name);
    if (state.count && !bsearch(&key, state.names, (size_t)state.count, sizeof *state.names, compare_names))
        return false;
    running = name;
    cover_begin();
    return __real_test_begin(name);
}

bool __wrap_test_end(void) {
    if (state.cover) cover_end(running);
    return __real_test_end();
}

/* ---- checks ---- */

static bool ends_if_not(bool held) {
    if (held || state.go_on) return held;
    printf("killed %s/%s\n", state.suite, running);
    fflush(stdout);
    _exit(FAILED);
}

bool __wrap_test_check(bool held, const char *what, const char *file, int line) {
    return ends_if_not(__real_test_check(held, what, file, line));
}

bool __wrap_test_check_int(long long got, long long want, const char *what, const char *file, int line) {
    return ends_if_not(__real_test_check_int(got, want, what, file, line));
}

bool __wrap_test_check_near(double got, double want, double margin, const char *what, const char *file,
                            int line) {
    return ends_if_not(__real_test_check_near(got, want, margin, what, file, line));
}

bool __wrap_test_check_ulps(double got, double want, double units, double size, const char *what,
                            const char *file, int line) {
    return ends_if_not(__real_test_check_ulps(got, want, units, size, what, file, line));
}

bool __wrap_test_check_same(double got, double want, const char *what, const char *file, int line) {
    return ends_if_not(__real_test_check_same(got, want, what, file, line));
}

bool __wrap_test_check_vec(cd_vec3 got, cd_vec3 want, double margin, const char *what, const char *file,
                           int line) {
    return ends_if_not(__real_test_check_vec(got, want, margin, what, file, line));
}
