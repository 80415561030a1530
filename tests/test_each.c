/* Each one of a few: every face, axis, sign, flag and option once, and what bad ones give, where random inputs hardly tell which of
 * them was taken. */
#include "parts.h"

#include "gen.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EPS  ((double)CD_REAL_EPSILON)
#define MOST ((double)CD_REAL_MAX)

static cd_vec3 at(double x, double y, double z) {
    return cd_vec3_make((cd_real)x, (cd_real)y, (cd_real)z);
}

static cd_real to_real(double x) {
    return (cd_real)x;
}

/* ---- boxes of doubles ---- */

/* Wherever it lies: the box in the frame at a pose holds all corners, and reaches to one on each side. */
static void boxes_taken_into_a_frame(void) {
    test_rng rng = test_random();
    for (long n = 8 + test_times(100); n > 0; --n) {
        cd_transform place = gen_pose(&rng, 2.0);
        cdi_pose pose = cdi_pose_of(&place);
        cdi_wide_box box, got;
        double lo[3], hi[3], least[3] = {1e9, 1e9, 1e9}, most[3] = {-1e9, -1e9, -1e9};
        for (int k = 0; k < 3; ++k) {
            lo[k] = (n >> k & 1 ? -6 : 4) + test_unit(&rng);
            hi[k] = lo[k] + test_range(&rng, 0.01, 0.9);
        }
        box.lo = cdi_v3_make(lo[0], lo[1], lo[2]);
        box.hi = cdi_v3_make(hi[0], hi[1], hi[2]);
        got = box;
        cdi_wide_box_unpose(&got, &pose);
        for (int i = 0; i < 8; ++i) {
            cdi_v3 p = cdi_v3_make(i & 1 ? hi[0] : lo[0], i & 2 ? hi[1] : lo[1], i & 4 ? hi[2] : lo[2]);
            p = cdi_m3_tmul_v3(&pose.rotation, cdi_v3_sub(p, pose.position));
            for (int k = 0; k < 3; ++k) {
                least[k] = fmin(least[k], cdi_v3_get(p, k));
                most[k] = fmax(most[k], cdi_v3_get(p, k));
            }
        }
        for (int k = 0; k < 3; ++k) {
            CHECK(cdi_v3_get(got.lo, k) <= least[k] + 1e-15 && cdi_v3_get(got.hi, k) >= most[k] - 1e-15);
            CHECK_NEAR(cdi_v3_get(got.lo, k), least[k], 1e-6);
            CHECK_NEAR(cdi_v3_get(got.hi, k), most[k], 1e-6);
        }
    }
}

/* By the length, and by four units of each of its numbers, on both sides. */
static void boxes_that_grow(void) {
    static const double by[3] = {0, 0.25, -1};
    for (int i = 0; i < 3; ++i) {
        cd_aabb box = {{-5, 3, -1}, {-2, 4, 7}}, got = cdi_aabb_grown(box, by[i]);
        double more = fmax(by[i], 0);
        for (int k = 0; k < 3; ++k) {
            double lo = (double)REALS(box.min)[k], hi = (double)REALS(box.max)[k];
            double over = lo - more - (double)REALS(got.min)[k], past = (double)REALS(got.max)[k] - hi - more;
            CHECK(over >= 4 * EPS * fabs(lo) && over <= 12 * EPS * fabs(lo) + 2e-6 * more);
            CHECK(past >= 4 * EPS * fabs(hi) && past <= 12 * EPS * fabs(hi) + 2e-6 * more);
        }
    }
}

/* ---- walls ---- */

