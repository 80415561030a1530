/* classic: the published algorithms beside the house's own for the same questions, on the same inputs: wrong answers, steps, time.
 *
 * Sets of each: general; touching, of whole numbers; needles, a ten-thousandth as thick as long; the general ones at sizes from 2^-20 to 2^20; and of
 * hulls such whose faces were merged with a flatness.
 * Wrong is an answer that is off by more than 1e-5 of the bodies' size, the wrong verdict beyond that, and none at all. Steps are
 * what each calls so: iterations, rows, operations; means of one question. "again": begun where the last answer for the same pose ended. */
#include "bench.h"
#include "workloads.h"

#include "../tests/oracle.h"
#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"
#include <math.h>

enum { PAIRS = 1024, ROWS = 10, GENERAL = 0, TOUCHING, NEEDLES, SCALES, MERGED, SETS };

static const char *const set_names[SETS] = {"general", "touching", "needles", "scales", "merged"};
static double *room;     /* of the elimination */
static bool is_counting; /* rather than being timed */

/* What was handed back, of each question. */
static cd_vclip_features features[PAIRS];
static cd_cache caches[PAIRS];
static cd_vec3 vectors[PAIRS];

/* What was answered: the distance, 0 where they meet; -1 for no answer. Of a verdict alone: 0, or infinity for apart. What is right may
 * be a depth, below 0. */
typedef struct answer {
    double distance, steps;
} answer;

/* ---- questions ---- */

typedef struct question {
    double size; /* what errors are measured by */
    double right;
    bool proven;
    cd_hull hull[2];
    cd_support support[2];
    cd_transform pose;
    cd_vec3 point;
    cd_tetrahedron simplex;
    cd_plane rows[ROWS];
    cd_triangle triangle[2];
} question;

static question *questions;

/* A coordinate of a set. */
static double draw(pg_rng *r, int set, int axis) {
    if (set == TOUCHING) return (double)(int)(pg_next(r) % 5) - 2;
    return pg_range(r, -1, 1) * (set == NEEDLES && axis > 0 ? 1e-4 : 1);
}

static double draw_size(pg_rng *r, int set) {
    return set == SCALES ? ldexp(1, (int)(pg_next(r) % 41) - 20) : 1;
}

static cd_vec3 draw_point(pg_rng *r, int set, double size) {
    double x = draw(r, set, 0), y = draw(r, set, 1), z = draw(r, set, 2);
    return cd_vec3_make((cd_real)(size * x), (cd_real)(size * y), (cd_real)(size * z));
}

static cd_vec3 draw_free(pg_rng *r, double size) {
    double x = pg_range(r, -1, 1), y = pg_range(r, -1, 1), z = pg_range(r, -1, 1);
    return cd_vec3_make((cd_real)(size * x), (cd_real)(size * y), (cd_real)(size * z));
}

/* ---- who answers what ---- */

typedef struct method {
    const char *name;
    answer (*ask)(const question *q);
} method;

static answer answer_of(double distance, double steps) {
    answer a;
    a.distance = distance > 0 ? distance : 0;
    a.steps = steps;
    return a;
}

static answer nothing(double steps) {
    answer a;
    a.distance = -1;
    a.steps = steps;
    return a;
}

