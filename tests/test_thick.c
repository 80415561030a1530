/* Thick planes: sides against exact numbers, cuts that are the same from either end, parts that add up. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define UNIT 2.220446049250313e-16
#else
#define UNIT 1.1920928955078125e-7
#endif

/* Whole numbers: n . p - d against +- thickness |n|, exactly. */
static uint32_t true_side(const int p[3], const int n[3], int d, int thickness) {
    long height = (long)n[0] * p[0] + (long)n[1] * p[1] + (long)n[2] * p[2] - d;
    long square = (long)n[0] * n[0] + (long)n[1] * n[1] + (long)n[2] * n[2];
    if (height * height <= (long)thickness * thickness * square) return CD_SIDE_ON;
    return height > 0 ? CD_SIDE_FRONT : CD_SIDE_BACK;
}

static void sides_of_whole_numbers(void) {
    test_rng rng = test_random();
    long all = test_times(4000), on = 0;
    for (long i = 0; i < all; ++i) {
        cd_vec3 c[5];
        cd_plane plane;
        cd_segment s;
        cd_triangle t;
        int n[3], d = test_int(&rng, -9, 9), thickness = test_int(&rng, 0, 3);
        uint32_t side[5], sides = 0;
        for (int k = 0; k < 3; ++k) n[k] = test_int(&rng, -3, 3);
        if (!n[0] && !n[1] && !n[2]) n[i % 3] = 1;
        plane.n = cd_vec3_make((cd_real)n[0], (cd_real)n[1], (cd_real)n[2]);
        plane.d = (cd_real)d;
        test_note("thickness %d ", thickness);
        test_note_reals("plane", REALS(plane), 4);
        for (int k = 0; k < 5; ++k) {
            int p[3];
            for (int m = 0; m < 3; ++m) p[m] = test_int(&rng, -4, 4);
            c[k] = cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
            side[k] = true_side(p, n, d, thickness);
            sides |= side[k];
            on += side[k] == CD_SIDE_ON;
            CHECK_INT(ASK("exact", cd_locate_point_thick_plane(c[k], plane, (cd_real)thickness)),
                      side[k] == CD_SIDE_FRONT ? -1 : side[k] == CD_SIDE_BACK);
            if (!thickness)
                CHECK_INT(ASK("exact", cd_locate_point_thick_plane(c[k], plane, 0)),
                          cd_locate_point_plane(c[k], plane));
        }
        s.a = c[0], s.b = c[1];
        t.a = c[0], t.b = c[1], t.c = c[2];
        CHECK_INT(ASK("judge", cd_classify_segment_plane(&s, plane, (cd_real)thickness)), side[0] | side[1]);
        CHECK_INT(ASK("judge", cd_classify_triangle_plane(&t, plane, (cd_real)thickness)),
                  side[0] | side[1] | side[2]);
        CHECK_INT(ASK("judge", cd_classify_polygon_plane(c, 5, plane, (cd_real)thickness)), sides);
    }
    CHECK_SEEN(on > all / 10);
}

static bool same(cd_vec3 a, cd_vec3 b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

/* An edge is cut at one point, from either end, by the plane or the plane turned around; near the plane, within the edge. */
static void edges_are_cut_alike(void) {
    test_rng rng = test_random();
    long all = test_times(4000), cut = 0;
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_vec3 a = gen_point(&g), b = gen_point(&g), p;
        cd_plane plane, other;
        double largest = 0;
        plane.n = gen_direction(&g);
        plane.d = 0;
        if (i % GEN_KINDS != GEN_WIDE) plane.n = cd_vec3_normalize(plane.n);
        {
            cd_vec3 through = cd_vec3_lerp(a, b, (cd_real)test_unit(&rng));
            plane.d = cd_vec3_dot(plane.n, through);
        }
        if (!cd_plane_is_valid(&plane)) continue;
        other.n = cd_vec3_neg(plane.n);
        other.d = -plane.d;
        test_note("");
        test_note_reals("a", REALS(a), 3);
        test_note_reals("b", REALS(b), 3);
        test_note_reals("plane", REALS(plane), 4);
        p = ASK("forms", cd_intersect_edge_plane(a, b, plane));
        CHECK(same(p, ASK("forms", cd_intersect_edge_plane(b, a, plane))));
        CHECK(same(p, ASK("forms", cd_intersect_edge_plane(a, b, other))));
        for (int k = 0; k < 3; ++k) {
            CHECK(REALS(p)[k] >= fmin((double)REALS(a)[k], (double)REALS(b)[k]));
            CHECK(REALS(p)[k] <= fmax((double)REALS(a)[k], (double)REALS(b)[k]));
            largest = fmax(largest, fmax(fabs((double)REALS(a)[k]), fabs((double)REALS(b)[k])));
        }
        if (i % GEN_KINDS != GEN_WIDE &&
            cd_classify_polygon_plane(&a, 1, plane, 0) + cd_classify_polygon_plane(&b, 1, plane, 0) ==
                CD_SIDE_BOTH) {
            CHECK(fabs((double)cd_dist_point_plane(p, plane)) <=
                  4 * UNIT * fmax(largest, fabs((double)plane.d)));
            ++cut;
        }
    }
    CHECK_SEEN(cut > all / 10);
}

