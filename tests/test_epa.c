/* How deep convex bodies are in each other, and the signed distance in one call. */
#include "gen.h"
#include "oracle.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#ifdef COLLIDE_DOUBLE
#define PRECISION 1e-12
#else
#define PRECISION 1e-6
#endif

typedef cd_separation query(const cd_support *, const cd_support *, const cd_transform *,
                            const cd_separation_options *, cd_cache *);

static double dot3(cd_vec3 a, cd_vec3 b) {
    return (double)a.x * (double)b.x + (double)a.y * (double)b.y + (double)a.z * (double)b.z;
}

static double size_of(cd_vec3 v) {
    return fmax(fmax(fabs((double)v.x), fabs((double)v.y)), fabs((double)v.z));
}

/* ---- what is true of every answer ---- */

/* The farthest point of B in A's frame along a direction of it. */
static cd_vec3 farthest_of(const cd_support *s, const cd_transform *pose, cd_vec3 dir) {
    if (!pose) return cd_support_farthest(s, dir);
    return cd_transform_point(pose,
                              cd_support_farthest(s, cd_quat_rotate(cd_quat_conjugate(pose->rotation), dir)));
}

/* The largest coordinate of both, and of what is between. */
static double extent_of(const cd_support *a, const cd_support *b, const cd_transform *pose) {
    double most = 0.0;
    for (int k = 0; k < 6; ++k) {
        cd_vec3 d = cd_vec3_make(k == 0   ? 1
                                 : k == 1 ? -1
                                          : 0,
                                 k == 2   ? 1
                                 : k == 3 ? -1
                                          : 0,
                                 k == 4   ? 1
                                 : k == 5 ? -1
                                          : 0);
        most = fmax(most, size_of(farthest_of(a, NULL, d)));
        most = fmax(most, size_of(farthest_of(b, pose, d)));
    }
    return most;
}

static bool check_inside(const cd_support *s, const cd_transform *pose, cd_vec3 p, double margin) {
    bool inside = true;
    for (int k = 0; k < 27 && inside; ++k) {
        cd_vec3 d = cd_vec3_make((cd_real)(k % 3 - 1), (cd_real)(k / 3 % 3 - 1), (cd_real)(k / 9 - 1));
        double most = k == 13 ? 0.0 : dot3(d, p) - dot3(d, farthest_of(s, pose, d));
        inside = CHECK(most <= margin);
    }
    return inside;
}

/* Moved by the depth along the normal they are apart; the witness points are in the bodies, the distance apart along the normal. */
static void check_answer(const cd_separation *s, const cd_support *a, const cd_support *b,
                         const cd_transform *pose) {
    double extent = extent_of(a, b, pose), margin = 8 * PRECISION * extent, parted;
    cd_vec3 n = s->normal, back = cd_vec3_make(-n.x, -n.y, -n.z);
    CHECK_NEAR(dot3(n, n), 1.0, 4 * PRECISION);
    CHECK(s->gap >= 0);
    parted = dot3(n, farthest_of(b, pose, back)) - dot3(n, farthest_of(a, NULL, n));
    CHECK(s->status == CD_NOT_CONVERGED || parted >= (double)s->distance - margin);
    CHECK(parted <= (double)s->distance + (double)s->gap + margin);
    for (int k = 0; k < 3; ++k)
        CHECK_NEAR((double)REALS(s->b)[k] - (double)REALS(s->a)[k], (double)s->distance * (double)REALS(n)[k],
                   margin);
    margin += (double)s->gap;
    check_inside(a, NULL, s->a, margin);
    check_inside(b, pose, s->b, margin);
}

/* A cache changes nothing but the effort. */
static void check_caches(query *ask, const cd_support *a, const cd_support *b, const cd_transform *pose,
                         const cd_separation *want) {
    cd_cache cache;
    memset(&cache, 0, sizeof cache);
    for (int i = 0; i < 3; ++i) {
        cd_separation s = ask(a, b, pose, NULL, &cache);
        CHECK_INT(s.status, want->status);
        CHECK_NEAR(s.distance, want->distance, (double)s.gap + (double)want->gap);
    }
}

static cd_separation check_query(query *ask, const cd_support *a, const cd_support *b,
                                 const cd_transform *pose) {
    const char *name = ask == cd_epa ? "cd_epa" : "cd_convex_distance";
    cd_separation s = ask(a, b, pose, NULL, NULL), back;
    test_asked("judge", name);
    if (!CHECK(s.status == CD_OK || s.status == CD_NOT_CONVERGED)) return s;
    check_answer(&s, a, b, pose);
    check_caches(ask, a, b, pose, &s);
    if (!pose) {
        test_asked("swap", name);
        back = ask(b, a, NULL, NULL, NULL);
        CHECK_INT(back.status, s.status);
        CHECK_NEAR(back.distance, s.distance, (double)s.gap + (double)back.gap);
    }
    return s;
}

static query *const queries[2] = {cd_epa, cd_convex_distance};

/* Both queries, and they agree. */
static cd_separation check_both(const cd_support *a, const cd_support *b, const cd_transform *pose) {
    cd_separation s = check_query(queries[0], a, b, pose), t = check_query(queries[1], a, b, pose);
    CHECK_NEAR(s.distance, t.distance, (double)s.gap + (double)t.gap);
    return t;
}