/* Four walls through a point, two of them back to back: only that point is left, by rounding on neither side. */
static void walls_without_room(void) {
    test_rng rng = test_random();
    for (long n = 20 + test_times(100); n > 0; --n) {
        double p[3], m[3][3];
        cdi_wall wall[4];
        cdi_v3 point, out = cdi_v3_make(0.0, 0.0, 0.0), wish;
        for (int k = 0; k < 3; ++k) p[k] = test_range(&rng, -1, 1);
        for (int i = 0; i < 3; ++i)
            for (int k = 0; k < 3; ++k) m[i][k] = (i == k ? 2 : 0) + test_range(&rng, -0.5, 0.5);
        point = cdi_v3_make(p[0], p[1], p[2]);
        for (int i = 0; i < 4; ++i) {
            double c = i == 1 ? -test_range(&rng, 0.1, 3) : 1;
            const double *row = m[i < 2 ? 0 : i - 1];
            wall[i].n = cdi_v3_make(c * row[0], c * row[1], c * row[2]);
            wall[i].least = cdi_v3_dot(wall[i].n, point);
        }
        wish = cdi_v3_add(point, cdi_v3_make(test_range(&rng, -0.3, 0.3), -2.0, -2.0));
        CHECK(cdi_walls_nearest(wall, 4, wish, &out));
        for (int i = 0; i < 2; ++i) CHECK_NEAR(cdi_v3_dot(wall[i].n, out), wall[i].least, 1e-11);
        for (int i = 2; i < 4; ++i) CHECK(cdi_v3_dot(wall[i].n, out) >= wall[i].least - 1e-11);
    }
}

/* A number that is not finite, in whichever option: it does not move. */
static void movers_of_no_numbers(void) {
    cd_sphere ball = {{0, 2, 0}, 1};
    cd_aabb floor_box = {{-9, -1, -9}, {9, 0, 9}};
    cd_shape level = cd_shape_of_aabb(floor_box), mover = cd_shape_of_sphere(ball);
    cd_transform pose = cd_transform_identity();
    for (int i = -1; i < 8; ++i) {
        cd_mover_options o;
        cd_mover_result r;
        memset(&o, 0, sizeof o);
        o.up = at(0, 1, 0);
        if (i >= 0 && i < 3) REALS(o.up)[i] = (cd_real)NAN;
        if (i >= 3 && i < 6) REALS(o.up)[i - 3] = (cd_real)INFINITY;
        if (i == 6) o.skin = (cd_real)INFINITY;
        if (i == 7) o.step_height = (cd_real)INFINITY;
        r = ASK("bad", cd_mover_slide(&level, &mover, &pose, at(0.5, 0, 0), &o));
        CHECK_INT(r.status, i < 0 ? CD_OK : CD_INVALID_ARGUMENT);
        CHECK_NEAR(r.pose.position.x, i < 0 ? 0.5 : 0.0, i < 0 ? 0.02 : 0.0);
    }
}

/* ---- shapes ---- */

/* The box around what is stretched: no larger, on any side, whatever the signs. */
static void boxes_of_stretched_compounds(void) {
    cd_aabb lower = {{1, 2, 3}, {2, 3, 4}}, upper = {{1, 2, 5}, {3, 4, 6}};
    cd_shape parts[2], whole;
    cd_placed_shape children[2];
    cd_compound compound;
    parts[0] = cd_shape_of_aabb(lower);
    parts[1] = cd_shape_of_aabb(upper);
    for (int i = 0; i < 2; ++i) {
        children[i].shape = &parts[i];
        children[i].pose = cd_transform_identity();
    }
    compound = cd_compound_of(children, 2);
    whole = cd_shape_of_compound(&compound);
    for (int i = 0; i < 9; ++i) {
        static const double lo[3] = {1, 2, 3}, hi[3] = {3, 4, 6};
        double by[3] = {2, 3, 0.5};
        cd_aabb got;
        for (int k = 0; k < 3; ++k) by[k] = i == 8 ? 1 : i >> k & 1 ? -by[k] : by[k];
        whole.scale = i == 8 ? at(0, 0, 0) : at(by[0], by[1], by[2]);
        got = cd_shape_aabb(&whole, NULL);
        for (int k = 0; k < 3; ++k) {
            CHECK_NEAR(REALS(got.min)[k], fmin(by[k] * lo[k], by[k] * hi[k]), 64 * EPS + 1e-12);
            CHECK_NEAR(REALS(got.max)[k], fmax(by[k] * lo[k], by[k] * hi[k]), 64 * EPS + 1e-12);
        }
    }
}

