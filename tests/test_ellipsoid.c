/* Ellipsoids: exact containment, closest points, tests, casts, fits and merges. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

/* Kinds of magnitudes that a squared coordinate survives with digits to spare. */
static gen any_scene(test_rng *rng) {
    return gen_begin(rng, (gen_kind)test_int(rng, 0, GEN_KINDS - 1));
}

static cd_ellipsoid gen_ellipsoid(gen *g) {
    cd_obb b = gen_obb(g);
    cd_ellipsoid e;
    e.center = b.center;
    e.axes = b.axes;
    e.half = b.half;
    if (!test_int(g->rng, 0, 3)) REALS(e.half)[test_int(g->rng, 0, 2)] *= (cd_real)1e-3;
    if (!test_int(g->rng, 0, 9)) REALS(e.half)[test_int(g->rng, 0, 2)] = 0;
    if (!test_int(g->rng, 0, 9)) e.half.y = e.half.x;
    return e;
}

/* Does the system center + sum of axis_i half_i s_i = p have a solution with |s| <= 1? Cramer's rule in whole numbers. */
static bool oracle_in_ellipsoid(cd_vec3 p, const cd_ellipsoid *e) {
    double d[15], q[3];
    exact3 axis[3], way;
    exact det, sum, limit;
    bool inside = true;
    exact_pool pool = exact_begin();
    to_doubles(REALS(*e), d, 15);
    to_doubles(&p.x, q, 3);
    way = exact3_sub(exact3_from(q), exact3_from(d));
    for (int i = 0; i < 3; ++i) axis[i] = exact3_from(d + 3 + 3 * i);
    det = exact3_triple(axis[0], axis[1], axis[2]);
    limit = exact_mul(det, det);
    for (int i = 0; i < 3; ++i)
        if (d[12 + i] != 0) limit = exact_mul(limit, exact_mul(exact_from(d[12 + i]), exact_from(d[12 + i])));
    sum = exact_from(0);
    for (int i = 0; i < 3; ++i) {
        exact n = exact3_triple(way, axis[(i + 1) % 3], axis[(i + 2) % 3]);
        if (d[12 + i] == 0) {
            inside = inside && n.sign == 0;
            continue;
        }
        n = exact_mul(n, n);
        for (int j = 0; j < 3; ++j)
            if (j != i && d[12 + j] != 0)
                n = exact_mul(n, exact_mul(exact_from(d[12 + j]), exact_from(d[12 + j])));
        sum = exact_add(sum, n);
    }
    inside = inside && exact_compare(sum, limit) <= 0;
    exact_end(pool);
    return inside;
}

static cd_vec3 surface_point(const cd_ellipsoid *e, test_rng *rng) {
    double s[3], n = 0;
    cd_vec3 p = e->center;
    for (int i = 0; i < 3; ++i) {
        s[i] = test_int(rng, 0, 3) ? test_range(rng, -1, 1) : 0;
        n += s[i] * s[i];
    }
    if (n == 0) n = s[0] = 1;
    for (int i = 0; i < 3; ++i)
        p = cd_vec3_along(p, e->axes.col[i], (cd_real)(s[i] / sqrt(n) * (double)REALS(e->half)[i]));
    return p;
}

static void points_are_judged_exactly(void) {
    test_rng rng = test_random();
    long in = 0, times = test_times(10000);
    for (long i = times; i > 0; --i) {
        gen g = any_scene(&rng);
        cd_ellipsoid e = gen_ellipsoid(&g);
        cd_vec3 p = test_int(&rng, 0, 3) ? surface_point(&e, &rng) : gen_point(&g);
        bool want;
        if (!test_int(&rng, 0, 3)) {
            e.axes = cd_mat3_identity();
            p = e.center;
            REALS(p)[test_int(&rng, 0, 2)] += e.half.x;
        }
        if (!cd_ellipsoid_is_valid(&e)) continue;
        test_note("");
        test_note_reals("e", REALS(e), 15);
        test_note_reals("p", &p.x, 3);
        want = oracle_in_ellipsoid(p, &e);
        in += want;
        CHECK_INT(ASK("exact", cd_test_point_ellipsoid(p, &e)), want);
    }
    CHECK_SEEN(in > times / 10 && in < times * 9 / 10);
}

/* Simpson's rule over the sphere of directions: the area of the image of a small piece. */
static double area_by_sum(const double h[3]) {
    int n = 200;
    double sum = 0;
    for (int i = 0; i <= n; ++i) {
        double z = -1 + 2.0 * i / n, r = sqrt(1 - z * z > 0 ? 1 - z * z : 0), row = 0;
        for (int j = 0; j < n; ++j) {
            double a = 2 * 3.14159265358979323846 * j / n, x = r * cos(a), y = r * sin(a);
            double u = h[1] * h[2] * x, v = h[0] * h[2] * y, w = h[0] * h[1] * z;
            row += sqrt(u * u + v * v + w * w);
        }
        sum += row / n * (i == 0 || i == n ? 1 : i % 2 ? 4 : 2);
    }
    return sum * 2 / n / 3 * 2 * 3.14159265358979323846;
}

