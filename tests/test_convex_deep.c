/* Round bodies one in the other: rings and spheres of ways out that are alike. The depth is proven as near as that of any other pair. */
#include "convex_truth.h"
#include "gen.h"
#include <float.h>
#include <math.h>
#include <string.h>

static truth_pair pair;

/* ---- bodies about the z axis ---- */

typedef struct round_body {
    cd_cylinder cylinder;
    cd_cone cone;
    cd_disc disc;
    cd_ellipsoid ellipsoid;
    cd_tapered_capsule tapered;
    cd_segment segment;
    cd_support support;
} round_body;

static cd_vec3 on_axis(double z) {
    return cd_vec3_make(0, 0, (cd_real)z);
}

typedef enum round_kind { CYLINDER, CONE, DISC, SPHEROID, TAPERED, SEGMENT, BALL, ROUND_KINDS } round_kind;

static void make_round(test_rng *rng, round_body *b, round_kind kind) {
    double r = test_range(rng, 0.2, 1), s = test_range(rng, 0.2, 1), z = test_range(rng, 0.3, 2),
           y = -test_range(rng, 0.3, 2);
    memset(b, 0, sizeof *b);
    if (test_int(rng, 0, 1)) {
        double x = y;
        y = z;
        z = x;
    }
    b->cylinder.a = b->cone.apex = b->tapered.a = b->segment.a = on_axis(y);
    b->cylinder.b = b->cone.base = b->tapered.b = b->segment.b = on_axis(z);
    b->cylinder.radius = b->cone.radius = b->disc.radius = b->tapered.radius_a = (cd_real)r;
    b->tapered.radius_b = (cd_real)s;
    b->disc.center = on_axis(test_range(rng, -0.2, 0.2));
    b->disc.normal = on_axis(1);
    b->ellipsoid.axes = cd_quat_to_mat3(cd_quat_identity());
    b->ellipsoid.half = cd_vec3_make((cd_real)r, (cd_real)r, (cd_real)(kind == BALL ? r : s));
    switch (kind) {
    case CYLINDER: b->support = cd_support_of_cylinder(&b->cylinder); break;
    case CONE: b->support = cd_support_of_cone(&b->cone); break;
    case DISC: b->support = cd_support_of_disc(&b->disc); break;
    case TAPERED: b->support = cd_support_of_tapered_capsule(&b->tapered); break;
    case SEGMENT: b->support = cd_support_of_segment(&b->segment); break;
    default: b->support = cd_support_of_ellipsoid(&b->ellipsoid); break;
    }
}

static void note_round(const char *name, const round_body *b, int kind) {
    cd_real number = (cd_real)kind;
    test_note_reals("kind", &number, 1);
    test_note_reals(name, &b->cylinder.a.x, 7);
    test_note_reals("radius_b", &b->tapered.radius_b, 1);
    test_note_reals("disc", &b->disc.center.x, 3);
    test_note_reals("half", &b->ellipsoid.half.x, 3);
}

static void open_rounds(const round_body *a, int j, const round_body *b, int k, const cd_transform *pose) {
    test_note("");
    note_round("a", a, j);
    note_round("b", b, k);
    test_note_reals("pose", &pose->rotation.x, 7);
    truth_open(&pair, &a->support, &b->support, pose);
}

/* ---- how deep, by all directions of the plane of both axes ---- */

/* A direction of the plane x z, and the point of the rounded B - A that is farthest along it. */
typedef struct way {
    long double n[2], w[2], far;
} way;

static way way_along(long double x, long double z) {
    long double size = hypotl(x, z), n[3] = {x / size, 0, z / size}, back[3] = {-x / size, 0, -z / size};
    long double a[3], b[3];
    way o;
    truth_farthest(&pair.b, n, b);
    truth_farthest(&pair.a, back, a);
    for (int k = 0; k < 2; ++k) {
        o.n[k] = n[2 * k];
        o.w[k] = b[2 * k] - a[2 * k] + (pair.a.radius + pair.b.radius) * n[2 * k];
    }
    o.far = o.n[0] * o.w[0] + o.n[1] * o.w[1];
    return o;
}

