/* Moving boxes: every pair against the reference in long double, contacts and features, starts, and what the book gets wrong. */
#include "gen.h"
#include "sweeps.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* ---- pairs of any kind ---- */

enum { AABB, OBB, TRIANGLE, POLYGON, SPHERE, CAPSULE };

typedef struct thing {
    int kind, count;
    cd_aabb aabb;
    cd_obb obb;
    cd_triangle triangle;
    cd_sphere sphere;
    cd_capsule capsule;
    cd_vec3 polygon[8];
} thing;

static sweep_body body_of_thing(const thing *x) {
    if (x->kind == AABB) return sweep_of_aabb(x->aabb);
    if (x->kind == OBB) return sweep_of_obb(&x->obb);
    if (x->kind == SPHERE) return sweep_of_sphere(x->sphere);
    if (x->kind == CAPSULE) return sweep_of_capsule(&x->capsule);
    return x->kind == TRIANGLE ? sweep_of_triangle(&x->triangle) : sweep_of_polygon(x->polygon, x->count);
}

static bool sweep_to(const thing *a, cd_vec3 motion, const thing *b, const cd_cast_options *o, cd_hit *hit) {
    if (a->kind == AABB) {
        if (b->kind == AABB) return ASK("judge", cd_sweep_aabb_aabb(a->aabb, motion, b->aabb, o, hit));
        if (b->kind == OBB) return ASK("judge", cd_sweep_aabb_obb(a->aabb, motion, &b->obb, o, hit));
        if (b->kind == TRIANGLE)
            return ASK("judge", cd_sweep_aabb_triangle(a->aabb, motion, &b->triangle, o, hit));
        if (b->kind == SPHERE) return ASK("judge", cd_sweep_aabb_sphere(a->aabb, motion, b->sphere, o, hit));
        if (b->kind == CAPSULE)
            return ASK("judge", cd_sweep_aabb_capsule(a->aabb, motion, &b->capsule, o, hit));
        return ASK("judge", cd_sweep_aabb_polygon(a->aabb, motion, b->polygon, (size_t)b->count, o, hit));
    }
    if (b->kind == AABB) return ASK("judge", cd_sweep_obb_aabb(&a->obb, motion, b->aabb, o, hit));
    if (b->kind == OBB) return ASK("judge", cd_sweep_obb_obb(&a->obb, motion, &b->obb, o, hit));
    if (b->kind == TRIANGLE)
        return ASK("judge", cd_sweep_obb_triangle(&a->obb, motion, &b->triangle, o, hit));
    if (b->kind == SPHERE) return ASK("judge", cd_sweep_obb_sphere(&a->obb, motion, b->sphere, o, hit));
    if (b->kind == CAPSULE) return ASK("judge", cd_sweep_obb_capsule(&a->obb, motion, &b->capsule, o, hit));
    return ASK("judge", cd_sweep_obb_polygon(&a->obb, motion, b->polygon, (size_t)b->count, o, hit));
}

static void note_thing(const char *name, const thing *x) {
    if (x->kind == AABB) test_note_reals(name, REALS(x->aabb), 6);
    if (x->kind == OBB) test_note_reals(name, REALS(x->obb), 15);
    if (x->kind == TRIANGLE) test_note_reals(name, REALS(x->triangle), 9);
    if (x->kind == SPHERE) test_note_reals(name, REALS(x->sphere), 4);
    if (x->kind == CAPSULE) test_note_reals(name, REALS(x->capsule), 7);
    if (x->kind == POLYGON) test_note_reals(name, REALS(x->polygon), 3 * x->count);
}

static bool judge(const thing *a, cd_vec3 motion, const thing *b) {
    sweep_body body = body_of_thing(a), target = body_of_thing(b);
    cd_hit hit;
    bool got;
    memset(&hit, 0, sizeof hit);
    test_note("%d to %d ", a->kind, b->kind);
    note_thing("a", a);
    test_note_reals("motion", REALS(motion), 3);
    note_thing("b", b);
    got = sweep_to(a, motion, b, NULL, &hit);
    CHECK_INT(got, sweep_to(a, motion, b, NULL, NULL));
    sweep_judge(&body, motion, &target, got, &hit);
    return got;
}

/* ---- drawing them ---- */

/* A convex polygon in a plane across an axis: exact wherever the numbers are. */
static void draw_polygon(gen *g, thing *x) {
    static const int around[8][2] = {{2, 1}, {1, 2}, {-1, 2}, {-2, 1}, {-2, -1}, {-1, -2}, {1, -2}, {2, -1}};
    cd_vec3 at = gen_point(g);
    cd_real size = gen_length(g);
    int axis = test_int(g->rng, 0, 2), skip = test_int(g->rng, 0, 6);
    x->count = 0;
    for (int i = 0; i < 8; ++i) {
        cd_vec3 p = at;
        if (i > 0 && test_int(g->rng, 0, 7) < skip) continue;
        REALS(p)[(axis + 1) % 3] += size * (cd_real)around[i][0];
        REALS(p)[(axis + 2) % 3] += size * (cd_real)around[i][1];
        x->polygon[x->count++] = p;
    }
}