/* ---- boxes by the fifteen axes ---- */

static oracle_box box_of(const cd_obb *b) {
    oracle_box o;
    to_doubles(REALS(b->center), o.center, 3);
    to_doubles(REALS(b->half), o.half, 3);
    for (int k = 0; k < 3; ++k) to_doubles(REALS(b->axes.col[k]), o.axis[k], 3);
    return o;
}

static void boxes(void) {
    test_rng rng = test_random();
    long deep = 0, failed = 0;
    for (long i = test_times(1000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 3) ? GEN_UNIT : GEN_GRID);
        cd_obb a = gen_obb(&g), b = gen_obb(&g);
        cd_support s = cd_support_of_obb(&a), t = cd_support_of_obb(&b);
        oracle_box x, y;
        oracle_gap truth;
        cd_separation got;
        if (!cd_obb_is_valid(&a) || !cd_obb_is_valid(&b)) continue;
        x = box_of(&a);
        y = box_of(&b);
        truth = oracle_box_box(&x, &y);
        test_note("");
        test_note_reals("a", REALS(a), 15);
        test_note_reals("b", REALS(b), 15);
        got = check_both(&s, &t, NULL);
        failed += got.status != CD_OK;
        if (!truth.overlap) continue;
        ++deep;
        CHECK_NEAR(got.distance, truth.separation, PRECISION * extent_of(&s, &t, NULL));
    }
    CHECK_SEEN(deep > 20);
    CHECK_INT(failed, 0);
}

/* ---- any points by all planes that faces of the difference can have ---- */

enum { MOST = 12 };

typedef struct cloud {
    int count;
    cd_vec3 p[MOST];
    long double x[MOST][3];
} cloud;

static void cloud_ready(cloud *c) {
    for (int i = 0; i < c->count; ++i)
        for (int k = 0; k < 3; ++k) c->x[i][k] = (long double)REALS(c->p[i])[k];
}

static void cross_of(const long double a[3], const long double b[3], long double n[3]) {
    n[0] = a[1] * b[2] - a[2] * b[1];
    n[1] = a[2] * b[0] - a[0] * b[2];
    n[2] = a[0] * b[1] - a[1] * b[0];
}

/* How far B reaches beyond A's least along +n or -n, whichever is less; n of any length. */
static long double reach_along(const cloud *a, const cloud *b, const long double n[3]) {
    long double lo[2] = {HUGE_VALL, HUGE_VALL}, hi[2] = {-HUGE_VALL, -HUGE_VALL}, length;
    for (int side = 0; side < 2; ++side) {
        const cloud *c = side ? b : a;
        for (int i = 0; i < c->count; ++i) {
            long double d = n[0] * c->x[i][0] + n[1] * c->x[i][1] + n[2] * c->x[i][2];
            lo[side] = d < lo[side] ? d : lo[side];
            hi[side] = d > hi[side] ? d : hi[side];
        }
    }
    length = sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    return fminl(hi[1] - lo[0], hi[0] - lo[1]) / length;
}

static void edge_of(const cloud *c, int i, int j, long double e[3]) {
    for (int k = 0; k < 3; ++k) e[k] = c->x[j][k] - c->x[i][k];
}

static long double least_of(const cloud *a, const cloud *b, const long double e[3], const long double f[3],
                            long double least) {
    long double n[3], square;
    cross_of(e, f, n);
    square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    if (square == 0) return least;
    return fminl(least, reach_along(a, b, n));
}

/* The depth of two clouds that have insides; below 0 where an axis of those parts them. */
static double depth_of(const cloud *a, const cloud *b) {
    long double least = HUGE_VALL, e[3], f[3];
    for (int side = 0; side < 2; ++side) {
        const cloud *c = side ? b : a;
        for (int i = 0; i < c->count; ++i)
            for (int j = i + 1; j < c->count; ++j)
                for (int k = j + 1; k < c->count; ++k) {
                    edge_of(c, i, j, e);
                    edge_of(c, i, k, f);
                    least = least_of(a, b, e, f, least);
                }
    }
    for (int i = 0; i < a->count; ++i)
        for (int j = i + 1; j < a->count; ++j)
            for (int k = 0; k < b->count; ++k)
                for (int l = k + 1; l < b->count; ++l) {
                    edge_of(a, i, j, e);
                    edge_of(b, k, l, f);
                    least = least_of(a, b, e, f, least);
                }
    return (double)least;
}

static cloud cloud_make(test_rng *rng, gen *g, int most) {
    cloud c;
    c.count = test_int(rng, 1, most);
    for (int i = 0; i < c.count; ++i) c.p[i] = gen_point(g);
    return c;
}

/* Two clouds about one place, deep more often than not. */
static void clouds_make(test_rng *rng, cloud *a, cloud *b) {
    static const gen_kind kinds[6] = {GEN_UNIT, GEN_UNIT, GEN_GRID, GEN_ULP, GEN_SCALE, GEN_FAR};
    gen g = gen_begin(rng, kinds[test_int(rng, 0, 5)]);
    *a = cloud_make(rng, &g, 9);
    *b = cloud_make(rng, &g, 9);
    cloud_ready(a);
    cloud_ready(b);
}

