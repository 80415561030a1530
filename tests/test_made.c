/* What shapes are as they are made, moved and put into unions; which ones are valid; boxes of points. Each by its definition. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

static cd_real whole(test_rng *rng) {
    return (cd_real)test_int(rng, -2, 2);
}

static cd_vec3 whole_point(test_rng *rng) {
    cd_real x = whole(rng), y = whole(rng), z = whole(rng);
    return cd_vec3_make(x, y, z);
}

/* ---- which ones are valid ---- */

static cd_real no_number(test_rng *rng) {
    static const double none[3] = {NAN, INFINITY, -INFINITY};
    return (cd_real)none[test_int(rng, 0, 2)];
}

/* No number of a thing may be NaN or infinite. */
#define EACH_NUMBER_COUNTS(thing, call)                                                                      \
    for (size_t at = 0; at < sizeof(thing) / sizeof(cd_real); ++at) {                                        \
        cd_real was = REALS(thing)[at];                                                                      \
        REALS(thing)[at] = no_number(&rng);                                                                  \
        test_note("number %u", (unsigned)at);                                                                \
        CHECK(!ASK("bad", call));                                                                            \
        REALS(thing)[at] = was;                                                                              \
    }                                                                                                        \
    test_note_reals("thing", REALS(thing), (int)(sizeof(thing) / sizeof(cd_real)))

static bool same_point(cd_vec3 a, cd_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool is_zero(cd_vec3 v) {
    return v.x == 0 && v.y == 0 && v.z == 0;
}

static void points_and_planes(void) {
    test_rng rng = test_random();
    for (long i = test_times(500); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_line l;
        cd_ray r;
        cd_segment s = gen_segment(&g);
        cd_plane p;
        cd_triangle t = gen_triangle(&g);
        cd_quad q;
        cd_tetrahedron e;
        l.origin = r.origin = q.a = e.a = gen_point(&g);
        q.b = q.c = e.b = e.c = r.dir = gen_point(&g);
        q.d = e.d = gen_point(&g);
        l.dir = p.n = test_int(&rng, 0, 3) ? gen_direction(&g) : cd_vec3_make(0, 0, 0);
        p.d = gen_coordinate(&g, 0);
        EACH_NUMBER_COUNTS(l, cd_line_is_valid(&l));
        CHECK_INT(ASK("exact", cd_line_is_valid(&l)), !is_zero(l.dir));
        EACH_NUMBER_COUNTS(r, cd_ray_is_valid(&r));
        CHECK(ASK("exact", cd_ray_is_valid(&r)));
        EACH_NUMBER_COUNTS(s, cd_segment_is_valid(&s));
        CHECK(ASK("exact", cd_segment_is_valid(&s)));
        EACH_NUMBER_COUNTS(p, cd_plane_is_valid(&p));
        CHECK_INT(ASK("exact", cd_plane_is_valid(&p)), !is_zero(p.n));
        EACH_NUMBER_COUNTS(t, cd_triangle_is_valid(&t));
        CHECK(ASK("exact", cd_triangle_is_valid(&t)));
        EACH_NUMBER_COUNTS(q, cd_quad_is_valid(&q));
        CHECK(ASK("exact", cd_quad_is_valid(&q)));
        EACH_NUMBER_COUNTS(e, cd_tetrahedron_is_valid(&e));
        CHECK(ASK("exact", cd_tetrahedron_is_valid(&e)));
    }
}

static void round_ones(void) {
    test_rng rng = test_random();
    for (long i = test_times(500); i > 0; --i) {
        cd_sphere s;
        cd_capsule c;
        cd_tapered_capsule t;
        cd_cylinder y;
        cd_cone k;
        cd_disc d;
        cd_torus o;
        cd_spherical_shell h;
        cd_circle f;
        cd_real a = whole(&rng), b = whole(&rng);
        gen_begin(&rng, GEN_GRID);
        s.center = c.a = t.a = y.a = k.apex = d.center = o.center = h.center = whole_point(&rng);
        c.b = t.b = y.b = k.base = test_int(&rng, 0, 2) ? whole_point(&rng) : c.a;
        d.normal = o.axis = h.axis = whole_point(&rng);
        f.center = cd_vec2_make(a, b);
        s.radius = c.radius = t.radius_a = y.radius = k.radius = d.radius = o.major = h.outer = f.radius =
            whole(&rng);
        t.radius_b = o.minor = h.inner = whole(&rng);
        h.cos_angle = whole(&rng);
        EACH_NUMBER_COUNTS(s, cd_sphere_is_valid(s));
        CHECK_INT(ASK("exact", cd_sphere_is_valid(s)), s.radius >= 0);
        EACH_NUMBER_COUNTS(f, cd_circle_is_valid(f));
        CHECK_INT(ASK("exact", cd_circle_is_valid(f)), f.radius >= 0);
        EACH_NUMBER_COUNTS(c, cd_capsule_is_valid(&c));
        CHECK_INT(ASK("exact", cd_capsule_is_valid(&c)), c.radius >= 0);
        EACH_NUMBER_COUNTS(t, cd_tapered_capsule_is_valid(&t));
        CHECK_INT(ASK("exact", cd_tapered_capsule_is_valid(&t)), t.radius_a >= 0 && t.radius_b >= 0);
        EACH_NUMBER_COUNTS(y, cd_cylinder_is_valid(&y));
        CHECK_INT(ASK("exact", cd_cylinder_is_valid(&y)),
                  y.radius == 0 || (y.radius > 0 && !same_point(y.a, y.b)));
        EACH_NUMBER_COUNTS(k, cd_cone_is_valid(&k));
        CHECK_INT(ASK("exact", cd_cone_is_valid(&k)),
                  k.radius == 0 || (k.radius > 0 && !same_point(k.apex, k.base)));
        EACH_NUMBER_COUNTS(d, cd_disc_is_valid(&d));
        CHECK_INT(ASK("exact", cd_disc_is_valid(&d)), d.radius >= 0 && !is_zero(d.normal));
        EACH_NUMBER_COUNTS(o, cd_torus_is_valid(&o));
        CHECK_INT(ASK("exact", cd_torus_is_valid(&o)), o.major >= 0 && o.minor >= 0 && !is_zero(o.axis));
        EACH_NUMBER_COUNTS(h, cd_spherical_shell_is_valid(&h));
        CHECK_INT(ASK("exact", cd_spherical_shell_is_valid(&h)), h.inner >= 0 && h.inner <= h.outer &&
                                                                     h.cos_angle >= -1 && h.cos_angle <= 1 &&
                                                                     !is_zero(h.axis));
    }
}

static void boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        cd_aabb b;
        cd_aabb_mw w;
        cd_aabb_cr c;
        cd_aabb2 f;
        cd_vec3 v;
        gen_begin(&rng, GEN_GRID);
        b.min = w.min = c.center = whole_point(&rng);
        b.max = w.width = c.half = v = whole_point(&rng);
        f.min = cd_vec2_make(b.min.x, b.min.y);
        f.max = cd_vec2_make(b.max.x, b.max.y);
        EACH_NUMBER_COUNTS(b, cd_aabb_is_valid(b));
        CHECK_INT(ASK("exact", cd_aabb_is_valid(b)),
                  b.min.x <= b.max.x && b.min.y <= b.max.y && b.min.z <= b.max.z);
        CHECK_INT(ASK("exact", cd_aabb_is_empty(b)),
                  b.min.x > b.max.x || b.min.y > b.max.y || b.min.z > b.max.z);
        EACH_NUMBER_COUNTS(w, cd_aabb_mw_is_valid(&w));
        CHECK_INT(ASK("exact", cd_aabb_mw_is_valid(&w)), v.x >= 0 && v.y >= 0 && v.z >= 0);
        EACH_NUMBER_COUNTS(c, cd_aabb_cr_is_valid(&c));
        CHECK_INT(ASK("exact", cd_aabb_cr_is_valid(&c)), v.x >= 0 && v.y >= 0 && v.z >= 0);
        EACH_NUMBER_COUNTS(f, cd_aabb2_is_valid(f));
        CHECK_INT(ASK("exact", cd_aabb2_is_valid(f)), f.min.x <= f.max.x && f.min.y <= f.max.y);
        CHECK_INT(ASK("exact", cd_aabb2_is_empty(f)), f.min.x > f.max.x || f.min.y > f.max.y);
    }
}