/* A plane as far out as can be stays in the range where its normal does. */
static void stretched_halfspaces(void) {
    for (int i = 0; i < 24; ++i) {
        int k = i % 3;
        double by = i % 2 ? 4 : 0.5, sign = i / 6 % 2 ? -1 : 1, d = i / 12 ? 0.75 * MOST : 3;
        cd_plane plane = {{0, 0, 0}, 0};
        cd_shape s, got;
        REALS(plane.n)[k] = (cd_real)sign;
        plane.d = to_real(d);
        s = cd_shape_of_halfspace(&plane);
        CHECK_INT(cd_shape_scaled(&s, at(k == 0 ? by : 1, k == 1 ? by : 1, k == 2 ? by : 1), &got), CD_OK);
        CHECK_INT(got.type, CD_SHAPE_HALFSPACE);
        for (int m = 0; m < 3; ++m) /* the same plane: n / by, d, but for a factor */
            CHECK_NEAR((double)REALS(got.u.halfspace.n)[m] / (double)got.u.halfspace.d,
                       m == k ? sign / by / d : 0, 4 * EPS / by / d);
    }
}

/* What faces the ray goes by the winding as the stretched corners have it, mirrored: rays from either side, with either side culled;
 * stretched by itself, and as a whole of one child. */
static void mirrored_flat_shapes(void) {
    static const cd_vec3 corners[4] = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    cd_triangle t = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
    for (int i = 0; i < 256; ++i) {
        cd_shape s = i & 1 ? cd_shape_of_polygon(corners, 4) : cd_shape_of_triangle(&t), whole;
        double x = i & 2 ? -1 : 1, y = i & 4 ? -2 : 2, z = i & 8 ? -3 : 3, side = i & 16 ? -1 : 1;
        bool back = side * z < 0, front_culled = (i & 32) != 0, got;
        cd_placed_shape child;
        cd_compound compound;
        cd_ray ray;
        cd_cast_options o;
        cd_hit hit;
        memset(&o, 0, sizeof o);
        child.shape = &s;
        child.pose = cd_transform_identity();
        compound = cd_compound_of(&child, 1);
        whole = i & 64 ? cd_shape_of_compound(&compound) : s;
        if ((i & 192) == 64)
            s.scale = at(x, y, z);
        else
            whole.scale = at(x, y, z);
        ray.origin = at(0.1, 0.2, 5 * side);
        ray.dir = at(0, 0, -side);
        o.flags = front_culled ? CD_CAST_CULL_FRONT : CD_CAST_CULL_BACK;
        test_note("case %d", i);
        got = ASK("judge", cd_shape_cast_ray(&whole, &ray, 10, &o, &hit, NULL));
        CHECK_INT(got, back == front_culled);
        if (got) CHECK_NEAR(hit.t, 5, 16 * EPS);
        if (got) CHECK_INT((hit.flags & CD_HIT_BACK) != 0, back);
        o.flags = 0;
        CHECK(cd_shape_cast_ray(&whole, &ray, 10, &o, &hit, NULL));
        CHECK_INT((hit.flags & CD_HIT_BACK) != 0, back);
    }
}

/* Without a volume: no mass, and the middle. */
static void masses_of_what_has_none(void) {
    cd_cylinder pin = {{1, 2, 3}, {3, 6, 5}, 0};
    cd_cone needle = {{1, 2, 3}, {3, 6, 5}, 0};
    cd_disc disc = {{2, 4, 4}, {0, 0, 1}, 2};
    cd_capsule capsule = {{1, 2, 3}, {3, 6, 5}, 0};
    cd_segment segment = {{1, 2, 3}, {3, 6, 5}};
    cd_shape all[5];
    all[0] = cd_shape_of_cylinder(&pin);
    all[1] = cd_shape_of_cone(&needle);
    all[2] = cd_shape_of_disc(&disc);
    all[3] = cd_shape_of_capsule(&capsule);
    all[4] = cd_shape_of_segment(&segment);
    for (int i = 0; i < 10; ++i) {
        cd_mass m;
        cd_shape s = all[i % 5];
        double by[3] = {1, 1, 1}, middle[3] = {2, 4, 4};
        if (i >= 5) by[0] = 2, by[1] = -3, by[2] = 0.5, s.scale = at(2, -3, 0.5);
        if (!cd_shape_is_valid(&s)) continue;
        CHECK_INT(cd_shape_mass(&s, 2.0, &m), CD_OK);
        CHECK_NEAR(m.mass, 0, 0);
        for (int k = 0; k < 3; ++k) CHECK_NEAR(m.center[k], by[k] * middle[k], 1e-12);
    }
}

/* ---- convex ---- */

