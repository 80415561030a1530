/* Minkowski sums of polygons against the hull of all sums of their corners, in exact numbers; the place of the origin also
 * against a plain test of whether two polygons meet. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

enum { CORNERS = 16, PAIRS = CORNERS * CORNERS };

typedef cd_status (*minkowski_function)(const cd_vec2 *a, size_t a_count, const cd_vec2 *b, size_t b_count,
                                        cd_minkowski_corner2 *corners, size_t capacity, size_t *count);

typedef struct polygon {
    cd_vec2 v[CORNERS];
    size_t count;
} polygon;

static bool same(cd_vec2 a, cd_vec2 b) {
    return a.x == b.x && a.y == b.y;
}

static int turn_of(cd_vec2 a, cd_vec2 b, cd_vec2 c) {
    double d[6];
    to_doubles(&a.x, d, 2);
    to_doubles(&b.x, d + 2, 2);
    to_doubles(&c.x, d + 4, 2);
    return oracle_orient2d(d, d + 2, d + 4);
}

/* ---- hulls of exact points, by gift wrapping ---- */

typedef struct exact2 {
    exact x, y;
} exact2;

static exact2 exact2_from(cd_vec2 v) {
    exact2 e;
    e.x = exact_from((double)v.x);
    e.y = exact_from((double)v.y);
    return e;
}

/* a + sign b */
static exact2 exact2_add(exact2 a, exact2 b, int sign) {
    exact2 e;
    e.x = sign > 0 ? exact_add(a.x, b.x) : exact_sub(a.x, b.x);
    e.y = sign > 0 ? exact_add(a.y, b.y) : exact_sub(a.y, b.y);
    return e;
}

static int exact2_order(exact2 a, exact2 b) {
    int x = exact_compare(a.x, b.x);
    return x ? x : exact_compare(a.y, b.y);
}

static int exact2_turn(exact2 a, exact2 b, exact2 c) {
    exact_pool pool = exact_begin();
    exact2 u = exact2_add(b, a, -1), v = exact2_add(c, a, -1);
    int sign = exact_compare(exact_mul(u.x, v.y), exact_mul(u.y, v.x));
    exact_end(pool);
    return sign;
}

static int exact2_next(const exact2 *v, int count, int p) {
    int next = p;
    for (int i = 0; i < count; ++i) {
        int turn;
        if (exact2_order(v[i], v[p]) == 0) continue;
        turn = next == p ? -1 : exact2_turn(v[p], v[next], v[i]);
        if (turn == 0 && exact2_order(v[p], v[next]) == exact2_order(v[next], v[i])) turn = -1;
        if (turn < 0) next = i;
    }
    return next;
}

static int exact2_hull(const exact2 *v, int count, int *hull) {
    int first = 0, p, n = 0;
    for (int i = 1; i < count; ++i) {
        if (exact2_order(v[i], v[first]) < 0) first = i;
    }
    p = first;
    do {
        hull[n++] = p;
        p = exact2_next(v, count, p);
    } while (p != first && n < count);
    return n;
}

/* Where o is, of a hull. */
static int exact2_locate(const exact2 *v, const int *hull, int n, exact2 o) {
    int least = 1;
    if (n == 1) return exact2_order(v[hull[0]], o) == 0 ? 0 : -1;
    for (int i = 0; i < n; ++i) {
        int turn = exact2_turn(v[hull[i]], v[hull[(i + 1) % n]], o);
        if (turn < least) least = turn;
    }
    if (n > 2 || least < 0) return least;
    return exact2_order(v[hull[0]], o) <= 0 && exact2_order(o, v[hull[1]]) <= 0 ? 0 : -1;
}

/* ---- do two polygons meet? ---- */

/* p is in line with the segment: on it? */
static bool between(cd_vec2 a, cd_vec2 b, cd_vec2 p) {
    return p.x >= fmin(a.x, b.x) && p.x <= fmax(a.x, b.x) && p.y >= fmin(a.y, b.y) && p.y <= fmax(a.y, b.y);
}

static bool on_segment(cd_vec2 a, cd_vec2 b, cd_vec2 p) {
    return turn_of(a, b, p) == 0 && between(a, b, p);
}

static bool segments_meet(cd_vec2 a, cd_vec2 b, cd_vec2 c, cd_vec2 d) {
    if (on_segment(a, b, c) || on_segment(a, b, d) || on_segment(c, d, a) || on_segment(c, d, b)) return true;
    return turn_of(a, b, c) * turn_of(a, b, d) < 0 && turn_of(c, d, a) * turn_of(c, d, b) < 0;
}

static bool is_inside(const polygon *a, cd_vec2 p) {
    bool area = false;
    for (size_t i = 0; i < a->count; ++i) {
        int turn = turn_of(a->v[i], a->v[(i + 1) % a->count], p);
        if (turn < 0) return false;
        area |= turn > 0;
    }
    return area;
}

