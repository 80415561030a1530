/* Lines, rays, segments, planes against each other, triangles, boxes, spheres and capsules, where it is close: points in special
 * position, radii next to the distance. (tests/test_overlap_table.c has every pair on all kinds of input.) */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

static exact3 exact_of(cd_vec3 v) {
    double d[3];
    to_doubles(&v.x, d, 3);
    return exact3_from(d);
}

/* ---- linear things ---- */

typedef struct generated {
    oracle_generator of[8];
    int count;
} generated;

/* Points, then a direction, if any, and for a line the opposite one. */
static generated generate(const cd_vec3 *points, int count, const cd_vec3 *dir, bool both) {
    generated s;
    s.count = 0;
    for (int i = 0; i < count; ++i) {
        s.of[s.count].x = exact_of(points[i]);
        s.of[s.count++].w = exact_power(0);
    }
    for (int i = 0; dir && i < 1 + both; ++i) {
        s.of[s.count].x = exact3_scale(exact_of(*dir), exact_from(i ? -1.0 : 1.0));
        s.of[s.count++].w = exact_from(0.0);
    }
    return s;
}

static bool sets_meet(generated a, generated b) {
    return oracle_sets_meet(a.of, a.count, b.of, b.count);
}

/* Nine points in special position: collinear, coplanar, on a grid of one unit in the last place, or any. */
static void draw_points(gen *g, cd_vec3 p[9]) {
    int how = test_int(g->rng, 0, 3);
    for (int i = 0; i < 9; ++i) p[i] = gen_point(g);
    if (how == 0) gen_collinear(g, p);
    if (how == 1) gen_coplanar(g, p);
    if (how == 2) gen_ulp_grid(g, p, 5);
    if (!test_int(g->rng, 0, 3)) p[test_int(g->rng, 0, 4)] = p[test_int(g->rng, 0, 4)];
}

static void close_calls(void) {
    test_rng rng = test_random();
    long met[6] = {0};
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        exact_pool pool = exact_begin();
        cd_vec3 p[9], away;
        cd_segment s, t;
        cd_triangle f;
        cd_ray r, q;
        cd_line l;
        generated line, ray;
        draw_points(&g, p);
        away = cd_vec3_sub(p[1], p[0]); /* rounded now and then, and so not quite toward p[1] */
        s.a = p[0], s.b = p[1], t.a = p[2], t.b = p[3];
        f.a = p[2], f.b = p[3], f.c = p[4];
        r.origin = l.origin = p[0];
        r.dir = l.dir = away;
        q.origin = p[2];
        q.dir = cd_vec3_sub(p[3], p[2]);
        test_note("");
        test_note_reals("p", REALS(p), 15);
        ray = generate(p, 1, &away, false);
        line = generate(p, 1, &away, true);
        CHECK_INT(ASK("exact", cd_test_segment_segment(&s, &t)),
                  sets_meet(generate(p, 2, NULL, false), generate(p + 2, 2, NULL, false)));
        CHECK_INT(ASK("exact", cd_test_segment_triangle(&s, &f)),
                  sets_meet(generate(p, 2, NULL, false), generate(p + 2, 3, NULL, false)));
        CHECK_INT(ASK("exact", cd_test_point_segment(p[2], &s)),
                  sets_meet(generate(p, 2, NULL, false), generate(p + 2, 1, NULL, false)));
        CHECK_INT(ASK("exact", cd_test_point_triangle(p[0], &f)),
                  sets_meet(generate(p, 1, NULL, false), generate(p + 2, 3, NULL, false)));
        CHECK_INT(ASK("exact", cd_test_point_ray(p[2], &r)), sets_meet(ray, generate(p + 2, 1, NULL, false)));
        CHECK_INT(ASK("exact", cd_test_ray_segment(&r, &t)), sets_meet(ray, generate(p + 2, 2, NULL, false)));
        CHECK_INT(ASK("exact", cd_test_ray_ray(&r, &q)), sets_meet(ray, generate(p + 2, 1, &q.dir, false)));
        CHECK_INT(ASK("exact", cd_test_ray_triangle(&r, &f)),
                  sets_meet(ray, generate(p + 2, 3, NULL, false)));
        CHECK_INT(ASK("exact", cd_test_line_triangle(&l, &f)),
                  cd_line_is_valid(&l) && sets_meet(line, generate(p + 2, 3, NULL, false)));
        met[1] += cd_test_segment_segment(&s, &t);
        met[2] += cd_test_ray_segment(&r, &t);
        met[3] += cd_test_point_triangle(p[0], &f);
        met[4] += cd_test_line_triangle(&l, &f);
        met[5] += cd_test_ray_ray(&r, &q);
        exact_end(pool);
    }
    for (int i = 1; i < 6; ++i) CHECK_SEEN(met[i] > 0);
}