/* One pair that does not meet: a count of 0; no pair at all: nothing is written. */
static void counts_of_few_boxes(void) {
    cd_obb a = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 1, 1}}, b = a;
    cd_manifold out;
    memset(&out, 0, sizeof out);
    b.center.x = 5;
    out.count = 77;
    CHECK_INT(ASK("forms", cd_collide_obbs(&a, &b, NULL, 0, NULL, NULL, &out)), 0);
    CHECK_INT(out.count, 77);
    CHECK_INT(ASK("forms", cd_collide_obbs(&a, &b, NULL, 1, NULL, NULL, &out)), 0);
    CHECK_INT(out.count, 0);
    b.center.x = (cd_real)1.5;
    CHECK_INT(ASK("forms", cd_collide_obbs(&a, &b, NULL, 1, NULL, NULL, &out)), 1);
    CHECK_INT(out.count, 4);
    CHECK_INT(cd_collide_obbs(&a, &b, NULL, 1, NULL, NULL, NULL), 1);
    CHECK_INT(cd_collide_obbs(&a, &b, NULL, 0, NULL, NULL, NULL), 0);
}

/* Of a face with many corners one every 15 degrees, around in order. */
static void fronts_with_many_corners(void) {
    enum { CORNERS = 97 };
    cd_vec3 points[2 * CORNERS];
    cd_hull hull;
    cd_support s;
    cdi_convex body;
    cdi_foremost front;
    for (int i = 0; i < 2 * CORNERS; ++i) {
        double angle = 6.283185307179586 * (i % CORNERS) / CORNERS;
        points[i] = at(cos(angle), sin(angle), i < CORNERS ? 0 : -1);
    }
    CHECK_INT(cd_hull3_build(&hull, points, 2 * CORNERS, NULL), CD_OK);
    s = cd_support_of_hull(&hull);
    CHECK(cdi_convex_open(&body, &s, NULL));
    cdi_foremost_of(&body, cdi_v3_make(0.0, 0.0, 1.0), CD_NONE, &front);
    CHECK_INT(front.count, CDI_FRONT_CORNERS);
    for (int i = 0; i < front.count; ++i) {
        cdi_v3 p = front.corner[i], q = front.corner[(i + 1) % front.count];
        CHECK_NEAR(p.z, 0, 0);
        CHECK_NEAR(fabs(atan2(p.x * q.y - p.y * q.x, p.x * q.x + p.y * q.y)), 6.283185307179586 / 24, 0.066);
    }
    cd_hull_destroy(&hull);
}

/* Caps and sides of what is round, with a rounding: how large its radii are. */
static void fronts_of_round_bodies(void) {
    cd_cylinder c = {{0, 0, -1}, {0, 0, 2}, (cd_real)0.5};
    cd_cone cone = {{0, 0, 2}, {0, 0, -1}, (cd_real)0.5};
    cd_support cylinder = cd_support_of_cylinder(&c), top = cd_support_of_cone(&cone);
    for (int i = 0; i < 5; ++i) {
        cd_support s = cd_support_rounded(i < 3 ? &cylinder : &top, (cd_real)0.25);
        double x = i == 2 ? 1 : 0, z = i == 2 ? 0 : i == 0 || i == 4 ? 1 : -1;
        cdi_convex body;
        cdi_foremost front;
        CHECK(cdi_convex_open(&body, &s, NULL));
        cdi_foremost_of(&body, cdi_v3_make(x, 0.0, z), CD_NONE, &front);
        CHECK_INT(front.count, i == 4 ? 1 : i == 2 ? 2 : 8);
        if (i != 4) CHECK_NEAR(front.round, 0.75, 1e-12);
        CHECK_INT(front.rim, front.count == 8);
    }
}

/* A ray that begins inside, or on the surface, and is to ignore that. */
static void rays_that_begin_inside(void) {
    cd_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    cd_sphere ball = {{0, 0, 0}, 1};
    for (int i = 0; i < 24; ++i) {
        cd_support s = i & 1 ? cd_support_of_aabb(&box) : cd_support_of_sphere(ball);
        int k = i / 2 % 3;
        double sign = i / 6 % 2 ? -1 : 1;
        cd_ray ray = {{0, 0, 0}, {0, 0, 0}};
        cd_cast_options o;
        cd_hit hit;
        memset(&o, 0, sizeof o);
        REALS(ray.dir)[k] = (cd_real)sign;
        if (i / 12) REALS(ray.origin)[k] = (cd_real)-sign;
        CHECK(ASK("judge", cd_gjk_raycast(&ray, 5, &s, &o, &hit)));
        CHECK(hit.t == 0 && (hit.flags & CD_HIT_START));
        o.flags = CD_CAST_START_IGNORE;
        CHECK(!ASK("judge", cd_gjk_raycast(&ray, 5, &s, &o, &hit)));
    }
}

