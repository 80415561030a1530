/* Moving polyhedra by separating axes, against the reference of moving bodies; options; bad input. */
#include "gen.h"
#include "sweeps.h"
#include <math.h>
#include <string.h>

typedef struct thing {
    cd_hull hull;
    cd_vec3 p[SWEEP_CORNERS];
    cd_obb obb;
    cd_aabb aabb;
    cd_support support;
    sweep_body body;
} thing;

static void draw_hull(gen *g, thing *x) {
    int count = test_int(g->rng, 1, SWEEP_CORNERS), flat = test_int(g->rng, 0, 5);
    for (int i = 0; i < count; ++i) {
        x->p[i] = gen_point(g);
        if (flat == 1) x->p[i].z = x->p[0].z;
    }
    if (cd_hull3_build(&x->hull, x->p, (size_t)count, NULL) != CD_OK) memset(&x->hull, 0, sizeof x->hull);
    x->support = cd_support_of_hull(&x->hull);
    x->body = sweep_of_hull(&x->hull);
}

static void draw(gen *g, thing *x) {
    int kind = test_int(g->rng, 0, 5);
    memset(&x->hull, 0, sizeof x->hull);
    if (kind <= 2) {
        draw_hull(g, x);
    } else if (kind == 3) {
        x->obb = gen_obb(g);
        x->support = cd_support_of_obb(&x->obb);
        x->body = sweep_of_obb(&x->obb);
    } else if (kind == 4) {
        x->aabb = gen_aabb(g);
        x->support = cd_support_of_aabb(&x->aabb);
        x->body = sweep_of_aabb(x->aabb);
    } else {
        int count = test_int(g->rng, 1, 3);
        for (int i = 0; i < count; ++i) x->p[i] = gen_point(g);
        x->support = cd_support_of_points(x->p, (size_t)count);
        x->body = sweep_of_points(x->p, count);
    }
}

static void note(const char *name, const thing *x) {
    cd_vec3 p[SWEEP_CORNERS];
    for (int i = 0; i < x->body.count; ++i)
        for (int k = 0; k < 3; ++k) REALS(p[i])[k] = (cd_real)(x->body.corner[i][k] + x->body.origin[k]);
    test_note_reals(name, (const cd_real *)(const void *)p, 3 * x->body.count);
}

/* Seen from the frame in which the body is posed. */
static void pose_body(sweep_body *b, const cd_transform *pose) {
    cd_mat3 m = cd_quat_to_mat3(pose->rotation);
    for (int i = 0; i < b->count; ++i) {
        double out[3];
        for (int k = 0; k < 3; ++k) {
            out[k] = (double)REALS(pose->position)[k];
            for (int c = 0; c < 3; ++c)
                out[k] += (double)REALS(m.col[c])[k] * (b->corner[i][c] + b->origin[c]);
        }
        for (int k = 0; k < 3; ++k) b->corner[i][k] = out[k];
    }
    for (int k = 0; k < 3; ++k) b->origin[k] = 0;
}

/* Turned by what is a symmetry of the cube, so that posed corners are exact. */
static cd_transform draw_pose(test_rng *rng) {
    cd_transform t;
    memset(&t, 0, sizeof t);
    REALS(t.rotation)[test_int(rng, 0, 3)] = 1;
    if (test_int(rng, 0, 1)) REALS(t.rotation)[test_int(rng, 0, 3)] = 1;
    for (int k = 0; k < 3; ++k) {
        int x = test_int(rng, -2, 2);
        REALS(t.position)[k] = (cd_real)x;
    }
    return t;
}

