/* Distances of convex bodies: bounds that prove themselves, closed forms, exact tests of the library, swaps, scales, motions, caches. */
#include "gen.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- bodies of all kinds ---- */

enum { CORNERS = 24, KINDS = 15 };

typedef struct body {
    int kind;
    cd_support s;
    cd_sphere sphere;
    cd_vec3 points[CORNERS];
    cd_aabb aabb;
    cd_obb obb;
    cd_lozenge lozenge;
    cd_disc disc;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_ellipsoid ellipsoid;
    cd_hull hull;
} body;

static uint32_t farthest_corner(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    const cd_vec3 *p = (const cd_vec3 *)user;
    uint32_t best = 0;
    (void)hint;
    for (uint32_t i = 1; i < 4; ++i) {
        double x = (double)dir.x * ((double)p[i].x - (double)p[best].x) +
                   (double)dir.y * ((double)p[i].y - (double)p[best].y) +
                   (double)dir.z * ((double)p[i].z - (double)p[best].z);
        if (x > 0) best = i;
    }
    *out = p[best];
    return best;
}

static void body_round_make(body *b, gen *g, int kind) {
    cd_obb box = gen_obb(g);
    cd_vec3 p = gen_point(g), q = gen_point(g);
    cd_real r = gen_length(g);
    b->ellipsoid.center = b->disc.center = b->cylinder.a = b->cone.apex = p;
    b->ellipsoid.axes = box.axes;
    b->ellipsoid.half = box.half;
    b->disc.normal = cd_vec3_make(box.axes.col[0].x, box.axes.col[0].y, box.axes.col[0].z);
    b->cylinder.b = b->cone.base = q;
    b->disc.radius = b->cylinder.radius = b->cone.radius = r;
    if (kind == 8) b->s = cd_support_of_disc(&b->disc);
    if (kind == 9) b->s = cd_support_of_cylinder(&b->cylinder);
    if (kind == 10) b->s = cd_support_of_cone(&b->cone);
    if (kind == 11) b->s = cd_support_of_ellipsoid(&b->ellipsoid);
}

/* Stays where it is: the support points into it. */
static void body_make(body *b, gen *g, int kind) {
    memset(b, 0, sizeof *b);
    b->kind = kind;
    for (int i = 0; i < CORNERS; ++i) b->points[i] = gen_point(g);
    if (kind == 0) b->s = cd_support_of_point(b->points[0]);
    b->sphere = gen_sphere(g);
    if (kind == 1) b->s = cd_support_of_sphere(b->sphere);
    if (kind >= 2 && kind <= 4) b->s = cd_support_of_points(b->points, (size_t)kind);
    b->aabb = gen_aabb(g);
    if (kind == 5) b->s = cd_support_of_aabb(&b->aabb);
    b->obb = gen_obb(g);
    if (kind == 6) b->s = cd_support_of_obb(&b->obb);
    if (kind == 7) b->s = cd_support_of_points(b->points, CORNERS);
    if (kind >= 8 && kind <= 11) body_round_make(b, g, kind);
    if (kind == 12) {
        b->s = cd_support_of_points(b->points, 2);
        b->s = cd_support_rounded(&b->s, gen_length(g));
    }
    if (kind == 13) b->s = cd_support_of_function(farthest_corner, b->points, b->points[2], 0);
    if (kind == 14) {
        if (cd_hull3_build(&b->hull, b->points, CORNERS, NULL) != CD_OK) memset(&b->hull, 0, sizeof b->hull);
        b->s = cd_support_of_hull(&b->hull);
    }
}

static void body_free(body *b) {
    cd_hull_destroy(&b->hull);
}

/* The kinds whose supports are a few corners, by which all can be tried; how many. */
static int body_corners(const body *b, cd_vec3 out[CORNERS]) {
    if (b->kind <= 1) {
        out[0] = b->s.center;
        return 1;
    }
    if ((b->kind >= 2 && b->kind <= 4) || b->kind == 7 || b->kind == 12 || b->kind == 13 || b->kind == 14) {
        int count = b->kind == 12 ? 2 : b->kind == 13 ? 4 : b->kind >= 7 ? CORNERS : b->kind;
        for (int i = 0; i < count; ++i) out[i] = b->points[i];
        return count;
    }
    if (b->kind != 5) return 0;
    for (int i = 0; i < 8; ++i)
        out[i] = cd_vec3_make(i & 1 ? b->aabb.max.x : b->aabb.min.x, i & 2 ? b->aabb.max.y : b->aabb.min.y,
                              i & 4 ? b->aabb.max.z : b->aabb.min.z);
    return 8;
}

/* ---- judging ---- */

typedef struct vec {
    double x, y, z;
} vec;

static vec vec_from(cd_vec3 a) {
    vec v;
    v.x = (double)a.x;
    v.y = (double)a.y;
    v.z = (double)a.z;
    return v;
}

