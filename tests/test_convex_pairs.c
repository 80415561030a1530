/* The signed distance of two convex bodies of all kinds, judged: what is answered is proved, or it is as the references say. */
#include "convex_truth.h"
#include "gen.h"
#include <float.h>
#include <math.h>
#include <string.h>

static truth_pair pair;

/* ---- bodies of all kinds ---- */

enum { MOST_POINTS = 10 };

typedef struct body {
    cd_support support, inner;
    cd_vec3 points[MOST_POINTS];
    cd_aabb box;
    cd_obb obb;
    cd_rect rect;
    cd_disc disc;
    cd_cylinder cylinder;
    cd_cone cone;
    cd_ellipsoid ellipsoid;
    cd_tapered_capsule tapered;
    cd_kdop_set set;
    cd_kdop dop;
    cd_kdop_body kdop;
    const char *name;
} body;

/* Where and how large. */
typedef struct maker {
    gen g;
    double size, at[3], flat; /* z is scaled by `flat` once more */
} maker;

static maker maker_begin(test_rng *rng, gen_kind kind) {
    maker m;
    m.g = gen_begin(rng, kind);
    m.size = 1;
    m.flat = 1;
    memset(m.at, 0, sizeof m.at);
    return m;
}

static cd_vec3 point_of(maker *m) {
    cd_vec3 p = gen_point(&m->g);
    return cd_vec3_make((cd_real)(m->at[0] + m->size * (double)p.x),
                        (cd_real)(m->at[1] + m->size * (double)p.y),
                        (cd_real)(m->at[2] + m->size * m->flat * (double)p.z));
}

static cd_real length_of(maker *m) {
    return (cd_real)(m->size * (double)gen_length(&m->g));
}

static cd_mat3 turn_of(maker *m) {
    bool turned = m->g.kind != GEN_GRID && test_int(m->g.rng, 0, 3);
    return cd_quat_to_mat3(turned ? gen_quat(m->g.rng) : cd_quat_identity());
}

static void points_of(maker *m, body *b, int count) {
    for (int i = 0; i < count; ++i) b->points[i] = point_of(m);
    b->support = cd_support_of_points(b->points, (size_t)count);
}

static void point_body(maker *m, body *b) {
    b->support = cd_support_of_point(point_of(m));
}
static void sphere_body(maker *m, body *b) {
    cd_sphere s;
    s.center = point_of(m);
    s.radius = length_of(m);
    b->support = cd_support_of_sphere(s);
}
static void segment_body(maker *m, body *b) {
    points_of(m, b, 2);
}
static void capsule_body(maker *m, body *b) {
    points_of(m, b, 2);
    b->support.radius = length_of(m);
}
static void triangle_body(maker *m, body *b) {
    points_of(m, b, 3);
}
static void tetrahedron_body(maker *m, body *b) {
    points_of(m, b, 4);
}
static void points_body(maker *m, body *b) {
    points_of(m, b, test_int(m->g.rng, 5, MOST_POINTS));
}
static void rounded_body(maker *m, body *b) {
    points_of(m, b, test_int(m->g.rng, 3, 8));
    b->support = cd_support_rounded(&b->support, length_of(m));
}
static void aabb_body(maker *m, body *b) {
    cd_vec3 p = point_of(m), q = point_of(m);
    b->box.min = cd_vec3_min(p, q);
    b->box.max = cd_vec3_max(p, q);
    b->support = cd_support_of_aabb(&b->box);
}
static void obb_body(maker *m, body *b) {
    b->obb.center = point_of(m);
    b->obb.axes = turn_of(m);
    for (int k = 0; k < 3; ++k) REALS(b->obb.half)[k] = length_of(m);
    b->support = cd_support_of_obb(&b->obb);
}
static void rect_body(maker *m, body *b) {
    cd_mat3 axes = turn_of(m);
    b->rect.a = point_of(m);
    for (int k = 0; k < 2; ++k) b->rect.edge[k] = cd_vec3_scale(axes.col[k], length_of(m));
    b->support = cd_support_of_rect(&b->rect);
}
static void lozenge_body(maker *m, body *b) {
    rect_body(m, b);
    b->support = cd_support_rounded(&b->support, length_of(m));
}
static bool same_point(cd_vec3 p, cd_vec3 q) {
    return p.x == q.x && p.y == q.y && p.z == q.z;
}
static void disc_body(maker *m, body *b) {
    b->disc.center = point_of(m);
    b->disc.normal = gen_direction(&m->g);
    b->disc.radius = length_of(m);
    b->support = cd_support_of_disc(&b->disc);
}
static void cylinder_body(maker *m, body *b) {
    b->cylinder.a = point_of(m);
    do b->cylinder.b = point_of(m);
    while (same_point(b->cylinder.a, b->cylinder.b));
    b->cylinder.radius = length_of(m);
    b->support = cd_support_of_cylinder(&b->cylinder);
}
static void cone_body(maker *m, body *b) {
    b->cone.apex = point_of(m);
    do b->cone.base = point_of(m);
    while (same_point(b->cone.apex, b->cone.base));
    b->cone.radius = length_of(m);
    b->support = cd_support_of_cone(&b->cone);
}
static void ellipsoid_body(maker *m, body *b) {
    b->ellipsoid.center = point_of(m);
    b->ellipsoid.axes = turn_of(m);
    for (int k = 0; k < 3; ++k) REALS(b->ellipsoid.half)[k] = length_of(m);
    b->support = cd_support_of_ellipsoid(&b->ellipsoid);
}

