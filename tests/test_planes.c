/* What two and three planes have in common, against exact fractions. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

/* Within `ulps` units in the last place of the length `size`; where the range of numbers ends, no more than that is asked. */
static double margin(double size, double ulps) {
    return ulps * (double)CD_REAL_EPSILON * size + ulps * (double)cd_next_up(0);
}

typedef struct system {
    exact3 n[3];
    exact d[3];
    int count;
} system;

static system system_of(const cd_plane *h, int count) {
    system s;
    s.count = count;
    for (int i = 0; i < count; ++i) {
        double n[3];
        cd_plane copy = h[i];
        to_doubles(REALS(copy.n), n, 3);
        s.n[i] = exact3_from(n);
        s.d[i] = exact_from((double)h[i].d);
    }
    return s;
}

/* n[i] d[j] - n[j] d[i] */
static exact3 lean_of(const system *s, int i, int j) {
    return exact3_sub(exact3_scale(s->n[j], s->d[i]), exact3_scale(s->n[i], s->d[j]));
}

static bool are_one(const system *s, int i, int j) {
    return exact3_is_zero(exact3_cross(s->n[i], s->n[j])) && exact3_is_zero(lean_of(s, i, j));
}

static ratio length_ratio(exact3 a) {
    return ratio_make(exact3_dot(a, a), exact_from(1));
}

/* The line of planes i and j: its direction, and its point nearest to the origin. */
static void check_line(const system *s, int i, int j, const cd_planes_common *got, bool reverse) {
    exact3 along = exact3_cross(s->n[i], s->n[j]), point = exact3_cross(lean_of(s, i, j), along);
    exact square = exact3_dot(along, along);
    double p[3], size, dir[3];
    cd_planes_common copy = *got;
    for (int k = 0; k < 3; ++k) {
        p[k] = ratio_to_double(ratio_make(point.c[k], square));
        dir[k] = along.c[k].sign * ratio_sqrt(ratio_make(exact_mul(along.c[k], along.c[k]), square));
        if (reverse) dir[k] = -dir[k];
    }
    size = ratio_sqrt(ratio_make(exact3_dot(point, point), exact_mul(square, square)));
    for (int k = 0; k < 3; ++k) {
        if (size < 0.5 * (double)CD_REAL_MAX) CHECK_NEAR(REALS(copy.line.origin)[k], p[k], margin(size, 8));
        CHECK_NEAR(REALS(copy.line.dir)[k], dir[k], margin(1, 8));
    }
}

/* The plane, by the normal of the first. */
static void check_plane(const system *s, const cd_planes_common *got) {
    exact square = exact3_dot(s->n[0], s->n[0]);
    double size = ratio_sqrt(ratio_make(exact_mul(s->d[0], s->d[0]), square));
    cd_planes_common copy = *got;
    for (int k = 0; k < 3; ++k) {
        exact n = s->n[0].c[k];
        double p = ratio_to_double(ratio_make(exact_mul(n, s->d[0]), square));
        double dir = n.sign * ratio_sqrt(ratio_make(exact_mul(n, n), square));
        if (size < 0.5 * (double)CD_REAL_MAX) CHECK_NEAR(REALS(copy.line.origin)[k], p, margin(size, 8));
        CHECK_NEAR(REALS(copy.line.dir)[k], dir, margin(1, 8));
    }
}

static void check_sine(exact square, exact lengths, double got) {
    double want = ratio_sqrt(ratio_make(square, lengths));
    CHECK_NEAR(got, want, margin(want, 8));
}

static void note_planes(const cd_plane *h, int count) {
    cd_plane copy[3];
    for (int i = 0; i < count; ++i) copy[i] = h[i];
    test_note("");
    test_note_reals("n d", REALS(copy), 4 * count);
}

/* ---- two ---- */

