/* Oriented boxes against each other, axis-aligned boxes, planes, segments and polygons, against exact arithmetic: never false for
 * things that meet, and true for things apart only within the stated band. */
#include "gen.h"
#include "oracle.h"
#include <math.h>

#define BAND 1e-14

static oracle_box exact_box(const cd_obb *b) {
    oracle_box r;
    to_doubles(REALS(b->center), r.center, 3);
    to_doubles(REALS(b->half), r.half, 3);
    for (int k = 0; k < 3; ++k) to_doubles(REALS(b->axes.col[k]), r.axis[k], 3);
    return r;
}

static double size_of(const cd_obb *b) {
    return (double)b->half.x + (double)b->half.y + (double)b->half.z;
}

static double reach(const cd_obb *a, const cd_obb *b) {
    return (double)cd_vec3_dist(a->center, b->center) + size_of(a) + size_of(b);
}

static void note_boxes(const cd_obb *a, const cd_obb *b) {
    test_note("");
    test_note_reals("a", REALS(*a), 15);
    test_note_reals("b", REALS(*b), 15);
}

/* Axes a little turned from those given: by an angle of any magnitude. */
static cd_mat3 nearly(test_rng *rng, const cd_mat3 *axes) {
    double angle = ldexp(test_unit(rng), -test_int(rng, 0, 50));
    cd_vec3 about = cd_vec3_make((cd_real)test_range(rng, -1, 1), (cd_real)test_range(rng, -1, 1),
                                 (cd_real)test_range(rng, -1, 1));
    cd_mat3 turn = cd_mat3_from_axis_angle(about, (cd_real)angle);
    return cd_mat3_mul(&turn, axes);
}

/* A box in trouble with a: parallel or nearly, its columns in another order, touching, flat, long. */
static cd_obb box_near(gen *g, const cd_obb *a) {
    cd_obb b = gen_obb(g);
    int k = test_int(g->rng, 0, 2);
    if (test_int(g->rng, 0, 2)) b.axes = test_int(g->rng, 0, 1) ? a->axes : nearly(g->rng, &a->axes);
    if (!test_int(g->rng, 0, 3)) b.axes = cd_mat3_from_columns(b.axes.col[1], b.axes.col[2], b.axes.col[0]);
    if (!test_int(g->rng, 0, 3)) REALS(b.half)[test_int(g->rng, 0, 2)] = 0;
    if (!test_int(g->rng, 0, 3)) REALS(b.half)[test_int(g->rng, 0, 2)] *= 1000;
    if (test_int(g->rng, 0, 1))
        b.center = cd_vec3_along(a->center, a->axes.col[k], REALS(a->half)[k] + REALS(b.half)[k]);
    if (!test_int(g->rng, 0, 3)) REALS(b.center)[k] = gen_near(g->rng, REALS(b.center)[k]);
    return b;
}

/* Moves b so that an edge of it and one of a nearly touch. */
static void edge_to_edge(gen *g, const cd_obb *a, cd_obb *b) {
    cd_vec3 p = a->center, q = cd_vec3_make(0, 0, 0);
    int i = test_int(g->rng, 0, 2), j = test_int(g->rng, 0, 2);
    double gap = 1 + ldexp(test_range(g->rng, -1, 1), -test_int(g->rng, 1, 24));
    for (int k = 0; k < 3; ++k) {
        cd_real s = (cd_real)(k == i ? test_range(g->rng, -1, 1) : test_int(g->rng, 0, 1) ? gap : -gap);
        cd_real t = (cd_real)(k == j ? test_range(g->rng, -1, 1) : test_int(g->rng, 0, 1) ? gap : -gap);
        p = cd_vec3_along(p, a->axes.col[k], s * REALS(a->half)[k]);
        q = cd_vec3_along(q, b->axes.col[k], t * REALS(b->half)[k]);
    }
    b->center = cd_vec3_sub(p, q);
}

