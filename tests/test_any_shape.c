/* What any shape says of itself: its box and its farthest points against closed forms of the pieces that it is made of (any_truth.h); what can
 * be asked of which types; and that user, material, child, index and offset of a part are told by every call, and masks and filters heeded. */
#include "any_things.h"
#include <math.h>
#include <string.h>

static const double eps = sizeof(cd_real) == 4 ? 1.1920928955078125e-07 : 2.220446049250313e-16;

/* ---- boxes and farthest points of convex shapes ---- */

static long double reach_of(const any_piece *p, const long double n[3]) {
    long double at[3];
    truth_farthest(&p->body, n, at);
    return n[0] * at[0] + n[1] * at[1] + n[2] * at[2] +
           p->body.radius * sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
}

static double size_of(const any_piece *p) {
    long double most = 0;
    for (int k = 0; k < 3; ++k) most = fmaxl(most, fabsl(p->center[k]) + p->reach);
    return (double)most;
}

/* Holds the body but for `off`, and is no larger than it by more than a rounding of each number, and `off`. */
static void check_box(const any_piece *p, cd_aabb box, double off) {
    test_note_reals("box", &box.min.x, 6);
    for (int k = 0; k < 3; ++k) {
        long double n[3] = {0, 0, 0};
        double lo = (double)(&box.min.x)[k], hi = (double)(&box.max.x)[k], want;
        n[k] = 1;
        want = (double)reach_of(p, n);
        CHECK(hi >= want - off && hi <= want + off + 2 * eps * fabs(want) + 1e-44);
        n[k] = -1;
        want = -(double)reach_of(p, n);
        CHECK(lo <= want + off && lo >= want - off - 2 * eps * fabs(want) - 1e-44);
    }
}

static void check_farthest(const cd_shape *s, const any_piece *p, gen *g, double off) {
    cd_vec3 dir = gen_direction(g), at;
    long double n[3], length, reach;
    n[0] = (long double)dir.x, n[1] = (long double)dir.y, n[2] = (long double)dir.z;
    length = sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
    test_note_reals("along", &dir.x, 3);
    if (!CHECK(cd_shape_support(s, dir, &at))) return;
    reach = n[0] * (long double)at.x + n[1] * (long double)at.y + n[2] * (long double)at.z;
    CHECK_NEAR((double)(reach / length), (double)(reach_of(p, n) / length), off + 2 * eps * size_of(p));
}

static bool adds_radii(uint32_t type) {
    return type == CD_SHAPE_SPHERE || type == CD_SHAPE_CAPSULE || type == CD_SHAPE_TAPERED_CAPSULE ||
           type == CD_SHAPE_LOZENGE || type == CD_SHAPE_SUPPORT;
}

/* Units that both are off: a shape whose own radius and rounding are summed, a body of the caller's in cd_real, a pose. */
static void check_convex(const any_thing *t, gen *g) {
    any_body own = any_open(&t->shape, 0), moved = any_open(&t->shape, 0);
    cd_transform at = gen_pose(g->rng, 2);
    const any_piece *p = own.piece;
    cd_aabb box;
    double size = size_of(p), off = size * 1.5e-14 + (p->body.user ? 4 * eps * size : 0);
    if (t->shape.radius > 0 && adds_radii(t->shape.type)) off += 2 * eps * (double)p->body.radius;
    test_note("%s ", cd_shape_type_name(t->shape.type));
    test_note_reals("numbers", REALS(t->shape.u), 15);
    test_note_reals("radius, offset, scale", &t->shape.radius, 5);
    box = cd_shape_aabb(&t->shape, NULL);
    check_box(p, box, off);
    check_farthest(&t->shape, p, g, off);
    any_pose(&moved, &at);
    test_note_reals("at", &at.rotation.x, 7);
    box = cd_shape_aabb(&t->shape, &at);
    check_box(moved.piece, box, off + 1e-14 * (size + size_of(moved.piece)));
    any_close(&own);
    any_close(&moved);
}

