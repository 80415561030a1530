/* Triangle against triangle: the verdict exactly, and the points where they meet. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

static cd_triangle permuted(const cd_triangle *t, int k) {
    static const int order[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
    const cd_vec3 *v = &t->a;
    cd_triangle r;
    r.a = v[order[k][0]];
    r.b = v[order[k][1]];
    r.c = v[order[k][2]];
    return r;
}

static void note_pair(const cd_triangle *a, const cd_triangle *b) {
    test_note("");
    test_note_reals("a", REALS(*a), 9);
    test_note_reals("b", REALS(*b), 9);
}

static void random_pair(gen *g, cd_triangle *a, cd_triangle *b) {
    *a = gen_triangle(g);
    *b = test_int(g->rng, 0, 1) ? gen_triangle_near(g, a) : gen_triangle(g);
    if (!test_int(g->rng, 0, 9)) a->c = a->b;
    if (!test_int(g->rng, 0, 19)) b->b = b->c = b->a;
}

/* By the exact reference. */
static bool do_meet(const cd_triangle *a, const cd_triangle *b) {
    double d[18];
    to_doubles(REALS(*a), d, 9);
    to_doubles(REALS(*b), d + 9, 9);
    note_pair(a, b);
    return oracle_triangle_triangle(d, d + 9);
}

static void the_verdict_is_exact(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(60000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_triangle a, b;
        bool want;
        random_pair(&g, &a, &b);
        want = do_meet(&a, &b);
        hits += want;
        CHECK_INT(ASK("exact", cd_test_triangle_triangle(&a, &b)), want);
        CHECK_INT(ASK("exact", cd_intersect_triangle_triangle(&a, &b, NULL)), want);
    }
    CHECK_SEEN(hits > times / 5 && hits < times - times / 5);
}

/* Every pair of triangles with corners in a small grid is a special case of some kind. */
static void the_verdict_is_exact_on_grids(void) {
    test_rng rng = test_random();
    for (long i = test_times(60000); i > 0; --i) {
        cd_triangle a, b;
        double d[18];
        int size = test_int(&rng, 1, 2), flat = test_int(&rng, 0, 3);
        cd_real *x = REALS(a), *y = REALS(b);
        for (int k = 0; k < 9; ++k) {
            x[k] = (cd_real)(k % 3 == 2 && flat ? 0 : test_int(&rng, 0, size));
            y[k] = (cd_real)(k % 3 == 2 && flat == 1 ? 0 : test_int(&rng, 0, size));
        }
        to_doubles(x, d, 9);
        to_doubles(y, d + 9, 9);
        note_pair(&a, &b);
        CHECK_INT(ASK("exact", cd_test_triangle_triangle(&a, &b)), oracle_triangle_triangle(d, d + 9));
    }
}

/* A small one beside the corner of a large one, its edge through the other's but for rounding. */
static void small_ones_at_a_corner(void) {
    test_rng rng = test_random();
    long hits = 0, times = 40 + test_times(3000);
    for (long i = times; i > 0; --i) {
        cd_triangle a, b;
        cd_vec3 *v = &a.a, *w = &b.a;
        double at[3], way[3], small = ldexp(1.0, -test_int(&rng, 8, 22));
        int corner = test_int(&rng, 0, 2), next = (corner + test_int(&rng, 1, 2)) % 3,
            own = test_int(&rng, 0, 2);
        bool want;
        for (int k = 0; k < 9; ++k) REALS(a)[k] = (cd_real)test_range(&rng, -1, 1);
        v[corner] = cd_vec3_make(0, 0, 0);
        for (int k = 0; k < 3; ++k) {
            at[k] = small * (double)REALS(v[next])[k];
            way[k] = small * test_range(&rng, -0.7, 0.7);
            REALS(w[own])[k] = (cd_real)(at[k] + way[k]);
            REALS(w[(own + 1) % 3])[k] = (cd_real)(at[k] - way[k]);
            REALS(w[(own + 2) % 3])[k] = (cd_real)(at[k] + small * test_range(&rng, -1, 1));
        }
        want = do_meet(&a, &b);
        hits += want;
        CHECK_INT(ASK("exact", cd_test_triangle_triangle(&a, &b)), want);
        CHECK_INT(ASK("exact", cd_test_triangle_triangle(&b, &a)), want);
    }
    CHECK_SEEN(hits > times / 5 && hits < times);
}