/* A body of the caller's own: points, asked one after another. */
static uint32_t farthest_of_user(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    const cd_support *s = (const cd_support *)user;
    const cd_vec3 *p = (const cd_vec3 *)s->shape;
    uint32_t best = 0;
    (void)hint;
    for (uint32_t i = 1; i < s->count; ++i) {
        double x = (double)dir.x * ((double)p[i].x - (double)p[best].x) +
                   (double)dir.y * ((double)p[i].y - (double)p[best].y) +
                   (double)dir.z * ((double)p[i].z - (double)p[best].z);
        if (x > 0) best = i;
    }
    *out = p[best];
    return best;
}

static void user_body(maker *m, body *b) {
    points_of(m, b, 6);
    b->inner = b->support;
    b->support = cd_support_of_function(farthest_of_user, &b->inner, b->points[0], 0);
}

static void tapered_body(maker *m, body *b) {
    b->tapered.a = point_of(m);
    b->tapered.b = point_of(m);
    b->tapered.radius_a = length_of(m);
    b->tapered.radius_b = test_int(m->g.rng, 0, 3) ? length_of(m) : 0;
    b->support = cd_support_of_tapered_capsule(&b->tapered);
}

/* Around points; some planes are farther out, so that they do not touch it. Sets that are turned have planes that meet in nearly one line:
 * there with some thickness, so that the reference can tell where. */
static void kdop_body(maker *m, body *b) {
    static const uint32_t ks[7] = {6, 8, 12, 14, 18, 20, 26};
    test_rng *rng = m->g.rng;
    cd_quat turn = gen_quat(rng);
    cd_real thick = 0;
    bool turned = m->g.kind != GEN_WIDE && test_int(rng, 0, 1);
    b->set = cd_kdop_set_standard(ks[test_int(rng, 0, 6)]);
    if (turned) b->set = cd_kdop_set_rotate(&b->set, turn);
    points_of(m, b, test_int(rng, 1, 8));
    CHECK_INT(cd_kdop_from_points(b->points, b->support.count, &b->set, &b->dop), CD_OK);
    for (uint32_t i = 0; i < b->dop.count && turned; ++i)
        thick = (cd_real)fmax((double)thick, fmax((double)b->dop.max[i], -(double)b->dop.min[i]));
    for (uint32_t i = 0; i < b->dop.count; ++i) {
        b->dop.max[i] += thick * (cd_real)0.015625;
        if (test_int(rng, 0, 3) == 0) b->dop.max[i] += length_of(m);
    }
    b->kdop.dop = &b->dop;
    b->kdop.set = &b->set;
    b->support = cd_support_of_kdop(&b->kdop);
}

