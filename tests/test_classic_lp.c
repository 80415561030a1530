/* Fourier-Motzkin elimination against Seidel's algorithm, which is exact; memory that is too small, the flag, and where it fails. */
#include "gen.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 24 };

static void *memory;
static size_t bytes;

static void begin(void) {
    bytes = cd_lp_fourier_motzkin_size(3, MOST);
    memory = malloc(bytes);
}

/* How far the worst half-space leaves a point outside, in units of its numbers. */
static double worst(const cd_plane *h, size_t count, cd_vec3 p) {
    double most = -INFINITY;
    for (size_t i = 0; i < count; ++i) {
        double x = (double)h[i].n.x, y = (double)h[i].n.y, z = (double)h[i].n.z,
               size = sqrt(x * x + y * y + z * z);
        double over = x * (double)p.x + y * (double)p.y + z * (double)p.z - (double)h[i].d;
        most = fmax(most, size > 0 ? over / size : over);
    }
    return most;
}

/* Half-spaces around the origin or not, some parallel, some zero; `wide`: of any direction, else of whole numbers. */
static void draw(test_rng *rng, cd_plane *h, int count, bool wide, bool flat) {
    for (int i = 0; i < count; ++i) {
        double n[3], d = wide ? test_range(rng, -0.5, 1) : test_int(rng, -1, 3);
        for (int k = 0; k < 3; ++k) n[k] = wide ? test_range(rng, -1, 1) : test_int(rng, -2, 2);
        h[i].n = cd_vec3_make((cd_real)n[0], (cd_real)n[1], (cd_real)(flat ? 0 : n[2]));
        h[i].d = (cd_real)d;
    }
    test_note_reals("half-spaces", &h[0].n.x, 4 * (count < 6 ? count : 6));
}

/* How much all must yield, or may be moved in, until the verdict turns. */
static double margin_of(const cd_plane *h, size_t count) {
    cd_interior3 in;
    cd_halfspaces_interior_point(h, count, NULL, &in);
    return in.verdict == CD_INTERIOR_FLAT || in.verdict == CD_INTERIOR_THIN ? 0 : (double)in.margin;
}

static void judge(const cd_plane *h, size_t count, const cd_fourier_motzkin *r, bool feasible) {
    CHECK_INT(r->status, CD_OK);
    CHECK_INT(r->feasible, feasible);
    if (r->feasible)
        CHECK(worst(h, count, r->point) <=
              (sizeof(cd_real) == 4 ? 1e-4 : 1e-9) * (1 + (double)cd_vec3_length(r->point)));
}

static void spaces_agree_with_seidel(void) {
    test_rng rng = test_random();
    int yes = 0, no = 0;
    for (long i = 0, times = test_times(3000); i < times; ++i) {
        int count = test_int(&rng, 0, i % 8 ? 10 : MOST);
        cd_plane h[MOST];
        cd_lp3 lp;
        cd_fourier_motzkin r, s;
        draw(&rng, h, count, i % 2 == 0, i % 16 == 3);
        CHECK_INT(cd_lp_seidel3(h, (size_t)count, cd_vec3_make(0, 0, 0), NULL, &lp), CD_OK);
        r = ASK("forms", cd_lp_fourier_motzkin3(h, (size_t)count, 0, memory, bytes));
        s = ASK("forms", cd_lp_fourier_motzkin3(h, (size_t)count, CD_FOURIER_MOTZKIN_PRUNE, memory, bytes));
        if (fabs(margin_of(h, (size_t)count)) < 1e-9) continue; /* there, rounding decides */
        judge(h, (size_t)count, &r, lp.verdict != CD_LP_INFEASIBLE);
        judge(h, (size_t)count, &s, lp.verdict != CD_LP_INFEASIBLE);
        if (r.feasible) CHECK(s.rows <= r.rows);
        (void)(r.feasible ? ++yes : ++no);
    }
    CHECK_SEEN(yes > 0 && no > 0);
}