static int check_two(const cd_plane h[2]) {
    exact_pool pool = exact_begin();
    system s = system_of(h, 2);
    exact3 along = exact3_cross(s.n[0], s.n[1]);
    exact lengths = exact_mul(length_ratio(s.n[0]).num, length_ratio(s.n[1]).num);
    cd_planes_common got = ASK("exact", cd_intersect_plane_plane(&h[0], &h[1]));
    int kind = !exact3_is_zero(along) ? CD_PLANES_LINE
               : are_one(&s, 0, 1)    ? CD_PLANES_PLANE
                                      : CD_PLANES_NOTHING;
    note_planes(h, 2);
    if (CHECK_INT(got.kind, kind)) {
        check_sine(exact3_dot(along, along), lengths, (double)got.sine);
        if (kind == CD_PLANES_LINE) check_line(&s, 0, 1, &got, false);
        if (kind == CD_PLANES_PLANE) check_plane(&s, &got);
        if (kind == CD_PLANES_NOTHING) CHECK_VEC(got.line.dir, cd_vec3_make(0, 0, 0), 0);
    }
    exact_end(pool);
    return kind;
}

static cd_plane any_plane(gen *g) {
    cd_plane h;
    h.n = gen_direction(g);
    h.d = test_int(g->rng, 0, 4) ? gen_coordinate(g, 0) : 0;
    if (test_int(g->rng, 0, 3) == 0) h.d = cd_vec3_dot(h.n, gen_point(g));
    return h;
}

/* A neighbour; 0 stays, as its neighbours are outside the domain of doubles. */
static cd_real nudged(test_rng *rng, cd_real x) {
    return x == 0 ? x : gen_near(rng, x);
}

/* The same times a small whole number, some places moved by a unit in the last place. */
static cd_plane plane_like(gen *g, const cd_plane *h) {
    cd_plane r;
    cd_real factor = (cd_real)test_int(g->rng, 1, 4);
    if (test_int(g->rng, 0, 1)) factor = -factor;
    r.n = cd_vec3_scale(h->n, factor);
    r.d = h->d * factor;
    if (test_int(g->rng, 0, 2) == 0) r.n.x = nudged(g->rng, r.n.x);
    if (test_int(g->rng, 0, 2) == 0) r.n.z = nudged(g->rng, r.n.z);
    if (test_int(g->rng, 0, 2) == 0) r.d = nudged(g->rng, r.d);
    if (test_int(g->rng, 0, 5) == 0) r.d = gen_coordinate(g, 0);
    return r;
}

static bool valid(const cd_plane *h, int count) {
    for (int i = 0; i < count; ++i) {
        if (!cd_plane_is_valid(&h[i])) return false;
    }
    return true;
}

static void two_planes(void) {
    test_rng rng = test_random();
    int seen[4] = {0, 0, 0, 0};
    for (long i = test_times(8000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_plane h[2];
        h[0] = any_plane(&g);
        h[1] = test_int(&rng, 0, 1) ? any_plane(&g) : plane_like(&g, &h[0]);
        if (valid(h, 2)) ++seen[check_two(h)];
    }
    CHECK_SEEN(seen[CD_PLANES_NOTHING] > 0 && seen[CD_PLANES_LINE] > 0 && seen[CD_PLANES_PLANE] > 0);
}

/* ---- three ---- */

static exact determinant(const system *s, int axis) {
    exact3 row[3];
    for (int i = 0; i < 3; ++i) {
        row[i] = s->n[i];
        if (axis >= 0) row[i].c[axis] = s->d[i];
    }
    return exact3_triple(row[0], row[1], row[2]);
}

/* By elimination: with all normals in a plane, each pair is parallel and one, or the line of two is on the third. */
static int kind_of(const system *s) {
    if (determinant(s, -1).sign != 0) return CD_PLANES_POINT;
    for (int i = 0; i < 3; ++i) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        exact3 along = exact3_cross(s->n[i], s->n[j]), point;
        if (exact3_is_zero(along)) continue;
        point = exact3_cross(lean_of(s, i, j), along); /* times along^2 */
        return exact_compare(exact3_dot(s->n[k], point), exact_mul(s->d[k], exact3_dot(along, along))) == 0
                   ? CD_PLANES_LINE
                   : CD_PLANES_NOTHING;
    }
    return are_one(s, 0, 1) && are_one(s, 1, 2) ? CD_PLANES_PLANE : CD_PLANES_NOTHING;
}