static cd_real factor_of(maker *m) {
    test_rng *rng = m->g.rng;
    bool whole = m->g.kind == GEN_GRID || m->g.kind == GEN_ULP;
    double x = whole ? test_int(rng, 1, 3) : pow(10, test_range(rng, -1, 1));
    return (cd_real)(test_int(rng, 0, 2) ? x : -x);
}

static void stretch_body(maker *m, body *b) {
    cd_vec3 by;
    by.x = factor_of(m);
    by.y = test_int(m->g.rng, 0, 3) ? factor_of(m) : by.x;
    by.z = test_int(m->g.rng, 0, 3) ? factor_of(m) : by.x;
    b->support = cd_support_scaled(&b->support, by);
}

enum { KINDS = 17, CORNER_KINDS = 13 }; /* those that are not stretched */
static void make_any(maker *m, body *b, int kind);

static void stretched_corners(maker *m, body *b) {
    make_any(m, b, test_int(m->g.rng, 0, CORNER_KINDS - 1));
    stretch_body(m, b);
}

static void stretched_body(maker *m, body *b) {
    make_any(m, b, test_int(m->g.rng, CORNER_KINDS, KINDS + 1));
    stretch_body(m, b);
}

static const struct body_kind {
    const char *name;
    void (*make)(maker *m, body *b);
    bool corners;
} body_kinds[] = {
    {"point", point_body, true},
    {"sphere", sphere_body, true},
    {"segment", segment_body, true},
    {"capsule", capsule_body, true},
    {"triangle", triangle_body, true},
    {"tetrahedron", tetrahedron_body, true},
    {"points", points_body, true},
    {"rounded", rounded_body, true},
    {"aabb", aabb_body, true},
    {"obb", obb_body, true},
    {"rect", rect_body, true},
    {"lozenge", lozenge_body, true},
    {"user", user_body, true},
    {"disc", disc_body, false},
    {"cylinder", cylinder_body, false},
    {"cone", cone_body, false},
    {"ellipsoid", ellipsoid_body, false},
    {"tapered capsule", tapered_body, false},
    {"k-DOP", kdop_body, false},
    {"stretched corners", stretched_corners, true},
    {"stretched", stretched_body, false},
};
enum { ALL_KINDS = (int)(sizeof body_kinds / sizeof *body_kinds) };

static void make_any(maker *m, body *b, int kind) {
    b->name = body_kinds[kind].name;
    body_kinds[kind].make(m, b);
}

static void make_body(maker *m, body *b, int kind) {
    memset(b, 0, sizeof *b);
    make_any(m, b, kind);
}

static void note_body(const char *name, const body *b) {
    const cd_support *s = b->support.kind == CD_SUPPORT_USER ? &b->inner : &b->support;
    int n = 0;
    switch (s->kind) {
    case CD_SUPPORT_POINTS: n = 3 * (int)s->count; break;
    case CD_SUPPORT_AABB: n = 6; break;
    case CD_SUPPORT_OBB: n = 15; break;
    case CD_SUPPORT_RECT: n = 9; break;
    case CD_SUPPORT_ELLIPSOID: n = 15; break;
    case CD_SUPPORT_TAPERED: n = 8; break;
    default: n = 7; break;
    }
    test_note_reals("scale", &s->scale.x, 3);
    if (s->kind == CD_SUPPORT_KDOP) {
        test_note_reals("axes", &b->set.axis[0].x, 3 * (int)b->set.count);
        test_note_reals("min", b->dop.min, (int)b->dop.count);
        test_note_reals("max", b->dop.max, (int)b->dop.count);
    } else if (s->kind == CD_SUPPORT_POINT)
        test_note_reals(name, &s->center.x, 3);
    else
        test_note_reals(name, (const cd_real *)s->shape, n);
    test_note_reals("radius", &s->radius, 1);
}

static void note_pair(const body *a, const body *b, const cd_transform *pose) {
    test_note("%s and %s", a->name, b->name);
    note_body("a", a);
    note_body("b", b);
    if (pose) test_note_reals("pose", &pose->rotation.x, 7);
}

/* ---- farthest points ---- */

