/* Moving spheres, judged by the reference for sweeps, and by what must hold between answers. */
#include "gen.h"
#include "sweeps.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* ---- inputs ---- */

#define CORNERS 9

/* One of each thing to be met, and a way. */
typedef struct scene {
    cd_sphere s, ball;
    cd_vec3 motion;
    cd_capsule capsule;
    cd_triangle triangle;
    cd_vec3 polygon[CORNERS];
    int count;
    cd_aabb box;
    cd_obb turned;
} scene;

static cd_real zero_or(gen *g, cd_real x) {
    return test_int(g->rng, 0, 4) ? x : 0;
}

/* Needles, segments and points among them, and large ones. */
static cd_triangle any_triangle(gen *g) {
    cd_triangle t = gen_triangle(g);
    cd_real size = (cd_real)ldexp(1.0, test_int(g->rng, 0, 12));
    switch (test_int(g->rng, 0, 9)) {
    case 0: t.c = t.a; break;
    case 1: t.b = t.c = t.a; break;
    case 2: t.c = cd_vec3_lerp(t.a, t.b, (cd_real)test_range(g->rng, -1, 2)); break;
    case 3:
    case 4:
        t.b = cd_vec3_along(t.a, cd_vec3_sub(t.b, t.a), size);
        t.c = cd_vec3_along(t.a, cd_vec3_sub(t.c, t.a), size);
        break;
    default: break;
    }
    return t;
}

/* A part of a circle or of an affine image of it, which is convex; its plane is that of three points, up to rounding. */
static int any_polygon(gen *g, cd_vec3 *p) {
    int count = test_int(g->rng, 1, CORNERS);
    cd_triangle t = any_triangle(g);
    cd_vec3 x = cd_vec3_sub(t.b, t.a), y = cd_vec3_sub(t.c, t.a);
    for (int i = 0; i < count; ++i) {
        double angle = 6.283185307179586 * i / count;
        p[i] = cd_vec3_along(cd_vec3_along(t.a, x, (cd_real)cos(angle)), y, (cd_real)sin(angle));
    }
    if (count == 3) memcpy(p, &t.a, sizeof t);
    if (count == 4) p[0] = t.b, p[1] = t.a, p[2] = t.c, p[3] = cd_vec3_add(t.b, y);
    return count;
}

static cd_aabb any_box(gen *g) {
    cd_aabb b = gen_aabb(g);
    if (!test_int(g->rng, 0, 4)) b.max.x = b.min.x;
    if (!test_int(g->rng, 0, 4)) b.max.z = b.min.z;
    return b;
}

/* A way from where the sphere is: to or past a point of something; along an edge of it; nowhere. */
static cd_vec3 any_motion(gen *g, const scene *x) {
    const cd_triangle *t = &x->triangle;
    double u = test_range(g->rng, 0, 1), v = test_range(g->rng, 0, 1 - u);
    cd_vec3 to = cd_vec3_along(cd_vec3_along(t->a, cd_vec3_sub(t->b, t->a), (cd_real)u),
                               cd_vec3_sub(t->c, t->a), (cd_real)v);
    cd_real length = (cd_real)test_range(g->rng, 0.2, 3);
    switch (test_int(g->rng, 0, 9)) {
    case 0: return cd_vec3_make(0, 0, 0);
    case 1: return cd_vec3_scale(cd_vec3_sub(t->b, t->a), length);
    case 2: return cd_vec3_sub(t->b, x->s.center);
    case 3: return cd_vec3_scale(cd_vec3_sub(cd_vec3_lerp(t->b, t->c, (cd_real)u), x->s.center), length);
    case 4: return cd_vec3_scale(cd_vec3_sub(x->ball.center, x->s.center), length);
    case 5: return cd_vec3_scale(cd_vec3_sub(x->box.max, x->s.center), length);
    case 6: return cd_vec3_sub(gen_point(g), x->s.center);
    default: return cd_vec3_scale(cd_vec3_sub(to, x->s.center), length);
    }
}

static scene scene_of(gen g) {
    test_rng *rng = g.rng;
    cd_segment core = gen_segment(&g);
    scene x;
    x.s = gen_sphere(&g);
    x.s.radius = zero_or(&g, x.s.radius);
    if (test_int(rng, 0, 2)) x.s.radius *= (cd_real)0.125;
    x.ball = gen_sphere(&g);
    x.ball.radius = zero_or(&g, x.ball.radius);
    x.capsule.a = core.a;
    x.capsule.b = test_int(rng, 0, 4) ? core.b : core.a;
    x.capsule.radius = zero_or(&g, gen_length(&g));
    x.triangle = any_triangle(&g);
    x.count = any_polygon(&g, x.polygon);
    x.box = any_box(&g);
    x.turned = gen_obb(&g);
    x.motion = any_motion(&g, &x);
    return x;
}

static scene any_scene(test_rng *rng) {
    return scene_of(gen_begin(rng, (gen_kind)test_int(rng, 0, GEN_KINDS - 1)));
}

static void note_scene(const scene *x) {
    scene all = *x;
    test_note("sphere sweep");
    test_note_reals("s", REALS(all.s), 4);
    test_note_reals("motion", REALS(all.motion), 3);
}

/* ---- the reference ---- */

static bool sweep_any(const scene *x, int which, const cd_cast_options *options, cd_hit *hit) {
    switch (which) {
    case 0: return ASK("judge", cd_sweep_sphere_sphere(x->s, x->motion, x->ball, options, hit));
    case 1: return ASK("judge", cd_sweep_sphere_capsule(x->s, x->motion, &x->capsule, options, hit));
    case 2: return ASK("judge", cd_sweep_sphere_triangle(x->s, x->motion, &x->triangle, options, hit));
    case 3:
        return ASK("judge",
                   cd_sweep_sphere_polygon(x->s, x->motion, x->polygon, (size_t)x->count, options, hit));
    case 4: return ASK("judge", cd_sweep_sphere_aabb(x->s, x->motion, x->box, options, hit));
    default: return ASK("judge", cd_sweep_sphere_obb(x->s, x->motion, &x->turned, options, hit));
    }
}