/* Directions of which none is less far than `bound`. */
typedef struct arc {
    way p, q;
    long double bound;
} arc;

/* Both points are of B - A, so it is as far as either of them. How far each is, is concave in the angle where it is above 0: the farther is
 * the least at an end, or where both are as far, across their chord. Keeps the least of what is found. */
static arc arc_of(const way *p, const way *q, long double *least) {
    arc c;
    long double x = p->w[1] - q->w[1], z = q->w[0] - p->w[0];
    c.p = *p;
    c.q = *q;
    c.bound = fminl(p->far, q->far);
    *least = fminl(*least, c.bound);
    if (hypotl(x, z) > 64 * LDBL_EPSILON * pair.reach) {
        bool turned = x * (p->n[0] + q->n[0]) + z * (p->n[1] + q->n[1]) < 0;
        way across = turned ? way_along(-x, -z) : way_along(x, z);
        *least = fminl(*least, across.far);
        c.bound = fminl(c.bound, across.n[0] * p->w[0] + across.n[1] * p->w[1]);
    }
    return c;
}

/* Of axes that are parallel, in the plane x z, some least way out is in that plane. Halves what may have a lesser one than is found, all that is
 * left once a round, until that would be lost in rounding. */
static double depth_in_plane(void) {
    enum { ARCS = 1 << 10 };
    static arc arcs[2 * ARCS], next[2 * ARCS];
    static const double corner[5][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}, {1, 0}};
    long double least = HUGE_VALL;
    int count = 0;
    for (; count < 4; ++count) {
        way p = way_along(corner[count][0], corner[count][1]),
            q = way_along(corner[count + 1][0], corner[count + 1][1]);
        arcs[count] = arc_of(&p, &q, &least);
    }
    for (int round = 0; round < 40 && count > 0 && CHECK(count <= ARCS); ++round) {
        int left = 0;
        for (int i = 0; i < count; ++i) {
            const arc *c = &arcs[i];
            way middle;
            if (c->bound > least - 1e-16L * pair.reach) continue;
            middle = way_along(c->p.n[0] + c->q.n[0], c->p.n[1] + c->q.n[1]);
            next[left++] = arc_of(&c->p, &middle, &least);
            next[left++] = arc_of(&middle, &c->q, &least);
        }
        count = left;
        memcpy(arcs, next, (size_t)left * sizeof *arcs);
    }
    return (double)(least * pair.unit);
}

/* Proven, and as the scan says. */
static void check_deep(const round_body *a, const round_body *b, const cd_transform *pose, bool scanned) {
    cd_separation s = ASK("judge", cd_convex_distance(&a->support, &b->support, pose, NULL, NULL)), t;
    double size = 2 * (double)(pair.reach * pair.unit), most = scanned ? depth_in_plane() : 0, off;
    cd_cache cache;
    if (!truth_judge(&pair, &s, false)) return;
    off = (double)s.gap + size * 4e-15 + (double)CD_REAL_EPSILON * size;
    if (scanned) CHECK_NEAR(s.distance, -most, off);
    memset(&cache, 0, sizeof cache);
    for (int i = 0; i < 2; ++i) {
        t = ASK("judge", cd_convex_distance(&a->support, &b->support, pose, NULL, &cache));
        CHECK_INT(t.status, CD_OK);
        CHECK_NEAR(t.distance, s.distance, (double)s.gap + (double)t.gap);
    }
}

static void on_one_axis(void) {
    test_rng rng = test_random();
    for (long i = test_times(400); i > 0; --i) {
        round_body a, b;
        int j = test_int(&rng, 0, ROUND_KINDS - 1), k = test_int(&rng, 0, ROUND_KINDS - 1);
        static const double offs[5] = {0, 1e-9, 1e-6, 1e-3, 0.1};
        cd_transform pose = cd_transform_identity();
        make_round(&rng, &a, (round_kind)j);
        make_round(&rng, &b, (round_kind)k);
        pose.position.x = (cd_real)offs[i % 5];
        pose.position.z = (cd_real)test_range(&rng, -0.1, 0.1);
        open_rounds(&a, j, &b, k, &pose);
        if (depth_in_plane() > 1e-3) check_deep(&a, &b, &pose, true);
    }
}