static double dot(vec a, vec b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static vec apart(vec a, vec b) {
    vec v;
    v.x = b.x - a.x;
    v.y = b.y - a.y;
    v.z = b.z - a.z;
    return v;
}

static double most_of(cd_vec3 a) {
    return fmax(fabs((double)a.x), fmax(fabs((double)a.y), fabs((double)a.z)));
}

/* Of all of a body's coordinates. */
static double size_of(const cd_support *s) {
    double most = most_of(s->center) + (double)s->radius;
    for (int i = 0; i < 6; ++i) {
        double sign = i & 1 ? -1 : 1;
        cd_vec3 d = cd_vec3_make((cd_real)(i / 2 == 0 ? sign : 0), (cd_real)(i / 2 == 1 ? sign : 0),
                                 (cd_real)(i / 2 == 2 ? sign : 0));
        most = fmax(most, most_of(cd_support_farthest(s, d)));
    }
    return most;
}

/* The number type's rounding of the answer, and of what the bodies' own points are computed with. */
static double rounding(double size) {
    return size * (sizeof(cd_real) == 4 ? 16 * FLT_EPSILON : 320 * DBL_EPSILON);
}

static unsigned most_iterations, shallow, meetings, partings, remembered, slower, wide, stopped;

/* No corner of the one is nearer to any of the other, along the normal, than the distance less the gap. */
static void judge_corners(const body *a, const body *b, const cd_separation *s, double slack) {
    cd_vec3 p[CORNERS], q[CORNERS];
    int m = body_corners(a, p), n = body_corners(b, q);
    vec normal = vec_from(s->normal);
    double least = DBL_MAX;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) least = fmin(least, dot(normal, apart(vec_from(p[i]), vec_from(q[j]))));
    if (m == 0 || n == 0) return;
    CHECK(least - (double)a->s.radius - (double)b->s.radius >= (double)s->distance - (double)s->gap - slack);
}

/* The witness point is in the body as far as some directions tell. */
static void judge_inside(const cd_support *s, cd_vec3 p, double slack, test_rng *rng) {
    for (int i = 0; i < 6; ++i) {
        cd_vec3 d, f;
        double x = test_range(rng, -1, 1), y = test_range(rng, -1, 1), z = test_range(rng, -1, 1);
        vec w;
        d = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
        f = cd_support_farthest(s, d);
        w = vec_from(d);
        CHECK(dot(w, vec_from(p)) - dot(w, vec_from(f)) <= 2 * slack);
    }
}

static bool is_curved(const body *b) {
    return b->kind >= 8 && b->kind <= 11;
}

static void judge(const body *a, const body *b, const cd_separation *s, double size, test_rng *rng) {
    vec n = vec_from(s->normal), way = apart(vec_from(s->a), vec_from(s->b));
    double slack = rounding(size);
    if (s->status == CD_NOT_CONVERGED && (is_curved(a) || is_curved(b))) {
        CHECK((double)s->gap <= ldexp(size, -36));
        ++stopped;
        return;
    }
    CHECK_INT(s->status, CD_OK);
    CHECK_NEAR(sqrt(dot(n, n)), 1.0, 1e-6);
    CHECK(s->gap >= 0 &&
          (double)s->gap <= fmax(a->kind == 13 || b->kind == 13 ? 4 * slack : slack, ldexp(size, -40)));
    wide += a->kind != 13 && b->kind != 13 && (double)s->gap > slack;
    if (s->iterations > most_iterations) most_iterations = s->iterations;
    judge_inside(&a->s, s->a, slack, rng);
    judge_inside(&b->s, s->b, slack, rng);
    CHECK_NEAR(dot(n, way), (double)s->distance, slack);
    if ((double)s->distance + (double)a->s.radius + (double)b->s.radius <= slack) {
        ++meetings;
        return;
    }
    ++partings;
    if (s->distance < 0) ++shallow;
    CHECK_NEAR(sqrt(dot(way, way)), fabs((double)s->distance), slack);
    judge_corners(a, b, s, slack);
}

static void note_pair(const body *a, const body *b, gen_kind kind) {
    test_note("kinds %d and %d of %d: ", a->kind, b->kind, (int)kind);
    test_note_reals("a", REALS(a->points), 12);
    test_note_reals("b", REALS(b->points), 12);
}

/* ---- all pairs, and what must hold of each ---- */

/* Mirrored, to the bit, where the cores are apart. */
static void pair_swapped(const body *a, const body *b, const cd_separation *s, double slack) {
    cd_separation t = ASK("swap", cd_gjk_distance(&b->s, &a->s, NULL, NULL, NULL));
    CHECK_SAME(t.distance, s->distance);
    if ((double)s->distance + (double)a->s.radius + (double)b->s.radius <= slack) return;
    CHECK_SAME(t.gap, s->gap);
    for (int k = 0; k < 3; ++k) {
        CHECK_SAME(REALS(t.a)[k], REALS(s->b)[k]);
        CHECK_SAME(REALS(t.b)[k], REALS(s->a)[k]);
        CHECK(REALS(t.normal)[k] + REALS(s->normal)[k] == 0);
    }
    CHECK_INT(t.feature_a, s->feature_b);
}

static void check_same(const cd_separation *a, const cd_separation *b) {
    CHECK_INT(a->status, b->status);
    CHECK_SAME(a->distance, b->distance);
    CHECK_SAME(a->gap, b->gap);
    for (int k = 0; k < 3; ++k) {
        CHECK_SAME(REALS(a->normal)[k], REALS(b->normal)[k]);
        CHECK_SAME(REALS(a->a)[k], REALS(b->a)[k]);
        CHECK_SAME(REALS(a->b)[k], REALS(b->b)[k]);
    }
    CHECK_INT(a->feature_a, b->feature_a);
    CHECK_INT(a->feature_b, b->feature_b);
}