static void check_pair(const cd_obb *a, const cd_obb *b, long seen[2]) {
    oracle_box p = exact_box(a), q = exact_box(b);
    oracle_gap gap = oracle_box_box(&p, &q);
    bool got = ASK("exact", cd_test_obb_obb(a, b));
    note_boxes(a, b);
    CHECK_INT(ASK("swap", cd_test_obb_obb(b, a)), got);
    CHECK(got || !gap.overlap);
    if (gap.separation > BAND * reach(a, b)) CHECK(!got);
    CHECK(cd_test_obb_obb_fast(a, b) || !got);
    CHECK_INT(ASK("swap", cd_test_obb_obb_fast(a, b)), cd_test_obb_obb_fast(b, a));
    ++seen[gap.overlap ? 1 : 0];
}

static void boxes_and_boxes(void) {
    test_rng rng = test_random();
    long seen[2] = {0, 0}, times = test_times(12000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_obb a = gen_obb(&g), b = box_near(&g, &a);
        if (!test_int(&rng, 0, 2)) edge_to_edge(&g, &a, &b);
        check_pair(&a, &b, seen);
    }
    CHECK_SEEN(seen[0] > times / 8 && seen[1] > times / 8);
}

/* Axes that are only roughly orthonormal mean a slanted body, and left-handed ones are fine. */
static void slanted_boxes(void) {
    test_rng rng = test_random();
    long seen[2] = {0, 0};
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_FAR);
        cd_obb a = gen_obb(&g), b = box_near(&g, &a);
        double slant = ldexp(1.0, -test_int(&rng, 9, 30));
        if (!test_int(&rng, 0, 2)) edge_to_edge(&g, &a, &b);
        for (int k = 0; k < 9; ++k) {
            REALS(a.axes)[k] += (cd_real)test_range(&rng, -slant, slant);
            REALS(b.axes)[k] += (cd_real)test_range(&rng, -slant, slant);
        }
        if (test_int(&rng, 0, 1)) a.axes.col[2] = cd_vec3_neg(a.axes.col[2]);
        check_pair(&a, &b, seen);
    }
}

/* The band of a gap measured in float axes is no wider: needles side by side at a gap of 1e-10 of their length. */
static void small_gaps_are_seen(void) {
    test_rng rng = test_random();
    for (long i = test_times(2000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb a = gen_obb(&g), b = gen_obb(&g);
        double depth = sizeof(cd_real) == 4 ? 1e-6 : 1e-13;
        long seen[2] = {0, 0};
        a.half = cd_vec3_make(1, (cd_real)depth, (cd_real)depth);
        b.half = a.half;
        b.axes = test_int(&rng, 0, 1) ? a.axes : nearly(&rng, &a.axes);
        b.center = cd_vec3_along(a.center, a.axes.col[1], (cd_real)(depth * test_range(&rng, 1.9, 2.3)));
        check_pair(&a, &b, seen);
    }
}

/* By a power of two: exactly, but for what is lost below the least numbers; false where something is. */
static bool scaled(const cd_obb *b, cd_real s, cd_obb *out) {
    cd_vec3 center, half;
    *out = *b;
    out->center = cd_vec3_scale(b->center, s);
    out->half = cd_vec3_scale(b->half, s);
    center = cd_vec3_scale(out->center, 1 / s);
    half = cd_vec3_scale(out->half, 1 / s);
    return center.x == b->center.x && center.y == b->center.y && center.z == b->center.z &&
           half.x == b->half.x && half.y == b->half.y && half.z == b->half.z;
}

static void scaling_changes_nothing(void) {
    test_rng rng = test_random();
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_GRID : GEN_ULP);
        cd_obb a = gen_obb(&g), b = box_near(&g, &a), c, d;
        cd_real s = (cd_real)ldexp(1.0, test_int(&rng, -30, 30));
        note_boxes(&a, &b);
        if (!scaled(&a, s, &c) || !scaled(&b, s, &d)) continue;
        CHECK_INT(ASK("scale", cd_test_obb_obb(&c, &d)), cd_test_obb_obb(&a, &b));
    }
}

