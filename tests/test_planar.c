/* Circles, rectangles, convex polygons and k-DOPs of the plane against exact arithmetic. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

static exact of(cd_real x) {
    return exact_from((double)x);
}

static bool at_most(exact a, exact b) {
    return exact_compare(a, b) <= 0;
}

static gen any_gen(test_rng *rng) {
    return gen_begin(rng, (gen_kind)test_int(rng, 0, GEN_KINDS - 1));
}

static cd_vec2 gen_point2(gen *g) {
    cd_vec2 p;
    p.x = gen_coordinate(g, 0);
    p.y = gen_coordinate(g, 1);
    return p;
}

static cd_circle gen_circle(gen *g) {
    cd_circle c;
    c.center = gen_point2(g);
    c.radius = gen_length(g);
    return c;
}

static cd_aabb2 gen_aabb2(gen *g) {
    cd_vec2 p[2];
    p[0] = gen_point2(g);
    p[1] = gen_point2(g);
    return cd_aabb2_from_points(p, 2);
}

/* Unit axes, and for the exact tests those of whole numbers, too. */
static cd_obb2 gen_obb2(gen *g, bool whole) {
    cd_obb2 b;
    b.center = gen_point2(g);
    b.half = cd_vec2_make(gen_length(g), gen_length(g));
    b.axis = cd_vec2_normalize(
        cd_vec2_make((cd_real)test_range(g->rng, -1, 1), (cd_real)test_range(g->rng, -1, 1)));
    if (!test_int(g->rng, 0, 3)) b.axis = cd_vec2_make((cd_real)(test_int(g->rng, 0, 1) ? 1 : -1), 0);
    if (whole && test_int(g->rng, 0, 1)) {
        b.axis = cd_vec2_make((cd_real)test_int(g->rng, -2, 2), (cd_real)test_int(g->rng, -2, 2));
        if (b.axis.x == 0 && b.axis.y == 0) b.axis.y = 1;
    }
    return b;
}

/* ---- the reference: convex polygons of exact points ---- */

typedef struct exact2 {
    exact x, y;
} exact2;

enum { CORNERS = 24 };

typedef struct shape {
    exact2 p[CORNERS];
    int count;
} shape;

static int turn(exact2 a, exact2 b, exact2 c) {
    exact left = exact_mul(exact_sub(b.x, a.x), exact_sub(c.y, a.y));
    return exact_compare(left, exact_mul(exact_sub(b.y, a.y), exact_sub(c.x, a.x)));
}

static bool between(exact a, exact b, exact x) {
    return (at_most(a, x) && at_most(x, b)) || (at_most(b, x) && at_most(x, a));
}

static bool on_segment(exact2 a, exact2 b, exact2 p) {
    return turn(a, b, p) == 0 && between(a.x, b.x, p.x) && between(a.y, b.y, p.y);
}

static bool segments_meet(exact2 a, exact2 b, exact2 p, exact2 q) {
    if (on_segment(a, b, p) || on_segment(a, b, q) || on_segment(p, q, a) || on_segment(p, q, b)) return true;
    return turn(a, b, p) * turn(a, b, q) < 0 && turn(p, q, a) * turn(p, q, b) < 0;
}

/* Strictly inside; the boundary is looked at by segments. */
static bool is_inside(const shape *s, exact2 p) {
    int left = 0, right = 0;
    for (int i = 0; i < s->count; ++i) {
        int t = turn(s->p[i], s->p[(i + 1) % s->count], p);
        exact2 a = s->p[i], b = s->p[(i + 1) % s->count];
        if (exact_compare(a.x, b.x) == 0 && exact_compare(a.y, b.y) == 0) continue;
        left += t > 0;
        right += t < 0;
        if (t == 0) return false;
    }
    return (left > 0) != (right > 0);
}

static bool shapes_meet(const shape *a, const shape *b) {
    for (int i = 0; i < a->count; ++i) {
        for (int k = 0; k < b->count; ++k) {
            if (segments_meet(a->p[i], a->p[(i + 1) % a->count], b->p[k], b->p[(k + 1) % b->count]))
                return true;
        }
    }
    return is_inside(a, b->p[0]) || is_inside(b, a->p[0]);
}

static exact2 exact_point(cd_vec2 p) {
    exact2 r;
    r.x = of(p.x);
    r.y = of(p.y);
    return r;
}

static void shape_of_polygon(shape *s, const cd_vec2 *p, size_t count) {
    s->count = (int)count;
    for (size_t i = 0; i < count; ++i) s->p[i] = exact_point(p[i]);
}

static void shape_of_obb(shape *s, const cd_obb2 *b) {
    static const int x[4] = {-1, 1, 1, -1}, y[4] = {-1, -1, 1, 1};
    s->count = 4;
    for (int i = 0; i < 4; ++i) {
        exact h = exact_mul(exact_from(x[i]), of(b->half.x)), k = exact_mul(exact_from(y[i]), of(b->half.y));
        s->p[i].x =
            exact_add(of(b->center.x), exact_sub(exact_mul(of(b->axis.x), h), exact_mul(of(b->axis.y), k)));
        s->p[i].y =
            exact_add(of(b->center.y), exact_add(exact_mul(of(b->axis.y), h), exact_mul(of(b->axis.x), k)));
    }
}

static void shape_of_aabb(shape *s, cd_aabb2 b) {
    cd_vec2 p[4];
    p[0] = b.min;
    p[1] = cd_vec2_make(b.max.x, b.min.y);
    p[2] = b.max;
    p[3] = cd_vec2_make(b.min.x, b.max.y);
    shape_of_polygon(s, p, 4);
}

/* ---- circles ---- */

/* The sign of the distance of two points against r, exactly. */
static int compare_distance(cd_vec2 a, cd_vec2 b, exact r) {
    exact x = exact_sub(of(a.x), of(b.x)), y = exact_sub(of(a.y), of(b.y));
    if (r.sign < 0) return 1;
    return exact_compare(exact_add(exact_mul(x, x), exact_mul(y, y)), exact_mul(r, r));
}