/* A box and a line through, along and past its edges and corners. */
static void boxes(void) {
    test_rng rng = test_random();
    long met = 0, times = test_times(3000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        exact_pool pool = exact_begin();
        cd_aabb b = gen_aabb(&g);
        cd_vec3 corner[8], p[2], dir;
        cd_segment s;
        cd_line l;
        cd_ray r;
        generated box;
        for (int k = 0; k < 8; ++k)
            corner[k] =
                cd_vec3_make(k & 1 ? b.max.x : b.min.x, k & 2 ? b.max.y : b.min.y, k & 4 ? b.max.z : b.min.z);
        for (int k = 0; k < 2; ++k) { /* a corner, a point of an edge or face, or any */
            p[k] = gen_point(&g);
            for (int axis = 0; axis < 3; ++axis)
                if (test_int(&rng, 0, 2)) REALS(p[k])[axis] = REALS(corner[test_int(&rng, 0, 7)])[axis];
        }
        if (!test_int(&rng, 0, 2)) p[1] = cd_vec3_sub(cd_vec3_scale(corner[test_int(&rng, 0, 7)], 2), p[0]);
        dir = cd_vec3_sub(p[1], p[0]);
        s.a = p[0], s.b = p[1];
        l.origin = r.origin = p[0];
        l.dir = r.dir = dir;
        test_note("");
        test_note_reals("box", REALS(b), 6);
        test_note_reals("p", REALS(p), 6);
        box = generate(corner, 8, NULL, false);
        if (cd_aabb_is_empty(b)) box.count = 0;
        met += cd_test_segment_aabb(&s, b);
        CHECK_INT(ASK("exact", cd_test_segment_aabb(&s, b)),
                  box.count && sets_meet(generate(p, 2, NULL, false), box));
        CHECK_INT(ASK("exact", cd_test_ray_aabb(&r, b)),
                  box.count && sets_meet(generate(p, 1, &dir, false), box));
        CHECK_INT(ASK("exact", cd_test_line_aabb(&l, b)),
                  box.count && cd_line_is_valid(&l) && sets_meet(generate(p, 1, &dir, true), box));
        exact_end(pool);
    }
    CHECK_SEEN(met > 0 && met < times);
}