/* Boxes of a few of the least numbers, whose products are none, meet as those of a few units. */
static void the_least_boxes(void) {
    test_rng rng = test_random();
    cd_real least = (cd_real)ldexp(1, sizeof(cd_real) == 4 ? -149 : -1074);
    long seen[2] = {0, 0}, times = 20 + test_times(2000);
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_obb a = gen_obb(&g), b = gen_obb(&g), c, d;
        bool meet;
        if (test_int(&rng, 0, 1)) a.axes = cd_mat3_identity();
        for (int k = 0; k < 3; ++k) {
            REALS(a.center)[k] = (cd_real)test_int(&rng, -3, 3);
            REALS(b.center)[k] = (cd_real)test_int(&rng, -3, 3);
            REALS(a.half)[k] = (cd_real)test_int(&rng, 0, 3);
            REALS(b.half)[k] = (cd_real)test_int(&rng, 0, 3);
        }
        c = a;
        d = b;
        c.center = cd_vec3_scale(a.center, least);
        c.half = cd_vec3_scale(a.half, least);
        d.center = cd_vec3_scale(b.center, least);
        d.half = cd_vec3_scale(b.half, least);
        note_boxes(&a, &b);
        meet = cd_test_obb_obb(&a, &b);
        ++seen[meet ? 1 : 0];
        CHECK_INT(ASK("scale", cd_test_obb_obb(&c, &d)), meet);
        CHECK_INT(ASK("scale", cd_test_obb_obb_fast(&c, &d)), cd_test_obb_obb_fast(&a, &b));
    }
    CHECK_SEEN(seen[0] > times / 10 && seen[1] > times / 10);
}

static void check_swap(const cd_obb *a, const cd_obb *b) {
    note_boxes(a, b);
    CHECK_INT(cd_test_obb_obb(b, a), cd_test_obb_obb(a, b));
    CHECK_INT(cd_test_obb_obb_fast(b, a), cd_test_obb_obb_fast(a, b));
}

/* Where projections leave the range of cd_real: as b's axes lie, some sums of a's and b's extents overflow, and others do not. */
static void boxes_beyond_the_range(void) {
    test_rng rng = test_random();
    cd_real most = CD_REAL_MAX, large = CD_REAL_MAX * (cd_real)0x1.d16f8ap-14;
    cd_obb a, b;
    a.center = cd_vec3_make(3, (cd_real)6303058, -3);
    a.axes = cd_mat3_identity();
    a.half = cd_vec3_make(2, 1, most);
    b.center = cd_vec3_make(CD_REAL_MAX * (cd_real)-0x1.be9afp-22, 0, -large);
    b.axes.col[0] = cd_vec3_make((cd_real)-0x1.af521ep-6, (cd_real)0x1.800cacp-1, (cd_real)0x1.5254e6p-1);
    b.axes.col[1] = cd_vec3_make((cd_real)0x1.fa5fcp-1, (cd_real)-0x1.39f87ap-4, (cd_real)0x1.02e456p-3);
    b.axes.col[2] = cd_vec3_make((cd_real)0x1.29ee36p-3, (cd_real)0x1.50515ep-1, (cd_real)-0x1.7acbdap-1);
    b.half = cd_vec3_make((cd_real)0x1.97fe5ap+22, (cd_real)0x1.863602p+0, large);
    check_swap(&a, &b);
    CHECK(!cd_test_obb_obb(&a, &b));
    for (long i = test_times(1000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_real *half[2];
        a = gen_obb(&g);
        b = gen_obb(&g);
        half[0] = REALS(a.half);
        half[1] = REALS(b.half);
        for (int k = 0; k < 6; ++k) half[k & 1][k >> 1] *= test_int(&rng, 0, 2) ? 1 : most * (cd_real)0.1;
        b.center = cd_vec3_scale(b.center, test_int(&rng, 0, 1) ? 1 : most * (cd_real)0.05);
        check_swap(&a, &b);
    }
}

/* The corners against the faces are the six face axes, but for the rounding of the corners. */
static void corners_and_faces(void) {
    test_rng rng = test_random();
    double eps = 64 * (double)CD_REAL_EPSILON;
    long only_edges = 0;
    for (long i = test_times(10000); i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 1) ? GEN_UNIT : GEN_SCALE);
        cd_obb a = gen_obb(&g), b = gen_obb(&g), large = a, little = a;
        cd_vec3 p[8], q[8];
        bool got;
        edge_to_edge(&g, &a, &b);
        for (int k = 0; k < 3; ++k) { /* never flat: the faces are taken from the corners */
            REALS(b.half)[k] += (cd_real)(0.05 * g.scale);
            REALS(little.half)[k] += (cd_real)(0.05 * g.scale);
        }
        a = large = little;
        for (int k = 0; k < 3; ++k) {
            double more = eps * reach(&a, &b) + eps * (double)cd_vec3_length(a.center);
            REALS(large.half)[k] += (cd_real)more;
            REALS(little.half)[k] -= (cd_real)more;
        }
        note_boxes(&a, &b);
        cd_obb_to_vertices(&a, p);
        cd_obb_to_vertices(&b, q);
        got = ASK("exact", cd_test_obb_obb_vertices(p, q));
        CHECK_INT(ASK("swap", cd_test_obb_obb_vertices(q, p)), got);
        if (cd_test_obb_obb_fast(&little, &b)) CHECK(got);
        if (got) CHECK(cd_test_obb_obb_fast(&large, &b));
        only_edges += got && !cd_test_obb_obb(&a, &b);
    }
    CHECK_SEEN(only_edges > 0);
}

