/* volumes: trees of different bounding volumes, tree against tree: how many pairs of volumes and of triangles each looks
 * at, how long it takes, how much memory it has.
 *
 * A bumpy ball against itself: deep in itself, crossing, touching and apart, as in the area tree; two bumpy shells, one just inside the other
 * and turned (wherever one looks, two surfaces lie close together); two springs, one turned into the windings of the other (long and thin). */
#include "volumes.h"

#include <math.h>
#include <string.h>

static const bench_tree *const tables[] = {bench_volumes_ours,
#ifdef BENCH_FCL
                                           bench_volumes_fcl,
#endif
                                           NULL};

enum { MOST = BENCH_JOBS };

typedef struct task {
    const bench_tree *kind;
    void *a, *b;
    const bench_posed *posed;
} task;

static bench_answer run_pairs(void *ctx) {
    const task *t = (const task *)ctx;
    return t->kind->pairs(t->a, t->b, t->posed);
}
static bench_answer run_first(void *ctx) {
    const task *t = (const task *)ctx;
    return t->kind->first_pair(t->a, t->b, t->posed);
}
static bench_answer run_closest(void *ctx) {
    const task *t = (const task *)ctx;
    return t->kind->closest_pair(t->a, t->b, t->posed);
}

typedef bench_answer (*run_fn)(void *ctx);

/* Two meshes with trees of all kinds, timed and counted. */
typedef struct scene {
    const char *name;
    task tasks[MOST], counted[MOST];
    int count, counted_count;
    bench_posed posed;
} scene;

static int build_table(scene *s, const bench_tree *table, const pg_mesh *a, const pg_mesh *b, task *out) {
    int n = 0;
    for (; table[n].name; ++n) {
        out[n].kind = &table[n];
        out[n].a = table[n].build(a);
        out[n].b = a == b ? out[n].a : table[n].build(b);
        out[n].posed = &s->posed;
    }
    return n;
}

static void scene_begin(scene *s, const char *name, const pg_mesh *a, const pg_mesh *b) {
    memset(s, 0, sizeof *s);
    s->name = name;
    s->posed.a = a;
    s->posed.b = b;
    for (int i = 0; tables[i]; ++i) {
        for (const bench_tree *t = tables[i]; t->name; ++t) {
            char label[80];
            double start = bench_now();
            void *tree = t->build(a);
            snprintf(label, sizeof label, "%s/build", name);
            bench_line("volumes", label, t->name, (bench_now() - start) * 1e3, "ms", "");
            snprintf(label, sizeof label, "%s/memory", name);
            bench_line("volumes", label, t->name, t->bytes(tree) / a->triangle_count, "bytes/triangle", "");
            t->destroy(tree);
        }
        s->count += build_table(s, tables[i], a, b, s->tasks + s->count);
    }
    s->counted_count = build_table(s, bench_volumes_counted, a, b, s->counted);
}

static void tasks_end(task *tasks, int count) {
    for (int i = 0; i < count; ++i) {
        if (tasks[i].b != tasks[i].a) tasks[i].kind->destroy(tasks[i].b);
        tasks[i].kind->destroy(tasks[i].a);
    }
}

static void scene_end(scene *s) {
    tasks_end(s->tasks, s->count);
    tasks_end(s->counted, s->counted_count);
}

static void measure(scene *s, const char *label, run_fn run) {
    bench_job jobs[MOST];
    int count = 0;
    for (int i = 0; i < s->counted_count; ++i) {
        char name[96], sum[64];
        uint64_t nodes, triangles;
        bench_answer answer;
        s->counted[i].kind->counters(&nodes, &triangles);
        answer = run(&s->counted[i]);
        s->counted[i].kind->counters(&nodes, &triangles);
        bench_checksum(&answer, sum, sizeof sum);
        snprintf(name, sizeof name, "%s/nodes", label);
        bench_line("volumes", name, s->counted[i].kind->name, (double)nodes, "pairs", sum);
        snprintf(name, sizeof name, "%s/triangles", label);
        bench_line("volumes", name, s->counted[i].kind->name, (double)triangles, "pairs", sum);
    }
    memset(jobs, 0, sizeof jobs);
    for (int i = 0; i < s->count; ++i) {
        if (run == run_closest && !s->tasks[i].kind->closest_pair) continue;
        jobs[count].implementation = s->tasks[i].kind->name;
        jobs[count].run = run;
        jobs[count++].ctx = &s->tasks[i];
    }
    bench_measure("volumes", label, bench_us, 1.0, jobs, count);
}