static void order_does_not_matter(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_triangle a, b;
        bool want;
        random_pair(&g, &a, &b);
        note_pair(&a, &b);
        want = cd_test_triangle_triangle(&a, &b);
        for (int k = 0; k < 36; ++k) {
            cd_triangle p = permuted(&a, k % 6), q = permuted(&b, k / 6);
            CHECK_INT(ASK("order", cd_test_triangle_triangle(&p, &q)), want);
            CHECK_INT(ASK("swap", cd_test_triangle_triangle(&q, &p)), want);
        }
    }
}

static void scale_does_not_matter(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_ULP : GEN_UNIT);
        cd_triangle a, b, p, q;
        int reach = sizeof(cd_real) == 4 ? 50 : 190; /* to the ends of the domain */
        cd_real s = (cd_real)ldexp(1.0, test_int(&rng, -reach, reach));
        random_pair(&g, &a, &b);
        for (int k = 0; k < 9; ++k) {
            REALS(p)[k] = REALS(a)[k] * s;
            REALS(q)[k] = REALS(b)[k] * s;
        }
        note_pair(&a, &b);
        CHECK_INT(ASK("scale", cd_test_triangle_triangle(&p, &q)), cd_test_triangle_triangle(&a, &b));
    }
}

static void segments_exactly(void) {
    test_rng rng = test_random();
    for (long i = test_times(40000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_triangle a, b;
        cd_segment s, back;
        double d[15];
        random_pair(&g, &a, &b);
        s.a = b.a;
        s.b = test_int(&rng, 0, 9) ? b.b : b.a;
        back.a = s.b;
        back.b = s.a;
        to_doubles(REALS(s), d, 6);
        to_doubles(REALS(a), d + 6, 9);
        note_pair(&a, &b);
        CHECK_INT(ASK("exact", cd_test_segment_triangle(&s, &a)), oracle_segment_triangle(d, d + 6));
        CHECK_INT(ASK("order", cd_test_segment_triangle(&back, &a)), cd_test_segment_triangle(&s, &a));
    }
}

/* ---- the common points ---- */

static double size_of(const cd_triangle *a, const cd_triangle *b) {
    double m = 0.0;
    for (int k = 0; k < 9; ++k) m = fmax(m, fmax(fabs((double)REALS(*a)[k]), fabs((double)REALS(*b)[k])));
    return m;
}

static double how_far(cd_vec3 p, const cd_triangle *t) {
    return (double)cd_vec3_dist(p, cd_closest_pt_point_triangle(p, t));
}

static void check_cut(const cd_triangle *a, const cd_triangle *b, const cd_triangle_cut *cut) {
    double margin = 8 * (double)CD_REAL_EPSILON * size_of(a, b);
    CHECK(cut->count >= 1 && cut->count <= 6 && (cut->coplanar || cut->count <= 2));
    for (uint32_t i = 0; i < cut->count; ++i) {
        CHECK(how_far(cut->points[i], a) <= margin);
        CHECK(how_far(cut->points[i], b) <= margin);
        for (uint32_t j = 0; j < i; ++j) CHECK((double)cd_vec3_dist(cut->points[i], cut->points[j]) > 0.0);
    }
}

static void common_points_are_in_both(void) {
    test_rng rng = test_random();
    for (long i = test_times(30000); i > 0; --i) {
        static const gen_kind kinds[4] = {GEN_UNIT, GEN_GRID, GEN_ULP, GEN_SCALE};
        gen g = gen_begin(&rng, kinds[test_int(&rng, 0, 3)]);
        cd_triangle a, b;
        cd_triangle_cut cut;
        random_pair(&g, &a, &b);
        note_pair(&a, &b);
        if (ASK("judge", cd_intersect_triangle_triangle(&a, &b, &cut))) check_cut(&a, &b, &cut);
    }
}

/* The same points, to the bit, for every order of corners and triangles, as far as they are not a polygon. */
static void common_points_do_not_depend_on_order(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_ULP);
        cd_triangle a, b;
        cd_triangle_cut want, got;
        random_pair(&g, &a, &b);
        note_pair(&a, &b);
        if (!cd_intersect_triangle_triangle(&a, &b, &want) || want.count > 2 || want.coplanar) continue;
        for (int k = 0; k < 36; ++k) {
            cd_triangle p = permuted(&a, k % 6), q = permuted(&b, k / 6);
            CHECK(ASK("order", cd_intersect_triangle_triangle(&p, &q, &got)) && got.count == want.count);
            CHECK(!memcmp(got.points, want.points, sizeof got.points));
            CHECK(ASK("order", cd_intersect_triangle_triangle(&q, &p, &got)) && got.count == want.count);
            CHECK(!memcmp(got.points, want.points, sizeof got.points));
        }
    }
}

