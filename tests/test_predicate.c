/* orient2d, orient3d and their kin against exact arithmetic; the arithmetic they stand on. */
#include "parts.h"

#include "gen.h"
#include "oracle.h"
#include <math.h>

static int sign(double x) {
    return (x > 0) - (x < 0);
}

/* Points likely to be collinear or coplanar, or nearly. */
static void near_degenerate(gen *g, cd_vec3 p[4]) {
    for (int i = 0; i < 4; ++i) p[i] = gen_point(g);
    switch (test_int(g->rng, 0, 4)) {
    case 0:
        p[3] = cd_vec3_lerp(cd_vec3_lerp(p[0], p[1], (cd_real)test_range(g->rng, -1, 2)), p[2],
                            (cd_real)test_range(g->rng, -1, 2));
        break;
    case 1: p[2] = cd_vec3_lerp(p[0], p[1], (cd_real)test_range(g->rng, -1, 2)); break;
    case 2: p[3] = p[test_int(g->rng, 0, 2)]; break;
    case 3: p[3] = cd_vec3_add(p[0], cd_vec3_sub(p[1], p[2])); break;
    default: break;
    }
}

static void orientation_has_the_exact_sign(void) {
    test_rng rng = test_random();
    for (long i = test_times(200000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p[4];
        double d[12], q[8];
        near_degenerate(&g, p);
        to_doubles(REALS(p[0]), d, 12);
        for (int k = 0; k < 4; ++k) {
            q[2 * k] = d[3 * k];
            q[2 * k + 1] = d[3 * k + 1];
        }
        test_note("");
        test_note_reals("p", REALS(p[0]), 12);
        CHECK_INT(sign(ASK("exact", cd_orient3d(p[0], p[1], p[2], p[3]))),
                  oracle_orient3d(d, d + 3, d + 6, d + 9));
        CHECK_INT(sign(ASK("exact", cd_orient2d(cd_vec2_make(p[0].x, p[0].y), cd_vec2_make(p[1].x, p[1].y),
                                                cd_vec2_make(p[2].x, p[2].y)))),
                  oracle_orient2d(q, q + 2, q + 4));
    }
}

/* Four points likely to lie on a circle, five on a sphere, or nearly: corners of a box, mirrored points, moved by an ulp. */
static void near_cospherical(gen *g, cd_vec3 p[5]) {
    cd_vec3 c = gen_point(g), r = gen_point(g);
    bool round = test_int(g->rng, 0, 2) > 0;
    for (int i = 0; i < 5; ++i) {
        cd_vec3 v = r;
        p[i] = gen_point(g);
        if (!round) continue;
        if (test_int(g->rng, 0, 1)) v = cd_vec3_make(v.y, v.z, v.x);
        if (test_int(g->rng, 0, 1)) v = cd_vec3_make(v.y, v.x, v.z);
        if (test_int(g->rng, 0, 1)) v.x = -v.x;
        if (test_int(g->rng, 0, 1)) v.y = -v.y;
        if (test_int(g->rng, 0, 1)) v.z = -v.z;
        p[i] = test_int(g->rng, 0, 1) ? v : cd_vec3_add(c, v);
    }
}

static void circles_and_spheres_have_the_exact_sign(void) {
    test_rng rng = test_random();
    int zeros = 0;
    for (long i = test_times(40000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p[5];
        cd_vec2 q[4];
        double d[15], e[8];
        int in_sphere, in_circle;
        near_cospherical(&g, p);
        for (int k = 0; k < 4; ++k) {
            q[k] = cd_vec2_make(p[k].x, p[k].y);
            if (test_int(&rng, 0, 1)) q[k] = cd_vec2_make(-q[k].y, q[k].x);
            to_doubles(REALS(q[k]), e + 2 * k, 2);
        }
        to_doubles(REALS(p[0]), d, 15);
        in_sphere = oracle_insphere(d, d + 3, d + 6, d + 9, d + 12);
        in_circle = oracle_incircle(e, e + 2, e + 4, e + 6);
        zeros += (in_sphere == 0) + (in_circle == 0);
        test_note("");
        test_note_reals("p", REALS(p[0]), 15);
        test_note_reals("q", REALS(q[0]), 8);
        CHECK_INT(sign(ASK("exact", cd_insphere(p[0], p[1], p[2], p[3], p[4]))), in_sphere);
        CHECK_INT(sign(ASK("swap", cd_insphere(p[1], p[0], p[2], p[3], p[4]))), -in_sphere);
        CHECK_INT(sign(ASK("swap", cd_insphere(p[0], p[1], p[2], p[4], p[3]))), -in_sphere);
        CHECK_INT(sign(ASK("exact", cd_incircle2d(q[0], q[1], q[2], q[3]))), in_circle);
        CHECK_INT(sign(ASK("swap", cd_incircle2d(q[1], q[0], q[2], q[3]))), -in_circle);
        CHECK_INT(sign(ASK("swap", cd_incircle2d(q[0], q[1], q[3], q[2]))), -in_circle);
    }
    CHECK_SEEN(zeros > 0);
}

/* Small whole numbers on a circle or a sphere but for one that is far off, in each place: the square of its coordinate times the others
 * has more digits than a double. */
static void one_far_among_near_ones(void) {
    test_rng rng = test_random();
    for (long i = 10 + test_times(50); i > 0; --i) {
        int up = 2 * test_int(&rng, 512, 1023) + 1, down = 2 * test_int(&rng, 512, 1023) + 1;
        int high = 2 * test_int(&rng, 128, 255) + 1, low = 2 * test_int(&rng, 128, 255) + 1;
        int out = 2 * test_int(&rng, 128, 255) + 1, off = test_int(&rng, -1, 1);
        double circle[4][2] = {{0, 0}, {0, 0}, {0, 0}, {1, 0}};
        double sphere[5][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 0}};
        circle[0][0] = 1 + down * (up + down) + off;
        circle[2][1] = up;
        circle[3][1] = -down;
        sphere[0][0] = 1 + low * (high + low) + off;
        sphere[2][1] = high;
        sphere[3][1] = -low;
        sphere[4][2] = out;
        for (int turn = 0; turn < 60; ++turn) {
            cd_vec2 q[4];
            cd_vec3 p[5];
            double d[5][3], e[4][2];
            for (int k = 0; k < 8; ++k) {
                int to = (k / 2 + turn) % 4, axis = (k + turn / 4) % 2;
                e[to][axis] = circle[k / 2][k % 2];
                REALS(q)[2 * to + axis] = (cd_real)circle[k / 2][k % 2];
            }
            for (int k = 0; k < 15; ++k) {
                int to = (k / 3 + turn) % 5, axis = (k + turn / 5) % 3;
                d[to][axis] = sphere[k / 3][k % 3];
                REALS(p)[3 * to + axis] = (cd_real)sphere[k / 3][k % 3];
            }
            test_note("");
            test_note_reals("q", REALS(q), 8);
            test_note_reals("p", REALS(p), 15);
            CHECK_INT(sign(ASK("exact", cd_incircle2d(q[0], q[1], q[2], q[3]))),
                      oracle_incircle(e[0], e[1], e[2], e[3]));
            CHECK_INT(sign(ASK("exact", cd_insphere(p[0], p[1], p[2], p[3], p[4]))),
                      oracle_insphere(d[0], d[1], d[2], d[3], d[4]));
        }
    }
}

/* Points in special position, or moved out of it by an ulp: at every scale of the domain. */
static void special_positions_have_the_exact_sign(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 line[3], plane[4], sphere[5], grid[5];
        cd_vec2 circle[4];
        double d[15], e[8];
        gen_collinear(&g, line);
        gen_coplanar(&g, plane);
        gen_cocircular(&g, circle);
        gen_cospherical(&g, sphere);
        gen_ulp_grid(&g, grid, 5);
        test_note("");
        test_note_reals("line", REALS(line[0]), 9);
        test_note_reals("plane", REALS(plane[0]), 12);
        test_note_reals("circle", REALS(circle[0]), 8);
        test_note_reals("sphere", REALS(sphere[0]), 15);
        test_note_reals("grid", REALS(grid[0]), 15);
        for (int k = 0; k < 3; ++k) to_doubles(REALS(line[k]), e + 2 * k, 2);
        CHECK_INT(sign(ASK("exact",
                           cd_orient2d(cd_vec2_make(line[0].x, line[0].y), cd_vec2_make(line[1].x, line[1].y),
                                       cd_vec2_make(line[2].x, line[2].y)))),
                  oracle_orient2d(e, e + 2, e + 4));
        to_doubles(REALS(plane[0]), d, 12);
        CHECK_INT(sign(ASK("exact", cd_orient3d(plane[0], plane[1], plane[2], plane[3]))),
                  oracle_orient3d(d, d + 3, d + 6, d + 9));
        to_doubles(REALS(circle[0]), e, 8);
        CHECK_INT(sign(ASK("exact", cd_incircle2d(circle[0], circle[1], circle[2], circle[3]))),
                  oracle_incircle(e, e + 2, e + 4, e + 6));
        to_doubles(REALS(sphere[0]), d, 15);
        CHECK_INT(sign(ASK("exact", cd_insphere(sphere[0], sphere[1], sphere[2], sphere[3], sphere[4]))),
                  oracle_insphere(d, d + 3, d + 6, d + 9, d + 12));
        to_doubles(REALS(grid[0]), d, 15);
        CHECK_INT(sign(ASK("exact", cd_orient3d(grid[0], grid[1], grid[2], grid[3]))),
                  oracle_orient3d(d, d + 3, d + 6, d + 9));
        CHECK_INT(sign(ASK("exact", cd_insphere(grid[0], grid[1], grid[2], grid[3], grid[4]))),
                  oracle_insphere(d, d + 3, d + 6, d + 9, d + 12));
    }
}