static sweep_body body_of_any(scene *x, int which) {
    switch (which) {
    case 0: test_note_reals("ball", REALS(x->ball), 4); return sweep_of_sphere(x->ball);
    case 1: test_note_reals("capsule", REALS(x->capsule), 7); return sweep_of_capsule(&x->capsule);
    case 2: test_note_reals("triangle", REALS(x->triangle), 9); return sweep_of_triangle(&x->triangle);
    case 3:
        test_note_reals("polygon", REALS(x->polygon), 3 * x->count);
        return sweep_of_polygon(x->polygon, x->count);
    case 4: test_note_reals("box", REALS(x->box), 6); return sweep_of_aabb(x->box);
    default: test_note_reals("obb", REALS(x->turned), 15); return sweep_of_obb(&x->turned);
    }
}

/* A polygon of rounded corners is not flat: the triangles of its fan are less than the hull. */
static bool is_flat(const scene *x, int which) {
    return which != 3 || x->count < 4;
}

static void sweeps_are_as_the_reference_says(void) {
    test_rng rng = test_random();
    long seen[6] = {0, 0, 0, 0, 0, 0};
    for (long i = 0; i < test_times(8000); ++i) {
        scene x = any_scene(&rng);
        for (int which = 0; which < 6; ++which) {
            sweep_body a = sweep_of_sphere(x.s), b;
            cd_hit hit;
            bool got;
            if (!is_flat(&x, which)) continue;
            note_scene(&x);
            b = body_of_any(&x, which);
            got = sweep_any(&x, which, NULL, &hit);
            sweep_judge(&a, x.motion, &b, got, &hit);
            seen[which] += got && !(hit.flags & CD_HIT_START);
        }
    }
    for (int which = 0; which < 6; ++which) CHECK_SEEN(seen[which] > 0);
}

/* ---- by hand ---- */

/* Of t: a unit, and the excess of things of about ten units. */
#define T_MARGIN (4 * (double)CD_REAL_EPSILON + 1e-11 * (sizeof(cd_real) == 8))

static cd_sphere ball(double x, double y, double z, double radius) {
    cd_sphere s;
    s.center = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
    s.radius = (cd_real)radius;
    return s;
}

static cd_triangle corner_triangle(void) {
    cd_triangle t;
    t.a = cd_vec3_make(0, 0, 0);
    t.b = cd_vec3_make(4, 0, 0);
    t.c = cd_vec3_make(0, 4, 0);
    return t;
}

static void check_triangle(cd_sphere s, cd_vec3 motion, double t, cd_vec3 point, cd_vec3 normal,
                           uint32_t feature, uint32_t flags) {
    cd_triangle corner = corner_triangle();
    cd_hit hit;
    if (!CHECK(cd_sweep_sphere_triangle(s, motion, &corner, NULL, &hit))) return;
    CHECK_NEAR(hit.t, t, T_MARGIN);
    CHECK_VEC(hit.point, point, 4 * T_MARGIN);
    CHECK_VEC(hit.normal, normal, T_MARGIN);
    CHECK_INT(hit.feature, feature);
    CHECK_INT(hit.flags, flags);
    CHECK_NEAR(hit.u, (double)point.x / 4, T_MARGIN);
    CHECK_NEAR(hit.v, (double)point.y / 4, T_MARGIN);
}

/* Face from both sides (5.5.3 has the plane's other side wrong), edge, corner; a miss past a corner, and short of a face. */
static void a_triangle_is_met_at_face_edge_and_corner(void) {
    cd_vec3 down = cd_vec3_make(0, 0, -4), up = cd_vec3_make(0, 0, 4), right = cd_vec3_make(4, 0, 0);
    cd_triangle t = corner_triangle();
    check_triangle(ball(1, 1, 3, 1), down, 0.5, cd_vec3_make(1, 1, 0), cd_vec3_make(0, 0, 1),
                   CD_FEATURE(3u, 0u), 0);
    check_triangle(ball(1, 1, -3, 1), up, 0.5, cd_vec3_make(1, 1, 0), cd_vec3_make(0, 0, -1),
                   CD_FEATURE(3u, 0u), CD_HIT_BACK);
    check_triangle(ball(-3, 1, 0, 1), right, 0.5, cd_vec3_make(0, 1, 0), cd_vec3_make(-1, 0, 0),
                   CD_FEATURE(2u, 2u), 0);
    check_triangle(ball(2, -3, 0, 1), cd_vec3_make(0, 4, 0), 0.5, cd_vec3_make(2, 0, 0),
                   cd_vec3_make(0, -1, 0), CD_FEATURE(2u, 0u), 0);
    check_triangle(ball(0, -6, 8, 5), cd_vec3_make(0, 6, -8), 0.5, cd_vec3_make(0, 0, 0),
                   cd_vec3_make(0, (cd_real)-0.6, (cd_real)0.8), CD_FEATURE(1u, 0u), 0);
    CHECK(!cd_sweep_sphere_triangle(ball(-1, -1, 3, 1), down, &t, NULL, NULL));
    CHECK(!cd_sweep_sphere_triangle(ball(1, 1, 6, 1), down, &t, NULL, NULL));
    CHECK(cd_sweep_sphere_triangle(ball(1, 1, 5, 1), down, &t, NULL, NULL));
}

/* 5.5.7: the widened box is entered outside of it on two or three axes; the book then asks the wrong edges. Every corner, from
 * the direction of its diagonal and along each axis. */
