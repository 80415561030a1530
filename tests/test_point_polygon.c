/* Points against polygons of the plane: exact rays in random directions, tilings, and polygons that are hard to count. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 40 };

typedef struct shape {
    cd_vec2 v[MOST];
    int count;
} shape;

static void note_shape(const shape *s, cd_vec2 p) {
    test_note("");
    test_note_reals("p", REALS(p), 2);
    test_note_reals("v", &s->v[0].x, 2 * s->count);
}

/* ---- the reference ---- */

static int turn_of(cd_vec2 a, cd_vec2 b, cd_vec2 c) {
    double d[6];
    to_doubles(REALS(a), d, 2);
    to_doubles(REALS(b), d + 2, 2);
    to_doubles(REALS(c), d + 4, 2);
    return oracle_orient2d(d, d + 2, d + 4);
}

static bool between(cd_real x, cd_real a, cd_real b) {
    return (a <= x && x <= b) || (b <= x && x <= a);
}

static bool on_edge(cd_vec2 p, cd_vec2 a, cd_vec2 b) {
    return between(p.x, a.x, b.x) && between(p.y, a.y, b.y) && turn_of(a, b, p) == 0;
}

/* The sign of d x (v - p), for a direction of whole numbers. */
static int side_of_ray(const double d[2], cd_vec2 p, cd_vec2 v) {
    exact_pool pool = exact_begin();
    exact x = exact_sub(exact_from((double)v.x), exact_from((double)p.x));
    exact y = exact_sub(exact_from((double)v.y), exact_from((double)p.y));
    exact cross = exact_sub(exact_mul(exact_from(d[0]), y), exact_mul(exact_from(d[1]), x));
    exact_end(pool);
    return cross.sign;
}

/* False when the ray goes through a corner. */
static bool try_ray(const double d[2], cd_vec2 p, const cd_vec2 *v, int count, int *winding) {
    for (int i = 0; i < count; ++i) {
        cd_vec2 a = v[i], b = v[(i + 1) % count];
        int from = side_of_ray(d, p, a), to = side_of_ray(d, p, b);
        if (from == 0 || to == 0) return false;
        if (from < 0 && to > 0 && turn_of(a, b, p) > 0) ++*winding;
        if (from > 0 && to < 0 && turn_of(a, b, p) < 0) --*winding;
    }
    return true;
}

/* True on an edge. Otherwise adds how often the polygon goes around the point. */
static bool reference(test_rng *rng, cd_vec2 p, const cd_vec2 *v, int count, int *winding) {
    int before = *winding;
    for (int i = 0; i < count; ++i) {
        if (on_edge(p, v[i], v[(i + 1) % count])) return true;
    }
    for (;;) {
        double d[2];
        d[0] = test_int(rng, -99999, 99999);
        d[1] = test_int(rng, -99999, 99999);
        *winding = before;
        if (try_ray(d, p, v, count, winding)) return false;
    }
}

/* ---- polygons ---- */

static cd_vec2 point_of(gen *g) {
    cd_vec2 p;
    p.x = gen_coordinate(g, 0);
    p.y = gen_coordinate(g, 1);
    return p;
}

static cd_vec2 mix(cd_vec2 a, cd_vec2 b, double t) {
    return cd_vec2_make((cd_real)((double)a.x * (1 - t) + (double)b.x * t),
                        (cd_real)((double)a.y * (1 - t) + (double)b.y * t));
}

/* Corners anywhere, repeated, back on themselves, in line. */
static shape any_shape(gen *g, int most) {
    shape s;
    s.count = test_int(g->rng, 0, most);
    for (int i = 0; i < s.count; ++i) {
        int how = i > 1 ? test_int(g->rng, 0, 9) : 9;
        s.v[i] = point_of(g);
        if (how == 0) s.v[i] = s.v[i - 1];
        if (how == 1) s.v[i] = s.v[i - 2]; /* a spike */
        if (how == 2) s.v[i] = mix(s.v[i - 1], s.v[i - 2], 0.5);
        if (how == 3) s.v[i].y = s.v[i - 1].y;
        if (how == 4) s.v[i] = s.v[test_int(g->rng, 0, i - 1)];
    }
    return s;
}

