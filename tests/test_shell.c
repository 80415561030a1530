/* Spherical shells: exact containment, closest points, tests, casts, fits and merges. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

static cd_spherical_shell gen_shell(gen *g) {
    static const double cosines[] = {-1, 1, 0, 0.5, -0.5, 0.70710678118654752440};
    cd_spherical_shell s;
    cd_real r = gen_length(g), t = gen_length(g);
    int k = test_int(g->rng, 0, 11);
    s.center = gen_point(g);
    s.axis = gen_direction(g);
    s.inner = r < t ? r : t;
    s.outer = r < t ? t : r;
    if (!test_int(g->rng, 0, 4)) s.inner = 0;
    s.cos_angle = (cd_real)(k < 6 ? cosines[k] : test_range(g->rng, -1, 1));
    return s;
}

/* The definition, squared where the signs let it be. */
static bool oracle_in_shell(cd_vec3 p, const cd_spherical_shell *s) {
    double d[9], q[3];
    exact_pool pool = exact_begin();
    exact3 way, axis;
    exact length, dot, c, rest;
    bool inside;
    to_doubles(REALS(*s), d, 9);
    to_doubles(&p.x, q, 3);
    way = exact3_sub(exact3_from(q), exact3_from(d));
    axis = exact3_from(d + 3);
    length = exact3_dot(way, way);
    inside = exact_compare(length, exact_mul(exact_from(d[6]), exact_from(d[6]))) >= 0 &&
             exact_compare(length, exact_mul(exact_from(d[7]), exact_from(d[7]))) <= 0;
    dot = exact3_dot(way, axis);
    c = exact_from(d[8]);
    rest =
        exact_sub(exact_mul(dot, dot), exact_mul(exact_mul(c, c), exact_mul(length, exact3_dot(axis, axis))));
    if (c.sign > 0) inside = inside && dot.sign >= 0 && rest.sign >= 0;
    if (c.sign == 0) inside = inside && dot.sign >= 0;
    if (c.sign < 0) inside = inside && (dot.sign >= 0 || rest.sign <= 0);
    if (length.sign == 0) inside = d[6] == 0;
    exact_end(pool);
    return inside;
}

static void points_are_judged_exactly(void) {
    test_rng rng = test_random();
    long in = 0, times = test_times(20000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_spherical_shell s = gen_shell(&g);
        cd_vec3 p = gen_point(&g);
        bool want;
        if (test_int(&rng, 0, 1)) /* at one of its surfaces */
            p = cd_vec3_along(s.center, cd_vec3_normalize(gen_direction(&g)),
                              test_int(&rng, 0, 1) ? s.inner : s.outer);
        if (!test_int(&rng, 0, 4)) p = cd_vec3_along(s.center, s.axis, (cd_real)0.5);
        if (!cd_spherical_shell_is_valid(&s)) continue;
        test_note("");
        test_note_reals("s", REALS(s), 9);
        test_note_reals("p", &p.x, 3);
        want = oracle_in_shell(p, &s);
        in += want;
        CHECK_INT(ASK("exact", cd_test_point_spherical_shell(p, &s)), want);
    }
    CHECK_SEEN(in > times / 20);
}

static cd_spherical_shell simple_shell(double inner, double outer, double cosine) {
    cd_spherical_shell s;
    s.center = cd_vec3_make(1, 2, 3);
    s.axis = cd_vec3_make(0, 0, 2);
    s.inner = (cd_real)inner;
    s.outer = (cd_real)outer;
    s.cos_angle = (cd_real)cosine;
    return s;
}

static void volumes_and_areas(void) {
    const double pi = 3.14159265358979323846;
    cd_spherical_shell s = simple_shell(0, 1, -1);
    CHECK_NEAR(cd_spherical_shell_volume(&s), 4 * pi / 3, 8 * EPS);
    CHECK_NEAR(cd_spherical_shell_surface_area(&s), 4 * pi, 16 * EPS);
    s = simple_shell(0, 2, 0); /* half a ball: with its disc */
    CHECK_NEAR(cd_spherical_shell_volume(&s), 16 * pi / 3, 32 * EPS);
    CHECK_NEAR(cd_spherical_shell_surface_area(&s), 12 * pi, 64 * EPS);
    s = simple_shell(1, 2, 0.5);
    CHECK_NEAR(cd_spherical_shell_volume(&s), pi / 3 * 7, 32 * EPS);
    CHECK_NEAR(cd_spherical_shell_surface_area(&s), 5 * pi + 3 * pi * sqrt(0.75), 64 * EPS);
    s = simple_shell(3 - 6 * EPS, 3, 0); /* thin: 2 pi 9 times the thickness */
    CHECK_NEAR((double)cd_spherical_shell_volume(&s) / EPS, 108 * pi, 1e-4);
    s = simple_shell(3, 2, 0);
    CHECK(!ASK("bad", cd_spherical_shell_is_valid(&s)) && cd_spherical_shell_volume(&s) == 0);
}