static void circles(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = any_gen(&rng);
        cd_circle a = gen_circle(&g), b = gen_circle(&g), both;
        cd_vec2 p = gen_point2(&g), s;
        cd_aabb2 box = ASK("exact", cd_aabb2_from_circle(a));
        double d, size;
        exact_pool pool = exact_begin();
        if (!test_int(&rng, 0, 3))
            b.radius =
                gen_near(&rng, (cd_real)fabs((double)cd_vec2_dist(a.center, b.center) - (double)a.radius));
        test_note("");
        test_note_reals("a", REALS(a), 3);
        test_note_reals("b", REALS(b), 3);
        CHECK_INT(ASK("exact", cd_test_2d_circle_circle(a, b)),
                  b.radius >= 0 &&
                      compare_distance(a.center, b.center, exact_add(of(a.radius), of(b.radius))) <= 0);
        CHECK_INT(ASK("exact", cd_test_2d_point_circle(p, a)),
                  compare_distance(p, a.center, of(a.radius)) <= 0);
        for (int k = 0; k < 2; ++k) {
            exact c = of(REALS(a)[k]), r = of(a.radius);
            CHECK(at_most(of(REALS(box)[k]), exact_sub(c, r)) &&
                  at_most(exact_add(c, r), of(REALS(box)[2 + k])));
        }
        both = ASK("exact", cd_merge_circle_circle(a, b));
        CHECK(both.radius >= a.radius && both.radius >= b.radius);
        if (isfinite((double)both.radius)) {
            CHECK(compare_distance(both.center, a.center, exact_sub(of(both.radius), of(a.radius))) <= 0);
            CHECK(b.radius < 0 ||
                  compare_distance(both.center, b.center, exact_sub(of(both.radius), of(b.radius))) <= 0);
        }
        exact_end(pool);
        d = hypot((double)a.center.x - (double)b.center.x, (double)a.center.y - (double)b.center.y);
        size = fabs((double)a.center.x) + fabs((double)a.center.y) + fabs((double)b.center.x) +
               fabs((double)b.center.y) + (double)a.radius + fabs((double)b.radius);
        CHECK_NEAR(
            (double)both.radius,
            fmax(fmax((double)a.radius, (double)b.radius), 0.5 * (d + (double)a.radius + (double)b.radius)),
            (4 * EPS + 8e-15) * size + 1e-40);
        s = ASK("exact", cd_circle_support(a, cd_vec2_sub(p, a.center)));
        if (p.x != a.center.x || p.y != a.center.y)
            CHECK_NEAR((double)cd_vec2_dist(s, a.center), (double)a.radius, (4 * EPS + 1e-14) * size + 1e-40);
    }
}

static void odd_circles(void) {
    cd_circle a = {{1, 2}, 3}, none = {{0, 0}, -1}, bad = {{0, 0}, (cd_real)NAN},
              huge = {{CD_REAL_MAX, 0}, CD_REAL_MAX}, other = {{-CD_REAL_MAX, 0}, CD_REAL_MAX}, r;
    cd_transform2 t = {{0, 5}, {1, 1}};
    CHECK(ASK("bad", cd_circle_is_valid(a)) && !ASK("bad", cd_circle_is_valid(none)) &&
          !ASK("bad", cd_circle_is_valid(bad)));
    CHECK_NEAR((double)ASK("judge", cd_circle_area(a)), 28.274333882308138, 28.3 * EPS);
    CHECK_SAME(ASK("judge", cd_circle_area(none)), 0);
    CHECK_SAME(ASK("judge", cd_circle_area(bad)), NAN);
    CHECK_SAME(ASK("judge", cd_circle_area(huge)), INFINITY);
    r = cd_merge_circle_circle(a, none);
    CHECK(r.radius == 3 && r.center.x == 1);
    r = cd_merge_circle_circle(none, a);
    CHECK(r.radius == 3 && r.center.y == 2);
    CHECK_SAME(cd_merge_circle_circle(a, bad).radius, INFINITY); /* holds all, whatever that was */
    CHECK_SAME(cd_merge_circle_circle(huge, other).radius, INFINITY);
    CHECK(!cd_test_2d_circle_circle(a, none) && !cd_test_2d_circle_circle(bad, a) &&
          !cd_test_2d_point_circle(a.center, none));
    CHECK(ASK("bad", cd_aabb2_is_empty(cd_aabb2_from_circle(none))) &&
          ASK("bad", cd_aabb2_is_empty(cd_aabb2_from_circle(bad))));
    r = ASK("exact", cd_circle_transform(a, &t)); /* a quarter turn */
    CHECK(r.center.x == -1 && r.center.y == 2 && r.radius == 3);
    CHECK(cd_circle_support(a, cd_vec2_make(0, 0)).x == 1);
}

static void circles_and_rectangles(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(20000);
    for (long i = times; i > 0; --i) {
        gen g = any_gen(&rng);
        cd_circle c = gen_circle(&g);
        cd_aabb2 b = gen_aabb2(&g);
        cd_obb2 o = gen_obb2(&g, false);
        cd_vec2 p = c.center;
        double x, y, away, size, length, turned[2];
        bool want;
        exact_pool pool = exact_begin();
        p.x = p.x < b.min.x ? b.min.x : p.x > b.max.x ? b.max.x : p.x;
        p.y = p.y < b.min.y ? b.min.y : p.y > b.max.y ? b.max.y : p.y;
        if (!test_int(&rng, 0, 2)) c.radius = gen_near(&rng, cd_vec2_dist(c.center, p));
        test_note("");
        test_note_reals("c", REALS(c), 3);
        test_note_reals("b", REALS(b), 4);
        test_note_reals("o", REALS(o), 6);
        want = c.radius >= 0 && compare_distance(c.center, p, of(c.radius)) <= 0;
        exact_end(pool);
        hits += want;
        CHECK_INT(ASK("exact", cd_test_2d_circle_aabb(c, b)), want);
        CHECK_INT(ASK("exact", cd_test_2d_point_aabb(c.center, b)), p.x == c.center.x && p.y == c.center.y);
        x = (double)c.center.x - (double)o.center.x;
        y = (double)c.center.y - (double)o.center.y;
        length = hypot((double)o.axis.x, (double)o.axis.y); /* the axis as it is stored */
        turned[0] = ((double)o.axis.x * x + (double)o.axis.y * y) / length;
        turned[1] = ((double)o.axis.x * y - (double)o.axis.y * x) / length;
        away = hypot(fmax(fabs(turned[0]) - (double)o.half.x * length, 0),
                     fmax(fabs(turned[1]) - (double)o.half.y * length, 0));
        size = fabs(x) + fabs(y) + (double)o.half.x + (double)o.half.y + fabs((double)c.radius);
        if (fabs(away - (double)c.radius) > 1e-14 * size + 1e-300)
            CHECK_INT(ASK("exact", cd_test_2d_circle_obb(c, &o)), away < (double)c.radius);
    }
    CHECK_SEEN(hits > times / 10 && hits < times - times / 10);
}

