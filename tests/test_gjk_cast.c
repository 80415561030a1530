/* Casts along GJK's directions: against the reference of moving bodies, against the sweeps and casts that kinds have of their own, and
 * against what separations are before and at the contact; options, starts, grazing, large targets, bad input. */
#include "gen.h"
#include "sweeps.h"
#include <float.h>
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

enum { POINT, SPHERE, SEGMENT, CAPSULE, TRIANGLE, POINTS, AABB, OBB, RECT, LOZENGE, HULL, USER, KINDS };

typedef struct thing {
    int kind, count;
    cd_sphere sphere;
    cd_segment segment;
    cd_capsule capsule;
    cd_triangle triangle;
    cd_vec3 points[SWEEP_CORNERS];
    cd_aabb aabb;
    cd_obb obb;
    cd_rect rect;
    cd_lozenge lozenge;
    cd_hull hull;
    cd_support support;
    sweep_body body;
} thing;

static uint32_t farthest_of_user(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    const thing *t = (const thing *)user;
    int best = 0;
    double most = -INFINITY;
    (void)hint;
    for (int i = 0; i < t->count; ++i) {
        double x = (double)t->points[i].x * (double)dir.x + (double)t->points[i].y * (double)dir.y +
                   (double)t->points[i].z * (double)dir.z;
        if (x > most) most = x, best = i;
    }
    *out = t->points[best];
    return (uint32_t)best;
}

static void to_array(cd_vec3 p, double *out) {
    out[0] = (double)p.x;
    out[1] = (double)p.y;
    out[2] = (double)p.z;
}

static sweep_body body_of_rect(const cd_rect *r, cd_real radius) {
    sweep_body b;
    memset(&b, 0, sizeof b);
    b.count = 4;
    b.radius = (double)radius;
    to_array(r->a, b.origin);
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k)
            b.corner[i][k] =
                (i & 1 ? (double)(&r->edge[0].x)[k] : 0) + (i & 2 ? (double)(&r->edge[1].x)[k] : 0);
    return b;
}

/* The support and the reference of what was drawn; the things point into themselves, so they must stay. */
static void make_support(thing *t) {
    sweep_body *b = &t->body;
    switch (t->kind) {
    case POINT:
        t->sphere.radius = 0;
        t->support = cd_support_of_point(t->sphere.center);
        *b = sweep_of_polygon(&t->sphere.center, 1);
        return;
    case SPHERE:
        t->support = cd_support_of_sphere(t->sphere);
        *b = t->sphere.radius > 0 ? sweep_of_sphere(t->sphere) : sweep_of_polygon(&t->sphere.center, 1);
        return;
    case SEGMENT:
        t->support = cd_support_of_segment(&t->segment);
        t->capsule.a = t->segment.a;
        t->capsule.b = t->segment.b;
        t->capsule.radius = 0;
        *b = sweep_of_capsule(&t->capsule);
        return;
    case CAPSULE: t->support = cd_support_of_capsule(&t->capsule), *b = sweep_of_capsule(&t->capsule); return;
    case TRIANGLE:
        t->support = cd_support_of_triangle(&t->triangle);
        *b = sweep_of_polygon(&t->triangle.a, 3); /* without weights */
        return;
    case AABB: t->support = cd_support_of_aabb(&t->aabb), *b = sweep_of_aabb(t->aabb); return;
    case OBB: t->support = cd_support_of_obb(&t->obb), *b = sweep_of_obb(&t->obb); return;
    case RECT: t->support = cd_support_of_rect(&t->rect), *b = body_of_rect(&t->rect, 0); return;
    case LOZENGE:
        t->support = cd_support_of_lozenge(&t->lozenge), *b = body_of_rect(&t->rect, t->lozenge.radius);
        return;
    case HULL:
        if (cd_hull3_build(&t->hull, t->points, (size_t)t->count, NULL) == CD_OK) {
            t->support = cd_support_of_hull(&t->hull);
            *b = sweep_of_hull(&t->hull);
            return;
        }
        t->kind = POINTS; /* fall through */
    default:
        *b = sweep_of_points(t->points, t->count);
        t->support = t->kind == USER ? cd_support_of_function(farthest_of_user, t, t->points[0], 0)
                                     : cd_support_of_points(t->points, (size_t)t->count);
    }
}

static void draw_thing(gen *g, thing *t) {
    memset(t, 0, sizeof *t);
    t->kind = test_int(g->rng, 0, KINDS - 1);
    if (t->kind == USER && (sizeof(cd_real) == 4 || g->kind == GEN_WIDE))
        t->kind = POINTS; /* see user_bodies */
    t->sphere = gen_sphere(g);
    t->segment = gen_segment(g);
    t->capsule.a = t->segment.a;
    t->capsule.b = t->segment.b;
    t->capsule.radius = t->sphere.radius;
    t->triangle = gen_triangle(g);
    t->count = test_int(g->rng, 1, SWEEP_CORNERS);
    for (int i = 0; i < t->count; ++i) t->points[i] = gen_point(g);
    t->aabb = gen_aabb(g);
    t->obb = gen_obb(g);
    t->rect.a = gen_point(g);
    t->rect.edge[0] = gen_direction(g);
    t->rect.edge[1] = gen_direction(g);
    t->lozenge.a = t->rect.a;
    t->lozenge.edge[0] = t->rect.edge[0];
    t->lozenge.edge[1] = t->rect.edge[1];
    t->lozenge.radius = t->sphere.radius;
    make_support(t);
}

