/* Two convex bodies of any kind and numbers: distances and depths judged by a reference, all that asks the same agrees, and casts never
 * come late. */
#include "convex_truth.h"
#include "fuzz.h"
#include <math.h>
#include <string.h>

enum { CORNERS = 12 };

typedef struct body {
    cd_support s;
    union {
        cd_vec3 points[CORNERS];
        cd_segment segment;
        cd_triangle triangle;
        cd_capsule capsule;
        cd_tapered_capsule tapered;
        cd_aabb aabb;
        cd_obb obb;
        cd_disc disc;
        cd_cylinder cylinder;
        cd_cone cone;
        cd_ellipsoid ellipsoid;
        cd_lozenge lozenge;
    } u;
    cd_hull hull;
    cd_dk_hierarchy dk;
    bool is_polyhedron;
} body;

static void hull_of(body *b, fuzz *f, bool hierarchy) {
    int count = test_int(f->rng, 1, CORNERS);
    fuzz_points(f, b->u.points, count);
    if (cd_hull3_build(&b->hull, b->u.points, (size_t)count, NULL) != CD_OK) {
        memset(&b->hull, 0, sizeof b->hull);
        return;
    }
    b->s = cd_support_of_hull(&b->hull);
    b->is_polyhedron = true;
    if (!hierarchy || cd_dk_hierarchy_build(&b->dk, &b->hull, NULL) != CD_OK) return;
    b->s = cd_support_of_dk_hierarchy(&b->dk);
}

static void open_body(body *b, fuzz *f) {
    cd_sphere s;
    int what = test_int(f->rng, 0, 15), count;
    cd_real kind;
    memset(b, 0, sizeof *b);
    switch (what) {
    case 0: b->s = cd_support_of_point(fuzz_vec(f)); break;
    case 1:
        s = fuzz_sphere(f);
        b->s = cd_support_of_sphere(s);
        break;
    case 2:
        b->u.segment = fuzz_segment(f);
        b->s = cd_support_of_segment(&b->u.segment);
        break;
    case 3:
        b->u.triangle = fuzz_triangle(f);
        b->s = cd_support_of_triangle(&b->u.triangle);
        break;
    case 4:
        count = test_int(f->rng, 1, CORNERS);
        fuzz_points(f, b->u.points, count);
        b->s = cd_support_of_points(b->u.points, (size_t)count);
        break;
    case 5:
        b->u.capsule = fuzz_capsule(f);
        b->s = cd_support_of_capsule(&b->u.capsule);
        break;
    case 6:
        b->u.tapered.a = fuzz_vec(f);
        b->u.tapered.b = fuzz_vec(f);
        b->u.tapered.radius_a = fuzz_length(f);
        b->u.tapered.radius_b = fuzz_length(f);
        b->s = cd_support_of_tapered_capsule(&b->u.tapered);
        break;
    case 7:
        b->u.aabb = fuzz_aabb(f);
        b->s = cd_support_of_aabb(&b->u.aabb);
        break;
    case 8:
        b->u.obb = fuzz_obb(f);
        b->s = cd_support_of_obb(&b->u.obb);
        break;
    case 9:
        b->u.disc.center = fuzz_vec(f);
        b->u.disc.normal = fuzz_vec(f);
        b->u.disc.radius = fuzz_length(f);
        b->s = cd_support_of_disc(&b->u.disc);
        break;
    case 10:
    case 11:
        b->u.cylinder.a = fuzz_vec(f);
        b->u.cylinder.b = fuzz_vec(f);
        b->u.cylinder.radius = fuzz_length(f);
        b->s = what == 10 ? cd_support_of_cylinder(&b->u.cylinder) : cd_support_of_cone(&b->u.cone);
        break;
    case 12:
        b->u.ellipsoid.center = fuzz_vec(f);
        b->u.ellipsoid.half = fuzz_vec(f);
        for (int k = 0; k < 3; ++k)
            REALS(b->u.ellipsoid.half)[k] = (cd_real)fabs((double)REALS(b->u.ellipsoid.half)[k]);
        b->u.ellipsoid.axes = cd_quat_to_mat3(fuzz_quat(f));
        b->s = cd_support_of_ellipsoid(&b->u.ellipsoid);
        break;
    case 13:
        b->u.lozenge.a = fuzz_vec(f);
        b->u.lozenge.edge[0] = fuzz_vec(f);
        b->u.lozenge.edge[1] = fuzz_vec(f);
        b->u.lozenge.radius = fuzz_length(f);
        b->s = cd_support_of_lozenge(&b->u.lozenge);
        break;
    default: hull_of(b, f, what == 15);
    }
    if (!test_int(f->rng, 0, 7)) b->s = cd_support_rounded(&b->s, fuzz_length(f));
    if (!test_int(f->rng, 0, 11)) {
        cd_vec3 by = fuzz_vec(f);
        b->s = cd_support_scaled(&b->s, by);
        FUZZ_NOTE(by);
    }
    kind = (cd_real)b->s.kind;
    test_note_reals("kind", &kind, 1);
    test_note_reals("center, radius", &b->s.center.x, 4);
    fuzz_note("numbers", &b->u, sizeof b->u);
}