/* A random point of the shell, up to rounding. */
static cd_vec3 shell_point(const cd_spherical_shell *s, test_rng *rng) {
    for (int i = 0; i < 200; ++i) {
        double d[3], n = 0, a = 0, m = 0, r = test_range(rng, (double)s->inner, (double)s->outer);
        if (!test_int(rng, 0, 3)) r = test_int(rng, 0, 1) ? (double)s->inner : (double)s->outer;
        for (int k = 0; k < 3; ++k) {
            d[k] = test_range(rng, -1, 1);
            n += d[k] * d[k];
            a += d[k] * (double)(&s->axis.x)[k];
            m += (double)(&s->axis.x)[k] * (double)(&s->axis.x)[k];
        }
        if (n < 0.01 || a < (double)s->cos_angle * sqrt(n * m)) continue;
        return cd_vec3_make((cd_real)((double)s->center.x + d[0] / sqrt(n) * r),
                            (cd_real)((double)s->center.y + d[1] / sqrt(n) * r),
                            (cd_real)((double)s->center.z + d[2] / sqrt(n) * r));
    }
    return cd_vec3_along(s->center, cd_vec3_normalize(s->axis), s->outer);
}

static bool near_box(cd_vec3 p, double slack, cd_aabb b) {
    cd_sphere s;
    s.center = p;
    s.radius = (cd_real)slack;
    return cd_test_sphere_aabb(s, b);
}

/* The numbers of each answer beside those of many points of the shell. */
static void directions_that_are_none(void) {
    static const double none[3] = {NAN, INFINITY, -INFINITY};
    test_rng rng = test_random();
    for (long i = 10 + test_times(200); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_spherical_shell s = gen_shell(&g);
        CHECK_VEC(ASK("bad", cd_spherical_shell_support(&s, cd_vec3_make(0, 0, 0))), s.center, 0);
        CHECK_VEC(ASK("bad", cd_spherical_shell_support(&s, cd_vec3_make(0, (cd_real)-0.0, 0))), s.center, 0);
        for (int k = 0; k < 9; ++k) {
            cd_vec3 d = gen_direction(&g);
            REALS(d)[k / 3] = (cd_real)none[k % 3];
            CHECK_VEC(ASK("bad", cd_spherical_shell_support(&s, d)), s.center, 0);
        }
    }
}

/* No volume and no area of a point, nor of what is no shell. */
static void shells_that_are_none(void) {
    cd_spherical_shell point = {{1, 2, 3}, {0, 0, 1}, 0, 0, -1}, s = point, bad;
    CHECK(ASK("exact", cd_spherical_shell_is_valid(&s)));
    CHECK_SAME(ASK("exact", cd_spherical_shell_volume(&s)), 0);
    CHECK_SAME(ASK("exact", cd_spherical_shell_surface_area(&s)), 0);
    s.inner = 1;
    s.outer = 2;
    CHECK(cd_spherical_shell_volume(&s) > 29 && cd_spherical_shell_surface_area(&s) > 62);
    for (int k = 0; k < 12; ++k) {
        bad = s;
        if (k < 9) REALS(bad)[k] = (cd_real)NAN;
        if (k == 9) bad.outer = (cd_real)0.5;
        if (k == 10) bad.inner = -1;
        if (k == 11) bad.cos_angle = (cd_real)1.5;
        test_note("%d", k);
        CHECK(!ASK("exact", cd_spherical_shell_is_valid(&bad)));
        CHECK_SAME(ASK("bad", cd_spherical_shell_volume(&bad)), 0);
        CHECK_SAME(ASK("bad", cd_spherical_shell_surface_area(&bad)), 0);
    }
}