/* A corner, a point of an edge up to rounding, one beside it, one at the height of a corner, or anywhere. */
static cd_vec2 point_near(gen *g, const shape *s) {
    cd_vec2 p = point_of(g), a, b;
    if (s->count == 0) return p;
    a = s->v[test_int(g->rng, 0, s->count - 1)];
    b = s->v[test_int(g->rng, 0, s->count - 1)];
    switch (test_int(g->rng, 0, 6)) {
    case 0: return a;
    case 1: return mix(a, b, 0.5);
    case 2: return mix(a, b, test_range(g->rng, -0.2, 1.2));
    case 3: p.y = a.y; break;
    case 4: p = cd_vec2_make(a.x, b.y); break;
    case 5:
        p = mix(a, b, test_unit(g->rng));
        p.x = gen_near(g->rng, p.x);
        break;
    default: break;
    }
    return p;
}

static void check_answers(test_rng *rng, const shape *s, cd_vec2 p, int seen[3]) {
    size_t n = (size_t)s->count;
    int winding = 0, got = -77, want, located = ASK("exact", cd_locate_point_polygon2(p, s->v, n));
    bool on = reference(rng, p, s->v, s->count, &winding);
    int8_t batch = 99;
    want = on ? 0 : winding % 2 ? 1 : -1;
    ++seen[want + 1];
    note_shape(s, p);
    CHECK_INT(located, want);
    CHECK_INT(ASK("exact", cd_test_point_polygon2(p, s->v, n)), want >= 0);
    ASK("exact", cd_locate_points_polygon2(&p, 1, s->v, n, &batch));
    CHECK_INT(batch, want);
    CHECK_INT(ASK("exact", cd_winding_point_polygon2(p, s->v, n, &got)), !on);
    CHECK_INT(got, on ? -77 : winding);
    if (!on) CHECK_INT(ASK("exact", cd_test_point_polygon2_half_open(p, s->v, n)), want > 0);
    CHECK_INT(ASK("exact", cd_locate_point_rings2(p, s->v, &n, 1, CD_FILL_EVEN_ODD)), want);
    CHECK_INT(ASK("exact", cd_locate_point_rings2(p, s->v, &n, 1, CD_FILL_NON_ZERO)), on        ? 0
                                                                                      : winding ? 1
                                                                                                : -1);
    if (n == 3) CHECK_INT(ASK("exact", cd_locate_point_triangle2(p, s->v[0], s->v[1], s->v[2])), want);
    if (n == 3) CHECK_INT(ASK("exact", cd_test_point_triangle2(p, s->v[0], s->v[1], s->v[2])), want >= 0);
    if (n == 4) CHECK_INT(ASK("exact", cd_locate_point_quad2(p, s->v[0], s->v[1], s->v[2], s->v[3])), want);
}