static void note_clouds(const cloud *a, const cloud *b) {
    test_note("%d and %d points: ", a->count, b->count);
    test_note_reals("a", REALS(a->p), 3 * a->count);
    test_note_reals("b", REALS(b->p), 3 * b->count);
}

static bool points_have_inside(const cloud *c) {
    cd_hull hull;
    bool inside = cd_hull3_build(&hull, c->p, (size_t)c->count, NULL) == CD_OK;
    inside = inside && cd_hull_get_parts(&hull).dimension == 3;
    cd_hull_destroy(&hull);
    return inside;
}

/* A corner that is told of is where the witness point is. */
static void check_corner(const cloud *c, uint32_t feature, cd_vec3 point, double off) {
    uint32_t i = CD_FEATURE_INDEX(feature);
    if (CD_FEATURE_KIND(feature) != CD_FEATURE_VERTEX || !CHECK(i < (uint32_t)c->count)) return;
    CHECK_VEC(point, c->p[i], off);
}

static void check_corners(const cloud *a, const cloud *b, const cd_support *s, const cd_support *t,
                          const cd_separation *got) {
    double off = PRECISION * extent_of(s, t, NULL) + (double)got->gap;
    /* stopped, the way is led onto the normal: with lengths of d - gap to d + gap half of what is across it is no more */
    if (got->status == CD_NOT_CONVERGED && got->distance > 0)
        off += sqrt((double)got->distance * (double)got->gap);
    check_corner(a, got->feature_a, got->a, off);
    check_corner(b, got->feature_b, got->b, off);
}

static void clouds(void) {
    test_rng rng = test_random();
    long deep = 0, failed = 0;
    for (long i = test_times(500); i > 0; --i) {
        cloud a, b;
        cd_support s, t;
        cd_separation got;
        double depth;
        clouds_make(&rng, &a, &b);
        s = cd_support_of_points(a.p, (size_t)a.count);
        t = cd_support_of_points(b.p, (size_t)b.count);
        note_clouds(&a, &b);
        got = check_both(&s, &t, NULL);
        failed += got.status != CD_OK;
        check_corners(&a, &b, &s, &t, &got);
        if (!points_have_inside(&a) && !points_have_inside(&b)) continue;
        depth = depth_of(&a, &b);
        if (depth < 0.0) {
            CHECK((double)got.distance >= -depth - PRECISION * extent_of(&s, &t, NULL));
        } else {
            ++deep;
            CHECK_NEAR(got.distance, -depth, PRECISION * extent_of(&s, &t, NULL));
        }
    }
    CHECK_SEEN(deep > 20);
    CHECK_INT(failed, 0);
}

/* The same as hulls, posed. */
static void hulls_posed(void) {
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cloud a = cloud_make(&rng, &g, MOST), b = cloud_make(&rng, &g, MOST);
        cd_transform pose = gen_pose(&rng, 0.5);
        cd_hull x, y;
        cd_support s, t;
        cd_separation got;
        double depth;
        if (!CHECK(cd_hull3_build(&x, a.p, (size_t)a.count, NULL) == CD_OK)) return;
        if (!CHECK(cd_hull3_build(&y, b.p, (size_t)b.count, NULL) == CD_OK)) return;
        s = cd_support_of_hull(&x);
        t = cd_support_of_hull(&y);
        note_clouds(&a, &b);
        test_note_reals("pose", REALS(pose), 7);
        got = check_both(&s, &t, &pose);
        CHECK_INT(got.status, CD_OK);
        for (int k = 0; k < b.count; ++k) b.p[k] = cd_transform_point(&pose, b.p[k]);
        cloud_ready(&a);
        cloud_ready(&b);
        depth = points_have_inside(&a) || points_have_inside(&b) ? depth_of(&a, &b) : -1.0;
        if (depth >= 0.0) CHECK_NEAR(got.distance, -depth, 4 * PRECISION * extent_of(&s, &t, &pose));
        cd_hull_destroy(&x);
        cd_hull_destroy(&y);
    }
}

/* ---- curved ones in closed form ---- */

static cd_ellipsoid ellipsoid_of(double x, double y, double z, cd_vec3 center) {
    cd_ellipsoid e;
    memset(&e, 0, sizeof e);
    e.axes.col[0].x = e.axes.col[1].y = e.axes.col[2].z = 1;
    e.center = center;
    e.half = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
    return e;
}