/* No point of the common line is left out: random points of a near b are near the cut. */
static void nothing_is_left_out(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_triangle a = gen_triangle(&g), b = gen_triangle(&g);
        cd_triangle_cut cut;
        cd_segment s;
        if (!ASK("judge", cd_intersect_triangle_triangle(&a, &b, &cut))) continue;
        note_pair(&a, &b);
        s.a = cut.points[0];
        s.b = cut.points[cut.count - 1];
        for (int e = 0; e < 6; ++e) { /* where an edge meets the other triangle is on the cut */
            const cd_vec3 *v = e < 3 ? &a.a : &b.a;
            cd_segment edge;
            cd_hit hit;
            edge.a = v[e % 3];
            edge.b = v[(e + 1) % 3];
            if (!cd_cast_segment_triangle(&edge, e < 3 ? &b : &a, NULL, &hit)) continue;
            CHECK((double)cd_sqdist_point_segment(hit.point, &s) <= 1e-10);
        }
    }
}

static double polygon_area(const cd_triangle_cut *cut) {
    double area = 0.0;
    for (uint32_t i = 1; i + 1 < cut->count; ++i) {
        cd_vec3 u = cd_vec3_sub(cut->points[i], cut->points[0]),
                v = cd_vec3_sub(cut->points[i + 1], cut->points[0]);
        area += 0.5 * (double)cd_vec3_cross(u, v).z;
    }
    return area;
}

/* Triangles in the plane: convex, turning like a, with the area that clipping by half-planes gives. */
static void polygons_have_the_right_area(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        cd_triangle a = gen_triangle(&g), b = gen_triangle(&g);
        cd_triangle_cut cut;
        double x[16], y[16], area = 0.0, turn;
        int n = 3;
        a.a.z = a.b.z = a.c.z = b.a.z = b.b.z = b.c.z = 0;
        if (!ASK("judge", cd_intersect_triangle_triangle(&a, &b, &cut))) continue;
        turn = (double)cd_vec3_cross(cd_vec3_sub(b.b, b.a), cd_vec3_sub(b.c, b.a)).z;
        for (int k = 0; k < 3; ++k) {
            x[k] = (double)(&a.a)[k].x;
            y[k] = (double)(&a.a)[k].y;
        }
        for (int k = 0; k < 3; ++k) { /* Sutherland and Hodgman */
            cd_vec3 p = (&b.a)[k], q = (&b.a)[(k + 1) % 3];
            double s[16], nx[16], ny[16], dx = (double)q.x - p.x, dy = (double)q.y - p.y;
            int m = 0;
            for (int v = 0; v < n; ++v)
                s[v] = (dx * (y[v] - (double)p.y) - dy * (x[v] - (double)p.x)) * (turn < 0 ? -1 : 1);
            for (int v = 0; v < n; ++v) {
                int w = (v + 1) % n;
                if (s[v] >= 0) nx[m] = x[v], ny[m] = y[v], ++m;
                if ((s[v] > 0 && s[w] < 0) || (s[v] < 0 && s[w] > 0)) {
                    double t = s[v] / (s[v] - s[w]);
                    nx[m] = x[v] + t * (x[w] - x[v]);
                    ny[m] = y[v] + t * (y[w] - y[v]);
                    ++m;
                }
            }
            n = m;
            memcpy(x, nx, sizeof x);
            memcpy(y, ny, sizeof y);
        }
        for (int v = 1; v + 1 < n; ++v)
            area += 0.5 * ((x[v] - x[0]) * (y[v + 1] - y[0]) - (y[v] - y[0]) * (x[v + 1] - x[0]));
        if (turn == 0) area = 0;
        note_pair(&a, &b);
        CHECK_NEAR(polygon_area(&cut), area, 16 * (double)CD_REAL_EPSILON);
        check_cut(&a, &b, &cut);
    }
}

