/* Moving capsules: judged by the reference for sweeps on every kind of input; starts; the batch; degenerate capsules. */
#include "gen.h"
#include "sweeps.h"
#include <math.h>
#include <string.h>

enum { KIND_SPHERE, KIND_CAPSULE, KIND_TRIANGLE, KIND_POLYGON, KIND_AABB, KIND_OBB, KIND_COUNT };

/* Something at rest. */
typedef struct target {
    int kind, count;
    cd_sphere sphere;
    cd_capsule capsule;
    cd_triangle triangle;
    cd_vec3 polygon[6];
    cd_aabb aabb;
    cd_obb obb;
} target;

static bool sweep(const cd_capsule *c, cd_vec3 motion, const target *b, const cd_cast_options *options,
                  cd_hit *hit) {
    switch (b->kind) {
    case KIND_SPHERE: return ASK("judge", cd_sweep_capsule_sphere(c, motion, b->sphere, options, hit));
    case KIND_CAPSULE: return ASK("judge", cd_sweep_capsule_capsule(c, motion, &b->capsule, options, hit));
    case KIND_TRIANGLE: return ASK("judge", cd_sweep_capsule_triangle(c, motion, &b->triangle, options, hit));
    case KIND_POLYGON:
        return ASK("judge", cd_sweep_capsule_polygon(c, motion, b->polygon, (size_t)b->count, options, hit));
    case KIND_AABB: return ASK("judge", cd_sweep_capsule_aabb(c, motion, b->aabb, options, hit));
    default: return ASK("judge", cd_sweep_capsule_obb(c, motion, &b->obb, options, hit));
    }
}

static bool touches(const cd_capsule *c, const target *b) {
    switch (b->kind) {
    case KIND_SPHERE: return cd_test_sphere_capsule(b->sphere, c);
    case KIND_CAPSULE: return cd_test_capsule_capsule(c, &b->capsule);
    case KIND_TRIANGLE: return cd_test_capsule_triangle(c, &b->triangle);
    case KIND_POLYGON: return cd_test_polygon_capsule(b->polygon, (size_t)b->count, c);
    case KIND_AABB: return cd_test_capsule_aabb(c, b->aabb);
    default: return cd_test_capsule_obb(c, &b->obb);
    }
}

static sweep_body body_of(const target *b) {
    switch (b->kind) {
    case KIND_SPHERE: return sweep_of_sphere(b->sphere);
    case KIND_CAPSULE: return sweep_of_capsule(&b->capsule);
    case KIND_TRIANGLE: return sweep_of_triangle(&b->triangle);
    case KIND_POLYGON: return sweep_of_polygon(b->polygon, b->count);
    case KIND_AABB: return sweep_of_aabb(b->aabb);
    default: return sweep_of_obb(&b->obb);
    }
}

static void note_target(const cd_capsule *c, cd_vec3 motion, const target *b) {
    static const char *const names[] = {"sphere", "capsule", "triangle", "polygon", "aabb", "obb"};
    target t = *b;
    cd_capsule copy = *c;
    test_note("capsule against %s: ", names[b->kind]);
    test_note_reals("c", REALS(copy), 7);
    test_note_reals("motion", REALS(motion), 3);
    if (b->kind == KIND_SPHERE) test_note_reals("b", REALS(t.sphere), 4);
    if (b->kind == KIND_CAPSULE) test_note_reals("b", REALS(t.capsule), 7);
    if (b->kind == KIND_TRIANGLE) test_note_reals("b", REALS(t.triangle), 9);
    if (b->kind == KIND_POLYGON) test_note_reals("b", REALS(t.polygon), 3 * b->count);
    if (b->kind == KIND_AABB) test_note_reals("b", REALS(t.aabb), 6);
    if (b->kind == KIND_OBB) test_note_reals("b", REALS(t.obb), 15);
}

/* A convex polygon in a plane, without rounding: of a rectangle along two axes, or a triangle of the scene. */
static void draw_polygon(gen *g, target *b) {
    cd_aabb box = gen_aabb(g);
    cd_vec3 lo = box.min, hi = box.max;
    cd_triangle t = gen_triangle(g);
    b->count = test_int(g->rng, 1, 6);
    if (b->count <= 3) {
        b->polygon[0] = t.a;
        b->polygon[1] = t.b;
        b->polygon[2] = t.c;
        return;
    }
    b->polygon[0] = lo;
    b->polygon[1] = cd_vec3_make(hi.x, lo.y, lo.z);
    b->polygon[2] = cd_vec3_make(hi.x, hi.y, lo.z);
    b->polygon[3] = cd_vec3_make(lo.x, hi.y, lo.z);
    if (b->count > 4) b->polygon[4] = b->polygon[b->count == 5 ? 3 : 0]; /* corners that coincide */
    if (b->count > 5) {
        b->polygon[4] = b->polygon[3];
        b->polygon[3] = cd_vec3_make((cd_real)0.5 * lo.x + (cd_real)0.5 * hi.x, hi.y, lo.z);
        b->polygon[5] = lo;
    }
}

static cd_capsule draw_capsule(gen *g) {
    cd_segment s = gen_segment(g);
    cd_capsule c;
    c.a = s.a;
    c.b = test_int(g->rng, 0, 9) ? s.b : s.a;
    c.radius = test_int(g->rng, 0, 3) ? gen_length(g) : 0;
    if (test_int(g->rng, 0, 3) == 0) c.radius *= (cd_real)0.015625;
    if (test_int(g->rng, 0, 2) == 0) { /* along an axis */
        int axis = test_int(g->rng, 0, 2);
        if (axis != 0) c.b.x = c.a.x;
        if (axis != 1) c.b.y = c.a.y;
        if (axis != 2) c.b.z = c.a.z;
    }
    return c;
}