/* A direction of any kind: some nearly along an axis of the body, where nothing is left of them across it. */
static cd_vec3 direction_for(maker *m, const body *b) {
    cd_vec3 d = gen_direction(&m->g), axis = gen_direction(&m->g);
    cd_real off = (cd_real)pow(10, -test_range(m->g.rng, 0, 18));
    if (b->support.kind == CD_SUPPORT_CYLINDER) axis = cd_vec3_sub(b->cylinder.b, b->cylinder.a);
    if (b->support.kind == CD_SUPPORT_CONE) axis = cd_vec3_sub(b->cone.apex, b->cone.base);
    if (b->support.kind == CD_SUPPORT_DISC) axis = b->disc.normal;
    if (b->support.kind == CD_SUPPORT_OBB) axis = b->obb.axes.col[0];
    if (test_int(m->g.rng, 0, 1)) return d;
    return cd_vec3_add(axis, cd_vec3_scale(d, off));
}

/* In the body, and none is farther. */
static void check_farthest_along(const body *a, cd_vec3 dir) {
    cd_support origin = cd_support_of_point(cd_vec3_make(0, 0, 0));
    cd_vec3 p = ASK("judge", cd_support_farthest(&a->support, dir));
    double n[3], at[3], most, margin, x = 0, size = 0;
    note_pair(a, a, NULL);
    test_note_reals("dir", &dir.x, 3);
    truth_open(&pair, &a->support, &origin, NULL);
    to_doubles(&dir.x, n, 3);
    to_doubles(&p.x, at, 3);
    most = -(double)truth_along(&pair, n);
    margin = (double)(pair.reach * pair.unit) * 4 * (double)CD_REAL_EPSILON;
    for (int k = 0; k < 3; ++k) size = fmax(size, fabs(n[k]));
    for (int k = 0; k < 3; ++k) n[k] /= size;
    size = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    for (int k = 0; k < 3; ++k) x += at[k] * n[k] / size;
    CHECK_NEAR(x, most, margin);
    CHECK(truth_holds(&pair, &pair.a, at, margin));
}

/* Of a cone far wider than it is high, along the axis but for the last digits: by these the rim is farther than the apex. */
static void the_rim_of_a_flat_cone(void) {
    body a;
    memset(&a, 0, sizeof a);
    a.name = "cone";
    a.cone.apex = cd_vec3_make(0, (cd_real)0x1.e1ec585eee4c8p-9, 0);
    a.cone.base = cd_vec3_make((cd_real)0x1.aed3b6320c2a4p+41, 0, 0);
    a.cone.radius = (cd_real)0x1.9c529890ff1d9p+105;
    a.support = cd_support_of_cone(&a.cone);
    check_farthest_along(&a,
                         cd_vec3_make((cd_real)-0x1.7f7d04d65516ep+0, 0, (cd_real)-0x1.8c061b70ede2cp-62));
}

static void check_farthest(int first, int end, long times) {
    test_rng rng = test_random();
    for (long i = times; i > 0; --i) {
        maker m = maker_begin(&rng, (gen_kind)(i % GEN_KINDS));
        body a;
        cd_vec3 dir;
        make_body(&m, &a, test_int(&rng, first, end - 1));
        dir = direction_for(&m, &a);
        if (cd_vec3_length(dir) > 0) check_farthest_along(&a, dir);
    }
}

static void farthest_points(void) {
    check_farthest(0, KINDS, test_times(2000));
}

static void farthest_points_of_others(void) {
    check_farthest(KINDS, ALL_KINDS, test_times(800));
}

/* ---- what is asked ---- */

typedef struct tally {
    int apart, deep, touching, not_ok, open, askew;
    bool wide; /* coordinates from 2^-150 to 2^150 */
} tally;

static bool is_curved(const cd_support *s) {
    return (s->kind >= CD_SUPPORT_DISC && s->kind <= CD_SUPPORT_ELLIPSOID) || s->kind == CD_SUPPORT_TAPERED;
}

/* Curved bodies may have rings of ways out that are nearly alike, for which the search ends before all is proved: what is left is small, but
 * where the bodies' sizes are beyond doubles. */