/* On one axis with ellipsoids whose longer half axes are nearly alike: nearly so are ways out all around. */
static void ellipsoids_that_are_nearly_round(void) {
    static const double offs[4] = {1e-9, 1e-6, 1e-3, 1e-2};
    test_rng rng = test_random();
    long deep = 0, all = test_times(100);
    for (long i = 0; i < all; ++i) {
        round_body a, b;
        int j = i % 2 ? CONE : SPHEROID;
        double r = test_range(&rng, 0.3, 1), s = test_range(&rng, 0.2, 0.8), off = 1 - offs[i / 2 % 4];
        cd_transform pose = cd_transform_identity();
        cd_separation sep;
        make_round(&rng, &a, (round_kind)j);
        make_round(&rng, &b, SPHEROID);
        b.ellipsoid.half = cd_vec3_make((cd_real)r, (cd_real)(r * off), (cd_real)(r * s));
        pose.position.z = (cd_real)test_range(&rng, -0.1, 0.1);
        open_rounds(&a, j, &b, SPHEROID, &pose);
        sep = ASK("judge", cd_convex_distance(&a.support, &b.support, &pose, NULL, NULL));
        if (!truth_judge(&pair, &sep, false)) continue;
        deep += sep.distance < 0;
        if (sep.distance < 0)
            CHECK((double)sep.gap <=
                  (1e-11 + 4 * (double)CD_REAL_EPSILON) * (double)(pair.reach * pair.unit));
    }
    CHECK_SEEN(deep > all / 4);
}

/* The pole of an ellipsoid of revolution below a cylinder's cap, and beside its axis by the 5e-7th of its size: beside the axis chords of the
 * cap's rim lost digits, so that more was told to be proved than is so. */
static void at_the_pole(void) {
    round_body a, b;
    cd_transform pose = cd_transform_identity();
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.cylinder.a = on_axis(0x1.e82080d66b558p+0);
    a.cylinder.b = on_axis(-0x1.863f8efba55c9p-1);
    a.cylinder.radius = (cd_real)0x1.9936109cd2444p-1;
    b.ellipsoid.axes = cd_quat_to_mat3(cd_quat_identity());
    b.ellipsoid.half = cd_vec3_make((cd_real)0x1.70757284025f8p-2, (cd_real)0x1.70757284025f8p-2,
                                    (cd_real)0x1.d2e1cc849a7bp-2);
    a.support = cd_support_of_cylinder(&a.cylinder);
    b.support = cd_support_of_ellipsoid(&b.ellipsoid);
    for (int i = 0; i < 12; ++i) {
        double off = ldexp(1, -12 - 2 * i);
        pose.position.x = (cd_real)(i == 0 ? 0x1.0c6f7a0b5ed8dp-20 : off);
        pose.position.z = (cd_real)-0x1.fc7a810171bap-5;
        test_note_reals("pose", &pose.position.x, 3);
        truth_open(&pair, &a.support, &b.support, &pose);
        check_deep(&a, &b, &pose, true);
    }
}

/* The apex of a cone on the axis of another that is as wide: all ways out through its side are alike, across the axis the search begins with. */
static void an_apex_on_the_other_axis(void) {
    round_body a, b;
    cd_transform pose = cd_transform_identity();
    cd_separation s;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.cone.apex = on_axis(1);
    a.cone.base = cd_vec3_make(2, -2, -2);
    b.cone.apex = cd_vec3_make(1, 1, 0);
    b.cone.base = cd_vec3_make(-1, -1, 2);
    a.cone.radius = b.cone.radius = 2;
    a.support = cd_support_of_cone(&a.cone);
    b.support = cd_support_of_cone(&b.cone);
    truth_open(&pair, &a.support, &b.support, &pose);
    check_deep(&a, &b, &pose, false);
    s = cd_convex_distance(&a.support, &b.support, &pose, NULL, NULL);
    CHECK_NEAR(s.distance, -sqrt(0.75), s.gap);
}