/* The tests of rays answer as the casts do. */
static void as_the_casts(void) {
    test_rng rng = test_random();
    for (long i = test_times(20000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_aabb b = gen_aabb(&g);
        cd_obb o = gen_obb(&g);
        cd_triangle t = gen_triangle(&g);
        cd_ray r;
        r.origin = gen_point(&g);
        r.dir = test_int(&rng, 0, 20) ? gen_direction(&g) : cd_vec3_make(0, 0, 0);
        test_note("");
        test_note_reals("ray", REALS(r), 6);
        test_note_reals("box", REALS(b), 6);
        test_note_reals("obb", REALS(o), 15);
        test_note_reals("triangle", REALS(t), 9);
        CHECK_INT(ASK("forms", cd_test_ray_aabb(&r, b)), cd_cast_ray_aabb(&r, CD_REAL_MAX, b, NULL, NULL));
        CHECK_INT(ASK("forms", cd_test_ray_obb(&r, &o)), cd_cast_ray_obb(&r, CD_REAL_MAX, &o, NULL, NULL));
        CHECK(ASK("forms", cd_test_ray_triangle(&r, &t)) ||
              !cd_cast_ray_triangle(&r, CD_REAL_MAX, &t, NULL, NULL));
    }
}

/* A ray without direction is a point: inside a triangle it meets no edge. */
static void rays_that_are_points(void) {
    cd_triangle t = {{0, 0, 1}, {4, 0, 1}, {0, 4, 1}};
    cd_ray r = {{1, 1, 1}, {0, 0, 0}}, above = {{1, 1, 1 + CD_REAL_EPSILON}, {0, 0, 0}};
    cd_line l = {{1, 1, 1}, {0, 0, 0}};
    CHECK(cd_test_ray_triangle(&r, &t) && !cd_test_ray_triangle(&above, &t) &&
          !cd_test_line_triangle(&l, &t));
}

/* Parallel planes of any length of normal, and planes that are parallel but for the last place. */
static void planes(void) {
    cd_plane a = {{1, 2, 3}, 3}, same = {{-3, -6, -9}, -9}, above = {{2, 4, 6}, 7},
             opposite = {{-2, -4, -6}, -7};
    cd_plane tilted = {{1, 2, 3}, 1000}, none = {{0, 0, 0}, 0};
    REALS(tilted.n)[2] += 2 * CD_REAL_EPSILON;
    CHECK(cd_test_plane_plane(a, same) && cd_test_plane_halfspace(a, same) &&
          cd_test_halfspace_halfspace(a, same));
    CHECK(!cd_test_plane_plane(a, above) && cd_test_plane_halfspace(a, above) &&
          !cd_test_plane_halfspace(above, a));
    CHECK(cd_test_halfspace_halfspace(a, above) && cd_test_halfspace_halfspace(above, a));
    CHECK(!cd_test_plane_halfspace(a, opposite) && !cd_test_halfspace_halfspace(a, opposite));
    CHECK(!cd_test_halfspace_halfspace(opposite, a));
    CHECK(cd_test_plane_plane(a, tilted) && cd_test_plane_halfspace(tilted, a));
    CHECK(!cd_test_plane_plane(a, none) && !cd_test_plane_halfspace(a, none) &&
          !cd_test_halfspace_halfspace(none, a));
}

/* ---- spheres and capsules ---- */

/* Is the point within r of the ray (or, if `whole`, of its line)? */
static bool reaches(cd_vec3 o3, cd_vec3 d3, cd_vec3 c3, double r, bool whole) {
    exact3 d = exact_of(d3), m = exact3_sub(exact_of(c3), exact_of(o3)), n = exact3_cross(d, m);
    exact square = exact_mul(exact_from(r), exact_from(r));
    if (!whole && exact3_dot(d, m).sign <= 0) return exact_compare(exact3_dot(m, m), square) <= 0;
    return exact_compare(exact3_dot(n, n), exact_mul(square, exact3_dot(d, d))) <= 0;
}

static bool crosses_within(const cd_ray *r, const cd_capsule *c) {
    exact3 u = exact_of(r->dir), v = exact3_sub(exact_of(c->b), exact_of(c->a));
    exact3 from = exact3_sub(exact_of(c->a), exact_of(r->origin)), n = exact3_cross(u, v);
    exact nn = exact3_dot(n, n), t = exact3_dot(exact3_cross(from, v), n),
          s = exact3_dot(exact3_cross(from, u), n);
    exact h = exact3_dot(from, n), radius = exact_from((double)c->radius);
    return nn.sign && t.sign >= 0 && s.sign >= 0 && exact_compare(s, nn) <= 0 &&
           exact_compare(exact_mul(h, h), exact_mul(exact_mul(radius, radius), nn)) <= 0;
}

static bool ray_reaches_capsule(const cd_ray *r, const cd_capsule *c) {
    exact_pool pool = exact_begin();
    double o[6], core[6], radius = (double)c->radius;
    bool reach;
    to_doubles(&r->origin.x, o, 3);
    to_doubles(&r->origin.x, o + 3, 3);
    to_doubles(&c->a.x, core, 6);
    reach = oracle_segments_against(o, core, radius, 0) <= 0 ||
            reaches(r->origin, r->dir, c->a, radius, false) ||
            reaches(r->origin, r->dir, c->b, radius, false) || crosses_within(r, c);
    exact_end(pool);
    return reach;
}

/* The radius with which they just touch, as far as it can be told by trying, or next to it. */
static cd_real touching(gen *g, const cd_ray *r, cd_capsule c) {
    cd_real lo = 0, hi = c.radius;
    for (int i = 0; i < 60; ++i) {
        c.radius = lo / 2 + hi / 2;
        if (cd_test_ray_capsule(r, &c))
            hi = c.radius;
        else
            lo = c.radius;
    }
    return gen_near(g->rng, test_int(g->rng, 0, 1) ? lo : hi);
}

static void rays_and_round_things(void) {
    test_rng rng = test_random();
    long met = 0, times = test_times(3000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        exact_pool pool = exact_begin();
        cd_ray r;
        cd_line l;
        cd_capsule c, point;
        cd_sphere s;
        bool capsule, sphere;
        r.origin = gen_point(&g);
        r.dir = test_int(&rng, 0, 9) ? gen_direction(&g) : cd_vec3_make(0, 0, 0);
        c.a = gen_point(&g);
        c.b = test_int(&rng, 0, 7) ? gen_point(&g) : c.a;
        if (!test_int(&rng, 0, 7)) c.b = cd_vec3_add(c.a, r.dir);
        c.radius = gen_length(&g);
        if (test_int(&rng, 0, 1)) c.radius = touching(&g, &r, c);
        point = c;
        point.b = point.a;
        if (test_int(&rng, 0, 1)) point.radius = touching(&g, &r, point);
        s.center = point.a;
        s.radius = point.radius;
        l.origin = r.origin;
        l.dir = r.dir;
        test_note("");
        test_note_reals("ray", REALS(r), 6);
        test_note_reals("capsule", REALS(c), 7);
        test_note_reals("sphere", REALS(s), 4);
        capsule = cd_capsule_is_valid(&c) && ray_reaches_capsule(&r, &c);
        sphere = cd_sphere_is_valid(s) && reaches(r.origin, r.dir, s.center, (double)s.radius, false);
        met += capsule;
        CHECK_INT(ASK("exact", cd_test_ray_capsule(&r, &c)), capsule);
        CHECK_INT(ASK("exact", cd_test_ray_sphere(&r, s)), sphere);
        CHECK_INT(ASK("exact", cd_test_ray_capsule(&r, &point)), sphere);
        CHECK_INT(ASK("exact", cd_test_line_sphere(&l, s)),
                  cd_line_is_valid(&l) && cd_sphere_is_valid(s) &&
                      reaches(l.origin, l.dir, s.center, (double)s.radius, true));
        exact_end(pool);
    }
    CHECK_SEEN(met > 0 && met < times);
}

/* Pythagorean numbers: the ray touches, and no longer does one unit in the last place below. */
static void touching_rays(void) {
    cd_ray r = {{-7, 5, 0}, {3, 0, 4}};
    cd_line l = {{-7, 5, 0}, {3, 0, 4}};
    cd_sphere s = {{-7 + 30, 0, 40}, 5};
    cd_capsule c = {{-7 + 30 - 4, 0, 40 + 3}, {-7 + 30 + 4, 0, 40 - 3}, 5};
    for (int i = 0; i < 2; ++i) {
        CHECK(cd_test_ray_sphere(&r, s) && cd_test_line_sphere(&l, s) && cd_test_ray_capsule(&r, &c));
        s.radius = c.radius = 5 - 4 * CD_REAL_EPSILON;
        CHECK(!cd_test_ray_sphere(&r, s) && !cd_test_line_sphere(&l, s) && !cd_test_ray_capsule(&r, &c));
        s.radius = c.radius = 5;
        r.dir = cd_vec3_scale(r.dir, 1024);
        l.dir = cd_vec3_scale(l.dir, -1024);
    }
    r.dir = cd_vec3_scale(r.dir, -1);
    CHECK(!cd_test_ray_sphere(&r, s) && cd_test_line_sphere(&l, s) && !cd_test_ray_capsule(&r, &c));
}

/* Segments are capsules of radius 0. */
static void segments_and_round_things(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_segment s = gen_segment(&g);
        cd_capsule c;
        cd_sphere b;
        double core[6], ends[6];
        c.a = gen_point(&g);
        c.b = gen_point(&g);
        to_doubles(&s.a.x, ends, 6);
        to_doubles(&c.a.x, core, 6);
        c.radius = test_int(&rng, 0, 1)
                       ? gen_length(&g)
                       : gen_near(&rng, (cd_real)oracle_segment_segment(ends, core).distance);
        b.center = c.a;
        b.radius = c.radius;
        test_note("");
        test_note_reals("segment", REALS(s), 6);
        test_note_reals("capsule", REALS(c), 7);
        if (!(c.radius >= 0)) continue;
        CHECK_INT(ASK("exact", cd_test_segment_capsule(&s, &c)),
                  oracle_segments_against(ends, core, (double)c.radius, 0) <= 0);
        memcpy(core + 3, core, 3 * sizeof *core);
        CHECK_INT(ASK("exact", cd_test_segment_sphere(&s, b)),
                  oracle_segments_against(ends, core, (double)b.radius, 0) <= 0);
    }
}

void suite_linear_tests(void) {
    RUN(close_calls);
    RUN(boxes);
    RUN(as_the_casts);
    RUN(rays_that_are_points);
    RUN(planes);
    RUN(rays_and_round_things);
    RUN(touching_rays);
    RUN(segments_and_round_things);
}
