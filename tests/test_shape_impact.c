/* When shapes that move and turn first touch: bit for bit cd_time_of_impact where each is of one piece; meshes, compounds and classes as the least
 * of their parts; half-spaces against samples of their poses and by closed forms; options, bad input. */
#include "gen.h"
#include <math.h>
#include <string.h>

#define EPS ((double)CD_REAL_EPSILON)

enum { SPHERE, CAPSULE, TRIANGLE, OBB, CYLINDER, HULL, KINDS };

typedef struct things {
    cd_sphere sphere;
    cd_capsule capsule;
    cd_triangle triangle;
    cd_obb obb;
    cd_cylinder cylinder;
    cd_hull hull;
    cd_shape shape[KINDS];
} things;

static void draw_things(gen *g, things *t) {
    cd_vec3 points[10];
    cd_segment rod = gen_segment(g);
    t->sphere = gen_sphere(g);
    t->capsule.a = t->cylinder.a = rod.a;
    t->capsule.b = t->cylinder.b = rod.b;
    t->capsule.radius = t->cylinder.radius = (cd_real)test_range(g->rng, 0.1, 0.5);
    t->triangle = gen_triangle(g);
    t->obb = gen_obb(g);
    for (int i = 0; i < 10; ++i) points[i] = gen_point(g);
    CHECK_INT(cd_hull3_build(&t->hull, points, 10, NULL), CD_OK);
    t->shape[SPHERE] = cd_shape_of_sphere(t->sphere);
    t->shape[CAPSULE] = cd_shape_of_capsule(&t->capsule);
    t->shape[TRIANGLE] = cd_shape_of_triangle(&t->triangle);
    t->shape[OBB] = cd_shape_of_obb(&t->obb);
    t->shape[CYLINDER] = cd_shape_of_cylinder(&t->cylinder);
    t->shape[HULL] = cd_shape_of_hull(&t->hull);
}

static cd_motion draw_motion(test_rng *rng, double apart) {
    cd_transform from = gen_pose(rng, apart), to = gen_pose(rng, apart);
    cd_motion m;
    if (!test_int(rng, 0, 4)) to.rotation = from.rotation;
    if (!test_int(rng, 0, 4)) to.position = from.position;
    CHECK_INT(cd_motion_make((cd_motion_kind)test_int(rng, 0, CD_MOTION_SCREW), &from, &to, &m), CD_OK);
    return m;
}

static bool check_same_impact(const cd_impact *a, const cd_impact *b) {
    bool same = CHECK_INT(a->status, b->status);
    same = CHECK_INT(a->hit, b->hit) && same;
    same = CHECK_SAME(a->t, b->t) && same;
    same = CHECK_SAME(a->distance, b->distance) && same;
    same = CHECK_VEC(a->normal, b->normal, 0) && same;
    same = CHECK_VEC(a->a, b->a, 0) && same;
    same = CHECK_VEC(a->b, b->b, 0) && same;
    return CHECK_INT(a->feature_a, b->feature_a) && CHECK_INT(a->feature_b, b->feature_b) && same;
}

static void single_shapes_are_as_their_supports(void) {
    test_rng rng = test_random();
    long hits = 0, all = test_times(300);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        int a = test_int(&rng, 0, KINDS - 1), b = test_int(&rng, 0, KINDS - 1);
        double apart = test_range(&rng, 1, 3);
        cd_motion ma = draw_motion(&rng, apart), mb = draw_motion(&rng, apart);
        cd_shape_options o;
        cd_impact_options want_o;
        cd_impact r, want;
        cd_part_pair parts;
        cd_support sa, sb;
        things x, y;
        draw_things(&g, &x);
        draw_things(&g, &y);
        memset(&o, 0, sizeof o);
        memset(&want_o, 0, sizeof want_o);
        if (i % 3 == 0) o.distance = want_o.distance = (cd_real)0.125;
        if (i % 4 == 0) o.tolerance = want_o.tolerance = (cd_real)0.01;
        if (i % 5 == 0) o.t_min = want_o.t_min = (cd_real)0.25;
        sa = cd_shape_as_support(&x.shape[a]);
        sb = cd_shape_as_support(&y.shape[b]);
        test_note("%ld: %d %d ", i, a, b);
        r = cd_shape_time_of_impact(&x.shape[a], &ma, &y.shape[b], &mb, &o, &parts);
        want = cd_time_of_impact(&sa, &ma, &sb, &mb, &want_o);
        check_same_impact(&r, &want);
        CHECK(r.hit ? parts.a.index == 0 : parts.a.index == CD_NONE);
        CHECK(parts.a.child == CD_NONE && parts.b.child == CD_NONE);
        hits += r.hit;
        cd_hull_destroy(&x.hull);
        cd_hull_destroy(&y.hull);
    }
    CHECK_SEEN(hits > all / 10 && hits < all);
}

