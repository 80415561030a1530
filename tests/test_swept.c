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
    for (long i = test_times(3000); i > 0; --i) {
        gen g = any_scene(&rng);
        cd_segment s = gen_segment(&g), t = segment_near(&g, &s);
        cd_closest c = ASK("exact", cd_closest_pts_segment_segment(&s, &t)),
                   d = cd_closest_pts_segment_segment(&t, &s);
        note_shapes(&s, 6, &t, 6);
        check_closest(&c, &s, &t);
        check_closest(&d, &t, &s);
        CHECK_SAME(ASK("exact", cd_sqdist_segment_segment(&s, &t)), c.sqdist);
        /* beside much larger numbers an inside may be so near to the end that its parameter is less than the least one */
        CHECK((c.s == 0) == (c.feature_a == CD_FEATURE(1u, 0)) || c.s > 0 ||
              (g.kind == GEN_WIDE && memcmp(&c.a, &s.a, sizeof c.a) == 0));
    }
}

static void check_real_segments(const json *one, const json *expected) {
    cd_segment s, t;
    cd_closest c;
    double scale, numbers[12];
    if (cases_reals(one, "p1", REALS(s.a), 3) != 3 || cases_reals(one, "q1", REALS(s.b), 3) != 3 ||
        cases_reals(one, "p2", REALS(t.a), 3) != 3 || cases_reals(one, "q2", REALS(t.b), 3) != 3) {
        CHECK(!"four points");
        return;
    }
    to_doubles(REALS(s), numbers, 6);
    to_doubles(REALS(t), numbers + 6, 6);
    scale = largest(numbers, 12);
    c = ASK(cases_family(), cd_closest_pts_segment_segment(&s, &t));
    CHECK_ULPS(sqrt((double)c.sqdist), json_real(expected, "distance"), 4, scale);
    check_closest(&c, &s, &t);
}

static void real_segments(void) {
    cases_each("segment_segment", check_real_segments);
}

static void parallel_segments_answer_near_the_first_end(void) {
    cd_segment s = {{0, 0, 0}, {4, 0, 0}}, t = {{9, 1, 0}, {-9, 1, 0}}, u = {{3, 2, 0}, {9, 2, 0}},
               v = {{6, 0, 0}, {5, 0, 0}};
    cd_closest c = cd_closest_pts_segment_segment(&s, &t);
    CHECK(c.s == 0 && c.t == (cd_real)0.5 && c.sqdist == 1 && c.feature_a == CD_FEATURE(1u, 0) &&
          c.feature_b == CD_FEATURE(2u, 0));
    c = cd_closest_pts_segment_segment(&s, &u);
    CHECK(c.s == (cd_real)0.75 && c.t == 0 && c.sqdist == 4);
    c = cd_closest_pts_segment_segment(&s, &v);
    CHECK(c.s == 1 && c.t == 1 && c.sqdist == 1);
    s.a.x = (cd_real)NAN;
    c = cd_closest_pts_segment_segment(&s, &v);
    CHECK(isnan((double)c.sqdist) && c.a.x == 0 && c.s == 0);
}

/* ---- capsules ---- */

/* A radius that makes the two touch up to a unit in the last place, or any. */
static cd_real touching_radius(gen *g, double distance, cd_real other) {
    cd_real r = gen_length(g);
    if (test_int(g->rng, 0, 2)) r = gen_near(g->rng, (cd_real)(distance - (double)other));
    return r >= 0 && r <= CD_REAL_MAX ? r : 0;
}

/* Across each other on a grid, as far from each other as the whole number that is returned: it is that of a step perpendicular to both. */
static int segments_whole_apart(test_rng *rng, cd_segment *s, cd_segment *t) {
    static const int steps[3][10] = {
        {0, 0, 1, 1, 2, 0, -1, 2, 0, 1}, /* a step; along the one, along the other; the step's length */
        {2, 2, 1, 1, -1, 0, 1, 0, -2, 3},
        {4, 0, -3, 0, 1, 0, 3, -2, 4, 5}};
    const int *step = steps[test_int(rng, 0, 2)];
    int a = test_int(rng, 0, 2), b = test_int(rng, 0, 2), side = test_int(rng, 0, 1) ? 1 : -1;
    for (int k = 0; k < 3; ++k) {
        int at = test_int(rng, -4, 4), over = at + side * step[k];
        REALS(s->a)[k] = (cd_real)(at - a * step[3 + k]);
        REALS(s->b)[k] = (cd_real)(at + 2 * step[3 + k]);
        REALS(t->a)[k] = (cd_real)(over - b * step[6 + k]);
        REALS(t->b)[k] = (cd_real)(over + 3 * step[6 + k]);
    }
    return step[9];
}

static void capsules_exactly(void) {
    test_rng rng = test_random();
    long close = 0, meet = 0, times = test_times(5000);
    for (long i = times; i > 0; --i) {
        gen g = any_scene(&rng);
        cd_segment s = gen_segment(&g), t = segment_near(&g, &s);
        cd_capsule a, b;
        cd_sphere ball;
        double d[12], r;
        int order;
        int whole = 0;
        if (!test_int(&rng, 0, 3)) t.b = t.a;
        if (i % 5 == 0) whole = segments_whole_apart(&rng, &s, &t);
        to_doubles(REALS(s), d, 6);
        to_doubles(REALS(t), d + 6, 6);
        a = capsule_of(&s, gen_length(&g) / 2);
        r = (double)touching_radius(&g, oracle_segment_segment(d, d + 6).distance, a.radius);
        if (whole) {
            a.radius = (cd_real)(whole * test_int(&rng, 0, 4)) / 4;
            r = whole - (double)a.radius;
            if (!test_int(&rng, 0, 2)) r = (double)gen_near(&rng, (cd_real)r);
            if (r < 0) r = 0;
        }
        b = capsule_of(&t, (cd_real)r);
        note_shapes(&a, 7, &b, 7);
        order = oracle_segments_against(d, d + 6, (double)a.radius, r);
        CHECK_INT(ASK("exact", cd_test_capsule_capsule(&a, &b)), order <= 0);
        CHECK_INT(ASK("exact", cd_test_capsule_capsule(&b, &a)), order <= 0);
        close += order == 0;
        meet += order < 0;
        if (memcmp(&t.a, &t.b, sizeof t.a)) continue;
        ball.center = t.a;
        ball.radius = b.radius;
        CHECK_INT(ASK("exact", cd_test_sphere_capsule(ball, &a)), order <= 0);
        a.radius = b.radius;
        CHECK_INT(ASK("exact", cd_test_point_capsule(t.a, &a)), oracle_segments_against(d, d + 6, r, 0) <= 0);
    }
    CHECK_SEEN(close > times / 100);
    CHECK_SEEN(meet > times / 10 && meet < times / 10 * 9);
}