/* What the signs mean: the centre is inside, far away is outside, the corners are on it. */
static void what_the_signs_mean(void) {
    cd_vec2 a = {1, 0}, b = {0, 1}, c = {-1, 0};
    cd_vec3 p = {1, 0, 0}, q = {0, 1, 0}, r = {0, 0, 1}, s = {-1, 0, 0}, o = {0, 0, 0};
    CHECK_SAME(cd_orient2d(a, b, c), 2);
    CHECK(cd_incircle2d(a, b, c, cd_vec2_make(0, 0)) > 0 && cd_incircle2d(a, b, c, cd_vec2_make(2, 0)) < 0);
    CHECK_SAME(cd_incircle2d(a, b, c, cd_vec2_make(0, -1)), 0);
    CHECK_SAME(cd_orient3d(p, q, r, o), 1);
    CHECK(cd_orient3d(p, r, q, s) < 0 && cd_orient3d(p, q, r, s) > 0);
    CHECK(cd_insphere(p, q, r, s, o) > 0 && cd_insphere(p, q, r, s, cd_vec3_make(0, 0, -3)) < 0);
    CHECK_SAME(cd_insphere(p, q, r, s, cd_vec3_make(0, 0, -1)), 0);
}

/* det [d; p-o; q-o] by exact arithmetic. */
static int line_side(const double o[3], const double d[3], const double p[3], const double q[3]) {
    exact_pool pool = exact_begin();
    exact3 e = exact3_from(o);
    exact det = exact3_triple(exact3_from(d), exact3_sub(exact3_from(p), e), exact3_sub(exact3_from(q), e));
    int s = det.sign;
    exact_end(pool);
    return s;
}