static bool polygons_meet(const polygon *a, const polygon *b) {
    for (size_t i = 0; i < a->count; ++i) {
        for (size_t j = 0; j < b->count; ++j) {
            if (segments_meet(a->v[i], a->v[(i + 1) % a->count], b->v[j], b->v[(j + 1) % b->count]))
                return true;
        }
    }
    return is_inside(a, b->v[0]) || is_inside(b, a->v[0]);
}

/* ---- the check ---- */

static uint32_t smallest_index(const polygon *a, cd_vec2 p) {
    uint32_t i = 0;
    while (!same(a->v[i], p)) ++i;
    return i;
}

static double nearest_real(exact x) {
    double d = exact_to_double(x), most = (double)CD_REAL_MAX;
    return (double)(cd_real)fmin(fmax(d, -most), most);
}

static void note_polygons(const polygon *a, const polygon *b) {
    test_note("");
    test_note_reals("a", (const cd_real *)a->v, 2 * (int)a->count);
    test_note_reals("b", (const cd_real *)b->v, 2 * (int)b->count);
}

/* How many corners the sum (sign 1) or difference (-1) has. */
static int check_corners(const polygon *a, const polygon *b, int sign) {
    minkowski_function f = sign > 0 ? cd_minkowski_sum2 : cd_minkowski_difference2;
    exact_pool pool = exact_begin();
    exact2 all[PAIRS];
    int hull[PAIRS], n = 0;
    size_t count = 99, room = a->count + b->count;
    cd_minkowski_corner2 c[2 * CORNERS + 1];
    for (size_t i = 0; i < a->count; ++i) {
        for (size_t j = 0; j < b->count; ++j) {
            all[n++] = exact2_add(exact2_from(a->v[i]), exact2_from(b->v[j]), sign);
        }
    }
    n = exact2_hull(all, n, hull);
    memset(c, 0xEE, sizeof c);
    test_asked("exact", sign > 0 ? "cd_minkowski_sum2" : "cd_minkowski_difference2");
    CHECK_INT(f(a->v, a->count, b->v, b->count, c, room, &count), CD_OK);
    CHECK_INT(c[room].a, 0xEEEEEEEEu);
    if (CHECK_INT(count, n)) {
        for (int i = 0; i < n; ++i) {
            exact2 want = all[hull[i]], got;
            if (!CHECK(c[i].a < a->count && c[i].b < b->count)) break;
            got = exact2_add(exact2_from(a->v[c[i].a]), exact2_from(b->v[c[i].b]), sign);
            CHECK_INT(exact2_order(want, got), 0);
            CHECK_SAME(c[i].position.x, nearest_real(want.x));
            CHECK_SAME(c[i].position.y, nearest_real(want.y));
            CHECK_INT(c[i].a, smallest_index(a, a->v[c[i].a]));
            CHECK_INT(c[i].b, smallest_index(b, b->v[c[i].b]));
        }
    }
    if (sign < 0) {
        int want = exact2_locate(all, hull, n, exact2_from(cd_vec2_make(0, 0)));
        CHECK_INT(cd_minkowski_locate_origin2(a->v, a->count, b->v, b->count), want);
        CHECK_INT(cd_minkowski_locate_origin2(b->v, b->count, a->v, a->count), want);
        CHECK_INT(want >= 0, polygons_meet(a, b));
    }
    exact_end(pool);
    return n;
}

static int check_pair(const polygon *a, const polygon *b) {
    int n;
    note_polygons(a, b);
    n = check_corners(a, b, 1);
    CHECK_INT(check_corners(b, a, 1), n);
    check_corners(a, b, -1);
    check_corners(b, a, -1);
    return ASK("exact", cd_minkowski_locate_origin2(a->v, a->count, b->v, b->count));
}

/* ---- polygons ---- */

static polygon hull_of(const cd_vec2 *v, int count) {
    exact_pool pool = exact_begin();
    exact2 e[CORNERS];
    int hull[CORNERS];
    polygon p;
    for (int i = 0; i < count; ++i) e[i] = exact2_from(v[i]);
    p.count = (size_t)exact2_hull(e, count, hull);
    for (size_t i = 0; i < p.count; ++i) p.v[i] = v[hull[i]];
    exact_end(pool);
    return p;
}

static void insert_corner(polygon *p, size_t at, cd_vec2 v) {
    if (p->count == CORNERS) return;
    memmove(p->v + at + 1, p->v + at, (p->count - at) * sizeof *p->v);
    p->v[at] = v;
    ++p->count;
}