static void note_thing(const thing *t) {
    thing copy = *t;
    test_note_reals("sphere", REALS(copy.sphere), 4);
    test_note_reals("segment", REALS(copy.segment), 6);
    test_note_reals("triangle", REALS(copy.triangle), 9);
    test_note_reals("points", REALS(copy.points), 3 * t->count);
    test_note_reals("aabb", REALS(copy.aabb), 6);
    test_note_reals("obb", REALS(copy.obb), 15);
    test_note_reals("rect", REALS(copy.rect), 9);
    test_note_reals("scale", REALS(copy.support.scale), 3);
}

static void drop(thing *t) {
    cd_hull_destroy(&t->hull);
}

/* From a corner of one to one of the other. */
static cd_vec3 between(const thing *a, const thing *b) {
    double way[3];
    for (int k = 0; k < 3; ++k)
        way[k] = b->body.origin[k] + b->body.corner[0][k] - a->body.origin[k] - a->body.corner[0][k];
    return cd_vec3_make((cd_real)way[0], (cd_real)way[1], (cd_real)way[2]);
}

/* Where a body's coordinates are of all magnitudes, only what must never be: a contact that is missed or told late. */
static void judge_wide(const thing *a, cd_vec3 motion, const thing *b, bool got, const cd_hit *hit) {
    double way[3];
    sweep_truth truth;
    if (a->kind == USER || b->kind == USER) return;
    to_array(motion, way);
    truth = sweep_first(&a->body, way, &b->body);
    if (truth.hit && truth.least <= 0) CHECK(got);
    if (truth.hit && got) CHECK((double)hit->t <= (double)truth.t * (1 + 4 * DBL_EPSILON));
}

/* The core, about the origin; its rounding stays. */
static void stretch(thing *t, test_rng *rng) {
    cd_vec3 by = sweep_stretch(&t->body, rng);
    cd_support s = cd_support_scaled(&t->support, by);
    t->support = s;
}

static void sweeps_meet_as_the_reference(void) {
    test_rng rng = test_random();
    long hits = 0, starts = 0, all = test_times(3000);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, (gen_kind)(i % GEN_KINDS));
        thing a, b;
        cd_vec3 motion;
        cd_hit hit, again;
        bool got;
        draw_thing(&g, &a);
        draw_thing(&g, &b);
        if (!test_int(&rng, 0, 2)) stretch(&a, &rng);
        if (!test_int(&rng, 0, 2)) stretch(&b, &rng);
        motion = gen_direction(&g);
        if (g.kind == GEN_WIDE)
            motion = between(&a, &b); /* else one that dwarfs the bodies, to the reference, too */
        if (!test_int(&rng, 0, 29)) motion = cd_vec3_make(0, 0, 0);
        test_note("%ld: kinds %d and %d ", i, a.kind, b.kind);
        note_thing(&a);
        note_thing(&b);
        test_note_reals("motion", REALS(motion), 3);
        memset(&hit, 0, sizeof hit);
        got = ASK("judge", cd_gjk_sweep(&a.support, motion, &b.support, NULL, NULL, &hit));
        if (g.kind == GEN_WIDE) {
            judge_wide(&a, motion, &b, got, &hit);
        } else {
            sweep_judge(&a.body, motion, &b.body, got, &hit);
        }
        memset(&again, 0, sizeof again);
        CHECK_INT(cd_gjk_sweep(&a.support, motion, &b.support, NULL, NULL, &again), got);
        CHECK_SAME(again.t, hit.t);
        hits += got;
        starts += got && (hit.flags & CD_HIT_START);
        drop(&a);
        drop(&b);
    }
    CHECK_SEEN(hits > all / 20 && starts > 0 && hits < all);
}

/* Between corners of several faces that are level but for rounding: that face is named which the point is on. */
static void names_between_level_faces(void) {
    static const cd_vec3 corners[12] = {{1, 1, -1},
                                        {0, 1, 1},
                                        {-1, -2, 0},
                                        {2, 0, -2},
                                        {1, 1, -1},
                                        {0, -1, -1},
                                        {-1, (cd_real)-1.0000000000000004, 1},
                                        {-1, -1, 0},
                                        {2, 0, (cd_real)1.9999999999999996},
                                        {-2, 1, 0},
                                        {(cd_real)-1.0000000000000002, -1, (cd_real)1.0000000000000004},
                                        {1, 2, -2}};
    cd_vec3 from = cd_vec3_make(-1, -2, 1), motion = cd_vec3_make(0, 3, 0);
    cd_support point = cd_support_of_point(from), s;
    sweep_body a, b;
    cd_hull hull;
    cd_hit hit;
    CHECK_INT(cd_hull3_build(&hull, corners, sizeof corners / sizeof *corners, NULL), CD_OK);
    s = cd_support_of_hull(&hull);
    memset(&hit, 0, sizeof hit);
    CHECK(cd_gjk_sweep(&point, motion, &s, NULL, NULL, &hit));
    a = sweep_of_polygon(&from, 1);
    b = sweep_of_hull(&hull);
    sweep_judge(&a, motion, &b, true, &hit);
    cd_hull_destroy(&hull);
}

