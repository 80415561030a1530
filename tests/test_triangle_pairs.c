/* One triangle against many, and what two have in common. */
#include "gen.h"
#include "oracle.h"
#include <math.h>

enum { MANY = 40 };

/* Triangles that have something to do with the first one, degenerate ones and broken numbers among them. */
static void scene(gen *g, cd_triangle *one, cd_triangle *many, size_t count) {
    int bad = test_int(g->rng, 0, 9);
    *one = gen_triangle(g);
    if (!test_int(g->rng, 0, 9)) one->c = one->b;
    for (size_t i = 0; i < count; ++i) {
        many[i] = test_int(g->rng, 0, 1) ? gen_triangle_near(g, one) : gen_triangle(g);
        if (!test_int(g->rng, 0, 9)) many[i].b = many[i].a;
        if (bad || test_int(g->rng, 0, 3)) continue;
        REALS(many[i])
        [test_int(g->rng, 0, 8)] = (cd_real)gen_bad_numbers[test_int(g->rng, 0, gen_bad_count - 1)];
    }
    if (!bad && !test_int(g->rng, 0, 3)) REALS(*one)
    [test_int(g->rng, 0, 8)] = (cd_real)gen_bad_numbers[test_int(g->rng, 0, gen_bad_count - 1)];
}

/* The hits are those of the calls for two, in order, whatever the capacity; nothing behind it is written. */
static void check_batch(const cd_triangle *one, const cd_triangle *many, size_t count, size_t capacity) {
    uint32_t hits[MANY + 1];
    size_t found = 0, got;
    for (int i = 0; i <= MANY; ++i) hits[i] = 12345;
    got = ASK("loop", cd_test_triangle_triangles(one, many, count, hits, capacity));
    for (size_t i = 0; i < count; ++i) {
        test_note("");
        test_note_reals("one", REALS(*one), 9);
        test_note_reals("other", REALS(many[i]), 9);
        if (!cd_test_triangle_triangle(one, &many[i])) {
            CHECK(found >= capacity || hits[found] != i);
            continue;
        }
        if (found < capacity) CHECK_INT(hits[found], i);
        ++found;
    }
    CHECK_INT(got, found);
    for (size_t i = found < capacity ? found : capacity; i <= MANY; ++i) CHECK_INT(hits[i], 12345);
}

static void many_as_the_call_for_two(void) {
    test_rng rng = test_random();

    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        size_t count = (size_t)test_int(&rng, 1, MANY);
        cd_triangle one, many[MANY];
        scene(&g, &one, many, count);
        check_batch(&one, many, count, (size_t)test_int(&rng, 0, MANY));
    }
}

/* Whole numbers, where touching abounds, at every scale, and beside a triangle that is far off. */
static void many_on_grids(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        int size = test_int(&rng, 1, 40);
        cd_real scale = (cd_real)ldexp(1.0, test_int(&rng, -50, 40)),
                far_off = test_int(&rng, 0, 3) ? 0 : 65536;
        cd_triangle one, many[MANY];
        for (int k = 0; k < 9; ++k) REALS(one)[k] = (cd_real)test_int(&rng, -size, size) * scale;
        for (int k = 0; k < 9 * MANY; ++k) REALS(many[0])[k] = (cd_real)test_int(&rng, -size, size) * scale;
        many[test_int(&rng, 0, MANY - 1)].a.x += far_off * scale;
        check_batch(&one, many, (size_t)test_int(&rng, 1, MANY), MANY);
    }
}

/* ---- brute force: edges against edges, corners and edges against faces ---- */

static void edge_of(const double t[9], int i, double out[6]) {
    for (int k = 0; k < 3; ++k) {
        out[k] = t[3 * i + k];
        out[3 + k] = t[3 * ((i + 1) % 3) + k];
    }
}

/* Through the inside of t, from one side to the other. */
static bool edge_pierces(const double e[6], const double t[9]) {
    int from = oracle_orient3d(t, t + 3, t + 6, e), to = oracle_orient3d(t, t + 3, t + 6, e + 3), side[3];
    for (int i = 0; i < 3; ++i) side[i] = oracle_orient3d(e, e + 3, t + 3 * i, t + 3 * ((i + 1) % 3));
    return from * to < 0 && side[0] == side[1] && side[1] == side[2] && side[0] != 0;
}

static bool one_way(const double t[9], const double u[9]) {
    double e[6], f[6];
    for (int i = 0; i < 3; ++i) {
        edge_of(t, i, e);
        if (oracle_point_triangle(e, u).squared <= 0.0 || edge_pierces(e, u)) return true;
        for (int j = 0; j < 3; ++j) {
            edge_of(u, j, f);
            if (oracle_segment_segment(e, f).squared <= 0.0) return true;
        }
    }
    return false;
}