static void answers_agree_with_samples(void) {
    test_rng rng = test_random();
    for (long i = test_times(1500); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        cd_spherical_shell s = gen_shell(&g), t = gen_shell(&g);
        cd_vec3 p = gen_point(&g), d = gen_direction(&g), q, far_point;
        cd_aabb box, other = gen_aabb(&g);
        cd_plane plane;
        double way, most, slack;
        if (!cd_spherical_shell_is_valid(&s) || !cd_spherical_shell_is_valid(&t)) continue;
        if (!test_int(&rng, 0, 4)) p = cd_vec3_along(s.center, s.axis, (cd_real)test_range(&rng, -1, 1));
        if (!test_int(&rng, 0, 4)) t.center = s.center;
        test_note("");
        test_note_reals("s", REALS(s), 9);
        test_note_reals("t", REALS(t), 9);
        test_note_reals("p", &p.x, 3);
        test_note_reals("d", &d.x, 3);
        test_note_reals("box", &other.min.x, 6);
        slack = 32 * EPS * (8 + (double)s.outer);
        q = ASK("samples", cd_closest_pt_point_spherical_shell(p, &s));
        way = (double)cd_vec3_length(cd_vec3_sub(q, p));
        CHECK_INT(way == 0, ASK("samples", cd_test_point_spherical_shell(p, &s)) ||
                                (q.x == p.x && q.y == p.y && q.z == p.z));
        { /* a point of the shell, up to rounding, which in an angle is the size over the radius */
            cd_spherical_shell wide = s;
            double far_off = (double)cd_vec3_length(cd_vec3_sub(q, s.center));
            wide.inner = (cd_real)fmax((double)s.inner - slack, 0);
            wide.outer += (cd_real)slack;
            wide.cos_angle = (cd_real)fmax(-1, (double)s.cos_angle - (far_off > 0 ? slack / far_off : 2));
            CHECK(ASK("samples", cd_test_point_spherical_shell(q, &wide)));
        }
        far_point = cd_spherical_shell_support(&s, d);
        most = (double)cd_vec3_dot(cd_vec3_sub(far_point, s.center), d);
        box = ASK("samples", cd_aabb_from_spherical_shell(&s));
        plane = cd_plane_from_point_normal(
            cd_vec3_add(far_point, cd_vec3_scale(cd_vec3_normalize(d), (cd_real)slack * 4)), d);
        CHECK(!ASK("samples", cd_test_spherical_shell_plane(&s, plane)) &&
              cd_test_spherical_shell_halfspace(&s, plane));
        CHECK(ASK("samples", cd_test_point_aabb(q, box)) || way == 0 || near_box(q, slack, box));
        for (int k = 0; k < 40; ++k) {
            cd_vec3 x = shell_point(&s, &rng);
            cd_sphere around;
            CHECK((double)cd_vec3_length(cd_vec3_sub(x, p)) >= way - slack);
            CHECK((double)cd_vec3_dot(cd_vec3_sub(x, s.center), d) <=
                  most + slack * (double)cd_vec3_length(d));
            if (!oracle_in_shell(x, &s)) continue;
            CHECK(ASK("samples", cd_test_point_aabb(x, box)));
            around.center = x;
            around.radius = 0;
            CHECK(ASK("samples", cd_test_sphere_spherical_shell(around, &s)));
            if (ASK("samples", cd_test_point_aabb(x, other))) CHECK(cd_test_spherical_shell_aabb(&s, other));
            if (oracle_in_shell(x, &t))
                CHECK(ASK("samples", cd_test_spherical_shell_spherical_shell(&s, &t)));
            plane = cd_plane_from_point_normal(cd_vec3_lerp(x, s.center, 0), d);
            CHECK(ASK("samples",
                      cd_test_spherical_shell_halfspace(
                          &s, cd_plane_from_point_normal(cd_vec3_along(x, d, (cd_real)(4 * EPS)), d))));
        }
    }
}

/* Apart, for sure: concentric with a gap, side by side, inside the hole, in opposite cones; boxes likewise. */
static void shells_apart(void) {
    cd_spherical_shell a = simple_shell(1, 2, -1), b = simple_shell(3, 4, -1);
    cd_aabb box = {{(cd_real)0.75, (cd_real)1.75, (cd_real)2.75},
                   {(cd_real)1.25, (cd_real)2.25, (cd_real)3.25}};
    CHECK(!cd_test_spherical_shell_spherical_shell(&a, &b));
    b.inner = 2;
    CHECK(cd_test_spherical_shell_spherical_shell(&a, &b));
    b.center.x += 6;
    CHECK(cd_test_spherical_shell_spherical_shell(&a, &b));
    b.center.x += (cd_real)0.001;
    CHECK(!cd_test_spherical_shell_spherical_shell(&a, &b));
    b = simple_shell(0, (cd_real)0.5, -1);
    b.center.x += (cd_real)0.25;
    CHECK(!cd_test_spherical_shell_spherical_shell(&a, &b) &&
          !cd_test_spherical_shell_spherical_shell(&b, &a));
    CHECK(!cd_test_spherical_shell_aabb(&a, box));
    box.max.x = 2;
    CHECK(cd_test_spherical_shell_aabb(&a, box));
    a = simple_shell(1, 2, 0.5);
    b = simple_shell(1, 2, 0.5);
    CHECK(cd_test_spherical_shell_spherical_shell(&a, &b));
    b.axis = cd_vec3_make(0, 0, -1);
    CHECK(!cd_test_spherical_shell_spherical_shell(&a, &b));
    b.axis = cd_vec3_make(1, 0, 0);
    CHECK(cd_test_spherical_shell_spherical_shell(&a, &b));
    b.cos_angle = (cd_real)0.9;
    CHECK(!cd_test_spherical_shell_spherical_shell(&a, &b));
}