static void closest_points_of_capsules(void) {
    test_rng rng = test_random();
    for (long i = test_times(2250); i > 0; --i) {
        gen g = any_scene(&rng);
        cd_segment s = gen_segment(&g), t = segment_near(&g, &s);
        cd_capsule a = capsule_of(&s, gen_length(&g) / 2), b = capsule_of(&t, gen_length(&g) / 2);
        cd_closest c = ASK("exact", cd_closest_pts_capsule_capsule(&a, &b));
        cd_vec3 p = gen_point(&g), q = ASK("exact", cd_closest_pt_point_capsule(p, &a));
        double d[15], x[6], want, margin;
        note_shapes(&a, 7, &b, 7);
        to_doubles(REALS(s), d, 6);
        to_doubles(REALS(t), d + 6, 6);
        to_doubles(REALS(p), d + 12, 3);
        margin = 4 * EPS * fmax(largest(d, 15), fmax((double)a.radius, (double)b.radius));
        to_doubles(REALS(c.a), x, 3);
        to_doubles(REALS(c.b), x + 3, 3);
        want = fmax(oracle_segment_segment(d, d + 6).distance - ((double)a.radius + (double)b.radius), 0);
        CHECK_NEAR(sqrt((double)c.sqdist), want, margin);
        CHECK_NEAR(hypot(hypot(x[0] - x[3], x[1] - x[4]), x[2] - x[5]), want, margin);
        CHECK(oracle_point_segment(x, d).distance <= (double)a.radius + margin);
        CHECK(oracle_point_segment(x + 3, d + 6).distance <= (double)b.radius + margin);
        to_doubles(REALS(q), x, 3);
        want = fmax(oracle_point_segment(d + 12, d).distance - (double)a.radius, 0);
        CHECK_NEAR(hypot(hypot(x[0] - d[12], x[1] - d[13]), x[2] - d[14]), want, margin);
        CHECK(oracle_point_segment(x, d).distance <= (double)a.radius + margin);
        if (ASK("exact", cd_test_point_capsule(p, &a)) && want == 0.0) CHECK_VEC(q, p, margin);
    }
}

/* ---- lozenges: the cores against brute force ---- */

/* Agrees with the distance but for the band of the doc. */
static bool verdict_is(bool got, double distance, double reach, double size) {
    double band = 32 * U * size;
    return got ? distance <= reach + band : distance >= reach - band;
}

static cd_lozenge lozenge_near(gen *g, const cd_lozenge *a) {
    cd_lozenge b = gen_lozenge(g);
    cd_real s = (cd_real)test_range(g->rng, -1, 2), t = (cd_real)test_range(g->rng, -1, 2);
    cd_vec3 on = cd_vec3_along(cd_vec3_along(a->a, a->edge[0], s), a->edge[1], t);
    switch (test_int(g->rng, 0, 7)) {
    case 0: b.a = on; break;
    case 1:
        b = *a;
        b.a = on;
        break;
    case 2:
        b.edge[0] = a->edge[1];
        b.edge[1] = cd_vec3_scale(a->edge[0], s);
        break;
    case 3: b.edge[0] = cd_vec3_along(b.edge[0], b.edge[0], s); break;
    case 4: b.a = cd_vec3_sub(on, cd_vec3_scale(b.edge[0], (cd_real)0.5)); break;
    default: break;
    }
    if (!cd_lozenge_is_valid(&b)) b.edge[1] = cd_vec3_make(0, 0, 0);
    return b;
}

static void lozenges(void) {
    test_rng rng = test_random();
    long meet = 0, times = test_times(500);
    for (long i = times; i > 0; --i) {
        gen g = any_scene(&rng);
        cd_lozenge a = gen_lozenge(&g), b = lozenge_near(&g, &a);
        double v[12], w[12], x[3], y[3], size, distance, want;
        int m, n;
        cd_closest c;
        if (!cd_lozenge_is_valid(&a)) a.edge[1] = cd_vec3_make(0, 0, 0);
        m = corners_of(&a, v);
        n = corners_of(&b, w);
        distance = oracle_polygon_polygon(v, m, w, n);
        if (test_int(&rng, 0, 1)) b.radius = touching_radius(&g, distance, a.radius);
        size = fmax(fmax(largest(v, 12), largest(w, 12)), fmax((double)a.radius, (double)b.radius));
        note_shapes(&a, 10, &b, 10);
        CHECK(verdict_is(ASK("exact", cd_test_lozenge_lozenge(&a, &b)), distance,
                         (double)a.radius + (double)b.radius, size));
        CHECK(verdict_is(ASK("swap", cd_test_lozenge_lozenge(&b, &a)), distance,
                         (double)a.radius + (double)b.radius, size));
        c = ASK("exact", cd_closest_pts_lozenge_lozenge(&a, &b));
        want = fmax(distance - ((double)a.radius + (double)b.radius), 0);
        meet += want == 0;
        CHECK_ULPS(sqrt((double)c.sqdist), want, 4, size);
        to_doubles(REALS(c.a), x, 3);
        to_doubles(REALS(c.b), y, 3);
        CHECK_ULPS(hypot(hypot(x[0] - y[0], x[1] - y[1]), x[2] - y[2]), want, 8, size); /* each is off by 4 */
        CHECK(oracle_polygon_polygon(x, 1, v, m) <= (double)a.radius + 4 * EPS * size);
        CHECK(oracle_polygon_polygon(y, 1, w, n) <= (double)b.radius + 4 * EPS * size);
    }
    CHECK_SEEN(meet > times / 10 && meet < times / 10 * 9);
}