static cd_ellipsoid straight(double x, double y, double z) {
    cd_ellipsoid e;
    e.center = cd_vec3_make(0, 0, 0);
    e.axes = cd_mat3_identity();
    e.half = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
    return e;
}

static void volumes_and_areas(void) {
    test_rng rng = test_random();
    const double pi = 3.14159265358979323846;
    cd_ellipsoid e = straight(1, 1, 1);
    CHECK_NEAR(ASK("judge", cd_ellipsoid_volume(&e)), 4 * pi / 3, 4 * EPS);
    CHECK_NEAR(ASK("judge", cd_ellipsoid_surface_area(&e)), 4 * pi, 8 * EPS);
    e = straight(2, 0, 3);
    CHECK_NEAR(ASK("judge", cd_ellipsoid_surface_area(&e)), 12 * pi, 32 * EPS);
    e = straight(0, 4, 0);
    CHECK_SAME(ASK("judge", cd_ellipsoid_surface_area(&e)), 0);
    e = straight(1, 2, 3);
    CHECK_NEAR(ASK("judge", cd_ellipsoid_surface_area(&e)), 48.88214630258206, 48 * EPS);
    for (int k = 1; k < 12; ++k) { /* of revolution: the closed formulas */
        double c = ldexp(1.0, -k), x = sqrt(1 - c * c);
        e = straight(1, c, 1);
        CHECK_NEAR(ASK("judge", cd_ellipsoid_surface_area(&e)), 2 * pi * (1 + c * c / x * atanh(x)),
                   40 * EPS);
        e = straight(c, 1, c);
        CHECK_ULPS(ASK("judge", cd_ellipsoid_surface_area(&e)), 2 * pi * c * (c + asin(x) / x), 40, c);
    }
    for (long i = test_times(40); i > 0; --i) {
        double h[3];
        for (int k = 0; k < 3; ++k) h[k] = (double)(cd_real)test_range(&rng, 0.3, 1);
        e = straight(h[0], h[1], h[2]);
        CHECK_NEAR(ASK("judge", cd_ellipsoid_surface_area(&e)), area_by_sum(h), 1e-4);
    }
}

/* The level of a point with stored axes in wide numbers. */
static long double level_of(const cd_ellipsoid *e, const long double p[3]) {
    long double a[3][3], det = 0, level = 0;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) a[i][j] = REALS(e->axes)[3 * i + j];
    for (int i = 0; i < 3; ++i)
        det += a[0][i] * (a[1][(i + 1) % 3] * a[2][(i + 2) % 3] - a[1][(i + 2) % 3] * a[2][(i + 1) % 3]);
    for (int k = 0; k < 3; ++k) {
        const long double *u = a[(k + 1) % 3], *v = a[(k + 2) % 3];
        long double y = 0;
        for (int i = 0; i < 3; ++i)
            y += p[i] * (u[(i + 1) % 3] * v[(i + 2) % 3] - u[(i + 2) % 3] * v[(i + 1) % 3]);
        y /= det * (long double)REALS(e->half)[k];
        level += y * y;
    }
    return level;
}

/* No point of the surface is nearer: many directions, then refined about the answer. */
static void closest_points(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        cd_ellipsoid e = gen_ellipsoid(&g);
        cd_vec3 p = gen_point(&g), q, r;
        double size, inside, outside, way = 0;
        if (!cd_ellipsoid_is_valid(&e)) continue;
        if (!test_int(&rng, 0, 3))
            p = cd_vec3_along(e.center, e.axes.col[test_int(&rng, 0, 2)], (cd_real)0.25);
        test_note("");
        test_note_reals("e", REALS(e), 15);
        test_note_reals("p", &p.x, 3);
        q = ASK("judge", cd_closest_pt_point_ellipsoid(p, &e));
        r = ASK("judge", cd_closest_pt_point_ellipsoid_surface(p, &e));
        size = 4 + (double)cd_vec3_length(p);
        outside = (double)cd_vec3_length(cd_vec3_sub(q, p));
        inside = (double)cd_vec3_length(cd_vec3_sub(r, p));
        CHECK_ULPS(ASK("judge", cd_sqdist_point_ellipsoid(p, &e)), outside * outside, 16, size * size);
        if (cd_test_point_ellipsoid(p, &e)) {
            CHECK(outside == 0);
        } else {
            CHECK_ULPS(outside, inside, 16, size);
        }
        if (e.half.x > 0 && e.half.y > 0 && e.half.z > 0) {
            long double d[3];
            double least = (double)e.half.x;
            for (int k = 0; k < 3; ++k) d[k] = (long double)(&r.x)[k] - (long double)(&e.center.x)[k];
            for (int k = 0; k < 3; ++k) least = fmin(least, (double)REALS(e.half)[k]);
            CHECK_NEAR(sqrtl(level_of(&e, d)), 1, 32 * EPS * size / least + 1e-12);
        }
        for (int k = 0; k < 60; ++k) {
            cd_vec3 s = surface_point(&e, &rng);
            way = (double)cd_vec3_length(cd_vec3_sub(s, p));
            CHECK(way >= inside - 16 * EPS * size);
        }
    }
}