static void check_point(const system *s, const cd_planes_common *got) {
    exact det = determinant(s, -1), lengths = length_ratio(s->n[0]).num;
    cd_planes_common copy = *got;
    for (int k = 0; k < 3; ++k) {
        double p = ratio_to_double(ratio_make(determinant(s, k), det));
        if (fabs(p) < 0.5 * (double)CD_REAL_MAX)
            CHECK_NEAR(REALS(copy.line.origin)[k], p, margin(fabs(p), 4));
    }
    lengths = exact_mul(exact_mul(lengths, length_ratio(s->n[1]).num), length_ratio(s->n[2]).num);
    check_sine(exact_mul(det, det), lengths, (double)got->sine);
}

/* The pair of the three that is farthest from parallel, or one that is as far. */
static void check_best_line(const system *s, const cd_planes_common *got) {
    double sine[3], most = -1;
    int best = 0;
    for (int i = 0; i < 3; ++i) {
        exact3 along = exact3_cross(s->n[i], s->n[(i + 1) % 3]);
        exact lengths = exact_mul(length_ratio(s->n[i]).num, length_ratio(s->n[(i + 1) % 3]).num);
        sine[i] = ratio_sqrt(ratio_make(exact3_dot(along, along), lengths));
        if (!exact3_is_zero(along) && sine[i] > most) {
            most = sine[i];
            best = i;
        }
    }
    for (int i = 0; i < 3; ++i) { /* a tie may go either way: then at least the line is the same */
        if (i != best && sine[i] > most * (1 - 1e-12)) return;
    }
    check_line(s, best, (best + 1) % 3, got, false);
}

static int check_three(const cd_plane h[3]) {
    exact_pool pool = exact_begin();
    system s = system_of(h, 3);
    cd_planes_common got = ASK("exact", cd_intersect_planes3(&h[0], &h[1], &h[2]));
    int kind = kind_of(&s);
    note_planes(h, 3);
    if (CHECK_INT(got.kind, kind)) {
        if (kind == CD_PLANES_POINT) check_point(&s, &got);
        if (kind == CD_PLANES_POINT || kind == CD_PLANES_NOTHING)
            CHECK_VEC(got.line.dir, cd_vec3_make(0, 0, 0), 0);
        if (kind == CD_PLANES_NOTHING) CHECK_VEC(got.line.origin, cd_vec3_make(0, 0, 0), 0);
        if (kind == CD_PLANES_LINE) check_best_line(&s, &got);
        if (kind == CD_PLANES_PLANE) check_plane(&s, &got);
        if (kind != CD_PLANES_POINT) CHECK_SAME(got.sine, 0);
    }
    exact_end(pool);
    return kind;
}

/* The sum of two others, exactly where the numbers are whole, so that the three have a line in common, or nearly so. */
static cd_plane plane_between(gen *g, const cd_plane *a, const cd_plane *b) {
    cd_plane r;
    r.n = cd_vec3_add(a->n, b->n);
    r.d = a->d + b->d;
    if (test_int(g->rng, 0, 3) == 0) r.d = nudged(g->rng, r.d);
    if (test_int(g->rng, 0, 3) == 0) r.n.y = nudged(g->rng, r.n.y);
    return r;
}