static bool may_stay_open(const body *a, const body *b, const cd_separation *s, const tally *t) {
    bool curved = is_curved(&a->support) || is_curved(&b->support);
    return curved && s->distance < 0 && (t->wide || s->gap <= (cd_real)1e-4 * -s->distance);
}

/* Round bodies about each other, of which one is stretched: the valley of ways out along the sides is no circle of any frame, but the search
 * goes by circles, and may be ended before its second round. Then the gap is what the first one leaves, that goes down to 2^-8 of the size;
 * see epa.h. The answer is compared with the reference, and such pairs are few. */
static bool may_be_askew(const body *a, const body *b, const cd_separation *s) {
    bool stretched = a->support.scale.x != 0 || b->support.scale.x != 0;
    return stretched && is_curved(&a->support) && is_curved(&b->support) && s->distance < 0 &&
           (double)s->gap <= ldexp((double)(pair.reach * pair.unit), -8);
}

static void count_one(tally *t, const cd_separation *s, bool loose, bool askew) {
    if (s->status != CD_OK) ++*(loose ? &t->open : askew ? &t->askew : &t->not_ok);
    if (s->distance > s->gap)
        ++t->apart;
    else if (s->distance < -s->gap)
        ++t->deep;
    else
        ++t->touching;
}

/* No coordinate is larger. */
static double largest_of(const truth_pair *p) {
    double most = 0;
    for (int k = 0; k < 3; ++k) most = fmax(most, fabs(p->origin[k]));
    return most + (double)(p->reach * p->unit);
}

/* All queries agree about one pair; with `known` the truth is asked, too. */
static void check_pair(const body *a, const body *b, const cd_transform *pose, bool known, tally *t) {
    cd_separation s, g, e;
    double apart, sum;
    truth real;
    bool meet, loose, askew;
    note_pair(a, b, pose);
    truth_open(&pair, &a->support, &b->support, pose);
    s = ASK("judge", cd_convex_distance(&a->support, &b->support, pose, NULL, NULL));
    loose = may_stay_open(a, b, &s, t);
    askew = s.status != CD_OK && !loose && may_be_askew(a, b, &s);
    count_one(t, &s, loose, askew);
    loose = loose || askew;
    if (!truth_judge(&pair, &s, loose)) return;
    e = cd_epa(&a->support, &b->support, pose, NULL, NULL);
    if (s.distance <= s.gap) truth_judge(&pair, &e, loose);
    g = ASK("judge", cd_gjk_distance(&a->support, &b->support, pose, NULL, NULL));
    apart = fmax((double)s.distance, 0);
    sum = (double)s.gap + (double)g.gap + (double)(pair.reach * pair.unit) * DBL_EPSILON * 8;
    CHECK_NEAR(fmax((double)g.distance, 0), apart, sum);
    if (s.distance > s.gap) truth_judge(&pair, &g, false);
    meet = ASK("judge", cd_gjk_test(&a->support, &b->support, pose, NULL));
    sum = fmax(sum, ldexp(largest_of(&pair), -43)); /* no farther apart, they may count as touching */
    if ((double)s.distance > sum) CHECK(!meet);
    if ((double)s.distance < -sum) CHECK(meet);
    if (!known && !askew) return;
    real = truth_of(&pair);
    truth_judge_against(&pair, &s, &real);
}

/* The first is of the kinds from `first` on. */
static void check_random(test_rng *rng, maker *m, maker *n, int first, int end, long i, tally *t) {
    body a, b;
    cd_transform pose = gen_pose(rng, 2 * n->g.scale * fmax(m->size, n->size));
    int ka = test_int(rng, first, end - 1), kb = test_int(rng, 0, end - 1);
    bool posed = test_int(rng, 0, 2) == 0 && n->g.kind != GEN_WIDE, known;
    make_body(m, &a, ka);
    make_body(n, &b, kb);
    known = body_kinds[ka].corners && body_kinds[kb].corners ? i % 8 == 0 : i % 32 == 0;
    check_pair(&a, &b, posed ? &pose : NULL, known, t);
}

