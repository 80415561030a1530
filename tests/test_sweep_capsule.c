/* Moving capsules: judged by the reference for sweeps on every kind of input; starts; the batch; degenerate capsules. */
#include "gen.h"
#include "sweeps.h"
#include <math.h>
#include <string.h>

enum { KIND_SPHERE, KIND_CAPSULE, KIND_TRIANGLE, KIND_POLYGON, KIND_AABB, KIND_OBB, KIND_COUNT };

/* Something at rest. */
typedef struct target {
    int kind, count;
    cd_sphere sphere;
    cd_capsule capsule;
    cd_triangle triangle;
    cd_vec3 polygon[6];
    cd_aabb aabb;
    cd_obb obb;
} target;

static bool sweep(const cd_capsule *c, cd_vec3 motion, const target *b, const cd_cast_options *options,
                  cd_hit *hit) {
    switch (b->kind) {
    case KIND_SPHERE: return cd_sweep_capsule_sphere(c, motion, b->sphere, options, hit);
    case KIND_CAPSULE: return cd_sweep_capsule_capsule(c, motion, &b->capsule, options, hit);
    case KIND_TRIANGLE: return cd_sweep_capsule_triangle(c, motion, &b->triangle, options, hit);
    case KIND_POLYGON:
        return cd_sweep_capsule_polygon(c, motion, b->polygon, (size_t)b->count, options, hit);
    case KIND_AABB: return cd_sweep_capsule_aabb(c, motion, b->aabb, options, hit);
    default: return cd_sweep_capsule_obb(c, motion, &b->obb, options, hit);
    }
}

static bool touches(const cd_capsule *c, const target *b) {
    switch (b->kind) {
    case KIND_SPHERE: return cd_test_sphere_capsule(b->sphere, c);
    case KIND_CAPSULE: return cd_test_capsule_capsule(c, &b->capsule);
    case KIND_TRIANGLE: return cd_test_capsule_triangle(c, &b->triangle);
    case KIND_POLYGON: return cd_test_polygon_capsule(b->polygon, (size_t)b->count, c);
    case KIND_AABB: return cd_test_capsule_aabb(c, b->aabb);
    default: return cd_test_capsule_obb(c, &b->obb);
    }
}

static sweep_body body_of(const target *b) {
    switch (b->kind) {
    case KIND_SPHERE: return sweep_of_sphere(b->sphere);
    case KIND_CAPSULE: return sweep_of_capsule(&b->capsule);
    case KIND_TRIANGLE: return sweep_of_triangle(&b->triangle);
    case KIND_POLYGON: return sweep_of_polygon(b->polygon, b->count);
    case KIND_AABB: return sweep_of_aabb(b->aabb);
    default: return sweep_of_obb(&b->obb);
    }
}

static void note_target(const cd_capsule *c, cd_vec3 motion, const target *b) {
    static const char *const names[] = {"sphere", "capsule", "triangle", "polygon", "aabb", "obb"};
    target t = *b;
    cd_capsule copy = *c;
    test_note("capsule against %s: ", names[b->kind]);
    test_note_reals("c", REALS(copy), 7);
    test_note_reals("motion", REALS(motion), 3);
    if (b->kind == KIND_SPHERE) test_note_reals("b", REALS(t.sphere), 4);
    if (b->kind == KIND_CAPSULE) test_note_reals("b", REALS(t.capsule), 7);
    if (b->kind == KIND_TRIANGLE) test_note_reals("b", REALS(t.triangle), 9);
    if (b->kind == KIND_POLYGON) test_note_reals("b", REALS(t.polygon), 3 * b->count);
    if (b->kind == KIND_AABB) test_note_reals("b", REALS(t.aabb), 6);
    if (b->kind == KIND_OBB) test_note_reals("b", REALS(t.obb), 15);
}