/* A ball, as an ellipsoid or as a sphere, deep in a box, through the face that is nearest. */
static void ball_in_box(void) {
    test_rng rng = test_random();
    for (long i = test_times(100); i > 0; --i) {
        cd_aabb box;
        cd_vec3 c = cd_vec3_make((cd_real)test_range(&rng, 0.3, 0.9), (cd_real)test_range(&rng, -0.2, 0.2),
                                 (cd_real)test_range(&rng, -0.2, 0.2));
        cd_real r = (cd_real)test_range(&rng, 0.1, 1.0);
        cd_ellipsoid e = ellipsoid_of((double)r, (double)r, (double)r, c);
        cd_sphere ball;
        cd_support s, t, u;
        cd_separation got, round;
        ball.center = c;
        ball.radius = r;
        box.min = cd_vec3_make(-1, -1, -1);
        box.max = cd_vec3_make(1, 1, 1);
        s = cd_support_of_aabb(&box);
        t = cd_support_of_ellipsoid(&e);
        u = cd_support_of_sphere(ball);
        test_note("");
        test_note_reals("center", REALS(c), 3);
        test_note_reals("radius", &r, 1);
        got = check_both(&s, &t, NULL);
        round = check_both(&s, &u, NULL);
        CHECK_INT(got.status, CD_OK);
        CHECK_NEAR(round.distance, (double)c.x - (double)r - 1.0, 4 * PRECISION);
        CHECK_NEAR(got.distance, round.distance, 4 * PRECISION);
        CHECK_VEC(round.normal, cd_vec3_make(1, 0, 0), 4 * PRECISION);
        CHECK_VEC(got.normal, cd_vec3_make(1, 0, 0), sqrt(8 * PRECISION));
    }
}

/* Two on one axis: no way out is shorter than along it where that is along the shortest half axes of both. */
static void ellipsoids_on_axis(void) {
    test_rng rng = test_random();
    for (long i = test_times(100); i > 0; --i) {
        double x = test_range(&rng, 0.2, 0.5), offset;
        cd_ellipsoid a =
            ellipsoid_of(x, test_range(&rng, 1.0, 3.0), test_range(&rng, 1.0, 3.0), cd_vec3_make(0, 0, 0));
        cd_ellipsoid b = a;
        cd_support s, t;
        cd_separation got;
        offset = test_range(&rng, 0.05, 2.2) * x;
        b.center.x = (cd_real)offset;
        s = cd_support_of_ellipsoid(&a);
        t = cd_support_of_ellipsoid(&b);
        test_note("");
        test_note_reals("a", REALS(a), 15);
        test_note_reals("offset", &b.center.x, 1);
        got = check_both(&s, &t, NULL);
        CHECK_INT(got.status, CD_OK);
        CHECK_NEAR(got.distance, (double)b.center.x - 2.0 * (double)a.half.x, 4 * PRECISION * 3.0);
        CHECK(fabs((double)got.normal.x - 1.0) < 1e-4);
    }
}

/* A cylinder lying on a table, one standing on it, a cone on its tip. */
static void cylinders_on_a_table(void) {
    test_rng rng = test_random();
    cd_aabb table;
    cd_support s;
    table.min = cd_vec3_make(-8, -8, -4);
    table.max = cd_vec3_make(8, 8, 0);
    s = cd_support_of_aabb(&table);
    for (long i = test_times(100); i > 0; --i) {
        double r = test_range(&rng, 0.2, 1.0), deep = test_range(&rng, 0.0, 0.5),
               turn = test_range(&rng, 0.0, 3.0);
        cd_cylinder lying, standing;
        cd_cone cone;
        cd_support t;
        cd_separation got;
        lying.a = cd_vec3_make((cd_real)cos(turn), (cd_real)sin(turn), (cd_real)(r - deep));
        lying.b = cd_vec3_make(-lying.a.x, -lying.a.y, lying.a.z);
        lying.radius = (cd_real)r;
        test_note("r %a deep %a turn %a", r, deep, turn);
        t = cd_support_of_cylinder(&lying);
        got = check_both(&s, &t, NULL);
        CHECK_INT(got.status, CD_OK);
        CHECK_NEAR(got.distance, (double)lying.a.z - (double)lying.radius, 8 * PRECISION);
        standing.a = cd_vec3_make((cd_real)cos(turn), (cd_real)sin(turn), (cd_real)-deep);
        standing.b = standing.a;
        standing.b.z = 2;
        standing.radius = (cd_real)r;
        t = cd_support_of_cylinder(&standing);
        got = check_both(&s, &t, NULL);
        CHECK_INT(got.status, CD_OK);
        CHECK_NEAR(got.distance, standing.a.z, 8 * PRECISION);
        cone.apex = standing.a;
        cone.base = standing.b;
        cone.radius = (cd_real)r;
        t = cd_support_of_cone(&cone);
        got = check_both(&s, &t, NULL);
        CHECK_INT(got.status, CD_OK);
        CHECK_NEAR(got.distance, standing.a.z, 8 * PRECISION);
    }
}

/* ---- bodies without an inside ---- */

static void check_points(const cd_vec3 *a, int m, const cd_vec3 *b, int n, double want) {
    cd_support s = cd_support_of_points(a, (size_t)m), t = cd_support_of_points(b, (size_t)n);
    for (int grown = 0; grown < 3; ++grown) {
        double r = 0.25 * grown;
        cd_support u = cd_support_rounded(&t, (cd_real)r);
        cd_separation got;
        test_note("radius %g ", r);
        test_note_reals("a", REALS(a[0]), 3 * m);
        test_note_reals("b", REALS(b[0]), 3 * n);
        got = check_both(&s, &u, NULL);
        CHECK_INT(got.status, CD_OK);
        CHECK_NEAR(got.distance, want - r, 8 * PRECISION);
    }
}

