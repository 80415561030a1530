/* Zonotopes: exact containment and overlap, closest points, tests, casts, fits and merges. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)
enum { MOST = 8 };

typedef struct body {
    cd_zonotope z;
    cd_vec3 g[MOST];
} body;

static void gen_body(gen *g, body *b, int most) {
    int flat = test_int(g->rng, 0, 5);
    b->z.count = (uint32_t)test_int(g->rng, 0, most);
    if (b->z.count < 3 && test_int(g->rng, 0, 2)) b->z.count = (uint32_t)most;
    b->z.center = gen_point(g);
    b->z.generators = b->g;
    for (uint32_t i = 0; i < b->z.count; ++i) {
        b->g[i] = cd_vec3_scale(gen_direction(g), (cd_real)0.5);
        if (flat == 0) b->g[i].y = 0;
        if (flat == 1 && i > 0) b->g[i] = cd_vec3_scale(b->g[0], (cd_real)test_int(g->rng, -2, 2));
    }
}

static void note_body(const char *name, const body *b) {
    test_note_reals(name, &b->z.center.x, 3);
    test_note_reals("generators", &b->g[0].x, 3 * (int)b->z.count);
}

/* ---- the oracle: a way w is a sum of generators with factors in -1...1 exactly when there is such a sum in which only
 * independent ones have factors other than -1 and 1 (a vertex of a linear program) ---- */

static bool within_one(exact num, exact den) { /* |num / den| <= 1, den not 0 */
    return exact_compare(exact_mul(num, num), exact_mul(den, den)) <= 0;
}

/* w = sum of s_i a_i for |s_i| <= 1, the n vectors independent; false, too, when they are not. */
static bool spanned(const exact3 *a, int n, exact3 w) {
    exact3 m;
    exact det;
    if (n == 0) return exact3_is_zero(w);
    if (n == 1) {
        if (exact3_is_zero(a[0]) || !exact3_is_zero(exact3_cross(a[0], w))) return false;
        return within_one(exact3_dot(w, a[0]), exact3_dot(a[0], a[0]));
    }
    if (n == 2) {
        m = exact3_cross(a[0], a[1]);
        if (exact3_is_zero(m) || exact3_dot(m, w).sign != 0) return false;
        det = exact3_dot(m, m);
        return within_one(exact3_dot(exact3_cross(w, a[1]), m), det) &&
               within_one(exact3_dot(exact3_cross(a[0], w), m), det);
    }
    det = exact3_triple(a[0], a[1], a[2]);
    if (det.sign == 0) return false;
    return within_one(exact3_triple(w, a[1], a[2]), det) && within_one(exact3_triple(a[0], w, a[2]), det) &&
           within_one(exact3_triple(a[0], a[1], w), det);
}

/* Generators from `at` on are basic, or at one end. */
static bool summed(const exact3 *g, int count, int at, exact3 *basic, int n, exact3 w) {
    if (at == count) return spanned(basic, n, w);
    if (n < 3) {
        basic[n] = g[at];
        if (summed(g, count, at + 1, basic, n + 1, w)) return true;
    }
    return summed(g, count, at + 1, basic, n, exact3_sub(w, g[at])) ||
           summed(g, count, at + 1, basic, n, exact3_add(w, g[at]));
}

static bool oracle_holds(const body *a, const body *b, cd_vec3 to) {
    exact_pool pool = exact_begin();
    exact3 g[2 * MOST], basic[3], w;
    double d[3];
    int n = 0;
    bool held;
    for (uint32_t i = 0; i < a->z.count; ++i) {
        to_doubles(&a->g[i].x, d, 3);
        g[n++] = exact3_from(d);
    }
    for (uint32_t i = 0; b && i < b->z.count; ++i) {
        to_doubles(&b->g[i].x, d, 3);
        g[n++] = exact3_from(d);
    }
    to_doubles(&to.x, d, 3);
    w = exact3_from(d);
    to_doubles(&a->z.center.x, d, 3);
    held = summed(g, n, 0, basic, 0, exact3_sub(w, exact3_from(d)));
    exact_end(pool);
    return held;
}