static void boxes_are_met_at_all_corners_and_edges(void) {
    cd_aabb b = {{-1, -2, -3}, {1, 2, 3}};
    for (int k = 0; k < 27; ++k) {
        double side[3] = {k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0};
        double out = sqrt(side[0] * side[0] + side[1] * side[1] + side[2] * side[2]);
        cd_vec3 at = cd_vec3_make((cd_real)side[0], (cd_real)(2 * side[1]), (cd_real)(3 * side[2]));
        cd_vec3 n = cd_vec3_make((cd_real)side[0], (cd_real)side[1], (cd_real)side[2]);
        cd_sphere s;
        cd_hit hit;
        if (k == 13) continue;
        s.radius = 1;
        s.center = cd_vec3_along(at, n, 3);
        if (!CHECK(cd_sweep_sphere_aabb(s, cd_vec3_scale(n, -3), b, NULL, &hit))) continue;
        CHECK_NEAR(hit.t, 1 - 1 / (3 * out), T_MARGIN);
        CHECK_VEC(hit.point, at, 4 * T_MARGIN);
        CHECK_VEC(hit.normal, cd_vec3_scale(n, (cd_real)(1 / out)), 4 * T_MARGIN);
        CHECK_INT(CD_FEATURE_KIND(hit.feature), 4 - (int)(out * out + 0.5));
        for (
            int i = 0; i < 3;
            ++i) { /* past it, just out of reach: only where the widened box is met beside a corner or edge */
            cd_vec3 way = cd_vec3_make((cd_real)(i == 0), (cd_real)(i == 1), (cd_real)(i == 2));
            double across = out * out - side[i] * side[i];
            if (across < 1.5) continue;
            s.center = cd_vec3_along(cd_vec3_along(at, n, (cd_real)0.75), way, -20);
            CHECK(!cd_sweep_sphere_aabb(s, cd_vec3_scale(way, 40), b, NULL, NULL));
            s.center = cd_vec3_along(cd_vec3_along(at, n, (cd_real)0.5), way, -20);
            CHECK(cd_sweep_sphere_aabb(s, cd_vec3_scale(way, 40), b, NULL, NULL));
        }
    }
}

/* The corners of a feature are those that are nearest to the point. */
static void box_features_are_where_they_should_be(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(500); ++i) {
        cd_aabb b = {{-1, -2, -3}, {1, 2, 3}};
        cd_vec3 c = cd_vec3_make((cd_real)test_range(&rng, -6, 6), (cd_real)test_range(&rng, -6, 6),
                                 (cd_real)test_range(&rng, -6, 6));
        cd_sphere s = ball((double)c.x, (double)c.y, (double)c.z, 0.25);
        cd_hit hit;
        double p[3], half[3] = {1, 2, 3};
        uint32_t at[3], kind, index, want = 0, outside = 0;
        if (!cd_sweep_sphere_aabb(s, cd_vec3_neg(c), b, NULL, &hit) || (hit.flags & CD_HIT_START)) continue;
        kind = CD_FEATURE_KIND(hit.feature), index = CD_FEATURE_INDEX(hit.feature);
        p[0] = (double)hit.point.x, p[1] = (double)hit.point.y, p[2] = (double)hit.point.z;
        for (int k = 0; k < 3; ++k) {
            at[k] = p[k] >= half[k] ? 2u : p[k] <= -half[k] ? 0u : 1u;
            outside += at[k] != 1u;
        }
        if (!CHECK_INT(kind, 4 - outside)) continue;
        if (kind == 1u) want = at[0] / 2 + at[1] + 2 * at[2];
        for (uint32_t k = 0; k < 3; ++k) {
            uint32_t low = k == 0 ? at[1] : at[0], high = k == 2 ? at[1] : at[2];
            if (kind == 2u && at[k] == 1u) want = 4 * k + low / 2 + high;
            if (kind == 3u && at[k] != 1u) want = 2 * k + at[k] / 2;
        }
        CHECK_INT(index, want);
    }
}

/* ---- starts and sides ---- */

static void starts_are_by_the_options(void) {
    cd_triangle t = corner_triangle();
    cd_sphere s = ball(1, 1, 0.5, 1);
    cd_vec3 down = cd_vec3_make(1, 0, -4), up = cd_vec3_make(1, 0, 4), along = cd_vec3_make(1, 0, 0);
    cd_cast_options o;
    cd_hit hit;
    memset(&o, 0, sizeof o);
    CHECK(cd_sweep_sphere_triangle(s, up, &t, &o, &hit) && hit.flags == (CD_HIT_START | CD_HIT_BACK));
    CHECK_SAME(hit.t, 0);
    CHECK_SAME(hit.depth, 0);
    o.flags = CD_CAST_START_DEPTH;
    CHECK(cd_sweep_sphere_triangle(s, down, &t, &o, &hit));
    CHECK_NEAR(hit.depth, 0.5, (double)CD_REAL_EPSILON);
    CHECK_VEC(hit.normal, cd_vec3_make(0, 0, 1), 0);
    o.flags = CD_CAST_START_IGNORE;
    CHECK(!cd_sweep_sphere_triangle(s, down, &t, &o, &hit));
    o.flags = CD_CAST_START_LEAVING;
    CHECK(!cd_sweep_sphere_triangle(s, up, &t, &o, &hit));
    CHECK(!cd_sweep_sphere_triangle(s, along, &t, &o, &hit));
    CHECK(cd_sweep_sphere_triangle(s, down, &t, &o, &hit));
    o.flags = CD_CAST_CULL_BACK;
    CHECK(!cd_sweep_sphere_triangle(ball(1, 1, -3, 1), cd_vec3_make(0, 0, 4), &t, &o, &hit));
    CHECK(cd_sweep_sphere_triangle(ball(1, 1, 3, 1), cd_vec3_make(0, 0, -4), &t, &o, &hit));
    o.flags = CD_CAST_CULL_FRONT;
    CHECK(!cd_sweep_sphere_triangle(ball(1, 1, 3, 1), cd_vec3_make(0, 0, -4), &t, &o, &hit));
    o.flags = 0;
    o.t_min = (cd_real)0.5;
    CHECK(cd_sweep_sphere_triangle(ball(1, 1, 3, 1), cd_vec3_make(0, 0, -8), &t, &o, &hit));
    CHECK(hit.flags == CD_HIT_START && hit.t == (cd_real)0.5);
    o.t_min = (cd_real)0.125;
    CHECK(cd_sweep_sphere_triangle(ball(1, 1, 3, 1), cd_vec3_make(0, 0, -8), &t, &o, &hit));
    CHECK_NEAR(hit.t, 0.25, T_MARGIN);
    o.t_min = (cd_real)0.75;
    CHECK(!cd_sweep_sphere_triangle(ball(1, 1, 3, 1), cd_vec3_make(0, 0, -8), &t, &o, &hit));
}