/* ---- rectangles ---- */

static void rectangles_meet_exactly(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(4000);
    for (long i = times; i > 0; --i) {
        gen g = any_gen(&rng);
        cd_obb2 a = gen_obb2(&g, true), b = gen_obb2(&g, true);
        cd_aabb2 box = gen_aabb2(&g);
        cd_vec2 p = gen_point2(&g), corner[4];
        shape s, t, u, v;
        exact_pool pool = exact_begin();
        bool want;
        if (!test_int(&rng, 0, 3)) b.axis = a.axis;
        if (!test_int(&rng, 0, 3)) { /* a corner of one at a corner of the other, as far as numbers go */
            cd_obb2_to_vertices(&a, corner);
            p = corner[test_int(&rng, 0, 3)];
            b.center = cd_vec2_add(p, cd_vec2_scale(b.axis, b.half.x));
        }
        if (!test_int(&rng, 0, 9)) a.half.x = 0;
        if (!test_int(&rng, 0, 9)) b.half.y = 0;
        test_note("");
        test_note_reals("a", REALS(a), 6);
        test_note_reals("b", REALS(b), 6);
        test_note_reals("box", REALS(box), 4);
        test_note_reals("p", REALS(p), 2);
        shape_of_obb(&s, &a);
        shape_of_obb(&t, &b);
        shape_of_aabb(&u, box);
        shape_of_polygon(&v, &p, 1);
        want = shapes_meet(&s, &t);
        hits += want;
        CHECK_INT(ASK("exact", cd_test_2d_obb_obb(&a, &b)), want);
        CHECK_INT(ASK("swap", cd_test_2d_obb_obb(&b, &a)), want);
        CHECK_INT(ASK("exact", cd_test_2d_aabb_obb(box, &a)), shapes_meet(&u, &s));
        CHECK_INT(ASK("exact", cd_test_2d_point_obb(p, &a)), shapes_meet(&v, &s));
        exact_end(pool);
        CHECK_INT(
            ASK("exact", cd_test_2d_aabb_aabb(box, cd_aabb2_from_obb2(&a))),
            !ASK("exact", cd_aabb2_is_empty(ASK("exact", cd_aabb2_intersect(box, cd_aabb2_from_obb2(&a))))));
    }
    CHECK_SEEN(hits > times / 10 && hits < times - times / 10);
}

/* a <= b sqrt(n), for n > 0 */
static bool at_most_root(exact a, exact b, exact n) {
    exact aa = exact_mul(a, a), bb = exact_mul(exact_mul(b, b), n);
    if (a.sign <= 0 && b.sign >= 0) return true;
    if (a.sign >= 0 && b.sign <= 0) return a.sign == 0 && b.sign == 0;
    return a.sign > 0 ? at_most(aa, bb) : at_most(bb, aa);
}

static void rectangles_hold_their_corners(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        gen g = any_gen(&rng);
        cd_obb2 o = gen_obb2(&g, false), same;
        cd_aabb2 b = gen_aabb2(&g), around = cd_aabb2_from_obb2(&o), moved, unmoved;
        cd_transform2 t;
        shape s;
        exact_pool pool = exact_begin();
        exact x, y, n;
        double reach = -HUGE_VAL, size = 0;
        t.rotation = gen_obb2(&g, true).axis;
        t.position = test_int(&rng, 0, 1) ? gen_point2(&g) : cd_vec2_make(0, 0);
        test_note("");
        test_note_reals("o", REALS(o), 6);
        test_note_reals("b", REALS(b), 4);
        test_note_reals("t", REALS(t), 4);
        shape_of_obb(&s, &o);
        test_asked("exact", "cd_aabb2_from_obb2");
        for (int k = 0; k < 4; ++k)
            CHECK(between(of(around.min.x), of(around.max.x), s.p[k].x) &&
                  between(of(around.min.y), of(around.max.y), s.p[k].y));
        same = ASK("exact", cd_obb2_from_aabb2(b));
        shape_of_obb(&s, &same);
        CHECK(at_most(s.p[0].x, of(b.min.x)) && at_most(s.p[0].y, of(b.min.y)) &&
              at_most(of(b.max.x), s.p[2].x) && at_most(of(b.max.y), s.p[2].y));
        moved = ASK("exact", cd_aabb2_transform(b, &t));
        shape_of_aabb(&s, b);
        x = of(t.rotation.x);
        y = of(t.rotation.y);
        n = exact_add(exact_mul(x, x), exact_mul(y, y));
        for (int k = 0; k < 4; ++k) {
            exact p = exact_sub(exact_mul(x, s.p[k].x), exact_mul(y, s.p[k].y));
            exact q = exact_add(exact_mul(y, s.p[k].x), exact_mul(x, s.p[k].y));
            cd_vec2 at =
                ASK("judge", cd_transform2_point(&t, cd_vec2_make((cd_real)exact_to_double(s.p[k].x),
                                                                  (cd_real)exact_to_double(s.p[k].y))));
            CHECK(cd_test_2d_point_aabb(at, moved));
            reach = fmax(reach, (double)at.x);
            size = fmax(size, fabs((double)at.x) + fabs((double)at.y));
            CHECK(at_most_root(exact_negate(p), exact_sub(of(t.position.x), of(moved.min.x)), n));
            CHECK(at_most_root(p, exact_sub(of(moved.max.x), of(t.position.x)), n));
            CHECK(at_most_root(exact_negate(q), exact_sub(of(t.position.y), of(moved.min.y)), n));
            CHECK(at_most_root(q, exact_sub(of(moved.max.y), of(t.position.y)), n));
        }
        exact_end(pool);
        size += 2 * (fabs((double)t.position.x) + fabs((double)t.position.y));
        CHECK_NEAR((double)moved.max.x, reach, (4 * EPS + 4e-14) * size + 1e-40);
        t.rotation = cd_vec2_make(0, 0);
        t.position = cd_vec2_make(0, 0);
        unmoved = ASK("exact", cd_aabb2_transform(b, &t));
        CHECK(memcmp(&unmoved, &b, sizeof b) == 0);
    }
}