/* Axes a little too long or aslant: half of what is allowed, and twice as much. */
static void boxes_with_axes(void) {
    test_rng rng = test_random();
    for (long i = test_times(500); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb b = gen_obb(&g);
        cd_ellipsoid e;
        cd_obb2 f;
        cd_rect r;
        cd_lozenge l;
        int off = test_int(&rng, 0, 2), column = test_int(&rng, 0, 2);
        double angle = test_range(&rng, -3, 3), by = off == 2 ? 2e-3 : off ? 2.5e-4 : 0;
        bool long_one = test_int(&rng, 0, 1) == 1;
        if (long_one) {
            b.axes.col[column] = cd_vec3_scale(b.axes.col[column], (cd_real)(1 + by));
        } else {
            b.axes.col[column] =
                cd_vec3_add(b.axes.col[column], cd_vec3_scale(b.axes.col[(column + 1) % 3], (cd_real)by));
            b.axes.col[column] = cd_vec3_normalize(b.axes.col[column]);
        }
        b.half = whole_point(&rng);
        if (test_int(&rng, 0, 1)) b.half = cd_vec3_make(1, 0, 2);
        e.center = b.center;
        e.axes = b.axes;
        e.half = b.half;
        f.center = cd_vec2_make(b.center.x, b.center.y);
        f.half = cd_vec2_make(b.half.x, b.half.y);
        f.axis = cd_vec2_make((cd_real)((1 + by) * cos(angle)), (cd_real)((1 + by) * sin(angle)));
        r.a = l.a = b.center;
        r.edge[0] = l.edge[0] = cd_vec3_scale(b.axes.col[column], 2);
        r.edge[1] = l.edge[1] = cd_vec3_scale(b.axes.col[(column + 1) % 3], 3);
        l.radius = whole(&rng);
        EACH_NUMBER_COUNTS(b, cd_obb_is_valid(&b));
        CHECK_INT(ASK("judge", cd_obb_is_valid(&b)),
                  off < 2 && b.half.x >= 0 && b.half.y >= 0 && b.half.z >= 0);
        EACH_NUMBER_COUNTS(e, cd_ellipsoid_is_valid(&e));
        CHECK_INT(ASK("judge", cd_ellipsoid_is_valid(&e)),
                  off < 2 && e.half.x >= 0 && e.half.y >= 0 && e.half.z >= 0);
        EACH_NUMBER_COUNTS(f, cd_obb2_is_valid(&f));
        CHECK_INT(ASK("judge", cd_obb2_is_valid(&f)), off < 2 && f.half.x >= 0 && f.half.y >= 0);
        EACH_NUMBER_COUNTS(r, cd_rect_is_valid(&r));
        CHECK_INT(ASK("judge", cd_rect_is_valid(&r)), off < 2 || long_one);
        EACH_NUMBER_COUNTS(l, cd_lozenge_is_valid(&l));
        CHECK_INT(ASK("judge", cd_lozenge_is_valid(&l)), (off < 2 || long_one) && l.radius >= 0);
    }
}

static void lists_of_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        cd_slab s[3];
        cd_plane p[4];
        cd_vec3 g[3];
        cd_zonotope z;
        cd_world_pose pose;
        bool good = true, sides = true;
        int at = test_int(&rng, 0, 11);
        gen_begin(&rng, GEN_GRID);
        for (int k = 0; k < 3; ++k) {
            s[k].n = g[k] = whole_point(&rng);
            s[k].min = whole(&rng);
            s[k].max = s[k].min + (cd_real)test_int(&rng, k ? 0 : -1, 2);
            good = good && !is_zero(s[k].n) && s[k].min <= s[k].max;
        }
        CHECK_INT(ASK("exact", cd_slabs_is_valid(s, 3)), good);
        CHECK(ASK("bad", cd_slabs_is_valid(NULL, 0)) && !ASK("bad", cd_slabs_is_valid(NULL, 1)));
        REALS(s[0])[at] = no_number(&rng);
        CHECK(!ASK("bad", cd_slabs_is_valid(s, 3)));
        for (int k = 0; k < 4; ++k) {
            p[k].n = whole_point(&rng);
            p[k].d = whole(&rng);
            sides = sides && !is_zero(p[k].n);
        }
        CHECK_INT(ASK("exact", cd_region_is_valid(p, 4)), sides);
        REALS(p[0])[at] = no_number(&rng);
        CHECK(!ASK("bad", cd_region_is_valid(p, 4)));
        z.center = whole_point(&rng);
        z.generators = g;
        z.count = 3;
        CHECK(ASK("exact", cd_zonotope_is_valid(&z)));
        if (at < 9)
            REALS(g[0])[at] = no_number(&rng);
        else
            REALS(z.center)[at - 9] = no_number(&rng);
        CHECK(!ASK("bad", cd_zonotope_is_valid(&z)));
        pose.rotation = gen_quat(&rng);
        for (int k = 0; k < 3; ++k) pose.position[k] = test_range(&rng, -1e300, 1e300);
        CHECK(ASK("exact", cd_world_pose_is_valid(&pose)));
        if (at < 3)
            pose.position[at] = (double)no_number(&rng);
        else
            REALS(pose.rotation)[at % 4] = no_number(&rng);
        CHECK(!ASK("bad", cd_world_pose_is_valid(&pose)));
    }
}

/* ---- moved ---- */

static void check_moved(const cd_transform *t, cd_vec3 from, cd_vec3 to, bool is_point) {
    long double want[3];
    double size = (double)cd_vec3_length(from) + (is_point ? (double)cd_vec3_length(t->position) : 0);
    gen_rotate(t->rotation, from, want);
    for (int k = 0; k < 3; ++k) {
        if (is_point) want[k] += REALS(t->position)[k];
        CHECK_NEAR(REALS(to)[k], (double)want[k], 8 * EPS * size + 1e-40);
    }
}

#define POINT(from, to)  check_moved(&pose, (from), (to), true)
#define VECTOR(from, to) check_moved(&pose, (from), (to), false)

