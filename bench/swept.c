/* swept: capsules and lozenges in pairs, some of which meet, ours beside naive forms: the book's routine for segments in floats,
 * and all sixteen pairs of edges and eight corners of two rectangles. A third of the capsules are parallel. */
#include "bench.h"
#define COLLIDE_IMPLEMENTATION
#define COLLIDE_STATIC
#include "collide.h"
#include <math.h>
#include <string.h>

enum { PAIRS = 1 << 12 };

static cd_capsule capsules[PAIRS][2];
static cd_lozenge lozenges[PAIRS][2];
static uint64_t state = 5;

static cd_real even(double lo, double hi) { /* splitmix64 */
    uint64_t z = state += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return (cd_real)(lo + (hi - lo) * ((double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0));
}

static cd_vec3 point(double size) {
    cd_vec3 p;
    p.x = even(-size, size);
    p.y = even(-size, size);
    p.z = even(-size, size);
    return p;
}

static void make_pairs(void) {
    for (int i = 0; i < PAIRS; ++i) {
        for (int k = 0; k < 2; ++k) {
            cd_vec3 e = cd_vec3_normalize(point(1)), g = cd_vec3_normalize(cd_vec3_cross(e, point(1)));
            cd_capsule *c = &capsules[i][k];
            cd_lozenge *l = &lozenges[i][k];
            c->a = point(1);
            c->b = i % 3 ? cd_vec3_add(c->a, point(1)) : cd_vec3_add(c->a, cd_vec3_make(0, 1, 0));
            c->radius = even(0.1, 0.4);
            l->a = point(1);
            l->edge[0] = cd_vec3_scale(e, even(0.3, 1));
            l->edge[1] = cd_vec3_scale(g, even(0.3, 1));
            l->radius = even(0.05, 0.2);
        }
    }
}

/* ---- naive ---- */

static float clamp01(float x) {
    return x < 0.0f ? 0.0f : x > 1.0f ? 1.0f : x;
}

static float naive_segments(cd_vec3 a, cd_vec3 b, cd_vec3 c, cd_vec3 d) {
    cd_vec3 u = cd_vec3_sub(b, a), v = cd_vec3_sub(d, c), r = cd_vec3_sub(a, c), w;
    float uu = cd_vec3_dot(u, u), vv = cd_vec3_dot(v, v), f = cd_vec3_dot(v, r), p = cd_vec3_dot(u, r),
          q = cd_vec3_dot(u, v), det = uu * vv - q * q, s = 0.0f, t;
    if (det != 0.0f) s = clamp01((q * f - p * vv) / det);
    t = (q * s + f) / vv;
    if (t < 0.0f) {
        t = 0.0f;
        s = clamp01(-p / uu);
    } else if (t > 1.0f) {
        t = 1.0f;
        s = clamp01((q - p) / uu);
    }
    w = cd_vec3_sub(cd_vec3_add(r, cd_vec3_scale(u, s)), cd_vec3_scale(v, t));
    return cd_vec3_dot(w, w);
}

static cd_vec3 corner(const cd_lozenge *l, int i) {
    cd_vec3 p = l->a;
    if (i == 1 || i == 2) p = cd_vec3_add(p, l->edge[0]);
    if (i == 2 || i == 3) p = cd_vec3_add(p, l->edge[1]);
    return p;
}

static float naive_corner(cd_vec3 p, const cd_lozenge *l) {
    cd_vec3 w = cd_vec3_sub(p, l->a);
    for (int k = 0; k < 2; ++k) {
        float t = clamp01(cd_vec3_dot(w, l->edge[k]) / cd_vec3_dot(l->edge[k], l->edge[k]));
        w = cd_vec3_sub(w, cd_vec3_scale(l->edge[k], t));
    }
    return cd_vec3_dot(w, w);
}

/* An edge of one through the other is left out, as it always is beside an edge or corner nearby. */
static float naive_rectangles(const cd_lozenge *a, const cd_lozenge *b) {
    float best = 1e30f, d;
    for (int i = 0; i < 4; ++i) {
        for (int j = 0; j < 4; ++j) {
            d = naive_segments(corner(a, i), corner(a, (i + 1) % 4), corner(b, j), corner(b, (j + 1) % 4));
            if (d < best) best = d;
        }
        if ((d = naive_corner(corner(a, i), b)) < best) best = d;
        if ((d = naive_corner(corner(b, i), a)) < best) best = d;
    }
    return best;
}

static bool naive_lozenge_lozenge(const cd_lozenge *a, const cd_lozenge *b) {
    float r = a->radius + b->radius;
    return naive_rectangles(a, b) <= r * r;
}

static bool naive_capsule_capsule(const cd_capsule *a, const cd_capsule *b) {
    float r = a->radius + b->radius;
    return naive_segments(a->a, a->b, b->a, b->b) <= r * r;
}

/* ---- runs ---- */

#define RUN(name, call)                                                                                      \
    static bench_answer name(void *ctx) {                                                                    \
        bench_answer r;                                                                                      \
        (void)ctx;                                                                                           \
        memset(&r, 0, sizeof r);                                                                             \
        for (int i = 0; i < PAIRS; ++i) r.count += (call);                                                   \
        return r;                                                                                            \
    }

RUN(ours_capsules, cd_test_capsule_capsule(&capsules[i][0], &capsules[i][1]))
RUN(plain_capsules, naive_capsule_capsule(&capsules[i][0], &capsules[i][1]))
RUN(ours_lozenges, cd_test_lozenge_lozenge(&lozenges[i][0], &lozenges[i][1]))
RUN(plain_lozenges, naive_lozenge_lozenge(&lozenges[i][0], &lozenges[i][1]))
RUN(ours_capsule_lozenge, cd_test_capsule_lozenge(&capsules[i][0], &lozenges[i][1]))

static void measure(const char *name, bench_answer (*ours)(void *), bench_answer (*naive)(void *)) {
    bench_job jobs[2];
    memset(jobs, 0, sizeof jobs);
    jobs[0].implementation = "ours-O2";
    jobs[0].run = ours;
    jobs[1].implementation = "naive-O2";
    jobs[1].run = naive;
    bench_measure("swept", name, bench_ns, PAIRS, jobs, naive ? 2 : 1);
}

int main(void) {
    make_pairs();
    measure("capsule-capsule", ours_capsules, plain_capsules);
    measure("lozenge-lozenge", ours_lozenges, plain_lozenges);
    measure("capsule-lozenge", ours_capsule_lozenge, NULL);
    return 0;
}
