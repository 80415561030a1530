/* Inputs made to be slow: how much work they take, against the bounds that the documentation states. (Hulls in the plane and in space,
 * rectangles and linear programs have such cases in suites of their own.) */
#include "convex_truth.h"
#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- boxes that no plane parts well ---- */

typedef enum hostile {
    ALIKE,    /* one box many times */
    CENTERED, /* of all sizes about one middle */
    SERIES,   /* each half as large and as far as the one before */
    SLIVERS,  /* long, thin, each across all others */
    SORTED,   /* a row, one after another */
    FAN,      /* all from one corner */
    TINY,     /* one huge box, and dust in it */
    TWINS,    /* two heaps far apart, of boxes alike */
    HOSTILES
} hostile;

static cd_aabb hostile_box(hostile kind, uint32_t i, uint32_t n, test_rng *rng) {
    double u = (double)(i + 1) / (double)n, lo[3] = {0, 0, 0}, hi[3] = {1, 1, 1};
    for (int k = 0; k < 3; ++k) {
        switch (kind) {
        case CENTERED: lo[k] = -u, hi[k] = u; break;
        case SERIES: lo[k] = ldexp(1 + u, -(int)(i % 50)), hi[k] = 1.5 * lo[k]; break;
        case SLIVERS:
            lo[k] = (int)(i % 3) == k ? -1 : test_range(rng, -1e-3, 1e-3);
            hi[k] = (int)(i % 3) == k ? 1 : lo[k] + 1e-4;
            break;
        case SORTED: lo[k] = i, hi[k] = i + 0.75; break;
        case FAN: hi[k] = k == 0 ? u : k == 1 ? u * u : sqrt(u); break;
        case TINY:
            lo[k] = i ? test_unit(rng) : 0;
            hi[k] = i ? lo[k] + 1e-6 : 1;
            break;
        case TWINS: lo[k] = i % 2 ? 1000 : 0, hi[k] = lo[k] + 1; break;
        default: break;
        }
    }
    {
        cd_aabb b;
        b.min = cd_vec3_make((cd_real)lo[0], (cd_real)lo[1], (cd_real)lo[2]);
        b.max = cd_vec3_make((cd_real)hi[0], (cd_real)hi[1], (cd_real)hi[2]);
        return b;
    }
}

static cd_aabb *hostile_boxes(hostile kind, uint32_t n) {
    cd_aabb *boxes = (cd_aabb *)malloc(n * sizeof *boxes);
    test_rng rng = test_random();
    for (uint32_t i = 0; i < n; ++i) {
        cd_aabb box = hostile_box(kind, i, n, &rng);
        boxes[i] = box;
    }
    return boxes;
}

static bool go_on(void *user, uint32_t index) {
    ++*(uint32_t *)user;
    return index != CD_NONE;
}

/* No query looks at a node or an item twice. */
static void check_queries(const cd_bvh *tree, uint32_t n) {
    cd_bvh_stats s = cd_bvh_get_stats(tree);
    cd_aabb all = cd_bvh_bounds(tree);
    cd_vec3 middle = cd_vec3_lerp(all.min, all.max, (cd_real)0.5);
    uint64_t nodes = s.node_count;
    uint32_t found = 0;
    cd_ray r;
    cd_hit hit;
    cd_closest c;
    cd_sphere ball;
    cd_bvh_volume v;
    memset(&test_counted, 0, sizeof test_counted);
    CHECK_INT(cd_bvh_overlap_aabb(tree, all, NULL, go_on, &found), true);
    CHECK_INT(found, n);
    CHECK(test_counted.node <= nodes);
    r.origin = all.min;
    r.dir = cd_vec3_sub(all.max, all.min);
    memset(&test_counted, 0, sizeof test_counted);
    CHECK(cd_bvh_cast_ray(tree, &r, CD_REAL_MAX, NULL, &hit));
    CHECK(test_counted.node <= nodes && test_counted.triangle <= n);
    memset(&test_counted, 0, sizeof test_counted);
    CHECK(cd_bvh_closest(tree, middle, CD_REAL_MAX, NULL, &c));
    CHECK(test_counted.node <= nodes && test_counted.triangle <= n);
    memset(&test_counted, 0, sizeof test_counted);
    ball.center = all.min;
    ball.radius = cd_vec3_length(r.dir) / 64;
    v = cd_bvh_volume_sphere(ball);
    CHECK(cd_bvh_sweep(tree, &v, r.dir, NULL, &hit));
    CHECK(test_counted.node <= nodes && test_counted.triangle <= n);
}