static cd_obb upright_box(gen *g, int axis) {
    cd_obb b = gen_obb(g);
    cd_vec3 about = cd_vec3_make(axis == 0, axis == 1, axis == 2);
    b.axes = cd_mat3_from_axis_angle(about, (cd_real)test_range(g->rng, -4, 4));
    return b;
}

static void upright_boxes(void) {
    test_rng rng = test_random();
    long times = test_times(4000), met = 0;
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        int axis = test_int(&rng, 0, 2);
        cd_obb a = upright_box(&g, axis), b = upright_box(&g, axis);
        oracle_box p, q;
        oracle_gap gap;
        bool got;
        if (!test_int(&rng, 0, 3)) b.axes = a.axes;
        if (!test_int(&rng, 0, 2)) edge_to_edge(&g, &a, &b);
        p = exact_box(&a);
        q = exact_box(&b);
        gap = oracle_box_box(&p, &q);
        got = ASK("exact", cd_test_obb_obb_upright(&a, &b, axis));
        note_boxes(&a, &b);
        CHECK_INT(ASK("swap", cd_test_obb_obb_upright(&b, &a, axis)), got);
        CHECK(got || !gap.overlap);
        if (gap.separation > BAND * reach(&a, &b)) CHECK(!got);
        CHECK_INT(ASK("exact", cd_test_obb_obb_upright(&a, &b, (axis + 1) % 3)),
                  cd_test_obb_obb(&a, &b)); /* as a rule not upright there */
        met += got;
    }
    CHECK_SEEN(met > times / 20 && met < times - times / 20);
}

/* High ones that any one number keeps from being upright are what they are for all boxes. */
static void slanted_ones_are_not_upright(void) {
    test_rng rng = test_random();
    long differ = 0;
    for (long i = 48 + test_times(1000); i > 0; --i) {
        int axis = test_int(&rng, 0, 2), other = (axis + 1 + (int)(i & 1)) % 3;
        cd_obb a, b, upright;
        a.center = b.center = cd_vec3_make(0, 0, 0);
        a.axes = b.axes = cd_mat3_identity();
        a.half = cd_vec3_make(1, 1, 1);
        b.half = cd_vec3_make(1, 1, 1);
        REALS(a.half)[axis] = 64;
        REALS(b.center)[axis] = (cd_real)(test_int(&rng, 0, 1) ? 60 : -60);
        REALS(b.center)[other] = (cd_real)test_range(&rng, -3, 3);
        upright = a;
        if (i & 2) {
            REALS(a.axes.col[axis])[other] = (cd_real)0.0078125;
        } else {
            REALS(a.axes.col[other])[axis] = (cd_real)0.0078125;
            REALS(a.half)[axis] = 1;
            REALS(a.half)[other] = 64;
            REALS(b.center)[other] = (cd_real)(test_int(&rng, 0, 1) ? 60 : -60);
            REALS(b.center)[axis] = (cd_real)test_range(&rng, -3, 3);
        }
        note_boxes(&a, &b);
        CHECK_INT(ASK("forms", cd_test_obb_obb_upright(&a, &b, axis)), cd_test_obb_obb(&a, &b));
        CHECK_INT(ASK("forms", cd_test_obb_obb_upright(&b, &a, axis)), cd_test_obb_obb(&b, &a));
        differ += cd_test_obb_obb(&a, &b) != cd_test_obb_obb(&upright, &b);
    }
    CHECK_SEEN(differ > 0);
}

