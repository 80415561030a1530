/* Times of impact against poses and distances in long double, that share nothing with the library: apart at every sample before, as near
 * as stated at the contact; closed forms, cases of other projects, fast spinning rods, far away, tiny and huge; options, bad input. */
#include "cases.h"
#include "gen.h"
#include "sweeps.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

typedef struct body {
    int kind;
    cd_sphere sphere;
    cd_capsule capsule;
    cd_triangle triangle;
    cd_aabb aabb;
    cd_obb obb;
    cd_hull hull;
    cd_support support;
    sweep_body shape; /* in its own frame */
    cd_motion motion;
} body;

enum { SPHERE, CAPSULE, TRIANGLE, AABB, OBB, HULL, KINDS };

/* ---- where a body is at a time ---- */

typedef long double real;

static void turn(const double u[3], real angle, const real p[3], real out[3]) {
    real c = cosl(angle), s = sinl(angle), along = (real)u[0] * p[0] + (real)u[1] * p[1] + (real)u[2] * p[2];
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        out[k] = p[k] * c + ((real)u[i] * p[j] - (real)u[j] * p[i]) * s + (real)u[k] * along * (1 - c);
    }
}

static void rotate(cd_quat q, const real p[3], real out[3]) {
    real v[3] = {q.x, q.y, q.z}, w = q.w, n = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + w * w;
    if (n == 0) n = w = 1;
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        real dot = v[0] * p[0] + v[1] * p[1] + v[2] * p[2], vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
        out[k] = ((w * w - vv) * p[k] + 2 * v[k] * dot + 2 * w * (v[i] * p[j] - v[j] * p[i])) / n;
    }
}

/* The way of the origin: of a screw, about its axis through c. */
static void way_at(const cd_motion *m, real part, real out[3]) {
    real d[3], along, c[3], back[3], turned[3];
    for (int k = 0; k < 3; ++k) d[k] = (real)(&m->to.position.x)[k] - (real)(&m->from.position.x)[k];
    for (int k = 0; k < 3; ++k) out[k] = part * d[k];
    if (m->kind != CD_MOTION_SCREW || m->angle < 1e-9) return;
    along = d[0] * (real)m->axis[0] + d[1] * (real)m->axis[1] + d[2] * (real)m->axis[2];
    for (int k = 0; k < 3; ++k) d[k] -= along * (real)m->axis[k];
    for (int k = 0; k < 3; ++k) {
        int i = (k + 1) % 3, j = (k + 2) % 3;
        real across = (real)m->axis[i] * d[j] - (real)m->axis[j] * d[i];
        c[k] = (d[k] + across / tanl((real)m->angle / 2)) / 2;
        back[k] = -c[k];
    }
    turn(m->axis, part * (real)m->angle, back, turned);
    for (int k = 0; k < 3; ++k) out[k] = c[k] + turned[k] + part * along * (real)m->axis[k];
}

/* The corners at time t, less `place`. */
static sweep_body at_time(const body *b, double t, const double place[3]) {
    const cd_motion *m = &b->motion;
    real first = fminl(2 * (real)t, 1), last = fmaxl(2 * (real)t - 1, 0), turned, gone, way[3];
    sweep_body s = b->shape;
    turned = m->kind == CD_MOTION_TURN_FIRST ? first : m->kind == CD_MOTION_TURN_LAST ? last : (real)t;
    gone = m->kind == CD_MOTION_TURN_FIRST ? last : m->kind == CD_MOTION_TURN_LAST ? first : (real)t;
    way_at(m, gone, way);
    for (int i = 0; i < s.count; ++i) {
        real p[3], q[3], r[3];
        for (int k = 0; k < 3; ++k) p[k] = (real)b->shape.origin[k] + (real)b->shape.corner[i][k];
        rotate(m->from.rotation, p, q);
        turn(m->axis, turned * (real)m->angle, q, r);
        for (int k = 0; k < 3; ++k)
            s.corner[i][k] = (double)(r[k] + way[k] + (real)(&m->from.position.x)[k] - (real)place[k]);
    }
    for (int k = 0; k < 3; ++k) s.origin[k] = 0;
    return s;
}