static void one_of_all_kinds(test_rng *rng, int first, int end, long i, tally *t) {
    maker m = maker_begin(rng, (gen_kind)(i % GEN_KINDS)), n = m;
    if (i % 7 == 0) n.at[0] = 3 * m.g.scale;
    t->wide = m.g.kind == GEN_WIDE;
    check_random(rng, &m, &n, first, end, i, t);
}

static void pairs_of_all_kinds(void) {
    test_rng rng = test_random();
    tally t = {0, 0, 0, 0, 0, 0, false};
    for (long i = test_times(3000); i > 0; --i) one_of_all_kinds(&rng, 0, KINDS, i, &t);
    CHECK_SEEN(t.apart > 20 && t.deep > 20 && t.touching > 1);
    CHECK(t.open <= 1 + test_times(3000) / 100);
    CHECK_INT(t.not_ok, 0);
}

/* A curved body's last face is less far than the farthest point along it: more than rounding, and less than what ends the search. */
static void a_segment_deep_in_a_cone(void) {
    tally t = {0, 0, 0, 0, 0, 0, false};
    body a, b;
    memset(&a, 0, sizeof a);
    memset(&b, 0, sizeof b);
    a.name = "cone";
    a.cone.apex = cd_vec3_make((cd_real)-0x1.6313d12df0438p-2, (cd_real)0x1.43edb7d2e6e6p-3,
                               (cd_real)0x1.92c80b1f9be8cp+0);
    a.cone.base = cd_vec3_make((cd_real)-0x1.ec2de7b4807bp-2, (cd_real)0x1.829d900b26398p+0,
                               (cd_real)-0x1.1816804c649e4p+0);
    a.cone.radius = (cd_real)0x1.b4871faf22c8dp+0;
    a.support = cd_support_of_cone(&a.cone);
    b.name = "segment";
    b.points[0] = cd_vec3_make((cd_real)-0x1.9804e26ba0afep+0, (cd_real)0x1.e0819f83c86b8p-2,
                               (cd_real)0x1.751adadbbd71cp-1);
    b.points[1] = cd_vec3_make((cd_real)-0x1.e4a6503f6691p-3, (cd_real)0x1.229bdda3b2414p-1,
                               (cd_real)-0x1.ee2589744856p+0);
    b.support = cd_support_of_points(b.points, 2);
    check_pair(&a, &b, NULL, true, &t);
    CHECK_INT(t.deep, 1);
}

/* From a million times larger to a million times smaller. */
static void one_of_other_size(test_rng *rng, int first, int end, long i, tally *t) {
    maker m = maker_begin(rng, GEN_UNIT), n = m;
    n.size = pow(10, test_range(rng, -6, 6));
    for (int k = 0; k < 3; ++k) n.at[k] = test_range(rng, -1, 1) * fmax(1, n.size);
    check_random(rng, &m, &n, first, end, i, t);
}

static void sizes_far_from_each_other(void) {
    test_rng rng = test_random();
    tally t = {0, 0, 0, 0, 0, 0, false};
    for (long i = test_times(600); i > 0; --i) one_of_other_size(&rng, 0, KINDS, i, &t);
    CHECK_SEEN(t.apart > 5 && t.deep > 0);
    CHECK_INT(t.not_ok, 0);
}

/* Plates, needles, and both at once. */
static void one_that_is_thin(test_rng *rng, int first, int end, long i, tally *t) {
    maker m = maker_begin(rng, GEN_UNIT), n = m;
    m.flat = pow(10, -test_range(rng, 1, 7));
    n.flat = test_int(rng, 0, 1) ? m.flat : 1;
    n.at[2] = test_range(rng, -2, 2) * m.flat;
    check_random(rng, &m, &n, first, end, i, t);
}

static void thin_bodies(void) {
    test_rng rng = test_random();
    tally t = {0, 0, 0, 0, 0, 0, false};
    for (long i = test_times(600); i > 0; --i) one_that_is_thin(&rng, 0, KINDS, i, &t);
    CHECK_INT(t.not_ok, 0);
}