static void without_inside(void) {
    cd_vec3 o = cd_vec3_make(0, 0, 0), x = cd_vec3_make(2, 0, 0), y = cd_vec3_make(0, 2, 0),
            z = cd_vec3_make(0, 0, 2);
    cd_vec3 tetra[4], cross[2], flat[3], line[2];
    tetra[0] = o;
    tetra[1] = x;
    tetra[2] = y;
    tetra[3] = z;
    cross[0] = cd_vec3_make(1, -1, 0);
    cross[1] = cd_vec3_make(1, 1, 0);
    flat[0] = cd_vec3_make((cd_real)0.5, (cd_real)0.5, 0);
    flat[1] = cd_vec3_make(3, 1, 0);
    flat[2] = cd_vec3_make(1, 3, 0);
    line[0] = cd_vec3_make(-1, 0, 0);
    line[1] = cd_vec3_make(1, 0, 0);
    check_points(&o, 1, &o, 1, 0.0);          /* two equal points */
    check_points(&x, 1, line, 2, 1.0);        /* a point on the line beyond the end */
    check_points(&o, 1, line, 2, 0.0);        /* ... on the segment */
    check_points(tetra, 2, line, 2, 0.0);     /* overlapping in a line */
    check_points(tetra, 2, cross, 2, 0.0);    /* crossing */
    check_points(tetra, 3, flat, 3, 0.0);     /* overlapping in a plane */
    check_points(tetra, 3, cross, 2, 0.0);    /* a segment in the plane of a triangle */
    check_points(&flat[0], 1, tetra, 3, 0.0); /* a point in a triangle */
    check_points(tetra, 4, &o, 1, 0.0);       /* on a corner */
    check_points(tetra, 4, cross, 1, 1.0);
    check_points(tetra, 4, line, 2, 0.0);               /* along an edge */
    check_points(tetra, 4, flat, 1, 0.0);               /* on a face */
    check_points(tetra, 4, flat, 3, 0.0);               /* flat on a face */
    check_points(tetra, 4, tetra, 4, -2.0 / sqrt(3.0)); /* itself: through the slanted face */
    check_points(tetra, 4, tetra, 3, 0.0);              /* its own face */
}

/* ---- sizes ---- */

/* Thin and small things against large ones, by the same brute force. */
static void size_ratios(void) {
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cloud a = cloud_make(&rng, &g, 8), b = cloud_make(&rng, &g, 8);
        double small = pow(10.0, -test_range(&rng, 0.0, 6.0));
        int axis = test_int(&rng, 0, 3);
        cd_support s, t;
        cd_separation got;
        double depth;
        for (int k = 0; k < b.count; ++k)
            for (int l = 0; l < 3; ++l)
                if (axis == 3 || axis == l) REALS(b.p[k])[l] = (cd_real)(small * (double)REALS(b.p[k])[l]);
        cloud_ready(&a);
        cloud_ready(&b);
        s = cd_support_of_points(a.p, (size_t)a.count);
        t = cd_support_of_points(b.p, (size_t)b.count);
        note_clouds(&a, &b);
        got = check_both(&s, &t, NULL);
        CHECK_INT(got.status, CD_OK);
        if (!points_have_inside(&a) && !points_have_inside(&b)) continue;
        depth = depth_of(&a, &b);
        if (depth >= 0.0) CHECK_NEAR(got.distance, -depth, PRECISION * extent_of(&s, &t, NULL));
    }
}

/* Clouds whose depth is known: within the gap. */
static void check_depth(const double (*p)[3], int m, const double (*q)[3], int n, double depth) {
    cloud a, b;
    cd_support s, t;
    cd_separation got;
    a.count = m;
    b.count = n;
    for (int i = 0; i < m; ++i) a.p[i] = cd_vec3_make((cd_real)p[i][0], (cd_real)p[i][1], (cd_real)p[i][2]);
    for (int i = 0; i < n; ++i) b.p[i] = cd_vec3_make((cd_real)q[i][0], (cd_real)q[i][1], (cd_real)q[i][2]);
    s = cd_support_of_points(a.p, (size_t)m);
    t = cd_support_of_points(b.p, (size_t)n);
    note_clouds(&a, &b);
    got = check_both(&s, &t, NULL);
    CHECK_INT(got.status, CD_OK);
    CHECK_NEAR(got.distance, -depth, got.gap);
}

/* A side of the first tetrahedron goes through the origin, as far as rounding tells. */
static void corners_of_all_magnitudes(void) {
    static const double a[][3] = {{0x1.2dd644p+35, -0x1.a06de6p+19, 0x1.8e2804p+30},
                                  {-0x1.a6e85cp-34, -0x1.a57d22p-16, -0x1.64d0ecp+23},
                                  {0x1.91611cp+43, 0x1.b1decp+34, -0x1.ddcd2ep+32}};
    static const double b[][3] = {{0x1.2f0e5p-10, 0x1.e16374p+25, 0x1.5c9e52p+13},
                                  {-0x1.dc2862p-32, -0x1.86d06ap-13, -0x1.02e838p+0},
                                  {0x1.e2df9p-10, 0x1.7a8acap+2, -0x1.eb99c2p+7},
                                  {-0x1.f5165ap-29, -0x1.394a6ep-12, -0x1.66449ep+24},
                                  {0x1.fd47bap+5, -0x1.0da8a6p+4, 0x1.0e1958p+45},
                                  {-0x1.19905ap-47, -0x1.85e25cp+16, -0x1.efadccp-26},
                                  {-0x1.b29bb6p-53, 0x1.91bb6cp+30, 0x1.5d6c86p-33},
                                  {-0x1.3ac096p+24, 0x1.ef277cp+18, -0x1.9261dp-41},
                                  {-0x1.b66d0ap+37, 0x1.59fd6cp+47, -0x1.ef92e4p-36}};
    check_depth(a, 3, b, 9, 0.00092469339922);
}