static target draw_target(gen *g, int kind) {
    target b;
    memset(&b, 0, sizeof b);
    b.kind = kind;
    if (kind == KIND_SPHERE) b.sphere = gen_sphere(g);
    if (kind == KIND_CAPSULE) b.capsule = draw_capsule(g);
    if (kind == KIND_TRIANGLE) b.triangle = gen_triangle(g);
    if (kind == KIND_POLYGON) draw_polygon(g, &b);
    if (kind == KIND_AABB) b.aabb = gen_aabb(g);
    if (kind == KIND_OBB) b.obb = gen_obb(g);
    if (kind == KIND_SPHERE && test_int(g->rng, 0, 4) == 0) b.sphere.radius = 0;
    if (kind == KIND_TRIANGLE && test_int(g->rng, 0, 9) == 0) b.triangle.c = b.triangle.b;
    return b;
}

static cd_vec3 draw_motion(gen *g) {
    cd_vec3 m = gen_direction(g);
    int kind = test_int(g->rng, 0, 19);
    if (kind == 0) return cd_vec3_make(0, 0, 0);
    if (kind < 10) m = cd_vec3_scale(m, 4);
    return m;
}

static void judge(const cd_capsule *c, cd_vec3 motion, const target *b) {
    sweep_body mover = sweep_of_capsule(c), still = body_of(b);
    cd_hit hit;
    bool got;
    memset(&hit, 0, sizeof hit);
    got = sweep(c, motion, b, NULL, &hit);
    CHECK(sweep(c, motion, b, NULL, NULL) == got);
    sweep_judge(&mover, motion, &still, got, &hit);
}

static void judge_kind(int kind, long n) {
    test_rng rng = test_random();
    for (long i = test_times(n); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_capsule c = draw_capsule(&g);
        target b = draw_target(&g, kind);
        cd_vec3 motion = draw_motion(&g);
        note_target(&c, motion, &b);
        judge(&c, motion, &b);
    }
}

static void spheres(void) {
    judge_kind(KIND_SPHERE, 1500);
}
static void capsules(void) {
    judge_kind(KIND_CAPSULE, 1500);
}
static void triangles(void) {
    judge_kind(KIND_TRIANGLE, 3000);
}
static void polygons(void) {
    judge_kind(KIND_POLYGON, 1500);
}
static void aabbs(void) {
    judge_kind(KIND_AABB, 2000);
}
static void obbs(void) {
    judge_kind(KIND_OBB, 2000);
}

/* ---- large targets, small capsules beside them ---- */

static cd_vec3 beside(test_rng *rng, cd_vec3 p, double by) {
    return cd_vec3_make((cd_real)((double)p.x + test_range(rng, -by, by)),
                        (cd_real)((double)p.y + test_range(rng, -by, by)),
                        (cd_real)((double)p.z + test_range(rng, -by, by)));
}

static void large_targets(void) {
    test_rng rng = test_random();
    long hits = 0;
    for (long i = test_times(2000); i > 0; --i) {
        double size = pow(10, test_int(&rng, 0, 4)), w[3], sum;
        gen g = gen_begin(&rng, GEN_UNIT);
        target b = draw_target(&g, KIND_TRIANGLE);
        cd_vec3 p, motion, zero = cd_vec3_make(0, 0, 0);
        cd_capsule c;
        cd_hit hit;
        for (int k = 0; k < 9; ++k) REALS(b.triangle)[k] *= (cd_real)size;
        for (int k = 0; k < 3; ++k) w[k] = test_int(&rng, 0, 3) ? test_unit(&rng) : 0.0;
        sum = w[0] + w[1] + w[2] > 0 ? w[0] + w[1] + w[2] : 1.0;
        p = cd_vec3_add(cd_vec3_scale(b.triangle.a, (cd_real)(w[0] / sum)),
                        cd_vec3_add(cd_vec3_scale(b.triangle.b, (cd_real)(w[1] / sum)),
                                    cd_vec3_scale(b.triangle.c, (cd_real)(w[2] / sum))));
        c.a = beside(&rng, p, 2.0);
        c.b = beside(&rng, c.a, 1.0);
        c.radius = (cd_real)test_range(&rng, 0.0, 0.5);
        motion = beside(&rng, zero, 4.0);
        note_target(&c, motion, &b);
        judge(&c, motion, &b);
        hits += ASK("judge", cd_sweep_capsule_triangle(&c, motion, &b.triangle, NULL, &hit));
    }
    CHECK_SEEN(hits > test_times(500));
}

/* ---- starts ---- */

static cd_capsule moved(const cd_capsule *c, cd_vec3 way, double by) {
    cd_capsule m = *c;
    cd_vec3 d = cd_vec3_scale(way, (cd_real)by);
    m.a = cd_vec3_add(c->a, d);
    m.b = cd_vec3_add(c->b, d);
    return m;
}

