/* Moving boxes: every pair against the reference in long double, contacts and features, starts, and what the book gets wrong. */
#include "gen.h"
#include "sweeps.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* ---- pairs of any kind ---- */

enum { AABB, OBB, TRIANGLE, POLYGON, KINDS };

typedef struct thing {
    int kind, count;
    cd_aabb aabb;
    cd_obb obb;
    cd_triangle triangle;
    cd_vec3 polygon[8];
} thing;

static sweep_body body_of_thing(const thing *x) {
    if (x->kind == AABB) return sweep_of_aabb(x->aabb);
    if (x->kind == OBB) return sweep_of_obb(&x->obb);
    return x->kind == TRIANGLE ? sweep_of_triangle(&x->triangle) : sweep_of_polygon(x->polygon, x->count);
}

static bool sweep_to(const thing *a, cd_vec3 motion, const thing *b, const cd_cast_options *o, cd_hit *hit) {
    if (a->kind == AABB) {
        if (b->kind == AABB) return cd_sweep_aabb_aabb(a->aabb, motion, b->aabb, o, hit);
        if (b->kind == OBB) return cd_sweep_aabb_obb(a->aabb, motion, &b->obb, o, hit);
        if (b->kind == TRIANGLE) return cd_sweep_aabb_triangle(a->aabb, motion, &b->triangle, o, hit);
        return cd_sweep_aabb_polygon(a->aabb, motion, b->polygon, (size_t)b->count, o, hit);
    }
    if (b->kind == AABB) return cd_sweep_obb_aabb(&a->obb, motion, b->aabb, o, hit);
    if (b->kind == OBB) return cd_sweep_obb_obb(&a->obb, motion, &b->obb, o, hit);
    if (b->kind == TRIANGLE) return cd_sweep_obb_triangle(&a->obb, motion, &b->triangle, o, hit);
    return cd_sweep_obb_polygon(&a->obb, motion, b->polygon, (size_t)b->count, o, hit);
}

static void note_thing(const char *name, const thing *x) {
    if (x->kind == AABB) test_note_reals(name, REALS(x->aabb), 6);
    if (x->kind == OBB) test_note_reals(name, REALS(x->obb), 15);
    if (x->kind == TRIANGLE) test_note_reals(name, REALS(x->triangle), 9);
    if (x->kind == POLYGON) test_note_reals(name, REALS(x->polygon), 3 * x->count);
}

static bool judge(const thing *a, cd_vec3 motion, const thing *b) {
    sweep_body body = body_of_thing(a), target = body_of_thing(b);
    cd_hit hit;
    bool got;
    memset(&hit, 0, sizeof hit);
    test_note("%d to %d ", a->kind, b->kind);
    note_thing("a", a);
    test_note_reals("motion", REALS(motion), 3);
    note_thing("b", b);
    got = sweep_to(a, motion, b, NULL, &hit);
    CHECK_INT(got, sweep_to(a, motion, b, NULL, NULL));
    sweep_judge(&body, motion, &target, got, &hit);
    return got;
}

/* ---- drawing them ---- */

/* A convex polygon in a plane across an axis: exact wherever the numbers are. */
static void draw_polygon(gen *g, thing *x) {
    static const int around[8][2] = {{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}};
    cd_vec3 at = gen_point(g);
    cd_real size = gen_length(g);
    int axis = test_int(g->rng, 0, 2), skip = test_int(g->rng, 0, 6);
    x->count = 0;
    for (int i = 0; i < 8; ++i) {
        cd_vec3 p = at;
        if (i > 0 && test_int(g->rng, 0, 7) < skip) continue;
        REALS(p)[(axis + 1) % 3] += size * (cd_real)around[i][0];
        REALS(p)[(axis + 2) % 3] += size * (cd_real)around[i][1];
        x->polygon[x->count++] = p;
    }
}

static thing draw(gen *g, int kind) {
    thing x;
    memset(&x, 0, sizeof x);
    x.kind = kind;
    if (kind == AABB) x.aabb = gen_aabb(g);
    if (kind == OBB) x.obb = gen_obb(g);
    if (kind == TRIANGLE) x.triangle = gen_triangle(g);
    if (kind == POLYGON) draw_polygon(g, &x);
    if (kind == OBB && !test_int(g->rng, 0, 3)) REALS(x.obb.half)[test_int(g->rng, 0, 2)] = 0;
    if (kind == TRIANGLE && !test_int(g->rng, 0, 9)) x.triangle.c = x.triangle.b;
    if (kind == TRIANGLE && !test_int(g->rng, 0, 19)) x.triangle.b = x.triangle.c = x.triangle.a;
    return x;
}

static cd_vec3 draw_motion(gen *g) {
    cd_vec3 m = gen_direction(g);
    double by = test_int(g->rng, 0, 2) ? 1 : test_range(g->rng, 0, 8);
    if (!test_int(g->rng, 0, 3)) REALS(m)[test_int(g->rng, 0, 2)] = 0;
    if (!test_int(g->rng, 0, 19)) m = cd_vec3_make(0, 0, 0);
    return cd_vec3_scale(m, (cd_real)by);
}

static void every_pair_as_the_reference_has_it(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(6000);
    for (long i = 0; i < times; ++i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        thing a = draw(&g, test_int(&rng, AABB, OBB)), b = draw(&g, test_int(&rng, AABB, POLYGON));
        hits += judge(&a, draw_motion(&g), &b);
    }
    CHECK_SEEN(hits > times / 5 && hits < times - times / 10);
}

void suite_sweep_box(void) {
    RUN(every_pair_as_the_reference_has_it);
}