/* Turned prisms, whose faces rounding leaves in triangles, some of them stretched: a ball that meets them is told on which. */
static void faces_in_parts_are_named(void) {
    test_rng rng = test_random();
    long faces = 0;
    for (long i = test_times(600); i > 0; --i) {
        int around = test_int(&rng, 5, 8), k;
        thing a, b;
        cd_quat turn = gen_quat(&rng);
        cd_vec3 motion;
        cd_hit hit;
        memset(&a, 0, sizeof a);
        memset(&b, 0, sizeof b);
        a.kind = SPHERE;
        b.kind = HULL;
        for (k = 0; k < 2 * around; ++k) {
            double angle = 6.283185307179586 * k / around;
            b.points[k] = cd_quat_rotate(
                turn, cd_vec3_make((cd_real)cos(angle), (cd_real)sin(angle), (cd_real)(k < around)));
        }
        b.count = k;
        a.sphere.radius = (cd_real)(test_int(&rng, 0, 1) ? test_range(&rng, 0, 1) : 0);
        a.sphere.center = cd_vec3_make((cd_real)test_range(&rng, 3, 4), (cd_real)test_range(&rng, -1, 1),
                                       (cd_real)test_range(&rng, -1, 1));
        a.sphere.center = cd_quat_rotate(gen_quat(&rng), a.sphere.center);
        make_support(&a);
        make_support(&b);
        if (test_int(&rng, 0, 1)) stretch(&b, &rng);
        motion = cd_vec3_scale(a.sphere.center, (cd_real)-1.5);
        test_note("%d around ", around);
        note_thing(&a);
        note_thing(&b);
        memset(&hit, 0, sizeof hit);
        if (cd_gjk_sweep(&a.support, motion, &b.support, NULL, NULL, &hit)) {
            sweep_judge(&a.body, motion, &b.body, true, &hit);
            faces += CD_FEATURE_KIND(hit.feature) == CD_FEATURE_FACE;
        }
        drop(&b);
    }
    CHECK_SEEN(faces > 0);
}

/* ---- what is curved: against signed distances of convex/convex_distance, at the contact and before ---- */

enum { CYLINDER, CONE, DISC, ELLIPSOID, BALL, BOX, CURVED };

typedef struct curved {
    int kind;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_disc disc;
    cd_ellipsoid ellipsoid;
    cd_sphere sphere;
    cd_obb obb;
    cd_support support;
} curved;

static void draw_curved(gen *g, curved *c) {
    cd_segment s = gen_segment(g);
    memset(c, 0, sizeof *c);
    c->kind = test_int(g->rng, 0, CURVED - 1);
    c->sphere = gen_sphere(g);
    c->obb = gen_obb(g);
    c->cylinder.a = c->cone.apex = s.a;
    c->cylinder.b = c->cone.base = s.b;
    c->cylinder.radius = c->cone.radius = c->disc.radius = (cd_real)test_range(g->rng, 0.125, 1);
    c->disc.center = s.a;
    c->disc.normal = gen_direction(g);
    c->ellipsoid.center = c->obb.center;
    c->ellipsoid.axes = c->obb.axes;
    c->ellipsoid.half = cd_vec3_make((cd_real)test_range(g->rng, 0.1, 1), (cd_real)test_range(g->rng, 0.1, 1),
                                     (cd_real)test_range(g->rng, 0.1, 1));
    c->support = c->kind == CYLINDER    ? cd_support_of_cylinder(&c->cylinder)
                 : c->kind == CONE      ? cd_support_of_cone(&c->cone)
                 : c->kind == DISC      ? cd_support_of_disc(&c->disc)
                 : c->kind == ELLIPSOID ? cd_support_of_ellipsoid(&c->ellipsoid)
                 : c->kind == BALL      ? cd_support_of_sphere(c->sphere)
                                        : cd_support_of_obb(&c->obb);
    if (!test_int(g->rng, 0, 3)) c->support = cd_support_rounded(&c->support, (cd_real)0.125);
}

/* The signed distance of two, the first of which has come t of its way: the other goes back. */
static double apart_at(const cd_support *a, cd_vec3 motion, const cd_support *b, const cd_transform *pose,
                       double t) {
    cd_transform back = *pose;
    cd_separation s;
    back.position.x = (cd_real)((double)pose->position.x - t * (double)motion.x);
    back.position.y = (cd_real)((double)pose->position.y - t * (double)motion.y);
    back.position.z = (cd_real)((double)pose->position.z - t * (double)motion.z);
    s = cd_convex_distance(a, b, &back, NULL, NULL);
    CHECK(s.status == CD_OK || s.status == CD_NOT_CONVERGED);
    return (double)s.distance;
}