/* The depth ends the overlap, and no way out is shorter. */
static void check_depth(const cd_capsule *c, const target *b, const cd_hit *hit, test_rng *rng) {
    double margin = 256 * (double)CD_REAL_EPSILON + 1e-11, depth = (double)hit->depth;
    cd_capsule out = moved(c, hit->normal, depth + margin);
    cd_vec3 zero = cd_vec3_make(0, 0, 0);
    CHECK(depth >= 0);
    CHECK(!touches(&out, b));
    for (int i = 0; i < 4; ++i) {
        cd_vec3 way = cd_vec3_normalize(beside(rng, zero, 1.0));
        cd_capsule in = moved(c, way, fmax(depth - margin, 0.0));
        in.radius += (cd_real)(2 * margin); /* the test of a segment and a box is tolerant */
        CHECK(depth <= 2 * margin || touches(&in, b));
    }
}

static void starts(void) {
    test_rng rng = test_random();
    long seen = 0;
    for (long i = test_times(6000); i > 0; --i) {
        gen g = gen_begin(&rng, i % 2 ? GEN_GRID : GEN_UNIT);
        cd_capsule c = draw_capsule(&g);
        target b = draw_target(&g, (int)(i / 2 % KIND_COUNT));
        cd_vec3 motion = draw_motion(&g);
        cd_cast_options options = {0, 0, NULL, NULL, 0};
        cd_hit hit;
        bool leaving;
        if (!touches(&c, &b)) continue;
        note_target(&c, motion, &b);
        options.flags = CD_CAST_START_DEPTH;
        if (!CHECK(sweep(&c, motion, &b, &options, &hit))) continue;
        CHECK((hit.flags & CD_HIT_START) && hit.t == 0);
        check_depth(&c, &b, &hit, &rng);
        leaving = (double)cd_vec3_dot(hit.normal, motion) > 1e-4;
        options.flags = CD_CAST_START_LEAVING;
        if (leaving) CHECK(!sweep(&c, motion, &b, &options, NULL));
        if ((double)cd_vec3_dot(hit.normal, motion) < -1e-4) CHECK(sweep(&c, motion, &b, &options, NULL));
        options.flags = CD_CAST_START_IGNORE;
        CHECK(!sweep(&c, motion, &b, &options, NULL));
        ++seen;
    }
    CHECK_SEEN(seen > test_times(500));
}

/* A polygon whose corners are on a line, and some of them the same: a point on it is out at once, across the line. */
static void starts_on_a_line(void) {
    static const cd_vec3 corner[4] = {{-1, 1, -2}, {-1, 1, -2}, {-1, 2, -2}, {-1, 2, -2}};
    cd_capsule c = {{-1, 2, -2}, {-1, 2, -2}, 0};
    cd_cast_options options = {CD_CAST_START_DEPTH, 0, NULL, NULL, 0};
    for (int first = 0; first < 4; ++first) {
        cd_vec3 p[4];
        cd_hit hit;
        for (int i = 0; i < 4; ++i) p[i] = corner[(first + i) % 4];
        if (!CHECK(cd_sweep_capsule_polygon(&c, cd_vec3_make(-2, 1, -1), p, 4, &options, &hit))) continue;
        CHECK_NEAR(hit.depth, 0, 1e-12);
        CHECK_NEAR(hit.normal.y, 0, 0);
    }
}

/* ---- a capsule that is a sphere ---- */

static bool sweep_ball(const cd_capsule *c, cd_vec3 motion, const target *b, cd_hit *hit) {
    cd_sphere s;
    s.center = c->a;
    s.radius = c->radius;
    switch (b->kind) {
    case KIND_SPHERE: return cd_sweep_sphere_sphere(s, motion, b->sphere, NULL, hit);
    case KIND_CAPSULE: return cd_sweep_sphere_capsule(s, motion, &b->capsule, NULL, hit);
    case KIND_TRIANGLE: return cd_sweep_sphere_triangle(s, motion, &b->triangle, NULL, hit);
    case KIND_POLYGON: return cd_sweep_sphere_polygon(s, motion, b->polygon, (size_t)b->count, NULL, hit);
    case KIND_AABB: return cd_sweep_sphere_aabb(s, motion, b->aabb, NULL, hit);
    default: return cd_sweep_sphere_obb(s, motion, &b->obb, NULL, hit);
    }
}

static void points_are_spheres(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_capsule c = draw_capsule(&g);
        target b = draw_target(&g, (int)(i % KIND_COUNT));
        cd_vec3 motion = draw_motion(&g);
        cd_hit hit, ball;
        double slow;
        c.b = c.a;
        note_target(&c, motion, &b);
        if (!sweep_ball(&c, motion, &b, &ball)) {
            CHECK(!sweep(&c, motion, &b, NULL, NULL));
            continue;
        }
        if (!CHECK(sweep(&c, motion, &b, NULL, &hit))) continue;
        CHECK_INT(hit.flags, ball.flags);
        slow = fabs((double)cd_vec3_dot(ball.normal, motion)) + 1e-9;
        CHECK_NEAR(hit.t, ball.t, 4 * (double)CD_REAL_EPSILON + 1e-11 / slow);
        if (slow > 1e-2 && hit.t > 0)
            CHECK_VEC(hit.point, ball.point, 64 * (double)CD_REAL_EPSILON + 1e-8 / slow);
    }
}

/* ---- many triangles ---- */

static bool odd_ones(void *user, uint32_t index) {
    (void)user;
    return index % 2 == 1;
}