static answer vclip(const question *q) {
    cd_vclip_report r = cd_vclip(&q->hull[0], &q->hull[1], &q->pose, 0, NULL);
    return r.status == CD_OK ? answer_of((double)r.distance, r.iterations) : nothing(r.iterations);
}
static answer gjk_johnson(const question *q) {
    cd_separation s = cd_gjk_johnson(&q->support[0], &q->support[1], &q->pose, 0);
    return s.status == CD_OK ? answer_of((double)s.distance, s.iterations) : nothing(s.iterations);
}
static answer gjk(const question *q) {
    cd_separation s = cd_gjk_distance(&q->support[0], &q->support[1], &q->pose, NULL, NULL);
    return s.status == CD_OK ? answer_of((double)s.distance, s.iterations) : nothing(s.iterations);
}
static answer chung_wang(const question *q) {
    cd_separating_vector v = cd_chung_wang(&q->support[0], &q->support[1], &q->pose, 0, NULL);
    if (v.verdict == CD_SEPARATING_UNDECIDED) return nothing(v.iterations);
    return answer_of(v.verdict == CD_SEPARATING_FOUND ? INFINITY : 0, v.iterations);
}
static answer gjk_test(const question *q) {
    return answer_of(cd_gjk_test(&q->support[0], &q->support[1], &q->pose, NULL) ? 0 : INFINITY, 0);
}
static answer vclip_again(const question *q) {
    cd_vclip_report r = cd_vclip(&q->hull[0], &q->hull[1], &q->pose, 0, &features[q - questions]);
    return r.status == CD_OK ? answer_of((double)r.distance, r.iterations) : nothing(r.iterations);
}
static answer gjk_again(const question *q) {
    cd_separation s = cd_gjk_distance(&q->support[0], &q->support[1], &q->pose, NULL, &caches[q - questions]);
    return s.status == CD_OK ? answer_of((double)s.distance, s.iterations) : nothing(s.iterations);
}
static answer chung_wang_again(const question *q) {
    cd_separating_vector v =
        cd_chung_wang(&q->support[0], &q->support[1], &q->pose, 0, &vectors[q - questions]);
    if (v.verdict == CD_SEPARATING_UNDECIDED) return nothing(v.iterations);
    return answer_of(v.verdict == CD_SEPARATING_FOUND ? INFINITY : 0, v.iterations);
}
static answer length_of(cd_vec3 p, cd_vec3 q, double steps) {
    double x = (double)q.x - (double)p.x, y = (double)q.y - (double)p.y, z = (double)q.z - (double)p.z;
    return answer_of(sqrt(x * x + y * y + z * z), steps);
}
static answer johnson(const question *q) {
    return length_of(q->point, cd_closest_pt_simplex_johnson(q->point, &q->simplex.a, 4).point, 0);
}
static answer tetrahedron(const question *q) {
    return length_of(q->point, cd_closest_pt_point_tetrahedron(q->point, &q->simplex), 0);
}
static answer elimination(const question *q, uint32_t flags) {
    cd_fourier_motzkin r =
        cd_lp_fourier_motzkin3(q->rows, ROWS, flags, room, cd_lp_fourier_motzkin_size(3, ROWS));
    return answer_of(r.feasible ? 0 : INFINITY, (double)r.rows);
}
static answer fourier_motzkin(const question *q) {
    return elimination(q, 0);
}
static answer fourier_motzkin_pruned(const question *q) {
    return elimination(q, CD_FOURIER_MOTZKIN_PRUNE);
}
static answer seidel(const question *q) {
    cd_lp3 lp;
    cd_lp_seidel3(q->rows, ROWS, cd_vec3_make(0, 0, 0), NULL, &lp);
    return answer_of(lp.verdict == CD_LP_INFEASIBLE ? INFINITY : 0, 0);
}
#define TRIANGLES(name)                                                                                      \
    static answer name(const question *q) {                                                                  \
        cd_operations n = {0, 0, 0, 0};                                                                      \
        bool meet =                                                                                          \
            cd_test_triangle_triangle_##name(&q->triangle[0], &q->triangle[1], is_counting ? &n : NULL);     \
        return answer_of(meet ? 0 : INFINITY, (double)(n.adds + n.muls + n.divs + n.comparisons));           \
    }
TRIANGLES(moller)
TRIANGLES(held)
TRIANGLES(tropp)
static answer triangles(const question *q) {
    return answer_of(cd_test_triangle_triangle(&q->triangle[0], &q->triangle[1]) ? 0 : INFINITY, 0);
}

/* ---- inputs, and what is right ---- */

static double dot(cd_vec3 n, cd_vec3 p) {
    return (double)n.x * (double)p.x + (double)n.y * (double)p.y + (double)n.z * (double)p.z;
}

/* How far apart the hulls' corners are at least along n: no separation is proven by more. */
static double least_along(const question *q, cd_vec3 n) {
    double a = -INFINITY, b = INFINITY;
    for (int k = 0; k < 2; ++k) {
        cd_hull_parts h = cd_hull_get_parts(&q->hull[k]);
        for (uint32_t i = 0; i < h.vertex_count; ++i) {
            double x = dot(n, k ? cd_transform_point(&q->pose, h.vertices[i]) : h.vertices[i]);
            if (k == 0 && x > a) a = x;
            if (k == 1 && x < b) b = x;
        }
    }
    return b - a;
}

/* How far a point of A's frame is outside of a hull, by its planes. */
static double outside(const question *q, int k, cd_vec3 p) {
    cd_hull_parts h = cd_hull_get_parts(&q->hull[k]);
    double most = -INFINITY;
    if (k == 1) p = cd_transform_inverse_point(&q->pose, p);
    for (uint32_t i = 0; i < h.face_count; ++i)
        most = fmax(most, dot(h.faces[i].plane.n, p) - (double)h.faces[i].plane.d);
    return most;
}

/* The signed distance, proven by its own normal from below, and by its points from above; else none. */
static void hulls_truth(question *q) {
    cd_separation s = cd_convex_distance(&q->support[0], &q->support[1], &q->pose, NULL, NULL);
    double margin = 3e-6 * q->size;
    bool proven = least_along(q, s.normal) >= (double)s.distance - margin;
    proven = proven && outside(q, 0, s.a) <= margin && outside(q, 1, s.b) <= margin;
    q->proven = proven;
    q->right = (double)s.distance;
}