static void oriented_and_aligned_boxes(void) {
    test_rng rng = test_random();
    long times = test_times(5000), met = 0;
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_obb a = gen_obb(&g), b = cd_obb_from_aabb(gen_aabb(&g));
        cd_aabb box;
        oracle_box p = exact_box(&a), q = exact_box(&b);
        oracle_gap gap;
        bool got;
        if (!test_int(&rng, 0, 2)) edge_to_edge(&g, &a, &b);
        box.min = cd_vec3_sub(b.center, b.half);
        box.max = cd_vec3_add(b.center, b.half);
        for (int k = 0; k < 3;
             ++k) { /* the box between them, which the oracle can have exactly only in double */
            double lo = (double)REALS(box.min)[k], hi = (double)REALS(box.max)[k];
            q.center[k] = 0.5 * lo + 0.5 * hi;
            q.half[k] = 0.5 * hi - 0.5 * lo;
        }
        gap = oracle_box_box(&p, &q);
        got = ASK("exact", cd_test_obb_aabb(&a, box));
        note_boxes(&a, &b);
        if (gap.separation < -4e-16 * (double)cd_vec3_length(box.min)) CHECK(got);
        if (gap.separation > BAND * reach(&a, &b) + 4e-16 * (double)cd_vec3_length(box.min)) CHECK(!got);
        met += got;
    }
    CHECK_SEEN(met > times / 20 && met < times - times / 20);
}

/* ---- relative poses ---- */

/* The box posed in exact-enough numbers: the rotation in double. */
static oracle_box posed(const cd_obb *b, const cd_transform *pose) {
    oracle_box r = exact_box(b);
    double x = (double)pose->rotation.x, y = (double)pose->rotation.y, z = (double)pose->rotation.z,
           w = (double)pose->rotation.w, n = x * x + y * y + z * z + w * w;
    double m[3][3] = {
        {(w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n},
        {2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n},
        {2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n}};
    oracle_box out = r;
    for (int k = 0; k < 3; ++k) {
        out.center[k] = (double)REALS(pose->position)[k];
        for (int j = 0; j < 3; ++j) out.center[k] += m[k][j] * r.center[j];
        for (int i = 0; i < 3; ++i) {
            out.axis[i][k] = 0;
            for (int j = 0; j < 3; ++j) out.axis[i][k] += m[k][j] * r.axis[i][j];
        }
    }
    return out;
}

static void relative_boxes(void) {
    test_rng rng = test_random();
    long times = test_times(4000), met = 0;
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, test_int(&rng, 0, 2) ? GEN_UNIT : GEN_GRID);
        bool aligned = test_int(&rng, 0, 1) == 1;
        cd_aabb box_a = gen_aabb(&g), box_b = gen_aabb(&g);
        cd_obb a = aligned ? cd_obb_from_aabb(box_a) : gen_obb(&g),
               b = aligned ? cd_obb_from_aabb(box_b) : gen_obb(&g);
        cd_transform pose = gen_pose(&rng, 1.5);
        oracle_box p = exact_box(&a), q = posed(&b, &pose);
        oracle_gap gap = oracle_box_box(&p, &q);
        double band = 3e-14 * (reach(&a, &b) + 6);
        bool got = ASK("exact", cd_test_obb_obb_relative(&a, &b, &pose));
        note_boxes(&a, &b);
        test_note_reals("pose", REALS(pose), 7);
        if (gap.separation < -3e-15) CHECK(got);
        if (gap.separation > band) CHECK(!got);
        if (aligned) {
            if (fabs(gap.separation) > band + 4 * (double)CD_REAL_EPSILON * reach(&a, &b))
                CHECK_INT(ASK("judge", cd_test_aabb_aabb_relative(box_a, box_b, &pose)), gap.separation < 0);
        }
        met += got;
    }
    CHECK_SEEN(met > times / 20 && met < times - times / 20);
}