/* A sum of generators, up to rounding; often on the boundary. */
static cd_vec3 body_point(const body *b, test_rng *rng, bool vertex) {
    double p[3];
    to_doubles(&b->z.center.x, p, 3);
    for (uint32_t i = 0; i < b->z.count; ++i) {
        double s =
            vertex || test_int(rng, 0, 1) ? (double)(2 * test_int(rng, 0, 1) - 1) : test_range(rng, -1, 1);
        for (int k = 0; k < 3; ++k) p[k] += s * (double)(&b->g[i].x)[k];
    }
    return cd_vec3_make((cd_real)p[0], (cd_real)p[1], (cd_real)p[2]);
}

static void points_are_judged_exactly(void) {
    test_rng rng = test_random();
    long in = 0, times = test_times(1500);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        body b;
        cd_vec3 p;
        bool want;
        gen_body(&g, &b, 4);
        p = test_int(&rng, 0, 3) ? body_point(&b, &rng, false) : gen_point(&g);
        test_note("");
        note_body("b", &b);
        test_note_reals("p", &p.x, 3);
        want = oracle_holds(&b, NULL, p);
        in += want;
        CHECK_INT(ASK("exact", cd_test_point_zonotope(p, &b.z)), want);
    }
    CHECK_SEEN(in > times / 10 && in < times * 9 / 10);
}

static void pairs_are_judged_exactly(void) {
    test_rng rng = test_random();
    long in = 0, times = test_times(1050);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        body a, b;
        bool want;
        gen_body(&g, &a, 3);
        gen_body(&g, &b, 3);
        if (!test_int(&rng, 0, 3)) { /* vertex to vertex, up to rounding */
            cd_vec3 p = body_point(&a, &rng, true), q = body_point(&b, &rng, true);
            b.z.center = cd_vec3_add(b.z.center, cd_vec3_sub(p, q));
        }
        test_note("");
        note_body("a", &a);
        note_body("b", &b);
        want = oracle_holds(&a, &b, b.z.center);
        in += want;
        CHECK_INT(ASK("exact", cd_test_zonotope_zonotope(&a.z, &b.z)), want);
        CHECK_INT(ASK("swap", cd_test_zonotope_zonotope(&b.z, &a.z)), want);
    }
    CHECK_SEEN(in > times / 10 && in < times * 9 / 10);
}

static void set_box(body *b, double x, double y, double w) {
    b->z.center = cd_vec3_make(1, 2, 3);
    b->z.generators = b->g;
    b->z.count = 3;
    b->g[0] = cd_vec3_make((cd_real)x, 0, 0);
    b->g[1] = cd_vec3_make(0, (cd_real)y, 0);
    b->g[2] = cd_vec3_make(0, 0, (cd_real)w);
}

/* An oriented box is the zonotope of its edges, rounded. */
static void boxes_are_zonotopes(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        body a, b;
        cd_obb box = gen_obb(&g);
        gen_body(&g, &a, 3);
        b.z.center = box.center;
        b.z.generators = b.g;
        b.z.count = 3;
        for (int k = 0; k < 3; ++k)
            b.g[k] = cd_vec3_make((cd_real)((double)box.axes.col[k].x * (double)(&box.half.x)[k]),
                                  (cd_real)((double)box.axes.col[k].y * (double)(&box.half.x)[k]),
                                  (cd_real)((double)box.axes.col[k].z * (double)(&box.half.x)[k]));
        test_note("");
        note_body("a", &a);
        test_note_reals("box", REALS(box), 15);
        CHECK_INT(ASK("exact", cd_test_zonotope_obb(&a.z, &box)), oracle_holds(&a, &b, box.center));
    }
}