static void boxes_are_tight(void) {
    static const int hows[6] = {0, ANY_ROUND, ANY_STRETCH, ANY_SCALED, ANY_ROUND | ANY_STRETCH, 0};
    static const gen_kind kinds[4] = {GEN_UNIT, GEN_GRID, GEN_UNIT, GEN_ULP};
    test_rng rng = test_random();
    uint32_t type = (uint32_t)test_int(&rng, CD_SHAPE_POINT, CD_SHAPE_SUPPORT);
    for (long i = test_times(3000); i > 0; --i) {
        gen g = gen_begin(&rng, kinds[i % 4]);
        any_thing *t = any_draw(&g, type, hows[test_int(&rng, 0, 5)]);
        check_convex(t, &g);
        any_free(t);
        type = type == CD_SHAPE_SUPPORT ? CD_SHAPE_POINT : type + 1;
    }
}

/* What is made of parts: all of them are in the box, and none reaches beyond the farthest point. */
static void parts_are_in_the_box(void) {
    test_rng rng = test_random();
    for (long i = test_times(600); i > 0; --i) {
        gen g = gen_begin(&rng, i % 2 ? GEN_UNIT : GEN_GRID);
        any_thing *t = any_draw(&g, CD_SHAPE_MESH + (uint32_t)(i % 4), test_int(&rng, 0, 1) ? 0 : ANY_SCALED);
        any_body b = any_open(&t->shape, 0);
        cd_aabb box = cd_shape_aabb(&t->shape, NULL);
        cd_vec3 dir = gen_direction(&g), at;
        long double n[3] = {(long double)dir.x, (long double)dir.y, (long double)dir.z}, most = -HUGE_VALL;
        double size = 0, length = (double)sqrtl(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), got;
        bool endless = false;
        test_note("%s ", cd_shape_type_name(t->shape.type));
        for (int k = 0; k < b.count; ++k) endless = endless || b.piece[k].halfspace;
        for (int k = 0; k < b.count && !endless; ++k) size = fmax(size, size_of(&b.piece[k]));
        for (int k = 0; k < b.count && !endless; ++k) {
            const any_piece *p = &b.piece[k];
            for (int m = 0; m < 3; ++m) {
                long double u[3] = {0, 0, 0};
                u[m] = 1;
                CHECK((double)(&box.max.x)[m] >= (double)reach_of(p, u) - 4 * eps * size);
                u[m] = -1;
                CHECK((double)(&box.min.x)[m] <= -(double)reach_of(p, u) + 4 * eps * size);
            }
            most = fmaxl(most, reach_of(p, n));
        }
        if (endless) CHECK(!cd_shape_support(&t->shape, dir, &at));
        if (!endless && b.count && !b.unsupported && CHECK(cd_shape_support(&t->shape, dir, &at))) {
            got = (double)(n[0] * (long double)at.x + n[1] * (long double)at.y + n[2] * (long double)at.z);
            CHECK_NEAR(got / length, (double)most / length, 8 * eps * size);
        }
        if (!b.count) CHECK(cd_aabb_is_empty(box) && !cd_shape_support(&t->shape, dir, &at));
        any_close(&b);
        any_free(t);
        any_forget_meshes();
    }
}

/* ---- what can be asked ---- */

