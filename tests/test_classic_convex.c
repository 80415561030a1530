/* The published algorithms for two convex bodies against the house's own GJK: where they have to agree, where they may not, and inputs
 * that they are known to fail on. */
#include "gen.h"
#include "hulls.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define MARGIN 1e-13
#else
#define MARGIN 1e-6
#endif

/* ---- bodies ---- */

enum { BALL, CUBE, BOX, GRID, NEEDLE, SLAB, MERGED, PRISM, BODIES };

typedef struct body {
    hulls_cloud cloud;
    cd_hull hull;
    cd_support support;
    double extent;
    int kind;
} body;

static void body_point(test_rng *rng, int kind, int i, int n, double x[3]) {
    double length = 0;
    for (int k = 0; k < 3; ++k) {
        x[k] = kind == GRID ? test_int(rng, -2, 2) : test_range(rng, -1, 1);
        if (kind == BOX) x[k] = (i >> k & 1) ? 1 : -1;
        length += x[k] * x[k];
    }
    length = sqrt(length);
    if ((kind == BALL || kind == MERGED) && length > 0)
        for (int k = 0; k < 3; ++k) x[k] /= length;
    if (kind == NEEDLE) x[0] *= 1e-3, x[1] *= 30, x[2] *= 1e-3;
    if (kind == SLAB) x[2] *= 1e-4;
    if (kind != PRISM) return;
    x[0] = cos(6.283185307179586 * (i / 2) / (n / 2));
    x[1] = sin(6.283185307179586 * (i / 2) / (n / 2));
    x[2] = i % 2 ? 1 : -1;
}

static void body_make(body *b, test_rng *rng, int kind, int n, double size) {
    cd_hull_options o;
    memset(&o, 0, sizeof o);
    b->cloud.points = NULL;
    b->cloud.count = 0;
    b->cloud.rng = rng;
    b->kind = kind;
    b->extent = 0;
    for (int i = 0; i < (kind == BOX ? 8 : n); ++i) {
        double x[3];
        body_point(rng, kind, i, n, x);
        for (int k = 0; k < 3; ++k) b->extent = fmax(b->extent, size * fabs(x[k]));
        hulls_cloud_add(&b->cloud, size * x[0], size * x[1], size * x[2]);
    }
    if (kind == MERGED) o.merge_distance = (cd_real)(0.05 * size);
    CHECK_INT(cd_hull3_build(&b->hull, b->cloud.points, b->cloud.count, &o), CD_OK);
    b->support = cd_support_of_hull(&b->hull);
}

static void body_free(body *b) {
    cd_hull_destroy(&b->hull);
    hulls_cloud_free(&b->cloud);
}

/* ---- poses: any; shifted only; nearly not turned; far off ---- */

enum { ANY, SHIFTED, NEARLY, TOUCHING, POSES };

static cd_transform pose_make(test_rng *rng, int kind, double size) {
    cd_transform t = gen_pose(rng, size);
    if (kind == ANY) return t;
    t.rotation.x = t.rotation.y = t.rotation.z = 0;
    t.rotation.w = 1;
    if (kind == NEARLY) {
        t.rotation.x = (cd_real)test_range(rng, -1e-7, 1e-7);
        t.rotation.z = (cd_real)test_range(rng, -1e-7, 1e-7);
    }
    if (kind == TOUCHING) {
        int x = test_int(rng, -4, 4), y = test_int(rng, -4, 4), z = test_int(rng, -4, 4);
        t.position = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
    }
    return t;
}

/* A hull of given points. */
static void body_of(body *b, test_rng *rng, const double (*points)[3], int n, double merge) {
    cd_hull_options o;
    memset(&o, 0, sizeof o);
    o.merge_distance = (cd_real)merge;
    b->cloud.points = NULL;
    b->cloud.count = 0;
    b->cloud.rng = rng;
    b->kind = MERGED;
    b->extent = 2;
    for (int i = 0; i < n; ++i) hulls_cloud_add(&b->cloud, points[i][0], points[i][1], points[i][2]);
    CHECK_INT(cd_hull3_build(&b->hull, b->cloud.points, b->cloud.count, &o), CD_OK);
    b->support = cd_support_of_hull(&b->hull);
}

static cd_transform shifted(double x, double y, double z) {
    cd_transform t = cd_transform_identity();
    t.position = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
    return t;
}

