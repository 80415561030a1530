/* Fits and merges of cylinders, cones and discs: every point is inside, in exact numbers; and they are not much too large. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

/* The exact numbers of a point about an axis from `o` along `d`: (p-o) . d, d . d, |(p-o) x d|^2. */
typedef struct about {
    exact dot, dd, cross;
} about;

static about about_axis(exact3 p, exact3 o, exact3 d) {
    exact3 q = exact3_sub(p, o), c = exact3_cross(q, d);
    about a;
    a.dot = exact3_dot(q, d);
    a.dd = exact3_dot(d, d);
    a.cross = exact3_dot(c, c);
    return a;
}

static exact3 exact_of(cd_vec3 v) {
    double d[3];
    to_doubles(REALS(v), d, 3);
    return exact3_from(d);
}

static exact squared(cd_real x) {
    exact e = exact_from((double)x);
    return exact_mul(e, e);
}

static bool in_cylinder(cd_vec3 p, const cd_cylinder *c) {
    exact_pool pool = exact_begin();
    exact3 o = exact_of(c->a);
    about a = about_axis(exact_of(p), o, exact3_sub(exact_of(c->b), o));
    bool in = a.dot.sign >= 0 && exact_compare(a.dot, a.dd) <= 0 &&
              exact_compare(a.cross, exact_mul(squared(c->radius), a.dd)) <= 0;
    if (a.dd.sign == 0) in = cd_vec3_dist(p, c->a) == 0;
    exact_end(pool);
    return in;
}

static bool in_cone(cd_vec3 p, const cd_cone *c) {
    exact_pool pool = exact_begin();
    exact3 o = exact_of(c->apex);
    about a = about_axis(exact_of(p), o, exact3_sub(exact_of(c->base), o));
    bool in =
        a.dot.sign >= 0 && exact_compare(a.dot, a.dd) <= 0 &&
        exact_compare(exact_mul(a.cross, a.dd), exact_mul(squared(c->radius), exact_mul(a.dot, a.dot))) <= 0;
    if (a.dd.sign == 0) in = cd_vec3_dist(p, c->apex) == 0;
    exact_end(pool);
    return in;
}

static bool in_disc(cd_vec3 p, const cd_disc *d, cd_real thickness) {
    exact_pool pool = exact_begin();
    about a = about_axis(exact_of(p), exact_of(d->center), exact_of(d->normal));
    bool in = exact_compare(a.cross, exact_mul(squared(d->radius), a.dd)) <= 0 &&
              exact_compare(exact_mul(a.dot, a.dot), exact_mul(squared(thickness), a.dd)) <= 0;
    exact_end(pool);
    return in;
}

/* ---- sets ---- */

typedef enum set_kind { SET_ANY, SET_LINE, SET_PLANE, SET_TUBE, SET_CONE, SET_FEW, SET_KINDS } set_kind;

static void draw_set(gen *g, set_kind kind, cd_vec3 *p, int count) {
    cd_vec3 o = gen_point(g), u = gen_point(g), v = gen_point(g);
    for (int i = 0; i < count; ++i) {
        double s = test_range(g->rng, -1, 1), t = test_range(g->rng, -1, 1);
        p[i] = gen_point(g);
        if (kind == SET_LINE) p[i] = cd_vec3_lerp(o, u, (cd_real)s);
        if (kind == SET_PLANE) p[i] = cd_vec3_lerp(cd_vec3_lerp(o, u, (cd_real)s), v, (cd_real)t);
        if (kind == SET_FEW && i > 2) p[i] = p[test_int(g->rng, 0, 2)];
        if (kind == SET_TUBE || kind == SET_CONE) {
            double angle = test_range(g->rng, 0, 6.28), r = kind == SET_CONE ? (1 - s) * 0.25 : 0.5;
            cd_vec3 q = cd_vec3_make((cd_real)(r * cos(angle) * g->scale),
                                     (cd_real)(r * sin(angle) * g->scale), (cd_real)(s * 3 * g->scale));
            p[i] = cd_vec3_add(o, q);
        }
    }
}