static void any_polygon(void) {
    test_rng rng = test_random();
    int seen[3] = {0, 0, 0};
    for (long i = test_times(12800); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        shape s = any_shape(&g, test_int(&rng, 0, 1) ? 4 : 12);
        check_answers(&rng, &s, point_near(&g, &s), seen);
    }
    CHECK_SEEN(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

/* Small numbers, huge ones, denormals: all that there is. */
static void any_numbers(void) {
    test_rng rng = test_random();
    int seen[3] = {0, 0, 0};
    for (long i = test_times(1500); i > 0; --i) {
        shape s;
        cd_vec2 p;
        s.count = test_int(&rng, 1, 6);
        for (int k = 0; k < s.count; ++k) {
            s.v[k] = cd_vec2_make(gen_any_real(&rng), gen_any_real(&rng));
        }
        p = s.v[test_int(&rng, 0, s.count - 1)];
        if (test_int(&rng, 0, 1)) p.x = gen_any_real(&rng);
        if (test_int(&rng, 0, 3)) p.y = test_int(&rng, 0, 1) ? gen_near(&rng, p.y) : gen_any_real(&rng);
        if (cd_vec2_is_valid(p)) check_answers(&rng, &s, p, seen);
    }
}

static void rings(void) {
    test_rng rng = test_random();
    int seen[3] = {0, 0, 0};
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        shape s = any_shape(&g, 16);
        cd_vec2 p = point_near(&g, &s);
        size_t ends[4];
        int winding = 0, want, first = 0, cut[4];
        bool on = false;
        for (int k = 0; k < 4; ++k) {
            cut[k] = k == 3 ? s.count : test_int(&rng, 0, s.count);
            if (cut[k] < first) cut[k] = first; /* an empty one */
            ends[k] = (size_t)cut[k];
            on = reference(&rng, p, s.v + first, cut[k] - first, &winding) || on;
            first = cut[k];
        }
        note_shape(&s, p);
        want = on ? 0 : winding % 2 ? 1 : -1;
        ++seen[want + 1];
        CHECK_INT(ASK("exact", cd_locate_point_rings2(p, s.v, ends, 4, CD_FILL_EVEN_ODD)), want);
        CHECK_INT(ASK("exact", cd_locate_point_rings2(p, s.v, ends, 4, CD_FILL_NON_ZERO)), on        ? 0
                                                                                           : winding ? 1
                                                                                                     : -1);
        if (on) continue;
        CHECK_INT(ASK("exact", cd_test_point_rings2_half_open(p, s.v, ends, 4, CD_FILL_EVEN_ODD)), want > 0);
        CHECK_INT(ASK("exact", cd_test_point_rings2_half_open(p, s.v, ends, 4, CD_FILL_NON_ZERO)),
                  winding != 0);
    }
    CHECK_SEEN(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

static void by_hand(void) {
    static const cd_vec2 square[4] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}};
    static const cd_vec2 both[8] = {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {1, 1}, {3, 1}, {3, 3}, {1, 3}};
    static const cd_vec2 star[5] = {{0, 5}, {3, -4}, {-5, 2}, {5, 2}, {-3, -4}};
    static const size_t ends[2] = {4, 8}, back[3] = {8, 4, 8};
    const cd_vec2 middle = {2, 2}, ring = {(cd_real)0.5, 2}, corner = {4, 4}, low = {2, 0}, left = {0, 2},
                  origin = {0, 0};
    cd_vec2 bad[4];
    int8_t out[2] = {7, 7};
    int winding = 0;
    CHECK_INT(cd_locate_point_polygon2(middle, square, 4), 1);
    CHECK_INT(cd_locate_point_polygon2(corner, square, 4), 0);
    CHECK(cd_test_point_polygon2_half_open(low, square, 4) &&
          cd_test_point_polygon2_half_open(left, square, 4));
    CHECK(cd_test_point_polygon2_half_open(origin, square, 4) &&
          !cd_test_point_polygon2_half_open(corner, square, 4));
    CHECK_INT(cd_locate_point_rings2(middle, both, ends, 2, CD_FILL_EVEN_ODD), -1);
    CHECK_INT(cd_locate_point_rings2(middle, both, ends, 2, CD_FILL_NON_ZERO), 1);
    CHECK_INT(cd_locate_point_rings2(ring, both, ends, 2, CD_FILL_EVEN_ODD), 1);
    CHECK_INT(cd_locate_point_rings2(ring, both, back, 0, CD_FILL_EVEN_ODD), -1);
    CHECK_INT(cd_locate_point_rings2(middle, both, back, 3, CD_FILL_NON_ZERO), 1); /* again from 4 to 8 */
    CHECK(cd_winding_point_polygon2(origin, star, 5, &winding));
    CHECK_INT(winding, -2);
    CHECK(cd_winding_point_polygon2(origin, star, 5, NULL));
    CHECK_INT(cd_locate_point_polygon2(origin, star, 5), -1);
    CHECK_INT(cd_locate_point_polygon2(origin, NULL, 0), -1);
    CHECK_INT(cd_locate_point_convex2(origin, NULL, 0), -1);
    CHECK_INT(cd_locate_point_polygon2(origin, square, 1), 0);
    CHECK_INT(cd_locate_point_convex2(origin, square, 1), 0);
    CHECK_INT(cd_locate_point_convex2(middle, square, 1), -1);
    CHECK_INT(cd_locate_point_polygon2(low, square, 2), 0);
    CHECK_INT(cd_locate_point_convex2(low, square, 2), 0);
    for (int i = 0; i < 4; ++i) { /* bad corners that no ray comes by, and bad points */
        memcpy(bad, square, sizeof bad);
        REALS(bad)[2 * i + i % 2] = (cd_real)(i < 2 ? NAN : INFINITY);
        CHECK_INT(cd_locate_point_polygon2(low, bad, 4), -1);
        CHECK_INT(cd_locate_point_rings2(low, bad, ends, 1, CD_FILL_NON_ZERO), -1);
        CHECK(!cd_test_point_polygon2_half_open(low, bad, 4) &&
              !cd_winding_point_polygon2(low, bad, 4, NULL));
        CHECK_INT(cd_locate_point_triangle2(low, bad[i], square[1], square[2]), -1);
        out[0] = 7;
        cd_locate_points_polygon2(&low, 1, bad, 4, out);
        CHECK_INT(out[0], -1);
        bad[i].x = (cd_real)(i < 2 ? NAN : -INFINITY);
        CHECK_INT(cd_locate_point_polygon2(bad[i], square, 4), -1);
        CHECK_INT(cd_locate_point_convex2(bad[i], square, 4), -1);
        CHECK_INT(cd_locate_point_rings2(bad[i], both, ends, 2, CD_FILL_NON_ZERO), -1);
        cd_locate_points_polygon2(&bad[i], 1, square, 4, out);
        CHECK_INT(out[0], -1);
    }
    CHECK_INT(out[1], 7);
}

/* ---- tilings ---- */

/* Chains of triangles: a polygon is the sum of its corners' triangles with any point, wherever that is. */
static void triangles_add_up(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        shape s = any_shape(&g, 10);
        cd_vec2 p = point_near(&g, &s), apex = test_int(&rng, 0, 1) ? point_near(&g, &s) : p;
        int sum = 0;
        for (int k = 0; k < s.count; ++k) {
            cd_vec2 t[3];
            t[0] = apex;
            t[1] = s.v[k];
            t[2] = s.v[(k + 1) % s.count];
            sum += cd_test_point_polygon2_half_open(p, t, 3);
        }
        note_shape(&s, p);
        CHECK_INT(cd_test_point_polygon2_half_open(p, s.v, (size_t)s.count), sum % 2);
    }
}