static void supports_and_boxes(void) {
    test_rng rng = test_random();
    cd_ellipsoid e = straight(1, 2, 3);
    CHECK_VEC(ASK("judge", cd_ellipsoid_support(&e, cd_vec3_make(0, 0, -4))), cd_vec3_make(0, 0, -3), 0);
    CHECK_VEC(ASK("judge", cd_ellipsoid_support(&e, cd_vec3_make(0, 0, 0))), e.center, 0);
    for (long i = test_times(3000); i > 0; --i) {
        gen g = any_scene(&rng);
        cd_vec3 d, p;
        cd_aabb b;
        cd_plane plane;
        e = gen_ellipsoid(&g);
        d = gen_direction(&g);
        if (!cd_ellipsoid_is_valid(&e)) continue;
        b = ASK("judge", cd_aabb_from_ellipsoid(&e));
        test_note("");
        test_note_reals("e", REALS(e), 15);
        for (int k = 0; k < 6; ++k) {
            double want[3], most = 0, half[3];
            cd_vec3 a = cd_vec3_make(k / 2 == 0, k / 2 == 1, k / 2 == 2);
            p = ASK("judge", cd_ellipsoid_support(&e, k & 1 ? cd_vec3_neg(a) : a));
            to_doubles(&p.x, want, 3);
            to_doubles(&e.half.x, half, 3);
            most = fabs((double)REALS(e.center)[k / 2]) + largest(half, 3);
            CHECK_ULPS(k & 1 ? (&b.min.x)[k / 2] : (&b.max.x)[k / 2], want[k / 2], 16, most);
        }
        { /* exactly: no point of the surface is outside; extents squared as whole numbers */
            double c[15];
            exact_pool pool = exact_begin();
            to_doubles(REALS(e), c, 15);
            for (int k = 0; k < 3; ++k) {
                exact sum = exact_from(0),
                      up = exact_sub(exact_from((double)(&b.max.x)[k]), exact_from(c[k]));
                exact down = exact_sub(exact_from(c[k]), exact_from((double)(&b.min.x)[k]));
                for (int j = 0; j < 3; ++j) {
                    exact t = exact_mul(exact_from(c[3 + 3 * j + k]), exact_from(c[12 + j]));
                    sum = exact_add(sum, exact_mul(t, t));
                }
                CHECK(up.sign >= 0 && exact_compare(exact_mul(up, up), sum) >= 0);
                CHECK(down.sign >= 0 && exact_compare(exact_mul(down, down), sum) >= 0);
            }
            exact_end(pool);
        }
        p = ASK("judge", cd_ellipsoid_support(&e, d));
        plane = cd_plane_from_point_normal(cd_vec3_lerp(e.center, p, (cd_real)0.9), d);
        if (g.kind == GEN_UNIT && cd_plane_is_valid(&plane) &&
            cd_vec3_dot(d, cd_vec3_sub(p, e.center)) > (cd_real)0.001) {
            CHECK(ASK("judge", cd_test_ellipsoid_plane(&e, plane)) && cd_test_ellipsoid_halfspace(&e, plane));
            plane = cd_plane_from_point_normal(cd_vec3_lerp(e.center, p, (cd_real)1.1), d);
            CHECK(!ASK("judge", cd_test_ellipsoid_plane(&e, plane)) &&
                  cd_test_ellipsoid_halfspace(&e, plane));
            plane.n = cd_vec3_neg(plane.n);
            plane.d = -plane.d;
            CHECK(!ASK("judge", cd_test_ellipsoid_plane(&e, plane)) &&
                  !cd_test_ellipsoid_halfspace(&e, plane));
        }
    }
}

