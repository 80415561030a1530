#define SHOW
#include <stdio.h>
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
    for (int k = 0; k < 3; ++k) way = fmax(way, fabs((double)(&b->motion.to.position.x)[k] - (double)(&b->motion.from.position.x)[k]));
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

static void note_body(const body *b) {
    body copy = *b;
    test_note("kind %d, motion %d ", b->kind, (int)b->motion.kind);
    test_note_reals("from", REALS(copy.motion.from), 7);
    test_note_reals("to", REALS(copy.motion.to), 7);
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
    long hits = 0, misses = 0, starts = 0, steps = 0, most = 0, all = test_times(300);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, (gen_kind)(i % 3));
        body a, b;
        cd_impact r;
        double apart = test_range(&rng, 1, 8);
        draw_body(&g, &a);
        draw_body(&g, &b);
        draw_motion(&rng, 1, apart, &a);
        draw_motion(&rng, 1, apart, &b);
        note_body(&a);
        note_body(&b);
        test_note("%ld: %d %d %d %d ", i, a.kind, (int)a.motion.kind, b.kind, (int)b.motion.kind);
        r = cd_time_of_impact(&a.support, &a.motion, &b.support, &b.motion, NULL);
        judge(&a, &b, &r, 200);
        hits += r.hit && r.t > 0;
        misses += !r.hit;
        starts += r.hit && r.t == 0;
        steps += (long)r.iterations;
        if ((long)r.iterations > most) most = (long)r.iterations;
        cd_hull_destroy(&a.hull);
        cd_hull_destroy(&b.hull);
    }
#ifdef SHOW
    printf("%ld hits %ld misses %ld starts; %.2f iterations, most %ld\n", hits, misses, starts, (double)steps / (double)all, most);
#endif
    CHECK_SEEN(hits > all / 10 && misses > all / 10 && starts > 0);
}

void suite_time_of_impact(void) {
    RUN(bodies_meet_when_samples_do);
}
