/* Convex quadrilaterals, polygons and bodies against their definitions. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define NEXT nextafter
#else
#define NEXT nextafterf
#endif

/* A point of a slanted plane, from whole numbers, without rounding. */
static cd_vec3 lifted(cd_vec2 v) {
    return cd_vec3_make(v.x + 2 * v.y + 1, 3 * v.x - v.y, v.x + v.y - 5);
}

/* ---- quadrilaterals ---- */

static int turn_of(const cd_vec2 *v, int i, int j, int k) {
    double d[6];
    to_doubles(&v[i].x, d, 2);
    to_doubles(&v[j].x, d + 2, 2);
    to_doubles(&v[k].x, d + 4, 2);
    return oracle_orient2d(d, d + 2, d + 4);
}

/* Planar ones on a grid: convex exactly when all four corners turn to one side. */
static void planar_quads(void) {
    for (int i = 0; i < 6561; ++i) {
        cd_vec2 v[4];
        cd_vec3 p[4];
        int turns = 0, n = i;
        for (int k = 0; k < 8; ++k, n /= 3) REALS(v)[k] = (cd_real)(n % 3);
        for (int k = 0; k < 4; ++k) turns += turn_of(v, k, (k + 1) % 4, (k + 2) % 4);
        for (int k = 0; k < 4; ++k) p[k] = lifted(v[k]);
        test_note("");
        test_note_reals("v", REALS(v), 8);
        CHECK_INT(cd_is_convex_quad(p[0], p[1], p[2], p[3]), abs(turns) == 4);
    }
}

/* ((b-a) x (c-a)) . ((b-a) x (d-a)) */
static int opposite_sides(const double *a, const double *b, const double *c, const double *d) {
    exact_pool pool = exact_begin();
    exact3 o = exact3_from(a), ab = exact3_sub(exact3_from(b), o);
    exact3 n = exact3_cross(ab, exact3_sub(exact3_from(c), o)),
           m = exact3_cross(ab, exact3_sub(exact3_from(d), o));
    int sign = exact3_dot(n, m).sign;
    exact_end(pool);
    return sign < 0;
}

static void quads_in_space(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 v[4];
        double d[12];
        bool convex;
        for (int k = 0; k < 4; ++k) v[k] = gen_point(&g);
        if (test_int(&rng, 0, 1)) v[2] = cd_vec3_add(v[1], cd_vec3_sub(v[3], v[0]));
        if (!test_int(&rng, 0, 2))
            v[3] = cd_vec3_lerp(v[0], v[2], (cd_real)test_unit(&rng)); /* nearly in line */
        to_doubles(REALS(v), d, 12);
        test_note("");
        test_note_reals("v", REALS(v), 12);
        convex = opposite_sides(d, d + 6, d + 3, d + 9) && opposite_sides(d + 3, d + 9, d, d + 6);
        CHECK_INT(ASK("exact", cd_is_convex_quad(v[0], v[1], v[2], v[3])), convex);
        CHECK_INT(ASK("exact", cd_is_convex_quad(v[3], v[2], v[1], v[0])), convex);
        CHECK_INT(ASK("exact", cd_is_convex_quad(v[1], v[2], v[3], v[0])), convex);
    }
}

/* ---- polygons ---- */

/* By the definition: without repeated corners all turns go to one side, none back, and add up to one turn. */
static bool polygon_is_convex(const cd_vec2 *v, int count) {
    int kept[16], n = 0, sign = 0;
    double sum = 0.0;
    for (int i = 0; i < count; ++i) {
        int last = n ? kept[n - 1] : count - 1;
        if (v[i].x != v[last].x || v[i].y != v[last].y) kept[n++] = i;
    }
    if (n < 3) return false;
    for (int i = 0; i < n; ++i) {
        const cd_vec2 *a = &v[kept[i]], *b = &v[kept[(i + 1) % n]], *c = &v[kept[(i + 2) % n]];
        double x = (double)b->x - (double)a->x, y = (double)b->y - (double)a->y;
        double z = (double)c->x - (double)b->x, w = (double)c->y - (double)b->y;
        int turn = turn_of(v, kept[i], kept[(i + 1) % n], kept[(i + 2) % n]);
        if (turn == 0 && x * z + y * w < 0.0) return false;
        if (turn * sign < 0) return false;
        if (turn) sign = turn;
        sum += turn * fabs(atan2(x * w - y * z, x * z + y * w)); /* the sign may be lost to rounding */
    }
    return sign != 0 && fabs(fabs(sum) - 2.0 * acos(-1.0)) < 0.1;
}