static thing draw(gen *g, int kind) {
    thing x;
    memset(&x, 0, sizeof x);
    x.kind = kind;
    if (kind == AABB) x.aabb = gen_aabb(g);
    if (kind == OBB) x.obb = gen_obb(g);
    if (kind == TRIANGLE) x.triangle = gen_triangle(g);
    if (kind == POLYGON) draw_polygon(g, &x);
    x.sphere = gen_sphere(g);
    x.capsule.a = x.sphere.center;
    x.capsule.b = test_int(g->rng, 0, 9) ? gen_point(g) : x.capsule.a;
    x.capsule.radius = x.sphere.radius;
    if (kind == OBB && !test_int(g->rng, 0, 3)) REALS(x.obb.half)[test_int(g->rng, 0, 2)] = 0;
    if (kind == TRIANGLE && !test_int(g->rng, 0, 9)) x.triangle.c = x.triangle.b;
    if (kind == TRIANGLE && !test_int(g->rng, 0, 19)) x.triangle.b = x.triangle.c = x.triangle.a;
    return x;
}

static cd_vec3 draw_motion(gen *g) {
    cd_vec3 m = gen_direction(g);
    double by = test_int(g->rng, 0, 2) ? 1 : test_range(g->rng, 0, 8);
    if (!test_int(g->rng, 0, 3)) REALS(m)[test_int(g->rng, 0, 2)] = 0;
    if (!test_int(g->rng, 0, 19)) m = cd_vec3_make(0, 0, 0);
    return cd_vec3_scale(m, (cd_real)by);
}

static void every_pair_as_the_reference_has_it(void) {
    test_rng rng = test_random();
    long hits = 0, times = test_times(6000);
    for (long i = 0; i < times; ++i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        thing a = draw(&g, test_int(&rng, AABB, OBB)), b = draw(&g, test_int(&rng, AABB, CAPSULE));
        hits += judge(&a, draw_motion(&g), &b);
    }
    CHECK_SEEN(hits > times / 5 && hits < times - times / 10);
}

/* ---- targets large and small, boxes nearly parallel, things that graze ---- */

static cd_obb turned_box(cd_vec3 center, cd_vec3 half, cd_quat q) {
    cd_obb b;
    b.center = center;
    b.half = half;
    b.axes = cd_quat_to_mat3(cd_quat_normalize(q));
    return b;
}

static cd_vec3 any_point(test_rng *rng, double size) {
    cd_vec3 p;
    for (int k = 0; k < 3; ++k) REALS(p)[k] = (cd_real)test_range(rng, -size, size);
    return p;
}

static cd_vec3 any_half(test_rng *rng, double size) {
    cd_vec3 p;
    for (int k = 0; k < 3; ++k) REALS(p)[k] = (cd_real)test_range(rng, size / 8, size);
    return p;
}

static thing any_box(test_rng *rng, cd_vec3 center, cd_vec3 half) {
    thing x;
    memset(&x, 0, sizeof x);
    x.kind = test_int(rng, AABB, OBB);
    x.aabb.min = cd_vec3_sub(center, half);
    x.aabb.max = cd_vec3_add(center, half);
    x.obb = turned_box(center, half, gen_quat(rng));
    return x;
}

/* A known bug elsewhere: 139 mm at 500 m. The excess may only grow with the coordinates. */
static void large_targets(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        double size = pow(10, test_range(&rng, -1, 4));
        thing a = any_box(&rng, any_point(&rng, size * 2), any_half(&rng, 0.5));
        thing b = any_box(&rng, any_point(&rng, size / 8), any_half(&rng, size));
        cd_vec3 to = cd_vec3_sub(any_point(&rng, size / 2), a.obb.center);
        judge(&a, cd_vec3_scale(to, (cd_real)test_range(&rng, 0.5, 2)), &b);
    }
}

/* Long edges at an angle of almost nothing, one box standing on its edge above the other. */
static void nearly_parallel_boxes(void) {
    test_rng rng = test_random();
    for (long i = test_times(1500); i > 0; --i) {
        double turn = pow(10, -test_range(&rng, 1, 14));
        cd_quat on_edge = cd_quat_from_axis_angle(cd_vec3_make(1, 0, 0), (cd_real)0.7853981633974483);
        cd_quat aside = cd_quat_from_axis_angle(any_point(&rng, 1), (cd_real)turn);
        cd_vec3 half = cd_vec3_make(4, (cd_real)test_range(&rng, 0.1, 1), (cd_real)test_range(&rng, 0, 1));
        thing a, b;
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        a.kind = b.kind = OBB;
        b.obb = turned_box(any_point(&rng, 0.01), half, test_int(&rng, 0, 1) ? on_edge : cd_quat_identity());
        a.obb = b.obb;
        a.obb.axes = cd_quat_to_mat3(cd_quat_mul(aside, test_int(&rng, 0, 1) ? on_edge : cd_quat_identity()));
        a.obb.center = cd_vec3_add(a.obb.center, cd_vec3_make((cd_real)test_range(&rng, -5, 5), 0, 5));
        judge(&a, cd_vec3_make((cd_real)test_range(&rng, -0.1, 0.1), 0, -8), &b);
    }
}