static void known_bodies(void) {
    body b;
    cd_aabb box = {{4, 0, 0}, {5, 9, 9}};
    cd_ray r;
    cd_hit h;
    cd_cast_options o;
    memset(&o, 0, sizeof o);
    set_box(&b, 1, 2, 3);
    CHECK_SAME(cd_zonotope_volume(&b.z), 48);
    CHECK_SAME(cd_zonotope_surface_area(&b.z), 88);
    CHECK_VEC(cd_zonotope_support(&b.z, cd_vec3_make(1, -1, 1)), cd_vec3_make(2, 0, 6), 0);
    CHECK_VEC(cd_zonotope_support(&b.z, cd_vec3_make(0, 0, 0)), b.z.center, 0);
    CHECK_VEC(cd_closest_pt_point_zonotope(cd_vec3_make(9, 2, 9), &b.z), cd_vec3_make(2, 2, 6), 8 * EPS);
    CHECK(!ASK("exact", cd_test_zonotope_aabb(&b.z, box)));
    box.min.x = 2;
    CHECK(ASK("exact", cd_test_zonotope_aabb(&b.z, box)));
    r.origin = cd_vec3_make(-4, 2, 3);
    r.dir = cd_vec3_make(2, 0, 0);
    CHECK(cd_cast_ray_zonotope(&r, 100, &b.z, NULL, &h));
    CHECK_NEAR(h.t, 2, 64 * EPS);
    CHECK_VEC(h.normal, cd_vec3_make(-1, 0, 0), 0);
    o.flags = CD_CAST_CULL_FRONT;
    CHECK(cd_cast_ray_zonotope(&r, 100, &b.z, &o, &h) && (h.flags & CD_HIT_BACK));
    CHECK_NEAR(h.t, 3, 64 * EPS);
    r.origin.x = (cd_real)1.75;
    o.flags = CD_CAST_START_DEPTH;
    CHECK(cd_cast_ray_zonotope(&r, 100, &b.z, &o, &h) && (h.flags & CD_HIT_START));
    CHECK_NEAR(h.depth, 0.25, 64 * EPS);
    CHECK_VEC(h.normal, cd_vec3_make(1, 0, 0), 0);
    set_box(&b, 1, 2, 0); /* a rectangle, from its side and along it */
    r.origin = cd_vec3_make((cd_real)1.5, 2, 5);
    r.dir = cd_vec3_make(0, 0, -1);
    CHECK(cd_cast_ray_zonotope(&r, 100, &b.z, NULL, &h));
    CHECK_NEAR(h.t, 2, 64 * EPS);
    CHECK_VEC(h.normal, cd_vec3_make(0, 0, 1), 0);
    r.origin.y = 5;
    CHECK(!cd_cast_ray_zonotope(&r, 100, &b.z, NULL, &h));
    b.z.count = 0;
    CHECK_VEC(cd_closest_pt_point_zonotope(cd_vec3_make(9, 2, 9), &b.z), b.z.center, 0);
    CHECK(cd_test_point_zonotope(b.z.center, &b.z) && cd_zonotope_volume(&b.z) == 0);
    b.z.count = 1;
    b.z.generators = NULL;
    CHECK(!ASK("bad", cd_zonotope_is_valid(&b.z)) && !cd_test_point_zonotope(b.z.center, &b.z));
}