static void three_planes(void) {
    test_rng rng = test_random();
    int seen[4] = {0, 0, 0, 0};
    for (long i = test_times(8000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_plane h[3], keep;
        int swap = test_int(&rng, 0, 2);
        h[0] = any_plane(&g);
        h[1] = test_int(&rng, 0, 2) ? any_plane(&g) : plane_like(&g, &h[0]);
        h[2] = test_int(&rng, 0, 2) == 0 ? any_plane(&g)
               : test_int(&rng, 0, 1)    ? plane_like(&g, &h[1])
                                         : plane_between(&g, &h[0], &h[1]);
        keep = h[swap];
        h[swap] = h[2];
        h[2] = keep;
        if (valid(h, 3)) ++seen[check_three(h)];
    }
    for (int k = 0; k < 4; ++k) CHECK_SEEN(seen[k] > 0);
}

/* One plane across an axis or nearly so, two along it that are nearly parallel, in each order of axes and planes: what is left
 * of the determinant is far below the products that it is of, but not below those of the small components. */
static void steep_and_nearly_parallel_planes(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        int u = test_int(&rng, 0, 2), v = (u + test_int(&rng, 1, 2)) % 3, w = 3 - u - v,
            at = test_int(&rng, 0, 2);
        double lean = ldexp(test_range(&rng, -1, 1), -test_int(&rng, 8, 40));
        double apart = ldexp(test_range(&rng, -1, 1), -test_int(&rng, 4, 44));
        cd_plane h[3];
        memset(h, 0, sizeof h);
        for (int k = 0; k < 3; ++k) h[k].d = (cd_real)test_range(&rng, -1, 1);
        REALS(h[at].n)[u] = (cd_real)lean;
        if (test_int(&rng, 0, 1)) REALS(h[at].n)[v] = (cd_real)(lean * test_unit(&rng));
        REALS(h[at].n)[w] = (cd_real)test_range(&rng, 0.5, 2);
        for (int k = 1; k < 3; ++k) {
            cd_plane *one = &h[(at + k) % 3], *first = &h[(at + 1) % 3];
            REALS(one->n)[u] = (cd_real)test_range(&rng, 0.5, 2);
            REALS(one->n)[v] = (cd_real)test_range(&rng, 0.5, 2);
            if (k == 2) REALS(one->n)
            [v] = REALS(one->n)[u] * REALS(first->n)[v] / REALS(first->n)[u] + (cd_real)apart;
        }
        if (valid(h, 3)) check_three(h);
    }
}

/* ---- by hand ---- */

static cd_plane plane_make(double x, double y, double z, double d) {
    cd_plane h;
    h.n = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
    h.d = (cd_real)d;
    return h;
}

static void by_hand(void) {
    cd_plane x = plane_make(2, 0, 0, 6), y = plane_make(0, 5, 0, -5), z = plane_make(0, 0, -1, 4), bad;
    cd_plane other = plane_make(-4, 0, 0, -12), beside = plane_make(1, 0, 0, 4),
             slant = plane_make(1, 1, 0, 3);
    cd_planes_common r = cd_intersect_plane_plane(&x, &y);
    CHECK_INT(r.kind, CD_PLANES_LINE);
    CHECK_VEC(r.line.origin, cd_vec3_make(3, -1, 0), 0);
    CHECK_VEC(r.line.dir, cd_vec3_make(0, 0, 1), 0);
    CHECK_SAME(r.sine, 1);
    r = cd_intersect_planes3(&x, &y, &z);
    CHECK_INT(r.kind, CD_PLANES_POINT);
    CHECK_VEC(r.line.origin, cd_vec3_make(3, -1, -4), 0);
    CHECK_SAME(r.sine, 1);
    CHECK_INT(cd_intersect_plane_plane(&x, &other).kind, CD_PLANES_PLANE);
    CHECK_INT(cd_intersect_plane_plane(&x, &beside).kind, CD_PLANES_NOTHING);
    CHECK_INT(cd_intersect_planes3(&x, &other, &x).kind, CD_PLANES_PLANE);
    CHECK_INT(cd_intersect_planes3(&x, &other, &beside).kind, CD_PLANES_NOTHING);
    CHECK_INT(cd_intersect_planes3(&x, &other, &y).kind, CD_PLANES_LINE);
    CHECK_INT(cd_intersect_planes3(&x, &slant, &y).kind, CD_PLANES_NOTHING); /* a prism */
    slant.d = 2;
    CHECK_INT(cd_intersect_planes3(&x, &slant, &y).kind, CD_PLANES_LINE);
    for (int i = 0; i < 5; ++i) {
        bad = y;
        if (i < 4) REALS(bad)[i] = (cd_real)(i % 2 ? NAN : INFINITY);
        if (i == 4) bad = plane_make(0, 0, 0, 1);
        r = cd_intersect_plane_plane(&bad, &x);
        CHECK(r.kind == CD_PLANES_NOTHING && isnan((double)r.sine) && r.line.dir.x == 0);
        CHECK(isnan((double)cd_intersect_plane_plane(&x, &bad).sine));
        CHECK(isnan((double)cd_intersect_planes3(&x, &z, &bad).sine));
    }
}