/* Whole numbers: they pass each other touching faces, edges and corners, or one unit in the last place beside. */
static void grazing(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_GRID : GEN_ULP);
        thing a = draw(&g, AABB), b = draw(&g, test_int(&rng, AABB, POLYGON));
        cd_vec3 m = cd_vec3_make(0, 0, 0);
        REALS(m)[test_int(&rng, 0, 2)] = (cd_real)test_int(&rng, -6, 6);
        REALS(m)[test_int(&rng, 0, 2)] = (cd_real)test_int(&rng, -6, 6);
        judge(&a, m, &b);
    }
}

/* Corners all but in a line: of the normal nothing is left but rounding. */
static void needles(void) {
    test_rng rng = test_random();
    for (long i = test_times(1500); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        thing a = draw(&g, test_int(&rng, AABB, OBB)), b = draw(&g, TRIANGLE);
        cd_vec3 along = cd_vec3_sub(b.triangle.c, b.triangle.a);
        b.triangle.b =
            cd_vec3_add(b.triangle.a, cd_vec3_scale(along, (cd_real)test_int(&rng, 0, 8) / (cd_real)7));
        judge(&a, draw_motion(&g), &b);
    }
}

static bool judge_of(const cd_obb *box, cd_vec3 motion, const cd_triangle *t) {
    thing a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.kind = OBB;
    a.obb = *box;
    b.kind = TRIANGLE;
    b.triangle = *t;
    return judge(&a, motion, &b);
}

/* A needle no wider than rounding: its weights are those of the contact all the same. */
static void weights_of_a_needle(void) {
    cd_obb box = {{(cd_real)-0x1.000004p+1, (cd_real)-0x1.fffffcp-1, -1},
                  {{{(cd_real)-0x1.019634p-1, (cd_real)0x1.ba126p-1, (cd_real)0x1.31f17cp-5},
                    {(cd_real)0x1.ba02c8p-1, (cd_real)0x1.000bd2p-1, (cd_real)0x1.165dfap-4},
                    {(cd_real)0x1.47b26cp-5, (cd_real)0x1.101b66p-4, (cd_real)-0x1.fe755p-1}}},
                  {0, 2, 1}};
    cd_triangle needle = {{(cd_real)-0x1.000004p+0, 2, 0},
                          {(cd_real)-0x1.db6db8p+0, (cd_real)-0x1.6db6dcp+0, 0},
                          {-2, (cd_real)-0x1.fffffep+0, 0}};
    CHECK(judge_of(&box, cd_vec3_make(-2, 0, -2), &needle));
}