/* Two bodies and a pose. */
typedef struct pair {
    body a, b;
    cd_transform pose;
    double size;
    cd_separation gjk;
} pair;

static void pair_make(pair *p, test_rng *rng, int k, int l, int pose) {
    int n = test_int(rng, 4, 40), m = test_int(rng, 4, 40);
    bool needle = k == NEEDLE || l == NEEDLE;
    body_make(&p->a, rng, k, n, 1);
    body_make(&p->b, rng, l, m, 1);
    p->pose = pose_make(rng, pose, needle ? 10 : 3);
    p->size = needle ? 50 : 5;
    p->gjk = cd_gjk_distance(&p->a.support, &p->b.support, &p->pose, NULL, NULL);
    test_note("bodies %d, %d of %d and %d points, pose %d", k, l, n, m, pose);
    test_note_reals("pose", REALS(p->pose), 7);
}

static void pair_of(pair *p) {
    p->gjk = cd_gjk_distance(&p->a.support, &p->b.support, &p->pose, NULL, NULL);
}

static void pair_free(pair *p) {
    body_free(&p->a);
    body_free(&p->b);
}

/* A corner of the body that is farther back along n than a point by more than the margin? */
static double least_along(const pair *p, cd_vec3 n) {
    cd_vec3 back = cd_vec3_make(-n.x, -n.y, -n.z);
    cd_vec3 a = cd_support_farthest(&p->a.support, n), b;
    cd_transform way = cd_transform_inverse(&p->pose);
    cd_vec3 turned = cd_quat_rotate(way.rotation, back);
    b = cd_support_farthest(&p->b.support, turned);
    b = cd_transform_point(&p->pose, b);
    return (double)n.x * ((double)b.x - (double)a.x) + (double)n.y * ((double)b.y - (double)a.y) +
           (double)n.z * ((double)b.z - (double)a.z);
}

/* ---- V-Clip ---- */

/* What holds by itself: apart, the normal proves the distance and the points keep it; penetrating, GJK finds no way between. */
static bool vclip_judge(const pair *p, const cd_vclip_report *r) {
    double margin = MARGIN * p->size, square = 0, turn;
    bool held = CHECK_INT(r->status, CD_OK);
    for (int k = 0; k < 3; ++k) {
        double way = (double)REALS(r->b)[k] - (double)REALS(r->a)[k];
        double n = (double)REALS(r->normal)[k];
        square += n * n;
        if (!r->penetrating) held = CHECK_NEAR(way, n * (double)r->distance, margin) && held;
    }
    held = CHECK_NEAR(square, 1, 8 * (double)CD_REAL_EPSILON) && held;
    if (r->penetrating) return CHECK(r->distance <= 0) && CHECK_NEAR(p->gjk.distance, 0, margin) && held;
    if ((double)p->gjk.distance <= margin) return CHECK_NEAR(r->distance, 0, 2 * margin) && held;
    /* the distance is promised; the normal is the way between two points, whose rounding turns it the more, the nearer they are */
    turn = DBL_EPSILON * p->size / fmax((double)r->distance, margin);
    held = CHECK(r->distance >= 0 &&
                 least_along(p, r->normal) >= (double)r->distance - margin - turn * p->size) &&
           held;
    return CHECK_NEAR(r->distance, p->gjk.distance, margin) && held;
}

static void vclip_agrees_with_gjk(void) {
    test_rng rng = test_random();
    int meet = 0, apart = 0, iterations = 0;
    for (long i = 0, times = test_times(4000); i < times; ++i) {
        static const int kind[5] = {BALL, CUBE, BOX, NEEDLE, SLAB};
        pair p;
        cd_vclip_report r;
        pair_make(&p, &rng, kind[i % 5], kind[i / 5 % 5], ANY);
        r = ASK("forms", cd_vclip(&p.a.hull, &p.b.hull, &p.pose, 0, NULL));
        (void)vclip_judge(&p, &r);
        (void)(r.penetrating ? ++meet : ++apart);
        iterations += (int)r.iterations;
        pair_free(&p);
    }
    CHECK_SEEN(meet > 0 && apart > 0);
    CHECK(iterations < 30 * (meet + apart));
}

/* Whole numbers: parallel edges and faces, points on the planes of regions, touching. The distance is right all the same. */
static void vclip_on_the_grid(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(3000); i < times; ++i) {
        pair p;
        cd_vclip_report r;
        pair_make(&p, &rng, i & 1 ? GRID : BOX, i & 2 ? GRID : BOX, TOUCHING);
        r = cd_vclip(&p.a.hull, &p.b.hull, &p.pose, 0, NULL);
        (void)vclip_judge(&p, &r);
        pair_free(&p);
    }
}