/* Nothing meets what is no shell, and a shell nothing that is no body. */
static void nothing_meets_no_shell(void) {
    cd_spherical_shell good = simple_shell(0, 2, -1), bad[3];
    cd_aabb box = {{0, 1, 2}, {2, 3, 4}}, turned = {{0, 3, 2}, {2, 1, 4}}, unknown = box;
    cd_sphere ball = {{1, 2, 3}, 1}, hollow = {{1, 2, 3}, -1};
    cd_plane floor = {{0, 0, 1}, 3}, none = {{0, 0, 0}, 3};
    unknown.max.y = (cd_real)NAN;
    CHECK(cd_test_spherical_shell_aabb(&good, box) && cd_test_sphere_spherical_shell(ball, &good));
    CHECK(cd_test_spherical_shell_plane(&good, floor) && cd_test_spherical_shell_halfspace(&good, floor));
    CHECK(cd_test_spherical_shell_spherical_shell(&good, &good));
    CHECK(!cd_test_spherical_shell_aabb(&good, turned) && !cd_test_spherical_shell_aabb(&good, unknown));
    CHECK(!cd_test_sphere_spherical_shell(hollow, &good));
    CHECK(!cd_test_spherical_shell_plane(&good, none) && !cd_test_spherical_shell_halfspace(&good, none));
    bad[0] = bad[1] = bad[2] = good;
    bad[0].outer = -2;
    bad[1].inner = 3;
    bad[2].center.z = (cd_real)INFINITY;
    for (int i = 0; i < 3; ++i) {
        const cd_spherical_shell *s = &bad[i];
        test_note("%d ", i);
        CHECK(!cd_test_spherical_shell_aabb(s, box) && !cd_test_sphere_spherical_shell(ball, s));
        CHECK(!cd_test_spherical_shell_plane(s, floor) && !cd_test_spherical_shell_halfspace(s, floor));
        CHECK(!cd_test_spherical_shell_spherical_shell(s, &good));
        CHECK(!cd_test_spherical_shell_spherical_shell(&good, s));
        CHECK(!cd_test_point_spherical_shell(good.center, s));
    }
}

/* Where a ray enters and leaves, beside a walk along it in small steps. */
static void rays_against_shells(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(1500);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_spherical_shell s = gen_shell(&g);
        cd_ray r;
        cd_hit h, out;
        cd_cast_options o;
        bool found;
        double first = 1e300, size, unit;
        r.origin = gen_point(&g);
        r.dir = cd_vec3_sub(shell_point(&s, &rng), r.origin);
        unit = (double)cd_vec3_length(r.dir);
        if (s.cos_angle > (cd_real)0.999 ||
            cd_vec3_length(cd_vec3_sub(cd_vec3_add(r.origin, r.dir), s.center)) < (cd_real)0.01)
            continue; /* at the tip, or a segment: rounding decides */
        if (unit < 0.01 || (double)s.outer - (double)s.inner < 0.02) continue;
        if (!test_int(&rng, 0, 3)) r.origin = cd_vec3_along(r.origin, r.dir, -20);
        test_note("");
        test_note_reals("s", REALS(s), 9);
        test_note_reals("r", REALS(r), 6);
        size = 4 + (double)cd_vec3_length(r.origin);
        memset(&o, 0, sizeof o);
        found = ASK("samples", cd_cast_ray_spherical_shell(&r, CD_REAL_MAX, &s, &o, &h));
        for (int k = 0; k <= 2000 && first > 1e299; ++k) {
            double t = (r.origin.x != 0 && size > 30 ? 18 : 0) + k * 0.002;
            if (oracle_in_shell(cd_vec3_along(r.origin, r.dir, (cd_real)t), &s)) first = t;
        }
        if (first < 1e299) CHECK(found && (double)h.t <= first + 64 * EPS * size / unit + 1e-6);
        if (!found) continue;
        ++hits;
        CHECK_NEAR(cd_vec3_length(h.normal), 1, 16 * EPS);
        CHECK((double)cd_vec3_dot(h.normal, r.dir) <= 64 * EPS * unit * size + 1e-6);
        { /* on its boundary, within rounding that grows where the line grazes it */
            double length = (double)cd_vec3_length(cd_vec3_sub(h.point, s.center)),
                   slack = 64 * EPS * size + 1e-10;
            int face = (int)(h.feature & 0x3fffffffu);
            if (h.flags & CD_HIT_START) {
                CHECK(oracle_in_shell(r.origin, &s) ||
                      (double)cd_vec3_length(
                          cd_vec3_sub(cd_closest_pt_point_spherical_shell(r.origin, &s), r.origin)) <= slack);
                o.flags = CD_CAST_START_DEPTH;
                CHECK(ASK("samples", cd_cast_ray_spherical_shell(&r, CD_REAL_MAX, &s, &o, &h)) &&
                      h.depth <= s.outer - s.inner);
                continue;
            }
            CHECK(length >= (double)s.inner - slack && length <= (double)s.outer + slack);
            if (face == 0) CHECK_NEAR(length, s.outer, slack);
            if (face == 1) CHECK_NEAR(length, s.inner, slack);
            if (face == 2) {
                double c = (double)cd_vec3_dot(cd_vec3_normalize(s.axis), cd_vec3_sub(h.point, s.center));
                CHECK_NEAR(c, length * (double)s.cos_angle, sqrt(slack) + slack);
            }
        }
        o.flags = CD_CAST_CULL_FRONT;
        CHECK(ASK("samples", cd_cast_ray_spherical_shell(&r, CD_REAL_MAX, &s, &o, &out)) && out.t >= h.t);
    }
    CHECK_SEEN(hits > times / 4);
}

