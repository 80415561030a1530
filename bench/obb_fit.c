/* obb_fit: oriented boxes around the vertices of hulls: of points in space, and of the meshes in the folder BENCH_MESHES (plain
 * OFF). Beside each time stands the volume of the box, and a line of its own gives it over the least one of all. The exact least
 * volume is left out for hulls of very many vertices, where it takes too long. */
#include "bench.h"
#include "obb_fit.h"
#include "workloads.h"

#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

#include <math.h>
#include <string.h>

typedef struct input {
    cd_hull hull;
    cd_hull_parts parts;
    cd_mesh_view mesh; /* of the hull's faces */
    uint32_t *triangles;
    double (*points)[3];
} input;

typedef double (*fit_fn)(const input *in);

static double volume(const cd_obb *b) {
    return 8.0 * (double)b->half.x * (double)b->half.y * (double)b->half.z;
}

#define FIT(name, call)                                                                                      \
    static double name(const input *in) {                                                                    \
        cd_obb b;                                                                                            \
        const cd_vec3 *v = in->parts.vertices;                                                               \
        size_t n = in->parts.vertex_count;                                                                   \
        (void)v;                                                                                             \
        (void)n;                                                                                             \
        if ((call) != CD_OK) exit(1);                                                                        \
        return volume(&b);                                                                                   \
    }

FIT(fit_min, cd_obb_min_volume(&in->hull, NULL, &b))
FIT(fit_world, (b = cd_obb_from_aabb(cd_hull_bounds(&in->hull)), CD_OK))
FIT(fit_points, cd_obb_from_points(v, n, &b))
FIT(fit_hull, cd_obb_from_hull(&in->hull, &b))
FIT(fit_inertia, cd_obb_from_inertia(&in->mesh, &b))
FIT(fit_barequet, cd_obb_barequet(v, n, &b))
FIT(fit_pca_max, cd_obb_pca(v, n, CD_PCA_MAX, NULL, &b))
FIT(fit_pca_min, cd_obb_pca(v, n, CD_PCA_MIN, NULL, &b))
FIT(fit_refine, (cd_obb_from_hull(&in->hull, &b), cd_obb_refine(v, n, NULL, &b)))
FIT(fit_brute, cd_obb_brute_force(v, n, NULL, &b))
FIT(fit_optimize, cd_obb_optimize(v, n, NULL, &b))

static double fit_cgal(const input *in) {
#ifdef BENCH_CGAL
    return bench_obb_cgal((const double(*)[3])in->points, (int)in->parts.vertex_count);
#else
    (void)in;
    return 0.0;
#endif
}

static const struct {
    const char *name;
    fit_fn run;
} fits[] = {{"min_volume", fit_min},    {"aabb", fit_world},        {"from_points", fit_points},
            {"from_hull", fit_hull},    {"inertia", fit_inertia},   {"barequet", fit_barequet},
            {"pca_max", fit_pca_max},   {"pca_min", fit_pca_min},   {"from_hull+refine", fit_refine},
            {"brute_force", fit_brute}, {"optimize", fit_optimize}, {"CGAL", fit_cgal}};

#ifdef BENCH_CGAL
enum { FITS = 12 };
#else
enum { FITS = 11 };
#endif

/* Of a hull that min_volume, the first of the fits, is still asked about. */
enum { MOST_VERTICES = 4000 };

typedef struct task {
    const input *in;
    fit_fn run;
} task;

static bench_answer run_task(void *ctx) {
    const task *t = (const task *)ctx;
    bench_answer a = {0, 0, 0.0};
    a.count = t->in->parts.vertex_count;
    a.distance_sum = t->run(t->in);
    return a;
}