static bool same_vec(cd_vec3 a, cd_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_hit(const cd_hit *a, const cd_hit *b) {
    return a->t == b->t && a->index == b->index && a->feature == b->feature && a->flags == b->flags &&
           same_vec(a->point, b->point) && same_vec(a->normal, b->normal) && a->u == b->u && a->v == b->v &&
           a->depth == b->depth;
}

static void batches(void) {
    enum { COUNT = 24 };
    test_rng rng = test_random();
    long hits = 0;
    for (long i = test_times(2100); i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        cd_capsule c = draw_capsule(&g);
        cd_vec3 motion = draw_motion(&g);
        cd_triangle t[COUNT];
        cd_cast_options options = {0, 0, NULL, NULL, 0};
        cd_hit best, hit, one;
        bool found = false, got;
        memset(&best, 0, sizeof best);
        memset(&hit, 0, sizeof hit);
        options.flags = (uint32_t)test_int(&rng, 0, 31);
        if (i % 3 == 0) options.filter = odd_ones;
        for (int k = 0; k < COUNT; ++k) t[k] = k % 5 == 4 ? t[k - 2] : gen_triangle(&g);
        for (int k = 0; k < COUNT; ++k) {
            if (options.filter && !odd_ones(NULL, (uint32_t)k)) continue;
            if (!cd_sweep_capsule_triangle(&c, motion, &t[k], &options, &one)) continue;
            if (found && !(one.t < best.t)) continue;
            best = one;
            best.index = (uint32_t)k;
            found = true;
        }
        got = ASK("loop", cd_sweep_capsule_triangles(&c, motion, t, COUNT, &options, &hit));
        CHECK(got == found);
        if (got && found) CHECK(same_hit(&hit, &best));
        hits += got;
    }
    CHECK_SEEN(hits > test_times(350));
}

/* ---- known contacts ---- */

static cd_capsule capsule_of(double ax, double ay, double az, double bx, double by, double bz,
                             double radius) {
    cd_capsule c;
    c.a = cd_vec3_make((cd_real)ax, (cd_real)ay, (cd_real)az);
    c.b = cd_vec3_make((cd_real)bx, (cd_real)by, (cd_real)bz);
    c.radius = (cd_real)radius;
    return c;
}

static void check_contact(const cd_hit *hit, double t, double x, double y, double z, uint32_t feature) {
    double margin = 8 * (double)CD_REAL_EPSILON + 1e-11; /* and the excess */
    CHECK_NEAR(hit->t, t, margin);
    CHECK_VEC(hit->point, cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z), margin);
    CHECK_INT(hit->feature, feature);
}

/* Lying down on a face, an edge, another capsule: the middle of what they share. */
static void middles(void) {
    cd_capsule c = capsule_of(-1, 0.5, 3, 3, 0.5, 3, 0.5), over = capsule_of(1, 0.25, 3, 2, 0.25, 3, 0.5);
    cd_capsule along = capsule_of(-1, 0, 3, 3, 0, 3, 0.5), target = capsule_of(0, 0, 0, 5, 0, 0, 0.5);
    cd_vec3 down = cd_vec3_make(0, 0, -4);
    cd_triangle t;
    cd_aabb box;
    cd_hit hit;
    t.a = cd_vec3_make(0, 0, 0);
    t.b = cd_vec3_make(4, 0, 0);
    t.c = cd_vec3_make(0, 4, 0);
    box.min = cd_vec3_make(0, 0, -1);
    box.max = cd_vec3_make(4, 4, 0);
    if (CHECK(cd_sweep_capsule_triangle(&c, down, &t, NULL, &hit)))
        check_contact(&hit, 0.625, 1.5, 0.5, 0, CD_FEATURE(3u, 0u));
    if (CHECK(cd_sweep_capsule_triangle(&over, down, &t, NULL, &hit)))
        check_contact(&hit, 0.625, 1.5, 0.25, 0, CD_FEATURE(3u, 0u));
    if (CHECK(cd_sweep_capsule_triangle(&along, down, &t, NULL, &hit)))
        check_contact(&hit, 0.625, 1.5, 0, 0, CD_FEATURE(2u, 0u));
    if (CHECK(cd_sweep_capsule_aabb(&c, down, box, NULL, &hit)))
        check_contact(&hit, 0.625, 1.5, 0.5, 0, CD_FEATURE(3u, 5u));
    if (CHECK(cd_sweep_capsule_aabb(&along, down, box, NULL, &hit)))
        check_contact(&hit, 0.625, 1.5, 0, 0, CD_FEATURE(2u, 2u));
    if (CHECK(cd_sweep_capsule_capsule(&along, down, &target, NULL, &hit)))
        check_contact(&hit, 0.5, 1.5, 0, 0.5, CD_FEATURE(2u, 0u));
}

/* Where along x two capsules lie beside each other that one fell on the other, from `from` to `to`, `beside` off its axis. */
static void check_beside(double length, double from, double to, double beside, bool turned,
                         bool other_turned) {
    cd_capsule lying = capsule_of(other_turned ? length : 0, 0, 0, other_turned ? 0 : length, 0, 0, 0.5);
    cd_capsule c = capsule_of(turned ? to : from, beside, 3, turned ? from : to, beside, 3, 0.5);
    double lo = fmin(fmax(from, 0), length), hi = fmin(fmax(to, 0), length);
    double height = sqrt(1 - beside * beside);
    double margin = 16 * (double)CD_REAL_EPSILON + 1e-11;
    cd_hit hit;
    test_note("%g long, from %g to %g, %g beside, turned %d %d", length, from, to, beside, turned,
              other_turned);
    if (!CHECK(cd_sweep_capsule_capsule(&c, cd_vec3_make(0, 0, -4), &lying, NULL, &hit))) return;
    CHECK_NEAR(hit.t, (3 - height) / 4, margin);
    CHECK_VEC(hit.point, cd_vec3_make((cd_real)((lo + hi) / 2), (cd_real)(beside / 2), (cd_real)(height / 2)),
              margin);
}