static void measure_all(scene *s, const char *place, int meets) {
    static const char *const what[3] = {"pairs", "first", "closest"};
    static const run_fn run[3] = {run_pairs, run_first, run_closest};
    for (int i = 0; i < 3; ++i) {
        char label[80];
        if (meets && i == 2) continue;  /* it is 0 */
        if (!meets && i == 1) continue; /* as all */
        snprintf(label, sizeof label, "%s/%s/%s", s->name, place, what[i]);
        measure(s, label, run[i]);
    }
}

/* ---- the meshes ---- */

static void scale_mesh(pg_mesh *m, float by) {
    for (int i = 0; i < m->vertex_count; ++i) {
        for (int k = 0; k < 3; ++k) m->vertices[i][k] *= by;
    }
}

/* A spring about the z axis: `turns` windings of radius 1 and rise 0.3, a wire of radius 0.05 with eight sides. */
static pg_mesh spring(int turns, int steps) {
    int rings = turns * steps + 1;
    pg_mesh m = pg_mesh_alloc(8 * rings, 16 * (rings - 1));
    for (int i = 0; i < rings; ++i) {
        double angle = 6.283185307179586 * i / steps;
        for (int j = 0; j < 8; ++j) {
            double side = 6.283185307179586 * j / 8, radius = 1.0 + 0.05 * cos(side);
            float *v = m.vertices[8 * i + j];
            v[0] = (float)(radius * cos(angle));
            v[1] = (float)(radius * sin(angle));
            v[2] = (float)(0.3 * i / steps + 0.05 * sin(side));
            if (i + 1 < rings) {
                int32_t a = 8 * i + j, b = 8 * i + (j + 1) % 8,
                        both[2][3] = {{a, b, a + 8}, {b, b + 8, a + 8}};
                memcpy(m.triangles[16 * i + 2 * j], both, sizeof both);
            }
        }
    }
    return m;
}

static void pose_turn(bench_posed *posed, double x, double y, double z, double angle) {
    double length = sqrt(x * x + y * y + z * z), s = sin(0.5 * angle) / length;
    posed->q[0] = (float)(s * x);
    posed->q[1] = (float)(s * y);
    posed->q[2] = (float)(s * z);
    posed->q[3] = (float)cos(0.5 * angle);
    posed->p[0] = posed->p[1] = posed->p[2] = 0.0f;
}

static void blobs(int size) {
    static const char *const place[8] = {"deep",  "pose1", "pose2", "pose3",
                                         "pose4", "pose5", "pose6", "pose7"};
    static const int poses[4] = {0, 3, 5, 7};
    pg_mesh mesh = pg_blob(size);
    scene s;
    scene_begin(&s, "blob", &mesh, &mesh);
    for (int i = 0; i < 4; ++i) {
        bench_answer found;
        pg_meshpose(poses[i], s.posed.q, s.posed.p);
        found = run_first(&s.tasks[0]);
        measure_all(&s, place[poses[i]], found.count > 0);
    }
    for (int k = 0; k < 3; ++k) s.posed.p[k] *= 1.3f;
    measure_all(&s, "far", 0);
    scene_end(&s);
    pg_mesh_free(&mesh);
}

/* Turned a little, so that the bumps stay apart. */
static void shells(int size) {
    static const double turns[2] = {0.01, 0.03};
    pg_mesh outer = pg_blob(size), inner = pg_blob(size);
    scene s;
    scale_mesh(&inner, 0.96f);
    scene_begin(&s, "shells", &outer, &inner);
    for (int i = 0; i < 2; ++i) {
        bench_answer found;
        pose_turn(&s.posed, 1, 2, 3, turns[i]);
        found = run_first(&s.tasks[0]);
        measure_all(&s, i ? "turned-more" : "turned", found.count > 0);
    }
    scene_end(&s);
    pg_mesh_free(&outer);
    pg_mesh_free(&inner);
}

static void springs(int turns, int steps) {
    pg_mesh mesh = spring(turns, steps);
    scene s;
    scene_begin(&s, "springs", &mesh, &mesh);
    pose_turn(&s.posed, 0.01, 0.02, 1, 3.0);
    measure_all(&s, "wound", run_first(&s.tasks[0]).count > 0);
    pose_turn(&s.posed, 1, 1, 0.2, 1.3);
    s.posed.p[0] = 0.9f;
    measure_all(&s, "crossed", run_first(&s.tasks[0]).count > 0);
    scene_end(&s);
    pg_mesh_free(&mesh);
}

int main(void) {
    int quick = getenv("BENCH_QUICK") && *getenv("BENCH_QUICK");
    blobs(quick ? 30 : 76);
    shells(quick ? 20 : 60);
    springs(quick ? 5 : 20, 100);
    return 0;
}