static double area(const cd_vec3 *p, size_t count, cd_vec3 n) {
    double sum = 0;
    for (size_t i = 0; i + 2 < count; ++i) {
        double u[3], v[3];
        for (int k = 0; k < 3; ++k) {
            u[k] = (double)REALS(p[i + 1])[k] - (double)REALS(p[0])[k];
            v[k] = (double)REALS(p[i + 2])[k] - (double)REALS(p[0])[k];
        }
        sum += ((u[1] * v[2] - u[2] * v[1]) * (double)n.x + (u[2] * v[0] - u[0] * v[2]) * (double)n.y +
                (u[0] * v[1] - u[1] * v[0]) * (double)n.z) /
               2;
    }
    return sum;
}

/* A convex polygon in z = 0 on a circle: parts on their sides, as large together but for the thickness, with corners in common. */
static void polygons_fall_into_two(void) {
    test_rng rng = test_random();
    long all = test_times(1500), both = 0;
    for (long i = 0; i < all; ++i) {
        cd_vec3 p[12], front[13], back[13], up = cd_vec3_make(0, 0, 1);
        cd_plane plane;
        cd_split s;
        size_t count = (size_t)test_int(&rng, 3, 12), shared = 0;
        double angle = test_range(&rng, 0, 6.28), thickness = test_int(&rng, 0, 2) * 0.03, whole;
        uint32_t sides;
        for (size_t k = 0; k < count; ++k) {
            double at = angle + 6.283185307179586 * (double)k / (double)count;
            p[k] = cd_vec3_make((cd_real)cos(at), (cd_real)sin(at), 0);
        }
        angle = test_range(&rng, 0, 6.28);
        plane.n = cd_vec3_make((cd_real)cos(angle), (cd_real)sin(angle), (cd_real)test_range(&rng, -1, 1));
        plane.d = (cd_real)test_range(&rng, -1.1, 1.1);
        if (!test_int(&rng, 0, 3)) plane.d = cd_vec3_dot(plane.n, p[test_int(&rng, 0, (int)count - 1)]);
        test_note("thickness %g ", thickness);
        test_note_reals("polygon", REALS(p), 3 * (int)count);
        test_note_reals("plane", REALS(plane), 4);
        s.front = front;
        s.back = back;
        s.capacity = 13;
        sides = ASK("judge", cd_split_polygon(p, count, plane, (cd_real)thickness, &s));
        CHECK_INT(sides, cd_classify_polygon_plane(p, count, plane, (cd_real)thickness));
        CHECK(s.front_count <= count + 1 && s.back_count <= count + 1);
        CHECK_INT(s.front_count > 0, (sides & CD_SIDE_FRONT) != 0);
        CHECK_INT(s.back_count > 0, (sides & CD_SIDE_BACK) != 0);
        CHECK(!(ASK("judge",
                    cd_classify_polygon_plane(front, s.front_count, plane, (cd_real)(thickness + 1e-6))) &
                CD_SIDE_BACK));
        CHECK(!(
            ASK("judge", cd_classify_polygon_plane(back, s.back_count, plane, (cd_real)(thickness + 1e-6))) &
            CD_SIDE_FRONT));
        if (sides != CD_SIDE_BOTH) continue;
        whole = area(p, count, up);
        CHECK(s.front_count >= 3 && s.back_count >= 3);
        CHECK_NEAR(area(front, s.front_count, up) + area(back, s.back_count, up), whole,
                   thickness > 0 ? 0.3 : 1e-5);
        for (size_t k = 0; k < s.front_count; ++k)
            for (size_t m = 0; m < s.back_count; ++m) shared += same(front[k], back[m]);
        CHECK(shared >= 2 || thickness > 0);
        ++both;
        s.capacity = 2; /* no room: counted, and nothing else touched */
        front[2] = up;
        CHECK_INT(ASK("judge", cd_split_polygon(p, count, plane, (cd_real)thickness, &s)), CD_SIDE_BOTH);
        CHECK(s.front_count >= 3 && same(front[2], up));
    }
    CHECK_SEEN(both > all / 4);
}