static void points_of_rectangles(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb2 o = gen_obb2(&g, false), moved;
        cd_aabb2 b = gen_aabb2(&g);
        cd_transform2 t;
        cd_vec2 d = cd_vec2_sub(gen_point2(&g), gen_point2(&g)), p[4], q[4],
                s = ASK("judge", cd_obb2_support(&o, d)), r = ASK("exact", cd_aabb2_support(b, d));
        double most = -HUGE_VAL;
        t.rotation = d;
        t.position = gen_point2(&g);
        moved = ASK("judge", cd_obb2_transform(&o, &t));
        CHECK(ASK("judge", cd_obb2_is_valid(&moved)));
        ASK("judge", cd_obb2_to_vertices(&o, p));
        ASK("judge", cd_obb2_to_vertices(&moved, q));
        for (int k = 0; k < 4; ++k) {
            cd_vec2 at = cd_transform2_point(&t, p[k]);
            most = fmax(most, (double)cd_vec2_dot(p[k], d));
            CHECK_NEAR((double)cd_vec2_dist(at, q[k]), 0, 32 * EPS);
        }
        CHECK_NEAR((double)cd_vec2_dot(s, d), most, 8 * EPS);
        CHECK(r.x == (d.x > 0 ? b.max.x : b.min.x) && r.y == (d.y > 0 ? b.max.y : b.min.y));
        CHECK_NEAR((double)ASK("judge", cd_obb2_area(&o)), 4 * (double)o.half.x * (double)o.half.y, 4 * EPS);
        CHECK_NEAR((double)ASK("judge", cd_aabb2_area(b)),
                   ((double)b.max.x - (double)b.min.x) * ((double)b.max.y - (double)b.min.y), 4 * EPS);
    }
}

static void odd_rectangles(void) {
    cd_real nan = (cd_real)NAN;
    cd_aabb2 one = {{0, 0}, {1, 1}}, bad = {{0, 0}, {nan, 1}}, both;
    cd_obb2 o = cd_obb2_from_aabb2(one), worse = o;
    cd_circle c = {{0, 0}, 1};
    cd_vec2 p[3] = {{nan, 3}, {1, 2}, {-1, 5}};
    cd_transform2 t = {{1, nan}, {0, 0}};
    CHECK(ASK("bad", cd_aabb2_is_valid(one)) && !ASK("bad", cd_aabb2_is_valid(bad)) &&
          !ASK("bad", cd_aabb2_is_valid(cd_aabb2_empty())));
    CHECK(ASK("bad", cd_obb2_is_valid(&o)) && ASK("bad", cd_transform2_is_valid(&t)) == false);
    CHECK_SAME(cd_aabb2_area(cd_aabb2_empty()), 0);
    CHECK_SAME(cd_aabb2_area(bad), NAN);
    CHECK(ASK("bad", cd_aabb2_is_empty(cd_aabb2_transform(one, &t))));
    t.rotation.y = 0;
    CHECK(ASK("bad", cd_aabb2_is_empty(cd_aabb2_transform(cd_aabb2_empty(), &t))) &&
          ASK("bad", cd_aabb2_is_empty(cd_aabb2_transform(bad, &t))));
    CHECK(!cd_test_2d_aabb_aabb(one, bad) && !cd_test_2d_aabb_aabb(bad, one) &&
          !cd_test_2d_aabb_aabb(one, cd_aabb2_empty()));
    CHECK(!cd_test_2d_circle_aabb(c, bad) && !cd_test_2d_aabb_obb(bad, &o) &&
          !cd_test_2d_aabb_obb(cd_aabb2_empty(), &o));
    worse.half.x = -1;
    CHECK(!ASK("bad", cd_obb2_is_valid(&worse)) && !cd_test_2d_obb_obb(&o, &worse) &&
          !cd_test_2d_obb_obb(&worse, &o) && !cd_test_2d_aabb_obb(one, &worse) &&
          !cd_test_2d_circle_obb(c, &worse) && !cd_test_2d_point_obb(o.center, &worse) &&
          ASK("bad", cd_aabb2_is_empty(cd_aabb2_from_obb2(&worse))));
    worse.half.x = 1;
    worse.axis.y = nan;
    CHECK(!ASK("bad", cd_obb2_is_valid(&worse)) && !cd_test_2d_obb_obb(&o, &worse) &&
          !cd_test_2d_circle_obb(c, &worse));
    both = ASK("bad", cd_merge_aabb2_aabb2(one, cd_aabb2_from_points(p, 3)));
    CHECK(both.min.x == -1 && both.max.y == 5 && both.min.y == 0);
    CHECK(ASK("bad", cd_aabb2_is_empty(cd_aabb2_from_points(p, 0))));
}

/* Rectangles without end: the box is empty, or holds the center, but its sides are numbers. */
static void endless_rectangles(void) {
    static const double around[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {0.6, 0.8}};
    for (int i = 0; i < 5; ++i) {
        for (int k = 1; k < 4; ++k) {
            cd_obb2 o;
            cd_aabb2 b;
            o.center = cd_vec2_make(3, 4);
            o.axis = cd_vec2_make((cd_real)around[i][0], (cd_real)around[i][1]);
            o.half = cd_vec2_make(k & 1 ? (cd_real)INFINITY : 1, k & 2 ? (cd_real)INFINITY : 1);
            b = ASK("bad", cd_aabb2_from_obb2(&o));
            for (int j = 0; j < 4; ++j) CHECK(REALS(b)[j] == REALS(b)[j]);
            CHECK(cd_aabb2_is_empty(b) || (b.min.x <= 3 && b.max.x >= 3 && b.min.y <= 4 && b.max.y >= 4));
        }
    }
}