static void close_body(body *b) {
    cd_dk_hierarchy_destroy(&b->dk);
    cd_hull_destroy(&b->hull);
}

typedef struct two {
    fuzz f;
    body a, b;
    cd_transform pose;
    const cd_transform *at;
    bool valid;
    double size;
} two;

/* Infinite where the farthest point is beyond the numbers. */
static double reach(const cd_support *s, cd_vec3 dir, int axis) {
    cd_vec3 p = cd_support_farthest(s, dir);
    double far_off = fabs((double)REALS(p)[axis]);
    return far_off == far_off ? far_off : (double)INFINITY;
}

static void open_two(two *t, test_rng *r) {
    t->f = fuzz_begin(r, test_int(r, 0, 2) ? FUZZ_MIXED : FUZZ_BITS);
    test_note("");
    open_body(&t->a, &t->f);
    open_body(&t->b, &t->f);
    t->at = NULL;
    if (test_int(r, 0, 1)) {
        t->pose = fuzz_pose(&t->f);
        t->at = &t->pose;
        FUZZ_NOTE(t->pose);
    }
    t->valid = cd_support_is_valid(&t->a.s) && cd_support_is_valid(&t->b.s) &&
               (!t->at || cd_transform_is_valid(t->at));
    t->size = 0;
    for (int i = 0; i < 6 && t->valid; ++i) {
        cd_vec3 n = cd_vec3_make(0, 0, 0);
        REALS(n)[i % 3] = (cd_real)(i < 3 ? 1 : -1);
        t->size = fmax(t->size, reach(&t->a.s, n, i % 3));
        t->size = fmax(t->size, reach(&t->b.s, n, i % 3));
    }
    if (t->at)
        for (int k = 0; k < 3; ++k) t->size = fmax(t->size, fabs((double)REALS(t->pose.position)[k]));
}

static bool same(const cd_separation *a, const cd_separation *b) {
    return a->status == b->status && FUZZ_SAME(a->distance, b->distance) && FUZZ_SAME(a->gap, b->gap) &&
           FUZZ_SAME(a->normal, b->normal) && FUZZ_SAME(a->a, b->a) && FUZZ_SAME(a->b, b->b);
}