/* Two triangles along an edge, cut by one plane: they have the same point on it, and so have their parts. */
static void neighbours_fit(void) {
    test_rng rng = test_random();
    long all = test_times(2000), both = 0;
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_triangle t, u;
        cd_plane plane;
        cd_split_triangles x, y;
        cd_segment e, front, back, turned, f2, b2;
        uint32_t sides;
        t = gen_triangle(&g);
        u.a = t.b;
        u.b = t.a;
        u.c = gen_point(&g);
        plane.n = gen_direction(&g);
        plane.d = cd_vec3_dot(plane.n, cd_vec3_lerp(t.a, t.b, (cd_real)0.5));
        if (!cd_plane_is_valid(&plane)) continue;
        test_note("");
        test_note_reals("t", REALS(t), 9);
        test_note_reals("plane", REALS(plane), 4);
        e.a = t.a, e.b = t.b;
        turned.a = t.b, turned.b = t.a;
        sides = ASK("judge", cd_split_segment(&e, plane, 0, &front, &back));
        CHECK_INT(ASK("judge", cd_split_segment(&turned, plane, 0, &f2, &b2)), sides);
        CHECK_INT(ASK("judge", cd_split_segment(&e, plane, 0, NULL, NULL)), sides);
        if (sides == CD_SIDE_BOTH) {
            cd_vec3 cut = cd_intersect_edge_plane(t.a, t.b, plane);
            int in_x = 0, in_y = 0;
            CHECK(same(front.a, cut) || same(front.b, cut));
            CHECK(same(back.a, cut) || same(back.b, cut));
            CHECK(same(f2.a, cut) || same(f2.b, cut));
            CHECK_INT(ASK("forms", cd_split_triangle(&t, plane, 0, &x)), CD_SIDE_BOTH);
            CHECK_INT(ASK("forms", cd_split_triangle(&u, plane, 0, &y)), CD_SIDE_BOTH);
            for (uint32_t k = 0; k < x.front_count; ++k)
                in_x += same(x.front[k].a, cut) || same(x.front[k].b, cut) || same(x.front[k].c, cut);
            for (uint32_t k = 0; k < y.back_count; ++k)
                in_y += same(y.back[k].a, cut) || same(y.back[k].b, cut) || same(y.back[k].c, cut);
            CHECK(in_x > 0 && in_y > 0);
            ++both;
        }
    }
    CHECK_SEEN(both > all / 4);
}

static void bad_input(void) {
    cd_vec3 p[3], bad = cd_vec3_make((cd_real)NAN, 0, 0);
    cd_plane plane, none;
    cd_split s;
    memset(p, 0, sizeof p);
    memset(&s, 0, sizeof s);
    memset(&none, 0, sizeof none);
    p[0].x = 2;
    p[1].x = -2;
    plane.n = cd_vec3_make(1, 0, 0);
    plane.d = 0;
    CHECK_INT(cd_locate_point_thick_plane(bad, plane, 0), -1);
    CHECK_INT(cd_locate_point_thick_plane(p[0], none, 0), -1);
    CHECK_INT(cd_locate_point_thick_plane(p[1], plane, -1), -1);
    CHECK_INT(cd_locate_point_thick_plane(p[1], plane, (cd_real)NAN), -1);
    CHECK_INT(ASK("bad", cd_classify_polygon_plane(&bad, 1, plane, 0)), CD_SIDE_ON);
    CHECK_INT(ASK("bad", cd_classify_polygon_plane(NULL, 0, plane, 0)), CD_SIDE_ON);
    CHECK(isnan((double)cd_intersect_edge_plane(bad, p[0], plane).x));
    CHECK(isnan((double)cd_intersect_edge_plane(p[0], p[1], none).x));
    CHECK_INT(cd_split_polygon(p, 3, none, 0, &s), CD_SIDE_ON);
    CHECK_INT(s.front_count + s.back_count, 0);
    CHECK_INT(cd_split_polygon(p, 3, plane, 0, &s), CD_SIDE_BOTH);
    CHECK_INT(s.front_count, 3);
}

void suite_thick(void) {
    RUN(sides_of_whole_numbers);
    RUN(edges_are_cut_alike);
    RUN(polygons_fall_into_two);
    RUN(neighbours_fit);
    RUN(bad_input);
}