/* ---- half-spaces ---- */

/* How high A's lowest point is over the plane, each at a time. */
static double height_at(const cd_shape *a, const cd_motion *ma, const cd_plane *plane, const cd_motion *mb,
                        double t) {
    cd_transform pa = cd_motion_pose(ma, (cd_real)t), pb = cd_motion_pose(mb, (cd_real)t);
    cd_plane p = cd_plane_transform(*plane, &pb);
    double length = (double)cd_vec3_length(p.n);
    cd_vec3 low = cd_vec3_make(0, 0, 0);
    CHECK(cd_shape_support(a, cd_vec3_scale(cd_transform_inverse_vector(&pa, p.n), -1), &low));
    low = cd_transform_point(&pa, low);
    return ((double)cd_vec3_dot(p.n, low) - (double)p.d) / length;
}

static void half_spaces_are_met_when_samples_are(void) {
    test_rng rng = test_random();
    long hits = 0, starts = 0, all = test_times(200);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_plane plane = cd_plane_from_point_normal(gen_point(&g), gen_direction(&g));
        cd_shape ground = cd_shape_of_halfspace(&plane);
        cd_motion ma = draw_motion(&rng, 3), mb = draw_motion(&rng, i % 2 ? 2 : 0);
        int kind = test_int(&rng, 0, KINDS - 1);
        cd_shape_options o;
        cd_impact r, back;
        double near, few = 128 * EPS + 4e-11;
        things x;
        draw_things(&g, &x);
        memset(&o, 0, sizeof o);
        if (i % 3 == 0) o.distance = (cd_real)0.25;
        near = (double)o.distance;
        test_note("%ld: %d kinds %d %d ", i, kind, (int)ma.kind, (int)mb.kind);
        test_note_reals("plane", REALS(plane), 4);
        r = cd_shape_time_of_impact(&x.shape[kind], &ma, &ground, &mb, &o, NULL);
        back = cd_shape_time_of_impact(&ground, &mb, &x.shape[kind], &ma, &o, NULL);
        CHECK_INT(r.status, CD_OK);
        CHECK(back.hit == r.hit && back.t == r.t && back.distance == r.distance);
        CHECK_VEC(back.normal, cd_vec3_scale(r.normal, -1), 0);
        CHECK_VEC(back.a, r.b, 0);
        for (int k = 0; k <= 64; ++k) {
            double t = k / 64.0;
            if (!r.hit || t < (double)r.t) CHECK(height_at(&x.shape[kind], &ma, &plane, &mb, t) > near - few);
        }
        hits += r.hit;
        starts += r.hit && r.t == 0;
        if (r.hit && r.t > 0) {
            double at = height_at(&x.shape[kind], &ma, &plane, &mb, (double)r.t);
            CHECK_NEAR(at, near, few + 64 * EPS * (double)r.t);
            CHECK_NEAR(r.distance, near, few);
        }
        if (r.hit) CHECK_NEAR((double)cd_vec3_dot(r.normal, r.normal), 1, 8 * EPS);
        if (r.hit) CHECK_NEAR((double)cd_vec3_dot(cd_vec3_sub(r.b, r.a), r.normal), (double)r.distance, few);
        cd_hull_destroy(&x.hull);
    }
    CHECK_SEEN(hits > all / 4 && starts > 0 && hits < all);
}