/* Other ways to say the same: corners repeated, corners in line, another start. */
static void complicate(polygon *p, test_rng *rng) {
    for (int times = test_int(rng, 0, 3); times > 0; --times) {
        size_t at = (size_t)test_int(rng, 0, (int)p->count - 1);
        cd_vec2 a = p->v[at], b = p->v[(at + 1) % p->count], mid;
        mid = cd_vec2_make((a.x + b.x) / 2, (a.y + b.y) / 2);
        insert_corner(p, at + 1, turn_of(a, b, mid) == 0 && between(a, b, mid) ? mid : a);
    }
    for (int turns = test_int(rng, 0, (int)p->count - 1); turns > 0; --turns) {
        cd_vec2 first = p->v[0];
        memmove(p->v, p->v + 1, (p->count - 1) * sizeof *p->v);
        p->v[p->count - 1] = first;
    }
}

static polygon random_polygon(gen *g, int most) {
    cd_vec2 v[CORNERS];
    polygon p;
    int n = test_int(g->rng, 1, most);
    for (int i = 0; i < n; ++i) {
        cd_vec3 w = gen_point(g);
        v[i] = cd_vec2_make(w.x, w.y);
    }
    p = hull_of(v, n);
    if (test_int(g->rng, 0, 1)) complicate(&p, g->rng);
    return p;
}

/* Moved so that a corner of it is where a corner or a point of an edge of the other one is, or nearly. */
static void move_to_touch(polygon *p, const polygon *q, test_rng *rng) {
    size_t j = (size_t)test_int(rng, 0, (int)q->count - 1);
    cd_vec2 a = q->v[j], b = q->v[(j + 1) % q->count], to = test_int(rng, 0, 1) ? a : b;
    cd_vec2 v[CORNERS], from = p->v[test_int(rng, 0, (int)p->count - 1)];
    if (test_int(rng, 0, 1)) to = cd_vec2_make((a.x + b.x) / 2, (a.y + b.y) / 2);
    for (size_t i = 0; i < p->count; ++i) v[i] = cd_vec2_add(cd_vec2_sub(p->v[i], from), to);
    *p = hull_of(v, (int)p->count);
}

/* ---- cases ---- */

static void random_pairs(void) {
    test_rng rng = test_random();
    long seen[3] = {0, 0, 0};
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        polygon a = random_polygon(&g, test_int(&rng, 0, 1) ? 3 : 9), b = random_polygon(&g, 7);
        if (test_int(&rng, 0, 1)) move_to_touch(&b, &a, &rng);
        ++seen[1 + check_pair(&a, &b)];
    }
    CHECK_SEEN(seen[0] && seen[1] && seen[2]);
}

/* With itself, and with an image of itself: all edges parallel, or nearly. */
static void parallel_edges(void) {
    test_rng rng = test_random();
    for (long i = test_times(1500); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        polygon a = random_polygon(&g, 7), b = a;
        cd_real factor = (cd_real)(test_int(&rng, 0, 1) ? 2.0 : test_range(&rng, -2, 2));
        check_pair(&a, &b);
        for (size_t k = 0; k < b.count; ++k) b.v[k] = cd_vec2_scale(b.v[k], factor);
        b = hull_of(b.v, (int)b.count);
        complicate(&b, &rng);
        check_pair(&a, &b);
    }
}

/* Segments and points of a small grid, all of them. */
static void degenerate_pairs(void) {
    for (int k = 0; k < 6561; k += test_times(100) < 100 ? 3 : 1) {
        polygon a, b;
        int n = k;
        for (int c = 0; c < 4; ++c, n /= 3) REALS(a.v)[c] = (cd_real)(n % 3);
        for (int c = 0; c < 4; ++c, n /= 3) REALS(b.v)[c] = (cd_real)(n % 3);
        a.count = b.count = 2;
        check_pair(&a, &b);
        if (k % 81) continue;
        b.count = 1;
        check_pair(&a, &b);
    }
}

static void any_finite_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        polygon p[2];
        for (int k = 0; k < 2; ++k) {
            int n = test_int(&rng, 1, 5);
            for (int j = 0; j < 2 * n; ++j) {
                cd_real *x = &REALS(p[k].v)[j];
                do {
                    *x = test_int(&rng, 0, 1) ? (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)]
                                              : gen_any_real(&rng);
                } while (!isfinite((double)*x));
            }
            p[k] = hull_of(p[k].v, n);
        }
        check_pair(&p[0], &p[1]);
    }
}

/* By all triples: none turns right, and some left, or all are in line. */
static bool is_acceptable(const polygon *p) {
    bool left = false, right = false;
    for (size_t i = 0; i < p->count; ++i) {
        for (size_t j = i + 1; j < p->count; ++j) {
            for (size_t k = j + 1; k < p->count; ++k) {
                int turn = turn_of(p->v[i], p->v[j], p->v[k]);
                left |= turn > 0;
                right |= turn < 0;
            }
        }
    }
    return !right || (!left && !right);
}