/* A scale of which some factors are 0 is none, and does not become one. */
static void supports_without_a_scale(void) {
    cd_aabb box = {{-1, -1, -1}, {1, 1, 1}};
    for (int i = 0; i < 8; ++i) {
        cd_support s = cd_support_of_aabb(&box), got;
        s.scale = at(i & 1 ? 3 : 0, i & 2 ? 3 : 0, i & 4 ? 3 : 0);
        got = cd_support_scaled(&s, at(2, 2, 2));
        CHECK_INT(cd_support_is_valid(&s), i == 0 || i == 7);
        CHECK_INT(cd_support_is_valid(&got), i == 0 || i == 7);
        if (i == 0 || i == 7) CHECK_SAME(got.scale.z, i ? 6 : 2);
    }
}

static uint32_t no_number(const void *user, cd_vec3 dir, uint32_t hint, cd_vec3 *out) {
    (void)user;
    (void)dir;
    (void)hint;
    *out = cd_vec3_make((cd_real)NAN, (cd_real)NAN, (cd_real)NAN);
    return 0;
}

/* A function that answers with no numbers, and points as far apart as can be, in no time. */
static void bodies_of_no_numbers(void) {
    cd_support s = cd_support_of_function(no_number, NULL, at(0, 0, 0), 0);
    cd_support p = cd_support_of_point(at(0.9 * MOST, 0, 0)), q = cd_support_of_point(at(0, 0.9 * MOST, 0));
    CHECK_INT(cd_gjk_distance(&s, &p, NULL, NULL, NULL).iterations, 1);
    CHECK_INT(cd_gjk_distance(&q, &p, NULL, NULL, NULL).iterations, 1);
}

/* A compound's tree is built as it is asked for, with the memory that it is given. */
static void trees_of_compounds(void) {
    cd_aabb box = {{0, 0, 0}, {1, 1, 1}};
    cd_shape part = cd_shape_of_aabb(box);
    cd_placed_shape children[20];
    for (int i = 0; i < 20; ++i) {
        children[i].shape = &part;
        children[i].pose = cd_transform_identity();
        children[i].pose.position = at(2 * i, 0, 0);
    }
    for (uint32_t layout = 0; layout < 4; ++layout) {
        test_memory memory = {1000, 0, 0};
        cd_compound c;
        cd_bvh_options o;
        cdi_bvh open;
        memset(&o, 0, sizeof o);
        o.layout = layout;
        o.allocator = test_allocator(&memory);
        CHECK_INT(cd_compound_build(&c, children, 20, &o),
                  layout == CD_BVH_COMPACT ? CD_INVALID_ARGUMENT : CD_OK);
        if (layout == CD_BVH_COMPACT) continue;
        CHECK_INT(memory.live, 2); /* the list and the tree */
        memset(&open, 0, sizeof open);
        if (!CHECK(cdi_bvh_open(&open, &c.tree))) return;
        CHECK_INT(open.layout, layout);
        cd_compound_destroy(&c);
        CHECK_INT(memory.live, 0);
    }
}

/* Of a triangle that is met, posed or not: the weights of its corners give the point. */
static void weights_of_posed_triangles(void) {
    test_rng rng = test_random();
    cd_aabb box = {{to_real(-0.1), to_real(-0.1), to_real(-0.1)}, {to_real(0.1), to_real(0.1), to_real(0.1)}};
    cd_support a = cd_support_of_aabb(&box);
    for (long n = 3 + test_times(50); n > 0; --n) {
        cd_triangle t = {{-3, -3, 0}, {3, -3, 0}, {0, 4, 0}};
        cd_support b = cd_support_of_triangle(&t);
        cd_transform pose = gen_pose(&rng, 3.0);
        cd_hit hit;
        cd_vec3 p, goal = cd_transform_point(&pose, at(0.2, -0.3, 0.1));
        if (!CHECK(cd_sweep_convex_convex_sat(&a, cd_vec3_scale(goal, 2), &b, &pose, NULL, &hit))) continue;
        p = cd_vec3_add(cd_vec3_scale(t.a, 1 - hit.u - hit.v),
                        cd_vec3_add(cd_vec3_scale(t.b, hit.u), cd_vec3_scale(t.c, hit.v)));
        CHECK_VEC(cd_transform_point(&pose, p), hit.point, 256 * EPS);
    }
}

