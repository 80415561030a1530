/* The real cases of convex bodies: apart, touching and deep. */
#include "cases.h"
#include "convex_truth.h"
#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_POINTS = 128 };

typedef struct body {
    cd_support support;
    cd_vec3 points[MOST_POINTS];
    cd_cylinder cylinder;
} body;

static cd_vec3 vec_of(const double *p) {
    return cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
}

/* The eight corners: the axes are as they are given. */
static int take_box(const json *shape, body *b) {
    double center[3], half[3], axes[9];
    json_reals(json_get(shape, "center"), center, 3);
    json_reals(json_get(shape, "half"), half, 3);
    json_reals(json_get(shape, "axes"), axes, 9);
    for (int i = 0; i < 8; ++i) {
        double p[3] = {center[0], center[1], center[2]};
        for (int k = 0; k < 3; ++k)
            for (int n = 0; n < 3; ++n) p[n] += (i >> k & 1 ? half[k] : -half[k]) * axes[3 * k + n];
        b->points[i] = vec_of(p);
    }
    return 8;
}

static int take_points(const json *points, body *b) {
    double p[3 * MOST_POINTS];
    int n = json_reals(points, p, 3 * MOST_POINTS) / 3;
    for (int i = 0; i < n && CHECK(n <= MOST_POINTS); ++i) b->points[i] = vec_of(p + 3 * i);
    return n;
}

/* How far rounding of corners may move them. */
static double take_body(const json *one, const char *name, body *b) {
    const json *shape = json_get(json_get(one, "input"), name);
    double radius = json_real(shape, "radius"), size = 0;
    int n = 0;
    if (json_is(shape, "type", "box")) n = take_box(shape, b);
    if (json_is(shape, "type", "hull")) n = take_points(json_get(shape, "points"), b);
    if (json_is(shape, "type", "sphere")) n = take_points(json_get(shape, "center"), b);
    if (json_get(shape, "p")) {
        body end;
        n = take_points(json_get(shape, "p"), b) + take_points(json_get(shape, "q"), &end);
        b->points[1] = end.points[0];
    }
    CHECK(n > 0);
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 3; ++k) size = fmax(size, fabs((double)REALS(b->points[i])[k]));
    if (json_is(shape, "type", "cylinder")) {
        b->cylinder.a = b->points[0];
        b->cylinder.b = b->points[1];
        b->cylinder.radius = (cd_real)radius;
        b->support = cd_support_of_cylinder(&b->cylinder);
    } else {
        b->support = cd_support_of_points(b->points, (size_t)n);
        if (radius > 0) b->support = cd_support_rounded(&b->support, (cd_real)radius);
    }
    return json_is(shape, "type", "box") ? 2 * (double)CD_REAL_EPSILON * size : 0;
}

static truth_pair pair;

static void check_normal(const json *one, const json *expected, const cd_separation *s) {
    double n[3], off = 0, distance = json_real(expected, "signed_distance");
    const json *single = json_get(expected, "normal_unique");
    if (single ? single->type != JSON_TRUE : fabs(distance) < 0.01) return;
    if (!cases_is(one, "clear") || json_real(expected, "accuracy") > 0) return;
    json_reals(json_get(expected, "normal_a_to_b"), n, 3);
    for (int k = 0; k < 3; ++k) off = fmax(off, fabs((double)(&s->normal.x)[k] - n[k]));
    CHECK(off <= (sizeof(cd_real) == 4 ? 1e-3 : 1e-5));
}

static void check_convex(const json *one, const json *expected) {
    static body a, b;
    double want = json_real(expected, "signed_distance"), accuracy = json_real(expected, "accuracy");
    double off = take_body(one, "a", &a) + take_body(one, "b", &b);
    cd_separation s, e, g;
    bool meet, rings = json_is(one, "id", "libccd-cylcyl-inside"); /* of ways out alike: the gap stays open */
    truth real;
    truth_open(&pair, &a.support, &b.support, NULL);
    if (accuracy == accuracy) off += accuracy * (double)(pair.reach * pair.unit);
    real = truth_of(&pair);
    CHECK((double)real.lower - off <= want && (double)real.upper + off >= want);
    s = ASK(cases_family(), cd_convex_distance(&a.support, &b.support, NULL, NULL, NULL));
    truth_judge(&pair, &s, rings);
    truth_judge_against(&pair, &s, &real);
    CHECK_NEAR(s.distance, want, off + (double)s.gap + 4 * DBL_EPSILON * fabs(want));
    check_normal(one, expected, &s);
    g = ASK(cases_family(), cd_gjk_distance(&a.support, &b.support, NULL, NULL, NULL));
    CHECK_NEAR(fmax((double)g.distance, 0), fmax(want, 0),
               off + (double)g.gap + 4 * DBL_EPSILON * fabs(want));
    if (want > off + (double)g.gap) truth_judge(&pair, &g, false);
    off += (double)s.gap + (double)(pair.reach * pair.unit) * 8 * DBL_EPSILON;
    meet = ASK(cases_family(), cd_gjk_test(&a.support, &b.support, NULL, NULL));
    if (fabs(want) > off) CHECK_INT(meet, want < 0);
    if (want > off) return;
    e = ASK(cases_family(), cd_epa(&a.support, &b.support, NULL, NULL, NULL));
    truth_judge(&pair, &e, rings);
    CHECK_NEAR(e.distance, want, off + (double)e.gap);
}

static void distances(void) {
    cases_each("gjk_distance", check_convex);
}

static void penetrations(void) {
    cases_each("gjk_penetration", check_convex);
}

static void cylinders(void) {
    cases_each("gjk_cylinder", check_convex);
}

void suite_cases_convex(void) {
    RUN(distances);
    RUN(penetrations);
    RUN(cylinders);
}