static void side_of_a_line_has_the_exact_sign(void) {
    test_rng rng = test_random();
    for (long i = test_times(50000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p[4], dir;
        double d[12], e[3];
        near_degenerate(&g, p);
        dir = test_int(&rng, 0, 1) ? cd_vec3_sub(p[1], p[0]) : p[1];
        to_doubles(REALS(p[0]), d, 12);
        to_doubles(REALS(dir), e, 3);
        test_note("");
        test_note_reals("p", REALS(p[0]), 12);
        CHECK_INT(sign(cdi_orient_line(cdi_v3_of(p[0]), cdi_v3_of(dir), cdi_v3_of(p[2]), cdi_v3_of(p[3]))),
                  line_side(d, e, d + 6, d + 9));
    }
}

/* Shewchuk's own trap: a grid of points one unit in the last place apart, next to a line through (12, 12) and (24, 24). */
static void grid_beside_a_line(void) {
    double p[2], a[2] = {12, 12}, b[2] = {24, 24};
    for (int i = 0; i < 64; ++i) {
        for (int j = 0; j < 64; ++j) {
            cd_vec2 v = cd_vec2_make((cd_real)(0.5 + i * (double)CD_REAL_EPSILON / 2),
                                     (cd_real)(0.5 + j * (double)CD_REAL_EPSILON / 2));
            p[0] = (double)v.x;
            p[1] = (double)v.y;
            CHECK_INT(sign(ASK("exact", cd_orient2d(v, cd_vec2_make(12, 12), cd_vec2_make(24, 24)))),
                      oracle_orient2d(p, a, b));
        }
    }
}

static void swaps_change_the_sign_and_scale_does_not(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_ULP : GEN_UNIT);
        cd_vec3 p[4], s[4];
        cd_real scale = (cd_real)ldexp(1.0, test_int(&rng, -40, 40));
        int o;
        near_degenerate(&g, p);
        o = sign(cd_orient3d(p[0], p[1], p[2], p[3]));
        for (int k = 0; k < 4; ++k) s[k] = cd_vec3_scale(p[k], scale);
        test_note("");
        test_note_reals("p", REALS(p[0]), 12);
        CHECK_INT(sign(ASK("swap", cd_orient3d(p[1], p[0], p[2], p[3]))), -o);
        CHECK_INT(sign(ASK("swap", cd_orient3d(p[0], p[1], p[3], p[2]))), -o);
        CHECK_INT(sign(ASK("swap", cd_orient3d(p[3], p[0], p[1], p[2]))), -o);
        CHECK_INT(sign(ASK("swap", cd_orient3d(p[1], p[2], p[0], p[3]))), o);
        CHECK_INT(sign(ASK("scale", cd_orient3d(s[0], s[1], s[2], s[3]))), o);
    }
}

