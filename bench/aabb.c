/* aabb: the boxes of turned hulls, of turned boxes and of many points. BENCH_NAME is what the lines call the flags.
 *
 * Plain is the loop one would write: every vertex turned in the library's own numbers, the smallest and largest kept; it rounds
 * where it likes, so that some vertices are outside of its boxes. */
#include "bench.h"
#include "workloads.h"
#include <string.h>

#ifndef BENCH_NAME
#define BENCH_NAME "name"
#endif
#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

enum { TURNS = 256, BOXES = 4096 };

typedef struct task {
    cd_hull hull;
    cd_transform turns[TURNS];
    cd_aabb_climb_cache cache;
    const cd_vec3 *points;
    size_t count;
    cd_aabb *boxes;
} task;

static cd_vec3 vec_of(const float p[3]) {
    return cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
}

static void add(bench_answer *a, cd_aabb b) {
    ++a->count;
    a->distance_sum += (double)b.max.x - (double)b.min.x + (double)b.max.y - (double)b.min.y +
                       (double)b.max.z - (double)b.min.z;
}

/* ---- hulls ---- */

static cd_aabb plain_turned(const cd_vec3 *v, size_t count, const cd_transform *t) {
    cd_mat3 m = cd_quat_to_mat3(t->rotation);
    cd_aabb b = cd_aabb_empty();
    for (size_t i = 0; i < count; ++i) {
        cd_vec3 p;
        p.x = m.col[0].x * v[i].x + m.col[1].x * v[i].y + m.col[2].x * v[i].z + t->position.x;
        p.y = m.col[0].y * v[i].x + m.col[1].y * v[i].y + m.col[2].y * v[i].z + t->position.y;
        p.z = m.col[0].z * v[i].x + m.col[1].z * v[i].y + m.col[2].z * v[i].z + t->position.z;
        b = cd_aabb_add_point(b, p);
    }
    return b;
}

static bench_answer run_plain_hull(void *ctx) {
    const task *t = (const task *)ctx;
    cd_hull_parts h = cd_hull_get_parts(&t->hull);
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < TURNS; ++i) add(&a, plain_turned(h.vertices, h.vertex_count, &t->turns[i]));
    return a;
}

static bench_answer run_full_pass(void *ctx) {
    const task *t = (const task *)ctx;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < TURNS; ++i) add(&a, cd_aabb_from_hull(&t->hull, &t->turns[i]));
    return a;
}

static bench_answer run_climb(void *ctx) {
    task *t = (task *)ctx;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < TURNS; ++i) add(&a, cd_aabb_climb(&t->hull, &t->turns[i], &t->cache));
    return a;
}

/* Turned on by 0.02 a step, and at random. */
static void make_turns(task *t, int coherent) {
    cd_quat q = cd_quat_identity(), step = cd_quat_from_axis_angle(cd_vec3_make(1, 2, 3), (cd_real)0.02);
    pg_rng r = {77};
    for (int i = 0; i < TURNS; ++i) {
        if (!coherent) {
            q.x = (cd_real)pg_range(&r, -1, 1);
            q.y = (cd_real)pg_range(&r, -1, 1);
            q.z = (cd_real)pg_range(&r, -1, 1);
            q.w = (cd_real)pg_range(&r, -1, 1);
        } else {
            q = cd_quat_normalize(cd_quat_mul(step, q));
        }
        t->turns[i].rotation = q;
        t->turns[i].position = cd_vec3_make(1, 2, 3);
    }
}

static void add_job(bench_job *job, const char *what, bench_answer (*run)(void *), void *ctx) {
    static char names[BENCH_JOBS * 4][48];
    static int used = 0;
    char *name = names[used++ % (BENCH_JOBS * 4)];
    snprintf(name, sizeof names[0], "%s-%s", what, BENCH_NAME);
    job->implementation = name;
    job->run = run;
    job->after = NULL;
    job->ctx = ctx;
}