/* A rod that turns about its middle by a quarter, one above a floor: its end comes down to height 1/2 when sin = 1/2, a third of the way. */
static void a_rod_turns_down(void) {
    cd_segment rod = {{-1, 0, 0}, {1, 0, 0}};
    cd_plane floor_plane = {{0, 0, 1}, (cd_real)-0.5};
    cd_shape a = cd_shape_of_segment(&rod), b = cd_shape_of_halfspace(&floor_plane);
    cd_transform from = cd_transform_identity(), to = cd_transform_identity();
    cd_motion turn, still;
    cd_impact r;
    to.rotation = cd_quat_from_axis_angle(cd_vec3_make(0, 1, 0), (cd_real)1.5707963267948966);
    CHECK_INT(cd_motion_make(CD_MOTION_BOTH, &from, &to, &turn), CD_OK);
    memset(&still, 0, sizeof still);
    r = cd_shape_time_of_impact(&a, &turn, &b, &still, NULL, NULL);
    CHECK(r.hit && r.status == CD_OK);
    CHECK_NEAR(r.t, 1.0 / 3, 1e-6);
    CHECK_VEC(r.normal, cd_vec3_make(0, 0, -1), 4 * EPS);
    CHECK_VEC(r.a, cd_vec3_make((cd_real)0.8660254037844386, 0, (cd_real)-0.5), 1e-5);
    r = cd_shape_time_of_impact(&a, &still, &b, &turn, NULL, NULL); /* the floor turns the other way round */
    CHECK_NEAR(r.t, 1.0 / 3, 1e-6);
}

/* ---- parts ---- */

typedef struct ball {
    gen_mesh mesh;
    cd_bvh tree;
} ball;

static void open_ball(ball *b, test_rng *rng, int n) {
    cd_mesh_view view;
    b->mesh = gen_mesh_ball(n, 0.2, rng);
    view = gen_mesh_view(&b->mesh);
    CHECK_INT(cd_bvh_build_mesh(&b->tree, &view, NULL), CD_OK);
}

static void close_ball(ball *b) {
    cd_bvh_destroy(&b->tree);
    gen_mesh_free(&b->mesh);
}

/* The least of all triangles. */
static cd_impact least_of_mesh(const gen_mesh *mesh, const cd_motion *ma, const cd_shape *b,
                               const cd_motion *mb, const cd_impact_options *o) {
    cd_support other = cd_shape_as_support(b);
    cd_impact best;
    memset(&best, 0, sizeof best);
    best.t = 1;
    for (uint32_t i = 0; i < mesh->triangle_count; ++i) {
        cd_triangle t = gen_mesh_triangle(mesh, i);
        cd_support flat = cd_support_of_triangle(&t);
        cd_impact r = cd_time_of_impact(&flat, ma, &other, mb, o);
        if (r.hit && (!best.hit || r.t < best.t)) best = r;
    }
    return best;
}

/* Both are never late, and sharp: so they differ by little of the way, however the time was cut. */
static void check_near_impact(const cd_impact *got, const cd_impact *want) {
    CHECK_INT(got->status, CD_OK);
    if (got->hit != want->hit) {
        CHECK(fabs((double)(got->hit ? got->t : want->t) - 1) < 1e-5); /* at the end, or grazing: not seen */
        return;
    }
    CHECK_NEAR(got->t, want->t, 2e-5);
    if (!got->hit || !(got->t > 0)) return;
    CHECK_NEAR(got->distance, want->distance, 1e-5);
}

/* What moves takes its `point` from far outside to `at` of what moves by `of`, through all that is around that. */
static cd_motion draw_motion_into(test_rng *rng, const cd_motion *of, cd_vec3 at, cd_vec3 point) {
    cd_transform from = cd_motion_pose(of, 0), to = cd_motion_pose(of, 1);
    cd_motion m;
    at = cd_transform_point(&to, at);
    from.rotation = gen_quat(rng);
    from.position.x += (cd_real)(test_int(rng, 0, 1) ? 6 : -6);
    to.rotation = gen_quat(rng);
    to.position = cd_vec3_sub(at, cd_transform_vector(&to, point));
    CHECK_INT(cd_motion_make((cd_motion_kind)test_int(rng, 0, CD_MOTION_SCREW), &from, &to, &m), CD_OK);
    return m;
}