/* Small boxes far off, with a corner where the shell is. */
static void boxes_at_a_point(void) {
    test_rng rng = test_random();
    cd_spherical_shell s = simple_shell(0, 0, 0.5);
    for (long i = test_times(1000); i > 0; --i) {
        cd_aabb b;
        s.center.x = (cd_real)test_range(&rng, 1, 2);
        b.min = b.max = s.center;
        b.min.x -= (cd_real)test_range(&rng, 0, 1e-5);
        b.max.z += (cd_real)test_range(&rng, 0, 1e-5);
        test_note_reals("box", &b.min.x, 6);
        CHECK(ASK("exact", cd_test_spherical_shell_aabb(&s, b)));
    }
}

/* A shell with an angle of 0 is a segment: a ray along its axis meets it on its own side of the centre. */
static void rays_along_a_segment(void) {
    cd_spherical_shell s = simple_shell(1, 2, 1);
    cd_ray r;
    cd_hit hit;
    r.origin = cd_vec3_make(1, 2, -2);
    r.dir = cd_vec3_make(0, 0, 1);
    CHECK(cd_cast_ray_spherical_shell(&r, 100, &s, NULL, &hit));
    CHECK_SAME(hit.t, 6);
    r.dir.z = -1;
    CHECK(!cd_cast_ray_spherical_shell(&r, 100, &s, NULL, &hit));
    r.origin.z = 8;
    CHECK(cd_cast_ray_spherical_shell(&r, 100, &s, NULL, &hit));
    CHECK_SAME(hit.t, 3);
}

/* From the middle outward, through the hole, and from outside through both walls, by options. */
static void rays_through_a_hollow_ball(void) {
    cd_spherical_shell s = simple_shell(1, 2, -1);
    cd_cast_options o;
    cd_ray r;
    cd_hit h;
    memset(&o, 0, sizeof o);
    r.origin = s.center;
    r.dir = cd_vec3_make((cd_real)0.5, 0, 0);
    CHECK(cd_cast_ray_spherical_shell(&r, 100, &s, &o, &h));
    CHECK_SAME(h.t, 2);
    CHECK_VEC(h.normal, cd_vec3_make(-1, 0, 0), 0);
    r.origin.x += (cd_real)-1.5;
    CHECK(cd_cast_ray_spherical_shell(&r, 100, &s, &o, &h) && h.t == 0 && (h.flags & CD_HIT_START));
    o.flags = CD_CAST_START_IGNORE;
    CHECK(cd_cast_ray_spherical_shell(&r, 100, &s, &o, &h));
    CHECK_SAME(h.t, 5);
    r.dir = cd_vec3_make(0, 0, 0);
    CHECK(!cd_cast_ray_spherical_shell(&r, 100, &s, &o, &h));
    CHECK(cd_cast_ray_spherical_shell(&r, 100, &s, NULL, &h));
    s.axis.z = 0;
    CHECK(!cd_cast_ray_spherical_shell(&r, 100, &s, NULL, &h));
}

