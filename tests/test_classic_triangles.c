/* The published tests of two triangles beside the exact one: the same where triangles meet or miss clearly, and wrong as their docs
 * tell, by inputs that anyone can follow; and how much arithmetic each does. */
#include "gen.h"

#include <math.h>
#include <string.h>

typedef bool (*published_fn)(const cd_triangle *, const cd_triangle *, cd_operations *);

enum { MOLLER, HELD, TROPP, PUBLISHED };

static const published_fn published[PUBLISHED] = {
    cd_test_triangle_triangle_moller, cd_test_triangle_triangle_held, cd_test_triangle_triangle_tropp};

static const char *const published_names[PUBLISHED] = {
    "cd_test_triangle_triangle_moller", "cd_test_triangle_triangle_held", "cd_test_triangle_triangle_tropp"};

static void note_pair(const cd_triangle *a, const cd_triangle *b) {
    cd_triangle p = *a, q = *b;
    test_note("");
    test_note_reals("a", REALS(p), 9);
    test_note_reals("b", REALS(q), 9);
}

/* What the exact test says, and what the three say, one bit each. */
static void check_answers(const cd_triangle *a, const cd_triangle *b, bool truth, bool moller, bool held,
                          bool tropp) {
    note_pair(a, b);
    CHECK_INT(cd_test_triangle_triangle(a, b), truth);
    CHECK_INT(cd_test_triangle_triangle_moller(a, b, NULL), moller);
    CHECK_INT(cd_test_triangle_triangle_held(a, b, NULL), held);
    CHECK_INT(cd_test_triangle_triangle_tropp(a, b, NULL), tropp);
}

/* ---- where they are right ---- */

static cd_triangle grown(const cd_triangle *t, cd_real factor) {
    cd_vec3 middle = cd_vec3_scale(cd_vec3_add(cd_vec3_add(t->a, t->b), t->c), (cd_real)(1.0 / 3.0));
    cd_triangle r;
    r.a = cd_vec3_add(middle, cd_vec3_scale(cd_vec3_sub(t->a, middle), factor));
    r.b = cd_vec3_add(middle, cd_vec3_scale(cd_vec3_sub(t->b, middle), factor));
    r.c = cd_vec3_add(middle, cd_vec3_scale(cd_vec3_sub(t->c, middle), factor));
    return r;
}

static double area_of(const cd_triangle *t) {
    return 0.5 * (double)cd_vec3_length(cd_vec3_cross(cd_vec3_sub(t->b, t->a), cd_vec3_sub(t->c, t->a)));
}

/* A pair of large triangles that meet as well when both are a little smaller, or miss when both are larger; else false. */
static bool clear_pair(gen *g, cd_triangle *a, cd_triangle *b, bool *meet) {
    cd_triangle p, q;
    *a = gen_triangle(g);
    *b = gen_triangle(g);
    *meet = cd_test_triangle_triangle(a, b);
    p = grown(a, (cd_real)(*meet ? 0.98 : 1.02));
    q = grown(b, (cd_real)(*meet ? 0.98 : 1.02));
    return area_of(a) >= 0.1 && area_of(b) >= 0.1 && cd_test_triangle_triangle(&p, &q) == *meet;
}

static void clear_cases_are_right(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0;
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_triangle a, b;
        bool meet;
        if (!clear_pair(&g, &a, &b, &meet)) continue;
        note_pair(&a, &b);
        for (int k = 0; k < PUBLISHED; ++k) {
            test_asked("exact", published_names[k]);
            CHECK_INT(published[k](&a, &b, NULL), meet);
        }
        hits += meet;
        misses += !meet;
    }
    CHECK_SEEN(hits > 0 && misses > hits / 20);
}

/* A plane through the other triangle's corner, or the corner of one that the other's plane goes through, is judged as one of the
 * sides where the triangles meet elsewhere, too. */
static void corners_on_planes(void) {
    cd_triangle a = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, through = {{1, 1, 0}, {1, 2, 3}, {2, 1, -3}},
                beside = {{-1, -1, 0}, {-2, -2, 3}, {-2, -1, -3}},
                corner_last = {{1, 2, 3}, {2, 1, -3}, {1, 1, 0}};
    check_answers(&a, &through, true, true, true, true);
    check_answers(&through, &a, true, true, true, true);
    check_answers(&a, &corner_last, true, true, true, true);
    check_answers(&a, &beside, false, false, false, false);
}