/* A face of corners near by and one far off, whose nearest point doubles put on the wrong edge. */
static void a_corner_far_off(void) {
    static const double a[][3] = {{1, 0, 1}, {-1, -1, 2}, {2, 0, -1}, {-2, 1, 2}, {2, -2, -2}};
    static const double b[][3] = {{1, 0x1.5927e8p-24, -0x1.7cbea4p+44},
                                  {-0x1.688d5cp-45, -2, 0x1.e1616ap-34},
                                  {2, 0, -2},
                                  {-0x1.2f40d6p-28, 2, 2},
                                  {0, -1, -0x1.159f2ep+20},
                                  {-1, 0x1.194734p+32, 0x1.b9045ap+31},
                                  {0, -2, -1}};
    check_depth(a, 5, b, 7, 1.05316327099476);
}

/* A power of two changes nothing. */
static void scales(void) {
    test_rng rng = test_random();
    static const int powers[8] = {1, -1, 20, -20, 56, -56, 200, -200};
    for (long i = test_times(100); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cloud a = cloud_make(&rng, &g, 8), b = cloud_make(&rng, &g, 8);
        cd_support s = cd_support_of_points(a.p, (size_t)a.count),
                   t = cd_support_of_points(b.p, (size_t)b.count);
        cd_separation plain = cd_convex_distance(&s, &t, NULL, NULL, NULL), scaled;
        int power = powers[test_int(&rng, 0, sizeof(cd_real) == 8 ? 7 : 5)];
        cd_real by = (cd_real)ldexp(1.0, power);
        note_clouds(&a, &b);
        for (int k = 0; k < a.count; ++k) a.p[k] = cd_vec3_scale(a.p[k], by);
        for (int k = 0; k < b.count; ++k) b.p[k] = cd_vec3_scale(b.p[k], by);
        s = cd_support_of_points(a.p, (size_t)a.count);
        t = cd_support_of_points(b.p, (size_t)b.count);
        scaled = ASK("scale", cd_convex_distance(&s, &t, NULL, NULL, NULL));
        CHECK_INT(scaled.status, plain.status);
        CHECK_SAME(scaled.distance, plain.distance * by);
        for (int k = 0; k < 3; ++k) {
            CHECK_SAME(REALS(scaled.normal)[k], REALS(plain.normal)[k]);
            CHECK_SAME(REALS(scaled.a)[k], REALS(plain.a)[k] * by);
        }
    }
}

/* ---- through touching ---- */

static void check_seam(const cd_support *a, const cd_support *b, cd_vec3 way) {
    double last = 0.0, step = 1e-4;
    cd_vec3 normal = way;
    cd_cache cache;
    memset(&cache, 0, sizeof cache);
    for (int i = -200; i <= 200; ++i) {
        cd_transform pose;
        cd_separation s, cold;
        double extent;
        memset(&pose, 0, sizeof pose);
        pose.rotation.w = 1;
        pose.position = cd_vec3_scale(way, (cd_real)(i * step));
        s = ASK("forms", cd_convex_distance(a, b, &pose, NULL, &cache));
        cold = cd_convex_distance(a, b, &pose, NULL, NULL);
        test_note("step %d", i);
        CHECK_INT(s.status, CD_OK);
        CHECK_NEAR(s.distance, cold.distance, (double)s.gap + (double)cold.gap);
        extent = extent_of(a, b, &pose);
        if (i > -200) {
            CHECK(fabs((double)s.distance - last) <= step * 1.0001 + 2 * PRECISION * extent);
            CHECK(dot3(s.normal, normal) > 0.0);
        }
        last = (double)s.distance;
        normal = s.normal;
    }
}

