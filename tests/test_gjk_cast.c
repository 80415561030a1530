/* Casts along GJK's directions: against the reference of moving bodies, against the sweeps and casts that kinds have of their own, and
 * against what separations are before and at the contact; options, starts, grazing, large targets, bad input. */
#include "gen.h"
#include "sweeps.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

enum { POINT, SPHERE, SEGMENT, CAPSULE, TRIANGLE, POINTS, AABB, OBB, RECT, LOZENGE, HULL, USER, KINDS };

typedef struct thing {
    int kind, count;
    cd_sphere sphere;
    cd_segment segment;
    cd_capsule capsule;
    cd_triangle triangle;
    cd_vec3 points[SWEEP_CORNERS];
    cd_aabb aabb;
    cd_obb obb;
    cd_rect rect;
    cd_lozenge lozenge;
    cd_hull hull;
    cd_support support;
    sweep_body body;
} thing;

static uint32_t farthest_of_user(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    const thing *t = (const thing *)user;
    int best = 0;
    double most = -INFINITY;
    (void)hint;
    for (int i = 0; i < t->count; ++i) {
        double x = (double)t->points[i].x * (double)dir.x + (double)t->points[i].y * (double)dir.y +
                   (double)t->points[i].z * (double)dir.z;
        if (x > most) most = x, best = i;
    }
    *out = t->points[best];
    return (uint32_t)best;
}

static void to_array(cd_vec3 p, double *out) {
    out[0] = (double)p.x;
    out[1] = (double)p.y;
    out[2] = (double)p.z;
}

static sweep_body body_of_rect(const cd_rect *r, cd_real radius) {
    sweep_body b;
    memset(&b, 0, sizeof b);
    b.count = 4;
    b.radius = (double)radius;
    to_array(r->a, b.origin);
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k)
            b.corner[i][k] =
                (i & 1 ? (double)(&r->edge[0].x)[k] : 0) + (i & 2 ? (double)(&r->edge[1].x)[k] : 0);
    return b;
}

/* The support and the reference of what was drawn; the things point into themselves, so they must stay. */
static void make_support(thing *t) {
    sweep_body *b = &t->body;
    cd_hull_parts parts;
    switch (t->kind) {
    case POINT:
        t->sphere.radius = 0;
        t->support = cd_support_of_point(t->sphere.center);
        *b = sweep_of_sphere(t->sphere);
        return;
    case SPHERE: t->support = cd_support_of_sphere(t->sphere), *b = sweep_of_sphere(t->sphere); return;
    case SEGMENT:
        t->support = cd_support_of_segment(&t->segment);
        t->capsule.a = t->segment.a;
        t->capsule.b = t->segment.b;
        t->capsule.radius = 0;
        *b = sweep_of_capsule(&t->capsule);
        return;
    case CAPSULE: t->support = cd_support_of_capsule(&t->capsule), *b = sweep_of_capsule(&t->capsule); return;
    case TRIANGLE:
        t->support = cd_support_of_triangle(&t->triangle), *b = sweep_of_triangle(&t->triangle);
        return;
    case AABB: t->support = cd_support_of_aabb(&t->aabb), *b = sweep_of_aabb(t->aabb); return;
    case OBB: t->support = cd_support_of_obb(&t->obb), *b = sweep_of_obb(&t->obb); return;
    case RECT: t->support = cd_support_of_rect(&t->rect), *b = body_of_rect(&t->rect, 0); return;
    case LOZENGE:
        t->support = cd_support_of_lozenge(&t->lozenge), *b = body_of_rect(&t->rect, t->lozenge.radius);
        return;
    case HULL:
        if (cd_hull3_build(&t->hull, t->points, (size_t)t->count, NULL) == CD_OK) {
            parts = cd_hull_get_parts(&t->hull);
            t->support = cd_support_of_hull(&t->hull);
            *b = sweep_of_polygon(parts.vertices, (int)parts.vertex_count);
            return;
        }
        t->kind = POINTS; /* fall through */
    default:
        *b = sweep_of_polygon(t->points, t->count);
        t->support = t->kind == USER ? cd_support_of_function(farthest_of_user, t, t->points[0], 0)
                                     : cd_support_of_points(t->points, (size_t)t->count);
    }
}