static void brute_force_says_the_same(void) {
    test_rng rng = test_random();
    for (long i = test_times(800); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_triangle a = gen_triangle(&g),
                    b = test_int(&rng, 0, 1) ? gen_triangle_near(&g, &a) : gen_triangle(&g);
        double d[18];
        if (!test_int(&rng, 0, 9)) b.c = b.a;
        to_doubles(REALS(a), d, 9);
        to_doubles(REALS(b), d + 9, 9);
        test_note_reals("a", REALS(a), 9);
        test_note_reals("b", REALS(b), 9);
        CHECK_INT(ASK("exact", cd_test_triangle_triangle(&a, &b)), one_way(d, d + 9) || one_way(d + 9, d));
    }
}

/* ---- the corners of the common set, exactly ---- */

/* A point as num / den. */
typedef struct fraction3 {
    exact3 num;
    exact den;
} fraction3;

typedef struct fraction_set {
    int count;
    fraction3 at[24];
} fraction_set;

static bool same_point(fraction3 a, fraction3 b) {
    return exact3_is_zero(exact3_sub(exact3_scale(a.num, b.den), exact3_scale(b.num, a.den)));
}

static void put(fraction_set *set, fraction3 p) {
    for (int i = 0; i < set->count; ++i) {
        if (same_point(set->at[i], p)) return;
    }
    set->at[set->count++] = p;
}

typedef struct exact_triangle {
    exact3 v[3], n;
} exact_triangle;

static exact_triangle exact_of(const double t[9]) {
    exact_triangle r;
    for (int i = 0; i < 3; ++i) {
        exact3 p = exact3_from(t + 3 * i);
        r.v[i] = p;
    }
    r.n = exact3_cross(exact3_sub(r.v[1], r.v[0]), exact3_sub(r.v[2], r.v[0]));
    return r;
}

/* Where a linear function that is `from` at p and `to` at q is 0. */
static fraction3 zero_between(exact3 p, exact3 q, exact from, exact to) {
    fraction3 r;
    r.den = exact_sub(from, to);
    r.num = exact3_add(exact3_scale(p, r.den), exact3_scale(exact3_sub(q, p), from));
    if (r.den.sign < 0) {
        r.den = exact_negate(r.den);
        r.num = exact3_scale(r.num, exact_from(-1.0));
    }
    return r;
}

/* Is a point of t's plane in t? */
static bool is_in(fraction3 p, const exact_triangle *t) {
    for (int i = 0; i < 3; ++i) {
        exact3 edge = exact3_sub(t->v[(i + 1) % 3], t->v[i]),
               to = exact3_sub(p.num, exact3_scale(t->v[i], p.den));
        if (exact3_triple(t->n, edge, to).sign < 0) return false;
    }
    return true;
}

/* The points of a's edges that are on b's plane alone and in b, and a's corners in b. */
static void put_crossings(fraction_set *set, const exact_triangle *a, const exact_triangle *b) {
    exact h[3];
    for (int i = 0; i < 3; ++i) {
        exact x = exact3_dot(b->n, exact3_sub(a->v[i], b->v[0]));
        h[i] = x;
    }
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3;
        fraction3 p;
        if (h[i].sign * h[j].sign >= 0 && h[i].sign != 0) continue;
        p = zero_between(a->v[i], a->v[j], h[i].sign ? h[i] : exact_from(0.0),
                         h[i].sign ? h[j] : exact_from(-1.0));
        if (is_in(p, b)) put(set, p);
    }
}

/* In one plane: the points where edges cross inside both. */
static void put_edge_crossings(fraction_set *set, const exact_triangle *a, const exact_triangle *b) {
    for (int e = 0; e < 9; ++e) {
        exact3 p = a->v[e / 3], q = a->v[(e / 3 + 1) % 3], r = b->v[e % 3], s = b->v[(e % 3 + 1) % 3];
        exact3 pq = exact3_sub(q, p), rs = exact3_sub(s, r);
        exact from, to;
        from = exact3_triple(b->n, rs, exact3_sub(p, r));
        to = exact3_triple(b->n, rs, exact3_sub(q, r));
        if (from.sign * to.sign >= 0) continue;
        if (exact3_triple(b->n, pq, exact3_sub(r, p)).sign * exact3_triple(b->n, pq, exact3_sub(s, p)).sign >=
            0)
            continue;
        put(set, zero_between(p, q, from, to));
    }
}

/* -1, 0 or 1 along the direction d. */
static int order_along(exact3 d, fraction3 a, fraction3 b) {
    return exact_compare(exact_mul(exact3_dot(d, a.num), b.den), exact_mul(exact3_dot(d, b.num), a.den));
}