/* As cd_shape_can has it, so the calls answer. */
static void calls_answer_as_they_say(void) {
    test_rng rng = test_random();
    cd_transform at = gen_pose(&rng, 1);
    for (uint32_t i = 1; i < CD_SHAPE_TYPES; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        any_thing *t = any_draw(&g, i, 0);
        cd_mass mass;
        cd_vec3 p;
        bool endless = cd_aabb_volume(cd_shape_aabb(&t->shape, NULL)) > (cd_real)1e30;
        cd_status can = cd_shape_can(CD_CALL_MASS, i, 0), got = cd_shape_mass(&t->shape, 1, &mass);
        test_note("%s", cd_shape_type_name(i));
        CHECK_INT(ASK("judge", cd_shape_can(CD_CALL_AABB, i, 0)), CD_OK);
        CHECK_INT(ASK("judge", cd_shape_can(CD_CALL_CAST_RAY, i, 0)), CD_OK);
        if (can == CD_OK && i < CD_SHAPE_COMPOUND) CHECK_INT(got, CD_OK);
        if (can != CD_OK && i != CD_SHAPE_SUPPORT) CHECK_INT(got, can);
        CHECK_INT(ASK("judge", cd_shape_can(CD_CALL_SUPPORT, i, 0)),
                  i == CD_SHAPE_HALFSPACE ? CD_UNSUPPORTED : CD_OK);
        CHECK_INT(cd_shape_support(&t->shape, cd_vec3_make(1, 2, 3), &p), !endless);
        for (uint32_t k = 1; k < CD_SHAPE_TYPES; ++k) {
            any_thing *u = any_draw(&g, k, 0);
            cd_separation s = cd_shape_distance(&t->shape, &u->shape, &at, NULL, NULL, NULL);
            can = cd_shape_can(CD_CALL_DISTANCE, i, k);
            CHECK_INT(can, cd_shape_can(CD_CALL_DISTANCE, k, i));
            CHECK_INT(can, i == CD_SHAPE_HALFSPACE && k == i ? CD_UNSUPPORTED : CD_OK);
            if (i < CD_SHAPE_COMPOUND && k < CD_SHAPE_COMPOUND)
                CHECK(can == CD_OK ? s.status == CD_OK || s.status == CD_NOT_CONVERGED : s.status == can);
            CHECK_INT(ASK("judge", cd_shape_can(CD_CALL_TEST, i, k)), CD_OK);
            CHECK_INT(ASK("judge", cd_shape_can(CD_CALL_SWEEP, i, k)),
                      i == CD_SHAPE_HALFSPACE ? CD_UNSUPPORTED : CD_OK);
            any_free(u);
        }
        any_free(t);
        any_forget_meshes();
    }
}

/* ---- what is told of parts ---- */

/* A mesh, a field, a box and a pile of two balls in a row along x, one every ten, three wide and high; each is told by its own numbers. */
enum { ROW = 4 };
typedef struct row {
    cd_vec3 corners[3];
    uint32_t indices[3], materials[1];
    cd_bvh mesh, field;
    cd_shape ball[2], child[ROW], whole;
    any_pile pile;
    cd_placed_shape placed[ROW];
    cd_compound compound;
} row;

