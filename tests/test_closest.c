/* Closest points and distances against exact arithmetic. */
#include "gen.h"
#include "oracle.h"
#include <math.h>

#define EPS ((double)CD_REAL_EPSILON)

/* A point in trouble with the triangle: on it, at a corner, far away. */
static cd_vec3 point_near(gen *g, const cd_triangle *t) {
    cd_vec3 p = gen_point(g);
    switch (test_int(g->rng, 0, 5)) {
    case 0: return (&t->a)[test_int(g->rng, 0, 2)];
    case 1: return cd_vec3_lerp(t->a, t->b, (cd_real)test_range(g->rng, -1, 2));
    case 2:
        return cd_vec3_lerp(cd_vec3_lerp(t->a, t->b, (cd_real)test_unit(g->rng)), t->c,
                            (cd_real)test_unit(g->rng));
    case 3: return cd_vec3_scale(p, 100);
    default: return p;
    }
}

static cd_triangle hard_triangle(gen *g) {
    cd_triangle t = gen_triangle(g);
    switch (test_int(g->rng, 0, 6)) {
    case 0:
        t.c = cd_vec3_lerp(t.a, t.b, (cd_real)test_range(g->rng, -1, 2));
        break; /* a needle, or no area */
    case 1: t.b = t.a; break;
    case 2: t.b = t.c = t.a; break;
    case 3: t.c = cd_vec3_along(t.a, t.c, (cd_real)1e-5); break;
    default: break;
    }
    return t;
}

static void points_of_triangles(void) {
    static const uint32_t kinds[7] = {CD_FEATURE(1u, 0), CD_FEATURE(1u, 1), CD_FEATURE(1u, 2),
                                      CD_FEATURE(2u, 0), CD_FEATURE(2u, 1), CD_FEATURE(2u, 2),
                                      CD_FEATURE(3u, 0)};
    test_rng rng = test_random();
    long wrong_feature = 0, times = test_times(60000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_triangle t = hard_triangle(&g);
        cd_vec3 p = point_near(&g, &t), q;
        double d[12], margin, distance;
        oracle_nearest want;
        cd_closest c;
        to_doubles(REALS(t), d, 9);
        to_doubles(REALS(p), d + 9, 3);
        test_note("");
        test_note_reals("t", REALS(t), 9);
        test_note_reals("p", REALS(p), 3);
        want = oracle_point_triangle(d + 9, d);
        margin = (sizeof(cd_real) == 4 ? 4 : 8) * EPS * largest(d, 12);
        c = ASK("exact", cd_closest_pts_point_triangle(p, &t));
        q = ASK("exact", cd_closest_pt_point_triangle(p, &t));
        distance = sqrt((double)c.sqdist);
        CHECK_VEC(q, cd_vec3_make((cd_real)want.point[0], (cd_real)want.point[1], (cd_real)want.point[2]),
                  margin);
        CHECK_VEC(c.b, q, 0);
        CHECK_VEC(c.a, p, 0);
        CHECK_NEAR(distance, want.distance, margin);
        CHECK(c.sqdist >= 0 && c.sqdist == ASK("exact", cd_sqdist_point_triangle(p, &t)));
        CHECK(c.s >= 0 && c.t >= 0 && (double)c.s + (double)c.t <= 1 + 2 * EPS);
        wrong_feature += c.feature_b != kinds[want.feature];
        if (g.kind == GEN_GRID) { /* the weights give the point; thin triangles need more digits of them */
            double area = (double)ASK("judge", cd_triangle_area(&t)), thin = area > 0 ? 32.0 / area : 1.0;
            cd_vec3 at = cd_vec3_add(cd_vec3_scale(t.a, 1 - c.s - c.t),
                                     cd_vec3_add(cd_vec3_scale(t.b, c.s), cd_vec3_scale(t.c, c.t)));
            CHECK_VEC(at, q, 8 * EPS * (1.0 + thin) * (2.0 + largest(d, 12))); /* p may be far */
        }
    }
    CHECK(wrong_feature * 5 < times); /* near-ties only: the corpus is full of them */
}

/* From so far that all sides of the foot are in doubt: a foot on an edge may be worse than a corner, and the other way round where a
 * corner stands twice; beside a corner the feet on its edges are as far but for rounding of their places. */
