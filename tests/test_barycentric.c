/* Barycentric coordinates against exact arithmetic. */
#include "gen.h"
#include "oracle.h"
#include <math.h>

#define EPS ((double)CD_REAL_EPSILON)

/* Of the largest weight, as the library promises. */
#ifdef COLLIDE_DOUBLE
#define UNITS 12
#else
#define UNITS 2
#endif

static double clip(double x) {
    return fmax(-(double)CD_REAL_MAX, fmin((double)CD_REAL_MAX, x));
}

/* The weights of p's nearest point of the plane; false when there is no area. */
static bool exact_weights(const double t[9], const double p[3], double w[3]) {
    exact_pool pool = exact_begin();
    exact3 v[3], q = exact3_from(p), n;
    bool found;
    for (int i = 0; i < 3; ++i) v[i] = exact3_from(t + 3 * i);
    n = exact3_cross(exact3_sub(v[1], v[0]), exact3_sub(v[2], v[0]));
    found = !exact3_is_zero(n);
    for (int i = 0; found && i < 3; ++i) {
        exact3 x = exact3_cross(exact3_sub(v[(i + 1) % 3], q), exact3_sub(v[(i + 2) % 3], q));
        w[i] = ratio_to_double(ratio_make(exact3_dot(n, x), exact3_dot(n, n)));
    }
    exact_end(pool);
    return found;
}

static void check_weights(cd_vec3 got, const double want[3]) {
    double largest = fmax(fmax(fabs(want[0]), fabs(want[1])), fabs(want[2]));
    cd_vec3 w = cd_vec3_make((cd_real)clip(want[0]), (cd_real)clip(want[1]), (cd_real)clip(want[2]));
    CHECK_VEC(got, w, UNITS * EPS * largest);
    /* Three weights, each with its own error: no more is promised of the sum, which is rounded here after it is told from 1. */
    if (largest < (double)CD_REAL_MAX)
        CHECK_NEAR((long double)got.x + (long double)got.y + (long double)got.z - 1.0L, 0,
                   3 * UNITS * EPS * largest);
}

/* Needles, triangles without area, points on the boundary and far off. */
static cd_triangle hard_triangle(gen *g) {
    cd_triangle t = gen_triangle(g);
    switch (test_int(g->rng, 0, 5)) {
    case 0: t.c = cd_vec3_lerp(t.a, t.b, (cd_real)test_range(g->rng, -1, 2)); break;
    case 1: t.b = t.a; break;
    case 2: t.c = cd_vec3_along(t.a, t.c, (cd_real)1e-5); break;
    default: break;
    }
    return t;
}

static cd_vec3 hard_point(gen *g, const cd_triangle *t) {
    cd_vec3 p = gen_point(g), on = cd_vec3_lerp(t->a, t->b, (cd_real)test_range(g->rng, -1, 2));
    switch (test_int(g->rng, 0, 5)) {
    case 0: return (&t->a)[test_int(g->rng, 0, 2)];
    case 1: return on;
    case 2: return cd_vec3_lerp(on, t->c, (cd_real)test_unit(g->rng));
    case 3: return cd_vec3_scale(p, 1000);
    default: return p;
    }
}

static void check_triangle(const cd_triangle *t, cd_vec3 p) {
    double d[12], want[3], flat[12], n[3] = {0, 0, 0};
    cd_vec3 got = cd_vec3_make(7, 7, 7), projected = got, plane = got;
    bool found;
    to_doubles(REALS(*t), d, 9);
    to_doubles(REALS(p), d + 9, 3);
    test_note("");
    test_note_reals("t", REALS(*t), 9);
    test_note_reals("p", REALS(p), 3);
    found = exact_weights(d, d + 9, want);
    CHECK_INT(ASK("exact", cd_barycentric(t, p, &got)), found);
    CHECK_INT(ASK("exact", cd_barycentric(t, p, NULL)), found);
    CHECK_INT(ASK("exact", cd_barycentric_projected(t, p, &projected)), found);
    if (found) {
        check_weights(got, want);
    } else {
        CHECK(got.x == 7 && projected.x == 7);
    }
    /* Each shadow along an axis is a triangle of the plane; the projected form is that of the largest normal. */
    for (int axis = 0; axis < 3; ++axis) {
        int x = (axis + 1) % 3, y = (axis + 2) % 3;
        cd_vec2 v[4];
        exact_pool pool = exact_begin();
        for (int i = 0; i < 4; ++i) {
            v[i] = cd_vec2_make((cd_real)d[3 * i + x], (cd_real)d[3 * i + y]);
            flat[3 * i] = d[3 * i + x];
            flat[3 * i + 1] = d[3 * i + y];
            flat[3 * i + 2] = 0.0;
        }
        n[axis] = fabs(exact_to_double(exact3_cross(exact3_sub(exact3_from(flat + 3), exact3_from(flat)),
                                                    exact3_sub(exact3_from(flat + 6), exact3_from(flat)))
                                           .c[2]));
        exact_end(pool);
        plane.x = 7;
        found = exact_weights(flat, flat + 9, want);
        CHECK_INT(ASK("exact", cd_barycentric2d(v[0], v[1], v[2], v[3], &plane)), found);
        if (!found) {
            CHECK_SAME(plane.x, 7);
            continue;
        }
        check_weights(plane, want);
        if (plane.x == projected.x && plane.y == projected.y && plane.z == projected.z) n[axis] = -n[axis];
    }
    /* One of the shadows with the largest normal, to rounding, gave the projected weights. */
    if (projected.x != 7) {
        double most = fmax(fabs(n[0]), fmax(fabs(n[1]), fabs(n[2]))), seen = 0.0;
        for (int k = 0; k < 3; ++k) seen = fmax(seen, -n[k]);
        CHECK(isinf(most) || seen >= most * (1.0 - 1e-6));
    }
}

