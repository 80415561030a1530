/* The loops that call the predicates of collide.h, or (BENCH_PLAIN) the plain determinants: a user's file, which sees
 * prototypes only. BENCH_NO_INCIRCLE leaves two of the four out. */
#include "predicates.h"

#ifdef BENCH_PLAIN
#include "predicates_plain.h"
typedef plain_real real;
typedef plain_vec2 vec2;
typedef plain_vec3 vec3;
#define ORIENT2D PLAIN(plain_orient2d)
#define ORIENT3D PLAIN(plain_orient3d)
#define INCIRCLE PLAIN(plain_incircle)
#define INSPHERE PLAIN(plain_insphere)
#else
#include "collide.h"
typedef cd_real real;
typedef cd_vec2 vec2;
typedef cd_vec3 vec3;
#define ORIENT2D cd_orient2d
#define ORIENT3D cd_orient3d
#define INCIRCLE cd_incircle2d
#define INSPHERE cd_insphere
#endif

static void *points2(const double (*from)[3], int count) {
    vec2 *p = (vec2 *)malloc((size_t)count * sizeof *p);
    if (!p) abort();
    for (int i = 0; i < count; ++i) {
        p[i].x = (real)from[i][0];
        p[i].y = (real)from[i][1];
    }
    return p;
}

static void *points3(const double (*from)[3], int count) {
    vec3 *p = (vec3 *)malloc((size_t)count * sizeof *p);
    if (!p) abort();
    for (int i = 0; i < count; ++i) {
        p[i].x = (real)from[i][0];
        p[i].y = (real)from[i][1];
        p[i].z = (real)from[i][2];
    }
    return p;
}

static bench_answer run_orient2d(const void *points, int sets) {
    const vec2 *p = (const vec2 *)points;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < sets; ++i, p += 3) bench_sign(&a, i, ORIENT2D(p[0], p[1], p[2]));
    return a;
}

static bench_answer run_orient3d(const void *points, int sets) {
    const vec3 *p = (const vec3 *)points;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < sets; ++i, p += 4) bench_sign(&a, i, ORIENT3D(p[0], p[1], p[2], p[3]));
    return a;
}

#ifdef BENCH_NO_INCIRCLE
#define run_incircle NULL
#define run_insphere NULL
#else
static bench_answer run_incircle(const void *points, int sets) {
    const vec2 *p = (const vec2 *)points;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < sets; ++i, p += 4) bench_sign(&a, i, INCIRCLE(p[0], p[1], p[2], p[3]));
    return a;
}

static bench_answer run_insphere(const void *points, int sets) {
    const vec3 *p = (const vec3 *)points;
    bench_answer a = {0, 0, 0.0};
    for (int i = 0; i < sets; ++i, p += 5) bench_sign(&a, i, INSPHERE(p[0], p[1], p[2], p[3], p[4]));
    return a;
}
#endif

const bench_predicates BENCH_PREDICATES = {
    BENCH_NAME,   sizeof(real) == 4, points2,      points3,      free,
    run_orient2d, run_orient3d,      run_incircle, run_insphere,
};