static void lozenges_against_others(void) {
    test_rng rng = test_random();
    for (long i = test_times(600); i > 0; --i) {
        gen g = any_scene(&rng);
        cd_lozenge l = gen_lozenge(&g);
        cd_segment s = gen_segment(&g);
        cd_triangle t = gen_triangle(&g);
        cd_vec3 q;
        cd_capsule c;
        cd_sphere ball;
        double v[12], d[9], x[3], size, distance, r = (double)l.radius;
        int m;
        if (!cd_lozenge_is_valid(&l)) l.edge[1] = cd_vec3_make(0, 0, 0);
        m = corners_of(&l, v);
        if (!test_int(&rng, 0, 3)) t.c = cd_vec3_lerp(t.a, t.b, (cd_real)test_range(&rng, -1, 2));
        if (!test_int(&rng, 0, 3)) s.a = cd_vec3_along(l.a, l.edge[0], (cd_real)test_unit(&rng));
        to_doubles(REALS(s), d, 6);
        size = fmax(largest(v, 12), fmax(largest(d, 6), r));
        distance = oracle_polygon_polygon(v, m, d, memcmp(&s.a, &s.b, sizeof s.a) ? 2 : 1);
        c = capsule_of(&s, touching_radius(&g, distance, l.radius));
        note_shapes(&l, 10, &c, 7);
        CHECK(verdict_is(ASK("exact", cd_test_capsule_lozenge(&c, &l)), distance, r + (double)c.radius,
                         fmax(size, (double)c.radius)));
        distance = oracle_polygon_polygon(v, m, d, 1);
        ball.center = s.a;
        ball.radius = touching_radius(&g, distance, l.radius);
        CHECK(verdict_is(ASK("exact", cd_test_sphere_lozenge(ball, &l)), distance, r + (double)ball.radius,
                         fmax(size, (double)ball.radius)));
        CHECK(verdict_is(ASK("exact", cd_test_point_lozenge(s.a, &l)), distance, r, size));
        q = ASK("exact", cd_closest_pt_point_lozenge(s.a, &l));
        to_doubles(REALS(q), x, 3);
        CHECK_ULPS(hypot(hypot(x[0] - d[0], x[1] - d[1]), x[2] - d[2]), fmax(distance - r, 0), 4, size);
        to_doubles(REALS(t), d, 9);
        note_shapes(&l, 10, &t, 9);
        distance = oracle_polygon_polygon(v, m, d, 3);
        size = fmax(size, largest(d, 9));
        l.radius = touching_radius(&g, distance, 0);
        CHECK(verdict_is(ASK("exact", cd_test_lozenge_triangle(&l, &t)), distance, (double)l.radius,
                         fmax(size, (double)l.radius)));
        CHECK_INT(ASK("exact", cd_test_polygon_lozenge(&t.a, 3, &l)), cd_test_lozenge_triangle(&l, &t));
    }
}

static void capsules_against_triangles(void) {
    test_rng rng = test_random();
    for (long i = test_times(800); i > 0; --i) {
        gen g = any_scene(&rng);
        cd_segment s = gen_segment(&g);
        cd_triangle t = gen_triangle(&g);
        cd_capsule c;
        double d[15], distance;
        switch (test_int(&rng, 0, 5)) {
        case 0: s.a = cd_vec3_lerp(t.a, t.b, (cd_real)test_unit(&rng)); break;
        case 1: t.c = cd_vec3_lerp(t.a, t.b, (cd_real)test_range(&rng, -1, 2)); break;
        case 2: t.c = cd_vec3_along(t.a, t.c, (cd_real)1e-6); break;
        case 3: s.b = s.a; break;
        default: break;
        }
        to_doubles(REALS(s), d, 6);
        to_doubles(REALS(t), d + 6, 9);
        distance = oracle_polygon_polygon(d, 2, d + 6, 3);
        c = capsule_of(&s, touching_radius(&g, distance, 0));
        note_shapes(&c, 7, &t, 9);
        CHECK(verdict_is(ASK("exact", cd_test_capsule_triangle(&c, &t)), distance, (double)c.radius,
                         fmax(largest(d, 15), (double)c.radius)));
        /* Boxes that are apart decide what is within the band of rounding. */
        CHECK_INT(cd_test_polygon_capsule(&t.a, 3, &c),
                  cd_test_capsule_triangle(&c, &t) &&
                      cd_test_aabb_aabb(cd_aabb_from_points(&t.a, 3), cd_aabb_from_capsule(&c)));
    }
}

static void polygons(void) {
    cd_vec3 square[4] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
    cd_capsule c = {{3, 1, 1}, {3, 1, 5}, 1};
    cd_lozenge l = {{1, 3, 2}, {{0, 0, 1}, {1, 0, 0}}, 2};
    CHECK(cd_test_polygon_capsule(square, 4, &c) && cd_test_polygon_lozenge(square, 4, &l));
    CHECK(!cd_test_polygon_capsule(square, 0, &c) && !cd_test_polygon_capsule(square, 1, &c));
    CHECK(!cd_test_polygon_capsule(square, 2, &c) && cd_test_polygon_capsule(square, 3, &c));
    l.radius = (cd_real)1.999;
    CHECK(!cd_test_polygon_lozenge(square, 4, &l) && !cd_test_polygon_lozenge(square, 0, &l));
    c.a.x = 5;
    c.a.z = 0;
    CHECK(cd_test_polygon_capsule(square, 4, &c));
    square[2].x = (cd_real)NAN;
    CHECK(!cd_test_polygon_capsule(square, 4, &c));
}

/* ---- boxes ---- */

/* The six faces of a box. */
static double distance_to_box(const double *v, int m, const double lo[3], const double hi[3]) {
    double best = INFINITY, face[12];
    bool inside = true;
    for (int k = 0; k < 3; ++k) inside = inside && lo[k] <= v[k] && v[k] <= hi[k];
    if (inside) return 0.0;
    for (int f = 0; f < 6; ++f) {
        int k = f / 2, i = (k + 1) % 3, j = (k + 2) % 3;
        for (int c = 0; c < 4; ++c) {
            face[3 * c + k] = f & 1 ? hi[k] : lo[k];
            face[3 * c + i] = c == 1 || c == 2 ? hi[i] : lo[i];
            face[3 * c + j] = c > 1 ? hi[j] : lo[j];
        }
        best = fmin(best, oracle_polygon_polygon(v, m, face, 4));
    }
    return best;
}