static void curved_bodies_meet_where_they_touch(void) {
    test_rng rng = test_random();
    long hits = 0, starts = 0, all = test_times(400);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, i % 3 ? GEN_UNIT : GEN_GRID);
        curved a, b;
        cd_transform pose = gen_pose(&rng, 2);
        cd_vec3 motion = gen_direction(&g);
        cd_hit hit;
        double most = 16 * EPS + 2e-11, t;
        bool got;
        draw_curved(&g, &a);
        draw_curved(&g, &b);
        test_note("%ld: kinds %d and %d ", i, a.kind, b.kind);
        if (!cd_support_is_valid(&a.support) || !cd_support_is_valid(&b.support)) continue;
        memset(&hit, 0, sizeof hit);
        got = ASK("judge", cd_gjk_sweep(&a.support, motion, &b.support, &pose, NULL, &hit));
        t = got ? (double)hit.t : 1;
        for (int k = 0; k <= 16; ++k)
            if (t > 0) CHECK(apart_at(&a.support, motion, &b.support, &pose, t * k / 16) > -most);
        if (!got) continue;
        ++hits;
        starts += (hit.flags & CD_HIT_START) != 0;
        CHECK_NEAR((double)cd_vec3_dot(hit.normal, hit.normal), 1, 8 * EPS);
        if (hit.flags & CD_HIT_START) continue;
        CHECK_NEAR(apart_at(&a.support, motion, &b.support, &pose, t), 0, most);
        CHECK(cd_vec3_dot(hit.normal, motion) <= (cd_real)most);
    }
    CHECK_SEEN(hits > all / 20 && starts > 0 && hits < all);
}

/* ---- rays ---- */

static bool cast(const curved *c, const cd_ray *r, cd_real t_max, const cd_cast_options *o, cd_hit *hit) {
    switch (c->kind) {
    case CYLINDER: return cd_cast_ray_cylinder(r, t_max, &c->cylinder, o, hit);
    case CONE: return cd_cast_ray_cone(r, t_max, &c->cone, o, hit);
    case DISC: return cd_cast_ray_disc(r, t_max, &c->disc, o, hit);
    case ELLIPSOID: return cd_cast_ray_ellipsoid(r, t_max, &c->ellipsoid, o, hit);
    case BALL: return cd_cast_ray_sphere(r, t_max, c->sphere, o, hit);
    default: return cd_cast_ray_obb(r, t_max, &c->obb, o, hit);
    }
}

/* When a ray goes into a box and out of it, and how fast through the face, the box as it is written: center + axes s. Its own cast takes it by
 * its slabs, which for axes that are rounded are another box, and along a face much time away. */
typedef struct box_times {
    long double t[2], speed[2];
} box_times;

static box_times times_of_box(const cd_obb *b, const cd_ray *r) {
    box_times times = {{-HUGE_VALL, HUGE_VALL}, {0, 0}};
    for (int i = 0; i < 3; ++i) {
        cd_obb copy = *b;
        cd_ray ray = *r;
        const cd_real *e = REALS(copy.axes), *u = e + (i + 1) % 3 * 3, *v = e + (i + 2) % 3 * 3;
        long double half = 0, from = 0, by = 0, across = 0;
        for (int k = 0; k < 3; ++k) {
            int x = (k + 1) % 3, y = (k + 2) % 3;
            long double n = (long double)u[x] * (long double)v[y] - (long double)u[y] * (long double)v[x];
            half += n * (long double)e[3 * i + k] * (long double)REALS(copy.half)[i];
            from += n * ((long double)REALS(ray.origin)[k] - (long double)REALS(copy.center)[k]);
            by += n * (long double)REALS(ray.dir)[k];
            across += n * n;
        }
        for (int out = 0; out < 2 && by != 0; ++out) {
            long double t = ((out ? 1 : -1) * half * (by > 0 ? 1 : -1) - from) / by;
            if (out ? t > times.t[1] : t < times.t[0]) continue;
            times.t[out] = t;
            times.speed[out] = fabsl(by) / sqrtl(across);
        }
    }
    return times;
}

/* The way left of a face, or beyond it, is within the excess. */
static void judge_box_time(const cd_obb *b, const cd_ray *r, cd_real t_max, const cd_cast_options *o,
                           const cd_hit *hit) {
    static const double still[3] = {0, 0, 0};
    cd_sphere point = {{0, 0, 0}, 0};
    sweep_body start, box = sweep_of_obb(b);
    box_times times = times_of_box(b, r);
    int out = (o->flags & CD_CAST_CULL_FRONT) != 0;
    long double t = fminl(fmaxl(times.t[out], (long double)o->t_min), (long double)t_max), early;
    point.center = r->origin;
    start = sweep_of_sphere(point);
    early = (t - (long double)hit->t) * (out ? -1 : 1);
    CHECK(early >= -4 * DBL_EPSILON * (1 + fabsl(t)));
    early -= (long double)EPS * fabsl(t);
    CHECK(early * times.speed[out] <= (long double)sweep_excess(&start, still, &box));
}