static void bad_numbers_give_some_sign(void) {
    test_rng rng = test_random();
    for (long i = test_times(50000); i > 0; --i) {
        cd_vec3 p[4];
        double det;
        for (int k = 0; k < 12; ++k)
            REALS(p[k / 3])[k % 3] = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
        test_note("");
        test_note_reals("p", REALS(p[0]), 12);
        det = ASK("bad", cd_orient3d(p[0], p[1], p[2], p[3]));
        CHECK(det == det);
        det = ASK("bad", cd_orient2d(cd_vec2_make(p[0].x, p[0].y), cd_vec2_make(p[1].x, p[1].y),
                                     cd_vec2_make(p[2].x, p[2].y)));
        CHECK(det == det);
        det = ASK("bad", cd_insphere(p[0], p[1], p[2], p[3], p[0])) +
              ASK("bad", cd_incircle2d(cd_vec2_make(p[0].x, p[1].y), cd_vec2_make(p[1].x, p[2].y),
                                       cd_vec2_make(p[2].x, p[3].y), cd_vec2_make(p[3].x, p[0].y)));
        CHECK(det == det);
        p[test_int(&rng, 0, 3)].y = (cd_real)NAN;
        CHECK_SAME(ASK("bad", cd_orient3d(p[0], p[1], p[2], p[3])), 0);
        CHECK_SAME(ASK("bad", cd_insphere(p[0], p[1], p[2], p[3], cd_vec3_make(0, 0, 0))), 0);
    }
}

/* A finite number of any size: its exponent anywhere, or near the ends. */
static cd_real any_size(test_rng *rng, int around, int spread) {
#ifdef COLLIDE_DOUBLE
    const int low = -1074, high = 1023;
#else
    const int low = -149, high = 127;
#endif
    int e = test_int(rng, around - spread, around + spread);
    double m = test_int(rng, -1, 1);
    if (test_int(rng, 0, 1)) m *= test_range(rng, 1, 1.99);
    return (cd_real)ldexp(m, e < low ? low : e > high ? high : e);
}