/* Each triple of generators once, each pair once: of whole numbers the sums are whole, or those of their roots. */
static void all_triples_count(void) {
    static const double g[6][3] = {{1, 0, 0}, {0, 2, 0}, {0, 0, 3}, {1, 2, 4}, {-5, 1, 2}, {2, -3, 7}};
    for (uint32_t count = 0; count <= 6; ++count) {
        cd_vec3 v[6];
        cd_zonotope z;
        double volume = 0, area = 0;
        z.center = cd_vec3_make(1, 2, 3);
        z.generators = v;
        z.count = count;
        for (uint32_t i = 0; i < count; ++i)
            v[i] = cd_vec3_make((cd_real)g[i][0], (cd_real)g[i][1], (cd_real)g[i][2]);
        for (uint32_t i = 0; i < count; ++i)
            for (uint32_t j = 0; j < i; ++j) {
                double x = g[i][1] * g[j][2] - g[i][2] * g[j][1], y = g[i][2] * g[j][0] - g[i][0] * g[j][2];
                double w = g[i][0] * g[j][1] - g[i][1] * g[j][0];
                area += 8 * sqrt(x * x + y * y + w * w);
                for (uint32_t k = 0; k < j; ++k) volume += 8 * fabs(x * g[k][0] + y * g[k][1] + w * g[k][2]);
            }
        CHECK_SAME(ASK("exact", cd_zonotope_volume(&z)), volume);
        CHECK_NEAR(ASK("judge", cd_zonotope_surface_area(&z)), area, 4 * EPS * area);
    }
}

/* A triangle that points at the middle of a face: nothing but the face's normal parts them. */
static void triangles_in_front_of_faces(void) {
    for (int side = 0; side < 6; ++side) {
        int k = side / 2, u = (k + 1) % 3, v = (k + 2) % 3;
        cd_real out = side % 2 ? (cd_real)1 : (cd_real)-1;
        cd_vec3 t[3];
        body b;
        set_box(&b, 1, 2, 3);
        for (int i = 0; i < 3; ++i) t[i] = b.z.center;
        for (int i = 0; i < 3; ++i) REALS(t[i])[k] += out * (cd_real)((double)(k + 1) + (i ? 2 : 0.0625));
        REALS(t[1])[u] += 3;
        REALS(t[1])[v] += 4;
        REALS(t[2])[u] -= 4;
        REALS(t[2])[v] += 5;
        REALS(t[2])[k] += out;
        test_note("side %d ", side);
        CHECK(!ASK("exact", cd_test_polygon_zonotope(t, 3, &b.z)));
        REALS(t[0])[k] -= out * (cd_real)0.125;
        CHECK(ASK("exact", cd_test_polygon_zonotope(t, 3, &b.z)));
    }
}