static void middles_of_capsules(void) {
    static const double spans[][3] = {{5, -1, 3},   {5, -1, 0.75},   {5, 0.25, 0.75},     {5, 4.25, 7},
                                      {5, -1, 8},   {0.5, -1, 0.25}, {0.5, 0.125, 0.375}, {0.5, 0.25, 3},
                                      {0.5, -2, 2}, {0.5, 0.5, 2}};
    for (size_t i = 0; i < sizeof spans / sizeof *spans; ++i) {
        for (int k = 0; k < 8; ++k)
            check_beside(spans[i][0], spans[i][1], spans[i][2], k & 4 ? 0.6 : 0, k & 1, k >> 1 & 1);
    }
}

/* A slanting capsule, or segment, falls with its lower end onto a needle, as that end's ball does: the plane of a needle is not known by
 * a plain product. */
static void needles_are_met_where_they_are(void) {
    test_rng rng = test_random();
    double size = 1e-11 + 32 * (double)CD_REAL_EPSILON;
    for (long i = 20 + test_times(500); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 u = gen_direction(&g), w = cd_vec3_normalize(cd_vec3_cross(u, gen_direction(&g))),
                n = cd_vec3_cross(u, w), end;
        double width = ldexp(1.0, -test_int(&rng, 6, sizeof(cd_real) == 4 ? 10 : 26));
        double share = ldexp(1.0, -test_int(&rng, 0, sizeof(cd_real) == 4 ? 8 : 22)),
               other = test_int(&rng, 0, 1) ? 1 : share;
        cd_triangle t;
        cd_capsule c;
        cd_sphere s;
        cd_vec3 motion = cd_vec3_scale(n, -2);
        cd_hit hit, want;
        /* short on one side, and much longer than that on the others: the first or the second of them */
        bool segment = i % 4 == 0 && sizeof(cd_real) == 8;
        if (segment) {
            width = ldexp(1.0, -test_int(&rng, 20, 24));
            other = share = ldexp(1.0, -test_int(&rng, 12, 16));
        }
        t.a = gen_point(&g);
        t.b = cd_vec3_along(t.a, u, (cd_real)(test_range(&rng, 0.5, 2) * (other < 1 ? 1 : share)));
        t.c = cd_vec3_along(t.a, u, (cd_real)(test_range(&rng, 0.5, 2) * other));
        t.c = cd_vec3_along(t.c, w, (cd_real)(width * share));
        if (segment && i % 8 == 0) {
            cd_vec3 corner = t.b;
            t.b = t.c;
            t.c = corner;
        }
        if (!cd_vec3_is_valid(w) || cd_vec3_length(n) < (cd_real)0.5) continue;
        end = cd_vec3_scale(cd_vec3_add(t.a, cd_vec3_add(t.b, t.c)), (cd_real)(1.0 / 3));
        end = cd_vec3_along(end, n, (cd_real)0.75);
        s.center = end;
        s.radius = (cd_real)(segment ? 0 : 0.25);
        c.a = end;
        c.b = cd_vec3_along(cd_vec3_along(end, n, (cd_real)0.25), u, (cd_real)0.125);
        c.radius = s.radius;
        if (test_int(&rng, 0, 1)) {
            c.a = c.b;
            c.b = end;
        }
        test_note("");
        test_note_reals("t", REALS(t), 9);
        test_note_reals("c", REALS(c), 7);
        if (!CHECK(cd_sweep_sphere_triangle(s, motion, &t, NULL, &want))) continue;
        if (!CHECK(ASK("forms", cd_sweep_capsule_triangle(&c, motion, &t, NULL, &hit)))) continue;
        CHECK_NEAR(hit.t, want.t, size);
    }
}

/* Beside a box that is no more than a segment, nearer than what counts as touching, or a little farther: the point is of both, but for that. */
static void starts_beside_a_box_without_width(void) {
    double slack = sizeof(cd_real) == 4 ? 0x1p-45 : 0x1p-41;
    cd_aabb b = {{0, -1, 0}, {0, 1, 0}};
    for (int i = 0; i < 128; ++i) {
        cd_capsule c = {{0, 0, (cd_real)(slack * (i / 4) / 16)}, {0, (cd_real)0.5, 0}, (cd_real)0.0625};
        cd_vec3 motion = cd_vec3_make(i & 1 ? -1 : 1, 0, 0);
        cd_cast_options o = {0, 0, NULL, NULL, 0};
        cd_hit hit;
        if (i & 2) o.flags = CD_CAST_START_DEPTH;
        c.b.z = c.a.z;
        test_note("%d", i);
        if (!CHECK(cd_sweep_capsule_aabb(&c, motion, b, &o, &hit))) continue;
        CHECK(hit.flags & CD_HIT_START);
        CHECK_NEAR(hit.point.x, 0, 0.0625 + 2 * slack);
        CHECK_NEAR(hit.point.y, 0.25, 0.25 + 0.0625 + 2 * slack);
        CHECK_NEAR(hit.point.z, 0, 0.0625 + 2 * slack);
    }
}

/* A box and a radius that are small beside the length of a capsule: places along that are rounded by more than all the way between the two
 * is long. */