static void boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(150); i > 0; --i) {
        gen g = any_scene(&rng);
        cd_aabb b = gen_aabb(&g);
        cd_obb o = cd_obb_from_aabb(b);
        cd_segment s = gen_segment(&g);
        cd_lozenge l = gen_lozenge(&g);
        cd_capsule c;
        double d[6], v[12], box[6], size, distance;
        int m;
        if (!test_int(&rng, 0, 3)) s.b = s.a;
        if (!cd_lozenge_is_valid(&l)) l.edge[1] = cd_vec3_make(0, 0, 0);
        to_doubles(REALS(s), d, 6);
        to_doubles(REALS(b), box, 6);
        m = corners_of(&l, v);
        distance = distance_to_box(d, 2, box, box + 3);
        c = capsule_of(&s, touching_radius(&g, distance, 0));
        size = fmax(fmax(largest(d, 6), largest(box, 6)), (double)c.radius);
        note_shapes(&c, 7, &b, 6);
        CHECK(verdict_is(ASK("exact", cd_test_capsule_aabb(&c, b)), distance, (double)c.radius, size));
        if (g.kind == GEN_GRID)
            CHECK(verdict_is(ASK("exact", cd_test_capsule_obb(&c, &o)), distance, (double)c.radius, size));
        distance = distance_to_box(v, m, box, box + 3);
        l.radius = touching_radius(&g, distance, 0);
        size = fmax(fmax(largest(v, 12), largest(box, 6)), (double)l.radius);
        note_shapes(&l, 10, &b, 6);
        CHECK(verdict_is(ASK("exact", cd_test_lozenge_aabb(&l, b)), distance, (double)l.radius, size));
        if (g.kind == GEN_GRID)
            CHECK(verdict_is(ASK("exact", cd_test_lozenge_obb(&l, &o)), distance, (double)l.radius, size));
    }
}

static void scale(cd_real *x, int count, int e) {
    for (int i = 0; i < count; ++i) x[i] = (cd_real)ldexp((double)x[i], e);
}

/* Far outside of the domain they meet as they do in it. */
static void sizes_outside_of_the_domain(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_aabb b[2];
        cd_obb o[2];
        cd_triangle t[2];
        cd_capsule c[2];
        cd_lozenge l[2], m[2];
        cd_sphere s[2];
        cd_segment core = gen_segment(&g);
        cd_closest near_by, far_away;
        int far_off = sizeof(cd_real) == 4 ? 60 : 540, e = i % 2 ? far_off : -far_off;
        b[0] = gen_aabb(&g);
        o[0] = gen_obb(&g);
        t[0] = gen_triangle(&g);
        c[0] = capsule_of(&core, gen_length(&g) / 2);
        l[0] = gen_lozenge(&g);
        m[0] = gen_lozenge(&g);
        s[0] = gen_sphere(&g);
        b[1] = b[0], o[1] = o[0], t[1] = t[0], c[1] = c[0], l[1] = l[0], m[1] = m[0], s[1] = s[0];
        scale(REALS(b[1]), 6, e);
        scale(REALS(o[1].center), 3, e);
        scale(REALS(o[1].half), 3, e);
        scale(REALS(t[1]), 9, e);
        scale(REALS(c[1]), 7, e);
        scale(REALS(l[1]), 10, e);
        scale(REALS(m[1]), 10, e);
        scale(REALS(s[1]), 4, e);
        note_shapes(&c[0], 7, &l[0], 10);
        near_by = cd_closest_pts_lozenge_lozenge(&m[0], &l[0]);
        far_away = ASK("scale", cd_closest_pts_lozenge_lozenge(&m[1], &l[1]));
        scale(REALS(far_away), 6, -e);
        CHECK(memcmp(&near_by, &far_away, 6 * sizeof(cd_real)) == 0);
        note_shapes(&o[0], 15, &t[0], 9);
        CHECK_INT(ASK("scale", cd_test_sphere_capsule(s[1], &c[1])), cd_test_sphere_capsule(s[0], &c[0]));
        CHECK_INT(ASK("scale", cd_test_sphere_lozenge(s[1], &l[1])), cd_test_sphere_lozenge(s[0], &l[0]));
        CHECK_INT(ASK("scale", cd_test_capsule_lozenge(&c[1], &l[1])), cd_test_capsule_lozenge(&c[0], &l[0]));
        CHECK_INT(ASK("scale", cd_test_capsule_triangle(&c[1], &t[1])),
                  cd_test_capsule_triangle(&c[0], &t[0]));
        CHECK_INT(ASK("scale", cd_test_lozenge_triangle(&l[1], &t[1])),
                  cd_test_lozenge_triangle(&l[0], &t[0]));
        CHECK_INT(ASK("scale", cd_test_capsule_aabb(&c[1], b[1])), cd_test_capsule_aabb(&c[0], b[0]));
        CHECK_INT(ASK("scale", cd_test_lozenge_aabb(&l[1], b[1])), cd_test_lozenge_aabb(&l[0], b[0]));
        CHECK_INT(ASK("scale", cd_test_capsule_obb(&c[1], &o[1])), cd_test_capsule_obb(&c[0], &o[0]));
        CHECK_INT(ASK("scale", cd_test_lozenge_obb(&l[1], &o[1])), cd_test_lozenge_obb(&l[0], &o[0]));
    }
}

/* Turned together with their boxes, the verdicts stay, away from touching. */
static void oriented_boxes_turn(void) {
    test_rng rng = test_random();
    for (long i = test_times(6000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_aabb b = gen_aabb(&g);
        cd_obb o = cd_obb_from_aabb(b), turned;
        cd_segment s = gen_segment(&g);
        cd_capsule c = capsule_of(&s, gen_length(&g) / 2), less, more;
        cd_lozenge l = gen_lozenge(&g), thin, thick;
        cd_transform pose = gen_pose(&rng, 2.0);
        turned = ASK("judge", cd_obb_transform(&o, &pose));
        less = more = ASK("judge", cd_capsule_transform(&c, &pose));
        thin = thick = ASK("judge", cd_lozenge_transform(&l, &pose));
        less.radius -= 64 * CD_REAL_EPSILON;
        more.radius += 64 * CD_REAL_EPSILON;
        thin.radius -= 64 * CD_REAL_EPSILON;
        thick.radius += 64 * CD_REAL_EPSILON;
        note_shapes(&c, 7, &o, 15);
        CHECK(cd_test_capsule_aabb(&c, b) ? ASK("motion", cd_test_capsule_obb(&more, &turned))
                                          : !ASK("motion", cd_test_capsule_obb(&less, &turned)));
        note_shapes(&l, 10, &o, 15);
        CHECK(cd_test_lozenge_aabb(&l, b) ? ASK("motion", cd_test_lozenge_obb(&thick, &turned))
                                          : !ASK("motion", cd_test_lozenge_obb(&thin, &turned)));
    }
}

/* ---- planes ---- */

static void planes(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_GRID : GEN_UNIT);
        cd_plane p = cd_plane_from_point_normal(gen_point(&g), gen_direction(&g));
        cd_segment s = gen_segment(&g);
        cd_capsule c = capsule_of(&s, gen_length(&g) / 2);
        cd_lozenge l = gen_lozenge(&g);
        double v[12], n[3], d, least = INFINITY, most = -INFINITY, length;
        int m = corners_of(&l, v);
        to_doubles(REALS(p), n, 3);
        length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < m; ++k) {
            d = (n[0] * v[3 * k] + n[1] * v[3 * k + 1] + n[2] * v[3 * k + 2] - (double)p.d) / length;
            least = fmin(least, d);
            most = fmax(most, d);
        }
        note_shapes(&l, 10, &p, 4);
        if (fabs(fabs(least) - (double)l.radius) > 1e-12 && fabs(fabs(most) - (double)l.radius) > 1e-12) {
            CHECK_INT(ASK("judge", cd_test_lozenge_halfspace(&l, p)), least <= (double)l.radius);
            CHECK_INT(ASK("judge", cd_test_lozenge_plane(&l, p)),
                      least <= (double)l.radius && most >= -(double)l.radius);
        }
        note_shapes(&c, 7, &p, 4);
        least = fmin((double)cd_dist_point_plane(s.a, p), (double)cd_dist_point_plane(s.b, p));
        most = fmax((double)cd_dist_point_plane(s.a, p), (double)cd_dist_point_plane(s.b, p));
        if (fabs(fabs(least) - (double)c.radius) < 1e-6 || fabs(fabs(most) - (double)c.radius) < 1e-6)
            continue;
        CHECK_INT(ASK("judge", cd_test_capsule_halfspace(&c, p)), least <= (double)c.radius);
        CHECK_INT(ASK("judge", cd_test_capsule_plane(&c, p)),
                  least <= (double)c.radius && most >= -(double)c.radius);
    }
}