/* A thing begins with its points, then its directions; all other numbers stay. */
static void check_all_moved(const cd_transform *t, const cd_real *from, const cd_real *to, int points,
                            int vectors, size_t numbers) {
    for (int k = 0; k < points + vectors; ++k)
        check_moved(t, cd_vec3_make(from[3 * k], from[3 * k + 1], from[3 * k + 2]),
                    cd_vec3_make(to[3 * k], to[3 * k + 1], to[3 * k + 2]), k < points);
    for (size_t k = 3 * (size_t)(points + vectors); k < numbers; ++k) CHECK(to[k] == from[k]);
}

#define MOVED(thing, points, vectors, type, call)                                                            \
    do {                                                                                                     \
        type moved_thing = ASK("judge", call);                                                               \
        test_note("%s", #type);                                                                              \
        test_note_reals("pose", REALS(pose), 7);                                                             \
        test_note_reals("thing", REALS(thing), (int)(sizeof(type) / sizeof(cd_real)));                       \
        check_all_moved(&pose, REALS(thing), REALS(moved_thing), points, vectors,                            \
                        sizeof(type) / sizeof(cd_real));                                                     \
    } while (0)

static void round_ones_are_moved(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_ULP));
        cd_transform pose = gen_pose(&rng, 2.0);
        cd_sphere s = gen_sphere(&g);
        cd_capsule c;
        cd_tapered_capsule t;
        cd_cylinder y;
        cd_cone k;
        cd_disc d;
        cd_torus o;
        cd_spherical_shell h;
        c.a = t.a = y.a = k.apex = d.center = o.center = h.center = gen_point(&g);
        c.b = t.b = y.b = k.base = gen_point(&g);
        d.normal = o.axis = h.axis = gen_direction(&g);
        c.radius = t.radius_a = y.radius = k.radius = d.radius = o.major = h.inner = gen_length(&g);
        t.radius_b = o.minor = gen_length(&g);
        h.outer = h.inner + gen_length(&g);
        h.cos_angle = (cd_real)test_range(&rng, -1, 1);
        MOVED(s, 1, 0, cd_sphere, cd_sphere_transform(s, &pose));
        MOVED(c, 2, 0, cd_capsule, cd_capsule_transform(&c, &pose));
        MOVED(t, 2, 0, cd_tapered_capsule, cd_tapered_capsule_transform(&t, &pose));
        MOVED(y, 2, 0, cd_cylinder, cd_cylinder_transform(&y, &pose));
        MOVED(k, 2, 0, cd_cone, cd_cone_transform(&k, &pose));
        MOVED(d, 1, 1, cd_disc, cd_disc_transform(&d, &pose));
        MOVED(o, 1, 1, cd_torus, cd_torus_transform(&o, &pose));
        MOVED(h, 1, 1, cd_spherical_shell, cd_spherical_shell_transform(&h, &pose));
    }
}

static void others_are_moved(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_ULP));
        cd_transform pose = gen_pose(&rng, 2.0);
        cd_triangle t = gen_triangle(&g);
        cd_obb b = gen_obb(&g);
        cd_ellipsoid e;
        cd_lozenge l;
        cd_vec3 gens[3], moved[3];
        cd_zonotope z, z2;
        cd_circle c, c2;
        cd_obb2 f, f2;
        cd_transform2 flat;
        double angle = test_range(&rng, -4, 4), cosine, sine;
        e.center = l.a = z.center = b.center;
        e.axes = b.axes;
        e.half = b.half;
        l.edge[0] = b.axes.col[0];
        l.edge[1] = b.axes.col[1];
        l.radius = c.radius = gen_length(&g);
        for (int k = 0; k < 3; ++k) gens[k] = gen_point(&g);
        z.generators = gens;
        z.count = 3;
        flat.rotation.x = (cd_real)cos(angle);
        flat.rotation.y = (cd_real)sin(angle);
        flat.position = cd_vec2_make(pose.position.x, pose.position.y);
        cosine = (double)flat.rotation.x;
        sine = (double)flat.rotation.y;
        c.center = f.center = cd_vec2_make(t.a.x, t.a.y);
        f.axis = cd_vec2_make((cd_real)0.6, (cd_real)-0.8);
        f.half = cd_vec2_make(b.half.x, b.half.y);
        MOVED(t, 3, 0, cd_triangle, cd_triangle_transform(&t, &pose));
        MOVED(b, 1, 3, cd_obb, cd_obb_transform(&b, &pose));
        MOVED(e, 1, 3, cd_ellipsoid, cd_ellipsoid_transform(&e, &pose));
        MOVED(l, 1, 2, cd_lozenge, cd_lozenge_transform(&l, &pose));
        z2 = ASK("judge", cd_zonotope_transform(&z, &pose, moved));
        POINT(z.center, z2.center);
        CHECK(z2.generators == moved && z2.count == 3);
        for (int k = 0; k < 3; ++k) VECTOR(gens[k], moved[k]);
        c2 = ASK("judge", cd_circle_transform(c, &flat));
        CHECK_NEAR(c2.center.x, cosine * (double)t.a.x - sine * (double)t.a.y + (double)flat.position.x,
                   32 * EPS);
        CHECK_NEAR(c2.center.y, sine * (double)t.a.x + cosine * (double)t.a.y + (double)flat.position.y,
                   32 * EPS);
        CHECK(c2.radius == c.radius);
        f2 = ASK("judge", cd_obb2_transform(&f, &flat));
        CHECK(f2.center.x == c2.center.x && f2.center.y == c2.center.y);
        CHECK_NEAR(f2.axis.x, cosine * 0.6 + sine * 0.8, 8 * EPS);
        CHECK_NEAR(f2.axis.y, sine * 0.6 - cosine * 0.8, 8 * EPS);
        CHECK(f2.half.x == f.half.x && f2.half.y == f.half.y);
    }
}

/* ---- boxes of points ---- */