enum { CELLS = 5 };

/* A lattice of corners, all but the outermost moved by whole numbers, sheared and scaled. */
static void make_lattice(test_rng *rng, cd_vec2 v[CELLS + 1][CELLS + 1]) {
    int jitter = test_int(rng, 0, 3), shear = test_int(rng, -1, 1);
    double scale = ldexp(1.0, test_int(rng, -20, 20));
    for (int i = 0; i <= CELLS; ++i) {
        for (int j = 0; j <= CELLS; ++j) {
            bool inner = i > 0 && j > 0 && i < CELLS && j < CELLS;
            int x = 8 * i + (inner ? test_int(rng, -jitter, jitter) / 2 : 0);
            int y = 8 * j + (inner ? test_int(rng, -jitter, jitter) / 2 : 0);
            v[i][j] =
                cd_vec2_make((cd_real)(scale * (x + shear * y)), (cd_real)(scale * (y - shear * 2 * x)));
        }
    }
}

/* The cell's four corners, from a random one on, either way around. */
static void cell_corners(test_rng *rng, cd_vec2 v[CELLS + 1][CELLS + 1], int i, int j, cd_vec2 out[4]) {
    int first = test_int(rng, 0, 3), way = test_int(rng, 0, 1) ? 1 : 3;
    for (int k = 0; k < 4; ++k) {
        int at = (first + way * k) % 4;
        out[k] = v[i + (at == 1 || at == 2)][j + (at >= 2)];
    }
}

/* In how many cells is p? Cells are quadrilaterals, or two triangles. */
static int cells_with(test_rng *rng, cd_vec2 v[CELLS + 1][CELLS + 1], cd_vec2 p, bool split) {
    int sum = 0;
    for (int i = 0; i < CELLS; ++i) {
        for (int j = 0; j < CELLS; ++j) {
            cd_vec2 c[4], t[3];
            cell_corners(rng, v, i, j, c);
            t[0] = c[0], t[1] = c[2], t[2] = c[3];
            if (split)
                sum += cd_test_point_polygon2_half_open(p, c, 3) + cd_test_point_polygon2_half_open(p, t, 3);
            else
                sum += cd_test_point_polygon2_half_open(p, c, 4);
        }
    }
    return sum;
}