/* Well inside of a needle that is narrower than doubles are beside its length, but not where the contact is. */
static void weights_within_a_needle(void) {
    cd_obb box = {{(cd_real)-0x1.f17a48p-8, (cd_real)0x1.7827ccp-12, (cd_real)0x1.d0dd5cp-48},
                  {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                  {(cd_real)0x1.e27c28p+46, (cd_real)0x1.17766ap+27, (cd_real)0x1.7679f2p-11}};
    cd_triangle needle = {{(cd_real)-0x1.ef130cp+33, (cd_real)-0x1.5679bep+20, (cd_real)0x1.55cdaep+0},
                          {0, (cd_real)-0x1.ac42eep+36, 0},
                          {(cd_real)0x1.e4152ap+0, (cd_real)-0x1.ac42eep+36, (cd_real)0x1.e5a544p-29}};
    cd_vec3 motion = {(cd_real)0x1.69bc62p-6, (cd_real)0x1.faf4c8p-13, (cd_real)0x1.6351d8p+10};
    CHECK(judge_of(&box, motion, &needle));
}

/* ---- many triangles ---- */

typedef struct kept {
    uint32_t residue;
    long asked;
} kept;

static bool keep_some(void *user, uint32_t index) {
    kept *k = (kept *)user;
    ++k->asked;
    return index % 3 != k->residue;
}

static bool sweep_to_all(const thing *a, cd_vec3 m, const cd_triangle *t, size_t count,
                         const cd_cast_options *o, cd_hit *hit) {
    return a->kind == AABB ? ASK("loop", cd_sweep_aabb_triangles(a->aabb, m, t, count, o, hit))
                           : ASK("loop", cd_sweep_obb_triangles(&a->obb, m, t, count, o, hit));
}

static bool same_hit(const cd_hit *a, const cd_hit *b) {
    return a->t == b->t && memcmp(&a->point, &b->point, sizeof a->point) == 0 &&
           memcmp(&a->normal, &b->normal, sizeof a->normal) == 0 && a->depth == b->depth && a->u == b->u &&
           a->v == b->v && a->feature == b->feature && a->flags == b->flags;
}

/* `all`: what the sweep at all of them said; each is asked by itself. */
static void judge_all(const thing *a, cd_vec3 m, const cd_triangle *t, uint32_t count,
                      const cd_cast_options *o, bool got, const cd_hit *all) {
    uint32_t residue = ((const kept *)o->user)->residue, best = CD_NONE;
    cd_real least = 2;
    cd_hit one;
    for (uint32_t k = 0; k < count; ++k) {
        thing b;
        memset(&b, 0, sizeof b);
        b.kind = TRIANGLE;
        b.triangle = t[k];
        if (k % 3 == residue || !sweep_to(a, m, &b, o, &one)) continue;
        CHECK(got && all->t <= one.t);
        if (got && k == all->index) CHECK(same_hit(all, &one));
        if (best == CD_NONE || one.t < least) best = k, least = one.t;
    }
    CHECK(got == (best != CD_NONE));
    /* of equal ones when rounded, another may be the first */
    if (got) CHECK(all->t == least && all->index >= best && all->index < count);
}

static void many_triangles_are_one_after_another(void) {
    enum { MANY = 16 };
    test_rng rng = test_random();
    long hits = 0, times = test_times(1500);
    for (long i = 0; i < times; ++i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        thing a = draw(&g, test_int(&rng, AABB, OBB));
        cd_vec3 m = draw_motion(&g);
        cd_triangle t[MANY];
        kept some = {3, 0};
        cd_cast_options o;
        cd_hit hit;
        bool got;
        memset(&o, 0, sizeof o);
        memset(&hit, 0, sizeof hit);
        for (int k = 0; k < MANY; ++k) t[k] = k % 4 == 3 ? t[k - 1] : draw(&g, TRIANGLE).triangle;
        if (i % 3 == 0) some.residue = (uint32_t)test_int(&rng, 0, 2);
        o.filter = keep_some;
        o.user = &some;
        o.flags = i % 2 ? CD_CAST_START_IGNORE : i % 4 ? CD_CAST_START_LEAVING : 0;
        o.t_min = i % 5 ? 0 : (cd_real)test_range(&rng, 0, 1);
        got = sweep_to_all(&a, m, t, MANY, &o, &hit);
        CHECK(some.asked <= MANY && got == sweep_to_all(&a, m, t, MANY, &o, NULL));
        judge_all(&a, m, t, MANY, &o, got, &hit);
        CHECK(!sweep_to_all(&a, m, NULL, 0, &o, &hit));
        hits += got;
    }
    CHECK_SEEN(hits > times / 5 && hits < times);
}

/* ---- contacts that are known ---- */

static cd_aabb box_at(double x, double y, double z, double half) {
    cd_aabb b;
    b.min = cd_vec3_make((cd_real)(x - half), (cd_real)(y - half), (cd_real)(z - half));
    b.max = cd_vec3_make((cd_real)(x + half), (cd_real)(y + half), (cd_real)(z + half));
    return b;
}

static cd_hit hit_of(bool got, cd_hit hit) {
    CHECK(got);
    if (!got) memset(&hit, 0, sizeof hit);
    return hit;
}

/* Some units in the last place of a float; of doubles, the excess. */
#define ALMOST (sizeof(cd_real) == 4 ? 4e-6 : 1e-10)

/* One that is not finite is passed over, the first of equal ones counts. */
static void the_first_of_many_equal_ones(void) {
    cd_triangle t[4] = {{{0, -8, -8}, {0, 8, -8}, {0, 0, 8}}};
    thing a;
    memset(&a, 0, sizeof a);
    a.aabb = box_at(-5, 0, 0, 1);
    a.obb = cd_obb_from_aabb(a.aabb);
    for (int i = 1; i < 4; ++i) t[i] = t[0];
    t[0].b.z = (cd_real)NAN;
    for (a.kind = AABB; a.kind <= OBB; ++a.kind) {
        cd_hit h;
        bool got;
        memset(&h, 0, sizeof h);
        got = sweep_to_all(&a, cd_vec3_make(8, 0, 0), t, 4, NULL, &h);
        CHECK(got && h.index == 1);
        CHECK_NEAR(h.t, 0.5, ALMOST);
        CHECK(!sweep_to_all(&a, cd_vec3_make(8, 0, 0), t, 1, NULL, &h));
        CHECK(!sweep_to_all(&a, cd_vec3_make((cd_real)INFINITY, 0, 0), t, 4, NULL, &h) && h.index == 1);
    }
}

static void check_hit(cd_hit h, double t, cd_vec3 point, cd_vec3 normal, uint32_t feature) {
    CHECK_NEAR(h.t, t, ALMOST);
    CHECK_VEC(h.point, point, ALMOST);
    CHECK_VEC(h.normal, normal, ALMOST);
    CHECK_INT(h.feature, feature);
}

static void faces(void) {
    cd_aabb a = box_at(-5, 0.5, 0, 1), b = box_at(0, 0, 0, 1);
    cd_obb oa = cd_obb_from_aabb(a), ob = cd_obb_from_aabb(b);
    cd_triangle t = {{0, -8, -8}, {0, 8, -8}, {0, 0, 8}};
    cd_vec3 m = cd_vec3_make(6, 0, 0), point = cd_vec3_make(-1, (cd_real)0.25, 0),
            normal = cd_vec3_make(-1, 0, 0);
    cd_hit h;
    bool got = cd_sweep_aabb_aabb(a, m, b, NULL, &h);
    check_hit(hit_of(got, h), 0.5, point, normal, CD_FEATURE(3u, 0u));
    got = cd_sweep_obb_obb(&oa, m, &ob, NULL, &h);
    check_hit(hit_of(got, h), 0.5, point, normal, CD_FEATURE(3u, 0u));
    got = cd_sweep_aabb_triangle(a, m, &t, NULL, &h);
    check_hit(hit_of(got, h), 4.0 / 6, cd_vec3_make(0, (cd_real)0.5, 0), normal, CD_FEATURE(3u, 0u));
    CHECK_NEAR(h.u, (0.5 + 4) / 16, ALMOST);
    CHECK_NEAR(h.v, 0.5, ALMOST);
    CHECK_INT(h.flags, (uint32_t)CD_HIT_BACK);
    got = cd_sweep_aabb_triangle(box_at(5, 0, 0, 1), cd_vec3_neg(m), &t, NULL, &h);
    check_hit(hit_of(got, h), 4.0 / 6, cd_vec3_make(0, 0, 0), cd_vec3_make(1, 0, 0), CD_FEATURE(3u, 0u));
    CHECK_INT(h.flags, 0);
}

static void corners_and_edges(void) {
    cd_real r = (cd_real)0.70710678118654752, s = (cd_real)0.57735026918962576;
    cd_quat about_z = cd_quat_from_axis_angle(cd_vec3_make(0, 0, 1), (cd_real)0.78539816339744831);
    cd_quat about_x = cd_quat_from_axis_angle(cd_vec3_make(1, 0, 0), (cd_real)0.78539816339744831);
    cd_quat onto = cd_quat_from_to(cd_vec3_make(s, s, s), cd_vec3_make(0, 0, 1));
    cd_vec3 one = cd_vec3_make(1, 1, 1), up = cd_vec3_make(0, 0, 1);
    cd_obb flat = turned_box(cd_vec3_make(0, 0, 0), one, cd_quat_identity());
    cd_obb edge = turned_box(cd_vec3_make(0, 0, 0), one, about_x);
    cd_obb other =
        turned_box(cd_vec3_make((cd_real)0.25, (cd_real)0.25, 6), one, cd_quat_mul(about_z, about_x));
    cd_obb corner = turned_box(cd_vec3_make((cd_real)0.25, (cd_real)-0.5, 6), one, onto);
    cd_obb below = corner;
    cd_vec3 m = cd_vec3_make(0, 0, -8);
    cd_hit h;
    bool got = cd_sweep_obb_obb(&corner, m, &flat, NULL, &h);
    check_hit(hit_of(got, h), (5 - 3 * (double)s) / 8, cd_vec3_make((cd_real)0.25, (cd_real)-0.5, 1), up,
              CD_FEATURE(3u, 5u));
    got = cd_sweep_obb_obb(&other, m, &edge, NULL, &h); /* the edges along (1, 0, 0) and (1, 1, 0) */
    check_hit(hit_of(got, h), (6 - 4 * (double)r) / 8, cd_vec3_make(0, 0, 2 * r), up, CD_FEATURE(2u, 3u));
    got = cd_sweep_obb_obb(&edge, cd_vec3_make(0, 0, 8), &corner, NULL, &h); /* an edge, up to a corner */
    CHECK(got);
    below.center = cd_vec3_make((cd_real)0.25, (cd_real)-0.5, -6);
    got = cd_sweep_aabb_obb(box_at(0, 0, 0, 1), m, &below, NULL, &h);
    check_hit(hit_of(got, h), (5 - 3 * (double)s) / 8, cd_vec3_make((cd_real)0.25, (cd_real)-0.5, -6 + 3 * s),
              up, CD_FEATURE(1u, 7u));
}

/* Faces on faces: whatever is rounded, the normal is not one across two edges. */
static void no_edges_where_faces_meet(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        cd_obb b = turned_box(any_point(&rng, 10), any_half(&rng, 4), gen_quat(&rng)), a = b;
        int axis = test_int(&rng, 0, 2);
        cd_vec3 n = b.axes.col[axis], m;
        cd_hit h;
        bool got;
        a.half = any_half(&rng, 4);
        a.center = cd_vec3_add(b.center, cd_vec3_scale(n, 10));
        m = cd_vec3_add(cd_vec3_scale(n, -10), any_point(&rng, 0.1));
        got = cd_sweep_obb_obb(&a, m, &b, NULL, &h);
        h = hit_of(got, h);
        CHECK_VEC(h.normal, n, ALMOST);
        CHECK_INT(h.feature, CD_FEATURE(3u, 2u * (uint32_t)axis + 1u));
    }
}