/* Perram and Wertheim: the maximum over l of l (1 - l) r^T ((1 - l) A + l B)^-1 r, at most 1 where they meet. */
static long double contact_at(long double a[3][3], long double b[3][3], const long double r[3],
                              long double l) {
    long double m[3][4];
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) m[i][j] = (1 - l) * a[i][j] + l * b[i][j];
        m[i][3] = r[i];
    }
    for (int i = 0; i < 3; ++i) { /* positive definite: no pivoting */
        for (int k = i + 1; k < 3; ++k) {
            long double f = m[k][i] / m[i][i];
            for (int j = i; j < 4; ++j) m[k][j] -= f * m[i][j];
        }
    }
    for (int i = 2; i >= 0; --i) {
        for (int j = i + 1; j < 3; ++j) m[i][3] -= m[i][j] * m[j][3];
        m[i][3] /= m[i][i];
    }
    return l * (1 - l) * (r[0] * m[0][3] + r[1] * m[1][3] + r[2] * m[2][3]);
}

static void shape_matrix(const cd_ellipsoid *e, long double m[3][3]) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            m[i][j] = 0;
            for (int k = 0; k < 3; ++k) {
                long double h = REALS(e->half)[k];
                m[i][j] +=
                    h * h * (long double)REALS(e->axes)[3 * k + i] * (long double)REALS(e->axes)[3 * k + j];
            }
        }
}

static double contact_function(const cd_ellipsoid *p, const cd_ellipsoid *q) {
    long double a[3][3], b[3][3], r[3], lo = 0, hi = 1;
    shape_matrix(p, a);
    shape_matrix(q, b);
    for (int i = 0; i < 3; ++i) r[i] = (long double)(&q->center.x)[i] - (long double)(&p->center.x)[i];
    for (int i = 0; i < 100; ++i) {
        long double l = lo + (hi - lo) / 3, m = hi - (hi - lo) / 3;
        if (contact_at(a, b, r, l) < contact_at(a, b, r, m)) {
            lo = l;
        } else {
            hi = m;
        }
    }
    return (double)contact_at(a, b, r, lo);
}

static void pairs_by_the_contact_function(void) {
    test_rng rng = test_random();
    long met = 0, times = test_times(1000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_ellipsoid a = gen_ellipsoid(&g), b = gen_ellipsoid(&g);
        double f;
        for (int k = 0; k < 3; ++k) {
            REALS(a.half)[k] += (cd_real)1e-3;
            REALS(b.half)[k] += (cd_real)1e-3;
        }
        test_note("");
        test_note_reals("a", REALS(a), 15);
        test_note_reals("b", REALS(b), 15);
        f = contact_function(&a, &b);
        if (test_int(&rng, 0, 1) && f > 1e-3) { /* to where they touch, nearly */
            double side = test_int(&rng, 0, 1) ? 1 + 1e-5 : 1 - 1e-5;
            b.center = cd_vec3_lerp(a.center, b.center, (cd_real)(side / sqrt(f)));
            f = contact_function(&a, &b);
        }
        if (fabs(f - 1) < 1e-9) continue;
        met += f < 1;
        CHECK_INT(ASK("judge", cd_test_ellipsoid_ellipsoid(&a, &b)), f < 1);
        CHECK_INT(ASK("swap", cd_test_ellipsoid_ellipsoid(&b, &a)), f < 1);
    }
    CHECK_SEEN(met > times / 10 && met < times * 9 / 10);
}