static double apart_at(const body *a, const body *b, double t) {
    static const double nowhere[3] = {0, 0, 0};
    double place[3];
    sweep_body p, q;
    for (int k = 0; k < 3; ++k) place[k] = (double)(&b->motion.from.position.x)[k];
    p = at_time(a, t, place);
    q = at_time(b, t, place);
    return (double)sweep_distance(&p, nowhere, &q);
}

/* What the excess is measured by. */
static double most_of(const body *a) {
    double most = a->shape.radius;
    for (int i = 0; i < a->shape.count; ++i)
        for (int k = 0; k < 3; ++k) most = fmax(most, fabs(a->shape.origin[k] + a->shape.corner[i][k]));
    for (int k = 0; k < 3; ++k)
        most = fmax(most, fmax(fabs((double)(&a->motion.from.position.x)[k]),
                               fabs((double)(&a->motion.to.position.x)[k])));
    return most;
}

static double excess(const body *a, const body *b) {
    return (sizeof(cd_real) == 4 ? ldexp(1, -41) : ldexp(1, -38)) * fmax(most_of(a), most_of(b));
}

/* ---- judging ---- */

/* How fast any point goes, at most. */
static double speed_of(const body *b) {
    double far = 0, way = 0;
    for (int i = 0; i < b->shape.count; ++i) {
        double p = 0;
        for (int k = 0; k < 3; ++k) {
            double x = b->shape.origin[k] + b->shape.corner[i][k];
            p += x * x;
        }
        far = fmax(far, sqrt(p));
    }
    for (int k = 0; k < 3; ++k)
        way =
            fmax(way, fabs((double)(&b->motion.to.position.x)[k] - (double)(&b->motion.from.position.x)[k]));
    return 2 * (b->motion.angle * (far + way) + 2 * way) + far;
}

static void judge(const body *a, const body *b, const cd_impact *r, int samples) {
    double few = excess(a, b), t = (double)r->t, up = t * (1 + EPS);
    double fast = speed_of(a) + speed_of(b), least = INFINITY, first = 1;
    CHECK_INT(r->status, CD_OK);
    CHECK(t >= 0 && t <= 1);
    for (int i = 0; i <= samples; ++i) {
        double s = (double)i / samples, d = apart_at(a, b, s);
        if (d <= 0 && s < first) first = s;
        if (s <= t) least = fmin(least, d);
        if (r->hit ? s >= t : d <= 0) break;
    }
    if (t > 0) CHECK(least > 0); /* never late: apart at every sample up to t */
    if (!r->hit) {
        CHECK_SAME(r->t, 1);
        return;
    }
    CHECK_NEAR(fmin(apart_at(a, b, t), apart_at(a, b, fmin(up, 1))), 0, few + EPS * t * fast);
    CHECK_NEAR((double)cd_vec3_dot(r->normal, r->normal), 1, 8 * EPS);
}

/* ---- drawing ---- */

static void make_body(body *b) {
    cd_hull_parts parts;
    switch (b->kind) {
    case SPHERE: b->support = cd_support_of_sphere(b->sphere), b->shape = sweep_of_sphere(b->sphere); return;
    case CAPSULE:
        b->support = cd_support_of_capsule(&b->capsule), b->shape = sweep_of_capsule(&b->capsule);
        return;
    case TRIANGLE:
        b->support = cd_support_of_triangle(&b->triangle), b->shape = sweep_of_triangle(&b->triangle);
        return;
    case AABB: b->support = cd_support_of_aabb(&b->aabb), b->shape = sweep_of_aabb(b->aabb); return;
    case OBB: b->support = cd_support_of_obb(&b->obb), b->shape = sweep_of_obb(&b->obb); return;
    default:
        parts = cd_hull_get_parts(&b->hull);
        b->support = cd_support_of_hull(&b->hull);
        b->shape = sweep_of_polygon(parts.vertices, (int)parts.vertex_count);
    }
}

static void draw_body(gen *g, body *b) {
    cd_vec3 p[SWEEP_CORNERS];
    cd_segment s = gen_segment(g);
    int count = test_int(g->rng, 4, SWEEP_CORNERS);
    memset(b, 0, sizeof *b);
    b->kind = test_int(g->rng, 0, KINDS - 1);
    b->sphere = gen_sphere(g);
    b->capsule.a = s.a;
    b->capsule.b = s.b;
    b->capsule.radius = b->sphere.radius;
    b->triangle = gen_triangle(g);
    b->aabb = gen_aabb(g);
    b->obb = gen_obb(g);
    for (int i = 0; i < count; ++i) p[i] = gen_point(g);
    if (b->kind == HULL && cd_hull3_build(&b->hull, p, (size_t)count, NULL) != CD_OK) b->kind = OBB;
    make_body(b);
}