/* Everything else beside many points of the body. */
static void answers_agree_with_samples(void) {
    test_rng rng = test_random();
    for (long i = test_times(500); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_GRID);
        body b;
        cd_vec3 p = gen_point(&g), d = gen_direction(&g), q, s;
        cd_triangle t = gen_triangle(&g);
        cd_aabb box, other = gen_aabb(&g);
        cd_sphere ball = gen_sphere(&g);
        cd_plane plane;
        cd_ray r;
        cd_hit h;
        double way, size = 8, most;
        gen_body(&g, &b, MOST);
        for (uint32_t k = 0; k < b.z.count; ++k) size += (double)cd_vec3_length(b.g[k]);
        test_note("");
        note_body("b", &b);
        test_note_reals("p", &p.x, 3);
        test_note_reals("d", &d.x, 3);
        test_note_reals("t", REALS(t), 9);
        test_note_reals("box", REALS(other), 6);
        box = cd_aabb_from_zonotope(&b.z);
        q = ASK("samples", cd_closest_pt_point_zonotope(p, &b.z));
        way = (double)cd_vec3_length(cd_vec3_sub(q, p));
        s = ASK("samples", cd_zonotope_support(&b.z, d));
        most = (double)cd_vec3_dot(cd_vec3_sub(s, b.z.center), d);
        if (way > 32 * EPS * size) { /* the plane across the way parts the point from the body */
            cd_vec3 n = cd_vec3_normalize(cd_vec3_sub(p, q)),
                    e = ASK("samples", cd_zonotope_support(&b.z, n));
            CHECK((double)cd_vec3_dot(cd_vec3_sub(e, q), n) <= 64 * EPS * size * (1 + size / way));
            ball.center = p;
            ball.radius = (cd_real)(way - 16 * EPS * size);
            CHECK(!ASK("samples", cd_test_sphere_zonotope(ball, &b.z)));
            ball.radius = (cd_real)(way + 16 * EPS * size);
            CHECK(ASK("samples", cd_test_sphere_zonotope(ball, &b.z)));
        }
        plane =
            cd_plane_from_point_normal(cd_vec3_along(s, cd_vec3_normalize(d), (cd_real)(64 * EPS * size)), d);
        CHECK(!ASK("samples", cd_test_zonotope_plane(&b.z, plane)) &&
              cd_test_zonotope_halfspace(&b.z, plane));
        r.origin = p;
        r.dir = cd_vec3_sub(b.z.center, p);
        if (cd_vec3_length(r.dir) > (cd_real)0.01 &&
            cd_zonotope_volume(&b.z) > (cd_real)0.01) { /* the centre is always hit */
            CHECK(ASK("samples", cd_cast_ray_zonotope(&r, CD_REAL_MAX, &b.z, NULL, &h)) &&
                  h.t <= 1 + (cd_real)(64 * EPS * size));
            CHECK_NEAR(cd_vec3_length(h.normal), 1, 8 * EPS);
            CHECK(cd_vec3_dot(h.normal, r.dir) <= (cd_real)(64 * EPS * size));
            CHECK((double)cd_vec3_length(
                      cd_vec3_sub(ASK("samples", cd_closest_pt_point_zonotope(h.point, &b.z)), h.point)) <=
                  64 * EPS * size);
        }
        for (int k = 0; k < 30; ++k) {
            cd_vec3 x = body_point(&b, &rng, k & 1);
            double u = test_unit(&rng), v = test_unit(&rng) * (1 - u);
            cd_vec3 y = cd_vec3_along(cd_vec3_along(t.a, cd_vec3_sub(t.b, t.a), (cd_real)u),
                                      cd_vec3_sub(t.c, t.a), (cd_real)v);
            CHECK((double)cd_vec3_length(cd_vec3_sub(x, p)) >= way - 32 * EPS * size);
            CHECK((double)cd_vec3_dot(cd_vec3_sub(x, b.z.center), d) <= most + 32 * EPS * size * size);
            ball.center = y;
            ball.radius = 0;
            if (k < 4)
                CHECK_INT(ASK("samples", cd_test_sphere_zonotope(ball, &b.z)),
                          cd_test_point_zonotope(y, &b.z));
            if (ASK("samples", cd_test_point_zonotope(t.a, &b.z))) CHECK(cd_test_triangle_zonotope(&t, &b.z));
            if (!ASK("samples", cd_test_point_zonotope(x, &b.z))) continue;
            test_asked("samples", "cd_aabb_from_zonotope");
            CHECK(ASK("samples", cd_test_point_aabb(x, box)));
            if (ASK("samples", cd_test_point_aabb(x, other)))
                CHECK(ASK("samples", cd_test_zonotope_aabb(&b.z, other)));
        }
        { /* a triangle in front of a parting plane is apart, and one that touches the centre is not */
            cd_vec3 n = cd_vec3_normalize(d), far_off = cd_vec3_along(s, n, (cd_real)0.01);
            cd_vec3 side =
                cd_vec3_normalize(cd_vec3_cross(n, cd_vec3_make((cd_real)0.3, (cd_real)0.5, (cd_real)-0.8)));
            t.a = far_off;
            t.b = cd_vec3_add(far_off, side);
            t.c = cd_vec3_along(far_off, n, 1);
            CHECK(!ASK("samples", cd_test_triangle_zonotope(&t, &b.z)));
            t.c = b.z.center;
            CHECK(ASK("samples", cd_test_triangle_zonotope(&t, &b.z)));
        }
    }
}