static void every_point_in_one_cell(void) {
    test_rng rng = test_random();
    int inside = 0;
    for (long i = test_times(600); i > 0; --i) {
        cd_vec2 v[CELLS + 1][CELLS + 1], outline[4];
        make_lattice(&rng, v);
        outline[0] = v[0][0], outline[1] = v[CELLS][0], outline[2] = v[CELLS][CELLS],
        outline[3] = v[0][CELLS];
        for (int k = 0; k < 12; ++k) {
            cd_vec2 a = v[test_int(&rng, 0, CELLS)][test_int(&rng, 0, CELLS)];
            cd_vec2 b = v[test_int(&rng, 0, CELLS)][test_int(&rng, 0, CELLS)];
            cd_vec2 p = k % 3 == 0 ? a : k % 3 == 1 ? mix(a, b, 0.5) : cd_vec2_make(a.x, b.y);
            bool in = cd_test_point_polygon2_half_open(p, outline, 4);
            inside += in;
            test_note("");
            test_note_reals("p", REALS(p), 2);
            test_note_reals("v", &v[0][0].x, 2 * (CELLS + 1) * (CELLS + 1));
            CHECK_INT(cells_with(&rng, v, p, false), in);
            CHECK_INT(cells_with(&rng, v, p, true), in);
        }
    }
    CHECK_SEEN(inside > 0);
}

/* Polygons around a common corner, of some neighbouring spokes each: the corner is in one of them. */
static void pieces_of_a_pie(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        cd_vec2 rim[16], c = cd_vec2_make((cd_real)test_int(&rng, -3, 3), (cd_real)test_int(&rng, -3, 3));
        int count = test_int(&rng, 3, 16), sum[17];
        memset(sum, 0, sizeof sum);
        for (int k = 0; k < count; ++k) {
            double angle = 6.283185307179586 * (k + test_unit(&rng)) / (count + 1);
            double radius = test_range(&rng, 10, 20);
            rim[k] = cd_vec2_make(c.x + (cd_real)floor(radius * cos(angle)),
                                  c.y + (cd_real)floor(radius * sin(angle)));
        }
        for (int k = 0; k < count;) {
            int end = k + test_int(&rng, 1, 3), n = 0;
            cd_vec2 piece[6];
            if (end > count) end = count;
            piece[n++] = c;
            for (; k < end; ++k) piece[n++] = rim[k];
            piece[n++] = rim[end % count];
            for (int q = 0; q <= count; ++q)
                sum[q] += cd_test_point_polygon2_half_open(q < count ? rim[q] : c, piece, (size_t)n);
        }
        test_note("");
        test_note_reals("rim", REALS(rim), 2 * count);
        for (int q = 0; q <= count; ++q)
            CHECK_INT(sum[q] % 2,
                      cd_test_point_polygon2_half_open(q < count ? rim[q] : c, rim, (size_t)count));
    }
}

/* ---- convex ones ---- */

static int by_angle(const void *a, const void *b) {
    const cd_vec2 *u = (const cd_vec2 *)a, *v = (const cd_vec2 *)b;
    double x = atan2((double)u->y, (double)u->x), y = atan2((double)v->y, (double)v->x);
    return (x > y) - (x < y);
}

/* Edges of whole numbers that add up to nothing, in the order of their directions; begun anywhere, corners repeated. */
static shape convex_shape(test_rng *rng) {
    cd_vec2 edge[14], at = cd_vec2_make((cd_real)test_int(rng, -9, 9), (cd_real)test_int(rng, -9, 9)),
                      sum = {0, 0};
    int n = test_int(rng, 1, 13), size = test_int(rng, 1, 4), first;
    shape s;
    for (int i = 0; i < n; ++i) {
        edge[i] = cd_vec2_make((cd_real)test_int(rng, -size, size), (cd_real)test_int(rng, -size, size));
        if (i > 0 && test_int(rng, 0, 3) == 0) edge[i] = edge[i - 1];
        if (test_int(rng, 0, 30) == 0) edge[i].y = 0;
        sum = cd_vec2_add(sum, edge[i]);
    }
    edge[n++] = cd_vec2_neg(sum);
    for (int i = 0; i < n; ++i) { /* -0 has another angle */
        edge[i].x += 0;
        edge[i].y += 0;
        if (edge[i].y == 0) edge[i].y = 0;
        if (edge[i].x == 0) edge[i].x = 0;
    }
    qsort(edge, (size_t)n, sizeof *edge, by_angle);
    first = test_int(rng, 0, n - 1);
    s.count = 0;
    for (int i = 0; i < n; ++i) {
        do {
            s.v[s.count++] = at;
        } while (s.count < MOST - n && test_int(rng, 0, 4) == 0);
        at = cd_vec2_add(at, edge[(first + i) % n]);
    }
    return s;
}