/* Small whole numbers: shared faces, edges, corners, coplanar, parallel, coincident and nested ones. Corners, so all is known. */
static void one_on_a_grid(test_rng *rng, int kind, long i, tally *t) {
    maker m = maker_begin(rng, (gen_kind)(i % 4 ? GEN_GRID : GEN_ULP)), n = m;
    body a, b;
    int ka = test_int(rng, 0, CORNER_KINDS - 1), kb = test_int(rng, 0, CORNER_KINDS - 1);
    if (kind) ka = kind;
    n.at[0] = test_int(rng, 0, 3);
    make_body(&m, &a, ka);
    make_body(&n, &b, kb);
    check_pair(&a, &b, NULL, true, t);
}

static void touching_on_a_grid(void) {
    test_rng rng = test_random();
    tally t = {0, 0, 0, 0, 0, 0, false};
    for (long i = test_times(400); i > 0; --i) one_on_a_grid(&rng, 0, i, &t);
    CHECK_SEEN(t.apart + t.deep > 3);
    CHECK_INT(t.not_ok, 0);
}

/* A body and itself, or its copy a little off. */
static void one_and_its_copy(test_rng *rng, int first, int end, long i, tally *t) {
    maker m = maker_begin(rng, (gen_kind)(i % 3 ? GEN_UNIT : GEN_GRID));
    body a;
    cd_transform pose = cd_transform_identity();
    make_body(&m, &a, test_int(rng, first, end - 1));
    if (i % 2) {
        double off = pow(10, -test_range(rng, 0, 9));
        for (int k = 0; k < 3; ++k) REALS(pose.position)[k] = (cd_real)(test_range(rng, -1, 1) * off);
        if (i % 4 == 1) pose.rotation.z = (cd_real)off; /* nearly parallel */
    }
    check_pair(&a, &a, i % 2 ? &pose : NULL, i % 16 == 0, t);
}

static void a_body_and_its_copy(void) {
    test_rng rng = test_random();
    tally t = {0, 0, 0, 0, 0, 0, false};
    for (long i = test_times(300); i > 0; --i) one_and_its_copy(&rng, 0, KINDS, i, &t);
    CHECK_INT(t.not_ok, 0);
}

/* Tapered capsules, k-DOPs, and what is stretched, against all kinds. */
static void tapered_kdops_and_stretched(void) {
    test_rng rng = test_random();
    tally t = {0, 0, 0, 0, 0, 0, false};
    long count = test_times(1200);
    for (long i = count; i > 0; --i) {
        bool wide = i < 0; /* beyond what products of doubles hold */
        one_of_all_kinds(&rng, KINDS, ALL_KINDS, wide ? (long)GEN_UNIT : i, &t);
        t.wide = false;
        if (i % 4 == 0) one_of_other_size(&rng, KINDS, ALL_KINDS, i, &t);
        if (i % 4 == 1) one_that_is_thin(&rng, KINDS, ALL_KINDS, i, &t);
        if (i % 4 == 2) one_on_a_grid(&rng, KINDS + 2, i / 4, &t);
        if (i % 8 == 3) one_and_its_copy(&rng, KINDS, ALL_KINDS, i / 8, &t);
    }
    CHECK_SEEN(t.apart > 20 && t.deep > 20 && t.touching > 1);
    CHECK(t.open <= 1 + count / 16);
    CHECK(t.askew <= 1 + count / 400);
    CHECK_INT(t.not_ok, 0);
}

/* ---- swapped, and with a memory ---- */

static double apart_of(const cd_separation *s, const cd_separation *t) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) {
        double d = (double)(&s->normal.x)[k] + (double)(&t->normal.x)[k];
        sum += d * d;
    }
    return sqrt(sum);
}

static void swapped_it_is_the_same(void) {
    test_rng rng = test_random();
    for (long i = test_times(400); i > 0; --i) {
        maker m = maker_begin(&rng, (gen_kind)(i % GEN_KINDS)), n = m;
        body a, b;
        cd_separation s, t;
        double off;
        int ka = test_int(&rng, 0, KINDS - 1), kb = test_int(&rng, 0, KINDS - 1);
        make_body(&m, &a, ka);
        make_body(&n, &b, kb);
        note_pair(&a, &b, NULL);
        truth_open(&pair, &a.support, &b.support, NULL);
        s = cd_convex_distance(&a.support, &b.support, NULL, NULL, NULL);
        t = ASK("swap", cd_convex_distance(&b.support, &a.support, NULL, NULL, NULL));
        off = (double)s.gap + (double)t.gap + (double)(pair.reach * pair.unit) * 8 * DBL_EPSILON;
        CHECK_NEAR(s.distance, t.distance, off);
        /* nearest points apart are the only ones; two ways as long within the gaps part by their root */
        if ((double)s.distance > 0.1 * (double)(pair.reach * pair.unit))
            CHECK_NEAR(apart_of(&s, &t), 0, 1e-5 + 4 * sqrt(off / (double)s.distance));
    }
}