static void boxes_of_points(void) {
    test_rng rng = test_random();
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p[6];
        cd_vec2 q[6];
        int n = test_int(&rng, 1, 6), m = test_int(&rng, 0, n);
        cd_aabb all, part, rest, both, none;
        cd_aabb2 flat, flat_part, flat_rest, r;
        for (int k = 0; k < n; ++k) {
            p[k] = gen_point(&g);
            q[k] = cd_vec2_make(p[k].x, p[k].y);
        }
        test_note("");
        test_note_reals("p", REALS(p[0]), 3 * n);
        none = ASK("exact", cd_aabb_empty());
        for (int k = 0; k < 3; ++k)
            CHECK(REALS(none.min)[k] == CD_REAL_MAX && REALS(none.max)[k] == -CD_REAL_MAX);
        all = ASK("loop", cd_aabb_from_points(p, (size_t)n));
        for (int k = 0; k < 3; ++k) {
            cd_real lo = REALS(p[0])[k], hi = lo;
            for (int j = 1; j < n; ++j) {
                lo = REALS(p[j])[k] < lo ? REALS(p[j])[k] : lo;
                hi = REALS(p[j])[k] > hi ? REALS(p[j])[k] : hi;
            }
            CHECK(REALS(all.min)[k] == lo && REALS(all.max)[k] == hi);
        }
        both = none;
        for (int k = 0; k < n; ++k) both = ASK("forms", cd_aabb_add_point(both, p[k]));
        CHECK_VEC(both.min, all.min, 0);
        CHECK_VEC(both.max, all.max, 0);
        part = cd_aabb_from_points(p, (size_t)m);
        rest = cd_aabb_from_points(p + m, (size_t)(n - m));
        both = ASK("forms", cd_merge_aabb_aabb(part, rest));
        CHECK_VEC(both.min, all.min, 0);
        CHECK_VEC(both.max, all.max, 0);
        both = ASK("exact", cd_aabb_intersect(part, rest));
        for (int k = 0; k < 3; ++k) {
            CHECK(REALS(both.min)[k] ==
                  (REALS(part.min)[k] > REALS(rest.min)[k] ? REALS(part.min)[k] : REALS(rest.min)[k]));
            CHECK(REALS(both.max)[k] ==
                  (REALS(part.max)[k] < REALS(rest.max)[k] ? REALS(part.max)[k] : REALS(rest.max)[k]));
        }
        r = ASK("exact", cd_aabb2_empty());
        CHECK(r.min.x > r.max.x && r.min.y > r.max.y);
        flat = ASK("forms", cd_aabb2_from_points(q, (size_t)n));
        CHECK(flat.min.x == all.min.x && flat.min.y == all.min.y && flat.max.x == all.max.x &&
              flat.max.y == all.max.y);
        flat_part = cd_aabb2_from_points(q, (size_t)m);
        flat_rest = cd_aabb2_from_points(q + m, (size_t)(n - m));
        r = ASK("forms", cd_merge_aabb2_aabb2(flat_part, flat_rest));
        CHECK(!memcmp(&r, &flat, sizeof r) || (r.min.x == flat.min.x && r.min.y == flat.min.y &&
                                               r.max.x == flat.max.x && r.max.y == flat.max.y));
        r = ASK("forms", cd_aabb2_intersect(flat_part, flat_rest));
        CHECK(r.min.x == both.min.x && r.min.y == both.min.y && r.max.x == both.max.x &&
              r.max.y == both.max.y);
    }
}

/* ---- one thing of each kind ---- */

typedef struct things {
    cd_vec3 p[8], d; /* the corners of the first three, and a direction */
    cd_segment segment;
    cd_triangle triangle;
    cd_tetrahedron tetrahedron;
    cd_sphere sphere;
    cd_capsule capsule;
    cd_tapered_capsule tapered;
    cd_aabb aabb;
    cd_obb obb;
    cd_rect rect;
    cd_lozenge lozenge;
    cd_disc disc;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_ellipsoid ellipsoid;
    cd_plane halfspace;
} things;

static things things_of(gen *g) {
    things x;
    for (int k = 0; k < 8; ++k) x.p[k] = gen_point(g);
    x.d = gen_direction(g);
    memcpy(&x.segment, x.p, sizeof x.segment);
    memcpy(&x.triangle, x.p, sizeof x.triangle);
    memcpy(&x.tetrahedron, x.p, sizeof x.tetrahedron);
    x.sphere = gen_sphere(g);
    x.aabb = gen_aabb(g);
    x.obb = gen_obb(g);
    x.capsule.a = x.tapered.a = x.disc.center = x.cylinder.a = x.cone.apex = x.p[0];
    x.capsule.b = x.tapered.b = x.cylinder.b = x.cone.base = x.p[1];
    if (same_point(x.p[0], x.p[1])) x.cylinder.b = x.cone.base = cd_vec3_add(x.p[0], x.d);
    x.disc.normal = x.halfspace.n = x.d;
    x.capsule.radius = x.tapered.radius_a = x.lozenge.radius = x.disc.radius = x.cylinder.radius =
        x.cone.radius = x.halfspace.d = gen_length(g);
    x.tapered.radius_b = gen_length(g);
    x.rect.a = x.lozenge.a = x.obb.center;
    x.rect.edge[0] = x.lozenge.edge[0] = x.obb.axes.col[0];
    x.rect.edge[1] = x.lozenge.edge[1] = cd_vec3_scale(x.obb.axes.col[1], 2);
    x.ellipsoid.center = x.obb.center;
    x.ellipsoid.axes = x.obb.axes;
    x.ellipsoid.half = x.obb.half;
    return x;
}

/* ---- measures and points, by formulas ---- */

static void check_measure(cd_real got, double want, double allowed) {
    CHECK_NEAR(got, want, allowed * EPS * fabs(want) + 1e-40);
}

static void measures_by_formula(void) {
    test_rng rng = test_random();
    const double pi = 3.14159265358979323846;
    for (long i = test_times(2500); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb b = gen_obb(&g);
        cd_sphere s = gen_sphere(&g);
        cd_capsule c;
        cd_lozenge l;
        cd_torus o;
        cd_spherical_shell h;
        cd_circle f;
        cd_ellipsoid e;
        cd_tapered_capsule t;
        double r = test_range(&rng, 0.1, 2), d, x, y, z, a, sine, cosine;
        s.radius = c.radius = l.radius = f.radius = t.radius_a = o.minor = h.inner = (cd_real)r;
        r = (double)s.radius;
        c.a = t.a = l.a = o.center = h.center = e.center = gen_point(&g);
        c.b = t.b = cd_vec3_along(c.a, b.axes.col[0], (cd_real)test_range(&rng, 1.5, 3));
        f.center = cd_vec2_make(c.a.x, c.a.y);
        o.axis = h.axis = b.axes.col[1];
        o.major = (cd_real)(r + test_range(&rng, 0, 2));
        h.outer = (cd_real)(r + test_range(&rng, 0.1, 2));
        h.cos_angle = (cd_real)test_range(&rng, -0.99, 0.99);
        e.axes = b.axes;
        e.half = b.half = cd_vec3_make((cd_real)test_range(&rng, 0.1, 2), (cd_real)test_range(&rng, 0.1, 2),
                                       (cd_real)test_range(&rng, 0.1, 2));
        x = (double)b.half.x;
        y = (double)b.half.y;
        z = (double)b.half.z;
        l.edge[0] = cd_vec3_scale(b.axes.col[0], 2);
        l.edge[1] = cd_vec3_scale(b.axes.col[1], b.half.x);
        test_note("");
        test_note_reals("box", REALS(b), 15);
        test_note_reals("capsule", REALS(c), 7);
        check_measure(ASK("judge", cd_sphere_volume(s)), 4 * pi / 3 * r * r * r, 8);
        check_measure(ASK("judge", cd_sphere_surface_area(s)), 4 * pi * r * r, 8);
        check_measure(ASK("judge", cd_circle_area(f)), pi * r * r, 8);
        check_measure(ASK("judge", cd_obb_volume(&b)), 8 * x * y * z, 8);
        check_measure(ASK("judge", cd_obb_surface_area(&b)), 8 * (x * y + y * z + z * x), 8);
        check_measure(ASK("judge", cd_ellipsoid_volume(&e)), 4 * pi / 3 * x * y * z, 8);
        d = (double)cd_vec3_dist(c.a, c.b);
        check_measure(ASK("judge", cd_capsule_volume(&c)), pi * r * r * (d + 4 * r / 3), 16);
        check_measure(ASK("judge", cd_capsule_surface_area(&c)), 2 * pi * r * (d + 2 * r), 16);
        a = (double)cd_vec3_length(l.edge[0]) * (double)cd_vec3_length(l.edge[1]);
        d = (double)cd_vec3_length(l.edge[0]) + (double)cd_vec3_length(l.edge[1]);
        check_measure(ASK("judge", cd_lozenge_volume(&l)),
                      2 * r * a + pi * r * r * d + 4 * pi / 3 * r * r * r, 16);
        check_measure(ASK("judge", cd_lozenge_surface_area(&l)), 2 * a + 2 * pi * r * d + 4 * pi * r * r, 16);
        x = (double)o.major;
        check_measure(ASK("judge", cd_torus_volume(&o)), 2 * pi * pi * x * r * r, 64);
        check_measure(ASK("judge", cd_torus_surface_area(&o)), 4 * pi * pi * x * r, 64);
        x = (double)h.outer;
        cosine = (double)h.cos_angle;
        check_measure(ASK("judge", cd_spherical_shell_volume(&h)),
                      2 * pi / 3 * (1 - cosine) * (x * x * x - r * r * r), 64 / (x - r));
        check_measure(
            ASK("judge", cd_spherical_shell_surface_area(&h)),
            2 * pi * (1 - cosine) * (x * x + r * r) + pi * sqrt(1 - cosine * cosine) * (x * x - r * r), 64);
        /* A tapered one: the frustum of a cone between the circles where it touches the balls, and what is left of these. */
        d = (double)cd_vec3_dist(t.a, t.b);
        t.radius_b = (cd_real)test_range(&rng, fmax(0.05, r - 0.9 * d), r + 0.9 * d);
        y = (double)t.radius_b;
        sine = (r - y) / d;
        cosine = sqrt(1 - sine * sine);
        z = d - sine * (r - y); /* from circle to circle */
        a = pi / 3 * z * cosine * cosine * (r * r + r * y + y * y);
        x = r * (1 + sine); /* the heights of the caps */
        a += pi / 3 * x * x * (3 * r - x);
        x = y * (1 - sine);
        a += pi / 3 * x * x * (3 * y - x);
        test_note_reals("tapered", REALS(t), 8);
        check_measure(ASK("judge", cd_tapered_capsule_volume(&t)), a, 64);
    }
}