/* The last simplex has no volume: what was inside of its faces was so for one order of the bodies only. */
static void a_flat_simplex_is_mirrored(void) {
    cd_disc d = {{1, (cd_real)-0x1.fffffcp-1, 1},
                 {(cd_real)-0x1.afa8f6p-1, (cd_real)0x1.c657a4p-2, (cd_real)-0x1.372bd8p-2},
                 2};
    cd_cylinder c = {{(cd_real)-0x1.000004p+0, 1, -2}, {-2, 2, 0}, 1};
    static body a, b;
    cd_separation s;
    a.s = cd_support_of_disc(&d);
    b.s = cd_support_of_cylinder(&c);
    s = cd_gjk_distance(&a.s, &b.s, NULL, NULL, NULL);
    CHECK(s.distance > 2);
    pair_swapped(&a, &b, &s, rounding(2));
}

/* Another answer to the same: mostly the same but for rounding, always as near as the gaps, which the header bounds. */
static void check_as_near(const cd_separation *t, const cd_separation *s, double size, double slack) {
    CHECK((double)t->gap <= slack + size * 9.094947017729282e-13);
    CHECK_NEAR(t->distance, s->distance, fmax(slack, (double)t->gap + (double)s->gap));
    wide += fabs((double)t->distance - (double)s->distance) > slack;
}

/* The same question again from any cache: its own, one of noise, one of wrong corners. */
static void pair_cached(const body *a, const body *b, const cd_separation *s, double size, bool wild,
                        test_rng *rng) {
    double slack = rounding(size), core = (double)s->distance + (double)a->s.radius + (double)b->s.radius;
    bool told = core == 0 || core > size * 9.094947017729282e-13;
    cd_cache cache, copy;
    cd_separation t, u;
    cd_vec3 p[CORNERS];
    memset(&cache, 0, sizeof cache);
    t = ASK("forms", cd_gjk_distance(&a->s, &b->s, NULL, NULL, &cache));
    check_same(&t, s);
    t = ASK("forms", cd_gjk_distance(&a->s, &b->s, NULL, NULL, &cache));
    /* A distance within 2^-40 of the size, which is the gap that the header allows, has a direction of few digits only: the way from
     * the last corners, which is along it, may then need more steps than one that began with a luckier guess. So, very seldom, may be bodies
     * whose numbers have nothing to do with each other. */
    if (told && a->kind != 13 && b->kind != 13 && body_corners(a, p) && body_corners(b, p)) {
        if (!wild) CHECK(t.iterations <= s->iterations + 2);
        ++remembered;
        slower += t.iterations > s->iterations + 2;
    }
    CHECK_INT(t.status, CD_OK);
    check_as_near(&t, s, size, slack);
    for (int i = 0; i < 8; ++i)
        cache.words[i] = test_int(rng, 0, 2) ? (uint32_t)test_int(rng, 0, 9) : (uint32_t)test_next(rng);
    copy = cache;
    t = ASK("forms", cd_gjk_distance(&a->s, &b->s, NULL, NULL, &cache));
    u = ASK("forms", cd_gjk_distance(&a->s, &b->s, NULL, NULL, &copy));
    check_same(&t, &u);
    CHECK(memcmp(&cache, &copy, sizeof cache) == 0);
    CHECK_INT(t.status, CD_OK);
    check_as_near(&t, s, size, slack);
}

/* A test that starts elsewhere may say otherwise only where rounding can. */
static void tested_again(const body *a, const body *b, cd_cache *cache, bool meets, double slack) {
    cd_cache copy = *cache;
    if (cd_gjk_test(&a->s, &b->s, NULL, cache) == meets) return;
    CHECK_NEAR(cd_gjk_distance(&a->s, &b->s, NULL, NULL, &copy).distance, 0, slack);
}

static void pair_tested(const body *a, const body *b, const cd_separation *s, double slack, test_rng *rng) {
    cd_cache cache;
    bool meets = cd_gjk_test(&a->s, &b->s, NULL, NULL);
    memset(&cache, 0, sizeof cache);
    for (int i = 0; i < 8; ++i) cache.words[i] = (uint32_t)test_int(rng, 0, 5);
    if (fabs((double)s->distance) <= slack && (double)a->s.radius + (double)b->s.radius > 0) return;
    if (s->distance > 0 && (double)s->distance <= fmax(slack, (double)s->gap)) return;
    CHECK_INT(meets, s->distance <= 0);
    tested_again(a, b, &cache, meets, slack);
    tested_again(a, b, &cache, meets, slack);
}