static double extent_of(const cd_vec3 *p, int count, double *size) {
    cd_aabb b = cd_aabb_from_points(p, (size_t)count);
    double e = 0.0;
    *size = 0.0;
    for (int k = 0; k < 3; ++k) {
        e = fmax(e, (double)REALS(b.max)[k] - (double)REALS(b.min)[k]);
        *size = fmax(*size, fmax(fabs((double)REALS(b.max)[k]), fabs((double)REALS(b.min)[k])));
    }
    return e;
}

/* All points inside; the shape no larger than a few times what the points need in any direction, and the rounding. */
static void check_fits(const cd_vec3 *p, int count) {
    double size, extent = extent_of(p, count, &size),
                 most = 8 * extent + 64 * sqrt(EPS * size * extent) + 1e4 * EPS * size;
    cd_cylinder c;
    cd_cone k;
    cd_disc d;
    cd_real thickness;
    CHECK_INT(ASK("judge", cd_cylinder_from_points(p, (size_t)count, &c)), CD_OK);
    CHECK_INT(ASK("judge", cd_cone_from_points(p, (size_t)count, &k)), CD_OK);
    CHECK_INT(ASK("judge", cd_disc_from_points(p, (size_t)count, &d, &thickness)), CD_OK);
    CHECK(ASK("judge", cd_cylinder_is_valid(&c)) && ASK("judge", cd_cone_is_valid(&k)) &&
          ASK("judge", cd_disc_is_valid(&d)));
    for (int i = 0; i < count; ++i) {
        if (!CHECK(in_cylinder(p[i], &c)) || !CHECK(in_cone(p[i], &k)) ||
            !CHECK(in_disc(p[i], &d, thickness))) {
            test_note_reals("p", REALS(p[i]), 3);
            return;
        }
    }
    CHECK((double)c.radius <= most && (double)cd_vec3_dist(c.a, c.b) <= most);
    most = 4 * most + 1e7 * EPS * size;
    CHECK((double)k.radius <= most && (double)cd_vec3_dist(k.apex, k.base) <= most);
    CHECK((double)d.radius <= most && (double)thickness <= most);
}

static void all_points_are_inside(void) {
    test_rng rng = test_random();
    for (long i = test_times(1500); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p[40];
        int count = test_int(&rng, 1, 40);
        set_kind kind = (set_kind)test_int(&rng, 0, SET_KINDS - 1);
        if (test_int(&rng, 0, 1)) count = test_int(&rng, 1, 5);
        draw_set(&g, kind, p, count);
        test_note("set %d, %d points", (int)kind, count);
        test_note_reals("first", REALS(p[0]), count < 6 ? 3 * count : 18);
        check_fits(p, count);
    }
}

static void many_points(void) {
    test_rng rng = test_random();
    int count = (int)test_times(20000);
    cd_vec3 *p = (cd_vec3 *)malloc(sizeof *p * (size_t)count);
    if (!p) abort();
    for (int kind = 0; kind < SET_FEW; ++kind) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_FAR);
        draw_set(&g, (set_kind)kind, p, count);
        test_note("set %d", kind);
        check_fits(p, count);
    }
    free(p);
}

/* Points of a tube and of a cone get about that tube and that cone. */
static void good_fits(void) {
    test_rng rng = test_random();
    for (int i = 0; i < 3; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 p[400];
        cd_cylinder c;
        cd_cone k;
        draw_set(&g, SET_TUBE, p, 400);
        CHECK_INT(cd_cylinder_from_points(p, 400, &c), CD_OK);
        CHECK((double)c.radius < 0.7 && (double)cd_vec3_dist(c.a, c.b) < 6.2);
        CHECK((double)cd_cylinder_volume(&c) < 1.8 * 3.1416 * 0.25 * 6);
        draw_set(&g, SET_CONE, p, 400);
        CHECK_INT(cd_cone_from_points(p, 400, &k), CD_OK);
        CHECK((double)cd_cone_volume(&k) < 2.5 * 3.1416 * 0.25 * 6 / 3);
    }
}