/* ---- rays ---- */

/* The distance of a point of the ray to the core. */
static double core_distance(const cd_ray *r, double t, const double *v, int m) {
    double p[3];
    for (int k = 0; k < 3; ++k) p[k] = (double)REALS(r->origin)[k] + t * (double)REALS(r->dir)[k];
    return oracle_polygon_polygon(p, 1, v, m);
}

/* A ray of length 1 that begins outside hits when it comes near enough; it is outside before, and on the surface there. */
static void check_cast(bool got, const cd_hit *h, const cd_ray *r, const double *v, int m, double radius) {
    double o[6], size, nearest, margin, distance, step;
    to_doubles(REALS(r->origin), o, 3);
    for (int k = 0; k < 3; ++k) o[3 + k] = o[k] + (double)REALS(r->dir)[k];
    size = fmax(fmax(largest(o, 6), largest(v, 3 * m)), radius);
    nearest = oracle_polygon_polygon(o, 2, v, m);
    margin = 64 * U * size;
    if (fabs(nearest - radius) > margin) CHECK_INT(got, nearest <= radius);
    if (!got) return;
    margin = 8 * EPS * size;
    distance = core_distance(r, (double)h->t, v, m);
    CHECK_NEAR(cd_vec3_length(h->normal), 1, 4 * EPS);
    CHECK(h->t >= 0 && h->t <= 1 && (h->feature == CD_FEATURE(3u, 0) || (h->flags & CD_HIT_START)));
    if (h->flags & CD_HIT_START) {
        CHECK(h->t == 0 && distance <= radius + margin);
        return;
    }
    CHECK_NEAR(distance, radius, margin);
    step = (double)h->t * 0.5;
    CHECK(core_distance(r, step, v, m) >= radius - margin);
    to_doubles(REALS(h->point), o, 3);
    CHECK_NEAR(oracle_polygon_polygon(o, 1, v, m), radius, margin);
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR(o[k], (double)REALS(r->origin)[k] + (double)h->t * (double)REALS(r->dir)[k], 2 * margin);
}

static void rays(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(800);
    for (long i = times; i > 0; --i) {
        gen g = any_scene(&rng);
        cd_lozenge l = gen_lozenge(&g);
        cd_segment s = gen_segment(&g);
        cd_vec3 from = gen_point(&g), to = gen_point(&g);
        cd_capsule c = capsule_of(&s, gen_length(&g) / 2);
        cd_ray r;
        cd_hit h;
        double v[12], d[6];
        bool got;
        int m;
        if (!cd_lozenge_is_valid(&l)) l.edge[1] = cd_vec3_make(0, 0, 0);
        m = corners_of(&l, v);
        if (!test_int(&rng, 0, 3)) to = cd_vec3_add(from, cd_vec3_sub(s.b, s.a));
        if (!test_int(&rng, 0, 3)) to = cd_vec3_along(l.a, l.edge[0], (cd_real)test_unit(&rng));
        if (!test_int(&rng, 0, 5)) s.b = c.b = s.a;
        r = cd_ray_through(from, to);
        note_shapes(&r, 6, &l, 10);
        got = ASK("judge", cd_cast_ray_lozenge(&r, 1, &l, NULL, &h));
        check_cast(got, &h, &r, v, m, (double)l.radius);
        hits += got;
        note_shapes(&r, 6, &c, 7);
        to_doubles(REALS(s), d, 6);
        got = ASK("judge", cd_cast_ray_capsule(&r, 1, &c, NULL, &h));
        check_cast(got, &h, &r, d, 2, (double)c.radius);
        hits += got;
    }
    CHECK_SEEN(hits > times / 10);
}

static void check_real_ray(const json *one, const json *expected) {
    const json *shape = json_get(json_get(one, "input"), "shape");
    double t = json_real(expected, "t"), t_max, p[7] = {0}, point[3];
    cd_capsule c;
    cd_ray r;
    cd_hit h;
    bool got;
    if (!cases_is(one, "ray_capsule")) return;
    CHECK(cases_reals(one, "origin", REALS(r.origin), 3) == 3 &&
          cases_reals(one, "dir", REALS(r.dir), 3) == 3);
    CHECK(json_reals(json_get(shape, "p"), p, 3) == 3 && json_reals(json_get(shape, "q"), p + 3, 3) == 3);
    p[6] = json_real(shape, "radius");
    for (int k = 0; k < 7; ++k) REALS(c)[k] = (cd_real)p[k];
    t_max = json_real(json_get(one, "input"), "t_max");
    got = ASK(cases_family(),
              cd_cast_ray_capsule(&r, t_max == t_max ? (cd_real)t_max : CD_REAL_MAX, &c, NULL, &h));
    CHECK_INT(got, json_true(expected, "hit"));
    if (!got || !json_true(expected, "hit")) return;
    CHECK_ULPS(h.t, t, 8, 1 + t);
    CHECK_INT((h.flags & CD_HIT_START) != 0 || h.t == 0, json_true(expected, "origin_inside") || t == 0);
    if (json_reals(json_get(expected, "point"), point, 3) == 3)
        CHECK_VEC(h.point, cd_vec3_make((cd_real)point[0], (cd_real)point[1], (cd_real)point[2]), 32 * EPS);
}