static void pair_limited(const body *a, const body *b, const cd_separation *s, double slack, test_rng *rng) {
    cd_separation_options o;
    cd_separation t;
    memset(&o, 0, sizeof o);
    o.max_iterations = (uint32_t)test_int(rng, 0, 3);
    o.max_distance = (cd_real)(test_unit(rng) * (double)s->distance);
    o.tolerance = (cd_real)(test_unit(rng) * 0.1 * (double)s->distance);
    t = cd_gjk_distance(&a->s, &b->s, NULL, &o, NULL);
    CHECK(t.status == CD_OK || t.status == CD_NOT_CONVERGED);
    if (!o.max_iterations) CHECK_INT(t.status, CD_OK);
    CHECK(fabs((double)t.distance - (double)s->distance) <= (double)t.gap + (double)s->gap + slack);
    if (t.iterations < s->iterations && s->distance > 0 &&
        (double)t.distance - (double)t.gap + 4 * slack < (double)o.max_distance)
        CHECK(t.status == CD_NOT_CONVERGED || (double)t.gap <= (double)o.tolerance + 64 * slack);
}

static void gjk_pairs(void) {
    test_rng rng = test_random();
    body *a = (body *)malloc(sizeof *a), *b = (body *)malloc(sizeof *b);
    most_iterations = shallow = meetings = partings = remembered = slower = wide = stopped = 0;
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        int first = test_int(&rng, 0, KINDS - 1), second = test_int(&rng, 0, KINDS - 1);
        cd_separation s;
        double size, slack;
        if (g.kind == GEN_WIDE && first == 13) first = 4; /* nobody knows the size of a caller's body */
        if (g.kind == GEN_WIDE && second == 13) second = 4;
        body_make(a, &g, first);
        body_make(b, &g, second);
        note_pair(a, b, g.kind);
        s = ASK("judge", cd_gjk_distance(&a->s, &b->s, NULL, NULL, NULL));
        if (cd_support_is_valid(&a->s) && cd_support_is_valid(&b->s)) {
            size = fmax(size_of(&a->s), size_of(&b->s));
            slack = rounding(size);
            judge(a, b, &s, size, &rng);
            pair_swapped(a, b, &s, slack);
            if (s.status == CD_OK) {
                pair_cached(a, b, &s, size, g.kind == GEN_WIDE, &rng);
                pair_tested(a, b, &s, slack, &rng);
                pair_limited(a, b, &s, slack, &rng);
            }
        } else {
            CHECK_INT(s.status, CD_INVALID_ARGUMENT);
        }
        body_free(a);
        body_free(b);
    }
    free(a);
    free(b);
    CHECK_SEEN(shallow > 0 && meetings > 0 && partings > 0);
    CHECK(slower <= 1 + remembered / 10000);
    CHECK(stopped <= 1 + (meetings + partings) / 20000);
    CHECK(wide <= 1 + (meetings + partings) / 10000); /* the header's gap, but mostly no more than rounding */
    CHECK(most_iterations <= 200); /* as promised; ellipsoids that touch but for an ulp have taken 101 */
}

/* ---- what others know ---- */

#ifdef COLLIDE_DOUBLE
/* A cone as wide as 2^65 times its height: what the query itself had noted led to a worse end the next time. */
static void a_cache_that_leads_nowhere(void) {
    cd_cone c = {
        {(cd_real)-0x1.d06377b4d9f2p+113, (cd_real)0x1.67bab7c848ba8p-77, (cd_real)-0x1.ff2b499f8f24p+41},
        {(cd_real)-0x1.9b3c60dd2f956p+31, (cd_real)0x1.b23154afe5156p+123, (cd_real)-0x1.d22b2b78353d2p-119},
        (cd_real)0x1.e4c49dd147654p+178};
    cd_aabb box = {
        {(cd_real)0x1.0a98802574c64p-162, (cd_real)-0x1.3d2e25d9a21ap+139, (cd_real)-0x1.e5e7254881638p+149},
        {(cd_real)0x1.08960b6296ec6p-37, (cd_real)-0x1.bcd5f688fddaep-138, (cd_real)0x1.fc068eb2ba79ap-105}};
    cd_support a = cd_support_of_cone(&c), b = cd_support_of_aabb(&box);
    cd_cache cache;
    memset(&cache, 0, sizeof cache);
    for (int i = 0; i < 4; ++i) {
        cd_separation s = cd_gjk_distance(&a, &b, NULL, NULL, &cache);
        CHECK_INT(s.status, CD_OK);
        CHECK_SAME(s.distance, 0);
    }
}
#endif

/* A corner on an edge of the other, and an edge along it: all tips are in a line. */
static void edges_in_a_line(void) {
    cd_triangle t, u;
    cd_support a, b;
    t.a = t.b = cd_vec3_make(-2, 1, 1);
    t.c = cd_vec3_make(-1, -2, -1);
    u.a = u.b = t.a;
    u.c = cd_vec3_make(-1, 1, 2);
    a = cd_support_of_triangle(&t);
    b = cd_support_of_triangle(&u);
    for (int i = 0; i <= 64; ++i) {
        for (int k = 0; k <= 64; ++k) {
            cd_separation s;
            u.a = cd_vec3_lerp(t.a, t.c, (cd_real)(i * 0.031));
            u.b = cd_vec3_lerp(t.a, t.c, (cd_real)(k * 0.047 - 1.01));
            test_note("");
            test_note_reals("u", REALS(u), 9);
            s = cd_gjk_distance(&a, &b, NULL, NULL, NULL);
            CHECK_NEAR(s.distance, sqrt((double)cd_sqdist_triangle_triangle(&t, &u)), 1e-6);
            s = cd_gjk_distance(&b, &a, NULL, NULL, NULL);
            CHECK_NEAR(s.distance, sqrt((double)cd_sqdist_triangle_triangle(&t, &u)), 1e-6);
        }
    }
}

