/* What spheres are like, planes, and the quick fits of spheres and circles: containment is judged in exact numbers. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 60 };

#define EPS ((double)CD_REAL_EPSILON)

/* |p - c|^2 <= r^2 */
static bool holds(cd_sphere s, cd_vec3 p) {
    exact_pool pool = exact_begin();
    double c[3], q[3];
    exact3 d;
    exact r = exact_from((double)s.radius);
    bool inside;
    to_doubles(&s.center.x, c, 3);
    to_doubles(&p.x, q, 3);
    d = exact3_sub(exact3_from(q), exact3_from(c));
    inside = r.sign >= 0 && exact_compare(exact3_dot(d, d), exact_mul(r, r)) <= 0;
    exact_end(pool);
    return inside;
}

/* ---- what they are like ---- */

static void measures(void) {
    cd_sphere s = {{1, 2, 3}, 2};
    cd_transform pose = {{0, 0, 1, 0}, {10, 0, 0}};
    CHECK_NEAR(ASK("exact", cd_sphere_volume(s)), 33.510321638291128, 40 * EPS);
    CHECK_NEAR(ASK("exact", cd_sphere_surface_area(s)), 50.265482457436692, 60 * EPS);
    CHECK_VEC(ASK("exact", cd_sphere_transform(s, &pose)).center, cd_vec3_make(9, -2, 3), 8 * EPS);
    CHECK(ASK("exact", cd_sphere_transform(s, &pose)).radius == 2);
    CHECK_VEC(cd_sphere_support(s, cd_vec3_make(0, 0, 7)), cd_vec3_make(1, 2, 5), 0);
    CHECK_VEC(cd_sphere_support(s, cd_vec3_make(0, 0, 0)), cd_vec3_make(3, 2, 3), 0);
    CHECK_VEC(cd_sphere_support(s, cd_vec3_make((cd_real)NAN, 0, 0)), cd_vec3_make(3, 2, 3), 0);
    s.radius = CD_REAL_MAX;
    CHECK(isinf((double)ASK("exact", cd_sphere_volume(s))) &&
          isinf((double)ASK("exact", cd_sphere_surface_area(s))));
    s.radius = -1;
    CHECK(ASK("exact", cd_sphere_volume(s)) == 0 && ASK("exact", cd_sphere_surface_area(s)) == 0);
    CHECK_VEC(cd_sphere_support(s, cd_vec3_make(0, 0, 7)), s.center, 0);
    s.radius = (cd_real)NAN;
    CHECK(isnan((double)ASK("exact", cd_sphere_volume(s))) &&
          isnan((double)ASK("exact", cd_sphere_surface_area(s))));
}

/* No point of the sphere is farther along a direction than its support. */
static void supports(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_sphere s = gen_sphere(&g);
        cd_vec3 d = gen_direction(&g), p = ASK("judge", cd_sphere_support(s, d));
        double c[3], n[3], q[3], size, length, along = 0;
        to_doubles(&s.center.x, c, 3);
        to_doubles(&d.x, n, 3);
        to_doubles(&p.x, q, 3);
        size = fmax(largest(c, 3), (double)s.radius);
        length = largest(n, 3);
        for (int k = 0; k < 3; ++k) n[k] /= length;
        length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (int k = 0; k < 3; ++k) along += (q[k] - c[k]) * (n[k] / length);
        CHECK_ULPS(along, (double)s.radius, 4, size);
    }
}

/* ---- planes ---- */

/* The sign of |n . c - d| - r |n|, or without the absolute value; exact. */
static int plane_gap(cd_sphere s, cd_plane p, bool both) {
    exact_pool pool = exact_begin();
    double c[3], n[3];
    exact3 e;
    exact height, square, r = exact_from((double)s.radius);
    int sign;
    to_doubles(&s.center.x, c, 3);
    to_doubles(&p.n.x, n, 3);
    e = exact3_from(n);
    height = exact_sub(exact3_dot(e, exact3_from(c)), exact_from((double)p.d));
    square = exact_mul(exact_mul(r, r), exact3_dot(e, e));
    sign = !both && height.sign < 0 ? -1 : exact_compare(exact_mul(height, height), square);
    exact_end(pool);
    return sign;
}