static void a_long_capsule_meets_a_small_box(void) {
    cd_capsule c = {{(cd_real)0x1.c4cd5ep-17, (cd_real)-0x1.06536ap+30, (cd_real)-0x1.9ba496p+20},
                    {(cd_real)0x1.048cd6p-18, (cd_real)0x1.5b30a4p-31, (cd_real)-0x1.7fad58p-8},
                    (cd_real)0x1.86a2c2p-7};
    cd_vec3 motion = {(cd_real)0x1.6c7ed6p-26, (cd_real)0x1.13d432p-40, (cd_real)0x1.641b8cp+22};
    target b;
    memset(&b, 0, sizeof b);
    b.kind = KIND_OBB;
    b.obb.center = cd_vec3_make((cd_real)0x1.93797ep-32, (cd_real)-0x1.88e692p+6, (cd_real)0x1.4ce696p-41);
    b.obb.axes.col[0] = cd_vec3_make((cd_real)-0x1.49dfcap-1, (cd_real)0x1.834758p-1, (cd_real)0x1.ce7f76p-4);
    b.obb.axes.col[1] =
        cd_vec3_make((cd_real)-0x1.363836p-1, (cd_real)-0x1.a8b366p-2, (cd_real)-0x1.5b95bp-1);
    b.obb.axes.col[2] = cd_vec3_make((cd_real)-0x1.dddfbp-2, (cd_real)-0x1.02f8dap-1, (cd_real)0x1.73772cp-1);
    b.obb.half = cd_vec3_make((cd_real)0x1.62e91ep-46, (cd_real)0x1.8644f2p-47, (cd_real)0x1.37f37ep-31);
    if (sizeof(cd_real) == 8) c.radius *= 16; /* as the excess is of the length */
    note_target(&c, motion, &b);
    judge(&c, motion, &b);
}

/* The normal of a needle that is long beside the capsule is off by more than the slack over its length. */
static void starts_at_the_tip_of_a_long_needle(void) {
    cd_capsule c = {{(cd_real)0x1.df5ep-28, (cd_real)0x1.f1c57ap-26, (cd_real)0x1.76c92ap-30},
                    {(cd_real)-0x1.4b3c4ap-9, (cd_real)-0x1.d59a6cp-33, (cd_real)-0x1.b33036p+31},
                    (cd_real)0x1.30070ap-20};
    cd_vec3 motion = {0, (cd_real)-0x1.bbaf58p+39, (cd_real)-0x1.df8f92p+22};
    target b;
    memset(&b, 0, sizeof b);
    b.kind = KIND_TRIANGLE;
    b.triangle.a = cd_vec3_make((cd_real)0x1.3dc978p+42, (cd_real)-0x1.92cca6p+31, (cd_real)0x1.8880c8p+41);
    b.triangle.b = cd_vec3_make((cd_real)0x1.7d5b62p-43, (cd_real)-0x1.a7011ep-34, (cd_real)-0x1.4d7ce4p-20);
    b.triangle.c = cd_vec3_make((cd_real)-0x1.cf5f3ap+21, (cd_real)0x1.389728p-18, (cd_real)-0x1.b32f6p-7);
    note_target(&c, motion, &b);
    judge(&c, motion, &b);
}

/* The normal of a needle's face, seen from its tip, is off by more than the slack over its length: the end of the capsule that is beside the
 * short edge was on the other side. */
static void begins_beside_the_short_edge_of_a_needle(void) {
    cd_capsule c = {{(cd_real)0x1.be377cp+21, (cd_real)-0x1.a6607ap+45, (cd_real)-0x1.6ef62ap-35},
                    {(cd_real)-0x1.691d1p+18, (cd_real)-0x1.f39f4ep-28, (cd_real)-0x1.a8c2b4p-10},
                    (cd_real)0x1.044872p+9};
    cd_vec3 motion = {(cd_real)0x1.ef9f7ep+25, (cd_real)-0x1.a76d4p+17, (cd_real)-0x1.abfee8p-1};
    target b;
    memset(&b, 0, sizeof b);
    b.kind = KIND_TRIANGLE;
    b.triangle.a = cd_vec3_make((cd_real)0x1.787cd6p+45, (cd_real)-0x1.891094p+47, (cd_real)-0x1.9e75dcp+47);
    b.triangle.b = cd_vec3_make((cd_real)-0x1.efe07cp+24, (cd_real)0x1.4c454p+16, (cd_real)-0x1.17757p+7);
    b.triangle.c = cd_vec3_make((cd_real)0x1.bbbea8p-24, (cd_real)0x1.280674p-28, (cd_real)0x1.3106e4p-38);
    note_target(&c, motion, &b);
    judge(&c, motion, &b);
}

/* The edge of a needle that lies a little aslant to a long capsule, which begins on it: their nearest points are as good as the slack, though
 * places along the edge are lost by more than the angle leaves. */
static void starts_aslant_on_a_long_edge(void) {
    cd_capsule c = {{(cd_real)0x1.5dda6ep+24, (cd_real)0x1.933098p-29, (cd_real)-0x1.0fab4p+15},
                    {(cd_real)-0x1.80aac4p+31, (cd_real)0x1.7243d8p-12, (cd_real)0x1.9304ap+23},
                    (cd_real)0x1.227bfcp-12};
    cd_vec3 motion = {(cd_real)0x1.da57ecp+45, (cd_real)-0x1.7ca5ep-18, (cd_real)0x1.70edb6p+37};
    target b;
    memset(&b, 0, sizeof b);
    b.kind = KIND_TRIANGLE;
    b.triangle.a = cd_vec3_make((cd_real)0x1.f8d2dcp-31, (cd_real)0x1.6a4e28p-47, (cd_real)-0x1.5bda98p-17);
    b.triangle.b = cd_vec3_make((cd_real)0x1.5da47ep-42, (cd_real)-0x1.46990ap+18, (cd_real)-0x1.cb7b98p-48);
    b.triangle.c = cd_vec3_make((cd_real)0x1.2ca8c6p+49, (cd_real)-0x1.cbca9cp-15, (cd_real)0x1.c83e68p+41);
    note_target(&c, motion, &b);
    judge(&c, motion, &b);
}