static void points_far_from_triangles(void) {
    static const double given[5][12] = {
        {0x1.53eceb3434d44p-121, -0x1.a38aa998389fcp+132, 0x1.ff74cc9f48c5p+169, 0x1.7b3774cb7d49p+60,
         0x1.6e08390bfb08p-88, -0x1.b3147c5174a42p+60, -0x1.4abd321ad14p-188, -0x1.c2bb68c6ce706p+29,
         -0x1.d5a0303f2859p+175, 0x1.796be8ecf6f84p+181, 0x1.326f7e8d2e4a2p+91, 0x1.64edf2f7d992ap+107},
        {0x1.5327585f5e5a2p-12, -0x1.05c05386e5f8p-51, 0x1.c29adbbe1afd4p+131, 0x1.0ca2e683416a6p+24,
         0x1.e12f0aae6704cp+33, 0x1.6515100a3a0acp-82, -0x1.28be019d8e5fep+126, 0x1.39a1601fe6b7cp+10,
         0x1.d7a015c64807ap+6, 0x1.dc280e6cfa89p-61, 0x1.431658cc530ep+175, -0x1.884b42c67fecp-118},
        {0x1.15d4c6be4eafp-26, 0x1.4bf92775f102p-170, 0x1.c5f0115508c9ep+152, 0x1.f1d24a10693ap-48,
         0x1.e06ce899549c4p-125, 0x1.1df65304be97p-26, -0x1.593e7b8cd12dp-113, -0x1.fe9f2c68c4de4p+132,
         0x1.37880a3540ca4p-117, 0x1.415c6246d5fe4p+182, 0x1.8303ad312e6fdp-167, -0x1.4688c6b79fc89p+15},
        {0, -0x1.fffffffffffffp+0, 0, 0, -0x1.fffffffffffffp+0, 0, 0, -0x1.0000000000002p+1, 1, 100, -200, 0},
        {0, -0x1.0000000000001p+1, -1, 0, -0x1.ffffffffffffep+0, 0, 2, -1, 1, -2, 2, -0x1.0000000000002p+0}};
    if (sizeof(cd_real) == 4) return; /* beyond its range */
    for (int i = 0; i < 5; ++i) {
        cd_triangle t;
        cd_vec3 v[4], q;
        oracle_nearest want = oracle_point_triangle(given[i] + 9, given[i]);
        for (int k = 0; k < 4; ++k)
            v[k] = cd_vec3_make((cd_real)given[i][3 * k], (cd_real)given[i][3 * k + 1],
                                (cd_real)given[i][3 * k + 2]);
        t.a = v[0];
        t.b = v[1];
        t.c = v[2];
        q = cd_closest_pt_point_triangle(v[3], &t);
        CHECK_VEC(q, cd_vec3_make((cd_real)want.point[0], (cd_real)want.point[1], (cd_real)want.point[2]),
                  4 * EPS * largest(given[i], 12));
    }
}

static void points_of_segments(void) {
    test_rng rng = test_random();
    for (long i = test_times(40000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_segment s = gen_segment(&g);
        cd_vec3 p = gen_point(&g), q;
        double d[9], margin;
        oracle_nearest want;
        if (!test_int(&rng, 0, 5)) s.b = s.a;
        if (!test_int(&rng, 0, 5)) p = cd_vec3_lerp(s.a, s.b, (cd_real)test_range(&rng, -1, 2));
        to_doubles(REALS(s), d, 6);
        to_doubles(REALS(p), d + 6, 3);
        test_note("");
        test_note_reals("s", REALS(s), 6);
        test_note_reals("p", REALS(p), 3);
        want = oracle_point_segment(d + 6, d);
        margin = (sizeof(cd_real) == 4 ? 4 : 8) * EPS * largest(d, 9);
        q = ASK("exact", cd_closest_pt_point_segment(p, &s));
        CHECK_VEC(q, cd_vec3_make((cd_real)want.point[0], (cd_real)want.point[1], (cd_real)want.point[2]),
                  margin);
        CHECK_NEAR(sqrt((double)ASK("exact", cd_sqdist_point_segment(p, &s))), want.distance, margin);
    }
}

static void points_of_planes(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_SCALE);
        cd_vec3 p = gen_point(&g), on = gen_point(&g), n = cd_vec3_normalize(gen_direction(&g)), q;
        cd_real longer = (cd_real)ldexp(1.0, test_int(&rng, -20, 20));
        cd_plane plane = cd_plane_from_point_normal(on, n), twice = plane;
        double size = largest(
            (double[]){(double)p.x, (double)p.y, (double)p.z, (double)on.x, (double)on.y, (double)on.z}, 6);
        long double nn = (long double)n.x * n.x + (long double)n.y * n.y + (long double)n.z * n.z;
        long double h = ((long double)n.x * p.x + (long double)n.y * p.y + (long double)n.z * p.z - plane.d);
        double away = (double)(h / sqrtl(nn));
        twice.n = cd_vec3_scale(n, longer);
        twice.d *= longer;
        q = ASK("judge", cd_closest_pt_point_plane(p, plane));
        CHECK_ULPS(ASK("judge", cd_dist_point_plane(p, plane)), away, 4, fmax(size, fabs(away)));
        for (int k = 0; k < 3; ++k)
            size = fmax(size, fabs((double)REALS(q)[k])); /* the largest coordinate met */
        CHECK_ULPS(q.x, (double)(p.x - n.x * h / nn), 4, size);
        CHECK_VEC(cd_closest_pt_point_plane(p, twice), q, 0);
        CHECK_SAME(ASK("judge", cd_dist_point_plane(p, twice)), cd_dist_point_plane(p, plane));
    }
}