static void planes(void) {
    test_rng rng = test_random();
    int touching = 0, apart = 0;
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_sphere s = gen_sphere(&g);
        cd_plane p;
        int gap, side;
        p.n = gen_direction(&g);
        p.d = test_int(&rng, 0, 1) ? gen_coordinate(&g, 0) : cd_vec3_dot(p.n, gen_point(&g));
        if (test_int(&rng, 0, 2) ==
            0) { /* touching but for rounding, exactly along an axis or with a Pythagorean normal */
            int k = test_int(&rng, 0, 2);
            static const cd_vec3 normal[3] = {{1, 0, 0}, {3, 4, 0}, {2, 3, 6}};
            static const cd_real length[3] = {1, 5, 7};
            p.n = normal[k];
            p.d = gen_near(&rng, cd_vec3_dot(p.n, s.center) +
                                     (test_int(&rng, 0, 1) ? -1 : 1) * length[k] * s.radius);
        }
        if (!cd_plane_is_valid(&p)) continue;
        test_note("");
        test_note_reals("sphere", &s.center.x, 4);
        test_note_reals("plane", &p.n.x, 4);
        gap = plane_gap(s, p, true);
        side = plane_gap(s, p, false);
        touching += gap == 0;
        apart += side > 0;
        CHECK_INT(ASK("exact", cd_test_sphere_plane(s, p)), gap <= 0);
        CHECK_INT(ASK("exact", cd_test_sphere_halfspace(s, p)), side <= 0);
        CHECK_INT(ASK("exact", cd_locate_sphere_halfspace(s, p)), side > 0 ? -1 : gap <= 0 ? 0 : 1);
    }
    CHECK_SEEN(touching > 0 && apart > 0);
}

static void no_planes(void) {
    cd_sphere s = {{0, 0, 0}, 1}, none = {{0, 0, 0}, -1};
    cd_plane p = {{0, 0, 1}, 1}, zero = {{0, 0, 0}, 0};
    CHECK(cd_test_sphere_plane(s, p) && cd_test_sphere_halfspace(s, p));
    CHECK(!cd_test_sphere_plane(none, p) && !cd_test_sphere_halfspace(none, p));
    CHECK_INT(cd_locate_sphere_halfspace(none, p), -1);
    CHECK(!cd_test_sphere_plane(s, zero) && !cd_test_sphere_halfspace(s, zero));
    p.d = -2;
    CHECK(!cd_test_sphere_plane(s, p) && !cd_test_sphere_halfspace(s, p));
    p.d = 2;
    CHECK(!cd_test_sphere_plane(s, p) && cd_test_sphere_halfspace(s, p));
    p.d = (cd_real)NAN;
    CHECK(!cd_test_sphere_plane(s, p) && !cd_test_sphere_halfspace(s, p));
}

/* ---- with the closest point ---- */

static void closest_points(void) {
    test_rng rng = test_random();
    int met = 0;
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_sphere s = gen_sphere(&g);
        cd_triangle t = gen_triangle(&g);
        cd_aabb b = gen_aabb(&g);
        cd_obb o = gen_obb(&g);
        const cd_vec3 nowhere = {1, 2, 3};
        cd_vec3 p = nowhere, want;
        bool meet = cd_test_sphere_aabb(s, b);
        CHECK_INT(ASK("forms", cd_test_sphere_aabb_closest(s, b, &p)), meet);
        want = meet ? cd_closest_pt_point_aabb(s.center, b) : nowhere;
        CHECK_VEC(p, want, 0);
        met += meet;
        p = nowhere;
        meet = cd_test_sphere_obb(s, &o);
        CHECK_INT(ASK("forms", cd_test_sphere_obb_closest(s, &o, &p)), meet);
        want = meet ? cd_closest_pt_point_obb(s.center, &o) : nowhere;
        CHECK_VEC(p, want, 0);
        p = nowhere;
        meet = cd_test_sphere_triangle(s, &t);
        CHECK_INT(ASK("forms", cd_test_sphere_triangle_closest(s, &t, &p)), meet);
        want = meet ? cd_closest_pt_point_triangle(s.center, &t) : nowhere;
        CHECK_VEC(p, want, 0);
        p = nowhere;
        meet = cd_test_sphere_polygon(s, &t.a, 3);
        CHECK_INT(ASK("forms", cd_test_sphere_polygon_closest(s, &t.a, 3, &p)), meet);
        want = meet ? cd_closest_pt_point_polygon(s.center, &t.a, 3) : nowhere;
        CHECK_VEC(p, want, 0);
        CHECK_INT(ASK("forms", cd_test_sphere_polygon_closest(s, &t.a, 3, NULL)), meet);
    }
    CHECK_SEEN(met > 0);
}