/* Points, segments and polygons are polyhedra, too. */
static void vclip_of_few_points(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(2000); i < times; ++i) {
        pair p;
        cd_vclip_report r;
        body_make(&p.a, &rng, CUBE, 1 + (int)i % 4, 1);
        body_make(&p.b, &rng, CUBE, 1 + (int)i / 4 % 4, 1);
        p.pose = pose_make(&rng, ANY, 2);
        p.size = 5;
        pair_of(&p);
        test_note("%d and %d points", 1 + (int)i % 4, 1 + (int)i / 4 % 4);
        test_note_reals("pose", REALS(p.pose), 7);
        r = cd_vclip(&p.a.hull, &p.b.hull, &p.pose, 0, NULL);
        (void)vclip_judge(&p, &r);
        pair_free(&p);
    }
}

/* The features handed back are where the next walk begins: at once at its end for the same pose, and soon after a small step. */
static void vclip_is_coherent(void) {
    test_rng rng = test_random();
    int first = 0, next = 0;
    for (long i = 0, times = test_times(300); i < times; ++i) {
        pair p;
        cd_vclip_features f = {0, 0};
        cd_vclip_report r, again;
        pair_make(&p, &rng, BALL, CUBE, ANY);
        r = cd_vclip(&p.a.hull, &p.b.hull, &p.pose, 0, &f);
        CHECK(f.a == r.feature_a && f.b == r.feature_b);
        first += (int)r.iterations;
        again = cd_vclip(&p.a.hull, &p.b.hull, &p.pose, 0, &f);
        CHECK(again.penetrating == r.penetrating);
        if (!r.penetrating) { /* the face of a local minimum may have its walk begin elsewhere */
            CHECK_INT(again.iterations, 1);
            CHECK(again.feature_a == r.feature_a && again.feature_b == r.feature_b);
            CHECK_NEAR(again.distance, r.distance, MARGIN * p.size);
        }
        for (int step = 0; step < 10; ++step) {
            p.pose.position.x += (cd_real)0.01;
            pair_of(&p);
            r = cd_vclip(&p.a.hull, &p.b.hull, &p.pose, 0, &f);
            (void)vclip_judge(&p, &r);
            next += (int)r.iterations;
        }
        f.a = (uint32_t)test_next(&rng);
        f.b = (uint32_t)test_next(&rng);
        r = cd_vclip(&p.a.hull, &p.b.hull, &p.pose, 0, &f); /* any hint will do */
        (void)vclip_judge(&p, &r);
        pair_free(&p);
    }
    CHECK_SEEN(next < 2 * first); /* ten of them */
}

static void vclip_scales(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(300); i < times; ++i) {
        int e = test_int(&rng, -40, 40);
        double size = ldexp(1, e);
        test_rng same = rng;
        pair p, q;
        cd_vclip_report r, s;
        body_make(&p.a, &rng, BALL, 20, 1);
        body_make(&p.b, &rng, CUBE, 20, 1);
        body_make(&q.a, &same, BALL, 20, size);
        body_make(&q.b, &same, CUBE, 20, size);
        p.pose = q.pose = pose_make(&rng, ANY, 2);
        q.pose.position = cd_vec3_scale(p.pose.position, (cd_real)size);
        r = cd_vclip(&p.a.hull, &p.b.hull, &p.pose, 0, NULL);
        s = cd_vclip(&q.a.hull, &q.b.hull, &q.pose, 0, NULL);
        CHECK_SAME(s.distance, (double)r.distance * size);
        CHECK(r.feature_a == s.feature_a && r.feature_b == s.feature_b && r.iterations == s.iterations);
        pair_free(&p);
        pair_free(&q);
    }
}