/* Stopped after one step, it says that the answer is not there yet; never where it is beyond the distance that matters. */
static void distances_that_are_not_done(void) {
    cd_ellipsoid e = {{0, 0, 0}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {1, 2, 3}},
                 f = {{5, 4, 3}, {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, {3, 1, 2}};
    cd_support a = cd_support_of_ellipsoid(&e), b = cd_support_of_ellipsoid(&f);
    cd_separation_options o;
    memset(&o, 0, sizeof o);
    CHECK_INT(cd_convex_distance(&a, &b, NULL, &o, NULL).status, CD_OK);
    o.max_iterations = 1;
    CHECK_INT(cd_convex_distance(&a, &b, NULL, &o, NULL).status, CD_NOT_CONVERGED);
    o.max_distance = to_real(0.001);
    CHECK_INT(cd_convex_distance(&a, &b, NULL, &o, NULL).status, CD_OK);
}

/* ---- trees ---- */

static gen_mesh ball_of(test_rng *rng) {
    return gen_mesh_ball(8, 0.2, rng);
}

/* Compact trees have leaves of their own: how large they may be is not asked. */
static void leaves_of_compact_trees(void) {
    test_rng rng = test_random();
    gen_mesh m = ball_of(&rng);
    cd_mesh_view view = gen_mesh_view(&m);
    cd_bvh_options o;
    cd_bvh a, b;
    memset(&o, 0, sizeof o);
    o.layout = CD_BVH_COMPACT;
    CHECK_INT(cd_bvh_build_mesh(&a, &view, &o), CD_OK);
    o.leaf_extent = 100;
    CHECK_INT(cd_bvh_build_mesh(&b, &view, &o), CD_OK);
    CHECK_INT(a.bytes, b.bytes);
    CHECK(a.bytes == b.bytes && memcmp(a.block, b.block, a.bytes) == 0);
    cd_bvh_destroy(&a);
    cd_bvh_destroy(&b);
    gen_mesh_free(&m);
}

/* Compact trees with masks: nothing is left behind by a refit. */
static void memory_of_compact_refits(void) {
    test_rng rng = test_random();
    gen_mesh m = ball_of(&rng);
    cd_mesh_view view = gen_mesh_view(&m);
    uint32_t *masks = (uint32_t *)calloc(m.triangle_count, sizeof *masks);
    for (int i = 0; i < 2 && masks; ++i) {
        test_memory memory = {1000, 0, 0};
        cd_bvh_options o;
        cd_bvh tree;
        memset(&o, 0, sizeof o);
        o.layout = CD_BVH_COMPACT;
        o.masks = i ? masks : NULL;
        o.allocator = test_allocator(&memory);
        CHECK_INT(cd_bvh_build_mesh(&tree, &view, &o), CD_OK);
        CHECK_INT(memory.live, 1);
        CHECK_INT(cd_bvh_refit_mesh(&tree, &view, NULL, NULL), CD_OK);
        CHECK_INT(memory.live, 1);
        cd_bvh_destroy(&tree);
        CHECK_INT(memory.live, 0);
    }
    free(masks);
    gen_mesh_free(&m);
}

/* Leaves of binary trees that claim more items than a leaf may have, on the left and on the right. */
static void binary_trees_with_bad_leaves(void) {
    test_rng rng = test_random();
    gen_mesh m = ball_of(&rng);
    cd_mesh_view view = gen_mesh_view(&m);
    cd_bvh_options o;
    cd_bvh tree;
    cdi_bvh open;
    cdi_bvh_binary_node *node;
    memset(&o, 0, sizeof o);
    o.layout = CD_BVH_BINARY;
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, &o), CD_OK);
    memset(&open, 0, sizeof open);
    if (!CHECK(cdi_bvh_open(&open, &tree))) return;
    node = (cdi_bvh_binary_node *)(void *)((unsigned char *)tree.block + ((const unsigned char *)open.nodes -
                                                                          (const unsigned char *)tree.block));
    for (uint32_t i = 1; i < open.header->node_count; ++i) {
        uint32_t was = node[i].count;
        node[i].count = 200;
        CHECK_INT(cd_bvh_validate(&tree), CD_CORRUPT);
        node[i].count = 0xFFFFFFFFu;
        CHECK_INT(cd_bvh_validate(&tree), CD_CORRUPT);
        node[i].count = was;
    }
    CHECK_INT(cd_bvh_validate(&tree), CD_OK);
    cd_bvh_destroy(&tree);
    gen_mesh_free(&m);
}

