/* boxes_ours: collide.h's contacts of two oriented boxes: each pair on its own, with what is remembered of it, and many in one call. */
#include "boxes.h"
#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

typedef struct scene {
    int tracked;
    cd_obb *a, *b;
    cd_cache *caches;
    cd_manifold *manifolds;
} scene;

static cd_obb box_of(const bench_box *b) {
    cd_obb r;
    r.center = cd_vec3_make(b->center[0], b->center[1], b->center[2]);
    r.half = cd_vec3_make(b->half[0], b->half[1], b->half[2]);
    for (int i = 0; i < 3; ++i) r.axes.col[i] = cd_vec3_make(b->axes[i][0], b->axes[i][1], b->axes[i][2]);
    return r;
}

static void *prepare(const bench_boxes *pairs, int count, int tracked) {
    scene *s = (scene *)pg_alloc(sizeof *s);
    size_t n = (size_t)count;
    s->tracked = tracked;
    s->a = (cd_obb *)pg_alloc(n * sizeof *s->a);
    s->b = (cd_obb *)pg_alloc(n * sizeof *s->b);
    s->manifolds = (cd_manifold *)pg_alloc(n * sizeof *s->manifolds);
    s->caches = (cd_cache *)pg_alloc(n * sizeof *s->caches);
    memset(s->caches, 0, n * sizeof *s->caches);
    for (int i = 0; i < count; ++i) {
        s->a[i] = box_of(&pairs[i].a);
        s->b[i] = box_of(&pairs[i].b);
    }
    return s;
}

static void release(void *prepared) {
    scene *s = (scene *)prepared;
    free(s->a);
    free(s->b);
    free(s->manifolds);
    free(s->caches);
    free(s);
}

static void answer_add(bench_answer *sum, const cd_manifold *m, bench_contact *out) {
    double depth = 0.0;
    for (uint32_t i = 0; i < m->count; ++i)
        if (-(double)m->points[i].distance > depth) depth = -(double)m->points[i].distance;
    ++sum->count;
    sum->distance_sum += depth;
    if (!out) return;
    out->depth = depth;
    out->points = (int)m->count;
    out->normal[0] = (double)m->normal.x;
    out->normal[1] = (double)m->normal.y;
    out->normal[2] = (double)m->normal.z;
}

static bench_answer run_with(scene *s, int count, cd_cache *caches, bench_contact *out) {
    bench_answer sum = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_manifold m;
        if (out) out[i].points = 0;
        if (cd_collide_obb_obb(&s->a[i], &s->b[i], NULL, NULL, caches ? &caches[i % s->tracked] : NULL, &m))
            answer_add(&sum, &m, out ? &out[i] : NULL);
    }
    return sum;
}

static bench_answer run(void *prepared, int count, bench_contact *out) {
    return run_with((scene *)prepared, count, NULL, out);
}

static bench_answer run_cached(void *prepared, int count, bench_contact *out) {
    scene *s = (scene *)prepared;
    return run_with(s, count, s->caches, out);
}

static bench_answer run_batch(void *prepared, int count, bench_contact *out) {
    scene *s = (scene *)prepared;
    bench_answer sum = {0, 0, 0.0};
    cd_collide_obbs(s->a, s->b, NULL, (size_t)count, NULL, NULL, s->manifolds);
    for (int i = 0; i < count; ++i) {
        if (out) out[i].points = 0;
        if (s->manifolds[i].count > 0) answer_add(&sum, &s->manifolds[i], out ? &out[i] : NULL);
    }
    return sum;
}

#ifdef BENCH_BOXES_CONVEX
/* The same boxes as any two bodies. */
static bench_answer run_convex(void *prepared, int count, bench_contact *out) {
    scene *s = (scene *)prepared;
    bench_answer sum = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_support a = cd_support_of_obb(&s->a[i]), b = cd_support_of_obb(&s->b[i]);
        cd_manifold m;
        if (out) out[i].points = 0;
        if (cd_collide_convex(&a, &b, NULL, NULL, NULL, &m)) answer_add(&sum, &m, out ? &out[i] : NULL);
    }
    return sum;
}
const bench_boxes_table BENCH_BOXES_CONVEX = {BENCH_NAME "-convex", prepare, release, run_convex};
#endif

const bench_boxes_table BENCH_BOXES = {BENCH_NAME, prepare, release, run};
const bench_boxes_table BENCH_BOXES_CACHED = {BENCH_NAME "-cached", prepare, release, run_cached};
const bench_boxes_table BENCH_BOXES_BATCH = {BENCH_NAME "-batch", prepare, release, run_batch};