/* The polygon's features are its own: no diagonals. */
static void polygons(void) {
    cd_vec3 p[6] = {{2, 0, 0}, {1, 2, 0}, {-1, 2, 0}, {-2, 0, 0}, {-1, -2, 0}, {1, -2, 0}};
    cd_vec3 m = cd_vec3_make(0, 0, -8);
    cd_hit h;
    bool got = cd_sweep_aabb_polygon(box_at(0, 0, 5, 1), m, p, 6, NULL, &h);
    CHECK_INT(hit_of(got, h).feature, CD_FEATURE(3u, 0u));
    CHECK_NEAR(h.t, 0.5, ALMOST);
    for (int i = 0; i < 6; ++i) { /* in its plane, toward each edge; each corner by a point */
        cd_vec3 q = p[i], r = p[(i + 1) % 6], out = cd_vec3_make(r.y - q.y, q.x - r.x, 0);
        cd_vec3 middle = cd_vec3_scale(cd_vec3_add(q, r), (cd_real)0.5);
        cd_aabb a;
        a.min = a.max = cd_vec3_add(middle, out);
        got = cd_sweep_aabb_polygon(a, cd_vec3_scale(out, -2), p, 6, NULL, &h);
        CHECK_INT(hit_of(got, h).feature, CD_FEATURE(2u, (uint32_t)i));
        CHECK_VEC(h.point, middle, ALMOST);
        CHECK_NEAR(h.t, 0.5, ALMOST);
        a = box_at((double)q.x, (double)q.y, 0, 0);
        a.min.z = a.max.z = 4;
        CHECK(cd_sweep_aabb_polygon(a, m, p, 6, NULL, &h));
        CHECK_VEC(h.point, q, ALMOST);
    }
    CHECK(!cd_sweep_aabb_polygon(box_at(0, 0, 5, 1), m, p, 0, NULL, &h));
    CHECK(!cd_sweep_aabb_polygon(box_at(0, 0, 5, 1), m, p, SIZE_MAX, NULL, &h));
    got = cd_sweep_aabb_polygon(box_at(2, 0, 5, 1), m, p, 1, NULL, &h);
    CHECK_INT(hit_of(got, h).feature, CD_FEATURE(1u, 0u));
    got = cd_sweep_aabb_polygon(box_at(1.5, 1, 5, 0.25), m, p, 2, NULL, &h);
    CHECK_INT(hit_of(got, h).feature, CD_FEATURE(2u, 0u));
}