static void planes_agree_with_seidel(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(3000); i < times; ++i) {
        int count = test_int(&rng, 0, MOST);
        cd_plane h[MOST];
        cd_halfspace2 g[MOST];
        cd_lp2 lp;
        cd_fourier_motzkin r, s;
        draw(&rng, h, count, i % 2 == 0, true);
        for (int k = 0; k < count; ++k) {
            g[k].n = cd_vec2_make(h[k].n.x, h[k].n.y);
            g[k].d = h[k].d;
        }
        CHECK_INT(cd_lp_seidel2(g, (size_t)count, cd_vec2_make(0, 0), NULL, &lp), CD_OK);
        r = ASK("forms", cd_lp_fourier_motzkin2(g, (size_t)count, 0, memory, bytes));
        s = ASK("forms", cd_lp_fourier_motzkin2(g, (size_t)count, CD_FOURIER_MOTZKIN_PRUNE, memory, bytes));
        CHECK(s.rows == r.rows); /* one variable: nothing follows from others yet */
        if (fabs(margin_of(h, (size_t)count)) < 1e-9) continue;
        judge(h, (size_t)count, &r, lp.verdict != CD_LP_INFEASIBLE);
        CHECK(r.point.z == 0);
    }
}

/* A box by its six planes: the middle of it, and how many rows that takes. */
static void box_by_hand(void) {
    cd_plane h[6];
    cd_fourier_motzkin r;
    for (int k = 0; k < 3; ++k) {
        for (int side = 0; side < 2; ++side) {
            cd_real n[3] = {0, 0, 0};
            n[k] = side ? 2 : -1;
            h[2 * k + side].n = cd_vec3_make(n[0], n[1], n[2]);
            h[2 * k + side].d = (cd_real)(side ? 2 * (k + 3) : -(k + 1)); /* k + 1 ... k + 3 */
        }
    }
    r = cd_lp_fourier_motzkin3(h, 6, 0, memory, bytes);
    CHECK(r.status == CD_OK && r.feasible && r.rows == 6 + 4 + 2);
    CHECK_VEC(r.point, cd_vec3_make(2, 3, 4), 0);
    h[5].d = 2; /* z at most 1, and at least 3 */
    r = cd_lp_fourier_motzkin3(h, 6, 0, memory, bytes);
    CHECK(r.status == CD_OK && !r.feasible);
    r = cd_lp_fourier_motzkin3(h, 0, 0, NULL, 0);
    CHECK(r.status == CD_OK && r.feasible && r.rows == 0);
    h[0].n = cd_vec3_make(0, 0, 0);
    h[0].d = -1; /* holds nowhere */
    r = cd_lp_fourier_motzkin3(h, 1, 0, NULL, 0);
    CHECK(r.status == CD_OK && !r.feasible);
}

/* The size is what it takes at worst, half the rows against the other half, and no more; with less it says so, and writes no further. */
static void memory_is_as_stated(void) {
    cd_plane h[12];
    size_t most = cd_lp_fourier_motzkin_size(3, 12), row = cd_lp_fourier_motzkin_size(2, 1) / 2;
    double *small = (double *)malloc(most + sizeof(double));
    cd_fourier_motzkin r;
    CHECK_INT(most, (12 + 36 + 324) * row);
    CHECK_INT(ASK("exact", cd_lp_fourier_motzkin_size(2, 3)), 6 * row); /* three rows may stay three */
    CHECK(ASK("exact", cd_lp_fourier_motzkin_size(3, (size_t)-1)) == (size_t)-1);
    CHECK(ASK("exact", cd_lp_fourier_motzkin_size(2, (size_t)-1 / 2)) == (size_t)-1);
    CHECK_INT(ASK("exact", cd_lp_fourier_motzkin_size(3, 0)), 0);
    for (int i = 0; i < 12; ++i) {
        h[i].n = cd_vec3_make((cd_real)(i % 5 - 2), (cd_real)(i / 2 % 3 == 1 ? 3 : i % 3 - 3),
                              (cd_real)(i % 2 ? 1 : -1));
        h[i].d = 9;
    }
    for (size_t room = 0; room <= most; room += room < 2000 ? 40 : 960) {
        double guard = 12345.5;
        memcpy((char *)small + room, &guard, sizeof guard);
        r = cd_lp_fourier_motzkin3(h, 12, 0, small, room);
        CHECK(r.status == (r.rows * row <= room ? CD_OK : CD_TOO_LARGE));
        CHECK(r.status == CD_OK || (!r.feasible && r.rows * row > room));
        CHECK(memcmp((char *)small + room, &guard, sizeof guard) == 0);
    }
    r = cd_lp_fourier_motzkin3(h, 12, 0, (char *)small + 1, most - 8);
    CHECK_INT(r.status, CD_INVALID_ARGUMENT);
    h[3].d = (cd_real)NAN;
    r = cd_lp_fourier_motzkin3(h, 12, 0, small, most);
    CHECK_INT(r.status, CD_INVALID_ARGUMENT);
    free(small);
}