static void draw_thing(gen *g, thing *t) {
    memset(t, 0, sizeof *t);
    t->kind = test_int(g->rng, 0, KINDS - 1);
    if (t->kind == USER && sizeof(cd_real) == 4) t->kind = POINTS; /* see user_bodies */
    t->sphere = gen_sphere(g);
    t->segment = gen_segment(g);
    t->capsule.a = t->segment.a;
    t->capsule.b = t->segment.b;
    t->capsule.radius = t->sphere.radius;
    t->triangle = gen_triangle(g);
    t->count = test_int(g->rng, 1, SWEEP_CORNERS);
    for (int i = 0; i < t->count; ++i) t->points[i] = gen_point(g);
    t->aabb = gen_aabb(g);
    t->obb = gen_obb(g);
    t->rect.a = gen_point(g);
    t->rect.edge[0] = gen_direction(g);
    t->rect.edge[1] = gen_direction(g);
    t->lozenge.a = t->rect.a;
    t->lozenge.edge[0] = t->rect.edge[0];
    t->lozenge.edge[1] = t->rect.edge[1];
    t->lozenge.radius = t->sphere.radius;
    make_support(t);
}

static void note_thing(const thing *t) {
    thing copy = *t;
    test_note_reals("sphere", REALS(copy.sphere), 4);
    test_note_reals("segment", REALS(copy.segment), 6);
    test_note_reals("triangle", REALS(copy.triangle), 9);
    test_note_reals("points", REALS(copy.points), 3 * t->count);
    test_note_reals("aabb", REALS(copy.aabb), 6);
    test_note_reals("obb", REALS(copy.obb), 15);
    test_note_reals("rect", REALS(copy.rect), 9);
}

static void drop(thing *t) {
    cd_hull_destroy(&t->hull);
}

/* From a corner of one to one of the other. */
static cd_vec3 between(const thing *a, const thing *b) {
    double way[3];
    for (int k = 0; k < 3; ++k)
        way[k] = b->body.origin[k] + b->body.corner[0][k] - a->body.origin[k] - a->body.corner[0][k];
    return cd_vec3_make((cd_real)way[0], (cd_real)way[1], (cd_real)way[2]);
}

/* Where a body's coordinates are of all magnitudes, only what must never be: a contact that is missed or told late. */
static void judge_wide(const thing *a, cd_vec3 motion, const thing *b, bool got, const cd_hit *hit) {
    double way[3];
    sweep_truth truth;
    if (a->kind == USER || b->kind == USER) return;
    to_array(motion, way);
    truth = sweep_first(&a->body, way, &b->body);
    if (truth.hit && truth.least <= 0) CHECK(got);
    if (truth.hit && got) CHECK((double)hit->t <= (double)truth.t * (1 + 4 * DBL_EPSILON));
}

static void sweeps_meet_as_the_reference(void) {
    test_rng rng = test_random();
    long hits = 0, starts = 0, all = test_times(3000);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        thing a, b;
        cd_vec3 motion;
        cd_hit hit, again;
        bool got;
        draw_thing(&g, &a);
        draw_thing(&g, &b);
        motion = gen_direction(&g);
        if (g.kind == GEN_WIDE)
            motion = between(&a, &b); /* else one that dwarfs the bodies, to the reference, too */
        if (!test_int(&rng, 0, 29)) motion = cd_vec3_make(0, 0, 0);
        test_note("%ld: kinds %d and %d ", i, a.kind, b.kind);
        note_thing(&a);
        note_thing(&b);
        test_note_reals("motion", REALS(motion), 3);
        memset(&hit, 0, sizeof hit);
        got = cd_gjk_sweep(&a.support, motion, &b.support, NULL, NULL, &hit);
        if (g.kind == GEN_WIDE) {
            judge_wide(&a, motion, &b, got, &hit);
        } else {
            sweep_judge(&a.body, motion, &b.body, got, &hit);
        }
        memset(&again, 0, sizeof again);
        CHECK_INT(cd_gjk_sweep(&a.support, motion, &b.support, NULL, NULL, &again), got);
        CHECK_SAME(again.t, hit.t);
        hits += got;
        starts += got && (hit.flags & CD_HIT_START);
        drop(&a);
        drop(&b);
    }
    CHECK_SEEN(hits > all / 20 && starts > 0 && hits < all);
}

void suite_gjk_cast(void) {
    RUN(sweeps_meet_as_the_reference);
}