/* Triangles, boxes and spheres, by the least level over a fine set of their points. */
static void shapes_against_ellipsoids(void) {
    test_rng rng = test_random();
    long met = 0, times = test_times(300);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_ellipsoid e = gen_ellipsoid(&g);
        cd_triangle t = gen_triangle(&g);
        cd_aabb b = gen_aabb(&g);
        if (i % 2) { /* some point of it near the center */
            cd_vec3 p =
                cd_vec3_lerp(cd_vec3_lerp(t.a, t.b, (cd_real)test_unit(&rng)), t.c, (cd_real)test_unit(&rng));
            cd_vec3 way = cd_vec3_scale(cd_vec3_sub(e.center, p), (cd_real)test_range(&rng, 0.7, 1.1));
            t.a = cd_vec3_add(t.a, way);
            t.b = cd_vec3_add(t.b, way);
            t.c = cd_vec3_add(t.c, way);
        }
        double least = 1e300, box = 1e300;
        for (int k = 0; k < 3; ++k) REALS(e.half)[k] = REALS(e.half)[k] * (cd_real)0.5 + (cd_real)0.05;
        test_note("");
        test_note_reals("e", REALS(e), 15);
        test_note_reals("t", REALS(t), 9);
        test_note_reals("b", REALS(b), 6);
        for (int u = 0; u <= 60; ++u) {
            for (int v = 0; u + v <= 60; ++v) {
                long double p[3];
                for (int k = 0; k < 3; ++k)
                    p[k] = ((long double)u * REALS(t.a)[k] + (long double)v * REALS(t.b)[k] +
                            (long double)(60 - u - v) * REALS(t.c)[k]) /
                               60 -
                           (long double)REALS(e.center)[k];
                least = fmin(least, (double)level_of(&e, p));
            }
        }
        for (int k = 0; k < 13 * 13 * 13; ++k) {
            int at[3] = {k % 13, k / 13 % 13, k / 169};
            long double p[3];
            for (int j = 0; j < 3; ++j)
                p[j] = (long double)(&b.min.x)[j] +
                       ((long double)(&b.max.x)[j] - (long double)(&b.min.x)[j]) * at[j] / 12 -
                       (long double)REALS(e.center)[j];
            box = fmin(box, (double)level_of(&e, p));
        }
        met += least <= 1;
        if (least <= 1) CHECK(ASK("judge", cd_test_triangle_ellipsoid(&t, &e)));
        if (least > 4) CHECK(!ASK("judge", cd_test_triangle_ellipsoid(&t, &e)));
        CHECK_INT(ASK("judge", cd_test_triangle_ellipsoid(&t, &e)),
                  ASK("forms", cd_test_polygon_ellipsoid(&t.a, 3, &e)));
        if (box <= 1) CHECK(ASK("judge", cd_test_ellipsoid_aabb(&e, b)));
        if (box > 4 + 9) CHECK(!ASK("judge", cd_test_ellipsoid_aabb(&e, b)));
        { /* all agree about a sphere that just reaches, and one that just does not */
            cd_vec3 c = gen_point(&g);
            double d = sqrt((double)cd_sqdist_point_ellipsoid(c, &e));
            cd_sphere s;
            s.center = c;
            s.radius = (cd_real)(d * (1 + 64 * EPS));
            CHECK(ASK("judge", cd_test_sphere_ellipsoid(s, &e)));
            s.radius = (cd_real)(d * (1 - 64 * EPS) - 16 * EPS);
            if (s.radius >= 0) CHECK(!ASK("judge", cd_test_sphere_ellipsoid(s, &e)));
        }
    }
    CHECK_SEEN(met > times / 20);
}

static void rays_against_ellipsoids(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(5000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_ellipsoid e = gen_ellipsoid(&g);
        cd_ray r;
        cd_hit h, back;
        cd_cast_options o;
        long double d[3], level;
        double size;
        for (int k = 0; k < 3; ++k) REALS(e.half)[k] += (cd_real)0.01;
        r.origin = gen_point(&g);
        r.dir = gen_direction(&g);
        if (test_int(&rng, 0, 1)) r.dir = cd_vec3_sub(surface_point(&e, &rng), r.origin);
        if (!test_int(&rng, 0, 3)) { /* from far away */
            r.origin = cd_vec3_along(r.origin, r.dir, -100);
        }
        memset(&o, 0, sizeof o);
        test_note("");
        test_note_reals("e", REALS(e), 15);
        test_note_reals("r", REALS(r), 6);
        if (!ASK("judge", cd_cast_ray_ellipsoid(&r, CD_REAL_MAX, &e, NULL, &h))) continue;
        ++hits;
        size = 4 + (double)cd_vec3_length(r.origin);
        CHECK_NEAR(cd_vec3_length(h.normal), 1, 8 * EPS);
        CHECK(cd_vec3_dot(h.normal, r.dir) <= 16 * (cd_real)EPS * cd_vec3_length(r.dir));
        CHECK_VEC(h.point, cd_vec3_along(r.origin, r.dir, h.t), 64 * EPS * size + 1e-12 * size);
        if (h.flags & CD_HIT_START) {
            CHECK(h.t == 0 && cd_test_point_ellipsoid(r.origin, &e));
            o.flags = CD_CAST_START_IGNORE;
            CHECK(!cd_cast_ray_ellipsoid(&r, CD_REAL_MAX, &e, &o, &h));
            o.flags = CD_CAST_START_DEPTH;
            CHECK(cd_cast_ray_ellipsoid(&r, CD_REAL_MAX, &e, &o, &h));
            CHECK_NEAR(
                h.depth,
                cd_vec3_length(cd_vec3_sub(cd_closest_pt_point_ellipsoid_surface(r.origin, &e), r.origin)),
                32 * EPS);
        } else {
            for (int k = 0; k < 3; ++k) d[k] = (long double)(&h.point.x)[k] - (long double)(&e.center.x)[k];
            level = level_of(&e, d);
            CHECK_NEAR(sqrtl(level), 1, 200 * 16 * EPS); /* the shortest half length is 0.01 */
        }
        o.flags = CD_CAST_CULL_FRONT;
        CHECK(cd_cast_ray_ellipsoid(&r, CD_REAL_MAX, &e, &o, &back));
        CHECK(back.t >= h.t && (back.flags & CD_HIT_BACK));
    }
    CHECK_SEEN(hits > times / 4);
}