static void meshes_are_the_least_of_their_triangles(void) {
    test_rng rng = test_random();
    cd_vec3 none = {0, 0, 0};
    long hits = 0, all = test_times(40);
    ball b;
    open_ball(&b, &rng, 3);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_shape mesh = cd_shape_of_mesh(&b.tree, NULL);
        cd_motion ma = draw_motion(&rng, i % 2 ? 1 : 3), mb = draw_motion(&rng, 3);
        int kind = test_int(&rng, 0, KINDS - 1);
        cd_shape_options o;
        cd_impact_options want_o;
        cd_impact r, back, want;
        cd_part_pair parts;
        things x;
        draw_things(&g, &x);
        if (i % 2) mb = draw_motion_into(&rng, &ma, none, cd_shape_as_support(&x.shape[kind]).center);
        memset(&o, 0, sizeof o);
        memset(&want_o, 0, sizeof want_o);
        if (i % 3 == 0) o.distance = want_o.distance = (cd_real)0.125;
        if (i % 4 == 0) o.t_min = want_o.t_min = (cd_real)0.3;
        test_note("%ld: %d kinds %d %d ", i, kind, (int)ma.kind, (int)mb.kind);
        r = cd_shape_time_of_impact(&mesh, &ma, &x.shape[kind], &mb, &o, &parts);
        back = cd_shape_time_of_impact(&x.shape[kind], &mb, &mesh, &ma, &o, NULL);
        want = least_of_mesh(&b.mesh, &ma, &x.shape[kind], &mb, &want_o);
        check_near_impact(&r, &want);
        check_near_impact(&back, &want);
        if (r.hit) CHECK(parts.a.index < b.mesh.triangle_count && parts.b.index == 0);
        hits += r.hit;
        cd_hull_destroy(&x.hull);
    }
    CHECK_SEEN(hits > 0);
    close_ball(&b);
}

/* Of two meshes: against a compound of triangles, which goes another way. */
static void two_meshes_are_as_triangles(void) {
    test_rng rng = test_random();
    cd_vec3 none = {0, 0, 0};
    long hits = 0, all = test_times(50);
    ball a, b;
    cd_shape shape[12], x, y, listed;
    cd_placed_shape placed[12];
    cd_compound list;
    open_ball(&a, &rng, 1);
    open_ball(&b, &rng, 2);
    CHECK_INT(a.mesh.triangle_count, 12);
    for (uint32_t i = 0; i < 12; ++i) {
        cd_triangle t = gen_mesh_triangle(&a.mesh, i);
        shape[i] = cd_shape_of_triangle(&t);
        placed[i].shape = &shape[i];
        placed[i].pose = cd_transform_identity();
    }
    list = cd_compound_of(placed, 12);
    listed = cd_shape_of_compound(&list);
    x = cd_shape_of_mesh(&a.tree, NULL);
    y = cd_shape_of_mesh(&b.tree, NULL);
    for (long i = 0; i < all; ++i) {
        double apart = i % 2 ? 3 : 1.5;
        cd_motion ma = draw_motion(&rng, apart),
                  mb = i % 4 == 3 ? draw_motion_into(&rng, &ma, none, none) : draw_motion(&rng, apart);
        cd_part_pair p, q;
        cd_impact r = cd_shape_time_of_impact(&x, &ma, &y, &mb, NULL, &p);
        cd_impact want = cd_shape_time_of_impact(&listed, &ma, &y, &mb, NULL, &q);
        test_note("%ld: ", i);
        check_near_impact(&r, &want);
        if (r.hit) CHECK_NEAR((double)cd_vec3_dot(r.normal, r.normal), 1, 8 * EPS);
        hits += r.hit;
    }
    CHECK_SEEN(hits > 0);
    close_ball(&a);
    close_ball(&b);
}

