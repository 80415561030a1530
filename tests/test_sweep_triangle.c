/* Moving triangles against the reference of moving bodies: triangles, boxes; as hulls of the same corners; options and bad
 * input. */
#include "gen.h"
#include "sweeps.h"
#include <math.h>
#include <string.h>

enum { TRIANGLE, AABB, OBB, KINDS };

typedef struct scene {
    int kind;
    cd_triangle mover, triangle;
    cd_aabb aabb;
    cd_obb obb;
    cd_vec3 motion;
    sweep_body body, other;
} scene;

/* A needle, a segment or a point now and then. */
static cd_triangle draw_triangle(gen *g) {
    cd_triangle t = gen_triangle(g);
    int how = test_int(g->rng, 0, 11);
    if (how == 0) t.c = t.b;
    if (how == 1) t.b = t.c = t.a;
    if (how == 2) t.c = cd_vec3_lerp(t.a, t.b, (cd_real)0.25);
    if (how == 3) t.b.z = t.c.z = t.a.z;
    return t;
}

static scene draw(test_rng *rng, gen_kind kind) {
    gen g = gen_begin(rng, kind);
    scene s;
    memset(&s, 0, sizeof s);
    s.kind = test_int(rng, 0, KINDS - 1);
    s.mover = draw_triangle(&g);
    s.triangle = draw_triangle(&g);
    s.aabb = gen_aabb(&g);
    s.obb = gen_obb(&g);
    s.motion = gen_direction(&g);
    if (!test_int(rng, 0, 19)) s.motion = cd_vec3_make(0, 0, 0);
    if (!test_int(rng, 0, 9)) s.triangle.a = s.mover.b;
    s.body = sweep_of_triangle(&s.mover);
    s.other = s.kind == TRIANGLE ? sweep_of_triangle(&s.triangle)
              : s.kind == AABB   ? sweep_of_aabb(s.aabb)
                                 : sweep_of_obb(&s.obb);
    test_note("kind %d ", s.kind);
    test_note_reals("mover", REALS(s.mover), 9);
    test_note_reals("triangle", REALS(s.triangle), 9);
    test_note_reals("aabb", REALS(s.aabb), 6);
    test_note_reals("obb", REALS(s.obb), 15);
    test_note_reals("motion", REALS(s.motion), 3);
    return s;
}

static bool sweep(const scene *s, cd_vec3 motion, const cd_cast_options *o, cd_hit *hit) {
    memset(hit, 0, sizeof *hit);
    switch (s->kind) {
    case TRIANGLE: return ASK("judge", cd_sweep_triangle_triangle(&s->mover, motion, &s->triangle, o, hit));
    case AABB: return ASK("judge", cd_sweep_triangle_aabb(&s->mover, motion, s->aabb, o, hit));
    default: return ASK("judge", cd_sweep_triangle_obb(&s->mover, motion, &s->obb, o, hit));
    }
}

static void triangles_meet_as_the_reference(void) {
    test_rng rng = test_random();
    long hits = 0, starts = 0, all = test_times(5000);
    for (long i = 0; i < all; ++i) {
        scene s = draw(&rng, (gen_kind)(i % GEN_KINDS));
        cd_hit hit;
        bool got = sweep(&s, s.motion, NULL, &hit);
        sweep_judge(&s.body, s.motion, &s.other, got, &hit);
        hits += got;
        starts += got && (hit.flags & CD_HIT_START);
    }
    CHECK_SEEN(hits > all / 20 && starts > 0 && hits < all);
}

/* Triangles that are segments along an axis, in any order of the corners: of their whole length they meet what is beside it. */
static void segments_along_the_axes(void) {
    static const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (int i = 0; i < 18; ++i) {
        const int *order = orders[i % 6];
        int k = i / 6, u = (k + 1) % 3, w = (k + 2) % 3;
        for (int at = -2; at <= 10; ++at) { /* eighths of the length */
            cd_vec3 corner[3];
            cd_triangle mover, t;
            cd_aabb box = {{0, 0, 0}, {0, 0, 0}};
            cd_vec3 motion = cd_vec3_make(0, 0, 0);
            cd_hit hit;
            memset(corner, 0, sizeof corner);
            memset(&t, 0, sizeof t);
            (&corner[1].x)[k] = 4;
            (&corner[2].x)[k] = 1;
            mover.a = corner[order[0]];
            mover.b = corner[order[1]];
            mover.c = corner[order[2]];
            (&motion.x)[u] = 8;
            (&t.a.x)[k] = (&t.b.x)[k] = (&t.c.x)[k] = (cd_real)(at * 0.5 + 0.25);
            (&t.a.x)[u] = 2;
            (&t.b.x)[u] = (&t.c.x)[u] = 3;
            (&t.b.x)[w] = 1;
            (&t.c.x)[w] = -1;
            (&box.min.x)[k] = (&box.max.x)[k] = (cd_real)(at * 0.5 + 0.25);
            (&box.min.x)[u] = 2;
            (&box.max.x)[u] = 3;
            (&box.min.x)[w] = -1;
            (&box.max.x)[w] = 1;
            test_note("axis %d, order %d, at %d", k, i % 6, at);
            if (CHECK_INT(ASK("exact", cd_sweep_triangle_triangle(&mover, motion, &t, NULL, &hit)),
                          at >= 0 && at < 8) &&
                at >= 0 && at < 8)
                CHECK_NEAR(hit.t, 0.25, 1e-6);
            if (CHECK_INT(ASK("exact", cd_sweep_triangle_aabb(&mover, motion, box, NULL, &hit)),
                          at >= 0 && at < 8) &&
                at >= 0 && at < 8)
                CHECK_NEAR(hit.t, 0.25, 1e-6);
        }
    }
}

void suite_sweep_triangle(void) {
    RUN(triangles_meet_as_the_reference);
    RUN(segments_along_the_axes);
}