static void seams(void) {
    cd_obb box, turned;
    cd_cylinder cylinder;
    cd_support s, t, c, ball;
    cd_sphere sphere;
    memset(&box, 0, sizeof box);
    box.axes.col[0].x = box.axes.col[1].y = box.axes.col[2].z = 1;
    box.half = cd_vec3_make(1, 1, 1);
    turned = box;
    s = cd_support_of_obb(&box);
    t = cd_support_of_obb(&turned);
    turned.center.x = 2;
    check_seam(&s, &t, cd_vec3_make(1, 0, 0)); /* face on face */
    turned.center.x = 1 + (cd_real)sqrt(2.0);
    turned.axes.col[0] = cd_vec3_make((cd_real)sqrt(0.5), (cd_real)sqrt(0.5), 0);
    turned.axes.col[1] = cd_vec3_make((cd_real)-sqrt(0.5), (cd_real)sqrt(0.5), 0);
    check_seam(&s, &t, cd_vec3_make(1, 0, 0)); /* edge on face */
    turned.center = cd_vec3_make((cd_real)(1 + 0.5 * sqrt(0.5) * 2), (cd_real)(1 + 0.5 * sqrt(0.5) * 2), 0);
    box.axes.col[0] = cd_vec3_make((cd_real)sqrt(0.5), 0, (cd_real)sqrt(0.5));
    box.axes.col[2] = cd_vec3_make((cd_real)-sqrt(0.5), 0, (cd_real)sqrt(0.5));
    check_seam(&t, &s, cd_vec3_make(-1, 0, 0)); /* whatever these do, they pass touching */
    cylinder.a = cd_vec3_make(-1, 0, (cd_real)1.5);
    cylinder.b = cd_vec3_make(1, (cd_real)0.25, (cd_real)1.5);
    cylinder.radius = (cd_real)0.5;
    c = cd_support_of_cylinder(&cylinder);
    memset(&turned, 0, sizeof turned);
    turned.axes.col[0].x = turned.axes.col[1].y = turned.axes.col[2].z = 1;
    turned.half = cd_vec3_make(1, 1, 1);
    check_seam(&t, &c, cd_vec3_make(0, 0, 1));
    sphere.center = cd_vec3_make((cd_real)0.25, (cd_real)0.125, (cd_real)1.25);
    sphere.radius = (cd_real)0.25;
    ball = cd_support_of_sphere(sphere);
    check_seam(&t, &ball, cd_vec3_make(0, 0, 1));
    sphere.center.z = 1;
    ball = cd_support_of_sphere(sphere);
    check_seam(&t, &ball, cd_vec3_make(0, 0, 1)); /* the centre passes the face */
}

/* ---- options, batches, bad input ---- */

/* They are apart; two steps show neither this nor the contrary, but a face that was all but a needle seemed to. */
static void few_steps_prove_little(void) {
    static const double at[12][3] = {
        {-0x1.8fa5aap-3, -0x1.5a9ef4p-6, -0x1.24c826p-1}, {0x1.40258p-2, -0x1.6835c2p-3, -0x1.16cc9ap-1},
        {-0x1.e0e6ccp-6, -0x1.767e4ap-1, 0x1.0f3e02p-1},  {0x1.5cd99ap-1, -0x1.99fbcp-2, -0x1.4374fcp-1},
        {0x1.f5691ap-2, -0x1.131684p-1, 0x1.175c9ap-1},   {-0x1.f5f144p-1, 0x1.d0a342p-1, 0x1.cb56fcp-4},
        {0x1.44b31cp-1, -0x1.9d266cp-6, -0x1.db732ep-4},  {0x1.24bb96p-1, -0x1.79fe56p-1, 0x1.95fa0cp-1},
        {-0x1.ddd71ep-1, 0x1.59a14cp-1, -0x1.f6181p-2},   {-0x1.c94d08p-1, 0x1.6fb64cp-2, -0x1.b4d076p-2},
        {-0x1.e5d7c4p-1, 0x1.6f4d54p-1, -0x1.539808p-1},  {0x1.c7676p-1, -0x1.1c5f9ep-2, 0x1.54755cp-1}};
    cd_vec3 p[12], q[2][12];
    cd_support a, b, c, d;
    cd_separation full, less, scaled;
    bool few = false;
    cd_separation_options o;
    for (int i = 0; i < 12; ++i) p[i] = cd_vec3_make((cd_real)at[i][0], (cd_real)at[i][1], (cd_real)at[i][2]);
    a = cd_support_of_points(p, 5);
    b = cd_support_of_points(p + 5, 7);
    full = cd_convex_distance(&a, &b, NULL, NULL, NULL);
    CHECK(full.distance > full.gap);
    memset(&o, 0, sizeof o);
    for (o.max_iterations = 1; o.max_iterations <= 8; ++o.max_iterations) {
        test_note("%u steps", o.max_iterations);
        less = cd_convex_distance(&a, &b, NULL, &o, NULL);
        CHECK_NEAR(less.distance, full.distance, (double)less.gap + (double)full.gap);
        CHECK(less.iterations <= 2 * o.max_iterations + 8); /* GJK's and EPA's, and what these begin with */
        for (int k = 0; k < 2; ++k) {                       /* as good in any unit */
            for (int i = 0; i < 12; ++i) q[k][i] = cd_vec3_scale(p[i], (cd_real)ldexp(1, k ? -40 : 40));
            c = cd_support_of_points(q[k], 5);
            d = cd_support_of_points(q[k] + 5, 7);
            scaled = cd_convex_distance(&c, &d, NULL, &o, NULL);
            CHECK_INT(scaled.status, less.status);
            CHECK_NEAR(ldexp((double)scaled.gap, k ? 40 : -40), less.gap, 1e-6);
        }
        few = few || less.status == CD_NOT_CONVERGED;
    }
    CHECK(few);
}