/* Wider than the largest number: the area may be one all the same. */
static void areas_of_the_widest(void) {
    for (int k = 0; k < 4; ++k) {
        cd_aabb2 b = {{-CD_REAL_MAX, 0}, {CD_REAL_MAX, 0}};
        double want = ldexp((double)CD_REAL_MAX, -19);
        REALS(b.max)[1] = (cd_real)ldexp(1, -20);
        if (k & 1) b = cd_aabb2_from_points((cd_vec2[2]){{b.min.y, b.min.x}, {b.max.y, b.max.x}}, 2);
        if (k & 2) {
            b.max = cd_vec2_make(CD_REAL_MAX, CD_REAL_MAX);
            b.min = cd_vec2_make(-CD_REAL_MAX, -CD_REAL_MAX);
            want = INFINITY;
        }
        CHECK_SAME(ASK("exact", cd_aabb2_area(b)), want);
    }
}

/* Without width nothing is rounded: points and segments along an axis have the boxes that they are. */
static void rectangles_without_width(void) {
    static const double around[6][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {0.6, 0.8}, {-0.8, 0.6}};
    for (int i = 0; i < 18; ++i) {
        cd_obb2 o;
        cd_aabb2 b;
        bool right = i % 6 % 2 == 0;
        o.center = cd_vec2_make((cd_real)0.1, 3);
        o.axis = cd_vec2_make((cd_real)around[i % 6][0], (cd_real)around[i % 6][1]);
        o.half = cd_vec2_make(i / 6 == 1 ? 1 : 0, i / 6 == 2 ? 1 : 0);
        if (i / 6 == 2) right = !right;
        b = ASK("exact", cd_aabb2_from_obb2(&o));
        test_note("%d", i);
        if (i / 6 == 0 || (i % 6 < 4 && !right)) CHECK(b.min.x == o.center.x && b.max.x == o.center.x);
        if (i / 6 == 0 || (i % 6 < 4 && right)) CHECK(b.min.y == 3 && b.max.y == 3);
        if (i / 6 > 0 && i % 6 < 4) {
            cd_real lo = right ? b.min.x : b.min.y, hi = right ? b.max.x : b.max.y;
            CHECK_NEAR((double)hi - (double)lo, 2, 16 * EPS);
        }
    }
}

/* The corner depends on where a direction points to, not on its length. */
static void support_along_any_length(void) {
    test_rng rng = test_random();
    for (long i = 20 + test_times(500); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb2 o = gen_obb2(&g, false);
        int x = test_int(&rng, -9, 9), y = test_int(&rng, -9, 9);
        cd_vec2 want = cd_obb2_support(&o, cd_vec2_make((cd_real)x, (cd_real)y));
        for (int k = 1; k < 8; ++k) {
            int e = k * (sizeof(cd_real) == 4 ? 18 : 152);
            cd_vec2 small = cd_vec2_make((cd_real)ldexp(x, -e), (cd_real)ldexp(y, -e));
            cd_vec2 large = cd_vec2_make((cd_real)ldexp(x, e * 7 / 8), (cd_real)ldexp(y, e * 7 / 8));
            cd_vec2 got = ASK("scale", cd_obb2_support(&o, small)),
                    got2 = ASK("scale", cd_obb2_support(&o, large));
            test_note("(%d, %d) 2^%d", x, y, e);
            test_note_reals("o", REALS(o), 6);
            CHECK(got.x == want.x && got.y == want.y && got2.x == want.x && got2.y == want.y);
        }
    }
}

/* Without an axis they are their centres. */
static void rectangles_without_axes(void) {
    cd_aabb2 one = {{-1, -1}, {1, 1}};
    cd_obb2 box = cd_obb2_from_aabb2(one), p = box, q = box;
    cd_circle c;
    p.axis = q.axis = cd_vec2_make(0, 0);
    for (int x = -2; x <= 2; ++x) {
        for (int y = -2; y <= 2; ++y) {
            bool inside = x >= -1 && x <= 1 && y >= -1 && y <= 1;
            q.center = c.center = cd_vec2_make((cd_real)x, (cd_real)y);
            c.radius = 1;
            test_note("at %d %d", x, y);
            CHECK_INT(ASK("exact", cd_test_2d_obb_obb(&p, &q)), x == 0 && y == 0);
            CHECK_INT(ASK("exact", cd_test_2d_obb_obb(&q, &p)), x == 0 && y == 0);
            CHECK_INT(ASK("exact", cd_test_2d_obb_obb(&box, &q)), inside);
            CHECK_INT(ASK("exact", cd_test_2d_obb_obb(&q, &box)), inside);
            CHECK_INT(ASK("exact", cd_test_2d_aabb_obb(one, &q)), inside);
            CHECK_INT(ASK("exact", cd_test_2d_point_obb(c.center, &p)), x == 0 && y == 0);
            CHECK_INT(ASK("exact", cd_test_2d_circle_obb(c, &p)), x * x + y * y <= 1);
        }
    }
}

/* ---- convex polygons ---- */

/* The hull of a few points, with corners repeated, points put on edges, turned either way and begun anywhere. */
static size_t gen_polygon(gen *g, cd_vec2 out[CORNERS]) {
    cd_vec2 p[CORNERS / 3], q[CORNERS];
    uint32_t hull[CORNERS / 3];
    size_t points = (size_t)test_int(g->rng, 1, CORNERS / 3), corners, count = 0, start;
    for (size_t i = 0; i < points; ++i) p[i] = gen_point2(g);
    if (cd_hull2_andrew(p, points, hull, &corners) != CD_OK) abort();
    for (size_t i = 0; i < corners; ++i) {
        cd_vec2 a = p[hull[i]], b = p[hull[(i + 1) % corners]], middle;
        double d[6];
        q[count++] = a;
        if (!test_int(g->rng, 0, 3)) q[count++] = a;
        middle = cd_vec2_make((a.x + b.x) / 2, (a.y + b.y) / 2);
        to_doubles(&a.x, d, 2);
        to_doubles(&b.x, d + 2, 2);
        to_doubles(&middle.x, d + 4, 2);
        if (!test_int(g->rng, 0, 3) && oracle_orient2d(d, d + 2, d + 4) == 0) q[count++] = middle;
    }
    start = (size_t)test_int(g->rng, 0, (int)count - 1);
    for (size_t i = 0; i < count; ++i) out[i] = q[(start + i) % count];
    if (test_int(g->rng, 0, 1)) {
        for (size_t i = 0; i < count / 2; ++i) {
            cd_vec2 swap = out[i];
            out[i] = out[count - 1 - i];
            out[count - 1 - i] = swap;
        }
    }
    return count;
}