static void distances(two *t) {
    static truth_pair pair;
    cd_convex_pair one;
    cd_cache cache;
    cd_separation x = cd_convex_distance(&t->a.s, &t->b.s, t->at, NULL, NULL), y;
    bool tame = t->f.tame && t->f.mood <= FUZZ_MIXED && t->size > 0, meet;
    if (t->size < 1e306)
        CHECK_INT(x.status == CD_INVALID_ARGUMENT, !t->valid); /* beyond, a pose may lead out of the range */
    if (x.status == CD_INVALID_ARGUMENT) {
        CHECK(x.distance != x.distance);
        return;
    }
    CHECK(x.distance == x.distance && x.gap >= 0 && cd_vec3_is_valid(x.normal));
    one.a = &t->a.s;
    one.b = &t->b.s;
    one.b_in_a = t->at;
    cd_convex_distances(&one, 1, NULL, NULL, &y);
    CHECK(same(&x, &y));
    for (int k = 0; k < 8; ++k) cache.words[k] = (uint32_t)test_int(t->f.rng, 0, 255) * 0x01010101u;
    y = cd_convex_distance(&t->a.s, &t->b.s, t->at, NULL, &cache);
    CHECK(y.distance == y.distance && y.gap >= 0);
    if (tame) {
        truth_open(&pair, &t->a.s, &t->b.s, t->at);
        truth_judge(&pair, &x, x.status == CD_NOT_CONVERGED);
        truth_judge(&pair, &y, y.status == CD_NOT_CONVERGED);
        CHECK_NEAR(x.distance, y.distance, (double)x.gap + (double)y.gap + 1e-6 * t->size);
    }
    y = cd_gjk_distance(&t->a.s, &t->b.s, t->at, NULL, &cache);
    CHECK(y.distance == y.distance && y.gap >= 0);
    if (tame && x.distance > 0)
        CHECK_NEAR(y.distance, x.distance, (double)x.gap + (double)y.gap + 1e-6 * t->size);
    meet = cd_gjk_test(&t->a.s, &t->b.s, t->at, NULL);
    CHECK_INT(cd_gjk_tests(&one, 1, NULL, NULL), meet);
    if (tame && (double)x.distance > (double)x.gap + 1e-5 * t->size) CHECK(!meet);
    if (tame && (double)x.distance < -(double)x.gap - 1e-5 * t->size) CHECK(meet);
    if (t->at) return;
    y = cd_convex_distance(&t->b.s, &t->a.s, NULL, NULL, NULL);
    if (tame) CHECK_NEAR(y.distance, x.distance, (double)x.gap + (double)y.gap + 1e-6 * t->size);
    y = cd_epa(&t->a.s, &t->b.s, NULL, NULL, NULL);
    if (tame && y.status == CD_OK)
        CHECK_NEAR(y.distance, x.distance, (double)x.gap + (double)y.gap + 1e-5 * t->size);
}

/* Others that know the distance. */
static void others(two *t) {
    cd_separation x = cd_convex_distance(&t->a.s, &t->b.s, t->at, NULL, NULL), y;
    bool tame = t->f.tame && t->f.mood <= FUZZ_NICE && t->valid && x.status == CD_OK;
    cd_sat_axis axis = cd_sat_convex(&t->a.s, &t->b.s, t->at, NULL);
    CHECK_INT(axis.status == CD_OK, axis.separation == axis.separation);
    if (axis.status == CD_OK && tame) {
        CHECK((double)axis.separation <= (double)x.distance + (double)x.gap + 1e-5 * t->size);
        if (x.distance < 0) CHECK_NEAR(axis.separation, x.distance, (double)x.gap + 1e-5 * t->size);
        CHECK_INT(cd_sat_test_convex(&t->a.s, &t->b.s, t->at, NULL) ||
                      axis.separation > (cd_real)(-1e-6 * t->size),
                  true);
    }
    if (t->a.is_polyhedron && t->b.is_polyhedron) {
        y = cd_qp_distance_hulls(&t->a.hull, &t->b.hull, t->at, NULL);
        CHECK(y.status == CD_OK || y.status == CD_NOT_CONVERGED || y.status == CD_INVALID_ARGUMENT);
        if (tame && y.status == CD_OK && t->a.s.radius == 0 && t->b.s.radius == 0 && t->a.s.scale.x == 0 &&
            t->b.s.scale.x == 0)
            CHECK_NEAR(y.distance, fmax((double)x.distance, 0),
                       (double)x.gap + (double)y.gap + 1e-5 * t->size);
        cd_test_polyhedron_boundary(&t->a.hull, &t->b.hull, t->at);
#ifndef COLLIDE_NO_CLASSIC
        cd_vclip(&t->a.hull, &t->b.hull, t->at, 100, NULL);
#endif
    }
#ifndef COLLIDE_NO_CLASSIC
    {
        cd_vec3 v = cd_vec3_make(1, 0, 0);
        y = cd_gjk_johnson(&t->a.s, &t->b.s, t->at, 60);
        if (t->valid && y.status == CD_OK) CHECK(y.distance == y.distance);
        cd_chung_wang(&t->a.s, &t->b.s, t->at, 60, &v);
    }
#endif
}