/* A flat one, met from both sides, along it, and from afar. */
static void rays_against_flat_ones(void) {
    cd_ellipsoid e = straight(2, 1, 0);
    cd_ray r;
    cd_hit h;
    r.origin = cd_vec3_make(1, 0, 5);
    r.dir = cd_vec3_make(0, 0, -2);
    CHECK(cd_cast_ray_ellipsoid(&r, 10, &e, NULL, &h));
    CHECK_SAME(h.t, 2.5);
    CHECK_VEC(h.normal, cd_vec3_make(0, 0, 1), 0);
    CHECK_VEC(h.point, cd_vec3_make(1, 0, 0), 0);
    r.origin.x = 3;
    CHECK(!cd_cast_ray_ellipsoid(&r, 10, &e, NULL, &h));
    r.origin = cd_vec3_make(5, 0, 0);
    r.dir = cd_vec3_make(-1, 0, 0);
    CHECK(cd_cast_ray_ellipsoid(&r, 10, &e, NULL, &h));
    CHECK_SAME(h.t, 3);
    CHECK_NEAR(cd_vec3_length(h.normal), 1, 4 * EPS);
    CHECK_VEC(cd_closest_pt_point_ellipsoid(cd_vec3_make(1, 0, 7), &e), cd_vec3_make(1, 0, 0), 0);
    CHECK_VEC(cd_closest_pt_point_ellipsoid_surface(cd_vec3_make(4, 0, 7), &e), cd_vec3_make(2, 0, 0), 0);
    CHECK(cd_test_point_ellipsoid(cd_vec3_make(2, 0, 0), &e) &&
          !cd_test_point_ellipsoid(cd_vec3_make(2, 0, (cd_real)1e-30), &e));
}

/* A needle is met from the side that the ray comes from, though it is flat along two axes. */
static void rays_against_needles(void) {
    for (int way = 0; way < 18; ++way) {
        int along = way / 6, across = way / 2 % 3;
        cd_ellipsoid e = straight(0, 0, 0);
        cd_vec3 out = cd_vec3_make(0, 0, 0);
        cd_ray r;
        cd_hit h;
        if (along == across) continue;
        e.center = cd_vec3_make(1, 2, 3);
        REALS(e.half)[along] = 2;
        REALS(out)[across] = way % 2 ? (cd_real)1 : (cd_real)-1;
        r.origin = cd_vec3_along(e.center, out, 4);
        REALS(r.origin)[along] += 1;
        r.dir = cd_vec3_scale(out, -2);
        test_note("along %d, from %d ", along, way);
        CHECK(cd_cast_ray_ellipsoid(&r, 10, &e, NULL, &h));
        CHECK_SAME(h.t, 2);
        CHECK_VEC(h.normal, out, 0);
    }
}

/* ---- fits ---- */

static void check_fit(const cd_vec3 *p, int count, const cd_ellipsoid *e) {
    CHECK(ASK("judge", cd_ellipsoid_is_valid(e)));
    for (int k = 0; k < count; ++k) CHECK(oracle_in_ellipsoid(p[k], e));
}

static void fits_hold_their_points(void) {
    test_rng rng = test_random();
    for (long i = test_times(900); i > 0; --i) {
        gen g = any_scene(&rng);
        cd_vec3 p[40];
        int count = test_int(&rng, 1, 12);
        cd_ellipsoid least, pca;
        cd_real gap;
        if (!test_int(&rng, 0, 9)) count = 40;
        for (int k = 0; k < count; ++k) p[k] = gen_point(&g);
        if (!test_int(&rng, 0, 4)) /* collinear, or nearly */
            for (int k = 2; k < count; ++k) p[k] = cd_vec3_lerp(p[0], p[1], (cd_real)test_unit(&rng));
        if (!test_int(&rng, 0, 4)) /* in a plane of the axes */
            for (int k = 1; k < count; ++k) p[k].z = p[0].z;
        if (!test_int(&rng, 0, 9))
            for (int k = 1; k < count; ++k) p[k] = p[0];
        test_note("count %d", count);
        test_note_reals("p", &p[0].x, 3 * (count < 12 ? count : 12));
        CHECK_INT(ASK("exact", cd_ellipsoid_pca(p, (size_t)count, &pca)), CD_OK);
        check_fit(p, count, &pca);
        CHECK_INT(ASK("exact", cd_ellipsoid_from_points(p, (size_t)count, &least, &gap)), CD_OK);
        check_fit(p, count, &least);
        CHECK(gap >= 0 && gap <= 1);
        if (g.kind == GEN_UNIT && gap < 1)
            CHECK((double)cd_ellipsoid_volume(&least) <= (double)cd_ellipsoid_volume(&pca) * (1 + 1e-3));
    }
}