/* Plain products have a corner of this needle out of its plane by a little more than the slack, so that plane is not to be met there. */
static void a_plane_that_misses_a_corner(void) {
    const cd_triangle t = {
        {0, 0, 0},
        {1, (cd_real)0x1.d88e475b0c82p-2, (cd_real)-0x1.8fa74ccc339bp-1},
        {(cd_real)0x1.750cb305a3e46p-5, (cd_real)0x1.5841089ef712cp-6, (cd_real)-0x1.23301660596d7p-5}};
    const cd_vec3 n = {(cd_real)-0x1.23b1599de9604p-1, (cd_real)-0x1.1730564b98712p-3,
                       (cd_real)-0x1.9ef47cc73273bp-1};
    sweep_body still = sweep_of_triangle(&t);
    for (int i = 0; i < 16; ++i) {
        cd_real side = i % 2 ? 1 : -1, share = (cd_real)ldexp(1, -3 - i / 2);
        cd_vec3 up = cd_vec3_scale(n, side * (cd_real)0.125), motion = cd_vec3_scale(up, -2);
        cd_vec3 on = cd_vec3_along(t.b, cd_vec3_sub(cd_vec3_lerp(t.a, t.c, (cd_real)0.5), t.b), share);
        cd_capsule c = {cd_vec3_add(on, up), cd_vec3_along(on, up, 2), 0};
        cd_sphere ball = {c.a, 0};
        sweep_body mover = sweep_of_capsule(&c);
        cd_hit hit;
        bool got = cd_sweep_capsule_triangle(&c, motion, &t, NULL, &hit);
        test_note("%d", i);
        sweep_judge(&mover, motion, &still, got, &hit);
        mover = sweep_of_sphere(ball);
        got = cd_sweep_sphere_triangle(ball, motion, &t, NULL, &hit);
        sweep_judge(&mover, motion, &still, got, &hit);
    }
}

/* Both faces of a flat box are in one place: the one that is met is that of the normal. */
static void flat_boxes_are_met_from_either_side(void) {
    for (int i = 0; i < 6; ++i) {
        int axis = i / 2, other = (axis + 1) % 3;
        cd_real side = (cd_real)(i % 2 ? 1 : -1);
        cd_aabb flat = {{-2, -2, -2}, {2, 2, 2}};
        cd_vec3 motion = {0, 0, 0};
        cd_capsule c = {{0, 0, 0}, {0, 0, 0}, (cd_real)0.25};
        cd_hit hit;
        REALS(flat.min)[axis] = REALS(flat.max)[axis] = 0;
        REALS(c.a)[axis] = REALS(c.b)[axis] = side;
        REALS(c.a)[other] = -1;
        REALS(c.b)[other] = 1;
        REALS(motion)[axis] = -2 * side;
        test_note("%d", i);
        if (!CHECK(cd_sweep_capsule_aabb(&c, motion, flat, NULL, &hit))) continue;
        CHECK_NEAR(REALS(hit.normal)[axis], side, 1e-6);
        CHECK_INT(hit.feature, CD_FEATURE(3u, (uint32_t)i));
    }
}

/* The way to a ball of some excesses has a direction: the normal that a point would have on the edge of the sum is none of the ball's. */
static void a_long_capsule_meets_a_small_ball(void) {
    cd_capsule c[2] = {{{(cd_real)0x1.4ddc3ep+22, (cd_real)-0x1.a33b6ap+47, (cd_real)0x1.dd8c4cp+33},
                        {(cd_real)-0x1.26bc94p-20, (cd_real)-0x1.568062p+2, (cd_real)-0x1.a13decp+18},
                        0},
                       {{(cd_real)0x1.215448p-22, (cd_real)-0x1.cb4e64p+37, (cd_real)0x1.72ab68p+7},
                        {(cd_real)-0x1.2fa232p-26, (cd_real)-0x1.b15242p+13, (cd_real)0x1.10e296p-11},
                        0}};
    cd_vec3 motion[2] = {{(cd_real)0x1.ce9a4p+23, (cd_real)-0x1.acc592p+37, (cd_real)0x1.cba08p+52},
                         {(cd_real)-0x1.d7e03ap-27, (cd_real)0x1.3c1492p+37, (cd_real)-0x1.9daa02p+13}};
    target b[2];
    memset(b, 0, sizeof b);
    b[0].kind = KIND_CAPSULE;
    b[0].capsule.a = cd_vec3_make((cd_real)0x1.174cd6p-20, (cd_real)0x1.1a8f2p-14, (cd_real)0x1.b8ad6ep-22);
    b[0].capsule.b = cd_vec3_make((cd_real)0x1.7563b6p-20, (cd_real)-0x1.851e7p-16, (cd_real)0x1.6b854p-38);
    b[0].capsule.radius = (cd_real)0x1.e75d6ep+10;
    b[1].kind = KIND_SPHERE;
    b[1].sphere.center =
        cd_vec3_make((cd_real)0x1.197168p-29, (cd_real)0x1.d175ecp-29, (cd_real)-0x1.038d52p-14);
    b[1].sphere.radius = (cd_real)0x1.52c728p-4;
    for (int i = 0; i < 2; ++i) {
        if (sizeof(cd_real) == 8) b[i].capsule.radius *= 16; /* as the excess is of the length */
        if (sizeof(cd_real) == 8) b[i].sphere.radius *= 16;
        note_target(&c[i], motion[i], &b[i]);
        judge(&c[i], motion[i], &b[i]);
    }
}