/* A miss of one and a hit of the other are right only where the ray grazes. Never late on the way in, never early on the way out. */
static void judge_ray(const curved *c, const cd_ray *r, cd_real t_max, const cd_cast_options *o, bool got,
                      const cd_hit *hit, bool want, const cd_hit *truth) {
    double grazing = got ? fabs((double)cd_vec3_dot(hit->normal, r->dir)) : 0;
    if (want && got) {
        double margin =
            (64 * EPS + 2e-11) * (1 + fabs((double)truth->t)) / fmin(1, fmax(grazing * grazing, 1e-3));
        double late = ((double)hit->t - (double)truth->t) * (o->flags & CD_CAST_CULL_FRONT ? -1 : 1);
        if (c->kind != BOX)
            CHECK(late <= 8 * EPS * (1 + fabs((double)truth->t)));
        else if (!(hit->flags & CD_HIT_START))
            judge_box_time(&c->obb, r, t_max, o, hit);
        CHECK_NEAR(hit->t, truth->t, margin);
        CHECK_VEC(hit->point, truth->point, 4 * margin);
        CHECK_INT(hit->flags, truth->flags);
        CHECK_NEAR(hit->depth, truth->depth, 1e-3);
    } else if (want != got) {
        cd_support at =
            cd_support_of_point(cd_vec3_add(r->origin, cd_vec3_scale(r->dir, want ? truth->t : hit->t)));
        CHECK_NEAR((double)cd_convex_distance(&at, &c->support, NULL, NULL, NULL).distance, 0,
                   16 * EPS + 2e-11);
        CHECK(want ? fabs((double)cd_vec3_dot(truth->normal, r->dir)) < 0.01 : true);
    }
}

static void rays_hit_as_casts_do(void) {
    static const uint32_t flags[] = {0,
                                     0,
                                     CD_CAST_START_DEPTH,
                                     CD_CAST_START_IGNORE,
                                     CD_CAST_START_LEAVING | CD_CAST_START_DEPTH,
                                     CD_CAST_CULL_FRONT,
                                     CD_CAST_CULL_FRONT | CD_CAST_CULL_BACK};
    test_rng rng = test_random();
    long hits = 0, all = test_times(1500);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        curved c;
        cd_ray r;
        cd_hit hit, truth;
        cd_cast_options o;
        cd_real t_max = test_int(&rng, 0, 1) ? CD_REAL_MAX : (cd_real)test_range(&rng, 0, 3);
        bool got, want;
        draw_curved(&g, &c);
        r.origin = cd_vec3_scale(gen_point(&g), (cd_real)(test_int(&rng, 0, 2) ? 3 : 0.5));
        r.dir = cd_vec3_sub(gen_point(&g), r.origin);
        if (c.kind == DISC || c.support.radius > (c.kind == BALL ? c.sphere.radius : 0))
            continue; /* two sides; no cast of its own */
        if (!cd_support_is_valid(&c.support)) continue;
        memset(&o, 0, sizeof o);
        memset(&hit, 0, sizeof hit);
        memset(&truth, 0, sizeof truth);
        o.flags = flags[test_int(&rng, 0, 6)];
        if (!test_int(&rng, 0, 3)) o.t_min = (cd_real)test_range(&rng, -2, 1);
        test_note("%ld: kind %d flags %u ", i, c.kind, (unsigned)o.flags);
        got = ASK("forms", cd_gjk_raycast(&r, t_max, &c.support, &o, &hit));
        want = cast(&c, &r, t_max, &o, &truth);
        judge_ray(&c, &r, t_max, &o, got, &hit, want, &truth);
        hits += got;
    }
    CHECK_SEEN(hits > all / 20 && hits < all);
}

/* Where a ray leaves a box: through each of its faces, from before it, within and behind; what is asked for before or after that is not
 * there. Within, the ray starts on no feature, or where the depth is asked for on the nearest. */