/* Known ones: of a box, of a simplex; a random set's gap is small. */
static void least_ellipsoids_are_the_least(void) {
    test_rng rng = test_random();
    cd_vec3 p[60];
    cd_ellipsoid e;
    cd_real gap = 1;
    const double pi = 3.14159265358979323846;
    for (int k = 0; k < 8; ++k) p[k] = cd_vec3_make(k & 1 ? 1 : -1, k & 2 ? 2 : -2, k & 4 ? 3 : -3);
    CHECK_INT(cd_ellipsoid_from_points(p, 8, &e, &gap), CD_OK);
    CHECK_NEAR(ASK("exact", cd_ellipsoid_volume(&e)), 4 * pi / 3 * 6 * 3 * sqrt(3.0), 1e-3);
    CHECK(gap < (cd_real)1e-5);
    p[0] = cd_vec3_make(0, 0, 0);
    p[1] = cd_vec3_make(1, 0, 0);
    p[2] = cd_vec3_make(0, 1, 0);
    p[3] = cd_vec3_make(0, 0, 1);
    CHECK_INT(cd_ellipsoid_from_points(p, 4, &e, &gap), CD_OK);
    CHECK_NEAR(ASK("exact", cd_ellipsoid_volume(&e)),
               4 * pi / 3 * 27 * sqrt(3.0) / 72 * sqrt(1.0 / 1.0) * 0.5, 2.0);
    CHECK(gap < (cd_real)1e-5);
    for (long i = test_times(100); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        for (int k = 0; k < 60; ++k) p[k] = gen_point(&g);
        test_note_reals("p", &p[0].x, 180);
        CHECK_INT(cd_ellipsoid_from_points(p, 60, &e, &gap), CD_OK);
        CHECK((double)gap < (sizeof(cd_real) == 4 ? 5e-6 : 5e-7));
    }
}

/* Flat sets: what containment adds to the missing axis must not be added to the others. */
static void flat_fits_are_tight(void) {
    cd_vec3 p[8];
    cd_ellipsoid e;
    cd_real gap;
    for (int flat = 0; flat < 2; ++flat) {
        for (int k = 0; k < 8; ++k) { /* in an oblique plane; then along a line */
            double a = 0.785398163397448 * k, x = cos(a), y = flat ? 0 : sin(a);
            p[k] = cd_vec3_make((cd_real)(0.8 * x), (cd_real)(0.6 * x), (cd_real)y);
        }
        test_note_reals("p", &p[0].x, 24);
        for (int pca = 0; pca < 2; ++pca) {
            CHECK_INT(pca ? cd_ellipsoid_pca(p, 8, &e) : cd_ellipsoid_from_points(p, 8, &e, &gap), CD_OK);
            check_fit(p, 8, &e);
            CHECK(e.half.x < (cd_real)1.001 && e.half.y < (cd_real)1.001 && e.half.z < (cd_real)1.001);
        }
    }
#ifdef COLLIDE_DOUBLE
    p[0] = cd_vec3_make(0x1.216f1fb9deed4p+423, 0x1.3f6eb132abc08p-544, -0x1.ed7cd6a51c64cp+705);
    CHECK_INT(cd_ellipsoid_from_points(p, 1, &e, &gap), CD_OK); /* one coordinate is lost when scaled */
    check_fit(p, 1, &e);
#endif
}

static void fits_refuse_what_they_cannot_do(void) {
    cd_vec3 p[2] = {{1, 2, 3}, {1, 2, 3}};
    cd_ellipsoid e, zero;
    cd_real gap;
    memset(&zero, 0, sizeof zero);
    CHECK_INT(cd_ellipsoid_from_points(NULL, 0, &e, &gap), CD_INVALID_ARGUMENT);
    CHECK(memcmp(&e, &zero, sizeof e) == 0);
    CHECK_INT(cd_ellipsoid_pca(p, 2, &e), CD_OK);
    CHECK(e.half.x == 0 && e.half.y == 0 && e.half.z == 0 && e.center.z == 3);
    p[1].y = (cd_real)NAN;
    CHECK_INT(cd_ellipsoid_pca(p, 2, &e), CD_INVALID_ARGUMENT);
    CHECK(memcmp(&e, &zero, sizeof e) == 0);
    p[0] = cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX);
    p[1] = cd_vec3_neg(p[0]);
    CHECK_INT(cd_ellipsoid_from_points(p, 2, &e, &gap), CD_TOO_LARGE);
    p[0].y = p[0].z = p[1].y = p[1].z = 0;
    p[0].x *= (cd_real)0.25;
    p[1].x *= (cd_real)0.25;
    CHECK_INT(cd_ellipsoid_from_points(p, 2, &e, NULL), CD_OK);
    CHECK(oracle_in_ellipsoid(p[0], &e) && oracle_in_ellipsoid(p[1], &e));
}