static void check_polygon(const cd_vec2 *v, int count, bool convex) {
    cd_vec2 w[16];
    cd_vec3 p[16];
    for (int i = 0; i < count; ++i) p[i] = lifted(v[i]);
    test_note("");
    test_note_reals("v", &v->x, 2 * count);
    CHECK_INT(ASK("exact", cd_is_convex_polygon(v, (size_t)count)), convex);
    for (int i = 0; i < count; ++i) w[i] = v[(count + 1 - i) % count];
    CHECK_INT(ASK("exact", cd_is_convex_polygon(w, (size_t)count)), convex);
    CHECK_INT(ASK("exact", cd_is_convex_polygon3(p, (size_t)count)), convex);
}

static void polygons_on_a_grid(void) {
    test_rng rng = test_random();
    for (long i = test_times(60000); i > 0; --i) {
        int count = test_int(&rng, 3, 9), size = test_int(&rng, 1, 3);
        cd_vec2 v[16];
        for (int k = 0; k < count; ++k) {
            v[k].x = (cd_real)test_int(&rng, 0, size);
            v[k].y = (cd_real)test_int(&rng, 0, size);
        }
        check_polygon(v, count, polygon_is_convex(v, count));
    }
}

/* Points of a circle, in order or skipping some; one moved a little. */
static void stars_and_rings(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        int count = test_int(&rng, 3, 12), step = test_int(&rng, 1, 3), moved = test_int(&rng, 0, count - 1);
        cd_vec2 v[16];
        for (int k = 0; k < count; ++k) {
            double angle = 6.283185307179586 * (k * step) / count;
            v[k] = cd_vec2_make((cd_real)cos(angle), (cd_real)sin(angle));
        }
        if (test_int(&rng, 0, 1)) { /* onto the line of its neighbours, up to rounding */
            cd_vec2 a = v[(moved + count - 1) % count], b = v[(moved + 1) % count];
            v[moved] = cd_vec2_scale(cd_vec2_add(a, b), (cd_real)0.5);
            if (test_int(&rng, 0, 1)) v[moved].x = NEXT(v[moved].x, test_int(&rng, 0, 1) ? 9 : -9);
        }
        if (test_int(&rng, 0, 1)) v[moved] = v[(moved + 1) % count];
        test_note("");
        test_note_reals("v", REALS(v), 2 * count);
        CHECK_INT(cd_is_convex_polygon(v, (size_t)count), polygon_is_convex(v, count));
    }
}