static cd_transform orbit(const cd_transform *from, const cd_vec3 *step, cd_quat turn, int i) {
    cd_transform t = *from;
    cd_quat q = turn;
    q.x *= (cd_real)i;
    q.y *= (cd_real)i;
    q.z *= (cd_real)i;
    t.rotation = cd_quat_normalize(cd_quat_mul(q, from->rotation));
    t.position = cd_vec3_add(from->position, cd_vec3_scale(*step, (cd_real)i));
    return t;
}

/* Frame by frame the memory helps; it never changes an answer beyond the gap. */
static void memory_is_only_a_hint(void) {
    test_rng rng = test_random();
    int frames = test_is_small() ? 20 : 200;
    for (long i = test_times(20); i > 0; --i) {
        maker m = maker_begin(&rng, GEN_UNIT), n = m;
        body a, b;
        cd_cache memory, other, third;
        cd_transform from = gen_pose(&rng, 2), pose;
        cd_vec3 step = cd_vec3_scale(from.position, (cd_real)(-2.0 / frames));
        cd_quat turn = gen_quat(&rng);
        int ka = test_int(&rng, 0, KINDS - 1), kb = test_int(&rng, 0, KINDS - 1);
        for (int k = 0; k < 3; ++k) REALS(turn)[k] /= (cd_real)frames;
        turn.w = 1;
        memset(&memory, 0, sizeof memory);
        memset(&other, 0, sizeof other);
        make_body(&m, &a, ka);
        make_body(&n, &b, kb);
        for (int k = 0; k < frames; ++k) {
            cd_separation cold, warm, gjk;
            double off;
            bool meet;
            pose = orbit(&from, &step, turn, k);
            note_pair(&a, &b, &pose);
            if (k % 16 == 7)
                for (int w = 0; w < 8; ++w)
                    memory.words[w] = (uint32_t)test_next(&rng) >> test_int(&rng, 0, 31);
            third = memory;
            cold = cd_convex_distance(&a.support, &b.support, &pose, NULL, NULL);
            warm = ASK("forms", cd_convex_distance(&a.support, &b.support, &pose, NULL, &memory));
            off = (double)cold.gap + (double)warm.gap + 64 * DBL_EPSILON;
            CHECK_NEAR(warm.distance, cold.distance, off);
            CHECK_INT(warm.status, CD_OK);
            gjk = ASK("forms", cd_gjk_distance(&a.support, &b.support, &pose, NULL, &third));
            CHECK_NEAR(fmax((double)gjk.distance, 0), fmax((double)cold.distance, 0), off + (double)gjk.gap);
            meet = ASK("forms", cd_gjk_test(&a.support, &b.support, &pose, &other));
            if (fabs((double)cold.distance) > off) CHECK_INT(meet, cold.distance < 0);
            if (k % 10) continue;
            truth_open(&pair, &a.support, &b.support, &pose);
            truth_judge(&pair, &warm, false);
        }
    }
}

void suite_convex_pairs(void) {
    RUN(the_rim_of_a_flat_cone);
    RUN(farthest_points);
    RUN(pairs_of_all_kinds);
    RUN(a_segment_deep_in_a_cone);
    RUN(sizes_far_from_each_other);
    RUN(thin_bodies);
    RUN(touching_on_a_grid);
    RUN(a_body_and_its_copy);
    RUN(farthest_points_of_others);
    RUN(tapered_kdops_and_stretched);
    RUN(swapped_it_is_the_same);
    RUN(memory_is_only_a_hint);
}