/* ---- fits ---- */

typedef cd_status fit(const cd_vec3 *points, size_t count, cd_sphere *out);

static cd_status refined(const cd_vec3 *points, size_t count, cd_sphere *out) {
    return cd_sphere_ritter_iterative(points, count, NULL, out);
}

static cd_status refined_eigen(const cd_vec3 *points, size_t count, cd_sphere *out) {
    cd_ritter_options o;
    memset(&o, 0, sizeof o);
    o.start = CD_RITTER_START_EIGEN;
    o.iterations = 3;
    o.shrink = (cd_real)0.9;
    return cd_sphere_ritter_iterative(points, count, &o, out);
}

static const struct {
    fit *run;
    double most; /* times the optimum, beyond rounding */
    const char *name;
} fits[] = {{cd_sphere_welzl, 1.0, "cd_sphere_welzl"},
            {cd_sphere_aabb, 1.8, "cd_sphere_aabb"},
            {cd_sphere_ritter, 1.8, "cd_sphere_ritter"},
            {cd_sphere_eigen, 2.01, "cd_sphere_eigen"},
            {cd_sphere_ritter_eigen, 1.8, "cd_sphere_ritter_eigen"},
            {refined, 1.8, "cd_sphere_ritter_iterative"},
            {refined_eigen, 1.8, "cd_sphere_ritter_iterative"}};
enum { FITS = (int)(sizeof fits / sizeof fits[0]) };

/* A set of one of many kinds; returns how many. */
static int draw_points(gen *g, cd_vec3 *p) {
    int n = test_int(g->rng, 1, MOST), kind = test_int(g->rng, 0, 4);
    for (int k = 0; k < n; ++k) {
        p[k] = gen_point(g);
        if (kind == 1) p[k].y = p[0].y;
        if (kind == 2 && k > 0)
            p[k] = cd_vec3_along(p[0], cd_vec3_sub(p[1], p[0]), (cd_real)test_int(g->rng, -9, 9));
        if (kind == 3 && k > 0) p[k] = p[test_int(g->rng, 0, k - 1)];
    }
    return n;
}

static void all_fits_hold_all_points(void) {
    test_rng rng = test_random();
    for (long i = test_times(1500); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p[MOST], copy[MOST];
        double size = 0, best = 0;
        int n = draw_points(&g, p);
        memcpy(copy, p, sizeof p[0] * (size_t)n);
        test_note("");
        test_note_reals("points", &p->x, 3 * n);
        for (int k = 0; k < 3 * n; ++k) size = fmax(size, fabs((double)REALS(p[k / 3])[k % 3]));
        for (int f = 0; f < FITS; ++f) {
            cd_sphere s;
            test_asked("exact", fits[f].name);
            CHECK_INT(fits[f].run(p, (size_t)n, &s), CD_OK);
            for (int k = 0; k < n; ++k) {
                if (!CHECK(holds(s, p[k]))) break;
            }
            if (f == 0) best = (double)s.radius;
            CHECK((double)s.radius <= fits[f].most * best + 8 * EPS * size);
            CHECK((double)s.radius >= best - 8 * EPS * size);
        }
        CHECK(memcmp(copy, p, sizeof p[0] * (size_t)n) == 0);
    }
}

