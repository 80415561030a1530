/* mesh_sweeps: two meshes that fly at each other, straight, and turning: when do they first touch?
 *
 * The other one answers with an error, which is shown beside its time: the largest |t - ours| there is, and how often it is
 * late, which ours never is. */
#include "mesh_sweeps.h"

#ifdef BENCH_COUNTED
static uint64_t counted_node, counted_triangle, counted_sweep;
static uint64_t counted_build, counted_halfspace, counted_hull, counted_ball, counted_rect, counted_obb_tried,
    counted_obb_measured, counted_corner;
#define CDI_COUNT(what) ((void)++counted_##what)
#endif

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <math.h>
#include <string.h>

enum { FLIGHTS = 8, KINDS = 2 };

static cd_vec3 vec_of(const float v[3]) {
    return cd_vec3_make((cd_real)v[0], (cd_real)v[1], (cd_real)v[2]);
}

static cd_transform pose_of(const float q[4], const float p[3]) {
    cd_transform t = cd_transform_identity();
    t.rotation.x = (cd_real)q[0];
    t.rotation.y = (cd_real)q[1];
    t.rotation.z = (cd_real)q[2];
    t.rotation.w = (cd_real)q[3];
    t.position = vec_of(p);
    return t;
}

/* ---- this library ---- */

static void *ours_build(const pg_mesh *mesh) {
    cd_bvh *tree = (cd_bvh *)pg_alloc(sizeof *tree);
    cd_mesh_view view = cd_mesh_view_make(NULL, (uint32_t)mesh->vertex_count, NULL, 0);
    view.positions = mesh->vertices;
    view.position_format = CD_POSITION_F32;
    view.stride = 0;
    view.indices = mesh->triangles;
    view.triangle_count = (uint32_t)mesh->triangle_count;
    if (cd_bvh_build_mesh(tree, &view, NULL) != CD_OK) exit(1);
    return tree;
}

static void ours_destroy(void *tree) {
    cd_bvh_destroy((cd_bvh *)tree);
    free(tree);
}

static bench_answer ours_straight(const void *a, const void *b, const bench_flight *f, int count, double *t) {
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_transform pose = pose_of(f[i].q, f[i].p);
        cd_hit hit;
        bool met = cd_bvh_sweep_bvh((const cd_bvh *)a, vec_of(f[i].to), (const cd_bvh *)b, &pose,
                                    cd_vec3_make(0, 0, 0), NULL, &hit, NULL);
        bench_flown(&answer, met, met ? (double)hit.t : 1.0, t, i);
    }
    return answer;
}

static bench_answer ours_turning(const void *a, const void *b, const bench_flight *f, int count, double *t) {
    bench_answer answer = {0, 0, 0.0};
    for (int i = 0; i < count; ++i) {
        cd_transform from = cd_transform_identity(), to = pose_of(f[i].turn, f[i].to),
                     rest = pose_of(f[i].q, f[i].p);
        cd_halving_options o;
        cd_halving r;
        cd_motion m, n;
        memset(&o, 0, sizeof o);
        o.tolerance = (cd_real)1e-4;
        if (cd_motion_make(CD_MOTION_BOTH, &from, &to, &m) != CD_OK ||
            cd_motion_make(CD_MOTION_BOTH, &rest, &rest, &n) != CD_OK)
            exit(1);
        r = cd_bvh_sweep_bvh_motions((const cd_bvh *)a, &m, (const cd_bvh *)b, &n, &o, NULL, NULL);
        bench_flown(&answer, r.hit, (double)r.t, t, i);
        answer.index_sum += r.iterations;
    }
    return answer;
}

static const bench_mesh_sweep ours = {"ours", ours_build, ours_destroy, ours_straight, ours_turning};

/* ---- the cases ---- */

typedef struct flying {
    const bench_mesh_sweep *with;
    void *a, *b;
    const bench_flight *flights;
    int count, turning;
    double *t;
} flying;

static bench_answer fly(void *ctx) {
    const flying *f = (const flying *)ctx;
    return (f->turning ? f->with->turning : f->with->straight)(f->a, f->b, f->flights, f->count, f->t);
}