/* The largest determinant of three directions of lengths near 1: 0 only when all are in one plane, exactly. */
static double flatness(const cd_vec3 *d, int count) {
    double most = 0, x[3][3];
    for (int i = 0; i < count; ++i) {
        for (int j = 0; j < i; ++j) {
            for (int k = 0; k < j; ++k) {
                exact_pool pool = exact_begin();
                to_doubles(&d[i].x, x[0], 3);
                to_doubles(&d[j].x, x[1], 3);
                to_doubles(&d[k].x, x[2], 3);
                most = fmax(most, fabs(exact_to_double(exact3_triple(exact3_from(x[0]), exact3_from(x[1]),
                                                                     exact3_from(x[2])))));
                exact_end(pool);
            }
        }
    }
    return most;
}

static void fits_hold_their_points(void) {
    test_rng rng = test_random();
    for (long i = test_times(150); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_vec3 p[20], d[4];
        int count = test_int(&rng, 1, 20);
        bool own = !test_int(&rng, 0, 2);
        body b;
        cd_status status;
        double flattest;
        for (int k = 0; k < count; ++k) {
            p[k] = gen_point(&g);
            if (k > 0 && !test_int(&rng, 0, 3)) p[k] = p[0];
        }
        if (!test_int(&rng, 0, 4))
            for (int k = 1; k < count; ++k) p[k].x = p[0].x;
        if (!test_int(&rng, 0, 4))
            for (int k = 2; k < count; ++k) p[k] = cd_vec3_lerp(p[0], p[1], (cd_real)test_unit(&rng));
        for (int k = 0; k < 4; ++k)
            d[k] = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1), 1);
        test_note("own %d count %d", own, count);
        test_note_reals("p", &p[0].x, 3 * (count < 8 ? count : 8));
        test_note_reals("d", &d[0].x, 12);
        status =
            ASK("judge", cd_zonotope_from_points(p, (size_t)count, own ? d : NULL, own ? 4 : 0, b.g, &b.z));
        flattest = own ? flatness(d, 4) : 1;
        if (flattest == 0) CHECK_INT(status, CD_INVALID_ARGUMENT); /* in one plane: they do not span space */
        if (flattest > 1e-6) CHECK_INT(status, CD_OK);
        if (status != CD_OK) { /* nearly in a plane, a fit may be refused */
            CHECK(status == CD_INVALID_ARGUMENT || status == CD_NOT_CONVERGED);
            CHECK(b.z.count == 0 && !b.z.generators);
            continue;
        }
        for (int k = 0; k < count; ++k) {
            CHECK(cd_test_point_zonotope(p[k], &b.z));
            if (own || k < 2) CHECK(oracle_holds(&b, NULL, p[k]));
        }
    }
}