static void hulls_draw(pg_rng *r, int set, question *q) {
    double e[4], place = set == NEEDLES ? 0.5 : set == TOUCHING ? 0 : 1.5;
    cd_hull_options o;
    memset(&o, 0, sizeof o);
    q->size = 2 * draw_size(r, set);
    if (set == MERGED) o.merge_distance = (cd_real)0.05;
    for (int k = 0; k < 2; ++k) {
        cd_vec3 p[24];
        for (int i = 0; i < 24; ++i) p[i] = draw_point(r, set, 0.5 * q->size);
        cd_hull3_build(&q->hull[k], p, set == TOUCHING ? 10 : 24, &o);
        q->support[k] = cd_support_of_hull(&q->hull[k]);
    }
    pg_quat(r, e);
    q->pose = cd_transform_identity();
    if (set != TOUCHING) {
        q->pose.rotation.x = (cd_real)e[0];
        q->pose.rotation.y = (cd_real)e[1];
        q->pose.rotation.z = (cd_real)e[2];
        q->pose.rotation.w = (cd_real)e[3];
        q->pose.position = draw_free(r, place * q->size);
    } else {
        int x = (int)(pg_next(r) % 7) - 3, y = (int)(pg_next(r) % 7) - 3, z = (int)(pg_next(r) % 7) - 3;
        q->pose.position = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
    }
    hulls_truth(q);
}

static void corners(const cd_vec3 *p, int count, double *out) {
    for (int i = 0; i < count; ++i) {
        out[3 * i] = (double)p[i].x;
        out[3 * i + 1] = (double)p[i].y;
        out[3 * i + 2] = (double)p[i].z;
    }
}

static void simplex_draw(pg_rng *r, int set, question *q) {
    cd_vec3 c[4];
    double p[3], x[12], least = INFINITY;
    int inside = 0;
    q->size = draw_size(r, set);
    for (int i = 0; i < 4; ++i) c[i] = draw_point(r, set, q->size);
    q->simplex.a = c[0];
    q->simplex.b = c[1];
    q->simplex.c = c[2];
    q->simplex.d = c[3];
    q->point = set == TOUCHING || set == NEEDLES ? draw_point(r, set, q->size) : draw_free(r, q->size);
    corners(c, 4, x);
    corners(&q->point, 1, p);
    for (int i = 0; i < 4; ++i) {
        double t[9];
        const double *o = x + 3 * i, *a = x + 3 * ((i + 1) % 4), *b = x + 3 * ((i + 2) % 4),
                     *d = x + 3 * ((i + 3) % 4);
        memcpy(t, a, sizeof p);
        memcpy(t + 3, b, sizeof p);
        memcpy(t + 6, d, sizeof p);
        least = fmin(least, oracle_point_triangle(p, t).distance);
        inside += oracle_orient3d(a, b, d, o) * oracle_orient3d(a, b, d, p) > 0;
    }
    q->right = inside == 4 ? 0 : least;
}

/* Touching: all planes go through a point. Needles: pairs of planes that are nearly parallel, with little or nothing between. */
static void rows_draw(pg_rng *r, int set, question *q) {
    double size = draw_size(r, set);
    int x[3];
    q->size = 0; /* the verdict is exact */
    for (int k = 0; k < 3; ++k) x[k] = (int)(pg_next(r) % 9) - 4;
    for (int i = 0; i < ROWS; ++i) {
        cd_vec3 n = draw_free(r, 1);
        q->rows[i].n = n;
        q->rows[i].d = (cd_real)(size * pg_range(r, -0.25, 1));
        if (set == TOUCHING) {
            int a = (int)(pg_next(r) % 400001) - 200000, b = (int)(pg_next(r) % 400001) - 200000;
            int c = (int)(pg_next(r) % 400001) - 200000;
            q->rows[i].n = cd_vec3_make((cd_real)a, (cd_real)b, (cd_real)c);
            q->rows[i].d = (cd_real)(a * x[0] + b * x[1] + c * x[2]);
        }
        if (set != NEEDLES || i % 2 == 0) continue;
        q->rows[i].n = cd_vec3_scale(q->rows[i - 1].n, -1);
        q->rows[i].n.x += (cd_real)pg_range(r, -1e-6, 1e-6);
        q->rows[i].d = -q->rows[i - 1].d + (cd_real)pg_range(r, -1e-7, 1e-6);
    }
    q->right = seidel(q).distance;
}

static void triangles_draw(pg_rng *r, int set, question *q) {
    double size = draw_size(r, set), x[18];
    q->size = 0;
    for (int i = 0; i < 2; ++i) {
        q->triangle[i].a = draw_point(r, set, size);
        q->triangle[i].b = draw_point(r, set, size);
        q->triangle[i].c = draw_point(r, set, size);
        corners(&q->triangle[i].a, 3, x + 9 * i);
    }
    q->right = oracle_triangle_triangle(x, x + 9) ? 0 : INFINITY;
}