/* What is short of contact by no more than rounding is a start, along an axis, too: the tests say so of triangles. */
static void starts_within_the_excess(void) {
    cd_sphere s = ball(-1, 0x1p-60, 0, 2);
    cd_triangle t = {{0, -3, 1}, {-1, -2, 0}, {1, -3, -1}};
    cd_aabb box = {{-2, -3, -1}, {0, -2, 1}};
    cd_vec3 ways[2] = {{0, 0, 0}, {1, 0, 0}};
    for (int i = 0; i < 2; ++i) {
        cd_hit hit;
        CHECK(cd_test_sphere_triangle(s, &t));
        if (CHECK(cd_sweep_sphere_triangle(s, ways[i], &t, NULL, &hit))) CHECK(hit.flags & CD_HIT_START);
        if (CHECK(cd_sweep_sphere_triangles(s, ways[i], &t, 1, NULL, &hit))) CHECK(hit.flags & CD_HIT_START);
        if (CHECK(cd_sweep_sphere_polygon(s, ways[i], &t.a, 3, NULL, &hit))) CHECK(hit.flags & CD_HIT_START);
        if (CHECK(cd_sweep_sphere_aabb(s, ways[i], box, NULL, &hit))) CHECK(hit.flags & CD_HIT_START);
    }
}

/* Past the border of a flat box, by less than the excess: what is met, if so, is the box, and not the line that its narrow side is. */
static void flat_boxes_have_no_narrow_sides(void) {
    cd_sphere s = {{(cd_real)-0x1.bafafap-5, (cd_real)-0x1.7ea128p-11, (cd_real)-0x1.60742p-49}, 0};
    cd_vec3 motion = {(cd_real)-0x1.78caeep+32, (cd_real)0x1.c19c36p+37, (cd_real)-0x1.511a0ap+49};
    cd_aabb b = {{(cd_real)0x1.1943f4p-9, (cd_real)-0x1.d3ee82p+1, (cd_real)-0x1.09a8dcp+5},
                 {(cd_real)0x1.b7ea8ep+48, (cd_real)0x1.c28cdcp+26, (cd_real)-0x1.09a8dcp+5}};
    for (int turn = 0; turn < 3; ++turn) {
        sweep_body moving = sweep_of_sphere(s), still = sweep_of_aabb(b);
        cd_hit hit;
        bool got = cd_sweep_sphere_aabb(s, motion, b, NULL, &hit);
        test_note("turn %d", turn);
        sweep_judge(&moving, motion, &still, got, &hit);
        s.center = cd_vec3_make(s.center.y, s.center.z, s.center.x);
        motion = cd_vec3_make(motion.y, motion.z, motion.x);
        b.min = cd_vec3_make(b.min.y, b.min.z, b.min.x);
        b.max = cd_vec3_make(b.max.y, b.max.z, b.max.x);
    }
}

/* The centre on the border or on a line from corner to corner, any motion: moved by the depth, the ball only touches. */
static void leaving_a_polygon_ends_the_overlap(void) {
    static const cd_vec3 square[] = {{0, 0, 0}, {4, 0, 0}, {4, 4, 0}, {0, 4, 0}};
    cd_cast_options o;
    memset(&o, 0, sizeof o);
    o.flags = CD_CAST_START_DEPTH;
    for (int k = 0; k < 9 * 27; ++k) {
        cd_sphere s = ball(k % 3 * 2, k / 3 % 3 * 2, 0, 0.5), out = s;
        cd_vec3 d =
            cd_vec3_make((cd_real)(k / 9 % 3 - 1), (cd_real)(3 * (k / 27 % 3 - 1)), (cd_real)(k / 81 - 1));
        cd_hit hit;
        if (!CHECK(cd_sweep_sphere_polygon(s, d, square, 4, &o, &hit))) continue;
        out.center = cd_vec3_along(s.center, hit.normal, hit.depth);
        out.radius *= (cd_real)0.9999;
        CHECK(!cd_test_sphere_polygon(out, square, 4));
        CHECK(cd_vec3_dot(hit.normal, d) <= 0);
    }
}

static bool test_any(const scene *x, int which) {
    switch (which) {
    case 0: return cd_test_sphere_sphere(x->s, x->ball);
    case 1: return cd_test_sphere_capsule(x->s, &x->capsule);
    case 2: return cd_test_sphere_triangle(x->s, &x->triangle);
    case 3: return cd_test_sphere_polygon(x->s, x->polygon, (size_t)x->count);
    case 4: return cd_test_sphere_aabb(x->s, x->box);
    default: return false; /* boxes that are not quite perpendicular are not the same in both */
    }
}

/* ---- what must hold between answers ---- */

static cd_vec3 scaled(cd_vec3 v, int e) {
    return cd_vec3_make((cd_real)ldexp((double)v.x, e), (cd_real)ldexp((double)v.y, e),
                        (cd_real)ldexp((double)v.z, e));
}

static void scale_scene(scene *x, int e) {
    cd_vec3 *v[] = {&x->s.center,  &x->motion,     &x->ball.center,   &x->capsule.a,
                    &x->capsule.b, &x->triangle.a, &x->triangle.b,    &x->triangle.c,
                    &x->box.min,   &x->box.max,    &x->turned.center, &x->turned.half};
    for (size_t i = 0; i < sizeof v / sizeof *v; ++i) *v[i] = scaled(*v[i], e);
    for (int i = 0; i < x->count; ++i) x->polygon[i] = scaled(x->polygon[i], e);
    x->s.radius = (cd_real)ldexp((double)x->s.radius, e);
    x->ball.radius = (cd_real)ldexp((double)x->ball.radius, e);
    x->capsule.radius = (cd_real)ldexp((double)x->capsule.radius, e);
}

static bool same_vec(cd_vec3 a, cd_vec3 b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
}

static bool same_hit(const cd_hit *a, const cd_hit *b) {
    return a->t == b->t && same_vec(a->point, b->point) && same_vec(a->normal, b->normal) &&
           a->depth == b->depth && a->u == b->u && a->v == b->v && a->feature == b->feature &&
           a->flags == b->flags;
}