static void all_finite_numbers_are_exact(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        cd_vec3 p[5];
        cd_vec2 q[4];
        double d[15], e[8];
        int around = test_int(&rng, -1100, 1100),
            spread = test_int(&rng, 0, 2) ? test_int(&rng, 0, 60) : 2200;
        for (int k = 0; k < 15; ++k) REALS(p[k / 3])[k % 3] = any_size(&rng, around, spread);
        if (test_int(&rng, 0, 1)) p[4] = p[test_int(&rng, 0, 3)];
        if (test_int(&rng, 0, 1)) p[3] = p[test_int(&rng, 0, 2)];
        to_doubles(REALS(p[0]), d, 15);
        for (int k = 0; k < 4; ++k) {
            q[k] = cd_vec2_make(p[k].x, p[k].y);
            e[2 * k] = d[3 * k];
            e[2 * k + 1] = d[3 * k + 1];
        }
        test_note("");
        test_note_reals("p", REALS(p[0]), 15);
        CHECK_INT(sign(ASK("exact", cd_orient2d(q[0], q[1], q[2]))), oracle_orient2d(e, e + 2, e + 4));
        CHECK_INT(sign(ASK("exact", cd_orient3d(p[0], p[1], p[2], p[3]))),
                  oracle_orient3d(d, d + 3, d + 6, d + 9));
        CHECK_INT(sign(ASK("exact", cd_incircle2d(q[0], q[1], q[2], q[3]))),
                  oracle_incircle(e, e + 2, e + 4, e + 6));
        CHECK_INT(sign(ASK("exact", cd_insphere(p[0], p[1], p[2], p[3], p[4]))),
                  oracle_insphere(d, d + 3, d + 6, d + 9, d + 12));
        CHECK_INT(sign(cdi_orient_line(cdi_v3_of(p[0]), cdi_v3_of(p[1]), cdi_v3_of(p[2]), cdi_v3_of(p[3]))),
                  line_side(d, d + 3, d + 6, d + 9));
    }
}

#ifdef COLLIDE_DOUBLE
static void check_signs(double p[5][3], double q[4][2]) {
    cd_vec3 v[5];
    cd_vec2 w[4];
    for (int i = 0; i < 5; ++i) v[i] = cd_vec3_make(p[i][0], p[i][1], p[i][2]);
    for (int i = 0; i < 4; ++i) w[i] = cd_vec2_make(q[i][0], q[i][1]);
    test_note("");
    test_note_reals("p", p[0], 15);
    test_note_reals("q", q[0], 8);
    CHECK_INT(sign(ASK("exact", cd_insphere(v[0], v[1], v[2], v[3], v[4]))),
              oracle_insphere(p[0], p[1], p[2], p[3], p[4]));
    CHECK_INT(sign(ASK("exact", cd_incircle2d(w[0], w[1], w[2], w[3]))),
              oracle_incircle(q[0], q[1], q[2], q[3]));
}

/* A column so small that the bound of the error vanishes when it is multiplied by this first, and others so large that the
 * rounding is far from nothing; then sums of terms beyond the range, which have the other sign than the first of them. */
static void bounds_that_leave_the_range(void) {
    const double least = ldexp(1, -1074), s = ldexp(1, 203), t = ldexp(1, 254);
    double small[5][3] = {{least, 0, -ldexp(1, -148)},
                          {0, least, 0},
                          {-2 * least, 0, -ldexp(1, 89)},
                          {-least, 0, 0},
                          {least, -ldexp(1.0125, 140), -ldexp(1, 453)}};
    double thin[4][2] = {{least, 0}, {-2 * least, ldexp(1, 89)}, {0, least}, {least, -ldexp(1.0125, 500)}};
    double large[5][3] = {
        {3 * s, 2 * s, -s}, {0, s, 3 * s}, {-3 * s, 3 * s, 2 * s}, {-s, 2 * s, 3 * s}, {0, 0, 0}};
    double wide[4][2] = {{-3 * t, -3 * t}, {-3 * t, -2 * t}, {3 * t, -3 * t}, {0, 0}};
    check_signs(small, thin);
    check_signs(large, wide);
}

/* Determinants around the largest double. */
static void signs_at_the_end_of_the_range(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        double p[5][3], q[4][2];
        int e = test_int(&rng, 203, 204), f = test_int(&rng, 254, 255);
        for (int k = 0; k < 15; ++k) p[k / 3][k % 3] = ldexp(test_range(&rng, -1.5, 1.5), e);
        for (int k = 0; k < 8; ++k) q[k / 2][k % 2] = ldexp(test_range(&rng, -1.5, 1.5), f);
        check_signs(p, q);
    }
}
#endif

/* ---- the arithmetic underneath ---- */

static double random_double(test_rng *rng) {
    return ldexp(test_range(rng, -2, 2), test_int(rng, -100, 100));
}

static exact sum_of(const double *e, int n) {
    exact s = exact_from(0.0);
    for (int i = 0; i < n; ++i) s = exact_add(s, exact_from(e[i]));
    return s;
}