/* Half-spaces that touch a ball, one half of them from above: a quarter of the square is reached, and the flag leaves most of the rows out.
 * Around the axis they follow each other by the golden angle, so that no two are alike. */
static void pruning_pays(void) {
    cd_plane h[MOST];
    cd_fourier_motzkin r, s;
    for (int i = 0; i < 16; ++i) {
        double turn = 2.399963229728653 * i, flat = 0.4 + 0.05 * (i % 7);
        cd_vec3 n = cd_vec3_make((cd_real)(flat * cos(turn)), (cd_real)(flat * sin(turn)),
                                 (cd_real)(i % 2 ? 0.5 : -0.5));
        h[i].n = cd_vec3_normalize(n);
        h[i].d = 1;
    }
    r = cd_lp_fourier_motzkin3(h, 16, 0, memory, bytes);
    s = cd_lp_fourier_motzkin3(h, 16, CD_FOURIER_MOTZKIN_PRUNE, memory, bytes);
    CHECK(r.status == CD_OK && s.status == CD_OK && r.feasible && s.feasible);
    CHECK(r.rows > 16 + 64 + 300 && s.rows < r.rows / 2);
}

/* Where it fails: half-spaces whose planes all go through one point, which is in all of them. The bounds of x are that point's from both sides, made by
 * products that are rounded, and the lower one comes out above the upper. */
static cd_fourier_motzkin through_a_point(int n[4][3], const int x[3], cd_lp3 *lp) {
    cd_plane h[4];
    for (int k = 0; k < 4; ++k) {
        h[k].n = cd_vec3_make((cd_real)n[k][0], (cd_real)n[k][1], (cd_real)n[k][2]);
        h[k].d = (cd_real)(n[k][0] * x[0] + n[k][1] * x[1] + n[k][2] * x[2]); /* exact */
    }
    CHECK_INT(cd_lp_seidel3(h, 4, cd_vec3_make(0, 0, 0), NULL, lp), CD_OK);
    return cd_lp_fourier_motzkin3(h, 4, 0, memory, bytes);
}

static void fails_where_bounds_meet(void) {
    int n[4][3] = {{-58262, 131193, -198553},
                   {-5602, -87653, 191976},
                   {136652, 26693, -77092},
                   {86063, -119594, -43062}};
    int x[3] = {6, -6, -8}, wrong = 0;
    test_rng rng = test_random();
    cd_lp3 lp;
    cd_fourier_motzkin r = through_a_point(n, x, &lp);
    CHECK(r.status == CD_OK && !r.feasible && lp.verdict != CD_LP_INFEASIBLE);
    for (long i = 0, times = test_times(4000); i < times; ++i) {
        for (int k = 0; k < 3; ++k) x[k] = test_int(&rng, -8, 8);
        for (int k = 0; k < 12; ++k) n[k / 3][k % 3] = test_int(&rng, -200000, 200000);
        r = through_a_point(n, x, &lp);
        CHECK_INT(r.status, CD_OK);
        CHECK(lp.verdict != CD_LP_INFEASIBLE);
        wrong += r.feasible == 0;
    }
    CHECK_SEEN(wrong > 0);
}

void suite_classic_lp(void) {
    begin();
    RUN(spaces_agree_with_seidel);
    RUN(planes_agree_with_seidel);
    RUN(box_by_hand);
    RUN(memory_is_as_stated);
    RUN(pruning_pays);
    RUN(fails_where_bounds_meet);
    free(memory);
}