/* A convex polygon in a plane, without rounding: of a rectangle along two axes, or a triangle of the scene. */
static void draw_polygon(gen *g, target *b) {
    cd_aabb box = gen_aabb(g);
    cd_vec3 lo = box.min, hi = box.max;
    cd_triangle t = gen_triangle(g);
    b->count = test_int(g->rng, 1, 6);
    if (b->count <= 3) {
        b->polygon[0] = t.a;
        b->polygon[1] = t.b;
        b->polygon[2] = t.c;
        return;
    }
    b->polygon[0] = lo;
    b->polygon[1] = cd_vec3_make(hi.x, lo.y, lo.z);
    b->polygon[2] = cd_vec3_make(hi.x, hi.y, lo.z);
    b->polygon[3] = cd_vec3_make(lo.x, hi.y, lo.z);
    if (b->count > 4) b->polygon[4] = b->polygon[b->count == 5 ? 3 : 0]; /* corners that coincide */
    if (b->count > 5) {
        b->polygon[4] = b->polygon[3];
        b->polygon[3] = cd_vec3_make((cd_real)0.5 * lo.x + (cd_real)0.5 * hi.x, hi.y, lo.z);
        b->polygon[5] = lo;
    }
}

static cd_capsule draw_capsule(gen *g) {
    cd_segment s = gen_segment(g);
    cd_capsule c;
    c.a = s.a;
    c.b = test_int(g->rng, 0, 9) ? s.b : s.a;
    c.radius = test_int(g->rng, 0, 3) ? gen_length(g) : 0;
    if (test_int(g->rng, 0, 3) == 0) c.radius *= (cd_real)0.015625;
    if (test_int(g->rng, 0, 2) == 0) { /* along an axis */
        int axis = test_int(g->rng, 0, 2);
        if (axis != 0) c.b.x = c.a.x;
        if (axis != 1) c.b.y = c.a.y;
        if (axis != 2) c.b.z = c.a.z;
    }
    return c;
}

static target draw_target(gen *g, int kind) {
    target b;
    memset(&b, 0, sizeof b);
    b.kind = kind;
    if (kind == KIND_SPHERE) b.sphere = gen_sphere(g);
    if (kind == KIND_CAPSULE) b.capsule = draw_capsule(g);
    if (kind == KIND_TRIANGLE) b.triangle = gen_triangle(g);
    if (kind == KIND_POLYGON) draw_polygon(g, &b);
    if (kind == KIND_AABB) b.aabb = gen_aabb(g);
    if (kind == KIND_OBB) b.obb = gen_obb(g);
    if (kind == KIND_SPHERE && test_int(g->rng, 0, 4) == 0) b.sphere.radius = 0;
    if (kind == KIND_TRIANGLE && test_int(g->rng, 0, 9) == 0) b.triangle.c = b.triangle.b;
    return b;
}

static cd_vec3 draw_motion(gen *g) {
    cd_vec3 m = gen_direction(g);
    int kind = test_int(g->rng, 0, 19);
    if (kind == 0) return cd_vec3_make(0, 0, 0);
    if (kind < 10) m = cd_vec3_scale(m, 4);
    return m;
}

static void judge(const cd_capsule *c, cd_vec3 motion, const target *b) {
    sweep_body mover = sweep_of_capsule(c), still = body_of(b);
    cd_hit hit;
    bool got;
    memset(&hit, 0, sizeof hit);
    got = sweep(c, motion, b, NULL, &hit);
    CHECK(sweep(c, motion, b, NULL, NULL) == got);
    sweep_judge(&mover, motion, &still, got, &hit);
}

static void judge_kind(int kind, long n) {
    test_rng rng = test_random();
    for (long i = test_times(n); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_capsule c = draw_capsule(&g);
        target b = draw_target(&g, kind);
        cd_vec3 motion = draw_motion(&g);
        note_target(&c, motion, &b);
        judge(&c, motion, &b);
    }
}

static void spheres(void) {
    judge_kind(KIND_SPHERE, 1500);
}
static void capsules(void) {
    judge_kind(KIND_CAPSULE, 1500);
}
static void triangles(void) {
    judge_kind(KIND_TRIANGLE, 3000);
}
static void polygons(void) {
    judge_kind(KIND_POLYGON, 1500);
}
static void aabbs(void) {
    judge_kind(KIND_AABB, 2000);
}
static void obbs(void) {
    judge_kind(KIND_OBB, 2000);
}

void suite_sweep_capsule(void) {
    RUN(spheres);
    RUN(capsules);
    RUN(triangles);
    RUN(polygons);
    RUN(aabbs);
    RUN(obbs);
}
