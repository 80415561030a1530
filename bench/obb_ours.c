/* obb_ours: collide.h's tests of two oriented boxes. */
#include "obb.h"
#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

typedef struct pair {
    cd_obb a, b;
} pair;

static cd_obb box_of(const bench_box *b) {
    cd_obb r;
    r.center = cd_vec3_make(b->center[0], b->center[1], b->center[2]);
    r.half = cd_vec3_make(b->half[0], b->half[1], b->half[2]);
    for (int i = 0; i < 3; ++i) r.axes.col[i] = cd_vec3_make(b->axes[i][0], b->axes[i][1], b->axes[i][2]);
    return r;
}

static void *prepare(const bench_boxes *pairs, int count) {
    pair *p = (pair *)pg_alloc((size_t)count * sizeof *p);
    for (int i = 0; i < count; ++i) {
        p[i].a = box_of(&pairs[i].a);
        p[i].b = box_of(&pairs[i].b);
    }
    return p;
}

static bench_answer run(const void *prepared, int count, unsigned char *meets) {
    const pair *p = (const pair *)prepared;
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) bench_meets(&answer, meets, i, cd_test_obb_obb(&p[i].a, &p[i].b));
    return answer;
}

static bench_answer run_fast(const void *prepared, int count, unsigned char *meets) {
    const pair *p = (const pair *)prepared;
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) bench_meets(&answer, meets, i, cd_test_obb_obb_fast(&p[i].a, &p[i].b));
    return answer;
}

const bench_obb BENCH_OBB = {BENCH_NAME, prepare, free, run};
const bench_obb BENCH_OBB_FAST = {BENCH_NAME "-fast", prepare, free, run_fast};