static void fits_of_nothing_and_bad_numbers(void) {
    cd_vec3 p[3] = {
        {0, 0, 0}, {CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX}, {-CD_REAL_MAX, -CD_REAL_MAX, -CD_REAL_MAX}};
    cd_ritter_options o;
    cd_sphere s;
    for (int f = 0; f < FITS; ++f) {
        memset(&s, 1, sizeof s);
        test_asked("bad", fits[f].name);
        CHECK_INT(fits[f].run(NULL, 0, &s), CD_OK);
        CHECK(s.radius == -1 && s.center.x == 0);
        CHECK_INT(fits[f].run(p, 3, &s), CD_TOO_LARGE);
        CHECK(s.radius == 0);
        CHECK_INT(fits[f].run(p, 1, &s), CD_OK);
        CHECK(s.radius == 0 && s.center.x == 0);
        p[0].z = (cd_real)NAN;
        CHECK_INT(fits[f].run(p, 1, &s), CD_INVALID_ARGUMENT);
        CHECK(s.radius == 0 && s.center.z == 0);
        p[0].z = 0;
    }
    memset(&o, 0, sizeof o);
    o.start = 2;
    CHECK_INT(ASK("bad", cd_sphere_ritter_iterative(p, 1, &o, &s)), CD_INVALID_ARGUMENT);
    o.start = 0;
    o.shrink = 1;
    CHECK_INT(ASK("bad", cd_sphere_ritter_iterative(p, 1, &o, &s)), CD_INVALID_ARGUMENT);
    o.shrink = (cd_real)NAN;
    CHECK_INT(ASK("bad", cd_sphere_ritter_iterative(p, 1, &o, &s)), CD_INVALID_ARGUMENT);
}

/* Two points that are next to each other, and no number lies between. */
static void the_least_numbers(void) {
    cd_real least = sizeof(cd_real) == 4 ? (cd_real)1.401298464324817e-45 : (cd_real)4.9406564584124654e-324;
    cd_vec3 p[2];
    cd_sphere s;
    p[0] = cd_vec3_make(0, -least, -3 * least);
    p[1] = cd_vec3_make(least, -least, -3 * least);
    CHECK_INT(cd_sphere_welzl(p, 2, &s), CD_OK);
    CHECK(holds(s, p[0]) && holds(s, p[1]));
    CHECK(s.radius <= 2 * least);
}

/* Numbers of any size at all. */
static void fits_of_any_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        cd_vec3 p[6];
        int n = test_int(&rng, 1, 6);
        for (int k = 0; k < 3 * n; ++k) REALS(p[k / 3])
        [k % 3] = k > 3 && test_int(&rng, 0, 1) ? REALS(p[k / 3 - 1])[k % 3] : gen_any_real(&rng);
        test_note("");
        test_note_reals("points", &p->x, 3 * n);
        for (int f = 0; f < FITS; ++f) {
            cd_sphere s;
            cd_status status = fits[f].run(p, (size_t)n, &s);
            test_asked("exact", fits[f].name);
            CHECK(status == CD_OK || status == CD_TOO_LARGE);
            for (int k = 0; k < n && status == CD_OK; ++k) CHECK(holds(s, p[k]));
        }
    }
}

static void many_points(void) {
    static cd_vec3 p[5000];
    test_rng rng = test_random();
    cd_sphere s, smallest;
    for (int kind = 0; kind < 3; ++kind) {
        for (int k = 0; k < 5000; ++k) {
            p[k] = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1),
                                (cd_real)test_range(&rng, -1, 1));
            if (kind == 1) p[k] = cd_vec3_normalize(p[k]);
            if (kind == 2) p[k].x = (cd_real)(1e4 + 1e-3 * k), p[k].y = 0;
        }
        CHECK_INT(cd_sphere_welzl(p, 5000, &smallest), CD_OK);
        for (int f = 1; f < FITS; ++f) {
            CHECK_INT(fits[f].run(p, 5000, &s), CD_OK);
            for (int k = 0; k < 5000; ++k) CHECK(cd_test_point_sphere(p[k], s));
            CHECK((double)s.radius >= (double)smallest.radius * (1 - 4 * EPS) - 1e4 * 4 * EPS * (kind == 2));
        }
    }
}