/* At the distance of a star, where world coordinates in cd_real could tell nothing. */
static void relative_far_away(void) {
    cd_world_pose a, b;
    cd_aabb unit = {{-1, -1, -1}, {1, 1, 1}};
    cd_sphere ball = {{0, 0, 0}, 1};
    cd_transform b_in_a;
    cd_obb box = cd_obb_from_aabb(unit);
    a.rotation = b.rotation = cd_quat_identity();
    for (int k = 0; k < 3; ++k) a.position[k] = b.position[k] = 1e11;
    for (int step = -8; step <= 8; ++step) {
        b.position[0] = a.position[0] + 2 + step / 64.0;
        b_in_a = cd_relative(&a, &b);
        CHECK_INT(ASK("exact", cd_test_aabb_aabb_relative(unit, unit, &b_in_a)), step <= 0);
        CHECK_INT(cd_test_obb_obb_relative(&box, &box, &b_in_a), step <= 0);
        CHECK_INT(cd_test_sphere_sphere_relative(ball, ball, &b_in_a), step <= 0);
    }
}

static void relative_spheres(void) {
    test_rng rng = test_random();
    for (long i = test_times(4000); i > 0; --i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_sphere a = gen_sphere(&g), b = gen_sphere(&g);
        cd_transform pose = gen_pose(&rng, 1.5);
        cd_obb point = cd_obb_from_aabb(cd_aabb_empty());
        double sum = 0, gap;
        oracle_box p;
        point.center = b.center;
        p = posed(&point, &pose);
        for (int k = 0; k < 3; ++k) {
            double d = p.center[k] - (double)REALS(a.center)[k];
            sum += d * d;
        }
        gap = sqrt(sum) - (double)a.radius - (double)b.radius;
        if (gap < -1e-15) CHECK(ASK("judge", cd_test_sphere_sphere_relative(a, b, &pose)));
        if (gap > 1e-13) CHECK(!ASK("judge", cd_test_sphere_sphere_relative(a, b, &pose)));
    }
}

/* ---- planes, segments, polygons ---- */

/* The sign of n . corner - d over the corners: which of -1, 0, 1 there are, as bits. */
static int sides_of_plane(const cd_obb *b, cd_plane plane) {
    exact_pool pool = exact_begin();
    oracle_box o = exact_box(b);
    double n[3];
    int sides = 0;
    to_doubles(REALS(plane.n), n, 3);
    for (int c = 0; c < 8; ++c) {
        exact3 p = exact3_from(o.center);
        for (int k = 0; k < 3; ++k)
            p = exact3_add(
                p, exact3_scale(exact3_from(o.axis[k]), exact_from(c & (1 << k) ? o.half[k] : -o.half[k])));
        sides |= 1 << (exact_compare(exact3_dot(p, exact3_from(n)), exact_from((double)plane.d)) + 1);
    }
    exact_end(pool);
    return sides;
}

static void planes(void) {
    test_rng rng = test_random();
    long times = test_times(8000), met = 0;
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_obb b = gen_obb(&g);
        cd_plane plane = cd_plane_from_point_normal(gen_point(&g), gen_direction(&g));
        int sides;
        double n[3], share;
        bool on, behind;
        if (test_int(&rng, 0, 1)) plane = cd_plane_from_point_normal(cd_obb_support(&b, plane.n), plane.n);
        sides = sides_of_plane(&b, plane);
        on = ASK("exact", cd_test_obb_plane(&b, plane));
        behind = ASK("exact", cd_test_obb_halfspace(&b, plane));
        test_note("");
        test_note_reals("box", REALS(b), 15);
        test_note_reals("plane", REALS(plane), 4);
        if ((sides & 2) || (sides & 5) == 5) CHECK(on);
        if (sides & 3) CHECK(behind);
        /* those that answer true are met by a plane that is moved by the band */
        to_doubles(REALS(plane.n), n, 3);
        share = 2e-14 * largest(n, 3) * (size_of(&b) + 3 * (double)cd_vec3_length(b.center)) +
                2e-14 * fabs((double)plane.d);
        if (sizeof(cd_real) == 8) {
            cd_plane lower = plane, upper = plane;
            lower.d -= (cd_real)share;
            upper.d += (cd_real)share;
            if (sides_of_plane(&b, lower) == 4) CHECK(!on || sides_of_plane(&b, upper) != 4);
            if (sides_of_plane(&b, upper) == 4) CHECK(!on && !behind);
            if (sides_of_plane(&b, lower) == 1) CHECK(!on && behind);
        }
        met += on;
    }
    CHECK_SEEN(met > times / 10 && met < times - times / 10);
}