static void meet_as_the_reference(void) {
    static const gen_kind kinds[4] = {GEN_UNIT, GEN_GRID, GEN_SCALE, GEN_FAR};
    test_rng rng = test_random();
    long all = test_times(1200), hits = 0, starts = 0;
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, kinds[i % 4]);
        thing a, b;
        cd_vec3 motion = gen_direction(&g);
        cd_transform pose = draw_pose(&rng);
        const cd_transform *at = i % 4 == 1 && test_int(&rng, 0, 1) ? &pose : NULL;
        cd_hit hit;
        bool got;
        draw(&g, &a);
        draw(&g, &b);
        memset(&hit, 0, sizeof hit);
        test_note("");
        note("a", &a);
        note("b", &b);
        test_note_reals("motion", REALS(motion), 3);
        test_note_reals("at", REALS(pose), at ? 7 : 0);
        got = ASK("judge", cd_sweep_convex_convex_sat(&a.support, motion, &b.support, at, NULL, &hit));
        if (at) pose_body(&b.body, at);
        a.body.along_axes = true;
        sweep_judge(&a.body, motion, &b.body, got, &hit);
        if (a.support.kind == CD_SUPPORT_HULL && b.support.kind == CD_SUPPORT_HULL) {
            cd_hit same;
            CHECK_INT(ASK("forms", cd_sweep_hull_hull_sat(&a.hull, motion, &b.hull, at, NULL, &same)), got);
            if (got) CHECK_SAME(same.t, hit.t);
        }
        hits += got;
        starts += got && (hit.flags & CD_HIT_START);
        cd_hull_destroy(&a.hull);
        cd_hull_destroy(&b.hull);
    }
    CHECK_SEEN(hits > all / 10 && starts > 0 && hits < all);
}

/* The box that is led to `b` by one of those poses. */
static cd_aabb before_pose(cd_aabb b, const cd_transform *pose) {
    cd_mat3 m = cd_quat_to_mat3(pose->rotation);
    cd_aabb out;
    for (int k = 0; k < 3; ++k) {
        double x = 0, y = 0;
        for (int c = 0; c < 3; ++c) {
            x += (double)REALS(m.col[k])[c] * ((double)REALS(b.min)[c] - (double)REALS(pose->position)[c]);
            y += (double)REALS(m.col[k])[c] * ((double)REALS(b.max)[c] - (double)REALS(pose->position)[c]);
        }
        REALS(out.min)[k] = (cd_real)fmin(x, y);
        REALS(out.max)[k] = (cd_real)fmax(x, y);
    }
    return out;
}

/* On a grid touching is exact: the options of boxes are those of query/sweep_box; where the one at rest is posed, too. */
static void boxes_have_the_same_options(void) {
    test_rng rng = test_random();
    long all = test_times(2000), hits = 0;
    for (long i = 0; i < all; ++i) {
        cd_aabb a, b, c;
        cd_vec3 motion;
        cd_transform pose = draw_pose(&rng);
        cd_cast_options o;
        cd_hit one, two;
        cd_support p, q;
        bool hit;
        memset(&o, 0, sizeof o);
        memset(&one, 0, sizeof one);
        memset(&two, 0, sizeof two);
        for (int k = 0; k < 3; ++k) {
            REALS(a.min)[k] = (cd_real)test_int(&rng, -8, 4);
            REALS(a.max)[k] = REALS(a.min)[k] + (cd_real)(i % 4 < 2 ? test_int(&rng, 1, 6) : 0);
            REALS(b.min)[k] = (cd_real)test_int(&rng, -8, 4);
            REALS(b.max)[k] = REALS(b.min)[k] + (cd_real)test_int(&rng, 1, 6);
            REALS(motion)[k] = REALS(b.min)[k] - REALS(a.min)[k] + (cd_real)test_int(&rng, -3, 3);
        }
        o.flags = (uint32_t)test_int(&rng, 0, 31);
        o.t_min = (cd_real)(test_int(&rng, -1, 3) * 0.25);
        p = cd_support_of_aabb(&a);
        c = i % 2 ? before_pose(b, &pose) : b;
        q = cd_support_of_aabb(&c);
        test_note("flags %u, t_min %g ", (unsigned)o.flags, (double)o.t_min);
        test_note_reals("a", REALS(a), 6);
        test_note_reals("b", REALS(b), 6);
        test_note_reals("motion", REALS(motion), 3);
        test_note_reals("pose", REALS(pose), i % 2 ? 7 : 0);
        hit = cd_sweep_aabb_aabb(a, motion, b, &o, &one);
        CHECK_INT(ASK("forms", cd_sweep_convex_convex_sat(&p, motion, &q, i % 2 ? &pose : NULL, &o, &two)),
                  hit);
        if (hit) {
            CHECK_NEAR((double)two.t, (double)one.t, 1e-6);
            CHECK_INT(two.flags, one.flags);
            CHECK_NEAR((double)two.depth, (double)one.depth, 1e-5);
        }
        hits += hit;
    }
    CHECK_SEEN(hits > all / 50 && hits < all);
}