/* The nearest point of a long triangle is off its short edge by the square of how near that is: what is large must leave no rounding in it. */
static void a_face_hardly_nearer_than_its_edge(void) {
    static const double v[4][3] = {
        {0x1.13p-51, 0, 0x1.a95bp-40}, {0x1.73dap-4, 0, -0x1.40ebp-8}, {0, -1.5, -0x1p-91}, {0, 0x1p-89, 0}};
    cd_support a = cd_support_of_point(cd_vec3_make(0, 0, 0)), b;
    cd_vec3 p[4];
    for (int i = 0; i < 4; ++i) p[i] = cd_vec3_make((cd_real)v[i][0], (cd_real)v[i][1], (cd_real)v[i][2]);
    for (size_t count = 3; count <= 4; ++count) {
        double distance = count == 3 ? 0x1.a8beca6235p-40 : 0;
        cd_separation s, t;
        b = cd_support_of_points(p, count);
        test_note("%d corners", (int)count);
        s = cd_gjk_distance(&a, &b, NULL, NULL, NULL);
        t = cd_convex_distance(&a, &b, NULL, NULL, NULL);
        CHECK_INT(s.status, CD_OK);
        CHECK_INT(t.status, CD_OK);
        CHECK((double)s.gap <= 1.5 * 0x1p-40 && (double)t.gap <= 1.5 * 0x1p-44);
        CHECK_NEAR(s.distance, distance, s.gap);
        CHECK_NEAR(t.distance, distance, t.gap);
    }
}

/* A segment through a blade: four corners that were around the origin for doubles only, and with care were nearer to it than all before. */
static void corners_that_only_seem_to_be_around(void) {
    static const double given[21] = {0x1.5a89325e62b24p+33,   -0x1.5a1f425941b7p+83,  -0x1.dbcfce30f30a4p-22,
                                     0x1.b0393fb9bc4ebp+151,  0x1.a098ec0fdf4a2p+126, 0x1.c08ac63246332p+165,
                                     -0x1.371f0dcb211fap-109, 0x1.fc98a780a9608p+141, -0x1.9daed2668a538p-8,
                                     -0x1.6706798a3a17cp-148, -0x1.08580aa3e374cp+59, -0x1.8af3cbefd0deep-93,
                                     -0x1.d0bd19aec9c3bp-1,   -0x1.4b7ab6643b9b8p-4,  -0x1.a5a3e3bca3a41p-2,
                                     -0x1.7c1f681e00c7p-9,    0x1.f6fefde0699bep-1,   -0x1.7e5875f6c27a2p-3,
                                     0x1.adb24ae2f09fdp-2,    -0x1.589b4ebca3be4p-3,  -0x1.c8af9f9c57ea8p-1};
    cd_vec3 v[7];
    cd_ellipsoid blade;
    cd_support a, b;
    cd_separation s;
    for (int i = 0; i < 21; ++i) REALS(v)[i] = (cd_real)(i < 12 ? ldexp(given[i], -140) : given[i]);
    blade.center = v[0];
    blade.half = v[1];
    for (int k = 0; k < 3; ++k) blade.axes.col[k] = v[4 + k];
    a = cd_support_of_ellipsoid(&blade);
    b = cd_support_of_points(v + 2, 2);
    s = cd_gjk_distance(&a, &b, NULL, NULL, NULL);
    CHECK_INT(s.status, CD_OK);
    CHECK_NEAR(s.distance, 0, s.gap);
    CHECK((double)s.gap <= 0x1.c1p+25 * 0x1p-40);
}

static uint32_t no_number(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    (void)dir;
    (void)hint;
    *out = cd_vec3_make(*(const cd_real *)user, 1, 2);
    return 0;
}

/* A function that answers with what is no number is taken at its center. */
static void tips_that_are_not_finite(void) {
    static const double bad[3] = {(double)NAN, (double)INFINITY, -(double)INFINITY};
    cd_sphere ball;
    ball.center = cd_vec3_make(1, 2, 3);
    ball.radius = 1;
    for (int i = 0; i < 3; ++i) {
        cd_real number = (cd_real)bad[i];
        cd_support a = cd_support_of_function(no_number, &number, cd_vec3_make(0, 0, 0), 0);
        cd_support b = cd_support_of_sphere(ball);
        CHECK_NEAR(cd_gjk_distance(&a, &b, NULL, NULL, NULL).distance, sqrt(14) - 1, 1e-6);
        CHECK_NEAR(cd_gjk_distance(&b, &a, NULL, NULL, NULL).distance, sqrt(14) - 1, 1e-6);
        CHECK_NEAR(cd_convex_distance(&a, &b, NULL, NULL, NULL).distance, sqrt(14) - 1, 1e-6);
    }
}