static void row_open(row *r, bool tree) {
    static const cd_real heights[4] = {0, 0, 0, 0};
    cd_height_view field;
    cd_bvh_options o;
    cd_mesh_view view;
    cd_sphere ball;
    cd_aabb box;
    memset(r, 0, sizeof *r);
    memset(&field, 0, sizeof field);
    memset(&o, 0, sizeof o);
    r->corners[0] = cd_vec3_make(-2, -2, 0);
    r->corners[1] = cd_vec3_make(2, -2, 0);
    r->corners[2] = cd_vec3_make(0, 2, 0);
    for (uint32_t i = 0; i < 3; ++i) r->indices[i] = i;
    r->materials[0] = 31;
    view = cd_mesh_view_make(r->corners, 3, r->indices, 1);
    CHECK_INT(cd_bvh_build_mesh(&r->mesh, &view, NULL), CD_OK);
    field.samples = heights;
    field.columns = field.rows = 2;
    field.origin = cd_vec3_make(-2, -2, 0);
    field.spacing[0] = field.spacing[1] = 4;
    field.scale = 1;
    field.up = CD_HEIGHT_Z_UP;
    CHECK_INT(cd_bvh_build_heights(&r->field, &field, NULL), CD_OK);
    box.min = cd_vec3_make(-1, -1, -1);
    box.max = cd_vec3_make(1, 1, 0);
    ball.center = cd_vec3_make(0, 0, -1);
    ball.radius = 1;
    r->ball[0] = cd_shape_of_sphere(ball);
    ball.center = cd_vec3_make(0, 0, -20);
    r->ball[1] = cd_shape_of_sphere(ball);
    for (uint32_t i = 0; i < 2; ++i) {
        uint32_t other = 1 - i; /* the upper one is the second */
        r->pile.placed[i].shape = &r->ball[other];
        r->pile.placed[i].pose = cd_transform_identity();
        r->ball[i].material = 70 + i;
        r->ball[i].layers = 1u << (8 + i);
    }
    r->pile.count = 2;
    r->child[0] = cd_shape_of_mesh(&r->mesh, r->materials);
    r->child[1] = cd_shape_of_heights(&r->field);
    r->child[2] = cd_shape_of_aabb(box);
    r->child[3] = cd_shape_of_class(&any_pile_class, &r->pile);
    for (int i = 0; i < ROW; ++i) {
        r->child[i].user = 0x1234567800000000u + (uint64_t)i;
        r->child[i].material = 10 + (uint32_t)i;
        r->child[i].layers = 1u << i;
        r->child[i].offset = (cd_real)(i + 1) / 16;
        r->placed[i].shape = &r->child[i];
        r->placed[i].pose = cd_transform_identity();
        r->placed[i].pose.position.x = (cd_real)(10 * i);
    }
    if (tree)
        CHECK_INT(ASK("judge", cd_compound_build(&r->compound, r->placed, ROW, NULL)), CD_OK);
    else
        r->compound = ASK("judge", cd_compound_of(r->placed, ROW));
    r->whole = cd_shape_of_compound(&r->compound);
}

static void row_close(row *r) {
    cd_compound_destroy(&r->compound);
    cd_bvh_destroy(&r->mesh);
    cd_bvh_destroy(&r->field);
}

static void check_part(const cd_part *p, const row *r, uint32_t child) {
    static const uint32_t material[ROW] = {31, 11, 12, 70};
    CHECK(p->user == r->child[child].user);
    CHECK_INT(p->material, material[child]);
    CHECK_INT(p->child, child);
    if (child != 1) CHECK_INT(p->index, child == 3 ? 1 : 0);
    CHECK_SAME(p->offset, r->child[child].offset);
}

typedef struct told {
    uint32_t material; /* refused */
    long asked;
} told;

static bool refuse_part(void *user, const cd_part *a, const cd_part *b) {
    told *t = (told *)user;
    ++t->asked;
    CHECK(b->user == 5 && b->child == CD_NONE && b->index == 0);
    return a->material != t->material;
}

static bool refuse_hit(void *user, uint32_t index) {
    return index != *(const uint32_t *)user;
}