/* ---- the table ---- */

typedef struct family {
    const char *name;
    void (*draw)(pg_rng *r, int set, question *q);
    int sets;
    method methods[9];
} family;

static const family families[] = {
    {"hulls",
     hulls_draw,
     SETS,
     {{"vclip", vclip},
      {"gjk-johnson", gjk_johnson},
      {"house-gjk", gjk},
      {"vclip-again", vclip_again},
      {"house-gjk-again", gjk_again},
      {"chung-wang", chung_wang},
      {"chung-wang-again", chung_wang_again},
      {"house-gjk-test", gjk_test},
      {NULL, NULL}}},
    {"simplex",
     simplex_draw,
     MERGED,
     {{"johnson", johnson}, {"house-tetrahedron", tetrahedron}, {NULL, NULL}}},
    {"half-spaces",
     rows_draw,
     MERGED,
     {{"fourier-motzkin", fourier_motzkin},
      {"fourier-motzkin-pruned", fourier_motzkin_pruned},
      {"house-seidel", seidel},
      {NULL, NULL}}},
    {"triangles",
     triangles_draw,
     MERGED,
     {{"moller", moller}, {"held", held}, {"tropp", tropp}, {"house-triangles", triangles}, {NULL, NULL}}},
};

/* Within the margin of touching either verdict will do, but for the families that have none. */
static bool is_wrong(const answer *got, double right, double size) {
    double margin = 1e-5 * size;
    if (isinf(got->distance)) return size > 0 ? right < -margin : !isinf(right);
    return isinf(right) || fabs(got->distance - fmax(right, 0)) > margin;
}

static void count(const char *name, const method *m) {
    double steps = 0;
    int wrong = 0, none = 0, judged = 0;
    char label[96];
    is_counting = true;
    for (int i = 0; i < PAIRS; ++i) {
        const question *q = &questions[i];
        answer a = m->ask(q);
        if (strstr(m->name, "again")) a = m->ask(q);
        steps += a.steps;
        if (!q->proven) continue;
        ++judged;
        none += a.distance < 0;
        wrong += a.distance >= 0 && is_wrong(&a, q->right, q->size);
    }
    is_counting = false;
    snprintf(label, sizeof label, "%s/wrong of %d", name, judged);
    bench_line("classic", label, m->name, wrong, "wrong", "-");
    snprintf(label, sizeof label, "%s/no answer", name);
    bench_line("classic", label, m->name, none, "none", "-");
    snprintf(label, sizeof label, "%s/steps", name);
    if (steps > 0) bench_line("classic", label, m->name, steps / PAIRS, "steps", "-");
}

static bench_answer run_method(void *ctx) {
    const method *m = (const method *)ctx;
    bench_answer sum = {0, 0, 0.0};
    for (int i = 0; i < PAIRS; ++i) {
        answer a = m->ask(&questions[i]);
        sum.count += a.distance > 0;
    }
    return sum;
}

static void measure(const char *name, const method *methods) {
    bench_job jobs[9];
    int n = 0;
    for (; methods[n].name; ++n) {
        jobs[n].implementation = methods[n].name;
        jobs[n].run = run_method;
        jobs[n].after = NULL;
        jobs[n].ctx = (void *)(uintptr_t)&methods[n];
    }
    bench_measure("classic", name, bench_ns, PAIRS, jobs, n);
}

int main(void) {
    room = (double *)pg_alloc(cd_lp_fourier_motzkin_size(3, ROWS));
    questions = (question *)pg_alloc(PAIRS * sizeof *questions);
    for (size_t f = 0; f < sizeof families / sizeof families[0]; ++f) {
        for (int set = 0; set < families[f].sets; ++set) {
            char name[64];
            pg_rng r = {900 + 10 * f + (uint64_t)set};
            snprintf(name, sizeof name, "%s/%s", families[f].name, set_names[set]);
            memset(questions, 0, PAIRS * sizeof *questions);
            memset(features, 0, sizeof features);
            memset(caches, 0, sizeof caches);
            memset(vectors, 0, sizeof vectors);
            for (int i = 0; i < PAIRS; ++i) {
                questions[i].proven = true;
                families[f].draw(&r, set, &questions[i]);
            }
            for (const method *m = families[f].methods; m->name; ++m) count(name, m);
            measure(name, families[f].methods);
            for (int i = 0; i < PAIRS; ++i)
                for (int k = 0; k < 2; ++k) cd_hull_destroy(&questions[i].hull[k]);
        }
    }
    free(questions);
    free(room);
    return 0;
}