static void polygons_meet_exactly(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(3000);
    for (long i = times; i > 0; --i) {
        gen g = any_gen(&rng);
        cd_vec2 p[CORNERS], q[CORNERS];
        size_t n = gen_polygon(&g, p), m = gen_polygon(&g, q);
        shape s, t;
        exact_pool pool;
        bool want;
        if (!test_int(&rng, 0, 2)) { /* moved to touch by a corner */
            cd_vec2 by = cd_vec2_sub(p[test_int(&rng, 0, (int)n - 1)], q[test_int(&rng, 0, (int)m - 1)]);
            if (g.kind == GEN_GRID) {
                for (size_t k = 0; k < m; ++k) q[k] = cd_vec2_add(q[k], by);
            }
        }
        test_note("");
        test_note_reals("p", REALS(p), (int)(2 * n));
        test_note_reals("q", REALS(q), (int)(2 * m));
        pool = exact_begin();
        shape_of_polygon(&s, p, n);
        shape_of_polygon(&t, q, m);
        want = shapes_meet(&s, &t);
        exact_end(pool);
        hits += want;
        CHECK_INT(ASK("exact", cd_test_2d_polygon_polygon(p, n, q, m)), want);
        CHECK_INT(ASK("swap", cd_test_2d_polygon_polygon(q, m, p, n)), want);
        p[test_int(&rng, 0, (int)n - 1)].y = (cd_real)NAN;
        CHECK(!cd_test_2d_polygon_polygon(p, n, q, m) && !cd_test_2d_polygon_polygon(q, m, p, n));
        CHECK(!cd_test_2d_polygon_polygon(p, 0, q, m) && !cd_test_2d_polygon_polygon(NULL, 0, NULL, 0));
    }
    CHECK_SEEN(hits > times / 10 && hits < times - times / 10);
}

/* Thousands of corners each, on two parabolas one above the other: every edge counts, and the cost stays linear. Whole numbers,
 * so that all of it is exact. */
static void large_polygons(void) {
    enum { HALF = 2000, COUNT = 2 * HALF + 1 };
    cd_vec2 *p = (cd_vec2 *)malloc(COUNT * sizeof *p), *q = (cd_vec2 *)malloc(COUNT * sizeof *q);
    for (int x = -HALF; x <= HALF; ++x) {
        p[x + HALF] = cd_vec2_make((cd_real)x, (cd_real)x * (cd_real)x);
        q[x + HALF] = cd_vec2_make((cd_real)x, -(cd_real)x * (cd_real)x - 1);
    }
    CHECK(!cd_test_2d_polygon_polygon(p, COUNT, q, COUNT) && !cd_test_2d_polygon_polygon(q, COUNT, p, COUNT));
    q[HALF].y = 0;
    CHECK(cd_test_2d_polygon_polygon(p, COUNT, q, COUNT) && cd_test_2d_polygon_polygon(q, COUNT, p, COUNT));
    /* no convex polygon at all: some answer, soon */
    for (int i = 0; i < COUNT; ++i) p[i] = cd_vec2_make((cd_real)(i % 7), (cd_real)(i % 11));
    cd_test_2d_polygon_polygon(p, COUNT, q, COUNT);
    cd_test_2d_polygon_polygon(q, COUNT, p, COUNT);
    free(p);
    free(q);
}

/* ---- k-DOPs and fits ---- */

static void kdops_hold_their_points(void) {
    test_rng rng = test_random();
    static const uint32_t kinds[3] = {4, 8, 16};
    for (long i = test_times(3000); i > 0; --i) {
        gen g = any_gen(&rng);
        cd_vec2 p[10], directions[CD_KDOP2_DIRECTIONS];
        uint32_t n = cd_kdop2_directions(kinds[test_int(&rng, 0, 2)], directions);
        size_t count = (size_t)test_int(&rng, 1, 10), half = count / 2;
        cd_kdop2 a, b, both, all;
        if (!test_int(&rng, 0, 2)) {
            for (uint32_t k = 0; k < n; ++k)
                directions[k] =
                    cd_vec2_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1));
        }
        for (size_t k = 0; k < count; ++k) p[k] = gen_point2(&g);
        test_note("");
        test_note_reals("p", REALS(p), (int)(2 * count));
        CHECK_INT(ASK("exact", cd_kdop2_from_points(p, count, directions, n, &a)), CD_OK);
        for (size_t k = 0; k < count; ++k) {
            CHECK(ASK("exact", cd_test_2d_point_kdop(p[k], &a, directions)));
            for (uint32_t j = 0; j < n; ++j) {
                exact_pool pool = exact_begin();
                exact at = exact_add(exact_mul(of(directions[j].x), of(p[k].x)),
                                     exact_mul(of(directions[j].y), of(p[k].y)));
                CHECK(at_most(of(a.min[j]), at) && at_most(at, of(a.max[j])));
                exact_end(pool);
            }
        }
        if (half == 0) continue;
        CHECK_INT(ASK("exact", cd_kdop2_from_points(p, half, directions, n, &b)), CD_OK);
        CHECK_INT(ASK("exact", cd_kdop2_from_points(p + half, count - half, directions, n, &all)), CD_OK);
        both = ASK("exact", cd_merge_kdop2_kdop2(&b, &all));
        CHECK(memcmp(both.min, a.min, n * sizeof(cd_real)) == 0 &&
              memcmp(both.max, a.max, n * sizeof(cd_real)) == 0);
        if (cd_test_2d_polygon_polygon(p, half < 3 ? half : 3, p + half, count - half < 3 ? count - half : 3))
            CHECK(ASK("exact", cd_test_2d_kdop_kdop(&b, &all)));
    }
}