static void boxes(void) {
    test_rng rng = test_random();
    cd_aabb b;
    cd_sphere s;
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        b = gen_aabb(&g);
        s = ASK("judge", cd_sphere_from_aabb(b));
        test_note("");
        test_note_reals("box", &b.min.x, 6);
        for (int k = 0; k < 8; ++k)
            CHECK(holds(s, cd_vec3_make(k & 1 ? b.max.x : b.min.x, k & 2 ? b.max.y : b.min.y,
                                        k & 4 ? b.max.z : b.min.z)));
    }
    CHECK(ASK("judge", cd_sphere_from_aabb(cd_aabb_empty())).radius == -1);
    b.min = cd_vec3_make(-1, -2, -2);
    b.max = cd_vec3_make(1, 2, 2);
    s = ASK("judge", cd_sphere_from_aabb(b));
    CHECK(s.radius == 3 && s.center.x == 0);
    b.max.x = (cd_real)NAN;
    CHECK(!cd_sphere_is_valid(ASK("judge", cd_sphere_from_aabb(b))));
}

/* ---- circles ---- */

/* The same as the sphere around the points at height 0. */
static void circles(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec2 flat[MOST];
        cd_vec3 p[MOST];
        cd_circle c, merged;
        cd_sphere s;
        int n = draw_points(&g, p);
        for (int k = 0; k < n; ++k) {
            p[k].z = 0;
            flat[k] = cd_vec2_make(p[k].x, p[k].y);
        }
        test_note("");
        test_note_reals("points", &flat->x, 2 * n);
        CHECK_INT(ASK("forms", cd_circle_welzl(flat, (size_t)n, &c)), CD_OK);
        CHECK_INT(cd_sphere_welzl(p, (size_t)n, &s), CD_OK);
        CHECK(c.radius == s.radius && c.center.x == s.center.x && c.center.y == s.center.y &&
              s.center.z == 0);
        CHECK_INT(ASK("forms", cd_circle_ritter(flat, (size_t)n, &merged)), CD_OK);
        CHECK_INT(cd_sphere_ritter(p, (size_t)n, &s), CD_OK);
        CHECK(merged.radius == s.radius && merged.center.x == s.center.x && merged.center.y == s.center.y);
        for (int k = 0; k < n; ++k) CHECK(holds(s, p[k]));
        merged =
            ASK("exact", cd_circle_add_point(c, cd_vec2_make(gen_coordinate(&g, 0), gen_coordinate(&g, 1))));
        CHECK(cd_circle_add_point(merged, flat[0]).radius >= c.radius);
        CHECK(cd_merge_circle_circle(merged, c).radius == merged.radius);
    }
}

static void no_circles(void) {
    cd_vec2 p[2] = {{0, 0}, {(cd_real)INFINITY, 0}};
    cd_circle c = {{1, 1}, 1}, none = {{0, 0}, -1};
    CHECK_INT(ASK("bad", cd_circle_welzl(p, 2, &c)), CD_INVALID_ARGUMENT);
    CHECK(c.radius == 0 && c.center.x == 0);
    CHECK_INT(ASK("bad", cd_circle_ritter(p, 2, &c)), CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_circle_ritter(NULL, 0, &c)), CD_OK);
    CHECK(c.radius == -1);
    CHECK_INT(ASK("bad", cd_circle_welzl(NULL, 0, &c)), CD_OK);
    CHECK(c.radius == -1);
    c = ASK("bad", cd_circle_add_point(none, cd_vec2_make(3, 4)));
    CHECK(c.radius == 0 && c.center.x == 3);
    c = cd_circle_add_point(c, cd_vec2_make(9, 12));
    CHECK(c.radius == 5 && c.center.x == 6 && c.center.y == 8);
}

void suite_sphere(void) {
    RUN(measures);
    RUN(supports);
    RUN(planes);
    RUN(no_planes);
    RUN(closest_points);
    RUN(all_fits_hold_all_points);
    RUN(fits_of_nothing_and_bad_numbers);
    RUN(the_least_numbers);
    RUN(fits_of_any_numbers);
    RUN(many_points);
    RUN(boxes);
    RUN(circles);
    RUN(no_circles);
}