static void in_one_plane(void) {
    cd_triangle a = {{0, 0, 1}, {4, 0, 1}, {0, 4, 1}}, b = {{1, 1, 1}, {5, 1, 1}, {1, 5, 1}},
                inside = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}}, off = {{5, 5, 1}, {6, 5, 1}, {5, 6, 1}};
    check_answers(&a, &b, true, true, true, true);
    check_answers(&a, &inside, true, true, true, true);
    check_answers(&inside, &a, true, true, true, true);
    check_answers(&a, &off, false, false, false, false);
    check_answers(&a, &a, true, true, true, true);
}

/* ---- where they are wrong ---- */

/* Moller's epsilon knows no scale: two triangles above each other, as far apart as they are long. */
static void small_triangles_are_one_plane_to_moller(void) {
    cd_real s = (cd_real)0.0009765625;
    cd_triangle a = {{0, 0, 0}, {s, 0, 0}, {0, s, 0}}, above = {{0, 0, s}, {s, 0, s}, {0, s, s}};
    check_answers(&a, &above, false, true, false, false);
}

/* A corner that touches the edge of the other, its own triangle being elsewhere: the parts in one plane see no corner on an edge,
 * nor a segment without length. Moller's intervals are closed. */
static void touching_corners_are_missed(void) {
    cd_triangle a = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, corner = {{4, 0, 0}, {8, 0, 1}, {8, 1, 5}},
                inside = {{1, 1, 0}, {1, 0, 4}, {0, 1, 4}};
    check_answers(&a, &corner, true, true, false, false);
    check_answers(&a, &inside, true, true, true, false);
    check_answers(&inside, &a, true, true, true, true); /* the plane of the other one gives a segment */
}

/* An edge along the other's edge: parallel ones are passed over. */
static void edges_along_edges(void) {
    cd_triangle a = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, along = {{1, 0, 0}, {3, 0, 0}, {2, 0, 4}};
    check_answers(&a, &along, true, true, false, true);
    check_answers(&along, &a, true, true, true, true);
}

/* A triangle without area has no normal: all is in its plane, which is seen along any axis. Moller looks at both planes. */
static void needles_without_area_meet_what_is_far_off(void) {
    cd_triangle needle = {{0, 0, 0}, {4, 0, 4}, {2, 0, 2}}, far_off = {{0, 9, 2}, {4, 9, 2}, {2, 9, 0}},
                other = {{0, 9, 4}, {4, 9, 0}, {2, 9, 2}};
    check_answers(&needle, &far_off, false, false, true, true);
    check_answers(&far_off, &needle, false, false, false, false);
    check_answers(&needle, &other, false, true, true, true);
}

/* Products leave the numbers: Moller's planes and intervals at one end, Tropp's at both. */
static void scales(void) {
    for (int e = -64; e <= 64; e += 16) {
        cd_real s = (cd_real)ldexp(1.0, e);
        cd_triangle a = {{0, 0, 0}, {4 * s, 0, 0}, {0, 4 * s, 0}},
                    b = {{s, s, s}, {s, s, -s}, {9 * s, 9 * s, -s}},
                    miss = {{9 * s, 9 * s, s}, {9 * s, 9 * s, -s}, {16 * s, 9 * s, -s}};
        note_pair(&a, &b);
        CHECK(cd_test_triangle_triangle(&a, &b) && !cd_test_triangle_triangle(&a, &miss));
        CHECK(cd_test_triangle_triangle_held(&a, &b, NULL));
        CHECK(!cd_test_triangle_triangle_held(&a, &miss, NULL));
        CHECK(cd_test_triangle_triangle_tropp(&a, &b, NULL));
        CHECK(!cd_test_triangle_triangle_tropp(&a, &miss, NULL));
        CHECK(e < 0 || cd_test_triangle_triangle_moller(&a, &b, NULL));
        CHECK(e < 0 || !cd_test_triangle_triangle_moller(&a, &miss, NULL));
    }
}

#ifdef COLLIDE_DOUBLE
static void beyond_the_range(void) {
    double s = ldexp(1.0, 100);
    cd_triangle a = {{0, 0, 0}, {4 * s, 0, 0}, {0, 4 * s, 0}},
                b = {{s, s, s}, {s, s, -s}, {9 * s, 9 * s, -s}};
    CHECK(cd_test_triangle_triangle(&a, &b) && cd_test_triangle_triangle_held(&a, &b, NULL));
    CHECK(!cd_test_triangle_triangle_tropp(&a, &b, NULL));
}
#endif