/* From three radii away through the middle of the other, or past it by nearly as much as they are wide. */
static void flight_make(bench_flight *f, int i, double aside) {
    pg_rng r = {777u + (uint64_t)i};
    double q[4], d[3], e[3], along = 0.0;
    pg_quat(&r, q);
    pg_round(q, 4, f->q);
    pg_dir(&r, d);
    pg_dir(&r, e);
    for (int k = 0; k < 3; ++k) along += d[k] * e[k];
    for (int k = 0; k < 3; ++k) {
        f->p[k] = (float)(3.5 * d[k]);
        f->to[k] = (float)(7.0 * d[k] + aside * (e[k] - along * d[k]));
    }
    pg_quat(&r, q);
    pg_round(q, 4, f->turn);
}

/* How far the other one's times are off. */
static void compare(const flying *jobs, const char *name) {
    double t[2][FLIGHTS], most = 0.0;
    int late = 0, missed = 0;
    char label[64];
    for (int j = 0; j < 2; ++j) {
        flying f = jobs[j];
        f.t = t[j];
        fly(&f);
    }
    for (int i = 0; i < FLIGHTS; ++i) {
        double off = t[1][i] - t[0][i];
        missed += t[1][i] >= 1.0 && t[0][i] < 1.0;
        if (t[1][i] < 1.0) most = fmax(most, fabs(off));
        late += t[1][i] < 1.0 && off > 1e-6;
    }
    snprintf(label, sizeof label, "late %d missed %d", late, missed);
    bench_line("mesh_sweeps", name, jobs[1].with->name, most, "off", label);
}

static void measure(const char *name, flying *ctx, int count) {
    bench_job jobs[KINDS];
    for (int j = 0; j < count; ++j) {
        jobs[j].implementation = ctx[j].with->name;
        jobs[j].run = fly;
        jobs[j].after = NULL;
        jobs[j].ctx = &ctx[j];
    }
    bench_measure("mesh_sweeps", name, bench_us, FLIGHTS, jobs, count);
    if (count > 1) compare(ctx, name);
}

static void bench_flights(const char *mesh, const bench_mesh_sweep **with, void *const *trees, int count,
                          double aside, int turning) {
    bench_flight flights[FLIGHTS];
    flying ctx[KINDS];
    char name[64];
    for (int i = 0; i < FLIGHTS; ++i) flight_make(&flights[i], i, aside);
    for (int j = 0; j < count; ++j) {
        ctx[j].with = with[j];
        ctx[j].a = ctx[j].b = trees[j];
        ctx[j].flights = flights;
        ctx[j].count = FLIGHTS;
        ctx[j].turning = turning;
        ctx[j].t = NULL;
    }
    snprintf(name, sizeof name, "%s-%s%s", mesh, turning ? "turning" : "straight",
             aside > 0.0 ? "-aside" : "");
#ifdef BENCH_COUNTED
    counted_node = counted_triangle = counted_sweep = 0;
    fly(&ctx[0]);
    printf("%s: a flight: %g nodes, %g pairs, %g sweeps\n", name, (double)counted_node / FLIGHTS,
           (double)counted_triangle / FLIGHTS, (double)counted_sweep / FLIGHTS);
#endif
    measure(name, ctx, count);
}

static void bench_mesh(const char *name, pg_mesh mesh) {
    const bench_mesh_sweep *with[KINDS];
    void *trees[KINDS];
    int count = 0;
    with[count++] = &ours;
#ifdef BENCH_FCL
    if (mesh.triangle_count < 10000) with[count++] = &bench_mesh_sweep_fcl;
#endif
    for (int j = 0; j < count; ++j) trees[j] = with[j]->build(&mesh);
    for (int turning = 0; turning < 2; ++turning) {
        bench_flights(name, with, trees, count, 0.0, turning);
        bench_flights(name, with, trees, count, 3.2, turning);
    }
    for (int j = 0; j < count; ++j) with[j]->destroy(trees[j]);
    pg_mesh_free(&mesh);
}

int main(void) {
    bench_mesh("blob5k", pg_blob(20));
    if (!getenv("BENCH_QUICK") || !*getenv("BENCH_QUICK")) bench_mesh("blob69k", pg_blob(76));
    return 0;
}