/* About a box a blade of an ellipsoid, 2^31 times as long as it is wide: across its length squares of the long axis cancelled, and from what
 * rounding left of them a depth was told to be proved that is 2^28 times what it is. */
static void about_a_blade(void) {
    static const double given[30] = {
        -0x1.a405609b09168p+45,  -0x1.9b461aacafe2p+85,  0x1.05f639587763cp-138, 0x1.9134489dbe15p-3,
        0x1.dfaf404a8c764p-2,    -0x1.b916bef86cc7bp-1,  -0x1.9b0a13cefd6p-5,    -0x1.bec378d3c25f8p-1,
        -0x1.f18a1144b6738p-2,   -0x1.f56bf4b07e477p-1,  0x1.1b76d4c21719dp-3,   -0x1.2df2a37660292p-3,
        0x1.3163318e4a68ep+96,   0x1.fa673cc3a539ap-109, 0x1.051f8ce26b027p-56,  0x1.9c5fd3d3defa2p-45,
        -0x1.cf610d6e769f2p-127, -0x1.657ddd56d5672p+98, 0x1.a73dffbdf2dd4p-2,   0x1.c1460c5e53854p-1,
        -0x1.f237645f5c372p-3,   -0x1.00b6647691084p-1,  0x1.c4f0af146eff5p-2,   0x1.7cba6f3b3946p-1,
        0x1.852d78994966cp-1,    -0x1.7ba714ed02dfep-3,  0x1.3eddfea151bf4p-1,   0x1.463064e457d8ep+131,
        0x1.1240b8553a2f4p+162,  0x1.53878914f7c57p+80};
    cd_obb box;
    cd_ellipsoid blade;
    cd_support a, b;
    cd_separation s;
    cd_real v[30];
    for (int i = 0; i < 30; ++i)
        v[i] = (cd_real)(i % 15 < 3 || i % 15 > 11 ? ldexp(given[i], -140) : given[i]);
    memcpy(&box, v, sizeof box);
    memcpy(&blade, v + 15, sizeof blade);
    a = cd_support_of_obb(&box);
    b = cd_support_of_ellipsoid(&blade);
    truth_open(&pair, &a, &b, NULL);
    s = cd_convex_distance(&a, &b, NULL, NULL, NULL);
    truth_judge(&pair, &s, false);
    CHECK_NEAR(s.distance, 0, (double)s.gap + 0x1p-43);
}

/* Both turned alike, and one a little more than the other. */
static void nearly_on_one_axis(void) {
    test_rng rng = test_random();
    for (long i = test_times(200); i > 0; --i) {
        round_body a, b;
        int j = test_int(&rng, 0, ROUND_KINDS - 1), k = test_int(&rng, 0, ROUND_KINDS - 1);
        cd_transform pose = cd_transform_identity();
        double off = pow(10, -test_range(&rng, 3, 9)), size;
        cd_separation s;
        make_round(&rng, &a, (round_kind)j);
        make_round(&rng, &b, (round_kind)k);
        pose.rotation.x = (cd_real)(off * test_range(&rng, -1, 1));
        pose.rotation.y = (cd_real)(off * test_range(&rng, -1, 1));
        pose.position.y = (cd_real)(off * test_range(&rng, -1, 1));
        open_rounds(&a, j, &b, k, &pose);
        s = cd_convex_distance(&a.support, &b.support, &pose, NULL, NULL);
        if (s.distance >= 0 || !truth_judge(&pair, &s, true)) continue;
        size = 2 * (double)(pair.reach * pair.unit);
        CHECK((double)s.gap <= 1e-5 * size);
    }
}