/* Whole numbers, so that touching is touching: the exact tests decide alike. */
static void gjk_exact(void) {
    test_rng rng = test_random();
    long touching = 0;
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_GRID);
        cd_triangle t = gen_triangle(&g), u = gen_triangle_near(&g, &t);
        cd_support a = cd_support_of_triangle(&t), b;
        cd_separation s;
        double want;
        if (i & 1) u = gen_triangle(&g);
        b = cd_support_of_triangle(&u);
        test_note("");
        test_note_reals("t", REALS(t), 9);
        test_note_reals("u", REALS(u), 9);
        if (!(i & 1)) { /* corners between whole numbers: near, but rounded */
            s = ASK("exact", cd_gjk_distance(&a, &b, NULL, NULL, NULL));
            CHECK_NEAR(s.distance, sqrt((double)cd_sqdist_triangle_triangle(&t, &u)), 1e-5);
            continue;
        }
        CHECK_INT(ASK("exact", cd_gjk_test(&a, &b, NULL, NULL)), cd_test_triangle_triangle(&t, &u));
        s = ASK("exact", cd_gjk_distance(&a, &b, NULL, NULL, NULL));
        CHECK_INT((double)s.distance <= 1e-12, cd_test_triangle_triangle(&t, &u));
        want = sqrt((double)cd_sqdist_triangle_triangle(&t, &u));
        CHECK_NEAR(s.distance, want, rounding(4));
        touching += s.distance <= 0;
    }
    CHECK_SEEN(touching > 0);
}

static void gjk_closed_forms(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_ULP));
        cd_segment p = gen_segment(&g), q = gen_segment(&g);
        cd_obb box = gen_obb(&g);
        cd_capsule c;
        cd_support a, b;
        cd_separation s;
        double gap;
        c.a = p.a;
        c.b = p.b;
        c.radius = gen_length(&g);
        a = cd_support_of_capsule(&c);
        b = cd_support_of_segment(&q);
        s = ASK("forms", cd_gjk_distance(&a, &b, NULL, NULL, NULL));
        gap = sqrt((double)cd_sqdist_segment_segment(&p, &q));
        CHECK_NEAR(s.distance, gap - (double)c.radius, rounding(4) + (gap < 1e-3 ? 1e-3 * gap : 0));
        a = cd_support_of_obb(&box);
        s = ASK("forms", cd_gjk_distance(&a, &b, NULL, NULL, NULL));
        gap = sqrt((double)cd_sqdist_segment_obb(&q, &box));
        CHECK_NEAR(s.distance, gap, 4 * rounding(4));
    }
}

/* Two balls of any size at any place. */
static void gjk_spheres(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_sphere p = gen_sphere(&g), q = gen_sphere(&g);
        cd_support a = cd_support_of_sphere(p), b = cd_support_of_sphere(q);
        cd_separation s = ASK("judge", cd_gjk_distance(&a, &b, NULL, NULL, NULL));
        vec w = apart(vec_from(p.center), vec_from(q.center));
        double most = fmax(fabs(w.x), fmax(fabs(w.y), fabs(w.z))), far = most;
        double size = fmax(fmax(most_of(p.center), most_of(q.center)), (double)p.radius + (double)q.radius);
        if (most > 0) {
            w.x /= most;
            w.y /= most;
            w.z /= most;
            far = most * sqrt(dot(w, w));
        }
        CHECK_NEAR(s.distance, far - (double)p.radius - (double)q.radius, rounding(size));
        CHECK(s.iterations <= 2);
    }
}

/* Boxes a hair apart, or touching, much larger than what is between them: the normal is that of the face. */
static void gjk_touching(void) {
    test_rng rng = test_random();
    for (long i = test_times(500); i > 0; --i) {
        cd_transform pose = gen_pose(&rng, 3.0);
        cd_aabb box;
        cd_obb far;
        cd_support a, b;
        cd_separation s;
        double hair =
            test_int(&rng, 0, 3) ? ldexp(1.0, -test_int(&rng, 3, sizeof(cd_real) == 4 ? 20 : 44)) : 0;
        box.min = cd_vec3_make(-1, -2, -1);
        box.max = cd_vec3_make(1, 2, 0);
        memset(&far, 0, sizeof far);
        far.axes = cd_mat3_identity();
        far.half = cd_vec3_make(1, (cd_real)0.5, 1);
        far.center = cd_vec3_make((cd_real)0.25, (cd_real)0.125, (cd_real)(1 + hair));
        a = cd_support_of_aabb(&box);
        b = cd_support_of_obb(&far);
        s = ASK("exact", cd_gjk_distance(&a, &b, NULL, NULL, NULL));
        CHECK_SAME(s.distance, hair);
        CHECK_VEC(s.normal, cd_vec3_make(0, 0, 1), 0);
        CHECK_INT(ASK("exact", cd_gjk_test(&a, &b, NULL, NULL)), hair == 0);
        pose.rotation = cd_quat_identity();
        pose.position = cd_vec3_make(0, 0, (cd_real)hair);
        s = ASK("exact", cd_gjk_distance(&a, &b, &pose, NULL, NULL));
        CHECK_NEAR(s.distance, 2 * hair, rounding(2));
    }
}

/* ---- scales and motions ---- */