static void segments_and_boxes(void) {
    test_rng rng = test_random();
    long times = test_times(5000), met = 0;
    for (long i = times; i > 0; --i) {
        gen g = gen_begin(&rng, (gen_kind)test_int(&rng, 0, GEN_KINDS - 1));
        cd_obb b = gen_obb(&g), large;
        cd_segment s = gen_segment(&g);
        oracle_box p, q;
        oracle_gap gap;
        double way, lo, hi;
        bool got;
        if (test_int(&rng, 0, 1)) s.b = cd_obb_support(&b, cd_vec3_sub(s.b, s.a));
        p = exact_box(&b);
        q = p;
        way = 0;
        for (int k = 0; k < 3; ++k) {
            lo = (double)REALS(s.a)[k];
            hi = (double)REALS(s.b)[k];
            q.center[k] = 0.5 * lo + 0.5 * hi;
            q.axis[0][k] = 0.5 * hi - 0.5 * lo;
            q.axis[1][k] = q.axis[2][k] = 0;
            q.half[k] = k == 0;
            way = fmax(way, fmax(fabs(lo), fabs(hi)));
        }
        gap = oracle_box_box(&p, &q);
        got = ASK("exact", cd_test_segment_obb(&s, &b));
        test_note("");
        test_note_reals("segment", REALS(s), 6);
        test_note_reals("box", REALS(b), 15);
        if (gap.overlap && gap.separation < -4e-16 * way) CHECK(got);
        large = b;
        for (int k = 0; k < 3; ++k)
            REALS(large.half)[k] += (cd_real)(1e-5 * (size_of(&b) + way + (double)cd_vec3_length(b.center)));
        p = exact_box(&large);
        if (got) CHECK(oracle_box_box(&p, &q).overlap);
        met += got;
    }
    CHECK_SEEN(met > times / 20 && met < times - times / 20);
}

static void polygons(void) {
    cd_aabb unit = {{-1, -1, -1}, {1, 1, 1}};
    cd_obb b = cd_obb_from_aabb(unit);
    cd_vec3 around[4] = {{-9, -9, 0}, {9, -9, 0}, {9, 9, 0}, {-9, 9, 0}};
    CHECK(cd_test_polygon_obb(around, 4, &b));
    CHECK(!cd_test_polygon_obb(around, 0, &b) && !cd_test_polygon_obb(NULL, 0, &b));
    CHECK(!cd_test_polygon_obb(around, 1, &b) && !cd_test_polygon_obb(around, 2, &b));
    b.center.z = (cd_real)1.001;
    CHECK(!cd_test_polygon_obb(around, 4, &b));
    b.center.z = 1;
    CHECK(cd_test_polygon_obb(around, 4, &b));
    b.center = around[1];
    CHECK(cd_test_polygon_obb(around, 2, &b) && !cd_test_polygon_obb(around, 1, &b));
}