/* A child is where its pose takes it: a sphere so displaced is a sphere. */
static void children_move_with_the_whole(void) {
    test_rng rng = test_random();
    long hits = 0, all = test_times(150);
    for (long i = 0; i < all; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        cd_shape ball_shape[3], direct, listed, built_shape, other;
        cd_placed_shape placed[3];
        cd_compound list, built;
        cd_motion ma = draw_motion(&rng, 3), mb = draw_motion(&rng, 3);
        cd_impact r[2], want;
        cd_part_pair parts[2];
        uint32_t child = 0;
        things x;
        draw_things(&g, &x);
        other = x.shape[test_int(&rng, 0, KINDS - 1)];
        memset(&want, 0, sizeof want);
        want.t = 1;
        for (uint32_t k = 0; k < 3; ++k) {
            cd_sphere s = gen_sphere(&g);
            cd_impact one;
            ball_shape[k] = cd_shape_of_sphere(s);
            placed[k].shape = &ball_shape[k];
            placed[k].pose = gen_pose(&rng, 1);
            s.center = cd_transform_point(&placed[k].pose, s.center);
            if (k == 0 && i % 2)
                mb = draw_motion_into(&rng, &ma, s.center, cd_shape_as_support(&other).center);
            direct = cd_shape_of_sphere(s);
            one = cd_shape_time_of_impact(&direct, &ma, &other, &mb, NULL, NULL);
            if (one.hit && (!want.hit || one.t < want.t)) want = one, child = k;
        }
        list = cd_compound_of(placed, 3);
        CHECK_INT(cd_compound_build(&built, placed, 3, NULL), CD_OK);
        listed = cd_shape_of_compound(&list);
        built_shape = cd_shape_of_compound(&built);
        test_note("%ld: kinds %d %d ", i, (int)ma.kind, (int)mb.kind);
        r[0] = cd_shape_time_of_impact(&listed, &ma, &other, &mb, NULL, &parts[0]);
        r[1] = cd_shape_time_of_impact(&built_shape, &ma, &other, &mb, NULL, &parts[1]);
        check_same_impact(&r[0], &r[1]);
        check_near_impact(&r[0], &want);
        if (want.hit && want.t > 0 && r[0].hit) CHECK_INT(parts[0].a.child, child);
        hits += want.hit;
        cd_compound_destroy(&built);
        cd_hull_destroy(&x.hull);
    }
    CHECK_SEEN(hits > all / 10 && hits < all);
}

/* ---- options, bad input ---- */

static bool not_first(void *user, const cd_part *a, const cd_part *b) {
    (void)user;
    (void)a;
    return b->child != 0;
}

static cd_motion moving(double x, double y, double z) {
    cd_transform from = cd_transform_identity(), to = cd_transform_identity();
    cd_motion m;
    to.position = cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
    CHECK_INT(cd_motion_make(CD_MOTION_LINEAR, &from, &to, &m), CD_OK);
    return m;
}