static bool is_sound(void *user, const cd_manifold *m, const cd_contact *c) {
    (void)user;
    CHECK(cd_vec3_is_valid(m->normal) && cd_vec3_is_valid(c->a) && cd_vec3_is_valid(c->b));
    return CHECK(c->distance == c->distance);
}

static void contacts(two *t) {
    cd_collide_options o;
    cd_manifold m;
    cd_separation x;
    cd_cache cache;
    bool meets;
    memset(&o, 0, sizeof o);
    memset(&m, 0, sizeof m);
    if (test_int(t->f.rng, 0, 1)) o.margin = fuzz_real(&t->f);
    for (int k = 0; k < 8; ++k) cache.words[k] = (uint32_t)test_int(t->f.rng, 0, 255) * 0x00010001u;
    FUZZ_NOTE(o.margin);
    meets = cd_collide_convex(&t->a.s, &t->b.s, t->at, &o, test_int(t->f.rng, 0, 1) ? &cache : NULL, &m);
    cd_collide_convex_all(&t->a.s, &t->b.s, t->at, &o, NULL, is_sound, NULL);
    if (!t->valid) CHECK(!meets);
    if (!meets) return;
    CHECK(m.count >= 1 && m.count <= CD_MANIFOLD_POINTS);
    CHECK_NEAR(cd_vec3_length(m.normal), 1, 1e-5);
    x = cd_convex_distance(&t->a.s, &t->b.s, t->at, NULL, NULL);
    for (uint32_t i = 0; i < m.count; ++i) {
        double slack = (double)x.gap + 1e-5 * t->size, distance = (double)m.points[i].distance;
        cd_vec3 way = cd_vec3_sub(m.points[i].b, m.points[i].a);
        is_sound(NULL, &m, &m.points[i]);
        if (!t->f.tame || t->f.mood > FUZZ_MIXED || x.status != CD_OK) continue;
        CHECK(distance <= fmax((double)o.margin, 0) + slack && distance >= (double)x.distance - slack);
        CHECK_NEAR(cd_vec3_dot(way, m.normal), distance, slack);
        for (uint32_t k = 0; k < i; ++k)
            CHECK(m.points[i].feature_a != m.points[k].feature_a ||
                  m.points[i].feature_b != m.points[k].feature_b);
    }
}