static void odd_kdops(void) {
    cd_vec2 p[3] = {{3, 1}, {5, 4}, {1, 5}}, directions[CD_KDOP2_DIRECTIONS];
    const cd_real least[4] = {1, 1, 4, -4}, most[4] = {5, 5, 9, 2};
    uint32_t n = ASK("exact", cd_kdop2_directions(8, directions));
    cd_kdop2 a, b;
    CHECK_INT(n, 4);
    CHECK_INT(ASK("exact", cd_kdop2_directions(6, directions)), 0);
    CHECK_INT(cd_kdop2_from_points(p, 3, directions, n, &a), CD_OK);
    for (int i = 0; i < 4; ++i) CHECK(a.min[i] == least[i] && a.max[i] == most[i]);
    CHECK(cd_test_2d_point_kdop(p[1], &a, directions) &&
          !cd_test_2d_point_kdop(cd_vec2_make(5, 5), &a, directions));
    CHECK_INT(cd_kdop2_from_points(p, 3, directions, 2, &b), CD_OK);
    CHECK(!cd_test_2d_kdop_kdop(&a, &b) && cd_merge_kdop2_kdop2(&a, &b).count == 0);
    b = a;
    for (int i = 0; i < 4; ++i) b.min[i] += 20, b.max[i] += 20;
    CHECK(cd_test_2d_kdop_kdop(&a, &a) && !cd_test_2d_kdop_kdop(&a, &b));
    CHECK_INT(cd_kdop2_from_points(p, 0, directions, n, &a), CD_INVALID_ARGUMENT);
    CHECK_INT(a.count, 0);
    CHECK(!cd_test_2d_kdop_kdop(&a, &a) && !cd_test_2d_point_kdop(p[0], &a, directions));
    CHECK_INT(cd_kdop2_from_points(p, 3, directions, 9, &a), CD_INVALID_ARGUMENT);
    p[1].x = (cd_real)NAN;
    CHECK_INT(cd_kdop2_from_points(p, 3, directions, n, &a), CD_INVALID_ARGUMENT);
}

/* Exactly inside by both readings of the stored rectangle. */
static void check_in_rectangle(const cd_obb2 *b, exact2 p) {
    exact x = exact_sub(p.x, of(b->center.x)), y = exact_sub(p.y, of(b->center.y));
    exact ux = of(b->axis.x), uy = of(b->axis.y), n = exact_add(exact_mul(ux, ux), exact_mul(uy, uy));
    exact s = exact_add(exact_mul(ux, x), exact_mul(uy, y)),
          t = exact_sub(exact_mul(ux, y), exact_mul(uy, x));
    s.sign = s.sign < 0 ? 1 : s.sign;
    t.sign = t.sign < 0 ? 1 : t.sign;
    CHECK(at_most(s, of(b->half.x)) && at_most(t, of(b->half.y)));
    CHECK(at_most(s, exact_mul(n, of(b->half.x))) && at_most(t, exact_mul(n, of(b->half.y))));
}

static void rectangles_around_points(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        gen g = any_gen(&rng);
        cd_vec2 p[10], axis = cd_vec2_sub(gen_point2(&g), gen_point2(&g)), u;
        size_t count = (size_t)test_int(&rng, 1, 10);
        cd_obb2 b, c = gen_obb2(&g, false), both;
        shape s;
        double lo = HUGE_VAL, hi = -HUGE_VAL, size = 0;
        exact_pool pool;
        if (axis.x == 0 && axis.y == 0) axis.x = 1;
        for (size_t k = 0; k < count; ++k) p[k] = gen_point2(&g);
        test_note("");
        test_note_reals("p", REALS(p), (int)(2 * count));
        test_note_reals("axis", REALS(axis), 2);
        CHECK_INT(ASK("exact", cd_obb2_from_points_along(p, count, axis, &b)), CD_OK);
        CHECK(ASK("exact", cd_obb2_is_valid(&b)));
        u = b.axis;
        pool = exact_begin();
        for (size_t k = 0; k < count; ++k) {
            double at = (double)u.x * (double)p[k].x + (double)u.y * (double)p[k].y;
            lo = fmin(lo, at);
            hi = fmax(hi, at);
            size = fmax(size, fabs((double)p[k].x) + fabs((double)p[k].y));
            check_in_rectangle(&b, exact_point(p[k]));
        }
        CHECK_NEAR((double)b.half.x, 0.5 * (hi - lo), (4 * EPS + 1e-14) * size + 1e-40);
        if (cd_obb2_is_valid(&c)) {
            CHECK_INT(ASK("exact", cd_merge_obb2_obb2(&b, &c, &both)), CD_OK);
            shape_of_obb(&s, &b);
            for (int k = 0; k < 4; ++k) check_in_rectangle(&both, s.p[k]);
            shape_of_obb(&s, &c);
            for (int k = 0; k < 4; ++k) check_in_rectangle(&both, s.p[k]);
        }
        exact_end(pool);
    }
}

static void odd_fits(void) {
    cd_vec2 p[2] = {{CD_REAL_MAX, CD_REAL_MAX}, {-CD_REAL_MAX, CD_REAL_MAX}}, axis = {1, 1};
    cd_obb2 b, c;
    CHECK_INT(ASK("bad", cd_obb2_from_points_along(p, 2, axis, &b)), CD_OK);
    CHECK((double)b.half.x > 0.707 * (double)CD_REAL_MAX && (double)b.half.x < 0.708 * (double)CD_REAL_MAX);
    p[1].y = -CD_REAL_MAX;
    CHECK_INT(ASK("bad", cd_obb2_from_points_along(p, 2, axis, &b)), CD_TOO_LARGE);
    CHECK(b.half.x == 0 && b.axis.x == 0);
    CHECK_INT(ASK("bad", cd_obb2_from_points_along(p, 0, axis, &b)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_obb2_from_points_along(p, 2, cd_vec2_make(0, 0), &b)), CD_INVALID_ARGUMENT);
    p[0] = p[1] = cd_vec2_make(1, 2);
    CHECK_INT(ASK("bad", cd_obb2_from_points_along(p, 2, axis, &b)), CD_OK);
    c = b;
    c.half.y = -1;
    CHECK_INT(ASK("bad", cd_merge_obb2_obb2(&b, &c, &c)), CD_INVALID_ARGUMENT);
    p[1].y = (cd_real)NAN;
    CHECK_INT(ASK("bad", cd_obb2_from_points_along(p, 2, axis, &b)), CD_INVALID_ARGUMENT);
}