/* What a build looks at; the tree is sound, not deep, and asked. */
static double work_of(const cd_aabb *boxes, uint32_t n, uint32_t method) {
    cd_bvh_options o;
    cd_bvh tree;
    double work;
    memset(&o, 0, sizeof o);
    o.method = method;
    o.layout = method % 3 == 0 ? CD_BVH_BINARY : CD_BVH_WIDE;
    memset(&test_counted, 0, sizeof test_counted);
    CHECK_INT(cd_bvh_build_boxes(&tree, boxes, n, &o), CD_OK);
    work = (double)test_counted.build;
    CHECK_INT(cd_bvh_validate(&tree), CD_OK);
    CHECK(cd_bvh_get_stats(&tree).depth <= 80);
    check_queries(&tree, n);
    cd_bvh_destroy(&tree);
    return work;
}

/* The most seen are 25 n log2 n looks; but CD_BVH_BOTTOM_UP is quadratic in its pieces. */
static void builds_take_n_log_n(void) {
    uint32_t most = test_is_small() ? 400 : 1000;
    for (int kind = 0; kind < HOSTILES; ++kind) {
        for (uint32_t n = most / 4; n <= most; n *= 4) {
            cd_aabb *boxes = hostile_boxes((hostile)kind, n);
            for (uint32_t method = 0; method <= CD_BVH_INSERTED; ++method) {
                double each = method == CD_BVH_BOTTOM_UP ? 12.0 * (n < 2048 ? n : 2048) : 64 * log2(n);
                double work = work_of(boxes, n, method);
                test_note("%u boxes %d, method %u: %g", (unsigned)n, kind, (unsigned)method, work);
                CHECK(work <= each * n);
            }
            free(boxes);
        }
    }
}

/* ---- a tree that grows and changes ---- */

static void changes_take_log_n(void) {
    uint32_t n = test_is_small() ? 300 : 3000;
    double levels = 2 + log2(n) / log2(3);
    cd_vec3 still = cd_vec3_make(0, 0, 0);
    for (int kind = 0; kind < HOSTILES; ++kind) {
        cd_aabb *boxes = hostile_boxes((hostile)kind, n);
        cd_dyntree t;
        uint32_t id;
        uint64_t inserted, moved;
        memset(&t, 0, sizeof t);
        memset(&test_counted, 0, sizeof test_counted);
        for (uint32_t i = 0; i < n; ++i) CHECK_INT(cd_dyntree_insert(&t, boxes[i], 0, &id), CD_OK);
        inserted = test_counted.build;
        memset(&test_counted, 0, sizeof test_counted);
        for (uint32_t i = 0; i < n; ++i)
            CHECK_INT(cd_dyntree_move(&t, i, boxes[(i * 7 + 1) % n], still), CD_OK);
        moved = test_counted.build;
        test_note("boxes %d: %g an insertion, %g a move", kind, (double)inserted / n, (double)moved / n);
        CHECK_INT(cd_dyntree_validate(&t), CD_OK);
        CHECK(cd_bvh_get_stats(&t.bvh).depth <= levels);
        CHECK((double)inserted <= 2 * levels * n && (double)moved <= 4 * levels * n);
        cd_dyntree_destroy(&t);
        free(boxes);
    }
}

/* ---- two convex bodies ---- */

typedef enum shape_kind { NEEDLE, PRISM, DRUM, PLATE, DOME, LENS, SHAPES } shape_kind;