static void options(void) {
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        cloud a, b;
        cd_support s, t;
        cd_separation_options o;
        cd_separation full, less;
        clouds_make(&rng, &a, &b);
        s = cd_support_of_points(a.p, (size_t)a.count);
        t = cd_support_of_points(b.p, (size_t)b.count);
        note_clouds(&a, &b);
        full = cd_convex_distance(&s, &t, NULL, NULL, NULL);
        memset(&o, 0, sizeof o);
        o.max_iterations = (uint32_t)test_int(&rng, 1, 8);
        less = cd_convex_distance(&s, &t, NULL, &o, NULL);
        CHECK(less.status == CD_OK || less.status == CD_NOT_CONVERGED);
        check_corners(&a, &b, &s, &t, &less);
        CHECK_NEAR(less.distance, full.distance, (double)less.gap + (double)full.gap);
        CHECK(less.iterations <=
              2 * o.max_iterations + 12); /* a tetrahedron takes six, four and two to find */
        memset(&o, 0, sizeof o);
        o.tolerance = (cd_real)0.05;
        less = cd_convex_distance(&s, &t, NULL, &o, NULL);
        CHECK_INT(less.status, CD_OK);
        CHECK_NEAR(less.distance, full.distance, (double)less.gap + (double)full.gap);
    }
}

static void check_equal(const cd_separation *s, const cd_separation *t) {
    CHECK_INT(s->status, t->status);
    CHECK_SAME(s->distance, t->distance);
    CHECK_SAME(s->gap, t->gap);
    for (int k = 0; k < 3; ++k) {
        CHECK_SAME(REALS(s->normal)[k], REALS(t->normal)[k]);
        CHECK_SAME(REALS(s->a)[k], REALS(t->a)[k]);
        CHECK_SAME(REALS(s->b)[k], REALS(t->b)[k]);
    }
    CHECK_INT(s->feature_a, t->feature_a);
    CHECK_INT(s->feature_b, t->feature_b);
    CHECK_INT(s->iterations, t->iterations);
}

static void batches(void) {
    enum { PAIRS = 7 };
    test_rng rng = test_random();
    cloud c[PAIRS + 1];
    cd_support s[PAIRS + 1];
    cd_transform pose[PAIRS];
    cd_convex_pair pairs[PAIRS];
    cd_cache caches[2][PAIRS];
    cd_separation out[PAIRS];
    gen g = gen_begin(&rng, GEN_UNIT);
    memset(caches, 0, sizeof caches);
    for (int i = 0; i <= PAIRS; ++i) {
        c[i] = cloud_make(&rng, &g, 9);
        s[i] = cd_support_of_points(c[i].p, (size_t)c[i].count);
    }
    s[3].kind = CD_SUPPORT_NOTHING;
    for (int i = 0; i < PAIRS; ++i) {
        pose[i] = gen_pose(&rng, 0.5);
        pairs[i].a = &s[i];
        pairs[i].b = &s[i + 1];
        pairs[i].b_in_a = i % 2 ? &pose[i] : NULL;
    }
    cd_convex_distances(NULL, 0, NULL, NULL, NULL);
    for (int warm = 0; warm < 3; ++warm) {
        cd_convex_distances(pairs, PAIRS, NULL, warm ? caches[0] : NULL, out);
        test_asked("loop", "cd_convex_distances");
        for (int i = 0; i < PAIRS; ++i) {
            cd_separation one = cd_convex_distance(pairs[i].a, pairs[i].b, pairs[i].b_in_a, NULL,
                                                   warm ? &caches[1][i] : NULL);
            check_equal(&out[i], &one);
        }
    }
    CHECK_INT(out[2].status, CD_INVALID_ARGUMENT);
    CHECK(out[2].distance != out[2].distance);
}

/* Coherent motion, deep and apart, with a cache; what was left by another pair or by chance does no harm. */
static void motion_with_a_cache(void) {
    test_rng rng = test_random();
    long cold = 0, warm = 0;
    for (long i = test_times(20); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cloud a, b;
        cd_support s, t;
        cd_cache cache;
        cd_transform pose = gen_pose(&rng, 0.2);
        for (int k = 0; k < 8; ++k) cache.words[k] = (uint32_t)test_next(&rng) >> test_int(&rng, 0, 31);
        if (test_int(&rng, 0, 1)) cache.words[6] = 0, cache.words[7] = 0xFFFFFFFFu;
        a = cloud_make(&rng, &g, MOST);
        b = cloud_make(&rng, &g, MOST);
        s = cd_support_of_points(a.p, (size_t)a.count);
        t = cd_support_of_points(b.p, (size_t)b.count);
        note_clouds(&a, &b);
        for (int step = 0; step < 40; ++step) {
            cd_separation x, y;
            pose.position.x += (cd_real)0.05;
            x = cd_convex_distance(&s, &t, &pose, NULL, NULL);
            y = ASK("forms", cd_convex_distance(&s, &t, &pose, NULL, &cache));
            CHECK_INT(x.status, y.status);
            CHECK_NEAR(x.distance, y.distance, (double)x.gap + (double)y.gap);
            cold += x.iterations;
            warm += y.iterations;
        }
    }
    CHECK_SEEN(warm < cold);
}

void suite_epa(void) {
    RUN(boxes);
    RUN(clouds);
    RUN(hulls_posed);
    RUN(ball_in_box);
    RUN(ellipsoids_on_axis);
    RUN(cylinders_on_a_table);
    RUN(without_inside);
    RUN(size_ratios);
    RUN(corners_of_all_magnitudes);
    RUN(a_corner_far_off);
    RUN(scales);
    RUN(seams);
    RUN(few_steps_prove_little);
    RUN(options);
    RUN(batches);
    RUN(motion_with_a_cache);
}