static void bad_boxes(void) {
    cd_aabb unit = {{-1, -1, -1}, {1, 1, 1}};
    cd_obb a = cd_obb_from_aabb(unit);
    cd_transform pose = cd_transform_identity();
    for (int i = 0; i < 15; ++i) {
        for (int bad = 0; bad < 3; ++bad) {
            cd_obb b = a;
            cd_plane plane = {{1, 0, 0}, 0};
            cd_segment s = {{0, 0, 0}, {0, 0, 0}};
            if (bad == 2 && i < 12) continue;
            REALS(b)[i] = bad == 0 ? (cd_real)NAN : bad == 1 ? (cd_real)INFINITY : (cd_real)-1;
            CHECK(!ASK("bad", cd_test_obb_obb(&a, &b)) && !cd_test_obb_obb(&b, &a) &&
                  !cd_test_obb_obb_fast(&a, &b));
            CHECK(!ASK("bad", cd_test_obb_obb_upright(&a, &b, 2)) && !cd_test_obb_obb_upright(&b, &a, 2));
            CHECK(!ASK("bad", cd_test_obb_aabb(&b, unit)) && !cd_test_obb_plane(&b, plane) &&
                  !ASK("bad", cd_test_obb_halfspace(&b, plane)));
            CHECK(!ASK("bad", cd_test_obb_obb_relative(&a, &b, &pose)) &&
                  !cd_test_obb_obb_relative(&b, &a, &pose));
            CHECK(!ASK("bad", cd_test_segment_obb(&s, &b)));
        }
    }
    CHECK(!ASK("bad", cd_test_obb_aabb(&a, cd_aabb_empty())) && cd_test_obb_aabb(&a, unit));
    CHECK(ASK("bad", cd_test_obb_obb_upright(&a, &a, 7)) && cd_test_obb_obb_upright(&a, &a, -1));
    pose.position.x = (cd_real)NAN;
    CHECK(!ASK("bad", cd_test_obb_obb_relative(&a, &a, &pose)) &&
          !ASK("bad", cd_test_aabb_aabb_relative(unit, unit, &pose)));
}

static void found_by_review(void) {
    cd_obb a, b;
    cd_vec3 p[8], q[8];
    cd_plane plane;
    double tiny = sizeof(cd_real) == 4 ? 1e-36 : 1e-150;
    /* a long box along a plane, its axes a little slanted: the rounding is that of its length */
    a.center = cd_vec3_make(0, 0, 0);
    a.axes = cd_mat3_identity();
    a.axes.col[0].z = (cd_real)1e-4;
    a.half = cd_vec3_make((cd_real)1e6, 0, 0);
    plane.n = a.axes.col[2];
    plane.d = a.axes.col[0].z * a.half.x;
    CHECK(cd_test_obb_halfspace(&a, plane));
    /* apart, where triple products vanish */
    a.axes = cd_mat3_identity();
    a.half = cd_vec3_make((cd_real)tiny, (cd_real)tiny, (cd_real)tiny);
    b = a;
    b.center.x = (cd_real)(5 * tiny);
    cd_obb_to_vertices(&a, p);
    cd_obb_to_vertices(&b, q);
    CHECK(!cd_test_obb_obb_vertices(p, q));
    /* meeting and the smallest numbers: a corner in a corner */
    tiny = sizeof(cd_real) == 4 ? 1.40129846432481707e-45 : 4.94065645841246544e-324;
    b.half = a.half = cd_vec3_make((cd_real)(3 * tiny), (cd_real)(3 * tiny), (cd_real)(3 * tiny));
    b.center = cd_vec3_make((cd_real)(6 * tiny), (cd_real)(6 * tiny), (cd_real)(6 * tiny));
    CHECK(cd_test_obb_obb(&a, &b));
    CHECK(cd_test_obb_aabb(&a, cd_aabb_add_point(cd_aabb_empty(), b.half)));
}

void suite_obb(void) {
    RUN(found_by_review);
    RUN(boxes_and_boxes);
    RUN(slanted_boxes);
    RUN(small_gaps_are_seen);
    RUN(scaling_changes_nothing);
    RUN(the_least_boxes);
    RUN(boxes_beyond_the_range);
    RUN(corners_and_faces);
    RUN(upright_boxes);
    RUN(slanted_ones_are_not_upright);
    RUN(oriented_and_aligned_boxes);
    RUN(relative_boxes);
    RUN(relative_far_away);
    RUN(relative_spheres);
    RUN(planes);
    RUN(segments_and_boxes);
    RUN(polygons);
    RUN(bad_boxes);
}