/* A body inside of a box is told by one of its vertices and the face that is nearest to it; one that reaches in, by an edge. */
static void vclip_reports_penetration(void) {
    static const double inner[4][3] = {{0.75, 0.1, 0.2}, {0.5, 0.25, 0}, {0.5, -0.25, 0}, {0.5, 0, 0.5}};
    static const double bar[4][3] = {{2, 0, -3}, {2, 0, 3}, {0.875, 0, -0.5}, {0.875, 0, 0.5}};
    test_rng rng = test_random();
    body a, b;
    cd_vclip_report r;
    double depth = 2;
    body_make(&a, &rng, BOX, 8, 1);
    body_of(&b, &rng, inner, 4, 0);
    r = cd_vclip(&a.hull, &b.hull, NULL, 0, NULL);
    CHECK(r.status == CD_OK && r.penetrating);
    CHECK_INT(CD_FEATURE_KIND(r.feature_a), CD_FEATURE_FACE);
    CHECK_INT(CD_FEATURE_KIND(r.feature_b), CD_FEATURE_VERTEX);
    for (int k = 0; k < 3; ++k) depth = fmin(depth, 1 - fabs((double)REALS(r.b)[k]));
    CHECK_NEAR(r.distance, -depth, 1e-6);
    CHECK_NEAR(cd_vec3_dot(r.normal, cd_vec3_sub(r.b, r.a)), r.distance, 1e-6);
    body_free(&b);
    body_of(&b, &rng, bar, 4, 0);
    r = cd_vclip(&b.hull, &a.hull, NULL, 0, NULL);
    CHECK(r.status == CD_OK && r.penetrating && r.distance < 0);
    body_free(&a);
    body_free(&b);
}

static void vclip_says_what_is_wrong(void) {
    test_rng rng = test_random();
    cd_hull empty;
    body b;
    cd_vclip_report r;
    cd_transform bad = shifted(NAN, 0, 0), far = shifted(20, 3, 1);
    memset(&empty, 0, sizeof empty);
    body_make(&b, &rng, BALL, 60, 1);
    r = cd_vclip(&empty, &b.hull, NULL, 0, NULL);
    CHECK(r.status == CD_INVALID_ARGUMENT && isnan((double)r.distance));
    r = cd_vclip(&b.hull, NULL, NULL, 0, NULL);
    CHECK_INT(r.status, CD_INVALID_ARGUMENT);
    r = cd_vclip(&b.hull, &b.hull, &bad, 0, NULL);
    CHECK_INT(r.status, CD_INVALID_ARGUMENT);
    r = cd_vclip(&b.hull, &b.hull, &far, 1, NULL);
    CHECK_INT(r.status, CD_NOT_CONVERGED);
    CHECK_INT(r.iterations, 1);
    body_free(&b);
}

/* Where V-Clip fails. Faces merged with a flatness are not in their planes: the regions do not fit together, and the walk ends at features
 * that are not the nearest. */
static void vclip_fails_on_faces_not_flat(void) {
    static const double bent[8][3] = {{-1, -1, -1}, {1, -1, -1}, {-1, 1, -1}, {1, 1, -1},
                                      {-1, -1, 1},  {1, -1, 1},  {-1, 1, 1},  {1, 1, 1.25}};
    static const double point[1][3] = {{0.5, -0.5, 1.5}};
    test_rng rng = test_random();
    pair p;
    cd_vclip_report r;
    body_of(&p.a, &rng, bent, 8, 0.25);
    body_of(&p.b, &rng, point, 1, 0);
    p.pose = cd_transform_identity();
    pair_of(&p);
    r = cd_vclip(&p.a.hull, &p.b.hull, NULL, 0, NULL);
    CHECK_INT(r.status, CD_OK);
    CHECK_NEAR(p.gjk.distance, 0.434122, 1e-5);
    CHECK_NEAR(r.distance, 0.310087, 1e-5); /* nearer than any point of the body is */
    pair_free(&p);
}

/* A face that is 2^-52 wide, of corners that should be one: whether an edge is above it or beyond its sides is rounding, and the walk goes to
 * and fro between it and its own edge. */
static void vclip_fails_on_needle_faces(void) {
    static const double prism[9][3] = {{1, 0, -1},
                                       {1, 0, 1},
                                       {6.123233995736766e-17, 1, -1},
                                       {6.123233995736766e-17, 1, 1},
                                       {-1, 1.2246467991473532e-16, -1},
                                       {-1, 1.2246467991473532e-16, 1},
                                       {-1.8369701987210297e-16, -1, -1},
                                       {-1.8369701987210297e-16, -1, 1},
                                       {1, -2.4492935982947064e-16, -1}};
    static const double other[6][3] = {{1, 0, -1},
                                       {1, 0, 1},
                                       {-0.4999999999999998, 0.8660254037844387, -1},
                                       {-0.4999999999999998, 0.8660254037844387, 1},
                                       {-0.5000000000000004, -0.8660254037844384, -1},
                                       {-0.5000000000000004, -0.8660254037844384, 1}};
    test_rng rng = test_random();
    pair p;
    cd_vclip_report r;
    body_of(&p.a, &rng, prism, 9, 0);
    body_of(&p.b, &rng, other, 6, 0);
    p.pose = shifted(1.625, -0.875, 1.75);
    pair_of(&p);
    r = cd_vclip(&p.a.hull, &p.b.hull, &p.pose, 0, NULL);
    CHECK_INT(p.gjk.status, CD_OK);
    CHECK_NEAR(p.gjk.distance, 0.12532176, 1e-5);
    CHECK_INT(r.status, CD_NOT_CONVERGED);
    CHECK_INT(r.iterations, 100 + 9 + 6);
    pair_free(&p);
}