/* A face that was all but a needle, with a plane a little off, was taken for the nearest: 5e-10 deeper than it is, and as proven. */
static void a_needle_proves_nothing(void) {
    round_body a, b;
    cd_transform pose = cd_transform_identity();
    cd_separation s;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.ellipsoid.axes = cd_quat_to_mat3(cd_quat_identity());
    a.ellipsoid.half =
        cd_vec3_make((cd_real)0.9145724296448463, (cd_real)0.9145724296448463, (cd_real)0.7721033986576313);
    b.cone.apex = on_axis(1.107312633551077);
    b.cone.base = on_axis(-0.34006120225739916);
    b.cone.radius = (cd_real)0.2713152100476083;
    a.support = cd_support_of_ellipsoid(&a.ellipsoid);
    b.support = cd_support_of_cone(&b.cone);
    pose.rotation.x = (cd_real)4.3914247566149e-06;
    pose.rotation.y = (cd_real)-2.2905958512160616e-06;
    pose.position.y = (cd_real)1.2718835764659742e-05;
    truth_open(&pair, &a.support, &b.support, &pose);
    s = cd_convex_distance(&a.support, &b.support, &pose, NULL, NULL);
    truth_judge(&pair, &s, false);
    CHECK_NEAR(s.distance, -1.112164601042008, sizeof(cd_real) == 4 ? 2e-6 : 2e-12);
}

/* ---- no direction is better than what is proved ---- */

