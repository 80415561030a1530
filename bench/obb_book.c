/* obb_book: the test of Ericson's book (4.4.1) in floats, with its epsilon of 1e-6 and its one slip mended. */
#include "obb.h"
#include <math.h>

static void *prepare(const bench_boxes *pairs, int count) {
    size_t size = (size_t)count * sizeof *pairs;
    return memcpy(pg_alloc(size), pairs, size);
}

static float dot(const float a[3], const float b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static int meet(const bench_box *a, const bench_box *b) {
    float r[3][3], abs_r[3][3], t[3], d[3], ra, rb;
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            r[i][j] = dot(a->axes[i], b->axes[j]);
            abs_r[i][j] = fabsf(r[i][j]) + 1e-6f;
        }
        d[i] = b->center[i] - a->center[i];
    }
    for (int i = 0; i < 3; ++i) t[i] = dot(d, a->axes[i]);
    for (int i = 0; i < 3; ++i) {
        if (fabsf(t[i]) > a->half[i] + dot(abs_r[i], b->half)) return 0;
    }
    for (int j = 0; j < 3; ++j) {
        ra = a->half[0] * abs_r[0][j] + a->half[1] * abs_r[1][j] + a->half[2] * abs_r[2][j];
        if (fabsf(t[0] * r[0][j] + t[1] * r[1][j] + t[2] * r[2][j]) > ra + b->half[j]) return 0;
    }
    for (int i = 0; i < 3; ++i) {
        int i1 = (i + 1) % 3, i2 = (i + 2) % 3;
        for (int j = 0; j < 3; ++j) {
            int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            ra = a->half[i1] * abs_r[i2][j] + a->half[i2] * abs_r[i1][j];
            rb = b->half[j1] * abs_r[i][j2] + b->half[j2] * abs_r[i][j1];
            if (fabsf(t[i2] * r[i1][j] - t[i1] * r[i2][j]) > ra + rb) return 0;
        }
    }
    return 1;
}

static bench_answer run(const void *prepared, int count, unsigned char *meets) {
    const bench_boxes *p = (const bench_boxes *)prepared;
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) bench_meets(&answer, meets, i, meet(&p[i].a, &p[i].b));
    return answer;
}

const bench_obb bench_obb_book = {"book-f32", prepare, free, run};