/* A small ball over a child, so far above or in it; the row is A. */
static void check_calls(const row *r, uint32_t child, bool masked, bool filtered) {
    static const uint32_t material[ROW] = {31, 11, 12, 70};
    const bool none = masked || filtered;
    const double late = 8 * eps + 40 * pow(2, -38); /* of the largest coordinate */
    cd_shape ball = cd_shape_of_point(cd_vec3_make(0, 0, 0));
    cd_transform at = cd_transform_identity(), to, still = at;
    cd_shape_options o;
    cd_cast_options c;
    cd_part_pair parts;
    cd_separation s;
    cd_closest near;
    cd_manifold m[4];
    cd_motion from, rest;
    cd_impact impact;
    cd_ray ray;
    cd_hit hit;
    cd_part part;
    told t;
    size_t count;
    t.material = material[child], t.asked = 0;
    memset(&o, 0, sizeof o);
    memset(&c, 0, sizeof c);
    ball.radius = (cd_real)0.5;
    ball.user = 5;
    ball.offset = (cd_real)0.25;
    ball.layers = 1u << 20;
    at.position = cd_vec3_make((cd_real)(10 * (int)child), 0, (cd_real)0.75);
    if (masked) o.ignore_a = c.ignore_mask = child == 3 ? 1u << 8 : 1u << child;
    if (filtered) o.filter = refuse_part, o.user = &t, c.filter = refuse_hit, c.user = &child;
    test_note("child %u%s%s", child, masked ? ", masked" : "", filtered ? ", filtered" : "");
    s = cd_shape_distance(&r->whole, &ball, &at, &o, NULL, &parts);
    CHECK_INT(s.status, CD_OK);
    CHECK_INT((double)s.distance < 1, !none);
    if (!none) {
        CHECK_NEAR(s.distance, 0.25, 4 * eps);
        check_part(&parts.a, r, child);
        CHECK(parts.b.user == 5);
    }
    o.max_distance = 1;
    CHECK_INT(cd_shape_closest(&r->whole, &ball, &at, &o, &near, &parts), !none);
    if (!none) check_part(&parts.a, r, child);
    o.distance = (cd_real)0.5;
    CHECK_INT(cd_shape_test(&r->whole, &ball, &at, &o, NULL, &parts), !none);
    if (!none) check_part(&parts.a, r, child);
    /* contacts: 0.25 apart less both offsets */
    o.margin = (cd_real)0.125;
    count = cd_shape_collide(&r->whole, &ball, &at, &o, NULL, m, 4);
    CHECK_INT(count, none ? 0 : 1);
    if (!none && count) {
        check_part(&m[0].part_a, r, child);
        CHECK_NEAR(m[0].points[0].distance, 0.25 - 0.25 - (double)r->child[child].offset, 4 * eps);
        CHECK_NEAR(m[0].points[0].a.z, 0, 4 * eps);
    }
    to = at;
    to.position.z = (cd_real)-0.25;
    CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &at, &to, &from), CD_OK);
    CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &still, &still, &rest), CD_OK);
    o.distance = 0;
    impact = cd_shape_time_of_impact(&r->whole, &rest, &ball, &from, &o, &parts);
    CHECK_INT(impact.hit, !none);
    if (!none) check_part(&parts.a, r, child);
    if (!none) CHECK_NEAR(impact.t, 0.25, late);
    /* rays and sweeps: the ball moves, the row rests */
    still.position = cd_vec3_neg(at.position);
    if (filtered) c.filter = refuse_hit;
    CHECK_INT(cd_shape_sweep(&ball, cd_vec3_make(0, 0, -1), &r->whole, &still, &c, &hit, &parts), !none);
    if (!none) {
        CHECK_INT(hit.index, child);
        CHECK_NEAR(hit.t, 0.25, late);
        check_part(&parts.b, r, child);
        CHECK(parts.a.user == 5);
    }
    ray.origin = at.position;
    ray.dir = cd_vec3_make(0, 0, -3);
    CHECK_INT(cd_shape_cast_ray(&r->whole, &ray, 1, &c, &hit, &part), !none);
    if (!none) {
        CHECK_INT(hit.index, child);
        CHECK_NEAR(hit.t, 0.25, 4 * eps);
        check_part(&part, r, child);
    }
    if (filtered) CHECK(t.asked > 0);
    /* B's masks */
    o.ignore_a = 0, o.filter = NULL, o.ignore_b = 1u << 20, o.distance = 1;
    CHECK(!cd_shape_test(&r->whole, &ball, &at, &o, NULL, NULL));
    CHECK(cd_shape_collide(&r->whole, &ball, &at, &o, NULL, NULL, 0) == 0);
}

static void parts_are_told_and_passed_over(void) {
    for (int tree = 0; tree < 2; ++tree) {
        row r;
        row_open(&r, tree > 0);
        for (uint32_t child = 0; child < ROW; ++child) {
            check_calls(&r, child, false, false);
            check_calls(&r, child, true, false);
            check_calls(&r, child, false, true);
        }
        row_close(&r);
    }
}

void suite_any_shape(void) {
    RUN(boxes_are_tight);
    RUN(parts_are_in_the_box);
    RUN(calls_answer_as_they_say);
    RUN(parts_are_told_and_passed_over);
}