static void rays_leave_through_each_face(void) {
    static const double from[3] = {-5, 0.25, 5};
    cd_aabb box = {{-1, -2, -3}, {1, 2, 3}};
    cd_support s = cd_support_of_aabb(&box);
    double room = 64 * EPS + 2e-11;
    for (int i = 0; i < 6 * 3 * 4; ++i) {
        int axis = i % 3, way = i / 3 % 2 ? 1 : -1, start = i / 6 % 3, range = i / 18;
        double half = axis + 1, t = (half - from[start]) / 2;
        cd_ray r;
        cd_cast_options o;
        cd_hit hit;
        cd_vec3 at = cd_vec3_make((cd_real)0.5, (cd_real)0.25, (cd_real)-0.5), normal = cd_vec3_make(0, 0, 0);
        bool got, want = t > 0 && range < 2;
        memset(&o, 0, sizeof o);
        memset(&hit, 0, sizeof hit);
        r.origin = at;
        r.dir = normal;
        REALS(r.origin)[axis] = (cd_real)(way * from[start]);
        REALS(r.dir)[axis] = (cd_real)(2 * way);
        REALS(at)[axis] = (cd_real)(way * half);
        REALS(normal)[axis] = (cd_real)-way;
        o.flags = CD_CAST_CULL_FRONT;
        if (range == 1) o.t_min = (cd_real)(t > 0.25 ? t - 0.25 : 0);
        if (range == 2) o.t_min = (cd_real)(t > 0 ? t + 0.25 : 0);
        test_note("%d ", i);
        got = ASK("exact", cd_gjk_raycast(&r, (cd_real)(range == 3 ? t - 0.125 : 100), &s, &o, &hit));
        CHECK_INT(got, want);
        if (got && want) {
            CHECK_NEAR(hit.t, t, room);
            CHECK_VEC(hit.point, at, room);
            CHECK_VEC(hit.normal, normal, 16 * EPS);
            CHECK_INT(hit.flags, CD_HIT_BACK);
            CHECK_INT(hit.feature, CD_FEATURE(CD_FEATURE_FACE, 2 * axis + (way > 0)));
        }
        if (start != 1) continue;
        CHECK(cd_gjk_raycast(&r, 100, &s, NULL, &hit));
        CHECK(hit.t == 0 && hit.flags == CD_HIT_START && hit.feature == CD_FEATURE_NONE);
        CHECK_VEC(hit.normal, normal, 16 * EPS);
        REALS(r.origin)[axis] = (cd_real)(way * (half - 0.125));
        o.flags = CD_CAST_START_DEPTH;
        o.t_min = 0;
        CHECK(cd_gjk_raycast(&r, 100, &s, &o, &hit));
        CHECK(hit.t == 0 && hit.flags == CD_HIT_START);
        CHECK_NEAR(hit.depth, 0.125, room);
        CHECK_VEC(hit.normal, cd_vec3_neg(normal), 16 * EPS);
        CHECK_INT(hit.feature, CD_FEATURE(CD_FEATURE_FACE, 2 * axis + (way > 0)));
    }
}

/* t is rounded away from the start where the ray leaves, and towards it where it comes in: from -1 to 1 in steps that have no last digit. */
static void times_are_rounded_to_the_safe_side(void) {
    cd_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    cd_support s = cd_support_of_aabb(&box);
    for (int speed = 1; speed < 64; ++speed) {
        cd_cast_options leaving;
        cd_ray r;
        cd_hit in, out;
        memset(&leaving, 0, sizeof leaving);
        leaving.flags = CD_CAST_CULL_FRONT;
        r.origin = cd_vec3_make(-2, 0, 0);
        r.dir = cd_vec3_make((cd_real)speed, 0, 0);
        test_note("%d ", speed);
        CHECK(cd_gjk_raycast(&r, CD_REAL_MAX, &s, NULL, &in));
        CHECK(cd_gjk_raycast(&r, CD_REAL_MAX, &s, &leaving, &out));
        CHECK((long double)in.t * speed <= 1);
        CHECK((long double)out.t * speed >= 3);
        CHECK_NEAR((double)in.t * speed, 1, EPS + 4e-12);
        CHECK_NEAR((double)out.t * speed, 3, 3 * EPS + 4e-12);
    }
}

/* ---- options of sweeps: as those of a kind that has its own ---- */

/* Rays are points that move. */
static void rays_hit_what_is_stretched(void) {
    static const double zero[3] = {0, 0, 0};
    test_rng rng = test_random();
    long hits = 0, all = test_times(1000);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, i % 2 ? GEN_UNIT : GEN_GRID);
        thing b;
        cd_ray r;
        cd_sphere point;
        sweep_body start;
        cd_hit hit;
        bool got;
        draw_thing(&g, &b);
        stretch(&b, &rng);
        r.origin = gen_point(&g);
        r.dir = gen_direction(&g);
        point.center = r.origin;
        point.radius = 0;
        start = sweep_of_sphere(point);
        test_note("%ld: kind %d ", i, b.kind);
        note_thing(&b);
        test_note_reals("ray", REALS(r), 6);
        memset(&hit, 0, sizeof hit);
        got = ASK("judge", cd_gjk_raycast(&r, 1, &b.support, NULL, &hit));
        if (got && (hit.flags & CD_HIT_START)) /* its normal is another than that of a sweep */
            CHECK(sweep_distance(&start, zero, &b.body) <= sweep_margin(&start, zero, &b.body));
        else
            sweep_judge(&start, r.dir, &b.body, got, &hit);
        hits += got;
        drop(&b);
    }
    CHECK_SEEN(hits > all / 20 && hits < all);
}