static void weights_are_exact_for_needles_too(void) {
    test_rng rng = test_random();
    for (long i = test_times(8000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_triangle t = hard_triangle(&g);
        check_triangle(&t, hard_point(&g, &t));
    }
}

static void any_finite_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        cd_triangle t;
        cd_vec3 p;
        cd_real x[12];
        for (int k = 0; k < 12; ++k) {
            do {
                x[k] = i % 2 && test_int(&rng, 0, 1)
                           ? (cd_real)test_range(&rng, -2, 2)
                           : (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
            } while (!isfinite((double)x[k]));
        }
        for (int k = 0; k < 9; ++k) REALS(t)[k] = x[k];
        for (int k = 0; k < 3; ++k) REALS(p)[k] = x[9 + k];
        {
            double d[12], want[3];
            cd_vec3 got;
            bool found;
            to_doubles(x, d, 12);
            test_note("");
            test_note_reals("x", x, 12);
            found = exact_weights(d, d + 9, want);
            CHECK_INT(ASK("bad", cd_barycentric(&t, p, &got)), found);
            if (found) check_weights(got, want);
            ASK("bad", cd_barycentric_projected(&t, p, &got));
        }
    }
}

static void weights_by_hand(void) {
    cd_triangle t = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, line = {{0, 0, 0}, {1, 1, 1}, {3, 3, 3}};
    cd_vec3 w = cd_vec3_make(7, 7, 7);
    CHECK(cd_barycentric(&t, cd_vec3_make(1, 2, 9), &w));
    CHECK_VEC(w, cd_vec3_make((cd_real)0.25, (cd_real)0.25, (cd_real)0.5), 0);
    CHECK(cd_barycentric_projected(&t, cd_vec3_make(-4, 0, 9), &w));
    CHECK_VEC(w, cd_vec3_make(2, -1, 0), 0);
    CHECK(
        cd_barycentric2d(cd_vec2_make(0, 0), cd_vec2_make(0, 1), cd_vec2_make(1, 0), cd_vec2_make(1, 0), &w));
    CHECK_VEC(w, cd_vec3_make(0, 0, 1), 0);
    /* Off a slanted plane the two differ: the nearest point, and the one in line along z. */
    t.b = cd_vec3_make(4, 0, 2);
    CHECK(cd_barycentric(&t, cd_vec3_make(0, 0, 5), &w));
    CHECK_VEC(w, cd_vec3_make((cd_real)0.5, (cd_real)0.5, 0), 4 * EPS);
    CHECK(cd_barycentric_projected(&t, cd_vec3_make(0, 0, 5), &w));
    CHECK_VEC(w, cd_vec3_make(1, 0, 0), 0);
    w.x = 7;
    CHECK(!cd_barycentric(&line, t.a, &w) && !cd_barycentric_projected(&line, t.a, &w) && w.x == 7);
    for (int k = 0; k < 12; ++k) {
        cd_triangle bad = t;
        cd_vec3 p = t.c;
        *(k < 9 ? &REALS(bad)[k] : &REALS(p)[k - 9]) = k % 2 ? (cd_real)NAN : (cd_real)INFINITY;
        CHECK(!cd_barycentric(&bad, p, &w) && !cd_barycentric_projected(&bad, p, &w) && w.x == 7);
        CHECK(!cd_barycentric2d(cd_vec2_make(bad.a.x, bad.a.y), cd_vec2_make(bad.b.x, bad.b.y),
                                cd_vec2_make(bad.c.x, bad.c.y), cd_vec2_make(p.x, p.y), &w) ||
              k % 3 == 2);
        w.x = 7;
    }
}

void suite_barycentric(void) {
    RUN(weights_are_exact_for_needles_too);
    RUN(any_finite_numbers);
    RUN(weights_by_hand);
}