/* The first object makes a frame around itself, and none that is much larger. */
static void frames_of_first_objects(void) {
    for (int i = 0; i < 6; ++i) {
        double size = i % 2 ? 1 : 1024, place = i / 2 == 0 ? 0 : i / 2 == 1 ? 5000 : -5000;
        cd_aabb box;
        cd_dyntree t;
        const cdi_bvh_header *h;
        box.min = at(place, place + 1, place + 2);
        box.max = at(place + size, place + 1 + size, place + 2 + size);
        CHECK_INT(cd_dyntree_init(&t, NULL), CD_OK);
        CHECK_INT(cd_dyntree_insert(&t, box, 0, NULL), CD_OK);
        h = cdi_dyn_header(&t);
        CHECK(h->frame.exponent >= (i % 2 ? 0 : 10) && h->frame.exponent <= (i % 2 ? 6 : 16));
        for (int k = 0; k < 3; ++k) CHECK_NEAR(h->frame.origin[k], place + k + size / 2, size * 2);
        cd_dyntree_destroy(&t);
    }
}

static bool no_pair(void *user, cd_pair pair) {
    (void)user;
    (void)pair;
    return false;
}

/* A visit of nothing is not stopped. */
static void moved_pairs_of_nothing(void) {
    cd_dyntree t;
    CHECK_INT(cd_dyntree_init(&t, NULL), CD_OK);
    CHECK(cd_dyntree_traverse_moved(&t, NULL, no_pair, NULL));
    cd_dyntree_destroy(&t);
}