/* ---- starts ---- */

/* The depth ends the overlap: moved by it and a trifle along the normal, they do not meet, nor earlier by much. */
static void depths_end_overlaps(void) {
    test_rng rng = test_random();
    cd_cast_options o;
    memset(&o, 0, sizeof o);
    o.flags = (uint32_t)CD_CAST_START_DEPTH;
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        thing a = draw(&g, test_int(&rng, AABB, OBB)), b = draw(&g, test_int(&rng, AABB, POLYGON));
        sweep_body from = body_of_thing(&a), to = body_of_thing(&b);
        cd_vec3 m = draw_motion(&g);
        double out[3], motion[3], excess, rounding;
        cd_hit h;
        test_note("%d to %d ", a.kind, b.kind);
        note_thing("a", &a);
        note_thing("b", &b);
        test_note_reals("motion", REALS(m), 3);
        if (!sweep_to(&a, m, &b, &o, &h) || !(h.flags & CD_HIT_START)) continue;
        to_doubles(REALS(m), motion, 3);
        excess = sweep_excess(&from, motion, &to);
        rounding = 4 * (double)CD_REAL_EPSILON * ((double)h.depth + excess);
        for (int k = 0; k < 3; ++k)
            out[k] = ((double)h.depth + excess + rounding) * (double)REALS(h.normal)[k];
        CHECK(h.depth >= 0);
        CHECK(sweep_distance(&from, out, &to) > 0 || excess == 0);
        CHECK_NEAR(cd_vec3_length(h.normal), 1, 4 * CD_REAL_EPSILON);
    }
}

static void starts_by_the_options(void) {
    cd_aabb b = box_at(0, 0, 0, 2), in = box_at(1.5, 0, 0, 1), on = box_at(3, 0, 0, 1), off = on;
    cd_vec3 left = cd_vec3_make(-1, 0, 0), right = cd_vec3_make(1, 0, 0), along = cd_vec3_make(0, 1, 0);
    cd_cast_options leaving, depth, ignore, front;
    cd_hit h;
    memset(&leaving, 0, sizeof leaving);
    depth = ignore = front = leaving;
    leaving.flags = (uint32_t)CD_CAST_START_LEAVING;
    depth.flags = (uint32_t)CD_CAST_START_DEPTH;
    ignore.flags = (uint32_t)CD_CAST_START_IGNORE;
    front.flags = (uint32_t)CD_CAST_CULL_FRONT;
    off.min.x = (cd_real)(2 + 2 * ALMOST);
    CHECK(cd_sweep_aabb_aabb(in, right, b, &depth, &h) && h.t == 0);
    CHECK_NEAR(h.depth, 1.5, ALMOST);
    CHECK_VEC(h.normal, right, ALMOST);
    CHECK(cd_sweep_aabb_aabb(in, left, b, NULL, &h) && (h.flags & CD_HIT_START) && h.depth == 0);
    CHECK_VEC(h.normal, right, ALMOST);
    CHECK(cd_sweep_aabb_aabb(on, along, b, NULL, &h) && (h.flags & CD_HIT_START));
    CHECK(!cd_sweep_aabb_aabb(on, along, b, &leaving, &h) && !cd_sweep_aabb_aabb(on, right, b, &leaving, &h));
    CHECK(cd_sweep_aabb_aabb(on, left, b, &leaving, &h) && (h.flags & CD_HIT_START));
    CHECK(!cd_sweep_aabb_aabb(on, left, b, &ignore, &h) && !cd_sweep_aabb_aabb(in, left, b, &ignore, &h));
    CHECK(!cd_sweep_aabb_aabb(box_at(9, 0, 0, 1), cd_vec3_make(-9, 0, 0), b, &front, &h));
    CHECK(!cd_sweep_aabb_aabb(off, along, b, NULL, &h));
    CHECK(cd_sweep_aabb_aabb(off, left, b, NULL, &h) && !(h.flags & CD_HIT_START) && h.t > 0);
}

