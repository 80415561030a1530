/* Segments, capsules and lozenges: distances, tests and casts against exact arithmetic. */
#include "cases.h"
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)
#define U   1.1102230246251565e-16

/* ---- inputs ---- */

static gen any_scene(test_rng *rng) {
    return gen_begin(rng, (gen_kind)test_int(rng, 0, GEN_KINDS - 1));
}

/* A segment in trouble with another: parallel, nearly so, crossing, sharing an end, without length. */
static cd_segment segment_near(gen *g, const cd_segment *s) {
    cd_segment t = gen_segment(g);
    cd_vec3 along = cd_vec3_sub(s->b, s->a), off = cd_vec3_sub(gen_point(g), gen_point(g));
    cd_real tiny = (cd_real)ldexp(1.0, -test_int(g->rng, 5, 40));
    switch (test_int(g->rng, 0, 8)) {
    case 0: t.b = t.a; break;
    case 1: t.b = cd_vec3_along(t.a, along, (cd_real)test_range(g->rng, -2, 2)); break;
    case 2:
        t.b = cd_vec3_along(cd_vec3_along(t.a, along, (cd_real)test_range(g->rng, -2, 2)), off, tiny);
        break;
    case 3: t.a = cd_vec3_lerp(s->a, s->b, (cd_real)test_range(g->rng, -1, 2)); break;
    case 4: t.a = s->b; break;
    case 5:
        t.a = cd_vec3_along(cd_vec3_lerp(s->a, s->b, (cd_real)test_range(g->rng, -1, 2)), off, tiny);
        t.b = cd_vec3_along(cd_vec3_lerp(s->a, s->b, (cd_real)test_range(g->rng, -1, 2)), off, -tiny);
        break;
    default: break;
    }
    return t;
}

static cd_capsule capsule_of(const cd_segment *s, cd_real radius) {
    cd_capsule c;
    c.a = s->a;
    c.b = s->b;
    c.radius = radius;
    return c;
}

static cd_lozenge gen_lozenge(gen *g) {
    cd_lozenge l;
    cd_obb b = gen_obb(g);
    l.a = b.center;
    l.edge[0] = cd_vec3_scale(b.axes.col[0], 2 * b.half.x);
    l.edge[1] = cd_vec3_scale(b.axes.col[1], 2 * b.half.y);
    if (g->kind == GEN_GRID) {
        l.edge[0] = cd_vec3_make((cd_real)test_int(g->rng, -3, 3), 0, 0);
        l.edge[1] = cd_vec3_make(0, (cd_real)test_int(g->rng, -3, 3), 0);
        if (test_int(g->rng, 0, 1)) l.edge[1] = cd_vec3_make(0, 0, (cd_real)test_int(g->rng, -3, 3));
        if (!test_int(g->rng, 0, 2)) {
            l.edge[0] = cd_vec3_make(1, 1, 0);
            l.edge[1] = cd_vec3_make(-1, 1, 2);
        }
    }
    if (!test_int(g->rng, 0, 9)) l.edge[0] = cd_vec3_make(0, 0, 0);
    if (!test_int(g->rng, 0, 9)) l.edge[1] = cd_vec3_make(0, 0, 0);
    l.radius = test_int(g->rng, 0, 3) ? gen_length(g) / 2 : 0;
    return l;
}

/* The corners of the core, rounded to double. */
static int corners_of(const cd_lozenge *l, double v[12]) {
    bool flat[2];
    for (int i = 0; i < 2; ++i) flat[i] = l->edge[i].x == 0 && l->edge[i].y == 0 && l->edge[i].z == 0;
    for (int k = 0; k < 3; ++k) {
        double a = (double)REALS(l->a)[k], e = (double)REALS(l->edge[0])[k], f = (double)REALS(l->edge[1])[k];
        v[k] = a;
        v[3 + k] = flat[0] ? a + f : a + e;
        v[6 + k] = a + (e + f);
        v[9 + k] = a + f;
    }
    return flat[0] && flat[1] ? 1 : flat[0] || flat[1] ? 2 : 4;
}

static void note_shapes(const void *a, int m, const void *b, int n) {
    test_note("");
    test_note_reals("a", (const cd_real *)a, m);
    test_note_reals("b", (const cd_real *)b, n);
}

/* ---- segments ---- */

static void check_closest(const cd_closest *c, const cd_segment *s, const cd_segment *t) {
    double d[12], margin, p[3], q[3];
    oracle_distance want;
    to_doubles(REALS(*s), d, 6);
    to_doubles(REALS(*t), d + 6, 6);
    want = oracle_segment_segment(d, d + 6);
    margin = 4 * EPS * largest(d, 12);
    to_doubles(REALS(c->a), p, 3);
    to_doubles(REALS(c->b), q, 3);
    CHECK_NEAR(sqrt((double)c->sqdist), want.distance, margin);
    CHECK(oracle_point_segment(p, d).distance <= margin);
    CHECK(oracle_point_segment(q, d + 6).distance <= margin);
    CHECK_NEAR(hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]), want.distance, margin);
    CHECK(c->s >= 0 && c->s <= 1 && c->t >= 0 && c->t <= 1 && c->sqdist >= 0);
    CHECK_VEC(cd_vec3_lerp(s->a, s->b, c->s), c->a, margin);
    CHECK_VEC(cd_vec3_lerp(t->a, t->b, c->t), c->b, margin);
}

static void segments(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = any_scene(&rng);
        cd_segment s = gen_segment(&g), t = segment_near(&g, &s);
        cd_closest c = cd_closest_pts_segment_segment(&s, &t), d = cd_closest_pts_segment_segment(&t, &s);
        note_shapes(&s, 6, &t, 6);
        check_closest(&c, &s, &t);
        check_closest(&d, &t, &s);
        CHECK_SAME(cd_sqdist_segment_segment(&s, &t), c.sqdist);
        CHECK((c.s == 0) == (c.feature_a == CD_FEATURE(1u, 0)) || c.s > 0);
    }
}

void suite_swept(void) {
    RUN(segments);
}