/* What is no height field has no heights. */
static void heights_of_other_trees(void) {
    cd_vec3 corners[3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    uint32_t numbers[3] = {0, 1, 2};
    cd_mesh_view view = cd_mesh_view_make(corners, 3, numbers, 1);
    cd_real samples[4] = {1, 2, 3, 4}, height = 7;
    uint8_t holes[1] = {CD_HEIGHT_HOLE};
    cd_height_view field;
    cd_bvh tree;
    memset(&tree, 0, sizeof tree);
    CHECK(!cd_heights_height_at(&tree, 0, 0, &height, NULL));
    CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
    CHECK(!cd_heights_height_at(&tree, to_real(0.25), to_real(0.25), &height, NULL));
    cd_bvh_destroy(&tree);
    memset(&field, 0, sizeof field);
    field.samples = samples;
    field.columns = field.rows = 2;
    for (int i = 0; i < 3; ++i) {
        field.materials = i == 1 ? holes : NULL;
        if (i == 2) field.rows = 1;
        CHECK_INT(cd_bvh_build_heights(&tree, &field, NULL), CD_OK);
        CHECK_INT(cd_heights_height_at(&tree, to_real(0.25), to_real(0.25), &height, NULL), i == 0);
        cd_bvh_destroy(&tree);
    }
    CHECK_NEAR(height, 1.75, 1e-6);
}

/* A list of free numbers that ends too soon, leads out, or to what is in use. */
static void spheres_with_bad_lists(void) {
    cd_bvh_spheres t;
    uint32_t id[4], kept;
    CHECK_INT(cd_bvh_spheres_init(&t, NULL), CD_OK);
    for (int i = 0; i < 4; ++i) {
        cd_sphere s = {{0, 0, 0}, 1};
        s.center.x = (cd_real)(3 * i);
        CHECK_INT(cd_bvh_insert_sphere(&t, s, 0, &id[i]), CD_OK);
    }
    for (int i = 0; i < 3; ++i) {
        CHECK_INT(cd_bvh_spheres_validate(&t), CD_OK);
        kept = t.unused;
        t.unused = i ? 0 : t.used;
        CHECK_INT(ASK("bad", cd_bvh_spheres_validate(&t)), CD_CORRUPT);
        t.unused = t.used + 1;
        CHECK_INT(ASK("bad", cd_bvh_spheres_validate(&t)), CD_CORRUPT);
        t.unused = 0xFFFFFFFFu;
        CHECK_INT(ASK("bad", cd_bvh_spheres_validate(&t)), CD_CORRUPT);
        t.unused = kept;
        CHECK_INT(cd_bvh_remove_sphere(&t, id[i]), CD_OK);
    }
    cd_bvh_spheres_destroy(&t);
}

/* Layouts and flags are of no meaning to a tree that is rebuilt, nor are sizes of leaves. */
static void rebuilt_dynamic_trees(void) {
    test_rng rng = test_random();
    enum { COUNT = 60 };
    cd_aabb box[COUNT];
    uint32_t nodes = 0;
    for (int i = 0; i < COUNT; ++i) {
        gen g = gen_begin(&rng, GEN_UNIT);
        box[i] = gen_aabb(&g);
    }
    for (uint32_t i = 0; i < 8; ++i) {
        cd_bvh_options o;
        cd_dyntree t;
        memset(&o, 0, sizeof o);
        o.layout = i < 4 ? i : 0;
        o.flags = i >= 4 ? i & 3 : 0;
        o.leaf_size = i == 4 ? 3 : 0;
        CHECK_INT(cd_dyntree_build(&t, box, NULL, COUNT, NULL), CD_OK);
        CHECK_INT(cd_dyntree_rebuild(&t, &o), CD_OK);
        CHECK_INT(cd_dyntree_validate(&t), CD_OK);
        if (i == 0) nodes = t.node_count;
        CHECK_INT(t.node_count, nodes);
        cd_dyntree_destroy(&t);
    }
}

/* Rays that begin far along their way, and beyond all squares. */
static void rays_that_begin_late(void) {
    static const double begins[5] = {0, 1e10, 1e17, 2e18, 1e25};
    for (int i = 0; i < 15; ++i) {
        double begin = begins[i % 5], size = fmax(begin, 1);
        double place = i / 5 == 0 ? 2 * size : i / 5 == 1 ? 0.5 * size : 3.5 * size;
        cd_vec3 corners[3];
        uint32_t numbers[3] = {0, 1, 2};
        cd_mesh_view view = cd_mesh_view_make(corners, 3, numbers, 1);
        cd_ray ray = {{0, 0, 0}, {1, 0, 0}};
        cd_cast_options o;
        cd_hit hit;
        cd_bvh tree;
        bool want = place >= begin && place <= 3 * size;
        memset(&o, 0, sizeof o);
        o.t_min = to_real(begin);
        corners[0] = at(place, -size, -size);
        corners[1] = at(place, size, -size);
        corners[2] = at(place, 0, size);
        CHECK_INT(cd_bvh_build_mesh(&tree, &view, NULL), CD_OK);
        CHECK_INT(ASK("judge", cd_bvh_cast_ray(&tree, &ray, to_real(3 * size), &o, &hit)), want);
        if (want) CHECK_NEAR((double)hit.t / place, 1, 8 * EPS);
        cd_bvh_destroy(&tree);
    }
}

void suite_each(void) {
    RUN(boxes_taken_into_a_frame);
    RUN(boxes_that_grow);
    RUN(walls_without_room);
    RUN(movers_of_no_numbers);
    RUN(boxes_of_stretched_compounds);
    RUN(stretched_halfspaces);
    RUN(mirrored_flat_shapes);
    RUN(masses_of_what_has_none);
    RUN(counts_of_few_boxes);
    RUN(fronts_with_many_corners);
    RUN(fronts_of_round_bodies);
    RUN(rays_that_begin_inside);
    RUN(supports_without_a_scale);
    RUN(bodies_of_no_numbers);
    RUN(heights_of_other_trees);
    RUN(spheres_with_bad_lists);
    RUN(rebuilt_dynamic_trees);
    RUN(rays_that_begin_late);
    RUN(trees_of_compounds);
    RUN(weights_of_posed_triangles);
    RUN(distances_that_are_not_done);
    RUN(leaves_of_compact_trees);
    RUN(memory_of_compact_refits);
    RUN(binary_trees_with_bad_leaves);
    RUN(frames_of_first_objects);
    RUN(moved_pairs_of_nothing);
}