static bool is_expansion(const double *e, int n) {
    for (int i = 0; i < n; ++i) {
        if (e[i] == 0.0 || (i > 0 && !(fabs(e[i - 1]) < fabs(e[i])))) return false;
    }
    return true;
}

/* Heights above a plane: no side for what is not finite. */
static void heights_of_no_numbers(void) {
    static const double none[3] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 30; ++i) {
        double x[10] = {1, 2, 3, 0, 1, 0, 5, 1, 1, 1};
        CHECK_INT(cdi_height_sign(cdi_v3_make(x[0], x[1], x[2]), cdi_v3_make(x[3], x[4], x[5]), x[6],
                                  cdi_v3_make(x[7], x[8], x[9])),
                  -1);
        x[i % 10] = none[i / 10];
        CHECK_INT(cdi_height_sign(cdi_v3_make(x[0], x[1], x[2]), cdi_v3_make(x[3], x[4], x[5]), x[6],
                                  cdi_v3_make(x[7], x[8], x[9])),
                  0);
    }
}

static void expansions_are_exact(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        exact_pool pool = exact_begin();
        double e[4], f[2], sum[6], product[16], scaled[8], a = random_double(&rng), b = random_double(&rng);
        int m, n, k;
        cdi_two_product(a, b, &e[1], &e[0]);
        cdi_two_sum(a, b, &f[1], &f[0]);
        CHECK(!exact_compare(sum_of(e, 2), exact_mul(exact_from(a), exact_from(b))));
        CHECK(!exact_compare(sum_of(f, 2), exact_add(exact_from(a), exact_from(b))));
        m = e[0] != 0.0 ? 2 : 1;
        n = f[0] != 0.0 ? 2 : 1;
        k = cdi_expansion_sum(e + 2 - m, m, f + 2 - n, n, sum);
        CHECK(k <= m + n && is_expansion(sum, k) &&
              !exact_compare(sum_of(sum, k), exact_add(sum_of(e, 2), sum_of(f, 2))));
        k = cdi_expansion_scale(e + 2 - m, m, a, scaled);
        CHECK(k <= 2 * m && is_expansion(scaled, k) &&
              !exact_compare(sum_of(scaled, k), exact_mul(sum_of(e, 2), exact_from(a))));
        k = cdi_expansion_product(e + 2 - m, m, f + 2 - n, n, product);
        CHECK(k <= 2 * m * n && is_expansion(product, k) &&
              !exact_compare(sum_of(product, k), exact_mul(sum_of(e, 2), sum_of(f, 2))));
        exact_end(pool);
    }
}

static void powers_and_neighbours(void) {
    test_rng rng = test_random();
    CHECK_INT(cdi_exponent(1.0), 0);
    CHECK_INT(cdi_exponent(-0.75), -1);
    CHECK_INT(cdi_exponent(4.9406564584124654e-324), -1074);
    CHECK(cdi_exponent(0.0) < -1074);
    CHECK_SAME(cdi_next_float(0.0f, true), 1.401298464324817e-45);
    CHECK_SAME(cdi_next_float(0.0f, false), -1.401298464324817e-45);
    CHECK_SAME(cdi_next_float(-1.401298464324817e-45f, true), 0.0);
    CHECK_SAME(cdi_next_float(3.402823466e38f, true), 3.4028234663852886e38);
    CHECK_SAME(cdi_next_double(1.0, true), 1.0 + 2.220446049250313e-16);
    for (long i = test_times(20000); i > 0; --i) {
        double x = random_double(&rng);
        float f = (float)x;
        int e = test_int(&rng, -900, 900);
        CHECK_SAME(cdi_scale2(x, e), ldexp(x, e));
        CHECK_SAME(cdi_next_float(f, true), nextafterf(f, INFINITY));
        CHECK_SAME(cdi_next_float(f, false), nextafterf(f, -INFINITY));
        CHECK_INT(cdi_exponent(x), ilogb(x));
        CHECK(fabs(x) > 1e30 || ((double)cdi_float_down(x) <= x && (double)cdi_float_up(x) >= x));
        CHECK(cdi_finite(x) && !cdi_finite(x * INFINITY) && !cdi_finite(NAN));
    }
}