/* Of points on a line, the two ends. */
static void keep_ends(fraction_set *set, exact3 d) {
    fraction3 first = set->at[0], last = first;
    for (int i = 1; i < set->count; ++i) {
        if (order_along(d, set->at[i], first) < 0) first = set->at[i];
        if (order_along(d, set->at[i], last) > 0) last = set->at[i];
    }
    set->count = 0;
    put(set, first);
    put(set, last);
}

/* The corners of the common set of two triangles with area, to the nearest doubles. False where there are none. */
static int common_corners(const double t[9], const double u[9], double out[24][3]) {
    exact_pool pool = exact_begin();
    exact_triangle a = exact_of(t), b = exact_of(u);
    exact3 line = exact3_cross(a.n, b.n);
    fraction_set set;
    set.count = 0;
    if (exact3_is_zero(a.n) || exact3_is_zero(b.n)) {
        exact_end(pool);
        return -1;
    }
    put_crossings(&set, &a, &b);
    put_crossings(&set, &b, &a);
    if (!exact3_is_zero(line) && set.count > 1) keep_ends(&set, line);
    if (exact3_is_zero(line) && exact3_dot(a.n, exact3_sub(b.v[0], a.v[0])).sign == 0)
        put_edge_crossings(&set, &a, &b);
    for (int i = 0; i < set.count; ++i) {
        for (int k = 0; k < 3; ++k)
            out[i][k] = ratio_to_double(ratio_make(set.at[i].num.c[k], set.at[i].den));
    }
    exact_end(pool);
    return set.count;
}

static double off_by(cd_vec3 p, const double q[3]) {
    return fmax(fabs((double)p.x - q[0]), fmax(fabs((double)p.y - q[1]), fabs((double)p.z - q[2])));
}

static void check_common(const cd_triangle *a, const cd_triangle *b) {
    double d[18], corner[24][3], margin;
    cd_triangle_cut cut;
    int count, apart = 0;
    to_doubles(REALS(*a), d, 9);
    to_doubles(REALS(*b), d + 9, 9);
    margin = 2 * (double)CD_REAL_EPSILON * largest(d, 18);
    count = common_corners(d, d + 9, corner);
    if (count < 0) return;
    CHECK_INT(ASK("exact", cd_intersect_triangle_triangle(a, b, &cut)), count > 0);
    if (count == 0) return;
    for (int i = 0; i < count; ++i) { /* those nearer than that to another may have become one */
        double nearest = INFINITY;
        bool alone = true;
        for (uint32_t k = 0; k < cut.count; ++k) nearest = fmin(nearest, off_by(cut.points[k], corner[i]));
        CHECK(nearest <= margin);
        for (int j = 0; j < count; ++j) {
            if (j == i) continue;
            alone = alone && fmax(fabs(corner[i][0] - corner[j][0]),
                                  fmax(fabs(corner[i][1] - corner[j][1]),
                                       fabs(corner[i][2] - corner[j][2]))) > 2 * margin;
        }
        apart += alone;
    }
    for (uint32_t k = 0; k < cut.count; ++k) {
        double nearest = INFINITY;
        for (int i = 0; i < count; ++i) nearest = fmin(nearest, off_by(cut.points[k], corner[i]));
        CHECK(nearest <= margin);
    }
    CHECK((int)cut.count >= apart && (int)cut.count <= count);
    if (apart == count) CHECK_INT(cut.count, count);
}

static void the_common_points_exactly(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_triangle a = gen_triangle(&g),
                    b = test_int(&rng, 0, 1) ? gen_triangle_near(&g, &a) : gen_triangle(&g);
        test_note("");
        test_note_reals("a", REALS(a), 9);
        test_note_reals("b", REALS(b), 9);
        check_common(&a, &b);
    }
}

/* In one plane, z = x + 2 y, and on grids in it. */
static void the_common_polygons_exactly(void) {
    test_rng rng = test_random();
    for (long i = test_times(2500); i > 0; --i) {
        int size = test_int(&rng, 0, 1) ? 3 : 1000;
        cd_triangle a, b;
        for (int k = 0; k < 6; ++k) {
            cd_vec3 *p = k < 3 ? &(&a.a)[k] : &(&b.a)[k - 3];
            p->x = (cd_real)test_int(&rng, -size, size);
            p->y = (cd_real)test_int(&rng, -size, size);
            p->z = p->x + 2 * p->y;
        }
        test_note("");
        test_note_reals("a", REALS(a), 9);
        test_note_reals("b", REALS(b), 9);
        check_common(&a, &b);
    }
}

/* ---- published tests ---- */

void suite_triangle_pairs(void) {
    RUN(many_as_the_call_for_two);
    RUN(many_on_grids);
    RUN(brute_force_says_the_same);
    RUN(the_common_points_exactly);
    RUN(the_common_polygons_exactly);
}