/* ---- Chung and Wang ---- */

/* A vector that was found separates; where there is none, GJK finds no distance. */
static void chung_wang_judge(const pair *p, const cd_separating_vector *v) {
    double margin = MARGIN * p->size;
    if (v->verdict == CD_SEPARATING_FOUND) {
        CHECK(v->status == CD_OK && v->least > 0);
        CHECK_NEAR(least_along(p, v->vector), (double)v->least, margin);
        CHECK((double)p->gjk.distance >= (double)v->least - margin);
    } else if (v->verdict == CD_SEPARATING_NONE) {
        CHECK(v->status == CD_OK && (double)p->gjk.distance <= margin);
    } else {
        CHECK_INT(v->status, CD_NOT_CONVERGED);
    }
}

static void chung_wang_agrees_with_gjk(void) {
    test_rng rng = test_random();
    int verdict[3] = {0, 0, 0}, tried = 0, far = 0;
    for (long i = 0, times = test_times(4000); i < times; ++i) {
        pair p;
        cd_separating_vector v;
        pair_make(&p, &rng, (int)i % BODIES, (int)i / BODIES % BODIES, (int)i / 64 % POSES);
        v = ASK("forms", cd_chung_wang(&p.a.support, &p.b.support, &p.pose, 0, NULL));
        chung_wang_judge(&p, &v);
        ++verdict[v.verdict];
        if (v.verdict != CD_SEPARATING_FOUND || p.gjk.distance <= 1 || p.size > 5) {
            pair_free(&p);
            continue;
        }
        tried += (int)v.iterations;
        ++far;
        pair_free(&p);
    }
    CHECK_SEEN(verdict[CD_SEPARATING_FOUND] > 0 && verdict[CD_SEPARATING_NONE] > 0);
    CHECK_SEEN(20 * verdict[CD_SEPARATING_UNDECIDED] < verdict[CD_SEPARATING_FOUND]);
    CHECK_SEEN(tried < 3 * far); /* the paper's promise: few steps for bodies that are apart */
}

/* In general position, with a gap, it always ends. */
static void chung_wang_decides(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(2000); i < times; ++i) {
        pair p;
        cd_separating_vector v;
        pair_make(&p, &rng, (int)i % 2, (int)i / 2 % 3, ANY);
        v = cd_chung_wang(&p.a.support, &p.b.support, &p.pose, 1000, NULL);
        chung_wang_judge(&p, &v);
        if ((double)p.gjk.distance > 0.01) CHECK_INT(v.verdict, CD_SEPARATING_FOUND);
        pair_free(&p);
    }
}

static void chung_wang_is_coherent(void) {
    test_rng rng = test_random();
    int steps = 0, count = 0;
    for (long i = 0, times = test_times(300); i < times; ++i) {
        pair p;
        cd_separating_vector v;
        cd_vec3 s = cd_vec3_make(0, 0, 0);
        pair_make(&p, &rng, BALL, CUBE, ANY);
        v = cd_chung_wang(&p.a.support, &p.b.support, &p.pose, 0, &s);
        CHECK(v.vector.x == s.x && v.vector.y == s.y && v.vector.z == s.z);
        if (v.verdict == CD_SEPARATING_FOUND && (double)v.least > 0.02) {
            p.pose.position.x += (cd_real)0.01;
            v = cd_chung_wang(&p.a.support, &p.b.support, &p.pose, 0, &s);
            CHECK_INT(v.verdict, CD_SEPARATING_FOUND);
            steps += (int)v.iterations;
            ++count;
        }
        pair_free(&p);
    }
    CHECK_INT(steps, count);
}