static void measure_hulls(int count) {
    float(*from)[3] = (float(*)[3])pg_alloc((size_t)count * sizeof *from);
    cd_vec3 *points = (cd_vec3 *)pg_alloc((size_t)count * sizeof *points);
    task *t = (task *)pg_alloc(sizeof *t);
    pg_points(PG_ON_SPHERE, count, 900, from);
    for (int i = 0; i < count; ++i) points[i] = vec_of(from[i]);
    if (cd_hull3_build(&t->hull, points, (size_t)count, NULL) != CD_OK) exit(1);
    for (int coherent = 0; coherent < 2; ++coherent) {
        bench_job jobs[3];
        char name[64];
        make_turns(t, coherent);
        memset(&t->cache, 0, sizeof t->cache);
        snprintf(name, sizeof name, "turned-hull-%d-%s", count, coherent ? "steps" : "random");
        add_job(&jobs[0], "climb", run_climb, t);
        add_job(&jobs[1], "full-pass", run_full_pass, t);
        add_job(&jobs[2], "plain", run_plain_hull, t);
        bench_measure("aabb", name, bench_ns, TURNS, jobs, 3);
    }
    cd_hull_destroy(&t->hull);
    free(t);
    free(points);
    free(from);
}

/* ---- boxes and points ---- */

/* Ericson 4.2.6 as printed, in the library's own numbers: not rounded outward. */
static cd_aabb plain_box(cd_aabb b, const cd_mat3 *m, cd_vec3 at) {
    cd_aabb r;
    r.min = r.max = at;
    for (int k = 0; k < 3; ++k) {
        const cd_real *column = &m->col[k].x, lo = (&b.min.x)[k], hi = (&b.max.x)[k];
        for (int i = 0; i < 3; ++i) {
            cd_real e = column[i] * lo, f = column[i] * hi;
            (&r.min.x)[i] += e < f ? e : f;
            (&r.max.x)[i] += e < f ? f : e;
        }
    }
    return r;
}

static bench_answer run_plain_boxes(void *ctx) {
    const task *t = (const task *)ctx;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < BOXES; ++i) {
        cd_mat3 m = cd_quat_to_mat3(t->turns[i % TURNS].rotation);
        add(&a, plain_box(t->boxes[i], &m, t->turns[i % TURNS].position));
    }
    return a;
}

static bench_answer run_boxes(void *ctx) {
    const task *t = (const task *)ctx;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < BOXES; ++i) add(&a, cd_aabb_transform(t->boxes[i], &t->turns[i % TURNS]));
    return a;
}

static bench_answer run_points(void *ctx) {
    const task *t = (const task *)ctx;
    bench_answer a = {0, 0, 0.0};
    add(&a, cd_aabb_from_points(t->points, t->count));
    return a;
}

static bench_answer run_plain_points(void *ctx) {
    const task *t = (const task *)ctx;
    bench_answer a = {0, 0, 0.0};
    cd_aabb b = cd_aabb_empty();
    for (size_t i = 0; i < t->count; ++i) b = cd_aabb_add_point(b, t->points[i]);
    add(&a, b);
    return a;
}

static void measure_boxes(void) {
    task *t = (task *)pg_alloc(sizeof *t);
    bench_job jobs[2];
    pg_rng r = {78};
    make_turns(t, 0);
    t->boxes = (cd_aabb *)pg_alloc(BOXES * sizeof *t->boxes);
    for (int i = 0; i < BOXES; ++i) {
        cd_vec3 p[2];
        for (int k = 0; k < 6; ++k) (&p[k / 3].x)[k % 3] = (cd_real)pg_range(&r, -1, 1);
        t->boxes[i] = cd_aabb_from_points(p, 2);
    }
    add_job(&jobs[0], "ours", run_boxes, t);
    add_job(&jobs[1], "plain", run_plain_boxes, t);
    bench_measure("aabb", "turned-box", bench_ns, BOXES, jobs, 2);
    free(t->boxes);
    free(t);
}

static void measure_points(int count) {
    float(*from)[3] = (float(*)[3])pg_alloc((size_t)count * sizeof *from);
    cd_vec3 *points = (cd_vec3 *)pg_alloc((size_t)count * sizeof *points);
    task *t = (task *)pg_alloc(sizeof *t);
    bench_job jobs[2];
    char name[64];
    pg_points(PG_IN_BALL, count, 901, from);
    for (int i = 0; i < count; ++i) points[i] = vec_of(from[i]);
    t->points = points;
    t->count = (size_t)count;
    snprintf(name, sizeof name, "points-%d", count);
    add_job(&jobs[0], "ours", run_points, t);
    add_job(&jobs[1], "plain", run_plain_points, t);
    bench_measure("aabb", name, bench_ns, count, jobs, 2);
    free(t);
    free(points);
    free(from);
}

int main(void) {
    static const int hulls[] = {8, 32, 128, 512, 2048};
    for (int i = 0; i < 5; ++i) measure_hulls(hulls[i]);
    measure_boxes();
    measure_points(1000);
    measure_points(100000);
    return 0;
}