/* Sliding on a floor of triangles: what rests on it is not held by it, along it, and is, down into it. */
static void resting_boxes_slide(void) {
    test_rng rng = test_random();
    cd_cast_options o;
    memset(&o, 0, sizeof o);
    o.flags = (uint32_t)CD_CAST_START_LEAVING;
    for (long i = test_times(500); i > 0; --i) {
        cd_aabb a = box_at(0, 0, 1, 1);
        cd_triangle t = {{-9, -9, 0}, {9, -9, 0}, {0, 9, 0}};
        cd_vec3 m = any_point(&rng, 2);
        cd_hit h;
        m.z = test_int(&rng, 0, 1) ? 0 : (cd_real)fabs((double)m.z);
        CHECK(!cd_sweep_aabb_triangle(a, m, &t, &o, &h));
        m.z = (cd_real)-0.01;
        CHECK(cd_sweep_aabb_triangle(a, m, &t, &o, &h) && h.t == 0);
    }
}

/* t_min moves the start. */
static void later_starts(void) {
    test_rng rng = test_random();
    for (long i = test_times(1000); i > 0; --i) {
        thing a = any_box(&rng, any_point(&rng, 4), any_half(&rng, 1));
        thing b = any_box(&rng, any_point(&rng, 1), any_half(&rng, 1));
        cd_vec3 m = any_point(&rng, 8);
        cd_cast_options o;
        cd_hit h, late;
        bool got = sweep_to(&a, m, &b, NULL, &h);
        memset(&o, 0, sizeof o);
        o.t_min = (cd_real)test_range(&rng, 0, 1);
        if (!got) CHECK(!sweep_to(&a, m, &b, &o, &late));
        if (!got || (h.flags & CD_HIT_START) || fabs((double)h.t - (double)o.t_min) < 1e-5) continue;
        got = sweep_to(&a, m, &b, &o, &late);
        if (h.t > o.t_min) CHECK(got && fabs((double)h.t - (double)late.t) <= ALMOST);
        if (h.t < o.t_min && got) CHECK((late.flags & CD_HIT_START) && late.t == o.t_min);
    }
}

/* ---- the book, and bad input ---- */

/* Erratum: IntersectMovingAABBAABB as printed only looks at axes along which the boxes move, and so has boxes meet that pass each
 * other at any distance. */
static void boxes_that_pass_by(void) {
    cd_aabb b = box_at(0, 0, 0, 1);
    cd_hit h;
    CHECK(!cd_sweep_aabb_aabb(box_at(-5, 5, 0, 1), cd_vec3_make(10, 0, 0), b, NULL, &h));
    CHECK(!cd_sweep_aabb_aabb(box_at(5, 0, 5, 1), cd_vec3_make(-10, 0, 0), b, NULL, &h));
    CHECK(!cd_sweep_aabb_aabb(box_at(5, 0, 0, 1), cd_vec3_make(0, 0, 0), b, NULL, &h));
    CHECK(cd_sweep_aabb_aabb(box_at(-5, 2, 0, 1), cd_vec3_make(10, 0, 0), b, NULL, &h));
    CHECK_NEAR(h.t, 0.3, ALMOST);
}

/* A corner that two triangles of the fan share, and a polygon that is all in one line: what parts the first triangle met leads into the
 * others. */