static void fits_by_hand(void) {
    cd_vec3 box[8], line[3] = {{0, 0, 0}, {0, 0, 4}, {0, 0, 1}},
                    flat[4] = {{-1, 0, 2}, {1, 0, 2}, {0, 1, 2}, {0, -1, 2}};
    cd_cylinder c;
    cd_disc d;
    cd_real thickness = 9;
    for (int i = 0; i < 8; ++i) box[i] = cd_vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 8 : -8);
    CHECK(cd_cylinder_from_points(box, 8, &c) == CD_OK && fabs((double)(c.a.z - c.b.z)) == 16);
    CHECK_NEAR(c.radius, sqrt(2.0), 4 * EPS);
    CHECK(cd_cylinder_from_points(line, 3, &c) == CD_OK && c.radius == 0 &&
          fabs((double)(c.a.z - c.b.z)) == 4);
    CHECK(cd_disc_from_points(flat, 4, &d, &thickness) == CD_OK && thickness == 0 && d.center.z == 2);
    CHECK_NEAR(d.radius, 1, 4 * EPS);
    CHECK(cd_disc_from_points(flat, 1, &d, NULL) == CD_OK && d.radius == 0 && d.normal.z == 1);
    CHECK(cd_cylinder_from_points(flat, 1, &c) == CD_OK && c.radius == 0 && c.a.z == 2 && c.b.z == 2);
}

static void bad_points(void) {
    cd_vec3 p[3] = {{0, 0, 0}, {1, 2, 3}, {4, 4, 4}}, wide[3];
    cd_cylinder c;
    cd_cone k;
    cd_disc d;
    CHECK_INT(cd_cylinder_from_points(NULL, 0, &c), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_cone_from_points(NULL, 0, &k), CD_INVALID_ARGUMENT);
    CHECK_INT(cd_disc_from_points(NULL, 0, &d, NULL), CD_INVALID_ARGUMENT);
    for (int i = 0; i < gen_bad_count; ++i) {
        bool finite = isfinite((double)(cd_real)gen_bad_numbers[i]) != 0;
        cd_status status;
        p[1].y = (cd_real)gen_bad_numbers[i];
        test_note_reals("y", &p[1].y, 1);
        c.radius = k.radius = d.radius = 5;
        status = cd_cylinder_from_points(p, 3, &c);
        CHECK(finite ? status == CD_OK || status == CD_TOO_LARGE : status == CD_INVALID_ARGUMENT);
        CHECK(status == CD_OK ? in_cylinder(p[1], &c) && in_cylinder(p[2], &c) : c.radius == 0 && c.b.x == 0);
        status = cd_cone_from_points(p, 3, &k);
        CHECK(finite ? status == CD_OK || status == CD_TOO_LARGE : status == CD_INVALID_ARGUMENT);
        CHECK(status == CD_OK ? in_cone(p[1], &k) && in_cone(p[2], &k) : k.radius == 0 && k.base.x == 0);
        status = cd_disc_from_points(p, 3, &d, NULL);
        CHECK(finite ? status == CD_OK || status == CD_TOO_LARGE : status == CD_INVALID_ARGUMENT);
    }
    for (int i = 0; i < 3; ++i)
        wide[i] = cd_vec3_make(CD_REAL_MAX, i ? -CD_REAL_MAX : CD_REAL_MAX, i > 1 ? CD_REAL_MAX : 0);
    CHECK_INT(cd_cylinder_from_points(wide, 3, &c), CD_TOO_LARGE);
    CHECK_INT(cd_cone_from_points(wide, 3, &k), CD_TOO_LARGE);
    CHECK(c.radius == 0 && k.radius == 0);
}

/* ---- merges ---- */

typedef long double real;

/* How far the rim of an end sticks out, in long double, all around it; the middle too. */
static real out_of(const real p[3], const cd_vec3 *from, const cd_vec3 *to, cd_real r0, cd_real r1) {
    real d[3], q[3], dd = 0, x = 0, cross = 0, h, out, room;
    for (int k = 0; k < 3; ++k) {
        d[k] = (real)REALS(*to)[k] - REALS(*from)[k];
        q[k] = p[k] - REALS(*from)[k];
        dd += d[k] * d[k];
        x += d[k] * q[k];
    }
    h = sqrtl(dd);
    x /= h;
    for (int k = 0; k < 3; ++k) cross += (q[k] - x * d[k] / h) * (q[k] - x * d[k] / h);
    room = r0 + (r1 - r0) * (x / h);
    out = fmaxl(fmaxl(-x, x - h), sqrtl(cross) - room);
    return out;
}