enum { AROUND = 40 };

/* A prism around z, or with `flat` its foot alone. */
static cd_hull prism(test_rng *rng, int around, bool flat, double x, double y, double z) {
    cd_vec3 p[2 * AROUND];
    double r = test_range(rng, 0.5, 2), turn = test_range(rng, 0, 6);
    cd_hull h;
    for (int i = 0; i < around; ++i) {
        double angle = turn + 6.283185307179586 * i / around;
        for (int k = 0; k < 2; ++k)
            p[k * around + i] =
                cd_vec3_make((cd_real)(x + r * cos(angle)), (cd_real)(y + r * sin(angle)), (cd_real)(z + k));
    }
    CHECK_INT(cd_hull3_build(&h, p, (size_t)(flat ? around : 2 * around), NULL), CD_OK);
    return h;
}

/* By how much a point, moved back, is before the foremost of a hull's planes. */
static double beyond(const cd_hull *h, const cd_hit *hit, cd_vec3 motion) {
    cd_hull_parts parts = cd_hull_get_parts(h);
    double most = -INFINITY;
    for (uint32_t i = 0; i < parts.face_count; ++i) {
        double off = -(double)parts.faces[i].plane.d;
        for (int k = 0; k < 3; ++k)
            off += (double)REALS(parts.faces[i].plane.n)[k] *
                   ((double)REALS(hit->point)[k] - (double)hit->t * (double)REALS(motion)[k]);
        most = fmax(most, off);
    }
    return most;
}

/* Faces of many corners, level with each other: the point is of both, but for the excess and rounding. */
static void large_faces_meet_where_both_are(void) {
    test_rng rng = test_random();
    int hits = 0;
    for (long i = test_times(500); i > 0; --i) {
        int n = test_int(&rng, 3, AROUND), m = test_int(&rng, 3, AROUND);
        double angle = test_range(&rng, 0, 6), off = test_range(&rng, 0, 4),
               margin = ldexp(8, -40) + 64 * (double)CD_REAL_EPSILON;
        cd_hull b = prism(&rng, n, test_int(&rng, 0, 1), 0, 0, -2), a;
        cd_vec3 motion = cd_vec3_make((cd_real)test_range(&rng, -1, 1), (cd_real)test_range(&rng, -1, 1), -4);
        cd_hit hit;
        a = prism(&rng, m, test_int(&rng, 0, 1), off * cos(angle), off * sin(angle), 1);
        test_note("%d and %d corners", m, n);
        if (cd_sweep_hull_hull_sat(&a, motion, &b, NULL, NULL, &hit)) {
            ++hits;
            CHECK_NEAR(fmax(beyond(&b, &hit, cd_vec3_make(0, 0, 0)), 0), 0, margin);
            CHECK_NEAR(fmax(beyond(&a, &hit, motion), 0), 0, margin);
        }
        cd_hull_destroy(&a);
        cd_hull_destroy(&b);
    }
    CHECK_SEEN(hits > 0);
}

/* A point in a box, as near to one face as to another, the motion out through the one and away from the other: it is taken for leaving,
 * as by the sweep of boxes, in whatever frame the box is given. */