/* Each face is entered and left: the cone, of slope 3 : 4, beside the axis, the spheres along it. */
static void faces_are_entered_and_left(void) {
    static const struct {
        double from[3], dir[3], in, out; /* from the centre, and when */
        uint32_t face_in, face_out;
        double normal_in[3], normal_out[3]; /* against the ray */
    } ways[] = {
        {{-5, 0, 1.05}, {1, 0, 0}, 3.6, 6.4, 2, 2, {-0.6, 0, -0.8}, {-0.6, 0, 0.8}},
        {{0, 5, 1.05}, {0, -1, 0}, 3.6, 6.4, 2, 2, {0, 0.6, -0.8}, {0, 0.6, 0.8}},
        {{0, 0, 3}, {0, 0, -1}, 1, 2, 0, 1, {0, 0, 1}, {0, 0, 1}},
        {{0, 0, -3}, {0, 0, 1}, 4, 5, 1, 0, {0, 0, -1}, {0, 0, -1}},
        {{-1.2, 0, -1}, {0, 0, 1}, 1.9, 2.6, 2, 0, {-0.6, 0, -0.8}, {0.6, 0, -0.8}},
        {{-1.2, 0, 2}, {0, 0, -1}, 0.4, 1.1, 0, 2, {-0.6, 0, 0.8}, {0.6, 0, 0.8}},
        {{-0.6, 0, -1},
         {0, 0, 1},
         1.8,
         1 + 1.9078784028338913,
         1,
         0,
         {0.6, 0, -0.8},
         {0.3, 0, -0.95393920141694566}},
    };
    cd_spherical_shell s = simple_shell(1, 2, 0.6);
    for (size_t i = 0; i < sizeof ways / sizeof *ways; ++i) {
        const double *o = ways[i].from, *d = ways[i].dir, *m = ways[i].normal_in, *n = ways[i].normal_out;
        cd_cast_options back;
        cd_ray r;
        cd_hit h;
        memset(&back, 0, sizeof back);
        back.flags = CD_CAST_CULL_FRONT;
        r.origin = cd_vec3_make((cd_real)(1 + o[0]), (cd_real)(2 + o[1]), (cd_real)(3 + o[2]));
        r.dir = cd_vec3_make((cd_real)d[0], (cd_real)d[1], (cd_real)d[2]);
        test_note("way %d ", (int)i);
        CHECK(cd_cast_ray_spherical_shell(&r, 100, &s, NULL, &h));
        CHECK_NEAR(h.t, ways[i].in, 64 * EPS);
        CHECK_INT(h.feature, CD_FEATURE(3u, ways[i].face_in));
        CHECK_VEC(h.normal, cd_vec3_make((cd_real)m[0], (cd_real)m[1], (cd_real)m[2]), 64 * EPS);
        CHECK(cd_cast_ray_spherical_shell(&r, 100, &s, &back, &h));
        CHECK_NEAR(h.t, ways[i].out, 64 * EPS);
        CHECK_INT(h.feature, CD_FEATURE(3u, ways[i].face_out));
        CHECK_VEC(h.normal, cd_vec3_make((cd_real)n[0], (cd_real)n[1], (cd_real)n[2]), 64 * EPS);
    }
}

static void fits_hold_their_points(void) {
    test_rng rng = test_random();
    for (long i = test_times(2250); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p[20], c = gen_point(&g);
        cd_spherical_shell s;
        int count = test_int(&rng, 1, 20);
        for (int k = 0; k < count; ++k) {
            p[k] = gen_point(&g);
            if (k > 0 && !test_int(&rng, 0, 3)) p[k] = p[0];
        }
        test_note("count %d", count);
        test_note_reals("p", &p[0].x, 3 * (count < 10 ? count : 10));
        CHECK_INT(ASK("judge", cd_spherical_shell_from_points(p, (size_t)count, &s)), CD_OK);
        CHECK(ASK("judge", cd_spherical_shell_is_valid(&s)));
        for (int k = 0; k < count; ++k) CHECK(oracle_in_shell(p[k], &s));
        CHECK_INT(ASK("judge", cd_spherical_shell_about(p, (size_t)count, c, &s)), CD_OK);
        for (int k = 0; k < count; ++k) CHECK(oracle_in_shell(p[k], &s));
        for (int k = 0; k < count && g.kind == GEN_UNIT; ++k) {
            double way = (double)cd_vec3_length(cd_vec3_sub(p[k], c));
            CHECK(way <= (double)s.outer * (1 + 4 * EPS) && way >= (double)s.inner * (1 - 4 * EPS));
        }
    }
    {
        cd_vec3 p[2] = {{CD_REAL_MAX, CD_REAL_MAX, 0}, {-CD_REAL_MAX, 0, 0}};
        cd_spherical_shell s, zero;
        memset(&zero, 0, sizeof zero);
        CHECK_INT(ASK("judge", cd_spherical_shell_about(p, 2, p[1], &s)), CD_TOO_LARGE);
        CHECK(memcmp(&s, &zero, sizeof s) == 0);
        CHECK_INT(ASK("judge", cd_spherical_shell_from_points(NULL, 0, &s)), CD_INVALID_ARGUMENT);
        p[0].x = (cd_real)NAN;
        CHECK_INT(ASK("judge", cd_spherical_shell_from_points(p, 2, &s)), CD_INVALID_ARGUMENT);
        CHECK(memcmp(&s, &zero, sizeof s) == 0);
    }
}

