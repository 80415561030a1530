/* front: two trees asked again and again while one of them turns, with what is remembered and without.
 *
 * Two closed bumpy meshes of 69312 triangles in four places: deep in each other, in each other, just meeting, apart; the second
 * turns by so much a step: not at all, a little, as a body turns in a simulation, fast. All pairs, the pairs within a distance, the
 * first contact and the nearest pair, of 40 steps each. Times are for a step, and so are pairs of nodes that are tested,
 * counted along with them. Where a front does not pay is shown like where it does. */
#include "bench.h"

#include "workloads.h"

static uint64_t counted_node, counted_triangle, counted_sweep, counted_build, counted_halfspace, counted_hull,
    counted_ball, counted_rect, counted_obb_tried, counted_obb_measured, counted_corner;
#define CDI_COUNT(what) ((void)++counted_##what)

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <math.h>
#include <string.h>

enum { STEPS = 40 };

static cd_bvh tree;

/* One way of asking. */
typedef struct task {
    double away, speed, distance;
    int again;
    bench_answer (*step)(struct task *t, const cd_transform *pose);
    cd_bvh_front front;
    cd_pair last;
} task;

static bench_answer all_pairs(task *t, const cd_transform *pose) {
    bench_answer a = {0, 0, 0.0};
    cd_real distance = (cd_real)t->distance;
    a.count = t->again ? cd_bvh_front_pairs(&t->front, &tree, &tree, pose, distance, NULL, NULL, 0)
                       : cd_bvh_within(&tree, &tree, pose, distance, NULL, NULL, 0);
    return a;
}

static bench_answer first_contact(task *t, const cd_transform *pose) {
    bench_answer a = {0, 0, 0.0};
    a.count = cd_bvh_test_bvh_again(&tree, &tree, pose, NULL, t->again ? &t->last : NULL, NULL);
    return a;
}

static bench_answer nearest(task *t, const cd_transform *pose) {
    bench_answer a = {1, 0, 0.0};
    cd_closest c;
    cd_bvh_closest_bvh_again(&tree, &tree, pose, CD_REAL_MAX, NULL, t->again ? &t->last : NULL, &c);
    a.index_sum = (uint64_t)c.index_a + c.index_b;
    return a;
}

/* All steps. The memory begins empty. */
static bench_answer run(void *ctx) {
    task *t = (task *)ctx;
    bench_answer sum = {0, 0, 0.0};
    cd_bvh_front_reset(&t->front);
    t->last.a = t->last.b = CD_NONE;
    for (int i = 0; i < STEPS; ++i) {
        cd_transform pose = cd_transform_identity();
        bench_answer a;
        pose.rotation = cd_quat_from_axis_angle(cd_vec3_make(0, 1, 0), (cd_real)(0.3 + t->speed * i));
        pose.position = cd_vec3_make((cd_real)t->away, (cd_real)0.1, (cd_real)0.05);
        a = t->step(t, &pose);
        sum.count += a.count;
        sum.index_sum += a.index_sum;
    }
    return sum;
}

static void count_tests(const char *name, task *t) {
    char label[96];
    counted_node = 0;
    run(t);
    snprintf(label, sizeof label, "%s/tests", name);
    bench_line("front", label, t->again ? "again" : "plain", (double)counted_node / STEPS, "node-pairs", "-");
}

static void measure(const char *name, task *of) {
    static task tasks[2];
    bench_job jobs[2];
    for (int i = 0; i < 2; ++i) {
        tasks[i] = *of;
        tasks[i].again = i;
        jobs[i].implementation = i ? "again" : "plain";
        jobs[i].run = run;
        jobs[i].after = NULL;
        jobs[i].ctx = &tasks[i];
    }
    bench_measure("front", name, bench_us, STEPS, jobs, 2);
    for (int i = 0; i < 2; ++i) {
        count_tests(name, &tasks[i]);
        cd_bvh_front_destroy(&tasks[i].front);
    }
}

static void build(void) {
    pg_mesh m = pg_blob(76);
    cd_vec3 *v = (cd_vec3 *)malloc((size_t)m.vertex_count * sizeof *v);
    cd_mesh_view view;
    if (!v) exit(1);
    for (int i = 0; i < m.vertex_count; ++i) {
        const float *p = m.vertices[i];
        v[i] = cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
    }
    view = cd_mesh_view_make(v, (uint32_t)m.vertex_count, (const uint32_t *)(const void *)m.triangles,
                             (uint32_t)m.triangle_count);
    if (cd_bvh_build_mesh(&tree, &view, NULL) != CD_OK) exit(1);
    free(v);
    pg_mesh_free(&m);
}

int main(void) {
    static const double away[4] = {0.3, 1.5, 2.3, 2.6}, speed[4] = {0.0, 1e-5, 1e-3, 0.02};
    static const char *const speeds[4] = {"at-rest", "creeping", "slow", "fast"};
    static const char *const questions[4] = {"pairs", "within", "first", "nearest"};
    const char *quick = getenv("BENCH_QUICK");
    build();
    for (int i = 0; i < 4; ++i) {
        for (int k = 0; k < 4; ++k) {
            for (int q = 0; q < 4; ++q) {
                char name[64];
                task t;
                if (i < 2 && q % 2 == 1) continue; /* too much lies near */
                if (quick && *quick && i < 2) continue;
                memset(&t, 0, sizeof t);
                t.away = away[i];
                t.speed = speed[k];
                t.distance = q == 1 ? 0.005 : 0.0;
                t.step = q < 2 ? all_pairs : q == 2 ? first_contact : nearest;
                snprintf(name, sizeof name, "%s/%.1f/%s", questions[q], away[i], speeds[k]);
                measure(name, &t);
            }
        }
    }
    cd_bvh_destroy(&tree);
    return 0;
}