/* The core, about the origin; its rounding stays. */
static void stretch(body *b, test_rng *rng) {
    cd_vec3 by = sweep_stretch(&b->shape, rng);
    cd_support s = cd_support_scaled(&b->support, by);
    b->support = s;
}

static void note_body(const body *b) {
    body copy = *b;
    test_note("kind %d, motion %d ", b->kind, (int)b->motion.kind);
    test_note_reals("from", REALS(copy.motion.from), 7);
    test_note_reals("to", REALS(copy.motion.to), 7);
    test_note_reals("scale", REALS(copy.support.scale), 3);
}

static void draw_motion(test_rng *rng, double size, double apart, body *b) {
    cd_transform from = gen_pose(rng, apart), to = gen_pose(rng, apart);
    cd_motion_kind kind = (cd_motion_kind)test_int(rng, 0, CD_MOTION_SCREW);
    if (!test_int(rng, 0, 5)) to.position = from.position;
    if (!test_int(rng, 0, 5)) to.rotation = from.rotation;
    (void)size;
    CHECK_INT(cd_motion_make(kind, &from, &to, &b->motion), CD_OK);
}

static void bodies_meet_when_samples_do(void) {
    test_rng rng = test_random();
    long hits = 0, misses = 0, starts = 0, all = test_times(300);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, (gen_kind)(i % 3));
        body a, b;
        cd_impact r;
        double apart = test_range(&rng, 1, 4);
        draw_body(&g, &a);
        draw_body(&g, &b);
        if (!test_int(&rng, 0, 2)) stretch(&a, &rng);
        if (!test_int(&rng, 0, 2)) stretch(&b, &rng);
        draw_motion(&rng, 1, apart, &a);
        draw_motion(&rng, 1, apart, &b);
        note_body(&a);
        note_body(&b);
        test_note("%ld: %d %d %d %d ", i, a.kind, (int)a.motion.kind, b.kind, (int)b.motion.kind);
        r = ASK("samples", cd_time_of_impact(&a.support, &a.motion, &b.support, &b.motion, NULL));
        judge(&a, &b, &r, 200);
        hits += r.hit && r.t > 0;
        misses += !r.hit;
        starts += r.hit && r.t == 0;
        cd_hull_destroy(&a.hull);
        cd_hull_destroy(&b.hull);
    }
    CHECK_SEEN(hits > all / 20 && misses > all / 5 && starts > 0);
}

/* ---- closed forms ---- */

static cd_transform pose_of(double x, double y, double z, double angle) {
    cd_transform p;
    memset(&p, 0, sizeof p);
    p.position = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
    p.rotation.z = (cd_real)sin(angle / 2);
    p.rotation.w = (cd_real)cos(angle / 2);
    return p;
}

static cd_motion moving(cd_motion_kind kind, cd_transform from, cd_transform to) {
    cd_motion m;
    CHECK_INT(cd_motion_make(kind, &from, &to, &m), CD_OK);
    return m;
}

static const cd_motion still;

/* A thin rod sweeps over a ball, at rest or about to be passed by: the angle at which it touches is known. */
static void spinning_rods(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(100); ++i) {
        double reach = test_range(&rng, 1, 50), at = test_range(&rng, 0.1, 0.95) * reach;
        double radius = at * test_range(&rng, 0.001, 0.4), phi = test_range(&rng, 0.6, 2.9), angle = 3.1,
               want;
        cd_segment rod;
        cd_sphere ball;
        cd_support a, b;
        cd_motion m = moving(CD_MOTION_BOTH, pose_of(0, 0, 0, 0), pose_of(0, 0, 0, angle));
        cd_impact r;
        rod.a = cd_vec3_make(0, 0, 0);
        rod.b = cd_vec3_make((cd_real)reach, 0, 0);
        ball.center = cd_vec3_make((cd_real)(at * cos(phi)), (cd_real)(at * sin(phi)), 0);
        ball.radius = (cd_real)radius;
        a = cd_support_of_segment(&rod);
        b = cd_support_of_sphere(ball);
        want = phi - asin((double)ball.radius / at);
        if (want < 0) continue;
        test_note("reach %a at %a radius %a phi %a ", reach, at, radius, phi);
        r = ASK("judge", cd_time_of_impact(&a, &m, &b, &still, NULL));
        CHECK(r.status == CD_OK && r.hit);
        CHECK_NEAR(r.t, want / m.angle, 20 * EPS + 1e-11);
        CHECK(r.iterations <= 60);
        CHECK_NEAR(r.distance, 0, 1e-9 * reach);
        r = ASK("judge", cd_time_of_impact(&b, &still, &a, &m, NULL));
        CHECK_NEAR(r.t, want / m.angle, 20 * EPS + 1e-11);
        CHECK_NEAR(r.normal.z, 0, 1e-3); /* across the rod */
    }
}

