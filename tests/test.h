/* test.h - the harness: checks that go on after a failure, cases with a name and a seed, three sizes.
 *
 * A suite is a file test_<name>.c with one function `void suite_<name>(void)`; the Makefile finds it. It runs its cases
 * with RUN(function). A failed check prints where it stands, what it got and wanted, the case, the seed, and the note:
 * the last input that test_note described, in hex floats, enough to try it again. */
#ifndef TEST_H
#define TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Work counted inside the library; set it to zero before the call in question. */
typedef struct test_counts {
    uint64_t node, triangle, sweep, build, halfspace, hull, rect, obb_tried, obb_measured, ball, corner,
        memory;
} test_counts;
extern test_counts test_counted;

/* Which instances of the kernels the library may take: 0 those of the baseline, 1 for AVX2, 2 for AVX-512, too. Cases begin with
 * one of the three, by their names, or with that of the command line. */
extern int test_isa_level;

/* Is the library made by the compiler and the flags of the numbers in its documentation that say how much stack calls take? */
extern const bool test_library_is_measured;

#include "collide.h"

/* Runs a case unless the command line leaves it out. */
#define RUN(function)                                                                                        \
    do {                                                                                                     \
        if (test_begin(#function)) {                                                                         \
            do function();                                                                                   \
            while (test_end());                                                                              \
        }                                                                                                    \
    } while (0)

/* Checks. Each is an expression: whether it held. */
#define CHECK(condition)     test_check((condition) ? true : false, #condition, __FILE__, __LINE__)
#define CHECK_INT(got, want) test_check_int((long long)(got), (long long)(want), #got, __FILE__, __LINE__)
#define CHECK_NEAR(got, want, margin)                                                                        \
    test_check_near((double)(got), (double)(want), (margin), #got, __FILE__, __LINE__)
/* Within a number of units in the last place of `size`; the table of `make proof` tells the most that was seen. */
#define CHECK_ULPS(got, want, units, size)                                                                   \
    test_check_ulps((double)(got), (double)(want), (units), (size), #got, __FILE__, __LINE__)
#define CHECK_SAME(got, want)        test_check_same((double)(got), (double)(want), #got, __FILE__, __LINE__)
#define CHECK_VEC(got, want, margin) test_check_vec((got), (want), (margin), #got, __FILE__, __LINE__)

bool test_check(bool held, const char *what, const char *file, int line);
bool test_check_int(long long got, long long want, const char *what, const char *file, int line);
bool test_check_near(double got, double want, double margin, const char *what, const char *file, int line);
bool test_check_ulps(double got, double want, double units, double size, const char *what, const char *file,
                     int line);
bool test_check_same(double got, double want, const char *what, const char *file,
                     int line); /* equal, or both NaN */
bool test_check_vec(cd_vec3 got, cd_vec3 want, double margin, const char *what, const char *file, int line);

bool test_begin(const char *name);
bool test_end(void); /* is the case to run again, with the next seed? */

/* The numbers of a struct of numbers, one after another. */
#define REALS(thing) ((cd_real *)(void *)&(thing))

/* Describes the input in hand; kept, and printed only when a check fails. */
void test_note(const char *format, ...);
/* Adds numbers to the note, as hex floats: "a = (0x1p+0, 0x0p+0)". */
void test_note_reals(const char *name, const cd_real *values, int count);
extern char test_noted[];

/* ---- the table of `make proof`: what was asked of which routine, and how many answers were wrong ---- */

/* Asks a routine of the library: the value is that of the call. The checks from here to the next question, or to the end of the
 * case, judge the answer: it is wrong when any fails. `by` is what they judge it by: "exact" for exact arithmetic, "judge" for an
 * independent way in wider numbers or a proof, "loop" for brute force over single calls, "samples", "forms" for another form of the
 * same question, "swap", "order", "scale", "motion" for what may not change the answer, "bad" for NaN, infinities and the ends of the
 * range, or the family of stored cases. */
#define ASK(by, ...) (test_asked((by), #__VA_ARGS__), __VA_ARGS__)
void test_asked(const char *by, const char *call); /* both texts must last */

/* What is asked about from now on, to the end of the case: gen_begin says so. */
typedef enum test_inputs {
    TEST_OTHER,
    TEST_UNIT,   /* random in the unit cube */
    TEST_HARD,   /* whole numbers and their neighbours: touching, coplanar, parallel, degenerate */
    TEST_SCALED, /* random sizes of the whole domain */
    TEST_FAR,    /* small things far off */
    TEST_INPUTS
} test_inputs;
void test_inputs_are(test_inputs inputs);

/* How often to repeat: `n` in full; a tenth of it in `make test`, less in most lanes, and in full, with many seeds, in `make soak`. */
long test_times(long n);

/* Have the random inputs of this case shown what they are for? Counts of few draws scatter: below a run in full this is asked only of the seeds
 * of `make test` and `make check`, and not where these run less. */
#define CHECK_SEEN(what) CHECK(!test_draws_enough() || (what))
bool test_draws_enough(void);

/* Is this a run below the size of `make test`? */
bool test_is_small(void);

/* Is this a run on a slow machine, emulated or with a compiler that does not optimise? There, loops over fixed things take a part of
 * them: all of them are taken by the other lanes of `make check`, natively, the sanitizers among them. */
bool test_is_tiny(void);

/* The case is left out: says why, and counts as neither passed nor failed. */
void test_skip(const char *why);

/* Memory that runs out: an allocator that gives `allowed` blocks more, and counts those that are out. */
typedef struct test_memory {
    long allowed, live;
    size_t bytes;
} test_memory;
cd_allocator test_allocator(test_memory *memory);

/* A block of bytes, aligned as saved structures must be, that ends within 63 bytes of its size; never NULL. */
unsigned char *test_block(size_t size);
void test_block_free(void *block);

/* splitmix64; the state is the seed of the case, which differs from case to case and follows -s. */
typedef struct test_rng {
    uint64_t state;
} test_rng;
test_rng test_random(void);
uint64_t test_next(test_rng *r);
double test_unit(test_rng *r);                        /* [0, 1) */
double test_range(test_rng *r, double lo, double hi); /* [lo, hi) */
int test_int(test_rng *r, int lo, int hi);            /* lo...hi */

/* 64-bit FNV-1a over bytes. */
uint64_t test_hash(uint64_t hash, const void *bytes, size_t size);
#define TEST_HASH_START 14695981039346656037u

#endif