/* Rounded and curved bodies have farthest points, too. */
static void chung_wang_takes_any_support(void) {
    test_rng rng = test_random();
    for (long i = 0, times = test_times(1000); i < times; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_sphere ball;
        cd_obb box = gen_obb(&g);
        cd_support a, b = cd_support_of_obb(&box);
        cd_separating_vector v;
        cd_separation s;
        ball.center = gen_point(&g);
        ball.radius = gen_length(&g);
        a = cd_support_of_sphere(ball);
        v = cd_chung_wang(&a, &b, NULL, 1000, NULL);
        s = cd_gjk_distance(&a, &b, NULL, NULL, NULL);
        if (v.verdict == CD_SEPARATING_FOUND) CHECK((double)s.distance >= (double)v.least - 1e-5);
        if (v.verdict == CD_SEPARATING_NONE) CHECK((double)s.distance <= 1e-5);
        if ((double)s.distance > 0.1) CHECK_INT(v.verdict, CD_SEPARATING_FOUND);
    }
}

/* Where it fails: along the first vector both bodies end at the same height, r is across it, and mirroring it changes nothing; the bodies are
 * 1.41 apart. */
static void chung_wang_fails_where_projections_abut(void) {
    static const double one[4][3] = {{1, -1, 1}, {-2, -1, 0}, {-2, 0, 1}, {-1, 0, -1}};
    static const double two[4][3] = {{0, -2, 2}, {0, 1, 1}, {-2, -1, -1}, {-2, 2, 0}};
    test_rng rng = test_random();
    cd_vec3 other = cd_vec3_make(1, -2, (cd_real)-0.5);
    pair p;
    cd_separating_vector v;
    body_of(&p.a, &rng, one, 4, 0);
    body_of(&p.b, &rng, two, 4, 0);
    p.pose = shifted(3, -2, -1);
    p.size = 5;
    pair_of(&p);
    CHECK_NEAR(p.gjk.distance, 1.41421356, 1e-6);
    v = cd_chung_wang(&p.a.support, &p.b.support, &p.pose, 1000, NULL);
    CHECK_INT(v.verdict, CD_SEPARATING_UNDECIDED);
    CHECK_INT(v.iterations, 1000);
    v = cd_chung_wang(&p.a.support, &p.b.support, &p.pose, 1000, &other); /* another beginning helps */
    CHECK_INT(v.verdict, CD_SEPARATING_FOUND);
    chung_wang_judge(&p, &v);
    pair_free(&p);
}

/* ---- Johnson ---- */

static double point_distance(cd_vec3 p, const cd_vec3 *corners, size_t count) {
    cd_support a = cd_support_of_point(p), b = cd_support_of_points(corners, count);
    return (double)cd_gjk_distance(&a, &b, NULL, NULL, NULL).distance;
}

static void johnson_judge(cd_vec3 p, const cd_vec3 *corners, size_t count, const cd_johnson_point *q,
                          double margin) {
    double sum = 0, at[3] = {0, 0, 0}, x[3], far = 0;
    CHECK_INT(q->status, CD_OK);
    CHECK(q->kept > 0 && q->kept < 1u << count);
    for (size_t i = 0; i < count; ++i) {
        double w = (double)q->weights[i];
        CHECK(w >= 0 && (q->kept >> i & 1u || w == 0));
        sum += w;
        for (int k = 0; k < 3; ++k) at[k] += w * (double)REALS(corners[i])[k];
    }
    CHECK_NEAR(sum, 1, 4 * (double)CD_REAL_EPSILON);
    for (int k = 0; k < 3; ++k) {
        x[k] = (double)REALS(q->point)[k];
        CHECK_NEAR(x[k], at[k], margin);
        far += (x[k] - (double)REALS(p)[k]) * (x[k] - (double)REALS(p)[k]);
    }
    CHECK_NEAR(sqrt(far), point_distance(p, corners, count), margin);
}

static void johnson_finds_the_nearest_point(void) {
    test_rng rng = test_random();
    unsigned seen = 0;
    for (long i = 0, times = test_times(30000); i < times; ++i) {
        size_t count = (size_t)(1 + i % 4);
        gen g = gen_begin(&rng, i / 4 % 2 ? GEN_UNIT : GEN_GRID);
        cd_vec3 p = gen_point(&g), corners[4];
        cd_johnson_point q;
        for (int k = 0; k < 4; ++k) corners[k] = gen_point(&g);
        test_note_reals("p and corners", &p.x, 3);
        test_note_reals("", &corners[0].x, 12);
        q = ASK("judge", cd_closest_pt_simplex_johnson(p, corners, count));
        seen |= 1u << q.kept;
        johnson_judge(p, corners, count, &q, sizeof(cd_real) == 4 ? 2e-6 : 1e-7);
    }
    CHECK_SEEN(seen == 0xFFFE);
}