static void real_rays(void) {
    cases_each("ray_capsule_cylinder", check_real_ray);
}

static void ray_starts_and_ends(void) {
    cd_capsule c = {{0, 0, 0}, {4, 0, 0}, 2};
    cd_lozenge l = {{0, 0, 0}, {{4, 0, 0}, {0, 4, 0}}, 2};
    cd_ray r = {{2, 1, -9}, {0, 0, 2}}, in = {{2, (cd_real)1.5, 0}, {0, 1, 0}}, on = {{2, 0, 0}, {0, 0, 0}};
    cd_cast_options o;
    cd_hit h;
    memset(&o, 0, sizeof o);
    CHECK(cd_cast_ray_lozenge(&r, 9, &l, NULL, &h) && h.t == (cd_real)3.5 && !h.flags);
    CHECK_VEC(h.normal, cd_vec3_make(0, 0, -1), 0);
    CHECK_VEC(h.point, cd_vec3_make(2, 1, -2), 0);
    o.flags = CD_CAST_CULL_FRONT;
    CHECK(cd_cast_ray_lozenge(&r, 9, &l, &o, &h) && h.t == (cd_real)5.5 && h.flags == CD_HIT_BACK);
    CHECK_VEC(h.normal, cd_vec3_make(0, 0, -1), 0);
    o.flags = CD_CAST_START_DEPTH;
    CHECK(cd_cast_ray_capsule(&in, 9, &c, &o, &h) && h.t == 0 && h.depth == (cd_real)0.5 &&
          h.flags == CD_HIT_START);
    CHECK_VEC(h.normal, cd_vec3_make(0, 1, 0), 0);
    CHECK(cd_cast_ray_lozenge(&in, 9, &l, &o, &h) && h.depth == 2 && h.normal.z * h.normal.z == 1);
    CHECK(cd_cast_ray_capsule(&on, 9, &c, &o, &h) && h.depth == 2 && h.normal.x == 0);
    CHECK_NEAR(cd_vec3_length(h.normal), 1, 4 * EPS);
    o.flags = CD_CAST_START_LEAVING;
    CHECK(!cd_cast_ray_capsule(&in, 9, &c, &o, &h));
    in.dir.y = -1;
    CHECK(cd_cast_ray_capsule(&in, 9, &c, &o, &h) && h.t == 0);
    o.flags = CD_CAST_START_IGNORE;
    CHECK(!cd_cast_ray_capsule(&in, 9, &c, &o, &h) && !cd_cast_ray_lozenge(&on, 9, &l, &o, &h));
    CHECK(cd_cast_ray_capsule(&in, 9, &c, NULL, &h) && h.normal.y == 1);
    on.origin.y = 5;
    CHECK(!cd_cast_ray_capsule(&on, 9, &c, NULL, &h) && cd_cast_ray_lozenge(&on, 9, &l, NULL, &h));
    o.flags = 0;
    o.t_min = 6;
    CHECK(!cd_cast_ray_lozenge(&r, 9, &l, &o, &h));
    l.edge[1].y = (cd_real)ldexp(1, -100); /* of no account */
    on.origin.y = 7;
    CHECK(!cd_cast_ray_lozenge(&on, 9, &l, NULL, &h));
    l.edge[1].y = (cd_real)ldexp(1, sizeof(cd_real) == 4 ? -149 : -1074);
    CHECK(!cd_cast_ray_lozenge(&on, 9, &l, NULL, &h));
    c.radius = l.radius = -1;
    CHECK(!cd_cast_ray_capsule(&in, 9, &c, NULL, &h) && !cd_cast_ray_lozenge(&in, 9, &l, NULL, &h));
}

/* What is not rounded, or so little that a point's own rounding is as much, is met against the motion, a rectangle by its normal; and from
 * the middle of what is, the way out is across. */