static void points_of_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb b = gen_aabb(&g);
        cd_obb o = cd_obb_from_aabb(b);
        cd_vec3 p = gen_point(&g), q = ASK("judge", cd_closest_pt_point_aabb(p, b));
        double d[9], sum = 0.0, margin;
        to_doubles(REALS(b), d, 6);
        to_doubles(REALS(p), d + 6, 3);
        margin = 8 * EPS * largest(d, 9);
        for (int k = 0; k < 3; ++k) {
            double want = fmin(fmax(d[6 + k], d[k]), d[3 + k]);
            CHECK_SAME(REALS(q)[k], want);
            sum += (want - d[6 + k]) * (want - d[6 + k]);
        }
        CHECK_NEAR(sqrt((double)ASK("judge", cd_sqdist_point_aabb(p, b))), sqrt(sum), margin / 2);
        CHECK_NEAR(sqrt((double)ASK("judge", cd_sqdist_point_obb(p, &o))), sqrt(sum), margin);
        CHECK_VEC(ASK("judge", cd_closest_pt_point_obb(p, &o)), q, margin);
    }
}

/* The nearest of many points of the box is no nearer. */
static void points_of_oriented_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb b = gen_obb(&g);
        cd_vec3 p = gen_point(&g), q = ASK("samples", cd_closest_pt_point_obb(p, &b));
        double best = (double)cd_vec3_dist(p, q);
        CHECK_NEAR(sqrt((double)ASK("samples", cd_sqdist_point_obb(p, &b))), best, 16 * EPS);
        for (int k = 0; k < 30; ++k) {
            cd_vec3 s = b.center;
            for (int a = 0; a < 3; ++a) {
                s = cd_vec3_along(s, b.axes.col[a],
                                  (cd_real)(test_range(&rng, -1, 1) * (double)REALS(b.half)[a]));
            }
            CHECK((double)cd_vec3_dist(p, s) >= best - 16 * EPS);
        }
    }
}

static void bad_numbers_are_answered_with_nan(void) {
    cd_real nan = (cd_real)NAN, inf = (cd_real)INFINITY;
    cd_vec3 p = {1, 2, 3}, bad = {nan, 0, 0}, far_away = {inf, 0, 0};
    cd_triangle t = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    cd_segment s = {{0, 0, 0}, {1, 0, 0}};
    cd_plane plane = {{0, 0, 0}, 1};
    cd_closest c = ASK("bad", cd_closest_pts_point_triangle(bad, &t));
    CHECK(isnan((double)c.sqdist) && c.b.x == 0 && c.feature_b == 0);
    CHECK(isnan((double)ASK("bad", cd_closest_pt_point_triangle(far_away, &t)).y));
    CHECK(isnan((double)ASK("bad", cd_sqdist_point_segment(bad, &s))) &&
          isnan((double)ASK("bad", cd_closest_pt_point_segment(far_away, &s)).x));
    CHECK(isnan((double)ASK("bad", cd_dist_point_plane(p, plane))) &&
          isnan((double)ASK("bad", cd_closest_pt_point_plane(p, plane)).x));
    CHECK(isnan((double)ASK("bad", cd_sqdist_point_aabb(p, cd_aabb_empty()))) &&
          isnan((double)ASK("bad", cd_closest_pt_point_aabb(p, cd_aabb_empty())).x));
}

void suite_closest(void) {
    RUN(points_of_triangles);
    RUN(points_far_from_triangles);
    RUN(points_of_segments);
    RUN(points_of_planes);
    RUN(points_of_boxes);
    RUN(points_of_oriented_boxes);
    RUN(bad_numbers_are_answered_with_nan);
}