static void answers_agree_with_each_other(void) {
    static const uint32_t flags[] = {CD_CAST_START_DEPTH, CD_CAST_START_IGNORE, CD_CAST_START_LEAVING,
                                     CD_CAST_CULL_BACK};
    test_rng rng = test_random();
    for (long i = 0; i < test_times(4000); ++i) {
        scene x = any_scene(&rng), big = x;
        int e = test_int(&rng, -6, 6);
        scale_scene(&big, e);
        for (int which = 0; which < 6; ++which) {
            cd_hit hit, other;
            cd_cast_options o;
            bool got;
            memset(&hit, 0, sizeof hit);
            memset(&o, 0, sizeof o);
            note_scene(&x);
            body_of_any(&x, which);
            got = sweep_any(&x, which, NULL, &hit);
            CHECK(got == sweep_any(&x, which, &o, NULL));
            if (test_any(&x, which)) CHECK(got && (hit.flags & CD_HIT_START) && hit.t == 0);
            if (sweep_any(&big, which, NULL, &other) != got) CHECK(!"the same at any scale");
            if (got) {
                other.point = scaled(other.point, -e);
                CHECK(same_hit(&hit, &other));
            }
            o.flags = flags[i % 4];
            if (!got || !sweep_any(&x, which, &o, &other)) continue;
            if (!(hit.flags & CD_HIT_START)) CHECK(same_hit(&hit, &other));
            CHECK(i % 4 != 1 || !(other.flags & CD_HIT_START));
            CHECK(i % 4 != 3 || !(other.flags & CD_HIT_BACK));
        }
    }
}

/* At the ends of the domain, too: the straight way to the nearest point of a triangle is taken there or nowhere. */
static void triangles_near_the_ends_of_the_domain(void) {
    test_rng rng = test_random();
    int end = sizeof(cd_real) == 4 ? 55 : 199;
    for (long i = test_times(1000); i > 0; --i) {
        int e = i % 2 ? end : -end;
        scene x = scene_of(gen_begin(&rng, GEN_UNIT)), big = x;
        cd_hit hit, other;
        bool got;
        scale_scene(&big, e);
        note_scene(&x);
        body_of_any(&x, 2);
        CHECK(same_vec(scaled(cd_closest_pt_point_triangle(big.s.center, &big.triangle), -e),
                       cd_closest_pt_point_triangle(x.s.center, &x.triangle)));
        memset(&hit, 0, sizeof hit);
        got = sweep_any(&x, 2, NULL, &hit);
        if (!CHECK_INT(sweep_any(&big, 2, NULL, &other), got) || !got) continue;
        other.point = scaled(other.point, -e);
        CHECK(same_hit(&hit, &other));
    }
}

/* Far outside of the domain the contact is where it is in it; only which side is met may not be told. */
static void sizes_outside_of_the_domain(void) {
    test_rng rng = test_random();
    long hits = 0;
    for (long i = test_times(1000); i > 0; --i) {
        int far_off = sizeof(cd_real) == 4 ? 60 : 320, e = i % 2 ? far_off : -far_off;
        scene x = scene_of(gen_begin(&rng, GEN_UNIT)), big = x;
        scale_scene(&big, e);
        note_scene(&x);
        for (int which = 0; which < 6; ++which) {
            cd_hit hit, other;
            bool got;
            memset(&hit, 0, sizeof hit);
            memset(&other, 0, sizeof other);
            body_of_any(&x, which);
            got = sweep_any(&x, which, NULL, &hit);
            if (!CHECK_INT(sweep_any(&big, which, NULL, &other), got) || !got) continue;
            CHECK_SAME(other.t, hit.t);
            CHECK(same_vec(scaled(other.point, -e), hit.point) && same_vec(other.normal, hit.normal));
            CHECK_INT(other.feature, hit.feature);
            ++hits;
        }
    }
    CHECK_SEEN(hits > 0);
}

/* Corners in another order, and the other way round: the same contact, up to the excess; the other side, where it is one. */
static void corners_may_come_in_any_order(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(4000); ++i) {
        scene x = any_scene(&rng);
        sweep_body a = sweep_of_sphere(x.s), b;
        cd_triangle t = x.triangle;
        cd_hit hit, other;
        bool got = cd_sweep_sphere_triangle(x.s, x.motion, &x.triangle, NULL, &hit);
        note_scene(&x);
        body_of_any(&x, 2);
        t.a = x.triangle.b;
        t.b = i % 2 ? x.triangle.a : x.triangle.c;
        t.c = i % 2 ? x.triangle.c : x.triangle.a;
        b = sweep_of_triangle(&t);
        if (!ASK("order", cd_sweep_sphere_triangle(x.s, x.motion, &t, NULL, &other))) {
            sweep_judge(&a, x.motion, &b, false, NULL);
            continue;
        }
        sweep_judge(&a, x.motion, &b, true, &other);
        if (!got || (hit.flags | other.flags) & CD_HIT_START) continue;
        CHECK(CD_FEATURE_KIND(hit.feature) != CD_FEATURE_KIND(other.feature) ||
              cd_vec3_dot(hit.normal, other.normal) > 0 ||
              (double)x.s.radius < 1e-6 * (double)cd_vec3_length(x.motion));
    }
}

/* Exactly in step with one call each: the first of the smallest t, before rounding. */
typedef struct kept {
    uint32_t residue;
    long asked;
} kept;

static bool keep_some(void *user, uint32_t index) {
    kept *k = (kept *)user;
    ++k->asked;
    return index % 3 != k->residue;
}