static void rays_at_bare_cores(void) {
    static const double radius[4] = {0, 1e-18, 1e-16, 1e-12};
    test_rng rng = test_random();
    for (long i = 80 + test_times(1000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 along = gen_direction(&g), other = gen_direction(&g), n, out;
        cd_lozenge l;
        cd_capsule c;
        cd_ray r;
        cd_cast_options o;
        cd_hit h;
        memset(&o, 0, sizeof o);
        memset(&h, 0, sizeof h);
        l.a = gen_point(&g);
        l.edge[0] = along;
        l.edge[1] = cd_vec3_cross(along, other);
        n = cd_vec3_normalize(cd_vec3_cross(along, l.edge[1]));
        l.radius = (cd_real)radius[i % 4];
        r.origin = gen_point(&g);
        r.dir = cd_vec3_along(l.a, along, (cd_real)test_range(&rng, 0.1, 0.9));
        r.dir = cd_vec3_along(r.dir, l.edge[1], (cd_real)test_range(&rng, 0.1, 0.9));
        r.dir = cd_vec3_sub(r.dir, r.origin);
        note_shapes(&r, 6, &l, 10);
        if (fabs((double)cd_vec3_dot(n, r.dir)) < 1e-3 || cd_vec3_length(l.edge[1]) < (cd_real)0.01) continue;
        CHECK(cd_cast_ray_lozenge(&r, 2, &l, NULL, &h));
        CHECK((double)cd_vec3_dot(h.normal, r.dir) < 0);
        CHECK_NEAR(fabs((double)cd_vec3_dot(h.normal, n)), 1, 1e-2);
        c.a = l.a;
        c.b = cd_vec3_add(c.a, along);
        c.radius = l.radius;
        r.dir = cd_vec3_sub(cd_vec3_lerp(c.a, c.b, (cd_real)0.5), r.origin);
        note_shapes(&r, 6, &c, 7);
        if (cd_cast_ray_capsule(&r, 2, &c, NULL, &h)) CHECK((double)cd_vec3_dot(h.normal, r.dir) < 0);
        c.radius = (cd_real)0.25;
        r.origin = cd_vec3_lerp(c.a, c.b, (cd_real)test_range(&rng, 0.3, 0.7));
        r.dir = along;
        o.flags = CD_CAST_START_DEPTH;
        note_shapes(&r, 6, &c, 7);
        CHECK(cd_cast_ray_capsule(&r, 2, &c, &o, &h));
        out = cd_vec3_sub(cd_vec3_along(r.origin, h.normal, h.depth), c.a);
        out = cd_vec3_along(out, along, -cd_vec3_dot(out, along) / cd_vec3_sqlength(along));
        CHECK_NEAR(cd_vec3_length(out), 0.25, 64 * EPS);
    }
}

/* An edge, of the two either, of a few of the least numbers makes no difference, however long the other one is. */
static void rays_at_long_thin_lozenges(void) {
    test_rng rng = test_random();
    for (long i = 60 + test_times(1000); i > 0; --i) {
        double least = ldexp(1.0, sizeof(cd_real) == 4 ? -149 : -1074),
               length = ldexp(1.0, test_int(&rng, -2, 60));
        int along = test_int(&rng, 0, 2), beside = (along + test_int(&rng, 1, 2)) % 3,
            edge = test_int(&rng, 0, 1);
        cd_lozenge l;
        cd_capsule c;
        cd_ray r;
        cd_hit got, want;
        bool hit;
        l.a = l.edge[0] = l.edge[1] = cd_vec3_make(0, 0, 0);
        l.radius = (cd_real)0.25;
        REALS(l.edge[edge])[along] = (cd_real)length;
        REALS(l.edge[1 - edge])[beside] = (cd_real)(least * test_int(&rng, 1, 1 << test_int(&rng, 0, 20)));
        c.a = l.a;
        c.b = l.edge[edge];
        c.radius = l.radius;
        for (int k = 0; k < 3; ++k) {
            REALS(r.dir)[k] = (cd_real)test_int(&rng, -2, 2);
            REALS(r.origin)[k] = (cd_real)(test_range(&rng, -0.3, 0.3) * test_int(&rng, 0, 1));
        }
        REALS(r.origin)[along] = (cd_real)(length * test_range(&rng, -0.25, 1.25));
        r.origin = cd_vec3_along(r.origin, r.dir, -3);
        test_note("");
        test_note_reals("l", REALS(l), 10);
        test_note_reals("r", REALS(r), 6);
        if (!CHECK(cd_lozenge_is_valid(&l))) continue;
        hit = cd_cast_ray_capsule(&r, 100, &c, NULL, &want);
        if (!CHECK_INT(ASK("forms", cd_cast_ray_lozenge(&r, 100, &l, NULL, &got)), hit) || !hit) continue;
        CHECK_NEAR(got.t, want.t, 1e-9 * length + 1e-5);
    }
}

/* ---- their basics ---- */

static void measures(void) {
    cd_capsule c = {{0, 0, 0}, {0, 3, 4}, 2}, point = {{1, 1, 1}, {1, 1, 1}, 0},
               none = {{0, 0, 0}, {1, 0, 0}, -1};
    cd_lozenge l = {{0, 0, 0}, {{0, 3, 4}, {2, 0, 0}}, 2};
    const double pi = 3.14159265358979323846;
    CHECK(ASK("exact", cd_capsule_is_valid(&c)) && ASK("exact", cd_capsule_is_valid(&point)) &&
          !ASK("exact", cd_capsule_is_valid(&none)));
    CHECK_NEAR(ASK("exact", cd_capsule_volume(&c)), pi * (4 * 5 + 32.0 / 3), 100 * EPS);
    CHECK_NEAR(ASK("exact", cd_capsule_surface_area(&c)), pi * (4 * 5 + 16), 100 * EPS);
    CHECK_NEAR(ASK("exact", cd_lozenge_volume(&l)), 10 * 4 + pi * (4 * 7 + 32.0 / 3), 200 * EPS);
    CHECK_NEAR(ASK("exact", cd_lozenge_surface_area(&l)), 20 + pi * (4 * 7 + 16), 200 * EPS);
    CHECK(ASK("exact", cd_capsule_volume(&point)) == 0 && ASK("exact", cd_capsule_surface_area(&point)) == 0);
    CHECK(ASK("exact", cd_capsule_volume(&none)) == 0 && ASK("exact", cd_capsule_surface_area(&none)) == 0);
    c.a.x = CD_REAL_MAX;
    c.b.x = -CD_REAL_MAX;
    CHECK(ASK("exact", cd_capsule_volume(&c)) > CD_REAL_MAX);
    c.radius = 0;
    CHECK(ASK("exact", cd_capsule_volume(&c)) == 0 && ASK("exact", cd_capsule_surface_area(&c)) == 0);
    CHECK(ASK("exact", cd_lozenge_is_valid(&l)));
    l.edge[1].y = 1;
    CHECK(!ASK("exact", cd_lozenge_is_valid(&l)));
    l.edge[1] = cd_vec3_make(0, 0, 0);
    CHECK(ASK("exact", cd_lozenge_is_valid(&l)));
    CHECK_NEAR(ASK("exact", cd_lozenge_volume(&l)), pi * (4 * 5 + 32.0 / 3), 100 * EPS);
    CHECK(cd_aabb_is_empty(cd_aabb_from_capsule(&none)));
}

/* The support is in the volume, and no point of the volume is farther; the box holds it, without a unit to spare where numbers
 * are whole. */
static void supports_and_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = any_scene(&rng);
        cd_segment s = gen_segment(&g);
        cd_capsule c = capsule_of(&s, gen_length(&g));
        cd_lozenge l = gen_lozenge(&g), same = cd_lozenge_from_capsule(&c);
        cd_vec3 dir = gen_direction(&g), p = ASK("judge", cd_capsule_support(&c, dir)),
                q = ASK("judge", cd_lozenge_support(&l, dir));
        cd_aabb b = ASK("judge", cd_aabb_from_capsule(&c)), box = ASK("judge", cd_aabb_from_lozenge(&l));
        double v[12], x[3], n[3], d[6], size, length, most = -INFINITY;
        int m = corners_of(&l, v);
        note_shapes(&c, 7, &l, 10);
        to_doubles(REALS(dir), n, 3);
        length = hypot(hypot(n[0], n[1]), n[2]);
        for (int k = 0; k < 3; ++k) n[k] /= length;
        size = fmax(largest(v, 12), (double)l.radius);
        for (int k = 0; k < m; ++k)
            most = fmax(most, n[0] * v[3 * k] + n[1] * v[3 * k + 1] + n[2] * v[3 * k + 2]);
        to_doubles(REALS(q), x, 3);
        CHECK_ULPS(n[0] * x[0] + n[1] * x[1] + n[2] * x[2], most + (double)l.radius, 8, size);
        to_doubles(REALS(s), d, 6);
        to_doubles(REALS(p), x, 3);
        size = fmax(largest(d, 6), (double)c.radius);
        most = fmax(n[0] * d[0] + n[1] * d[1] + n[2] * d[2], n[0] * d[3] + n[1] * d[4] + n[2] * d[5]);
        CHECK_ULPS(n[0] * x[0] + n[1] * x[1] + n[2] * x[2], most + (double)c.radius, 8, size);
        for (int k = 0; k < 3; ++k) {
            exact_pool pool = exact_begin();
            exact lo = exact_from((double)REALS(l.a)[k]), hi = lo, r = exact_from((double)l.radius), spare;
            for (int e = 0; e < 2; ++e) {
                exact step = exact_from((double)REALS(l.edge[e])[k]);
                if (step.sign < 0)
                    lo = exact_add(lo, step);
                else
                    hi = exact_add(hi, step);
            }
            spare = exact_sub(exact_sub(lo, r), exact_from((double)REALS(box.min)[k]));
            CHECK(spare.sign >= 0 && (spare.sign == 0 || g.kind != GEN_GRID));
            spare = exact_sub(exact_from((double)REALS(box.max)[k]), exact_add(hi, r));
            CHECK(spare.sign >= 0 && (spare.sign == 0 || g.kind != GEN_GRID));
            exact_end(pool);
            CHECK(REALS(b.min)[k] <= REALS(c.a)[k] - c.radius || g.kind != GEN_GRID);
        }
        test_asked("exact", "cd_lozenge_from_capsule");
        CHECK(cd_lozenge_is_valid(&same) && same.radius >= c.radius);
        to_doubles(REALS(same.a), x, 3);
        to_doubles(REALS(same.edge[0]), n, 3);
        for (int k = 0; k < 3; ++k) n[k] += x[k] - d[3 + k];
        CHECK(hypot(hypot(n[0], n[1]), n[2]) + (double)c.radius <= (double)same.radius + 4 * U * size);
    }
}