static void polygons_by_hand(void) {
    static const cd_vec2 star[5] = {{0, 5}, {3, -4}, {-5, 2}, {5, 2}, {-3, -4}};
    static const cd_vec2 twice[6] = {{0, 0}, {4, 0}, {0, 4}, {0, 0}, {4, 0}, {0, 4}};
    static const cd_vec2 spike[5] = {{0, 0}, {4, 0}, {6, 0}, {4, 0}, {0, 4}};
    static const cd_vec2 runs[9] = {{0, 0}, {0, 0}, {1, 0}, {2, 0}, {2, 2}, {2, 2}, {0, 2}, {0, 1}, {0, 0}};
    cd_vec2 bad[3] = {{0, 0}, {1, 0}, {0, 1}};
    cd_vec3 bad3[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    check_polygon(star, 5, false);
    check_polygon(twice, 6, false);
    check_polygon(spike, 5, false);
    check_polygon(runs, 9, true);
    check_polygon(twice, 3, true);
    for (size_t n = 0; n < 3; ++n)
        CHECK(!cd_is_convex_polygon(runs + 2, n) && !cd_is_convex_polygon3(bad3, n));
    CHECK(cd_is_convex_polygon(bad, 3) && cd_is_convex_polygon3(bad3, 3));
    bad[1].y = (cd_real)NAN;
    bad3[1].z = (cd_real)INFINITY;
    CHECK(!cd_is_convex_polygon(bad, 3) && !cd_is_convex_polygon3(bad3, 3));
    CHECK(!cd_is_convex_quad(bad3[0], bad3[1], bad3[2], bad3[0]));
    bad3[1].z = (cd_real)NAN;
    CHECK(!cd_is_convex_quad(bad3[0], bad3[1], bad3[2], cd_vec3_make(1, -1, 0)));
}

/* Any corner of a polygon or a quadrilateral with a number that is none. */
static void numbers_that_are_none(void) {
    static const double bad[3] = {NAN, INFINITY, -INFINITY};
    static const double square[4][2] = {{-1, -1}, {2, -2}, {1, 1}, {-2, 2}};
    for (int i = 0; i < 4 * 3 * 3 * 2; ++i) {
        int corner = i % 4, k = i / 4 % 3, turn = i / 36;
        cd_vec2 p[4];
        cd_vec3 q[4];
        for (int j = 0; j < 4; ++j) {
            const double *from = square[turn ? 3 - j : j];
            p[j].x = q[j].x = (cd_real)from[0];
            p[j].y = q[j].y = (cd_real)from[1];
            q[j].z = 1;
        }
        CHECK(cd_is_convex_polygon(p, 4) && cd_is_convex_polygon3(q, 4) &&
              cd_is_convex_quad(q[0], q[1], q[2], q[3]));
        if (k < 2) REALS(p[corner])[k] = (cd_real)bad[i / 12 % 3];
        REALS(q[corner])[k] = (cd_real)bad[i / 12 % 3];
        test_note("%d ", i);
        if (k < 2) CHECK(!cd_is_convex_polygon(p, 4) && !cd_is_convex_polygon(p + corner / 2, 3));
        CHECK(!cd_is_convex_polygon3(q, 4) && !cd_is_convex_polygon3(q + corner / 2, 3));
        CHECK(!cd_is_convex_quad(q[0], q[1], q[2], q[3]));
    }
}

/* ---- bodies ---- */

enum { MOST_POINTS = 40, MOST_FACES = 80 };

typedef struct body {
    cd_vec3 v[MOST_POINTS];
    uint32_t t[3 * MOST_FACES];
    size_t points, faces;
} body;

static void add_face(body *b, uint32_t i, uint32_t j, uint32_t k) {
    b->t[3 * b->faces] = i;
    b->t[3 * b->faces + 1] = j;
    b->t[3 * b->faces++ + 2] = k;
}

static bool convex(const body *b) {
    return cd_is_convex_polyhedron(b->v, b->points, b->t, b->faces, NULL, NULL);
}

/* The flaw and its feature; 0 when convex. */
static void check_flaw(const body *b, uint32_t flaw, uint32_t feature) {
    cd_convexity c;
    bool good;
    memset(&c, 0, sizeof c);
    test_note("%d faces ", (int)b->faces);
    test_note_reals("v", &b->v->x, 3 * (int)b->points);
    good = cd_is_convex_polyhedron(b->v, b->points, b->t, b->faces, NULL, &c);
    CHECK_INT(good, flaw == 0);
    CHECK_INT(convex(b), flaw == 0);
    CHECK_INT(c.flaw, flaw);
    CHECK_INT(c.feature, feature);
}

/* Every corner on or behind the plane of every triangle. */
static bool all_behind(const body *b) {
    double d[MOST_POINTS][3];
    for (size_t i = 0; i < b->points; ++i) to_doubles(&b->v[i].x, d[i], 3);
    for (size_t f = 0; f < b->faces; ++f) {
        const uint32_t *t = b->t + 3 * f;
        for (size_t i = 0; i < b->points; ++i) {
            if (oracle_orient3d(d[t[0]], d[t[1]], d[t[2]], d[i]) < 0) return false;
        }
    }
    return true;
}

static body box(double x, double y, double z) {
    static const uint32_t side[6][4] = {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                        {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};
    body b;
    memset(&b, 0, sizeof b);
    b.points = 8;
    for (int i = 0; i < 8; ++i)
        b.v[i] =
            cd_vec3_make((cd_real)(i & 1 ? x : -x), (cd_real)(i & 2 ? y : -y), (cd_real)(i & 4 ? z : -z));
    for (int s = 0; s < 6; ++s) {
        add_face(&b, side[s][0], side[s][1], side[s][2]);
        add_face(&b, side[s][0], side[s][2], side[s][3]);
    }
    return b;
}

/* The second after the first, its corners of its own. */
static void append(body *b, const body *other) {
    for (size_t f = 0; f < 3 * other->faces; ++f) b->t[3 * b->faces + f] = other->t[f] + (uint32_t)b->points;
    memcpy(b->v + b->points, other->v, other->points * sizeof *b->v);
    b->points += other->points;
    b->faces += other->faces;
}

/* The hull of the points; false when four of them lie in a plane. */
static bool hull_of(body *b) {
    double d[MOST_POINTS][3];
    b->faces = 0;
    for (size_t i = 0; i < b->points; ++i) to_doubles(REALS(b->v[i]), d[i], 3);
    for (uint32_t i = 0; i < b->points; ++i) {
        for (uint32_t j = i + 1; j < b->points; ++j) {
            for (uint32_t k = j + 1; k < b->points; ++k) {
                int side[3] = {0, 0, 0};
                for (uint32_t w = 0; w < b->points; ++w) {
                    if (w != i && w != j && w != k) ++side[1 + oracle_orient3d(d[i], d[j], d[k], d[w])];
                }
                if (side[1]) return false;
                if (side[0] && side[2]) continue;
                if (side[2]) add_face(b, i, j, k);
                if (side[0]) add_face(b, i, k, j);
            }
        }
    }
    return true;
}

static void hulls_are_convex(void) {
    test_rng rng = test_random();
    long convex_ones = 0;
    for (long i = test_times(1500); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        body b;
        uint32_t *f, keep;
        size_t turned;
        memset(&b, 0, sizeof b);
        b.points = (size_t)test_int(&rng, 4, 9);
        for (size_t k = 0; k < b.points; ++k) b.v[k] = gen_point(&g);
        if (!hull_of(&b)) continue;
        ++convex_ones;
        check_flaw(&b, 0, 0);
        turned = (size_t)test_int(&rng, 0, (int)b.faces - 1);
        f = b.t + 3 * turned;
        keep = f[0];
        f[0] = f[1];
        f[1] = keep;
        CHECK(!convex(&b)); /* one triangle turned around */
        f[1] = f[0];
        f[0] = keep;
        memmove(f, b.t + 3 * (b.faces - 1), 3 * sizeof *f);
        --b.faces;
        CHECK(!convex(&b)); /* one triangle less */
    }
    CHECK(convex_ones > 0);
}

/* A corner of a box, of a bipyramid or a point in the middle of a side, a few units in the last place off. */
static void moved_by_one_ulp(void) {
    test_rng rng = test_random();
    long seen[2] = {0, 0};
    for (long i = test_times(3000); i > 0; --i) {
        double scale = ldexp(1.0, test_int(&rng, -20, 20));
        body b = box(scale, 2 * scale, test_int(&rng, 0, 1) ? 3 * scale : scale);
        int side = test_int(&rng, 0, 5), axis = test_int(&rng, 0, 2), steps = test_int(&rng, 0, 2);
        const uint32_t *t = b.t + 6 * side;
        uint32_t quad[4];
        size_t moved;
        bool want;
        quad[0] = t[0], quad[1] = t[1], quad[2] = t[2], quad[3] = t[5];
        b.v[8] = cd_vec3_lerp(b.v[quad[0]], b.v[quad[2]], (cd_real)0.5);
        b.points = 9;
        memmove(b.t + 6 * side, b.t + 6 * side + 6, (size_t)(5 - side) * 6 * sizeof *b.t);
        b.faces = 10;
        for (int k = 0; k < 4; ++k) add_face(&b, quad[k], quad[(k + 1) % 4], 8);
        moved = test_int(&rng, 0, 1) ? 8 : (size_t)test_int(&rng, 0, 7);
        for (; steps > 0; --steps) {
            cd_real *x = &REALS(b.v[moved])[axis];
            *x = *x == 0 ? (cd_real)(scale * (test_int(&rng, 0, 1) ? 1e-30 : -1e-30))
                         : NEXT(*x, test_int(&rng, 0, 1) ? 1e30f : -1e30f);
        }
        want = all_behind(&b);
        ++seen[want];
        test_note("");
        test_note_reals("v", REALS(b.v), 27);
        CHECK_INT(convex(&b), want);
    }
    CHECK_SEEN(seen[0] > 0 && seen[1] > 0);
}

/* A ring of n corners wound around the axis `winds` times, between two tips. */
static body wound_bipyramid(int n, int winds) {
    body b;
    memset(&b, 0, sizeof b);
    b.points = (size_t)n + 2;
    for (int i = 0; i < n; ++i) {
        double angle = 6.283185307179586 * winds * i / n;
        b.v[i] = cd_vec3_make((cd_real)cos(angle), (cd_real)sin(angle), 0);
    }
    b.v[n] = cd_vec3_make(0, 0, 1);
    b.v[n + 1] = cd_vec3_make(0, 0, -1);
    for (int i = 0; i < n; ++i) {
        uint32_t j = (uint32_t)((i + 1) % n);
        add_face(&b, (uint32_t)i, j, (uint32_t)n);
        add_face(&b, j, (uint32_t)i, (uint32_t)n + 1);
    }
    return b;
}

static void wound_more_than_once(void) {
    body b, c;
    for (int n = 3; n < 9; ++n) {
        b = wound_bipyramid(n, 1);
        check_flaw(&b, 0, 0);
    }
    for (int n = 5; n < 20; n += 2) { /* every edge is convex, and the middle behind all planes */
        b = wound_bipyramid(n, 2);
        CHECK(!convex(&b));
    }
    for (int n = 6; n < 20; n += 2) { /* all corners too: only the ray tells */
        b = wound_bipyramid(n, 2);
        for (int i = n / 2; i < n; ++i) b.v[i] = b.v[i - n / 2];
        check_flaw(&b, CD_CONVEXITY_MULTIPLE, CD_FEATURE_NONE);
    }
    b = box(1, 1, 1);
    c = b;
    append(&b, &c); /* a box twice */
    check_flaw(&b, CD_CONVEXITY_MULTIPLE, CD_FEATURE_NONE);
    b = box(2, 2, 2);
    append(&b, &c); /* one in another */
    CHECK(!convex(&b));
    for (size_t i = 0; i < c.points; ++i) c.v[i].x += 10;
    b = box(1, 1, 1);
    append(&b, &c); /* one beside another */
    CHECK(!convex(&b));
    for (size_t i = 0; i < c.points; ++i) c.v[i] = cd_vec3_make(c.v[i].x - 8, c.v[i].y + 2, c.v[i].z + 2);
    b = box(1, 1, 1);
    append(&b, &c); /* corner to corner */
    CHECK(!convex(&b));
}

static void flaws_by_hand(void) {
    const body good = box(1, 1, 1);
    body b = good;
    uint32_t last = (uint32_t)good.faces - 1;
    b.t[3 * last + 1] = 8;
    check_flaw(&b, CD_CONVEXITY_INPUT, CD_FEATURE(3u, last));
    b = good;
    b.v[3].y = (cd_real)NAN;
    CHECK(!convex(&b));
    b.v[3].y = (cd_real)INFINITY;
    CHECK(!convex(&b));
    b = good;
    b.v[b.points++].x = (cd_real)NAN; /* a corner that nobody uses */
    CHECK(convex(&b));
    b = good;
    b.t[3 * 4] = b.t[3 * 4 + 1];
    check_flaw(&b, CD_CONVEXITY_DEGENERATE, CD_FEATURE(3u, 4));
    b = good;
    --b.faces; /* a hole, beside the second edge of the first triangle */
    check_flaw(&b, CD_CONVEXITY_OPEN, CD_FEATURE(2u, 1));
    b = good;
    memcpy(b.t + 3 * b.faces, b.t, 3 * sizeof *b.t); /* a triangle twice */
    ++b.faces;
    check_flaw(&b, CD_CONVEXITY_OPEN, CD_FEATURE(2u, 0));
    b = good;
    for (size_t i = 0; i < 8; ++i) b.v[i] = cd_vec3_neg(b.v[i]); /* inside out */
    CHECK(!convex(&b));
    b = good;
    b.v[0] = cd_vec3_scale(b.v[0], (cd_real)0.25); /* dented */
    CHECK(!convex(&b));
    b = good;
    b.faces = 0;
    check_flaw(&b, CD_CONVEXITY_FLAT, CD_FEATURE_NONE);
    CHECK(!cd_is_convex_polyhedron(NULL, 0, NULL, 0, NULL, NULL));
    CHECK(!cd_is_convex_polyhedron(NULL, 0, NULL, (size_t)1 << 30, NULL, NULL));
    memset(&b, 0, sizeof b); /* both sides of a triangle */
    b.points = 3;
    b.v[1].x = b.v[2].y = 1;
    add_face(&b, 0, 1, 2);
    add_face(&b, 0, 2, 1);
    check_flaw(&b, CD_CONVEXITY_REFLEX, CD_FEATURE(2u, 0));
}

/* Boxes squeezed to the last place, huge and tiny: the middle is no number any more. */
static void thin_and_far(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        body b = box(1, 1, 1);
        cd_real at[3], next[3];
        for (int k = 0; k < 3; ++k) {
            double far = ldexp(test_range(&rng, 0.5, 1), test_int(&rng, -100, 100));
            at[k] = (cd_real)(test_int(&rng, 0, 1) ? far : -far);
            next[k] = NEXT(at[k], 1e38f);
            if (test_int(&rng, 0, 1)) next[k] = (cd_real)((double)at[k] + fabs((double)at[k]));
        }
        for (int v = 0; v < 8; ++v) {
            for (int k = 0; k < 3; ++k) REALS(b.v[v])[k] = v >> k & 1 ? next[k] : at[k];
        }
        check_flaw(&b, 0, 0);
        b.v[7].x = (cd_real)((double)next[0] + fabs((double)at[0]) * 0.5);
        CHECK(!convex(&b) || all_behind(&b));
    }
}

/* Tetrahedra of extreme numbers: convex when they have volume and the right front. */
static void any_finite_numbers(void) {
    static const uint32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        cd_vec3 v[4];
        double d[12];
        for (int k = 0; k < 12; ++k) {
            cd_real *x = &REALS(v)[k];
            do {
                *x = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
            } while (!isfinite((double)*x));
        }
        to_doubles(REALS(v), d, 12);
        test_note("");
        test_note_reals("v", REALS(v), 12);
        CHECK_INT(ASK("bad", cd_is_convex_polyhedron(v, 4, faces, 4, NULL, NULL)),
                  oracle_orient3d(d, d + 3, d + 6, d + 9) < 0);
    }
}