static void masks_and_filters(void) {
    cd_sphere s = {{0, 0, 0}, (cd_real)0.5};
    cd_shape box[2], level, ball_shape = cd_shape_of_sphere(s);
    cd_placed_shape placed[2];
    cd_compound list;
    cd_motion go = moving(10, 0, 0), still = moving(0, 0, 0);
    cd_shape_options o;
    cd_part_pair parts;
    cd_impact r;
    memset(&o, 0, sizeof o);
    for (int i = 0; i < 2; ++i) {
        cd_aabb b;
        b.min = cd_vec3_make((cd_real)(4 + 2 * i), -1, -1);
        b.max = cd_vec3_make((cd_real)(5 + 2 * i), 1, 1);
        box[i] = cd_shape_of_aabb(b);
        box[i].layers = 1u << i;
        placed[i].shape = &box[i];
        placed[i].pose = cd_transform_identity();
    }
    list = cd_compound_of(placed, 2);
    level = cd_shape_of_compound(&list);
    r = cd_shape_time_of_impact(&ball_shape, &go, &level, &still, &o, &parts);
    CHECK(r.hit && parts.b.child == 0 && fabs((double)r.t - 0.35) < 1e-6);
    o.filter = not_first;
    r = cd_shape_time_of_impact(&ball_shape, &go, &level, &still, &o, &parts);
    CHECK(r.hit && parts.b.child == 1 && fabs((double)r.t - 0.55) < 1e-6);
    o.filter = NULL;
    o.ignore_b = 1;
    r = cd_shape_time_of_impact(&ball_shape, &go, &level, &still, &o, &parts);
    CHECK(r.hit && parts.b.child == 1);
    o.ignore_b = 3;
    r = cd_shape_time_of_impact(&ball_shape, &go, &level, &still, &o, &parts);
    CHECK(!r.hit && r.status == CD_OK && r.t == 1 && parts.b.child == CD_NONE);
    ball_shape.layers = 8;
    o.ignore_b = 0;
    o.ignore_a = 8;
    CHECK(!cd_shape_time_of_impact(&ball_shape, &go, &level, &still, &o, &parts).hit);
    o.ignore_a = 0;
    o.t_min = (cd_real)0.4;
    r = cd_shape_time_of_impact(&ball_shape, &go, &level, &still, &o, &parts);
    CHECK(r.hit && parts.b.child == 0 && r.t == o.t_min && r.distance < 0);
}

static void what_cannot_be_asked(void) {
    cd_plane plane = {{0, 0, 1}, 0};
    cd_sphere s = {{0, 0, 2}, 1}, bad = {{0, 0, 2}, -1};
    cd_shape ground = cd_shape_of_halfspace(&plane), ball_shape = cd_shape_of_sphere(s);
    cd_shape wrong = cd_shape_of_sphere(bad), two[2], both;
    cd_placed_shape placed[2];
    cd_compound list;
    cd_motion go = moving(0, 0, -4), still = moving(0, 0, 0);
    cd_bvh empty;
    cd_shape none;
    cd_shape_options o;
    memset(&o, 0, sizeof o);
    memset(&empty, 0, sizeof empty);
    none = cd_shape_of_mesh(&empty, NULL);
    CHECK_INT(cd_shape_time_of_impact(&ground, &go, &ground, &still, NULL, NULL).status, CD_UNSUPPORTED);
    CHECK_INT(cd_shape_time_of_impact(&wrong, &go, &ground, &still, NULL, NULL).status, CD_INVALID_ARGUMENT);
    CHECK(cd_shape_time_of_impact(&ball_shape, &go, &ground, &still, NULL, NULL).hit);
    CHECK(!cd_shape_time_of_impact(&ball_shape, &go, &none, &still, NULL, NULL).hit);
    two[0] = ground;
    two[1] = ball_shape;
    placed[0].shape = &two[0];
    placed[1].shape = &two[1];
    placed[0].pose = placed[1].pose = cd_transform_identity();
    list = cd_compound_of(placed, 2);
    both = cd_shape_of_compound(&list);
    CHECK_INT(cd_shape_time_of_impact(&both, &go, &ground, &still, NULL, NULL).status, CD_UNSUPPORTED);
    o.distance = -1;
    CHECK_INT(cd_shape_time_of_impact(&ball_shape, &go, &ground, &still, &o, NULL).status,
              CD_INVALID_ARGUMENT);
    o.distance = 0;
    o.t_min = 2;
    CHECK_INT(cd_shape_time_of_impact(&ball_shape, &go, &ground, &still, &o, NULL).status,
              CD_INVALID_ARGUMENT);
    go.to.position.x = (cd_real)NAN;
    CHECK_INT(cd_shape_time_of_impact(&ball_shape, &go, &none, &still, NULL, NULL).status,
              CD_INVALID_ARGUMENT);
}

void suite_shape_impact(void) {
    RUN(single_shapes_are_as_their_supports);
    RUN(half_spaces_are_met_when_samples_are);
    RUN(a_rod_turns_down);
    RUN(meshes_are_the_least_of_their_triangles);
    RUN(two_meshes_are_as_triangles);
    RUN(children_move_with_the_whole);
    RUN(masks_and_filters);
    RUN(what_cannot_be_asked);
}