typedef struct body {
    cd_support support;
    cd_vec3 points[240];
    cd_cylinder cylinder;
    cd_ellipsoid ellipsoid;
} body;

static void points_of(body *b, int count) {
    b->support = cd_support_of_points(b->points, (size_t)count);
}

/* About the origin, of size 1, as thin as it is told. */
static void body_make(body *b, shape_kind kind, double thin) {
    int count = 0;
    memset(b, 0, sizeof *b);
    switch (kind) {
    case NEEDLE:
        for (int i = 0; i < 4; ++i)
            b->points[i] = cd_vec3_make((cd_real)(i < 2 ? -1 : 1), (cd_real)(i % 2 ? thin : -thin),
                                        (cd_real)(i == 3 ? thin : 0));
        points_of(b, 4);
        break;
    case PRISM:
        for (int i = 0; i < 240; ++i) {
            double t = 6.283185307179586 * (i / 2) / 120;
            b->points[i] = cd_vec3_make((cd_real)cos(t), (cd_real)sin(t), (cd_real)(i % 2 ? thin : -thin));
        }
        points_of(b, 240);
        break;
    case DRUM:
        b->cylinder.a = cd_vec3_make(0, 0, (cd_real)-thin);
        b->cylinder.b = cd_vec3_make(0, 0, (cd_real)thin);
        b->cylinder.radius = 1;
        b->support = cd_support_of_cylinder(&b->cylinder);
        break;
    case PLATE:
        for (int i = 0; i < 8; ++i)
            b->points[i] = cd_vec3_make(i & 1 ? 1 : -1, i & 2 ? 1 : -1, (cd_real)(i & 4 ? thin : -thin));
        points_of(b, 8);
        break;
    case DOME: /* of a paraboloid: no direction has its farthest point far from that of the next */
        for (int i = -7; i <= 7; ++i)
            for (int k = -7; k <= 7; ++k, ++count)
                b->points[count] = cd_vec3_make((cd_real)(i / 7.0), (cd_real)(k / 7.0),
                                                (cd_real)(thin * (i * i + k * k) / 98));
        points_of(b, count);
        break;
    default:
        b->ellipsoid.axes = cd_mat3_identity();
        b->ellipsoid.half = cd_vec3_make(1, 1, (cd_real)thin);
        b->support = cd_support_of_ellipsoid(&b->ellipsoid);
        break;
    }
}

/* The bounds of gjk.h and epa.h. */
enum { GJK_MOST = 200, EPA_MOST = 15500 };

static truth_pair pair;

static void check_pair(const body *a, const body *b, const cd_transform *pose, bool judged) {
    cd_separation g = cd_gjk_distance(&a->support, &b->support, pose, NULL, NULL),
                  e = cd_epa(&a->support, &b->support, pose, NULL, NULL);
    CHECK_INT(g.status, CD_OK);
    CHECK(g.iterations <= GJK_MOST);
    CHECK(e.status == CD_OK || e.status == CD_NOT_CONVERGED);
    CHECK(e.iterations <= EPA_MOST);
    CHECK(isfinite((double)e.distance) && e.gap >= 0);
    if (!judged) return;
    truth_open(&pair, &a->support, &b->support, pose);
    truth_judge(&pair, &e, e.status != CD_OK);
}