static void *no_memory(void *user, size_t size, size_t align) {
    (void)user, (void)size, (void)align;
    return NULL;
}

static void memory_may_run_out(void) {
    body b = box(1, 1, 1);
    cd_allocator none = {NULL, no_memory, NULL};
    cd_convexity c = {0, 0};
    CHECK(!cd_is_convex_polyhedron(b.v, b.points, b.t, b.faces, &none, &c));
    CHECK_INT(c.flaw, CD_CONVEXITY_MEMORY);
}

/* A corner of a large body moved inward is found; so are the bumps of a ball. */
static void large_bodies(void) {
    enum { N = 1000 };
    test_rng rng = test_random();
    gen_mesh ball = gen_mesh_ball(8, 0.3, &rng);
    cd_vec3 *v = (cd_vec3 *)malloc((N + 2) * sizeof *v);
    uint32_t *t = (uint32_t *)malloc(6 * N * sizeof *t);
    CHECK(!cd_is_convex_polyhedron(ball.vertices, ball.vertex_count, ball.indices, ball.triangle_count, NULL,
                                   NULL));
    for (uint32_t i = 0; i < N; ++i) {
        uint32_t j = (i + 1) % N, corner[6];
        double angle = 6.283185307179586 * i / N;
        v[i] = cd_vec3_make((cd_real)cos(angle), (cd_real)sin(angle), 0);
        corner[0] = corner[4] = i, corner[1] = corner[3] = j, corner[2] = N, corner[5] = N + 1;
        memcpy(t + 6 * i, corner, sizeof corner);
    }
    v[N] = cd_vec3_make(0, 0, 1);
    v[N + 1] = cd_vec3_make(0, 0, -1);
    CHECK(cd_is_convex_polyhedron(v, N + 2, t, 2 * N, NULL, NULL));
    v[N / 3] = cd_vec3_scale(v[N / 3], (cd_real)0.9999);
    CHECK(!cd_is_convex_polyhedron(v, N + 2, t, 2 * N, NULL, NULL));
    free(v);
    free(t);
    gen_mesh_free(&ball);
}

void suite_convexity(void) {
    RUN(planar_quads);
    RUN(quads_in_space);
    RUN(polygons_on_a_grid);
    RUN(stars_and_rings);
    RUN(polygons_by_hand);
    RUN(numbers_that_are_none);
    RUN(hulls_are_convex);
    RUN(moved_by_one_ulp);
    RUN(wound_more_than_once);
    RUN(flaws_by_hand);
    RUN(thin_and_far);
    RUN(any_finite_numbers);
    RUN(memory_may_run_out);
    RUN(large_bodies);
}