static cdi_exact exact_random(test_rng *rng, cdi_arena *arena, exact *same) {
    double a = random_double(rng), b = test_int(rng, 0, 2) ? random_double(rng) : a * 1.5;
    if (!test_int(rng, 0, 3)) a = (double)gen_bad_numbers[test_int(rng, 0, gen_bad_count - 1)];
    if (!isfinite(a)) a = 0.0;
    *same = exact_sub(exact_from(a), exact_from(b));
    return cdi_exact_diff(arena, a, b);
}

/* The library's numbers of any length against the oracle's, which were written apart from them. */
static void whole_numbers_are_exact(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        uint32_t limbs[40 * CDI_EXACT_LIMBS];
        cdi_arena arena = cdi_arena_on(limbs, 40 * CDI_EXACT_LIMBS);
        exact_pool pool = exact_begin();
        exact want[4], det;
        cdi_exact e[4], r;
        double rounded;
        for (int k = 0; k < 4; ++k) e[k] = exact_random(&rng, &arena, &want[k]);
        r = cdi_exact_det2(&arena, e[0], e[1], e[2], e[3]);
        det = exact_sub(exact_mul(want[0], want[3]), exact_mul(want[1], want[2]));
        CHECK_INT(r.sign, det.sign);
        CHECK(r.n == 0 || (r.limb[0] != 0 && r.limb[r.n - 1] != 0));
        rounded = exact_to_double(det);
        if (fabs(rounded) > 1e-300 && isfinite(rounded)) CHECK_SAME(cdi_exact_to_double(r), rounded);
        CHECK_INT(sign(cdi_exact_to_double(r)), det.sign);
        r = cdi_exact_sub(&arena, r, r);
        CHECK(r.n == 0 && r.sign == 0 && !(cdi_exact_to_double(r) != 0.0));
        exact_end(pool);
    }
}

/* The eight-lane operations of this build against plain C, lane by lane. */
static void eight_lanes_are_eight_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        float a[8], b[8], r[8];
        uint32_t le = 0;
        for (int k = 0; k < 8; ++k) {
            a[k] = test_int(&rng, 0, 5) ? (float)random_double(&rng)
                                        : (float)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
            b[k] = test_int(&rng, 0, 3) ? (float)random_double(&rng) : a[k];
            le |= (uint32_t)(a[k] <= b[k]) << k;
        }
        CHECK_INT(cdi_f8_le(cdi_f8_load(a), cdi_f8_load(b)), le);
        cdi_f8_store(r, cdi_f8_add(cdi_f8_load(a), cdi_f8_load(b)));
        for (int k = 0; k < 8; ++k) CHECK_SAME(r[k], a[k] + b[k]);
        cdi_f8_store(r, cdi_f8_sub(cdi_f8_load(a), cdi_f8_load(b)));
        for (int k = 0; k < 8; ++k) CHECK_SAME(r[k], a[k] - b[k]);
        cdi_f8_store(r, cdi_f8_mul(cdi_f8_load(a), cdi_f8_load(b)));
        for (int k = 0; k < 8; ++k) CHECK_SAME(r[k], a[k] * b[k]);
        cdi_f8_store(r, cdi_f8_min(cdi_f8_load(a), cdi_f8_load(b)));
        for (int k = 0; k < 8; ++k) CHECK_SAME(r[k], a[k] < b[k] ? a[k] : b[k]);
        cdi_f8_store(r, cdi_f8_max(cdi_f8_load(a), cdi_f8_all(b[0])));
        for (int k = 0; k < 8; ++k) CHECK_SAME(r[k], a[k] > b[0] ? a[k] : b[0]);
    }
}

void suite_predicate(void) {
    RUN(orientation_has_the_exact_sign);
    RUN(circles_and_spheres_have_the_exact_sign);
    RUN(one_far_among_near_ones);
    RUN(special_positions_have_the_exact_sign);
    RUN(what_the_signs_mean);
    RUN(side_of_a_line_has_the_exact_sign);
    RUN(grid_beside_a_line);
    RUN(swaps_change_the_sign_and_scale_does_not);
    RUN(bad_numbers_give_some_sign);
    RUN(all_finite_numbers_are_exact);
#ifdef COLLIDE_DOUBLE
    RUN(bounds_that_leave_the_range);
    RUN(signs_at_the_end_of_the_range);
#endif
    RUN(heights_of_no_numbers);
    RUN(expansions_are_exact);
    RUN(whole_numbers_are_exact);
    RUN(powers_and_neighbours);
    RUN(eight_lanes_are_eight_numbers);
}
