/* The references of convex_truth.h against exact ones, against closed forms, and against each other. */
#include "convex_truth.h"
#include "gen.h"
#include "oracle.h"
#include <float.h>
#include <math.h>

static truth_pair pair;

static double middle(truth t) {
    return (double)((t.lower + t.upper) / 2);
}

static bool narrow(truth t, double off) {
    return CHECK(t.upper - t.lower <= off) && CHECK(t.lower <= t.upper);
}

static oracle_box box_of(const cd_obb *b) {
    oracle_box o;
    to_doubles(&b->center.x, o.center, 3);
    to_doubles(&b->axes.col[0].x, &o.axis[0][0], 9);
    to_doubles(&b->half.x, o.half, 3);
    return o;
}

static void note_boxes(const cd_obb *a, const cd_obb *b) {
    test_note("two boxes");
    test_note_reals("a", REALS(*a), 15);
    test_note_reals("b", REALS(*b), 15);
}

/* Of boxes the exact separation along fifteen axes is known: the depth, and no more than the distance. */
static void boxes_as_the_exact_ones(void) {
    test_rng rng = test_random();
    for (long i = test_times(60); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % 2 ? GEN_GRID : GEN_UNIT));
        cd_obb a = gen_obb(&g), b = gen_obb(&g);
        oracle_box x = box_of(&a), y = box_of(&b);
        oracle_gap exact = oracle_box_box(&x, &y);
        cd_support s = cd_support_of_obb(&a), t = cd_support_of_obb(&b);
        double off;
        truth got;
        note_boxes(&a, &b);
        truth_open(&pair, &s, &t, NULL);
        got = truth_by_features(&pair);
        off = (double)(pair.reach * pair.unit) * 64 * DBL_EPSILON;
        narrow(got, off);
        if (exact.overlap && isfinite(exact.separation))
            CHECK_NEAR(middle(got), fmin(exact.separation, 0), off);
        else if (!exact.overlap)
            CHECK(middle(got) >= exact.separation - off && middle(got) > -off);
    }
}

static double exact_triangles(const double t[9], const double u[9]) {
    double best = INFINITY, e[6], f[6];
    if (oracle_triangle_triangle(t, u)) return 0;
    for (int i = 0; i < 3; ++i) {
        best = fmin(best, oracle_point_triangle(t + 3 * i, u).distance);
        best = fmin(best, oracle_point_triangle(u + 3 * i, t).distance);
        for (int k = 0; k < 3; ++k) {
            for (int n = 0; n < 3; ++n) {
                e[n] = t[3 * i + n], e[3 + n] = t[(3 * i + 3 + n) % 9];
                f[n] = u[3 * k + n], f[3 + n] = u[(3 * k + 3 + n) % 9];
            }
            best = fmin(best, oracle_segment_segment(e, f).distance);
        }
    }
    return best;
}

/* Returns whether they are apart. */
static bool check_triangles(const cd_triangle *a, const cd_triangle *b) {
    cd_support s = cd_support_of_triangle(a), t = cd_support_of_triangle(b);
    double x[9], y[9], want, off;
    truth got;
    to_doubles(&a->a.x, x, 9);
    to_doubles(&b->a.x, y, 9);
    test_note("two triangles");
    test_note_reals("a", &a->a.x, 9);
    test_note_reals("b", &b->a.x, 9);
    want = exact_triangles(x, y);
    truth_open(&pair, &s, &t, NULL);
    got = truth_by_features(&pair);
    off = (double)(pair.reach * pair.unit) * 64 * DBL_EPSILON;
    CHECK(got.lower <= want + off);
    if (want == 0) CHECK(got.upper <= off); /* those that cross are deep in each other */
    if (want > 0) narrow(got, off), CHECK_NEAR(middle(got), want, off);
    return want > 0;
}

static void triangles_as_the_exact_ones(void) {
    test_rng rng = test_random();
    int apart = 0;
    for (long i = test_times(60); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_triangle a = gen_triangle(&g),
                    b = test_int(&rng, 0, 2) ? gen_triangle(&g) : gen_triangle_near(&g, &a);
        if (check_triangles(&a, &b)) ++apart;
    }
    CHECK_SEEN(apart > 0);
}