/* Hardly apart, touching, hardly in contact, deep; faces parallel, or but for a hair, or across. */
static void convex_pairs_take_few_steps(void) {
    static const double apart[] = {1e-12, 1e-6, 1e-3, 0, -1e-6, -0.1, -1, 3}, hairs[] = {0, 1e-9, 1e-4, 1};
    test_rng rng = test_random();
    static body a, b;
    for (long i = test_times(1500); i > 0; --i) {
        int one = test_int(&rng, 0, SHAPES - 1), other = test_int(&rng, 0, SHAPES - 1);
        double thin[2];
        cd_transform pose = gen_pose(&rng, 0);
        double hair = hairs[test_int(&rng, 0, 3)], up = apart[test_int(&rng, 0, 7)];
        for (int k = 0; k < 2; ++k) thin[k] = pow(10, -test_int(&rng, 0, 6));
        body_make(&a, (shape_kind)one, thin[0]);
        body_make(&b, (shape_kind)other, thin[1]);
        if (hair < 1) {
            pose.rotation =
                cd_quat_from_axis_angle(cd_vec3_make(1, (cd_real)test_range(&rng, -1, 1), 0), (cd_real)hair);
        }
        pose.position = cd_vec3_make((cd_real)(test_int(&rng, 0, 2) ? 0 : test_range(&rng, -1, 1)), 0,
                                     (cd_real)(thin[0] + thin[1] + up));
        test_note("shapes %d and %d, thin %g and %g, hair %g, up %g", one, other, thin[0], thin[1], hair, up);
        /* Of round bodies a billionth from parallel, in doubles, the points may be 2e-10 off the normal: known, and not mended. */
        check_pair(&a, &b, &pose,
                   hair != 1e-9 || (one != DRUM && one != LENS) || (other != DRUM && other != LENS));
    }
}

static uint32_t times_asked;

static uint32_t farthest_counted(const void *of, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    (void)hint;
    ++times_asked;
    *out = cd_support_farthest((const cd_support *)of, dir);
    return CD_NONE;
}

/* A needle across a prism all but flat, whose polytope is full of needles: what the first search over all directions ends with shows to be no
 * way out, and there is a second one. What is told of them is right, and no more farthest points are asked for than is said: also by count. */
static void what_was_no_way_out_is_searched_twice(void) {
    static const cd_transform pose = {
        {(cd_real)-0x1.56af92p-1, (cd_real)-0x1.9937dcp-3, (cd_real)-0x1.5e5be4p-1, (cd_real)-0x1.acd17ap-3},
        {0, 0, (cd_real)0x1.0880d8p-10}};
    static body a, b;
    cd_vec3 o = cd_vec3_make(0, 0, 0);
    cd_support s, t;
    cd_separation e;
    cd_cache cache;
    body_make(&a, NEEDLE, 1e-3);
    body_make(&b, PRISM, 1e-5);
    check_pair(&a, &b, &pose, true);
    s = cd_support_of_function(farthest_counted, &a.support, o, 0);
    t = cd_support_of_function(farthest_counted, &b.support, o, 0);
    for (int k = 0; k < 4; ++k) {
        memset(&cache, 0, sizeof cache);
        for (int again = 0; again < 2; ++again) {
            times_asked = 0;
            e = cd_epa(k & 1 ? &s : &a.support, k & 2 ? &t : &b.support, &pose, NULL, &cache);
            test_note("%d, %d: %u", k, again, (unsigned)times_asked);
            CHECK(e.iterations <= EPA_MOST);
            CHECK(times_asked <= (uint32_t)EPA_MOST * (k == 3 ? 2 : 1));
        }
    }
}

/* ---- the smallest sphere ---- */