static double along(cd_vec3 d, cd_vec3 p) {
    return (double)d.x * (double)p.x + (double)d.y * (double)p.y + (double)d.z * (double)p.z;
}

static double reach_of(const cd_vec3 *p, int n, cd_vec3 d) {
    double most = -HUGE_VAL;
    for (int k = 0; k < n; ++k) most = fmax(most, along(d, p[k]));
    return most;
}

#define REACH(by, call, want)                                                                                \
    s = ASK(by, call);                                                                                       \
    CHECK_NEAR(along(d, cd_support_farthest(&s, d)), (want), slack)

static void supports_reach_as_far_as_their_bodies(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_ULP));
        things x = things_of(&g);
        const cd_vec3 *p = x.p, d = x.d;
        cd_support s, t;
        cd_real radius = x.capsule.radius;
        double length = (double)cd_vec3_length(d), slack;
        slack = 64 * EPS * length * 16;
        test_note("");
        test_note_reals("points", REALS(x.p[0]), 24);
        test_note_reals("d", REALS(x.d), 3);
        test_note_reals("box", REALS(x.obb), 15);
        test_note_reals("radius", &radius, 1);
        REACH("judge", cd_support_of_point(p[0]), along(d, p[0]));
        REACH("loop", cd_support_of_points(p, 8), reach_of(p, 8, d));
        REACH("loop", cd_support_of_segment(&x.segment), reach_of(p, 2, d));
        REACH("loop", cd_support_of_triangle(&x.triangle), reach_of(p, 3, d));
        REACH("loop", cd_support_of_tetrahedron(&x.tetrahedron), reach_of(p, 4, d));
        t = s;
        REACH("judge", cd_support_rounded(&t, radius), reach_of(p, 4, d) + (double)radius * length);
        REACH("judge", cd_support_of_sphere(x.sphere),
              along(d, x.sphere.center) + (double)x.sphere.radius * length);
        REACH("judge", cd_support_of_capsule(&x.capsule), reach_of(p, 2, d) + (double)radius * length);
        REACH("judge", cd_support_of_tapered_capsule(&x.tapered),
              fmax(along(d, p[0]) + (double)radius * length,
                   along(d, p[1]) + (double)x.tapered.radius_b * length));
        REACH("forms", cd_support_of_aabb(&x.aabb), along(d, cd_aabb_support(x.aabb, d)));
        REACH("forms", cd_support_of_obb(&x.obb), along(d, cd_obb_support(&x.obb, d)));
        REACH("judge", cd_support_of_rect(&x.rect),
              along(d, x.rect.a) + fmax(0, along(d, x.rect.edge[0])) + fmax(0, along(d, x.rect.edge[1])));
        REACH("judge", cd_support_of_lozenge(&x.lozenge),
              along(d, x.rect.a) + fmax(0, along(d, x.rect.edge[0])) + fmax(0, along(d, x.rect.edge[1])) +
                  (double)radius * length);
        REACH("forms", cd_support_of_disc(&x.disc), along(d, cd_disc_support(&x.disc, d)));
        REACH("forms", cd_support_of_ellipsoid(&x.ellipsoid),
              along(d, cd_ellipsoid_support(&x.ellipsoid, d)));
        if (!cd_cylinder_is_valid(&x.cylinder)) { /* without an axis, nor has the cone one */
            CHECK(isnan((double)cd_cylinder_support(&x.cylinder, d).x));
            CHECK(isnan((double)cd_cone_support(&x.cone, d).x));
            continue;
        }
        REACH("forms", cd_support_of_cylinder(&x.cylinder), along(d, cd_cylinder_support(&x.cylinder, d)));
        REACH("forms", cd_support_of_cone(&x.cone), along(d, cd_cone_support(&x.cone, d)));
    }
}

/* Whole numbers: all dot products are exact. */
static void points_of_whole_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        cd_vec3 p[7], d = whole_point(&rng), q;
        cd_aabb b;
        cd_line l;
        size_t n = (size_t)test_int(&rng, 1, 7), least = 99, most = 99, low = 0, high = 0;
        bool outside = false, border = false;
        double t;
        gen_begin(&rng, GEN_GRID);
        for (int k = 0; k < 7; ++k) p[k] = whole_point(&rng);
        test_note("");
        test_note_reals("p", REALS(p[0]), 21);
        test_note_reals("d", REALS(d), 3);
        for (size_t k = 1; k < n; ++k) {
            if (along(d, p[k]) < along(d, p[low])) low = k;
            if (along(d, p[k]) > along(d, p[high])) high = k;
        }
        CHECK(ASK("loop", cd_extreme_points_along_direction(p, n, d, &least, &most)));
        CHECK(least == low && most == high);
        b.min = whole_point(&rng);
        b.max = cd_vec3_add(b.min, cd_vec3_make(3, 2, (cd_real)test_int(&rng, -1, 2)));
        for (int k = 0; k < 3; ++k) {
            cd_real x = REALS(p[0])[k], lo = REALS(b.min)[k], hi = REALS(b.max)[k];
            outside = outside || x < lo || x > hi;
            border = border || x == lo || x == hi;
        }
        CHECK_INT(ASK("exact", cd_locate_point_aabb(p[0], b)), outside ? -1 : border ? 0 : 1);
        if (is_zero(d)) continue;
        l.origin = p[1];
        l.dir = d;
        q = ASK("judge", cd_closest_pt_point_line(p[0], &l));
        t = along(d, cd_vec3_sub(p[0], p[1])) / along(d, d);
        for (int k = 0; k < 3; ++k)
            CHECK_NEAR(REALS(q)[k], (double)REALS(p[1])[k] + t * (double)REALS(d)[k], 32 * EPS);
    }
}