static real rim_out_of(cd_vec3 c, cd_vec3 other, cd_real r, const cd_vec3 *from, const cd_vec3 *to,
                       cd_real r0, cd_real r1) {
    real d[3], e[3], g[3], length = 0, worst = -1;
    int least = 0;
    for (int k = 0; k < 3; ++k) d[k] = (real)REALS(other)[k] - REALS(c)[k];
    for (int k = 0; k < 3; ++k) length += d[k] * d[k];
    for (int k = 0; k < 3; ++k) d[k] /= sqrtl(length);
    for (int k = 1; k < 3; ++k) least = fabsl(d[k]) < fabsl(d[least]) ? k : least;
    for (int k = 0; k < 3; ++k) e[k] = (k == least) - d[least] * d[k];
    length = sqrtl(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]);
    for (int k = 0; k < 3; ++k) e[k] /= length;
    for (int k = 0; k < 3; ++k) g[k] = d[(k + 1) % 3] * e[(k + 2) % 3] - d[(k + 2) % 3] * e[(k + 1) % 3];
    for (int i = 0; i < 24; ++i) {
        real p[3], cs = cosl(i * 0.2617993877991494L), sn = sinl(i * 0.2617993877991494L), out;
        for (int k = 0; k < 3; ++k) p[k] = REALS(c)[k] + r * (cs * e[k] + sn * g[k]);
        out = out_of(p, from, to, r0, r1);
        worst = i == 0 || out > worst ? out : worst;
    }
    return worst;
}

static void draw_ends(gen *g, cd_vec3 *a, cd_vec3 *b, cd_real *r) {
    *a = gen_point(g);
    *b = gen_point(g);
    *r = gen_length(g);
    if (test_int(g->rng, 0, 1)) *b = cd_vec3_make(a->x, a->y, b->z);
    if (a->x == b->x && a->y == b->y && a->z == b->z) b->z = a->z + 1;
}

static void merges(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 2) ? GEN_UNIT : test_int(&rng, 0, 1) ? GEN_GRID : GEN_FAR);
        cd_cylinder c[2], both;
        cd_cone k[2], all;
        double size = g.kind == GEN_FAR ? ldexp(1.0, sizeof(cd_real) == 4 ? 12 : 26) : 4.0;
        real slack = 2e-18L * size; /* of the rims reckoned here */
        for (int s = 0; s < 2; ++s) {
            draw_ends(&g, &c[s].a, &c[s].b, &c[s].radius);
            k[s].apex = c[s].a;
            k[s].base = c[s].b;
            k[s].radius = c[s].radius;
            if (s == 1 && !test_int(&rng, 0, 3)) { /* along the other's axis */
                c[1].a = cd_vec3_lerp(c[0].a, c[0].b, (cd_real)0.25);
                c[1].b = cd_vec3_lerp(c[0].a, c[0].b, (cd_real)0.5);
                if (c[1].a.x == c[1].b.x && c[1].a.y == c[1].b.y && c[1].a.z == c[1].b.z) c[1] = c[0];
            }
        }
        both = ASK("judge", cd_merge_cylinder_cylinder(&c[0], &c[1]));
        all = ASK("judge", cd_merge_cone_cone(&k[0], &k[1]));
        test_note("");
        test_note_reals("a", REALS(c[0]), 7);
        test_note_reals("b", REALS(c[1]), 7);
        test_note_reals("cones", REALS(k[0]), 14);
        CHECK(ASK("judge", cd_cylinder_is_valid(&both)) && ASK("judge", cd_cone_is_valid(&all)));
        for (int s = 0; s < 2; ++s) {
            CHECK(in_cylinder(c[s].a, &both) && in_cylinder(c[s].b, &both) && in_cone(k[s].apex, &all));
            CHECK(in_cone(k[s].base, &all));
            CHECK_NEAR((double)fmaxl(0, rim_out_of(c[s].a, c[s].b, c[s].radius, &both.a, &both.b, both.radius,
                                                   both.radius)),
                       0, (double)slack);
            CHECK_NEAR((double)fmaxl(0, rim_out_of(c[s].b, c[s].a, c[s].radius, &both.a, &both.b, both.radius,
                                                   both.radius)),
                       0, (double)slack);
            CHECK_NEAR((double)fmaxl(0, rim_out_of(k[s].base, k[s].apex, k[s].radius, &all.apex, &all.base, 0,
                                                   all.radius)),
                       0, (double)slack);
        }
    }
}

