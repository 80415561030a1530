/* Moving hulls of every dimension against the reference of moving bodies: triangles, boxes, spheres; options and bad input. */
#include "gen.h"
#include "sweeps.h"
#include <math.h>
#include <string.h>

enum { TRIANGLE, AABB, OBB, SPHERE, TO_HULL, KINDS };

typedef struct scene {
    int kind;
    cd_hull hull;
    sweep_body body, other;
    cd_triangle triangle;
    cd_aabb aabb;
    cd_obb obb;
    cd_sphere sphere;
    cd_vec3 motion;
} scene;

/* Points in any position: all, or in a plane, in a line, or one. */
static void draw_hull(gen *g, scene *s) {
    cd_vec3 p[SWEEP_CORNERS];
    cd_hull_parts parts;
    int count = test_int(g->rng, 1, SWEEP_CORNERS), flat = test_int(g->rng, 0, 3);
    if (test_int(g->rng, 0, 3)) count = test_int(g->rng, 4, SWEEP_CORNERS);
    for (int i = 0; i < count; ++i) {
        p[i] = gen_point(g);
        if (flat == 1) p[i].z = p[0].z;
        if (flat == 2 && !test_int(g->rng, 0, 1)) p[i].x = p[0].x;
    }
    if (flat == 3) count = count > 3 && test_int(g->rng, 0, 2) ? count : test_int(g->rng, 1, 3);
    if (cd_hull3_build(&s->hull, p, (size_t)count, NULL) != CD_OK) memset(&s->hull, 0, sizeof s->hull);
    parts = cd_hull_get_parts(&s->hull);
    s->body = sweep_of_polygon(parts.vertices, (int)parts.vertex_count);
}

static void draw_other(gen *g, scene *s) {
    s->triangle = gen_triangle(g);
    s->aabb = gen_aabb(g);
    s->obb = gen_obb(g);
    s->sphere = gen_sphere(g);
    if (!test_int(g->rng, 0, 3)) s->sphere.radius = 0;
    if (!test_int(g->rng, 0, 9)) s->triangle.c = s->triangle.b;
    s->other = s->kind == TRIANGLE ? sweep_of_triangle(&s->triangle)
               : s->kind == AABB   ? sweep_of_aabb(s->aabb)
               : s->kind == OBB    ? sweep_of_obb(&s->obb)
                                   : sweep_of_sphere(s->sphere);
}

static bool sweep(const scene *s, cd_vec3 motion, const cd_cast_options *o, cd_hit *hit) {
    memset(hit, 0, sizeof *hit);
    switch (s->kind) {
    case TRIANGLE: return cd_sweep_hull_triangle(&s->hull, motion, &s->triangle, o, hit);
    case AABB: return cd_sweep_hull_aabb(&s->hull, motion, s->aabb, o, hit);
    case OBB: return cd_sweep_hull_obb(&s->hull, motion, &s->obb, o, hit);
    case SPHERE: return cd_sweep_hull_sphere(&s->hull, motion, s->sphere, o, hit);
    default: return cd_sweep_sphere_hull(s->sphere, motion, &s->hull, o, hit);
    }
}

static scene draw(test_rng *rng, gen_kind kind) {
    gen g = gen_begin(rng, kind);
    scene s;
    cd_hull_parts parts;
    memset(&s, 0, sizeof s);
    s.kind = test_int(rng, 0, KINDS - 1);
    draw_hull(&g, &s);
    draw_other(&g, &s);
    s.motion = gen_direction(&g);
    if (!test_int(rng, 0, 29)) s.motion = cd_vec3_make(0, 0, 0);
    parts = cd_hull_get_parts(&s.hull);
    test_note("kind %d, dimension %d ", s.kind, (int)parts.dimension);
    test_note_reals("hull", (const cd_real *)(const void *)parts.vertices, 3 * (int)parts.vertex_count);
    test_note_reals("triangle", REALS(s.triangle), 9);
    test_note_reals("aabb", REALS(s.aabb), 6);
    test_note_reals("obb", REALS(s.obb), 15);
    test_note_reals("sphere", REALS(s.sphere), 4);
    test_note_reals("motion", REALS(s.motion), 3);
    return s;
}

static void judge(const scene *s, bool got, const cd_hit *hit) {
    if (s->kind == TO_HULL)
        sweep_judge(&s->other, s->motion, &s->body, got, hit);
    else
        sweep_judge(&s->body, s->motion, &s->other, got, hit);
}

static gen_kind kind_of(long i) {
    return (gen_kind)(i % GEN_KINDS);
}

static void hulls_meet_as_the_reference(void) {
    test_rng rng = test_random();
    long hits = 0, starts = 0, all = test_times(1000);
    for (long i = 0; i < all; ++i) {
        scene s = draw(&rng, kind_of(i));
        cd_hit hit;
        bool got = sweep(&s, s.motion, NULL, &hit);
        judge(&s, got, &hit);
        CHECK_INT(sweep(&s, s.motion, NULL, &hit), got);
        hits += got;
        starts += got && (hit.flags & CD_HIT_START);
        cd_hull_destroy(&s.hull);
    }
    CHECK_SEEN(hits > all / 20 && starts > 0 && hits < all);
}

void suite_sweep_hull(void) {
    RUN(hulls_meet_as_the_reference);
}