/* Of four corners nearly in a line no subset fits, and the backup procedure finds the point. */
static void johnson_has_a_backup(void) {
    static const double line[4][3] = {{3, -2, 0}, {-1, -2, -2e-7}, {0, -2, 2e-7}, {3, -2, -1e-7}};
    cd_vec3 corners[4], o = cd_vec3_make(0, 0, 0);
    cd_johnson_point q;
    for (int i = 0; i < 4; ++i)
        corners[i] = cd_vec3_make((cd_real)line[i][0], (cd_real)line[i][1], (cd_real)line[i][2]);
    q = ASK("judge", cd_closest_pt_simplex_johnson(o, corners, 4));
    CHECK_INT(q.backup, 1);
    johnson_judge(o, corners, 4, &q, 1e-6);
}

/* Where it fails: flat simplexes, 4e-7 thick, whose largest determinants are rounding: all four corners are kept, with weights of a point that
 * is not the nearest. */
static void johnson_fails_on_thin_simplexes(void) {
    static const double thin[4][3] = {{0, -2, -2e-7}, {0, 2, 0}, {2, 1, 2e-7}, {-1, 0, 0}};
    static const double flat[4][3] = {{-0x1.34575c35fc5fp-3, -0x1.d927cc4493cc7p-2, 0x1.9ce6c45c3fp-13},
                                      {0x1.a243455800659p-2, 0x1.3abb453707295p-2, 0x1.9ce6c45c3fp-13},
                                      {-0x1.cfb06f5176de6p-2, 0x1.bc11bbefc4b3fp-3, 0x1.9ce6c45c3fp-13},
                                      {0x1.cc8466a7ce524p-5, 0x1.057d871f9bfffp-1, 0x1.9ce6c45c3fp-13}};
    cd_vec3 corners[4], o = cd_vec3_make(0, 0, 0);
    cd_johnson_point q;
    test_rng rng = test_random();
    int wrong = 0;
    for (int i = 0; i < 4; ++i)
        corners[i] = cd_vec3_make((cd_real)thin[i][0], (cd_real)thin[i][1], (cd_real)thin[i][2]);
    q = ASK("judge", cd_closest_pt_simplex_johnson(o, corners, 4));
    CHECK_INT(q.kept, 15);
    CHECK(point_distance(o, corners, 4) < 1e-7);
    CHECK((double)cd_vec3_length(q.point) > 0.005);
    for (int i = 0; i < 4; ++i) /* of two parallel faces, seen from just beside their plane */
        corners[i] = cd_vec3_make((cd_real)flat[i][0], (cd_real)flat[i][1], (cd_real)flat[i][2]);
    q = ASK("judge", cd_closest_pt_simplex_johnson(o, corners, 4));
    if (sizeof(cd_real) == 8) CHECK(q.kept == 15 && (double)cd_vec3_length(q.point) > 0.03);
    CHECK_NEAR(point_distance(o, corners, 4), flat[0][2], 1e-10);
    for (long i = 0, times = test_times(10000); i < times; ++i) {
        for (int k = 0; k < 4; ++k) {
            int x = test_int(&rng, -2, 2), y = test_int(&rng, -2, 2), z = test_int(&rng, -2, 2);
            corners[k] = cd_vec3_make((cd_real)(x + 1), (cd_real)y, (cd_real)(z * 1e-7));
        }
        q = cd_closest_pt_simplex_johnson(o, corners, 4);
        wrong += (double)cd_vec3_length(q.point) > point_distance(o, corners, 4) + 1e-5;
    }
    CHECK_SEEN(wrong > 0);
}