static void planes_of_whole_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        cd_plane a, b;
        cd_vec3 p[4], cross;
        cd_segment s;
        cd_ray r;
        cd_triangle t;
        cd_tetrahedron e;
        cd_sphere ball;
        double h[4], low, high, slope, normal, dot, da, db, radius;
        bool parallel, same = true;
        gen_begin(&rng, GEN_GRID);
        a.n = whole_point(&rng);
        b.n = test_int(&rng, 0, 2) ? whole_point(&rng) : cd_vec3_scale(a.n, (cd_real)test_int(&rng, -2, 2));
        da = test_int(&rng, -3, 3);
        db = test_int(&rng, -3, 3);
        a.d = (cd_real)da;
        b.d = (cd_real)db;
        for (int k = 0; k < 4; ++k) p[k] = whole_point(&rng);
        if (is_zero(a.n) || is_zero(b.n)) continue;
        for (int k = 0; k < 4; ++k) h[k] = along(a.n, p[k]) - da;
        memcpy(&s, p, sizeof s);
        memcpy(&r, p, sizeof r);
        memcpy(&t, p, sizeof t);
        memcpy(&e, p, sizeof e);
        ball.center = p[0];
        radius = test_int(&rng, 0, 3);
        ball.radius = (cd_real)radius;
        normal = along(a.n, a.n);
        slope = along(a.n, p[1]);
        dot = along(a.n, b.n);
        cross = cd_vec3_cross(a.n, b.n);
        parallel = is_zero(cross);
        for (int k = 0; k < 3; ++k) same = same && da * (double)REALS(b.n)[k] == db * (double)REALS(a.n)[k];
        test_note("");
        test_note_reals("a", REALS(a), 4);
        test_note_reals("b", REALS(b), 4);
        test_note_reals("p", REALS(p[0]), 12);
        test_note_reals("radius", &ball.radius, 1);
        CHECK_INT(ASK("exact", cd_test_point_plane(p[0], a)), h[0] == 0);
        CHECK_INT(ASK("exact", cd_test_point_halfspace(p[0], a)), h[0] <= 0);
        low = fmin(h[0], h[1]);
        high = fmax(h[0], h[1]);
        CHECK_INT(ASK("exact", cd_test_segment_plane(&s, a)), low <= 0 && high >= 0);
        CHECK_INT(ASK("exact", cd_test_segment_halfspace(&s, a)), low <= 0);
        low = fmin(low, h[2]);
        high = fmax(high, h[2]);
        CHECK_INT(ASK("exact", cd_test_triangle_plane(&t, a)), low <= 0 && high >= 0);
        CHECK_INT(ASK("exact", cd_test_triangle_halfspace(&t, a)), low <= 0);
        low = fmin(low, h[3]);
        high = fmax(high, h[3]);
        CHECK_INT(ASK("exact", cd_test_tetrahedron_plane(&e, a)), low <= 0 && high >= 0);
        CHECK_INT(ASK("exact", cd_test_tetrahedron_halfspace(&e, a)), low <= 0);
        CHECK_INT(ASK("exact", cd_test_ray_plane(&r, a)), h[0] == 0 || h[0] * slope < 0);
        CHECK_INT(ASK("exact", cd_test_ray_halfspace(&r, a)), h[0] <= 0 || slope < 0);
        CHECK_INT(ASK("exact", cd_test_sphere_plane(ball, a)), h[0] * h[0] <= radius * radius * normal);
        CHECK_INT(ASK("exact", cd_test_sphere_halfspace(ball, a)),
                  h[0] <= 0 || h[0] * h[0] <= radius * radius * normal);
        CHECK_INT(ASK("exact", cd_test_plane_plane(a, b)), !parallel || same);
        CHECK_INT(ASK("exact", cd_test_plane_halfspace(a, b)), !parallel || dot * da <= db * normal);
        CHECK_INT(ASK("exact", cd_test_halfspace_halfspace(a, b)),
                  !parallel || dot > 0 || db * normal >= dot * da);
    }
}

/* ---- lines, planes, views ---- */

static void lines_and_planes(void) {
    test_rng rng = test_random();
    for (long i = test_times(5000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 a = gen_point(&g), b = gen_point(&g), n = gen_direction(&g);
        long double d = 0, size = 0;
        cd_ray r;
        cd_line l;
        cd_plane p, q;
        cd_triangle t;
        bool found;
        test_note("");
        test_note_reals("a", REALS(a), 3);
        test_note_reals("b", REALS(b), 3);
        test_note_reals("n", REALS(n), 3);
        r = ASK("exact", cd_ray_through(a, b));
        CHECK(same_point(r.origin, a));
        for (int k = 0; k < 3; ++k) CHECK_SAME(REALS(r.dir)[k], (cd_real)(REALS(b)[k] - REALS(a)[k]));
        l = ASK("exact", cd_line_through(a, b));
        CHECK(same_point(l.origin, a) && same_point(l.dir, r.dir));
        p = ASK("judge", cd_plane_from_point_normal(a, n));
        for (int k = 0; k < 3; ++k) {
            d += (long double)REALS(a)[k] * REALS(n)[k];
            size += fabsl((long double)REALS(a)[k] * REALS(n)[k]);
        }
        CHECK(same_point(p.n, n));
        CHECK_NEAR(p.d, (double)d, 2 * EPS * (double)size);
        t = gen_triangle(&g);
        test_note_reals("t", REALS(t), 9);
        found = cd_plane_from_points(t.a, t.b, t.c, &p);
        q = p;
        CHECK_INT(ASK("forms", cd_plane_from_triangle(&t, &q)), found);
        CHECK(same_point(q.n, p.n) && q.d == p.d);
    }
}

static void corners_of_views(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 v[5];
        double wide[5][4];
        uint32_t t[6], k[3];
        cd_mesh_view m;
        for (int j = 0; j < 5; ++j) {
            v[j] = gen_point(&g);
            for (int c = 0; c < 3; ++c) wide[j][c] = test_range(&rng, -1, 1);
        }
        for (int j = 0; j < 6; ++j) t[j] = (uint32_t)test_int(&rng, 0, 4);
        m = ASK("exact", cd_mesh_view_make(v, 5, t, 2));
        CHECK(m.positions == v && m.indices == t && m.vertex_count == 5 && m.triangle_count == 2);
        for (uint32_t j = 0; j < 2; ++j) {
            ASK("exact", cd_mesh_indices(&m, j, k));
            CHECK(k[0] == t[3 * j] && k[1] == t[3 * j + 1] && k[2] == t[3 * j + 2]);
        }
        for (uint32_t j = 0; j < 5; ++j) CHECK_VEC(ASK("exact", cd_mesh_position(&m, j)), v[j], 0);
        CHECK(ASK("exact", cd_mesh_view_is_valid(&m)));
        for (uint32_t j = 0; j < 2; ++j) {
            cd_triangle corners;
            CHECK(ASK("exact", cd_mesh_triangle(&m, j, &corners)));
            CHECK(same_point(corners.a, v[t[3 * j]]) && same_point(corners.b, v[t[3 * j + 1]]) &&
                  same_point(corners.c, v[t[3 * j + 2]]));
        }
        m.index_stride = (uint32_t)test_int(&rng, 1, 20);
        CHECK_INT(ASK("exact", cd_mesh_view_is_valid(&m)), m.index_stride >= 12);
        m.index_stride = 0;
        m.positions = wide;
        m.stride = sizeof wide[0];
        m.position_format = CD_POSITION_F64;
        for (uint32_t j = 0; j < 5; ++j) {
            cd_vec3 p = ASK("exact", cd_mesh_position(&m, j));
            for (int c = 0; c < 3; ++c) CHECK_SAME(REALS(p)[c], (cd_real)wide[j][c]);
        }
    }
}