/* What is told of a target distance, a start, limits. */
static void options_are_kept(void) {
    cd_support origin = cd_support_of_point(cd_vec3_make(0, 0, 0));
    cd_support a = cd_support_rounded(&origin, 1), b = a;
    cd_motion go = moving(CD_MOTION_BOTH, pose_of(0, 0, 0, 0), pose_of(10, 0, 0, 2));
    cd_motion there = moving(CD_MOTION_LINEAR, pose_of(6, 0, 0, 0), pose_of(6, 0, 0, 0));
    cd_impact_options o;
    cd_impact r = cd_time_of_impact(&a, &go, &b, &there, NULL);
    memset(&o, 0, sizeof o);
    CHECK(r.status == CD_OK && r.hit);
    CHECK_NEAR(r.t, 0.4, 4 * EPS + 1e-11);
    CHECK_VEC(r.normal, cd_vec3_make(1, 0, 0), 4 * EPS);
    CHECK_VEC(r.a, cd_vec3_make(5, 0, 0), 16 * EPS + 1e-10);
    CHECK_VEC(r.b, cd_vec3_make(5, 0, 0), 16 * EPS + 1e-10);
    o.distance = 1;
    r = cd_time_of_impact(&a, &go, &b, &there, &o);
    CHECK_NEAR(r.t, 0.3, 4 * EPS + 1e-11);
    CHECK_NEAR(r.distance, 1, 8 * EPS + 1e-10);
    o.tolerance = (cd_real)0.5;
    r = cd_time_of_impact(&a, &go, &b, &there, &o);
    CHECK(r.hit && (double)r.t >= 0.25 - EPS && (double)r.t <= 0.3 && (double)r.distance <= 1.5);
    memset(&o, 0, sizeof o);
    o.t_min = (cd_real)0.5; /* begins deep */
    r = cd_time_of_impact(&a, &go, &b, &there, &o);
    CHECK(r.hit && r.t == o.t_min);
    CHECK_NEAR(r.distance, -1, 1e-6);
    CHECK_VEC(r.normal, cd_vec3_make(1, 0, 0), 1e-3);
    o.t_min = (cd_real)0.875; /* behind it */
    r = cd_time_of_impact(&a, &go, &b, &there, &o);
    CHECK(r.status == CD_OK && !r.hit && r.t == 1);
    memset(&o, 0, sizeof o);
    o.max_iterations = 1;
    r = cd_time_of_impact(&a, &go, &b, &there, &o);
    CHECK(r.hit && (double)r.t <= 0.4 && r.iterations < 16);
    r = cd_time_of_impact(&a, &still, &b, &there, NULL);
    CHECK(r.status == CD_OK && !r.hit && r.t == 1);
    r = cd_time_of_impact(&a, &still, &b, &still, NULL);
    CHECK(r.hit && r.t == 0);
    CHECK_NEAR(r.distance, -2, 1e-6);
}