static void scale_body(body *to, const body *from, int exponent) {
    *to = *from;
    for (int i = 0; i < CORNERS; ++i)
        for (int k = 0; k < 3; ++k)
            REALS(to->points[i])[k] = (cd_real)ldexp((double)REALS(to->points[i])[k], exponent);
    to->s.shape = to->points;
    for (int k = 0; k < 3; ++k)
        REALS(to->s.center)[k] = (cd_real)ldexp((double)REALS(to->s.center)[k], exponent);
    to->s.radius = (cd_real)ldexp((double)to->s.radius, exponent);
}

static void gjk_scales(void) {
    test_rng rng = test_random();
    static const int kinds[] = {0, 1, 2, 3, 4, 7, 12};
    static body a, b, c, d;
    int most = sizeof(cd_real) == 4 ? 56 : 200;
    for (long i = test_times(1000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_ULP));
        int e = test_int(&rng, -most, most - 4), first = kinds[test_int(&rng, 0, 6)];
        cd_separation s, t;
        body_make(&a, &g, first);
        body_make(&b, &g, kinds[test_int(&rng, 0, 6)]);
        scale_body(&c, &a, e);
        scale_body(&d, &b, e);
        note_pair(&a, &b, g.kind);
        s = cd_gjk_distance(&a.s, &b.s, NULL, NULL, NULL);
        t = ASK("scale", cd_gjk_distance(&c.s, &d.s, NULL, NULL, NULL));
        CHECK_NEAR(t.distance, ldexp((double)s.distance, e), ldexp(1.0, e - most));
        for (int k = 0; k < 3; ++k) CHECK_SAME(REALS(t.normal)[k], REALS(s.normal)[k]);
        CHECK_INT(t.iterations, s.iterations);
    }
}

/* Sizes that differ by up to 2^20, needles and flakes. */
static void gjk_thin(void) {
    test_rng rng = test_random();
    static body a, b;
    static const int kinds[] = {2, 3, 4, 7, 12, 13};
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_separation s;
        double size, thin[3], shift = test_range(&rng, 0, 3);
        int small = test_int(&rng, -20, 0), first = kinds[test_int(&rng, 0, 5)];
        body_make(&a, &g, first);
        body_make(&b, &g, kinds[test_int(&rng, 0, 5)]);
        for (int k = 0; k < 3; ++k) thin[k] = ldexp(1.0, test_int(&rng, 0, 1) ? 0 : test_int(&rng, -60, 0));
        for (int j = 0; j < CORNERS; ++j)
            for (int k = 0; k < 3; ++k) {
                REALS(a.points[j])[k] = (cd_real)((double)REALS(a.points[j])[k] * thin[k]);
                REALS(b.points[j])
                [k] = (cd_real)(ldexp((double)REALS(b.points[j])[k] * thin[k], small) + (k == 0 ? shift
                                                                                         : k == 1
                                                                                             ? 0.25 * thin[k]
                                                                                             : 0.0));
            }
        a.s.center = a.points[0];
        b.s.center = b.points[0];
        note_pair(&a, &b, g.kind);
        s = ASK("judge", cd_gjk_distance(&a.s, &b.s, NULL, NULL, NULL));
        size = fmax(size_of(&a.s), size_of(&b.s));
        judge(&a, &b, &s, size, &rng);
        pair_swapped(&a, &b, &s, rounding(size));
        pair_cached(&a, &b, &s, size, false, &rng);
        pair_tested(&a, &b, &s, rounding(size), &rng);
    }
}