static void merges_hold_both(void) {
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : test_int(&rng, 0, 1) ? GEN_FAR : GEN_SCALE);
        cd_ellipsoid e[2], m;
        e[0] = gen_ellipsoid(&g);
        e[1] = gen_ellipsoid(&g);
        if (!test_int(&rng, 0, 4)) e[1].center = e[0].center;
        test_note("");
        test_note_reals("a", REALS(e[0]), 15);
        test_note_reals("b", REALS(e[1]), 15);
        m = ASK("judge", cd_merge_ellipsoid_ellipsoid(&e[0], &e[1]));
        CHECK(ASK("judge", cd_ellipsoid_is_valid(&m)));
        for (int k = 0; k < 40; ++k) { /* points of the surfaces, rounded inward */
            const cd_ellipsoid *s = &e[k & 1];
            cd_vec3 p = surface_point(s, &rng);
            if (cd_test_point_ellipsoid(p, s)) CHECK(oracle_in_ellipsoid(p, &m));
        }
        if (g.kind == GEN_UNIT) {
            CHECK((double)cd_ellipsoid_volume(&m) >= (double)cd_ellipsoid_volume(&e[0]) * (1 - 8 * EPS));
        }
    }
    for (long i = test_times(200); i > 0; --i) { /* flat ones whose ends are known exactly */
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_GRID : GEN_ULP);
        cd_ellipsoid e[2], m;
        for (int k = 0; k < 2; ++k) {
            e[k] = straight(0, 0, 0);
            e[k].center = gen_point(&g);
            (&e[k].half.x)[test_int(&rng, 0, 2)] = gen_length(&g);
            (&e[k].half.x)[test_int(&rng, 0, 2)] = gen_length(&g);
        }
        test_note("");
        test_note_reals("a", REALS(e[0]), 15);
        test_note_reals("b", REALS(e[1]), 15);
        m = ASK("judge", cd_merge_ellipsoid_ellipsoid(&e[0], &e[1]));
        for (int k = 0; k < 12; ++k) {
            cd_vec3 p = e[k & 1].center;
            int axis = k / 2 % 3;
            (&p.x)[axis] += (k < 6 ? 1 : -1) * (&e[k & 1].half.x)[axis];
            if (oracle_in_ellipsoid(p, &e[k & 1])) CHECK(oracle_in_ellipsoid(p, &m));
        }
    }
    { /* ends beyond the range, the merge within it */
        cd_ellipsoid a = straight(1, 1, 1), m;
        a.center.x = CD_REAL_MAX * (cd_real)0.875;
        a.half = cd_vec3_make(CD_REAL_MAX / 4, CD_REAL_MAX / 4, CD_REAL_MAX / 8);
        m = ASK("judge", cd_merge_ellipsoid_ellipsoid(&a, &a));
        CHECK(ASK("judge", cd_ellipsoid_is_valid(&m)) && m.half.x > 0);
    }
    { /* one centre, common axes: the larger of each half length; and equal ones */
        cd_ellipsoid a = straight(1, 2, 3), b = straight(3, 2, 1),
                     m = ASK("judge", cd_merge_ellipsoid_ellipsoid(&a, &b));
        CHECK_NEAR(ASK("exact", cd_ellipsoid_volume(&m)), 4.18879020478639 * 18, 1e-3);
        m = ASK("judge", cd_merge_ellipsoid_ellipsoid(&a, &a));
        CHECK_NEAR(ASK("exact", cd_ellipsoid_volume(&m)), 4.18879020478639 * 6, 1e-3);
    }
}

void suite_ellipsoid(void) {
    RUN(points_are_judged_exactly);
    RUN(volumes_and_areas);
    RUN(closest_points);
    RUN(supports_and_boxes);
    RUN(pairs_by_the_contact_function);
    RUN(shapes_against_ellipsoids);
    RUN(rays_against_ellipsoids);
    RUN(rays_against_flat_ones);
    RUN(rays_against_needles);
    RUN(fits_hold_their_points);
    RUN(least_ellipsoids_are_the_least);
    RUN(flat_fits_are_tight);
    RUN(fits_refuse_what_they_cannot_do);
    RUN(merges_hold_both);
}