/* The same scene a power of two larger is the same; far from the origin it is nearly so. */
static void sizes_do_not_matter(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(60); ++i) {
        double half[3] = {0.01, test_range(&rng, 0.2, 1), test_range(&rng, 1, 4)},
               turned = test_range(&rng, -3, 3);
        double x = test_range(&rng, -4, 4), y = test_range(&rng, -4, 4);
        cd_real t[3] = {0, 0, 0};
        for (int k = 0; k < 3; ++k) {
            double size = k == 1 ? ldexp(1, 30) : k == 2 ? ldexp(1, -30) : 1;
            cd_aabb box;
            cd_capsule rod;
            cd_support a, b;
            cd_motion ma, mb;
            cd_impact r;
            box.max =
                cd_vec3_make((cd_real)(half[0] * size), (cd_real)(half[2] * size), (cd_real)(half[1] * size));
            box.min = cd_vec3_make(-box.max.x, -box.max.y, -box.max.z);
            rod.a = cd_vec3_make((cd_real)(-2 * size), 0, 0);
            rod.b = cd_vec3_make((cd_real)(2 * size), 0, 0);
            rod.radius = (cd_real)(half[0] * size);
            a = cd_support_of_aabb(&box);
            b = cd_support_of_capsule(&rod);
            ma =
                moving(CD_MOTION_BOTH, pose_of(0, 0, 0, 0), pose_of((double)(cd_real)y * size, 0, 0, turned));
            mb = moving(CD_MOTION_SCREW, pose_of(5 * size, (double)(cd_real)y * size, 0, 1),
                        pose_of((double)(cd_real)x * size, 0, 0, -1.5));
            r = ASK("scale", cd_time_of_impact(&a, &ma, &b, &mb, NULL));
            CHECK_INT(r.status, CD_OK);
            t[k] = r.t;
        }
        CHECK_SAME(t[0], t[1]);
        CHECK_SAME(t[0], t[2]);
    }
}

/* Both turn, and so does what parts them: the side of a rod comes slowly to an edge of a plate. */
static void edges_meet_slowly(void) {
    double x = -0x1.f22da55f60f02p+1, y = -0x1.3626770b29528p+0, turned = -0x1.c99196d9bbeccp-1;
    cd_aabb plate = {{0, 0, 0}, {0, 0, 0}};
    cd_capsule rod;
    cd_support a, b;
    cd_motion ma = moving(CD_MOTION_BOTH, pose_of(0, 0, 0, 0), pose_of((double)(cd_real)y, 0, 0, turned)),
              mb = moving(CD_MOTION_SCREW, pose_of(5, (double)(cd_real)y, 0, 1),
                          pose_of((double)(cd_real)x, 0, 0, -1.5));
    cd_impact r;
    plate.max = cd_vec3_make((cd_real)0x1.47ae147ae147bp-7, (cd_real)0x1.704090cd9733ap+1,
                             (cd_real)0x1.e1514980a8da2p-1);
    plate.min = cd_vec3_make(-plate.max.x, -plate.max.y, -plate.max.z);
    rod.a = cd_vec3_make(-2, 0, 0);
    rod.b = cd_vec3_make(2, 0, 0);
    rod.radius = plate.max.x;
    a = cd_support_of_aabb(&plate);
    b = cd_support_of_capsule(&rod);
    r = cd_time_of_impact(&a, &ma, &b, &mb, NULL);
    CHECK(r.status == CD_OK && r.hit);
    CHECK_NEAR(r.t, 0.811560785, 1e-9 + 100 * EPS); /* slowly: what rounding moves is worth much time */
    CHECK_NEAR(r.distance, 0, 5 * ldexp(1, sizeof(cd_real) == 4 ? -41 : -38));
    CHECK(r.iterations <= 60);
}

/* ---- cases of other projects ---- */

static int cases_seen;

static cd_support read_support(const json *shape, cd_vec3 *corners, cd_capsule *capsule) {
    double x[3 * 64], half[3], axes[9];
    double radius = json_real(shape, "radius");
    cd_support s;
    int n;
    memset(&s, 0, sizeof s);
    if (json_is(shape, "type", "sphere") || json_is(shape, "type", "capsule")) {
        bool ball = json_is(shape, "type", "sphere");
        json_reals(json_get(shape, ball ? "center" : "p"), x, 3);
        json_reals(json_get(shape, ball ? "center" : "q"), x + 3, 3);
        for (int k = 0; k < 6; ++k) REALS(*capsule)[k] = (cd_real)x[k];
        capsule->radius = (cd_real)radius;
        return cd_support_of_capsule(capsule);
    }
    if (json_is(shape, "type", "box")) {
        json_reals(json_get(shape, "center"), x, 3);
        json_reals(json_get(shape, "half"), half, 3);
        json_reals(json_get(shape, "axes"), axes, 9);
        for (int i = 0; i < 8; ++i) {
            cd_real *out = REALS(corners[i]);
            for (int k = 0; k < 3; ++k) {
                double p = x[k];
                for (int j = 0; j < 3; ++j) p += (i >> j & 1 ? half[j] : -half[j]) * axes[3 * j + k];
                out[k] = (cd_real)p;
            }
        }
        return cd_support_of_points(corners, 8);
    }
    n = json_reals(json_get(shape, "points"), x, 3 * 64) / 3;
    for (int i = 0; i < 3 * n; ++i) REALS(corners[0])[i] = (cd_real)x[i];
    s = cd_support_of_points(corners, (size_t)n);
    return radius > 0 ? cd_support_rounded(&s, (cd_real)radius) : s;
}