/* ---- rays ---- */

static void rays_and_rectangles(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(20000);
    for (long i = times; i > 0; --i) {
        gen g = any_gen(&rng);
        cd_aabb2 b = gen_aabb2(&g);
        cd_vec2 o = gen_point2(&g), d = cd_vec2_sub(gen_point2(&g), o);
        double origin[3] = {0, 0, 0}, dir[3] = {0, 0, 0}, lo[3] = {0, 0, -1}, hi[3] = {0, 0, 1};
        oracle_span want;
        cd_hit hit;
        bool got;
        if (!test_int(&rng, 0, 3)) d.x = 0;
        to_doubles(&o.x, origin, 2);
        to_doubles(&d.x, dir, 2);
        to_doubles(&b.min.x, lo, 2);
        to_doubles(&b.max.x, hi, 2);
        test_note("");
        test_note_reals("o", &o.x, 2);
        test_note_reals("d", &d.x, 2);
        test_note_reals("b", REALS(b), 4);
        want = oracle_ray_box(origin, dir, lo, hi);
        if (want.hit_ray && want.t_in > 1e30) continue;
        memset(&hit, 0, sizeof hit);
        got = ASK("exact", cd_cast_ray_rect(o, d, CD_REAL_MAX, b, NULL, &hit));
        CHECK_INT(got, want.hit_ray);
        if (!got) continue;
        ++hits;
        CHECK(hit.point.z == 0 && hit.normal.z == 0);
        if (want.t_in > 0) CHECK_ULPS((double)hit.t, want.t_in, 4, want.t_in);
        if (want.t_in > 0) CHECK(hit.feature == CD_FEATURE(3u, 0) || (hit.feature & 7u) < 4u);
    }
    CHECK_SEEN(hits > times / 20);
}

static void rays_that_start_inside(void) {
    cd_aabb2 b = {{0, 0}, {4, 2}};
    cd_cast_options options;
    cd_hit hit;
    memset(&options, 0, sizeof options);
    options.flags = CD_CAST_START_DEPTH;
    CHECK(cd_cast_ray_rect(cd_vec2_make(2, (cd_real)1.5), cd_vec2_make(1, 0), 10, b, &options, &hit));
    CHECK(hit.t == 0 && hit.depth == (cd_real)0.5 && hit.normal.y == 1);
    CHECK(!cd_cast_ray_rect(cd_vec2_make(5, 3), cd_vec2_make(1, 0), 10, b, NULL, &hit));
    CHECK(cd_cast_ray_rect(cd_vec2_make(-1, 2), cd_vec2_make(2, 0), 10, b, NULL, &hit) &&
          hit.t == (cd_real)0.5 && hit.normal.x == -1);
    CHECK(!cd_cast_ray_rect(cd_vec2_make(-1, 2), cd_vec2_make(2, (cd_real)NAN), 10, b, NULL, &hit));
    CHECK(!cd_cast_ray_rect(cd_vec2_make(1, 1), cd_vec2_make(1, 0), 10, cd_aabb2_empty(), NULL, &hit));
}

static void found_by_review(void) {
    cd_obb2 b;
    cd_circle c;
    cd_aabb2 r;
    cd_transform2 pose;
    double smallest = sizeof(cd_real) == 4 ? 1.40129846432481707e-45 : 4.94065645841246544e-324;
    cd_real least = (cd_real)smallest;
    /* an axis that is not unit: the rectangle is that much larger */
    b.center = cd_vec2_make(0, 0);
    b.axis = cd_vec2_make(2, 0);
    b.half = cd_vec2_make(1, 1);
    c.center = cd_vec2_make((cd_real)2.5, 0);
    c.radius = (cd_real)0.5;
    CHECK(cd_test_2d_circle_obb(c, &b));
    c.radius = (cd_real)0.49;
    CHECK(!cd_test_2d_circle_obb(c, &b));
    /* without an axis it is a point */
    b.axis = cd_vec2_make(0, 0);
    CHECK(!cd_test_2d_circle_obb(c, &b));
    CHECK(!cd_test_2d_point_obb(c.center, &b));
    CHECK(cd_test_2d_point_obb(b.center, &b));
    /* the smallest numbers */
    r.min = cd_vec2_make(0, 0);
    r.max = cd_vec2_make(least, CD_REAL_MAX);
    CHECK_NEAR(cd_aabb2_area(r), (double)least * (double)CD_REAL_MAX, 1e-20);
    pose.rotation = cd_vec2_make(3, 4);
    pose.position = cd_vec2_make(0, 0);
    r.max = cd_vec2_make(least, least);
    CHECK(cd_aabb2_transform(r, &pose).max.y >= 2 * least); /* 1.4 of it */
}

void suite_planar(void) {
    RUN(found_by_review);
    RUN(circles);
    RUN(odd_circles);
    RUN(circles_and_rectangles);
    RUN(rectangles_meet_exactly);
    RUN(rectangles_hold_their_corners);
    RUN(points_of_rectangles);
    RUN(odd_rectangles);
    RUN(endless_rectangles);
    RUN(rectangles_without_width);
    RUN(support_along_any_length);
    RUN(areas_of_the_widest);
    RUN(rectangles_without_axes);
    RUN(polygons_meet_exactly);
    RUN(large_polygons);
    RUN(kdops_hold_their_points);
    RUN(odd_kdops);
    RUN(rectangles_around_points);
    RUN(odd_fits);
    RUN(rays_and_rectangles);
    RUN(rays_that_start_inside);
}