/* How often, on grids, where touching abounds: of each some are wrong, and some change with the order of the two. */
static void grids_find_all_of_them_wrong(void) {
    test_rng rng = test_random();
    long wrong[PUBLISHED] = {0, 0, 0}, swapped[PUBLISHED] = {0, 0, 0};
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_GRID);
        cd_triangle a = gen_triangle(&g), b = gen_triangle(&g);
        bool meet = cd_test_triangle_triangle(&a, &b);
        for (int k = 0; k < PUBLISHED; ++k) {
            bool ab = published[k](&a, &b, NULL), ba = published[k](&b, &a, NULL);
            wrong[k] += ab != meet;
            swapped[k] += ab != ba;
        }
    }
    for (int k = 0; k < PUBLISHED; ++k) CHECK_SEEN(wrong[k] > 0 && swapped[k] > 0);
    test_note("wrong %ld %ld %ld, swapped %ld %ld %ld", wrong[0], wrong[1], wrong[2], swapped[0], swapped[1],
              swapped[2]);
}

/* ---- what they do ---- */

static uint64_t sum(const cd_operations *n) {
    return n->adds + n->muls + n->divs + n->comparisons;
}

static void check_operations(published_fn test, const cd_triangle *a, const cd_triangle *b, int adds,
                             int muls, int divs, int comparisons) {
    cd_operations n;
    memset(&n, 0, sizeof n);
    CHECK_INT(test(a, b, &n), test(a, b, NULL));
    CHECK_INT(n.adds, adds);
    CHECK_INT(n.muls, muls);
    CHECK_INT(n.divs, divs);
    CHECK_INT(n.comparisons, comparisons);
}

static void operations_are_counted(void) {
    cd_triangle a = {{0, 0, 0}, {4, 0, 0}, {0, 4, 0}}, b = {{1, 1, 1}, {1, 1, -1}, {9, 9, -1}},
                above = {{0, 0, 1}, {4, 0, 2}, {0, 4, 3}};
    check_operations(cd_test_triangle_triangle_moller, &a, &b, 55, 66, 0, 32);
    check_operations(cd_test_triangle_triangle_held, &a, &b, 52, 39, 2, 28);
    check_operations(cd_test_triangle_triangle_tropp, &a, &b, 41, 44, 0, 32);
    check_operations(cd_test_triangle_triangle_moller, &a, &above, 20, 20, 0, 5);
    check_operations(cd_test_triangle_triangle_held, &a, &above, 20, 20, 0, 2);
    check_operations(cd_test_triangle_triangle_tropp, &a, &above, 26, 15, 0, 9);
}

/* The order that Tropp and others found, on triangles that are not judged at their planes; the numbers of the docs. */
static void tropp_does_the_least(void) {
    test_rng rng = test_random();
    uint64_t least[PUBLISHED] = {9999, 9999, 9999}, most[PUBLISHED] = {0, 0, 0};
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_operations n[PUBLISHED];
        cd_triangle a, b;
        bool meet;
        if (!clear_pair(&g, &a, &b, &meet) || !meet) continue;
        memset(n, 0, sizeof n);
        for (int k = 0; k < PUBLISHED; ++k) {
            CHECK(published[k](&a, &b, &n[k]));
            if (sum(&n[k]) < least[k]) least[k] = sum(&n[k]);
            if (sum(&n[k]) > most[k]) most[k] = sum(&n[k]);
        }
        CHECK(sum(&n[TROPP]) < sum(&n[MOLLER]));
    }
    test_note("moller %d...%d, held %d...%d, tropp %d...%d", (int)least[0], (int)most[0], (int)least[1],
              (int)most[1], (int)least[2], (int)most[2]);
    CHECK(most[MOLLER] <= 153 && most[HELD] <= 205 && most[TROPP] <= 118);
    CHECK_SEEN(least[MOLLER] == 153 && least[HELD] == 99 && least[TROPP] == 114);
}

static void bad_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_GRID);
        cd_triangle a = gen_triangle(&g), b = gen_triangle(&g);
        cd_real bad = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
        REALS(a)[test_int(&rng, 0, 8)] = bad;
        note_pair(&a, &b);
        for (int k = 0; k < PUBLISHED; ++k) {
            bool ab = published[k](&a, &b, NULL), ba = published[k](&b, &a, NULL);
            CHECK(isfinite((double)bad) || (!ab && !ba));
        }
    }
}

void suite_classic_triangles(void) {
    RUN(clear_cases_are_right);
    RUN(corners_on_planes);
    RUN(in_one_plane);
    RUN(small_triangles_are_one_plane_to_moller);
    RUN(touching_corners_are_missed);
    RUN(edges_along_edges);
    RUN(needles_without_area_meet_what_is_far_off);
    RUN(scales);
#ifdef COLLIDE_DOUBLE
    RUN(beyond_the_range);
#endif
    RUN(grids_find_all_of_them_wrong);
    RUN(operations_are_counted);
    RUN(tropp_does_the_least);
    RUN(bad_numbers);
}
