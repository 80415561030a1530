/* tritri_ours: collide.h's tests of two triangles: the exact one, its batch form, and with BENCH_CLASSIC the published ones
 * that it keeps. */
#include "tritri.h"
#define COLLIDE_STATIC
#define COLLIDE_IMPLEMENTATION
#include "collide.h"

enum { GROUP = 8 };

/* The first triangles, then the second ones. */
typedef struct triangles {
    cd_triangle *a, *b;
} triangles;

static cd_triangle triangle_of(const float v[9]) {
    cd_triangle t;
    t.a = cd_vec3_make((cd_real)v[0], (cd_real)v[1], (cd_real)v[2]);
    t.b = cd_vec3_make((cd_real)v[3], (cd_real)v[4], (cd_real)v[5]);
    t.c = cd_vec3_make((cd_real)v[6], (cd_real)v[7], (cd_real)v[8]);
    return t;
}

static void *prepare(const bench_pair *pairs, int count) {
    triangles *p = (triangles *)pg_alloc(sizeof *p);
    p->a = (cd_triangle *)pg_alloc(2 * (size_t)count * sizeof *p->a);
    p->b = p->a + count;
    for (int i = 0; i < count; ++i) {
        p->a[i] = triangle_of(pairs[i]);
        p->b[i] = triangle_of(pairs[i] + 9);
    }
    return p;
}

static void release(void *prepared) {
    triangles *p = (triangles *)prepared;
    free(p->a);
    free(p);
}

#define RUN(name, call)                                                                                      \
    static bench_answer name(const void *prepared, int count, unsigned char *meets) {                        \
        const triangles *p = (const triangles *)prepared;                                                    \
        bench_answer answer = {0, 0, 0.0};                                                                   \
        for (int i = 0; i < count; ++i) bench_meets(&answer, meets, i, call(&p->a[i], &p->b[i]));            \
        return answer;                                                                                       \
    }

RUN(exact, cd_test_triangle_triangle)

static bench_answer batch(const void *prepared, int count, unsigned char *meets) {
    const triangles *p = (const triangles *)prepared;
    bench_answer answer = {0, 0, 0.0};
    if (meets) memset(meets, 0, (size_t)count);
    for (int i = 0; i < count; i += GROUP) {
        uint32_t hits[GROUP];
        int found = (int)cd_test_triangle_triangles(&p->a[i], &p->b[i], GROUP, hits, GROUP);
        for (int k = 0; k < found; ++k) bench_meets(&answer, meets, i + (int)hits[k], 1);
    }
    return answer;
}

#ifdef BENCH_CLASSIC
#define MOLLER(a, b) cd_test_triangle_triangle_moller(a, b, NULL)
#define HELD(a, b)   cd_test_triangle_triangle_held(a, b, NULL)
#define TROPP(a, b)  cd_test_triangle_triangle_tropp(a, b, NULL)
RUN(moller, MOLLER)
RUN(held, HELD)
RUN(tropp, TROPP)
#endif

const bench_tritri BENCH_TRITRI[] = {{BENCH_NAME, 1, prepare, release, exact},
                                     {BENCH_NAME "-batch", GROUP, prepare, release, batch},
#ifdef BENCH_CLASSIC
                                     {BENCH_NAME "-moller", 1, prepare, release, moller},
                                     {BENCH_NAME "-held", 1, prepare, release, held},
                                     {BENCH_NAME "-tropp", 1, prepare, release, tropp},
#endif
                                     {NULL, 0, NULL, NULL, NULL}};