static void check_convex(const shape *s, cd_vec2 p, int seen[3]) {
    int want = ASK("exact", cd_locate_point_polygon2(p, s->v, (size_t)s->count));
    ++seen[want + 1];
    note_shape(s, p);
    CHECK_INT(ASK("exact", cd_locate_point_convex2(p, s->v, (size_t)s->count)), want);
    CHECK_INT(ASK("exact", cd_test_point_convex2(p, s->v, (size_t)s->count)), want >= 0);
}

static void convex_polygons(void) {
    test_rng rng = test_random();
    int seen[3] = {0, 0, 0};
    for (long i = test_times(30000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_GRID);
        shape s = convex_shape(&rng);
        cd_vec2 p = point_near(&g, &s);
        check_convex(&s, p, seen);
        p = cd_vec2_make((cd_real)test_int(&rng, -20, 20), (cd_real)test_int(&rng, -20, 20));
        check_convex(&s, p, seen);
        p = mix(s.v[test_int(&rng, 0, s.count - 1)], s.v[test_int(&rng, 0, s.count - 1)],
                test_int(&rng, -1, 2));
        check_convex(&s, p, seen);
    }
    CHECK_SEEN(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

/* Hulls of points of all kinds, points beside their edges. */
static void convex_hulls(void) {
    test_rng rng = test_random();
    int seen[3] = {0, 0, 0};
    for (long i = test_times(6000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        shape s, hull;
        uint32_t index[MOST];
        size_t corners = 0;
        s.count = test_int(&rng, 1, 30);
        for (int k = 0; k < s.count; ++k) s.v[k] = point_of(&g);
        if (cd_hull2_andrew(s.v, (size_t)s.count, index, &corners) != CD_OK) continue;
        hull.count = (int)corners;
        for (int k = 0; k < hull.count; ++k) hull.v[k] = s.v[index[k]];
        for (int k = 0; k < 4; ++k) check_convex(&hull, point_near(&g, &hull), seen);
    }
    CHECK_SEEN(seen[0] > 0 && seen[1] > 0 && seen[2] > 0);
}

/* Not convex, and not numbers: any answer, but an answer. */
static void not_convex_at_all(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        shape s;
        int got;
        s.count = test_int(&rng, 1, 9);
        for (int k = 0; k < 2 * s.count; ++k) REALS(s.v)
        [k] = test_int(&rng, 0, 2) ? (cd_real)test_int(&rng, -2, 2)
                                   : (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
        got = cd_locate_point_convex2(
            cd_vec2_make((cd_real)test_int(&rng, -2, 2), (cd_real)test_int(&rng, -2, 2)), s.v,
            (size_t)s.count);
        CHECK(got >= -1 && got <= 1);
    }
}

/* ---- many at once ---- */

static void batches_agree(void) {
    test_rng rng = test_random();
    for (long i = test_times(300); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        shape s = any_shape(&g, 30);
        cd_vec2 p[50];
        int8_t out[51];
        for (int k = 0; k < 50; ++k) p[k] = point_near(&g, &s);
        p[7].x = (cd_real)NAN;
        out[50] = 55;
        ASK("loop", cd_locate_points_polygon2(p, 50, s.v, (size_t)s.count, out));
        for (int k = 0; k < 50; ++k)
            CHECK_INT(out[k], ASK("loop", cd_locate_point_polygon2(p[k], s.v, (size_t)s.count)));
        CHECK_INT(out[50], 55);
    }
}

void suite_point_polygon(void) {
    RUN(any_polygon);
    RUN(any_numbers);
    RUN(rings);
    RUN(by_hand);
    RUN(triangles_add_up);
    RUN(every_point_in_one_cell);
    RUN(pieces_of_a_pie);
    RUN(convex_polygons);
    RUN(convex_hulls);
    RUN(not_convex_at_all);
    RUN(batches_agree);
}