static void casts(two *t) {
    cd_cast_options o;
    cd_ray r = fuzz_ray(&t->f);
    cd_hit hit, before;
    cd_transform pose = t->at ? *t->at : cd_transform_identity();
    bool hits, tame;
    memset(&o, 0, sizeof o);
    memset(&hit, 0x5A, sizeof hit);
    before = hit;
    o.flags = test_int(t->f.rng, 0, 1) ? 0 : (uint32_t)test_int(t->f.rng, 0, 31);
    FUZZ_NOTE(r);
    hits = cd_gjk_sweep(&t->a.s, r.dir, &t->b.s, t->at, &o, &hit);
    tame = t->f.tame && t->f.mood <= FUZZ_MIXED;
    if (!t->valid || !cd_vec3_is_valid(r.dir)) CHECK(!hits);
    if (!hits) CHECK(memcmp(&hit, &before, sizeof hit) == 0);
    if (hits) {
        CHECK(cd_vec3_is_valid(hit.point) && cd_vec3_is_valid(hit.normal) && hit.t >= 0 && hit.t <= 1);
        CHECK_NEAR(cd_vec3_length(hit.normal), 1, 1e-5);
    }
    if (tame && t->valid && o.flags == 0) {
        /* Neither before the hit, nor ever without one, do they meet. */
        double until = hits ? (double)hit.t : 1, at = until * test_int(t->f.rng, 0, 15) / 16, reach = t->size;
        cd_separation x;
        for (int k = 0; k < 3; ++k) reach += fabs((double)REALS(r.dir)[k]);
        for (int k = 0; k < 3; ++k) REALS(pose.position)[k] -= (cd_real)(at * (double)REALS(r.dir)[k]);
        x = cd_convex_distance(&t->a.s, &t->b.s, &pose, NULL, NULL);
        if (x.status == CD_OK) CHECK((double)x.distance >= -(double)x.gap - 1e-5 * reach || until == 0);
        if (hits && x.status == CD_OK) {
            pose = t->at ? *t->at : cd_transform_identity();
            for (int k = 0; k < 3; ++k) REALS(pose.position)[k] -= (cd_real)(until * (double)REALS(r.dir)[k]);
            x = cd_convex_distance(&t->a.s, &t->b.s, &pose, NULL, NULL);
            if (x.status == CD_OK) CHECK((double)x.distance <= (double)x.gap + 1e-5 * reach);
        }
    }
    if (cd_gjk_raycast(&r, CD_REAL_MAX, &t->b.s, &o, &hit))
        CHECK(cd_vec3_is_valid(hit.point) && cd_vec3_is_valid(hit.normal) && hit.t == hit.t);
    if (cd_sweep_convex_convex_sat(&t->a.s, r.dir, &t->b.s, t->at, &o, &hit))
        CHECK(cd_vec3_is_valid(hit.normal) && hit.t == hit.t);
}

static void impacts(two *t) {
    cd_motion a, b;
    cd_transform from = fuzz_pose(&t->f), to = fuzz_pose(&t->f), end = fuzz_pose(&t->f);
    cd_impact_options o;
    cd_impact x;
    bool fine;
    FUZZ_NOTE(from);
    FUZZ_NOTE(to);
    FUZZ_NOTE(end);
    fine = cd_motion_make((cd_motion_kind)test_int(t->f.rng, 0, CD_MOTION_SCREW), &from, &to, &a) == CD_OK;
    fine = cd_motion_make((cd_motion_kind)test_int(t->f.rng, 0, CD_MOTION_SCREW), t->at ? t->at : &from, &end,
                          &b) == CD_OK &&
           fine;
    memset(&o, 0, sizeof o);
    x = cd_time_of_impact(&t->a.s, &a, &t->b.s, &b, &o);
    CHECK(x.status == CD_OK || x.status == CD_NOT_CONVERGED || x.status == CD_INVALID_ARGUMENT);
    CHECK(x.t >= 0 && x.t <= 1 && x.distance == x.distance && cd_vec3_is_valid(x.normal));
    if (x.status == CD_INVALID_ARGUMENT) return;
    if (fine && t->f.tame && t->f.mood <= FUZZ_MIXED) {
        /* They do not meet before. */
        cd_real at = x.t * (cd_real)test_int(t->f.rng, 0, 15) / 16;
        cd_transform pose_a = cd_motion_pose(&a, at), pose_b = cd_motion_pose(&b, at),
                     relative = cd_transform_relative(&pose_a, &pose_b);
        cd_separation s = cd_convex_distance(&t->a.s, &t->b.s, &relative, NULL, NULL);
        double reach = t->size;
        for (int k = 0; k < 3; ++k)
            reach += fabs((double)REALS(pose_a.position)[k]) + fabs((double)REALS(pose_b.position)[k]);
        test_note_reals("at", &at, 1);
        if (s.status == CD_OK && at > 0) CHECK((double)s.distance >= -(double)s.gap - 1e-5 * reach);
    }
}

void fuzz_convex(test_rng *r) {
    static two t;
    int what = test_int(r, 0, 7);
    open_two(&t, r);
    if (what < 3) distances(&t);
    if (what == 3) others(&t);
    if (what == 4) contacts(&t);
    if (what == 5 || what == 6) casts(&t);
    if (what == 7) impacts(&t);
    close_body(&t.a);
    close_body(&t.b);
}