/* Goes down from a direction: steps both ways across, shorter ones where neither helps. */
static long double descend(test_rng *rng, double n[3]) {
    long double least;
    double step = 0.5;
    for (int k = 0; k < 3; ++k) n[k] = test_range(rng, -1, 1);
    least = -truth_along(&pair, n);
    for (int round = 0; round < 60; ++round) {
        bool better = false;
        for (int k = 0; k < 6; ++k) {
            double m[3] = {n[0], n[1], n[2]}, length;
            long double x;
            m[k / 2] += k % 2 ? step : -step;
            length = sqrt(m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
            for (int l = 0; l < 3; ++l) m[l] /= length;
            x = -truth_along(&pair, m);
            if (x >= least) continue;
            least = x;
            memcpy(n, m, sizeof m);
            better = true;
        }
        if (!better) step *= 0.3;
    }
    return least;
}

static void ellipsoid_of(test_rng *rng, cd_ellipsoid *e) {
    static const double near[4] = {0, 1e-7, 1e-3, 1};
    double r = test_range(rng, 0.3, 1), off = near[test_int(rng, 0, 3)];
    e->center = cd_vec3_make((cd_real)test_range(rng, -0.1, 0.1), 0, (cd_real)test_range(rng, -0.1, 0.1));
    e->axes = cd_quat_to_mat3(gen_quat(rng));
    for (int k = 0; k < 3; ++k) (&e->half.x)[k] = (cd_real)(r * (1 + off * test_range(rng, 0, 2)));
}

static void no_direction_is_better(void) {
    test_rng rng = test_random();
    for (long i = test_times(100); i > 0; --i) {
        round_body a, b;
        cd_ellipsoid e, f;
        cd_transform pose = gen_pose(&rng, 0.1);
        cd_separation s;
        int j = test_int(&rng, 0, ROUND_KINDS - 1);
        make_round(&rng, &a, (round_kind)j);
        memset(&b, 0, sizeof b);
        ellipsoid_of(&rng, &e);
        ellipsoid_of(&rng, &f);
        b.support = cd_support_of_ellipsoid(&e);
        if (i % 2) a.support = cd_support_of_ellipsoid(&f);
        test_note("");
        note_round("a", &a, j);
        test_note_reals("b", &e.center.x, 15);
        test_note_reals("or a", &f.center.x, 15);
        test_note_reals("pose", &pose.rotation.x, 7);
        truth_open(&pair, &a.support, &b.support, &pose);
        s = cd_convex_distance(&a.support, &b.support, &pose, NULL, NULL);
        if (!truth_judge(&pair, &s, true)) continue;
        if (s.distance < 0) CHECK((double)s.gap <= 1e-5 * (double)(pair.reach * pair.unit));
        for (int k = 0; k < 6; ++k) {
            double n[3];
            long double least = descend(&rng, n);
            CHECK((double)least >=
                  -(double)s.distance - (double)s.gap - (double)(pair.reach * pair.unit) * 1e-15);
        }
    }
}

/* ---- sizes at the end of doubles ---- */

/* Boxes whose half extents have cubes and squares that are none; nothing is lost where all is scaled by a power of two. */
static void any_power_of_two(void) {
    test_rng rng = test_random();
    int most = sizeof(cd_real) == 8 ? 900 : 110;
    for (long i = test_times(300); i > 0; --i) {
        cd_obb a, b;
        cd_support s, t;
        cd_separation one, scaled;
        int power = test_int(&rng, -most * 5 / 9, most);
        cd_real by = (cd_real)ldexp(1, power);
        a.axes = cd_quat_to_mat3(gen_quat(&rng));
        b.axes = cd_quat_to_mat3(gen_quat(&rng));
        for (int k = 0; k < 3; ++k) {
            (&a.center.x)[k] = (cd_real)test_range(&rng, -1, 1);
            (&b.center.x)[k] = (cd_real)test_range(&rng, -1, 1);
            (&a.half.x)[k] = (cd_real)test_range(&rng, 0.1, 1);
            (&b.half.x)[k] = (cd_real)test_range(&rng, 0.1, 1);
        }
        test_note("2^%d ", power);
        test_note_reals("a", &a.center.x, 15);
        test_note_reals("b", &b.center.x, 15);
        s = cd_support_of_obb(&a);
        t = cd_support_of_obb(&b);
        one = cd_convex_distance(&s, &t, NULL, NULL, NULL);
        a.center = cd_vec3_scale(a.center, by);
        b.center = cd_vec3_scale(b.center, by);
        a.half = cd_vec3_scale(a.half, by);
        b.half = cd_vec3_scale(b.half, by);
        s = cd_support_of_obb(&a);
        t = cd_support_of_obb(&b);
        scaled = ASK("scale", cd_convex_distance(&s, &t, NULL, NULL, NULL));
        CHECK_INT(scaled.status, CD_OK);
        CHECK_SAME(scaled.distance, one.distance * by);
        for (int k = 0; k < 3; ++k) CHECK_SAME((&scaled.normal.x)[k], (&one.normal.x)[k]);
    }
}

/* Half extents that have nothing to do with each other: plates, needles, points. */
static void extents_of_any_ratio(void) {
    test_rng rng = test_random();
    int most = sizeof(cd_real) == 8 ? 500 : 55;
    for (long i = test_times(2000); i > 0; --i) {
        cd_obb box[2];
        cd_support s[2];
        cd_separation got;
        double length = 0;
        int top = test_int(&rng, -most, most);
        for (int j = 0; j < 2; ++j) {
            memset(&box[j], 0, sizeof box[j]);
            box[j].axes = cd_quat_to_mat3(i % 4 ? gen_quat(&rng) : cd_quat_identity());
            for (int k = 0; k < 3; ++k)
                (&box[j].half.x)[k] = (cd_real)ldexp(test_range(&rng, 1, 2), top - test_int(&rng, 0, most));
            s[j] = cd_support_of_obb(&box[j]);
        }
        test_note_reals("a", &box[0].center.x, 15);
        test_note_reals("b", &box[1].center.x, 15);
        got = cd_convex_distance(&s[0], &s[1], NULL, NULL, NULL);
        for (int k = 0; k < 3; ++k) length += (double)(&got.normal.x)[k] * (double)(&got.normal.x)[k];
        CHECK_NEAR(length, 1, 8 * (double)CD_REAL_EPSILON);
        CHECK(got.gap >= 0 && isfinite((double)got.gap) && isfinite((double)got.distance));
        CHECK(got.distance <= got.gap); /* both are about the origin */
    }
}

/* The rim of a base passes through the middle of the ball at a tapered capsule's end: all ways out from there along a meridian of the
 * rim's axis are alike, and those to either side are longer only by the square of the angle. */
static void ways_alike_along_a_meridian(void) {
    static const double rims[3][2] = {
        {2, 1}, {0.5, 1}, {3, 1}}; /* how far the apex or other base is off, and the radius */
    for (int k = 0; k < 12; ++k) {
        cd_tapered_capsule tapered;
        cd_cone cone;
        cd_cylinder cylinder;
        cd_support a, b;
        cd_separation s;
        double h = rims[k / 4][0], r = rims[k / 4][1];
        tapered.a = cd_vec3_make(1, 1, -1);
        tapered.b = cd_vec3_make(0, -2, 0);
        tapered.radius_a = 0;
        tapered.radius_b = 1;
        cone.apex = cylinder.b = cd_vec3_make((cd_real)h, -2, (cd_real)r);
        cone.base = cylinder.a = cd_vec3_make(0, -2, (cd_real)r);
        cone.radius = cylinder.radius = (cd_real)r;
        a = cd_support_of_tapered_capsule(&tapered);
        b = k & 1 ? cd_support_of_cylinder(&cylinder) : cd_support_of_cone(&cone);
        test_note("%d", k);
        truth_open(&pair, k & 2 ? &b : &a, k & 2 ? &a : &b, NULL);
        s = cd_convex_distance(k & 2 ? &b : &a, k & 2 ? &a : &b, NULL, NULL, NULL);
        truth_judge(&pair, &s, false);
        CHECK_NEAR(s.distance, -1, 4 * (double)CD_REAL_EPSILON);
    }
}

/* An ellipsoid about a point of a cylinder's rim, or about the apex of a cone: all ways out from there that are across its odd axis are alike.
 * About the rim they are on a meridian of the cylinder, and those to either side shorter for the ellipsoid but longer for the rim; about the
 * apex they are on a circle that is askew to the cone. */
static void ways_alike_across_an_axis(void) {
    static const double widths[3] = {0, 0.5, 1}, offs[5] = {0, 2e-16, -2e-16, 1e-12, -1e-6};
    cd_cylinder post = {{0, -1, 2}, {0, 2, 2}, 2};
    cd_cone cone = {{1, -1, -1}, {1, 0, -1}, 1};
    cd_quat turn = {(cd_real)0.5, (cd_real)0.25, (cd_real)-0.125, 1};
    cd_support round[3];
    round[0] = cd_support_of_cylinder(&post);
    round[1] = cd_support_scaled(&round[0], cd_vec3_make(-3, 1, -2));
    round[2] = cd_support_of_cone(&cone);
    for (int k = 0; k < 90; ++k) {
        cd_ellipsoid e = {{0, -1, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 1, 1}};
        const cd_support *s = &round[k / 2 % 3];
        cd_support t;
        cd_separation got;
        e.half.x = (cd_real)widths[k / 6 % 3];
        if (s == &round[2]) {
            e.center = cone.apex;
            e.axes = cd_quat_to_mat3(cd_quat_normalize(turn));
            e.half.x = (cd_real)(1.5 + widths[k / 6 % 3]);
        }
        e.center.y -= (cd_real)offs[k / 18];
        t = cd_support_of_ellipsoid(&e);
        test_note("%d", k);
        truth_open(&pair, k & 1 ? &t : s, k & 1 ? s : &t, NULL);
        got = cd_convex_distance(k & 1 ? &t : s, k & 1 ? s : &t, NULL, NULL, NULL);
        truth_judge(&pair, &got, false);
        CHECK_NEAR(got.distance, -1, 4 * (double)CD_REAL_EPSILON + fabs(offs[k / 18]));
    }
}

/* Where halving either way promises the same: looking for a shorter way out along a meridian, and halving what is wide around and hardly
 * anything along it, spare the half of the work. */
static void work_where_ways_are_alike(void) {
    cd_cone cone = {{-1, 0, -1}, {(cd_real)1.5, -2, (cd_real)0.5}, 1};
    cd_tapered_capsule tapered[2] = {{{0, -2, -1}, {(cd_real)-1.5, 1, -1}, 1, 2},
                                     {{(cd_real)1.5, -1, (cd_real)0.5}, {1, (cd_real)-1.5, -1}, 2, 2}};
    cd_ellipsoid e[3] = {
        {{(cd_real)1.5, -1, 2}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {(cd_real)1.5, 1, 2}},
        {{0, (cd_real)1.5, 0},
         {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
         {(cd_real)0.5, (cd_real)0.5, (cd_real)0.5}},
        {{(cd_real)-2.25, (cd_real)1.5, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {3, 2, (cd_real)1.5}}};
    static const uint32_t most[3] = {2400, 4000, 4200}; /* else in doubles 3500, 5300, 6200 */
    cd_support a[3], b[3];
    a[0] = cd_support_of_cone(&cone);
    b[0] = cd_support_of_tapered_capsule(&tapered[0]);
    a[1] = cd_support_of_tapered_capsule(&tapered[1]);
    b[1] = cd_support_of_ellipsoid(&e[0]);
    a[2] = cd_support_of_ellipsoid(&e[1]);
    b[2] = cd_support_of_ellipsoid(&e[2]);
    for (int k = 0; k < 3; ++k) {
        cd_separation s = cd_convex_distance(&a[k], &b[k], NULL, NULL, NULL);
        test_note("%d", k);
        truth_open(&pair, &a[k], &b[k], NULL);
        truth_judge(&pair, &s, false);
        CHECK(s.iterations <= most[k]);
    }
}

/* Of round bodies, the same in every run, in all: how many farthest points are looked for does not grow unseen. */
static void work_in_all(void) {
    static const uint32_t most = sizeof(cd_real) == 4 ? 66551 : 115219; /* what it takes now */
    test_rng rng = {11};
    uint32_t all = 0;
    for (int i = 0; i < 12 * ROUND_KINDS * ROUND_KINDS; ++i) {
        round_body a, b;
        cd_transform pose = cd_transform_identity();
        double off = ldexp(1, -(i / 7 % 14));
        make_round(&rng, &a, (round_kind)(i % ROUND_KINDS));
        make_round(&rng, &b, (round_kind)(i / ROUND_KINDS % ROUND_KINDS));
        if (i % 3 == 0) a.ellipsoid.half.x = b.ellipsoid.half.y = (cd_real)test_range(&rng, 0.2, 1);
        pose.rotation.x = (cd_real)(off * test_range(&rng, -1, 1));
        pose.rotation.y = (cd_real)(off * test_range(&rng, -1, 1));
        pose.position.y = (cd_real)(off * test_range(&rng, -0.5, 0.5));
        all += cd_convex_distance(&a.support, &b.support, &pose, NULL, NULL).iterations;
    }
    test_note("%u farthest points", all);
    CHECK(all <= most);
}

/* One cylinder through another like it, the axes crossing at three degrees: two arcs of ways out that are nearly alike. */
static void alike_with_crossing_axes(void) {
    cd_cylinder cylinder = {{0, 0, (cd_real)0.4f}, {(cd_real)0.8f, 0, 1}, (cd_real)0.5};
    cd_transform pose = cd_transform_identity();
    cd_support s = cd_support_of_cylinder(&cylinder);
    cd_separation got;
    pose.rotation.y = (cd_real)0x1.1245aedf43f7bp-6;
    pose.rotation.z = (cd_real)0x1.6db23de6a5b09p-6;
    pose.rotation.w = (cd_real)0x1.ffccf98564d6fp-1;
    pose.position.x = (cd_real)0x1.b77e81ee3efep-9;
    pose.position.y = (cd_real)0x1.eec510a523dap-9;
    pose.position.z = (cd_real)0x1.c70f8049868cp-7;
    truth_open(&pair, &s, &s, &pose);
    got = cd_convex_distance(&s, &s, &pose, NULL, NULL);
    truth_judge(&pair, &got, false);
    CHECK(got.iterations <=
          3000); /* where cells are halved along the arcs again and again more than 6000, and no end */
}

void suite_convex_deep(void) {
    RUN(alike_with_crossing_axes);
    RUN(work_where_ways_are_alike);
    RUN(work_in_all);
    RUN(ways_alike_along_a_meridian);
    RUN(ways_alike_across_an_axis);
    RUN(on_one_axis);
    RUN(ellipsoids_that_are_nearly_round);
    RUN(at_the_pole);
    RUN(an_apex_on_the_other_axis);
    RUN(about_a_blade);
    RUN(nearly_on_one_axis);
    RUN(a_needle_proves_nothing);
    RUN(no_direction_is_better);
    RUN(any_power_of_two);
    RUN(extents_of_any_ratio);
}