static void check_linear(const json *one, const json *expected) {
    double v[3] = {0, 0, 0}, t_max = json_real(json_get(one, "input"), "t_max"),
           toi = json_real(expected, "toi"), margin;
    cd_vec3 corners[2][64], motion;
    cd_capsule capsule[2];
    cd_support a = read_support(json_get(json_get(one, "input"), "a"), corners[0], &capsule[0]);
    cd_support b = read_support(json_get(json_get(one, "input"), "b"), corners[1], &capsule[1]);
    cd_transform from = pose_of(0, 0, 0, 0), to = from;
    cd_hit hit;
    cd_impact r;
    cd_motion m;
    bool got;
    cases_doubles(one, "velocity_a", v, 3);
    motion = cd_vec3_make((cd_real)(v[0] * t_max), (cd_real)(v[1] * t_max), (cd_real)(v[2] * t_max));
    to.position = motion;
    memset(&hit, 0, sizeof hit);
    got = ASK(cases_family(), cd_gjk_sweep(&a, motion, &b, NULL, NULL, &hit));
    m = moving(CD_MOTION_LINEAR, from, to);
    r = ASK(cases_family(), cd_time_of_impact(&a, &m, &b, &still, NULL));
    CHECK_INT(got, json_true(expected, "hit"));
    CHECK_INT(r.hit, json_true(expected, "hit"));
    CHECK_INT(r.status, CD_OK);
    ++cases_seen;
    if (!got) return;
    margin = 2 * EPS * toi + 4e-9;
    CHECK_NEAR((double)hit.t * t_max, toi, margin);
    CHECK_NEAR((double)r.t * t_max, toi, margin);
    CHECK((double)hit.t * t_max <= toi * (1 + EPS) && (double)r.t * t_max <= toi * (1 + EPS));
}

static cd_motion read_plane_motion(const json *one, const char *c0, const char *c1, const char *a0,
                                   const char *a1) {
    double p[2], q[2], angle[2];
    cases_doubles(one, c0, p, 2);
    cases_doubles(one, c1, q, 2);
    angle[0] = json_real(json_get(one, "input"), a0);
    angle[1] = json_real(json_get(one, "input"), a1);
    return moving(CD_MOTION_BOTH, pose_of(p[0], p[1], 0, angle[0]), pose_of(q[0], q[1], 0, angle[1]));
}

/* Boxes of the plane, as prisms. */
static void check_plane(const json *one, const json *expected) {
    double half[2][2];
    cd_aabb box[2];
    cd_motion ma = read_plane_motion(one, "c0_a", "c1_a", "a0_a", "a1_a");
    cd_motion mb = read_plane_motion(one, "c0_b", "c1_b", "a0_b", "a1_b");
    cd_support a, b;
    cd_impact_options o;
    cd_impact r;
    double least = json_real(expected, "min_separation");
    cases_doubles(one, "half_a", half[0], 2);
    cases_doubles(one, "half_b", half[1], 2);
    for (int i = 0; i < 2; ++i) {
        box[i].max = cd_vec3_make((cd_real)half[i][0], (cd_real)half[i][1], 1);
        box[i].min = cd_vec3_make(-box[i].max.x, -box[i].max.y, -1);
    }
    a = cd_support_of_aabb(&box[0]);
    b = cd_support_of_aabb(&box[1]);
    r = ASK(cases_family(), cd_time_of_impact(&a, &ma, &b, &mb, NULL));
    CHECK_INT(r.status, CD_OK);
    CHECK_INT(r.hit, json_true(expected, "hit"));
    ++cases_seen;
    if (r.hit) CHECK_NEAR(r.t, json_real(expected, "toi"), 1e-5);
    if (r.hit) return;
    memset(
        &o, 0,
        sizeof o); /* just below the least gap along an axis, and above the distance of a corner that it may be */
    o.distance = (cd_real)(least * 0.999);
    CHECK(!ASK(cases_family(), cd_time_of_impact(&a, &ma, &b, &mb, &o)).hit);
    o.distance = (cd_real)(least * 1.5);
    CHECK(ASK(cases_family(), cd_time_of_impact(&a, &ma, &b, &mb, &o)).hit);
}

