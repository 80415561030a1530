/* refit: what it takes to take over the new positions of a mesh that deforms, and rays through the tree then.
 *
 * A sheet that waves, of 69000 triangles and of a million, and a body that is twisted more and more. All go through the same frames
 * in turn, a few passes; a pass begins with a tree built for the mesh at rest. Each line is the mean of a pass's frames: the least and
 * the median of all passes. The checksum is how many rays hit. */
#include "refit.h"

#include <math.h>
#include <string.h>

enum { FRAMES = 24, PASSES = 5, MOST_JOBS = 10, RAYS = 8192 };

static const bench_refit *peers[MOST_JOBS];
static int peer_count;

typedef void (*deform_fn)(const float *rest, double time, float *out);

static void wave(const float *p, double t, float *out) {
    double x = (double)p[0], y = (double)p[1];
    out[0] = (float)(x + 0.05 * sin(5 * y + t));
    out[1] = (float)(y + 0.05 * sin(4 * x - t));
    out[2] = (float)(0.2 * sin(5 * x + t) + 0.2 * sin(3 * y - 2 * t) + 0.05 * sin(11 * x + 7 * y + t));
}

static void twist(const float *p, double t, float *out) {
    double x = (double)p[0], y = (double)p[1], z = (double)p[2], c = cos(t * y), s = sin(t * y);
    out[0] = (float)(c * x - s * z);
    out[1] = (float)y;
    out[2] = (float)(s * x + c * z);
}

/* A square of 2 n^2 triangles in [-1, 1]. */
static pg_mesh sheet(int n) {
    pg_mesh m;
    m.vertex_count = 0;
    m.triangle_count = 0;
    m.vertices = (float(*)[3])pg_alloc((size_t)(n + 1) * (size_t)(n + 1) * sizeof *m.vertices);
    m.triangles = (int32_t(*)[3])pg_alloc(2 * (size_t)n * (size_t)n * sizeof *m.triangles);
    for (int j = 0; j <= n; ++j) {
        for (int i = 0; i <= n; ++i) {
            float *v = m.vertices[m.vertex_count++];
            v[0] = (float)(2.0 * i / n - 1);
            v[1] = (float)(2.0 * j / n - 1);
            v[2] = 0;
        }
    }
    for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) {
            int32_t a = j * (n + 1) + i, c = a + n + 1;
            int32_t *t = m.triangles[m.triangle_count];
            t[0] = a, t[1] = a + 1, t[2] = c + 1;
            t[3] = a, t[4] = c + 1, t[5] = c;
            m.triangle_count += 2;
        }
    }
    return m;
}

typedef struct pass_times {
    double update[PASSES], rays[PASSES];
    uint64_t hits;
} pass_times;

static void move(const pg_mesh *m, const float (*rest)[3], deform_fn deform, double time) {
    for (int i = 0; i < m->vertex_count; ++i) deform(rest[i], time, m->vertices[i]);
}

static void run_frame(const pg_mesh *m, void **tree, const pg_ray *rays, int pass, pass_times *times) {
    for (int j = 0; j < peer_count; ++j) {
        double start = bench_now();
        peers[j]->update(tree[j], m);
        times[j].update[pass] += (bench_now() - start) / FRAMES;
        if (!peers[j]->closest_hit) continue;
        start = bench_now();
        times[j].hits += peers[j]->closest_hit(tree[j], rays, RAYS).count;
        times[j].rays[pass] += (bench_now() - start) / FRAMES;
    }
}

static void report(const char *name, pass_times *times) {
    for (int j = 0; j < peer_count; ++j) {
        bench_job job = {peers[j]->name, NULL, NULL, NULL};
        bench_answer answer = {times[j].hits / PASSES, 0, 0.0};
        char label[64];
        snprintf(label, sizeof label, "%s-update", name);
        bench_report("refit", label, &job, &bench_ms, 1, times[j].update, PASSES, &answer);
        snprintf(label, sizeof label, "%s-rays", name);
        if (!peers[j]->closest_hit) continue;
        bench_report("refit", label, &job, &bench_mrays, RAYS, times[j].rays, PASSES, &answer);
    }
    fflush(stdout);
}

static void measure(const char *name, pg_mesh m, deform_fn deform, double step) {
    size_t size = (size_t)m.vertex_count * sizeof *m.vertices;
    float(*rest)[3] = (float(*)[3])pg_alloc(size);
    pg_ray *rays = (pg_ray *)pg_alloc(RAYS * sizeof *rays);
    pass_times times[MOST_JOBS];
    void *tree[MOST_JOBS];
    memcpy(rest, m.vertices, size);
    memset(times, 0, sizeof times);
    pg_rays_random(RAYS, 21, rays);
    for (int pass = 0; pass < PASSES; ++pass) {
        move(&m, (const float(*)[3])rest, deform, 0.0);
        for (int j = 0; j < peer_count; ++j) tree[j] = peers[j]->make(&m);
        for (int frame = 1; frame <= FRAMES; ++frame) {
            move(&m, (const float(*)[3])rest, deform, step * frame);
            run_frame(&m, tree, rays, pass, times);
        }
        for (int j = 0; j < peer_count; ++j) peers[j]->destroy(tree[j]);
    }
    report(name, times);
    free(rays);
    free(rest);
    free(m.vertices);
    free(m.triangles);
}

static void choose_peers(void) {
    for (int i = 0; i < BENCH_REFIT_OURS; ++i) peers[peer_count++] = &bench_refit_ours_o2[i];
#ifdef BENCH_NATIVE
    for (int i = 0; i < 2; ++i) peers[peer_count++] = &bench_refit_ours_native[i];
#endif
#ifdef BENCH_EMBREE
    peers[peer_count++] = &bench_refit_embree;
#endif
#ifdef BENCH_FCL
    peers[peer_count++] = &bench_refit_fcl;
#endif
}

int main(void) {
    const char *quick = getenv("BENCH_QUICK");
    choose_peers();
    measure("sheet69k", sheet(186), wave, 0.2);
    measure("twist69k", pg_blob(76), twist, 0.15);
    if (quick && *quick) return 0;
    measure("sheet1M", sheet(708), wave, 0.2);
    return 0;
}