static void known_cuts(void) {
    cd_triangle a = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, b = {{1, 1, -1}, {1, 1, 1}, {9, 9, 0}},
                c = {{4, 0, 0}, {8, 0, 1}, {8, 1, 5}};
    cd_triangle d = {{1, 1, 0}, {2, 1, 0}, {1, 2, 0}}, line = {{0, 0, 0}, {2, 0, 0}, {1, 0, 0}},
                far_off = {{9, 9, 9}, {9, 9, 8}, {9, 8, 9}};
    cd_triangle_cut cut;
    CHECK(cd_intersect_triangle_triangle(&a, &b, &cut) && cut.count == 2 && !cut.coplanar);
    CHECK_VEC(cut.points[0], cd_vec3_make(1, 1, 0), 0);
    CHECK_VEC(cut.points[1], cd_vec3_make(2, 2, 0), 0);
    CHECK(cd_intersect_triangle_triangle(&a, &c, &cut) && cut.count == 1);
    CHECK_VEC(cut.points[0], cd_vec3_make(4, 0, 0), 0);
    CHECK(cd_intersect_triangle_triangle(&a, &d, &cut) && cut.count == 3 && cut.coplanar);
    CHECK_NEAR(polygon_area(&cut), 0.5, 0);
    CHECK(cd_intersect_triangle_triangle(&a, &line, &cut) && cut.count == 2);
    cut.count = 77;
    CHECK(!cd_intersect_triangle_triangle(&a, &far_off, &cut) && cut.count == 77);
}

static void bad_numbers_meet_nothing(void) {
    test_rng rng = test_random();
    for (long i = test_times(30000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_GRID);
        cd_triangle a = gen_triangle(&g), b = gen_triangle(&g);
        cd_triangle_cut cut;
        bool finite = true;
        for (int k = test_int(&rng, 1, 4); k > 0; --k) {
            cd_real bad = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
            (test_int(&rng, 0, 1) ? REALS(a) : REALS(b))[test_int(&rng, 0, 8)] = bad;
        }
        for (int k = 0; k < 9; ++k)
            finite = finite && isfinite((double)REALS(a)[k]) && isfinite((double)REALS(b)[k]);
        note_pair(&a, &b);
        if (ASK("bad", cd_intersect_triangle_triangle(&a, &b, &cut))) {
            CHECK(finite && cut.count >= 1);
            for (uint32_t k = 0; k < cut.count; ++k) CHECK(!isnan((double)cut.points[k].x));
        }
        CHECK(finite || !ASK("bad", cd_test_triangle_triangle(&a, &b)));
    }
}

void suite_triangle_triangle(void) {
    RUN(the_verdict_is_exact);
    RUN(the_verdict_is_exact_on_grids);
    RUN(small_ones_at_a_corner);
    RUN(order_does_not_matter);
    RUN(scale_does_not_matter);
    RUN(segments_exactly);
    RUN(common_points_are_in_both);
    RUN(common_points_do_not_depend_on_order);
    RUN(nothing_is_left_out);
    RUN(polygons_have_the_right_area);
    RUN(known_cuts);
    RUN(bad_numbers_meet_nothing);
}