static void polygons_met_where_triangles_meet(void) {
    static const double across[5][3] = {{-4, -2, -2}, {0, -2, -2}, {0, 1, -2}, {-4, 2, -2}, {-5, 1, -2}};
    static const double level[5][3] = {
        {-100, -300, 0}, {-100, -300, 0}, {-100, 0, 0}, {-100, 100, 0}, {-100, 0, 0}};
    thing a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.kind = OBB;
    b.kind = POLYGON;
    b.count = 5;
    for (int i = 0; i < 5; ++i)
        b.polygon[i] = cd_vec3_make((cd_real)across[i][0], (cd_real)across[i][1], (cd_real)across[i][2]);
    a.obb.center = cd_vec3_make(1, 2, -2);
    a.obb.half = cd_vec3_make(0, 0, 2);
    a.obb.axes.col[0] =
        cd_vec3_make((cd_real)-0x1.b54cf2p-1, (cd_real)0x1.efbeaep-4, (cd_real)-0x1.02fba2p-1);
    a.obb.axes.col[1] = cd_vec3_make((cd_real)-0x1.04a956p-1, (cd_real)0x1.20fbp-8, (cd_real)0x1.b8acdp-1);
    a.obb.axes.col[2] = cd_vec3_make((cd_real)0x1.b3d1f8p-4, (cd_real)0x1.fc3b2ap-1, (cd_real)0x1.d9eb6p-5);
    CHECK(judge(&a, cd_vec3_make(-1, -1, 0), &b));
    for (int i = 0; i < 5; ++i)
        b.polygon[i] = cd_vec3_make((cd_real)level[i][0], (cd_real)level[i][1], (cd_real)level[i][2]);
    a.obb.center = cd_vec3_make(-1, 0, 0);
    a.obb.half = cd_vec3_make(0, 1, 0);
    a.obb.axes.col[0] = cd_vec3_make((cd_real)0x1.b5b474p-1, (cd_real)0x1.f75464p-2, (cd_real)0x1.53f556p-3);
    a.obb.axes.col[1] = cd_vec3_make((cd_real)0x1.40a86ap-2, (cd_real)-0x1.7cea5ep-1, (cd_real)0x1.2e3a78p-1);
    a.obb.axes.col[2] = cd_vec3_make((cd_real)0x1.a7921cp-2, (cd_real)-0x1.cf849p-2, (cd_real)-0x1.9472dep-1);
    CHECK(judge(&a, cd_vec3_make(-1000, 0, 0), &b));
}

static void bad_input(void) {
    test_rng rng = test_random();
    cd_hit h, was;
    memset(&h, 7, sizeof h);
    was = h;
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        thing a = draw(&g, test_int(&rng, AABB, OBB)), b = draw(&g, test_int(&rng, AABB, POLYGON));
        cd_vec3 m = gen_direction(&g);
        cd_hit out = was;
        cd_real bad = (cd_real)gen_bad_numbers[test_int(&rng, 0, gen_bad_count - 1)];
        bool finite = isfinite((double)bad);
        int place = test_int(&rng, 0, 2), k = test_int(&rng, 0, 2);
        thing *x = place == 0 ? &a : &b;
        if (place == 2) REALS(m)[k] = bad;
        if (place != 2 && x->kind == AABB) REALS(x->aabb)[k] = bad;
        if (place != 2 && x->kind == OBB) REALS(x->obb)[test_int(&rng, 0, 14)] = bad;
        if (place != 2 && x->kind == TRIANGLE) REALS(x->triangle)[k] = bad;
        if (place != 2 && x->kind == POLYGON) REALS(x->polygon)[k] = bad;
        if (sweep_to(&a, m, &b, NULL, &out)) {
            CHECK(finite && isfinite((double)out.point.x) && isfinite((double)out.normal.x) && out.t >= 0 &&
                  out.t <= 1);
        } else {
            CHECK(memcmp(&out.t, &was.t, sizeof out.t) == 0 && out.feature == was.feature);
        }
    }
}

/* Any bits at all. */
static void any_numbers(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        thing a = draw(&g, AABB), b = draw(&g, test_int(&rng, AABB, POLYGON));
        cd_vec3 m;
        cd_hit h;
        for (int k = 0; k < 3; ++k) {
            cd_real x = gen_any_real(&rng), y = gen_any_real(&rng);
            REALS(a.aabb.min)[k] = x < y ? x : y;
            REALS(a.aabb.max)[k] = x < y ? y : x;
            REALS(m)[k] = gen_any_real(&rng);
            x = gen_any_real(&rng);
            y = gen_any_real(&rng);
            REALS(b.aabb.min)[k] = x < y ? x : y;
            REALS(b.aabb.max)[k] = x < y ? y : x;
            REALS(b.obb.center)[k] = gen_any_real(&rng);
            REALS(b.obb.half)[k] = (cd_real)fabs((double)gen_any_real(&rng));
            REALS(b.triangle.a)[k] = gen_any_real(&rng);
            REALS(b.triangle.b)[k] = gen_any_real(&rng);
            REALS(b.triangle.c)[k] = gen_any_real(&rng);
        }
        if (sweep_to(&a, m, &b, NULL, &h)) {
            CHECK(h.t >= 0 && h.t <= 1 && isfinite((double)h.point.x));
            CHECK_NEAR(cd_vec3_length(h.normal), 1, 4 * CD_REAL_EPSILON);
        }
    }
}

void suite_sweep_box(void) {
    RUN(every_pair_as_the_reference_has_it);
    RUN(large_targets);
    RUN(nearly_parallel_boxes);
    RUN(grazing);
    RUN(needles);
    RUN(weights_of_a_needle);
    RUN(weights_within_a_needle);
    RUN(many_triangles_are_one_after_another);
    RUN(the_first_of_many_equal_ones);
    RUN(faces);
    RUN(corners_and_edges);
    RUN(no_edges_where_faces_meet);
    RUN(polygons);
    RUN(polygons_met_where_triangles_meet);
    RUN(depths_end_overlaps);
    RUN(starts_by_the_options);
    RUN(resting_boxes_slide);
    RUN(later_starts);
    RUN(boxes_that_pass_by);
    RUN(bad_input);
    RUN(any_numbers);
}