static bool meets_box(const void *volume, const cd_triangle *t) {
    return cd_test_triangle_aabb(t, *(const cd_aabb *)volume);
}

/* A polygon meets a box as one of the triangles of its fan does. */
static void polygons_by_the_callers_test(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_ULP));
        cd_obb face = gen_obb(&g);
        cd_aabb box = gen_aabb(&g);
        cd_vec3 p[4], u = face.axes.col[0], v = face.axes.col[1];
        bool want = false;
        for (int k = 0; k < 4; ++k)
            p[k] =
                cd_vec3_add(face.center, cd_vec3_add(cd_vec3_scale(u, (cd_real)(k == 0 || k == 3 ? -1 : 1)),
                                                     cd_vec3_scale(v, (cd_real)(k < 2 ? -1 : 1))));
        test_note("");
        test_note_reals("p", REALS(p[0]), 12);
        test_note_reals("box", REALS(box), 6);
        CHECK_INT(ASK("exact", cd_polygon_triangle_count(4)), 2);
        for (size_t k = 0; k < 2; ++k) {
            cd_triangle t = ASK("exact", cd_polygon_triangle(p, 4, k));
            CHECK(same_point(t.a, p[0]) && same_point(t.b, p[k + 1]) && same_point(t.c, p[k + 2]));
            want = want || cd_test_triangle_aabb(&t, box);
        }
        CHECK_INT(ASK("loop", cd_test_polygon_volume(p, 4, meets_box, &box)), want);
    }
}

/* ---- shapes and volumes: what they were made of, and nothing else ---- */

static bool is_bare(const cd_shape *s) {
    return s->radius == 0 && s->offset == 0 && is_zero(s->scale) && s->user == 0 && s->material == 0 &&
           s->layers == 0;
}

#define SHAPE(is, member, thing, call)                                                                       \
    s = ASK("exact", call);                                                                                  \
    test_note("%s", cd_shape_type_name(is));                                                                 \
    CHECK(s.type == is && is_bare(&s) && !memcmp(&s.u.member, &thing, sizeof thing));                        \
    CHECK_INT(ASK("exact", cd_shape_is_convex(&s)), is < CD_SHAPE_HALFSPACE)

static void shapes_are_what_they_are_made_of(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_ULP));
        things x = things_of(&g);
        cd_support support = cd_support_of_sphere(x.sphere);
        cd_kdop dop;
        cd_kdop_set set = cd_kdop_set_standard(14);
        cd_hull hull;
        cd_bvh tree;
        cd_shape_class table;
        cd_placed_shape placed[2];
        cd_compound compound;
        cd_shape s;
        uint32_t material = 7;
        memset(&hull, 0, sizeof hull);
        memset(&tree, 0, sizeof tree);
        memset(&table, 0, sizeof table);
        memset(placed, 0, sizeof placed);
        SHAPE(CD_SHAPE_POINT, point, x.p[0], cd_shape_of_point(x.p[0]));
        SHAPE(CD_SHAPE_SEGMENT, segment, x.segment, cd_shape_of_segment(&x.segment));
        SHAPE(CD_SHAPE_TRIANGLE, triangle, x.triangle, cd_shape_of_triangle(&x.triangle));
        SHAPE(CD_SHAPE_TETRAHEDRON, tetrahedron, x.tetrahedron, cd_shape_of_tetrahedron(&x.tetrahedron));
        SHAPE(CD_SHAPE_DISC, disc, x.disc, cd_shape_of_disc(&x.disc));
        SHAPE(CD_SHAPE_SPHERE, sphere, x.sphere, cd_shape_of_sphere(x.sphere));
        SHAPE(CD_SHAPE_CAPSULE, capsule, x.capsule, cd_shape_of_capsule(&x.capsule));
        SHAPE(CD_SHAPE_TAPERED_CAPSULE, tapered, x.tapered, cd_shape_of_tapered_capsule(&x.tapered));
        SHAPE(CD_SHAPE_AABB, aabb, x.aabb, cd_shape_of_aabb(x.aabb));
        SHAPE(CD_SHAPE_OBB, obb, x.obb, cd_shape_of_obb(&x.obb));
        SHAPE(CD_SHAPE_CYLINDER, cylinder, x.cylinder, cd_shape_of_cylinder(&x.cylinder));
        SHAPE(CD_SHAPE_CONE, cone, x.cone, cd_shape_of_cone(&x.cone));
        SHAPE(CD_SHAPE_ELLIPSOID, ellipsoid, x.ellipsoid, cd_shape_of_ellipsoid(&x.ellipsoid));
        SHAPE(CD_SHAPE_LOZENGE, lozenge, x.lozenge, cd_shape_of_lozenge(&x.lozenge));
        SHAPE(CD_SHAPE_HALFSPACE, halfspace, x.halfspace, cd_shape_of_halfspace(&x.halfspace));
        s = ASK("exact", cd_shape_of_polygon(x.p, 3));
        CHECK(s.type == CD_SHAPE_POLYGON && is_bare(&s) && s.u.points == x.p && s.count == 3);
        s = ASK("exact", cd_shape_of_support(&support));
        CHECK(s.type == CD_SHAPE_SUPPORT && is_bare(&s) && s.u.support.kind == support.kind &&
              s.u.support.radius == support.radius && same_point(s.u.support.center, support.center));
        s = ASK("exact", cd_shape_of_kdop(&dop, &set));
        CHECK(s.type == CD_SHAPE_KDOP && is_bare(&s) && s.u.kdop.dop == &dop && s.u.kdop.set == &set);
        s = ASK("exact", cd_shape_of_hull(&hull));
        CHECK(s.type == CD_SHAPE_HULL && is_bare(&s) && s.u.hull == &hull);
        s = ASK("exact", cd_shape_of_mesh(&tree, &material));
        CHECK(s.type == CD_SHAPE_MESH && is_bare(&s) && s.u.mesh.tree == &tree &&
              s.u.mesh.materials == &material);
        CHECK(!ASK("exact", cd_shape_is_convex(&s)));
        s = ASK("exact", cd_shape_of_heights(&tree));
        CHECK(s.type == CD_SHAPE_HEIGHTS && is_bare(&s) && s.u.mesh.tree == &tree && !s.u.mesh.materials);
        s = ASK("exact", cd_shape_of_class(&table, &tree));
        CHECK(s.type == CD_SHAPE_CLASS && is_bare(&s) && s.u.custom.table == &table &&
              s.u.custom.object == &tree);
        compound = ASK("exact", cd_compound_of(placed, 2));
        CHECK(compound.children == placed && compound.count == 2 && !compound.owned && !compound.tree.block);
        s = ASK("exact", cd_shape_of_compound(&compound));
        CHECK(s.type == CD_SHAPE_COMPOUND && is_bare(&s) && s.u.compound == &compound);
        CHECK(!ASK("exact", cd_shape_is_convex(&s)));
    }
}