static void many_triangles_are_one_after_another(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(2000); ++i) {
        enum { MANY = 20 };
        scene x = any_scene(&rng);
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_triangle t[MANY];
        kept some = {7, 0};
        cd_cast_options o;
        cd_hit hit, one;
        uint32_t best = CD_NONE;
        cd_real least = 2;
        bool got;
        memset(&o, 0, sizeof o);
        memset(&hit, 0, sizeof hit);
        for (int k = 0; k < MANY; ++k) t[k] = k % 4 == 3 ? t[k - 1] : k % 2 ? x.triangle : gen_triangle(&g);
        if (i % 3 == 0) some.residue = (uint32_t)test_int(&rng, 0, 2);
        o.filter = keep_some;
        o.user = &some;
        o.flags = i % 2 ? CD_CAST_START_LEAVING : 0;
        got = ASK("loop", cd_sweep_sphere_triangles(x.s, x.motion, t, MANY, &o, &hit));
        CHECK(some.asked <= MANY);
        for (uint32_t k = 0; k < MANY; ++k) {
            if (k % 3 == some.residue || !cd_sweep_sphere_triangle(x.s, x.motion, &t[k], &o, &one)) continue;
            CHECK(got && hit.t <= one.t);
            if (k == hit.index) CHECK(same_hit(&hit, &one));
            if (one.t < least || (best == CD_NONE)) best = k, least = one.t;
        }
        CHECK(got == (best != CD_NONE));
        if (got)
            CHECK(hit.index >= best &&
                  hit.t == least); /* of equal ones when rounded, another may be the first */
    }
}

#ifdef COLLIDE_DOUBLE
/* The point goes nearly along a long triangle, slowly towards it: at the time of the hit of another one it is within one and a quarter slacks
 * of an edge, which is a contact, but not yet in the thinner slab of the face. */
static void an_edge_is_met_before_the_slab(void) {
    static const cd_triangle t[2] = {
        {{-0x1.735dee7dadcp-101, 0x1.a8fc52f92ddb8p+184, -0x1.c59babf81466p+73},
         {-0x1.d00ace91c0038p+17, -0x1.22bacaaecb934p+168, -0x1.5b0564f08c5c4p-185},
         {0x1.b10ce0c5614d4p-177, 0x1.bbf7ee18df86p+168, 0x1.06230a6e25d08p+126}},
        {{-0x1.aa8921518d328p+119, 0x1.c59aa932d871ap+36, 0x1.ef4e14e96c54p+13},
         {0x1.43bacefaa6496p-163, -0x1.d1df435b0702ep+175, -0x1.c9077c96b0daep+142},
         {-0x1.959457974fe3p-101, 0x1.01f1ab8ec437p+104, 0x1.f6b6fea5db638p-178}}};
    cd_sphere s = {{-0x1.94c74b61160b2p-67, -0x1.ca4e5f025d9bcp+169, -0x1.d94ed0e8aede4p-183}, 0};
    cd_vec3 motion = {-0x1.72bfc406163d4p+41, 0x1.ca4e5f025d9bcp+169, 0x1.539d70ec867e8p-44};
    cd_hit hit, one;
    CHECK(ASK("loop", cd_sweep_sphere_triangles(s, motion, t, 2, NULL, &hit)));
    CHECK(cd_sweep_sphere_triangle(s, motion, &t[1], NULL, &one) && same_hit(&hit, &one));
    CHECK_INT(hit.index, 1);
}
#endif

/* The first one must not hide what a shorter motion does not see of the second, which is met sooner. */
static void a_hit_does_not_change_what_follows(void) {
    static const cd_real corner[18] = {
        (cd_real)18434.6348,      (cd_real)-7.76836765e-13, (cd_real)5.62388584e-15,
        (cd_real)-0.298145741,    (cd_real)-9.79056333e+09, (cd_real)8.59172031e-15,
        (cd_real)-1.41254868e+13, (cd_real)-15613.8145,     (cd_real)40939072,
        (cd_real)0.000110522808,  (cd_real)5.85424492e-15,  (cd_real)-2.51285592e-13,
        (cd_real)1.75544121e-10,  (cd_real)-0.146508187,    (cd_real)2.61918308e-13,
        (cd_real)3.21720901e+14,  (cd_real)-0.00316756219,  (cd_real)-1.60638994e-15};
    cd_sphere s = ball(47.0917168, 5.48429412e-13, -62745.6562, 0.284154803);
    cd_vec3 motion = cd_vec3_make(29865794, (cd_real)4.07110164e+10, (cd_real)2.1827919e+15);
    cd_triangle t[2];
    cd_hit hit, one;
    memcpy(t, corner, sizeof t);
    for (int k = 0; k < 2; ++k) {
        CHECK(cd_sweep_sphere_triangles(s, motion, t, 2, NULL, &hit));
        CHECK(cd_sweep_sphere_triangle(s, motion, &t[k], NULL, &one) && hit.t <= one.t);
    }
}

/* The centre on a diagonal of the fan, or at a corner: the normal is not that of a diagonal. */
static void a_polygon_is_left_across_its_face(void) {
    static const cd_real corner[2][15] = {{-2, -2, -4, -2, -2, 0, 4, -2, 0, 6, -2, -4, 4, -2, -5},
                                          {-6, -2, 2, 2, -2, 2, 2, 1, 2, -6, 2, 2, -8, 1, 2}};
    cd_cast_options o = {CD_CAST_START_DEPTH, 0, NULL, NULL, 0};
    for (int k = 0; k < 2; ++k) {
        cd_sphere s = k ? ball(2, 1, 2, 2) : ball(1, -2, -2, 2);
        cd_vec3 motion = k ? cd_vec3_make(4096, -12288, 0) : cd_vec3_make(0, 0, 1), p[5];
        cd_hit hit;
        memcpy(p, corner[k], sizeof p);
        if (!CHECK(cd_sweep_sphere_polygon(s, motion, p, 5, &o, &hit))) continue;
        CHECK_NEAR(hit.depth, 2, 0);
        s.center = cd_vec3_along(s.center, hit.normal, hit.depth + (cd_real)1e-3);
        CHECK(!cd_test_sphere_polygon(s, p, 5));
    }
}

/* A point in a polygon's plane that comes to a corner, where three edges of the fan may end: the normal is of the polygon's border. */
static void a_corner_is_met_at_the_border(void) {
    static const cd_vec3 corner[4] = {{-1, 0, -2}, {-1, 4, -2}, {-1, 4, 1}, {-1, 0, 2}};
    for (int first = 0; first < 4; ++first) {
        cd_vec3 p[4];
        cd_hit hit;
        for (int i = 0; i < 4; ++i) p[i] = corner[(first + i) % 4];
        if (!CHECK(cd_sweep_sphere_polygon(ball(-1, -2, -2, 0), cd_vec3_make(0, 3, 0), p, 4, NULL, &hit)))
            continue;
        CHECK_INT(hit.feature, CD_FEATURE(CD_FEATURE_VERTEX, (4u - (uint32_t)first) % 4));
        CHECK_VEC(hit.normal, cd_vec3_make(0, -1, 0), 0);
    }
}