/* Something a few excesses wide, and the end of a capsule that is 1 long and moves along an axis: so places across that are not rounded. */
static void a_few_excesses_wide(void) {
    test_rng rng = test_random();
    double excess = sizeof(cd_real) == 4 ? 0x1p-44 : 0x1p-40;
    long hits = 0;
    for (long i = test_times(2000); i > 0; --i) {
        double size = ldexp(excess, test_int(&rng, 0, 8)),
               speed = test_range(&rng, -1, 1) * (i & 1 ? 1 : 1e-3);
        int axis = test_int(&rng, 0, 2);
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 way = gen_direction(&g), beside = cd_vec3_scale(gen_direction(&g), (cd_real)1e-5), end,
                motion;
        target b;
        cd_capsule c;
        cd_hit hit;
        memset(&b, 0, sizeof b);
        b.kind = i & 2 ? KIND_SPHERE : KIND_CAPSULE;
        b.capsule.b = cd_vec3_scale(gen_direction(&g), (cd_real)size);
        b.capsule.radius = b.sphere.radius = (cd_real)(size * test_unit(&rng));
        end = cd_vec3_scale(gen_direction(&g), (cd_real)(size * test_range(&rng, 0, 2)));
        motion = cd_vec3_scale(gen_direction(&g), (cd_real)(i & 4 ? size * 8 : 0));
        REALS(motion)[axis] = (cd_real)speed;
        REALS(end)[axis] = (cd_real)(-speed * test_unit(&rng));
        if (i & 8) {
            way = beside;
            REALS(way)[axis] = (cd_real)(i & 16 ? 1 : -1);
        }
        c.radius = i & 32 ? (cd_real)(size * test_unit(&rng)) : 0;
        c.a = i & 64 ? end : cd_vec3_add(end, way);
        c.b = i & 64 ? cd_vec3_add(end, way) : end;
        note_target(&c, motion, &b);
        judge(&c, motion, &b);
        hits += sweep(&c, motion, &b, NULL, &hit);
    }
    CHECK_SEEN(hits * 4 > test_times(2000));
}

/* The end of one capsule comes up to another, close to that one's end, whose ball counts as met before what is between, but is farther. */
static void close_to_an_end(void) {
    double excess = sizeof(cd_real) == 4 ? 0x1p-44 : 0x1p-40;
    for (int i = 0; i < 19 * 32; ++i) {
        double radius = ldexp(excess, 2 + i / 32), root = sqrt(radius * excess);
        cd_real x = (cd_real)(root * (i / 2 % 16) / -16);
        cd_capsule c = {{x, 0, (cd_real)-0.015625}, {(cd_real)(i & 1 ? -0x1p-16 : 0x1p-16), 0, -1}, 0};
        cd_vec3 motion = {0, 0, (cd_real)0.0625};
        target b;
        memset(&b, 0, sizeof b);
        b.kind = KIND_CAPSULE;
        b.capsule.b.x = (cd_real)(-8 * root);
        b.capsule.radius = (cd_real)radius;
        note_target(&c, motion, &b);
        judge(&c, motion, &b);
    }
}

/* A box with one half edge that is none meets nothing. */
static void bad_half_edges(void) {
    cd_capsule c = {{-4, 0, 0}, {-4, 1, 0}, 1};
    for (int i = 0; i < 3; ++i) {
        for (int k = 0; k < 3; ++k) {
            cd_obb b = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 1, 1}};
            cd_real *half = i == 0 ? &b.half.x : i == 1 ? &b.half.y : &b.half.z;
            CHECK(cd_sweep_capsule_obb(&c, cd_vec3_make(8, 0, 0), &b, NULL, NULL));
            *half = k == 0 ? -1 : k == 1 ? (cd_real)NAN : (cd_real)INFINITY;
            CHECK(!ASK("bad", cd_sweep_capsule_obb(&c, cd_vec3_make(8, 0, 0), &b, NULL, NULL)));
        }
    }
}

void suite_sweep_capsule(void) {
    RUN(spheres);
    RUN(capsules);
    RUN(triangles);
    RUN(polygons);
    RUN(aabbs);
    RUN(obbs);
    RUN(large_targets);
    RUN(starts);
    RUN(starts_on_a_line);
    RUN(points_are_spheres);
    RUN(batches);
    RUN(middles);
    RUN(middles_of_capsules);
    RUN(needles_are_met_where_they_are);
    RUN(starts_beside_a_box_without_width);
    RUN(a_long_capsule_meets_a_small_box);
    RUN(starts_at_the_tip_of_a_long_needle);
    RUN(begins_beside_the_short_edge_of_a_needle);
    RUN(starts_aslant_on_a_long_edge);
    RUN(a_plane_that_misses_a_corner);
    RUN(flat_boxes_are_met_from_either_side);
    RUN(a_long_capsule_meets_a_small_ball);
    RUN(a_few_excesses_wide);
    RUN(close_to_an_end);
    RUN(bad_half_edges);
}