/* A corner 2e-8 from the inside of an edge; edges 2^43 long that are 2000 apart; all on one line, but for the rounding of doubles. */
static void ways_shorter_than_edges(void) {
    static const double corners[3][18] = {
        {0x1.96cf82p-1, -0x1.fde04cp-2, 0x1.e05a36p-3, -0x1.8df862p-8, -0x1.fead36p-1, -0x1.90d1eep-2,
         0x1.91c8c4p-1, -0x1.1b33e4p-4, 0x1.2bd95p-2, -0x1.55f8e8p-1, -0x1.504052p-2, -0x1.412014p-2,
         0x1.0e993ep-1, -0x1.7ac7b4p-2, 0x1.2353d2p-4, 0x1.318aa4p-2, 0x1.97da54p-2, -0x1.8aa9dcp-1},
        {-0x1.e0efc6p-3, -0x1.733958p+20, -0x1.c594dep+8, 0x1.6f6a02p-2, -0x1.416f6ep+19, -0x1.85efbap-7,
         -0x1.b7094ap-14, 0x1.e8a19ap-25, -0x1.f4a722p-48, 0x1.14d34p-19, 0x1.34d37ep+17, 0x1.27002cp+34,
         0x1.1684d6p-30, -0x1.a63188p-1, -0x1.b4d386p+43, -0x1.8be05p+5, 0x1.e96ae8p+10, 0x1.83a398p-15},
        {0, 1, 1, 0x1.0000000000002p+1, 0, -0x1.0000000000001p+1, 0, 1, 1, 0x1.10b8b75b92ce6p+0,
         0x1.de8e9148da639p-2, -0x1.322a2612b86acp-1, 2, 0, -2, 0x1.09db3b7ec85f7p+2, -0x1.13b676fd90beap+0,
         -0x1.4ec8d93e2c8fp+2}};
    for (int i = 0; i < 3; ++i) {
        cd_triangle t[2];
        for (int k = 0; k < 18; ++k) (&t[k / 9].a.x)[k % 9] = (cd_real)corners[i][k];
        check_triangles(&t[0], &t[1]);
    }
}

/* What the search proves holds the other's answer. */
static void two_ways_to_the_same(void) {
    test_rng rng = test_random();
    int apart = 0, deep = 0;
    for (long i = test_times(25); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_vec3 p[2][6];
        cd_support s, t;
        truth x, y;
        double off;
        for (int k = 0; k < 12; ++k) p[k / 6][k % 6] = gen_point(&g);
        s = cd_support_of_points(p[0], (size_t)(i % 3 ? 6 : 3 + i % 4));
        t = cd_support_of_points(p[1], (size_t)(i % 5 ? 5 : 1 + i % 3));
        truth_open(&pair, &s, &t, NULL);
        x = truth_by_features(&pair);
        y = truth_by_search(&pair, x.normal, 8000);
        off = (double)(pair.reach * pair.unit) * 16 * DBL_EPSILON;
        test_note("points, kind %d", (int)(i % GEN_KINDS));
        test_note_reals("a", &p[0][0].x, 18);
        test_note_reals("b", &p[1][0].x, 18);
        CHECK((double)(x.lower - y.upper) <= off);
        CHECK((double)(y.lower - x.upper) <= off);
        if (x.lower > 0) ++apart;
        if (x.upper < 0) ++deep;
    }
    CHECK_SEEN(apart > 0 || deep > 0);
}

static void check_form(const cd_support *a, const cd_support *b, const cd_transform *pose, double want,
                       double off) {
    truth t;
    truth_open(&pair, a, b, pose);
    t = truth_by_search(&pair, NULL, 20000);
    narrow(t, off);
    CHECK_NEAR(middle(t), want, off);
}