/* A centre on the axis of a capsule, or on another centre: the point is on the surface all the same. */
static void a_start_in_the_middle_is_told_on_the_surface(void) {
    cd_cast_options o = {CD_CAST_START_DEPTH, 0, NULL, NULL, 0};
    cd_capsule c = {{-1, 0, 0}, {1, 0, 0}, 2};
    cd_vec3 down = cd_vec3_make(0, 0, -1);
    cd_hit hit;
    for (int depth = 0; depth < 2; ++depth) {
        const cd_cast_options *with = depth ? &o : NULL;
        CHECK(cd_sweep_sphere_capsule(ball(0, 0, 0, 1), down, &c, with, &hit) && (hit.flags & CD_HIT_START));
        CHECK_VEC(hit.point, cd_vec3_make(0, 0, 2), 0);
        CHECK(cd_sweep_sphere_sphere(ball(0, 0, 0, 1), down, ball(0, 0, 0, 2), with, &hit));
        CHECK_VEC(hit.point, cd_vec3_make(0, 0, 2), 0);
    }
}

static void a_depth_is_finite(void) {
    cd_cast_options o = {CD_CAST_START_DEPTH, 0, NULL, NULL, 0};
    cd_sphere s = ball(0, 0, 0, 1);
    cd_hit hit;
    s.radius = CD_REAL_MAX;
    CHECK(cd_sweep_sphere_sphere(s, cd_vec3_make(0, 1, 0), s, &o, &hit));
    CHECK_SAME(hit.depth, CD_REAL_MAX);
}

static void what_makes_no_sense_is_not_met(void) {
    cd_real nan = (cd_real)NAN, inf = (cd_real)INFINITY;
    cd_triangle t = corner_triangle(), bad = t;
    cd_aabb empty = cd_aabb_empty();
    cd_sphere s = ball(1, 1, 3, 1);
    cd_vec3 down = cd_vec3_make(0, 0, -4);
    cd_hit hit;
    cd_obb box;
    bad.b.y = nan;
    memset(&hit, 0, sizeof hit);
    memset(&box, 0, sizeof box);
    box.half.x = -1;
    hit.index = 7;
    CHECK(!cd_sweep_sphere_triangle(s, down, &bad, NULL, &hit));
    CHECK(!cd_sweep_sphere_triangle(s, cd_vec3_make(inf, 0, 0), &t, NULL, &hit));
    CHECK(!cd_sweep_sphere_triangle(ball(1, 1, 3, -1), down, &t, NULL, &hit));
    CHECK(!cd_sweep_sphere_triangle(ball(1, 1, NAN, 1), down, &t, NULL, &hit));
    CHECK(!cd_sweep_sphere_triangles(s, cd_vec3_make(inf, 0, 0), &t, 1, NULL, &hit));
    CHECK(!cd_sweep_sphere_triangles(ball(1, 1, 3, -1), down, &t, 1, NULL, &hit));
    CHECK(!cd_sweep_sphere_triangles(ball(1, 1, NAN, 1), down, &t, 1, NULL, &hit));
    CHECK(!cd_sweep_sphere_triangles(s, down, &bad, 1, NULL, &hit));
    CHECK(!cd_sweep_sphere_triangles(s, down, NULL, 0, NULL, &hit));
    CHECK(!cd_sweep_sphere_polygon(s, down, NULL, 0, NULL, &hit));
    CHECK(!cd_sweep_sphere_polygon(s, down, &bad.a, 3, NULL, &hit));
    CHECK(!cd_sweep_sphere_aabb(s, down, empty, NULL, &hit));
    CHECK(!cd_sweep_sphere_obb(s, down, &box, NULL, &hit));
    CHECK(!cd_sweep_sphere_sphere(s, down, ball(0, 0, 0, -1), NULL, &hit));
    CHECK(hit.index == 7);
}

/* Along a needle at about the excess from it, and along it but for that: the normal is across the needle where its side is met, though the
 * motion all but is not, and against the motion where its end is. */
static void a_needle_is_met_at_its_side_or_its_end(void) {
    double wide = sizeof(cd_real) == 4 ? 1 : 16; /* as the excess is of the length */
    cd_sphere s = {{(cd_real)0x1.0681cp-27, (cd_real)-0x1.98b96ap+11, (cd_real)(-0x1.4fd6cp-10 * wide)}, 0};
    cd_vec3 motion = {(cd_real)0x1.7d3498p-26, (cd_real)-0x1.2a56bep+34, (cd_real)(-0x1.62e5d8p+0 * wide)};
    cd_triangle t = {{(cd_real)0x1.b4bf3ap-45, (cd_real)-0x1.77942cp-46, (cd_real)(-0x1.5fbe02p-35 * wide)},
                     {(cd_real)0x1.003abcp-25, (cd_real)-0x1.2a56c2p+34, (cd_real)(-0x1.6339cep+0 * wide)},
                     {(cd_real)0x1.b4bf3ap-45, (cd_real)-0x1.77942cp-46, (cd_real)(-0x1.5fbe02p-35 * wide)}};
    cd_capsule core = {{0, 0, 0}, {0, -1, 0}, 0};
    sweep_body a = sweep_of_sphere(s), b = sweep_of_triangle(&t);
    bool sides = false, ends = false;
    cd_hit hit;
    test_note("");
    if (CHECK(cd_sweep_sphere_triangle(s, motion, &t, NULL, &hit))) sweep_judge(&a, motion, &b, true, &hit);
    for (int i = 0; i < 4096; ++i) {
        bool got;
        s.center = cd_vec3_make(0, (cd_real)(i % 4 ? -0.25 : 0.5), (cd_real)(i / 4 % 32 * 0x1p-49 * wide));
        motion = cd_vec3_make((cd_real)(i / 128 % 4 * 0x1p-50 * wide), i % 2 ? -1 : 1,
                              (cd_real)(-(i / 512) * 0x1p-49 * wide));
        if (i % 4 == 0) motion.y = -1;
        test_note("%d", i);
        a = sweep_of_sphere(s);
        b = sweep_of_capsule(&core);
        got = cd_sweep_sphere_capsule(s, motion, &core, NULL, &hit);
        sweep_judge(&a, motion, &b, got, &hit);
        if (!got || (hit.flags & CD_HIT_START)) continue;
        if (s.center.y < 0)
            sides = sides || CHECK_NEAR(hit.normal.y, 0, 1e-9);
        else if (i / 4 % 32 < 16)
            ends = ends || CHECK_NEAR(hit.normal.y, 1, 1e-9);
    }
    CHECK(sides && ends);
}