static void merges_hold_both(void) {
    test_rng rng = test_random();
    for (long i = test_times(1500); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_spherical_shell s[2], m;
        s[0] = gen_shell(&g);
        s[1] = gen_shell(&g);
        if (g.kind == GEN_WIDE || !cd_spherical_shell_is_valid(&s[0]) || !cd_spherical_shell_is_valid(&s[1]))
            continue;
        if (test_int(&rng, 0, 1)) s[1].center = s[0].center;
        if (!test_int(&rng, 0, 4)) s[1].axis = s[0].axis;
        if (!test_int(&rng, 0, 4)) s[1].axis = cd_vec3_neg(s[0].axis);
        test_note("");
        test_note_reals("a", REALS(s[0]), 9);
        test_note_reals("b", REALS(s[1]), 9);
        m = ASK("judge", cd_merge_spherical_shell_spherical_shell(&s[0], &s[1]));
        CHECK(ASK("judge", cd_spherical_shell_is_valid(&m)));
        for (int k = 0; k < 40; ++k) {
            cd_vec3 x = shell_point(&s[k & 1], &rng);
            if (oracle_in_shell(x, &s[k & 1])) CHECK(oracle_in_shell(x, &m));
        }
        if (s[0].center.x == s[1].center.x && s[0].cos_angle > 0 && s[1].cos_angle > 0 &&
            g.kind == GEN_UNIT && s[0].center.y == s[1].center.y) { /* no wider than both beside each other */
            double between = acos(fmax(-1, fmin(1, (double)cd_vec3_dot(cd_vec3_normalize(s[0].axis),
                                                                       cd_vec3_normalize(s[1].axis)))));
            double angle =
                fmax(fmax(acos((double)s[0].cos_angle), acos((double)s[1].cos_angle)),
                     0.5 * (between + acos((double)s[0].cos_angle) + acos((double)s[1].cos_angle)));
            if (between < 3) CHECK((double)m.cos_angle >= cos(angle) - 32 * EPS - 1e-13);
        }
    }
}

/* Two cones that are half a space together: their rims are opposite, and the axis is not taken from the sum of these. */
static void half_a_space_of_cones(void) {
    int tried = 0;
    for (int i = 0; i < 40; ++i) {
        double angle = 1.5707963267948966 - ldexp(1, -i), between = 0.25 + i / 64.0,
               other = 2 * angle - between - 1.25;
        cd_spherical_shell s[2], m;
        memset(s, 0, sizeof s);
        for (int k = 0; k < 2; ++k) s[k].outer = 1;
        s[0].axis = cd_vec3_make((cd_real)0.48, (cd_real)0.6, (cd_real)0.64);
        s[1].axis = cd_quat_rotate(
            cd_quat_from_axis_angle(cd_vec3_make((cd_real)0.8, 0, (cd_real)-0.6), (cd_real)between),
            s[0].axis);
        s[0].cos_angle = (cd_real)cos(1.25);
        s[1].cos_angle = (cd_real)cos(other);
        if (fabs(other - 1.25) >= between) continue; /* one in the other */
        between = acos((double)cd_vec3_dot(cd_vec3_normalize(s[0].axis), cd_vec3_normalize(s[1].axis)));
        angle = (acos((double)s[0].cos_angle) + acos((double)s[1].cos_angle) + between) / 2;
        m = cd_merge_spherical_shell_spherical_shell(&s[0], &s[1]);
        test_note("%d", i);
        ++tried;
        CHECK_NEAR(m.cos_angle, cos(angle), 32 * EPS + 1e-13);
        CHECK((double)m.cos_angle <= cos(angle) + 4 * EPS);
    }
    CHECK(tried > 30);
}

/* Two cones of one tip, side by side or one in the other: the least that holds both. */
static void cones_are_merged_tightly(void) {
    static const double angles[] = {0.05, 0.2, 0.5, 1.0, 1.4};
    for (int i = 0; i < 5; ++i) {
        for (int j = 0; j < 5; ++j) {
            for (double between = 0.125; between < 2.6; between += 0.25) {
                double want = fmax(fmax(angles[i], angles[j]), (angles[i] + angles[j] + between) / 2);
                cd_spherical_shell s[2], m;
                if (want > 2.8) continue;
                memset(s, 0, sizeof s);
                s[0].axis = cd_vec3_make(0, 1, 0);
                s[1].axis = cd_vec3_make((cd_real)sin(between), (cd_real)cos(between), 0);
                s[0].cos_angle = (cd_real)cos(angles[i]);
                s[1].cos_angle = (cd_real)cos(angles[j]);
                s[0].outer = s[1].outer = 2;
                s[0].inner = s[1].inner = 1;
                test_note("angles %g, %g, between %g", angles[i], angles[j], between);
                m = ASK("judge", cd_merge_spherical_shell_spherical_shell(&s[0], &s[1]));
                CHECK_NEAR(m.cos_angle, cos(want), 64 * EPS + 1e-12);
                CHECK_NEAR(m.inner, 1, 8 * EPS + 1e-12);
                CHECK_NEAR(m.outer, 2, 8 * EPS + 1e-12);
            }
        }
    }
}