static void place(cd_vec3 *p, double x, double y, double z) {
    *p = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

/* All as far from the middle, up to rounding; or nearly so, each a little farther than the ones before. */
static void spheres_take_few_passes(void) {
    static const char *const names[] = {"circle", "sphere",     "spiral out", "lattice on a sphere",
                                        "line",   "two circles"};
    uint32_t n = test_is_small() ? 300 : 5000;
    cd_vec3 *p = (cd_vec3 *)malloc(n * sizeof *p);
    test_rng rng = test_random();
    for (int kind = 0; kind < 6; ++kind) {
        cd_sphere s;
        for (uint32_t i = 0; i < n; ++i) {
            double u = (double)i / n, t = 6.283185307179586 * u, z = 2 * u - 1, w = sqrt(1 - z * z);
            switch (kind) {
            case 0: place(&p[i], cos(t), sin(t), 0); break;
            case 1: place(&p[i], w * cos(100 * t), w * sin(100 * t), z); break;
            case 2: place(&p[i], (1 + 1e-6 * u) * cos(7 * t), (1 + 1e-6 * u) * sin(7 * t), 1e-3 * u); break;
            case 3: {
                int x = test_int(&rng, -1, 1);
                place(&p[i], test_int(&rng, 0, 1) ? 3 : -3, x ? 4 * x : 0,
                      x                      ? 0
                      : test_int(&rng, 0, 1) ? 4
                                             : -4);
                break;
            }
            case 4: place(&p[i], u, 3 * u, -u); break;
            default: place(&p[i], cos(t), sin(t), i % 2 ? 1e-4 : -1e-4); break;
            }
        }
        memset(&test_counted, 0, sizeof test_counted);
        test_note("%s of %u points", names[kind], (unsigned)n);
        CHECK_INT(cd_sphere_welzl(p, n, &s), CD_OK);
        CHECK(test_counted.ball <= 16); /* a handful: 1 to 3 */
        for (uint32_t i = 0; i < n; ++i) CHECK(cd_test_point_sphere(p[i], s));
    }
    free(p);
}

/* ---- motions that graze ---- */

/* They are not in each other before; rounding of the poses aside. */
static void check_apart_until(const body *a, const cd_motion *m, const body *b, const cd_transform *at,
                              double t) {
    for (int k = 0; k < 8; ++k) {
        cd_transform there = cd_motion_pose(m, (cd_real)(t * k / 8)),
                     pose = cd_transform_relative(&there, at);
        cd_separation s = cd_convex_distance(&a->support, &b->support, &pose, NULL, NULL);
        CHECK((double)s.distance >= -32 * (double)CD_REAL_EPSILON);
    }
}

/* One spins past the other, a `gap` away or as deep in it. Where that goes on for long, no more may be known than a time before
 * which nothing is met. */
static void grazing_impacts_end(void) {
    static const double gaps[] = {1e-3, 1e-6, 1e-9, 0, -1e-9, -1e-6, -1e-3};
    test_rng rng = test_random();
    static body a, b;
    for (long i = test_times(200); i > 0; --i) {
        int one = test_int(&rng, 0, SHAPES - 1), other = test_int(&rng, 0, SHAPES - 1);
        double thin = pow(10, -test_int(&rng, 0, 3)), gap = gaps[test_int(&rng, 0, 6)];
        cd_transform from, to, at;
        cd_motion m, still;
        cd_impact r;
        body_make(&a, (shape_kind)one, thin);
        body_make(&b, (shape_kind)other, thin);
        from.position = cd_vec3_make(-4, 0, 0);
        to.position = cd_vec3_make(4, 0, 0);
        from.rotation = cd_quat_identity();
        to.rotation = cd_quat_from_axis_angle(cd_vec3_make(0, 0, 1), 3);
        at.rotation = cd_quat_identity();
        at.position = test_int(&rng, 0, 1) ? cd_vec3_make(0, (cd_real)(2 + gap), 0)
                                           : cd_vec3_make(0, 0, (cd_real)(2 * thin + gap));
        test_note("shapes %d and %d, thin %g, gap %g", one, other, thin, gap);
        CHECK_INT(cd_motion_make(CD_MOTION_BOTH, &from, &to, &m), CD_OK);
        CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &at, &at, &still), CD_OK);
        r = cd_time_of_impact(&a.support, &m, &b.support, &still, NULL);
        CHECK(r.status == CD_OK || r.status == CD_NOT_CONVERGED);
        CHECK(r.iterations <= 2048 + GJK_MOST);
        CHECK(r.t >= 0 && r.t <= 1);
        check_apart_until(&a, &m, &b, &at, (double)r.t);
    }
}

void suite_worst(void);
void suite_worst(void) {
    RUN(builds_take_n_log_n);
    RUN(changes_take_log_n);
    RUN(convex_pairs_take_few_steps);
    RUN(what_was_no_way_out_is_searched_twice);
    RUN(spheres_take_few_passes);
    RUN(grazing_impacts_end);
}