static void closed_forms(void) {
    cd_sphere ball = {{0, 0, 0}, 2}, other = {{6, 0, 0}, 3};
    cd_cylinder post = {{0, 0, 0}, {0, 0, 8}, 2}, fat = {{0, 0, 7}, {0, 0, 20}, 3},
                side = {{3, 0, 1}, {3, 0, 5}, 2};
    cd_cone cone = {{0, 0, 4}, {0, 0, 0}, 3};
    cd_disc disc = {{5, 0, 0}, {3, 0, 4}, 5};
    cd_ellipsoid egg = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {4, 2, 1}};
    cd_support a = cd_support_of_sphere(ball), b = cd_support_of_sphere(other), c;
    cd_transform pose = cd_transform_identity();
    check_form(&a, &b, NULL, 1, 1e-14);
    pose.position = cd_vec3_make(0, 10, 0);
    check_form(&a, &b, &pose, sqrt(136.0) - 5, 1e-14);
    pose.rotation.z = pose.rotation.w; /* a quarter turn about z: the other is at (0, 16, 0) */
    check_form(&a, &b, &pose, 11, 1e-14);
    a = cd_support_of_cylinder(&post);
    b = cd_support_of_cylinder(&fat);
    check_form(&a, &b, NULL, -1, 1e-13);
    b = cd_support_of_cylinder(&side);
    check_form(&a, &b, NULL, -1, 1e-13);
    b = cd_support_of_point(cd_vec3_make(5, 0, 12)); /* from the rim */
    check_form(&a, &b, NULL, 5, 1e-13);
    c = cd_support_rounded(&a, 1);
    check_form(&b, &c, NULL, 4, 1e-13);
    a = cd_support_of_cone(&cone);
    b = cd_support_of_point(cd_vec3_make(0, 0, 5));
    check_form(&a, &b, NULL, 1, 1e-13);
    b = cd_support_of_point(cd_vec3_make(4, 0, 7)); /* (4, 3) from the apex, as the slope is */
    check_form(&a, &b, NULL, 5, 1e-13);
    b = cd_support_of_point(cd_vec3_make(0, 0, 1)); /* the base is nearest */
    check_form(&a, &b, NULL, -1, 1e-13);
    a = cd_support_of_disc(&disc); /* its plane is 3 from the origin */
    b = cd_support_of_point(cd_vec3_make(0, 0, 0));
    check_form(&a, &b, NULL, 3, 1e-13);
    a = cd_support_of_ellipsoid(&egg);
    check_form(&a, &b, NULL, -1, 1e-13);
    b = cd_support_of_point(cd_vec3_make(0, 0, 3));
    check_form(&a, &b, NULL, 2, 1e-13);
    b = cd_support_of_sphere(ball);
    check_form(&b, &a, NULL, -3, 1e-13);
}

static void points_in_bodies(void) {
    cd_cylinder post = {{0, 0, 0}, {0, 0, 8}, 2};
    cd_aabb box = {{0, 0, 0}, {1, 1, 1}};
    cd_triangle flat = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    cd_support a = cd_support_of_cylinder(&post), b = cd_support_of_aabb(&box),
               c = cd_support_of_triangle(&flat);
    double in[3] = {0.25, 0.25, 0}, out[3] = {0.75, 0.75, 1e-3}, rim[3] = {0, 2.001, 8};
    truth_open(&pair, &a, &b, NULL);
    CHECK(truth_holds(&pair, &pair.a, in, 0));
    CHECK(!truth_holds(&pair, &pair.a, rim, 0.0009));
    CHECK(truth_holds(&pair, &pair.a, rim, 0.0011));
    CHECK(truth_holds(&pair, &pair.b, out, 0));
    truth_open(&pair, &b, &c, NULL);
    CHECK(truth_holds(&pair, &pair.b, in, 0));
    CHECK(!truth_holds(&pair, &pair.b, out, 0.32));
    CHECK(truth_holds(&pair, &pair.b, out, 0.36));
}

void suite_convex_truth(void) {
    RUN(boxes_as_the_exact_ones);
    RUN(triangles_as_the_exact_ones);
    RUN(ways_shorter_than_edges);
    RUN(two_ways_to_the_same);
    RUN(closed_forms);
    RUN(points_in_bodies);
}