static void check_case(const json *one, const json *expected) {
    if (cases_is(one, "convex_sweep_toi")) check_linear(one, expected);
    if (cases_is(one, "box2d_rotating_toi")) check_plane(one, expected);
}

static void real_cases(void) {
    cases_seen = 0;
    cases_each("toi_sweep", check_case);
    CHECK(cases_seen == 0 || cases_seen >= 9);
}

/* Where every number fits no float, the turning boxes are rounded: they are clear of each other by far. */
static void turning_boxes_of_box2d(void) {
    json *all = cases_load("toi_sweep");
    cases_seen = 0;
    for (const json *one = all ? all->child : NULL; one; one = one->next)
        if (cases_is(one, "box2d_rotating_toi")) check_plane(one, json_get(one, "expected"));
    CHECK(!all || cases_seen == 1);
    if (all) cases_free(all);
}

/* ---- hostile ---- */

static void bad_input(void) {
    cd_real nan = (cd_real)NAN;
    cd_support good = cd_support_of_point(cd_vec3_make(0, 0, 0)), nothing;
    cd_motion m = still, wrong = still;
    cd_impact_options o;
    cd_impact r;
    memset(&nothing, 0, sizeof nothing);
    memset(&o, 0, sizeof o);
    r = cd_time_of_impact(&nothing, &m, &good, &m, NULL);
    CHECK(r.status == CD_INVALID_ARGUMENT && !r.hit && r.t == 0);
    r = cd_time_of_impact(&good, &m, &nothing, &m, NULL);
    CHECK(r.status == CD_INVALID_ARGUMENT && !r.hit && r.t == 0);
    wrong.from.position.y = nan;
    CHECK_INT(cd_time_of_impact(&good, &wrong, &good, &m, NULL).status, CD_INVALID_ARGUMENT);
    CHECK_INT(cd_time_of_impact(&good, &m, &good, &wrong, NULL).status, CD_INVALID_ARGUMENT);
    wrong = still;
    wrong.angle = 1e9;
    CHECK_INT(cd_time_of_impact(&good, &wrong, &good, &m, NULL).status, CD_INVALID_ARGUMENT);
    o.distance = -1;
    CHECK_INT(cd_time_of_impact(&good, &m, &good, &m, &o).status, CD_INVALID_ARGUMENT);
    o.distance = nan;
    CHECK_INT(cd_time_of_impact(&good, &m, &good, &m, &o).status, CD_INVALID_ARGUMENT);
    o.distance = 0;
    o.tolerance = nan;
    CHECK_INT(cd_time_of_impact(&good, &m, &good, &m, &o).status, CD_INVALID_ARGUMENT);
    o.tolerance = 0;
    o.t_min = nan;
    CHECK_INT(cd_time_of_impact(&good, &m, &good, &m, &o).status, CD_INVALID_ARGUMENT);
    o.t_min = 2;
    CHECK_INT(cd_time_of_impact(&good, &m, &good, &m, &o).status, CD_INVALID_ARGUMENT);
    o.t_min = -1;
    r = cd_time_of_impact(&good, &m, &good, &m, &o);
    CHECK(r.status == CD_OK && r.hit && r.t == 0 && r.distance == 0);
}

void suite_time_of_impact(void) {
    RUN(bodies_meet_when_samples_do);
    RUN(spinning_rods);
    RUN(options_are_kept);
    RUN(sizes_do_not_matter);
    RUN(edges_meet_slowly);
    RUN(real_cases);
    RUN(turning_boxes_of_box2d);
    RUN(bad_input);
}