static void not_convex(void) {
    static const cd_vec2 one = {3, 4};
    test_rng rng = test_random();
    long seen[2] = {0, 0};
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 3) ? GEN_GRID : GEN_ULP);
        polygon p;
        size_t count;
        bool good;
        cd_status want;
        p.count = (size_t)test_int(&rng, 1, 6);
        for (size_t k = 0; k < p.count; ++k) {
            cd_vec3 v = gen_point(&g);
            p.v[k] = cd_vec2_make(v.x, v.y);
        }
        good = is_acceptable(&p);
        want = good ? CD_OK : CD_INVALID_ARGUMENT;
        ++seen[good];
        note_polygons(&p, &p);
        CHECK_INT(ASK("bad", cd_minkowski_sum2(p.v, p.count, &one, 1, NULL, 0, &count)), want);
        CHECK_INT(ASK("bad", cd_minkowski_difference2(&one, 1, p.v, p.count, NULL, 0, &count)), want);
        CHECK_INT(count > 0, good);
        if (!good) CHECK_INT(cd_minkowski_locate_origin2(&one, 1, p.v, p.count), -1);
    }
    CHECK_SEEN(seen[0] && seen[1]);
}

/* Directions that doubles take for one: (1 - e, 1) and (1, 1 + e). */
static void hardly_parallel(void) {
    polygon a, b;
    cd_real e = (cd_real)ldexp(1.0, -40);
    a.count = b.count = 2;
    a.v[0] = cd_vec2_make(e, 0);
    b.v[0] = cd_vec2_make(0, -e);
    a.v[1] = b.v[1] = cd_vec2_make(1, 1);
    check_pair(&a, &b);
    CHECK_INT(check_corners(&a, &b, 1), 4);
}

static void by_hand(void) {
    static const cd_vec2 square[4] = {{0, 0}, {2, 0}, {2, 2}, {0, 2}}, triangle[3] = {{0, 0}, {1, 0}, {0, 1}};
    static const cd_vec2 want[5] = {{0, 0}, {3, 0}, {3, 2}, {2, 3}, {0, 3}};
    static const double bad[2] = {NAN, INFINITY};
    cd_minkowski_corner2 c[7];
    cd_vec2 v[3] = {{0, 0}, {1, 0}, {0, 1}};
    size_t count;
    CHECK_INT(ASK("exact", cd_minkowski_sum2(square, 4, triangle, 3, c, 7, &count)), CD_OK);
    CHECK_INT(count, 5);
    for (int i = 0; i < 5; ++i) CHECK(same(c[i].position, want[i]));
    memset(c, 0, sizeof c);
    CHECK_INT(ASK("exact", cd_minkowski_sum2(square, 4, triangle, 3, c, 2, &count)), CD_OK);
    CHECK(count == 5 && same(c[1].position, want[1]) && same(c[2].position, want[0]));
    CHECK_INT(ASK("exact", cd_minkowski_sum2(square, 4, NULL, 0, NULL, 0, &count)), CD_OK);
    CHECK_INT(count, 0);
    CHECK_INT(ASK("exact", cd_minkowski_sum2(NULL, 0, NULL, 0, NULL, 0, &count)), CD_OK);
    CHECK_INT(cd_minkowski_locate_origin2(square, 4, NULL, 0), -1);
    CHECK_INT(cd_minkowski_locate_origin2(square, 4, triangle, 3), 1);
    CHECK_INT(cd_minkowski_locate_origin2(square, 4, square + 2, 1), 0);
    CHECK_INT(ASK("exact", cd_minkowski_sum2(square, 0xFFFFFFFFu, triangle, 3, c, 2, &count)), CD_TOO_LARGE);
    CHECK_INT(ASK("exact", cd_minkowski_difference2(square, 4, triangle, 0xFFFFFFFFu, c, 2, &count)),
              CD_TOO_LARGE);
    CHECK_INT(count, 0);
    for (int k = 0; k < 12; ++k) {
        REALS(v)[k % 6] = (cd_real)bad[k / 6];
        CHECK_INT(ASK("exact", cd_minkowski_sum2(square, 4, v, 3, c, 7, &count)), CD_INVALID_ARGUMENT);
        CHECK_INT(ASK("exact", cd_minkowski_difference2(v, 3, NULL, 0, c, 7, &count)), CD_INVALID_ARGUMENT);
        CHECK_INT(cd_minkowski_locate_origin2(v, 3, square, 4), -1);
        CHECK_INT(count, 0);
        memcpy(v, triangle, sizeof v);
    }
}

void suite_minkowski2(void) {
    RUN(by_hand);
    RUN(hardly_parallel);
    RUN(random_pairs);
    RUN(parallel_edges);
    RUN(degenerate_pairs);
    RUN(any_finite_numbers);
    RUN(not_convex);
}