static void corners_can_be_left(void) {
    test_rng rng = test_random();
    long leaving = 0;
    for (int i = 0; i < 3 * 4 * 2 * 8; ++i) {
        int u = i % 3, v = (u + 1 + i / 3 % 2) % 3, su = i / 6 % 2 ? 1 : -1, sv = i / 12 % 2 ? 1 : -1;
        cd_aabb a, b = {{-2, -3, -4}, {2, 3, 4}}, c;
        cd_vec3 at = cd_vec3_make((cd_real)0.25, (cd_real)0.25, (cd_real)0.25),
                motion = cd_vec3_make(0, 0, 0);
        cd_transform pose = draw_pose(&rng);
        cd_support p, q;
        cd_cast_options o;
        cd_hit one, two;
        bool hit;
        memset(&o, 0, sizeof o);
        memset(&one, 0, sizeof one);
        memset(&two, 0, sizeof two);
        REALS(at)[u] = (cd_real)(su * (u + 1.5));
        REALS(at)[v] = (cd_real)(sv * (v + 1.5));
        REALS(motion)[u] = (cd_real)(su * 8);
        REALS(motion)[v] = (cd_real)(-sv);
        a.min = a.max = at;
        c = before_pose(b, &pose);
        p = cd_support_of_aabb(&a);
        q = cd_support_of_aabb(&c);
        o.flags = CD_CAST_START_LEAVING | CD_CAST_START_DEPTH;
        test_note("%d ", i);
        test_note_reals("pose", REALS(pose), 7);
        hit = cd_sweep_aabb_aabb(a, motion, b, &o, &one);
        CHECK_INT(ASK("forms", cd_sweep_convex_convex_sat(&p, motion, &q, &pose, &o, &two)), hit);
        leaving += !hit;
    }
    CHECK(leaving > 0);
}

/* The weights of a triangle that is posed, and stretched, make the point that was met. */
static void weights_of_posed_triangles(void) {
    test_rng rng = test_random();
    long all = 30 + test_times(270), hits = 0;
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_vec3 p[3], point;
        cd_aabb box = gen_aabb(&g);
        cd_vec3 by = cd_vec3_make(2, (cd_real)-0.5, 4), motion;
        cd_transform pose = gen_pose(&rng, 4.0);
        cd_support a = cd_support_of_aabb(&box), b, s;
        cd_hit hit;
        for (int k = 0; k < 3; ++k) p[k] = gen_point(&g);
        b = s = cd_support_of_points(p, 3);
        if (i % 2) b = cd_support_scaled(&s, by);
        motion = cd_vec3_scale(pose.position, 2);
        memset(&hit, 0, sizeof hit);
        if (!cd_sweep_convex_convex_sat(&a, motion, &b, &pose, NULL, &hit)) continue;
        test_note_reals("triangle", REALS(p[0]), 9);
        test_note_reals("pose", REALS(pose), 7);
        for (int k = 0; k < 3; ++k) {
            double c = (double)REALS(p[0])[k], x = c + (double)hit.u * ((double)REALS(p[1])[k] - c) +
                                                   (double)hit.v * ((double)REALS(p[2])[k] - c);
            REALS(point)[k] = (cd_real)(i % 2 ? x * (double)REALS(by)[k] : x);
        }
        CHECK_VEC(hit.point, cd_transform_point(&pose, point), 256 * (double)CD_REAL_EPSILON);
        ++hits;
    }
    CHECK_SEEN(hits > all / 20);
}

static void bad_input(void) {
    cd_hull none;
    cd_vec3 p[4];
    cd_vec3 motion = cd_vec3_make(1, 0, 0), bad = cd_vec3_make((cd_real)NAN, 0, 0);
    cd_support s, ball = cd_support_of_point(motion);
    cd_transform pose;
    cd_hit hit;
    memset(&none, 0, sizeof none);
    memset(p, 0, sizeof p);
    memset(&pose, 0, sizeof pose);
    pose.position = bad;
    p[1].x = p[2].y = 1;
    s = cd_support_of_points(p, 3);
    CHECK(cd_sweep_convex_convex_sat(&s, motion, &s, NULL, NULL, NULL));
    CHECK(!cd_sweep_convex_convex_sat(&s, bad, &s, NULL, NULL, &hit));
    CHECK(!cd_sweep_convex_convex_sat(&s, motion, &s, &pose, NULL, &hit));
    CHECK(!cd_sweep_hull_hull_sat(&none, motion, &none, NULL, NULL, &hit));
    CHECK(!cd_sweep_hull_hull_sat(NULL, motion, NULL, NULL, NULL, &hit));
    ball.radius = 1;
    CHECK(!cd_sweep_convex_convex_sat(&ball, motion, &s, NULL, NULL, &hit));
}

void suite_sweep_sat(void) {
    RUN(meet_as_the_reference);
    RUN(boxes_have_the_same_options);
    RUN(large_faces_meet_where_both_are);
    RUN(corners_can_be_left);
    RUN(weights_of_posed_triangles);
    RUN(bad_input);
}