/* And where two edges nearly meet: the four differences of their ends are in one plane. */
static void johnson_fails_where_edges_cross(void) {
    cd_vec3 a[2] = {{1, -1, -1}, {-2, -2, 3}}, b[2] = {{-3, 2, 3}, {2, -3, -2}};
    cd_support s = cd_support_of_points(a, 2), t = cd_support_of_points(b, 2);
    cd_transform pose = shifted(-0x1.126e98p-4, -0x1.2e978ep+0, 0x1.3ced92p-1);
    cd_separation j = ASK("judge", cd_gjk_johnson(&s, &t, &pose, 0));
    CHECK_INT(j.status, CD_OK);
    CHECK(j.distance == 0 && (double)j.gap < 1e-6);
    CHECK_NEAR(cd_gjk_distance(&s, &t, &pose, NULL, NULL).distance, 0.006326434074, 1e-9);
}

static void johnson_says_what_is_wrong(void) {
    cd_vec3 p[5] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}},
            bad = cd_vec3_make((cd_real)NAN, 0, 0);
    CHECK_INT(ASK("bad", cd_closest_pt_simplex_johnson(p[0], p, 0)).status, CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_closest_pt_simplex_johnson(p[0], p, 5)).status, CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_closest_pt_simplex_johnson(bad, p, 4)).status, CD_INVALID_ARGUMENT);
    p[2] = bad;
    CHECK_INT(ASK("bad", cd_closest_pt_simplex_johnson(p[0], p, 4)).status, CD_INVALID_ARGUMENT);
    CHECK_INT(ASK("bad", cd_closest_pt_simplex_johnson(p[0], p, 2)).status, CD_OK);
}

/* The walk: as the house's GJK, with gaps that it knows of where it gives up. But of simplexes that are thin it may keep all corners, and
 * take bodies that are apart for such that meet: often needles, whose simplexes are thin, and seldom others, of which it takes four corners of
 * one plane: those of a face, of parallel ones, of two edges that cross. Only where these are no farther apart than a hundredth of
 * their size has v too few digits for the walk to end before. It takes none else for nearer than they are; nor any for farther apart by
 * more than `gap`, which is within the 1e-10 of the distance that its header lets it end at. */
static void johnson_walks_as_gjk(void) {
    test_rng rng = test_random();
    long lost = 0, wrong[2] = {0, 0}, times = test_times(4000);
    for (long i = 0; i < times; ++i) {
        pair p;
        cd_separation s;
        double margin;
        int posed = (int)i / 64 % POSES;
        bool needle;
        pair_make(&p, &rng, (int)i % BODIES, (int)i / BODIES % BODIES, posed);
        needle = p.a.kind == NEEDLE || p.b.kind == NEEDLE;
        s = ASK("forms", cd_gjk_johnson(&p.a.support, &p.b.support, &p.pose, 0));
        margin = MARGIN * 4 * p.size;
        CHECK(s.status == CD_OK || s.status == CD_NOT_CONVERGED);
        if (s.status != CD_OK) {
            ++lost;
            CHECK((double)s.distance - (double)s.gap <= (double)p.gjk.distance + margin);
        } else if (s.distance <= 0) {
            wrong[needle] += (double)p.gjk.distance > margin;
            CHECK((double)s.gap <= margin);
            CHECK(needle || (double)p.gjk.distance <= 0.01 * p.size);
        } else {
            CHECK((double)s.gap <= 1e-10 * (double)s.distance + margin);
            CHECK((double)s.distance >= (double)p.gjk.distance - margin);
            CHECK((double)s.distance - (double)s.gap <= (double)p.gjk.distance + margin);
        }
        pair_free(&p);
    }
    CHECK(wrong[0] <= 2 + times / 20000); /* one in some 150,000 */
    CHECK_SEEN(20 * lost < times && 100 * wrong[1] < times);
}

void suite_classic_convex(void) {
    RUN(vclip_agrees_with_gjk);
    RUN(vclip_on_the_grid);
    RUN(vclip_of_few_points);
    RUN(vclip_is_coherent);
    RUN(vclip_scales);
    RUN(vclip_reports_penetration);
    RUN(vclip_says_what_is_wrong);
    RUN(vclip_fails_on_faces_not_flat);
    RUN(vclip_fails_on_needle_faces);
    RUN(chung_wang_agrees_with_gjk);
    RUN(chung_wang_decides);
    RUN(chung_wang_is_coherent);
    RUN(chung_wang_takes_any_support);
    RUN(chung_wang_fails_where_projections_abut);
    RUN(johnson_finds_the_nearest_point);
    RUN(johnson_has_a_backup);
    RUN(johnson_fails_on_thin_simplexes);
    RUN(johnson_fails_where_edges_cross);
    RUN(johnson_says_what_is_wrong);
    RUN(johnson_walks_as_gjk);
}