/* A needle no wider than rounding: the areas beside its edges tell nothing of the weights. */
static void weights_of_a_needle(void) {
    cd_sphere s = {
        {(cd_real)-0x1.84a2c06f18e8p-15, (cd_real)0x1.270fa3afb012p-9, (cd_real)-0x1.ea5df6efc7e2cp-12},
        (cd_real)0x1.172110a6886ep-64};
    cd_vec3 motion = {(cd_real)0x1.463529d3a9f0ep+0, (cd_real)0x1.d093f3692a498p-6,
                      (cd_real)0x1.0952655c5f672p-10};
    cd_triangle t = {
        {(cd_real)-0x1.0769b998f4aa8p-7, (cd_real)-0x1.b7a3c20c489e8p-13, 0},
        {(cd_real)0x1.055ae625c2c13p+0, (cd_real)0x1.b4347a88300d4p-6, (cd_real)0x1.5171c22799f9cp-40},
        {(cd_real)0x1.055ae625c2c13p+0, (cd_real)0x1.b4347a88303c2p-6, (cd_real)-0x1.0998660a88a1p-53}};
    sweep_body a = sweep_of_sphere(s), b = sweep_of_triangle(&t);
    cd_hit hit;
    bool got = cd_sweep_sphere_triangle(s, motion, &t, NULL, &hit);
    test_note("");
    CHECK(got || sizeof(cd_real) == 4);
    sweep_judge(&a, motion, &b, got, &hit);
}

/* All is one point: it is touched. */
static void nothing_at_the_origin_is_met(void) {
    scene x;
    cd_hit hit;
    memset(&x, 0, sizeof x);
    x.count = 1;
    x.turned.axes = cd_mat3_identity();
    for (int which = 0; which < 6; ++which) {
        test_note("%d", which);
        CHECK(sweep_any(&x, which, NULL, &hit) && (hit.flags & CD_HIT_START));
    }
}

/* A point that comes in the triangle's plane has the normal of a border that it meets: at a corner of that more against the motion. And of
 * one that starts in the plane the normal is against the motion whichever way round the corners are. */
static void in_the_plane_of_a_triangle(void) {
    static const cd_vec3 corner[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    static const cd_vec3 out[3] = {{0, -1, 0}, {1, 1, 0}, {-1, 0, 0}};
    cd_cast_options o;
    cd_hit hit;
    memset(&o, 0, sizeof o);
    o.flags = CD_CAST_START_DEPTH;
    for (int i = 0; i < 36; ++i) {
        int turn = i % 3, at = i / 3 % 3, other = i / 9 % 2 ? at : (at + 2) % 3, flip = i / 18;
        cd_triangle t = {corner[turn], corner[(turn + 1 + flip) % 3], corner[(turn + 2 - flip) % 3]};
        cd_vec3 motion = cd_vec3_along(cd_vec3_scale(out[other], -2), out[(2 * at + 2 - other) % 3], -1);
        cd_sphere s = {cd_vec3_along(corner[at], motion, (cd_real)-0.5), 0};
        test_note("%d", i);
        if (!CHECK(cd_sweep_sphere_triangle(s, motion, &t, NULL, &hit))) continue;
        CHECK_VEC(hit.normal, cd_vec3_normalize(out[other]), 1e-6);
        s.center = cd_vec3_make((cd_real)0.25, (cd_real)0.25, 0);
        s.radius = (cd_real)0.125;
        motion = cd_vec3_make((cd_real)0.5, 0, (cd_real)(at % 2 ? 1 : -1));
        if (!CHECK(cd_sweep_sphere_triangle(s, motion, &t, &o, &hit))) continue;
        CHECK_VEC(hit.normal, cd_vec3_make(0, 0, 0 - motion.z), 0);
        CHECK_NEAR(hit.depth, 0.125, 1e-6);
    }
}

void suite_sweep_sphere(void) {
    RUN(sweeps_are_as_the_reference_says);
    RUN(a_triangle_is_met_at_face_edge_and_corner);
    RUN(boxes_are_met_at_all_corners_and_edges);
    RUN(box_features_are_where_they_should_be);
    RUN(starts_are_by_the_options);
    RUN(starts_within_the_excess);
    RUN(flat_boxes_have_no_narrow_sides);
    RUN(leaving_a_polygon_ends_the_overlap);
    RUN(answers_agree_with_each_other);
    RUN(triangles_near_the_ends_of_the_domain);
    RUN(sizes_outside_of_the_domain);
    RUN(corners_may_come_in_any_order);
    RUN(many_triangles_are_one_after_another);
    RUN(a_hit_does_not_change_what_follows);
#ifdef COLLIDE_DOUBLE
    RUN(an_edge_is_met_before_the_slab);
#endif
    RUN(a_polygon_is_left_across_its_face);
    RUN(a_corner_is_met_at_the_border);
    RUN(a_needle_is_met_at_its_side_or_its_end);
    RUN(a_start_in_the_middle_is_told_on_the_surface);
    RUN(a_depth_is_finite);
    RUN(what_makes_no_sense_is_not_met);
    RUN(weights_of_a_needle);
    RUN(nothing_at_the_origin_is_met);
    RUN(in_the_plane_of_a_triangle);
}