/* Where a shell about one of the centres would leave the range, it is about the other. */
static void merges_near_the_end_of_the_range(void) {
    for (int k = 0; k < 3; ++k) {
        cd_spherical_shell s[2], m;
        memset(s, 0, sizeof s);
        for (int i = 0; i < 2; ++i) {
            s[i].axis = cd_vec3_make(0, 0, 1);
            s[i].cos_angle = -1;
        }
        s[0].outer = (cd_real)(0.9 * (double)CD_REAL_MAX);
        (&s[1].center.x)[k] = (cd_real)(-0.5 * (double)CD_REAL_MAX);
        s[1].outer = (cd_real)(0.01 * (double)CD_REAL_MAX);
        for (int i = 0; i < 2; ++i) {
            m = ASK("judge", cd_merge_spherical_shell_spherical_shell(&s[i], &s[1 - i]));
            CHECK(ASK("judge", cd_spherical_shell_is_valid(&m)) && m.outer >= s[0].outer && m.inner == 0);
            CHECK_VEC(m.center, s[0].center, 0);
            CHECK_NEAR((double)m.outer / (double)s[0].outer, 1, 4 * EPS + 1e-13);
            CHECK_SAME(m.cos_angle, -1);
        }
    }
}

/* A cone that is in another, in whatever order: merged they are the other, as it was but for rounding. */
static void cones_within_cones(void) {
    for (int swapped = 0; swapped < 2; ++swapped)
        for (int k = 0; k < 8; ++k) {
            cd_spherical_shell wide = simple_shell(1, 2, 0.1 * k - 0.35), thin = simple_shell(1, 2, 0.999), m;
            double a = 0.1 * k + 0.05;
            thin.axis = cd_vec3_make((cd_real)sin(a), 0, (cd_real)cos(a));
            m = swapped ? cd_merge_spherical_shell_spherical_shell(&thin, &wide)
                        : cd_merge_spherical_shell_spherical_shell(&wide, &thin);
            CHECK_NEAR(m.cos_angle, wide.cos_angle, 8 * EPS + 4e-13); /* the margin of merged shells */
            CHECK_VEC(m.axis, cd_vec3_make(0, 0, 1), 8 * EPS);
        }
}

/* A short needle at the tip of the cone around a far larger ball: the cone is all that is added to it, not the ball around it. */
static void needles_within_the_cone_of_a_ball(void) {
    for (int swapped = 0; swapped < 2; ++swapped)
        for (int k = 0; k < 4; ++k) {
            cd_spherical_shell ball = simple_shell(0, 1, -1), thin = simple_shell(0.05, 0.1, 0.999), m;
            thin.axis = cd_vec3_make((cd_real)sin(0.1 * k), 0, (cd_real)cos(0.1 * k));
            ball.center.z += 2;
            m = swapped ? cd_merge_spherical_shell_spherical_shell(&ball, &thin)
                        : cd_merge_spherical_shell_spherical_shell(&thin, &ball);
            CHECK_VEC(m.center, thin.center, 0);
            CHECK_NEAR(m.cos_angle, sqrt(0.75), 8 * EPS + 4e-13);
            CHECK_VEC(m.axis, cd_vec3_make(0, 0, 1), 8 * EPS);
        }
}

/* Points at the centre have no length; directions that cancel have no mean, but for rounding, and others have theirs. */
static void points_about_a_centre(void) {
    cd_vec3 c = cd_vec3_make(1, 2, 3), p[3], q[2];
    cd_spherical_shell s;
    p[0] = p[1] = p[2] = c;
    CHECK_INT(cd_spherical_shell_about(p, 3, c, &s), CD_OK);
    CHECK_SAME(s.outer, 0);
    CHECK_SAME(s.inner, 0);
    for (int k = 0; k < 2; ++k) {
        q[0] = cd_vec3_make(1, 0, 0);
        q[1] = cd_vec3_make(-1, (cd_real)(k ? 1e-5 : 1e-6), 0);
        CHECK_INT(cd_spherical_shell_about(q, 2, cd_vec3_make(0, 0, 0), &s), CD_OK);
        CHECK_VEC(s.axis, cd_vec3_make(0, (cd_real)k, (cd_real)(1 - k)), 1e-4);
    }
}

void suite_shell(void) {
    RUN(points_are_judged_exactly);
    RUN(volumes_and_areas);
    RUN(answers_agree_with_samples);
    RUN(directions_that_are_none);
    RUN(shells_that_are_none);
    RUN(shells_apart);
    RUN(nothing_meets_no_shell);
    RUN(rays_against_shells);
    RUN(boxes_at_a_point);
    RUN(rays_along_a_segment);
    RUN(rays_through_a_hollow_ball);
    RUN(faces_are_entered_and_left);
    RUN(fits_hold_their_points);
    RUN(points_about_a_centre);
    RUN(merges_hold_both);
    RUN(half_a_space_of_cones);
    RUN(cones_are_merged_tightly);
    RUN(cones_within_cones);
    RUN(needles_within_the_cone_of_a_ball);
    RUN(merges_near_the_end_of_the_range);
}