static void options_as_other_sweeps(void) {
    static const uint32_t flags[] = {CD_CAST_START_DEPTH,   CD_CAST_START_IGNORE,
                                     CD_CAST_START_LEAVING, CD_CAST_START_LEAVING | CD_CAST_START_DEPTH,
                                     CD_CAST_CULL_BACK,     CD_CAST_CULL_FRONT};
    test_rng rng = test_random();
    for (long i = 0; i < test_times(600); ++i) {
        gen g = gen_begin(&rng, i % 2 ? GEN_UNIT : GEN_GRID);
        cd_aabb box = gen_aabb(&g);
        cd_sphere ball = gen_sphere(&g);
        cd_support a = cd_support_of_sphere(ball), b = cd_support_of_aabb(&box);
        cd_vec3 motion = gen_direction(&g);
        cd_cast_options o;
        cd_hit hit, truth;
        bool got, want;
        memset(&o, 0, sizeof o);
        memset(&hit, 0, sizeof hit);
        memset(&truth, 0, sizeof truth);
        o.flags = flags[test_int(&rng, 0, 5)];
        if (!test_int(&rng, 0, 2)) o.t_min = (cd_real)test_int(&rng, 0, 8) / 8;
        if (!test_int(&rng, 0, 9)) motion = cd_vec3_make(0, 0, 0);
        got = ASK("forms", cd_gjk_sweep(&a, motion, &b, NULL, &o, &hit));
        want = cd_sweep_sphere_aabb(ball, motion, box, &o, &truth);
        test_note("%ld: flags %u ", i, (unsigned)o.flags);
        test_note_reals("box", REALS(box), 6);
        test_note_reals("ball", REALS(ball), 4);
        test_note_reals("motion", REALS(motion), 3);
        if (got != want && (o.flags & CD_CAST_START_LEAVING))
            continue; /* the nearest surface may be a matter of rounding */
        CHECK_INT(got, want);
        if (!got || !want) continue;
        CHECK_INT(hit.flags, truth.flags);
        CHECK_NEAR(hit.depth, truth.depth, 64 * EPS + 2e-11);
        if (hit.flags & CD_HIT_START) {
            CHECK_SAME(hit.t, truth.t);
        } else { /* of what grazes both may be early by much time, within what they may leave of the way */
            sweep_body ball_body = sweep_of_sphere(ball), box_body = sweep_of_aabb(box);
            sweep_judge(&ball_body, motion, &box_body, true, &hit);
        }
    }
}

/* A target a thousand times larger is met as sharply; a contact that only grazes is met. */
static void large_targets_and_grazing(void) {
    for (int e = 0; e <= 12; ++e) {
        double size = ldexp(1, e);
        cd_aabb ground;
        cd_sphere ball;
        cd_support a, b;
        cd_hit hit;
        ground.max = cd_vec3_make((cd_real)size, (cd_real)size, 0);
        ground.min = cd_vec3_make((cd_real)-size, (cd_real)-size, (cd_real)-size);
        ball.center = cd_vec3_make((cd_real)0.3, (cd_real)0.2, 5);
        ball.radius = 1;
        a = cd_support_of_sphere(ball);
        b = cd_support_of_aabb(&ground);
        memset(&hit, 0, sizeof hit);
        CHECK(cd_gjk_sweep(&a, cd_vec3_make(1, 0, -8), &b, NULL, NULL, &hit));
        CHECK_NEAR(hit.t, 0.5, EPS + ldexp(size, -38));
        CHECK(hit.t <= (cd_real)0.5);
        CHECK_VEC(hit.normal, cd_vec3_make(0, 0, 1), 2 * EPS);
        ball.center = cd_vec3_make((cd_real)(-2 * size), 0, 1); /* along the ground, touching */
        a = cd_support_of_sphere(ball);
        CHECK(cd_gjk_sweep(&a, cd_vec3_make((cd_real)(4 * size), 0, 0), &b, NULL, NULL, &hit));
        CHECK_NEAR(hit.t, 0.25, 1e-4);
        ball.center.z = (cd_real)(1 + 1e-5 * size);
        a = cd_support_of_sphere(ball);
        CHECK(!cd_gjk_sweep(&a, cd_vec3_make((cd_real)(4 * size), 0, 0), &b, NULL, NULL, &hit));
    }
}