static void tiny_numbers(void) {
    cd_capsule c = {{1, 0, 0}, {(cd_real)(-EPS / 8), 0, 0}, (cd_real)(-EPS / 64)};
    cd_plane p = {{0, 0, (cd_real)ldexp(1, sizeof(cd_real) == 4 ? -149 : -1074)}, 2};
    cd_lozenge l = ASK("bad", cd_lozenge_from_capsule(&c));
    CHECK(l.radius < 0); /* nothing stays nothing */
    c.b.x = -CD_REAL_MAX;
    c.a.x = CD_REAL_MAX;
    c.radius = 1;
    CHECK(isinf((double)ASK("bad", cd_lozenge_from_capsule(&c)).radius));
    c.a.x = c.b.x = 1;
    c.radius = 1;
    CHECK(cd_test_capsule_halfspace(&c, p) && !cd_test_capsule_plane(&c, p)); /* far above */
    p.d = -2;
    CHECK(!cd_test_capsule_halfspace(&c, p) && !cd_test_capsule_plane(&c, p));
}

static void zero_directions(void) {
    cd_capsule c = {{0, 0, 0}, {0, 3, 4}, 2};
    cd_lozenge l = {{0, 0, 0}, {{0, 3, 4}, {2, 0, 0}}, 2};
    CHECK_VEC(cd_capsule_support(&c, cd_vec3_make(0, 0, 0)), c.a, 0);
    CHECK_VEC(cd_capsule_support(&c, cd_vec3_make((cd_real)NAN, 0, 0)), c.a, 0);
    CHECK_VEC(ASK("exact", cd_lozenge_support(&l, cd_vec3_make(0, 0, 0))), l.a, 0);
    CHECK_VEC(ASK("exact", cd_lozenge_support(&l, cd_vec3_make(1, 0, 0))), cd_vec3_make(4, 0, 0), 0);
    CHECK_VEC(ASK("exact", cd_lozenge_support(&l, cd_vec3_make(0, 0, -3))), cd_vec3_make(0, 0, -2), 0);
}

/* A corner of a box comes up to the inside of a lozenge's core, whose edges pass by far off. */
static void box_corners_at_the_inside(void) {
    for (int i = 0; i < 8; ++i) {
        cd_real z = (cd_real)(i & 1 ? -1 : 1), tilt = (cd_real)(i & 2 ? 0 : 0.25);
        cd_lozenge l = {{-8, -8, 3 * z - 8 * tilt}, {{16, 0, 16 * tilt}, {0, 16, 0}}, 3};
        cd_aabb box = {{-1, -1, -1}, {1, 1, 1}};
        cd_obb turned = cd_obb_from_aabb(box);
        double gap = (2 - (double)tilt) / sqrt(1 + (double)tilt * (double)tilt);
        l.radius = (cd_real)(gap * (i & 4 ? 1.0001 : 0.9999));
        CHECK_INT(cd_test_lozenge_aabb(&l, box), i >= 4);
        CHECK_INT(cd_test_lozenge_obb(&l, &turned), i >= 4);
    }
}

/* A core without a radius that goes through a box meets it, as the segment does, wherever rounding puts its crossing. */
static void needles_go_through_boxes(void) {
    test_rng rng = test_random();
    cd_aabb box = {{-2, 0, -2}, {2, 2, 1}};
    cd_capsule c = {{-2, (cd_real)-0x1.36p-16, (cd_real)0x1.7fff64p+1},
                    {1, (cd_real)0x1.7fff64p+1, (cd_real)-0x1.36p-16},
                    0};
    CHECK(cd_test_capsule_aabb(&c, box));
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, i % 4 == 0 ? GEN_GRID : GEN_UNIT);
        cd_segment s;
        c.a = s.a = gen_point(&g);
        c.b = s.b = gen_point(&g);
        box = gen_aabb(&g);
        CHECK(!cd_test_segment_aabb(&s, box) || cd_test_capsule_aabb(&c, box));
    }
}

void suite_swept(void) {
    RUN(segments);
    RUN(real_segments);
    RUN(parallel_segments_answer_near_the_first_end);
    RUN(capsules_exactly);
    RUN(closest_points_of_capsules);
    RUN(lozenges);
    RUN(lozenges_against_others);
    RUN(capsules_against_triangles);
    RUN(polygons);
    RUN(boxes);
    RUN(box_corners_at_the_inside);
    RUN(needles_go_through_boxes);
    RUN(sizes_outside_of_the_domain);
    RUN(oriented_boxes_turn);
    RUN(planes);
    RUN(rays);
    RUN(real_rays);
    RUN(ray_starts_and_ends);
    RUN(rays_at_bare_cores);
    RUN(rays_at_long_thin_lozenges);
    RUN(measures);
    RUN(supports_and_boxes);
    RUN(tiny_numbers);
    RUN(zero_directions);
}