/* Moving both by the same motion changes nothing but by rounding. */
static void gjk_motion(void) {
    test_rng rng = test_random();
    static body a, b;
    for (long i = test_times(1000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_transform pose = gen_pose(&rng, 2.0), inverse = cd_transform_inverse(&pose);
        int first = test_int(&rng, 0, KINDS - 1);
        cd_separation s, t;
        double slack;
        body_make(&a, &g, first);
        body_make(&b, &g, test_int(&rng, 0, KINDS - 1));
        note_pair(&a, &b, g.kind);
        s = cd_gjk_distance(&a.s, &b.s, &pose, NULL, NULL);
        t = ASK("swap", cd_gjk_distance(&b.s, &a.s, &inverse, NULL, NULL));
        slack = 16 * rounding(4);
        if (s.status == CD_OK) {
            CHECK_NEAR(t.distance, s.distance, slack);
            CHECK_VEC(cd_transform_point(&pose, t.a), s.b,
                      (double)s.distance > 0.1 && a.kind == 1 ? 1e-3 : 9);
        }
        body_free(&a);
        body_free(&b);
    }
}

/* ---- caches on the way ---- */

static void gjk_coherent(void) {
    test_rng rng = test_random();
    static body a, b;
    long warm = 0, cold = 0, same = 0, steps = 0;
    for (long i = test_times(60); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_transform pose = gen_pose(&rng, 3.0);
        cd_cache cache;
        memset(&cache, 0, sizeof cache);
        body_make(&a, &g, 14);
        body_make(&b, &g, 14);
        for (int step = 0; step < 30; ++step, ++steps) {
            cd_separation s, t;
            pose.position.x += (cd_real)0.002;
            s = cd_gjk_distance(&a.s, &b.s, &pose, NULL, NULL);
            t = ASK("forms", cd_gjk_distance(&a.s, &b.s, &pose, NULL, &cache));
            CHECK_NEAR(t.distance, s.distance, rounding(8));
            if (s.distance > 0 && s.feature_a == t.feature_a && s.feature_b == t.feature_b) {
                ++same;
                check_same(&t, &s);
            }
            cold += (long)s.iterations;
            warm += (long)t.iterations;
        }
        body_free(&a);
        body_free(&b);
    }
    CHECK(warm < cold);
    CHECK_SEEN(same > steps / 4);
}

/* ---- many at once, and nothing ---- */

static void gjk_batch(void) {
    test_rng rng = test_random();
    enum { COUNT = 12 };
    static body a[COUNT];
    cd_convex_pair pairs[COUNT];
    cd_separation out[COUNT];
    cd_cache caches[COUNT], many[3 * COUNT], cache;
    bool meets[COUNT];
    size_t met = 0;
    gen g = gen_begin(&rng, GEN_UNIT);
    cd_transform pose = gen_pose(&rng, 1.0);
    memset(caches, 0, sizeof caches);
    for (int i = 0; i < COUNT; ++i) {
        body_make(&a[i], &g, test_int(&rng, 0, KINDS - 1));
        pairs[i].a = &a[i / 2].s;
        pairs[i].b = &a[i].s;
        pairs[i].b_in_a = i & 1 ? &pose : NULL;
    }
    ASK("loop", cd_gjk_distances(pairs, COUNT, NULL, caches, out));
    for (int i = 0; i < COUNT; ++i) {
        cd_separation s;
        memset(&cache, 0, sizeof cache);
        s = cd_gjk_distance(pairs[i].a, pairs[i].b, pairs[i].b_in_a, NULL, &cache);
        check_same(&out[i], &s);
        CHECK(memcmp(&cache, &caches[i], sizeof cache) == 0);
        met += cd_gjk_test(pairs[i].a, pairs[i].b, pairs[i].b_in_a, NULL) ? 1u : 0u;
    }
    CHECK_INT(ASK("loop", cd_gjk_tests(pairs, COUNT, NULL, meets)), met);
    CHECK_INT(ASK("loop", cd_gjk_tests(pairs, COUNT, NULL, NULL)), met);
    for (int i = 0; i < COUNT; ++i)
        CHECK_INT(meets[i], cd_gjk_test(pairs[i].a, pairs[i].b, pairs[i].b_in_a, NULL));
    ASK("loop", cd_gjk_distances(NULL, 0, NULL, NULL, NULL));
    CHECK_INT(ASK("loop", cd_gjk_tests(NULL, 0, NULL, NULL)), 0);
    memset(many, 0, sizeof many);
    CHECK_INT(ASK("loop", cd_gjk_tests(pairs, COUNT, &many[COUNT], meets)), met);
    for (int i = -COUNT; i < 2 * COUNT; ++i) { /* each its own, and none beside them */
        memset(&cache, 0, sizeof cache);
        if (i >= 0 && i < COUNT) cd_gjk_test(pairs[i].a, pairs[i].b, pairs[i].b_in_a, &cache);
        CHECK(memcmp(&cache, &many[COUNT + i], sizeof cache) == 0);
    }
    for (int i = 0; i < COUNT; ++i) body_free(&a[i]);
}

static void gjk_nothing(void) {
    cd_support nothing, point = cd_support_of_point(cd_vec3_make(1, 2, 3));
    cd_separation s;
    cd_cache cache;
    cd_transform pose = cd_transform_identity();
    memset(&nothing, 0, sizeof nothing);
    memset(&cache, 0x5A, sizeof cache);
    s = cd_gjk_distance(&nothing, &point, NULL, NULL, &cache);
    CHECK_INT(s.status, CD_INVALID_ARGUMENT);
    CHECK(s.distance != s.distance);
    CHECK(!cd_gjk_test(&point, &nothing, NULL, NULL));
    pose.position.x = (cd_real)INFINITY;
    s = cd_gjk_distance(&point, &point, &pose, NULL, NULL);
    CHECK_INT(s.status, CD_INVALID_ARGUMENT);
    s = cd_gjk_distance(&point, &point, NULL, NULL, &cache);
    CHECK_INT(s.status, CD_OK);
    CHECK(s.distance == 0);
    CHECK(cd_gjk_test(&point, &point, NULL, NULL));
}

void suite_gjk(void) {
    RUN(a_flat_simplex_is_mirrored);
    RUN(gjk_pairs);
#ifdef COLLIDE_DOUBLE
    RUN(a_cache_that_leads_nowhere);
#endif
    RUN(edges_in_a_line);
    RUN(a_face_hardly_nearer_than_its_edge);
    RUN(corners_that_only_seem_to_be_around);
    RUN(tips_that_are_not_finite);
    RUN(gjk_exact);
    RUN(gjk_closed_forms);
    RUN(gjk_spheres);
    RUN(gjk_touching);
    RUN(gjk_scales);
    RUN(gjk_thin);
    RUN(gjk_motion);
    RUN(gjk_coherent);
    RUN(gjk_batch);
    RUN(gjk_nothing);
}
