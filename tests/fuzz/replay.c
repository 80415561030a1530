/* replay.c - runs a fuzz target without libFuzzer: on the files given, or on so many inputs from a fixed seed.
 *
 *     target FILE...          each file once
 *     target [-runs=N]        N random inputs (1000), the same on every machine; -seed=S for others */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C"
#endif
    int
    LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST = 4096 };

static uint64_t state = 1;

static uint64_t next(void) {
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

/* In memory of its own size, so that a sanitizer sees what is read behind the end. */
static void run(const uint8_t *bytes, size_t size) {
    uint8_t *copy = (uint8_t *)malloc(size ? size : 1);
    if (!copy) exit(2);
    memcpy(copy, bytes, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

static int run_file(const char *name) {
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(name, "rb");
    size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
    if (!file) return fprintf(stderr, "cannot read %s\n", name), 1;
    fclose(file);
    run(bytes, size);
    return 0;
}

/* Of any length, some bytes small, some the same as others. */
static void run_random(void) {
    uint8_t bytes[MOST];
    size_t size = (size_t)(next() % (next() % 4 ? 256 : MOST));
    int kind = (int)(next() % 3);
    for (size_t i = 0; i < size; ++i) {
        uint64_t x = next();
        bytes[i] = (uint8_t)x;
        if (kind == 1 && x >> 60 < 8) bytes[i] = (uint8_t)(x & 3);
        if (kind == 2 && i > 8 && x >> 60 < 8) bytes[i] = bytes[i - (x >> 8 & 7)];
    }
    run(bytes, size);
}

int main(int argc, char **argv) {
    long runs = 1000;
    int failed = 0, files = 0;
    for (int i = 1; i < argc; ++i) {
        if (!strncmp(argv[i], "-runs=", 6)) {
            runs = atol(argv[i] + 6);
        } else if (!strncmp(argv[i], "-seed=", 6)) {
            state = strtoull(argv[i] + 6, NULL, 10);
        } else {
            failed |= run_file(argv[i]);
            ++files;
        }
    }
    for (long i = 0; i < runs && !files; ++i) run_random();
    printf("%ld runs\n", files ? (long)files : runs);
    return failed;
}