/* Normals along two axes, of any length: products of them may be too small for the number type. */
static void normals_of_any_length(void) {
    const double least = sizeof(cd_real) == 4 ? -100 : -900;
    for (int i = 0; i < 9; ++i) {
        int u = i / 3, v = i % 3, w = 3 - u - v;
        if (u == v) continue;
        for (int k = 0; k < 9; ++k) {
            cd_real a = (cd_real)ldexp(1.0, (int)(least * (k / 3) / 2)),
                    b = (cd_real)ldexp(1.0, (int)(least * (k % 3) / 2));
            cd_plane h[2];
            cd_planes_common r;
            cd_vec3 dir = cd_vec3_make(0, 0, 0), origin = dir;
            memset(h, 0, sizeof h);
            REALS(h[0].n)[u] = a;
            REALS(h[1].n)[v] = b;
            h[0].d = 3 * a;
            h[1].d = 5 * b;
            REALS(origin)[u] = 3;
            REALS(origin)[v] = 5;
            REALS(dir)[w] = (u + 1) % 3 == v ? (cd_real)1 : (cd_real)-1;
            note_planes(h, 2);
            r = ASK("exact", cd_intersect_plane_plane(&h[0], &h[1]));
            CHECK_INT(r.kind, CD_PLANES_LINE);
            CHECK_VEC(r.line.origin, origin, 0);
            CHECK_VEC(r.line.dir, dir, 0);
            CHECK_SAME(r.sine, 1);
        }
    }
}

/* As nearly parallel as numbers allow: planes that one tiny component turns have a line in common, in either order. */
static void the_least_angles(void) {
    const cd_real least = (cd_real)ldexp(1.0, sizeof(cd_real) == 4 ? -120 : -1000);
    for (int i = 0; i < 18; ++i) {
        int u = i / 3 % 3, v = i % 3, w = 3 - u - v, turned = i / 9;
        cd_plane h[2];
        cd_planes_common r;
        cd_vec3 dir = cd_vec3_make(0, 0, 0);
        if (u == v) continue;
        memset(h, 0, sizeof h);
        REALS(h[0].n)[u] = REALS(h[1].n)[u] = 1;
        REALS(h[turned].n)[v] = least;
        REALS(dir)[w] = ((u + 1) % 3 == v) == (turned == 1) ? (cd_real)1 : (cd_real)-1;
        note_planes(h, 2);
        r = ASK("exact", cd_intersect_plane_plane(&h[0], &h[1]));
        CHECK_INT(r.kind, CD_PLANES_LINE);
        CHECK_VEC(r.line.origin, cd_vec3_make(0, 0, 0), 0);
        CHECK_VEC(r.line.dir, dir, 0);
        CHECK_SAME(r.sine, least);
    }
}

/* Any bits: no NaN out of finite input. */
static void any_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        cd_plane h[3];
        cd_planes_common r;
        for (int k = 0; k < 12; ++k) REALS(h)[k] = gen_any_real(&rng);
        if (test_int(&rng, 0, 2) == 0) h[1].n = cd_vec3_scale(h[0].n, 2);
        if (!valid(h, 3)) continue;
        note_planes(h, 3);
        r = ASK("bad", cd_intersect_plane_plane(&h[0], &h[1]));
        for (int k = 0; k < 6; ++k) CHECK(!isnan((double)REALS(r.line)[k]));
        CHECK(r.sine >= 0 && r.sine <= 1);
        r = ASK("bad", cd_intersect_planes3(&h[0], &h[1], &h[2]));
        for (int k = 0; k < 6; ++k) CHECK(!isnan((double)REALS(r.line)[k]));
        CHECK(r.sine >= 0 && r.sine <= 1);
    }
}

void suite_planes(void) {
    RUN(two_planes);
    RUN(three_planes);
    RUN(steep_and_nearly_parallel_planes);
    RUN(by_hand);
    RUN(normals_of_any_length);
    RUN(the_least_angles);
    RUN(any_numbers);
}