static void fits_refuse_what_they_cannot_do(void) {
    cd_vec3 p[8], two[4], d[3] = {{1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
    body b;
    cd_zonotope zero;
    memset(&zero, 0, sizeof zero);
    for (int k = 0; k < 8; ++k) p[k] = cd_vec3_make(k & 1 ? 1 : -1, k & 2 ? 2 : -2, k & 4 ? 3 : -3);
    for (int k = 0; k < 4; ++k) /* four, of which three are the same: in a plane with the first */
        two[k] = cd_vec3_make(k ? -1 : (cd_real)-0x1.fffffff939572p-1, -1, 1);
    CHECK_INT(ASK("judge", cd_zonotope_from_points(p, 8, two, 4, b.g, &b.z)), CD_INVALID_ARGUMENT);
    CHECK(memcmp(&b.z, &zero, sizeof zero) == 0);
    CHECK_INT(cd_zonotope_from_points(p, 8, NULL, 0, b.g, &b.z), CD_OK);
    CHECK_INT(b.z.count, 7);
    CHECK((double)cd_zonotope_volume(&b.z) >= 48 && (double)cd_zonotope_volume(&b.z) < 48.001);
    CHECK_INT(cd_zonotope_from_points(p, 8, d, 3, b.g, &b.z), CD_INVALID_ARGUMENT);
    CHECK(memcmp(&b.z, &zero, sizeof zero) == 0);
    CHECK_INT(cd_zonotope_from_points(p, 8, d, 17, b.g, &b.z), CD_TOO_LARGE);
    CHECK_INT(cd_zonotope_from_points(NULL, 0, NULL, 0, b.g, &b.z), CD_INVALID_ARGUMENT);
    p[0] = cd_vec3_make(CD_REAL_MAX, CD_REAL_MAX, CD_REAL_MAX);
    p[1] = cd_vec3_neg(p[0]);
    CHECK_INT(cd_zonotope_from_points(p, 2, d, 2, b.g, &b.z), CD_INVALID_ARGUMENT);
    d[2].z = (cd_real)1e-3;
    CHECK_INT(cd_zonotope_from_points(p, 2, d, 3, b.g, &b.z), CD_TOO_LARGE);
    CHECK(memcmp(&b.z, &zero, sizeof zero) == 0);
    CHECK_INT(cd_zonotope_from_points(p, 1, NULL, 0, b.g, &b.z), CD_OK);
    CHECK_INT(cd_zonotope_from_points(p + 2, 1, NULL, 0, b.g, &b.z), CD_OK);
    CHECK(cd_zonotope_surface_area(&b.z) == 0 && b.z.center.x == p[2].x);
    p[2].x = (cd_real)NAN;
    CHECK_INT(cd_zonotope_from_points(p + 2, 2, NULL, 0, b.g, &b.z), CD_INVALID_ARGUMENT);
}

/* Without directions of its own a fit has the axes and the four space diagonals. */
static void directions_of_fits(void) {
    static const int own[7][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1}, {1, 1, 1},
                                  {-1, 1, 1}, {1, -1, 1}, {1, 1, -1}};
    bool seen[7] = {false, false, false, false, false, false, false};
    test_rng rng = test_random();
    for (int i = 0; i < 40; ++i) {
        cd_vec3 p[40];
        body b;
        for (int k = 0; k < 40; ++k) {
            gen g = gen_begin(&rng, GEN_UNIT);
            p[k] = gen_direction(&g);
            p[k] = cd_vec3_normalize(p[k]);
        }
        if (!CHECK_INT(cd_zonotope_from_points(p, 40, NULL, 0, b.g, &b.z), CD_OK)) return;
        CHECK_INT(b.z.count, 7);
        for (int k = 0; k < 7; ++k) {
            cd_vec3 d = cd_vec3_make((cd_real)own[k][0], (cd_real)own[k][1], (cd_real)own[k][2]);
            bool found = false;
            for (int j = 0; j < 7; ++j) {
                double length = (double)cd_vec3_length(b.g[j]);
                found = found || (length > 1e-3 &&
                                  (double)cd_vec3_length(cd_vec3_cross(b.g[j], d)) <= 16 * EPS * length);
            }
            seen[k] = seen[k] || found;
        }
        for (int j = 0; j < 7; ++j) { /* and no others */
            double length = (double)cd_vec3_length(b.g[j]);
            bool known = length < 1e-3;
            for (int k = 0; k < 7; ++k) {
                cd_vec3 d = cd_vec3_make((cd_real)own[k][0], (cd_real)own[k][1], (cd_real)own[k][2]);
                known = known || (double)cd_vec3_length(cd_vec3_cross(b.g[j], d)) <= 16 * EPS * length;
            }
            CHECK(known);
        }
    }
    for (int k = 0; k < 7; ++k) CHECK(seen[k]);
}

/* Of one and the same, and of one moved a little, no more than what is around both. */
static void merges_of_what_is_alike_are_tight(void) {
    test_rng rng = test_random();
    for (int i = 0; i < 20; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        body a, b;
        cd_vec3 gens[2 * MOST + 4];
        cd_zonotope m;
        gen_body(&g, &a, MOST);
        b = a;
        b.z.generators = b.g;
        if (i % 2) b.z.center.x += (cd_real)1e-3;
        m = cd_merge_zonotope_zonotope(&a.z, &b.z, gens);
        note_body("a", &a);
        CHECK((double)cd_zonotope_volume(&m) <=
              (double)cd_zonotope_volume(&a.z) +
                  (i % 2 ? 2e-3 : 64 * EPS) * (1 + (double)cd_zonotope_surface_area(&a.z)));
        CHECK_VEC(m.center, a.z.center, 1e-3);
    }
}

static void merges_hold_both(void) {
    test_rng rng = test_random();
    for (long i = test_times(150); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        body b[2];
        cd_vec3 gens[2 * MOST + 4];
        cd_zonotope m;
        gen_body(&g, &b[0], 3);
        gen_body(&g, &b[1], 3);
        if (!test_int(&rng, 0, 3)) {
            b[1] = b[0];
            b[1].z.generators = b[1].g;
        }
        test_note("");
        note_body("a", &b[0]);
        note_body("b", &b[1]);
        m = ASK("judge", cd_merge_zonotope_zonotope(&b[0].z, &b[1].z, gens));
        CHECK(ASK("judge", cd_zonotope_is_valid(&m)) && m.count == b[0].z.count + b[1].z.count + 4);
        for (int k = 0; k < 10; ++k) {
            cd_vec3 x = body_point(&b[k & 1], &rng, k & 2);
            if (cd_test_point_zonotope(x, &b[k & 1].z)) CHECK(cd_test_point_zonotope(x, &m));
        }
    }
}

/* The volume and the area move with the body, and the support with both. */
static void moved_bodies(void) {
    test_rng rng = test_random();
    for (long i = test_times(500); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        body a, b;
        cd_transform pose = gen_pose(&rng, 3);
        cd_vec3 d = gen_direction(&g);
        gen_body(&g, &a, 5);
        test_note("");
        note_body("a", &a);
        memset(&b.z, 0x7f, sizeof b.z);
        b.z = ASK("judge", cd_zonotope_transform(&a.z, &pose, b.g));
        CHECK(b.z.generators == b.g && b.z.count == a.z.count);
        CHECK_VEC(b.z.center, cd_transform_point(&pose, a.z.center), 0);
        CHECK_VEC(b.z.count ? b.g[b.z.count - 1] : pose.position,
                  b.z.count ? cd_transform_vector(&pose, a.g[b.z.count - 1]) : pose.position, 0);
        CHECK_NEAR(cd_zonotope_volume(&a.z), cd_zonotope_volume(&b.z), 1000 * EPS);
        CHECK_NEAR(cd_zonotope_surface_area(&a.z), cd_zonotope_surface_area(&b.z), 1000 * EPS);
        CHECK_NEAR(
            cd_vec3_dot(cd_vec3_sub(cd_zonotope_support(&a.z, d), a.z.center), d),
            cd_vec3_dot(cd_vec3_sub(cd_zonotope_support(&b.z, cd_transform_vector(&pose, d)), b.z.center),
                        cd_transform_vector(&pose, d)),
            200 * EPS);
    }
}

void suite_zonotope(void) {
    RUN(points_are_judged_exactly);
    RUN(pairs_are_judged_exactly);
    RUN(boxes_are_zonotopes);
    RUN(known_bodies);
    RUN(triangles_in_front_of_faces);
    RUN(all_triples_count);
    RUN(answers_agree_with_samples);
    RUN(fits_hold_their_points);
    RUN(fits_refuse_what_they_cannot_do);
    RUN(directions_of_fits);
    RUN(merges_of_what_is_alike_are_tight);
    RUN(merges_hold_both);
    RUN(moved_bodies);
}