static void bad_input(void) {
    cd_real nan = (cd_real)NAN, inf = (cd_real)INFINITY;
    cd_support good = cd_support_of_point(cd_vec3_make(0, 0, 0)), nothing;
    cd_vec3 motion = cd_vec3_make(1, 0, 0);
    cd_cast_options o;
    cd_transform pose = cd_transform_identity();
    cd_hit hit, before;
    cd_ray r;
    memset(&nothing, 0, sizeof nothing);
    memset(&o, 0, sizeof o);
    memset(&hit, 7, sizeof hit);
    before = hit;
    r.origin = cd_vec3_make(-1, 0, 0);
    r.dir = motion;
    CHECK(!cd_gjk_sweep(&nothing, motion, &good, NULL, NULL, &hit));
    CHECK(!cd_gjk_sweep(&good, motion, &nothing, NULL, NULL, &hit));
    CHECK(!cd_gjk_sweep(&good, cd_vec3_make(nan, 0, 0), &good, NULL, NULL, &hit));
    CHECK(!cd_gjk_sweep(&good, cd_vec3_make(0, inf, 0), &good, NULL, NULL, &hit));
    pose.position.z = nan;
    CHECK(!cd_gjk_sweep(&good, motion, &good, &pose, NULL, &hit));
    o.t_min = nan;
    CHECK(!cd_gjk_sweep(&good, motion, &good, NULL, &o, &hit));
    CHECK(!cd_gjk_raycast(&r, 1, &good, &o, &hit));
    o.t_min = 2;
    CHECK(!cd_gjk_sweep(&good, motion, &good, NULL, &o, &hit));
    CHECK(!cd_gjk_raycast(&r, 10, &nothing, NULL, &hit));
    r.dir.x = nan;
    CHECK(!cd_gjk_raycast(&r, 10, &good, NULL, &hit));
    if (!cd_gjk_raycast(&r, 10, &good, NULL, &hit)) CHECK_SAME(hit.t, before.t);
    CHECK(cd_gjk_sweep(&good, motion, &good, NULL, NULL, NULL));
    r.dir.x = 1;
    CHECK(cd_gjk_raycast(&r, inf, &good, NULL, NULL));
}

/* A body of the caller's own, which is asked in cd_real. */
static void user_bodies(void) {
    test_rng rng = test_random();
    for (long i = 0; i < test_times(200); ++i) {
        gen g = gen_begin(&rng, i % 2 ? GEN_UNIT : GEN_GRID);
        thing a, b;
        cd_vec3 motion = gen_direction(&g);
        cd_hit hit, own;
        bool got, want;
        draw_thing(&g, &a);
        draw_thing(&g, &b);
        a.kind = POINTS;
        drop(&a);
        memset(&a.hull, 0, sizeof a.hull);
        make_support(&a);
        want = cd_gjk_sweep(&a.support, motion, &b.support, NULL, NULL, &own);
        a.kind = USER;
        make_support(&a);
        got = cd_gjk_sweep(&a.support, motion, &b.support, NULL, NULL, &hit);
        if (want) CHECK(got);
        if (want && got) CHECK((double)hit.t <= (double)own.t + 64 * EPS);
        drop(&b);
    }
}

/* A ball comes to a long edge of a rectangle whose own numbers add up to more than any of its coordinates. */
static void what_is_left_is_of_coordinates(void) {
    cd_sphere ball = {{-1, -1, 0}, 1};
    cd_rect rect = {{-2, -2, 1}, {{1, 0, 0}, {4, 0, -1}}};
    cd_support a = cd_support_of_sphere(ball), b = cd_support_of_rect(&rect);
    cd_hit hit;
    double t, x, y, along;
    CHECK(cd_gjk_sweep(&a, cd_vec3_make(1, -1, 0), &b, NULL, NULL, &hit));
    t = (double)hit.t;
    x = 1 + t, y = 1 - t, along = 4 * x + 1; /* from the rectangle's corner, z is -1 */
    CHECK_NEAR(sqrt(x * x + y * y + 1 - along * along / 17) - 1, 0,
               3 * ldexp(1, sizeof(cd_real) == 4 ? -44 : -40) + (double)CD_REAL_EPSILON);
}

/* Out of a ball of floats, in a place that floats have no numbers for. */
static void rays_that_leave_where_no_numbers_are(void) {
    cd_sphere ball = {{0, 0, 0}, (cd_real)3e38};
    cd_support b;
    cd_ray r = {{0, 0, 0}, {1, 0, 0}};
    cd_cast_options o;
    cd_hit hit;
    memset(&o, 0, sizeof o);
    o.flags = CD_CAST_CULL_FRONT;
    for (int k = 0; k < 2; ++k) {
        bool has_number = k == 0 || sizeof(cd_real) > 4;
        ball.center.x = r.origin.x = (cd_real)(k ? 3e38 : 0);
        b = cd_support_of_sphere(ball);
        hit.t = 77;
        CHECK_INT(cd_gjk_raycast(&r, CD_REAL_MAX, &b, &o, &hit), has_number);
        CHECK(has_number ? cd_vec3_is_valid(hit.point) && hit.t > 77 : hit.t == 77);
    }
}

void suite_gjk_cast(void) {
    RUN(what_is_left_is_of_coordinates);
    RUN(rays_that_leave_where_no_numbers_are);
    RUN(sweeps_meet_as_the_reference);
    RUN(names_between_level_faces);
    RUN(faces_in_parts_are_named);
    RUN(curved_bodies_meet_where_they_touch);
    RUN(rays_hit_as_casts_do);
    RUN(rays_hit_what_is_stretched);
    RUN(rays_leave_through_each_face);
    RUN(times_are_rounded_to_the_safe_side);
    RUN(options_as_other_sweeps);
    RUN(large_targets_and_grazing);
    RUN(user_bodies);
    RUN(bad_input);
}