/* The base goes out by two units of its coordinate, which is nothing to the height: but the cone is narrower now where its own rim was. */
static void a_base_that_goes_out_is_wider(void) {
    cd_cone k = {
        {(cd_real)0x1.ad9dee1b1d54p-5, (cd_real)-0x1.d7712b32a5e76p-1, (cd_real)-0x1.e142b233d5adp-1},
        {(cd_real)-0x1.09851271db3ep-3, (cd_real)-0x1.6391ad3e0f7dap-1, (cd_real)-0x1.ff9a4ae75612ep-1},
        (cd_real)0x1.c8c3f66b7854p-7};
    cd_cone m = {
        {(cd_real)0x1.f8903005ce728p-3, (cd_real)-0x1.645e19aa75784p-2, (cd_real)0x1.a14d6487e5d4p-6},
        {(cd_real)0x1.f8903005ce728p-3, (cd_real)-0x1.645e19aa75784p-2, (cd_real)0x1.e10c40bbf4178p-3},
        (cd_real)0x1.dcd17141396dap-1};
    cd_cone all = cd_merge_cone_cone(&k, &m);
    CHECK(rim_out_of(m.base, m.apex, m.radius, &all.apex, &all.base, 0, all.radius) <= 2e-18L * 4);
    CHECK(rim_out_of(k.base, k.apex, k.radius, &all.apex, &all.base, 0, all.radius) <= 2e-18L * 4);
}

static void merges_by_hand(void) {
    cd_cylinder a = {{0, 0, 0}, {0, 0, 4}, 1}, b = {{4, 0, 0}, {4, 0, 4}, 1},
                in = {{0, 0, 1}, {0, 0, 2}, (cd_real)0.5};
    cd_cylinder none = {{0, 0, 0}, {0, 0, 4}, -1}, m;
    cd_cone k = {{0, 0, 4}, {0, 0, 0}, 1}, n = {{0, 0, 4}, {0, 0, 0}, -1}, o;
    m = cd_merge_cylinder_cylinder(&a, &b);
    CHECK_NEAR(m.radius, 3, 1e-12 + 16 * EPS);
    CHECK(fabs((double)(m.a.x - 2)) <= 1e-12 + 16 * EPS);
    CHECK_NEAR(fabs((double)(m.a.z - m.b.z)), 4, 1e-12 + 32 * EPS);
    m = cd_merge_cylinder_cylinder(&a, &in);
    CHECK(m.radius == 1 && m.a.z == 0 && m.b.z == 4);
    m = cd_merge_cylinder_cylinder(&in, &a);
    CHECK(m.radius == 1 && m.a.z == 0 && m.b.z == 4);
    m = cd_merge_cylinder_cylinder(&none, &in);
    CHECK(m.radius == in.radius && m.a.z == 1);
    m = cd_merge_cylinder_cylinder(&none, &none);
    CHECK(m.radius == -1);
    o = cd_merge_cone_cone(&k, &n);
    CHECK(o.radius == 1 && o.apex.z == 4);
    o = cd_merge_cone_cone(&k, &k);
    CHECK(o.radius == 1 && o.apex.z == 4 && o.base.z == 0);
    k.apex = k.base;
    k.radius = 0; /* the same point twice */
    o = cd_merge_cone_cone(&k, &k);
    CHECK(memcmp(&o, &k, sizeof o) == 0);
    a.b.x = CD_REAL_MAX;
    a.radius = CD_REAL_MAX;
    m = cd_merge_cylinder_cylinder(&a, &b);
    CHECK(m.radius == -1 || cd_cylinder_is_valid(&m));
}

void suite_round_fit(void) {
    RUN(all_points_are_inside);
    RUN(many_points);
    RUN(good_fits);
    RUN(fits_by_hand);
    RUN(bad_points);
    RUN(merges);
    RUN(a_base_that_goes_out_is_wider);
    RUN(merges_by_hand);
}