/* Valid as what they are made of is. */
static void shapes_are_as_valid_as_their_parts(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_GRID);
        cd_sphere ball = gen_sphere(&g);
        cd_capsule capsule;
        cd_cylinder cylinder;
        cd_plane half;
        cd_obb box = gen_obb(&g);
        cd_shape s;
        capsule.a = cylinder.a = half.n = gen_point(&g);
        capsule.b = cylinder.b = gen_point(&g);
        half.d = whole(&rng);
        ball.radius = capsule.radius = cylinder.radius = whole(&rng);
        if (!test_int(&rng, 0, 3)) REALS(box.half)[test_int(&rng, 0, 2)] = -1;
        s = cd_shape_of_sphere(ball);
        CHECK_INT(ASK("forms", cd_shape_is_valid(&s)), cd_sphere_is_valid(ball));
        s = cd_shape_of_capsule(&capsule);
        CHECK_INT(ASK("forms", cd_shape_is_valid(&s)), cd_capsule_is_valid(&capsule));
        s = cd_shape_of_cylinder(&cylinder);
        CHECK_INT(ASK("forms", cd_shape_is_valid(&s)), cd_cylinder_is_valid(&cylinder));
        s = cd_shape_of_halfspace(&half);
        CHECK_INT(ASK("forms", cd_shape_is_valid(&s)), cd_plane_is_valid(&half));
        s = cd_shape_of_obb(&box);
        CHECK_INT(ASK("forms", cd_shape_is_valid(&s)), cd_obb_is_valid(&box));
        s = cd_shape_of_point(half.n);
        CHECK(ASK("exact", cd_shape_is_valid(&s)));
        s.radius = whole(&rng);
        CHECK_INT(ASK("exact", cd_shape_is_valid(&s)), s.radius >= 0);
        s.radius = 0;
        REALS(s.u.point)[test_int(&rng, 0, 2)] = no_number(&rng);
        CHECK(!ASK("bad", cd_shape_is_valid(&s)));
    }
}

#define VOLUME(is, member, thing, call)                                                                      \
    v = ASK("exact", call);                                                                                  \
    test_note("kind %d", (int)is);                                                                           \
    CHECK(v.kind == is && !memcmp(&v.u.member, &thing, sizeof thing));                                       \
    CHECK(ASK("exact", cd_bvh_volume_is_valid(&v)))

static void volumes_are_what_they_are_made_of(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_ULP));
        cd_aabb aabb = gen_aabb(&g);
        cd_sphere sphere = gen_sphere(&g);
        cd_capsule capsule;
        cd_obb obb = gen_obb(&g);
        cd_triangle triangle = gen_triangle(&g);
        cd_plane planes[2];
        cd_hull hull;
        cd_bvh_volume v;
        memset(&hull, 0, sizeof hull);
        capsule.a = gen_point(&g);
        capsule.b = gen_point(&g);
        capsule.radius = gen_length(&g);
        for (int k = 0; k < 2; ++k) {
            planes[k].n = gen_direction(&g);
            planes[k].d = gen_coordinate(&g, 0);
        }
        VOLUME(CD_BVH_AABB, aabb, aabb, cd_bvh_volume_aabb(aabb));
        VOLUME(CD_BVH_SPHERE, sphere, sphere, cd_bvh_volume_sphere(sphere));
        VOLUME(CD_BVH_CAPSULE, capsule, capsule, cd_bvh_volume_capsule(&capsule));
        VOLUME(CD_BVH_OBB, obb, obb, cd_bvh_volume_obb(&obb));
        VOLUME(CD_BVH_TRIANGLE, triangle, triangle, cd_bvh_volume_triangle(&triangle));
        v = ASK("exact", cd_bvh_volume_hull(&hull));
        CHECK(v.kind == CD_BVH_HULL && v.u.hull == &hull);
        v = ASK("exact", cd_bvh_volume_planes(planes, 2));
        CHECK(v.kind == CD_BVH_PLANES && v.u.planes == planes && v.plane_count == 2);
        REALS(triangle)[test_int(&rng, 0, 8)] = no_number(&rng);
        v = cd_bvh_volume_triangle(&triangle);
        CHECK(!ASK("bad", cd_bvh_volume_is_valid(&v)));
        aabb.min.x = aabb.max.x + 1;
        v = cd_bvh_volume_aabb(aabb);
        CHECK(!ASK("bad", cd_bvh_volume_is_valid(&v)));
    }
}

/* ---- names ---- */

static void names_and_sentences(void) {
    CHECK_INT(ASK("exact", cd_version()), CD_VERSION);
    for (uint32_t i = 0; i < CD_SHAPE_TYPES + 3; ++i) {
        const char *name = ASK("exact", cd_shape_type_name(i));
        CHECK(name && name[0]);
        for (uint32_t k = 0; k < i && k < CD_SHAPE_TYPES; ++k)
            CHECK(strcmp(name, cd_shape_type_name(k)) != 0); /* one for what is no type */
    }
    for (int i = CD_OK; i < 40; ++i) {
        const char *text = ASK("exact", cd_status_text((cd_status)i));
        CHECK(text && text[0]);
        for (int k = CD_OK; k < i && k <= CD_CORRUPT; ++k)
            CHECK(strcmp(text, cd_status_text((cd_status)k)) != 0); /* one for what is no status */
    }
}

void suite_made(void) {
    RUN(points_and_planes);
    RUN(round_ones);
    RUN(boxes);
    RUN(boxes_with_axes);
    RUN(lists_of_numbers);
    RUN(round_ones_are_moved);
    RUN(others_are_moved);
    RUN(boxes_of_points);
    RUN(measures_by_formula);
    RUN(supports_reach_as_far_as_their_bodies);
    RUN(points_of_whole_numbers);
    RUN(planes_of_whole_numbers);
    RUN(lines_and_planes);
    RUN(corners_of_views);
    RUN(polygons_by_the_callers_test);
    RUN(shapes_are_what_they_are_made_of);
    RUN(shapes_are_as_valid_as_their_parts);
    RUN(volumes_are_what_they_are_made_of);
    RUN(names_and_sentences);
}