static void measure(const char *name, const cd_vec3 *points, size_t count) {
    task tasks[FITS];
    bench_job jobs[FITS];
    input in;
    double volumes[FITS], least = HUGE_VAL;
    int first;
    char label[96];
    if (cd_hull3_build(&in.hull, points, count, NULL) != CD_OK) exit(1);
    in.parts = cd_hull_get_parts(&in.hull);
    first = in.parts.vertex_count > MOST_VERTICES ? 1 : 0;
    printf("# %s: %u points, %u vertices of the hull\n", name, (unsigned)count,
           (unsigned)in.parts.vertex_count);
    in.triangles = (uint32_t *)pg_alloc(3 * cd_hull_triangles(&in.hull, NULL, 0) * sizeof(uint32_t) + 1);
    in.points = (double(*)[3])pg_alloc(in.parts.vertex_count * sizeof *in.points);
    in.mesh = cd_mesh_view_make(in.parts.vertices, in.parts.vertex_count, in.triangles,
                                (uint32_t)cd_hull_triangles(&in.hull, in.triangles, SIZE_MAX / 16));
    for (uint32_t i = 0; i < in.parts.vertex_count; ++i) {
        in.points[i][0] = (double)in.parts.vertices[i].x;
        in.points[i][1] = (double)in.parts.vertices[i].y;
        in.points[i][2] = (double)in.parts.vertices[i].z;
    }
    for (int i = 0; i < FITS; ++i) {
        tasks[i].in = &in;
        tasks[i].run = fits[i].run;
        jobs[i].implementation = fits[i].name;
        jobs[i].run = run_task;
        jobs[i].after = NULL;
        jobs[i].ctx = &tasks[i];
    }
    bench_measure("obb_fit", name, bench_us, 1.0, jobs + first, FITS - first);
    for (int i = first; i < FITS; ++i) {
        volumes[i] = fits[i].run(&in);
        least = volumes[i] < least ? volumes[i] : least;
    }
    snprintf(label, sizeof label, "%s/volume", name);
    for (int i = first; i < FITS; ++i)
        bench_line("obb_fit", label, fits[i].name, volumes[i] / least, "of the least", "-");
    free(in.points);
    free(in.triangles);
    cd_hull_destroy(&in.hull);
}

/* Stretched and turned, so that nothing lies along the axes. */
static void measure_points(const char *name, pg_point_kind kind, int count) {
    float(*from)[3] = (float(*)[3])pg_alloc((size_t)count * sizeof *from);
    cd_vec3 *p = (cd_vec3 *)pg_alloc((size_t)count * sizeof *p);
    pg_points(kind, count, 600, from);
    for (int i = 0; i < count; ++i) {
        double x = 3.0 * (double)from[i][0], y = 1.5 * (double)from[i][1], z = (double)from[i][2];
        double u = 0.6 * x + 0.8 * y, v = 0.6 * y - 0.8 * x;
        p[i] = cd_vec3_make((cd_real)u, (cd_real)(0.28 * v + 0.96 * z), (cd_real)(0.28 * z - 0.96 * v));
    }
    measure(name, p, (size_t)count);
    free(p);
    free(from);
}

/* ---- meshes: plain OFF files without comments among the numbers ---- */

static void measure_mesh(const char *folder, const char *name) {
    char path[512], word[8] = "";
    unsigned vertices = 0, faces, edges;
    FILE *f;
    cd_vec3 *p;
    unsigned i = 0;
    snprintf(path, sizeof path, "%s/%s.off", folder, name);
    f = fopen(path, "r");
    if (!f || fscanf(f, "%7s %u %u %u", word, &vertices, &faces, &edges) != 4 || strcmp(word, "OFF") ||
        vertices < 4) {
        printf("# no mesh %s\n", path);
        if (f) fclose(f);
        return;
    }
    p = (cd_vec3 *)pg_alloc(vertices * sizeof *p);
    for (; i < vertices; ++i) {
        double x, y, z;
        if (fscanf(f, "%lf %lf %lf", &x, &y, &z) != 3) break;
        p[i] = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
    }
    fclose(f);
    if (i == vertices) measure(name, p, vertices);
    free(p);
}

int main(void) {
    static const char *const meshes[] = {"bunny00", "elephant",  "dino", "couplingdown",
                                         "handle",  "lion-head", "pig",  "armadillo",
                                         "man",     "anchor",    "rotor"};
    const char *folder = getenv("BENCH_MESHES"), *quick = getenv("BENCH_QUICK");
    measure_points("sphere-100", PG_ON_SPHERE, 100);
    if (!quick || !*quick) measure_points("sphere-1k", PG_ON_SPHERE, 1000);
    measure_points("cube-10k", PG_IN_CUBE, 10000);
    for (size_t i = 0; folder && *folder && i < sizeof meshes / sizeof meshes[0]; ++i)
        measure_mesh(folder, meshes[i]);
    return 0;
}
